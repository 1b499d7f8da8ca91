// What the line has shown to carry: how much is sent at once, and how long a request may take.

/** Smaller ones are not tried: at 90 s each, the line has less than 0.4 kB/s. */
const SMALLEST_PIECE = 32 * 1024
/** A chunk grows again after so many that passed. */
const GROWS_AFTER = 4
/** Of a request whose size does not matter, in milliseconds. */
export const REQUEST_MS = 60_000
/** Bytes per second with which a request's time is calculated: at first, and on a line that was slower each time. */
const [RATE, SLOWEST_RATE] = [8_000, 500]

/** What the line has shown to carry. Kept as long as the application is open. */
export class LineCapacity {
  chunk: number
  readonly #largest: number
  #passed = 0
  #rate = RATE
  constructor(chunk: number) {
    this.chunk = chunk
    this.#largest = chunk
  }
  msFor(bytes: number): number {
    return Math.round(REQUEST_MS + (bytes / this.#rate) * 1000)
  }
  requestTimedOut(): void {
    this.#rate = Math.max(SLOWEST_RATE, this.#rate / 2)
  }
  chunkPassed(): void {
    if (++this.#passed < GROWS_AFTER) return
    this.#passed = 0
    this.chunk = Math.min(this.#largest, this.chunk * 2)
  }
  /** False if it is the smallest already. */
  chunkTimedOut(): boolean {
    this.#passed = 0
    if (this.chunk <= SMALLEST_PIECE) return false
    this.chunk = Math.max(SMALLEST_PIECE, Math.floor(this.chunk / 2))
    return true
  }
}
