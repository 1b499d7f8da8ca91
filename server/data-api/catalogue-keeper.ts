// Holds the current catalogue. A stale one is better than none: it stays until a newer one has been read
// completely.
import type { Database } from '#server/database/database.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import type { Log } from '#server/log.ts'
import type { Catalogue } from './catalogue.ts'
import { noCatalogue } from './faults.ts'
import { type Published, readCatalogue } from './read-catalogue.ts'

/** From the end of a reading: names that do not exist keep the engine busy for a part of the time only. */
const REST_MS = 1000
/** So long a name that was not found is not looked for again, unless somebody says that the catalogue has changed. */
const MISSED_MS = 60_000
const MOST_MISSED = 1_000
/** Rest after readings that found none of the names they were made for; it doubles until then. */
const LONGEST_REST_MS = 16_000

export class CatalogueKeeper {
  readonly #database: Database
  readonly #published: Published
  readonly #log: Log
  readonly #now: () => number
  #current: Catalogue | null = null
  #loading: Promise<void> | null = null
  /** Until when nothing is read again. */
  #restsUntil = Number.NEGATIVE_INFINITY
  #soon: NodeJS.Timeout | null = null
  /** Somebody said that the catalogue has changed, which the reading under way may not have seen. */
  #again = false
  /** Names that were not found, each with the time until which that holds. */
  readonly #missed = new Map<string, number>()
  #missRestMs = REST_MS
  /** Until when nothing is read for another name. */
  #missRestsUntil = Number.NEGATIVE_INFINITY

  constructor(database: Database, published: Published, log: Log, now: () => number = Date.now) {
    this.#database = database
    this.#published = published
    this.#log = log
    this.#now = now
  }

  get loaded(): Catalogue | null {
    return this.#current
  }

  /** The current catalogue; rejects with PGRST002 as long as there has never been one. */
  async first(): Promise<Catalogue> {
    await this.#reload()
    if (this.#current === null) throw noCatalogue()
    return this.#current
  }

  /**
   * Called when a name was not found: reads again, at most once a second, and returns the catalogue if it is
   * newer than `stale`.
   * @param missed the name, if it is the catalogue that lacks it, and not the database
   */
  async newerThan(stale: Catalogue, missed?: string): Promise<Catalogue | null> {
    if (this.#current === stale && !this.#isKnownToMiss(missed)) await this.#reload()
    return this.#current === stale ? null : this.#current
  }

  /** The catalogue that was read for this name lacks it too. */
  noteMissed(name: string): void {
    this.#missed.delete(name)
    this.#missed.set(name, this.#now() + MISSED_MS)
    const [oldest] = this.#missed.keys()
    if (this.#missed.size > MOST_MISSED && oldest !== undefined) this.#missed.delete(oldest)
    this.#missRestsUntil = this.#now() + this.#missRestMs
    this.#missRestMs = Math.min(LONGEST_REST_MS, 2 * this.#missRestMs)
  }

  /** It was worth reading. */
  noteFound(): void {
    this.#missRestMs = REST_MS
    this.#missRestsUntil = Number.NEGATIVE_INFINITY
  }

  #isKnownToMiss(name: string | undefined): boolean {
    if (name === undefined) return false
    return this.#now() < Math.max(this.#missRestsUntil, this.#missed.get(name) ?? Number.NEGATIVE_INFINITY)
  }

  /**
   * Called when somebody says that the catalogue has changed: reads it again, if it was read within the last
   * second, when that is over, and if it is being read, after that. Several calls meanwhile are one.
   */
  reloadSoon(): void {
    this.#missed.clear()
    this.noteFound()
    this.#again = this.#loading !== null
    if (this.#soon !== null || this.#again) return
    const wait = Math.max(0, this.#restsUntil - this.#now())
    this.#soon = setTimeout(() => {
      this.#soon = null
      void this.#reload()
    }, wait).unref()
  }

  async #reload(): Promise<void> {
    if (this.#loading === null) {
      if (this.#now() < this.#restsUntil) return
      this.#loading = this.#load().finally(() => {
        this.#loading = null
        this.#restsUntil = this.#now() + REST_MS
        if (this.#again) this.reloadSoon()
      })
    }
    await this.#loading
  }

  async #load(): Promise<void> {
    try {
      this.#current = await readCatalogue(this.#database, this.#published)
    } catch (error) {
      this.#log.error('the catalogue could not be read', {
        reason: reasonForLog(error),
      })
    }
  }
}
