-- Which holdings and customers have something, with counts, the last change and a place on the map: where
-- pages about one of them begin. Runs with the caller's rights, so everybody sees what they may read.

-- Trees of each holding, lost ones left out; with `only_kawm` those that count for the grant. The place is
-- the middle of the trees. Planned for each caller: those who do not read all trees are asked by the index.
create or replace function forest.tree_counts(only_kawm boolean)
  returns table (
    hqid bigint, anzahl bigint, markiert bigint, geaendert_am timestamptz, lon double precision,
    lat double precision
  ) language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_custom_plan as $$
declare
  every constant boolean := search.reads_all('habitatbaeume');
  own constant bigint[] := case when not every then search.own_hqs() end;
begin
  return query
    select b."idHQ", count(*), count(*) filter (where b.markierung_art is not null), max(b.geaendert_am),
      (min(b.lon) + max(b.lon)) / 2, (min(b.lat) + max(b.lat)) / 2
    from app.habitatbaeume b
    where b.verlust_datum is null and (b.kawm or not only_kawm) and (every or b."idHQ" = any (own))
    group by b."idHQ";
end $$;
grant execute on function forest.tree_counts(boolean) to nutzer;

-- Objects of the survey of each customer. Counted from the index on the customer, table by table.
create or replace function maps.object_counts()
  returns table (client_id bigint, anzahl bigint)
  language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_custom_plan as $$
declare
  every constant boolean := rights.has_any('apus_admin', 'apus_team');
  own constant bigint[] := case when not every then maps.kataster_kunden() end;
begin
  return query
    select o.client_id, sum(o.n)::bigint
    from (
      select t.client_id, count(*) as n
      from app.draenage t
      where every or t.client_id = any (own)
      group by t.client_id
      union all
      select t.client_id, count(*) as n
      from app.ausmuendung t
      where every or t.client_id = any (own)
      group by t.client_id
      union all
      select t.client_id, count(*) as n
      from app.schacht t
      where every or t.client_id = any (own)
      group by t.client_id
      union all
      select t.client_id, count(*) as n
      from app.schlucker t
      where every or t.client_id = any (own)
      group by t.client_id
      union all
      select t.client_id, count(*) as n
      from app.einlauf t
      where every or t.client_id = any (own)
      group by t.client_id
    ) o
    group by o.client_id;
end $$;
grant execute on function maps.object_counts() to nutzer;

-- The middle of a box, in degrees. Of an outline the box is stored with it, so that large ones are not read.
create or replace function maps.middle_of(box public.box2d, epsg integer)
  returns public.geometry language sql immutable strict parallel safe set search_path = pg_catalog as $$
  select public.st_transform(public.st_setsrid(
    public.st_makepoint(
      (public.st_xmin(box) + public.st_xmax(box)) / 2, (public.st_ymin(box) + public.st_ymax(box)) / 2
    ),
    epsg
  ), 4326)
$$;
grant execute on function maps.middle_of(public.box2d, integer) to nutzer;

-- Holdings with habitat trees ('habitat'), with the grant switched on ('kawm') or with stands
-- ('waldbestand').
create or replace function forest.hqs_with(was text)
  returns table (
    hqid bigint, anzahl bigint, markiert bigint, hektar numeric, geaendert_am timestamptz,
    lon double precision, lat double precision
  ) language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_custom_plan as $$
declare
  every constant boolean := search.reads_all('hq');
  own constant bigint[] := case when not every then forest.hqs_with_fe() end;
begin
  case was
    when 'habitat' then
      return query
        select t.hqid, t.anzahl, null::bigint, null::numeric, t.geaendert_am, t.lon, t.lat
        from forest.tree_counts(false) t;
    when 'kawm' then
      return query
        select s.hqid, coalesce(t.anzahl, 0), coalesce(t.markiert, 0), null::numeric,
          greatest(s.geaendert_am, t.geaendert_am), t.lon, t.lat
        from app.kunde_hq s left join forest.tree_counts(true) t on t.hqid = s.hqid
        where s.kawm_enabled;
    else
      return query
        select b."idHQ", count(*), null::bigint, sum(b.flaeche_ha), max(b.angelegt_am),
          null::double precision, null::double precision
        from app.bestand b
        where every or b."idHQ" = any (own)
        group by b."idHQ";
  end case;
end $$;
grant execute on function forest.hqs_with(text) to nutzer;

-- The 500 changed last among those whose name contains every word; `gesamt` says how many there are.
-- Holdings as above; `zusatz` is their customer, `soll` and `frist` are the grant's trees and deadline. For
-- 'kataster' customers with a survey: `zusatz` is their place, `karten` the number of their plans. A holding
-- is located by its outline, otherwise by its trees or first stands, a customer by its first objects.
create or replace function app.__o_get_places(was text, suche text default '')
  returns table (
    id bigint, name text, zusatz text, anzahl bigint, markiert bigint, soll integer, frist date,
    hektar numeric, karten bigint, geaendert_am timestamptz, lon double precision, lat double precision,
    gesamt bigint
  ) language plpgsql stable set search_path = pg_catalog as $$
declare
  muster constant text[] := array(select search.pattern_of(w) from unnest(search.words_of(suche)) as w);
  most constant integer := 500;
begin
  perform checks.check_value(was in ('habitat', 'kawm', 'waldbestand', 'kataster'), 'was', 'ort_art');
  if was = 'kataster' then
    return query
      select k.client_id, k.name, k.ort, k.anzahl, null::bigint, null::integer, null::date, null::numeric,
        (select count(*) from app.kartenblatt p where p.client_id = k.client_id), k.geaendert_am,
        public.st_x(m.g), public.st_y(m.g), k.gesamt
      from (
        select k.client_id, k.name, k.ort, o.anzahl, i.geaendert_am, count(*) over () as gesamt
        from maps.object_counts() o
          join app.kunde k on k.client_id = o.client_id
          left join (
            select v.client_id, max(v.beendet_am) as geaendert_am
            from app.vermessung_import v
            where v.stand = 'fertig'
            group by v.client_id
          ) i on i.client_id = o.client_id
        where k.suchtext ~ all (muster)
        order by i.geaendert_am desc nulls last, k.client_id limit most
      ) k
        cross join lateral (
          select maps.middle_of(public.st_extent(x.g), 3857) as g
          from (
            (select d.g3857 as g from app.draenage d where d.client_id = k.client_id limit 20)
            union all (select a.g3857 from app.ausmuendung a where a.client_id = k.client_id limit 20)
            union all (select s.g3857 from app.schacht s where s.client_id = k.client_id limit 20)
          ) x
        ) m
      order by k.geaendert_am desc nulls last, k.client_id;
  else
    return query
      select h."idHQ", h."sHQ", h.kunde, h.anzahl, h.markiert, (g.kawm ->> 'soll')::integer,
        (g.kawm ->> 'frist')::date, h.hektar, null::bigint, h.geaendert_am,
        coalesce(public.st_x(a.g), h.lon, public.st_x(b.g)),
        coalesce(public.st_y(a.g), h.lat, public.st_y(b.g)), h.gesamt
      from (
        select h."idHQ", h."sHQ", h."dcFLAEHB", k.name as kunde, n.*, count(*) over () as gesamt
        from forest.hqs_with(was) n
          join app.hq h on h."idHQ" = n.hqid
          left join app.kunde k on k.client_id = h.client_id
        where h.suchtext || ' ' || coalesce(k.suchtext, '') ~ all (muster)
        order by n.geaendert_am desc nulls last, h."idHQ" limit most
      ) h
        left join lateral (
          select maps.middle_of(f.geom::public.box2d, public.st_srid(f.geom)) as g
          from app.hq_flaeche f
          where f.hqid = h."idHQ"
        ) a on true
        left join lateral (
          select maps.middle_of(public.st_extent(x.g3857), 3857) as g
          from (select b.g3857 from app.bestand b where b."idHQ" = h."idHQ" limit 20) x
          where was = 'waldbestand' and a.g is null
        ) b on true
        left join lateral (
          select forest.kawm(
            s.kawm_enabled, s.kawm_custom_area_enabled, s.kawm_area, h."dcFLAEHB", s.kawm_approval_date,
            checks.today(), h.anzahl::integer, h.markiert::integer, 0
          ) as kawm
          from app.kunde_hq s
          where was = 'kawm' and s.hqid = h."idHQ"
        ) g on true
      order by h.geaendert_am desc nulls last, h."idHQ";
  end if;
end $$;
grant execute on function app.__o_get_places(text, text) to nutzer;
