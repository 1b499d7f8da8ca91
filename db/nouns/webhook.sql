-- Webhooks: other people's programs are notified of events. Each belongs to a half of the provider, whose
-- admins make, see and change it; it is not the matter of the person who made it. The tables are closed: the
-- procedures below show them, and the server delivers (server/webhooks). See docs/decisions/webhooks.md.

do $$
declare relation regclass;
begin
  foreach relation in array array['dispatch.webhook', 'dispatch.zustellung']::regclass[] loop
    perform rights.protect(relation);
    execute format('grant select, insert, update, delete on %s to forst_definer', relation);
  end loop;
end $$;

create or replace function dispatch.administers_half(half text)
  returns boolean language sql stable set search_path = pg_catalog
  return (half = 'forst' and rights.has_role('ogf_admin'))
    or (half = 'draenage' and rights.has_role('apus_admin'));
grant execute on function dispatch.administers_half(text) to forst_definer;

-- The webhook, if the caller administers its half; otherwise refused as if it did not exist.
create or replace function dispatch.own_webhook(id bigint)
  returns dispatch.webhook language plpgsql set search_path = pg_catalog as $$
declare found_one dispatch.webhook;
begin
  perform rights.refuse_keys();
  select w.* into found_one from dispatch.webhook w where w.id = own_webhook.id for update;
  perform rights.refuse_unless(dispatch.administers_half(found_one.haelfte));
  return found_one;
end $$;
grant execute on function dispatch.own_webhook(bigint) to forst_definer;

-- Refuses what cannot be one, field by field. The address is also checked by the server, which knows whether
-- private ones are allowed.
create or replace function dispatch.check_webhook(wunsch jsonb, half text, itself bigint default null)
  returns void language plpgsql set search_path = pg_catalog as $$
declare
  kinds text[] := case
    when jsonb_typeof(wunsch -> 'arten') = 'array' then
      array(select jsonb_array_elements_text(wunsch -> 'arten'))
  end;
  title text := btrim(wunsch ->> 'name');
begin
  perform checks.check_fields(wunsch, '{haelfte,name,url,arten,client_id}');
  perform checks.check_value(
    coalesce(jsonb_typeof(wunsch -> 'name') = 'string' and checks.is_line(title, 60) and title <> '', false),
    'name', 'webhook_name'
  );
  perform checks.check_value(
    coalesce(
      jsonb_typeof(wunsch -> 'url') = 'string'
        and checks.is_line(wunsch ->> 'url', 1000)
        and wunsch ->> 'url' ~ '^https?://',
      false
    ),
    'url', 'webhook_url'
  );
  perform checks.check_value(
    coalesce(cardinality(kinds) > 0 and kinds <@ dispatch.kinds_of_half(half), false), 'arten',
    'webhook_arten'
  );
  perform checks.check_value(
    wunsch ->> 'client_id' is null
      or exists (select from app.kunde k where k.client_id::text = wunsch ->> 'client_id'),
    'client_id', 'webhook_kunde'
  );
  perform checks.check_value(
    not exists (
      select from dispatch.webhook w
      where w.haelfte = half and lower(w.name) = lower(title) and w.id is distinct from itself
    ),
    'name', 'webhook_vergeben'
  );
end $$;
grant execute on function dispatch.check_webhook(jsonb, text, bigint) to forst_definer;

-- Definer: the tables are closed. Not published: the server calls it with the secret, encrypted. At most 50
-- of a half.
create or replace function dispatch.add_webhook(wunsch jsonb, geheimnis text, zeichen text)
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  half text := wunsch ->> 'haelfte';
  made bigint;
begin
  perform rights.refuse_keys();
  perform checks.check_value(coalesce(half in ('forst', 'draenage'), false), 'haelfte', 'webhook_haelfte');
  perform rights.refuse_unless(dispatch.administers_half(half));
  perform pg_advisory_xact_lock(hashtext('dispatch.webhook'));
  perform dispatch.check_webhook(wunsch, half);
  if (select count(*) >= 50 from dispatch.webhook w where w.haelfte = half) then
    raise sqlstate 'PT409' using message = 'too many webhooks', hint = 'webhook_anzahl';
  end if;
  insert into dispatch.webhook (
    haelfte, name, url, arten, client_id, geheimnis, zeichen, stand, user_id, angelegt_von
  )
  values (
    half, btrim(wunsch ->> 'name'), wunsch ->> 'url',
    array(select distinct jsonb_array_elements_text(wunsch -> 'arten') order by 1),
    (wunsch ->> 'client_id')::bigint, add_webhook.geheimnis, add_webhook.zeichen,
    (select r.letzte from dispatch.event_range() r), rights.user_id(), rights.caller_name()
  )
  returning id into made;
  return made;
end $$;
select rights.define('dispatch.add_webhook(jsonb, text, text)');
grant execute on function dispatch.add_webhook(jsonb, text, text) to nutzer;

-- A delivery that the webhook, as it is now, would be given.
create or replace function dispatch.is_wanted(w dispatch.webhook, z dispatch.zustellung)
  returns boolean language sql immutable set search_path = pg_catalog
  return z.art = any (w.arten) and (w.client_id is null or w.client_id is not distinct from z.client_id);
grant execute on function dispatch.is_wanted(dispatch.webhook, dispatch.zustellung) to forst_definer;

-- Definer: as above; the server has checked the address.
create or replace function dispatch.update_webhook(id bigint, wunsch jsonb, version integer)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  before dispatch.webhook := dispatch.own_webhook(update_webhook.id);
  now_version integer;
begin
  if before.version <> coalesce(update_webhook.version, before.version) then
    raise sqlstate 'PT409' using message = 'changed meanwhile', hint = 'changed_meanwhile';
  end if;
  perform dispatch.check_webhook(wunsch - 'haelfte', before.haelfte, before.id);
  update dispatch.webhook w set
    name = btrim(wunsch ->> 'name'), url = wunsch ->> 'url',
    arten = array(select distinct jsonb_array_elements_text(wunsch -> 'arten') order by 1),
    client_id = (wunsch ->> 'client_id')::bigint, version = w.version + 1, geaendert_am = now(),
    -- Of events until now those were chosen that were wanted then.
    naechster = now()
  where w.id = before.id
  returning w.version into now_version;
  -- The new receiver may be somebody who was never meant to have the others.
  update dispatch.zustellung z set zustand = 'aufgegeben', status = null, grund = 'abgebrochen'
  from dispatch.webhook w
  where w.id = before.id and z.webhook_id = w.id and z.zustand = 'wartet' and not dispatch.is_wanted(w, z);
  return now_version;
end $$;
select rights.define('dispatch.update_webhook(bigint, jsonb, integer)');
grant execute on function dispatch.update_webhook(bigint, jsonb, integer) to nutzer;

-- Definer: as above. The former secret is valid for another day, so the receiver can be changed meanwhile.
create or replace function dispatch.renew_webhook_secret(id bigint, geheimnis text, zeichen text)
  returns void language plpgsql set search_path = pg_catalog as $$
declare before dispatch.webhook := dispatch.own_webhook(renew_webhook_secret.id);
begin
  update dispatch.webhook w set
    geheimnis_alt = case when before.pause is distinct from 'geheimnis' then before.geheimnis end,
    alt_bis = case when before.pause is distinct from 'geheimnis' then now() + interval '1 day' end,
    geheimnis = renew_webhook_secret.geheimnis, zeichen = renew_webhook_secret.zeichen,
    version = w.version + 1, geaendert_am = now()
  where w.id = before.id;
end $$;
select rights.define('dispatch.renew_webhook_secret(bigint, text, text)');
grant execute on function dispatch.renew_webhook_secret(bigint, text, text) to nutzer;

-- Definer: as above. Those of the halves that the caller administers; the secret is not among it.
create or replace function app.a_get_webhooks()
  returns table (
    id bigint, haelfte text, name text, url text, arten text[], client_id bigint, kunde text, zeichen text,
    alt_bis timestamptz, pause text, pause_am timestamptz, fehler_folge integer, naechster timestamptz,
    wartend bigint, zuletzt_am timestamptz, verpasst boolean, angelegt_am timestamptz, angelegt_von text,
    geaendert_am timestamptz, version integer
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_keys();
  perform rights.refuse_unless(rights.has_any('ogf_admin', 'apus_admin'));
  return query
    select w.id, w.haelfte, w.name, w.url, w.arten, w.client_id, k.name, w.zeichen,
      case when w.alt_bis > now() then w.alt_bis end, w.pause, w.pause_am, w.fehler_folge,
      case when w.fehler_folge > 0 then w.naechster end,
      (
        select count(*)
        from dispatch.zustellung z
        where z.webhook_id = w.id and z.zustand = 'wartet'
      ),
      (
        select max(z.versucht_am)
        from dispatch.zustellung z
        where z.webhook_id = w.id and z.zustand = 'zugestellt' and z.art <> 'test'
      ),
      w.stand < (select r.entfernt_bis from dispatch.event_range() r), w.angelegt_am, w.angelegt_von,
      w.geaendert_am, w.version
    from dispatch.webhook w left join app.kunde k on k.client_id = w.client_id
    where dispatch.administers_half(w.haelfte)
    order by lower(w.name), w.id;
end $$;
select rights.define('app.a_get_webhooks()');
grant execute on function app.a_get_webhooks() to nutzer;

-- Definer: as above.
create or replace function app.a_delete_webhook(id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare before dispatch.webhook := dispatch.own_webhook(a_delete_webhook.id);
begin
  delete from dispatch.webhook w where w.id = before.id;
end $$;
select rights.define('app.a_delete_webhook(bigint)');
grant execute on function app.a_delete_webhook(bigint) to nutzer;

-- Definer: as above. Stops deliveries or goes on with what has happened meanwhile. Going on with what is no
-- longer kept is impossible: then it begins with what is.
create or replace function app.a_pause_webhook(id bigint, pause boolean)
  returns void language plpgsql set search_path = pg_catalog as $$
declare before dispatch.webhook := dispatch.own_webhook(a_pause_webhook.id);
begin
  if a_pause_webhook.pause is null or a_pause_webhook.pause = (before.pause is not null) then return; end if;
  update dispatch.webhook w set
    pause = case when a_pause_webhook.pause then 'von_hand' end,
    pause_am = case when a_pause_webhook.pause then now() end, fehler_folge = 0, naechster = now(),
    stand = greatest(w.stand, (select r.entfernt_bis from dispatch.event_range() r)), version = w.version + 1,
    geaendert_am = now()
  where w.id = before.id;
  if not a_pause_webhook.pause then
    update dispatch.zustellung z set naechster = now()
    where z.webhook_id = before.id and z.zustand = 'wartet';
  end if;
end $$;
select rights.define('app.a_pause_webhook(bigint, boolean)');
grant execute on function app.a_pause_webhook(bigint, boolean) to nutzer;

-- Definer: as above. The log, newest first, a hundred at a time: those before the number `vor`.
create or replace function app.a_get_zustellungen(
  webhook bigint default null, nur text default null, vor bigint default null
) returns table (
  id bigint, kennung uuid, webhook_id bigint, webhook_name text, ereignis_id bigint, art text, kunde text,
  koerper text, zustand text, versuche integer, naechster timestamptz, status integer, grund text,
  antwort text, dauer_ms integer, versucht_am timestamptz, angelegt_am timestamptz
) language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_keys();
  perform rights.refuse_unless(rights.has_any('ogf_admin', 'apus_admin'));
  return query
    select z.id, z.kennung, w.id, w.name, z.ereignis_id, z.art, k.name, z.koerper, z.zustand, z.versuche,
      z.naechster, z.status, z.grund, z.antwort, z.dauer_ms, z.versucht_am, z.angelegt_am
    from dispatch.zustellung z
      join dispatch.webhook w on w.id = z.webhook_id
      left join app.kunde k on k.client_id = z.client_id
    where dispatch.administers_half(w.haelfte)
      and (webhook is null or z.webhook_id = webhook)
      and (nur is null or z.zustand = nur)
      and (vor is null or z.id < vor)
    order by z.id desc limit 100;
end $$;
select rights.define('app.a_get_zustellungen(bigint, text, bigint)');
grant execute on function app.a_get_zustellungen(bigint, text, bigint) to nutzer;

-- Definer: as above. The same once more, whatever became of it; with the same number, by which the receiver
-- recognizes it.
create or replace function app.a_repeat_zustellung(id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare
  entry dispatch.zustellung;
  receiver dispatch.webhook;
begin
  select z.* into entry from dispatch.zustellung z where z.id = a_repeat_zustellung.id;
  receiver := dispatch.own_webhook(entry.webhook_id);
  if receiver.pause is not null then
    raise sqlstate 'PT409' using message = 'the webhook is paused', hint = 'webhook_pause';
  end if;
  if entry.art = 'test' then
    raise sqlstate 'PT409' using message = 'a test is made anew', hint = 'webhook_test';
  end if;
  if not dispatch.is_wanted(receiver, entry) then
    raise sqlstate 'PT409' using message = 'the webhook does not want it any more', hint = 'webhook_auswahl';
  end if;
  update dispatch.zustellung z set zustand = 'wartet', versuche = 0, naechster = now()
  where z.id = entry.id
    -- On its way right now, taken when the webhook was: that is the one more.
    and not (
      z.zustand = 'wartet'
      and coalesce(receiver.vergeben_bis > now(), false)
      and coalesce(z.versucht_am = receiver.vergeben_bis - interval '1 minute', false)
    );
  update dispatch.webhook w set naechster = now() where w.id = receiver.id;
end $$;
select rights.define('app.a_repeat_zustellung(bigint)');
grant execute on function app.a_repeat_zustellung(bigint) to nutzer;

-- Definer: as above. Not published. A test is a delivery that is tried once, at once, also of a paused
-- webhook; the server sends it with what this answers. Old tests make room: ten are kept.
create or replace function dispatch.begin_webhook_test(id bigint)
  returns table (
    zustellung_id bigint, versuch integer, kennung uuid, koerper text, url text, geheimnis text,
    geheimnis_alt text
  ) language plpgsql set search_path = pg_catalog as $$
declare receiver dispatch.webhook := dispatch.own_webhook(begin_webhook_test.id);
begin
  delete from dispatch.zustellung z
  where z.webhook_id = receiver.id
    and z.art = 'test'
    and z.id not in (
      select n.id
      from dispatch.zustellung n
      where n.webhook_id = receiver.id and n.art = 'test'
      order by n.id desc limit 9
    );
  return query
    insert into dispatch.zustellung as z (webhook_id, art, koerper, zustand, versuche, grund, versucht_am)
    values (
      receiver.id, 'test',
      jsonb_build_object('type', 'test', 'timestamp', dispatch.iso_time(now()), 'data', '{}'::jsonb)::text,
      'aufgegeben', 1, 'abgebrochen', now()
    )
    returning z.id, z.versuche, z.kennung, z.koerper, receiver.url, receiver.geheimnis,
      case when receiver.alt_bis > now() then receiver.geheimnis_alt end;
end $$;
select rights.define('dispatch.begin_webhook_test(bigint)');
grant execute on function dispatch.begin_webhook_test(bigint) to nutzer;

create or replace function dispatch.iso_time(at timestamptz)
  returns text language sql stable set search_path = pg_catalog
  return to_char(iso_time.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
grant execute on function dispatch.iso_time(timestamptz) to nutzer, forst_definer;
-- An event as programs read it, in the feed and in a webhook.
create or replace function dispatch.event_json(e app.ereignis)
  returns jsonb language sql stable set search_path = pg_catalog
  return jsonb_build_object(
    'type', e.art, 'timestamp', dispatch.iso_time(e.am),
    'data', jsonb_build_object(
      'position', e.id, 'client_id', e.client_id, 'table', e.tabelle, 'id', e.datensatz, 'details', e.inhalt
    )
  );
grant execute on function dispatch.event_json(app.ereignis) to nutzer, forst_definer;

-- The server's deliveries (as forst_betrieb) ----------------------------------------------------------------

-- Definer: forst_betrieb may not call what it needs. Makes the deliveries of events that have happened since
-- the last time, 500 events at a time, and none for whom a thousand wait already. Another server at the same
-- webhook is passed over. Returns how many deliveries were made.
create or replace function dispatch.make_deliveries()
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  last bigint := (select r.letzte from dispatch.event_range() r);
  receiver dispatch.webhook;
  up_to bigint;
  number bigint;
  made bigint := 0;
begin
  for receiver in
    select w.*
    from dispatch.webhook w
    where w.stand < last
      and w.pause is null
      and (
        select count(*)
        from (
          select from dispatch.zustellung z
          where z.webhook_id = w.id and z.zustand = 'wartet' limit 1000
        ) x
      ) < 1000
    order by w.id for update skip locked
  loop
    select coalesce(max(x.id), last) into up_to
    from (
      select e.id
      from app.ereignis e
      where e.id > receiver.stand and e.id <= last
      order by e.id limit 500
    ) x;
    insert into dispatch.zustellung (webhook_id, ereignis_id, client_id, art, koerper)
    select receiver.id, e.id, e.client_id, e.art, dispatch.event_json(e)::text
    from app.ereignis e
    where e.id > receiver.stand
      and e.id <= up_to
      and e.art = any (receiver.arten)
      and (receiver.client_id is null or e.client_id = receiver.client_id)
    order by e.id
    on conflict do nothing;
    get diagnostics number = row_count;
    made := made + number;
    update dispatch.webhook w set stand = up_to where w.id = receiver.id;
  end loop;
  return made;
end $$;
select rights.define('dispatch.make_deliveries()');
grant execute on function dispatch.make_deliveries() to forst_betrieb;

-- Definer: as above. Takes the next due delivery: of the webhook that has waited longest its oldest. No other
-- server gets one of this webhook for a minute; after that the first one has crashed, and the delivery is
-- sent again. The number is the same, so the receiver notices. What has had its eight attempts without a
-- result of the last one is given up, and so is what the webhook does not want any more.
create or replace function dispatch.take_delivery()
  returns table (
    zustellung_id bigint, versuch integer, kennung uuid, koerper text, url text, geheimnis text,
    geheimnis_alt text, webhook_id bigint
  ) language plpgsql set search_path = pg_catalog as $$
declare
  receiver dispatch.webhook;
  entry dispatch.zustellung;
  given_up bigint;
begin
  loop
    select w.* into receiver
    from dispatch.webhook w
    where w.pause is null
      and w.naechster <= now()
      and coalesce(w.vergeben_bis, '-infinity') < now()
      and exists (
        select from dispatch.zustellung z
        where z.webhook_id = w.id and z.zustand = 'wartet' and z.naechster <= now()
      )
    order by w.naechster, w.id limit 1 for update skip locked;
    if not found then return; end if;
    update dispatch.zustellung z set zustand = 'aufgegeben', status = null, grund = 'abgebrochen'
    where z.webhook_id = receiver.id
      and z.zustand = 'wartet'
      and z.naechster <= now()
      and (z.versuche >= 8 or not dispatch.is_wanted(receiver, z));
    get diagnostics given_up = row_count;
    select z.* into entry
    from dispatch.zustellung z
    where z.webhook_id = receiver.id and z.zustand = 'wartet' and z.naechster <= now()
    order by z.ereignis_id limit 1 for update;
    exit when found;
    -- Then it is another's turn.
    if given_up = 0 then return; end if;
  end loop;
  update dispatch.webhook w set vergeben_bis = now() + interval '1 minute'
  where w.id = receiver.id;
  update dispatch.zustellung z set versuche = z.versuche + 1, versucht_am = now()
  where z.id = entry.id;
  return query
    select entry.id, entry.versuche + 1, entry.kennung, entry.koerper, receiver.url, receiver.geheimnis,
      case when receiver.alt_bis > now() then receiver.geheimnis_alt end, receiver.id;
end $$;
select rights.define('dispatch.take_delivery()');
grant execute on function dispatch.take_delivery() to forst_betrieb;

-- How long a failed attempt waits: 1, 5, 25, 125, 625 minutes, then a day, each up to a fifth more or less so
-- that what failed together does not come back together.
create or replace function dispatch.delivery_pause(attempt integer)
  returns interval language sql volatile set search_path = pg_catalog
  return least(interval '1 minute' * power(5, least(greatest(attempt, 1), 6) - 1), interval '1 day')
    * (0.8 + 0.4 * random());
grant execute on function dispatch.delivery_pause(integer) to forst_definer;

-- Definer: as above. The result of an attempt. `grund` null: delivered. After eight attempts, two and a half
-- days, a delivery is given up; if the receiver took nothing meanwhile either, the webhook is paused and its
-- half's admins are notified. 'abgemeldet' (410) and 'geheimnis' pause it at once. `wait_seconds`: seconds
-- that the receiver asked for. What is no fault of this one delivery (no answer, 5xx, 429) also holds up the
-- next ones: for ten seconds, then twice as long each time, at most fifteen minutes.
create or replace function dispatch.delivery_result(
  zustellung_id bigint, versuch integer, status integer, grund text, antwort text, dauer_ms integer,
  wait_seconds integer default null
) returns void language plpgsql set search_path = pg_catalog as $$
declare
  entry dispatch.zustellung;
  receiver dispatch.webhook;
  failed boolean := delivery_result.grund is not null;
  last boolean;
  moved boolean;
  asked interval := least(greatest(coalesce(wait_seconds, 0), 0), 86400) * interval '1 second';
  reason text;
begin
  select w.* into receiver
  from dispatch.webhook w join dispatch.zustellung z on z.webhook_id = w.id
  where z.id = delivery_result.zustellung_id for update of w;
  if not found then return; end if;
  select z.* into entry
  from dispatch.zustellung z
  where z.id = delivery_result.zustellung_id and z.versuche = delivery_result.versuch;
  -- Asked for once more meanwhile, or taken by another server.
  if not found then return; end if;
  -- What another receiver answered says nothing of this one.
  moved := receiver.geaendert_am > entry.versucht_am;
  -- Given up while it was on its way: the new receiver does not get it.
  last := entry.versuche >= 8
    or delivery_result.grund = 'abgemeldet' and not moved
    or entry.art = 'test'
    or entry.zustand = 'aufgegeben';
  update dispatch.zustellung z set
    zustand = case when not failed then 'zugestellt' when last then 'aufgegeben' else 'wartet' end,
    naechster = case
      when failed and not last then now() + greatest(asked, dispatch.delivery_pause(entry.versuche))
      else z.naechster
    end,
    status = delivery_result.status, grund = delivery_result.grund,
    antwort = left(
      regexp_replace(coalesce(delivery_result.antwort, ''), '[\x01-\x08\x0b-\x1f\x7f]', ' ', 'g'), 500
    ),
    dauer_ms = greatest(delivery_result.dauer_ms, 0), versucht_am = now()
  where z.id = entry.id;
  if entry.art = 'test' then return; end if;
  if moved and failed then
    update dispatch.webhook w set vergeben_bis = null where w.id = receiver.id;
    return;
  end if;
  reason := case
    when delivery_result.grund in ('abgemeldet', 'geheimnis') then delivery_result.grund
    when failed and last and receiver.fehler_folge >= 7 then 'aufgegeben'
  end;
  update dispatch.webhook w set
    vergeben_bis = null, fehler_folge = case when failed then w.fehler_folge + 1 else 0 end,
    naechster = case
      when failed
        and (
          delivery_result.grund <> 'status' or delivery_result.status >= 500 or delivery_result.status = 429
        )
      then now() + greatest(asked, least(
        interval '10 seconds' * power(2, least(w.fehler_folge, 10)), interval '15 minutes'
      ))
      else now()
    end,
    pause = coalesce(w.pause, reason),
    pause_am = coalesce(w.pause_am, case when reason is not null then now() end)
  where w.id = receiver.id;
  if reason is not null and receiver.pause is null then
    perform notices.notify(
      'webhook_pause',
      case receiver.haelfte
        when 'forst' then notices.people_with_status('ogf_admin', 'admin')
        else notices.people_with_status('apus_admin', 'admin')
      end,
      'webhook/' || receiver.id || '/' || extract(epoch from now())::bigint,
      jsonb_build_object('name', receiver.name, 'grund', reason), '/verwaltung/webhooks'
    );
  end if;
end $$;
select rights.define('dispatch.delivery_result(bigint, integer, integer, text, text, integer, integer)');
grant execute on function dispatch.delivery_result(bigint, integer, integer, text, text, integer, integer)
  to forst_betrieb;

-- Definer: as above. After the installation got another secret, what it can still open is kept with the new
-- one. `vorher`: nobody else has changed it meanwhile.
create or replace function dispatch.reseal_webhook(vorher text, neu text)
  returns void language sql set search_path = pg_catalog as $$
  update dispatch.webhook w set
    geheimnis = case when w.geheimnis = reseal_webhook.vorher then reseal_webhook.neu else w.geheimnis end,
    geheimnis_alt = case
      when w.geheimnis_alt = reseal_webhook.vorher then reseal_webhook.neu
      else w.geheimnis_alt
    end
  where reseal_webhook.vorher in (w.geheimnis, w.geheimnis_alt)
$$;
select rights.define('dispatch.reseal_webhook(text, text)');
grant execute on function dispatch.reseal_webhook(text, text) to forst_betrieb;

-- Called when a customer's data is deleted or blocked.
create or replace function dispatch.remove_events(client_id bigint)
  returns void language sql set search_path = pg_catalog as $$
  delete from dispatch.webhook w where w.client_id = remove_events.client_id;
  delete from dispatch.zustellung z where z.client_id = remove_events.client_id;
  delete from app.ereignis e where e.client_id = remove_events.client_id
$$;
grant execute on function dispatch.remove_events(bigint) to forst_definer;
