// A table as an Excel sheet. Texts are text cells, so nothing in them is ever taken for a formula.
import writeXlsxFile, { type Cell, type SheetData } from 'write-excel-file/universal'
import type { ExportCell, ExportTable } from './cells.ts'

/** XML knows no control characters and no halves of a pair; a cell holds 32,767 characters. */
const xmlText = (text: string): string =>
  text
    .replaceAll(/[\p{Cs}\ufffe\uffff]/gu, '')
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
    .slice(0, 32_767)

/** Excel knows no zones: what the person's clock shows is written as if it were universal time. */
function clockTime(iso: string): Date | null {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return null
  return new Date(Date.UTC(time.getFullYear(), time.getMonth(), time.getDate(), time.getHours(), time.getMinutes(), time.getSeconds()))
}

export function sheetCell(cell: ExportCell): Cell {
  if (cell === null || cell === '') return null
  // "@" keeps 01067 a text when somebody edits the cell.
  if (typeof cell === 'string') return { value: xmlText(cell), type: String, format: '@' }
  if (typeof cell === 'number') return Number.isFinite(cell) ? { value: cell, type: Number } : null
  if (typeof cell === 'boolean') return { value: cell, type: Boolean }
  const isDay = 'day' in cell
  const value = isDay ? new Date(`${cell.day}T00:00:00Z`) : clockTime(cell.moment)
  return value === null || Number.isNaN(value.getTime()) ? null : { value, type: Date, format: isDay ? 'dd.mm.yyyy' : 'dd.mm.yyyy hh:mm' }
}

const widthOf = (cell: ExportCell): number =>
  typeof cell === 'string' ? cell.length : typeof cell === 'object' && cell !== null ? ('day' in cell ? 10 : 16) : 8

export function sheetOf({ head, rows }: ExportTable): { data: SheetData; columns: { width: number }[] } {
  const titles = head.map((title): Cell => ({ value: xmlText(title), type: String, fontWeight: 'bold' }))
  const sample = rows.slice(0, 500)
  const columns = head.map((title, at) => ({
    width: Math.min(60, Math.max(title.length, ...sample.map((row) => widthOf(row[at] ?? null))) + 2),
  }))
  return { data: [titles, ...rows.map((row) => row.map(sheetCell))], columns }
}

export function xlsxBlob(table: ExportTable): Promise<Blob> {
  const { data, columns } = sheetOf(table)
  return writeXlsxFile(data, { sheet: table.name.slice(0, 31), columns, stickyRowsCount: 1 }).toBlob()
}
