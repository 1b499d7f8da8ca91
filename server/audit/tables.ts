// The tables of an audit (GoBD, access by handing over a data medium, "Z3"): the content of each, as SQL that
// returns text, and the description that audit software reads with them.

export type ColumnKind = 'text' | 'zahl' | 'datum'
export interface Table {
  readonly datei: string
  readonly titel: string
  readonly spalten: readonly (readonly [name: string, art: ColumnKind, decimals?: number])[]
  /**
   * Runs as the caller; $1 and $2 are the first and the last day. Every column is text,
   * in the order of `spalten`.
   */
  readonly sql: string
}

const tag = (column: string): string => `to_char(${column}, 'DD.MM.YYYY')`
const number = (column: string): string => `replace((${column})::text, '.', ',')`
const time = (column: string): string =>
  `to_char(${column} at time zone 'Europe/Berlin', 'DD.MM.YYYY HH24:MI:SS')`
const ISSUED = `r.zustand = 'ausgestellt' and r.rn_datum between $1::date and $2::date`

export const TABLES: readonly Table[] = [
  {
    datei: 'rechnungen.csv',
    titel: 'Ausgestellte Rechnungen und Stornorechnungen',
    spalten: [
      ['Nummer', 'text'],
      ['Art', 'text'],
      ['Rechnungsdatum', 'datum'],
      ['Leistung von', 'datum'],
      ['Leistung bis', 'datum'],
      ['Fällig', 'datum'],
      ['Kundennummer', 'zahl', 0],
      ['Kunde', 'text'],
      ['Netto', 'zahl', 2],
      ['Umsatzsteuer', 'zahl', 2],
      ['Brutto', 'zahl', 2],
      ['Anzahlung', 'zahl', 2],
      ['Zahlbetrag', 'zahl', 2],
      ['Storniert Rechnung', 'text'],
      ['Ausgestellt am', 'text'],
      ['Ausgestellt von', 'text'],
    ],
    sql: `select r.nummer, r.art, ${tag('r.rn_datum')}, ${tag('r.le_date')}, ${tag('r.le_date_bis')},
      ${tag('r.faellig')}, r.client_id::text, coalesce(r.beleg #>> '{empfaenger,name}', ''),
      ${number('r.netto')}, ${number('r.steuer')}, ${number('r.brutto')}, ${number('r.anzahlung')},
      ${number('r.zahlbetrag')}, s.nummer, ${time('r.ausgestellt_am')}, r.ausgestellt_von
      from app.rechnung r left join app.rechnung s on s.id = r.storno_von where ${ISSUED} order by r.folge`,
  },
  {
    datei: 'steuern.csv',
    titel: 'Umsatzsteuer je Rechnung und Satz',
    spalten: [
      ['Nummer', 'text'],
      ['Kategorie', 'text'],
      ['Satz', 'zahl', 2],
      ['Bemessungsgrundlage', 'zahl', 2],
      ['Umsatzsteuer', 'zahl', 2],
      ['Grund der Befreiung', 'text'],
    ],
    sql: `select r.nummer, g ->> 'kategorie', replace(g ->> 'satz', '.', ','),
      replace(g ->> 'basis', '.', ','), replace(g ->> 'steuer', '.', ','), g ->> 'grund'
      from app.rechnung r
      cross join lateral jsonb_array_elements(coalesce(r.beleg #> '{summen,steuern}', '[]')) g
      where ${ISSUED} order by r.folge, 2, 3`,
  },
  {
    datei: 'positionen.csv',
    titel: 'Positionen der Rechnungen',
    spalten: [
      ['Nummer', 'text'],
      ['Position', 'text'],
      ['Art', 'text'],
      ['Bezeichnung', 'text'],
      ['Erläuterung', 'text'],
      ['Menge', 'zahl', 3],
      ['Einheit', 'text'],
      ['Einzelpreis', 'zahl', 4],
      ['Rabatt Prozent', 'zahl', 2],
      ['Steuersatz', 'zahl', 2],
      ['Betrag', 'zahl', 2],
    ],
    sql: `select r.nummer, p ->> 'nr', p ->> 'art', p ->> 'bez', p ->> 'erl',
      replace(p ->> 'anzahl', '.', ','), p ->> 'einheit', replace(p ->> 'ep', '.', ','),
      replace(p ->> 'rabatt_prozent', '.', ','),
      replace(p ->> 'ust_satz', '.', ','), replace(p ->> 'betrag', '.', ',')
      from app.rechnung r
      cross join lateral jsonb_array_elements(coalesce(r.beleg -> 'positionen', '[]')) with ordinality as t(p, n)
      where ${ISSUED} order by r.folge, n`,
  },
  {
    datei: 'angebote.csv',
    titel: 'Versendete Angebote',
    spalten: [
      ['Nummer', 'text'],
      ['Fassung', 'zahl', 0],
      ['Angebotsdatum', 'datum'],
      ['Kundennummer', 'zahl', 0],
      ['Kunde', 'text'],
      ['Netto', 'zahl', 2],
      ['Brutto', 'zahl', 2],
      ['Stand', 'text'],
      ['Entschieden am', 'text'],
      ['Entschieden von', 'text'],
    ],
    sql: `select a.nummer, a.fassung::text, ${tag('a.an_datum')}, a.client_id::text,
      coalesce(a.beleg #>> '{empfaenger,name}', ''), ${number('a.netto')}, ${number('a.brutto')}, a.status,
      ${time('a.entschieden_am')}, a.entschieden_von
      from app.angebot a
      where a.beleg is not null and a.an_datum between $1::date and $2::date
      order by a.an_datum, a.id`,
  },
  {
    datei: 'zahlungen.csv',
    titel: 'Zahlungen, Skonti, Ausfälle und ihre Rücknahmen',
    spalten: [
      ['Zahlung', 'zahl', 0],
      ['Datum', 'datum'],
      ['Rechnung', 'text'],
      ['Kundennummer', 'zahl', 0],
      ['Art', 'text'],
      ['Betrag', 'zahl', 2],
      ['Bemerkung', 'text'],
      ['Umsatz der Bank', 'text'],
      ['Nimmt Zahlung zurück', 'text'],
      ['Eingetragen am', 'text'],
    ],
    sql: `select z.id::text, ${tag('z.datum')}, r.nummer, z.client_id::text, z.art, ${number('z.betrag')},
      z.bemerkung, z.umsatz_id::text, z.gegen_id::text, ${time('z.angelegt_am')}
      from app.zahlung z
      join app.rechnung r on r.id = z.rechnung_id
      where z.datum between $1::date and $2::date
      order by z.datum, z.id`,
  },
  {
    datei: 'kontoumsaetze.csv',
    titel: 'Umsätze des Bankkontos, wie sie eingelesen wurden',
    spalten: [
      ['Umsatz', 'zahl', 0],
      ['Konto', 'text'],
      ['Datum', 'datum'],
      ['Betrag', 'zahl', 2],
      ['Name', 'text'],
      ['IBAN', 'text'],
      ['Verwendungszweck', 'text'],
      ['Datei', 'text'],
      ['Eingelesen am', 'text'],
    ],
    sql: `select u.id::text, u.konto, ${tag('u.datum')}, ${number('u.betrag')}, u.name, u.iban, u.zweck,
      u.datei, ${time('u.angelegt_am')}
      from app.kontoumsatz u
      where u.datum between $1::date and $2::date
      order by u.datum, u.id`,
  },
  {
    datei: 'protokoll.csv',
    titel: 'Protokoll: jede Änderung, verkettet durch Prüfsummen (SHA-256)',
    spalten: [
      ['Nr', 'zahl', 0],
      ['Zeit', 'text'],
      ['Wer', 'text'],
      ['Gegenstand', 'text'],
      ['Kennung', 'text'],
      ['Ereignis', 'text'],
      ['Inhalt', 'text'],
      ['Prüfsumme davor', 'text'],
      ['Prüfsumme', 'text'],
    ],
    sql: `select p.nr::text, ${time('p.zeit')}, p.wer, p.gegenstand, p.gegenstand_id::text, p.ereignis,
      p.inhalt::text, p.vorher, p.hash
      from app.protokoll p
      where (p.zeit at time zone 'Europe/Berlin')::date between $1::date and $2::date order by p.nr`,
  },
]

/**
 * Unchanged: an auditor compares the text with the books and reads it into software that knows no formulas.
 * Always quoted (docs/decisions/exports.md).
 */
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

export function csv(
  { spalten }: Pick<Table, 'spalten'>,
  rows: readonly (readonly (string | null)[])[],
): NonSharedBuffer {
  const head = spalten.map(([name]) => quoted(name)).join(';')
  const lines = rows.map((row) =>
    spalten
      .map(([, art], index) => (art === 'text' ? quoted(row[index] ?? '') : (row[index] ?? '')))
      .join(';'),
  )
  return Buffer.from(`${[head, ...lines].join('\r\n')}\r\n`, 'utf8')
}

const xmlText = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
const germanDay = (day: string): string => day.split('-').toReversed().join('.')

interface AuditDescription {
  readonly firma: string
  readonly ort: string
  readonly von: string
  readonly bis: string
}

/** The description standard of German tax audits: which file contains what, and in which format. */
export function indexXml(
  tables: readonly Pick<Table, 'datei' | 'titel' | 'spalten'>[],
  { firma, ort, von, bis }: AuditDescription,
): NonSharedBuffer {
  const column = ([name, art, decimals = 0]: Table['spalten'][number]): string => {
    const type =
      art === 'zahl'
        ? `<Numeric><Accuracy>${decimals}</Accuracy></Numeric>`
        : art === 'datum'
          ? '<Date><Format>DD.MM.YYYY</Format></Date>'
          : '<AlphaNumeric/>'
    return `<VariableColumn><Name>${xmlText(name)}</Name>${type}</VariableColumn>`
  }
  const table = ({ datei, titel, spalten }: Pick<Table, 'datei' | 'titel' | 'spalten'>): string =>
    [
      '<Table>',
      `<URL>${xmlText(datei)}</URL><Name>${xmlText(datei.replace('.csv', ''))}</Name>` +
        `<Description>${xmlText(titel)}</Description>`,
      `<Validity><Range><From>${germanDay(von)}</From><To>${germanDay(bis)}</To></Range>` +
        '<Format>DD.MM.YYYY</Format></Validity>',
      '<UTF8/><DecimalSymbol>,</DecimalSymbol><DigitGroupingSymbol>.</DigitGroupingSymbol><Range>' +
        '<From>2</From></Range>',
      '<VariableLength><ColumnDelimiter>;</ColumnDelimiter>' +
        '<RecordDelimiter>&#13;&#10;</RecordDelimiter><TextEncapsulator>"</TextEncapsulator>',
      ...spalten.map(column),
      '</VariableLength></Table>',
    ].join('\n')
  return Buffer.from(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<!DOCTYPE DataSet SYSTEM "gdpdu-01-09-2004.dtd">',
      `<DataSet><Version>1.0</Version><DataSupplier><Name>${xmlText(firma)}</Name>` +
        `<Location>${xmlText(ort)}</Location><Comment>Datenträgerüberlassung nach GoBD</Comment>` +
        '</DataSupplier>',
      '<Media><Name>Buchhaltung</Name>',
      ...tables.map(table),
      '</Media></DataSet>',
      '',
    ].join('\n'),
    'utf8',
  )
}

export const FILES_TABLE: Pick<Table, 'datei' | 'titel' | 'spalten'> = {
  datei: 'dateien.csv',
  titel: 'Die gespeicherten Belege (PDF und XML) mit ihrer Prüfsumme',
  spalten: [
    ['Datei', 'text'],
    ['Beleg', 'text'],
    ['Format', 'text'],
    ['Größe', 'zahl', 0],
    ['SHA-256', 'text'],
    ['Erzeugt am', 'text'],
    ['Geprüft', 'text'],
  ],
}

export const readme = ({ firma, von, bis }: AuditDescription): NonSharedBuffer =>
  Buffer.from(
    [
      `Buchhaltung ${firma}, ${germanDay(von)} bis ${germanDay(bis)}`,
      '',
      'Datenträgerüberlassung nach den GoBD (Z3).',
      '',
      'index.xml        Beschreibung aller Tabellen für Prüfsoftware (Beschreibungsstandard gdpdu-01-09-2004.dtd)',
      ...[...TABLES, FILES_TABLE].map(({ datei, titel }) => `${datei.padEnd(17)}${titel}`),
      'dokumente/       die Belege, wie sie beim Ausstellen gespeichert wurden, unverändert',
      '',
      'Tabellen: UTF-8, Semikolon, Texte in Anführungszeichen, Komma als Dezimalzeichen, ' +
        'erste Zeile mit Überschriften.',
      'Alle Texte stehen unverändert da. Ein Tabellenprogramm führt einen Text, ' +
        'der mit = + - oder @ beginnt, womöglich als Formel aus:',
      'Bitte öffnen Sie die Tabellen mit Prüfsoftware, oder importieren Sie sie und wählen Sie dabei ' +
        'für die Spalten das Format Text.',
      'Jede Zeile des Protokolls enthält die Prüfsumme der Zeile davor. ' +
        'Die Spalte "Geprüft" in dateien.csv sagt, ob die Bytes zur gespeicherten Prüfsumme passen.',
      '',
    ].join('\r\n'),
    'utf8',
  )
