// A program exchanges the key of an installation for short tokens (OAuth 2, client credentials), with a
// client library that others wrote and by hand where the library does not go.
import { createHmac, randomBytes } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as oauth from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { enginesToday, isMissing } from '../../db/test/engines.ts'
import { inDays, oauthServer } from '../../db/test/oauth-server.ts'
import { makeKey } from '#server/program-keys/key-format.ts'

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`client credentials on ${engineName}`, () => {
    const server = oauthServer(engineName)
    let admin: { email: string; userId: number }
    let adminToken: string
    beforeAll(async () => {
      admin = await server.people.withAccount({ system_status: 'apus_admin', apus_admin: true })
      adminToken = (await server.signIn(admin.email)).access_token
    })

    const endpoint = () => `${server.origin}/realms/master/protocol/openid-connect/token`
    const ask = async (form: Record<string, string>, headers: Record<string, string> = {}) => {
      const answer = await fetch(endpoint(), {
        method: 'POST',
        headers,
        body: new URLSearchParams({ grant_type: 'client_credentials', ...form }),
      })
      const body = (await answer.json()) as Record<string, unknown>
      return { status: answer.status, error: body['error'], body, headers: answer.headers }
    }
    /** By client_secret_post. */
    const tokenOf = async ({ id, zugang }: { id: number; zugang: string }, scope?: string) => {
      const { status, body } = await ask({
        client_id: `schluessel-${id}`,
        client_secret: zugang,
        ...(scope !== undefined && { scope }),
      })
      expect(status).toBe(200)
      return body as { access_token: string; expires_in: number; scope: string; token_type: string }
    }
    const basic = (id: string, secret: string) => ({
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
    })

    test('openid-client finds the endpoint and gets a token, by either way to send the secret', async () => {
      const key = await server.newKey(adminToken)
      for (const [algorithm, way] of [
        ['oidc', oauth.ClientSecretBasic()],
        ['oauth2', oauth.ClientSecretPost()],
      ] as const) {
        const client = await oauth.discovery(
          new URL(`${server.origin}/realms/master`),
          `schluessel-${key.id}`,
          { client_secret: key.zugang },
          way,
          { algorithm, execute: [oauth.allowInsecureRequests] },
        )
        expect(client.serverMetadata().grant_types_supported).toContain('client_credentials')
        const tokens = await oauth.clientCredentialsGrant(client)
        expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 300, scope: 'lesen' })
        expect(tokens).not.toHaveProperty('refresh_token')
        expect(tokens).not.toHaveProperty('id_token')
        const answer = await oauth.fetchProtectedResource(
          client,
          tokens.access_token,
          new URL(`${server.origin}/rest/kunde?select=client_id&limit=1`),
          'GET',
        )
        expect(answer.status).toBe(200)
      }
    })

    test('the token names the key, and no person', async () => {
      const key = await server.newKey(adminToken)
      const { access_token } = await tokenOf(key)
      const claims = decodeJwt(access_token)
      expect(claims).toMatchObject({
        iss: server.idp.issuer,
        aud: 'ogf-api',
        sub: `schluessel-${key.id}`,
        azp: `schluessel-${key.id}`,
        scope: 'lesen',
        typ: 'Bearer',
      })
      expect(Object.keys(claims).sort()).toEqual(
        ['aud', 'azp', 'client_id', 'exp', 'iat', 'iss', 'jti', 'scope', 'sub', 'typ'].sort(),
      )
      // It is the owner who acts, through the key.
      expect(await server.rolesOf(access_token)).toEqual(await server.rolesOf(key.zugang))
    })

    test('it has exactly the rights of the key', async () => {
      const key = await server.newKey(adminToken, { gruppen: ['karten'] })
      const { access_token, scope } = await tokenOf(key)
      expect(scope).toBe('lesen karten')
      for (const held of [key.zugang, access_token]) {
        expect(await server.rest(held, 'karte?select=id&limit=1')).toEqual([200, null])
        expect(await server.rest(held, 'rechnung?select=id')).toEqual([403, 'key_group'])
        expect(await server.rest(held, 'karte?id=eq.1', 'DELETE')).toEqual([403, 'key_reads_only'])
        expect(await server.rest(held, 'rpc/a_get_acronyms')).toEqual([403, 'key_calls'])
        expect((await server.call(held, 'zugaenge', {})).status).toBe(403)
      }
    })

    test('a scope narrows, and never widens', async () => {
      const key = await server.newKey(adminToken, { gruppen: ['karten', 'belege'], nur_lesen: false })
      const narrow = await tokenOf(key, 'lesen karten')
      expect(narrow.scope).toBe('lesen karten')
      expect(await server.rest(narrow.access_token, 'karte?select=id&limit=1')).toEqual([200, null])
      expect(await server.rest(narrow.access_token, 'rechnung?select=id&limit=1')).toEqual([403, 'key_group'])
      expect(await server.rest(narrow.access_token, 'karte?id=eq.0', 'DELETE')).toEqual([
        403,
        'key_reads_only',
      ])
      const full = await tokenOf(key)
      expect(full.scope).toBe('lesen schreiben karten belege')
      expect(await server.rest(full.access_token, 'rechnung?select=id&limit=1')).toEqual([200, null])
      expect((await server.rest(full.access_token, 'karte?id=eq.0', 'DELETE'))[0]).toBe(204)
      const who = { client_id: `schluessel-${key.id}`, client_secret: key.zugang }
      for (const scope of ['karten kunden', 'openid', 'lesen admin', 'profile email', 'lesen\u00a0karten'])
        expect(await ask({ ...who, scope }), scope).toMatchObject({ status: 400, error: 'invalid_scope' })
      const reading = await server.newKey(adminToken)
      expect(
        await ask({
          client_id: `schluessel-${reading.id}`,
          client_secret: reading.zugang,
          scope: 'lesen schreiben',
        }),
      ).toMatchObject({ status: 400, error: 'invalid_scope' })
      // Another resource than our API.
      expect(await ask({ ...who, resource: 'https://other.example/' })).toMatchObject({
        status: 400,
        error: 'invalid_target',
      })
    })

    test('secret and client belong together; a personal key is no client', async () => {
      const [one, other] = [await server.newKey(adminToken), await server.newKey(adminToken)]
      const personal = await server.newKey(adminToken, { art: 'person', haelfte: null })
      const wrong: [string, string][] = [
        [`schluessel-${one.id}`, other.zugang],
        [`schluessel-${one.id}`, makeKey()],
        [`schluessel-${one.id}`, `${one.zugang} `],
        [`schluessel-${personal.id}`, personal.zugang],
        ['schluessel-999999', makeKey()],
        [`schluessel-0${one.id}`, one.zugang],
        [`SCHLUESSEL-${one.id}`, one.zugang],
        [`schluessel-${one.id}' or true`, one.zugang],
        ['ogf-web', one.zugang],
      ]
      for (const [client_id, client_secret] of wrong) {
        expect(await ask({ client_id, client_secret }), client_id).toMatchObject({
          status: 401,
          error: 'invalid_client',
        })
        expect((await ask({}, basic(encodeURIComponent(client_id), client_secret))).status).toBe(401)
      }
      // The stored digest is no secret.
      const { rows } = await server.owner.query<{ digest: string }>(
        "select encode(digest, 'hex') as digest from accounts.zugang where id = $1",
        [one.id],
      )
      expect(
        await ask({ client_id: `schluessel-${one.id}`, client_secret: rows[0]?.digest ?? '' }),
      ).toMatchObject({ error: 'invalid_client' })
      // Without a secret, with two, and in the address.
      expect((await ask({ client_id: `schluessel-${one.id}` })).status).toBe(401)
      expect(
        (await ask({ client_secret: one.zugang }, basic(`schluessel-${one.id}`, one.zugang))).status,
      ).toBe(400)
      const inAddress = await fetch(
        `${endpoint()}?client_id=schluessel-${one.id}&client_secret=${one.zugang}&grant_type=client_credentials`,
        { method: 'POST' },
      )
      expect(inAddress.status).toBe(400)
    })

    test('it ends with its key at once, and no new one is issued', async () => {
      const key = await server.newKey(adminToken)
      const { access_token } = await tokenOf(key)
      expect(await server.rest(access_token, 'kunde?select=client_id&limit=1')).toEqual([200, null])
      await server.owner.query(
        "update accounts.zugang set beendet_am = now(), beendet_grund = 'beendet' where id = $1",
        [key.id],
      )
      expect(await server.rest(access_token, 'kunde?select=client_id&limit=1')).toEqual([401, 'key_ended'])
      expect(await ask({ client_id: `schluessel-${key.id}`, client_secret: key.zugang })).toMatchObject({
        status: 401,
        error: 'invalid_client',
      })
      // A token that this server has not seen before, too.
      const late = await server.newKey(adminToken)
      const unseen = await tokenOf(late)
      await server.owner.query('update accounts.zugang set bis = checks.today() - 1 where id = $1', [late.id])
      expect((await server.rest(unseen.access_token, 'kunde?select=client_id'))[0]).toBe(401)
    })

    test('it ends when its owner loses the role, or is locked', async () => {
      const owner = await server.people.withAccount({ system_status: 'apus_admin', apus_admin: true })
      const token = (await server.signIn(owner.email)).access_token
      const [key, second] = [await server.newKey(token), await server.newKey(token)]
      const { access_token } = await tokenOf(key)
      const other = await tokenOf(second)
      await server.owner.query(
        "update app.benutzer set system_status = 'ogf_init', apus_admin = false where user_id = $1",
        [owner.userId],
      )
      expect(await server.rest(access_token, 'kunde?select=client_id')).toEqual([401, 'key_void'])
      await server.owner.query('update app.benutzer set enabled = false where user_id = $1', [owner.userId])
      expect((await server.rest(other.access_token, 'kunde?select=client_id'))[0]).toBe(401)
      expect((await ask({ client_id: `schluessel-${key.id}`, client_secret: key.zugang })).status).toBe(401)
    })

    test('its use is shown with the key, and it is the key that acts', async () => {
      const key = await server.newKey(adminToken, { name: 'Power BI Nacht', nur_lesen: false })
      const { access_token } = await tokenOf(key)
      await server.rest(access_token, 'kunde?select=client_id&limit=1')
      await expect
        .poll(async () => {
          const { rows } = await server.owner.query<{ used: boolean }>(
            'select zuletzt_am is not null as used from accounts.zugang where id = $1',
            [key.id],
          )
          return rows[0]?.used
        })
        .toBe(true)
      const caller = await server.authenticate(`Bearer ${access_token}`)
      expect(caller).toMatchObject({ role: 'programm', key: { name: 'Power BI Nacht' } })
    })

    test('forged, of another audience or issuer, unsigned or signed with a public key: refused', async () => {
      const key = await server.newKey(adminToken)
      const { access_token } = await tokenOf(key)
      const good = decodeJwt(access_token)
      const { kid } = decodeProtectedHeader(access_token)
      const own = await generateKeyPair('RS256')
      const sign = (claims: object, header: object = {}) =>
        new SignJWT({ ...good, ...claims })
          .setProtectedHeader({ alg: 'RS256', kid: kid ?? '', ...header })
          .sign(own.privateKey)
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const unsigned = `${part({ alg: 'none' })}.${part(good)}.`
      const { keys } = (await (
        await fetch(`${server.origin}/realms/master/protocol/openid-connect/certs`)
      ).json()) as { keys: object[] }
      const head = `${part({ alg: 'HS256', kid })}.${part(good)}`
      const confused = `${head}.${createHmac('sha256', JSON.stringify(keys[0])).update(head).digest('base64url')}`
      const [h = '', , s = ''] = access_token.split('.')
      for (const token of [
        unsigned,
        `${part({ alg: 'none' })}.${part(good)}.${s}`,
        confused,
        await sign({}),
        await sign({}, { jwk: await exportJWK(own.publicKey) }),
        await sign({ iss: 'https://evil.example' }),
        `${h}.${part({ ...good, sub: 'schluessel-1', azp: 'schluessel-1' })}.${s}`,
        `${h}.${part({ ...good, scope: 'lesen schreiben' })}.${s}`,
        `${h}.${part({ ...good, exp: 9_999_999_999 })}.${s}`,
      ])
        expect((await server.rest(token, 'kunde?select=client_id'))[0], token.slice(0, 40)).toBe(401)
      // A person's token does not become a program's by asking, nor the other way round.
      expect((await ask({ client_id: 'ogf-web' })).error).toMatch(/invalid_request|unauthorized_client/)
      const code = await fetch(endpoint(), {
        method: 'POST',
        headers: basic(`schluessel-${key.id}`, key.zugang),
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: randomBytes(32).toString('hex'),
        }),
      })
      expect(code.status).toBe(400)
      const start = await fetch(
        `${server.origin}/realms/master/protocol/openid-connect/auth?client_id=schluessel-${key.id}` +
          `&response_type=code&redirect_uri=${server.origin}/auth-redirect`,
        { redirect: 'manual' },
      )
      expect(start.status).toBe(400)
    })

    test('the last day of a key is the last day of its tokens', async () => {
      const key = await server.newKey(adminToken, { bis: inDays(0) })
      expect((await tokenOf(key)).expires_in).toBe(300)
    })
  })
