// Everything a screen shows about a set of points, as plain values: computed on the page or, if it takes
// long, in a worker.
import type { Pair } from './frame.ts'
import { type Affin, fitTransform, type GeorefType, MIN_POINTS, type ControlPoint } from './transform.ts'
import { type Mesh, meshOf } from './mesh.ts'
import { type PointDefect, pointDefectsOf } from './point-check.ts'
import { suggestedResolution } from './raster.ts'
import { leftOutErrors, type Quality, qualityOf, type Residual, residualsInPixels } from './residuals.ts'

export interface EvaluationPoint extends ControlPoint {
  readonly enable: boolean
}
export interface Evaluation {
  /** For each point, in order; null while there is no fit. */
  readonly rest: readonly (Residual | null)[]
  /**
   * Distance from where all other points put it; null for points that are not in use or cannot be left out.
   */
  readonly leftOut: readonly (number | null)[]
  /** For the points in use; null while there is no fit. */
  readonly quality: Quality | null
  /**
   * Index of the point with the largest error among all points; -1: none. For a spline, the largest of the
   * left-out errors, because a spline passes through every point.
   */
  readonly worstPoint: number
  /** Point numbers in them are indexes among all points. */
  readonly defects: readonly PointDefect[]
  readonly mesh: Mesh | null
  readonly affin: Affin | null
  /** Map units per pixel of the scan. */
  readonly aufloesung: number | null
}

/**
 * Without a formula each point is left out by refitting the others; with more points than this, that takes
 * longer than a frame and is not worth the wait on every drag.
 */
const REFIT_MOST = 100
/** From this many points, splines are computed off the page. */
export const LONG_FROM = 300
export const takesLong = (kind: GeorefType, points: number): boolean => kind === 'tps' && points >= LONG_FROM

export function evaluatePoints(
  kind: GeorefType,
  points: readonly EvaluationPoint[],
  width: number,
  height: number,
): Evaluation {
  const places = points.flatMap(({ enable }, index) => (enable ? [index] : []))
  const used = places.map((index) => points[index]!)
  const none = points.map(() => null)
  const transform = fitTransform(kind, used)
  const defects = pointDefectsOf(kind, used, transform).map((defect) =>
    'punkte' in defect ? { ...defect, punkte: defect.punkte.map((index) => places[index]!) } : defect,
  )
  if (transform === null)
    return {
      rest: none,
      leftOut: none,
      quality: null,
      worstPoint: -1,
      defects,
      mesh: null,
      affin: null,
      aufloesung: null,
    }
  const rest = residualsInPixels(transform, points)
  const quality = qualityOf(
    kind,
    places.map((index) => rest[index]!),
  )
  const byRefit = transform.leftOut === null
  const loo =
    byRefit && used.length > REFIT_MOST ? used.map(() => null) : leftOutErrors(kind, used, transform)
  const leftOut: (number | null)[] = [...none]
  places.forEach((index, i) => {
    leftOut[index] = loo[i]!
  })
  const worstPoint =
    kind === 'tps'
      ? worst(leftOut)
      : used.length > MIN_POINTS[kind] && quality.largest > 1e-6
        ? (places[quality.worstPoint] ?? -1)
        : -1
  return {
    rest,
    leftOut,
    quality,
    worstPoint,
    defects,
    mesh: meshOf(transform, width, height),
    affin: transform.affin,
    aufloesung: suggestedResolution(transform, width, height),
  }
}

function worst(values: readonly (number | null)[]): number {
  let [most, place] = [1e-6, -1]
  values.forEach((value, index) => {
    if (value !== null && value > most) [most, place] = [value, index]
  })
  return place
}

/**
 * Where a point is expected, given the existing ones: by the chosen type if they suffice, otherwise by a
 * simpler one. Null: too few points.
 */
export interface Forecast {
  readonly zurKarte: (column: number, row: number) => Pair
  readonly zumScan: (east: number, north: number) => Pair
  /** From three points on, the screen moves there automatically. */
  readonly sicher: boolean
}
export function forecastOf(kind: GeorefType, used: readonly ControlPoint[]): Forecast | null {
  // A long spline is approximated by a first-order polynomial, which is close enough to look there.
  const ways: readonly GeorefType[] = [...(takesLong(kind, used.length) ? [] : [kind]), 'polynom1', 'helmert']
  for (const way of ways) {
    const transform = fitTransform(way, used)
    if (transform !== null)
      return { zurKarte: transform.zurKarte, zumScan: transform.zumScan, sicher: used.length >= 3 }
  }
  return null
}
