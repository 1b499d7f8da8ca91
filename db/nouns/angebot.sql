-- Offers: drafts; sent with a number and frozen; decided; revised under the same number; billed in part or in
-- full. For apus_admin. What customers may do is in document.sql and goes through books.decide_angebot.

create or replace function books.angebot_beleg(a app.angebot)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select books.computed_beleg(
    books.beleg_head(to_jsonb(a), z.lines) || jsonb_build_object(
      'art', 'angebot', 'nummer', coalesce(books.angebot_number(a.nummer, a.fassung), ''),
      'entwurf', a.status = 'entwurf', 'format', 'pdf', 'datum', a.an_datum, 'le_date', null,
      'le_date_bis', null, 'faellig', null,
      'gueltig_bis', coalesce(a.gueltig_bis, a.an_datum + coalesce(l.angebot_tage, 30)),
      'skonto', '[]'::jsonb, 'empfaenger', books.beleg_recipient(a.client_id, null), 'positionen', z.lines,
      'bezug', books.reference_to(a.ersetzt)
    ),
    0
  )
  from (select books.beleg_lines(null, a.id) as lines) z
    left join app.lieferant l on true
$$;
grant execute on function books.angebot_beleg(app.angebot) to forst_definer;

create or replace function books.angebot_draft(id bigint, version integer default null)
  returns app.angebot language plpgsql set search_path = pg_catalog as $$
declare draft app.angebot;
begin
  select a.* into draft from app.angebot a where a.id = angebot_draft.id for update;
  perform rights.check_found(found);
  if draft.status <> 'entwurf' then perform books.refuse_issued('angebot ' || draft.id); end if;
  perform checks.check_version(angebot_draft.version, draft.version);
  return draft;
end $$;
grant execute on function books.angebot_draft(bigint, integer) to forst_definer;

create or replace function books.compute_angebot(id bigint)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  draft app.angebot;
  version integer;
begin
  select a.* into strict draft from app.angebot a where a.id = compute_angebot.id;
  update app.angebot a set (netto, steuer, brutto) = (
    select s.netto, s.steuer, s.brutto from books.sums_of(books.angebot_beleg(draft)) s
  )
  where a.id = compute_angebot.id
  returning a.version into version;
  return version;
end $$;
grant execute on function books.compute_angebot(bigint) to forst_definer;

-- What is left of a quantity; nothing if more was billed than offered. Credits have the opposite sign.
create or replace function books.rest(anzahl numeric, used numeric)
  returns numeric language sql immutable parallel safe set search_path = pg_catalog
  return case when anzahl >= 0 then greatest(anzahl - used, 0) else least(anzahl - used, 0) end;
grant execute on function books.rest(numeric, numeric) to nutzer, forst_definer, forst_betrieb;

-- What is ordered of the lines of an offer. The same rule as domain/angebot.ts; both are tested with
-- domain/angebot.cases.json. `basis` is the line (counted from 1) that an alternative replaces: the next line
-- above it that is not an alternative, within its section. A line whose alternative was chosen becomes an
-- alternative that was not chosen.
create or replace function books.order_lines(positions jsonb)
  returns jsonb language sql immutable set search_path = pg_catalog as $$
  with line as (
    select p, nr, p ->> 'art' as art, coalesce((p ->> 'gewaehlt')::boolean, false) as gewaehlt
    from jsonb_array_elements(positions) with ordinality as t(p, nr)
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
grant execute on function books.order_lines(jsonb) to nutzer, forst_definer, forst_betrieb;
-- Of one choice (an optional line or none, and its alternatives) at most one is taken.
create or replace function books.is_order_unambiguous(positions jsonb)
  returns boolean language sql immutable set search_path = pg_catalog as $$
  select not exists (
    select from jsonb_array_elements(books.order_lines(positions)) with ordinality as t(p, nr)
    where p ->> 'art' in ('optional', 'alternativ')
      and (p ->> 'gewaehlt')::boolean
      and (p ->> 'art' = 'optional' or p ->> 'basis' is not null)
    group by coalesce((p ->> 'basis')::bigint, nr)
    having count(*) > 1
  )
$$;
grant execute on function books.is_order_unambiguous(jsonb) to forst_definer;

-- What is offered line by line, and how much of it is billed: by issued invoices (a Storno counts negative),
-- and by drafts, which have already taken their part.
create or replace function books.angebot_progress(angebot_id bigint)
  returns table (
    position_id bigint, lfd_nr integer, anzahl numeric, abgerechnet numeric, in_entwuerfen numeric
  ) language sql stable set search_path = pg_catalog as $$
  select p.id, p.lfd_nr, p.anzahl, coalesce(sum(b.anzahl) filter (where r.zustand = 'ausgestellt'), 0),
    coalesce(sum(b.anzahl) filter (where r.zustand = 'entwurf'), 0)
  from jsonb_array_elements(books.order_lines(books.beleg_lines(null, angebot_progress.angebot_id))) z
    join app.position p on p.id = (z ->> 'id')::bigint
    left join app.position b on b.angebot_position_id = p.id
    left join app.rechnung r on r.id = b.rechnung_id
  where z ->> 'art' = 'position' or (z ->> 'art' <> 'ueberschrift' and (z ->> 'gewaehlt')::boolean)
  group by p.id
$$;
grant execute on function books.angebot_progress(bigint) to nutzer, forst_definer, forst_betrieb;

-- Sums of what was ordered. With `rest`: of the part that no issued invoice bills yet, if it were billed at
-- once.
create or replace function books.order_sums(a app.angebot, rest boolean default false)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select books.beleg_sums(
    jsonb_build_object(
      'rabatt_prozent', a.rabatt_prozent::text, 'ust_satz', a.ust_satz::text, 'anzahlung', '0.00',
      'kleinunternehmer', coalesce((a.beleg #>> '{lieferant,kleinunternehmer}')::boolean, false)
    ),
    (
      select coalesce(jsonb_agg(
        case
          when rest and s.position_id is not null then
            z || jsonb_build_object('anzahl', books.rest(s.anzahl, s.abgerechnet)::text)
          else z
        end order by nr
      ), '[]')
      from jsonb_array_elements(books.order_lines(books.beleg_lines(null, a.id))) with ordinality as t(z, nr)
        left join books.angebot_progress(a.id) s on rest and s.position_id = (z ->> 'id')::bigint
    )
  ) -> 'summen'
$$;
grant execute on function books.order_sums(app.angebot, boolean) to nutzer, forst_definer, forst_betrieb;

-- When the money of an offer is expected (domain/cashflow.oracle.ts): after the work plus the customer's
-- days to pay, or sixty days after the decision.
create or replace function books.expected_on(basis date, work_end date, zahlungsziel integer)
  returns date language sql immutable parallel safe set search_path = pg_catalog
  return case when work_end is null then basis + 60 else work_end + zahlungsziel end;
grant execute on function books.expected_on(date, date, integer) to nutzer, forst_definer;
-- Days that a customer has to pay.
create or replace function books.days_to_pay(client_id bigint)
  returns integer language sql stable set search_path = pg_catalog as $$
  select coalesce(
    (select b.zahlungsziel from app.kunde_rechnung b where b.client_id = days_to_pay.client_id),
    (select l.zahlungsziel from app.lieferant l), 14
  )
$$;
grant execute on function books.days_to_pay(bigint) to nutzer, forst_definer;
-- Last day of the work that an offer names.
create or replace function books.angebot_end(angebot_id bigint)
  returns date language sql stable set search_path = pg_catalog as $$
  select max(coalesce(p.le_date_bis, p.le_date))
  from app.position p
  where p.angebot_id = angebot_end.angebot_id
$$;
grant execute on function books.angebot_end(bigint) to nutzer, forst_definer;
-- The day from which that is counted; null for an offer that can bring nothing any more.
create or replace function books.angebot_basis(a app.angebot)
  returns date language sql stable set search_path = pg_catalog
  return case
    when a.status = 'angenommen' then (a.entschieden_am at time zone 'Europe/Berlin')::date
    when a.status = 'versendet' and (a.beleg ->> 'gueltig_bis')::date >= checks.today() then
      (a.beleg ->> 'gueltig_bis')::date
  end;
grant execute on function books.angebot_basis(app.angebot) to nutzer, forst_definer;

-- Dates -----------------------------------------------------------------------------------------------------

-- A revision keeps its number, so it does not move the window.
create or replace function app.a_get_min_an_datum_for_new_offer()
  returns date language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  return (select max(a.an_datum) from app.angebot a where a.beleg is not null and a.fassung = 1);
end $$;
grant execute on function app.a_get_min_an_datum_for_new_offer() to nutzer;

-- The window for an offer that has this date now, as for invoices. A revision is not dated before what it
-- replaces.
drop function if exists app.a_get_minmax_an_datum(date);
create or replace function app.a_get_minmax_an_datum(an_datum date, offer_id bigint default null)
  returns table (min date, max date) language plpgsql stable set search_path = pg_catalog as $$
declare last date := app.a_get_min_an_datum_for_new_offer();
begin
  if (
    select bool_and(a.beleg is not null)
    from app.angebot a
    where a.an_datum = a_get_minmax_an_datum.an_datum
      and (a_get_minmax_an_datum.offer_id is null or a.id = a_get_minmax_an_datum.offer_id)
  ) then
    return query select a_get_minmax_an_datum.an_datum, a_get_minmax_an_datum.an_datum;
  else
    return query
      select
        coalesce((
          select replaced.an_datum
          from app.angebot a join app.angebot replaced on replaced.id = a.ersetzt
          where a.id = a_get_minmax_an_datum.offer_id
        ), last),
        checks.today();
  end if;
end $$;
grant execute on function app.a_get_minmax_an_datum(date, bigint) to nutzer;

-- Reads -----------------------------------------------------------------------------------------------------

create or replace view app.angebot_liste with (security_invoker = true) as
  select a.id, a.client_id, coalesce(k.name, a.beleg #>> '{empfaenger,name}') as kunde,
    coalesce(k.sortname, search.sort_key(a.beleg #>> '{empfaenger,name}')) as sortname,
    a.suchtext
      || ' '
      || coalesce(k.suchtext, search.search_text(a.beleg #>> '{empfaenger,name}'), '') as suchtext,
    books.angebot_number(a.nummer, a.fassung) as nummer, a.fassung, a.an_datum,
    coalesce(a.gueltig_bis, (a.beleg ->> 'gueltig_bis')::date) as gueltig_bis, a.bearbeiter, a.ust_satz,
    a.netto, a.steuer, a.brutto, a.status, a.sign, a.chance,
    case
      when a.status = 'versendet' and (a.beleg ->> 'gueltig_bis')::date < checks.today() then 'abgelaufen'
      when a.status = 'angenommen' and o.angebot_id is null then 'abgerechnet'
      when a.status = 'angenommen' and o.begonnen then 'teilabgerechnet'
      else a.status
    end as stand,
    a.entschieden_am, a.entschieden_von, a.entschieden_als, a.ersetzt, n.id as ersetzt_durch, a.archiviert,
    a.ausgestellt_am, a.ausgestellt_von, a.version, a.geaendert_am, a.geaendert_von, a.auftrag_netto,
    a.auftrag_brutto, coalesce(a.auftrag_netto, a.netto) as gilt_netto,
    coalesce(a.auftrag_brutto, a.brutto) as gilt_brutto,
    -- Gross: what is ordered and not billed, less the advances that no final invoice has taken off (kept in
    -- app.angebot_offen); and what a sent offer is expected to bring by its chance, while it can still be
    -- accepted (domain/cashflow.oracle.ts).
    coalesce(o.rest_brutto, 0)::numeric(14, 2) as rest_brutto,
    (case
      when a.status = 'versendet' and (a.beleg ->> 'gueltig_bis')::date >= checks.today() then
        round(a.brutto * coalesce(a.chance, 50) * 0.01, 2)
      else 0
    end)::numeric(14, 2) as gewichtet,
    (case
      when a.status <> 'angenommen' or o.angebot_id is not null then greatest(
        books.expected_on(books.angebot_basis(a), books.angebot_end(a.id), books.days_to_pay(a.client_id)),
        case when books.angebot_basis(a) is not null then checks.today() end
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
    left join app.angebot_offen o on o.angebot_id = a.id;
revoke all on app.angebot_liste from public, nutzer;
grant select on app.angebot_liste to nutzer, forst_definer;

-- Dropped first, because the columns of their answers have changed.
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
grant execute on function app.a_get_offers() to nutzer;

drop function if exists app.a_get_offer_details(bigint);
create or replace function app.a_get_offer_details(offer_id bigint)
  returns table (
    id bigint, client_id bigint, kunde text, bearbeiter text, an_datum date, gueltig_bis date, anrede text,
    anschreiben text, zuerl text, ust_satz text, status text, sign boolean, stand text, nummer text,
    fassung integer, ersetzt bigint, ersetzt_durch bigint, chance integer, rabatt_prozent text,
    rabatt_grund text, netto text, steuer text, brutto text, ausgestellt_am timestamptz, ausgestellt_von text,
    entschieden_am timestamptz, entschieden_von text, entschieden_als text, entscheidung text,
    archiviert boolean, version integer, geaendert_am timestamptz, geaendert_von text, auftrag_netto text,
    auftrag_brutto text, rest_brutto text, leistungsort text, leistungsland text, kaeufer_ref text,
    projekt_nr text, vertrag_nr text, vergabe_nr text, objekt_nr text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select a.id, a.client_id, l.kunde, a.bearbeiter, a.an_datum, l.gueltig_bis, a.anrede, a.anschreiben,
      a.zuerl, a.ust_satz::text, a.status, a.sign, l.stand, l.nummer, a.fassung, a.ersetzt, l.ersetzt_durch,
      a.chance, a.rabatt_prozent::text, a.rabatt_grund, a.netto::text, a.steuer::text, a.brutto::text,
      a.ausgestellt_am, a.ausgestellt_von, a.entschieden_am, a.entschieden_von, a.entschieden_als,
      a.entscheidung, a.archiviert, a.version, a.geaendert_am, a.geaendert_von, a.auftrag_netto::text,
      a.auftrag_brutto::text, l.rest_brutto::text, a.leistungsort, a.leistungsland, a.kaeufer_ref,
      a.projekt_nr, a.vertrag_nr, a.vergabe_nr, a.objekt_nr
    from app.angebot a join app.angebot_liste l on l.id = a.id
    where a.id = a_get_offer_details.offer_id;
end $$;
grant execute on function app.a_get_offer_details(bigint) to nutzer;

-- With the caller's rights: what of an accepted offer is still to be billed.
create or replace function app.a_get_offer_rest(offer_id bigint)
  returns table (
    position_id bigint, lfd_nr integer, bez text, einheit text, ep text, anzahl text, abgerechnet text,
    in_entwuerfen text, rest text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select s.position_id, s.lfd_nr, p.bez, p.einheit, books.decimal_text(p.ep, 2),
      books.decimal_text(s.anzahl), books.decimal_text(s.abgerechnet), books.decimal_text(s.in_entwuerfen),
      books.decimal_text(books.rest(s.anzahl, s.abgerechnet + s.in_entwuerfen))
    from books.angebot_progress(a_get_offer_rest.offer_id) s
      join app.position p on p.id = s.position_id
    order by s.lfd_nr;
end $$;
grant execute on function app.a_get_offer_rest(bigint) to nutzer;

-- Drafts ----------------------------------------------------------------------------------------------------

create or replace function app.a_add_offer(client_id bigint, an_datum date, ust_satz numeric default null)
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  customer app.kunde;
  made bigint;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  customer := books.beleg_kunde(a_add_offer.client_id);
  insert into app.angebot (client_id, an_datum, ust_satz, bearbeiter)
  values (
    customer.client_id, coalesce(a_add_offer.an_datum, checks.today()),
    coalesce(a_add_offer.ust_satz, books.usual_ust()), books.clerk()
  )
  returning angebot.id into made;
  perform books.record('angebot', made, customer.client_id, 'angelegt');
  return made;
end $$;
select rights.define('app.a_add_offer(bigint, date, numeric)');
grant execute on function app.a_add_offer(bigint, date, numeric) to nutzer;

-- As books.set_rechnung. Returns the new version.
create or replace function books.set_angebot(before app.angebot, entries jsonb)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  given app.angebot := jsonb_populate_record(before, entries);
  after app.angebot;
  changes jsonb;
  now_version integer;
begin
  if entries ? 'gueltig_bis' and given.gueltig_bis < coalesce(given.an_datum, before.an_datum) then
    perform checks.refuse_field('gueltig_bis', 'angebot_gueltig', 'ends before it begins');
  end if;
  update app.angebot a set
    bearbeiter = coalesce(btrim(given.bearbeiter), ''), an_datum = coalesce(given.an_datum, before.an_datum),
    anrede = books.multiline(given.anrede), anschreiben = books.multiline(given.anschreiben),
    zuerl = books.multiline(given.zuerl), ust_satz = coalesce(given.ust_satz, before.ust_satz),
    gueltig_bis = given.gueltig_bis, chance = given.chance,
    rabatt_prozent = coalesce(given.rabatt_prozent, 0),
    rabatt_grund = coalesce(btrim(given.rabatt_grund), ''), sign = coalesce(given.sign, before.sign),
    leistungsort = given.leistungsort,
    leistungsland = case when given.leistungsort = 'grundstueck_ausland' then given.leistungsland end,
    kaeufer_ref = btrim(given.kaeufer_ref), projekt_nr = btrim(given.projekt_nr),
    vertrag_nr = btrim(given.vertrag_nr), vergabe_nr = btrim(given.vergabe_nr),
    objekt_nr = btrim(given.objekt_nr)
  where a.id = before.id;
  now_version := books.compute_angebot(before.id);
  select a.* into after from app.angebot a where a.id = before.id;
  changes := history.difference(to_jsonb(before), to_jsonb(after));
  if changes <> '{}' then
    perform books.record('angebot', before.id, before.client_id, 'geaendert', changes);
  end if;
  return now_version;
end $$;
grant execute on function books.set_angebot(app.angebot, jsonb) to forst_definer;

-- Null leaves date, rate, state and signature as they are and empties texts. A new state sends or decides the
-- offer. Of a sent offer the rest is fixed, so texts that are passed must equal the stored ones. Definer,
-- like every write below: nobody has a grant to write.
create or replace function app.a_update_offer_details(
  bearbeiter text, an_datum date, offer_id bigint, anrede text, anschreiben text, zuerl text,
  ust_satz numeric, status text default null, sign boolean default null, version integer default null
) returns integer language plpgsql set search_path = pg_catalog as $$
declare
  before app.angebot;
  wanted text := a_update_offer_details.status;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  select a.* into before
  from app.angebot a
  where a.id = a_update_offer_details.offer_id for update;
  perform rights.check_found(found);
  perform checks.check_version(a_update_offer_details.version, before.version);
  if wanted is not null and wanted not in ('entwurf', 'versendet', 'angenommen', 'abgelehnt', 'ersetzt') then
    perform checks.refuse_field('status', 'angebot_status', 'unknown state');
  end if;
  if before.status = 'entwurf' then
    perform books.set_angebot(before, jsonb_build_object(
      'bearbeiter', bearbeiter, 'an_datum', an_datum, 'anrede', anrede, 'anschreiben', anschreiben,
      'zuerl', zuerl, 'ust_satz', ust_satz, 'sign', sign
    ));
  elsif a_update_offer_details.bearbeiter is distinct from before.bearbeiter
      and a_update_offer_details.bearbeiter is not null
    or a_update_offer_details.an_datum <> before.an_datum
    or books.multiline(a_update_offer_details.anrede) <> before.anrede
      and a_update_offer_details.anrede is not null
    or books.multiline(a_update_offer_details.anschreiben) <> before.anschreiben
      and a_update_offer_details.anschreiben is not null
    or books.multiline(a_update_offer_details.zuerl) <> before.zuerl
      and a_update_offer_details.zuerl is not null
    or a_update_offer_details.ust_satz <> before.ust_satz
  then
    perform books.refuse_issued('angebot ' || before.id);
  elsif a_update_offer_details.sign <> before.sign then
    update app.angebot a set sign = a_update_offer_details.sign where a.id = before.id;
    perform books.record(
      'angebot', before.id, before.client_id, 'geaendert',
      jsonb_build_object('sign', jsonb_build_array(before.sign, a_update_offer_details.sign))
    );
  end if;
  if wanted is not null and wanted <> before.status then
    case
      when before.status = 'entwurf' and wanted = 'versendet' then perform books.issue_angebot(before.id);
      when before.status <> 'entwurf' and wanted in ('angenommen', 'abgelehnt') then
        perform books.decide_angebot(
          before.id, wanted = 'angenommen', rights.caller_name(), 'intern', '', null
        );
      else
        raise sqlstate 'PT409' using message = 'no way from this state to that one', hint = 'angebot_status';
    end case;
  end if;
  return (select a.version from app.angebot a where a.id = before.id);
end $$;
select rights.define(
  'app.a_update_offer_details(text, date, bigint, text, text, text, numeric, text, boolean, integer)'
);
grant execute on function app.a_update_offer_details(
  text, date, bigint, text, text, text, numeric, text, boolean, integer
) to nutzer;

create or replace function app.a_set_offer_terms(
  offer_id bigint, version integer default null, gueltig_bis date default null, chance integer default null,
  rabatt_prozent numeric default 0, rabatt_grund text default ''
) returns integer language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  return books.set_angebot(
    books.angebot_draft(a_set_offer_terms.offer_id, a_set_offer_terms.version),
    jsonb_build_object(
      'gueltig_bis', gueltig_bis, 'chance', chance, 'rabatt_prozent', rabatt_prozent,
      'rabatt_grund', rabatt_grund
    )
  );
end $$;
select rights.define('app.a_set_offer_terms(bigint, integer, date, integer, numeric, text)');
grant execute on function app.a_set_offer_terms(bigint, integer, date, integer, numeric, text) to nutzer;

-- A revision stays with the customer of the offer that it revises.
create or replace function app.a_set_client_for_offer(client_id bigint, angebot_id bigint)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  draft app.angebot;
  customer app.kunde;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  draft := books.angebot_draft(a_set_client_for_offer.angebot_id);
  customer := books.beleg_kunde(a_set_client_for_offer.client_id);
  if draft.ersetzt is not null and draft.client_id <> customer.client_id then
    raise sqlstate 'PT409' using message = 'revises an offer of another customer', hint = 'angebot_kunde';
  end if;
  update app.angebot a set client_id = customer.client_id where a.id = draft.id;
  perform books.record(
    'angebot', draft.id, customer.client_id, 'geaendert',
    jsonb_build_object('client_id', jsonb_build_array(draft.client_id, customer.client_id))
  );
  return books.compute_angebot(draft.id);
end $$;
select rights.define('app.a_set_client_for_offer(bigint, bigint)');
grant execute on function app.a_set_client_for_offer(bigint, bigint) to nutzer;

-- Deleting a draft revision gives its predecessor its former state back.
create or replace function app.a_delete_offer(offer_id bigint, version integer default null)
  returns void language plpgsql set search_path = pg_catalog as $$
declare draft app.angebot;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  draft := books.angebot_draft(a_delete_offer.offer_id, a_delete_offer.version);
  delete from app.angebot a where a.id = draft.id;
  update app.angebot a set status = case when a.entschieden_am is null then 'versendet' else 'abgelehnt' end
  where a.id = draft.ersetzt;
  perform books.leave_archive('angebot', draft.ersetzt);
  perform books.record('angebot', draft.id, draft.client_id, 'geloescht', jsonb_build_object(
    'netto', draft.netto::text, 'brutto', draft.brutto::text, 'ersetzt', draft.ersetzt
  ));
end $$;
select rights.define('app.a_delete_offer(bigint, integer)');
grant execute on function app.a_delete_offer(bigint, integer) to nutzer;

-- Life ------------------------------------------------------------------------------------------------------

-- Within the lock of the books, after the caller's right was checked.
drop function if exists books.issue_angebot(bigint, integer);
create or replace function books.issue_angebot(
  id bigint, version integer default null, stand text default null
) returns table (nummer text, an_datum date) language plpgsql set search_path = pg_catalog as $$
declare
  draft app.angebot := books.angebot_draft(issue_angebot.id, issue_angebot.version);
  frozen jsonb;
  given text;
  earliest date;
begin
  perform books.beleg_kunde(draft.client_id);
  earliest := case
    when draft.ersetzt is null then
      (select max(a.an_datum) from app.angebot a where a.beleg is not null and a.fassung = 1)
    else (select a.an_datum from app.angebot a where a.id = draft.ersetzt)
  end;
  perform books.check_day('an_datum', draft.an_datum, earliest);
  frozen := books.angebot_beleg(draft);
  perform books.check_beleg_stand(frozen, issue_angebot.stand);
  perform books.check_beleg(frozen);
  given := coalesce(draft.nummer, books.next_number('angebot', draft.an_datum));
  frozen := frozen
    || jsonb_build_object('nummer', books.angebot_number(given, draft.fassung), 'entwurf', false);
  update app.angebot a set
    status = 'versendet', nummer = given, gueltig_bis = (frozen ->> 'gueltig_bis')::date,
    ausgestellt_am = now(), ausgestellt_von = coalesce(rights.caller_name(), 'System'), beleg = frozen,
    (netto, steuer, brutto) = (select s.netto, s.steuer, s.brutto from books.sums_of(frozen) s)
  where a.id = draft.id;
  perform books.record_issue('angebot', draft.id, draft.client_id, frozen);
  return query select frozen ->> 'nummer', draft.an_datum;
end $$;
grant execute on function books.issue_angebot(bigint, integer, text) to forst_definer;

drop function if exists app.a_issue_offer(bigint, integer);
create or replace function app.a_issue_offer(
  offer_id bigint, version integer default null, stand text default null
) returns table (nummer text, an_datum date) language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  return query
    select * from books.issue_angebot(a_issue_offer.offer_id, a_issue_offer.version, a_issue_offer.stand);
end $$;
select rights.define('app.a_issue_offer(bigint, integer, text)');
grant execute on function app.a_issue_offer(bigint, integer, text) to nutzer;

-- Accepts or declines. `capacity`: 'intern' for the office, 'portal' or 'link' for the customer, who can no
-- longer decide once the offer has expired. `gewaehlt`: the optional and alternative lines that are taken;
-- null takes none. An accepted offer can still be declined until part of it is billed. Within the lock of the
-- books.
create or replace function books.decide_angebot(
  id bigint, accepted boolean, decided_by text, capacity text, bemerkung text, gewaehlt bigint[]
) returns void language plpgsql set search_path = pg_catalog as $$
declare
  offer app.angebot;
  chosen bigint[] := coalesce(decide_angebot.gewaehlt, '{}');
  sums jsonb;
begin
  select a.* into offer from app.angebot a where a.id = decide_angebot.id for update;
  perform rights.check_found(found);
  if decide_angebot.accepted is null then
    perform checks.refuse_field('angenommen', 'angebot_entscheidung', 'accepted or declined');
  end if;
  if offer.status not in ('versendet', 'angenommen', 'abgelehnt')
    or offer.status = (case when decide_angebot.accepted then 'angenommen' else 'abgelehnt' end)
    or (capacity <> 'intern' and offer.status <> 'versendet')
  then
    raise sqlstate 'PT409' using message = 'no way from this state to that one', hint = 'angebot_status';
  end if;
  if capacity <> 'intern' and (offer.beleg ->> 'gueltig_bis')::date < checks.today() then
    raise sqlstate 'PT409' using message = 'the offer has expired', hint = 'angebot_abgelaufen';
  end if;
  if offer.status = 'angenommen'
    and (
      exists (
        select from books.angebot_progress(offer.id) s
        where s.abgerechnet <> 0 or s.in_entwuerfen <> 0
      )
      or exists (
        select from app.rechnung r
        where r.angebot_id = offer.id
          and r.art = 'abschlag'
          and not exists (select from app.rechnung s where s.storno_von = r.id)
      )
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
    perform checks.refuse_field('positionen', 'angebot_auswahl', 'no optional line of this offer');
  end if;
  if not books.is_order_unambiguous((
    select coalesce(
      jsonb_agg(z || jsonb_build_object('gewaehlt', (z ->> 'id')::bigint = any (chosen)) order by nr), '[]'
    )
    from jsonb_array_elements(books.beleg_lines(null, offer.id)) with ordinality as t(z, nr)
  )) then
    perform checks.refuse_field('positionen', 'angebot_alternative', 'two of one choice');
  end if;
  update app.position p set gewaehlt = decide_angebot.accepted and p.id = any (chosen)
  where p.angebot_id = offer.id
    and p.gewaehlt is distinct from (decide_angebot.accepted and p.id = any (chosen));
  if decide_angebot.accepted then sums := books.order_sums(offer); end if;
  update app.angebot a set
    auftrag_netto = (sums ->> 'netto')::numeric, auftrag_steuer = (sums ->> 'steuer')::numeric,
    auftrag_brutto = (sums ->> 'brutto')::numeric,
    status = case when decide_angebot.accepted then 'angenommen' else 'abgelehnt' end, entschieden_am = now(),
    entschieden_von = coalesce(nullif(left(btrim(decide_angebot.decided_by), 200), ''), 'unbekannt'),
    entschieden_als = capacity, entscheidung = left(books.multiline(bemerkung), 2000)
  where a.id = offer.id;
  perform books.leave_archive('angebot', offer.id);
  perform books.record(
    'angebot', offer.id, offer.client_id,
    case when decide_angebot.accepted then 'angenommen' else 'abgelehnt' end,
    jsonb_build_object(
      'als', capacity, 'bemerkung', left(coalesce(bemerkung, ''), 2000), 'gewaehlt', to_jsonb(chosen)
    ) || case
      when sums is null then '{}'::jsonb
      else jsonb_build_object('netto', sums ->> 'netto', 'brutto', sums ->> 'brutto')
    end,
    case capacity when 'link' then nullif(left(btrim(decide_angebot.decided_by), 200), '') end
  );
end $$;
grant execute on function books.decide_angebot(bigint, boolean, text, text, text, bigint[]) to forst_definer;

-- What a customer said on paper or by telephone, recorded under the clerk's own name. `wer`, the person on
-- the customer's side, is written before the remark.
create or replace function app.a_decide_offer(
  offer_id bigint, angenommen boolean, wer text default null, bemerkung text default '',
  positionen bigint[] default null
) returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  perform books.decide_angebot(
    a_decide_offer.offer_id, a_decide_offer.angenommen, rights.caller_name(), 'intern',
    concat_ws(': ', nullif(btrim(a_decide_offer.wer), ''), nullif(btrim(a_decide_offer.bemerkung), '')),
    a_decide_offer.positionen
  );
end $$;
select rights.define('app.a_decide_offer(bigint, boolean, text, text, bigint[])');
grant execute on function app.a_decide_offer(bigint, boolean, text, text, bigint[]) to nutzer;

-- Definer. Hides an offer from the list or shows it again; null switches. Nothing else changes. Offers that
-- wait for an answer or are still to be billed are refused.
create or replace function app.a_set_archive_for_an(offer_id bigint, archiviert boolean default null)
  returns boolean language plpgsql set search_path = pg_catalog as $$
declare
  offer record;
  wanted boolean;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  select l.id, l.client_id, l.stand, l.archiviert into offer
  from app.angebot_liste l
  where l.id = a_set_archive_for_an.offer_id;
  perform rights.check_found(found);
  wanted := books.archive_state(
    a_set_archive_for_an.archiviert, offer.archiviert, offer.stand, books.archivable('angebot'),
    'archiv_angebot_offen'
  );
  if wanted is distinct from offer.archiviert then
    update app.angebot a set archiviert = wanted where a.id = offer.id;
    perform books.record_archive('angebot', offer.id, offer.client_id, wanted);
  end if;
  return wanted;
end $$;
select rights.define('app.a_set_archive_for_an(bigint, boolean)');
grant execute on function app.a_set_archive_for_an(bigint, boolean) to nutzer;

-- A draft with the same number and the next revision; the revised offer becomes read-only.
create or replace function app.a_revise_offer(offer_id bigint)
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  source app.angebot;
  made bigint;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  select a.* into source from app.angebot a where a.id = a_revise_offer.offer_id for update;
  perform rights.check_found(found);
  if source.status not in ('versendet', 'abgelehnt') then
    raise sqlstate 'PT409'
      using message = 'only what was sent or declined is revised', hint = 'angebot_status';
  end if;
  perform books.beleg_kunde(source.client_id);
  insert into app.angebot (
    client_id, bearbeiter, an_datum, anrede, anschreiben, zuerl, ust_satz, nummer, fassung, ersetzt, chance,
    rabatt_prozent, rabatt_grund, leistungsort, leistungsland, kaeufer_ref, projekt_nr, vertrag_nr,
    vergabe_nr, objekt_nr
  )
  values (
    source.client_id, source.bearbeiter, greatest(checks.today(), source.an_datum), source.anrede,
    source.anschreiben, source.zuerl, source.ust_satz, source.nummer, source.fassung + 1, source.id,
    source.chance, source.rabatt_prozent, source.rabatt_grund, source.leistungsort, source.leistungsland,
    source.kaeufer_ref, source.projekt_nr, source.vertrag_nr, source.vergabe_nr, source.objekt_nr
  )
  returning angebot.id into made;
  perform books.copy_positions(null, source.id, null, made, 1, false);
  update app.angebot a set status = 'ersetzt' where a.id = source.id;
  perform books.compute_angebot(made);
  perform books.record('angebot', source.id, source.client_id, 'ersetzt', jsonb_build_object('durch', made));
  perform books.record(
    'angebot', made, source.client_id, 'angelegt',
    jsonb_build_object('ersetzt', source.id, 'fassung', source.fassung + 1)
  );
  return made;
end $$;
select rights.define('app.a_revise_offer(bigint)');
grant execute on function app.a_revise_offer(bigint) to nutzer;

-- Refuses to bill more than was offered unless the caller says that it is known.
create or replace function books.check_billing(rechnung_id bigint, more boolean)
  returns void language plpgsql stable set search_path = pg_catalog as $$
declare over record;
begin
  if more then return; end if;
  select o.bez, o.anzahl, sum(b.anzahl) as abgerechnet into over
  from app.position mine
    join app.position o on o.id = mine.angebot_position_id
    join app.position b on b.angebot_position_id = o.id
  where mine.rechnung_id = check_billing.rechnung_id
  group by o.id
  having abs(sum(b.anzahl)) > abs(o.anzahl)
  order by o.lfd_nr limit 1;
  if found then
    perform checks.refuse_field(
      'anzahl', 'mehr_als_angeboten', format('%s of %s offered', over.abgerechnet, over.anzahl)
    );
  end if;
end $$;
grant execute on function books.check_billing(bigint, boolean) to forst_definer;

-- The cancelled invoice of an offer whose lines are billed again, the last one cancelled first: the new one
-- replaces it, so that their tax counts with the Storno and not once more in the month of the supply
-- (books.taxed_on). What other invoices have replaced of it already does not count. `wanted` is as
-- `positions` below.
create or replace function books.cancelled_billing(angebot_id bigint, wanted jsonb)
  returns bigint language sql stable set search_path = pg_catalog as $$
  select c.id
  from app.rechnung s
    join app.rechnung c on c.id = s.storno_von
    join app.position p on p.rechnung_id = c.id
    join jsonb_array_elements(cancelled_billing.wanted) w on (w ->> 'position_id')::bigint
      = p.angebot_position_id
  where c.angebot_id = cancelled_billing.angebot_id
    and c.art in ('rechnung', 'schluss')
    and abs(p.anzahl) > abs(coalesce((
      select sum(q.anzahl)
      from app.rechnung n join app.position q on q.rechnung_id = n.id
      where n.kopie_von = c.id and q.angebot_position_id = p.angebot_position_id
    ), 0))
  order by s.folge desc limit 1
$$;
grant execute on function books.cancelled_billing(bigint, jsonb) to forst_definer;

-- A draft invoice or final invoice (`kind`) for an accepted offer, which the caller has locked. `positions`
-- [{position_id, anzahl}]; null: all that is left. Headings are taken along with their lines, and the terms
-- of the offer too; the planned days of the lines only if no day of supply is given.
create or replace function books.convert_angebot(
  source app.angebot, kind text, positions jsonb, rn_datum date, le_date date, more boolean
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  made bigint;
  wanted jsonb := case
    when jsonb_typeof(convert_angebot.positions) = 'null' then null
    else convert_angebot.positions
  end;
begin
  if wanted is null then
    select coalesce(
      jsonb_agg(jsonb_build_object(
        'position_id', s.position_id, 'anzahl', books.rest(s.anzahl, s.abgerechnet + s.in_entwuerfen)
      )),
      '[]'
    ) into wanted
    from books.angebot_progress(source.id) s
    where books.rest(s.anzahl, s.abgerechnet + s.in_entwuerfen) <> 0;
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
        select from books.angebot_progress(source.id) s
        where s.position_id = (w ->> 'position_id')::bigint
      )
    )
  then
    perform checks.refuse_field(
      'positionen', 'angebot_auswahl', 'lines of the accepted offer, each once, with a quantity'
    );
  end if;
  if jsonb_array_length(wanted) = 0 then
    perform checks.refuse_field('positionen', 'angebot_leer', 'nothing is left to bill');
  end if;
  insert into app.rechnung (
    client_id, bearbeiter, rn_datum, le_date, anrede, ust_satz, art, angebot_id, kopie_von, rabatt_prozent,
    rabatt_grund, leistungsort, leistungsland, kaeufer_ref, projekt_nr, vertrag_nr, vergabe_nr, objekt_nr
  )
  values (
    source.client_id, left(coalesce(rights.caller_name(), source.bearbeiter), 100),
    coalesce(convert_angebot.rn_datum, checks.today()), convert_angebot.le_date, source.anrede,
    source.ust_satz, kind, source.id, books.cancelled_billing(source.id, wanted), source.rabatt_prozent,
    source.rabatt_grund, source.leistungsort, source.leistungsland, source.kaeufer_ref, source.projekt_nr,
    source.vertrag_nr, source.vergabe_nr, source.objekt_nr
  )
  returning rechnung.id into made;
  insert into app.position (
    client_id, rechnung_id, lfd_nr, art, anzahl, einheit, bez, ep, rabatt_prozent, ust_satz, kategorie,
    steuergrund, erl, erl_on, erl_titel, le_date, le_date_bis, angebot_position_id
  )
  select p.client_id, made, row_number() over (order by p.lfd_nr, p.id),
    case when p.art = 'ueberschrift' then p.art else 'position' end, coalesce(p.menge, p.anzahl), p.einheit,
    p.bez, p.ep, p.rabatt_prozent, p.ust_satz, p.kategorie, p.steuergrund, p.erl, p.erl_on, p.erl_titel,
    -- Those of an offer are planned. A day that is given says when it was done.
    case when convert_angebot.le_date is null then p.le_date end,
    case when convert_angebot.le_date is null then p.le_date_bis end,
    case when p.art <> 'ueberschrift' then p.id end
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
  perform books.check_billing(made, convert_angebot.more);
  perform books.compute_rechnung(made);
  perform books.record(
    'rechnung', made, source.client_id, 'angelegt',
    jsonb_build_object('angebot_id', source.id, 'mehr', coalesce(convert_angebot.more, false))
      || case kind when 'schluss' then '{"art": "schluss"}'::jsonb else '{}' end
  );
  return made;
end $$;
grant execute on function books.convert_angebot(app.angebot, text, jsonb, date, date, boolean)
  to forst_definer;

create or replace function app.a_convert_offer(
  offer_id bigint, positionen jsonb default null, rn_datum date default null, le_date date default null,
  mehr boolean default false
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare source app.angebot;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  select a.* into source from app.angebot a where a.id = a_convert_offer.offer_id for update;
  perform rights.check_found(found);
  if source.status <> 'angenommen' then
    raise sqlstate 'PT409' using message = 'not accepted', hint = 'angebot_nicht_angenommen';
  end if;
  perform books.beleg_kunde(source.client_id);
  return books.convert_angebot(
    source, 'rechnung', a_convert_offer.positionen, a_convert_offer.rn_datum, a_convert_offer.le_date,
    a_convert_offer.mehr
  );
end $$;
select rights.define('app.a_convert_offer(bigint, jsonb, date, date, boolean)');
grant execute on function app.a_convert_offer(bigint, jsonb, date, date, boolean) to nutzer;

-- Offers accepted before their ordered sum was stored. As forst_betrieb: under forced row security the owner
-- sees no row.
set role forst_betrieb;
update app.angebot a set
  auftrag_netto = (s.summen ->> 'netto')::numeric, auftrag_steuer = (s.summen ->> 'steuer')::numeric,
  auftrag_brutto = (s.summen ->> 'brutto')::numeric
from (
  select b.id, books.order_sums(b) as summen
  from app.angebot b
  where b.status = 'angenommen' and b.auftrag_brutto is null
) s
where s.id = a.id;
reset role;
