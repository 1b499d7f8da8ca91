// A bank's CSV file as a table: encoding, separator and the row of headings are guessed, and may be chosen.
import Papa from 'papaparse'
import { type CsvRow, guessColumns, headRow } from '#domain/bank-csv/columns.ts'
import { csvCell, type CsvTable } from '#domain/bank-csv/read-csv.ts'
import { StatementFault } from './read-statements.ts'

export const CHARSET_NAMES = ['UTF-8', 'Windows-1252', 'UTF-16LE', 'UTF-16BE'] as const
export type CsvEncoding = (typeof CHARSET_NAMES)[number]
export const DELIMITERS = [';', ',', '\t', '|'] as const
export type CsvDelimiter = (typeof DELIMITERS)[number]

export interface CsvChoice {
  readonly encoding: CsvEncoding
  readonly delimiter: CsvDelimiter
}
export interface CsvFile extends CsvChoice {
  readonly table: CsvTable
}

/** Parsed on the page, so smaller than statements may be. */
const MAX_CSV_BYTES = 5 * 1024 * 1024
const MAX_ROWS = 50_000
const MAX_COLUMNS = 200
const HEAD_ROWS = 40

function guessEncoding(bytes: Uint8Array): CsvEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'UTF-16LE'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'UTF-16BE'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return 'UTF-8'
  } catch {
    return 'Windows-1252'
  }
}

const parsed = (text: string, delimiter: string, preview = 0) =>
  Papa.parse<string[]>(text, { delimiter, preview, skipEmptyLines: false })

/** The separator that makes the most known headings, else the most columns. */
function guessDelimiter(text: string): CsvDelimiter {
  const scoreOf = (delimiter: CsvDelimiter): number => {
    const rows = parsed(text, delimiter, HEAD_ROWS).data
    const at = headRow(rows)
    const known = at === null ? 0 : Object.keys(guessColumns(rows[at]!)).length
    return 1000 * known + Math.max(0, ...rows.map((row) => row.length))
  }
  const scores = DELIMITERS.map(scoreOf)
  return DELIMITERS[scores.indexOf(Math.max(...scores))]!
}

/** Names of the columns, each of them once. */
function headersOf(row: CsvRow): string[] {
  const names: string[] = []
  for (const [column, cell] of row.entries()) {
    const name = csvCell(cell).slice(0, 80) || `Spalte ${column + 1}`
    names.push(names.includes(name) ? `${name} (${column + 1})` : name)
  }
  return names
}

/** Throws StatementFault. */
export function readCsvFile(bytes: Uint8Array, choice: Partial<CsvChoice> = {}): CsvFile {
  if (bytes.length > MAX_CSV_BYTES) throw new StatementFault('csv_gross')
  const encoding = choice.encoding ?? guessEncoding(bytes)
  const whole = new TextDecoder(encoding).decode(bytes)
  // Excel's hint at the separator.
  const hint = /^sep=(.)\r?\n/i.exec(whole)
  const text = hint === null ? whole : whole.slice(hint[0].length)
  const hinted = DELIMITERS.find((one) => one === hint?.[1])
  const delimiter = choice.delimiter ?? hinted ?? guessDelimiter(text)
  const { data, errors } = parsed(text, delimiter)
  // An unclosed quotation mark swallows the rest of the file.
  const open = errors.find(({ code }) => code === 'MissingQuotes')
  if (open !== undefined) throw new StatementFault('csv_kaputt', String((open.row ?? 0) + 1))
  const widths = data.slice(0, HEAD_ROWS).map((row) => row.length)
  const head = headRow(data) ?? widths.indexOf(Math.max(...widths))
  const rows = data.slice(head + 1)
  if (rows.every((row) => row.every((cell) => csvCell(cell) === ''))) throw new StatementFault('csv_leer')
  if (rows.length > MAX_ROWS || (data[head]?.length ?? 0) > MAX_COLUMNS) throw new StatementFault('csv_gross')
  const before = data.slice(0, head)
  return {
    encoding,
    delimiter,
    table: { before, headers: headersOf(data[head]!), rows, firstRow: head + 2 + (hint === null ? 0 : 1) },
  }
}
