-- Payments, the bank's entries, reminders. What leaves the house: versand.sql. Read by apus_admin, written by
-- the procedures below.

do $$
declare relation regclass;
begin
  foreach relation in array array['app.kontoumsatz', 'app.zahlung', 'app.mahnung']::regclass[] loop
    perform rechte.protect(relation);
    execute format('grant select, insert, update, delete on %s to forst_definer', relation);
    execute format('grant select on %s to nutzer', relation);
    execute format(
      $p$create policy buchhaltung on %s for select to nutzer using ((select rechte.has_role('apus_admin')))$p$,
      relation
    );
  end loop;
end $$;
-- PDF of a reminder, made as those of the other documents (buch.sql).
grant select (id, client_id, rechnung_id, stufe, beleg) on app.mahnung to forst_dokument;
create policy dokument on app.mahnung for select to forst_dokument using (true);

-- Booked is booked, for every role there is: a payment or a reminder goes only with its invoice, and of the
-- bank's entry changes alone whether it is done.
create or replace function rechte.check_zahlung_fest()
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
  perform rechte.refuse_ausgestellt(tg_table_name || ' ' || old.id);
  return null;
end $$;
select rechte.define('rechte.check_zahlung_fest()');
create or replace trigger a_fest before update or delete on app.zahlung
  for each row execute function rechte.check_zahlung_fest();
create or replace trigger a_fest before update or delete on app.mahnung
  for each row execute function rechte.check_zahlung_fest();
create or replace trigger a_fest before update or delete on app.kontoumsatz
  for each row execute function rechte.check_zahlung_fest();

-- Payments --------------------------------------------------------------------------------------------------

-- Checks and books one; the caller has asked for the right and holds the lock.
create or replace function rechte.zahlung_buchen(
  rechnung_id bigint, datum date, betrag numeric, art text, bemerkung text, umsatz_id bigint,
  ueberzahlung boolean
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  invoice record;
  made bigint;
  remark text := btrim(coalesce(zahlung_buchen.bemerkung, ''));
begin
  select l.id, l.client_id, l.nummer, l.art, l.zustand, l.stand, l.offen, l.bezahlt into invoice
  from app.rechnung_liste l
  where l.id = zahlung_buchen.rechnung_id;
  if not found then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  if invoice.zustand <> 'ausgestellt' or invoice.art <> 'rechnung' then
    raise sqlstate 'PT409' using message = 'only an issued invoice is paid', hint = 'zahlung_beleg';
  end if;
  perform rechte.check_value(datum is not null, 'datum', 'fehlt'),
    rechte.check_value(betrag is not null, 'betrag', 'fehlt');
  perform rechte.check_value(datum between '2000-01-01' and rechte.heute(), 'datum', 'zahlung_datum');
  perform rechte.check_value(betrag <> 0 and betrag <> 'NaN', 'betrag', 'zahlung_null');
  perform rechte.check_value(abs(betrag) < 1000000000000, 'betrag', 'betrag_gross');
  perform rechte.check_value(betrag = round(betrag, 2), 'betrag', 'betrag_stellen');
  perform rechte.check_value(zahlung_buchen.art in ('zahlung', 'skonto', 'ausfall'), 'art', 'zahlung_art');
  perform rechte.check_value(rechte.is_line_or_empty(remark, 500), 'bemerkung', 'zeile_500');
  -- Money back: not more than came in. What was cancelled is paid back and not paid.
  if betrag < 0 and -betrag > invoice.bezahlt then
    perform rechte.check_value(false, 'betrag', 'zahlung_rueck');
  end if;
  if betrag > 0 and invoice.stand = 'storniert' then
    raise sqlstate 'PT409' using message = 'the invoice was cancelled', hint = 'zahlung_storniert';
  end if;
  if betrag > invoice.offen and not (ueberzahlung and zahlung_buchen.art = 'zahlung') then
    perform rechte.check_value(false, 'betrag', 'zahlung_zu_hoch');
  end if;
  insert into app.zahlung (client_id, rechnung_id, datum, betrag, art, bemerkung, umsatz_id)
  values (
    invoice.client_id, invoice.id, zahlung_buchen.datum, zahlung_buchen.betrag, zahlung_buchen.art, remark,
    zahlung_buchen.umsatz_id
  )
  returning zahlung.id into made;
  perform rechte.protokolliere('rechnung', invoice.id, invoice.client_id, 'zahlung', jsonb_build_object(
    'zahlung_id', made, 'datum', zahlung_buchen.datum, 'betrag', round(zahlung_buchen.betrag, 2)::text,
    'art', zahlung_buchen.art, 'umsatz_id', zahlung_buchen.umsatz_id
  ));
  return made;
end $$;
revoke execute on function rechte.zahlung_buchen(bigint, date, numeric, text, text, bigint, boolean)
  from public;
grant execute on function rechte.zahlung_buchen(bigint, date, numeric, text, text, bigint, boolean)
  to forst_definer;

-- Definer, like all procedures of the bookkeeping: nobody holds a grant to write these tables. More than is
-- open is taken only by somebody who says so; below zero is money paid back.
create or replace function app.a_add_payment(
  rechnung_id bigint, datum date, betrag numeric, art text default 'zahlung', bemerkung text default '',
  umsatz_id bigint default null, ueberzahlung boolean default false
) returns bigint language plpgsql set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  if a_add_payment.umsatz_id is not null then
    return rechte.bank_zuordnen(
      a_add_payment.umsatz_id, a_add_payment.rechnung_id, a_add_payment.betrag, false,
      a_add_payment.ueberzahlung
    );
  end if;
  return rechte.zahlung_buchen(
    a_add_payment.rechnung_id, a_add_payment.datum, a_add_payment.betrag, a_add_payment.art,
    a_add_payment.bemerkung, null, coalesce(a_add_payment.ueberzahlung, false)
  );
end $$;

-- Takes one back; the caller has asked for the right and holds the lock.
create or replace function rechte.zahlung_zuruecknehmen(zahlung_id bigint, grund text)
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  source app.zahlung;
  made bigint;
  reason text := btrim(coalesce(grund, ''));
begin
  select z.* into source from app.zahlung z where z.id = zahlung_zuruecknehmen.zahlung_id;
  if source.id is null then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  if source.gegen_id is not null or exists (select from app.zahlung z where z.gegen_id = source.id) then
    raise sqlstate 'PT409' using message = 'taken back already', hint = 'zahlung_zurueck';
  end if;
  perform rechte.check_value(reason <> '', 'grund', 'fehlt'),
    rechte.check_value(rechte.is_line_or_empty(reason, 500), 'grund', 'zeile_500');
  insert into app.zahlung (client_id, rechnung_id, datum, betrag, art, bemerkung, umsatz_id, gegen_id)
  values (
    source.client_id, source.rechnung_id, greatest(source.datum, rechte.heute()), -source.betrag, source.art,
    reason, source.umsatz_id, source.id
  )
  returning zahlung.id into made;
  update app.kontoumsatz u set erledigt = false where u.id = source.umsatz_id and u.erledigt;
  perform rechte.protokolliere(
    'rechnung', source.rechnung_id, source.client_id, 'zahlung_zurueck',
    jsonb_build_object(
      'zahlung_id', made, 'gegen_id', source.id, 'betrag', (-source.betrag)::text, 'grund', reason
    )
  );
  return made;
end $$;
revoke execute on function rechte.zahlung_zuruecknehmen(bigint, text) from public;
grant execute on function rechte.zahlung_zuruecknehmen(bigint, text) to forst_definer;

-- Definer, see above. An entry of the opposite amount on today's date; the bank's entry, if it was one, waits
-- again.
create or replace function app.a_revoke_payment(zahlung_id bigint, grund text default '')
  returns bigint language plpgsql set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  return rechte.zahlung_zuruecknehmen(a_revoke_payment.zahlung_id, a_revoke_payment.grund);
end $$;

-- As the caller, like all reads below: the policies answer nothing to everybody else. Who booked it stands in
-- the audit chain.
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

-- Bank ------------------------------------------------------------------------------------------------------

-- One line of what a bank writes: line breaks and double blanks are blanks.
create or replace function rechte.bank_zeile(value text, longest integer)
  returns text language sql immutable set search_path = pg_catalog
  return btrim(left(btrim(regexp_replace(coalesce(value, ''), '[\s\x01-\x1f\x7f]+', ' ', 'g')), longest));
revoke execute on function rechte.bank_zeile(text, integer) from public;
grant execute on function rechte.bank_zeile(text, integer) to forst_definer;
-- Refuses what is no list of entries.
create or replace function rechte.check_umsaetze(umsaetze jsonb)
  returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  perform rechte.check_value(
    jsonb_typeof(umsaetze) = 'array' and jsonb_array_length(umsaetze) between 1 and 5000, 'umsaetze',
    'umsaetze'
  );
  perform rechte.check_value(
    not exists (
      select from jsonb_array_elements(umsaetze) e
      where jsonb_typeof(e) <> 'object'
        or coalesce(e ->> 'datum', '') !~ '^(20|21)[0-9]{2}-[0-9]{2}-[0-9]{2}$'
        or coalesce(e ->> 'betrag', '') !~ '^-?[0-9]{1,12}(\.[0-9]{1,2})?$'
        or (e ->> 'betrag')::numeric = 0
        or coalesce(e ->> 'konto', '') !~ '^([A-Z]{2}[0-9]{2}[A-Z0-9]{11,30})?$'
    ),
    'umsaetze', 'umsaetze'
  );
end $$;
-- Entries as they are kept, each with its key: entries that are alike in everything within one list are
-- several, the same ones in another list are the same.
create or replace function rechte.bank_umsaetze(umsaetze jsonb)
  returns table (
    nr bigint, schluessel text, konto text, datum date, betrag numeric, name text, iban text, zweck text
  ) language sql stable set search_path = pg_catalog as $$
  with entry as (
    select coalesce(e ->> 'konto', '') as konto, (e ->> 'datum')::date as datum,
      (e ->> 'betrag')::numeric as betrag, rechte.bank_zeile(e ->> 'name', 200) as name,
      rechte.bank_zeile(e ->> 'iban', 40) as iban,
      left(regexp_replace(coalesce(e ->> 'zweck', ''), '[\x01-\x08\x0b-\x1f\x7f]', ' ', 'g'), 2000) as zweck,
      coalesce(e ->> 'referenz', '') as referenz, nr
    from jsonb_array_elements(umsaetze) with ordinality as t(e, nr)
  ),
  counted as (
    select *,
      row_number() over (partition by konto, datum, betrag, name, iban, zweck, referenz order by nr) as gleich
    from entry
  )
  select nr,
    encode(sha256(convert_to(
      jsonb_build_array(konto, datum, round(betrag, 2)::text, name, iban, zweck, referenz, gleich)::text,
      'UTF8'
    )), 'hex'),
    konto, datum, betrag, name, iban, zweck
  from counted
$$;

-- Definer, see above. `umsaetze`: [{konto, datum, betrag, name, iban, zweck, referenz}].
create or replace function app.a_import_bank(umsaetze jsonb, datei text default '')
  returns jsonb language plpgsql set search_path = pg_catalog as $$
declare
  given integer;
  added integer;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.check_umsaetze(a_import_bank.umsaetze);
  perform rechte.buch_sperre();
  given := jsonb_array_length(umsaetze);
  with made as (
    insert into app.kontoumsatz (schluessel, konto, datum, betrag, name, iban, zweck, datei)
    select n.schluessel, n.konto, n.datum, n.betrag, n.name, n.iban, n.zweck,
      rechte.bank_zeile(a_import_bank.datei, 200)
    from rechte.bank_umsaetze(a_import_bank.umsaetze) n
    order by n.nr
    on conflict (schluessel) do nothing
    returning 1
  )
  select count(*) into added
  from made;
  perform rechte.protokolliere('bank', null, null, 'eingelesen', jsonb_build_object(
    'datei', rechte.bank_zeile(datei, 200), 'neu', added, 'bekannt', given - added
  ));
  return jsonb_build_object('neu', added, 'bekannt', given - added);
end $$;
revoke execute on function rechte.check_umsaetze(jsonb), rechte.bank_umsaetze(jsonb) from public;
grant execute on function rechte.check_umsaetze(jsonb), rechte.bank_umsaetze(jsonb) to forst_definer;

-- Assigns an entry or a part of it; the caller has asked for the right and holds the lock.
create or replace function rechte.bank_zuordnen(
  umsatz_id bigint, rechnung_id bigint, betrag numeric, skonto boolean, ueberzahlung boolean
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  entry app.kontoumsatz;
  used numeric;
  amount numeric;
  made bigint;
  rest numeric;
begin
  select u.* into entry from app.kontoumsatz u where u.id = bank_zuordnen.umsatz_id;
  if entry.id is null then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  select coalesce(sum(z.betrag), 0) into used
  from app.zahlung z
  where z.umsatz_id = entry.id and z.art = 'zahlung';
  amount := coalesce(bank_zuordnen.betrag, entry.betrag - used);
  -- Both on the same side of zero, and no more than is left.
  if entry.erledigt
    or amount = 0
    or sign(amount) <> sign(entry.betrag)
    or abs(amount) > abs(entry.betrag - used)
  then
    raise sqlstate 'PT409' using message = 'nothing of it is left', hint = 'umsatz_verbraucht';
  end if;
  made := rechte.zahlung_buchen(
    bank_zuordnen.rechnung_id, entry.datum, amount, 'zahlung', '', entry.id,
    coalesce(bank_zuordnen.ueberzahlung, false)
  );
  if bank_zuordnen.skonto then
    select l.offen into rest from app.rechnung_liste l where l.id = bank_zuordnen.rechnung_id;
    if rest > 0 then
      perform rechte.zahlung_buchen(
        bank_zuordnen.rechnung_id, entry.datum, rest, 'skonto', '', entry.id, false
      );
    end if;
  end if;
  update app.kontoumsatz u set erledigt = true
  where u.id = entry.id and entry.betrag = used + amount;
  return made;
end $$;
revoke execute on function rechte.bank_zuordnen(bigint, bigint, numeric, boolean, boolean) from public;
grant execute on function rechte.bank_zuordnen(bigint, bigint, numeric, boolean, boolean) to forst_definer;

-- Definer, see above. The entry, or a part of it (`betrag`), pays an invoice; with `skonto` what then is
-- still open is granted as cash discount. The entry is done once all of it is used.
create or replace function app.a_match_bank(
  umsatz_id bigint, rechnung_id bigint, betrag numeric default null, skonto boolean default false,
  ueberzahlung boolean default false
) returns bigint language plpgsql set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  return rechte.bank_zuordnen(
    a_match_bank.umsatz_id, a_match_bank.rechnung_id, a_match_bank.betrag, a_match_bank.skonto,
    a_match_bank.ueberzahlung
  );
end $$;

-- Definer, see above. Puts an entry aside that pays no invoice, and takes it out again.
create or replace function app.a_set_umsatz_erledigt(umsatz_id bigint, erledigt boolean)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  update app.kontoumsatz u set erledigt = coalesce(a_set_umsatz_erledigt.erledigt, true)
  where u.id = a_set_umsatz_erledigt.umsatz_id;
  perform rechte.refuse_unless(found);
  perform rechte.protokolliere('bank', a_set_umsatz_erledigt.umsatz_id, null, case
    when coalesce(a_set_umsatz_erledigt.erledigt, true) then 'erledigt'
    else 'wieder_offen'
  end);
end $$;

-- As the caller: the newest first; `rest` is what no invoice has got of it yet.
create or replace function app.a_get_bank(nur_offene boolean default true)
  returns table (
    id bigint, konto text, datum date, betrag text, rest text, name text, iban text, zweck text, datei text,
    erledigt boolean, angelegt_am timestamptz
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select u.id, u.konto, u.datum, u.betrag::text,
      (
        u.betrag - coalesce(
          (select sum(z.betrag) from app.zahlung z where z.umsatz_id = u.id and z.art = 'zahlung'), 0
        )
      )::numeric(14, 2)::text,
      u.name, u.iban, u.zweck, u.datei, u.erledigt, u.angelegt_am
    from app.kontoumsatz u
    where not nur_offene or not u.erledigt
    order by u.datum desc, u.id desc;
end $$;

-- Reminders -------------------------------------------------------------------------------------------------

-- One as it would be put in: one level after the other, only while something is open and overdue. The caller
-- has asked for the right.
create or replace function rechte.mahnung_neu(
  rechnung_id bigint, stufe integer, datum date, faellig date, gebuehr numeric, text text
) returns app.mahnung language plpgsql stable set search_path = pg_catalog as $$
declare
  invoice record;
  last record;
  made app.mahnung;
  terms record;
begin
  select l.id, l.client_id, l.stand, l.faellig into invoice
  from app.rechnung_liste l
  where l.id = mahnung_neu.rechnung_id;
  perform rechte.refuse_unless(invoice.stand is not null);
  if invoice.stand <> 'ueberfaellig' then
    raise sqlstate 'PT409' using message = 'not overdue', hint = 'mahnung_stand';
  end if;
  select f.mahngebuehren, f.mahn_frist into terms from app.lieferant f;
  made.id := 0;
  made.client_id := invoice.client_id;
  made.rechnung_id := invoice.id;
  made.stufe := mahnung_neu.stufe;
  made.datum := coalesce(mahnung_neu.datum, rechte.heute());
  made.faellig := coalesce(mahnung_neu.faellig, made.datum + coalesce(terms.mahn_frist, 10));
  made.gebuehr := coalesce(mahnung_neu.gebuehr, (terms.mahngebuehren ->> (made.stufe - 1))::numeric, 0);
  made.text := coalesce(mahnung_neu.text, '');
  made.angelegt_am := now();
  select coalesce(max(m.stufe), 0) as stufe, max(m.datum) as datum into last
  from app.mahnung m
  where m.rechnung_id = invoice.id;
  perform rechte.check_value(
    made.stufe is not null and made.stufe = last.stufe + 1 and made.stufe <= 3, 'stufe', 'mahnung_stufe'
  );
  perform rechte.check_value(
    made.datum <= rechte.heute()
      and made.datum > invoice.faellig
      and made.datum >= coalesce(last.datum, made.datum),
    'datum', 'mahnung_datum'
  );
  perform rechte.check_value(
    made.faellig > made.datum and made.faellig <= made.datum + 365, 'faellig', 'mahnung_faellig'
  );
  perform rechte.check_value(
    made.gebuehr between 0 and 999999.99 and made.gebuehr = round(made.gebuehr, 2), 'gebuehr',
    'mahnung_gebuehr'
  );
  perform rechte.check_value(rechte.is_text(made.text, 6000), 'text', 'text_6000'),
    rechte.check_value(rechte.platzhalter_bekannt(made.text), 'text', 'platzhalter');
  return made;
end $$;

-- The reminder as it is printed: the frozen invoice with another head and end. Asked for is what is open, and
-- the fees of all levels.
create or replace function rechte.mahnung_druck(m app.mahnung)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare
  source jsonb;
  invoice record;
  before numeric;
  due numeric;
begin
  select r.beleg, r.nummer, r.rn_datum, r.faellig, r.zahlbetrag, l.bezahlt, l.offen into invoice
  from app.rechnung r join app.rechnung_liste l on l.id = r.id
  where r.id = m.rechnung_id;
  select coalesce(sum(b.gebuehr), 0) into before
  from app.mahnung b
  where b.rechnung_id = m.rechnung_id and b.stufe < m.stufe;
  source := invoice.beleg;
  due := invoice.offen + before + m.gebuehr;
  return source || jsonb_build_object(
    'art', 'mahnung', 'id', m.id::text, 'nummer', '', 'format', 'pdf', 'datum', m.datum, 'faellig', m.faellig,
    'le_date', null, 'le_date_bis', null, 'zuerl', '', 'skonto', '[]'::jsonb, 'rabatt_prozent', '0.00',
    'rabatt_grund', '', 'positionen', '[]'::jsonb,
    'bearbeiter', left(coalesce(rechte.wer(), source ->> 'bearbeiter'), 100),
    'anrede', coalesce(nullif(btrim(source ->> 'anrede'), ''), 'Sehr geehrte Damen und Herren,'),
    'anschreiben', rechte.fill_platzhalter(m.text, jsonb_build_object(
      'name', source #>> '{empfaenger,name}', 'nummer', invoice.nummer,
      'datum', to_char(m.datum, 'DD.MM.YYYY'), 'faellig', to_char(m.faellig, 'DD.MM.YYYY'),
      'betrag', rechte.euro_text(due)
    )),
    'summen', coalesce(source -> 'summen', '{}')
      || jsonb_build_object('zahlbetrag', due::numeric(14, 2)::text),
    'bezug', jsonb_build_object('art', 'rechnung', 'nummer', invoice.nummer, 'datum', invoice.rn_datum),
    'mahnung', jsonb_build_object(
      'stufe', m.stufe, 'rechnung_faellig', invoice.faellig, 'rechnung_betrag', invoice.zahlbetrag::text,
      'gezahlt', invoice.bezahlt::text, 'gebuehr', m.gebuehr::numeric(14, 2)::text,
      'gebuehren_bisher', before::numeric(14, 2)::text
    )
  );
end $$;
revoke execute on function rechte.mahnung_neu(bigint, integer, date, date, numeric, text),
  rechte.mahnung_druck(app.mahnung) from public;
grant execute on function rechte.mahnung_neu(bigint, integer, date, date, numeric, text),
  rechte.mahnung_druck(app.mahnung) to forst_definer;

-- Definer, see above. Never by itself: somebody asks for it. Frozen like the other documents.
create or replace function app.a_add_mahnung(
  rechnung_id bigint, stufe integer, datum date default null, faellig date default null,
  gebuehr numeric default null, text text default ''
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  m app.mahnung;
  made bigint;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  m := rechte.mahnung_neu(
    a_add_mahnung.rechnung_id, a_add_mahnung.stufe, a_add_mahnung.datum, a_add_mahnung.faellig,
    a_add_mahnung.gebuehr, a_add_mahnung.text
  );
  insert into app.mahnung (client_id, rechnung_id, stufe, datum, faellig, gebuehr, text, beleg)
  values (m.client_id, m.rechnung_id, m.stufe, m.datum, m.faellig, m.gebuehr, m.text, '{}')
  returning mahnung.id into made;
  return made;
end $$;

-- Definer, see above. The same, looked at: nothing is put in.
create or replace function app.a_preview_mahnung(
  rechnung_id bigint, stufe integer, datum date default null, faellig date default null,
  gebuehr numeric default null, text text default ''
) returns jsonb language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  return rechte.mahnung_druck(rechte.mahnung_neu(
    a_preview_mahnung.rechnung_id, a_preview_mahnung.stufe, a_preview_mahnung.datum,
    a_preview_mahnung.faellig, a_preview_mahnung.gebuehr, a_preview_mahnung.text
  )) || '{"entwurf": true}';
end $$;

-- Made as the row is put in, so that the row never changes.
create or replace function rechte.mahnung_beleg()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  new.beleg := rechte.mahnung_druck(new);
  perform rechte.protokolliere('rechnung', new.rechnung_id, new.client_id, 'gemahnt', jsonb_build_object(
    'mahnung_id', new.id, 'stufe', new.stufe, 'faellig', new.faellig, 'gebuehr', new.gebuehr::text,
    'gefordert', new.beleg #>> '{summen,zahlbetrag}'
  ));
  return new;
end $$;
select rechte.define('rechte.mahnung_beleg()');
create or replace trigger b_beleg before insert on app.mahnung
  for each row when (current_user <> 'forst_betrieb') execute function rechte.mahnung_beleg();

-- As domain/placeholders.ts: a placeholder without a value stays, and a value is never read again.
create or replace function rechte.fill_platzhalter(text text, werte jsonb)
  returns text language sql immutable set search_path = pg_catalog as $$
  select coalesce(string_agg(
    case
      when part.nr % 2 = 0 and werte ? part.piece then werte ->> part.piece
      when part.nr % 2 = 0 then '{' || part.piece || '}'
      else part.piece
    end,
    '' order by part.nr
  ), '')
  from unnest(string_to_array(
    regexp_replace(fill_platzhalter.text, '\{(name|nummer|datum|faellig|betrag)\}', E'\x01\\1\x01', 'g'),
    E'\x01'
  )) with ordinality as part(piece, nr)
$$;
revoke execute on function rechte.fill_platzhalter(text, jsonb) from public;
grant execute on function rechte.fill_platzhalter(text, jsonb) to nutzer, forst_definer;
-- 1.234,50 €
create or replace function rechte.euro_text(value numeric)
  returns text language sql immutable set search_path = pg_catalog
  return translate(to_char(value, 'FM999,999,999,999,990.00'), ',.', '.,') || U&'\00A0€';
revoke execute on function rechte.euro_text(numeric) from public;
grant execute on function rechte.euro_text(numeric) to forst_definer;

-- As the caller.
create or replace function app.a_get_mahnungen(invoice_id bigint)
  returns table (
    id bigint, stufe integer, datum date, faellig date, gebuehr text, text text, angelegt_am timestamptz
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select m.id, m.stufe, m.datum, m.faellig, m.gebuehr::text, m.text, m.angelegt_am
    from app.mahnung m
    where m.rechnung_id = a_get_mahnungen.invoice_id
    order by m.stufe;
end $$;

-- As the caller: what is overdue, and which level would come next with which fee and until when. Levels come
-- one after the other, the next once the term of the last has passed by the days that are waited for a
-- transfer.
do $$
begin
  if not exists (
    select from pg_proc p
    where p.oid = to_regprocedure('app.a_get_mahnliste()') and 'frist' = any (p.proargnames)
  ) then
    drop function if exists app.a_get_mahnliste();
  end if;
end $$;
create or replace function app.a_get_mahnliste()
  returns table (
    rechnung_id bigint, client_id bigint, kunde text, nummer text, rn_datum date, faellig date, tage integer,
    offen text, stufe integer, naechste integer, gebuehr text, dran boolean, letzte date, gebuehren text,
    frist integer, mail text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select l.id, l.client_id, l.kunde, l.nummer, l.rn_datum, l.faellig, rechte.heute() - l.faellig,
      l.offen::text, coalesce(m.stufe, 0),
      case when coalesce(m.stufe, 0) < 3 then coalesce(m.stufe, 0) + 1 end,
      coalesce(f.mahngebuehren ->> coalesce(m.stufe, 0), '0.00'),
      coalesce(m.stufe, 0) < 3
        and greatest(m.faellig, l.faellig) + coalesce(f.mahn_kulanz, 3) < rechte.heute(),
      m.datum,
      coalesce(
        (select sum(g.gebuehr) from app.mahnung g where g.rechnung_id = l.id), 0
      )::numeric(14, 2)::text,
      coalesce(f.mahn_frist, 10), coalesce(k.rechnung_mail, '')
    from app.rechnung_liste l
      left join app.lieferant f on true
      left join app.kunde_rechnung k on k.client_id = l.client_id
      left join lateral (
        select a.stufe, a.faellig, a.datum
        from app.mahnung a
        where a.rechnung_id = l.id
        order by a.stufe desc limit 1
      ) m on true
    where l.stand = 'ueberfaellig'
    order by l.faellig, l.id;
end $$;

do $$
declare entry regprocedure;
begin
  foreach entry in array array[
    'app.a_add_payment(bigint, date, numeric, text, text, bigint, boolean)',
    'app.a_revoke_payment(bigint, text)', 'app.a_import_bank(jsonb, text)',
    'app.a_match_bank(bigint, bigint, numeric, boolean, boolean)',
    'app.a_set_umsatz_erledigt(bigint, boolean)',
    'app.a_add_mahnung(bigint, integer, date, date, numeric, text)',
    'app.a_preview_mahnung(bigint, integer, date, date, numeric, text)'
  ]::regprocedure[] loop
    perform rechte.define(entry);
    execute format('grant execute on function %s to nutzer', entry);
  end loop;
end $$;
grant execute on function app.a_get_payments(bigint), app.a_get_bank(boolean), app.a_get_mahnungen(bigint),
  app.a_get_mahnliste() to nutzer;
