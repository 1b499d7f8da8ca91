// A table of an import as a program or an office wrote it, independent of who reads its bytes: which row has
// the headings, how large it may be, and why it cannot be used.
import { type Cell, cellText } from './import-values.ts'

export const MAX_FILE_BYTES = 20 * 1024 * 1024
/** The database's limit per import. */
export const MAX_ROWS = 20_000
const MAX_COLUMNS = 200

export const TABLE_FAULTS = {
  leer: 'Die Datei ist leer.',
  zu_gross: 'Die Datei ist größer als {mb} MB. Bitte teilen Sie sie auf.',
  zu_viele_zeilen: 'Die Datei hat {zeilen} Zeilen, auf einmal gehen {grenze}. Bitte teilen Sie sie auf.',
  nur_kopf: 'Die Datei hat nur eine Kopfzeile und keine Daten.',
  altes_excel:
    'Das ist eine Datei im alten Excel-Format (.xls). Bitte speichern Sie sie in Excel als „Excel-Arbeitsmappe ' +
    '(.xlsx)“.',
  geschuetzt: 'Die Datei ist mit einem Passwort geschützt. Bitte speichern Sie sie ohne Passwort.',
  open_document: 'Das ist eine OpenDocument-Datei (.ods). Bitte speichern Sie sie als .xlsx oder .csv.',
  keine_tabelle: 'Das ist keine Tabelle. Lesbar sind Excel-Dateien (.xlsx) und CSV-Dateien.',
  kaputt:
    'Die Datei ist beschädigt und lässt sich nicht lesen. Bitte öffnen Sie sie in Excel und speichern Sie sie neu.',
  zu_tief_gepackt:
    'Die Datei wird beim Auspacken zu groß. Bitte löschen Sie leere Blätter und Formatierungen und speichern ' +
    'Sie sie neu.',
  spalten: 'Die Datei hat mehr als {grenze} Spalten. Bitte löschen Sie die überzähligen.',
  zelle_zu_viel:
    'In Zeile {zeile} stehen mehr Zellen als Überschriften: „{wert}“. Bitte prüfen Sie, ob eine Überschrift fehlt, ' +
    'oder ob ein Text das Trennzeichen enthält; er gehört dann in Anführungszeichen.',
} as const

export type TableFaultCode = keyof typeof TABLE_FAULTS

export class TableFault extends Error {
  override readonly name = 'TableFault'
  readonly code: TableFaultCode
  readonly values: Readonly<Record<string, string | number>>
  constructor(code: TableFaultCode, values: Record<string, string | number> = {}) {
    super(code)
    this.code = code
    this.values = values
  }
}

export interface ReadTable {
  readonly headers: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  /** Row number in the spreadsheet of the first data row. */
  readonly firstRow: number
  /** How the file was read, shown for verification. */
  readonly format:
    | { readonly art: 'csv'; readonly encoding: string; readonly delimiter: string }
    | { readonly art: 'xlsx'; readonly sheet: string; readonly others: readonly string[] }
}

/** What a library makes of separated text; `isBroken`: a quotation mark is not closed. */
type ParseText = (
  text: string,
  delimiter: string,
) => { readonly data: string[][]; readonly isBroken: boolean }

/** @throws TableFault */
export function tableOfText(
  { text, encoding }: { readonly text: string; readonly encoding: string },
  parse: ParseText,
): ReadTable {
  if (text.includes('\0')) throw new TableFault('keine_tabelle')
  // Excel's separator hint.
  const hint = /^sep=(.)\r?\n/i.exec(text)
  const delimiter = hint?.[1] ?? guessDelimiter(text)
  const { data, isBroken } = parse(hint ? text.slice(hint[0].length) : text, delimiter)
  // An unclosed quotation mark swallows the rest of the file: reject it rather than import half.
  if (isBroken) throw new TableFault('kaputt')
  return shape(hint ? [[], ...data] : data, { art: 'csv', encoding, delimiter })
}

/** The first sheet that contains anything. @throws TableFault */
export function tableOfSheets(
  sheets: readonly { readonly sheet: string; readonly data: readonly (readonly Cell[])[] }[],
): ReadTable {
  const filled = sheets.filter(({ data }) => data.some((row) => row.some((cell) => cellText(cell) !== '')))
  const [first, ...others] = filled
  if (first === undefined) throw new TableFault('leer')
  return shape(first.data, { art: 'xlsx', sheet: first.sheet, others: others.map(({ sheet }) => sheet) })
}

/** @throws TableFault: files of Excel that nobody here reads, empty and too large ones */
export function checkBytes(bytes: Uint8Array): void {
  if (bytes.length === 0) throw new TableFault('leer')
  if (bytes.length > MAX_FILE_BYTES) throw new TableFault('zu_gross', { mb: MAX_FILE_BYTES / 1024 / 1024 })
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]))
    throw new TableFault(holds(bytes, 'EncryptedPackage') ? 'geschuetzt' : 'altes_excel')
}

export const isArchive = (bytes: Uint8Array): boolean => startsWith(bytes, [0x50, 0x4b])

/** @throws TableFault: an archive that is no workbook */
export function checkWorkbook(names: readonly string[]): void {
  if (names.some((name) => name.toLowerCase() === 'xl/workbook.xml')) return
  throw new TableFault(names.includes('mimetype') ? 'open_document' : 'keine_tabelle')
}

const startsWith = (bytes: Uint8Array, start: readonly number[]) =>
  start.every((byte, at) => bytes[at] === byte)

/** Whether it contains a text as UTF-16, as the old container format names its parts. */
function holds(bytes: Uint8Array, text: string): boolean {
  const wanted = Array.from(text, (letter) => [letter.charCodeAt(0), 0]).flat()
  for (let at = bytes.indexOf(wanted[0]!); at !== -1; at = bytes.indexOf(wanted[0]!, at + 1))
    if (wanted.every((byte, offset) => bytes[at + offset] === byte)) return true
  return false
}

/**
 * The most frequent separator in the header row, outside quotation marks. Data rows are misleading: German
 * files are full of decimal commas, and Papa Parse, which guesses from the rows, picks the comma.
 */
export function guessDelimiter(text: string): string {
  const head = /^.*\S.*$/m.exec(text)?.[0].replace(/"(?:[^"]|"")*"/g, '') ?? ''
  const count = (delimiter: string) => head.split(delimiter).length
  return [';', '\t', ',', '|'].reduce((best, next) => (count(next) > count(best) ? next : best))
}

/**
 * The first non-empty row is the header; anything below the last row is ignored. What a workbook has to the right of
 * the header becomes columns without a name, so that it is seen. In a text it is refused: a separator within a cell
 * has moved the others.
 */
function shape(table: readonly (readonly Cell[])[], format: ReadTable['format']): ReadTable {
  const empty = (row: readonly Cell[] | undefined) =>
    row === undefined || row.every((cell) => cellText(cell) === '')
  const head = table.findIndex((row) => !empty(row))
  if (head === -1) throw new TableFault('leer')
  let end = table.length
  while (end > head + 1 && empty(table[end - 1])) end -= 1
  if (end === head + 1) throw new TableFault('nur_kopf')
  if (end - head - 1 > MAX_ROWS)
    throw new TableFault('zu_viele_zeilen', { zeilen: end - head - 1, grenze: MAX_ROWS })
  const names = (table[head] ?? []).map(cellText)
  while (names.at(-1) === '') names.pop()
  for (const [at, row] of table.slice(head + 1, end).entries()) {
    const last = row.findLastIndex((cell) => cellText(cell) !== '')
    if (last < names.length) continue
    if (format.art === 'csv')
      throw new TableFault('zelle_zu_viel', { zeile: head + 2 + at, wert: cellText(row[last]!).slice(0, 60) })
    while (names.length <= last) names.push('')
  }
  if (names.length > MAX_COLUMNS) throw new TableFault('spalten', { grenze: MAX_COLUMNS })
  const headers = names.map((name, column) => (name === '' ? `Spalte ${column + 1}` : name.slice(0, 200)))
  const rows = table
    .slice(head + 1, end)
    .map((row) => Array.from(headers, (_, column) => row[column] ?? null))
  return { headers, rows, firstRow: head + 2, format }
}
