-- What offers and invoices share: the document made from a row, its sums, what the law requires of it, and
-- its life up to issue. What differs is in rechnung.sql and angebot.sql.

-- The document ----------------------------------------------------------------------------------------------

-- Multi-line text as it is stored: without carriage returns, empty instead of null.
create or replace function books.multiline(value text)
  returns text language sql immutable parallel safe set search_path = pg_catalog
  return replace(replace(coalesce(value, ''), E'\r\n', E'\n'), E'\r', E'\n');
grant execute on function books.multiline(text) to forst_definer;

-- The number of an offer with its revision.
create or replace function books.angebot_number(nummer text, fassung integer)
  returns text language sql immutable parallel safe set search_path = pg_catalog
  return nummer || case when fassung > 1 then '/' || fassung else '' end;
grant execute on function books.angebot_number(text, integer) to nutzer, forst_definer;

-- The offer that a document bills or revises, as the document names it.
create or replace function books.reference_to(angebot_id bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'art', 'angebot', 'nummer', books.angebot_number(a.nummer, a.fassung), 'datum', a.an_datum
  )
  from app.angebot a
  where a.id = reference_to.angebot_id
$$;
grant execute on function books.reference_to(bigint) to forst_definer;

-- Lines in order, as the sums and the document read them.
create or replace function books.beleg_lines(rechnung_id bigint, angebot_id bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'id', p.id::text, 'lfd_nr', p.lfd_nr, 'art', p.art, 'bez', p.bez, 'erl_titel', p.erl_titel,
      'erl', p.erl, 'erl_on', p.erl_on, 'anzahl', books.decimal_text(p.anzahl), 'einheit', p.einheit,
      'ep', books.decimal_text(p.ep, 2), 'rabatt_prozent', p.rabatt_prozent::text,
      'ust_satz', p.ust_satz::text, 'kategorie', p.kategorie, 'steuergrund', p.steuergrund,
      'le_date', p.le_date, 'le_date_bis', p.le_date_bis, 'gewaehlt', p.gewaehlt
    )
    || case
      when p.korrektur_position_id is null then '{}'::jsonb
      else jsonb_build_object(
        'korrigiert', jsonb_build_object(
          'id', p.korrektur_position_id::text, 'menge', books.decimal_text(p.korrektur_menge)
        )
      )
    end order by p.lfd_nr, p.id
  ), '[]')
  from app.position p
  where p.rechnung_id = beleg_lines.rechnung_id or p.angebot_id = beleg_lines.angebot_id
$$;
grant execute on function books.beleg_lines(bigint, bigint) to nutzer, forst_definer, forst_betrieb;

-- Who we are, for a supply of a day.
drop function if exists books.beleg_lieferant();
create or replace function books.beleg_lieferant(day date)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'name', coalesce(l.name, ''), 'name_zusatz', coalesce(l.name_zusatz, ''),
    'strasse', coalesce(l.strasse, ''), 'plz', coalesce(l.plz, ''), 'ort', coalesce(l.ort, ''),
    'land', coalesce(l.land, 'DE'), 'steuernummer', coalesce(l.steuernummer, ''),
    'ust_id', coalesce(l.ust_id, ''), 'ansprechpartner', coalesce(l.ansprechpartner, ''),
    'telefon', coalesce(l.telefon, ''), 'mail', coalesce(l.mail, ''), 'webseite', coalesce(l.webseite, ''),
    'bank', coalesce(l.bank, ''), 'kontoinhaber', coalesce(nullif(l.kontoinhaber, ''), l.name, ''),
    'iban', coalesce(l.iban, ''), 'bic', coalesce(l.bic, ''), 'fusszeile', coalesce(l.fusszeile, '')
  ) || books.small_business_time(beleg_lieferant.day)
  from (values (1)) as one(row) left join app.lieferant l on true
$$;
grant execute on function books.beleg_lieferant(date) to forst_definer;

create or replace function books.beleg_recipient(client_id bigint, bestellnummer text)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'client_id', k.client_id::text, 'name', k.name, 'name_zusatz', coalesce(k.name_zusatz, ''),
    'strasse', k.strasse, 'plz', k.plz, 'ort', k.ort, 'land', k.land, 'ust_id', coalesce(b.ust_id, ''),
    'leitweg_id', coalesce(b.leitweg_id, ''),
    'bestellnummer', coalesce(beleg_recipient.bestellnummer, b.bestellnummer, ''),
    'mail', coalesce(b.rechnung_mail, ''), 'ist_privat', coalesce(b.ist_privat, false)
  )
  from app.kunde k left join app.kunde_rechnung b on b.client_id = k.client_id
  where k.client_id = beleg_recipient.client_id
$$;
grant execute on function books.beleg_recipient(bigint, text) to forst_definer;

-- The day of the supply that decides whether a document states tax (UStAE 19.5): the last one of the lines
-- that count; a line without a day has that of the document. Where they are on both sides of a change,
-- books.line_faults refuses the others.
create or replace function books.supply_day(draft jsonb, lines jsonb)
  returns date language sql immutable set search_path = pg_catalog as $$
  select coalesce(max(coalesce(p ->> 'le_date_bis', p ->> 'le_date', usual.day))::date, usual.day::date)
  from (
    select coalesce(
      draft ->> 'le_date_bis', draft ->> 'le_date', draft ->> 'rn_datum', draft ->> 'an_datum'
    ) as day
  ) usual
    left join jsonb_array_elements(supply_day.lines) p on p ->> 'art' = 'position'
      or (p ->> 'art' <> 'ueberschrift' and (p ->> 'gewaehlt')::boolean)
  group by usual.day
$$;
grant execute on function books.supply_day(jsonb, jsonb) to forst_definer;

-- The part of a document that comes from columns of both tables. `draft` is the row.
drop function if exists books.beleg_head(jsonb);
create or replace function books.beleg_head(draft jsonb, lines jsonb)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'fassung', 1, 'id', draft ->> 'id', 'bearbeiter', draft -> 'bearbeiter', 'anrede', draft -> 'anrede',
    'anschreiben', draft -> 'anschreiben', 'zuerl', draft -> 'zuerl', 'ust_satz', draft ->> 'ust_satz',
    'rabatt_prozent', draft ->> 'rabatt_prozent', 'rabatt_grund', draft -> 'rabatt_grund',
    'lieferant', books.beleg_lieferant(books.supply_day(draft, beleg_head.lines))
  ) || books.beleg_place(draft ->> 'leistungsort', draft ->> 'leistungsland', (draft ->> 'client_id')::bigint)
    || books.beleg_references(draft)
$$;
grant execute on function books.beleg_head(jsonb, jsonb) to forst_definer;

-- Adds sums and lines to a document: each line with its number, amount, rate and category as computed.
create or replace function books.computed_beleg(beleg jsonb, anzahlung numeric)
  returns jsonb language plpgsql immutable set search_path = pg_catalog as $$
declare
  is_small boolean := (beleg #>> '{lieferant,kleinunternehmer}')::boolean;
  sums jsonb := books.beleg_sums(
    jsonb_build_object(
      'rabatt_prozent', beleg ->> 'rabatt_prozent', 'ust_satz', beleg ->> 'ust_satz', 'anzahlung', anzahlung,
      'kleinunternehmer', is_small
    ),
    beleg -> 'positionen'
  );
  lines jsonb;
begin
  select coalesce(jsonb_agg(
    p || (sums -> 'zeilen' -> (nr - 1)::integer) || jsonb_build_object(
      'kategorie', kategorie, 'ust_satz', case kategorie when 'S' then round(satz, 2) else 0.00 end::text,
      'steuergrund', case
        when is_small then 'Steuerbefreiung für Kleinunternehmer (§ 19 UStG)'
        when kategorie = 'S' then ''
        when kategorie = 'AE' and btrim(p ->> 'steuergrund') = '' then
          'Steuerschuldnerschaft des Leistungsempfängers'
        else p ->> 'steuergrund'
      end
    ) order by nr
  ), '[]') into lines
  from (
    select p, nr, satz,
      case
        when is_small then 'E'
        else coalesce(p ->> 'kategorie', case when satz = 0 then 'E' else 'S' end)
      end as kategorie
    from (
      select p, nr, coalesce((p ->> 'ust_satz')::numeric, (beleg ->> 'ust_satz')::numeric) as satz
      from jsonb_array_elements(beleg -> 'positionen') with ordinality as t(p, nr)
    ) x
  ) y;
  return beleg || jsonb_build_object('positionen', lines, 'summen', sums -> 'summen');
end $$;
grant execute on function books.computed_beleg(jsonb, numeric) to forst_definer;

-- The sums of a document as the columns of its row.
do $$
begin
  if not exists (
    select from pg_proc p
    where p.oid = to_regprocedure('books.sums_of(jsonb)') and 'anzahlung' = any (p.proargnames)
  ) then
    drop function if exists books.sums_of(jsonb);
  end if;
end $$;
create or replace function books.sums_of(
  beleg jsonb, out netto numeric, out steuer numeric, out brutto numeric, out zahlbetrag numeric,
  out anzahlung numeric
) language sql immutable set search_path = pg_catalog as $$
  select s.netto, s.steuer, s.brutto, s.zahlbetrag, s.anzahlung
  from jsonb_to_record(beleg -> 'summen') as s(
    netto numeric, steuer numeric, brutto numeric, zahlbetrag numeric, anzahlung numeric
  )
$$;
grant execute on function books.sums_of(jsonb) to forst_definer;

create or replace function books.beleg_sha256(beleg jsonb)
  returns text language sql immutable set search_path = pg_catalog
  return encode(sha256(convert_to(beleg::text, 'UTF8')), 'hex');
grant execute on function books.beleg_sha256(jsonb) to forst_definer;

-- Drafts ----------------------------------------------------------------------------------------------------

-- The rate of a new document unless the caller names one, and the clerk's name that it has.
create or replace function books.usual_ust() returns numeric language sql stable set search_path = pg_catalog
  return coalesce((select l.ust_satz from app.lieferant l), 19);
grant execute on function books.usual_ust() to forst_definer;
create or replace function books.clerk() returns text language sql stable set search_path = pg_catalog
  return left(coalesce(rights.caller_name(), ''), 100);
grant execute on function books.clerk() to forst_definer;

-- Copies the lines of one document to another. `factor` -1 negates them; `billing`: the copy bills the same
-- lines of an offer.
create or replace function books.copy_positions(
  from_rechnung bigint, from_angebot bigint, to_rechnung bigint, to_angebot bigint, factor integer,
  billing boolean
) returns void language sql set search_path = pg_catalog as $$
  insert into app.position (
    client_id, rechnung_id, angebot_id, lfd_nr, art, anzahl, einheit, bez, ep, rabatt_prozent, ust_satz,
    kategorie, steuergrund, erl, erl_on, erl_titel, le_date, le_date_bis, angebot_position_id
  )
  select p.client_id, to_rechnung, to_angebot, p.lfd_nr, p.art, factor * p.anzahl, p.einheit, p.bez, p.ep,
    p.rabatt_prozent, p.ust_satz, p.kategorie, p.steuergrund, p.erl, p.erl_on, p.erl_titel, p.le_date,
    p.le_date_bis, case when billing then p.angebot_position_id end
  from app.position p
  where p.rechnung_id = from_rechnung or p.angebot_id = from_angebot
$$;
grant execute on function books.copy_positions(bigint, bigint, bigint, bigint, integer, boolean)
  to forst_definer;

-- Issue -----------------------------------------------------------------------------------------------------

-- Whether § 14 UStG and the e-invoice apply: every kind that is a row of app.rechnung.
create or replace function books.is_invoice(art text)
  returns boolean language sql immutable parallel safe set search_path = pg_catalog
  return art in ('rechnung', 'abschlag', 'schluss', 'storno', 'korrektur');
grant execute on function books.is_invoice(text) to nutzer, forst_definer, forst_betrieb;

-- The day of a document to be issued: not before the last one of its kind, not in the future.
create or replace function books.check_day(field text, day date, earliest date)
  returns void language plpgsql stable set search_path = pg_catalog as $$
begin
  if day < earliest then
    perform checks.refuse_field(field, 'datum_vor_letzter', 'before the last one issued');
  end if;
  if day > checks.today() then perform checks.refuse_field(field, 'datum_zukunft', 'in the future'); end if;
end $$;
grant execute on function books.check_day(text, date, date) to forst_definer;

-- What the law requires of a document (§ 14 (4) UStG), and what an office or bank would refuse: field and
-- code of each fault, by the rules of domain/beleg-draft-check.ts; hints are only the browser's. Both sides
-- are tested with domain/beleg-check.cases.json. What the columns refuse anyway is not repeated here:
-- lengths, days, numbers out of range, codes of countries.

-- Empty for a person: blanks as ECMAScript counts them.
create or replace function checks.is_blank(value text)
  returns boolean language sql immutable parallel safe set search_path = pg_catalog
  return coalesce(value, '') ~ '^[\s\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF]*$';
grant execute on function checks.is_blank(text) to forst_definer;

-- One @, a domain of several parts, no blanks, no dot at an edge.
create or replace function checks.is_beleg_mail(value text)
  returns boolean language sql immutable parallel safe set search_path = pg_catalog
  return value ~ (
    '^[^\s\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF@.]'
    || '([^\s\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF@]*'
    || '[^\s\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF@.])?'
    || '@([^\s\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF@.]+\.)+'
    || '[^\s\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF@.]+$'
  );
grant execute on function checks.is_beleg_mail(text) to forst_definer;

-- Whether German law knows the rate on the day of the supply: the same table as domain/tax-rates.ts.
create or replace function checks.is_tax_rate(rate numeric, day date)
  returns boolean language sql immutable parallel safe set search_path = pg_catalog
  return day < '2007-01-01'
    or exists (
      select from (
        values
          -- § 12 (1) and (2) UStG; § 28 (1) and (2) in the second half of 2020.
          (19.00, '2007-01-01', '2020-06-30'), (16.00, '2020-07-01', '2020-12-31'),
          (19.00, '2021-01-01', 'infinity'), (7.00, '2007-01-01', '2020-06-30'),
          (5.00, '2020-07-01', '2020-12-31'), (7.00, '2021-01-01', 'infinity'),
          -- § 24 (1) sentence 1 Nr. 1 and 3 UStG: farms and forest owners.
          (5.50, '2007-01-01', 'infinity'), (10.70, '2007-01-01', '2021-12-31'),
          (9.50, '2022-01-01', '2022-12-31'), (9.00, '2023-01-01', '2024-12-05'),
          (8.40, '2024-12-06', '2024-12-31'), (7.80, '2025-01-01', 'infinity')
      ) as known(satz, von, bis)
      where satz = rate and day between von::date and bis::date
    );
grant execute on function checks.is_tax_rate(numeric, date) to forst_definer;

-- Of supplier and buyer.
create or replace function books.party_faults(beleg jsonb, small boolean)
  returns table (feld text, code text) language plpgsql stable set search_path = pg_catalog as $$
declare
  supplier jsonb := beleg -> 'lieferant';
  buyer jsonb := beleg -> 'empfaenger';
  invoice boolean := books.is_invoice(beleg ->> 'art');
  electronic boolean := invoice and beleg ->> 'format' <> 'pdf';
  xrechnung boolean := invoice and beleg ->> 'format' = 'xrechnung';
  categories text[] := array(
    select s ->> 'kategorie' from jsonb_array_elements(beleg #> '{summen,steuern}') s
  );
  tax_number_fault text := coalesce(checks.tax_number_fault(supplier ->> 'steuernummer'), '');
  own_id_fault text := checks.ust_id_fault(supplier ->> 'ust_id');
  their_id_fault text := checks.ust_id_fault(buyer ->> 'ust_id');
  no_own_id boolean := checks.is_blank(supplier ->> 'ust_id');
  iban_fault text := checks.iban_fault(supplier ->> 'iban');
  leitweg_fault text := checks.leitweg_fault(buyer ->> 'leitweg_id');
  address_needed boolean := electronic or not small;
  no_postcodes boolean := checks.is_postcode(buyer ->> 'land', '');
begin
  return query
    select f.feld, f.code
    from (
      values (checks.is_blank(supplier ->> 'name'), 'lieferant.name', 'lieferant_name_fehlt'),
        (checks.is_blank(supplier ->> 'strasse'), 'lieferant.strasse', 'lieferant_strasse_fehlt'),
        (checks.is_blank(supplier ->> 'plz'), 'lieferant.plz', 'lieferant_plz_fehlt'),
        (checks.is_blank(supplier ->> 'ort'), 'lieferant.ort', 'lieferant_ort_fehlt'),
        (not checks.is_country(supplier ->> 'land'), 'lieferant.land', 'lieferant_land'),
        (
          not checks.is_blank(supplier ->> 'plz')
            and not checks.is_postcode(supplier ->> 'land', btrim(supplier ->> 'plz')),
          'lieferant.plz', 'lieferant_plz'
        ),
        (
          invoice and checks.is_blank(supplier ->> 'steuernummer') and no_own_id, 'lieferant.steuernummer',
          'lieferant_steuernummer_fehlt'
        ),
        (
          invoice and no_own_id and tax_number_fault not in ('', 'leer'), 'lieferant.steuernummer',
          'lieferant_steuernummer_form'
        ),
        -- BR-O-2: such an e-invoice must not contain a VAT id.
        (
          electronic and tax_number_fault = 'leer' and not no_own_id and 'O' = any (categories),
          'lieferant.steuernummer', 'nicht_steuerbar_steuernummer'
        ),
        (not no_own_id and own_id_fault is not null, 'lieferant.ust_id', 'lieferant_ust_id_' || own_id_fault),
        -- BG-6
        (
          xrechnung and checks.is_blank(supplier ->> 'ansprechpartner'), 'lieferant.ansprechpartner',
          'ansprechpartner_fehlt'
        ),
        (xrechnung and checks.is_blank(supplier ->> 'telefon'), 'lieferant.telefon', 'telefon_fehlt'),
        (
          xrechnung
            and not checks.is_blank(supplier ->> 'telefon')
            and supplier ->> 'telefon' !~ '[0-9].*[0-9].*[0-9]',
          'lieferant.telefon', 'telefon_form'
        ),
        (xrechnung and checks.is_blank(supplier ->> 'mail'), 'lieferant.mail', 'lieferant_mail_fehlt'),
        (
          xrechnung
            and not checks.is_blank(supplier ->> 'mail')
            and not checks.is_beleg_mail(supplier ->> 'mail'),
          'lieferant.mail', 'lieferant_mail_form'
        ),
        -- BR-DE-1
        (xrechnung and checks.is_blank(supplier ->> 'iban'), 'lieferant.iban', 'iban_fehlt'),
        (
          not checks.is_blank(supplier ->> 'iban') and iban_fault is not null, 'lieferant.iban',
          'iban_' || iban_fault
        ),
        -- § 33 UStDV: up to 250 € the recipient need not be named; an e-invoice names it regardless.
        (address_needed and checks.is_blank(buyer ->> 'name'), 'empfaenger.name', 'empfaenger_name_fehlt'),
        (
          address_needed and checks.is_blank(buyer ->> 'strasse'), 'empfaenger.strasse',
          'empfaenger_strasse_fehlt'
        ),
        (
          address_needed and checks.is_blank(buyer ->> 'plz') and not no_postcodes, 'empfaenger.plz',
          'empfaenger_plz_fehlt'
        ),
        -- BR-DE-9
        (
          xrechnung and checks.is_blank(buyer ->> 'plz') and no_postcodes, 'empfaenger.plz',
          'empfaenger_plz_xrechnung'
        ),
        (address_needed and checks.is_blank(buyer ->> 'ort'), 'empfaenger.ort', 'empfaenger_ort_fehlt'),
        (not checks.is_country(buyer ->> 'land'), 'empfaenger.land', 'empfaenger_land'),
        (
          not checks.is_blank(buyer ->> 'plz')
            and not checks.is_postcode(buyer ->> 'land', btrim(buyer ->> 'plz')),
          'empfaenger.plz', 'empfaenger_plz'
        ),
        (
          not checks.is_blank(buyer ->> 'ust_id') and their_id_fault is not null, 'empfaenger.ust_id',
          'empfaenger_ust_id_' || their_id_fault
        ),
        (
          -- BT-10 is the Leitweg-ID or the reference that the buyer gives instead.
          xrechnung
            and leitweg_fault is not null
            and (
              leitweg_fault <> 'leer' or checks.is_blank(coalesce(beleg #>> '{verweise,kaeufer_ref}', ''))
            ),
          'empfaenger.leitweg_id',
          'leitweg_' || case leitweg_fault when 'leer' then 'fehlt' else leitweg_fault end
        ),
        (
          not checks.is_blank(buyer ->> 'mail') and not checks.is_beleg_mail(buyer ->> 'mail'),
          'empfaenger.mail', 'empfaenger_mail_form'
        ),
        -- A public office can also be addressed by its Leitweg-ID.
        (
          xrechnung and checks.is_blank(buyer ->> 'mail') and leitweg_fault is not null, 'empfaenger.mail',
          'empfaenger_mail_fehlt'
        ),
        -- § 14a (1) and (5) UStG
        (invoice and 'AE' = any (categories) and no_own_id, 'lieferant.ust_id', 'reverse_charge_lieferant'),
        (
          invoice and 'AE' = any (categories) and checks.is_blank(buyer ->> 'ust_id'), 'empfaenger.ust_id',
          'reverse_charge_empfaenger'
        ),
        (
          'AE' = any (categories) and (buyer ->> 'ist_privat')::boolean, 'empfaenger.ist_privat',
          'reverse_charge_privat'
        )
    ) as f(wrong, feld, code)
    where f.wrong;
end $$;
grant execute on function books.party_faults(jsonb, boolean) to forst_definer;

-- Of the lines.
create or replace function books.line_faults(beleg jsonb)
  returns table (feld text, code text) language sql stable set search_path = pg_catalog as $$
  with line as (
    select p, 'positionen.' || nr - 1 as at, nr, p ->> 'art' <> 'ueberschrift' as billable,
      p ->> 'art' = 'position'
        or (p ->> 'art' <> 'ueberschrift' and coalesce((p ->> 'gewaehlt')::boolean, false)) as counted,
      not (beleg #>> '{lieferant,kleinunternehmer}')::boolean as taxed,
      -- § 27 (1) UStG: the day on which the supply ends.
      coalesce(
        p ->> 'le_date_bis', p ->> 'le_date', beleg ->> 'le_date_bis', beleg ->> 'le_date', beleg ->> 'datum'
      )::date as day
    from jsonb_array_elements(beleg -> 'positionen') with ordinality as t(p, nr)
  )
  select 'positionen', 'positionen_fehlen'
  where not exists (select from line where case beleg ->> 'art' when 'angebot' then billable else counted end)
  union all (
    select at || '.' || f.feld, f.code
    from line,
      lateral (
        values (1, checks.is_blank(p ->> 'bez'), 'bez', 'bez_fehlt'),
          (
            2, billable and p ->> 'le_date_bis' is not null and p ->> 'le_date' is null, 'le_date',
            'le_date_fehlt'
          ),
          (
            3, counted and taxed and p ->> 'kategorie' = 'S' and (p ->> 'ust_satz')::numeric = 0, 'ust_satz',
            'satz_null'
          ),
          (
            4,
            counted
              and taxed
              and p ->> 'kategorie' = 'S'
              and (p ->> 'ust_satz')::numeric > 0
              and beleg #>> '{lieferant,land}' = 'DE'
              and not checks.is_tax_rate((p ->> 'ust_satz')::numeric, day),
            'ust_satz', 'satz_unbekannt'
          ),
          (
            5, counted and taxed and p ->> 'kategorie' in ('E', 'O') and checks.is_blank(p ->> 'steuergrund'),
            'steuergrund', 'steuergrund_fehlt'
          ),
          -- § 14a (1) and (5) UStG
          (
            6,
            counted
              and taxed
              and p ->> 'kategorie' = 'AE'
              and not checks.is_blank(p ->> 'steuergrund')
              and p ->> 'steuergrund'
                !~* 'steuerschuldnerschaft des leistungsempf[äÄ]ngers|reverse[[:space:]-]charge',
            'steuergrund', 'reverse_charge_hinweis'
          ),
          -- § 14c (1) UStG: tax stated on an exempt supply is owed; UStAE 19.5: each supply keeps its day.
          (
            7,
            counted
              and beleg ->> 'art' <> 'angebot'
              and (
                day < (beleg #>> '{lieferant,kleinunternehmer_von}')::date
                or day > (beleg #>> '{lieferant,kleinunternehmer_bis}')::date
              ),
            'le_date', 'kleinunternehmer_wechsel'
          )
      ) as f(rule, wrong, feld, code)
    where f.wrong
    order by nr, f.rule
  )
  union all
  select 'summen.steuern', 'nicht_steuerbar_allein'
  where beleg ->> 'art' <> 'angebot'
    and jsonb_array_length(beleg #> '{summen,steuern}') > 1
    and jsonb_path_exists(beleg, '$.summen.steuern[*] ? (@.kategorie == "O")')
$$;
grant execute on function books.line_faults(jsonb) to forst_definer;

-- Of the texts: no character that XML forbids, none without a glyph where it is printed.
create or replace function books.text_faults(beleg jsonb)
  returns table (feld text, code text) language sql stable set search_path = pg_catalog as $$
  with entry as (
    select null::bigint as nr, name as feld, beleg ->> name as value, true as printed
    from unnest('{bearbeiter,anrede,anschreiben,zuerl,rabatt_grund}'::text[]) name
    union all
    select null, 'lieferant.aufbewahrung_text', beleg ->> 'aufbewahrung', true
    union all
    select null, 'verweise.' || e.key, e.value, true
    from jsonb_each_text(coalesce(beleg -> 'verweise', '{}')) e
    union all
    select null, party || '.' || e.key, e.value,
      e.key = any (
          '{name,name_zusatz,strasse,plz,ort,ansprechpartner,telefon,webseite,bank,kontoinhaber,fusszeile,
            bestellnummer,leitweg_id}'::text[]
        )
        or (party = 'lieferant' and e.key = 'mail')
    from unnest('{lieferant,empfaenger}'::text[]) party, jsonb_each_text(beleg -> party) e
    union all
    select nr, 'positionen.' || nr - 1 || '.' || name, p ->> name,
      name not in ('erl_titel', 'erl') or (p ->> 'erl_on')::boolean
    from jsonb_array_elements(beleg -> 'positionen') with ordinality as t(p, nr),
      unnest('{bez,erl_titel,erl,einheit,steuergrund}'::text[]) name
  ),
  judged as (
    select e.feld,
      case
        when e.value ~ '[\u0001-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]' then 'zeichen'
        when e.printed and checks.is_unprintable(e.value) then 'zeichen_druck'
      end as code
    from entry e
  )
  select j.feld, j.code
  from judged j
  where j.code is not null
  order by j.code, j.feld collate "C"
$$;
grant execute on function books.text_faults(jsonb) to forst_definer;

create or replace function books.beleg_faults(beleg jsonb)
  returns table (feld text, code text) language plpgsql stable set search_path = pg_catalog as $$
declare
  invoice boolean := books.is_invoice(beleg ->> 'art');
  electronic boolean := invoice and beleg ->> 'format' <> 'pdf';
  gross numeric := (beleg #>> '{summen,brutto}')::numeric;
  advance numeric := (beleg #>> '{summen,anzahlung}')::numeric;
  -- § 33 UStDV; its sentence 3: not where the recipient owes the tax.
  small boolean := invoice
    and abs(gross) <= 250
    and not jsonb_path_exists(beleg, '$.summen.steuern[*] ? (@.kategorie == "AE")');
begin
  return query
    select name, 'platzhalter_offen'
    from unnest('{anrede,anschreiben,zuerl}'::text[]) name
    where beleg ->> name ~ '\{(name|nummer|datum|faellig|betrag)\}';
  return query
    select 'positionen.' || nr - 1 || '.art', 'beleg_optional'
    from jsonb_array_elements(beleg -> 'positionen') with ordinality as t(p, nr)
    where beleg ->> 'art' <> 'angebot' and p ->> 'art' in ('optional', 'alternativ');
  return query
    select f.feld, f.code
    from (
      values
        -- § 14 (4) Nr. 6 UStG; § 33 UStDV does without it. Each line may have its own day. An advance need
        -- not know the day of its supply, except in the format that asks for one (BR-DE-TMP-32).
        (
          invoice
            and beleg ->> 'le_date' is null
            and case beleg ->> 'art'
              when 'abschlag' then beleg ->> 'format' = 'xrechnung'
              else electronic or not small
            end
            and (
              select coalesce(bool_or(p ->> 'le_date' is null), true)
              from jsonb_array_elements(beleg -> 'positionen') p
              where p ->> 'art' = 'position'
                or (p ->> 'art' <> 'ueberschrift' and coalesce((p ->> 'gewaehlt')::boolean, false))
            ),
          'le_date', 'le_date_fehlt'
        ),
        (not invoice and beleg ->> 'gueltig_bis' < beleg ->> 'datum', 'gueltig_bis', 'gueltig_bis_vor_datum')
    ) as f(wrong, feld, code)
    where f.wrong;
  return query select * from books.party_faults(beleg, small);
  return query
    select f.feld, f.code
    from (
      values
        -- BR-33, BR-38
        (
          electronic
            and (beleg ->> 'rabatt_prozent')::numeric <> 0
            and checks.is_blank(beleg ->> 'rabatt_grund'),
          'rabatt_grund', 'rabatt_grund_fehlt'
        ),
        -- More received for advances than the work has come to is paid back.
        (
          beleg ->> 'art' <> 'schluss' and advance > greatest(gross, 0), 'summen.anzahlung',
          'anzahlung_zu_hoch'
        ),
        -- § 31 (5) UStDV: what takes an invoice back names that invoice, as Storno and correction do.
        (beleg ->> 'art' <> 'korrektur' and gross < 0, 'summen.brutto', 'brutto_negativ')
    ) as f(wrong, feld, code)
    where f.wrong;
  return query select * from books.place_faults(beleg);
  return query select * from books.line_faults(beleg);
  return query select * from books.text_faults(beleg);
end $$;
grant execute on function books.beleg_faults(jsonb) to forst_definer;

-- Refuses the first fault at its field; the browser shows all of them before.
create or replace function books.check_beleg(beleg jsonb)
  returns void language plpgsql stable set search_path = pg_catalog as $$
declare fault record;
begin
  for fault in select f.feld, f.code from books.beleg_faults(beleg) f limit 1 loop
    perform checks.refuse_field(fault.feld, fault.code, 'not as the law or the format wants it');
  end loop;
end $$;
grant execute on function books.check_beleg(jsonb) to forst_definer;

-- Records the issue of a document in the audit chain.
create or replace function books.record_issue(
  gegenstand text, id bigint, client_id bigint, beleg jsonb, more jsonb default '{}'
) returns void language sql set search_path = pg_catalog as $$
  select books.record(
    gegenstand, id, client_id, 'ausgestellt',
    jsonb_build_object(
      'nummer', beleg ->> 'nummer', 'datum', beleg ->> 'datum', 'brutto', beleg #>> '{summen,brutto}',
      'sha256', books.beleg_sha256(beleg)
    ) || more
  )
$$;
grant execute on function books.record_issue(text, bigint, bigint, jsonb, jsonb) to forst_definer;

-- Archive ---------------------------------------------------------------------------------------------------

-- Whether a document is archived from now on; `wanted` null switches. Only settled documents are archived:
-- `states` are those that count as settled.
create or replace function books.archive_state(
  wanted boolean, archived boolean, stand text, states text[], rule text
) returns boolean language plpgsql immutable set search_path = pg_catalog as $$
begin
  if coalesce(wanted, not archived) and stand <> all (states) then
    raise sqlstate 'PT409' using message = 'not settled', hint = rule;
  end if;
  return coalesce(wanted, not archived);
end $$;
grant execute on function books.archive_state(boolean, boolean, text, text[], text) to forst_definer;
-- Records the switch in the audit chain.
create or replace function books.record_archive(
  gegenstand text, id bigint, client_id bigint, archived boolean
) returns void language sql set search_path = pg_catalog as $$
  select books.record(gegenstand, id, client_id, case when archived then 'archiviert' else 'aus_archiv' end)
$$;
grant execute on function books.record_archive(text, bigint, bigint, boolean) to forst_definer;
-- The states in which a document may be archived.
create or replace function books.archivable(gegenstand text)
  returns text[] language sql immutable set search_path = pg_catalog
  return case archivable.gegenstand
    when 'rechnung' then '{bezahlt,verrechnet,storniert,storno,korrigiert,korrektur}'::text[]
    when 'angebot' then '{abgelehnt,abgelaufen,abgerechnet,ersetzt}'::text[]
  end;
grant execute on function books.archivable(text) to forst_definer;
-- Called after what may make a settled document an open one again: that leaves the archive, or nobody would
-- see it.
create or replace function books.leave_archive(gegenstand text, id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare client bigint;
begin
  if leave_archive.gegenstand = 'rechnung' then
    update app.rechnung r set archiviert = false
    from app.rechnung_liste l
    where r.id = leave_archive.id
      and r.archiviert
      and l.id = r.id
      and l.stand <> all (books.archivable('rechnung'))
    returning r.client_id into client;
  else
    update app.angebot a set archiviert = false
    from app.angebot_liste l
    where a.id = leave_archive.id
      and a.archiviert
      and l.id = a.id
      and l.stand <> all (books.archivable('angebot'))
    returning a.client_id into client;
  end if;
  if client is not null then
    perform books.record_archive(leave_archive.gegenstand, leave_archive.id, client, false);
  end if;
end $$;
grant execute on function books.leave_archive(text, bigint) to forst_definer;

-- Digest of the document that a draft would become. Settings, the customer's billing data, mandates and
-- advances are in it, none of which change the draft's version.
create or replace function books.beleg_stand(beleg jsonb)
  returns text language sql immutable set search_path = pg_catalog
  return encode(sha256(convert_to(beleg_stand.beleg::text, 'UTF8')), 'hex');
grant execute on function books.beleg_stand(jsonb) to forst_definer;
-- Refuses to issue another document than the one that was looked at. `expected` null: nobody looked.
create or replace function books.check_beleg_stand(beleg jsonb, expected text)
  returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  if expected is not null and expected <> books.beleg_stand(check_beleg_stand.beleg) then
    raise sqlstate 'PT409' using message = 'the document has changed meanwhile', hint = 'beleg_stand';
  end if;
end $$;
grant execute on function books.check_beleg_stand(jsonb, text) to forst_definer;

-- Reads -----------------------------------------------------------------------------------------------------

-- The document: of a draft as it would be issued now, with its `stand` for issuing it, of an issued one the
-- frozen text. Definer: reads the supplier and the customer's billing data.
create or replace function app.a_get_beleg(art text, id bigint)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare
  invoice app.rechnung;
  offer app.angebot;
  draft jsonb;
begin
  if books.is_invoice(a_get_beleg.art) then
    select r.* into invoice from app.rechnung r where r.id = a_get_beleg.id;
  elsif a_get_beleg.art = 'angebot' then
    select a.* into offer from app.angebot a where a.id = a_get_beleg.id;
  end if;
  -- An auditor reads what is issued, and learns nothing of drafts.
  perform rights.refuse_unless(rights.reads_books(coalesce(invoice.beleg, offer.beleg) is not null));
  perform rights.check_found(coalesce(invoice.id, offer.id) is not null);
  if coalesce(invoice.beleg, offer.beleg) is not null then
    return coalesce(invoice.beleg, offer.beleg);
  end if;
  draft := case
    when invoice.id is null then books.angebot_beleg(offer)
    else books.rechnung_beleg(invoice)
  end;
  return draft || jsonb_build_object('stand', books.beleg_stand(draft));
end $$;
select rights.define('app.a_get_beleg(text, bigint)');
grant execute on function app.a_get_beleg(text, bigint) to nutzer;
