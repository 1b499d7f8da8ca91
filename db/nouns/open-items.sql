-- What customers owed on a day, and what moved their account between two days. Nothing is stored: everything
-- follows from documents, payments and reminders by their dates.

-- Definer: auditors read the books but no customer. Every invoice that was not settled on that day, by its
-- dates: an invoice counts from its day, a cancellation from its own, a payment (cash discount and losses
-- too) from the bank's. Below zero is what the customer gets back: paid too much, paid before the invoice had
-- its day, or paid and then cancelled; the last two claim nothing on that day (`brutto` 0).
-- `bezahlt` includes the advance that the invoice names, so that brutto - bezahlt = offen. `stufe`: highest
-- reminder by then; `tage`: days after the due day. All invoices and payments are read, each from one index
-- in the order of the invoices (0040).
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
    with paid as (
      select z.rechnung_id, sum(z.betrag) as betrag
      from books.dated_zahlung z
      where z.tag <= until
      group by z.rechnung_id
    ),
    item as (
      select r.id, r.client_id, r.nummer, r.rn_datum, r.faellig, r.brutto, r.anzahlung,
        case when r.rn_datum > until then 'vorauszahlung' when s.id is not null then 'storniert' end as lage,
        case when r.rn_datum > until or s.id is not null then 0 else r.zahlbetrag end as forderung,
        coalesce(p.betrag, 0) as betrag
      from app.rechnung r
        left join paid p on p.rechnung_id = r.id
        left join app.rechnung s on s.storno_von = r.id and s.rn_datum <= until
      where r.art = 'rechnung' and r.zustand = 'ausgestellt'
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
      coalesce(u.lage, case when u.offen < 0 then 'ueberzahlt' else 'offen' end)
    from unsettled u join app.kunde k on k.client_id = u.client_id
    order by k.sortname, u.client_id, u.rn_datum, u.id;
end $$;
select rights.define('app.a_get_offene_posten(date)');
grant execute on function app.a_get_offene_posten(date) to nutzer;
