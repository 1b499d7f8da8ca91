import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RESERVED_PATHS } from '#contract/server-paths.ts'
import { compressFolder } from '../scripts/compress.ts'
import { createApp } from './app.ts'
import { browserConfig } from './browser-config.ts'
import { type Environment, readConfig } from './config.ts'
import { UnavailableFault } from './database/database.ts'
import { health } from './health.ts'
import { createLog } from './log.ts'
import { forAnyone } from './route-caller.ts'
import { screens } from './screens.ts'

const PAGE = `<!doctype html><title>Forstkontor</title>${' '.repeat(2000)}`
const SCRIPT = `console.log(1)\n${'// a long script\n'.repeat(200)}`
const LOCAL = { host: 'localhost:3000' }
const NAVIGATION = { ...LOCAL, accept: 'text/html,application/xhtml+xml' }
const MARKER = 'geheim-4711'

let folder: string
let reachable = true
let lines: string[] = []

async function start(env: Environment = {}): Promise<FastifyInstance> {
  lines = []
  const config = readConfig({ LOG_REQUESTS: 'on', ...env, DATA_DIR: folder })
  const log = createLog(
    (line) => lines.push(line),
    () => new Date('2026-12-31T12:00:00Z'),
  )
  const ping = () => (reachable ? Promise.resolve() : Promise.reject(new UnavailableFault('away')))
  return createApp({
    config,
    log,
    authenticate: () => Promise.reject(new Error('nobody signs in here')),
    installs: [
      (app) => health(app, { ping }),
      (app) => browserConfig(app, config),
      (app) => {
        app.get(
          '/fehler/:link',
          forAnyone(() =>
            Promise.reject(new Error('cannot read eyJhbGciOi.eyJzdWIi.c2ln for anna@forst.example')),
          ),
        )
      },
      (app) => screens(app, { config, folder: join(folder, 'web') }),
    ],
  })
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'forstkontor-app-'))
  mkdirSync(join(folder, 'web/assets'), { recursive: true })
  writeFileSync(join(folder, 'web/index.html'), PAGE)
  writeFileSync(join(folder, 'web/assets/main-abc.js'), SCRIPT)
  await compressFolder(join(folder, 'web'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a trial', () => {
  let app: FastifyInstance
  beforeAll(async () => {
    app = await start()
  })
  afterAll(() => app.close())

  test('every answer carries the security headers, faults and files alike', async () => {
    for (const url of [
      '/',
      '/kunden/5',
      '/assets/main-abc.js',
      '/assets/missing.js',
      '/healthz',
      '/config/app.json',
      '/fehler/x',
      '/rest/nothing',
    ]) {
      const { headers } = await app.inject({ url, headers: NAVIGATION })
      expect(headers, url).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=(), microphone=(), geolocation=(self)'),
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      })
      expect(headers['content-security-policy'], url).not.toContain('unsafe')
    }
  })
  test('a page of another name is turned away', async () => {
    for (const host of ['forst.example', 'localhost.example', '127.0.0.1.example:3000']) {
      expect((await app.inject({ url: '/', headers: { host } })).statusCode, host).toBe(403)
    }
    for (const host of ['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000']) {
      expect((await app.inject({ url: '/', headers: { host } })).statusCode, host).toBe(200)
    }
  })
  test('another name of this machine leads to the one under which signing in works', async () => {
    const typed = await app.inject({
      url: '/kunden/5?a=b',
      headers: { ...NAVIGATION, host: '127.0.0.1:3000' },
    })
    expect([typed.statusCode, typed.headers.location]).toEqual([307, 'http://localhost:3000/kunden/5?a=b'])
    const tricky = await app.inject({
      url: '//forst.example/x',
      headers: { ...NAVIGATION, host: '127.0.0.1:3000' },
    })
    expect(new URL(String(tricky.headers.location)).origin).toBe('http://localhost:3000')
    expect(
      (await app.inject({ url: '/config/app.json', headers: { host: '127.0.0.1:3000' } })).statusCode,
    ).toBe(200)
  })
  test('hashed files are kept for ever, the page is asked again each time', async () => {
    expect(
      (await app.inject({ url: '/assets/main-abc.js', headers: LOCAL })).headers['cache-control'],
    ).toContain('immutable')
    expect((await app.inject({ url: '/', headers: LOCAL })).headers['cache-control']).toBe('no-cache')
  })
  test('files go out compressed as they were built', async () => {
    const answer = await app.inject({
      url: '/assets/main-abc.js',
      headers: { ...LOCAL, 'accept-encoding': 'gzip, deflate, br' },
    })
    expect(answer.headers['content-encoding']).toBe('br')
    expect(answer.headers['vary']).toContain('accept-encoding')
    expect(brotliDecompressSync(answer.rawPayload).toString()).toBe(SCRIPT)
  })
  test('a deep link gets the application', async () => {
    const answer = await app.inject({ url: '/kunden/5?suche=x', headers: NAVIGATION })
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toBe(PAGE)
    expect(answer.headers['content-security-policy']).toContain("script-src 'self'")
  })
  test('a path with two slashes is an unknown path like any other', async () => {
    for (const url of ['//', '//kunden', '/kunden//5', '/kunden//', '//forst.example/x', '//index.html']) {
      const answer = await app.inject({ url, headers: NAVIGATION })
      expect([answer.statusCode, answer.body], url).toEqual([200, PAGE])
      expect(answer.headers['content-security-policy'], url).toContain("script-src 'self'")
      const asked = await app.inject({ url, headers: { ...LOCAL, accept: 'application/json' } })
      expect([asked.statusCode, asked.json<{ code: string }>().code], url).toEqual([404, 'not_found'])
    }
    expect((await app.inject({ url: '/assets//main-abc.js', headers: NAVIGATION })).statusCode).toBe(404)
  })
  test('what is no navigation, or belongs to a room, stays missing', async () => {
    const MISSING = [
      '/rest/kunde',
      '/prod-api/x',
      '/rest',
      ...RESERVED_PATHS.map((path) => `${path}/nothing`),
    ]
    for (const url of MISSING)
      expect((await app.inject({ url, headers: NAVIGATION })).statusCode, url).toBe(404)
    expect(
      (await app.inject({ url: '/kunden/5', headers: { ...LOCAL, accept: 'application/json' } })).statusCode,
    ).toBe(404)
    expect((await app.inject({ method: 'POST', url: '/kunden/5', headers: NAVIGATION })).statusCode).toBe(404)
  })
  test('no path leads out of the folder', async () => {
    for (const url of [
      '/../secrets/idp',
      '/%2e%2e/secrets/idp',
      '/..%2fsecrets%2fidp',
      '/assets/..%5c..%5csecrets',
    ]) {
      const answer = await app.inject({ url, headers: LOCAL })
      expect(answer.statusCode, url).toBeGreaterThanOrEqual(400)
    }
  })
  test('an address that cannot be decoded is refused in our shape, with the headers', async () => {
    const answer = await app.inject({ url: '/kunden/%zz', headers: NAVIGATION })
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { code: 'bad_value', message: 'Eine Angabe ist ungültig.' },
    ])
    expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })
  test('a fault tells the caller nothing of the inside', async () => {
    const answer = await app.inject({ url: '/fehler/x', headers: LOCAL })
    expect(answer.json()).toEqual({ code: 'internal', message: 'Auf dem Server ist ein Fehler aufgetreten.' })
  })
  test('the log of a fault names it without tokens and addresses', async () => {
    lines = []
    await app.inject({ url: '/fehler/x', headers: LOCAL })
    const reason = JSON.parse(lines.find((line) => line.includes('request failed')) ?? '{}').reason
    expect(reason).toBe('cannot read […] for […]')
  })
  test('the access log holds routes, never what was typed', async () => {
    lines = []
    await app.inject({
      url: `/kunden/5?token=${MARKER}`,
      headers: { ...NAVIGATION, authorization: `Bearer ${MARKER}`, 'x-forwarded-for': MARKER },
    })
    await app.inject({ url: `/${MARKER}`, headers: LOCAL })
    await app.inject({ url: `/healthz?${MARKER}`, headers: LOCAL })
    expect(lines).toHaveLength(3)
    expect(lines.join('\n')).not.toContain(MARKER)
    expect(JSON.parse(lines[2] ?? '{}')).toMatchObject({
      message: 'request',
      method: 'GET',
      route: '/healthz',
      status: 200,
      request: expect.any(String),
    })
  })
  test('an address that cannot be decoded has a request id as well, in answer and log', async () => {
    lines = []
    const answer = await app.inject({ url: '/%ff', headers: LOCAL })
    expect(answer.statusCode).toBe(400)
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({
      message: 'request',
      route: '(none)',
      status: 400,
      request: answer.headers['x-request-id'],
    })
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })
  test('ready follows the database, alive does not', async () => {
    expect((await app.inject({ url: '/healthz', headers: LOCAL })).json()).toEqual({ status: 'ok' })
    reachable = false
    const away = await app.inject({ url: '/healthz', headers: LOCAL })
    expect([away.statusCode, away.json()]).toEqual([503, { status: 'unavailable' }])
    expect((await app.inject({ url: '/livez', headers: LOCAL })).statusCode).toBe(200)
    reachable = true
  })
  test('the mark of a field device is set again as it is, and nothing else is', async () => {
    const setFor = async (cookie: string, url = '/config/app.json') =>
      (await app.inject({ url, headers: { ...LOCAL, cookie } })).headers['set-cookie']
    const mark = '%7B%22geraet.feld-marke%22%3A%221%200.5%22%7D'
    expect(await setFor(`sprache=de; feldgeraet=${mark}; size=medium`)).toBe(
      `feldgeraet=${mark}; Path=/; Max-Age=31536000; SameSite=Strict`,
    )
    expect(await setFor(`feldgeraet=${mark}`, '/config/identity.json')).toBeUndefined()
    for (const other of [
      '',
      'sprache=de',
      'xfeldgeraet=1',
      'feldgeraet=<a>',
      `feldgeraet=${'x'.repeat(2001)}`,
    ])
      expect(await setFor(other), other.slice(0, 20)).toBeUndefined()
  })
  test('the browser learns what it needs and no more', async () => {
    const config = await app.inject({ url: '/config/app.json', headers: LOCAL })
    expect(config.headers['cache-control']).toBe('no-store')
    expect(config.json()).toMatchObject({
      title: 'Forstkontor',
      trial: true,
      dataApi: '/rest',
      generalApi: '/prod-api',
      support: null,
    })
    const identity = (await app.inject({ url: '/config/identity.json', headers: LOCAL })).json()
    expect(identity).toMatchObject({
      authority: 'http://localhost:3000/realms/master',
      clientId: 'ogf-web',
      checkIntervalMs: 60_000,
      minValidityS: 70,
    })
    const manifest = await app.inject({ url: '/config/app.webmanifest', headers: LOCAL })
    expect(manifest.headers['content-type']).toContain('application/manifest+json')
    expect(manifest.json()).toMatchObject({
      name: 'Forstkontor Feldmodus',
      start_url: '/feld',
      scope: '/',
      display: 'standalone',
    })
    const keycloak = (await app.inject({ url: '/config/keycloak.json', headers: LOCAL })).json()
    expect(keycloak).toMatchObject({
      'auth-server-url': 'http://localhost:3000',
      realm: 'master',
      resource: 'ogf-web',
    })
  })
})

const OPERATED = { DATABASE_URL: 'postgres://u@db/f', PUBLIC_ORIGIN: 'https://forst.example' }

test('a trial keeps its console for people: no line per request unless asked for', async () => {
  const app = await start({ LOG_REQUESTS: '' })
  await app.inject({ url: '/', headers: LOCAL })
  expect(lines).toEqual([])
  await app.close()
})
test('in operation any name may ask, and the browser is told to stay with https', async () => {
  const app = await start(OPERATED)
  const answer = await app.inject({ url: '/', headers: { host: 'intern.example' } })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['strict-transport-security']).toContain('max-age=31536000')
  await app.close()
})
test('the screens may speak to a sign-in at another address, and to no other', async () => {
  const app = await start({ ...OPERATED, AUTH_MODE: 'oidc', OIDC_ISSUER: 'https://id.example/realms/ogf' })
  const answer = await app.inject({ url: '/', headers: LOCAL })
  expect(answer.headers['content-security-policy']).toContain("connect-src 'self' https://id.example;")
  expect(answer.headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups')
  const back = await app.inject({
    url: '/auth-redirect?code=x',
    headers: { ...NAVIGATION, host: 'forst.example' },
  })
  expect(back.headers['cross-origin-opener-policy']).toBe('unsafe-none')
  await app.close()
})
test('the file of the environment replaces single keys of the sign-in', async () => {
  mkdirSync(join(folder, 'config'), { recursive: true })
  writeFileSync(join(folder, 'config/identity.abnahme.json'), '{"clientId":"ogf-abnahme"}')
  const app = await start({ APP_ENV: 'abnahme' })
  expect((await app.inject({ url: '/config/identity.json', headers: LOCAL })).json()).toMatchObject({
    clientId: 'ogf-abnahme',
    scope: 'openid email profile',
  })
  await app.close()
})
test('a faulty file of the environment stops the start', async () => {
  writeFileSync(join(folder, 'config/identity.kaputt.json'), '{"clientid":"x"}')
  await expect(start({ APP_ENV: 'kaputt' })).rejects.toThrow('clientid ist nicht bekannt')
})
