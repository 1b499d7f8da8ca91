-- Offers: drafts; sent with a number and frozen; decided; revised under the same number; billed in part or
-- whole. apus_admin alone. What of them customers may do comes with the documents (dokument.sql): it goes
-- through rechte.angebot_entscheiden.

create or replace function rechte.angebot_beleg(a app.angebot)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select rechte.beleg_gerechnet(jsonb_build_object(
    'fassung', 1, 'art', 'angebot', 'id', a.id::text,
    'nummer', coalesce(rechte.angebot_nummer(a.nummer, a.fassung), ''), 'entwurf', a.status = 'entwurf',
    'format', 'pdf', 'datum', a.an_datum, 'le_date', null, 'le_date_bis', null, 'faellig', null,
    'gueltig_bis', coalesce(a.gueltig_bis, a.an_datum + coalesce(l.angebot_tage, 30)),
    'bearbeiter', a.bearbeiter, 'anrede', a.anrede, 'anschreiben', a.anschreiben, 'zuerl', a.zuerl,
    'ust_satz', a.ust_satz::text, 'rabatt_prozent', a.rabatt_prozent::text, 'rabatt_grund', a.rabatt_grund,
    'skonto', '[]'::jsonb, 'lieferant', rechte.beleg_lieferant(),
    'empfaenger', rechte.beleg_empfaenger(a.client_id, null), 'positionen', rechte.beleg_zeilen(null, a.id),
    'bezug', (
      select jsonb_build_object(
        'art', 'angebot', 'nummer', rechte.angebot_nummer(v.nummer, v.fassung), 'datum', v.an_datum
      )
      from app.angebot v
      where v.id = a.ersetzt
    )
  ), 0)
  from (values (1)) as one(row) left join app.lieferant l on true
$$;

create or replace function rechte.angebot_entwurf(id bigint, version integer default null)
  returns app.angebot language plpgsql set search_path = pg_catalog as $$
declare draft app.angebot;
begin
  select a.* into draft from app.angebot a where a.id = angebot_entwurf.id for update;
  if not found then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  if draft.status <> 'entwurf' then perform rechte.refuse_ausgestellt('angebot ' || draft.id); end if;
  perform rechte.check_version(angebot_entwurf.version, draft.version);
  return draft;
end $$;

create or replace function rechte.angebot_rechnen(id bigint)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  draft app.angebot;
  sums jsonb;
  version integer;
begin
  select a.* into strict draft from app.angebot a where a.id = angebot_rechnen.id;
  sums := rechte.angebot_beleg(draft) -> 'summen';
  update app.angebot a set
    netto = (sums ->> 'netto')::numeric, steuer = (sums ->> 'steuer')::numeric,
    brutto = (sums ->> 'brutto')::numeric
  where a.id = angebot_rechnen.id
  returning a.version into version;
  return version;
end $$;

-- What is left of a quantity; nothing, where more was billed than offered. Credits count the other way.
create or replace function rechte.rest(anzahl numeric, verbraucht numeric)
  returns numeric language sql immutable parallel safe set search_path = pg_catalog
  return case when anzahl >= 0 then greatest(anzahl - verbraucht, 0) else least(anzahl - verbraucht, 0) end;
grant execute on function rechte.rest(numeric, numeric), rechte.dezimal_text(numeric, integer) to nutzer;

-- What is ordered of the lines of an offer, as domain/angebot.ts; both are tried on
-- domain/angebot.cases.json. `basis` is the line (counted from 1) that an alternative stands for: the next
-- one above it that is none itself, within its section. A line whose alternative was chosen becomes what it
-- then is: an alternative that was not taken.
create or replace function rechte.auftrag_zeilen(positionen jsonb)
  returns jsonb language sql immutable set search_path = pg_catalog as $$
  with line as (
    select p, nr, p ->> 'art' as art, coalesce((p ->> 'gewaehlt')::boolean, false) as gewaehlt
    from jsonb_array_elements(positionen) with ordinality as t(p, nr)
  ),
  above as (
    select l.*, max(l.nr) filter (where l.art <> 'alternativ') over (order by l.nr) as davor from line l
  ),
  based as (
    select a.p, a.nr, a.art, a.gewaehlt,
      case when a.art = 'alternativ' and b.art <> 'ueberschrift' then b.nr end as basis
    from above a left join line b on b.nr = a.davor
  )
  select coalesce(jsonb_agg(
    b.p || jsonb_build_object('basis', b.basis) || case
      when b.art = 'position' and exists (select from based x where x.basis = b.nr and x.gewaehlt) then
        '{"art": "alternativ", "gewaehlt": false}'::jsonb
      else '{}'
    end order by b.nr
  ), '[]')
  from based b
$$;
-- Of one choice (an optional line or none, and its alternatives) one at most is taken.
create or replace function rechte.auftrag_eindeutig(positionen jsonb)
  returns boolean language sql immutable set search_path = pg_catalog as $$
  select not exists (
    select from jsonb_array_elements(rechte.auftrag_zeilen(positionen)) with ordinality as t(p, nr)
    where p ->> 'art' in ('optional', 'alternativ')
      and (p ->> 'gewaehlt')::boolean
      and (p ->> 'art' = 'optional' or p ->> 'basis' is not null)
    group by coalesce((p ->> 'basis')::bigint, nr)
    having count(*) > 1
  )
$$;

-- What is offered line by line, and how much of it is billed: by invoices that were issued (a Storno counts
-- negative), and by drafts, which have taken their part already.
create or replace function rechte.angebot_stand(angebot_id bigint)
  returns table (
    position_id bigint, lfd_nr integer, anzahl numeric, abgerechnet numeric, in_entwuerfen numeric
  ) language sql stable set search_path = pg_catalog as $$
  select p.id, p.lfd_nr, p.anzahl, coalesce(sum(b.anzahl) filter (where r.zustand = 'ausgestellt'), 0),
    coalesce(sum(b.anzahl) filter (where r.zustand = 'entwurf'), 0)
  from jsonb_array_elements(rechte.auftrag_zeilen(rechte.beleg_zeilen(null, angebot_stand.angebot_id))) z
    join app.position p on p.id = (z ->> 'id')::bigint
    left join app.position b on b.angebot_position_id = p.id
    left join app.rechnung r on r.id = b.rechnung_id
  where z ->> 'art' = 'position' or (z ->> 'art' <> 'ueberschrift' and (z ->> 'gewaehlt')::boolean)
  group by p.id
$$;
grant execute on function rechte.auftrag_zeilen(jsonb), rechte.angebot_stand(bigint),
  rechte.beleg_zeilen(bigint, bigint), rechte.beleg_summen(jsonb, jsonb) to nutzer;

-- Sums of what was ordered; with `rest`, of what of it no issued invoice bills: what would come to it if all
-- of that were billed at once.
create or replace function rechte.auftrag_summen(a app.angebot, rest boolean default false)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select rechte.beleg_summen(
    jsonb_build_object(
      'rabatt_prozent', a.rabatt_prozent::text, 'ust_satz', a.ust_satz::text, 'anzahlung', '0.00',
      'kleinunternehmer', coalesce((a.beleg #>> '{lieferant,kleinunternehmer}')::boolean, false)
    ),
    (
      select coalesce(jsonb_agg(
        case
          when rest and s.position_id is not null then
            z || jsonb_build_object('anzahl', rechte.rest(s.anzahl, s.abgerechnet)::text)
          else z
        end order by nr
      ), '[]')
      from jsonb_array_elements(
        rechte.auftrag_zeilen(rechte.beleg_zeilen(null, a.id))
      ) with ordinality as t(z, nr)
        left join rechte.angebot_stand(a.id) s on rest and s.position_id = (z ->> 'id')::bigint
    )
  ) -> 'summen'
$$;
grant execute on function rechte.auftrag_summen(app.angebot, boolean) to nutzer;

-- When money of an offer is expected (domain/cashflow.ts): the customer's days for paying after the work, or
-- sixty days after the decision.
create or replace function rechte.erwartet_am(basis date, ende date, zahlungsziel integer)
  returns date language sql immutable parallel safe set search_path = pg_catalog
  return case when ende is null then basis + 60 else ende + zahlungsziel end;
-- Days that a customer has.
create or replace function rechte.zahlungsziel(client_id bigint)
  returns integer language sql stable set search_path = pg_catalog as $$
  select coalesce(
    (select b.zahlungsziel from app.kunde_rechnung b where b.client_id = zahlungsziel.client_id),
    (select l.zahlungsziel from app.lieferant l), 14
  )
$$;
-- Last day of the work that an offer names.
create or replace function rechte.angebot_ende(angebot_id bigint)
  returns date language sql stable set search_path = pg_catalog as $$
  select max(coalesce(p.le_date_bis, p.le_date))
  from app.position p
  where p.angebot_id = angebot_ende.angebot_id
$$;
-- The day from which that counts; nothing of an offer that brings nothing any more.
create or replace function rechte.angebot_basis(a app.angebot)
  returns date language sql stable set search_path = pg_catalog
  return case
    when a.status = 'angenommen' then (a.entschieden_am at time zone 'Europe/Berlin')::date
    when a.status = 'versendet' and (a.beleg ->> 'gueltig_bis')::date >= rechte.heute() then
      (a.beleg ->> 'gueltig_bis')::date
  end;
revoke execute on function rechte.erwartet_am(date, date, integer), rechte.zahlungsziel(bigint),
  rechte.angebot_ende(bigint), rechte.angebot_basis(app.angebot) from public;
grant execute on function rechte.erwartet_am(date, date, integer), rechte.zahlungsziel(bigint),
  rechte.angebot_ende(bigint), rechte.angebot_basis(app.angebot) to nutzer, forst_definer;

-- Dates -----------------------------------------------------------------------------------------------------

-- A revision keeps its number, so it does not move the window.
create or replace function app.a_get_min_an_datum_for_new_offer()
  returns date language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  return (select max(a.an_datum) from app.angebot a where a.beleg is not null and a.fassung = 1);
end $$;

create or replace function app.a_get_minmax_an_datum(an_datum date)
  returns table (min date, max date) language plpgsql stable set search_path = pg_catalog as $$
declare last date := app.a_get_min_an_datum_for_new_offer();
begin
  if a_get_minmax_an_datum.an_datum < last
    and exists (
      select from app.angebot a
      where a.beleg is not null and a.an_datum = a_get_minmax_an_datum.an_datum
    )
  then
    return query select a_get_minmax_an_datum.an_datum, a_get_minmax_an_datum.an_datum;
  else
    return query select last, rechte.heute();
  end if;
end $$;

-- Reads -----------------------------------------------------------------------------------------------------

create or replace view app.angebot_liste with (security_invoker = true) as
  select a.id, a.client_id, k.name as kunde, k.sortname,
    a.suchtext || ' ' || coalesce(k.suchtext, '') as suchtext,
    rechte.angebot_nummer(a.nummer, a.fassung) as nummer, a.fassung, a.an_datum,
    coalesce(a.gueltig_bis, (a.beleg ->> 'gueltig_bis')::date) as gueltig_bis, a.bearbeiter, a.ust_satz,
    a.netto, a.steuer, a.brutto, a.status, a.sign, a.chance,
    case
      when a.status = 'versendet' and (a.beleg ->> 'gueltig_bis')::date < rechte.heute() then 'abgelaufen'
      when a.status = 'angenommen' and o.zeilen > 0 and o.voll = o.zeilen then 'abgerechnet'
      when a.status = 'angenommen' and o.begonnen > 0 then 'teilabgerechnet'
      else a.status
    end as stand,
    a.entschieden_am, a.entschieden_von, a.entschieden_als, a.ersetzt, n.id as ersetzt_durch, a.archiviert,
    a.ausgestellt_am, a.ausgestellt_von, a.version, a.geaendert_am, a.geaendert_von, a.auftrag_netto,
    a.auftrag_brutto, coalesce(a.auftrag_netto, a.netto) as gilt_netto,
    coalesce(a.auftrag_brutto, a.brutto) as gilt_brutto,
    -- Gross: ordered and not billed; and what a sent offer brings by its chance, while it can still be
    -- accepted (domain/cashflow.ts).
    (case
      when a.status <> 'angenommen' or o.zeilen = o.voll then 0
      when o.begonnen = 0 and a.auftrag_brutto is not null then a.auftrag_brutto
      else (rechte.auftrag_summen(a, true) ->> 'brutto')::numeric
    end)::numeric(14, 2) as rest_brutto,
    (case
      when a.status = 'versendet' and (a.beleg ->> 'gueltig_bis')::date >= rechte.heute() then
        round(a.brutto * coalesce(a.chance, 50) * 0.01, 2)
      else 0
    end)::numeric(14, 2) as gewichtet,
    (case
      when a.status <> 'angenommen' or o.zeilen <> o.voll then greatest(
        rechte.erwartet_am(
          rechte.angebot_basis(a), rechte.angebot_ende(a.id), rechte.zahlungsziel(a.client_id)
        ),
        case when rechte.angebot_basis(a) is not null then rechte.heute() end
      )
    end) as erwartet_am,
    case
      when a.status <> 'entwurf' then (
        select case
          when bool_or(v.zustand = 'gesendet') then 'gesendet'
          when bool_or(v.zustand = 'wartet') then 'wartet'
          when count(*) > 0 then 'fehlgeschlagen'
          else 'nicht'
        end
        from app.versand v
        where v.angebot_id = a.id
      )
    end as versand
  from app.angebot a
    left join app.kunde k on k.client_id = a.client_id
    left join app.angebot n on n.ersetzt = a.id
    left join lateral (
      select count(*) as zeilen, count(*) filter (where s.abgerechnet <> 0) as begonnen,
        count(*) filter (where abs(s.abgerechnet) >= abs(s.anzahl)) as voll
      from rechte.angebot_stand(a.id) s
      where a.status = 'angenommen'
    ) o on true;
revoke all on app.angebot_liste from public, nutzer;
grant select on app.angebot_liste to nutzer, forst_definer;

-- What they answer has grown.
drop function if exists app.a_get_offers();
create or replace function app.a_get_offers()
  returns table (
    id bigint, client_id bigint, kunde text, nummer text, fassung integer, stand text, status text,
    sign boolean, an_datum date, gueltig_bis date, bearbeiter text, ust_satz text, netto text, steuer text,
    brutto text, chance integer, ersetzt bigint, ersetzt_durch bigint, archiviert boolean, version integer,
    auftrag_netto text, auftrag_brutto text, rest_brutto text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select l.id, l.client_id, l.kunde, l.nummer, l.fassung, l.stand, l.status, l.sign, l.an_datum,
      l.gueltig_bis, l.bearbeiter, l.ust_satz::text, l.netto::text, l.steuer::text, l.brutto::text, l.chance,
      l.ersetzt, l.ersetzt_durch, l.archiviert, l.version, l.auftrag_netto::text, l.auftrag_brutto::text,
      l.rest_brutto::text
    from app.angebot_liste l
    order by l.an_datum desc, l.id desc;
end $$;

drop function if exists app.a_get_offer_details(bigint);
create or replace function app.a_get_offer_details(offer_id bigint)
  returns table (
    id bigint, client_id bigint, kunde text, bearbeiter text, an_datum date, gueltig_bis date, anrede text,
    anschreiben text, zuerl text, ust_satz text, status text, sign boolean, stand text, nummer text,
    fassung integer, ersetzt bigint, ersetzt_durch bigint, chance integer, rabatt_prozent text,
    rabatt_grund text, netto text, steuer text, brutto text, ausgestellt_am timestamptz, ausgestellt_von text,
    entschieden_am timestamptz, entschieden_von text, entschieden_als text, entscheidung text,
    archiviert boolean, version integer, geaendert_am timestamptz, geaendert_von text, auftrag_netto text,
    auftrag_brutto text, rest_brutto text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select a.id, a.client_id, l.kunde, a.bearbeiter, a.an_datum, l.gueltig_bis, a.anrede, a.anschreiben,
      a.zuerl, a.ust_satz::text, a.status, a.sign, l.stand, l.nummer, a.fassung, a.ersetzt, l.ersetzt_durch,
      a.chance, a.rabatt_prozent::text, a.rabatt_grund, a.netto::text, a.steuer::text, a.brutto::text,
      a.ausgestellt_am, a.ausgestellt_von, a.entschieden_am, a.entschieden_von, a.entschieden_als,
      a.entscheidung, a.archiviert, a.version, a.geaendert_am, a.geaendert_von, a.auftrag_netto::text,
      a.auftrag_brutto::text, l.rest_brutto::text
    from app.angebot a join app.angebot_liste l on l.id = a.id
    where a.id = a_get_offer_details.offer_id;
end $$;

-- As the caller: what of an accepted offer is still to be billed.
create or replace function app.a_get_offer_rest(offer_id bigint)
  returns table (
    position_id bigint, lfd_nr integer, bez text, einheit text, ep text, anzahl text, abgerechnet text,
    in_entwuerfen text, rest text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select s.position_id, s.lfd_nr, p.bez, p.einheit, rechte.dezimal_text(p.ep, 2),
      rechte.dezimal_text(s.anzahl), rechte.dezimal_text(s.abgerechnet), rechte.dezimal_text(s.in_entwuerfen),
      rechte.dezimal_text(rechte.rest(s.anzahl, s.abgerechnet + s.in_entwuerfen))
    from rechte.angebot_stand(a_get_offer_rest.offer_id) s
      join app.position p on p.id = s.position_id
    order by s.lfd_nr;
end $$;

-- Drafts ----------------------------------------------------------------------------------------------------

create or replace function app.a_add_offer(client_id bigint, an_datum date, ust_satz numeric default null)
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  customer app.kunde;
  made bigint;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  customer := rechte.beleg_kunde(a_add_offer.client_id);
  insert into app.angebot (client_id, an_datum, ust_satz, bearbeiter)
  values (
    customer.client_id, coalesce(a_add_offer.an_datum, rechte.heute()),
    coalesce(a_add_offer.ust_satz, (select l.ust_satz from app.lieferant l), 19),
    left(coalesce(rechte.wer(), ''), 100)
  )
  returning angebot.id into made;
  perform rechte.protokolliere('angebot', made, customer.client_id, 'angelegt');
  return made;
end $$;

-- As rechte.rechnung_setzen. Answers the new version.
create or replace function rechte.angebot_setzen(before app.angebot, werte jsonb)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  neu app.angebot := jsonb_populate_record(before, werte);
  after app.angebot;
  changes jsonb;
  now_version integer;
begin
  if werte ? 'gueltig_bis' and neu.gueltig_bis < coalesce(neu.an_datum, before.an_datum) then
    perform rechte.refuse_feld('gueltig_bis', 'angebot_gueltig', 'ends before it begins');
  end if;
  update app.angebot a set
    bearbeiter = coalesce(btrim(neu.bearbeiter), ''), an_datum = coalesce(neu.an_datum, before.an_datum),
    anrede = rechte.mehrzeilig(neu.anrede), anschreiben = rechte.mehrzeilig(neu.anschreiben),
    zuerl = rechte.mehrzeilig(neu.zuerl), ust_satz = coalesce(neu.ust_satz, before.ust_satz),
    gueltig_bis = neu.gueltig_bis, chance = neu.chance, rabatt_prozent = coalesce(neu.rabatt_prozent, 0),
    rabatt_grund = coalesce(btrim(neu.rabatt_grund), ''), sign = coalesce(neu.sign, before.sign)
  where a.id = before.id;
  now_version := rechte.angebot_rechnen(before.id);
  select a.* into after from app.angebot a where a.id = before.id;
  changes := rechte.unterschied(to_jsonb(before), to_jsonb(after));
  if changes <> '{}' then
    perform rechte.protokolliere('angebot', before.id, before.client_id, 'geaendert', changes);
  end if;
  return now_version;
end $$;

-- Null leaves date, rate, state and signature as they are and makes texts empty. A new state sends or decides
-- the offer; of one that was sent the rest is fixed, so texts that are given must be those that stand there.
create or replace function app.a_update_offer_details(
  bearbeiter text, an_datum date, offer_id bigint, anrede text, anschreiben text, zuerl text,
  ust_satz numeric, status text default null, sign boolean default null, version integer default null
) returns integer language plpgsql set search_path = pg_catalog as $$
declare
  before app.angebot;
  wanted text := a_update_offer_details.status;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  select a.* into before
  from app.angebot a
  where a.id = a_update_offer_details.offer_id for update;
  if not found then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  perform rechte.check_version(a_update_offer_details.version, before.version);
  if wanted is not null and wanted not in ('entwurf', 'versendet', 'angenommen', 'abgelehnt', 'ersetzt') then
    perform rechte.refuse_feld('status', 'angebot_status', 'unknown state');
  end if;
  if before.status = 'entwurf' then
    perform rechte.angebot_setzen(before, jsonb_build_object(
      'bearbeiter', bearbeiter, 'an_datum', an_datum, 'anrede', anrede, 'anschreiben', anschreiben,
      'zuerl', zuerl, 'ust_satz', ust_satz, 'sign', sign
    ));
  elsif a_update_offer_details.bearbeiter is distinct from before.bearbeiter
      and a_update_offer_details.bearbeiter is not null
    or a_update_offer_details.an_datum <> before.an_datum
    or rechte.mehrzeilig(a_update_offer_details.anrede) <> before.anrede
      and a_update_offer_details.anrede is not null
    or rechte.mehrzeilig(a_update_offer_details.anschreiben) <> before.anschreiben
      and a_update_offer_details.anschreiben is not null
    or rechte.mehrzeilig(a_update_offer_details.zuerl) <> before.zuerl
      and a_update_offer_details.zuerl is not null
    or a_update_offer_details.ust_satz <> before.ust_satz
  then
    perform rechte.refuse_ausgestellt('angebot ' || before.id);
  elsif a_update_offer_details.sign <> before.sign then
    update app.angebot a set sign = a_update_offer_details.sign where a.id = before.id;
    perform rechte.protokolliere(
      'angebot', before.id, before.client_id, 'geaendert',
      jsonb_build_object('sign', jsonb_build_array(before.sign, a_update_offer_details.sign))
    );
  end if;
  if wanted is not null and wanted <> before.status then
    case
      when before.status = 'entwurf' and wanted = 'versendet' then
        perform rechte.angebot_ausstellen(before.id);
      when before.status <> 'entwurf' and wanted in ('angenommen', 'abgelehnt') then
        perform rechte.angebot_entscheiden(
          before.id, wanted = 'angenommen', rechte.wer(), 'intern', '', null
        );
      else
        raise sqlstate 'PT409' using message = 'no way from this state to that one', hint = 'angebot_status';
    end case;
  end if;
  return (select a.version from app.angebot a where a.id = before.id);
end $$;

create or replace function app.a_set_offer_terms(
  offer_id bigint, version integer default null, gueltig_bis date default null, chance integer default null,
  rabatt_prozent numeric default 0, rabatt_grund text default ''
) returns integer language plpgsql set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  return rechte.angebot_setzen(
    rechte.angebot_entwurf(a_set_offer_terms.offer_id, a_set_offer_terms.version),
    jsonb_build_object(
      'gueltig_bis', gueltig_bis, 'chance', chance, 'rabatt_prozent', rabatt_prozent,
      'rabatt_grund', rabatt_grund
    )
  );
end $$;

-- A revision stays with the customer of what it revises.
create or replace function app.a_set_client_for_offer(client_id bigint, angebot_id bigint)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  draft app.angebot;
  customer app.kunde;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  draft := rechte.angebot_entwurf(a_set_client_for_offer.angebot_id);
  customer := rechte.beleg_kunde(a_set_client_for_offer.client_id);
  if draft.ersetzt is not null and draft.client_id <> customer.client_id then
    raise sqlstate 'PT409' using message = 'revises an offer of another customer', hint = 'angebot_kunde';
  end if;
  update app.angebot a set client_id = customer.client_id where a.id = draft.id;
  perform rechte.protokolliere(
    'angebot', draft.id, customer.client_id, 'geaendert',
    jsonb_build_object('client_id', jsonb_build_array(draft.client_id, customer.client_id))
  );
  return rechte.angebot_rechnen(draft.id);
end $$;

-- A draft revision that goes gives its predecessor back the state that it had.
create or replace function app.a_delete_offer(offer_id bigint, version integer default null)
  returns void language plpgsql set search_path = pg_catalog as $$
declare draft app.angebot;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  draft := rechte.angebot_entwurf(a_delete_offer.offer_id, a_delete_offer.version);
  delete from app.angebot a where a.id = draft.id;
  update app.angebot a set status = case when a.entschieden_am is null then 'versendet' else 'abgelehnt' end
  where a.id = draft.ersetzt;
  perform rechte.protokolliere('angebot', draft.id, draft.client_id, 'geloescht', jsonb_build_object(
    'netto', draft.netto::text, 'brutto', draft.brutto::text, 'ersetzt', draft.ersetzt
  ));
end $$;

-- Life ------------------------------------------------------------------------------------------------------

-- Within the lock of the books, after the right was asked.
create or replace function rechte.angebot_ausstellen(id bigint, version integer default null)
  returns table (nummer text, an_datum date) language plpgsql set search_path = pg_catalog as $$
declare
  draft app.angebot := rechte.angebot_entwurf(angebot_ausstellen.id, angebot_ausstellen.version);
  frozen jsonb;
  given text;
  sums jsonb;
  earliest date;
begin
  perform rechte.beleg_kunde(draft.client_id);
  earliest := case
    when draft.ersetzt is null then
      (select max(a.an_datum) from app.angebot a where a.beleg is not null and a.fassung = 1)
    else (select a.an_datum from app.angebot a where a.id = draft.ersetzt)
  end;
  if draft.an_datum < earliest then
    perform rechte.refuse_feld('an_datum', 'datum_vor_letzter', 'before the last offer');
  end if;
  if draft.an_datum > rechte.heute() then
    perform rechte.refuse_feld('an_datum', 'datum_zukunft', 'in the future');
  end if;
  if draft.gueltig_bis < draft.an_datum then
    perform rechte.refuse_feld('gueltig_bis', 'angebot_gueltig', 'ends before it begins');
  end if;
  frozen := rechte.angebot_beleg(draft);
  perform rechte.check_beleg(frozen);
  given := coalesce(draft.nummer, rechte.naechste_nummer('angebot', draft.an_datum));
  frozen := frozen
    || jsonb_build_object('nummer', rechte.angebot_nummer(given, draft.fassung), 'entwurf', false);
  sums := frozen -> 'summen';
  update app.angebot a set
    status = 'versendet', nummer = given, gueltig_bis = (frozen ->> 'gueltig_bis')::date,
    ausgestellt_am = now(), ausgestellt_von = coalesce(rechte.wer(), 'System'), beleg = frozen,
    netto = (sums ->> 'netto')::numeric, steuer = (sums ->> 'steuer')::numeric,
    brutto = (sums ->> 'brutto')::numeric
  where a.id = draft.id;
  perform rechte.protokolliere('angebot', draft.id, draft.client_id, 'ausgestellt', jsonb_build_object(
    'nummer', frozen ->> 'nummer', 'datum', draft.an_datum, 'brutto', sums ->> 'brutto',
    'sha256', rechte.beleg_sha256(frozen)
  ));
  return query select frozen ->> 'nummer', draft.an_datum;
end $$;

create or replace function app.a_issue_offer(offer_id bigint, version integer default null)
  returns table (nummer text, an_datum date) language plpgsql set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  return query select * from rechte.angebot_ausstellen(a_issue_offer.offer_id, a_issue_offer.version);
end $$;

-- Accepts or declines. `als`: 'intern' for the office, 'portal' or 'link' for the customer, who is late once
-- the offer has expired. `gewaehlt`: the optional and alternative lines that are taken; null takes none. What
-- was accepted can be declined again until something of it is billed. Within the lock of the books.
create or replace function rechte.angebot_entscheiden(
  id bigint, angenommen boolean, wer text, als text, bemerkung text, gewaehlt bigint[]
) returns void language plpgsql set search_path = pg_catalog as $$
declare
  offer app.angebot;
  chosen bigint[] := coalesce(angebot_entscheiden.gewaehlt, '{}');
  sums jsonb;
begin
  select a.* into offer from app.angebot a where a.id = angebot_entscheiden.id for update;
  if not found then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  if angebot_entscheiden.angenommen is null then
    perform rechte.refuse_feld('angenommen', 'angebot_entscheidung', 'accepted or declined');
  end if;
  if offer.status not in ('versendet', 'angenommen', 'abgelehnt')
    or offer.status = (case when angebot_entscheiden.angenommen then 'angenommen' else 'abgelehnt' end)
    or (als <> 'intern' and offer.status <> 'versendet')
  then
    raise sqlstate 'PT409' using message = 'no way from this state to that one', hint = 'angebot_status';
  end if;
  if als <> 'intern' and (offer.beleg ->> 'gueltig_bis')::date < rechte.heute() then
    raise sqlstate 'PT409' using message = 'the offer has expired', hint = 'angebot_abgelaufen';
  end if;
  if offer.status = 'angenommen'
    and exists (
      select from rechte.angebot_stand(offer.id) s
      where s.abgerechnet <> 0 or s.in_entwuerfen <> 0
    )
  then
    raise sqlstate 'PT409' using message = 'billed in part', hint = 'angebot_abgerechnet';
  end if;
  if exists (
    select from unnest(chosen) c
    where not exists (
      select from app.position p
      where p.id = c and p.angebot_id = offer.id and p.art in ('optional', 'alternativ')
    )
  ) then
    perform rechte.refuse_feld('positionen', 'angebot_auswahl', 'no optional line of this offer');
  end if;
  if not rechte.auftrag_eindeutig((
    select coalesce(
      jsonb_agg(z || jsonb_build_object('gewaehlt', (z ->> 'id')::bigint = any (chosen)) order by nr), '[]'
    )
    from jsonb_array_elements(rechte.beleg_zeilen(null, offer.id)) with ordinality as t(z, nr)
  )) then
    perform rechte.refuse_feld('positionen', 'angebot_alternative', 'two of one choice');
  end if;
  update app.position p set gewaehlt = angebot_entscheiden.angenommen and p.id = any (chosen)
  where p.angebot_id = offer.id
    and p.gewaehlt is distinct from (angebot_entscheiden.angenommen and p.id = any (chosen));
  if angebot_entscheiden.angenommen then sums := rechte.auftrag_summen(offer); end if;
  -- What was put away and is ordered after all comes back.
  update app.angebot a set
    archiviert = a.archiviert and not angebot_entscheiden.angenommen,
    auftrag_netto = (sums ->> 'netto')::numeric, auftrag_steuer = (sums ->> 'steuer')::numeric,
    auftrag_brutto = (sums ->> 'brutto')::numeric,
    status = case when angebot_entscheiden.angenommen then 'angenommen' else 'abgelehnt' end,
    entschieden_am = now(),
    entschieden_von = coalesce(nullif(left(btrim(angebot_entscheiden.wer), 200), ''), 'unbekannt'),
    entschieden_als = als, entscheidung = left(rechte.mehrzeilig(bemerkung), 2000)
  where a.id = offer.id;
  perform rechte.protokolliere(
    'angebot', offer.id, offer.client_id,
    case when angebot_entscheiden.angenommen then 'angenommen' else 'abgelehnt' end,
    jsonb_build_object(
      'als', als, 'bemerkung', left(coalesce(bemerkung, ''), 2000), 'gewaehlt', to_jsonb(chosen)
    ) || case
      when sums is null then '{}'::jsonb
      else jsonb_build_object('netto', sums ->> 'netto', 'brutto', sums ->> 'brutto')
    end,
    case als when 'link' then nullif(left(btrim(angebot_entscheiden.wer), 200), '') end
  );
end $$;

-- What a customer said on paper or by telephone, noted under the clerk's own name; `wer` on the customer's
-- side said it stands before the remark.
create or replace function app.a_decide_offer(
  offer_id bigint, angenommen boolean, wer text default null, bemerkung text default '',
  positionen bigint[] default null
) returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  perform rechte.angebot_entscheiden(
    a_decide_offer.offer_id, a_decide_offer.angenommen, rechte.wer(), 'intern',
    concat_ws(': ', nullif(btrim(a_decide_offer.wer), ''), nullif(btrim(a_decide_offer.bemerkung), '')),
    a_decide_offer.positionen
  );
end $$;

-- Definer. Hides an offer from the list and shows it again; null turns it round. Nothing else changes. What
-- waits for an answer or is to be billed is not put away.
create or replace function app.a_set_archive_for_an(offer_id bigint, archiviert boolean default null)
  returns boolean language plpgsql set search_path = pg_catalog as $$
declare
  offer record;
  wanted boolean;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  select l.id, l.client_id, l.stand, l.archiviert into offer
  from app.angebot_liste l
  where l.id = a_set_archive_for_an.offer_id;
  if not found then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  wanted := coalesce(a_set_archive_for_an.archiviert, not offer.archiviert);
  if wanted and offer.stand not in ('abgelehnt', 'abgelaufen', 'abgerechnet', 'ersetzt') then
    raise sqlstate 'PT409' using message = 'neither settled nor over', hint = 'archiv_angebot_offen';
  end if;
  if wanted is distinct from offer.archiviert then
    update app.angebot a set archiviert = wanted where a.id = offer.id;
    perform rechte.protokolliere('angebot', offer.id, offer.client_id, case
      when wanted then 'archiviert'
      else 'aus_archiv'
    end);
  end if;
  return wanted;
end $$;

-- A draft under the same number with the next revision; what it revises is read only from now on.
create or replace function app.a_revise_offer(offer_id bigint)
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  source app.angebot;
  made bigint;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  select a.* into source from app.angebot a where a.id = a_revise_offer.offer_id for update;
  if not found then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  if source.status not in ('versendet', 'abgelehnt') then
    raise sqlstate 'PT409'
      using message = 'only what was sent or declined is revised', hint = 'angebot_status';
  end if;
  perform rechte.beleg_kunde(source.client_id);
  insert into app.angebot (
    client_id, bearbeiter, an_datum, anrede, anschreiben, zuerl, ust_satz, nummer, fassung, ersetzt, chance,
    rabatt_prozent, rabatt_grund
  )
  values (
    source.client_id, source.bearbeiter, greatest(rechte.heute(), source.an_datum), source.anrede,
    source.anschreiben, source.zuerl, source.ust_satz, source.nummer, source.fassung + 1, source.id,
    source.chance, source.rabatt_prozent, source.rabatt_grund
  )
  returning angebot.id into made;
  insert into app.position (
    client_id, angebot_id, lfd_nr, art, anzahl, einheit, bez, ep, rabatt_prozent, ust_satz, kategorie,
    steuergrund, erl, erl_on, erl_titel, le_date, le_date_bis
  )
  select p.client_id, made, p.lfd_nr, p.art, p.anzahl, p.einheit, p.bez, p.ep, p.rabatt_prozent, p.ust_satz,
    p.kategorie, p.steuergrund, p.erl, p.erl_on, p.erl_titel, p.le_date, p.le_date_bis
  from app.position p
  where p.angebot_id = source.id;
  update app.angebot a set status = 'ersetzt' where a.id = source.id;
  perform rechte.angebot_rechnen(made);
  perform rechte.protokolliere(
    'angebot', source.id, source.client_id, 'ersetzt', jsonb_build_object('durch', made)
  );
  perform rechte.protokolliere(
    'angebot', made, source.client_id, 'angelegt',
    jsonb_build_object('ersetzt', source.id, 'fassung', source.fassung + 1)
  );
  return made;
end $$;

-- More is billed than was offered: refused unless the caller says that it is known.
create or replace function rechte.check_abrechnung(rechnung_id bigint, mehr boolean)
  returns void language plpgsql stable set search_path = pg_catalog as $$
declare over record;
begin
  if mehr then return; end if;
  select o.bez, o.anzahl, sum(b.anzahl) as abgerechnet into over
  from app.position mine
    join app.position o on o.id = mine.angebot_position_id
    join app.position b on b.angebot_position_id = o.id
  where mine.rechnung_id = check_abrechnung.rechnung_id
  group by o.id
  having abs(sum(b.anzahl)) > abs(o.anzahl)
  order by o.lfd_nr limit 1;
  if found then
    perform rechte.refuse_feld(
      'anzahl', 'mehr_als_angeboten', format('%s of %s offered', over.abgerechnet, over.anzahl)
    );
  end if;
end $$;

-- A draft invoice over an accepted offer: `positionen` [{position_id, anzahl}], null all that is left.
-- Headings come along with their lines, the terms of the offer too.
create or replace function app.a_convert_offer(
  offer_id bigint, positionen jsonb default null, rn_datum date default null, le_date date default null,
  mehr boolean default false
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  source app.angebot;
  made bigint;
  wanted jsonb := case
    when jsonb_typeof(a_convert_offer.positionen) = 'null' then null
    else a_convert_offer.positionen
  end;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  select a.* into source from app.angebot a where a.id = a_convert_offer.offer_id for update;
  if not found then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  if source.status <> 'angenommen' then
    raise sqlstate 'PT409' using message = 'not accepted', hint = 'angebot_nicht_angenommen';
  end if;
  perform rechte.beleg_kunde(source.client_id);
  if wanted is null then
    select coalesce(
      jsonb_agg(jsonb_build_object(
        'position_id', s.position_id, 'anzahl', rechte.rest(s.anzahl, s.abgerechnet + s.in_entwuerfen)
      )),
      '[]'
    ) into wanted
    from rechte.angebot_stand(source.id) s
    where rechte.rest(s.anzahl, s.abgerechnet + s.in_entwuerfen) <> 0;
  end if;
  if jsonb_typeof(wanted) <> 'array'
    or exists (
      select from jsonb_array_elements(wanted) w
      where coalesce(w ->> 'position_id', '') !~ '^[0-9]{1,18}$'
        or coalesce(w ->> 'anzahl', '') !~ '^-?[0-9]{1,9}(\.[0-9]{1,3})?$'
        or (w ->> 'anzahl')::numeric = 0
    )
    or exists (
      select from jsonb_array_elements(wanted) w
      group by (w ->> 'position_id')::bigint
      having count(*) > 1
    )
    or exists (
      select from jsonb_array_elements(wanted) w
      where not exists (
        select from rechte.angebot_stand(source.id) s
        where s.position_id = (w ->> 'position_id')::bigint
      )
    )
  then
    perform rechte.refuse_feld(
      'positionen', 'angebot_auswahl', 'lines of the accepted offer, each once, with a quantity'
    );
  end if;
  if jsonb_array_length(wanted) = 0 then
    perform rechte.refuse_feld('positionen', 'angebot_leer', 'nothing is left to bill');
  end if;
  insert into app.rechnung (
    client_id, bearbeiter, rn_datum, le_date, anrede, ust_satz, angebot_id, rabatt_prozent, rabatt_grund
  )
  values (
    source.client_id, left(coalesce(rechte.wer(), source.bearbeiter), 100),
    coalesce(a_convert_offer.rn_datum, rechte.heute()), a_convert_offer.le_date, source.anrede,
    source.ust_satz, source.id, source.rabatt_prozent, source.rabatt_grund
  )
  returning rechnung.id into made;
  insert into app.position (
    client_id, rechnung_id, lfd_nr, art, anzahl, einheit, bez, ep, rabatt_prozent, ust_satz, kategorie,
    steuergrund, erl, erl_on, erl_titel, le_date, le_date_bis, angebot_position_id
  )
  select p.client_id, made, row_number() over (order by p.lfd_nr, p.id),
    case when p.art = 'ueberschrift' then p.art else 'position' end, coalesce(p.menge, p.anzahl), p.einheit,
    p.bez, p.ep, p.rabatt_prozent, p.ust_satz, p.kategorie, p.steuergrund, p.erl, p.erl_on, p.erl_titel,
    p.le_date, p.le_date_bis, case when p.art <> 'ueberschrift' then p.id end
  from (
    select q.*,
      max(q.menge) filter (
        where q.art <> 'ueberschrift'
      ) over (partition by q.abschnitt) is not null as belegt
    from (
      select p.*, (w ->> 'anzahl')::numeric as menge,
        count(*) filter (where p.art = 'ueberschrift') over (order by p.lfd_nr, p.id) as abschnitt
      from app.position p
        left join jsonb_array_elements(wanted) w on (w ->> 'position_id')::bigint = p.id
      where p.angebot_id = source.id
    ) q
  ) p
  where p.menge is not null or (p.art = 'ueberschrift' and p.belegt);
  perform rechte.check_abrechnung(made, a_convert_offer.mehr);
  perform rechte.rechnung_rechnen(made);
  perform rechte.protokolliere('rechnung', made, source.client_id, 'angelegt', jsonb_build_object(
    'angebot_id', source.id, 'mehr', coalesce(a_convert_offer.mehr, false)
  ));
  return made;
end $$;

do $$
declare entry regprocedure;
begin
  foreach entry in array array[
    'rechte.angebot_beleg(app.angebot)', 'rechte.angebot_entwurf(bigint, integer)',
    'rechte.angebot_rechnen(bigint)', 'rechte.angebot_setzen(app.angebot, jsonb)',
    'rechte.angebot_stand(bigint)', 'rechte.rest(numeric, numeric)', 'rechte.auftrag_zeilen(jsonb)',
    'rechte.auftrag_eindeutig(jsonb)', 'rechte.auftrag_summen(app.angebot, boolean)',
    'rechte.angebot_ausstellen(bigint, integer)',
    'rechte.angebot_entscheiden(bigint, boolean, text, text, text, bigint[])',
    'rechte.check_abrechnung(bigint, boolean)'
  ]::regprocedure[] loop
    execute format('revoke execute on function %s from public', entry);
    execute format('grant execute on function %s to forst_definer', entry);
  end loop;
  foreach entry in array array[
    'app.a_add_offer(bigint, date, numeric)',
    'app.a_update_offer_details(text, date, bigint, text, text, text, numeric, text, boolean, integer)',
    'app.a_set_offer_terms(bigint, integer, date, integer, numeric, text)',
    'app.a_set_client_for_offer(bigint, bigint)', 'app.a_delete_offer(bigint, integer)',
    'app.a_issue_offer(bigint, integer)', 'app.a_decide_offer(bigint, boolean, text, text, bigint[])',
    'app.a_set_archive_for_an(bigint, boolean)', 'app.a_revise_offer(bigint)',
    'app.a_convert_offer(bigint, jsonb, date, date, boolean)'
  ]::regprocedure[] loop
    perform rechte.define(entry);
    execute format('grant execute on function %s to nutzer', entry);
  end loop;
end $$;
grant execute on function app.a_get_min_an_datum_for_new_offer(), app.a_get_minmax_an_datum(date),
  app.a_get_offers(), app.a_get_offer_details(bigint), app.a_get_offer_rest(bigint) to nutzer;

-- Accepted before the sum of what was ordered was kept. As operations: the owner's eyes see no row under
-- forced row security.
grant execute on function rechte.beleg_zeilen(bigint, bigint), rechte.auftrag_zeilen(jsonb),
  rechte.angebot_stand(bigint), rechte.rest(numeric, numeric), rechte.auftrag_summen(app.angebot, boolean)
  to forst_betrieb;
set role forst_betrieb;
update app.angebot a set
  auftrag_netto = (s.summen ->> 'netto')::numeric, auftrag_steuer = (s.summen ->> 'steuer')::numeric,
  auftrag_brutto = (s.summen ->> 'brutto')::numeric
from (
  select b.id, rechte.auftrag_summen(b) as summen
  from app.angebot b
  where b.status = 'angenommen' and b.auftrag_brutto is null
) s
where s.id = a.id;
reset role;
