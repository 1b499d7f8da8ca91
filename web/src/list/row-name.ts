// How a row of a list is called where only its name can stand.
import type { List } from './list.ts'

export function nameOf<Row>(list: List<Row>, row: Row): string {
  if (list.rowName) return list.rowName(row)
  const cell = list.columns()[0]?.exported?.(row)
  return typeof cell === 'string' || typeof cell === 'number' ? String(cell) : String(list.rowKey(row))
}
