-- Headquarters, their areas and module switches. Read: forest staff all, a customer's admin those of the
-- customer, everyone else those they are linked to.
-- Written only by ogf_admin, because the switches are what a customer pays for.

select rights.protect('app.hq');
select rights.protect('app.hq_flaeche');
select rights.protect('app.kunde_hq');
grant select on app.hq, app.hq_flaeche, app.kunde_hq to forst_definer, nutzer;
grant update (geom, version, geaendert_am, geaendert_von) on app.hq_flaeche to forst_definer;
grant insert (hqid, client_id) on app.kunde_hq to forst_definer;
grant insert (client_id, "sHQ", fb_enabled, "dtFE", "dcFLAEHB"),
  update ("sHQ", fb_enabled, "dtFE", "dcFLAEHB") on app.hq to nutzer;
grant insert (hqid, client_id, geom), update (geom), delete on app.hq_flaeche to nutzer;
grant update (
  fe_enabled, basis_fe_enabled, kawm_enabled, kawm_area, kawm_approval_date, kawm_custom_area_enabled
) on app.kunde_hq to nutzer;

-- What an import takes of a headquarters and its switches, as domain/hq-fields.ts declares it (compared by
-- db/test/fields.sql.test.ts), and what an empty cell stands for.
create or replace function forest.hq_fields()
  returns table (feld text, tabelle text, kind text, laengste integer, vorgabe text)
  language sql immutable set search_path = pg_catalog as $$
  values ('sHQ', 'hq', 'line', 200, null::text), ('fb_enabled', 'hq', 'boolean', 20, 'true'),
    ('dtFE', 'hq', 'date', 30, null), ('dcFLAEHB', 'hq', 'area', 30, null),
    ('fe_enabled', 'kunde_hq', 'boolean', 20, 'false'),
    ('basis_fe_enabled', 'kunde_hq', 'boolean', 20, 'false'),
    ('kawm_enabled', 'kunde_hq', 'boolean', 20, 'false'), ('kawm_area', 'kunde_hq', 'area', 30, null),
    ('kawm_approval_date', 'kunde_hq', 'date', 30, null)
$$;
grant execute on function forest.hq_fields() to nutzer;

do $$
declare entry record;
begin
  for entry in
    select * from (
      values ('app.hq', '"idHQ"'), ('app.hq_flaeche', 'hqid'), ('app.kunde_hq', 'hqid')
    ) as t(relation, key)
  loop
    execute format(
      $p$create policy staff on %s for select to nutzer
        using ((select rights.has_any('ogf_admin', 'ogf_team')))$p$,
      entry.relation
    );
    execute format(
      $p$create policy own_kunde on %s for select to nutzer
        using (client_id = any ((select rights.kunden_as('kundenadmin'))::bigint[]))$p$,
      entry.relation
    );
    execute format(
      $p$create policy linked on %s for select to nutzer
        using (%s = any ((select rights.hqs_as())::bigint[]))$p$,
      entry.relation, entry.key
    );
    execute format(
      $p$create policy change on %s for update to nutzer using ((select rights.has_role('ogf_admin')))$p$,
      entry.relation
    );
  end loop;
end $$;
create policy add on app.hq for insert to nutzer with check ((select rights.has_role('ogf_admin')));
create policy add on app.hq_flaeche for insert to nutzer with check ((select rights.has_role('ogf_admin')));
create policy remove on app.hq_flaeche for delete to nutzer using ((select rights.has_role('ogf_admin')));

-- Definer: nutzer may not insert the row of switches. Created with the headquarters, all off.
create or replace function forest.add_switches()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  insert into app.kunde_hq (hqid, client_id) values (new."idHQ", new.client_id);
  return null;
end $$;
select rights.define('forest.add_switches()');
create or replace trigger x_switches after insert on app.hq
  for each row when (current_user <> 'forst_betrieb') execute function forest.add_switches();

-- Definer: compares with the customer's coordinate system whether or not the caller may read it. An area in
-- another system would appear elsewhere on the map.
create or replace function forest.check_area()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare expected integer;
begin
  -- Runs before the policy: callers the policy will refuse must not learn a customer's system from this
  -- error.
  if not rights.has_role('ogf_admin') then return new; end if;
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
select rights.define('forest.check_area()');
create or replace trigger a_area before insert or update of geom on app.hq_flaeche
  for each row when (current_user in ('nutzer', 'programm')) execute function forest.check_area();

select history.watch('app.hq', 'idHQ', true);
select history.watch('app.hq_flaeche', 'hqid', true);
select history.watch('app.kunde_hq', 'hqid', true);

-- Hectares of an area. Surveying systems count in metres of their grid, as land registers do. Degrees and web
-- mercator do not; their area is computed on the ellipsoid.
create or replace function forest.hectares(geom public.geometry)
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
grant execute on function forest.hectares(public.geometry) to nutzer;

-- Headquarters of a person: the caller, or anybody whose record the caller may read. The policies decide
-- which headquarters the caller sees of them.
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
grant execute on function app.__o_get_hqs_from_user(bigint) to nutzer;

-- Everything about one headquarters; no row if the caller may not read it. `flaeche_ha` is the area of the
-- polygon, `dcFLAEHB` the one in the management plan.
create or replace function app.__o_get_hq_details(hq_id bigint)
  returns table (
    "idHQ" bigint, "sHQ" text, client_id bigint, kunde text, fb_enabled boolean, "dtFE" date,
    "dcFLAEHB" numeric, fe_enabled boolean, basis_fe_enabled boolean, kawm_enabled boolean, kawm_area numeric,
    kawm_approval_date date, kawm_custom_area_enabled boolean, epsg integer, flaeche_ha numeric, nutzer bigint
  ) language sql stable set search_path = pg_catalog as $$
  select h."idHQ", h."sHQ", h.client_id, k.name, h.fb_enabled, h."dtFE", h."dcFLAEHB", s.fe_enabled,
    s.basis_fe_enabled, s.kawm_enabled, s.kawm_area, s.kawm_approval_date, s.kawm_custom_area_enabled,
    public.st_srid(f.geom), forest.hectares(f.geom),
    (select count(*) from app.benutzer_hq bh where bh.hqid = h."idHQ")
  from app.hq h
    left join app.kunde k on k.client_id = h.client_id
    left join app.kunde_hq s on s.hqid = h."idHQ"
    left join app.hq_flaeche f on f.hqid = h."idHQ"
  where h."idHQ" = hq_id
$$;
grant execute on function app.__o_get_hq_details(bigint) to nutzer;

-- Extent of every headquarters the caller may see: in the customer's system, and as west, south, east, north
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
grant execute on function app.__o_get_bbox_from_hq() to nutzer;

-- One row per headquarters for lists. Runs as the caller: without the right to read the customer, the
-- customer's name is null.
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

-- The area of one headquarters to draw; no row if none is drawn or the caller may not read it. Outlines of
-- more than 4,000 points are simplified: on a screen nobody sees the difference.
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
    g.points, g.points > 4000, forest.hectares(f.geom), public.st_xmin(f.geom), public.st_ymin(f.geom),
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
        -- The outline, not its extent: an edge along the grid is curved in degrees.
        public.st_transform(f.geom, 4326) as degrees
    ) g
  where f.hqid = hq_id
$$;
grant execute on function app.__o_get_area_from_hq(bigint) to nutzer;

-- Whether coordinates convert between two systems without a datum grid: the same system, or both within
-- ETRS89 (including WGS 84, which differs by less than the accuracy of a survey).
-- domain/area.ts has the same rule; a test compares all pairs.
create or replace function forest.same_datum(one integer, other integer)
  returns boolean language sql immutable strict parallel safe set search_path = pg_catalog
  return one = other
    or (
      one in (25831, 25832, 25833, 4647, 5650, 4258, 4326, 3857)
      and other in (25831, 25832, 25833, 4647, 5650, 4258, 4326, 3857)
    );
grant execute on function forest.same_datum(integer, integer) to nutzer, forst_definer;

-- Whether the value is a GeoJSON Polygon or MultiPolygon: closed rings of at least four corners, each with
-- two or three numbers. PostGIS reads text as zero and reports other mistakes in its own terms.
create or replace function checks.is_polygon_json(geojson jsonb)
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
grant execute on function checks.is_polygon_json(jsonb) to nutzer;

-- Draws or replaces the area of a headquarters from a GeoJSON Polygon or MultiPolygon. `version` is that of
-- the replaced area, null if there is none yet.
-- The role is checked first, so that error messages reveal no customer's system to others; row security
-- checks it again. The checks below explain what may be wrong with a file.
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
  where h."idHQ" = hq_id and (select rights.has_role('ogf_admin'));
  perform rights.check_found(found);
  if checks.is_polygon_json(geojson) is not true then
    raise check_violation
      using message = 'the area must be a Polygon or a MultiPolygon of closed rings', hint = 'geometry',
        column = 'geojson';
  end if;
  if a_set_hq_flaeche.epsg is null or not forest.same_datum(a_set_hq_flaeche.epsg, wanted) then
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
  -- A coordinate far outside its system's area is nowhere on the globe, and projecting it fails.
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
  -- Swapped axes or a wrong system place the area far away. Germany with a wide margin.
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
    perform rights.check_found(found);
  end if;
end $$;
grant execute on function app.a_set_hq_flaeche(bigint, jsonb, integer, integer) to nutzer;

-- What the caller may do with the people of a headquarters, so that screens offer exactly that. No row if the
-- caller may not read it.
create or replace function app.__o_get_hq_rights(hq_id bigint)
  returns table (verbinden boolean, verwalter_ernennen boolean, verwaltbar bigint[])
  language sql stable set search_path = pg_catalog as $$
  select rights.may_connect(hq_id), rights.has_role('ogf_admin') or hq_id = any (rights.hqs_as('hq_admin')),
    array(
      select bh.user_id
      from app.benutzer_hq bh
      where bh.hqid = hq_id and rights.may_manage(bh.user_id)
      order by bh.user_id
    )
  from app.hq h
  where h."idHQ" = hq_id
$$;
grant execute on function app.__o_get_hq_rights(bigint) to nutzer;

-- Definer: finds people the caller may link to the headquarters but not see yet (people of the same customer,
-- the newly registered), by their whole sign-in address. Nobody else is found, whether or not there is such a
-- person.
create or replace function app.__o_find_user_for_hq(hq_id bigint, email text)
  returns table (user_id bigint, username text, first_name text, last_name text)
  language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.may_connect(hq_id));
  return query
    select b.user_id, b.username, b.first_name, b.last_name
    from app.benutzer b
    where accounts.fold_address(b.email) = accounts.fold_address(btrim(__o_find_user_for_hq.email))
      and b.enabled
      and (
        rights.has_role('ogf_admin') or (not rights.is_staff(b.user_id) and rights.is_near(b.user_id, hq_id))
      );
end $$;
select rights.define('app.__o_find_user_for_hq(bigint, text)');
grant execute on function app.__o_find_user_for_hq(bigint, text) to nutzer;
