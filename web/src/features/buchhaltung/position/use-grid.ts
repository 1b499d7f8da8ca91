// The grid model in React: one state, actions on it, and where the focus goes after each of them.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Grid, openGrid, tab } from './grid.ts'
import { reload } from './grid-reload.ts'
import { parseLines, printLines } from './line.ts'

export type Act = (grid: Grid) => Grid
export interface GridControl {
  readonly grid: Grid
  readonly act: (act: Act) => void
  /** The state the next action starts from, for handlers that need to look first. */
  readonly now: () => Grid
  /** False: the focus leaves the grid. */
  readonly tab: (back: boolean) => boolean
  /** Reports changed lines to the form at once instead of after the next frame. */
  readonly tell: () => void
}

/** Fallback, because hidden windows get no animation frames. */
const LATEST_MS = 200

/** Reports before anything that reads the form: a click, a shortcut, leaving the page. */
function useTellBefore(tell: () => void) {
  useEffect(() => {
    // The next key may be the shortcut that saves.
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
}

/**
 * `value`: the lines as one string, as forms store them; a value changed from outside replaces the lines
 * here.
 */
export function useGrid(value: string, onChange: (text: string) => void): GridControl {
  const [grid, setGrid] = useState(() => openGrid(parseLines(value)))
  const latest = useRef(grid)
  /** The text this grid last reported or took over. */
  const said = useRef(value)
  const toldLines = useRef(grid.zeilen)
  const saying = useRef(onChange)
  const isUntold = useRef(false)
  useEffect(() => {
    saying.current = onChange
  })
  const tell = useCallback(() => {
    if (!isUntold.current) return
    isUntold.current = false
    toldLines.current = latest.current.zeilen
    said.current = printLines(toldLines.current)
    saying.current(said.current)
  }, [])
  useTellBefore(tell)
  const take = useCallback(
    (next: Grid) => {
      const before = latest.current
      if (next === before) return
      latest.current = next
      setGrid(next)
      if (next.zeilen === before.zeilen || isUntold.current) return
      isUntold.current = true
      // The page around takes longer to render than a keystroke may: first draw the key, then update the
      // form.
      requestAnimationFrame(() => setTimeout(tell))
      setTimeout(tell, LATEST_MS)
    },
    [tell],
  )
  useEffect(() => {
    if (value === said.current) return
    said.current = value
    const next = reload(latest.current, parseLines(value), toldLines.current)
    // Replaced lines begin without undo; lines that only got numbers still have to be passed on.
    isUntold.current &&= next.past.length + next.future.length > 0
    toldLines.current = next.zeilen
    latest.current = next
    setGrid(next)
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
