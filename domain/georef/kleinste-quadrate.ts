// Least squares and dense systems, as much of them as georeferencing needs. Matrices lie row by row in one Float64Array.

/** Below this share of the largest pivot a column counts as dependent on those before it; the columns are scaled to the order of one. */
const RANK_TOLERANCE = 1e-10

export interface Ausgleich {
  /** columns × right-hand sides. */
  readonly loesung: Float64Array
  /** Of each row: how far its own value draws the fit towards itself, 0 to 1. */
  readonly hebel: Float64Array
}

/**
 * The solution of an overdetermined system in the sense of least squares, by Householder reflections.
 * @param design rows × columns; stays as it is
 * @param rechts rows × right-hand sides
 * @returns null when the columns depend on each other
 */
export function ausgleichen(design: Float64Array, rechts: Float64Array, rows: number, columns: number, sides: number): Ausgleich | null {
  if (rows < columns) return null
  const r = design.slice()
  const b = rechts.slice()
  const reflections = new Float64Array(rows * columns)
  let largest = 0
  for (let k = 0; k < columns; k++) {
    let square = 0
    for (let i = k; i < rows; i++) square += r[i * columns + k]! ** 2
    const norm = Math.sqrt(square)
    largest = Math.max(largest, norm)
    if (!(norm > largest * RANK_TOLERANCE)) return null
    const head = r[k * columns + k]!
    const alpha = head > 0 ? -norm : norm
    const half = norm * (norm + Math.abs(head))
    for (let i = k; i < rows; i++) reflections[i * columns + k] = (r[i * columns + k]! - (i === k ? alpha : 0)) / Math.sqrt(half)
    reflect(reflections, k, r, rows, columns, columns, k)
    reflect(reflections, k, b, rows, columns, sides, 0)
  }
  return { loesung: substituteBack(r, b, columns, sides), hebel: leverage(reflections, rows, columns) }
}

/** The reflection of column k on a matrix, from one of its columns on. */
function reflect(vectors: Float64Array, k: number, matrix: Float64Array, rows: number, columns: number, width: number, from: number): void {
  for (let j = from; j < width; j++) {
    let dot = 0
    for (let i = k; i < rows; i++) dot += vectors[i * columns + k]! * matrix[i * width + j]!
    if (dot !== 0) for (let i = k; i < rows; i++) matrix[i * width + j]! -= dot * vectors[i * columns + k]!
  }
}

function substituteBack(r: Float64Array, b: Float64Array, columns: number, sides: number): Float64Array {
  const x = new Float64Array(columns * sides)
  for (let side = 0; side < sides; side++)
    for (let k = columns - 1; k >= 0; k--) {
      let rest = b[k * sides + side]!
      for (let j = k + 1; j < columns; j++) rest -= r[k * columns + j]! * x[j * sides + side]!
      x[k * sides + side] = rest / r[k * columns + k]!
    }
  return x
}

/** Squares of the rows of Q: the diagonal of the projection onto the columns. */
function leverage(reflections: Float64Array, rows: number, columns: number): Float64Array {
  const q = new Float64Array(rows * columns)
  for (let k = 0; k < columns; k++) q[k * columns + k] = 1
  for (let k = columns - 1; k >= 0; k--) reflect(reflections, k, q, rows, columns, columns, 0)
  const hebel = new Float64Array(rows)
  for (let i = 0; i < rows; i++) for (let k = 0; k < columns; k++) hebel[i]! += q[i * columns + k]! ** 2
  return hebel
}

export interface Zerlegung {
  readonly size: number
  readonly lu: Float64Array
  readonly order: Int32Array
}

/** LU with row exchange; null for a singular matrix. The matrix is overwritten. */
export function zerlegen(matrix: Float64Array, size: number): Zerlegung | null {
  const order = Int32Array.from({ length: size }, (_, index) => index)
  let largest = 0
  for (const value of matrix) largest = Math.max(largest, Math.abs(value))
  for (let k = 0; k < size; k++) {
    let pivot = k
    for (let i = k + 1; i < size; i++) if (Math.abs(matrix[i * size + k]!) > Math.abs(matrix[pivot * size + k]!)) pivot = i
    if (!(Math.abs(matrix[pivot * size + k]!) > largest * RANK_TOLERANCE * 1e-2)) return null
    if (pivot !== k) {
      for (let j = 0; j < size; j++) {
        const kept = matrix[k * size + j]!
        matrix[k * size + j] = matrix[pivot * size + j]!
        matrix[pivot * size + j] = kept
      }
      ;[order[k], order[pivot]] = [order[pivot]!, order[k]!]
    }
    const head = matrix.subarray(k * size + k + 1, (k + 1) * size)
    const value = matrix[k * size + k]!
    for (let i = k + 1; i < size; i++) {
      const factor = matrix[i * size + k]! / value
      matrix[i * size + k] = factor
      if (factor === 0) continue
      const row = i * size + k + 1
      for (let j = 0; j < head.length; j++) matrix[row + j]! -= factor * head[j]!
    }
  }
  return { size, lu: matrix, order }
}

/** One right-hand side. */
export function loesen({ size, lu, order }: Zerlegung, rechts: ArrayLike<number>): Float64Array {
  const x = new Float64Array(size)
  for (let i = 0; i < size; i++) {
    let value = rechts[order[i]!]!
    for (let j = 0; j < i; j++) value -= lu[i * size + j]! * x[j]!
    x[i] = value
  }
  for (let i = size - 1; i >= 0; i--) {
    let value = x[i]!
    for (let j = i + 1; j < size; j++) value -= lu[i * size + j]! * x[j]!
    x[i] = value / lu[i * size + i]!
  }
  return x
}

/** The first so many entries of the diagonal of the inverse. */
export function diagonaleDerInversen(zerlegung: Zerlegung, count: number): Float64Array {
  const { size, lu, order } = zerlegung
  const place = new Int32Array(size)
  order.forEach((row, index) => (place[row] = index))
  const diagonal = new Float64Array(count)
  const x = new Float64Array(size)
  for (let column = 0; column < count; column++) {
    const first = place[column]!
    x.fill(0)
    x[first] = 1
    for (let i = first + 1; i < size; i++) {
      let value = 0
      for (let j = first; j < i; j++) value -= lu[i * size + j]! * x[j]!
      x[i] = value
    }
    // Upwards only as far as the entry that is asked for.
    for (let i = size - 1; i >= column; i--) {
      let value = x[i]!
      for (let j = i + 1; j < size; j++) value -= lu[i * size + j]! * x[j]!
      x[i] = value / lu[i * size + i]!
    }
    diagonal[column] = x[column]!
  }
  return diagonal
}

const MOST_SWEEPS = 60

/**
 * The direction in which a matrix shortens most, by Jacobi rotations of its columns.
 * @param matrix rows × columns, overwritten
 * @returns null when a second direction is shortened to nothing as well: then there is no one answer
 */
export function schwaechsteRichtung(matrix: Float64Array, rows: number, columns: number): Float64Array | null {
  const v = new Float64Array(columns * columns)
  for (let k = 0; k < columns; k++) v[k * columns + k] = 1
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) if (!rotateColumns(matrix, v, rows, columns)) break
  const norms = Array.from({ length: columns }, (_, k) => {
    let square = 0
    for (let i = 0; i < rows; i++) square += matrix[i * columns + k]! ** 2
    return Math.sqrt(square)
  })
  const sorted = norms.map((norm, k) => ({ norm, k })).sort((one, other) => one.norm - other.norm)
  if (!(sorted[1]!.norm > sorted.at(-1)!.norm * RANK_TOLERANCE)) return null
  return Float64Array.from({ length: columns }, (_, i) => v[i * columns + sorted[0]!.k]!)
}

/** One round over all pairs of columns; false when they stand upright on each other already. */
function rotateColumns(matrix: Float64Array, v: Float64Array, rows: number, columns: number): boolean {
  let turned = false
  for (let p = 0; p < columns - 1; p++)
    for (let q = p + 1; q < columns; q++) {
      let [pp, qq, pq] = [0, 0, 0]
      for (let i = 0; i < rows; i++) {
        const [one, other] = [matrix[i * columns + p]!, matrix[i * columns + q]!]
        pp += one * one
        qq += other * other
        pq += one * other
      }
      if (Math.abs(pq) <= 1e-16 * Math.sqrt(pp * qq) || pq === 0) continue
      turned = true
      const zeta = (qq - pp) / (2 * pq)
      const tangent = (zeta >= 0 ? 1 : -1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta))
      const cosine = 1 / Math.sqrt(1 + tangent * tangent)
      turn(matrix, rows, columns, p, q, cosine, cosine * tangent)
      turn(v, columns, columns, p, q, cosine, cosine * tangent)
    }
  return turned
}

function turn(matrix: Float64Array, rows: number, columns: number, p: number, q: number, cosine: number, sine: number): void {
  for (let i = 0; i < rows; i++) {
    const [one, other] = [matrix[i * columns + p]!, matrix[i * columns + q]!]
    matrix[i * columns + p] = cosine * one - sine * other
    matrix[i * columns + q] = sine * one + cosine * other
  }
}
