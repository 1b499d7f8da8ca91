// Ending a person's sessions ends everything that was issued to them, used or not, here or on another server;
// and no token outlives its session.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { enginesToday, isMissing } from '../../db/test/engines.ts'
import { oneServer } from '../../db/test/identity-server.ts'
import {
  claimsOf,
  codeOf,
  headingOf,
  listen,
  PASSWORD,
  People,
  startServer,
  type TestServer,
  type Tokens,
} from './identity.fixture.ts'

const OTHER = 'Sperber über Heide 8'
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`sessions on ${engineName}`, () => {
    const server = oneServer(engineName)
    /** Another process behind the same address, which has not seen any token yet. */
    let second: TestServer
    beforeAll(async () => {
      second = await startServer(server.database, { publicOrigin: server.origin })
    })
    afterAll(() => second?.close())

    const admin = (text: string, ...values: unknown[]) => server.owner.query(text, values)
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
        const browser = server.browser()
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
        const person = await server.people.withAccount()
        const unused = await server.signIn(person.email)
        const used = await server.signIn(person.email)
        // Another person who signs in at the same moment and loses nothing.
        const bystander = await server.signIn((await server.people.withAccount()).email, PASSWORD)
        expect(await server.rolesOf(bystander.access_token)).toEqual(['ogf_standard'])
        // A code not redeemed yet, and a finished sign-in whose browser has not come back yet.
        const client = server.client()
        const waiting = server.browser()
        const code = codeOf(
          await waiting.post((await waiting.get(client.startAddress())).url, {
            schritt: 'anmelden',
            email: person.email,
            passwort: PASSWORD,
          }),
        )
        expect(code).not.toBe('')
        const held = server.browser()
        const page = await held.get(server.client().startAddress())
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

        expect(await server.rolesOf(unused.access_token)).toBeUndefined()
        expect(await second.rolesOf(unused.access_token)).toBeUndefined()
        expect(await second.rolesOf(used.access_token)).toBeUndefined()
        expect((await client.redeem(code)).status).toBe(400)
        for (const { refresh_token } of [unused, used])
          expect((await client.refresh(refresh_token)).status).toBe(400)
        expect(headingOf(await used.browser.get(client.startAddress()))).toBe('Anmelden')
        const back = await held.get(resume)
        expect(codeOf(back)).toBe('')
        expect(await server.rolesOf(bystander.access_token)).toEqual(['ogf_standard'])
        // A moment later people who may sign in can do so again.
        await admin('update app.benutzer set enabled = true where user_id = $1', person.userId)
        await server.idp.accounts.setPassword(person.email, PASSWORD)
        const again = await server.signIn(person.email)
        expect(await server.rolesOf(again.access_token)).toEqual(['ogf_standard'])
      })

    test('a password given before a lock opens no second step after it', async () => {
      const person = await server.people.withAccount()
      await server.idp.accounts.setPassword(person.email, PASSWORD, { mustChange: true })
      const browser = server.browser()
      const form = await browser.get(server.client().startAddress())
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
      const { email } = await server.people.withAccount()
      const { link } = await server.idp.accounts.inviteUser(email)
      const browser = server.browser()
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
      const person = await server.people.withAccount()
      const clock = vi
        .spyOn(Date, 'now')
        .mockImplementation(() => performance.timeOrigin + performance.now() + 4_000)
      let ahead: Tokens
      try {
        ahead = await server.signIn(person.email)
      } finally {
        clock.mockRestore()
      }
      expect(await server.rolesOf(ahead.access_token)).toEqual(['ogf_standard'])
      await server.idp.accounts.endSessions(person.email)
      expect(await server.rolesOf(ahead.access_token)).toBeUndefined()
      expect(await second.rolesOf(ahead.access_token)).toBeUndefined()
    })

    describe('the longest session', () => {
      const MAX_S = 6
      let short: TestServer
      beforeAll(async () => {
        short = await listen(await startServer(server.database, { sessionMaxS: MAX_S }))
      })
      afterAll(() => short?.close())
      const endOf = (token: string) => claimsOf(token).exp ?? 0

      test('bounds the last token too, and nothing is issued after it, by no server', async () => {
        const { email } = await server.people.withAccount()
        const began = Math.floor(Date.now() / 1000)
        const first = await short.signIn(email)
        expect(first.expires_in).toBeLessThanOrEqual(MAX_S)
        const latest = () => Math.floor(Date.now() / 1000) + 1 + MAX_S
        const end = latest()
        expect(endOf(first.access_token)).toBeLessThanOrEqual(end)
        expect(endOf(first.id_token)).toBeLessThanOrEqual(end)
        await sleep(2_000)
        const client = short.client()
        const renewed = (await (await client.refresh(first.refresh_token)).json()) as Tokens
        expect(endOf(renewed.access_token)).toBeLessThanOrEqual(end)
        expect(renewed.expires_in).toBeLessThan(MAX_S)
        // The browser's session continues, and its tokens end no later.
        const beside = short.client()
        const silent = (await (
          await beside.redeem(codeOf(await first.browser.get(beside.startAddress())))
        ).json()) as Tokens
        expect(endOf(silent.access_token)).toBeLessThanOrEqual(end)
        await sleep(Math.max(0, (began + MAX_S) * 1000 - Date.now()) + 1_500)
        expect((await client.refresh(renewed.refresh_token)).status).toBe(400)
        expect(headingOf(await first.browser.get(client.startAddress()))).toBe('Anmelden')
        // The same after a restart with the same settings.
        const restarted = await startServer(server.database, {
          sessionMaxS: MAX_S,
          publicOrigin: short.origin,
        })
        expect((await restarted.renewal(silent.refresh_token)).statusCode).toBe(400)
        await restarted.close()
      })
      test('that was made shorter holds for sessions that are there', async () => {
        const { email } = await server.people.withAccount()
        const before = await server.signIn(email)
        await sleep(2_100)
        const shorter = await startServer(server.database, { sessionMaxS: 2, publicOrigin: server.origin })
        expect((await shorter.renewal(before.refresh_token)).statusCode).toBe(400)
        await shorter.close()
      })
    })
  })
