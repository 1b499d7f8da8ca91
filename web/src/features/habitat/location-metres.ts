// Converts a place between degrees and the metric systems that offices use.
import { useQuery } from '@tanstack/react-query'
import { parseCoordinate } from '#domain/georef/coordinate.ts'
import type { LocationText } from '#domain/habitat/location-text.ts'
import type { Converter } from '#domain/projection.ts'
import { outlineQuery } from '../../list/betrieb.data.ts'
import type { Degrees } from '../../karte/mercator.ts'
import { converterQuery } from '../../karte/converter.ts'

const DEGREES = 4326
/** Degrees are the other notation; Web Mercator is for screens. */
const NOT_METRES: readonly number[] = [4258, DEGREES, 3857]
export const isMetreSystem = (epsg: number): boolean => !NOT_METRES.includes(epsg)

const round = (value: number, places: number): number => Number(value.toFixed(places))
export const inMetres = (
  convert: Converter,
  epsg: number,
  { lon, lat }: Degrees,
): { readonly ost: number; readonly nord: number } => {
  const [east, north] = convert.conversion(DEGREES, epsg)([lon, lat])
  return { ost: round(east, 2), nord: round(north, 2) }
}
/** Null if not in this system, or far outside Germany. */
export function inDegrees(convert: Converter, epsg: number, east: number, north: number): Degrees | null {
  if (!convert.systems.has(epsg)) return null
  const [lon, lat] = convert.conversion(epsg, DEGREES)([east, north])
  return lon > 3 && lon < 18 && lat > 45 && lat < 57 ? { lon: round(lon, 7), lat: round(lat, 7) } : null
}
/** The place that two typed texts say, or what keeps them from being one. */
export function typedPlace(
  convert: Converter,
  epsg: number,
  { ost, nord }: { readonly ost: string; readonly nord: string },
): Degrees | 'leer' | 'halb' | 'keine_zahl' | 'fern' {
  const empty = [ost, nord].filter((text) => text.trim() === '').length
  if (empty > 0) return empty === 2 ? 'leer' : 'halb'
  const [east, north] = [parseCoordinate(ost), parseCoordinate(nord)]
  if (east === null || north === null) return 'keine_zahl'
  return inDegrees(convert, epsg, east, north) ?? 'fern'
}

/** The place of a pasted text. */
export const placeOf = (convert: Converter, situation: LocationText): Degrees | null =>
  situation.art === 'grad'
    ? { lon: situation.lon, lat: situation.lat }
    : inDegrees(convert, situation.epsg, situation.ost, situation.nord)

/** The UTM zone of a place, if no usual system is known. */
export const zoneOf = (lon: number): number => (lon < 6 ? 25_831 : lon < 12 ? 25_832 : 25_833)

/** Undefined until loaded. */
export const useConverter = () => useQuery(converterQuery)

/** The customer's system, in which the holding's outline is stored; otherwise the zone of the place. */
export function useSystem(idHQ: number, ort: Degrees | null): number {
  const epsg = useQuery(outlineQuery(idHQ)).data?.epsg
  return epsg !== undefined && isMetreSystem(epsg) ? epsg : zoneOf(ort?.lon ?? 10)
}
