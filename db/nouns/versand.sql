-- What leaves the house: the files that are made of what was issued, and who was sent them. Read by
-- apus_admin; written by the procedures below and by the server.

do $$
declare relation regclass;
begin
  foreach relation in array array['app.dokument_auftrag', 'app.versand']::regclass[] loop
    perform rechte.protect(relation);
    execute format('grant select, insert, update, delete on %s to forst_definer', relation);
    execute format('grant select on %s to nutzer', relation);
    execute format(
      $p$create policy buchhaltung on %s for select to nutzer using ((select rechte.has_role('apus_admin')))$p$,
      relation
    );
  end loop;
end $$;

-- Files in the making ---------------------------------------------------------------------------------------

-- Definer: orders are closed. What is issued is to be made; the transaction that issues waits for nothing.
create or replace function rechte.dokument_bestellen()
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
select rechte.define('rechte.dokument_bestellen()');
do $$
declare relation regclass;
begin
  foreach relation in array array['app.rechnung', 'app.angebot', 'app.mahnung']::regclass[] loop
    execute format(
      'create or replace trigger z_dokument after insert on %s for each row when (new.beleg is not null and current_user <> ''forst_betrieb'') execute function rechte.dokument_bestellen()',
      relation
    );
  end loop;
  foreach relation in array array['app.rechnung', 'app.angebot']::regclass[] loop
    execute format(
      'create or replace trigger z_dokument_neu after update of beleg on %s for each row when (old.beleg is null and new.beleg is not null and current_user <> ''forst_betrieb'') execute function rechte.dokument_bestellen()',
      relation
    );
  end loop;
end $$;

-- Definer: as above. Whoever made the files, the server by itself or for somebody who asked: nothing is left
-- to do.
create or replace function rechte.dokument_gemacht()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  delete from app.dokument_auftrag a
  where a.rechnung_id = new.rechnung_id or a.angebot_id = new.angebot_id or a.mahnung_id = new.mahnung_id;
  return null;
end $$;
select rechte.define('rechte.dokument_gemacht()');
create or replace trigger z_gemacht after insert on app.dokument
  for each row when (new.art = 'pdf' and current_user <> 'forst_betrieb')
  execute function rechte.dokument_gemacht();

-- Definer: as above. Issued before there were orders, or restored from a dump without its files. Answers how
-- many were found.
create or replace function rechte.dokument_fehlende()
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
-- Definer: as above. One that is due: no other server gets it for five minutes, after which whoever took it
-- has died over it. The oldest first; what failed often comes last.
create or replace function rechte.dokument_nehmen()
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
-- Definer: as above. It could not be made: again after 1, 5, 25 and 125 minutes, and then twice a day,
-- because a repaired logo or server mends it. Without a reason: it is there.
create or replace function rechte.dokument_ergebnis(auftrag_id bigint, fehler text)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  if fehler is null then
    delete from app.dokument_auftrag a where a.id = auftrag_id;
  else
    update app.dokument_auftrag a set
      fehler = rechte.bank_zeile(dokument_ergebnis.fehler, 300),
      naechster = now() + least(
        interval '1 minute' * power(5, least(greatest(a.versuche, 1), 5) - 1), interval '12 hours'
      )
    where a.id = auftrag_id;
  end if;
end $$;
select rechte.define(entry)
from unnest(
  array[
    'rechte.dokument_fehlende()', 'rechte.dokument_nehmen()', 'rechte.dokument_ergebnis(bigint, text)'
  ]::regprocedure[]
) entry;
grant usage on schema rechte to forst_dokument;
grant execute on function rechte.dokument_fehlende(), rechte.dokument_nehmen(),
  rechte.dokument_ergebnis(bigint, text) to forst_dokument;

-- Delivery --------------------------------------------------------------------------------------------------

-- Where a delivery belongs in the audit chain: a reminder stands with its invoice.
create or replace function rechte.versand_protokoll(v app.versand, ereignis text, mehr jsonb default '{}')
  returns void language plpgsql set search_path = pg_catalog as $$
declare invoice bigint;
begin
  if v.mahnung_id is not null then
    select m.rechnung_id into invoice from app.mahnung m where m.id = v.mahnung_id;
  end if;
  perform rechte.protokolliere(
    case when v.angebot_id is not null then 'angebot' else 'rechnung' end,
    coalesce(v.angebot_id, v.rechnung_id, invoice), v.client_id, ereignis,
    jsonb_strip_nulls(jsonb_build_object(
      'versand_id', v.id, 'weg', v.weg, 'an', v.an, 'mahnung_id', v.mahnung_id
    )) || mehr
  );
end $$;
revoke execute on function rechte.versand_protokoll(app.versand, text, jsonb) from public;
grant execute on function rechte.versand_protokoll(app.versand, text, jsonb) to forst_definer;

-- Definer, like all procedures of the bookkeeping. A mail waits for the server's post; what went by another
-- way is written down as sent. Only what was issued leaves the house. `an`: up to ten addresses, each a
-- delivery of its own, so that one that is wrong is known by itself. Answers the number of the first.
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
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  perform rechte.check_value(a_send_beleg.art in ('rechnung', 'angebot', 'mahnung'), 'art', 'versand_art');
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
  perform rechte.check_value(way in ('mail', 'portal', 'post'), 'weg', 'versand_weg');
  perform rechte.check_value(rechte.is_line_or_empty(subject, 200), 'betreff', 'zeile_200');
  perform rechte.check_value(rechte.is_text(coalesce(a_send_beleg.text, ''), 6000), 'text', 'text_6000');
  addresses := array[btrim(coalesce(an, ''))];
  if way = 'mail' then
    select array_agg(distinct given order by given) into addresses
    from regexp_split_to_table(coalesce(an, ''), '[,;]') part(piece), btrim(piece, E' \t\n\r') given
    where given <> '';
    perform rechte.check_value(
      addresses is not null
        and not exists (select from unnest(addresses) one where rechte.is_email(one) is not true),
      'an', 'email'
    );
    perform rechte.check_value(cardinality(addresses) <= 10, 'an', 'versand_zehn');
    perform rechte.check_value(subject <> '', 'betreff', 'fehlt'),
      rechte.check_value(coalesce(btrim(a_send_beleg.text), '') <> '', 'text', 'fehlt');
    -- A placeholder that nobody filled in would reach the customer as it stands.
    perform
      rechte.check_value(subject !~ '\{(name|nummer|datum|faellig|betrag)\}', 'betreff', 'platzhalter_offen'),
      rechte.check_value(
        coalesce(a_send_beleg.text, '') !~ '\{(name|nummer|datum|faellig|betrag)\}', 'text',
        'platzhalter_offen'
      );
  end if;
  foreach address in array addresses loop
    perform rechte.check_value(rechte.is_line_or_empty(address, 254), 'an', 'zeile_200');
    -- Two presses, or two people: once is enough.
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
    perform rechte.versand_protokoll(made, case way when 'mail' then 'versand' else 'versendet' end);
    first := coalesce(first, made.id);
  end loop;
  return first;
end $$;

-- Definer, see above. Taken back while it waits; what is being handed over cannot be stopped.
create or replace function app.a_withdraw_versand(versand_id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare made app.versand;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  update app.versand v set zustand = 'fehlgeschlagen', grund = 'zurueckgezogen', fehler = ''
  where v.id = a_withdraw_versand.versand_id and v.zustand = 'wartet' and v.begonnen_am is null
  returning * into made;
  if made.id is not null then
    perform rechte.versand_protokoll(made, 'versand_zurueck');
    return;
  end if;
  perform rechte.refuse_unless(exists (select from app.versand v where v.id = a_withdraw_versand.versand_id));
  raise sqlstate 'PT409' using message = 'it is on its way or done', hint = 'versand_unterwegs';
end $$;

-- As the caller, the newest first; of an invoice with its reminders.
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
    from app.versand v left join app.mahnung m on m.id = v.mahnung_id
    where case a_get_versand.art
      when 'rechnung' then v.rechnung_id = a_get_versand.id or m.rechnung_id = a_get_versand.id
      when 'angebot' then v.angebot_id = a_get_versand.id
      when 'mahnung' then v.mahnung_id = a_get_versand.id
    end
    order by v.id desc;
end $$;

-- The server's post (as forst_betrieb) ----------------------------------------------------------------------

-- Definer. Takes what is due: nobody else gets it for ten minutes, after which whoever took it has died over
-- it. What was being handed over then is not taken again (rechte.versand_verlorene).
do $$
begin
  if not exists (
    select from pg_proc p
    where p.oid = to_regprocedure('rechte.versand_nehmen(integer)') and 'absender' = any (p.proargnames)
  ) then
    drop function if exists rechte.versand_nehmen(integer);
  end if;
end $$;
create or replace function rechte.versand_nehmen(hoechstens integer)
  returns table (
    versand_id bigint, art text, id bigint, client_id bigint, an text, betreff text, text text,
    versuch integer, format text, absender text, antwort_an text
  ) language sql set search_path = pg_catalog as $$
  with dran as (
    select v.id
    from app.versand v
    where v.zustand = 'wartet' and v.weg = 'mail' and v.begonnen_am is null and v.naechster <= now()
    order by v.naechster, v.id limit hoechstens for update skip locked
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
-- Definer: as above. The mail is handed over from now on. False: it was withdrawn meanwhile, or somebody else
-- has it.
create or replace function rechte.versand_beginnen(versand_id bigint, versuch integer)
  returns boolean language sql set search_path = pg_catalog as $$
  with begun as (
    update app.versand v set begonnen_am = now()
    where v.id = versand_id and v.zustand = 'wartet' and v.versuche = versuch and v.begonnen_am is null
    returning 1
  )
  select exists (select from begun)
$$;
-- Definer: as above. Was being handed over when the server went down: nobody knows whether it arrived. Not
-- sent a second time blindly; a person is told and decides.
create or replace function rechte.versand_verlorene()
  returns table (versand_id bigint, an text) language plpgsql set search_path = pg_catalog as $$
declare lost app.versand;
begin
  if not exists (
    select from app.versand v
    where v.zustand = 'wartet' and v.begonnen_am is not null and v.naechster <= now()
  ) then
    return;
  end if;
  perform rechte.buch_sperre();
  for lost in
    update app.versand v set zustand = 'fehlgeschlagen', grund = 'ungewiss', fehler = ''
    where v.zustand = 'wartet' and v.begonnen_am is not null and v.naechster <= now()
    returning *
  loop
    perform rechte.versand_protokoll(lost, 'versand_fehler', jsonb_build_object('grund', lost.grund));
    versand_id := lost.id;
    an := lost.an;
    return next;
  end loop;
end $$;
drop function if exists rechte.versand_ergebnis(bigint, boolean, text);
-- Definer: as above. What became of it. `grund` empty: sent; 'spaeter': tried again after 1, 5, 25, 125 and
-- 625 minutes and then given up; any other is final.
create or replace function rechte.versand_ergebnis(versand_id bigint, grund text, fehler text default '')
  returns void language plpgsql set search_path = pg_catalog as $$
declare made app.versand;
begin
  perform rechte.buch_sperre();
  update app.versand v set
    zustand = case
      when versand_ergebnis.grund = '' then 'gesendet'
      when versand_ergebnis.grund = 'spaeter' and v.versuche < 6 then 'wartet'
      else 'fehlgeschlagen'
    end,
    grund = case
      when versand_ergebnis.grund <> 'spaeter' then versand_ergebnis.grund
      when v.versuche < 6 then ''
      else 'aufgegeben'
    end,
    gesendet_am = case when versand_ergebnis.grund = '' then now() end, begonnen_am = null,
    fehler = case
      when versand_ergebnis.grund = '' then ''
      else rechte.bank_zeile(versand_ergebnis.fehler, 300)
    end,
    naechster = case
      when versand_ergebnis.grund = 'spaeter' then
        now() + interval '1 minute' * power(5, greatest(v.versuche, 1) - 1)
      else v.naechster
    end
  where v.id = versand_ergebnis.versand_id and v.zustand = 'wartet'
  returning * into made;
  if made.zustand = 'gesendet' then
    perform rechte.versand_protokoll(made, 'versendet');
  elsif made.zustand = 'fehlgeschlagen' then
    perform rechte.versand_protokoll(
      made, 'versand_fehler', jsonb_build_object('grund', made.grund, 'fehler', made.fehler)
    );
  end if;
end $$;
-- Definer: as above. Without a mail server nothing waits: it would all go out on the day that one is set up.
create or replace function rechte.versand_aufgeben()
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  lost app.versand;
  given bigint := 0;
begin
  if not exists (select from app.versand v where v.zustand = 'wartet') then return 0; end if;
  perform rechte.buch_sperre();
  for lost in
    update app.versand v set zustand = 'fehlgeschlagen', grund = 'kein_mailserver', fehler = ''
    where v.zustand = 'wartet'
    returning *
  loop
    perform rechte.versand_protokoll(lost, 'versand_fehler', jsonb_build_object('grund', lost.grund));
    given := given + 1;
  end loop;
  return given;
end $$;

select rechte.define(entry)
from unnest(
  array[
    'rechte.versand_nehmen(integer)', 'rechte.versand_beginnen(bigint, integer)',
    'rechte.versand_verlorene()', 'rechte.versand_ergebnis(bigint, text, text)', 'rechte.versand_aufgeben()'
  ]::regprocedure[]
) entry;
grant execute on function rechte.versand_nehmen(integer), rechte.versand_beginnen(bigint, integer),
  rechte.versand_verlorene(), rechte.versand_ergebnis(bigint, text, text), rechte.versand_aufgeben()
  to forst_betrieb;
select rechte.define(entry)
from unnest(
  array[
    'app.a_send_beleg(text, bigint, text, text, text, text)', 'app.a_withdraw_versand(bigint)'
  ]::regprocedure[]
) entry;
grant execute on function app.a_send_beleg(text, bigint, text, text, text, text),
  app.a_withdraw_versand(bigint), app.a_get_versand(text, bigint) to nutzer;
