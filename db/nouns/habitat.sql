-- Habitat trees, their check-ups and their photos. Read: the forest half's staff all, a customer's
-- kundenadmin those of the customer, foresters those of their headquarters while it is enabled. Written by
-- linked foresters and ogf_admin; deleted by ogf_admin and the headquarters' administrators. Only the server,
-- which has the bytes, adds photos.

-- Definer: reads headquarters regardless of their policies. The caller's enabled headquarters; with
-- 'hq_admin' only those the caller administers.
create or replace function forest.active_hqs(status text default null)
  returns bigint[] language plpgsql stable set search_path = pg_catalog as $$
declare own bigint[] := rights.hqs_as(active_hqs.status);
begin
  return array(select h."idHQ" from app.hq h where h."idHQ" = any (own) and h.fb_enabled);
end $$;
select rights.define('forest.active_hqs(text)');
grant execute on function forest.active_hqs(text) to nutzer, forst_definer;

select rights.protect('app.habitatbaeume');
select rights.protect('app.habitatkontrollen');
select rights.protect('app.habitatbilder');
select rights.protect('forest.habitat_geloescht');
select rights.protect('forest.habitat_empfangen');
grant execute on function checks.are_structures(jsonb), forest.structure_search(jsonb)
  to nutzer, forst_definer, forst_betrieb;
grant select, insert, delete on forest.habitat_geloescht, forest.habitat_empfangen to forst_definer;
grant select, delete,
  update (erfasser, angelegt_von, version, geaendert_am, geaendert_von) on app.habitatbaeume to forst_definer;
grant select, delete, update (kontrolleur, angelegt_von) on app.habitatkontrollen to forst_definer;
grant select, insert, update, delete on app.habitatbilder to forst_definer;
grant select, delete,
  insert (
    kennung, "idHQ", nummer, art, art_text, bhd_cm, hoehe_m, zustand, status, strukturen, markierung_art,
    markierung_datum, erfasst_am, erfasser, lon, lat, genauigkeit_m, lage_methode, lage_zeit, lage_fix,
    genauigkeit_geschaetzt, "sLVL01", "sLVL02", "sLVL03", "sLVL04", "sLVL05", "iSTAND", bemerkung,
    verlust_datum, verlust_grund, kawm
  ),
  update (
  nummer, art, art_text, bhd_cm, hoehe_m, zustand, status, strukturen, markierung_art, markierung_datum,
  erfasst_am, erfasser, lon, lat, genauigkeit_m, lage_methode, lage_zeit, lage_fix, genauigkeit_geschaetzt,
  "sLVL01", "sLVL02", "sLVL03", "sLVL04", "sLVL05", "iSTAND", bemerkung, verlust_datum, verlust_grund, kawm
) on app.habitatbaeume to nutzer;
grant select, delete,
  insert (kennung, habitat_id, datum, ergebnis, kontrolleur, bemerkung) on app.habitatkontrollen to nutzer;
grant select, delete, update (bemerkung, titelbild) on app.habitatbilder to nutzer;
alter table app.habitatbaeume alter column erfasser set default rights.caller_name();
alter table app.habitatbaeume alter column angelegt_von set default rights.caller_name();
alter table app.habitatkontrollen alter column kontrolleur set default rights.caller_name();
alter table app.habitatkontrollen alter column angelegt_von set default rights.caller_name();
alter table app.habitatbilder alter column created_by set default rights.caller_name();

do $$
declare name text;
begin
  foreach name in array '{habitatbaeume,habitatkontrollen,habitatbilder}'::text[] loop
    execute format(
      $p$create policy staff on app.%I for select to nutzer
        using ((select rights.has_any('ogf_admin', 'ogf_team')))$p$,
      name
    );
    execute format(
      $p$create policy own_kunde on app.%I for select to nutzer
        using (client_id = any ((select rights.kunden_as('kundenadmin'))::bigint[]))$p$,
      name
    );
    execute format(
      $p$create policy linked on app.%I for select to nutzer
        using ("idHQ" = any ((select forest.active_hqs())::bigint[]))$p$,
      name
    );
    execute format(
      $p$create policy remove on app.%I for delete to nutzer
        using ((select rights.has_role('ogf_admin'))
        or "idHQ" = any ((select forest.active_hqs('hq_admin'))::bigint[]))$p$,
      name
    );
    if name <> 'habitatbilder' then
      execute format(
        $p$create policy add on app.%I for insert to nutzer
          with check ((select rights.has_role('ogf_admin'))
          or "idHQ" = any ((select forest.active_hqs())::bigint[]))$p$,
        name
      );
    end if;
    if name <> 'habitatkontrollen' then
      execute format(
        $p$create policy change on app.%I for update to nutzer
          using ((select rights.has_role('ogf_admin'))
          or "idHQ" = any ((select forest.active_hqs())::bigint[]))$p$,
        name
      );
    end if;
  end loop;
end $$;

-- Lists of codes. domain/habitat/species.ts and structures.ts have the same codes with their names; a test
-- compares them.
create or replace function forest.habitat_species()
  returns text[] language sql immutable parallel safe set search_path = pg_catalog
  return '{bu,sei,tei,rei,es,bah,sah,fah,hbu,wli,sli,bul,flu,feu,vki,els,spei,vbe,wob,kas,nus,sbi,mbi,rer,
    wer,as,pa,wei,rob,fi,ta,kta,dgl,ki,ski,zki,str,ela,jla,eib,sonstige}'::text[];
grant execute on function forest.habitat_species() to nutzer;
create or replace function forest.habitat_structures(system text)
  returns text[] language sql immutable parallel safe set search_path = pg_catalog
  return case system
    when 'larrieu_2018' then
      '{1.1,1.2,1.3,1.4,2.1,2.2,2.3,2.4,2.5,2.6,3.1,4.1,4.2,4.3,4.4,5.1,5.2,5.3,5.4,6.1,6.2,6.3,6.4,6.5,7.1,
        7.2,7.3,8.1,8.2,9.1,9.2,10.1,11.1,11.2,11.3,11.4,12.1,12.2,12.3,12.4,12.5,13.1,13.2,14.1,14.2,15.1,
        15.2}'::text[]
    when 'kraus_2016' then
      '{CV11,CV12,CV13,CV14,CV15,CV21,CV22,CV23,CV24,CV25,CV26,CV31,CV32,CV33,CV41,CV42,CV43,CV44,CV51,CV52,
        IN11,IN12,IN13,IN14,IN21,IN22,IN23,IN24,IN31,IN32,IN33,IN34,BA11,BA12,BA13,DE11,DE12,DE13,DE14,DE15,
        GR11,GR12,GR13,GR21,GR22,GR31,GR32,EP11,EP12,EP13,EP14,EP21,EP31,EP32,EP33,EP34,EP35,NE11,NE12,NE21,
        OT11,OT12,OT21,OT22}'::text[]
    else '{}'
  end;
grant execute on function forest.habitat_structures(text) to nutzer;

-- Definer: the table of deletions is closed to nutzer. Whether this was deleted from this headquarters;
-- reveals nothing about others.
create or replace function forest.was_habitat_deleted(kennung uuid, hqid bigint)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select exists (
    select from forest.habitat_geloescht g
    where g.kennung = was_habitat_deleted.kennung and g."idHQ" = was_habitat_deleted.hqid
  )
$$;
select rights.define('forest.was_habitat_deleted(uuid, bigint)');
grant execute on function forest.was_habitat_deleted(uuid, bigint) to nutzer;

-- Definer: a key for the trees reads no headquarters. The customer of one whose trees the caller may read.
create or replace function forest.kunde_of(hqid bigint)
  returns bigint language plpgsql stable set search_path = pg_catalog as $$
begin
  return (
    select h.client_id
    from app.hq h
    where h."idHQ" = kunde_of.hqid and forest.may_habitat(h."idHQ")
  );
end $$;
select rights.define('forest.kunde_of(bigint)');
grant execute on function forest.kunde_of(bigint) to nutzer;

-- An accuracy that is given with another place is of that place, also if it is the one that was known.
create or replace trigger a_angabe before update of genauigkeit_m on app.habitatbaeume
  for each row when (current_user in ('nutzer', 'programm')) execute function history.mark_said();

-- Checks each field, with the stable name of its rule as hint. The customer follows from the headquarters; a
-- headquarters the caller may not see is refused.
create or replace function forest.check_habitatbaum()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  one jsonb;
  said boolean := new.version = -1;
  tomorrow date := checks.today() + 1;
begin
  if tg_op = 'UPDATE' then new.version := old.version; end if;
  -- 7 decimal places are about a centimetre; a file with more must not count as a move.
  new.lon := round(new.lon::numeric, 7);
  new.lat := round(new.lat::numeric, 7);
  if tg_op = 'INSERT' then
    new.client_id := coalesce(
      (select h.client_id from app.hq h where h."idHQ" = new."idHQ"), forest.kunde_of(new."idHQ")
    );
    perform rights.refuse_unless(new.client_id is not null);
    if forest.was_habitat_deleted(new.kennung, new."idHQ") then
      raise sqlstate 'PT409' using message = 'deleted before', hint = 'habitat_geloescht';
    end if;
  end if;
  perform checks.check_value(new.nummer is null or checks.is_line(new.nummer, 40), 'nummer', 'zeile_40');
  perform checks.check_value(new.art = any (forest.habitat_species()), 'art', 'habitat_art');
  perform checks.check_value(
    new.art_text is null or checks.is_line(new.art_text, 100), 'art_text', 'zeile_100'
  );
  perform checks.check_value(
    new.art <> 'sonstige' or new.art_text is not null, 'art_text', 'habitat_art_text'
  );
  perform checks.check_value(
    new.bhd_cm is null or (new.bhd_cm > 0 and new.bhd_cm <= 500), 'bhd_cm', 'habitat_bhd'
  );
  perform checks.check_value(
    new.hoehe_m is null or (new.hoehe_m > 0 and new.hoehe_m <= 80), 'hoehe_m', 'habitat_hoehe'
  );
  perform checks.check_value(
    new.zustand in ('lebend', 'absterbend', 'tot_stehend', 'stumpf'), 'zustand', 'habitat_zustand'
  );
  perform checks.check_value(new.status in ('baum', 'anwaerter'), 'status', 'habitat_status');
  perform checks.check_value(checks.are_structures(new.strukturen), 'strukturen', 'habitat_strukturen');
  for one in select jsonb_array_elements(new.strukturen) loop
    perform checks.check_value(
      one ->> 'code' = any (forest.habitat_structures(one ->> 'system')), 'strukturen',
      'habitat_struktur_unbekannt'
    );
  end loop;
  perform checks.check_value(
    new.markierung_art is null or new.markierung_art in ('welle', 'farbe', 'plakette', 'band', 'sonstige'),
    'markierung_art', 'habitat_markierung'
  );
  perform checks.check_value(
    new.markierung_datum is null or new.markierung_art is not null, 'markierung_art', 'habitat_markierung_art'
  );
  perform checks.check_value(
    new.markierung_datum is null or new.markierung_datum between '1950-01-01' and tomorrow,
    'markierung_datum', 'habitat_datum'
  );
  perform checks.check_value(new.erfasst_am between '1950-01-01' and tomorrow, 'erfasst_am', 'habitat_datum');
  perform checks.check_value(
    new.erfasser is null or checks.is_line(new.erfasser, 200), 'erfasser', 'zeile_200'
  );
  perform checks.check_value(new.lon is not null and new.lat is not null, 'lage', 'habitat_lage_fehlt');
  perform checks.check_value(new.lon between 3 and 18 and new.lat between 45 and 57, 'lage', 'habitat_lage');
  perform checks.check_value(
    new.genauigkeit_m is null or (new.genauigkeit_m >= 0 and new.genauigkeit_m < 100000), 'genauigkeit_m',
    'habitat_genauigkeit'
  );
  perform checks.check_value(
    new.lage_methode in ('gnss', 'rtk', 'karte', 'luftbild', 'import'), 'lage_methode', 'habitat_methode'
  );
  -- How well the place before was known, and by which method, does not hold for one that is set elsewhere.
  if tg_op = 'UPDATE' and not said and (new.lon, new.lat) is distinct from (old.lon, old.lat) then
    if (
      new.lage_methode, new.lage_zeit, new.lage_fix
    ) is not distinct from (old.lage_methode, old.lage_zeit, old.lage_fix) then
      new.lage_methode := 'karte';
    end if;
    new.genauigkeit_m := null;
  end if;
  -- Nor does what a receiver said of it.
  if tg_op = 'UPDATE'
    and (
      new.lage_fix, new.genauigkeit_geschaetzt
    ) is not distinct from (old.lage_fix, old.genauigkeit_geschaetzt)
    and (
      new.lage_methode not in ('gnss', 'rtk')
      or (
        (new.lon, new.lat) is distinct from (old.lon, old.lat)
        and new.lage_zeit is not distinct from old.lage_zeit
        -- A receiver without a clock measures another accuracy.
        and (new.lage_zeit is not null or new.genauigkeit_m is not distinct from old.genauigkeit_m)
      )
    )
  then
    new.lage_fix := null;
    new.genauigkeit_geschaetzt := false;
  end if;
  -- Set elsewhere than by a receiver, the time of the place before is not its time.
  if tg_op = 'UPDATE'
    and (new.lon, new.lat) is distinct from (old.lon, old.lat)
    and new.lage_zeit is not distinct from old.lage_zeit
  then
    new.lage_zeit := null;
  end if;
  -- From the first day of satellite time on, whatever the device's clock says.
  perform checks.check_value(
    new.lage_zeit is null or (new.lage_zeit >= '1980-01-06' and new.lage_zeit < '2100-01-01'), 'lage_zeit',
    'habitat_lage_zeit'
  );
  perform checks.check_value(
    new.lage_fix is null or new.lage_fix in ('gnss', 'dgps', 'pps', 'rtk_fixed', 'rtk_float', 'estimated'),
    'lage_fix', 'lage_fix'
  );
  perform checks.check_value(new."sLVL01" is null or checks.is_line(new."sLVL01", 60), 'sLVL01', 'zeile_60'),
    checks.check_value(new."sLVL02" is null or checks.is_line(new."sLVL02", 60), 'sLVL02', 'zeile_60'),
    checks.check_value(new."sLVL03" is null or checks.is_line(new."sLVL03", 60), 'sLVL03', 'zeile_60'),
    checks.check_value(new."sLVL04" is null or checks.is_line(new."sLVL04", 60), 'sLVL04', 'zeile_60'),
    checks.check_value(new."sLVL05" is null or checks.is_line(new."sLVL05", 60), 'sLVL05', 'zeile_60');
  perform checks.check_value(
    new."iSTAND" is null or new."iSTAND" between 0 and 1000000, 'iSTAND', 'habitat_stand'
  );
  perform checks.check_value(
    new.bemerkung is null or checks.is_text(new.bemerkung, 2000), 'bemerkung', 'text_2000'
  );
  perform checks.check_value(
    new.verlust_grund is null
      or new.verlust_grund in (
        'windwurf', 'entnommen', 'verkehrssicherung', 'brand', 'zersetzt', 'unbekannt', 'sonstige'
      ),
    'verlust_grund', 'habitat_verlust'
  );
  perform
    checks.check_value(
      new.verlust_grund is null or new.verlust_datum is not null, 'verlust_datum', 'habitat_verlust_datum'
    ),
    checks.check_value(
      new.verlust_datum is null or new.verlust_grund is not null, 'verlust_grund', 'habitat_verlust_grund'
    );
  perform checks.check_value(
    new.verlust_datum is null or new.verlust_datum between '1950-01-01' and tomorrow, 'verlust_datum',
    'habitat_datum'
  );
  perform checks.check_value(new.kawm is not null, 'kawm', 'fehlt');
  return new;
end $$;
grant execute on function forest.check_habitatbaum() to nutzer;
-- Runs before a_blocked (privacy.sql), which needs the tree's customer.
create or replace trigger a_baum before insert or update on app.habitatbaeume
  for each row when (current_user in ('nutzer', 'programm')) execute function forest.check_habitatbaum();

create or replace function forest.check_habitat_visit()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  select t.client_id, t."idHQ" into new.client_id, new."idHQ"
  from app.habitatbaeume t
  where t.id = new.habitat_id;
  perform rights.refuse_unless(new.client_id is not null);
  perform checks.check_value(new.datum between '1950-01-01' and checks.today() + 1, 'datum', 'habitat_datum');
  perform checks.check_value(
    new.ergebnis in ('vorhanden', 'markierung_fehlt', 'markierung_erneuert', 'veraendert', 'nicht_gefunden'),
    'ergebnis', 'habitat_kontrolle'
  );
  perform checks.check_value(
    new.kontrolleur is null or checks.is_line(new.kontrolleur, 200), 'kontrolleur', 'zeile_200'
  );
  perform checks.check_value(
    new.bemerkung is null or checks.is_text(new.bemerkung, 2000), 'bemerkung', 'text_2000'
  );
  return new;
end $$;
grant execute on function forest.check_habitat_visit() to nutzer;
create or replace trigger a_pruefen before insert on app.habitatkontrollen
  for each row when (current_user in ('nutzer', 'programm')) execute function forest.check_habitat_visit();

-- One title photo per tree: choosing another replaces the one before.
create or replace function forest.keep_one_title_picture()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  update app.habitatbilder b set titelbild = false
  where b.habitat_id = new.habitat_id and b.id <> new.id and b.titelbild;
  return new;
end $$;
grant execute on function forest.keep_one_title_picture() to nutzer, forst_definer;
create or replace trigger b_titelbild before update of titelbild on app.habitatbilder
  for each row when (new.titelbild and not old.titelbild and current_user <> 'forst_betrieb')
  execute function forest.keep_one_title_picture();

-- Definer: the table of deletions is closed to nutzer. Records nothing if the whole headquarters is being
-- deleted.
create or replace function forest.record_habitat_deletion()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  insert into forest.habitat_geloescht (kennung, art, client_id, "idHQ")
  select old.kennung, tg_argv[0], old.client_id, old."idHQ"
  from app.hq h
  where h."idHQ" = old."idHQ"
  on conflict do nothing;
  return null;
end $$;
select rights.define('forest.record_habitat_deletion()');
create or replace trigger x_gestrichen after delete on app.habitatbaeume
  for each row when (current_user <> 'forst_betrieb') execute function forest.record_habitat_deletion('baum');
create or replace trigger x_gestrichen after delete on app.habitatkontrollen
  for each row when (current_user <> 'forst_betrieb')
  execute function forest.record_habitat_deletion('kontrolle');
create or replace trigger x_gestrichen after delete on app.habitatbilder
  for each row when (current_user <> 'forst_betrieb') execute function forest.record_habitat_deletion('bild');

select history.watch('app.habitatbaeume', 'id', true);
select history.watch('app.habitatkontrollen', 'id', false);
-- The sizes the server makes of a photo do not count as a change.
create or replace trigger y_stamp before insert or update of bemerkung, titelbild on app.habitatbilder
  for each row when (current_user <> 'forst_betrieb') execute function history.stamp_change();
create or replace trigger z_verlauf after insert or delete or update of bemerkung, titelbild
  on app.habitatbilder
  for each row when (current_user <> 'forst_betrieb') execute function history.record_change('id');
-- Includes what was deleted, for everybody who could read it.
create policy habitat on app.verlauf for select to nutzer
  using (
    tabelle in ('habitatbaeume', 'habitatkontrollen', 'habitatbilder', 'kawm_nachweis')
    and (
      (select rights.has_role('ogf_team'))
      or client_id = any ((select rights.kunden_as('kundenadmin'))::bigint[])
      or hqid = any ((select forest.active_hqs())::bigint[])
    )
  );

-- For lists.
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
    -- Web mercator in decimetre precision: keeps the map's answers short.
    round(public.st_x(t.g3857) * 10) / 10 as x, round(public.st_y(t.g3857) * 10) / 10 as y, t.lage_zeit,
    t.lage_fix, t.genauigkeit_geschaetzt
  from app.habitatbaeume t left join app.hq h on h."idHQ" = t."idHQ";
revoke all on app.habitatbaeume_liste from public, nutzer;
grant select on app.habitatbaeume_liste to nutzer;
-- For the map, with the filters of the list: how a tree is drawn (alive, dead, candidate, lost), and the
-- tree's cell for each cluster size (edge of 2^5 to 2^16 metres in web mercator). The data API's aggregates
-- count the clusters, so a map with many trees does not fetch each of them.
do $$
begin
  execute 'create view app.habitatbaeume_karte with (security_invoker = true) as select l.*,
    case when l.verloren then 3 when l.status = ''anwaerter'' then 2 when l.zustand in (''lebend'',
      ''absterbend'') then 0 else 1 end as zeichen, '
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

-- Fields that people enter for a tree.
create or replace function forest.habitat_fields()
  returns text[] language sql immutable parallel safe set search_path = pg_catalog
  return '{nummer,art,art_text,bhd_cm,hoehe_m,zustand,status,strukturen,markierung_art,markierung_datum,
    erfasst_am,erfasser,lon,lat,genauigkeit_m,lage_methode,lage_zeit,lage_fix,
    genauigkeit_geschaetzt,sLVL01,sLVL02,sLVL03,sLVL04,sLVL05,iSTAND,bemerkung,verlust_datum,
    verlust_grund,kawm}'::text[];
grant execute on function forest.habitat_fields() to nutzer;
-- A tree as the API returns it: without the derived columns.
create or replace function forest.habitat_json(tree app.habitatbaeume)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select to_jsonb(t)
  from (
    select tree.id, tree.kennung, tree.client_id, tree."idHQ", tree.nummer, tree.art, tree.art_text,
      tree.bhd_cm, tree.hoehe_m, tree.zustand, tree.status, tree.strukturen, tree.markierung_art,
      tree.markierung_datum, tree.erfasst_am, tree.erfasser, tree.lon, tree.lat, tree.genauigkeit_m,
      tree.lage_methode, tree.lage_zeit, tree.lage_fix, tree.genauigkeit_geschaetzt, tree."sLVL01",
      tree."sLVL02", tree."sLVL03", tree."sLVL04", tree."sLVL05", tree."iSTAND", tree.bemerkung,
      tree.verlust_datum, tree.verlust_grund, tree.kawm, tree.angelegt_am, tree.angelegt_von, tree.version,
      tree.geaendert_am, tree.geaendert_von
  ) t
$$;
grant execute on function forest.habitat_json(app.habitatbaeume) to nutzer;

-- Definer: the table of received captures is closed to nutzer. Remembers a capture of a tree that the caller
-- may change. False: it was received before.
create or replace function forest.remember_received(kennung uuid, digest bytea)
  returns boolean language plpgsql set search_path = pg_catalog as $$
begin
  delete from forest.habitat_empfangen e
  where e.kennung = remember_received.kennung and e.zeit < now() - interval '180 days';
  insert into forest.habitat_empfangen (kennung, digest, client_id)
  select t.kennung, remember_received.digest, t.client_id
  from app.habitatbaeume t
  where t.kennung = remember_received.kennung
    and (rights.has_role('ogf_admin') or t."idHQ" = any (forest.active_hqs()))
  on conflict do nothing;
  return found;
end $$;
select rights.define('forest.remember_received(uuid, bytea)');
grant execute on function forest.remember_received(uuid, bytea) to nutzer;
-- Definer: as above.
create or replace function forest.is_received(kennung uuid, digest bytea)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select exists (
    select from forest.habitat_empfangen e
    where e.kennung = is_received.kennung and e.digest = is_received.digest
  )
$$;
select rights.define('forest.is_received(uuid, bytea)');
grant execute on function forest.is_received(uuid, bytea) to nutzer;
-- Definer: the table of deletions is closed to nutzer. Whether a tree was deleted that the caller could have
-- changed.
create or replace function forest.is_habitat_deleted(kennung uuid)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select exists (
    select from forest.habitat_geloescht g
    where g.kennung = is_habitat_deleted.kennung
      and (rights.has_role('ogf_admin') or g."idHQ" = any (forest.active_hqs()))
  )
$$;
select rights.define('forest.is_habitat_deleted(uuid)');
grant execute on function forest.is_habitat_deleted(uuid) to nutzer;

-- Handles one capture with the caller's own rights; the rules above refuse what is not allowed.
create or replace function forest.receive_capture(capture jsonb)
  returns jsonb language plpgsql set search_path = pg_catalog as $$
declare
  stem uuid := (capture ->> 'kennung')::uuid;
  based_on integer := (capture ->> 'version')::integer;
  digest bytea := sha256(convert_to(capture::text, 'UTF8'));
  -- Only known fields, so that nobody can set a version or a customer this way.
  given jsonb := (
    select coalesce(jsonb_object_agg(e.key, e.value), '{}')
    from jsonb_each(capture) e
    where e.key = any (forest.habitat_fields())
  );
  strange text := (
    select min(key)
    from jsonb_object_keys(capture) key
    where key <> all (forest.habitat_fields() || '{kennung,version,idHQ,kontrollen}'::text[])
  );
  present app.habitatbaeume;
  wanted app.habitatbaeume;
  outcome text;
  added integer := 0;
  number integer;
  visit jsonb;
begin
  perform checks.check_value(stem is not null, 'kennung', 'fehlt');
  perform checks.check_value(strange is null, coalesce(strange, ''), 'unbekanntes_feld');
  select t.* into present from app.habitatbaeume t where t.kennung = stem;
  if present.id is null then
    if forest.is_habitat_deleted(stem) then
      return jsonb_build_object(
        'kennung', stem, 'ergebnis', 'geloescht', 'baum', null, 'regel', null, 'feld', null
      );
    end if;
    perform rights.check_found(based_on is null);
    perform checks.check_value((capture ->> 'idHQ') is not null, 'idHQ', 'fehlt'),
      checks.check_value(given ->> 'art' is not null, 'art', 'fehlt');
    wanted := jsonb_populate_record(
      null::app.habitatbaeume,
      jsonb_build_object(
        'zustand', 'lebend', 'status', 'baum', 'strukturen', '[]'::jsonb, 'lage_methode', 'karte',
        'kawm', true, 'genauigkeit_geschaetzt', false, 'erfasst_am', checks.today(),
        'erfasser', rights.caller_name()
      ) || given
    );
    -- Sent twice at the same time: the second waits for the first and then finds its tree.
    insert into app.habitatbaeume as t (
      kennung, "idHQ", nummer, art, art_text, bhd_cm, hoehe_m, zustand, status, strukturen, markierung_art,
      markierung_datum, erfasst_am, erfasser, lon, lat, genauigkeit_m, lage_methode, lage_zeit, lage_fix,
      genauigkeit_geschaetzt, "sLVL01", "sLVL02", "sLVL03", "sLVL04", "sLVL05", "iSTAND", bemerkung,
      verlust_datum, verlust_grund, kawm
    )
    values (
      stem, (capture ->> 'idHQ')::bigint, wanted.nummer, wanted.art, wanted.art_text, wanted.bhd_cm,
      wanted.hoehe_m, wanted.zustand, wanted.status, wanted.strukturen, wanted.markierung_art,
      wanted.markierung_datum, wanted.erfasst_am, wanted.erfasser, wanted.lon, wanted.lat,
      wanted.genauigkeit_m, wanted.lage_methode, wanted.lage_zeit, wanted.lage_fix,
      wanted.genauigkeit_geschaetzt, wanted."sLVL01", wanted."sLVL02", wanted."sLVL03", wanted."sLVL04",
      wanted."sLVL05", wanted."iSTAND", wanted.bemerkung, wanted.verlust_datum, wanted.verlust_grund,
      wanted.kawm
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
    if capture ->> 'idHQ' is not null and (capture ->> 'idHQ')::bigint <> present."idHQ" then
      raise sqlstate 'PT409' using message = 'of another headquarters', hint = 'habitat_kennung_vergeben';
    end if;
    perform rights.refuse_unless(rights.has_role('ogf_admin') or present."idHQ" = any (forest.active_hqs()));
    -- Nobody else can change it from here on.
    select t.* into present from app.habitatbaeume t where t.id = present.id for update;
    if not found then
      return jsonb_build_object(
        'kennung', stem, 'ergebnis', 'geloescht', 'baum', null, 'regel', null, 'feld', null
      );
    end if;
    -- Sent by a device that knows no kind of solution: what is known of the place before does not hold.
    if (capture ? 'lon' or capture ? 'lat') and not capture ? 'lage_fix' then
      given := given || '{"lage_fix": null, "genauigkeit_geschaetzt": false}';
    end if;
    wanted := jsonb_populate_record(present, given);
    wanted.lon := round(wanted.lon::numeric, 7);
    wanted.lat := round(wanted.lat::numeric, 7);
    -- As the check does of places that come without a word about how they were found.
    if (wanted.lon, wanted.lat) is distinct from (present.lon, present.lat)
      and not capture ?| '{genauigkeit_m,lage_zeit}'
      and given ->> 'lage_fix' is null
    then
      wanted.genauigkeit_m := null;
      if not capture ? 'lage_methode' then wanted.lage_methode := 'karte'; end if;
    end if;
    if forest.is_received(stem, digest) or to_jsonb(wanted) = to_jsonb(present) then
      outcome := 'unveraendert';
    -- Without a version it is a new tree whose first capture arrived but whose answer was lost: the device is
    -- newer, unless somebody has changed the tree since.
    elsif coalesce(based_on, 1) <> present.version then
      outcome := 'konflikt';
    else
      update app.habitatbaeume t set
        nummer = wanted.nummer, art = wanted.art, art_text = wanted.art_text, bhd_cm = wanted.bhd_cm,
        hoehe_m = wanted.hoehe_m, zustand = wanted.zustand, status = wanted.status,
        strukturen = wanted.strukturen, markierung_art = wanted.markierung_art,
        markierung_datum = wanted.markierung_datum, erfasst_am = wanted.erfasst_am,
        erfasser = wanted.erfasser, lon = wanted.lon, lat = wanted.lat, genauigkeit_m = wanted.genauigkeit_m,
        lage_methode = wanted.lage_methode, lage_zeit = wanted.lage_zeit, lage_fix = wanted.lage_fix,
        genauigkeit_geschaetzt = wanted.genauigkeit_geschaetzt, "sLVL01" = wanted."sLVL01",
        "sLVL02" = wanted."sLVL02", "sLVL03" = wanted."sLVL03", "sLVL04" = wanted."sLVL04",
        "sLVL05" = wanted."sLVL05", "iSTAND" = wanted."iSTAND", bemerkung = wanted.bemerkung,
        verlust_datum = wanted.verlust_datum, verlust_grund = wanted.verlust_grund, kawm = wanted.kawm
      where t.id = present.id
      returning t.* into present;
      outcome := 'geaendert';
    end if;
  end if;
  if outcome in ('angelegt', 'geaendert') then perform forest.remember_received(stem, digest); end if;
  for visit in
    select jsonb_array_elements(case jsonb_typeof(capture -> 'kontrollen')
      when 'array' then capture -> 'kontrollen'
      else '[]'
    end)
  loop
    perform checks.check_value((visit ->> 'kennung') is not null, 'kontrollen', 'fehlt');
    continue when forest.was_habitat_deleted((visit ->> 'kennung')::uuid, present."idHQ");
    insert into app.habitatkontrollen (kennung, habitat_id, datum, ergebnis, kontrolleur, bemerkung)
    values (
      (visit ->> 'kennung')::uuid, present.id, (visit ->> 'datum')::date, visit ->> 'ergebnis',
      coalesce(visit ->> 'kontrolleur', rights.caller_name()), visit ->> 'bemerkung'
    )
    on conflict on constraint habitatkontrollen_kennung_key do nothing;
    get diagnostics number = row_count;
    added := added + number;
  end loop;
  if outcome = 'unveraendert' and added > 0 then outcome := 'geaendert'; end if;
  return jsonb_build_object(
    'kennung', stem, 'ergebnis', outcome, 'baum', forest.habitat_json(present), 'regel', null, 'feld', null
  );
end $$;
grant execute on function forest.receive_capture(jsonb) to nutzer;

-- Captures from a device, answered in the same order; a refused one does not stop the others. Repeated after
-- a lost connection, the call finds what it has already done.
create or replace function app.__o_sync_habitatbaeume(erfassungen jsonb)
  returns jsonb language plpgsql set search_path = pg_catalog as $$
declare
  capture jsonb;
  answers jsonb[] := '{}';
  rule text;
  field text;
  state text;
  said text;
begin
  perform checks.check_value(
    jsonb_typeof(erfassungen) = 'array' and jsonb_array_length(erfassungen) between 0 and 500, 'erfassungen',
    'habitat_erfassungen'
  );
  for capture in select jsonb_array_elements(erfassungen) loop
    begin
      perform checks.check_value(jsonb_typeof(capture) = 'object', 'erfassungen', 'habitat_erfassungen');
      answers := answers || forest.receive_capture(capture);
    exception
      when check_violation or insufficient_privilege or unique_violation or not_null_violation
        or data_exception or sqlstate 'PT403' or sqlstate 'PT404' or sqlstate 'PT409'
      then
        get stacked diagnostics rule = pg_exception_hint, field = column_name, state = returned_sqlstate,
          said = message_text;
        answers := answers || (
          checks.refused_capture(capture, 'habitat', 'habitat_kennung_vergeben', rule, field, state, said)
          || '{"baum": null}'
        );
    end;
  end loop;
  return to_jsonb(answers);
end $$;
grant execute on function app.__o_sync_habitatbaeume(jsonb) to nutzer;

-- Sets the same values on many trees; all or none.
create or replace function app.__o_change_habitatbaeume(ids bigint[], werte jsonb)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  allowed constant text[] := '{art,art_text,zustand,status,markierung_art,markierung_datum,erfasser,sLVL01,
    sLVL02,sLVL03,sLVL04,sLVL05,iSTAND,verlust_datum,verlust_grund,kawm}';
  strange text;
  tree app.habitatbaeume;
  number integer := 0;
begin
  perform checks.check_value(cardinality(ids) between 1 and 10000, 'ids', 'habitat_auswahl');
  perform checks.check_value(jsonb_typeof(werte) = 'object' and werte <> '{}', 'werte', 'fehlt');
  select min(key) into strange from jsonb_object_keys(werte) key where key <> all (allowed);
  perform checks.check_value(strange is null, coalesce(strange, ''), 'unbekanntes_feld');
  -- Always locked in the same order, so that two calls for the same trees cannot deadlock.
  perform from app.habitatbaeume t where t.id = any (ids) order by t.id for update;
  for tree in select t.* from app.habitatbaeume t where t.id = any (ids) order by t.id loop
    tree := jsonb_populate_record(tree, werte);
    update app.habitatbaeume t set
      art = tree.art, art_text = tree.art_text, zustand = tree.zustand, status = tree.status,
      markierung_art = tree.markierung_art, markierung_datum = tree.markierung_datum,
      erfasser = tree.erfasser, "sLVL01" = tree."sLVL01", "sLVL02" = tree."sLVL02", "sLVL03" = tree."sLVL03",
      "sLVL04" = tree."sLVL04", "sLVL05" = tree."sLVL05", "iSTAND" = tree."iSTAND",
      verlust_datum = tree.verlust_datum, verlust_grund = tree.verlust_grund, kawm = tree.kawm
    where t.id = tree.id;
    if found then number := number + 1; end if;
  end loop;
  perform rights.check_found(number = (select count(distinct i) from unnest(ids) i));
  return number;
end $$;
grant execute on function app.__o_change_habitatbaeume(bigint[], jsonb) to nutzer;

-- Definer: checks once instead of for each row, by the same rules as the policies. Whether the caller may
-- read the trees of a headquarters.
create or replace function forest.may_habitat(hqid bigint)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select exists (
    select from app.hq h
    where h."idHQ" = hqid
      and rights.key_reads('habitat', h.client_id)
      and (
        rights.has_any('ogf_admin', 'ogf_team')
        or h.client_id = any (rights.kunden_as('kundenadmin'))
        or h."idHQ" = any (forest.active_hqs())
      )
  )
$$;
select rights.define('forest.may_habitat(bigint)');
grant execute on function forest.may_habitat(bigint) to nutzer, forst_definer;

-- Definer: a key for stands or trees reads neither headquarters nor customers. What an import has to know of
-- its headquarters, for callers who may import there.
create or replace function forest.import_target(hqid bigint, key_group text)
  returns table ("idHQ" bigint, client_id bigint, "sHQ" text, ebenen text[], bundesland text)
  language sql stable set search_path = pg_catalog as $$
  select h."idHQ", h.client_id, h."sHQ", h.ebenen, k.bundesland
  from app.hq h join app.kunde k on k.client_id = h.client_id
  where h."idHQ" = import_target.hqid
    and import_target.key_group in ('bestaende', 'habitat')
    and rights.key_reads(import_target.key_group, h.client_id)
    and (
      rights.has_role('ogf_admin')
      or (import_target.key_group = 'habitat' and h."idHQ" = any (forest.active_hqs()))
    )
$$;
select rights.define('forest.import_target(bigint, text)');
grant execute on function forest.import_target(bigint, text) to nutzer;

-- Definer: searches for neighbours in a grid; policies on the rows would only slow it down. Trees of a
-- headquarters to look at. Lost trees are left out; the first thousand of each kind are listed.
-- The planner settings are fixed because there are no statistics on intermediate rows: it would assume few
-- and sort half a million of them on disk.
create or replace function app.a_get_habitat_pruefung("idHQ" bigint)
  returns jsonb
  language plpgsql stable set search_path = pg_catalog set statement_timeout = '15s'
  set plan_cache_mode = force_custom_plan set jit = off set work_mem = '32MB' set enable_mergejoin = off as $$
declare
  betrieb constant bigint := "idHQ";
  -- Metres of web mercator that are at least two metres on the ground anywhere in Germany.
  cell constant float8 := 4;
  -- More trees cannot stand in a cell: of a file whose trees are all at one place, each is compared with so
  -- many.
  crowd constant integer := 20;
  area public.geometry;
  answer jsonb;
begin
  perform rights.check_found(forest.may_habitat(betrieb));
  -- The holding's outline with a tolerance of five metres: under trees no receiver is more accurate.
  select public.st_transform(f.geom, 3857) into area
  from app.hq_flaeche f
  where f.hqid = betrieb;
  with t as materialized (
    select b.id, b.nummer, b.markierung_art, b.lat, b.g3857 as g, coalesce(b.genauigkeit_m, 0) as genauigkeit
    from app.habitatbaeume b
    where b."idHQ" = betrieb and b.verlust_datum is null
  ),
  k as materialized (
    select t.id, t.nummer, public.st_x(t.g) as x, public.st_y(t.g) as y,
      floor(public.st_y(t.g) / cell)::bigint * 67108864 + floor(public.st_x(t.g) / cell)::bigint as zelle,
      cos(radians(t.lat)) as scale
    from t
  ),
  firsts as materialized (
    select r.*
    from (select k.*, row_number() over (partition by k.zelle order by k.id) as rang from k) r
    where r.rang <= crowd
  ),
  pairs as (
    -- The cell itself, the one to the right and the three cells of the next row: every pair of neighbouring
    -- cells is compared once.
    select case when a.id < b.id then a.id else b.id end as id,
      case when a.id < b.id then a.nummer else b.nummer end as nummer,
      case when a.id < b.id then b.id else a.id end as andere,
      case when a.id < b.id then b.nummer else a.nummer end as andere_nummer,
      sqrt((a.x - b.x) ^ 2 + (a.y - b.y) ^ 2) * a.scale as abstand
    from k a
      cross join (values (0::bigint), (1), (67108863), (67108864), (67108865)) as o(weiter)
      join firsts b on b.zelle = a.zelle + o.weiter and (a.id > b.id or o.weiter <> 0)
    where ((a.x - b.x) ^ 2 + (a.y - b.y) ^ 2) * a.scale ^ 2 < 4
  ),
  found as materialized (
    select 'doppelt' as befund, 1 as nr, p.id, p.nummer, p.andere, p.andere_nummer,
      round(p.abstand::numeric, 2) as abstand_m
    from pairs p
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
select rights.define('app.a_get_habitat_pruefung(bigint)');
grant execute on function app.a_get_habitat_pruefung(bigint) to nutzer;

-- Photos ----------------------------------------------------------------------------------------------------

-- Definer: nutzer has no right to add photos. Adds a photo the server has stored, on behalf of a caller who
-- may change the tree. Repeating the call does not add it again.
create or replace function forest.add_habitat_picture(
  habitat_id bigint, kennung uuid, dateiname text, typ text, groesse bigint, breite integer, hoehe integer,
  sha256 text, aufgenommen_am timestamptz, richtung numeric, exif_lon float8, exif_lat float8, bemerkung text,
  out id bigint, out neu boolean
) language plpgsql set search_path = pg_catalog as $$
declare
  tree app.habitatbaeume;
  present app.habitatbilder;
  place public.geometry;
begin
  select t.* into tree
  from app.habitatbaeume t
  where t.id = add_habitat_picture.habitat_id
    and (rights.has_role('ogf_admin') or t."idHQ" = any (forest.active_hqs())) for no key update;
  perform rights.check_found(tree.id is not null);
  if exists (select from app.kunde k where k.client_id = tree.client_id and k.gesperrt_bis is not null) then
    raise sqlstate 'PT409' using message = 'the customer is blocked', hint = 'kunde_gesperrt';
  end if;
  if exists (
    select from forest.habitat_geloescht g
    where g.kennung = add_habitat_picture.kennung and g."idHQ" = tree."idHQ"
  ) then
    raise sqlstate 'PT409' using message = 'deleted before', hint = 'habitat_geloescht';
  end if;
  select b.* into present
  from app.habitatbilder b
  where b.kennung = add_habitat_picture.kennung;
  if present.id is not null then
    if present.habitat_id <> tree.id or present.sha256 <> add_habitat_picture.sha256 then
      raise sqlstate 'PT409' using message = 'taken', hint = 'habitat_kennung_vergeben';
    end if;
    id := present.id;
    neu := false;
    return;
  end if;
  if (select count(*) from app.habitatbilder b where b.habitat_id = tree.id) >= 50 then
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
    add_habitat_picture.kennung, tree.id, tree.client_id, tree."idHQ", add_habitat_picture.dateiname,
    add_habitat_picture.typ, add_habitat_picture.groesse, add_habitat_picture.breite,
    add_habitat_picture.hoehe, add_habitat_picture.sha256, add_habitat_picture.aufgenommen_am,
    add_habitat_picture.richtung, place,
    case
      when place is not null then
        public.st_distance(place::public.geography, tree.lage::public.geography)::numeric
    end,
    add_habitat_picture.bemerkung, not exists (select from app.habitatbilder o where o.habitat_id = tree.id)
  )
  returning b.id into add_habitat_picture.id;
  neu := true;
end $$;
select rights.define(
  'forest.add_habitat_picture(bigint, uuid, text, text, bigint, integer, integer, text,
    timestamptz, numeric, float8, float8, text)'
);
grant execute on function forest.add_habitat_picture(
  bigint, uuid, text, text, bigint, integer, integer, text, timestamptz, numeric, float8, float8, text
) to forst_karte;

-- Definer: nutzer may not write a photo's distance. Moving a tree changes the distance of its photos.
create or replace function forest.measure_picture_distance()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  update app.habitatbilder b set exif_abweichung_m = public.st_distance(
    b.exif_lage::public.geography,
    public.st_setsrid(public.st_makepoint(new.lon, new.lat), 4326)::public.geography
  )::numeric
  where b.habitat_id = new.id and b.exif_lage is not null;
  return null;
end $$;
select rights.define('forest.measure_picture_distance()');
create or replace trigger w_abweichung after update of lon, lat on app.habitatbaeume
  for each row when ((new.lon, new.lat) is distinct from (old.lon, old.lat))
  execute function forest.measure_picture_distance();

-- Definer: forst_karte has no right on photos. Stores the sizes made of a photo. False: it has been deleted.
create or replace function forest.set_picture_sizes(id bigint, klein text, mittel text, gross text)
  returns boolean language plpgsql set search_path = pg_catalog as $$
begin
  update app.habitatbilder b set
    klein = set_picture_sizes.klein, mittel = set_picture_sizes.mittel, gross = set_picture_sizes.gross
  where b.id = set_picture_sizes.id;
  return found;
end $$;
select rights.define('forest.set_picture_sizes(bigint, text, text, text)');
grant execute on function forest.set_picture_sizes(bigint, text, text, text) to forst_karte;
-- Definer: as above. Photos whose sizes are missing, for example after a crash, from the one after
-- `after_id`.
create or replace function forest.pictures_without_sizes(after_id bigint, most integer)
  returns table (id bigint, typ text, sha256 text) language sql stable set search_path = pg_catalog as $$
  select b.id, b.typ, b.sha256
  from app.habitatbilder b
  where (b.klein is null or b.mittel is null or b.gross is null) and b.id > pictures_without_sizes.after_id
  order by b.id limit least(pictures_without_sizes.most, 1000)
$$;
select rights.define('forest.pictures_without_sizes(bigint, integer)');
grant execute on function forest.pictures_without_sizes(bigint, integer) to forst_karte;

-- Definer: must also succeed if the caller may not change photos. Of the remaining photos
-- the one taken first replaces a deleted title photo.
create or replace function forest.pass_on_title_picture()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  update app.habitatbilder b set titelbild = true
  where b.id = (
      select o.id
      from app.habitatbilder o
      where o.habitat_id = old.habitat_id
      order by o.aufgenommen_am nulls last, o.id limit 1
    )
    and not exists (select from app.habitatbilder o where o.habitat_id = old.habitat_id and o.titelbild);
  return null;
end $$;
select rights.define('forest.pass_on_title_picture()');
create or replace trigger w_titel after delete on app.habitatbilder
  for each row when (old.titelbild and current_user <> 'forst_betrieb')
  execute function forest.pass_on_title_picture();

-- Definer: removing or blocking a customer (privacy.sql) needs no other right on these tables. Nothing of the
-- trees is kept, not even in the history.
create or replace function forest.remove_habitat(client_id bigint)
  returns void language sql set search_path = pg_catalog as $$
  delete from app.habitatbaeume t where t.client_id = remove_habitat.client_id;
  delete from forest.habitat_geloescht g where g.client_id = remove_habitat.client_id;
  update app.verlauf v set alt = null, neu = null
  where v.client_id = remove_habitat.client_id
    and v.tabelle in ('habitatbaeume', 'habitatkontrollen', 'habitatbilder');
$$;
select rights.define('forest.remove_habitat(bigint)');
-- Definer: called where a person is deleted. Replaces the name only in rows that the history shows this
-- person changed; a namesake's stays.
create or replace function forest.replace_habitat_name(person bigint, name text, replacement text)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  update app.habitatbaeume t set geaendert_von = replacement
  where t.geaendert_von = name
    and exists (
      select from app.verlauf v
      where v.tabelle = 'habitatbaeume' and v.schluessel = t.id::text and v.user_id = person
    );
  update app.habitatbaeume t set
    erfasser = case when t.erfasser = replace_habitat_name.name then replacement else t.erfasser end,
    angelegt_von = case
      when t.angelegt_von = replace_habitat_name.name then replacement
      else t.angelegt_von
    end,
    geaendert_von = t.geaendert_von
  where replace_habitat_name.name in (t.erfasser, t.angelegt_von)
    and exists (
      select from app.verlauf v
      where v.tabelle = 'habitatbaeume' and v.schluessel = t.id::text and v.user_id = person
    );
  update app.habitatkontrollen k set
    kontrolleur = case when k.kontrolleur = name then replacement else k.kontrolleur end,
    angelegt_von = case when k.angelegt_von = name then replacement else k.angelegt_von end
  where name in (k.kontrolleur, k.angelegt_von)
    and exists (
      select from app.verlauf v
      where v.tabelle = 'habitatkontrollen' and v.schluessel = k.id::text and v.user_id = person
    );
  update app.habitatbilder b set
    created_by = case when b.created_by = name then replacement else b.created_by end,
    geaendert_von = case when b.geaendert_von = name then replacement else b.geaendert_von end
  where name in (b.created_by, b.geaendert_von)
    and exists (
      select from app.verlauf v
      where v.tabelle = 'habitatbilder' and v.schluessel = b.id::text and v.user_id = person
    );
  update app.verlauf v set
    alt = privacy.without_values(v.alt, '{erfasser,kontrolleur,angelegt_von,created_by}'),
    neu = privacy.without_values(v.neu, '{erfasser,kontrolleur,angelegt_von,created_by}')
  where v.tabelle in ('habitatbaeume', 'habitatkontrollen', 'habitatbilder')
    and name in (
      v.alt ->> 'erfasser', v.neu ->> 'erfasser', v.alt ->> 'kontrolleur', v.neu ->> 'kontrolleur',
      v.alt ->> 'angelegt_von', v.neu ->> 'angelegt_von', v.alt ->> 'created_by', v.neu ->> 'created_by'
    );
end $$;
select rights.define('forest.replace_habitat_name(bigint, text, text)');

-- KAWM ------------------------------------------------------------------------------------------------------

-- What the grant requires of a headquarters and what is missing. domain/kawm.oracle.ts has the same rule;
-- both are tested with domain/kawm.cases.json.
create or replace function forest.kawm(
  has_module boolean, own boolean, own_area numeric, fe_area numeric, approved_on date, today date,
  captured integer, marked integer, without_picture integer
) returns jsonb language sql immutable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'flaeche', r.flaeche, 'soll', r.soll, 'fehlend', r.fehlend, 'fehlend_markiert', r.unmarkiert,
    'frist', r.frist, 'tage', r.tage, 'bindung_10', (approved_on + interval '10 years')::date,
    'bindung_20', (approved_on + interval '20 years')::date,
    'naturwald_pflicht', coalesce(r.flaeche > 100, false), 'naturwald_soll', round(r.flaeche * 0.05, 4),
    'fehlt', coalesce((
      select jsonb_agg(jsonb_build_object('code', f.code, 'anzahl', f.anzahl) order by f.nr)
      from (
        values (1, not has_module, 'modul_aus', null), (2, coalesce(r.flaeche, 0) = 0, 'flaeche_fehlt', null),
          (3, approved_on is null, 'bewilligung_fehlt', null), (4, r.fehlend > 0, 'baeume_fehlen', r.fehlend),
          (
            5, least(captured, r.soll) - marked > 0 and r.soll is not null, 'markierung_fehlt',
            least(captured, r.soll) - marked
          ),
          (6, r.tage < 0 and r.unmarkiert > 0, 'frist_versaeumt', -r.tage),
          (7, r.tage between 0 and 180 and r.unmarkiert > 0, 'frist_bald', r.tage),
          (8, r.flaeche > 100, 'naturwald', null), (9, without_picture > 0, 'ohne_bild', without_picture)
      ) as f(nr, holds, code, anzahl)
      where f.holds
    ), '[]')
  )
  from (
    select q.flaeche, q.soll, case when q.soll is not null then greatest(0, q.soll - captured) end as fehlend,
      case when q.soll is not null then greatest(0, q.soll - marked) end as unmarkiert, q.frist,
      q.frist - today as tage
    from (
      select p.flaeche, ceil(p.flaeche * 5)::integer as soll,
        (approved_on + interval '2 years')::date as frist
      from (select case when own then own_area else fe_area end as flaeche) p
    ) q
  ) r
$$;
grant execute on function forest.kawm(
  boolean, boolean, numeric, numeric, date, date, integer, integer, integer
) to nutzer, forst_definer;

-- Definer: counts without evaluating the policies for each tree. State of the grant of one headquarters;
-- trees that are lost or do not count for the grant are counted separately.
create or replace function app.__o_get_kawm("idHQ" bigint)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare
  betrieb constant bigint := "idHQ";
  answer jsonb;
begin
  perform rights.check_found(forest.may_habitat(betrieb));
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
    -- Thousands of stands share few names: each key is computed once.
    select u.name, search.natural_key(u.name) collate "C" as k
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
    'heute', checks.today(), 'erfasst', n.erfasst, 'markiert', n.markiert, 'anwaerter', n.anwaerter,
    'baeume', n.baeume, 'verloren', n.verloren, 'ohne_kawm', n.ohne_kawm, 'ohne_bild', n.ohne_bild
  ) || forest.kawm(
    s.kawm_enabled, s.kawm_custom_area_enabled, s.kawm_area, h."dcFLAEHB", s.kawm_approval_date,
    checks.today(), n.erfasst, n.markiert, n.ohne_bild
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
select rights.define('app.__o_get_kawm(bigint)');
grant execute on function app.__o_get_kawm(bigint) to nutzer;
