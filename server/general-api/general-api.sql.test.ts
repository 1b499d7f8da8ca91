import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorCode } from '#contract/errors.ts'
import { type Caller, type Claims, SignInFault } from '#server/caller.ts'
import { createLog } from '#server/log.ts'
import { guardRoutes } from '#server/route-caller.ts'
import { enginesToday, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { A1, claimsOf, type IdentityName, IDENTITIES, NAMES, numberOf } from '../../db/test/world.ts'
import { generalApi } from './general-api.ts'

/** The test's tokens are `token-<name>`; real ones are tested in server/identity. */
function authenticate(authorization: string | undefined): Caller {
  if (authorization === undefined) throw new SignInFault('missing', 'no token')
  const name = authorization.replace(/^Bearer token-/, '') as IdentityName
  if ((name as string) === 'expired') throw new SignInFault('expired', 'JWT expired')
  if ((name as string) === 'keyless') throw new SignInFault('keys_unavailable', 'no keys')
  const claims = NAMES.includes(name) ? claimsOf(name) : null
  if (claims === null) throw new SignInFault('bad_signature', 'forged')
  return { claims: claims as Claims, claimsJson: JSON.stringify(claims), person: name }
}
const bearer = (name: string) => ({ authorization: `Bearer token-${name}` })

for (const engineName of enginesToday(import.meta.filename)) {
  describe.skipIf(isMissing(engineName))(`on ${engineName}`, () => {
    let engine: Engine
    let app: FastifyInstance
    const lines: string[] = []

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      app = fastify()
      guardRoutes(app, authenticate)
      await app.register(generalApi, {
        prefix: '/prod-api',
        database: engine.api,
        readOperatingState: async () => ({ engine: engineName }),
        demoEndpoints: false,
        log: createLog(
          (line) => lines.push(line),
          () => new Date(0),
        ),
      })
      await app.ready()
    }, 120_000)
    afterAll(async () => {
      await app?.close()
      await engine?.close()
    })

    const fetchHqs = (name: string, user_id: number | string) =>
      app.inject({
        url: '/prod-api/get_hqs_from_user/',
        query: { user_id: String(user_id) },
        headers: bearer(name),
      })
    const refusal = (code: ErrorCode, status: number, number: number) => [
      status,
      expect.objectContaining({ code: number, error: code, data: null }),
    ]

    test('a user gets the own headquarters, with the fields of the specification', async () => {
      const answer = await fetchHqs('ogf_fb_admin', numberOf('ogf_fb_admin'))
      expect(answer.json()).toEqual({
        code: 20_000,
        message: 'ok',
        data: [
          { idHQ: A1, sHQ: 'A eins', hq_status: ['hq_admin'], fb_enabled: true, dtFE: null, dcFLAEHB: 200 },
        ],
      })
      expect(answer.headers['cache-control']).toBe('no-store')
    })
    test('the token travels in the query, as X-Token or as bearer in any case, with or without the slash', async () => {
      const token = 'token-ogf_standard'
      const query = { user_id: String(numberOf('ogf_standard')) }
      for (const url of ['/prod-api/get_hqs_from_user/', '/prod-api/get_hqs_from_user']) {
        for (const call of [
          { query: { ...query, token } },
          { query, headers: { 'x-token': token } },
          { query, headers: { authorization: `bearer ${token}` } },
        ]) {
          expect((await app.inject({ url, ...call })).json().data, url).toHaveLength(1)
        }
      }
    })
    test('two tokens that differ are refused, the same twice is not', async () => {
      const query = { user_id: String(numberOf('ogf_standard')), token: 'token-ogf_admin' }
      const url = '/prod-api/get_hqs_from_user/'
      const differ = await app.inject({ url, query, headers: bearer('ogf_standard') })
      expect([differ.statusCode, differ.json()]).toEqual(refusal('bad_value', 400, 40_000))
      const same = await app.inject({ url, query, headers: bearer('ogf_admin') })
      expect(same.statusCode).toBe(200)
      const twice = await app.inject({ url: `${url}?user_id=1&token=a&token=b` })
      expect([twice.statusCode, twice.json()]).toEqual(refusal('bad_value', 400, 40_000))
    })
    test('user_id must be a number', async () => {
      for (const id of ['', 'abc', '1 or 1=1', '-1', '1e3', '9'.repeat(30)])
        expect((await fetchHqs('ogf_admin', id)).statusCode, id).toBe(400)
    })

    // Who may ask for ogf_standard's headquarters: that person, and everybody who may see them.
    const MAY_ASK = [
      'ogf_standard',
      'ogf_fb_admin',
      'kundenadmin',
      'ogf_team',
      'ogf_admin',
      'apus_team',
      'apus_admin',
      'admin',
    ]
    for (const name of NAMES.filter(
      (one) => one !== 'nobody' && one !== 'disabled' && one !== 'session_ended',
    )) {
      test(`headquarters of ogf_standard asked by ${name}`, async () => {
        const answer = await fetchHqs(name, numberOf('ogf_standard'))
        if (MAY_ASK.includes(name)) expect(answer.statusCode).toBe(200)
        else expect([answer.statusCode, answer.json()]).toEqual(refusal('not_allowed', 403, 40_300))
      })
    }

    const MAY_LOOK = ['ogf_admin', 'apus_admin', 'admin']
    for (const name of Object.keys(IDENTITIES).filter(
      (one) => one !== 'disabled' && one !== 'session_ended',
    )) {
      test(`the operations page asked by ${name}`, async () => {
        const answer = await app.inject({ url: '/prod-api/betrieb', headers: bearer(name) })
        if (MAY_LOOK.includes(name))
          expect(answer.json()).toEqual({ code: 20_000, message: 'ok', data: { engine: engineName } })
        else expect([answer.statusCode, answer.json()]).toEqual(refusal('not_allowed', 403, 40_300))
      })
    }

    const SIGN_IN: readonly (readonly [who: string, code: ErrorCode, status: number, number: number])[] = [
      ['forged', 'not_signed_in', 401, 50_008],
      ['expired', 'session_expired', 401, 50_014],
      ['disabled', 'account_disabled', 401, 50_012],
      ['session_ended', 'account_disabled', 401, 50_012],
      ['keyless', 'unavailable', 503, 50_300],
    ]
    for (const [who, code, status, number] of SIGN_IN) {
      test(`${who}: ${code} on every route`, async () => {
        for (const url of ['/prod-api/get_hqs_from_user/?user_id=1', '/prod-api/betrieb']) {
          const answer = await app.inject({ url, headers: bearer(who) })
          expect([answer.statusCode, answer.json()]).toEqual(refusal(code, status, number))
        }
      })
    }
    test('nobody is asked to sign in', async () => {
      const answer = await app.inject({ url: '/prod-api/betrieb' })
      expect([answer.statusCode, answer.json()]).toEqual(refusal('not_signed_in', 401, 50_008))
      expect(answer.headers['www-authenticate']).toBe('Bearer')
    })
    test('without the demo flag there is no demo endpoint, and unknown paths answer in the same shape', async () => {
      for (const url of [
        '/prod-api/vue-element-admin/routes',
        '/prod-api/vue-element-admin/user/info?token=admin-token',
        '/prod-api/nothing',
      ]) {
        const answer = await app.inject({ url })
        expect([answer.statusCode, answer.json()]).toEqual(refusal('not_found', 404, 40_400))
      }
    })
    test('no token reached the log', () => expect(lines.join('\n')).not.toContain('token-'))
  })
}
