// Runs against a real local server: what is sent, and how each answer is handled.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { currentToasts, dismissToast } from '../ui/toasts.ts'
import { ApiError } from './api-error.ts'
import { eq } from './addresses.ts'
import { call, callGeneral, connectClient } from './client.ts'
import { insert, removeOne, selectOne, selectPage, totalOf, updateOne } from './rows.ts'

interface Seen {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}
type Handler = (seen: Seen, response: ServerResponse) => void

let server: Server
let origin = ''
let handler: Handler
let seen: Seen[] = []
const lost: ApiError[] = []
let refreshes = 0
let refreshWorks = true
let token: string | null = 'alt'
let leaving = false

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
      seen.push(one)
      handler(one, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  seen = []
  lost.length = 0
  refreshes = 0
  refreshWorks = true
  token = 'alt'
  leaving = false
  connectClient({
    dataApi: `${origin}/rest`,
    generalApi: `${origin}/prod-api`,
    uploadLimitMb: 2048,
    token: () => token,
    refresh: async () => {
      refreshes++
      await new Promise((resolve) => setTimeout(resolve, 20))
      if (refreshWorks) token = 'neu'
      return refreshWorks
    },
    sessionLost: (error) => lost.push(error),
    leaving: () => leaving,
  })
})
const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
  (_seen, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(body === undefined ? '' : JSON.stringify(body))
const fault = async (work: Promise<unknown>): Promise<ApiError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}

describe('calls', () => {
  test('bearer, JSON and preferences travel', async () => {
    handler = answer(201, [{ id: 1 }])
    expect(await insert('kunde', { name: 'Ü' })).toEqual({ id: 1 })
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/rest/kunde', body: '{"name":"Ü"}' })
    expect(seen[0]?.headers).toMatchObject({
      authorization: 'Bearer alt',
      'content-type': 'application/json',
      prefer: 'return=representation',
    })
  })
  test('an empty answer is null', async () => {
    handler = answer(204, undefined)
    expect((await call('POST', 'rpc/x', { body: {} })).data).toBeNull()
  })
  test('an answer that is not JSON is a fault (a proxy in between)', async () => {
    handler = (_seen, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
    expect(await fault(call('GET', 'kunde'))).toMatchObject({ code: 'unavailable' })
  })
  test('the time limit ends it', async () => {
    handler = () => {}
    expect(await fault(call('GET', 'kunde', { timeoutMs: 60 }))).toMatchObject({ code: 'timeout' })
  })
  test('who leaves gets no fault to show but the abort itself', async () => {
    handler = () => {}
    const controller = new AbortController()
    const work = call('GET', 'kunde', { signal: controller.signal }).catch((error: unknown) => error)
    controller.abort()
    expect(await work).toMatchObject({ name: 'AbortError' })
  })
  test('a page on its way out asks nothing any more and shows no fault', async () => {
    handler = answer(401, { code: 'PGRST301' })
    leaving = true
    const settled = await Promise.race([
      call('GET', 'kunde').then(
        () => 'answered',
        () => 'refused',
      ),
      new Promise((resolve) => setTimeout(resolve, 50, 'nothing')),
    ])
    expect([settled, seen, lost, refreshes]).toEqual(['nothing', [], [], 0])
  })
  test('nobody there', async () => {
    connectClient({
      dataApi: 'http://127.0.0.1:1/rest',
      generalApi: '',
      uploadLimitMb: 2048,
      token: () => null,
      refresh: async () => false,
      sessionLost: () => {},
    })
    expect(await fault(call('GET', 'kunde'))).toMatchObject({ code: 'unavailable' })
  })
  describe('a write whose answer was lost', () => {
    const keys = () => seen.map(({ headers }) => headers['idempotency-key'])
    const silent: Handler = () => {}
    const cut: Handler = (_seen, response) => void response.destroy()
    const done: Handler = (_seen, response) =>
      response.writeHead(200, { 'idempotency-replayed': 'false' }).end('7')
    const write = (text = 'a') => call('POST', 'rpc/a_add_notiz', { body: { text }, timeoutMs: 400 })
    /** The first requests are answered by `first`, one each, the others with 200. */
    const after = (...first: Handler[]) => {
      handler = (one, response) => (first.shift() ?? done)(one, response)
    }

    test.each([
      ['in time', silent],
      ['at all', cut],
      ['by the server, but by a proxy', answer(502, undefined)],
    ])('is sent once more with its key: not answered %s', async (_how, lostAnswer) => {
      after(lostAnswer)
      expect((await write()).data).toBe(7)
      expect(keys()).toEqual([expect.stringMatching(/^[0-9-]{16,43}$/), keys()[0]])
    })
    test('is sent twice and no more, and keeps its key when its user tries again', async () => {
      after(cut, silent, cut)
      expect(await fault(write())).toMatchObject({ code: 'timeout' })
      expect((await write()).data).toBe(7)
      expect([keys().length, new Set(keys()).size]).toEqual([4, 1])
      await write()
      expect(keys()[4]).not.toBe(keys()[0])
    })
    test('loses its key to another write: what that one undid may be done again', async () => {
      after(cut, cut)
      await fault(write('a'))
      await write('b')
      await write('a')
      expect(new Set(keys()).size).toBe(3)
    })
    test('keeps it over reads, and over what may be done twice', async () => {
      after(cut, cut, answer(200, []), done)
      await fault(write('a'))
      await call('POST', 'rpc/a_get_notizen', { body: {} })
      await call('POST', 'rpc/__o_set_einstellungen', { body: {}, repeatable: true })
      await write('a')
      expect([keys()[0], keys()[3], keys()[4]]).toEqual([keys()[1], undefined, keys()[0]])
    })
    test('that was refused is not sent again', async () => {
      handler = answer(400, { code: '22023', message: 'x' })
      await fault(write())
      await fault(write())
      expect(new Set(keys()).size).toBe(2)
    })
    test('reads carry no key and are not repeated here', async () => {
      handler = cut
      await fault(call('GET', 'kunde'))
      expect(keys()).toEqual([undefined])
    })
  })
  test('the general API is unwrapped, and its faults are faults whatever the status', async () => {
    handler = answer(200, { code: 20000, message: 'ok', data: [1] })
    expect(await callGeneral('GET', 'x')).toEqual([1])
    handler = answer(200, { code: 40300, message: 'x' })
    expect(await fault(callGeneral('GET', 'x'))).toMatchObject({ status: 200 })
    handler = answer(200, [{ idHQ: 1 }])
    expect(await callGeneral('GET', 'x')).toEqual([{ idHQ: 1 }])
  })
})

describe('a fault of the general API', () => {
  beforeEach(() => {
    for (const { id } of currentToasts()) dismissToast(id)
  })
  const shown = () => currentToasts().map(({ tone, text }) => [tone, text])

  test('is shown with the server’s words and rejected', async () => {
    handler = answer(200, { code: 60_204, message: 'Account and password are incorrect.' })
    expect(await fault(callGeneral('POST', 'user/login'))).toMatchObject({
      message: 'Account and password are incorrect.',
    })
    expect(shown()).toEqual([['error', 'Account and password are incorrect.']])
    // Simultaneous identical errors are shown once.
    await Promise.all([1, 2, 3].map(() => fault(callGeneral('POST', 'user/login'))))
    expect(shown()).toHaveLength(1)
  })
  test('without words gets ours; a network fault and an HTTP status as well', async () => {
    handler = answer(200, { code: 40_000 })
    await fault(callGeneral('GET', 'x'))
    handler = (_one, response) => response.destroy()
    await fault(callGeneral('GET', 'x'))
    handler = answer(502, 'x')
    await fault(callGeneral('GET', 'x'))
    expect(shown().map(([tone]) => tone)).toEqual(shown().map(() => 'error'))
    expect(
      shown()
        .map(([, text]) => text)
        .join(' '),
    ).toMatch(/nicht erreichbar/)
  })
  test('is not shown where the caller asked for quiet, nor at the end of a session, which has its dialog', async () => {
    handler = answer(403, { code: 40_300, message: 'x' })
    await fault(callGeneral('GET', 'x', { quiet: true }))
    refreshWorks = false
    for (const code of [50_008, 50_012, 50_014]) {
      handler = answer(200, { code, message: 'Login failed, unable to get user details.' })
      await fault(callGeneral('GET', 'x'))
    }
    expect(shown()).toEqual([])
    expect(lost.map(({ code }) => code)).toEqual(['not_signed_in', 'account_disabled', 'session_expired'])
  })
})

describe('an expired session', () => {
  const expired: Handler = (one, response) =>
    one.headers.authorization === 'Bearer neu'
      ? answer(200, [])(one, response)
      : answer(401, { code: 'PGRST303', message: 'JWT expired' })(one, response)

  test('is renewed once for all who wait, and each call is made once more', async () => {
    handler = expired
    await Promise.all([call('GET', 'a'), call('GET', 'b'), call('GET', 'c')])
    expect(refreshes).toBe(1)
    expect(seen).toHaveLength(6)
    expect(lost).toEqual([])
  })
  test('a late refusal of the former token asks for no second renewal', async () => {
    handler = (one, response) =>
      void setTimeout(
        () => expired(one, response),
        one.url === '/rest/late' && one.headers.authorization === 'Bearer alt' ? 200 : 0,
      )
    await Promise.all([call('GET', 'late'), call('GET', 'early')])
    expect(refreshes).toBe(1)
    expect(lost).toEqual([])
  })
  test('that cannot be renewed is reported, and the call fails', async () => {
    handler = expired
    refreshWorks = false
    expect(await fault(call('GET', 'a'))).toMatchObject({ code: 'session_expired' })
    expect(seen).toHaveLength(1)
    expect(lost).toHaveLength(1)
  })
  test('that stays expired after the renewal is tried no third time', async () => {
    handler = answer(401, { code: 'PGRST303', message: 'JWT expired' })
    await fault(call('GET', 'a'))
    expect(seen).toHaveLength(2)
    expect(lost).toHaveLength(1)
  })
  test('of a disabled person is not renewed', async () => {
    handler = answer(401, { code: 'PT401', message: 'Account disabled', hint: 'account_disabled' })
    expect(await fault(call('GET', 'a'))).toMatchObject({ code: 'account_disabled' })
    expect(refreshes).toBe(0)
    expect(lost).toHaveLength(1)
  })
  test('a forbidden row is no lost session', async () => {
    handler = answer(403, { code: '42501' })
    await fault(call('GET', 'a'))
    expect({ refreshes, lost }).toEqual({ refreshes: 0, lost: [] })
  })
  test.each([
    [403, { code: 50_008, message: 'x' }],
    [403, { code: 50_012, message: 'x' }],
    [403, { code: 50_014, message: 'x' }],
    [403, { code: 'PGRST303', message: 'JWT expired' }],
    [403, { code: 'PT403', hint: 'session_ended' }],
    [429, { code: 50_014 }],
    [503, { code: 'PGRST301' }],
  ])('%i %j is none either, on both ways to the server', async (status, body) => {
    handler = answer(status, body)
    await fault(call('GET', 'a'))
    await fault(callGeneral('GET', 'a', { quiet: true }))
    expect({ refreshes, lost, calls: seen.length }).toEqual({ refreshes: 0, lost: [], calls: 2 })
  })
  test('the time that the server asks for comes with the fault, and nothing is sent twice from here', async () => {
    handler = answer(429, { code: '53300' }, { 'retry-after': '2' })
    expect(await fault(call('POST', 'kunde', { body: {} }))).toMatchObject({
      code: 'too_many_requests',
      retryAfterMs: 2_000,
    })
    expect(seen).toHaveLength(1)
  })
})

describe('rows', () => {
  test('a page with its total', async () => {
    handler = answer(206, [{ id: 1 }], { 'content-range': '0-0/500' })
    expect(await selectPage('kunde', { limit: 1, filters: [eq('ort', 'Ulm')] })).toEqual({
      rows: [{ id: 1 }],
      total: 500,
    })
    expect(seen[0]).toMatchObject({ url: '/rest/kunde?ort=eq.Ulm&limit=1' })
    expect(seen[0]?.headers.prefer).toBe('count=exact')
  })
  test('past the end it is an empty page', async () => {
    handler = answer(416, { code: 'PGRST103' }, { 'content-range': '*/12' })
    expect(await selectPage('kunde', { limit: 25, offset: 50, count: 'estimated' })).toEqual({
      rows: [],
      total: 12,
    })
  })
  test('totals', () => {
    expect([totalOf('0-24/500'), totalOf('*/0'), totalOf('0-24/*'), totalOf(null)]).toEqual([
      500,
      0,
      null,
      null,
    ])
  })
  test('no row is not_found', async () => {
    handler = answer(200, [])
    expect(await fault(selectOne('kunde', [eq('client_id', 5)]))).toMatchObject({
      code: 'not_found',
      status: 404,
    })
  })
  test('a change that met no row is not_found', async () => {
    handler = answer(200, [])
    expect(await fault(updateOne('kunde', [eq('client_id', 5)], { ort: 'Ulm' }))).toMatchObject({
      code: 'not_found',
    })
    expect(seen[0]).toMatchObject({ method: 'PATCH', url: '/rest/kunde?client_id=eq.5' })
  })
  test('a change of an older version tells who and when, and changes nothing', async () => {
    const current = {
      client_id: 5,
      version: 4,
      geaendert_am: '2026-11-21T10:00:00Z',
      geaendert_von: 'Berta Buche',
    }
    handler = (one, response) => answer(200, one.method === 'PATCH' ? [] : [current])(one, response)
    const error = await fault(updateOne('kunde', [eq('client_id', 5)], { ort: 'Ulm' }, { version: 3 }))
    expect(error).toMatchObject({ code: 'changed_meanwhile', status: 409, current })
    expect(error.message).toContain('Berta Buche')
    expect(error.message).toContain('21.11.2026')
    expect(seen[0]?.url).toBe('/rest/kunde?client_id=eq.5&version=eq.3')
  })
  test('a readable row of the same version that is not ours to change is not_found', async () => {
    handler = (one, response) => answer(200, one.method === 'PATCH' ? [] : [{ version: 3 }])(one, response)
    expect(await fault(updateOne('kunde', [eq('client_id', 5)], {}, { version: 3 }))).toMatchObject({
      code: 'not_found',
    })
  })
  test('a removal that met no row is not_found', async () => {
    handler = answer(204, undefined, { 'content-range': '*/0' })
    expect(await fault(removeOne('gutschein', [eq('id', 1)]))).toMatchObject({ code: 'not_found' })
    handler = answer(204, undefined, { 'content-range': '*/1' })
    await removeOne('gutschein', [eq('id', 1)])
    expect(seen[1]?.headers.prefer).toBe('return=minimal, count=exact')
  })
})
