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

-- Services that another state of the EU taxes at the recipient (§ 18b UStG); not those about land, which §
-- 18b does not name.
create or replace function books.is_eu_service(kategorie text, beleg jsonb)
  returns boolean language sql immutable set search_path = pg_catalog
  return kategorie = 'AE'
    and books.is_foreign_eu(beleg #>> '{empfaenger,ust_id}')
    and coalesce(beleg ->> 'leistungsort', 'kein_grundstueck') = 'kein_grundstueck';
grant execute on function books.is_eu_service(text, jsonb) to nutzer, forst_definer, forst_betrieb;

-- The parts of a document that its own row declares. Of an advance each tax group as a whole: it counts when
-- it is received, whenever the supply will be. Of a final invoice the whole supply less what was received in
-- advance (§ 14 (5) sentence 2 UStG), taken off the last month of its group. Services that another state of
-- the EU taxes were not declared in advance (§ 18b sentence 3), so nothing of them is taken off.
create or replace function books.declared_parts(art text, beleg jsonb)
  returns table (
    nr bigint, kategorie text, satz text, grund text, le_date date, basis numeric, steuer numeric
  ) language sql stable set search_path = pg_catalog as $$
  with part as (
    select p.*, p.le_date = max(p.le_date) over (partition by p.nr) as is_last
    from books.tax_parts(beleg) p
    where art <> 'abschlag'
  ),
  advance as (
    select s ->> 'kategorie' as kategorie, s ->> 'satz' as satz, sum((s ->> 'basis')::numeric) as basis,
      sum((s ->> 'steuer')::numeric) as steuer
    from jsonb_array_elements(beleg -> 'abschlaege') a, jsonb_array_elements(a -> 'steuern') s
    where art = 'schluss' and not books.is_eu_service(s ->> 'kategorie', beleg)
    group by 1, 2
  )
  select p.nr, p.kategorie, p.satz, p.grund, p.le_date, p.basis - coalesce(a.basis, 0),
    p.steuer - coalesce(a.steuer, 0)
  from part p
    left join advance a on p.is_last and a.kategorie = p.kategorie and a.satz = p.satz
  union all
  select 1000 + row_number() over (order by a.kategorie, a.satz), a.kategorie, a.satz, '',
    coalesce(
      (select max(p.le_date) from part p), (beleg ->> 'le_date_bis')::date, (beleg ->> 'le_date')::date,
      (beleg ->> 'datum')::date
    ),
    -a.basis, -a.steuer
  from advance a
  where not exists (select from part p where p.kategorie = a.kategorie and p.satz = a.satz)
  union all
  select g.nr, s ->> 'kategorie', s ->> 'satz', s ->> 'grund', (beleg ->> 'datum')::date,
    (s ->> 'basis')::numeric, (s ->> 'steuer')::numeric
  from jsonb_array_elements(beleg #> '{summen,steuern}') with ordinality as g(s, nr)
  where art = 'abschlag' and not books.is_eu_service(s ->> 'kategorie', beleg)
$$;
grant execute on function books.declared_parts(text, jsonb) to nutzer, forst_definer, forst_betrieb;

-- The final invoice that took an advance off first, cancelled or not: its day, and the last day of its supply
-- at this rate, or of all if it has none at it. What is received after that day for this rate is no advance.
drop function if exists books.taken_off_first(app.rechnung);
create or replace function books.taken_off_first(r app.rechnung, kategorie text, satz text)
  returns table (rn_datum date, supplied date) language sql stable set search_path = pg_catalog as $$
  select f.rn_datum,
    (
      select coalesce(
        max(p.le_date) filter (
          where p.kategorie = taken_off_first.kategorie and p.satz = taken_off_first.satz
        ),
        max(p.le_date)
      )
      from books.tax_parts(f.beleg) p
    )
  from app.rechnung f
  where r.art = 'abschlag'
    and f.angebot_id = r.angebot_id
    and f.art = 'schluss'
    and f.zustand = 'ausgestellt'
    and f.beleg -> 'abschlaege' @> jsonb_build_array(jsonb_build_object('id', r.id::text))
  order by f.folge limit 1
$$;
grant execute on function books.taken_off_first(app.rechnung, text, text)
  to nutzer, forst_definer, forst_betrieb;

-- Changes of a field of the supplier: {ab, art}, each day once. `days` is what a day must look like.
create or replace function books.check_changes(field text, changes jsonb, kinds text[], days text)
  returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  perform checks.check_value(
    jsonb_typeof(changes) = 'array' and jsonb_array_length(changes) <= 50, field, field
  );
  perform checks.check_value(
    not exists (
        select from jsonb_array_elements(changes) c
        where jsonb_typeof(c) <> 'object'
          or c - '{ab,art}'::text[] <> '{}'
          or case
            when coalesce(c ->> 'ab', '') ~ days then right(c ->> 'ab', 2)::integer not between 1 and extract(
              day from (left(c ->> 'ab', 8) || '01')::date + interval '1 month -1 day'
            )
            else true
          end
          or coalesce(c ->> 'art', '') <> all (kinds)
      )
      and (
        select count(distinct c ->> 'ab') from jsonb_array_elements(changes) c
      ) = jsonb_array_length(changes),
    field, field
  );
end $$;
grant execute on function books.check_changes(text, jsonb, text[], text) to forst_definer;
-- Between agreed and received consideration: first days of months.
create or replace function books.check_taxation(changes jsonb)
  returns void language sql immutable set search_path = pg_catalog as $$
  select books.check_changes(
    'besteuerung_ab', check_taxation.changes, '{soll,ist}', '^(20|21)[0-9]{2}-(0[1-9]|1[0-2])-01$'
  )
$$;
grant execute on function books.check_taxation(jsonb) to forst_definer;
-- Of § 19 UStG: any day, because a company that exceeds the limit is taxed from that sale on (§ 19 (1) UStG).
create or replace function books.check_small_business(changes jsonb)
  returns void language sql immutable set search_path = pg_catalog as $$
  select books.check_changes(
    'kleinunternehmer_ab', check_small_business.changes, '{klein,regel}',
    '^(20|21)[0-9]{2}-(0[1-9]|1[0-2])-[0-9]{2}$'
  )
$$;
grant execute on function books.check_small_business(jsonb) to forst_definer;

-- Whether a supply of this day is taxed by received consideration: `ways` are {ab, art}, as days in text. The
-- same rule as domain/ust/taxation.ts. A supply keeps the way of its own day, whenever it is paid: so no
-- supply is taxed twice at a change and none is left out (§ 20 sentence 3 UStG). What was taxed when it was
-- carried out is not taxed again when it is paid; what was not is taxed when it is paid.
create or replace function books.is_by_received(ways jsonb, day date)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select w ->> 'art' = 'ist'
  from jsonb_array_elements(ways) w
  where (w ->> 'ab')::date <= day
  order by (w ->> 'ab')::date desc limit 1
$$;
grant execute on function books.is_by_received(jsonb, date) to nutzer, forst_definer, forst_betrieb;

-- As the caller. What is set, as books.is_by_received takes it.
create or replace function books.taxation_ways()
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select coalesce(
    (
      select jsonb_build_array(jsonb_build_object('ab', '0001-01-01', 'art', l.besteuerung))
        || l.besteuerung_ab
      from app.lieferant l
    ),
    '[{"ab": "0001-01-01", "art": "soll"}]'
  )
$$;
grant execute on function books.taxation_ways() to nutzer, forst_definer;

-- The day that decides the tax period of a part. A Storno changes the amount due, which counts when it
-- happens (§ 17 (1) sentence 8 UStG; § 14c (1) sentence 2), but not before the supply. An invoice that
-- replaces a cancelled one brings the tax back that the Storno took away: it counts with the Storno, because
-- the period of the supply already has the tax of the cancelled one.
create or replace function books.taxed_on(r app.rechnung, le_date date)
  returns date language sql stable set search_path = pg_catalog as $$
  select greatest(taxed_on.le_date, case
    when r.art in ('storno', 'korrektur') then r.rn_datum
    else (
      select s.rn_datum
      from app.rechnung s
      where s.storno_von = r.kopie_von and s.folge < r.folge
    )
  end)
$$;
grant execute on function books.taxed_on(app.rechnung, date) to nutzer, forst_definer, forst_betrieb;

-- As the caller. What an invoice has due by agreed consideration at the end of a day, without its money:
-- nothing before it is taxed (books.taxed_on), by received consideration or after its Storno.
create or replace function books.claimed(r app.rechnung, ways jsonb, day date)
  returns numeric language sql stable set search_path = pg_catalog as $$
  select case
    when exists (select from app.rechnung s where s.storno_von = r.id and s.rn_datum <= claimed.day) then 0
    else greatest(
      p.gross
        + books.corrected(r.id, claimed.day)
        - case when r.art = 'rechnung' and r.rn_datum <= claimed.day then r.anzahlung else 0 end
        - coalesce((
          select sum(z.betrag)
          from books.dated_zahlung z
          where z.rechnung_id = r.id and z.art in ('skonto', 'ausfall') and z.tag <= claimed.day
        ), 0),
      0
    )
  end
  from (
    select coalesce(sum(d.basis + d.steuer), 0) as gross
    from books.declared_parts(r.art, r.beleg) d
    where books.taxed_on(r, d.le_date) <= claimed.day
      and (not books.is_by_received(ways, d.le_date) or books.is_eu_service(d.kategorie, r.beleg))
  ) p
$$;
grant execute on function books.claimed(app.rechnung, jsonb, date) to nutzer, forst_definer;

-- As the caller. Invoices and those that replace them, one after the other, seen from one of them: what the
-- others have due at the end of a day, and what was paid for them. `later`: those that replace it, otherwise
-- those that it replaces.
create or replace function books.of_chain(invoice_id bigint, later boolean, ways jsonb, day date)
  returns table (due numeric, paid numeric) language sql stable set search_path = pg_catalog as $$
  with recursive chain as (
    select of_chain.invoice_id as id
    union
    select x.id
    from chain c
      cross join lateral (
        select n.id
        from app.rechnung s join app.rechnung n on n.kopie_von = s.storno_von
        where of_chain.later
          and s.storno_von = c.id
          and n.folge > s.folge
          and n.art in ('rechnung', 'schluss')
        union all
        select s.storno_von
        from app.rechnung n join app.rechnung s on s.storno_von = n.kopie_von
        where not of_chain.later and n.id = c.id and n.folge > s.folge
      ) x
  )
  select coalesce(sum(books.claimed(r, of_chain.ways, of_chain.day)), 0),
    coalesce(sum((
      select sum(z.betrag)
      from books.dated_zahlung z
      where z.rechnung_id = r.id and z.art = 'zahlung' and z.tag <= of_chain.day
    )), 0)
  from chain c join app.rechnung r on r.id = c.id
  where c.id <> of_chain.invoice_id
$$;
grant execute on function books.of_chain(bigint, boolean, jsonb, date) to nutzer, forst_definer;

-- As the caller, for readers of the books: what each document adds to the Umsatzsteuer-Voranmeldung of
-- whole months, by category and rate of its parts; which figure of the form that is, domain/ust/kennzahlen.ts
-- says. A Storno has rows of its own. `anlass` says why a document counts.
--
-- Each part has an amount due at the end of a day, and what is returned is its change from the day before the
-- period to the last day:
-- - which of the two holds on the day of its supply decides, also after a change (books.is_by_received);
-- - by received consideration (§ 13 (1) Nr. 1b, § 20 UStG): what was paid, paid back counting against it;
-- - by agreed consideration (§ 13 (1) Nr. 1a UStG): from the day of books.taxed_on on all of it, less
-- discounts and losses (§ 17 (1) and (2) Nr. 1), plus what was paid beyond it (§ 10 (1) sentence 2); before
-- that what was paid in advance (§ 13 (1) Nr. 1a sentence 4); after a Storno what was paid, until it is paid
-- back or belongs to the invoice that replaces it (books.of_chain; § 17 (1) sentence 1, (2) Nr. 3 UStG,
-- UStAE 17.1 (2), BFH V R 34/06);
-- - services that another state of the EU taxes count when they are supplied, whatever is set (§ 18b sentence
-- 3); not those about land, which § 18b does not name;
-- - an advance invoice by either consideration: what was received for it and not paid back (§ 13 (1) Nr. 1a
-- sentence 4, § 17 (2) Nr. 2), its Storno alone changes nothing. What came in after the supply counts with
-- the supply, as soon as the final invoice says when that was;
-- - the final invoice: what its advances have left (books.declared_parts);
-- - a correction lowers what is due of its invoice, in the parts that it names, from its own day on (§ 17 (1)
-- sentence 8 UStG). What was paid already stays due until it is paid back (UStAE 17.1 (2), BFH V R 56/06).
-- A payment is shared out over the parts by their gross amounts, in running totals, so that an invoice paid
-- in full yields its own base and tax to the cent. One that was entered by mistake and taken back was never
-- made: it leaves the day that it had, and a repayment has its own day. The field `anzahlung` has no day
-- either: it counts as paid with the invoice, until its Storno.
-- Dropped first, because the columns of its answer have changed.
drop function if exists app.a_get_ust(date, date);
create or replace function app.a_get_ust(von date, bis date)
  returns table (
    rechnung_id bigint, nummer text, art text, kunde text, rn_datum date, le_date date, anlass text[],
    kategorie text, satz text, grund text, basis text, steuer text, kleinunternehmer boolean, gebiet text,
    eu boolean, leistungsort text
  ) language plpgsql stable set search_path = pg_catalog as $$
declare ways jsonb := books.taxation_ways();
begin
  perform rights.refuse_unless(rights.reads_books());
  perform checks.check_value(coalesce(
    a_get_ust.von between '2000-01-01' and a_get_ust.bis
      and a_get_ust.bis < a_get_ust.von + interval '1 year'
      and a_get_ust.von = date_trunc('month', a_get_ust.von::timestamp)
      and a_get_ust.bis + 1 = date_trunc('month', a_get_ust.bis::timestamp + interval '1 day'),
    false
  ), 'von', 'zeitraum');
  return query
    with recursive touched as (
      select z.rechnung_id as id
      from app.zahlung z
      where z.datum between a_get_ust.von and a_get_ust.bis
      union
      select k.korrektur_von
      from app.rechnung k
      where k.art = 'korrektur' and k.rn_datum between a_get_ust.von and a_get_ust.bis
      union
      select unnest(array[s.storno_von, k.id])
      from app.rechnung s left join app.rechnung k on k.kopie_von = s.storno_von
      where s.art = 'storno' and s.rn_datum between a_get_ust.von and a_get_ust.bis
      union
      select r.id
      from app.rechnung r
      where r.le_date_bis between a_get_ust.von and a_get_ust.bis
      union
      select r.id
      from app.rechnung r
      where r.le_date_bis is null and r.le_date between a_get_ust.von and a_get_ust.bis
      union
      -- Without a day of supply, or with an advance, by the day of the invoice.
      select r.id
      from app.rechnung r
      where r.rn_datum between a_get_ust.von and a_get_ust.bis
      union
      select p.rechnung_id
      from app.position p
      where p.le_date_bis between a_get_ust.von and a_get_ust.bis
      union
      select p.rechnung_id
      from app.position p
      where p.le_date_bis is null and p.le_date between a_get_ust.von and a_get_ust.bis
    ),
    chained as (
      select t.id
      from touched t
      union
      select x.id
      from chained c
        cross join lateral (
          select r.kopie_von as id
          from app.rechnung r
          where r.id = c.id and r.kopie_von is not null
          union all
          select r.id
          from app.rechnung r
          where r.kopie_von = c.id
        ) x
    ),
    wanted as (
      select t.id
      from touched t
      union
      -- What is left of a cancelled invoice depends on the one that replaces it, and the other way round.
      select c.id
      from chained c
      union
      select a.id
      from app.rechnung f
        join app.rechnung a on a.angebot_id = f.angebot_id and a.art = 'abschlag'
      where f.id = any (array(select t.id from touched t)) and f.art = 'schluss'
    ),
    part as (
      select r.id, r.art as kind, r.nummer, r.rn_datum,
        case r.art when 'rechnung' then r.anzahlung else 0 end as anzahlung, r.beleg, s.id as storno_id,
        s.nummer as storno_nummer, s.rn_datum as storno_datum, r.kopie_von, p.nr, p.kategorie, p.satz,
        p.grund, p.le_date, p.steuer,
        case r.art when 'abschlag' then 'infinity'::date else books.taxed_on(r, p.le_date) end as datum,
        p.basis + p.steuer as gross, f.rn_datum as taken,
        case when not books.is_by_received(ways, f.supplied) then f.supplied end as supplied,
        r.art = 'abschlag'
          or (
            books.is_by_received(ways, p.le_date) and not books.is_eu_service(p.kategorie, r.beleg)
          ) as received,
        sum(p.basis + p.steuer) over (partition by r.id) as total,
        sum(p.basis + p.steuer) over (partition by r.id order by p.nr, p.le_date) as until
      from app.rechnung r
        left join app.rechnung s on s.storno_von = r.id
        cross join lateral books.declared_parts(r.art, r.beleg) p
        left join lateral books.taken_off_first(r, p.kategorie, p.satz) f on true
      -- An array, so that only these rows are read.
      where r.id = any (array(select w.id from wanted w))
        and r.zustand = 'ausgestellt'
        and r.art not in ('storno', 'korrektur')
    ),
    correction as (
      select k.korrektur_von as id, k.rn_datum, t.kategorie, t.satz,
        date_trunc('month', t.le_date::timestamp) as month, -t.basis as basis, -t.steuer as steuer
      from app.rechnung k cross join lateral books.tax_parts(k.beleg) t
      where k.korrektur_von = any (array(select w.id from wanted w)) and k.zustand = 'ausgestellt'
    ),
    moment as (
      select p.*, m.which, m.day, m.cancelled, coalesce(k.basis, 0) as less_basis,
        coalesce(k.steuer, 0) as less_tax,
        coalesce(
          (select sum(c.basis + c.steuer) from correction c where c.id = p.id and c.rn_datum <= m.day), 0
        ) as less_total,
        coalesce(z.paid, 0)
          + case when p.rn_datum <= m.day and not m.cancelled then p.anzahlung else 0 end as paid,
        coalesce(z.reduced, 0) as reduced
      from part p
        cross join lateral (
          values ('before', a_get_ust.von - 1, coalesce(p.storno_datum < a_get_ust.von, false)),
            ('until', a_get_ust.bis, coalesce(p.storno_datum <= a_get_ust.bis, false)),
            -- The day of the Storno, without and with it.
            ('uncancelled', p.storno_datum, false), ('cancelled', p.storno_datum, true)
        ) as m(which, day, cancelled)
        left join lateral (
          select sum(b.betrag) filter (where b.art = 'zahlung') as paid,
            sum(b.betrag) filter (where b.art in ('skonto', 'ausfall')) as reduced
          from books.dated_zahlung b
          where b.rechnung_id = p.id and (b.tag <= m.day or (b.tag <= p.taken and p.supplied <= m.day))
        ) z on true
        left join lateral (
          select sum(c.basis) as basis, sum(c.steuer) as steuer
          from correction c
          where c.id = p.id
            and c.kategorie = p.kategorie
            and c.satz = p.satz
            and c.month = date_trunc('month', p.le_date::timestamp)
            and c.rn_datum <= m.day
            -- Of a final invoice a row that only takes an advance off.
            and p.nr < 1000
        ) k on true
      where m.which in ('before', 'until')
        or (not p.received and p.storno_datum between a_get_ust.von and a_get_ust.bis)
    ),
    -- Once for all parts of an invoice. `later`: what replaces a cancelled one, otherwise what it replaces.
    asked as materialized (
      select distinct m.id, m.day, m.cancelled as later
      from moment m
      where not m.received and m.total <> 0 and (m.cancelled or (m.day < m.datum and m.kopie_von is not null))
    ),
    chain as materialized (
      select a.*, n.due, n.paid
      from asked a cross join lateral books.of_chain(a.id, a.later, ways, a.day) n
    ),
    amount as (
      select m.*,
        (m.total > 0 or m.kind = 'schluss') and m.paid + m.reduced > m.total - m.less_total as overpaid,
        case
          when m.cancelled and not m.received then
            case when m.total <> 0 then least(greatest(m.paid, 0), greatest(m.paid + n.paid - n.due, 0)) end
          when m.total = 0 and m.less_total = 0 then case when m.day >= m.datum then 0 end
          when m.received or (m.day < m.datum and m.kopie_von is null) then m.paid
          -- What another had due already is no money in advance.
          when m.day < m.datum then least(m.paid, greatest(m.paid + n.paid - n.due, 0))
          else m.total - m.less_total - m.reduced + case
            when m.total > 0 or m.kind = 'schluss' then
              greatest(m.paid + m.reduced - (m.total - m.less_total), 0)
            else 0
          end
        end as due
      from moment m
        left join chain n on n.id = m.id and n.day = m.day and n.later = m.cancelled
    ),
    -- What is due, by what it is due for: what the corrections have left; what they took back, but is not
    -- paid back; and what was paid beyond the whole. Without a correction all of it is the first.
    split as (
      select a.*, a.less_basis + a.less_tax as less, a.total - a.less_total as rest_total,
        a.until - sum(a.less_basis + a.less_tax) over same as rest_until,
        sum(a.less_basis + a.less_tax) over same as less_until,
        case when a.less_total = 0 then a.due else least(a.due, a.total - a.less_total) end as due_rest,
        case
          when a.less_total = 0 then 0
          else least(greatest(a.due - (a.total - a.less_total), 0), a.less_total)
        end as due_back,
        case when a.less_total = 0 then 0 else greatest(a.due - a.total, 0) end as due_more
      from amount a
      window same as (partition by a.id, a.which order by a.nr, a.le_date)
    ),
    shared as (
      select a.*,
        case
          when a.rest_total = 0 then case when a.due is null then 0 else a.gross - a.less end
          else
            round(a.due_rest * a.rest_until / a.rest_total, 2)
              - round(a.due_rest * (a.rest_until - (a.gross - a.less)) / a.rest_total, 2)
        end as share_rest,
        case
          when a.less_total = 0 then 0
          else
            round(a.due_back * a.less_until / a.less_total, 2)
              - round(a.due_back * (a.less_until - a.less) / a.less_total, 2)
        end as share_back,
        case
          when a.total = 0 then 0
          else round(a.due_more * a.until / a.total, 2) - round(a.due_more * (a.until - a.gross) / a.total, 2)
        end as share_more
      from split a
    ),
    taxed as (
      select x.*, x.share_rest + x.share_back + x.share_more as share,
        case
          when x.gross = x.less then 0
          else round(x.share_rest * (x.steuer - x.less_tax) / (x.gross - x.less), 2)
        end + case when x.less = 0 then 0 else round(x.share_back * x.less_tax / x.less, 2) end + case
          when x.gross = 0 then 0
          else round(x.share_more * x.steuer / x.gross, 2)
        end as tax
      from shared x
    ),
    storno as (
      select o.*, c.share - c.tax - (o.share - o.tax) as basis_change, c.tax - o.tax as tax_change,
        c.due as due_then
      from taxed o
        join taxed c on c.id = o.id and c.nr = o.nr and c.le_date = o.le_date and c.which = 'cancelled'
      where o.which = 'uncancelled'
    ),
    change as (
      select u.id, u.nummer, u.kind as art, u.rn_datum, u.beleg, u.nr, u.kategorie, u.satz, u.grund,
        u.le_date, u.share - u.tax - (b.share - b.tax) - coalesce(s.basis_change, 0) as basis,
        u.tax - b.tax - coalesce(s.tax_change, 0) as steuer,
        array_remove(array[
          case
            when not u.received
              and not b.cancelled
              and b.day < u.datum
              and least(u.day, u.storno_datum) >= u.datum
            then 'leistung'
          end,
          case
            when u.paid <> b.paid and (u.received or b.day < u.datum or u.overpaid or b.overpaid)
              or not u.received and u.cancelled and u.due <> coalesce(s.due_then, b.due)
            then 'zahlung'
          end,
          case
            when not u.received and not b.cancelled and u.reduced <> b.reduced and u.day >= u.datum then
              'minderung'
          end,
          case when u.less_total <> b.less_total then 'korrektur' end
        ], null) as anlass
      from taxed u
        join taxed b on b.id = u.id and b.nr = u.nr and b.le_date = u.le_date and b.which = 'before'
        left join storno s on s.id = u.id and s.nr = u.nr and s.le_date = u.le_date
      where u.which = 'until'
      union all
      select s.storno_id, s.storno_nummer, 'storno', s.storno_datum, s.beleg, s.nr, s.kategorie, s.satz,
        s.grund, s.le_date, s.basis_change, s.tax_change, array['storno']
      from storno s
    )
    select c.id, c.nummer, c.art, c.beleg #>> '{empfaenger,name}', c.rn_datum, c.le_date, c.anlass,
      c.kategorie, c.satz, c.grund, round(c.basis, 2)::text, round(c.steuer, 2)::text,
      coalesce((c.beleg #>> '{lieferant,kleinunternehmer}')::boolean, false),
      books.tax_area(c.beleg #>> '{empfaenger,land}', c.beleg #>> '{empfaenger,plz}'),
      books.is_foreign_eu(c.beleg #>> '{empfaenger,ust_id}'), c.beleg ->> 'leistungsort'
    from change c
    where c.basis <> 0 or c.steuer <> 0
    order by c.rn_datum, c.id, c.nr, c.le_date;
end $$;
grant execute on function app.a_get_ust(date, date) to nutzer;
