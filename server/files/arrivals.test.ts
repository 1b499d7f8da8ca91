// Files that arrive in one request, and the disk that they are for.
import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type ClientRequest, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../caller.ts'
import { toRefusal } from '../errors.ts'
import { answerEvery } from '../http-faults.ts'
import { guardRoutes } from '../route-caller.ts'
import { createArrivals } from './arrivals.ts'

const MB = 2 ** 20
const RESERVE = 64 * MB
let folder: string
let uploads: string
let free: number
let app: FastifyInstance
let finish: () => void
const sent: ClientRequest[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'arrivals-'))
  uploads = mkdtempSync(join(tmpdir(), 'uploads-'))
  free = 100_000 * MB
  const arrivals = createArrivals({ perPerson: 2, atOnce: 3, uploads, free: () => Promise.resolve(free) })
  const finished = new Promise<void>((resolve) => (finish = resolve))
  app = fastify()
  answerEvery(app.server)
  guardRoutes(app, (who) => callerOf(who ?? ''))
  app.setErrorHandler((error, _request, reply) => {
    const { status, code } = toRefusal(error)
    return reply.code(status).send({ code })
  })
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
  let nr = 0
  app.post('/file', { config: { calledBy: 'nutzer' } }, (request, reply) =>
    arrivals.take(request.caller!, { request, reply }, { folder, most: 50 * MB }, async () => {
      await pipeline(request.body as Readable, createWriteStream(join(folder, String(nr++))))
      await finished
      return { ok: true }
    }),
  )
  await app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  finish()
  for (const request of sent.splice(0)) request.destroy()
  await app.close()
  for (const path of [folder, uploads]) rmSync(path, { recursive: true, force: true })
})

const callerOf = (sub: string): Caller => ({
  claims: { iss: 'iss', sub, exp: 0, iat: 0, groups: [], role: 'nutzer' },
  claimsJson: '{}',
  person: `iss ${sub} key 1`,
})

interface Sent {
  readonly answer: Promise<{ status: number; retryAfter?: string | undefined }>
  readonly request: ClientRequest
}
/** @param bytes announced; null: sent in pieces of unknown number */
function send(who: string, bytes: number | null, first = Buffer.from('a')): Sent {
  const { port } = app.server.address() as AddressInfo
  const request = httpRequest({
    port,
    method: 'POST',
    path: '/file',
    headers: {
      authorization: who,
      'content-type': 'application/octet-stream',
      ...(bytes !== null && { 'content-length': bytes }),
    },
  })
  sent.push(request)
  const answer = new Promise<{ status: number; retryAfter?: string | undefined }>((resolve, reject) => {
    request.once('response', (message) => {
      message.resume()
      resolve({ status: message.statusCode ?? 0, retryAfter: message.headers['retry-after'] })
    })
    request.once('error', reject)
  })
  answer.catch(() => undefined)
  request.write(first)
  return { answer, request }
}
const arrived = (count: number) => expect.poll(() => readdirSync(folder).length).toBe(count)

describe('files in one request', () => {
  test('of a person so many, until their work is done', async () => {
    const all = [send('a', 1), send('a', 1)]
    await arrived(2)
    expect(await send('a', 1).answer).toEqual({ status: 429, retryAfter: '15' })
    finish()
    for (const { answer } of all) expect(await answer).toMatchObject({ status: 200 })
    expect(await send('a', 1).answer).toMatchObject({ status: 200 })
  })
  test('of all so many at once; one that has arrived or was given up makes room', async () => {
    const [first] = [send('a', 10), send('b', 10), send('c', 10)]
    await arrived(3)
    expect(await send('d', 10).answer).toMatchObject({ status: 429 })
    first!.request.write('123456789')
    await expect.poll(() => readFileSync(join(folder, '0')).length).toBe(10)
    const next = send('d', 10)
    await arrived(4)
    expect(await send('e', 10).answer).toMatchObject({ status: 429 })
    next.request.destroy()
    await expect
      .poll(async () => (await Promise.race([send('e', 1).answer, later(200)]))?.status)
      .not.toBe(429)
  })
  test('who has none under way takes the place of the slowest one of who has most', async () => {
    const [fast, slow] = [send('a', 30 * MB, Buffer.alloc(5 * MB)), send('a', 30 * MB)]
    const other = send('b', 10)
    await expect.poll(() => readFileSync(join(folder, '0')).length).toBe(5 * MB)
    await arrived(3)
    const next = send('c', 1)
    await expect(slow.answer).rejects.toThrow()
    finish()
    expect(await next.answer).toMatchObject({ status: 200 })
    other.request.write('123456789')
    fast.request.write(Buffer.alloc(25 * MB))
    expect([await other.answer, await fast.answer]).toMatchObject([{ status: 200 }, { status: 200 }])
    // Somebody's only one is nobody's to take.
    const only = ['a', 'b', 'c'].map((who) => send(who, 10))
    await arrived(7)
    expect(await send('d', 1).answer).toMatchObject({ status: 429 })
    for (const { request } of only) request.write('123456789')
    for (const { answer } of only) expect(await answer).toMatchObject({ status: 200 })
  })
  test('the reserve of the disk stays free, and what others announced is not free', async () => {
    free = RESERVE + 50 * MB
    send('a', 30 * MB)
    await arrived(1)
    expect(await send('b', 30 * MB).answer).toMatchObject({ status: 507 })
    // Without a length it may be the longest.
    expect(await send('b', null).answer).toMatchObject({ status: 507 })
    send('b', 10 * MB)
    await arrived(2)
  })
  test('nor is what resumable uploads have announced', async () => {
    free = RESERVE + 50 * MB
    const name = `1-7-${crypto.randomUUID()}`
    writeFileSync(join(uploads, `${name}.json`), JSON.stringify({ size: 40 * MB }))
    writeFileSync(join(uploads, name), 'abc')
    expect(await send('a', 20 * MB).answer).toMatchObject({ status: 507 })
    send('a', 9 * MB)
    await arrived(1)
  })
  test('what has arrived is counted by the disk alone', async () => {
    free = RESERVE + 20 * MB
    const first = send('a', 10 * MB, Buffer.alloc(9 * MB))
    await expect.poll(() => readFileSync(join(folder, '0')).length).toBe(9 * MB)
    send('b', 15 * MB)
    await arrived(2)
    first.request.destroy()
  })
})

const later = (ms: number) => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ms))

test('whatever takes a body as a stream counts it', () => {
  const sources = readdirSync('server', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(path))
    .map((path) => ({ path, text: readFileSync(join('server', path), 'utf8') }))
  const streams = sources.filter(({ text }) => /payload, done\) => done\(null, payload\)/.test(text))
  expect(streams.map(({ path }) => path).toSorted()).toEqual([
    'eingang/routes.ts',
    'geodata/import-routes.ts',
    'imports/routes.ts',
  ])
  for (const { path, text } of streams) expect(text, path).toContain('arrivals')
  const users = sources.filter(({ text }) => text.includes('acceptFiles(app'))
  for (const { path, text } of users) expect(text, path).toContain('arrivals')
})
