// A place in degrees, and in metres of the systems that offices use.
import { useQuery } from '@tanstack/react-query'
import type { Lagetext } from '#domain/habitat/lage-text.ts'
import type { Umrechner } from '#domain/projektion.ts'
import { umrissQuery } from '../../list/betrieb.data.ts'
import type { Grad } from '../../karte/mercator.ts'
import { loadUmrechner } from '../../karte/umrechner.ts'

const GRAD = 4326
/** Degrees are the other way of writing; web mercator is for screens. */
const KEINE_METER: readonly number[] = [4258, GRAD, 3857]
export const istMetersystem = (epsg: number): boolean => !KEINE_METER.includes(epsg)

const round = (value: number, places: number): number => Number(value.toFixed(places))
export const inMeter = (um: Umrechner, epsg: number, { lon, lat }: Grad): { readonly ost: number; readonly nord: number } => {
  const [ost, nord] = um.umrechnung(GRAD, epsg)([lon, lat])
  return { ost: round(ost, 2), nord: round(nord, 2) }
}
/** Null: not in this system, or nowhere near. */
export function inGrad(um: Umrechner, epsg: number, ost: number, nord: number): Grad | null {
  if (!um.systeme.has(epsg)) return null
  const [lon, lat] = um.umrechnung(epsg, GRAD)([ost, nord])
  return lon > 3 && lon < 18 && lat > 45 && lat < 57 ? { lon: round(lon, 7), lat: round(lat, 7) } : null
}
/** Of what was pasted. */
export const ortVon = (um: Umrechner, lage: Lagetext): Grad | null =>
  lage.art === 'grad' ? { lon: lage.lon, lat: lage.lat } : inGrad(um, lage.epsg, lage.ost, lage.nord)

/** The zone that a place lies in, where nobody has said which system is usual. */
export const zoneOf = (lon: number): number => (lon < 6 ? 25_831 : lon < 12 ? 25_832 : 25_833)

/** Undefined: not loaded yet. */
export const useUmrechner = () =>
  useQuery({ queryKey: ['umrechner'], queryFn: loadUmrechner, staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY })

/** The customer's system, as the outline of the holding is kept in it; otherwise that of the place. */
export function useSystem(idHQ: number, ort: Grad | null): number {
  const epsg = useQuery(umrissQuery(idHQ)).data?.epsg
  return epsg !== undefined && istMetersystem(epsg) ? epsg : zoneOf(ort?.lon ?? 10)
}
