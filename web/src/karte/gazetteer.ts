// Finds places in Germany by postcode, town, district, or coordinates. The data are those of
// scripts/draw-gazetteer.ts; docs/map-services.md names their sources and licences.
import { germanName, placeKey } from '#domain/address.ts'
import { parsePair } from '#domain/georef/coordinate.ts'

/** Shown wherever hits are shown, as the licences ask. */
export const GAZETTEER_SOURCES = '© OpenStreetMap-Mitwirkende (ODbL) · GeoNames · GeoBasis-DE / BKG 2017'

/** [west, south, east, north] in Web Mercator. */
export type Box = readonly [west: number, south: number, east: number, north: number]

export interface FoundPlace {
  readonly name: string
  /** Tells places of one name apart. */
  readonly detail: string
  readonly box: Box
}

interface Entry extends FoundPlace {
  /** Folded words of the name, and of the name and all else that identifies the place. */
  readonly title: string
  readonly words: readonly string[]
  /** The lower, the earlier it is named. */
  readonly rank: number
}

export interface Gazetteer {
  /** The middle of a postcode in Web Mercator; undefined for one that there is not. */
  readonly boxOfCode: (code: string) => Box | undefined
  readonly entries: readonly Entry[]
}

interface GazetteerFile
  extends Record<'districts' | 'codes' | 'towns' | 'townRanks', string>,
    Record<'codePoints' | 'townOffsets' | 'townDistricts', readonly number[]> {
  /** Metres of one step. */
  readonly step: number
  readonly boxes: readonly (readonly [number, number, number, number])[]
  readonly townCodes: readonly (readonly number[])[]
}

/** Around the middle of a town or postcode, in metres of Web Mercator: about eight kilometres. */
const AROUND = 6_500
const around = (x: number, y: number): Box => [x - AROUND, y - AROUND, x + AROUND, y + AROUND]

/** Places from the steps between them, in metres. */
function walk(steps: readonly number[], step: number): [number, number][] {
  const points: [number, number][] = []
  let [x, y] = [0, 0]
  for (let at = 0; at + 1 < steps.length; at += 2) {
    x += (steps[at] ?? 0) * step
    y += (steps[at + 1] ?? 0) * step
    points.push([x, y])
  }
  return points
}

const wordsOf = (text: string): string[] => placeKey(text).split(' ')

function readDistricts({ districts, boxes, step }: GazetteerFile): Entry[] {
  return districts.split('|').map((name, nr) => {
    const [west = 0, south = 0, east = 0, north = 0] = (boxes[nr] ?? []).map((value) => value * step)
    return {
      name,
      detail: '',
      box: [west, south, east, north],
      title: placeKey(name),
      words: wordsOf(name),
      rank: 2,
    }
  })
}

export function readGazetteer(text: string): Gazetteer {
  const file = JSON.parse(text) as GazetteerFile
  const codes = file.codes.split('|')
  const middles = walk(file.codePoints, file.step)
  const districts = readDistricts(file)
  const townsOfCode = new Map<number, string[]>()
  const towns = file.towns.split('|').map((full, nr): Entry => {
    const own: number[] = []
    for (const step of file.townCodes[nr] ?? []) own.push(step + (own.at(-1) ?? 0))
    const name = germanName(full)
    for (const code of own) townsOfCode.set(code, [...(townsOfCode.get(code) ?? []), name])
    const [x, y] = middles[own[0] ?? 0] ?? [0, 0]
    const [east = 0, north = 0] = file.townOffsets.slice(2 * nr, 2 * nr + 2)
    const district = districts[file.townDistricts[nr] ?? 0]?.name ?? ''
    return {
      name,
      detail: [codes[own[0] ?? 0], district === `${name} (Stadt)` ? '' : district]
        .filter(Boolean)
        .join(' · '),
      box: around(x + east * file.step, y + north * file.step),
      title: placeKey(name),
      words: [...wordsOf(full), ...wordsOf(district), ...own.map((code) => codes[code] ?? '')],
      rank: Number(file.townRanks[nr]),
    }
  })
  const codeEntries = codes.map((code, nr): Entry => {
    const [x, y] = middles[nr] ?? [0, 0]
    const names = townsOfCode.get(nr) ?? []
    const others = names.length - 2
    return {
      name: code,
      detail: names.slice(0, 2).join(', ') + (others > 0 ? ` +${others}` : ''),
      box: around(x, y),
      title: code,
      words: [code, ...names.flatMap(wordsOf)],
      rank: 0,
    }
  })
  const boxes = new Map(codeEntries.map(({ name, box }) => [name, box]))
  // A city that is a separate district is there as a town.
  const rural = districts.filter(({ name }) => !name.endsWith(' (Stadt)'))
  return { boxOfCode: (code) => boxes.get(code), entries: [...codeEntries, ...towns, ...rural] }
}

/** 0 the whole name, 1 its start, 2 words of it, 3 words of the rest; undefined: no match. */
function fitOf({ title, words }: Entry, wanted: readonly string[], query: string): number | undefined {
  if (!wanted.every((word) => words.some((one) => one.startsWith(word)))) return undefined
  if (title === query) return 0
  if (title.startsWith(query)) return 1
  return wanted.every((word) => title.split(' ').some((one) => one.startsWith(word))) ? 2 : 3
}

const MOST = 12
/** Nobody types longer names. */
const LONGEST = 80

/** The places that a text names, the likeliest first. A postcode alone is found from its third digit on. */
export function findPlaces({ entries }: Gazetteer, text: string): FoundPlace[] {
  const query = placeKey(text.slice(0, LONGEST))
  const wanted = query.split(' ').filter((word) => word !== '')
  if (query.length < 2 || /^\d{1,2}$/.test(query)) return []
  const asksCode = wanted.some((word) => /^\d{3,5}$/.test(word))
  return entries
    .flatMap((entry) => {
      const fit = fitOf(entry, wanted, query)
      // A town's words would find all its postcodes, its postcode the town and itself.
      const isMeant = /^\d{5}$/.test(entry.name) === asksCode
      return fit === undefined || !isMeant ? [] : [{ entry, fit }]
    })
    .toSorted(
      (a, b) =>
        a.fit - b.fit || a.entry.rank - b.entry.rank || a.entry.name.localeCompare(b.entry.name, 'de'),
    )
    .slice(0, MOST)
    .map(({ entry: { name, detail, box } }) => ({ name, detail, box }))
}

export interface TypedPlace {
  readonly epsg: number
  readonly place: readonly [east: number, north: number]
}

const LAT = { least: 44, most: 58 }
const LON = { least: 2, most: 20 }
const isWithin = (value: number, { least, most }: typeof LAT): boolean => value >= least && value <= most

/** "51° 20′ 24″ N" as "51.34"; letters of the direction and of the zone are dropped. */
const withoutSigns = (text: string): string =>
  text
    .replaceAll(
      /(\d+)\s*°\s*(?:(\d+(?:[.,]\d+)?)\s*['′])?\s*(?:(\d+(?:[.,]\d+)?)\s*["″])?/gu,
      (_, degrees: string, minutes = '0', seconds = '0') =>
        `${(Number(degrees) + dotted(minutes) / 60 + dotted(seconds) / 3600).toFixed(8)} `,
    )
    .replaceAll(/\b(?:lat|lon|ost|nord|east|north)\b|[NOES]\b|\b[NOES](?=[\s:=\d])|[:=]/giu, ' ')
const dotted = (text: string): number => Number(text.replace(',', '.'))

/** The zone in front of the pair: "32 U 456789 5934567". */
const ZONE = /^(?:utm\s*)?(31|32|33)\s*[A-Z]?\s+(?=\d)/iu

/**
 * What coordinates in a text mean: degrees in either order, UTM with its zone in front or within the easting,
 * Gauß-Krüger. Of an easting without a zone each possible zone. Empty: no coordinates.
 */
export function readTypedPlace(text: string): TypedPlace[] {
  const bare = withoutSigns(text.slice(0, LONGEST)).trim()
  const zone = ZONE.exec(bare)?.[1]
  const pair = parsePair(bare.replace(ZONE, '').trim())
  if (pair === null) return []
  const sorted = [...pair].sort((a, b) => a - b) as [number, number]
  if (isWithin(sorted[0], LON) && isWithin(sorted[1], LAT)) return [{ epsg: 4326, place: sorted }]
  const [east, north] = pair[0] < 5_000_000 || pair[0] > 10_000_000 ? pair : [pair[1], pair[0]]
  if (north < 5_200_000 || north > 6_150_000) return []
  const place = [east, north] as const
  const leading = Math.floor(east / 1_000_000)
  if (leading === 32 || leading === 33) return [{ epsg: leading === 32 ? 4647 : 5650, place }]
  if (leading >= 2 && leading <= 5) return [{ epsg: 31_464 + leading, place }]
  if (leading !== 0 || east < 100_000) return []
  return (zone === undefined ? [32, 33] : [Number(zone)]).map((one) => ({ epsg: 25_800 + one, place }))
}
