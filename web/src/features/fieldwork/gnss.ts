// The position for all field mode screens, from the device or from an external receiver: a single watch, active
// while a screen uses it and, for the device's own, while the page is visible.
import { useEffect, useSyncExternalStore } from 'react'
import { t } from '../../ui/text.ts'
import { deviceClock, presentTime } from './device-clock.ts'
import { FixAges, type Solution } from './position.ts'
import { forgetReceiver, hearReceiver, receiverStatus, receiverText } from './receiver-status.ts'
import { receiverSettings, watchSettings } from './receiver-settings.ts'

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
  /** Null: from the device itself. */
  readonly solution: Solution | null
}
/** aus: not requested. alt: there was a position, but no update since. empfaenger: receiver-status.ts knows why. */
export type PositioningState =
  | 'aus'
  | 'sucht'
  | 'da'
  | 'alt'
  | 'verweigert'
  | 'fehlt'
  | 'unsicher'
  | 'empfaenger'
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

/** Ends the external receiver. */
let endReceiver: (() => void) | null = null
function beginReceiver() {
  if (endReceiver !== null || users === 0) return
  ages = new FixAges()
  deviceClock.forgetReceiver()
  setTo({ stand: 'empfaenger', ort: null })
  forgetReceiver()
  const unsubscribe = receiverStatus.subscribe(showReceiver)
  let close: (() => void) | null = null
  let ended = false
  endReceiver = () => {
    ended = true
    unsubscribe()
    close?.()
  }
  void import('./receiver.ts').then(
    ({ listen }) => {
      if (!ended)
        close = listen(receiverSettings.now(), (told) => hearReceiver(told, receiverSettings.now().antenna))
    },
    () => hearReceiver({ line: 'getrennt' }),
  )
}
function showReceiver() {
  const { line, fix, place, arrived } = receiverStatus.now()
  if (line !== 'liest' || fix === null || place === null) {
    if (positioning.stand !== 'empfaenger') setTo({ ...positioning, stand: 'empfaenger' })
    return
  }
  // The status also changes between fixes.
  if (positioning.stand === 'da' && positioning.ort?.arrived === arrived) return
  const am = fix.time ?? Number.NaN
  if (fix.time !== null) deviceClock.hearReceiver(fix.time)
  const age = ages.ageOf({ taken: am, mono: arrived, wall: presentTime().getTime() })
  setTo({ stand: 'da', ort: { ...place, am, age, arrived } })
}
function switchSource() {
  stop()
  endReceiver?.()
  endReceiver = null
  setTo({ stand: 'aus', ort: null })
  begin()
}
watchSettings(switchSource)

function begin() {
  if (receiverSettings.now().source !== 'geraet') return beginReceiver()
  if (watch !== null || !wanted || users === 0 || document.visibilityState !== 'visible') return
  if (!window.isSecureContext) return setTo({ stand: 'unsicher', ort: null })
  if (!('geolocation' in navigator)) return setTo({ stand: 'fehlt', ort: null })
  if (positioning.stand !== 'da') setTo({ stand: 'sucht', ort: positioning.ort })
  ages = new FixAges()
  deviceClock.forgetReceiver()
  watch = navigator.geolocation.watchPosition(isThere, failed, {
    enableHighAccuracy: true,
    maximumAge: 1_000,
    timeout: 30_000,
  })
}
function stop() {
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
  setTo({ stand: 'da', ort: { lon, lat, accuracy, am: timestamp, age, arrived, solution: null } })
}
function failed({ code, PERMISSION_DENIED, TIMEOUT }: GeolocationPositionError) {
  if (code === PERMISSION_DENIED) {
    stop()
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
    stop()
    setTo({ stand: 'aus', ort: null })
  }
  begin()
}
async function resumeIfGranted() {
  if (wanted || !('permissions' in navigator) || receiverSettings.now().source !== 'geraet') return
  const { state } = await navigator.permissions.query({ name: 'geolocation' })
  if (state === 'granted') startPositioning()
}
/** An external receiver goes on: its line would have to be opened again. */
const onVisibility = () => (document.visibilityState === 'visible' ? begin() : stop())

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
      stop()
      endReceiver?.()
      endReceiver = null
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
    case 'empfaenger':
      return receiverText(receiverStatus.now())
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
