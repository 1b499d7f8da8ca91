// Geometries of FlatGeobuf: one list of coordinates, the ends of its parts, and separate parts where those
// are not enough (areas of several polygons, curves).
import { arcs } from '#domain/vermessung/arc.ts'
import {
  areaOf,
  type Form,
  GeometryFault,
  type GeometryLoss,
  pointShape,
  polyline,
  type Vertex,
} from '#domain/vermessung/geometry.ts'
import type { LayerKind } from '#domain/vermessung/fields.ts'
import type { FlatTable } from './flat-buffer.ts'

const [POINT, LINE, POLYGON, MULTIPOINT, MULTILINE, MULTIPOLYGON] = [1, 2, 3, 4, 5, 6]
const [ARC, COMPOUND, CURVE_POLYGON, CURVES, SURFACES, CURVE, SURFACE] = [8, 9, 10, 11, 12, 13, 14]
/** Fields of the table. */
const [ENDS, XY, Z, M, T, TM, TYPE, PARTS] = [0, 1, 2, 3, 4, 5, 6, 7]

/** Null for those that may be anything. */
export function kindOfType(type: number): LayerKind | null {
  if (type === POINT || type === MULTIPOINT) return 'punkt'
  if ([LINE, MULTILINE, ARC, COMPOUND, CURVES, CURVE].includes(type)) return 'linie'
  return [POLYGON, MULTIPOLYGON, CURVE_POLYGON, SURFACES, SURFACE].includes(type) ? 'flaeche' : null
}

const fault = (code: GeometryFault['code']): never => {
  throw new GeometryFault(code)
}

function verticesOf(table: FlatTable): Vertex[] {
  const { bytes } = table
  const xy = table.vector(XY, 8)
  const z = table.vector(Z, 8)
  if (xy === null) return []
  const count = xy.count / 2
  if (!Number.isInteger(count) || (z !== null && z.count < count)) fault('geometrie_kaputt')
  return Array.from({ length: count }, (_, nr) => [
    bytes.readDoubleLE(xy.at + 16 * nr),
    bytes.readDoubleLE(xy.at + 16 * nr + 8),
    z === null ? Number.NaN : bytes.readDoubleLE(z.at + 8 * nr),
  ])
}

/** The coordinates in pieces; all of them are one if the ends are left out. */
function piecesOf(table: FlatTable): Vertex[][] {
  const vertices = verticesOf(table)
  const ends = table.vector(ENDS, 4)
  if (ends === null || ends.count === 0) return vertices.length === 0 ? [] : [vertices]
  const pieces: Vertex[][] = []
  let from = 0
  for (let nr = 0; nr < ends.count; nr++) {
    const to = table.bytes.readUInt32LE(ends.at + 4 * nr)
    if (to < from || to > vertices.length) fault('geometrie_kaputt')
    pieces.push(vertices.slice(from, to))
    from = to
  }
  if (from !== vertices.length) fault('geometrie_kaputt')
  return pieces
}

/** @param type that of the layer, if it has one @throws GeometryFault, FileFault */
export function shapeOf(geometry: FlatTable, type: number): Form {
  let curved = false
  let measured = false
  /** Parts whose type may be left out are of that of their whole. */
  const typeOf = (part: FlatTable, otherwise: number, ...kinds: readonly number[]): number => {
    const found = part.byte(TYPE, 0) || otherwise
    return kinds.includes(found) ? found : fault('geometrie_kaputt')
  }
  const look = (table: FlatTable): FlatTable => {
    measured ||= [M, T, TM].some((nr) => (table.vector(nr, 8)?.count ?? 0) > 0)
    return table
  }
  function curve(part: FlatTable, kind: number): Vertex[] {
    if (kind === LINE) return verticesOf(look(part))
    curved = true
    if (kind === ARC) return arcs(verticesOf(look(part)))
    return part.tables(PARTS).flatMap((piece) => curve(piece, typeOf(piece, LINE, LINE, ARC)))
  }
  const rings = (part: FlatTable, kind: number): Vertex[][] =>
    kind === POLYGON
      ? piecesOf(look(part))
      : part.tables(PARTS).map((ring) => curve(ring, typeOf(ring, LINE, LINE, ARC, COMPOUND)))
  const losses = (): GeometryLoss[] => [
    ...(measured ? ['masse' as const] : []),
    ...(curved ? ['boegen' as const] : []),
  ]
  function point(): Form {
    const [first, ...more] = verticesOf(look(geometry))
    if (first === undefined) return fault('geometrie_leer')
    return more.length > 0 ? fault('geometrie_art') : pointShape(first, true, losses())
  }
  function line(pieces: Vertex[][]): Form {
    return polyline(pieces, losses())
  }
  function area(areas: Vertex[][][]): Form {
    return areaOf(areas, losses())
  }
  const parts = (): FlatTable[] => look(geometry).tables(PARTS)
  const kind = type || geometry.byte(TYPE, 0)
  switch (kind) {
    case POINT:
    case MULTIPOINT:
      return point()
    case LINE:
    case ARC:
    case COMPOUND:
      return line([curve(geometry, kind)])
    case MULTILINE:
      return line(piecesOf(look(geometry)))
    case CURVES:
      return line(parts().map((part) => curve(part, typeOf(part, LINE, LINE, ARC, COMPOUND))))
    case POLYGON:
    case CURVE_POLYGON:
      return area([rings(geometry, kind)])
    case MULTIPOLYGON:
      return area(parts().map((part) => rings(part, typeOf(part, POLYGON, POLYGON))))
    case SURFACES:
      return area(parts().map((part) => rings(part, typeOf(part, POLYGON, POLYGON, CURVE_POLYGON))))
    default:
      return fault('geometrie_art')
  }
}
