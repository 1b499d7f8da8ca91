// Which coordinate system a file means: by its EPSG number, or by its well-known text.
import { planeOf } from './epsg-plane.ts'

/** Of heights above sea level: DHHN2016, DHHN92, DHHN85, EVRF2007 and EVRF2019. */
const HEIGHTS = '(?:7837|5783|5784|5621|9389)'
const WITH_HEIGHT = new RegExp(`(?:\\+(?:EPSG:)?${HEIGHTS}|,\\s*crs:EPSG:[\\d.]*:${HEIGHTS})$`, 'i')

export const withoutHeights = (name: string): string => name.trim().replace(WITH_HEIGHT, '')

/**
 * Understands `urn:ogc:def:crs:EPSG::25833`, `EPSG:25833`,
 * `http://www.opengis.net/def/crs/EPSG/0/25833` and CRS84; also with a system of heights, as in
 * `EPSG:25833+7837` and `urn:ogc:def:crs,crs:EPSG::25833,crs:EPSG::7837`.
 */
export function epsgOfName(whole: string): number | null {
  const name = withoutHeights(whole)
  if (/CRS:?84$/i.test(name)) return 4326
  const code = /EPSG(?:[:/]+[\d.]*)?[:/]+(\d{4,6})$/i.exec(name)?.[1]
  return code === undefined ? null : planeOf(Number(code))
}

/** The system of the plane in one that has heights as well, or more behind it. */
export function planePart(wkt: string): string {
  const start = /^\s*(?:COMPD_CS|COMPOUNDCRS)\s*\[\s*"[^"]*"\s*,/i.exec(wkt)?.[0].length ?? 0
  let depth = 0
  let isQuoted = false
  for (let at = start; at < wkt.length; at++) {
    if (wkt[at] === '"') isQuoted = !isQuoted
    if (isQuoted) continue
    if (wkt[at] === '[') depth += 1
    // Esri writes the heights behind the plane.
    else if (wkt[at] === ']' && --depth === 0) return wkt.slice(start, at + 1)
  }
  return wkt.slice(start)
}

/** Understands the text of a .prj file, as GDAL and as Esri write it. */
export function epsgOfWkt(whole: string): number | null {
  const wkt = planePart(whole)
  // The authority of the whole system comes last.
  const authority = /(?:AUTHORITY|ID)\s*\[\s*"EPSG"\s*,\s*"?(\d{4,6})"?\s*\]\s*\]\s*$/i.exec(wkt)?.[1]
  if (authority !== undefined) {
    const code = planeOf(Number(authority))
    if (code !== null) return code
  }
  const text = wkt.toLowerCase().replaceAll(/[_\s]+/g, ' ')
  const projected = /^\s*proj(?:cs|crs)/.test(text)
  if (!projected) {
    if (/^\s*geo(?:g)?(?:cs|crs|graphic|dcrs)|^\s*geogcrs/.test(text))
      return /etrs/.test(text) ? 4258 : /wgs ?(?:19)?84/.test(text) ? 4326 : null
    return null
  }
  if (/web mercator|pseudo-mercator|popular visualisation/.test(text)) return 3857
  const easting = Number(/"false easting"\s*,\s*(-?[\d.]+)/.exec(text)?.[1] ?? Number.NaN)
  const meridian = Number(
    /"(?:central meridian|longitude of natural origin)"\s*,\s*(-?[\d.]+)/.exec(text)?.[1] ?? Number.NaN,
  )
  const etrs = /etrs/.test(text)
  if (etrs || /wgs ?(?:19)?84 (?:\/ )?utm/.test(text)) {
    if (easting === 32_500_000) return 4647
    if (easting === 33_500_000) return 5650
    const zone = meridian === 3 ? 31 : meridian === 9 ? 32 : meridian === 15 ? 33 : null
    return zone === null || easting !== 500_000 ? null : planeOf(25_800 + zone)
  }
  // The strips of six degrees have the same false eastings as those of three.
  const strip = Number.isInteger(easting / 500_000) ? (easting - 500_000) / 1_000_000 : Number.NaN
  const isInMeridian = Number.isNaN(meridian) || meridian === 3 * strip
  if (/dhdn|deutsches hauptdreiecksnetz/.test(text) && isInMeridian && strip >= 2 && strip <= 5)
    return 31_464 + strip
  if (
    /pulkovo 1942\s?\(?(?:adj )?(?:19)?83|42\/83|1942 adj 1983/.test(text) &&
    isInMeridian &&
    strip >= 3 &&
    strip <= 5
  )
    return 2_394 + strip
  return null
}

/** Digits after the point with which a place is true to a centimetre at most: those of metres or of degrees. */
export const placesOf = (epsg: number): number => (DEGREES.has(epsg) ? 8 : 3)
const DEGREES: ReadonlySet<number> = new Set([4258, 4326])
