// Hides less important columns of a table, one after another, until it no longer scrolls horizontally.
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { usePrinting } from './use-printing.ts'

/** In pixels. Narrower tables are on phones and scroll instead, since too few columns would remain. */
const LEAST = 560

/**
 * @param lesser keys of the columns to hide, in this order
 * @param rows triggers a new measurement when it changes
 */
export function useFitting<C extends { readonly key: string }>(
  columns: readonly C[],
  lesser: readonly string[] | undefined,
  scroller: RefObject<HTMLElement | null>,
  rows: unknown,
): readonly C[] {
  // Stored with the width it was measured at; a new width starts over.
  const [{ width, gone }, setFit] = useState({ width: 0, gone: 0 })
  const may = lesser?.filter((key) => columns.some((column) => column.key === key)) ?? []
  useEffect(() => {
    const { current } = scroller
    if (!current || may.length === 0) return
    const watch = new ResizeObserver(() => {
      const now = current.clientWidth
      setFit((fit) => (fit.width === now ? fit : { width: now, gone: 0 }))
    })
    watch.observe(current)
    return () => watch.disconnect()
  }, [scroller, may.length])
  // Paper is wider than the window, and has every chosen column.
  const out = may.slice(0, usePrinting() ? 0 : gone)
  const shown = out.length === 0 ? columns : columns.filter(({ key }) => !out.includes(key))
  // A layout effect, to run before painting.
  useLayoutEffect(() => {
    const { current } = scroller
    if (!current || gone >= may.length || current.clientWidth < LEAST) return
    const over = current.scrollWidth - current.clientWidth
    if (over <= 0) return
    const heads = [...current.querySelectorAll<HTMLElement>('thead th')]
    const widthOf = (key: string): number =>
      heads[shown.findIndex((column) => column.key === key)]?.offsetWidth ?? 0
    // The overflow can only be measured after rendering.
    // oxlint-disable-next-line react/set-state-in-effect
    setFit({ width: current.clientWidth, gone: gone + tooMany(may.slice(gone).map(widthOf), over) })
    // Columns and lesser are new objects in each render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [scroller, width, gone, may.length, rows])
  return shown
}

/**
 * How many of these columns must go to make room, at least one. In a table that is too wide every column has
 * its minimum width, so hiding one frees exactly that.
 */
export function tooMany(widths: readonly number[], over: number): number {
  let freed = 0
  const enough = widths.findIndex((width) => {
    freed += width
    return freed >= over
  })
  return enough < 0 ? widths.length : enough + 1
}
