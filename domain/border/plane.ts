// Metres around a place, and the area of a ring on the ellipsoid.

/** GRS 80; WGS 84 differs from it by a tenth of a millimetre. */
const [A, E2] = [6_378_137, 0.006_694_380_022_9]
const E = Math.sqrt(E2)
const RADIAN = Math.PI / 180

export interface Degrees {
  readonly lon: number
  readonly lat: number
}

export interface Xy {
  readonly x: number
  readonly y: number
}
export interface Plane {
  readonly to: (place: Degrees) => Xy
  readonly from: (point: Xy) => Degrees
}
/** East and north in metres. Within five kilometres of the place, lengths are true to a thousandth. */
export function planeAt({ lon, lat }: Degrees): Plane {
  const phi = lat * RADIAN
  const w = 1 - E2 * Math.sin(phi) ** 2
  const kx = (A / Math.sqrt(w)) * Math.cos(phi) * RADIAN
  const ky = ((A * (1 - E2)) / w ** 1.5) * RADIAN
  return {
    to: (place) => ({ x: (place.lon - lon) * kx, y: (place.lat - lat) * ky }),
    from: ({ x, y }) => ({ lon: lon + x / kx, lat: lat + y / ky }),
  }
}

/** Signed; of metres in square metres, counter-clockwise is positive. */
export function signedArea(ring: readonly Xy[]): number {
  const [first] = ring
  if (first === undefined) return 0
  let sum = 0
  for (let at = 0, before = ring.length - 1; at < ring.length; before = at++) {
    const [a, b] = [ring[before]!, ring[at]!]
    sum += (a.x - first.x) * (b.y - first.y) - (b.x - first.x) * (a.y - first.y)
  }
  return sum / 2
}

/** Half of Snyder's q (Map Projections, 3-12): with it, a cylinder keeps areas of the ellipsoid. */
function equalAreaHeight(lat: number): number {
  const s = Math.sin(lat * RADIAN)
  return ((1 - E2) * (s / (1 - E2 * s * s) + Math.log((1 + E * s) / (1 - E * s)) / (2 * E))) / 2
}

/**
 * Hectares on the ellipsoid. Sides are straight on a cylinder of equal areas, not geodesics: of a square
 * kilometre that is 20 square metres, and nothing of what a stand has between its corners.
 */
export const hectaresOf = (ring: readonly Degrees[]): number =>
  Math.abs(signedArea(ring.map(({ lon, lat }) => ({ x: lon * RADIAN * A, y: equalAreaHeight(lat) * A })))) /
  10_000
