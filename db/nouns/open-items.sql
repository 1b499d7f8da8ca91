-- What customers owed on a day, and what moved their account between two days. Nothing is stored: everything
-- follows from documents, payments and reminders by their dates.

-- Definer: auditors read the books but no customer. Every invoice that was not settled on that day, by its
-- dates: an invoice counts from its day, a cancellation from its own, a payment (cash discount and losses
-- too) from the bank's. Below zero is what the customer gets back: paid too much, paid before the invoice had
-- its day, or paid and then corrected or cancelled; what is paid before its day or cancelled claims nothing
-- on that day (`brutto` 0). A correction lowers `brutto` from its own day on.
-- From the day of the final invoice an advance claims only what was received for it: the rest is part of the
-- final invoice.
-- `bezahlt` includes the advance that the invoice names, so that brutto - bezahlt = offen. `stufe`: highest
-- reminder by then; `tage`: days after the due day. Read are the invoices that are open now and those that a
-- later day has changed: what is settled today and had no movement since then was settled on that day too.
create or replace function app.a_get_offene_posten(stichtag date default null)
  returns table (
    rechnung_id bigint, client_id bigint, kunde text, nummer text, rn_datum date, faellig date, brutto text,
    bezahlt text, offen text, tage integer, klasse text, stufe integer, lage text
  ) language plpgsql stable set search_path = pg_catalog as $$
declare until date := coalesce(a_get_offene_posten.stichtag, checks.today());
begin
  perform rights.refuse_unless(rights.reads_books());
  perform checks.check_value(until between '2000-01-01' and '2100-12-31', 'stichtag', 'datum_bereich');
  return query
    with later as (
      select z.rechnung_id, coalesce(sum(z.betrag) filter (where z.tag > until), 0) as betrag
      from books.dated_zahlung z
      where z.datum > until and z.art <> 'mahnkosten'
      group by z.rechnung_id
    ),
    candidate as (
      select o.rechnung_id as id
      from app.rechnung_offen o
      union
      select l.rechnung_id
      from later l
      union
      select coalesce(r.storno_von, r.korrektur_von, r.id)
      from app.rechnung r
      where r.rn_datum > until
      union
      -- Advances that a later final invoice takes off: until then they demanded what it took over.
      select a.id
      from app.rechnung f
        join app.rechnung a on a.angebot_id = f.angebot_id and a.art = 'abschlag'
      where f.rn_datum > until and f.art in ('schluss', 'storno')
    ),
    item as (
      select r.id, r.client_id, r.nummer, r.rn_datum, r.faellig, r.anzahlung,
        r.brutto + books.corrected(r.id, until) as brutto, books.corrected(r.id, until) as korrigiert,
        case
          when r.rn_datum > until then 'vorauszahlung'
          when s.rn_datum <= until then 'storniert'
        end as lage,
        case
          when r.rn_datum > until or s.rn_datum <= until then 0
          else coalesce(f.gezahlt, r.zahlbetrag + books.corrected(r.id, until))
        end as forderung,
        -- All that has come in, less what came later.
        case
          when s.id is not null then 0
          else coalesce(now.gezahlt, r.zahlbetrag + books.corrected(r.id, 'infinity'))
        end - coalesce(o.offen, 0) - coalesce(l.betrag, 0) as betrag
      from candidate c
        join app.rechnung r on r.id = c.id
        left join app.rechnung s on s.storno_von = r.id
        left join app.rechnung_offen o on o.rechnung_id = r.id
        left join later l on l.rechnung_id = r.id
        left join lateral (
          select t.gezahlt
          from books.taken_off(r.id, r.angebot_id, until) t
          where r.art = 'abschlag'
        ) f on true
        left join lateral (
          select t.gezahlt
          from books.taken_off(r.id, r.angebot_id, 'infinity') t
          where r.art = 'abschlag'
        ) now on true
      where r.art not in ('storno', 'korrektur') and r.zustand = 'ausgestellt'
    ),
    unsettled as (select i.*, i.forderung - i.betrag as offen from item i where i.forderung <> i.betrag)
    select u.id, u.client_id, k.name, u.nummer, u.rn_datum, u.faellig,
      (case when u.lage is null then u.brutto else 0 end)::numeric(14, 2)::text,
      (case when u.lage is null then u.anzahlung + u.betrag else u.betrag end)::numeric(14, 2)::text,
      u.offen::numeric(14, 2)::text, case when u.offen > 0 then greatest(until - u.faellig, 0) else 0 end,
      case
        when u.offen < 0 then 'guthaben'
        when until <= u.faellig then 'nicht_faellig'
        when until - u.faellig <= 30 then 'bis_30'
        when until - u.faellig <= 60 then 'bis_60'
        when until - u.faellig <= 90 then 'bis_90'
        else 'ueber_90'
      end,
      coalesce((select max(m.stufe) from app.mahnung m where m.rechnung_id = u.id and m.datum <= until), 0),
      coalesce(u.lage, case
        when u.offen < 0 and u.korrigiert < 0 then 'korrigiert'
        when u.offen < 0 then 'ueberzahlt'
        else 'offen'
      end)
    from unsettled u join app.kunde k on k.client_id = u.client_id
    order by k.sortname, u.client_id, u.rn_datum, u.id;
end $$;
select rights.define('app.a_get_offene_posten(date)');
grant execute on function app.a_get_offene_posten(date) to nutzer;

-- Definer: as above. What moved a customer's account between two days, with the balance after each movement;
-- the balance of a day is the sum of the open items on it. Payments that were taken back are left out on both
-- sides (books.dated_zahlung). Fees of reminders, interest and lump sums are no claim from an invoice: they
-- and what was paid for them (`kosten`) stand outside the balance.
create or replace function app.a_get_kundenkonto(client_id bigint, von date, bis date)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare
  customer record;
  answer jsonb;
begin
  perform rights.refuse_unless(rights.reads_books());
  perform checks.check_value(von between '2000-01-01' and bis and bis <= '2100-12-31', 'von', 'zeitraum');
  select k.name into customer
  from app.kunde k
  where k.client_id = a_get_kundenkonto.client_id
    and (
      rights.has_role('apus_admin')
      or exists (select from app.rechnung r where r.client_id = k.client_id and r.beleg is not null)
    );
  perform rights.check_found(found);
  with movement as (
    select r.rn_datum as datum, case when r.art in ('storno', 'korrektur') then 2 else 1 end as platz, r.id,
      0::bigint as teil, r.art, r.id as rechnung_id, r.nummer,
      case when r.art not in ('storno', 'korrektur') then r.faellig end as faellig, r.zahlbetrag as betrag,
      null::numeric as gebuehr, null::integer as stufe, null::numeric as zinsen, null::numeric as pauschale,
      null::numeric as kosten
    from app.rechnung r
    where r.client_id = a_get_kundenkonto.client_id and r.zustand = 'ausgestellt'
    union all
    -- What an advance still claimed goes over into the final invoice, and comes back with its Storno.
    select r.rn_datum, case r.art when 'storno' then 2 else 1 end, r.id, a.nr, 'verrechnung',
      (a.zeile ->> 'id')::bigint, a.zeile ->> 'nummer', null,
      (a.zeile ->> 'gezahlt')::numeric - (a.zeile ->> 'brutto')::numeric, null, null, null, null, null
    from app.rechnung r
      cross join lateral jsonb_array_elements(r.beleg -> 'abschlaege') with ordinality as a(zeile, nr)
    where r.client_id = a_get_kundenkonto.client_id
      and r.zustand = 'ausgestellt'
      and (a.zeile ->> 'gezahlt')::numeric <> (a.zeile ->> 'brutto')::numeric
    union all
    select z.datum, 3, z.id, 0,
      case when z.art = 'zahlung' and z.betrag < 0 then 'rueckzahlung' else z.art end, z.rechnung_id,
      r.nummer, null, case when z.art = 'mahnkosten' then 0 else -z.betrag end, null, null, null, null,
      case when z.art = 'mahnkosten' then z.betrag end
    from app.zahlung z join app.rechnung r on r.id = z.rechnung_id
    where z.client_id = a_get_kundenkonto.client_id
      and z.gegen_id is null
      and not exists (select from app.zahlung g where g.gegen_id = z.id)
    union all
    select m.datum, 4, m.id, 0, 'mahnung', m.rechnung_id, r.nummer, m.faellig, 0, m.gebuehr, m.stufe,
      m.zinsen, m.pauschale, null
    from app.mahnung m join app.rechnung r on r.id = m.rechnung_id
    where m.client_id = a_get_kundenkonto.client_id
  ),
  balanced as (
    select m.*, sum(m.betrag) over (order by m.datum, m.platz, m.id, m.teil) as saldo
    from movement m
    where m.datum <= a_get_kundenkonto.bis
  )
  select jsonb_build_object(
    'kunde', customer.name,
    'anfang', coalesce(sum(b.betrag) filter (where b.datum < von), 0)::numeric(14, 2)::text,
    'ende', coalesce(sum(b.betrag), 0)::numeric(14, 2)::text,
    'gebuehren', coalesce(sum(b.gebuehr) filter (where b.datum >= von), 0)::numeric(14, 2)::text,
    'pauschalen', coalesce(sum(b.pauschale) filter (where b.datum >= von), 0)::numeric(14, 2)::text,
    'zeilen', coalesce(
      jsonb_agg(
        jsonb_build_object(
          'datum', b.datum, 'art', b.art, 'rechnung_id', b.rechnung_id, 'nummer', b.nummer,
          'faellig', b.faellig, 'stufe', b.stufe, 'betrag', b.betrag::numeric(14, 2)::text,
          'gebuehr', b.gebuehr::text, 'zinsen', b.zinsen::text, 'pauschale', b.pauschale::text,
          'kosten', b.kosten::text, 'saldo', b.saldo::numeric(14, 2)::text
        ) order by b.datum, b.platz, b.id, b.teil
      ) filter (where b.datum >= von),
      '[]'
    )
  ) into answer
  from balanced b;
  return answer;
end $$;
select rights.define('app.a_get_kundenkonto(bigint, date, date)');
grant execute on function app.a_get_kundenkonto(bigint, date, date) to nutzer;
