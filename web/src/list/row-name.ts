// Name of a list row, where only a name can be shown.
import type { List } from './list.ts'

export function nameOf<Row>(list: List<Row>, row: Row): string {
  if (list.rowName) return list.rowName(row)
  const cell = list.columns()[0]?.exported?.(row)
  return typeof cell === 'string' || typeof cell === 'number' ? String(cell) : String(list.rowKey(row))
}
