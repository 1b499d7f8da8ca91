// The tus library as uploads use it: where it puts the bytes, what it accepts, and what happens after the last
// byte.
import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { reasonForLog } from '#server/database/log-reason.ts'
import { isForLog, Refusal, toRefusal } from '#server/errors.ts'
import { isDiskFull } from '#server/full-disk.ts'
import { hashOf } from './store.ts'
import type { TakenUp, Uploaded, UploadOptions, UploadPlace } from './upload-options.ts'
import { bytesComing } from './arrivals.ts'
import { announcedIn, EXPIRES_MS, oneAtATime, personOf, roomFor, type UploadQuota } from './upload-quota.ts'
import { refusalOfQuota, refusalOfStatus, type ToldRefusal, toldAs, UploadFault } from './upload-refusals.ts'

const MOST_UPLOADS = 20

export interface Who<O> {
  readonly ort: O
  readonly id: string | null
}

export class TusServer<O extends UploadPlace> {
  readonly #options: UploadOptions<O>
  readonly #quota: UploadQuota
  readonly #store: QuotaStore
  readonly #tus: Server
  readonly #asked = new WeakMap<IncomingMessage, Who<O>>()
  readonly #ending = new Map<string, Promise<TakenUp>>()

  constructor(options: UploadOptions<O>) {
    this.#options = options
    this.#quota = options.quota ?? { uploads: MOST_UPLOADS, bytes: 2 * options.maxBytes }
    this.#store = new QuotaStore(options.folder, (id, size) => this.#makeRoom(id, size))
    this.#tus = new Server({
      path: '/upload',
      datastore: this.#store,
      maxSize: options.maxBytes,
      // One origin: no other origin may read an answer.
      allowedOrigins: [],
      relativeLocation: true,
      namingFunction: (request) => `${this.#whoOf(request).ort.name}-${randomUUID()}`,
      generateUrl: (request, { id }) => `${options.prefix}${this.#whoOf(request).ort.path}/${id}`,
      getFileIdFromRequest: (request) => this.#whoOf(request).id ?? undefined,
      onUploadCreate: async (_request, upload) => this.#checkCreate(upload),
      onUploadFinish: async (request, { id }) => {
        const { headers } = await this.finish(this.#whoOf(request).ort, id).catch((error: unknown) => {
          throw this.told(error)
        })
        return { headers: { ...headers } }
      },
      onResponseError: (request, error) => this.#answerFault(request, error),
    })
  }

  /** Leaves the request to the library. */
  async pass(who: Who<O>, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.#asked.set(request.raw, who)
    reply.raw.setHeader('cache-control', 'no-store')
    reply.hijack()
    await this.#tus.handle(request.raw, reply.raw)
  }

  /** What a finished upload has become, however often its end is reported and to whichever server. */
  finish(ort: O, id: string): Promise<TakenUp> {
    const known = this.#ending.get(id)
    if (known !== undefined) return known
    const work = this.#takeUp(ort, id).finally(() => this.#ending.delete(id))
    this.#ending.set(id, work)
    return work
  }

  async hasAllBytes(id: string): Promise<boolean> {
    const upload = await this.#store.getUpload(id).catch(() => null)
    return upload !== null && upload.offset === upload.size
  }

  /** Removes uploads that were begun and abandoned. */
  tidyUp(): Promise<number> {
    return removeLeft(this.#options.folder, this.#expiry())
  }

  told(error: unknown): ToldRefusal {
    return toldAs(this.#refusalOf(error))
  }

  #refusalOf(error: unknown): Refusal {
    return this.#options.refusalOf(error) ?? toRefusal(error)
  }

  #expiry(): Date {
    return new Date(this.#options.now().getTime() - EXPIRES_MS)
  }

  #whoOf(request: Request): Who<O> {
    const raw = (request as Request & { runtime?: { node?: { req: IncomingMessage } } }).runtime?.node?.req
    const who = raw === undefined ? undefined : this.#asked.get(raw)
    if (who === undefined) throw new Refusal('not_found')
    return who
  }

  async #makeRoom(id: string, size: number): Promise<void> {
    const { folder, fileStore, now } = this.#options
    const announced = await announcedIn(folder, this.#expiry())
    const free = (await fileStore.frei()) - (await bytesComing(folder))
    const asked = { person: personOf(id), size, free, now: now() }
    const room = roomFor(asked, announced, this.#quota)
    if ('fault' in room) throw this.told(refusalOfQuota(room.fault, this.#quota))
    for (const left of room.drop) await this.#store.remove(left).catch(() => undefined)
  }

  #checkCreate({ size, metadata }: Announcement): Record<string, never> {
    if (size === undefined)
      throw this.told(new Refusal('bad_value', 'Die Größe der Datei muss vorher bekannt sein.'))
    if (size === 0) throw this.told(new UploadFault('bad_value', 'upload_leer', 'Diese Datei ist leer.'))
    if (nameOf(metadata, this.#options.longestName) === null)
      throw this.told(new UploadFault('bad_value', 'upload_name', 'Der Dateiname ist leer oder zu lang.'))
    return {}
  }

  async #answerFault(
    request: Request,
    error: Error | { status_code: number; body: string },
  ): Promise<ToldRefusal> {
    if ('body' in error && error.body.startsWith('{'))
      return { status_code: error.status_code, body: error.body }
    const said = 'status_code' in error ? error.status_code : 500
    // A part of the protocol that is not offered here: the sender's mistake, not ours.
    const status = said === 501 ? 400 : said
    if (status < 500) return toldAs(this.#refusalOf(refusalOfStatus(status, this.#options.tooLarge)), status)
    const { fileStore, log } = this.#options
    const free = await fileStore.frei().catch(() => Number.POSITIVE_INFINITY)
    const full = isDiskFull(error) || free < 2 ** 20
    log.error('upload failed', { reason: reasonForLog(error), full })
    const { id } = this.#whoOf(request)
    // What does not fit is not kept in part.
    if (full && id !== null) await this.#store.remove(id).catch(() => undefined)
    return this.told(new Refusal(full ? 'storage_full' : 'internal'))
  }

  async #takeUp(ort: O, id: string): Promise<TakenUp> {
    try {
      const taken = await this.#options.takeUp(ort, await this.#uploaded(id))
      await this.#store.remove(id).catch(() => undefined)
      return taken
    } catch (error) {
      const refusal = this.#refusalOf(error)
      // Removed if another attempt cannot help; otherwise the next request tries again with the stored bytes.
      if (refusal.code === 'too_many_requests') throw refusal
      if (refusal.status < 500 || refusal.code === 'storage_full')
        await this.#store.remove(id).catch(() => undefined)
      if (isForLog(error, refusal.status))
        this.#options.log.error('upload not taken up', { ort: ort.path, reason: reasonForLog(error) })
      throw refusal
    }
  }

  /** @throws UploadFault when the bytes are not those that the sender announced */
  async #uploaded(id: string): Promise<Uploaded> {
    const { folder, longestName } = this.#options
    const filePath = join(folder, id)
    const { metadata } = await this.#store.getUpload(id)
    const found = await hashOf(filePath)
    const said = metadata?.['sha256']?.toLowerCase()
    if (said !== undefined && said !== found.sha256)
      throw new UploadFault(
        'bad_value',
        'upload_hash',
        'Die Datei ist nicht so angekommen, wie sie abgeschickt wurde. Bitte laden Sie sie noch einmal hoch.',
      )
    return { ...found, id, filePath, dateiname: nameOf(metadata, longestName)!, angaben: metadata ?? {} }
  }
}

type Announcement = Pick<Parameters<FileStore['create']>[0], 'size' | 'metadata'>

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
