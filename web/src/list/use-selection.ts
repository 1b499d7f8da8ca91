// Selected rows of a list. Paging and sorting keep the selection; a new search or filter clears it, because
// the rows may no longer be visible.
import { useCallback, useMemo, useRef, useState } from 'react'
import type { List, ListState } from './list.ts'

type Key = string | number
export interface Selection<Row> {
  readonly rows: ReadonlyMap<Key, Row>
  readonly set: (rows: readonly Row[], chosen: boolean) => void
  readonly replace: (rows: readonly Row[]) => void
  readonly clear: () => void
  /** Toggles a row; with `range` everything from the last toggled row to this one, as shown. */
  readonly toggle: (row: Row, shown: readonly Row[], range: boolean) => void
}

export function useSelection<Row>({ rowKey }: List<Row>, { suche, filter }: ListState): Selection<Row> {
  const scope = JSON.stringify([suche, filter])
  const [kept, setKept] = useState<{ scope: string; rows: ReadonlyMap<Key, Row> }>({ scope, rows: new Map() })
  const rows = useMemo(() => (kept.scope === scope ? kept.rows : new Map<Key, Row>()), [kept, scope])
  const anchor = useRef<Key>(undefined)
  const put = useCallback((next: ReadonlyMap<Key, Row>) => setKept({ scope, rows: next }), [scope])
  const set = useCallback(
    (changed: readonly Row[], chosen: boolean) => {
      const next = new Map(rows)
      for (const row of changed) {
        if (chosen) next.set(rowKey(row), row)
        else next.delete(rowKey(row))
      }
      put(next)
    },
    [rows, rowKey, put],
  )
  const replace = useCallback(
    (all: readonly Row[]) => put(new Map(all.map((row) => [rowKey(row), row]))),
    [rowKey, put],
  )
  const clear = useCallback(() => put(new Map()), [put])
  const toggle = useCallback(
    (row: Row, shown: readonly Row[], range: boolean) => {
      const key = rowKey(row)
      const from = range ? shown.findIndex((other) => rowKey(other) === anchor.current) : -1
      const to = shown.findIndex((other) => rowKey(other) === key)
      const chosen = !rows.has(key)
      anchor.current = key
      set(from < 0 || to < 0 ? [row] : shown.slice(Math.min(from, to), Math.max(from, to) + 1), chosen)
    },
    [rows, rowKey, set],
  )
  return useMemo(() => ({ rows, set, replace, clear, toggle }), [rows, set, replace, clear, toggle])
}
