-- Customers. Read: the provider's staff all, customers their own. Created by ogf_admin and apus_admin. Grants
-- and policies cannot differ by application role within one table, so the trigger below decides who may
-- change which column.

select rights.protect('app.kunde');
grant select on app.kunde to forst_definer;
grant select on app.kunde to nutzer;
grant insert (
  name, name_zusatz, strasse, plz, ort, land, bundesland, epsg, ap_gender, ap_vorname, ap_nachname, ap_tel
) on app.kunde to nutzer;
grant update (
  name, name_zusatz, strasse, plz, ort, land, bundesland, epsg, ap_gender, ap_vorname, ap_nachname, ap_tel,
  ordner, kataster_status
) on app.kunde to nutzer;

create policy staff on app.kunde for select to nutzer
  using ((select rights.has_any('ogf_admin', 'ogf_team', 'apus_admin', 'apus_team')));
create policy own on app.kunde for select to nutzer
  using (client_id = any ((select rights.kunden_as('kundenadmin', 'appuser', 'appuser_admin'))::bigint[]));
create policy create_admin on app.kunde for insert to nutzer
  with check ((select rights.has_any('ogf_admin', 'apus_admin')));
create policy change_staff on app.kunde for update to nutzer
  using ((select rights.has_any('ogf_admin', 'apus_admin', 'apus_team')));
create policy change_own on app.kunde for update to nutzer
  using (client_id = any ((select rights.kunden_as('kundenadmin', 'appuser_admin'))::bigint[]));

-- What people type in or import, as domain/kunde-fields.ts declares it (compared by
-- db/test/fields.sql.test.ts): how the import checks it, with the code of the fault if it is missing; whether
-- it is about a person; which roles may change it besides the provider's admins.
create or replace function rights.kunde_fields()
  returns table (feld text, kind text, laengste integer, missing text, person boolean, roles text[])
  language sql immutable set search_path = pg_catalog as $$
  values ('land', 'country', 2, null, false, '{}'::text[]),
    ('name', 'line', 200, 'name_fehlt', false, '{}'::text[]), ('name_zusatz', 'line', 200, null, false, '{}'),
    ('strasse', 'line', 200, 'strasse_fehlt', false, '{}'), ('plz', 'plz', 12, 'plz_fehlt', false, '{}'),
    ('ort', 'line', 200, 'ort_fehlt', false, '{}'), ('bundesland', 'land', 50, null, false, '{apus_team}'),
    ('ap_gender', 'gender', 20, null, true, '{kundenadmin}'),
    ('ap_vorname', 'line', 100, null, true, '{kundenadmin}'),
    ('ap_nachname', 'line', 100, null, true, '{kundenadmin}'),
    ('ap_tel', 'phone', 40, null, true, '{kundenadmin}'), ('epsg', 'epsg', 50, null, false, '{apus_team}')
$$;
grant execute on function rights.kunde_fields() to nutzer, forst_definer;

-- Columns the caller may change; null means all.
create or replace function rights.kunde_columns(client_id bigint)
  returns text[] language sql stable set search_path = pg_catalog as $$
  select case
    when rights.has_any('ogf_admin', 'apus_admin') then null
    else array(
      select f.feld
      from rights.kunde_fields() f
      where ('apus_team' = any (f.roles) and rights.has_role('apus_team'))
        or (
          'kundenadmin' = any (f.roles) and client_id = any (rights.kunden_as('kundenadmin', 'appuser_admin'))
        )
    )
  end
$$;
grant execute on function rights.kunde_columns(bigint) to nutzer;

create or replace function rights.check_kunde_columns()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  allowed text[] := rights.kunde_columns(old.client_id);
  changed text;
begin
  if allowed is null then return new; end if;
  select string_agg(key, ', ' order by key) into changed
  from jsonb_each(to_jsonb(new))
  where value is distinct from to_jsonb(old) -> key
    and key <> all (allowed)
    and key not in ('sortname', 'sortort', 'suchtext');
  if changed is not null then
    raise insufficient_privilege
      using message = format('permission denied for columns %s of kunde', changed), hint = 'columns';
  end if;
  return new;
end $$;
grant execute on function rights.check_kunde_columns() to nutzer;
-- What an address has depends on its country.
create or replace function checks.check_kunde_address()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  perform checks.check_value(checks.is_country(new.land), 'land', 'land');
  perform checks.check_value(checks.is_postcode(new.land, new.plz), 'plz', 'plz_land');
  perform checks.check_value(new.land = 'DE' or new.bundesland is null, 'bundesland', 'bundesland_land');
  return new;
end $$;
grant execute on function checks.check_kunde_address() to nutzer;
create or replace trigger b_address before insert or update of land, plz, bundesland on app.kunde
  for each row execute function checks.check_kunde_address();

create or replace trigger a_columns before update on app.kunde
  for each row when (current_user in ('nutzer', 'programm')) execute function rights.check_kunde_columns();
select history.watch('app.kunde', 'client_id', true);

-- Definer: callers who may set a customer's coordinate system need not have rights on its areas, which must
-- be converted. What only a datum grid converts stays in its system: without it, it would be stored metres
-- off for good.
create or replace function forest.move_areas()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  update app.hq_flaeche f set geom = public.st_transform(f.geom, new.epsg)
  where f.client_id = new.client_id
    and public.st_srid(f.geom) <> new.epsg
    and forest.same_datum(public.st_srid(f.geom), new.epsg);
  return null;
end $$;
select rights.define('forest.move_areas()');
create or replace trigger x_areas after update of epsg on app.kunde
  for each row when (old.epsg <> new.epsg) execute function forest.move_areas();

-- Raises an error if there is no such customer; otherwise the call would look successful.
create or replace function app.a_set_projektordner(client_id bigint, ordner text)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  update app.kunde k set ordner = nullif(btrim(a_set_projektordner.ordner), '')
  where k.client_id = a_set_projektordner.client_id;
  perform rights.check_found(found);
end $$;
grant execute on function app.a_set_projektordner(bigint, text) to nutzer;

create or replace function app.a_set_kataster_for_client(client_id bigint, kataster_status boolean)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  update app.kunde k set kataster_status = a_set_kataster_for_client.kataster_status
  where k.client_id = a_set_kataster_for_client.client_id;
  perform rights.check_found(found);
end $$;
grant execute on function app.a_set_kataster_for_client(bigint, boolean) to nutzer;
