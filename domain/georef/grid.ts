// The grid printed on a sheet: from points on some of its crossings where the others are on the map, and
// where to look for them in the scan.
import { leftOutErrors } from './residuals.ts'
import { fitTransform, type ControlPoint } from './transform.ts'

export interface GridPlace {
  readonly ost: number
  readonly nord: number
}
/** A crossing not found yet, with the place in the scan where it is expected. */
export interface ExpectedCrossing extends ControlPoint {
  /** Direction of the grid's eastward lines in the scan against its rows, in radians. */
  readonly turn: number
}

/** Spacings that are printed, in metres; the largest that fits is the likeliest. */
const SPACINGS = [5000, 2000, 1000, 500, 250, 200, 100, 50, 25, 20, 10] as const
/** How far beside the grid a point may be: printed coordinates are exact, typed ones may be rounded. */
const ON_GRID = { share: 0.01, most: 1 }
const tolerance = (spacing: number): number => Math.min(spacing * ON_GRID.share, ON_GRID.most)
/** More crossings than any sheet has; a spacing typed wrong would give millions. */
export const MOST_CROSSINGS = 400

const isMultiple = (value: number, spacing: number): boolean =>
  Math.abs(value - Math.round(value / spacing) * spacing) <= tolerance(spacing)

/** As many points are tried as the grid's origin; beyond them most are off the grid. */
const ORIGINS = 20

/** The points that lie on one grid: on that which most of them share. */
export function pointsOnGrid<P extends GridPlace>(points: readonly P[], spacing: number): P[] {
  let most: P[] = []
  for (const { ost, nord } of points.slice(0, ORIGINS)) {
    const found = points.filter(
      (one) => isMultiple(one.ost - ost, spacing) && isMultiple(one.nord - nord, spacing),
    )
    if (found.length > most.length) most = found
  }
  return most
}

/** The largest usual spacing of a grid on which all points lie; null if there is none. */
export function spacingOf(points: readonly GridPlace[]): number | null {
  if (points.length < 2) return null
  const found = SPACINGS.find((spacing) => pointsOnGrid(points, spacing).length === points.length)
  return found ?? null
}

export type GridDefect = 'zu_wenige' | 'nicht_im_gitter' | 'zu_viele'

/**
 * Crossings within the scan that no point is on, the nearest to a known one first. `known` has at least two
 * points on the grid; with more, the sheet's distortion is followed.
 */
export function expectedCrossings(
  known: readonly ControlPoint[],
  spacing: number,
  { width, height }: { readonly width: number; readonly height: number },
): readonly ExpectedCrossing[] | GridDefect {
  const onGrid = pointsOnGrid(known, spacing)
  if (known.length < 2) return 'zu_wenige'
  if (onGrid.length < 2) return 'nicht_im_gitter'
  const transform =
    (onGrid.length >= 4 ? fitTransform('polynom1', onGrid) : null) ?? fitTransform('helmert', onGrid)
  const [origin] = onGrid
  if (transform === null || origin === undefined) return 'zu_wenige'
  const corners = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ].map(([x = 0, y = 0]) => transform.zurKarte(x, y))
  const range = (axis: 0 | 1, from: number): [number, number] => [
    Math.ceil((Math.min(...corners.map((corner) => corner[axis])) - from) / spacing),
    Math.floor((Math.max(...corners.map((corner) => corner[axis])) - from) / spacing),
  ]
  const [west, east] = range(0, origin.ost)
  const [south, north] = range(1, origin.nord)
  if (!((east - west + 1) * (north - south + 1) <= MOST_CROSSINGS)) return 'zu_viele'
  const found: ExpectedCrossing[] = []
  for (let column = west; column <= east; column++)
    for (let row = south; row <= north; row++) {
      const [easting, northing] = [origin.ost + column * spacing, origin.nord + row * spacing]
      const [scanColumn, scanRow] = transform.zumScan(easting, northing)
      if (!(scanColumn >= 0 && scanRow >= 0 && scanColumn <= width && scanRow <= height)) continue
      if (onGrid.some((one) => isMultipleAt(one, { ost: easting, nord: northing }, spacing))) continue
      const [aheadX, aheadY] = transform.zumScan(easting + spacing, northing)
      const turn = quarter(Math.atan2(aheadY - scanRow, aheadX - scanColumn))
      found.push({ ost: easting, nord: northing, spalte: scanColumn, zeile: scanRow, turn })
    }
  const farOf = (one: ExpectedCrossing): number =>
    Math.min(...onGrid.map(({ spalte, zeile }) => Math.hypot(one.spalte - spalte, one.zeile - zeile)))
  return found
    .map((one) => ({ one, far: farOf(one) }))
    .toSorted((a, b) => a.far - b.far)
    .map(({ one }) => one)
}

const isMultipleAt = (one: GridPlace, other: GridPlace, spacing: number): boolean =>
  Math.hypot(one.ost - other.ost, one.nord - other.nord) <= tolerance(spacing)

/** A grid looks the same after a quarter turn: −π/4 to π/4. */
const quarter = (angle: number): number => angle - Math.round(angle / (Math.PI / 2)) * (Math.PI / 2)

export interface FoundGrid {
  readonly found: readonly ControlPoint[]
  /**
   * Expected on the scan, but not to be seen or beside where all others put it: rubbed off, written over, or
   * beyond the printed area.
   */
  readonly missing: number
}

/** Where to look for a crossing, in columns and rows of the scan. */
export interface Sought {
  readonly x: number
  readonly y: number
  /** In pixels. */
  readonly reach: number
  readonly turn: number
}
type Look = (sought: Sought) => Promise<{ readonly x: number; readonly y: number } | null>

/** Of two points the others are guessed: far from them a crossing may be this many pixels off the guess. */
const FIRST_REACH = 36
/** Once the distortion is known. */
const SURE = { from: 6, reach: 16 }

/**
 * Looks for every crossing within the scan that no point is on. Each one found makes the next guess better.
 * @param known points in use, at least two of them on the grid
 * @param onProgress how many of how many have been looked at
 */
export async function searchGrid(
  known: readonly ControlPoint[],
  spacing: number,
  size: { readonly width: number; readonly height: number },
  look: Look,
  onProgress: (done: number, all: number) => void = () => {},
): Promise<FoundGrid | GridDefect> {
  const keyOf = ({ ost, nord }: GridPlace) => `${ost.toFixed(2)} ${nord.toFixed(2)}`
  const tried = new Set<string>()
  const found: ControlPoint[] = []
  for (;;) {
    const expected = expectedCrossings([...known, ...found], spacing, size)
    if (typeof expected === 'string') return expected
    const left = expected.filter((one) => !tried.has(keyOf(one)))
    onProgress(tried.size, tried.size + left.length)
    const [nearest] = left
    if (nearest === undefined) break
    tried.add(keyOf(nearest))
    const reach = found.length >= SURE.from ? SURE.reach : FIRST_REACH
    // oxlint-disable-next-line no-await-in-loop -- each one found makes the next guess better
    const place = await look({ x: nearest.spalte, y: nearest.zeile, reach, turn: nearest.turn })
    if (place !== null) found.push({ ost: nearest.ost, nord: nearest.nord, spalte: place.x, zeile: place.y })
  }
  const consistent = withoutStrangers(pointsOnGrid(known, spacing), found)
  return { found: consistent, missing: tried.size - consistent.length }
}

/**
 * How far from where all others put it a crossing may be: in pixels, and against what is usual on the sheet.
 */
const STRANGE = { pixels: 3, times: 4 }

/** Leaves out what is no crossing of the grid, but of other lines near one: the strangest first. */
function withoutStrangers(known: readonly ControlPoint[], found: readonly ControlPoint[]): ControlPoint[] {
  let kept = [...found]
  for (;;) {
    const all = [...known, ...kept]
    const errors = leftOutErrors(all.length >= MANY ? 'polynom2' : 'polynom1', all)
    const sorted = errors.filter((error) => error !== null).toSorted((a, b) => a - b)
    const usual = sorted[Math.floor(sorted.length / 2)] ?? 0
    const worst = Math.max(0, ...errors.slice(known.length).map((error) => error ?? 0))
    if (worst <= Math.max(STRANGE.pixels, STRANGE.times * usual)) return kept
    kept = kept.filter((_, nr) => errors[known.length + nr] !== worst)
  }
}
/** Points with which a second-order polynomial is more than its points. */
const MANY = 12
