// The background of all maps as data: countries, states, districts, waters and places around Germany.
// scripts/draw-ground.ts makes the file; docs/map-services.md names its sources and their licences.

/** Shown wherever the background is, as its sources ask. */
export const GROUND_SOURCES = '© GeoBasis-DE / BKG 2017 (verändert) · GeoNames · Natural Earth'

export type Point = [x: number, y: number]
export interface Named {
  readonly name: string
  readonly at: Point
}
export interface GroundPlace extends Named {
  /** 0 are the largest cities. */
  readonly rank: number
}
export interface Ground {
  readonly land: Point[][][]
  readonly germany: Point[][][]
  readonly lakes: Point[][][]
  readonly countries: Point[][]
  readonly states: Point[][]
  readonly districts: Point[][]
  readonly rivers: Point[][]
  /** Named by their codes: AT. */
  readonly countryNames: Named[]
  readonly stateNames: Named[]
  readonly riverNames: Named[]
  /** Largest first. */
  readonly places: GroundPlace[]
}

type Line = readonly number[]
interface GroundFile
  extends Record<'land' | 'germany' | 'lakes', readonly (readonly Line[])[]>,
    Record<'countries' | 'states' | 'districts' | 'rivers', readonly Line[]>,
    Record<'countryNames' | 'stateNames' | 'riverNames', readonly (readonly [string, number, number])[]> {
  /** Metres of one step. */
  readonly step: number
  readonly places: { readonly counts: readonly number[]; readonly names: string; readonly points: Line }
}

/** Steps from corner to corner become places in Web Mercator. */
function pointsOf(line: Line, step: number): Point[] {
  const points: Point[] = []
  let [x, y] = [0, 0]
  for (let at = 0; at + 1 < line.length; at += 2) {
    x += (line[at] ?? 0) * step
    y += (line[at + 1] ?? 0) * step
    points.push([x, y])
  }
  return points
}

export function readGround(text: string): Ground {
  const file = JSON.parse(text) as GroundFile
  const { step, places } = file
  const lines = (of: readonly Line[]) => of.map((line) => pointsOf(line, step))
  const named = (of: GroundFile['stateNames']) =>
    of.map(([name, x, y]): Named => ({ name, at: [x * step, y * step] }))
  const ranks = places.counts.flatMap((count, rank) => Array.from({ length: count }, () => rank))
  const points = pointsOf(places.points, step)
  return {
    land: file.land.map(lines),
    germany: file.germany.map(lines),
    lakes: file.lakes.map(lines),
    countries: lines(file.countries),
    states: lines(file.states),
    districts: lines(file.districts),
    rivers: lines(file.rivers),
    countryNames: named(file.countryNames),
    stateNames: named(file.stateNames),
    riverNames: named(file.riverNames),
    places: places.names.split('|').flatMap((name, at): GroundPlace[] => {
      const [point, rank] = [points[at], ranks[at]]
      return point === undefined || rank === undefined ? [] : [{ name, at: point, rank }]
    }),
  }
}
