import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isMissing } from '../../db/test/engines.ts'
import { oneServer } from '../../db/test/identity-server.ts'
import {
  type Answer,
  alertOf,
  Browser,
  Client,
  claimsOf,
  codeOf,
  headingOf,
  listen,
  PASSWORD,
  startServer,
  type TestServer,
  type Tokens,
} from './identity.fixture.ts'

const WRONG = /E-Mail-Adresse oder Passwort stimmen nicht/

describe.skipIf(isMissing('postgres'))('sign-in pages', () => {
  const server = oneServer()
  let strict: TestServer
  beforeAll(async () => {
    strict = await listen(
      await startServer(server.database, { secondFactor: 'provider', loginRatePerMin: 1_000 }),
    )
  })
  afterAll(() => strict?.close())

  const open = async (at: TestServer = server) => {
    const browser = at.browser()
    const client = at.client()
    return { browser, client, form: await browser.get(client.startAddress()) }
  }
  const tryPassword = async (email: string, password: string, at: TestServer = server): Promise<Answer> => {
    const { browser, form } = await open(at)
    return browser.post(form.url, { schritt: 'anmelden', email, passwort: password })
  }

  describe('the page', () => {
    test('carries the strict policy, is never stored and knows no script', async () => {
      const { form } = await open()
      expect(headingOf(form)).toBe('Anmelden')
      expect(form.headers.get('cache-control')).toBe('no-store')
      expect(form.headers.get('content-security-policy')).toBe(
        `default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; script-src 'self'; ` +
          `form-action 'self' ${server.origin}; base-uri 'none'; frame-ancestors 'none'`,
      )
      expect(form.headers.get('x-frame-options')).toBe('DENY')
      expect(form.text).not.toMatch(/<script|<style|style=|onclick/)
    })
    test('names the address it was asked for, and nothing in it comes alive', async () => {
      const browser = server.browser()
      const form = await browser.get(
        server.client().startAddress({ login_hint: '"><img src=x onerror=alert(1)>' }),
      )
      expect(form.text).toContain('value="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"')
      const answer = await browser.post(form.url, {
        schritt: 'anmelden',
        email: '<b>x</b>@a.example',
        passwort: 'x',
      })
      expect(answer.text).not.toContain('<b>x</b>')
    })
    test('its cookies are out of reach for scripts and other sites, and safe where the address is', async () => {
      const lines = (
        await fetch(server.client().startAddress(), { redirect: 'manual' })
      ).headers.getSetCookie()
      expect(lines.length).toBeGreaterThanOrEqual(4)
      for (const line of lines) expect(line).toMatch(/samesite=lax.*httponly|httponly.*samesite=lax/i)
      const secure = await startServer(server.database, { publicOrigin: 'https://forst.example' })
      const answer = await secure.server.inject({
        url: new Client('https://forst.example').startAddress().replace('https://forst.example', ''),
      })
      const secureLines = [answer.headers['set-cookie']].flat().map(String)
      for (const line of secureLines) expect(line).toMatch(/^__Secure-.*;\s*secure/i)
      await secure.close()
    })
    test('one sign-in cannot be continued with the cookie of another', async () => {
      const [one, two] = [await open(), await open()]
      const answer = await fetch(two.form.url, { headers: { cookie: one.browser.header(one.form.url) } })
      expect(answer.status).toBe(400)
      expect(
        (await fetch(one.form.url, { headers: { cookie: one.browser.header(one.form.url) } })).status,
      ).toBe(200)
      const forged = one.browser
        .header(one.form.url)
        .replace(/fk_vorgang=[^;]+/, `fk_vorgang=${two.form.url.split('/').at(-1)}`)
      expect((await fetch(two.form.url, { headers: { cookie: forged } })).status).toBe(400)
    })
    test('assets are served, and nothing beside them', async () => {
      for (const name of ['anmelden.css', 'wald.svg', 'zeichen.svg', 'abmelden.js'])
        expect((await fetch(`${server.origin}/anmelden/${name}`)).status, name).toBe(200)
      for (const name of ['pages.ts', '..%2fpages.ts', 'assets/anmelden.css', '%2e%2e/secrets.ts'])
        expect((await fetch(`${server.origin}/anmelden/${name}`)).status, name).toBe(404)
    })
  })

  describe('a wrong password', () => {
    test('gets one neutral message, whoever it is', async () => {
      const { email } = await server.people.withAccount()
      const { email: invited } = await server.people.add()
      await server.idp.accounts.inviteUser(invited)
      for (const [address, password] of [
        [email, 'falsch falsch falsch'],
        [`niemand-${email}`, PASSWORD],
        [invited, PASSWORD],
        [email, ''],
        [email, 'x'.repeat(5_000)],
        ['', ''],
      ] as const)
        expect(alertOf(await tryPassword(address, password)), address).toMatch(WRONG)
    })
    test('is said to screen readers first, and the address stays', async () => {
      const answer = await tryPassword('niemand@forst.example', 'falsch falsch falsch')
      expect(answer.text).toContain('<title>Fehler: Anmelden – Forstkontor</title>')
      expect(answer.text).toContain('value="niemand@forst.example"')
      expect(answer.text).toContain('aria-describedby="meldung"')
      expect(answer.text).not.toContain('falsch falsch falsch')
    })
    test('works as long for unknown people', async () => {
      const { email } = await server.people.withAccount()
      const { browser, form } = await open()
      // CPU time of this process: unlike elapsed time, it is not changed by other work on the machine.
      const timed = async (address: string) => {
        const start = process.cpuUsage()
        await browser.post(form.url, {
          schritt: 'anmelden',
          email: address,
          passwort: 'falsch falsch falsch',
        })
        const { user, system } = process.cpuUsage(start)
        await server.owner.query('delete from idp.sperre')
        return user + system
      }
      // Alternating, and the minimum of each: other work in this process only adds time.
      let [unknown, known] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
      for (let nr = 0; nr < 8; nr++) {
        unknown = Math.min(unknown, await timed(`niemand${nr}@forst.example`))
        known = Math.min(known, await timed(email))
      }
      expect(unknown / known).toBeGreaterThan(0.6)
      expect(unknown / known).toBeLessThan(1.7)
    })
    test('the address is found in any case, the password is not', async () => {
      const { email } = await server.people.withAccount()
      expect(codeOf(await tryPassword(email.toUpperCase(), PASSWORD))).not.toBe('')
      expect(alertOf(await tryPassword(email, PASSWORD.toUpperCase()))).toMatch(WRONG)
      expect(codeOf(await tryPassword(` ${email} `, PASSWORD.normalize('NFD')))).not.toBe('')
    })
  })

  describe('locking', () => {
    const fails = async (email: string, times: number) => {
      let last = ''
      for (let nr = 0; nr < times; nr++) last = alertOf(await tryPassword(email, 'falsch falsch falsch'))
      return last
    }
    const timePasses = (seconds: number) =>
      server.owner.query(
        "update idp.sperre set gesperrt_bis = gesperrt_bis - $1 * interval '1 second', " +
          "letzter = letzter - $1 * interval '1 second'",
        [String(seconds)],
      )

    test('five failures lock for a minute, then twice as long each time, up to a quarter of an hour', async () => {
      const { email } = await server.people.withAccount()
      expect(await fails(email, 4)).toMatch(WRONG)
      expect(await fails(email, 1)).toMatch(/in 60 Sekunden/)
      expect(alertOf(await tryPassword(email, PASSWORD))).toMatch(/Zu viele Fehlversuche/)
      for (const expected of [
        /in 2 Minuten/,
        /in 4 Minuten/,
        /in 8 Minuten/,
        /in 15 Minuten/,
        /in 15 Minuten/,
      ]) {
        await timePasses(901)
        expect(await fails(email, 1)).toMatch(expected)
      }
      expect(
        server.mails.filter(({ to, subject }) => to === email && subject.startsWith('Mehrere Fehlversuche')),
      ).toHaveLength(1)
      await timePasses(901)
      expect(codeOf(await tryPassword(email, PASSWORD))).not.toBe('')
      expect(await fails(email, 1)).toMatch(WRONG)
    })
    test('looks the same for an address without an account', async () => {
      const messages = [
        await fails('gibt-es-nicht@forst.example', 4),
        await fails('gibt-es-nicht@forst.example', 1),
        await fails('gibt-es-nicht@forst.example', 1),
      ]
      expect(messages).toEqual([
        expect.stringMatching(WRONG),
        expect.stringMatching(/in 60 Sekunden/),
        expect.stringMatching(/Zu viele Fehlversuche/),
      ])
      expect(server.mails.filter(({ to }) => to === 'gibt-es-nicht@forst.example')).toEqual([])
    })
    test('is counted for all servers together, and parallel tries do not slip through', async () => {
      const { email } = await server.people.withAccount()
      await Promise.all(
        Array.from({ length: 10 }, (_, nr) =>
          tryPassword(email, 'falsch falsch falsch', nr % 2 === 0 ? server : strict),
        ),
      )
      expect(alertOf(await tryPassword(email, PASSWORD))).toMatch(/Zu viele Fehlversuche/)
    })
    test('of many tries at once no more are compared than one after another', async () => {
      const { email } = await server.people.withAccount()
      // Two provers at two servers, each below the places that one person has.
      const forms = await Promise.all(
        Array.from({ length: 12 }, (_, nr) => open(nr % 2 === 0 ? server : strict)),
      )
      await Promise.all(
        forms.map(({ browser, form }) =>
          browser.post(form.url, { schritt: 'anmelden', email, passwort: 'falsch falsch falsch' }),
        ),
      )
      const compared = (await server.people.events(email)).filter((art) => art === 'anmeldung_fehlgeschlagen')
      expect(compared.length).toBeLessThanOrEqual(5)
    })
    describe('in a browser that signed in before', () => {
      const tryIn = async (browser: Browser, email: string, password: string) => {
        const form = await browser.get(server.client().startAddress({ prompt: 'login' }))
        return browser.post(form.url, { schritt: 'anmelden', email, passwort: password })
      }
      const used = async (email: string) => {
        const browser = server.browser()
        expect(codeOf(await tryIn(browser, email, PASSWORD))).not.toBe('')
        return browser
      }

      test('strangers’ wrong passwords lock strangers out, not the owner', async () => {
        const { email } = await server.people.withAccount()
        const own = await used(email)
        await fails(email, 6)
        expect(alertOf(await tryPassword(email, PASSWORD))).toMatch(/Zu viele Fehlversuche/)
        expect(codeOf(await tryIn(own, email, PASSWORD))).not.toBe('')
        // The owner's success gives strangers no new attempts.
        expect(alertOf(await tryPassword(email, PASSWORD))).toMatch(/Zu viele Fehlversuche/)
      })
      test('its own failures are counted all the same, and lock nobody else', async () => {
        const { email } = await server.people.withAccount()
        const own = await used(email)
        for (let nr = 0; nr < 4; nr++)
          expect(alertOf(await tryIn(own, email, 'falsch falsch falsch'))).toMatch(WRONG)
        expect(alertOf(await tryIn(own, email, 'falsch falsch falsch'))).toMatch(/in 60 Sekunden/)
        expect(alertOf(await tryIn(own, email, PASSWORD))).toMatch(/Zu viele Fehlversuche/)
        expect(codeOf(await tryPassword(email, PASSWORD))).not.toBe('')
        await server.idp.accounts.unlock(email)
        expect(codeOf(await tryIn(own, email, PASSWORD))).not.toBe('')
      })
      test('the cookie counts for its own address, is sealed, and hidden from scripts and other pages', async () => {
        const [one, two] = [await server.people.withAccount(), await server.people.withAccount()]
        const own = await used(one.email)
        const cookie = own.value('fk_geraet')
        expect(cookie).toMatch(/^\d+\.[\w-]{22}\.[\w-]{43}$/)
        expect(own.header('/anmelden/vorgang/x')).toContain('fk_geraet=')
        expect(own.header('/rest/kunde')).not.toContain('fk_geraet=')
        await fails(two.email, 5)
        expect(alertOf(await tryIn(own, two.email, PASSWORD))).toMatch(/Zu viele Fehlversuche/)
        await fails(one.email, 5)
        for (const forged of [
          cookie.replace(/^\d+/, '99999'),
          `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`,
          'x',
          '~~~',
        ]) {
          const { browser, form } = await open()
          browser.put('fk_geraet', forged, '/anmelden')
          const answer = await browser.post(form.url, {
            schritt: 'anmelden',
            email: one.email,
            passwort: PASSWORD,
          })
          expect(alertOf(answer), forged).toMatch(/Zu viele Fehlversuche/)
        }
      })
      test('people who share a browser are known side by side', async () => {
        const [one, two] = [await server.people.withAccount(), await server.people.withAccount()]
        // Each time after the browser was closed: the session is gone, this cookie stays.
        let kept = ''
        const reopened = () => {
          const browser = server.browser()
          browser.put('fk_geraet', kept, '/anmelden')
          return browser
        }
        for (const { email } of [one, two]) {
          const browser = reopened()
          expect(codeOf(await tryIn(browser, email, PASSWORD))).not.toBe('')
          kept = browser.value('fk_geraet')
        }
        for (const { email } of [one, two]) {
          await fails(email, 5)
          expect(codeOf(await tryIn(reopened(), email, PASSWORD)), email).not.toBe('')
        }
      })
    })
    test('failures of long ago do not count, and an admin can unlock', async () => {
      const { email } = await server.people.withAccount()
      await fails(email, 4)
      await timePasses(13 * 3600)
      expect(await fails(email, 4)).toMatch(WRONG)
      await fails(email, 1)
      await server.idp.accounts.unlock(email, 'chef@forst.example')
      expect(codeOf(await tryPassword(email, PASSWORD))).not.toBe('')
      expect(await server.people.events(email)).toEqual(
        expect.arrayContaining(['konto_gesperrt', 'konto_entsperrt', 'angemeldet']),
      )
    })
  })

  describe('too many tries from one address', () => {
    test('get a German page with the time to wait; others go on', async () => {
      const slow = await startServer(server.database, { publicOrigin: server.origin, loginRatePerMin: 3 })
      const post = (remoteAddress: string, forwarded?: string) =>
        slow.server.inject({
          method: 'POST',
          url: '/anmelden/vergessen',
          remoteAddress,
          headers: {
            origin: server.origin,
            'content-type': 'application/x-www-form-urlencoded',
            ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
          },
          payload: 'email=niemand%40forst.example',
        })
      // The minute may change during the test; then the count starts again.
      const answers: number[] = []
      for (let nr = 0; nr < 8; nr++) answers.push((await post('203.0.113.7')).statusCode)
      expect(answers.slice(0, 3)).toEqual([200, 200, 200])
      const throttled = await post('203.0.113.7')
      expect(throttled.statusCode).toBe(429)
      expect(Number(throttled.headers['retry-after'])).toBeGreaterThan(0)
      expect(throttled.body).toContain('Zu viele Versuche')
      expect((await post('203.0.113.8')).statusCode).toBe(200)
      // A foreign address in a header counts only if a trusted proxy wrote it.
      expect((await post('203.0.113.7', '198.51.100.1')).statusCode).toBe(429)
      expect((await post('127.0.0.1', '198.51.100.2')).statusCode).toBe(200)
      const { rows } = await server.owner.query<{ all: string }>(
        "select string_agg(schluessel, ' ') as all from idp.drossel",
      )
      expect(rows[0]?.all).not.toContain('203.0.113.7')
      await slow.close()
    })
    test('addresses of one IPv6 network count together', async () => {
      const slow = await startServer(server.database, { publicOrigin: server.origin, loginRatePerMin: 2 })
      const statuses: number[] = []
      for (let nr = 1; nr <= 6; nr++) {
        const answer = await slow.server.inject({
          method: 'POST',
          url: '/anmelden/vergessen',
          remoteAddress: `2001:db8:1:2::${nr}`,
          headers: { origin: server.origin, 'content-type': 'application/x-www-form-urlencoded' },
          payload: 'email=x',
        })
        statuses.push(answer.statusCode)
      }
      expect(statuses).toContain(429)
      await slow.close()
    })
  })

  describe('forms from elsewhere', () => {
    const CASES: readonly (readonly [string, Record<string, string>, number])[] = [
      ['another origin', { origin: 'https://evil.example' }, 403],
      ['a hidden origin', { origin: 'null' }, 403],
      ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
      ['a neighbouring site', { 'sec-fetch-site': 'same-site' }, 403],
      ['our own page', { 'sec-fetch-site': 'same-origin' }, 200],
    ]
    test.each(CASES)('%s', async (_name, headers, status) => {
      const { email } = await server.people.withAccount()
      const { browser, form } = await open()
      const answer = await browser.post(
        form.url,
        { schritt: 'anmelden', email, passwort: 'falsch falsch falsch' },
        headers,
      )
      expect(answer.status).toBe(status)
      expect(await server.people.events(email)).toEqual(
        status === 200
          ? expect.arrayContaining(['anmeldung_fehlgeschlagen'])
          : expect.not.arrayContaining(['anmeldung_fehlgeschlagen']),
      )
    })
    test('no header at all', async () => {
      const answer = await server.server.inject({
        method: 'POST',
        url: '/anmelden/vergessen',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'email=x',
      })
      expect(answer.statusCode).toBe(403)
    })
    test.each([
      ['JSON', 'application/json', '{"email":"a@b.example"}', 415],
      ['too much', 'application/x-www-form-urlencoded', `email=${'x'.repeat(20_000)}`, 413],
    ])('%s is refused', async (_name, type, payload, status) => {
      const answer = await server.server.inject({
        method: 'POST',
        url: '/anmelden/vergessen',
        headers: { origin: server.origin, 'content-type': type },
        payload,
      })
      expect(answer.statusCode).toBe(status)
      expect(answer.body).toContain('<h1>')
    })
  })

  test('a weaker hash from earlier is made anew at the sign-in', async () => {
    const { email } = await server.people.withAccount()
    const { hash } = await import('@node-rs/argon2')
    const weak = await hash(PASSWORD, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
    await server.owner.query('update idp.konto set pw_hash = $2 where email = $1', [email, weak])
    expect(codeOf(await tryPassword(email, PASSWORD))).not.toBe('')
    const { rows } = await server.owner.query<{ pw_hash: string }>(
      'select pw_hash from idp.konto where email = $1',
      [email],
    )
    expect(rows[0]?.pw_hash).toContain('m=19456,t=2,p=1')
    expect(codeOf(await tryPassword(email, PASSWORD))).not.toBe('')
  })

  describe('a password given by an admin', () => {
    test('must be changed before anything else, by the rules', async () => {
      const { email } = await server.people.withAccount()
      await server.idp.accounts.setPassword(email, 'Vergeben vom Büroleiter 3', { mustChange: true })
      const { browser, client, form } = await open()
      const change = await browser.post(form.url, {
        schritt: 'anmelden',
        email,
        passwort: 'Vergeben vom Büroleiter 3',
      })
      expect(headingOf(change)).toBe('Neues Passwort festlegen')
      const set = (newPassword: string, repeated = newPassword) =>
        browser.post(form.url, { schritt: 'passwort', neu: newPassword, wiederholt: repeated })
      expect(alertOf(await set('kurz'))).toMatch(/mindestens 12 Zeichen/)
      expect(alertOf(await set('Passwort2026!'))).toMatch(/zu leicht zu erraten/)
      expect(alertOf(await set('Vergeben vom Büroleiter 3'))).toMatch(/bisheriges Passwort/)
      expect(alertOf(await set('Mohnfeld Sattel 91 Uhu', 'Mohnfeld Sattel 91 Uhr'))).toMatch(/verschieden/)
      const done = await set('Mohnfeld Sattel 91 Uhu')
      expect((await client.redeem(codeOf(done))).status).toBe(200)
      expect(alertOf(await tryPassword(email, 'Vergeben vom Büroleiter 3'))).toMatch(WRONG)
      expect(codeOf(await tryPassword(email, 'Mohnfeld Sattel 91 Uhu'))).not.toBe('')
    })
  })

  describe('the second factor', () => {
    const codeFor = (secret: string, step = 0) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + step * 30_000 })
    const secretIn = (page: Answer) => /class="geheim">([^<]+)/.exec(page.text)?.[1]?.replace(/ /g, '') ?? ''
    const codesIn = (page: Answer) =>
      [...page.text.matchAll(/<li>([A-Z0-9-]{11})<\/li>/g)].map(([, code]) => code ?? '')
    const forgetStep = (email: string) =>
      server.owner.query('update idp.konto set totp_last_step = null where email = $1', [email])

    const enrol = async () => {
      const { email, userId } = await server.people.withAccount({
        system_status: 'apus_team',
        apus_team: true,
      })
      const { browser, client, form } = await open(strict)
      const page = await browser.post(form.url, { schritt: 'anmelden', email, passwort: PASSWORD })
      const secret = secretIn(page)
      const shown = await browser.post(form.url, { schritt: 'einrichten', code: codeFor(secret) })
      return { email, userId, browser, client, form, page, secret, shown, codes: codesIn(shown) }
    }
    /** Past the password, at the code step. */
    const atCode = async (email: string) => {
      const { browser, client, form } = await open(strict)
      const page = await browser.post(form.url, { schritt: 'anmelden', email, passwort: PASSWORD })
      return {
        browser,
        client,
        page,
        enter: (code: string) => browser.post(form.url, { schritt: 'code', code }),
      }
    }

    test('is set up at the first sign-in of provider staff, and the token says so', async () => {
      const { page, shown, codes, browser, form, client, email } = await enrol()
      expect(headingOf(page)).toBe('Zweiten Faktor einrichten')
      expect(page.text).toContain('src="data:image/svg+xml;base64,')
      expect(page.text).toMatch(/alt="QR-Code[^"]*Schlüssel/)
      expect(headingOf(shown)).toBe('Notfallcodes aufheben')
      expect(new Set(codes).size).toBe(10)
      const done = await browser.post(form.url, { schritt: 'codes_zeigen' })
      const tokens = (await (await client.redeem(codeOf(done))).json()) as Tokens
      expect(claimsOf(tokens.id_token)['amr']).toEqual(['pwd', 'otp', 'mfa'])
      const { rows } = await server.owner.query<{ all: string }>(
        'select k::text as all from idp.konto k where email = $1',
        [email],
      )
      expect(rows[0]?.all).not.toContain(secretIn(page))
    })
    test('of many codes at once no more are compared than one after another', async () => {
      const { email, secret } = await enrol()
      await forgetStep(email)
      const { enter } = await atCode(email)
      const right = codeFor(secret)
      const wrong = right === '000000' ? '000001' : '000000'
      await Promise.all(Array.from({ length: 20 }, () => enter(wrong)))
      const compared = (await server.people.events(email)).filter(
        (art) => art === 'zweiter_faktor_fehlgeschlagen',
      )
      expect(compared).toHaveLength(5)
      expect(alertOf(await enter(right))).toMatch(/Zu viele Fehlversuche/)
    })
    test('is not asked of customers', async () => {
      const { email } = await server.people.withAccount({ system_status: 'kundenadmin' })
      expect(codeOf(await tryPassword(email, PASSWORD, strict))).not.toBe('')
    })
    test('is not passed by a wrong code, and the set-up starts with a secret of its own each time', async () => {
      const { email } = await server.people.withAccount({ system_status: 'ogf_admin' })
      const { browser, form } = await open(strict)
      const first = await browser.post(form.url, { schritt: 'anmelden', email, passwort: PASSWORD })
      expect(alertOf(await browser.post(form.url, { schritt: 'einrichten', code: '000000' }))).toMatch(
        /stimmt nicht/,
      )
      await browser.post(form.url, { schritt: 'zurueck' })
      const second = await browser.post(form.url, { schritt: 'anmelden', email, passwort: PASSWORD })
      expect(secretIn(second)).not.toBe(secretIn(first))
    })
    test('takes a code once: a replay is refused, also of two at the same time', async () => {
      const { email, secret } = await enrol()
      const replay = await (await atCode(email)).enter(codeFor(secret))
      expect(alertOf(replay)).toMatch(/schon benutzt/)
      await forgetStep(email)
      const [one, two] = [await atCode(email), await atCode(email)]
      const answers = await Promise.all([one.enter(codeFor(secret)), two.enter(codeFor(secret))])
      expect(answers.filter((answer) => codeOf(answer) !== '')).toHaveLength(1)
    })
    test('forgives a clock that is half a minute wrong, not two', async () => {
      const { email, secret } = await enrol()
      await forgetStep(email)
      expect(alertOf(await (await atCode(email)).enter(codeFor(secret, -4)))).toMatch(/stimmt nicht/)
      expect(
        codeOf(await (await atCode(email)).enter(` ${codeFor(secret, -1).replace(/(...)/, '$1 ')} `)),
      ).not.toBe('')
    })
    test('wrong codes lock the account like wrong passwords', async () => {
      const { email, secret } = await enrol()
      await forgetStep(email)
      const { enter } = await atCode(email)
      for (let nr = 0; nr < 4; nr++) await enter('123456')
      expect(alertOf(await enter('123456'))).toMatch(/Zu viele Fehlversuche/)
      expect(alertOf(await enter(codeFor(secret)))).toMatch(/Zu viele Fehlversuche/)
    })
    test('the right password in between does not give more tries', async () => {
      const { email } = await enrol()
      for (let nr = 0; nr < 4; nr++) await (await atCode(email)).enter('123456')
      expect(alertOf(await (await atCode(email)).enter('123456'))).toMatch(/Zu viele Fehlversuche/)
    })
    test('a recovery code opens once, in any writing', async () => {
      const { email, codes } = await enrol()
      const { enter, page } = await atCode(email)
      expect(headingOf(page)).toBe('Zweiter Faktor')
      expect(codeOf(await enter((codes[3] ?? '').toLowerCase().replace('-', ' ')))).not.toBe('')
      expect(alertOf(await (await atCode(email)).enter(codes[3] ?? ''))).toMatch(/stimmt nicht/)
      expect(await server.people.events(email)).toContain('notfallcode_benutzt')
    })
    test('stays asked once it is set up, whatever the setting says, and an admin can take it away', async () => {
      const { email } = await enrol()
      expect(headingOf(await tryPassword(email, PASSWORD, server))).toBe('Zweiter Faktor')
      await strict.idp.accounts.resetSecondFactor(email, 'chef@forst.example')
      // The password is all it takes now, so the person is informed; if nothing was removed, nobody is.
      const told = () =>
        strict.mails.filter(({ to, subject }) => to === email && subject.startsWith('Zweiter Faktor'))
      await expect.poll(() => told().length).toBe(1)
      await strict.idp.accounts.resetSecondFactor(email, 'chef@forst.example')
      expect(told().length).toBe(1)
      expect(codeOf(await tryPassword(email, PASSWORD, server))).not.toBe('')
      expect(headingOf(await tryPassword(email, PASSWORD, strict))).toBe('Zweiten Faktor einrichten')
    })
    test('cannot be skipped by sending another step, or by another browser', async () => {
      const { email } = await enrol()
      const { browser, client, form } = await open(strict)
      await browser.post(form.url, { schritt: 'anmelden', email, passwort: PASSWORD })
      for (const step of ['codes_zeigen', 'passwort', 'einrichten', 'anmelden', 'done', '']) {
        const answer = await browser.post(form.url, {
          schritt: step,
          neu: 'Mohnfeld Sattel 91 Uhu',
          wiederholt: 'Mohnfeld Sattel 91 Uhu',
          email,
          passwort: PASSWORD,
        })
        expect([codeOf(answer), headingOf(answer)], step).toEqual(['', 'Zweiter Faktor'])
      }
      expect((await strict.browser().post(form.url, { schritt: 'code', code: '123456' })).status).toBe(400)
      expect(
        new URL((await browser.get(client.startAddress({ prompt: 'none' }))).url).searchParams.get('error'),
      ).toBe('login_required')
    })
    test('the half-way state ends with the account', async () => {
      const { email, userId } = await enrol()
      const { browser, form } = await open(strict)
      await browser.post(form.url, { schritt: 'anmelden', email, passwort: PASSWORD })
      await server.owner.query('update app.benutzer set enabled = false where user_id = $1', [userId])
      expect(headingOf(await browser.get(form.url))).toBe('Anmelden')
    })
  })
})
