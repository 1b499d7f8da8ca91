// Looks for the crossings of the sheet's grid in the scan: one the person clicked near, or all that follow
// from two known ones.
import { type Crossing, findCrossing } from '#domain/georef/crossing.ts'
import { expectedCrossings, type ExpectedCrossing, type GridDefect } from '#domain/georef/grid.ts'
import type { ControlPoint } from '#domain/georef/transform.ts'
import type { ScanSource } from '../../karte/ol-sources.ts'
import { readScan } from './scan-pixels.ts'

/** Beside the place where a crossing must lie, its arms are looked at. */
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

export interface FoundGrid {
  readonly found: readonly ControlPoint[]
  /** Expected on the scan, but not to be seen: rubbed off, written over, or beyond the printed area. */
  readonly missing: number
}

/** Of two points the others are guessed: far from them a crossing may lie this many pixels beside the guess. */
const FIRST_REACH = 36
/** Once the distortion is known. */
const SURE = { from: 6, reach: 16 }

/**
 * Looks for every crossing within the scan that no point is on. Each one found makes the next guess better.
 * @param known points in use, at least two of them on the grid
 * @param onProgress how many of how many have been looked at
 */
export async function findGrid(
  scan: ScanSource,
  known: readonly ControlPoint[],
  spacing: number,
  signal: AbortSignal,
  onProgress: (done: number, all: number) => void,
): Promise<FoundGrid | GridDefect> {
  const size = { width: scan.breite, height: scan.hoehe }
  const keyOf = ({ ost, nord }: Pick<ControlPoint, 'ost' | 'nord'>) => `${ost.toFixed(2)} ${nord.toFixed(2)}`
  const tried = new Set<string>()
  const found: ControlPoint[] = []
  const next = (): readonly ExpectedCrossing[] | GridDefect => {
    const expected = expectedCrossings([...known, ...found], spacing, size)
    return typeof expected === 'string' ? expected : expected.filter((one) => !tried.has(keyOf(one)))
  }
  for (let expected = next(); ; expected = next()) {
    if (typeof expected === 'string') return found.length === 0 ? expected : { found, missing: 0 }
    const [nearest] = expected
    onProgress(tried.size, tried.size + expected.length)
    if (nearest === undefined) return { found, missing: tried.size - found.length }
    signal.throwIfAborted()
    tried.add(keyOf(nearest))
    const reach = found.length >= SURE.from ? SURE.reach : FIRST_REACH
    // oxlint-disable-next-line no-await-in-loop -- each one found makes the next guess better
    const crossing = await crossingNear(
      scan,
      { x: nearest.spalte, y: nearest.zeile, reach, turn: nearest.turn },
      signal,
    )
    if (crossing !== null)
      found.push({ ost: nearest.ost, nord: nearest.nord, spalte: crossing.x, zeile: crossing.y })
  }
}
