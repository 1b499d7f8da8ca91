// Rows as CSV: for German Excel and LibreOffice, which open it as it is, or plain (RFC 4180) for programs.
import { csvText } from '#domain/spreadsheet.ts'
import type { SheetCell } from '#domain/xlsx.ts'
import type { Property } from './edm.ts'

export type CsvForm = 'excel' | 'rfc4180'
type Row = Readonly<Record<string, unknown>>

const TIME = new Intl.DateTimeFormat('de-DE', {
  timeZone: 'Europe/Berlin',
  dateStyle: 'medium',
  timeStyle: 'short',
})
/** No exponents and no thousands separators: Excel would read both as text. */
const NUMBER = new Intl.NumberFormat('de-DE', { useGrouping: false, maximumFractionDigits: 20 })

const day = (iso: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(iso) ? iso.split('-').toReversed().join('.') : iso
function moment(iso: string): string {
  const time = new Date(iso)
  return Number.isNaN(time.getTime()) ? iso : TIME.format(time).replace(',', '')
}
/** A number as the database wrote it, with a decimal comma. */
const numberText = (text: string): string =>
  /^-?\d+(?:\.\d+)?$/.test(text) ? text.replace('.', ',') : NUMBER.format(Number(text))

/** Numbers are kept as they were written, so they are no numbers of ours. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function excelCell(value: unknown, { kind }: Property): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'ja' : 'nein'
  if (Array.isArray(value)) return csvText(value.map(textOf).join(', '))
  const text = textOf(value)
  switch (kind) {
    case 'int':
    case 'decimal':
    case 'double':
      return typeof value === 'string' ? csvText(text) : numberText(text)
    case 'date':
      return day(text)
    case 'moment':
      return moment(text)
    default:
      return csvText(text)
  }
}

const quoted = (text: string): string =>
  /[",\r\n]/.test(text) || text === '' ? `"${text.replaceAll('"', '""')}"` : text

/** As stored: programs compare. Nothing is empty, and an empty text is "". */
const plainCell = (value: unknown): string =>
  value === null || value === undefined ? '' : quoted(textOf(value))

/** A cell of a list's export. */
function excelSheetCell(cell: SheetCell): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return csvText(cell)
  if (typeof cell === 'number') return Number.isFinite(cell) ? NUMBER.format(cell) : ''
  if (typeof cell === 'boolean') return cell ? 'ja' : 'nein'
  return 'day' in cell ? day(cell.day) : moment(cell.moment)
}

const plainSheetCell = (cell: SheetCell): string =>
  typeof cell === 'object' && cell !== null ? quoted('day' in cell ? cell.day : cell.moment) : plainCell(cell)

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present'

export interface CsvWriter {
  readonly head: (columns: readonly Property[]) => string
  readonly line: (row: Row, columns: readonly Property[]) => string
  /** Of a list: headings and cells. */
  readonly names: (names: readonly string[]) => string
  readonly cells: (cells: readonly SheetCell[]) => string
}

const excelLine = (cells: readonly string[]): string => `${cells.join(';')}\r\n`
const plainLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`

export const CSV: Readonly<Record<CsvForm, CsvWriter>> = {
  excel: {
    head: (columns) => `\ufeff${excelLine(columns.map(({ label }) => csvText(label)))}`,
    line: (row, columns) => excelLine(columns.map((column) => excelCell(row[column.name], column))),
    names: (names) => `\ufeff${excelLine(names.map(csvText))}`,
    cells: (cells) => excelLine(cells.map(excelSheetCell)),
  },
  rfc4180: {
    head: (columns) => plainLine(columns.map(({ name }) => quoted(name))),
    line: (row, columns) => plainLine(columns.map(({ name }) => plainCell(row[name]))),
    names: (names) => plainLine(names.map(quoted)),
    cells: (cells) => plainLine(cells.map(plainSheetCell)),
  },
}
