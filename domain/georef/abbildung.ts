// The seven transformations between a scan and the map, as QGIS and GDAL fit them: a polynomial and a spline are fitted once in each direction, the others are
// fitted towards the map and inverted. Rows count downwards here; whoever reads or writes QGIS' upward rows turns them round at the edge.
import { ausgleichen, loesen, schwaechsteRichtung, type Zerlegung, zerlegen } from './kleinste-quadrate.ts'

export const GEOREF_TYPEN = ['linear', 'helmert', 'polynom1', 'polynom2', 'polynom3', 'tps', 'projektiv'] as const
export type GeorefTyp = (typeof GEOREF_TYPEN)[number]

export const MINDESTPUNKTE: Readonly<Record<GeorefTyp, number>> = {
  linear: 2,
  helmert: 2,
  polynom1: 3,
  polynom2: 6,
  polynom3: 10,
  tps: 3,
  projektiv: 4,
}

/** Easting, northing and the place in the scan: from its left and upper edge, in pixels. */
export interface Passpunkt {
  readonly ost: number
  readonly nord: number
  readonly spalte: number
  readonly zeile: number
}

export type Paar = readonly [number, number]
export type Richtung = (x: number, y: number) => Paar

/** Towards the map: easting = a + b·column + c·row, northing = d + e·column + f·row. */
export type Affin = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

export interface Abbildung {
  readonly typ: GeorefTyp
  /** Column and row to easting and northing. */
  readonly zurKarte: Richtung
  /** Easting and northing to column and row. */
  readonly zumScan: Richtung
  /** Of the three that a world file can tell. */
  readonly affin: Affin | null
  /** Splines: how far each point lies from where all others would put it, in pixels of the scan. */
  readonly spline: Spline | null
}

export interface Spline {
  readonly zerlegung: Zerlegung
  /** Weights of column and row, in pixels. */
  readonly gewichte: readonly [Float64Array, Float64Array]
}

/** Coordinates around their mean, of the order of one: squares and cubes of five million metres leave no digits for the rest. */
interface Rahmen {
  readonly x: number
  readonly y: number
  readonly masstab: number
}

function rahmenOf(xs: readonly number[], ys: readonly number[]): Rahmen {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(xs), mean(ys)]
  const square = xs.reduce((sum, value, index) => sum + (value - x) ** 2 + (ys[index]! - y) ** 2, 0)
  return { x, y, masstab: Math.sqrt(square / xs.length) || 1 }
}

interface Satz {
  readonly punkte: readonly Passpunkt[]
  readonly scan: Rahmen
  readonly karte: Rahmen
  /** Framed: column, row and easting, northing. */
  readonly von: readonly Paar[]
  readonly nach: readonly Paar[]
}

function satzOf(punkte: readonly Passpunkt[]): Satz {
  const scan = rahmenOf(
    punkte.map(({ spalte }) => spalte),
    punkte.map(({ zeile }) => zeile),
  )
  const karte = rahmenOf(
    punkte.map(({ ost }) => ost),
    punkte.map(({ nord }) => nord),
  )
  return {
    punkte,
    scan,
    karte,
    von: punkte.map(({ spalte, zeile }) => [(spalte - scan.x) / scan.masstab, (zeile - scan.y) / scan.masstab]),
    nach: punkte.map(({ ost, nord }) => [(ost - karte.x) / karte.masstab, (nord - karte.y) / karte.masstab]),
  }
}

/**
 * The transformation through or nearest to the points.
 * @returns null when the points do not determine it: too few, on one line, or twice the same place
 */
export function fitAbbildung(typ: GeorefTyp, punkte: readonly Passpunkt[]): Abbildung | null {
  if (punkte.length < MINDESTPUNKTE[typ]) return null
  const satz = satzOf(punkte)
  switch (typ) {
    case 'linear':
      return fitLinear(satz)
    case 'helmert':
      return fitHelmert(satz)
    case 'polynom1':
      return fitPolynom(satz, typ, 1)
    case 'polynom2':
      return fitPolynom(satz, typ, 2)
    case 'polynom3':
      return fitPolynom(satz, typ, 3)
    case 'tps':
      return fitSpline(satz)
    case 'projektiv':
      return fitProjektiv(satz)
  }
}

function affineAbbildung(typ: GeorefTyp, affin: Affin): Abbildung | null {
  const [a, b, c, d, e, f] = affin
  const determinant = b * f - c * e
  if (!Number.isFinite(determinant) || determinant === 0) return null
  return {
    typ,
    affin,
    spline: null,
    zurKarte: (x, y) => [a + b * x + c * y, d + e * x + f * y],
    zumScan: (x, y) => [(f * (x - a) - c * (y - d)) / determinant, (b * (y - d) - e * (x - a)) / determinant],
  }
}

/** Each axis by itself. */
function fitLinear(satz: Satz): Abbildung | null {
  const axis = (index: 0 | 1): number | null => {
    let [dot, square] = [0, 0]
    satz.von.forEach((from, i) => {
      dot += from[index] * satz.nach[i]![index]
      square += from[index] ** 2
    })
    return square > 1e-20 && dot !== 0 ? dot / square : null
  }
  const [b, f] = [axis(0), axis(1)]
  if (b === null || f === null) return null
  const ratio = satz.karte.masstab / satz.scan.masstab
  return affineAbbildung('linear', unframed(satz, [b * ratio, 0, 0, f * ratio]))
}

/** One scale, one rotation; the row counts downwards and the northing upwards, so the scan is mirrored first. */
function fitHelmert(satz: Satz): Abbildung | null {
  let [real, imaginary, square] = [0, 0, 0]
  satz.von.forEach(([x, row], i) => {
    const [east, north] = satz.nach[i]!
    const y = -row
    real += east * x + north * y
    imaginary += north * x - east * y
    square += x * x + y * y
  })
  if (square <= 1e-20 || Math.hypot(real, imaginary) <= 1e-12 * square) return null
  const ratio = satz.karte.masstab / satz.scan.masstab / square
  const [p, q] = [real * ratio, imaginary * ratio]
  return affineAbbildung('helmert', unframed(satz, [p, q, q, -p]))
}

/** The constants that put the mean of the scan on the mean of the map. */
function unframed({ scan, karte }: Pick<Satz, 'scan' | 'karte'>, [b, c, e, f]: readonly [number, number, number, number]): Affin {
  return [karte.x - b * scan.x - c * scan.y, b, c, karte.y - e * scan.x - f * scan.y, e, f]
}

/** Powers of x and y up to the order together, the constant first. */
function monomials(order: number, x: number, y: number): number[] {
  const terms: number[] = []
  for (let sum = 0; sum <= order; sum++) for (let power = 0; power <= sum; power++) terms.push(x ** (sum - power) * y ** power)
  return terms
}

/** One direction of a polynomial in framed coordinates, with the pull of each point on it. */
export function ausgleichPolynom(order: number, from: readonly Paar[], to: readonly Paar[]) {
  const columns = ((order + 1) * (order + 2)) / 2
  const design = new Float64Array(from.length * columns)
  from.forEach(([x, y], i) => design.set(monomials(order, x, y), i * columns))
  return ausgleichen(design, Float64Array.from(to.flat()), from.length, columns, 2)
}

function polynomRichtung(order: number, loesung: Float64Array, from: Rahmen, to: Rahmen): Richtung {
  return (x, y) => {
    const terms = monomials(order, (x - from.x) / from.masstab, (y - from.y) / from.masstab)
    let [u, v] = [0, 0]
    for (let k = 0; k < terms.length; k++) {
      u += loesung[2 * k]! * terms[k]!
      v += loesung[2 * k + 1]! * terms[k]!
    }
    return [to.x + to.masstab * u, to.y + to.masstab * v]
  }
}

function fitPolynom(satz: Satz, typ: GeorefTyp, order: number): Abbildung | null {
  const there = ausgleichPolynom(order, satz.von, satz.nach)
  const back = ausgleichPolynom(order, satz.nach, satz.von)
  if (there === null || back === null) return null
  const zurKarte = polynomRichtung(order, there.loesung, satz.scan, satz.karte)
  const zumScan = polynomRichtung(order, back.loesung, satz.karte, satz.scan)
  return { typ, zurKarte, zumScan, affin: order === 1 ? affineOf(satz, there.loesung) : null, spline: null }
}

function affineOf({ scan, karte }: Satz, [a, d, b, e, c, f]: Float64Array): Affin {
  const ratio = karte.masstab / scan.masstab
  const slope = [b! * ratio, c! * ratio, e! * ratio, f! * ratio] as const
  const [east, ...rest] = unframed({ scan, karte }, slope)
  return [east + karte.masstab * a!, rest[0], rest[1], rest[2] + karte.masstab * d!, rest[3], rest[4]]
}

/** r² log r; the scale of r only adds to the plane, so any will do. */
const kernel = (square: number): number => (square === 0 ? 0 : square * Math.log(square))

/** The system of the spline through all points: their kernel, and the plane on which no weight may pull. */
export function splineSystem(from: readonly Paar[]): Zerlegung | null {
  const n = from.length
  const size = n + 3
  const matrix = new Float64Array(size * size)
  from.forEach(([x, y], i) => {
    for (let j = 0; j < i; j++) {
      const value = kernel((x - from[j]![0]) ** 2 + (y - from[j]![1]) ** 2)
      matrix[i * size + j] = value
      matrix[j * size + i] = value
    }
    ;[1, x, y].forEach((value, k) => {
      matrix[i * size + n + k] = value
      matrix[(n + k) * size + i] = value
    })
  })
  return zerlegen(matrix, size)
}

const splineWeights = (system: Zerlegung, values: readonly number[]): Float64Array => loesen(system, [...values, 0, 0, 0])

function splineRichtung(from: readonly Paar[], u: Float64Array, v: Float64Array, source: Rahmen, target: Rahmen): Richtung {
  const n = from.length
  const xs = Float64Array.from(from, ([x]) => x)
  const ys = Float64Array.from(from, ([, y]) => y)
  return (x, y) => {
    const [px, py] = [(x - source.x) / source.masstab, (y - source.y) / source.masstab]
    let a = u[n]! + u[n + 1]! * px + u[n + 2]! * py
    let b = v[n]! + v[n + 1]! * px + v[n + 2]! * py
    for (let i = 0; i < n; i++) {
      const weight = kernel((px - xs[i]!) ** 2 + (py - ys[i]!) ** 2)
      a += u[i]! * weight
      b += v[i]! * weight
    }
    return [target.x + target.masstab * a, target.y + target.masstab * b]
  }
}

function fitSpline(satz: Satz): Abbildung | null {
  const there = splineSystem(satz.von)
  const back = splineSystem(satz.nach)
  if (there === null || back === null) return null
  const along = (system: Zerlegung, to: readonly Paar[]) =>
    [0, 1].map((axis) =>
      splineWeights(
        system,
        to.map((pair) => pair[axis]!),
      ),
    ) as [Float64Array, Float64Array]
  const towards = along(there, satz.nach)
  const home = along(back, satz.von)
  const inPixels = home.map((weights) => weights.map((weight) => weight * satz.scan.masstab)) as [Float64Array, Float64Array]
  return {
    typ: 'tps',
    zurKarte: splineRichtung(satz.von, ...towards, satz.scan, satz.karte),
    zumScan: splineRichtung(satz.nach, ...home, satz.karte, satz.scan),
    affin: null,
    spline: { zerlegung: back, gewichte: inPixels },
  }
}

/** Nine numbers, row by row. */
type Homographie = Float64Array

/** Direct linear transformation of framed coordinates (Hartley and Zisserman, Multiple View Geometry, 4.4). */
function fitProjektiv(satz: Satz): Abbildung | null {
  const rows = Math.max(2 * satz.punkte.length, 9)
  const matrix = new Float64Array(rows * 9)
  satz.von.forEach(([x, y], i) => {
    const [u, v] = satz.nach[i]!
    matrix.set([x, y, 1, 0, 0, 0, -u * x, -u * y, -u], 2 * i * 9)
    matrix.set([0, 0, 0, x, y, 1, -v * x, -v * y, -v], (2 * i + 1) * 9)
  })
  const there = schwaechsteRichtung(matrix, rows, 9)
  if (there === null) return null
  const back = adjugate(there)
  const determinant = there[0]! * back[0]! + there[1]! * back[3]! + there[2]! * back[6]!
  if (!(Math.abs(determinant) > 1e-12)) return null
  return {
    typ: 'projektiv',
    zurKarte: homographyRichtung(there, satz.scan, satz.karte),
    zumScan: homographyRichtung(back, satz.karte, satz.scan),
    affin: null,
    spline: null,
  }
}

/** The inverse but for its scale, which a homography does not have. */
function adjugate(h: Homographie): Homographie {
  const [a, b, c, d, e, f, g, i, j] = h as unknown as [number, number, number, number, number, number, number, number, number]
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

function homographyRichtung(h: Homographie, from: Rahmen, to: Rahmen): Richtung {
  return (x, y) => {
    const [px, py] = [(x - from.x) / from.masstab, (y - from.y) / from.masstab]
    const w = h[6]! * px + h[7]! * py + h[8]!
    return [to.x + (to.masstab * (h[0]! * px + h[1]! * py + h[2]!)) / w, to.y + (to.masstab * (h[3]! * px + h[4]! * py + h[5]!)) / w]
  }
}
