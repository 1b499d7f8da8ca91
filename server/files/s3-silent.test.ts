// A store that stays silent: at once, in the middle of an answer, or between single bytes. Callers learn of
// it in time, and work again once it is back.
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from './store.ts'
import { s3Store } from './s3-store.ts'

/** How the store handles a request. `drip`: a byte now and then. */
type Way = 'answers' | 'silent' | 'half' | 'half once' | 'drip' | 'slow'

const QUIET_MS = 2_000
/**
 * With production settings callers know within ten seconds; here it is shorter. The factor allows for busy
 * machines, which are slow, not silent.
 */
const TOLD_MS = 5 * QUIET_MS
const folder = mkdtempSync(join(tmpdir(), 's3-still-'))
const objects = new Map<string, Buffer>()
const parts = new Map<string, Buffer>()
let way: Way = 'answers'
let only: RegExp = /./
const faults: unknown[] = []
const log = {
  info: () => undefined,
  warn: () => undefined,
  error: (message: string, facts?: object) => void faults.push({ message, ...facts }),
}

const server = createServer((request, response) => void serve(request, response))
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  way = 'answers'
  only = /./
  faults.length = 0
})

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '', 'http://store')
  const hit = only.test(`${request.method} ${url.pathname}${url.search}`)
  // Continuing a download that stopped half-way fails too.
  if (hit && (way === 'silent' || (way === 'half' && request.headers.range !== undefined))) return
  const body = await buffer(request)
  const key = url.pathname.slice('/wald/'.length)
  const range = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '')
  if (url.searchParams.has('uploads') && request.method === 'GET')
    return give(response, hit, Buffer.from('<L><IsTruncated>false</IsTruncated></L>'))
  if (url.searchParams.has('uploads')) return give(response, hit, Buffer.from('<UploadId>u1</UploadId>'))
  if (url.searchParams.has('partNumber')) {
    parts.set(url.searchParams.get('partNumber') ?? '', body)
    response.setHeader('etag', '"e"')
    return give(response, hit, Buffer.alloc(0))
  }
  if (url.searchParams.has('uploadId') && request.method === 'POST') {
    objects.set(key, Buffer.concat([...parts.values()]))
    return give(response, hit, Buffer.from('<CompleteMultipartUploadResult/>'))
  }
  if (url.searchParams.has('list-type')) {
    const list = [...objects].map(
      ([name, { length }]) =>
        `<Contents><Key>${name}</Key><Size>${length}</Size>` +
        '<LastModified>2026-01-01T00:00:00Z</LastModified></Contents>',
    )
    return give(response, hit, Buffer.from(`<L>${list.join('')}<IsTruncated>false</IsTruncated></L>`))
  }
  if (request.method === 'PUT') objects.set(key, body)
  if (request.method === 'DELETE') objects.delete(key)
  const found = objects.get(key)
  if (found === undefined && request.method !== 'DELETE') response.statusCode = 404
  response.setHeader('last-modified', new Date().toUTCString())
  const content =
    request.method === 'GET' || request.method === 'HEAD' ? (found ?? Buffer.alloc(0)) : Buffer.alloc(0)
  if (range !== null) response.statusCode = 206
  give(
    response,
    hit,
    range === null ? content : content.subarray(Number(range[1]), Number(range[2]) + 1),
    request.method === 'HEAD',
  )
}

function give(response: ServerResponse, hit: boolean, content: Buffer, head = false): void {
  response.setHeader('content-length', content.length)
  if (head || content.length === 0 || !hit || way === 'answers')
    return void response.end(head ? undefined : content)
  if (way === 'half' || way === 'half once') {
    if (way === 'half once') way = 'answers'
    return void response.write(content.subarray(0, content.length >> 1))
  }
  const step = way === 'slow' ? Math.ceil(content.length / 12) : 1
  let at = 0
  const timer = setInterval(() => {
    response.write(content.subarray(at, (at += step)))
    if (at < content.length) return
    clearInterval(timer)
    response.end()
  }, 300)
  response.on('close', () => clearInterval(timer))
}

let stores = 0
const open = (more: Partial<Parameters<typeof s3Store>[0]> = {}): Store =>
  s3Store({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket: 'wald',
    region: 'eu',
    pathStyle: true,
    prefix: '',
    accessKeyId: 'a',
    secretAccessKey: 'geheim',
    folder: join(folder, String(stores++)),
    cacheBytes: 1,
    retryMs: 20,
    quietMs: QUIET_MS,
    log,
    ...more,
  })

async function fileOf(store: Store, bytes: Buffer): Promise<string> {
  const path = await store.workFile()
  await writeFile(path, bytes)
  return path
}
const hashed = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const BIG = randomBytes(600_000)
const SHA = hashed(BIG)
const stored = (): void => void objects.set(`${SHA.slice(0, 2)}/${SHA}`, BIG)

async function collect<T>(list: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of list) all.push(one)
  return all
}

const CALLS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'putting in': async (store) => store.putFile(await fileOf(store, randomBytes(1000))),
  reading: async (store) => buffer((await store.readFrom(SHA)) ?? (await Promise.reject(new Error('none')))),
  'a copy for a program': (store) => store.filePath(SHA),
  size: (store) => store.groesse(SHA),
  removing: (store) => store.remove(SHA),
  listing: (store) => collect(store.liste()),
  'clearing up': (store) => store.cleanUpWork(new Date()),
}

async function told(work: () => Promise<unknown>): Promise<void> {
  const started = performance.now()
  await expect(work()).rejects.toMatchObject({ code: 'unavailable', status: 503 })
  expect(performance.now() - started).toBeLessThan(TOLD_MS)
  expect(JSON.stringify(faults)).toContain('file store failed')
  expect(JSON.stringify(faults)).not.toContain('geheim')
}

describe('a store that takes the request and says nothing', () => {
  for (const [what, call] of Object.entries(CALLS)) {
    test(`${what} is told so in time, and works once it is back`, { timeout: 60_000 }, async () => {
      stored()
      const store = open()
      way = 'silent'
      await told(() => call(store))
      way = 'answers'
      await call(store)
    })
  }

  test('a large file is told so at every step of its parts', { timeout: 120_000 }, async () => {
    const bytes = randomBytes(250_000)
    for (const step of [/^POST .*uploads/, /^PUT .*partNumber=2/, /^POST .*uploadId/]) {
      const store = open({ partBytes: 100_000 })
      const path = await fileOf(store, bytes)
      objects.delete(`${hashed(bytes).slice(0, 2)}/${hashed(bytes)}`)
      only = step
      way = 'silent'
      await told(() => store.putFile(path))
      way = 'answers'
      parts.clear()
      expect((await store.putFile(path)).sha256).toBe(hashed(bytes))
    }
  })
})

describe('a store that falls silent in the middle', () => {
  for (const what of ['reading', 'a copy for a program', 'listing'] as const) {
    test(`${what} is told so in time`, { timeout: 60_000 }, async () => {
      stored()
      way = 'half'
      await told(() => CALLS[what]!(open()))
    })
  }
  test('once: reading goes on over another connection', { timeout: 60_000 }, async () => {
    stored()
    way = 'half once'
    expect((await buffer((await open().readFrom(SHA))!)).equals(BIG)).toBe(true)
    expect(faults).toEqual([])
  })
})

describe('a store that drips', () => {
  for (const what of ['reading', 'a copy for a program', 'listing'] as const) {
    test(`${what} is told so in time`, { timeout: 60_000 }, async () => {
      stored()
      way = 'drip'
      await told(() => CALLS[what]!(open()))
    })
  }
})

test('a slow store that moves is waited for, longer than one that says nothing', {
  timeout: 60_000,
}, async () => {
  stored()
  way = 'slow'
  const started = performance.now()
  expect((await buffer((await open().readFrom(SHA))!)).equals(BIG)).toBe(true)
  expect(performance.now() - started).toBeGreaterThan(QUIET_MS)
})

test('who reads slowly does not wait for the store', { timeout: 60_000 }, async () => {
  stored()
  const stream = (await open().readFrom(SHA))!
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    await new Promise((resolve) => setTimeout(resolve, 400))
  }
  expect(bytes).toBe(BIG.length)
  expect(faults).toEqual([])
})
