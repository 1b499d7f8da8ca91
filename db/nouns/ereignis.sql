-- Events for other people's programs: written with the act they tell of, read by position. Everybody reads
-- those of records that they may see; nobody writes them. See docs/webhooks.md.

select rights.protect('app.ereignis');
grant select, insert, delete on app.ereignis to forst_definer;
grant usage on sequence app.ereignis_id_seq to forst_definer;
grant select on app.ereignis to nutzer;
select rights.protect('dispatch.ereignis_ende');
grant select, insert, update on dispatch.ereignis_ende to forst_definer;

-- The kinds by the half whose matter they are. domain/ereignis.ts has the same; a test compares them.
create or replace function dispatch.kinds_of_half(half text)
  returns text[] language sql immutable parallel safe set search_path = pg_catalog
  return case half
    when 'draenage' then '{document.issued,offer.decided,plan.published}'
    when 'forst' then '{tree.lost}'
    else '{}'
  end::text[];
grant execute on function dispatch.kinds_of_half(text) to nutzer, forst_definer;

create policy documents on app.ereignis for select to nutzer
  using (art in ('document.issued', 'offer.decided') and (select rights.has_role('apus_admin')));
-- As app.dokument: a customer's admins see what was issued to it.
create policy own_documents on app.ereignis for select to nutzer
  using (
    art in ('document.issued', 'offer.decided')
    and client_id = any ((select rights.kunden_as('kundenadmin', 'appuser_admin'))::bigint[])
  );
create policy plans on app.ereignis for select to nutzer
  using (art = 'plan.published' and (select rights.has_any('apus_admin', 'apus_team')));
create policy shown_plans on app.ereignis for select to nutzer
  using (
    art = 'plan.published'
    and client_id = any ((select rights.kunden_as('appuser', 'appuser_admin'))::bigint[])
    -- Withdrawn, or of another customer by now: not seen any more.
    and exists (
      select from app.kartenblatt k
      where k.id = datensatz and k.client_id = ereignis.client_id and k.show_client
    )
  );
create policy trees on app.ereignis for select to nutzer
  using (art = 'tree.lost' and (select rights.has_any('ogf_admin', 'ogf_team')));
create policy own_trees on app.ereignis for select to nutzer
  using (
    art = 'tree.lost'
    and (
      client_id = any ((select rights.kunden_as('kundenadmin'))::bigint[])
      or hqid = any ((select forest.active_hqs())::bigint[])
    )
    and exists (
      select from app.habitatbaeume t
      where t.id = datensatz and t.client_id = ereignis.client_id
    )
  );

-- Definer: nobody may write events. Called at the end of the transaction (the triggers are deferred): from
-- here to the commit one transaction at a time, so positions become visible in their order and a reader who
-- has seen one misses none before it. Nothing else is locked afterwards.
create or replace function dispatch.record_event(
  art text, client_id bigint, tabelle text, datensatz bigint, inhalt jsonb, hqid bigint default null
) returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform pg_advisory_xact_lock(hashtext('app.ereignis'));
  insert into app.ereignis (art, client_id, tabelle, datensatz, hqid, inhalt)
  values (
    record_event.art, record_event.client_id, record_event.tabelle, record_event.datensatz, record_event.hqid,
    record_event.inhalt
  );
end $$;
grant execute on function dispatch.record_event(text, bigint, text, bigint, jsonb, bigint) to forst_definer;

-- Definer: as above. What an event says: numbers and days by which the record is found, no names, no amounts.
create or replace function dispatch.record_beleg()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare row jsonb := to_jsonb(new);
begin
  perform dispatch.record_event(
    'document.issued', new.client_id, tg_table_name::text, new.id,
    case tg_table_name
      when 'angebot' then jsonb_build_object(
        'art', 'angebot', 'nummer', row #>> '{beleg,nummer}', 'fassung', row -> 'fassung',
        'datum', row ->> 'an_datum'
      )
      when 'mahnung' then jsonb_build_object(
        'art', 'mahnung', 'stufe', row -> 'stufe', 'rechnung_id', row -> 'rechnung_id',
        'datum', row ->> 'datum'
      )
      else jsonb_build_object('art', row ->> 'art', 'nummer', row ->> 'nummer', 'datum', row ->> 'rn_datum')
    end
  );
  return null;
end $$;
select rights.define('dispatch.record_beleg()');
create or replace function dispatch.record_decision()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  perform dispatch.record_event('offer.decided', new.client_id, 'angebot', new.id, jsonb_build_object(
    'status', new.status, 'nummer', new.beleg ->> 'nummer', 'fassung', new.fassung
  ));
  return null;
end $$;
select rights.define('dispatch.record_decision()');
create or replace function dispatch.record_plan()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  perform dispatch.record_event(
    'plan.published', new.client_id, 'karte', new.id, jsonb_build_object('anlass', 'freigegeben')
  );
  return null;
end $$;
select rights.define('dispatch.record_plan()');
-- A plan that is released has a new georeferenced file.
create or replace function dispatch.record_plan_file()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if exists (select from app.kartenblatt k where k.id = new.karte_id and k.show_client) then
    perform dispatch.record_event(
      'plan.published', new.client_id, 'karte', new.karte_id, jsonb_build_object('anlass', 'neues_ergebnis')
    );
  end if;
  return null;
end $$;
select rights.define('dispatch.record_plan_file()');
-- Many trees may be lost in one statement. They are collected where events are, with numbers below zero that
-- nobody else sees, and get their positions at the end of the transaction: so the lock is held for one
-- insert.
-- A loss that was already reported within a day is skipped. Of a transaction a thousand are reported one by
-- one, the others with one event per holding that says how many they are (`anzahl`). The row of customer 0
-- asks for the last step.
create or replace function dispatch.collect_trees()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  trees jsonb;
  told integer;
begin
  if tg_op = 'INSERT' then
    select jsonb_agg(jsonb_build_object(
      'id', c.id, 'client_id', c.client_id, 'hqid', c."idHQ", 'kennung', c.kennung, 'datum', c.verlust_datum,
      'grund', c.verlust_grund
    )) into trees
    from changed c
    where c.verlust_datum is not null;
  else
    select jsonb_agg(jsonb_build_object(
      'id', c.id, 'client_id', c.client_id, 'hqid', c."idHQ", 'kennung', c.kennung, 'datum', c.verlust_datum,
      'grund', c.verlust_grund
    )) into trees
    from changed c join former f on f.id = c.id
    where f.verlust_datum is null and c.verlust_datum is not null;
  end if;
  if trees is null then return null; end if;
  select count(*) into told from (select from app.ereignis e where e.id < 0 limit 1001) x;
  if told = 0 then
    insert into app.ereignis (id, art, client_id, tabelle, datensatz, inhalt)
    values (-nextval('app.ereignis_id_seq'), 'tree.lost', 0, 'habitatbaeume', 0, '{}');
    told := 1;
  end if;
  with fresh as (
    select l.*, row_number() over (order by l.id) > 1001 - told as is_beyond
    from jsonb_to_recordset(trees) as l(
      id bigint, client_id bigint, hqid bigint, kennung uuid, datum text, grund text
    )
    where not exists (
      select from app.ereignis e
      where e.art = 'tree.lost'
        and e.datensatz = l.id
        and e.am > now() - interval '1 day'
        and e.inhalt ->> 'verlust_datum' = l.datum
        and e.inhalt ->> 'verlust_grund' = l.grund
    )
  )
  insert into app.ereignis (id, art, client_id, tabelle, datensatz, hqid, inhalt)
  select -nextval('app.ereignis_id_seq'), 'tree.lost', x.client_id, 'habitatbaeume', x.id, x.hqid, x.inhalt
  from (
    select f.id, f.client_id, f.hqid,
      jsonb_build_object(
        'kennung', f.kennung, 'idHQ', f.hqid, 'verlust_datum', f.datum, 'verlust_grund', f.grund
      ) as inhalt
    from fresh f
    where not f.is_beyond
    union all
    select min(f.id), f.client_id, f.hqid, jsonb_build_object('idHQ', f.hqid, 'anzahl', count(*))
    from fresh f
    where f.is_beyond
    group by f.client_id, f.hqid
    order by 1
  ) x;
  return null;
end $$;
select rights.define('dispatch.collect_trees()');
-- Gives what was collected its positions, as dispatch.record_event does.
create or replace function dispatch.record_collected()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare events jsonb;
begin
  with taken as (delete from app.ereignis e where e.id < 0 returning e.*),
  one as (
    select t.id, t.client_id, t.datensatz, t.hqid, t.inhalt
    from taken t
    where t.client_id <> 0 and not t.inhalt ? 'anzahl'
    union all
    -- One of a holding, however many statements there were.
    select min(t.id), t.client_id, min(t.datensatz), t.hqid,
      jsonb_build_object('idHQ', t.hqid, 'anzahl', sum((t.inhalt -> 'anzahl')::bigint))
    from taken t
    where t.inhalt ? 'anzahl'
    group by t.client_id, t.hqid
  )
  select jsonb_agg(
    jsonb_build_object('client_id', o.client_id, 'datensatz', o.datensatz, 'hqid', o.hqid, 'inhalt', o.inhalt)
    order by o.id desc
  ) into events
  from one o;
  if events is null then return null; end if;
  perform pg_advisory_xact_lock(hashtext('app.ereignis'));
  insert into app.ereignis (art, client_id, tabelle, datensatz, hqid, inhalt)
  select 'tree.lost', (e.one -> 'client_id')::bigint, 'habitatbaeume', (e.one -> 'datensatz')::bigint,
    (e.one -> 'hqid')::bigint, e.one -> 'inhalt'
  from jsonb_array_elements(events) with ordinality as e(one, nr)
  order by e.nr;
  return null;
end $$;
select rights.define('dispatch.record_collected()');

create or replace trigger ereignis_neu after insert on app.habitatbaeume referencing new table as changed
  for each statement when (current_user <> 'forst_betrieb') execute function dispatch.collect_trees();
create or replace trigger ereignis after update
  on app.habitatbaeume referencing old table as former new table as changed
  for each statement when (current_user <> 'forst_betrieb') execute function dispatch.collect_trees();

-- There is no "create or replace" for deferred triggers.
do $$
declare entry record;
begin
  for entry in
    select * from (
      values ('rechnung', 'ereignis_neu', 'insert', 'new.beleg is not null', 'record_beleg'),
        (
          'rechnung', 'ereignis', 'update of beleg', 'old.beleg is null and new.beleg is not null',
          'record_beleg'
        ),
        ('angebot', 'ereignis_neu', 'insert', 'new.beleg is not null', 'record_beleg'),
        (
          'angebot', 'ereignis', 'update of beleg', 'old.beleg is null and new.beleg is not null',
          'record_beleg'
        ),
        ('mahnung', 'ereignis_neu', 'insert', 'true', 'record_beleg'),
        (
          'angebot', 'ereignis_entschieden', 'update of entschieden_am',
          'new.status in (''angenommen'', ''abgelehnt'')', 'record_decision'
        ),
        ('kartenblatt', 'ereignis_neu', 'insert', 'new.show_client', 'record_plan'),
        (
          'kartenblatt', 'ereignis', 'update of show_client, client_id',
          'new.show_client and (not old.show_client or old.client_id <> new.client_id)', 'record_plan'
        ),
        ('karte_datei', 'ereignis_neu', 'insert', 'new.art = ''ergebnis''', 'record_plan_file'),
        ('ereignis', 'gesammelt', 'insert', 'new.id < 0 and new.client_id = 0', 'record_collected')
    ) t(relation, name, act, condition, function)
  loop
    execute format('drop trigger if exists %I on app.%I', entry.name, entry.relation);
    execute format(
      'create constraint trigger %I after %s on app.%I deferrable initially deferred for each row
        when (current_user <> ''forst_betrieb'' and (%s)) execute function dispatch.%I()',
      entry.name, entry.act, entry.relation, entry.condition, entry.function
    );
  end loop;
end $$;

-- Definer: the last position is given without the rows that the caller may not read. With its first argument
-- what is no longer kept, with the second the last one given; stable, so both are of the caller's snapshot.
create or replace function dispatch.event_range(out entfernt_bis bigint, out letzte bigint)
  language sql stable set search_path = pg_catalog as $$
  select x.entfernt_bis, greatest(x.entfernt_bis, coalesce((select max(e.id) from app.ereignis e), 0))
  from (select coalesce(max(d.entfernt_bis), 0) as entfernt_bis from dispatch.ereignis_ende d) x
$$;
select rights.define('dispatch.event_range()');
grant execute on function dispatch.event_range() to nutzer, forst_definer, forst_betrieb;

-- Definer: as above. False: the position is within a gap that a restored dump has left
-- (server/operations/restore.ts), so a reader that knows it has seen events of another past. Gaps of other
-- kinds are a few thousand at most.
create or replace function dispatch.knows_position(after bigint)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select x.before = knows_position.after or coalesce(x.next - x.before, 0) < 1000000
  from (
    select
      greatest(
        (select r.entfernt_bis from dispatch.event_range() r),
        (select max(e.id) from app.ereignis e where e.id <= knows_position.after)
      ) as before,
      (select min(e.id) from app.ereignis e where e.id > knows_position.after) as next
  ) x
$$;
select rights.define('dispatch.knows_position(bigint)');
grant execute on function dispatch.knows_position(bigint) to nutzer;

-- Definer: as above. The server's daily work as forst_betrieb: events and finished deliveries older than that
-- many days. Returns the number of events.
create or replace function dispatch.forget_events(days integer)
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  number bigint;
  last bigint;
begin
  delete from dispatch.zustellung z
  where z.zustand <> 'wartet' and z.angelegt_am < now() - forget_events.days * interval '1 day';
  with gone as (
    delete from app.ereignis e
    -- By position: nothing older than what is kept.
    where e.id <= (
      select max(x.id)
      from app.ereignis x
      where x.am < now() - forget_events.days * interval '1 day'
    )
    returning e.id
  )
  select count(*), max(g.id) into number, last
  from gone g;
  if number > 0 then
    insert into dispatch.ereignis_ende as d (entfernt_bis)
    values (last)
    on conflict (nur) do update set entfernt_bis = greatest(d.entfernt_bis, excluded.entfernt_bis);
  end if;
  return number;
end $$;
select rights.define('dispatch.forget_events(integer)');
grant execute on function dispatch.forget_events(integer) to forst_betrieb;
