-- Payments, bank entries and reminders; deliveries are in dispatch.sql. Read by apus_admin, written by the
-- procedures below.

do $$
declare relation regclass;
begin
  foreach relation in array array['app.kontoumsatz', 'app.zahlung', 'app.mahnung']::regclass[] loop
    perform rights.protect(relation);
    execute format('grant select, insert, update, delete on %s to forst_definer', relation);
    execute format('grant select on %s to nutzer', relation);
    execute format(
      $p$create policy buchhaltung on %s for select to nutzer
        using ((select rights.has_role('apus_admin')))$p$,
      relation
    );
  end loop;
end $$;
-- For the PDF of a reminder, made like the other documents (books.sql).
grant select (id, client_id, rechnung_id, stufe, beleg) on app.mahnung to forst_dokument;
create policy dokument on app.mahnung for select to forst_dokument using (true);

-- Definer: checks for every role, whatever that role may read. Bookings are final, for any role: a payment or
-- reminder is deleted only with its invoice, and of a bank entry only `erledigt` changes.
create or replace function books.check_zahlung_frozen()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if tg_op = 'DELETE' then
    if not exists (select from app.rechnung r where r.id = (to_jsonb(old) ->> 'rechnung_id')::bigint)
      and tg_table_name <> 'kontoumsatz'
    then
      return old;
    end if;
  elsif tg_table_name = 'kontoumsatz' and to_jsonb(new) - 'erledigt' = to_jsonb(old) - 'erledigt' then
    return new;
  end if;
  perform books.refuse_issued(tg_table_name || ' ' || old.id);
  return null;
end $$;
select rights.define('books.check_zahlung_frozen()');
create or replace trigger a_fest before update or delete on app.zahlung
  for each row execute function books.check_zahlung_frozen();
create or replace trigger a_fest before update or delete on app.mahnung
  for each row execute function books.check_zahlung_frozen();
create or replace trigger a_fest before update or delete on app.kontoumsatz
  for each row execute function books.check_zahlung_frozen();

-- Payments --------------------------------------------------------------------------------------------------

-- Payments by the day from which they count. A counter entry counts from the day of what it takes back: the
-- entry was wrong from its own day on, so a balance of the past does not show it. What was corrected when
-- stands with the invoice and in the log.
create or replace view books.dated_zahlung with (security_invoker = true) as
  select z.id, z.rechnung_id, z.betrag, z.art,
    case
      when z.gegen_id is null then z.datum
      else (select g.datum from app.zahlung g where g.id = z.gegen_id)
    end as tag,
    z.datum
  from app.zahlung z;
revoke all on books.dated_zahlung from public, nutzer;
grant select on books.dated_zahlung to nutzer, forst_definer;

-- Whether on no day more of a kind was paid back than had been paid by then. The kinds are counted apart: a
-- cash discount or a loss is no money that could be paid back. A final invoice below zero gives money back
-- that was received for its advances.
create or replace function books.is_covered(rechnung_id bigint, art text)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select not exists (
    select from (
      select sum(sum(z.betrag)) over (order by z.tag) as stand
      from books.dated_zahlung z
      where z.rechnung_id = is_covered.rechnung_id and z.art = is_covered.art
      group by z.tag
    ) d
    where d.stand < case is_covered.art
      when 'zahlung' then least((
        select r.zahlbetrag + books.corrected(r.id, 'infinity')
        from app.rechnung r
        where r.id = is_covered.rechnung_id and r.art = 'schluss'
      ), 0)
      else 0
    end
  )
$$;
grant execute on function books.is_covered(bigint, text) to forst_definer;

-- What reminders of an invoice have demanded beside it, and what of that was paid: the fees of all levels,
-- the interest of the last (each replaces the one before) and the lump sum. Damages, no consideration: no VAT
-- (UStAE 1.3 (6)).
create or replace function books.reminder_costs(invoice_id bigint)
  returns table (demanded numeric, paid numeric) language sql stable set search_path = pg_catalog as $$
  select
    coalesce((
      select sum(m.gebuehr)
        + coalesce(max(m.pauschale), 0)
        + coalesce((array_agg(m.zinsen order by m.stufe desc, m.id desc))[1], 0)
      from app.mahnung m
      where m.rechnung_id = reminder_costs.invoice_id
    ), 0),
    coalesce((
      select sum(z.betrag)
      from app.zahlung z
      where z.rechnung_id = reminder_costs.invoice_id and z.art = 'mahnkosten'
    ), 0)
$$;
grant execute on function books.reminder_costs(bigint) to nutzer, forst_definer;

-- Books an entry below zero: a cash discount or a loss that is withdrawn from its own day on. A counter entry
-- would change the month of what it takes back, which was returned already (§ 17 (1) sentence 8 UStG). Not
-- before what it withdraws.
create or replace function books.withdraw_reduction(
  invoice_id bigint, client_id bigint, art text, amount numeric, datum date, remark text,
  umsatz_id bigint default null
) returns void language plpgsql set search_path = pg_catalog as $$
declare
  day date;
  made bigint;
begin
  select greatest(withdraw_reduction.datum, max(z.datum)) into day
  from app.zahlung z
  where z.rechnung_id = withdraw_reduction.invoice_id and z.art = withdraw_reduction.art;
  insert into app.zahlung (client_id, rechnung_id, datum, betrag, art, bemerkung, umsatz_id)
  values (
    withdraw_reduction.client_id, withdraw_reduction.invoice_id, day, -amount, withdraw_reduction.art, remark,
    withdraw_reduction.umsatz_id
  )
  returning zahlung.id into made;
  perform books.record(
    'rechnung', withdraw_reduction.invoice_id, withdraw_reduction.client_id, 'zahlung',
    jsonb_build_object(
      'zahlung_id', made, 'datum', day, 'betrag', round(-amount, 2)::text, 'art', withdraw_reduction.art,
      'umsatz_id', withdraw_reduction.umsatz_id
    )
  );
end $$;
grant execute on function books.withdraw_reduction(bigint, bigint, text, numeric, date, text, bigint)
  to forst_definer;

-- What comes in for a claim that was written off withdraws the loss as far as it goes. It counts when the
-- money comes (§ 17 (2) Nr. 1 sentence 2 with (1) sentence 8 UStG). `money` is what exceeds the open amount.
-- A loss recorded later than the bank's day is withdrawn on its own day if there was no loss of that amount
-- before.
create or replace function books.withdraw_loss(
  invoice_id bigint, client_id bigint, money numeric, datum date, umsatz_id bigint
) returns void language plpgsql set search_path = pg_catalog as $$
declare amount numeric;
begin
  select least(withdraw_loss.money, coalesce(sum(z.betrag), 0)) into amount
  from app.zahlung z
  where z.rechnung_id = withdraw_loss.invoice_id and z.art = 'ausfall';
  if amount > 0 then
    perform books.withdraw_reduction(
      withdraw_loss.invoice_id, withdraw_loss.client_id, 'ausfall', amount, withdraw_loss.datum,
      'Zahlung kam doch noch', withdraw_loss.umsatz_id
    );
  end if;
end $$;
grant execute on function books.withdraw_loss(bigint, bigint, numeric, date, bigint) to forst_definer;

-- After a Storno or a correction: what lowered the claim ends with it, because a loss and a cash discount are
-- no money that the customer could get back. What exceeds the `claim` withdraws the loss first, for the
-- customer never paid it; a discount stays with the price until more than the money would go back.
create or replace function books.end_reductions(
  invoice_id bigint, client_id bigint, claim numeric, datum date, remark text
) returns void language plpgsql set search_path = pg_catalog as $$
declare
  paid numeric;
  loss numeric;
  discount numeric;
  excess numeric;
  amount numeric;
begin
  select coalesce(sum(z.betrag) filter (where z.art = 'zahlung'), 0),
    coalesce(sum(z.betrag) filter (where z.art = 'ausfall'), 0),
    coalesce(sum(z.betrag) filter (where z.art = 'skonto'), 0) into paid, loss, discount
  from app.zahlung z
  where z.rechnung_id = end_reductions.invoice_id;
  excess := paid + loss + discount - claim;
  amount := least(loss, excess);
  if amount > 0 then
    perform books.withdraw_reduction(
      end_reductions.invoice_id, end_reductions.client_id, 'ausfall', amount, end_reductions.datum, remark
    );
    excess := excess - amount;
  end if;
  amount := least(discount, excess - greatest(paid, 0));
  if amount > 0 then
    perform books.withdraw_reduction(
      end_reductions.invoice_id, end_reductions.client_id, 'skonto', amount, end_reductions.datum, remark
    );
  end if;
end $$;
grant execute on function books.end_reductions(bigint, bigint, numeric, date, text) to forst_definer;

-- Checks and books a payment. The caller has checked the right and holds the lock. Its day is the bank's and
-- may be before the invoice's: an offer paid in advance was paid on that day. Until the invoice has
-- its day, such a payment is the customer's credit (a_get_offene_posten).
create or replace function books.book_zahlung(
  rechnung_id bigint, datum date, betrag numeric, art text, bemerkung text, umsatz_id bigint, overpaid boolean
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  invoice record;
  made bigint;
  remark text := btrim(coalesce(book_zahlung.bemerkung, ''));
begin
  select l.id, l.client_id, l.nummer, l.art, l.zustand, l.stand, l.offen, l.bezahlt, l.angebot_id into invoice
  from app.rechnung_liste l
  where l.id = book_zahlung.rechnung_id;
  perform rights.check_found(found);
  if invoice.zustand <> 'ausgestellt' or invoice.art in ('storno', 'korrektur') then
    raise sqlstate 'PT409' using message = 'only an issued invoice is paid', hint = 'zahlung_beleg';
  end if;
  perform books.check_not_taken_off(r, 'abschlag_verrechnet_zahlung')
  from app.rechnung r
  where r.id = invoice.id;
  perform checks.check_value(datum is not null, 'datum', 'fehlt'),
    checks.check_value(betrag is not null, 'betrag', 'fehlt');
  perform checks.check_value(datum between '2000-01-01' and checks.today(), 'datum', 'zahlung_datum');
  perform checks.check_value(betrag <> 0 and betrag <> 'NaN', 'betrag', 'zahlung_null');
  perform checks.check_value(abs(betrag) < 1000000000000, 'betrag', 'betrag_gross');
  perform checks.check_value(betrag = round(betrag, 2), 'betrag', 'betrag_stellen');
  perform checks.check_value(
    book_zahlung.art in ('zahlung', 'skonto', 'ausfall', 'mahnkosten'), 'art', 'zahlung_art'
  );
  perform checks.check_value(checks.is_line_or_empty(remark, 500), 'bemerkung', 'zeile_500');
  -- Of an advance only money counts, and no more than it demands: the final invoice takes off what was
  -- received for it, with the tax that it states.
  if invoice.art = 'abschlag' and book_zahlung.art <> 'mahnkosten' then
    perform checks.check_value(book_zahlung.art = 'zahlung', 'art', 'abschlag_nur_geld');
    perform checks.check_value(
      betrag <= greatest(invoice.offen, 0) or (overpaid and invoice.stand = 'storniert'), 'betrag',
      'abschlag_ueberzahlt'
    );
  end if;
  -- Costs of reminders lower no claim. The invoice is paid first: what is open of it is demanded again.
  if book_zahlung.art = 'mahnkosten' then
    perform checks.check_value(betrag < 0 or invoice.offen <= 0, 'art', 'mahnkosten_offen');
    perform checks.check_value(betrag <= c.demanded - c.paid or overpaid, 'betrag', 'mahnkosten_hoch')
    from books.reminder_costs(invoice.id) c;
  -- What comes in for a cancelled invoice after all is the customer's credit. How much can go back,
  -- books.is_covered says.
  elsif betrag > greatest(invoice.offen, 0) and not (overpaid and book_zahlung.art = 'zahlung') then
    perform checks.check_value(false, 'betrag', case
      when invoice.stand = 'storniert' then 'zahlung_storniert'
      else 'zahlung_zu_hoch'
    end);
  elsif betrag > greatest(invoice.offen, 0) and invoice.stand <> 'storniert' then
    perform books.withdraw_loss(
      invoice.id, invoice.client_id, betrag - greatest(invoice.offen, 0), book_zahlung.datum,
      book_zahlung.umsatz_id
    );
  end if;
  insert into app.zahlung (client_id, rechnung_id, datum, betrag, art, bemerkung, umsatz_id)
  values (
    invoice.client_id, invoice.id, book_zahlung.datum, book_zahlung.betrag, book_zahlung.art, remark,
    book_zahlung.umsatz_id
  )
  returning zahlung.id into made;
  perform checks.check_value(
    betrag > 0 or books.is_covered(invoice.id, book_zahlung.art), 'betrag', 'zahlung_rueck'
  );
  perform books.record('rechnung', invoice.id, invoice.client_id, 'zahlung', jsonb_build_object(
    'zahlung_id', made, 'datum', book_zahlung.datum, 'betrag', round(book_zahlung.betrag, 2)::text,
    'art', book_zahlung.art, 'umsatz_id', book_zahlung.umsatz_id
  ));
  if invoice.art = 'abschlag' then perform books.refresh_schluss(invoice.angebot_id); end if;
  if betrag < 0 then perform books.leave_archive('rechnung', invoice.id); end if;
  return made;
end $$;
grant execute on function books.book_zahlung(bigint, date, numeric, text, text, bigint, boolean)
  to forst_definer;

-- Definer: nobody has a grant to write these tables, as in all of the bookkeeping. More than the open amount
-- only with `ueberzahlung`; a negative amount is money paid back.
create or replace function app.a_add_payment(
  rechnung_id bigint, datum date, betrag numeric, art text default 'zahlung', bemerkung text default '',
  umsatz_id bigint default null, ueberzahlung boolean default false
) returns bigint language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  if a_add_payment.umsatz_id is not null then
    return books.match_umsatz(
      a_add_payment.umsatz_id, a_add_payment.rechnung_id, a_add_payment.betrag, false,
      a_add_payment.ueberzahlung, a_add_payment.art = 'mahnkosten'
    );
  end if;
  return books.book_zahlung(
    a_add_payment.rechnung_id, a_add_payment.datum, a_add_payment.betrag, a_add_payment.art,
    a_add_payment.bemerkung, null, coalesce(a_add_payment.ueberzahlung, false)
  );
end $$;
select rights.define('app.a_add_payment(bigint, date, numeric, text, text, bigint, boolean)');
grant execute on function app.a_add_payment(bigint, date, numeric, text, text, bigint, boolean) to nutzer;

-- Revokes a payment. The caller has checked the right and holds the lock.
create or replace function books.take_back_zahlung(zahlung_id bigint, grund text)
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  source app.zahlung;
  invoice app.rechnung;
  made bigint;
  reason text := btrim(coalesce(grund, ''));
begin
  select z.* into source from app.zahlung z where z.id = take_back_zahlung.zahlung_id;
  perform rights.check_found(source.id is not null);
  if source.gegen_id is not null or exists (select from app.zahlung z where z.gegen_id = source.id) then
    raise sqlstate 'PT409' using message = 'taken back already', hint = 'zahlung_zurueck';
  end if;
  select r.* into invoice from app.rechnung r where r.id = source.rechnung_id;
  perform books.check_not_taken_off(invoice, 'abschlag_verrechnet_zahlung');
  perform checks.check_value(reason <> '', 'grund', 'fehlt'),
    checks.check_value(checks.is_line_or_empty(reason, 500), 'grund', 'zeile_500');
  insert into app.zahlung (client_id, rechnung_id, datum, betrag, art, bemerkung, umsatz_id, gegen_id)
  values (
    source.client_id, source.rechnung_id, greatest(source.datum, checks.today()), -source.betrag, source.art,
    reason, source.umsatz_id, source.id
  )
  returning zahlung.id into made;
  -- A payment that was paid back in part is not taken back before the repayment is.
  if source.betrag > 0 and not books.is_covered(source.rechnung_id, source.art) then
    raise sqlstate 'PT409' using message = 'paid back already', hint = 'zahlung_rueck_zuerst';
  end if;
  update app.kontoumsatz u set erledigt = false where u.id = source.umsatz_id and u.erledigt;
  perform books.record(
    'rechnung', source.rechnung_id, source.client_id, 'zahlung_zurueck',
    jsonb_build_object(
      'zahlung_id', made, 'gegen_id', source.id, 'betrag', (-source.betrag)::text, 'grund', reason
    )
  );
  if invoice.art = 'abschlag' then perform books.refresh_schluss(invoice.angebot_id); end if;
  perform books.leave_archive('rechnung', source.rechnung_id);
  return made;
end $$;
grant execute on function books.take_back_zahlung(bigint, text) to forst_definer;

-- Definer: see above. Books the opposite amount, dated today; its bank entry, if it has one, is open again.
create or replace function app.a_revoke_payment(zahlung_id bigint, grund text default '')
  returns bigint language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  return books.take_back_zahlung(a_revoke_payment.zahlung_id, a_revoke_payment.grund);
end $$;
select rights.define('app.a_revoke_payment(bigint, text)');
grant execute on function app.a_revoke_payment(bigint, text) to nutzer;

-- As the caller, like all reads below: the policies let nobody but apus_admin see rows. `wer` comes from the
-- audit chain.
create or replace function app.a_get_payments(invoice_id bigint)
  returns table (
    id bigint, datum date, betrag text, art text, bemerkung text, umsatz_id bigint, gegen_id bigint,
    zurueck boolean, angelegt_am timestamptz, wer text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select z.id, z.datum, z.betrag::text, z.art, z.bemerkung, z.umsatz_id, z.gegen_id,
      exists (select from app.zahlung g where g.gegen_id = z.id), z.angelegt_am,
      (
        select p.wer
        from app.protokoll p
        where p.gegenstand = 'rechnung'
          and p.gegenstand_id = z.rechnung_id
          and p.inhalt ->> 'zahlung_id' = z.id::text
        order by p.nr limit 1
      )
    from app.zahlung z
    where z.rechnung_id = a_get_payments.invoice_id
    order by z.datum, z.id;
end $$;
grant execute on function app.a_get_payments(bigint) to nutzer;

-- Bank ------------------------------------------------------------------------------------------------------

-- One line of a bank's text: line breaks and repeated blanks become one blank.
create or replace function books.bank_line(value text, longest integer)
  returns text language sql immutable set search_path = pg_catalog
  return btrim(left(btrim(regexp_replace(coalesce(value, ''), '[\s\x01-\x1f\x7f]+', ' ', 'g')), longest));
grant execute on function books.bank_line(text, integer) to forst_definer;
-- Refuses anything but a list of entries from one kind of file.
create or replace function books.check_umsaetze(umsaetze jsonb)
  returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  perform checks.check_value(
    jsonb_typeof(umsaetze) = 'array' and jsonb_array_length(umsaetze) between 1 and 5000, 'umsaetze',
    'umsaetze'
  );
  perform checks.check_value(
    not exists (
      select from jsonb_array_elements(umsaetze) e
      where jsonb_typeof(e) <> 'object'
        or coalesce(e ->> 'datum', '') !~ '^(20|21)[0-9]{2}-[0-9]{2}-[0-9]{2}$'
        or coalesce(e ->> 'betrag', '') !~ '^-?[0-9]{1,12}(\.[0-9]{1,2})?$'
        or (e ->> 'betrag')::numeric = 0
        or coalesce(e ->> 'konto', '') !~ '^([A-Z]{2}[0-9]{2}[A-Z0-9]{11,30})?$'
        or coalesce(e ->> 'quelle', 'camt') not in ('camt', 'mt940', 'csv')
        or e ->> 'quelle' is distinct from umsaetze -> 0 ->> 'quelle'
        or e ? 'vorher' and coalesce(e -> 'vorher' ->> 'betrag', '') !~ '^-?[0-9]{1,12}(\.[0-9]{1,2})?$'
    ),
    'umsaetze', 'umsaetze'
  );
end $$;
grant execute on function books.check_umsaetze(jsonb) to forst_definer;
create or replace function books.bank_text(value text)
  returns text language sql immutable set search_path = pg_catalog
  return left(regexp_replace(coalesce(value, ''), '[\x01-\x08\x0b-\x1f\x7f]', ' ', 'g'), 2000);
grant execute on function books.bank_text(text) to forst_definer;
-- What identifies an entry: all that the bank says of it, and its position among alike ones.
create or replace function books.bank_key(
  konto text, datum date, betrag numeric, name text, iban text, zweck text, referenz text, nr bigint
) returns text language sql immutable set search_path = pg_catalog
  return encode(
    sha256(convert_to(
      jsonb_build_array(konto, datum, round(betrag, 2)::text, name, iban, zweck, referenz, nr)::text, 'UTF8'
    )),
    'hex'
  );
grant execute on function books.bank_key(text, date, numeric, text, text, text, text, bigint)
  to forst_definer;
-- Entries as they are stored, each with its key. Identical entries within one list are different entries; the
-- same entries in another list are the same. `vorher`: key of the batch that it is a part of, which an
-- earlier version stored as one.
create or replace function books.keyed_umsaetze(umsaetze jsonb)
  returns table (
    nr bigint, schluessel text, vorher text, konto text, datum date, betrag numeric, name text, iban text,
    zweck text
  ) language sql stable set search_path = pg_catalog as $$
  with entry as (
    select coalesce(e ->> 'konto', '') as konto, (e ->> 'datum')::date as datum,
      (e ->> 'betrag')::numeric as betrag, books.bank_line(e ->> 'name', 200) as name,
      books.bank_line(e ->> 'iban', 40) as iban, books.bank_text(e ->> 'zweck') as zweck,
      coalesce(e ->> 'referenz', '') as referenz, e -> 'vorher' as vorher, nr
    from jsonb_array_elements(umsaetze) with ordinality as t(e, nr)
  ),
  counted as (
    select *,
      row_number() over (partition by konto, datum, betrag, name, iban, zweck, referenz order by nr) as gleich
    from entry
  )
  select c.nr, books.bank_key(c.konto, c.datum, c.betrag, c.name, c.iban, c.zweck, c.referenz, c.gleich),
    case
      when c.vorher is not null then books.bank_key(
        c.konto, c.datum, (c.vorher ->> 'betrag')::numeric, '', '', books.bank_text(c.vorher ->> 'zweck'),
        coalesce(c.vorher ->> 'referenz', ''), 1
      )
    end,
    c.konto, c.datum, c.betrag, c.name, c.iban, c.zweck
  from counted c
$$;
grant execute on function books.keyed_umsaetze(jsonb) to forst_definer;
-- Letters and digits alone: kinds of files differ in blanks, line ends and signs.
create or replace function books.bank_plain(value text)
  returns text language sql immutable set search_path = pg_catalog
  return regexp_replace(lower(value), '[^a-z0-9]', '', 'g');
grant execute on function books.bank_plain(text) to forst_definer;
-- What is known of entries. bekannt: the entry is there, or the same booking from a file of another kind
-- (CAMT, MT940, CSV), whose texts and references differ: as many entries of an account, day and amount are
-- the same as both have, those of the same other side and purpose first. If what is left on a day has the
-- same total on both sides, one kind shows a batch as a whole and the other its parts: it is the same money
-- (a payment and its return, which add up to nothing, say nothing).
-- fraglich: new on a day that has entries of another kind.
-- CSV is also compared with CSV: a column more or less in the mapping makes other texts. Two statements of
-- CAMT or MT940 may share a day, so they are compared by their keys alone.
drop function if exists books.bank_umsaetze(jsonb);
create or replace function books.bank_umsaetze(umsaetze jsonb)
  returns table (
    nr bigint, schluessel text, konto text, datum date, betrag numeric, name text, iban text, zweck text,
    quelle text, stand text
  ) language sql stable set search_path = pg_catalog as $$
  with kind as (select coalesce(umsaetze -> 0 ->> 'quelle', 'camt') as quelle),
  keyed as materialized (select * from books.keyed_umsaetze(umsaetze)),
  stored as materialized (
    select u.id, k.nr
    from keyed k join app.kontoumsatz u on u.schluessel in (k.schluessel, k.vorher)
  ),
  fresh as materialized (
    select k.*, coalesce(nullif(k.iban, ''), books.bank_plain(k.name)) as wer,
      books.bank_plain(k.zweck) as wofuer
    from keyed k
    where not exists (select from stored s where s.nr = k.nr)
  ),
  other as materialized (
    select u.konto, u.datum, u.betrag, coalesce(nullif(u.iban, ''), books.bank_plain(u.name)) as wer,
      books.bank_plain(u.zweck) as wofuer
    from app.kontoumsatz u
      join (select distinct f.konto, f.datum from fresh f) d on d.konto = u.konto and d.datum = u.datum
      cross join kind
    where (u.quelle <> kind.quelle or kind.quelle = 'csv') and u.id not in (select s.id from stored s)
  ),
  by_purpose as (
    select f.*,
      coalesce(o.n, 0) >= row_number() over (
        partition by f.konto, f.datum, f.betrag, f.wer, f.wofuer order by f.nr
      ) as same_purpose
    from fresh f
      left join (
        select o.konto, o.datum, o.betrag, o.wer, o.wofuer, count(*) as n
        from other o
        group by o.konto, o.datum, o.betrag, o.wer, o.wofuer
      ) o using (konto, datum, betrag, wer, wofuer)
  ),
  by_side as (
    select f.*,
      coalesce(o.n, 0) >= row_number() over (
        partition by f.konto, f.datum, f.betrag, f.wer order by f.same_purpose desc, f.nr
      ) as same_side
    from by_purpose f
      left join (
        select o.konto, o.datum, o.betrag, o.wer, count(*) as n
        from other o
        group by o.konto, o.datum, o.betrag, o.wer
      ) o using (konto, datum, betrag, wer)
  ),
  by_amount as (
    select f.nr, f.konto, f.datum, f.betrag,
      coalesce(o.n, 0)
        >= row_number() over (partition by f.konto, f.datum, f.betrag order by f.same_side desc, f.nr) as same
    from by_side f
      left join (
        select o.konto, o.datum, o.betrag, count(*) as n
        from other o
        group by o.konto, o.datum, o.betrag
      ) o using (konto, datum, betrag)
  ),
  by_day as (
    select f.konto, f.datum,
      o.n > count(*) filter (where f.same)
        and sum(f.betrag) filter (where not f.same) <> 0
        and o.total - coalesce(sum(f.betrag) filter (where f.same), 0)
          = sum(f.betrag) filter (where not f.same) as same_total
    from by_amount f
      join (
        select o.konto, o.datum, count(*) as n, sum(o.betrag) as total
        from other o
        group by o.konto, o.datum
      ) o using (konto, datum)
    group by f.konto, f.datum, o.n, o.total
  )
  select k.nr, k.schluessel, k.konto, k.datum, k.betrag, k.name, k.iban, k.zweck, kind.quelle,
    case
      when f.nr is null or f.same or d.same_total then 'bekannt'
      when d.konto is null then 'neu'
      else 'fraglich'
    end
  from keyed k
    cross join kind
    left join by_amount f on f.nr = k.nr
    left join by_day d on d.konto = f.konto and d.datum = f.datum
$$;
grant execute on function books.bank_umsaetze(jsonb) to forst_definer;

-- Definer: see above. `umsaetze`: [{konto, datum, betrag, name, iban, zweck, referenz, vorher, quelle}].
create or replace function app.a_import_bank(umsaetze jsonb, datei text default '')
  returns jsonb language plpgsql set search_path = pg_catalog as $$
declare
  given integer;
  added integer;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.check_umsaetze(a_import_bank.umsaetze);
  perform books.lock();
  given := jsonb_array_length(umsaetze);
  with made as (
    insert into app.kontoumsatz (schluessel, konto, datum, betrag, name, iban, zweck, datei, quelle)
    select n.schluessel, n.konto, n.datum, n.betrag, n.name, n.iban, n.zweck,
      books.bank_line(a_import_bank.datei, 200), n.quelle
    from books.bank_umsaetze(a_import_bank.umsaetze) n
    where n.stand <> 'bekannt'
    order by n.nr
    on conflict (schluessel) do nothing
    returning 1
  )
  select count(*) into added
  from made;
  perform books.record('bank', null, null, 'eingelesen', jsonb_build_object(
    'datei', books.bank_line(datei, 200), 'neu', added, 'bekannt', given - added
  ));
  return jsonb_build_object('neu', added, 'bekannt', given - added);
end $$;
select rights.define('app.a_import_bank(jsonb, text)');
grant execute on function app.a_import_bank(jsonb, text) to nutzer;

-- Refuses a part of an entry of the other sign, or of more than what is left.
create or replace function books.check_umsatz_part(entry app.kontoumsatz, used numeric, amount numeric)
  returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  if entry.erledigt
    or amount = 0
    or sign(amount) <> sign(entry.betrag)
    or abs(amount) > abs(entry.betrag - used)
  then
    raise sqlstate 'PT409' using message = 'nothing of it is left', hint = 'umsatz_verbraucht';
  end if;
end $$;
grant execute on function books.check_umsatz_part(app.kontoumsatz, numeric, numeric) to forst_definer;

-- Assigns an entry or a part of it. `costs`: what it exceeds the open amount by pays costs of reminders. The
-- caller has checked the right and holds the lock.
drop function if exists books.match_umsatz(bigint, bigint, numeric, boolean, boolean);
create or replace function books.match_umsatz(
  umsatz_id bigint, rechnung_id bigint, betrag numeric, skonto boolean, overpaid boolean, costs boolean
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  entry app.kontoumsatz;
  used numeric;
  amount numeric;
  made bigint;
  rest numeric;
  extra numeric := 0;
  costs_id bigint;
begin
  select u.* into entry from app.kontoumsatz u where u.id = match_umsatz.umsatz_id;
  perform rights.check_found(entry.id is not null);
  used := books.umsatz_used(entry.id);
  amount := coalesce(match_umsatz.betrag, entry.betrag - used);
  perform books.check_umsatz_part(entry, used, amount);
  if match_umsatz.costs then
    -- Beyond what reminders have demanded it is the customer's credit.
    select least(
      greatest(amount - greatest(l.offen, 0), 0),
      case when coalesce(match_umsatz.overpaid, false) then greatest(c.demanded - c.paid, 0) end
    ) into extra
    from app.rechnung_liste l cross join lateral books.reminder_costs(l.id) c
    where l.id = match_umsatz.rechnung_id;
    perform rights.check_found(found);
  end if;
  if amount <> extra then
    made := books.book_zahlung(
      match_umsatz.rechnung_id, entry.datum, amount - extra, 'zahlung', '', entry.id,
      coalesce(match_umsatz.overpaid, false)
    );
  end if;
  if extra > 0 then
    costs_id := books.book_zahlung(
      match_umsatz.rechnung_id, entry.datum, extra, 'mahnkosten', '', entry.id,
      coalesce(match_umsatz.overpaid, false)
    );
  end if;
  if match_umsatz.skonto then
    select l.offen into rest from app.rechnung_liste l where l.id = match_umsatz.rechnung_id;
    if rest > 0 then
      perform books.book_zahlung(match_umsatz.rechnung_id, entry.datum, rest, 'skonto', '', entry.id, false);
    end if;
  end if;
  update app.kontoumsatz u set erledigt = true
  where u.id = entry.id and entry.betrag = used + amount;
  return coalesce(made, costs_id);
end $$;
grant execute on function books.match_umsatz(bigint, bigint, numeric, boolean, boolean, boolean)
  to forst_definer;

-- Definer: see above. Pays an invoice from an entry, or from a part of it (`betrag`); with `skonto` the
-- amount then still open is granted as cash discount, with `mahnkosten` what exceeds the open amount pays the
-- costs of reminders. The entry is done once all of it is used.
drop function if exists app.a_match_bank(bigint, bigint, numeric, boolean, boolean);
create or replace function app.a_match_bank(
  umsatz_id bigint, rechnung_id bigint, betrag numeric default null, skonto boolean default false,
  ueberzahlung boolean default false, mahnkosten boolean default false
) returns bigint language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  return books.match_umsatz(
    a_match_bank.umsatz_id, a_match_bank.rechnung_id, a_match_bank.betrag, a_match_bank.skonto,
    a_match_bank.ueberzahlung, coalesce(a_match_bank.mahnkosten, false)
  );
end $$;
select rights.define('app.a_match_bank(bigint, bigint, numeric, boolean, boolean, boolean)');
grant execute on function app.a_match_bank(bigint, bigint, numeric, boolean, boolean, boolean) to nutzer;

-- Definer: see above. Puts aside an entry that pays no invoice, or undoes that.
create or replace function app.a_set_umsatz_erledigt(umsatz_id bigint, erledigt boolean)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  update app.kontoumsatz u set erledigt = coalesce(a_set_umsatz_erledigt.erledigt, true)
  where u.id = a_set_umsatz_erledigt.umsatz_id;
  perform rights.refuse_unless(found);
  perform books.record('bank', a_set_umsatz_erledigt.umsatz_id, null, case
    when coalesce(a_set_umsatz_erledigt.erledigt, true) then 'erledigt'
    else 'wieder_offen'
  end);
end $$;
select rights.define('app.a_set_umsatz_erledigt(bigint, boolean)');
grant execute on function app.a_set_umsatz_erledigt(bigint, boolean) to nutzer;

-- As the caller, newest first. `rest`: what no invoice has received of it yet.
create or replace function app.a_get_bank(nur_offene boolean default true)
  returns table (
    id bigint, konto text, datum date, betrag text, rest text, name text, iban text, zweck text, datei text,
    erledigt boolean, angelegt_am timestamptz
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select u.id, u.konto, u.datum, u.betrag::text, (u.betrag - books.umsatz_used(u.id))::numeric(14, 2)::text,
      u.name, u.iban, u.zweck, u.datei, u.erledigt, u.angelegt_am
    from app.kontoumsatz u
    where not nur_offene or not u.erledigt
    order by u.datum desc, u.id desc;
end $$;
grant execute on function app.a_get_bank(boolean) to nutzer;

-- Reminders -------------------------------------------------------------------------------------------------

-- The first day of the next level; null without a due day or after the last level. The day of the invoice or
-- the deadline of the last level, whichever is later, must have passed by the days allowed for a transfer.
-- The same rule as nextMahnungDay in domain/mahnung.oracle.ts; both are tested with
-- domain/mahnung.cases.json.
create or replace function books.next_mahnung_day(due date, level integer, deadline date, grace integer)
  returns date language sql immutable
  return case when coalesce(level, 0) < 3 then greatest(due, deadline) + coalesce(grace, 3) + 1 end;
grant execute on function books.next_mahnung_day(date, integer, date, integer) to nutzer, forst_definer;

-- Interest of a reminder: all of it, until its own day. A half-year without a base rate is named and nothing
-- is computed.
create or replace function books.mahnung_interest(m app.mahnung, privat boolean)
  returns numeric language plpgsql stable set search_path = pg_catalog as $$
declare
  rates jsonb := coalesce((select f.basiszins from app.lieferant f), '[]');
  missing date := books.missing_half_year(rates, m.zinsen_ab, m.datum);
begin
  if missing is not null then
    raise sqlstate 'PT409'
      using message = 'no base rate for a half-year', hint = 'basiszins_fehlt',
        detail = jsonb_build_object('tag', missing)::text;
  end if;
  return (
    select coalesce(sum(p.zinsen), 0)
    from books.interest_periods(books.open_steps(m.rechnung_id), rates, m.zinsen_ab, m.datum, privat) p
  );
end $$;
grant execute on function books.mahnung_interest(app.mahnung, boolean) to forst_definer;

-- A reminder before it is stored: levels in sequence, only while an amount is open and overdue. The caller
-- has checked the right.
-- Whether the next level is due is decided by the day of writing, which nobody types. The letter has that
-- day or, for tomorrow's post, the next: with an earlier date its deadline could have passed already, and all
-- levels could be written at once.
-- `zinsen_ab`: the first day of interest, null for none; `pauschale`: the lump sum of § 288 (5) BGB.
create or replace function books.create_mahnung(
  rechnung_id bigint, stufe integer, datum date, faellig date, gebuehr numeric, text text, zinsen_ab date,
  pauschale boolean
) returns app.mahnung language plpgsql stable set search_path = pg_catalog as $$
declare
  invoice record;
  last record;
  made app.mahnung;
  terms record;
  first date;
begin
  select l.id, l.client_id, l.stand, l.faellig, books.is_private(r.beleg, l.client_id) as privat into invoice
  from app.rechnung_liste l join app.rechnung r on r.id = l.id
  where l.id = create_mahnung.rechnung_id;
  perform rights.refuse_unless(invoice.stand is not null);
  if invoice.stand <> 'ueberfaellig' then
    raise sqlstate 'PT409' using message = 'not overdue', hint = 'mahnung_stand';
  end if;
  -- It is on us to collect it, or the bank has yet to report.
  if books.einzug_stand(invoice.id) in ('geplant', 'datei') then
    raise sqlstate 'PT409' using message = 'is being collected', hint = 'mahnung_einzug';
  end if;
  select f.mahngebuehren, f.mahn_frist, f.mahn_kulanz into terms from app.lieferant f;
  made.id := 0;
  made.client_id := invoice.client_id;
  made.rechnung_id := invoice.id;
  made.stufe := create_mahnung.stufe;
  made.datum := coalesce(create_mahnung.datum, checks.today());
  made.faellig := coalesce(create_mahnung.faellig, made.datum + coalesce(terms.mahn_frist, 10));
  made.gebuehr := coalesce(create_mahnung.gebuehr, (terms.mahngebuehren ->> (made.stufe - 1))::numeric, 0);
  made.text := coalesce(create_mahnung.text, '');
  made.angelegt_am := now();
  select coalesce(max(m.stufe), 0) as stufe, max(m.faellig) as faellig, min(m.datum) as erste,
    coalesce(max(m.pauschale), 0) as pauschale into last
  from app.mahnung m
  where m.rechnung_id = invoice.id;
  perform checks.check_value(
    made.stufe is not null and made.stufe = last.stufe + 1 and made.stufe <= 3, 'stufe', 'mahnung_stufe'
  );
  first := books.next_mahnung_day(invoice.faellig, last.stufe, last.faellig, terms.mahn_kulanz);
  if first > checks.today() then
    raise sqlstate 'PT409'
      using message = 'the next level is not due yet', hint = 'mahnung_frueh',
        detail = jsonb_build_object('tag', first)::text;
  end if;
  perform checks.check_value(
    made.datum between checks.today() and checks.today() + 1, 'datum', 'mahnung_datum'
  );
  perform checks.check_value(
    made.faellig > made.datum and made.faellig <= made.datum + 365, 'faellig', 'mahnung_faellig'
  );
  perform checks.check_value(
    made.gebuehr between 0 and 999999.99 and made.gebuehr = round(made.gebuehr, 2), 'gebuehr',
    'mahnung_gebuehr'
  );
  perform checks.check_value(checks.is_text(made.text, 6000), 'text', 'text_6000'),
    checks.check_value(books.are_placeholders_known(made.text), 'text', 'platzhalter');
  -- Once for each claim, and never from a private person.
  if create_mahnung.pauschale then
    perform checks.check_value(not invoice.privat and last.pauschale = 0, 'pauschale', 'mahnung_pauschale');
  end if;
  made.pauschale := case when create_mahnung.pauschale then 40 else 0 end;
  made.zinsen_ab := create_mahnung.zinsen_ab;
  made.zinsen := 0;
  if made.zinsen_ab is not null then
    perform checks.check_value(
      made.zinsen_ab > invoice.faellig and made.zinsen_ab <= made.datum, 'zinsen_ab', 'mahnung_zinsen_ab'
    );
    perform checks.check_value(
      made.zinsen_ab >= books.earliest_default_day(invoice.faellig, invoice.privat, last.erste), 'zinsen_ab',
      'mahnung_zinsen_privat'
    );
    made.zinsen := books.mahnung_interest(made, invoice.privat);
  end if;
  return made;
end $$;
grant execute on function books.create_mahnung(bigint, integer, date, date, numeric, text, date, boolean)
  to forst_definer;
drop function if exists books.create_mahnung(bigint, integer, date, date, numeric, text);

-- What a reminder says of default: the rows of its interest, which is all interest until its day and replaces
-- that of the levels before, and the lump sum.
create or replace function books.mahnung_verzug(m app.mahnung, privat boolean)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select case
    when m.zinsen_ab is not null or m.pauschale > 0 or p.bisher > 0 then jsonb_build_object(
      'privat', privat, 'ab', m.zinsen_ab, 'bis', m.datum, 'zinsen', m.zinsen::numeric(14, 2)::text,
      'pauschale', (m.pauschale + p.bisher)::numeric(14, 2)::text, 'zeilen', coalesce(z.zeilen, '[]')
    )
  end
  from (
    select coalesce(max(b.pauschale), 0) as bisher
    from app.mahnung b
    where b.rechnung_id = m.rechnung_id and b.stufe < m.stufe
  ) p
    left join lateral (
      select jsonb_agg(
        jsonb_build_object(
          'von', i.von, 'bis', i.bis, 'tage', i.tage, 'betrag', i.betrag::text,
          'basiszins', i.basiszins::text, 'satz', i.satz::text, 'zinsen', i.zinsen::text
        ) order by i.von
      ) as zeilen
      from app.lieferant f
        cross join lateral books.interest_periods(
          books.open_steps(m.rechnung_id), f.basiszins, m.zinsen_ab, m.datum, privat
        ) i
      where m.zinsen_ab is not null
    ) z on true
$$;
grant execute on function books.mahnung_verzug(app.mahnung, boolean) to forst_definer;

-- Where a customer is reached now; null if it is not known whole, or the customer is blocked.
create or replace function books.present_address(client_id bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'name', k.name, 'name_zusatz', coalesce(k.name_zusatz, ''), 'strasse', k.strasse, 'plz', k.plz,
    'ort', k.ort, 'land', k.land, 'mail', coalesce(b.rechnung_mail, '')
  )
  from app.kunde k left join app.kunde_rechnung b on b.client_id = k.client_id
  where k.client_id = present_address.client_id
    and k.gesperrt_bis is null
    and '' not in (btrim(k.name), btrim(coalesce(k.strasse, '')), btrim(coalesce(k.ort, '')))
    and (btrim(coalesce(k.plz, '')) <> '' or checks.is_postcode(k.land, ''))
$$;
grant execute on function books.present_address(bigint) to forst_definer;

-- The reminder as printed: the frozen invoice with another beginning and end. It demands the open amount, the
-- fees of all levels, interest and lump sum. None of the last three has VAT: they are damages, no
-- consideration (UStAE 1.3 (6)).
create or replace function books.mahnung_print(m app.mahnung)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare
  source jsonb;
  invoice record;
  before numeric;
  paid numeric;
  costs numeric;
  due numeric;
  verzug jsonb;
begin
  select r.beleg, r.client_id, r.nummer, r.rn_datum, r.faellig, r.zahlbetrag + l.korrigiert as zahlbetrag,
    l.bezahlt, l.offen into invoice
  from app.rechnung r join app.rechnung_liste l on l.id = r.id
  where r.id = m.rechnung_id;
  select coalesce(sum(b.gebuehr), 0) into before
  from app.mahnung b
  where b.rechnung_id = m.rechnung_id and b.stufe < m.stufe;
  -- A letter of today: from where we are now, to where the debtor lives now.
  source := invoice.beleg || jsonb_build_object(
    'lieferant', coalesce(invoice.beleg -> 'lieferant', '{}')
      || (books.beleg_lieferant(m.datum) - 'kleinunternehmer'),
    'empfaenger', coalesce(invoice.beleg -> 'empfaenger', '{}')
      || coalesce(books.present_address(invoice.client_id), '{}')
  );
  verzug := books.mahnung_verzug(m, books.is_private(invoice.beleg, invoice.client_id));
  costs := before + m.gebuehr + m.zinsen + coalesce((verzug ->> 'pauschale')::numeric, 0);
  -- What was paid beyond the costs that this letter names lessens no claim.
  select least(c.paid, costs) into paid from books.reminder_costs(m.rechnung_id) c;
  due := invoice.offen + costs - paid;
  return source - '{abschlaege,einzug}'::text[] || jsonb_build_object(
    'art', 'mahnung', 'id', m.id::text, 'nummer', '', 'format', 'pdf', 'datum', m.datum, 'faellig', m.faellig,
    'le_date', null, 'le_date_bis', null, 'zuerl', '', 'skonto', '[]'::jsonb, 'rabatt_prozent', '0.00',
    'rabatt_grund', '', 'positionen', '[]'::jsonb,
    'bearbeiter', left(coalesce(rights.caller_name(), source ->> 'bearbeiter'), 100),
    'anrede', coalesce(nullif(btrim(source ->> 'anrede'), ''), 'Sehr geehrte Damen und Herren,'),
    'anschreiben', books.fill_placeholders(m.text, jsonb_build_object(
      'name', source #>> '{empfaenger,name}', 'nummer', invoice.nummer,
      'datum', to_char(m.datum, 'DD.MM.YYYY'), 'faellig', to_char(m.faellig, 'DD.MM.YYYY'),
      'betrag', books.euro_text(due)
    )),
    'summen', coalesce(source -> 'summen', '{}')
      || jsonb_build_object('zahlbetrag', due::numeric(14, 2)::text),
    'bezug', jsonb_build_object('art', 'rechnung', 'nummer', invoice.nummer, 'datum', invoice.rn_datum),
    'mahnung', jsonb_build_object(
      'stufe', m.stufe, 'rechnung_faellig', invoice.faellig, 'rechnung_betrag', invoice.zahlbetrag::text,
      'gezahlt', invoice.bezahlt::text, 'gebuehr', m.gebuehr::numeric(14, 2)::text,
      'gebuehren_bisher', before::numeric(14, 2)::text
    ) || case
      when paid <> 0 then jsonb_build_object('kosten_gezahlt', paid::numeric(14, 2)::text)
      else '{}'
    end || case when verzug is null then '{}' else jsonb_build_object('verzug', verzug) end
  );
end $$;
grant execute on function books.mahnung_print(app.mahnung) to forst_definer;

-- Definer: see above. Reminders are never sent automatically. Frozen like the other documents.
drop function if exists app.a_add_mahnung(bigint, integer, date, date, numeric, text);
create or replace function app.a_add_mahnung(
  rechnung_id bigint, stufe integer, datum date default null, faellig date default null,
  gebuehr numeric default null, text text default '', zinsen_ab date default null,
  pauschale boolean default false
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  m app.mahnung;
  made bigint;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  m := books.create_mahnung(
    a_add_mahnung.rechnung_id, a_add_mahnung.stufe, a_add_mahnung.datum, a_add_mahnung.faellig,
    a_add_mahnung.gebuehr, a_add_mahnung.text, a_add_mahnung.zinsen_ab, a_add_mahnung.pauschale
  );
  insert into app.mahnung (
    client_id, rechnung_id, stufe, datum, faellig, gebuehr, text, zinsen, zinsen_ab, pauschale, beleg
  )
  values (
    m.client_id, m.rechnung_id, m.stufe, m.datum, m.faellig, m.gebuehr, m.text, m.zinsen, m.zinsen_ab,
    m.pauschale, '{}'
  )
  returning mahnung.id into made;
  return made;
end $$;
select rights.define('app.a_add_mahnung(bigint, integer, date, date, numeric, text, date, boolean)');
grant execute on function app.a_add_mahnung(bigint, integer, date, date, numeric, text, date, boolean)
  to nutzer;

-- Definer: see above. Preview of a reminder; stores nothing.
drop function if exists app.a_preview_mahnung(bigint, integer, date, date, numeric, text);
create or replace function app.a_preview_mahnung(
  rechnung_id bigint, stufe integer, datum date default null, faellig date default null,
  gebuehr numeric default null, text text default '', zinsen_ab date default null,
  pauschale boolean default false
) returns jsonb language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  return books.mahnung_print(books.create_mahnung(
    a_preview_mahnung.rechnung_id, a_preview_mahnung.stufe, a_preview_mahnung.datum,
    a_preview_mahnung.faellig, a_preview_mahnung.gebuehr, a_preview_mahnung.text, a_preview_mahnung.zinsen_ab,
    a_preview_mahnung.pauschale
  )) || '{"entwurf": true}';
end $$;
select rights.define('app.a_preview_mahnung(bigint, integer, date, date, numeric, text, date, boolean)');
grant execute on function app.a_preview_mahnung(bigint, integer, date, date, numeric, text, date, boolean)
  to nutzer;

-- Definer: writes to the audit chain. Runs before the insert, so that the row never changes.
create or replace function books.freeze_mahnung()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  new.beleg := books.mahnung_print(new);
  perform books.record('rechnung', new.rechnung_id, new.client_id, 'gemahnt', jsonb_build_object(
    'mahnung_id', new.id, 'stufe', new.stufe, 'faellig', new.faellig, 'gebuehr', new.gebuehr::text,
    'zinsen', new.zinsen::text, 'pauschale', new.pauschale::text,
    'gefordert', new.beleg #>> '{summen,zahlbetrag}'
  ));
  return new;
end $$;
select rights.define('books.freeze_mahnung()');
create or replace trigger b_beleg before insert on app.mahnung
  for each row when (current_user <> 'forst_betrieb') execute function books.freeze_mahnung();

-- By the same rules as fillPlaceholders in domain/placeholders.ts: a placeholder without a value stays, and
-- values are not searched for placeholders.
create or replace function books.fill_placeholders(text text, entries jsonb)
  returns text language sql immutable set search_path = pg_catalog as $$
  select coalesce(string_agg(
    case
      when part.nr % 2 = 0 and entries ? part.piece then entries ->> part.piece
      when part.nr % 2 = 0 then '{' || part.piece || '}'
      else part.piece
    end,
    '' order by part.nr
  ), '')
  from unnest(string_to_array(
    regexp_replace(fill_placeholders.text, '\{(name|nummer|datum|faellig|betrag)\}', E'\x01\\1\x01', 'g'),
    E'\x01'
  )) with ordinality as part(piece, nr)
$$;
grant execute on function books.fill_placeholders(text, jsonb) to nutzer, forst_definer;
-- 1.234,50 €
create or replace function books.euro_text(value numeric)
  returns text language sql immutable set search_path = pg_catalog
  return translate(to_char(value, 'FM999,999,999,999,990.00'), ',.', '.,') || U&'\00A0€';
grant execute on function books.euro_text(numeric) to forst_definer;

-- As the caller.
do $$
begin
  if not exists (
    select from pg_proc p
    where p.oid = to_regprocedure('app.a_get_mahnungen(bigint)') and 'pauschale' = any (p.proargnames)
  ) then
    drop function if exists app.a_get_mahnungen(bigint);
  end if;
end $$;
create or replace function app.a_get_mahnungen(invoice_id bigint)
  returns table (
    id bigint, stufe integer, datum date, faellig date, gebuehr text, zinsen text, zinsen_ab date,
    pauschale text, text text, angelegt_am timestamptz
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select m.id, m.stufe, m.datum, m.faellig, m.gebuehr::text, m.zinsen::text, m.zinsen_ab, m.pauschale::text,
      m.text, m.angelegt_am
    from app.mahnung m
    where m.rechnung_id = a_get_mahnungen.invoice_id
    order by m.stufe;
end $$;
grant execute on function app.a_get_mahnungen(bigint) to nutzer;

-- As the caller: overdue invoices, with the next level, its fee, its deadline and its first day (`ab`). For
-- interest: since when (`zinsen_ab`) and from when on at the earliest (`zinsen_fruehestens`), what was open
-- when (`posten`), and the lump sum that was demanded already.
do $$
begin
  if not exists (
    select from pg_proc p
    where p.oid = to_regprocedure('app.a_get_mahnliste()') and 'kosten_gezahlt' = any (p.proargnames)
  ) then
    drop function if exists app.a_get_mahnliste();
  end if;
end $$;
create or replace function app.a_get_mahnliste()
  returns table (
    rechnung_id bigint, client_id bigint, kunde text, nummer text, rn_datum date, faellig date, tage integer,
    offen text, stufe integer, naechste integer, gebuehr text, dran boolean, letzte date, gebuehren text,
    frist integer, mail text, ab date, privat boolean, zinsen_ab date, zinsen_fruehestens date, posten jsonb,
    pauschale text, einzug text, kosten_gezahlt text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select l.id, l.client_id, l.kunde, l.nummer, l.rn_datum, l.faellig, checks.today() - l.faellig,
      l.offen::text, coalesce(m.stufe, 0),
      case when coalesce(m.stufe, 0) < 3 then coalesce(m.stufe, 0) + 1 end,
      coalesce(f.mahngebuehren ->> coalesce(m.stufe, 0), '0.00'),
      coalesce(d.ab <= checks.today() and z.einzug is null, false), m.datum,
      coalesce(
        (select sum(g.gebuehr) from app.mahnung g where g.rechnung_id = l.id), 0
      )::numeric(14, 2)::text,
      coalesce(f.mahn_frist, 10), coalesce(k.rechnung_mail, ''), d.ab, p.privat,
      books.default_day(l.faellig, p.privat, e.faellig),
      books.earliest_default_day(l.faellig, p.privat, e.datum),
      case
        when exists (select from app.zahlung z where z.rechnung_id = l.id) then books.open_steps(l.id)
        else jsonb_build_array(
          jsonb_build_object('ab', '2000-01-01', 'offen', (l.zahlbetrag + l.korrigiert)::text)
        )
      end,
      coalesce(
        (select max(g.pauschale) from app.mahnung g where g.rechnung_id = l.id), 0
      )::numeric(14, 2)::text,
      z.einzug,
      coalesce((
        select sum(x.betrag)
        from app.zahlung x
        where x.rechnung_id = l.id and x.art = 'mahnkosten'
      ), 0)::numeric(14, 2)::text
    from app.rechnung_offen o
      join app.rechnung_liste l on l.id = o.rechnung_id
      left join app.lieferant f on true
      left join app.kunde_rechnung k on k.client_id = l.client_id
      left join lateral (
        select a.stufe, a.faellig, a.datum
        from app.mahnung a
        where a.rechnung_id = l.id
        order by a.stufe desc limit 1
      ) m on true
      left join lateral (
        select books.next_mahnung_day(l.faellig, m.stufe, m.faellig, f.mahn_kulanz) as ab
      ) d on true
      left join lateral (
        -- As books.is_private.
        select coalesce((r.beleg #>> '{empfaenger,ist_privat}')::boolean, k.ist_privat, false) as privat
        from app.rechnung r
        where r.id = l.id
      ) p on true
      left join app.mahnung e on e.rechnung_id = l.id and e.stufe = 1
      -- Whether it is being collected: nothing is demanded meanwhile.
      cross join lateral (
        select case when s.stand in ('geplant', 'datei') then s.stand end as einzug
        from (select books.einzug_stand(l.id) as stand) s
      ) z
    where l.stand = 'ueberfaellig'
    order by l.faellig, l.id;
end $$;
grant execute on function app.a_get_mahnliste() to nutzer;

-- The invoices of that list for which a reminder is due, without the columns that make it slow: for counting.
create or replace function books.mahn_due()
  returns setof bigint language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select o.rechnung_id
    from app.rechnung_offen o
      join app.rechnung_liste l on l.id = o.rechnung_id
      left join app.lieferant f on true
      left join lateral (
        select a.stufe, a.faellig
        from app.mahnung a
        where a.rechnung_id = l.id
        order by a.stufe desc limit 1
      ) m on true
    where l.stand = 'ueberfaellig'
      and books.next_mahnung_day(l.faellig, m.stufe, m.faellig, f.mahn_kulanz) <= checks.today()
      and not exists (
        select from (select books.einzug_stand(l.id) as stand) s
        where s.stand in ('geplant', 'datei')
      );
end $$;
grant execute on function books.mahn_due() to nutzer;
