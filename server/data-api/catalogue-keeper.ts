// Holds the current catalogue. A stale one is better than none: it stays until a newer one has been read
// completely.
import type { Database } from '#server/database/database.ts'
import type { Log } from '#server/log.ts'
import type { Catalogue } from './catalogue.ts'
import { noCatalogue } from './faults.ts'
import { type Published, readCatalogue } from './read-catalogue.ts'

const REST_MS = 1000

export class CatalogueKeeper {
  readonly #database: Database
  readonly #published: Published
  readonly #log: Log
  readonly #now: () => number
  #current: Catalogue | null = null
  #loading: Promise<void> | null = null
  #startedAt = Number.NEGATIVE_INFINITY

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
   */
  async newerThan(stale: Catalogue): Promise<Catalogue | null> {
    if (this.#current === stale) await this.#reload()
    return this.#current === stale ? null : this.#current
  }

  async #reload(): Promise<void> {
    if (this.#loading === null) {
      if (this.#now() - this.#startedAt < REST_MS) return
      this.#startedAt = this.#now()
      this.#loading = this.#load().finally(() => {
        this.#loading = null
      })
    }
    await this.#loading
  }

  async #load(): Promise<void> {
    try {
      this.#current = await readCatalogue(this.#database, this.#published)
    } catch (error) {
      this.#log.error('the catalogue could not be read', {
        reason: error instanceof Error ? error.message : String(error),
      })
    }
  }
}
