-- Several sheets of one area: what is measured and merged of them, and the job that makes one result of their
-- results. The mosaic is the result of a separate plan, so that release, tiles, download and deletion are
-- those of any plan. Its job names the plans it is made of; customers do not see it.

grant insert (client_id, map_name, epsg, res, georef_label) on app.kartenblatt to forst_definer;

-- The newest result of each of these plans, as far as the caller may see them. `umriss` is in `epsg`.
create or replace function app.a_get_karte_ergebnisse(karten bigint[])
  returns table (
    karte_id bigint, map_name text, client_id bigint, datei_id bigint, epsg integer, umriss jsonb,
    breite integer, hoehe integer, sha256 text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_any('apus_admin', 'apus_team'));
  perform checks.check_value(cardinality(karten) between 1 and 24, 'karten', 'karte_mosaik_zahl');
  return query
    select k.id, k.map_name, k.client_id, d.id, d.epsg, d.umriss, d.breite, d.hoehe, d.sha256
    from app.kartenblatt k
      join lateral (
        select e.*
        from app.karte_datei e
        where e.karte_id = k.id and e.art = 'ergebnis'
        order by e.id desc limit 1
      ) d on true
    where k.id = any (karten)
    order by k.sortname, k.id;
end $$;
grant execute on function app.a_get_karte_ergebnisse(bigint[]) to nutzer;

-- The sheets as a job names them, from the one on top to the one beneath: the newest result of each.
create or replace function maps.mosaic_sheets(karten bigint[])
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select coalesce(
    jsonb_agg(jsonb_build_object('karte_id', k.id, 'name', k.map_name, 'datei_id', d.id) order by x.nr), '[]'
  )
  from unnest(karten) with ordinality x(id, nr)
    join app.kartenblatt k on k.id = x.id
    join lateral (
      select e.id
      from app.karte_datei e
      where e.karte_id = k.id and e.art = 'ergebnis'
      order by e.id desc limit 1
    ) d on true
$$;
grant execute on function maps.mosaic_sheets(bigint[]) to forst_definer;

-- Refuses to take away a sheet, or its result, while a mosaic is made of it. `sheet`: as the job names it.
create or replace function maps.refuse_part_of_mosaic(customer bigint, sheet jsonb)
  returns void language plpgsql stable set search_path = pg_catalog as $$
begin
  if exists (
    select from app.karte_auftrag a
    where a.client_id = customer
      and a.art = 'mosaik'
      and a.stand in ('wartet', 'laeuft')
      and a.werte -> 'blaetter' @> jsonb_build_array(sheet)
  ) then
    raise sqlstate 'PT409' using message = 'part of a mosaic', hint = 'karte_datei_im_mosaik';
  end if;
end $$;
grant execute on function maps.refuse_part_of_mosaic(bigint, jsonb) to nutzer, forst_definer;

-- Refuses sheets of several customers, and those without a result.
create or replace function maps.check_mosaic(karten bigint[])
  returns bigint language plpgsql stable set search_path = pg_catalog as $$
declare
  customer bigint;
  customers integer;
  found_plans integer;
begin
  perform checks.check_value(
    cardinality(karten) between 2 and 24
      and array_position(karten, null) is null
      and cardinality(karten) = (select count(distinct x.id) from unnest(karten) as x(id)),
    'karten', 'karte_mosaik_zahl'
  );
  select min(k.client_id), count(distinct k.client_id), count(*) into customer, customers, found_plans
  from app.kartenblatt k
  where k.id = any (karten);
  perform rights.check_found(found_plans = cardinality(karten));
  perform checks.check_value(customers = 1, 'karten', 'karte_mosaik_kunde');
  perform checks.check_value(
    jsonb_array_length(maps.mosaic_sheets(karten)) = cardinality(karten), 'karten', 'karte_mosaik_ergebnis'
  );
  return customer;
end $$;
grant execute on function maps.check_mosaic(bigint[]) to forst_definer;

-- A person requests them one after another: each takes as long as all its sheets together.
create or replace function maps.check_open_mosaics(person bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  -- Requests of one person at the same moment would not see each other.
  perform pg_advisory_xact_lock(hashtext('maps.check_open_mosaics'), hashtext(coalesce(person::text, '')));
  if (
    select count(*)
    from app.karte_auftrag a
    where a.art = 'mosaik' and a.stand in ('wartet', 'laeuft') and a.user_id is not distinct from person
  ) >= 4 then
    raise sqlstate 'PT409' using message = 'too many', hint = 'karte_mosaik_viele';
  end if;
end $$;
grant execute on function maps.check_open_mosaics(bigint) to forst_definer;

-- Definer: nutzer may not write jobs. Makes a plan whose result is the mosaic of these plans' results, the
-- first on top. Without `res` its pixels are those of the finest sheet. Returns the plan.
create or replace function app.a_add_karte_mosaik(
  karten bigint[], map_name text, epsg integer, res double precision default null,
  kompression text default 'jpeg', ueberlappung text default 'oben'
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  customer bigint;
  made bigint;
  me record := rights.caller();
begin
  perform rights.refuse_unless(rights.has_any('apus_admin', 'apus_team'));
  customer := maps.check_mosaic(karten);
  perform checks.check_value(
    map_name is not null and checks.is_line(map_name, 200), 'map_name', 'karte_mosaik_name'
  );
  perform checks.check_value(
    epsg in (25831, 25832, 25833, 4647, 5650, 31466, 31467, 31468, 31469, 2397, 2398, 2399, 4258, 4326, 3857),
    'epsg', 'karte_mosaik_epsg'
  );
  perform checks.check_value(res is null or (res > 0 and res < 10000), 'res', 'karte_mosaik_res');
  perform checks.check_value(kompression in ('jpeg', 'deflate'), 'kompression', 'karte_kompression');
  perform checks.check_value(ueberlappung in ('oben', 'dunkel'), 'ueberlappung', 'karte_mosaik_lage');
  perform maps.check_open_mosaics(me.user_id);
  insert into app.kartenblatt (client_id, map_name, epsg, res, georef_label)
  values (
    customer, a_add_karte_mosaik.map_name, a_add_karte_mosaik.epsg, a_add_karte_mosaik.res,
    format('Mosaik aus %s Blättern', cardinality(karten))
  )
  returning kartenblatt.id into made;
  insert into app.karte_auftrag (karte_id, client_id, art, werte, wer, user_id)
  values (
    made, customer, 'mosaik',
    jsonb_build_object(
      'epsg', a_add_karte_mosaik.epsg, 'res', a_add_karte_mosaik.res,
      'kompression', a_add_karte_mosaik.kompression, 'ueberlappung', a_add_karte_mosaik.ueberlappung,
      'blaetter', maps.mosaic_sheets(karten)
    ),
    me.name, me.user_id
  );
  return made;
end $$;
select rights.define('app.a_add_karte_mosaik(bigint[], text, integer, double precision, text, text)');
grant execute on function app.a_add_karte_mosaik(bigint[], text, integer, double precision, text, text)
  to nutzer;

-- Definer: as above. Makes a plan's mosaic again as it was requested last, from what its sheets are now.
create or replace function app.a_repeat_karte_mosaik(karte_id bigint)
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  sheet app.kartenblatt;
  last app.karte_auftrag;
  karten bigint[];
  made bigint;
  me record := rights.caller();
begin
  perform rights.refuse_unless(rights.has_any('apus_admin', 'apus_team'));
  select k.* into sheet
  from app.kartenblatt k
  where k.id = a_repeat_karte_mosaik.karte_id for update;
  perform rights.check_found(sheet.id is not null);
  select a.* into last
  from app.karte_auftrag a
  where a.karte_id = sheet.id and a.art = 'mosaik'
  order by a.id desc limit 1;
  perform rights.check_found(last.id is not null);
  if last.stand in ('wartet', 'laeuft') then
    raise sqlstate 'PT409' using message = 'under way', hint = 'karte_auftrag_laeuft';
  end if;
  select array_agg((x.value ->> 'karte_id')::bigint order by x.nr) into karten
  from jsonb_array_elements(last.werte -> 'blaetter') with ordinality x(value, nr);
  if jsonb_array_length(maps.mosaic_sheets(karten)) < cardinality(karten) then
    raise sqlstate 'PT409' using message = 'a sheet is gone', hint = 'karte_mosaik_blatt_fehlt';
  end if;
  -- Sheets or mosaic may have been given to another customer since.
  perform checks.check_value(maps.check_mosaic(karten) = sheet.client_id, 'karten', 'karte_mosaik_kunde');
  perform maps.check_open_mosaics(me.user_id);
  insert into app.karte_auftrag (karte_id, client_id, art, werte, wer, user_id)
  values (
    sheet.id, sheet.client_id, 'mosaik',
    last.werte || jsonb_build_object('blaetter', maps.mosaic_sheets(karten)), me.name, me.user_id
  )
  returning karte_auftrag.id into made;
  return made;
end $$;
select rights.define('app.a_repeat_karte_mosaik(bigint)');
grant execute on function app.a_repeat_karte_mosaik(bigint) to nutzer;

-- Definer: forst_karte has no right on any table. The files that a mosaic's job is made of, the first on top;
-- `sha256` is null for one that has been deleted since.
create or replace function maps.mosaic_files(job bigint)
  returns table (name text, sha256 text, epsg integer, umriss text)
  language sql stable set search_path = pg_catalog as $$
  select x.value ->> 'name', d.sha256, d.epsg, d.umriss::text
  from app.karte_auftrag a
    cross join jsonb_array_elements(a.werte -> 'blaetter') with ordinality x(value, nr)
    left join app.karte_datei d on d.id = (x.value ->> 'datei_id')::bigint
      and d.art = 'ergebnis'
      and d.client_id = a.client_id
  where a.id = job and a.art = 'mosaik'
  order by x.nr
$$;
select rights.define('maps.mosaic_files(bigint)');
grant execute on function maps.mosaic_files(bigint) to forst_karte;
