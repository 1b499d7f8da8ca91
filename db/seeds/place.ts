// Where the sample's forests are: a place within the rough extent of a Bundesland, in the customer's
// coordinate system, and polygons of a given size there.
import type { Bundesland } from '#domain/address-bundesland.ts'
import type { Random } from './random.ts'

/** A box in degrees that is (almost) inside the Land: west, south, east, north. */
const EXTENT: Record<Bundesland, readonly [number, number, number, number]> = {
  'Baden-Württemberg': [8.2, 47.9, 9.9, 49.3],
  Bayern: [10.4, 47.9, 12.6, 50.0],
  Berlin: [13.15, 52.42, 13.65, 52.6],
  Brandenburg: [12.6, 51.8, 14.2, 53.0],
  Bremen: [8.7, 53.05, 8.9, 53.15],
  Hamburg: [9.85, 53.45, 10.15, 53.65],
  Hessen: [8.4, 49.9, 9.6, 51.3],
  'Mecklenburg-Vorpommern': [11.4, 53.4, 13.6, 54.0],
  Niedersachsen: [7.6, 52.3, 10.4, 53.3],
  'Nordrhein-Westfalen': [6.6, 50.9, 8.6, 51.9],
  'Rheinland-Pfalz': [6.8, 49.5, 8.0, 50.4],
  Saarland: [6.75, 49.3, 7.15, 49.55],
  Sachsen: [12.5, 50.7, 14.3, 51.3],
  'Sachsen-Anhalt': [11.2, 51.5, 12.3, 52.7],
  'Schleswig-Holstein': [9.3, 53.8, 10.4, 54.6],
  Thüringen: [10.3, 50.6, 11.8, 51.2],
}

/** In metres. */
export type Point = readonly [east: number, north: number]

/** A place in the Land, in ETRS89/UTM zone 32 or 33. */
export function placeIn(land: Bundesland, epsg: 25832 | 25833, random: Random): Point {
  const [west, south, east, north] = EXTENT[land]
  return toUtm(
    west + random.next() * (east - west),
    south + random.next() * (north - south),
    epsg === 25832 ? 9 : 15,
  )
}

/** Krüger's series on the GRS80 ellipsoid, three terms: accurate to millimetres within a zone. */
export function toUtm(longitude: number, latitude: number, meridian: 9 | 15): Point {
  const n = 1 / (2 * 298.257222101 - 1)
  const radius = (6378137 / (1 + n)) * (1 + n ** 2 / 4 + n ** 4 / 64)
  const alpha = [
    n / 2 - (2 * n ** 2) / 3 + (5 * n ** 3) / 16,
    (13 * n ** 2) / 48 - (3 * n ** 3) / 5,
    (61 * n ** 3) / 240,
  ]
  const phi = (latitude * Math.PI) / 180
  const lambda = ((longitude - meridian) * Math.PI) / 180
  const e = (2 * Math.sqrt(n)) / (1 + n)
  const t = Math.sinh(Math.atanh(Math.sin(phi)) - e * Math.atanh(e * Math.sin(phi)))
  const xi = Math.atan2(t, Math.cos(lambda))
  const eta = Math.atanh(Math.sin(lambda) / Math.sqrt(1 + t ** 2))
  let east = eta
  let north = xi
  alpha.forEach((a, index) => {
    const j = 2 * (index + 1)
    east += a * Math.cos(j * xi) * Math.sinh(j * eta)
    north += a * Math.sin(j * xi) * Math.cosh(j * eta)
  })
  return [500_000 + 0.9996 * radius * east, 0.9996 * radius * north]
}

/**
 * One or two stands around a centre, `hectares` in total, as MULTIPOLYGON text. Star-shaped rings cannot
 * self-intersect.
 */
export function makeArea(centre: Point, hectares: number, random: Random): string {
  const share = random.chance(0.25) ? 0.6 + 0.3 * random.next() : 1
  const rings = [makeRing(centre, hectares * share, random)]
  // The second one is far enough away that the two cannot touch: no radius exceeds 2.5 times that of the
  // circle.
  if (share < 1)
    rings.push(
      makeRing(
        [centre[0] + 6 * Math.sqrt((hectares * 10_000) / Math.PI), centre[1]],
        hectares * (1 - share),
        random,
      ),
    )
  const polygons = rings.map(
    (ring) => `((${ring.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join(',')}))`,
  )
  return `MULTIPOLYGON(${polygons.join(',')})`
}

function makeRing([x, y]: Point, hectares: number, random: Random): Point[] {
  const corners = random.int(9, 22)
  const shape = Array.from({ length: corners }, (_, corner): Point => {
    const angle = (2 * Math.PI * (corner + 0.6 * random.next())) / corners
    const radius = 0.6 + 0.8 * random.next()
    return [radius * Math.cos(angle), radius * Math.sin(angle)]
  })
  const scale = Math.sqrt((hectares * 10_000) / ringArea(shape))
  const ring = shape.map(([dx, dy]): Point => [x + scale * dx, y + scale * dy])
  return [...ring, ring[0]!]
}

/** Gauss's area formula; counter-clockwise rings are positive. */
export const ringArea = (ring: readonly Point[]): number =>
  ring.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = ring[(at + 1) % ring.length]!
    return sum + (x * nextY - nextX * y) / 2
  }, 0)
