// One attempt against receivers that behave in every way, and addresses that are refused.
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { lookup } from 'node:dns'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressFault, publicOnly } from './address.ts'
import { expectedSignature, type Receiver, startReceiver } from './receiver.fixture.ts'
import { type Delivery, sendDelivery } from './send.ts'
import { makeSecret, signedHeaders, signsOf } from './signature.ts'

const NOW = new Date('2026-11-28T10:00:00Z')
const SECRET = makeSecret()
const BODY = JSON.stringify({ type: 'test', timestamp: '2026-11-28T10:00:00.000Z', data: { ä: '🌲' } })
const ID = '0190a1b2-0000-4000-8000-000000000001'

describe('a signature', () => {
  test('is that of the specification’s own example', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const signed = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1_614_265_330,
      body: '{"test": 2432232314}',
    }
    expect(signedHeaders([secret], signed)['webhook-signature']).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    )
  })
  test('of two secrets is two', () => {
    const two = signedHeaders([SECRET, makeSecret()], { id: 'a', timestamp: 1, body: '' })[
      'webhook-signature'
    ]
    expect(two).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/)
  })
  test('secrets are random, of 32 bytes, and recognized by their end', () => {
    expect(new Set(Array.from({ length: 100 }, makeSecret)).size).toBe(100)
    expect(Buffer.from(SECRET.slice(6), 'base64')).toHaveLength(32)
    expect(SECRET.replace('=', '').endsWith(signsOf(SECRET))).toBe(true)
  })
})

describe('an attempt', () => {
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())
  const send = (
    path: string,
    more: Partial<Delivery> & { allowsPrivate?: boolean; timeMs?: number } = {},
  ) => {
    const { allowsPrivate = true, timeMs = 3_000, ...delivery } = more
    return sendDelivery(
      { kennung: ID, url: `${receiver.url}${path}`, koerper: BODY, secrets: [SECRET], ...delivery },
      { allowsPrivate, now: () => NOW, timeMs },
    )
  }

  test('carries number, time and a signature of the very bytes', async () => {
    expect(await send('/')).toMatchObject({ grund: null, status: 204, antwort: '' })
    const last = receiver.received.at(-1)!
    expect(last.body).toBe(BODY)
    expect(last.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'webhook-id': `msg_${ID}`,
      'webhook-timestamp': String(NOW.getTime() / 1000),
      'webhook-signature': expectedSignature(SECRET, last),
    })
    expect(last.headers['authorization']).toBeUndefined()
  })
  test.each([
    ['/redirect', 'umgeleitet', 307],
    ['/hangs-up', 'nicht_erreichbar', null],
    ['/later', 'status', 429],
    ['/words', 'status', 500],
  ])('%s is %s', async (path, reason, status) => {
    expect(await send(path)).toMatchObject({ grund: reason, status })
  })
  test('a redirect is not followed', async () => {
    await send('/redirect')
    expect(receiver.received.some(({ path }) => path === '/secret')).toBe(false)
  })
  test('of an answer without an end little is read, and it counts by its status', async () => {
    const before = process.memoryUsage.rss()
    expect(await send('/huge')).toMatchObject({ grund: null, status: 200, antwort: 'x'.repeat(500) })
    expect(process.memoryUsage.rss() - before).toBeLessThan(50 * 2 ** 20)
  })
  test('one that breaks off counts by its status; one that drips is too slow', async () => {
    expect(await send('/breaks')).toMatchObject({ grund: null, status: 200, antwort: 'half' })
    expect(await send('/drips', { timeMs: 300 })).toMatchObject({ grund: 'zu_langsam', status: null })
    receiver.answer = 'silence'
    const silent = await send('/', { timeMs: 300 })
    receiver.answer = 204
    expect(silent).toMatchObject({ grund: 'zu_langsam', status: null })
    expect(silent.dauer_ms).toBeLessThan(2_000)
  })
  test('five hundred characters are kept, none of them half', async () => {
    const { antwort } = await send('/words')
    expect(antwort.length).toBeLessThanOrEqual(500)
    expect(antwort.isWellFormed()).toBe(true)
    expect(antwort).toMatch(/^Fehler/)
  })
  test('says how long the receiver asks us to wait', async () => {
    expect((await send('/later')).wait).toBe(7_200)
    expect((await send('/words')).wait).toBeNull()
  })
  test('a wait is a day at most and never negative', async () => {
    expect(await send('/far-off')).toMatchObject({ grund: 'status', status: 503, wait: 86_400 })
    expect(await send('/past')).toMatchObject({ grund: 'status', status: 503, wait: 0 })
  })
  test.each(['/999', '/099'])('%s is no status', async (path) => {
    expect(await send(path)).toMatchObject({ grund: 'nicht_erreichbar', status: null })
  })
  test('an answer that wants another protocol is none', { timeout: 8_000 }, async () => {
    expect(await send('/upgrade')).toMatchObject({ grund: 'nicht_erreichbar', status: null })
  })
  test('410 signs the receiver off', async () => {
    receiver.answer = 410
    const gone = await send('/')
    receiver.answer = 204
    expect(gone).toMatchObject({ grund: 'abgemeldet', status: 410 })
  })
  test('nobody listens', async () => {
    expect(await send('/', { url: 'http://127.0.0.1:9/' })).toMatchObject({ grund: 'nicht_erreichbar' })
    expect(await send('/', { url: 'http://nowhere.invalid/' })).toMatchObject({ grund: 'nicht_erreichbar' })
  })
  test('a certificate that nobody vouches for is refused before anything is sent', async () => {
    const tls = await startReceiver(true)
    try {
      expect(await send('/', { url: tls.url })).toMatchObject({ grund: 'zertifikat', status: null })
      expect(tls.received).toEqual([])
    } finally {
      await tls.close()
    }
  })

  describe('into our own network', () => {
    test.each([
      'http://203.0.114.5/',
      'https://127.0.0.1/',
      'https://127.1/',
      'https://2130706433/',
      'https://0x7f.0.0.1/',
      'https://10.1.2.3/',
      'https://169.254.169.254/latest/meta-data',
      'https://[::1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[fd00::1]/',
      'https://[64:ff9b::7f00:1]/',
    ])('%s is refused without a connection', async (url) => {
      const { grund, dauer_ms } = await send('/', { url, allowsPrivate: false })
      expect(['eigenes_netz', 'unverschluesselt']).toContain(grund)
      expect(dauer_ms).toBeLessThan(200)
    })
    test('a name is refused by what it resolves to when the connection is made', async () => {
      const { port } = new URL(receiver.url)
      const before = receiver.received.length
      expect(await send('/', { url: `https://localhost:${port}/`, allowsPrivate: false })).toMatchObject({
        grund: 'eigenes_netz',
      })
      expect(receiver.received).toHaveLength(before)
      const resolved = await new Promise((resolve) =>
        publicOnly('localhost', { all: true }, (error, addresses) => resolve(error?.message ?? addresses)),
      )
      expect(resolved).toBe('eigenes_netz')
      // The name is one that does resolve.
      await expect(promisify(lookup)('localhost')).resolves.toBeDefined()
    })
  })
})

describe('an address as it is entered', () => {
  test.each([
    'https://programm.example/x?y=1',
    'https://programm.example:8443/',
    'https://203.0.114.5/',
    'https://[2a00:1450::5]/',
  ])('%s is taken', (url) => expect(addressFault(url, false)).toBeNull())
  test.each([
    ['', /vollständige/],
    [null, /vollständige/],
    [['https://a.example'], /vollständige/],
    ['programm.example', /vollständige/],
    ['ftp://programm.example/', /vollständige/],
    ['javascript:alert(1)', /vollständige/],
    [`https://a.example/${'x'.repeat(1_000)}`, /vollständige/],
    ['https://name:passwort@programm.example/', /Passwort/],
    ['https://programm.example/#teil', /#/],
    ['http://programm.example/', /https/],
    ['https://localhost/', /eigenen Netz/],
    ['https://server/', /eigenen Netz/],
    ['https://192.168.1.1/', /eigenen Netz/],
    ['https://[::1]:99/', /eigenen Netz/],
    ['https://0177.0.0.1/', /eigenen Netz/],
  ])('%s is not', (url, why) => expect(addressFault(url, false)).toMatch(why))
  test('where the operator allows it, the own network and http', () => {
    expect(addressFault('http://server:8080/x', true)).toBeNull()
    expect(addressFault('http://name:passwort@server/', true)).toMatch(/Passwort/)
  })
})

describe('the receivers of docs/webhooks.md', () => {
  const doc = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8')
  const folder = mkdtempSync(join(tmpdir(), 'webhook-doc-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const blocks: readonly (readonly [language: string, program: string, file: string])[] = [
    ['js', process.execPath, 'receiver.mjs'],
    ['python', 'python3', 'receiver.py'],
  ]
  const sign = (secret: string, timestamp: number, body = BODY) =>
    signedHeaders([makeSecret(), secret], { id: 'msg_1', timestamp, body })

  test.each(blocks)(
    'in %s takes what is signed and recent, and nothing else',
    {
      timeout: 60_000,
    },
    async (language, program, file) => {
      const [, code = ''] = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(doc) ?? []
      expect(code.trim().split('\n').length, 'ten lines or so').toBeLessThanOrEqual(20)
      writeFileSync(join(folder, file), code)
      const { stdout: version } = await promisify(execFile)(program, ['--version'])
      expect(version).toMatch(/\d/)
      const port = 20_000 + Math.floor(Math.random() * 20_000)
      const child = spawn(program, [join(folder, file)], {
        env: { ...process.env, WEBHOOK_SECRET: SECRET, PORT: String(port) },
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      let said = ''
      child.stdout.on('data', (part: Buffer) => {
        said += part.toString()
      })
      const post = async (headers: Record<string, string>, body = BODY) =>
        (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status
      try {
        const now = Math.floor(Date.now() / 1000)
        await expect.poll(() => post(sign(SECRET, now)).catch(() => 0)).toBe(204)
        expect(await post(sign(makeSecret(), now))).toBe(401)
        expect(await post(sign(SECRET, now), `${BODY} `)).toBe(401)
        expect(await post(sign(SECRET, now - 400))).toBe(401)
        expect(await post(sign(SECRET, now + 400))).toBe(401)
        expect(await post({})).toBe(401)
        await expect.poll(() => said).toContain('test')
      } finally {
        child.kill('SIGKILL')
      }
    },
  )
})
