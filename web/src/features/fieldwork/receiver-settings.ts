// Where positions come from on this device: its own receiver, or an external one at a serial port. Belongs to the
// device, not to a person.
import { useSyncExternalStore } from 'react'

export const SOURCES = ['geraet', 'usb', 'bluetooth'] as const
export type PositionSource = (typeof SOURCES)[number]
/** Usual speeds of serial lines; USB and Bluetooth receivers mostly ignore it. */
export const SPEEDS = [4_800, 9_600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800] as const
/** Metres. */
export const HIGHEST_ANTENNA = 10

export interface ReceiverSettings {
  readonly source: PositionSource
  readonly speed: number
  /** Metres from the ground, or the object, to the antenna. */
  readonly antenna: number
}
const STORE_KEY = 'geraet.empfaenger'
const FIRST: ReceiverSettings = { source: 'geraet', speed: 115_200, antenna: 0 }

/** Whatever is stored: a value that is none is the first one. */
export function parseSettings(text: string | null): ReceiverSettings {
  try {
    const { source, speed, antenna } = (JSON.parse(text ?? '{}') ?? {}) as Partial<ReceiverSettings>
    return {
      source: SOURCES.find((one) => one === source) ?? FIRST.source,
      speed: SPEEDS.find((one) => one === speed) ?? FIRST.speed,
      antenna:
        typeof antenna === 'number' && antenna >= 0 && antenna <= HIGHEST_ANTENNA ? antenna : FIRST.antenna,
    }
  } catch {
    return FIRST
  }
}

let settings: ReceiverSettings | null = null
const listeners = new Set<() => void>()
const onLine = new Set<() => void>()
export const receiverSettings = {
  now(): ReceiverSettings {
    settings ??= parseSettings(localStorage.getItem(STORE_KEY))
    return settings
  },
  set(given: Partial<ReceiverSettings>) {
    const before = receiverSettings.now()
    settings = { ...before, ...given }
    localStorage.setItem(STORE_KEY, JSON.stringify(settings))
    // A new choice of the same kind may be another port.
    if (given.source !== undefined || settings.speed !== before.speed) for (const tell of onLine) tell()
    for (const tell of listeners) tell()
  },
  subscribe(tell: () => void) {
    listeners.add(tell)
    return () => listeners.delete(tell)
  },
}
export const useReceiverSettings = (): ReceiverSettings =>
  useSyncExternalStore(receiverSettings.subscribe, receiverSettings.now)
/** Called when the line has to be opened again. */
export const watchSettings = (tell: () => void) => onLine.add(tell)
