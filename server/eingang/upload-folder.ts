// Where a received file is kept while it is read, and only then, under a name of our own.
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { EINGANG_BYTES } from '#contract/eingang.ts'
import { Refusal } from '#server/errors.ts'
import { isDiskFull } from '#server/full-disk.ts'
import { FileFault } from './file-fault.ts'

const ABANDONED_MS = 86_400_000

export interface UploadFolder {
  /** Runs `work` with the path of a file that holds these bytes. @throws FileFault, Refusal */
  with<T>(body: Readable | Buffer, work: (path: string) => Promise<T>): Promise<T>
  /** Removes what a killed server left behind. */
  tidy(now: Date): Promise<void>
}

export function createUploadFolder(folder: string): UploadFolder {
  return {
    async with(body, work) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, randomUUID())
      try {
        if (Buffer.isBuffer(body)) await writeFile(path, body, { mode: 0o600 })
        else await pipeline(body, bounded, createWriteStream(path, { mode: 0o600 }))
        return await work(path)
      } catch (error) {
        if (isDiskFull(error)) throw new Refusal('storage_full')
        throw error
      } finally {
        await rm(path, { force: true })
      }
    },
    async tidy(now) {
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name)
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now.getTime() }))
        if (now.getTime() - mtimeMs > ABANDONED_MS) await rm(path, { force: true })
      }
    },
  }
}

async function* bounded(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > EINGANG_BYTES) throw new FileFault('eingang_gross')
    yield chunk
  }
}
