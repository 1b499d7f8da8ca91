// Local copies of files that are stored elsewhere, for programs that need random access. Bounded: the least
// recently used copies are evicted first.
import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { copyFile, link, mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { entriesOf, flush, isFileName, storeKeyOf, sizeAt } from './store.ts'

export interface FileCache {
  /** Null if the file is not there and cannot be fetched. */
  filePath(sha256: string): Promise<string | null>
  /** Path of the copy if there is one already. */
  vorhanden(sha256: string): Promise<string | null>
  /** Keeps a local file that was just stored elsewhere: it is likely to be asked for soon. */
  keep(sha256: string, path: string): Promise<void>
  evict(sha256: string): Promise<void>
}

export interface FileCacheOptions {
  readonly folder: string
  readonly maxBytes: number
  fetchCopy(sha256: string): Promise<Readable | null>
}

/** A path handed out this recently may not have been opened yet, so it is not evicted. */
const HANDED_OUT_MS = 60_000

interface Entry {
  readonly bytes: number
  readonly seit: number
}

export const createFileCache = (options: FileCacheOptions): FileCache => new FolderCache(options)

class FolderCache implements FileCache {
  readonly #options: FileCacheOptions
  readonly #coming = new Map<string, Promise<string | null>>()
  /** In the order of their last use, the oldest first. */
  #known: Promise<Map<string, Entry>> | null = null
  #total = 0
  #clearing: Promise<void> = Promise.resolve()

  constructor(options: FileCacheOptions) {
    this.#options = options
  }

  async vorhanden(sha256: string): Promise<string | null> {
    const place = this.#placeOf(sha256)
    const bytes = await sizeAt(place)
    if (bytes === null) return null
    await this.#note(sha256, bytes)
    return place
  }

  async filePath(sha256: string): Promise<string | null> {
    const there = await this.vorhanden(sha256)
    if (there !== null) return there
    const under = this.#coming.get(sha256)
    if (under !== undefined) return under
    const work = this.#fetch(sha256).finally(() => this.#coming.delete(sha256))
    this.#coming.set(sha256, work)
    return work
  }

  async keep(sha256: string, path: string): Promise<void> {
    const place = this.#placeOf(sha256)
    const bytes = await sizeAt(path)
    if (bytes === null || bytes > this.#options.maxBytes / 4) return
    await mkdir(dirname(place), { recursive: true, mode: 0o700 })
    await nameAlso(path, place)
    await this.#note(sha256, bytes)
    this.#makeRoom()
  }

  async evict(sha256: string): Promise<void> {
    const bytes = await sizeAt(this.#placeOf(sha256))
    if (bytes !== null) await this.#forget(sha256, bytes)
  }

  #placeOf(sha256: string): string {
    return join(this.#options.folder, storeKeyOf(sha256))
  }

  #entries(): Promise<Map<string, Entry>> {
    this.#known ??= this.#readFolder()
    return this.#known
  }

  async #readFolder(): Promise<Map<string, Entry>> {
    const { folder } = this.#options
    const found: [name: string, bytes: number, at: number][] = []
    for (const part of await entriesOf(folder))
      for (const name of isFileName(part.padEnd(64, '0')) ? await entriesOf(join(folder, part)) : []) {
        const there = await stat(join(folder, part, name)).catch(() => null)
        if (there === null) continue
        if (isFileName(name)) found.push([name, there.size, there.mtimeMs])
        // An unfinished download of a server that died.
        else await rm(join(folder, part, name), { force: true })
      }
    this.#total = found.reduce((sum, [, bytes]) => sum + bytes, 0)
    return new Map(found.toSorted((a, b) => a[2] - b[2]).map(([name, bytes]) => [name, { bytes, seit: 0 }]))
  }

  async #note(sha256: string, bytes: number): Promise<void> {
    const all = await this.#entries()
    this.#total += bytes - (all.get(sha256)?.bytes ?? 0)
    all.delete(sha256)
    all.set(sha256, { bytes, seit: performance.now() })
  }

  #makeRoom(): void {
    this.#clearing = this.#clearing.then(() => this.#clear()).catch(() => undefined)
  }

  async #clear(): Promise<void> {
    for (const [name, { bytes, seit }] of await this.#entries()) {
      if (this.#total <= this.#options.maxBytes) return
      if (seit > 0 && performance.now() - seit < HANDED_OUT_MS) continue
      await this.#forget(name, bytes)
    }
  }

  async #forget(sha256: string, bytes: number): Promise<void> {
    if ((await this.#entries()).delete(sha256)) this.#total -= bytes
    await rm(this.#placeOf(sha256), { force: true })
  }

  async #fetch(sha256: string): Promise<string | null> {
    const stream = await this.#options.fetchCopy(sha256)
    if (stream === null) return null
    const place = this.#placeOf(sha256)
    await mkdir(dirname(place), { recursive: true, mode: 0o700 })
    const bytes = await writeVerified(stream, place, sha256)
    await this.#note(sha256, bytes)
    this.#makeRoom()
    return place
  }
}

/** Complete and with the bytes that its name says, or not at all. Returns how many there are. */
async function writeVerified(stream: Readable, place: string, sha256: string): Promise<number> {
  const beside = join(dirname(place), randomUUID())
  const hash = createHash('sha256')
  let bytes = 0
  const look = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  try {
    await pipeline(stream, look, createWriteStream(beside, { mode: 0o600 }))
    if (hash.digest('hex') !== sha256)
      throw new Error(`stored file ${sha256} has other bytes than its name says`)
    await flush(beside)
    await rename(beside, place)
  } finally {
    await rm(beside, { force: true })
  }
  return bytes
}

/** A hard link, or a copy on file systems without them. Complete or not at all. */
export async function nameAlso(path: string, place: string): Promise<void> {
  const beside = join(dirname(place), randomUUID())
  try {
    await link(path, beside).catch(() => copyFile(path, beside))
    await rename(beside, place)
  } finally {
    await rm(beside, { force: true })
  }
}
