// Reads a table from a file regardless of its name: CSV in the encodings and separators that offices use, and
// XLSX. Runs in the worker. The server does the same for programs (server/imports/read-table.ts).
import { zipSync } from 'fflate'
import Papa from 'papaparse'
import readXlsxFile from 'read-excel-file/universal'
import {
  checkBytes,
  checkWorkbook,
  isArchive,
  type ReadTable,
  TableFault,
  tableOfSheets,
  tableOfText,
} from '#domain/import-table.ts'
import type { Cell } from '#domain/import-values.ts'
import { unpackZip, ZipFault } from '../../data/unpack-zip.ts'

export async function readTable(bytes: Uint8Array<ArrayBuffer>): Promise<ReadTable> {
  checkBytes(bytes)
  if (isArchive(bytes)) return readXlsx(bytes)
  return tableOfText(decode(bytes), (text, delimiter) => {
    const { data, errors } = Papa.parse<string[]>(text, { delimiter, skipEmptyLines: false })
    return { data, isBroken: errors.some(({ code }) => code === 'MissingQuotes') }
  })
}

async function readXlsx(bytes: Uint8Array<ArrayBuffer>): Promise<ReadTable> {
  const entries = await unpackZip(
    bytes,
    (name) => /\.(?:xml|rels)$/i.test(name) || name === 'mimetype',
  ).catch((error: unknown) => {
    throw error instanceof ZipFault ? new TableFault(error.code) : error
  })
  checkWorkbook(entries.map(({ name }) => name))
  // The reader would inflate large sheets in workers created from text, which the content security policy
  // forbids; stored entries it reads directly.
  const stored = zipSync(Object.fromEntries(entries.map(({ name, data }) => [name, data])), { level: 0 })
  const sheets = await readXlsxFile(new Blob([stored])).catch(() => {
    throw new TableFault('kaputt')
  })
  return tableOfSheets(sheets.map(({ sheet, data }) => ({ sheet, data: data as Cell[][] })))
}

const startsWith = (bytes: Uint8Array, start: readonly number[]) =>
  start.every((byte, at) => bytes[at] === byte)

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
