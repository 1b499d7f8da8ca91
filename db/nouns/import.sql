-- Import of customers with their headquarters by ogf_admin: rows are uploaded in chunks and then made in one
-- transaction, all or none. The browser has checked them before (domain/import.ts, the same codes of faults);
-- here it is decided. Everything runs with the caller's own rights.

select rechte.protect('app.import_lauf');
select rechte.protect('app.import_zeile');
select rechte.protect('app.import_zuordnung');
alter table app.import_lauf alter column user_id set default rechte.user_id();
alter table app.import_zuordnung alter column user_id set default rechte.user_id();
grant select, delete, insert (dateiname, doppelte), update (zustand, bericht) on app.import_lauf to nutzer;
grant select, delete, insert (user_id, import_id, zeile, werte), update (werte) on app.import_zeile to nutzer;
grant select, delete, insert (kopf, felder), update (felder, geaendert_am) on app.import_zuordnung to nutzer;

create policy own on app.import_lauf to nutzer
  using (user_id = (select rechte.user_id()) and (select rechte.has_role('ogf_admin')))
  with check (user_id = (select rechte.user_id()) and (select rechte.has_role('ogf_admin')));
create policy own on app.import_zeile to nutzer
  using (user_id = (select rechte.user_id()) and (select rechte.has_role('ogf_admin')))
  with check (user_id = (select rechte.user_id()) and (select rechte.has_role('ogf_admin')));
create policy own on app.import_zuordnung to nutzer
  using (
    user_id = (select rechte.user_id()) and (select rechte.has_any('ogf_admin', 'apus_admin', 'apus_team'))
  )
  with check (
    user_id = (select rechte.user_id()) and (select rechte.has_any('ogf_admin', 'apus_admin', 'apus_team'))
  );

-- Remembers which column holds which field.
create or replace function app.a_import_set_zuordnung(kopf text, felder jsonb)
  returns void language sql set search_path = pg_catalog as $$
  insert into app.import_zuordnung as z (kopf, felder)
  values (a_import_set_zuordnung.kopf, a_import_set_zuordnung.felder)
  on conflict (user_id, kopf) do update set felder = excluded.felder, geaendert_am = now()
$$;

-- When two names are the same customer's (domain/import.ts nameKey; both are tested against
-- domain/import-key.cases.json).
create or replace function rechte.name_key(name text)
  returns text language sql immutable strict parallel safe set search_path = pg_catalog
  return replace(rechte.sort_key(name), ' ', '');

-- Which of these customers, [{name, plz}, …], are there already. nr counts the list from 0.
create or replace function app.a_import_find_kunden(kunden jsonb)
  returns table (nr integer, client_id bigint, name text)
  language sql stable set search_path = pg_catalog as $$
  select (w.nr - 1)::integer, k.client_id, k.name
  from jsonb_array_elements(case
    when jsonb_typeof(kunden) = 'array' then kunden
    else '[]'
  end) with ordinality as w(kunde, nr)
    join app.kunde k on k.plz = w.kunde ->> 'plz'
      and replace(k.sortname, ' ', '') = rechte.name_key(w.kunde ->> 'name')
  order by 1, 2
$$;

-- Takes a chunk of rows, [{zeile, werte}, …]; a chunk sent twice counts once. Answers how many rows the run
-- holds.
create or replace function app.a_import_zeilen(import_id bigint, zeilen jsonb)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  lauf app.import_lauf;
  held integer;
begin
  select l.* into lauf
  from app.import_lauf l
  where l.import_id = a_import_zeilen.import_id and l.zustand = 'offen';
  if not found then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  insert into app.import_zeile (user_id, import_id, zeile, werte)
  select lauf.user_id, lauf.import_id, z.zeile, z.werte
  from jsonb_to_recordset(zeilen) as z(zeile integer, werte jsonb)
  on conflict on constraint import_zeile_pkey do update set werte = excluded.werte;
  select count(*) into held
  from app.import_zeile z
  where z.user_id = lauf.user_id and z.import_id = lauf.import_id;
  if held > 20000 then
    raise sqlstate 'PT413' using message = 'more than 20000 rows in one import', hint = 'import_rows';
  end if;
  return held;
end $$;

-- Everything that must hold of one row by itself: row, field and code of each fault. One query over the whole
-- run and no function per cell: a hundred times as fast.
create or replace function rechte.import_faults(lauf bigint)
  returns table (zeile integer, feld text, art text, laengste integer, wert text)
  language sql stable set search_path = pg_catalog as $$
  select c.*
  from (
    select i.zeile, f.feld,
      case
        when f.kind = 'line' and coalesce(v.wert, '') = '' then f.missing
        when v.wert is null then null
        when f.kind = 'line' then case
          when char_length(v.wert) > f.laengste then 'text_zu_lang'
          when v.wert ~ '[\x01-\x1f\x7f]' or btrim(v.wert) <> v.wert then 'steuerzeichen'
        end
        when f.kind = 'flag' then
          case when jsonb_typeof(i.werte -> f.feld) <> 'boolean' then 'ja_nein_ungueltig' end
        when f.kind = 'area' then case
          when v.wert ~ '^[0-9]{1,6}([.][0-9]{1,4})?$' then null
          when v.wert ~ '^-' then 'flaeche_negativ'
          when v.wert ~ '^[0-9]{7,}' then 'flaeche_zu_gross'
          else 'zahl_ungueltig'
        end
        when f.kind = 'date' then case
          when v.wert !~ '^[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' then 'datum_ungueltig'
          -- The last day of that month.
          when right(v.wert, 2)::integer > extract(
            day from make_date(left(v.wert, 4)::integer, substr(v.wert, 6, 2)::integer, 1)
            + interval '1 month - 1 day'
          ) then 'datum_ungueltig'
        end
        when f.feld = 'plz' then
          case when v.wert = '' then f.missing when v.wert !~ '^[0-9]{5}$' then 'plz_format' end
        when f.feld = 'ap_tel' then case when v.wert !~ '^[0-9+()/ .-]{3,40}$' then 'telefon_ungueltig' end
        when f.feld = 'ap_gender' then
          case when v.wert not in ('Herr', 'Frau', 'divers') then 'anrede_unbekannt' end
        when f.feld = 'epsg' then case
          when v.wert <> all (
            '{25831,25832,25833,4647,5650,31466,31467,31468,31469,2397,2398,2399,4258,4326,3857}'
          ) then 'epsg_unbekannt'
        end
        when f.feld = 'bundesland' then case
          when v.wert not in (
            'Baden-Württemberg', 'Bayern', 'Berlin', 'Brandenburg', 'Bremen', 'Hamburg', 'Hessen',
            'Mecklenburg-Vorpommern', 'Niedersachsen', 'Nordrhein-Westfalen', 'Rheinland-Pfalz', 'Saarland',
            'Sachsen', 'Sachsen-Anhalt', 'Schleswig-Holstein', 'Thüringen'
          ) then 'bundesland_unbekannt'
        end
      end as art,
      f.laengste, v.wert
    from app.import_zeile i
      cross join (
        values ('name', 'line', 200, 'name_fehlt'), ('name_zusatz', 'line', 200, null),
          ('strasse', 'line', 200, 'strasse_fehlt'), ('plz', 'plz', 5, 'plz_fehlt'),
          ('ort', 'line', 200, 'ort_fehlt'), ('bundesland', 'list', 50, null), ('epsg', 'list', 50, null),
          ('ap_gender', 'list', 20, null), ('ap_vorname', 'line', 100, null),
          ('ap_nachname', 'line', 100, null), ('ap_tel', 'phone', 40, null), ('sHQ', 'line', 200, null),
          ('fb_enabled', 'flag', 20, null), ('dtFE', 'date', 30, null), ('dcFLAEHB', 'area', 30, null),
          ('fe_enabled', 'flag', 20, null), ('basis_fe_enabled', 'flag', 20, null),
          ('kawm_enabled', 'flag', 20, null), ('kawm_area', 'area', 30, null),
          ('kawm_approval_date', 'date', 30, null)
      ) as f(feld, kind, laengste, missing)
      cross join lateral (
        select case
          when f.feld = 'plz' then coalesce(i.werte ->> 'plz', '')
          else i.werte ->> f.feld
        end as wert
      ) v
    where i.import_id = lauf
  ) c
  where c.art is not null
$$;

-- What must hold between rows, and between rows and customers: duplicates of both kinds, and customers whose
-- rows disagree.
create or replace function rechte.import_conflicts(lauf bigint)
  returns table (zeile integer, feld text, art text, angaben jsonb)
  language sql stable set search_path = pg_catalog as $$
  with z as (
    select i.zeile, i.werte ->> 'plz' as plz, rechte.name_key(i.werte ->> 'name') as kunde,
      rechte.name_key(coalesce(i.werte ->> 'sHQ', i.werte ->> 'name')) as hq,
      i.werte
        - '{sHQ,fb_enabled,dtFE,dcFLAEHB,fe_enabled,basis_fe_enabled,kawm_enabled,kawm_area,kawm_approval_date}'::text[]
          as angaben
    from app.import_zeile i
    where i.import_id = lauf
  ),
  w as (
    select z.*, first_value(z.zeile) over hqs as zuerst, first_value(z.angaben) over kunden as ersten,
      first_value(z.zeile) over kunden as erste_zeile
    from z
    window hqs as (partition by z.kunde, z.plz, z.hq order by z.zeile),
      kunden as (partition by z.kunde, z.plz order by z.zeile)
  )
  select w.zeile, 'sHQ', 'doppelt_in_datei', jsonb_build_object('zeile', w.zuerst)
  from w
  where w.zuerst < w.zeile
  union all
  select w.zeile, 'name', 'kunde_widerspruch',
    jsonb_build_object('zeile', w.erste_zeile, 'anders', '…', 'wert', '…')
  from w
  where w.angaben <> w.ersten
  union all
  select w.zeile, 'name', 'kunde_vorhanden',
    jsonb_build_object('name', min(k.name), 'client_id', min(k.client_id))
  from w join app.kunde k on k.plz = w.plz and replace(k.sortname, ' ', '') = w.kunde
  group by w.zeile
$$;

-- Makes what the run holds. Answers a report either way; with faults nothing was made. A second call answers
-- the same report and makes nothing.
-- Thousands of rows take their time; the data API grants what the function itself asks for.
create or replace function app.a_import_kunden(import_id bigint)
  returns jsonb language plpgsql set search_path = pg_catalog set statement_timeout = '120s' as $$
declare
  lauf app.import_lauf;
  conflicts jsonb;
  faults jsonb;
  skipped integer[];
  report jsonb;
begin
  -- Two people may import the same customers at the same moment: one after the other.
  perform pg_advisory_xact_lock(hashtext('app.a_import_kunden'));
  select l.* into lauf
  from app.import_lauf l
  where l.import_id = a_import_kunden.import_id for update;
  if not found then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  if lauf.zustand = 'fertig' then return lauf.bericht; end if;

  select coalesce(jsonb_agg(to_jsonb(c)), '[]') into conflicts
  from rechte.import_conflicts(lauf.import_id) c;
  if lauf.doppelte = 'ueberspringen' then
    skipped := array(
      select distinct (c ->> 'zeile')::integer
      from jsonb_array_elements(conflicts) c
      where c ->> 'art' in ('doppelt_in_datei', 'kunde_vorhanden')
    );
  end if;
  select coalesce(jsonb_agg(f.fault order by f.zeile), '[]') into faults
  from (
    select e.zeile,
      jsonb_build_object(
        'zeile', e.zeile, 'feld', e.feld, 'art', e.art,
        'angaben', jsonb_build_object(
          'wert', left(e.wert, 60), 'laengste', e.laengste, 'laenge', char_length(e.wert)
        )
      ) as fault
    from rechte.import_faults(lauf.import_id) e
    union all
    select (c ->> 'zeile')::integer, c
    from jsonb_array_elements(conflicts) c
    where skipped is null or (c ->> 'zeile')::integer <> all (skipped)
  ) f;
  if jsonb_array_length(faults) > 0
    or not exists (select from app.import_zeile i where i.import_id = lauf.import_id)
  then
    report := jsonb_build_object(
      'zustand', 'fehlerhaft', 'kunden', 0, 'forstbetriebe', 0, 'uebersprungen', 0,
      'fehlerzahl', jsonb_array_length(faults), 'fehler', jsonb_path_query_array(faults, '$[0 to 999]'),
      'angelegt', '[]'::jsonb
    );
  else
    report := rechte.import_create(lauf.import_id, coalesce(skipped, '{}'));
    -- Done: the rows are customers now, and personal data are kept once.
    delete from app.import_zeile i where i.user_id = lauf.user_id;
  end if;
  update app.import_lauf l set zustand = report ->> 'zustand', bericht = report
  where l.import_id = lauf.import_id;
  return report;
end $$;

-- Customers, their headquarters and the switches of checked rows, in three statements however many rows there
-- are.
create or replace function rechte.import_create(lauf bigint, skipped integer[])
  returns jsonb
  language plpgsql set search_path = pg_catalog
  -- The planner cannot know how many rows an insert will return and would compare each with each.
  set enable_nestloop = off as $$
declare made jsonb;
begin
  with z as (
    select i.zeile, i.werte, rechte.name_key(i.werte ->> 'name') as schluessel, i.werte ->> 'plz' as plz
    from app.import_zeile i
    where i.import_id = lauf and i.zeile <> all (skipped)
  ),
  g as (
    select distinct on (z.schluessel, z.plz) z.schluessel, z.plz, z.zeile, z.werte
    from z
    order by z.schluessel, z.plz, z.zeile
  ),
  k as (
    insert into app.kunde (
      name, name_zusatz, strasse, plz, ort, bundesland, epsg, ap_gender, ap_vorname, ap_nachname, ap_tel
    )
    select g.werte ->> 'name', g.werte ->> 'name_zusatz', g.werte ->> 'strasse', g.plz, g.werte ->> 'ort',
      g.werte ->> 'bundesland', coalesce((g.werte ->> 'epsg')::integer, 25832), g.werte ->> 'ap_gender',
      g.werte ->> 'ap_vorname', g.werte ->> 'ap_nachname', g.werte ->> 'ap_tel'
    from g
    order by g.zeile
    returning client_id, name, plz, ort
  ),
  r as (
    select z.zeile, z.werte, k.client_id, coalesce(z.werte ->> 'sHQ', z.werte ->> 'name') as name
    from z
      join g on g.schluessel = z.schluessel and g.plz = z.plz
      join k on k.name = g.werte ->> 'name' and k.plz = g.plz
  ),
  h as (
    insert into app.hq (client_id, "sHQ", fb_enabled, "dtFE", "dcFLAEHB")
    select r.client_id, r.name, coalesce((r.werte ->> 'fb_enabled')::boolean, true),
      (r.werte ->> 'dtFE')::date, (r.werte ->> 'dcFLAEHB')::numeric
    from r
    order by r.zeile
    returning "idHQ", client_id, "sHQ"
  ),
  by_kunde as (
    select r.client_id, min(r.zeile) as zeile,
      jsonb_agg(jsonb_build_object('zeile', r.zeile, 'hqid', h."idHQ") order by r.zeile) as forstbetriebe
    from r join h on h.client_id = r.client_id and h."sHQ" = r.name
    group by r.client_id
  )
  select jsonb_build_object(
    'zustand', 'fertig', 'kunden', count(*),
    'forstbetriebe', coalesce(sum(jsonb_array_length(b.forstbetriebe)), 0),
    'uebersprungen', cardinality(skipped), 'fehlerzahl', 0, 'fehler', '[]'::jsonb,
    'angelegt', coalesce(jsonb_agg(
      jsonb_build_object(
        'client_id', k.client_id, 'name', k.name, 'plz', k.plz, 'ort', k.ort, 'zeile', b.zeile,
        'forstbetriebe', b.forstbetriebe
      ) order by b.zeile
    ), '[]')
  ) into made
  from by_kunde b join k on k.client_id = b.client_id;

  -- The rows of switches were made with the headquarters, all off.
  update app.kunde_hq s set
    fe_enabled = n.fe, basis_fe_enabled = n.basis_fe, kawm_enabled = n.kawm, kawm_area = n.area,
    kawm_approval_date = n.approved
  from (
    select (h ->> 'hqid')::bigint as hqid, coalesce((i.werte ->> 'fe_enabled')::boolean, false) as fe,
      coalesce((i.werte ->> 'basis_fe_enabled')::boolean, false) as basis_fe,
      coalesce((i.werte ->> 'kawm_enabled')::boolean, false) as kawm,
      (i.werte ->> 'kawm_area')::numeric as area, (i.werte ->> 'kawm_approval_date')::date as approved
    from jsonb_array_elements(made -> 'angelegt') k
      cross join jsonb_array_elements(k -> 'forstbetriebe') h
      join app.import_zeile i on i.import_id = lauf and i.zeile = (h ->> 'zeile')::integer
  ) n
  where s.hqid = n.hqid and (n.fe or n.basis_fe or n.kawm or n.area is not null or n.approved is not null);
  return made;
end $$;

revoke execute on function app.a_import_set_zuordnung(text, jsonb), app.a_import_find_kunden(jsonb),
  app.a_import_zeilen(bigint, jsonb), app.a_import_kunden(bigint), rechte.name_key(text),
  rechte.import_faults(bigint), rechte.import_conflicts(bigint), rechte.import_create(bigint, integer[])
  from public;
grant execute on function app.a_import_set_zuordnung(text, jsonb), app.a_import_find_kunden(jsonb),
  app.a_import_zeilen(bigint, jsonb), app.a_import_kunden(bigint), rechte.name_key(text),
  rechte.import_faults(bigint), rechte.import_conflicts(bigint), rechte.import_create(bigint, integer[])
  to nutzer;

-- Definer: what a closed browser left behind, whoever's it is. Asked at the first contact of every new token,
-- so that uploaded rows with names and telephone numbers wait a day and no longer.
create or replace function rechte.tidy() returns void language sql set search_path = pg_catalog as $$
  delete from app.import_lauf l where l.zustand <> 'fertig' and l.angelegt_am < now() - interval '24 hours'
$$;
select rechte.define('rechte.tidy()');
grant select, delete on app.import_lauf to forst_definer;
grant execute on function rechte.tidy() to nutzer;
