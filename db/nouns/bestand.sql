-- Forest stands and their species. Read: forest staff all. A customer's admin and linked people, for enabled
-- headquarters (`fb_enabled`), depending on the module: `fe_enabled` every stand, `basis_fe_enabled` only the
-- sums of the levels (forest.bestand_sums), otherwise nothing.
-- Nobody has the right to write: only the server's import calls the functions below, in one transaction, as
-- the ogf_admin who started it.

select rights.protect('app.bestand_import');
grant select, insert ("idHQ", client_id, dateiname, format, groesse, sha256),
  update (stand, werte, bericht, beendet_am), delete on app.bestand_import to nutzer;
grant select, update (wer) on app.bestand_import to forst_definer;
create policy admin on app.bestand_import to nutzer
  using ((select rights.has_role('ogf_admin')))
  with check ((select rights.has_role('ogf_admin')));
alter table app.bestand_import alter column user_id set default rights.user_id();
alter table app.bestand_import alter column wer set default rights.caller_name();

-- Definer: reads switches and links regardless of their policies. What the caller may see of a headquarters'
-- stands: 'alles', 'summen', or why nothing: 'nicht_freigegeben', 'kein_modul'.
-- null: not one of the caller's headquarters.
create or replace function forest.bestand_scope(hqid bigint)
  returns text language sql stable set search_path = pg_catalog as $$
  select case
    when not rights.key_reads('bestaende', h.client_id) then null
    when rights.has_any('ogf_admin', 'ogf_team') then 'alles'
    when not (h.client_id = any (rights.kunden_as('kundenadmin')) or h."idHQ" = any (rights.hqs_as())) then
      null
    when not h.fb_enabled then 'nicht_freigegeben'
    when s.fe_enabled then 'alles'
    when s.basis_fe_enabled then 'summen'
    else 'kein_modul'
  end
  from app.hq h join app.kunde_hq s on s.hqid = h."idHQ"
  where h."idHQ" = bestand_scope.hqid
$$;
select rights.define('forest.bestand_scope(bigint)');
grant execute on function forest.bestand_scope(bigint) to nutzer;
-- Definer: as above. The caller's headquarters with every stand visible. Staff have their own policy.
create or replace function forest.hqs_with_fe()
  returns bigint[] language plpgsql stable set search_path = pg_catalog as $$
declare
  kunden bigint[] := rights.kunden_as('kundenadmin');
  linked bigint[] := rights.hqs_as();
begin
  return array(
    select h."idHQ"
    from app.hq h join app.kunde_hq s on s.hqid = h."idHQ"
    where h.fb_enabled and s.fe_enabled and (h.client_id = any (kunden) or h."idHQ" = any (linked))
  );
end $$;
select rights.define('forest.hqs_with_fe()');
grant execute on function forest.hqs_with_fe() to nutzer;

do $$
declare name text;
begin
  foreach name in array '{bestand,baumarten}'::text[] loop
    perform rights.protect(format('app.%I', name)::regclass);
    execute format('grant select on app.%I to nutzer', name);
    execute format('grant select, insert, delete on app.%I to forst_definer', name);
    execute format(
      $p$create policy staff on app.%I for select to nutzer
        using ((select rights.has_any('ogf_admin', 'ogf_team')))$p$,
      name
    );
    execute format(
      $p$create policy module on app.%I for select to nutzer
        using ("idHQ" = any ((select forest.hqs_with_fe())::bigint[]))$p$,
      name
    );
  end loop;
end $$;

-- The names of the levels are a column of app.hq, so its policies and history apply.
grant update (ebenen) on app.hq to nutzer;
create or replace function app.a_set_hq_ebenen(hq_id bigint, ebenen text[], version integer)
  returns void language plpgsql set search_path = pg_catalog as $$
declare
  names text[] := array(
    select coalesce(btrim(n), '')
    from unnest(a_set_hq_ebenen.ebenen) with ordinality as u(n, nr)
    order by nr
  );
begin
  -- Checked before any other answer about the headquarters; row security checks it again.
  perform rights.check_found(
    rights.has_role('ogf_admin') and exists (select from app.hq h where h."idHQ" = hq_id)
  );
  perform checks.check_value(cardinality(names) = 5 and array_to_string(names, '') <> '', 'ebenen', 'ebenen');
  perform checks.check_version(
    a_set_hq_ebenen.version, (select h.version from app.hq h where h."idHQ" = hq_id for update)
  );
  update app.hq h set ebenen = names where h."idHQ" = hq_id;
end $$;
grant execute on function app.a_set_hq_ebenen(bigint, text[], integer) to nutzer;

-- Definer: the caller may not read the stands behind the sums. Area and species by levels 1 to 4 of a
-- headquarters, each [[level 1 to 4], hectares, [[species or null, hectares], …]]. The fifth level, number,
-- age and stock belong to single stands and are left out, and so is the number of stands in a sum. A stand's
-- area is divided among its species as in domain/bestand.ts (areasByGroup).
create or replace function forest.bestand_sums(hqid bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  with s as materialized (
    select b.id, jsonb_build_array(b."sLVL01", b."sLVL02", b."sLVL03", b."sLVL04") as l, b.flaeche_ha,
      b.sortadresse
    from app.bestand b
    where b."idHQ" = bestand_sums.hqid
      and (select forest.bestand_scope(bestand_sums.hqid)) in ('alles', 'summen')
  ),
  a as (
    select t.bestand_id, t.baumart, t.anteil, t.flaeche_ha, t.haupt, bool_or(t.haupt) over w as hat_haupt
    from (
      -- Plans have a 0 where a column is not used: beside a share it says nothing.
      select t.bestand_id, t.baumart, t.anteil,
        case when t.flaeche_ha > 0 or not coalesce(t.anteil > 0, false) then t.flaeche_ha end as flaeche_ha,
        t.schicht is null
          or t.schicht
            !~* 'unter|[üÜ]ber|ueber|nachwuchs|verj|jungwuchs|^u$|^ust$|^[üÜ]h$|^nw$|^vj$|^[23]$' as haupt
      from app.baumarten t
      where t."idHQ" = bestand_sums.hqid
    ) t
    window w as (partition by t.bestand_id)
  ),
  g as (
    select a.bestand_id, a.baumart,
      case
        when bool_and(a.flaeche_ha is not null) over w and max(a.flaeche_ha) over w > 0 then a.flaeche_ha
        when bool_and(a.anteil is not null) over w then a.anteil
        else 1
      end as gewicht
    from a
    where a.haupt or not a.hat_haupt
    window w as (partition by a.bestand_id)
  ),
  v as (
    select g.bestand_id, g.baumart,
      g.gewicht / nullif(sum(g.gewicht) over (partition by g.bestand_id), 0) as teil
    from g
  ),
  n as (
    select s.l, v.baumart, sum(s.flaeche_ha * coalesce(v.teil, 1)) as ha
    from s left join v on v.bestand_id = s.id and v.teil is not null
    group by 1, 2
  ),
  e as (select s.l, sum(s.flaeche_ha) as ha, min(s.sortadresse) as sort from s group by 1)
  select coalesce(jsonb_agg(
    jsonb_build_array(e.l, round(e.ha, 4), (
      select jsonb_agg(jsonb_build_array(n.baumart, round(n.ha, 4)) order by n.baumart)
      from n
      where n.l = e.l
    )) order by e.sort, e.l
  ), '[]')
  from e
$$;
select rights.define('forest.bestand_sums(bigint)');
grant execute on function forest.bestand_sums(bigint) to nutzer;

-- Everything on the page of a headquarters' stands except their outlines, in natural order. Short keys,
-- because a large holding has thousands of stands. Empty for callers who may not read the headquarters;
-- `umfang` says how much of it they see. `arten` of a stand: each [layer, species, share, area, age, stock].
create or replace function app.a_get_waldbestand(hq_id bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'idHQ', h."idHQ", 'sHQ', h."sHQ", 'ebenen', h.ebenen, 'version', h.version, 'dtFE', h."dtFE",
    'dcFLAEHB', h."dcFLAEHB", 'umfang', u.umfang,
    'summen', case u.umfang when 'summen' then forest.bestand_sums(hq_id) else '[]' end,
    'bestaende', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'id', b.id, 'l', jsonb_build_array(b."sLVL01", b."sLVL02", b."sLVL03", b."sLVL04", b."sLVL05"),
          's', b."iSTAND", 'ha', b.flaeche_ha, 'tag', b.stichtag, 'nutzungsart', b.nutzungsart,
          'bestandestyp', b.bestandestyp, 'alter', b."alter", 'ak', b.altersklasse, 'vorrat', b.vorrat,
          'bemerkung', b.bemerkung, 'arten', coalesce(a.arten, '[]')
        ) order by b.sortadresse, b.id
      ), '[]')
      from app.bestand b
        left join (
          select t.bestand_id,
            jsonb_agg(
              jsonb_build_array(t.schicht, t.baumart, t.anteil, t.flaeche_ha, t."alter", t.vorrat)
              order by t.id
            ) as arten
          from app.baumarten t
          where t."idHQ" = hq_id
          group by t.bestand_id
        ) a on a.bestand_id = b.id
      where b."idHQ" = hq_id
    )
  )
  from app.hq h cross join lateral (select forest.bestand_scope(h."idHQ") as umfang) u
  where h."idHQ" = hq_id
$$;
grant execute on function app.a_get_waldbestand(bigint) to nutzer;

-- Outlines for the map, in web mercator, simplified to half a metre: [[id, GeoJSON coordinates of a
-- MultiPolygon], …]
create or replace function app.a_get_bestand_umrisse(hq_id bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select coalesce(jsonb_agg(
    jsonb_build_array(
      b.id,
      public.st_asgeojson(
        public.st_multi(public.st_simplifypreservetopology(b.g3857, 0.5)), 1, 0
      )::jsonb -> 'coordinates'
    ) order by b.id
  ), '[]')
  from app.bestand b
  where b."idHQ" = hq_id
$$;
grant execute on function app.a_get_bestand_umrisse(bigint) to nutzer;

-- Import ----------------------------------------------------------------------------------------------------
-- Not published: the server calls them in the transaction of an import.

create or replace function forest.bestand_run(import_id bigint)
  returns app.bestand_import language plpgsql stable set search_path = pg_catalog as $$
declare run app.bestand_import;
begin
  select i.* into run
  from app.bestand_import i
  where i.id = bestand_run.import_id and i.stand = 'laeuft';
  perform rights.refuse_unless(run.id is not null and rights.has_role('ogf_admin'));
  return run;
end $$;
grant execute on function forest.bestand_run(bigint) to forst_definer;

-- Definer: nutzer has no right to write the tables. Deletes the existing stands; returns how many.
create or replace function forest.clear_bestand(import_id bigint)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  run app.bestand_import := forest.bestand_run(clear_bestand.import_id);
  gone integer;
begin
  delete from app.bestand b where b."idHQ" = run."idHQ";
  get diagnostics gone = row_count;
  return gone;
end $$;
select rights.define('forest.clear_bestand(bigint)');
grant execute on function forest.clear_bestand(bigint) to nutzer;

-- Definer: as above. Adds stands: [{nr, g: WKB of one or more polygons in EPSG:4326 as hex, …}, …]. Repairs
-- outlines that intersect themselves; `leer` lists the rows without an area after that.
create or replace function forest.store_bestand_rows(
  import_id bigint, given jsonb, out neu integer, out bereinigt integer, out leer integer[]
) language plpgsql set search_path = pg_catalog as $$
declare run app.bestand_import := forest.bestand_run(store_bestand_rows.import_id);
begin
  with roh as materialized (
    select z.*, public.st_geomfromwkb(decode(z.g, 'hex'), 4326) as form
    from jsonb_to_recordset(given) as z(
      nr integer, g text, "sLVL01" text, "sLVL02" text, "sLVL03" text, "sLVL04" text, "sLVL05" text,
      "iSTAND" integer, flaeche_ha numeric, stichtag date, nutzungsart text, bestandestyp text,
      "alter" integer, altersklasse integer, vorrat numeric, bemerkung text
    )
  ),
  rein as materialized (
    select r.*, public.st_isvalid(r.form) as heil,
      public.st_multi(case
        when public.st_isvalid(r.form) then r.form
        else public.st_collectionextract(public.st_makevalid(r.form), 3)
      end) as flaeche
    from roh r
  ),
  gross as materialized (
    select r.*,
      coalesce(r.flaeche_ha, round((public.st_area(r.flaeche::public.geography) / 10000)::numeric, 4)) as ha
    from rein r
  ),
  made as (
    insert into app.bestand (
      "idHQ", client_id, import_id, "sLVL01", "sLVL02", "sLVL03", "sLVL04", "sLVL05", "iSTAND", geom,
      flaeche_ha, stichtag, nutzungsart, bestandestyp, "alter", altersklasse, vorrat, bemerkung
    )
    select run."idHQ", run.client_id, run.id, g."sLVL01", g."sLVL02", g."sLVL03", g."sLVL04", g."sLVL05",
      g."iSTAND", g.flaeche, g.ha, g.stichtag, g.nutzungsart, g.bestandestyp, g."alter", g.altersklasse,
      g.vorrat, g.bemerkung
    from gross g
    where not public.st_isempty(g.flaeche) and g.ha > 0
    order by g.nr
    returning 1
  )
  select (select count(*) from made), count(*) filter (where not g.heil),
    coalesce(array_agg(g.nr order by g.nr) filter (where public.st_isempty(g.flaeche) or g.ha <= 0), '{}')
  into neu, bereinigt, leer
  from gross g;
end $$;
select rights.define('forest.store_bestand_rows(bigint, jsonb)');
grant execute on function forest.store_bestand_rows(bigint, jsonb) to nutzer;

-- Definer: as above. Adds species, each to the stand with its address. Species without such a stand are left
-- out; the caller notices by the returned number.
create or replace function forest.store_baumart_rows(import_id bigint, given jsonb)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  run app.bestand_import := forest.bestand_run(store_baumart_rows.import_id);
  made integer;
begin
  insert into app.baumarten (
    bestand_id, "idHQ", client_id, "sLVL01", "sLVL02", "sLVL03", "sLVL04", "sLVL05", "iSTAND", schicht,
    baumart, anteil, flaeche_ha, "alter", ertragsklasse, vorrat, bemerkung
  )
  select b.id, b."idHQ", b.client_id, b."sLVL01", b."sLVL02", b."sLVL03", b."sLVL04", b."sLVL05", b."iSTAND",
    z.schicht, z.baumart, z.anteil, z.flaeche_ha, z."alter", z.ertragsklasse, z.vorrat, z.bemerkung
  from jsonb_to_recordset(given) as z(
    nr integer, "sLVL01" text, "sLVL02" text, "sLVL03" text, "sLVL04" text, "sLVL05" text, "iSTAND" integer,
    schicht text, baumart text, anteil numeric, flaeche_ha numeric, "alter" integer, ertragsklasse text,
    vorrat numeric, bemerkung text
  )
    join app.bestand b on b."idHQ" = run."idHQ"
      and coalesce(b."sLVL01", '') = coalesce(z."sLVL01", '')
      and coalesce(b."sLVL02", '') = coalesce(z."sLVL02", '')
      and coalesce(b."sLVL03", '') = coalesce(z."sLVL03", '')
      and coalesce(b."sLVL04", '') = coalesce(z."sLVL04", '')
      and coalesce(b."sLVL05", '') = coalesce(z."sLVL05", '')
      and coalesce(b."iSTAND", -1) = coalesce(z."iSTAND", -1)
  order by z.nr;
  get diagnostics made = row_count;
  return made;
end $$;
select rights.define('forest.store_baumart_rows(bigint, jsonb)');
grant execute on function forest.store_baumart_rows(bigint, jsonb) to nutzer;

-- Definer: removing a customer (privacy.sql) needs no other right on these tables.
grant delete on app.bestand_import to forst_definer;
create or replace function forest.remove_bestand(client_id bigint)
  returns void language sql set search_path = pg_catalog as $$
  delete from app.grenzvorschlag g where g.client_id = remove_bestand.client_id;
  delete from app.bestand b where b.client_id = remove_bestand.client_id;
  delete from app.bestand_import i where i.client_id = remove_bestand.client_id;
$$;
select rights.define('forest.remove_bestand(bigint)');
