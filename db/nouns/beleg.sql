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
    ) order by p.lfd_nr, p.id
  ), '[]')
  from app.position p
  where p.rechnung_id = beleg_lines.rechnung_id or p.angebot_id = beleg_lines.angebot_id
$$;
grant execute on function books.beleg_lines(bigint, bigint) to nutzer, forst_definer, forst_betrieb;

create or replace function books.beleg_lieferant()
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'name', coalesce(l.name, ''), 'name_zusatz', coalesce(l.name_zusatz, ''),
    'strasse', coalesce(l.strasse, ''), 'plz', coalesce(l.plz, ''), 'ort', coalesce(l.ort, ''),
    'land', coalesce(l.land, 'DE'), 'steuernummer', coalesce(l.steuernummer, ''),
    'ust_id', coalesce(l.ust_id, ''), 'ansprechpartner', coalesce(l.ansprechpartner, ''),
    'telefon', coalesce(l.telefon, ''), 'mail', coalesce(l.mail, ''), 'webseite', coalesce(l.webseite, ''),
    'bank', coalesce(l.bank, ''), 'kontoinhaber', coalesce(nullif(l.kontoinhaber, ''), l.name, ''),
    'iban', coalesce(l.iban, ''), 'bic', coalesce(l.bic, ''), 'fusszeile', coalesce(l.fusszeile, ''),
    'kleinunternehmer', coalesce(l.kleinunternehmer, false)
  )
  from (values (1)) as one(row) left join app.lieferant l on true
$$;
grant execute on function books.beleg_lieferant() to forst_definer;

create or replace function books.beleg_recipient(client_id bigint, bestellnummer text)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'client_id', k.client_id::text, 'name', k.name, 'name_zusatz', coalesce(k.name_zusatz, ''),
    'strasse', k.strasse, 'plz', k.plz, 'ort', k.ort, 'land', coalesce(b.land, 'DE'),
    'ust_id', coalesce(b.ust_id, ''), 'leitweg_id', coalesce(b.leitweg_id, ''),
    'bestellnummer', coalesce(beleg_recipient.bestellnummer, b.bestellnummer, ''),
    'mail', coalesce(b.rechnung_mail, ''), 'ist_privat', coalesce(b.ist_privat, false)
  )
  from app.kunde k left join app.kunde_rechnung b on b.client_id = k.client_id
  where k.client_id = beleg_recipient.client_id
$$;
grant execute on function books.beleg_recipient(bigint, text) to forst_definer;

-- The part of a document that comes from columns of both tables. `draft` is the row.
create or replace function books.beleg_head(draft jsonb)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'fassung', 1, 'id', draft ->> 'id', 'bearbeiter', draft -> 'bearbeiter', 'anrede', draft -> 'anrede',
    'anschreiben', draft -> 'anschreiben', 'zuerl', draft -> 'zuerl', 'ust_satz', draft ->> 'ust_satz',
    'rabatt_prozent', draft ->> 'rabatt_prozent', 'rabatt_grund', draft -> 'rabatt_grund',
    'lieferant', books.beleg_lieferant()
  )
$$;
grant execute on function books.beleg_head(jsonb) to forst_definer;

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
create or replace function books.sums_of(
  beleg jsonb, out netto numeric, out steuer numeric, out brutto numeric, out zahlbetrag numeric
) language sql immutable set search_path = pg_catalog as $$
  select s.netto, s.steuer, s.brutto, s.zahlbetrag
  from jsonb_to_record(beleg -> 'summen') as s(
    netto numeric, steuer numeric, brutto numeric, zahlbetrag numeric
  )
$$;
grant execute on function books.sums_of(jsonb) to forst_definer;

create or replace function books.beleg_sha256(beleg jsonb)
  returns text language sql immutable set search_path = pg_catalog
  return encode(sha256(convert_to(beleg::text, 'UTF8')), 'hex');
grant execute on function books.beleg_sha256(jsonb) to forst_definer;

-- Drafts ----------------------------------------------------------------------------------------------------

-- The rate of a new document unless the caller names one, and the clerk's name that it bears.
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

-- What the law requires of a document (§ 14 (4) UStG), and what an office or bank would refuse. Refuses the
-- first fault at its field; the browser shows all of them before (domain/beleg-check.ts).
create or replace function books.check_beleg(beleg jsonb)
  returns void language plpgsql stable set search_path = pg_catalog as $$
declare
  supplier jsonb := beleg -> 'lieferant';
  buyer jsonb := beleg -> 'empfaenger';
  entry jsonb;
  counted integer := 0;
  offer boolean := beleg ->> 'art' = 'angebot';
  categories text[];
begin
  if '' = any (array[
    supplier ->> 'name', supplier ->> 'strasse', supplier ->> 'plz', supplier ->> 'ort'
  ]) then
    perform checks.refuse_field('lieferant', 'beleg_lieferant', 'the supplier has no address');
  end if;
  if '' = any (array[buyer ->> 'name', buyer ->> 'strasse', buyer ->> 'plz', buyer ->> 'ort']) then
    perform checks.refuse_field('client_id', 'beleg_empfaenger', 'the customer has no address');
  end if;
  for entry in select p from jsonb_array_elements(beleg -> 'positionen') p loop
    if btrim(entry ->> 'bez', E' \n\t') = '' then
      perform checks.refuse_field(
        'bez', 'beleg_bezeichnung', 'position ' || (entry ->> 'nr') || ' says nothing'
      );
    end if;
    continue when entry ->> 'art' = 'ueberschrift';
    if (entry ->> 'ep')::numeric < 0 then
      perform checks.refuse_field(
        'ep', 'beleg_preis', 'position ' || (entry ->> 'nr') || ' has a price below nothing'
      );
    end if;
    if not offer and entry ->> 'art' <> 'position' then
      perform checks.refuse_field('art', 'beleg_optional', 'position ' || (entry ->> 'nr') || ' is optional');
    end if;
    counted := counted + case when entry ->> 'art' = 'position' then 1 else 0 end;
    if entry ->> 'kategorie' in ('E', 'O') and btrim(entry ->> 'steuergrund') = '' then
      perform checks.refuse_field(
        'steuergrund', 'beleg_steuergrund',
        'position ' || (entry ->> 'nr') || ' bears no tax and says no reason'
      );
    end if;
    if not offer and beleg ->> 'le_date' is null and entry ->> 'le_date' is null then
      perform checks.refuse_field('le_date', 'beleg_leistungsdatum', 'no day of supply');
    end if;
  end loop;
  if counted = 0 then
    perform checks.refuse_field('positionen', 'beleg_positionen', 'nothing to bill');
  end if;
  if (beleg #>> '{summen,brutto}')::numeric < 0 then
    perform checks.refuse_field('positionen', 'beleg_negativ', 'below nothing');
  end if;
  if (beleg ->> 'rabatt_prozent')::numeric > 0 and btrim(beleg ->> 'rabatt_grund') = '' then
    perform checks.refuse_field('rabatt_grund', 'beleg_rabatt_grund', 'a discount needs its reason');
  end if;
  if offer then return; end if;
  if (beleg #>> '{summen,zahlbetrag}')::numeric < 0 then
    perform checks.refuse_field('anzahlung', 'beleg_anzahlung', 'more was paid than is billed');
  end if;
  if coalesce(checks.tax_number_fault(supplier ->> 'steuernummer'), '') <> ''
    and coalesce(checks.ust_id_fault(supplier ->> 'ust_id'), '') <> ''
  then
    perform checks.refuse_field('steuernummer', 'beleg_steuernummer', 'no tax number');
  end if;
  if supplier ->> 'iban' <> '' and checks.iban_fault(supplier ->> 'iban') is not null then
    perform checks.refuse_field('iban', 'iban', 'the account number is mistyped');
  end if;
  select array_agg(distinct s ->> 'kategorie') into categories
  from jsonb_array_elements(beleg #> '{summen,steuern}') s;
  if 'O' = any (categories) and cardinality(categories) > 1 then
    perform checks.refuse_field('kategorie', 'beleg_kategorie', 'O stands alone');
  end if;
  if 'AE' = any (categories)
    and (
      coalesce(checks.ust_id_fault(buyer ->> 'ust_id'), '') <> ''
      or coalesce(checks.ust_id_fault(supplier ->> 'ust_id'), '') <> ''
    )
  then
    perform checks.refuse_field('ust_id', 'beleg_reverse_charge', 'reverse charge needs both VAT ids');
  end if;
  if beleg ->> 'format' = 'xrechnung' then
    if checks.leitweg_fault(buyer ->> 'leitweg_id') is not null then
      perform checks.refuse_field('leitweg_id', 'beleg_leitweg', 'no Leitweg-ID, or mistyped');
    end if;
    if '' = any (array[supplier ->> 'ansprechpartner', supplier ->> 'telefon', supplier ->> 'mail']) then
      perform checks.refuse_field('lieferant', 'beleg_kontakt', 'contact of the supplier');
    end if;
    if buyer ->> 'mail' = '' then
      perform checks.refuse_field('rechnung_mail', 'beleg_mail', 'address of the customer');
    end if;
    if supplier ->> 'iban' = '' then perform checks.refuse_field('iban', 'beleg_iban', 'the account'); end if;
  end if;
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

-- Reads -----------------------------------------------------------------------------------------------------

-- The document: of a draft as it would be issued now, of an issued one the frozen text. Definer: reads the
-- supplier and the customer's billing data.
create or replace function app.a_get_beleg(art text, id bigint)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare
  invoice app.rechnung;
  offer app.angebot;
begin
  if a_get_beleg.art in ('rechnung', 'storno') then
    select r.* into invoice from app.rechnung r where r.id = a_get_beleg.id;
  elsif a_get_beleg.art = 'angebot' then
    select a.* into offer from app.angebot a where a.id = a_get_beleg.id;
  end if;
  -- An auditor reads what is issued, and learns nothing of drafts.
  perform rights.refuse_unless(rights.reads_books(coalesce(invoice.beleg, offer.beleg) is not null));
  perform rights.check_found(coalesce(invoice.id, offer.id) is not null);
  return coalesce(invoice.beleg, offer.beleg, case
    when invoice.id is null then books.angebot_beleg(offer)
    else books.rechnung_beleg(invoice)
  end);
end $$;
select rights.define('app.a_get_beleg(text, bigint)');
grant execute on function app.a_get_beleg(text, bigint) to nutzer;
