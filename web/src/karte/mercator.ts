// Pure functions: degrees to and from Web Mercator, distances and bearings on the ground.

const RADIUS = 6_378_137
/** Mean radius of the earth, in metres, for distances between two places. */
const MEAN_RADIUS = 6_371_008.8

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
const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Great-circle distance in metres. */
export function distanceBetween(a: Degrees, b: Degrees): number {
  const [north, east] = [radians(b.lat - a.lat), radians(b.lon - a.lon)]
  const h =
    Math.sin(north / 2) ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(east / 2) ** 2
  return 2 * MEAN_RADIUS * Math.asin(Math.sqrt(Math.min(1, h)))
}

/** Initial bearing from `a` to `b` in degrees clockwise from north, 0 to 360. */
export function richtung(a: Degrees, b: Degrees): number {
  const east = radians(b.lon - a.lon)
  const y = Math.sin(east) * Math.cos(radians(b.lat))
  const x =
    Math.cos(radians(a.lat)) * Math.sin(radians(b.lat)) -
    Math.sin(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.cos(east)
  return ((Math.atan2(y, x) * 180) / Math.PI + 360) % 360
}

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
