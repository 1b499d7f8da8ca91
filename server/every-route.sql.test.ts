// Every route of the composed server under the general API's base, requested by callers without a valid
// account: which error number, which header.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { SERVER_PATHS } from '#contract/server-paths.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { buildWorld } from '../db/test/nouns.ts'
import { claimsOf, type IdentityName, ISS, NOW } from '../db/test/world.ts'
import { asUser, copyDatabase, dropDatabase } from '../test/databases.ts'
import { postgresUrl } from '../test/postgres.ts'
import { freePort } from '../test/private-postgres.ts'
import { type Environment, readConfig } from './config.ts'
import { callPort } from './data-api/data-api.fixture.ts'
import { silentLog } from './log.ts'
import type { CalledBy } from './route-caller.ts'
import { type RunningServer, startServer } from './start.ts'

interface Route {
  readonly method: string
  readonly url: string
}

/** Public: anyone with the code from an offer's link may read what the offer says. */
const PUBLIC = /^\/prod-api\/annahme\//
/** Public data for which a valid token is enough: no account is looked up. */
const WITHOUT_ACCOUNT = '/prod-api/karte/gitter/BETA2007.gsb'

describe.skipIf(postgresUrl() === null)('every route of the general API', () => {
  let url: string
  let keys: Server
  let folder: string
  const servers: RunningServer[] = []
  const tokens: Record<string, string | undefined> = {}
  let oidc: Composed
  let embedded: Composed

  interface Composed {
    readonly origin: string
    readonly routes: readonly Route[]
    /** What every route says about its callers, those outside the general API included. */
    readonly declared: ReadonlyMap<string, CalledBy | undefined>
  }

  beforeAll(async () => {
    url = await copyDatabase(inject('schemaUrl'))
    const owner = await createOwnerConnection(url)
    await buildWorld(owner)
    await owner.close()
    const { privateKey, publicKey } = await generateKeyPair('RS256')
    const forger = await generateKeyPair('RS256')
    const keySet = JSON.stringify({
      keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }],
    })
    keys = createServer((_request, response) => void response.end(keySet)).listen(0, '127.0.0.1')
    await once(keys, 'listening')
    const sign = (name: IdentityName, more: object = {}, key = privateKey) =>
      new SignJWT({ ...claimsOf(name), aud: 'ogf-api', ...more })
        .setProtectedHeader({ alg: 'RS256', kid: 'k', typ: 'at+jwt' })
        .sign(key)
    tokens['none'] = undefined
    tokens['garbage'] = 'x'
    tokens['forged'] = await sign('admin', {}, forger.privateKey)
    tokens['expired'] = await sign('admin', { iat: NOW - 4000, exp: NOW - 3600 })
    tokens['of another audience'] = await sign('admin', { aud: 'other' })
    tokens['of a disabled account'] = await sign('disabled')
    tokens['of an ended session'] = await sign('session_ended')
    tokens['of an admin'] = await sign('admin')
    tokens['of the least role'] = await sign('ogf_init')
    folder = mkdtempSync(join(tmpdir(), 'forstkontor-routes-'))
    const jwks = `http://127.0.0.1:${(keys.address() as AddressInfo).port}/keys`
    oidc = await compose({ AUTH_MODE: 'oidc', OIDC_ISSUER: ISS, OIDC_JWKS_URI: jwks })
    embedded = await compose({ AUTH_MODE: 'embedded' })
  })
  /** The whole server, and the routes its rooms register. */
  async function compose(env: Environment): Promise<Composed> {
    const routes: Route[] = []
    const declared = new Map<string, CalledBy | undefined>()
    const registered: RouteOptions[] = []
    const note = (message: unknown) =>
      (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', (route) => {
        registered.push(route)
        for (const method of [route.method].flat()) routes.push({ method, url: route.url })
      })
    subscribe('fastify.initialization', note)
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const config = readConfig({
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_ORIGIN: origin,
      DATA_DIR: folder,
      DATABASE_URL: asUser(url, 'forst_api'),
      DATABASE_OWNER_URL: url,
      BACKUP: 'off',
      ...env,
    })
    servers.push(await startServer({ config, log: silentLog, now: () => new Date(NOW * 1000 + 10_000) }))
    unsubscribe('fastify.initialization', note)
    for (const { method, url: path, config: said } of registered)
      declared.set(`${[method].flat().length > 2 ? 'ALL' : String(method)} ${path}`, said?.calledBy)
    return {
      origin,
      declared,
      routes: routes.filter(
        (route) => route.url.startsWith('/prod-api/') && route.method !== 'HEAD' && !PUBLIC.test(route.url),
      ),
    }
  }
  afterAll(async () => {
    for (const server of servers) await server.stop()
    keys?.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    if (url !== undefined) await dropDatabase(url)
  })

  async function ask(at: string, method: string, token: string | undefined) {
    const answer = await fetch(at, {
      method,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    })
    const text = await answer.text()
    const { code } = text.startsWith('{') ? (JSON.parse(text) as { code?: unknown }) : {}
    return { status: answer.status, code, challenge: answer.headers.get('www-authenticate') }
  }
  const askAll = ({ origin, routes }: Composed, token: string | undefined) =>
    Promise.all(
      routes.map(async ({ method, url: path }) => ({
        route: `${method} ${path}`,
        ...(await ask(origin + path.replaceAll(/:\w+|\*/g, '1'), method, token)),
      })),
    )

  test('there are all of them', () => {
    expect(oidc.routes.length).toBeGreaterThan(30)
    expect(embedded.routes.length).toBeGreaterThan(oidc.routes.length)
  })
  /** Everything else is for people who are signed in. */
  const OPEN: Readonly<Record<Exclude<CalledBy, 'nutzer'>, readonly RegExp[]>> = {
    guest: [/^POST \/prod-api\/annahme\/entscheiden$/],
    anyone: [
      /^POST \/prod-api\/annahme\/(?:ansehen|pdf)$/,
      /^(?:GET|HEAD) \/(?:healthz|livez)$/,
      /^(?:GET|HEAD) \/config\/(?:app|identity|keycloak)\.json$/,
      /^(?:GET|HEAD) \/config\/app\.webmanifest$/,
      // What the OGC services are, without any data.
      /^(?:GET|HEAD) \/ogc(?:\/kunde\/:kunde|\/betrieb\/:betrieb)?(?:\/|\/conformance|\/api|\/ogc\.css)?$/,
      // That OData is for reading.
      /^OPTIONS \/odata(?:\/\*?)?$/,
      // The built application.
      /^(?:GET|HEAD|GET,HEAD|HEAD,GET) \/(?:\*)?$/,
    ],
    'own-scheme': [
      /^ALL \/rest(?:\/\*)?$/,
      /^\w+ \/(?:\.well-known\/oauth-authorization-server\/)?(?:realms\/master|anmelden)(?:\/|$)/,
    ],
  }
  test('every route says who may call it, and none but these lets in somebody who is not signed in', () => {
    for (const { declared } of [oidc, embedded]) {
      const wrong = [...declared].filter(
        ([route, calledBy]) =>
          calledBy === undefined ||
          (calledBy !== 'nutzer' && !OPEN[calledBy].some((open) => open.test(route))),
      )
      expect(wrong).toEqual([])
      expect([...declared.values()].filter((calledBy) => calledBy === 'nutzer').length).toBeGreaterThan(30)
    }
  })
  test('a development server passes all of them on', () => {
    for (const { declared } of [oidc, embedded]) {
      const paths = [...declared.keys()].map((route) => route.slice(route.indexOf(' ') + 1))
      const missing = paths.filter(
        (path) => !['/', '*', '/*'].includes(path) && !SERVER_PATHS.some((start) => path.startsWith(start)),
      )
      expect(missing).toEqual([])
    }
  })
  const INVALID = 'Bearer error="invalid_token"'
  test.each<[string, number, string]>([
    ['none', 50_008, 'Bearer'],
    ['garbage', 50_008, INVALID],
    ['forged', 50_008, INVALID],
    ['expired', 50_014, INVALID],
    ['of another audience', 50_008, INVALID],
  ])('a token %s: 401, %i, %s', async (kind, code, challenge) => {
    const answers = await askAll(oidc, tokens[kind])
    expect(
      answers.filter((one) => one.status !== 401 || one.code !== code || one.challenge !== challenge),
    ).toEqual([])
  })
  test.each<[string, string]>([
    ['none', 'Bearer'],
    ['garbage', INVALID],
  ])('a token %s where the sign-in is our own: 401, 50008, %s', async (kind, challenge) => {
    const answers = await askAll(embedded, tokens[kind])
    expect(
      answers.filter((one) => one.status !== 401 || one.code !== 50_008 || one.challenge !== challenge),
    ).toEqual([])
  })
  test.each(['of a disabled account', 'of an ended session'])('a token %s: 401, 50012', async (kind) => {
    const answers = await askAll(oidc, tokens[kind])
    const refused = answers.filter(({ status }) => status === 401)
    expect(refused.filter((one) => one.code !== 50_012 || one.challenge !== INVALID)).toEqual([])
    // Some routes check the numbers and names in the address before they ask the database who is calling.
    expect(refused.length).toBeGreaterThan(15)
    expect(
      answers.filter(
        ({ status, route }) => (status < 400 || status >= 500) && !route.endsWith(WITHOUT_ACCOUNT),
      ),
    ).toEqual([])
  })
  test('the least role is never told to sign in again; what it may not do has the code 40300', async () => {
    const answers = await askAll(oidc, tokens['of the least role'])
    expect(
      answers.filter(({ status, challenge }) => status === 401 || status >= 500 || challenge !== null),
    ).toEqual([])
    expect(answers.filter(({ status, code }) => status === 403 && code !== 40_300)).toEqual([])
    expect(answers.filter(({ status }) => status === 403).length).toBeGreaterThan(0)
  })
  const PARTS = [
    'x',
    '-1',
    '0',
    '1e5',
    '99999999999999999999',
    'NaN',
    '%00',
    '%25',
    '..%2f..',
    '%F0%9F%8C%B2',
    'a'.repeat(300),
  ]
  const BODIES: readonly (readonly [type: string, body: string])[] = [
    ['application/json', ''],
    ['application/json', '{'],
    ['application/json', '[]'],
    ['application/json', 'null'],
    ['application/json', '5e99999'],
    ['application/json', '"\\u0000"'],
    ['application/json', '{"__proto__":{"admin":true}}'],
    ['application/json', '{"constructor":{"prototype":{}}}'],
    ['application/json', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
    [
      'application/json',
      '{"code":5,"user_id":[],"ids":{},"werte":"x","epsg":1e300,"format":{},"schichten":"x","filter":[[]]}',
    ],
    ['application/json; charset=utf-7', '{}'],
    ['text/plain', 'x'],
    ['application/x-www-form-urlencoded', 'a=%zz'],
    ['multipart/form-data', 'x'],
    ['application/octet-stream', '\u0000'],
    [';;', '{}'],
  ]
  test('bad parts of an address and bad bodies are on no route a fault of ours', async () => {
    const wrong: unknown[] = []
    const port = Number(new URL(oidc.origin).port)
    for (const { method, url: path } of oidc.routes) {
      const ask = async (at: string, type?: string, body?: string) => {
        const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type }
        const answer = await callPort(port, at, {
          method,
          as: tokens['of an admin']!,
          headers,
          ...(body === undefined ? {} : { body }),
        })
        if (answer.status >= 500 && answer.status !== 503)
          wrong.push([
            method,
            at.slice(0, 200),
            type,
            body?.slice(0, 80),
            answer.status,
            answer.text.slice(0, 200),
          ])
      }
      for (const part of PARTS)
        await ask(
          `${path.replaceAll(/:\w+|\*/g, part)}?von=${part}&bis=${part}&epsg=${part}&format=${part}` +
            `&user_id=${part}&user_id=1`,
        )
      if (method !== 'GET')
        for (const [type, body] of BODIES) await ask(path.replaceAll(/:\w+|\*/g, '1'), type, body)
    }
    expect(wrong).toEqual([])
  }, 300_000)
  test.each<[string, string, string]>([
    ['none', 'PGRST302', 'Bearer'],
    ['garbage', 'PGRST301', 'Bearer error="invalid_token"'],
    ['forged', 'PGRST301', 'Bearer error="invalid_token"'],
    ['expired', 'PGRST303', 'Bearer error="invalid_token"'],
    ['of another audience', 'PGRST303', 'Bearer error="invalid_token"'],
    ['of a disabled account', 'PT401', 'Bearer error="invalid_token"'],
    ['of an ended session', 'PT401', 'Bearer error="invalid_token"'],
  ])('the data API and a token %s: 401, %s, %s', async (kind, code, challenge) => {
    for (const [method, path] of [
      ['GET', 'kunde'],
      ['DELETE', 'ansicht?id=eq.1'],
      ['GET', 'rpc/a_get_currentuser'],
    ] as const) {
      const answer = await ask(`${oidc.origin}/rest/${path}`, method, tokens[kind])
      expect([answer.status, answer.code, answer.challenge?.slice(0, challenge.length)]).toEqual([
        401,
        code,
        challenge,
      ])
    }
  })
  test.each<[string, string, number, object]>([
    ['GET', '/rest/%zz', 400, { code: 'HTTP400', details: null, hint: null }],
    ['PROPFIND', '/rest/kunde', 404, { code: 'PGRST125', details: null, hint: null }],
    ['GET', '/prod-api/%zz', 400, { code: 40_000, data: null, error: 'bad_value' }],
    ['GET', '/prod-api/nowhere', 404, { code: 40_400, data: null, error: 'not_found' }],
    ['PROPFIND', '/prod-api/betrieb', 404, { code: 40_400, data: null, error: 'not_found' }],
    ['GET', '/nowhere', 404, { code: 'not_found' }],
    ['GET', '//rest/kunde', 404, { code: 'not_found' }],
    ['GET', '/rest//kunde', 404, { code: 'PGRST125' }],
    ['GET', `/prod-api/betrieb?${'a'.repeat(9_000)}`, 401, { code: 50_008 }],
    ['GET', `/prod-api/karte/${'1'.repeat(9_000)}/scan`, 404, { code: 40_400 }],
  ])('%s %.30s: %i in the shape of its API', async (method, path, status, body) => {
    const answer = await callPort(Number(new URL(oidc.origin).port), path, {
      method,
      as: path.startsWith('/rest/') ? tokens['of the least role']! : null,
    })
    expect([answer.status, answer.json]).toEqual([
      status,
      expect.objectContaining({ message: expect.any(String), ...body }),
    ])
  })
})
