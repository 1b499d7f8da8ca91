-- Forest stands and their species. Read: forest staff all; a customer's admin and linked people those of a
-- released headquarters (fb_enabled) by what it has bought: `fe_enabled` every stand, `basis_fe_enabled`
-- alone the sums of the levels (rechte.bestand_summen), else nothing.
-- Written by nobody's own right: the server's import alone calls the functions below, in one transaction, as
-- the ogf_admin who ordered it.

select rechte.protect('app.bestand_import');
grant select, insert ("idHQ", client_id, dateiname, format, groesse, sha256),
  update (stand, werte, bericht, beendet_am), delete on app.bestand_import to nutzer;
grant select, update (wer) on app.bestand_import to forst_definer;
create policy admin on app.bestand_import to nutzer
  using ((select rechte.has_role('ogf_admin')))
  with check ((select rechte.has_role('ogf_admin')));
alter table app.bestand_import alter column user_id set default rechte.user_id();
alter table app.bestand_import alter column wer set default rechte.wer();

-- Definer: switches and links are asked whatever the policies on them say. What the caller sees of a
-- headquarters' stands: 'alles', 'summen', or why nothing: 'nicht_freigegeben', 'kein_modul';
-- null: not the caller's headquarters.
create or replace function rechte.bestand_umfang(hqid bigint)
  returns text language sql stable set search_path = pg_catalog as $$
  select case
    when rechte.has_any('ogf_admin', 'ogf_team') then 'alles'
    when not (h.client_id = any (rechte.kunden_als('kundenadmin')) or h."idHQ" = any (rechte.hqs_als())) then
      null
    when not h.fb_enabled then 'nicht_freigegeben'
    when s.fe_enabled then 'alles'
    when s.basis_fe_enabled then 'summen'
    else 'kein_modul'
  end
  from app.hq h join app.kunde_hq s on s.hqid = h."idHQ"
  where h."idHQ" = bestand_umfang.hqid
$$;
select rechte.define('rechte.bestand_umfang(bigint)');
grant execute on function rechte.bestand_umfang(bigint) to nutzer;
-- Definer, as above: the caller's headquarters of which every stand may be seen; the staff's are in their own
-- policy.
create or replace function rechte.hqs_mit_fe()
  returns bigint[] language plpgsql stable set search_path = pg_catalog as $$
declare
  kunden bigint[] := rechte.kunden_als('kundenadmin');
  linked bigint[] := rechte.hqs_als();
begin
  return array(
    select h."idHQ"
    from app.hq h join app.kunde_hq s on s.hqid = h."idHQ"
    where h.fb_enabled and s.fe_enabled and (h.client_id = any (kunden) or h."idHQ" = any (linked))
  );
end $$;
select rechte.define('rechte.hqs_mit_fe()');
grant execute on function rechte.hqs_mit_fe() to nutzer;

do $$
declare name text;
begin
  foreach name in array '{bestand,baumarten}'::text[] loop
    perform rechte.protect(format('app.%I', name)::regclass);
    execute format('grant select on app.%I to nutzer', name);
    execute format('grant select, insert, delete on app.%I to forst_definer', name);
    execute format(
      $p$create policy staff on app.%I for select to nutzer using ((select rechte.has_any('ogf_admin', 'ogf_team')))$p$,
      name
    );
    execute format(
      $p$create policy module on app.%I for select to nutzer using ("idHQ" = any ((select rechte.hqs_mit_fe())::bigint[]))$p$,
      name
    );
  end loop;
end $$;

-- The names of the levels are the headquarters' own column: its policies and its history hold for them as
-- well.
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
  -- Asked before anything is said of the headquarters; row security decides it once more.
  if not rechte.has_role('ogf_admin') or not exists (select from app.hq h where h."idHQ" = hq_id) then
    raise sqlstate 'PT404' using message = 'not found or not allowed';
  end if;
  perform rechte.check_value(cardinality(names) = 5 and array_to_string(names, '') <> '', 'ebenen', 'ebenen');
  perform rechte.check_stand(
    (select h.version from app.hq h where h."idHQ" = hq_id for update), a_set_hq_ebenen.version
  );
  update app.hq h set ebenen = names where h."idHQ" = hq_id;
end $$;

-- Definer: the stands behind the sums are not the caller's to read. Area and species of the levels 1 to 4 of
-- a headquarters, [[level 1 to 4], hectares, [[species or null, hectares], …]] each; the fifth level, the
-- number, the age and the stock are a stand's own, and how many stands are in a sum is not told. The area of
-- a stand falls to its species as in domain/bestand.ts (flaechenNachGruppe).
create or replace function rechte.bestand_summen(hqid bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  with s as materialized (
    select b.id, jsonb_build_array(b."sLVL01", b."sLVL02", b."sLVL03", b."sLVL04") as l, b.flaeche_ha,
      b.sortadresse
    from app.bestand b
    where b."idHQ" = bestand_summen.hqid
      and (select rechte.bestand_umfang(bestand_summen.hqid)) in ('alles', 'summen')
  ),
  a as (
    select t.bestand_id, t.baumart, t.anteil, t.flaeche_ha, t.haupt, bool_or(t.haupt) over w as hat_haupt
    from (
      select t.bestand_id, t.baumart, t.anteil, t.flaeche_ha,
        t.schicht is null
          or t.schicht
            !~* 'unter|[üÜ]ber|ueber|nachwuchs|verj|jungwuchs|^u$|^ust$|^[üÜ]h$|^nw$|^vj$|^[23]$' as haupt
      from app.baumarten t
      where t."idHQ" = bestand_summen.hqid
    ) t
    window w as (partition by t.bestand_id)
  ),
  g as (
    select a.bestand_id, a.baumart,
      case
        when bool_and(a.flaeche_ha is not null) over w then a.flaeche_ha
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
select rechte.define('rechte.bestand_summen(bigint)');
grant execute on function rechte.bestand_summen(bigint) to nutzer;

-- Everything the page of a headquarters' stands shows but their outlines, in one look and in natural order:
-- short keys, because a large holding has thousands. Who may not read the headquarters finds nothing;
-- `umfang` says what else the caller does not see of it. `arten` of a stand: [layer, species, share, area,
-- age, stock] each.
create or replace function app.a_get_waldbestand(hq_id bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'idHQ', h."idHQ", 'sHQ', h."sHQ", 'ebenen', h.ebenen, 'version', h.version, 'dtFE', h."dtFE",
    'dcFLAEHB', h."dcFLAEHB", 'umfang', u.umfang,
    'summen', case u.umfang when 'summen' then rechte.bestand_summen(hq_id) else '[]' end,
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
  from app.hq h cross join lateral (select rechte.bestand_umfang(h."idHQ") as umfang) u
  where h."idHQ" = hq_id
$$;

-- The outlines in web mercator, to half a metre: what a map draws. [[id, GeoJSON coordinates of a
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
revoke execute on function app.a_set_hq_ebenen(bigint, text[], integer), app.a_get_waldbestand(bigint),
  app.a_get_bestand_umrisse(bigint) from public;
grant execute on function app.a_set_hq_ebenen(bigint, text[], integer), app.a_get_waldbestand(bigint),
  app.a_get_bestand_umrisse(bigint) to nutzer;

-- Import ----------------------------------------------------------------------------------------------------
-- Not published: called by the server in the transaction of an import.

create or replace function rechte.bestand_lauf(import_id bigint)
  returns app.bestand_import language plpgsql stable set search_path = pg_catalog as $$
declare lauf app.bestand_import;
begin
  select i.* into lauf
  from app.bestand_import i
  where i.id = bestand_lauf.import_id and i.stand = 'laeuft';
  perform rechte.refuse_unless(lauf.id is not null and rechte.has_role('ogf_admin'));
  return lauf;
end $$;
revoke execute on function rechte.bestand_lauf(bigint) from public;
grant execute on function rechte.bestand_lauf(bigint) to forst_definer;

-- Definer: nobody may write to the tables by themselves. Takes out the stands that were there; answers how
-- many.
create or replace function rechte.bestand_leeren(import_id bigint)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  lauf app.bestand_import := rechte.bestand_lauf(bestand_leeren.import_id);
  gone integer;
begin
  delete from app.bestand b where b."idHQ" = lauf."idHQ";
  get diagnostics gone = row_count;
  return gone;
end $$;
select rechte.define('rechte.bestand_leeren(bigint)');

-- Definer, as above: puts in stands, [{nr, g: WKB of a polygon or several in EPSG:4326 as hex, …}, …].
-- Outlines that cross themselves are mended; `leer` names those of which nothing is left then.
create or replace function rechte.bestand_zeilen(
  import_id bigint, zeilen jsonb, out neu integer, out bereinigt integer, out leer integer[]
) language plpgsql set search_path = pg_catalog as $$
declare lauf app.bestand_import := rechte.bestand_lauf(bestand_zeilen.import_id);
begin
  with roh as materialized (
    select z.*, public.st_geomfromwkb(decode(z.g, 'hex'), 4326) as form
    from jsonb_to_recordset(zeilen) as z(
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
    select lauf."idHQ", lauf.client_id, lauf.id, g."sLVL01", g."sLVL02", g."sLVL03", g."sLVL04", g."sLVL05",
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
select rechte.define('rechte.bestand_zeilen(bigint, jsonb)');

-- Definer, as above: puts in species, each to the stand of its address; those of no stand are left out, and
-- told by the difference.
create or replace function rechte.baumarten_zeilen(import_id bigint, zeilen jsonb)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  lauf app.bestand_import := rechte.bestand_lauf(baumarten_zeilen.import_id);
  made integer;
begin
  insert into app.baumarten (
    bestand_id, "idHQ", client_id, "sLVL01", "sLVL02", "sLVL03", "sLVL04", "sLVL05", "iSTAND", schicht,
    baumart, anteil, flaeche_ha, "alter", ertragsklasse, vorrat, bemerkung
  )
  select b.id, b."idHQ", b.client_id, b."sLVL01", b."sLVL02", b."sLVL03", b."sLVL04", b."sLVL05", b."iSTAND",
    z.schicht, z.baumart, z.anteil, z.flaeche_ha, z."alter", z.ertragsklasse, z.vorrat, z.bemerkung
  from jsonb_to_recordset(zeilen) as z(
    nr integer, "sLVL01" text, "sLVL02" text, "sLVL03" text, "sLVL04" text, "sLVL05" text, "iSTAND" integer,
    schicht text, baumart text, anteil numeric, flaeche_ha numeric, "alter" integer, ertragsklasse text,
    vorrat numeric, bemerkung text
  )
    join app.bestand b on b."idHQ" = lauf."idHQ"
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
select rechte.define('rechte.baumarten_zeilen(bigint, jsonb)');
grant execute on function rechte.bestand_leeren(bigint), rechte.bestand_zeilen(bigint, jsonb),
  rechte.baumarten_zeilen(bigint, jsonb) to nutzer;

-- Definer, called by those that remove a customer (datenschutz.sql).
grant delete on app.bestand_import to forst_definer;
create or replace function rechte.bestand_entfernen(client_id bigint)
  returns void language sql set search_path = pg_catalog as $$
  delete from app.bestand b where b.client_id = bestand_entfernen.client_id;
  delete from app.bestand_import i where i.client_id = bestand_entfernen.client_id;
$$;
select rechte.define('rechte.bestand_entfernen(bigint)');
