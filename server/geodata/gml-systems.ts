// Coordinate systems as GML names them (srsName), and which axis comes first in each way to name one. Sources: OGC
// 07-092r3 and 09-048r6 (URNs and addresses have the authority's order of axes), GeoInfoDok (names of the surveying
// authorities); short names have the easting first, as GDAL, QGIS and servers of WFS 1.0 write them.
import { epsgOfName } from './systems.ts'

export interface SrsName {
  readonly epsg: number | null
  /** Latitude or northing comes first. */
  readonly northFirst: boolean
  readonly hasHeights: boolean
}

/** Ours whose authority has the northing first: degrees, and Gauß-Krüger. */
const NORTH_FIRST: readonly number[] = [4258, 4326, 31466, 31467, 31468, 31469, 2397, 2398, 2399]
const WITH_HEIGHT: ReadonlyMap<string, number> = new Map([
  ['4937', 4258],
  ['4979', 4326],
])
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
  const code = /(\d{4,6})$/.exec(name)?.[1] ?? ''
  const deep = /EPSG/i.test(name) ? WITH_HEIGHT.get(code) : undefined
  const epsg = deep ?? epsgOfName(name)
  const hasHeights =
    compound !== undefined ||
    deep !== undefined ||
    /,\s*crs:/i.test(name) ||
    /\+/.test(name) ||
    ['5554', '5555', '5556'].includes(code)
  const isByAuthority = AUTHORITY.test(name) && /EPSG/i.test(name)
  return { epsg, northFirst: isByAuthority && epsg !== null && NORTH_FIRST.includes(epsg), hasHeights }
}
