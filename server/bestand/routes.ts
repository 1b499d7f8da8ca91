// Import and export of a management plan, under the base path of the general API. Who may what is decided by the database.
import { rm, stat } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FeDateiSchicht } from '#contract/bestand-import.ts'
import type { Authenticate } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { type Limits, READER_LIMITS } from '#server/reader/confined.ts'
import { createWorkQueue, goneSignal, type WorkQueue } from '#server/work-queue.ts'
import { createAblage } from '../geodaten/ablage.ts'
import { alsDatei, antworte, dateiOf, fehlerAntwort, paramOf, queryOf } from '../geodaten/antwort.ts'
import { dateinameOf } from '../geodaten/gruende.ts'
import { exportiere } from './export.ts'
import { createImporte } from './import.ts'

export interface BestandOptions {
  readonly database: Database
  readonly authenticate: Authenticate
  /** Where uploaded files wait. */
  readonly folder: string
  readonly log: Log
  readonly now: () => Date
  /** Of a process that reads a file. */
  readonly limits?: Limits
  /** Where work waits for its turn. */
  readonly work?: WorkQueue
}
const EIGENE_GRUENDE = {
  keine_schicht: 'In der Datei ist nichts, was sich importieren lässt. Bitte prüfen Sie, ob sie die Flächen der Bestände enthält.',
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
  /** Breaks off what is under way: the database takes it back. */
  close(): void
} {
  const ablage = createAblage<FeDateiSchicht>(folder)
  const importe = createImporte({ database, ablage, log, now, limits, work })

  async function ausgabe(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await authenticate(request.headers.authorization)
    const hq = paramOf(request, 'hq')
    if (!/^[1-9]\d{0,14}$/.test(hq)) throw new Refusal('not_found')
    const order = { person: caller.person, signal: goneSignal(reply) }
    const { pfad, name } = await work.run('long', order, () => exportiere({ database, ablage }, caller, hq))
    const stream = ablage.open(pfad)
    stream.once('close', () => void rm(pfad, { force: true }))
    return reply
      .headers({
        'content-type': 'application/geopackage+sqlite3',
        'content-length': (await stat(pfad)).size,
        'content-disposition': alsDatei('Waldbestand', name, now(), 'gpkg'),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(stream)
  }

  const routes = async (app: FastifyInstance): Promise<void> => {
    app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
    app.setErrorHandler(fehlerAntwort(EIGENE_GRUENDE))
    app.post('/bestand/:hq/upload', async (request, reply) => {
      const caller = await authenticate(request.headers.authorization)
      const datei = { name: dateinameOf(queryOf(request, 'name')), body: dateiOf(request) }
      return antworte(reply, await importe.add(caller, paramOf(request, 'hq'), datei, goneSignal(reply)))
    })
    app.get('/bestand/import/:id', async (request, reply) =>
      antworte(reply, await importe.read(await authenticate(request.headers.authorization), paramOf(request, 'id'))),
    )
    app.post('/bestand/import/:id/pruefen', async (request, reply) => {
      const caller = await authenticate(request.headers.authorization)
      return antworte(reply, await importe.check(caller, paramOf(request, 'id'), request.body, goneSignal(reply)))
    })
    app.post('/bestand/import/:id/start', async (request, reply) =>
      antworte(reply, await importe.start(await authenticate(request.headers.authorization), paramOf(request, 'id'), request.body)),
    )
    app.delete('/bestand/import/:id', async (request, reply) => {
      await importe.drop(await authenticate(request.headers.authorization), paramOf(request, 'id'))
      return antworte(reply, true)
    })
    app.get('/bestand/:hq/export/waldbestand.gpkg', ausgabe)
  }
  return { routes, close: () => importe.close() }
}
