-- Files of scanned plans, and the jobs that work on them. Visible like their plan, except that customers do
-- not see failed jobs. Written only by the functions below: procedures for the staff, and functions for
-- forst_karte, the role in which the server stores scans and runs jobs. forst_karte has no right on any
-- table.

select rights.protect('app.karte_datei');
select rights.protect('app.karte_auftrag');
grant select, insert, update, delete on app.karte_datei, app.karte_auftrag to forst_definer;
grant update (width, height, din, status) on app.kartenblatt to forst_definer;
grant select on app.karte_datei, app.karte_auftrag to nutzer;
create policy staff on app.karte_datei for select to nutzer
  using ((select rights.has_any('apus_admin', 'apus_team')));
create policy shown on app.karte_datei for select to nutzer
  using (
    client_id = any ((select rights.kunden_as('appuser', 'appuser_admin'))::bigint[])
    and exists (select from app.kartenblatt k where k.id = karte_id and k.show_client)
  );
create policy staff on app.karte_auftrag for select to nutzer
  using ((select rights.has_any('apus_admin', 'apus_team')));
create policy shown on app.karte_auftrag for select to nutzer
  using (
    stand <> 'fehlgeschlagen'
    -- It names plans that may not be shown.
    and art <> 'mosaik'
    and client_id = any ((select rights.kunden_as('appuser', 'appuser_admin'))::bigint[])
    and exists (select from app.kartenblatt k where k.id = karte_id and k.show_client)
  );

-- Reads for the screens -------------------------------------------------------------------------------------

-- Dropped first, because the columns of its answer have changed.
drop function if exists app.a_get_karte_dateien(bigint);
create or replace function app.a_get_karte_dateien(karte_id bigint)
  returns table (
    id bigint, karte_id bigint, art text, name text, mime text, groesse bigint, sha256 text, breite integer,
    hoehe integer, dpi integer, angelegt_am timestamptz, wer text, kacheln boolean, epsg integer,
    umriss jsonb, georef_typ text, grau_von double precision, grau_bis double precision, beschaedigt boolean
  ) language sql stable set search_path = pg_catalog as $$
  select d.id, d.karte_id, d.art, d.name, d.mime, d.groesse, d.sha256, d.breite, d.hoehe, d.dpi,
    d.angelegt_am, d.wer, d.kacheln_sha256 is not null, d.epsg, d.umriss, d.georef_typ, d.grau_von,
    d.grau_bis, d.beschaedigt
  from app.karte_datei d
  where d.karte_id = a_get_karte_dateien.karte_id
  order by d.id desc limit 1000
$$;
grant execute on function app.a_get_karte_dateien(bigint) to nutzer;
create or replace function app.a_get_karte_auftraege(karte_id bigint)
  returns table (
    id bigint, karte_id bigint, art text, stand text, fortschritt integer, fehler text, einzelheit text,
    angelegt_am timestamptz, begonnen_am timestamptz, beendet_am timestamptz, wer text, werte jsonb
  ) language sql stable set search_path = pg_catalog as $$
  select a.id, a.karte_id, a.art, a.stand, a.fortschritt, a.fehler, a.einzelheit, a.angelegt_am,
    a.begonnen_am, a.beendet_am, a.wer, a.werte
  from app.karte_auftrag a
  where a.karte_id = a_get_karte_auftraege.karte_id
  order by a.id desc limit 200
$$;
grant execute on function app.a_get_karte_auftraege(bigint) to nutzer;

-- Of places counted by squares: those that lie apart from nearly all others, by more than a square (15 to 40
-- km) and together at most one place in twenty. One object in the wrong zone shall not widen a box for ever.
create or replace function maps.far_squares(xs integer[], ys integer[], counts bigint[])
  returns table (x integer, y integer) language sql immutable set search_path = pg_catalog as $$
  with s as (
    select q.x, q.y, q.n, public.st_clusterdbscan(public.st_makepoint(q.x, q.y), 2, 1) over () as part
    from unnest(xs, ys, counts) as q(x, y, n)
  ),
  parts as (select s.part, sum(s.n) as n from s group by s.part),
  few as (
    select p.part, sum(p.n) over () as together
    from parts p
    where p.n * 20 <= (select sum(s.n) from s)
  )
  select s.x, s.y
  from s join few on few.part = s.part
  where few.together * 20 <= (select sum(a.n) from s a)
$$;
grant execute on function maps.far_squares(integer[], integer[], bigint[]) to nutzer, forst_definer;
-- The square of a place in web mercator.
create or replace function maps.square_of(value float8)
  returns integer language sql immutable parallel safe set search_path = pg_catalog
  return floor(value / 32768)::integer;
grant execute on function maps.square_of(float8) to nutzer, forst_definer;
-- The box of places in web mercator without those that lie apart; null if there is none.
create or replace function maps.main_box(places public.geometry[])
  returns public.box3d language sql immutable set search_path = pg_catalog as $$
  with squares as materialized (
    select maps.square_of(public.st_xmin(p)) as x, maps.square_of(public.st_ymin(p)) as y, count(*) as n,
      public.st_extent(p)::public.geometry as box
    from unnest(places) as p
    group by 1, 2
  ),
  far as materialized (
    select f.x, f.y
    from maps.far_squares(
      (select array_agg(q.x order by q.x, q.y) from squares q),
      (select array_agg(q.y order by q.x, q.y) from squares q),
      (select array_agg(q.n order by q.x, q.y) from squares q)
    ) f
  )
  select public.st_extent(q.box)::public.box3d
  from squares q
  where not exists (select from far f where f.x = q.x and f.y = q.y)
$$;
grant execute on function maps.main_box(public.geometry[]) to nutzer, forst_definer;

-- Definer: where a customer's forest is. People who georeference a plan may not see stands and trees, and
-- learn from it only where the map begins. The area of a holding says more than single stands, these more
-- than trees.
create or replace function maps.forest_box(client_id bigint)
  returns public.box2d language sql stable set search_path = pg_catalog as $$
  select coalesce(
    (
      select public.st_extent(public.st_transform(f.geom, 3857))
      from app.hq_flaeche f
      where f.client_id = k.client_id
    ),
    (
      select public.st_extent(o.g)
      from (
        select b.g3857 as g
        from app.hq h join app.bestand b on b."idHQ" = h."idHQ"
        where h.client_id = k.client_id limit 2000
      ) o
    ),
    (
      select public.st_extent(o.g)
      from (
        select t.g3857 as g
        from app.hq h join app.habitatbaeume t on t."idHQ" = h."idHQ"
        where h.client_id = k.client_id limit 500
      ) o
    )
  )
  from app.kunde k
  where k.client_id = forest_box.client_id
    and rights.has_any('apus_admin', 'apus_team')
    and rights.key_reads('vermessung', k.client_id)
    and rights.key_reads('bestaende', k.client_id)
    and rights.key_reads('habitat', k.client_id)
$$;
select rights.define('maps.forest_box(bigint)');
grant execute on function maps.forest_box(bigint) to nutzer;

-- Where a plan may be, for the first view of its georeferencer: around the customer's latest other results,
-- otherwise around some of what is surveyed, otherwise around their forest. `kasten` is [west, south, east,
-- north] in web mercator, `plz` the customer's German postcode; each null if unknown. Null for a plan that
-- the caller may not see.
create or replace function app.a_get_karte_umgebung(karte_id bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'kasten', (
      select jsonb_build_array(
        public.st_xmin(x.box), public.st_ymin(x.box), public.st_xmax(x.box), public.st_ymax(x.box)
      )
      from (
        select coalesce(
          (
            select public.st_extent(public.st_transform(
              public.st_setsrid(
                public.st_makepoint((corner ->> 0)::double precision, (corner ->> 1)::double precision),
                d.epsg
              ),
              3857
            ))
            from (
              select distinct on (d.karte_id) d.epsg, d.umriss
              from app.karte_datei d
              where d.client_id = p.client_id and d.art = 'ergebnis' and d.karte_id <> p.id
              order by d.karte_id desc, d.id desc limit 50
            ) d
              cross join lateral jsonb_array_elements(d.umriss) corner
          ),
          (
            select public.st_extent(o.g)
            from (
              (select t.g3857 as g from app.draenage t where t.client_id = p.client_id limit 500)
              union all (select t.g3857 from app.ausmuendung t where t.client_id = p.client_id limit 500)
              union all (select t.g3857 from app.schacht t where t.client_id = p.client_id limit 500)
              union all (select t.g3857 from app.schlucker t where t.client_id = p.client_id limit 500)
              union all (select t.g3857 from app.einlauf t where t.client_id = p.client_id limit 500)
            ) o
          ),
          maps.forest_box(p.client_id)
        ) as box
      ) x
      where x.box is not null
    ),
    'plz', (select k.plz from app.kunde k where k.client_id = p.client_id and k.land = 'DE')
  )
  from app.kartenblatt p
  where p.id = a_get_karte_umgebung.karte_id
$$;
grant execute on function app.a_get_karte_umgebung(bigint) to nutzer;

-- Enabled points that a transformation needs; same numbers as in domain/georef/transform.ts.
create or replace function maps.points_needed(georef_typ text)
  returns integer language sql immutable set search_path = pg_catalog
  return case georef_typ
    when 'linear' then 2
    when 'helmert' then 2
    when 'polynom1' then 3
    when 'polynom2' then 6
    when 'polynom3' then 10
    when 'tps' then 3
    when 'projektiv' then 4
  end;
grant execute on function maps.points_needed(text) to forst_definer;

-- Definer: nutzer may not write jobs. Takes points and method as they are saved now.
drop function if exists app.a_add_karte_auftrag(bigint, text, text);
create or replace function app.a_add_karte_auftrag(
  karte_id bigint, verfahren text default 'cubic', kompression text default 'jpeg',
  ort_bestaetigt boolean default false
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  sheet app.kartenblatt;
  scan bigint;
  points jsonb;
  made bigint;
begin
  perform rights.refuse_unless(rights.has_any('apus_admin', 'apus_team'));
  select k.* into sheet
  from app.kartenblatt k
  where k.id = a_add_karte_auftrag.karte_id for update;
  perform rights.check_found(sheet.id is not null);
  perform checks.check_value(
    verfahren in ('near', 'bilinear', 'cubic', 'cubicspline', 'lanczos', 'average'), 'verfahren',
    'karte_verfahren'
  );
  perform checks.check_value(kompression in ('jpeg', 'deflate'), 'kompression', 'karte_kompression');
  select d.id into scan
  from app.karte_datei d
  where d.karte_id = sheet.id and d.art = 'scan'
  order by d.id desc limit 1;
  if scan is null then raise sqlstate 'PT409' using message = 'no scan', hint = 'karte_ohne_scan'; end if;
  if sheet.georef_typ is null then
    raise sqlstate 'PT409' using message = 'no transformation', hint = 'karte_ohne_methode';
  end if;
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'mapx', p.mapx, 'mapy', p.mapy, 'pixelx', p.pixelx, 'pixely', p.pixely, 'enable', p.enable
    ) order by p.nr
  ), '[]') into points
  from app.mappoint p
  where p.karte_id = sheet.id;
  if (
    select count(*) from app.mappoint p where p.karte_id = sheet.id and p.enable
  ) < maps.points_needed(sheet.georef_typ) then
    raise sqlstate 'PT409' using message = 'too few points', hint = 'karte_punkte_wenige';
  end if;
  if exists (
    select from app.karte_auftrag a
    where a.karte_id = sheet.id and a.art = 'entzerren' and a.stand in ('wartet', 'laeuft')
  ) then
    raise sqlstate 'PT409' using message = 'under way', hint = 'karte_auftrag_laeuft';
  end if;
  insert into app.karte_auftrag (karte_id, client_id, datei_id, art, werte, wer, user_id)
  select sheet.id, sheet.client_id, scan, 'entzerren',
    jsonb_build_object(
      'georef_typ', sheet.georef_typ, 'epsg', sheet.epsg, 'res', sheet.res,
      'verfahren', a_add_karte_auftrag.verfahren, 'kompression', a_add_karte_auftrag.kompression,
      'punkte', points
    ) || case when ort_bestaetigt then jsonb_build_object('ort_bestaetigt', true) else '{}' end,
    me.name, me.user_id
  from rights.caller() me
  returning karte_auftrag.id into made;
  return made;
end $$;
select rights.define('app.a_add_karte_auftrag(bigint, text, text, boolean)');
grant execute on function app.a_add_karte_auftrag(bigint, text, text, boolean) to nutzer;

-- Definer: as above. False: the job had already ended.
create or replace function app.a_cancel_karte_auftrag(id bigint)
  returns boolean language plpgsql set search_path = pg_catalog as $$
declare job app.karte_auftrag;
begin
  perform rights.refuse_unless(rights.has_any('apus_admin', 'apus_team'));
  select a.* into job
  from app.karte_auftrag a
  where a.id = a_cancel_karte_auftrag.id for update;
  perform rights.check_found(job.id is not null);
  if job.stand not in ('wartet', 'laeuft') then return false; end if;
  update app.karte_auftrag a set stand = 'abgebrochen', lebt_bis = null, beendet_am = now()
  where a.id = job.id;
  return true;
end $$;
select rights.define('app.a_cancel_karte_auftrag(bigint)');
grant execute on function app.a_cancel_karte_auftrag(bigint) to nutzer;

-- The plan's image size follows the newest scan, which gets a job for its tiles if it has none yet.
create or replace function maps.use_newest_scan(karte_id bigint, wer text, user_id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare scan app.karte_datei;
begin
  select d.* into scan
  from app.karte_datei d
  where d.karte_id = use_newest_scan.karte_id and d.art = 'scan'
  order by d.id desc limit 1;
  update app.kartenblatt k set width = scan.breite, height = scan.hoehe
  where k.id = use_newest_scan.karte_id and (k.width, k.height) is distinct from (scan.breite, scan.hoehe);
  update app.karte_auftrag a set stand = 'abgebrochen', lebt_bis = null, beendet_am = now()
  where a.karte_id = use_newest_scan.karte_id
    and a.art = 'kacheln'
    and a.stand in ('wartet', 'laeuft')
    and a.datei_id is distinct from scan.id;
  if scan.id is null or scan.kacheln_sha256 is not null then return; end if;
  insert into app.karte_auftrag (karte_id, client_id, datei_id, art, wer, user_id)
  values (scan.karte_id, scan.client_id, scan.id, 'kacheln', use_newest_scan.wer, use_newest_scan.user_id)
  on conflict do nothing;
end $$;
grant execute on function maps.use_newest_scan(bigint, text, bigint) to forst_definer;

-- Definer: nutzer may not write jobs. Cuts a scan into tiles again after a failed or cancelled job. Only the
-- newest scan: older ones have been replaced.
create or replace function app.a_retry_karte_kacheln(datei_id bigint)
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  scan app.karte_datei;
  made bigint;
begin
  perform rights.refuse_unless(rights.has_any('apus_admin', 'apus_team'));
  select d.* into scan
  from app.karte_datei d
  where d.id = a_retry_karte_kacheln.datei_id and d.art = 'scan';
  perform rights.check_found(scan.id is not null);
  perform 1 from app.kartenblatt k where k.id = scan.karte_id for update;
  -- Read again now that the plan is locked: the job may have ended meanwhile.
  select d.* into scan from app.karte_datei d where d.id = scan.id;
  perform rights.check_found(scan.id is not null);
  if scan.kacheln_sha256 is not null then
    raise sqlstate 'PT409' using message = 'cut already', hint = 'karte_scan_zerlegt';
  end if;
  if exists (
    select from app.karte_datei d
    where d.karte_id = scan.karte_id and d.art = 'scan' and d.id > scan.id
  ) then
    raise sqlstate 'PT409' using message = 'not the newest', hint = 'karte_scan_aelter';
  end if;
  insert into app.karte_auftrag (karte_id, client_id, datei_id, art, wer, user_id)
  select scan.karte_id, scan.client_id, scan.id, 'kacheln', me.name, me.user_id
  from rights.caller() me
  on conflict do nothing
  returning karte_auftrag.id into made;
  if made is null then
    raise sqlstate 'PT409' using message = 'under way', hint = 'karte_zerlegen_laeuft';
  end if;
  return made;
end $$;
select rights.define('app.a_retry_karte_kacheln(bigint)');
grant execute on function app.a_retry_karte_kacheln(bigint) to nutzer;

-- Definer: nutzer may not write files. The server's next clean-up deletes the bytes, as no row names them any
-- more.
create or replace function app.a_delete_karte_datei(id bigint)
  returns boolean language plpgsql set search_path = pg_catalog as $$
declare file app.karte_datei;
begin
  perform rights.refuse_unless(rights.has_any('apus_admin', 'apus_team'));
  select d.* into file from app.karte_datei d where d.id = a_delete_karte_datei.id;
  perform rights.check_found(file.id is not null);
  perform 1 from app.kartenblatt k where k.id = file.karte_id for update;
  if exists (
    select from app.karte_auftrag a
    where a.datei_id = file.id
      and a.karte_id = file.karte_id
      and a.art = 'entzerren'
      and a.stand in ('wartet', 'laeuft')
  ) then
    raise sqlstate 'PT409' using message = 'worked on', hint = 'karte_datei_in_arbeit';
  end if;
  perform maps.refuse_part_of_mosaic(file.client_id, jsonb_build_object('datei_id', file.id));
  delete from app.karte_datei d where d.id = file.id;
  if not found then return false; end if;
  -- Files have no history of their own; the plan's history shows the deletion.
  insert into app.verlauf (wer, user_id, tabelle, schluessel, client_id, aktion, alt, neu)
  select me.name, me.user_id, 'kartenblatt', file.karte_id::text, file.client_id, 'geaendert',
    jsonb_build_object('datei_' || file.art, file.name), jsonb_build_object('datei_' || file.art, null)
  from rights.caller() me;
  if file.art = 'scan' then
    perform maps.use_newest_scan(file.karte_id, me.name, me.user_id) from rights.caller() me;
  end if;
  return true;
end $$;
select rights.define('app.a_delete_karte_datei(bigint)');
grant execute on function app.a_delete_karte_datei(bigint) to nutzer;

-- Functions for the server ----------------------------------------------------------------------------------

-- Definer: forst_karte has no right on any table. Adds a scan uploaded by the caller. Repeating it for the
-- same upload returns the same file. `din` is used if the plan has none.
create or replace function maps.add_scan(
  karte_id bigint, upload text, name text, mime text, groesse bigint, sha256 text, bild_sha256 text,
  breite integer, hoehe integer, dpi integer, din text
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  sheet app.kartenblatt;
  made bigint;
  me record := rights.caller();
begin
  perform rights.refuse_unless(rights.has_any('apus_admin', 'apus_team'));
  select k.* into sheet from app.kartenblatt k where k.id = add_scan.karte_id for update;
  perform rights.check_found(sheet.id is not null);
  select d.id into made
  from app.karte_datei d
  where d.upload = add_scan.upload and d.karte_id = sheet.id;
  if found then return made; end if;
  insert into app.karte_datei as d (
    karte_id, client_id, art, upload, name, mime, groesse, sha256, bild_sha256, breite, hoehe, dpi, wer,
    user_id
  )
  values (
    sheet.id, sheet.client_id, 'scan', add_scan.upload, add_scan.name, add_scan.mime, add_scan.groesse,
    add_scan.sha256, add_scan.bild_sha256, add_scan.breite, add_scan.hoehe, add_scan.dpi, me.name, me.user_id
  )
  returning d.id into made;
  update app.kartenblatt k set
    status = case k.status when 'neu' then 'gescannt' else k.status end, din = coalesce(k.din, add_scan.din)
  where k.id = sheet.id and (k.status = 'neu' or (k.din is null and add_scan.din is not null));
  perform maps.use_newest_scan(sheet.id, me.name, me.user_id);
  return made;
end $$;
select rights.define(
  'maps.add_scan(bigint, text, text, text, bigint, text, text, integer, integer, integer, text)'
);
grant execute on function maps.add_scan(
  bigint, text, text, text, bigint, text, text, integer, integer, integer, text
) to forst_karte;

-- Definer: as above. Size of the file an upload has become; null if it has not yet. Only for staff.
create or replace function maps.upload_size(karte_id bigint, upload text)
  returns bigint language sql stable set search_path = pg_catalog as $$
  select d.groesse
  from app.karte_datei d
  where d.karte_id = upload_size.karte_id
    and d.upload = upload_size.upload
    and rights.has_any('apus_admin', 'apus_team')
$$;
select rights.define('maps.upload_size(bigint, text)');
grant execute on function maps.upload_size(bigint, text) to forst_karte;

-- Definer: as above. Takes the next due job; that of a mosaic has no file. The server must report within
-- `lease` that it is still working on it. A job begun three times without an end has failed.
create or replace function maps.take_job(art text, lease interval)
  returns table (
    id bigint, versuch integer, karte_id bigint, datei_id bigint, name text, mime text, sha256 text,
    breite integer, hoehe integer, werte text
  ) language plpgsql set search_path = pg_catalog as $$
begin
  update app.karte_auftrag a set
    stand = 'fehlgeschlagen', fehler = 'karte_absturz', lebt_bis = null, beendet_am = now()
  where a.art = take_job.art and a.stand = 'laeuft' and a.lebt_bis < now() and a.versuche >= 3;
  -- People take turns: the one served last comes last, however many jobs they have waiting.
  return query
    with bedient as (
      select b.user_id, max(b.begonnen_am) as zuletzt
      from app.karte_auftrag b
      where b.art = take_job.art and b.begonnen_am > now() - interval '1 day'
      group by b.user_id
    ),
    dran as (
      select a.id
      from app.karte_auftrag a
        left join bedient on bedient.user_id is not distinct from a.user_id
      where a.art = take_job.art and (a.stand = 'wartet' or (a.stand = 'laeuft' and a.lebt_bis < now()))
      order by bedient.zuletzt nulls first, a.id limit 1 for update of a skip locked
    ),
    genommen as (
      update app.karte_auftrag a set
        stand = 'laeuft', versuche = a.versuche + 1, fortschritt = 0, lebt_bis = now() + lease,
        begonnen_am = coalesce(a.begonnen_am, now())
      from dran
      where a.id = dran.id
      returning a.*
    )
    select g.id, g.versuche, g.karte_id, d.id, coalesce(d.name, k.map_name),
      case when d.bild_sha256 is null then d.mime else 'image/png' end, coalesce(d.bild_sha256, d.sha256),
      d.breite, d.hoehe, g.werte::text
    from genommen g
      join app.kartenblatt k on k.id = g.karte_id
      left join app.karte_datei d on d.id = g.datei_id;
end $$;
select rights.define('maps.take_job(text, interval)');
grant execute on function maps.take_job(text, interval) to forst_karte;
-- Definer: as above. Extends the lease. False: the job was cancelled or deleted, or another server has it.
create or replace function maps.job_lives(id bigint, attempt integer, progress integer, lease interval)
  returns boolean language plpgsql set search_path = pg_catalog as $$
begin
  update app.karte_auftrag a set lebt_bis = now() + lease, fortschritt = job_lives.progress
  where a.id = job_lives.id and a.versuche = attempt and a.stand = 'laeuft';
  return found;
end $$;
select rights.define('maps.job_lives(bigint, integer, integer, interval)');
grant execute on function maps.job_lives(bigint, integer, integer, interval) to forst_karte;
-- Definer: as above. The job failed. With `fehler` it has ended; without, it waits to be taken again, unless
-- it has been begun three times. `uncounted`: this attempt does not count.
create or replace function maps.job_failed(
  id bigint, attempt integer, fehler text, detail text, uncounted boolean default false
) returns boolean language plpgsql set search_path = pg_catalog as $$
begin
  update app.karte_auftrag a set
    stand = case
      when job_failed.fehler is null and (uncounted or a.versuche < 3) then 'wartet'
      else 'fehlgeschlagen'
    end,
    fehler = case
      when job_failed.fehler is null and (uncounted or a.versuche < 3) then null
      else coalesce(job_failed.fehler, 'karte_absturz')
    end,
    einzelheit = nullif(books.bank_line(job_failed.detail, 300), ''),
    versuche = a.versuche - case when uncounted then 1 else 0 end, lebt_bis = null,
    beendet_am = case
      when job_failed.fehler is null and (uncounted or a.versuche < 3) then null
      else now()
    end
  where a.id = job_failed.id and a.versuche = attempt and a.stand = 'laeuft';
  return found;
end $$;
select rights.define('maps.job_failed(bigint, integer, text, text, boolean)');
grant execute on function maps.job_failed(bigint, integer, text, text, boolean) to forst_karte;
drop function if exists maps.tiles_done(bigint, integer, text);
-- Definer: as above. The tiles are made; `befund` is what reading the scan has shown (grau_von, grau_bis,
-- beschaedigt). False: the job was cancelled or replaced meanwhile.
create or replace function maps.tiles_done(id bigint, attempt integer, sha256 text, befund jsonb)
  returns boolean language plpgsql set search_path = pg_catalog as $$
declare job app.karte_auftrag;
begin
  update app.karte_auftrag a set stand = 'fertig', fortschritt = 100, lebt_bis = null, beendet_am = now()
  where a.id = tiles_done.id and a.versuche = attempt and a.stand = 'laeuft' and a.art = 'kacheln'
  returning a.* into job;
  if job.id is null then return false; end if;
  update app.karte_datei d set
    kacheln_sha256 = tiles_done.sha256, grau_von = (befund ->> 'grau_von')::double precision,
    grau_bis = (befund ->> 'grau_bis')::double precision, beschaedigt = (befund ->> 'beschaedigt')::boolean
  where d.id = job.datei_id;
  return true;
end $$;
select rights.define('maps.tiles_done(bigint, integer, text, jsonb)');
grant execute on function maps.tiles_done(bigint, integer, text, jsonb) to forst_karte;
-- Definer: as above. The result is made and checked, and becomes the newest. False: the job was cancelled or
-- replaced meanwhile.
create or replace function maps.result_done(
  id bigint, attempt integer, name text, groesse bigint, sha256 text, breite integer, hoehe integer,
  umriss jsonb
) returns boolean language plpgsql set search_path = pg_catalog as $$
declare job app.karte_auftrag;
begin
  update app.karte_auftrag a set stand = 'fertig', fortschritt = 100, lebt_bis = null, beendet_am = now()
  where a.id = result_done.id
    and a.versuche = attempt
    and a.stand = 'laeuft'
    and a.art in ('entzerren', 'mosaik')
  returning a.* into job;
  if job.id is null then return false; end if;
  insert into app.karte_datei (
    karte_id, client_id, art, name, mime, groesse, sha256, kacheln_sha256, breite, hoehe, epsg, umriss,
    georef_typ, wer, user_id
  )
  values (
    job.karte_id, job.client_id, 'ergebnis', result_done.name, 'image/tiff', result_done.groesse,
    result_done.sha256, result_done.sha256, result_done.breite, result_done.hoehe,
    (job.werte ->> 'epsg')::integer, result_done.umriss, job.werte ->> 'georef_typ', job.wer, job.user_id
  );
  update app.kartenblatt k set status = 'georeferenziert'
  where k.id = job.karte_id and k.status in ('neu', 'gescannt');
  return true;
end $$;
select rights.define('maps.result_done(bigint, integer, text, bigint, text, integer, integer, jsonb)');
grant execute on function maps.result_done(bigint, integer, text, bigint, text, integer, integer, jsonb)
  to forst_karte;

-- Definer: as above. Where a plan's customer is known to be: a box around the survey, stands and habitat
-- trees in web mercator, the Land of the address, and what the georeferenced plans cover, for each of their
-- systems.
create or replace function maps.plan_whereabouts(karte_id bigint)
  returns table (
    west double precision, sued double precision, ost double precision, nord double precision,
    bundesland text, plans text
  ) language sql stable set search_path = pg_catalog as $$
  with sheet as (select k.client_id from app.kartenblatt k where k.id = plan_whereabouts.karte_id),
  places as (
    select t.g3857 as g
    from app.draenage t join sheet s on t.client_id = s.client_id
    union all
    select t.g3857
    from app.ausmuendung t join sheet s on t.client_id = s.client_id
    union all
    select t.g3857
    from app.schacht t join sheet s on t.client_id = s.client_id
    union all
    select t.g3857
    from app.schlucker t join sheet s on t.client_id = s.client_id
    union all
    select t.g3857
    from app.einlauf t join sheet s on t.client_id = s.client_id
    union all
    select b.g3857
    from app.bestand b
      join app.hq h on h."idHQ" = b."idHQ"
      join sheet s on h.client_id = s.client_id
    union all
    select b.g3857
    from app.habitatbaeume b
      join app.hq h on h."idHQ" = b."idHQ"
      join sheet s on h.client_id = s.client_id
  ),
  covered as (
    select d.epsg, min((p.value ->> 0)::double precision) as west,
      min((p.value ->> 1)::double precision) as sued, max((p.value ->> 0)::double precision) as ost,
      max((p.value ->> 1)::double precision) as nord
    from app.karte_datei d
      join sheet s on d.client_id = s.client_id
      cross join jsonb_array_elements(d.umriss) p
    where d.art = 'ergebnis'
    group by d.epsg
  )
  select public.st_xmin(e.box), public.st_ymin(e.box), public.st_xmax(e.box), public.st_ymax(e.box),
    (select c.bundesland from app.kunde c join sheet s on c.client_id = s.client_id),
    (select jsonb_agg(to_jsonb(p))::text from covered p)
  from (select maps.main_box(array(select public.st_envelope(o.g) from places o)) as box) e
$$;
select rights.define('maps.plan_whereabouts(bigint)');
grant execute on function maps.plan_whereabouts(bigint) to forst_karte;

-- Definer: forst_karte has no right on any table. Which of the given files some row refers to.
create or replace function maps.named_files(names text[])
  returns setof text language sql stable set search_path = pg_catalog as $$
  select n.name
  from unnest(names) as n(name)
  where exists (select from app.karte_datei d where d.sha256 = n.name)
    or exists (select from app.karte_datei d where d.bild_sha256 = n.name)
    or exists (select from app.karte_datei d where d.kacheln_sha256 = n.name)
    or exists (select from app.habitatbilder b where b.sha256 = n.name)
    or exists (select from app.habitatbilder b where b.klein = n.name)
    or exists (select from app.habitatbilder b where b.mittel = n.name)
    or exists (select from app.habitatbilder b where b.gross = n.name)
    or exists (select from app.vermessungsbilder b where b.sha256 = n.name)
    or exists (select from app.vermessungsbilder b where b.klein = n.name)
    or exists (select from app.vermessungsbilder b where b.mittel = n.name)
    or exists (select from app.vermessungsbilder b where b.gross = n.name)
    or exists (select from maps.vermessung_geloescht g where g.dateien @> array[n.name])
    or exists (select from app.notiz_datei d where d.sha256 = n.name)
$$;
select rights.define('maps.named_files(text[])');
grant execute on function maps.named_files(text[]) to forst_karte;
-- Definer: as above. Whether any row refers to a file; if none does, nothing may be deleted.
create or replace function maps.has_files() returns boolean language sql stable set search_path = pg_catalog
  return exists (select from app.karte_datei)
    or exists (select from app.habitatbilder)
    or exists (select from app.vermessungsbilder)
    or exists (select from app.notiz_datei);
select rights.define('maps.has_files()');
grant execute on function maps.has_files() to forst_karte;
grant usage on schema rights, maps, forest to forst_karte;
