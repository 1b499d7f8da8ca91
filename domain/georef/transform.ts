// The seven transformations between a scan and the map, as QGIS and GDAL fit them: a polynomial and a spline
// are fitted once in each direction, the others are fitted towards the map and inverted. Rows count downwards
// here; code that reads or writes QGIS' upward rows flips them at the boundary.
import { type Direction, dotProduct, type FramedPlaces, placesOf, squareSum, UNFRAMED } from './frame.ts'
import { fitHomography, framedByDistance, homographyDirection } from './homography.ts'
import { type LeastSquares, leverageOf } from './least-squares.ts'
import { leastSquaresPolynomial, polynomialDirection } from './polynomial.ts'
import { splineDiagonal, splineDirection, splineSystem, splineWeights } from './spline.ts'

/** The points that each needs. */
export const MIN_POINTS = {
  linear: 2,
  helmert: 2,
  polynom1: 3,
  polynom2: 6,
  polynom3: 10,
  tps: 3,
  projektiv: 4,
} as const
export type GeorefType = keyof typeof MIN_POINTS
export const GEOREF_TYPES = Object.keys(MIN_POINTS) as readonly GeorefType[]

/** Easting, northing and the position in the scan, in pixels from its left and upper edge. */
export interface ControlPoint {
  readonly ost: number
  readonly nord: number
  readonly spalte: number
  readonly zeile: number
}

/** Towards the map: easting = a + b·column + c·row, northing = d + e·column + f·row. */
export type Affin = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

export interface Transform {
  readonly typ: GeorefType
  /** Column and row to easting and northing. */
  readonly zurKarte: Direction
  /** Easting and northing to column and row. */
  readonly zumScan: Direction
  /** Only for the three types that a world file can express. */
  readonly affin: Affin | null
  /**
   * For each point it was fitted to: the distance in pixels from where all others put it; null if they do not
   * suffice. Null as a whole: there is no formula for it.
   */
  readonly leftOut: (() => (number | null)[]) | null
}

interface PointSet {
  readonly anzahl: number
  readonly scan: FramedPlaces
  readonly karte: FramedPlaces
}

/** Map units per pixel, both framed. */
const scaleRatio = ({ scan, karte }: PointSet): number => karte.frame.scale / scan.frame.scale

/**
 * The transformation through or nearest to the points.
 * @returns null if the points do not determine it: too few, on one line, or the same place twice
 */
export function fitTransform(kind: GeorefType, points: readonly ControlPoint[]): Transform | null {
  if (points.length < MIN_POINTS[kind]) return null
  return kind === 'tps' ? fitDistinct(points) : fitSet(kind, pointSetOf(points))
}

const pointSetOf = (points: readonly ControlPoint[]): PointSet => ({
  anzahl: points.length,
  scan: placesOf(
    points,
    ({ spalte }) => spalte,
    ({ zeile }) => zeile,
  ),
  karte: placesOf(
    points,
    ({ ost }) => ost,
    ({ nord }) => nord,
  ),
})

/** A point that is there twice, number for number, says nothing new: a spline takes it once, as GDAL does. */
function fitDistinct(points: readonly ControlPoint[]): Transform | null {
  const known = new Map<string, number>()
  const distinct: ControlPoint[] = []
  const times: number[] = []
  const places = points.map((point) => {
    const key = [point.spalte, point.zeile, point.ost, point.nord].join(' ')
    const place = known.get(key) ?? distinct.push(point) - 1
    known.set(key, place)
    times[place] = (times[place] ?? 0) + 1
    return place
  })
  if (distinct.length < MIN_POINTS.tps) return null
  const spline = fitSpline(pointSetOf(distinct))
  if (spline === null || distinct.length === points.length) return spline
  const leftOut = () => {
    const errors = spline.leftOut?.() ?? []
    // Without one of two, the other still holds the sheet there.
    return places.map((place) => (times[place] === 1 ? (errors[place] ?? null) : 0))
  }
  return { ...spline, leftOut }
}

function fitSet(kind: Exclude<GeorefType, 'tps'>, pointSet: PointSet): Transform | null {
  switch (kind) {
    case 'linear':
      return fitLinear(pointSet)
    case 'helmert':
      return fitHelmert(pointSet)
    case 'polynom1':
      return fitPolynomial(pointSet, kind, 1)
    case 'polynom2':
      return fitPolynomial(pointSet, kind, 2)
    case 'polynom3':
      return fitPolynomial(pointSet, kind, 3)
    case 'projektiv':
      return fitProjective(pointSet)
  }
}

function affineTransform(kind: GeorefType, affin: Affin, leftOut: () => (number | null)[]): Transform | null {
  const [a, b, c, d, e, f] = affin
  const determinant = b * f - c * e
  if (!Number.isFinite(determinant) || determinant === 0) return null
  return {
    typ: kind,
    affin,
    leftOut,
    zurKarte: (x, y) => [a + b * x + c * y, d + e * x + f * y],
    zumScan: (x, y) => [(f * (x - a) - c * (y - d)) / determinant, (b * (y - d) - e * (x - a)) / determinant],
  }
}

/**
 * If less than this remains of 1 after a point's own pull on the fit, the other points do not suffice without
 * it.
 */
const FREE = 1e-9

/** Each axis separately. */
function fitLinear(pointSet: PointSet): Transform | null {
  const { scan, karte, anzahl } = pointSet
  const axis = (from: Float64Array, to: Float64Array) => {
    const square = squareSum(from)
    const slope = dotProduct(from, to) / square
    return square > 1e-20 && slope !== 0 ? { from, to, square, slope } : null
  }
  const [b, f] = [axis(scan.xs, karte.xs), axis(scan.ys, karte.ys)]
  if (b === null || f === null) return null
  /** Error in framed pixels, using the slope fitted to the other points. */
  const without = ({ from, to, square, slope }: typeof b, i: number): number | null => {
    const free = 1 - 1 / anzahl - from[i]! ** 2 / square
    if (free <= FREE) return null
    const miss = (to[i]! - slope * from[i]!) / free
    const others = slope - (from[i]! * miss) / square
    return others === 0 ? null : miss / others
  }
  const leftOut = () =>
    Array.from({ length: anzahl }, (_, i) => {
      const [x, y] = [without(b, i), without(f, i)]
      return x === null || y === null ? null : scan.frame.scale * Math.hypot(x, y)
    })
  const ratio = scaleRatio(pointSet)
  return affineTransform('linear', unframed(pointSet, [b.slope * ratio, 0, 0, f.slope * ratio]), leftOut)
}

/** One scale, one rotation. Rows count downwards and northings upwards, so the scan is mirrored first. */
function fitHelmert(pointSet: PointSet): Transform | null {
  const { scan, karte, anzahl } = pointSet
  const square = squareSum(scan.xs) + squareSum(scan.ys)
  const real = (dotProduct(karte.xs, scan.xs) - dotProduct(karte.ys, scan.ys)) / square
  const imaginary = (dotProduct(karte.ys, scan.xs) + dotProduct(karte.xs, scan.ys)) / square
  if (square <= 1e-20 || Math.hypot(real, imaginary) <= 1e-12) return null
  const leftOut = () =>
    Array.from({ length: anzahl }, (_, i) => {
      const [x, y] = [scan.xs[i]!, -scan.ys[i]!]
      const free = 1 - 1 / anzahl - (x * x + y * y) / square
      if (free <= FREE) return null
      const east = (karte.xs[i]! - (real * x - imaginary * y)) / free
      const north = (karte.ys[i]! - (imaginary * x + real * y)) / free
      // Scale and rotation fitted to the other points.
      const others = Math.hypot(
        real - (east * x + north * y) / square,
        imaginary - (north * x - east * y) / square,
      )
      return others <= 1e-12 ? null : (scan.frame.scale * Math.hypot(east, north)) / others
    })
  const ratio = scaleRatio(pointSet)
  const [p, q] = [real * ratio, imaginary * ratio]
  return affineTransform('helmert', unframed(pointSet, [p, q, q, -p]), leftOut)
}

/** The constants that map the mean of the scan to the mean of the map. */
function unframed({ scan, karte }: PointSet, [b, c, e, f]: readonly [number, number, number, number]): Affin {
  const [from, to] = [scan.frame, karte.frame]
  return [to.x - b * from.x - c * from.y, b, c, to.y - e * from.x - f * from.y, e, f]
}

function fitPolynomial(pointSet: PointSet, kind: GeorefType, order: number): Transform | null {
  const { scan, karte } = pointSet
  const there = leastSquaresPolynomial(order, scan, karte)
  const back = leastSquaresPolynomial(order, karte, scan)
  if (there === null || back === null) return null
  const inFrame = polynomialDirection(order, back, UNFRAMED, UNFRAMED)
  const leftOut = () =>
    Array.from(leverageOf(back.reflections), (leverage, i) => {
      const [x, y] = inFrame(karte.xs[i]!, karte.ys[i]!)
      return 1 - leverage > FREE
        ? (scan.frame.scale * Math.hypot(x - scan.xs[i]!, y - scan.ys[i]!)) / (1 - leverage)
        : null
    })
  return {
    typ: kind,
    zurKarte: polynomialDirection(order, there, scan.frame, karte.frame),
    zumScan: polynomialDirection(order, back, karte.frame, scan.frame),
    affin: order === 1 ? affineOf(pointSet, there) : null,
    leftOut,
  }
}

function affineOf(pointSet: PointSet, { solution: [us, vs] }: LeastSquares): Affin {
  const { scale } = pointSet.karte.frame
  const ratio = scaleRatio(pointSet)
  const [a, b, c, d, e, f] = unframed(pointSet, [
    us![1]! * ratio,
    us![2]! * ratio,
    vs![1]! * ratio,
    vs![2]! * ratio,
  ])
  return [a + scale * us![0]!, b, c, d + scale * vs![0]!, e, f]
}

function fitSpline({ scan, karte }: PointSet): Transform | null {
  const there = splineSystem(scan.xs, scan.ys)
  const back = there === null ? null : splineSystem(karte.xs, karte.ys)
  if (there === null || back === null) return null
  const [u, v] = [splineWeights(back, scan.xs), splineWeights(back, scan.ys)]
  const leftOut = () => {
    const diagonal = splineDiagonal(back)
    // If a single point keeps the others from being on one line, it has no weight wherever it is, and so no
    // figure.
    return Array.from(leverageOf(back.ebene), (leverage, i) =>
      1 - leverage > FREE ? (scan.frame.scale * Math.hypot(u[i]!, v[i]!)) / diagonal[i]! : null,
    )
  }
  return {
    typ: 'tps',
    zurKarte: splineDirection(
      scan,
      splineWeights(there, karte.xs),
      splineWeights(there, karte.ys),
      karte.frame,
    ),
    zumScan: splineDirection(karte, u, v, scan.frame),
    affin: null,
    leftOut,
  }
}

function fitProjective(pointSet: PointSet): Transform | null {
  const [scan, karte] = [framedByDistance(pointSet.scan), framedByDistance(pointSet.karte)]
  const found = fitHomography(scan, karte, pointSet.anzahl)
  return found === null
    ? null
    : {
        typ: 'projektiv',
        zurKarte: homographyDirection(found.there, scan.frame, karte.frame),
        zumScan: homographyDirection(found.back, karte.frame, scan.frame),
        affin: null,
        leftOut: null,
      }
}
