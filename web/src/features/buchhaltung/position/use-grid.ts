// The model in React: one state, acts on it, and where the focus belongs after each of them.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Grid, openGrid, reload, tab } from './grid.ts'
import { parseZeilen, printZeilen } from './zeile.ts'

export type Act = (grid: Grid) => Grid
export interface GridControl {
  readonly grid: Grid
  readonly act: (act: Act) => void
  /** The state that the next act begins with; for handlers that need to look first. */
  readonly now: () => Grid
  /** False: the focus leaves the grid. */
  readonly tab: (back: boolean) => boolean
}

/** `value`: the lines as one text, as a form keeps them; whatever comes from outside replaces the lines here. */
export function useGrid(value: string, onChange: (text: string) => void): GridControl {
  const [grid, setGrid] = useState(() => openGrid(parseZeilen(value)))
  const latest = useRef(grid)
  /** What this grid said last, or took last. */
  const said = useRef(value)
  const saying = useRef(onChange)
  useEffect(() => {
    saying.current = onChange
  })
  const take = useCallback((next: Grid) => {
    const before = latest.current
    if (next === before) return
    latest.current = next
    setGrid(next)
    if (next.zeilen === before.zeilen) return
    said.current = printZeilen(next.zeilen)
    saying.current(said.current)
  }, [])
  useEffect(() => {
    if (value === said.current) return
    said.current = value
    latest.current = reload(latest.current, parseZeilen(value))
    setGrid(latest.current)
  }, [value])
  const act = useCallback((wanted: Act) => take(wanted(latest.current)), [take])
  const now = useCallback(() => latest.current, [])
  const onTab = useCallback(
    (back: boolean) => {
      const next = tab(latest.current, back)
      if (next !== null) take(next)
      return next !== null
    },
    [take],
  )
  return useMemo(() => ({ grid, act, now, tab: onTab }), [grid, act, now, onTab])
}
