-- KAWM beyond the figures of a headquarters (habitat.sql): its stands, its progress by month, its state on a
-- day, and a record of reports made as evidence. Open to everybody who may read the headquarters' trees;
-- writes nothing but history.

-- Definer: under policies no spatial index is used, and every tree would be compared with every stand. The
-- stand of each tree of a headquarters: the one its forest address names, otherwise the one it is located in;
-- null if neither. Empty for callers who may not read the trees.
create or replace function forest.kawm_places(hqid bigint)
  returns table (habitat_id bigint, bestand_id bigint, nach_lage boolean)
  language sql stable set search_path = pg_catalog as $$
  with t as materialized (
    select b.id, b.g3857, s.id as bestand
    from app.habitatbaeume b
      left join app.bestand s on s."idHQ" = kawm_places.hqid
        and coalesce(s."sLVL01", '') = coalesce(b."sLVL01", '')
        and coalesce(s."sLVL02", '') = coalesce(b."sLVL02", '')
        and coalesce(s."sLVL03", '') = coalesce(b."sLVL03", '')
        and coalesce(s."sLVL04", '') = coalesce(b."sLVL04", '')
        and coalesce(s."sLVL05", '') = coalesce(b."sLVL05", '')
        and coalesce(s."iSTAND", -1) = coalesce(b."iSTAND", -1)
        and num_nonnulls(b."sLVL01", b."sLVL02", b."sLVL03", b."sLVL04", b."sLVL05", b."iSTAND") > 0
    where b."idHQ" = kawm_places.hqid and (select forest.may_habitat(kawm_places.hqid))
  )
  select t.id, t.bestand, false
  from t
  where t.bestand is not null
  union all
  select t.id, g.id, g.id is not null
  from t
    left join lateral (
      select s.id
      from app.bestand s
      where s."idHQ" = kawm_places.hqid and public.st_covers(s.g3857, t.g3857)
      order by s.id limit 1
    ) g on true
  where t.bestand is null
$$;
select rights.define('forest.kawm_places(bigint)');
grant execute on function forest.kawm_places(bigint) to nutzer, forst_definer;

-- Definer: as above; checks the right once instead of for each row. The stands of a headquarters with their
-- trees that count for the grant, the trees outside of any stand, and the trees recorded and marked in each
-- month. Stands are listed only to callers who may see single stands (`umfang` as in bestand.sql). A stand:
-- [id, levels, number, hectares, recorded, marked, candidates, of these placed by location].
create or replace function app.a_get_kawm_bestaende("idHQ" bigint)
  returns jsonb
  language plpgsql stable set search_path = pg_catalog set statement_timeout = '15s'
  set plan_cache_mode = force_custom_plan as $$
declare
  betrieb constant bigint := "idHQ";
  scope constant text := forest.bestand_scope("idHQ");
  answer jsonb;
begin
  perform rights.check_found(forest.may_habitat(betrieb));
  with t as materialized (
    select b.erfasst_am, b.markierung_art is not null as markiert, b.markierung_datum, b.status, o.bestand_id,
      o.nach_lage
    from app.habitatbaeume b
      left join forest.kawm_places(betrieb) o on scope = 'alles' and o.habitat_id = b.id
    where b."idHQ" = betrieb and b.kawm and b.verlust_datum is null
  ),
  n as (
    select t.bestand_id, count(*) as erfasst, count(*) filter (where t.markiert) as markiert,
      count(*) filter (where t.status = 'anwaerter') as anwaerter,
      count(*) filter (where t.nach_lage) as nach_lage
    from t
    group by t.bestand_id
  ),
  m as (
    select v.monat, sum(v.erfasst) as erfasst, sum(v.markiert) as markiert
    from (
      select to_char(t.erfasst_am, 'YYYY-MM') as monat, 1 as erfasst, 0 as markiert
      from t
      union all
      select to_char(t.markierung_datum, 'YYYY-MM'), 0, 1
      from t
      where t.markierung_datum is not null
    ) v
    group by v.monat
  )
  select jsonb_build_object(
    'idHQ', h."idHQ", 'sHQ', h."sHQ", 'ebenen', h.ebenen, 'heute', checks.today(), 'umfang', scope,
    'bestaende', (
      select coalesce(jsonb_agg(
        jsonb_build_array(
          s.id, jsonb_build_array(s."sLVL01", s."sLVL02", s."sLVL03", s."sLVL04", s."sLVL05"), s."iSTAND",
          s.flaeche_ha, coalesce(n.erfasst, 0), coalesce(n.markiert, 0), coalesce(n.anwaerter, 0),
          coalesce(n.nach_lage, 0)
        ) order by s.sortadresse, s.id
      ), '[]')
      from app.bestand s left join n on n.bestand_id = s.id
      where s."idHQ" = betrieb and scope = 'alles'
    ),
    'ohne_bestand', jsonb_build_object(
      'erfasst', coalesce(max(n.erfasst), 0), 'markiert', coalesce(max(n.markiert), 0),
      'anwaerter', coalesce(max(n.anwaerter), 0)
    ),
    'monate', (
      select coalesce(jsonb_agg(jsonb_build_array(m.monat, m.erfasst, m.markiert) order by m.monat), '[]')
      from m
    ),
    'markiert_ohne_datum', (select count(*) from t where t.markiert and t.markierung_datum is null)
  ) into answer
  from app.hq h left join n on n.bestand_id is null
  where h."idHQ" = betrieb
  group by h."idHQ";
  return answer;
end $$;
select rights.define('app.a_get_kawm_bestaende(bigint)');
grant execute on function app.a_get_kawm_bestaende(bigint) to nutzer;

-- Definer: as above. The figures of app.__o_get_kawm on a given day: recorded by then, marked by then, not
-- yet lost. Whether a tree counts for the grant and whether it is a candidate is only known as of today. A
-- marking without a date counts as done.
create or replace function forest.kawm_on(hqid bigint, day date)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare answer jsonb;
begin
  perform rights.check_found(forest.may_habitat(hqid));
  perform checks.check_value(day between '2000-01-01' and checks.today(), 'tag', 'kawm_tag');
  with t as materialized (
    select b.status,
      b.markierung_art is not null and coalesce(b.markierung_datum <= kawm_on.day, true) as markiert,
      coalesce(b.verlust_datum <= kawm_on.day, false) as verloren, b.kawm, f.habitat_id is not null as bild
    from app.habitatbaeume b
      left join (
        select distinct f.habitat_id from app.habitatbilder f where f."idHQ" = kawm_on.hqid
      ) f on f.habitat_id = b.id
    where b."idHQ" = kawm_on.hqid and b.erfasst_am <= kawm_on.day
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
    'heute', kawm_on.day, 'erfasst', n.erfasst, 'markiert', n.markiert, 'anwaerter', n.anwaerter,
    'baeume', n.baeume, 'verloren', n.verloren, 'ohne_kawm', n.ohne_kawm, 'ohne_bild', n.ohne_bild
  ) || forest.kawm(
    s.kawm_enabled, s.kawm_custom_area_enabled, s.kawm_area, h."dcFLAEHB", s.kawm_approval_date, kawm_on.day,
    n.erfasst, n.markiert, n.ohne_bild
  ) into answer
  from app.hq h join app.kunde_hq s on s.hqid = h."idHQ" cross join n
  where h."idHQ" = kawm_on.hqid;
  return answer;
end $$;
select rights.define('forest.kawm_on(bigint, date)');
grant execute on function forest.kawm_on(bigint, date) to nutzer;

-- Definer: the supplier's settings belong to the books, and foresters may not read customers. Head of a
-- report on trees: the provider as in every letter, and the customer whose holding it is.
-- null: the caller may not read the trees.
create or replace function forest.report_head(hqid bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'idHQ', h."idHQ", 'sHQ', h."sHQ", 'ebenen', h.ebenen, 'dtFE', h."dtFE", 'modul', s.kawm_enabled,
    'epsg', k.epsg, 'wer', rights.caller_name(), 'heute', checks.today(),
    'zeit', to_char(now() at time zone 'Europe/Berlin', 'DD.MM.YYYY, HH24:MI'),
    'kunde', jsonb_build_object(
      'name', k.name, 'name_zusatz', k.name_zusatz, 'strasse', k.strasse, 'plz', k.plz, 'ort', k.ort
    ),
    'firma', (
      select jsonb_build_object(
        'name', l.name, 'name_zusatz', l.name_zusatz, 'strasse', l.strasse, 'plz', l.plz, 'ort', l.ort,
        'telefon', l.telefon, 'mail', l.mail, 'webseite', l.webseite,
        'logo', translate(encode(l.logo, 'base64'), E'\n', ''), 'logo_typ', l.logo_typ
      )
      from app.lieferant l
    )
  )
  from app.hq h
    join app.kunde k on k.client_id = h.client_id
    join app.kunde_hq s on s.hqid = h."idHQ"
  where h."idHQ" = report_head.hqid and forest.may_habitat(report_head.hqid)
$$;
select rights.define('forest.report_head(bigint)');
grant execute on function forest.report_head(bigint) to nutzer;

-- Definer: nutzer may not write history. Called by the server after it has made a report as evidence: records
-- who, which headquarters and day, and the file's digest. Only while KAWM is switched on.
create or replace function forest.record_kawm_evidence(
  hqid bigint, day date, dateiname text, groesse bigint, sha256 text, figures jsonb
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare made bigint;
begin
  perform rights.check_found(forest.may_habitat(hqid));
  perform checks.check_value(
    record_kawm_evidence.sha256 ~ '^[0-9a-f]{64}$'
      and groesse > 0
      and checks.is_line(dateiname, 200)
      and pg_column_size(figures) < 2000,
    'sha256', 'kawm_nachweis'
  );
  insert into app.verlauf (wer, user_id, tabelle, schluessel, client_id, hqid, aktion, neu)
  select me.name, me.user_id, 'kawm_nachweis', h."idHQ"::text, h.client_id, h."idHQ", 'neu',
    jsonb_build_object(
      'stichtag', record_kawm_evidence.day, 'dateiname', record_kawm_evidence.dateiname,
      'groesse', record_kawm_evidence.groesse, 'sha256', record_kawm_evidence.sha256
    ) || figures
  from app.hq h
    join app.kunde_hq s on s.hqid = h."idHQ" and s.kawm_enabled
    cross join rights.caller() me
  where h."idHQ" = record_kawm_evidence.hqid
  returning id into made;
  if made is null then
    raise sqlstate 'PT403' using message = 'not switched on', hint = 'kawm_modul_aus';
  end if;
  return made;
end $$;
select rights.define('forest.record_kawm_evidence(bigint, date, text, bigint, text, jsonb)');
grant execute on function forest.record_kawm_evidence(bigint, date, text, bigint, text, jsonb) to nutzer;
