// Pure functions: degrees to and from Web Mercator, distances and bearings on the ground.
import { wayBetween } from '#domain/border/geodesic.ts'

const RADIUS = 6_378_137

export const mercator = (lon: number, lat: number): [x: number, y: number] => [
  (RADIUS * lon * Math.PI) / 180,
  RADIUS * Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)),
]
export const grad = (x: number, y: number): [lon: number, lat: number] => [
  ((x / RADIUS) * 180) / Math.PI,
  ((2 * Math.atan(Math.exp(y / RADIUS)) - Math.PI / 2) * 180) / Math.PI,
]

export interface Degrees {
  readonly lon: number
  readonly lat: number
}
/** Metres on the ellipsoid: a sphere is off by up to three metres in a kilometre. */
export const distanceBetween = (a: Degrees, b: Degrees): number => wayBetween(a, b).meter

/** Initial bearing from `a` to `b` in degrees clockwise from north, 0 to 360. */
export const bearingOf = (a: Degrees, b: Degrees): number => wayBetween(a, b).bearing

type Ring = readonly (readonly number[])[]
/**
 * Whether a point is in one of the polygons (outer ring first, then holes). Points on an edge may count
 * either way.
 */
export function standsIn(areas: readonly (readonly Ring[])[], x: number, y: number): boolean {
  return areas.some(
    (rings) =>
      rings.length > 0 && encloses(rings[0]!, x, y) && !rings.slice(1).some((hole) => encloses(hole, x, y)),
  )
}
function encloses(ring: Ring, x: number, y: number): boolean {
  let inside = false
  for (let at = 0, before = ring.length - 1; at < ring.length; before = at++) {
    const [ax = 0, ay = 0] = ring[at]!
    const [bx = 0, by = 0] = ring[before]!
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  }
  return inside
}
