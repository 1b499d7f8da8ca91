// The model in React: one state, acts on it, and where the focus belongs after each of them.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Grid, openGrid, reload, tab } from './grid.ts'
import { parseLines, printLines } from './line.ts'

export type Act = (grid: Grid) => Grid
export interface GridControl {
  readonly grid: Grid
  readonly act: (act: Act) => void
  /** The state that the next act begins with; for handlers that need to look first. */
  readonly now: () => Grid
  /** False: the focus leaves the grid. */
  readonly tab: (back: boolean) => boolean
  /** The form hears of changed lines at once, not after the next picture. */
  readonly tell: () => void
}

/** A picture is not drawn in a window that nobody sees. */
const LATEST_MS = 200

/** `value`: the lines as one text, as a form keeps them; whatever comes from outside replaces the lines here. */
export function useGrid(value: string, onChange: (text: string) => void): GridControl {
  const [grid, setGrid] = useState(() => openGrid(parseLines(value)))
  const latest = useRef(grid)
  /** What this grid said last, or took last. */
  const said = useRef(value)
  const saying = useRef(onChange)
  const isUntold = useRef(false)
  useEffect(() => {
    saying.current = onChange
  })
  const tell = useCallback(() => {
    if (!isUntold.current) return
    isUntold.current = false
    said.current = printLines(latest.current.zeilen)
    saying.current(said.current)
  }, [])
  useEffect(() => {
    // Whatever is pressed next, it may be what saves.
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey) tell()
    }
    const stop = new AbortController()
    const options = { capture: true, signal: stop.signal }
    document.addEventListener('click', tell, options)
    document.addEventListener('submit', tell, options)
    document.addEventListener('keydown', onKey, options)
    window.addEventListener('pagehide', tell, options)
    return () => {
      stop.abort()
      tell()
    }
  }, [tell])
  const take = useCallback(
    (next: Grid) => {
      const before = latest.current
      if (next === before) return
      latest.current = next
      setGrid(next)
      if (next.zeilen === before.zeilen || isUntold.current) return
      isUntold.current = true
      // The page around takes longer than a key may: first the picture of the key, then the form.
      requestAnimationFrame(() => setTimeout(tell))
      setTimeout(tell, LATEST_MS)
    },
    [tell],
  )
  useEffect(() => {
    if (value === said.current) return
    said.current = value
    isUntold.current = false
    latest.current = reload(latest.current, parseLines(value))
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
  return useMemo(() => ({ grid, act, now, tab: onTab, tell }), [grid, act, now, onTab, tell])
}
