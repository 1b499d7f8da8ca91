// Coordinate systems as GML names them (srsName), and which axis comes first in each way to name one. Sources: OGC
// 07-092r3 and 09-048r6 (URNs and addresses have the authority's order of axes), GeoInfoDok (names of the surveying
// authorities); short names have the easting first, as GDAL, QGIS and servers of WFS 1.0 write them.
import type { Place } from '#domain/projection.ts'
import { epsgOfName } from '#domain/epsg-text.ts'

export interface SrsName {
  readonly epsg: number | null
  /** Latitude or northing comes first. */
  readonly northFirst: boolean
  readonly hasHeights: boolean
}

/** Ours whose authority has the northing first: degrees, and Gauß-Krüger. */
const NORTH_FIRST: readonly number[] = [4258, 4326, 31466, 31467, 31468, 31469, 2397, 2398, 2399]
/** Degrees and heights. */
const WITH_HEIGHT: ReadonlyMap<number, number> = new Map([
  [4937, 4258],
  [4979, 4326],
])
const UTM_HEIGHT: readonly number[] = [5554, 5555, 5556]
const THREE = /,\s*crs:|\+/i
const COMPOUND = /^https?:\/\/www\.opengis\.net\/def\/crs-compound\?(?:1=)?([^&]+)/i
const AUTHORITY = /^(?:urn:(?:x-)?ogc:def:crs[:,]|https?:\/\/www\.opengis\.net\/def\/crs\/)/i

const plain = (epsg: number | null, hasHeights = false): SrsName => ({ epsg, northFirst: false, hasHeights })

function ofSurveyors(name: string): SrsName {
  const [plane = ''] = name.split('*')
  const hasHeights = name.includes('*') || plane.endsWith('-h')
  if (/^ETRS89_Lat-Lon/i.test(plane)) return { epsg: 4258, northFirst: true, hasHeights }
  const utm = /^ETRS89_UTM(3[123])$/i.exec(plane)?.[1]
  if (utm !== undefined) return plain(25_800 + Number(utm), hasHeights)
  const strip = /^DE_(DHDN|42-83)_3GK([2-5])(?:_|$)/i.exec(plane)
  if (strip === null) return plain(null, hasHeights)
  return plain((strip[1]!.toUpperCase() === 'DHDN' ? 31_464 : 2_394) + Number(strip[2]), hasHeights)
}

export function readSrsName(whole: string): SrsName {
  const trimmed = whole.trim()
  const surveyors = /^urn:adv:crs:(.+)$/i.exec(trimmed)?.[1]
  if (surveyors !== undefined) return ofSurveyors(surveyors)
  const compound = COMPOUND.exec(trimmed)?.[1]
  const name = compound ?? trimmed.replace(/^https?:\/\/www\.opengis\.net\/gml\/srs\/epsg\.xml#/i, 'EPSG:')
  const code = Number(/EPSG[^,]*?[:/](\d{4,6})(?:[,+]|$)/i.exec(name)?.[1] ?? Number.NaN)
  const flat = WITH_HEIGHT.get(code)
  return {
    epsg: flat ?? epsgOfName(name),
    northFirst: AUTHORITY.test(name) && NORTH_FIRST.includes(flat ?? code),
    hasHeights: compound !== undefined || flat !== undefined || THREE.test(name) || UTM_HEIGHT.includes(code),
  }
}

interface Range {
  readonly east: readonly [number, number]
  readonly north: readonly [number, number]
}
const NORTH: Range['north'] = [5_200_000, 6_150_000]
/** Where Germany is in a system; undefined where eastings and northings look alike (zone 5 of Gauß-Krüger). */
function rangeOf(epsg: number): Range | undefined {
  if (epsg === 4258 || epsg === 4326) return { east: [5, 16], north: [47, 56] }
  if (epsg >= 25_831 && epsg <= 25_833) return { east: [-50_000, 1_000_000], north: NORTH }
  if (epsg === 4647 || epsg === 5650) return { east: [31_000_000, 34_000_000], north: NORTH }
  const strip =
    epsg >= 31_466 && epsg <= 31_468 ? epsg - 31_464 : epsg === 2397 || epsg === 2398 ? epsg - 2_394 : 0
  const middle = strip * 1_000_000 + 500_000
  return strip === 0 ? undefined : { east: [middle - 250_000, middle + 250_000], north: NORTH }
}
const within = (value: number, [low, high]: readonly [number, number]): boolean =>
  value >= low && value <= high

/** Whether a place is in Germany only the other way round: many servers write another order than they name. */
export function isTurned(epsg: number | null, [x, y]: Place): boolean {
  const range = epsg === null ? undefined : rangeOf(epsg)
  return range !== undefined && within(x, range.north) && within(y, range.east)
}
