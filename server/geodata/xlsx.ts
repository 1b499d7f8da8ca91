// Excel workbooks: unpacked within our own limits; each sheet with headings becomes a table whose
// cells are text, as in CSV.
import readXlsxFile from 'read-excel-file/universal'
import { type Cell, cellText } from '#domain/import-values.ts'
import { type ZipFile, zipBytes } from '#server/write-zip.ts'
import { FileFault } from './source.ts'
import { createSystemTally, SHOWN, type TableFile, tableOf, type Rows } from './table.ts'
import type { ZipEntry } from './zip.ts'

/** For all sheets together, unpacked. */
const MOST_BYTES = 200 * 1024 * 1024

export const isWorkbook = (entries: readonly ZipEntry[]): boolean =>
  entries.some(({ name }) => name.toLowerCase() === 'xl/workbook.xml')

/** @throws FileFault */
export async function readXlsx(entries: readonly ZipEntry[]): Promise<TableFile[]> {
  const wanted = entries.filter(({ name }) => /\.(?:xml|rels)$/i.test(name))
  if (wanted.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES) throw new FileFault('zip_zu_gross')
  // Repacked: each part now has exactly the size it claims, so the library never meets a ZIP bomb.
  const repacked = await zipBytes(contentsOf(wanted))
  const sheets = await readXlsxFile(new Blob([repacked])).catch(() => {
    throw new FileFault('datei_kaputt')
  })
  return sheets.flatMap(({ sheet, data }) => {
    const rows = (data as Cell[][]).map((row) => row.map(cellText))
    const head = rows.findIndex((row) => row.some((cell) => cell !== ''))
    if (head === -1) return []
    const names = columnsOf(rows[head]!)
    const filled = rows.slice(head + 1).filter((row) => row.some((cell) => cell !== ''))
    // A cover sheet or a legend is not a table.
    if (names.length < 2 || filled.length === 0) return []
    return [tableOf(sheet.slice(0, 100), names, rowsOf(filled, names))]
  })
}

function rowsOf(cells: readonly (readonly string[])[], names: readonly string[]): Rows {
  const rows = cells.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])))
  const overfull = cells.flatMap((row, at) =>
    row.slice(names.length).some((cell) => cell !== '') ? [at + 1] : [],
  )
  const { systems, add } = createSystemTally(names)
  for (const row of rows) add(row)
  return { count: rows.length, first: rows.slice(0, SHOWN), overfull, systems, all: () => rows }
}

function* contentsOf(entries: readonly ZipEntry[]): Generator<ZipFile> {
  for (const entry of entries) yield { name: entry.name, inhalt: entry.read(), compress: true }
}

/** Makes each heading unique and ignores empty ones after the last. */
function columnsOf(cells: readonly string[]): string[] {
  const last = cells.findLastIndex((cell) => cell !== '')
  const names: string[] = []
  for (const [at, cell] of cells.slice(0, last + 1).entries()) {
    const base = cell === '' ? `Spalte ${at + 1}` : cell.slice(0, 200)
    let name = base
    for (let nr = 2; names.includes(name); nr++) name = `${base} ${nr}`
    names.push(name)
  }
  return names
}
