// CSV cells as German Excel opens them by double click: decimal commas, German dates, texts that stay texts.
import { csvText } from '#domain/spreadsheet.ts'
import type { Column } from './columns.ts'

export const csvCell = (value: string | number | boolean | null, kind: Column['typ']): string => {
  if (value === null) return ''
  if (typeof value === 'boolean') return value ? 'ja' : 'nein'
  if (typeof value === 'number') return kind === 'ganz' ? String(value) : String(value).replace('.', ',')
  return csvText(kind === 'tag' ? value.split('-').toReversed().join('.') : value)
}
