// Which coordinate system a file means: by its EPSG number, or by its well-known text.
import { EPSG_CODES } from '#domain/epsg.ts'

const known = (code: number): number | null => (EPSG_CODES.includes(code) ? code : null)

/**
 * Understands `urn:ogc:def:crs:EPSG::25833`, `EPSG:25833`,
 * `http://www.opengis.net/def/crs/EPSG/0/25833` and CRS84.
 */
export function epsgOfName(name: string): number | null {
  if (/CRS:?84$/i.test(name)) return 4326
  const code = /EPSG(?:[:/]+[\d.]*)?[:/]+(\d{4,6})$/i.exec(name)?.[1]
  return code === undefined ? null : known(Number(code))
}

/** Understands the text of a .prj file, as GDAL and as Esri write it. */
export function epsgOfWkt(wkt: string): number | null {
  // The authority of the whole system comes last.
  const authority = [...wkt.matchAll(/(?:AUTHORITY|ID)\s*\[\s*"EPSG"\s*,\s*"?(\d{4,6})"?\s*\]/gi)].at(-1)?.[1]
  if (authority !== undefined && /\]\s*\]\s*$/.test(wkt)) {
    const code = known(Number(authority))
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
  if (etrs) {
    if (easting === 32_500_000) return 4647
    if (easting === 33_500_000) return 5650
    const zone = meridian === 3 ? 31 : meridian === 9 ? 32 : meridian === 15 ? 33 : null
    return zone === null || easting !== 500_000 ? null : known(25_800 + zone)
  }
  const strip = Number.isInteger(easting / 500_000) ? (easting - 500_000) / 1_000_000 : Number.NaN
  if (/dhdn|deutsches hauptdreiecksnetz/.test(text) && strip >= 2 && strip <= 5) return 31_464 + strip
  if (/pulkovo 1942\s?\(?(?:adj )?(?:19)?83|42\/83|1942 adj 1983/.test(text) && strip >= 3 && strip <= 5)
    return 2_394 + strip
  return null
}
