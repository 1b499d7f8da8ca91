// Uploads that can be interrupted and continued (tus 1.0.0). The caller's rights are checked on each request;
// an upload belongs to its place and to the person who began it. After the last byte the file is compared
// with the hash the sender announced, and handed over for use; until then no row refers to it.
import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import { generalCode, reasonForLog, Refusal, toRefusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import {
  announcedIn,
  oneAtATime,
  personOf,
  type QuotaFault,
  roomFor,
  type UploadQuota,
} from './upload-quota.ts'
import { type Stored, type Store, hashOf, isFull } from './store.ts'

/** Has a rule name beside the code, by which the browser finds its sentence. */
export class UploadFault extends Refusal {
  readonly hint: string
  constructor(code: ErrorCode, hint: string, message: string) {
    super(code, message)
    this.hint = hint
  }
}

/** Where an upload belongs and whose it is: requests of other people do not find it. */
export interface UploadPlace {
  /** Names the place and the person; the upload's name begins with it. */
  readonly name: string
  /** Path of the uploads of this place below the prefix. */
  readonly path: string
}
export interface Uploaded extends Stored {
  readonly id: string
  readonly filePath: string
  readonly dateiname: string
  /** The upload's metadata; null where the sender gave a name without a value. */
  readonly angaben: Readonly<Record<string, string | null>>
}
/** What the upload has become: sent in headers of the last answer. */
export interface TakenUp {
  readonly groesse: number
  readonly headers: Readonly<Record<string, string>>
}

export interface UploadOptions<O extends UploadPlace> {
  /** In Fastify's notation, such as /karte/:karte/upload. */
  readonly route: string
  /** Base path of the routes. */
  readonly prefix: string
  /** For unfinished uploads; shared by all servers. */
  readonly folder: string
  readonly maxBytes: number
  /** What one person may have unfinished at a time, here and at the other places that share the folder. */
  readonly quota?: UploadQuota
  /** The refusal of a larger file. */
  readonly tooLarge: { readonly hint: string; readonly message: string }
  /** Longest file name, in characters. */
  readonly longestName: number
  readonly fileStore: Store
  readonly log: Log
  readonly now: () => Date
  /** Refuses, or returns where the upload belongs. */
  allowed(request: FastifyRequest): Promise<O>
  /** What an upload of this place has already become, on any server; null: nothing yet. */
  taken(ort: O, id: string): Promise<TakenUp | null>
  /** Asked before an upload begins: does the file exist already? */
  there?(ort: O, sha256: string | null): Promise<TakenUp | null>
  /** All bytes have arrived and match the hash. The file is removed afterwards. */
  takeUp(ort: O, file: Uploaded): Promise<TakenUp>
  refusalOf(error: unknown): Refusal | null
}

export interface Upload {
  install(app: FastifyInstance): Promise<void>
  /** Removes uploads that were begun and abandoned. */
  tidyUp(): Promise<number>
}

const MOST_UPLOADS = 20
const EXPIRES_MS = 3 * 24 * 60 * 60 * 1000
const TUS = { 'tus-resumable': '1.0.0', 'cache-control': 'no-store' }
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** Used in place of an upload's name when there is nothing left to send. */
const THERE = 'da'

interface Who<O> {
  readonly ort: O
  readonly id: string | null
}

export function resumableUpload<O extends UploadPlace>(options: UploadOptions<O>): Upload {
  const { route, prefix, folder, maxBytes, tooLarge, longestName, fileStore, log, now } = options
  const asked = new WeakMap<IncomingMessage, Who<O>>()
  const ending = new Map<string, Promise<TakenUp>>()
  const quota = options.quota ?? { uploads: MOST_UPLOADS, bytes: 2 * maxBytes }
  const store = new QuotaStore(folder, async (id, size) => {
    const announced = await announcedIn(folder, new Date(now().getTime() - EXPIRES_MS))
    const room = roomFor(
      { person: personOf(id), size, free: await fileStore.frei(), now: now() },
      announced,
      quota,
    )
    if ('fault' in room) throw told(refusalOfQuota(room.fault, quota))
    for (const left of room.drop) await store.remove(left).catch(() => undefined)
  })

  const whoOf = (request: Request): Who<O> => {
    const raw = (request as Request & { runtime?: { node?: { req: IncomingMessage } } }).runtime?.node?.req
    const wer = raw === undefined ? undefined : asked.get(raw)
    if (wer === undefined) throw new Refusal('not_found')
    return wer
  }

  const tus = new Server({
    path: '/upload',
    datastore: store,
    maxSize: maxBytes,
    // One origin: no other origin may read an answer.
    allowedOrigins: [],
    relativeLocation: true,
    namingFunction: (request) => `${whoOf(request).ort.name}-${randomUUID()}`,
    generateUrl: (request, { id }) => `${prefix}${whoOf(request).ort.path}/${id}`,
    getFileIdFromRequest: (request) => whoOf(request).id ?? undefined,
    onUploadCreate: async (_request, { size, metadata }) => {
      if (size === undefined)
        throw told(new Refusal('bad_value', 'Die Größe der Datei muss vorher bekannt sein.'))
      if (size === 0) throw told(new UploadFault('bad_value', 'upload_leer', 'Diese Datei ist leer.'))
      if (nameOf(metadata, longestName) === null)
        throw told(new UploadFault('bad_value', 'upload_name', 'Der Dateiname ist leer oder zu lang.'))
      return {}
    },
    onUploadFinish: async (request, { id }) => {
      const { ort } = whoOf(request)
      const { headers } = await finish(ort, id).catch((error: unknown) => {
        throw told(error)
      })
      return { headers: { ...headers } }
    },
    onResponseError: async (request, error) => {
      if ('body' in error && error.body.startsWith('{'))
        return { status_code: error.status_code, body: error.body }
      const status = 'status_code' in error ? error.status_code : 500
      if (status >= 500) {
        const full = (await fileStore.frei().catch(() => Number.POSITIVE_INFINITY)) < 2 ** 20
        log.error('upload failed', { reason: reasonForLog(error), full })
        const { id } = whoOf(request)
        // What does not fit is not kept in part.
        if (full && id !== null) await store.remove(id).catch(() => undefined)
        return told(new Refusal(full ? 'storage_full' : 'internal'))
      }
      return told(refusalOfStatus(status), status)
    },
  })

  const refusalOf = (error: unknown): Refusal =>
    options.refusalOf(error) ?? (isFull(error) ? new Refusal('storage_full') : toRefusal(error))

  /** In the form the tus library takes: a status and a text, which is a failed answer of the general API. */
  function told(error: unknown, status?: number): { status_code: number; body: string } {
    const refusal = refusalOf(error)
    const body = {
      code: status === undefined ? generalCode(refusal) : status * 100,
      message: refusal.message,
      data: null,
      error: refusal.code,
      ...(refusal instanceof UploadFault && { hint: refusal.hint }),
    }
    return { status_code: status ?? refusal.status, body: JSON.stringify(body) }
  }

  function refusalOfStatus(status: number): Refusal {
    if (status === 413) return new UploadFault('too_large', tooLarge.hint, tooLarge.message)
    if (status === 404 || status === 410)
      return new Refusal('not_found', 'Dieser Upload ist nicht mehr da. Bitte beginnen Sie ihn von vorn.')
    if (status === 409)
      return new Refusal('conflict', 'Der Upload steht an einer anderen Stelle. Bitte setzen Sie ihn fort.')
    return new Refusal(
      CODES.get(status) ?? 'bad_value',
      'Der Upload konnte nicht fortgesetzt werden. Bitte versuchen Sie es noch einmal.',
    )
  }

  /** What a finished upload has become, however often its end is reported and to whichever server. */
  function finish(ort: O, id: string): Promise<TakenUp> {
    const known = ending.get(id)
    if (known !== undefined) return known
    const work = takeUp(ort, id).finally(() => ending.delete(id))
    ending.set(id, work)
    return work
  }

  async function takeUp(ort: O, id: string): Promise<TakenUp> {
    const filePath = join(folder, id)
    try {
      const { metadata } = await store.getUpload(id)
      const found = await hashOf(filePath)
      const said = metadata?.['sha256']?.toLowerCase()
      if (said !== undefined && said !== found.sha256)
        throw new UploadFault(
          'bad_value',
          'upload_hash',
          'Die Datei ist nicht so angekommen, wie sie abgeschickt wurde. Bitte laden Sie sie noch einmal hoch.',
        )
      const taken = await options.takeUp(ort, {
        ...found,
        id,
        filePath,
        dateiname: nameOf(metadata, longestName)!,
        angaben: metadata ?? {},
      })
      await store.remove(id).catch(() => undefined)
      return taken
    } catch (error) {
      const refusal = refusalOf(error)
      // Removed if another attempt cannot help; otherwise the next request tries again with the stored bytes.
      if (refusal.code === 'too_many_requests') throw refusal
      if (refusal.status < 500 || refusal.code === 'storage_full')
        await store.remove(id).catch(() => undefined)
      if (refusal.status >= 500)
        log.error('upload not taken up', { ort: ort.path, reason: reasonForLog(error) })
      throw refusal
    }
  }

  async function allowed(request: FastifyRequest): Promise<Who<O>> {
    const ort = await options.allowed(request)
    const { id } = request.params as { id?: string }
    if (id === undefined || id === THERE) return { ort, id: id ?? null }
    if (!id.startsWith(`${ort.name}-`) || !UUID.test(id.slice(ort.name.length + 1)))
      throw new Refusal('not_found')
    return { ort, id }
  }

  async function pass(wer: Who<O>, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    asked.set(request.raw, wer)
    reply.raw.setHeader('cache-control', 'no-store')
    reply.hijack()
    await tus.handle(request.raw, reply.raw)
  }

  async function create(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const wer = await allowed(request)
    let there: TakenUp | null
    try {
      there = (await options.there?.(wer.ort, saidHash(request.headers['upload-metadata']))) ?? null
    } catch (error) {
      const { status_code, body } = told(error)
      return reply
        .code(status_code)
        .headers({ ...TUS, 'content-type': 'application/json; charset=utf-8' })
        .send(body)
    }
    if (there === null) {
      await pass(wer, request, reply)
      return undefined
    }
    const { groesse, headers } = there
    return reply
      .code(201)
      .headers({
        ...TUS,
        ...headers,
        location: `${prefix}${wer.ort.path}/${THERE}`,
        'upload-offset': String(groesse),
      })
      .send()
  }

  /** For a file that exists already: answers that all of it has arrived. */
  async function patch(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const wer = await allowed(request)
    if (wer.id !== THERE) {
      await pass(wer, request, reply)
      return undefined
    }
    const { groesse, headers } = await thereOr404(wer.ort)
    return reply
      .code(204)
      .headers({ ...TUS, ...headers, 'upload-offset': String(groesse) })
      .send()
  }
  async function thereOr404(ort: O): Promise<TakenUp> {
    const there = (await options.there?.(ort, null)) ?? null
    if (there === null) throw new Refusal('not_found')
    return there
  }

  async function remove(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const wer = await allowed(request)
    if (wer.id === THERE) throw new Refusal('not_found')
    await pass(wer, request, reply)
  }

  /**
   * How much has arrived. If that is everything, it answers only once the file is taken up: a sender that
   * missed the answer would take the upload for done.
   */
  async function head(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const wer = await allowed(request)
    const id = wer.id!
    let taken = id === THERE ? await thereOr404(wer.ort) : await options.taken(wer.ort, id)
    if (taken === null) {
      const upload = await store.getUpload(id).catch(() => null)
      if (upload === null || upload.offset !== upload.size) {
        await pass(wer, request, reply)
        return undefined
      }
      taken = await finish(wer.ort, id)
    }
    const size = String(taken.groesse)
    return reply.headers({ ...TUS, ...taken.headers, 'upload-offset': size, 'upload-length': size }).send()
  }

  return {
    async install(app) {
      // The body goes to the store unparsed: reading it here would take it away from there.
      if (!app.hasContentTypeParser('application/offset+octet-stream'))
        app.addContentTypeParser('application/offset+octet-stream', (_request, _payload, done) =>
          done(null, undefined),
        )
      app.post(route, create)
      app.patch(`${route}/:id`, patch)
      app.delete(`${route}/:id`, remove)
      app.head(`${route}/:id`, head)
    },
    tidyUp: () => removeLeft(folder, new Date(now().getTime() - EXPIRES_MS)),
  }
}

/** Checks that there is room before it begins an upload. */
class QuotaStore extends FileStore {
  readonly #check: (id: string, size: number) => Promise<void>
  readonly #folder: string
  constructor(folder: string, check: (id: string, size: number) => Promise<void>) {
    super({ directory: folder, expirationPeriodInMilliseconds: EXPIRES_MS })
    this.#folder = folder
    this.#check = check
  }
  override create(upload: Parameters<FileStore['create']>[0]): ReturnType<FileStore['create']> {
    return oneAtATime(this.#folder, async () => {
      await this.#check(upload.id, upload.size ?? 0)
      return super.create(upload)
    })
  }
}

function refusalOfQuota(fault: QuotaFault, { uploads, bytes }: UploadQuota): Refusal {
  if (fault === 'disk') return new Refusal('storage_full')
  return new UploadFault(
    'too_many_requests',
    'upload_offen',
    fault === 'uploads'
      ? `Sie haben schon ${uploads} Uploads begonnen und nicht beendet. Bitte beenden Sie diese zuerst, oder brechen Sie sie ab.`
      : `Ihre begonnenen Uploads sind zusammen größer als ${Math.round(bytes / 2 ** 20).toLocaleString('de-DE')} MB. Bitte beenden Sie diese zuerst, oder brechen Sie sie ab.`,
  )
}

const CODES = new Map<number, ErrorCode>(
  Object.entries(ERRORS).map(([code, status]) => [status, code as ErrorCode]),
)

/** Reads the metadata in the protocol's notation: names and values in base64, separated by commas. */
function saidHash(metadata: string | string[] | undefined): string | null {
  const found = /(?:^|,)\s*sha256 ([A-Za-z0-9+/=]+)/.exec(String(metadata ?? ''))
  return found === null ? null : Buffer.from(found[1]!, 'base64').toString('latin1').toLowerCase()
}

/**
 * Removes uploads and their .json files by the latter's time, which is that of the beginning; either file may
 * exist without the other.
 */
async function removeLeft(folder: string, before: Date): Promise<number> {
  const ageOf = (name: string) =>
    stat(join(folder, name)).then(
      ({ mtime }) => mtime,
      () => null,
    )
  let count = 0
  for (const name of await readdir(folder).catch(() => [])) {
    const began = (await ageOf(`${name.replace(/\.json$/, '')}.json`)) ?? (await ageOf(name))
    if (began === null || began >= before) continue
    await rm(join(folder, name), { recursive: true, force: true })
    count++
  }
  return count
}

/** The last part of a path, on one line; null if nothing is left, or if it is too long. */
function nameOf(
  metadata: Readonly<Record<string, string | null>> | undefined,
  longest: number,
): string | null {
  const name = (metadata?.['filename'] ?? '')
    .split(/[/\\]/)
    .at(-1)!
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u001f\u007f]+/g, ' ')
    .trim()
  return name === '' || [...name].length > longest ? null : name
}
