// CSV that German Excel opens on a double click: semicolons, byte order mark, decimal comma, German dates.
import { csvText } from '#domain/spreadsheet.ts'
import type { Moment } from '#domain/xlsx.ts'
import { formatDate } from '../format.ts'
import { t } from '../text.ts'
import type { ExportCell, ExportTable } from './cells.ts'

/** No exponents and no thousands separators: Excel would read both as text. */
const NUMBER = new Intl.NumberFormat('de-DE', { useGrouping: false, maximumFractionDigits: 20 })

/** 31.12.2026 14:05 in local time; Excel has no time zones. */
function momentText({ moment }: Moment): string {
  const time = new Date(moment)
  if (Number.isNaN(time.getTime())) return ''
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${two(time.getDate())}.${two(time.getMonth() + 1)}.${time.getFullYear()}`
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`
}

/** Text of a cell in the file. */
export function cellText(cell: ExportCell): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return csvText(cell)
  if (typeof cell === 'number') return Number.isFinite(cell) ? NUMBER.format(cell) : ''
  if (typeof cell === 'boolean') return cell ? t('ja') : t('nein')
  return 'day' in cell ? formatDate(cell.day) : momentText(cell)
}
const csvLine = (cells: readonly ExportCell[]): string => cells.map(cellText).join(';')

export const toCsv = ({ head, rows }: ExportTable): string =>
  `\ufeff${[head, ...rows].map(csvLine).join('\r\n')}\r\n`
export const csvFile = (table: ExportTable): Blob =>
  new Blob([toCsv(table)], { type: 'text/csv;charset=utf-8' })
