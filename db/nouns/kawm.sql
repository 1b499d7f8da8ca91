-- KAWM beyond the figures of a headquarters (habitat.sql): its stands, its course over the months, its state
-- on a day, and who had an evidence made. Whoever may read the trees of a headquarters may ask all of it;
-- nothing is written but the history.

-- Definer: behind policies no index of places is used, and each tree would be held against each stand. In
-- which stand the trees of a headquarters stand: the one that their forest address names, else the one that
-- they lie in; null: neither. Whoever may not read the trees finds none.
create or replace function rechte.kawm_orte(hqid bigint)
  returns table (habitat_id bigint, bestand_id bigint, nach_lage boolean)
  language sql stable set search_path = pg_catalog as $$
  with t as materialized (
    select b.id, b.g3857, s.id as bestand
    from app.habitatbaeume b
      left join app.bestand s on s."idHQ" = kawm_orte.hqid
        and coalesce(s."sLVL01", '') = coalesce(b."sLVL01", '')
        and coalesce(s."sLVL02", '') = coalesce(b."sLVL02", '')
        and coalesce(s."sLVL03", '') = coalesce(b."sLVL03", '')
        and coalesce(s."sLVL04", '') = coalesce(b."sLVL04", '')
        and coalesce(s."sLVL05", '') = coalesce(b."sLVL05", '')
        and coalesce(s."iSTAND", -1) = coalesce(b."iSTAND", -1)
        and num_nonnulls(b."sLVL01", b."sLVL02", b."sLVL03", b."sLVL04", b."sLVL05", b."iSTAND") > 0
    where b."idHQ" = kawm_orte.hqid and (select rechte.darf_habitat(kawm_orte.hqid))
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
      where s."idHQ" = kawm_orte.hqid and public.st_covers(s.g3857, t.g3857)
      order by s.id limit 1
    ) g on true
  where t.bestand is null
$$;
select rechte.define('rechte.kawm_orte(bigint)');
grant execute on function rechte.kawm_orte(bigint) to nutzer, forst_definer;

-- Definer: as above; the right is asked once and not for each row. The stands of a headquarters with the
-- trees in them that count for the grant, what stands in no stand, and what was recorded and marked in each
-- month. Stands are listed to those who see single stands (`umfang` as in bestand.sql). A stand: [id, levels,
-- number, hectares, recorded, marked, candidates, of them placed by their position].
create or replace function app.a_get_kawm_bestaende("idHQ" bigint)
  returns jsonb
  language plpgsql stable set search_path = pg_catalog set statement_timeout = '15s'
  set plan_cache_mode = force_custom_plan as $$
declare
  betrieb constant bigint := "idHQ";
  umfang constant text := rechte.bestand_umfang("idHQ");
  answer jsonb;
begin
  if not rechte.darf_habitat(betrieb) then
    raise sqlstate 'PT404' using message = 'not found or not allowed';
  end if;
  with t as materialized (
    select b.erfasst_am, b.markierung_art is not null as markiert, b.markierung_datum, b.status, o.bestand_id,
      o.nach_lage
    from app.habitatbaeume b
      left join rechte.kawm_orte(betrieb) o on umfang = 'alles' and o.habitat_id = b.id
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
    'idHQ', h."idHQ", 'sHQ', h."sHQ", 'ebenen', h.ebenen, 'heute', rechte.heute(), 'umfang', umfang,
    'bestaende', (
      select coalesce(jsonb_agg(
        jsonb_build_array(
          s.id, jsonb_build_array(s."sLVL01", s."sLVL02", s."sLVL03", s."sLVL04", s."sLVL05"), s."iSTAND",
          s.flaeche_ha, coalesce(n.erfasst, 0), coalesce(n.markiert, 0), coalesce(n.anwaerter, 0),
          coalesce(n.nach_lage, 0)
        ) order by s.sortadresse, s.id
      ), '[]')
      from app.bestand s left join n on n.bestand_id = s.id
      where s."idHQ" = betrieb and umfang = 'alles'
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
select rechte.define('app.a_get_kawm_bestaende(bigint)');
grant execute on function app.a_get_kawm_bestaende(bigint) to nutzer;

-- Definer: as above. The figures of __o_get_kawm as they were on a day: what had been recorded by then,
-- marked by then, and was not lost yet. Whether a tree counts for the grant and whether it is a candidate is
-- what is said of it today; a marking without a day counts as done.
create or replace function rechte.kawm_am(hqid bigint, tag date)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare answer jsonb;
begin
  if not rechte.darf_habitat(hqid) then
    raise sqlstate 'PT404' using message = 'not found or not allowed';
  end if;
  perform rechte.check_value(tag between '2000-01-01' and rechte.heute(), 'tag', 'kawm_tag');
  with t as materialized (
    select b.status,
      b.markierung_art is not null and coalesce(b.markierung_datum <= kawm_am.tag, true) as markiert,
      coalesce(b.verlust_datum <= kawm_am.tag, false) as verloren, b.kawm, f.habitat_id is not null as bild
    from app.habitatbaeume b
      left join (
        select distinct f.habitat_id from app.habitatbilder f where f."idHQ" = kawm_am.hqid
      ) f on f.habitat_id = b.id
    where b."idHQ" = kawm_am.hqid and b.erfasst_am <= kawm_am.tag
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
    'heute', kawm_am.tag, 'erfasst', n.erfasst, 'markiert', n.markiert, 'anwaerter', n.anwaerter,
    'baeume', n.baeume, 'verloren', n.verloren, 'ohne_kawm', n.ohne_kawm, 'ohne_bild', n.ohne_bild
  ) || rechte.kawm(
    s.kawm_enabled, s.kawm_custom_area_enabled, s.kawm_area, h."dcFLAEHB", s.kawm_approval_date, kawm_am.tag,
    n.erfasst, n.markiert, n.ohne_bild
  ) into answer
  from app.hq h join app.kunde_hq s on s.hqid = h."idHQ" cross join n
  where h."idHQ" = kawm_am.hqid;
  return answer;
end $$;
select rechte.define('rechte.kawm_am(bigint, date)');
grant execute on function rechte.kawm_am(bigint, date) to nutzer;

-- Definer: the settings of the company are the books' own, and a forester reads no customers. What the head
-- of a report of trees shows: of the provider what every letter shows, and whose holding it is.
-- null: not the caller's to read.
create or replace function rechte.bericht_kopf(hqid bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'idHQ', h."idHQ", 'sHQ', h."sHQ", 'ebenen', h.ebenen, 'dtFE', h."dtFE", 'modul', s.kawm_enabled,
    'epsg', k.epsg, 'wer', rechte.wer(), 'heute', rechte.heute(),
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
  where h."idHQ" = bericht_kopf.hqid and rechte.darf_habitat(bericht_kopf.hqid)
$$;
select rechte.define('rechte.bericht_kopf(bigint)');
grant execute on function rechte.bericht_kopf(bigint) to nutzer;

-- Definer: the history is closed. Called by the server when it has made an evidence: who, of which
-- headquarters and day, and the digest of the file. Only where KAWM is switched on.
create or replace function rechte.kawm_nachweis_merken(
  hqid bigint, tag date, dateiname text, groesse bigint, sha256 text, figures jsonb
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare made bigint;
begin
  if not rechte.darf_habitat(hqid) then
    raise sqlstate 'PT404' using message = 'not found or not allowed';
  end if;
  perform rechte.check_value(
    kawm_nachweis_merken.sha256 ~ '^[0-9a-f]{64}$'
      and groesse > 0
      and rechte.is_line(dateiname, 200)
      and pg_column_size(figures) < 2000,
    'sha256', 'kawm_nachweis'
  );
  insert into app.verlauf (wer, user_id, tabelle, schluessel, client_id, hqid, aktion, neu)
  select me.name, me.user_id, 'kawm_nachweis', h."idHQ"::text, h.client_id, h."idHQ", 'neu',
    jsonb_build_object(
      'stichtag', kawm_nachweis_merken.tag, 'dateiname', kawm_nachweis_merken.dateiname,
      'groesse', kawm_nachweis_merken.groesse, 'sha256', kawm_nachweis_merken.sha256
    ) || figures
  from app.hq h
    join app.kunde_hq s on s.hqid = h."idHQ" and s.kawm_enabled
    cross join rechte.ich() me
  where h."idHQ" = kawm_nachweis_merken.hqid
  returning id into made;
  if made is null then
    raise sqlstate 'PT403' using message = 'not switched on', hint = 'kawm_modul_aus';
  end if;
  return made;
end $$;
select rechte.define('rechte.kawm_nachweis_merken(bigint, date, text, bigint, text, jsonb)');
grant execute on function rechte.kawm_nachweis_merken(bigint, date, text, bigint, text, jsonb) to nutzer;
