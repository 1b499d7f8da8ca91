// Plans that come with their own place: a world file beside the scan, or the tags of a GeoTIFF. The
// place becomes control points, so that it is seen, checked and changed like any other.
import { type Affin, type ControlPoint, type GeorefType, MIN_POINTS } from './transform.ts'

export interface Placed {
  readonly georef_typ: GeorefType
  readonly punkte: readonly ControlPoint[]
  /** Map units per pixel. */
  readonly res: number
}

/** The four corners of the sheet. Null if the numbers put it nowhere. */
export function placedBy(affin: Affin, width: number, height: number): Placed | null {
  const [a, b, c, d, e, f] = affin
  const area = Math.abs(b * f - c * e)
  if (!affin.every(Number.isFinite) || !(area > 0)) return null
  const corners = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ] as const
  return {
    // Two scales and a shift say the same with the fewest numbers.
    georef_typ: c === 0 && e === 0 ? 'linear' : 'polynom1',
    punkte: corners.map(([column, row]) => ({
      spalte: column,
      zeile: row,
      ost: a + b * column + c * row,
      nord: d + e * column + f * row,
    })),
    res: Math.sqrt(area),
  }
}

/** Points of a file that names no method: the simplest one that has points to spare. */
export const methodFor = (points: number): GeorefType =>
  points > MIN_POINTS.polynom1 ? 'polynom1' : points >= MIN_POINTS.helmert ? 'helmert' : 'linear'

/**
 * A world file: six numbers, of which the last two put the middle of the first pixel. Null for another text.
 */
export function parseWorldFile(text: string): Affin | null {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\s+/)
    .filter((line) => line !== '')
  if (
    lines.length !== 6 ||
    !lines.every((line) => /^[+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:e[+-]?\d+)?$/i.test(line))
  )
    return null
  const [b, e, c, f, east, north] = lines.map((line) => Number(line.replace(',', '.'))) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return [east - b / 2 - c / 2, b, c, north - e / 2 - f / 2, e, f]
}
