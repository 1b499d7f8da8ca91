// Well-known binary. The input comes from files from elsewhere, so every length is checked before it is used.
import { arcs } from './arc.ts'
import {
  type Area,
  areaOf,
  type Form,
  GeometryFault,
  type GeometryLoss,
  pointShape,
  polyline,
  type Vertex,
} from './geometry.ts'

const [POINT, LINE, POLYGON, MULTIPOINT, MULTILINE, MULTIPOLYGON] = [1, 2, 3, 4, 5, 6]
const [ARC, COMPOUND, CURVE_POLYGON, CURVES, SURFACES] = [8, 9, 10, 11, 12]

interface WkbHead {
  readonly typ: number
  readonly little: boolean
  readonly z: boolean
  readonly m: boolean
}

/**
 * ISO and extended WKB in either byte order, with Z and M. Curves are approximated to a centimetre.
 * @throws GeometryFault
 */
export function readWkb(bytes: Uint8Array): Form {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  let curved = false
  const need = (count: number): void => {
    if (at + count > view.byteLength) throw new GeometryFault('geometrie_kaputt')
  }
  function head(): WkbHead {
    need(5)
    const order = view.getUint8(at)
    if (order > 1) throw new GeometryFault('geometrie_kaputt')
    const little = order === 1
    const raw = view.getUint32(at + 1, little)
    at += 5
    if ((raw & 0x20000000) !== 0) {
      need(4)
      at += 4
    }
    const iso = (raw & 0x0fffffff) % 1000
    const thousands = Math.floor((raw & 0x0fffffff) / 1000)
    if (thousands > 3) throw new GeometryFault('geometrie_art')
    const z = (raw & 0x80000000) !== 0 || thousands === 1 || thousands === 3
    const m = (raw & 0x40000000) !== 0 || thousands >= 2
    return { typ: iso, little, z, m }
  }
  function innerHead(...kinds: readonly number[]): WkbHead {
    const inner = head()
    if (!kinds.includes(inner.typ)) throw new GeometryFault('geometrie_kaputt')
    return inner
  }
  const bytesOfVertex = ({ z, m }: WkbHead): number => 8 * (2 + Number(z) + Number(m))
  function count(little: boolean, least: number): number {
    need(4)
    const found = view.getUint32(at, little)
    at += 4
    if (found * least > view.byteLength - at) throw new GeometryFault('geometrie_kaputt')
    return found
  }
  function vertex(of: WkbHead): Vertex {
    need(bytesOfVertex(of))
    const x = view.getFloat64(at, of.little)
    const y = view.getFloat64(at + 8, of.little)
    const z = of.z ? view.getFloat64(at + 16, of.little) : Number.NaN
    at += bytesOfVertex(of)
    return [x, y, z]
  }
  const line = (of: WkbHead): Vertex[] =>
    Array.from({ length: count(of.little, bytesOfVertex(of)) }, () => vertex(of))
  function curve(of: WkbHead): Vertex[] {
    if (of.typ === LINE) return line(of)
    curved = true
    if (of.typ === ARC) return arcs(line(of))
    // The pieces of a compound curve share their ends, which polyline() omits.
    return Array.from({ length: count(of.little, 9) }, () => curve(innerHead(LINE, ARC))).flat()
  }
  const polygon = (of: WkbHead): Vertex[][] =>
    of.typ === POLYGON
      ? Array.from({ length: count(of.little, 4) }, () => line(of))
      : Array.from({ length: count(of.little, 9) }, () => curve(innerHead(LINE, ARC, COMPOUND)))
  const outer = head()
  const { typ, little, m } = outer
  const losses = (): GeometryLoss[] => [
    ...(m ? ['masse' as const] : []),
    ...(curved ? ['boegen' as const] : []),
  ]
  if (typ === POINT) return pointShape(vertex(outer), outer.z, losses())
  if (typ === MULTIPOINT) {
    const parts = count(little, 21)
    if (parts === 0) throw new GeometryFault('geometrie_leer')
    if (parts > 1) throw new GeometryFault('geometrie_art')
    const inner = innerHead(POINT)
    return pointShape(vertex(inner), inner.z, losses())
  }
  if (typ === LINE || typ === ARC || typ === COMPOUND) {
    const places = curve(outer)
    return polyline([places], losses())
  }
  if (typ === MULTILINE || typ === CURVES) {
    const parts = Array.from({ length: count(little, 9) }, () =>
      curve(typ === MULTILINE ? innerHead(LINE) : innerHead(LINE, ARC, COMPOUND)),
    )
    return polyline(parts, losses())
  }
  if (typ === POLYGON || typ === CURVE_POLYGON) {
    const rings = polygon(outer)
    return areaOf([rings], losses())
  }
  if (typ === MULTIPOLYGON || typ === SURFACES) {
    const parts = Array.from({ length: count(little, 9) }, () =>
      polygon(typ === MULTIPOLYGON ? innerHead(POLYGON) : innerHead(POLYGON, CURVE_POLYGON)),
    )
    return areaOf(parts, losses())
  }
  throw new GeometryFault('geometrie_art')
}

/** Points as Point, lines as MultiLineString, areas as MultiPolygon, little endian. */
export function toWkb(geometry: Form): Uint8Array {
  if (geometry.art === 'flaeche') return areaToWkb(geometry)
  if (geometry.art === 'punkt') {
    const bytes = new Uint8Array(21)
    const view = new DataView(bytes.buffer)
    view.setUint8(0, 1)
    view.setUint32(1, POINT, true)
    view.setFloat64(5, geometry.ort[0], true)
    view.setFloat64(13, geometry.ort[1], true)
    return bytes
  }
  const places = geometry.pieces.reduce((sum, part) => sum + part.length, 0)
  const bytes = new Uint8Array(9 + 9 * geometry.pieces.length + 16 * places)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, 1)
  view.setUint32(1, MULTILINE, true)
  view.setUint32(5, geometry.pieces.length, true)
  let at = 9
  for (const part of geometry.pieces) {
    view.setUint8(at, 1)
    view.setUint32(at + 1, LINE, true)
    view.setUint32(at + 5, part.length, true)
    at += 9
    for (const [x, y] of part) {
      view.setFloat64(at, x, true)
      view.setFloat64(at + 8, y, true)
      at += 16
    }
  }
  return bytes
}

function areaToWkb({ areas }: Area): Uint8Array {
  const rings = areas.flat()
  const bytes = new Uint8Array(
    9 + 9 * areas.length + 4 * rings.length + 16 * rings.reduce((sum, ring) => sum + ring.length, 0),
  )
  const view = new DataView(bytes.buffer)
  view.setUint8(0, 1)
  view.setUint32(1, MULTIPOLYGON, true)
  view.setUint32(5, areas.length, true)
  let at = 9
  for (const polygon of areas) {
    view.setUint8(at, 1)
    view.setUint32(at + 1, POLYGON, true)
    view.setUint32(at + 5, polygon.length, true)
    at += 9
    for (const ring of polygon) {
      view.setUint32(at, ring.length, true)
      at += 4
      for (const [x, y] of ring) {
        view.setFloat64(at, x, true)
        view.setFloat64(at + 8, y, true)
        at += 16
      }
    }
  }
  return bytes
}
