-- Customers. Read: the provider's staff all, customers their own. Created by ogf_admin and apus_admin; who
-- else may change which column is said by the trigger, because grants and policies cannot differ by app role
-- within one table.

select rechte.protect('app.kunde');
grant select on app.kunde to forst_definer;
grant select on app.kunde to nutzer;
grant insert (
  name, name_zusatz, strasse, plz, ort, bundesland, epsg, ap_gender, ap_vorname, ap_nachname, ap_tel
) on app.kunde to nutzer;
grant update (
  name, name_zusatz, strasse, plz, ort, bundesland, epsg, ap_gender, ap_vorname, ap_nachname, ap_tel, ordner,
  kataster_status
) on app.kunde to nutzer;

create policy staff on app.kunde for select to nutzer
  using ((select rechte.has_any('ogf_admin', 'ogf_team', 'apus_admin', 'apus_team')));
create policy own on app.kunde for select to nutzer
  using (client_id = any ((select rechte.kunden_als('kundenadmin', 'appuser', 'appuser_admin'))::bigint[]));
create policy create_admin on app.kunde for insert to nutzer
  with check ((select rechte.has_any('ogf_admin', 'apus_admin')));
create policy change_staff on app.kunde for update to nutzer
  using ((select rechte.has_any('ogf_admin', 'apus_admin', 'apus_team')));
create policy change_own on app.kunde for update to nutzer
  using (client_id = any ((select rechte.kunden_als('kundenadmin', 'appuser_admin'))::bigint[]));

-- Which columns a role may change; null stands for all.
create or replace function rechte.kunde_columns(client_id bigint)
  returns text[] language sql stable set search_path = pg_catalog as $$
  select case
    when rechte.has_any('ogf_admin', 'apus_admin') then null
    else (case when rechte.has_role('apus_team') then '{bundesland,epsg}' else '{}' end)::text[] || (case
      when client_id = any (rechte.kunden_als('kundenadmin', 'appuser_admin')) then
        '{ap_gender,ap_vorname,ap_nachname,ap_tel}'
      else '{}'
    end)::text[]
  end
$$;
revoke execute on function rechte.kunde_columns(bigint) from public;
grant execute on function rechte.kunde_columns(bigint) to nutzer;

create or replace function rechte.check_kunde_columns()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  allowed text[] := rechte.kunde_columns(old.client_id);
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
revoke execute on function rechte.check_kunde_columns() from public;
grant execute on function rechte.check_kunde_columns() to nutzer;
create or replace trigger a_columns before update on app.kunde
  for each row when (current_user = 'nutzer') execute function rechte.check_kunde_columns();
select rechte.watch('app.kunde', 'client_id', true);

-- Definer: whoever may set a customer's coordinate system need not own the areas that move with it.
create or replace function rechte.move_areas()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  update app.hq_flaeche f set geom = public.st_transform(f.geom, new.epsg)
  where f.client_id = new.client_id;
  return null;
end $$;
select rechte.define('rechte.move_areas()');
create or replace trigger x_areas after update of epsg on app.kunde
  for each row when (old.epsg <> new.epsg) execute function rechte.move_areas();

-- A procedure aimed at one customer that finds none says so; silence would look like success.
create or replace function app.a_set_projektordner(client_id bigint, ordner text)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  update app.kunde k set ordner = nullif(btrim(a_set_projektordner.ordner), '')
  where k.client_id = a_set_projektordner.client_id;
  if not found then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
end $$;

create or replace function app.a_set_kataster_for_client(client_id bigint, kataster_status boolean)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  update app.kunde k set kataster_status = a_set_kataster_for_client.kataster_status
  where k.client_id = a_set_kataster_for_client.client_id;
  if not found then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
end $$;
revoke execute on function app.a_set_projektordner(bigint, text),
  app.a_set_kataster_for_client(bigint, boolean) from public;
grant execute on function app.a_set_projektordner(bigint, text),
  app.a_set_kataster_for_client(bigint, boolean) to nutzer;
