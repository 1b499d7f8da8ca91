-- What customers see and decide of the documents issued to them: their admins in the application, and holders
-- of a one-time link without signing in.
-- All of them have no access to the books. apus_admin creates and withdraws the links.

select rights.protect('app.annahme_link');
grant select, insert, update, delete on app.annahme_link to forst_definer;
-- Every column except the code's hash, against which codes could be tried.
grant select (
  id, client_id, angebot_id, empfaenger, gueltig_bis, angelegt_am, angelegt_von, benutzt_am, benutzt_von,
  zurueckgezogen_am, zurueckgezogen_von
) on app.annahme_link to nutzer;
create policy buchhaltung on app.annahme_link for select to nutzer
  using ((select rights.has_role('apus_admin')));

-- A link is used or withdrawn once, and nothing else of it changes, for any role. Only names are replaced
-- when a person's data are deleted.
create or replace function books.check_link_frozen()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  free text[] := case
    when num_nonnulls(old.benutzt_am, old.zurueckgezogen_am) = 0 then
      '{benutzt_am,benutzt_von,zurueckgezogen_am,zurueckgezogen_von}'
    else '{}'
  end;
begin
  if new.angelegt_von like 'gelöschte Person %' then free := free || 'angelegt_von'::text; end if;
  if new.zurueckgezogen_von like 'gelöschte Person %' and old.zurueckgezogen_am is not null then
    free := free || 'zurueckgezogen_von'::text;
  end if;
  if to_jsonb(new) - free <> to_jsonb(old) - free then
    perform books.refuse_issued('annahme_link ' || old.id);
  end if;
  return new;
end $$;
create or replace trigger a_fest before update on app.annahme_link
  for each row execute function books.check_link_frozen();

-- State of a link including its offer: 'offen', or the first reason why it cannot decide (any more).
create or replace function books.acceptance_state(link app.annahme_link, offer app.angebot)
  returns text language sql stable set search_path = pg_catalog as $$
  select case
    when (link).zurueckgezogen_am is not null then 'zurueckgezogen'
    when (link).benutzt_am is not null then 'benutzt'
    when (offer).status = 'ersetzt' then 'ersetzt'
    when (offer).status <> 'versendet' then 'entschieden'
    when ((offer).beleg ->> 'gueltig_bis')::date < checks.today() then 'angebot_abgelaufen'
    when (link).gueltig_bis < checks.today() then 'abgelaufen'
    else 'offen'
  end
$$;
grant execute on function books.acceptance_state(app.annahme_link, app.angebot) to forst_definer;

-- The offer as its customer reads it before deciding: from the frozen document, plus the lines chosen.
-- Contains nothing else from the books.
create or replace function books.angebot_view(offer app.angebot)
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
      when (offer).status = 'versendet' and (b ->> 'gueltig_bis')::date < checks.today() then 'abgelaufen'
      else (offer).status
    end,
    'entschieden_am', (offer).entschieden_am, 'entschieden_von', (offer).entschieden_von,
    'entschieden_als', (offer).entschieden_als, 'entscheidung', (offer).entscheidung,
    'positionen', coalesce((
      select jsonb_agg(
        line
        -- What is not printed is ours.
        || case when (line ->> 'erl_on')::boolean then '{}' else '{"erl": "", "erl_titel": ""}'::jsonb end
        || jsonb_build_object(
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
grant execute on function books.angebot_view(app.angebot) to forst_definer;

-- In the application ----------------------------------------------------------------------------------------

do $$
begin
  if exists (
    select from pg_proc p
    where p.oid = to_regprocedure('app.__o_get_dokumente()') and not 'einzug' = any (p.proargnames)
  ) then
    drop function app.__o_get_dokumente();
  end if;
end $$;
-- Definer: a customer's admins see summaries of what was issued to their own customer, but have no access to
-- the books. Never a draft. `entscheidbar`: waits for their decision. `faellig` of an offer: last day it is
-- valid; its `betrag` once accepted: what was ordered. `bezug`: for a Storno the cancelled invoice, for an
-- invoice its Storno. `einzug`: we will collect it. `xml`: there is an e-invoice to download.
create or replace function app.__o_get_dokumente()
  returns table (
    art text, id bigint, client_id bigint, kunde text, nummer text, datum date, faellig date, betrag text,
    offen text, stand text, entscheidbar boolean, formate text[], xml boolean, bezug text,
    entschieden_am timestamptz, entschieden_von text, einzug jsonb
  ) language plpgsql stable set search_path = pg_catalog as $$
declare own bigint[] := rights.kunden_as('kundenadmin', 'appuser_admin');
begin
  return query
    select l.art, l.id, l.client_id, l.kunde, l.nummer, l.rn_datum, l.faellig,
      case when l.art in ('storno', 'korrektur') then l.brutto else l.zahlbetrag end::text, l.offen::text,
      l.stand, false, array(select d.art from app.dokument d where d.rechnung_id = l.id order by d.art),
      coalesce(r.beleg ->> 'format' in ('xrechnung', 'zugferd'), false),
      case when l.art in ('storno', 'korrektur') then r.beleg #>> '{bezug,nummer}' else l.storno_nummer end,
      null::timestamptz, null::text,
      case
        when l.offen > 0 and books.einzug_stand(l.id) in ('geplant', 'datei') then (
          -- The day of the file, which may be later than the announced one.
          select r.beleg -> 'einzug'
            || jsonb_build_object('tag', coalesce(max(g.tag)::text, r.beleg #>> '{einzug,tag}'))
          from app.sepa_posten p join app.sepa_lauf g on g.id = p.lauf_id
          where p.rechnung_id = l.id and g.zurueckgezogen_am is null and r.beleg ? 'einzug'
        )
      end
    from app.rechnung_liste l join app.rechnung r on r.id = l.id
    where l.client_id = any (own) and l.zustand = 'ausgestellt'
    union all
    select 'angebot', a.id, a.client_id, k.name, books.angebot_number(a.nummer, a.fassung), a.an_datum,
      (a.beleg ->> 'gueltig_bis')::date, coalesce(a.auftrag_brutto, a.brutto)::text, '0.00',
      case
        when a.status = 'versendet' and (a.beleg ->> 'gueltig_bis')::date < checks.today() then 'abgelaufen'
        else a.status
      end,
      a.status = 'versendet'
        and coalesce((a.beleg ->> 'gueltig_bis')::date >= checks.today(), true)
        and not rights.is_provider(),
      array(select d.art from app.dokument d where d.angebot_id = a.id order by d.art), false, null,
      a.entschieden_am, a.entschieden_von, null::jsonb
    from app.angebot a join app.kunde k on k.client_id = a.client_id
    where a.client_id = any (own) and a.beleg is not null
    order by 6 desc, 2 desc;
end $$;
select rights.define('app.__o_get_dokumente()');
grant execute on function app.__o_get_dokumente() to nutzer;

-- Definer: as above. An offer to one of the caller's customers with its lines, as it was sent.
create or replace function app.__o_get_angebot(offer_id bigint)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare offer app.angebot;
begin
  select a.* into offer
  from app.angebot a
  where a.id = __o_get_angebot.offer_id
    and a.beleg is not null
    and a.client_id = any (rights.kunden_as('kundenadmin', 'appuser_admin'));
  perform rights.refuse_unless(offer.id is not null);
  return books.angebot_view(offer);
end $$;
select rights.define('app.__o_get_angebot(bigint)');
grant execute on function app.__o_get_angebot(bigint) to nutzer;

-- Whether the caller works for the provider, by their record or by the roles of their token. The provider
-- does not decide its own offers, whatever links its people have.
create or replace function rights.is_provider()
  returns boolean language sql stable set search_path = pg_catalog as $$
  select coalesce(rights.is_staff(rights.user_id()), false)
    or rights.has_any('ogf_admin', 'ogf_team', 'apus_admin', 'apus_team')
$$;
grant execute on function rights.is_provider() to forst_definer;
create or replace function rights.refuse_provider()
  returns void language plpgsql stable set search_path = pg_catalog as $$
begin
  if rights.is_provider() then
    raise sqlstate 'PT403'
      using message = 'the provider does not answer its own offers', hint = 'anbieter_entscheidet';
  end if;
end $$;
grant execute on function rights.refuse_provider() to forst_definer;

-- Definer: as above. Accepts or rejects an offer to one of the caller's customers that was sent and is still
-- valid; records who and when. Decisions on paper are entered by the office (app.a_decide_offer).
create or replace function app.__o_decide_offer(
  offer_id bigint, angenommen boolean, bemerkung text default '', positionen bigint[] default null
) returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_provider();
  perform rights.refuse_unless(exists (
    select from app.angebot a
    where a.id = __o_decide_offer.offer_id
      and a.beleg is not null
      and a.client_id = any (rights.kunden_as('kundenadmin', 'appuser_admin'))
  ));
  perform checks.check_value(
    checks.is_text(books.multiline(__o_decide_offer.bemerkung), 2000), 'bemerkung', 'text_2000'
  );
  perform books.lock();
  perform books.decide_angebot(
    __o_decide_offer.offer_id, __o_decide_offer.angenommen, rights.caller_name(), 'portal',
    coalesce(__o_decide_offer.bemerkung, ''), __o_decide_offer.positionen
  );
end $$;
select rights.define('app.__o_decide_offer(bigint, boolean, text, bigint[])');
grant execute on function app.__o_decide_offer(bigint, boolean, text, bigint[]) to nutzer;

-- One-time links: the office --------------------------------------------------------------------------------

-- Definer: nobody has a grant to write these tables, as in all of the bookkeeping. Returns the code, this
-- once only: 32 bytes with 244 random bits.
create or replace function app.a_add_annahme_link(
  offer_id bigint, empfaenger text, gueltig_bis date default null
) returns table (id bigint, code text, bis date) language plpgsql set search_path = pg_catalog as $$
declare
  offer app.angebot;
  who text := btrim(coalesce(a_add_annahme_link.empfaenger, ''));
  maker text := left(coalesce(rights.caller_name(), 'System'), 200);
  last date;
  until date;
  made text;
  link_id bigint;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  select a.* into offer
  from app.angebot a
  where a.id = a_add_annahme_link.offer_id and a.beleg is not null;
  perform rights.check_found(found);
  perform books.beleg_kunde(offer.client_id);
  if offer.status <> 'versendet' then
    raise sqlstate 'PT409' using message = 'decided or replaced', hint = 'link_angebot';
  end if;
  last := (offer.beleg ->> 'gueltig_bis')::date;
  if last < checks.today() then
    raise sqlstate 'PT409' using message = 'the offer has expired', hint = 'angebot_abgelaufen';
  end if;
  perform checks.check_value(who <> '', 'empfaenger', 'fehlt'),
    checks.check_value(checks.is_line(who, 200), 'empfaenger', 'zeile_200');
  until := coalesce(a_add_annahme_link.gueltig_bis, last);
  perform checks.check_value(until between checks.today() and last, 'gueltig_bis', 'link_gueltig');
  -- Each link is valid for the whole offer; more than 20 would be a mistake.
  if (
    select count(*)
    from app.annahme_link l
    where l.angebot_id = offer.id
      and num_nonnulls(l.benutzt_am, l.zurueckgezogen_am) = 0
      and l.gueltig_bis >= checks.today()
  ) >= 20 then
    raise sqlstate 'PT409' using message = 'too many links', hint = 'link_viele';
  end if;
  -- Withdrawn ones count as well: each stays in the log of the books for ever.
  if (
    select count(*)
    from (
      select l.angebot_id, l.angelegt_von, l.angelegt_am
      from app.annahme_link l
      order by l.id desc limit 400
    ) l
    where l.angelegt_am > now() - interval '1 hour' and (l.angebot_id = offer.id or l.angelegt_von = maker)
  ) >= 100 then
    raise sqlstate 'PT429' using message = 'too many links within an hour', hint = 'link_stunde';
  end if;
  made := rtrim(
    translate(
      encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/', '-_'
    ),
    '='
  );
  insert into app.annahme_link (client_id, angebot_id, code_hash, empfaenger, gueltig_bis, angelegt_von)
  values (offer.client_id, offer.id, encode(sha256(convert_to(made, 'UTF8')), 'hex'), who, until, maker)
  returning annahme_link.id into link_id;
  perform books.record(
    'angebot', offer.id, offer.client_id, 'link_angelegt',
    jsonb_build_object('link_id', link_id, 'gueltig_bis', until)
  );
  return query select link_id, made, until;
end $$;
select rights.define('app.a_add_annahme_link(bigint, text, date)');
grant execute on function app.a_add_annahme_link(bigint, text, date) to nutzer;

-- Definer: see above. Used or withdrawn links stay as they are.
create or replace function app.a_revoke_annahme_link(link_id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare link app.annahme_link;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  select l.* into link from app.annahme_link l where l.id = a_revoke_annahme_link.link_id;
  perform rights.refuse_unless(link.id is not null);
  if link.benutzt_am is not null then
    raise sqlstate 'PT409' using message = 'used already', hint = 'link_benutzt';
  end if;
  if link.zurueckgezogen_am is not null then
    raise sqlstate 'PT409' using message = 'withdrawn already', hint = 'link_zurueckgezogen';
  end if;
  update app.annahme_link l set
    zurueckgezogen_am = now(), zurueckgezogen_von = left(coalesce(rights.caller_name(), 'System'), 200)
  where l.id = link.id;
  perform books.record(
    'angebot', link.angebot_id, link.client_id, 'link_zurueckgezogen', jsonb_build_object('link_id', link.id)
  );
end $$;
select rights.define('app.a_revoke_annahme_link(bigint)');
grant execute on function app.a_revoke_annahme_link(bigint) to nutzer;

-- Definer: the state of a link depends on the offer. Newest first, without the codes.
create or replace function app.a_get_annahme_links(offer_id bigint)
  returns table (
    id bigint, empfaenger text, gueltig_bis date, stand text, angelegt_am timestamptz, angelegt_von text,
    benutzt_am timestamptz, benutzt_von text, zurueckgezogen_am timestamptz, zurueckgezogen_von text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  return query
    select l.id, l.empfaenger, l.gueltig_bis, books.acceptance_state(l, a), l.angelegt_am, l.angelegt_von,
      l.benutzt_am, l.benutzt_von, l.zurueckgezogen_am, l.zurueckgezogen_von
    from app.annahme_link l join app.angebot a on a.id = l.angebot_id
    where l.angebot_id = a_get_annahme_links.offer_id
    order by l.id desc;
end $$;
select rights.define('app.a_get_annahme_links(bigint)');
grant execute on function app.a_get_annahme_links(bigint) to nutzer;

-- One-time links: the holder --------------------------------------------------------------------------------

-- Definer: the holder of a code has no account here. For the server's own pages, not published: the server
-- hashes the code and passes the hash.
-- An unknown hash gets the same answer as a malformed one. `stand`: see books.acceptance_state, or
-- 'unbekannt'. If nothing can be decided, the answer says only whom to contact.
create or replace function books.view_acceptance(code_hash text)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare
  link app.annahme_link;
  offer app.angebot;
  stand text;
begin
  select l.* into link from app.annahme_link l where l.code_hash = view_acceptance.code_hash;
  if not found
    or exists (select from app.kunde k where k.client_id = link.client_id and k.gesperrt_bis is not null)
  then
    return jsonb_build_object('stand', 'unbekannt');
  end if;
  select a.* into offer from app.angebot a where a.id = link.angebot_id;
  stand := books.acceptance_state(link, offer);
  return jsonb_build_object('stand', stand, 'anbieter', books.angebot_view(offer) -> 'anbieter') || case stand
    when 'offen' then jsonb_build_object(
      'empfaenger', link.empfaenger, 'link_bis', link.gueltig_bis, 'angebot_id', offer.id,
      'angebot', books.angebot_view(offer)
    )
    when 'benutzt' then jsonb_build_object(
      'angenommen', offer.status = 'angenommen', 'benutzt_am', link.benutzt_am,
      'nummer', offer.beleg ->> 'nummer'
    )
    else '{}'
  end;
end $$;
select rights.define('books.view_acceptance(text)');
grant execute on function books.view_acceptance(text) to nutzer, forst_definer;

-- Definer: as above. Decides once: of two simultaneous calls the second waits for the lock of the books and
-- then finds the link used. Returns what books.view_acceptance returns, and `entschieden`: whether this call
-- decided.
create or replace function books.decide_acceptance(
  code_hash text, accepted boolean, name text, bemerkung text default '', positions bigint[] default null
) returns jsonb language plpgsql set search_path = pg_catalog as $$
declare
  link app.annahme_link;
  who text := btrim(coalesce(decide_acceptance.name, ''));
  seen jsonb;
begin
  perform checks.check_value(who <> '', 'name', 'fehlt'),
    checks.check_value(checks.is_line(who, 200), 'name', 'zeile_200');
  perform checks.check_value(
    checks.is_text(books.multiline(decide_acceptance.bemerkung), 2000), 'bemerkung', 'text_2000'
  );
  perform checks.check_value(decide_acceptance.accepted is not null, 'angenommen', 'angebot_entscheidung');
  perform rights.refuse_provider();
  -- Checked before the lock, so that codes that lead nowhere neither wait for the books nor block them.
  seen := books.view_acceptance(decide_acceptance.code_hash);
  if seen ->> 'stand' <> 'offen' then return seen || jsonb_build_object('entschieden', false); end if;
  perform books.lock();
  select l.* into link
  from app.annahme_link l
  where l.code_hash = decide_acceptance.code_hash for update;
  seen := books.view_acceptance(decide_acceptance.code_hash);
  if seen ->> 'stand' is distinct from 'offen' then
    return seen || jsonb_build_object('entschieden', false);
  end if;
  perform books.decide_angebot(
    link.angebot_id, decide_acceptance.accepted, who, 'link', coalesce(decide_acceptance.bemerkung, ''),
    decide_acceptance.positions
  );
  update app.annahme_link l set benutzt_am = now(), benutzt_von = who where l.id = link.id;
  perform books.record(
    'angebot', link.angebot_id, link.client_id, 'link_benutzt', jsonb_build_object('link_id', link.id), who
  );
  return books.view_acceptance(decide_acceptance.code_hash) || jsonb_build_object('entschieden', true);
end $$;
select rights.define('books.decide_acceptance(text, boolean, text, text, bigint[])');
grant execute on function books.decide_acceptance(text, boolean, text, text, bigint[]) to nutzer;

-- Notices ---------------------------------------------------------------------------------------------------

-- To the bookkeeping: a customer rejected an offer.
create or replace function notices.notify_angebot_declined(angebot_id bigint, label text, client_id bigint)
  returns integer language sql set search_path = pg_catalog as $$
  select notices.notify(
    'angebot_abgelehnt', notices.people_with_status('apus_admin', 'admin'), 'angebot/' || angebot_id,
    jsonb_build_object(
      'angebot', label,
      'kunde', (select k.name from app.kunde k where k.client_id = notify_angebot_declined.client_id)
    ),
    '/buchhaltung/angebote/angebot/' || angebot_id, client_id
  )
$$;
grant execute on function notices.notify_angebot_declined(bigint, text, bigint) to forst_definer;
-- To a customer's admins in both halves: a document was issued to them.
create or replace function notices.notify_document(art text, id bigint, nummer text, client_id bigint)
  returns integer language sql set search_path = pg_catalog as $$
  select notices.notify(
    'dokument_neu', notices.people_of_kunde(client_id, 'kundenadmin', 'admin'),
    notify_document.art || '/' || id, jsonb_build_object('art', notify_document.art, 'nummer', nummer),
    '/dokumente/' || case notify_document.art when 'angebot' then 'angebot' else 'rechnung' end || '/' || id,
    client_id
  )
$$;
grant execute on function notices.notify_document(text, bigint, text, bigint) to forst_definer;

-- Definer: notices are closed to nutzer. Created in the transaction of the change they report. The office
-- gets no notice of decisions it entered itself.
create or replace function notices.notify_beleg()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  before jsonb := case tg_op when 'UPDATE' then to_jsonb(old) else '{}' end;
  after jsonb := to_jsonb(new);
begin
  if after ->> 'ausgestellt_am' is not null and before ->> 'ausgestellt_am' is null then
    perform notices.notify_document(
      case tg_table_name when 'angebot' then 'angebot' else after ->> 'art' end, new.id,
      coalesce(new.beleg ->> 'nummer', new.nummer), new.client_id
    );
  elsif tg_table_name = 'angebot'
    and after ->> 'status' is distinct from before ->> 'status'
    and after ->> 'entschieden_als' in ('portal', 'link')
  then
    if after ->> 'status' = 'angenommen' then
      perform notices.notify_angebot_accepted(new.id, new.beleg ->> 'nummer', new.client_id);
    end if;
    if after ->> 'status' = 'abgelehnt' then
      perform notices.notify_angebot_declined(new.id, new.beleg ->> 'nummer', new.client_id);
    end if;
  end if;
  return null;
end $$;
select rights.define('notices.notify_beleg()');
create or replace trigger z_meldung after insert or update on app.rechnung
  for each row when (current_user <> 'forst_betrieb') execute function notices.notify_beleg();
create or replace trigger z_meldung after insert or update on app.angebot
  for each row when (current_user <> 'forst_betrieb') execute function notices.notify_beleg();
