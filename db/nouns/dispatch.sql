-- Files made of issued documents, and their delivery to customers. Read by apus_admin; written by the
-- procedures below and by the server.

do $$
declare relation regclass;
begin
  foreach relation in array array['app.dokument_auftrag', 'app.versand']::regclass[] loop
    perform rights.protect(relation);
    execute format('grant select, insert, update, delete on %s to forst_definer', relation);
    execute format('grant select on %s to nutzer', relation);
    execute format(
      $p$create policy buchhaltung on %s for select to nutzer
        using ((select rights.has_role('apus_admin')))$p$,
      relation
    );
  end loop;
end $$;

-- Files in the making ---------------------------------------------------------------------------------------

-- Definer: nutzer may not write the jobs. Queues the files of an issued document, so that issuing waits for
-- nothing.
create or replace function dispatch.order_document()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  insert into app.dokument_auftrag (client_id, rechnung_id, angebot_id, mahnung_id)
  values (
    new.client_id, case tg_table_name when 'rechnung' then new.id end,
    case tg_table_name when 'angebot' then new.id end, case tg_table_name when 'mahnung' then new.id end
  )
  on conflict do nothing;
  return null;
end $$;
select rights.define('dispatch.order_document()');
do $$
declare relation regclass;
begin
  foreach relation in array array['app.rechnung', 'app.angebot', 'app.mahnung']::regclass[] loop
    execute format(
      'create or replace trigger z_dokument after insert on %s for each row
        when (new.beleg is not null and current_user <> ''forst_betrieb'')
        execute function dispatch.order_document()',
      relation
    );
  end loop;
  foreach relation in array array['app.rechnung', 'app.angebot']::regclass[] loop
    execute format(
      'create or replace trigger z_dokument_neu after update of beleg on %s for each row
        when (old.beleg is null and new.beleg is not null
        and current_user <> ''forst_betrieb'') execute function dispatch.order_document()',
      relation
    );
  end loop;
end $$;

-- Definer: as above. The files exist, made by the server on its own or for a user's request: removes the job.
create or replace function dispatch.document_made()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  delete from app.dokument_auftrag a
  where a.rechnung_id = new.rechnung_id or a.angebot_id = new.angebot_id or a.mahnung_id = new.mahnung_id;
  return null;
end $$;
select rights.define('dispatch.document_made()');
create or replace trigger z_gemacht after insert on app.dokument
  for each row when (new.art = 'pdf' and current_user <> 'forst_betrieb')
  execute function dispatch.document_made();

-- Definer: as above. Queues what was issued before there were jobs, or restored from a dump without its
-- files. Returns how many were found.
create or replace function dispatch.order_missing_documents()
  returns bigint language sql set search_path = pg_catalog as $$
  with found as (
    select r.client_id, r.id as rechnung_id, null::bigint as angebot_id, null::bigint as mahnung_id
    from app.rechnung r
    where r.beleg is not null
      and not exists (select from app.dokument d where d.rechnung_id = r.id and d.art = 'pdf')
    union all
    select a.client_id, null, a.id, null
    from app.angebot a
    where a.beleg is not null
      and not exists (select from app.dokument d where d.angebot_id = a.id and d.art = 'pdf')
    union all
    select m.client_id, null, null, m.id
    from app.mahnung m
    where not exists (select from app.dokument d where d.mahnung_id = m.id and d.art = 'pdf')
  ),
  made as (
    insert into app.dokument_auftrag (client_id, rechnung_id, angebot_id, mahnung_id)
    select f.client_id, f.rechnung_id, f.angebot_id, f.mahnung_id
    from found f
    on conflict do nothing
    returning 1
  )
  select count(*)
  from made
$$;
select rights.define('dispatch.order_missing_documents()');
grant execute on function dispatch.order_missing_documents() to forst_dokument;
-- Definer: as above. Takes the next due job. No other server gets it for five minutes; after that the first
-- one has crashed. Earliest due first; jobs that failed often wait longer.
create or replace function dispatch.take_document()
  returns table (auftrag_id bigint, art text, id bigint, versuch integer)
  language sql set search_path = pg_catalog as $$
  with dran as (
    select a.id
    from app.dokument_auftrag a
    where a.naechster <= now()
    order by a.naechster, a.id limit 1 for update skip locked
  ),
  genommen as (
    update app.dokument_auftrag a set versuche = a.versuche + 1, naechster = now() + interval '5 minutes'
    from dran
    where a.id = dran.id
    returning a.*
  )
  select g.id,
    case
      when g.rechnung_id is not null then 'rechnung'
      when g.angebot_id is not null then 'angebot'
      else 'mahnung'
    end,
    coalesce(g.rechnung_id, g.angebot_id, g.mahnung_id), g.versuche
  from genommen g
$$;
select rights.define('dispatch.take_document()');
grant execute on function dispatch.take_document() to forst_dokument;
-- Definer: as above. `fehler` null: the file is made. Otherwise the job is retried after 1, 5, 25 and 125
-- minutes, then every 625: it succeeds once the logo or the server is repaired.
create or replace function dispatch.document_result(job_id bigint, fehler text)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  if fehler is null then
    delete from app.dokument_auftrag a where a.id = job_id;
  else
    update app.dokument_auftrag a set
      fehler = books.bank_line(document_result.fehler, 300),
      naechster = now() + least(
        interval '1 minute' * power(5, least(greatest(a.versuche, 1), 5) - 1), interval '12 hours'
      )
    where a.id = job_id;
  end if;
end $$;
select rights.define('dispatch.document_result(bigint, text)');
grant execute on function dispatch.document_result(bigint, text) to forst_dokument;

-- Delivery --------------------------------------------------------------------------------------------------

-- Records a delivery in the audit chain; a reminder's under its invoice.
create or replace function dispatch.record(v app.versand, ereignis text, more jsonb default '{}')
  returns void language plpgsql set search_path = pg_catalog as $$
declare invoice bigint;
begin
  if v.mahnung_id is not null then
    select m.rechnung_id into invoice from app.mahnung m where m.id = v.mahnung_id;
  end if;
  perform books.record(
    case when v.angebot_id is not null then 'angebot' else 'rechnung' end,
    coalesce(v.angebot_id, v.rechnung_id, invoice), v.client_id, ereignis,
    jsonb_strip_nulls(jsonb_build_object(
      'versand_id', v.id, 'weg', v.weg, 'an', v.an, 'mahnung_id', v.mahnung_id
    )) || more
  );
end $$;
grant execute on function dispatch.record(app.versand, text, jsonb) to forst_definer;

-- Definer: nobody has a grant to write these tables, as in all of the bookkeeping. A mail waits for the
-- server; other ways are recorded as sent at once. Only issued documents are delivered. `an`: up to ten
-- addresses, each with its own delivery, so that a wrong address is known separately. Returns the number
-- of the first.
create or replace function app.a_send_beleg(
  art text, id bigint, an text default '', betreff text default '', text text default '',
  weg text default 'mail'
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  customer bigint;
  made app.versand;
  first bigint;
  address text;
  addresses text[];
  subject text := btrim(coalesce(betreff, ''));
  way text := coalesce(weg, 'mail');
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  perform checks.check_value(a_send_beleg.art in ('rechnung', 'angebot', 'mahnung'), 'art', 'versand_art');
  select x.client_id into customer
  from (
    select r.client_id
    from app.rechnung r
    where a_send_beleg.art = 'rechnung' and r.id = a_send_beleg.id and r.beleg is not null
    union all
    select a.client_id
    from app.angebot a
    where a_send_beleg.art = 'angebot' and a.id = a_send_beleg.id and a.beleg is not null
    union all
    select m.client_id
    from app.mahnung m
    where a_send_beleg.art = 'mahnung' and m.id = a_send_beleg.id
  ) x;
  if customer is null then
    raise sqlstate 'PT404' using message = 'not found or not issued', hint = 'versand_beleg';
  end if;
  perform checks.check_value(way in ('mail', 'portal', 'post'), 'weg', 'versand_weg');
  perform checks.check_value(checks.is_line_or_empty(subject, 200), 'betreff', 'zeile_200');
  perform checks.check_value(checks.is_text(coalesce(a_send_beleg.text, ''), 6000), 'text', 'text_6000');
  addresses := array[btrim(coalesce(an, ''))];
  if way = 'mail' then
    select array_agg(distinct given order by given) into addresses
    from regexp_split_to_table(coalesce(an, ''), '[,;]') part(piece), btrim(piece, E' \t\n\r') given
    where given <> '';
    perform checks.check_value(
      addresses is not null
        and not exists (select from unnest(addresses) one where checks.is_email(one) is not true),
      'an', 'email'
    );
    perform checks.check_value(cardinality(addresses) <= 10, 'an', 'versand_zehn');
    perform checks.check_value(subject <> '', 'betreff', 'fehlt'),
      checks.check_value(coalesce(btrim(a_send_beleg.text), '') <> '', 'text', 'fehlt');
    -- An unfilled placeholder would reach the customer as it is.
    perform
      checks.check_value(subject !~ '\{(name|nummer|datum|faellig|betrag)\}', 'betreff', 'platzhalter_offen'),
      checks.check_value(
        coalesce(a_send_beleg.text, '') !~ '\{(name|nummer|datum|faellig|betrag)\}', 'text',
        'platzhalter_offen'
      );
  end if;
  foreach address in array addresses loop
    perform checks.check_value(checks.is_line_or_empty(address, 254), 'an', 'zeile_200');
    -- A double click, or two people: one mail is enough.
    if way = 'mail'
      and exists (
        select from app.versand v
        where v.zustand = 'wartet'
          and v.weg = 'mail'
          and v.an = address
          and case a_send_beleg.art
            when 'rechnung' then v.rechnung_id
            when 'angebot' then v.angebot_id
            else v.mahnung_id
          end = a_send_beleg.id
      )
    then
      raise sqlstate 'PT409'
        using message = 'a mail with it waits already', hint = 'versand_wartet', column = 'an';
    end if;
    insert into app.versand (
      client_id, rechnung_id, angebot_id, mahnung_id, weg, an, betreff, text, zustand, gesendet_am
    )
    values (
      customer, case a_send_beleg.art when 'rechnung' then a_send_beleg.id end,
      case a_send_beleg.art when 'angebot' then a_send_beleg.id end,
      case a_send_beleg.art when 'mahnung' then a_send_beleg.id end, way, address, subject,
      coalesce(a_send_beleg.text, ''), case way when 'mail' then 'wartet' else 'gesendet' end,
      case way when 'mail' then null else now() end
    )
    returning * into made;
    perform dispatch.record(made, case way when 'mail' then 'versand' else 'versendet' end);
    first := coalesce(first, made.id);
  end loop;
  return first;
end $$;
select rights.define('app.a_send_beleg(text, bigint, text, text, text, text)');
grant execute on function app.a_send_beleg(text, bigint, text, text, text, text) to nutzer;

-- Definer: see above. Withdraws a mail that is still waiting; one being handed over cannot be stopped.
create or replace function app.a_withdraw_versand(versand_id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare made app.versand;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  update app.versand v set zustand = 'fehlgeschlagen', grund = 'zurueckgezogen', fehler = ''
  where v.id = a_withdraw_versand.versand_id and v.zustand = 'wartet' and v.begonnen_am is null
  returning * into made;
  if made.id is not null then
    perform dispatch.record(made, 'versand_zurueck');
    return;
  end if;
  perform rights.refuse_unless(exists (select from app.versand v where v.id = a_withdraw_versand.versand_id));
  raise sqlstate 'PT409' using message = 'it is on its way or done', hint = 'versand_unterwegs';
end $$;
select rights.define('app.a_withdraw_versand(bigint)');
grant execute on function app.a_withdraw_versand(bigint) to nutzer;

-- As the caller, newest first; an invoice's list includes its reminders.
do $$
begin
  if not exists (
    select from pg_proc p
    where p.oid = to_regprocedure('app.a_get_versand(text, bigint)') and 'grund' = any (p.proargnames)
  ) then
    drop function if exists app.a_get_versand(text, bigint);
  end if;
end $$;
create or replace function app.a_get_versand(art text, id bigint)
  returns table (
    versand_id bigint, weg text, an text, betreff text, text text, zustand text, versuche integer,
    fehler text, angelegt_am timestamptz, gesendet_am timestamptz, grund text, naechster timestamptz,
    beleg_art text, beleg_id bigint, stufe integer
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select v.id, v.weg, v.an, v.betreff, v.text, v.zustand, v.versuche, v.fehler, v.angelegt_am,
      v.gesendet_am, v.grund, v.naechster,
      case
        when v.rechnung_id is not null then 'rechnung'
        when v.angebot_id is not null then 'angebot'
        else 'mahnung'
      end,
      coalesce(v.rechnung_id, v.angebot_id, v.mahnung_id), m.stufe
    from (
      -- Each by its own index.
      select x.id
      from app.versand x
      where a_get_versand.art = 'rechnung' and x.rechnung_id = a_get_versand.id
      union all
      select x.id
      from app.mahnung r join app.versand x on x.mahnung_id = r.id
      where a_get_versand.art = 'rechnung' and r.rechnung_id = a_get_versand.id
      union all
      select x.id
      from app.versand x
      where a_get_versand.art = 'angebot' and x.angebot_id = a_get_versand.id
      union all
      select x.id
      from app.versand x
      where a_get_versand.art = 'mahnung' and x.mahnung_id = a_get_versand.id
    ) f
      join app.versand v on v.id = f.id
      left join app.mahnung m on m.id = v.mahnung_id
    order by v.id desc;
end $$;
grant execute on function app.a_get_versand(text, bigint) to nutzer;

-- The server's mails (as forst_betrieb) ---------------------------------------------------------------------

-- Definer: like the procedures above. Takes due mails. No other server gets them for ten minutes; after that
-- the first one has crashed. Mails that were being handed over at a crash are not taken again
-- (dispatch.lost_dispatches).
create or replace function dispatch.take_dispatch(most integer)
  returns table (
    versand_id bigint, art text, id bigint, client_id bigint, an text, betreff text, text text,
    versuch integer, format text, absender text, antwort_an text
  ) language sql set search_path = pg_catalog as $$
  with dran as (
    select v.id
    from app.versand v
    where v.zustand = 'wartet' and v.weg = 'mail' and v.begonnen_am is null and v.naechster <= now()
    order by v.naechster, v.id limit most for update skip locked
  ),
  genommen as (
    update app.versand v set versuche = v.versuche + 1, naechster = now() + interval '10 minutes'
    from dran
    where v.id = dran.id
    returning v.*
  )
  select g.id,
    case
      when g.rechnung_id is not null then 'rechnung'
      when g.angebot_id is not null then 'angebot'
      else 'mahnung'
    end,
    coalesce(g.rechnung_id, g.angebot_id, g.mahnung_id), g.client_id, g.an, g.betreff, g.text, g.versuche,
    coalesce((select r.beleg ->> 'format' from app.rechnung r where r.id = g.rechnung_id), 'pdf'),
    coalesce(l.name, ''), coalesce(l.mail, '')
  from genommen g left join app.lieferant l on true
  order by g.id
$$;
select rights.define('dispatch.take_dispatch(integer)');
grant execute on function dispatch.take_dispatch(integer) to forst_betrieb;
-- Definer: as above. Marks the mail as being handed over, which may take the mail server ten minutes; making
-- its document may have taken most of the time until now. False: it was withdrawn, or another server has it.
create or replace function dispatch.begin_dispatch(dispatch_id bigint, attempt integer)
  returns boolean language sql set search_path = pg_catalog as $$
  with begun as (
    update app.versand v set begonnen_am = now(), naechster = now() + interval '15 minutes'
    where v.id = dispatch_id and v.zustand = 'wartet' and v.versuche = attempt and v.begonnen_am is null
    returning 1
  )
  select exists (select from begun)
$$;
select rights.define('dispatch.begin_dispatch(bigint, integer)');
grant execute on function dispatch.begin_dispatch(bigint, integer) to forst_betrieb;
-- Definer: as above. Mails that were being handed over when the server crashed: nobody knows whether they
-- arrived. They are not sent again automatically; the user sees the delivery as failed and decides.
create or replace function dispatch.lost_dispatches()
  returns table (versand_id bigint, an text) language plpgsql set search_path = pg_catalog as $$
declare lost app.versand;
begin
  if not exists (
    select from app.versand v
    where v.zustand = 'wartet' and v.begonnen_am is not null and v.naechster <= now()
  ) then
    return;
  end if;
  perform books.lock();
  for lost in
    update app.versand v set zustand = 'fehlgeschlagen', grund = 'ungewiss', fehler = ''
    where v.zustand = 'wartet' and v.begonnen_am is not null and v.naechster <= now()
    returning *
  loop
    perform dispatch.record(lost, 'versand_fehler', jsonb_build_object('grund', lost.grund));
    versand_id := lost.id;
    an := lost.an;
    return next;
  end loop;
end $$;
select rights.define('dispatch.lost_dispatches()');
grant execute on function dispatch.lost_dispatches() to forst_betrieb;
-- Definer: as above. Result of a delivery. `grund` empty: sent, also if it was reported as uncertain
-- meanwhile.
-- 'spaeter': retried after 1, 5, 25, 125 and 625 minutes, then given up. Any other is final. `attempt`: of
-- which attempt; another server may be at the next one.
drop function if exists dispatch.dispatch_result(bigint, text, text);
create or replace function dispatch.dispatch_result(
  dispatch_id bigint, grund text, fehler text default '', attempt integer default null
) returns void language plpgsql set search_path = pg_catalog as $$
declare made app.versand;
begin
  perform books.lock();
  update app.versand v set
    zustand = case
      when dispatch_result.grund = '' then 'gesendet'
      when dispatch_result.grund = 'spaeter' and v.versuche < 6 then 'wartet'
      else 'fehlgeschlagen'
    end,
    grund = case
      when dispatch_result.grund <> 'spaeter' then dispatch_result.grund
      when v.versuche < 6 then ''
      else 'aufgegeben'
    end,
    gesendet_am = case when dispatch_result.grund = '' then now() end, begonnen_am = null,
    fehler = case
      when dispatch_result.grund = '' then ''
      else books.bank_line(dispatch_result.fehler, 300)
    end,
    naechster = case
      when dispatch_result.grund = 'spaeter' then
        now() + interval '1 minute' * power(5, greatest(v.versuche, 1) - 1)
      else v.naechster
    end
  where v.id = dispatch_result.dispatch_id
    and v.versuche = coalesce(dispatch_result.attempt, v.versuche)
    and (
      v.zustand = 'wartet'
      or (dispatch_result.grund = '' and v.zustand = 'fehlgeschlagen' and v.grund = 'ungewiss')
    )
  returning * into made;
  if made.zustand = 'gesendet' then
    perform dispatch.record(made, 'versendet');
  elsif made.zustand = 'fehlgeschlagen' then
    perform dispatch.record(
      made, 'versand_fehler', jsonb_build_object('grund', made.grund, 'fehler', made.fehler)
    );
  end if;
end $$;
select rights.define('dispatch.dispatch_result(bigint, text, text, integer)');
grant execute on function dispatch.dispatch_result(bigint, text, text, integer) to forst_betrieb;
-- Definer: as above. Nothing waits without a mail server: it would all be sent on the day one is set up.
create or replace function dispatch.give_up_dispatches()
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  lost app.versand;
  given bigint := 0;
begin
  if not exists (select from app.versand v where v.zustand = 'wartet') then return 0; end if;
  perform books.lock();
  for lost in
    update app.versand v set zustand = 'fehlgeschlagen', grund = 'kein_mailserver', fehler = ''
    where v.zustand = 'wartet'
    returning *
  loop
    perform dispatch.record(lost, 'versand_fehler', jsonb_build_object('grund', lost.grund));
    given := given + 1;
  end loop;
  return given;
end $$;
select rights.define('dispatch.give_up_dispatches()');
grant execute on function dispatch.give_up_dispatches() to forst_betrieb;
