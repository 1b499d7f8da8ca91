-- Scanned plans. Read: the drainage half's staff all, a customer's people those released to them
-- (`show_client`). Written by the staff, deleted by apus_admin; a customer's admin answers (`client_status`,
-- `bem_client`). `bem_apus` and `georef_bash` are in their own table that customers may not read: they
-- get null.

select rights.protect('app.kartenblatt');
select rights.protect('app.karte_intern');
select rights.protect('app.mappoint');
select rights.protect('app.karte_stand');
grant select, delete, update (version, geaendert_am, geaendert_von) on app.kartenblatt to forst_definer;
grant select on app.karte_intern, app.mappoint to forst_definer;
grant select, update (wer) on app.karte_stand to forst_definer;
grant select, delete,
  insert (
    client_id, map_name, width, height, din, epsg, georef_label, res, georef_typ, typ, scale, jahr, status,
    client_status, show_client, bem_client, bem_to_client, ausf_unternehmen, auftr_nr, reg_nr, kreis,
    gemarkung, gemeinde
  ),
  update (
  client_id, map_name, width, height, din, epsg, georef_label, res, georef_typ, typ, scale, jahr, status,
  client_status, show_client, bem_client, bem_to_client, ausf_unternehmen, auftr_nr, reg_nr, kreis, gemarkung,
  gemeinde
) on app.kartenblatt to nutzer;
grant select, insert (karte_id, client_id, bem_apus, georef_bash),
  update (bem_apus, georef_bash) on app.karte_intern to nutzer;
grant select, delete, insert (karte_id, client_id, nr, mapx, mapy, pixelx, pixely, enable, dx, dy, residual),
  update (nr, mapx, mapy, pixelx, pixely, enable, dx, dy, residual) on app.mappoint to nutzer;
grant select,
  insert (karte_id, client_id, wer, user_id, epsg, georef_typ, res, georef_label, punkte) on app.karte_stand
  to nutzer;

create policy staff on app.kartenblatt for select to nutzer
  using ((select rights.has_any('apus_admin', 'apus_team')));
create policy shown on app.kartenblatt for select to nutzer
  using (show_client and client_id = any ((select rights.kunden_as('appuser', 'appuser_admin'))::bigint[]));
create policy create_staff on app.kartenblatt for insert to nutzer
  with check ((select rights.has_any('apus_admin', 'apus_team')));
create policy change_staff on app.kartenblatt for update to nutzer
  using ((select rights.has_any('apus_admin', 'apus_team')));
create policy answer on app.kartenblatt for update to nutzer
  using (show_client and client_id = any ((select rights.kunden_as('appuser_admin'))::bigint[]));
create policy delete_admin on app.kartenblatt for delete to nutzer
  using ((select rights.has_role('apus_admin')));

create policy staff on app.karte_intern to nutzer
  using ((select rights.has_any('apus_admin', 'apus_team')))
  with check ((select rights.has_any('apus_admin', 'apus_team')));
create policy staff on app.mappoint to nutzer
  using ((select rights.has_any('apus_admin', 'apus_team')))
  with check ((select rights.has_any('apus_admin', 'apus_team')));
create policy shown on app.mappoint for select to nutzer
  using (
    client_id = any ((select rights.kunden_as('appuser', 'appuser_admin'))::bigint[])
    and exists (select from app.kartenblatt k where k.id = karte_id and k.show_client)
  );
create policy staff on app.karte_stand to nutzer
  using ((select rights.has_any('apus_admin', 'apus_team')))
  with check ((select rights.has_any('apus_admin', 'apus_team')));

-- Staff may change every column, a customer's admin only `client_status` and `bem_client`.
create or replace function maps.check_karte_columns()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare changed text;
begin
  if rights.has_any('apus_admin', 'apus_team') then return new; end if;
  select string_agg(key, ', ' order by key) into changed
  from jsonb_each(to_jsonb(new))
  where value is distinct from to_jsonb(old) -> key
    and key not in ('client_status', 'bem_client', 'sortname', 'suchtext');
  if changed is not null then
    raise insufficient_privilege
      using message = format('permission denied for columns %s of karte', changed), hint = 'columns';
  end if;
  return new;
end $$;
grant execute on function maps.check_karte_columns() to nutzer;
create or replace trigger a_columns before update on app.kartenblatt
  for each row when (current_user in ('nutzer', 'programm')) execute function maps.check_karte_columns();
-- What its customer and the office wrote to each other stays behind when a plan gets another customer, unless
-- the same change says something new.
create or replace function maps.drop_remarks()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if new.bem_client is not distinct from old.bem_client then new.bem_client := null; end if;
  if new.bem_to_client is not distinct from old.bem_to_client then new.bem_to_client := null; end if;
  if new.client_status is not distinct from old.client_status then new.client_status := 'offen'; end if;
  return new;
end $$;
grant execute on function maps.drop_remarks() to nutzer;
create or replace trigger b_kunde before update of client_id on app.kartenblatt
  for each row when (old.client_id <> new.client_id and current_user <> 'forst_betrieb')
  execute function maps.drop_remarks();
select history.watch('app.kartenblatt', 'id', true);
select history.watch('app.karte_intern', 'karte_id', false);
create policy karte on app.verlauf for select to nutzer
  using (
    tabelle in ('kartenblatt', 'karte_intern')
    and (
      (select rights.has_any('apus_admin', 'apus_team'))
      or (
        tabelle = 'kartenblatt'
        -- What happened while it was another customer's, and the move, which shows what it had there.
        and not coalesce(alt ? 'client_id', false)
        and exists (
          select from app.kartenblatt k
          where k.id::text = verlauf.schluessel and k.client_id = verlauf.client_id
        )
      )
    )
  );
-- Definer: nutzer may not write notices. Informs the customer's people when a plan is released to them, also
-- by becoming theirs, and the customer's admins when their comment is answered.
create or replace function maps.notify() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if new.show_client and (tg_op = 'INSERT' or not old.show_client or old.client_id <> new.client_id) then
    perform notices.notify_karte_shown(new.id, new.map_name, new.client_id);
  end if;
  if new.show_client
    and new.bem_to_client is not null
    and (tg_op = 'INSERT' or new.bem_to_client is distinct from old.bem_to_client)
  then
    perform notices.notify_answer(new.id, new.map_name, new.client_id, new.geaendert_am);
  end if;
  return null;
end $$;
select rights.define('maps.notify()');
create or replace trigger x_melden after insert or update of show_client, client_id, bem_to_client
  on app.kartenblatt
  for each row when (current_user <> 'forst_betrieb') execute function maps.notify();

create or replace view app.karte with (security_invoker = true) as
  select k.id, k.map_name, k.width, k.height, k.din, k.client_id, i.georef_bash, k.epsg, k.georef_label,
    k.res, k.georef_typ, k.typ, k.scale, k.jahr, k.status, k.client_status, k.show_client, k.bem_client,
    k.bem_to_client, i.bem_apus, k.ausf_unternehmen, k.auftr_nr, k.reg_nr, k.kreis, k.gemarkung, k.gemeinde,
    k.version, k.geaendert_am, k.geaendert_von, k.sortname, k.suchtext
  from app.kartenblatt k left join app.karte_intern i on i.karte_id = k.id;
revoke all on app.karte from public, nutzer;
-- The columns written by maps.write_karte. A write to any other (number, version, who and when, list keys)
-- would silently do nothing.
grant select, delete,
  insert (
    map_name, width, height, din, client_id, georef_bash, epsg, georef_label, res, georef_typ, typ, scale,
    jahr, status, client_status, show_client, bem_client, bem_to_client, bem_apus, ausf_unternehmen, auftr_nr,
    reg_nr, kreis, gemarkung, gemeinde
  ),
  update (
  map_name, width, height, din, client_id, georef_bash, epsg, georef_label, res, georef_typ, typ, scale, jahr,
  status, client_status, show_client, bem_client, bem_to_client, bem_apus, ausf_unternehmen, auftr_nr, reg_nr,
  kreis, gemarkung, gemeinde
) on app.karte to nutzer;

-- Writes to the view go to both tables, each with the caller's rights on it.
create or replace function maps.write_karte()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  sheet bigint;
  back app.karte;
begin
  if tg_op = 'DELETE' then
    perform maps.refuse_part_of_mosaic(old.client_id, jsonb_build_object('karte_id', old.id));
    delete from app.kartenblatt k where k.id = old.id;
    return case when found then old end;
  end if;
  if tg_op = 'INSERT' then
    insert into app.kartenblatt as k (
      client_id, map_name, width, height, din, epsg, georef_label, res, georef_typ, typ, scale, jahr, status,
      client_status, show_client, bem_client, bem_to_client, ausf_unternehmen, auftr_nr, reg_nr, kreis,
      gemarkung, gemeinde
    )
    values (
      new.client_id, new.map_name, new.width, new.height, new.din,
      coalesce(new.epsg, (select c.epsg from app.kunde c where c.client_id = new.client_id)),
      new.georef_label, new.res, new.georef_typ, new.typ, new.scale, new.jahr, coalesce(new.status, 'neu'),
      coalesce(new.client_status, 'offen'), coalesce(new.show_client, false), new.bem_client,
      new.bem_to_client, new.ausf_unternehmen, new.auftr_nr, new.reg_nr, new.kreis, new.gemarkung,
      new.gemeinde
    )
    returning k.id into sheet;
  else
    update app.kartenblatt k set
      client_id = new.client_id, map_name = new.map_name, width = new.width, height = new.height,
      din = new.din, epsg = new.epsg, georef_label = new.georef_label, res = new.res,
      georef_typ = new.georef_typ, typ = new.typ, scale = new.scale, jahr = new.jahr, status = new.status,
      client_status = new.client_status, show_client = new.show_client, bem_client = new.bem_client,
      bem_to_client = new.bem_to_client, ausf_unternehmen = new.ausf_unternehmen, auftr_nr = new.auftr_nr,
      reg_nr = new.reg_nr, kreis = new.kreis, gemarkung = new.gemarkung, gemeinde = new.gemeinde
    -- All columns are written, so changes by others since the row was read would be lost.
    where k.id = old.id and k.version = old.version
    returning k.id into sheet;
    if sheet is null then return null; end if;
  end if;
  if (tg_op = 'INSERT' and (new.bem_apus is not null or new.georef_bash is not null))
    or (
      tg_op = 'UPDATE'
      and (new.bem_apus is distinct from old.bem_apus or new.georef_bash is distinct from old.georef_bash)
    )
  then
    insert into app.karte_intern as i (karte_id, client_id, bem_apus, georef_bash)
    values (sheet, new.client_id, new.bem_apus, new.georef_bash)
    on conflict on constraint karte_intern_pkey do update
      set bem_apus = excluded.bem_apus, georef_bash = excluded.georef_bash;
  end if;
  select k.* into back from app.karte k where k.id = sheet;
  return back;
end $$;
grant execute on function maps.write_karte() to nutzer;
create or replace trigger schreiben instead of insert or update or delete on app.karte
  for each row execute function maps.write_karte();

-- A point belongs to the customer of its plan; the foreign key on both refuses anything else.
create or replace function maps.mappoint_kunde()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  select k.client_id into new.client_id from app.kartenblatt k where k.id = new.karte_id;
  perform rights.refuse_unless(new.client_id is not null);
  return new;
end $$;
grant execute on function maps.mappoint_kunde() to nutzer;
create or replace trigger a_kunde before insert on app.mappoint
  for each row when (new.client_id is null) execute function maps.mappoint_kunde();

-- Saves a plan's points and the values that belong to them in one call, so that a lost connection loses
-- nothing. `werte` may contain epsg, georef_typ, georef_label, res and georef_bash; others stay as they are.
-- Every save is kept as a state. Returns the plan's new version.
create or replace function app.a_set_mappoints(
  karte_id bigint, punkte jsonb, werte jsonb default '{}', version integer default null
) returns integer language plpgsql set search_path = pg_catalog as $$
declare
  sheet app.kartenblatt;
  unknown text;
  now_version integer;
begin
  select k.* into sheet
  from app.kartenblatt k
  where k.id = a_set_mappoints.karte_id for update;
  perform rights.refuse_unless(sheet.id is not null and rights.has_any('apus_admin', 'apus_team'));
  perform checks.check_version(a_set_mappoints.version, sheet.version);
  perform checks.check_value(
    jsonb_typeof(punkte) = 'array' and jsonb_array_length(punkte) <= 10000, 'punkte', 'punkte_liste'
  );
  select string_agg(key, ', ') into unknown
  from jsonb_object_keys(werte) as key
  where key not in ('epsg', 'georef_typ', 'georef_label', 'res', 'georef_bash');
  perform checks.check_value(unknown is null, 'werte', 'unbekanntes_feld');
  delete from app.mappoint p where p.karte_id = sheet.id;
  insert into app.mappoint (karte_id, client_id, nr, mapx, mapy, pixelx, pixely, enable, dx, dy, residual)
  select sheet.id, sheet.client_id, one.nr, p.mapx, p.mapy, p.pixelx, p.pixely, coalesce(p.enable, true),
    p.dx, p.dy, p.residual
  from jsonb_array_elements(punkte) with ordinality as one(value, nr),
    lateral jsonb_to_record(one.value) as p(
      mapx double precision, mapy double precision, pixelx double precision, pixely double precision,
      enable boolean, dx double precision, dy double precision, residual double precision
    );
  update app.kartenblatt k set
    epsg = case when werte ? 'epsg' then (werte ->> 'epsg')::integer else k.epsg end,
    georef_typ = case when werte ? 'georef_typ' then werte ->> 'georef_typ' else k.georef_typ end,
    georef_label = case when werte ? 'georef_label' then werte ->> 'georef_label' else k.georef_label end,
    res = case when werte ? 'res' then (werte ->> 'res')::double precision else k.res end
  where k.id = sheet.id
  returning k.* into sheet;
  if werte ? 'georef_bash' then
    insert into app.karte_intern as i (karte_id, client_id, georef_bash)
    values (sheet.id, sheet.client_id, werte ->> 'georef_bash')
    on conflict on constraint karte_intern_pkey do update set georef_bash = excluded.georef_bash;
  end if;
  insert into app.karte_stand (karte_id, client_id, wer, user_id, epsg, georef_typ, res, georef_label, punkte)
  select sheet.id, sheet.client_id, me.name, me.user_id, sheet.epsg, sheet.georef_typ, sheet.res,
    sheet.georef_label, a_set_mappoints.punkte
  from rights.caller() me;
  select k.version into now_version from app.kartenblatt k where k.id = sheet.id;
  return now_version;
end $$;
grant execute on function app.a_set_mappoints(bigint, jsonb, jsonb, integer) to nutzer;

-- Earlier states of a plan's points, newest first, without the points.
create or replace function app.a_get_karte_staende(karte_id bigint)
  returns table (
    id bigint, angelegt_am timestamptz, wer text, epsg integer, georef_typ text, res double precision,
    georef_label text, punkte integer, benutzt integer
  ) language sql stable set search_path = pg_catalog as $$
  select s.id, s.angelegt_am, s.wer, s.epsg, s.georef_typ, s.res, s.georef_label,
    jsonb_array_length(s.punkte),
    (
      select count(*)::integer
      from jsonb_array_elements(s.punkte) p
      where p -> 'enable' is distinct from 'false'::jsonb
    )
  from app.karte_stand s
  where s.karte_id = a_get_karte_staende.karte_id
  order by s.id desc limit 500
$$;
grant execute on function app.a_get_karte_staende(bigint) to nutzer;
create or replace function app.a_get_karte_stand(id bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select s.punkte from app.karte_stand s where s.id = a_get_karte_stand.id
$$;
grant execute on function app.a_get_karte_stand(bigint) to nutzer;

-- Progress of the work on all plans the caller may see.
drop function if exists app.a_get_karten_stand();
create or replace function app.a_get_karten_stand()
  returns table (status text, anzahl integer, rueckfragen integer, wartend integer)
  language sql stable set search_path = pg_catalog as $$
  select k.status, count(*)::integer, count(*) filter (where k.client_status = 'rueckfrage')::integer,
    count(*) filter (where k.show_client and k.client_status in ('offen', 'in_pruefung'))::integer
  from (
    -- Staff all of them; others by index what is theirs.
    select k.status, k.client_status, k.show_client
    from app.kartenblatt k
    where (select rights.has_any('apus_admin', 'apus_team'))
    union all
    select k.status, k.client_status, k.show_client
    from app.kartenblatt k
    where not (select rights.has_any('apus_admin', 'apus_team'))
      and k.client_id = any ((select rights.kunden_as('appuser', 'appuser_admin'))::bigint[])
  ) k
  group by k.status
$$;
grant execute on function app.a_get_karten_stand() to nutzer;

-- A customer's plans for a list.
drop function if exists app.a_get_map_list_from_db(bigint);
create or replace function app.a_get_map_list_from_db(client_id bigint)
  returns table (
    id bigint, map_name text, typ text, jahr integer, scale integer, din text, epsg integer, georef_typ text,
    georef_label text, res double precision, status text, client_status text, show_client boolean,
    auftr_nr text, reg_nr text, kreis text, gemarkung text, gemeinde text, ausf_unternehmen text,
    bem_client text, bem_to_client text, punkte integer, version integer, geaendert_am timestamptz,
    geaendert_von text, scan bigint, ergebnis bigint
  ) language sql stable set search_path = pg_catalog as $$
  select k.id, k.map_name, k.typ, k.jahr, k.scale, k.din, k.epsg, k.georef_typ, k.georef_label, k.res,
    k.status, k.client_status, k.show_client, k.auftr_nr, k.reg_nr, k.kreis, k.gemarkung, k.gemeinde,
    k.ausf_unternehmen, k.bem_client, k.bem_to_client,
    (select count(*)::integer from app.mappoint p where p.karte_id = k.id and p.enable), k.version,
    k.geaendert_am, k.geaendert_von,
    (
      select max(d.id)
      from app.karte_datei d
      where d.karte_id = k.id and d.art = 'scan' and d.kacheln_sha256 is not null
    ),
    (
      select max(d.id)
      from app.karte_datei d
      where d.karte_id = k.id and d.art = 'ergebnis' and d.kacheln_sha256 is not null
    )
  from app.kartenblatt k
  where k.client_id = a_get_map_list_from_db.client_id
  order by k.sortname, k.id
$$;
grant execute on function app.a_get_map_list_from_db(bigint) to nutzer;

-- Plans for lists, with the customer's name, by which staff sort and search, and the number of enabled
-- control points.
create or replace view app.karte_liste with (security_invoker = true) as
  select k.id, k.map_name, k.client_id, c.name as kunde, k.typ, k.jahr, k.scale, k.din, k.epsg, k.georef_typ,
    k.georef_label, k.res, k.status, k.client_status, k.show_client, k.bem_client, k.bem_to_client,
    k.ausf_unternehmen, k.auftr_nr, k.reg_nr, k.kreis, k.gemarkung, k.gemeinde,
    (select count(*)::integer from app.mappoint p where p.karte_id = k.id and p.enable) as punkte, k.version,
    k.geaendert_am, k.geaendert_von, k.sortname, c.sortname as kunde_sortname,
    k.suchtext || coalesce(' ' || search.search_text(c.name), '') as suchtext,
    (
      select max(d.id)
      from app.karte_datei d
      where d.karte_id = k.id and d.art = 'scan' and d.kacheln_sha256 is not null
    ) as scan,
    (
      select max(d.id)
      from app.karte_datei d
      where d.karte_id = k.id and d.art = 'ergebnis' and d.kacheln_sha256 is not null
    ) as ergebnis
  from app.kartenblatt k left join app.kunde c on c.client_id = k.client_id;
revoke all on app.karte_liste from public, nutzer;
grant select on app.karte_liste to nutzer;
