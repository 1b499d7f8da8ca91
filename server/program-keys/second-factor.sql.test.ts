// Making a key asks for the second factor of those who have one, with the counters of the sign-in; and no key opens the
// address of the account.
import fastify, { type FastifyInstance } from 'fastify'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '#server/log.ts'
import { refuseAt } from '#server/refuse.ts'
import { guardRoutes } from '#server/route-caller.ts'
import { isMissing } from '../../db/test/engines.ts'
import { oneServer } from '../../db/test/identity-server.ts'
import { PASSWORD, SECRETS } from '../identity/identity.fixture.ts'
import { createSecrets } from '../identity/secrets.ts'
import { createProgramKeys } from './program-keys.ts'
import { createProgramKeyRoom } from './routes.ts'

const BASES = { DATA_API_BASE: '/rest', GENERAL_API_BASE: '/prod-api' }

describe.skipIf(isMissing('postgres'))('a key of somebody with a second factor', () => {
  const server = oneServer()
  const secret = new Secret({ size: 20 })
  let app: FastifyInstance
  let token: string

  beforeAll(async () => {
    const { email } = await server.people.withAccount({ system_status: 'apus_team' })
    token = (await server.signIn(email)).access_token
    await server.owner.query(
      'update idp.konto set totp_secret = $2, totp_confirmed_at = now() where email = $1',
      [email, createSecrets(SECRETS).encrypt(secret.base32)],
    )
    const { database, authenticate: tokens, idp } = server
    const now = () => new Date()
    const keys = createProgramKeys({ database, tokens, failuresPerMinute: 20, now, log: silentLog })
    app = fastify()
    app.setErrorHandler((error, request, reply) => refuseAt(request.url, BASES)(reply, error))
    guardRoutes(app, keys.authenticate)
    keys.guard(app)
    const room = createProgramKeyRoom({
      database,
      now,
      confirm: (mail, proof) => idp.accounts.confirm(mail, proof),
      devices: null,
    })
    await app.register(room.routes, { prefix: '/prod-api' })
    // The provider's own pages, with keys as the whole server has them.
    await idp.mount(app, { authenticate: keys.authenticate, generalApiBase: '/prod-api' })
    await app.ready()
  })
  afterAll(() => app?.close())

  const make = async (proof: object) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/prod-api/zugaenge',
      headers: { authorization: `Bearer ${token}` },
      payload: {
        art: 'person',
        name: 'QGIS',
        haelfte: null,
        gruppen: null,
        nur_lesen: true,
        client_id: null,
        bis: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
        ...proof,
      },
    })
    const { 'retry-after': retryAfter } = answer.headers
    const body = answer.json() as {
      data: { zugang: string } | null
      message: string
      fields?: { field: string }[]
    }
    return { status: answer.statusCode, retryAfter, ...body }
  }
  const account = (bearer: string) =>
    app.inject({ url: '/realms/master/account', headers: { authorization: `Bearer ${bearer}` } })

  test('needs the password and the code; a code is good for one key', async () => {
    const code = new TOTP({ secret }).generate()
    for (const proof of [
      { passwort: PASSWORD, code: '' },
      { passwort: PASSWORD, code: code === '000000' ? '000001' : '000000' },
      { passwort: 'geraten', code },
    ])
      expect(await make(proof), JSON.stringify(proof)).toMatchObject({
        status: 400,
        data: null,
        fields: [{ field: 'passwort' }],
      })
    const made = await make({ passwort: PASSWORD, code })
    expect([made.status, made.data?.zugang.slice(0, 6)], JSON.stringify(made)).toEqual([200, 'forst_'])
    expect((await make({ passwort: PASSWORD, code })).status, 'the same code again').toBe(400)
    // A person learns whose account it is, a program does not.
    expect((await account(token)).statusCode).toBe(200)
    const refused = await account(made.data!.zugang)
    expect([refused.statusCode, refused.body]).toEqual([401, '{"error":"HTTP 401 Unauthorized"}'])
    // Guessing locks the address, as at the sign-in.
    const messages: string[] = []
    for (let tries = 0; tries < 8; tries++)
      messages.push((await make({ passwort: PASSWORD, code: '' })).message)
    expect(messages.at(-1)).toContain('Zu viele Fehlversuche')
  })

  test('whoever asks for many at once keeps nobody from signing in, and has to wait', async () => {
    const { email: other } = await server.people.withAccount()
    const flood = Promise.all(Array.from({ length: 100 }, () => make({ passwort: 'x', code: '' })))
    expect((await server.signIn(other)).access_token).not.toBe('')
    const answers = await flood
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 429]))
    const last = await make({ passwort: PASSWORD, code: '' })
    expect([last.status, Number(last.retryAfter) > 60]).toEqual([429, true])
    expect(last.message).toContain('in einer Stunde')
  })
  test('a success here gives strangers no new tries', async () => {
    const { email } = await server.people.withAccount()
    const { accounts } = server.idp
    const attempt = (password: string) => accounts.confirm(email, { password, code: '' })
    for (let nr = 0; nr < 4; nr++)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await attempt('falsch')).toContain('Passwort oder Code')
    expect(await attempt(PASSWORD)).toBeNull()
    expect(await attempt('falsch')).toContain('Zu viele Fehlversuche')
  })
})
