// Which columns a table has room for: those of lesser importance go, in their order, until nothing has to be scrolled sideways.
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

/** Narrower ones are phones': there everything scrolls, since too little would be left. */
const LEAST = 560

/** `lesser`: keys, in the order in which they go. `rows` tells when there is something new to measure. */
export function useFitting<C extends { readonly key: string }>(
  columns: readonly C[],
  lesser: readonly string[] | undefined,
  scroller: RefObject<HTMLElement | null>,
  rows: unknown,
): readonly C[] {
  // With the width it was measured at: another one is measured anew.
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
  const out = may.slice(0, gone)
  const shown = out.length === 0 ? columns : columns.filter(({ key }) => !out.includes(key))
  // Before anything is painted.
  useLayoutEffect(() => {
    const { current } = scroller
    if (!current || gone >= may.length || current.clientWidth < LEAST) return
    const over = current.scrollWidth - current.clientWidth
    if (over <= 0) return
    const heads = [...current.querySelectorAll<HTMLElement>('thead th')]
    const widthOf = (key: string): number =>
      heads[shown.findIndex((column) => column.key === key)]?.offsetWidth ?? 0
    // How wide it would be is known once it is there.
    // oxlint-disable-next-line react/set-state-in-effect
    setFit({ width: current.clientWidth, gone: gone + tooMany(may.slice(gone).map(widthOf), over) })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- columns and lesser are made anew with each rendering
  }, [scroller, width, gone, may.length, rows])
  return shown
}

/** How many of these have to go for the others to have room; a table that is too wide gives each column no more than it needs, so each frees what it had. At least one. */
export function tooMany(widths: readonly number[], over: number): number {
  let freed = 0
  const enough = widths.findIndex((width) => {
    freed += width
    return freed >= over
  })
  return enough < 0 ? widths.length : enough + 1
}
