-- Payments of received invoices. Read by those who read the books, written by the procedures below.
-- docs/decisions/eingang.md

select rights.protect('app.eingang_zahlung');
grant select, insert, delete on app.eingang_zahlung to forst_definer;
grant select on app.eingang_zahlung to nutzer;
create policy buchhaltung on app.eingang_zahlung for select to nutzer
  using ((select rights.has_role('apus_admin')));

-- Definer: checks for every role, whatever that role may read. Bookings are final: a payment or a line of a
-- file is deleted only with its invoice.
create or replace function books.check_eingang_zahlung_frozen()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if tg_op = 'DELETE' and not exists (select from app.eingang e where e.id = old.eingang_id) then
    return old;
  end if;
  perform books.refuse_issued(tg_table_name || ' ' || old.id);
  return null;
end $$;
select rights.define('books.check_eingang_zahlung_frozen()');
create or replace trigger a_fest before update or delete on app.eingang_zahlung
  for each row execute function books.check_eingang_zahlung_frozen();

-- What is used of a bank entry, with its sign: payments of our own invoices, and of received ones, for which
-- money goes the other way.
create or replace function books.umsatz_used(umsatz_id bigint)
  returns numeric language sql stable set search_path = pg_catalog as $$
  select coalesce((
    select sum(z.betrag)
    from app.zahlung z
    where z.umsatz_id = umsatz_used.umsatz_id and z.art in ('zahlung', 'mahnkosten')
  ), 0) - coalesce((
    select sum(p.betrag)
    from app.eingang_zahlung p
    where p.umsatz_id = umsatz_used.umsatz_id and p.art = 'zahlung'
  ), 0)
$$;
grant execute on function books.umsatz_used(bigint) to nutzer, forst_definer;

-- Payments by the day from which they count. A counter entry counts from the day of what it takes back, as
-- with our own invoices (books.dated_zahlung).
create or replace view books.dated_eingang_zahlung with (security_invoker = true) as
  select p.id, p.eingang_id, p.betrag, p.art,
    coalesce((select g.datum from app.eingang_zahlung g where g.id = p.gegen_id), p.datum) as tag, p.datum
  from app.eingang_zahlung p;
revoke all on books.dated_eingang_zahlung from public, nutzer;
grant select on books.dated_eingang_zahlung to nutzer, forst_definer;

-- The state of an invoice after a payment: paid once nothing is left to pay, on the day of the last payment.
create or replace function books.refresh_eingang(eingang_id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare
  entry app.eingang;
  paid numeric;
  last date;
  settled boolean;
begin
  select e.* into entry
  from app.eingang e
  where e.id = refresh_eingang.eingang_id for update;
  select coalesce(sum(p.betrag), 0),
    max(p.datum) filter (
      where p.gegen_id is null and not exists (select from app.eingang_zahlung g where g.gegen_id = p.id)
    ) into paid, last
  from app.eingang_zahlung p
  where p.eingang_id = entry.id;
  settled := sign(entry.zahlbetrag) * (entry.zahlbetrag - paid) <= 0 and (entry.zahlbetrag = 0 or paid <> 0);
  update app.eingang e set
    bezahlt = paid, zustand = case when settled then 'bezahlt' else 'freigegeben' end,
    bezahlt_am = case when settled then coalesce(last, entry.datum) end, version = entry.version + 1,
    geaendert_am = now()
  where e.id = entry.id;
end $$;
grant execute on function books.refresh_eingang(bigint) to forst_definer;

-- Checks and books a payment. The caller has checked the right and holds the lock. A credit note is settled
-- by money that comes in: all signs are turned.
create or replace function books.book_eingang_zahlung(
  eingang_id bigint, datum date, betrag numeric, art text, bemerkung text, umsatz_id bigint, overpaid boolean
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  entry record;
  made bigint;
  way integer;
  remark text := btrim(coalesce(book_eingang_zahlung.bemerkung, ''));
begin
  select e.id, e.nummer, e.zustand, e.zahlbetrag, e.bezahlt into entry
  from app.eingang e
  where e.id = book_eingang_zahlung.eingang_id;
  perform rights.check_found(found);
  perform books.refuse_eingang_state(entry.zustand in ('freigegeben', 'bezahlt'));
  perform checks.check_value(datum is not null, 'datum', 'fehlt'),
    checks.check_value(betrag is not null, 'betrag', 'fehlt');
  perform checks.check_value(datum between '2000-01-01' and checks.today(), 'datum', 'zahlung_datum');
  perform checks.check_value(betrag <> 0 and betrag <> 'NaN', 'betrag', 'zahlung_null');
  perform checks.check_value(abs(betrag) < 1000000000000, 'betrag', 'betrag_gross');
  perform checks.check_value(betrag = round(betrag, 2), 'betrag', 'betrag_stellen');
  perform checks.check_value(
    coalesce(book_eingang_zahlung.art in ('zahlung', 'skonto'), false), 'art', 'eingang_zahlung_art'
  );
  perform checks.check_value(checks.is_line_or_empty(remark, 500), 'bemerkung', 'zeile_500');
  way := case when entry.zahlbetrag < 0 then -1 else 1 end;
  -- How much can come back, books.is_eingang_covered says.
  if way * betrag > greatest(way * (entry.zahlbetrag - entry.bezahlt), 0)
    and not (coalesce(overpaid, false) and book_eingang_zahlung.art = 'zahlung' and way * betrag > 0)
  then
    perform checks.check_value(false, 'betrag', 'zahlung_zu_hoch');
  end if;
  perform checks.check_value(
    way * betrag > 0 or book_eingang_zahlung.art = 'zahlung', 'betrag', 'zahlung_null'
  );
  insert into app.eingang_zahlung (eingang_id, datum, betrag, art, bemerkung, umsatz_id, posten_id)
  values (
    entry.id, book_eingang_zahlung.datum, book_eingang_zahlung.betrag, book_eingang_zahlung.art, remark,
    book_eingang_zahlung.umsatz_id,
    case
      when book_eingang_zahlung.art = 'zahlung' then
        books.open_posten(entry.id, book_eingang_zahlung.betrag, book_eingang_zahlung.datum)
    end
  )
  returning eingang_zahlung.id into made;
  perform checks.check_value(
    way * betrag > 0 or books.is_eingang_covered(entry.id, way), 'betrag', 'zahlung_rueck'
  );
  perform books.record('eingang', entry.id, null, 'zahlung', jsonb_build_object(
    'zahlung_id', made, 'nummer', entry.nummer, 'datum', book_eingang_zahlung.datum,
    'betrag', round(book_eingang_zahlung.betrag, 2)::text, 'art', book_eingang_zahlung.art,
    'umsatz_id', book_eingang_zahlung.umsatz_id
  ));
  perform books.refresh_eingang(entry.id);
  return made;
end $$;
grant execute on function books.book_eingang_zahlung(bigint, date, numeric, text, text, bigint, boolean)
  to forst_definer;

-- Whether on no day more money had come back than had been paid by then.
create or replace function books.is_eingang_covered(eingang_id bigint, way integer)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select not exists (
    select from (
      select sum(sum(p.betrag)) over (order by p.tag) as stand
      from books.dated_eingang_zahlung p
      where p.eingang_id = is_eingang_covered.eingang_id and p.art = 'zahlung'
      group by p.tag
    ) d
    where is_eingang_covered.way * d.stand < 0
  )
$$;
grant execute on function books.is_eingang_covered(bigint, integer) to forst_definer;

-- The line of a file for the bank that a payment of this amount on this day carries out; null: none. A bank
-- never executes a transfer before its day.
drop function if exists books.open_posten(bigint, numeric);
create or replace function books.open_posten(eingang_id bigint, betrag numeric, datum date)
  returns bigint language sql stable set search_path = pg_catalog as $$
  select o.id
  from app.zahlposten o join app.zahllauf l on l.id = o.lauf_id
  where o.eingang_id = open_posten.eingang_id
    and o.betrag = open_posten.betrag
    and open_posten.datum >= coalesce(o.tag, l.tag)
    and l.zurueckgezogen_am is null
    and not books.is_posten_done(o.id)
  order by o.id limit 1
$$;
grant execute on function books.open_posten(bigint, numeric, date) to nutzer, forst_definer;

-- Definer: nobody has a grant to write these tables, as in all of the bookkeeping. With `skonto` what is then
-- still open is deducted as cash discount; more than the open amount only with `ueberzahlung`; below zero:
-- money that came back.
create or replace function app.a_add_eingang_zahlung(
  eingang_id bigint, datum date, betrag numeric, skonto boolean default false, bemerkung text default '',
  ueberzahlung boolean default false
) returns bigint language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  return books.pay_eingang(
    a_add_eingang_zahlung.eingang_id, a_add_eingang_zahlung.datum, a_add_eingang_zahlung.betrag,
    a_add_eingang_zahlung.skonto, a_add_eingang_zahlung.bemerkung, null, a_add_eingang_zahlung.ueberzahlung
  );
end $$;
select rights.define('app.a_add_eingang_zahlung(bigint, date, numeric, boolean, text, boolean)');
grant execute on function app.a_add_eingang_zahlung(bigint, date, numeric, boolean, text, boolean) to nutzer;

-- A payment and the cash discount with it. The caller has checked the right and holds the lock.
create or replace function books.pay_eingang(
  eingang_id bigint, datum date, betrag numeric, skonto boolean, bemerkung text, umsatz_id bigint,
  overpaid boolean
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  made bigint;
  rest numeric;
begin
  made := books.book_eingang_zahlung(
    pay_eingang.eingang_id, pay_eingang.datum, pay_eingang.betrag, 'zahlung', pay_eingang.bemerkung,
    pay_eingang.umsatz_id, pay_eingang.overpaid
  );
  if coalesce(pay_eingang.skonto, false) then
    select e.zahlbetrag - e.bezahlt into rest
    from app.eingang e
    where e.id = pay_eingang.eingang_id;
    if rest <> 0 and sign(rest) = sign(pay_eingang.betrag) then
      perform books.book_eingang_zahlung(
        pay_eingang.eingang_id, pay_eingang.datum, rest, 'skonto', '', pay_eingang.umsatz_id, false
      );
    end if;
  end if;
  return made;
end $$;
grant execute on function books.pay_eingang(bigint, date, numeric, boolean, text, bigint, boolean)
  to forst_definer;

-- Assigns a bank entry or a part of it, with the sign of the entry. The caller has checked the right and
-- holds the lock.
create or replace function books.match_eingang(
  umsatz_id bigint, eingang_id bigint, betrag numeric, skonto boolean, overpaid boolean
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  entry app.kontoumsatz;
  used numeric;
  amount numeric;
  made bigint;
begin
  select u.* into entry from app.kontoumsatz u where u.id = match_eingang.umsatz_id;
  perform rights.check_found(entry.id is not null);
  used := books.umsatz_used(entry.id);
  amount := coalesce(match_eingang.betrag, entry.betrag - used);
  perform books.check_umsatz_part(entry, used, amount);
  made := books.pay_eingang(
    match_eingang.eingang_id, entry.datum, -amount, match_eingang.skonto, '', entry.id, match_eingang.overpaid
  );
  update app.kontoumsatz u set erledigt = true
  where u.id = entry.id and entry.betrag = used + amount;
  return made;
end $$;
grant execute on function books.match_eingang(bigint, bigint, numeric, boolean, boolean) to forst_definer;

-- Revokes a payment. The caller has checked the right and holds the lock.
create or replace function books.take_back_eingang_zahlung(zahlung_id bigint, grund text)
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  source app.eingang_zahlung;
  made bigint;
  way integer;
  reason text := btrim(coalesce(take_back_eingang_zahlung.grund, ''));
begin
  select p.* into source
  from app.eingang_zahlung p
  where p.id = take_back_eingang_zahlung.zahlung_id;
  perform rights.check_found(source.id is not null);
  if source.gegen_id is not null
    or exists (select from app.eingang_zahlung p where p.gegen_id = source.id)
  then
    raise sqlstate 'PT409' using message = 'taken back already', hint = 'zahlung_zurueck';
  end if;
  perform checks.check_value(reason <> '', 'grund', 'fehlt'),
    checks.check_value(checks.is_line_or_empty(reason, 500), 'grund', 'zeile_500');
  select case when e.zahlbetrag < 0 then -1 else 1 end into way
  from app.eingang e
  where e.id = source.eingang_id;
  insert into app.eingang_zahlung (eingang_id, datum, betrag, art, bemerkung, umsatz_id, gegen_id)
  values (
    source.eingang_id, greatest(source.datum, checks.today()), -source.betrag, source.art, reason,
    source.umsatz_id, source.id
  )
  returning eingang_zahlung.id into made;
  -- A payment of which something came back is not taken back before that is.
  if not books.is_eingang_covered(source.eingang_id, way) then
    raise sqlstate 'PT409' using message = 'paid back already', hint = 'zahlung_rueck_zuerst';
  end if;
  update app.kontoumsatz u set erledigt = false where u.id = source.umsatz_id and u.erledigt;
  perform books.record('eingang', source.eingang_id, null, 'zahlung_zurueck', jsonb_build_object(
    'zahlung_id', made, 'gegen_id', source.id, 'betrag', (-source.betrag)::text, 'grund', reason
  ));
  perform books.refresh_eingang(source.eingang_id);
  return made;
end $$;
grant execute on function books.take_back_eingang_zahlung(bigint, text) to forst_definer;

-- Definer: see above. Books the opposite amount, dated today; its bank entry, if it has one, is open again.
create or replace function app.a_revoke_eingang_zahlung(zahlung_id bigint, grund text)
  returns bigint language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  return books.take_back_eingang_zahlung(a_revoke_eingang_zahlung.zahlung_id, a_revoke_eingang_zahlung.grund);
end $$;
select rights.define('app.a_revoke_eingang_zahlung(bigint, text)');
grant execute on function app.a_revoke_eingang_zahlung(bigint, text) to nutzer;

-- As the caller. `wer` comes from the audit chain; `lauf_id`: the file for the bank that it carries out.
create or replace function app.a_get_eingang_zahlungen(eingang_id bigint)
  returns table (
    id bigint, datum date, betrag text, art text, bemerkung text, umsatz_id bigint, gegen_id bigint,
    zurueck boolean, lauf_id bigint, angelegt_am timestamptz, wer text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.reads_books());
  return query
    select p.id, p.datum, p.betrag::text, p.art, p.bemerkung, p.umsatz_id, p.gegen_id,
      exists (select from app.eingang_zahlung g where g.gegen_id = p.id), o.lauf_id, p.angelegt_am,
      (
        select k.wer
        from app.protokoll k
        where k.gegenstand = 'eingang'
          and k.gegenstand_id = p.eingang_id
          and k.inhalt ->> 'zahlung_id' = p.id::text
        order by k.nr limit 1
      )
    from app.eingang_zahlung p left join app.zahlposten o on o.id = p.posten_id
    where p.eingang_id = a_get_eingang_zahlungen.eingang_id
    order by p.datum, p.id;
end $$;
grant execute on function app.a_get_eingang_zahlungen(bigint) to nutzer;

-- As the caller. The received invoices that bank entries are compared with: those that are open, and the paid
-- ones of the last 18 months, so that a second payment is noticed. `iban`: accounts of the supplier.
-- `bedingungen`: the terms of payment as the file says them (BT-20). `posten`: amount of the line in a file
-- for the bank that has not been carried out, `posten_tag` its day.
do $$
begin
  if not exists (
    select from pg_proc p
    where p.oid = to_regprocedure('app.a_get_bank_eingang()') and 'posten_tag' = any (p.proargnames)
  ) then
    drop function if exists app.a_get_bank_eingang();
  end if;
end $$;
create or replace function app.a_get_bank_eingang()
  returns table (
    eingang_id bigint, kreditor_id bigint, kreditor text, nummer text, datum date, faellig date,
    zahlbetrag text, bezahlt text, offen text, iban text[], bedingungen text, lauf_id bigint, posten text,
    posten_skonto boolean, posten_tag date
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select e.id, e.kreditor_id, k.name, e.nummer, e.datum, e.faellig, e.zahlbetrag::text, e.bezahlt::text,
      (e.zahlbetrag - e.bezahlt)::text,
      array(select distinct a from unnest(array[e.iban, k.iban]) a where a <> ''),
      coalesce(e.gelesen #>> '{terms,BT-20,0}', ''), o.lauf_id, o.betrag::text, o.skonto > 0, o.tag
    from app.eingang e
      join app.kreditor k on k.id = e.kreditor_id
      left join lateral (
        select z.lauf_id, z.betrag, z.skonto, coalesce(z.tag, l.tag) as tag
        from app.zahlposten z join app.zahllauf l on l.id = z.lauf_id
        where z.eingang_id = e.id and l.zurueckgezogen_am is null and not books.is_posten_done(z.id)
        order by z.id limit 1
      ) o on true
    where e.zustand = 'freigegeben'
      or (e.zustand = 'bezahlt' and (e.zahlbetrag <> e.bezahlt or e.bezahlt_am > checks.today() - 550))
    order by e.id desc limit 20000;
end $$;
grant execute on function app.a_get_bank_eingang() to nutzer;

-- Invoices that an earlier version noted as paid get the payment that it did not keep. Called where the chain
-- begins (seal.sql).
create or replace function books.adopt_paid_eingang()
  returns void language plpgsql set search_path = pg_catalog as $$
declare entry record;
begin
  for entry in
    select e.id, e.bezahlt_am, e.zahlbetrag
    from app.eingang e
    where e.zustand = 'bezahlt'
      and e.zahlbetrag <> 0
      and not exists (select from app.eingang_zahlung p where p.eingang_id = e.id)
    order by e.id
  loop
    insert into app.eingang_zahlung (eingang_id, datum, betrag)
    values (entry.id, entry.bezahlt_am, entry.zahlbetrag);
    perform books.refresh_eingang(entry.id);
  end loop;
end $$;
grant execute on function books.adopt_paid_eingang() to forst_definer;
