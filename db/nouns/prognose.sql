-- Forecasts of money in and out, with their history; only for apus_admin.

select rights.protect('app.prognose');
grant select, delete, insert (datum, betrag, art, kategorie, bemerkung),
  update (datum, betrag, art, kategorie, bemerkung) on app.prognose to nutzer;
create policy apus_admin on app.prognose to nutzer
  using ((select rights.has_role('apus_admin')))
  with check ((select rights.has_role('apus_admin')));
select history.watch('app.prognose', 'id', true);
create policy prognose on app.verlauf for select to nutzer
  using (tabelle = 'prognose' and (select rights.has_role('apus_admin')));
-- The forest half's admins read the history of everything else, but not of the provider's books.
create policy prognose_allein on app.verlauf as restrictive for select to nutzer
  using (tabelle <> 'prognose' or (select rights.has_role('apus_admin')));

create or replace function books.check_prognose(
  datum date, betrag numeric, art text, kategorie text, bemerkung text
) returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  perform checks.check_value(datum is not null, 'datum', 'fehlt'),
    checks.check_value(betrag is not null, 'betrag', 'fehlt');
  perform checks.check_value(datum between '2000-01-01' and '2100-12-31', 'datum', 'datum_bereich');
  perform checks.check_value(betrag > 0, 'betrag', 'betrag_positiv');
  perform checks.check_value(betrag < 1000000000000, 'betrag', 'betrag_gross');
  perform checks.check_value(betrag = round(betrag, 2), 'betrag', 'betrag_stellen');
  perform checks.check_value(art in ('Einnahme', 'Ausgabe'), 'art', 'prognose_art');
  perform checks.check_value(kategorie is null or checks.is_line(kategorie, 60), 'kategorie', 'zeile_60');
  perform checks.check_value(bemerkung is null or checks.is_line(bemerkung, 500), 'bemerkung', 'zeile_500');
end $$;
grant execute on function books.check_prognose(date, numeric, text, text, text) to nutzer;

-- All of them by day. Amounts are text, because a JSON number would become a binary float.
create or replace function app.a_get_prognose()
  returns table (
    id bigint, datum date, betrag text, art text, kategorie text, bemerkung text, version integer,
    geaendert_am timestamptz, geaendert_von text
  ) language sql stable set search_path = pg_catalog as $$
  select p.id, p.datum, p.betrag::text, p.art, p.kategorie, p.bemerkung, p.version, p.geaendert_am,
    p.geaendert_von
  from app.prognose p
  order by p.datum, p.id
$$;
grant execute on function app.a_get_prognose() to nutzer;

create or replace function app.a_insert_prognose(
  datum date, betrag numeric, art text, kategorie text default null, bemerkung text default null
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  made bigint;
  group_name text := nullif(btrim(kategorie), '');
  remark text := nullif(btrim(bemerkung), '');
begin
  perform books.check_prognose(datum, betrag, art, group_name, remark);
  insert into app.prognose as p (datum, betrag, art, kategorie, bemerkung)
  values (a_insert_prognose.datum, a_insert_prognose.betrag, a_insert_prognose.art, group_name, remark)
  returning p.id into made;
  return made;
end $$;
grant execute on function app.a_insert_prognose(date, numeric, text, text, text) to nutzer;

-- The calls in the specification send neither category nor remark: what is not sent stays; an empty text
-- clears it. Returns the new version.
create or replace function app.a_update_prognose(
  id bigint, datum date, betrag numeric, art text, kategorie text default null, bemerkung text default null,
  version integer default null
) returns integer language plpgsql set search_path = pg_catalog as $$
declare
  entry app.prognose;
  group_name text;
  remark text;
  now_version integer;
begin
  select p.* into entry from app.prognose p where p.id = a_update_prognose.id for update;
  perform rights.refuse_unless(entry.id is not null);
  perform checks.check_version(a_update_prognose.version, entry.version);
  group_name := case when kategorie is null then entry.kategorie else nullif(btrim(kategorie), '') end;
  remark := case when bemerkung is null then entry.bemerkung else nullif(btrim(bemerkung), '') end;
  perform books.check_prognose(datum, betrag, art, group_name, remark);
  update app.prognose p set
    datum = a_update_prognose.datum, betrag = a_update_prognose.betrag, art = a_update_prognose.art,
    kategorie = group_name, bemerkung = remark
  where p.id = entry.id
  returning p.version into now_version;
  return now_version;
end $$;
grant execute on function app.a_update_prognose(bigint, date, numeric, text, text, text, integer) to nutzer;

create or replace function app.a_delete_prognose(prognose_id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  delete from app.prognose p where p.id = prognose_id;
  perform rights.refuse_unless(found);
end $$;
grant execute on function app.a_delete_prognose(bigint) to nutzer;
