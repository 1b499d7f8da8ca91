// The sizes in which photos are shown: drawn when a photo arrives, and made later for those whose row has none.
import type { Context, Database } from '#server/database/database.ts'
import type { Store } from '#server/files/store.ts'
import { reasonForLog } from '#server/errors.ts'
import { createJob, type Job } from '#server/job.ts'
import type { Log } from '#server/log.ts'
import type { PhotoProcessor } from './photo-processor.ts'
import type { PhotoResult, PhotoSize } from './photo-work.ts'

export interface PhotoSizesOptions {
  readonly database: Database
  readonly fileStore: Store
  readonly log: Log
  readonly processor: PhotoProcessor
}

export type NamesBySize = Readonly<Record<PhotoSize, string>>

/** $1: the photo, $2 to $4: the stored files of its sizes. */
export const DRAWN = {
  name: 'set_picture_sizes',
  text: 'select forest.set_picture_sizes($1, $2, $3, $4) as ok',
}
const OPEN = {
  name: 'pictures_without_sizes',
  text: 'select id, sha256 from forest.pictures_without_sizes($1, $2)',
}
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
      const [klein, mittel, gross] = await Promise.all([
        fileStore.putFile(targets.klein),
        fileStore.putFile(targets.mittel),
        fileStore.putFile(targets.gross),
      ])
      return await then(result, { klein: klein.sha256, mittel: mittel.sha256, gross: gross.sha256 })
    } finally {
      await fileStore.removeWork(work).catch(() => undefined)
    }
  }

  /** Makes the sizes of photos whose row has none. Returns how many were made. */
  async makeMissing(signal: AbortSignal = NEVER): Promise<number> {
    let [count, last] = [0, 0]
    while (!signal.aborted) {
      const { rows } = await this.#options.database.once<{ id: number; sha256: string }>(WORKER, {
        ...OPEN,
        values: [last, AT_ONCE],
      })
      if (rows.length === 0) return count
      for (const { id, sha256 } of rows) {
        if (signal.aborted) return count
        last = id
        if (await this.#makeOne(id, sha256)) count++
      }
    }
    return count
  }

  async #makeOne(id: number, sha256: string): Promise<boolean> {
    const { database, fileStore, log } = this.#options
    const work = await fileStore.workFile()
    try {
      const filePath = await fileStore.filePath(sha256, work)
      if (filePath === null) throw new Error('the original is missing')
      await this.draw(filePath, (_result, { klein, mittel, gross }) =>
        database.once(WORKER, { ...DRAWN, values: [id, klein, mittel, gross] }),
      )
      return true
    } catch (error) {
      log.error('sizes of a photo not made', { bild: id, reason: reasonForLog(error) })
      return false
    } finally {
      await fileStore.removeWork(work).catch(() => undefined)
    }
  }
}
