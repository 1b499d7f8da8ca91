// Points, lines and areas: as GeoJSON of files from elsewhere, and what is kept of them. Well-known text and binary
// are in wkt.ts and wkb.ts.
import type { Place } from '../projection.ts'

/** What a file holds of a geometry and we do not keep: heights, measures, and the true shape of curves. */
export const GEOMETRY_LOSSES = ['hoehen', 'masse', 'boegen'] as const
export type GeometryLoss = (typeof GEOMETRY_LOSSES)[number]
interface WithLosses {
  readonly verloren?: readonly GeometryLoss[]
}

/** Heights are used if no column contains them. */
export type Geometry = (
  | { readonly art: 'punkt'; readonly ort: Place; readonly z: number | null }
  | {
      readonly art: 'linie'
      readonly pieces: readonly (readonly Place[])[]
      /** Heights of the first and the last point. */
      readonly ends?: readonly [first: number, last: number]
    }
) &
  WithLosses
/** Polygons of rings, the outer one first; each ring is closed. */
export interface Area extends WithLosses {
  readonly art: 'flaeche'
  readonly areas: readonly (readonly (readonly Place[])[])[]
}
/** x, y and height; NaN where there is none. */
export type Vertex = readonly [x: number, y: number, z: number]
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

const isPlace = ([x, y]: Place): boolean => Number.isFinite(x) && Number.isFinite(y)

const withLosses = (lost: readonly GeometryLoss[]): WithLosses =>
  lost.length === 0 ? {} : { verloren: lost }

export function pointShape([x, y, z]: Vertex, hasZ: boolean, lost: readonly GeometryLoss[] = []): Geometry {
  // NaN coordinates stand for an empty point.
  if (Number.isNaN(x) && Number.isNaN(y)) throw new GeometryFault('geometrie_leer')
  if (!isPlace([x, y])) throw new GeometryFault('geometrie_kaputt')
  return { art: 'punkt', ort: [x, y], z: hasZ && Number.isFinite(z) ? z : null, ...withLosses(lost) }
}

const NO_DATA = -9_999
/** Programs that have no height write 0, -9999 or less. */
export const isStated = (z: number): boolean => Number.isFinite(z) && z !== 0 && z > NO_DATA
/** In metres, of anything in Germany; nothing else is taken. */
export const isHeight = (z: number): boolean => isStated(z) && z > -500 && z < 9_000
const hasHeights = (vertices: readonly Vertex[]): boolean => vertices.some(([, , z]) => isStated(z))
const placeOf = ([x, y]: Vertex): Place => [x, y]

/** Heights of both ends of a line; undefined if a program had none for one of them. */
export const knownEnds = (line: Form): readonly [first: number, last: number] | undefined =>
  line.art === 'linie' && line.ends?.every(isStated) ? line.ends : undefined

/**
 * Omits points that repeat the previous one, and parts that are no longer a line afterwards. Of heights only
 * those of the ends are kept, of one unbroken line.
 */
export function polyline(
  parts: readonly (readonly Vertex[])[],
  lost: readonly GeometryLoss[] = [],
): Geometry {
  if (parts.every((part) => part.length === 0)) throw new GeometryFault('geometrie_leer')
  if (!parts.every((part) => part.every(([x, y]) => isPlace([x, y]))))
    throw new GeometryFault('geometrie_kaputt')
  const pieces = parts
    .map((part) => part.filter(([x, y], at) => at === 0 || x !== part[at - 1]![0] || y !== part[at - 1]![1]))
    .filter((part) => part.length > 1)
  if (pieces.length === 0) throw new GeometryFault('geometrie_leer')
  const [only] = pieces
  const high = pieces.some(hasHeights)
  const ends = [only![0]![2], only!.at(-1)![2]] as const
  const keepsEnds = high && pieces.length === 1 && ends.every(Number.isFinite)
  return {
    art: 'linie',
    pieces: pieces.map((part) => part.map(placeOf)),
    ...(keepsEnds && { ends }),
    ...withLosses(high && !(keepsEnds && only!.length === 2) ? ['hoehen', ...lost] : lost),
  }
}

/**
 * Omits points that repeat the previous one, and rings of fewer than three; closes open rings. Whether rings
 * cross is up to the database.
 */
export function areaOf(
  shapes: readonly (readonly (readonly Vertex[])[])[],
  lost: readonly GeometryLoss[] = [],
): Area {
  const polygons = shapes.map((rings) => rings.map((ring) => ring.map(placeOf)))
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
  const high = shapes.some((rings) => rings.some(hasHeights))
  return { art: 'flaeche', areas, ...withLosses(high ? ['hoehen', ...lost] : lost) }
}

/**
 * Reads a GeoJSON geometry.
 * @param known what the file holds beyond GeoJSON
 * @throws GeometryFault
 */
export function fromGeoJson(geometry: unknown, known: readonly GeometryLoss[] = []): Form {
  if (geometry === null || geometry === undefined) throw new GeometryFault('geometrie_leer')
  const { type, coordinates } = geometry as { type?: unknown; coordinates?: unknown }
  // A fourth coordinate is a measure.
  const lost = [...known]
  const place = (value: unknown): Vertex => {
    if (!Array.isArray(value) || typeof value[0] !== 'number' || typeof value[1] !== 'number')
      throw new GeometryFault('geometrie_kaputt')
    if (typeof value[3] === 'number' && value[3] !== 0 && !lost.includes('masse')) lost.push('masse')
    return [value[0], value[1], typeof value[2] === 'number' ? value[2] : Number.NaN]
  }
  const list = (value: unknown): unknown[] => {
    if (!Array.isArray(value)) throw new GeometryFault('geometrie_kaputt')
    return value
  }
  const line = (value: unknown): Vertex[] => list(value).map(place)
  switch (type) {
    case 'Point':
      if (list(coordinates).length === 0) throw new GeometryFault('geometrie_leer')
      return pointShape(place(coordinates), true, lost)
    case 'MultiPoint': {
      const points = list(coordinates)
      if (points.length > 1) throw new GeometryFault('geometrie_art')
      if (points.length === 0) throw new GeometryFault('geometrie_leer')
      return pointShape(place(points[0]), true, lost)
    }
    case 'LineString':
      return polyline([line(coordinates)], lost)
    case 'MultiLineString':
      return polyline(list(coordinates).map(line), lost)
    case 'Polygon':
      return areaOf([list(coordinates).map(line)], lost)
    case 'MultiPolygon':
      return areaOf(
        list(coordinates).map((rings) => list(rings).map(line)),
        lost,
      )
    case 'GeometryCollection':
      throw new GeometryFault('geometrie_art')
    default:
      throw new GeometryFault('geometrie_kaputt')
  }
}

export function converted(geometry: Geometry, convert: (ort: Place) => Place): Geometry
export function converted(geometry: Area, convert: (ort: Place) => Place): Area
export function converted(geometry: Form, convert: (ort: Place) => Place): Form {
  switch (geometry.art) {
    case 'punkt':
      return { ...geometry, ort: convert(geometry.ort) }
    case 'linie':
      return { ...geometry, pieces: geometry.pieces.map((part) => part.map(convert)) }
    case 'flaeche':
      return {
        ...geometry,
        areas: geometry.areas.map((rings) => rings.map((ring) => ring.map(convert))),
      }
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

/** In the units of the coordinates. */
export const lengthOfLine = ({ pieces }: Extract<Geometry, { art: 'linie' }>): number =>
  pieces.reduce(
    (sum, part) =>
      sum +
      part.reduce(
        (length, [x, y], at) =>
          at === 0 ? 0 : length + Math.hypot(x - part[at - 1]![0], y - part[at - 1]![1]),
        0,
      ),
    0,
  )
