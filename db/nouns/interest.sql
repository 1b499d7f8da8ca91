-- Default interest and lump sum (§ 288 BGB): the rules of domain/interest.ts, tested with the same cases
-- (domain/interest.cases.json). How days are counted and why: docs/decisions/interest.md.

-- The rules of one line have no search_path of their own: a list of thousands can then inline them.
-- § 193 BGB: a term that would end on a Saturday or Sunday ends on Monday.
create or replace function books.next_workday(day date) returns date language sql immutable strict
  return day + case extract(isodow from day) when 6 then 2 when 7 then 1 else 0 end;
grant execute on function books.next_workday(date) to nutzer, forst_definer;

-- The first day of interest that is proposed; null: none yet. By the calendar from the day after the due day
-- (§ 286 (2) Nr. 1 BGB); private persons from the day after the deadline of the first reminder (§ 286 (1)).
create or replace function books.default_day(due date, privat boolean, deadline date)
  returns date language sql immutable
  return case
    when not privat then books.next_workday(due) + 1
    when deadline is not null then books.next_workday(greatest(due, deadline)) + 1
  end;
grant execute on function books.default_day(date, boolean, date) to nutzer, forst_definer;

-- The earliest day that can be asked for. Private persons: after the first reminder, or thirty days after the
-- due day, if the invoice said so (§ 286 (3) BGB).
create or replace function books.earliest_default_day(due date, privat boolean, reminded date)
  returns date language sql immutable
  return case
    when not privat then due + 1
    when reminded is null then due + 31
    else least(due + 31, greatest(due, reminded) + 1)
  end;
grant execute on function books.earliest_default_day(date, boolean, date) to nutzer, forst_definer;

-- The half-year of a day, by its first day (§ 247 (1) BGB).
create or replace function books.half_year(day date)
  returns date language sql immutable strict set search_path = pg_catalog
  return make_date(
    extract(year from day)::integer, case when extract(month from day) < 7 then 1 else 7 end, 1
  );
grant execute on function books.half_year(date) to nutzer, forst_definer;

-- The first half-year of a period that has no rate.
create or replace function books.missing_half_year(rates jsonb, from_day date, to_day date)
  returns date language sql stable set search_path = pg_catalog as $$
  select min(h.tag::date)
  from generate_series(books.half_year(from_day)::timestamp, to_day::timestamp, interval '6 months') as h(tag)
  where not exists (select from jsonb_array_elements(rates) r where (r ->> 'ab')::date = h.tag::date)
$$;
grant execute on function books.missing_half_year(jsonb, date, date) to forst_definer;

-- Interest from one day to another, both included. `steps`: what is open from the beginning of a day on.
-- Half-years and years of 365 and 366 days end a period; each is rounded to cents, because the printed lines
-- must add up. The caller has checked that no rate is missing.
create or replace function books.interest_periods(
  steps jsonb, rates jsonb, from_day date, to_day date, privat boolean
) returns table (
  von date, bis date, tage integer, betrag numeric, basiszins numeric, satz numeric, zinsen numeric
) language sql stable set search_path = pg_catalog as $$
  with step as (
    select (s ->> 'ab')::date as ab, (s ->> 'offen')::numeric as offen from jsonb_array_elements(steps) s
  ),
  start as (
    select from_day as von
    where from_day <= to_day
    union
    select h.tag::date
    from generate_series(
      books.half_year(from_day)::timestamp, to_day::timestamp, interval '6 months'
    ) as h(tag)
    where h.tag::date > from_day
    union
    select s.ab
    from step s
    where s.ab > from_day and s.ab <= to_day
  ),
  period as (
    select b.von, coalesce(lead(b.von) over (order by b.von) - 1, to_day) as bis,
      (select s.offen from step s where s.ab <= b.von order by s.ab desc limit 1) as offen,
      (
        select (r ->> 'satz')::numeric
        from jsonb_array_elements(rates) r
        where (r ->> 'ab')::date = books.half_year(b.von)
      ) as basis
    from start b
  )
  select p.von, p.bis, p.bis - p.von + 1, p.offen::numeric(14, 2), p.basis::numeric(5, 2),
    (p.basis + case when privat then 5 else 9 end)::numeric(5, 2),
    round(
      p.offen * (p.basis + case when privat then 5 else 9 end) * (p.bis - p.von + 1) / (
        100 * (
          make_date(extract(year from p.von)::integer + 1, 1, 1)
          - make_date(extract(year from p.von)::integer, 1, 1)
        )
      ),
      2
    )
  from period p
  where p.offen > 0
  order by p.von
$$;
grant execute on function books.interest_periods(jsonb, jsonb, date, date, boolean) to forst_definer;

-- What was open of an invoice from the beginning of which day on. A payment, discount or loss counts from the
-- day after its own: on the day itself the debtor still owed the amount. Payments that were taken back never
-- counted. What a correction takes back was never owed: it bears no interest.
create or replace function books.open_steps(rechnung_id bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select coalesce(
    jsonb_agg(jsonb_build_object('ab', s.ab, 'offen', s.offen::numeric(14, 2)::text) order by s.ab), '[]'
  )
  from (
    select '2000-01-01'::date as ab, r.zahlbetrag + books.corrected(r.id, 'infinity') as offen
    from app.rechnung r
    where r.id = open_steps.rechnung_id
    union all
    select z.datum + 1,
      max(r.zahlbetrag + books.corrected(r.id, 'infinity')) - sum(sum(z.betrag)) over (order by z.datum)
    from app.zahlung z join app.rechnung r on r.id = z.rechnung_id
    where z.rechnung_id = open_steps.rechnung_id
      and z.art <> 'mahnkosten'
      and z.gegen_id is null
      and not exists (select from app.zahlung g where g.gegen_id = z.id)
    group by z.datum
  ) s
$$;
grant execute on function books.open_steps(bigint) to nutzer, forst_definer;

-- Whether the customer of an invoice is a private person, as it was when the invoice was issued.
create or replace function books.is_private(beleg jsonb, client_id bigint)
  returns boolean language sql stable set search_path = pg_catalog
  return coalesce(
    (beleg #>> '{empfaenger,ist_privat}')::boolean,
    (select k.ist_privat from app.kunde_rechnung k where k.client_id = is_private.client_id), false
  );
grant execute on function books.is_private(jsonb, bigint) to nutzer, forst_definer;

-- Refuses base rates that are no half-years, stand twice or are out of range.
create or replace function books.check_base_rates(rates jsonb)
  returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  perform checks.check_value(
    jsonb_typeof(rates) = 'array' and jsonb_array_length(rates) <= 200, 'basiszins', 'basiszins'
  );
  perform checks.check_value(
    not exists (
      select from jsonb_array_elements(rates) r
      where jsonb_typeof(r) <> 'object'
        or r - '{ab,satz,quelle}'::text[] <> '{}'
        or coalesce(r ->> 'ab', '') !~ '^(20|21)[0-9]{2}-(01|07)-01$'
        or coalesce(case jsonb_typeof(r -> 'satz') when 'string' then r ->> 'satz' end, '')
          !~ '^-?[0-9]{1,2}\.[0-9]{2}$'
        or not coalesce(
          checks.is_line_or_empty(btrim(r ->> 'quelle'), 200) and btrim(r ->> 'quelle') <> '', false
        )
    ),
    'basiszins', 'basiszins'
  );
  perform checks.check_value(
    not exists (
        select from jsonb_array_elements(rates) r
        where (r ->> 'satz')::numeric not between -5 and 20
      )
      and (select count(distinct r ->> 'ab') from jsonb_array_elements(rates) r) = jsonb_array_length(rates),
    'basiszins', 'basiszins'
  );
end $$;
grant execute on function books.check_base_rates(jsonb) to forst_definer;

-- When a received invoice is to be paid: its due day, or thirty days after its date, when default begins at
-- the latest (§ 286 (3) BGB).
create or replace function books.eingang_due(faellig date, datum date)
  returns date language sql immutable parallel safe set search_path = pg_catalog
  return coalesce(faellig, datum + 30);
grant execute on function books.eingang_due(date, date) to nutzer, forst_definer;
