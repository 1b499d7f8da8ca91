// What the external receiver says right now, for the screens. receiver.ts, which is loaded with the first one, reads
// the line and knows nothing of this.
import { useSyncExternalStore } from 'react'
import { type GnssFix, isMeasured } from '#domain/gnss/fix.ts'
import { t } from '../../ui/text.ts'
import type { Solution } from './position.ts'

/**
 * verbindet: being opened. liest: fixes arrive. ohne_fix: it speaks, but has no place that was measured. unlesbar:
 * bytes arrive, but nothing that can be read. stumm: nothing arrives. getrennt: there is no line.
 */
export type LineState = 'verbindet' | 'liest' | 'ohne_fix' | 'unlesbar' | 'stumm' | 'getrennt'
export interface MeasuredPlace {
  readonly lon: number
  readonly lat: number
  readonly accuracy: number
  readonly solution: Solution
}
export interface ReceiverStatus {
  readonly line: LineState
  /** The last one; also without a place. */
  readonly fix: GnssFix | null
  /** The last place that was measured. */
  readonly place: MeasuredPlace | null
  /** When it came, by performance.now(). */
  readonly arrived: number
}

const NOTHING: ReceiverStatus = { line: 'verbindet', fix: null, place: null, arrived: 0 }
let status = NOTHING
const listeners = new Set<() => void>()
export const receiverStatus = {
  now: () => status,
  subscribe(tell: () => void) {
    listeners.add(tell)
    return () => {
      listeners.delete(tell)
    }
  },
}
/** `antenna`: metres. */
export function hearReceiver({ line, fix }: { line?: LineState; fix?: GnssFix }, antenna = 0) {
  const place = fix === undefined ? null : placeOf(fix, antenna)
  status = {
    ...status,
    ...(line !== undefined && { line }),
    ...(fix !== undefined && {
      line: place === null ? 'ohne_fix' : 'liest',
      fix,
    }),
    ...(place !== null && { place, arrived: performance.now() }),
  }
  for (const tell of listeners) tell()
}
export function forgetReceiver() {
  status = NOTHING
  for (const tell of listeners) tell()
}
export const useReceiverStatus = (): ReceiverStatus =>
  useSyncExternalStore(receiverStatus.subscribe, receiverStatus.now)

/** A place to capture with; null if nothing was measured, or if nobody knows how well. `antenna`: metres. */
export function placeOf(fix: GnssFix, antenna: number): MeasuredPlace | null {
  const { type, lon, lat, accuracy, estimated, ellipsoidal, orthometric } = fix
  if (!isMeasured(type) || lon === null || lat === null || accuracy === null) return null
  const below = (height: number | null) => (height === null ? null : height - antenna)
  const solution = { type, estimated, ellipsoidal: below(ellipsoidal), orthometric: below(orthometric) }
  return { lon, lat, accuracy, solution }
}

/** What is wrong, and what helps; null if fixes arrive. */
export function receiverText({ line, fix }: ReceiverStatus): string | null {
  switch (line) {
    case 'liest':
      return null
    case 'verbindet':
      return t('Der Empfänger wird verbunden …')
    case 'unlesbar':
      return t(
        'Vom Empfänger kommt etwas, aber keine lesbare Position. Stellen Sie unter „Pakete und Gerät“ eine andere ' +
          'Geschwindigkeit ein, oder schalten Sie am Empfänger NMEA 0183 mit GGA ein.',
      )
    case 'stumm':
      return t('Vom Empfänger kommt nichts. Ist er eingeschaltet und geladen?')
    case 'getrennt':
      return t(
        'Der Empfänger ist nicht verbunden. Prüfen Sie Kabel oder Bluetooth und verbinden Sie ihn neu, oder ' +
          'wählen Sie ihn unter „Pakete und Gerät“ noch einmal.',
      )
    default:
      return withoutFixText(fix)
  }
}
function withoutFixText(fix: GnssFix | null): string {
  if (fix?.type === 'simulated') return t('Der Empfänger simuliert nur. Bitte schalten Sie das an ihm aus.')
  if (fix?.type === 'manual')
    return t(
      'Am Empfänger ist eine feste Position eingegeben. Bitte stellen Sie ihn zum Messen auf Rover um.',
    )
  if (fix !== null && fix.type !== 'none')
    return t('Der Empfänger nennt weder Genauigkeit noch HDOP. Schalten Sie an ihm GST oder GGA ein.')
  return fix === null
    ? t(
        'Der Empfänger hat noch keine Position; nach dem Einschalten dauert das. Bleibt es so, schalten Sie an ihm ' +
          'NMEA 0183 mit GGA ein.',
      )
    : t('Der Empfänger hat noch keine Position. Unter dichten Kronen dauert es länger.')
}
