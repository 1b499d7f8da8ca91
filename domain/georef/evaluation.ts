// Everything a screen shows of a set of points, as plain values: reckoned on the page or, where it takes long, beside it.
import {
  type Affin,
  fitTransform,
  type GeorefType,
  MIN_POINTS,
  type Pair,
  type ControlPoint,
} from './transform.ts'
import { type Mesh, meshOf } from './mesh.ts'
import { type PointDefect, pointDefectsOf } from './point-check.ts'
import { suggestedResolution } from './raster.ts'
import { leftOutErrors, type Quality, qualityOf, type Residual, residualsInPixels } from './residuals.ts'

export interface EvaluationPoint extends ControlPoint {
  readonly enable: boolean
}
export interface Evaluation {
  /** Of each point, in its order; null while nothing fits. */
  readonly rest: readonly (Residual | null)[]
  /** Distance from where all others put it; null for points that are not in use or cannot be left out. */
  readonly leftOut: readonly (number | null)[]
  /** Of the points in use; null while nothing fits. */
  readonly quality: Quality | null
  /** The point with the largest error, by its place among all; -1: none. For a spline the largest of those left out, as it passes through every point. */
  readonly worstPoint: number
  /** Points in them are places among all. */
  readonly defects: readonly PointDefect[]
  readonly mesh: Mesh | null
  readonly affin: Affin | null
  /** Units of the map per pixel of the scan. */
  readonly aufloesung: number | null
}

/** Without a formula each point is left out by fitting the others: of more points than this that takes longer than a frame and is worth no wait on each pull. */
const REFIT_MOST = 100
/** Splines of so many points are reckoned beside the page. */
export const LONG_FROM = 300
export const takesLong = (typ: GeorefType, punkte: number): boolean => typ === 'tps' && punkte >= LONG_FROM

export function evaluatePoints(
  typ: GeorefType,
  punkte: readonly EvaluationPoint[],
  breite: number,
  hoehe: number,
): Evaluation {
  const places = punkte.flatMap(({ enable }, index) => (enable ? [index] : []))
  const used = places.map((index) => punkte[index]!)
  const none = punkte.map(() => null)
  const transform = fitTransform(typ, used)
  const defects = pointDefectsOf(typ, used, transform).map((defect) =>
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
  const rest = residualsInPixels(transform, punkte)
  const quality = qualityOf(
    typ,
    places.map((index) => rest[index]!),
  )
  const byRefit = transform.leftOut === null
  const loo = byRefit && used.length > REFIT_MOST ? used.map(() => null) : leftOutErrors(typ, used, transform)
  const leftOut: (number | null)[] = [...none]
  places.forEach((index, i) => {
    leftOut[index] = loo[i]!
  })
  const worstPoint =
    typ === 'tps'
      ? worst(leftOut)
      : used.length > MIN_POINTS[typ] && quality.largest > 1e-6
        ? (places[quality.worstPoint] ?? -1)
        : -1
  return {
    rest,
    leftOut,
    quality,
    worstPoint,
    defects,
    mesh: meshOf(transform, breite, hoehe),
    affin: transform.affin,
    aufloesung: suggestedResolution(transform, breite, hoehe),
  }
}

function worst(values: readonly (number | null)[]): number {
  let [most, place] = [1e-6, -1]
  values.forEach((value, index) => {
    if (value !== null && value > most) [most, place] = [value, index]
  })
  return place
}

/** Where a point should lie by those that are there: by the chosen way if they suffice, else by a simpler one. Null: too few. */
export interface Forecast {
  readonly zurKarte: (spalte: number, zeile: number) => Pair
  readonly zumScan: (ost: number, nord: number) => Pair
  /** From three points on a screen goes there by itself. */
  readonly sicher: boolean
}
export function forecastOf(typ: GeorefType, used: readonly ControlPoint[]): Forecast | null {
  // A long spline is foretold by a bent sheet, which is near enough to look there.
  const ways: readonly GeorefType[] = [...(takesLong(typ, used.length) ? [] : [typ]), 'polynom1', 'helmert']
  for (const way of ways) {
    const transform = fitTransform(way, used)
    if (transform !== null)
      return { zurKarte: transform.zurKarte, zumScan: transform.zumScan, sicher: used.length >= 3 }
  }
  return null
}
