// What the corpora of files share: objects that GDAL writes in each format, and how what GDAL reads of a file is
// compared with what we read.
import { execFileSync } from 'node:child_process'
import { type Form, GeometryFault, placesOf } from '#domain/vermessung/geometry.ts'
import type { RawObject } from '#domain/vermessung/check.ts'

export const OGR2OGR = '/usr/bin/ogr2ogr'

export type Json = Record<string, unknown>
export interface Feature {
  readonly properties: Json
  readonly geometry: Json | null
}

const places = (count: number, offset: number): number[][] =>
  Array.from({ length: count }, (_, nr) => [380_000.25 + 100 * offset + 7 * nr, 5_930_000.5 + 13 * nr * nr])
const closed = (ring: number[][]): number[][] => [...ring, ring[0]!]
const square = (x: number, size: number): number[][] =>
  closed([
    [x, 5_930_000],
    [x, 5_930_000 + size],
    [x + size, 5_930_000 + size],
    [x + size, 5_930_000],
  ])
const withZ = (value: unknown): unknown =>
  Array.isArray(value) && typeof value[0] === 'number'
    ? [...value, 41.5]
    : Array.isArray(value)
      ? value.map(withZ)
      : value

export const GEOMETRIES: Readonly<Record<string, (nr: number) => Json>> = {
  Point: (nr) => ({ type: 'Point', coordinates: places(1, nr)[0] }),
  MultiPoint: (nr) => ({ type: 'MultiPoint', coordinates: places(1, nr) }),
  LineString: (nr) => ({ type: 'LineString', coordinates: places(5, nr) }),
  MultiLineString: (nr) => ({ type: 'MultiLineString', coordinates: [places(3, nr), places(4, nr + 9)] }),
  Polygon: (nr) => ({
    type: 'Polygon',
    coordinates: [square(380_000 + 300 * nr, 100), square(380_020 + 300 * nr, 20).toReversed()],
  }),
  MultiPolygon: (nr) => ({
    type: 'MultiPolygon',
    coordinates: [[square(380_000 + 300 * nr, 50)], [square(380_100 + 300 * nr, 40)]],
  }),
}
export const ofKind =
  (kind: string, z = false) =>
  (nr: number): Json => {
    const geometry = GEOMETRIES[kind]!(nr)
    return z ? { ...geometry, coordinates: withZ(geometry['coordinates']) } : geometry
  }

export const collection = (features: readonly object[], epsg = 25_833): string => {
  const crs = { type: 'name', properties: { name: `urn:ogc:def:crs:EPSG::${epsg}` } }
  return JSON.stringify({ type: 'FeatureCollection', crs, features })
}

/** One set of numbers and texts, whatever the order of rings and the shape of numbers. */
const plain = (value: unknown): string | null => {
  if (value === null || value === undefined || value === '') return null
  if (value instanceof Date)
    return [value.getUTCFullYear(), value.getUTCMonth() + 1, value.getUTCDate()]
      .map((part) => String(part).padStart(2, '0'))
      .join('-')
  const text = String(value as string | number).replaceAll('/', '-')
  return /^-?[\d.]+$/.test(text) ? String(Number(text)) : text
}
export const attributes = (values: Json): Record<string, string | null> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plain(value)]))

const spots = (list: readonly (readonly number[])[], decimals: number): string[] =>
  [...new Set(list.map(([x, y]) => `${x!.toFixed(decimals)} ${y!.toFixed(decimals)}`))].toSorted()
const flat = (value: unknown): number[][] =>
  Array.isArray(value) && typeof value[0] === 'number'
    ? [value as number[]]
    : Array.isArray(value)
      ? value.flatMap(flat)
      : []

const placesIn = ({ coordinates, geometries }: Json): number[][] =>
  Array.isArray(geometries) ? (geometries as Json[]).flatMap(placesIn) : flat(coordinates)

export interface Row {
  readonly werte: Record<string, string | null>
  /** Of all corners; null if there is no geometry. */
  readonly orte: string[] | null
}

/** In the file's own system. */
export function readByGdal(file: string, options: readonly string[] = [], decimals = 3): Row[] {
  const text = execFileSync(
    OGR2OGR,
    [
      ...options,
      '-f',
      'GeoJSON',
      '-lco',
      'RFC7946=NO',
      '-lco',
      'COORDINATE_PRECISION=9',
      '/vsistdout/',
      file,
    ],
    {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, SHAPE_RESTORE_SHX: 'YES' },
    },
  )
  return (JSON.parse(text) as { features: Feature[] }).features.map(({ properties, geometry }) => ({
    werte: attributes(properties),
    orte: geometry === null ? null : spots(placesIn(geometry), decimals),
  }))
}

export const rowOf = ({ geometrie, werte }: RawObject, decimals = 3): Row => ({
  werte: attributes(werte),
  orte: geometrie instanceof GeometryFault ? null : spots(placesOf(geometrie as Form), decimals),
})

const pathsIn = (value: unknown): number[][][] => {
  if (!Array.isArray(value) || !Array.isArray(value[0])) return []
  return typeof value[0][0] === 'number' ? [value as number[][]] : value.flatMap(pathsIn)
}
const toLine = (
  [x, y]: readonly number[],
  [ax, ay]: readonly number[],
  [bx, by]: readonly number[],
): number => {
  const [dx, dy] = [bx! - ax!, by! - ay!]
  const part = Math.max(0, Math.min(1, ((x! - ax!) * dx + (y! - ay!) * dy) / (dx * dx + dy * dy || 1)))
  return Math.hypot(x! - ax! - part * dx, y! - ay! - part * dy)
}
const toPaths = (place: readonly number[], paths: readonly (readonly (readonly number[])[])[]): number =>
  Math.min(...paths.flatMap((path) => path.slice(1).map((end, at) => toLine(place, path[at]!, end))))

/** How far our lines are from those that GDAL makes of the same curves in very small steps, and they from ours. */
export function awayFrom({ geometrie }: RawObject, file: string, options: readonly string[] = []): number {
  const form = geometrie as Form
  const ours = form.art === 'linie' ? form.pieces : form.art === 'flaeche' ? form.areas.flat() : []
  const text = execFileSync(
    OGR2OGR,
    [
      ...options,
      '--config',
      'OGR_ARC_STEPSIZE',
      '0.25',
      '-f',
      'GeoJSON',
      '-lco',
      'RFC7946=NO',
      '-lco',
      'COORDINATE_PRECISION=6',
      '/vsistdout/',
      file,
    ],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  )
  const theirs = (JSON.parse(text) as { features: Feature[] }).features.flatMap(({ geometry }) =>
    pathsIn(geometry?.['coordinates']),
  )
  return Math.max(
    ...ours.flatMap((path) => path.map((place) => toPaths(place, theirs))),
    ...theirs.flatMap((path) => path.map((place) => toPaths(place, ours))),
  )
}
