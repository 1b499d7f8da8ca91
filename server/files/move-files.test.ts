// Files move between a folder and a bucket on a real server, while they are read and written, and while the command is
// killed.
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { silentLog } from '#server/log.ts'
import { findS3Server, type S3Server, startS3Server } from '../../test/s3-server.ts'
import { moveFiles } from './move-files.ts'
import { s3Store } from './s3-store.ts'
import { folderStore, type Store, storeKeyOf } from './store.ts'
import { twoPlaces } from './two-places.ts'

const PROGRAM = findS3Server()
const ROOT = join(import.meta.dirname, '../..')
let s3: S3Server
let folder: string
let prefix = ''
let next = 0
beforeAll(async () => {
  if (PROGRAM !== undefined) s3 = await startS3Server(PROGRAM)
})
afterAll(async () => s3?.stop())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'move-files-'))
  prefix = `move-${++next}/`
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const hashed = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
async function put(store: Store, bytes: Uint8Array): Promise<string> {
  const path = await store.workFile()
  await writeFile(path, bytes)
  const { sha256 } = await store.putFile(path)
  await store.removeWork(path)
  return sha256
}
const putMany = (store: Store, count: number, bytes: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => put(store, randomBytes(bytes))))
const digestIn = async (store: Store, sha256: string): Promise<string | null> => {
  const stream = await store.readFrom(sha256)
  return stream === null ? null : hashed(await buffer(stream))
}
async function namesIn(store: Store): Promise<string[]> {
  const all: string[] = []
  for await (const { sha256 } of store.liste()) all.push(sha256)
  return all.toSorted()
}
const inFolder = (): Store => folderStore(join(folder, 'dateien'))
const inBucket = (own = 'moving'): Store =>
  s3Store({ ...s3, pathStyle: true, prefix, folder: join(folder, own), cacheBytes: 0, log: silentLog })
const placeOf = (store: 'folder' | 'bucket', sha256: string): string =>
  store === 'folder'
    ? join(folder, 'dateien', storeKeyOf(sha256))
    : join(s3.folder, prefix, storeKeyOf(sha256))

describe.skipIf(PROGRAM === undefined).each([
  ['folder', 'bucket'],
  ['bucket', 'folder'],
] as const)('from %s to %s', (fromName, toName) => {
  const open = (name: string, own?: string): Store => (name === 'folder' ? inFolder() : inBucket(own))
  const moving = (): [from: Store, to: Store, used: Store] => {
    const [from, to] = [open(fromName), open(toName)]
    return [from, to, twoPlaces(open(toName, 'lokal'), open(fromName, 'lokal'))]
  }
  const notes = (): string => join(folder, 'notes.txt')

  test('new files go into the first place, what is not there is read from the second', async () => {
    const [from, to, used] = moving()
    const old = await put(from, Buffer.from('old'))
    const fresh = await put(used, Buffer.from('fresh'))
    expect([await namesIn(to), await namesIn(from)]).toEqual([[fresh], [old]])
    expect(await digestIn(used, old)).toBe(old)
    expect(await used.groesse(old)).toBe(3)
    const part = await used.readFrom(old, { start: 1, end: 2 })
    expect(String(await buffer(part!))).toBe('ld')
    const work = await used.workFile()
    const path = await used.filePath(old, work)
    await from.remove(old)
    // The path stays valid, whatever becomes of the file.
    expect(await readFile(path!, 'utf8')).toBe('old')
    expect(await used.groesse(old)).toBeNull()
  })

  test('a file in both is listed once and removed from both', async () => {
    const [from, to, used] = moving()
    for (const store of [from, to]) await put(store, Buffer.from('twice'))
    const [name] = await namesIn(used)
    expect(await namesIn(used)).toEqual([name])
    await used.remove(name!)
    expect([...(await namesIn(from)), ...(await namesIn(to))]).toEqual([])
  })

  test('everything arrives while it is read and added to, and leaves where it was', {
    timeout: 120_000,
  }, async () => {
    const [from, to, used] = moving()
    const all = await putMany(from, 120, 20_000)
    let moved = false
    let reads = 0
    const missing: string[] = []
    const added: string[] = []
    const readers = Array.from({ length: 3 }, async (_, nr) => {
      for (let at = nr; !moved; at += 7) {
        const name = all[at % all.length]!
        // oxlint-disable-next-line no-await-in-loop -- one reader
        if ((await digestIn(used, name)) !== name) missing.push(name)
        reads++
        // oxlint-disable-next-line no-await-in-loop -- as above
        if (reads % 20 === 0) added.push(await put(used, randomBytes(5_000)))
      }
    })
    const result = await moveFiles({ from, to, notes: notes(), remove: true })
    moved = true
    await Promise.all(readers)
    expect(missing).toEqual([])
    expect(reads).toBeGreaterThan(30)
    expect(result).toMatchObject({ removed: 120, damaged: [], bytes: 120 * 20_000 })
    expect(await namesIn(from)).toEqual([])
    expect(await namesIn(to)).toEqual([...all, ...added].toSorted())
  })

  test('what is damaged where it was stays there and is named', async () => {
    const [from, to] = moving()
    const [good, bad] = [await put(from, Buffer.from('good')), await put(from, Buffer.from('bad'))]
    await writeFile(placeOf(fromName, bad), 'bed')
    const result = await moveFiles({ from, to, notes: notes(), remove: true })
    expect(result).toMatchObject({ copied: 1, removed: 1, damaged: [bad] })
    expect([await namesIn(from), await namesIn(to)]).toEqual([[bad], [good]])
  })

  test('what has other bytes of the same length where it goes is replaced', async () => {
    const [from, to] = moving()
    const name = await put(from, Buffer.from('good'))
    await put(to, Buffer.from('good'))
    await writeFile(placeOf(toName, name), 'evil')
    await moveFiles({ from, to, notes: notes(), remove: true })
    expect(await digestIn(to, name)).toBe(name)
    expect(await namesIn(from)).toEqual([])
  })

  test('the command may be killed at any time and goes on', { timeout: 240_000 }, async () => {
    const [from, to, used] = moving()
    const all = await putMany(from, 300, 30_000)
    const command = (...words: string[]) => {
      const env = {
        DATA_DIR: join(folder, 'data'),
        FILES_DIR: join(folder, 'dateien'),
        FILES_S3_ENDPOINT: s3.endpoint,
        FILES_S3_BUCKET: s3.bucket,
        FILES_S3_REGION: s3.region,
        FILES_S3_PREFIX: prefix,
        FILES_S3_ACCESS_KEY: s3.accessKeyId,
        FILES_S3_SECRET_KEY: s3.secretAccessKey,
        FILES_PLACE: `${toName}+${fromName}`,
      }
      const child = spawn(process.execPath, [join(ROOT, 'scripts/operate.ts'), 'move-files', ...words], {
        env,
      })
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)))
      return { child, ended: once(child, 'close'), said: () => said }
    }
    let kills = 0
    const killed = async (when: () => Promise<boolean>, ...words: string[]): Promise<void> => {
      const { child, ended } = command(...words)
      // oxlint-disable-next-line no-await-in-loop -- until so many have moved
      while (child.exitCode === null && !(await when())) await sleep(5)
      if (child.exitCode === null) kills++
      child.kill('SIGKILL')
      await ended
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      for (const name of all) expect(await digestIn(used, name)).toBe(name)
    }
    await killed(async () => (await namesIn(to)).length >= 60)
    await killed(async () => (await namesIn(from)).length <= 260, '--remove')
    expect(kills).toBe(2)
    const last = command('--remove')
    expect([await last.ended, last.said()]).toEqual([
      [0, null],
      expect.stringMatching(/Am alten Ort entfernt/),
    ])
    expect(Number(/(\d+) Dateien kopiert/.exec(last.said())?.[1])).toBeLessThanOrEqual(240)
    expect([await namesIn(from), await namesIn(to)]).toEqual([[], all.toSorted()])
    for (const name of all) expect(await digestIn(to, name)).toBe(name)
  })
})
