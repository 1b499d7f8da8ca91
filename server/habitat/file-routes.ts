// Import and export of habitat trees, under the base path of the general API. The database
// decides who may do what.
import { rm } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HabitatExportFormat } from '#contract/habitat-file.ts'
import type { Authenticate, Caller } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { type Limits, READER_LIMITS } from '#server/reader/confined.ts'
import { createWorkQueue, goneSignal, type WorkQueue } from '#server/work-queue.ts'
import { createStore } from '../geodata/store.ts'
import { contentDispositionOf, respond, fileOf, faultAnswer, paramOf, queryOf } from '../geodata/answer.ts'
import { writeHabitatExport } from './file-export.ts'
import { createFileImport } from './file-import.ts'

export interface HabitatFileOptions {
  readonly database: Database
  readonly authenticate: Authenticate
  /** For files that are being read or made. */
  readonly folder: string
  readonly now: () => Date
  /** For a process that reads a file. */
  readonly limits?: Limits
  readonly work?: WorkQueue
}

const TYPES: Readonly<Record<HabitatExportFormat, string>> = {
  gpkg: 'application/geopackage+sqlite3',
  geojson: 'application/geo+json',
  csv: 'text/csv; charset=utf-8',
}

export function habitatFileRoutes({
  database,
  authenticate,
  folder,
  now,
  limits = READER_LIMITS,
  work = createWorkQueue(),
}: HabitatFileOptions): (app: FastifyInstance) => Promise<void> {
  const fileStore = createStore(folder)
  void fileStore.tidy(now(), 1)
  const imports = createFileImport({ database, fileStore, limits, work })
  const callerOf = (request: FastifyRequest): Promise<Caller> | Caller =>
    authenticate(request.headers.authorization)

  async function sendExport(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await callerOf(request)
    const hq = paramOf(request, 'hq')
    const format = /^habitatbaeume\.(gpkg|geojson|csv)$/.exec(paramOf(request, 'datei'))?.[1] as
      | HabitatExportFormat
      | undefined
    if (!/^[1-9]\d{0,14}$/.test(hq) || format === undefined) throw new Refusal('not_found')
    const asked = queryOf(request, 'epsg')
    if (asked !== '' && !/^\d{4,5}$/.test(asked)) throw new Refusal('bad_value')
    const choice = { hq, format, epsg: asked === '' ? null : Number(asked) }
    const order = { person: caller.person, signal: goneSignal(reply) }
    const datei = await work.run('long', order, () =>
      writeHabitatExport({ database, fileStore }, caller, choice),
    )
    const stream = fileStore.open(datei.filePath)
    stream.once('close', () => void rm(datei.filePath, { force: true }))
    return reply
      .headers({
        'content-type': TYPES[format],
        'content-length': datei.groesse,
        'content-disposition': contentDispositionOf('Habitatbaeume', datei.name, now(), format),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(stream)
  }

  return async (app) => {
    app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
    app.setErrorHandler(faultAnswer())
    app.post('/habitat/:hq/import/lage', async (request, reply) =>
      respond(
        reply,
        await imports.lage(await callerOf(request), paramOf(request, 'hq'), queryOf(request, 'name'), {
          body: fileOf(request),
          signal: goneSignal(reply),
        }),
      ),
    )
    for (const [step, isKept] of [
      ['pruefen', false],
      ['start', true],
    ] as const)
      app.post(`/habitat/:hq/import/${step}`, async (request, reply) => {
        const said = { name: queryOf(request, 'name'), werte: queryOf(request, 'werte'), isKept }
        const caller = await callerOf(request)
        const sent = { body: fileOf(request), signal: goneSignal(reply) }
        return respond(reply, await imports.einspielen(caller, paramOf(request, 'hq'), said, sent))
      })
    app.get('/habitat/:hq/export/:datei', sendExport)
  }
}
