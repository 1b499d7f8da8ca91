// Points, lines and areas as well-known binary and well-known text. The input comes from files from
// elsewhere, so every length is checked before it is used.
import type { Place } from '../projection.ts'

/** Only points have z; it is used as the height if no column contains one. */
export type Geometry =
  | { readonly art: 'punkt'; readonly ort: Place; readonly z: number | null }
  | { readonly art: 'linie'; readonly pieces: readonly (readonly Place[])[] }
/** Polygons of rings, the outer one first; each ring is closed. */
export interface Area {
  readonly art: 'flaeche'
  readonly areas: readonly (readonly (readonly Place[])[])[]
}
/** Everything that is read; the caller decides which kinds it accepts. */
export type Form = Geometry | Area

/** leer: no geometry. kaputt: cannot be read. art: wrong kind, a curve, or several points in one. */
export type GeometryFaultCode = 'geometrie_leer' | 'geometrie_kaputt' | 'geometrie_art'
export class GeometryFault extends Error {
  override readonly name = 'GeometryFault'
  readonly code: GeometryFaultCode
  constructor(code: GeometryFaultCode) {
    super(code)
    this.code = code
  }
}

const [POINT, LINE, POLYGON, MULTIPOINT, MULTILINE, MULTIPOLYGON] = [1, 2, 3, 4, 5, 6]

/**
 * ISO and extended WKB in either byte order, with Z and M.
 * @throws GeometryFault
 */
export function readWkb(bytes: Uint8Array): Form {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  const need = (count: number): void => {
    if (at + count > view.byteLength) throw new GeometryFault('geometrie_kaputt')
  }
  function head(): { typ: number; little: boolean; z: boolean; dimensions: number } {
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
    return { typ: iso, little, z, dimensions: 2 + Number(z) + Number(m) }
  }
  function count(little: boolean, least: number): number {
    need(4)
    const found = view.getUint32(at, little)
    at += 4
    if (found * least > view.byteLength - at) throw new GeometryFault('geometrie_kaputt')
    return found
  }
  function place(little: boolean, dimensions: number): [number, number, number] {
    need(8 * dimensions)
    const x = view.getFloat64(at, little)
    const y = view.getFloat64(at + 8, little)
    const z = dimensions > 2 ? view.getFloat64(at + 16, little) : Number.NaN
    at += 8 * dimensions
    return [x, y, z]
  }
  function line(little: boolean, dimensions: number): Place[] {
    const places = count(little, 8 * dimensions)
    return Array.from({ length: places }, () => {
      const [x, y] = place(little, dimensions)
      return [x, y] as const
    })
  }
  const outer = head()
  if (outer.typ === POINT) return pointShape(place(outer.little, outer.dimensions), outer.z)
  if (outer.typ === LINE) return polyline([line(outer.little, outer.dimensions)])
  if (outer.typ === MULTIPOINT) {
    const parts = count(outer.little, 21)
    if (parts === 0) throw new GeometryFault('geometrie_leer')
    if (parts > 1) throw new GeometryFault('geometrie_art')
    const inner = head()
    if (inner.typ !== POINT) throw new GeometryFault('geometrie_kaputt')
    return pointShape(place(inner.little, inner.dimensions), inner.z)
  }
  if (outer.typ === MULTILINE) {
    const parts = count(outer.little, 9)
    return polyline(
      Array.from({ length: parts }, () => {
        const inner = head()
        if (inner.typ !== LINE) throw new GeometryFault('geometrie_kaputt')
        return line(inner.little, inner.dimensions)
      }),
    )
  }
  const polygon = (little: boolean, dimensions: number): Place[][] =>
    Array.from({ length: count(little, 4) }, () => line(little, dimensions))
  if (outer.typ === POLYGON) return flaeche([polygon(outer.little, outer.dimensions)])
  if (outer.typ === MULTIPOLYGON) {
    const parts = count(outer.little, 9)
    return flaeche(
      Array.from({ length: parts }, () => {
        const inner = head()
        if (inner.typ !== POLYGON) throw new GeometryFault('geometrie_kaputt')
        return polygon(inner.little, inner.dimensions)
      }),
    )
  }
  throw new GeometryFault('geometrie_art')
}

const isPlace = ([x, y]: Place): boolean => Number.isFinite(x) && Number.isFinite(y)

function pointShape([x, y, z]: readonly [number, number, number], hasZ: boolean): Geometry {
  // NaN coordinates stand for an empty point.
  if (Number.isNaN(x) && Number.isNaN(y)) throw new GeometryFault('geometrie_leer')
  if (!isPlace([x, y])) throw new GeometryFault('geometrie_kaputt')
  return { art: 'punkt', ort: [x, y], z: hasZ && Number.isFinite(z) ? z : null }
}
/** Omits points that repeat the previous one, and parts that are no longer a line afterwards. */
function polyline(parts: readonly (readonly Place[])[]): Geometry {
  if (parts.every((part) => part.length === 0)) throw new GeometryFault('geometrie_leer')
  if (!parts.every((part) => part.every(isPlace))) throw new GeometryFault('geometrie_kaputt')
  const pieces = parts
    .map((part) => part.filter(([x, y], at) => at === 0 || x !== part[at - 1]![0] || y !== part[at - 1]![1]))
    .filter((part) => part.length > 1)
  if (pieces.length === 0) throw new GeometryFault('geometrie_leer')
  return { art: 'linie', pieces }
}

/**
 * Omits points that repeat the previous one, and rings of fewer than three; closes open rings. Whether rings
 * cross is up to the database.
 */
function flaeche(polygons: readonly (readonly (readonly Place[])[])[]): Area {
  if (polygons.every((rings) => rings.every((ring) => ring.length === 0)))
    throw new GeometryFault('geometrie_leer')
  if (!polygons.every((rings) => rings.every((ring) => ring.every(isPlace))))
    throw new GeometryFault('geometrie_kaputt')
  const cleaned = (ring: readonly Place[]): readonly Place[] => {
    const corners = ring.filter(([x, y], at) => at === 0 || x !== ring[at - 1]![0] || y !== ring[at - 1]![1])
    const [first, last] = [corners[0], corners.at(-1)]
    const open =
      first === undefined ||
      last === undefined ||
      (corners.length > 1 && first[0] === last[0] && first[1] === last[1])
    return open ? corners : [...corners, first]
  }
  const areas = polygons.flatMap((rings) => {
    const [outer = [], ...holes] = rings.map(cleaned)
    return outer.length < 4 ? [] : [[outer, ...holes.filter((hole) => hole.length >= 4)]]
  })
  if (areas.length === 0) throw new GeometryFault('geometrie_leer')
  return { art: 'flaeche', areas }
}

/**
 * Reads a GeoJSON geometry.
 * @throws GeometryFault
 */
export function fromGeoJson(geometry: unknown): Form {
  if (geometry === null || geometry === undefined) throw new GeometryFault('geometrie_leer')
  const { type, coordinates } = geometry as { type?: unknown; coordinates?: unknown }
  const place = (value: unknown): [number, number, number] => {
    if (!Array.isArray(value) || typeof value[0] !== 'number' || typeof value[1] !== 'number')
      throw new GeometryFault('geometrie_kaputt')
    return [value[0], value[1], typeof value[2] === 'number' ? value[2] : Number.NaN]
  }
  const list = (value: unknown): unknown[] => {
    if (!Array.isArray(value)) throw new GeometryFault('geometrie_kaputt')
    return value
  }
  const line = (value: unknown): Place[] =>
    list(value).map((one) => {
      const [x, y] = place(one)
      return [x, y] as const
    })
  switch (type) {
    case 'Point':
      if (list(coordinates).length === 0) throw new GeometryFault('geometrie_leer')
      return pointShape(place(coordinates), true)
    case 'MultiPoint': {
      const points = list(coordinates)
      if (points.length > 1) throw new GeometryFault('geometrie_art')
      if (points.length === 0) throw new GeometryFault('geometrie_leer')
      return pointShape(place(points[0]), true)
    }
    case 'LineString':
      return polyline([line(coordinates)])
    case 'MultiLineString':
      return polyline(list(coordinates).map(line))
    case 'Polygon':
      return flaeche([list(coordinates).map(line)])
    case 'MultiPolygon':
      return flaeche(list(coordinates).map((rings) => list(rings).map(line)))
    case 'GeometryCollection':
      throw new GeometryFault('geometrie_art')
    default:
      throw new GeometryFault('geometrie_kaputt')
  }
}

const WKT = /^(?:srid\s*=\s*\d+\s*;\s*)?(multi)?(point|linestring|polygon)\s*(zm|z|m)?\s*(empty|\(.*\))$/i

/**
 * Reads points, lines and areas from well-known text.
 * @throws GeometryFault
 */
export function readWkt(text: string): Form {
  const trimmed = text.trim()
  if (trimmed === '') throw new GeometryFault('geometrie_leer')
  const found = WKT.exec(trimmed)
  if (found === null)
    throw new GeometryFault(
      /^(?:srid=\d+;)?\s*(?:multi)?(?:curve|surface)|^geometrycollection/i.test(trimmed)
        ? 'geometrie_art'
        : 'geometrie_kaputt',
    )
  const [, multi, kind, dimensions, body = ''] = found
  if (body.toLowerCase() === 'empty') throw new GeometryFault('geometrie_leer')
  const point = kind!.toLowerCase() === 'point'
  const place = (words: string): [number, number, number] => {
    const [x, y, z] = words.trim().split(/\s+/).map(Number)
    if (x === undefined || y === undefined || Number.isNaN(x) || Number.isNaN(y))
      throw new GeometryFault('geometrie_kaputt')
    return [x, y, dimensions?.toLowerCase() === 'm' || z === undefined ? Number.NaN : z]
  }
  const inner = body.slice(1, -1)
  if (point) {
    const places = inner.replaceAll(/[()]/g, '').split(',')
    if (places.length > 1) throw new GeometryFault('geometrie_art')
    return pointShape(place(places[0]!), true)
  }
  if (kind!.toLowerCase() === 'polygon') {
    const polygons = multi === undefined ? [inner] : inner.split(/\)\s*\)\s*,\s*\(\s*\(/)
    return flaeche(
      polygons.map((polygon) =>
        polygon.split(/\)\s*,\s*\(/).map((ring) =>
          ring
            .replaceAll(/[()]/g, '')
            .split(',')
            .map((words) => {
              const [x, y] = place(words)
              return [x, y] as const
            }),
        ),
      ),
    )
  }
  const parts =
    multi === undefined ? [inner] : inner.split(/\)\s*,\s*\(/).map((part) => part.replaceAll(/[()]/g, ''))
  return polyline(
    parts.map((part) =>
      part.split(',').map((words) => {
        const [x, y] = place(words)
        return [x, y] as const
      }),
    ),
  )
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

export function converted(geometry: Geometry, convert: (ort: Place) => Place): Geometry
export function converted(geometry: Area, convert: (ort: Place) => Place): Area
export function converted(geometry: Form, convert: (ort: Place) => Place): Form {
  switch (geometry.art) {
    case 'punkt':
      return { ...geometry, ort: convert(geometry.ort) }
    case 'linie':
      return { art: 'linie', pieces: geometry.pieces.map((part) => part.map(convert)) }
    case 'flaeche':
      return { art: 'flaeche', areas: geometry.areas.map((rings) => rings.map((ring) => ring.map(convert))) }
  }
}

/** Roughly Germany in UTM 32 or 33: coordinates read in the wrong system end up elsewhere. */
export const isInGermany = ([east, north]: Place): boolean =>
  east > -50_000 && east < 1_000_000 && north > 5_200_000 && north < 6_130_000
export const placesOf = (geometry: Form): readonly Place[] =>
  geometry.art === 'punkt'
    ? [geometry.ort]
    : geometry.art === 'linie'
      ? geometry.pieces.flat()
      : geometry.areas.flat(2)
