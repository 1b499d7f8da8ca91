-- Headquarters, their areas and feature switches. Read: forest staff all, a customer's admin those of the customer, everyone else those they are linked to.
-- Written by ogf_admin alone, because the switches are what a customer pays for.

select rechte.protect('app.hq');
select rechte.protect('app.hq_flaeche');
select rechte.protect('app.kunde_hq');
grant select on app.hq, app.hq_flaeche, app.kunde_hq to forst_definer, nutzer;
grant update (geom, version, geaendert_am, geaendert_von) on app.hq_flaeche to forst_definer;
grant insert (hqid, client_id) on app.kunde_hq to forst_definer;
grant insert (client_id, "sHQ", fb_enabled, "dtFE", "dcFLAEHB"), update ("sHQ", fb_enabled, "dtFE", "dcFLAEHB") on app.hq to nutzer;
grant insert (hqid, client_id, geom), update (geom), delete on app.hq_flaeche to nutzer;
grant update (fe_enabled, basis_fe_enabled, kawm_enabled, kawm_area, kawm_approval_date, kawm_custom_area_enabled) on app.kunde_hq to nutzer;

do $$ declare entry record; begin
  for entry in select * from (values ('app.hq', '"idHQ"'), ('app.hq_flaeche', 'hqid'), ('app.kunde_hq', 'hqid')) as t(relation, key) loop
    execute format($p$create policy staff on %s for select to nutzer using ((select rechte.has_any('ogf_admin', 'ogf_team')))$p$, entry.relation);
    execute format($p$create policy own_kunde on %s for select to nutzer using (client_id = any ((select rechte.kunden_als('kundenadmin'))::bigint[]))$p$, entry.relation);
    execute format($p$create policy linked on %s for select to nutzer using (%s = any ((select rechte.hqs_als())::bigint[]))$p$, entry.relation, entry.key);
    execute format($p$create policy change on %s for update to nutzer using ((select rechte.has_role('ogf_admin')))$p$, entry.relation);
  end loop;
end $$;
create policy add on app.hq for insert to nutzer with check ((select rechte.has_role('ogf_admin')));
create policy add on app.hq_flaeche for insert to nutzer with check ((select rechte.has_role('ogf_admin')));
create policy remove on app.hq_flaeche for delete to nutzer using ((select rechte.has_role('ogf_admin')));

-- Definer: the switches' row is made with its headquarters, all off; nobody inserts it by hand.
create or replace function rechte.add_switches() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  insert into app.kunde_hq (hqid, client_id) values (new."idHQ", new.client_id);
  return null;
end $$;
select rechte.define('rechte.add_switches()');
create or replace trigger x_switches after insert on app.hq for each row when (current_user <> 'forst_betrieb') execute function rechte.add_switches();

-- Definer: compares with the customer's system, whoever draws. An area in another system would lie somewhere else on the map.
create or replace function rechte.check_area() returns trigger language plpgsql set search_path = pg_catalog as $$
declare expected integer;
begin
  -- Runs before the policy does: whom that will refuse must not learn a customer's system from the fault.
  if not rechte.has_role('ogf_admin') then return new; end if;
  select k.epsg into expected from app.kunde k where k.client_id = new.client_id;
  if public.st_srid(new.geom) <> expected then
    raise check_violation using message = format('the area is in EPSG:%s, the customer''s system is EPSG:%s', public.st_srid(new.geom), expected), hint = 'epsg', column = 'geom';
  end if;
  if not public.st_isvalid(new.geom) then
    raise check_violation using message = 'the area is not a valid polygon', detail = public.st_isvalidreason(new.geom), hint = 'geometry', column = 'geom';
  end if;
  return new;
end $$;
select rechte.define('rechte.check_area()');
create or replace trigger a_area before insert or update of geom on app.hq_flaeche for each row when (current_user = 'nutzer') execute function rechte.check_area();

select rechte.watch('app.hq', 'idHQ', true);
select rechte.watch('app.hq_flaeche', 'hqid', true);
select rechte.watch('app.kunde_hq', 'hqid', true);

-- Headquarters of a person. Others than oneself: the provider's staff and whoever administers that person; what they see of them is said by the policies.
create or replace function app.__o_get_hqs_from_user(user_id bigint)
returns table ("idHQ" bigint, "sHQ" text, hq_status text[], fb_enabled boolean, "dtFE" date, "dcFLAEHB" numeric) language plpgsql stable set search_path = pg_catalog as $$
begin
  if not exists (select from app.benutzer b where b.user_id = __o_get_hqs_from_user.user_id) then
    raise insufficient_privilege using message = 'not your own headquarters';
  end if;
  return query select h."idHQ", h."sHQ", bh.hq_status, h.fb_enabled, h."dtFE", h."dcFLAEHB"
    from app.benutzer_hq bh join app.hq h on h."idHQ" = bh.hqid where bh.user_id = __o_get_hqs_from_user.user_id order by h.sortname, h."idHQ";
end $$;

-- Everything about one headquarters; no row where it is foreign. flaeche_ha is the area of the polygon, dcFLAEHB the one from the management plan.
create or replace function app.__o_get_hq_details(hq_id bigint)
returns table ("idHQ" bigint, "sHQ" text, client_id bigint, kunde text, fb_enabled boolean, "dtFE" date, "dcFLAEHB" numeric, fe_enabled boolean, basis_fe_enabled boolean,
  kawm_enabled boolean, kawm_area numeric, kawm_approval_date date, kawm_custom_area_enabled boolean, epsg integer, flaeche_ha numeric, nutzer bigint)
language sql stable set search_path = pg_catalog as $$
  select h."idHQ", h."sHQ", h.client_id, k.name, h.fb_enabled, h."dtFE", h."dcFLAEHB", s.fe_enabled, s.basis_fe_enabled,
    s.kawm_enabled, s.kawm_area, s.kawm_approval_date, s.kawm_custom_area_enabled, public.st_srid(f.geom),
    case when public.st_srid(f.geom) in (4258, 4326) then round((public.st_area(public.st_transform(f.geom, 25832)) / 10000)::numeric, 4)
         when f.geom is not null then round((public.st_area(f.geom) / 10000)::numeric, 4) end,
    (select count(*) from app.benutzer_hq bh where bh.hqid = h."idHQ")
  from app.hq h left join app.kunde k on k.client_id = h.client_id left join app.kunde_hq s on s.hqid = h."idHQ" left join app.hq_flaeche f on f.hqid = h."idHQ"
  where h."idHQ" = hq_id
$$;

-- Extent of each headquarters that the caller may see: in the customer's system, and west, south, east, north in degrees for a map.
create or replace function app.__o_get_bbox_from_hq()
returns table ("idHQ" bigint, "sHQ" text, epsg integer, xmin double precision, ymin double precision, xmax double precision, ymax double precision,
  west double precision, south double precision, east double precision, north double precision)
language sql stable set search_path = pg_catalog as $$
  select h."idHQ", h."sHQ", public.st_srid(f.geom), public.st_xmin(f.geom), public.st_ymin(f.geom), public.st_xmax(f.geom), public.st_ymax(f.geom),
    public.st_xmin(g.degrees), public.st_ymin(g.degrees), public.st_xmax(g.degrees), public.st_ymax(g.degrees)
  from app.hq h join app.hq_flaeche f on f.hqid = h."idHQ" cross join lateral (select public.st_transform(public.st_envelope(f.geom), 4326) as degrees) g
  order by h.sortname, h."idHQ"
$$;
revoke execute on function app.__o_get_hqs_from_user(bigint), app.__o_get_hq_details(bigint), app.__o_get_bbox_from_hq() from public;
grant execute on function app.__o_get_hqs_from_user(bigint), app.__o_get_hq_details(bigint), app.__o_get_bbox_from_hq() to nutzer;
