// The sizes in which photos are shown: drawn when a photo arrives, and made later for those whose row has none.
import type { Context, Database } from '#server/database/database.ts'
import type { Store } from '#server/files/store.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import { createJob, type Job } from '#server/job.ts'
import type { Log } from '#server/log.ts'
import { PHOTO_KINDS, type PhotoKind } from './photo-kinds.ts'
import type { PhotoProcessor } from './photo-processor.ts'
import type { PhotoResult, PhotoSize } from './photo-work.ts'

export interface PhotoSizesOptions {
  readonly database: Database
  readonly fileStore: Store
  readonly log: Log
  readonly processor: PhotoProcessor
}

export type NamesBySize = Readonly<Record<PhotoSize, string>>

const WORKER: Context = { role: 'forst_karte' }
const AT_ONCE = 100
const FIRST_MS = 60_000
const EVERY_MS = 60 * 60_000
const NEVER = new AbortController().signal

export class PhotoSizes {
  readonly job: Job
  readonly #options: PhotoSizesOptions

  constructor(options: PhotoSizesOptions) {
    this.#options = options
    this.job = createJob({
      name: 'sizes of photos',
      firstMs: FIRST_MS,
      everyMs: EVERY_MS,
      // Not waited for: what is being drawn is cut off with its process.
      graceMs: 0,
      round: (signal) => this.makeMissing(signal),
      onFault: (error) => options.log.error('photos cannot be looked at', { reason: reasonForLog(error) }),
    })
  }

  /** Stores the three sizes before `then` refers to them. */
  async draw<T>(filePath: string, then: (result: PhotoResult, names: NamesBySize) => Promise<T>): Promise<T> {
    const { fileStore, processor } = this.#options
    const work = await fileStore.workFile()
    const targets = { klein: `${work}.klein`, mittel: `${work}.mittel`, gross: `${work}.gross` }
    try {
      const result = await processor.draw({ filePath, targets })
      const [small, medium, gross] = await Promise.all([
        fileStore.putFile(targets.klein),
        fileStore.putFile(targets.mittel),
        fileStore.putFile(targets.gross),
      ])
      return await then(result, { klein: small.sha256, mittel: medium.sha256, gross: gross.sha256 })
    } finally {
      await fileStore.removeWork(work).catch(() => undefined)
    }
  }

  /** Makes the sizes of photos whose row has none. Returns how many were made. */
  async makeMissing(signal: AbortSignal = NEVER): Promise<number> {
    let count = 0
    // oxlint-disable-next-line no-await-in-loop -- one after the other, beside what people send
    for (const kind of PHOTO_KINDS) count += await this.#makeMissingOf(kind, signal)
    return count
  }

  async #makeMissingOf(kind: PhotoKind, signal: AbortSignal): Promise<number> {
    let [count, last] = [0, 0]
    while (!signal.aborted) {
      const { rows } = await this.#options.database.once<{ id: number; sha256: string }>(WORKER, {
        ...kind.open,
        values: [last, AT_ONCE],
      })
      if (rows.length === 0) return count
      for (const { id, sha256 } of rows) {
        if (signal.aborted) return count
        last = id
        if (await this.#makeOne(kind, id, sha256)) count++
      }
    }
    return count
  }

  async #makeOne({ drawn, bytesRoute }: PhotoKind, id: number, sha256: string): Promise<boolean> {
    const { database, fileStore, log } = this.#options
    const work = await fileStore.workFile()
    try {
      const filePath = await fileStore.filePath(sha256, work)
      if (filePath === null) throw new Error('the original is missing')
      await this.draw(filePath, (_result, { klein, mittel, gross }) =>
        database.once(WORKER, { ...drawn, values: [id, klein, mittel, gross] }),
      )
      return true
    } catch (error) {
      const what = { route: bytesRoute, bild: id, reason: reasonForLog(error) }
      log.error('sizes of a photo not made', what)
      return false
    } finally {
      await fileStore.removeWork(work).catch(() => undefined)
    }
  }
}
