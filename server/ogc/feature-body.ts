// A feature that somebody sends: GeoJSON, checked before anything reaches the database.
import { Refusal } from '#server/errors.ts'
import type { GeometryKind } from './collections.ts'

export interface GivenFeature {
  /** GeoJSON; undefined if the body does not mention it. */
  readonly geometry: string | undefined
  readonly properties: ReadonlyMap<string, unknown>
}

const MOST_CORNERS = 1_000
const MOST_PROPERTIES = 100
const DEEPEST = 32

const refuse = (message: string): Refusal => new Refusal('bad_value', message)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws Refusal 400 that says what is wrong */
export function readFeature(body: unknown, kind: GeometryKind): GivenFeature {
  if (!isObject(body) || body['type'] !== 'Feature')
    throw refuse('Erwartet wird ein einzelnes Objekt als GeoJSON vom Typ „Feature“.')
  const { geometry, properties = null } = body
  if (properties !== null && !isObject(properties)) throw refuse('properties: Erwartet wird ein Objekt.')
  const given = Object.entries(properties ?? {})
  for (const [name, value] of given)
    if (depthOf(value, DEEPEST) > DEEPEST)
      throw refuse(`${name.slice(0, 60)}: Dieser Wert ist zu tief verschachtelt.`)
  if (given.length > MOST_PROPERTIES) throw refuse('properties: Das sind zu viele Eigenschaften.')
  return {
    geometry: geometry === undefined ? undefined : geometryOf(geometry, kind),
    properties: new Map(given),
  }
}

/** Levels of lists and objects, counted up to one more than `most`. */
function depthOf(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (most < 0) return 1
  // One after the other: a list of a hundred thousand values is no list of arguments.
  let deepest = 0
  for (const one of Object.values(value)) deepest = Math.max(deepest, depthOf(one, most - 1))
  return 1 + deepest
}

const KINDS: Readonly<Record<GeometryKind, readonly string[]>> = {
  point: ['Point'],
  line: ['LineString', 'MultiLineString'],
  polygon: ['Polygon', 'MultiPolygon'],
}
/** Levels of arrays above a position. */
const LEVELS: Readonly<Record<string, number>> = {
  Point: 0,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
}

function geometryOf(geometry: unknown, kind: GeometryKind): string {
  const type = isObject(geometry) ? geometry['type'] : undefined
  if (typeof type !== 'string' || !KINDS[kind].includes(type))
    throw refuse(`geometry: Erwartet wird ${KINDS[kind].join(' oder ')}.`)
  const { coordinates } = geometry as { coordinates: unknown }
  let corners = 0
  const check = (value: unknown, levels: number): void => {
    if (!Array.isArray(value) || value.length === 0)
      throw refuse('geometry: Die Koordinaten sind unvollständig.')
    if (levels > 0) return value.forEach((one) => check(one, levels - 1))
    corners += 1
    if (corners > MOST_CORNERS)
      throw refuse(`geometry: Mehr als ${MOST_CORNERS} Stützpunkte sind nicht möglich.`)
    if (value.length > 2)
      throw refuse('geometry: Höhen gehören in die Eigenschaften, nicht in die Geometrie.')
    if (value.length < 2 || !value.every((one) => typeof one === 'number' && Number.isFinite(one)))
      throw refuse('geometry: Eine Koordinate ist keine Zahl.')
  }
  check(coordinates, LEVELS[type]!)
  return JSON.stringify({ type, coordinates })
}
