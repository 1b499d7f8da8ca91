// Import and export of a management plan, under the base path of the general API. The database
// decides who may do what.
import { rm, stat } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FeFileLayer } from '#contract/bestand-import.ts'
import type { Authenticate } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { type Limits, READER_LIMITS } from '#server/reader/confined.ts'
import { createWorkQueue, goneSignal, type WorkQueue } from '#server/work-queue.ts'
import { createStore } from '../geodata/store.ts'
import { contentDispositionOf, respond, fileOf, faultAnswer, paramOf, queryOf } from '../geodata/answer.ts'
import { fileNameOf } from '../geodata/reasons.ts'
import { writeExport } from './export.ts'
import { createImports } from './import.ts'

export interface BestandOptions {
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
const OWN_REASONS = {
  keine_schicht:
    'In der Datei ist nichts, was sich importieren lässt. Bitte prüfen Sie, ob sie die Flächen der Bestände enthält.',
}

export function createBestand({
  database,
  authenticate,
  folder,
  log,
  now,
  limits = READER_LIMITS,
  work = createWorkQueue(),
}: BestandOptions): {
  readonly routes: (app: FastifyInstance) => Promise<void>
  /** Aborts running imports: the database rolls them back. */
  close(): void
} {
  const fileStore = createStore<FeFileLayer>(folder)
  const imports = createImports({ database, fileStore, log, now, limits, work })

  async function sendExport(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await authenticate(request.headers.authorization)
    const hq = paramOf(request, 'hq')
    if (!/^[1-9]\d{0,14}$/.test(hq)) throw new Refusal('not_found')
    const order = { person: caller.person, signal: goneSignal(reply) }
    const { filePath, name } = await work.run('long', order, () =>
      writeExport({ database, fileStore }, caller, hq),
    )
    const stream = fileStore.open(filePath)
    stream.once('close', () => void rm(filePath, { force: true }))
    return reply
      .headers({
        'content-type': 'application/geopackage+sqlite3',
        'content-length': (await stat(filePath)).size,
        'content-disposition': contentDispositionOf('Waldbestand', name, now(), 'gpkg'),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(stream)
  }

  const routes = async (app: FastifyInstance): Promise<void> => {
    app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
    app.setErrorHandler(faultAnswer(OWN_REASONS))
    app.post('/bestand/:hq/upload', async (request, reply) => {
      const caller = await authenticate(request.headers.authorization)
      const datei = { name: fileNameOf(queryOf(request, 'name')), body: fileOf(request) }
      return respond(reply, await imports.add(caller, paramOf(request, 'hq'), datei, goneSignal(reply)))
    })
    app.get('/bestand/import/:id', async (request, reply) =>
      respond(
        reply,
        await imports.read(await authenticate(request.headers.authorization), paramOf(request, 'id')),
      ),
    )
    app.post('/bestand/import/:id/pruefen', async (request, reply) => {
      const caller = await authenticate(request.headers.authorization)
      return respond(
        reply,
        await imports.check(caller, paramOf(request, 'id'), request.body, goneSignal(reply)),
      )
    })
    app.post('/bestand/import/:id/start', async (request, reply) =>
      respond(
        reply,
        await imports.start(
          await authenticate(request.headers.authorization),
          paramOf(request, 'id'),
          request.body,
        ),
      ),
    )
    app.delete('/bestand/import/:id', async (request, reply) => {
      await imports.drop(await authenticate(request.headers.authorization), paramOf(request, 'id'))
      return respond(reply, true)
    })
    app.get('/bestand/:hq/export/waldbestand.gpkg', sendExport)
  }
  return { routes, close: () => imports.close() }
}
