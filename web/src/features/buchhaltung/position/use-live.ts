// Updates sums when typing pauses: computing five hundred lines would slow down each keystroke.
import { useEffect, useMemo, useRef, useState } from 'react'
import type { BelegSums } from '#domain/beleg.ts'
import { type BelegBasis, computeBeleg } from '#domain/rechnung.ts'
import { type Grid, typedLine } from './grid.ts'
import { positionBasis, type TableRow } from './line.ts'

const PAUSE_MS = 60

export type Head = Omit<BelegBasis, 'positionen'>
export interface Live {
  readonly zeilen: readonly TableRow[]
  readonly summen: BelegSums
  /** What the sums were computed with: the field may be ahead of them. */
  readonly rabatt_prozent: string
}

/** Returns the subtotals of headings by line key. */
export function useLive(grid: Grid, head: Head, onLive: (live: Live) => void): ReadonlyMap<number, string> {
  const { zeilen, edit } = grid
  const typed = typedLine(grid)
  const { row } = grid.cursor
  // As one string, because most keys do not change it.
  const [headings, setHeadings] = useState('')
  const begun = useRef(false)
  useEffect(() => {
    const reckon = () => {
      const lines = edit === null || typed === undefined ? zeilen : zeilen.with(row, typed)
      const { summen, zeilen: computed } = computeBeleg({ ...head, positionen: lines.map(positionBasis) })
      setHeadings(
        lines
          .flatMap((line, at) =>
            line.art === 'ueberschrift' ? [`${line.key} ${computed[at]?.betrag ?? ''}`] : [],
          )
          .join('\n'),
      )
      onLive({ zeilen: lines, summen, rabatt_prozent: head.rabatt_prozent })
    }
    if (!begun.current) {
      begun.current = true
      reckon()
      return
    }
    const timer = setTimeout(reckon, PAUSE_MS)
    return () => clearTimeout(timer)
    // The typed line is a new object each time; its text tells whether it differs.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [zeilen, edit, head, onLive])
  return useMemo(
    () =>
      new Map(
        headings.split('\n').map((line) => [Number(line.split(' ')[0]), line.split(' ')[1] ?? ''] as const),
      ),
    [headings],
  )
}
