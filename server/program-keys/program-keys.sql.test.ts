// Keys over HTTP: who gets in, what they are refused, and how they are guessed.
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildWorld } from '../../db/test/nouns.ts'
import { insertKey } from '../../db/test/cells/zugang.ts'
import { enginesToday, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { A, claimsOf, IDENTITIES, type IdentityName, numberOf } from '../../db/test/world.ts'
import { type Caller, type Claims, personOf, SignInFault } from '#server/caller.ts'
import { createDataApi } from '#server/data-api/data-api.ts'
import { dataApiPlugin } from '#server/data-api/fastify-plugin.ts'
import { createLog } from '#server/log.ts'
import { asNutzer, CHECK_REQUEST } from '#server/nutzer.ts'
import { refuseAt } from '#server/refuse.ts'
import { forAnyone, forGuests, forNutzer, guardRoutes } from '#server/route-caller.ts'
import { digestOf, makeKey } from './key-format.ts'
import { createProgramKeys } from './program-keys.ts'
import { createProgramKeyRoom } from './routes.ts'

const BASES = { DATA_API_BASE: '/rest', GENERAL_API_BASE: '/prod-api' }
const START = Date.parse('2026-11-28T10:00:00Z')

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`a key on ${engineName}`, () => {
    let engine: Engine
    let app: FastifyInstance
    let clock = START
    let nextKey = 20_000
    const lines: string[] = []
    const log = createLog(
      (line) => lines.push(line),
      () => new Date(clock),
    )
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      const tokens = (authorization: string | undefined): Caller => {
        const name = (authorization ?? '').replace('Bearer ', '')
        if (!(name in IDENTITIES)) throw new SignInFault('missing', 'no token')
        const claims = claimsOf(name as IdentityName) as Claims
        return { claims, claimsJson: JSON.stringify(claims), person: personOf(claims) }
      }
      const now = () => new Date(clock)
      const keys = createProgramKeys({ database: engine.api, tokens, now, log, failuresPerMinute: 20 })
      const dataApi = createDataApi({
        database: engine.api,
        schemas: ['app'],
        base: '/rest',
        role: 'nutzer',
        otherRoles: ['programm'],
        authenticate: keys.authenticate,
        preRequest: CHECK_REQUEST,
        log,
      })
      app = fastify()
      app.setErrorHandler((error, request, reply) => refuseAt(request.url, BASES)(reply, error))
      guardRoutes(app, keys.authenticate)
      keys.guard(app)
      const confirm = (_email: string, { password }: { password: string }) =>
        Promise.resolve(password === 'richtig' ? null : 'Passwort oder Code stimmt nicht.')
      const room = createProgramKeyRoom({ database: engine.api, confirm, devices: null, now })
      await app.register(room.routes, { prefix: '/prod-api' })
      const count = forNutzer(
        async (caller) =>
          (await engine.api.once(asNutzer(caller), { text: 'select from app.karte' })).rows.length,
        { programs: 'karte' },
      )
      app.get('/prod-api/plaene', count)
      app.post('/prod-api/plaene', count)
      app.get(
        '/prod-api/menschen',
        forNutzer((caller) => caller.person),
      )
      app.get(
        '/prod-api/gast',
        forGuests((caller) => caller?.person ?? 'nobody'),
      )
      app.get(
        '/prod-api/alle',
        forAnyone(() => ({ open: true })),
      )
      await app.register((scope) => dataApiPlugin(scope, { dataApi }))
      await app.ready()
    })
    afterAll(async () => {
      await app?.close()
      await engine?.close()
    })

    type Narrowing = Omit<Parameters<typeof insertKey>[0], 'user_id' | 'id' | 'groups'>
    async function newKey(name: IdentityName, narrowing: Narrowing = {}) {
      const id = ++nextKey
      const key = makeKey()
      const { groups } = IDENTITIES[name as keyof typeof IDENTITIES]
      await engine.owner.script(
        `begin; set local role forst_betrieb; ${insertKey({ user_id: numberOf(name), id, groups, ...narrowing })}
         update accounts.zugang set digest = decode('${digestOf(key)}', 'hex') where id = ${id}; commit`,
      )
      return { id, key }
    }
    let nextAddress = 0
    /** From its own network, unless one is named. */
    async function ask(
      url: string,
      authorization: string | undefined,
      { method = 'GET', payload, from = `10.0.${++nextAddress >> 8}.${nextAddress & 255}` } = {} as {
        method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
        payload?: object
        from?: string
      },
    ) {
      const answer = await app.inject({
        method,
        url,
        remoteAddress: from,
        headers: authorization === undefined ? {} : { authorization },
        ...(payload && { payload }),
      })
      const body = answer.body === '' ? null : (answer.json() as Record<string, unknown>)
      return { status: answer.statusCode, body, headers: answer.headers, text: answer.body }
    }
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

    test('opens tables as a bearer and as the password of Basic', async () => {
      const { key } = await newKey('apus_team')
      for (const header of [`Bearer ${key}`, basic(`qgis:${key}`), basic(`:${key}`)]) {
        const { status, body } = await ask(
          '/rest/kunde?select=client_id&client_id=in.(1,2)&order=client_id',
          header,
        )
        expect([status, body]).toEqual([200, [{ client_id: 1 }, { client_id: 2 }]])
      }
      expect((await ask('/rest/kunde?select=client_id', 'Bearer apus_team')).status).toBe(200)
      expect((await ask('/rest/kunde', undefined)).status).toBe(401)
    })

    test('forged, truncated, unknown and of wrong shape it is refused, and said so', async () => {
      const { key } = await newKey('apus_team')
      const cases: [string, string, RegExp][] = [
        [`Bearer ${key.slice(0, -1)}`, 'PGRST301', /no key/],
        [`Bearer ${key.slice(0, 30)}!${key.slice(31)}`, 'PGRST301', /no key/],
        [`Bearer ${makeKey()}`, 'PGRST301', /unknown/],
        ['Basic', 'PGRST301', /no key/],
        [basic('only a name'), 'PGRST301', /no key/],
        [basic(`name:${key}x`), 'PGRST301', /no key/],
        [`Basic ${'A'.repeat(6_000)}`, 'PGRST301', /no key/],
        [basic(`name:${makeKey()}`), 'PGRST301', /unknown/],
      ]
      for (const [header, code, message] of cases) {
        const { status, body, headers } = await ask('/rest/kunde', header)
        expect([status, body?.['code']], header).toEqual([401, code])
        expect(body?.['message']).toMatch(message)
        expect(headers['www-authenticate']).toMatch(/invalid_token/)
        const general = await ask('/prod-api/plaene', header)
        expect([general.status, general.body?.['code']]).toEqual([401, 50_008])
      }
    })

    test('it ends with the next request, by hand, by its day and by a lock', async () => {
      const owner = (text: string) =>
        engine.owner.script(`begin; set local role forst_betrieb; ${text}; commit`)
      const { id, key } = await newKey('ogf_team')
      expect((await ask('/rest/kunde', `Bearer ${key}`)).status).toBe(200)
      await owner(`update accounts.zugang set beendet_am = now(), beendet_grund = 'beendet' where id = ${id}`)
      // Known to this server, and unknown to the next one.
      expect((await ask('/rest/kunde', `Bearer ${key}`)).body).toMatchObject({ hint: 'key_ended' })
      const early = await newKey('ogf_team', { bis: 'checks.today() - 1' })
      expect((await ask('/rest/kunde', `Bearer ${early.key}`)).body).toMatchObject({
        code: 'PGRST303',
        message: 'This key has ended',
      })
      const general = await ask('/prod-api/plaene', `Bearer ${early.key}`)
      expect(general.body).toMatchObject({ code: 50_008, message: expect.stringMatching(/widerrufen/) })
      const locked = await newKey('disabled')
      expect((await ask('/rest/kunde', `Bearer ${locked.key}`)).status).toBe(401)
    })

    test('in the address it is refused, however it is written', async () => {
      const { key } = await newKey('apus_team')
      for (const url of [
        `/rest/kunde?access_token=${key}`,
        `/rest/kunde?name=eq.${key.replace('_', '%5F')}`,
        `/prod-api/plaene?token=${key}`,
        `/prod-api/plaene?token=${key.replace('f', '%66')}&x=%`,
        `/prod-api/plaene?x=%FF${key.replace('_', '%5f')}`,
        `/${key}`,
      ]) {
        const { status, text } = await ask(url, 'Bearer apus_team')
        expect(status, url).toBe(400)
        expect(text).not.toContain(key)
      }
    })

    test('reading only, a group, a customer and a half: 403 with the name of the limit', async () => {
      const limited = async (narrowing: Narrowing, url: string, more: Parameters<typeof ask>[2] = {}) => {
        const { key } = await newKey('admin', narrowing)
        const { status, body } = await ask(url, `Bearer ${key}`, more)
        return [status, body?.['hint'] ?? null]
      }
      const change = { method: 'PATCH', payload: { bundesland: 'Hessen' } } as const
      expect(await limited({ nur_lesen: true }, '/rest/kunde?client_id=eq.1', change)).toEqual([
        403,
        'key_reads_only',
      ])
      expect(await limited({ nur_lesen: true }, '/rest/rpc/a_get_acronyms')).toEqual([200, null])
      expect(
        await limited({ nur_lesen: true }, '/rest/rpc/a_end_zugang', { method: 'POST', payload: { id: 1 } }),
      ).toEqual([403, 'key_reads_only'])
      expect(await limited({}, '/rest/rpc/a_end_zugang', { method: 'POST', payload: { id: 1 } })).toEqual([
        403,
        'key_person_only',
      ])
      expect((await limited({}, '/rest/kunde?client_id=eq.1', change))[0]).toBe(204)
      expect(await limited({ gruppen: ['karten'] }, '/rest/rechnung')).toEqual([403, 'key_group'])
      expect(await limited({ gruppen: ['karten'] }, '/rest/rpc/a_get_acronyms')).toEqual([403, 'key_calls'])
      expect(await limited({ haelfte: 'forst' }, '/rest/karte')).toEqual([403, 'key_half'])
      expect(await limited({ gruppen: ['karten'] }, '/prod-api/plaene')).toEqual([200, null])
      expect(await limited({ gruppen: ['belege'] }, '/prod-api/plaene')).toEqual([403, 'key_group'])
      expect(await limited({ nur_lesen: true }, '/prod-api/plaene', { method: 'POST' })).toEqual([
        403,
        'key_reads_only',
      ])
      const { key } = await newKey('admin', { client_id: A })
      expect((await ask('/rest/kunde?select=client_id', `Bearer ${key}`)).body).toEqual([{ client_id: A }])
    })

    test('routes for people are closed to it, also those open to guests', async () => {
      const { key } = await newKey('admin')
      for (const url of ['/prod-api/menschen', '/prod-api/gast'])
        expect(await ask(url, `Bearer ${key}`)).toMatchObject({
          status: 403,
          body: { error: 'not_allowed', hint: 'key_not_here' },
        })
      expect(
        (await ask('/prod-api/zugaenge', `Bearer ${key}`, { method: 'POST', payload: {} })).body,
      ).toMatchObject({ hint: 'key_not_here' })
    })

    test('it is made with the password alone, shown once, and stored as a digest', async () => {
      const wanted = {
        art: 'person',
        name: 'QGIS Büro',
        haelfte: null,
        gruppen: ['karten'],
        nur_lesen: true,
        client_id: null,
        bis: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
      }
      const make = (payload: object) =>
        ask('/prod-api/zugaenge', 'Bearer apus_admin', { method: 'POST', payload })
      expect(await make({ ...wanted, passwort: 'falsch', code: '' })).toMatchObject({
        status: 400,
        body: { fields: [{ field: 'passwort' }] },
      })
      expect(await make({ ...wanted, bis: '2199-01-01', passwort: 'richtig' })).toMatchObject({
        status: 400,
        body: { hint: 'zugang_bis', column: 'bis' },
      })
      for (const odd of [
        { ...wanted, bis: 'morgen' },
        { ...wanted, client_id: 'x' },
        { ...wanted, gruppen: 'karten; drop' },
        { ...wanted, name: { a: 1 } },
        {},
      ]) {
        const { status } = await make({ ...odd, passwort: 'richtig' })
        expect(status, JSON.stringify(odd)).toBe(400)
      }
      const made = await make({ ...wanted, passwort: 'richtig', code: '' })
      expect(made.status).toBe(200)
      const { id, zugang } = (made.body ?? {})['data'] as { id: number; zugang: string }
      expect(made.headers['cache-control']).toBe('no-store')
      const { rows } = await engine.owner.query<{ digest: string; all: string }>(
        `select encode(digest, 'hex') as digest, z::text as all from accounts.zugang z where id = ${id}`,
      )
      expect(rows[0]?.digest).toBe(digestOf(zugang))
      expect(rows[0]?.all).not.toContain(zugang.slice(6, 40))
      expect((await ask('/rest/karte?select=id&limit=1', `Bearer ${zugang}`)).status).toBe(200)
    })

    test('its last use is written down once an hour, without the request waiting for it', async () => {
      const { id, key } = await newKey('apus_team')
      const used = async () =>
        (
          await engine.owner.query<{ at: string | null; xmin: string }>(
            `select zuletzt_am as at, xmin::text from accounts.zugang where id = ${id}`,
          )
        ).rows[0]
      expect((await used())?.at).toBeNull()
      await ask('/rest/kunde?limit=1', `Bearer ${key}`)
      await expect.poll(async () => (await used())?.at).not.toBeNull()
      const first = await used()
      for (let nr = 0; nr < 5; nr++) await ask('/rest/kunde?limit=1', `Bearer ${key}`)
      expect(await used()).toEqual(first)
    })

    test('after twenty unknown ones a network waits for a minute; known keys, people and others do not', async () => {
      const { key } = await newKey('apus_team')
      const late = await newKey('apus_team')
      const from = '192.0.2.1'
      const status = async (authorization: string, at = from, url = '/rest/kunde') =>
        (await ask(url, authorization, { from: at })).status
      expect(await status(`Bearer ${key}`)).toBe(200)
      for (let nr = 0; nr < 20; nr++) expect(await status(`Bearer ${makeKey()}`)).toBe(401)
      const waiting = await ask('/rest/kunde', `Bearer ${late.key}`, { from })
      expect(waiting.status).toBe(429)
      expect(Number(waiting.headers['retry-after'])).toBeGreaterThan(0)
      expect(await status(`Bearer ${key}`)).toBe(200)
      expect(await status(`Bearer ${late.key}`, '192.0.2.2')).toBe(200)
      expect(await status('Bearer apus_team')).toBe(200)
      clock += 60_000
      expect(await status(`Bearer ${late.key}`)).toBe(200)
    })

    test('neither a stale key nor the Basic of a proxy locks out the rest of the office', async () => {
      const stale = await newKey('apus_team', { bis: 'checks.today() - 1' })
      const { key } = await newKey('apus_team')
      const from = '192.0.2.9'
      for (let nr = 0; nr < 30; nr++) {
        expect((await ask('/rest/kunde', `Bearer ${stale.key}`, { from })).status).toBe(401)
        expect((await ask('/prod-api/alle', basic('proxy:secret'), { from })).status).toBe(200)
        expect((await ask('/rest/kunde', basic('proxy:secret'), { from })).status).toBe(401)
      }
      expect((await ask('/rest/kunde', `Bearer ${key}`, { from })).status).toBe(200)
    })

    test('many wrong ones at once are looked up no more often than one after another', async () => {
      const from = '192.0.2.17'
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => ask('/rest/kunde', `Bearer ${makeKey()}`, { from })),
      )
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(20)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(80)
      // One good key, however often at once, takes one try.
      const { key } = await newKey('apus_team')
      const good = await Promise.all(
        Array.from({ length: 25 }, () => ask('/rest/kunde?limit=1', `Bearer ${key}`, { from: '192.0.2.18' })),
      )
      expect(good.filter(({ status }) => status !== 200)).toEqual([])
    })

    test('a flood slows down that key alone, not the screen of its owner nor another key', async () => {
      const flood = await newKey('apus_team')
      const other = await newKey('apus_team')
      const heavy = '/rest/rechnung?select=*&order=id'
      const waves = Array.from({ length: 200 }, () => ask(heavy, `Bearer ${flood.key}`))
      const others = await Promise.all([
        ask('/rest/kunde?limit=1', `Bearer ${other.key}`),
        ask('/rest/kunde?limit=1', 'Bearer apus_team'),
      ])
      expect(others.map(({ status }) => status)).toEqual([200, 200])
      expect((await Promise.all(waves)).some(({ status }) => status === 429)).toBe(true)
    })

    test('the time of an answer does not tell unknown, ended and wrong apart', {
      timeout: 60_000,
    }, async () => {
      const ended: string[] = []
      const [TRIES, ROUNDS] = [41, 6]
      for (let nr = 0; nr < TRIES * ROUNDS; nr++)
        ended.push((await newKey('apus_team', { bis: 'checks.today() - 1' })).key)
      // The embedded engine answers in its own process, beside whatever else this one does.
      const most = engineName === 'postgres' ? 1.2 : 1.5
      let spread = Number.POSITIVE_INFINITY
      // Over all rounds: what other processes do meanwhile evens out.
      const times: Record<string, number[]> = { unknown: [], ended: [], wrong: [] }
      for (let round = 0; round < ROUNDS && spread >= most; round++) {
        const kinds: Record<string, () => string> = {
          unknown: () => makeKey(),
          ended: () => ended.pop() ?? '',
          // Of the right shape, one character off.
          wrong: () => makeKey(Buffer.from(digestOf(String(Math.random())), 'hex')),
        }
        for (let nr = 0; nr < TRIES; nr++)
          for (const [kind, next] of Object.entries(kinds)) {
            const header = `Bearer ${next()}`
            const began = performance.now()
            expect((await ask('/rest/kunde', header)).status).toBe(401)
            times[kind]?.push(performance.now() - began)
          }
        const medians = Object.values(times).map(
          (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0,
        )
        spread = Math.max(...medians) / Math.min(...medians)
      }
      expect(spread).toBeLessThan(most)
    })

    test('neither logs nor answers contain a key', async () => {
      const { key } = await newKey('apus_team')
      for (const url of ['/rest/kunde?select=nichts', `/rest/kunde?x=${key}`, '/prod-api/menschen'])
        expect((await ask(url, `Bearer ${key}`)).text).not.toContain(key.slice(6, 40))
      expect(lines.join('\n')).not.toMatch(/forst_[0-9A-Za-z]{8}/)
    })
  })
