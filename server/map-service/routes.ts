// GET grundkarten and grundkarte/{id}/{z}/{x}/{y}: third-party base maps, fetched by the server, so that no
// visitor's address reaches their providers. Only services the operator listed are requested.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BaseMap } from '#contract/base-map.ts'
import type { Authenticate, Caller } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { asNutzer } from '#server/nutzer.ts'
import type { Tile, MapService } from './services.ts'
import { type Picture, createFetcher, LIMITS, type Limits, FetchFault } from './fetcher.ts'
import { createCache } from './cache.ts'

export interface MapServiceOptions {
  readonly database: Database
  readonly authenticate: Authenticate
  readonly services: readonly MapService[]
  readonly log: Log
  readonly now?: () => number
  readonly limits?: Limits
}

const DAY_S = 86_400
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
/**
 * A map requests dozens of tiles at once; the caller's roles are looked up once for them. None of
 * our records are shown here.
 */
const ROLES_MS = 30_000

const ROLES = {
  name: 'kartendienst_rollen',
  text: 'select array_to_json((select rechte.rollen()))::text as rollen',
}
const MESSAGES: Record<FetchFault['art'], string> = {
  zu_langsam: 'Der Kartendienst hat nicht rechtzeitig geantwortet.',
  zu_gross: 'Der Kartendienst hat zu viele Daten geschickt.',
  kein_bild: 'Der Kartendienst hat kein Bild geschickt.',
  umgeleitet: 'Der Kartendienst ist umgezogen. Bitte den Betreiber benachrichtigen.',
  abgelehnt: 'Der Kartendienst hat die Anfrage abgelehnt.',
  nicht_erreichbar: 'Der Kartendienst ist zurzeit nicht erreichbar.',
  eigenes_netz: 'Der Kartendienst ist zurzeit nicht erreichbar.',
}

interface Kept {
  readonly bild: Picture | null
  readonly etag: string
  readonly fault: FetchFault | null
}

export function mapService({
  database,
  authenticate,
  services,
  log,
  now = Date.now,
  limits = LIMITS,
}: MapServiceOptions) {
  const fetcher = createFetcher(limits)
  const tiles = createCache<Kept>({
    most: STORE_BYTES,
    lifeOf: ({ fault }) => (fault === null ? DAY_S * 1000 : FAULT_MS),
    sizeOf: ({ bild }) => bild?.inhalt.length ?? 0,
    now,
  })
  const roles = createCache<readonly string[]>({
    most: 1024 * 1024,
    lifeOf: () => ROLES_MS,
    sizeOf: () => 0,
    now,
  })

  const rolesOf = (caller: Caller): Promise<readonly string[]> =>
    roles.get(caller.claimsJson, async () => {
      const { rows } = await database.once<{ rollen: string }>(asNutzer(caller, { readOnly: true }), ROLES)
      return JSON.parse(rows[0]?.rollen ?? '[]') as string[]
    })
  async function offered(request: FastifyRequest): Promise<readonly MapService[]> {
    const held = await rolesOf(await authenticate(request.headers.authorization))
    return services.filter(
      ({ rollen }) =>
        rollen.length === 0 || held.includes('admin') || rollen.some((role) => held.includes(role)),
    )
  }

  const resting = new Map<string, { readonly until: number; readonly fault: FetchFault }>()
  async function fetchTile(service: MapService, kachel: Tile): Promise<Kept> {
    const rest = resting.get(service.id)
    if (rest !== undefined && rest.until > now()) return { bild: null, etag: '', fault: rest.fault }
    try {
      const bild = await fetcher.fetchImage(service.adresse(kachel), service.intern)
      return {
        bild,
        etag:
          bild === null
            ? ''
            : `"${createHash('sha256').update(bild.inhalt).digest('base64url').slice(0, 22)}"`,
        fault: null,
      }
    } catch (error) {
      if (!(error instanceof FetchFault)) throw error
      if (WHOLE_SERVICE.has(error.art)) resting.set(service.id, { until: now() + FAULT_MS, fault: error })
      log.warn('map service', { service: service.id, reason: error.message })
      return { bild: null, etag: '', fault: error }
    }
  }

  async function list(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const cards = (await offered(request)).map(
      ({ id, titel, art, namensnennung, min, max, laender, mitnehmen }): BaseMap => ({
        id,
        titel,
        art,
        namensnennung,
        min,
        max,
        laender,
        mitnehmen,
      }),
    )
    return reply.header('cache-control', 'no-store').send(cards)
  }

  async function tile(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { id, z, x, y } = request.params as Record<'id' | 'z' | 'x' | 'y', string>
    const service = (await offered(request)).find((one) => one.id === id)
    const kachel = tileOf(z, x, y)
    if (service === undefined || kachel === null || kachel.z < service.min || kachel.z > service.max)
      throw new Refusal('not_found')
    const { bild, etag, fault } = await tiles.get(`${id}/${kachel.z}/${kachel.x}/${kachel.y}`, () =>
      fetchTile(service, kachel),
    )
    if (fault !== null)
      throw new Refusal(fault.art === 'zu_langsam' ? 'timeout' : 'unavailable', MESSAGES[fault.art])
    reply.headers({
      'cache-control': `private, max-age=${DAY_S}`,
      vary: 'authorization',
      'x-content-type-options': 'nosniff',
    })
    if (bild === null) return reply.code(204).send()
    reply.header('etag', etag)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type(bild.typ).send(bild.inhalt)
  }

  return async (app: FastifyInstance): Promise<void> => {
    app.get('/grundkarten', list)
    app.get('/grundkarte/:id/:z/:x/:y', tile)
    app.addHook('onClose', async () => fetcher.close())
  }
}

/** Null if it is not a tile of the grid. */
function tileOf(z: string, x: string, y: string): Tile | null {
  if (![z, x, y].every((number) => /^(?:0|[1-9]\d{0,7})$/.test(number))) return null
  const kachel = { z: Number(z), x: Number(x), y: Number(y) }
  const most = 2 ** Math.min(kachel.z, 24)
  return kachel.z <= 22 && kachel.x < most && kachel.y < most ? kachel : null
}
