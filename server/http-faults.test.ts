// Refusals of the HTTP parser and refused bodies, sent over bare sockets the way
// careless and hostile clients do.
import { once } from 'node:events'
import { request as sendRequest, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SignInFault } from './caller.ts'
import { createDataApi } from './data-api/data-api.ts'
import { dataApiPlugin } from './data-api/fastify-plugin.ts'
import type { Database } from './database/database.ts'
import { refuseUnparsed } from './http-faults.ts'
import { listen, type Listener } from './listener.ts'
import { silentLog } from './log.ts'

const LIMIT = 1_000
/** No request in this file may reach the database; every use of it fails. */
const NO_DATABASE: Database = {
  engine: 'postgres',
  once: () => Promise.reject(new Error('asked')),
  transaction: () => Promise.reject(new Error('asked')),
  ping: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

let listener: Listener
let app: FastifyInstance
let port: number
beforeAll(async () => {
  listener = await listen({ host: '127.0.0.1', port: 0 })
  port = (listener.server.address() as AddressInfo).port
  app = fastify({
    bodyLimit: LIMIT,
    clientErrorHandler: refuseUnparsed,
    serverFactory: (handler) => {
      listener.serve(handler)
      return listener.server
    },
  })
  const dataApi = createDataApi({
    database: NO_DATABASE,
    schemas: ['app'],
    base: '/rest',
    role: 'nutzer',
    authenticate: (authorization) => {
      if (authorization === undefined) throw new SignInFault('missing', 'no token')
      return { claimsJson: '{}' }
    },
    limits: { bodyBytes: LIMIT },
    log: silentLog,
  })
  await app.register(dataApiPlugin, { dataApi })
  app.post('/prod-api/echo', async (request) => request.body)
  await app.ready()
})
afterAll(async () => {
  await listener.stop(100)
})

async function openSocket(): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  return socket
}

/** Sends the text as is and reads until the server closes. */
async function speak(text: string | Buffer): Promise<{ status: number; headers: string; body: unknown }> {
  const socket = await openSocket()
  const pieces: Buffer[] = []
  socket.on('data', (piece) => pieces.push(piece))
  socket.write(text)
  await once(socket, 'end')
  socket.destroy()
  const answer = Buffer.concat(pieces).toString()
  const [headers = '', body = ''] = answer.split('\r\n\r\n')
  expect(answer.match(/^HTTP\/1\.1 /gm), 'one answer').toHaveLength(1)
  return { status: Number(headers.split(' ')[1]), headers, body: JSON.parse(body) as unknown }
}

describe('what the parser refuses has the shape that clients of both APIs read', () => {
  const GET = 'GET /rest/kunde HTTP/1.1\r\nHost: a\r\n'
  const POST = 'POST /rest/kunde HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\n'
  test.each<[string, string, number]>([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a TLS greeting', '\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n', 400],
    ['a header without colon', `${GET}nonsense\r\n\r\n`, 400],
    ['a blank in a name', `${GET}X Y: 1\r\n\r\n`, 400],
    ['a NUL in a value', `${GET}X: a\u0000b\r\n\r\n`, 400],
    ['an unknown method', 'FETCH /rest/kunde HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['another version', 'GET /rest/kunde HTTP/9.9\r\nHost: a\r\n\r\n', 400],
    ['a blank in the address', 'GET /rest/kunde a HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['two lengths', `${POST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, 400],
    ['a length that is none', `${POST}Content-Length: -1\r\n\r\n{}`, 400],
    ['length and chunks', `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ['a chunk that is none', `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`, 400],
    ['large headers', `${GET}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['many headers', `${GET}${'X: 1\r\n'.repeat(5_000)}\r\n`, 431],
    ['a very long address', `GET /rest/kunde?${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 414],
    ['a strange expectation', `${GET}Expect: tea\r\n\r\n`, 417],
    ['a tunnel', 'CONNECT example.test:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    [
      'large chunk extensions',
      `${POST}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\n{\r\n`,
      413,
    ],
  ])('%s: %#', async (_what, text, status) => {
    const answer = await speak(text)
    expect([answer.status, answer.body]).toEqual([
      status,
      { code: `HTTP${status}`, message: expect.any(String), details: expect.any(String), hint: null },
    ])
    expect(answer.headers.toLowerCase()).toContain('content-type: application/json')
    expect(answer.headers.toLowerCase()).toContain('cache-control: no-store')
  })
  test('a request that does not come to its end: 408', async () => {
    const hasty = await listen({ host: '127.0.0.1', port: 0, headMs: 300 })
    const socket = connect({ port: (hasty.server.address() as AddressInfo).port, host: '127.0.0.1' })
    socket.write(GET)
    let answer = ''
    socket.on('data', (piece) => (answer += String(piece)))
    await once(socket, 'end')
    socket.destroy()
    expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"HTTP408"/)
    await hasty.stop(100)
  })
  test('an answer that has begun is not answered again', async () => {
    const socket = await openSocket()
    let answer = ''
    socket.on('data', (piece) => (answer += String(piece)))
    socket.write('POST /rest/kunde HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
    while (!answer.includes('PGRST302')) await sleep(5)
    socket.write('zz\r\n')
    await once(socket, 'close')
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })
})

interface Sent {
  readonly path: string
  readonly headers?: Record<string, string>
  readonly agent?: false
  /** Sends the body; may or may not end the request. */
  readonly send: (write: (piece: string) => void, end: () => void) => unknown
}

function refuse({ path, headers = {}, send }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const all = { Authorization: 'Bearer x', 'Content-Type': 'application/json', ...headers }
    const outgoing = sendRequest({
      host: '127.0.0.1',
      port,
      method: 'POST',
      path,
      headers: all,
      agent: false,
    })
    outgoing.on('response', (incoming: IncomingMessage) => {
      incoming.resume().on('end', () => resolve(incoming.statusCode ?? 0))
      incoming.on('error', reject)
    })
    outgoing.on('error', reject)
    const begin = () =>
      void send(
        (piece) => void outgoing.write(piece),
        () => void outgoing.end(),
      )
    if ('Expect' in all) outgoing.on('continue', begin)
    else begin()
  })
}

const LARGE = 1_500_000
/** More than the buffers at both ends hold. */
const FAR_TOO_LARGE = 30_000_000
const PIECE = 'x'.repeat(100_000)
const inPieces = (write: (piece: string) => void, end: () => void) => {
  for (let sent = 0; sent < LARGE; sent += PIECE.length) write(PIECE)
  end()
}
const KINDS: readonly [string, Omit<Sent, 'path'>][] = [
  ['with its length', { headers: { 'Content-Length': String(LARGE) }, send: inPieces }],
  ['in chunks', { send: inPieces }],
  [
    'after 100 Continue',
    { headers: { 'Content-Length': String(LARGE), Expect: '100-continue' }, send: inPieces },
  ],
  [
    'on a connection that is kept',
    { headers: { 'Content-Length': String(LARGE), Connection: 'keep-alive' }, send: inPieces },
  ],
  [
    'slowly',
    {
      send: async (write, end) => {
        for (let i = 0; i < 20; i++) {
          write(PIECE)
          await sleep(5)
        }
        end()
      },
    },
  ],
]

describe.each(['/rest/kunde', '/prod-api/echo'])('a body that is too large for %s', (path) => {
  test.each(KINDS)('is answered 413 in 100 of 100 tries: %s', async (_how, sent) => {
    const seen: Record<string, number> = {}
    for (let i = 0; i < 100; i += 5) {
      const tries = Array.from({ length: 5 }, () =>
        refuse({ path, ...sent }).catch((error: Error) => error.message),
      )
      for (const status of await Promise.all(tries)) seen[status] = (seen[status] ?? 0) + 1
    }
    expect(seen).toEqual({ 413: 100 })
  })
  test('is answered although the sender writes all of it before it reads', async () => {
    const socket = await openSocket()
    socket.pause()
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\nContent-Type: ` +
        `application/json\r\nConnection: close\r\nContent-Length: ${FAR_TOO_LARGE}\r\n\r\n`,
    )
    for (let sent = 0; sent < FAR_TOO_LARGE; sent += PIECE.length)
      if (!socket.write(PIECE)) await once(socket, 'drain')
    let answer = ''
    socket.on('data', (piece) => (answer += String(piece))).resume()
    await once(socket, 'end')
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    socket.destroy()
  })
})

test('a sender that never ends is cut off, and leaves nothing behind', async () => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  socket.write(
    'POST /rest/kunde HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\nTransfer-Encoding: chunked\r\n\r\n',
  )
  const chunk = `3e8\r\n${'x'.repeat(1000)}\r\n`
  const sender = setInterval(() => socket.write(chunk), 10)
  await once(socket, 'data')
  clearInterval(sender)
  await expect
    .poll(() => new Promise((resolve) => listener.server.getConnections((_error, n) => resolve(n))))
    .toBe(0)
  socket.destroy()
}, 20_000)

const TOKENS = [
  'GET', 'POST', 'PATCH', 'OPTIONS', 'QUERY', ' ', '/rest/kunde', '/rest/rpc/x', '/prod-api/echo', '//',
  '/%zz', '/%00', '/%ed%a0%80', '*', 'http://a/rest/kunde', '?select=', '?a=%', '#',
  ' HTTP/1.1\r\n', ' HTTP/1.0\r\n', '\r\n', '\n', '\r', '\0', 'Host: a\r\n', 'Authorization: Bearer x\r\n',
  'Authorization: \xff\r\n', 'Content-Type: application/json\r\n',
  'Content-Type: application/json; charset=utf-7\r\n', 'Content-Type: ;;\r\n', 'Content-Length: 2\r\n',
  'Content-Length: 99999999999999999999\r\n', 'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: gzip\r\n', 'Expect: 100-continue\r\n', 'Expect: x\r\n', 'Connection: close\r\n',
  'Connection: Upgrade\r\nUpgrade: websocket\r\n', 'Range: items=a-\r\n', 'Range: 9-1\r\n',
  'Prefer: =;,\r\n', 'Accept: ;q=x,/\r\n', 'Accept-Profile: "\r\n', 'Content-Encoding: br\r\n', '{}', '[{',
  '{"__proto__":{"a":1}}', '{"a":1e99999}', '[[[[[[[[', '\xff\xfe', '2\r\n{}\r\n0\r\n\r\n', 'zz\r\n',
] // biome-ignore format: a list

test('what is no request, or hardly one, ends neither the process nor its answers', async () => {
  const caught: unknown[] = []
  const note = (error: unknown) => void caught.push(error)
  process.on('uncaughtException', note).on('unhandledRejection', note)
  const message = fc.array(
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...TOKENS) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 9 }) },
    ),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  const nearlyRight = fc
    .tuple(
      fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE'),
      fc.constantFrom('/rest/kunde', '/rest/rpc/x', '/prod-api/echo', '/nowhere'),
      message,
    )
    .map(([method, path, rest]) => [`${method} ${path} HTTP/1.1\r\nHost: a\r\n`, ...rest])
  await fc.assert(
    fc.asyncProperty(fc.oneof(message, nearlyRight), async (parts) => {
      const socket = await openSocket()
      const pieces: Buffer[] = []
      socket.on('data', (piece) => pieces.push(piece)).on('error', () => undefined)
      socket.end(Buffer.from(parts.join(''), 'latin1'))
      await once(socket, 'close')
      const answers = Buffer.concat(pieces).toString('latin1')
      for (const [status] of answers.matchAll(/(?<=^HTTP\/1\.1 )\d+/gm))
        expect(Number(status) < 500 || status === '503', status).toBe(true) // there is no database
    }),
    { numRuns: 2_000 },
  )
  process.off('uncaughtException', note).off('unhandledRejection', note)
  expect(caught).toEqual([])
  const alive = await fetch(`http://127.0.0.1:${port}/rest/kunde`)
  expect([alive.status, ((await alive.json()) as { code: string }).code]).toEqual([401, 'PGRST302'])
}, 120_000)
