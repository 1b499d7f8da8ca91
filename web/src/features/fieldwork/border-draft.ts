// A border being walked: which stand it is of, its track, and what is to become of it. Pure but for reading the
// device's storage; kept as a draft with every change.
import type { BorderAddress, BorderValues } from '#contract/border.ts'
import type { KnownPlaces } from '#domain/border/area.ts'
import {
  COARSEST_M,
  MOST_TRACK_POINTS,
  parseTrack,
  stepOf,
  type TrackPoint,
  trackText,
} from '#domain/border/track.ts'
import { distanceBetween } from '../../karte/mercator.ts'
import {
  type FieldworkDb,
  type FieldworkDraft,
  type FieldworkPacket,
  type Sub,
  surveyKey,
} from './fieldwork-db.ts'
import type { Place } from './gnss.ts'
import { detailsOf } from './packet.ts'
import { isUsable, receiverTime } from './position.ts'
import { fetchObjectViews } from './queue-read.ts'
import { parsePlaces } from '../../karte/survey-place.ts'

export interface BorderState {
  /** Null: a new stand, with the address that follows. */
  readonly bestandId: number | null
  /** Five levels and the number, as typed. */
  readonly address: readonly string[]
  readonly points: readonly TrackPoint[]
  readonly tolerance: number
  readonly snaps: boolean
  readonly comment: string
}
export const draftValues = ({ points, ...rest }: BorderState): FieldworkDraft['werte'] => ({
  ...rest,
  spur: trackText(points),
})
export function stateOfDraft({ werte }: FieldworkDraft): BorderState {
  const { spur, ...rest } = werte as unknown as Omit<BorderState, 'points'> & { spur: string }
  return { ...rest, points: parseTrack(spur) }
}

export const trackPointOf = (
  { lon, lat, accuracy, am, solution }: Place,
  kind: TrackPoint['kind'],
): TrackPoint => ({
  lon,
  lat,
  kind,
  accuracy: Math.max(0.001, Math.round(accuracy * 1000) / 1000),
  fix: solution?.type ?? null,
  estimated: solution?.estimated === true,
  time: receiverTime(am) === '' ? null : Math.floor(am / 1000),
})

export type Taken = 'genommen' | 'nah' | 'ungenau' | 'voll'
/** Whether a fix belongs to the track: `age` of the fix in milliseconds, null if nobody knows. */
export function takenOf(points: readonly TrackPoint[], ort: Place, age: number | null): Taken {
  if (points.length >= MOST_TRACK_POINTS) return 'voll'
  const { lon, lat, accuracy } = ort
  if (!isUsable({ lon, lat, accuracy, zeit: ort.am, solution: ort.solution }, age)) return 'ungenau'
  if (accuracy > COARSEST_M) return 'ungenau'
  const last = points.at(-1)
  return last !== undefined && distanceBetween(last, ort) < stepOf(accuracy) ? 'nah' : 'genommen'
}

/** Metres along the track. */
export const lengthOf = (points: readonly TrackPoint[]): number =>
  points.reduce((sum, one, at) => (at === 0 ? 0 : sum + distanceBetween(points[at - 1]!, one)), 0)

/** Borders of the other stands, and the survey of the customer if it is on this device. */
export async function knownPlaces(
  db: FieldworkDb,
  sub: Sub,
  packet: FieldworkPacket,
  bestandId: number | null,
): Promise<KnownPlaces[]> {
  const { borders: known = [] } = detailsOf(packet)
  const borders = known
    .filter(([id]) => id !== bestandId)
    .flatMap(([, , areas]) =>
      areas.flat().map((ring) => ({
        places: ring.slice(0, -1).map(([lon, lat]) => ({ lon, lat })),
        closed: true,
      })),
    )
  const objects = await fetchObjectViews(db, sub, surveyKey(packet.client_id))
  return [
    ...borders,
    ...objects.flatMap(({ werte }) =>
      parsePlaces(String(werte['lage'] ?? '')).map((places) => ({ places, closed: false })),
    ),
  ]
}

const LONGEST = 60
/** The address of a new stand; a text if something is wrong with it. */
export function addressOf(typed: readonly string[]): BorderAddress | 'leer' | 'nummer' | 'lang' {
  const [number = '', ...rest] = typed.map((one) => one.trim()).toReversed()
  const levels = rest.toReversed()
  if (number !== '' && !/^\d{1,9}$/.test(number)) return 'nummer'
  if (levels.some((level) => level.length > LONGEST)) return 'lang'
  if (levels.every((level) => level === '') && number === '') return 'leer'
  const [level1, level2, level3, level4, level5] = levels.map((level) => (level === '' ? null : level))
  return {
    sLVL01: level1 ?? null,
    sLVL02: level2 ?? null,
    sLVL03: level3 ?? null,
    sLVL04: level4 ?? null,
    sLVL05: level5 ?? null,
    iSTAND: number === '' ? null : Number(number),
  }
}

/** What is sent; `ring` is not closed. */
export function borderValues(
  { bestandId, points, tolerance, comment }: BorderState,
  address: BorderAddress,
  ring: readonly { readonly lon: number; readonly lat: number }[],
  { packet, now }: { packet: FieldworkPacket; now: Date },
): BorderValues {
  const known = (detailsOf(packet).borders ?? []).find(([id]) => id === bestandId)
  return {
    ...address,
    bestand_id: known === undefined ? null : bestandId,
    fassung: known?.[1] ?? null,
    lage: ring.map(({ lon, lat }) => `${lon} ${lat}`).join(','),
    spur: trackText(points),
    toleranz_m: tolerance,
    bemerkung: comment.trim() === '' ? null : comment.trim(),
    erfasst_am: now.toISOString(),
  }
}
