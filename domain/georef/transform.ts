// The seven transformations between a scan and the map, as QGIS and GDAL fit them: a polynomial and a spline
// are fitted once in each direction, the others are fitted towards the map and inverted. Rows count downwards
// here; code that reads or writes QGIS' upward rows flips them at the boundary.
import { type LeastSquares, leastSquares, leverageOf, weakestDirection } from './least-squares.ts'
import { splineDiagonal, splineWeights, splineSystem } from './spline.ts'

export const GEOREF_TYPES = [
  'linear',
  'helmert',
  'polynom1',
  'polynom2',
  'polynom3',
  'tps',
  'projektiv',
] as const
export type GeorefType = (typeof GEOREF_TYPES)[number]

export const MIN_POINTS: Readonly<Record<GeorefType, number>> = {
  linear: 2,
  helmert: 2,
  polynom1: 3,
  polynom2: 6,
  polynom3: 10,
  tps: 3,
  projektiv: 4,
}

/** Easting, northing and the position in the scan, in pixels from its left and upper edge. */
export interface ControlPoint {
  readonly ost: number
  readonly nord: number
  readonly spalte: number
  readonly zeile: number
}

export type Pair = readonly [number, number]
export type Direction = (x: number, y: number) => Pair

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

/**
 * Coordinates relative to their mean and scaled to the order of one: squares and cubes of five million metres
 * would leave no digits for the rest.
 */
interface Frame {
  readonly x: number
  readonly y: number
  readonly scale: number
}

interface FramedPlaces {
  readonly frame: Frame
  readonly xs: Float64Array
  readonly ys: Float64Array
}

function placesOf(
  punkte: readonly ControlPoint[],
  x: (point: ControlPoint) => number,
  y: (point: ControlPoint) => number,
): FramedPlaces {
  const [xs, ys] = [Float64Array.from(punkte, x), Float64Array.from(punkte, y)]
  const middle = [around(xs), around(ys)] as const
  const scale = Math.sqrt((squareSum(xs) + squareSum(ys)) / punkte.length) || 1
  for (let i = 0; i < xs.length; i++) {
    xs[i]! /= scale
    ys[i]! /= scale
  }
  return { frame: { x: middle[0], y: middle[1], scale }, xs, ys }
}

/** Subtracts the mean from the values and returns it. */
function around(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  for (let i = 0; i < values.length; i++) values[i]! -= mean
  return mean
}

const squareSum = (values: Float64Array): number => dotProduct(values, values)

function dotProduct(one: Float64Array, other: Float64Array): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += one[i]! * other[i]!
  return sum
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
export function fitTransform(typ: GeorefType, punkte: readonly ControlPoint[]): Transform | null {
  if (punkte.length < MIN_POINTS[typ]) return null
  const satz: PointSet = {
    anzahl: punkte.length,
    scan: placesOf(
      punkte,
      ({ spalte }) => spalte,
      ({ zeile }) => zeile,
    ),
    karte: placesOf(
      punkte,
      ({ ost }) => ost,
      ({ nord }) => nord,
    ),
  }
  switch (typ) {
    case 'linear':
      return fitLinear(satz)
    case 'helmert':
      return fitHelmert(satz)
    case 'polynom1':
      return fitPolynomial(satz, typ, 1)
    case 'polynom2':
      return fitPolynomial(satz, typ, 2)
    case 'polynom3':
      return fitPolynomial(satz, typ, 3)
    case 'tps':
      return fitSpline(satz)
    case 'projektiv':
      return fitProjective(satz)
  }
}

function affineTransform(typ: GeorefType, affin: Affin, leftOut: () => (number | null)[]): Transform | null {
  const [a, b, c, d, e, f] = affin
  const determinant = b * f - c * e
  if (!Number.isFinite(determinant) || determinant === 0) return null
  return {
    typ,
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
function fitLinear(satz: PointSet): Transform | null {
  const { scan, karte, anzahl } = satz
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
  const ratio = scaleRatio(satz)
  return affineTransform('linear', unframed(satz, [b.slope * ratio, 0, 0, f.slope * ratio]), leftOut)
}

/** One scale, one rotation. Rows count downwards and northings upwards, so the scan is mirrored first. */
function fitHelmert(satz: PointSet): Transform | null {
  const { scan, karte, anzahl } = satz
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
  const ratio = scaleRatio(satz)
  const [p, q] = [real * ratio, imaginary * ratio]
  return affineTransform('helmert', unframed(satz, [p, q, q, -p]), leftOut)
}

/** The constants that map the mean of the scan to the mean of the map. */
function unframed({ scan, karte }: PointSet, [b, c, e, f]: readonly [number, number, number, number]): Affin {
  const [from, to] = [scan.frame, karte.frame]
  return [to.x - b * from.x - c * from.y, b, c, to.y - e * from.x - f * from.y, e, f]
}

const termsOf = (order: number): number => ((order + 1) * (order + 2)) / 2

/**
 * Powers of x and y up to this total order, the constant first: those of one order are those of the previous
 * one times x, plus its last one times y.
 */
function monomials(order: number, x: number, y: number, terms: Float64Array): void {
  terms[0] = 1
  for (let sum = 1; sum <= order; sum++) {
    const [before, at] = [termsOf(sum - 2), termsOf(sum - 1)]
    for (let k = 0; k < sum; k++) terms[at + k] = terms[before + k]! * x
    terms[at + sum] = terms[at - 1]! * y
  }
}

/** One direction of a polynomial in framed coordinates. */
function leastSquaresPolynomial(order: number, from: FramedPlaces, to: FramedPlaces): LeastSquares | null {
  const [rows, columns] = [from.xs.length, termsOf(order)]
  const design = new Float64Array(rows * columns)
  const terms = new Float64Array(columns)
  for (let i = 0; i < rows; i++) {
    monomials(order, from.xs[i]!, from.ys[i]!, terms)
    for (let k = 0; k < columns; k++) design[k * rows + i] = terms[k]!
  }
  return leastSquares(design, [to.xs, to.ys], rows, columns)
}

function polynomialDirection(
  order: number,
  { solution: [us, vs] }: LeastSquares,
  from: Frame,
  to: Frame,
): Direction {
  const [forX, forY] = [us!, vs!]
  const terms = new Float64Array(termsOf(order))
  return (x, y) => {
    monomials(order, (x - from.x) / from.scale, (y - from.y) / from.scale, terms)
    let u = 0
    let v = 0
    for (let k = 0; k < terms.length; k++) {
      u += forX[k]! * terms[k]!
      v += forY[k]! * terms[k]!
    }
    return [to.x + to.scale * u, to.y + to.scale * v]
  }
}

function fitPolynomial(satz: PointSet, typ: GeorefType, order: number): Transform | null {
  const { scan, karte } = satz
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
    typ,
    zurKarte: polynomialDirection(order, there, scan.frame, karte.frame),
    zumScan: polynomialDirection(order, back, karte.frame, scan.frame),
    affin: order === 1 ? affineOf(satz, there) : null,
    leftOut,
  }
}

const UNFRAMED: Frame = { x: 0, y: 0, scale: 1 }

function affineOf(satz: PointSet, { solution: [us, vs] }: LeastSquares): Affin {
  const { scale } = satz.karte.frame
  const ratio = scaleRatio(satz)
  const [a, b, c, d, e, f] = unframed(satz, [
    us![1]! * ratio,
    us![2]! * ratio,
    vs![1]! * ratio,
    vs![2]! * ratio,
  ])
  return [a + scale * us![0]!, b, c, d + scale * vs![0]!, e, f]
}

function splineDirection(
  { xs, ys, frame: from }: FramedPlaces,
  u: Float64Array,
  v: Float64Array,
  to: Frame,
): Direction {
  const n = xs.length
  return (x, y) => {
    const px = (x - from.x) / from.scale
    const py = (y - from.y) / from.scale
    let a = u[n]! + u[n + 1]! * px + u[n + 2]! * py
    let b = v[n]! + v[n + 1]! * px + v[n + 2]! * py
    for (let i = 0; i < n; i++) {
      const dx = px - xs[i]!
      const dy = py - ys[i]!
      const square = dx * dx + dy * dy
      if (square === 0) continue
      const weight = square * Math.log(square)
      a += u[i]! * weight
      b += v[i]! * weight
    }
    return [to.x + to.scale * a, to.y + to.scale * b]
  }
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

/** Nine numbers, row by row. */
type Homography = Float64Array

/**
 * Direct linear transformation in framed coordinates (Hartley and Zisserman, Multiple View Geometry, 4.4).
 */
function fitProjective({ scan, karte, anzahl }: PointSet): Transform | null {
  const rows = Math.max(2 * anzahl, 9)
  const matrix = new Float64Array(rows * 9)
  for (let i = 0; i < anzahl; i++) {
    const source = [scan.xs[i]!, scan.ys[i]!, 1] as const
    for (let k = 0; k < 3; k++) {
      matrix[k * rows + 2 * i] = source[k]!
      matrix[(3 + k) * rows + 2 * i + 1] = source[k]!
      matrix[(6 + k) * rows + 2 * i] = -karte.xs[i]! * source[k]!
      matrix[(6 + k) * rows + 2 * i + 1] = -karte.ys[i]! * source[k]!
    }
  }
  const there = weakestDirection(matrix, rows, 9)
  if (there === null) return null
  const back = adjugate(there)
  const determinant = there[0]! * back[0]! + there[1]! * back[3]! + there[2]! * back[6]!
  if (!(Math.abs(determinant) > 1e-12)) return null
  return {
    typ: 'projektiv',
    zurKarte: homographyDirection(there, scan.frame, karte.frame),
    zumScan: homographyDirection(back, karte.frame, scan.frame),
    affin: null,
    leftOut: null,
  }
}

/** The inverse up to scale, which does not matter for a homography. */
function adjugate(h: Homography): Homography {
  const [a, b, c, d, e, f, g, i, j] = h as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return Float64Array.of(
    e * j - f * i,
    c * i - b * j,
    b * f - c * e,
    f * g - d * j,
    a * j - c * g,
    c * d - a * f,
    d * i - e * g,
    b * g - a * i,
    a * e - b * d,
  )
}

function homographyDirection(h: Homography, from: Frame, to: Frame): Direction {
  return (x, y) => {
    const [px, py] = [(x - from.x) / from.scale, (y - from.y) / from.scale]
    const w = h[6]! * px + h[7]! * py + h[8]!
    return [
      to.x + (to.scale * (h[0]! * px + h[1]! * py + h[2]!)) / w,
      to.y + (to.scale * (h[3]! * px + h[4]! * py + h[5]!)) / w,
    ]
  }
}
