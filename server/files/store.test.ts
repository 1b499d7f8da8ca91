// The store with each of its drivers: what is true for the folder is true for the bucket. The bucket is on a
// real server, where that could be built.
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Log } from '#server/log.ts'
import { findS3Server, type S3Server, startS3Server } from '../../test/s3-server.ts'
import { runWork } from '../karten/run-work.ts'
import { smallDisk } from '../../test/small-disk.ts'
import { NoSpaceError } from '#server/full-disk.ts'
import { type Store, hashOf, folderStore, storeKeyOf } from './store.ts'
import { addressOf, type S3Options } from './s3-client.ts'
import { s3Store } from './s3-store.ts'

const PROGRAM = findS3Server()
let s3: S3Server
const faults: unknown[] = []
const noted: Log = {
  info() {},
  warn() {},
  error: (message, facts) => void faults.push({ message, ...facts }),
}
let folder: string
/** A separate folder in the bucket for each test. */
let prefix = ''
let next = 0

const bucketOf = (more: Partial<S3Options> = {}): Store =>
  s3Store({
    ...s3,
    pathStyle: true,
    prefix,
    folder: join(folder, 'lokal'),
    cacheBytes: 2 ** 30,
    log: noted,
    retryMs: 5,
    ...more,
  })
const DRIVERS = [
  [
    'folder',
    false,
    () => folderStore(join(folder, 'dateien')),
    (sha256: string) => join(folder, 'dateien', storeKeyOf(sha256)),
  ],
  [
    'bucket',
    PROGRAM === undefined,
    bucketOf,
    (sha256: string) => join(s3.folder, prefix, storeKeyOf(sha256)),
  ],
] as const

beforeAll(async () => {
  if (PROGRAM !== undefined) s3 = await startS3Server(PROGRAM)
})
afterAll(async () => s3?.stop())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ablage-'))
  prefix = `forst ${++next}/`.replace(' ', '-')
  faults.length = 0
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function work(content: string | Uint8Array, store: Store): Promise<string> {
  const path = await store.workFile()
  await writeFile(path, content)
  return path
}
const namesOf = async (store: Store) => {
  const all = []
  for await (const { sha256, groesse } of store.liste()) all.push([sha256, groesse])
  return all
}
const SHA_OF_ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

for (const [name, missing, open, placeOf] of DRIVERS)
  describe.skipIf(missing)(`the store in a ${name}`, () => {
    let fileStore: Store
    beforeEach(() => {
      fileStore = open()
    })

    test('names a file by its content, and gives back what was put in', async () => {
      const path = await work('abc', fileStore)
      expect(await fileStore.putFile(path)).toEqual({ sha256: SHA_OF_ABC, groesse: 3 })
      await fileStore.removeWork(path)
      // Also from the point of view of another server, which has no copy.
      for (const store of [fileStore, open()]) {
        expect(await text((await store.readFrom(SHA_OF_ABC))!)).toBe('abc')
        expect(await text((await store.readFrom(SHA_OF_ABC, { start: 1, end: 1 }))!)).toBe('b')
        expect(await text((await store.readFrom(SHA_OF_ABC, { start: 1, end: 2 }))!)).toBe('bc')
        expect(await store.groesse(SHA_OF_ABC)).toBe(3)
        expect(await readFile((await store.filePath(SHA_OF_ABC))!, 'utf8')).toBe('abc')
      }
      expect(await readFile(placeOf(SHA_OF_ABC), 'utf8')).toBe('abc')
    })
    test('keeps what is put in twice once', async () => {
      await Promise.all(
        Array.from({ length: 40 }, () => work('abc', fileStore)).map(async (path) =>
          fileStore.putFile(await path),
        ),
      )
      expect(await namesOf(fileStore)).toEqual([[SHA_OF_ABC, 3]])
    })
    test('has nothing where there is nothing, and takes no path for a name', async () => {
      const nothing = '0'.repeat(64)
      expect([
        await fileStore.readFrom(nothing),
        await fileStore.readFrom(nothing, { start: 0, end: 4 }),
      ]).toEqual([null, null])
      expect(await fileStore.groesse(nothing)).toBeNull()
      expect(await fileStore.filePath(nothing)).toBeNull()
      await fileStore.remove(nothing)
      await expect(fileStore.filePath('../../etc/passwd')).rejects.toThrow(RangeError)
      expect(faults).toEqual([])
    })
    test('mends a file that is not whole', async () => {
      const path = await work('abc', fileStore)
      await fileStore.putFile(path)
      await fileStore.remove(SHA_OF_ABC)
      await mkdir(dirname(placeOf(SHA_OF_ABC)), { recursive: true })
      await writeFile(placeOf(SHA_OF_ABC), 'a')
      await fileStore.putFile(path)
      expect(await text((await open().readFrom(SHA_OF_ABC))!)).toBe('abc')
    })
    test('says of what is put in anew that it is new', async () => {
      const path = await work('abc', fileStore)
      await fileStore.putFile(path)
      const old = new Date('2026-01-01T00:00:00Z')
      await utimes(placeOf(SHA_OF_ABC), old, old)
      const since = async () => {
        for await (const one of fileStore.liste()) return one.seit.getTime()
        return 0
      }
      expect(await since()).toBe(old.getTime())
      await fileStore.putFile(path)
      expect(Date.now() - (await since())).toBeLessThan(60_000)
      expect(await text((await open().readFrom(SHA_OF_ABC))!)).toBe('abc')
    })
    test('forgets what is removed', async () => {
      await fileStore.putFile(await work('abc', fileStore))
      await fileStore.filePath(SHA_OF_ABC)
      await fileStore.remove(SHA_OF_ABC)
      expect([
        await fileStore.groesse(SHA_OF_ABC),
        await fileStore.readFrom(SHA_OF_ABC),
        await fileStore.filePath(SHA_OF_ABC),
      ]).toEqual([null, null, null])
      expect(await namesOf(fileStore)).toEqual([])
    })
    test('removes what is old, and what is stored at the same moment is there', async () => {
      const path = await work('abc', fileStore)
      const longAgo = new Date(Date.now() - 172_800_000)
      await fileStore.putFile(path)
      expect(await fileStore.removeOld(SHA_OF_ABC, longAgo)).toBe(false)
      for (let round = 0; round < (name === 'folder' ? 300 : 3); round++) {
        await utimes(placeOf(SHA_OF_ABC), longAgo, longAgo)
        const before = new Date(Date.now() - 86_400_000)
        const removed = fileStore.removeOld(SHA_OF_ABC, before)
        if (name === 'folder') await Promise.all([removed, fileStore.putFile(path)])
        else expect(await removed).toBe(true)
        if (name === 'bucket') await fileStore.putFile(path)
        expect(await fileStore.groesse(SHA_OF_ABC)).toBe(3)
      }
      await fileStore.remove(SHA_OF_ABC)
      expect(await fileStore.removeOld(SHA_OF_ABC, new Date())).toBe(false)
    })
    test('removes of what was being made all that belongs to it, and what is older', async () => {
      const path = await work('abc', fileStore)
      await writeFile(`${path}.neu`, 'x')
      await fileStore.removeWork(path)
      expect(await readdir(dirname(path))).toEqual([])
      await work('abc', fileStore)
      expect(await fileStore.cleanUpWork(new Date(0))).toBe(0)
      expect(await fileStore.cleanUpWork(new Date(Date.now() + 1000))).toBe(1)
      expect(await readdir(dirname(path))).toEqual([])
    })
    test('keeps a path for as long as its work file is there', async () => {
      await fileStore.putFile(await work('abc', fileStore))
      const job = await work('', fileStore)
      const path = (await fileStore.filePath(SHA_OF_ABC, job))!
      if (name === 'bucket') await fileStore.remove(SHA_OF_ABC)
      expect(await readFile(path, 'utf8')).toBe('abc')
      await fileStore.removeWork(job)
    })
  })

test.each([
  [
    { endpoint: 'https://s3.eu-central-1.amazonaws.com', pathStyle: false },
    'https://wald.s3.eu-central-1.amazonaws.com/a/b?uploads=',
  ],
  [
    { endpoint: 'https://minio.forst.example:9000/', pathStyle: true },
    'https://minio.forst.example:9000/wald/a/b?uploads=',
  ],
  [
    { endpoint: 'https://forst.example/speicher/', pathStyle: true },
    'https://forst.example/speicher/wald/a/b?uploads=',
  ],
])('a file in a bucket at %j', (where, address) =>
  expect(addressOf({ ...where, bucket: 'wald' }, 'a/b', { uploads: '' })).toBe(address),
)

describe.skipIf(PROGRAM === undefined)('the bucket', () => {
  test('takes large files in parts, and gives any range of them', async () => {
    const store = bucketOf({ partBytes: 5 * 2 ** 20, cacheBytes: 2 ** 20 })
    const bytes = randomBytes(11 * 2 ** 20 + 7)
    const { sha256, groesse } = await store.putFile(await work(bytes, store))
    expect(groesse).toBe(bytes.length)
    expect((await buffer((await store.readFrom(sha256))!)).equals(bytes)).toBe(true)
    const across = (
      await buffer((await store.readFrom(sha256, { start: 5_242_870, end: 10_485_770 }))!)
    ).equals(bytes.subarray(5_242_870, 10_485_771))
    expect(across).toBe(true)
    expect((await hashOf((await store.filePath(sha256))!)).sha256).toBe(sha256)
    expect(await namesOf(store)).toEqual([[sha256, bytes.length]])
  })
  test('lists page by page, only what is ours', async () => {
    const store = bucketOf()
    const path = await work('abc', store)
    await store.putFile(path)
    const inside = (key: string) => join(s3.folder, prefix, key)
    for (let i = 0; i < 1_040; i++) {
      const key = storeKeyOf(i.toString(16).padStart(64, '0'))
      if (i % 500 === 0) await mkdir(dirname(inside(key)), { recursive: true })
      await copyFile(path, inside(key))
    }
    await mkdir(inside('fremd'), { recursive: true })
    await writeFile(inside(`fremd/${SHA_OF_ABC}`), 'x')
    await writeFile(inside('ba/a&b <c>.txt'), 'x')
    expect(await namesOf(store)).toHaveLength(1_041)
  }, 30_000)
  test('gives up uploads in parts that were left', async () => {
    const sent = await signedPost(`${prefix}${storeKeyOf(SHA_OF_ABC)}`)
    expect(sent).toBe(200)
    const store = bucketOf()
    expect(await store.cleanUpWork(new Date(0))).toBe(0)
    expect(await store.cleanUpWork(new Date(Date.now() + 60_000))).toBe(1)
    expect(await store.cleanUpWork(new Date(Date.now() + 60_000))).toBe(0)
  })
  async function signedPost(key: string): Promise<number> {
    const { AwsClient } = await import('aws4fetch')
    const client = new AwsClient({ ...s3, service: 's3' })
    return (await client.fetch(`${s3.endpoint}/${s3.bucket}/${key}?uploads=`, { method: 'POST' })).status
  }

  test('refuses bytes that are not what they are said to be', async () => {
    const store = bucketOf()
    const path = await work('abd', store)
    await expect(store.putFile(path, { sha256: SHA_OF_ABC, groesse: 3 })).rejects.toMatchObject({
      code: 'unavailable',
    })
    expect(await store.groesse(SHA_OF_ABC)).toBeNull()
    expect(JSON.stringify(faults)).toContain('400')
  })
  test('does not hand out a copy of other bytes than its name says', async () => {
    const place = join(s3.folder, prefix, storeKeyOf(SHA_OF_ABC))
    await mkdir(dirname(place), { recursive: true })
    await writeFile(place, 'xyz')
    const store = bucketOf()
    await expect(store.filePath(SHA_OF_ABC)).rejects.toThrow('other bytes')
    expect(readdirSync(join(folder, 'lokal', 'kopien', 'ba'))).toEqual([])
  })
  test.each([
    ['a wrong secret', { secretAccessKey: 'falsch' }, '403'],
    ['a bucket that is not there', { bucket: 'gibt-es-nicht' }, '404'],
    ['nobody at the address', { endpoint: 'http://127.0.0.1:9' }, 'bad port'],
  ] as const)(
    'with %s says so in the log, and to the caller that it is not there now',
    async (_what, more, reason) => {
      const store = bucketOf(more)
      const path = await work('abc', store)
      await expect(store.putFile(path)).rejects.toMatchObject({ code: 'unavailable', status: 503 })
      expect(JSON.stringify(faults)).toContain(reason)
      expect(JSON.stringify(faults)).not.toContain('geheim')
    },
  )
  test('keeps copies within bounds: what was used longest ago goes', async () => {
    const store = bucketOf({ cacheBytes: 2_500_000 })
    const all: string[] = []
    for (let i = 0; i < 4; i++)
      all.push((await store.putFile(await work(randomBytes(900_000), store))).sha256)
    const copies = () =>
      readdirSync(join(folder, 'lokal', 'kopien'), { recursive: true, encoding: 'utf8' }).filter(
        (name) => name.length > 60,
      )
    // Recent copies may still be opened.
    const other = bucketOf({ cacheBytes: 2_500_000 })
    for (const sha256 of all) await other.filePath(sha256)
    expect(copies().length).toBe(4)
    // A new server knows of no copies that are about to be opened.
    const later = bucketOf({ cacheBytes: 2_500_000 })
    await later.filePath(all[1]!)
    await later.putFile(await work(randomBytes(500_000), later))
    await expect.poll(() => copies().length).toBe(3)
    expect(copies().some((name) => name.includes(all[1]!))).toBe(true)
  })

  describe('over a line that breaks', () => {
    let line: Server
    let cutAfter = Number.POSITIVE_INFINITY
    let refusals = 0
    let asked = 0
    beforeAll(async () => {
      line = createServer()
      line.on('connection', (near) => {
        asked++
        const far = connect(Number(new URL(s3.endpoint).port), '127.0.0.1')
        let back = 0
        if (refusals > 0) {
          refusals--
          near.destroy()
          return far.destroy()
        }
        near.on('error', () => far.destroy()).on('close', () => far.destroy())
        far.on('error', () => near.destroy()).on('close', () => near.destroy())
        near.on('data', (chunk: Buffer) => void far.write(chunk))
        far.on('data', (chunk: Buffer) => {
          near.write(chunk)
          if ((back += chunk.length) > cutAfter) near.destroy()
        })
      })
      await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
    })
    afterAll(() => void line.close())
    // The signature covers the host of this address, not that of the real server.
    const broken = () =>
      bucketOf({ endpoint: `http://127.0.0.1:${(line.address() as AddressInfo).port}`, cacheBytes: 1 })

    test('tries again, and goes on reading where it was', async () => {
      const store = broken()
      const bytes = randomBytes(3_000_000)
      refusals = 2
      const { sha256 } = await store.putFile(await work(bytes, store))
      cutAfter = 1_200_000
      const before = asked
      const back = await buffer((await store.readFrom(sha256))!)
      cutAfter = Number.POSITIVE_INFINITY
      expect(back.equals(bytes)).toBe(true)
      expect(asked - before).toBeGreaterThanOrEqual(2)
      expect(faults).toEqual([])
    })
    test('says after some tries that it is not there now', async () => {
      refusals = 1000
      await expect(broken().groesse(SHA_OF_ABC)).rejects.toMatchObject({ code: 'unavailable' })
      refusals = 0
    })
  })
})

test('a store that hangs up while nobody reads yet ends nothing, and all of it is read', async () => {
  const bytes = randomBytes(65_536)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const hasty = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length}\r\nConnection: close\r\n\r\n`)
      socket.end(bytes)
    })
  })
  await new Promise<void>((resolve) => hasty.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = hasty.address() as AddressInfo
    // Node's own fetch sets the global dispatcher that others find.
    await fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.arrayBuffer())
    const store = s3Store({
      endpoint: `http://127.0.0.1:${port}`,
      bucket: 'b',
      region: 'eu',
      pathStyle: true,
      prefix: '',
      accessKeyId: 'a',
      secretAccessKey: 'b',
      folder: join(folder, 'hastig'),
      cacheBytes: 1,
      log: noted,
    })
    const stream = (await store.readFrom(sha256))!
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect((await buffer(stream)).equals(bytes)).toBe(true)
  } finally {
    hasty.close()
  }
})

const disk = smallDisk(3)

describe.skipIf(disk === null)('on a full disk', () => {
  test('says so, and keeps nothing half', async () => {
    const small = folderStore(disk!)
    const path = await work(Buffer.alloc(4_000_000, 'x'), folderStore(folder))
    await expect(small.putFile(path)).rejects.toThrow(NoSpaceError)
    const { sha256 } = await hashOf(path)
    expect(await small.groesse(sha256)).toBeNull()
    expect((await readdir(join(disk!, sha256.slice(0, 2)))).length).toBe(0)
    expect(await small.frei()).toBeGreaterThan(2_000_000)
  })
  test.each(['kacheln', 'entzerren'] as const)('%s ends with its own code', async (art) => {
    const noise = randomBytes(2400 * 2400 * 3)
    const filePath = await work(
      await sharp(noise, { raw: { width: 2400, height: 2400, channels: 3 } })
        .png()
        .toBuffer(),
      folderStore(folder),
    )
    const target = join(disk!, art)
    const points = [
      { mapx: 0, mapy: 0, pixelx: 0, pixely: 0 },
      { mapx: 2400, mapy: -2400, pixelx: 2400, pixely: -2400 },
    ]
    const values = {
      georef_typ: 'helmert',
      epsg: 25832,
      res: 1,
      verfahren: 'near',
      kompression: 'deflate',
      punkte: points,
    } as const
    await expect(
      runWork(
        art === 'kacheln'
          ? { art, filePath, ziel: target }
          : { art, filePath, ziel: target, werte: { ...values, punkte: points }, gdal: null },
        {
          timeoutMs: 30_000,
          memoryBytes: 2 ** 31,
        },
      ),
    ).rejects.toMatchObject({ code: 'karte_platz' })
    await rm(target, { force: true })
  })
})
