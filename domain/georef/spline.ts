// The system of a thin plate spline: the kernel of all points, and a plane to which the weights must be
// orthogonal. Once reflections split off the plane, the rest of the kernel is symmetric and positive, so its
// lower half suffices and no pivoting is needed (Cholesky); everything computed later uses the same factor.
import type { Direction, Frame, FramedPlaces } from './frame.ts'
import {
  hasFullRank,
  solveTriangle,
  type Reflections,
  reflectVector,
  reflectColumns,
} from './least-squares.ts'

/**
 * Below this share of the largest kernel entry, what a point adds is rounding error: it is at the same place
 * as another one.
 */
const TWIN_TOLERANCE = 1e-12
/** Columns of the plane: 1, x, y. */
const PLANE_COLUMNS = 3
/** Rows computed together, as many as fit into a cache next to two more. */
const BLOCK = 32

export interface SplineSystem {
  readonly punkte: number
  /** Of the plane's columns. */
  readonly ebene: Reflections
  /**
   * Lower half, row by row: the first three columns couple the kernel to the plane, the rest is the factor.
   */
  readonly factor: Float64Array
}

/** @returns null if the places are on one line, or two are at the same place */
export function splineSystem(xs: Float64Array, ys: Float64Array): SplineSystem | null {
  const n = xs.length
  const columns = new Float64Array(PLANE_COLUMNS * n).fill(1, 0, n)
  columns.set(xs, n)
  columns.set(ys, 2 * n)
  const level = reflectColumns(columns, n, PLANE_COLUMNS)
  if (!hasFullRank(level)) return null
  const kernelMatrix = kernelOf(xs, ys)
  const largest = kernelMatrix.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  for (let k = 0; k < PLANE_COLUMNS; k++) reflectBothSides(kernelMatrix, n, level, k)
  return factorise(kernelMatrix, n, largest * TWIN_TOLERANCE)
    ? { punkte: n, ebene: level, factor: kernelMatrix }
    : null
}

/**
 * The lower half of r² log r² between all places. The scale of r and a factor only change the plane and the
 * weights, so any will do.
 */
function kernelOf(xs: Float64Array, ys: Float64Array): Float64Array {
  const n = xs.length
  const kernelMatrix = new Float64Array(n * n)
  for (let i = 1; i < n; i++) {
    const x = xs[i]!
    const y = ys[i]!
    for (let j = 0; j < i; j++) {
      const dx = x - xs[j]!
      const dy = y - ys[j]!
      const square = dx * dx + dy * dy
      kernelMatrix[i * n + j] = square === 0 ? 0 : square * Math.log(square)
    }
  }
  return kernelMatrix
}

/** Applies a reflection from both sides to a symmetric matrix stored as its lower half. */
function reflectBothSides(kernelMatrix: Float64Array, n: number, { matrix }: Reflections, k: number): void {
  const v = matrix.slice(k * n, (k + 1) * n).fill(0, 0, k)
  const q = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    const row = i * n
    const vi = v[i]!
    let sum = kernelMatrix[row + i]! * vi
    for (let j = 0; j < i; j++) {
      sum += kernelMatrix[row + j]! * v[j]!
      q[j]! += kernelMatrix[row + j]! * vi
    }
    q[i]! += sum
  }
  let half = 0
  for (let i = 0; i < n; i++) half += (v[i]! * q[i]!) / 2
  for (let i = 0; i < n; i++) q[i]! -= half * v[i]!
  for (let i = 0; i < n; i++) {
    const row = i * n
    const vi = v[i]!
    const qi = q[i]!
    for (let j = 0; j <= i; j++) kernelMatrix[row + j]! -= vi * q[j]! + qi * v[j]!
  }
}

/** Cholesky factor of the part beyond the plane, in place; false if a row adds no more than `floor`. */
function factorise(matrix: Float64Array, n: number, floor: number): boolean {
  for (let begin = PLANE_COLUMNS; begin < n; begin += BLOCK) {
    const end = Math.min(begin + BLOCK, n)
    solveForward(matrix, n, matrix, begin, end, PLANE_COLUMNS, begin)
    for (let i = begin; i < end; i++) {
      for (let j = begin; j < i; j++) solveForwardOne(matrix, n, matrix, i, j, PLANE_COLUMNS)
      const rest = matrix[i * n + i]! - dotProduct(matrix, i * n, matrix, i * n, PLANE_COLUMNS, i)
      if (!(rest > floor)) return false
      matrix[i * n + i] = Math.sqrt(rest)
    }
  }
  return true
}

/**
 * Solves the factor for rows of values, each a right-hand side, in place and between two columns. Four rows
 * and two columns at a time: each loaded value is used two or four times, and eight independent sums keep the
 * processor busy.
 */
function solveForward(
  factor: Float64Array,
  n: number,
  values: Float64Array,
  rowBegin: number,
  rowEnd: number,
  begin: number,
  end: number,
): void {
  const quads = rowBegin + ((rowEnd - rowBegin) & ~3)
  const pairs = begin + ((end - begin) & ~1)
  for (let j = begin; j < pairs; j += 2) {
    const one = j * n
    const two = one + n
    const diagonalOne = factor[one + j]!
    const beside = factor[two + j]!
    const diagonalTwo = factor[two + j + 1]!
    for (let i = rowBegin; i < quads; i += 4) {
      const a = i * n
      const b = a + n
      const c = b + n
      const d = c + n
      let a1 = 0
      let a2 = 0
      let b1 = 0
      let b2 = 0
      let c1 = 0
      let c2 = 0
      let d1 = 0
      let d2 = 0
      for (let k = begin; k < j; k++) {
        const l1 = factor[one + k]!
        const l2 = factor[two + k]!
        const va = values[a + k]!
        a1 += va * l1
        a2 += va * l2
        const vb = values[b + k]!
        b1 += vb * l1
        b2 += vb * l2
        const vc = values[c + k]!
        c1 += vc * l1
        c2 += vc * l2
        const vd = values[d + k]!
        d1 += vd * l1
        d2 += vd * l2
      }
      const xa = (values[a + j]! - a1) / diagonalOne
      const xb = (values[b + j]! - b1) / diagonalOne
      const xc = (values[c + j]! - c1) / diagonalOne
      const xd = (values[d + j]! - d1) / diagonalOne
      values[a + j] = xa
      values[b + j] = xb
      values[c + j] = xc
      values[d + j] = xd
      values[a + j + 1] = (values[a + j + 1]! - a2 - xa * beside) / diagonalTwo
      values[b + j + 1] = (values[b + j + 1]! - b2 - xb * beside) / diagonalTwo
      values[c + j + 1] = (values[c + j + 1]! - c2 - xc * beside) / diagonalTwo
      values[d + j + 1] = (values[d + j + 1]! - d2 - xd * beside) / diagonalTwo
    }
  }
  // What remains after the fours and twos.
  for (let i = rowBegin; i < rowEnd; i++)
    for (let j = i < quads ? pairs : begin; j < end; j++) solveForwardOne(factor, n, values, i, j, begin)
}

function solveForwardOne(
  factor: Float64Array,
  n: number,
  values: Float64Array,
  i: number,
  j: number,
  begin: number,
): void {
  values[i * n + j] =
    (values[i * n + j]! - dotProduct(values, i * n, factor, j * n, begin, j)) / factor[j * n + j]!
}

function dotProduct(
  one: Float64Array,
  oneRow: number,
  other: Float64Array,
  otherRow: number,
  begin: number,
  end: number,
): number {
  let sum = 0
  for (let k = begin; k < end; k++) sum += one[oneRow + k]! * other[otherRow + k]!
  return sum
}

/** The weights of the points, followed by the plane, of the spline with these values at the places. */
export function splineWeights(
  { punkte: n, ebene, factor }: SplineSystem,
  values: Float64Array,
): Float64Array {
  const weights = new Float64Array(n + PLANE_COLUMNS)
  weights.set(values)
  for (let k = 0; k < PLANE_COLUMNS; k++) reflectVector(ebene, k, weights, 0)
  const plane = weights.slice(0, PLANE_COLUMNS)
  weights.fill(0, 0, PLANE_COLUMNS)
  for (let j = PLANE_COLUMNS; j < n; j++)
    weights[j] = (weights[j]! - dotProduct(weights, 0, factor, j * n, PLANE_COLUMNS, j)) / factor[j * n + j]!
  for (let i = n - 1; i >= PLANE_COLUMNS; i--) {
    const weight = weights[i]! / factor[i * n + i]!
    weights[i] = weight
    for (let k = PLANE_COLUMNS; k < i; k++) weights[k]! -= weight * factor[i * n + k]!
    for (let k = 0; k < PLANE_COLUMNS; k++) plane[k]! -= weight * factor[i * n + k]!
  }
  solveTriangle(ebene, plane, 0)
  for (let k = PLANE_COLUMNS - 1; k >= 0; k--) reflectVector(ebene, k, weights, 0)
  weights.set(plane, n)
  return weights
}

/**
 * For each point, its entry on the diagonal of the inverse of the whole system: the point's weight divided by
 * it is the error of leaving the point out (Rippa 1999). The inverse of the factor is a triangle; after
 * reflecting it back, the sums of squares of its columns are the diagonal.
 */
export function splineDiagonal({ punkte: n, ebene, factor }: SplineSystem): Float64Array {
  const inverse = new Float64Array(n * n)
  for (let begin = PLANE_COLUMNS; begin < n; begin += BLOCK) {
    const end = Math.min(begin + BLOCK, n)
    for (let i = begin; i < end; i++) inverse[i * n + i] = 1
    // Row i is column i of the inverse, zero before its own position.
    solveForward(factor, n, inverse, begin, end, begin, n)
  }
  for (let k = PLANE_COLUMNS - 1; k >= 0; k--) reflectRows(inverse, n, ebene, k)
  const diagonal = new Float64Array(n)
  for (let i = 0; i < n; i++) diagonal[i] = dotProduct(inverse, i * n, inverse, i * n, PLANE_COLUMNS, n)
  return diagonal
}

function reflectRows(rows: Float64Array, n: number, { matrix }: Reflections, k: number): void {
  const sums = new Float64Array(n)
  for (let i = k; i < n; i++) {
    const v = matrix[k * n + i]!
    for (let j = PLANE_COLUMNS; j < n; j++) sums[j]! += v * rows[i * n + j]!
  }
  for (let i = k; i < n; i++) {
    const v = matrix[k * n + i]!
    for (let j = PLANE_COLUMNS; j < n; j++) rows[i * n + j]! -= v * sums[j]!
  }
}

/** One direction of a spline, from its weights for x and y. */
export function splineDirection(
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
