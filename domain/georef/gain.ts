// How sure the place of the sheet is where it is least known, and where a further point would help most. The
// errors of the points are taken as those of the residuals; what the fit makes of them follows from where
// the points are.
import { reflectColumns, hasFullRank } from './least-squares.ts'
import type { ControlPoint, GeorefType } from './transform.ts'

export interface Gain {
  /** Standard error in pixels, of both axes together, at the sheet's least certain place. */
  readonly now: number
  /** The same with one more point at `spalte`, `zeile`. */
  readonly after: number
  readonly spalte: number
  readonly zeile: number
}

type Row = readonly number[]

/**
 * The rows of the design that a point adds. Both axes are fitted alike, so one row does for them where they
 * do not depend on each other.
 */
function rowsOf(kind: Exclude<GeorefType, 'tps'>, x: number, y: number): readonly Row[] {
  switch (kind) {
    case 'linear':
      return [
        [1, 0, x, 0],
        [0, 1, 0, y],
      ]
    case 'helmert':
      return [
        [1, 0, x, -y],
        [0, 1, y, x],
      ]
    case 'polynom1':
      return [[1, x, y]]
    case 'polynom2':
      return [[1, x, y, x * x, x * y, y * y]]
    case 'polynom3':
      return [[1, x, y, x * x, x * y, y * y, x ** 3, x * x * y, x * y * y, y ** 3]]
    case 'projektiv':
      // The eight parameters at a sheet that is hardly tilted.
      return [
        [1, x, y, 0, 0, 0, -x * x, -x * y],
        [0, 0, 0, 1, x, y, -x * y, -y * y],
      ]
  }
}

/** Places at which the certainty is looked at, per axis: the corners, the edges and between. */
const LATTICE = 7

/** Mean variance of both axes at each place of the lattice, for points of variance one; null: undetermined. */
function variances(design: readonly Row[], places: readonly (readonly Row[])[]): number[] | null {
  const columns = design[0]?.length ?? 0
  if (design.length < columns) return null
  const matrix = new Float64Array(design.length * columns)
  design.forEach((row, at) =>
    row.forEach((value, column) => {
      matrix[column * design.length + at] = value
    }),
  )
  const reflections = reflectColumns(matrix, design.length, columns)
  if (!hasFullRank(reflections)) return null
  const { matrix: triangle, diagonal, rows } = reflections
  /** Square of the row times the inverse of the triangle: forward substitution. */
  const variance = (row: Row): number => {
    const solved: number[] = []
    for (let k = 0; k < columns; k++) {
      let value = row[k] ?? 0
      for (let i = 0; i < k; i++) value -= (triangle[k * rows + i] ?? 0) * (solved[i] ?? 0)
      solved.push(value / (diagonal[k] ?? Number.NaN))
    }
    return solved.reduce((sum, value) => sum + value * value, 0)
  }
  return places.map((place) => place.reduce((sum, row) => sum + variance(row), 0) / place.length)
}

/**
 * @param meanError of a point in pixels, of both axes together, as `qualityOf` has it; 0: nobody knows
 * @returns null for a spline, which has no such figure, and while the points do not suffice
 */
export function gainOf(
  kind: GeorefType,
  points: readonly ControlPoint[],
  meanError: number,
  { width, height }: { readonly width: number; readonly height: number },
): Gain | null {
  if (kind === 'tps' || !(meanError > 0)) return null
  // Around zero and of the order of one, as the solution wants it.
  const rows = (column: number, row: number) => rowsOf(kind, (2 * column) / width - 1, (2 * row) / height - 1)
  const lattice = Array.from({ length: LATTICE * LATTICE }, (_, at) => ({
    spalte: (width * (at % LATTICE)) / (LATTICE - 1),
    zeile: (height * Math.floor(at / LATTICE)) / (LATTICE - 1),
  }))
  const places = lattice.map(({ spalte, zeile }) => rows(spalte, zeile))
  const design = points.flatMap(({ spalte, zeile }) => rows(spalte, zeile))
  const present = variances(design, places)
  if (present === null) return null
  const worst = (found: readonly number[]): number => meanError * Math.sqrt(Math.max(...found))
  let best: Gain | null = null
  lattice.forEach(({ spalte, zeile }, at) => {
    const found = variances([...design, ...(places[at] ?? [])], places)
    const after = found === null ? Number.NaN : worst(found)
    if (best === null || after < best.after) best = { now: worst(present), after, spalte, zeile }
  })
  return best
}
