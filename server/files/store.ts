// Stores the bytes of plans and photos: each file once, under the SHA-256 of its content, so that a
// file found under its name is complete. Rows of the database refer to them; what no row refers to is
// removed by the clean-up. The driver below keeps them in a folder, which several servers may share;
// s3-store.ts keeps them in a bucket.
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, statfs, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { isDiskFull, NoSpaceError } from '#server/full-disk.ts'

export interface Stored {
  readonly sha256: string
  readonly groesse: number
}
export interface Listed extends Stored {
  /** When it was last stored; storing a file that exists updates it. */
  readonly seit: Date
}

export interface Store {
  /**
   * Stores a local file, which may be removed afterwards but not written to. Complete or not at all.
   * @param known what `hashOf` said about it a moment ago
   */
  putFile(path: string, known?: Stored): Promise<Stored>
  /** Null if there is none. `end` is inclusive, as in an HTTP range. */
  readFrom(sha256: string, range?: { readonly start: number; readonly end: number }): Promise<Readable | null>
  groesse(sha256: string): Promise<number | null>
  /**
   * A path on this machine, for programs that need random access. Read only. Null if there is none.
   * @param workPath a work file: the path stays valid as long as it exists; without one, the
   * path must be opened at once
   */
  filePath(sha256: string, workPath?: string): Promise<string | null>
  remove(sha256: string): Promise<void>
  /** Unless it has been stored again since; returns whether it was removed. */
  removeOld(sha256: string, before: Date): Promise<boolean>
  liste(): AsyncIterable<Listed>
  /** A path on this machine for work in progress: a new one for each call, removed by the caller. */
  workFile(): Promise<string>
  /** Also removes what is beside it under the same beginning of the name. */
  removeWork(path: string): Promise<void>
  /** Bytes free. */
  frei(): Promise<number>
  /** Removes work in progress of a server that died. */
  cleanUpWork(olderThan: Date): Promise<number>
}

export const isAbsent = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT'
const NAME = /^[0-9a-f]{64}$/
export const isFileName = (name: string): boolean => NAME.test(name)
/** The same in a folder and in a bucket, so that one can be copied into the other. */
export function storeKeyOf(sha256: string): string {
  if (!NAME.test(sha256)) throw new RangeError('no name of a file')
  return `${sha256.slice(0, 2)}/${sha256}`
}

/** @param range hashes only this part; `end` is inclusive */
export async function hashOf(
  path: string,
  range?: { readonly start: number; readonly end: number },
): Promise<Stored> {
  const hash = createHash('sha256')
  const file = await open(path, 'r')
  try {
    // One buffer for the whole file: a stream allocates one per piece, and a hundred of them pile up
    // before they are collected.
    const buffer = Buffer.allocUnsafeSlow(1 << 20)
    const end = range === undefined ? Infinity : range.end + 1
    let position = range?.start ?? 0
    const begin = position
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end - position), position)
      if (bytesRead === 0) return { sha256: hash.digest('hex'), groesse: position - begin }
      hash.update(buffer.subarray(0, bytesRead))
      position += bytesRead
    }
  } finally {
    await file.close()
  }
}

export async function flush(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

export async function sizeAt(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

/** What every driver has on its own machine: a folder for work in progress. */
export function workFolder(folder: string): Pick<Store, 'workFile' | 'removeWork' | 'frei' | 'cleanUpWork'> {
  const work = join(folder, 'arbeit')
  return {
    async workFile() {
      await mkdir(work, { recursive: true, mode: 0o700 })
      return join(work, randomUUID())
    },
    async removeWork(path) {
      for (const name of await entriesOf(dirname(path)))
        if (name.startsWith(basename(path)))
          await rm(join(dirname(path), name), { recursive: true, force: true })
    },
    async frei() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    },
    async cleanUpWork(olderThan) {
      let count = 0
      for (const name of await entriesOf(work)) {
        const path = join(work, name)
        const found = await stat(path).catch(() => null)
        if (found === null || found.mtime >= olderThan) continue
        await rm(path, { recursive: true, force: true })
        count++
      }
      return count
    },
  }
}

/** The clean-up looks at its age. False if it was removed a moment ago. */
async function touch(place: string): Promise<boolean> {
  const now = new Date()
  try {
    await utimes(place, now, now)
    return true
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
}

export function folderStore(folder: string): Store {
  const work = join(folder, 'arbeit')
  const placeOf = (sha256: string): string => join(folder, storeKeyOf(sha256))

  /** A file appears under its hash only once all of it is on the disk. */
  async function put(path: string, place: string): Promise<void> {
    await mkdir(join(place, '..'), { recursive: true, mode: 0o700 })
    await mkdir(work, { recursive: true, mode: 0o700 })
    const beside = join(work, randomUUID())
    try {
      try {
        await flush(path)
        await link(path, beside)
      } catch (error) {
        if (isDiskFull(error)) throw error
        // Another disk, or one without hard links.
        await copyFile(path, beside)
        await flush(beside)
      }
      // Atomically replaces a file that is incomplete; with several writers of the same file,
      // none ever sees it missing.
      await touch(beside)
      await rename(beside, place)
    } finally {
      // Also needed after a rename between two links of the same file, which does nothing.
      await rm(beside, { force: true })
    }
    await flush(join(place, '..')).catch(() => undefined)
  }

  return {
    async putFile(path, known) {
      try {
        const found = known ?? (await hashOf(path))
        const place = placeOf(found.sha256)
        if ((await sizeAt(place)) !== found.groesse || !(await touch(place))) await put(path, place)
        return found
      } catch (error) {
        throw isDiskFull(error) ? new NoSpaceError('no space left', { cause: error }) : error
      }
    },
    async readFrom(sha256, range) {
      const place = placeOf(sha256)
      if ((await sizeAt(place)) === null) return null
      return createReadStream(place, { ...range, highWaterMark: 1 << 18 })
    },
    groesse: async (sha256) => sizeAt(placeOf(sha256)),
    async filePath(sha256) {
      const place = placeOf(sha256)
      return (await sizeAt(place)) === null ? null : place
    },
    remove: (sha256) => rm(placeOf(sha256), { force: true }),
    async removeOld(sha256, before) {
      const place = placeOf(sha256)
      const isYoung = async (path: string) => (await stat(path)).mtime >= before
      await mkdir(work, { recursive: true, mode: 0o700 })
      const beside = join(work, randomUUID())
      try {
        if (await isYoung(place)) return false
        // Out of the way first: who stores it again from here on finds none, and puts it there.
        await rename(place, beside)
        if (await isYoung(beside)) {
          await rename(beside, place)
          return false
        }
        await rm(beside)
        return true
      } catch (error) {
        if (isAbsent(error)) return false
        throw error
      }
    },
    async *liste() {
      for (const part of await entriesOf(folder)) {
        if (!/^[0-9a-f]{2}$/.test(part)) continue
        for (const name of await entriesOf(join(folder, part))) {
          if (!NAME.test(name)) continue
          try {
            const { size, mtime } = await stat(join(folder, part, name))
            yield { sha256: name, groesse: size, seit: mtime }
          } catch (error) {
            if (!isAbsent(error)) throw error
          }
        }
      }
    },
    ...workFolder(folder),
  }
}

export async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}
