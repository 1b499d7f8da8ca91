// The operator's base map in one file: what of it is said to be wrong, and how its bytes are sent. From a disk,
// and from a bucket on a real server where that could be built.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { PMTiles, type RangeResponse, type Source, TileType } from 'pmtiles'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PIECE_BYTES } from '#contract/base-map.ts'
import { S3Client } from '#server/files/s3-client.ts'
import { type Log, silentLog } from '#server/log.ts'
import { readConfig } from '#server/config.ts'
import { findS3Server, type S3Server, startS3Server } from '../../test/s3-server.ts'
import { BaseMapFileStore } from './base-map-file.ts'
import { bucketSource, diskSource, type FileSource } from './file-source.ts'
import { serveRoom } from './map-service.fixture.ts'
import {
  assemble,
  type FixtureOptions,
  type FixtureTile,
  HEAD_BYTES,
  vectorTile,
  writeDirectory,
  writePmtiles,
} from './pmtiles.fixture.ts'

const CREDIT = '© Landesamt <a href="https://amt.example">OpenStreetMap</a>&nbsp;&copy;'
const WATER = vectorTile({
  water: [
    {
      art: 'area',
      at: [
        [0, 0],
        [4096, 0],
        [4096, 4096],
        [0, 4096],
      ],
      is: { kind: 'lake' },
    },
  ],
})
const VECTOR: FixtureOptions = {
  type: 'mvt',
  tiles: [0, 1, 2, 3].map((at): FixtureTile => ({ z: 1, x: at % 2, y: at >> 1, bytes: WATER })),
  metadata: { name: 'Wasser', attribution: CREDIT, vector_layers: [{ id: 'water' }] },
}
let png: Buffer
const picture = (tiles = 1): FixtureOptions => ({
  type: 'png',
  tiles: Array.from({ length: tiles }, (_, x) => ({ z: 6, x, y: 3, bytes: png })),
  metadata: { attribution: 'Amt' },
})

let folder: string
let path: string
let clock = 0
const warnings: unknown[] = []
const log: Log = { ...silentLog, warn: (message, facts) => void warnings.push([message, facts]) }
beforeAll(async () => {
  png = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#88aa66' } })
    .png()
    .toBuffer()
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grundkarte-'))
  path = join(folder, 'land.pmtiles')
  warnings.length = 0
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const storeOf = (source: FileSource = diskSource(path), more: object = {}) =>
  new BaseMapFileStore({ source, log, now: () => clock, ...more })
const faultOf = async (bytes: Uint8Array | null): Promise<string | null> => {
  if (bytes !== null) writeFileSync(path, bytes)
  return (await storeOf().report()).fehler
}
/** With bytes of the head replaced. */
const changed = (bytes: Buffer, at: number, value: number | bigint): Buffer => {
  const copy = Buffer.from(bytes)
  if (typeof value === 'bigint') copy.writeBigUInt64LE(value, at)
  else copy.writeUInt8(value, at)
  return copy
}

describe('what is said of a file', () => {
  test('a good one has its name, sources as text, levels and form', async () => {
    writeFileSync(path, writePmtiles(VECTOR))
    const opened = await storeOf().open()
    expect(opened?.map).toEqual({
      id: '_datei',
      titel: 'Wasser',
      art: 'karte',
      namensnennung: '© Landesamt OpenStreetMap ©',
      min: 1,
      max: 1,
      laender: [],
      mitnehmen: true,
      datei: { fassung: expect.stringMatching(/^[0-9a-f]{16}$/), form: 'vektor' },
    })
    expect(warnings).toEqual([])
  })
  test('the operator may give it another name and other sources', async () => {
    writeFileSync(path, writePmtiles({ ...picture(), metadata: {} }))
    expect((await storeOf().report()).fehler).toMatch(/nennt ihre Quellen nicht; bitte BASEMAP_ATTRIBUTION/)
    const opened = await storeOf(undefined, { title: 'Unser Land', attribution: '© wir' }).open()
    expect(opened?.map).toMatchObject({
      titel: 'Unser Land',
      namensnennung: '© wir',
      datei: { form: 'bild' },
    })
  })
  test('none, a folder, nothing in it, another format', async () => {
    expect(await faultOf(null)).toBe(`Die Hintergrundkarte ${path} fehlt (BASEMAP_FILE).`)
    expect((await storeOf(diskSource(folder)).report()).fehler).toMatch(/fehlt/)
    expect(await faultOf(Buffer.alloc(0))).toMatch(/ist keine PMTiles-Datei/)
    expect(await faultOf(png)).toMatch(/ist keine PMTiles-Datei/)
    expect(await faultOf(Buffer.from('SQLite format 3\0 and so on'))).toMatch(/MBTiles.*pmtiles convert/)
    expect(await faultOf(Buffer.from('PM\x02\0 and so on'))).toMatch(/Version 2.*pmtiles convert/)
  })
  test.each<[string, (good: Buffer) => Buffer, RegExp]>([
    ['another version', (good) => changed(good, 7, 4), /Version 4/],
    ['a head cut off', (good) => good.subarray(0, 100), /abgeschnitten/],
    ['tiles cut off', (good) => good.subarray(0, good.length - 1), /abgeschnitten: Kacheln bis Byte/],
    ['a length beyond all numbers', (good) => changed(good, 64, 2n ** 64n - 1n), /abgeschnitten/],
    ['a place beyond all numbers', (good) => changed(good, 8, 2n ** 63n), /abgeschnitten/],
    ['tiles in Brotli', (good) => changed(good, 98, 3), /gepackt mit Brotli; Browser lesen nur gzip/],
    ['directories in Zstandard', (good) => changed(good, 97, 4), /Zstandard/],
    ['an unknown type', (good) => changed(good, 99, 0), /unbekannten Typs/],
    ['more levels than there are', (good) => changed(good, 101, 40), /Ebenen 1 bis 40/],
    ['levels the wrong way round', (good) => changed(good, 100, 9), /Ebenen 9 bis 1/],
    ['a root that is no gzip', (good) => changed(good, HEAD_BYTES, 0), /Wurzelverzeichnis/],
  ])('%s', async (_name, change, said) => {
    const fault = await faultOf(change(writePmtiles(VECTOR)))
    expect(fault).toMatch(said)
    expect(warnings).toEqual([['base map file', { reason: fault }]])
  })
  test('no entries, and a root as large as a house when unpacked', async () => {
    const parts = { metadata: gzipSync('{}'), leaves: Buffer.alloc(0), data: Buffer.alloc(10) }
    expect(await faultOf(assemble({ ...parts, root: writeDirectory([]) }, VECTOR))).toMatch(/keine Kacheln/)
    const bomb = gzipSync(Buffer.alloc(12 * 2 ** 20))
    expect(bomb.length).toBeLessThan(16_000)
    expect(await faultOf(assemble({ ...parts, root: bomb }, VECTOR))).toMatch(/nicht lesen lässt/)
    const large = Buffer.alloc(17_000)
    expect(await faultOf(assemble({ ...parts, root: large }, VECTOR))).toMatch(/ersten 16384 Bytes/)
  })
  test('metadata that is a bomb, no JSON, or no object, says nothing', async () => {
    for (const metadata of [gzipSync(Buffer.alloc(20 * 2 ** 20, 32)), gzipSync('[{'), gzipSync('null')]) {
      const root = writeDirectory([{ id: 1, run: 1, offset: 0, length: 10 }])
      const parts = { root, metadata, leaves: Buffer.alloc(0), data: Buffer.alloc(10) }
      expect(await faultOf(assemble(parts, picture()))).toMatch(/BASEMAP_ATTRIBUTION/)
      expect(await faultOf(assemble(parts, VECTOR))).toMatch(/keine der Ebenen/)
    }
  })
  test('an unknown schema is said, not drawn as nothing', async () => {
    const metadata = { attribution: 'Amt', vector_layers: [{ id: 'Gewaesserflaeche' }] }
    expect(await faultOf(writePmtiles({ ...VECTOR, metadata }))).toMatch(/Protomaps oder OpenMapTiles/)
  })
  test('a file that comes later, is replaced and goes is noticed, and each fault is told once', async () => {
    const store = storeOf()
    expect(await store.open()).toBeNull()
    clock += 10_000
    expect(await store.open()).toBeNull()
    expect(warnings).toHaveLength(1)
    writeFileSync(path, writePmtiles(VECTOR))
    expect(await store.open()).toBeNull()
    clock += 10_000
    const first = (await store.open())!.map.datei.fassung
    writeFileSync(path, writePmtiles(picture()))
    utimesSync(path, 1, 1)
    expect(await store.read(0, 10, first)).toBeNull()
    const second = (await store.open())!.map.datei
    expect([second.form, second.fassung === first]).toEqual(['bild', false])
    rmSync(path)
    clock += 10_000
    expect(await store.open()).toBeNull()
    expect(warnings).toHaveLength(2)
  })
})

test('a file in the bucket needs the bucket, and a name of its own needs the file', () => {
  expect(() => readConfig({ BASEMAP_FILE: 's3:a.pmtiles' })).toThrow(/FILES_S3_ENDPOINT fehlt/)
  expect(() => readConfig({ BASEMAP_TITLE: 'x' })).toThrow(/BASEMAP_FILE fehlt/)
  for (const name of ['s3:', 's3:/a', 's3:a/../b', 's3:a//b'])
    expect(() => readConfig({ BASEMAP_FILE: name }), name).toThrow(/BASEMAP_FILE muss nach s3:/)
  expect(readConfig({ BASEMAP_FILE: '/k/land.pmtiles' }).BASEMAP_FILE).toEqual({
    art: 'datei',
    path: '/k/land.pmtiles',
  })
})

const PROGRAM = findS3Server()
let s3: S3Server
beforeAll(async () => {
  if (PROGRAM !== undefined) s3 = await startS3Server(PROGRAM)
})
afterAll(async () => s3?.stop())

function bucketFile(): FileSource {
  const target = join(s3.folder, 'karten', 'land.pmtiles')
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(path, target)
  const client = new S3Client({ ...s3, pathStyle: true, prefix: '', folder, cacheBytes: 0, log: silentLog })
  return bucketSource(client, 'karten/land.pmtiles')
}

describe.each([
  ['disk', false, () => diskSource(path)],
  ['bucket', PROGRAM === undefined, bucketFile],
] as const)('its bytes, from the %s', (_name, isMissing, sourceOf) => {
  let app: FastifyInstance | undefined
  afterEach(async () => {
    await app?.close()
    app = undefined
  })
  async function served(bytes: Uint8Array) {
    writeFileSync(path, bytes)
    const store = storeOf(sourceOf())
    app = await serveRoom({ file: store })
    const opened = (await store.open())!
    const address = `/prod-api/grundkarte-datei/${opened.map.datei.fassung}`
    const ask = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET', url = address) =>
      app!.inject({ method, url, headers: { authorization: 'Bearer appuser', ...headers } })
    return { ask, address, etag: `"${opened.map.datei.fassung}"` }
  }

  test.skipIf(isMissing)('ranges: from, from to, the last ones, one byte', async () => {
    const bytes = writePmtiles(picture(9))
    const { ask, etag } = await served(bytes)
    const size = bytes.length
    for (const [range, start, end] of [
      ['bytes=0-126', 0, 126],
      ['bytes=100-', 100, size - 1],
      ['bytes=-5', size - 5, size - 1],
      [`bytes=${size - 1}-${size + 50}`, size - 1, size - 1],
    ] as const) {
      const answer = await ask({ range })
      expect([answer.statusCode, answer.headers['content-range']]).toEqual([
        206,
        `bytes ${start}-${end}/${size}`,
      ])
      expect(answer.rawPayload.equals(bytes.subarray(start, end + 1))).toBe(true)
      expect(answer.headers).toMatchObject({
        etag,
        'accept-ranges': 'bytes',
        'content-length': String(end + 1 - start),
        'cache-control': 'private, max-age=31536000, immutable',
        'content-type': 'application/vnd.pmtiles',
      })
    }
  })
  test.skipIf(isMissing)('what is beyond the end, changed or unknown', async () => {
    const bytes = writePmtiles(picture())
    const { ask, address, etag } = await served(bytes)
    const beyond = await ask({ range: `bytes=${bytes.length}-` })
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${bytes.length}`])
    expect((await ask({ range: 'bytes=-0' })).statusCode).toBe(416)
    expect((await ask({ 'if-none-match': etag })).statusCode).toBe(304)
    expect((await ask({ range: 'bytes=0-9', 'if-range': '"other"' })).statusCode).toBe(200)
    expect((await ask({ range: 'bytes=0-9', 'if-range': etag })).statusCode).toBe(206)
    // Several ranges and those that cannot be read count as none.
    for (const range of ['bytes=0-1,4-5', 'bytes=9-1', 'items=0-1', 'bytes=a-b'])
      expect((await ask({ range })).rawPayload.equals(bytes), range).toBe(true)
    const head = await ask({ range: 'bytes=0-9' }, 'HEAD')
    expect([head.statusCode, head.headers['content-length'], head.rawPayload.length]).toEqual([206, '10', 0])
    expect((await ask({}, 'HEAD')).headers['content-length']).toBe(String(bytes.length))
    expect((await ask({}, 'GET', address.slice(0, -1))).statusCode).toBe(404)
    expect((await app!.inject({ url: address })).statusCode).toBe(401)
    expect((await app!.inject({ url: address, method: 'HEAD' })).statusCode).toBe(401)
  })
  test.skipIf(isMissing)('nobody gets more than a piece at once', async () => {
    const options = {
      ...picture(),
      tiles: [{ z: 6, x: 1, y: 1, bytes: Buffer.alloc(PIECE_BYTES + 5000, 7) }],
    }
    const { ask } = await served(writePmtiles(options))
    const whole = await ask()
    expect([whole.statusCode, whole.json()['code']]).toEqual([413, 'too_large'])
    const cut = await ask({ range: 'bytes=10-' })
    expect([cut.statusCode, cut.rawPayload.length]).toEqual([206, PIECE_BYTES])
    expect(cut.headers['content-range']).toMatch(new RegExp(`^bytes 10-${PIECE_BYTES + 9}/`))
  })
  test.skipIf(isMissing)(
    'the list has it first, with nothing of its place, and tiles are read by range',
    async () => {
      const { ask, address } = await served(writePmtiles({ ...VECTOR, leaf: 2 }))
      const list = await ask({}, 'GET', '/prod-api/grundkarten')
      expect(list.json()).toMatchObject([{ id: '_datei', datei: { form: 'vektor' } }])
      expect(list.payload).not.toMatch(/land\.pmtiles/)
      const source: Source = {
        getKey: () => address,
        getBytes: async (offset, length): Promise<RangeResponse> => {
          const { rawPayload } = await ask({ range: `bytes=${offset}-${offset + length - 1}` })
          return { data: Uint8Array.from(rawPayload).buffer }
        },
      }
      const reader = new PMTiles(source)
      expect((await reader.getHeader()).tileType).toBe(TileType.Mvt)
      for (const { z, x, y } of VECTOR.tiles)
        expect(Buffer.from((await reader.getZxy(z, x, y))!.data).equals(WATER)).toBe(true)
      expect(await reader.getZxy(0, 0, 0)).toBeUndefined()
    },
  )
})
