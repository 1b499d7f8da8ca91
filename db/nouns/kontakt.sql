-- Contact addresses: whose mails go there is decided by who reads them. A link goes to a new one; until its
-- holder has followed it, signed in, mails go to the sign-in address.

select rechte.protect('rechte.kontakt');
grant select, insert, update, delete on rechte.kontakt to forst_definer;

-- Definer: the table is closed. The address that mails of the application go to.
create or replace function rechte.mail_an(person bigint)
  returns text language sql stable set search_path = pg_catalog as $$
  select coalesce((
    select k.bestaetigt
    from rechte.kontakt k
    where k.user_id = b.user_id and rechte.fold_address(k.bestaetigt) = rechte.fold_address(b.mail)
  ), b.email)
  from app.benutzer b
  where b.user_id = mail_an.person
$$;
select rechte.define('rechte.mail_an(bigint)');
grant execute on function rechte.mail_an(bigint) to forst_definer;

-- Definer: as above. Whoever writes the address, the person or an admin: its holder is asked. Saved again
-- after the code has run out, it is asked again.
create or replace function rechte.kontakt_geaendert()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if new.mail is null
    or rechte.fold_address(new.mail) = rechte.fold_address(new.email)
    or exists (
      select from rechte.kontakt k
      where k.user_id = new.user_id and rechte.fold_address(k.bestaetigt) = rechte.fold_address(new.mail)
    )
  then
    update rechte.kontakt k set offen = null, code_digest = null, code_bis = null, naechster = null
    where k.user_id = new.user_id;
    return null;
  end if;
  insert into rechte.kontakt as k (user_id, offen, naechster)
  values (new.user_id, new.mail, now())
  on conflict on constraint kontakt_pkey do update
    set offen = excluded.offen, code_digest = null, code_bis = null, versuche = 0, naechster = now()
    where k.offen is distinct from excluded.offen
      or (k.naechster is null and coalesce(k.code_bis, '-infinity') < now());
  return null;
end $$;
select rechte.define('rechte.kontakt_geaendert()');
-- What operations bring (sample data, a restore) asks nobody: hundreds would get a mail at once. Their mails
-- go to the sign-in address until they save the contact address again.
create or replace trigger x_kontakt after insert or update of mail on app.benutzer
  for each row when (current_user <> 'forst_betrieb') execute function rechte.kontakt_geaendert();

-- Definer, for the server's post (as forst_betrieb). Takes one that is due and writes down the digest of the
-- code that goes into its mail. Three an hour by one person, and three people an hour to one address.
create or replace function rechte.kontakt_nehmen(digest text)
  returns table (person bigint, an text, name text) language sql set search_path = pg_catalog as $$
  with dran as (
    select k.user_id
    from rechte.kontakt k join app.benutzer b on b.user_id = k.user_id
    where k.naechster <= now()
      and b.enabled
      and (k.anzahl < 3 or k.stunde < now() - interval '1 hour')
      and (
        select count(*)
        from rechte.kontakt o
        where rechte.fold_address(o.gesendet_an) = rechte.fold_address(k.offen)
          and o.gesendet_am > now() - interval '1 hour'
          and o.user_id <> k.user_id
      ) < 3
    order by k.naechster, k.user_id limit 1 for update of k skip locked
  )
  update rechte.kontakt k set
    code_digest = kontakt_nehmen.digest, code_bis = now() + interval '24 hours', versuche = k.versuche + 1,
    naechster = now() + interval '10 minutes'
  from dran join app.benutzer b on b.user_id = dran.user_id
  where k.user_id = dran.user_id
  returning k.user_id, k.offen, nullif(concat_ws(' ', b.first_name, b.last_name), '')
$$;
select rechte.define('rechte.kontakt_nehmen(text)');
-- Definer: as above. What became of the mail with that code. What could not go does not count, and is tried
-- again after 1, 5, 25, 125 and 625 minutes.
create or replace function rechte.kontakt_ergebnis(digest text, gesendet boolean)
  returns void language sql set search_path = pg_catalog as $$
  update rechte.kontakt k set
    naechster = case
      when gesendet or k.versuche >= 6 then null
      else now() + interval '1 minute' * power(5, k.versuche - 1)
    end,
    gesendet_an = case when gesendet then k.offen else k.gesendet_an end,
    gesendet_am = case when gesendet then now() else k.gesendet_am end,
    stunde = case
      when gesendet and coalesce(k.stunde, '-infinity') < now() - interval '1 hour' then now()
      else k.stunde
    end,
    anzahl = case
      when not gesendet then k.anzahl
      when coalesce(k.stunde, '-infinity') < now() - interval '1 hour' then 1
      else k.anzahl + 1
    end
  where k.code_digest = kontakt_ergebnis.digest
$$;
select rechte.define('rechte.kontakt_ergebnis(text, boolean)');
grant execute on function rechte.kontakt_nehmen(text), rechte.kontakt_ergebnis(text, boolean)
  to forst_betrieb;

-- The code of the mail, brought by the person themselves: then the contact address is theirs. False: it is
-- another person's, used, too old, or the address has changed meanwhile.
create or replace function app.__o_confirm_mail(code text)
  returns boolean language plpgsql set search_path = pg_catalog as $$
declare me bigint := rechte.user_id();
begin
  perform rechte.refuse_unless(me is not null);
  update rechte.kontakt k set
    bestaetigt = k.offen, offen = null, code_digest = null, code_bis = null, naechster = null
  from app.benutzer b
  where b.user_id = me
    and k.user_id = me
    and k.offen = b.mail
    and k.code_bis > now()
    and k.code_digest = encode(sha256(convert_to(__o_confirm_mail.code, 'UTF8')), 'hex');
  return found;
end $$;
select rechte.define('app.__o_confirm_mail(text)');
grant execute on function app.__o_confirm_mail(text) to nutzer;

-- Definer: as above. Where mails to the caller go, whether that is the contact address, and which one waits
-- for its link to be followed; gefragt_am is null until that mail has gone.
create or replace function app.a_get_kontakt()
  returns table (mail_an text, bestaetigt boolean, offen text, gefragt_am timestamptz)
  language plpgsql stable set search_path = pg_catalog as $$
declare me bigint := rechte.user_id();
begin
  perform rechte.refuse_unless(me is not null);
  return query
    select rechte.mail_an(me),
      coalesce(rechte.fold_address(b.mail) = rechte.fold_address(rechte.mail_an(me)), true), k.offen,
      case when k.gesendet_an = k.offen then k.gesendet_am end
    from app.benutzer b left join rechte.kontakt k on k.user_id = b.user_id
    where b.user_id = me;
end $$;
select rechte.define('app.a_get_kontakt()');

-- Definer: as above. The link once more, for a mail that was lost; false: it goes when the hour is over in
-- which three have gone.
create or replace function app.a_send_kontakt_link()
  returns boolean language plpgsql set search_path = pg_catalog as $$
declare
  me bigint := rechte.user_id();
  address text;
begin
  select b.mail into address
  from app.benutzer b
  where b.user_id = me and rechte.fold_address(b.mail) <> rechte.fold_address(rechte.mail_an(me));
  -- Also whoever is nobody here.
  if not found then raise sqlstate 'PT404' using message = 'no address waits for its confirmation'; end if;
  insert into rechte.kontakt as k (user_id, offen, naechster)
  values (me, address, now())
  on conflict on constraint kontakt_pkey do update
    set offen = excluded.offen, versuche = 0, naechster = now();
  return (
    select k.anzahl < 3 or coalesce(k.stunde, '-infinity') < now() - interval '1 hour'
    from rechte.kontakt k
    where k.user_id = me
  );
end $$;
select rechte.define('app.a_send_kontakt_link()');
grant execute on function app.a_get_kontakt(), app.a_send_kontakt_link() to nutzer;
