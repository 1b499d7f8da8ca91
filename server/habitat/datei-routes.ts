// Import and export of habitat trees, under the base path of the general API. Who may what is decided by the database.
import { rm } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HabitatExportFormat } from '#contract/habitat-datei.ts'
import type { Authenticate, Caller } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { type Limits, READER_LIMITS } from '#server/reader/confined.ts'
import { createWorkQueue, goneSignal, type WorkQueue } from '#server/work-queue.ts'
import { createAblage } from '../geodaten/ablage.ts'
import { alsDatei, antworte, dateiOf, fehlerAntwort, paramOf, queryOf } from '../geodaten/antwort.ts'
import { exportiereHabitat } from './datei-export.ts'
import { createDateiImport } from './datei-import.ts'

export interface HabitatDateiOptions {
  readonly database: Database
  readonly authenticate: Authenticate
  /** Where a file lies while it is read or made. */
  readonly folder: string
  readonly now: () => Date
  /** Of a process that reads a file. */
  readonly limits?: Limits
  /** Where work waits for its turn. */
  readonly work?: WorkQueue
}

const TYPES: Readonly<Record<HabitatExportFormat, string>> = {
  gpkg: 'application/geopackage+sqlite3',
  geojson: 'application/geo+json',
  csv: 'text/csv; charset=utf-8',
}

export function habitatDateiRoutes({
  database,
  authenticate,
  folder,
  now,
  limits = READER_LIMITS,
  work = createWorkQueue(),
}: HabitatDateiOptions): (app: FastifyInstance) => Promise<void> {
  const ablage = createAblage(folder)
  void ablage.tidy(now(), 1)
  const importe = createDateiImport({ database, ablage, limits, work })
  const callerOf = (request: FastifyRequest): Promise<Caller> | Caller => authenticate(request.headers.authorization)

  async function ausgabe(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await callerOf(request)
    const hq = paramOf(request, 'hq')
    const format = /^habitatbaeume\.(gpkg|geojson|csv)$/.exec(paramOf(request, 'datei'))?.[1] as HabitatExportFormat | undefined
    if (!/^[1-9]\d{0,14}$/.test(hq) || format === undefined) throw new Refusal('not_found')
    const asked = queryOf(request, 'epsg')
    if (asked !== '' && !/^\d{4,5}$/.test(asked)) throw new Refusal('bad_value')
    const wahl = { hq, format, epsg: asked === '' ? null : Number(asked) }
    const order = { person: caller.person, signal: goneSignal(reply) }
    const datei = await work.run('long', order, () => exportiereHabitat({ database, ablage }, caller, wahl))
    const stream = ablage.open(datei.pfad)
    stream.once('close', () => void rm(datei.pfad, { force: true }))
    return reply
      .headers({
        'content-type': TYPES[format],
        'content-length': datei.groesse,
        'content-disposition': alsDatei('Habitatbaeume', datei.name, now(), format),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(stream)
  }

  return async (app) => {
    app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
    app.setErrorHandler(fehlerAntwort())
    app.post('/habitat/:hq/import/lage', async (request, reply) =>
      antworte(
        reply,
        await importe.lage(await callerOf(request), paramOf(request, 'hq'), queryOf(request, 'name'), {
          body: dateiOf(request),
          signal: goneSignal(reply),
        }),
      ),
    )
    for (const [step, bleibt] of [
      ['pruefen', false],
      ['start', true],
    ] as const)
      app.post(`/habitat/:hq/import/${step}`, async (request, reply) => {
        const said = { name: queryOf(request, 'name'), werte: queryOf(request, 'werte'), bleibt }
        const caller = await callerOf(request)
        const sent = { body: dateiOf(request), signal: goneSignal(reply) }
        return antworte(reply, await importe.einspielen(caller, paramOf(request, 'hq'), said, sent))
      })
    app.get('/habitat/:hq/export/:datei', ausgabe)
  }
}
