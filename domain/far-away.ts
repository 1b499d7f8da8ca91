// Data that is far from their customer: almost always in the wrong zone or system, sometimes a forest far
// from home. Only a person can tell, so they are asked.
import type { Bundesland } from './bundeslaender.ts'

/** In degrees of ETRS89. */
export interface Box {
  readonly west: number
  readonly sued: number
  readonly ost: number
  readonly nord: number
}
/** bestand: around what the customer has already. land: around the Land of the address. */
export interface Whereabouts {
  readonly art: 'bestand' | 'land'
  readonly box: Box
}
/** An object as its file has it. */
export interface FarObject {
  readonly schicht: string
  readonly nr: number
  /** Its own number, key or address; empty if it has none. */
  readonly name: string
}
export interface FarAway {
  /** Objects that are there. */
  readonly anzahl: number
  /** Objects whose place was compared: if few of them are far, their places are wrong and not the system. */
  readonly von: number
  /** How far the farthest of them is, in whole kilometres. */
  readonly km: number
  /** From what; datei: from the other objects of the file. */
  readonly bezug: Whereabouts['art'] | 'datei'
  /** At most twenty, the farthest first. */
  readonly objekte: readonly (FarObject & { readonly km: number })[]
}

/** Nearer than this is next door. */
export const FAR_KM = 30

/** West, south, east and north of each Land, to a tenth of a degree outwards. */
const BOXES: Readonly<Record<Bundesland, readonly [number, number, number, number]>> = {
  'Baden-Württemberg': [7.5, 47.5, 10.5, 49.8],
  Bayern: [8.9, 47.2, 13.9, 50.6],
  Berlin: [13, 52.3, 13.8, 52.7],
  Brandenburg: [11.2, 51.3, 14.8, 53.6],
  Bremen: [8.4, 53, 9, 53.7],
  Hamburg: [8.4, 53.3, 10.4, 54],
  Hessen: [7.7, 49.3, 10.3, 51.7],
  'Mecklenburg-Vorpommern': [10.5, 53.1, 14.5, 54.7],
  Niedersachsen: [6.6, 51.2, 11.6, 54],
  'Nordrhein-Westfalen': [5.8, 50.3, 9.5, 52.6],
  'Rheinland-Pfalz': [6.1, 48.9, 8.6, 51],
  Saarland: [6.3, 49.1, 7.5, 49.7],
  Sachsen: [11.8, 50.1, 15.1, 51.7],
  'Sachsen-Anhalt': [10.5, 50.9, 13.2, 53.1],
  'Schleswig-Holstein': [7.8, 53.3, 11.4, 55.1],
  Thüringen: [9.8, 50.2, 12.7, 51.7],
}

/** What the customer has comes first: a forest may be in another Land than its owner. */
export function whereaboutsOf(bestand: Box | null, land: string | null): Whereabouts | null {
  if (bestand !== null) return { art: 'bestand', box: bestand }
  const box = BOXES[land as Bundesland] as (typeof BOXES)[Bundesland] | undefined
  if (box === undefined) return null
  const [west, sued, easting, north] = box
  return { art: 'land', box: { west, sued, ost: easting, nord: north } }
}

/** Numbers as the database answers them; null if there is nothing. */
export interface MercatorBox {
  readonly west: string | number | null
  readonly sued: string | number
  readonly ost: string | number
  readonly nord: string | number
}
const RADIUS = 6_378_137
const degrees = (radians: number): number => (radians * 180) / Math.PI
const lonOf = (x: string | number): number => degrees(Number(x) / RADIUS)
const latOf = (y: string | number): number => degrees(Math.atan(Math.sinh(Number(y) / RADIUS)))

export const boxOfMercator = ({ west, sued, ost, nord }: MercatorBox): Box | null =>
  west === null ? null : { west: lonOf(west), sued: latOf(sued), ost: lonOf(ost), nord: latOf(nord) }

const KM_PER_DEGREE = 111.2

/** Zero within it. */
export function kmFrom({ west, sued, ost, nord }: Box, lon: number, lat: number): number {
  const east = Math.max(west - lon, 0, lon - ost) * Math.cos((lat * Math.PI) / 180)
  return KM_PER_DEGREE * Math.hypot(east, Math.max(sued - lat, 0, lat - nord))
}

export interface FarTally {
  count(lon: number, lat: number, object: FarObject): void
  result(): FarAway | null
}

const SHOWN = 20

/** Fewer have no middle from which one of them could be far. */
const FEWEST = 4

/** Where most of them are: without the tenth on each side, at least without one. */
function middleOf(longitudes: readonly number[], latitudes: readonly number[]): Box {
  const cut = Math.max(1, Math.floor(longitudes.length / 10))
  const ends = (values: readonly number[]): readonly [number, number] => {
    const sorted = values.toSorted((a, b) => a - b)
    return [sorted[cut]!, sorted.at(-1 - cut)!]
  }
  const [[west, east], [south, north]] = [ends(longitudes), ends(latitudes)]
  return { west, sued: south, ost: east, nord: north }
}

/** Of what was counted so far, by distance from a box. */
function tallyFrom(box: Box) {
  let count = 0
  let farthest: readonly (FarObject & { readonly km: number })[] = []
  return {
    count(lon: number, lat: number, object: FarObject): void {
      const km = kmFrom(box, lon, lat)
      if (!(km > FAR_KM)) return
      count += 1
      if (farthest.length === SHOWN && km <= farthest.at(-1)!.km) return
      farthest = [...farthest, { ...object, km }].toSorted((a, b) => b.km - a.km).slice(0, SHOWN)
    },
    result(of: Pick<FarAway, 'von' | 'bezug'>): FarAway | null {
      const objects = farthest.map((one) => ({ ...one, km: Math.round(one.km) }))
      return count === 0 ? null : { anzahl: count, ...of, km: objects[0]!.km, objekte: objects }
    },
  }
}

/**
 * What is far from the customer's data or Land. A Land is large, and sometimes nothing is known: then also what is
 * far from the rest of its file, such as a point with a wrong digit.
 */
export function createFarTally(whereabouts: Whereabouts | null): FarTally {
  const tally = whereabouts === null ? null : tallyFrom(whereabouts.box)
  let total = 0
  const [longitudes, latitudes, objects]: [number[], number[], FarObject[]] = [[], [], []]
  return {
    count(lon, lat, object) {
      total += 1
      tally?.count(lon, lat, object)
      if (whereabouts?.art === 'bestand') return
      longitudes.push(lon)
      latitudes.push(lat)
      objects.push(object)
    },
    result() {
      const far = tally?.result({ von: total, bezug: whereabouts!.art }) ?? null
      if (far !== null || objects.length < FEWEST) return far
      const rest = tallyFrom(middleOf(longitudes, latitudes))
      for (const [at, object] of objects.entries()) rest.count(longitudes[at]!, latitudes[at]!, object)
      return rest.result({ von: total, bezug: 'datei' })
    },
  }
}
