// Ending a person's sessions ends everything that was issued to them, used or not, here or on another server;
// and no token outlives its session.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Database, OwnerConnection } from '#server/database/database.ts'
import { ENGINES, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import {
  Browser,
  Client,
  claimsOf,
  codeOf,
  headingOf,
  listen,
  PASSWORD,
  People,
  rolesOf,
  signIn,
  startServer,
  type TestServer,
  type Tokens,
} from './identity.fixture.ts'

const OTHER = 'Sperber über Heide 8'
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

for (const engineName of ENGINES)
  describe.skipIf(isMissing(engineName))(`sessions on ${engineName}`, () => {
    let engine: Engine
    let owner: OwnerConnection
    let database: Database
    let server: TestServer
    /** Another process behind the same address, which has not seen any token yet. */
    let second: TestServer
    let people: People

    beforeAll(async () => {
      engine = await openEngine(engineName)
      owner = engine.owner
      database = engine.api
      server = await listen(await startServer(database))
      second = await startServer(database, { publicOrigin: server.origin })
      people = new People(owner, server)
    })
    afterAll(async () => {
      await server?.close()
      await second?.close()
      await engine?.close()
    })

    const admin = (text: string, ...values: unknown[]) => owner.query(text, values)
    type Person = Awaited<ReturnType<People['withAccount']>>
    const ENDS: Record<string, (person: Person) => Promise<unknown>> = {
      'the end of sessions': ({ email }) => server.idp.accounts.endSessions(email),
      'the end of sessions on another server': ({ email }) => second.idp.accounts.endSessions(email),
      'a lock': ({ userId }) => admin('update app.benutzer set enabled = false where user_id = $1', userId),
      'a lock that was taken back': async ({ userId }) => {
        await admin('update app.benutzer set enabled = false where user_id = $1', userId)
        await admin('update app.benutzer set enabled = true where user_id = $1', userId)
      },
      'a new password by link': async ({ email }) => {
        const { link } = await server.idp.accounts.inviteUser(email)
        expect(
          await server.idp.accounts.setPasswordByLink(link.slice(link.lastIndexOf('/') + 1), OTHER, OTHER),
        ).toBe(true)
      },
      'a new password of one’s own': async ({ email }) => {
        const browser = new Browser(server.origin)
        const form = { email, passwort: PASSWORD, code: '', neu: OTHER, wiederholt: OTHER }
        expect((await browser.post('/anmelden/passwort-aendern', form)).status).toBe(200)
      },
      'a new password by the operator': ({ email }) => server.idp.accounts.setPassword(email, OTHER),
      'the removal of the second factor': ({ email }) => server.idp.accounts.resetSecondFactor(email),
      'a change of the sign-in address': async ({ userId, email }) => {
        await admin(`update app.benutzer set email = 'x' || email where user_id = $1`, userId)
        await admin('update app.benutzer set email = $2 where user_id = $1', userId, email)
      },
    }

    for (const [name, end] of Object.entries(ENDS))
      test(`${name} ends whatever was issued before`, async () => {
        const person = await people.withAccount()
        const unused = await signIn(server.origin, person.email, PASSWORD)
        const used = await signIn(server.origin, person.email, PASSWORD)
        // Another person who signs in at the same moment and loses nothing.
        const bystander = await signIn(server.origin, (await people.withAccount()).email, PASSWORD)
        expect(await rolesOf(server, database, bystander.access_token)).toEqual(['ogf_standard'])
        // A code not redeemed yet, and a finished sign-in whose browser has not come back yet.
        const client = new Client(server.origin)
        const waiting = new Browser(server.origin)
        const code = codeOf(
          await waiting.post((await waiting.get(client.startAddress())).url, {
            schritt: 'anmelden',
            email: person.email,
            passwort: PASSWORD,
          }),
        )
        expect(code).not.toBe('')
        const held = new Browser(server.origin)
        const page = await held.get(new Client(server.origin).startAddress())
        const answer = await fetch(page.url, {
          method: 'POST',
          redirect: 'manual',
          headers: {
            origin: server.origin,
            cookie: held.header(page.url),
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: new URLSearchParams({
            schritt: 'anmelden',
            email: person.email,
            passwort: PASSWORD,
          }).toString(),
        })
        const resume = answer.headers.get('location') ?? ''
        expect(resume).toMatch(/\/auth\//)

        await end(person)

        expect(await rolesOf(server, database, unused.access_token)).toBeUndefined()
        expect(await rolesOf(second, database, unused.access_token)).toBeUndefined()
        expect(await rolesOf(second, database, used.access_token)).toBeUndefined()
        expect((await client.redeem(code)).status).toBe(400)
        for (const { refresh_token } of [unused, used])
          expect((await client.refresh(refresh_token)).status).toBe(400)
        expect(headingOf(await used.browser.get(client.startAddress()))).toBe('Anmelden')
        const back = await held.get(resume)
        expect(codeOf(back)).toBe('')
        expect(await rolesOf(server, database, bystander.access_token)).toEqual(['ogf_standard'])
        // A moment later people who may sign in can do so again.
        await admin('update app.benutzer set enabled = true where user_id = $1', person.userId)
        await server.idp.accounts.setPassword(person.email, PASSWORD)
        const again = await signIn(server.origin, person.email, PASSWORD)
        expect(await rolesOf(server, database, again.access_token)).toEqual(['ogf_standard'])
      })

    test('a password given before a lock opens no second step after it', async () => {
      const person = await people.withAccount()
      await server.idp.accounts.setPassword(person.email, PASSWORD, { mustChange: true })
      const browser = new Browser(server.origin)
      const form = await browser.get(new Client(server.origin).startAddress())
      const step = await browser.post(form.url, {
        schritt: 'anmelden',
        email: person.email,
        passwort: PASSWORD,
      })
      expect(headingOf(step)).not.toBe('Anmelden')
      await sleep(1_100)
      await admin('update app.benutzer set enabled = false where user_id = $1', person.userId)
      await admin('update app.benutzer set enabled = true where user_id = $1', person.userId)
      expect(headingOf(await browser.get(form.url))).toBe('Anmelden')
    })

    test('links that set a password go with the password they were to replace', async () => {
      const { email } = await people.withAccount()
      const { link } = await server.idp.accounts.inviteUser(email)
      const browser = new Browser(server.origin)
      await browser.post('/anmelden/passwort-aendern', {
        email,
        passwort: PASSWORD,
        code: '',
        neu: OTHER,
        wiederholt: OTHER,
      })
      expect((await browser.get(link)).status).toBe(410)
    })

    test('tokens of a server whose clock is ahead end as well', async () => {
      const person = await people.withAccount()
      const clock = vi
        .spyOn(Date, 'now')
        .mockImplementation(() => performance.timeOrigin + performance.now() + 4_000)
      let ahead: Tokens
      try {
        ahead = await signIn(server.origin, person.email, PASSWORD)
      } finally {
        clock.mockRestore()
      }
      expect(await rolesOf(server, database, ahead.access_token)).toEqual(['ogf_standard'])
      await server.idp.accounts.endSessions(person.email)
      expect(await rolesOf(server, database, ahead.access_token)).toBeUndefined()
      expect(await rolesOf(second, database, ahead.access_token)).toBeUndefined()
    })

    describe('the longest session', () => {
      const MAX_S = 6
      let short: TestServer
      beforeAll(async () => {
        short = await listen(await startServer(database, { sessionMaxS: MAX_S }))
      })
      afterAll(() => short?.close())
      const endOf = (token: string) => claimsOf(token).exp ?? 0

      test('bounds the last token too, and nothing is issued after it, by no server', async () => {
        const { email } = await people.withAccount()
        const began = Math.floor(Date.now() / 1000)
        const first = await signIn(short.origin, email, PASSWORD)
        expect(first.expires_in).toBeLessThanOrEqual(MAX_S)
        const latest = () => Math.floor(Date.now() / 1000) + 1 + MAX_S
        const end = latest()
        expect(endOf(first.access_token)).toBeLessThanOrEqual(end)
        expect(endOf(first.id_token)).toBeLessThanOrEqual(end)
        await sleep(2_000)
        const client = new Client(short.origin)
        const renewed = (await (await client.refresh(first.refresh_token)).json()) as Tokens
        expect(endOf(renewed.access_token)).toBeLessThanOrEqual(end)
        expect(renewed.expires_in).toBeLessThan(MAX_S)
        // The browser's session continues, and its tokens end no later.
        const beside = new Client(short.origin)
        const silent = (await (
          await beside.redeem(codeOf(await first.browser.get(beside.startAddress())))
        ).json()) as Tokens
        expect(endOf(silent.access_token)).toBeLessThanOrEqual(end)
        await sleep(Math.max(0, (began + MAX_S) * 1000 - Date.now()) + 1_500)
        expect((await client.refresh(renewed.refresh_token)).status).toBe(400)
        expect(headingOf(await first.browser.get(client.startAddress()))).toBe('Anmelden')
        // The same after a restart with the same settings.
        const restarted = await startServer(database, { sessionMaxS: MAX_S, publicOrigin: short.origin })
        const refused = await restarted.server.inject({
          method: 'POST',
          url: '/realms/master/protocol/openid-connect/token',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          payload: new URLSearchParams({
            client_id: 'ogf-web',
            grant_type: 'refresh_token',
            refresh_token: silent.refresh_token,
          }).toString(),
        })
        expect(refused.statusCode).toBe(400)
        await restarted.close()
      })
      test('that was made shorter holds for sessions that are there', async () => {
        const { email } = await people.withAccount()
        const before = await signIn(server.origin, email, PASSWORD)
        await sleep(2_100)
        const shorter = await startServer(database, { sessionMaxS: 2, publicOrigin: server.origin })
        const refused = await shorter.server.inject({
          method: 'POST',
          url: '/realms/master/protocol/openid-connect/token',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          payload: new URLSearchParams({
            client_id: 'ogf-web',
            grant_type: 'refresh_token',
            refresh_token: before.refresh_token,
          }).toString(),
        })
        expect(refused.statusCode).toBe(400)
        await shorter.close()
      })
    })
  })
