// A program without a browser is connected by a person (RFC 8628), with a client library that others wrote
// and by hand where the library does not go.
import * as oauth from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { enginesToday, isMissing } from '../../db/test/engines.ts'
import { inDays, oauthServer } from '../../db/test/oauth-server.ts'
import { idpDatabase } from './idp-database.ts'
import { deleteExpired } from './artefacts.ts'
import { PASSWORD } from './identity.fixture.ts'

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
let nextName = 0

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`device flow on ${engineName}`, () => {
    const server = oauthServer(engineName)
    let person: { email: string; userId: number }
    let token: string
    beforeAll(async () => {
      person = await server.people.withAccount({ system_status: 'apus_team' })
      token = (await server.signIn(person.email)).access_token
    })

    const protocol = () => `${server.origin}/realms/master/protocol/openid-connect`
    const post = async (path: string, form: Record<string, string> | [string, string][]) => {
      const answer = await fetch(`${protocol()}/${path}`, { method: 'POST', body: new URLSearchParams(form) })
      return { status: answer.status, body: (await answer.json()) as Record<string, string> }
    }
    /** Tests of one file share a network and a person, whose tries are counted. */
    const forgetTries = () => server.owner.query('delete from idp.drossel')
    async function begin(more: Record<string, string> = {}) {
      await forgetTries()
      const { status, body } = await post('auth/device', { client_id: 'programm', ...more })
      expect(status, JSON.stringify(body)).toBe(200)
      return body as Record<'device_code' | 'user_code' | 'verification_uri', string> & { interval: number }
    }
    const poll = async (device_code: string, client_id = 'programm') => {
      const { status, body } = await post('token', { client_id, grant_type: GRANT, device_code })
      return status === 200 ? body : body['error']
    }
    const answer = (user_code: string, more: object = {}, as = token) =>
      server.call(as, 'geraet-verbinden', {
        user_code,
        name: `QGIS ${++nextName}`,
        haelfte: null,
        gruppen: null,
        nur_lesen: true,
        client_id: null,
        bis: inDays(30),
        passwort: PASSWORD,
        code: '',
        ...more,
      })
    /** As if the program had waited. */
    const wait = () =>
      server.owner.query(
        `update idp.artefakt set payload = payload || '{"gefragt": 0}' where model = 'DeviceRequest'`,
      )

    test('openid-client goes through it: asks, waits, and works with what it gets', async () => {
      const client = await oauth.discovery(
        new URL(`${server.origin}/realms/master`),
        'programm',
        undefined,
        oauth.None(),
        { execute: [oauth.allowInsecureRequests] },
      )
      expect(client.serverMetadata()).toMatchObject({
        device_authorization_endpoint: `${protocol()}/auth/device`,
        grant_types_supported: expect.arrayContaining([GRANT, 'client_credentials']),
      })
      const asked = await oauth.initiateDeviceAuthorization(client, {
        scope: 'lesen karten',
        program_name: 'QGIS Büro',
      })
      expect(asked).toMatchObject({
        user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
        verification_uri: `${server.origin}/geraet`,
        verification_uri_complete: `${server.origin}/geraet?code=${asked.user_code}`,
        expires_in: 600,
        interval: 5,
      })
      const waiting = oauth.pollDeviceAuthorizationGrant(client, asked)
      const seen = await server.call(token, 'geraet-ansehen', { user_code: asked.user_code })
      expect(seen.body.data).toMatchObject({ programm: 'QGIS Büro', schreiben: false, gruppen: ['karten'] })
      const given = await answer(asked.user_code, { gruppen: ['karten'], name: 'QGIS Büro' })
      expect(given.status).toBe(200)
      const tokens = await waiting
      expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'lesen karten' })
      expect(tokens).not.toHaveProperty('refresh_token')
      expect(tokens.expires_in).toBeGreaterThan(29 * 86_400)
      expect(tokens.expires_in).toBeLessThan(32 * 86_400)
      const { access_token } = tokens
      expect(await server.rest(access_token, 'karte?select=id&limit=1')).toEqual([200, null])
      expect(await server.rest(access_token, 'rechnung?select=id')).toEqual([403, 'key_group'])
      expect(await server.rest(access_token, 'karte?id=eq.1', 'DELETE')).toEqual([403, 'key_reads_only'])

      // It is among the person's keys, and ends there.
      const id = given.body.data?.['id'] as number
      const { rows } = await server.owner.query<{
        name: string
        art: string
        user_id: number
        zeichen: string
      }>('select name, art, user_id, zeichen from accounts.zugang where id = $1', [id])
      expect(rows).toEqual([
        { name: 'QGIS Büro', art: 'person', user_id: person.userId, zeichen: access_token.slice(-4) },
      ])
      await server.owner.query(
        "update accounts.zugang set beendet_am = now(), beendet_grund = 'beendet' where id = $1",
        [id],
      )
      expect(await server.rest(access_token, 'karte?select=id&limit=1')).toEqual([401, 'key_ended'])
    })

    test('waiting, too fast, declined, too late and never begun each have their error', async () => {
      const first = await begin()
      expect(await poll(first.device_code)).toBe('authorization_pending')
      expect(await poll(first.device_code)).toBe('slow_down')
      const { rows } = await server.owner.query<{ abstand: number }>(
        `select (payload ->> 'abstand')::integer as abstand from idp.artefakt
         where model = 'DeviceRequest' and payload ->> 'gefragt' <> '0'`,
      )
      // Every poll that came too fast makes it wait longer.
      expect(rows).toEqual([{ abstand: 10 }])
      await wait()
      expect(await poll(first.device_code)).toBe('authorization_pending')
      expect((await server.call(token, 'geraet-ablehnen', { user_code: first.user_code })).status).toBe(200)
      expect(await poll(first.device_code)).toBe('access_denied')
      expect((await answer(first.user_code)).status).toBe(400)
      const late = await begin()
      await server.owner.query(
        `update idp.artefakt set payload = payload || '{"bis": 1}' where model = 'DeviceRequest'`,
      )
      expect(await poll(late.device_code)).toBe('expired_token')
      expect((await answer(late.user_code)).status).toBe(400)
      expect((await server.call(token, 'geraet-ansehen', { user_code: late.user_code })).status).toBe(400)
      expect(await poll('x'.repeat(43))).toBe('invalid_grant')
      expect((await post('token', { client_id: 'programm', grant_type: GRANT })).body['error']).toBe(
        'invalid_request',
      )
      // Nothing is left of it after half an hour.
      await server.owner.query("update idp.artefakt set expires_at = now() - interval '1 second'")
      await deleteExpired(idpDatabase(server.engine.api))
      expect(
        (await server.owner.query("select from idp.artefakt where model = 'DeviceRequest'")).rowCount,
      ).toBe(0)
    })

    test('a code is good once: whoever comes second ends the key', async () => {
      const { device_code, user_code } = await begin()
      await answer(user_code)
      const [one, two] = await Promise.all([poll(device_code), poll(device_code)])
      const got = [one, two].filter((each) => typeof each === 'object')
      expect(got).toHaveLength(1)
      expect([one, two]).toContain('invalid_grant')
      const { access_token } = got[0] as { access_token: string }
      expect((await server.rest(access_token, 'kunde?select=client_id&limit=1'))[0]).toBe(401)
      expect(await poll(device_code)).toBe('invalid_grant')
    })

    test('codes are not mixed up: of other clients, of other requests, one kind for the other', async () => {
      const [one, other] = [await begin({ program_name: 'Eins' }), await begin({ program_name: 'Zwei' })]
      expect(await poll(one.device_code, 'ogf-web')).toMatch(/invalid_request/)
      expect(await poll(one.user_code)).toBe('invalid_grant')
      expect((await server.call(token, 'geraet-ansehen', { user_code: one.device_code })).status).toBe(400)
      await answer(one.user_code)
      expect(await poll(other.device_code)).toBe('authorization_pending')
      expect(typeof (await poll(one.device_code))).toBe('object')
      const admin = await server.people.withAccount({ system_status: 'apus_admin', apus_admin: true })
      const key = await server.newKey((await server.signIn(admin.email)).access_token)
      const third = await begin()
      const { body } = await post('token', {
        client_id: `schluessel-${key.id}`,
        client_secret: key.zugang,
        grant_type: GRANT,
        device_code: third.device_code,
      })
      expect(body['error']).toMatch(/invalid_request/)
      expect(
        (await post('token', { client_id: 'programm', grant_type: 'client_credentials' })).body['error'],
      ).toMatch(/invalid_request/)
      expect(
        (await post('token', { client_id: 'programm', grant_type: 'authorization_code', code: 'x' })).body[
          'error'
        ],
      ).toMatch(/invalid_request/)
    })

    test('only one of two people answers it', async () => {
      const { device_code, user_code } = await begin()
      const other = await server.people.withAccount({ system_status: 'apus_team' })
      const otherToken = (await server.signIn(other.email)).access_token
      const race = { name: 'Wettlauf' }
      const answers = await Promise.all([answer(user_code, race), answer(user_code, race, otherToken)])
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
      const { access_token } = (await poll(device_code)) as Record<string, string>
      expect(typeof access_token).toBe('string')
      // The key of the slower one works for nobody.
      const { rows } = await server.owner.query<{ working: string }>(
        'select count(*)::text as working from accounts.zugang where name = $1 and beendet_am is null',
        ['Wettlauf'],
      )
      expect(rows).toEqual([{ working: '1' }])
    })

    test('approving asks who it is, as making a key does, and stays within what was asked for', async () => {
      const { user_code } = await begin({ scope: 'karten' })
      const wrong = await answer(user_code, { gruppen: ['karten'], passwort: 'geraten und falsch' })
      expect([wrong.status, wrong.body.fields?.[0]?.field]).toEqual([400, 'passwort'])
      for (const more of [
        { gruppen: null },
        { gruppen: ['karten', 'belege'] },
        { gruppen: ['karten'], nur_lesen: false },
        { gruppen: ['karten'], nur_lesen: 'no' },
        { gruppen: 'karten' },
      ]) {
        const { status, body } = await answer(user_code, more)
        expect([status, body.fields?.[0]?.field], JSON.stringify(more)).toEqual([400, 'gruppen'])
      }
      const never = await answer(user_code, { gruppen: ['karten'], bis: inDays(800) })
      expect([never.status, never.body.hint]).toEqual([400, 'zugang_bis'])
      // It never becomes a key of the installation.
      const { body } = await answer(user_code, { gruppen: ['karten'], art: 'haus', haelfte: 'draenage' })
      const { rows } = await server.owner.query<{ art: string }>(
        'select art from accounts.zugang where id = $1',
        [body.data?.['id']],
      )
      expect(rows).toEqual([{ art: 'person' }])
    })

    test('nobody answers for a person: no token, a key, a form, another page', async () => {
      const { user_code, device_code } = await begin()
      const send = (headers: Record<string, string>, body: string) =>
        fetch(`${server.origin}/prod-api/geraet-verbinden`, { method: 'POST', headers, body })
      const json = JSON.stringify({ user_code: user_code })
      const { browser } = await server.signIn(person.email)
      const type = 'application/json'
      // The cookies of the sign-in are no permission.
      const headers = { cookie: browser.header('/realms/master/'), 'content-type': type }
      expect((await send(headers, json)).status).toBe(401)
      expect((await send({ 'content-type': type }, json)).status).toBe(401)
      const form = { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' }
      expect((await send(form, `user_code=${user_code}`)).status).toBe(400)
      const { id, zugang } = await server.newKey(token, { art: 'person', haelfte: null, nur_lesen: false })
      expect(id).toBeGreaterThan(0)
      for (const path of ['geraet-ansehen', 'geraet-verbinden', 'geraet-ablehnen'])
        expect((await server.call(zugang, path, { user_code: user_code })).status, path).toBe(403)
      expect(await poll(device_code)).toBe('authorization_pending')
    })

    test('guessing codes ends soon, for the person and for the network', async () => {
      await begin()
      const statuses: number[] = []
      for (let at = 0; at < 31; at++)
        statuses.push((await server.call(token, 'geraet-ansehen', { user_code: 'BBBB-BBBB' })).status)
      expect(statuses.slice(0, 30).every((status) => status === 400)).toBe(true)
      expect(statuses[30]).toBe(429)
      const { user_code } = await post('auth/device', { client_id: 'programm' }).then(({ body }) => body)
      expect((await server.call(token, 'geraet-ansehen', { user_code: user_code })).status).toBe(429)
      await forgetTries()
      expect((await server.call(token, 'geraet-ansehen', { user_code: user_code })).status).toBe(200)
      // Beginning is limited as well.
      for (let at = 0; at < 60; at++) await post('auth/device', { client_id: 'programm' })
      expect((await post('auth/device', { client_id: 'programm' })).status).toBe(429)
      await forgetTries()
    })

    test('a code is read however it is typed, and nothing else is one', async () => {
      const { user_code } = await begin()
      const plain = user_code.replace('-', '')
      for (const typed of [plain, plain.toLowerCase(), ` ${user_code} `, plain.split('').join(' ')])
        expect((await server.call(token, 'geraet-ansehen', { user_code: typed })).status, typed).toBe(200)
      for (const typed of ['', 'AEIO-UAEI', '12345678', `${plain}B`, "' or 1=1", null, [user_code], { a: 1 }])
        expect((await server.call(token, 'geraet-ansehen', { user_code: typed })).status).toBe(400)
    })

    test('what a program says of itself is checked, and what it asks for known', async () => {
      await forgetTries()
      for (const [form, error] of [
        [{ client_id: 'ogf-web' }, 'invalid_client'],
        [{ client_id: '' }, 'invalid_client'],
        [{ client_id: 'programm', scope: 'openid' }, 'invalid_scope'],
        [{ client_id: 'programm', scope: 'lesen alles' }, 'invalid_scope'],
        [{ client_id: 'programm', program_name: 'x'.repeat(61) }, 'invalid_request'],
        [{ client_id: 'programm', program_name: 'eins\nzwei' }, 'invalid_request'],
        [{ client_id: 'programm', program_name: 'QGIS\u202egnp' }, 'invalid_request'],
        [
          [
            ['client_id', 'programm'],
            ['client_id', 'programm'],
          ],
          'invalid_request',
        ],
      ] as [Record<string, string>, string][])
        expect((await post('auth/device', form)).body['error'], JSON.stringify(form)).toBe(error)
      const asJson = await fetch(`${protocol()}/auth/device`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"client_id":"programm"}',
      })
      expect([asJson.status, ((await asJson.json()) as { error: string }).error]).toEqual([
        400,
        'invalid_request',
      ])
      expect((await fetch(`${protocol()}/auth/device`)).status).toBe(400)
    })

    test('a copy of the database connects nothing', async () => {
      const { device_code, user_code } = await begin()
      const { body } = await answer(user_code)
      const { rows } = await server.owner.query<{ all: string }>(
        `select a::text || (select z::text from accounts.zugang z where z.id = $1) as all from idp.artefakt a
         where model = 'DeviceRequest' and payload ->> 'zugang' = $1::text`,
        [body.data?.['id']],
      )
      const stored = rows[0]?.all ?? ''
      for (const secret of [device_code, user_code, user_code.replace('-', '')])
        expect(stored).not.toContain(secret)
      expect(stored).not.toMatch(/forst_/)
    })

    test('a key ended before the program fetched it is never handed out', async () => {
      const { device_code, user_code } = await begin()
      const { body } = await answer(user_code)
      await server.owner.query(
        "update accounts.zugang set beendet_am = now(), beendet_grund = 'beendet' where id = $1",
        [body.data?.['id']],
      )
      expect(await poll(device_code)).toBe('access_denied')
    })

    test('with the role of its owner goes what the program may do', async () => {
      const owner = await server.people.withAccount({ system_status: 'apus_team' })
      const { device_code, user_code } = await begin()
      await answer(user_code, {}, (await server.signIn(owner.email)).access_token)
      const { access_token } = (await poll(device_code)) as Record<string, string>
      expect((await server.rest(access_token ?? '', 'kunde?select=client_id&limit=1'))[0]).toBe(200)
      await server.owner.query("update app.benutzer set system_status = 'ogf_init' where user_id = $1", [
        owner.userId,
      ])
      expect(await server.rest(access_token ?? '', 'kunde?select=client_id')).toEqual([401, 'key_void'])
    })
  })
