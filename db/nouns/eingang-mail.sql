-- Received invoices that come by mail: what the server notes of the mailbox (as forst_betrieb), and what
-- people see of it. docs/decisions/eingang.md

select rights.protect('app.eingang_postfach');
grant select, insert, update on app.eingang_postfach to forst_definer;
grant select (adresse, geschaut_am, fehler, fehler_am) on app.eingang_postfach to nutzer;
create policy buchhaltung on app.eingang_postfach for select to nutzer
  using ((select rights.has_role('apus_admin')));

select rights.protect('app.eingang_mail');
grant select, insert, update, delete on app.eingang_mail to forst_definer;
grant select on app.eingang_mail to nutzer;
create policy buchhaltung on app.eingang_mail for select to nutzer
  using ((select rights.has_role('apus_admin')));

-- Definer: the tables are closed. Whether this server may look now; then no other one does for ten minutes,
-- which each mail renews. An empty address: no mailbox is set.
create or replace function books.claim_postfach(adresse text)
  returns boolean language plpgsql set search_path = pg_catalog as $$
begin
  insert into app.eingang_postfach (adresse)
  values (claim_postfach.adresse)
  on conflict do nothing;
  update app.eingang_postfach p set
    adresse = claim_postfach.adresse,
    geschaut_am = case when p.adresse = claim_postfach.adresse then p.geschaut_am end,
    fehler = case when p.adresse = claim_postfach.adresse then p.fehler else '' end,
    belegt_bis = case when claim_postfach.adresse <> '' then clock_timestamp() + interval '10 minutes' end
  where p.belegt_bis is null or p.belegt_bis < clock_timestamp() or claim_postfach.adresse = '';
  return found;
end $$;
select rights.define('books.claim_postfach(text)');
grant execute on function books.claim_postfach(text) to forst_betrieb;

-- Definer: as above. The look is over. Empty: all was seen; null: it was broken off and says nothing.
create or replace function books.note_postfach(fehler text)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  update app.eingang_postfach p set
    belegt_bis = null, fehler = coalesce(note_postfach.fehler, p.fehler),
    geschaut_am = case when note_postfach.fehler = '' then clock_timestamp() else p.geschaut_am end,
    fehler_am = case when note_postfach.fehler <> '' then clock_timestamp() else p.fehler_am end;
end $$;
select rights.define('books.note_postfach(text)');
grant execute on function books.note_postfach(text) to forst_betrieb;

-- Definer: as above. Takes in a file of a mail, which the server has read (books.add_eingang). One that is
-- there already is named: the mail came twice, or the server ended before it had moved it.
create or replace function books.add_eingang_mail(
  dateiname text, inhalt bytea, format text, profil text, geprueft text, gelesen jsonb, befunde jsonb,
  werte jsonb, herkunft jsonb
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare twin bigint;
begin
  perform books.lock();
  select e.id into twin
  from app.eingang e
  where e.sha256 = encode(sha256(add_eingang_mail.inhalt), 'hex');
  if found then return twin; end if;
  return books.insert_eingang(dateiname, inhalt, format, profil, geprueft, gelesen, befunde, werte, herkunft);
end $$;
select rights.define('books.add_eingang_mail(text, bytea, text, text, text, jsonb, jsonb, jsonb, jsonb)');
grant execute on function books.add_eingang_mail(text, bytea, text, text, text, jsonb, jsonb, jsonb, jsonb)
  to forst_betrieb;

-- Definer: as above. A mail is dealt with; from now on it only has to be moved. What is a year old and needs
-- nobody is forgotten, because it names people.
create or replace function books.note_eingang_mail(
  schluessel text, absender text, betreff text, gesendet_am timestamptz, zustand text, grund text, teile jsonb
) returns void language plpgsql set search_path = pg_catalog as $$
begin
  insert into app.eingang_mail (schluessel, absender, betreff, gesendet_am, zustand, grund, teile)
  values (
    note_eingang_mail.schluessel, note_eingang_mail.absender, note_eingang_mail.betreff,
    note_eingang_mail.gesendet_am, note_eingang_mail.zustand, note_eingang_mail.grund, note_eingang_mail.teile
  )
  on conflict do nothing;
  delete from app.eingang_mail m
  where m.angelegt_am < now() - interval '1 year' and (m.zustand = 'uebernommen' or m.erledigt);
  update app.eingang_postfach p set belegt_bis = clock_timestamp() + interval '10 minutes';
end $$;
select rights.define('books.note_eingang_mail(text, text, text, timestamptz, text, text, jsonb)');
grant execute on function books.note_eingang_mail(text, text, text, timestamptz, text, text, jsonb)
  to forst_betrieb;

-- As the caller. State of the mailbox, and what was not taken in and needs somebody, newest first.
create or replace function app.a_get_eingang_postfach()
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  return jsonb_build_object(
    'adresse', coalesce((select p.adresse from app.eingang_postfach p), ''),
    'geschaut_am', (select p.geschaut_am from app.eingang_postfach p),
    'fehler', coalesce((select p.fehler from app.eingang_postfach p), ''),
    'fehler_am', (select p.fehler_am from app.eingang_postfach p),
    'mails', (
      select coalesce(jsonb_agg(to_jsonb(m) - '{schluessel,erledigt}'::text[] order by m.id desc), '[]')
      from (
        select * from app.eingang_mail x
        where x.zustand <> 'uebernommen' and not x.erledigt
        order by x.id desc limit 50
      ) m
    )
  );
end $$;
grant execute on function app.a_get_eingang_postfach() to nutzer;

-- Definer: only procedures write. Somebody has looked after what was not taken in.
create or replace function app.a_set_eingang_mail_erledigt(mail_id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  update app.eingang_mail m set erledigt = true
  where m.id = a_set_eingang_mail_erledigt.mail_id and m.zustand <> 'uebernommen';
  perform rights.check_found(found);
end $$;
select rights.define('app.a_set_eingang_mail_erledigt(bigint)');
grant execute on function app.a_set_eingang_mail_erledigt(bigint) to nutzer;
