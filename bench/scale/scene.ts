// The books and registers of a provider with very many customers, made in SQL: `customers` customers, as many
// trees and survey objects, a fifth as many invoices (three lines and a payment each), a tenth as many plans.
// What each row holds follows from its number, so that two runs load the same rows.
import type { OwnerConnection } from '#server/database/database.ts'
import { HOUSES, MEN, STREETS, SURNAMES, WOMEN } from '../../db/seeds/words.ts'

export const ISS = 'bench'
/** Who asks: the provider's admin of both halves, and people of single customers. */
export const CALLERS = {
  staff: { sub: 'staff', groups: ['appuser_apus_admin'] },
  customer: { sub: 'customer', groups: ['appuser_admin'] },
  forester: { sub: 'forester', groups: ['appuser_admin'] },
} as const
export type CallerName = keyof typeof CALLERS

/** The customer whose people ask, and which has something of everything; the number of their headquarters. */
export const OWN = 700
export const OWN_HQ = 7
const PEOPLE = 90_000_000

const TABLES = [
  'kunde',
  'hq',
  'kunde_hq',
  'benutzer',
  'benutzer_kunde',
  'benutzer_hq',
  'habitatbaeume',
  'rechnung',
  'position',
  'zahlung',
  'rechnung_offen',
  'angebot',
  'angebot_offen',
  'vermessung_import',
  'draenage',
  'schacht',
  'ausmuendung',
  'schlucker',
  'einlauf',
  'kartenblatt',
  'mappoint',
  'karte_datei',
  'karte_auftrag',
  'verlauf',
  'eingang',
  'serie',
  'serie_lauf',
  'mahnung',
  'versand',
  'kontoumsatz',
  'meldung',
  'notiz',
  'ereignis',
] as const

const list = (words: readonly string[]) =>
  `'{${words.map((word) => JSON.stringify(word)).join(',')}}'::text[]`
const PLACES = ['Leipzig', 'Kassel', 'Göttingen', 'Fürth', 'Würzburg', 'Zwickau', 'Suhl', 'Goslar', 'Ulm']
const LANDS = ['Bayern', 'Hessen', 'Sachsen', 'Thüringen', 'Brandenburg', 'Niedersachsen']
const word = (array: string, n: string) => `${array}[(1 + (${n}) % cardinality(${array}))::integer]`

const BELEG = `jsonb_build_object('nummer', 'RE-' || i, 'datum', day::text,
  'empfaenger', jsonb_build_object('client_id', (1 + i % k)::text, 'name', 'Kunde ' || i % k),
  'summen', jsonb_build_object('netto', 300.00, 'steuer', 57.00, 'brutto', 357.00, 'zahlbetrag', 357.00))`

const customersSql = (n: number) => `
  insert into app.kunde (client_id, name, strasse, plz, ort, bundesland, ap_vorname, ap_nachname, geaendert_am)
    select i, case i % 3 when 0 then ${word('nach', 'i * 7')} when 1 then ${word('ort', 'i / 7')}
      else ${word('haus', 'i / 11')} end || ' ' || i / 13, ${word('strasse', 'i')} || ' ' || i % 90,
      lpad((i * 7919 % 99999)::text, 5, '0'), ${word('ort', 'i')}, ${word('land', 'i')},
      ${word('vor', 'i * 3')}, ${word('nach', 'i * 5')}, timestamptz '2026-01-01' - i * interval '10 s'
    from w, generate_series(1::bigint, ${n}) i;
  insert into app.verlauf (tabelle, schluessel, client_id, aktion, zeit, wer)
    select 'kunde', i::text, i, 'insert', timestamptz '2026-01-01' - i * interval '10 s', 'Anna Ahorn'
    from generate_series(1::bigint, ${n}) i;
  insert into app.hq ("idHQ", client_id, "sHQ", "dcFLAEHB")
    select i, i * 100, 'Revier ' || ${word('haus', 'i')} || ' ' || i, i % 900
    from w, generate_series(1::bigint, ${n / 100}) i;
  insert into app.kunde_hq (hqid, client_id) select "idHQ", client_id from app.hq;`

const peopleSql = (n: number) => `
  insert into app.benutzer (user_id, email, username, first_name, last_name, system_status)
    select i, 'p' || i || '@forst' || i % 50 || '.example', 'u' || i, ${word('vor', 'i')},
      ${word('nach', 'i / 3')}, 'ogf_standard'
    from w, generate_series(1::bigint, ${n / 5}) i;
  insert into app.benutzer_kunde (client_id, user_id, rolle) select 1 + i * 5 % ${n}, i, 'nutzer'
    from generate_series(1::bigint, ${n / 5}) i;
  insert into app.benutzer_hq (client_id, hqid, user_id) select client_id, "idHQ", "idHQ" from app.hq;
  insert into app.benutzer (user_id, email, username, system_status, apus_admin)
    values (${PEOPLE + 1}, 'staff@bench.example', 'staff', 'admin', true),
      (${PEOPLE + 2}, 'customer@bench.example', 'customer', 'appuser', false),
      (${PEOPLE + 3}, 'forester@bench.example', 'forester', 'ogf_standard', false);
  insert into accounts.identitaet (iss, sub, user_id) values ('${ISS}', 'staff', ${PEOPLE + 1}),
    ('${ISS}', 'customer', ${PEOPLE + 2}), ('${ISS}', 'forester', ${PEOPLE + 3});
  insert into app.benutzer_kunde (client_id, user_id, rolle, kataster_enabled)
    values (${OWN}, ${PEOPLE + 2}, 'admin', true), (${OWN}, ${PEOPLE + 3}, 'kundenadmin', false);
  insert into app.benutzer_hq (client_id, hqid, user_id) values (${OWN}, ${OWN_HQ}, ${PEOPLE + 3});`

const treesSql = (n: number) => `
  insert into app.habitatbaeume (id, client_id, "idHQ", nummer, art, bhd_cm, erfasst_am, erfasser, lon, lat,
      genauigkeit_m, lage_methode, "sLVL02", "iSTAND", markierung_art)
    select i, (1 + i % ${n / 100}) * 100, 1 + i % ${n / 100}, i::text,
      ('{bu,sei,tei,fi,ki}'::text[])[(1 + i % 5)::integer], 20 + i % 80, date '2020-01-01' + (i % 2000)::int, 'Anna',
      8 + (i * 7919 % 30011) / 10000.0, 50 + (i * 104729 % 20011) / 10000.0, 2, 'gnss', i % 7, i % 9,
      case when i % 3 = 0 then 'welle' end
    from generate_series(1::bigint, ${n}) i;`

const invoicesSql = (n: number) => `
  insert into app.lieferant (name, strasse, plz, ort, steuernummer, iban) values ('Vermessung Probe GmbH',
    'Lindenweg 3', '17033', 'Neubrandenburg', '072/123/45678', 'DE02120300000000202051');
  insert into app.rechnung (id, client_id, le_date, rn_datum, ust_satz, netto, steuer, brutto, zahlbetrag,
      zustand, nummer, folge, ausgestellt_am, ausgestellt_von, faellig, beleg)
    select i, 1 + i % k, day, day, 19, 300, 57, 357, 357, 'ausgestellt', 'RE-' || i, i, day, 'Anna Ahorn',
      day + 14, ${BELEG}
    from generate_series(1::bigint, ${n / 5}) i, (select ${n}::bigint as k) x,
      lateral (select current_date - 2499 + (i % 2500)::int as day) d;
  insert into app.position (id, client_id, rechnung_id, lfd_nr, bez, anzahl, einheit, ep)
    select r.id * 3 + nr, r.client_id, r.id, nr, 'Vermessung eines Grabens mit Aufmaß und Skizze', 2, 'Stunde', 50
    from app.rechnung r, generate_series(1, 3) nr;
  insert into app.zahlung (rechnung_id, client_id, datum, betrag)
    select r.id, r.client_id, least(r.rn_datum + 10, current_date), 357
    from app.rechnung r
    where r.id % 50 <> 7;
  insert into app.rechnung_offen (rechnung_id, offen) select r.id, 357 from app.rechnung r where r.id % 50 = 7;
  insert into app.angebot (id, client_id, an_datum, ust_satz, netto, steuer, brutto, status, nummer,
      ausgestellt_am, beleg, entschieden_am, entschieden_von, entschieden_als)
    select i, 1 + i % k, day, 19, 300, 57, 357, 'angenommen', 'AN-' || i, day,
      ${BELEG.replace('RE-', 'AN-')} || '{"gueltig_bis": "2199-01-01"}', day, 'Kunde', 'intern'
    from generate_series(1::bigint, ${n / 50}) i, (select ${n}::bigint as k) x,
      lateral (select current_date - 2499 + (i % 2500)::int as day) d;
  insert into app.angebot_offen (angebot_id, begonnen, rest_brutto) select a.id, false, 357 from app.angebot a
    where a.id % 20 = 3;`

const PLACE = ['300000 + (i * 7919 % 300011)', '5600000 + (i * 104729 % 380011)'] as const
const THIRD = '(1 + i % 3)::integer'
const STATES = `(array[true, false, null])[${THIRD}], (array['GNSS/RTK', 'Tachymetrie', null])[${THIRD}]`
const surveySql = (n: number) => `
  insert into app.vermessung_import (id, client_id, dateiname, format, groesse, sha256, stand, modus)
    select i, i * 100, 'a.gpkg', 'gpkg', 1, repeat('0', 64), 'fertig', 'ersetzen'
    from generate_series(1::bigint, ${n / 100}) i;
  insert into app.draenage (client_id, import_id, vermessen, erfq, geom)
    select (1 + i % ${n / 100}) * 100, 1 + i % ${n / 100}, ${STATES}, public.st_setsrid(public.st_multi(
      public.st_makeline(public.st_makepoint(x, y), public.st_makepoint(x + 120, y + 20))), 25833)
    from generate_series(1::bigint, ${(n * 6) / 10}) i, lateral (select ${PLACE[0]} as x, ${PLACE[1]} as y) p;
  ${['schacht', 'ausmuendung', 'schlucker', 'einlauf']
    .map(
      (kind) => `insert into app.${kind} (client_id, import_id, vermessen, erfq, geom)
    select (1 + i % ${n / 100}) * 100, 1 + i % ${n / 100}, ${STATES},
      public.st_setsrid(public.st_makepoint(${PLACE[0]}, ${PLACE[1]}), 25833)
    from generate_series(1::bigint, ${n / 10}) i;`,
    )
    .join('\n')}`

const plansSql = (n: number) => `
  insert into app.kartenblatt (id, client_id, map_name, epsg, status, show_client, auftr_nr, kreis, gemarkung,
      jahr, georef_typ, geaendert_am)
    select i, (1 + i % ${n / 100}) * 100, 'Plan ' || i, 25833,
      ('{neu,gescannt,georeferenziert,geprueft}'::text[])[(1 + i % 4)::integer], i % 2 = 0, 'A' || i % 1000,
      ${word('ort', 'i')}, ${word('haus', 'i')}, 1900 + (i % 100)::integer, case when i % 2 = 0 then 'linear' end,
      timestamptz '2026-01-01' - i * interval '1 min'
    from w, generate_series(1::bigint, ${n / 10}) i;
  insert into app.mappoint (karte_id, client_id, nr, mapx, mapy, pixelx, pixely)
    select k.id, k.client_id, nr, 300000 + k.id, 5600000 + nr, nr, nr
    from app.kartenblatt k, generate_series(1, 4) nr
    where k.georef_typ is not null;
  insert into app.karte_datei (id, karte_id, client_id, art, name, mime, groesse, sha256, bild_sha256,
      kacheln_sha256, breite, hoehe)
    select k.id, k.id, k.client_id, 'scan', 'a.png', 'image/png', 1, repeat('0', 64), repeat('1', 64),
      repeat('2', 64), 1000, 1000
    from app.kartenblatt k;`

/** What arrives and goes out beside the invoices, and what people are notified of and write down. */
const aroundSql = (n: number) => `
  insert into app.eingang (id, dateiname, inhalt, format, geprueft, name, nummer, datum, netto, steuer, brutto,
      zahlbetrag, zustand, eingegangen_am)
    select i, 'eingang-' || i || '.xml', ('x' || i)::bytea, 'cii', 'EN 16931', ${word('haus', 'i')} || ' ' || i % 97,
      'L-' || i, current_date - (i % 2500)::int, 100, 19, 119, 119,
      case when i % 40 = 3 then 'neu' when i % 40 < 6 then 'freigegeben' else 'bezahlt' end,
      current_date - (i % 2500) * interval '1 day'
    from w, generate_series(1::bigint, ${n / 20}) i;
  insert into app.serie (id, client_id, titel, monate, beginn, zustand, naechste)
    select i, i, 'Wartung ' || ${word('haus', 'i')} || ' ' || i, 12, first, 'aktiv', case
        when i % 200 = 3 then (first + interval '4 years')::date
        else (first + interval '5 years')::date
      end
    from w, (select date_trunc('month', current_date - interval '1590 days')::date as first) f,
      generate_series(1::bigint, ${n / 5}) i;
  insert into app.serie_lauf (client_id, serie_id, nr, von, bis, art, grund)
    select s.id, s.id, nr, (s.beginn + (nr - 1) * interval '1 year')::date,
      (s.beginn + nr * interval '1 year')::date - 1, 'ausgelassen', 'Pause'
    from app.serie s, generate_series(1, 5) nr
    where nr < 5 or s.id % 200 <> 3;
  insert into app.mahnung (client_id, rechnung_id, stufe, datum, faellig, beleg)
    select r.client_id, r.id, 1, r.rn_datum + 20, r.rn_datum + 30, r.beleg from app.rechnung r where r.id % 20 = 7;
  insert into app.versand (client_id, rechnung_id, an, zustand, gesendet_am, angelegt_am)
    select r.client_id, r.id, 'kunde@forst.example', 'gesendet', r.rn_datum, r.rn_datum from app.rechnung r;
  insert into app.kontoumsatz (schluessel, datum, betrag, name, zweck, erledigt)
    select encode(sha256(r.id::text::bytea), 'hex'), r.rn_datum + 10, 357, 'Kunde ' || r.client_id, r.nummer,
      r.id % 500 <> 7
    from app.rechnung r;
  insert into app.meldung (user_id, art, schluessel, ziel, client_id, erstellt, gelesen_am)
    select u.user_id, 'karte_gezeigt', nr::text, '/karte/1', ${OWN}, timestamptz '2026-01-01' - nr * interval '1 h',
      case when nr > 3 then timestamptz '2026-01-01' end
    from app.benutzer u, generate_series(1, 5) nr;
  insert into app.notiz (client_id, text, angelegt_am, wer)
    select i, 'Angerufen', timestamptz '2026-01-01' - i * interval '1 min', 'Anna Ahorn'
    from generate_series(1::bigint, ${n}, 5) i;
  insert into app.ereignis (art, client_id, tabelle, datensatz, inhalt, am)
    select 'document.issued', r.client_id, 'rechnung', r.id, '{}', r.rn_datum from app.rechnung r order by r.id;
  insert into app.karte_auftrag (karte_id, client_id, datei_id, art, stand, angelegt_am, begonnen_am, beendet_am)
    select d.karte_id, d.client_id, d.id, 'kacheln', 'fertig', day, day, day
    from app.karte_datei d, lateral (select timestamptz '2026-01-01' - d.id * interval '1 min' as day) x,
      generate_series(1, 3);`

const PARTS = [customersSql, peopleSql, treesSql, invoicesSql, surveySql, plansSql, aroundSql]

/**
 * Fills an empty database. Indexes, checks and triggers would cost most of the time: checks come back unchecked,
 * because the rows are made to hold to them; indexes are built at the end.
 */
export async function load(owner: OwnerConnection, customers: number): Promise<void> {
  const tables = TABLES.map((name) => `'app.${name}'::regclass`).join(', ')
  const { rows: indexes } = await owner.query<{ name: string; text: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as text
      from pg_index i
      where i.indrelid in (${tables})
        and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
        and not i.indisunique`,
  )
  const { rows: checks } = await owner.query<{ at: string; name: string; text: string }>(
    `select c.conrelid::regclass::text as at, quote_ident(c.conname) as name, pg_get_constraintdef(c.oid) as text
      from pg_constraint c
      where c.conrelid in (${tables}) and c.contype = 'c'`,
  )
  await owner.script(`begin; set local session_replication_role = replica;
    ${indexes.map(({ name }) => `drop index ${name};`).join('\n')}
    ${checks.map(({ at, name }) => `alter table ${at} drop constraint ${name};`).join('\n')}
    create temp table w on commit drop as select ${list(SURNAMES)} as nach, ${list([...WOMEN, ...MEN])} as vor,
      ${list(STREETS)} as strasse, ${list(HOUSES)} as haus, ${list(PLACES)} as ort, ${list(LANDS)} as land;
    ${PARTS.map((part) => part(customers)).join('\n')}
    ${indexes.map(({ text }) => `${text};`).join('\n')}
    ${checks.map(({ at, name, text }) => `alter table ${at} add constraint ${name} ${text} not valid;`).join('\n')}
    ${[
      'kunde',
      'hq',
      'benutzer',
      'rechnung',
      'angebot',
      'position',
      'kartenblatt',
      'karte_datei',
      'habitatbaeume',
      'eingang',
      'serie',
    ]
      .map(
        (name) => `select setval(pg_get_serial_sequence('app.${name}', key), 80000000)
        from (select a.attname as key from pg_attribute a
          where a.attrelid = 'app.${name}'::regclass and a.attidentity <> '') k;`,
      )
      .join('\n')}
    commit`)
  await owner.script('vacuum analyze')
}
