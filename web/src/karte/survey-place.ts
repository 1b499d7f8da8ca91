// Where a survey object is: its text (contract/vermessung.ts), its length, and existing places to snap to.
// Pure.
import type { Table } from '#domain/vermessung/fields.ts'
import { type Degrees, distanceBetween } from './mercator.ts'
import { nearestOn } from './nearest-place.ts'

/** Parts of a line; a point is one part of one place. */
export type Parts = readonly (readonly Degrees[])[]

const round8 = (value: number): number => Math.round(value * 1e8) / 1e8
export const parsePlaces = (placeText: string): Parts =>
  placeText === ''
    ? []
    : placeText.split(';').map((part) =>
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
  /** Its `vermessen`. */
  readonly surveyed: boolean
}
export interface Snap extends Degrees {
  readonly name: string
  readonly meter: number
}
/** A measured place snaps within this many metres at most. */
export const SNAP_M = 2
/** What is as near as this may be the same place, however well it was measured. */
const SAME_M = 0.1
/** How far a measured place may snap: no further than its error reaches. `accuracy`: of two thirds, in metres. */
export const reachOf = (accuracy: number): number => Math.min(SNAP_M, Math.max(3 * accuracy, SAME_M))
/** A place chosen on the map snaps within this many pixels. */
export const SNAP_PX = 12

/**
 * The nearest existing place within `within` metres; null if there is none. Points and the bends of drains come
 * first: they are what people aim at. Then a drain's straights, where a branch begins. A drain begins and ends at
 * points and at other drains; a point snaps onto a drain, because on another point it would be that one.
 */
export function snapTo<S extends SurveyShape>(
  shapes: readonly S[],
  place: Degrees,
  { within, tabelle, except }: { within: number; tabelle: Table; except?: string },
): (Snap & { readonly of: S }) | null {
  let best: (Snap & { readonly of: S }) | null = null
  let isCorner = false
  for (const of of shapes) {
    const { kennung, tabelle: other, name, parts } = of
    if (kennung === except || (tabelle !== 'draenage' && other !== 'draenage')) continue
    const near = nearestOn(parts, place, { within })
    if (near === null) continue
    const corner = near.corner.meter <= within
    const { lon, lat, meter } = corner ? near.corner : near.place
    if (meter > within || (isCorner && !corner)) continue
    // At the same place a manhole counts and not the drain that ends there.
    const nearer =
      best === null ||
      (corner && !isCorner) ||
      meter < best.meter - 1e-3 ||
      (meter < best.meter + 1e-3 && other !== 'draenage')
    if (nearer) [best, isCorner] = [{ lon, lat, name, meter, of }, corner]
  }
  return best
}
/**
 * As above, of a place that was measured: only to what was surveyed. `beside`: what is as near and was not,
 * digitised from a plan for example.
 */
export function snapMeasured<S extends SurveyShape>(
  shapes: readonly S[],
  place: Degrees & { readonly accuracy: number },
  { tabelle, except }: { tabelle: Table; except?: string },
): { found: (Snap & { readonly of: S }) | null; beside: Snap | null } {
  const nearest = (surveyed: boolean, within: number) =>
    snapTo(
      shapes.filter((shape) => shape.surveyed === surveyed),
      place,
      { within, tabelle, ...(except !== undefined && { except }) },
    )
  const found = nearest(true, reachOf(place.accuracy))
  return { found, beside: found === null ? nearest(false, SNAP_M) : null }
}
