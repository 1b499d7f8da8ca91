// The tiles of third-party services as this server keeps them: each fetched once a day, and a service that
// does not answer left alone for a while.
import type { BaseMapTile } from '#contract/base-map.ts'
import { createHash } from 'node:crypto'
import type { Log } from '#server/log.ts'
import { note } from '#server/observe.ts'
import type { MapService } from './services.ts'
import { type Fetcher, type Picture, createFetcher, LIMITS, type Limits, FetchFault } from './fetcher.ts'
import { createCache } from './cache.ts'

export interface ServiceTilesOptions {
  readonly log: Log
  readonly now: () => number
  readonly limits?: Limits
}

export const DAY_S = 86_400
const STORE_BYTES = 64 * 1024 * 1024
/**
 * A service that could not be reached is not tried again for this long; otherwise a map
 * would wait for every tile.
 */
const FAULT_MS = 15_000
const WHOLE_SERVICE: ReadonlySet<FetchFault['art']> = new Set([
  'zu_langsam',
  'nicht_erreichbar',
  'umgeleitet',
  'eigenes_netz',
])

export interface KeptTile {
  /** Null: the service has no picture here. */
  readonly bild: Picture | null
  readonly etag: string
  readonly fault: FetchFault | null
}

export class ServiceTiles {
  readonly #options: ServiceTilesOptions
  readonly #fetcher
  readonly #kept
  readonly #resting = new Map<string, { readonly until: number; readonly fault: FetchFault }>()

  constructor(options: ServiceTilesOptions) {
    this.#options = options
    this.#fetcher = createFetcher(options.limits ?? LIMITS)
    this.#kept = createCache<KeptTile>({
      most: STORE_BYTES,
      lifeOf: ({ fault }) => (fault === null ? DAY_S * 1000 : FAULT_MS),
      sizeOf: ({ bild }) => bild?.inhalt.length ?? 0,
      now: options.now,
    })
  }

  /**
   * One that is not kept waits for `inTurn`: whose turn it is fetches it, and others who wait for the same tile wait in
   * their own turn.
   */
  async fetchTile(
    service: MapService,
    tile: BaseMapTile,
    inTurn: (fetch: () => Promise<KeptTile>) => Promise<KeptTile>,
  ): Promise<KeptTile> {
    note('tile', 'service asked')
    const key = `${service.id}/${tile.z}/${tile.x}/${tile.y}`
    const fetch = (): Promise<KeptTile> =>
      this.#kept.get(key, () => {
        note('tile', 'service fetched')
        return this.#ask(service, tile)
      })
    return this.#kept.find(key) ?? inTurn(fetch)
  }

  get fetcher(): Fetcher {
    return this.#fetcher
  }

  close(): void {
    this.#fetcher.close()
  }

  async #ask(service: MapService, tile: BaseMapTile): Promise<KeptTile> {
    const { log, now } = this.#options
    const rest = this.#resting.get(service.id)
    if (rest !== undefined && rest.until > now()) return { bild: null, etag: '', fault: rest.fault }
    try {
      const picture = await this.#fetcher.fetchImage(service.adresse(tile), service.intern)
      return { bild: picture, etag: picture === null ? '' : etagOf(picture), fault: null }
    } catch (error) {
      if (!(error instanceof FetchFault)) throw error
      if (WHOLE_SERVICE.has(error.art))
        this.#resting.set(service.id, { until: now() + FAULT_MS, fault: error })
      log.warn('map service', { service: service.id, reason: error.message })
      return { bild: null, etag: '', fault: error }
    }
  }
}

const etagOf = ({ inhalt }: Picture): string =>
  `"${createHash('sha256').update(inhalt).digest('base64url').slice(0, 22)}"`
