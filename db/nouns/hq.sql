-- Headquarters, their areas and feature switches. Read: forest staff all, a customer's admin those of the
-- customer, everyone else those they are linked to.
-- Written by ogf_admin alone, because the switches are what a customer pays for.

select rechte.protect('app.hq');
select rechte.protect('app.hq_flaeche');
select rechte.protect('app.kunde_hq');
grant select on app.hq, app.hq_flaeche, app.kunde_hq to forst_definer, nutzer;
grant update (geom, version, geaendert_am, geaendert_von) on app.hq_flaeche to forst_definer;
grant insert (hqid, client_id) on app.kunde_hq to forst_definer;
grant insert (client_id, "sHQ", fb_enabled, "dtFE", "dcFLAEHB"),
  update ("sHQ", fb_enabled, "dtFE", "dcFLAEHB") on app.hq to nutzer;
grant insert (hqid, client_id, geom), update (geom), delete on app.hq_flaeche to nutzer;
grant update (
  fe_enabled, basis_fe_enabled, kawm_enabled, kawm_area, kawm_approval_date, kawm_custom_area_enabled
) on app.kunde_hq to nutzer;

do $$
declare entry record;
begin
  for entry in
    select * from (
      values ('app.hq', '"idHQ"'), ('app.hq_flaeche', 'hqid'), ('app.kunde_hq', 'hqid')
    ) as t(relation, key)
  loop
    execute format(
      $p$create policy staff on %s for select to nutzer using ((select rechte.has_any('ogf_admin', 'ogf_team')))$p$,
      entry.relation
    );
    execute format(
      $p$create policy own_kunde on %s for select to nutzer using (client_id = any ((select rechte.kunden_als('kundenadmin'))::bigint[]))$p$,
      entry.relation
    );
    execute format(
      $p$create policy linked on %s for select to nutzer using (%s = any ((select rechte.hqs_als())::bigint[]))$p$,
      entry.relation, entry.key
    );
    execute format(
      $p$create policy change on %s for update to nutzer using ((select rechte.has_role('ogf_admin')))$p$,
      entry.relation
    );
  end loop;
end $$;
create policy add on app.hq for insert to nutzer with check ((select rechte.has_role('ogf_admin')));
create policy add on app.hq_flaeche for insert to nutzer with check ((select rechte.has_role('ogf_admin')));
create policy remove on app.hq_flaeche for delete to nutzer using ((select rechte.has_role('ogf_admin')));

-- Definer: the switches' row is made with its headquarters, all off; nobody inserts it by hand.
create or replace function rechte.add_switches()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  insert into app.kunde_hq (hqid, client_id) values (new."idHQ", new.client_id);
  return null;
end $$;
select rechte.define('rechte.add_switches()');
create or replace trigger x_switches after insert on app.hq
  for each row when (current_user <> 'forst_betrieb') execute function rechte.add_switches();

-- Definer: compares with the customer's system, whoever draws. An area in another system would lie somewhere
-- else on the map.
create or replace function rechte.check_area()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare expected integer;
begin
  -- Runs before the policy does: whom that will refuse must not learn a customer's system from the fault.
  if not rechte.has_role('ogf_admin') then return new; end if;
  select k.epsg into expected from app.kunde k where k.client_id = new.client_id;
  if public.st_srid(new.geom) <> expected then
    raise check_violation
      using 
        message = format(
          'the area is in EPSG:%s, the customer''s system is EPSG:%s', public.st_srid(new.geom), expected
        ),
        hint = 'epsg', column = 'geom';
  end if;
  if not public.st_isvalid(new.geom) then
    raise check_violation
      using message = 'the area is not a valid polygon', detail = public.st_isvalidreason(new.geom),
        hint = 'geometry', column = 'geom';
  end if;
  return new;
end $$;
select rechte.define('rechte.check_area()');
create or replace trigger a_area before insert or update of geom on app.hq_flaeche
  for each row when (current_user = 'nutzer') execute function rechte.check_area();

select rechte.watch('app.hq', 'idHQ', true);
select rechte.watch('app.hq_flaeche', 'hqid', true);
select rechte.watch('app.kunde_hq', 'hqid', true);

-- Hectares of an area. The surveying systems count in metres of their grid, as land registers do; degrees and
-- the web's Mercator do not, there the ellipsoid is asked.
create or replace function rechte.hectares(geom public.geometry)
  returns numeric language sql immutable strict parallel safe set search_path = pg_catalog as $$
  select round(
    (
      (case
        when public.st_srid(geom) in (4258, 4326, 3857) then
          public.st_area(public.st_transform(geom, 4326)::public.geography)
        else public.st_area(geom)
      end) / 10000
    )::numeric,
    4
  )
$$;

-- Headquarters of a person. Others than oneself: the provider's staff and whoever administers that person;
-- what they see of them is said by the policies.
create or replace function app.__o_get_hqs_from_user(user_id bigint)
  returns table (
    "idHQ" bigint, "sHQ" text, hq_status text[], fb_enabled boolean, "dtFE" date, "dcFLAEHB" numeric
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  if not exists (select from app.benutzer b where b.user_id = __o_get_hqs_from_user.user_id) then
    raise insufficient_privilege using message = 'not your own headquarters';
  end if;
  return query
    select h."idHQ", h."sHQ", bh.hq_status, h.fb_enabled, h."dtFE", h."dcFLAEHB"
    from app.benutzer_hq bh join app.hq h on h."idHQ" = bh.hqid
    where bh.user_id = __o_get_hqs_from_user.user_id
    order by h.sortname, h."idHQ";
end $$;

-- Everything about one headquarters; no row where it is foreign. flaeche_ha is the area of the polygon,
-- dcFLAEHB the one from the management plan.
create or replace function app.__o_get_hq_details(hq_id bigint)
  returns table (
    "idHQ" bigint, "sHQ" text, client_id bigint, kunde text, fb_enabled boolean, "dtFE" date,
    "dcFLAEHB" numeric, fe_enabled boolean, basis_fe_enabled boolean, kawm_enabled boolean, kawm_area numeric,
    kawm_approval_date date, kawm_custom_area_enabled boolean, epsg integer, flaeche_ha numeric, nutzer bigint
  ) language sql stable set search_path = pg_catalog as $$
  select h."idHQ", h."sHQ", h.client_id, k.name, h.fb_enabled, h."dtFE", h."dcFLAEHB", s.fe_enabled,
    s.basis_fe_enabled, s.kawm_enabled, s.kawm_area, s.kawm_approval_date, s.kawm_custom_area_enabled,
    public.st_srid(f.geom), rechte.hectares(f.geom),
    (select count(*) from app.benutzer_hq bh where bh.hqid = h."idHQ")
  from app.hq h
    left join app.kunde k on k.client_id = h.client_id
    left join app.kunde_hq s on s.hqid = h."idHQ"
    left join app.hq_flaeche f on f.hqid = h."idHQ"
  where h."idHQ" = hq_id
$$;

-- Extent of each headquarters that the caller may see: in the customer's system, and west, south, east, north
-- in degrees for a map.
create or replace function app.__o_get_bbox_from_hq()
  returns table (
    "idHQ" bigint, "sHQ" text, epsg integer, xmin double precision, ymin double precision,
    xmax double precision, ymax double precision, west double precision, south double precision,
    east double precision, north double precision
  ) language sql stable set search_path = pg_catalog as $$
  select h."idHQ", h."sHQ", public.st_srid(f.geom), public.st_xmin(f.geom), public.st_ymin(f.geom),
    public.st_xmax(f.geom), public.st_ymax(f.geom), public.st_xmin(g.degrees), public.st_ymin(g.degrees),
    public.st_xmax(g.degrees), public.st_ymax(g.degrees)
  from app.hq h
    join app.hq_flaeche f on f.hqid = h."idHQ"
    cross join lateral (select public.st_transform(public.st_envelope(f.geom), 4326) as degrees) g
  order by h.sortname, h."idHQ"
$$;
revoke execute on function rechte.hectares(public.geometry), app.__o_get_hqs_from_user(bigint),
  app.__o_get_hq_details(bigint), app.__o_get_bbox_from_hq() from public;
grant execute on function rechte.hectares(public.geometry), app.__o_get_hqs_from_user(bigint),
  app.__o_get_hq_details(bigint), app.__o_get_bbox_from_hq() to nutzer;

-- What a list of headquarters shows, in one row each. It asks as the caller: who may not read the customer
-- sees the headquarters without the customer's name.
drop view if exists app.hq_liste;
create view app.hq_liste with (security_invoker = true) as
  select h."idHQ", h."sHQ", h.client_id, k.name as kunde, k.ort as kunde_ort, h.fb_enabled, h."dtFE",
    h."dcFLAEHB", s.fe_enabled, s.basis_fe_enabled, s.kawm_enabled, s.kawm_area, s.kawm_approval_date,
    s.kawm_custom_area_enabled,
    exists (select from app.hq_flaeche f where f.hqid = h."idHQ") as flaeche_gezeichnet, h.geaendert_am,
    h.geaendert_von, h.sortname, k.sortname as sortkunde,
    h.suchtext || ' ' || coalesce(k.suchtext, '') as suchtext
  from app.hq h
    left join app.kunde k on k.client_id = h.client_id
    left join app.kunde_hq s on s.hqid = h."idHQ";
revoke all on app.hq_liste from public, nutzer, forst_definer, forst_betrieb, forst_idp, forst_api;
grant select on app.hq_liste to nutzer;

-- The area of one headquarters to draw; no row where none is drawn or the headquarters is foreign. A line of
-- thousands of corners says no more on a screen than its outline.
create or replace function app.__o_get_area_from_hq(hq_id bigint)
  returns table (
    "idHQ" bigint, epsg integer, geojson jsonb, punkte integer, vereinfacht boolean, flaeche_ha numeric,
    xmin double precision, ymin double precision, xmax double precision, ymax double precision,
    west double precision, south double precision, east double precision, north double precision,
    version integer, geaendert_am timestamptz, geaendert_von text
  ) language sql stable set search_path = pg_catalog as $$
  select f.hqid, public.st_srid(f.geom),
    public.st_asgeojson(
      g.shown, case when public.st_srid(f.geom) in (4258, 4326) then 7 else 2 end, 0
    )::jsonb,
    g.points, g.points > 4000, rechte.hectares(f.geom), public.st_xmin(f.geom), public.st_ymin(f.geom),
    public.st_xmax(f.geom), public.st_ymax(f.geom), public.st_xmin(g.degrees), public.st_ymin(g.degrees),
    public.st_xmax(g.degrees), public.st_ymax(g.degrees), f.version, f.geaendert_am, f.geaendert_von
  from app.hq_flaeche f
    cross join lateral (
      select public.st_npoints(f.geom) as points,
        case
          when public.st_npoints(f.geom) <= 4000 then f.geom
          else public.st_simplifypreservetopology(
            f.geom,
            greatest(
              public.st_xmax(f.geom) - public.st_xmin(f.geom), public.st_ymax(f.geom) - public.st_ymin(f.geom)
            ) / 2000
          )
        end as shown,
        -- The outline itself, not its extent: an edge along the grid is bent in degrees.
        public.st_transform(f.geom, 4326) as degrees
    ) g
  where f.hqid = hq_id
$$;

-- Whether coordinates pass from one system to the other without a datum grid: within ETRS89 (and WGS 84,
-- which differs by less than the survey), or not at all.
-- The same rule stands in domain/area.ts; a test compares all pairs.
create or replace function rechte.same_datum(one integer, other integer)
  returns boolean language sql immutable strict parallel safe set search_path = pg_catalog
  return one = other
    or (
      one in (25831, 25832, 25833, 4647, 5650, 4258, 4326, 3857)
      and other in (25831, 25832, 25833, 4647, 5650, 4258, 4326, 3857)
    );

-- Whether it is a GeoJSON polygon or several: closed rings of four corners at least, each corner two numbers
-- or three. PostGIS itself takes words for nought and reports the rest in its own terms.
create or replace function rechte.is_polygon_json(geojson jsonb)
  returns boolean language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
declare
  polygon jsonb;
  ring jsonb;
begin
  if jsonb_typeof(geojson) <> 'object'
    or jsonb_typeof(geojson -> 'coordinates') is distinct from 'array'
    or geojson ->> 'type' is null
    or geojson ->> 'type' not in ('Polygon', 'MultiPolygon')
    or geojson -> 'coordinates' = '[]'
  then
    return false;
  end if;
  for polygon in
    select jsonb_array_elements(case geojson ->> 'type'
      when 'Polygon' then jsonb_build_array(geojson -> 'coordinates')
      else geojson -> 'coordinates'
    end)
  loop
    if jsonb_typeof(polygon) <> 'array' or polygon = '[]' then return false; end if;
    for ring in select jsonb_array_elements(polygon) loop
      if jsonb_typeof(ring) <> 'array' then return false; end if;
      if jsonb_array_length(ring) < 4 or ring -> 0 <> ring -> -1 then return false; end if;
      if exists (
        select from jsonb_array_elements(ring) corner
        where case
          when jsonb_typeof(corner) <> 'array' then true
          else
            jsonb_array_length(corner) not in (2, 3)
              or jsonb_typeof(corner -> 0) <> 'number'
              or jsonb_typeof(corner -> 1) <> 'number'
              or jsonb_typeof(corner -> 2) <> 'number'
        end
      ) then
        return false;
      end if;
    end loop;
  end loop;
  return true;
end $$;

-- Draws or replaces the area of a headquarters from the coordinates of a GeoJSON polygon. `version` is that
-- of the area which is replaced, null where there is none yet.
-- Who may is asked first, so that faults tell nobody else of a customer's system; row security decides it
-- once more. Below stand the faults that somebody with the wrong file has to understand.
create or replace function app.a_set_hq_flaeche(
  hq_id bigint, geojson jsonb, epsg integer, version integer default null
) returns void language plpgsql set search_path = pg_catalog as $$
declare
  customer bigint;
  wanted integer;
  present integer;
  area public.geometry;
  place public.geometry;
  envelope public.geometry;
begin
  select h.client_id, k.epsg into customer, wanted
  from app.hq h join app.kunde k on k.client_id = h.client_id
  where h."idHQ" = hq_id and (select rechte.has_role('ogf_admin'));
  if not found then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  if rechte.is_polygon_json(geojson) is not true then
    raise check_violation
      using message = 'the area must be a Polygon or a MultiPolygon of closed rings', hint = 'geometry',
        column = 'geojson';
  end if;
  if a_set_hq_flaeche.epsg is null or not rechte.same_datum(a_set_hq_flaeche.epsg, wanted) then
    raise check_violation
      using 
        message = format(
          'the area is in EPSG:%s, the customer''s system is EPSG:%s', a_set_hq_flaeche.epsg, wanted
        ),
        hint = 'epsg', column = 'epsg';
  end if;
  area := public.st_multi(public.st_force2d(
    public.st_setsrid(public.st_geomfromgeojson(geojson - 'crs'), a_set_hq_flaeche.epsg)
  ));
  -- Far outside of what its system is made for a coordinate has no place on the globe, and projecting it
  -- fails.
  place := public.st_centroid(public.st_envelope(area));
  if not (a_set_hq_flaeche.epsg in (4258, 4326))
      and (abs(public.st_x(place)) > 4e7 or abs(public.st_y(place)) > 2e7)
    or a_set_hq_flaeche.epsg in (4258, 4326)
      and (abs(public.st_x(place)) > 180 or abs(public.st_y(place)) > 90)
  then
    raise check_violation
      using message = 'the area lies nowhere on earth', hint = 'area_place', column = 'geojson';
  end if;
  if a_set_hq_flaeche.epsg <> wanted then area := public.st_transform(area, wanted); end if;
  envelope := public.st_transform(public.st_envelope(area), 4326);
  -- Swapped axes and a wrong system both end far away. Germany with a good margin.
  if public.st_xmin(envelope) < 3
    or public.st_xmax(envelope) > 18
    or public.st_ymin(envelope) < 45
    or public.st_ymax(envelope) > 57
  then
    raise check_violation
      using 
        message = format(
          'the area lies at %s° N, %s° E', round(public.st_y(public.st_centroid(envelope))::numeric, 2),
          round(public.st_x(public.st_centroid(envelope))::numeric, 2)
        ),
        hint = 'area_place', column = 'geojson';
  end if;
  if not public.st_isvalid(area) then
    raise check_violation
      using message = 'the area is not a valid polygon: ' || public.st_isvalidreason(area), hint = 'geometry',
        column = 'geojson';
  end if;
  select f.version into present from app.hq_flaeche f where f.hqid = hq_id;
  if present is distinct from a_set_hq_flaeche.version then
    raise sqlstate 'PT409' using message = 'the area was changed meanwhile', hint = 'area_changed';
  end if;
  if present is null then
    insert into app.hq_flaeche (hqid, client_id, geom) values (hq_id, customer, area);
  else
    update app.hq_flaeche f set geom = area where f.hqid = hq_id and f.version = present;
    if not found then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  end if;
end $$;

-- What the caller may do with the people of a headquarters, so that screens offer exactly that; nothing where
-- it is foreign.
create or replace function app.__o_get_hq_rights(hq_id bigint)
  returns table (verbinden boolean, verwalter_ernennen boolean, verwaltbar bigint[])
  language sql stable set search_path = pg_catalog as $$
  select rechte.may_connect(hq_id), rechte.has_role('ogf_admin') or hq_id = any (rechte.hqs_als('hq_admin')),
    array(
      select bh.user_id
      from app.benutzer_hq bh
      where bh.hqid = hq_id and rechte.may_manage(bh.user_id)
      order by bh.user_id
    )
  from app.hq h
  where h."idHQ" = hq_id
$$;

-- Definer: whoever connects people to a headquarters finds by their whole sign-in address those whom they may
-- connect but not see yet: people of the same customer and the newly registered. Everybody else is not found,
-- whether there is such a person or not.
create or replace function app.__o_find_user_for_hq(hq_id bigint, email text)
  returns table (user_id bigint, username text, first_name text, last_name text)
  language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(rechte.may_connect(hq_id));
  return query
    select b.user_id, b.username, b.first_name, b.last_name
    from app.benutzer b
    where rechte.fold_address(b.email) = rechte.fold_address(btrim(__o_find_user_for_hq.email))
      and b.enabled
      and (
        rechte.has_role('ogf_admin') or (not rechte.is_staff(b.user_id) and rechte.is_near(b.user_id, hq_id))
      );
end $$;
select rechte.define('app.__o_find_user_for_hq(bigint, text)');
grant execute on function rechte.may_connect(bigint), rechte.same_datum(integer, integer),
  rechte.is_polygon_json(jsonb) to nutzer;
revoke execute on function app.__o_get_area_from_hq(bigint),
  app.a_set_hq_flaeche(bigint, jsonb, integer, integer), app.__o_get_hq_rights(bigint),
  rechte.same_datum(integer, integer), rechte.is_polygon_json(jsonb) from public;
grant execute on function app.__o_get_area_from_hq(bigint),
  app.a_set_hq_flaeche(bigint, jsonb, integer, integer), app.__o_get_hq_rights(bigint),
  app.__o_find_user_for_hq(bigint, text) to nutzer;
