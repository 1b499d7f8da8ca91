// Reads a table from a file regardless of its name: CSV in the encodings and separators that offices use, and
// XLSX. Runs in the worker.
import { zipSync } from 'fflate'
import Papa from 'papaparse'
import readXlsxFile from 'read-excel-file/universal'
import { type Cell, cellText } from '#domain/import-values.ts'
import { unpackZip, ZipFault } from '../../data/unpack-zip.ts'
import { FileFault, MAX_FILE_BYTES, MAX_ROWS } from './file-faults.ts'

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

const MAX_COLUMNS = 200

export async function readTable(bytes: Uint8Array<ArrayBuffer>): Promise<ReadTable> {
  if (bytes.length === 0) throw new FileFault('leer')
  if (bytes.length > MAX_FILE_BYTES) throw new FileFault('zu_gross', { mb: MAX_FILE_BYTES / 1024 / 1024 })
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]))
    throw new FileFault(holds(bytes, 'EncryptedPackage') ? 'geschuetzt' : 'altes_excel')
  return startsWith(bytes, [0x50, 0x4b]) ? readXlsx(bytes) : readCsv(bytes)
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

async function readXlsx(bytes: Uint8Array<ArrayBuffer>): Promise<ReadTable> {
  const entries = await unpackZip(
    bytes,
    (name) => /\.(?:xml|rels)$/i.test(name) || name === 'mimetype',
  ).catch((error: unknown) => {
    throw error instanceof ZipFault ? new FileFault(error.code) : error
  })
  if (!entries.some(({ name }) => name.toLowerCase() === 'xl/workbook.xml'))
    throw new FileFault(entries.some(({ name }) => name === 'mimetype') ? 'open_document' : 'keine_tabelle')
  // The reader would inflate large sheets in workers created from text, which the content security policy
  // forbids; stored entries it reads directly.
  const stored = zipSync(Object.fromEntries(entries.map(({ name, data }) => [name, data])), { level: 0 })
  const sheets = await readXlsxFile(new Blob([stored])).catch(() => {
    throw new FileFault('kaputt')
  })
  const filled = sheets.filter(({ data }) =>
    data.some((row) => row.some((cell) => cellText(cell as Cell) !== '')),
  )
  const [first, ...others] = filled
  if (first === undefined) throw new FileFault('leer')
  return shape(first.data as Cell[][], {
    art: 'xlsx',
    sheet: first.sheet,
    others: others.map(({ sheet }) => sheet),
  })
}

function readCsv(bytes: Uint8Array): ReadTable {
  const { text, encoding } = decode(bytes)
  if (text.includes('\0')) throw new FileFault('keine_tabelle')
  // Excel's separator hint.
  const hint = /^sep=(.)\r?\n/i.exec(text)
  const parsed = Papa.parse<string[]>(hint ? text.slice(hint[0].length) : text, {
    delimiter: hint?.[1] ?? guessDelimiter(text),
    skipEmptyLines: false,
  })
  // An unclosed quotation mark swallows the rest of the file: reject it rather than import half.
  if (parsed.errors.some(({ code }) => code === 'MissingQuotes')) throw new FileFault('kaputt')
  const rows = hint ? [[], ...parsed.data] : parsed.data
  return shape(rows, { art: 'csv', encoding, delimiter: parsed.meta.delimiter })
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
 * UTF-8 and UTF-16 by byte order mark; UTF-8 without one if the bytes are valid; otherwise the encoding of
 * German Windows.
 */
export function decode(bytes: Uint8Array): { text: string; encoding: string } {
  if (startsWith(bytes, [0xff, 0xfe]))
    return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'UTF-16' }
  if (startsWith(bytes, [0xfe, 0xff]))
    return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'UTF-16' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' }
  }
}

/** The first non-empty row is the header; anything to its right or below the last row is ignored. */
function shape(table: readonly (readonly Cell[])[], format: ReadTable['format']): ReadTable {
  const empty = (row: readonly Cell[] | undefined) =>
    row === undefined || row.every((cell) => cellText(cell) === '')
  const head = table.findIndex((row) => !empty(row))
  if (head === -1) throw new FileFault('leer')
  let end = table.length
  while (end > head + 1 && empty(table[end - 1])) end -= 1
  if (end === head + 1) throw new FileFault('nur_kopf')
  if (end - head - 1 > MAX_ROWS)
    throw new FileFault('zu_viele_zeilen', { zeilen: end - head - 1, grenze: MAX_ROWS })
  const names = (table[head] ?? []).map(cellText)
  while (names.at(-1) === '') names.pop()
  if (names.length > MAX_COLUMNS) throw new FileFault('spalten', { grenze: MAX_COLUMNS })
  const headers = names.map((name, column) => (name === '' ? `Spalte ${column + 1}` : name.slice(0, 200)))
  const rows = table
    .slice(head + 1, end)
    .map((row) => Array.from(headers, (_, column) => row[column] ?? null))
  return { headers, rows, firstRow: head + 2, format }
}
