// The line to an external receiver: opens the port that the person has chosen, reads it, and says within seconds when
// nothing comes any more. Loaded with the first receiver.
import type { GnssFix } from '#domain/gnss/fix.ts'
import { NmeaReader } from '#domain/gnss/nmea.ts'
import type { PositionSource, ReceiverSettings } from './receiver-settings.ts'
import type { LineState } from './receiver-status.ts'
import { type Serial, type SerialPort, webSerial } from './web-serial.ts'

/** Serial Port Profile: what receivers with Bluetooth offer. */
const SERIAL_PORT_PROFILE = '00001101-0000-1000-8000-00805f9b34fb'
/** So long after the last fix the screens say so. */
export const SILENT_MS = 4_000
const CHECK_MS = 1_000
/** A line with the wrong speed fails at each byte; one that was pulled out may fail for ever. */
const MOST_FAULTS = 40
/** Something is sent, at another speed: as much as can be said, and not that the line is gone. */
const NOISE: readonly string[] = ['FramingError', 'ParityError', 'BreakError', 'BufferOverrunError']
const isNoise = (error: unknown): boolean => error instanceof DOMException && NOISE.includes(error.name)
const PAUSE_MS = 50

/** The one chosen in this window; others come from the browser's memory. */
let chosen: SerialPort | null = null

/** What a line tells. */
export interface Told {
  readonly line?: LineState
  readonly fix?: GnssFix
}

/** Call only on a user action: the browser shows its own list. False: the person has chosen none. */
export async function chooseReceiver(source: Exclude<PositionSource, 'geraet'>): Promise<boolean> {
  try {
    chosen = await webSerial()!.requestPort(
      source === 'bluetooth' ? { filters: [{ bluetoothServiceClassId: SERIAL_PORT_PROFILE }] } : undefined,
    )
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') return false
    throw error
  }
  return true
}
const isBluetooth = (port: SerialPort): boolean => port.getInfo().bluetoothServiceClassId !== undefined
async function portFor(serial: Serial, source: PositionSource): Promise<SerialPort | null> {
  if (chosen !== null) return chosen
  const known = (await serial.getPorts()).filter((port) => isBluetooth(port) === (source === 'bluetooth'))
  // Of several nobody knows which one it is.
  return known.length === 1 ? known[0]! : null
}

/** Reads until it is ended, and begins again when the receiver is plugged in again. */
export function listen(settings: ReceiverSettings, tell: (told: Told) => void): () => void {
  const serial = webSerial()
  if (serial === undefined) {
    tell({ line: 'getrennt' })
    return () => undefined
  }
  let line = new Line(serial, settings, tell)
  const again = () => {
    if (!line.isGone) return
    line.end()
    line = new Line(serial, settings, tell)
  }
  serial.addEventListener('connect', again)
  reconnect = again
  return () => {
    serial.removeEventListener('connect', again)
    reconnect = null
    line.end()
  }
}
let reconnect: (() => void) | null = null
export const connectAgain = () => reconnect?.()

let closing: Promise<void> = Promise.resolve()

class Line {
  readonly #serial: Serial
  readonly #settings: ReceiverSettings
  readonly #told: (told: Told) => void
  #state: LineState | null = null
  #ended = false
  #reader: ReadableStreamDefaultReader<Uint8Array> | null = null
  #lastSentence = Number.NEGATIVE_INFINITY
  #lastBytes = performance.now()
  #lastFix = performance.now()
  readonly #timer: ReturnType<typeof setInterval>
  /** Settled when the port is closed. */
  readonly #done: Promise<void>

  constructor(serial: Serial, settings: ReceiverSettings, tell: (told: Told) => void) {
    this.#serial = serial
    this.#settings = settings
    this.#told = tell
    this.#timer = setInterval(() => this.#check(), CHECK_MS)
    this.#tell({ line: 'verbindet' })
    this.#done = this.#run()
      .catch(() => undefined)
      .then(() => this.#leave())
  }

  end() {
    this.#ended = true
    clearInterval(this.#timer)
    void this.#reader?.cancel().catch(() => undefined)
    closing = this.#done
  }

  async #run() {
    // What the line before still holds open cannot be opened.
    await closing
    const port = await portFor(this.#serial, this.#settings.source)
    if (port === null || this.#ended) return
    await port.open({ baudRate: this.#settings.speed, bufferSize: 16_384 })
    this.#lastBytes = this.#lastFix = performance.now()
    try {
      await this.#read(port)
    } finally {
      await port.close().catch(() => undefined)
    }
  }
  async #read(port: SerialPort) {
    const nmea = new NmeaReader()
    for (let faults = 0; port.readable !== null && !this.#ended && faults < MOST_FAULTS; faults++) {
      const reader = port.readable.getReader()
      this.#reader = reader
      try {
        for (;;) {
          const { value, done } = await reader.read()
          if (done) return
          if (value.length > 0) faults = 0
          this.#take(nmea, value)
        }
      } catch (error) {
        // Wrong speed, overrun: the port has a new stream.
        if (isNoise(error)) faults = 0
        this.#lastBytes = performance.now()
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      } finally {
        this.#reader = null
        reader.releaseLock()
      }
    }
  }
  #take(nmea: NmeaReader, bytes: Uint8Array) {
    this.#lastBytes = performance.now()
    const before = nmea.counts.sentences
    const fixes = nmea.push(bytes)
    if (nmea.counts.sentences > before) this.#lastSentence = this.#lastBytes
    // What was held up comes at once: only the last is of now.
    const fix = fixes.at(-1)
    if (fix === undefined) return
    this.#lastFix = performance.now()
    this.#tell({ fix })
  }
  #check() {
    const now = performance.now()
    if (this.#reader === null || now - this.#lastFix < SILENT_MS) return
    const isRecent = (time: number) => now - time < SILENT_MS
    // A receiver that was just switched on sends sentences without a time, of which no fix is made.
    const spoken = isRecent(this.#lastSentence) ? 'ohne_fix' : 'unlesbar'
    const line = isRecent(this.#lastBytes) ? spoken : 'stumm'
    if (line !== this.#state) this.#tell({ line })
  }
  #tell(told: Told) {
    if (this.#ended) return
    this.#state = told.line ?? null
    this.#told(told)
  }
  get isGone(): boolean {
    return this.#state === 'getrennt'
  }
  #leave() {
    clearInterval(this.#timer)
    this.#tell({ line: 'getrennt' })
  }
}
