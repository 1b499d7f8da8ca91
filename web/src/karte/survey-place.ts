// Where a survey object lies: its text (contract/vermessung.ts), its length, and existing places to snap to. Pure.
import type { Table } from '#domain/vermessung/fields.ts'
import { type Degrees, distanceBetween } from './mercator.ts'

/** Parts of a line; a point is one part of one place. */
export type Parts = readonly (readonly Degrees[])[]

const round8 = (value: number): number => Math.round(value * 1e8) / 1e8
export const parsePlaces = (lage: string): Parts =>
  lage === ''
    ? []
    : lage.split(';').map((part) =>
        part.split(',').map((place) => {
          const [lon = Number.NaN, lat = Number.NaN] = place.split(' ').map(Number)
          return { lon, lat }
        }),
      )
export const placesText = (parts: Parts): string =>
  parts
    .map((part) => part.map(({ lon, lat }) => `${round8(lon)} ${round8(lat)}`).join(','))
    .filter((part) => part !== '')
    .join(';')

/** Metres. */
export const lengthOf = (parts: Parts): number =>
  parts.reduce(
    (sum, part) =>
      sum + part.reduce((all, place, at) => (at === 0 ? 0 : all + distanceBetween(part[at - 1]!, place)), 0),
    0,
  )

export interface SurveyShape {
  readonly kennung: string
  readonly tabelle: Table
  readonly name: string
  readonly parts: Parts
}
export interface Snap extends Degrees {
  readonly name: string
  readonly meter: number
}
/** A measured place snaps within this many metres. */
export const SNAP_M = 2
/** A place chosen on the map snaps within this many pixels. */
export const SNAP_PX = 12
/** Degrees of latitude per metre; longitude is allowed twice as much. */
const DEGREE = 1 / 111_000

/**
 * The nearest existing place within `within` metres; null if there is none. A drain begins and ends at points
 * and at other drains; a point lies on a drain, because on another point it would be that one.
 */
export function snapTo(
  shapes: readonly SurveyShape[],
  place: Degrees,
  { within, tabelle, except }: { within: number; tabelle: Table; except?: string },
): Snap | null {
  let best: Snap | null = null
  for (const { kennung, tabelle: other, name, parts } of shapes) {
    if (kennung === except || (tabelle !== 'draenage' && other !== 'draenage')) continue
    for (const part of parts)
      for (const { lon, lat } of part) {
        if (Math.abs(lat - place.lat) > within * DEGREE || Math.abs(lon - place.lon) > 2 * within * DEGREE)
          continue
        const meter = distanceBetween(place, { lon, lat })
        // At the same place a manhole counts and not the drain that ends there.
        const nearer =
          best === null || meter < best.meter - 1e-3 || (meter < best.meter + 1e-3 && other !== 'draenage')
        if (meter <= within && nearer) best = { lon, lat, name, meter }
      }
  }
  return best
}
