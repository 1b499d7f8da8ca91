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

export function createFileCache({ folder, maxBytes, fetchCopy }: FileCacheOptions): FileCache {
  const placeOf = (sha256: string): string => join(folder, storeKeyOf(sha256))
  const coming = new Map<string, Promise<string | null>>()
  /** In the order of their last use, the oldest first. */
  let known: Promise<Map<string, Entry>> | null = null
  let total = 0
  let clearing: Promise<void> = Promise.resolve()

  async function read(): Promise<Map<string, Entry>> {
    const found: [name: string, bytes: number, at: number][] = []
    for (const part of await entriesOf(folder))
      for (const name of isFileName(part.padEnd(64, '0')) ? await entriesOf(join(folder, part)) : []) {
        const there = await stat(join(folder, part, name)).catch(() => null)
        if (there === null) continue
        if (isFileName(name)) found.push([name, there.size, there.mtimeMs])
        // An unfinished download of a server that died.
        else await rm(join(folder, part, name), { force: true })
      }
    total = found.reduce((sum, [, bytes]) => sum + bytes, 0)
    return new Map(found.toSorted((a, b) => a[2] - b[2]).map(([name, bytes]) => [name, { bytes, seit: 0 }]))
  }
  const entries = (): Promise<Map<string, Entry>> => (known ??= read())

  async function note(sha256: string, bytes: number): Promise<void> {
    const all = await entries()
    total += bytes - (all.get(sha256)?.bytes ?? 0)
    all.delete(sha256)
    all.set(sha256, { bytes, seit: performance.now() })
  }

  function makeRoom(): void {
    clearing = clearing.then(async () => {
      for (const [name, { bytes, seit }] of await entries()) {
        if (total <= maxBytes) return
        if (seit > 0 && performance.now() - seit < HANDED_OUT_MS) continue
        await forget(name, bytes)
      }
    })
    clearing = clearing.catch(() => undefined)
  }

  async function forget(sha256: string, bytes: number): Promise<void> {
    if ((await entries()).delete(sha256)) total -= bytes
    await rm(placeOf(sha256), { force: true })
  }

  async function fetchIt(sha256: string): Promise<string | null> {
    const stream = await fetchCopy(sha256)
    if (stream === null) return null
    const place = placeOf(sha256)
    await mkdir(dirname(place), { recursive: true, mode: 0o700 })
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
    await note(sha256, bytes)
    makeRoom()
    return place
  }

  async function vorhanden(sha256: string): Promise<string | null> {
    const place = placeOf(sha256)
    const bytes = await sizeAt(place)
    if (bytes === null) return null
    await note(sha256, bytes)
    return place
  }

  return {
    vorhanden,
    async filePath(sha256) {
      const there = await vorhanden(sha256)
      if (there !== null) return there
      const under = coming.get(sha256)
      if (under !== undefined) return under
      const work = fetchIt(sha256).finally(() => coming.delete(sha256))
      coming.set(sha256, work)
      return work
    },
    async keep(sha256, path) {
      const place = placeOf(sha256)
      const bytes = await sizeAt(path)
      if (bytes === null || bytes > maxBytes / 4) return
      await mkdir(dirname(place), { recursive: true, mode: 0o700 })
      await nameAlso(path, place)
      await note(sha256, bytes)
      makeRoom()
    },
    async evict(sha256) {
      const bytes = await sizeAt(placeOf(sha256))
      if (bytes !== null) await forget(sha256, bytes)
    },
  }
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
