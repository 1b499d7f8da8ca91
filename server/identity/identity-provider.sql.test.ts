import { createHash } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { isMissing } from '../../db/test/engines.ts'
import { oneServer } from '../../db/test/identity-server.ts'
import { deleteExpired } from './artefacts.ts'
import { idpDatabase } from './idp-database.ts'
import {
  Browser,
  claimsOf,
  codeOf,
  headingOf,
  listen,
  PASSWORD,
  startServer,
  type Tokens,
} from './identity.fixture.ts'

describe.skipIf(isMissing('postgres'))('embedded provider', () => {
  const server = oneServer()

  const sha = (text: string) => createHash('sha256').update(text).digest('base64url')

  test('signs in; the token says who and which group, and the database knows the person', async () => {
    const { email } = await server.people.withAccount({
      system_status: 'apus_admin',
      apus_admin: true,
      last_name: 'Öl-Müller',
    })
    const tokens = await server.signIn(email)
    expect(tokens.expires_in).toBe(300)
    const claims = claimsOf(tokens.access_token)
    expect(claims).toMatchObject({
      iss: server.idp.issuer,
      aud: 'ogf-api',
      typ: 'Bearer',
      azp: 'ogf-web',
      email,
      email_verified: true,
      groups: ['appuser_apus_admin'],
    })
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(300)
    expect(claimsOf(tokens.id_token)).toMatchObject({
      aud: 'ogf-web',
      email,
      name: 'Jörg Öl-Müller',
      groups: ['appuser_apus_admin'],
    })
    expect(await server.rolesOf(tokens.access_token)).toEqual(['apus_admin'])
    expect(await server.people.events(email)).toContain('angemeldet')
  })

  test('an ID token and a refresh token open nothing', async () => {
    const { email } = await server.people.withAccount()
    const { id_token, refresh_token } = await server.signIn(email)
    await expect((async () => server.authenticate(`Bearer ${id_token}`))()).rejects.toMatchObject({
      kind: 'wrong_audience',
    })
    await expect((async () => server.authenticate(`Bearer ${refresh_token}`))()).rejects.toMatchObject({
      kind: 'malformed',
    })
  })

  test('discovery names Keycloak-shaped addresses and people sign in by the code flow alone', async () => {
    const document = await (
      await fetch(`${server.origin}/realms/master/.well-known/openid-configuration`)
    ).json()
    expect(document).toMatchObject({
      issuer: `${server.origin}/realms/master`,
      authorization_endpoint: `${server.origin}/realms/master/protocol/openid-connect/auth`,
      token_endpoint: `${server.origin}/realms/master/protocol/openid-connect/token`,
      jwks_uri: `${server.origin}/realms/master/protocol/openid-connect/certs`,
      userinfo_endpoint: `${server.origin}/realms/master/protocol/openid-connect/userinfo`,
      end_session_endpoint: `${server.origin}/realms/master/protocol/openid-connect/logout`,
      revocation_endpoint: `${server.origin}/realms/master/protocol/openid-connect/revoke`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    })
    expect(document.grant_types_supported.sort()).toEqual([
      'authorization_code',
      'client_credentials',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
    ])
    expect(document).not.toHaveProperty('registration_endpoint')
    const { keys } = await (await fetch(document.jwks_uri)).json()
    expect(keys.length).toBeGreaterThanOrEqual(2)
    for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
  })

  test('the account address tells the profile as of now', async () => {
    const { email, userId } = await server.people.withAccount()
    const { access_token } = await server.signIn(email)
    const ask = (headers: Record<string, string>) =>
      fetch(`${server.origin}/realms/master/account`, { headers })
    await server.owner.query("update app.benutzer set first_name = 'Jürgen' where user_id = $1", [userId])
    const answer = await ask({ authorization: `bearer ${access_token}` })
    expect(await answer.json()).toMatchObject({
      email,
      firstName: 'Jürgen',
      lastName: 'Eiche',
      emailVerified: true,
    })
    expect((await ask({})).status).toBe(401)
    expect((await ask({ authorization: 'Bearer a.b.c' })).status).toBe(401)
    await server.owner.query('update app.benutzer set enabled = false where user_id = $1', [userId])
    expect((await ask({ authorization: `Bearer ${access_token}` })).status).toBe(401)
  })

  describe('the authorization request', () => {
    const refused = async (changes: Record<string, string | null>) => {
      const answer = await server.browser().get(server.client().startAddress(changes))
      const { pathname, searchParams, hash } = new URL(answer.url)
      const error = searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error')
      return pathname === '/auth-redirect' ? `redirected ${error}` : `page ${answer.status}`
    }
    const origin = () => server.origin
    test.each([
      ['another host', () => 'https://evil.example/auth-redirect'],
      ['another port', () => 'http://127.0.0.1:1/auth-redirect'],
      ['another path', () => `${origin()}/auth-redirect/x`],
      ['a path that climbs', () => `${origin()}/auth-redirect/../x`],
      ['an appended query', () => `${origin()}/auth-redirect?next=https://evil.example`],
      ['a fragment', () => `${origin()}/auth-redirect#x`],
      ['a user part', () => `${origin().replace('//', '//evil.example@')}/auth-redirect`],
      ['our host as user part', () => `${origin()}@evil.example/auth-redirect`],
      ['a backslash', () => `${origin()}\\@evil.example/auth-redirect`],
      ['upper case', () => `${origin()}/Auth-Redirect`],
      ['a script', () => 'javascript:alert(1)'],
      ['data', () => 'data:text/html,x'],
      ['no scheme', () => '//evil.example/auth-redirect'],
      ['an encoded slash', () => `${origin()}/auth-redirect%2f..`],
      [
        'localhost instead of the address',
        () => `${origin().replace('127.0.0.1', 'localhost')}/auth-redirect`,
      ],
      ['nothing that is an address', () => 'auth-redirect'],
    ])('never leads to %s', async (_name, redirect) =>
      expect(await refused({ redirect_uri: redirect() })).toBe('page 400'),
    )
    test.each([
      ['no proof key', { code_challenge: null, code_challenge_method: null }, 'redirected invalid_request'],
      ['a plain proof key', { code_challenge_method: 'plain' }, 'redirected invalid_request'],
      ['the implicit flow', { response_type: 'token' }, 'redirected unsupported_response_type'],
      [
        'an ID token in the address',
        { response_type: 'id_token', nonce: 'n' },
        'redirected unsupported_response_type',
      ],
      ['an unknown client', { client_id: 'fremd' }, 'page 400'],
      ['no client', { client_id: null }, 'page 400'],
      ['no page at all, and nobody signed in', { prompt: 'none' }, 'redirected login_required'],
      ['a request object', { request: 'e30.e30.' }, 'redirected request_not_supported'],
      ['another resource', { resource: 'https://evil.example/' }, 'redirected invalid_target'],
    ])('%s is refused', async (_name, changes, expected) => expect(await refused(changes)).toBe(expected))
    test('a refusal is a German page under the strict policy, without the English reason', async () => {
      const answer = await server
        .browser()
        .get(server.client().startAddress({ client_id: '<script>alert(1)</script>' }))
      expect(headingOf(answer)).toBe('Unbekannte Anwendung')
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(answer.text).not.toMatch(/alert\(1\)|client is invalid/)
    })
  })

  test('a code is good once, with its proof key and address; a second use ends what the first gave', async () => {
    const { email } = await server.people.withAccount()
    const browser = server.browser()
    const start = async () => {
      const client = server.client()
      const form = await browser.get(client.startAddress({ prompt: 'login' }))
      return {
        client,
        code: codeOf(await browser.post(form.url, { schritt: 'anmelden', email, passwort: PASSWORD })),
      }
    }
    const one = await start()
    expect((await one.client.redeem(one.code, { code_verifier: 'x'.repeat(43) })).status).toBe(400)
    const two = await start()
    expect((await two.client.redeem(two.code, { redirect_uri: `${server.origin}/` })).status).toBe(400)
    const three = await start()
    const tokens = (await (await three.client.redeem(three.code)).json()) as Tokens
    expect((await three.client.redeem(three.code)).status).toBe(400)
    expect((await three.client.refresh(tokens.refresh_token)).status).toBe(400)
  })

  test('two sign-ins in two tabs do not disturb each other', async () => {
    const { email } = await server.people.withAccount()
    const browser = server.browser()
    const [left, right] = [server.client(), server.client()]
    const leftForm = await browser.get(left.startAddress())
    const rightForm = await browser.get(right.startAddress())
    const rightCode = codeOf(
      await browser.post(rightForm.url, { schritt: 'anmelden', email, passwort: PASSWORD }),
    )
    const leftCode = codeOf(
      await browser.post(leftForm.url, { schritt: 'anmelden', email, passwort: PASSWORD }),
    )
    expect((await right.redeem(rightCode)).status).toBe(200)
    expect((await left.redeem(leftCode)).status).toBe(200)
  })

  test('a used sign-in page says so and leads back', async () => {
    const { email } = await server.people.withAccount()
    const browser = server.browser()
    const form = await browser.get(server.client().startAddress())
    await browser.post(form.url, { schritt: 'anmelden', email, passwort: PASSWORD })
    const again = await browser.get(form.url)
    expect([again.status, headingOf(again)]).toEqual([400, 'Diese Anmeldung ist abgelaufen'])
    expect(again.text).toContain(`href="${server.origin}/"`)
    const stranger = await server.browser().get(form.url)
    expect(stranger.status).toBe(400)
  })

  test('a page reload signs in over the session without asking, and says the same person', async () => {
    const { email } = await server.people.withAccount()
    const { browser, access_token } = await server.signIn(email)
    const client = server.client()
    const back = await browser.get(client.startAddress())
    const again = (await (await client.redeem(codeOf(back))).json()) as Tokens
    expect(claimsOf(again.access_token).sub).toBe(claimsOf(access_token).sub)
  })

  describe('renewal', () => {
    const renewed = async (answer: Promise<Response>) => (await (await answer).json()) as Tokens
    const consumedAgo = (token: string, seconds: number) =>
      server.owner.query(
        "update idp.artefakt set consumed_at = now() - $2 * interval '1 second' where id_hash = $1",
        [sha(token), String(seconds)],
      )

    test('gives new tokens each time and reads the group anew', async () => {
      const { email, userId } = await server.people.withAccount()
      const client = server.client()
      const first = await server.signIn(email)
      expect(claimsOf(first.access_token)['groups']).toEqual(['appuser_validated'])
      await server.owner.query("update app.benutzer set system_status = 'kundenadmin' where user_id = $1", [
        userId,
      ])
      const second = await renewed(client.refresh(first.refresh_token))
      expect(second.refresh_token).not.toBe(first.refresh_token)
      expect(claimsOf(second.access_token)['groups']).toEqual(['appuser_admin'])
      expect(claimsOf(second.id_token)['groups']).toEqual(['appuser_admin'])
    })
    test('accepts a token again within a minute, also from several tabs at once', async () => {
      const { email } = await server.people.withAccount()
      const client = server.client()
      const { refresh_token } = await server.signIn(email)
      const answers = await Promise.all([1, 2, 3].map(() => client.refresh(refresh_token)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      await consumedAgo(refresh_token, 55)
      expect((await client.refresh(refresh_token)).status).toBe(200)
    })
    test('a token whose successor was used is not accepted for longer than tabs need', async () => {
      const { email } = await server.people.withAccount()
      const client = server.client()
      const { refresh_token } = await server.signIn(email)
      const young = await renewed(client.refresh(refresh_token))
      const younger = await renewed(client.refresh(young.refresh_token))
      await consumedAgo(refresh_token, 9)
      expect((await client.refresh(refresh_token)).status).toBe(200)
      await consumedAgo(refresh_token, 12)
      expect((await client.refresh(refresh_token)).status).toBe(400)
      expect((await client.refresh(younger.refresh_token)).status).toBe(400)
    })
    test('the grace is not prolonged by using it', async () => {
      const { email } = await server.people.withAccount()
      const client = server.client()
      const { refresh_token } = await server.signIn(email)
      await client.refresh(refresh_token)
      await consumedAgo(refresh_token, 55)
      await client.refresh(refresh_token)
      const { rows } = await server.owner.query<{ ago: number }>(
        'select extract(epoch from now() - consumed_at)::integer as ago from idp.artefakt where id_hash = $1',
        [sha(refresh_token)],
      )
      expect(rows[0]?.ago).toBeGreaterThanOrEqual(55)
    })
    test('a token used again later ends its whole family', async () => {
      const { email } = await server.people.withAccount()
      const client = server.client()
      const { refresh_token } = await server.signIn(email)
      const young = await renewed(client.refresh(refresh_token))
      await consumedAgo(refresh_token, 62)
      expect((await client.refresh(refresh_token)).status).toBe(400)
      expect(await (await client.refresh(young.refresh_token)).json()).toMatchObject({
        error: 'invalid_grant',
      })
    })
    test('keeps the session alive, up to its absolute end', async () => {
      const { email } = await server.people.withAccount()
      const client = server.client()
      const { refresh_token, access_token } = await server.signIn(email)
      const sub = claimsOf(access_token).sub
      const session = async () => {
        const { rows } = await server.owner.query<{ rest: number }>(
          'select extract(epoch from expires_at - now())::integer as rest from idp.artefakt where ' +
            "model = 'Session' and konto_id = $1",
          [sub],
        )
        return rows[0]?.rest ?? 0
      }
      await server.owner.query(
        "update idp.artefakt set expires_at = now() + interval '60 seconds' where model = 'Session' and konto_id = $1",
        [sub],
      )
      const next = await renewed(client.refresh(refresh_token))
      expect(await session()).toBeGreaterThan(1_700)
      // Nine hours and fifty minutes later.
      await server.owner.query(
        "update idp.artefakt set expires_at = now() + interval '60 seconds', " +
          "payload = jsonb_set(payload, '{loginTs}', to_jsonb((payload ->> 'loginTs')::bigint - 35400)) " +
          "where model = 'Session' and konto_id = $1",
        [sub],
      )
      await client.refresh(next.refresh_token)
      expect(await session()).toBeLessThanOrEqual(601)
    })
    test('is over when the session is', async () => {
      const { email } = await server.people.withAccount()
      const client = server.client()
      const { refresh_token, access_token, browser } = await server.signIn(email)
      await server.owner.query(
        "update idp.artefakt set expires_at = now() - interval '1 second' where model = 'Session' and konto_id = $1",
        [claimsOf(access_token).sub],
      )
      expect((await client.refresh(refresh_token)).status).toBe(400)
      expect(headingOf(await browser.get(client.startAddress()))).toBe('Anmelden')
    })
    test('a revoked refresh token gives nothing', async () => {
      const { email } = await server.people.withAccount()
      const client = server.client()
      const { refresh_token } = await server.signIn(email)
      await fetch(`${client.endpoint}/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: 'ogf-web', token: refresh_token }),
      })
      expect((await client.refresh(refresh_token)).status).toBe(400)
    })
  })

  test('who is disabled is refused at the next call, renewal and sign-in, and may come back later', async () => {
    const { email, userId } = await server.people.withAccount()
    const client = server.client()
    const { access_token, refresh_token, browser } = await server.signIn(email)
    expect(await server.rolesOf(access_token)).toEqual(['ogf_standard'])
    await server.owner.query('update app.benutzer set enabled = false where user_id = $1', [userId])
    expect(await server.rolesOf(access_token)).toBeUndefined()
    expect((await client.refresh(refresh_token)).status).toBe(400)
    const form = await browser.get(client.startAddress())
    expect(headingOf(form)).toBe('Anmelden')
    const refused = await browser.post(form.url, { schritt: 'anmelden', email, passwort: PASSWORD })
    expect(refused.text).toContain('Ihr Zugang ist gesperrt')
    await server.owner.query('update app.benutzer set enabled = true where user_id = $1', [userId])
    const back = await browser.post(form.url, { schritt: 'anmelden', email, passwort: PASSWORD })
    expect((await client.redeem(codeOf(back))).status).toBe(200)
  })

  test('ending the sessions of somebody works on the next call; signing in anew works at once', async () => {
    const { email } = await server.people.withAccount()
    const { access_token, refresh_token } = await server.signIn(email)
    await server.rolesOf(access_token)
    await server.idp.accounts.endSessions(email, 'chef@forst.example')
    expect(await server.rolesOf(access_token)).toBeUndefined()
    expect((await server.client().refresh(refresh_token)).status).toBe(400)
    const fresh = await server.signIn(email)
    expect(await server.rolesOf(fresh.access_token)).toEqual(['ogf_standard'])
  })

  describe('signing out', () => {
    const logout = (browser: Browser, form: Record<string, string>) =>
      browser.get(`${server.client().endpoint}/logout?${new URLSearchParams(form)}`)
    const confirm = (browser: Browser, page: { text: string }, answers: Record<string, string>) =>
      browser.post(`${server.client().endpoint}/logout/confirm`, {
        xsrf: /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '',
        ...answers,
      })

    test('asks, ends session and tokens, and leads back to the application', async () => {
      const { email } = await server.people.withAccount()
      const { browser, id_token, refresh_token } = await server.signIn(email)
      const page = await logout(browser, {
        id_token_hint: id_token,
        post_logout_redirect_uri: `${server.origin}/`,
      })
      expect(headingOf(page)).toBe('Abmelden')
      const done = await confirm(browser, page, { logout: 'yes' })
      expect(done.url).toBe(`${server.origin}/`)
      expect((await server.client().refresh(refresh_token)).status).toBe(400)
      expect(headingOf(await browser.get(server.client().startAddress()))).toBe('Anmelden')
      // Recorded alongside the answer, not before it.
      const recorded = () =>
        server.owner.query("select 1 from idp.ereignis where art = 'abgemeldet' and konto_id = $1", [
          claimsOf(id_token).sub,
        ])
      await vi.waitFor(async () => expect((await recorded()).rowCount).toBe(1))
    })
    test('ends the access token of the same session at once, on every server, and no other session’s', async () => {
      const { email } = await server.people.withAccount()
      const [here, elsewhere] = [await server.signIn(email), await server.signIn(email)]
      const renewed = (await (await server.client().refresh(here.refresh_token)).json()) as {
        access_token: string
      }
      expect(claimsOf(renewed.access_token)['sid']).toBe(claimsOf(here.access_token)['sid'])
      expect(claimsOf(elsewhere.access_token)['sid']).not.toBe(claimsOf(here.access_token)['sid'])
      const roles = () =>
        Promise.all([here, renewed, elsewhere].map(({ access_token }) => server.rolesOf(access_token)))
      expect(await roles()).toEqual([['ogf_standard'], ['ogf_standard'], ['ogf_standard']])
      const page = await logout(here.browser, {
        id_token_hint: here.id_token,
        post_logout_redirect_uri: `${server.origin}/`,
      })
      await confirm(here.browser, page, { logout: 'yes' })
      expect(await roles()).toEqual([undefined, undefined, ['ogf_standard']])
      const profile = async ({ access_token }: { access_token: string }) =>
        (
          await fetch(`${server.origin}/realms/master/account`, {
            headers: { authorization: `Bearer ${access_token}` },
          })
        ).status
      expect(await Promise.all([here, renewed, elsewhere].map(profile))).toEqual([401, 401, 200])
      const again = await server.signIn(email, PASSWORD, here.browser)
      expect(await server.rolesOf(again.access_token)).toEqual(['ogf_standard'])
      // Kept until the last of its tokens has expired, and not forever.
      const kept = () =>
        server.owner.query('select 1 from accounts.beendete_sitzung where sid = $1', [
          claimsOf(here.access_token)['sid'],
        ])
      expect((await kept()).rowCount).toBe(1)
      await server.owner.query("update accounts.beendete_sitzung set bis = now() - interval '1 second'")
      const other = await logout(elsewhere.browser, {
        id_token_hint: elsewhere.id_token,
        post_logout_redirect_uri: `${server.origin}/`,
      })
      await confirm(elsewhere.browser, other, { logout: 'yes' })
      expect((await kept()).rowCount).toBe(0)
    })
    test('goes on by itself only for the person whose ID token was shown', async () => {
      const [one, two] = [await server.people.withAccount(), await server.people.withAccount()]
      const first = await server.signIn(one.email)
      const second = await server.signIn(two.email)
      expect((await logout(first.browser, { id_token_hint: first.id_token })).text).toContain(
        '/anmelden/abmelden.js',
      )
      expect((await logout(first.browser, { id_token_hint: second.id_token })).text).not.toContain(
        '/anmelden/abmelden.js',
      )
      expect((await logout(first.browser, { client_id: 'ogf-web' })).text).not.toContain(
        '/anmelden/abmelden.js',
      )
    })
    test('never leads elsewhere', async () => {
      const { email } = await server.people.withAccount()
      const { browser, id_token } = await server.signIn(email)
      for (const target of [
        'https://evil.example/',
        `${server.origin}/x`,
        `${server.origin}@evil.example/`,
        '//evil.example',
        'javascript:alert(1)',
      ])
        expect(
          (await logout(browser, { id_token_hint: id_token, post_logout_redirect_uri: target })).status,
          target,
        ).toBe(400)
      const page = await logout(browser, { post_logout_redirect_uri: 'https://evil.example/' })
      expect((await confirm(browser, page, { logout: 'yes' })).url).toContain(
        `${server.origin}/realms/master/protocol/openid-connect/logout/success`,
      )
    })
    test('a page elsewhere cannot do it: the form carries a secret of the session', async () => {
      const { email } = await server.people.withAccount()
      const { browser, refresh_token } = await server.signIn(email)
      await logout(browser, {})
      const forged = await browser.post(`${server.client().endpoint}/logout/confirm`, {
        xsrf: 'erraten',
        logout: 'yes',
      })
      expect(forged.status).toBe(400)
      expect((await server.client().refresh(refresh_token)).status).toBe(200)
    })
  })

  describe('several servers', () => {
    test('share sign-ins, tokens and keys: begun on one, ended on the other', async () => {
      const other = await startServer(server.database, { publicOrigin: server.origin })
      const { email } = await server.people.withAccount()
      // The same address, occasionally answered by the other process.
      const inject = (url: string, options: { method?: 'GET' | 'POST'; payload?: string; cookie: string }) =>
        other.server.inject({
          url: url.replace(server.origin, ''),
          method: options.method ?? 'GET',
          headers: {
            cookie: options.cookie,
            accept: 'text/html',
            origin: server.origin,
            ...(options.payload === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
          },
          ...(options.payload === undefined ? {} : { payload: options.payload }),
        })
      const browser = server.browser()
      const client = server.client()
      const form = await browser.get(client.startAddress())
      const posted = await inject(form.url, {
        method: 'POST',
        cookie: browser.header(form.url),
        payload: new URLSearchParams({ schritt: 'anmelden', email, passwort: PASSWORD }).toString(),
      })
      expect(posted.statusCode).toBe(303)
      const back = await browser.get(String(posted.headers.location))
      const tokens = (await (await client.redeem(codeOf(back))).json()) as Tokens
      const refreshed = await other.renewal(tokens.refresh_token)
      expect(refreshed.statusCode).toBe(200)
      expect((await other.authenticate(`Bearer ${tokens.access_token}`)).claims.email).toBe(email)
      expect((await server.authenticate(`Bearer ${refreshed.json().access_token}`)).claims.email).toBe(email)
      await other.close()
    })
  })

  describe('signing keys', () => {
    const kidOf = (token: string) =>
      (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid
    test('are encrypted, and made once however many servers start', async () => {
      await Promise.all(
        [1, 2, 3].map(async () =>
          (await startServer(server.database, { publicOrigin: server.origin })).close(),
        ),
      )
      const { rows } = await server.owner.query<{ zustand: string; jwk: string }>(
        'select zustand, jwk from idp.schluessel order by zustand',
      )
      expect(rows.map(({ zustand }) => zustand)).toEqual(['aktiv', 'naechster'])
      for (const { jwk } of rows) expect(jwk).not.toContain('"d"')
      await expect(
        startServer(server.database, {
          publicOrigin: server.origin,
          secrets: ['ein anderes Geheimnis, das auch lang genug ist'],
        }),
      ).rejects.toThrow('ein anderes Geheimnis')
    })
    test('change in turn: the next was published before, the old still verifies, the withdrawn does not', async () => {
      const { email } = await server.people.withAccount()
      const before = await server.signIn(email)
      expect(await server.idp.rotateKeys()).toBe(false)
      await server.owner.query(
        "update idp.schluessel set changed_at = now() - interval '16 minutes' where zustand = 'naechster'",
      )
      const { rows } = await server.owner.query<{ kid: string }>(
        "select kid from idp.schluessel where zustand = 'naechster'",
      )
      expect(await server.idp.rotateKeys()).toBe(true)
      const after = await server.signIn(email)
      expect(kidOf(after.access_token)).toBe(rows[0]?.kid)
      expect(await server.rolesOf(before.access_token)).toEqual(['ogf_standard'])
      expect(await server.rolesOf(after.access_token)).toEqual(['ogf_standard'])
      await server.idp.rotateKeys({ force: true })
      const last = await server.signIn(email)
      expect(await server.rolesOf(last.access_token)).toEqual(['ogf_standard'])
      await expect((async () => server.authenticate(`Bearer ${after.access_token}`))()).rejects.toMatchObject(
        { kind: 'bad_signature' },
      )
    })
    test('that another server made are taken at once, whatever forged ones are shown meanwhile', async () => {
      const other = await startServer(server.database, { publicOrigin: server.origin })
      const { email } = await server.people.withAccount()
      const { access_token: sample } = await server.signIn(email)
      await other.authenticate(`Bearer ${sample}`)
      const [, body = '', signature = ''] = sample.split('.')
      const forged = (nr: number) =>
        `Bearer ${Buffer.from(JSON.stringify({ alg: 'RS256', kid: `flut${nr}` })).toString('base64url')}.` +
        `${body}.${signature}`
      let isFlooding = true
      const kinds = new Set<string>()
      const flood = Array.from({ length: 10 }, async (_, lane) => {
        for (let nr = lane; isFlooding; nr += 10)
          await Promise.resolve(other.authenticate(forged(nr))).catch((error: { kind: string }) =>
            kinds.add(error.kind),
          )
      })
      await server.idp.rotateKeys({ force: true })
      const { access_token } = await server.signIn(email)
      expect(kidOf(access_token)).not.toBe(kidOf(sample))
      const caller = await other.authenticate(`Bearer ${access_token}`)
      isFlooding = false
      await Promise.all(flood)
      expect(caller.claims.email).toBe(email)
      expect([...kinds]).toEqual(['bad_signature'])
      await other.close()
    })
  })

  test.each(['ES256', 'PS256', 'EdDSA'])(
    'signs with %s as well when it is configured, also on a database with other keys',
    async (algorithm) => {
      const other = await listen(await startServer(server.database, { algorithm }))
      const { email } = await server.people.withAccount()
      const { access_token } = await other.signIn(email)
      expect(JSON.parse(Buffer.from(access_token.split('.')[0] ?? '', 'base64url').toString())).toMatchObject(
        { alg: algorithm },
      )
      expect((await other.authenticate(`Bearer ${access_token}`)).claims.email).toBe(email)
      await other.close()
    },
  )

  describe('what lies in the database', () => {
    test('signs nobody in: neither tokens nor sessions nor links nor passwords can be read from it', async () => {
      const { email } = await server.people.withAccount()
      const { refresh_token, browser, access_token } = await server.signIn(email)
      const { link } = await server.idp.accounts.inviteUser(email)
      const session = browser.value('fk_sitzung')
      const { rows } = await server.owner.query<{ all: string }>(
        `select string_agg(t::text, ' ') as all
          from (select to_jsonb(a) from idp.artefakt a union all select to_jsonb(l) from idp.einmal_link l
            union all select to_jsonb(k) from idp.konto k) as t`,
      )
      const text = rows[0]?.all ?? ''
      expect(text).toContain(claimsOf(access_token).sub)
      for (const secret of [refresh_token, session, link.split('/').at(-1) ?? '', PASSWORD]) {
        expect(secret.length).toBeGreaterThan(10)
        expect(text).not.toContain(secret)
      }
    })
    test('is for the provider alone', async () => {
      for (const table of [
        'konto',
        'artefakt',
        'schluessel',
        'einmal_link',
        'ereignis',
        'sperre',
        'drossel',
        'anmeldevorgang',
        'wiederherstellung',
        'geheimnis',
        'post',
      ])
        await expect(
          server.database.once({ role: 'nutzer' }, { text: `select 1 from idp.${table}` }),
          table,
        ).rejects.toMatchObject({
          code: '42501',
        })
    })
    test('keeps its events: they are written once', async () => {
      for (const text of [
        "update idp.ereignis set art = 'angemeldet'",
        'delete from idp.ereignis',
        'truncate idp.ereignis',
      ])
        await expect(server.database.once({ role: 'forst_idp' }, { text })).rejects.toMatchObject({
          code: '42501',
        })
    })
    test('is swept of what has expired', async () => {
      await server.browser().get(server.client().startAddress())
      await server.owner.query(
        "update idp.artefakt set expires_at = now() - interval '1 second' where model = 'Interaction'",
      )
      await deleteExpired(idpDatabase(server.database))
      expect(
        await server.owner.query("select 1 from idp.artefakt where model = 'Interaction'"),
      ).toMatchObject({
        rowCount: 0,
      })
    })
  })
})
