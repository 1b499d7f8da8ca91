// Bytes of plans: whole files with ranges, thumbnails, tiles in their own pixels and on the web
// map. Each request is checked as its caller: one who may not see the row gets no byte and only
// learns that it was not found.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticate } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { asNutzer } from '#server/nutzer.ts'
import { createWorkQueue, goneSignal, type WorkQueue } from '#server/work-queue.ts'
import type { Store } from '#server/files/store.ts'
import { KEPT, sendStoredFile } from '#server/files/send.ts'
import { GRID, type Grid } from './grid.ts'
import { createHeads, type TileImage, cutTile, drawOverlay, drawPreview } from './tiles.ts'
import type { TiffHead } from './read-tiff.ts'

export interface FileRoutesOptions {
  readonly database: Database
  readonly authenticate: Authenticate
  readonly fileStore: Store
  readonly grid: Grid
  readonly log: Log
  readonly work?: WorkQueue
}

const FILE = {
  name: 'karte_datei_bytes',
  text: 'select name, mime, sha256, kacheln_sha256, epsg, art from app.karte_datei where id = $2 and karte_id = $1',
}
interface TableRow {
  readonly name: string
  readonly mime: string
  readonly sha256: string
  readonly kacheln_sha256: string | null
  readonly epsg: number | null
  readonly art: 'scan' | 'ergebnis'
}

const ID = /^[1-9]\d{0,17}$/
const SMALL = /^(?:0|[1-9]\d{0,8})$/

export function fileRoutes({
  database,
  authenticate,
  fileStore,
  grid,
  log,
  work = createWorkQueue(),
}: FileRoutesOptions): (app: FastifyInstance) => Promise<void> {
  const headOf = createHeads()

  async function rowOf(request: FastifyRequest): Promise<TableRow & { person: string }> {
    const caller = await authenticate(request.headers.authorization)
    const { karte = '', datei = '' } = request.params as Record<string, string>
    if (!ID.test(karte) || !ID.test(datei)) throw new Refusal('not_found')
    const { rows } = await database.once<TableRow>(asNutzer(caller, { readOnly: true }), {
      ...FILE,
      values: [karte, datei],
    })
    if (rows[0] === undefined) throw new Refusal('not_found')
    return { ...rows[0], person: caller.person }
  }

  function missing(sha256: string): Refusal {
    log.error('file of a plan is missing', { sha256 })
    return new Refusal(
      'not_found',
      'Die Datei liegt nicht mehr auf dem Server. Bitte laden Sie sie noch einmal hoch.',
    )
  }

  async function sendFile(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { name, mime, sha256 } = await rowOf(request)
    const sent = await sendStoredFile(request, reply, fileStore, { sha256, mime, name })
    if (sent === null) throw missing(sha256)
    return sent
  }

  /** For files that are cut into tiles: not available until that is done. */
  async function cut(
    request: FastifyRequest,
    reply: FastifyReply,
    draw: (path: string, kopf: TiffHead, row: TableRow) => Promise<TileImage | null>,
    nothing: () => FastifyReply,
  ): Promise<FastifyReply> {
    const row = await rowOf(request)
    if (row.kacheln_sha256 === null)
      throw new Refusal(
        'not_found',
        'Der Scan wird noch aufbereitet. Bitte versuchen Sie es gleich noch einmal.',
      )
    const etag = `"${row.kacheln_sha256}"`
    reply.headers({ ...KEPT, etag })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    const path = await fileStore.filePath(row.kacheln_sha256)
    if (path === null) throw missing(row.kacheln_sha256)
    const order = { person: row.person, signal: goneSignal(reply) }
    const bild = await work.run('tile', order, async () => draw(path, await headOf(path), row))
    if (bild === null) return nothing()
    return reply.headers({ 'content-type': bild.mime, 'x-content-type-options': 'nosniff' }).send(bild.inhalt)
  }
  const absent = (): never => {
    throw new Refusal('not_found')
  }

  const sendTile = (request: FastifyRequest, reply: FastifyReply) => {
    const [z, x, y] = placeOf(request)
    return cut(request, reply, (path, kopf) => cutTile(path, kopf, z, x, y), absent)
  }
  const sendPreview = (request: FastifyRequest, reply: FastifyReply) =>
    cut(request, reply, drawPreview, absent)
  const sendOverlay = (request: FastifyRequest, reply: FastifyReply) => {
    const [z, x, y] = placeOf(request)
    return cut(
      request,
      reply,
      (path, kopf, { epsg, art }) => {
        if (art !== 'ergebnis' || epsg === null) return absent()
        return drawOverlay(path, kopf, gridFor(grid, epsg), epsg, z, x, y)
      },
      () => reply.code(204).send(),
    )
  }

  async function sendGrid(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await authenticate(request.headers.authorization)
    // Not an error: this server has no grid, and the browser leaves out the systems that need it.
    if (grid.bytes === null) return reply.code(204).header('cache-control', 'no-store').send()
    return reply
      .headers({ 'cache-control': 'private, max-age=86400', 'content-type': 'application/octet-stream' })
      .send(grid.bytes)
  }

  return async (app) => {
    // Handles HEAD itself: Fastify's way would read the whole file.
    app.route({ method: ['GET', 'HEAD'], url: '/karte/:karte/datei/:datei', handler: sendFile })
    app.get('/karte/:karte/vorschau/:datei', sendPreview)
    app.get('/karte/:karte/kachel/:datei/:z/:x/:y', sendTile)
    app.get('/karte/:karte/auflage/:datei/:z/:x/:y', sendOverlay)
    app.get(`/karte/gitter/${GRID}`, sendGrid)
  }
}

/** Refuses a system that is off here: without its grid the result would be displaced by half a metre. */
function gridFor(grid: Grid, epsg: number): Grid {
  if (!grid.converter.systems.has(epsg))
    throw new Refusal(
      'conflict',
      `Auf diesem Server fehlt das Gitter für EPSG:${epsg}. Bitte wenden Sie sich an den Support.`,
    )
  return grid
}

function placeOf(request: FastifyRequest): readonly [number, number, number] {
  const { z = '', x = '', y = '' } = request.params as Record<string, string>
  if (![z, x, y].every((part) => SMALL.test(part))) throw new Refusal('not_found')
  return [Number(z), Number(x), Number(y)]
}
