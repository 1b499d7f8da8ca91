// The device's own position, for all screens of the field mode: one watch, however many look at it. It runs while somebody looks and the page is in sight.
import { useEffect, useSyncExternalStore } from 'react'
import { t } from '../../ui/text.ts'

export interface Ort {
  readonly lon: number
  readonly lat: number
  /** Metres; two of three fixes lie within. */
  readonly genauigkeit: number
  /** Milliseconds since 1970, by the receiver. */
  readonly am: number
}
/** aus: nobody has asked. alt: there was one, and since then nothing has come. */
export type OrtStand = 'aus' | 'sucht' | 'da' | 'alt' | 'verweigert' | 'fehlt' | 'unsicher'
export interface Ortung {
  readonly stand: OrtStand
  readonly ort: Ort | null
}
const ALT_NACH_MS = 20_000

let ortung: Ortung = { stand: 'aus', ort: null }
let watch: number | null = null
let users = 0
let gewollt = false
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
function setze(next: Ortung) {
  ortung = next
  for (const listener of listeners) listener()
}

function beginne() {
  if (watch !== null || !gewollt || users === 0 || document.visibilityState !== 'visible') return
  if (!window.isSecureContext) return setze({ stand: 'unsicher', ort: null })
  if (!('geolocation' in navigator)) return setze({ stand: 'fehlt', ort: null })
  if (ortung.stand !== 'da') setze({ stand: 'sucht', ort: ortung.ort })
  watch = navigator.geolocation.watchPosition(da, fehlt, { enableHighAccuracy: true, maximumAge: 1_000, timeout: 30_000 })
}
function ende() {
  clearTimeout(timer)
  if (watch !== null) navigator.geolocation.clearWatch(watch)
  watch = null
}
function da({ coords, timestamp }: GeolocationPosition) {
  clearTimeout(timer)
  timer = setTimeout(() => setze({ ...ortung, stand: 'alt' }), ALT_NACH_MS)
  setze({ stand: 'da', ort: { lon: coords.longitude, lat: coords.latitude, genauigkeit: coords.accuracy, am: timestamp } })
}
function fehlt({ code, PERMISSION_DENIED, TIMEOUT }: GeolocationPositionError) {
  if (code === PERMISSION_DENIED) {
    ende()
    return setze({ stand: 'verweigert', ort: null })
  }
  // The watch goes on by itself; what was known last is shown as such.
  return setze({ stand: ortung.ort === null ? (code === TIMEOUT ? 'sucht' : 'fehlt') : 'alt', ort: ortung.ort })
}

/** Only after a press: the browser asks the person then. Where it was permitted before it begins by itself. */
export function ortungAn() {
  gewollt = true
  if (ortung.stand === 'verweigert' || ortung.stand === 'fehlt') {
    ende()
    setze({ stand: 'aus', ort: null })
  }
  beginne()
}
async function wieZuvor() {
  if (gewollt || !('permissions' in navigator)) return
  const { state } = await navigator.permissions.query({ name: 'geolocation' })
  if (state === 'granted') ortungAn()
}
const onSicht = () => (document.visibilityState === 'visible' ? beginne() : ende())

export function useOrtung(): Ortung {
  useEffect(() => {
    users++
    if (users === 1) document.addEventListener('visibilitychange', onSicht)
    wieZuvor().catch(() => undefined)
    beginne()
    return () => {
      users--
      if (users > 0) return
      document.removeEventListener('visibilitychange', onSicht)
      ende()
    }
  }, [])
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => ortung,
  )
}

/** Why there is none, and what helps. Null: there is one. */
export function ortungText({ stand }: Ortung): string | null {
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
        'Der Browser darf den Standort nicht lesen. Erlauben Sie ihn in den Einstellungen des Browsers für diese Seite und des Geräts, dann tippen Sie noch einmal.',
      )
    case 'unsicher':
      return t('Den Standort gibt der Browser nur über eine gesicherte Verbindung (https) heraus.')
    default:
      return t('Dieses Gerät liefert keinen Standort. Ist die Ortung eingeschaltet?')
  }
}
