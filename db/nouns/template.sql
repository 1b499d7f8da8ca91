-- Templates of positions and text blocks of letters; only for apus_admin. Documents copy them, so changing or
-- deleting a template changes no document.

select rights.protect('app.positionsvorlage');
grant select, delete, insert (gruppe, bez, einheit, ep, ust_satz, erl_titel, erl, erl_on, archiviert),
  update (gruppe, bez, einheit, ep, ust_satz, erl_titel, erl, erl_on, archiviert) on app.positionsvorlage
  to nutzer;
create policy apus_admin on app.positionsvorlage to nutzer
  using ((select rights.has_role('apus_admin')))
  with check ((select rights.has_role('apus_admin')));
select history.watch('app.positionsvorlage', 'id', true);

select rights.protect('app.freitext');
grant select, delete, insert (art, titel, text, archiviert),
  update (art, titel, text, archiviert) on app.freitext to nutzer;
create policy apus_admin on app.freitext to nutzer
  using ((select rights.has_role('apus_admin')))
  with check ((select rights.has_role('apus_admin')));
select history.watch('app.freitext', 'id', true);

create policy vorlage on app.verlauf for select to nutzer
  using (tabelle in ('positionsvorlage', 'freitext') and (select rights.has_role('apus_admin')));
-- As with forecasts: hidden from the forest half's admins.
create policy vorlage_allein on app.verlauf as restrictive for select to nutzer
  using (tabelle not in ('positionsvorlage', 'freitext') or (select rights.has_role('apus_admin')));

-- Whether every brace belongs to a known placeholder. domain/placeholders.ts has the same rule; both are
-- tested with domain/placeholders.cases.json.
create or replace function books.are_placeholders_known(text text)
  returns boolean language sql immutable strict parallel safe set search_path = pg_catalog
  return regexp_replace(text, '\{(name|nummer|datum|faellig|betrag)\}', '', 'g') !~ '[{}]';
grant execute on function books.are_placeholders_known(text) to nutzer, forst_definer;

-- By group and name. Archived ones only on request, so that no list of suggestions contains them.
create or replace function app.a_get_position_tmpl(mit_archiv boolean default false)
  returns table (
    id bigint, gruppe text, bez text, einheit text, ep text, ust_satz text, erl_titel text, erl text,
    erl_on boolean, archiviert boolean, version integer, geaendert_am timestamptz, geaendert_von text
  ) language sql stable set search_path = pg_catalog as $$
  select v.id, v.gruppe, v.bez, v.einheit, v.ep::text, v.ust_satz::text, v.erl_titel, v.erl, v.erl_on,
    v.archiviert, v.version, v.geaendert_am, v.geaendert_von
  from app.positionsvorlage v
  where mit_archiv or not v.archiviert
  order by search.sort_key(coalesce(v.gruppe, '')), search.sort_key(v.bez), v.id
$$;
grant execute on function app.a_get_position_tmpl(boolean) to nutzer;

create or replace function app.a_get_all_freitexte(mit_archiv boolean default false)
  returns table (
    id bigint, art text, titel text, text text, archiviert boolean, version integer, geaendert_am timestamptz,
    geaendert_von text
  ) language sql stable set search_path = pg_catalog as $$
  select f.id, f.art, f.titel, f.text, f.archiviert, f.version, f.geaendert_am, f.geaendert_von
  from app.freitext f
  where mit_archiv or not f.archiviert
  order by f.art, search.sort_key(f.titel), f.id
$$;
grant execute on function app.a_get_all_freitexte(boolean) to nutzer;

-- Creates one if `id` is null, otherwise replaces the whole row. Returns its number.
create or replace function app.a_save_position_tmpl(
  bez text, einheit text, ep numeric, id bigint default null, gruppe text default null,
  ust_satz numeric default null, erl_titel text default '', erl text default '', erl_on boolean default true,
  archiviert boolean default false, version integer default null
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  me app.positionsvorlage;
  entry app.positionsvorlage;
begin
  if id is not null then
    select v.* into me
    from app.positionsvorlage v
    where v.id = a_save_position_tmpl.id for update;
    perform rights.refuse_unless(me.id is not null);
    perform checks.check_version(a_save_position_tmpl.version, me.version);
  end if;
  entry.gruppe := nullif(btrim(gruppe), '');
  entry.bez := btrim(bez);
  entry.einheit := btrim(einheit);
  entry.erl_titel := btrim(coalesce(erl_titel, ''));
  entry.erl := coalesce(erl, '');
  perform checks.check_value(coalesce(entry.bez, '') <> '', 'bez', 'fehlt'),
    checks.check_value(coalesce(entry.einheit, '') <> '', 'einheit', 'fehlt'),
    checks.check_value(ep is not null, 'ep', 'fehlt');
  perform checks.check_value(entry.gruppe is null or checks.is_line(entry.gruppe, 60), 'gruppe', 'zeile_60');
  perform checks.check_value(checks.is_line(entry.bez, 200), 'bez', 'zeile_200');
  perform checks.check_value(checks.is_line(entry.einheit, 20), 'einheit', 'zeile_20');
  perform checks.check_value(abs(ep) < 10000000000, 'ep', 'betrag_gross');
  perform checks.check_value(ep = round(ep, 4), 'ep', 'preis_stellen');
  perform checks.check_value(
    ust_satz is null or (ust_satz between 0 and 99 and ust_satz = round(ust_satz, 2)), 'ust_satz', 'ust_satz'
  );
  perform checks.check_value(
    entry.erl_titel = '' or checks.is_line(entry.erl_titel, 200), 'erl_titel', 'zeile_200'
  );
  perform checks.check_value(
    char_length(entry.erl) <= 4000 and entry.erl !~ '[\x01-\x08\x0b-\x1f\x7f]', 'erl', 'text_4000'
  );
  if not coalesce(archiviert, false)
    and exists (
      select from app.positionsvorlage v
      where not v.archiviert
        and lower(v.bez) = lower(entry.bez)
        and lower(coalesce(v.gruppe, '')) = lower(coalesce(entry.gruppe, ''))
        and v.id is distinct from me.id
    )
  then
    raise sqlstate 'PT409'
      using message = 'column "bez": there is one of this name in the group', column = 'bez',
        hint = 'vorlage_vorhanden';
  end if;
  if me.id is null then
    insert into app.positionsvorlage as v (
      gruppe, bez, einheit, ep, ust_satz, erl_titel, erl, erl_on, archiviert
    )
    values (
      entry.gruppe, entry.bez, entry.einheit, a_save_position_tmpl.ep, a_save_position_tmpl.ust_satz,
      entry.erl_titel, entry.erl, coalesce(a_save_position_tmpl.erl_on, true),
      coalesce(a_save_position_tmpl.archiviert, false)
    )
    returning v.id into me.id;
  else
    update app.positionsvorlage v set
      gruppe = entry.gruppe, bez = entry.bez, einheit = entry.einheit, ep = a_save_position_tmpl.ep,
      ust_satz = a_save_position_tmpl.ust_satz, erl_titel = entry.erl_titel, erl = entry.erl,
      erl_on = coalesce(a_save_position_tmpl.erl_on, true),
      archiviert = coalesce(a_save_position_tmpl.archiviert, false)
    where v.id = me.id;
  end if;
  return me.id;
end $$;
grant execute on function app.a_save_position_tmpl(
  text, text, numeric, bigint, text, numeric, text, text, boolean, boolean, integer
) to nutzer;

create or replace function app.a_delete_position_tmpl(id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  delete from app.positionsvorlage v where v.id = a_delete_position_tmpl.id;
  perform rights.refuse_unless(found);
end $$;
grant execute on function app.a_delete_position_tmpl(bigint) to nutzer;

create or replace function app.a_save_freitext(
  art text, titel text, text text, id bigint default null, archiviert boolean default false,
  version integer default null
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  me app.freitext;
  name text := btrim(titel);
begin
  if id is not null then
    select f.* into me from app.freitext f where f.id = a_save_freitext.id for update;
    perform rights.refuse_unless(me.id is not null);
    perform checks.check_version(a_save_freitext.version, me.version);
  end if;
  perform checks.check_value(
    art in ('anrede', 'anschreiben', 'zuerl', 'mail', 'mahnung'), 'art', 'freitext_art'
  );
  perform checks.check_value(coalesce(name, '') <> '', 'titel', 'fehlt'),
    checks.check_value(coalesce(btrim(a_save_freitext.text), '') <> '', 'text', 'fehlt');
  perform checks.check_value(checks.is_line(name, 100), 'titel', 'zeile_100');
  perform checks.check_value(
    char_length(a_save_freitext.text) <= 6000 and a_save_freitext.text !~ '[\x01-\x08\x0b-\x1f\x7f]', 'text',
    'text_6000'
  );
  perform checks.check_value(books.are_placeholders_known(a_save_freitext.text), 'text', 'platzhalter');
  if not coalesce(archiviert, false)
    and exists (
      select from app.freitext f
      where not f.archiviert
        and f.art = a_save_freitext.art
        and lower(f.titel) = lower(name)
        and f.id is distinct from me.id
    )
  then
    raise sqlstate 'PT409'
      using message = 'column "titel": there is one of this title', column = 'titel',
        hint = 'freitext_vorhanden';
  end if;
  if me.id is null then
    insert into app.freitext as f (art, titel, text, archiviert)
    values (a_save_freitext.art, name, a_save_freitext.text, coalesce(a_save_freitext.archiviert, false))
    returning f.id into me.id;
  else
    update app.freitext f set
      art = a_save_freitext.art, titel = name, text = a_save_freitext.text,
      archiviert = coalesce(a_save_freitext.archiviert, false)
    where f.id = me.id;
  end if;
  return me.id;
end $$;
grant execute on function app.a_save_freitext(text, text, text, bigint, boolean, integer) to nutzer;

create or replace function app.a_delete_freitext(id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  delete from app.freitext f where f.id = a_delete_freitext.id;
  perform rights.refuse_unless(found);
end $$;
grant execute on function app.a_delete_freitext(bigint) to nutzer;
