-- Borders of stands walked in the forest. An ogf_admin captures them (field mode) and applies or refuses them
-- in the office; ogf_team reads them, as it reads the stands. Nobody writes the table: the functions below
-- do.
select rights.protect('app.grenzvorschlag');
grant select on app.grenzvorschlag to nutzer;
grant select, insert, update, delete on app.grenzvorschlag to forst_definer;
create policy staff on app.grenzvorschlag for select to nutzer
  using ((select rights.has_any('ogf_admin', 'ogf_team')));
grant update (geom, flaeche_ha) on app.bestand to forst_definer;

-- Whether a border is the same as somebody saw it.
create or replace function forest.border_digest(border public.geometry)
  returns text language sql immutable parallel safe set search_path = pg_catalog
  return md5(public.st_asbinary(border, 'NDR'));
grant execute on function forest.border_digest(public.geometry) to nutzer, forst_definer;

-- What an ogf_admin's device takes along of a headquarters: each border to the millimetre, so that a walked
-- one shares its corners, with its digest. For others nothing: they capture none.
create or replace function app.a_get_bestand_grenzen(hq_id bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select coalesce(jsonb_agg(
    jsonb_build_array(
      b.id, forest.border_digest(b.geom), public.st_asgeojson(b.geom, 8, 0)::jsonb -> 'coordinates'
    ) order by b.id
  ), '[]')
  from app.bestand b
  where b."idHQ" = hq_id and (select rights.has_role('ogf_admin'))
$$;
grant execute on function app.a_get_bestand_grenzen(bigint) to nutzer;

-- The track and the ring that a device sends.
create or replace function forest.check_track(spur text)
  returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  perform checks.check_value(char_length(spur) between 1 and 1000000, 'spur', 'grenze_spur');
  perform checks.check_value(
    (
      select count(*) <= 10000
        and bool_and(
          p ~ (
            '^\d{1,2}\.\d{8} \d{2}\.\d{8} (spur|punkt|karte) (-|\d{1,3}(\.\d{1,4})?) '
            || '(-|estimated|gnss|pps|dgps|rtk_float|rtk_fixed) [01] (-|\d{1,11})$'
          )
        )
      from string_to_table(spur, ';') p
    ),
    'spur', 'grenze_spur'
  );
end $$;
grant execute on function forest.check_track(text) to forst_definer;
create or replace function forest.border_geometry(said text)
  returns public.geometry language plpgsql immutable set search_path = pg_catalog as $$
declare
  pair constant text := '\d{1,2}(\.\d{1,12})? \d{2}(\.\d{1,12})?';
  given public.geometry;
  whole public.geometry;
begin
  perform checks.check_value(said is not null and char_length(said) <= 200000, 'lage', 'grenze_ecken');
  perform checks.check_value(said ~ ('^' || pair || '(,' || pair || '){2,}$'), 'lage', 'grenze_wenig');
  given := public.st_geomfromtext('POLYGON((' || said || ',' || split_part(said, ',', 1) || '))', 4326);
  perform checks.check_value(
    public.st_xmin(given) >= 3
      and public.st_xmax(given) <= 18
      and public.st_ymin(given) >= 45
      and public.st_ymax(given) <= 57,
    'lage', 'grenze_lage'
  );
  if public.st_isvalid(given) then return given; end if;
  -- A touch within the last digits is no crossing: the largest part is all of it but for a few square metres.
  select p.geom into whole
  from public.st_dump(public.st_collectionextract(public.st_makevalid(given), 3)) p
  order by public.st_area(p.geom) desc limit 1;
  perform checks.check_value(
    whole is not null
      and public.st_area(whole) >= 0.999 * (
        select sum(public.st_area(p.geom))
        from public.st_dump(public.st_collectionextract(public.st_makevalid(given), 3)) p
      ),
    'lage', 'grenze_kreuzt'
  );
  return whole;
end $$;
grant execute on function forest.border_geometry(text) to forst_definer;
create or replace function forest.border_ha(border public.geometry)
  returns numeric language sql immutable set search_path = pg_catalog
  return round((public.st_area(border::public.geography) / 10000)::numeric, 4);
grant execute on function forest.border_ha(public.geometry) to nutzer, forst_definer;

-- A row as devices get it back.
create or replace function forest.border_json(proposal app.grenzvorschlag)
  returns jsonb language sql stable set search_path = pg_catalog
  return to_jsonb(proposal) - '{geom,spur,digest,vorher,danach}'::text[];
grant execute on function forest.border_json(app.grenzvorschlag) to nutzer, forst_definer;

-- Definer: nobody writes the table. Takes one proposal from a device of an ogf_admin; the same one again is
-- recognized.
create or replace function forest.receive_border(capture jsonb)
  returns jsonb language plpgsql set search_path = pg_catalog as $$
declare
  stem uuid := (capture ->> 'kennung')::uuid;
  sent constant bytea := sha256(convert_to(capture::text, 'UTF8'));
  given app.grenzvorschlag;
  there app.grenzvorschlag;
  owner app.hq;
  strange text;
  outcome text := 'unveraendert';
begin
  perform rights.refuse_unless(rights.has_role('ogf_admin'));
  select min(key) into strange
  from jsonb_object_keys(capture) key
  where key <> all (
    '{kennung,version,tabelle,idHQ,bestand_id,fassung,sLVL01,sLVL02,sLVL03,sLVL04,sLVL05,iSTAND,lage,spur,
      toleranz_m,bemerkung,erfasst_am}'::text[]
  );
  perform checks.check_value(stem is not null, 'kennung', 'fehlt'),
    checks.check_value(strange is null, coalesce(strange, ''), 'unbekanntes_feld');
  select h.* into owner from app.hq h where h."idHQ" = (capture ->> 'idHQ')::bigint;
  perform rights.check_found(owner."idHQ" is not null);
  select g.* into there from app.grenzvorschlag g where g.kennung = stem;
  if not found then
    given := jsonb_populate_record(null::app.grenzvorschlag, capture - '{version,tabelle,lage}'::text[]);
    perform
      checks.check_value(
        coalesce(
          given."sLVL01", given."sLVL02", given."sLVL03", given."sLVL04", given."sLVL05", given."iSTAND"::text
        ) is not null,
        'adresse', 'grenze_adresse'
      ),
      checks.check_value(given.erfasst_am is not null, 'erfasst_am', 'fehlt'),
      checks.check_value(given.toleranz_m between 0 and 100, 'toleranz_m', 'grenze_toleranz'),
      checks.check_value((given.bestand_id is null) or given.fassung is not null, 'fassung', 'fehlt'),
      checks.check_value(checks.is_text(given.bemerkung, 2000), 'bemerkung', 'grenze_bemerkung'),
      forest.check_track(given.spur);
    given.geom := forest.border_geometry(capture ->> 'lage');
    given.flaeche_ha := forest.border_ha(given.geom);
    perform checks.check_value(given.flaeche_ha >= 0.001, 'lage', 'grenze_klein'),
      checks.check_value(given.flaeche_ha <= 10000, 'lage', 'grenze_gross');
    insert into app.grenzvorschlag (
      kennung, "idHQ", client_id, bestand_id, "sLVL01", "sLVL02", "sLVL03", "sLVL04", "sLVL05", "iSTAND",
      fassung, geom, flaeche_ha, spur, punkte, genauigkeit_m, genauigkeit_max_m, toleranz_m, bemerkung,
      erfasst_am, user_id, wer, digest
    )
    select stem, owner."idHQ", owner.client_id, given.bestand_id, given."sLVL01", given."sLVL02",
      given."sLVL03", given."sLVL04", given."sLVL05", given."iSTAND", given.fassung, given.geom,
      given.flaeche_ha, given.spur, q.punkte, q.im_mittel, q.hoechstens, given.toleranz_m, given.bemerkung,
      given.erfasst_am, rights.user_id(), rights.caller_name(), sent
    from (
      select count(*) as punkte, avg(a.m) as im_mittel, max(a.m) as hoechstens
      from string_to_table(given.spur, ';') p
        cross join lateral (
          select case
            when split_part(p, ' ', 4) <> '-' then greatest(split_part(p, ' ', 4)::numeric, 0.001)
          end as m
        ) a
    ) q
    on conflict on constraint grenzvorschlag_kennung do nothing;
    if found then outcome := 'angelegt'; end if;
    select g.* into there from app.grenzvorschlag g where g.kennung = stem;
  end if;
  if there.digest <> sent then
    raise sqlstate 'PT409' using message = 'taken', hint = 'grenze_kennung_vergeben';
  end if;
  return jsonb_build_object(
    'kennung', stem, 'ergebnis', outcome, 'objekt', forest.border_json(there), 'regel', null, 'feld', null
  );
end $$;
select rights.define('forest.receive_border(jsonb)');
grant execute on function forest.receive_border(jsonb) to nutzer;

-- Proposals from a device, answered in the same order; a refused one does not stop the others.
create or replace function app.a_sync_grenzvorschlaege(erfassungen jsonb)
  returns jsonb language plpgsql set search_path = pg_catalog as $$
declare
  capture jsonb;
  answers jsonb[] := '{}';
  rule text;
  field text;
  state text;
  said text;
begin
  perform checks.check_value(
    jsonb_typeof(erfassungen) = 'array' and jsonb_array_length(erfassungen) between 0 and 20, 'erfassungen',
    'grenze_erfassungen'
  );
  for capture in select jsonb_array_elements(erfassungen) loop
    begin
      perform checks.check_value(jsonb_typeof(capture) = 'object', 'erfassungen', 'grenze_erfassungen');
      answers := answers || forest.receive_border(capture);
    exception
      when check_violation or insufficient_privilege or unique_violation or not_null_violation
        or data_exception or sqlstate 'PT403' or sqlstate 'PT404' or sqlstate 'PT409'
      then
        get stacked diagnostics rule = pg_exception_hint, field = column_name, state = returned_sqlstate,
          said = message_text;
        answers := answers || (
          checks.refused_capture(capture, 'grenze', 'grenze_kennung_vergeben', rule, field, state, said)
          || '{"objekt": null}'
        );
    end;
  end loop;
  return to_jsonb(answers);
end $$;
grant execute on function app.a_sync_grenzvorschlaege(jsonb) to nutzer;

-- The stand that a proposal is about: by its number, or by its address where an import has renumbered.
-- Null: a new stand, or one that is there no more.
create or replace function forest.border_target(proposal app.grenzvorschlag)
  returns bigint language sql stable set search_path = pg_catalog as $$
  select b.id
  from app.bestand b
  where b."idHQ" = proposal."idHQ"
    and proposal.bestand_id is not null
    and (
      b.id = proposal.bestand_id
      or (
        (b."sLVL01", b."sLVL02", b."sLVL03", b."sLVL04", b."sLVL05", b."iSTAND") is not distinct from (
          proposal."sLVL01", proposal."sLVL02", proposal."sLVL03", proposal."sLVL04", proposal."sLVL05",
          proposal."iSTAND"
        )
        and not exists (select from app.bestand o where o.id = proposal.bestand_id)
      )
    ) limit 1
$$;
grant execute on function forest.border_target(app.grenzvorschlag) to nutzer, forst_definer;

-- The newest 500 of a headquarters, those that wait first. Empty for callers who may not read them.
create or replace function app.a_get_grenzvorschlaege(hq_id bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select coalesce(jsonb_agg(x.one order by x.entschieden, x.id desc), '[]')
  from (
    select g.id, g.stand <> 'offen' as entschieden,
      forest.border_json(g) || jsonb_build_object(
        'ziel_ha', b.flaeche_ha, 'ziel_id', b.id,
        'geaendert', g.bestand_id is not null
          and g.stand = 'offen'
          and g.fassung is distinct from forest.border_digest(b.geom)
      ) as one
    from app.grenzvorschlag g left join app.bestand b on b.id = forest.border_target(g)
    where g."idHQ" = hq_id
    order by g.stand <> 'offen', g.id desc limit 500
  ) x
$$;
grant execute on function app.a_get_grenzvorschlaege(bigint) to nutzer;

-- For a map in web mercator; null for nothing.
create or replace function forest.drawn_border(border public.geometry)
  returns jsonb language sql stable set search_path = pg_catalog
  return case
    when public.st_isempty(border) then null
    else public.st_asgeojson(public.st_multi(public.st_transform(border, 3857)), 2, 0)::jsonb -> 'coordinates'
  end;
grant execute on function forest.drawn_border(public.geometry) to nutzer;

-- What applying one would mean: the border as it is and as proposed; which neighbours it overlaps, by how
-- much; narrow gaps between them (up to four metres), and what would belong to no stand any more. Parts below
-- a square metre come from rounding.
create or replace function app.a_get_grenzvorschlag(vorschlag_id bigint)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare
  g app.grenzvorschlag;
  target app.bestand;
  zone integer;
  fresh public.geometry;
  old public.geometry;
  around public.geometry;
  every public.geometry;
  gaps public.geometry;
  bare public.geometry;
  shared public.geometry;
  others jsonb := '[]';
begin
  select v.* into g from app.grenzvorschlag v where v.id = vorschlag_id;
  perform rights.check_found(g.id is not null);
  select b.* into target from app.bestand b where b.id = forest.border_target(g);
  zone := case when public.st_x(public.st_centroid(g.geom)) < 12 then 25832 else 25833 end;
  fresh := public.st_transform(coalesce(g.danach, public.st_multi(g.geom)), zone);
  old := public.st_transform(case when g.stand = 'uebernommen' then g.vorher else target.geom end, zone);
  if g.stand = 'offen' then
    select public.st_union(public.st_transform(b.geom, zone)) into around
    from app.bestand b
    where b."idHQ" = g."idHQ"
      and b.id is distinct from target.id
      and b.geom operator(public.&&) public.st_expand(g.geom, 0.0005);
    select coalesce(jsonb_agg(
      jsonb_build_object('id', o.id, 'l', o.l, 's', o.s, 'ha', round((o.m2 / 10000)::numeric, 4))
      order by o.m2 desc
    ), '[]') into others
    from (
      select b.id, jsonb_build_array(b."sLVL01", b."sLVL02", b."sLVL03", b."sLVL04", b."sLVL05") as l,
        b."iSTAND" as s,
        public.st_area(public.st_intersection(public.st_transform(b.geom, zone), fresh)) as m2
      from app.bestand b
      where b."idHQ" = g."idHQ" and b.id is distinct from target.id and b.geom operator(public.&&) g.geom
    ) o
    where o.m2 >= 1;
    select public.st_collect(p.geom) into shared
    from public.st_dump(public.st_intersection(fresh, around)) p
    where public.st_area(p.geom) >= 1;
    every := coalesce(public.st_union(fresh, around), fresh);
    select public.st_collect(p.geom) into gaps
    from public.st_dump(public.st_difference(
      public.st_buffer(public.st_buffer(every, 2, 'join=mitre'), -2, 'join=mitre'),
      public.st_buffer(every, 0.001, 'join=mitre')
    )) p
    where public.st_area(p.geom) >= 1 and public.st_dwithin(p.geom, fresh, 0.1);
    select public.st_collect(p.geom) into bare
    from public.st_dump(public.st_difference(old, every)) p
    where public.st_area(p.geom) >= 1;
  end if;
  return forest.border_json(g) || jsonb_build_object(
    'ziel_id', target.id, 'ziel_ha', target.flaeche_ha, 'ziel_fassung', forest.border_digest(target.geom),
    'geaendert', g.bestand_id is not null
      and g.stand = 'offen'
      and g.fassung is distinct from forest.border_digest(target.geom),
    'spur', g.spur, 'neu', forest.drawn_border(fresh), 'alt', forest.drawn_border(old), 'nachbarn', others,
    'ueberlappung', forest.drawn_border(public.st_collectionextract(shared, 3)),
    'luecken', forest.drawn_border(public.st_collectionextract(gaps, 3)),
    'luecken_ha', round((coalesce(public.st_area(gaps), 0) / 10000)::numeric, 4),
    'frei', forest.drawn_border(public.st_collectionextract(bare, 3)),
    'frei_ha', round((coalesce(public.st_area(bare), 0) / 10000)::numeric, 4)
  );
end $$;
grant execute on function app.a_get_grenzvorschlag(bigint) to nutzer;

-- The proposal that an ogf_admin decides on, locked.
create or replace function forest.open_border(vorschlag_id bigint, version integer)
  returns app.grenzvorschlag language plpgsql set search_path = pg_catalog as $$
declare g app.grenzvorschlag;
begin
  if rights.has_role('ogf_admin') then
    select v.* into g from app.grenzvorschlag v where v.id = vorschlag_id for update;
  end if;
  perform rights.check_found(g.id is not null), checks.check_version(open_border.version, g.version),
    checks.check_value(g.stand = 'offen', 'stand', 'grenze_entschieden');
  return g;
end $$;
grant execute on function forest.open_border(bigint, integer) to forst_definer;

-- Definer: nobody writes stands. `fassung`: the digest of the border that was shown as the present one, so
-- that nobody overwrites one they have not seen. `zuschneiden`: what overlaps neighbours is cut off.
-- `adresse`: of a new stand, if it is to have another one than was captured: [level 1 to 5, number].
create or replace function app.a_apply_grenzvorschlag(
  vorschlag_id bigint, version integer, fassung text, zuschneiden boolean, adresse jsonb default null
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  g app.grenzvorschlag := forest.open_border(vorschlag_id, a_apply_grenzvorschlag.version);
  target app.bestand;
  border public.geometry := public.st_multi(g.geom);
  ha numeric;
  number bigint;
begin
  select b.* into target from app.bestand b where b.id = forest.border_target(g) for update;
  if g.bestand_id is not null then
    if target.id is null then
      raise sqlstate 'PT409' using message = 'the stand is gone', hint = 'grenze_bestand_fehlt';
    end if;
    if a_apply_grenzvorschlag.fassung is distinct from forest.border_digest(target.geom) then
      raise sqlstate 'PT409' using message = 'changed meanwhile', hint = 'changed_meanwhile';
    end if;
  end if;
  if zuschneiden then
    border := coalesce(public.st_multi(public.st_collectionextract(public.st_difference(g.geom, (
      select public.st_union(b.geom)
      from app.bestand b
      where b."idHQ" = g."idHQ" and b.id is distinct from target.id and b.geom operator(public.&&) g.geom
    )), 3)), border);
  end if;
  ha := forest.border_ha(border);
  perform checks.check_value(not public.st_isempty(border) and ha >= 0.001, 'lage', 'grenze_klein');
  if g.bestand_id is null then
    if jsonb_typeof(adresse) = 'array' then
      perform checks.check_value(jsonb_array_length(adresse) = 6, 'adresse', 'grenze_adresse');
      g."sLVL01" := nullif(btrim(adresse ->> 0), '');
      g."sLVL02" := nullif(btrim(adresse ->> 1), '');
      g."sLVL03" := nullif(btrim(adresse ->> 2), '');
      g."sLVL04" := nullif(btrim(adresse ->> 3), '');
      g."sLVL05" := nullif(btrim(adresse ->> 4), '');
      g."iSTAND" := (adresse ->> 5)::integer;
      perform checks.check_value(
        coalesce(g."sLVL01", g."sLVL02", g."sLVL03", g."sLVL04", g."sLVL05", g."iSTAND"::text) is not null,
        'adresse', 'grenze_adresse'
      );
    end if;
    begin
      insert into app.bestand (
        "idHQ", client_id, "sLVL01", "sLVL02", "sLVL03", "sLVL04", "sLVL05", "iSTAND", geom, flaeche_ha,
        bemerkung
      )
      values (
        g."idHQ", g.client_id, g."sLVL01", g."sLVL02", g."sLVL03", g."sLVL04", g."sLVL05", g."iSTAND", border,
        ha, g.bemerkung
      )
      returning id into number;
    exception
      when unique_violation then
        perform checks.refuse_field('adresse', 'grenze_adresse_vergeben', 'grenze_adresse_vergeben');
    end;
  else
    number := target.id;
    update app.bestand b set geom = border, flaeche_ha = ha where b.id = target.id;
  end if;
  update app.grenzvorschlag v set
    stand = 'uebernommen', bestand_id = number, vorher = target.geom, vorher_ha = target.flaeche_ha,
    danach = border, danach_ha = ha, "sLVL01" = g."sLVL01", "sLVL02" = g."sLVL02", "sLVL03" = g."sLVL03",
    "sLVL04" = g."sLVL04", "sLVL05" = g."sLVL05", "iSTAND" = g."iSTAND", entschieden_am = now(),
    entschieden_user_id = rights.user_id(), entschieden_von = rights.caller_name(), version = v.version + 1
  where v.id = g.id;
  return number;
end $$;
select rights.define('app.a_apply_grenzvorschlag(bigint, integer, text, boolean, jsonb)');
grant execute on function app.a_apply_grenzvorschlag(bigint, integer, text, boolean, jsonb) to nutzer;

-- Definer: as above.
create or replace function app.a_refuse_grenzvorschlag(vorschlag_id bigint, version integer, begruendung text)
  returns void language plpgsql set search_path = pg_catalog as $$
declare g app.grenzvorschlag := forest.open_border(vorschlag_id, a_refuse_grenzvorschlag.version);
begin
  perform checks.check_value(
    btrim(coalesce(a_refuse_grenzvorschlag.begruendung, '')) <> ''
      and checks.is_text(a_refuse_grenzvorschlag.begruendung, 2000),
    'begruendung', 'grenze_begruendung'
  );
  update app.grenzvorschlag v set
    stand = 'abgelehnt', begruendung = btrim(a_refuse_grenzvorschlag.begruendung), entschieden_am = now(),
    entschieden_user_id = rights.user_id(), entschieden_von = rights.caller_name(), version = v.version + 1
  where v.id = g.id;
end $$;
select rights.define('app.a_refuse_grenzvorschlag(bigint, integer, text)');
grant execute on function app.a_refuse_grenzvorschlag(bigint, integer, text) to nutzer;
