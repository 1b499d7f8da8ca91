-- Habitat trees, their check-ups over the years and their photos. Read: the forest half's staff all, a
-- customer's kundenadmin those of the customer, foresters those of their headquarters while it is enabled.
-- Written by linked foresters and ogf_admin; deleted by ogf_admin and whoever administers the headquarters.
-- Rows of photos are made by the server alone, which has the bytes.

-- Definer: the links of others are closed. The caller's headquarters that are enabled; with 'hq_admin' only
-- those the caller administers.
create or replace function rechte.hqs_aktiv(status text default null)
  returns bigint[] language plpgsql stable set search_path = pg_catalog as $$
declare own bigint[] := rechte.hqs_als(hqs_aktiv.status);
begin
  return array(select h."idHQ" from app.hq h where h."idHQ" = any (own) and h.fb_enabled);
end $$;
select rechte.define('rechte.hqs_aktiv(text)');
grant execute on function rechte.hqs_aktiv(text) to nutzer, forst_definer;

select rechte.protect('app.habitatbaeume');
select rechte.protect('app.habitatkontrollen');
select rechte.protect('app.habitatbilder');
select rechte.protect('rechte.habitat_geloescht');
select rechte.protect('rechte.habitat_empfangen');
grant execute on function rechte.is_strukturen(jsonb), rechte.struktur_suche(jsonb)
  to nutzer, forst_definer, forst_betrieb;
grant select, insert, delete on rechte.habitat_geloescht, rechte.habitat_empfangen to forst_definer;
grant select, delete,
  update (erfasser, angelegt_von, version, geaendert_am, geaendert_von) on app.habitatbaeume to forst_definer;
grant select, delete, update (kontrolleur, angelegt_von) on app.habitatkontrollen to forst_definer;
grant select, insert, update, delete on app.habitatbilder to forst_definer;
grant select, delete,
  insert (
    kennung, "idHQ", nummer, art, art_text, bhd_cm, hoehe_m, zustand, status, strukturen, markierung_art,
    markierung_datum, erfasst_am, erfasser, lon, lat, genauigkeit_m, lage_methode, "sLVL01", "sLVL02",
    "sLVL03", "sLVL04", "sLVL05", "iSTAND", bemerkung, verlust_datum, verlust_grund, kawm
  ),
  update (
  nummer, art, art_text, bhd_cm, hoehe_m, zustand, status, strukturen, markierung_art, markierung_datum,
  erfasst_am, erfasser, lon, lat, genauigkeit_m, lage_methode, "sLVL01", "sLVL02", "sLVL03", "sLVL04",
  "sLVL05", "iSTAND", bemerkung, verlust_datum, verlust_grund, kawm
) on app.habitatbaeume to nutzer;
grant select, delete,
  insert (kennung, habitat_id, datum, ergebnis, kontrolleur, bemerkung) on app.habitatkontrollen to nutzer;
grant select, delete, update (bemerkung, titelbild) on app.habitatbilder to nutzer;
alter table app.habitatbaeume alter column erfasser set default rechte.wer();
alter table app.habitatbaeume alter column angelegt_von set default rechte.wer();
alter table app.habitatkontrollen alter column kontrolleur set default rechte.wer();
alter table app.habitatkontrollen alter column angelegt_von set default rechte.wer();
alter table app.habitatbilder alter column created_by set default rechte.wer();

do $$
declare name text;
begin
  foreach name in array '{habitatbaeume,habitatkontrollen,habitatbilder}'::text[] loop
    execute format(
      $p$create policy staff on app.%I for select to nutzer using ((select rechte.has_any('ogf_admin', 'ogf_team')))$p$,
      name
    );
    execute format(
      $p$create policy own_kunde on app.%I for select to nutzer using (client_id = any ((select rechte.kunden_als('kundenadmin'))::bigint[]))$p$,
      name
    );
    execute format(
      $p$create policy linked on app.%I for select to nutzer using ("idHQ" = any ((select rechte.hqs_aktiv())::bigint[]))$p$,
      name
    );
    execute format(
      $p$create policy remove on app.%I for delete to nutzer using ((select rechte.has_role('ogf_admin')) or "idHQ" = any ((select rechte.hqs_aktiv('hq_admin'))::bigint[]))$p$,
      name
    );
    if name <> 'habitatbilder' then
      execute format(
        $p$create policy add on app.%I for insert to nutzer with check ((select rechte.has_role('ogf_admin')) or "idHQ" = any ((select rechte.hqs_aktiv())::bigint[]))$p$,
        name
      );
    end if;
    if name <> 'habitatkontrollen' then
      execute format(
        $p$create policy change on app.%I for update to nutzer using ((select rechte.has_role('ogf_admin')) or "idHQ" = any ((select rechte.hqs_aktiv())::bigint[]))$p$,
        name
      );
    end if;
  end loop;
end $$;

-- The lists of codes. domain/habitat/species.ts and structures.ts have the same ones with their names; a test
-- compares them.
create or replace function rechte.habitat_arten()
  returns text[] language sql immutable parallel safe set search_path = pg_catalog
  return '{bu,sei,tei,rei,es,bah,sah,fah,hbu,wli,sli,bul,flu,feu,vki,els,spei,vbe,wob,kas,nus,sbi,mbi,rer,wer,as,pa,wei,rob,fi,ta,kta,dgl,ki,ski,zki,str,ela,jla,eib,sonstige}'::text[];
create or replace function rechte.habitat_strukturen(system text)
  returns text[] language sql immutable parallel safe set search_path = pg_catalog
  return case system
    when 'larrieu_2018' then
      '{1.1,1.2,1.3,1.4,2.1,2.2,2.3,2.4,2.5,2.6,3.1,4.1,4.2,4.3,4.4,5.1,5.2,5.3,5.4,6.1,6.2,6.3,6.4,6.5,7.1,7.2,7.3,8.1,8.2,9.1,9.2,10.1,11.1,11.2,11.3,11.4,12.1,12.2,12.3,12.4,12.5,13.1,13.2,14.1,14.2,15.1,15.2}'::text[]
    when 'kraus_2016' then
      '{CV11,CV12,CV13,CV14,CV15,CV21,CV22,CV23,CV24,CV25,CV26,CV31,CV32,CV33,CV41,CV42,CV43,CV44,CV51,CV52,IN11,IN12,IN13,IN14,IN21,IN22,IN23,IN24,IN31,IN32,IN33,IN34,BA11,BA12,BA13,DE11,DE12,DE13,DE14,DE15,GR11,GR12,GR13,GR21,GR22,GR31,GR32,EP11,EP12,EP13,EP14,EP21,EP31,EP32,EP33,EP34,EP35,NE11,NE12,NE21,OT11,OT12,OT21,OT22}'::text[]
    else '{}'
  end;

-- Definer: the table of the deleted is closed. Whether something of this headquarters was deleted; of another
-- one nobody learns.
create or replace function rechte.habitat_war_geloescht(kennung uuid, hqid bigint)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select exists (
    select from rechte.habitat_geloescht g
    where g.kennung = habitat_war_geloescht.kennung and g."idHQ" = habitat_war_geloescht.hqid
  )
$$;
select rechte.define('rechte.habitat_war_geloescht(uuid, bigint)');

-- Field by field, each with the stable word of its rule. Whose the tree is follows from its headquarters; of
-- a foreign one the caller sees none.
create or replace function rechte.check_habitatbaum()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  one jsonb;
  tomorrow date := rechte.heute() + 1;
begin
  -- A centimetre; what a file says with seven places is the same place again.
  new.lon := round(new.lon::numeric, 7);
  new.lat := round(new.lat::numeric, 7);
  if tg_op = 'INSERT' then
    select h.client_id into new.client_id from app.hq h where h."idHQ" = new."idHQ";
    perform rechte.refuse_unless(new.client_id is not null);
    if rechte.habitat_war_geloescht(new.kennung, new."idHQ") then
      raise sqlstate 'PT409' using message = 'deleted before', hint = 'habitat_geloescht';
    end if;
  end if;
  perform rechte.check_value(new.nummer is null or rechte.is_line(new.nummer, 40), 'nummer', 'zeile_40');
  perform rechte.check_value(new.art = any (rechte.habitat_arten()), 'art', 'habitat_art');
  perform rechte.check_value(
    new.art_text is null or rechte.is_line(new.art_text, 100), 'art_text', 'zeile_100'
  );
  perform rechte.check_value(
    new.art <> 'sonstige' or new.art_text is not null, 'art_text', 'habitat_art_text'
  );
  perform rechte.check_value(
    new.bhd_cm is null or (new.bhd_cm > 0 and new.bhd_cm <= 500), 'bhd_cm', 'habitat_bhd'
  );
  perform rechte.check_value(
    new.hoehe_m is null or (new.hoehe_m > 0 and new.hoehe_m <= 80), 'hoehe_m', 'habitat_hoehe'
  );
  perform rechte.check_value(
    new.zustand in ('lebend', 'absterbend', 'tot_stehend', 'stumpf'), 'zustand', 'habitat_zustand'
  );
  perform rechte.check_value(new.status in ('baum', 'anwaerter'), 'status', 'habitat_status');
  perform rechte.check_value(rechte.is_strukturen(new.strukturen), 'strukturen', 'habitat_strukturen');
  for one in select jsonb_array_elements(new.strukturen) loop
    perform rechte.check_value(
      one ->> 'code' = any (rechte.habitat_strukturen(one ->> 'system')), 'strukturen',
      'habitat_struktur_unbekannt'
    );
  end loop;
  perform rechte.check_value(
    new.markierung_art is null or new.markierung_art in ('welle', 'farbe', 'plakette', 'band', 'sonstige'),
    'markierung_art', 'habitat_markierung'
  );
  perform rechte.check_value(
    new.markierung_datum is null or new.markierung_art is not null, 'markierung_art', 'habitat_markierung_art'
  );
  perform rechte.check_value(
    new.markierung_datum is null or new.markierung_datum between '1950-01-01' and tomorrow,
    'markierung_datum', 'habitat_datum'
  );
  perform rechte.check_value(new.erfasst_am between '1950-01-01' and tomorrow, 'erfasst_am', 'habitat_datum');
  perform rechte.check_value(
    new.erfasser is null or rechte.is_line(new.erfasser, 200), 'erfasser', 'zeile_200'
  );
  perform rechte.check_value(new.lon is not null and new.lat is not null, 'lage', 'habitat_lage_fehlt');
  perform rechte.check_value(new.lon between 3 and 18 and new.lat between 45 and 57, 'lage', 'habitat_lage');
  perform rechte.check_value(
    new.genauigkeit_m is null or (new.genauigkeit_m >= 0 and new.genauigkeit_m < 100000), 'genauigkeit_m',
    'habitat_genauigkeit'
  );
  perform rechte.check_value(
    new.lage_methode in ('gnss', 'rtk', 'karte', 'luftbild', 'import'), 'lage_methode', 'habitat_methode'
  );
  perform rechte.check_value(new."sLVL01" is null or rechte.is_line(new."sLVL01", 60), 'sLVL01', 'zeile_60'),
    rechte.check_value(new."sLVL02" is null or rechte.is_line(new."sLVL02", 60), 'sLVL02', 'zeile_60'),
    rechte.check_value(new."sLVL03" is null or rechte.is_line(new."sLVL03", 60), 'sLVL03', 'zeile_60'),
    rechte.check_value(new."sLVL04" is null or rechte.is_line(new."sLVL04", 60), 'sLVL04', 'zeile_60'),
    rechte.check_value(new."sLVL05" is null or rechte.is_line(new."sLVL05", 60), 'sLVL05', 'zeile_60');
  perform rechte.check_value(
    new."iSTAND" is null or new."iSTAND" between 0 and 1000000, 'iSTAND', 'habitat_stand'
  );
  perform rechte.check_value(
    new.bemerkung is null or rechte.is_text(new.bemerkung, 2000), 'bemerkung', 'text_2000'
  );
  perform rechte.check_value(
    new.verlust_grund is null
      or new.verlust_grund in (
        'windwurf', 'entnommen', 'verkehrssicherung', 'brand', 'zersetzt', 'unbekannt', 'sonstige'
      ),
    'verlust_grund', 'habitat_verlust'
  );
  perform
    rechte.check_value(
      new.verlust_grund is null or new.verlust_datum is not null, 'verlust_datum', 'habitat_verlust_datum'
    ),
    rechte.check_value(
      new.verlust_datum is null or new.verlust_grund is not null, 'verlust_grund', 'habitat_verlust_grund'
    );
  perform rechte.check_value(
    new.verlust_datum is null or new.verlust_datum between '1950-01-01' and tomorrow, 'verlust_datum',
    'habitat_datum'
  );
  perform rechte.check_value(new.kawm is not null, 'kawm', 'fehlt');
  return new;
end $$;
-- Before a_blocked (datenschutz.sql), which asks whose the tree is.
create or replace trigger a_baum before insert or update on app.habitatbaeume
  for each row when (current_user = 'nutzer') execute function rechte.check_habitatbaum();

create or replace function rechte.check_habitatkontrolle()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  select t.client_id, t."idHQ" into new.client_id, new."idHQ"
  from app.habitatbaeume t
  where t.id = new.habitat_id;
  perform rechte.refuse_unless(new.client_id is not null);
  perform rechte.check_value(new.datum between '1950-01-01' and rechte.heute() + 1, 'datum', 'habitat_datum');
  perform rechte.check_value(
    new.ergebnis in ('vorhanden', 'markierung_fehlt', 'markierung_erneuert', 'veraendert', 'nicht_gefunden'),
    'ergebnis', 'habitat_kontrolle'
  );
  perform rechte.check_value(
    new.kontrolleur is null or rechte.is_line(new.kontrolleur, 200), 'kontrolleur', 'zeile_200'
  );
  perform rechte.check_value(
    new.bemerkung is null or rechte.is_text(new.bemerkung, 2000), 'bemerkung', 'text_2000'
  );
  return new;
end $$;
create or replace trigger a_pruefen before insert on app.habitatkontrollen
  for each row when (current_user = 'nutzer') execute function rechte.check_habitatkontrolle();

-- One title photo for each tree: naming another takes the place from the one before.
create or replace function rechte.habitat_titelbild()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  update app.habitatbilder b set titelbild = false
  where b.habitat_id = new.habitat_id and b.id <> new.id and b.titelbild;
  return new;
end $$;
create or replace trigger b_titelbild before update of titelbild on app.habitatbilder
  for each row when (new.titelbild and not old.titelbild and current_user <> 'forst_betrieb')
  execute function rechte.habitat_titelbild();

revoke execute on function rechte.habitat_arten(), rechte.habitat_strukturen(text),
  rechte.check_habitatbaum(), rechte.check_habitatkontrolle(), rechte.habitat_titelbild() from public;
grant execute on function rechte.habitat_arten(), rechte.habitat_strukturen(text),
  rechte.habitat_war_geloescht(uuid, bigint), rechte.check_habitatbaum(), rechte.check_habitatkontrolle(),
  rechte.habitat_titelbild() to nutzer;
grant execute on function rechte.habitat_titelbild() to forst_definer;

-- Definer: the table of the deleted is closed. Where a whole headquarters goes, nothing is left of it.
create or replace function rechte.habitat_gestrichen()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  insert into rechte.habitat_geloescht (kennung, art, client_id, "idHQ")
  select old.kennung, tg_argv[0], old.client_id, old."idHQ"
  from app.hq h
  where h."idHQ" = old."idHQ"
  on conflict do nothing;
  return null;
end $$;
select rechte.define('rechte.habitat_gestrichen()');
create or replace trigger x_gestrichen after delete on app.habitatbaeume
  for each row when (current_user <> 'forst_betrieb') execute function rechte.habitat_gestrichen('baum');
create or replace trigger x_gestrichen after delete on app.habitatkontrollen
  for each row when (current_user <> 'forst_betrieb') execute function rechte.habitat_gestrichen('kontrolle');
create or replace trigger x_gestrichen after delete on app.habitatbilder
  for each row when (current_user <> 'forst_betrieb') execute function rechte.habitat_gestrichen('bild');

select rechte.watch('app.habitatbaeume', 'id', true);
select rechte.watch('app.habitatkontrollen', 'id', false);
-- Sizes that the server makes of a photo are no change of it.
create or replace trigger y_stamp before insert or update of bemerkung, titelbild on app.habitatbilder
  for each row when (current_user <> 'forst_betrieb') execute function rechte.stamp_change();
create or replace trigger z_verlauf after insert or delete or update of bemerkung, titelbild
  on app.habitatbilder
  for each row when (current_user <> 'forst_betrieb') execute function rechte.record_change('id');
-- Also of what was deleted, by whoever could read it.
create policy habitat on app.verlauf for select to nutzer
  using (
    tabelle in ('habitatbaeume', 'habitatkontrollen', 'habitatbilder', 'kawm_nachweis')
    and (
      (select rechte.has_role('ogf_team'))
      or client_id = any ((select rechte.kunden_als('kundenadmin'))::bigint[])
      or hqid = any ((select rechte.hqs_aktiv())::bigint[])
    )
  );

-- What lists ask.
drop view if exists app.habitatbaeume_karte;
create or replace view app.habitatbaeume_liste with (security_invoker = true) as
  select t.id, t.kennung, t.client_id, t."idHQ", h."sHQ", t.nummer, t.art, t.art_text, t.bhd_cm, t.hoehe_m,
    t.zustand, t.status, t.strukturen, t.struktur_suche, t.markierung_art, t.markierung_datum,
    t.markierung_art is not null as markiert, t.erfasst_am, t.erfasser, t.lon, t.lat, t.genauigkeit_m,
    t.lage_methode, t."sLVL01", t."sLVL02", t."sLVL03", t."sLVL04", t."sLVL05", t."iSTAND", t.bemerkung,
    t.verlust_datum, t.verlust_grund, t.verlust_datum is not null as verloren, t.kawm,
    exists (select from app.habitatbilder b where b.habitat_id = t.id) as bild,
    (
      select b.id
      from app.habitatbilder b
      where b.habitat_id = t.id
      order by b.titelbild desc, b.id limit 1
    ) as bild_id,
    (select max(k.datum) from app.habitatkontrollen k where k.habitat_id = t.id) as kontrolle_datum,
    t.angelegt_am, t.angelegt_von, t.version, t.geaendert_am, t.geaendert_von, t.sortname, t.suchtext,
    -- Web mercator, to the decimetre: short in the answers of the map.
    round(public.st_x(t.g3857) * 10) / 10 as x, round(public.st_y(t.g3857) * 10) / 10 as y
  from app.habitatbaeume t join app.hq h on h."idHQ" = t."idHQ";
revoke all on app.habitatbaeume_liste from public, nutzer;
grant select on app.habitatbaeume_liste to nutzer;
-- What the map asks, with the filters of the list: how a tree is drawn (alive, dead, candidate, lost), and
-- for each size of a heap (edge of 2^5 to 2^16 metres of web mercator) the cell that the tree lies in. Heaps
-- are counted by the data API's aggregates, so that a map of many trees does not fetch each of them.
do $$
begin
  execute 'create view app.habitatbaeume_karte with (security_invoker = true) as select l.*,
    case when l.verloren then 3 when l.status = ''anwaerter'' then 2 when l.zustand in (''lebend'', ''absterbend'') then 0 else 1 end as zeichen, '
    || (
      select string_agg(
        format('floor(l.y / %1$s)::bigint * 67108864 + floor(l.x / %1$s)::bigint as zelle_%2$s', 2 ^ e, e),
        ', ' order by e
      )
      from generate_series(5, 16) e
    ) || ' from app.habitatbaeume_liste l';
end $$;
revoke all on app.habitatbaeume_karte from public, nutzer;
grant select on app.habitatbaeume_karte to nutzer;

-- Captures of devices ---------------------------------------------------------------------------------------

-- The fields that somebody says of a tree.
create or replace function rechte.habitat_felder()
  returns text[] language sql immutable parallel safe set search_path = pg_catalog
  return '{nummer,art,art_text,bhd_cm,hoehe_m,zustand,status,strukturen,markierung_art,markierung_datum,erfasst_am,erfasser,lon,lat,genauigkeit_m,lage_methode,sLVL01,sLVL02,sLVL03,sLVL04,sLVL05,iSTAND,bemerkung,verlust_datum,verlust_grund,kawm}'::text[];
-- A tree as it is answered: without what the database makes of the fields.
create or replace function rechte.habitat_json(baum app.habitatbaeume)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select to_jsonb(t)
  from (
    select baum.id, baum.kennung, baum.client_id, baum."idHQ", baum.nummer, baum.art, baum.art_text,
      baum.bhd_cm, baum.hoehe_m, baum.zustand, baum.status, baum.strukturen, baum.markierung_art,
      baum.markierung_datum, baum.erfasst_am, baum.erfasser, baum.lon, baum.lat, baum.genauigkeit_m,
      baum.lage_methode, baum."sLVL01", baum."sLVL02", baum."sLVL03", baum."sLVL04", baum."sLVL05",
      baum."iSTAND", baum.bemerkung, baum.verlust_datum, baum.verlust_grund, baum.kawm, baum.angelegt_am,
      baum.angelegt_von, baum.version, baum.geaendert_am, baum.geaendert_von
  ) t
$$;

-- Definer: the table of what was received is closed. Remembers a capture of a tree that the caller may
-- change; false: it was here before.
create or replace function rechte.habitat_merken(kennung uuid, digest bytea)
  returns boolean language plpgsql set search_path = pg_catalog as $$
begin
  delete from rechte.habitat_empfangen e
  where e.kennung = habitat_merken.kennung and e.zeit < now() - interval '180 days';
  insert into rechte.habitat_empfangen (kennung, digest, client_id)
  select t.kennung, habitat_merken.digest, t.client_id
  from app.habitatbaeume t
  where t.kennung = habitat_merken.kennung
    and (rechte.has_role('ogf_admin') or t."idHQ" = any (rechte.hqs_aktiv()))
  on conflict do nothing;
  return found;
end $$;
select rechte.define('rechte.habitat_merken(uuid, bytea)');
-- Definer: as above.
create or replace function rechte.habitat_empfangen(kennung uuid, digest bytea)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select exists (
    select from rechte.habitat_empfangen e
    where e.kennung = habitat_empfangen.kennung and e.digest = habitat_empfangen.digest
  )
$$;
select rechte.define('rechte.habitat_empfangen(uuid, bytea)');
-- Definer: the table of the deleted is closed. Whether a tree was deleted that the caller could have changed.
create or replace function rechte.habitat_stein(kennung uuid)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select exists (
    select from rechte.habitat_geloescht g
    where g.kennung = habitat_stein.kennung
      and (rechte.has_role('ogf_admin') or g."idHQ" = any (rechte.hqs_aktiv()))
  )
$$;
select rechte.define('rechte.habitat_stein(uuid)');

-- One capture. Everything is done with the caller's own rights; what is refused is refused by the rules
-- above.
create or replace function rechte.habitat_erfassung(erfassung jsonb)
  returns jsonb language plpgsql set search_path = pg_catalog as $$
declare
  stem uuid := (erfassung ->> 'kennung')::uuid;
  based_on integer := (erfassung ->> 'version')::integer;
  digest bytea := sha256(convert_to(erfassung::text, 'UTF8'));
  -- Known fields alone, so that nobody writes a version or a customer by this way.
  werte jsonb := (
    select coalesce(jsonb_object_agg(e.key, e.value), '{}')
    from jsonb_each(erfassung) e
    where e.key = any (rechte.habitat_felder())
  );
  strange text := (
    select min(key)
    from jsonb_object_keys(erfassung) key
    where key <> all (rechte.habitat_felder() || '{kennung,version,idHQ,kontrollen}'::text[])
  );
  present app.habitatbaeume;
  wanted app.habitatbaeume;
  outcome text;
  added integer := 0;
  number integer;
  kontrolle jsonb;
begin
  perform rechte.check_value(stem is not null, 'kennung', 'fehlt');
  perform rechte.check_value(strange is null, coalesce(strange, ''), 'unbekanntes_feld');
  select t.* into present from app.habitatbaeume t where t.kennung = stem;
  if present.id is null then
    if rechte.habitat_stein(stem) then
      return jsonb_build_object(
        'kennung', stem, 'ergebnis', 'geloescht', 'baum', null, 'regel', null, 'feld', null
      );
    end if;
    if based_on is not null then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
    perform rechte.check_value((erfassung ->> 'idHQ') is not null, 'idHQ', 'fehlt'),
      rechte.check_value(werte ->> 'art' is not null, 'art', 'fehlt');
    wanted := jsonb_populate_record(
      null::app.habitatbaeume,
      jsonb_build_object(
        'zustand', 'lebend', 'status', 'baum', 'strukturen', '[]'::jsonb, 'lage_methode', 'karte',
        'kawm', true, 'erfasst_am', rechte.heute(), 'erfasser', rechte.wer()
      ) || werte
    );
    -- Sent twice at the same time: the second waits for the first and finds its tree.
    insert into app.habitatbaeume as t (
      kennung, "idHQ", nummer, art, art_text, bhd_cm, hoehe_m, zustand, status, strukturen, markierung_art,
      markierung_datum, erfasst_am, erfasser, lon, lat, genauigkeit_m, lage_methode, "sLVL01", "sLVL02",
      "sLVL03", "sLVL04", "sLVL05", "iSTAND", bemerkung, verlust_datum, verlust_grund, kawm
    )
    values (
      stem, (erfassung ->> 'idHQ')::bigint, wanted.nummer, wanted.art, wanted.art_text, wanted.bhd_cm,
      wanted.hoehe_m, wanted.zustand, wanted.status, wanted.strukturen, wanted.markierung_art,
      wanted.markierung_datum, wanted.erfasst_am, wanted.erfasser, wanted.lon, wanted.lat,
      wanted.genauigkeit_m, wanted.lage_methode, wanted."sLVL01", wanted."sLVL02", wanted."sLVL03",
      wanted."sLVL04", wanted."sLVL05", wanted."iSTAND", wanted.bemerkung, wanted.verlust_datum,
      wanted.verlust_grund, wanted.kawm
    )
    on conflict on constraint habitatbaeume_kennung_key do nothing
    returning t.* into present;
    if present.id is not null then
      outcome := 'angelegt';
    else
      select t.* into present from app.habitatbaeume t where t.kennung = stem;
      if present.id is null then
        raise sqlstate 'PT409' using message = 'taken', hint = 'habitat_kennung_vergeben';
      end if;
    end if;
  end if;
  if outcome is null then
    if erfassung ->> 'idHQ' is not null and (erfassung ->> 'idHQ')::bigint <> present."idHQ" then
      raise sqlstate 'PT409' using message = 'of another headquarters', hint = 'habitat_kennung_vergeben';
    end if;
    if not (rechte.has_role('ogf_admin') or present."idHQ" = any (rechte.hqs_aktiv())) then
      raise sqlstate 'PT403' using message = 'not found or not allowed';
    end if;
    -- Nobody else changes it meanwhile.
    select t.* into present from app.habitatbaeume t where t.id = present.id for update;
    wanted := jsonb_populate_record(present, werte);
    wanted.lon := round(wanted.lon::numeric, 7);
    wanted.lat := round(wanted.lat::numeric, 7);
    if rechte.habitat_empfangen(stem, digest) or to_jsonb(wanted) = to_jsonb(present) then
      outcome := 'unveraendert';
    -- A new tree whose first capture arrived and whose answer did not: what the device says now is newer.
    -- Unless somebody has worked on it since.
    elsif coalesce(based_on, 1) <> present.version then
      outcome := 'konflikt';
    else
      update app.habitatbaeume t set
        nummer = wanted.nummer, art = wanted.art, art_text = wanted.art_text, bhd_cm = wanted.bhd_cm,
        hoehe_m = wanted.hoehe_m, zustand = wanted.zustand, status = wanted.status,
        strukturen = wanted.strukturen, markierung_art = wanted.markierung_art,
        markierung_datum = wanted.markierung_datum, erfasst_am = wanted.erfasst_am,
        erfasser = wanted.erfasser, lon = wanted.lon, lat = wanted.lat, genauigkeit_m = wanted.genauigkeit_m,
        lage_methode = wanted.lage_methode, "sLVL01" = wanted."sLVL01", "sLVL02" = wanted."sLVL02",
        "sLVL03" = wanted."sLVL03", "sLVL04" = wanted."sLVL04", "sLVL05" = wanted."sLVL05",
        "iSTAND" = wanted."iSTAND", bemerkung = wanted.bemerkung, verlust_datum = wanted.verlust_datum,
        verlust_grund = wanted.verlust_grund, kawm = wanted.kawm
      where t.id = present.id
      returning t.* into present;
      outcome := 'geaendert';
    end if;
  end if;
  if outcome in ('angelegt', 'geaendert') then perform rechte.habitat_merken(stem, digest); end if;
  for kontrolle in
    select jsonb_array_elements(case jsonb_typeof(erfassung -> 'kontrollen')
      when 'array' then erfassung -> 'kontrollen'
      else '[]'
    end)
  loop
    perform rechte.check_value((kontrolle ->> 'kennung') is not null, 'kontrollen', 'fehlt');
    continue when rechte.habitat_war_geloescht((kontrolle ->> 'kennung')::uuid, present."idHQ");
    insert into app.habitatkontrollen (kennung, habitat_id, datum, ergebnis, kontrolleur, bemerkung)
    values (
      (kontrolle ->> 'kennung')::uuid, present.id, (kontrolle ->> 'datum')::date, kontrolle ->> 'ergebnis',
      coalesce(kontrolle ->> 'kontrolleur', rechte.wer()), kontrolle ->> 'bemerkung'
    )
    on conflict on constraint habitatkontrollen_kennung_key do nothing;
    get diagnostics number = row_count;
    added := added + number;
  end loop;
  if outcome = 'unveraendert' and added > 0 then outcome := 'geaendert'; end if;
  return jsonb_build_object(
    'kennung', stem, 'ergebnis', outcome, 'baum', rechte.habitat_json(present), 'regel', null, 'feld', null
  );
end $$;

-- Captures of a device, each answered at its place; one that is refused keeps none of the others from being
-- taken. Sent once more after a cut connection it finds what it has done.
create or replace function app.__o_sync_habitatbaeume(erfassungen jsonb)
  returns jsonb language plpgsql set search_path = pg_catalog as $$
declare
  erfassung jsonb;
  answers jsonb[] := '{}';
  rule text;
  field text;
  state text;
  said text;
begin
  perform rechte.check_value(
    jsonb_typeof(erfassungen) = 'array' and jsonb_array_length(erfassungen) between 0 and 500, 'erfassungen',
    'habitat_erfassungen'
  );
  for erfassung in select jsonb_array_elements(erfassungen) loop
    begin
      perform rechte.check_value(jsonb_typeof(erfassung) = 'object', 'erfassungen', 'habitat_erfassungen');
      answers := answers || rechte.habitat_erfassung(erfassung);
    exception
      when check_violation or insufficient_privilege or unique_violation or not_null_violation
        or data_exception or sqlstate 'PT403' or sqlstate 'PT404' or sqlstate 'PT409'
      then
        get stacked diagnostics rule = pg_exception_hint, field = column_name, state = returned_sqlstate,
          said = message_text;
        answers := answers || jsonb_build_object(
          'kennung', case jsonb_typeof(erfassung) when 'object' then erfassung ->> 'kennung' end,
          'ergebnis', case rule when 'habitat_geloescht' then 'geloescht' else 'abgelehnt' end, 'baum', null,
          'regel', coalesce(
            nullif(rule, ''),
            case
              when state in ('PT403', 'PT404', '42501') then 'habitat_nicht_erlaubt'
              when state = '23505' then 'habitat_kennung_vergeben'
              else 'habitat_wert'
            end
          ),
          'feld', coalesce(nullif(field, ''), substring(said from 'column "([^"]+)"'))
        );
    end;
  end loop;
  return to_jsonb(answers);
end $$;

-- Sets the same on many trees; all or none.
create or replace function app.__o_change_habitatbaeume(ids bigint[], werte jsonb)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  allowed constant text[] := '{art,art_text,zustand,status,markierung_art,markierung_datum,erfasser,sLVL01,sLVL02,sLVL03,sLVL04,sLVL05,iSTAND,verlust_datum,verlust_grund,kawm}';
  strange text;
  baum app.habitatbaeume;
  number integer := 0;
begin
  perform rechte.check_value(cardinality(ids) between 1 and 10000, 'ids', 'habitat_auswahl');
  perform rechte.check_value(jsonb_typeof(werte) = 'object' and werte <> '{}', 'werte', 'fehlt');
  select min(key) into strange from jsonb_object_keys(werte) key where key <> all (allowed);
  perform rechte.check_value(strange is null, coalesce(strange, ''), 'unbekanntes_feld');
  -- In one order, so that two who change the same trees wait for each other and not in a circle.
  perform from app.habitatbaeume t where t.id = any (ids) order by t.id for update;
  for baum in select t.* from app.habitatbaeume t where t.id = any (ids) order by t.id loop
    baum := jsonb_populate_record(baum, werte);
    update app.habitatbaeume t set
      art = baum.art, art_text = baum.art_text, zustand = baum.zustand, status = baum.status,
      markierung_art = baum.markierung_art, markierung_datum = baum.markierung_datum,
      erfasser = baum.erfasser, "sLVL01" = baum."sLVL01", "sLVL02" = baum."sLVL02", "sLVL03" = baum."sLVL03",
      "sLVL04" = baum."sLVL04", "sLVL05" = baum."sLVL05", "iSTAND" = baum."iSTAND",
      verlust_datum = baum.verlust_datum, verlust_grund = baum.verlust_grund, kawm = baum.kawm
    where t.id = baum.id;
    if found then number := number + 1; end if;
  end loop;
  if number <> (select count(distinct i) from unnest(ids) i) then
    raise sqlstate 'PT404' using message = 'not found or not allowed';
  end if;
  return number;
end $$;

-- Definer: asked for by the functions below. Whether the caller may read the trees of a headquarters; the
-- same as the policies say, once and not for each row.
create or replace function rechte.darf_habitat(hqid bigint)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select exists (
    select from app.hq h
    where h."idHQ" = hqid
      and (
        rechte.has_any('ogf_admin', 'ogf_team')
        or h.client_id = any (rechte.kunden_als('kundenadmin'))
        or h."idHQ" = any (rechte.hqs_aktiv())
      )
  )
$$;
select rechte.define('rechte.darf_habitat(bigint)');
grant execute on function rechte.darf_habitat(bigint) to nutzer, forst_definer;

-- Definer: looks for neighbours in a grid, which no policy on the rows has to slow down. What to look at in a
-- headquarters; lost trees are left out, and of each kind the first thousand are named.
-- Its plan is told: of rows made on the way nothing is known, and guessing them to be few sorts half a
-- million of them on disk.
create or replace function app.a_get_habitat_pruefung("idHQ" bigint)
  returns jsonb
  language plpgsql stable set search_path = pg_catalog set statement_timeout = '15s'
  set plan_cache_mode = force_custom_plan set jit = off set work_mem = '32MB' set enable_mergejoin = off as $$
declare
  betrieb constant bigint := "idHQ";
  -- Squares of web mercator that hold two metres of ground anywhere in the country.
  cell constant float8 := 4;
  area public.geometry;
  answer jsonb;
begin
  if not rechte.darf_habitat(betrieb) then
    raise sqlstate 'PT404' using message = 'not found or not allowed';
  end if;
  -- The holding's outline, and five metres around: no receiver is better under trees.
  select public.st_transform(f.geom, 3857) into area
  from app.hq_flaeche f
  where f.hqid = betrieb;
  with t as materialized (
    select b.id, b.nummer, b.markierung_art, b.lat, b.g3857 as g, coalesce(b.genauigkeit_m, 0) as genauigkeit
    from app.habitatbaeume b
    where b."idHQ" = betrieb and b.verlust_datum is null
  ),
  k as materialized (
    select t.id, public.st_x(t.g) as x, public.st_y(t.g) as y,
      floor(public.st_y(t.g) / cell)::bigint * 67108864 + floor(public.st_x(t.g) / cell)::bigint as zelle,
      cos(radians(t.lat)) as scale
    from t
  ),
  pairs as (
    -- The cell itself and those to the right, to the left below, below and to the right below: each two cells
    -- meet once.
    select a.id, b.id as andere, sqrt((a.x - b.x) ^ 2 + (a.y - b.y) ^ 2) * a.scale as abstand
    from k a
      cross join (values (0::bigint), (1), (67108863), (67108864), (67108865)) as o(weiter)
      join k b on b.zelle = a.zelle + o.weiter and (a.id < b.id or o.weiter <> 0)
    where ((a.x - b.x) ^ 2 + (a.y - b.y) ^ 2) * a.scale ^ 2 < 4
  ),
  found as materialized (
    select 'doppelt' as befund, 1 as nr, a.id, a.nummer, b.id as andere, b.nummer as andere_nummer,
      round(p.abstand::numeric, 2) as abstand_m
    from pairs p
      join t a on a.id = least(p.id, p.andere)
      join t b on b.id = greatest(p.id, p.andere)
    union all
    select 'ausserhalb', 2, o.id, o.nummer, null, null, round(o.abstand::numeric, 1)
    from (
      select t.id, t.nummer, t.genauigkeit, public.st_distance(area, t.g) * cos(radians(t.lat)) as abstand
      from t
      where area is not null and not public.st_intersects(area, t.g)
    ) o
    where o.abstand > greatest(5, o.genauigkeit)
    union all
    select 'ohne_bild', 3, t.id, t.nummer, null, null, null
    from t
      left join (
        select distinct b.habitat_id from app.habitatbilder b where b."idHQ" = betrieb
      ) b on b.habitat_id = t.id
    where b.habitat_id is null
    union all
    select 'ohne_markierung', 4, t.id, t.nummer, null, null, null
    from t
    where t.markierung_art is null
    union all
    select 'nummer_doppelt', 5, n.first, n.nummer, t.id, t.nummer, null
    from (
      select lower(t.nummer) as folded, min(t.nummer) as nummer, min(t.id) as first
      from t
      where t.nummer is not null
      group by 1
      having count(*) > 1
    ) n
      join t on lower(t.nummer) = n.folded and t.id <> n.first
  ),
  arten as (
    select k.befund, k.nr::integer as nr
    from unnest(
      '{doppelt,ausserhalb,ohne_bild,ohne_markierung,nummer_doppelt}'::text[]
    ) with ordinality k(befund, nr)
  )
  select jsonb_build_object(
    'flaeche', area is not null,
    'zahlen', (
      select jsonb_object_agg(k.befund, coalesce(c.n, 0))
      from arten k
        left join (select f.nr, count(*) as n from found f group by f.nr) c on c.nr = k.nr
    ),
    'zeilen', coalesce((
      select jsonb_agg(
        jsonb_build_object(
          'befund', k.befund, 'id', r.id, 'nummer', r.nummer, 'andere', r.andere,
          'andere_nummer', r.andere_nummer, 'abstand_m', r.abstand_m
        ) order by k.nr, r.id, r.andere
      )
      from arten k
        cross join lateral (select f.* from found f where f.nr = k.nr order by f.id, f.andere limit 1000) r
    ), '[]')
  ) into answer;
  return answer;
end $$;
select rechte.define('app.a_get_habitat_pruefung(bigint)');

revoke execute on function rechte.habitat_felder(), rechte.habitat_json(app.habitatbaeume),
  rechte.habitat_erfassung(jsonb), app.__o_sync_habitatbaeume(jsonb),
  app.__o_change_habitatbaeume(bigint[], jsonb) from public;
grant execute on function rechte.habitat_felder(), rechte.habitat_json(app.habitatbaeume),
  rechte.habitat_erfassung(jsonb), rechte.habitat_merken(uuid, bytea), rechte.habitat_empfangen(uuid, bytea),
  rechte.habitat_stein(uuid), app.__o_sync_habitatbaeume(jsonb),
  app.__o_change_habitatbaeume(bigint[], jsonb), app.a_get_habitat_pruefung(bigint) to nutzer;

-- Photos ----------------------------------------------------------------------------------------------------

-- Definer: nobody adds rows of photos by themselves. Names a photo that the server has stored, in the
-- caller's name: whoever may change the tree. The same photo told twice is one.
create or replace function rechte.habitat_bild_aufnehmen(
  habitat_id bigint, kennung uuid, dateiname text, typ text, groesse bigint, breite integer, hoehe integer,
  sha256 text, aufgenommen_am timestamptz, richtung numeric, exif_lon float8, exif_lat float8, bemerkung text,
  out id bigint, out neu boolean
) language plpgsql set search_path = pg_catalog as $$
declare
  baum app.habitatbaeume;
  present app.habitatbilder;
  place public.geometry;
begin
  select t.* into baum
  from app.habitatbaeume t
  where t.id = habitat_bild_aufnehmen.habitat_id
    and (rechte.has_role('ogf_admin') or t."idHQ" = any (rechte.hqs_aktiv())) for no key update;
  if baum.id is null then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  if exists (select from app.kunde k where k.client_id = baum.client_id and k.gesperrt_bis is not null) then
    raise sqlstate 'PT409' using message = 'the customer is blocked', hint = 'kunde_gesperrt';
  end if;
  if exists (
    select from rechte.habitat_geloescht g
    where g.kennung = habitat_bild_aufnehmen.kennung and g."idHQ" = baum."idHQ"
  ) then
    raise sqlstate 'PT409' using message = 'deleted before', hint = 'habitat_geloescht';
  end if;
  select b.* into present
  from app.habitatbilder b
  where b.kennung = habitat_bild_aufnehmen.kennung;
  if present.id is not null then
    if present.habitat_id <> baum.id or present.sha256 <> habitat_bild_aufnehmen.sha256 then
      raise sqlstate 'PT409' using message = 'taken', hint = 'habitat_kennung_vergeben';
    end if;
    id := present.id;
    neu := false;
    return;
  end if;
  if (select count(*) from app.habitatbilder b where b.habitat_id = baum.id) >= 50 then
    raise sqlstate 'PT409' using message = 'too many', hint = 'habitat_bilder_viele';
  end if;
  if exif_lon between -180 and 180 and exif_lat between -90 and 90 then
    place := public.st_setsrid(public.st_makepoint(exif_lon, exif_lat), 4326);
  end if;
  insert into app.habitatbilder as b (
    kennung, habitat_id, client_id, "idHQ", dateiname, typ, groesse, breite, hoehe, sha256, aufgenommen_am,
    richtung, exif_lage, exif_abweichung_m, bemerkung, titelbild
  )
  values (
    habitat_bild_aufnehmen.kennung, baum.id, baum.client_id, baum."idHQ", habitat_bild_aufnehmen.dateiname,
    habitat_bild_aufnehmen.typ, habitat_bild_aufnehmen.groesse, habitat_bild_aufnehmen.breite,
    habitat_bild_aufnehmen.hoehe, habitat_bild_aufnehmen.sha256, habitat_bild_aufnehmen.aufgenommen_am,
    habitat_bild_aufnehmen.richtung, place,
    case
      when place is not null then
        public.st_distance(place::public.geography, baum.lage::public.geography)::numeric
    end,
    habitat_bild_aufnehmen.bemerkung,
    not exists (select from app.habitatbilder o where o.habitat_id = baum.id)
  )
  returning b.id into habitat_bild_aufnehmen.id;
  neu := true;
end $$;

-- Definer: nobody writes what a photo says of its place. A tree that is moved changes how far its photos lie
-- from it.
create or replace function rechte.habitat_bild_abweichung()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  update app.habitatbilder b set exif_abweichung_m = public.st_distance(
    b.exif_lage::public.geography,
    public.st_setsrid(public.st_makepoint(new.lon, new.lat), 4326)::public.geography
  )::numeric
  where b.habitat_id = new.id and b.exif_lage is not null;
  return null;
end $$;
select rechte.define('rechte.habitat_bild_abweichung()');
create or replace trigger w_abweichung after update of lon, lat on app.habitatbaeume
  for each row when ((new.lon, new.lat) is distinct from (old.lon, old.lat))
  execute function rechte.habitat_bild_abweichung();

-- Definer: as above. What was made of a photo; false: it was deleted meanwhile.
create or replace function rechte.habitat_bild_groessen(id bigint, klein text, mittel text, gross text)
  returns boolean language plpgsql set search_path = pg_catalog as $$
begin
  update app.habitatbilder b set
    klein = habitat_bild_groessen.klein, mittel = habitat_bild_groessen.mittel,
    gross = habitat_bild_groessen.gross
  where b.id = habitat_bild_groessen.id;
  return found;
end $$;
-- Definer: as above. Photos of which sizes are missing, after a crash for example; `nach` is the last one
-- that was looked at.
create or replace function rechte.habitat_bilder_offen(nach bigint, hoechstens integer)
  returns table (id bigint, typ text, sha256 text) language sql stable set search_path = pg_catalog as $$
  select b.id, b.typ, b.sha256
  from app.habitatbilder b
  where (b.klein is null or b.mittel is null or b.gross is null) and b.id > habitat_bilder_offen.nach
  order by b.id limit least(habitat_bilder_offen.hoechstens, 1000)
$$;
do $$
declare entry regprocedure;
begin
  foreach entry in array array[
    'rechte.habitat_bild_aufnehmen(bigint, uuid, text, text, bigint, integer, integer, text, timestamptz, numeric, float8, float8, text)',
    'rechte.habitat_bild_groessen(bigint, text, text, text)', 'rechte.habitat_bilder_offen(bigint, integer)'
  ]::regprocedure[] loop
    perform rechte.define(entry);
    execute format('grant execute on function %s to forst_karte', entry);
  end loop;
end $$;

-- Definer: only the server may change which one is the title. A deleted title photo leaves its place to the
-- oldest one.
create or replace function rechte.habitat_titel_nach()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  update app.habitatbilder b set titelbild = true
  where b.id = (select min(o.id) from app.habitatbilder o where o.habitat_id = old.habitat_id)
    and not exists (select from app.habitatbilder o where o.habitat_id = old.habitat_id and o.titelbild);
  return null;
end $$;
select rechte.define('rechte.habitat_titel_nach()');
create or replace trigger w_titel after delete on app.habitatbilder
  for each row when (old.titelbild and current_user <> 'forst_betrieb')
  execute function rechte.habitat_titel_nach();

-- Definer, called by those that remove or block a customer (datenschutz.sql). Of trees nothing is kept, also
-- not in the history.
create or replace function rechte.habitat_entfernen(client_id bigint)
  returns void language sql set search_path = pg_catalog as $$
  delete from app.habitatbaeume t where t.client_id = habitat_entfernen.client_id;
  delete from rechte.habitat_geloescht g where g.client_id = habitat_entfernen.client_id;
  update app.verlauf v set alt = null, neu = null
  where v.client_id = habitat_entfernen.client_id
    and v.tabelle in ('habitatbaeume', 'habitatkontrollen', 'habitatbilder');
$$;
select rechte.define('rechte.habitat_entfernen(bigint)');
-- Definer, called by those that remove a person: a name stays with the tree where somebody else is meant by
-- it.
create or replace function rechte.habitat_namen(person bigint, name text, statt text)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  update app.habitatbaeume t set geaendert_von = statt
  where t.geaendert_von = name
    and exists (
      select from app.verlauf v
      where v.tabelle = 'habitatbaeume' and v.schluessel = t.id::text and v.user_id = person
    );
  update app.habitatbaeume t set
    erfasser = case when t.erfasser = habitat_namen.name then statt else t.erfasser end,
    angelegt_von = case when t.angelegt_von = habitat_namen.name then statt else t.angelegt_von end,
    geaendert_von = t.geaendert_von
  where habitat_namen.name in (t.erfasser, t.angelegt_von)
    and exists (
      select from app.verlauf v
      where v.tabelle = 'habitatbaeume' and v.schluessel = t.id::text and v.user_id = person
    );
  update app.habitatkontrollen k set
    kontrolleur = case when k.kontrolleur = name then statt else k.kontrolleur end,
    angelegt_von = case when k.angelegt_von = name then statt else k.angelegt_von end
  where name in (k.kontrolleur, k.angelegt_von)
    and exists (
      select from app.verlauf v
      where v.tabelle = 'habitatkontrollen' and v.schluessel = k.id::text and v.user_id = person
    );
  update app.habitatbilder b set
    created_by = case when b.created_by = name then statt else b.created_by end,
    geaendert_von = case when b.geaendert_von = name then statt else b.geaendert_von end
  where name in (b.created_by, b.geaendert_von)
    and exists (
      select from app.verlauf v
      where v.tabelle = 'habitatbilder' and v.schluessel = b.id::text and v.user_id = person
    );
  update app.verlauf v set
    alt = rechte.ohne_werte(v.alt, '{erfasser,kontrolleur,angelegt_von,created_by}'),
    neu = rechte.ohne_werte(v.neu, '{erfasser,kontrolleur,angelegt_von,created_by}')
  where v.tabelle in ('habitatbaeume', 'habitatkontrollen', 'habitatbilder')
    and name in (
      v.alt ->> 'erfasser', v.neu ->> 'erfasser', v.alt ->> 'kontrolleur', v.neu ->> 'kontrolleur',
      v.alt ->> 'angelegt_von', v.neu ->> 'angelegt_von', v.alt ->> 'created_by', v.neu ->> 'created_by'
    );
end $$;
select rechte.define('rechte.habitat_namen(bigint, text, text)');

-- KAWM ------------------------------------------------------------------------------------------------------

-- What the grant asks of a headquarters and what is missing. The same rule stands in domain/kawm.ts; both are
-- tested against domain/kawm.cases.json.
create or replace function rechte.kawm(
  modul boolean, eigene boolean, flaeche_eigen numeric, flaeche_fe numeric, bewilligung date, heute date,
  erfasst integer, markiert integer, ohne_bild integer
) returns jsonb language sql immutable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'flaeche', r.flaeche, 'soll', r.soll, 'fehlend', r.fehlend, 'fehlend_markiert', r.unmarkiert,
    'frist', r.frist, 'tage', r.tage, 'bindung_10', (bewilligung + interval '10 years')::date,
    'bindung_20', (bewilligung + interval '20 years')::date,
    'naturwald_pflicht', coalesce(r.flaeche > 100, false), 'naturwald_soll', round(r.flaeche * 0.05, 4),
    'fehlt', coalesce((
      select jsonb_agg(jsonb_build_object('code', f.code, 'anzahl', f.anzahl) order by f.nr)
      from (
        values (1, not modul, 'modul_aus', null), (2, coalesce(r.flaeche, 0) = 0, 'flaeche_fehlt', null),
          (3, bewilligung is null, 'bewilligung_fehlt', null), (4, r.fehlend > 0, 'baeume_fehlen', r.fehlend),
          (
            5, least(erfasst, r.soll) - markiert > 0 and r.soll is not null, 'markierung_fehlt',
            least(erfasst, r.soll) - markiert
          ),
          (6, r.tage < 0 and r.unmarkiert > 0, 'frist_versaeumt', -r.tage),
          (7, r.tage between 0 and 180 and r.unmarkiert > 0, 'frist_bald', r.tage),
          (8, r.flaeche > 100, 'naturwald', null), (9, ohne_bild > 0, 'ohne_bild', ohne_bild)
      ) as f(nr, holds, code, anzahl)
      where f.holds
    ), '[]')
  )
  from (
    select q.flaeche, q.soll, case when q.soll is not null then greatest(0, q.soll - erfasst) end as fehlend,
      case when q.soll is not null then greatest(0, q.soll - markiert) end as unmarkiert, q.frist,
      q.frist - heute as tage
    from (
      select p.flaeche, ceil(p.flaeche * 5)::integer as soll,
        (bewilligung + interval '2 years')::date as frist
      from (select case when eigene then flaeche_eigen else flaeche_fe end as flaeche) p
    ) q
  ) r
$$;

-- Definer: counts without asking the policies for each tree. State of the grant of one headquarters; trees
-- that are lost or do not count for the grant are told apart.
create or replace function app.__o_get_kawm("idHQ" bigint)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare
  betrieb constant bigint := "idHQ";
  answer jsonb;
begin
  if not rechte.darf_habitat(betrieb) then
    raise sqlstate 'PT404' using message = 'not found or not allowed';
  end if;
  with t as materialized (
    select b.status, b.markierung_art is not null as markiert, b.verlust_datum is not null as verloren,
      b.kawm, b."sLVL01", b."sLVL02", b."sLVL03", b."sLVL04", b."sLVL05", b."iSTAND",
      f.habitat_id is not null as bild
    from app.habitatbaeume b
      left join (
        select distinct f.habitat_id from app.habitatbilder f where f."idHQ" = betrieb
      ) f on f.habitat_id = b.id
    where b."idHQ" = betrieb
  ),
  x as materialized (
    select t."sLVL01", t."sLVL02", t."sLVL03", t."sLVL04", t."sLVL05", t."iSTAND",
      count(*) filter (where not t.verloren) as erfasst,
      count(*) filter (where not t.verloren and t.markiert) as markiert,
      count(*) filter (where not t.verloren and t.status = 'anwaerter') as anwaerter,
      count(*) filter (where not t.verloren and t.status = 'baum') as baeume,
      count(*) filter (where t.verloren) as verloren
    from t
    where t.kawm
    group by 1, 2, 3, 4, 5, 6
  ),
  w as materialized (
    -- Thousands of stands have few names: each is made a key once.
    select u.name, rechte.natural_key(u.name) collate "C" as k
    from (
      select x."sLVL01" as name
      from x
      union
      select x."sLVL02"
      from x
      union
      select x."sLVL03"
      from x
      union
      select x."sLVL04"
      from x
      union
      select x."sLVL05"
      from x
    ) u
    where u.name is not null
  ),
  n as (
    select count(*) filter (where not t.verloren and t.kawm)::integer as erfasst,
      count(*) filter (where not t.verloren and t.kawm and t.markiert)::integer as markiert,
      count(*) filter (where not t.verloren and t.kawm and t.status = 'anwaerter')::integer as anwaerter,
      count(*) filter (where not t.verloren and t.kawm and t.status = 'baum')::integer as baeume,
      count(*) filter (where t.verloren)::integer as verloren,
      count(*) filter (where not t.verloren and not t.kawm)::integer as ohne_kawm,
      count(*) filter (where not t.verloren and t.kawm and not t.bild)::integer as ohne_bild
    from t
  )
  select jsonb_build_object(
    'idHQ', h."idHQ", 'sHQ', h."sHQ", 'modul', s.kawm_enabled, 'eigene', s.kawm_custom_area_enabled,
    'flaeche_eigen', s.kawm_area, 'flaeche_fe', h."dcFLAEHB", 'bewilligung', s.kawm_approval_date,
    'heute', rechte.heute(), 'erfasst', n.erfasst, 'markiert', n.markiert, 'anwaerter', n.anwaerter,
    'baeume', n.baeume, 'verloren', n.verloren, 'ohne_kawm', n.ohne_kawm, 'ohne_bild', n.ohne_bild
  ) || rechte.kawm(
    s.kawm_enabled, s.kawm_custom_area_enabled, s.kawm_area, h."dcFLAEHB", s.kawm_approval_date,
    rechte.heute(), n.erfasst, n.markiert, n.ohne_bild
  ) || jsonb_build_object(
    'bestaende', coalesce((
      select jsonb_agg(
        jsonb_build_object(
          'sLVL01', x."sLVL01", 'sLVL02', x."sLVL02", 'sLVL03', x."sLVL03", 'sLVL04', x."sLVL04",
          'sLVL05', x."sLVL05", 'iSTAND', x."iSTAND", 'erfasst', x.erfasst, 'markiert', x.markiert,
          'anwaerter', x.anwaerter, 'baeume', x.baeume, 'verloren', x.verloren
        )
        order by coalesce(w1.k, ''), coalesce(w2.k, ''), coalesce(w3.k, ''), coalesce(w4.k, ''),
          coalesce(w5.k, ''), x."iSTAND" nulls first
      )
      from x
        left join w w1 on w1.name = x."sLVL01"
        left join w w2 on w2.name = x."sLVL02"
        left join w w3 on w3.name = x."sLVL03"
        left join w w4 on w4.name = x."sLVL04"
        left join w w5 on w5.name = x."sLVL05"
    ), '[]')
  ) into answer
  from app.hq h join app.kunde_hq s on s.hqid = h."idHQ" cross join n
  where h."idHQ" = betrieb;
  return answer;
end $$;
select rechte.define('app.__o_get_kawm(bigint)');
revoke execute on function rechte.kawm(
  boolean, boolean, numeric, numeric, date, date, integer, integer, integer
) from public;
grant execute on function rechte.kawm(
  boolean, boolean, numeric, numeric, date, date, integer, integer, integer
) to forst_definer;
grant execute on function app.__o_get_kawm(bigint) to nutzer;
