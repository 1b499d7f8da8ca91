// Extent of the holding's stand outlines.
import type { Outline } from '#contract/bestand.ts'
import type { Box } from './heaps.ts'

/** Null if there is nothing to show. */
export function boxOfOutlines(outlines: readonly Outline[]): Box | null {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [, areas] of outlines)
    for (const [ring = []] of areas)
      for (const [x, y] of ring) {
        box[0] = Math.min(box[0], x)
        box[1] = Math.min(box[1], y)
        box[2] = Math.max(box[2], x)
        box[3] = Math.max(box[3], y)
      }
  return Number.isFinite(box[0]) ? box : null
}
