// How far the features of a collection reach, as far as a caller sees them. Kept for a minute, because clients
// ask for it with every connection, and given up where it would take long.
import type { Caller } from '#server/caller.ts'
import { type Database, DatabaseFault } from '#server/database/database.ts'
import { asNutzer } from '#server/nutzer.ts'
import type { Collection } from './collections.ts'
import type { Extent } from './documents.ts'
import type { Scope } from './scope.ts'
import { extentStatement } from './statements.ts'

const KEPT_MS = 60_000
const MOST_KEPT = 2_000
const LONGEST_MS = 1_500

type Row = { readonly [K in keyof Omit<Extent, 'storage'>]: string | null } & Pick<Extent, 'storage'>

interface Kept {
  readonly until: number
  readonly extent: Extent | null | undefined
}

export class ExtentCache {
  readonly #database: Database
  readonly #now: () => Date
  readonly #kept = new Map<string, Kept>()

  constructor(database: Database, now: () => Date) {
    this.#database = database
    this.#now = now
  }

  /** Null if it is not known, undefined if the caller sees no feature. */
  async of(caller: Caller, scope: Scope, collection: Collection): Promise<Extent | null | undefined> {
    // By the claims and not by the person: two of their tokens may see different things.
    const key = `${scope.base} ${collection.id} ${caller.claimsJson}`
    const now = this.#now().getTime()
    const kept = this.#kept.get(key)
    if (kept !== undefined && kept.until > now) return kept.extent
    const extent = await this.#read(caller, scope, collection)
    this.#kept.delete(key)
    this.#kept.set(key, { until: now + KEPT_MS, extent })
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) break
      this.#kept.delete(oldest)
    }
    return extent
  }

  async #read(caller: Caller, scope: Scope, collection: Collection): Promise<Extent | null | undefined> {
    const context = asNutzer(caller, { readOnly: true, timeoutMs: LONGEST_MS })
    try {
      const [row] = (await this.#database.once<Row>(context, extentStatement({ scope, collection }, 4326)))
        .rows
      if (row === undefined || row.west === null) return undefined
      const number = (text: string | null): number => Number(Number(text).toFixed(6))
      return {
        west: number(row.west),
        south: number(row.south),
        east: number(row.east),
        north: number(row.north),
        storage: row.storage === null ? null : Number(row.storage),
      }
    } catch (error) {
      if (error instanceof DatabaseFault && error.code === '57014') return null
      throw error
    }
  }
}
