// Import and export of a management plan, under the base path of the general API. Who may what is decided by the database.
import { rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FeDateiSchicht } from '#contract/bestand-import.ts'
import type { Authenticate } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal, toRefusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { createAblage } from '../geodaten/ablage.ts'
import { LeserEnde } from '../geodaten/faden.ts'
import { dateinameOf, GRUENDE } from '../geodaten/gruende.ts'
import { DateiFault } from '../geodaten/quelle.ts'
import { exportiere } from './export.ts'
import { createImporte } from './import.ts'

export interface BestandOptions {
  readonly database: Database
  readonly authenticate: Authenticate
  /** Where uploaded files wait. */
  readonly folder: string
  readonly log: Log
  readonly now: () => Date
}
const SUCCESS = 20_000
const TEXTE = {
  ...GRUENDE,
  keine_schicht: 'In der Datei ist nichts, was sich importieren lässt. Bitte prüfen Sie, ob sie die Flächen der Bestände enthält.',
}

const paramOf = (request: FastifyRequest, name: string): string => String((request.params as Record<string, unknown>)[name])
const queryOf = (request: FastifyRequest, name: string): string => {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}

export function createBestand({ database, authenticate, folder, log, now }: BestandOptions): {
  readonly routes: (app: FastifyInstance) => Promise<void>
  /** Breaks off what is under way: the database takes it back. */
  close(): void
} {
  const ablage = createAblage<FeDateiSchicht>(folder)
  const importe = createImporte({ database, ablage, log, now })
  const answer = (reply: FastifyReply, data: unknown): FastifyReply =>
    reply.header('cache-control', 'no-store').send({ code: SUCCESS, message: 'ok', data })

  async function ausgabe(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await authenticate(request.headers.authorization)
    const hq = paramOf(request, 'hq')
    if (!/^[1-9]\d{0,14}$/.test(hq)) throw new Refusal('not_found')
    const { pfad, name } = await exportiere({ database, ablage }, caller, hq)
    const stream = ablage.open(pfad)
    stream.once('close', () => void rm(pfad, { force: true }))
    const datei = `Waldbestand_${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60)}_${now().toISOString().slice(0, 10)}.gpkg`
    return reply
      .headers({
        'content-type': 'application/geopackage+sqlite3',
        'content-length': (await stat(pfad)).size,
        'content-disposition': `attachment; filename="Waldbestand.gpkg"; filename*=UTF-8''${encodeURIComponent(datei)}`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(stream)
  }

  const routes = async (app: FastifyInstance): Promise<void> => {
    app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
    app.setErrorHandler((error, _request, reply) => {
      if (error instanceof DateiFault)
        return reply
          .code(422)
          .header('cache-control', 'no-store')
          .send({ code: 42_200, message: TEXTE[error.code], data: null, error: 'bad_value', hint: error.code })
      if (error instanceof LeserEnde)
        throw new Refusal(
          'timeout',
          'Die Datei war nicht rechtzeitig gelesen. Bitte teilen Sie sie auf, oder versuchen Sie es noch einmal.',
        )
      const refusal = toRefusal(error)
      if (refusal.status >= 500) throw error
      return reply
        .code(refusal.status)
        .header('cache-control', 'no-store')
        .send({ code: refusal.status * 100, message: refusal.message, data: null, error: refusal.code })
    })
    app.post('/bestand/:hq/upload', async (request, reply) => {
      const caller = await authenticate(request.headers.authorization)
      return answer(
        reply,
        await importe.add(caller, paramOf(request, 'hq'), dateinameOf(queryOf(request, 'name')), request.body as Readable),
      )
    })
    app.get('/bestand/import/:id', async (request, reply) =>
      answer(reply, await importe.read(await authenticate(request.headers.authorization), paramOf(request, 'id'))),
    )
    app.post('/bestand/import/:id/pruefen', async (request, reply) => {
      const caller = await authenticate(request.headers.authorization)
      const gone = new AbortController()
      request.raw.once('close', () => {
        if (reply.raw.destroyed && !reply.raw.writableEnded) gone.abort()
      })
      return answer(reply, await importe.check(caller, paramOf(request, 'id'), request.body, gone.signal))
    })
    app.post('/bestand/import/:id/start', async (request, reply) =>
      answer(reply, await importe.start(await authenticate(request.headers.authorization), paramOf(request, 'id'), request.body)),
    )
    app.delete('/bestand/import/:id', async (request, reply) => {
      await importe.drop(await authenticate(request.headers.authorization), paramOf(request, 'id'))
      return answer(reply, true)
    })
    app.get('/bestand/:hq/export/waldbestand.gpkg', ausgabe)
  }
  return { routes, close: () => importe.close() }
}
