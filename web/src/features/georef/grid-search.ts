// Looks for the crossings of the sheet's grid in the scan: one the person clicked near, or all that follow
// from two known ones.
import { type Crossing, findCrossing } from '#domain/georef/crossing.ts'
import { type FoundGrid, type GridDefect, searchGrid } from '#domain/georef/grid.ts'
import type { ControlPoint } from '#domain/georef/transform.ts'
import type { ScanSource } from '../../karte/ol-sources.ts'
import { readScan } from './scan-pixels.ts'

/** Beside the place where a crossing must be, its arms are looked at. */
const ARMS = 32

interface Sought {
  readonly x: number
  readonly y: number
  readonly reach: number
  readonly turn?: number
}

/** The crossing nearest to a place, in columns and rows of the scan; null if there is none. */
export async function crossingNear(
  scan: ScanSource,
  sought: Sought,
  signal?: AbortSignal,
): Promise<Pick<Crossing, 'x' | 'y'> | null> {
  const part = await readScan(scan, { ...sought, reach: sought.reach + ARMS }, signal)
  if (part === null) return null
  const { picture, left, top } = part
  const found = findCrossing(picture, { ...sought, x: sought.x - left, y: sought.y - top })
  return found === null ? null : { x: found.x + left, y: found.y + top }
}

/**
 * The other crossings of the grid on which the known points lie.
 * @param onProgress how many of how many have been looked at
 */
export const findGrid = (
  scan: ScanSource,
  known: readonly ControlPoint[],
  spacing: number,
  signal: AbortSignal,
  onProgress: (done: number, all: number) => void,
): Promise<FoundGrid | GridDefect> =>
  searchGrid(
    known,
    spacing,
    { width: scan.breite, height: scan.hoehe },
    (sought) => {
      signal.throwIfAborted()
      return crossingNear(scan, sought, signal)
    },
    onProgress,
  )
