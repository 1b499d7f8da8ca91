// The files beside the tables of an audit: CSV text, index.xml and the explanation. What each element of
// index.xml means: docs/buchhaltung.md.
import { germanDay } from '#domain/day.ts'
import type { Described } from './table.ts'
import { FILES_TABLE, TABLES } from './tables.ts'

export const fileOf = ({ name }: Pick<Described, 'name'>): string => `${name}.csv`

/**
 * Unchanged: an auditor compares the text with the books and reads it into software that knows no formulas.
 * Always quoted (docs/decisions/exports.md).
 */
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

export function csv(
  { spalten }: { readonly spalten: readonly Pick<Described['spalten'][number], 'name' | 'art'>[] },
  rows: readonly (readonly (string | null)[])[],
): NonSharedBuffer {
  const head = spalten.map(({ name }) => quoted(name)).join(';')
  const lines = rows.map((row) =>
    spalten
      .map(({ art }, index) => (art === 'text' ? quoted(row[index] ?? '') : (row[index] ?? '')))
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

export interface AuditDescription {
  readonly firma: string
  readonly ort: string
  readonly von: string
  readonly bis: string
}

function columnXml({ name, art, decimals = 0 }: Described['spalten'][number], isKey: boolean): string {
  const type =
    art === 'zahl'
      ? `<Numeric><Accuracy>${decimals}</Accuracy></Numeric>`
      : art === 'datum'
        ? '<Date><Format>DD.MM.YYYY</Format></Date>'
        : '<AlphaNumeric/>'
  const element = isKey ? 'VariablePrimaryKey' : 'VariableColumn'
  return `<${element}><Name>${xmlText(name)}</Name>${type}</${element}>`
}

function tableXml(table: Described, { von, bis }: AuditDescription): string {
  const { name, titel, spalten, keys, foreign = [] } = table
  return [
    '<Table>',
    `<URL>${xmlText(fileOf(table))}</URL><Name>${xmlText(name)}</Name>` +
      `<Description>${xmlText(titel)}</Description>`,
    `<Validity><Range><From>${germanDay(von)}</From><To>${germanDay(bis)}</To></Range>` +
      '<Format>DD.MM.YYYY</Format></Validity>',
    '<UTF8/><DecimalSymbol>,</DecimalSymbol><DigitGroupingSymbol>.</DigitGroupingSymbol><Range>' +
      '<From>2</From></Range>',
    '<VariableLength><ColumnDelimiter>;</ColumnDelimiter>' +
      '<RecordDelimiter>&#13;&#10;</RecordDelimiter><TextEncapsulator>"</TextEncapsulator>',
    ...spalten.map((column, at) => columnXml(column, at < keys)),
    ...foreign.map(({ column, table: other, to }) => {
      const alias =
        to === undefined ? '' : `<Alias><From>${xmlText(column)}</From><To>${xmlText(to)}</To></Alias>`
      return `<ForeignKey><Name>${xmlText(column)}</Name><References>${other}</References>${alias}</ForeignKey>`
    }),
    '</VariableLength></Table>',
  ].join('\n')
}

/** The description standard of German tax audits: which file contains what, and in which format. */
export function indexXml(tables: readonly Described[], description: AuditDescription): NonSharedBuffer {
  const { firma, ort } = description
  return Buffer.from(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<!DOCTYPE DataSet SYSTEM "gdpdu-01-09-2004.dtd">',
      `<DataSet><Version>1.0</Version><DataSupplier><Name>${xmlText(firma)}</Name>` +
        `<Location>${xmlText(ort)}</Location><Comment>Datenträgerüberlassung nach GoBD</Comment>` +
        '</DataSupplier>',
      '<Media><Name>Buchhaltung</Name>',
      ...tables.map((table) => tableXml(table, description)),
      '</Media></DataSet>',
      '',
    ].join('\n'),
    'utf8',
  )
}

export const readme = ({ firma, von, bis }: AuditDescription): NonSharedBuffer =>
  Buffer.from(
    [
      `Buchhaltung ${firma}, ${germanDay(von)} bis ${germanDay(bis)}`,
      '',
      'Datenträgerüberlassung nach den GoBD (Z3).',
      '',
      'index.xml               Beschreibung aller Tabellen für Prüfsoftware (Beschreibungsstandard ' +
        'gdpdu-01-09-2004.dtd)',
      ...[...TABLES, FILES_TABLE].map((table) => `${fileOf(table).padEnd(24)}${table.titel}`),
      'dokumente/              die Belege, wie sie beim Ausstellen gespeichert wurden, unverändert',
      'kette/                  Siegel und Datensätze, mit denen sich das Archiv prüfen lässt',
      'PRUEFEN.txt             wie das geht',
      '',
      'Tabellen: UTF-8, Semikolon, Texte in Anführungszeichen, Komma als Dezimalzeichen, ' +
        'erste Zeile mit Überschriften.',
      'Die ersten Spalten jeder Tabelle sind ihr Schlüssel; index.xml sagt, welche Spalte auf welche Tabelle ' +
        'verweist.',
      'Worauf etwas aus dem Zeitraum verweist, ist ebenfalls enthalten: zum Beispiel eine ältere Rechnung, die ' +
        'im Zeitraum bezahlt wurde.',
      'In der Spalte „Im Zeitraum“ steht dann „nein“.',
      'Alle Texte stehen unverändert da. Ein Tabellenprogramm führt einen Text, ' +
        'der mit = + - oder @ beginnt, womöglich als Formel aus:',
      'Bitte öffnen Sie die Tabellen mit Prüfsoftware, oder importieren Sie sie und wählen Sie dabei ' +
        'für die Spalten das Format Text.',
      'Jede Zeile des Protokolls enthält die Prüfsumme der Zeile davor. ' +
        'Die Spalte „Geprüft“ in dateien.csv sagt, ob die Bytes zur gespeicherten Prüfsumme passen.',
      '',
    ].join('\r\n'),
    'utf8',
  )
