-- What customers see and decide of the documents that were issued to them: their admins in the application,
-- and whoever holds a one-time link without signing in.
-- The books stay closed to all of them. Links are made and withdrawn by apus_admin.

select rechte.protect('app.annahme_link');
grant select, insert, update, delete on app.annahme_link to forst_definer;
-- Everything but what the code could be tried against.
grant select (
  id, client_id, angebot_id, empfaenger, gueltig_bis, angelegt_am, angelegt_von, benutzt_am, benutzt_von,
  zurueckgezogen_am, zurueckgezogen_von
) on app.annahme_link to nutzer;
create policy buchhaltung on app.annahme_link for select to nutzer
  using ((select rechte.has_role('apus_admin')));

-- A link ends once, and nothing else of it changes, for every role there is; only names go, when the data of
-- a person are deleted.
create or replace function rechte.check_link_fest()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  frei text[] := case
    when num_nonnulls(old.benutzt_am, old.zurueckgezogen_am) = 0 then
      '{benutzt_am,benutzt_von,zurueckgezogen_am,zurueckgezogen_von}'
    else '{}'
  end;
begin
  if new.angelegt_von like 'gelöschte Person %' then frei := frei || 'angelegt_von'::text; end if;
  if new.zurueckgezogen_von like 'gelöschte Person %' and old.zurueckgezogen_am is not null then
    frei := frei || 'zurueckgezogen_von'::text;
  end if;
  if to_jsonb(new) - frei <> to_jsonb(old) - frei then
    perform rechte.refuse_ausgestellt('annahme_link ' || old.id);
  end if;
  return new;
end $$;
revoke execute on function rechte.check_link_fest() from public;
create or replace trigger a_fest before update on app.annahme_link
  for each row execute function rechte.check_link_fest();

-- Where a link stands, and its offer with it: 'offen', or the first reason why nothing can be decided by it
-- (any more).
create or replace function rechte.annahme_stand(link app.annahme_link, offer app.angebot)
  returns text language sql stable set search_path = pg_catalog as $$
  select case
    when (link).zurueckgezogen_am is not null then 'zurueckgezogen'
    when (link).benutzt_am is not null then 'benutzt'
    when (offer).status = 'ersetzt' then 'ersetzt'
    when (offer).status <> 'versendet' then 'entschieden'
    when ((offer).beleg ->> 'gueltig_bis')::date < rechte.heute() then 'angebot_abgelaufen'
    when (link).gueltig_bis < rechte.heute() then 'abgelaufen'
    else 'offen'
  end
$$;
revoke execute on function rechte.annahme_stand(app.annahme_link, app.angebot) from public;
grant execute on function rechte.annahme_stand(app.annahme_link, app.angebot) to forst_definer;

-- The offer as its customer reads it before deciding: from the frozen document, with the choice that was
-- made. Nothing of the books is in it.
create or replace function rechte.angebot_ansicht(offer app.angebot)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'nummer', b ->> 'nummer', 'datum', b ->> 'datum', 'gueltig_bis', b ->> 'gueltig_bis',
    'kunde', b #>> '{empfaenger,name}', 'ust_satz', b ->> 'ust_satz',
    'rabatt_prozent', b ->> 'rabatt_prozent', 'rabatt_grund', b ->> 'rabatt_grund',
    'kleinunternehmer', b #> '{lieferant,kleinunternehmer}',
    'anbieter', jsonb_build_object(
      'name', b #>> '{lieferant,name}', 'telefon', b #>> '{lieferant,telefon}',
      'mail', b #>> '{lieferant,mail}'
    ),
    'summen', b -> 'summen',
    'stand', case
      when (offer).status = 'versendet' and (b ->> 'gueltig_bis')::date < rechte.heute() then 'abgelaufen'
      else (offer).status
    end,
    'entschieden_am', (offer).entschieden_am, 'entschieden_von', (offer).entschieden_von,
    'entschieden_als', (offer).entschieden_als, 'entscheidung', (offer).entscheidung,
    'positionen', coalesce((
      select jsonb_agg(
        line || jsonb_build_object(
          'gewaehlt', coalesce((
            select p.gewaehlt
            from app.position p
            where p.id = (line ->> 'id')::bigint and p.angebot_id = (offer).id
          ), false)
        ) order by nr
      )
      from jsonb_array_elements(b -> 'positionen') with ordinality as t(line, nr)
    ), '[]')
  )
  from (values ((offer).beleg)) as frozen(b)
$$;
revoke execute on function rechte.angebot_ansicht(app.angebot) from public;
grant execute on function rechte.angebot_ansicht(app.angebot) to forst_definer;

-- In the application ----------------------------------------------------------------------------------------

do $$
begin
  if exists (
    select from pg_proc p
    where p.oid = to_regprocedure('app.__o_get_dokumente()') and not 'xml' = any (p.proargnames)
  ) then
    drop function app.__o_get_dokumente();
  end if;
end $$;
-- Definer: a customer's admins see heads of what was issued to their own customer; the books stay closed.
-- Never a draft. `entscheidbar`: waits for their yes or no. `faellig` of an offer: until when it holds; its
-- `betrag`, once accepted: what was ordered. `bezug`: of a Storno the invoice that it takes back, of an
-- invoice the Storno. `xml`: there is an e-invoice to fetch.
create or replace function app.__o_get_dokumente()
  returns table (
    art text, id bigint, client_id bigint, kunde text, nummer text, datum date, faellig date, betrag text,
    offen text, stand text, entscheidbar boolean, formate text[], xml boolean, bezug text,
    entschieden_am timestamptz, entschieden_von text
  ) language plpgsql stable set search_path = pg_catalog as $$
declare own bigint[] := rechte.kunden_als('kundenadmin', 'appuser_admin');
begin
  return query
    select l.art, l.id, l.client_id, l.kunde, l.nummer, l.rn_datum, l.faellig,
      case l.art when 'storno' then l.brutto else l.zahlbetrag end::text, l.offen::text, l.stand, false,
      array(select d.art from app.dokument d where d.rechnung_id = l.id order by d.art),
      coalesce(r.beleg ->> 'format' in ('xrechnung', 'zugferd'), false),
      case l.art when 'storno' then r.beleg #>> '{bezug,nummer}' else l.storno_nummer end, null::timestamptz,
      null::text
    from app.rechnung_liste l join app.rechnung r on r.id = l.id
    where l.client_id = any (own) and l.zustand = 'ausgestellt'
    union all
    select 'angebot', a.id, a.client_id, k.name, rechte.angebot_nummer(a.nummer, a.fassung), a.an_datum,
      (a.beleg ->> 'gueltig_bis')::date, coalesce(a.auftrag_brutto, a.brutto)::text, '0.00',
      case
        when a.status = 'versendet' and (a.beleg ->> 'gueltig_bis')::date < rechte.heute() then 'abgelaufen'
        else a.status
      end,
      a.status = 'versendet'
        and coalesce((a.beleg ->> 'gueltig_bis')::date >= rechte.heute(), true)
        and not rechte.ist_anbieter(),
      array(select d.art from app.dokument d where d.angebot_id = a.id order by d.art), false, null,
      a.entschieden_am, a.entschieden_von
    from app.angebot a join app.kunde k on k.client_id = a.client_id
    where a.client_id = any (own) and a.beleg is not null
    order by 6 desc, 2 desc;
end $$;

-- Definer: as above. An offer of one's own customer with its lines, as it was sent.
create or replace function app.__o_get_angebot(offer_id bigint)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare offer app.angebot;
begin
  select a.* into offer
  from app.angebot a
  where a.id = __o_get_angebot.offer_id
    and a.beleg is not null
    and a.client_id = any (rechte.kunden_als('kundenadmin', 'appuser_admin'));
  perform rechte.refuse_unless(offer.id is not null);
  return rechte.angebot_ansicht(offer);
end $$;

-- Whether the caller works for the provider, by the record or by what the token lets through: the provider
-- does not answer its own offers, whatever links its people have.
create or replace function rechte.ist_anbieter()
  returns boolean language sql stable set search_path = pg_catalog as $$
  select coalesce(rechte.is_staff(rechte.user_id()), false)
    or rechte.has_any('ogf_admin', 'ogf_team', 'apus_admin', 'apus_team')
$$;
create or replace function rechte.check_anbieter()
  returns void language plpgsql stable set search_path = pg_catalog as $$
begin
  if rechte.ist_anbieter() then
    raise sqlstate 'PT403'
      using message = 'the provider does not answer its own offers', hint = 'anbieter_entscheidet';
  end if;
end $$;
revoke execute on function rechte.ist_anbieter(), rechte.check_anbieter() from public;
grant execute on function rechte.ist_anbieter(), rechte.check_anbieter() to forst_definer;

-- Definer: as above. Yes or no to an offer of one's own customer that was sent and still holds; who and when
-- is kept. On paper it is the office's to note (a_decide_offer).
create or replace function app.__o_decide_offer(
  offer_id bigint, angenommen boolean, bemerkung text default '', positionen bigint[] default null
) returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rechte.check_anbieter();
  perform rechte.refuse_unless(exists (
    select from app.angebot a
    where a.id = __o_decide_offer.offer_id
      and a.beleg is not null
      and a.client_id = any (rechte.kunden_als('kundenadmin', 'appuser_admin'))
  ));
  perform rechte.check_value(
    rechte.is_text(rechte.mehrzeilig(__o_decide_offer.bemerkung), 2000), 'bemerkung', 'text_2000'
  );
  perform rechte.buch_sperre();
  perform rechte.angebot_entscheiden(
    __o_decide_offer.offer_id, __o_decide_offer.angenommen, rechte.wer(), 'portal',
    coalesce(__o_decide_offer.bemerkung, ''), __o_decide_offer.positionen
  );
end $$;

-- One-time links: the office --------------------------------------------------------------------------------

-- Definer, like all procedures of the bookkeeping: nobody holds a grant to write these tables. Answers the
-- code, here and never again: 32 bytes, of which 244 bits are random.
create or replace function app.a_add_annahme_link(
  offer_id bigint, empfaenger text, gueltig_bis date default null
) returns table (id bigint, code text, bis date) language plpgsql set search_path = pg_catalog as $$
declare
  offer app.angebot;
  who text := btrim(coalesce(a_add_annahme_link.empfaenger, ''));
  last date;
  until date;
  made text;
  link_id bigint;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  select a.* into offer
  from app.angebot a
  where a.id = a_add_annahme_link.offer_id and a.beleg is not null;
  if not found then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  perform rechte.beleg_kunde(offer.client_id);
  if offer.status <> 'versendet' then
    raise sqlstate 'PT409' using message = 'decided or replaced', hint = 'link_angebot';
  end if;
  last := (offer.beleg ->> 'gueltig_bis')::date;
  if last < rechte.heute() then
    raise sqlstate 'PT409' using message = 'the offer has expired', hint = 'angebot_abgelaufen';
  end if;
  perform rechte.check_value(who <> '', 'empfaenger', 'fehlt'),
    rechte.check_value(rechte.is_line(who, 200), 'empfaenger', 'zeile_200');
  until := coalesce(a_add_annahme_link.gueltig_bis, last);
  perform rechte.check_value(until between rechte.heute() and last, 'gueltig_bis', 'link_gueltig');
  -- Each is good for the whole offer; who makes more has lost sight of them.
  if (
    select count(*)
    from app.annahme_link l
    where l.angebot_id = offer.id
      and num_nonnulls(l.benutzt_am, l.zurueckgezogen_am) = 0
      and l.gueltig_bis >= rechte.heute()
  ) >= 20 then
    raise sqlstate 'PT409' using message = 'too many links', hint = 'link_viele';
  end if;
  made := rtrim(
    translate(
      encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/', '-_'
    ),
    '='
  );
  insert into app.annahme_link (client_id, angebot_id, code_hash, empfaenger, gueltig_bis, angelegt_von)
  values (
    offer.client_id, offer.id, encode(sha256(convert_to(made, 'UTF8')), 'hex'), who, until,
    left(coalesce(rechte.wer(), 'System'), 200)
  )
  returning annahme_link.id into link_id;
  perform rechte.protokolliere(
    'angebot', offer.id, offer.client_id, 'link_angelegt',
    jsonb_build_object('link_id', link_id, 'gueltig_bis', until)
  );
  return query select link_id, made, until;
end $$;

-- Definer, see above. What was used or withdrawn stays so.
create or replace function app.a_revoke_annahme_link(link_id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare link app.annahme_link;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  select l.* into link from app.annahme_link l where l.id = a_revoke_annahme_link.link_id;
  perform rechte.refuse_unless(link.id is not null);
  if link.benutzt_am is not null then
    raise sqlstate 'PT409' using message = 'used already', hint = 'link_benutzt';
  end if;
  if link.zurueckgezogen_am is not null then
    raise sqlstate 'PT409' using message = 'withdrawn already', hint = 'link_zurueckgezogen';
  end if;
  update app.annahme_link l set
    zurueckgezogen_am = now(), zurueckgezogen_von = left(coalesce(rechte.wer(), 'System'), 200)
  where l.id = link.id;
  perform rechte.protokolliere(
    'angebot', link.angebot_id, link.client_id, 'link_zurueckgezogen', jsonb_build_object('link_id', link.id)
  );
end $$;

-- Definer: where a link stands depends on the offer. The newest first; the code is not among it.
create or replace function app.a_get_annahme_links(offer_id bigint)
  returns table (
    id bigint, empfaenger text, gueltig_bis date, stand text, angelegt_am timestamptz, angelegt_von text,
    benutzt_am timestamptz, benutzt_von text, zurueckgezogen_am timestamptz, zurueckgezogen_von text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  return query
    select l.id, l.empfaenger, l.gueltig_bis, rechte.annahme_stand(l, a), l.angelegt_am, l.angelegt_von,
      l.benutzt_am, l.benutzt_von, l.zurueckgezogen_am, l.zurueckgezogen_von
    from app.annahme_link l join app.angebot a on a.id = l.angebot_id
    where l.angebot_id = a_get_annahme_links.offer_id
    order by l.id desc;
end $$;

-- One-time links: whoever holds one -------------------------------------------------------------------------

-- Definer: the one who asks is nobody here, and what they hold is the code. For the server's own pages (not
-- published): it takes the code, hashes it and asks with the hash.
-- A hash that is known to no link answers as little as one of the wrong form. `stand`: annahme_stand, or
-- 'unbekannt'. Of what cannot be decided no more is said than whom to ask.
create or replace function rechte.annahme_ansehen(code_hash text)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare
  link app.annahme_link;
  offer app.angebot;
  stand text;
begin
  select l.* into link from app.annahme_link l where l.code_hash = annahme_ansehen.code_hash;
  if not found
    or exists (select from app.kunde k where k.client_id = link.client_id and k.gesperrt_bis is not null)
  then
    return jsonb_build_object('stand', 'unbekannt');
  end if;
  select a.* into offer from app.angebot a where a.id = link.angebot_id;
  stand := rechte.annahme_stand(link, offer);
  return jsonb_build_object('stand', stand, 'anbieter', rechte.angebot_ansicht(offer) -> 'anbieter')
    || case stand
      when 'offen' then jsonb_build_object(
        'empfaenger', link.empfaenger, 'link_bis', link.gueltig_bis, 'angebot_id', offer.id,
        'angebot', rechte.angebot_ansicht(offer)
      )
      when 'benutzt' then jsonb_build_object(
        'angenommen', offer.status = 'angenommen', 'benutzt_am', link.benutzt_am,
        'nummer', offer.beleg ->> 'nummer'
      )
      else '{}'
    end;
end $$;

-- Definer: as above. Decides once: of two at the same moment the second one waits for the lock of the books
-- and then finds the link used. Answers as annahme_ansehen does, and says with `entschieden` whether it was
-- this call.
create or replace function rechte.annahme_entscheiden(
  code_hash text, angenommen boolean, name text, bemerkung text default '', positionen bigint[] default null
) returns jsonb language plpgsql set search_path = pg_catalog as $$
declare
  link app.annahme_link;
  who text := btrim(coalesce(annahme_entscheiden.name, ''));
  seen jsonb;
begin
  perform rechte.check_value(who <> '', 'name', 'fehlt'),
    rechte.check_value(rechte.is_line(who, 200), 'name', 'zeile_200');
  perform rechte.check_value(
    rechte.is_text(rechte.mehrzeilig(annahme_entscheiden.bemerkung), 2000), 'bemerkung', 'text_2000'
  );
  perform rechte.check_value(
    annahme_entscheiden.angenommen is not null, 'angenommen', 'angebot_entscheidung'
  );
  perform rechte.check_anbieter();
  -- Nobody waits for the books, or keeps others waiting, for a code that leads nowhere.
  seen := rechte.annahme_ansehen(annahme_entscheiden.code_hash);
  if seen ->> 'stand' <> 'offen' then return seen || jsonb_build_object('entschieden', false); end if;
  perform rechte.buch_sperre();
  select l.* into link
  from app.annahme_link l
  where l.code_hash = annahme_entscheiden.code_hash for update;
  seen := rechte.annahme_ansehen(annahme_entscheiden.code_hash);
  if seen ->> 'stand' is distinct from 'offen' then
    return seen || jsonb_build_object('entschieden', false);
  end if;
  perform rechte.angebot_entscheiden(
    link.angebot_id, annahme_entscheiden.angenommen, who, 'link', coalesce(annahme_entscheiden.bemerkung, ''),
    annahme_entscheiden.positionen
  );
  update app.annahme_link l set benutzt_am = now(), benutzt_von = who where l.id = link.id;
  perform rechte.protokolliere(
    'angebot', link.angebot_id, link.client_id, 'link_benutzt', jsonb_build_object('link_id', link.id), who
  );
  return rechte.annahme_ansehen(annahme_entscheiden.code_hash) || jsonb_build_object('entschieden', true);
end $$;

-- Notices ---------------------------------------------------------------------------------------------------

-- The bookkeeping: a customer has declined an offer.
create or replace function rechte.melde_angebot_abgelehnt(
  angebot_id bigint, bezeichnung text, client_id bigint
) returns integer language sql set search_path = pg_catalog as $$
  select rechte.melde(
    'angebot_abgelehnt', rechte.leute_mit_status('apus_admin', 'admin'), 'angebot/' || angebot_id,
    jsonb_build_object(
      'angebot', bezeichnung,
      'kunde', (select k.name from app.kunde k where k.client_id = melde_angebot_abgelehnt.client_id)
    ),
    '/buchhaltung/angebote/angebot/' || angebot_id, client_id
  )
$$;
-- A customer's admins, in both halves: something was issued to them.
create or replace function rechte.melde_dokument(art text, id bigint, nummer text, client_id bigint)
  returns integer language sql set search_path = pg_catalog as $$
  select rechte.melde(
    'dokument_neu', rechte.leute_von_kunde(client_id, 'kundenadmin', 'admin'),
    melde_dokument.art || '/' || id, jsonb_build_object('art', melde_dokument.art, 'nummer', nummer),
    '/dokumente/' || case melde_dokument.art when 'angebot' then 'angebot' else 'rechnung' end || '/' || id,
    client_id
  )
$$;
revoke execute on function rechte.melde_angebot_abgelehnt(bigint, text, bigint),
  rechte.melde_dokument(text, bigint, text, bigint) from public;
grant execute on function rechte.melde_angebot_abgelehnt(bigint, text, bigint),
  rechte.melde_dokument(text, bigint, text, bigint) to forst_definer;

-- Definer: notices are closed. Told in the transaction of what they tell. What the office notes itself it
-- does not tell itself.
create or replace function rechte.melde_beleg()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  before jsonb := case tg_op when 'UPDATE' then to_jsonb(old) else '{}' end;
  after jsonb := to_jsonb(new);
begin
  if after ->> 'ausgestellt_am' is not null and before ->> 'ausgestellt_am' is null then
    perform rechte.melde_dokument(
      case tg_table_name when 'angebot' then 'angebot' else after ->> 'art' end, new.id,
      coalesce(new.beleg ->> 'nummer', new.nummer), new.client_id
    );
  elsif tg_table_name = 'angebot'
    and after ->> 'status' is distinct from before ->> 'status'
    and after ->> 'entschieden_als' in ('portal', 'link')
  then
    if after ->> 'status' = 'angenommen' then
      perform rechte.melde_angebot_angenommen(new.id, new.beleg ->> 'nummer', new.client_id);
    end if;
    if after ->> 'status' = 'abgelehnt' then
      perform rechte.melde_angebot_abgelehnt(new.id, new.beleg ->> 'nummer', new.client_id);
    end if;
  end if;
  return null;
end $$;
select rechte.define('rechte.melde_beleg()');
create or replace trigger z_meldung after insert or update on app.rechnung
  for each row when (current_user <> 'forst_betrieb') execute function rechte.melde_beleg();
create or replace trigger z_meldung after insert or update on app.angebot
  for each row when (current_user <> 'forst_betrieb') execute function rechte.melde_beleg();

do $$
declare entry regprocedure;
begin
  foreach entry in array array[
    'app.__o_get_dokumente()', 'app.__o_get_angebot(bigint)',
    'app.__o_decide_offer(bigint, boolean, text, bigint[])', 'app.a_add_annahme_link(bigint, text, date)',
    'app.a_revoke_annahme_link(bigint)', 'app.a_get_annahme_links(bigint)', 'rechte.annahme_ansehen(text)',
    'rechte.annahme_entscheiden(text, boolean, text, text, bigint[])'
  ]::regprocedure[] loop
    perform rechte.define(entry);
    execute format('grant execute on function %s to nutzer', entry);
  end loop;
end $$;
grant execute on function rechte.annahme_ansehen(text) to forst_definer;
