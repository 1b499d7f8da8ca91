// Import and export of the survey, under the base path of the general API. The database
// decides who may do what.
import { rm } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FileLayer, ExportFormat } from '#contract/vermessung-import.ts'
import type { Authenticate } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { type Limits, READER_LIMITS } from '#server/reader/confined.ts'
import { createWorkQueue, goneSignal, type WorkQueue } from '#server/work-queue.ts'
import { createStore } from '../geodata/store.ts'
import { contentDispositionOf, respond, fileOf, faultAnswer, paramOf, queryOf } from '../geodata/answer.ts'
import { writeExport } from './export.ts'
import { createImports } from './import.ts'
import { fileNameOf } from '../geodata/reasons.ts'

export interface VermessungOptions {
  readonly database: Database
  readonly authenticate: Authenticate
  /** For uploaded files that wait. */
  readonly folder: string
  readonly log: Log
  readonly now: () => Date
  /** For a process that reads a file. */
  readonly limits?: Limits
  readonly work?: WorkQueue
}

const TYPES: Readonly<Record<ExportFormat, [type: string, ending: string]>> = {
  gpkg: ['application/geopackage+sqlite3', 'gpkg'],
  geojson: ['application/geo+json', 'geojson'],
  csv: ['application/zip', 'zip'],
}
const ID = /^[1-9]\d{0,14}$/

export function createVermessung({
  database,
  authenticate,
  folder,
  log,
  now,
  limits = READER_LIMITS,
  work = createWorkQueue(),
}: VermessungOptions): {
  readonly routes: (app: FastifyInstance) => Promise<void>
  /** Aborts running imports: the database rolls them back. */
  close(): Promise<void>
} {
  const fileStore = createStore<FileLayer>(folder)
  const imports = createImports({ database, fileStore, log, now, limits, work })

  async function sendExport(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await authenticate(request.headers.authorization)
    const kunde = paramOf(request, 'kunde')
    const format = /^kataster\.(gpkg|geojson|csv)$/.exec(paramOf(request, 'datei'))?.[1] as
      | ExportFormat
      | undefined
    if (!ID.test(kunde) || format === undefined) throw new Refusal('not_found')
    const asked = queryOf(request, 'epsg')
    if (asked !== '' && !/^\d{4,5}$/.test(asked)) throw new Refusal('bad_value')
    const choice = { kunde, format, epsg: asked === '' ? null : Number(asked) }
    const order = { person: caller.person, signal: goneSignal(reply) }
    const datei = await work.run('long', order, () => writeExport({ database, fileStore }, caller, choice))
    const [type, ending] = TYPES[format]
    const stream = fileStore.open(datei.filePath)
    stream.once('close', () => void rm(datei.filePath, { force: true }))
    return reply
      .headers({
        'content-type': type,
        'content-length': datei.groesse,
        'content-disposition': contentDispositionOf('Kataster', datei.kunde, now(), ending),
        'repr-digest': `sha-256=:${Buffer.from(datei.sha256, 'hex').toString('base64')}:`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(stream)
  }

  const routes = async (app: FastifyInstance): Promise<void> => {
    app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
    app.setErrorHandler(faultAnswer())
    app.post('/vermessung/:kunde/upload', async (request, reply) => {
      const caller = await authenticate(request.headers.authorization)
      const datei = { name: fileNameOf(queryOf(request, 'name')), body: fileOf(request) }
      return respond(reply, await imports.add(caller, paramOf(request, 'kunde'), datei, goneSignal(reply)))
    })
    app.get('/vermessung/import/:id', async (request, reply) =>
      respond(
        reply,
        await imports.read(await authenticate(request.headers.authorization), paramOf(request, 'id')),
      ),
    )
    app.post('/vermessung/import/:id/pruefen', async (request, reply) => {
      const caller = await authenticate(request.headers.authorization)
      return respond(
        reply,
        await imports.check(caller, paramOf(request, 'id'), request.body, goneSignal(reply)),
      )
    })
    app.post('/vermessung/import/:id/start', async (request, reply) =>
      respond(
        reply,
        await imports.start(
          await authenticate(request.headers.authorization),
          paramOf(request, 'id'),
          request.body,
        ),
      ),
    )
    app.delete('/vermessung/import/:id', async (request, reply) => {
      await imports.drop(await authenticate(request.headers.authorization), paramOf(request, 'id'))
      return respond(reply, true)
    })
    app.get('/vermessung/:kunde/export/:datei', sendExport)
  }
  return { routes, close: () => imports.close() }
}
