-- Which tax period the lines of a DATEV batch belong to, and where the Umsatzsteuer-Voranmeldung (ust.sql)
-- says something else, because a line cannot say it.

-- Whether a part counts with its payment: by received consideration, unless another state of the EU taxes it
-- (§ 18b sentence 3 UStG).
create or replace function books.is_taxed_when_paid(kategorie text, beleg jsonb, le_date date, ways jsonb)
  returns boolean language plpgsql stable set search_path = pg_catalog as $$
begin
  return coalesce(books.is_by_received(ways, is_taxed_when_paid.le_date), false)
    and not books.is_eu_service(is_taxed_when_paid.kategorie, is_taxed_when_paid.beleg);
end $$;
grant execute on function books.is_taxed_when_paid(text, jsonb, date, jsonb) to nutzer, forst_definer;

-- As the caller. What a payment of an advance is, by rate, in running totals.
create or replace function books.advance_payment(z app.zahlung, steuern jsonb)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  with paid as (
    select coalesce(sum(b.betrag), 0) as before
    from app.zahlung b
    where b.rechnung_id = z.rechnung_id and b.art = 'zahlung' and (b.datum, b.id) < (z.datum, z.id)
  )
  select coalesce(jsonb_agg(
    u || jsonb_build_object(
      'basis', ((u ->> 'basis')::numeric - (v ->> 'basis')::numeric)::text,
      'steuer', ((u ->> 'steuer')::numeric - (v ->> 'steuer')::numeric)::text
    ) order by t.nr
  ), '[]')
  from paid p
    cross join lateral jsonb_array_elements(
      books.received_by_rate(steuern, p.before + z.betrag)
    ) with ordinality as t(u, nr)
    join lateral jsonb_array_elements(
      books.received_by_rate(steuern, p.before)
    ) with ordinality as s(v, nr) on s.nr = t.nr
$$;
grant execute on function books.advance_payment(app.zahlung, jsonb) to nutzer, forst_definer;

-- As the caller. What a document takes off of its advances, by rate and day: in the last month of the supply
-- of that rate, as the return does (books.declared_parts). Money that came after the supply has been booked
-- in its own period, because nobody knew the supply's; it is cleared in that period, so that the supply's has
-- the whole (§ 13 (1) Nr. 1a sentence 1 UStG).
create or replace function books.cleared_advances(r app.rechnung, ways jsonb)
  returns table (kategorie text, satz text, basis numeric, steuer numeric, le_date date)
  language plpgsql stable set search_path = pg_catalog as $$
#variable_conflict use_column
declare
  supplied date;
  first date;
  late bigint[] := '{}';
begin
  select max(d.day), min(d.day) into supplied, first
  from (
    select max(p.le_date) as day
    from books.tax_parts(cleared_advances.r.beleg) p
    group by p.kategorie, p.satz
  ) d;
  -- The first final invoice of an advance decides, cancelled or not, as in the return.
  if r.art = 'schluss' then
    late := array(
      select z.id
      from app.zahlung z left join app.zahlung g on g.id = z.gegen_id
      where z.rechnung_id = any (array(
          select (a ->> 'id')::bigint
          from jsonb_array_elements(cleared_advances.r.beleg -> 'abschlaege') a
          where not exists (
            select from app.rechnung f
            where f.angebot_id = cleared_advances.r.angebot_id
              and f.art = 'schluss'
              and f.zustand = 'ausgestellt'
              and f.folge < cleared_advances.r.folge
              and f.beleg -> 'abschlaege' @> jsonb_build_array(jsonb_build_object('id', a ->> 'id'))
          )
        ))
        and z.art = 'zahlung'
        and coalesce(g.datum, z.datum) > first
        and coalesce(g.datum, z.datum) <= cleared_advances.r.rn_datum
    );
  end if;
  return query
    with amount as (
      select s ->> 'kategorie' as kategorie, s ->> 'satz' as satz, sum((s ->> 'basis')::numeric) as basis,
        sum((s ->> 'steuer')::numeric) as steuer
      from jsonb_array_elements(cleared_advances.r.beleg -> 'abschlaege') a,
        jsonb_array_elements(a -> 'steuern') s
      group by 1, 2
    ),
    own as (
      select p.kategorie, p.satz, max(p.le_date) as day
      from books.tax_parts(cleared_advances.r.beleg) p
      group by 1, 2
    ),
    later as materialized (
      select s ->> 'kategorie' as kategorie, s ->> 'satz' as satz, x.tag,
        sum((s ->> 'basis')::numeric) as basis, sum((s ->> 'steuer')::numeric) as steuer
      from (
        select z, o.beleg #> '{summen,steuern}' as steuern,
          coalesce((select g.datum from app.zahlung g where g.id = z.gegen_id), z.datum) as tag
        from app.zahlung z join app.rechnung o on o.id = z.rechnung_id
        where z.id = any (late)
      ) x
        cross join lateral jsonb_array_elements(books.advance_payment(x.z, x.steuern)) s
        left join own w on w.kategorie = s ->> 'kategorie' and w.satz = s ->> 'satz'
      where x.tag > coalesce(w.day, supplied)
        and not coalesce(books.is_by_received(cleared_advances.ways, coalesce(w.day, supplied)), false)
      group by 1, 2, 3
    )
    select a.kategorie, a.satz, a.basis - coalesce(l.basis, 0), a.steuer - coalesce(l.steuer, 0),
      coalesce(s.day, supplied, cleared_advances.r.rn_datum)
    from amount a
      left join own s on s.kategorie = a.kategorie and s.satz = a.satz
      left join lateral (
        select sum(l.basis) as basis, sum(l.steuer) as steuer
        from later l
        where l.kategorie = a.kategorie and l.satz = a.satz
      ) l on true
    union all
    select l.kategorie, l.satz, l.basis, l.steuer, l.tag
    from later l;
end $$;
grant execute on function books.cleared_advances(app.rechnung, jsonb) to nutzer, forst_definer;

-- As the caller. A discount or a loss by the rates of what is left of its invoice, in running totals as the
-- return shares them out: advances taken off (books.declared_parts), and what corrections have taken back by
-- that day. `datum` decides the tax period: the day on which less was paid (§ 17 (1) sentence 8 UStG), but
-- not before the supply. What is taken back goes back as it was split, into the period that it had.
create or replace function books.reduction_parts(z app.zahlung, r app.rechnung)
  returns table (kategorie text, satz text, basis numeric, steuer numeric, le_date date, datum date)
  language plpgsql stable set search_path = pg_catalog as $$
#variable_conflict use_column
begin
  return query
    with entry as (
      select coalesce(g.id, reduction_parts.z.id) as id, coalesce(g.datum, reduction_parts.z.datum) as tag,
        coalesce(g.betrag, reduction_parts.z.betrag) as betrag,
        case when g.id is null then 1 else -1 end as factor
      from (values (1)) one left join app.zahlung g on g.id = reduction_parts.z.gegen_id
    ),
    reduced as (
      select e.*,
        coalesce((
          select sum(b.betrag)
          from books.dated_zahlung b
          where b.rechnung_id = reduction_parts.r.id
            and b.art in ('skonto', 'ausfall')
            and (b.tag, b.id) < (e.tag, e.id)
        ), 0) as before
      from entry e
    ),
    part as (
      select p.nr, p.kategorie, p.satz, p.le_date, p.basis, p.steuer, coalesce(k.basis, 0) as less_basis,
        coalesce(k.steuer, 0) as less_tax
      from books.declared_parts(reduction_parts.r.art, reduction_parts.r.beleg) p
        cross join entry e
        left join lateral (
          select sum(t.basis) as basis, sum(t.steuer) as steuer
          from app.rechnung k cross join lateral books.tax_parts(k.beleg) t
          where k.korrektur_von = reduction_parts.r.id
            and k.zustand = 'ausgestellt'
            and k.rn_datum <= e.tag
            and t.kategorie = p.kategorie
            and t.satz = p.satz
            and date_trunc('month', t.le_date::timestamp) = date_trunc('month', p.le_date::timestamp)
            -- Of a final invoice a row that only takes an advance off.
            and p.nr < 1000
        ) k on true
    ),
    -- What ends with the last of the price, by the rates that it had.
    rest as (
      select p.nr, p.kategorie, p.satz, p.le_date,
        p.basis + case when x.is_left then p.less_basis else 0 end as basis,
        p.steuer + case when x.is_left then p.less_tax else 0 end as steuer
      from part p
        cross join (select sum(o.basis + o.steuer + o.less_basis + o.less_tax) <> 0 as is_left from part o) x
    ),
    running as (
      select p.*, p.basis + p.steuer as gross, sum(p.basis + p.steuer) over () as total,
        sum(p.basis + p.steuer) over (order by p.nr, p.le_date) as until
      from rest p
    ),
    share as (
      select p.*, m.nth, e.tag, e.factor,
        round(m.due * p.until / p.total, 2) - round(m.due * (p.until - p.gross) / p.total, 2) as share
      from running p
        cross join reduced e
        cross join lateral (
          values (1, p.total - e.before), (-1, p.total - e.before - e.betrag)
        ) as m(nth, due)
      where p.total <> 0
    ),
    taxed as (
      select s.*, case when s.gross = 0 then 0 else round(s.share * s.steuer / s.gross, 2) end as tax
      from share s
    )
    select t.kategorie, t.satz, sum(t.factor * t.nth * (t.share - t.tax)), sum(t.factor * t.nth * t.tax),
      max(t.le_date), x.datum
    from taxed t
      cross join lateral (select greatest(t.tag, books.taxed_on(reduction_parts.r, t.le_date)) as datum) x
    group by t.kategorie, t.satz, x.datum
    having sum(t.factor * t.nth * t.share) <> 0;
end $$;
grant execute on function books.reduction_parts(app.zahlung, app.rechnung) to nutzer, forst_definer;

-- As the caller. The lines about these documents by tax period, gross; as if all batches were written with
-- payments and discounts. `root` is the invoice with its Storno and corrections, below zero the order with
-- its advances and their final invoice. By received consideration DATEV takes the tax from the money, whose
-- lines have no rate.
create or replace function books.datev_bookings(ids bigint[], ways jsonb)
  returns table (root bigint, rechnung_id bigint, kategorie text, satz text, datum date, brutto numeric)
  language sql stable set search_path = pg_catalog as $$
  with wanted as (
    select case when o.art in ('abschlag', 'schluss') then -o.angebot_id else o.id end as root, r,
      jsonb_array_length(coalesce(r.beleg -> 'abschlaege', '[]')) > 0 as takes_off
    from app.rechnung r
      join app.rechnung o on o.id = coalesce(r.storno_von, r.korrektur_von, r.id)
    where r.id = any (datev_bookings.ids)
      and r.zustand = 'ausgestellt'
      and (o.art <> 'abschlag' or o.id = r.id)
  )
  select w.root, (w.r).id, p.kategorie, p.satz, books.taxed_on(w.r, p.le_date), p.basis + p.steuer
  from wanted w cross join lateral books.tax_parts((w.r).beleg) p
  where (w.r).art <> 'abschlag' and not books.is_taxed_when_paid(p.kategorie, (w.r).beleg, p.le_date, ways)
  union all
  select w.root, (w.r).id, c.kategorie, c.satz, books.taxed_on(w.r, c.le_date), -c.basis - c.steuer
  from wanted w cross join lateral books.cleared_advances(w.r, ways) c
  where w.takes_off
    and not books.is_eu_service(c.kategorie, (w.r).beleg)
    and not books.is_taxed_when_paid(c.kategorie, (w.r).beleg, c.le_date, ways)
  union all
  -- Money for advances.
  select w.root, (w.r).id, s ->> 'kategorie', s ->> 'satz', d.tag,
    (s ->> 'basis')::numeric + (s ->> 'steuer')::numeric
  from wanted w
    join books.dated_zahlung d on d.rechnung_id = (w.r).id and d.art = 'zahlung'
    join app.zahlung z on z.id = d.id
    cross join lateral jsonb_array_elements(books.advance_payment(z, (w.r).beleg #> '{summen,steuern}')) s
  where (w.r).art = 'abschlag' and not books.is_eu_service(s ->> 'kategorie', (w.r).beleg)
  union all
  select w.root, (w.r).id, x.kategorie, x.satz, x.datum, -x.basis - x.steuer
  from wanted w
    join app.zahlung z on z.rechnung_id = (w.r).id and z.art = 'skonto'
    cross join lateral books.reduction_parts(z, w.r) x
  where (w.r).art <> 'abschlag' and not books.is_taxed_when_paid(x.kategorie, (w.r).beleg, x.le_date, ways)
  union all
  select w.root, (w.r).id, '', '', z.datum, z.betrag
  from wanted w join app.zahlung z on z.rechnung_id = (w.r).id and z.art = 'zahlung'
  where (w.r).art <> 'abschlag'
    and exists (
      select from books.declared_parts((w.r).art, (w.r).beleg) p
      where books.is_taxed_when_paid(p.kategorie, (w.r).beleg, p.le_date, ways)
    )
$$;
grant execute on function books.datev_bookings(bigint[], jsonb) to nutzer, forst_definer;

-- As the caller. Where lines and return differ in a month by more than the cents of rounding: money before
-- the supply or beyond the price, losses, and what was paid for a cancelled or corrected invoice and not paid
-- back. No line says these; people book them.
create or replace function books.datev_differences(month date, ways jsonb)
  returns table (root bigint, rechnung_id bigint, kategorie text, satz text, declared numeric, booked numeric)
  language plpgsql stable set search_path = pg_catalog as $$
#variable_conflict use_column
declare last date := datev_differences.month + interval '1 month -1 day';
begin
  return query
    with told as materialized (
      select case when o.art in ('abschlag', 'schluss') then -o.angebot_id else o.id end as root,
        u.rechnung_id, case when w.paid then '' else u.kategorie end as kategorie,
        case when w.paid then '' else u.satz end as satz, u.basis::numeric + u.steuer::numeric as brutto
      from app.a_get_ust(datev_differences.month, last) u
        join app.rechnung r on r.id = u.rechnung_id
        join app.rechnung o on o.id = coalesce(r.storno_von, r.korrektur_von, r.id)
        cross join lateral (
          select o.art <> 'abschlag'
            and books.is_taxed_when_paid(u.kategorie, r.beleg, u.le_date, ways) as paid
        ) w
    ),
    touched as (
      select t.rechnung_id as id
      from told t
      union
      select r.id
      from app.rechnung r
      where r.zustand = 'ausgestellt'
        and (
          r.rn_datum between datev_differences.month and last
          or r.le_date between datev_differences.month and last
          or r.le_date_bis between datev_differences.month and last
        )
      union
      select p.rechnung_id
      from app.position p
      where p.le_date between datev_differences.month and last
        or p.le_date_bis between datev_differences.month and last
      union
      select z.rechnung_id
      from app.zahlung z
      where z.datum between datev_differences.month and last
    ),
    -- Arrays, so that only these rows are read.
    origin as materialized (
      select array_agg(distinct coalesce(r.storno_von, r.korrektur_von, r.id)) as ids
      from app.rechnung r
      where r.id = any (array(select t.id from touched t))
    ),
    orders as materialized (
      select r.id
      from app.rechnung r
      where r.angebot_id = any (array(
          select o.angebot_id
          from app.rechnung o
          where o.id = any (array(select unnest(g.ids) from origin g)) and o.art in ('abschlag', 'schluss')
        ))
        and r.art in ('abschlag', 'schluss')
    ),
    -- All documents of a root, because a line of one has its counterpart in another.
    main as materialized (
      select array(select unnest(g.ids) from origin g union select d.id from orders d) as ids
    ),
    family as materialized (
      select array(
        select unnest(m.ids)
        from main m
        union
        select r.id
        from app.rechnung r
        where r.storno_von = any (array(select unnest(m.ids) from main m))
        union
        select r.id
        from app.rechnung r
        where r.korrektur_von = any (array(select unnest(m.ids) from main m))
      ) as ids
    ),
    booked as (
      select b.root, b.rechnung_id, b.kategorie, b.satz, b.brutto
      from books.datev_bookings((select f.ids from family f), ways) b
      where b.datum between datev_differences.month and last
    ),
    both_sides as (
      select t.root, t.rechnung_id, t.kategorie, t.satz, t.brutto as told, 0 as booked
      from told t
      union all
      select b.root, b.rechnung_id, b.kategorie, b.satz, 0, b.brutto
      from booked b
    ),
    sums as (
      select x.root, x.kategorie, x.satz, max(x.rechnung_id) as rechnung_id, sum(x.told) as told,
        sum(x.booked) as booked
      from both_sides x
      group by 1, 2, 3
      having abs(sum(x.told) - sum(x.booked)) > 0.02
    )
    select s.root, s.rechnung_id, s.kategorie, s.satz, s.told, s.booked
    from sums s;
end $$;
grant execute on function books.datev_differences(date, jsonb) to nutzer;

-- As the caller. What batches of the last two years have said of differences, the newest of each, and the
-- last invoice and payment that there were. Equal amounts: it was said that there is none any more.
create or replace function books.datev_noted()
  returns table (
    root bigint, nummer text, monat date, kategorie text, satz text, declared numeric, booked numeric,
    zeit timestamptz, folge bigint, zahlung bigint
  ) language sql stable set search_path = pg_catalog as $$
  select distinct
    on ((h ->> 'root')::bigint, h ->> 'monat', h ->> 'kategorie', h ->> 'satz') (h ->> 'root')::bigint,
    h ->> 'nummer', (h ->> 'monat')::date, h ->> 'kategorie', h ->> 'satz', (h ->> 'declared')::numeric,
    (h ->> 'booked')::numeric, p.zeit, coalesce((p.inhalt #>> '{stand,folge}')::bigint, 0),
    coalesce((p.inhalt #>> '{stand,zahlung}')::bigint, 0)
  from app.protokoll p
    cross join lateral jsonb_array_elements(p.inhalt -> 'hinweise') h
  where p.gegenstand = 'datev'
    and p.ereignis = 'exportiert'
    and p.inhalt ? 'hinweise'
    and (h ->> 'monat')::date >= checks.today() - 731
  order by (h ->> 'root')::bigint, h ->> 'monat', h ->> 'kategorie', h ->> 'satz', p.nr desc
$$;
grant execute on function books.datev_noted() to nutzer;

-- As the caller. Months with a noted difference whose documents have changed since.
create or replace function books.datev_moved_months()
  returns table (monat date) language sql stable set search_path = pg_catalog as $$
  with noted as materialized (select n.* from books.datev_noted() n where n.declared <> n.booked),
  origin as (
    select n.monat, n.folge as last_document, n.zahlung as last_payment, r.id, r.folge
    from noted n join app.rechnung r on r.id = n.root
    union all
    select n.monat, n.folge, n.zahlung, r.id, r.folge
    from noted n
      join app.rechnung r on r.angebot_id = -n.root and r.art in ('abschlag', 'schluss')
    where n.root < 0
  ),
  document as (
    select o.*
    from origin o
    union all
    select o.monat, o.last_document, o.last_payment, r.id, r.folge
    from origin o
      join app.rechnung r on o.id in (r.storno_von, r.korrektur_von, r.kopie_von)
    where r.zustand = 'ausgestellt'
  )
  select distinct d.monat
  from document d
  where d.folge > d.last_document
    or exists (select from app.zahlung z where z.rechnung_id = d.id and z.id > d.last_payment)
$$;
grant execute on function books.datev_moved_months() to nutzer;

-- As the caller. The differences of a period, and what has become of those that earlier batches named, in
-- other months too: people have booked these by hand. `stand`: 'neu'; 'genannt', as a batch says already;
-- 'anders', with what it says (`before_…`); 'vorbei', there is none any more. Dropped first, because the
-- columns of the answer have changed.
drop function if exists app.a_get_datev_abweichung(date, date);
create or replace function app.a_get_datev_abweichung(von date, bis date)
  returns table (
    rechnung_id bigint, nummer text, kunde text, monat date, kategorie text, satz text, declared text,
    booked text, root bigint, stand text, before_declared text, before_booked text, noted_at timestamptz
  ) language plpgsql stable set search_path = pg_catalog set statement_timeout = '60s' as $$
declare
  ways jsonb := books.taxation_ways();
  first date;
  month date;
begin
  perform rights.refuse_unless(rights.reads_books());
  perform checks.check_value(
    von is not null
      and bis is not null
      and von <= bis
      and von >= '2000-01-01'
      and bis < von + interval '1 year',
    'von', 'zeitraum'
  );
  first := date_trunc('month', von::timestamp);
  for month in
    select m::date
    from generate_series(first::timestamp, bis::timestamp, interval '1 month') m
    union
    select d.monat
    from books.datev_moved_months() d
    order by 1
  loop
    return query
      select r.id, r.nummer, coalesce(r.beleg #>> '{empfaenger,name}', ''), month, x.kategorie, x.satz,
        x.declared::numeric(14, 2)::text, x.booked::numeric(14, 2)::text, x.root, x.stand,
        case when x.stand = 'anders' then x.noted_declared::numeric(14, 2)::text end,
        case when x.stand = 'anders' then x.noted_booked::numeric(14, 2)::text end,
        case when x.stand <> 'neu' then x.zeit end
      from (
        select coalesce(d.root, n.root) as root, d.rechnung_id, n.nummer,
          coalesce(d.kategorie, n.kategorie) as kategorie, coalesce(d.satz, n.satz) as satz,
          coalesce(d.declared, n.declared) as declared, coalesce(d.booked, n.booked) as booked,
          n.declared as noted_declared, n.booked as noted_booked, n.zeit,
          case
            when d.root is null then 'vorbei'
            when n.root is null then 'neu'
            when n.declared = d.declared and n.booked = d.booked then 'genannt'
            else 'anders'
          end as stand
        from books.datev_differences(month, ways) d
          full join (
            select o.* from books.datev_noted() o where o.monat = month and o.declared <> o.booked
          ) n on n.root = d.root and n.kategorie = d.kategorie and n.satz = d.satz
      ) x
        join app.rechnung r on case
          when x.rechnung_id is null then r.nummer = x.nummer
          else r.id = x.rechnung_id
        end
      where (month between first and bis) or x.stand in ('anders', 'vorbei')
      order by r.folge, x.kategorie, x.satz desc;
  end loop;
end $$;
grant execute on function app.a_get_datev_abweichung(date, date) to nutzer;
