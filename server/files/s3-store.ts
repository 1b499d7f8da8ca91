// Files in a bucket of any S3-compatible store. A file is uploaded with its SHA-256, which the store checks;
// large ones go in parts. Programs that need random access get a local copy.
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createFileCache, nameAlso } from './file-cache.ts'
import { Bucket } from './s3-bucket.ts'
import { S3Client, type S3Options } from './s3-client.ts'
import { hashOf, type Store, workFolder } from './store.ts'

/** A file this young need not be uploaded again: the clean-up spares what is younger than a day. */
const FRESH_MS = 60 * 60_000

export function s3Store(options: S3Options): Store {
  const { folder, prefix, partBytes = 64 * 2 ** 20 } = options
  const bucket = new Bucket(new S3Client(options), { prefix, partBytes })
  const local = workFolder(folder)
  const copies = createFileCache({
    folder: join(folder, 'kopien'),
    maxBytes: options.cacheBytes,
    fetchCopy: (sha256) => bucket.read(sha256),
  })
  const remove = async (sha256: string): Promise<void> => {
    await bucket.remove(sha256)
    await copies.evict(sha256)
  }
  return {
    ...local,
    async putFile(path, known) {
      const found = known ?? (await hashOf(path))
      const there = await bucket.look(found.sha256)
      // Uploaded again if it is incomplete; and if it is old, because the clean-up looks at its age: not
      // every store updates the date of an object that is copied onto itself.
      if (there?.groesse !== found.groesse || Date.now() - there.seit.getTime() > FRESH_MS)
        await bucket.put(path, found)
      await copies.keep(found.sha256, path).catch(() => undefined)
      return found
    },
    async readFrom(sha256, range) {
      const path = await copies.vorhanden(sha256)
      return path === null
        ? bucket.read(sha256, range)
        : createReadStream(path, { ...range, highWaterMark: 1 << 18 })
    },
    groesse: async (sha256) => (await bucket.look(sha256))?.groesse ?? null,
    async filePath(sha256, workPath) {
      const path = await copies.filePath(sha256)
      if (path === null || workPath === undefined) return path
      const own = `${workPath}.${sha256.slice(0, 8)}`
      await nameAlso(path, own)
      return own
    },
    remove,
    async removeOld(sha256, before) {
      const there = await bucket.look(sha256)
      if (there === null || there.seit >= before) return false
      await remove(sha256)
      return true
    },
    liste: () => bucket.list(),
    cleanUpWork: async (olderThan) =>
      (await local.cleanUpWork(olderThan)) + (await bucket.abortUploads(olderThan)),
  }
}
