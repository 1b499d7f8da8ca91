// Files in two places while they move from one into the other: new ones go into the first, and what is not there yet
// is read from the second. Nothing is lost if a file moves while it is being read.
import { once } from 'node:events'
import { type Readable } from 'node:stream'
import { nameAlso } from './file-cache.ts'
import { isAbsent, type Store } from './store.ts'

export function twoPlaces(first: Store, second: Store): Store {
  /** Once more in the first: it may have moved between the two looks. */
  async function find<T>(ask: (store: Store) => Promise<T | null>): Promise<T | null> {
    return (await ask(first)) ?? (await ask(second)) ?? ask(first)
  }

  return {
    ...first,
    readFrom: (sha256, range) =>
      find(async (store) => {
        const stream = await store.readFrom(sha256, range)
        return stream === null ? null : opened(stream)
      }),
    groesse: (sha256) => find((store) => store.groesse(sha256)),
    filePath: (sha256, workPath) =>
      find(async (store) => {
        const path = await store.filePath(sha256, workPath)
        if (path === null || workPath === undefined || path.startsWith(workPath)) return path
        const own = `${workPath}.${sha256.slice(0, 8)}`
        return nameAlso(path, own).then(
          () => own,
          (error: unknown) => (isAbsent(error) ? null : Promise.reject(error)),
        )
      }),
    async remove(sha256) {
      await second.remove(sha256)
      await first.remove(sha256)
    },
    // Of a file in both only the age in the first counts, as in the list.
    async removeOld(sha256, before) {
      if ((await first.groesse(sha256)) === null) return second.removeOld(sha256, before)
      if (!(await first.removeOld(sha256, before))) return false
      await second.remove(sha256)
      return true
    },
    async *liste() {
      yield* first.liste()
      // Of a file in both only the age in the first counts: it may have been stored again a moment ago.
      for await (const file of second.liste()) if ((await first.groesse(file.sha256)) === null) yield file
    },
    cleanUpWork: async (olderThan) =>
      (await first.cleanUpWork(olderThan)) + (await second.cleanUpWork(olderThan)),
  }
}

/** A file of a folder is opened late, and may be gone by then. */
async function opened(stream: Readable): Promise<Readable | null> {
  if (!('pending' in stream) || stream.pending !== true) return stream
  try {
    await once(stream, 'ready')
    return stream
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}
