// The device's position for all field mode screens: a single watch, active while a screen uses it and the
// page is visible.
import { useEffect, useSyncExternalStore } from 'react'
import { t } from '../../ui/text.ts'
import { deviceClock, presentTime } from './device-clock.ts'
import { FixAges } from './position.ts'

export interface Place {
  readonly lon: number
  readonly lat: number
  /** Metres; two thirds of fixes are within. */
  readonly accuracy: number
  /** Milliseconds since 1970, from the receiver. */
  readonly am: number
  /** How old it was in milliseconds when it came, and when that was by performance.now(). Null: not known. */
  readonly age: number | null
  readonly arrived: number
}
/** aus: not requested. alt: there was a position, but no update since. */
export type PositioningState = 'aus' | 'sucht' | 'da' | 'alt' | 'verweigert' | 'fehlt' | 'unsicher'
export interface Positioning {
  readonly stand: PositioningState
  readonly ort: Place | null
}
const STALE_AFTER_MS = 20_000
let ages = new FixAges()

let positioning: Positioning = { stand: 'aus', ort: null }
let watch: number | null = null
let users = 0
let wanted = false
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
function setTo(next: Positioning) {
  positioning = next
  for (const listener of listeners) listener()
}

function begin() {
  if (watch !== null || !wanted || users === 0 || document.visibilityState !== 'visible') return
  if (!window.isSecureContext) return setTo({ stand: 'unsicher', ort: null })
  if (!('geolocation' in navigator)) return setTo({ stand: 'fehlt', ort: null })
  if (positioning.stand !== 'da') setTo({ stand: 'sucht', ort: positioning.ort })
  ages = new FixAges()
  deviceClock.forgetReceiver()
  watch = navigator.geolocation.watchPosition(isThere, fehlt, {
    enableHighAccuracy: true,
    maximumAge: 1_000,
    timeout: 30_000,
  })
}
function ende() {
  clearTimeout(timer)
  if (watch !== null) navigator.geolocation.clearWatch(watch)
  watch = null
}
function isThere({ coords, timestamp }: GeolocationPosition) {
  clearTimeout(timer)
  timer = setTimeout(() => setTo({ ...positioning, stand: 'alt' }), STALE_AFTER_MS)
  deviceClock.hearReceiver(timestamp)
  const arrived = performance.now()
  const age = ages.ageOf({ taken: timestamp, mono: arrived, wall: presentTime().getTime() })
  const { longitude: lon, latitude: lat, accuracy } = coords
  setTo({ stand: 'da', ort: { lon, lat, accuracy, am: timestamp, age, arrived } })
}
function fehlt({ code, PERMISSION_DENIED, TIMEOUT }: GeolocationPositionError) {
  if (code === PERMISSION_DENIED) {
    ende()
    return setTo({ stand: 'verweigert', ort: null })
  }
  // The watch continues on its own; the last position is shown as outdated.
  return setTo({
    stand: positioning.ort === null ? (code === TIMEOUT ? 'sucht' : 'fehlt') : 'alt',
    ort: positioning.ort,
  })
}

/**
 * Call only on a user action, because the browser asks for permission. If permission was already granted,
 * positioning starts automatically.
 */
export function startPositioning() {
  wanted = true
  if (positioning.stand === 'verweigert' || positioning.stand === 'fehlt') {
    ende()
    setTo({ stand: 'aus', ort: null })
  }
  begin()
}
async function resumeIfGranted() {
  if (wanted || !('permissions' in navigator)) return
  const { state } = await navigator.permissions.query({ name: 'geolocation' })
  if (state === 'granted') startPositioning()
}
const onVisibility = () => (document.visibilityState === 'visible' ? begin() : ende())

export function usePositioning(): Positioning {
  useEffect(() => {
    users++
    if (users === 1) document.addEventListener('visibilitychange', onVisibility)
    resumeIfGranted().catch(() => undefined)
    begin()
    return () => {
      users--
      if (users > 0) return
      document.removeEventListener('visibilitychange', onVisibility)
      ende()
    }
  }, [])
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => positioning,
  )
}

/** Why there is no position, and what helps. Null if there is one. */
export function positioningText({ stand }: Positioning): string | null {
  switch (stand) {
    case 'da':
      return null
    case 'aus':
      return t('Standort ausgeschaltet')
    case 'sucht':
      return t('Standort wird gesucht … Unter dichten Kronen dauert es länger.')
    case 'alt':
      return t('Zurzeit kein Empfang. Gezeigt wird der letzte Standort.')
    case 'verweigert':
      return t(
        'Der Browser darf den Standort nicht lesen. Erlauben Sie ihn in den Einstellungen des Browsers ' +
          'für diese Seite und des Geräts, dann tippen Sie noch einmal.',
      )
    case 'unsicher':
      return t('Den Standort gibt der Browser nur über eine gesicherte Verbindung (https) heraus.')
    default:
      return t('Dieses Gerät liefert keinen Standort. Ist die Ortung eingeschaltet?')
  }
}
