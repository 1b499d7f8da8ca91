// Which columns a table has room for: those of lesser importance go, one after the other, until nothing has to be scrolled sideways.
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
  // Before anything is painted; each pass takes one more away.
  useLayoutEffect(() => {
    const { current } = scroller
    if (!current || gone >= may.length || current.clientWidth < LEAST) return
    // How wide it would be is known once it is there.
    // oxlint-disable-next-line react/set-state-in-effect
    if (current.scrollWidth > current.clientWidth) setFit({ width: current.clientWidth, gone: gone + 1 })
  }, [scroller, width, gone, may.length, rows])
  const out = may.slice(0, gone)
  return out.length === 0 ? columns : columns.filter(({ key }) => !out.includes(key))
}
