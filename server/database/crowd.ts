// Notices when more is asked for than can be done, so that what cannot be served in time is refused at once
// instead of waiting for its time limit. A burst may wait; a queue that does not get shorter may not: then only
// those may join whose turn comes soon. After the idea of "controlled delay" (RFC 8289), with a wait that is
// estimated before it begins.

/** How long a request of a burst may have to wait for others. */
const BURST_WAIT_MS = 1_000
/** The same once it is crowded. */
const PATIENCE_MS = 400
/** It is crowded when the mean wait is longer than patience, and no longer when it is shorter than this. */
const CALM_MS = PATIENCE_MS / 4
/** Waits longer ago than this hardly count: a burst is over by then. */
const MEMORY_MS = 1_000
/** So few are soon served, and nobody knows how soon: a few slow ones must not shut the door on everybody. */
const FEW = 16
/** Served ones after which the mean is known, and time after which they count half. */
const KNOWN = 5
const HALF_MS = 2_000

export class Crowd {
  /** Served while others waited, and in which time; the latest count most. */
  #served = 0
  #inMs = 0
  /** When the last one was served, if everything has been busy since then. */
  #lastAt: number | null = null
  /** Mean wait of late. */
  #waitMs = 0
  #isStanding = false

  /** The first one waits. */
  begin(now: number): void {
    this.#waitMs = 0
    this.#lastAt = now
  }

  /** @param waitedMs of the one whose turn it is now */
  served(waitedMs: number, now: number): void {
    const interval = this.#lastAt === null ? 0 : now - this.#lastAt
    if (this.#lastAt !== null) {
      this.#served++
      this.#inMs += interval
    }
    this.#lastAt = now
    if (this.#inMs > HALF_MS && this.#served > KNOWN) {
      this.#served /= 2
      this.#inMs /= 2
    }
    this.#waitMs += (waitedMs - this.#waitMs) * (1 - Math.exp(-interval / MEMORY_MS))
    if (this.#waitMs < CALM_MS) this.#isStanding = false
    else if (this.#waitMs > PATIENCE_MS) this.#isStanding = true
  }

  /** Those who wait may not go although there is room: until the next one is served, time tells nothing. */
  rest(): void {
    this.#lastAt = null
  }

  /** Nobody waits any more. */
  end(): void {
    this.#isStanding = false
    this.#lastAt = null
  }

  /**
   * Whether one more may wait.
   * @param ahead how many are probably served before, if those who wait ask for nothing more, or if they go on
   */
  admits(ahead: (goingOn: boolean) => number): boolean {
    // Without a measure nobody knows.
    if (this.#served < KNOWN) return true
    const count = ahead(this.#isStanding)
    const everyMs = this.#inMs / this.#served
    return count < FEW || count * everyMs <= (this.#isStanding ? PATIENCE_MS : BURST_WAIT_MS)
  }
}
