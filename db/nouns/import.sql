-- Import of customers with their headquarters by ogf_admin: rows are uploaded in chunks and created in one
-- transaction, all or none. The browser checks them first (domain/import.ts, same fault codes); the checks
-- here decide. Everything runs with the caller's own rights.

select rights.protect('app.import_lauf');
select rights.protect('app.import_zeile');
select rights.protect('app.import_zuordnung');
alter table app.import_lauf alter column user_id set default rights.user_id();
alter table app.import_zuordnung alter column user_id set default rights.user_id();
grant select, delete, insert (dateiname, doppelte), update (zustand, bericht) on app.import_lauf to nutzer;
grant select, delete, insert (user_id, import_id, zeile, werte), update (werte) on app.import_zeile to nutzer;
grant select, delete, insert (kopf, felder), update (felder, geaendert_am) on app.import_zuordnung to nutzer;

create policy own on app.import_lauf to nutzer
  using (user_id = (select rights.user_id()) and (select rights.has_role('ogf_admin')))
  with check (user_id = (select rights.user_id()) and (select rights.has_role('ogf_admin')));
create policy own on app.import_zeile to nutzer
  using (user_id = (select rights.user_id()) and (select rights.has_role('ogf_admin')))
  with check (user_id = (select rights.user_id()) and (select rights.has_role('ogf_admin')));
create policy own on app.import_zuordnung to nutzer
  using (
    user_id = (select rights.user_id()) and (select rights.has_any('ogf_admin', 'apus_admin', 'apus_team'))
  )
  with check (
    user_id = (select rights.user_id()) and (select rights.has_any('ogf_admin', 'apus_admin', 'apus_team'))
  );

-- Remembers which column of a file maps to which field.
create or replace function app.a_import_set_zuordnung(kopf text, felder jsonb)
  returns void language sql set search_path = pg_catalog as $$
  insert into app.import_zuordnung as z (kopf, felder)
  values (a_import_set_zuordnung.kopf, a_import_set_zuordnung.felder)
  on conflict (user_id, kopf) do update set felder = excluded.felder, geaendert_am = now()
$$;
grant execute on function app.a_import_set_zuordnung(text, jsonb) to nutzer;

-- Two names with the same key are the same customer's. Same as nameKey in domain/import.ts; both are tested
-- with domain/import-key.cases.json.
create or replace function imports.name_key(name text)
  returns text language sql immutable strict parallel safe set search_path = pg_catalog
  return replace(search.sort_key(name), ' ', '');
grant execute on function imports.name_key(text) to nutzer;

-- Which of these customers, [{name, plz}, …], already exist. `nr` is the position in the list, counted from
-- 0.
create or replace function app.a_import_find_kunden(kunden jsonb)
  returns table (nr integer, client_id bigint, name text)
  language sql stable set search_path = pg_catalog as $$
  select (w.nr - 1)::integer, k.client_id, k.name
  from jsonb_array_elements(case
    when jsonb_typeof(kunden) = 'array' then kunden
    else '[]'
  end) with ordinality as w(kunde, nr)
    join app.kunde k on k.plz = w.kunde ->> 'plz'
      and replace(k.sortname, ' ', '') = imports.name_key(w.kunde ->> 'name')
  order by 1, 2
$$;
grant execute on function app.a_import_find_kunden(jsonb) to nutzer;

-- Stores a chunk of rows, [{zeile, werte}, …]; repeating a chunk does not add rows. Returns how many rows the
-- run has.
create or replace function app.a_import_zeilen(import_id bigint, zeilen jsonb)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  run app.import_lauf;
  held integer;
begin
  select l.* into run
  from app.import_lauf l
  where l.import_id = a_import_zeilen.import_id and l.zustand = 'offen';
  perform rights.check_found(found);
  insert into app.import_zeile (user_id, import_id, zeile, werte)
  select run.user_id, run.import_id, z.zeile, z.werte
  from jsonb_to_recordset(zeilen) as z(zeile integer, werte jsonb)
  on conflict on constraint import_zeile_pkey do update set werte = excluded.werte;
  select count(*) into held
  from app.import_zeile z
  where z.user_id = run.user_id and z.import_id = run.import_id;
  if held > 20000 then
    raise sqlstate 'PT413' using message = 'more than 20000 rows in one import', hint = 'import_rows';
  end if;
  return held;
end $$;
grant execute on function app.a_import_zeilen(bigint, jsonb) to nutzer;

-- Faults of single rows: row, field and code. One query for the whole run instead of a function call per cell
-- is a hundred times faster.
create or replace function imports.faults(run bigint)
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
        when f.kind = 'boolean' then
          case when jsonb_typeof(i.werte -> f.feld) <> 'boolean' then 'ja_nein_ungueltig' end
        when f.kind = 'area' then case
          when v.wert ~ '^[0-9]{1,6}([.][0-9]{1,4})?$' then null
          when v.wert ~ '^-' then 'flaeche_negativ'
          when v.wert ~ '^[0-9]{7,}' then 'flaeche_zu_gross'
          else 'zahl_ungueltig'
        end
        when f.kind = 'date' then case
          when v.wert !~ '^[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' then 'datum_ungueltig'
          -- Last day of that month.
          when right(v.wert, 2)::integer > extract(
            day from make_date(left(v.wert, 4)::integer, substr(v.wert, 6, 2)::integer, 1)
            + interval '1 month - 1 day'
          ) then 'datum_ungueltig'
        end
        when f.kind = 'plz' then case
          when checks.is_postcode(coalesce(i.werte ->> 'land', 'DE'), v.wert) then null
          when v.wert = '' then f.missing
          else 'plz_format'
        end
        when f.kind = 'country' then case when not checks.is_country(v.wert) then 'land_unbekannt' end
        when f.kind = 'phone' then case when v.wert !~ '^[0-9+()/ .-]{3,40}$' then 'telefon_ungueltig' end
        when f.kind = 'gender' then
          case when v.wert not in ('Herr', 'Frau', 'divers') then 'anrede_unbekannt' end
        when f.kind = 'epsg' then case
          when v.wert <> all (
            '{25831,25832,25833,4647,5650,31466,31467,31468,31469,2397,2398,2399,4258,4326,3857}'
          ) then 'epsg_unbekannt'
        end
        when f.kind = 'land' then case
          when coalesce(i.werte ->> 'land', 'DE') <> 'DE' then 'bundesland_ausland'
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
        select k.feld, k.kind, k.laengste, k.missing
        from rights.kunde_fields() k
        union all
        select h.feld, h.kind, h.laengste, null
        from forest.hq_fields() h
      ) as f(feld, kind, laengste, missing)
      cross join lateral (
        select case
          when f.feld = 'plz' then coalesce(i.werte ->> 'plz', '')
          else i.werte ->> f.feld
        end as wert
      ) v
    where i.import_id = run
  ) c
  where c.art is not null
$$;
grant execute on function imports.faults(bigint) to nutzer;

-- Faults between rows, and between rows and existing customers: duplicates of both kinds, and rows that
-- disagree about one customer.
create or replace function imports.conflicts(run bigint)
  returns table (zeile integer, feld text, art text, angaben jsonb)
  language sql stable set search_path = pg_catalog as $$
  with z as (
    select i.zeile, coalesce(i.werte ->> 'plz', '') as plz, imports.name_key(i.werte ->> 'name') as kunde,
      imports.name_key(coalesce(i.werte ->> 'sHQ', i.werte ->> 'name')) as hq,
      i.werte - array(select h.feld from forest.hq_fields() h) as angaben
    from app.import_zeile i
    where i.import_id = run
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
grant execute on function imports.conflicts(bigint) to nutzer;

-- Creates what the run contains. Returns a report in any case; if it lists faults, nothing was created. A
-- second call returns the same report and creates nothing.
-- Thousands of rows take time; the data API respects the function's own statement_timeout.
create or replace function app.a_import_kunden(import_id bigint)
  returns jsonb language plpgsql set search_path = pg_catalog set statement_timeout = '120s' as $$
declare
  run app.import_lauf;
  conflicts jsonb;
  faults jsonb;
  skipped integer[];
  report jsonb;
begin
  -- Two people may import the same customers at the same time: the second waits.
  perform pg_advisory_xact_lock(hashtext('app.a_import_kunden'));
  select l.* into run
  from app.import_lauf l
  where l.import_id = a_import_kunden.import_id for update;
  perform rights.check_found(found);
  if run.zustand = 'fertig' then return run.bericht; end if;

  select coalesce(jsonb_agg(to_jsonb(c)), '[]') into conflicts
  from imports.conflicts(run.import_id) c;
  if run.doppelte = 'ueberspringen' then
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
    from imports.faults(run.import_id) e
    union all
    select (c ->> 'zeile')::integer, c
    from jsonb_array_elements(conflicts) c
    where skipped is null or (c ->> 'zeile')::integer <> all (skipped)
  ) f;
  if jsonb_array_length(faults) > 0
    or not exists (select from app.import_zeile i where i.import_id = run.import_id)
  then
    report := jsonb_build_object(
      'zustand', 'fehlerhaft', 'kunden', 0, 'forstbetriebe', 0, 'uebersprungen', 0,
      'fehlerzahl', jsonb_array_length(faults), 'fehler', jsonb_path_query_array(faults, '$[0 to 999]'),
      'angelegt', '[]'::jsonb
    );
  else
    report := imports.create_kunden(run.import_id, coalesce(skipped, '{}'));
    -- The rows are customers now; personal data are kept only once.
    delete from app.import_zeile i where i.user_id = run.user_id;
  end if;
  update app.import_lauf l set zustand = report ->> 'zustand', bericht = report
  where l.import_id = run.import_id;
  return report;
end $$;
grant execute on function app.a_import_kunden(bigint) to nutzer;

-- Makes the customers with these checked values.
create or replace function imports.add_kunden(werte jsonb[])
  returns table (client_id bigint, name text, plz text, ort text)
  language plpgsql set search_path = pg_catalog as $$
begin
  return query execute (
    select format(
      'insert into app.kunde as k (%s) select %s from unnest($1) with ordinality as w(werte, nr)
        order by w.nr returning k.client_id, k.name, k.plz, k.ort',
      string_agg(f.feld, ', '),
      string_agg(case f.kind
        when 'epsg' then format('coalesce((w.werte ->> %L)::integer, 25832)', f.feld)
        when 'country' then format('coalesce(w.werte ->> %L, ''DE'')', f.feld)
        when 'plz' then format('coalesce(w.werte ->> %L, '''')', f.feld)
        else format('w.werte ->> %L', f.feld)
      end, ', ')
    )
    from rights.kunde_fields() f
  ) using werte;
end $$;
grant execute on function imports.add_kunden(jsonb[]) to nutzer;

-- How the value of a field is read from checked values; an empty one is what a new row begins with.
create or replace function imports.hq_value(field text)
  returns text language sql stable set search_path = pg_catalog as $$
  select case f.kind
    when 'boolean' then format('coalesce((w.werte ->> %L)::boolean, %L)', f.feld, f.vorgabe)
    when 'date' then format('(w.werte ->> %L)::date', f.feld)
    when 'area' then format('(w.werte ->> %L)::numeric', f.feld)
    else format('w.werte ->> %L', f.feld)
  end
  from forest.hq_fields() f
  where f.feld = hq_value.field
$$;
grant execute on function imports.hq_value(text) to nutzer;

-- Makes the headquarters with these checked values, each with its customer.
create or replace function imports.add_hqs(werte jsonb[])
  returns table ("idHQ" bigint, client_id bigint, "sHQ" text)
  language plpgsql set search_path = pg_catalog as $$
begin
  return query execute (
    select format(
      'insert into app.hq as h (client_id, %s) select (w.werte ->> ''client_id'')::bigint, %s
        from unnest($1) with ordinality as w(werte, nr) order by w.nr
        returning h."idHQ", h.client_id, h."sHQ"',
      string_agg(quote_ident(f.feld), ', '), string_agg(imports.hq_value(f.feld), ', ')
    )
    from forest.hq_fields() f
    where f.tabelle = 'hq'
  ) using werte;
end $$;
grant execute on function imports.add_hqs(jsonb[]) to nutzer;

-- Sets the switches of new headquarters.
create or replace function imports.set_switches(werte jsonb[])
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  execute (
    select format(
      'update app.kunde_hq s set %s from unnest($1) as w(werte)
        where s.hqid = (w.werte ->> ''hqid'')::bigint and (%s) is distinct from (%s)',
      string_agg(format('%I = %s', f.feld, imports.hq_value(f.feld)), ', '),
      string_agg(format('s.%I', f.feld), ', '), string_agg(imports.hq_value(f.feld), ', ')
    )
    from forest.hq_fields() f
    where f.tabelle = 'kunde_hq'
  ) using werte;
end $$;
grant execute on function imports.set_switches(jsonb[]) to nutzer;

-- Creates customers, their headquarters and switches from checked rows, in three statements for any number of
-- rows.
create or replace function imports.create_kunden(run bigint, skipped integer[])
  returns jsonb
  language plpgsql set search_path = pg_catalog
  -- The planner does not know how many rows an insert will return; a nested loop would compare every row with
  -- every other.
  set enable_nestloop = off as $$
declare made jsonb;
begin
  with z as (
    select i.zeile, i.werte, imports.name_key(i.werte ->> 'name') as schluessel,
      coalesce(i.werte ->> 'plz', '') as plz
    from app.import_zeile i
    where i.import_id = run and i.zeile <> all (skipped)
  ),
  g as (
    select distinct on (z.schluessel, z.plz) z.schluessel, z.plz, z.zeile, z.werte
    from z
    order by z.schluessel, z.plz, z.zeile
  ),
  k as (
    select a.client_id, a.name, a.plz, a.ort
    from imports.add_kunden(array(select g.werte from g order by g.zeile)) a
  ),
  r as (
    select z.zeile, z.werte, k.client_id, coalesce(z.werte ->> 'sHQ', z.werte ->> 'name') as name
    from z
      join g on g.schluessel = z.schluessel and g.plz = z.plz
      join k on k.name = g.werte ->> 'name' and k.plz = g.plz
  ),
  h as (
    select a."idHQ", a.client_id, a."sHQ"
    from imports.add_hqs(array(
      select r.werte || jsonb_build_object('client_id', r.client_id, 'sHQ', r.name)
      from r
      order by r.zeile
    )) a
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

  -- The rows of switches were created with the headquarters, all off.
  perform imports.set_switches(array(
    select i.werte || jsonb_build_object('hqid', h -> 'hqid')
    from jsonb_array_elements(made -> 'angelegt') k
      cross join jsonb_array_elements(k -> 'forstbetriebe') h
      join app.import_zeile i on i.import_id = run and i.zeile = (h ->> 'zeile')::integer
  ));
  return made;
end $$;
grant execute on function imports.create_kunden(bigint, integer[]) to nutzer;

-- Definer: deletes the runs of all users. Imports left unfinished by a closed browser. Called on the first
-- request of every new token, so that uploaded names and telephone numbers stay no longer than about a day.
create or replace function imports.tidy() returns void language sql set search_path = pg_catalog as $$
  delete from app.import_lauf l where l.zustand <> 'fertig' and l.angelegt_am < now() - interval '24 hours'
$$;
select rights.define('imports.tidy()');
grant execute on function imports.tidy() to nutzer;
grant select, delete on app.import_lauf to forst_definer;
