-- The survey on maps of low levels: objects counted by the squares of the web mercator grid
-- (maps.vermessung_zelle). A tile of level z shows the squares of level z + 4, 16 by 16. Not published: the
-- server calls it for a tile.

select rights.protect('maps.vermessung_zelle');
grant select, insert, delete on maps.vermessung_zelle to forst_definer;

-- An import counts everything once, at its end. Until then a row of no level says so, which no other
-- transaction sees: counting removes it (maps.rebuild_cells).
create or replace function maps.counted_later(kunde bigint)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select exists (select from maps.vermessung_zelle z where z.client_id = kunde and z.ganz and z.stufe = -1)
$$;
grant execute on function maps.counted_later(bigint) to forst_definer;
create or replace function maps.count_cells_later(kunde bigint)
  returns void language sql set search_path = pg_catalog as $$
  insert into maps.vermessung_zelle (
    client_id, stufe, zx, zy, ganz, n, laenge_cm, vermessen, vermutet, draenage, ausmuendung, schacht,
    schlucker, einlauf, x_cm, y_cm, neu
  )
  select kunde, -1, 0, 0, true, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, true
  where not maps.counted_later(kunde)
$$;
grant execute on function maps.count_cells_later(bigint) to forst_definer;

-- What is counted: [client_id, kind, vermessen, erfq, qdt, laenge, x, y] of objects, each with its sign.
do $do$
declare
  kinds constant text[] := '{draenage,ausmuendung,schacht,schlucker,einlauf}';
  name text;
  -- A drain is counted where the centre of its box is.
  line constant text := $f$select client_id, vermessen, erfq, qdt, laenge,
      (public.st_xmin(b) + public.st_xmax(b)) / 2 as x,
      (public.st_ymin(b) + public.st_ymax(b)) / 2 as y, %2$s as sign
      from (select client_id, vermessen, erfq, qdt, laenge, public.box3d(g3857) as b from %1$s offset 0) l$f$;
  point constant text := $f$select client_id, vermessen, erfq, qdt, 0::float8 as laenge,
      public.st_x(g3857) as x, public.st_y(g3857) as y, %2$s as sign from %1$s$f$;
  -- Each square once with all objects and, where tiles with a filter are made from it, once for each
  -- combination that a filter can choose. An unchanged object leaves no row.
  added constant text := $f$insert into maps.vermessung_zelle (client_id, stufe, zx, zy, ganz, art,
        surveyed, erfq, qdt, n, laenge_cm, vermessen, vermutet, draenage, ausmuendung, schacht, schlucker,
        einlauf, x_cm, y_cm, neu)
      with f as materialized (
        select client_id, kind, vermessen, erfq, qdt,
          floor((x + 20037508.342789244) / 40075016.685578488 * 65536)::integer as zx,
          floor((20037508.342789244 - y) / 40075016.685578488 * 65536)::integer as zy,
          sum(sign) as n, sum(sign * round(laenge * 100)::bigint) as laenge,
          sum(sign * round(x * 100)::bigint) as x, sum(sign * round(y * 100)::bigint) as y
        from (%1$s) o
        where x between -20037508.34 and 20037508.34 and y between -20037508.34 and 20037508.34
        group by 1, 2, 3, 4, 5, 6, 7
      ), s as (
        select f.*, g.ganz, (16 - d)::smallint as stufe, f.zx >> d as cx, f.zy >> d as cy
        from f, generate_series(0, 12) d, (values (true), (false)) g(ganz)
        where g.ganz or d >= 2
      )
      select client_id, stufe, cx, cy, ganz, case when not ganz then kind end,
        case when not ganz then vermessen end, case when not ganz then erfq end,
        case when not ganz then qdt end, sum(n), sum(laenge),
        coalesce(sum(n) filter (where vermessen), 0), coalesce(sum(n) filter (where not vermessen), 0),
        %2$s, sum(x), sum(y), %3$s
      from s group by 1, 2, 3, 4, 5, 6, 7, 8, 9
      having sum(n) <> 0 or sum(laenge) <> 0 or sum(x) <> 0 or sum(y) <> 0
        or sum(n) filter (where vermessen) <> 0 or sum(n) filter (where not vermessen) <> 0$f$;
  by_kind text;
begin
  select string_agg(format('coalesce(sum(n) filter (where kind = %L), 0)', k), ', ' order by nr) into by_kind
  from unnest(kinds) with ordinality as a(k, nr);
  -- Counts a customer's objects once more. One at a time for each customer: the statement sees what those
  -- before it have added up, and whatever changes meanwhile adds its rows beside.
  execute format(
    $f$create or replace function maps.rebuild_cells(kunde bigint)
      returns void language plpgsql set search_path = pg_catalog set jit = off as $body$
    begin
      perform pg_advisory_xact_lock(hashtext('vermessung_zelle'), hashint8(kunde));
      with gone as (delete from maps.vermessung_zelle z where z.client_id = kunde)
      %s;
    end $body$$f$,
    format(
      added,
      (
        select string_agg(
          format('(select %L as kind, o.* from (%s) o)', k, format(
            case k when 'draenage' then line else point end, format('app.%I t where t.client_id = kunde', k),
            '1'
          )),
          ' union all ' order by nr
        )
        from unnest(kinds) with ordinality as a(k, nr)
      ),
      by_kind, 'false'
    )
  );
  foreach name in array kinds loop
    execute format(
      $f$create or replace function maps.count_%1$s()
        returns trigger language plpgsql set search_path = pg_catalog set jit = off as $body$
      begin
        if tg_op = 'INSERT' then
          if maps.counted_later((select r.client_id from new_rows r limit 1)) then return null; end if;
          %2$s;
        elsif maps.counted_later((select r.client_id from old_rows r limit 1)) then
          return null;
        elsif tg_op = 'DELETE' then
          %3$s;
        else
          %4$s;
        end if;
        return null;
      end $body$$f$,
      name,
      format(
        added,
        format('select %L as kind, o.* from (%s) o', name, format(case name
          when 'draenage' then line
          else point
        end, 'new_rows', '1')),
        by_kind, 'true'
      ),
      format(
        added,
        format('select %L as kind, o.* from (%s) o', name, format(case name
          when 'draenage' then line
          else point
        end, 'old_rows', '-1')),
        by_kind, 'true'
      ),
      format(
        added,
        format(
          'select %L as kind, o.* from (%s union all %s) o', name,
          format(case name when 'draenage' then line else point end, 'old_rows', '-1'),
          format(case name when 'draenage' then line else point end, 'new_rows', '1')
        ),
        by_kind, 'true'
      )
    );
    perform rights.define(format('maps.count_%s()', name)::regprocedure);
    execute format(
      $t$create or replace trigger y_zelle_neu after insert on app.%1$I referencing new table as new_rows
        for each statement execute function maps.count_%1$s()$t$,
      name
    );
    execute format(
      $t$create or replace trigger y_zelle after update on app.%1$I
        referencing old table as old_rows new table as new_rows
        for each statement execute function maps.count_%1$s()$t$,
      name
    );
    execute format(
      $t$create or replace trigger y_zelle_weg after delete on app.%1$I referencing old table as old_rows
        for each statement execute function maps.count_%1$s()$t$,
      name
    );
  end loop;
end $do$;
select rights.define('maps.rebuild_cells(bigint)');

-- Definer: the squares are closed to nutzer. Counts what an import has brought, at its end.
create or replace function maps.count_import(import_id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare run app.vermessung_import;
begin
  select i.* into run
  from app.vermessung_import i
  where i.id = count_import.import_id and i.stand = 'laeuft';
  perform rights.refuse_unless(run.id is not null and rights.has_any('apus_admin', 'apus_team'));
  perform maps.rebuild_cells(run.client_id);
end $$;
select rights.define('maps.count_import(bigint)');
grant execute on function maps.count_import(bigint) to nutzer;

-- Definer: by night. Adds up what single changes have left; returns of how many customers.
create or replace function maps.count_changed_cells()
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  kunde bigint;
  done integer := 0;
begin
  for kunde in select distinct z.client_id from maps.vermessung_zelle z where z.neu loop
    perform maps.rebuild_cells(kunde);
    done := done + 1;
  end loop;
  return done;
end $$;
select rights.define('maps.count_changed_cells()');
grant execute on function maps.count_changed_cells() to forst_betrieb;

-- Definer: the squares are closed to nutzer. As maps.kataster_clusters, of a tile by its level (up to 12,
-- with a filter up to 10) and place. No row if there is nothing.
create or replace function maps.kataster_cells(
  kunde bigint, level integer, tx integer, ty integer, selection jsonb
) returns table (
  id integer, n integer, laenge integer, vermessen integer, vermutet integer, draenage integer,
  ausmuendung integer, schacht integer, schlucker integer, einlauf integer, g public.geometry
) language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
  as $$
declare
  whole constant boolean := selection = '{}';
  only_kinds constant text[] := case
    when selection ? 'arten' then array(select jsonb_array_elements_text(selection -> 'arten'))
  end;
  only_surveyed constant text[] := case
    when selection ? 'vermessen' then array(select jsonb_array_elements_text(selection -> 'vermessen'))
  end;
  only_erfq constant text[] := case
    when selection ? 'erfq' then array(select jsonb_array_elements_text(selection -> 'erfq'))
  end;
  only_qdt constant text[] := case
    when selection ? 'qdt' then array(select jsonb_array_elements_text(selection -> 'qdt'))
  end;
begin
  perform maps.check_kataster(kunde);
  return query
    select (15 - (z.zy - ty * 16)) * 16 + z.zx - tx * 16, sum(z.n)::integer,
      round(sum(z.laenge_cm) / 100)::integer, sum(z.vermessen)::integer, sum(z.vermutet)::integer,
      sum(z.draenage)::integer, sum(z.ausmuendung)::integer, sum(z.schacht)::integer,
      sum(z.schlucker)::integer, sum(z.einlauf)::integer,
      public.st_setsrid(
        public.st_makepoint(sum(z.x_cm)::float8 / sum(z.n) / 100, sum(z.y_cm)::float8 / sum(z.n) / 100), 3857
      )
    from maps.vermessung_zelle z
    where z.client_id = kunde
      and z.ganz = whole
      and z.stufe = level + 4
      and z.zx between tx * 16 and tx * 16 + 15
      and z.zy between ty * 16 and ty * 16 + 15
      and (only_kinds is null or z.art = any (only_kinds))
      and (
        only_surveyed is null
        or case z.surveyed when true then 'ja' when false then 'nein' else 'offen' end = any (only_surveyed)
      )
      and (only_erfq is null or coalesce(z.erfq, 'Andere') = any (only_erfq))
      and (only_qdt is null or coalesce(z.qdt, 'Andere') = any (only_qdt))
    group by z.zx, z.zy
    having sum(z.n) > 0
    order by 1;
end $$;
select rights.define('maps.kataster_cells(bigint, integer, integer, integer, jsonb)');
grant execute on function maps.kataster_cells(bigint, integer, integer, integer, jsonb) to nutzer;

-- What was there before the squares were counted.
do $$
declare kunde bigint;
begin
  if not exists (select from maps.vermessung_zelle) then
    for kunde in
      select client_id
      from app.draenage
      union
      select client_id
      from app.ausmuendung
      union
      select client_id
      from app.schacht
      union
      select client_id
      from app.schlucker
      union
      select client_id
      from app.einlauf
    loop
      perform maps.rebuild_cells(kunde);
    end loop;
  end if;
end $$;
