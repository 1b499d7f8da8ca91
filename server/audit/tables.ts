// The tables of an audit (GoBD, access by handing over a data medium, "Z3"). index-xml.ts describes them to
// audit software; left-out.fixture.ts names what they do not hold.
import { DEBIT_TABLES } from './debit-tables.ts'
import { RECEIVED_TABLES } from './received-tables.ts'
import {
  amount,
  type Column,
  day,
  ENTRIES,
  id,
  moment,
  type Reference,
  type Table,
  text,
  yes,
} from './table.ts'
import { TRANSFER_TABLES } from './transfer-tables.ts'

/** Who a document was written to, as it says. */
const recipient = (beleg: string): Column[] =>
  (
    [
      ['Kunde', 'name'],
      ['Kunde Zusatz', 'name_zusatz'],
      ['Kunde Straße', 'strasse'],
      ['Kunde PLZ', 'plz'],
      ['Kunde Ort', 'ort'],
      ['Kunde Land', 'land'],
      ['Kunde USt-ID', 'ust_id'],
    ] as const
  ).map(([name, field]) => text(name, `${beleg} #>> '{empfaenger,${field}}'`))

const letter = (row: 'r' | 'a'): Column[] => [
  text('Bearbeiter', `${row}.bearbeiter`),
  text('Anrede', `${row}.anrede`),
  text('Anschreiben', `${row}.anschreiben`),
  text('Schlusstext', `${row}.zuerl`),
]
const sums = (row: 'r' | 'a'): Column[] => [
  amount('Steuersatz des Belegs', 2, `${row}.ust_satz`),
  amount('Summe der Positionen', 2, `${row}.beleg #>> '{summen,positionen}'`),
  amount('Rabatt Prozent', 2, `${row}.rabatt_prozent`),
  text('Rabatt Grund', `${row}.rabatt_grund`),
  amount('Rabatt', 2, `${row}.beleg #>> '{summen,rabatt}'`),
  amount('Netto', 2, `${row}.netto`),
  amount('Umsatzsteuer', 2, `${row}.steuer`),
  amount('Brutto', 2, `${row}.brutto`),
]
const issued = (row: 'r' | 'a'): Column[] => [
  yes('Archiviert', `${row}.archiviert`),
  moment('Ausgestellt am', `${row}.ausgestellt_am`),
  text('Ausgestellt von', `${row}.ausgestellt_von`),
]
/** A line with what the document says of it: number, amount, rate and category as computed. */
const line: readonly Column[] = [
  id('Reihenfolge', 'p.lfd_nr'),
  text('Position', `e.zeile ->> 'nr'`),
  text('Art', 'p.art'),
  text('Bezeichnung', 'p.bez'),
  text('Erläuterung Titel', 'p.erl_titel'),
  text('Erläuterung', 'p.erl'),
  yes('Erläuterung gedruckt', 'p.erl_on'),
  amount('Menge', 3, 'p.anzahl'),
  text('Einheit', 'p.einheit'),
  amount('Einzelpreis', 4, 'p.ep'),
  amount('Rabatt Prozent', 2, 'p.rabatt_prozent'),
  amount('Steuersatz', 2, `coalesce(e.zeile ->> 'ust_satz', p.ust_satz::text)`),
  text('Steuerkategorie', `coalesce(e.zeile ->> 'kategorie', p.kategorie)`),
  text('Steuergrund', `coalesce(e.zeile ->> 'steuergrund', p.steuergrund)`),
  amount('Betrag', 2, `e.zeile ->> 'betrag'`),
  day('Leistung von', 'p.le_date'),
  day('Leistung bis', 'p.le_date_bis'),
]
const lines = (kind: 'rechnung' | 'angebot'): string => `from (
      select q.*, row_number() over (partition by q.${kind}_id order by q.lfd_nr, q.id) as platz
      from app.position q where q.${kind}_id in (select w.id from ${kind}_p w)
    ) p left join (
      select x.id, t.zeile, t.nr from app.${kind} x
      cross join lateral jsonb_array_elements(x.beleg -> 'positionen') with ordinality as t(zeile, nr)
      where x.id in (select w.id from ${kind}_p w)
    ) e on e.id = p.${kind}_id and e.nr = p.platz order by p.${kind}_id, p.platz`

const KUNDE: Reference = { column: 'Kundennummer', table: 'kunden' }
const RECHNUNG: Reference = { column: 'Rechnungs-ID', table: 'rechnungen' }
const ANGEBOT: Reference = { column: 'Angebots-ID', table: 'angebote' }
const MAHNUNG: Reference = { column: 'Mahnungs-ID', table: 'mahnungen' }

const MASTER_DATA: readonly Table[] = [
  {
    name: 'unternehmen',
    titel: 'Das Unternehmen, das die Rechnungen stellt: heutige Angaben',
    keys: 1,
    spalten: [
      id('Unternehmen', 'l.eines::integer'),
      text('Name', 'l.name'),
      text('Name Zusatz', 'l.name_zusatz'),
      text('Straße', 'l.strasse'),
      text('PLZ', 'l.plz'),
      text('Ort', 'l.ort'),
      text('Land', 'l.land'),
      text('Steuernummer', 'l.steuernummer'),
      text('USt-ID', 'l.ust_id'),
      text('Bank', 'l.bank'),
      text('Kontoinhaber', 'l.kontoinhaber'),
      text('IBAN', 'l.iban'),
      text('BIC', 'l.bic'),
      text('Gläubiger-ID', 'l.glaeubiger_id'),
      id('Vorankündigung Tage', 'l.einzug_tage'),
      text('Fußzeile', 'l.fusszeile'),
      yes('Kleinunternehmer', 'l.kleinunternehmer'),
      text('Kleinunternehmer ab', 'l.kleinunternehmer_ab::text'),
      text('Besteuerung', 'l.besteuerung'),
      text('Besteuerung ab', 'l.besteuerung_ab::text'),
      id('Zahlungsziel Tage', 'l.zahlungsziel'),
      text('Skonto', 'l.skonto::text'),
      id('Angebote gelten Tage', 'l.angebot_tage'),
      amount('Steuersatz', 2, 'l.ust_satz'),
      text('Mahngebühren', 'l.mahngebuehren::text'),
      id('Mahnfrist Tage', 'l.mahn_frist'),
      id('Mahnkulanz Tage', 'l.mahn_kulanz'),
      text('Basiszinssätze', 'l.basiszins::text'),
      text('Hinweis zur Aufbewahrung', 'l.aufbewahrung_text'),
      id('Anlagen höchstens', 'l.anlagen_anzahl'),
      id('Anlagen höchstens MB', 'l.anlagen_mb'),
    ],
    rows: 'from app.lieferant l',
  },
  {
    name: 'nummernkreise',
    titel: 'Nummernkreise: heutiger Stand',
    keys: 1,
    spalten: [
      text('Art', 'n.art'),
      text('Muster', 'n.muster'),
      yes('Jährlich neu', 'n.jaehrlich'),
      id('Jahr der letzten Nummer', 'n.jahr'),
      id('Nächste Nummer', 'n.naechste'),
    ],
    rows: 'from app.nummernkreis n order by n.art',
  },
  {
    name: 'kunden',
    titel: 'Kunden, die in den Belegen des Zeitraums stehen: heutige Angaben',
    keys: 1,
    spalten: [
      id('Kundennummer', 'k.client_id'),
      text('Name', 'k.name'),
      text('Name Zusatz', 'k.name_zusatz'),
      text('Straße', 'k.strasse'),
      text('PLZ', 'k.plz'),
      text('Ort', 'k.ort'),
      text('Land', 'k.land'),
      text('USt-ID', 'b.ust_id'),
      yes('Privatperson', 'coalesce(b.ist_privat, false)'),
      text('Format der Rechnungen', 'b.rechnungsformat'),
      text('Syntax', 'b.syntax'),
      text('Leitweg-ID', 'b.leitweg_id'),
      id('Zahlungsziel Tage', 'b.zahlungsziel'),
      text('Skonto', 'b.skonto::text'),
      text('Bestellnummer', 'b.bestellnummer'),
      text('Leistungsort', 'b.leistungsort'),
      text('Leistungsland', 'b.leistungsland'),
      text('Käuferreferenz', 'b.kaeufer_ref'),
      text('Vertrag', 'b.vertrag_nr'),
      text('Debitor', 'b.debitor'),
    ],
    rows: `from app.a_get_buch_kunden($1::date, $2::date) k
      left join app.kunde_rechnung b on b.client_id = k.client_id order by k.client_id`,
  },
]

/** Where the supply is taxed, and the buyer's numbers. */
const more = (alias: 'r' | 'a') => [
  text('Leistungsort', `coalesce(${alias}.leistungsort, ${alias}.beleg ->> 'leistungsort')`),
  text('Leistungsland', `coalesce(${alias}.leistungsland, ${alias}.beleg ->> 'leistungsland')`),
  text('Käuferreferenz', `coalesce(${alias}.kaeufer_ref, ${alias}.beleg #>> '{verweise,kaeufer_ref}')`),
  text('Projekt', `${alias}.projekt_nr`),
  text('Vertrag', `coalesce(${alias}.vertrag_nr, ${alias}.beleg #>> '{verweise,vertrag_nr}')`),
  text('Vergabe oder Los', `${alias}.vergabe_nr`),
  text('Objekt', `${alias}.objekt_nr`),
]

const INVOICES: readonly Table[] = [
  {
    name: 'rechnungen',
    titel: 'Ausgestellte Rechnungen, Stornorechnungen und Rechnungskorrekturen',
    keys: 1,
    spalten: [
      id('Rechnungs-ID', 'r.id'),
      text('Nummer', 'r.nummer'),
      id('Folge', 'r.folge'),
      text('Art', 'r.art'),
      yes('Im Zeitraum', 'r.rn_datum between $1::date and $2::date'),
      day('Rechnungsdatum', 'r.rn_datum'),
      day('Leistung von', 'r.le_date'),
      day('Leistung bis', 'r.le_date_bis'),
      day('Fällig', 'r.faellig'),
      id('Zahlungsziel Tage', 'r.zahlungsziel'),
      id('Kundennummer', 'r.client_id'),
      ...recipient('r.beleg'),
      text('Leitweg-ID', `r.beleg #>> '{empfaenger,leitweg_id}'`),
      text('Bestellnummer', `coalesce(r.bestellnummer, r.beleg #>> '{empfaenger,bestellnummer}')`),
      ...letter('r'),
      ...sums('r'),
      amount('Anzahlung', 2, 'r.anzahlung'),
      amount('Zahlbetrag', 2, 'r.zahlbetrag'),
      text('Format', `coalesce(r.format, r.beleg ->> 'format')`),
      id('Storniert Rechnungs-ID', 'r.storno_von'),
      text('Storniert Rechnung', 's.nummer'),
      text('Storno Grund', 'r.storno_grund'),
      id('Korrigiert Rechnungs-ID', 'r.korrektur_von'),
      text('Korrigiert Rechnung', 'o.nummer'),
      id('Angebots-ID', 'r.angebot_id'),
      id('Kopie von', 'r.kopie_von'),
      ...more('r'),
      ...issued('r'),
    ],
    foreign: [
      KUNDE,
      ANGEBOT,
      { column: 'Storniert Rechnungs-ID', table: 'rechnungen', to: 'Rechnungs-ID' },
      { column: 'Korrigiert Rechnungs-ID', table: 'rechnungen', to: 'Rechnungs-ID' },
    ],
    rows: `from app.rechnung r left join app.rechnung s on s.id = r.storno_von
      left join app.rechnung o on o.id = r.korrektur_von
      where r.id in (select w.id from rechnung_p w) order by r.folge`,
  },
  {
    name: 'steuern',
    titel: 'Umsatzsteuer je Rechnung, Kategorie und Satz',
    keys: 2,
    spalten: [
      id('Rechnungs-ID', 'r.id'),
      id('Zeile', 'g.nr'),
      text('Nummer', 'r.nummer'),
      text('Kategorie', `g.zeile ->> 'kategorie'`),
      amount('Satz', 2, `g.zeile ->> 'satz'`),
      amount('Summe der Positionen', 2, `g.zeile ->> 'positionen'`),
      amount('Rabatt', 2, `g.zeile ->> 'rabatt'`),
      amount('Bemessungsgrundlage', 2, `g.zeile ->> 'basis'`),
      amount('Umsatzsteuer', 2, `g.zeile ->> 'steuer'`),
      text('Grund der Befreiung', `g.zeile ->> 'grund'`),
    ],
    foreign: [RECHNUNG],
    rows: `from app.rechnung r
      cross join lateral jsonb_array_elements(coalesce(r.beleg #> '{summen,steuern}', '[]'))
        with ordinality as g(zeile, nr)
      where r.id in (select w.id from rechnung_p w) order by r.folge, g.nr`,
  },
  {
    name: 'abschlaege',
    titel: 'Erhaltene Abschläge, die Schlussrechnungen absetzen, je Satz',
    keys: 3,
    spalten: [
      id('Rechnungs-ID', 'r.id'),
      id('Zeile', 'x.nr'),
      id('Steuerzeile', 'g.nr'),
      text('Nummer', 'r.nummer'),
      id('Abschlag Rechnungs-ID', `x.zeile ->> 'id'`),
      text('Abschlag', `x.zeile ->> 'nummer'`),
      text('Kategorie', `g.zeile ->> 'kategorie'`),
      amount('Satz', 2, `g.zeile ->> 'satz'`),
      amount('Erhalten netto', 2, `g.zeile ->> 'basis'`),
      amount('Umsatzsteuer', 2, `g.zeile ->> 'steuer'`),
    ],
    foreign: [RECHNUNG, { column: 'Abschlag Rechnungs-ID', table: 'rechnungen', to: 'Rechnungs-ID' }],
    rows: `from app.rechnung r
      cross join lateral jsonb_array_elements(r.beleg -> 'abschlaege') with ordinality as x(zeile, nr)
      cross join lateral jsonb_array_elements(x.zeile -> 'steuern') with ordinality as g(zeile, nr)
      where r.id in (select w.id from rechnung_p w) order by r.folge, x.nr, g.nr`,
  },
  {
    name: 'skonto',
    titel: 'Skonto, das die Rechnungen anbieten',
    keys: 2,
    spalten: [
      id('Rechnungs-ID', 'r.id'),
      id('Stufe', 'g.nr'),
      id('Tage', `g.zeile ->> 'tage'`),
      amount('Prozent', 2, `g.zeile ->> 'prozent'`),
      day('Bis', `r.rn_datum + (g.zeile ->> 'tage')::integer`),
    ],
    foreign: [RECHNUNG],
    rows: `from app.rechnung r
      cross join lateral jsonb_array_elements(coalesce(r.beleg -> 'skonto', '[]')) with ordinality as g(zeile, nr)
      where r.id in (select w.id from rechnung_p w) order by r.folge, g.nr`,
  },
  {
    name: 'positionen',
    titel: 'Positionen der Rechnungen',
    keys: 1,
    spalten: [
      id('Positions-ID', 'p.id'),
      id('Rechnungs-ID', 'p.rechnung_id'),
      ...line,
      id('Angebotspositions-ID', 'p.angebot_position_id'),
      id('Korrigiert Positions-ID', 'p.korrektur_position_id'),
      amount('Korrigierte Menge', 3, 'p.korrektur_menge'),
    ],
    foreign: [
      RECHNUNG,
      { column: 'Angebotspositions-ID', table: 'angebotspositionen' },
      { column: 'Korrigiert Positions-ID', table: 'positionen', to: 'Positions-ID' },
    ],
    rows: lines('rechnung'),
  },
]

const OFFERS: readonly Table[] = [
  {
    name: 'angebote',
    titel: 'Versendete Angebote und die Antwort darauf',
    keys: 1,
    spalten: [
      id('Angebots-ID', 'a.id'),
      text('Nummer', 'a.nummer'),
      id('Fassung', 'a.fassung'),
      yes('Im Zeitraum', 'a.an_datum between $1::date and $2::date'),
      day('Angebotsdatum', 'a.an_datum'),
      day('Gültig bis', `coalesce(a.gueltig_bis, (a.beleg ->> 'gueltig_bis')::date)`),
      id('Kundennummer', 'a.client_id'),
      ...recipient('a.beleg'),
      ...letter('a'),
      ...sums('a'),
      text('Stand', 'a.status'),
      yes('Unterschrieben', 'a.sign'),
      moment('Entschieden am', 'a.entschieden_am'),
      text('Entschieden von', 'a.entschieden_von'),
      text('Entschieden als', 'a.entschieden_als'),
      text('Entscheidung', 'a.entscheidung'),
      id('Ersetzt Angebots-ID', 'a.ersetzt'),
      id('Kopie von', 'a.kopie_von'),
      ...more('a'),
      ...issued('a'),
    ],
    foreign: [KUNDE, { column: 'Ersetzt Angebots-ID', table: 'angebote', to: 'Angebots-ID' }],
    rows: 'from app.angebot a where a.id in (select w.id from angebot_p w) order by a.an_datum, a.id',
  },
  {
    name: 'angebotspositionen',
    titel: 'Positionen der Angebote',
    keys: 1,
    spalten: [
      id('Angebotspositions-ID', 'p.id'),
      id('Angebots-ID', 'p.angebot_id'),
      ...line,
      yes('Gewählt', 'p.gewaehlt'),
    ],
    foreign: [ANGEBOT],
    rows: lines('angebot'),
  },
  {
    name: 'auftraege',
    titel: 'Aufträge: was von angenommenen Angeboten bestellt wurde',
    keys: 1,
    spalten: [
      id('Angebots-ID', 'a.id'),
      moment('Beauftragt am', 'a.entschieden_am'),
      amount('Netto', 2, 'a.auftrag_netto'),
      amount('Umsatzsteuer', 2, 'a.auftrag_steuer'),
      amount('Brutto', 2, 'a.auftrag_brutto'),
    ],
    foreign: [ANGEBOT],
    rows: `from app.angebot a where a.status = 'angenommen' and a.id in (select w.id from angebot_p w)
      order by a.entschieden_am, a.id`,
  },
  {
    name: 'auftragspositionen',
    titel: 'Bestellte Positionen, und wie viel davon bis heute abgerechnet ist',
    keys: 1,
    spalten: [
      id('Angebotspositions-ID', 'o.position_id'),
      id('Angebots-ID', 'a.id'),
      amount('Menge', 3, 'o.anzahl'),
      amount('Abgerechnet', 3, 'o.abgerechnet'),
    ],
    foreign: [
      { column: 'Angebotspositions-ID', table: 'angebotspositionen' },
      { column: 'Angebots-ID', table: 'auftraege' },
    ],
    rows: `from app.angebot a cross join lateral books.angebot_progress(a.id) o
      where a.status = 'angenommen' and a.id in (select w.id from angebot_p w) order by a.id, o.lfd_nr`,
  },
]

const PAYMENTS: readonly Table[] = [
  {
    name: 'zahlungen',
    titel: 'Zahlungen, Skonti, Ausfälle und ihre Rücknahmen',
    keys: 1,
    spalten: [
      id('Zahlungs-ID', 'z.id'),
      yes('Im Zeitraum', 'z.datum between $1::date and $2::date'),
      day('Datum', 'z.datum'),
      id('Rechnungs-ID', 'z.rechnung_id'),
      text('Rechnung', 'r.nummer'),
      id('Kundennummer', 'z.client_id'),
      text('Art', 'z.art'),
      amount('Betrag', 2, 'z.betrag'),
      text('Bemerkung', 'z.bemerkung'),
      id('Umsatz-ID', 'z.umsatz_id'),
      id('Nimmt zurück Zahlungs-ID', 'z.gegen_id'),
      moment('Eingetragen am', 'z.angelegt_am'),
    ],
    foreign: [
      RECHNUNG,
      KUNDE,
      { column: 'Umsatz-ID', table: 'kontoumsaetze' },
      { column: 'Nimmt zurück Zahlungs-ID', table: 'zahlungen', to: 'Zahlungs-ID' },
    ],
    rows: `from app.zahlung z join app.rechnung r on r.id = z.rechnung_id
      where z.id in (select w.id from zahlung_p w) order by z.datum, z.id`,
  },
  {
    name: 'kontoumsaetze',
    titel: 'Umsätze des Bankkontos, wie sie eingelesen wurden',
    keys: 1,
    spalten: [
      id('Umsatz-ID', 'u.id'),
      yes('Im Zeitraum', 'u.datum between $1::date and $2::date'),
      text('Konto', 'u.konto'),
      day('Datum', 'u.datum'),
      amount('Betrag', 2, 'u.betrag'),
      text('Name', 'u.name'),
      text('IBAN', 'u.iban'),
      text('Verwendungszweck', 'u.zweck'),
      text('Datei', 'u.datei'),
      text('Art der Datei', 'u.quelle'),
      yes('Erledigt', 'u.erledigt'),
      text('Prüfsumme des Umsatzes', 'u.schluessel'),
      moment('Eingelesen am', 'u.angelegt_am'),
    ],
    rows: `from app.kontoumsatz u where ${ENTRIES} order by u.datum, u.id`,
  },
  {
    name: 'mahnungen',
    titel: 'Mahnungen',
    keys: 1,
    spalten: [
      id('Mahnungs-ID', 'm.id'),
      yes('Im Zeitraum', 'm.datum between $1::date and $2::date'),
      id('Rechnungs-ID', 'm.rechnung_id'),
      id('Kundennummer', 'm.client_id'),
      id('Stufe', 'm.stufe'),
      day('Datum', 'm.datum'),
      day('Zahlbar bis', 'm.faellig'),
      amount('Gebühr', 2, 'm.gebuehr'),
      amount('Verzugszinsen', 2, 'm.zinsen'),
      day('Verzugszinsen ab', 'm.zinsen_ab'),
      amount('Verzugspauschale', 2, 'm.pauschale'),
      amount('Geforderter Betrag', 2, `m.beleg #>> '{summen,zahlbetrag}'`),
      text('Text', 'm.text'),
      moment('Geschrieben am', 'm.angelegt_am'),
    ],
    foreign: [RECHNUNG, KUNDE],
    rows: 'from app.mahnung m where m.id in (select w.id from mahnung_p w) order by m.datum, m.id',
  },
]

const RECORDS: readonly Table[] = [
  {
    name: 'versand',
    titel: 'Versand der Rechnungen, Angebote und Mahnungen',
    keys: 1,
    spalten: [
      id('Versand-ID', 'v.id'),
      id('Rechnungs-ID', 'v.rechnung_id'),
      id('Angebots-ID', 'v.angebot_id'),
      id('Mahnungs-ID', 'v.mahnung_id'),
      id('Kundennummer', 'v.client_id'),
      text('Weg', 'v.weg'),
      text('An', 'v.an'),
      text('Betreff', 'v.betreff'),
      text('Text', 'v.text'),
      text('Zustand', 'v.zustand'),
      text('Grund', 'v.grund'),
      text('Fehler', 'v.fehler'),
      id('Versuche', 'v.versuche'),
      moment('Angelegt am', 'v.angelegt_am'),
      moment('Gesendet am', 'v.gesendet_am'),
    ],
    foreign: [RECHNUNG, ANGEBOT, MAHNUNG, KUNDE],
    rows: 'from app.versand v where v.id in (select w.id from versand_p w) order by v.id',
  },
  {
    name: 'protokoll',
    titel: 'Protokoll: jede Änderung, verkettet durch Prüfsummen (SHA-256)',
    keys: 1,
    spalten: [
      id('Nr', 'j.nr'),
      moment('Zeit', 'j.zeit'),
      text('Wer', 'j.wer'),
      id('Nutzernummer', 'j.user_id'),
      text('Gegenstand', 'j.gegenstand'),
      id('Kennung', 'j.gegenstand_id'),
      // No reference: the log also tells of drafts, and of customers without a document of the period.
      id('Kunde', 'j.client_id'),
      text('Ereignis', 'j.ereignis'),
      text('Inhalt', 'j.inhalt::text'),
      text('Prüfsumme davor', 'j.vorher'),
      text('Prüfsumme', 'j.hash'),
    ],
    rows: `from app.protokoll j
      where (j.zeit at time zone 'Europe/Berlin')::date between $1::date and $2::date order by j.nr`,
  },
]

export const TABLES: readonly Table[] = [
  ...MASTER_DATA,
  ...INVOICES,
  ...OFFERS,
  ...PAYMENTS,
  {
    name: 'anlagen',
    titel: 'Dateien, die mit einer Rechnung gingen; sie selbst liegen im Ordner anlagen',
    keys: 1,
    spalten: [
      id('Anlagen-ID', 'q.id'),
      id('Rechnungs-ID', 'q.rechnung_id'),
      text('Bezeichnung', 'q.name'),
      text('Beschreibung', 'q.beschreibung'),
      text('Dateiname', 'q.dateiname'),
      text('Dateityp', 'q.mime'),
      id('Größe', 'q.groesse'),
      text('SHA-256', 'q.sha256'),
    ],
    foreign: [RECHNUNG],
    rows: 'from app.anlage q where q.rechnung_id in (select w.id from rechnung_p w) order by q.id',
  },
  ...RECEIVED_TABLES,
  ...DEBIT_TABLES,
  ...TRANSFER_TABLES,
  ...RECORDS,
]

/** The stored files; archive.ts fills it while it writes them. */
export const FILES_TABLE: Table = {
  name: 'dateien',
  titel: 'Die gespeicherten Belege (PDF und XML) mit ihrer Prüfsumme',
  keys: 1,
  spalten: [
    text('Datei', 'd.id'),
    text('Beleg', `''`),
    id('Rechnungs-ID', 'd.rechnung_id'),
    id('Angebots-ID', 'd.angebot_id'),
    id('Mahnungs-ID', 'd.mahnung_id'),
    text('Format', 'd.art'),
    text('Dateiname', 'd.dateiname'),
    id('Größe', 'd.groesse'),
    text('SHA-256', 'd.sha256'),
    text('Regelwerk', 'd.regelwerk'),
    moment('Erzeugt am', 'd.erzeugt_am'),
    text('Geprüft', `''`),
  ],
  foreign: [RECHNUNG, ANGEBOT, MAHNUNG],
  rows: '',
}
