// GET grundkarten and grundkarte/{id}/{z}/{x}/{y}: third-party base maps, fetched by the server, so that no
// visitor's address reaches their providers. Only services the operator listed are requested. The operator's
// own map is a file, sent in pieces: GET grundkarte-datei/{fassung}.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type BaseMap, PIECE_BYTES, type BaseMapTile } from '#contract/base-map.ts'
import type { Caller } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { isKept } from '#server/etag.ts'
import { noBody, rangeOf } from '#server/files/send.ts'
import type { Log } from '#server/log.ts'
import { asNutzer } from '#server/nutzer.ts'
import { forNutzer } from '#server/route-caller.ts'
import { createWorkQueue, goneSignal, type WorkQueue } from '#server/work-queue.ts'
import type { MapService } from './services.ts'
import { type BaseMapFileStore, type OpenedFile } from './base-map-file.ts'
import type { FetchFault, Limits } from './fetcher.ts'
import { createCache } from './cache.ts'
import { WmtsServices } from './wmts-services.ts'
import { DAY_S, type KeptTile, ServiceTiles } from './service-tiles.ts'

export interface MapServiceOptions {
  readonly database: Database
  readonly services: readonly MapService[]
  /** Null if none is configured. */
  readonly file?: BaseMapFileStore | null
  readonly log: Log
  readonly now: () => Date
  readonly fetchLimits?: Limits
  readonly work?: WorkQueue
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
  const { services, file = null, log, fetchLimits: limits, work = createWorkQueue() } = options
  const now = (): number => options.now().getTime()
  const tiles = new ServiceTiles({ log, now, ...(limits && { limits }) })
  const described = new WmtsServices({ fetcher: tiles.fetcher, log, now })
  // So that the log says at the start what is wrong with one, and the first map need not wait.
  for (const service of services) void described.ready(service)
  const rolesOf = rolesReader(options.database, now)

  async function fetchOffered(caller: Caller): Promise<readonly MapService[]> {
    const held = await rolesOf(caller)
    const offered = services.filter(
      ({ rollen }) =>
        rollen.length === 0 || held.includes('admin') || rollen.some((role) => held.includes(role)),
    )
    return (await Promise.all(offered.map((service) => described.ready(service)))).filter(
      (service) => service !== null,
    )
  }

  const sendList = async (
    caller: Caller,
    _request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const offered = (await fetchOffered(caller)).map(baseMapOf)
    const own = (await file?.open()) ?? null
    return reply.header('cache-control', 'no-store').send(own === null ? offered : [own.map, ...offered])
  }

  async function sendPiece(
    caller: Caller,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    // For everybody with an account, whatever their roles.
    await rolesOf(caller)
    const { fassung } = request.params as { fassung: string }
    const opened = (await file?.open()) ?? null
    if (file === null || opened === null || opened.map.datei.fassung !== fassung)
      throw new Refusal('not_found')
    return inPieceTurn(work, caller, reply, () => answerPiece(request, reply, file, opened))
  }

  async function sendTile(
    caller: Caller,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { id, z, x, y } = request.params as Record<'id' | 'z' | 'x' | 'y', string>
    const service = (await fetchOffered(caller)).find((one) => one.id === id)
    const tile = service === undefined ? null : tileOf([z, x, y], service)
    if (service === undefined || tile === null) throw new Refusal('not_found')
    const order = { person: caller.person, signal: goneSignal(reply) }
    const kept = await tiles.fetchTile(service, tile, (fetch) => work.run('map', order, fetch))
    return answerTile(request, reply, kept)
  }

  return {
    name: 'map services',
    routes: async (app: FastifyInstance) => {
      app.get('/grundkarten', forNutzer(sendList))
      app.get('/grundkarte/:id/:z/:x/:y', forNutzer(sendTile))
      // Fastify answers HEAD with it too.
      app.get('/grundkarte-datei/:fassung', forNutzer(sendPiece))
    },
    close: () => tiles.close(),
    /** What is wrong with which service, in sentences for the operator. */
    faults: () => described.faults(),
  }
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
const baseMapOf = ({
  id,
  titel,
  art,
  namensnennung,
  min,
  max,
  laender,
  mitnehmen,
  raster,
}: MapService): BaseMap => ({
  id,
  titel,
  art,
  namensnennung,
  min,
  max,
  laender,
  mitnehmen,
  ...(raster && { raster }),
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
  if (isKept(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type(bild.typ).send(bild.inhalt)
}

/** A piece is in memory until it has gone; a slow line keeps no place for longer than this. */
const SENDING_MS = 5_000

async function inPieceTurn(
  work: WorkQueue,
  caller: Caller,
  reply: FastifyReply,
  make: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const turn = work.admit('map', { person: caller.person, signal: goneSignal(reply) })
  reply.raw.once('close', turn.release)
  await turn.come
  setTimeout(turn.release, SENDING_MS).unref()
  return make()
}

/**
 * One range of the file, which never changes under its address. A longer one is cut, as RFC 9110 (15.3.7)
 * permits; the whole of a large file is refused, because nothing here needs it.
 */
async function answerPiece(
  request: FastifyRequest,
  reply: FastifyReply,
  file: BaseMapFileStore,
  { map, size }: OpenedFile,
): Promise<FastifyReply> {
  const { fassung } = map.datei
  const etag = `"${fassung}"`
  const kept = {
    etag,
    'cache-control': 'private, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
  }
  if (isKept(request.headers['if-none-match'], etag)) return reply.headers(kept).code(304).send()
  const ifRange = request.headers['if-range']
  const range = rangeOf(ifRange === undefined || ifRange === etag ? request.headers.range : undefined, size)
  if (range === 'unsatisfiable')
    return reply
      .headers({ ...kept, 'content-range': `bytes */${size}` })
      .code(416)
      .send()
  if (range === null && size > PIECE_BYTES && request.method !== 'HEAD')
    throw new Refusal('too_large', 'Die Hintergrundkarte wird nur in Teilen ausgegeben (Range).')
  const start = range?.start ?? 0
  const length = range === null ? size : Math.min(range.end - start + 1, PIECE_BYTES)
  const isHead = request.method === 'HEAD'
  const bytes = isHead ? null : await file.read(start, length, fassung)
  if (!isHead && bytes?.length !== length) throw new Refusal('not_found')
  reply.headers({ ...kept, 'content-type': 'application/vnd.pmtiles', 'content-length': length })
  if (range !== null) reply.code(206).header('content-range', `bytes ${start}-${start + length - 1}/${size}`)
  return reply.send(isHead ? noBody() : bytes)
}

/** Null if it is not a tile of the service's grid. */
function tileOf(numbers: readonly string[], { min, max, raster }: MapService): BaseMapTile | null {
  if (!numbers.every((number) => /^(?:0|[1-9]\d{0,9})$/.test(number))) return null
  const [z = 0, x = 0, y = 0] = numbers.map(Number)
  if (z < min || z > max) return null
  const [columns, rows] = raster?.ebenen[z]?.zahl ?? [2 ** z, 2 ** z]
  return x < columns && y < rows ? { z, x, y } : null
}
