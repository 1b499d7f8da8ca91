-- Data protection: disclosure of everything held on a person or customer; deletion, or blocking of what the
-- law requires to be kept; and a record of both. privacy.tables is the catalogue.
-- domain/privacy.ts lists every column of every table; a test compares both with the database.

select rights.protect('app.datenschutz_vorgang');
grant select, insert, update (wer) on app.datenschutz_vorgang to forst_definer;
grant select on app.datenschutz_vorgang to nutzer;
create policy admins on app.datenschutz_vorgang for select to nutzer
  using ((select rights.has_any('ogf_admin', 'apus_admin')));

-- Only admins see a blocked customer; nobody changes one.
create policy blocked on app.kunde as restrictive for select to nutzer
  using (gesperrt_bis is null or (select rights.has_any('ogf_admin', 'apus_admin')));
create policy blocked_stays on app.kunde as restrictive for update to nutzer using (gesperrt_bis is null);

-- Definer: also checks for callers who may not see the customer. Nothing can be added to a blocked customer,
-- neither headquarters nor people, and what is kept does not change; operations and the functions below may
-- still tidy up. The BEFORE trigger locks the customer, so that a simultaneous block waits or is waited for
-- (not all of these tables have a foreign key to the customer). The AFTER trigger refuses, so only callers
-- whose row passed the policies learn of the block.
create or replace function privacy.refuse_blocked()
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
select rights.define('privacy.refuse_blocked()');
do $$
declare relation regclass;
begin
  foreach relation in array array[
    'app.hq', 'app.hq_flaeche', 'app.benutzer_kunde', 'app.benutzer_hq', 'app.abo', 'app.kunde_rechnung',
    'app.sepa_mandat', 'app.serie', 'app.angebot', 'app.habitatbaeume', 'app.notiz'
  ]::regclass[] loop
    execute format(
      'create or replace trigger a_blocked before insert on %s for each row
        when (current_user <> ''forst_betrieb'') execute function privacy.refuse_blocked()',
      relation
    );
    execute format(
      'create or replace trigger x_blocked after insert on %s for each row
        when (current_user <> ''forst_betrieb'') execute function privacy.refuse_blocked()',
      relation
    );
  end loop;
  -- What an import adds is not checked object by object.
  foreach relation in array array[
    'app.draenage', 'app.ausmuendung', 'app.schacht', 'app.schlucker', 'app.einlauf'
  ]::regclass[] loop
    execute format(
      'create or replace trigger x_blocked after insert or update on %s for each row
        when (current_user in (''nutzer'', ''programm'')) execute function privacy.refuse_blocked()',
      relation
    );
  end loop;
  -- Issued invoices can still be cancelled or corrected: both put the books right.
  create or replace trigger x_blocked after insert on app.rechnung
    for each row when (current_user <> 'forst_betrieb' and new.art not in ('storno', 'korrektur'))
    execute function privacy.refuse_blocked();
  foreach relation in array array['app.hq', 'app.kunde_hq']::regclass[] loop
    execute format(
      'create or replace trigger x_blocked_stays after update on %s for each row
        when (current_user in (''nutzer'', ''programm'')) execute function privacy.refuse_blocked()',
      relation
    );
  end loop;
end $$;

-- Definer: as above. Deleted data of a person cannot return: no name, right or link may be written to the
-- number that is left.
create or replace function privacy.refuse_deleted()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if privacy.is_deleted(new.user_id) then
    raise sqlstate 'PT409' using message = 'the person was deleted', hint = 'person_geloescht';
  end if;
  return null;
end $$;
select rights.define('privacy.refuse_deleted()');
create or replace trigger x_deleted
  after update of username, email, mail, first_name, last_name, db_role, geb, geschlecht, system_status,
    apus_admin, apus_team, kataster_enabled, app_status, enabled on app.benutzer
  for each row when (old.email like 'geloescht-%@geloescht.invalid' and current_user <> 'forst_betrieb')
  execute function privacy.refuse_deleted();
do $$
declare relation regclass;
begin
  foreach relation in array array['app.benutzer_kunde', 'app.benutzer_hq']::regclass[] loop
    execute format(
      'create or replace trigger x_deleted after insert or update on %s for each row
        when (current_user <> ''forst_betrieb'') execute function privacy.refuse_deleted()',
      relation
    );
  end loop;
end $$;

-- Grants for the functions below. In the identity provider's tables they may read no password, no
-- second-factor secret and no token.
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
  app.import_zuordnung, abo.gutschein_versuch to forst_definer;
grant select on notices.meldung_post, app.gutschein, app.abkuerzung to forst_definer;
grant select, update (wer, alt, neu) on app.verlauf to forst_definer;
grant select, delete,
  update (gesperrt_bis, ordner, kataster_status, version, geaendert_am, geaendert_von) on app.kunde
  to forst_definer;
do $$
begin
  execute (
    select format('grant update (%s) on app.kunde to forst_definer', string_agg(f.feld, ', '))
    from rights.kunde_fields() f
    where f.person
  );
end $$;
grant select, delete, update (fb_enabled, version, geaendert_am, geaendert_von) on app.hq to forst_definer;
grant delete, update (version, geaendert_am, geaendert_von) on app.kunde_hq, app.hq_flaeche to forst_definer;
grant delete, update (version, geaendert_am, geaendert_von) on app.abo to forst_definer;
grant update (version, geaendert_am, geaendert_von) on app.abkuerzung to forst_definer;
grant select, update (version, geaendert_am, geaendert_von) on app.prognose, app.positionsvorlage,
  app.freitext to forst_definer;
grant update (angelegt_von, eingeloest_von, eingeloest_hqid) on app.gutschein to forst_definer;

-- The catalogue. `person` and `kunde`: condition for rows held on a person ($1 number, $2 sign-in address) or
-- on a customer ($1 number). `ohne`: columns left out of a disclosure (secrets and derived columns).
-- `folge_…`: what a deletion does to the rows: geloescht, anonymisiert or bleibt.
create or replace function privacy.tables()
  returns table (relation text, person text, kunde text, ohne text[], folge_person text, folge_kunde text)
  language sql immutable set search_path = pg_catalog as $$
  values ('app.benutzer', 't.user_id = $1', null, '{suchtext,sortname}'::text[], 'anonymisiert', null),
    ('app.benutzer_kunde', 't.user_id = $1', 't.client_id = $1', '{}', 'geloescht', 'geloescht'),
    ('app.benutzer_hq', 't.user_id = $1', 't.client_id = $1', '{}', 'geloescht', 'geloescht'),
    ('app.einstellung', 't.user_id = $1', null, '{}', 'geloescht', null),
    ('app.ansicht', 't.user_id = $1', null, '{}', 'geloescht', null),
    ('app.meldung', 't.user_id = $1', 't.client_id = $1', '{}', 'geloescht', 'geloescht'),
    (
      'notices.meldung_post',
      'exists (select from app.meldung m where m.id = t.meldung_id and m.user_id = $1)',
      'exists (select from app.meldung m where m.id = t.meldung_id and m.client_id = $1)', '{}', 'geloescht',
      'geloescht'
    ),
    ('app.import_lauf', 't.user_id = $1', null, '{}', 'geloescht', null),
    ('app.import_zeile', 't.user_id = $1', null, '{}', 'geloescht', null),
    ('app.import_zuordnung', 't.user_id = $1', null, '{}', 'geloescht', null),
    ('accounts.identitaet', 't.user_id = $1', null, '{}', 'anonymisiert', null),
    ('accounts.sitzungsende', 't.user_id = $1', null, '{}', 'anonymisiert', null),
    ('accounts.kontakt', 't.user_id = $1', null, '{code_digest}', 'geloescht', null),
    ('abo.gutschein_versuch', 't.user_id = $1', null, '{}', 'geloescht', null),
    ('accounts.kept_answer', 't.user_id = $1', null, '{headers,body}', 'geloescht', null),
    ('accounts.kept_import', 't.user_id = $1', null, '{answer}', 'geloescht', null),
    ('accounts.zugang', 't.user_id = $1', null, '{digest}', 'geloescht', null),
    ('app.ereignis', null, 't.client_id = $1', '{}', null, 'geloescht'),
    (
      'dispatch.webhook', 't.user_id = $1', 't.client_id = $1', '{url,geheimnis,geheimnis_alt}',
      'anonymisiert', 'geloescht'
    ),
    ('dispatch.zustellung', null, 't.client_id = $1', '{}', null, 'geloescht'),
    (
      'idp.konto', 'accounts.fold_address(t.email) = $2', null, '{pw_hash,totp_secret,totp_last_step}',
      'geloescht', null
    ),
    (
      'idp.wiederherstellung',
      't.konto_id = (select k.konto_id from idp.konto k where accounts.fold_address(k.email) = $2)', null,
      '{code_hash}', 'geloescht', null
    ),
    (
      'idp.einmal_link',
      't.konto_id = (select k.konto_id from idp.konto k
        where accounts.fold_address(k.email) = $2) or accounts.fold_address(t.email) = $2',
      null, '{link_hash}', 'geloescht', null
    ),
    -- Mails that the person sent belong to their recipients.
    ('idp.post', 'accounts.fold_address(t.empfaenger) = $2', null, '{link_hash,siegel}', 'geloescht', null),
    (
      'idp.artefakt',
      't.konto_id = (select k.konto_id::text from idp.konto k where accounts.fold_address(k.email) = $2)',
      null, '{id_hash,payload,grant_hash,uid_hash,consumed_at}', 'geloescht', null
    ),
    (
      'idp.anmeldevorgang',
      't.konto_id = (select k.konto_id from idp.konto k where accounts.fold_address(k.email) = $2)', null,
      '{vorgang_hash,amr,totp_neu}', 'geloescht', null
    ),
    (
      'idp.ereignis',
      't.konto_id = (select k.konto_id from idp.konto k
        where accounts.fold_address(k.email) = $2) or accounts.fold_address(t.email) = $2
        or accounts.fold_address(t.wer) = $2',
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
    ('forest.habitat_empfangen', null, 't.client_id = $1', '{digest}', null, 'geloescht'),
    ('forest.habitat_geloescht', null, 't.client_id = $1', '{}', null, 'geloescht'),
    -- Issued documents are kept: as long as privacy.kept_until requires it, the customer is blocked instead.
    ('app.rechnung', null, 't.client_id = $1', '{suchtext}', null, 'geloescht'),
    ('app.angebot', null, 't.client_id = $1', '{suchtext}', null, 'geloescht'),
    ('app.position', null, 't.client_id = $1', '{}', null, 'geloescht'),
    ('app.anlage', null, 't.client_id = $1', '{inhalt}', null, 'geloescht'),
    ('app.serie', null, 't.client_id = $1', '{}', null, 'geloescht'),
    ('app.serie_lauf', null, 't.client_id = $1', '{}', null, 'geloescht'),
    ('app.dokument', null, 't.client_id = $1', '{inhalt}', null, 'geloescht'),
    ('app.dokument_auftrag', null, 't.client_id = $1', '{}', null, 'geloescht'),
    ('app.zahlung', null, 't.client_id = $1', '{}', null, 'geloescht'),
    ('app.mahnung', null, 't.client_id = $1', '{}', null, 'geloescht'),
    ('app.sepa_mandat', null, 't.client_id = $1', '{}', null, 'geloescht'),
    ('app.sepa_posten', null, 't.client_id = $1', '{}', null, 'geloescht'),
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
    ('app.notiz', 't.user_id = $1', 't.client_id = $1', '{}', 'anonymisiert', 'geloescht'),
    (
      'app.notiz_datei', 'exists (select from app.notiz n where n.id = t.notiz_id and n.user_id = $1)',
      't.client_id = $1', '{upload}', 'bleibt', 'geloescht'
    ),
    ('app.notiz_erwaehnt', 't.user_id = $1', 't.client_id = $1', '{}', 'anonymisiert', 'geloescht'),
    ('maps.vermessung_empfangen', null, 't.client_id = $1', '{digest}', null, 'geloescht'),
    ('maps.vermessung_geloescht', null, 't.client_id = $1', '{}', null, 'geloescht'),
    ('app.draenage', null, 't.client_id = $1', '{g3857,herkunft}', null, 'geloescht'),
    ('app.vermessungsbilder', null, 't.client_id = $1', '{}', null, 'geloescht'),
    ('app.ausmuendung', null, 't.client_id = $1', '{g3857,herkunft}', null, 'geloescht'),
    ('app.schacht', null, 't.client_id = $1', '{g3857,herkunft}', null, 'geloescht'),
    ('app.schlucker', null, 't.client_id = $1', '{g3857,herkunft}', null, 'geloescht'),
    ('app.einlauf', null, 't.client_id = $1', '{g3857,herkunft}', null, 'geloescht'),
    ('app.bestand_import', 't.user_id = $1', 't.client_id = $1', '{}', 'anonymisiert', 'geloescht'),
    ('app.bestand', null, 't.client_id = $1', '{g3857,sortadresse}', null, 'geloescht'),
    ('app.baumarten', null, 't.client_id = $1', '{}', null, 'geloescht'),
    (
      'app.grenzvorschlag', 't.user_id = $1 or t.entschieden_user_id = $1', 't.client_id = $1',
      '{spur,digest}', 'anonymisiert', 'geloescht'
    ),
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
grant execute on function privacy.tables() to forst_definer;

-- Until when a customer's documents must be kept; null if not at all. Counted from the end of a year:
-- contracts 8 years from the end of the last term, because they are booked (§ 147 AO); issued invoices 8 and
-- sent offers 6 years from their date. Drafts need not be kept.
create or replace function privacy.kept_until(client_id bigint)
  returns date language sql stable set search_path = pg_catalog as $$
  select max(bis)
  from (
    select make_date(extract(year from a.ende)::integer + 8, 12, 31) as bis
    from app.abo a
    where a.client_id = kept_until.client_id
    union all
    select books.kept_until('rechnung', greatest(r.rn_datum, books.last_entry(r.id)))
    from app.rechnung r
    where r.client_id = kept_until.client_id and r.zustand = 'ausgestellt'
    union all
    select books.kept_until('angebot', o.an_datum)
    from app.angebot o
    where o.client_id = kept_until.client_id and o.status <> 'entwurf'
  ) kept
  having max(bis) >= checks.today()
$$;
grant execute on function privacy.kept_until(bigint) to forst_definer;

-- Columns of rows that a person wrote but that belong to a record of somebody else. A person's copy names the
-- record and the day without them: it would show what the person, or the admin who makes the copy, may not
-- read (Art. 15 (4) GDPR). A test asks for a decision on every column.
create or replace function privacy.content_of(relation text)
  returns text[] language sql immutable set search_path = pg_catalog
  return case relation
    when 'app.import_lauf' then '{bericht}'
    when 'app.import_zeile' then '{werte}'
    when 'app.karte_stand' then '{epsg,georef_typ,res,georef_label,punkte}'
    when 'app.karte_datei' then
      '{name,mime,groesse,sha256,bild_sha256,kacheln_sha256,breite,hoehe,dpi,epsg,umriss,georef_typ,grau_von,
        grau_bis,beschaedigt}'
    when 'app.karte_auftrag' then '{stand,fortschritt,fehler,einzelheit,werte}'
    when 'app.vermessung_import' then '{dateiname,format,groesse,sha256,modus,stand,werte,bericht}'
    when 'app.bestand_import' then '{dateiname,format,groesse,sha256,stand,werte,bericht}'
    when 'app.grenzvorschlag' then
      '{sLVL01,sLVL02,sLVL03,sLVL04,sLVL05,iSTAND,fassung,geom,flaeche_ha,spur,punkte,genauigkeit_m,
        genauigkeit_max_m,toleranz_m,bemerkung,stand,vorher,vorher_ha,danach,danach_ha,begruendung}'
    when 'app.notiz' then '{text,fuer_kunde}'
    when 'app.notiz_datei' then '{name,mime,groesse,sha256}'
    -- The hash covers the content, so short contents could be guessed by it.
    when 'app.protokoll' then '{client_id,inhalt,vorher,hash}'
    when 'dispatch.webhook' then
      '{name,arten,client_id,zeichen,alt_bis,pause,pause_am,stand,fehler_folge,naechster,vergeben_bis}'
    else '{}'
  end::text[];
grant execute on function privacy.content_of(text) to forst_definer;

-- When a person's copy shows a column of which some rows are about others; null: always.
create or replace function privacy.shown_when(relation text, spalte text)
  returns text language sql immutable set search_path = pg_catalog
  return case relation || '.' || spalte
    when 'app.verlauf.alt' then 't.person_id = $1'
    when 'app.verlauf.neu' then 't.person_id = $1'
    when 'app.datenschutz_vorgang.umfang' then 't.person_id = $1'
    when 'app.meldung.params' then 't.client_id is null'
    when 'app.grenzvorschlag.user_id' then 't.user_id = $1'
    when 'app.grenzvorschlag.wer' then 't.user_id = $1'
    when 'app.grenzvorschlag.entschieden_user_id' then 't.entschieden_user_id = $1'
    when 'app.grenzvorschlag.entschieden_von' then 't.entschieden_user_id = $1'
    when 'idp.ereignis.email' then 'accounts.fold_address(t.email) = $2'
  end;
grant execute on function privacy.shown_when(text, text) to forst_definer;

-- All rows held on a person or customer, table by table, as JSON; `with_rows` false returns only counts.
create or replace function privacy.rows_of(art text, id bigint, with_rows boolean)
  returns table (relation text, anzahl bigint, folge text, inhalt jsonb)
  language plpgsql stable set search_path = pg_catalog as $$
declare
  entry record;
  columns text;
  address text;
begin
  if art = 'person' then
    select accounts.fold_address(b.email) into address
    from app.benutzer b
    where b.user_id = id;
  end if;
  for entry in
    select t.relation, case art when 'person' then t.person else t.kunde end as wanted, t.ohne,
      case art when 'person' then t.folge_person else t.folge_kunde end as folge
    from privacy.tables() t
  loop
    continue when entry.wanted is null;
    select string_agg(
      case
        when art = 'person' and privacy.shown_when(entry.relation, a.attname) is not null then format(
          'case when %s then t.%2$I end as %2$I', privacy.shown_when(entry.relation, a.attname), a.attname
        )
        else format('t.%I', a.attname)
      end,
      ', ' order by a.attnum
    ) into columns
    from pg_attribute a
    where a.attrelid = entry.relation::regclass
      and a.attnum > 0
      and not a.attisdropped
      and a.attname <> all (entry.ohne)
      and (art <> 'person' or a.attname <> all (privacy.content_of(entry.relation)));
    relation := entry.relation;
    folge := entry.folge;
    execute format(
      'select count(*), %s from (select %s from %s t where %s) x',
      case when with_rows then $j$coalesce(jsonb_agg(to_jsonb(x)), '[]')$j$ else 'null::jsonb' end, columns,
      entry.relation, entry.wanted
    ) into anzahl, inhalt using id, address;
    return next;
  end loop;
end $$;
grant execute on function privacy.rows_of(text, bigint, boolean) to forst_definer;

-- Records what was done, by whom: number and name.
create or replace function privacy.record_note(art text, person_id bigint, client_id bigint, umfang jsonb)
  returns void language sql set search_path = pg_catalog as $$
  insert into app.datenschutz_vorgang (art, wer, user_id, person_id, client_id, umfang)
  select record_note.art, me.name, me.user_id, record_note.person_id, record_note.client_id,
    record_note.umfang
  from rights.caller() me
$$;
grant execute on function privacy.record_note(text, bigint, bigint, jsonb) to forst_definer;

-- Whose data the caller may see and delete as a whole: only the provider's admins, and people only within the
-- halves they administer.
create or replace function privacy.may(art text, id bigint)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select rights.is_people_admin()
    and case art
      when 'person' then rights.may_manage(may.id)
      when 'kunde' then exists (select from app.kunde k where k.client_id = may.id)
      else false
    end
$$;
grant execute on function privacy.may(text, bigint) to forst_definer;

-- Which half's admin is needed, besides the general right, if this table holds rows of the customer; null:
-- either. A new table that belongs to one half must be listed here.
create or replace function privacy.role_of(relation text)
  returns text language sql immutable set search_path = pg_catalog
  return case
    when relation in (
      'app.hq', 'app.hq_flaeche', 'app.kunde_hq', 'app.benutzer_hq', 'app.abo', 'app.gutschein',
      'app.habitatbaeume', 'app.habitatkontrollen', 'app.habitatbilder', 'forest.habitat_geloescht',
      'forest.habitat_empfangen', 'app.bestand_import', 'app.bestand', 'app.baumarten', 'app.grenzvorschlag'
    ) then 'ogf_admin'
    when relation in (
      'app.kunde_rechnung', 'app.angebot', 'app.rechnung', 'app.position', 'app.anlage', 'app.serie',
      'app.serie_lauf', 'app.dokument', 'app.dokument_auftrag', 'app.protokoll', 'app.zahlung', 'app.mahnung',
      'app.versand', 'app.sepa_mandat', 'app.sepa_posten', 'app.annahme_link', 'app.kartenblatt',
      'app.karte_intern', 'app.mappoint', 'app.karte_stand', 'app.karte_datei', 'app.karte_auftrag',
      'app.vermessung_import', 'app.draenage', 'app.ausmuendung', 'app.schacht', 'app.schlucker',
      'app.einlauf', 'app.vermessungsbilder', 'maps.vermessung_empfangen', 'maps.vermessung_geloescht'
    ) then 'apus_admin'
  end;
grant execute on function privacy.role_of(text) to forst_definer;

-- Refuses callers without the right. A customer's data are disclosed and deleted as a whole: if one half
-- holds something the other half's admins may not read, that half's admin has to do it.
create or replace function privacy.check_may(art text, id bigint)
  returns void language plpgsql stable set search_path = pg_catalog as $$
declare wanted text;
begin
  perform rights.refuse_keys();
  perform rights.refuse_unless(privacy.may(check_may.art, check_may.id));
  if check_may.art = 'kunde' then
    select h.role into wanted
    from (
      select privacy.role_of(z.relation) as role
      from privacy.rows_of('kunde', check_may.id, false) z
      where z.anzahl > 0
      union all
      -- The history of rows that are gone, and what tells others of them.
      select case
        when v.tabelle <> 'notiz' then privacy.role_of('app.' || v.tabelle)
        when v.art = 'hq' then 'ogf_admin'
        when v.art <> 'kunde' then 'apus_admin'
      end
      from (
        select distinct x.tabelle,
          case when x.tabelle = 'notiz' then split_part(x.schluessel, '/', 1) end as art
        from app.verlauf x
        where x.client_id = check_may.id
      ) v
      union all
      select case x.haelfte when 'forst' then 'ogf_admin' else 'apus_admin' end
      from dispatch.webhook x
      where x.client_id = check_may.id
    ) h
    where not rights.has_role(h.role) limit 1;
    if found then
      raise sqlstate 'PT403'
        using message = 'the customer has data of the other half', hint = 'datenschutz_' || wanted;
    end if;
  end if;
end $$;
grant execute on function privacy.check_may(text, bigint) to forst_definer;

-- The name of the record, which must be typed to confirm a deletion.
create or replace function privacy.name_of(art text, id bigint)
  returns text language sql stable set search_path = pg_catalog as $$
  select case name_of.art
    when 'person' then (select b.email from app.benutzer b where b.user_id = name_of.id)
    else (select k.name from app.kunde k where k.client_id = name_of.id)
  end
$$;
grant execute on function privacy.name_of(text, bigint) to forst_definer;

-- Whether a person's data have been deleted; nothing more can be done with them.
create or replace function privacy.is_deleted(person bigint)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select exists (
    select from app.benutzer b
    where b.user_id = person and b.email like 'geloescht-%@geloescht.invalid'
  )
$$;
grant execute on function privacy.is_deleted(bigint) to forst_definer;

-- Why something cannot be deleted now; null if it can. A term past its last day that is not yet ended or
-- renewed still counts as running: it would be renewed for a blocked customer.
create or replace function privacy.obstacle_of(art text, id bigint)
  returns text language sql stable set search_path = pg_catalog as $$
  select case
    when obstacle_of.art = 'person' and privacy.is_deleted(obstacle_of.id) then 'schon_geloescht'
    when obstacle_of.art = 'person' and obstacle_of.id = rights.user_id() then 'selbst'
    when obstacle_of.art = 'kunde'
      and exists (select from app.abo a where a.client_id = obstacle_of.id and a.zustand <> 'beendet')
    then 'abo_laeuft'
    when obstacle_of.art = 'kunde'
      and exists (
        select from app.kunde k
        where k.client_id = obstacle_of.id and k.gesperrt_bis >= checks.today()
      )
    then 'gesperrt'
  end
$$;
grant execute on function privacy.obstacle_of(text, bigint) to forst_definer;

-- Definer: reads tables that are closed even to admins. Row counts of what is held, and what a deletion would
-- do to it.
create or replace function app.a_get_datenschutz_vorschau(art text, id bigint)
  returns jsonb language plpgsql stable set search_path = pg_catalog set statement_timeout = '15s' as $$
begin
  perform privacy.check_may(a_get_datenschutz_vorschau.art, a_get_datenschutz_vorschau.id);
  return jsonb_build_object(
    'name', privacy.name_of(a_get_datenschutz_vorschau.art, a_get_datenschutz_vorschau.id),
    'hindernis', privacy.obstacle_of(a_get_datenschutz_vorschau.art, a_get_datenschutz_vorschau.id),
    'aufbewahren_bis', case a_get_datenschutz_vorschau.art
      when 'kunde' then privacy.kept_until(a_get_datenschutz_vorschau.id)
    end,
    'tabellen', (
      select jsonb_agg(jsonb_build_object('tabelle', z.relation, 'anzahl', z.anzahl, 'folge', z.folge))
      from privacy.rows_of(a_get_datenschutz_vorschau.art, a_get_datenschutz_vorschau.id, false) z
    )
  );
end $$;
select rights.define('app.a_get_datenschutz_vorschau(text, bigint)');
grant execute on function app.a_get_datenschutz_vorschau(text, bigint) to nutzer;

-- Everything held on a person or customer; records the disclosure under `note`. Called by the definer
-- functions below, because tables are read that are closed even to admins.
create or replace function privacy.disclosure(art text, id bigint, note text)
  returns jsonb language plpgsql set search_path = pg_catalog as $$
declare
  tables jsonb;
  extent jsonb;
begin
  select jsonb_agg(jsonb_build_object('tabelle', z.relation, 'zeilen', z.inhalt)),
    jsonb_object_agg(z.relation, z.anzahl) filter (where z.anzahl > 0) into tables, extent
  from privacy.rows_of(disclosure.art, disclosure.id, true) z;
  perform privacy.record_note(
    disclosure.note, case disclosure.art when 'person' then disclosure.id end,
    case disclosure.art when 'kunde' then disclosure.id end, coalesce(extent, '{}')
  );
  return jsonb_build_object(
    'erstellt', now(), 'art', disclosure.art, 'nummer', disclosure.id,
    'name', privacy.name_of(disclosure.art, disclosure.id), 'tabellen', tables
  );
end $$;
grant execute on function privacy.disclosure(text, bigint, text) to forst_definer;

-- Definer: as above.
create or replace function app.a_get_datenschutz_auskunft(art text, id bigint)
  returns jsonb language plpgsql set search_path = pg_catalog set statement_timeout = '60s' as $$
begin
  perform privacy.check_may(a_get_datenschutz_auskunft.art, a_get_datenschutz_auskunft.id);
  return privacy.disclosure(a_get_datenschutz_auskunft.art, a_get_datenschutz_auskunft.id, 'auskunft');
end $$;
select rights.define('app.a_get_datenschutz_auskunft(text, bigint)');
grant execute on function app.a_get_datenschutz_auskunft(text, bigint) to nutzer;

-- Definer: as above. Everybody may read what is held on themselves, the newly registered too.
create or replace function app.__o_get_meine_daten()
  returns jsonb language plpgsql set search_path = pg_catalog set statement_timeout = '60s' as $$
declare me bigint := rights.user_id();
begin
  perform rights.refuse_keys();
  perform rights.refuse_unless(me is not null);
  return privacy.disclosure('person', me, 'selbstauskunft');
end $$;
select rights.define('app.__o_get_meine_daten()');
grant execute on function app.__o_get_meine_daten() to nutzer;

-- Replaces values about a person in a history entry by 'gelöscht'. Keys and nulls stay, so that it remains
-- visible what kind of change it was.
create or replace function privacy.without_values(entry jsonb, columns text[])
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
grant execute on function privacy.without_values(jsonb, text[]) to forst_definer;

-- Replaces a person's name as the last editor of records, where the history shows that it was this person.
-- Versions and history do not change, because the record did not.
create or replace function privacy.replace_name(person bigint, name text, replacement text)
  returns void language plpgsql set search_path = pg_catalog as $$
declare entry record;
begin
  for entry in
    select * from (
      values ('kunde', 't.client_id::text'), ('hq', 't."idHQ"::text'), ('hq_flaeche', 't.hqid::text'),
        ('kunde_hq', 't.hqid::text'), ('benutzer', 't.user_id::text'), ('abo', 't.id::text'),
        ('abkuerzung', 't.id::text'), ('kartenblatt', 't.id::text'), ('prognose', 't.id::text'),
        ('positionsvorlage', 't.id::text'), ('freitext', 't.id::text'), ('serie', 't.id::text')
    ) as v(tabelle, schluessel)
  loop
    execute format(
      'update app.%I t set geaendert_von = $1 where t.geaendert_von = $2 and exists (select
        from app.verlauf v where v.tabelle = %L and v.schluessel = %s and v.user_id = $3)',
      entry.tabelle, entry.tabelle, entry.schluessel
    ) using replacement, name, person;
  end loop;
  -- The books have the audit chain instead of a history. What is printed on an issued document stays.
  for entry in
    select * from (
      values ('rechnung', 't.id'), ('angebot', 't.id'), ('kunde_rechnung', 't.client_id')
    ) as v(tabelle, schluessel)
  loop
    execute format(
      'update app.%I t set geaendert_von = $1 where t.geaendert_von = $2 and exists (select
        from app.protokoll p where p.gegenstand = %L and p.gegenstand_id = %s and p.user_id = $3)',
      entry.tabelle, entry.tabelle, entry.schluessel
    ) using replacement, name, person;
  end loop;
  -- The supplier's row, and the number ranges, which every issuing changes.
  update app.lieferant l set geaendert_von = replacement
  where l.geaendert_von = replace_name.name and exists (select from app.protokoll p where p.user_id = person);
  update app.nummernkreis n set geaendert_von = replacement
  where n.geaendert_von = replace_name.name and exists (select from app.protokoll p where p.user_id = person);
  for entry in select * from (values ('rechnung'), ('angebot')) as v(tabelle) loop
    execute format(
      'update app.%I t set ausgestellt_von = $1 where t.ausgestellt_von = $2 and exists (select
        from app.protokoll p where p.gegenstand = %L and p.gegenstand_id = t.id
        and p.ereignis = ''ausgestellt'' and p.user_id = $3)',
      entry.tabelle, entry.tabelle
    ) using replacement, name, person;
  end loop;
  -- Offers decided in the application.
  update app.angebot t set entschieden_von = replacement
  where t.entschieden_von = replace_name.name
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
      'update app.annahme_link t set %1$I = $1 where t.%1$I = $2 and exists (select
        from app.protokoll p where p.gegenstand = ''angebot'' and p.gegenstand_id = t.angebot_id
        and p.ereignis = %2$L and p.user_id = $3)',
      entry.spalte, entry.ereignis
    ) using replacement, name, person;
  end loop;
  update app.protokoll p set wer = replacement where p.user_id = person;
  update app.karte_stand s set wer = replacement where s.user_id = person;
  update app.karte_datei d set wer = replacement where d.user_id = person;
  update app.karte_auftrag a set wer = replacement where a.user_id = person;
  update app.vermessung_import i set wer = replacement where i.user_id = person;
  update app.bestand_import i set wer = replacement where i.user_id = person;
  update app.grenzvorschlag g set wer = replacement where g.user_id = person;
  update dispatch.webhook w set angelegt_von = replacement where w.user_id = person;
  update app.grenzvorschlag g set entschieden_von = replacement
  where g.entschieden_user_id = person;
  perform forest.replace_habitat_name(person, name, replacement);
  perform maps.replace_picture_name(person, name, replacement);
  perform notes.replace_name(person, replacement);
  update app.gutschein g set angelegt_von = replacement
  where g.angelegt_von = name
    and exists (
      select from app.verlauf v
      where v.tabelle = 'gutschein' and v.schluessel = g.id::text and v.user_id = person
    );
  update app.gutschein g set eingeloest_von = replacement
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
grant execute on function privacy.replace_name(bigint, text, text) to forst_definer;

-- Definer: deletes from closed tables. Reduces a person to a number, under which the facts of the history
-- remain.
create or replace function app.a_delete_person_daten(user_id bigint, bestaetigung text)
  returns void language plpgsql set search_path = pg_catalog set statement_timeout = '60s' as $$
declare
  person app.benutzer;
  name text;
  names text[];
  with_key text;
  nobody text;
  replacement text;
  extent jsonb;
  obstacle text;
  personal constant text[] := '{username,email,mail,first_name,last_name,db_role,geb,geschlecht}';
begin
  perform privacy.check_may('person', a_delete_person_daten.user_id);
  obstacle := privacy.obstacle_of('person', a_delete_person_daten.user_id);
  if obstacle is not null then
    raise sqlstate 'PT409' using message = 'cannot be deleted', hint = 'datenschutz_' || obstacle;
  end if;
  perform books.lock();
  select b.* into person
  from app.benutzer b
  where b.user_id = a_delete_person_daten.user_id for update;
  if accounts.fold_address(
    btrim(a_delete_person_daten.bestaetigung)
  ) is distinct from accounts.fold_address(person.email) then
    raise check_violation
      using message = 'bestaetigung must be the address', column = 'bestaetigung',
        hint = 'datenschutz_bestaetigung';
  end if;
  select jsonb_object_agg(z.relation, z.anzahl) filter (where z.anzahl > 0) into extent
  from privacy.rows_of('person', person.user_id, false) z;
  name := coalesce(
    nullif(btrim(coalesce(person.first_name, '') || ' ' || coalesce(person.last_name, '')), ''),
    person.username
  );
  nobody := 'geloescht-' || person.user_id;
  replacement := 'gelöschte Person ' || person.user_id;

  delete from idp.artefakt a
  where a.konto_id = (
    select k.konto_id::text
    from idp.konto k
    where accounts.fold_address(k.email) = accounts.fold_address(person.email)
  );
  update idp.ereignis e set email = null
  where e.konto_id = (
      select k.konto_id
      from idp.konto k
      where accounts.fold_address(k.email) = accounts.fold_address(person.email)
    )
    or accounts.fold_address(e.email) = accounts.fold_address(person.email);
  update idp.ereignis e set wer = replacement
  where accounts.fold_address(e.wer) = accounts.fold_address(person.email);
  delete from idp.einmal_link l where accounts.fold_address(l.email) = accounts.fold_address(person.email);
  delete from idp.post p where accounts.fold_address(p.empfaenger) = accounts.fold_address(person.email);
  update idp.post p set absender = replacement
  where accounts.fold_address(p.absender) = accounts.fold_address(person.email);
  delete from idp.konto k where accounts.fold_address(k.email) = accounts.fold_address(person.email);

  delete from app.benutzer_kunde bk where bk.user_id = person.user_id;
  delete from app.benutzer_hq bh where bh.user_id = person.user_id;
  delete from app.einstellung e where e.user_id = person.user_id;
  delete from app.ansicht a where a.user_id = person.user_id;
  delete from app.meldung m where m.user_id = person.user_id;
  delete from app.import_lauf l where l.user_id = person.user_id;
  delete from app.import_zuordnung z where z.user_id = person.user_id;
  delete from abo.gutschein_versuch v where v.user_id = person.user_id;
  delete from accounts.kept_answer a where a.user_id = person.user_id;
  delete from accounts.kept_import i where i.user_id = person.user_id;
  delete from accounts.kontakt k where k.user_id = person.user_id;
  -- Longer than any token is valid; see accounts.was_deleted. A person who was created again and is now
  -- deleted again already has a digest.
  delete from accounts.identitaet i
  using accounts.identitaet mine
  where mine.user_id = person.user_id
    and i.iss = 'geloescht'
    and i.sub = accounts.identity_digest(mine.iss, mine.sub);
  update accounts.identitaet i set
    iss = 'geloescht', sub = accounts.identity_digest(i.iss, i.sub),
    sessions_valid_after = now() + interval '30 days'
  where i.user_id = person.user_id;
  -- A token that was never used is bound to no account and would create a new person. Until all of them have
  -- expired, the address is recognized by its digest.
  perform accounts.end_sessions_of(person.user_id);
  update accounts.sitzungsende e set ehemals = null
  where e.ehemals = accounts.address_digest(person.email);
  update accounts.sitzungsende e set ehemals = accounts.address_digest(person.email)
  where e.user_id = person.user_id;
  -- The table's trigger protects the last admin.
  update app.benutzer b set
    username = nobody, email = nobody || '@geloescht.invalid', mail = null, first_name = null,
    last_name = null, db_role = null, geb = null, geschlecht = null, system_status = 'ogf_init',
    pruefer_bis = null, apus_admin = false, apus_team = false, kataster_enabled = false,
    app_status = 'gesperrt', enabled = false
  where b.user_id = person.user_id;

  -- What was changed with a key shows its name as well; keys that ended long ago are known from the history.
  with_key := name || ' durch ';
  names := array[name] || array(
    select with_key || z.name
    from accounts.zugang z
    where z.user_id = person.user_id
    union
    select v.wer
    from app.verlauf v
    where v.user_id = person.user_id and starts_with(v.wer, with_key)
    union
    select p.wer
    from app.protokoll p
    where p.user_id = person.user_id and starts_with(p.wer, with_key)
  );
  perform privacy.replace_name(person.user_id, one, replacement) from unnest(names) as one;
  delete from accounts.zugang z where z.user_id = person.user_id;
  -- Who has ended others' keys.
  update accounts.zugang z set beendet_von = replacement
  where z.beendet_von = any (names)
    or accounts.fold_address(z.beendet_von) = accounts.fold_address(person.email);
  update app.verlauf v set
    alt = privacy.without_values(v.alt, personal), neu = privacy.without_values(v.neu, personal)
  where v.person_id = person.user_id and v.tabelle = 'benutzer';
  update app.verlauf v set wer = replacement where v.user_id = person.user_id;
  -- Entries on vouchers contain names.
  update app.verlauf v set
    alt = privacy.without_values(v.alt, '{angelegt_von,eingeloest_von}'),
    neu = privacy.without_values(v.neu, '{angelegt_von,eingeloest_von}')
  where v.tabelle = 'gutschein'
    and names && array[
      v.alt ->> 'angelegt_von', v.alt ->> 'eingeloest_von', v.neu ->> 'angelegt_von',
      v.neu ->> 'eingeloest_von'
    ];
  update app.datenschutz_vorgang d set wer = replacement where d.user_id = person.user_id;
  perform privacy.record_note('loeschung', person.user_id, null, coalesce(extent, '{}'));
end $$;
select rights.define('app.a_delete_person_daten(bigint, text)');
grant execute on function app.a_delete_person_daten(bigint, text) to nutzer;

-- Deletes everything of a customer except the record of the deletion. For the procedure below, and for
-- blocked customers whose time has passed.
create or replace function privacy.remove_kunde(client_id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare
  -- In these tables everything held on a customer is about the customer.
  personal constant text[] := array(select f.feld from rights.kunde_fields() f where f.kind <> 'epsg')
    || '{ordner,sHQ,dcFLAEHB,geom,kawm_area,text,datei}'::text[];
begin
  update app.gutschein g set eingeloest_von = null
  where exists (
    select from app.hq h
    where h."idHQ" = g.eingeloest_hqid and h.client_id = remove_kunde.client_id
  );
  delete from app.meldung m where m.client_id = remove_kunde.client_id;
  delete from accounts.zugang z where z.client_id = remove_kunde.client_id;
  perform dispatch.remove_events(remove_kunde.client_id);
  -- Answers to earlier writes may contain anything of the customer; this one's own stays.
  perform accounts.empty_answers();
  delete from app.notiz n where n.client_id = remove_kunde.client_id;
  -- Issued documents can be deleted only after their own time (books.check_frozen). The audit chain records
  -- it; otherwise they would seem to be missing.
  perform books.record(
    'rechnung', r.id, r.client_id, 'aufbewahrung_abgelaufen', jsonb_build_object('nummer', r.nummer)
  )
  from app.rechnung r
  where r.client_id = remove_kunde.client_id and r.zustand = 'ausgestellt'
  order by r.id;
  perform books.record(
    'angebot', o.id, o.client_id, 'aufbewahrung_abgelaufen', jsonb_build_object('nummer', o.nummer)
  )
  from app.angebot o
  where o.client_id = remove_kunde.client_id and o.status <> 'entwurf'
  order by o.id;
  delete from app.serie s where s.client_id = remove_kunde.client_id;
  delete from app.rechnung r where r.client_id = remove_kunde.client_id;
  delete from app.angebot o where o.client_id = remove_kunde.client_id;
  delete from app.sepa_mandat m where m.client_id = remove_kunde.client_id;
  delete from app.kunde_rechnung kr where kr.client_id = remove_kunde.client_id;
  perform maps.remove_vermessung(remove_kunde.client_id);
  perform forest.remove_bestand(remove_kunde.client_id);
  perform forest.remove_habitat(remove_kunde.client_id);
  delete from app.kartenblatt k where k.client_id = remove_kunde.client_id;
  delete from app.abo a where a.client_id = remove_kunde.client_id;
  delete from app.benutzer_kunde bk where bk.client_id = remove_kunde.client_id;
  delete from app.hq h where h.client_id = remove_kunde.client_id;
  delete from app.kunde k where k.client_id = remove_kunde.client_id;
  update app.verlauf v set
    alt = privacy.without_values(v.alt, personal), neu = privacy.without_values(v.neu, personal)
  where v.client_id = remove_kunde.client_id;
end $$;
grant execute on function privacy.remove_kunde(bigint) to forst_definer;

-- Definer: as above. A customer without anything to keep is deleted. Otherwise the customer is blocked: name,
-- address, contracts and issued documents stay until that day; contact person, people's links, notices,
-- notes, drafts, areas, plans, surveys, stands and trees are deleted at once.
create or replace function app.a_delete_kunde_daten(client_id bigint, bestaetigung text)
  returns jsonb language plpgsql set search_path = pg_catalog set statement_timeout = '60s' as $$
declare
  customer app.kunde;
  extent jsonb;
  obstacle text;
  bis date;
  -- Columns about the contact person.
  contact text[];
begin
  perform privacy.check_may('kunde', a_delete_kunde_daten.client_id);
  -- Lock the books first, as everywhere.
  perform books.lock();
  select k.* into customer
  from app.kunde k
  where k.client_id = a_delete_kunde_daten.client_id for update;
  -- Checked again now that nothing can be added.
  perform privacy.check_may('kunde', a_delete_kunde_daten.client_id);
  obstacle := privacy.obstacle_of('kunde', customer.client_id);
  if obstacle is not null then
    raise sqlstate 'PT409' using message = 'cannot be deleted', hint = 'datenschutz_' || obstacle;
  end if;
  if btrim(a_delete_kunde_daten.bestaetigung) is distinct from customer.name then
    raise check_violation
      using message = 'bestaetigung must be the name', column = 'bestaetigung',
        hint = 'datenschutz_bestaetigung';
  end if;
  select jsonb_object_agg(z.relation, z.anzahl) filter (where z.anzahl > 0) into extent
  from privacy.rows_of('kunde', customer.client_id, false) z;
  bis := privacy.kept_until(customer.client_id);
  if bis is null then
    perform privacy.remove_kunde(customer.client_id);
  else
    delete from app.meldung m where m.client_id = customer.client_id;
    delete from accounts.zugang z where z.client_id = customer.client_id;
    perform dispatch.remove_events(customer.client_id);
    -- Answers to earlier writes may contain anything of the customer; this one's own stays.
    perform accounts.empty_answers();
    delete from app.notiz n where n.client_id = customer.client_id;
    delete from app.rechnung r where r.client_id = customer.client_id and r.zustand = 'entwurf';
    update app.angebot o set status = case when o.entschieden_am is null then 'versendet' else 'abgelehnt' end
    where o.client_id = customer.client_id
      and o.status = 'ersetzt'
      and exists (select from app.angebot n where n.ersetzt = o.id and n.status = 'entwurf');
    delete from app.angebot o where o.client_id = customer.client_id and o.status = 'entwurf';
    perform books.leave_archive('angebot', o.id)
    from app.angebot o
    where o.client_id = customer.client_id and o.archiviert;
    delete from app.benutzer_kunde bk where bk.client_id = customer.client_id;
    delete from app.benutzer_hq bh where bh.client_id = customer.client_id;
    perform maps.remove_vermessung(customer.client_id);
    perform forest.remove_bestand(customer.client_id);
    perform forest.remove_habitat(customer.client_id);
    delete from app.kartenblatt k where k.client_id = customer.client_id;
    delete from app.hq_flaeche f where f.client_id = customer.client_id;
    delete from app.hq h
    where h.client_id = customer.client_id and not exists (select from app.abo a where a.hqid = h."idHQ");
    update app.hq h set fb_enabled = false
    where h.client_id = customer.client_id and h.fb_enabled;
    contact := array(select f.feld from rights.kunde_fields() f where f.person);
    execute format(
      'update app.kunde set gesperrt_bis = $1, ordner = null, kataster_status = false, %s
        where client_id = $2',
      array_to_string(contact, ' = null, ') || ' = null'
    ) using bis, customer.client_id;
    update app.verlauf v set
      alt = privacy.without_values(v.alt, contact || '{ordner,geom,text,datei}'),
      neu = privacy.without_values(v.neu, contact || '{ordner,geom,text,datei}')
    where v.client_id = customer.client_id;
  end if;
  perform privacy.record_note(
    case when bis is null then 'loeschung' else 'sperrung' end, null, customer.client_id,
    coalesce(extent, '{}')
  );
  return jsonb_build_object('gesperrt_bis', bis);
end $$;
select rights.define('app.a_delete_kunde_daten(bigint, text)');
grant execute on function app.a_delete_kunde_daten(bigint, text) to nutzer;

-- Definer: for operations (forst_betrieb), with the rights of the functions above. Deletes blocked customers
-- whose time has passed, and expired digests of deleted people. Returns the number of customers.
create or replace function privacy.remove_blocked(today date)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  gone bigint;
  number integer := 0;
begin
  delete from accounts.identitaet i where i.iss = 'geloescht' and i.sessions_valid_after < today;
  -- Tokens of the embedded provider are valid for an hour at most; those of other providers are assumed to be
  -- valid for a day at most.
  update accounts.sitzungsende e set ehemals = null
  where e.ehemals is not null and e.ab < today - 1;
  perform books.lock();
  -- What was entered after the block, as a Storno or a payment, is kept for its own time.
  for gone in
    select k.client_id
    from app.kunde k
    where k.gesperrt_bis < today
      and not exists (
        select from app.rechnung r
        where r.client_id = k.client_id
          and r.zustand = 'ausgestellt'
          and books.kept_until('rechnung', greatest(r.rn_datum, books.last_entry(r.id))) >= checks.today()
      )
    order by 1
  loop
    perform privacy.remove_kunde(gone);
    insert into app.datenschutz_vorgang (art, wer, client_id) values ('loeschung', 'System', gone);
    number := number + 1;
  end loop;
  return number;
end $$;
select rights.define('privacy.remove_blocked(date)');
grant execute on function privacy.remove_blocked(date) to forst_betrieb;
