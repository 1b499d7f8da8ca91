// The addresses under which files are imported and exported: the same in every room that does so.
import { rm } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FileReason } from '#contract/vermessung-import.ts'
import type { Caller } from '#server/caller.ts'
import type { Arrivals, ArrivalPlace } from '#server/files/arrivals.ts'
import { forNutzer } from '#server/route-caller.ts'
import { goneSignal } from '#server/work-queue.ts'
import { faultAnswer, fileOf, paramOf, queryOf, respond } from './answer.ts'
import type { SentFile } from './imports.ts'
import { fileNameOf } from './reasons.ts'
import type { Store } from './store.ts'

/** The imports of a room. The signals abort when the caller hangs up. */
export interface Imports {
  /** @param owner number of the record to which the file belongs */
  add(caller: Caller, owner: string, sent: SentFile, signal: AbortSignal): Promise<unknown>
  read(caller: Caller, id: string): Promise<unknown>
  check(caller: Caller, id: string, body: unknown, signal: AbortSignal): Promise<unknown>
  start(caller: Caller, id: string, body: unknown): Promise<unknown>
  drop(caller: Caller, id: string): Promise<void>
}

/**
 * Bytes arrive as a stream, and faults of files are answered with their reason.
 * @param reasons those that this room explains in its own words
 */
export function acceptFiles(app: FastifyInstance, reasons: Partial<Record<FileReason, string>> = {}): void {
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
  app.setErrorHandler(faultAnswer(reasons))
}

export interface ImportRoutes extends ArrivalPlace {
  /** Base path with the parameter that names the owner, such as /bestand/:hq. */
  readonly place: `/${string}/:${string}`
  readonly imports: Imports
  readonly arrivals: Arrivals
}

export function importRoutes(
  app: FastifyInstance,
  { place, imports, arrivals, ...kept }: ImportRoutes,
): void {
  const [base = '', owner = ''] = place.split('/:')
  const idOf = (request: FastifyRequest): string => paramOf(request, 'id')
  app.post(
    `${place}/upload`,
    forNutzer(async (caller, request, reply) => {
      const sent = { name: fileNameOf(queryOf(request, 'name')), body: fileOf(request) }
      const made = await arrivals.take(caller, { request, reply }, kept, () =>
        imports.add(caller, paramOf(request, owner), sent, goneSignal(reply)),
      )
      return respond(reply, made)
    }),
  )
  app.get(
    `${base}/import/:id`,
    forNutzer(async (caller, request, reply) => respond(reply, await imports.read(caller, idOf(request)))),
  )
  app.post(
    `${base}/import/:id/pruefen`,
    forNutzer(async (caller, request, reply) => {
      const signal = goneSignal(reply)
      return respond(reply, await imports.check(caller, idOf(request), request.body, signal))
    }),
  )
  app.post(
    `${base}/import/:id/start`,
    forNutzer(async (caller, request, reply) =>
      respond(reply, await imports.start(caller, idOf(request), request.body)),
    ),
  )
  app.delete(
    `${base}/import/:id`,
    forNutzer(async (caller, request, reply) => {
      await imports.drop(caller, idOf(request))
      return respond(reply, true)
    }),
  )
}

export interface MadeFile {
  readonly filePath: string
  readonly groesse: number
  readonly type: string
  /** For `content-disposition`; see contentDispositionOf. */
  readonly disposition: string
  readonly sha256?: string
}

/** Sends a file that was made for this request, and removes it afterwards. */
export function sendMadeFile(
  reply: FastifyReply,
  fileStore: Pick<Store, 'open'>,
  { filePath, groesse, type, disposition, sha256 }: MadeFile,
): FastifyReply {
  const stream = fileStore.open(filePath)
  stream.once('close', () => void rm(filePath, { force: true }))
  return reply
    .headers({
      'content-type': type,
      'content-length': groesse,
      'content-disposition': disposition,
      ...(sha256 !== undefined && {
        'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
      }),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .send(stream)
}
