-- Invoices: drafts without a number; issue, which sets number, sums and the frozen document in one
-- transaction; Storno; archive. For apus_admin. Every procedure that writes takes the lock of the books first
-- (books.sql), is a definer because nobody has a grant to write, and adds to the audit chain.

create or replace function books.sorted_skonto(skonto jsonb)
  returns jsonb language sql immutable set search_path = pg_catalog as $$
  select coalesce(jsonb_agg(
    jsonb_build_object('tage', (t ->> 'tage')::integer, 'prozent', round((t ->> 'prozent')::numeric, 2)::text)
    order by (t ->> 'tage')::integer
  ), '[]')
  from jsonb_array_elements(skonto) t
$$;
grant execute on function books.sorted_skonto(jsonb) to forst_definer;

-- The document of a row and its lines as it would be issued now. An issued one has its frozen text in the
-- row, which is never made again.
create or replace function books.rechnung_beleg(r app.rechnung, lines jsonb)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  -- § 14 (4) Nr. 9 UStG: the present wording of the settings; only private persons have to be informed.
  select case
    when r.art = 'korrektur' then books.korrektur_beleg(r, h.head)
    else books.with_einzug(books.computed_beleg(h.head, case
      when r.art = 'schluss' then books.received(a.abschlaege)
      else r.anzahlung
    end), r.client_id)
  end
  from (select case when r.art = 'schluss' then books.abschlaege(r.angebot_id) end as abschlaege) a
    left join app.kunde_rechnung b on b.client_id = r.client_id
    left join app.lieferant l on true
    cross join lateral (
      select books.beleg_head(to_jsonb(r), lines)
        || jsonb_build_object(
          'art', r.art, 'nummer', coalesce(r.nummer, ''), 'entwurf', r.zustand = 'entwurf',
          'format', coalesce(r.format, b.rechnungsformat, 'zugferd'), 'datum', r.rn_datum,
          'le_date', r.le_date, 'le_date_bis', r.le_date_bis,
          'faellig', r.rn_datum + coalesce(r.zahlungsziel, b.zahlungsziel, l.zahlungsziel, 14),
          'gueltig_bis', null, 'skonto', books.sorted_skonto(coalesce(r.skonto, b.skonto, l.skonto, '[]')),
          'empfaenger', books.beleg_recipient(r.client_id, r.bestellnummer), 'positionen', lines,
          'bezug', books.reference_to(r.angebot_id)
        ) || case
        when b.ist_privat then jsonb_build_object('aufbewahrung', coalesce(l.aufbewahrung_text, ''))
        else '{}'
      end
        || case
          -- No discount for paying an advance early: the final invoice would demand it again.
          when r.art = 'abschlag' then '{"skonto": []}'::jsonb
          when r.art = 'schluss' then jsonb_build_object('abschlaege', a.abschlaege)
          else '{}'
        end || jsonb_strip_nulls(jsonb_build_object(
        'anlagen', books.beleg_anlagen(r.id),
        'syntax', case
          when b.syntax = 'ubl' and coalesce(r.format, b.rechnungsformat) = 'xrechnung' then 'ubl'
        end
      )) as head
    ) h
$$;
grant execute on function books.rechnung_beleg(app.rechnung, jsonb) to forst_definer;
create or replace function books.rechnung_beleg(r app.rechnung)
  returns jsonb language sql stable set search_path = pg_catalog
  return books.rechnung_beleg(r, books.beleg_lines(r.id, null));
grant execute on function books.rechnung_beleg(app.rechnung) to forst_definer;

-- A draft, locked. Refuses what does not exist, what is issued, and a save that is based on an older version.
create or replace function books.rechnung_draft(id bigint, version integer default null)
  returns app.rechnung language plpgsql set search_path = pg_catalog as $$
declare draft app.rechnung;
begin
  select r.* into draft from app.rechnung r where r.id = rechnung_draft.id for update;
  perform rights.check_found(found);
  if draft.zustand <> 'entwurf' then perform books.refuse_issued('rechnung ' || draft.id); end if;
  perform checks.check_version(rechnung_draft.version, draft.version);
  return draft;
end $$;
grant execute on function books.rechnung_draft(bigint, integer) to forst_definer;

-- Updates the sums of a draft; every change of a draft ends here. Returns the new version.
create or replace function books.compute_rechnung(id bigint)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  draft app.rechnung;
  version integer;
begin
  select r.* into strict draft from app.rechnung r where r.id = compute_rechnung.id;
  update app.rechnung r set (netto, steuer, brutto, zahlbetrag, anzahlung) = (
    select s.* from books.sums_of(books.rechnung_beleg(draft)) s
  )
  where r.id = compute_rechnung.id
  returning r.version into version;
  return version;
end $$;
grant execute on function books.compute_rechnung(bigint) to forst_definer;

-- Dates -----------------------------------------------------------------------------------------------------

-- No invoice is dated before the last issued one: numbers and days are in the same order.
create or replace function books.last_rn_datum() returns date language sql stable set search_path = pg_catalog
  return (
    select r.rn_datum
    from app.rechnung r
    where r.folge is not null
    order by r.folge desc limit 1
  );
grant execute on function books.last_rn_datum() to forst_definer;

create or replace function app.a_get_min_rn_datum_for_new_invoice()
  returns date language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  return (
    select r.rn_datum
    from app.rechnung r
    where r.folge is not null
    order by r.folge desc limit 1
  );
end $$;
grant execute on function app.a_get_min_rn_datum_for_new_invoice() to nutzer;

-- The window for an invoice that has this date now. An issued one keeps its day; a draft may be between the
-- last issued one and today, whatever its day is now. Without `invoice_id` a draft of that day counts first:
-- its day is the one that can still change.
drop function if exists app.a_get_minmax_rn_datum(date);
create or replace function app.a_get_minmax_rn_datum(rn_datum date, invoice_id bigint default null)
  returns table (min date, max date) language plpgsql stable set search_path = pg_catalog as $$
declare last date := app.a_get_min_rn_datum_for_new_invoice();
begin
  if (
    select bool_and(r.folge is not null)
    from app.rechnung r
    where r.rn_datum = a_get_minmax_rn_datum.rn_datum
      and (a_get_minmax_rn_datum.invoice_id is null or r.id = a_get_minmax_rn_datum.invoice_id)
  ) then
    return query select a_get_minmax_rn_datum.rn_datum, a_get_minmax_rn_datum.rn_datum;
  else
    return query select last, checks.today();
  end if;
end $$;
grant execute on function app.a_get_minmax_rn_datum(date, bigint) to nutzer;

-- Reads -----------------------------------------------------------------------------------------------------

-- Rows of lists: the invoice with its customer and its state. With the caller's rights: an auditor does not
-- see the customers, and reads the name that the document has. `offen`: what is owed, below zero to the
-- customer, also for a cancelled invoice that was paid; kept in app.rechnung_offen.
create or replace view app.rechnung_liste with (security_invoker = true) as
  select r.id, r.client_id, coalesce(k.name, r.beleg #>> '{empfaenger,name}') as kunde,
    coalesce(k.sortname, search.sort_key(r.beleg #>> '{empfaenger,name}')) as sortname,
    r.suchtext
      || ' '
      || coalesce(k.suchtext, search.search_text(r.beleg #>> '{empfaenger,name}'), '') as suchtext,
    r.nummer, r.folge, r.art, r.zustand, r.rn_datum, r.le_date, r.le_date_bis, r.faellig, r.bearbeiter,
    r.ust_satz, r.netto, r.steuer, r.brutto, r.anzahlung, r.zahlbetrag,
    (case
      when r.zustand = 'entwurf' or r.art in ('storno', 'korrektur') then 0
      when s.id is not null then -coalesce(u.offen, 0)
      else coalesce(f.gezahlt, r.zahlbetrag + c.korrigiert) - coalesce(u.offen, 0)
    end)::numeric(14, 2) as bezahlt,
    coalesce(u.offen, 0)::numeric(14, 2) as offen,
    case
      when r.zustand = 'entwurf' then 'entwurf'
      when r.art in ('storno', 'korrektur') then r.art
      when s.id is not null then 'storniert'
      when f.id is not null then 'verrechnet'
      -- Corrected down to nothing, and nothing was paid.
      when c.korrigiert < 0 and r.zahlbetrag + c.korrigiert <= 0 and coalesce(u.offen, 0) = 0 then
        'korrigiert'
      when coalesce(u.offen, 0) <= 0 then 'bezahlt'
      when r.faellig < checks.today() then 'ueberfaellig'
      when u.offen < r.zahlbetrag + c.korrigiert then 'teilbezahlt'
      else 'offen'
    end as stand,
    r.archiviert, r.storno_von, s.id as storno_id, s.nummer as storno_nummer, r.kopie_von, r.angebot_id,
    r.format, r.bestellnummer, r.ausgestellt_am, r.ausgestellt_von, r.version, r.geaendert_am,
    r.geaendert_von,
    case
      when r.zustand = 'ausgestellt' then (
        select case
          when bool_or(v.zustand = 'gesendet') then 'gesendet'
          when bool_or(v.zustand = 'wartet') then 'wartet'
          when count(*) > 0 then 'fehlgeschlagen'
          else 'nicht'
        end
        from app.versand v
        where v.rechnung_id = r.id
      )
    end as versand,
    -- What a Storno cancels; and of an advance the final invoice that has taken it off.
    o.art as storno_art, f.id as schluss_id, f.nummer as schluss_nummer,
    -- What its corrections have taken back, zero or below; and of a correction the invoice.
    c.korrigiert::numeric(14, 2) as korrigiert, r.korrektur_von
  from app.rechnung r
    left join app.kunde k on k.client_id = r.client_id
    left join app.rechnung s on s.storno_von = r.id
    left join app.rechnung_offen u on u.rechnung_id = r.id
    left join app.rechnung o on o.id = r.storno_von
    -- Expressions and no joins, each asked only of the few invoices that have such: a list evaluates them for
    -- the rows that it shows, after it has sorted. `exists` would be answered by reading all of them once.
    cross join lateral (
      select case
        when (select true from app.rechnung x where x.korrektur_von = r.id limit 1) then
          books.corrected(r.id, 'infinity')
        else 0
      end as korrigiert
    ) c
    cross join lateral (
      select
        case when r.art = 'abschlag' then (select x.id from books.final_invoice(r.angebot_id) x) end as id,
        case
          when r.art = 'abschlag' then (select x.nummer from books.final_invoice(r.angebot_id) x)
        end as nummer,
        case
          when r.art = 'abschlag' and exists (select from books.final_invoice(r.angebot_id)) then
            (select t.gezahlt from books.taken_off(r.id, r.angebot_id, 'infinity') t)
        end as gezahlt
    ) f;
revoke all on app.rechnung_liste from public, nutzer;
grant select on app.rechnung_liste to nutzer, forst_definer;

-- All invoices, the newest first; amounts as text. Like the reads below with the caller's rights: without
-- access to the books the answer is empty.
create or replace function app.a_get_invoices()
  returns table (
    id bigint, client_id bigint, kunde text, nummer text, art text, stand text, rn_datum date, le_date date,
    faellig date, bearbeiter text, ust_satz text, netto text, steuer text, brutto text, zahlbetrag text,
    bezahlt text, offen text, archiviert boolean, storno_von bigint, storno_id bigint, angebot_id bigint,
    version integer
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select l.id, l.client_id, l.kunde, l.nummer, l.art, l.stand, l.rn_datum, l.le_date, l.faellig,
      l.bearbeiter, l.ust_satz::text, l.netto::text, l.steuer::text, l.brutto::text, l.zahlbetrag::text,
      l.bezahlt::text, l.offen::text, l.archiviert, l.storno_von, l.storno_id, l.angebot_id, l.version
    from app.rechnung_liste l
    order by l.folge desc nulls first, l.id desc;
end $$;
grant execute on function app.a_get_invoices() to nutzer;

-- Dropped first, because the columns of its answer have changed.
drop function if exists app.a_get_invoice_details(bigint);
create or replace function app.a_get_invoice_details(invoice_id bigint)
  returns table (
    id bigint, client_id bigint, kunde text, bearbeiter text, le_date date, le_date_bis date, rn_datum date,
    anrede text, anschreiben text, zuerl text, ust_satz text, art text, zustand text, stand text, nummer text,
    faellig date, zahlungsziel integer, skonto jsonb, rabatt_prozent text, rabatt_grund text, anzahlung text,
    bestellnummer text, format text, archiviert boolean, netto text, steuer text, brutto text,
    zahlbetrag text, bezahlt text, offen text, storno_von bigint, storno_id bigint, storno_grund text,
    kopie_von bigint, angebot_id bigint, ausgestellt_am timestamptz, ausgestellt_von text, version integer,
    geaendert_am timestamptz, geaendert_von text, leistungsort text, leistungsland text, kaeufer_ref text,
    projekt_nr text, vertrag_nr text, vergabe_nr text, objekt_nr text, storno_art text, schluss_id bigint,
    schluss_nummer text, korrigiert text, korrektur_von bigint, korrektur_von_nummer text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select r.id, r.client_id, l.kunde, r.bearbeiter, r.le_date, r.le_date_bis, r.rn_datum, r.anrede,
      r.anschreiben, r.zuerl, r.ust_satz::text, r.art, r.zustand, l.stand, r.nummer, r.faellig,
      r.zahlungsziel, r.skonto, r.rabatt_prozent::text, r.rabatt_grund, r.anzahlung::text, r.bestellnummer,
      r.format, r.archiviert, r.netto::text, r.steuer::text, r.brutto::text, r.zahlbetrag::text,
      l.bezahlt::text, l.offen::text, r.storno_von, l.storno_id, r.storno_grund, r.kopie_von, r.angebot_id,
      r.ausgestellt_am, r.ausgestellt_von, r.version, r.geaendert_am, r.geaendert_von, r.leistungsort,
      r.leistungsland, r.kaeufer_ref, r.projekt_nr, r.vertrag_nr, r.vergabe_nr, r.objekt_nr, l.storno_art,
      l.schluss_id, l.schluss_nummer, l.korrigiert::text, r.korrektur_von,
      (select o.nummer from app.rechnung o where o.id = r.korrektur_von)
    from app.rechnung r join app.rechnung_liste l on l.id = r.id
    where r.id = a_get_invoice_details.invoice_id;
end $$;
grant execute on function app.a_get_invoice_details(bigint) to nutzer;

-- Drafts ----------------------------------------------------------------------------------------------------

create or replace function app.a_add_invoice(
  client_id bigint, rn_datum date, le_date date default null, ust_satz numeric default null
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  customer app.kunde;
  made bigint;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  customer := books.beleg_kunde(a_add_invoice.client_id);
  insert into app.rechnung (client_id, rn_datum, le_date, ust_satz, bearbeiter)
  values (
    customer.client_id, coalesce(a_add_invoice.rn_datum, checks.today()), a_add_invoice.le_date,
    coalesce(a_add_invoice.ust_satz, books.usual_ust()), books.clerk()
  )
  returning rechnung.id into made;
  perform books.record('rechnung', made, customer.client_id, 'angelegt');
  return made;
end $$;
select rights.define('app.a_add_invoice(bigint, date, date, numeric)');
grant execute on function app.a_add_invoice(bigint, date, date, numeric) to nutzer;

-- Sets columns of a draft; those that `entries` does not name stay as they are. Null leaves date and rate,
-- empties texts, and resets terms to the customer's or the supplier's. A later first day of supply may remove
-- the last one. Returns the new version.
create or replace function books.set_rechnung(before app.rechnung, entries jsonb)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  given app.rechnung := jsonb_populate_record(before, entries);
  after app.rechnung;
  now_version integer;
begin
  perform books.check_no_korrektur(before);
  if given.le_date is null or given.le_date_bis < given.le_date then
    if given.le_date_bis is not null and entries ? 'le_date_bis' then
      perform checks.refuse_field('le_date_bis', 'beleg_zeitraum');
    end if;
    given.le_date_bis := null;
  end if;
  -- What was received before the supply is a separate advance invoice, and its payment (§ 14 (5) UStG). A
  -- draft that has an amount from before keeps it or drops it. Of a final invoice it is computed.
  given.anzahlung := case
    when before.art = 'rechnung' then coalesce(given.anzahlung, 0)
    else before.anzahlung
  end;
  if given.anzahlung <> 0 and given.anzahlung <> before.anzahlung then
    perform checks.refuse_field('anzahlung', 'anzahlung_abschlag', 'an advance invoice instead');
  end if;
  update app.rechnung r set
    bearbeiter = coalesce(btrim(given.bearbeiter), ''), rn_datum = coalesce(given.rn_datum, before.rn_datum),
    le_date = given.le_date, le_date_bis = given.le_date_bis, anrede = books.multiline(given.anrede),
    anschreiben = books.multiline(given.anschreiben), zuerl = books.multiline(given.zuerl),
    ust_satz = coalesce(given.ust_satz, before.ust_satz), zahlungsziel = given.zahlungsziel,
    skonto = case when jsonb_typeof(given.skonto) = 'null' then null else given.skonto end,
    rabatt_prozent = coalesce(given.rabatt_prozent, 0),
    rabatt_grund = coalesce(btrim(given.rabatt_grund), ''), anzahlung = given.anzahlung,
    zahlbetrag = r.brutto - given.anzahlung, bestellnummer = btrim(given.bestellnummer),
    format = given.format, leistungsort = given.leistungsort,
    -- Of land abroad only.
    leistungsland = case when given.leistungsort = 'grundstueck_ausland' then given.leistungsland end,
    kaeufer_ref = btrim(given.kaeufer_ref), projekt_nr = btrim(given.projekt_nr),
    vertrag_nr = btrim(given.vertrag_nr), vergabe_nr = btrim(given.vergabe_nr),
    objekt_nr = btrim(given.objekt_nr)
  where r.id = before.id;
  now_version := books.compute_rechnung(before.id);
  select r.* into after from app.rechnung r where r.id = before.id;
  perform books.record(
    'rechnung', before.id, before.client_id, 'geaendert',
    history.difference(to_jsonb(before), to_jsonb(after))
  );
  return now_version;
end $$;
grant execute on function books.set_rechnung(app.rechnung, jsonb) to forst_definer;

create or replace function app.a_update_invoice_details(
  bearbeiter text, le_date date, rn_datum date, invoice_id bigint, anrede text, anschreiben text, zuerl text,
  ust_satz numeric, version integer default null
) returns integer language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  return books.set_rechnung(
    books.rechnung_draft(a_update_invoice_details.invoice_id, a_update_invoice_details.version),
    jsonb_build_object(
      'bearbeiter', bearbeiter, 'le_date', le_date, 'rn_datum', rn_datum, 'anrede', anrede,
      'anschreiben', anschreiben, 'zuerl', zuerl, 'ust_satz', ust_satz
    )
  );
end $$;
select rights.define(
  'app.a_update_invoice_details(text, date, date, bigint, text, text, text, numeric, integer)'
);
grant execute on function app.a_update_invoice_details(
  text, date, date, bigint, text, text, text, numeric, integer
) to nutzer;

-- Terms of a draft.
create or replace function app.a_set_invoice_terms(
  invoice_id bigint, version integer default null, le_date_bis date default null,
  zahlungsziel integer default null, skonto jsonb default null, rabatt_prozent numeric default 0,
  rabatt_grund text default '', anzahlung numeric default 0, bestellnummer text default null,
  format text default null
) returns integer language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  return books.set_rechnung(
    books.rechnung_draft(a_set_invoice_terms.invoice_id, a_set_invoice_terms.version),
    jsonb_build_object(
      'le_date_bis', le_date_bis, 'zahlungsziel', zahlungsziel, 'skonto', skonto,
      'rabatt_prozent', rabatt_prozent, 'rabatt_grund', rabatt_grund, 'anzahlung', anzahlung,
      'bestellnummer', bestellnummer, 'format', format
    )
  );
end $$;
select rights.define(
  'app.a_set_invoice_terms(bigint, integer, date, integer, jsonb, numeric, text, numeric, text, text)'
);
grant execute on function app.a_set_invoice_terms(
  bigint, integer, date, integer, jsonb, numeric, text, numeric, text, text
) to nutzer;

-- An invoice for an offer stays with the offer's customer, and so does one with files: they were chosen from
-- those at that customer's records.
create or replace function app.a_set_client_for_invoice(client_id bigint, rechnung_id bigint)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  draft app.rechnung;
  customer app.kunde;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  draft := books.rechnung_draft(a_set_client_for_invoice.rechnung_id);
  perform books.check_no_korrektur(draft);
  customer := books.beleg_kunde(a_set_client_for_invoice.client_id);
  if draft.angebot_id is not null and draft.client_id <> customer.client_id then
    raise sqlstate 'PT409' using message = 'bills an offer of another customer', hint = 'angebot_kunde';
  end if;
  if draft.client_id <> customer.client_id
    and exists (select from app.anlage a where a.rechnung_id = draft.id)
  then
    raise sqlstate 'PT409' using message = 'has files of its customer', hint = 'anlage_kunde';
  end if;
  -- The positions follow by their foreign key.
  update app.rechnung r set client_id = customer.client_id where r.id = draft.id;
  perform books.record(
    'rechnung', draft.id, customer.client_id, 'geaendert',
    jsonb_build_object('client_id', jsonb_build_array(draft.client_id, customer.client_id))
  );
  return books.compute_rechnung(draft.id);
end $$;
select rights.define('app.a_set_client_for_invoice(bigint, bigint)');
grant execute on function app.a_set_client_for_invoice(bigint, bigint) to nutzer;

create or replace function app.a_delete_invoice(invoice_id bigint, version integer default null)
  returns void language plpgsql set search_path = pg_catalog as $$
declare draft app.rechnung;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  draft := books.rechnung_draft(a_delete_invoice.invoice_id, a_delete_invoice.version);
  -- Its period is not billed and due again.
  delete from app.serie_lauf l where l.rechnung_id = draft.id;
  delete from app.rechnung r where r.id = draft.id;
  perform books.record(
    'rechnung', draft.id, draft.client_id, 'geloescht',
    jsonb_build_object('netto', draft.netto::text, 'brutto', draft.brutto::text)
  );
end $$;
select rights.define('app.a_delete_invoice(bigint, integer)');
grant execute on function app.a_delete_invoice(bigint, integer) to nutzer;

-- A copy as a new draft. The reference to lines of an offer is copied only if the original no longer bills
-- them; otherwise they would be billed twice. A copy of an advance is one more of its order; a copy of a
-- final invoice is one only in place of a cancelled one, otherwise a plain invoice.
create or replace function app.a_copy_invoice(invoice_id bigint)
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  source app.rechnung;
  made bigint;
  bills boolean;
  again boolean;
  kind text;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  select r.* into source from app.rechnung r where r.id = a_copy_invoice.invoice_id;
  perform rights.check_found(found);
  if source.art = 'storno' then
    raise sqlstate 'PT409' using message = 'a storno is not copied', hint = 'storno_kopie';
  end if;
  if source.art = 'korrektur' then perform books.refuse_korrektur('korrektur_kopie'); end if;
  perform books.beleg_kunde(source.client_id);
  bills := exists (select from app.rechnung s where s.storno_von = source.id);
  kind := case when source.art = 'schluss' and not bills then 'rechnung' else source.art end;
  if kind <> 'rechnung' then perform books.order_of(source.angebot_id); end if;
  if kind = 'schluss' then perform books.check_no_schluss_draft(source.angebot_id); end if;
  -- Only what replaces a cancelled invoice has the amount that this one named as paid already.
  source.anzahlung := case when bills and kind = 'rechnung' then source.anzahlung else 0 end;
  -- A further one is for another supply, and its day decides the month of the tax: nobody keeps the old one
  -- by mistake.
  again := not bills and kind = 'rechnung' and source.zustand = 'ausgestellt';
  if again then
    source.le_date := null;
    source.le_date_bis := null;
  end if;
  insert into app.rechnung (
    client_id, bearbeiter, le_date, le_date_bis, rn_datum, anrede, anschreiben, zuerl, ust_satz, art,
    kopie_von, angebot_id, zahlungsziel, skonto, rabatt_prozent, rabatt_grund, anzahlung, zahlbetrag,
    bestellnummer, format, leistungsort, leistungsland, kaeufer_ref, projekt_nr, vertrag_nr, vergabe_nr,
    objekt_nr
  )
  values (
    source.client_id, source.bearbeiter, source.le_date, source.le_date_bis, checks.today(), source.anrede,
    source.anschreiben, source.zuerl, source.ust_satz, kind, source.id,
    case when bills or kind = 'abschlag' then source.angebot_id end, source.zahlungsziel, source.skonto,
    source.rabatt_prozent, source.rabatt_grund, source.anzahlung, -source.anzahlung, source.bestellnummer,
    source.format, source.leistungsort, source.leistungsland, source.kaeufer_ref, source.projekt_nr,
    source.vertrag_nr, source.vergabe_nr, source.objekt_nr
  )
  returning rechnung.id into made;
  perform books.copy_positions(source.id, null, made, null, 1, bills);
  if again then
    update app.position p set le_date = null, le_date_bis = null
    where p.rechnung_id = made and p.le_date is not null;
  end if;
  -- What replaces a cancelled invoice goes with the same files.
  if bills then
    insert into app.anlage (client_id, rechnung_id, name, beschreibung, dateiname, mime, inhalt)
    select source.client_id, made, a.name, a.beschreibung, a.dateiname, a.mime, a.inhalt
    from app.anlage a
    where a.rechnung_id = source.id
    order by a.id;
  end if;
  perform books.compute_rechnung(made);
  perform books.record(
    'rechnung', made, source.client_id, 'angelegt', jsonb_build_object('kopie_von', source.id)
  );
  return made;
end $$;
select rights.define('app.a_copy_invoice(bigint)');
grant execute on function app.a_copy_invoice(bigint) to nutzer;

-- Issue -----------------------------------------------------------------------------------------------------

create or replace function books.check_rn_datum(datum date)
  returns void language plpgsql stable set search_path = pg_catalog as $$
begin
  perform books.check_day('rn_datum', datum, books.last_rn_datum());
end $$;
grant execute on function books.check_rn_datum(date) to forst_definer;

-- Definer. `mehr`: the caller knows that more is billed than offered; `stand`: of the document that they
-- looked at (a_get_beleg). Lock, window of dates, legal checks, number, frozen document and audit chain
-- succeed or fail together. From here on the row is fixed for every role.
drop function if exists app.a_issue_invoice(bigint, integer, boolean);
create or replace function app.a_issue_invoice(
  invoice_id bigint, version integer default null, mehr boolean default false, stand text default null
) returns table (nummer text, rn_datum date) language plpgsql set search_path = pg_catalog as $$
declare
  draft app.rechnung;
  frozen jsonb;
  given text;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  draft := books.rechnung_draft(a_issue_invoice.invoice_id, a_issue_invoice.version);
  -- A correction puts the books right, also those of a blocked customer.
  if draft.art <> 'korrektur' then perform books.beleg_kunde(draft.client_id); end if;
  perform books.check_rn_datum(draft.rn_datum);
  perform books.check_billing(draft.id, a_issue_invoice.mehr);
  perform books.check_advances(draft, a_issue_invoice.mehr);
  perform books.check_korrektur(draft);
  frozen := books.rechnung_beleg(draft);
  perform books.check_beleg_stand(frozen, a_issue_invoice.stand);
  perform books.check_beleg(frozen);
  given := books.next_number('rechnung', draft.rn_datum);
  frozen := frozen || jsonb_build_object('nummer', given, 'entwurf', false);
  update app.rechnung r set
    zustand = 'ausgestellt', nummer = given,
    folge = (select coalesce(max(x.folge), 0) + 1 from app.rechnung x), ausgestellt_am = now(),
    ausgestellt_von = coalesce(rights.caller_name(), 'System'),
    faellig = coalesce((frozen ->> 'faellig')::date, draft.rn_datum), beleg = frozen,
    (netto, steuer, brutto, zahlbetrag, anzahlung) = (select s.* from books.sums_of(frozen) s)
  where r.id = draft.id;
  perform books.record_issue(
    'rechnung', draft.id, draft.client_id, frozen,
    jsonb_strip_nulls(jsonb_build_object('korrektur_von', draft.korrektur_von))
  );
  if draft.art = 'korrektur' then
    perform books.record('rechnung', draft.korrektur_von, draft.client_id, 'korrigiert', jsonb_build_object(
      'korrektur', given, 'brutto', frozen #>> '{summen,brutto}', 'grund', draft.anschreiben
    ));
    perform books.end_reductions(
      o.id, o.client_id, o.zahlbetrag + books.corrected(o.id, 'infinity'), draft.rn_datum,
      'Rechnung korrigiert'
    )
    from app.rechnung o
    where o.id = draft.korrektur_von;
  end if;
  return query select given, draft.rn_datum;
end $$;
select rights.define('app.a_issue_invoice(bigint, integer, boolean, text)');
grant execute on function app.a_issue_invoice(bigint, integer, boolean, text) to nutzer;

-- The exact negation of a document: its stored amounts, not computed again.
create or replace function books.negated_beleg(beleg jsonb)
  returns jsonb language sql immutable set search_path = pg_catalog as $$
  -- Attachments and the collection are those of the cancelled document.
  select beleg - 'anlagen' - 'einzug'
    || jsonb_build_object(
      'positionen', (
        select coalesce(jsonb_agg(
          p || jsonb_build_object('betrag', (-(p ->> 'betrag')::numeric)::text) || case
            when p ->> 'art' = 'ueberschrift' then '{}'::jsonb
            else jsonb_build_object('anzahl', (-(p ->> 'anzahl')::numeric)::text)
          end order by nr
        ), '[]')
        from jsonb_array_elements(beleg -> 'positionen') with ordinality as t(p, nr)
      ),
      'summen', (
        select jsonb_object_agg(key, to_jsonb((-(value #>> '{}')::numeric)::text))
        from jsonb_each(beleg -> 'summen')
        where key <> 'steuern'
      ) || jsonb_build_object(
        'steuern', (
          select books.negated_amounts(beleg #> '{summen,steuern}', '{positionen,rabatt,basis,steuer}')
        )
      )
    ) || case
    when beleg ? 'abschlaege' then jsonb_build_object(
      'abschlaege', (
        select coalesce(jsonb_agg(
          a || jsonb_build_object(
            'steuern', books.negated_amounts(a -> 'steuern', '{basis,steuer}'),
            'zahlungen', books.negated_amounts(a -> 'zahlungen', '{betrag}')
          ) order by nr
        ), '[]')
        from jsonb_array_elements(
          books.negated_amounts(beleg -> 'abschlaege', '{brutto,gezahlt,netto,steuer}')
        ) with ordinality as t(a, nr)
      )
    )
    else '{}'
  end
$$;
grant execute on function books.negated_beleg(jsonb) to forst_definer;

-- A Storno names itself in its document, so its id is drawn before the row is inserted.
do $$
begin
  execute format('grant usage on sequence %s to forst_definer', pg_get_serial_sequence('app.rechnung', 'id'));
end $$;

-- Definer. A Storno cancels an issued invoice, once: a separate document with the next number of the same
-- range. The original stays as it is and counts as storniert.
create or replace function app.a_cancel_invoice(
  invoice_id bigint, rn_datum date default null, grund text default ''
) returns table (id bigint, nummer text) language plpgsql set search_path = pg_catalog as $$
declare
  source app.rechnung;
  frozen jsonb;
  given text;
  made bigint;
  day date := coalesce(a_cancel_invoice.rn_datum, checks.today());
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  select r.* into source
  from app.rechnung r
  where r.id = a_cancel_invoice.invoice_id for update;
  perform rights.check_found(found);
  if source.zustand <> 'ausgestellt' then
    raise sqlstate 'PT409' using message = 'a draft is deleted', hint = 'storno_entwurf';
  end if;
  if source.art = 'storno' then
    raise sqlstate 'PT409' using message = 'a storno is not taken back', hint = 'storno_von_storno';
  end if;
  -- The whole would be taken back twice; and what a correction took back is billed again, not revived.
  if source.art = 'korrektur' then perform books.refuse_korrektur('korrektur_storno'); end if;
  if exists (select from app.rechnung k where k.korrektur_von = source.id and k.zustand = 'ausgestellt') then
    perform books.refuse_korrektur('storno_korrigiert', source.nummer);
  end if;
  if exists (select from app.rechnung s where s.storno_von = source.id) then
    raise sqlstate 'PT409' using message = 'cancelled already', hint = 'storniert';
  end if;
  perform books.check_not_taken_off(source, 'abschlag_verrechnet');
  perform books.check_rn_datum(day);
  given := books.next_number('rechnung', day);
  made := nextval(pg_get_serial_sequence('app.rechnung', 'id'));
  frozen := books.negated_beleg(source.beleg) || jsonb_build_object(
    'art', 'storno', 'id', made::text, 'nummer', given, 'datum', day, 'faellig', null, 'skonto', '[]'::jsonb,
    'anschreiben', books.multiline(a_cancel_invoice.grund), 'zuerl', '',
    'bezug', jsonb_build_object('art', source.art, 'nummer', source.nummer, 'datum', source.rn_datum)
  );
  insert into app.rechnung (
    id, client_id, bearbeiter, le_date, le_date_bis, rn_datum, anrede, anschreiben, ust_satz, art, zustand,
    nummer, folge, ausgestellt_am, ausgestellt_von, storno_von, storno_grund, angebot_id, faellig,
    zahlungsziel, skonto, rabatt_prozent, rabatt_grund, anzahlung, bestellnummer, format, netto, steuer,
    brutto, zahlbetrag, beleg, leistungsort, leistungsland, kaeufer_ref, projekt_nr, vertrag_nr, vergabe_nr,
    objekt_nr
  )
  values (
    made, source.client_id, source.bearbeiter, source.le_date, source.le_date_bis, day, source.anrede,
    books.multiline(a_cancel_invoice.grund), source.ust_satz, 'storno', 'ausgestellt', given,
    (select max(x.folge) + 1 from app.rechnung x), now(), coalesce(rights.caller_name(), 'System'), source.id,
    left(books.multiline(a_cancel_invoice.grund), 1000), source.angebot_id, day, 0, '[]',
    source.rabatt_prozent, source.rabatt_grund, -source.anzahlung, source.bestellnummer, source.format,
    -source.netto, -source.steuer, -source.brutto, -source.zahlbetrag, frozen, source.leistungsort,
    source.leistungsland, source.kaeufer_ref, source.projekt_nr, source.vertrag_nr, source.vergabe_nr,
    source.objekt_nr
  );
  perform books.copy_positions(source.id, null, made, null, -1, true);
  if source.art = 'abschlag' then perform books.refresh_schluss(source.angebot_id); end if;
  perform books.record_issue(
    'rechnung', made, source.client_id, frozen, jsonb_build_object('storno_von', source.id)
  );
  -- An offer that is to be billed again leaves the archive, and so do the advances that a final invoice had
  -- taken off and that are now open.
  perform books.leave_archive('angebot', source.angebot_id);
  if source.art = 'schluss' then
    perform books.leave_archive('rechnung', x.id)
    from app.rechnung x
    where x.angebot_id = source.angebot_id and x.art = 'abschlag';
  end if;
  perform books.record('rechnung', source.id, source.client_id, 'storniert', jsonb_build_object(
    'nummer', source.nummer, 'storno', given, 'grund', left(coalesce(a_cancel_invoice.grund, ''), 1000)
  ));
  perform books.end_reductions(source.id, source.client_id, 0, day, 'Rechnung storniert');
  return query select made, given;
end $$;
select rights.define('app.a_cancel_invoice(bigint, date, text)');
grant execute on function app.a_cancel_invoice(bigint, date, text) to nutzer;

-- Definer. Hides an invoice from the list or shows it again; null switches. Nothing else changes. Invoices
-- that are still to be paid are refused.
create or replace function app.a_set_archive_for_rn(invoice_id bigint, archiviert boolean default null)
  returns boolean language plpgsql set search_path = pg_catalog as $$
declare
  invoice record;
  wanted boolean;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  select l.id, l.client_id, l.stand, l.archiviert into invoice
  from app.rechnung_liste l
  where l.id = a_set_archive_for_rn.invoice_id;
  perform rights.check_found(found);
  wanted := books.archive_state(
    a_set_archive_for_rn.archiviert, invoice.archiviert, invoice.stand, books.archivable('rechnung'),
    'archiv_offen'
  );
  if wanted is distinct from invoice.archiviert then
    update app.rechnung r set archiviert = wanted where r.id = invoice.id;
    perform books.record_archive('rechnung', invoice.id, invoice.client_id, wanted);
  end if;
  return wanted;
end $$;
select rights.define('app.a_set_archive_for_rn(bigint, boolean)');
grant execute on function app.a_set_archive_for_rn(bigint, boolean) to nutzer;

-- Audit -----------------------------------------------------------------------------------------------------

create or replace function app.a_get_protokoll(art text default null, id bigint default null)
  returns table (
    nr bigint, zeit timestamptz, wer text, user_id bigint, gegenstand text, gegenstand_id bigint,
    client_id bigint, ereignis text, inhalt jsonb, hash text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select p.nr, p.zeit, p.wer, p.user_id, p.gegenstand, p.gegenstand_id, p.client_id, p.ereignis, p.inhalt,
      p.hash
    from app.protokoll p
    where (a_get_protokoll.art is null or p.gegenstand = a_get_protokoll.art)
      and (a_get_protokoll.id is null or p.gegenstand_id = a_get_protokoll.id)
    order by p.nr desc limit 10000;
end $$;
grant execute on function app.a_get_protokoll(text, bigint) to nutzer;
