// A file that is made while it is sent: in the queue of long work for as long as somebody reads it. Who does not read
// gives the turn to others and queues again for the rest, or two slow readers would hold up everybody's imports.
import { Readable } from 'node:stream'
import type { Order, Turn, WorkQueue } from './work-queue.ts'

/** What lines of some 100 kB/s need for a part. */
const STALL_MS = 5_000

/**
 * @param order its signal aborts when the reader has gone: a stream that waits for its turn cannot be closed otherwise
 * @throws CrowdedRefusal, or what `make` throws
 */
export async function streamInTurn(
  work: WorkQueue,
  order: Order,
  make: () => Promise<AsyncIterable<Uint8Array>>,
  stallMs = STALL_MS,
): Promise<Readable> {
  const place = new Place(() => work.admit('long', order), stallMs)
  try {
    await place.hold()
    const stream = Readable.from(paced(await make(), place), { objectMode: false })
    stream.once('close', () => place.leave())
    return stream
  } catch (error) {
    place.leave()
    throw error
  }
}

async function* paced(source: AsyncIterable<Uint8Array>, place: Place): AsyncGenerator<Uint8Array> {
  for await (const part of source) {
    place.rest()
    yield part
    await place.hold()
  }
  // What is still to be read needs no turn.
  place.rest()
}

class Place {
  readonly #admit: () => Turn
  readonly #stallMs: number
  #turn: Turn | null = null
  #stalled: NodeJS.Timeout | undefined
  #left = false

  constructor(admit: () => Turn, stallMs: number) {
    this.#admit = admit
    this.#stallMs = stallMs
  }

  async hold(): Promise<void> {
    clearTimeout(this.#stalled)
    if (this.#left) return
    this.#turn ??= this.#admit()
    await this.#turn.come
  }

  /** The turn is given up unless it is needed again soon. */
  rest(): void {
    clearTimeout(this.#stalled)
    this.#stalled = setTimeout(() => this.#release(), this.#stallMs).unref()
  }

  leave(): void {
    this.#left = true
    clearTimeout(this.#stalled)
    this.#release()
  }

  #release(): void {
    this.#turn?.release()
    this.#turn = null
  }
}
