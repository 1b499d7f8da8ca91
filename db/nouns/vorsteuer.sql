-- Input tax of received invoices, and the tax that we owe as the recipient. docs/decisions/ust.md

-- The day from which an approved invoice counts. Input tax needs the supply and the invoice (§ 15 (1) Nr. 1
-- UStG); of an advance only what was paid counts. Tax that the recipient owes: services of a business in the
-- EU with the supply (§ 13b (1)); others and goods from the EU with the invoice, at the latest with the end
-- of the month after the supply (§ 13b (2), § 13 (1) Nr. 6), and its deduction on the same day (§ 15 (1) Nr.
-- 3 and 4). A credit note changes the amount when it is given, not in the month of the supply (§ 17 (1)
-- sentences 1, 2 and 8): `brutto` below zero.
create or replace function books.input_tax_day(
  vorsteuer text, datum date, leistung date, erhalten date, brutto numeric
) returns date language sql immutable set search_path = pg_catalog
  return greatest(
    case when input_tax_day.brutto < 0 then datum end,
    case vorsteuer
      when 'inland' then greatest(leistung, erhalten)
      when 'anzahlung' then 'infinity'
      when 'eu_leistung' then leistung
      else greatest(leistung, least(
        datum, (date_trunc('month', leistung::timestamp) + interval '2 months')::date - 1
      ))
    end
  );
grant execute on function books.input_tax_day(text, date, date, date, numeric) to nutzer, forst_definer;

-- Approved invoices with what decides about their tax. `ab`: the day from which they count; `abziehbar`: what
-- may be deducted of it; `geschuldet`: the tax that we owe. `betrag`: what payments and discounts are a part
-- of, which is the rest of an invoice that takes advances off. As the caller.
create or replace view books.input_taxed with (security_invoker = true) as
  select e.id, e.nummer, e.kreditor_id, e.datum, e.vorsteuer, e.vorsteuer_satz, e.netto, e.brutto, d.leistung,
    d.erhalten, books.input_tax_day(e.vorsteuer, e.datum, d.leistung, d.erhalten, e.brutto) as ab,
    o.geschuldet,
    case
      when e.vorsteuer in ('inland', 'anzahlung') then coalesce(e.vorsteuer_betrag, e.steuer)
      else o.geschuldet
    end as abziehbar,
    case
      when e.vorsteuer = 'inland'
        and e.vorsteuer_betrag is not null
        and sign(e.zahlbetrag) = sign(e.brutto)
        and books.is_partly_paid(e.brutto, e.zahlbetrag, e.steuer)
      then e.zahlbetrag
      else e.brutto
    end as betrag
  from app.eingang e
    cross join lateral (
      select coalesce(e.leistung, e.datum) as leistung,
        coalesce(e.erhalten, (e.eingegangen_am at time zone 'Europe/Berlin')::date) as erhalten
    ) d
    cross join lateral (
      select case
        when e.vorsteuer in ('eu_leistung', 'andere_leistung', 'erwerb') then
          round(e.netto * e.vorsteuer_satz / 100, 2)
        else 0
      end as geschuldet
    ) o
  where e.zustand in ('freigegeben', 'bezahlt') and e.vorsteuer <> 'keine' and e.brutto <> 0;
revoke all on books.input_taxed from public, nutzer;
grant select on books.input_taxed to nutzer, forst_definer;
drop function if exists books.input_tax_day(text, date, date, date);

-- Dropped first: the name of a parameter has changed.
drop function if exists books.input_tax_part(bigint, text, numeric, date, date, date);
-- The part of an invoice that counts at the end of a day, as an amount of `betrag`. Paid before the supply
-- counts when it is paid, once the invoice is there (§ 15 (1) Nr. 1 sentence 3). Tax on services that the
-- recipient owes needs no invoice for that (§ 13b (4) sentence 2), and its deduction only the payment (§ 15
-- (1) Nr. 4 sentence 2); what is paid after the supply waits for `ab`. A cash discount lowers it on its own
-- day (§ 17 (1) sentences 2 and 8).
create or replace function books.input_tax_part(
  eingang_id bigint, vorsteuer text, betrag numeric, ab date, leistung date, erhalten date, day date
) returns numeric language sql stable set search_path = pg_catalog as $$
  select case
    when input_tax_part.day >= input_tax_part.ab then input_tax_part.betrag - z.skonto
    when input_tax_part.vorsteuer in ('inland', 'anzahlung')
      and input_tax_part.day >= input_tax_part.erhalten
    then
      sign(input_tax_part.betrag)
        * least(abs(input_tax_part.betrag), greatest(sign(input_tax_part.betrag) * z.paid, 0))
    when input_tax_part.vorsteuer in ('eu_leistung', 'andere_leistung') and input_tax_part.betrag > 0 then
      least(input_tax_part.betrag, greatest(z.in_advance, 0))
    else 0
  end
  from (
    select coalesce(sum(p.betrag) filter (where p.art = 'skonto'), 0) as skonto,
      coalesce(sum(p.betrag) filter (where p.art = 'zahlung'), 0) as paid,
      coalesce(
        sum(p.betrag) filter (where p.art = 'zahlung' and p.tag < input_tax_part.leistung), 0
      ) as in_advance
    from books.dated_eingang_zahlung p
    where p.eingang_id = input_tax_part.eingang_id and p.tag <= input_tax_part.day
  ) z
$$;
grant execute on function books.input_tax_part(bigint, text, numeric, date, date, date, date)
  to nutzer, forst_definer;

-- As the caller, for readers of the books: what each approved invoice adds to the Umsatzsteuer-
-- Voranmeldung of whole months, as the change from the day before the period to its last day. `steuer`: tax
-- that we owe, `abzug`: tax that we deduct; a small business deducts none (§ 19 (1) sentence 4). `anlass`
-- says why it counts.
create or replace function app.a_get_vorsteuer(von date, bis date)
  returns table (
    eingang_id bigint, nummer text, kreditor text, datum date, leistung date, erhalten date, anlass text[],
    vorsteuer text, satz text, basis text, steuer text, abzug text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.reads_books());
  perform checks.check_value(coalesce(
    a_get_vorsteuer.von between '2000-01-01' and a_get_vorsteuer.bis
      and a_get_vorsteuer.bis < a_get_vorsteuer.von + interval '1 year'
      and a_get_vorsteuer.von = date_trunc('month', a_get_vorsteuer.von::timestamp)
      and a_get_vorsteuer.bis + 1 = date_trunc('month', a_get_vorsteuer.bis::timestamp + interval '1 day'),
    false
  ), 'von', 'zeitraum');
  return query
    with part as (
      select t.*, books.is_small_business(t.leistung) as small,
        books.input_tax_part(
          t.id, t.vorsteuer, t.betrag, t.ab, t.leistung, t.erhalten, a_get_vorsteuer.bis
        ) as until,
        books.input_tax_part(
          t.id, t.vorsteuer, t.betrag, t.ab, t.leistung, t.erhalten, a_get_vorsteuer.von - 1
        ) as before
      from books.input_taxed t
      where t.ab between a_get_vorsteuer.von and a_get_vorsteuer.bis
        or t.erhalten between a_get_vorsteuer.von and a_get_vorsteuer.bis
        or t.id in (
          select z.eingang_id
          from app.eingang_zahlung z
          where z.datum between a_get_vorsteuer.von and a_get_vorsteuer.bis
        )
    ),
    change as (
      select p.*, round(p.netto * p.until / p.betrag, 2) - round(p.netto * p.before / p.betrag, 2) as basis,
        round(p.geschuldet * p.until / p.betrag, 2) - round(p.geschuldet * p.before / p.betrag, 2) as steuer,
        case
          when p.small then 0
          else round(p.abziehbar * p.until / p.betrag, 2) - round(p.abziehbar * p.before / p.betrag, 2)
        end as abzug
      from part p
    )
    select c.id, c.nummer, k.name, c.datum, c.leistung, c.erhalten,
      array[case
        when c.ab between a_get_vorsteuer.von and a_get_vorsteuer.bis then 'eingang'
        when c.ab > a_get_vorsteuer.bis then 'zahlung'
        else 'minderung'
      end],
      c.vorsteuer, c.vorsteuer_satz::text, c.basis::text, c.steuer::numeric(14, 2)::text,
      c.abzug::numeric(14, 2)::text
    from change c join app.kreditor k on k.id = c.kreditor_id
    where c.basis <> 0 or c.steuer <> 0 or c.abzug <> 0
    order by c.datum, c.id;
end $$;
grant execute on function app.a_get_vorsteuer(date, date) to nutzer;
