// The sign-in while its database is away: nobody is signed out, and everybody is asked to wait.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isMissing } from '../../db/test/engines.ts'
import { oneServer } from '../../db/test/identity-server.ts'
import {
  type Database,
  NoPrimaryFault,
  OutcomeUnknownFault,
  PoolTimeoutFault,
  UnavailableFault,
} from '#server/database/database.ts'
import { silentLog } from '#server/log.ts'
import { claimsOf, SECRETS, startServer, type TestServer, type Tokens } from './identity.fixture.ts'
import { idpDatabase } from './idp-database.ts'
import { createSecrets } from './secrets.ts'
import { openSigningKeys } from './signing-keys.ts'
import { createAuthenticate, linkIdentity } from './verify.ts'

const FAULTS = {
  'not reachable': () => new UnavailableFault('gone', null),
  'a standby': () => new NoPrimaryFault(),
  full: () => new PoolTimeoutFault('nobody leaves'),
  'lost at the commit': () => new OutcomeUnknownFault('gone', null),
}
const PATHS = '/realms/master/protocol/openid-connect'

describe.skipIf(isMissing('postgres'))('the database of the sign-in is away', () => {
  const usual = oneServer()
  let fault: Error | null = null
  let away: TestServer
  let tokens: Tokens

  beforeAll(async () => {
    const { database, origin } = usual
    const once: Database['once'] = async (...of) => {
      if (fault !== null) throw fault
      return database.once(...of)
    }
    const transaction: Database['transaction'] = async (...of) => {
      if (fault !== null) throw fault
      return database.transaction(...of)
    }
    away = await startServer(
      new Proxy(database, {
        get: (all, name) => ({ once, transaction })[String(name)] ?? Reflect.get(all, name),
      }),
      { publicOrigin: origin },
    )
    await away.server.ready()
    tokens = await usual.signIn((await usual.people.withAccount()).email)
  })
  afterAll(() => away?.close())

  describe.each(Object.entries(FAULTS))('%s', (_, made) => {
    const whileAway = async <T>(work: () => PromiseLike<T>): Promise<T> => {
      fault = made()
      try {
        return await work()
      } finally {
        fault = null
      }
    }
    const asked = (method: 'GET' | 'POST', url: string, headers = {}, payload?: string) =>
      whileAway(() => away.server.inject({ method, url, headers, ...(payload !== undefined && { payload }) }))
    const form = { 'content-type': 'application/x-www-form-urlencoded' }

    test('a session is renewed later with the same token', async () => {
      const answer = await whileAway(() => away.renewal(tokens.refresh_token))
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '30'])
      expect(answer.json()).toMatchObject({ error: 'temporarily_unavailable' })
      const later = await away.renewal(tokens.refresh_token)
      expect(later.statusCode).toBe(200)
      tokens = later.json()
    })

    test('every address says that it is the moment, as a page or as JSON', async () => {
      const wanted = new URLSearchParams({
        client_id: 'ogf-web',
        response_type: 'code',
        scope: 'openid',
        code_challenge: 'a'.repeat(43),
        code_challenge_method: 'S256',
        redirect_uri: `${usual.origin}/auth-redirect`,
      })
      const begin = `${PATHS}/auth?${wanted.toString()}`
      const page = await asked('GET', begin, { accept: 'text/html' })
      expect([page.statusCode, page.headers['retry-after']]).toEqual([503, '30'])
      expect(page.body).toContain('Gerade ist viel los')
      const code = new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'ogf-web',
        code: 'x',
        redirect_uri: `${usual.origin}/auth-redirect`,
        code_verifier: 'a'.repeat(43),
      })
      const secret = new URLSearchParams({ token: tokens.refresh_token, client_id: 'ogf-web' })
      const answers = [
        await asked('POST', `${PATHS}/token`, form, code.toString()),
        await asked('POST', `${PATHS}/revoke`, form, secret.toString()),
        await asked('GET', '/realms/master/account', { authorization: `Bearer ${tokens.access_token}` }),
        await asked('POST', `${PATHS}/auth/device`, form, 'client_id=programm&scope=forst'),
        await asked(
          'POST',
          '/anmelden/passwort-vergessen',
          { ...form, origin: usual.origin },
          'email=a%40b.example',
        ),
      ]
      expect(
        answers.map(({ statusCode, headers, body }) => [
          statusCode,
          headers['retry-after'] === undefined ? body.slice(0, 200) : 'later',
        ]),
      ).toEqual(answers.map(() => [503, 'later']))
    })
  })

  test('a token that this server has not seen reads on a standby, and is bound to its person later', async () => {
    const [first, second] = [await usual.signIn((await usual.people.withAccount()).email), tokens]
    let tried = 0
    const database: Database = Object.assign(Object.create(usual.database) as Database, {
      once: async (...of: Parameters<Database['once']>) => {
        if (of[0].readOnly === true) return usual.database.once(...of)
        tried += 1
        throw new NoPrimaryFault()
      },
    })
    const verified = linkIdentity(database)
    const caller = await usual.authenticate(`Bearer ${first.access_token}`)
    expect([await verified(caller), await verified(caller), tried]).toEqual([false, false, 1])
    let contacts = 0
    const authenticate = createAuthenticate({
      issuer: usual.idp.issuer,
      audience: 'ogf-api',
      algorithms: ['RS256'],
      jwks: usual.idp.keys,
      groupsClaim: 'groups',
      groupsMode: 'claim',
      emailClaim: 'email',
      clockSkewS: 5,
      now: () => new Date(),
      log: silentLog,
      onFirstContact: async () => ++contacts > 2,
    })
    // Asked again until it was done, and then no more.
    for (let nr = 0; nr < 5; nr++)
      expect((await authenticate(`Bearer ${second.access_token}`)).claims.sub).toBe(
        claimsOf(second.access_token).sub,
      )
    expect(contacts).toBe(3)
  })

  test('keys read earlier count while they cannot be read again', async () => {
    let gone = false
    let time = Date.now()
    const db = idpDatabase(usual.database)
    const keys = await openSigningKeys({
      db: {
        ...db,
        once: async (text, ...values) => {
          if (gone) throw new NoPrimaryFault()
          return db.once(text, ...values)
        },
      },
      secrets: createSecrets(SECRETS),
      algorithm: 'RS256',
      now: () => new Date(time),
      log: silentLog,
      verifiesForS: 60,
    })
    const before = await keys.current()
    gone = true
    time += 3_600_000
    expect(await keys.current()).toBe(before)
    // For an unknown key the answer is to wait, not that the key is wrong.
    await expect(keys.refresh()).rejects.toThrow(NoPrimaryFault)
  })

  test('afterwards the same session is still there', async () => {
    const answer = await away.server.inject({
      method: 'GET',
      url: '/realms/master/account',
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect(answer.statusCode).toBe(200)
  })
})
