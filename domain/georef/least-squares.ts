// Least squares, as far as georeferencing needs them. Matrices are stored column by column in one
// Float64Array, so that every inner loop reads memory sequentially.

/**
 * Relative to the longest column, a column below this share counts as dependent on those before it; the
 * columns are scaled to the order of one.
 */
const RANK_TOLERANCE = 1e-10

/**
 * A matrix as Householder reflections and a triangle. Column k holds its reflection from row k down and the
 * triangle above it; the triangle's diagonal is stored separately.
 */
export interface Reflections {
  readonly matrix: Float64Array
  readonly diagonal: Float64Array
  readonly rows: number
  readonly columns: number
}

/**
 * Householder reflections, each the identity minus the product of a vector with itself. The matrix is
 * overwritten; it has at least as many rows as columns.
 */
export function reflectColumns(matrix: Float64Array, rows: number, columns: number): Reflections {
  const reflections: Reflections = { matrix, diagonal: new Float64Array(columns), rows, columns }
  for (let k = 0; k < columns; k++) {
    const top = k * rows + k
    const end = (k + 1) * rows
    let square = 0
    for (let i = top; i < end; i++) square += matrix[i]! * matrix[i]!
    const norm = Math.sqrt(square)
    // Nothing is left to reflect: the vector stays zero, which has no effect.
    if (norm === 0) continue
    const head = matrix[top]!
    const alpha = head > 0 ? -norm : norm
    const shorten = 1 / Math.sqrt(norm * (norm + Math.abs(head)))
    matrix[top] = head - alpha
    for (let i = top; i < end; i++) matrix[i]! *= shorten
    reflections.diagonal[k] = alpha
    for (let j = k + 1; j < columns; j++) reflectVector(reflections, k, matrix, j * rows)
  }
  return reflections
}

/** Applies the reflection of column k to the vector that starts at `begin` in `values`. */
export function reflectVector(
  { matrix, rows }: Reflections,
  k: number,
  values: Float64Array,
  begin: number,
): void {
  const top = k * rows
  let dot = 0
  for (let i = k; i < rows; i++) dot += matrix[top + i]! * values[begin + i]!
  if (dot === 0) return
  for (let i = k; i < rows; i++) values[begin + i]! -= dot * matrix[top + i]!
}

/** False if the columns depend on each other or contain a value that is not a number. */
export function hasFullRank({ diagonal }: Reflections): boolean {
  let largest = 0
  return diagonal.every((value) => {
    largest = Math.max(largest, Math.abs(value))
    return Math.abs(value) > largest * RANK_TOLERANCE
  })
}

/** Solves the triangle in place for the vector that starts at `begin` in `values`. */
export function solveTriangle(
  { matrix, diagonal, rows, columns }: Reflections,
  values: Float64Array,
  begin: number,
): void {
  for (let k = columns - 1; k >= 0; k--) {
    const x = values[begin + k]! / diagonal[k]!
    values[begin + k] = x
    for (let i = 0; i < k; i++) values[begin + i]! -= x * matrix[k * rows + i]!
  }
}

export interface LeastSquares {
  /** For each right-hand side, one value per column. */
  readonly solution: readonly Float64Array[]
  readonly reflections: Reflections
}

/**
 * Least-squares solution of an overdetermined system.
 * @param design rows × columns, overwritten
 * @param right right-hand sides with one value per row
 * @returns null if the columns depend on each other
 */
export function leastSquares(
  design: Float64Array,
  right: readonly Float64Array[],
  rows: number,
  columns: number,
): LeastSquares | null {
  if (rows < columns) return null
  const reflections = reflectColumns(design, rows, columns)
  if (!hasFullRank(reflections)) return null
  const solution = right.map((side) => {
    const b = side.slice()
    for (let k = 0; k < columns; k++) reflectVector(reflections, k, b, 0)
    solveTriangle(reflections, b, 0)
    return b.slice(0, columns)
  })
  return { solution, reflections }
}

/**
 * Diagonal of the projection onto the columns: how far each row's own value pulls the fit towards itself, 0
 * to 1.
 */
export function leverageOf(reflections: Reflections): Float64Array {
  const { rows, columns } = reflections
  const leverage = new Float64Array(rows)
  const q = new Float64Array(rows)
  for (let column = 0; column < columns; column++) {
    q.fill(0)
    q[column] = 1
    // Reflections of later columns do not change the first entries.
    for (let k = column; k >= 0; k--) reflectVector(reflections, k, q, 0)
    for (let i = 0; i < rows; i++) leverage[i]! += q[i]! * q[i]!
  }
  return leverage
}

const MOST_SWEEPS = 60
/** Columns count as orthogonal below this cosine: a few times the rounding error. */
const UPRIGHT = 1e-15
/** A column shorter than this share of the matrix is rounding error, and its direction means nothing. */
const NOTHING = 1e-16

/**
 * The direction that a matrix shortens most, by Jacobi rotations of the columns of its triangle; the
 * reflections before that do not change lengths.
 * @param matrix rows × columns with at least as many rows as columns, overwritten
 * @returns null if a second direction is also shortened to nothing, so that there is no unique answer
 */
export function weakestDirection(matrix: Float64Array, rows: number, columns: number): Float64Array | null {
  const r = triangleOf(reflectColumns(matrix, rows, columns))
  const v = new Float64Array(columns * columns)
  for (let k = 0; k < columns; k++) v[k * columns + k] = 1
  const floor = r.reduce((sum, value) => sum + value * value, 0) * NOTHING ** 2
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) if (!rotateColumns(r, v, columns, floor)) break
  const norms = Array.from({ length: columns }, (_, k) => ({
    norm: Math.hypot(...r.subarray(k * columns, (k + 1) * columns)),
    k,
  }))
  const sorted = norms.sort((one, other) => one.norm - other.norm)
  if (!(sorted[1]!.norm > sorted.at(-1)!.norm * RANK_TOLERANCE)) return null
  const { k } = sorted[0]!
  return v.slice(k * columns, (k + 1) * columns)
}

function triangleOf({ matrix, diagonal, rows, columns }: Reflections): Float64Array {
  const r = new Float64Array(columns * columns)
  for (let k = 0; k < columns; k++) {
    for (let i = 0; i < k; i++) r[k * columns + i] = matrix[k * rows + i]!
    r[k * columns + k] = diagonal[k]!
  }
  return r
}

/** One sweep over all pairs of columns; false if they are already orthogonal. */
function rotateColumns(r: Float64Array, v: Float64Array, size: number, floor: number): boolean {
  let turned = false
  for (let p = 0; p < size - 1; p++)
    for (let q = p + 1; q < size; q++) {
      let pp = 0
      let qq = 0
      let pq = 0
      for (let i = 0; i < size; i++) {
        const one = r[p * size + i]!
        const other = r[q * size + i]!
        pp += one * one
        qq += other * other
        pq += one * other
      }
      if (pp <= floor || qq <= floor || Math.abs(pq) <= UPRIGHT * Math.sqrt(pp * qq)) continue
      turned = true
      const zeta = (qq - pp) / (2 * pq)
      const tangent = (zeta >= 0 ? 1 : -1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta))
      const cosine = 1 / Math.sqrt(1 + tangent * tangent)
      turn(r, size, p, q, cosine, cosine * tangent)
      turn(v, size, p, q, cosine, cosine * tangent)
    }
  return turned
}

function turn(matrix: Float64Array, size: number, p: number, q: number, cosine: number, sine: number): void {
  for (let i = 0; i < size; i++) {
    const one = matrix[p * size + i]!
    const other = matrix[q * size + i]!
    matrix[p * size + i] = cosine * one - sine * other
    matrix[q * size + i] = sine * one + cosine * other
  }
}
