// GET grundkarten and grundkarte/{id}/{z}/{x}/{y}: third-party base maps, fetched by the server, so that no
// visitor's address reaches their providers. Only services the operator listed are requested.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BaseMap } from '#contract/base-map.ts'
import type { Caller } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { asNutzer } from '#server/nutzer.ts'
import type { Room } from '#server/room.ts'
import { forNutzer } from '#server/route-caller.ts'
import type { Tile, MapService } from './services.ts'
import type { FetchFault, Limits } from './fetcher.ts'
import { createCache } from './cache.ts'
import { DAY_S, type KeptTile, ServiceTiles } from './service-tiles.ts'

export interface MapServiceOptions {
  readonly database: Database
  readonly services: readonly MapService[]
  readonly log: Log
  readonly now: () => Date
  readonly fetchLimits?: Limits
}

/**
 * A map requests dozens of tiles at once; the caller's roles are looked up once for them. None of
 * our records are shown here.
 */
const ROLES_MS = 30_000

const ROLES = {
  name: 'kartendienst_rollen',
  text: 'select array_to_json((select rights.roles()))::text as rollen',
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

export function createMapServiceRoom(options: MapServiceOptions) {
  const { services, log, fetchLimits: limits } = options
  const now = (): number => options.now().getTime()
  const tiles = new ServiceTiles({ log, now, ...(limits && { limits }) })
  const rolesOf = rolesReader(options.database, now)

  async function fetchOffered(caller: Caller): Promise<readonly MapService[]> {
    const held = await rolesOf(caller)
    return services.filter(
      ({ rollen }) =>
        rollen.length === 0 || held.includes('admin') || rollen.some((role) => held.includes(role)),
    )
  }

  const sendList = async (
    caller: Caller,
    _request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> =>
    reply.header('cache-control', 'no-store').send((await fetchOffered(caller)).map(baseMapOf))

  async function sendTile(
    caller: Caller,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { id, z, x, y } = request.params as Record<'id' | 'z' | 'x' | 'y', string>
    const service = (await fetchOffered(caller)).find((one) => one.id === id)
    const tile = tileOf(z, x, y)
    if (service === undefined || tile === null || tile.z < service.min || tile.z > service.max)
      throw new Refusal('not_found')
    return answerTile(request, reply, await tiles.fetchTile(service, tile))
  }

  return {
    name: 'map services',
    routes: async (app: FastifyInstance) => {
      app.get('/grundkarten', forNutzer(sendList))
      app.get('/grundkarte/:id/:z/:x/:y', forNutzer(sendTile))
    },
    close: () => tiles.close(),
  } satisfies Room
}

function rolesReader(database: Database, now: () => number): (caller: Caller) => Promise<readonly string[]> {
  const kept = createCache<readonly string[]>({
    most: 1024 * 1024,
    lifeOf: () => ROLES_MS,
    sizeOf: () => 0,
    now,
  })
  return (caller) =>
    kept.get(caller.claimsJson, async () => {
      const { rows } = await database.once<{ rollen: string }>(asNutzer(caller, { readOnly: true }), ROLES)
      return JSON.parse(rows[0]?.rollen ?? '[]') as string[]
    })
}

/** What the browser learns of a service: no address and no key. */
const baseMapOf = ({ id, titel, art, namensnennung, min, max, laender, mitnehmen }: MapService): BaseMap => ({
  id,
  titel,
  art,
  namensnennung,
  min,
  max,
  laender,
  mitnehmen,
})

function answerTile(
  request: FastifyRequest,
  reply: FastifyReply,
  { bild, etag, fault }: KeptTile,
): FastifyReply {
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

/** Null if it is not a tile of the grid. */
function tileOf(z: string, x: string, y: string): Tile | null {
  if (![z, x, y].every((number) => /^(?:0|[1-9]\d{0,7})$/.test(number))) return null
  const tile = { z: Number(z), x: Number(x), y: Number(y) }
  const most = 2 ** Math.min(tile.z, 24)
  return tile.z <= 22 && tile.x < most && tile.y < most ? tile : null
}
