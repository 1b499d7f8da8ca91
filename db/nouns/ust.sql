-- Turnover tax: which part of a document belongs to which tax period.

-- Tax groups of a frozen document, each split by the months in which its lines were supplied, because the tax
-- of a supply arises with the month of the supply (§ 13 (1) Nr. 1a UStG; for parts of a supply, sentences 2
-- and 3). A line without days of its own has those of the document. Amounts are split by the sums of the
-- lines: running totals are rounded, so that the parts of a group add up to it.
create or replace function books.tax_parts(beleg jsonb)
  returns table (
    nr bigint, kategorie text, satz text, grund text, le_date date, basis numeric, steuer numeric
  ) language sql immutable set search_path = pg_catalog as $$
  with grp as (
    select g.nr, s ->> 'kategorie' as kategorie, s ->> 'satz' as satz, s ->> 'grund' as grund,
      (s ->> 'basis')::numeric as basis, (s ->> 'steuer')::numeric as steuer
    from jsonb_array_elements(beleg #> '{summen,steuern}') with ordinality as g(s, nr)
  ),
  usual as (select coalesce(beleg ->> 'le_date_bis', beleg ->> 'le_date', beleg ->> 'datum')::date as day),
  line as (
    select p ->> 'kategorie' as kategorie, (p ->> 'ust_satz')::numeric as satz,
      coalesce((p ->> 'le_date_bis')::date, (p ->> 'le_date')::date, u.day) as day,
      (p ->> 'betrag')::numeric as betrag
    from jsonb_array_elements(beleg -> 'positionen') p cross join usual u
    where p ->> 'art' = 'position'
      or (p ->> 'art' in ('optional', 'alternativ') and (p ->> 'gewaehlt')::boolean)
  ),
  month as (
    select g.nr, max(coalesce(l.day, u.day)) as day, coalesce(sum(l.betrag), 0) as betrag
    from grp g
      cross join usual u
      left join line l on l.kategorie = g.kategorie and l.satz = g.satz::numeric
    group by g.nr, date_trunc('month', coalesce(l.day, u.day)::timestamp)
  ),
  share as (
    select m.nr, m.day, sum(m.betrag) over (partition by m.nr) as total,
      sum(m.betrag) over (partition by m.nr order by m.day) as until,
      sum(m.betrag) over (partition by m.nr order by m.day) - m.betrag as before,
      m.day = max(m.day) over (partition by m.nr) as is_last
    from month m
  )
  select g.nr, g.kategorie, g.satz, g.grund, s.day, x.basis, x.steuer
  from grp g
    join share s on s.nr = g.nr
    cross join lateral (
      select
        case
          -- Lines that cancel each other out: nothing to split by.
          when s.total = 0 then case when s.is_last then g.basis else 0 end
          else round(g.basis * s.until / s.total, 2) - round(g.basis * s.before / s.total, 2)
        end as basis,
        case
          when s.total = 0 then case when s.is_last then g.steuer else 0 end
          else round(g.steuer * s.until / s.total, 2) - round(g.steuer * s.before / s.total, 2)
        end as steuer
    ) x
$$;
grant execute on function books.tax_parts(jsonb) to nutzer, forst_definer, forst_betrieb;

-- The day that decides the tax period of a part. A Storno changes the amount due, which counts when it
-- happens (§ 17 (1) sentence 8 UStG; § 14c (1) sentence 2), but not before the supply. An invoice that
-- replaces a cancelled one brings the tax back that the Storno took away: it counts with the Storno, because
-- the period of the supply already has the tax of the cancelled one.
create or replace function books.taxed_on(r app.rechnung, le_date date)
  returns date language sql stable set search_path = pg_catalog as $$
  select greatest(taxed_on.le_date, case
    when r.art = 'storno' then r.rn_datum
    else (
      select s.rn_datum
      from app.rechnung s
      where s.storno_von = r.kopie_von and s.folge < r.folge
    )
  end)
$$;
grant execute on function books.taxed_on(app.rechnung, date) to nutzer, forst_definer, forst_betrieb;
