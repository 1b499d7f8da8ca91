// How well two drawings agree at each shift of one against the other: Pearson's correlation over the pixels
// that both have (Padfield, "Masked object registration in the Fourier domain", 2012).
import { powerOfTwo, type Spectrum, spectrumOf, transformPicture } from './spectrum.ts'
import type { Ink } from './ink.ts'

/** Correlations of b moved by -x, -y to a, for shifts up to `reachX`, `reachY`; NaN where too little meets. */
export interface Correlations {
  readonly reachX: number
  readonly reachY: number
  readonly values: Float64Array
}

export const correlationAt = ({ reachX, reachY, values }: Correlations, x: number, y: number): number =>
  Math.abs(x) > reachX || Math.abs(y) > reachY
    ? Number.NaN
    : values[(y + reachY) * (2 * reachX + 1) + x + reachX]!

/** Less of the common pixels, or of a drawing's strength, says nothing about the whole. */
const LEAST_COMMON = 0.3
const LEAST_DRAWN = 0.25

interface Sums {
  n: number
  a: number
  b: number
  aa: number
  bb: number
  ab: number
}

/** All shifts by whole pixels at once. */
export function correlateAll(a: Ink, b: Ink, reachX: number, reachY: number): Correlations {
  const [width, height] = [powerOfTwo(a.width + reachX), powerOfTwo(a.height + reachY)]
  const spread = (ink: Ink, value: (at: number) => number): Spectrum => {
    const spectrum = spectrumOf(width, height)
    for (let y = 0, at = 0; y < ink.height; y++)
      for (let x = 0; x < ink.width; x++, at++)
        if (ink.known[at] === 1) spectrum.re[y * width + x] = value(at)
    transformPicture(spectrum)
    return spectrum
  }
  const all = (ink: Ink) => ({
    known: spread(ink, () => 1),
    ink: spread(ink, (at) => ink.ink[at]!),
    squared: spread(ink, (at) => ink.ink[at]! ** 2),
  })
  const [fa, fb] = [all(a), all(b)]
  const n = crossed(fa.known, fb.known)
  const sa = crossed(fa.ink, fb.known)
  const sb = crossed(fa.known, fb.ink)
  const squaresA = crossed(fa.squared, fb.known)
  const squaresB = crossed(fa.known, fb.squared)
  const products = crossed(fa.ink, fb.ink)
  return valuesOf(reachX, reachY, (x, y) => {
    const at = ((y + height) % height) * width + ((x + width) % width)
    return { n: n[at]!, a: sa[at]!, b: sb[at]!, aa: squaresA[at]!, bb: squaresB[at]!, ab: products[at]! }
  })
}

/** For each shift, the sum of the first times the second moved. */
function crossed(first: Spectrum, second: Spectrum): Float64Array {
  const { width, height } = first
  const product = spectrumOf(width, height)
  for (let i = 0; i < product.re.length; i++) {
    product.re[i] = first.re[i]! * second.re[i]! + first.im[i]! * second.im[i]!
    product.im[i] = first.re[i]! * second.im[i]! - first.im[i]! * second.re[i]!
  }
  transformPicture(product, true)
  const pixels = width * height
  return product.re.map((value) => value / pixels)
}

/** The shifts around one that is known, added up pixel by pixel. */
export function correlateNear(
  a: Ink,
  b: Ink,
  middle: readonly [x: number, y: number],
  reach: number,
  rows: readonly [from: number, to: number] = [0, a.height],
  columns: readonly [from: number, to: number] = [0, a.width],
): Correlations {
  return valuesOf(reach, reach, (dx, dy) => {
    const [x, y] = [middle[0] + dx, middle[1] + dy]
    const sums: Sums = { n: 0, a: 0, b: 0, aa: 0, bb: 0, ab: 0 }
    const [left, right] = [Math.max(columns[0], -x), Math.min(columns[1], a.width - x)]
    for (let row = Math.max(rows[0], -y); row < Math.min(rows[1], a.height - y); row++) {
      let [at, other] = [row * a.width + left, (row + y) * a.width + left + x]
      for (let column = left; column < right; column++, at++, other++) {
        if (a.known[at] === 0 || b.known[other] === 0) continue
        const [one, two] = [a.ink[at]!, b.ink[other]!]
        sums.n++
        sums.a += one
        sums.b += two
        sums.aa += one * one
        sums.bb += two * two
        sums.ab += one * two
      }
    }
    return sums
  })
}

function valuesOf(reachX: number, reachY: number, sumsAt: (x: number, y: number) => Sums): Correlations {
  const values = new Float64Array((2 * reachX + 1) * (2 * reachY + 1)).fill(Number.NaN)
  const all: { at: number; n: number; va: number; vb: number; shared: number }[] = []
  let [mostN, mostA, mostB] = [0, 0, 0]
  for (let y = -reachY, at = 0; y <= reachY; y++)
    for (let x = -reachX; x <= reachX; x++, at++) {
      const { n, a, b, aa, bb, ab } = sumsAt(x, y)
      if (n < 1) continue
      const [va, vb] = [aa - (a * a) / n, bb - (b * b) / n]
      all.push({ at, n, va, vb, shared: ab - (a * b) / n })
      mostN = Math.max(mostN, n)
      mostA = Math.max(mostA, va)
      mostB = Math.max(mostB, vb)
    }
  for (const { at, n, va, vb, shared } of all)
    if (n >= LEAST_COMMON * mostN && va > LEAST_DRAWN * mostA && vb > LEAST_DRAWN * mostB)
      values[at] = shared / Math.sqrt(va * vb)
  return { reachX, reachY, values }
}

export interface Peak {
  readonly x: number
  readonly y: number
  readonly value: number
  /** The best value further away than the radius; -1 if there is none. */
  readonly next: number
  /** It is at the end of what was looked at. */
  readonly isAtEnd: boolean
}

export function peakOf(correlations: Correlations, radius: number): Peak | null {
  const { reachX, reachY, values } = correlations
  let [best, x, y] = [Number.NEGATIVE_INFINITY, 0, 0]
  const each = (visit: (x: number, y: number, value: number) => void): void => {
    for (let row = -reachY, at = 0; row <= reachY; row++)
      for (let column = -reachX; column <= reachX; column++, at++)
        if (!Number.isNaN(values[at]!)) visit(column, row, values[at]!)
  }
  each((column, row, value) => {
    if (value > best) [best, x, y] = [value, column, row]
  })
  if (best === Number.NEGATIVE_INFINITY) return null
  let next = -1
  each((column, row, value) => {
    if (value > next && (column - x) ** 2 + (row - y) ** 2 > radius ** 2) next = value
  })
  const around = [-1, 0, 1].flatMap((j) => [-1, 0, 1].map((i) => correlationAt(correlations, x + i, y + j)))
  return { x, y, value: best, next, isAtEnd: around.some(Number.isNaN) }
}

/** Between the pixels: the top of a parabola through three values, in each direction. */
export function subPixel(correlations: Correlations, { x, y }: Peak): readonly [x: number, y: number] {
  const at = (i: number, j: number): number => correlationAt(correlations, x + i, y + j)
  const top = (before: number, here: number, after: number): number => {
    const bend = before - 2 * here + after
    return bend < 0 ? Math.max(-0.5, Math.min(0.5, (before - after) / (2 * bend))) : 0
  }
  return [x + top(at(-1, 0), at(0, 0), at(1, 0)), y + top(at(0, -1), at(0, 0), at(0, 1))]
}
