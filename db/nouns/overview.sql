-- Overview of the bookkeeping: open, overdue and expected amounts, revenue, offers and the cash forecast.
-- Read by apus_admin, as the caller; nothing is stored.

-- The forecast for given entries, by the same rules as cashflowOf in domain/cashflow.oracle.ts (`input`
-- is a CashflowInput); both are tested with domain/cashflow.cases.json and with random entries.
-- Dropped first, because the columns of its answer have changed.
drop function if exists books.cashflow(jsonb);
create or replace function books.cashflow(input jsonb)
  returns table (
    von date, bis date, einnahmen numeric, ausgaben numeric, offen numeric, ueberfaellig numeric,
    zurueck numeric, angenommen numeric, wiederkehrend numeric, erwartet numeric, saldo numeric, stand numeric
  ) language sql immutable set search_path = pg_catalog as $$
  with kopf as (
    select (input ->> 'heute')::date as heute, (input ->> 'von')::date as von, (input ->> 'bis')::date as bis,
      case input ->> 'schritt' when 'woche' then 'week' else 'month' end as einheit,
      case input ->> 'schritt' when 'woche' then interval '7 days' else interval '1 month' end as schritt,
      (input ->> 'anfang')::numeric as anfang
  ),
  teil as (
    select t.beginn, greatest(t.beginn::date, k.von) as von,
      least((t.beginn + k.schritt)::date - 1, k.bis) as bis
    from kopf k
      cross join lateral generate_series(
        date_trunc(k.einheit, k.von::timestamp), k.bis::timestamp, k.schritt
      ) as t(beginn)
    where k.von <= k.bis
  ),
  bewegung as (
    select (p ->> 'datum')::date as tag,
      case p ->> 'art' when 'Einnahme' then 'einnahmen' else 'ausgaben' end as wohin,
      (p ->> 'betrag')::numeric as betrag, false as spaet
    from jsonb_array_elements(input -> 'prognosen') p
    union all
    select greatest((o ->> 'faellig')::date, k.heute), 'offen', (o ->> 'offen')::numeric,
      coalesce((o ->> 'faellig')::date < k.heute, false)
    from kopf k, jsonb_array_elements(input -> 'offen') o
    where (o ->> 'offen')::numeric >= 0
    union all
    -- What customers get back is due at once.
    select k.heute, 'zurueck', -(o ->> 'offen')::numeric, false
    from kopf k, jsonb_array_elements(input -> 'offen') o
    where (o ->> 'offen')::numeric < 0
    union all
    select greatest((s ->> 'datum')::date, k.heute), 'wiederkehrend', (s ->> 'betrag')::numeric, false
    from kopf k, jsonb_array_elements(coalesce(input -> 'serien', '[]')) s
    union all
    select greatest((e ->> 'faellig')::date, k.heute), 'ausgaben', (e ->> 'offen')::numeric, false
    from kopf k, jsonb_array_elements(coalesce(input -> 'eingang', '[]')) e
    union all
    select
      greatest(
        books.expected_on((a ->> 'basis')::date, (a ->> 'ende')::date, (a ->> 'zahlungsziel')::integer),
        k.heute
      ),
      case a ->> 'stand' when 'angenommen' then 'angenommen' else 'erwartet' end,
      case a ->> 'stand'
        when 'angenommen' then (a ->> 'offen')::numeric
        else round((a ->> 'offen')::numeric * coalesce((a ->> 'chance')::numeric, 50) * 0.01, 2)
      end,
      false
    from kopf k, jsonb_array_elements(input -> 'angebote') a
  ),
  summe as (
    select t.von, t.bis, coalesce(sum(b.betrag) filter (where b.wohin = 'einnahmen'), 0) as einnahmen,
      coalesce(sum(b.betrag) filter (where b.wohin = 'ausgaben'), 0) as ausgaben,
      coalesce(sum(b.betrag) filter (where b.wohin = 'offen'), 0) as offen,
      coalesce(sum(b.betrag) filter (where b.spaet), 0) as ueberfaellig,
      coalesce(sum(b.betrag) filter (where b.wohin = 'zurueck'), 0) as zurueck,
      coalesce(sum(b.betrag) filter (where b.wohin = 'angenommen'), 0) as angenommen,
      coalesce(sum(b.betrag) filter (where b.wohin = 'wiederkehrend'), 0) as wiederkehrend,
      coalesce(sum(b.betrag) filter (where b.wohin = 'erwartet'), 0) as erwartet
    from teil t left join bewegung b on b.tag between t.von and t.bis
    group by t.von, t.bis
  )
  select s.von, s.bis, round(s.einnahmen, 2), round(s.ausgaben, 2), round(s.offen, 2),
    round(s.ueberfaellig, 2), round(s.zurueck, 2), round(s.angenommen, 2), round(s.wiederkehrend, 2),
    round(s.erwartet, 2), round(d.saldo, 2), round(k.anfang + sum(d.saldo) over (order by s.von), 2)
  from summe s
    cross join kopf k
    cross join lateral (
      select s.einnahmen
        + s.offen
        + s.angenommen
        + s.wiederkehrend
        + s.erwartet
        - s.ausgaben
        - s.zurueck as saldo
    ) d
  order by s.von
$$;
grant execute on function books.cashflow(jsonb) to nutzer;

-- What recurring invoices should bring up to a day, by the day of payment: periods that nobody billed or left
-- out yet at the price of their template, and drafts of periods at their own. As the caller.
create or replace function books.serie_money(last_day date)
  returns table (datum date, betrag numeric) language sql stable set search_path = pg_catalog as $$
  select x.datum, sum(x.betrag)
  from (
    -- books.days_to_pay written out: a call per series would take longer than everything else.
    select
      d.faellig + coalesce((s.kopf ->> 'zahlungsziel')::integer, b.zahlungsziel, f.zahlungsziel, 14) as datum,
      s.brutto as betrag
    from books.serie_due(serie_money.last_day) d
      join app.serie s on s.id = d.serie_id
      left join app.kunde_rechnung b on b.client_id = s.client_id
      left join app.lieferant f on true
    union all
    select
      case s.faellig_am when 'beginn' then l.von else l.bis end
        + coalesce(r.zahlungsziel, books.days_to_pay(s.client_id)),
      r.brutto
    from app.rechnung r
      join app.serie_lauf l on l.rechnung_id = r.id and l.art = 'entwurf'
      join app.serie s on s.id = l.serie_id
    where r.zustand = 'entwurf'
  ) x
  group by x.datum
$$;
grant execute on function books.serie_money(date) to nutzer;

-- Input of the forecast: entered forecasts, unpaid invoices, what customers get back, recurring ones to come,
-- received invoices that are approved and not paid, and offers that can still be accepted or are accepted and
-- not fully billed. As the caller.
create or replace function books.cashflow_input(first_day date, last_day date, step text, opening numeric)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'heute', checks.today(), 'von', cashflow_input.first_day, 'bis', cashflow_input.last_day,
    'schritt', cashflow_input.step, 'anfang', cashflow_input.opening::text,
    'prognosen', (
      select coalesce(
        jsonb_agg(jsonb_build_object('datum', p.datum, 'betrag', p.betrag::text, 'art', p.art) order by p.id),
        '[]'
      )
      from app.prognose p
      where p.datum between cashflow_input.first_day and cashflow_input.last_day
    ),
    'offen', (
      select coalesce(
        jsonb_agg(jsonb_build_object('faellig', l.faellig, 'offen', l.offen::text) order by l.id), '[]'
      )
      from app.rechnung_offen o join app.rechnung_liste l on l.id = o.rechnung_id
      where l.stand in ('offen', 'teilbezahlt', 'ueberfaellig') or o.offen < 0
    ),
    'serien', (
      select coalesce(
        jsonb_agg(jsonb_build_object('datum', x.datum, 'betrag', x.betrag::text) order by x.datum), '[]'
      )
      from books.serie_money(cashflow_input.last_day) x
    ),
    'eingang', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'faellig', books.eingang_due(e.faellig, e.datum), 'offen', (e.zahlbetrag - e.bezahlt)::text
        ) order by e.id
      ), '[]')
      from app.eingang e
      where e.zustand = 'freigegeben'
    ),
    'angebote', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'stand', l.status,
          'offen', case l.status when 'angenommen' then l.rest_brutto else l.brutto end::text,
          'basis', case l.status
            when 'angenommen' then (l.entschieden_am at time zone 'Europe/Berlin')::date
            else l.gueltig_bis
          end,
          'ende', p.ende, 'zahlungsziel', coalesce(b.zahlungsziel, f.zahlungsziel, 14), 'chance', l.chance
        ) order by l.id
      ), '[]')
      from app.angebot_liste l
        left join (
          select p.angebot_id, max(coalesce(p.le_date_bis, p.le_date)) as ende
          from app.position p
          where p.angebot_id is not null and (p.le_date is not null or p.le_date_bis is not null)
          group by p.angebot_id
        ) p on p.angebot_id = l.id
        left join app.kunde_rechnung b on b.client_id = l.client_id
        left join app.lieferant f on true
      where l.stand in ('versendet', 'angenommen', 'teilabgerechnet')
    )
  )
$$;
grant execute on function books.cashflow_input(date, date, text, numeric) to nutzer;

-- Rows from `von` (default today) to `bis` (default end of the fifth month after); `schritt` 'monat' or
-- 'woche'; `anfang` is the bank balance on the first morning. Overdue money is expected today, and so is what
-- customers get back.
create or replace function app.a_get_cashflow(
  von date default null, bis date default null, schritt text default 'monat', anfang numeric default 0
) returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare
  first_day date := coalesce(a_get_cashflow.von, checks.today());
  last_day date := coalesce(
    a_get_cashflow.bis, (date_trunc('month', first_day::timestamp) + interval '6 months')::date - 1
  );
  step text := coalesce(a_get_cashflow.schritt, 'monat');
  start numeric := coalesce(a_get_cashflow.anfang, 0);
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform checks.check_value(first_day between '2000-01-01' and '2100-12-31', 'von', 'datum_bereich');
  perform checks.check_value(step in ('monat', 'woche'), 'schritt', 'cashflow_schritt');
  perform checks.check_value(
    last_day between first_day and (first_day + interval '10 years')::date, 'bis', 'cashflow_zeitraum'
  );
  perform checks.check_value(abs(start) < 1000000000000, 'anfang', 'betrag_gross');
  perform checks.check_value(start = round(start, 2), 'anfang', 'betrag_stellen');
  return (
    select coalesce(jsonb_agg(
      jsonb_build_object(
        'von', c.von, 'bis', c.bis, 'einnahmen', c.einnahmen::text, 'ausgaben', c.ausgaben::text,
        'offen', c.offen::text, 'ueberfaellig', c.ueberfaellig::text, 'zurueck', c.zurueck::text,
        'angenommen', c.angenommen::text, 'wiederkehrend', c.wiederkehrend::text,
        'erwartet', c.erwartet::text, 'saldo', c.saldo::text, 'stand', c.stand::text
      ) order by c.von
    ), '[]')
    from books.cashflow(books.cashflow_input(first_day, last_day, step, start)) c
  );
end $$;
grant execute on function app.a_get_cashflow(date, date, text, numeric) to nutzer;

-- Figures of the overview; amounts as text. Revenue is what was issued, by invoice date; a Storno or a
-- correction is subtracted on its own date. An advance is no revenue: the final invoice bills the whole
-- supply. `vergleich` covers the previous year, up to the same day while the year is not over.
create or replace function app.a_get_buchhaltung(jahr integer default null)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare
  today date := checks.today();
  year integer := coalesce(a_get_buchhaltung.jahr, extract(year from checks.today())::integer);
  cut date;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform checks.check_value(year between 2000 and 2199, 'jahr', 'datum_bereich');
  cut := case
    when year = extract(year from today) then (today - interval '1 year')::date
    else make_date(year - 1, 12, 31)
  end;
  return (
    -- Advances are no revenue until the final invoice.
    with issued as materialized (
      select r.client_id, r.rn_datum >= make_date(year, 1, 1) as dies,
        extract(month from r.rn_datum)::integer as monat, r.rn_datum <= cut as comparable,
        sum(r.netto) as netto, sum(r.brutto) as brutto
      from app.rechnung r
      where r.zustand = 'ausgestellt'
        and r.art <> 'abschlag'
        and (
          r.art <> 'storno'
          or not exists (select from app.rechnung o where o.id = r.storno_von and o.art = 'abschlag')
        )
        and r.rn_datum between make_date(year - 1, 1, 1) and make_date(year, 12, 31)
      group by 1, 2, 3, 4
    ),
    kunde as (
      select i.client_id, coalesce(sum(i.netto) filter (where i.dies), 0.00) as netto,
        coalesce(sum(i.brutto) filter (where i.dies), 0.00) as brutto,
        coalesce(sum(i.netto) filter (where not i.dies), 0.00) as vorjahr_netto,
        coalesce(sum(i.brutto) filter (where not i.dies), 0.00) as vorjahr_brutto,
        row_number() over (
          order by coalesce(sum(i.netto) filter (where i.dies), 0) desc, i.client_id
        ) as platz
      from issued i
      group by i.client_id
      having count(*) filter (where i.dies) > 0
    ),
    invoice as (
      select l.stand, l.brutto, l.offen, l.faellig
      from app.rechnung_offen o join app.rechnung_liste l on l.id = o.rechnung_id
      union all
      select 'entwurf', r.brutto, 0, null
      from app.rechnung r
      where r.zustand = 'entwurf'
    ),
    -- Narrow rows: those of the view would be sorted on disk.
    offer as materialized (
      select l.stand, l.gilt_netto, l.gilt_brutto, l.rest_brutto, l.gewichtet, l.chance
      from app.angebot_liste l
    )
    select jsonb_build_object(
      'heute', today, 'jahr', year,
      'jahre', (
        select coalesce(jsonb_agg(j order by j desc), '[]')
        from (
          select y.j
          from generate_series(
            (select extract(year from min(r.rn_datum))::integer from app.rechnung r),
            (select extract(year from max(r.rn_datum))::integer from app.rechnung r)
          ) as y(j)
          where (
            select true
            from app.rechnung r
            where r.rn_datum between make_date(y.j, 1, 1) and make_date(y.j, 12, 31)
              and r.zustand = 'ausgestellt' limit 1
          )
          union
          select extract(year from today)::integer
          union
          select year
        ) x
      ),
      'leer', not exists (select from app.rechnung)
        and not exists (select from app.angebot)
        and not exists (select from app.prognose),
      'unternehmen', exists (select from app.lieferant),
      'rechnungen', (
        select jsonb_build_object(
          'offen', jsonb_build_object(
            'anzahl', count(*) filter (where i.stand in ('offen', 'teilbezahlt', 'ueberfaellig')),
            'betrag', coalesce(
              sum(i.offen) filter (where i.stand in ('offen', 'teilbezahlt', 'ueberfaellig')), 0.00
            )::text
          ),
          'ueberfaellig', jsonb_build_object(
            'anzahl', count(*) filter (where i.stand = 'ueberfaellig'),
            'betrag', coalesce(sum(i.offen) filter (where i.stand = 'ueberfaellig'), 0.00)::text,
            'seit', min(i.faellig) filter (where i.stand = 'ueberfaellig')
          ),
          'zurueck', jsonb_build_object(
            'anzahl', count(*) filter (where i.offen < 0),
            'betrag', coalesce(-sum(i.offen) filter (where i.offen < 0), 0.00)::text
          ),
          'entwuerfe', jsonb_build_object(
            'anzahl', count(*) filter (where i.stand = 'entwurf'),
            'betrag', coalesce(sum(i.brutto) filter (where i.stand = 'entwurf'), 0.00)::text
          )
        )
        from invoice i
      ),
      'umsatz', (
        select jsonb_build_object(
          'netto', coalesce(sum(i.netto) filter (where i.dies), 0.00)::text,
          'brutto', coalesce(sum(i.brutto) filter (where i.dies), 0.00)::text,
          'vorjahr_netto', coalesce(sum(i.netto) filter (where not i.dies), 0.00)::text,
          'vorjahr_brutto', coalesce(sum(i.brutto) filter (where not i.dies), 0.00)::text,
          'vergleich', jsonb_build_object(
            'bis', cut,
            'netto', coalesce(sum(i.netto) filter (where not i.dies and i.comparable), 0.00)::text,
            'brutto', coalesce(sum(i.brutto) filter (where not i.dies and i.comparable), 0.00)::text
          )
        )
        from issued i
      ),
      'monate', (
        select jsonb_agg(
          jsonb_build_object(
            'monat', to_char(make_date(year, m, 1), 'YYYY-MM'), 'netto', s.netto::text,
            'brutto', s.brutto::text, 'vorjahr_netto', s.vorjahr_netto::text,
            'vorjahr_brutto', s.vorjahr_brutto::text
          ) order by m
        )
        from generate_series(1, 12) m
          cross join lateral (
            select coalesce(sum(i.netto) filter (where i.dies), 0.00) as netto,
              coalesce(sum(i.brutto) filter (where i.dies), 0.00) as brutto,
              coalesce(sum(i.netto) filter (where not i.dies), 0.00) as vorjahr_netto,
              coalesce(sum(i.brutto) filter (where not i.dies), 0.00) as vorjahr_brutto
            from issued i
            where i.monat = m
          ) s
      ),
      'kunden', (
        select coalesce(jsonb_agg(
          jsonb_build_object(
            'client_id', k.client_id, 'kunde', n.name, 'netto', k.netto::text, 'brutto', k.brutto::text,
            'vorjahr_netto', k.vorjahr_netto::text, 'vorjahr_brutto', k.vorjahr_brutto::text
          ) order by k.platz
        ), '[]')
        from kunde k left join app.kunde n on n.client_id = k.client_id
        where k.platz <= 10
      ),
      'uebrige', (
        select case
          when count(*) > 0 then jsonb_build_object(
            'anzahl', count(*), 'netto', sum(k.netto)::text, 'brutto', sum(k.brutto)::text,
            'vorjahr_netto', sum(k.vorjahr_netto)::text, 'vorjahr_brutto', sum(k.vorjahr_brutto)::text
          )
        end
        from kunde k
        where k.platz > 10
      ),
      'angebote', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'stand', o.stand, 'anzahl', o.anzahl, 'netto', o.netto::text, 'brutto', o.brutto::text,
          'rest', o.rest::text, 'gewichtet', o.gewichtet::text
        )), '[]')
        from (
          select f.stand, count(*) as anzahl, sum(f.gilt_netto) as netto, sum(f.gilt_brutto) as brutto,
            sum(f.rest_brutto) as rest, sum(f.gewichtet) as gewichtet
          from offer f
          group by f.stand
          order by array_position(
            '{entwurf,versendet,abgelaufen,angenommen,teilabgerechnet,abgerechnet,abgelehnt,ersetzt}'::text[],
            f.stand
          )
        ) o
      )
    )
  );
end $$;
grant execute on function app.a_get_buchhaltung(integer) to nutzer;
