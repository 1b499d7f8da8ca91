// Bytes of plans: whole files with ranges, thumbnails, tiles in their own pixels and on the web
// map. Each request is checked as its caller: one who may not see the row gets no byte and only
// learns that it was not found.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { isKept } from '#server/etag.ts'
import type { Log } from '#server/log.ts'
import { note } from '#server/observe.ts'
import { forNutzer } from '#server/route-caller.ts'
import { asNutzer } from '#server/nutzer.ts'
import { createWorkQueue, goneSignal, type WorkQueue } from '#server/work-queue.ts'
import type { Store } from '#server/files/store.ts'
import { KEPT, sendStoredFile } from '#server/files/send.ts'
import { GRID, type Grid } from './grid.ts'
import { createHeads, type TileImage, cutTile, drawOverlay, drawPreview } from './tiles.ts'
import type { TiffHead } from './read-tiff.ts'

export interface FileRoutesOptions {
  readonly database: Database
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

const FOR_PROGRAMS = { programs: 'karte_datei' }

const ID = /^[1-9]\d{0,17}$/
const SMALL = /^(?:0|[1-9]\d{0,8})$/

/** A file that the caller may see. */
interface SeenFile extends TableRow {
  readonly person: string
}
type Asked = [caller: Caller, request: FastifyRequest, reply: FastifyReply]
type Draw = (path: string, head: TiffHead, file: SeenFile) => Promise<TileImage | null>

export function fileRoutes(options: FileRoutesOptions): (app: FastifyInstance) => Promise<void> {
  const desk = new FilesDesk(options)
  return async (app) => {
    // Handles HEAD itself: Fastify's way would read the whole file.
    app.route({
      method: ['GET', 'HEAD'],
      url: '/karte/:karte/datei/:datei',
      ...forNutzer((...asked) => desk.sendFile(...asked), FOR_PROGRAMS),
    })
    app.get(
      '/karte/:karte/vorschau/:datei',
      forNutzer((...asked) => desk.sendPreview(...asked), FOR_PROGRAMS),
    )
    app.get(
      '/karte/:karte/kachel/:datei/:z/:x/:y',
      forNutzer((...asked) => desk.sendTile(...asked), FOR_PROGRAMS),
    )
    app.get(
      '/karte/:karte/auflage/:datei/:z/:x/:y',
      forNutzer((...asked) => desk.sendOverlay(...asked), FOR_PROGRAMS),
    )
    app.get(
      `/karte/gitter/${GRID}`,
      forNutzer((_caller, _request, reply) => desk.sendGrid(reply)),
    )
  }
}

class FilesDesk {
  readonly #options: FileRoutesOptions
  readonly #work: WorkQueue
  readonly #headOf = createHeads()

  constructor(options: FileRoutesOptions) {
    this.#options = options
    this.#work = options.work ?? createWorkQueue()
  }

  async sendFile(caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { name, mime, sha256 } = await this.#fetchFile(caller, request)
    const sent = await sendStoredFile(request, reply, this.#options.fileStore, { sha256, mime, name })
    if (sent === null) throw this.#missing(sha256)
    return sent
  }

  async sendTile(...asked: Asked): Promise<FastifyReply> {
    const [z, x, y] = placeOf(asked[1])
    return this.#draw(asked, (path, head) => cutTile(path, head, z, x, y), absent)
  }

  async sendPreview(...asked: Asked): Promise<FastifyReply> {
    return this.#draw(asked, drawPreview, absent)
  }

  async sendOverlay(...asked: Asked): Promise<FastifyReply> {
    const place = placeOf(asked[1])
    const { grid } = this.#options
    // Many programs for maps read no WebP.
    const mime = (asked[1].query as Record<string, unknown>)['bild'] === 'png' ? 'image/png' : 'image/webp'
    const draw: Draw = (path, head, { epsg, art }) => {
      if (art !== 'ergebnis' || epsg === null) return absent()
      return drawOverlay(path, head, gridFor(grid, epsg), epsg, place, mime)
    }
    return this.#draw(asked, draw, () => asked[2].code(204).send())
  }

  sendGrid(reply: FastifyReply): FastifyReply {
    const { grid } = this.#options
    // Not an error: this server has no grid, and the browser leaves out the systems that need it.
    if (grid.bytes === null) return reply.code(204).header('cache-control', 'no-store').send()
    return reply
      .headers({ 'cache-control': 'private, max-age=86400', 'content-type': 'application/octet-stream' })
      .send(grid.bytes)
  }

  async #fetchFile(caller: Caller, request: FastifyRequest): Promise<SeenFile> {
    const { karte = '', datei = '' } = request.params as Record<string, string>
    if (!ID.test(karte) || !ID.test(datei)) throw new Refusal('not_found')
    const { rows } = await this.#options.database.once<TableRow>(asNutzer(caller, { readOnly: true }), {
      ...FILE,
      values: [karte, datei],
    })
    if (rows[0] === undefined) throw new Refusal('not_found')
    return { ...rows[0], person: caller.person }
  }

  #missing(sha256: string): Refusal {
    this.#options.log.error('file of a plan is missing', { sha256 })
    return new Refusal(
      'not_found',
      'Die Datei liegt nicht mehr auf dem Server. Bitte laden Sie sie noch einmal hoch.',
    )
  }

  /** For files that are cut into tiles: not available until that is done. */
  async #draw(
    [caller, request, reply]: Asked,
    draw: Draw,
    /** There is nothing to draw at this place. */
    nothing: () => FastifyReply,
  ): Promise<FastifyReply> {
    const file = await this.#fetchFile(caller, request)
    const sha256 = file.kacheln_sha256
    if (sha256 === null)
      throw new Refusal(
        'not_found',
        'Der Scan wird noch aufbereitet. Bitte versuchen Sie es gleich noch einmal.',
      )
    const etag = `"${sha256}"`
    reply.headers({ ...KEPT, etag })
    if (isKept(request.headers['if-none-match'], etag)) return reply.code(304).send()
    const path = await this.#options.fileStore.filePath(sha256)
    if (path === null) throw this.#missing(sha256)
    const order = { person: file.person, signal: goneSignal(reply) }
    const picture = await this.#work.run('tile', order, async () => {
      note('tile', 'plan cut')
      return draw(path, await this.#headOf(path), file)
    })
    if (picture === null) return nothing()
    return reply
      .headers({ 'content-type': picture.mime, 'x-content-type-options': 'nosniff' })
      .send(picture.inhalt)
  }
}

function absent(): never {
  throw new Refusal('not_found')
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
