// The scan as a mesh of small flat pieces, which a screen can draw on the map immediately while points are
// still being set.
import type { Pair } from './frame.ts'
import type { Transform } from './transform.ts'

export interface Mesh {
  /** Lines of the mesh in the scan, including both edges. */
  readonly spalten: readonly number[]
  readonly zeilen: readonly number[]
  /** Position of each crossing on the map, row by row. */
  readonly orte: readonly Pair[]
}

const COLUMNS = 32
const ROWS = 24
/** How many pixels of the scan a flat piece may be off. */
const TOLERANCE = 0.5
/** How often a stripe is halved at most; a bent sheet needs one or two times. */
const DEPTH = 3
/**
 * Maximum number of crossings, each of which costs a spline a pass over all points. A transformation that
 * folds or runs to infinity does not become flat with more pieces.
 */
const MOST = 9000

/** Stripes are halved as a whole, so the pieces share their edges and there are no gaps. */
export function meshOf({ zurKarte }: Pick<Transform, 'zurKarte'>, width: number, height: number): Mesh {
  const at = cached(zurKarte)
  let columnList = lines(width, COLUMNS)
  let entries = lines(height, ROWS)
  for (let depth = 0; depth < DEPTH; depth++) {
    const [across, down] = [entries, columnList]
    const columns = halved(columnList, MOST / entries.length, (from, to) =>
      across.some((row) => bends(at, [from, row], [to, row])),
    )
    if (columns === null) break
    const rows = halved(entries, MOST / columns.length, (from, to) =>
      down.some((column) => bends(at, [column, from], [column, to])),
    )
    if (rows === null || (columns.length === columnList.length && rows.length === entries.length)) break
    columnList = columns
    entries = rows
  }
  return {
    spalten: columnList,
    zeilen: entries,
    orte: entries.flatMap((row) => columnList.map((column) => at(column, row))),
  }
}

const lines = (length: number, pieces: number): number[] =>
  Array.from({ length: pieces + 1 }, (_, i) => (length * i) / pieces)

/**
 * The lines, plus one in the middle of each bent stripe; null as soon as there are more than allowed, to
 * avoid useless work.
 */
function halved(
  edges: readonly number[],
  most: number,
  isBent: (from: number, to: number) => boolean,
): number[] | null {
  const lines = [edges[0]!]
  for (let i = 1; i < edges.length; i++) {
    const [from, to] = [edges[i - 1]!, edges[i]!]
    if (isBent(from, to)) lines.push((from + to) / 2)
    lines.push(to)
    if (lines.length + edges.length - 1 - i > most) return null
  }
  return lines
}

/**
 * Whether the middle of an edge is further off the straight line than allowed; the edge's own length converts
 * map units to pixels.
 */
function bends(at: (x: number, y: number) => Pair, from: Pair, to: Pair): boolean {
  const [a, b] = [at(from[0], from[1]), at(to[0], to[1])]
  const middle = at((from[0] + to[0]) / 2, (from[1] + to[1]) / 2)
  const off = Math.hypot(middle[0] - (a[0] + b[0]) / 2, middle[1] - (a[1] + b[1]) / 2)
  const span = Math.hypot(b[0] - a[0], b[1] - a[1])
  const pixels = Math.hypot(to[0] - from[0], to[1] - from[1])
  return off * pixels > TOLERANCE * span
}

function cached(toKarte: Transform['zurKarte']): (x: number, y: number) => Pair {
  const known = new Map<number, Map<number, Pair>>()
  return (x, y) => {
    let column = known.get(x)
    if (column === undefined) known.set(x, (column = new Map()))
    let place = column.get(y)
    if (place === undefined) column.set(y, (place = toKarte(x, y)))
    return place
  }
}

/** Three crossings per triangle, two triangles per piece. Pieces with a corner at infinity are left out. */
export function trianglesOf({ spalten, zeilen, orte }: Mesh): number[] {
  const wide = spalten.length
  const isPlace = (index: number) => orte[index]!.every(Number.isFinite)
  const corners: number[] = []
  for (let row = 0; row + 1 < zeilen.length; row++)
    for (let column = 0; column + 1 < wide; column++) {
      const [a, b] = [row * wide + column, row * wide + column + 1]
      const [c, d] = [a + wide, b + wide]
      if ([a, b, c, d].every(isPlace)) corners.push(a, b, c, b, d, c)
    }
  return corners
}
