// How far the device's clock is off. The server says it when there is a line, the satellites when their receiver
// has its own time, and the last time that the server said is the least that it can be now. Dates of captures
// are taken from here, so that a wrong clock makes no wrong dates.
import { createStore } from '../../ui/store.ts'

/** From here on the clock counts as wrong, in milliseconds. */
export const WRONG_FROM_MS = 30_000
/** The two clocks of a device drift apart by this much only if one was set, or one stood still in its sleep. */
const SET_MS = 5_000
/** An answer that took longer says too little. */
const LONGEST_MS = 15_000
/** Receivers with a broken calendar say years before. */
const EARLIEST = Date.UTC(2020)
const LATEST = Date.UTC(2100)

/** The server's time, as an answer says it. */
export interface HeardDate {
  /** Milliseconds since 1970; the server says whole seconds. */
  readonly said: number
  /** Of the device, when the answer was there: wall clock, and the clock that nobody sets. */
  readonly wall: number
  readonly mono: number
  /** Milliseconds that the question took: the server may have said it at any time of these. */
  readonly took: number
}

export interface ClockFault {
  /** Milliseconds; positive if the device's clock is ahead. */
  readonly off: number
  /** mindestens: only that it is behind by at least this much. */
  readonly by: 'server' | 'gnss' | 'mindestens'
}
export interface Clocks {
  readonly wall: () => number
  readonly mono: () => number
  /** The last time that the server said, kept across starts; null: none. */
  readonly kept: () => number | null
  readonly keep: (said: number) => void
}
interface Measured extends ClockFault {
  /** Wall clock minus the other, when it was measured. */
  readonly apart: number
}

export class DeviceClock {
  readonly #clocks: Clocks
  readonly #store = createStore<Measured | null>(null)
  /** Of the receiver's present run: the least that the clock was ahead of a fix. */
  #ahead: number | null = null

  constructor(clocks: Clocks) {
    this.#clocks = clocks
  }

  /** The server said its time. */
  hearServer({ said, wall, mono, took }: HeardDate): void {
    if (took > LONGEST_MS || !(said >= EARLIEST && said <= LATEST)) return
    const before = this.#clocks.kept()
    if (before === null || said > before) this.#clocks.keep(said)
    // On average it said so half a second into its second, and half way through the question.
    this.#set({ off: wall - (said + 500 + took / 2), by: 'server', apart: wall - mono })
  }

  /** A fix came. Those that were kept for a while look as if the clock was ahead, so the least counts. */
  hearReceiver(timestamp: number): void {
    if (!(timestamp >= EARLIEST && timestamp <= LATEST)) return
    const ahead = this.#clocks.wall() - timestamp
    const first = this.#ahead === null
    this.#ahead = first ? ahead : Math.min(ahead, this.#ahead!)
    // Many devices give fixes the time of their clock, which then says nothing about it.
    if (first || Math.abs(this.#ahead) < WRONG_FROM_MS || this.#current()?.by === 'server') return
    const apart = this.#clocks.wall() - this.#clocks.mono()
    this.#set({ off: this.#ahead, by: 'gnss', apart })
  }
  /** The receiver was switched on again, or the clock was set. */
  forgetReceiver(): void {
    this.#ahead = null
  }

  /** Null as long as nothing says that the clock is wrong. */
  readonly fault = (): ClockFault | null => {
    const measured = this.#current()
    if (measured !== null) return Math.abs(measured.off) < WRONG_FROM_MS ? null : this.#store.get()
    const least = this.#clocks.kept()
    if (least === null) return null
    const off = this.#clocks.wall() - least
    return off > -WRONG_FROM_MS ? null : this.#atLeast(off)
  }
  /** The time it is, as far as anybody knows. */
  now(): Date {
    return new Date(this.#clocks.wall() - (this.fault()?.off ?? 0))
  }
  readonly subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener)

  #least: ClockFault | null = null
  /** The same object for the same minute, so that a screen is drawn again only then. */
  #atLeast(off: number): ClockFault {
    if (this.#least === null || Math.abs(this.#least.off - off) > 60_000)
      this.#least = { off, by: 'mindestens' }
    return this.#least
  }
  /** What was measured before the clock was set says nothing any more. */
  #current(): Measured | null {
    const measured = this.#store.get()
    if (measured === null) return null
    const apart = this.#clocks.wall() - this.#clocks.mono()
    return Math.abs(apart - measured.apart) > SET_MS ? null : measured
  }
  #set(next: Measured): void {
    const before = this.#store.get()
    // Small differences between two measurements are the line's.
    const same = before?.by === next.by && Math.abs(before.off - next.off) < SET_MS
    const stillValid = before !== null && Math.abs(before.apart - next.apart) <= SET_MS
    if (!(same && stillValid)) this.#store.change(() => next)
  }
}

/** Belongs to the device: the clock does not change with the person who signs in. */
const KEY = 'geraet.feld-zeit'
export const deviceClock = new DeviceClock({
  wall: () => Date.now(),
  mono: () => performance.now(),
  kept: () => {
    const kept = Number(globalThis.localStorage?.getItem(KEY) ?? Number.NaN)
    return Number.isFinite(kept) && kept > 0 ? kept : null
  },
  keep: (said) => {
    try {
      globalThis.localStorage?.setItem(KEY, String(said))
    } catch {
      // Without it only a measurement tells.
    }
  },
})
/** Only of answers that are certainly the server's own. `asked`: performance.now() before the question. */
export function heardIn(headers: Headers, asked: number): HeardDate {
  const mono = performance.now()
  return { said: Date.parse(headers.get('date') ?? ''), wall: Date.now(), mono, took: mono - asked }
}
/** Asks the server what time it is; without an answer nothing is known. */
export async function askTheTime(): Promise<void> {
  const asked = performance.now()
  try {
    const answer = await fetch('/livez', { cache: 'no-store', signal: AbortSignal.timeout(LONGEST_MS) })
    const heard = heardIn(answer.headers, asked)
    if ((await answer.text()) === '{"status":"ok"}') deviceClock.hearServer(heard)
  } catch {
    // No line.
  }
}
/** For captures and everything about them. */
export const presentTime = (): Date => deviceClock.now()

/** A photo this recent was taken while the clock was as wrong as it is now. */
const RECENT_MS = 600_000
/** When a file was made, whose time is that of the device's clock. */
export function timeOfFile(lastModified: number): Date {
  const off = deviceClock.fault()?.off ?? 0
  return new Date(Math.abs(Date.now() - lastModified) < RECENT_MS ? lastModified - off : lastModified)
}
