// How well a transformation fits its points. Figures that QGIS also has keep the names of QGIS, so that both
// can be compared.
import { type Transform, fitTransform, type GeorefType, MIN_POINTS, type ControlPoint } from './transform.ts'

export interface Residual {
  readonly dx: number
  /** Positive downwards: the sign of QGIS' points files. */
  readonly dy: number
  readonly laenge: number
}

const residualOf = (dx: number, dy: number): Residual => ({ dx, dy, laenge: Math.hypot(dx, dy) })

/**
 * In pixels: where the point should be in the scan, minus where it was set. Points left out of the fit have
 * residuals too.
 */
export const residualsInPixels = ({ zumScan }: Transform, points: readonly ControlPoint[]): Residual[] =>
  points.map(({ ost, nord, spalte, zeile }) => {
    const [x, y] = zumScan(ost, nord)
    return residualOf(x - spalte, y - zeile)
  })

export interface Quality {
  /** Root of the mean square of the lengths. */
  readonly rmse: number
  /**
   * What QGIS calls "mean error": divided by the number of points beyond those needed; 0 if there are none.
   */
  readonly meanError: number
  readonly largest: number
  /** Index of the point with the largest residual, -1 without points. */
  readonly worstPoint: number
}

export function qualityOf(kind: GeorefType, residuals: readonly Residual[]): Quality {
  const square = residuals.reduce((sum, { laenge }) => sum + laenge ** 2, 0)
  const beyond = residuals.length - MIN_POINTS[kind]
  const largest = residuals.reduce((most, { laenge }) => Math.max(most, laenge), 0)
  return {
    rmse: residuals.length === 0 ? 0 : Math.sqrt(square / residuals.length),
    meanError: beyond > 0 ? Math.sqrt(square / beyond) : 0,
    largest,
    worstPoint: residuals.findIndex(({ laenge }) => laenge === largest),
  }
}

/**
 * Each point's distance in pixels from where all the others put it; null if the others do not suffice. The
 * only honest figure for a spline, which passes through every point, and for a polynomial with hardly more
 * points than it needs.
 * @param transform the fitted transformation, if already known
 */
export function leftOutErrors(
  kind: GeorefType,
  points: readonly ControlPoint[],
  transform: Transform | null = fitTransform(kind, points),
): (number | null)[] {
  if (transform === null || points.length <= MIN_POINTS[kind]) return points.map(() => null)
  return transform.leftOut?.() ?? byRefit(kind, points)
}

function byRefit(kind: GeorefType, points: readonly ControlPoint[]): (number | null)[] {
  return points.map((point, index) => {
    const others = fitTransform(kind, points.toSpliced(index, 1))
    return others === null ? null : residualsInPixels(others, [point])[0]!.laenge
  })
}
