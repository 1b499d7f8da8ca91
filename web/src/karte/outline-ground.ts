// The part of the maps' background around an outline, in the outline's own metres. Exact to about a hundred
// metres, less than the background itself is simplified by.
import type { Ground, GroundPlace, Point } from './ground.ts'
import { grad } from './mercator.ts'

/** Where the centre of an outline is, and how its system is turned against north there. */
export interface Spot {
  readonly lon: number
  readonly lat: number
  /** Degrees clockwise. */
  readonly turn: number
}

/** Meridians on which the surveying systems are not turned. */
const MERIDIANS: Readonly<Record<number, number>> = {
  25831: 3,
  25832: 9,
  25833: 15,
  4647: 9,
  5650: 15,
  31466: 6,
  31467: 9,
  31468: 12,
  31469: 15,
  2397: 9,
  2398: 12,
  2399: 15,
}
const RADIANS = Math.PI / 180
const DEGREE_M = 6_378_137 * RADIANS

export function spotOf(
  epsg: number,
  { west, south, east, north }: Record<'west' | 'south' | 'east' | 'north', number>,
): Spot {
  const [lon, lat] = [(west + east) / 2, (south + north) / 2]
  const meridian = MERIDIANS[epsg]
  return { lon, lat, turn: meridian === undefined ? 0 : (lon - meridian) * Math.sin(lat * RADIANS) }
}

/** Metres from the spot, y down, as outlines are drawn. */
export function fromSpot({ lon, lat, turn }: Spot, [x, y]: Point): Point {
  const [toLon, toLat] = grad(x, y)
  const east = (toLon - lon) * Math.cos(((lat + toLat) / 2) * RADIANS) * DEGREE_M
  const north = (toLat - lat) * DEGREE_M
  const [cos, sin] = [Math.cos(turn * RADIANS), Math.sin(turn * RADIANS)]
  return [east * cos - north * sin, -(east * sin + north * cos)]
}

export interface OutlineGround {
  /** SVG paths. */
  readonly borders: string
  readonly districts: string
  readonly rivers: string
  readonly places: readonly GroundPlace[]
}

/** `reach`: metres from the spot up to which something may be seen. */
export function groundAround(ground: Ground, spot: Spot, reach: number): OutlineGround {
  const isNear = ([x, y]: Point) => Math.abs(x) < reach && Math.abs(y) < reach
  /** Only the parts of a line that are near, each with the corner before and after. */
  const pathOf = (lines: readonly Point[][]): string =>
    lines
      .flatMap((line) => {
        const places = line.map((point) => fromSpot(spot, point))
        return places.map(([x, y], at) => {
          const [before, after] = [places[at - 1], places[at + 1]]
          const near = [before, places[at], after].some((one) => one !== undefined && isNear(one))
          return near && before
            ? `M${before.map(Math.round).join(' ')}L${Math.round(x)} ${Math.round(y)}`
            : ''
        })
      })
      .join('')
  return {
    borders: pathOf([...ground.countries, ...ground.states]),
    districts: pathOf(ground.districts),
    rivers: pathOf(ground.rivers),
    places: ground.places
      .map((place) => ({ ...place, at: fromSpot(spot, place.at) as Point }))
      .filter(({ at }) => isNear(at)),
  }
}
