-- History: written only by triggers, read by everybody who may read the record. Changes by operations
-- (forst_betrieb: sample data, restore) are not recorded.

select rights.protect('app.verlauf');
grant insert on app.verlauf to forst_definer;
grant select on app.verlauf to nutzer;

-- Plans and survey are not read by the forest half; karte.sql and vermessung.sql say who reads their history.
-- Left out here, and not taken back by a restrictive policy: people who also belong to a customer would get
-- everybody's by that role.
create policy ogf_admin on app.verlauf for select to nutzer
  using (
    (select rights.has_role('ogf_admin'))
    and tabelle not in (
      'draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf', 'vermessungsbilder', 'kartenblatt',
      'karte_intern'
    )
  );
create policy kunde on app.verlauf for select to nutzer
  using (tabelle = 'kunde' and exists (select from app.kunde k where k.client_id = verlauf.client_id));
create policy hq on app.verlauf for select to nutzer
  using (
    tabelle in ('hq', 'hq_flaeche', 'kunde_hq')
    and exists (select from app.hq h where h."idHQ" = verlauf.hqid)
  );
create policy person on app.verlauf for select to nutzer
  using (tabelle = 'benutzer' and exists (select from app.benutzer b where b.user_id = verlauf.person_id));
-- A link's entries are visible only to callers who may see the people of that customer or headquarters.
create policy link on app.verlauf for select to nutzer
  using (
    (
      tabelle = 'benutzer_kunde'
      and (
        person_id = (select rights.user_id())
        or client_id = any ((select rights.kunden_as('kundenadmin', 'appuser_admin'))::bigint[])
        or (select rights.has_any('apus_admin', 'apus_team', 'ogf_team'))
      )
    )
    or (
      tabelle = 'benutzer_hq'
      and (
        person_id = (select rights.user_id())
        or client_id = any ((select rights.kunden_as('kundenadmin'))::bigint[])
        or hqid = any ((select rights.hqs_as('hq_admin'))::bigint[])
        or (select rights.has_any('apus_admin', 'apus_team', 'ogf_team'))
      )
    )
  );

-- Definer: users may not write the history of their own changes. The first argument names the key columns,
-- separated by commas.
create or replace function history.record_change()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  shown jsonb := coalesce(after, before);
  -- Derived by the database from other columns, or bookkeeping of the change itself.
  me record;
  silent constant text[] := '{version,geaendert_am,geaendert_von,sortname,sortort,suchtext,lage,g3857,
    struktur_suche,herkunft,naechste}';
begin
  -- A polygon is long and unreadable: only its extent is kept.
  if tg_table_name = 'hq_flaeche' then
    before := before || case
      when tg_op <> 'INSERT' then jsonb_build_object('geom', public.st_asewkt(public.st_envelope(old.geom)))
      else '{}'
    end;
    after := after || case
      when tg_op <> 'DELETE' then jsonb_build_object('geom', public.st_asewkt(public.st_envelope(new.geom)))
      else '{}'
    end;
  end if;
  -- Readable, and enough to put an object back.
  if tg_table_name in ('draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf') then
    before := before || case
      when tg_op <> 'INSERT' then jsonb_build_object('geom', public.st_astext(old.geom, 3))
      else '{}'
    end;
    after := after || case
      when tg_op <> 'DELETE' then jsonb_build_object('geom', public.st_astext(new.geom, 3))
      else '{}'
    end;
    if tg_op = 'DELETE' then
      select jsonb_build_object('grund', g.grund) into after
      from maps.vermessung_geloescht g
      where g.kennung = old.kennung and g.grund is not null;
    end if;
  end if;
  before := before - silent;
  after := after - silent;
  if tg_op = 'UPDATE' then
    select jsonb_object_agg(key, value) into before
    from jsonb_each(before)
    where value is distinct from after -> key;
    if before is null then return null; end if;
    select jsonb_object_agg(key, after -> key) into after
    from jsonb_object_keys(before) as key;
  end if;
  select * into me from rights.caller();
  insert into app.verlauf (wer, user_id, tabelle, schluessel, client_id, hqid, person_id, aktion, alt, neu)
  values (
    me.name, me.user_id, tg_table_name,
    (select string_agg(shown ->> part, '/') from unnest(string_to_array(tg_argv[0], ',')) as part),
    (shown ->> 'client_id')::bigint, coalesce(shown ->> 'idHQ', shown ->> 'hqid')::bigint,
    (shown ->> 'user_id')::bigint,
    case tg_op when 'INSERT' then 'neu' when 'UPDATE' then 'geaendert' else 'geloescht' end, before, after
  );
  return null;
end $$;
select rights.define('history.record_change()');

-- Every change of a row raises its version and names who made it, so that a save based on an older version
-- can be recognized.
create or replace function history.stamp_change()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  -- A name removed for data protection is not a change of the record.
  if tg_op = 'UPDATE'
    and current_user = 'forst_definer'
    and new.geaendert_von is distinct from old.geaendert_von
    and new.geaendert_von like 'gelöschte Person %'
  then
    return new;
  end if;
  -- Neither is what follows from the periods of a series.
  if tg_op = 'UPDATE' and tg_table_name = 'serie' then
    if to_jsonb(new) - 'naechste' = to_jsonb(old) - 'naechste' then return new; end if;
  end if;
  new.version := case when tg_op = 'INSERT' then 1 else old.version + 1 end;
  new.geaendert_am := now();
  new.geaendert_von := (rights.caller()).name;
  return new;
end $$;
grant execute on function history.stamp_change() to nutzer, forst_definer;

-- Runs before a check that must know whether a statement names a column, even with the value that it had: the
-- check finds the mark and takes it away. People have no right to write a version, so no other -1 gets there.
create or replace function history.mark_said()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  new.version := -1;
  return new;
end $$;
grant execute on function history.mark_said() to nutzer;

-- Creates the triggers for a table whose changes are recorded. `stamped`: it has the columns version,
-- geaendert_am and geaendert_von.
create or replace function history.watch(relation regclass, key text, stamped boolean)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  if stamped then
    execute format(
      $t$create or replace trigger y_stamp before insert or update on %s for each row
        when (current_user <> 'forst_betrieb') execute function history.stamp_change()$t$,
      relation
    );
  end if;
  execute format(
    $t$create or replace trigger z_verlauf after insert or update or delete on %s for each row
      when (current_user <> 'forst_betrieb') execute function history.record_change(%L)$t$,
    relation, key
  );
end $$;

-- The differences between two rows, for the audit chain.
create or replace function history.difference(before jsonb, after jsonb)
  returns jsonb language sql immutable set search_path = pg_catalog as $$
  select coalesce(jsonb_object_agg(n.key, jsonb_build_array(before -> n.key, n.value)), '{}')
  from jsonb_each(after) n
  where n.value is distinct from before -> n.key
    and n.key not in ('version', 'geaendert_am', 'geaendert_von', 'suchtext', 'beleg', 'logo')
$$;
grant execute on function history.difference(jsonb, jsonb) to forst_definer;
