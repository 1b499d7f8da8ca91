// People without an account at the sign-in: what they ask of the database counts against their share, what leads to
// nothing is counted before, and nobody else notices.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Engine, enginesToday, isMissing, openEngine } from '../../db/test/engines.ts'
import type { Context, Database } from '#server/database/database.ts'
import { STRANGERS, strangerAt } from '#server/share.ts'
import { listen, People, startServer, type TestServer, type Tokens } from './identity.fixture.ts'
import { FRUITLESS_PER_MIN } from './strangers.ts'

const PATHS = '/realms/master/protocol/openid-connect'
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`strangers at the sign-in on ${engineName}`, () => {
    let engine: Engine
    let server: TestServer
    let people: People
    const asked: Context[] = []

    beforeAll(async () => {
      engine = await openEngine(engineName)
      const once: Database['once'] = (context, statement) => {
        asked.push(context)
        return engine.api.once(context, statement)
      }
      const transaction: Database['transaction'] = (context, work) => {
        asked.push(context)
        return engine.api.transaction(context, work)
      }
      const watched = new Proxy(engine.api, {
        get: (all, name) => ({ once, transaction })[String(name)] ?? Reflect.get(all, name),
      })
      server = await listen(await startServer(watched))
      people = new People(engine.owner, server)
    }, 120_000)
    afterAll(async () => {
      await server?.close()
      await engine?.close()
    })

    const from = (address: string, path: string, form: Record<string, string> | null, headers = {}) =>
      fetch(server.origin + path, {
        method: form === null ? 'GET' : 'POST',
        body: form === null ? null : new URLSearchParams(form),
        redirect: 'manual',
        headers: { origin: server.origin, 'x-forwarded-for': address, ...headers },
      })
    const renewal = (address: string, refresh_token: string, cookie = '') =>
      from(
        address,
        `${PATHS}/token`,
        { grant_type: 'refresh_token', client_id: 'ogf-web', refresh_token },
        { cookie },
      )
    /** With the cookie that a browser has from a renewal. */
    const signedIn = async (): Promise<Tokens & { readonly cookie: string }> => {
      const { refresh_token } = await server.signIn((await people.withAccount()).email)
      const answer = await renewal('203.0.113.2', refresh_token)
      const [line = ''] = answer.headers.getSetCookie()
      expect(line).toMatch(/; Path=\/realms\/master\/protocol\/openid-connect; .*; HttpOnly; SameSite=Strict/)
      return { ...((await answer.json()) as Tokens), cookie: line.split(';')[0] ?? '' }
    }
    /** Who is named in what the database is asked for. */
    const partiesOf = async (work: () => Promise<unknown>): Promise<(string | undefined)[]> => {
      asked.length = 0
      await work()
      return [...new Set(asked.map(({ person }) => person))]
    }

    const WAYS: readonly (readonly [string, string, Record<string, string> | null])[] = [
      [
        'a renewal',
        `${PATHS}/token`,
        { grant_type: 'refresh_token', client_id: 'ogf-web', refresh_token: 'x' },
      ],
      [
        'a secret of a key',
        `${PATHS}/token`,
        { grant_type: 'client_credentials', client_id: 'schluessel-1', client_secret: 'x' },
      ],
      [
        'a poll of a device',
        `${PATHS}/token`,
        { grant_type: DEVICE, client_id: 'programm', device_code: 'x' },
      ],
      ['a revocation', `${PATHS}/revoke`, { client_id: 'ogf-web', token: 'x' }],
      ['a device', `${PATHS}/auth/device`, { client_id: 'programm' }],
      ['a sign-in', `${PATHS}/auth?client_id=schluessel-1&response_type=code`, null],
      ['a link for a password', '/anmelden/passwort/x', null],
      ['a link for the first start', '/anmelden/einrichten/x', null],
      ['a forgotten password', '/anmelden/vergessen', { email: 'nobody@forst.example' }],
    ]
    test.each(WAYS)('%s counts as theirs', async (_, path, form) => {
      const parties = await partiesOf(() => from('2001:db8:1:2:3::4', path, form))
      expect(parties).toEqual([strangerAt('2001:db8:1:2::1')])
    })

    test('the renewals of a browser that got tokens count as the person, and a job as nobody', async () => {
      const { refresh_token, access_token, cookie } = await signedIn()
      const { person } = await server.authenticate(`Bearer ${access_token}`)
      expect(await partiesOf(() => renewal('203.0.113.1', refresh_token, cookie))).toEqual([person])
      expect(await partiesOf(() => renewal('203.0.113.1', 'no token', cookie))).toEqual([person])
      for (const forged of ['', 'fk_bekannt=x', cookie.slice(0, -1), cookie.replace(/\.[^.]+\./, '.other.')])
        expect(await partiesOf(() => renewal('203.0.113.1', 'no token', forged)), forged).toEqual([
          strangerAt('203.0.113.1'),
        ])
      expect(await partiesOf(() => server.idp.sendDue())).toEqual([undefined])
    })

    test('what leads to nothing is refused before the database is asked, in the form of its page', async () => {
      const flood = Array.from({ length: FRUITLESS_PER_MIN }, () => renewal('203.0.113.9', 'no token'))
      expect((await Promise.all(flood)).every(({ status }) => status === 400 || status === 503)).toBe(true)
      asked.length = 0
      const refused = await renewal('203.0.113.9', 'no token')
      expect([refused.status, await refused.json()]).toEqual([
        429,
        { error: 'temporarily_unavailable', error_description: 'try again in a moment' },
      ])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      const device = await from('203.0.113.9', `${PATHS}/auth/device`, { client_id: 'programm' })
      expect([device.status, await device.json()]).toEqual([
        429,
        { error: 'slow_down', error_description: 'too many requests' },
      ])
      const page = await from('203.0.113.9', '/anmelden/passwort/x', null, { accept: 'text/html' })
      expect([page.status, await page.text()]).toEqual([429, expect.stringContaining('Zu viele Versuche')])
      expect(page.headers.get('retry-after')).not.toBeNull()
      expect(asked).toEqual([])
      expect((await from('203.0.113.10', '/anmelden/passwort/x', null)).status).toBe(410)
      // Somebody who is signed in goes on, in the same network.
      const { refresh_token, cookie } = await signedIn()
      expect((await renewal('203.0.113.9', refresh_token)).status).toBe(429)
      expect((await renewal('203.0.113.9', refresh_token, cookie)).status).toBe(200)
    })

    test('an office behind one address signs in and renews as often as it likes', async () => {
      const { email } = await people.withAccount()
      let { refresh_token } = await server.signIn(email)
      for (let nr = 0; nr < FRUITLESS_PER_MIN + 20; nr++) {
        const answer = await renewal('203.0.113.20', refresh_token)
        expect(answer.status).toBe(200)
        refresh_token = ((await answer.json()) as Tokens).refresh_token
      }
    })

    test('while 120 at once ask from 12 networks, people read and stay signed in', async () => {
      const { cookie, ...tokens } = await signedIn()
      let { refresh_token } = tokens
      const ended = new AbortController()
      const statuses = new Map<number, number>()
      const flood = Array.from({ length: 120 }, async (_, nr) => {
        while (!ended.signal.aborted) {
          // What is measured is the database, and clients and server share one process.
          await sleep(100)
          const { status } = await renewal(`198.51.${nr % 12}.1`, 'no token')
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
      })
      const waits: number[] = []
      const useIt = async (): Promise<void> => {
        const begun = performance.now()
        await engine.api.once({ role: 'nutzer', readOnly: true, person: 'iss reader' }, { text: 'select 1' })
        waits.push(performance.now() - begun)
        const answer = await renewal('198.51.0.1', refresh_token, cookie)
        expect(answer.status).toBe(200)
        refresh_token = ((await answer.json()) as Tokens).refresh_token
      }
      try {
        for (let nr = 0; nr < 5; nr++) await useIt()
      } finally {
        ended.abort()
        await Promise.all(flood)
      }
      expect(Math.max(...waits)).toBeLessThan(engineName === 'postgres' ? 1_000 : 3_000)
      expect(statuses.get(400)).toBeGreaterThan(20)
      expect([...statuses.keys()].every((status) => [400, 429, 503].includes(status))).toBe(true)
      expect(asked.filter(({ person }) => person?.startsWith(STRANGERS)).length).toBeGreaterThan(100)
    }, 60_000)
  })
