-- Data protection: what is held on a person or a customer, as one answer; deletion, with what the law wants
-- kept blocked instead; and the record of both. rechte.datenschutz_tabellen is the catalogue.
-- domain/privacy.ts names every column of every table; a test compares both with the database.

select rechte.protect('app.datenschutz_vorgang');
grant select, insert, update (wer) on app.datenschutz_vorgang to forst_definer;
grant select on app.datenschutz_vorgang to nutzer;
create policy admins on app.datenschutz_vorgang for select to nutzer
  using ((select rechte.has_any('ogf_admin', 'apus_admin')));

-- A blocked customer is shown to the admins alone and changed by nobody.
create policy blocked on app.kunde as restrictive for select to nutzer
  using (gesperrt_bis is null or (select rechte.has_any('ogf_admin', 'apus_admin')));
create policy blocked_stays on app.kunde as restrictive for update to nutzer using (gesperrt_bis is null);

-- Definer: asks whoever writes, also those who may not see the customer. To a blocked customer nothing is
-- added, neither holdings nor people, and what is kept is not changed; what operations and the functions
-- below tidy up is. Before the row is written the customer is held, so that a block of the same moment is
-- waited for, or waits: not every of these tables has a foreign key to the customer itself. What became of it
-- is said afterwards, to those alone whose row passed the policies.
create or replace function rechte.refuse_blocked()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if tg_when = 'BEFORE' then
    perform from app.kunde k where k.client_id = new.client_id for key share;
    return new;
  end if;
  if exists (select from app.kunde k where k.client_id = new.client_id and k.gesperrt_bis is not null) then
    raise sqlstate 'PT409' using message = 'the customer is blocked', hint = 'kunde_gesperrt';
  end if;
  return null;
end $$;
select rechte.define('rechte.refuse_blocked()');
do $$
declare relation regclass;
begin
  foreach relation in array array[
    'app.hq', 'app.hq_flaeche', 'app.benutzer_kunde', 'app.benutzer_hq', 'app.abo', 'app.kunde_rechnung',
    'app.angebot', 'app.habitatbaeume'
  ]::regclass[] loop
    execute format(
      'create or replace trigger a_blocked before insert on %s for each row when (current_user <> ''forst_betrieb'') execute function rechte.refuse_blocked()',
      relation
    );
    execute format(
      'create or replace trigger x_blocked after insert on %s for each row when (current_user <> ''forst_betrieb'') execute function rechte.refuse_blocked()',
      relation
    );
  end loop;
  -- What was issued can be taken back all the same: a Storno corrects the books.
  create or replace trigger x_blocked after insert on app.rechnung
    for each row when (current_user <> 'forst_betrieb' and new.art <> 'storno')
    execute function rechte.refuse_blocked();
  foreach relation in array array['app.hq', 'app.kunde_hq']::regclass[] loop
    execute format(
      'create or replace trigger x_blocked_stays after update on %s for each row when (current_user = ''nutzer'') execute function rechte.refuse_blocked()',
      relation
    );
  end loop;
end $$;

-- Definer, as above: what was deleted of a person does not come back. No name, no right and no link is
-- written to the number that is left.
create or replace function rechte.refuse_deleted()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if rechte.ist_geloescht(new.user_id) then
    raise sqlstate 'PT409' using message = 'the person was deleted', hint = 'person_geloescht';
  end if;
  return null;
end $$;
select rechte.define('rechte.refuse_deleted()');
create or replace trigger x_deleted
  after update of username, email, mail, first_name, last_name, db_role, geb, geschlecht, system_status,
    apus_admin, apus_team, kataster_enabled, app_status, enabled on app.benutzer
  for each row when (old.email like 'geloescht-%@geloescht.invalid' and current_user <> 'forst_betrieb')
  execute function rechte.refuse_deleted();
do $$
declare relation regclass;
begin
  foreach relation in array array['app.benutzer_kunde', 'app.benutzer_hq']::regclass[] loop
    execute format(
      'create or replace trigger x_deleted after insert or update on %s for each row when (current_user <> ''forst_betrieb'') execute function rechte.refuse_deleted()',
      relation
    );
  end loop;
end $$;

-- What the functions below need. Of the provider's tables they see no password, no secret of a second factor
-- and no token.
grant usage on schema idp to forst_definer;
grant select (
  konto_id, email, email_bestaetigt, pw_changed_at, must_change_pw, totp_confirmed_at, last_sign_in_at,
  created_at
),
  delete on idp.konto to forst_definer;
grant select (konto_id, used_at) on idp.wiederherstellung to forst_definer;
grant select (konto_id, art, created_at, expires_at, used_at, email), delete on idp.einmal_link
  to forst_definer;
grant select (konto_id, model, expires_at), delete on idp.artefakt to forst_definer;
grant select (konto_id, schritt, expires_at) on idp.anmeldevorgang to forst_definer;
grant select, update (email, wer) on idp.ereignis to forst_definer;
grant select (id, art, konto_id, empfaenger, absender, zustand, versuche, naechster, erstellt, gesendet_am),
  update (absender), delete on idp.post to forst_definer;
create policy datenschutz on idp.konto to forst_definer using (true);
create policy datenschutz on idp.wiederherstellung for select to forst_definer using (true);
create policy datenschutz on idp.einmal_link to forst_definer using (true);
create policy datenschutz on idp.artefakt to forst_definer using (true);
create policy datenschutz on idp.anmeldevorgang for select to forst_definer using (true);
create policy datenschutz on idp.ereignis to forst_definer using (true) with check (true);
create policy datenschutz on idp.post to forst_definer using (true) with check (true);
grant select, delete on app.einstellung, app.ansicht, app.meldung, app.import_lauf, app.import_zeile,
  app.import_zuordnung, rechte.gutschein_versuch to forst_definer;
grant select on rechte.meldung_post, app.gutschein, app.abkuerzung to forst_definer;
grant select, update (wer, alt, neu) on app.verlauf to forst_definer;
grant select, delete,
  update (
    gesperrt_bis, ap_gender, ap_vorname, ap_nachname, ap_tel, ordner, kataster_status, version, geaendert_am,
    geaendert_von
  ) on app.kunde to forst_definer;
grant select, delete, update (fb_enabled, version, geaendert_am, geaendert_von) on app.hq to forst_definer;
grant delete, update (version, geaendert_am, geaendert_von) on app.kunde_hq, app.hq_flaeche to forst_definer;
grant delete, update (version, geaendert_am, geaendert_von) on app.abo to forst_definer;
grant update (version, geaendert_am, geaendert_von) on app.abkuerzung to forst_definer;
grant select, update (version, geaendert_am, geaendert_von) on app.prognose, app.positionsvorlage,
  app.freitext to forst_definer;
grant update (angelegt_von, eingeloest_von, eingeloest_hqid) on app.gutschein to forst_definer;

-- The catalogue: in which tables something is held on a person ($1 number, $2 sign-in address) or on a
-- customer ($1 number), which columns are left out of what is handed out (secrets, and what the database
-- makes of the others), and what a deletion does to the rows: geloescht, anonymisiert, or bleibt.
create or replace function rechte.datenschutz_tabellen()
  returns table (relation text, person text, kunde text, ohne text[], folge_person text, folge_kunde text)
  language sql immutable set search_path = pg_catalog as $$
  values ('app.benutzer', 't.user_id = $1', null, '{suchtext,sortname}'::text[], 'anonymisiert', null),
    ('app.benutzer_kunde', 't.user_id = $1', 't.client_id = $1', '{}', 'geloescht', 'geloescht'),
    ('app.benutzer_hq', 't.user_id = $1', 't.client_id = $1', '{}', 'geloescht', 'geloescht'),
    ('app.einstellung', 't.user_id = $1', null, '{}', 'geloescht', null),
    ('app.ansicht', 't.user_id = $1', null, '{}', 'geloescht', null),
    ('app.meldung', 't.user_id = $1', 't.client_id = $1', '{}', 'geloescht', 'geloescht'),
    (
      'rechte.meldung_post',
      'exists (select from app.meldung m where m.id = t.meldung_id and m.user_id = $1)',
      'exists (select from app.meldung m where m.id = t.meldung_id and m.client_id = $1)', '{}', 'geloescht',
      'geloescht'
    ),
    ('app.import_lauf', 't.user_id = $1', null, '{}', 'geloescht', null),
    ('app.import_zeile', 't.user_id = $1', null, '{}', 'geloescht', null),
    ('app.import_zuordnung', 't.user_id = $1', null, '{}', 'geloescht', null),
    ('rechte.identitaet', 't.user_id = $1', null, '{}', 'anonymisiert', null),
    ('rechte.sitzungsende', 't.user_id = $1', null, '{}', 'anonymisiert', null),
    ('rechte.kontakt', 't.user_id = $1', null, '{code_digest}', 'geloescht', null),
    ('rechte.gutschein_versuch', 't.user_id = $1', null, '{}', 'geloescht', null),
    (
      'idp.konto', 'rechte.fold_address(t.email) = $2', null, '{pw_hash,totp_secret,totp_last_step}',
      'geloescht', null
    ),
    (
      'idp.wiederherstellung',
      't.konto_id = (select k.konto_id from idp.konto k where rechte.fold_address(k.email) = $2)', null,
      '{code_hash}', 'geloescht', null
    ),
    (
      'idp.einmal_link',
      't.konto_id = (select k.konto_id from idp.konto k where rechte.fold_address(k.email) = $2) or rechte.fold_address(t.email) = $2',
      null, '{link_hash}', 'geloescht', null
    ),
    -- What somebody sent to others is those others'.
    ('idp.post', 'rechte.fold_address(t.empfaenger) = $2', null, '{link_hash,siegel}', 'geloescht', null),
    (
      'idp.artefakt',
      't.konto_id = (select k.konto_id::text from idp.konto k where rechte.fold_address(k.email) = $2)', null,
      '{id_hash,payload,grant_hash,uid_hash,consumed_at}', 'geloescht', null
    ),
    (
      'idp.anmeldevorgang',
      't.konto_id = (select k.konto_id from idp.konto k where rechte.fold_address(k.email) = $2)', null,
      '{vorgang_hash,amr,totp_neu}', 'geloescht', null
    ),
    (
      'idp.ereignis',
      't.konto_id = (select k.konto_id from idp.konto k where rechte.fold_address(k.email) = $2) or rechte.fold_address(t.email) = $2 or rechte.fold_address(t.wer) = $2',
      null, '{}', 'anonymisiert', null
    ),
    ('app.kunde', null, 't.client_id = $1', '{suchtext,sortname,sortort}', null, 'geloescht'),
    ('app.hq', null, 't.client_id = $1', '{suchtext,sortname}', null, 'geloescht'),
    ('app.hq_flaeche', null, 't.client_id = $1', '{}', null, 'geloescht'),
    ('app.kunde_hq', null, 't.client_id = $1', '{}', null, 'geloescht'),
    ('app.abo', null, 't.client_id = $1', '{}', null, 'geloescht'),
    (
      'app.habitatbaeume', null, 't.client_id = $1', '{suchtext,sortname,struktur_suche,g3857}', null,
      'geloescht'
    ),
    ('app.habitatkontrollen', null, 't.client_id = $1', '{}', null, 'geloescht'),
    ('app.habitatbilder', null, 't.client_id = $1', '{}', null, 'geloescht'),
    ('rechte.habitat_empfangen', null, 't.client_id = $1', '{digest}', null, 'geloescht'),
    ('rechte.habitat_geloescht', null, 't.client_id = $1', '{}', null, 'geloescht'),
    -- Documents that were issued are kept: rechte.aufbewahrung_bis blocks their customer instead.
    ('app.rechnung', null, 't.client_id = $1', '{suchtext}', null, 'geloescht'),
    ('app.angebot', null, 't.client_id = $1', '{suchtext}', null, 'geloescht'),
    ('app.position', null, 't.client_id = $1', '{}', null, 'geloescht'),
    ('app.dokument', null, 't.client_id = $1', '{inhalt}', null, 'geloescht'),
    ('app.dokument_auftrag', null, 't.client_id = $1', '{}', null, 'geloescht'),
    ('app.zahlung', null, 't.client_id = $1', '{}', null, 'geloescht'),
    ('app.mahnung', null, 't.client_id = $1', '{}', null, 'geloescht'),
    ('app.versand', null, 't.client_id = $1', '{}', null, 'geloescht'),
    ('app.annahme_link', null, 't.client_id = $1', '{code_hash}', null, 'geloescht'),
    ('app.kunde_rechnung', null, 't.client_id = $1', '{}', null, 'geloescht'),
    ('app.kartenblatt', null, 't.client_id = $1', '{suchtext,sortname}', null, 'geloescht'),
    ('app.karte_intern', null, 't.client_id = $1', '{}', null, 'geloescht'),
    ('app.mappoint', null, 't.client_id = $1', '{}', null, 'geloescht'),
    ('app.karte_stand', 't.user_id = $1', 't.client_id = $1', '{}', 'anonymisiert', 'geloescht'),
    ('app.karte_datei', 't.user_id = $1', 't.client_id = $1', '{upload}', 'anonymisiert', 'geloescht'),
    ('app.karte_auftrag', 't.user_id = $1', 't.client_id = $1', '{}', 'anonymisiert', 'geloescht'),
    ('app.vermessung_import', 't.user_id = $1', 't.client_id = $1', '{}', 'anonymisiert', 'geloescht'),
    ('app.draenage', null, 't.client_id = $1', '{g3857}', null, 'geloescht'),
    ('app.ausmuendung', null, 't.client_id = $1', '{g3857}', null, 'geloescht'),
    ('app.schacht', null, 't.client_id = $1', '{g3857}', null, 'geloescht'),
    ('app.schlucker', null, 't.client_id = $1', '{g3857}', null, 'geloescht'),
    ('app.einlauf', null, 't.client_id = $1', '{g3857}', null, 'geloescht'),
    ('app.bestand_import', 't.user_id = $1', 't.client_id = $1', '{}', 'anonymisiert', 'geloescht'),
    ('app.bestand', null, 't.client_id = $1', '{g3857,sortadresse}', null, 'geloescht'),
    ('app.baumarten', null, 't.client_id = $1', '{}', null, 'geloescht'),
    ('app.protokoll', 't.user_id = $1', 't.client_id = $1', '{}', 'anonymisiert', 'bleibt'),
    (
      'app.gutschein', null,
      'exists (select from app.hq h where h."idHQ" = t.eingeloest_hqid and h.client_id = $1)', '{}', null,
      'anonymisiert'
    ),
    (
      'app.verlauf', 't.person_id = $1 or t.user_id = $1', 't.client_id = $1', '{}', 'anonymisiert',
      'anonymisiert'
    ),
    (
      'app.datenschutz_vorgang', 't.person_id = $1 or t.user_id = $1', 't.client_id = $1', '{}', 'bleibt',
      'bleibt'
    )
$$;
revoke execute on function rechte.datenschutz_tabellen() from public;
grant execute on function rechte.datenschutz_tabellen() to forst_definer;

-- Until when documents of a customer must be kept; null: nothing needs to be. Contracts are booked: eight
-- years from the end of the year in which the last term ended (§ 147 AO); issued invoices eight, offers that
-- were sent six, from the end of the year of their date. Drafts are kept for nobody.
create or replace function rechte.aufbewahrung_bis(client_id bigint)
  returns date language sql stable set search_path = pg_catalog as $$
  select max(bis)
  from (
    select make_date(extract(year from a.ende)::integer + 8, 12, 31) as bis
    from app.abo a
    where a.client_id = aufbewahrung_bis.client_id
    union all
    select rechte.aufbewahren('rechnung', r.rn_datum)
    from app.rechnung r
    where r.client_id = aufbewahrung_bis.client_id and r.zustand = 'ausgestellt'
    union all
    select rechte.aufbewahren('angebot', o.an_datum)
    from app.angebot o
    where o.client_id = aufbewahrung_bis.client_id and o.status <> 'entwurf'
  ) kept
  having max(bis) >= current_date
$$;
revoke execute on function rechte.aufbewahrung_bis(bigint) from public;
grant execute on function rechte.aufbewahrung_bis(bigint) to forst_definer;

-- Every row that is held on somebody, table by table, as JSON; `zeilen` false asks for the numbers alone.
create or replace function rechte.datenschutz_zeilen(art text, id bigint, zeilen boolean)
  returns table (relation text, anzahl bigint, folge text, inhalt jsonb)
  language plpgsql stable set search_path = pg_catalog as $$
declare
  entry record;
  columns text;
  address text;
begin
  if art = 'person' then
    select rechte.fold_address(b.email) into address from app.benutzer b where b.user_id = id;
  end if;
  for entry in
    select t.relation, case art when 'person' then t.person else t.kunde end as wanted, t.ohne,
      case art when 'person' then t.folge_person else t.folge_kunde end as folge
    from rechte.datenschutz_tabellen() t
  loop
    continue when entry.wanted is null;
    -- What somebody wrote into other records belongs to those: of such an entry it is handed out that it was
    -- made, not what stands in it. Who lost a right would read on here.
    select string_agg(
      case
        when art = 'person' and entry.relation = 'app.verlauf' and a.attname in ('alt', 'neu') then
          format('case when t.person_id = $1 then t.%1$I end as %1$I', a.attname)
        when art = 'person' and entry.relation = 'idp.ereignis' and a.attname = 'email' then
          'case when rechte.fold_address(t.email) = $2 then t.email end as email'
        else format('t.%I', a.attname)
      end,
      ', ' order by a.attnum
    ) into columns
    from pg_attribute a
    where a.attrelid = entry.relation::regclass
      and a.attnum > 0
      and not a.attisdropped
      and a.attname <> all (entry.ohne);
    relation := entry.relation;
    folge := entry.folge;
    execute format(
      'select count(*), %s from (select %s from %s t where %s) x',
      case when zeilen then $j$coalesce(jsonb_agg(to_jsonb(x)), '[]')$j$ else 'null::jsonb' end, columns,
      entry.relation, entry.wanted
    ) into anzahl, inhalt using id, address;
    return next;
  end loop;
end $$;
revoke execute on function rechte.datenschutz_zeilen(text, bigint, boolean) from public;
grant execute on function rechte.datenschutz_zeilen(text, bigint, boolean) to forst_definer;

-- Writes down what was done. The name of who did it stands beside the number.
create or replace function rechte.datenschutz_notiz(
  art text, person_id bigint, client_id bigint, umfang jsonb
) returns void language sql set search_path = pg_catalog as $$
  insert into app.datenschutz_vorgang (art, wer, user_id, person_id, client_id, umfang)
  select datenschutz_notiz.art, me.name, me.user_id, datenschutz_notiz.person_id, datenschutz_notiz.client_id,
    datenschutz_notiz.umfang
  from rechte.ich() me
$$;
revoke execute on function rechte.datenschutz_notiz(text, bigint, bigint, jsonb) from public;
grant execute on function rechte.datenschutz_notiz(text, bigint, bigint, jsonb) to forst_definer;

-- Whose data the caller may see and delete as a whole: the provider's admins, people within the halves that
-- they administer.
create or replace function rechte.darf_datenschutz(art text, id bigint)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select rechte.is_people_admin()
    and case art
      when 'person' then rechte.may_manage(darf_datenschutz.id)
      when 'kunde' then exists (select from app.kunde k where k.client_id = darf_datenschutz.id)
      else false
    end
$$;

-- Whose admin is needed beside the general right where a customer's data stand in this table; null: either's.
-- A later table of one half (invoices: apus_admin) is named here.
create or replace function rechte.datenschutz_rolle(relation text)
  returns text language sql immutable set search_path = pg_catalog
  return case
    when relation in (
      'app.hq', 'app.hq_flaeche', 'app.kunde_hq', 'app.benutzer_hq', 'app.abo', 'app.gutschein',
      'app.habitatbaeume', 'app.habitatkontrollen', 'app.habitatbilder', 'rechte.habitat_geloescht',
      'rechte.habitat_empfangen', 'app.bestand_import', 'app.bestand', 'app.baumarten'
    ) then 'ogf_admin'
    when relation in (
      'app.kunde_rechnung', 'app.angebot', 'app.rechnung', 'app.position', 'app.dokument',
      'app.dokument_auftrag', 'app.protokoll', 'app.zahlung', 'app.mahnung', 'app.versand',
      'app.annahme_link', 'app.kartenblatt', 'app.karte_intern', 'app.mappoint', 'app.karte_stand',
      'app.karte_datei', 'app.karte_auftrag', 'app.vermessung_import', 'app.draenage', 'app.ausmuendung',
      'app.schacht', 'app.schlucker', 'app.einlauf'
    ) then 'apus_admin'
  end;

-- Refuses whoever may not. A customer is handed out and deleted as a whole: where one half holds something of
-- it that the other half's admins do not read, that half's admin does it.
create or replace function rechte.pruefe_datenschutz(art text, id bigint)
  returns void language plpgsql stable set search_path = pg_catalog as $$
declare wanted text;
begin
  perform rechte.refuse_unless(rechte.darf_datenschutz(pruefe_datenschutz.art, pruefe_datenschutz.id));
  if pruefe_datenschutz.art = 'kunde' then
    select rechte.datenschutz_rolle(z.relation) into wanted
    from rechte.datenschutz_zeilen('kunde', pruefe_datenschutz.id, false) z
    where z.anzahl > 0 and not rechte.has_role(rechte.datenschutz_rolle(z.relation)) limit 1;
    if found then
      raise sqlstate 'PT403'
        using message = 'the customer has data of the other half', hint = 'datenschutz_' || wanted;
    end if;
  end if;
end $$;
revoke execute on function rechte.darf_datenschutz(text, bigint), rechte.datenschutz_rolle(text),
  rechte.pruefe_datenschutz(text, bigint) from public;
grant execute on function rechte.darf_datenschutz(text, bigint), rechte.datenschutz_rolle(text),
  rechte.pruefe_datenschutz(text, bigint) to forst_definer;

-- How the record is called; who deletes it types exactly this.
create or replace function rechte.datenschutz_name(art text, id bigint)
  returns text language sql stable set search_path = pg_catalog as $$
  select case datenschutz_name.art
    when 'person' then (select b.email from app.benutzer b where b.user_id = datenschutz_name.id)
    else (select k.name from app.kunde k where k.client_id = datenschutz_name.id)
  end
$$;
revoke execute on function rechte.datenschutz_name(text, bigint) from public;
grant execute on function rechte.datenschutz_name(text, bigint) to forst_definer;

-- Whose data were deleted already; nothing more can be done with them.
create or replace function rechte.ist_geloescht(person bigint)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select exists (
    select from app.benutzer b
    where b.user_id = person and b.email like 'geloescht-%@geloescht.invalid'
  )
$$;
revoke execute on function rechte.ist_geloescht(bigint) from public;
grant execute on function rechte.ist_geloescht(bigint) to forst_definer;

-- Why something cannot be deleted now; null: it can. A term whose last day is over but which has not been
-- turned yet still runs: it would be renewed for a blocked customer.
create or replace function rechte.loeschhindernis(art text, id bigint)
  returns text language sql stable set search_path = pg_catalog as $$
  select case
    when loeschhindernis.art = 'person' and rechte.ist_geloescht(loeschhindernis.id) then 'schon_geloescht'
    when loeschhindernis.art = 'person' and loeschhindernis.id = rechte.user_id() then 'selbst'
    when loeschhindernis.art = 'kunde'
      and exists (
        select from app.abo a where a.client_id = loeschhindernis.id and a.zustand <> 'beendet'
      )
    then 'abo_laeuft'
    when loeschhindernis.art = 'kunde'
      and exists (
        select from app.kunde k
        where k.client_id = loeschhindernis.id and k.gesperrt_bis >= current_date
      )
    then 'gesperrt'
  end
$$;
revoke execute on function rechte.loeschhindernis(text, bigint) from public;
grant execute on function rechte.loeschhindernis(text, bigint) to forst_definer;

-- Definer: looks into tables that are closed to admins as well. What is held, in numbers, and what a deletion
-- would do to it.
create or replace function app.a_get_datenschutz_vorschau(art text, id bigint)
  returns jsonb language plpgsql stable set search_path = pg_catalog set statement_timeout = '15s' as $$
begin
  perform rechte.pruefe_datenschutz(a_get_datenschutz_vorschau.art, a_get_datenschutz_vorschau.id);
  return jsonb_build_object(
    'name', rechte.datenschutz_name(a_get_datenschutz_vorschau.art, a_get_datenschutz_vorschau.id),
    'hindernis', rechte.loeschhindernis(a_get_datenschutz_vorschau.art, a_get_datenschutz_vorschau.id),
    'aufbewahren_bis', case a_get_datenschutz_vorschau.art
      when 'kunde' then rechte.aufbewahrung_bis(a_get_datenschutz_vorschau.id)
    end,
    'tabellen', (
      select jsonb_agg(jsonb_build_object('tabelle', z.relation, 'anzahl', z.anzahl, 'folge', z.folge))
      from rechte.datenschutz_zeilen(a_get_datenschutz_vorschau.art, a_get_datenschutz_vorschau.id, false) z
    )
  );
end $$;

-- Definer, for the same reason: everything that is held on a person or a customer; written down.
create or replace function rechte.auskunft(art text, id bigint, notiz text)
  returns jsonb language plpgsql set search_path = pg_catalog as $$
declare
  tabellen jsonb;
  umfang jsonb;
begin
  select jsonb_agg(jsonb_build_object('tabelle', z.relation, 'zeilen', z.inhalt)),
    jsonb_object_agg(z.relation, z.anzahl) filter (where z.anzahl > 0) into tabellen, umfang
  from rechte.datenschutz_zeilen(auskunft.art, auskunft.id, true) z;
  perform rechte.datenschutz_notiz(
    auskunft.notiz, case auskunft.art when 'person' then auskunft.id end,
    case auskunft.art when 'kunde' then auskunft.id end, coalesce(umfang, '{}')
  );
  return jsonb_build_object(
    'erstellt', now(), 'art', auskunft.art, 'nummer', auskunft.id,
    'name', rechte.datenschutz_name(auskunft.art, auskunft.id), 'tabellen', tabellen
  );
end $$;
revoke execute on function rechte.auskunft(text, bigint, text) from public;
grant execute on function rechte.auskunft(text, bigint, text) to forst_definer;

create or replace function app.a_get_datenschutz_auskunft(art text, id bigint)
  returns jsonb language plpgsql set search_path = pg_catalog set statement_timeout = '60s' as $$
begin
  perform rechte.pruefe_datenschutz(a_get_datenschutz_auskunft.art, a_get_datenschutz_auskunft.id);
  return rechte.auskunft(a_get_datenschutz_auskunft.art, a_get_datenschutz_auskunft.id, 'auskunft');
end $$;

-- Definer, for the same reason: everybody may ask what is held on themselves, the newly registered too.
create or replace function app.__o_get_meine_daten()
  returns jsonb language plpgsql set search_path = pg_catalog set statement_timeout = '60s' as $$
declare me bigint := rechte.user_id();
begin
  perform rechte.refuse_unless(me is not null);
  return rechte.auskunft('person', me, 'selbstauskunft');
end $$;

-- Values of a history entry that say something of a person become null; keys stay, so that it can still be
-- read that something changed.
create or replace function rechte.ohne_werte(entry jsonb, columns text[])
  returns jsonb language sql immutable set search_path = pg_catalog as $$
  select case
    when entry is null then null
    else (
      select coalesce(jsonb_object_agg(key, case
        when key = any (columns) and value <> 'null' then to_jsonb('gelöscht'::text)
        else value
      end), '{}')
      from jsonb_each(entry)
    )
  end
$$;
revoke execute on function rechte.ohne_werte(jsonb, text[]) from public;
grant execute on function rechte.ohne_werte(jsonb, text[]) to forst_definer;

-- Takes the name of who last changed a record out of it, where the history says that it was this person. No
-- version, no history: nobody changed the record.
create or replace function rechte.namen_austragen(person bigint, name text, statt text)
  returns void language plpgsql set search_path = pg_catalog as $$
declare entry record;
begin
  for entry in
    select * from (
      values ('kunde', 't.client_id::text'), ('hq', 't."idHQ"::text'), ('hq_flaeche', 't.hqid::text'),
        ('kunde_hq', 't.hqid::text'), ('benutzer', 't.user_id::text'), ('abo', 't.id::text'),
        ('abkuerzung', 't.id::text'), ('kartenblatt', 't.id::text'), ('prognose', 't.id::text'),
        ('positionsvorlage', 't.id::text'), ('freitext', 't.id::text')
    ) as v(tabelle, schluessel)
  loop
    execute format(
      'update app.%I t set geaendert_von = $1 where t.geaendert_von = $2 and exists (select from app.verlauf v where v.tabelle = %L and v.schluessel = %s and v.user_id = $3)',
      entry.tabelle, entry.tabelle, entry.schluessel
    ) using statt, name, person;
  end loop;
  -- The books have a chain of their own instead of a history; an issued document keeps what is printed on it.
  for entry in
    select * from (
      values ('rechnung', 't.id'), ('angebot', 't.id'), ('kunde_rechnung', 't.client_id')
    ) as v(tabelle, schluessel)
  loop
    execute format(
      'update app.%I t set geaendert_von = $1 where t.geaendert_von = $2 and exists (select from app.protokoll p where p.gegenstand = %L and p.gegenstand_id = %s and p.user_id = $3)',
      entry.tabelle, entry.tabelle, entry.schluessel
    ) using statt, name, person;
  end loop;
  -- The supplier's row, and the counters, which whoever issued last has moved.
  update app.lieferant l set geaendert_von = statt
  where l.geaendert_von = namen_austragen.name
    and exists (select from app.protokoll p where p.user_id = person);
  update app.nummernkreis n set geaendert_von = statt
  where n.geaendert_von = namen_austragen.name
    and exists (select from app.protokoll p where p.user_id = person);
  for entry in select * from (values ('rechnung'), ('angebot')) as v(tabelle) loop
    execute format(
      'update app.%I t set ausgestellt_von = $1 where t.ausgestellt_von = $2 and exists (select from app.protokoll p where p.gegenstand = %L and p.gegenstand_id = t.id and p.ereignis = ''ausgestellt'' and p.user_id = $3)',
      entry.tabelle, entry.tabelle
    ) using statt, name, person;
  end loop;
  -- Who decided in the application.
  update app.angebot t set entschieden_von = statt
  where t.entschieden_von = namen_austragen.name
    and t.entschieden_als = 'portal'
    and exists (
      select from app.protokoll p
      where p.gegenstand = 'angebot'
        and p.gegenstand_id = t.id
        and p.ereignis in ('angenommen', 'abgelehnt')
        and p.user_id = person
    );
  for entry in
    select * from (
      values ('angelegt_von', 'link_angelegt'), ('zurueckgezogen_von', 'link_zurueckgezogen')
    ) as v(spalte, ereignis)
  loop
    execute format(
      'update app.annahme_link t set %1$I = $1 where t.%1$I = $2 and exists (select from app.protokoll p where p.gegenstand = ''angebot'' and p.gegenstand_id = t.angebot_id and p.ereignis = %2$L and p.user_id = $3)',
      entry.spalte, entry.ereignis
    ) using statt, name, person;
  end loop;
  update app.protokoll p set wer = statt where p.user_id = person;
  update app.karte_stand s set wer = statt where s.user_id = person;
  update app.karte_datei d set wer = statt where d.user_id = person;
  update app.karte_auftrag a set wer = statt where a.user_id = person;
  update app.vermessung_import i set wer = statt where i.user_id = person;
  update app.bestand_import i set wer = statt where i.user_id = person;
  perform rechte.habitat_namen(person, name, statt);
  update app.gutschein g set angelegt_von = statt
  where g.angelegt_von = name
    and exists (
      select from app.verlauf v
      where v.tabelle = 'gutschein' and v.schluessel = g.id::text and v.user_id = person
    );
  update app.gutschein g set eingeloest_von = statt
  where g.eingeloest_von = name
    and exists (
      select from app.verlauf v
      where v.user_id = person
        and (
          (v.tabelle = 'gutschein' and v.schluessel = g.id::text)
          or (v.tabelle = 'abo' and v.hqid = g.eingeloest_hqid)
        )
    );
end $$;
revoke execute on function rechte.namen_austragen(bigint, text, text) from public;
grant execute on function rechte.namen_austragen(bigint, text, text) to forst_definer;

-- Definer: deletes across tables that are closed. What a person was becomes a number; facts of the history
-- stay under it.
create or replace function app.a_delete_person_daten(user_id bigint, bestaetigung text)
  returns void language plpgsql set search_path = pg_catalog set statement_timeout = '60s' as $$
declare
  person app.benutzer;
  name text;
  nobody text;
  statt text;
  umfang jsonb;
  hindernis text;
  personal constant text[] := '{username,email,mail,first_name,last_name,db_role,geb,geschlecht}';
begin
  perform rechte.pruefe_datenschutz('person', a_delete_person_daten.user_id);
  hindernis := rechte.loeschhindernis('person', a_delete_person_daten.user_id);
  if hindernis is not null then
    raise sqlstate 'PT409' using message = 'cannot be deleted', hint = 'datenschutz_' || hindernis;
  end if;
  perform rechte.buch_sperre();
  select b.* into person
  from app.benutzer b
  where b.user_id = a_delete_person_daten.user_id for update;
  if rechte.fold_address(
    btrim(a_delete_person_daten.bestaetigung)
  ) is distinct from rechte.fold_address(person.email) then
    raise check_violation
      using message = 'bestaetigung must be the address', column = 'bestaetigung',
        hint = 'datenschutz_bestaetigung';
  end if;
  select jsonb_object_agg(z.relation, z.anzahl) filter (where z.anzahl > 0) into umfang
  from rechte.datenschutz_zeilen('person', person.user_id, false) z;
  name := coalesce(
    nullif(btrim(coalesce(person.first_name, '') || ' ' || coalesce(person.last_name, '')), ''),
    person.username
  );
  nobody := 'geloescht-' || person.user_id;
  statt := 'gelöschte Person ' || person.user_id;

  delete from idp.artefakt a
  where a.konto_id = (
    select k.konto_id::text
    from idp.konto k
    where rechte.fold_address(k.email) = rechte.fold_address(person.email)
  );
  update idp.ereignis e set email = null
  where e.konto_id = (
      select k.konto_id
      from idp.konto k
      where rechte.fold_address(k.email) = rechte.fold_address(person.email)
    )
    or rechte.fold_address(e.email) = rechte.fold_address(person.email);
  update idp.ereignis e set wer = statt
  where rechte.fold_address(e.wer) = rechte.fold_address(person.email);
  delete from idp.einmal_link l where rechte.fold_address(l.email) = rechte.fold_address(person.email);
  delete from idp.post p where rechte.fold_address(p.empfaenger) = rechte.fold_address(person.email);
  update idp.post p set absender = statt
  where rechte.fold_address(p.absender) = rechte.fold_address(person.email);
  delete from idp.konto k where rechte.fold_address(k.email) = rechte.fold_address(person.email);

  delete from app.benutzer_kunde bk where bk.user_id = person.user_id;
  delete from app.benutzer_hq bh where bh.user_id = person.user_id;
  delete from app.einstellung e where e.user_id = person.user_id;
  delete from app.ansicht a where a.user_id = person.user_id;
  delete from app.meldung m where m.user_id = person.user_id;
  delete from app.import_lauf l where l.user_id = person.user_id;
  delete from app.import_zuordnung z where z.user_id = person.user_id;
  delete from rechte.gutschein_versuch v where v.user_id = person.user_id;
  delete from rechte.kontakt k where k.user_id = person.user_id;
  -- Longer than any token lasts; see rechte.war_geloescht. Who was made anew and is deleted once more has a
  -- digest already.
  delete from rechte.identitaet i
  using rechte.identitaet mine
  where mine.user_id = person.user_id
    and i.iss = 'geloescht'
    and i.sub = rechte.identitaet_digest(mine.iss, mine.sub);
  update rechte.identitaet i set
    iss = 'geloescht', sub = rechte.identitaet_digest(i.iss, i.sub),
    sessions_valid_after = now() + interval '30 days'
  where i.user_id = person.user_id;
  -- A token that was never used is bound to no account and would make a new person: until none can be left,
  -- the address is known by its digest.
  perform rechte.sitzungen_beenden(person.user_id);
  update rechte.sitzungsende e set ehemals = null
  where e.ehemals = rechte.adresse_digest(person.email);
  update rechte.sitzungsende e set ehemals = rechte.adresse_digest(person.email)
  where e.user_id = person.user_id;
  -- The last admin is kept by the trigger of the table.
  update app.benutzer b set
    username = nobody, email = nobody || '@geloescht.invalid', mail = null, first_name = null,
    last_name = null, db_role = null, geb = null, geschlecht = null, system_status = 'ogf_init',
    apus_admin = false, apus_team = false, kataster_enabled = false, app_status = 'gesperrt', enabled = false
  where b.user_id = person.user_id;

  perform rechte.namen_austragen(person.user_id, name, statt);
  update app.verlauf v set alt = rechte.ohne_werte(v.alt, personal), neu = rechte.ohne_werte(v.neu, personal)
  where v.person_id = person.user_id and v.tabelle = 'benutzer';
  update app.verlauf v set wer = statt where v.user_id = person.user_id;
  -- Vouchers keep names within their history.
  update app.verlauf v set
    alt = rechte.ohne_werte(v.alt, '{angelegt_von,eingeloest_von}'),
    neu = rechte.ohne_werte(v.neu, '{angelegt_von,eingeloest_von}')
  where v.tabelle = 'gutschein'
    and name in (
      v.alt ->> 'angelegt_von', v.alt ->> 'eingeloest_von', v.neu ->> 'angelegt_von',
      v.neu ->> 'eingeloest_von'
    );
  update app.datenschutz_vorgang d set wer = statt where d.user_id = person.user_id;
  perform rechte.datenschutz_notiz('loeschung', person.user_id, null, coalesce(umfang, '{}'));
end $$;

-- Everything of a customer but the record that it was there. For the procedure below, and for the day on
-- which a blocked customer's time has passed.
create or replace function rechte.kunde_entfernen(client_id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare
  -- Of these tables everything that is held on a customer is the customer's.
  personal constant text[] := '{name,name_zusatz,strasse,plz,ort,bundesland,ap_gender,ap_vorname,ap_nachname,ap_tel,ordner,sHQ,dcFLAEHB,geom,kawm_area}';
begin
  update app.gutschein g set eingeloest_von = null
  where exists (
    select from app.hq h
    where h."idHQ" = g.eingeloest_hqid and h.client_id = kunde_entfernen.client_id
  );
  delete from app.meldung m where m.client_id = kunde_entfernen.client_id;
  -- Issued ones go only when their own time has passed (rechte.check_fest); the chain says so, or it would
  -- miss them.
  perform rechte.protokolliere(
    'rechnung', r.id, r.client_id, 'aufbewahrung_abgelaufen', jsonb_build_object('nummer', r.nummer)
  )
  from app.rechnung r
  where r.client_id = kunde_entfernen.client_id and r.zustand = 'ausgestellt'
  order by r.id;
  perform rechte.protokolliere(
    'angebot', o.id, o.client_id, 'aufbewahrung_abgelaufen', jsonb_build_object('nummer', o.nummer)
  )
  from app.angebot o
  where o.client_id = kunde_entfernen.client_id and o.status <> 'entwurf'
  order by o.id;
  delete from app.rechnung r where r.client_id = kunde_entfernen.client_id;
  delete from app.angebot o where o.client_id = kunde_entfernen.client_id;
  delete from app.kunde_rechnung kr where kr.client_id = kunde_entfernen.client_id;
  perform rechte.vermessung_entfernen(kunde_entfernen.client_id);
  perform rechte.bestand_entfernen(kunde_entfernen.client_id);
  perform rechte.habitat_entfernen(kunde_entfernen.client_id);
  delete from app.kartenblatt k where k.client_id = kunde_entfernen.client_id;
  delete from app.abo a where a.client_id = kunde_entfernen.client_id;
  delete from app.benutzer_kunde bk where bk.client_id = kunde_entfernen.client_id;
  delete from app.hq h where h.client_id = kunde_entfernen.client_id;
  delete from app.kunde k where k.client_id = kunde_entfernen.client_id;
  update app.verlauf v set alt = rechte.ohne_werte(v.alt, personal), neu = rechte.ohne_werte(v.neu, personal)
  where v.client_id = kunde_entfernen.client_id;
end $$;
revoke execute on function rechte.kunde_entfernen(bigint) from public;
grant execute on function rechte.kunde_entfernen(bigint) to forst_definer;

-- Definer, for the same reason. A customer without contracts goes altogether; one whose contracts must be
-- kept is blocked: name, address and contracts stay until that day, contact person, people's links, notices
-- and areas go at once.
create or replace function app.a_delete_kunde_daten(client_id bigint, bestaetigung text)
  returns jsonb language plpgsql set search_path = pg_catalog set statement_timeout = '60s' as $$
declare
  customer app.kunde;
  umfang jsonb;
  hindernis text;
  bis date;
begin
  perform rechte.pruefe_datenschutz('kunde', a_delete_kunde_daten.client_id);
  -- The books first, as everybody who writes in them.
  perform rechte.buch_sperre();
  select k.* into customer
  from app.kunde k
  where k.client_id = a_delete_kunde_daten.client_id for update;
  -- Once more now that nothing can be added.
  perform rechte.pruefe_datenschutz('kunde', a_delete_kunde_daten.client_id);
  hindernis := rechte.loeschhindernis('kunde', customer.client_id);
  if hindernis is not null then
    raise sqlstate 'PT409' using message = 'cannot be deleted', hint = 'datenschutz_' || hindernis;
  end if;
  if btrim(a_delete_kunde_daten.bestaetigung) is distinct from customer.name then
    raise check_violation
      using message = 'bestaetigung must be the name', column = 'bestaetigung',
        hint = 'datenschutz_bestaetigung';
  end if;
  select jsonb_object_agg(z.relation, z.anzahl) filter (where z.anzahl > 0) into umfang
  from rechte.datenschutz_zeilen('kunde', customer.client_id, false) z;
  bis := rechte.aufbewahrung_bis(customer.client_id);
  if bis is null then
    perform rechte.kunde_entfernen(customer.client_id);
  else
    delete from app.meldung m where m.client_id = customer.client_id;
    delete from app.rechnung r where r.client_id = customer.client_id and r.zustand = 'entwurf';
    update app.angebot o set status = case when o.entschieden_am is null then 'versendet' else 'abgelehnt' end
    where o.client_id = customer.client_id
      and o.status = 'ersetzt'
      and exists (select from app.angebot n where n.ersetzt = o.id and n.status = 'entwurf');
    delete from app.angebot o where o.client_id = customer.client_id and o.status = 'entwurf';
    delete from app.benutzer_kunde bk where bk.client_id = customer.client_id;
    delete from app.benutzer_hq bh where bh.client_id = customer.client_id;
    perform rechte.vermessung_entfernen(customer.client_id);
    perform rechte.bestand_entfernen(customer.client_id);
    perform rechte.habitat_entfernen(customer.client_id);
    delete from app.kartenblatt k where k.client_id = customer.client_id;
    delete from app.hq_flaeche f where f.client_id = customer.client_id;
    delete from app.hq h
    where h.client_id = customer.client_id and not exists (select from app.abo a where a.hqid = h."idHQ");
    update app.hq h set fb_enabled = false
    where h.client_id = customer.client_id and h.fb_enabled;
    update app.kunde k set
      gesperrt_bis = bis, ap_gender = null, ap_vorname = null, ap_nachname = null, ap_tel = null,
      ordner = null, kataster_status = false
    where k.client_id = customer.client_id;
    update app.verlauf v set
      alt = rechte.ohne_werte(v.alt, '{ap_gender,ap_vorname,ap_nachname,ap_tel,ordner,geom}'),
      neu = rechte.ohne_werte(v.neu, '{ap_gender,ap_vorname,ap_nachname,ap_tel,ordner,geom}')
    where v.client_id = customer.client_id;
  end if;
  perform rechte.datenschutz_notiz(
    case when bis is null then 'loeschung' else 'sperrung' end, null, customer.client_id,
    coalesce(umfang, '{}')
  );
  return jsonb_build_object('gesperrt_bis', bis);
end $$;

-- Definer, for operations: the customers whose time of keeping has passed, and what is left of the identities
-- of deleted people. Answers how many customers went.
create or replace function rechte.gesperrte_entfernen(heute date)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  gone bigint;
  number integer := 0;
begin
  delete from rechte.identitaet i where i.iss = 'geloescht' and i.sessions_valid_after < heute;
  -- Tokens last an hour at most with the embedded provider; another's are not known to last longer than a
  -- day.
  update rechte.sitzungsende e set ehemals = null
  where e.ehemals is not null and e.ab < heute - 1;
  perform rechte.buch_sperre();
  -- A Storno that was issued after the block is kept for its own time.
  for gone in
    select k.client_id
    from app.kunde k
    where k.gesperrt_bis < heute
      and not exists (
        select from app.rechnung r
        where r.client_id = k.client_id
          and r.zustand = 'ausgestellt'
          and rechte.aufbewahren('rechnung', r.rn_datum) >= rechte.heute()
      )
    order by 1
  loop
    perform rechte.kunde_entfernen(gone);
    insert into app.datenschutz_vorgang (art, wer, client_id) values ('loeschung', 'System', gone);
    number := number + 1;
  end loop;
  return number;
end $$;
select rechte.define('rechte.gesperrte_entfernen(date)');
grant execute on function rechte.gesperrte_entfernen(date) to forst_betrieb;

do $$
declare entry regprocedure;
begin
  foreach entry in array array[
    'app.a_get_datenschutz_vorschau(text, bigint)', 'app.a_get_datenschutz_auskunft(text, bigint)',
    'app.__o_get_meine_daten()', 'app.a_delete_person_daten(bigint, text)',
    'app.a_delete_kunde_daten(bigint, text)'
  ]::regprocedure[] loop
    perform rechte.define(entry);
    execute format('grant execute on function %s to nutzer', entry);
  end loop;
end $$;
