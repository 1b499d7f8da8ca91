// Reads a table of customers that a program sent: CSV and XLSX as in the browser (domain/import-table.ts), or a list of
// JSON objects, whose names are the headings.
import { readFileSync } from 'node:fs'
import Papa from 'papaparse'
import readXlsxFile from 'read-excel-file/universal'
import {
  checkBytes,
  checkWorkbook,
  isArchive,
  MAX_ROWS,
  type ReadTable,
  TableFault,
  tableOfSheets,
  tableOfText,
} from '#domain/import-table.ts'
import type { Cell } from '#domain/import-values.ts'
import { type ZipFile, zipBytes } from '#server/write-zip.ts'
import { FileFault } from '../geodata/source.ts'
import { openZip, type ZipEntry } from '../geodata/zip.ts'

/** Unpacked, all together. */
const MOST_BYTES = 200 * 2 ** 20

/** @throws TableFault */
export async function readTable(path: string): Promise<ReadTable> {
  const bytes = readFileSync(path)
  checkBytes(bytes)
  if (isArchive(bytes)) return readXlsx(path)
  const decoded = decode(bytes)
  if (/^\s*\[/.test(decoded.text)) return tableOfJson(decoded.text)
  return tableOfText(decoded, (text, delimiter) => {
    const { data, errors } = Papa.parse<string[]>(text, { delimiter, skipEmptyLines: false })
    return { data, isBroken: errors.some(({ code }) => code === 'MissingQuotes') }
  })
}

function decode(bytes: Buffer): { text: string; encoding: string } {
  const mark = bytes.toString('hex', 0, 2)
  if (mark === 'fffe') return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'UTF-16' }
  if (mark === 'feff') return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'UTF-16' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' }
  }
}

const isRow = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isCell = (value: unknown): value is string | number | boolean | null =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

/** The first object is row 2, as if the headings were above it. */
function tableOfJson(text: string): ReadTable {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new TableFault('kaputt')
  }
  if (!Array.isArray(parsed) || !parsed.every(isRow)) throw new TableFault('keine_tabelle')
  if (parsed.length === 0) throw new TableFault('leer')
  if (parsed.length > MAX_ROWS)
    throw new TableFault('zu_viele_zeilen', { zeilen: parsed.length, grenze: MAX_ROWS })
  const headers = [...new Set(parsed.flatMap((row) => Object.keys(row)))]
  if (headers.length > 200) throw new TableFault('spalten', { grenze: 200 })
  const rows = parsed.map((row) =>
    headers.map((name): Cell => {
      const value = Object.hasOwn(row, name) ? row[name] : null
      if (!isCell(value)) throw new TableFault('keine_tabelle')
      return value
    }),
  )
  return { headers, rows, firstRow: 2, format: { art: 'csv', encoding: 'UTF-8', delimiter: ',' } }
}

async function readXlsx(path: string): Promise<ReadTable> {
  let entries: readonly ZipEntry[] = []
  try {
    entries = openZip(path).entries
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
    throw new TableFault(CODES[error.code] ?? 'kaputt')
  }
  checkWorkbook(entries.map(({ name }) => name))
  const wanted = entries.filter(({ name }) => /\.(?:xml|rels)$/i.test(name))
  if (wanted.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES) throw new TableFault('zu_tief_gepackt')
  // Repacked: each part now has exactly the size it claims, so the library never meets a ZIP bomb.
  const sheets = await readXlsxFile(new Blob([await zipBytes(contentsOf(wanted))])).catch(() => {
    throw new TableFault('kaputt')
  })
  return tableOfSheets(sheets.map(({ sheet, data }) => ({ sheet, data: data as Cell[][] })))
}
const CODES: Readonly<Record<string, 'geschuetzt' | 'zu_tief_gepackt'>> = {
  zip_verschluesselt: 'geschuetzt',
  zip_zu_gross: 'zu_tief_gepackt',
}

function* contentsOf(entries: readonly ZipEntry[]): Generator<ZipFile> {
  for (const entry of entries) yield { name: entry.name, inhalt: entry.read(), compress: true }
}
