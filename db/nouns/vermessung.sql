-- The survey: drains, outfalls, manholes, gullies and inlets. Read: the drainage half's staff all, a
-- customer's people their own if the Kataster is switched on for both the customer and the person's link.
-- Written by the drainage half's staff, in two ways: the server's import calls functions, in one transaction,
-- as the member of staff who started it; single objects are captured, changed and deleted with the caller's
-- own rights, with a version and a history.

-- Definer: reads links and customers regardless of their policies. The caller's customers whose survey the
-- caller may see: both switches, of the customer and of the caller's link, are on.
create or replace function maps.kataster_kunden()
  returns bigint[] language plpgsql stable set search_path = pg_catalog as $$
declare own bigint[] := rights.kunden_as('appuser', 'appuser_admin');
begin
  return array(
    select bk.client_id
    from app.benutzer_kunde bk join app.kunde k on k.client_id = bk.client_id
    where bk.user_id = rights.user_id()
      and bk.client_id = any (own)
      and bk.kataster_enabled
      and k.kataster_status
  );
end $$;
select rights.define('maps.kataster_kunden()');
grant execute on function maps.kataster_kunden() to nutzer;

-- What people and imports say of an object. domain/vermessung/fields.ts has the same names; a test compares
-- them.
create or replace function maps.vermessung_fields(tabelle text)
  returns text[] language sql immutable parallel safe set search_path = pg_catalog
  return '{schluessel,vermessen,erfq,qdt,art,dn,material,hoehe,sohlhoehe,tiefe,baujahr,plan_nr,zustand,
    letzte_kontrolle,eigentuemer,genauigkeit_cm,lage_fix,genauigkeit_geschaetzt,datum,bemerkung}'::text[]
    || case when tabelle = 'draenage' then '{gefaelle,abstand}'::text[] else '{}' end;
grant execute on function maps.vermessung_fields(text) to nutzer, forst_definer;

select rights.protect('maps.vermessung_geloescht');
select rights.protect('maps.vermessung_empfangen');
grant select, insert, delete on maps.vermessung_geloescht, maps.vermessung_empfangen to forst_definer;
grant update (inhalt, dateien) on maps.vermessung_geloescht to forst_definer;
select rights.protect('app.vermessung_import');
grant select, insert (client_id, dateiname, format, groesse, sha256),
  update (modus, stand, werte, bericht, begonnen_am, beendet_am), delete on app.vermessung_import to nutzer;
grant select, delete, update (wer) on app.vermessung_import to forst_definer;
create policy staff on app.vermessung_import to nutzer
  using ((select rights.has_any('apus_admin', 'apus_team')))
  with check ((select rights.has_any('apus_admin', 'apus_team')));
alter table app.vermessung_import alter column user_id set default rights.user_id();
alter table app.vermessung_import alter column wer set default rights.caller_name();

-- Photos: only the server, which has the bytes, adds them.
select rights.protect('app.vermessungsbilder');
grant select, insert, update, delete on app.vermessungsbilder to forst_definer;
grant select, delete, update (bemerkung) on app.vermessungsbilder to nutzer;
alter table app.vermessungsbilder alter column created_by set default rights.caller_name();
create policy staff on app.vermessungsbilder for select to nutzer
  using ((select rights.has_any('apus_admin', 'apus_team')));
create policy kataster on app.vermessungsbilder for select to nutzer
  using (client_id = any ((select maps.kataster_kunden())::bigint[]));
create policy change on app.vermessungsbilder for update to nutzer
  using ((select rights.has_any('apus_admin', 'apus_team')));
create policy remove on app.vermessungsbilder for delete to nutzer
  using ((select rights.has_any('apus_admin', 'apus_team')));

do $$
declare name text;
begin
  foreach name in array '{draenage,ausmuendung,schacht,schlucker,einlauf}'::text[] loop
    perform rights.protect(format('app.%I', name)::regclass);
    execute format(
      'grant select, delete, insert (kennung, client_id, geom, %2$s), update (geom, %2$s)
        on app.%1$I to nutzer',
      name, array_to_string(maps.vermessung_fields(name), ', ')
    );
    execute format('grant select, insert, update, delete on app.%I to forst_definer', name);
    execute format(
      $p$create policy staff on app.%I for select to nutzer
        using ((select rights.has_any('apus_admin', 'apus_team')))$p$,
      name
    );
    execute format(
      $p$create policy kataster on app.%I for select to nutzer
        using (client_id = any ((select maps.kataster_kunden())::bigint[]))$p$,
      name
    );
    execute format(
      $p$create policy add on app.%I for insert to nutzer
        with check ((select rights.has_any('apus_admin', 'apus_team')))$p$,
      name
    );
    execute format(
      $p$create policy change on app.%I for update to nutzer
        using ((select rights.has_any('apus_admin', 'apus_team')))$p$,
      name
    );
    execute format(
      $p$create policy remove on app.%I for delete to nutzer
        using ((select rights.has_any('apus_admin', 'apus_team')))$p$,
      name
    );
  end loop;
end $$;

-- The zone in which a customer's survey is stored; same as zoneOf in domain/vermessung/fields.ts.
create or replace function maps.vermessung_epsg(epsg integer, bundesland text)
  returns integer language sql immutable parallel safe set search_path = pg_catalog
  return case
    when epsg in (25833, 5650, 31469, 2398, 2399) then 25833
    when epsg in (25831, 25832, 4647, 31466, 31467, 31468, 2397) then 25832
    when bundesland in ('Berlin', 'Brandenburg', 'Mecklenburg-Vorpommern', 'Sachsen') then 25833
    else 25832
  end;
grant execute on function maps.vermessung_epsg(integer, text) to nutzer, forst_definer;

-- Overviews -------------------------------------------------------------------------------------------------
-- Include rows whose `vermessen` is null; the browser drops them and shows how many there are.

create or replace view app.drae_einmessung_uebersicht with (security_invoker = true) as
  select vermessen, count(*) as summe
  from app.draenage
  group by vermessen;
create or replace view app.ausm_einmessung_uebersicht with (security_invoker = true) as
  select vermessen, count(*) as summe
  from app.ausmuendung
  group by vermessen;
create or replace view app.scha_einmessung_uebersicht with (security_invoker = true) as
  select vermessen, count(*) as summe
  from app.schacht
  group by vermessen;
create or replace view app.schl_einmessung_uebersicht with (security_invoker = true) as
  select vermessen, count(*) as summe
  from app.schlucker
  group by vermessen;
create or replace view app.drae_laenge_nach_erfq with (security_invoker = true) as
  select erfq, round(sum(laenge)::numeric) as round
  from app.draenage
  group by erfq;
create or replace view app.drae_laenge_qdt_nach_aop with (security_invoker = true) as
  select qdt, round(sum(laenge)::numeric) as round
  from app.draenage
  group by qdt;

do $$
declare entry record;
begin
  for entry in
    select * from (
      values ('drae_einmessung_uebersicht'), ('ausm_einmessung_uebersicht'), ('scha_einmessung_uebersicht'),
        ('schl_einmessung_uebersicht'), ('drae_laenge_nach_erfq'), ('drae_laenge_qdt_nach_aop')
    ) as v(name)
  loop
    execute format('revoke all on app.%I from public, nutzer', entry.name);
    execute format('grant select on app.%I to nutzer', entry.name);
  end loop;
  for entry in
    select * from (
      values ('ausm', 'ausmuendung'), ('schae', 'schacht'), ('schlu', 'schlucker'), ('einl', 'einlauf'),
        ('drae', 'draenage')
    ) as v(kurz, name)
  loop
    execute format(
      $f$
      create or replace function app.a_get_%1$s_overview_vermessen(client_id bigint)
        returns table (vermessen boolean, summe bigint) language sql stable
        set search_path = pg_catalog as $body$
        select t.vermessen, count(*) from app.%2$I t
          where t.client_id = a_get_%1$s_overview_vermessen.client_id group by t.vermessen
          order by t.vermessen desc nulls last
      $body$;
      revoke execute on function app.a_get_%1$s_overview_vermessen(bigint) from public;
      grant execute on function app.a_get_%1$s_overview_vermessen(bigint) to nutzer$f$,
      entry.kurz, entry.name
    );
  end loop;
end $$;

create or replace function app.a_get_draenage_overview_erfq(client_id bigint)
  returns table (erfq text, round numeric) language sql stable set search_path = pg_catalog as $$
  select d.erfq, pg_catalog.round(sum(d.laenge)::numeric)
  from app.draenage d
  where d.client_id = a_get_draenage_overview_erfq.client_id
  group by d.erfq
  order by 2 desc, 1
$$;
grant execute on function app.a_get_draenage_overview_erfq(bigint) to nutzer;

-- Everything the overview of a customer shows, in one call: counts by kind of object, lengths by source and
-- quality, progress by day, and the extent on the map (web mercator). A customer whose survey the caller may
-- not read looks like one without a survey.
create or replace function app.a_get_kataster_overview(client_id bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  -- What is far from all others, and is not in `umgriff`: the first of them by name.
  with o as (
    select 'draenage' as tabelle, t.vermessen, t.laenge, t.erfq, t.qdt,
      coalesce(t.datum, (t.angelegt_am at time zone 'Europe/Berlin')::date) as tag, t.g3857 as g, t.id,
      t.schluessel
    from app.draenage t
    where t.client_id = a_get_kataster_overview.client_id
    union all
    select 'ausmuendung', t.vermessen, null, null, null,
      coalesce(t.datum, (t.angelegt_am at time zone 'Europe/Berlin')::date), t.g3857, t.id, t.schluessel
    from app.ausmuendung t
    where t.client_id = a_get_kataster_overview.client_id
    union all
    select 'schacht', t.vermessen, null, null, null,
      coalesce(t.datum, (t.angelegt_am at time zone 'Europe/Berlin')::date), t.g3857, t.id, t.schluessel
    from app.schacht t
    where t.client_id = a_get_kataster_overview.client_id
    union all
    select 'schlucker', t.vermessen, null, null, null,
      coalesce(t.datum, (t.angelegt_am at time zone 'Europe/Berlin')::date), t.g3857, t.id, t.schluessel
    from app.schlucker t
    where t.client_id = a_get_kataster_overview.client_id
    union all
    select 'einlauf', t.vermessen, null, null, null,
      coalesce(t.datum, (t.angelegt_am at time zone 'Europe/Berlin')::date), t.g3857, t.id, t.schluessel
    from app.einlauf t
    where t.client_id = a_get_kataster_overview.client_id
  ),
  squares as materialized (
    select maps.square_of(public.st_xmin(o.g)) as x, maps.square_of(public.st_ymin(o.g)) as y, count(*) as n,
      public.st_extent(o.g)::public.geometry as box
    from o
    group by 1, 2
  ),
  far as materialized (
    select f.x, f.y
    from maps.far_squares(
      (select array_agg(q.x order by q.x, q.y) from squares q),
      (select array_agg(q.y order by q.x, q.y) from squares q),
      (select array_agg(q.n order by q.x, q.y) from squares q)
    ) f
  ),
  extent as (
    select public.st_extent(q.box)::public.geometry as box
    from squares q
    where not exists (select from far f where f.x = q.x and f.y = q.y)
  )
  select jsonb_build_object(
    'objekte', (
      select coalesce(jsonb_agg(to_jsonb(x) order by x.nr), '[]')
      from (
        select a.nr, a.tabelle, count(o.tabelle) as anzahl, count(*) filter (where o.vermessen) as vermessen,
          count(*) filter (where not o.vermessen) as vermutet,
          count(o.tabelle) filter (where o.vermessen is null) as ohne,
          case
            when a.tabelle = 'draenage' then coalesce(pg_catalog.round(sum(o.laenge)::numeric), 0)
          end as laenge,
          case
            when a.tabelle = 'draenage' then
              coalesce(pg_catalog.round((sum(o.laenge) filter (where o.vermessen))::numeric), 0)
          end as laenge_vermessen,
          case
            when a.tabelle = 'draenage' then
              coalesce(pg_catalog.round((sum(o.laenge) filter (where not o.vermessen))::numeric), 0)
          end as laenge_vermutet,
          case
            when a.tabelle = 'draenage' then
              coalesce(pg_catalog.round((sum(o.laenge) filter (where o.vermessen is null))::numeric), 0)
          end as laenge_ohne
        from unnest(
          '{draenage,ausmuendung,schacht,schlucker,einlauf}'::text[]
        ) with ordinality as a(tabelle, nr)
          left join o on o.tabelle = a.tabelle
        group by a.nr, a.tabelle
      ) x
    ),
    'erfq', (
      select coalesce(jsonb_agg(to_jsonb(x) order by x.round desc, x.erfq), '[]')
      from (
        select o.erfq, pg_catalog.round(sum(o.laenge)::numeric) as round
        from o
        where o.tabelle = 'draenage'
        group by o.erfq
      ) x
    ),
    'qdt', (
      select coalesce(jsonb_agg(to_jsonb(x) order by x.round desc, x.qdt), '[]')
      from (
        select o.qdt, pg_catalog.round(sum(o.laenge)::numeric) as round
        from o
        where o.tabelle = 'draenage'
        group by o.qdt
      ) x
    ),
    'verlauf', (
      select coalesce(jsonb_agg(to_jsonb(x) order by x.tag), '[]')
      from (
        select o.tag, count(*) filter (where o.vermessen) as vermessen,
          count(*) filter (where not o.vermessen) as vermutet,
          count(*) filter (where o.vermessen is null) as ohne,
          coalesce(
            pg_catalog.round((sum(o.laenge) filter (where o.vermessen))::numeric), 0
          ) as laenge_vermessen,
          coalesce(
            pg_catalog.round((sum(o.laenge) filter (where not o.vermessen))::numeric), 0
          ) as laenge_vermutet
        from o
        group by o.tag
      ) x
    ),
    'abseits', (
      select jsonb_build_object(
        'anzahl', count(*),
        'objekte', coalesce(
          jsonb_agg(
            jsonb_build_object('tabelle', w.tabelle, 'id', w.id, 'schluessel', w.schluessel) order by w.nr
          ) filter (where w.nr <= 5),
          '[]'
        )
      )
      from (
        select o.tabelle, o.id, o.schluessel, row_number() over (order by o.tabelle, o.id) as nr
        from far f
          join o on maps.square_of(public.st_xmin(o.g)) = f.x and maps.square_of(public.st_ymin(o.g)) = f.y
      ) w
    ),
    'umgriff', (
      select jsonb_build_array(
        public.st_xmin(e.box), public.st_ymin(e.box), public.st_xmax(e.box), public.st_ymax(e.box)
      )
      from extent e
      where e.box is not null
    )
  )
$$;
grant execute on function app.a_get_kataster_overview(bigint) to nutzer;

-- Definer: a key for the survey reads no customers. The system of a customer's survey if the caller may read
-- it, by the same rules as the policies.
create or replace function maps.export_zone(client_id bigint)
  returns integer language plpgsql stable set search_path = pg_catalog as $$
begin
  return (
    select maps.vermessung_epsg(k.epsg, k.bundesland)
    from app.kunde k
    where k.client_id = export_zone.client_id
      and rights.key_reads('vermessung', k.client_id)
      and (rights.has_any('apus_admin', 'apus_team') or k.client_id = any (maps.kataster_kunden()))
  );
end $$;
select rights.define('maps.export_zone(bigint)');
grant execute on function maps.export_zone(bigint) to nutzer;

-- Map tiles -------------------------------------------------------------------------------------------------
-- Not published: the server calls them for a tile.

-- Gives the same error as for a missing customer. Same rules as the policies above, checked once per tile
-- instead of once per row.
create or replace function maps.check_kataster(client_id bigint)
  returns void language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.check_found(rights.key_reads('vermessung', check_kataster.client_id));
  if rights.has_any('apus_admin', 'apus_team')
    and exists (select from app.kunde k where k.client_id = check_kataster.client_id)
  then
    return;
  end if;
  if check_kataster.client_id = any (maps.kataster_kunden()) then return; end if;
  perform rights.check_found(false);
end $$;
grant execute on function maps.check_kataster(bigint) to forst_definer;

-- Both are definer: the operator "touches the box" is not leakproof, so under row security it cannot use
-- the spatial index, and each tile would read the whole survey.
-- maps.kataster_objects: what touches the box, the first `per_kind` of each kind. One generic plan, made for
-- boxes that are small compared with the survey: planning takes longer than reading so few rows.
-- maps.kataster_clusters_near: the same, counted in a grid of `cells` by `cells`; an object belongs to the
-- box that contains its centre. Larger boxes have maps.kataster_cells.
-- Most of the time goes into computing a geometry's box: a line's is computed once (`offset 0` prevents
-- inlining), points need none. The cluster function switches off JIT and parallel workers, because starting
-- them takes longer than most tiles.
-- `selection`: {arten, vermessen, erfq, qdt}, each a list of words; a missing key does not filter.
do $do$
declare
  kinds constant text[] := '{draenage,ausmuendung,schacht,schlucker,einlauf}';
  words constant text := $f$
      only_kinds constant text[] := case when selection ? 'arten'
        then array(select jsonb_array_elements_text(selection -> 'arten')) end;
      only_surveyed constant text[] := case when selection ? 'vermessen'
        then array(select jsonb_array_elements_text(selection -> 'vermessen')) end;
      only_erfq constant text[] := case when selection ? 'erfq'
        then array(select jsonb_array_elements_text(selection -> 'erfq')) end;
      only_qdt constant text[] := case when selection ? 'qdt'
        then array(select jsonb_array_elements_text(selection -> 'qdt')) end;$f$;
  rows constant text := $f$from app.%1$I t
    where t.client_id = kunde and t.g3857 operator(public.&&) box and (only_kinds is null
    or %1$L = any (only_kinds))
        and (only_surveyed is null or case t.vermessen when true then 'ja' when false then 'nein'
          else 'offen' end = any (only_surveyed))
        and (only_erfq is null or coalesce(t.erfq, 'Andere') = any (only_erfq)) and (only_qdt is null
          or coalesce(t.qdt, 'Andere') = any (only_qdt))$f$;
begin
  -- Its columns cannot be changed in place.
  if not exists (
    select from pg_proc p
    where p.oid = to_regprocedure(
        'maps.kataster_objects(bigint, float8, float8, float8, float8, jsonb, integer)'
      )
      and 'schluessel' = any (p.proargnames)
  ) then
    drop function if exists maps.kataster_objects(bigint, float8, float8, float8, float8, jsonb, integer);
  end if;
  execute format(
    $f$
    create or replace function maps.kataster_objects(kunde bigint, west float8, south float8, east float8,
      north float8, selection jsonb, per_kind integer)
      returns table (schicht text, id bigint, vermessen boolean, erfq text, qdt text, art text, dn integer,
        material text, laenge integer, schluessel text, g public.geometry)
      language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_generic_plan as $body$
    declare
      box constant public.geometry := public.st_makeenvelope(west, south, east, north, 3857);%s
    begin
      perform maps.check_kataster(kunde);
      return query %s;
    end $body$$f$,
    words,
    (
      select string_agg(
        format(
          $f$(select %L, t.id, t.vermessen, t.erfq, t.qdt, t.art, t.dn, t.material, %s,
            t.schluessel, t.g3857 %s
            order by t.id limit per_kind)$f$,
          name, case name when 'draenage' then 'round(t.laenge)::integer' else 'null::integer' end,
          format(rows, name)
        ),
        ' union all ' order by nr
      )
      from unnest(kinds) with ordinality as a(name, nr)
    )
  );
  drop function if exists maps.kataster_clusters(bigint, float8, float8, float8, float8, jsonb, integer);
  execute format(
    $f$
    create or replace function maps.kataster_clusters_near(kunde bigint, west float8, south float8,
      east float8, north float8, selection jsonb, cells integer)
      returns table (id integer, n integer, laenge integer, vermessen integer, vermutet integer, %s,
        g public.geometry)
      language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_generic_plan
        set jit = off set max_parallel_workers_per_gather = 0 as $body$
    declare
      box constant public.geometry := public.st_makeenvelope(west, south, east, north, 3857);%s
    begin
      perform maps.check_kataster(kunde);
      return query select (floor((m.y - south) / (north - south) * cells) * cells
          + floor((m.x - west) / (east - west) * cells))::integer,
          count(*)::integer, round(sum(m.laenge))::integer,
          count(*) filter (where m.vermessen)::integer, count(*) filter (where not m.vermessen)::integer,
            %s,
          public.st_setsrid(public.st_makepoint(avg(m.x), avg(m.y)), 3857)
        from (%s) m where m.x >= west and m.x < east and m.y >= south and m.y < north group by 1 order by 1;
    end $body$$f$,
    (
      select string_agg(format('%I integer', name), ', ' order by nr)
      from unnest(kinds) with ordinality as a(name, nr)
    ),
    words,
    (
      select string_agg(format('count(*) filter (where m.kind = %L)::integer', name), ', ' order by nr)
      from unnest(kinds) with ordinality as a(name, nr)
    ),
    (
      select string_agg(
        case name
          when 'draenage' then format(
            $f$(select 'draenage' as kind, l.vermessen, l.laenge,
                (public.st_xmin(l.b) + public.st_xmax(l.b)) / 2 as x,
                (public.st_ymin(l.b) + public.st_ymax(l.b)) / 2 as y
          from (select t.vermessen, t.laenge, public.box3d(t.g3857) as b %s offset 0) l)$f$,
            format(rows, name)
          )
          else format(
            $f$select %L, t.vermessen, 0::float8, public.st_x(t.g3857), public.st_y(t.g3857) %s$f$, name,
            format(rows, name)
          )
        end,
        ' union all ' order by nr
      )
      from unnest(kinds) with ordinality as a(name, nr)
    )
  );
end $do$;
select rights.define('maps.kataster_objects(bigint, float8, float8, float8, float8, jsonb, integer)');
select rights.define('maps.kataster_clusters_near(bigint, float8, float8, float8, float8, jsonb, integer)');
grant execute on function maps.kataster_objects(bigint, float8, float8, float8, float8, jsonb, integer),
  maps.kataster_clusters_near(bigint, float8, float8, float8, float8, jsonb, integer) to nutzer;

-- Import ----------------------------------------------------------------------------------------------------
-- Not published: the server calls them in the transaction of an import.

-- Its columns cannot be changed in place.
do $$
begin
  if not exists (
    select from pg_proc p
    where p.oid = to_regprocedure('maps.store_vermessung_rows(bigint, text, integer, jsonb)')
      and 'keep' = any (p.proargnames)
  ) then
    drop function if exists maps.store_vermessung_rows(bigint, text, integer, jsonb);
  end if;
end $$;
-- Definer: nutzer has no right to write the tables. Stores objects of one kind, [{nr, g: WKB as hex, …}, …],
-- in zone `epsg`. Known keys are updated, all others added; but a replacing import keeps what was changed by
-- hand since it came without a key: it is where that object was, to the centimetre.
create or replace function maps.store_vermessung_rows(
  import_id bigint, tabelle text, epsg integer, given jsonb, out neu integer, out geaendert integer,
  out behalten integer
) language plpgsql set search_path = pg_catalog as $$
declare
  run app.vermessung_import;
  line boolean := tabelle = 'draenage';
  fields text := 'vermessen, erfq, qdt, art, dn, material, hoehe, sohlhoehe, tiefe, baujahr, plan_nr,
    zustand, letzte_kontrolle, eigentuemer, genauigkeit_cm, lage_fix, genauigkeit_geschaetzt, datum,
    bemerkung'
    || case when line then ', gefaelle, abstand' else '' end;
begin
  select i.* into run
  from app.vermessung_import i
  where i.id = store_vermessung_rows.import_id and i.stand = 'laeuft';
  perform rights.refuse_unless(run.id is not null and rights.has_any('apus_admin', 'apus_team'));
  perform checks.check_value(
    tabelle in ('draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf'), 'tabelle', 'tabelle_unbekannt'
  );
  perform maps.count_cells_later(run.client_id);
  execute format(
    $q$
    with w as materialized (
      select z.*, k.id as karte_id from jsonb_to_recordset($1) as z(nr integer, g text, schluessel text,
        vermessen boolean, erfq text, qdt text, art text, dn integer, material text, hoehe numeric,
        sohlhoehe numeric,
          tiefe numeric, gefaelle numeric, abstand numeric, baujahr integer, plan_nr text, zustand text,
            letzte_kontrolle date, eigentuemer text, genauigkeit_cm numeric, lage_fix text,
              genauigkeit_geschaetzt boolean, datum date, bemerkung text)
        left join (
          select plan, min(id) as id from (select reg_nr as plan, id from app.kartenblatt
            where client_id = $2 and reg_nr is not null union select map_name, id
            from app.kartenblatt where client_id = $2) p
          group by plan having count(*) = 1) k on k.plan = z.plan_nr
    ), keyless as materialized (
      -- What was stored before the customer's zone changed is in the other one: it is looked for by its
      -- numbers there.
      select p.*, public.st_expand(p.ort, 0.01) as here,
        public.st_expand(public.st_transform(p.ort, case $4 when 25832 then 25833 when 25833 then 25832
          else public.st_srid(p.ort) end), 0.02) as there,
        row_number() over (partition by public.st_astext(p.ort, 2) order by p.nr) as rank
      from (select w.nr, %3$s as ort from w where $5 and w.schluessel is null) p
    ), kept as materialized (
      -- Two in the file at one place are two: as many stay as were changed by hand.
      select k.nr from keyless k where k.rank <= (
        select count(*) from app.%1$I t where t.client_id = $2 and t.import_id is null
          and (t.herkunft is not null or t.schluessel = 'Feld-' || right(t.kennung::text, 12))
          and (t.herkunft operator(public.&&) k.here or t.herkunft operator(public.&&) k.there
            or t.herkunft is null
              and (t.geom operator(public.&&) k.here or t.geom operator(public.&&) k.there))
          and public.st_hausdorffdistance(
            public.st_transform(coalesce(t.herkunft, t.geom), $4), k.ort) <= 0.01)
    ), made as (
      insert into app.%1$I as t (client_id, import_id, schluessel, geom, karte_id, %2$s)
        select $2, $3, w.schluessel, %3$s, w.karte_id, %4$s from w
        where not exists (select from kept where kept.nr = w.nr) order by w.nr
      on conflict (client_id, schluessel)
        do update set import_id = excluded.import_id, geom = excluded.geom, karte_id = excluded.karte_id,
        version = t.version + 1, geaendert_am = now(), %5$s
      returning (t.xmax = 0) as neu
    )
    select count(*) filter (where made.neu), count(*) filter (where not made.neu),
      (select count(*) from kept) from made$q$,
    tabelle, fields,
    case
      when line then 'public.st_multi(public.st_geomfromwkb(decode(w.g, ''hex''), $4))'
      else 'public.st_geomfromwkb(decode(w.g, ''hex''), $4)'
    end,
    regexp_replace(fields, '([a-z_]+)', 'w.\1', 'g'),
    regexp_replace(fields, '([a-z_]+)', '\1 = excluded.\1', 'g')
  ) into neu, geaendert, behalten using given, run.client_id, run.id, epsg, run.modus = 'ersetzen';
end $$;
select rights.define('maps.store_vermessung_rows(bigint, text, integer, jsonb)');
grant execute on function maps.store_vermessung_rows(bigint, text, integer, jsonb) to nutzer;

-- Definer: as above. Deletes what a replacing import did not contain; rows it contained have its number. What
-- was captured or changed by hand since has none and stays, and so does what has photos.
create or replace function maps.remove_missing_vermessung(import_id bigint, tabelle text)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  run app.vermessung_import;
  gone integer;
begin
  select i.* into run
  from app.vermessung_import i
  where i.id = remove_missing_vermessung.import_id and i.stand = 'laeuft' and i.modus = 'ersetzen';
  perform rights.refuse_unless(run.id is not null and rights.has_any('apus_admin', 'apus_team'));
  perform checks.check_value(
    tabelle in ('draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf'), 'tabelle', 'tabelle_unbekannt'
  );
  perform maps.count_cells_later(run.client_id);
  -- Waits for photos that are being added, which hold their object; only the next statement sees them.
  execute format(
    'select from app.%I t where t.client_id = $1 and t.import_id <> $2 order by t.id for update', tabelle
  ) using run.client_id, run.id;
  execute format(
    'delete from app.%I t where t.client_id = $1 and t.import_id <> $2
       and not exists (select from app.vermessungsbilder b where b.objekt = t.kennung)',
    tabelle
  ) using run.client_id, run.id;
  get diagnostics gone = row_count;
  return gone;
end $$;
select rights.define('maps.remove_missing_vermessung(bigint, text)');
grant execute on function maps.remove_missing_vermessung(bigint, text) to nutzer;

-- Single objects --------------------------------------------------------------------------------------------

-- Definer: the tables of deletions and of received captures are closed to nutzer; they answer staff alone.
create or replace function maps.is_vermessung_deleted(kennung uuid)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select rights.has_any('apus_admin', 'apus_team')
    and exists (select from maps.vermessung_geloescht g where g.kennung = is_vermessung_deleted.kennung)
$$;
select rights.define('maps.is_vermessung_deleted(uuid)');
grant execute on function maps.is_vermessung_deleted(uuid) to nutzer;
create or replace function maps.is_vermessung_received(kennung uuid, digest bytea)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select rights.has_any('apus_admin', 'apus_team')
    and exists (
      select from maps.vermessung_empfangen e
      where e.kennung = is_vermessung_received.kennung and e.digest = is_vermessung_received.digest
    )
$$;
select rights.define('maps.is_vermessung_received(uuid, bytea)');
grant execute on function maps.is_vermessung_received(uuid, bytea) to nutzer;
create or replace function maps.remember_vermessung(client_id bigint, kennung uuid, digest bytea)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_any('apus_admin', 'apus_team'));
  delete from maps.vermessung_empfangen e
  where e.kennung = remember_vermessung.kennung and e.zeit < now() - interval '180 days';
  insert into maps.vermessung_empfangen (client_id, kennung, digest)
  values (remember_vermessung.client_id, remember_vermessung.kennung, remember_vermessung.digest)
  on conflict do nothing;
end $$;
select rights.define('maps.remember_vermessung(bigint, uuid, bytea)');
grant execute on function maps.remember_vermessung(bigint, uuid, bytea) to nutzer;

-- Where an object is, as devices say it: longitude and latitude to the millimetre, 'x y' for a point,
-- 'x y,x y;x y,x y' for the parts of a line.
create or replace function maps.place_text(place public.geometry)
  returns text language sql immutable parallel safe set search_path = pg_catalog
  return translate(
    replace(public.st_astext(public.st_transform(place, 4326), 8), '),(', ';'),
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ()', ''
  );
grant execute on function maps.place_text(public.geometry) to nutzer;
-- The other direction, into the customer's zone. Refuses what is no place.
create or replace function maps.place_geometry(tabelle text, said text, epsg integer)
  returns public.geometry language plpgsql immutable set search_path = pg_catalog as $$
declare
  pair constant text := '\d{1,3}(\.\d{1,12})? \d{1,3}(\.\d{1,12})?';
  given public.geometry;
begin
  perform checks.check_value(said is not null, 'lage', 'vermessung_lage_fehlt');
  perform checks.check_value(char_length(said) <= 40000, 'lage', 'vermessung_punkte');
  if tabelle = 'draenage' then
    perform checks.check_value(
      said ~ ('^' || pair || '(,' || pair || ')+(;' || pair || '(,' || pair || ')+)*$'), 'lage',
      'vermessung_linie'
    );
    given := public.st_geomfromtext('MULTILINESTRING((' || replace(said, ';', '),(') || '))', 4326);
  else
    perform checks.check_value(said ~ ('^' || pair || '$'), 'lage', 'vermessung_lage');
    given := public.st_geomfromtext('POINT(' || said || ')', 4326);
  end if;
  perform checks.check_value(
    public.st_xmin(given) >= 3
      and public.st_xmax(given) <= 18
      and public.st_ymin(given) >= 45
      and public.st_ymax(given) <= 57,
    'lage', 'vermessung_lage'
  );
  return public.st_transform(given, epsg);
end $$;
grant execute on function maps.place_geometry(text, text, integer) to nutzer;

-- Definer: a key for the survey reads neither customers nor plans. The zone of a customer whose survey the
-- caller writes, and the plan with a number; null for all others.
create or replace function maps.writes_survey_of(client_id bigint)
  returns boolean language sql stable set search_path = pg_catalog
  return rights.has_any('apus_admin', 'apus_team')
    and rights.key_reads('vermessung', writes_survey_of.client_id);
grant execute on function maps.writes_survey_of(bigint) to forst_definer;
create or replace function maps.survey_zone(client_id bigint)
  returns integer language sql stable set search_path = pg_catalog as $$
  select maps.vermessung_epsg(k.epsg, k.bundesland)
  from app.kunde k
  where k.client_id = survey_zone.client_id and maps.writes_survey_of(k.client_id)
$$;
select rights.define('maps.survey_zone(bigint)');
grant execute on function maps.survey_zone(bigint) to nutzer;
-- Definer: as above. What an import has to know of its customer, for callers who may import there.
create or replace function maps.import_target(kunde bigint)
  returns table (client_id bigint, epsg integer, bundesland text)
  language sql stable set search_path = pg_catalog as $$
  select k.client_id, k.epsg, k.bundesland
  from app.kunde k
  where k.client_id = import_target.kunde
    and maps.writes_survey_of(k.client_id)
    and (k.gesperrt_bis is null or rights.has_any('ogf_admin', 'apus_admin'))
$$;
select rights.define('maps.import_target(bigint)');
grant execute on function maps.import_target(bigint) to nutzer;
-- As an import finds it: none where two have the number.
create or replace function maps.plan_numbered(client_id bigint, plan_nr text)
  returns bigint language sql stable set search_path = pg_catalog as $$
  select case when count(*) = 1 then min(k.id) end
  from app.kartenblatt k
  where k.client_id = plan_numbered.client_id
    and plan_numbered.plan_nr in (k.reg_nr, k.map_name)
    and maps.writes_survey_of(plan_numbered.client_id)
$$;
select rights.define('maps.plan_numbered(bigint, text)');
grant execute on function maps.plan_numbered(bigint, text) to nutzer;

-- Checks each value, with the stable name of its rule as hint, and keeps what people do not enter: version,
-- key, plan, and that no import has made this state.
create or replace function maps.check_vermessung()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  zone constant integer := maps.survey_zone(new.client_id);
  place public.geometry;
  field text;
  said boolean := new.version = -1;
  tomorrow date := checks.today() + 1;
begin
  perform rights.refuse_unless(zone is not null);
  if tg_op = 'INSERT' then
    if maps.is_vermessung_deleted(new.kennung) then
      raise sqlstate 'PT409' using message = 'deleted before', hint = 'vermessung_geloescht';
    end if;
    new.version := 1;
  else
    new.version := old.version + 1;
  end if;
  new.geaendert_am := now();
  new.import_id := null;
  -- What a receiver said of the place before does not hold for one that is set by hand.
  if tg_op = 'UPDATE' and not said and new.geom::text <> old.geom::text then
    new.lage_fix := null;
    new.genauigkeit_geschaetzt := null;
    if new.genauigkeit_cm is not distinct from old.genauigkeit_cm then new.genauigkeit_cm := null; end if;
  end if;
  if tg_op = 'UPDATE' and old.schluessel is null then new.herkunft := old.geom; end if;
  if tg_op = 'INSERT' or new.geom::text <> old.geom::text then
    perform checks.check_value(public.st_srid(new.geom) = zone, 'geom', 'vermessung_zone');
    perform checks.check_value(public.st_npoints(new.geom) <= 1000, 'lage', 'vermessung_punkte');
    place := public.st_transform(new.geom, 4326);
    perform checks.check_value(
      public.st_xmin(place) >= 3
        and public.st_xmax(place) <= 18
        and public.st_ymin(place) >= 45
        and public.st_ymax(place) <= 57,
      'lage', 'vermessung_lage'
    );
    if tg_table_name = 'draenage' then
      perform checks.check_value(
        public.st_length(new.geom) between 0.01 and 20000, 'lage', 'vermessung_laenge'
      );
    end if;
  end if;
  -- A replacing import adds again what has no key, and would double what was captured here.
  new.schluessel := coalesce(new.schluessel, 'Feld-' || right(new.kennung::text, 12));
  foreach field in array '{schluessel,erfq,qdt,art,material,plan_nr,zustand}'::text[] loop
    perform checks.check_value(checks.is_line(to_jsonb(new) ->> field, 100), field, 'zeile_100');
  end loop;
  perform checks.check_value(checks.is_line(new.eigentuemer, 200), 'eigentuemer', 'zeile_200'),
    checks.check_value(checks.is_text(new.bemerkung, 2000), 'bemerkung', 'text_2000'),
    checks.check_value(new.dn is null or new.dn between 1 and 10000, 'dn', 'vermessung_dn'),
    checks.check_value(new.hoehe is null or new.hoehe between -500 and 9000, 'hoehe', 'vermessung_hoehe'),
    checks.check_value(
      new.sohlhoehe is null or new.sohlhoehe between -500 and 9000, 'sohlhoehe', 'vermessung_hoehe'
    ),
    checks.check_value(new.tiefe is null or new.tiefe between 0 and 1000, 'tiefe', 'vermessung_tiefe'),
    checks.check_value(
      new.baujahr is null or new.baujahr between 1700 and 2100, 'baujahr', 'vermessung_baujahr'
    ),
    checks.check_value(
      new.genauigkeit_cm is null or new.genauigkeit_cm >= 0, 'genauigkeit_cm', 'vermessung_genauigkeit'
    ),
    checks.check_value(
      new.lage_fix is null or new.lage_fix in ('gnss', 'dgps', 'pps', 'rtk_fixed', 'rtk_float', 'estimated'),
      'lage_fix', 'lage_fix'
    ),
    checks.check_value(
      new.datum is null or new.datum between '1700-01-01' and tomorrow, 'datum', 'vermessung_datum'
    ),
    checks.check_value(
      new.letzte_kontrolle is null or new.letzte_kontrolle between '1700-01-01' and tomorrow,
      'letzte_kontrolle', 'vermessung_datum'
    );
  if tg_table_name = 'draenage' then
    perform
      checks.check_value(
        new.gefaelle is null or new.gefaelle between -100 and 100, 'gefaelle', 'vermessung_gefaelle'
      ),
      checks.check_value(new.abstand is null or new.abstand >= 0, 'abstand', 'vermessung_abstand');
  end if;
  if tg_op = 'INSERT' or new.plan_nr is distinct from old.plan_nr then
    new.karte_id := maps.plan_numbered(new.client_id, new.plan_nr);
  end if;
  return new;
end $$;
grant execute on function maps.check_vermessung() to nutzer;

-- Definer: the table of deletions is closed to nutzer. Says why the object is deleted next.
create or replace function maps.say_deletion_reason(kennung uuid, tabelle text, client_id bigint, reason text)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(maps.writes_survey_of(say_deletion_reason.client_id));
  insert into maps.vermessung_geloescht (kennung, tabelle, client_id, grund)
  values (
    say_deletion_reason.kennung, say_deletion_reason.tabelle, say_deletion_reason.client_id,
    say_deletion_reason.reason
  );
end $$;
select rights.define('maps.say_deletion_reason(uuid, text, bigint, text)');
grant execute on function maps.say_deletion_reason(uuid, text, bigint, text) to nutzer;
-- How long what a person deleted can be put back; the screens say "90 Tage".
create or replace function maps.restorable_since()
  returns timestamptz language sql stable set search_path = pg_catalog
  return now() - interval '90 days';
grant execute on function maps.restorable_since() to forst_definer;

-- Definer: the table of deletions is closed to nutzer. What an import alone has made and drops again is not
-- recorded: no device has captured it. What a person deletes is kept to be put back (first argument).
create or replace function maps.record_vermessung_deletion()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  insert into maps.vermessung_geloescht (kennung, tabelle, client_id, inhalt)
  values (old.kennung, tg_table_name, old.client_id, case
    when tg_nargs > 0 then
      (to_jsonb(old) - '{g3857,laenge}'::text[])
        || jsonb_build_object('geom', old.geom::text, 'herkunft', old.herkunft::text)
  end)
  on conflict on constraint vermessung_geloescht_pkey do update
    set inhalt = excluded.inhalt
    -- A device that gave another object the same number does not have it kept under that one's name.
    where vermessung_geloescht.client_id = excluded.client_id
      and vermessung_geloescht.tabelle = excluded.tabelle;
  return null;
end $$;
select rights.define('maps.record_vermessung_deletion()');

-- The history has what people did, and what an import did to it; not each object of each import.
do $$
declare name text;
begin
  foreach name in array '{draenage,ausmuendung,schacht,schlucker,einlauf}'::text[] loop
    execute format(
      $t$create or replace trigger a_gesagt before update of lage_fix, genauigkeit_geschaetzt on app.%I
        for each row when (current_user in ('nutzer', 'programm')) execute function history.mark_said()$t$,
      name
    );
    execute format(
      $t$create or replace trigger a_pruefen before insert or update on app.%I for each row
        when (current_user in ('nutzer', 'programm')) execute function maps.check_vermessung()$t$,
      name
    );
    execute format(
      $t$create or replace trigger x_gestrichen after delete on app.%I for each row
        when (current_user in ('nutzer', 'programm'))
        execute function maps.record_vermessung_deletion('keep')$t$,
      name
    );
    execute format(
      $t$create or replace trigger x_ersetzt after delete on app.%I for each row
        when (current_user not in ('nutzer', 'programm', 'forst_betrieb')
        and (old.import_id is null or old.version > 1))
        execute function maps.record_vermessung_deletion()$t$,
      name
    );
    execute format(
      $t$create or replace trigger z_neu after insert on app.%I for each row
        when (current_user in ('nutzer', 'programm')) execute function history.record_change('id')$t$,
      name
    );
    execute format(
      $t$create or replace trigger z_verlauf after update on app.%I for each row
        when (current_user <> 'forst_betrieb' and (old.import_id is null or new.import_id is null)
        and old.version <> new.version)
        execute function history.record_change('id')$t$,
      name
    );
    execute format(
      $t$create or replace trigger z_weg after delete on app.%I for each row
        when (
          current_user <> 'forst_betrieb'
          and (current_user in ('nutzer', 'programm') or old.import_id is null)
        )
        execute function history.record_change('id')$t$,
      name
    );
  end loop;
end $$;
drop function if exists maps.mark_said();
create policy vermessung on app.verlauf for select to nutzer
  using (
    tabelle in ('draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf', 'vermessungsbilder')
    and (
      (select rights.has_any('apus_admin', 'apus_team'))
      or client_id = any ((select maps.kataster_kunden())::bigint[])
    )
  );

-- An object as devices get it; null if the caller sees none.
create or replace function maps.vermessung_json(tabelle text, kennung uuid)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare object jsonb;
begin
  execute format(
    $q$select (to_jsonb(t) - '{geom,g3857,laenge,herkunft}'::text[])
         || jsonb_build_object('tabelle', %1$L::text, 'lage', maps.place_text(t.geom))
       from app.%1$I t where t.kennung = $1$q$,
    tabelle
  ) into object using kennung;
  return object;
end $$;
grant execute on function maps.vermessung_json(text, uuid) to nutzer;

-- Handles one capture with the caller's own rights; the rules above refuse what is not allowed.
create or replace function maps.receive_vermessung(capture jsonb)
  returns jsonb language plpgsql set search_path = pg_catalog as $$
declare
  stem uuid := (capture ->> 'kennung')::uuid;
  tabelle text := capture ->> 'tabelle';
  based_on integer := (capture ->> 'version')::integer;
  digest bytea := sha256(convert_to(capture::text, 'UTF8'));
  fields text[] := maps.vermessung_fields(capture ->> 'tabelle');
  given jsonb := (
    select coalesce(jsonb_object_agg(e.key, e.value), '{}')
    from jsonb_each(capture) e
    where e.key = any (maps.vermessung_fields(capture ->> 'tabelle'))
  );
  strange text := (
    select min(key)
    from jsonb_object_keys(capture) key
    where key <> all (
      maps.vermessung_fields(capture ->> 'tabelle')
      || '{kennung,version,tabelle,client_id,lage,geloescht,loeschgrund}'::text[]
    )
  );
  present jsonb;
  wanted jsonb;
  kunde app.kunde;
  outcome text;
  moved boolean;
  number integer;
begin
  perform rights.refuse_unless(rights.has_any('apus_admin', 'apus_team'));
  perform checks.check_value(stem is not null, 'kennung', 'fehlt'),
    checks.check_value(
      tabelle in ('draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf'), 'tabelle',
      'tabelle_unbekannt'
    ),
    checks.check_value(strange is null, coalesce(strange, ''), 'unbekanntes_feld'),
    checks.check_value(
      coalesce(jsonb_typeof(capture -> 'geloescht'), 'boolean') = 'boolean', 'geloescht', 'vermessung_wert'
    );
  -- Nobody else can change it from here on.
  execute format(
    $q$select to_jsonb(t) - '{geom,g3857,laenge,herkunft}'::text[] from app.%I t
    where t.kennung = $1 for update$q$,
    tabelle
  ) into present using stem;
  if present is null and (based_on is not null or maps.is_vermessung_deleted(stem)) then
    -- Staff see every object: what they do not see is gone.
    return jsonb_build_object(
      'kennung', stem,
      'ergebnis', case when (capture ->> 'geloescht')::boolean then 'entfernt' else 'geloescht' end,
      'objekt', null, 'regel', null, 'feld', null
    );
  end if;
  select k.* into kunde
  from app.kunde k
  where k.client_id = coalesce(present ->> 'client_id', capture ->> 'client_id')::bigint;
  perform rights.check_found(kunde.client_id is not null);
  if present is null then
    wanted := given || jsonb_build_object(
      'kennung', stem, 'client_id', kunde.client_id,
      'geom', maps.place_geometry(
        tabelle, capture ->> 'lage', maps.vermessung_epsg(kunde.epsg, kunde.bundesland)
      )::text
    );
    -- Sent twice at the same time: the second waits for the first and then finds its object.
    execute format(
      'insert into app.%1$I (kennung, client_id, geom, %2$s)
       select r.kennung, r.client_id, r.geom, %3$s from jsonb_populate_record(null::app.%1$I, $1) r
       on conflict on constraint %4$I do nothing',
      tabelle, array_to_string(fields, ', '), 'r.' || array_to_string(fields, ', r.'),
      tabelle || '_kennung_key'
    ) using wanted;
    get diagnostics number = row_count;
    if number = 1 then outcome := 'angelegt'; end if;
    execute format(
      $q$select to_jsonb(t) - '{geom,g3857,laenge,herkunft}'::text[] from app.%I t
      where t.kennung = $1 for update$q$,
      tabelle
    ) into present using stem;
    if present is null then
      raise sqlstate 'PT409' using message = 'taken', hint = 'vermessung_kennung_vergeben';
    end if;
  end if;
  if outcome is null then
    -- Sent by a device that knows no kind of solution: what is known of the place before does not hold.
    if capture ? 'lage' and not capture ? 'lage_fix' then
      given := given || '{"lage_fix": null, "genauigkeit_geschaetzt": null}';
    end if;
    if (capture ->> 'client_id')::bigint <> (present ->> 'client_id')::bigint then
      raise sqlstate 'PT409' using message = 'of another customer', hint = 'vermessung_kennung_vergeben';
    end if;
    execute format(
      $q$select to_jsonb(r) - '{geom,g3857,laenge,herkunft}'::text[]
      from jsonb_populate_record(null::app.%I, $1) r$q$,
      tabelle
    ) into wanted using present || given;
    moved := capture ? 'lage'
      and capture ->> 'lage' is distinct from maps.vermessung_json(tabelle, stem) ->> 'lage';
    if maps.is_vermessung_received(stem, digest) then
      outcome := 'unveraendert';
    -- Without a version it is a new object whose first capture arrived but whose answer was lost: the device
    -- is newer, unless somebody has changed the object since.
    elsif coalesce(based_on, 1) <> (present ->> 'version')::integer then
      outcome := 'konflikt';
    elsif (capture ->> 'geloescht')::boolean then
      perform
        checks.check_value(
          checks.is_line(capture ->> 'loeschgrund', 200) and btrim(capture ->> 'loeschgrund') <> '',
          'loeschgrund', 'vermessung_loeschgrund'
        ),
        maps.say_deletion_reason(stem, tabelle, kunde.client_id, capture ->> 'loeschgrund');
      execute format('delete from app.%I t where t.kennung = $1', tabelle) using stem;
      return jsonb_build_object(
        'kennung', stem, 'ergebnis', 'entfernt', 'objekt', null, 'regel', null, 'feld', null
      );
    elsif wanted = present and not moved then
      outcome := 'unveraendert';
    else
      if moved then
        fields := fields || '{geom}'::text[];
        wanted := wanted || jsonb_build_object(
          'geom', maps.place_geometry(
            tabelle, capture ->> 'lage', maps.vermessung_epsg(kunde.epsg, kunde.bundesland)
          )::text
        );
      end if;
      execute format(
        'update app.%1$I t set (%2$s) = (select %3$s from jsonb_populate_record(null::app.%1$I, $1) r)
         where t.kennung = $2',
        tabelle, array_to_string(fields, ', '), 'r.' || array_to_string(fields, ', r.')
      ) using wanted, stem;
      outcome := 'geaendert';
    end if;
  end if;
  if outcome in ('angelegt', 'geaendert') then
    perform maps.remember_vermessung(kunde.client_id, stem, digest);
  end if;
  return jsonb_build_object(
    'kennung', stem, 'ergebnis', outcome, 'objekt', maps.vermessung_json(tabelle, stem), 'regel', null,
    'feld', null
  );
end $$;
grant execute on function maps.receive_vermessung(jsonb) to nutzer;

-- Captures from a device, answered in the same order; a refused one does not stop the others. Repeated after
-- a lost connection, the call finds what it has already done.
create or replace function app.a_sync_vermessung(erfassungen jsonb)
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
    'vermessung_erfassungen'
  );
  for capture in select jsonb_array_elements(erfassungen) loop
    begin
      perform checks.check_value(jsonb_typeof(capture) = 'object', 'erfassungen', 'vermessung_erfassungen');
      answers := answers || maps.receive_vermessung(capture);
    exception
      when check_violation or insufficient_privilege or unique_violation or not_null_violation
        or data_exception or sqlstate 'PT403' or sqlstate 'PT404' or sqlstate 'PT409'
      then
        get stacked diagnostics rule = pg_exception_hint, field = column_name, state = returned_sqlstate,
          said = message_text;
        if state = '23505' then field := 'schluessel'; end if;
        answers := answers || (
          checks.refused_capture(
            capture, 'vermessung', 'vermessung_schluessel_vergeben', rule, field, state, said
          ) || '{"objekt": null}'
        );
    end;
  end loop;
  return to_jsonb(answers);
end $$;
grant execute on function app.a_sync_vermessung(jsonb) to nutzer;

-- What a device takes along of a customer's survey: the objects in a box of web mercator, by kind and number,
-- after the last one of the page before. A page ends at 2,000 objects or 200,000 points, because lines that
-- were imported may have any number; the last page is empty.
create or replace function app.a_get_vermessung_objekte(
  client_id bigint, tabelle text, nach bigint, kasten float8[] default null
) returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare found jsonb;
begin
  perform checks.check_value(
    tabelle in ('draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf'), 'tabelle', 'tabelle_unbekannt'
  );
  execute format(
    $q$select coalesce(jsonb_agg(o.object order by o.id), '[]') from (
         select t.id, (to_jsonb(t) - '{geom,g3857,laenge,herkunft}'::text[])
           || jsonb_build_object('tabelle', %1$L::text, 'lage', maps.place_text(t.geom), 'bilder',
             (select count(*) from app.vermessungsbilder b where b.objekt = t.kennung)) as object
         from app.%1$I t
           join (
             select p.id, row_number() over w as nr, sum(public.st_npoints(p.geom)) over w as points
             from (
               select q.id, q.geom from app.%1$I q
               where q.client_id = $1 and q.id > $2 and ($3 is null or q.g3857 operator(public.&&)
                 public.st_makeenvelope($3[1], $3[2], $3[3], $3[4], 3857))
               order by q.id limit 2000
             ) p
             window w as (order by p.id)
           ) page on page.id = t.id
         where page.nr = 1 or page.points <= 200000) o$q$,
    tabelle
  ) into found using client_id, nach, kasten;
  return found;
end $$;
grant execute on function app.a_get_vermessung_objekte(bigint, text, bigint, float8[]) to nutzer;

-- Photos ----------------------------------------------------------------------------------------------------

-- The sizes the server makes of a photo do not count as a change. The history names the object, so that the
-- object's own tells of its photos.
create or replace trigger y_stamp before insert or update of bemerkung on app.vermessungsbilder
  for each row when (current_user <> 'forst_betrieb') execute function history.stamp_change();
create or replace trigger z_verlauf after insert or delete or update of bemerkung on app.vermessungsbilder
  for each row when (current_user <> 'forst_betrieb') execute function history.record_change('objekt');

-- Definer: the table of deletions is closed to nutzer. A photo that goes with its object (first argument) is
-- kept as long as the object can be put back.
create or replace function maps.record_picture_deletion()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  kept constant boolean := tg_nargs > 0
    and exists (
      select from maps.vermessung_geloescht g
      where g.kennung = old.objekt and g.inhalt is not null
    );
begin
  insert into maps.vermessung_geloescht (kennung, tabelle, client_id, inhalt, dateien)
  values (
    old.kennung, 'bild', old.client_id,
    case when kept then to_jsonb(old) || jsonb_build_object('exif_lage', old.exif_lage::text) end,
    case when kept then array_remove(array[old.sha256, old.klein, old.mittel, old.gross], null) end
  )
  on conflict do nothing;
  return null;
end $$;
select rights.define('maps.record_picture_deletion()');
create or replace trigger x_gestrichen after delete on app.vermessungsbilder
  for each row when (current_user in ('nutzer', 'programm')) execute function maps.record_picture_deletion();
create or replace trigger x_mit_objekt after delete on app.vermessungsbilder
  for each row when (current_user not in ('nutzer', 'programm', 'forst_betrieb'))
  execute function maps.record_picture_deletion('keep');

-- Definer: deleting an object, also by an import, deletes its photos.
create or replace function maps.remove_pictures()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  delete from app.vermessungsbilder b using gone where b.objekt = gone.kennung;
  return null;
end $$;
select rights.define('maps.remove_pictures()');
-- Definer: the table of deletions is closed to nutzer. What people deleted of a customer's survey and staff
-- can put back, newest first.
create or replace function app.a_get_geloeschte_vermessung(client_id bigint)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(maps.writes_survey_of(a_get_geloeschte_vermessung.client_id));
  return (
    select coalesce(jsonb_agg(to_jsonb(f) order by f.geloescht_am desc, f.kennung), '[]')
    from (
      select g.kennung, g.tabelle, g.inhalt ->> 'schluessel' as schluessel, g.geloescht_am, g.grund,
        (
          select v.wer
          from app.verlauf v
          where v.tabelle = g.tabelle and v.schluessel = g.inhalt ->> 'id' and v.aktion = 'geloescht'
          order by v.id desc limit 1
        ) as wer,
        (
          select count(*)
          from maps.vermessung_geloescht b
          where b.client_id = g.client_id
            and b.inhalt is not null
            and b.tabelle = 'bild'
            and b.geloescht_am = g.geloescht_am
            and b.inhalt ->> 'objekt' = g.kennung::text
        ) as bilder
      from maps.vermessung_geloescht g
      where g.client_id = a_get_geloeschte_vermessung.client_id
        and g.inhalt is not null
        and g.tabelle <> 'bild'
        and g.geloescht_am > maps.restorable_since()
      order by g.geloescht_am desc, g.kennung limit 200
    ) f
  );
end $$;
select rights.define('app.a_get_geloeschte_vermessung(bigint)');
grant execute on function app.a_get_geloeschte_vermessung(bigint) to nutzer;

-- Definer: nutzer may not choose a row's number, nor add photos. Puts back an object that a person deleted,
-- under its number and with the photos that went with it.
create or replace function app.a_restore_vermessung(kennung uuid)
  returns jsonb language plpgsql set search_path = pg_catalog as $$
declare
  gone maps.vermessung_geloescht;
  content jsonb;
  photos jsonb;
  me record;
begin
  perform rights.refuse_unless(rights.has_any('apus_admin', 'apus_team'));
  select g.* into gone
  from maps.vermessung_geloescht g
  where g.kennung = a_restore_vermessung.kennung
    and g.inhalt is not null
    and g.tabelle <> 'bild'
    and g.geloescht_am > maps.restorable_since() for update;
  perform rights.check_found(gone.kennung is not null and maps.writes_survey_of(gone.client_id));
  if exists (select from app.kunde k where k.client_id = gone.client_id and k.gesperrt_bis is not null) then
    raise sqlstate 'PT409' using message = 'the customer is blocked', hint = 'kunde_gesperrt';
  end if;
  -- What refers to other rows is looked up again: an import or a plan may be gone.
  content := gone.inhalt || jsonb_build_object(
    'version', (gone.inhalt ->> 'version')::integer + 1, 'geaendert_am', now(), 'import_id', null,
    'karte_id', maps.plan_numbered(gone.client_id, gone.inhalt ->> 'plan_nr')
  );
  with back as (
    delete from maps.vermessung_geloescht b
    where b.client_id = gone.client_id
      and b.inhalt is not null
      and b.tabelle = 'bild'
      and b.geloescht_am = gone.geloescht_am
      and b.inhalt ->> 'objekt' = gone.kennung::text
    returning b.inhalt
  )
  select coalesce(jsonb_agg(back.inhalt order by (back.inhalt ->> 'id')::bigint), '[]') into photos
  from back;
  delete from maps.vermessung_geloescht g where g.kennung = gone.kennung;
  begin
    perform maps.put_back(gone.tabelle, jsonb_build_array(content));
  exception
    when unique_violation then
      raise sqlstate 'PT409' using message = 'key taken', hint = 'vermessung_schluessel_vergeben';
  end;
  perform maps.put_back('vermessungsbilder', photos);
  select * into me from rights.caller();
  insert into app.verlauf (wer, user_id, tabelle, schluessel, client_id, aktion, neu)
  values (
    me.name, me.user_id, gone.tabelle, content ->> 'id', gone.client_id, 'neu',
    (content - '{version,geaendert_am,herkunft}'::text[])
      || jsonb_build_object('geom', public.st_astext((content ->> 'geom')::public.geometry, 3))
  );
  return jsonb_build_object(
    'kennung', gone.kennung, 'tabelle', gone.tabelle, 'id', content -> 'id',
    'bilder', jsonb_array_length(photos)
  );
end $$;
select rights.define('app.a_restore_vermessung(uuid)');
grant execute on function app.a_restore_vermessung(uuid) to nutzer;
-- Inserts rows as they were; columns that the database derives are left out.
create or replace function maps.put_back(tabelle text, content jsonb)
  returns void language plpgsql set search_path = pg_catalog as $$
declare
  columns text := (
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
    from pg_attribute a
    where a.attrelid = format('app.%I', tabelle)::regclass
      and a.attnum > 0
      and not a.attisdropped
      and a.attgenerated = ''
      and content -> 0 ? a.attname
  );
begin
  if jsonb_array_length(content) = 0 then return; end if;
  execute format(
    'insert into app.%1$I (%2$s) select %2$s from jsonb_populate_recordset(null::app.%1$I, $1)', tabelle,
    columns
  ) using content;
end $$;
grant execute on function maps.put_back(text, jsonb) to forst_definer;

-- Definer: forst_karte has no right on any table. What can no longer be put back is forgotten.
create or replace function maps.forget_deleted_vermessung()
  returns void language sql set search_path = pg_catalog as $$
  -- As much as is quickly done: the clean-up comes again.
  update maps.vermessung_geloescht g set inhalt = null, dateien = null
  where g.kennung in (
    select o.kennung
    from maps.vermessung_geloescht o
    where o.inhalt is not null and o.geloescht_am <= maps.restorable_since() limit 10000
  );
$$;
select rights.define('maps.forget_deleted_vermessung()');
grant execute on function maps.forget_deleted_vermessung() to forst_karte;

-- Definer: nutzer may not write a photo's distance. Moving an object changes that of its photos.
create or replace function maps.measure_picture_distance()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  update app.vermessungsbilder b set exif_abweichung_m = public.st_distance(
    b.exif_lage::public.geography, public.st_transform(new.geom, 4326)::public.geography
  )::numeric
  where b.objekt = new.kennung and b.exif_lage is not null;
  return null;
end $$;
select rights.define('maps.measure_picture_distance()');
do $$
declare name text;
begin
  foreach name in array '{draenage,ausmuendung,schacht,schlucker,einlauf}'::text[] loop
    execute format(
      $t$create or replace trigger w_bilder after delete on app.%I referencing old table as gone
        for each statement when (current_user <> 'forst_betrieb') execute function maps.remove_pictures()$t$,
      name
    );
    execute format(
      $t$create or replace trigger w_abweichung after update of geom on app.%I for each row
        when (current_user <> 'forst_betrieb' and new.geom::text <> old.geom::text)
        execute function maps.measure_picture_distance()$t$,
      name
    );
  end loop;
end $$;

-- Definer: nutzer has no right to add photos. Adds a photo the server has stored, on behalf of a member of
-- staff. Repeating the call does not add it again.
create or replace function maps.add_vermessung_picture(
  tabelle text, objekt uuid, kennung uuid, dateiname text, typ text, groesse bigint, breite integer,
  hoehe integer, sha256 text, aufgenommen_am timestamptz, richtung numeric, exif_lon float8, exif_lat float8,
  bemerkung text, out id bigint, out neu boolean
) language plpgsql set search_path = pg_catalog as $$
declare
  kunde app.kunde;
  customer bigint;
  there public.geometry;
  present app.vermessungsbilder;
  place public.geometry;
begin
  perform rights.check_found(
    rights.has_any('apus_admin', 'apus_team')
    and tabelle in ('draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf')
  );
  execute format('select t.client_id, t.geom from app.%I t where t.kennung = $1 for no key update', tabelle)
    into customer, there
    using objekt;
  perform rights.check_found(customer is not null);
  select k.* into kunde from app.kunde k where k.client_id = customer;
  if kunde.gesperrt_bis is not null then
    raise sqlstate 'PT409' using message = 'the customer is blocked', hint = 'kunde_gesperrt';
  end if;
  if maps.is_vermessung_deleted(kennung) then
    raise sqlstate 'PT409' using message = 'deleted before', hint = 'vermessung_geloescht';
  end if;
  select b.* into present
  from app.vermessungsbilder b
  where b.kennung = add_vermessung_picture.kennung;
  if present.id is not null then
    if present.objekt <> add_vermessung_picture.objekt or present.sha256 <> add_vermessung_picture.sha256 then
      raise sqlstate 'PT409' using message = 'taken', hint = 'vermessung_kennung_vergeben';
    end if;
    id := present.id;
    neu := false;
    return;
  end if;
  if (
    select count(*)
    from app.vermessungsbilder b
    where b.objekt = add_vermessung_picture.objekt
  ) >= 50 then
    raise sqlstate 'PT409' using message = 'too many', hint = 'vermessung_bilder_viele';
  end if;
  if exif_lon between -180 and 180 and exif_lat between -90 and 90 then
    place := public.st_setsrid(public.st_makepoint(exif_lon, exif_lat), 4326);
  end if;
  insert into app.vermessungsbilder as b (
    kennung, tabelle, objekt, client_id, dateiname, typ, groesse, breite, hoehe, sha256, aufgenommen_am,
    richtung, exif_lage, exif_abweichung_m, bemerkung
  )
  values (
    add_vermessung_picture.kennung, add_vermessung_picture.tabelle, add_vermessung_picture.objekt, customer,
    add_vermessung_picture.dateiname, add_vermessung_picture.typ, add_vermessung_picture.groesse,
    add_vermessung_picture.breite, add_vermessung_picture.hoehe, add_vermessung_picture.sha256,
    add_vermessung_picture.aufgenommen_am, add_vermessung_picture.richtung, place,
    case
      when place is not null then public.st_distance(
        place::public.geography, public.st_transform(there, 4326)::public.geography
      )::numeric
    end,
    add_vermessung_picture.bemerkung
  )
  returning b.id into add_vermessung_picture.id;
  -- Without a key the next replacing import would add it again, and could not tell which has the photo.
  execute format(
    'update app.%I t set schluessel = ''Feld-'' || right(t.kennung::text, 12), herkunft = t.geom,
       import_id = null
     where t.kennung = $1 and t.schluessel is null',
    tabelle
  ) using objekt;
  neu := true;
end $$;
select rights.define(
  'maps.add_vermessung_picture(text, uuid, uuid, text, text, bigint, integer, integer, text,
    timestamptz, numeric, float8, float8, text)'
);
grant execute on function maps.add_vermessung_picture(
  text, uuid, uuid, text, text, bigint, integer, integer, text, timestamptz, numeric, float8, float8, text
) to forst_karte;

-- Definer: forst_karte has no right on photos. Stores the sizes made of a photo. False: it has been deleted.
create or replace function maps.set_picture_sizes(id bigint, klein text, mittel text, gross text)
  returns boolean language plpgsql set search_path = pg_catalog as $$
begin
  update app.vermessungsbilder b set
    klein = set_picture_sizes.klein, mittel = set_picture_sizes.mittel, gross = set_picture_sizes.gross
  where b.id = set_picture_sizes.id;
  return found;
end $$;
select rights.define('maps.set_picture_sizes(bigint, text, text, text)');
grant execute on function maps.set_picture_sizes(bigint, text, text, text) to forst_karte;
-- Definer: as above. Photos whose sizes are missing, from the one after `after_id`.
create or replace function maps.pictures_without_sizes(after_id bigint, most integer)
  returns table (id bigint, sha256 text) language sql stable set search_path = pg_catalog as $$
  select b.id, b.sha256
  from app.vermessungsbilder b
  where (b.klein is null or b.mittel is null or b.gross is null) and b.id > pictures_without_sizes.after_id
  order by b.id limit least(pictures_without_sizes.most, 1000)
$$;
select rights.define('maps.pictures_without_sizes(bigint, integer)');
grant execute on function maps.pictures_without_sizes(bigint, integer) to forst_karte;

-- Definer: called where a person is deleted. Replaces the name only where the history shows this person; a
-- namesake's stays.
create or replace function maps.replace_picture_name(person bigint, name text, replacement text)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  update app.vermessungsbilder b set
    created_by = case when b.created_by = name then replacement else b.created_by end,
    geaendert_von = case when b.geaendert_von = name then replacement else b.geaendert_von end
  where name in (b.created_by, b.geaendert_von)
    and exists (
      select from app.verlauf v
      where v.tabelle = 'vermessungsbilder' and v.schluessel = b.objekt::text and v.user_id = person
    );
  update maps.vermessung_geloescht g set inhalt = g.inhalt || jsonb_build_object(
    'created_by', case
      when g.inhalt ->> 'created_by' = name then replacement
      else g.inhalt ->> 'created_by'
    end,
    'geaendert_von', case
      when g.inhalt ->> 'geaendert_von' = name then replacement
      else g.inhalt ->> 'geaendert_von'
    end
  )
  where g.tabelle = 'bild'
    and name in (g.inhalt ->> 'created_by', g.inhalt ->> 'geaendert_von')
    and exists (
      select from app.verlauf v
      where v.tabelle = 'vermessungsbilder' and v.schluessel = g.inhalt ->> 'objekt' and v.user_id = person
    );
  update app.verlauf v set
    alt = privacy.without_values(v.alt, '{created_by}'), neu = privacy.without_values(v.neu, '{created_by}')
  where v.tabelle = 'vermessungsbilder' and name in (v.alt ->> 'created_by', v.neu ->> 'created_by');
end $$;
select rights.define('maps.replace_picture_name(bigint, text, text)');

-- Definer: removing a customer (privacy.sql) needs no other right on these tables. Nothing of the survey is
-- kept, not even in the history.
create or replace function maps.remove_vermessung(client_id bigint)
  returns void language sql set search_path = pg_catalog as $$
  delete from app.draenage t where t.client_id = remove_vermessung.client_id;
  delete from app.ausmuendung t where t.client_id = remove_vermessung.client_id;
  delete from app.schacht t where t.client_id = remove_vermessung.client_id;
  delete from app.schlucker t where t.client_id = remove_vermessung.client_id;
  delete from app.einlauf t where t.client_id = remove_vermessung.client_id;
  delete from app.vermessungsbilder t where t.client_id = remove_vermessung.client_id;
  delete from app.vermessung_import t where t.client_id = remove_vermessung.client_id;
  delete from maps.vermessung_geloescht t where t.client_id = remove_vermessung.client_id;
  delete from maps.vermessung_empfangen t where t.client_id = remove_vermessung.client_id;
  update app.verlauf v set alt = null, neu = null
  where v.client_id = remove_vermessung.client_id
    and v.tabelle in ('draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf', 'vermessungsbilder');
$$;
select rights.define('maps.remove_vermessung(bigint)');
