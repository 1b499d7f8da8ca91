// Why points do not determine a transformation, with a specific reason: "not solvable" does not help to find
// the point that was set twice.
import { type Transform, fitTransform, type GeorefType, MIN_POINTS, type ControlPoint } from './transform.ts'

/**
 * zu_wenige: `missing` more are needed. gleicher_pixel, gleiches_ziel: two or more points share the position
 * in the scan or on the map, but not the other one. doppelt: both. linie: all are on one line, in the scan or
 * on the map. gespiegelt, gestreckt: the sheet would be mirrored, or one of its scales much larger than the other;
 * scans are neither, so a point is wrong. unbestimmt: none of these, and there is still no solution.
 */
export type PointDefect =
  | { readonly code: 'zu_wenige'; readonly missing: number }
  | { readonly code: 'gleicher_pixel' | 'gleiches_ziel' | 'doppelt'; readonly punkte: readonly number[] }
  | { readonly code: 'linie'; readonly where: 'scan' | 'karte' }
  | { readonly code: 'gespiegelt' | 'gestreckt' }
  | { readonly code: 'unbestimmt' }

const SAME_PIXEL = 0.01
const SAME_PLACE = 0.001
/** In degrees, one scale is up to 1.7 times the other. */
const STRETCHED = 5
/** Minimum width of the cloud of points, as a share of its length. */
const LINE = 1e-6

/**
 * Defects of the enabled points for this transformation, by their index. Two points at the same position are
 * reported even if the fit would hide them.
 * @param transform the fitted transformation, if already known: a long spline takes a second
 */
export function pointDefectsOf(
  kind: GeorefType,
  points: readonly ControlPoint[],
  transform: Transform | null = fitTransform(kind, points),
): PointDefect[] {
  const missing = MIN_POINTS[kind] - points.length
  const twins = groupsOf(points)
  if (missing > 0) return [{ code: 'zu_wenige', missing }, ...twins]
  if (transform !== null)
    return [...twins.filter(({ code }) => code !== 'doppelt'), ...scaleFaults(transform)]
  const lines = lineFaults(kind, points)
  const named = [...twins, ...lines]
  return named.length > 0 ? named : [{ code: 'unbestimmt' }]
}

function groupsOf(points: readonly ControlPoint[]): Extract<PointDefect, { punkte: unknown }>[] {
  const pixels = byPlace(points, ({ spalte, zeile }) => [spalte, zeile], SAME_PIXEL)
  const places = byPlace(points, ({ ost, nord }) => [ost, nord], SAME_PLACE)
  const both = (group: readonly number[], others: readonly (readonly number[])[]) =>
    others.some((other) => group.every((index) => other.includes(index)))
  return [
    ...pixels.map((group) => ({
      code: both(group, places) ? ('doppelt' as const) : ('gleicher_pixel' as const),
      punkte: group,
    })),
    ...places
      .filter((group) => !both(group, pixels))
      .map((group) => ({ code: 'gleiches_ziel' as const, punkte: group })),
  ]
}

/** Groups of at least two, each point in the first group it fits. */
function byPlace(
  points: readonly ControlPoint[],
  place: (point: ControlPoint) => readonly [number, number],
  within: number,
): number[][] {
  const order = points
    .map((point, index) => ({ index, place: place(point) }))
    .sort((one, other) => one.place[0] - other.place[0])
  const groups: number[][] = []
  const taken = new Set<number>()
  order.forEach(({ index, place: [x, y] }, start) => {
    if (taken.has(index)) return
    const group = [index]
    for (let next = start + 1; next < order.length && order[next]!.place[0] - x <= within; next++)
      if (!taken.has(order[next]!.index) && Math.abs(order[next]!.place[1] - y) <= within)
        group.push(order[next]!.index)
    if (group.length === 1) return
    for (const member of group) taken.add(member)
    groups.push(group.sort((one, other) => one - other))
  })
  return groups.sort((one, other) => one[0]! - other[0]!)
}

/**
 * Two points give any two scales, three any affine transformation, whatever is wrong with them. A sheet that
 * is on its head is turned and not mirrored.
 */
function scaleFaults({ affin }: Transform): PointDefect[] {
  if (affin === null) return []
  const [, b, c, , e, f] = affin
  // Rows count downwards, northings upwards.
  if (b * f - c * e > 0) return [{ code: 'gespiegelt' }]
  const ratio = Math.hypot(b, e) / Math.hypot(c, f)
  return ratio > STRETCHED || ratio < 1 / STRETCHED ? [{ code: 'gestreckt' }] : []
}

function lineFaults(kind: GeorefType, points: readonly ControlPoint[]): PointDefect[] {
  // Two points are always on one.
  if (MIN_POINTS[kind] < 3) return []
  const faults: PointDefect[] = []
  if (onOneLine(points.map(({ spalte, zeile }) => [spalte, zeile])))
    faults.push({ code: 'linie', where: 'scan' })
  if (onOneLine(points.map(({ ost, nord }) => [ost, nord]))) faults.push({ code: 'linie', where: 'karte' })
  return faults
}

/** Tested with the two eigenvalues of their spread. */
function onOneLine(places: readonly (readonly [number, number])[]): boolean {
  const n = places.length
  const mx = places.reduce((sum, [x]) => sum + x, 0) / n
  const my = places.reduce((sum, [, y]) => sum + y, 0) / n
  let [xx, yy, xy] = [0, 0, 0]
  for (const [x, y] of places) {
    xx += (x - mx) ** 2
    yy += (y - my) ** 2
    xy += (x - mx) * (y - my)
  }
  const half = (xx + yy) / 2
  const root = Math.sqrt(((xx - yy) / 2) ** 2 + xy * xy)
  return half - root <= (half + root) * LINE ** 2
}
