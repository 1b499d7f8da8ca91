-- Bookkeeping: number ranges, the supplier, invoices and offers with their positions, the documents made of them, and the audit chain.
-- No rows here: what is missing counts as its default (db/nouns/buch.sql), so that a dump fits into an empty database.

-- Text of several lines: line feeds and tabs are the only control characters.
create function rechte.is_text(value text, longest integer) returns boolean language sql immutable parallel safe set search_path = pg_catalog
  return value is null or (char_length(value) <= longest and value !~ '[\x01-\x08\x0b-\x1f\x7f]');
-- One line that may be empty.
create function rechte.is_line_or_empty(value text, longest integer) returns boolean language sql immutable parallel safe set search_path = pg_catalog
  return value is null or value = '' or rechte.is_line(value, longest);

-- Up to three tiers of cash discount: [{"tage": 10, "prozent": "2.00"}, …], days and nothing twice, per cent as text.
create function rechte.is_skonto(value jsonb) returns boolean language sql immutable parallel safe set search_path = pg_catalog
  return jsonb_typeof(value) = 'array' and jsonb_array_length(value) <= 3
    and not exists (select from jsonb_array_elements(value) with ordinality as t(tier, nr) where jsonb_typeof(tier) <> 'object' or tier - '{tage,prozent}'::text[] <> '{}'
      or jsonb_typeof(tier -> 'tage') is distinct from 'number' or (tier ->> 'tage') !~ '^[1-9][0-9]{0,2}$'
      or jsonb_typeof(tier -> 'prozent') is distinct from 'string' or (tier ->> 'prozent') !~ '^(0\.[0-9]*[1-9][0-9]*|[1-9][0-9]?(\.[0-9]{1,2})?)$')
    and (select count(distinct tier ->> 'tage') = count(*) from jsonb_array_elements(value) tier);

create function rechte.is_unit_price(value numeric) returns boolean language sql immutable parallel safe set search_path = pg_catalog
  return abs(value) < 10000000000;

-- Who issues: one row.
create table app.lieferant (
  eines boolean primary key default true check (eines),
  name text not null check (rechte.is_line(name, 200)),
  name_zusatz text not null default '' check (rechte.is_line_or_empty(name_zusatz, 200)),
  strasse text not null check (rechte.is_line(strasse, 200)),
  plz text not null check (rechte.is_line(plz, 12)),
  ort text not null check (rechte.is_line(ort, 200)),
  land text not null default 'DE' check (land ~ '^[A-Z]{2}$'),
  steuernummer text not null default '' check (rechte.is_line_or_empty(steuernummer, 40)),
  ust_id text not null default '' check (ust_id ~ '^([A-Z]{2}[A-Z0-9]{2,13})?$'),
  ansprechpartner text not null default '' check (rechte.is_line_or_empty(ansprechpartner, 100)),
  telefon text not null default '' check (rechte.is_line_or_empty(telefon, 40)),
  mail text not null default '' check (mail = '' or rechte.is_email(mail)),
  webseite text not null default '' check (rechte.is_line_or_empty(webseite, 200)),
  bank text not null default '' check (rechte.is_line_or_empty(bank, 100)),
  kontoinhaber text not null default '' check (rechte.is_line_or_empty(kontoinhaber, 70)),
  iban text not null default '' check (iban ~ '^([A-Z]{2}[0-9]{2}[A-Z0-9]{11,30})?$'),
  bic text not null default '' check (bic ~ '^([A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?)?$'),
  fusszeile text not null default '' check (rechte.is_text(fusszeile, 1000)),
  kleinunternehmer boolean not null default false,
  -- Days, for customers without a term of their own.
  zahlungsziel integer not null default 14 check (zahlungsziel between 0 and 365),
  skonto jsonb not null default '[]' check (rechte.is_skonto(skonto)),
  -- Days for which an offer holds.
  angebot_tage integer not null default 30 check (angebot_tage between 1 and 730),
  ust_satz numeric(5, 2) not null default 19 check (ust_satz between 0 and 99),
  logo bytea check (octet_length(logo) <= 1048576),
  logo_typ text check (logo_typ in ('image/png', 'image/jpeg', 'image/svg+xml')),
  -- Fees of the three levels of dunning, as text with two decimals.
  mahngebuehren jsonb not null default '["0.00", "5.00", "10.00"]' check (jsonb_typeof(mahngebuehren) = 'array' and jsonb_array_length(mahngebuehren) = 3),
  -- § 14 (4) Nr. 9 UStG, printed for private persons.
  aufbewahrung_text text not null default 'Bitte bewahren Sie diese Rechnung zwei Jahre lang auf (§ 14b Abs. 1 Satz 5 UStG).' check (rechte.is_text(aufbewahrung_text, 500)),
  -- DATEV: adviser, client, length of the accounts, revenue accounts by category and rate ({"S 19.00": "8400"}), first debtor account.
  datev_berater text not null default '' check (datev_berater ~ '^[0-9]{0,7}$'),
  datev_mandant text not null default '' check (datev_mandant ~ '^[0-9]{0,5}$'),
  datev_kontenlaenge integer not null default 4 check (datev_kontenlaenge between 4 and 8),
  datev_erloeskonten jsonb not null default '{}' check (jsonb_typeof(datev_erloeskonten) = 'object'),
  datev_debitor_von integer not null default 10000 check (datev_debitor_von between 10000 and 999999999),
  version integer not null default 1,
  geaendert_am timestamptz not null default now(),
  geaendert_von text,
  check ((logo is null) = (logo_typ is null))
);

-- The counters. A row is locked while a number is given: a sequence would leave gaps.
create table app.nummernkreis (
  art text primary key check (art in ('rechnung', 'angebot')),
  -- {JJJJ} or {JJ} the year, {N…} the number with that many places at least.
  muster text not null check (rechte.is_line(muster, 40) and muster ~ '^[^{}]*(\{(JJJJ|JJ)\}[^{}]*)?\{N{1,9}\}[^{}]*$'),
  -- Begins anew with each year.
  jaehrlich boolean not null default true,
  -- Of the last number given.
  jahr integer,
  naechste bigint not null default 1 check (naechste between 1 and 999999999),
  version integer not null default 1,
  geaendert_am timestamptz not null default now(),
  geaendert_von text,
  check (not jaehrlich or muster ~ '\{JJ')
);

-- How a customer is billed; a customer without a row is billed by the supplier's defaults.
create table app.kunde_rechnung (
  client_id bigint primary key references app.kunde on delete cascade,
  rechnungsformat text not null default 'zugferd' check (rechnungsformat in ('xrechnung', 'zugferd', 'pdf')),
  leitweg_id text not null default '' check (rechte.is_line_or_empty(leitweg_id, 46)),
  rechnung_mail text not null default '' check (rechnung_mail = '' or rechte.is_email(rechnung_mail)),
  ust_id text not null default '' check (ust_id ~ '^([A-Z]{2}[A-Z0-9]{2,13})?$'),
  land text not null default 'DE' check (land ~ '^[A-Z]{2}$'),
  ist_privat boolean not null default false,
  zahlungsziel integer check (zahlungsziel between 0 and 365),
  skonto jsonb check (rechte.is_skonto(skonto)),
  bestellnummer text not null default '' check (rechte.is_line_or_empty(bestellnummer, 100)),
  -- Debtor account at DATEV.
  debitor text not null default '' check (debitor ~ '^[0-9]{0,9}$'),
  version integer not null default 1,
  geaendert_am timestamptz not null default now(),
  geaendert_von text
);

create table app.angebot (
  id bigint generated by default as identity primary key,
  client_id bigint not null references app.kunde,
  bearbeiter text not null default '' check (rechte.is_line_or_empty(bearbeiter, 100)),
  an_datum date not null check (an_datum between '2000-01-01' and '2199-12-31'),
  gueltig_bis date,
  anrede text not null default '' check (rechte.is_text(anrede, 500)),
  anschreiben text not null default '' check (rechte.is_text(anschreiben, 10000)),
  zuerl text not null default '' check (rechte.is_text(zuerl, 10000)),
  ust_satz numeric(5, 2) not null check (ust_satz between 0 and 99),
  status text not null default 'entwurf' check (status in ('entwurf', 'versendet', 'angenommen', 'abgelehnt', 'ersetzt')),
  -- The customer has signed.
  sign boolean not null default false,
  nummer text check (rechte.is_line(nummer, 60)),
  -- Revision: the same number, counted from 1.
  fassung integer not null default 1 check (fassung between 1 and 999),
  -- The revision before this one.
  ersetzt bigint references app.angebot,
  kopie_von bigint,
  -- Per cent, for the forecast.
  chance integer check (chance between 0 and 100),
  rabatt_prozent numeric(5, 2) not null default 0 check (rabatt_prozent between 0 and 100),
  rabatt_grund text not null default '' check (rechte.is_line_or_empty(rabatt_grund, 200)),
  ausgestellt_am timestamptz,
  ausgestellt_von text,
  entschieden_am timestamptz,
  -- Who said so, and whether the customer said it here ('portal', 'link') or the office noted it ('intern').
  entschieden_von text check (rechte.is_line(entschieden_von, 200)),
  entschieden_als text check (entschieden_als in ('intern', 'portal', 'link')),
  entscheidung text not null default '' check (rechte.is_text(entscheidung, 2000)),
  archiviert boolean not null default false,
  netto numeric(14, 2) not null default 0,
  steuer numeric(14, 2) not null default 0,
  brutto numeric(14, 2) not null default 0,
  -- As it was sent (domain/beleg.ts).
  beleg jsonb,
  version integer not null default 1,
  geaendert_am timestamptz not null default now(),
  geaendert_von text,
  suchtext text not null generated always as (rechte.search_text(coalesce(nummer, 'entwurf') || ' ' || bearbeiter)) stored,
  unique (client_id, id),
  check (brutto = netto + steuer),
  check ((status = 'entwurf') = (beleg is null) and (status = 'entwurf') = (ausgestellt_am is null) and (status = 'entwurf' or nummer is not null)),
  check ((status in ('angenommen', 'abgelehnt')) <= (entschieden_am is not null))
);
-- A draft revision bears its number already.
create unique index angebot_nummer on app.angebot (nummer, fassung);
create unique index angebot_ersetzt on app.angebot (ersetzt);
create index angebot_datum on app.angebot (an_datum desc, id);
create index angebot_status on app.angebot (status, id);
create index angebot_suche on app.angebot using gin (suchtext public.gin_trgm_ops);

create table app.rechnung (
  id bigint generated by default as identity primary key,
  client_id bigint not null references app.kunde,
  bearbeiter text not null default '' check (rechte.is_line_or_empty(bearbeiter, 100)),
  le_date date check (le_date between '2000-01-01' and '2199-12-31'),
  le_date_bis date check (le_date_bis between '2000-01-01' and '2199-12-31'),
  rn_datum date not null check (rn_datum between '2000-01-01' and '2199-12-31'),
  anrede text not null default '' check (rechte.is_text(anrede, 500)),
  anschreiben text not null default '' check (rechte.is_text(anschreiben, 10000)),
  zuerl text not null default '' check (rechte.is_text(zuerl, 10000)),
  -- Per cent, for positions without a rate of their own.
  ust_satz numeric(5, 2) not null check (ust_satz between 0 and 99),
  art text not null default 'rechnung' check (art in ('rechnung', 'storno')),
  zustand text not null default 'entwurf' check (zustand in ('entwurf', 'ausgestellt')),
  -- Given at issue.
  nummer text check (rechte.is_line(nummer, 60)),
  -- Counts the issued ones of the range in their order; the number as text does not sort.
  folge bigint unique,
  ausgestellt_am timestamptz,
  ausgestellt_von text,
  storno_von bigint references app.rechnung,
  storno_grund text not null default '' check (rechte.is_text(storno_grund, 1000)),
  kopie_von bigint,
  angebot_id bigint,
  -- Day by which it is to be paid; given at issue.
  faellig date,
  -- Days; null: the customer's, else the supplier's.
  zahlungsziel integer check (zahlungsziel between 0 and 365),
  skonto jsonb check (rechte.is_skonto(skonto)),
  rabatt_prozent numeric(5, 2) not null default 0 check (rabatt_prozent between 0 and 100),
  rabatt_grund text not null default '' check (rechte.is_line_or_empty(rabatt_grund, 200)),
  -- Paid already, gross; a Storno's is negative.
  anzahlung numeric(14, 2) not null default 0,
  bestellnummer text check (rechte.is_line_or_empty(bestellnummer, 100)),
  -- Null: the customer's.
  format text check (format in ('xrechnung', 'zugferd', 'pdf')),
  archiviert boolean not null default false,
  netto numeric(14, 2) not null default 0,
  steuer numeric(14, 2) not null default 0,
  brutto numeric(14, 2) not null default 0,
  zahlbetrag numeric(14, 2) not null default 0,
  -- As it was issued (domain/beleg.ts).
  beleg jsonb,
  version integer not null default 1,
  geaendert_am timestamptz not null default now(),
  geaendert_von text,
  suchtext text not null generated always as (rechte.search_text(coalesce(nummer, 'entwurf') || ' ' || bearbeiter || ' ' || coalesce(bestellnummer, ''))) stored,
  unique (client_id, id),
  foreign key (client_id, angebot_id) references app.angebot (client_id, id),
  check (le_date_bis >= le_date),
  check (brutto = netto + steuer),
  check (zahlbetrag = brutto - anzahlung),
  check (art = 'storno' or anzahlung >= 0),
  check ((art = 'storno') = (storno_von is not null) and (art = 'storno') <= (zustand = 'ausgestellt')),
  check ((zustand = 'entwurf') = (nummer is null) and (zustand = 'entwurf') = (folge is null) and (zustand = 'entwurf') = (beleg is null) and (zustand = 'entwurf') = (ausgestellt_am is null)),
  check ((zustand = 'entwurf') = (faellig is null)),
  check (not archiviert or zustand = 'ausgestellt')
);
create unique index rechnung_nummer on app.rechnung (nummer);
-- Once only.
create unique index rechnung_storno on app.rechnung (storno_von);
create index rechnung_angebot on app.rechnung (client_id, angebot_id);
create index rechnung_datum on app.rechnung (rn_datum desc, id);
create index rechnung_faellig on app.rechnung (faellig, id);
create index rechnung_suche on app.rechnung using gin (suchtext public.gin_trgm_ops);

create table app.position (
  id bigint generated by default as identity primary key,
  client_id bigint not null,
  rechnung_id bigint,
  angebot_id bigint,
  -- Order; 1, 2, 3 … without gaps after each save.
  lfd_nr integer not null check (lfd_nr between 1 and 100000),
  art text not null default 'position' check (art in ('position', 'optional', 'alternativ', 'ueberschrift')),
  anzahl numeric(12, 3) not null default 1,
  einheit text not null default '' check (rechte.is_line_or_empty(einheit, 20)),
  bez text not null default '' check (rechte.is_text(bez, 500)),
  -- Net, euros, four places.
  ep numeric(14, 4) not null default 0 check (rechte.is_unit_price(ep)),
  rabatt_prozent numeric(5, 2) not null default 0 check (rabatt_prozent between 0 and 100),
  -- Null: the document's.
  ust_satz numeric(5, 2) check (ust_satz between 0 and 99),
  -- Null: S where there is a rate, else E.
  kategorie text check (kategorie in ('S', 'E', 'AE', 'O')),
  steuergrund text not null default '' check (rechte.is_line_or_empty(steuergrund, 200)),
  erl text not null default '' check (rechte.is_text(erl, 5000)),
  erl_on boolean not null default true,
  erl_titel text not null default '' check (rechte.is_line_or_empty(erl_titel, 200)),
  le_date date check (le_date between '2000-01-01' and '2199-12-31'),
  le_date_bis date check (le_date_bis between '2000-01-01' and '2199-12-31'),
  -- Which line of an offer this line of an invoice bills.
  angebot_position_id bigint references app.position,
  -- Optional and alternative lines of an accepted offer.
  gewaehlt boolean not null default false,
  foreign key (client_id, rechnung_id) references app.rechnung (client_id, id) on update cascade on delete cascade,
  foreign key (client_id, angebot_id) references app.angebot (client_id, id) on update cascade on delete cascade,
  check ((rechnung_id is null) <> (angebot_id is null)),
  check (le_date_bis >= le_date),
  check (angebot_position_id is null or rechnung_id is not null)
);
create index position_rechnung on app.position (rechnung_id, client_id, lfd_nr);
create index position_angebot on app.position (angebot_id, client_id, lfd_nr);
create index position_bezug on app.position (angebot_position_id);

-- PDF and XML as they were made first; never made again. The reference of mahnung_id comes with that table.
create table app.dokument (
  id bigint generated by default as identity primary key,
  client_id bigint not null,
  rechnung_id bigint,
  angebot_id bigint,
  mahnung_id bigint,
  art text not null check (art in ('pdf', 'xml')),
  dateiname text not null check (rechte.is_line(dateiname, 150) and dateiname !~ '[/\\]'),
  inhalt bytea not null check (octet_length(inhalt) between 1 and 20971520),
  sha256 text not null check (sha256 = encode(pg_catalog.sha256(inhalt), 'hex')),
  groesse integer not null generated always as (octet_length(inhalt)) stored,
  -- Version of the rules that it was made by.
  regelwerk text not null default '' check (rechte.is_line_or_empty(regelwerk, 100)),
  erzeugt_am timestamptz not null default now(),
  foreign key (client_id, rechnung_id) references app.rechnung (client_id, id) on delete cascade,
  foreign key (client_id, angebot_id) references app.angebot (client_id, id) on delete cascade,
  check (num_nonnulls(rechnung_id, angebot_id, mahnung_id) = 1)
);
create unique index dokument_rechnung on app.dokument (rechnung_id, client_id, art);
create unique index dokument_angebot on app.dokument (angebot_id, client_id, art);
create unique index dokument_mahnung on app.dokument (mahnung_id, client_id, art);
create index dokument_kunde on app.dokument (client_id, id);

-- What was done in the books, one row after the other, each with the hash of the one before.
create table app.protokoll (
  nr bigint primary key check (nr > 0),
  zeit timestamptz not null,
  -- The name is not part of the hash: it is taken out when a person's data are deleted. The number stays.
  wer text,
  user_id bigint,
  gegenstand text not null check (gegenstand ~ '^[a-z_]{3,30}$'),
  gegenstand_id bigint,
  client_id bigint,
  ereignis text not null check (ereignis ~ '^[a-z_]{3,40}$'),
  inhalt jsonb not null default '{}',
  vorher text not null check (vorher ~ '^[0-9a-f]{64}$'),
  hash text not null unique check (hash ~ '^[0-9a-f]{64}$')
);
create index protokoll_gegenstand on app.protokoll (gegenstand, gegenstand_id, nr);
create index protokoll_kunde on app.protokoll (client_id, nr);
create index protokoll_wer on app.protokoll (user_id, nr);
