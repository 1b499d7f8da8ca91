import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { oneServer } from '../../db/test/identity-server.ts'
import type { AccountState } from './account-service.ts'
import {
  alertOf,
  claimsOf,
  headingOf,
  listen,
  PASSWORD,
  People,
  startServer,
  type TestServer,
} from './identity.fixture.ts'
import { idpDatabase } from './idp-database.ts'
import { discardUnreadable } from './secret-check.ts'
import { createSecrets } from './secrets.ts'

const NEW = 'Mohnfeld Sattel 91 Uhu'

describe.skipIf(isMissing('postgres'))('one-time links', () => {
  const server = oneServer()

  const browser = () => server.browser()
  const setBy = (link: string, newPassword = NEW, repeated = newPassword) =>
    browser().post(link, { neu: newPassword, wiederholt: repeated })
  const expire = () => server.owner.query('update idp.einmal_link set expires_at = now()')

  const lastLink = (email: string) =>
    /https?:\S+\/anmelden\/passwort\/\S+/.exec(
      server.mails.findLast(({ to }) => to === email)?.text ?? '',
    )?.[0] ?? ''

  describe('"Passwort vergessen"', () => {
    const request = (email: string) => browser().post('/anmelden/vergessen', { email })
    const linkFor = (email: string) => vi.waitFor(() => lastLink(email) || expect.fail('no mail yet'))

    test('answers the same whether the address is known or not, and mails a link to the known one', async () => {
      const { email } = await server.people.withAccount()
      const [known, unknown] = [await request(email), await request('niemand@forst.example')]
      expect(known.text).toBe(unknown.text)
      expect(headingOf(known)).toBe('Bitte sehen Sie in Ihr Postfach')
      expect(await linkFor(email)).toMatch(/\/anmelden\/passwort\/[\w-]{43}$/)
      expect(server.mails.some(({ to }) => to === 'niemand@forst.example')).toBe(false)
    })
    test('the link sets a password once, ends every session and the lock', async () => {
      const { email } = await server.people.withAccount()
      const { access_token } = await server.signIn(email)
      await server.rolesOf(access_token)
      await request(email)
      const link = await linkFor(email)
      expect(headingOf(await browser().get(link))).toBe('Neues Passwort festlegen')
      expect(headingOf(await browser().get(link))).toBe('Neues Passwort festlegen')
      expect(headingOf(await setBy(link))).toBe('Ihr Passwort ist gespeichert')
      expect(await server.rolesOf(access_token)).toBeUndefined()
      const again = await setBy(link, 'Ganz anderes Wort 7 Möhre')
      expect([again.status, headingOf(again)]).toEqual([410, 'Dieser Link ist abgelaufen'])
      expect(again.text).toContain('href="/anmelden/vergessen"')
      const fresh = await server.signIn(email, NEW)
      expect(await server.rolesOf(fresh.access_token)).toEqual(['ogf_standard'])
      await vi.waitFor(() =>
        expect(server.mails.some((mail) => mail.to === email && mail.subject.includes('geändert'))).toBe(
          true,
        ),
      )
    })
    test('of two tries at once with the same link one counts', async () => {
      const { email } = await server.people.withAccount()
      await request(email)
      const link = await linkFor(email)
      const answers = await Promise.all([
        setBy(link),
        setBy(link, 'Ganz anderes Wort 7 Möhre'),
        setBy(link, 'Drittes Tal voller Kiesel 4'),
      ])
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410, 410])
    })
    test('a bad password leaves the link good and says what is wrong', async () => {
      const { email } = await server.people.withAccount()
      await request(email)
      const link = await linkFor(email)
      expect(alertOf(await setBy(link, 'kurz'))).toMatch(/mindestens 12 Zeichen/)
      expect(alertOf(await setBy(link, 'Forstkontor Eiche 2026'))).toMatch(/zu leicht zu erraten/)
      expect(alertOf(await setBy(link, NEW, `${NEW}!`))).toMatch(/verschieden/)
      expect((await setBy(link)).status).toBe(200)
    })
    test('a new link voids the earlier one; after 60 minutes none works', async () => {
      const { email } = await server.people.withAccount()
      await request(email)
      const first = await linkFor(email)
      await request(email)
      const second = await vi.waitFor(async () => {
        const link = await linkFor(email)
        expect(link).not.toBe(first)
        return link
      })
      expect((await browser().get(first)).status).toBe(410)
      const { rows } = await server.owner.query<{ rest: number }>(
        'select extract(epoch from expires_at - now())::integer as rest from idp.einmal_link where art ' +
          "= 'passwort' and used_at is null order by created_at desc limit 1",
      )
      expect(rows[0]?.rest).toBeGreaterThan(3_500)
      expect(rows[0]?.rest).toBeLessThanOrEqual(3_600)
      await expire()
      expect((await browser().get(second)).status).toBe(410)
      expect((await setBy(second)).status).toBe(410)
    })
    test('sends three mails an hour to one person at most', async () => {
      const { email } = await server.people.withAccount()
      for (let nr = 0; nr < 6; nr++) await request(email)
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(server.mails.filter(({ to }) => to === email).length).toBeLessThanOrEqual(3)
    })
    test('says who helps where no mail can be sent', async () => {
      const silent = await startServer(server.database, {
        publicOrigin: server.origin,
        sendMail: undefined as never,
      })
      const answer = await silent.server.inject({
        method: 'POST',
        url: '/anmelden/vergessen',
        headers: { origin: server.origin, 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'email=a%40b.example',
      })
      expect(answer.body).toContain('Bitte wenden Sie sich an Ihre Verwaltung')
      await silent.close()
    })
    test.each(['kein-at', 'a@b', 'a b@c.de', 'x@y.de\r\nBcc: z@y.de', '', `${'x'.repeat(260)}@y.de`])(
      '%j is no address',
      async (email) => {
        const answer = await request(email)
        expect([answer.status, alertOf(answer)]).toEqual([
          400,
          expect.stringContaining('vollständige E-Mail-Adresse'),
        ])
      },
    )
  })

  describe('an invented link', () => {
    test.each(['x', 'A'.repeat(43), "' or 1=1 --", '%00', '..%2f..', 'é'])('%j', async (token) => {
      for (const path of ['passwort', 'einrichten']) {
        const answer = await browser().get(`/anmelden/${path}/${encodeURIComponent(token)}`)
        expect([404, 410, 400]).toContain(answer.status)
        expect(answer.text).toContain('<h1>')
      }
    })
    test('links of one kind do not work as the other', async () => {
      const { link } = await server.idp.accounts.createSetupLink()
      expect((await browser().get(link.replace('einrichten', 'passwort'))).status).toBe(410)
      const { email } = await server.people.add()
      const invitation = await server.idp.accounts.inviteUser(email)
      expect((await browser().get(invitation.link.replace('passwort', 'einrichten'))).status).toBe(410)
    })
  })

  describe('inviting', () => {
    const adminToken = async (columns: Record<string, unknown> = { system_status: 'ogf_admin' }) => {
      const { email } = await server.people.withAccount(columns)
      return { email, token: (await server.signIn(email)).access_token }
    }
    const ask = async (path: string, token: string | null, body: unknown) => {
      const answer = await fetch(`${server.origin}/prod-api/${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
      })
      return {
        status: answer.status,
        cache: answer.headers.get('cache-control'),
        body: (await answer.json()) as {
          code: number
          message: string
          data: { link: string | null; expires: string; mailed: boolean }
        },
      }
    }

    test('mails a link for seven days that no admin sees; the person sets a password and signs in', async () => {
      const admin = await adminToken()
      const { email, userId } = await server.people.add()
      const { status, cache, body } = await ask('einladung', admin.token, { user_id: userId })
      expect([status, cache, body.code, body.data.mailed]).toEqual([200, 'no-store', 20000, true])
      expect((Date.parse(body.data.expires) - Date.now()) / 86_400_000).toBeCloseTo(7, 2)
      // It is for the person's mailbox alone.
      expect(body.data.link).toBeNull()
      const link = lastLink(email)
      expect(headingOf(await browser().get(link))).toBe('Willkommen')
      expect((await setBy(link)).status).toBe(200)
      const { access_token } = await server.signIn(email, NEW)
      expect(await server.rolesOf(access_token)).toEqual(['ogf_standard'])
      expect(await server.people.events(email)).toEqual(
        expect.arrayContaining(['eingeladen', 'einladung_angenommen', 'angemeldet']),
      )
      const { rows } = await server.owner.query<{ wer: string }>(
        "select wer from idp.ereignis where art = 'eingeladen' and email = $1",
        [email],
      )
      expect(rows[0]?.wer).toBe(admin.email)
    })
    test('nobody is shown a link to an account in use: its person gets a mail, or the operator makes one', async () => {
      const admin = await adminToken()
      const silent = await startServer(server.database, { publicOrigin: server.origin, sendMail: undefined })
      const askSilent = async (user_id: number) => {
        const { statusCode, body } = await silent.server.inject({
          method: 'POST',
          url: '/prod-api/einladung',
          headers: { authorization: `Bearer ${admin.token}` },
          payload: { user_id },
        })
        return { statusCode, body }
      }
      const used = await server.people.withAccount()
      const { body } = await ask('einladung', admin.token, { user_id: used.userId })
      expect(body.data).toMatchObject({ link: null, mailed: true })
      expect((await setBy(lastLink(used.email))).status).toBe(200)

      const without = await askSilent(used.userId)
      expect(without.statusCode).toBe(409)
      expect(without.body).toContain('npm run password-link')
      expect(without.body).not.toContain('/anmelden/')
      expect((await askSilent((await server.people.add()).userId)).body).toContain('/anmelden/passwort/')

      const made = await silent.idp.accounts.createPasswordLink(` ${used.email} `)
      expect((await setBy(made!.link, 'Ganz anderes Wort 7 Möhre')).status).toBe(200)
      expect((await server.signIn(used.email, 'Ganz anderes Wort 7 Möhre')).expires_in).toBe(300)
      expect(await silent.idp.accounts.createPasswordLink('niemand@forst.example')).toBeNull()
      await silent.close()
    })
    test('again voids the first link, whose page says what to do', async () => {
      const { email } = await server.people.add()
      const first = await server.idp.accounts.inviteUser(email)
      await server.idp.accounts.inviteUser(email)
      await browser().get(first.link)
      expect((await browser().get(first.link)).status).toBe(410)
      const { link } = await server.idp.accounts.inviteUser(email)
      await setBy(link)
      const used = await browser().get(link)
      expect(used.text).toContain('bitten Sie die Person, die Sie eingeladen hat')
    })
    test('is decided by the database: a customer’s admin invites own people, nobody else’s, no staff', async () => {
      const { rows } = await server.owner.query<{ client_id: number }>(
        "insert into app.kunde (name, strasse, plz, ort) values ('Gut Eiche', 'Weg 1', '17033', " +
          "'Neubrandenburg'), ('Gut Buche', 'Weg 2', '17033', 'Neubrandenburg') returning client_id",
      )
      const [own, foreign] = rows.map(({ client_id }) => client_id)
      const boss = await server.people.withAccount({ system_status: 'kundenadmin' })
      const [mine, other, staff] = [
        await server.people.add(),
        await server.people.add(),
        await server.people.add({ system_status: 'ogf_team' }),
      ]
      for (const [client, user, role] of [
        [own, boss.userId, 'kundenadmin'],
        [own, mine.userId, 'nutzer'],
        [foreign, other.userId, 'nutzer'],
        [own, staff.userId, 'nutzer'],
      ])
        await server.owner.query(
          'insert into app.benutzer_kunde (client_id, user_id, rolle) values ($1, $2, $3)',
          [client, user, role],
        )
      const { access_token } = await server.signIn(boss.email)
      const codes = []
      for (const { userId } of [mine, other, staff, { userId: 999_999_999 }])
        codes.push((await ask('einladung', access_token, { user_id: userId })).body.code)
      expect(codes).toEqual([20000, 40300, 40300, 40300])
    })
    describe('by a customer’s admin', () => {
      /** A customer's admin, and a person of that customer without an account. */
      const customer = async () => {
        const { rows } = await server.owner.query<{ client_id: number }>(
          "insert into app.kunde (name, strasse, plz, ort) values ('Gut Ahorn', 'Weg 3', '17033', " +
            "'Neubrandenburg') returning client_id",
        )
        const [boss, person] = [
          await server.people.withAccount({ system_status: 'kundenadmin' }),
          await server.people.add(),
        ]
        for (const [user, role] of [
          [boss.userId, 'kundenadmin'],
          [person.userId, 'nutzer'],
        ])
          await server.owner.query(
            'insert into app.benutzer_kunde (client_id, user_id, rolle) values ($1, $2, $3)',
            [rows[0]?.client_id, user, role],
          )
        return { token: (await server.signIn(boss.email)).access_token, ...person }
      }
      const verified = async (email: string) =>
        (
          await server.owner.query<{ ok: boolean }>(
            'select email_bestaetigt as ok from idp.konto where email = $1',
            [email],
          )
        ).rows[0]?.ok
      test('the link goes to the mailbox alone: who only knows an address cannot pass for its owner', async () => {
        const { token, email, userId } = await customer()
        const { status, body } = await ask('einladung', token, { user_id: userId })
        expect([status, body.data]).toEqual([
          200,
          { link: null, expires: body.data.expires, mailed: true, wartet: false },
        ])
        expect(JSON.stringify(body)).not.toContain('/anmelden/')
        expect(await verified(email)).toBe(false)
        expect(headingOf(await setBy(lastLink(email)))).toBe('Ihr Passwort ist gespeichert')
        expect(await verified(email)).toBe(true)
        const { access_token } = await server.signIn(email, NEW)
        expect(claimsOf(access_token)).toMatchObject({ email, email_verified: true })
        expect(await server.rolesOf(access_token)).toEqual(['ogf_standard', 'appuser'])
      })
      test('without mail there is none; what the mail server does not take waits, unseen by the admin', async () => {
        const { token, email, userId } = await customer()
        const sent: string[] = []
        const failing = await startServer(server.database, {
          publicOrigin: server.origin,
          sendMail: async ({ text }) => sent.push(text) < 0,
        })
        const silent = await startServer(server.database, {
          publicOrigin: server.origin,
          sendMail: undefined,
        })
        const answers = []
        for (const other of [silent, failing])
          answers.push(
            await other.server.inject({
              method: 'POST',
              url: '/prod-api/einladung',
              headers: { authorization: `Bearer ${token}` },
              payload: { user_id: userId },
            }),
          )
        expect(answers.map(({ statusCode }) => statusCode)).toEqual([409, 200])
        expect(answers[0]?.json<{ message: string }>().message).toMatch(/keine E-Mails versendet/)
        expect(answers[1]?.json<{ data: object }>().data).toMatchObject({
          link: null,
          mailed: false,
          wartet: true,
        })
        expect(answers.map(({ body }) => body).join('')).not.toContain('/anmelden/')
        expect(sent).toHaveLength(1)
        expect(
          (
            await server.owner.query("select 1 from idp.post where empfaenger = $1 and zustand = 'wartet'", [
              email,
            ])
          ).rowCount,
        ).toBe(1)
        expect(await verified(email)).toBe(false)
        await silent.close()
        await failing.close()
      })
      test('an address that nobody confirmed neither signs in nor binds to the person’s row', async () => {
        const { email, userId } = await customer()
        await server.idp.accounts.setPassword(email, PASSWORD)
        await server.owner.query('update idp.konto set email_bestaetigt = false where email = $1', [email])
        await expect(server.signIn(email)).rejects.toThrow(/noch nicht bestätigt/)
        // Refused even with a token, because the database checks the same.
        await server.owner.query('update idp.konto set email_bestaetigt = true where email = $1', [email])
        const browserOfNobody = server.browser()
        const client = server.client()
        const form = await browserOfNobody.get(client.startAddress())
        const code = new URL(
          (await browserOfNobody.post(form.url, { schritt: 'anmelden', email, passwort: PASSWORD })).url,
        ).searchParams
        await server.owner.query('update idp.konto set email_bestaetigt = false where email = $1', [email])
        const tokens = (await (await client.redeem(code.get('code') ?? '')).json()) as {
          access_token: string
        }
        expect(claimsOf(tokens.access_token)).toMatchObject({ email_verified: false })
        expect(await server.rolesOf(tokens.access_token)).toEqual([])
        expect(
          (await server.owner.query('select 1 from accounts.identitaet where user_id = $1', [userId]))
            .rowCount,
        ).toBe(0)
      })
    })
    test('needs a valid token', async () => {
      const { userId } = await server.people.add()
      expect(await ask('einladung', null, { user_id: userId })).toMatchObject({
        status: 401,
        body: { code: 50008 },
      })
      expect(await ask('einladung', 'a.b.c', { user_id: userId })).toMatchObject({
        status: 401,
        body: { code: 50008 },
      })
      const admin = await adminToken()
      await ask('einladung', admin.token, { user_id: userId })
      await server.owner.query('update app.benutzer set enabled = false where email = $1', [admin.email])
      expect(await ask('einladung', admin.token, { user_id: userId })).toMatchObject({
        status: 401,
        body: { code: 50012 },
      })
    })
    test.each([
      [{}],
      [null],
      [[]],
      [{ user_id: 'x' }],
      [{ user_id: -1 }],
      [{ user_id: 1.5 }],
      [{ user_id: { a: 1 } }],
      [{ user_id: 1, wer: 'x' }],
      [{ user_id: '1; drop table idp.konto' }],
      [{ user_id: '9'.repeat(30) }],
    ])('%j is not understood', async (body) => {
      const { token } = await adminToken()
      expect(await ask('einladung', token, body)).toMatchObject({ status: 400, body: { code: 40000 } })
    })
    test('ending sessions, unlocking and removing the second factor go the same way', async () => {
      const { token } = await adminToken()
      const person = await server.people.withAccount()
      const session = await server.signIn(person.email)
      await server.rolesOf(session.access_token)
      expect((await ask('sitzungen-beenden', token, { user_id: person.userId })).body.code).toBe(20000)
      expect(await server.rolesOf(session.access_token)).toBeUndefined()
      expect((await ask('entsperren', token, { user_id: String(person.userId) })).body.code).toBe(20000)
      expect((await ask('zweiter-faktor-entfernen', token, { user_id: person.userId })).body.code).toBe(20000)
      expect(await server.people.events(person.email)).toEqual(
        expect.arrayContaining(['sitzungen_beendet', 'konto_entsperrt', 'zweiter_faktor_entfernt']),
      )
      const { body } = (await ask('konto', token, { user_id: person.userId })) as unknown as {
        body: { data: AccountState }
      }
      expect(body.data).toMatchObject({
        passwort: true,
        zweiter_faktor: false,
        gesperrt_s: 0,
        einladung_bis: null,
      })
      expect(body.data.letzte_anmeldung).toMatch(/^20\d\d-/)
      expect(body.data.ereignisse.map(({ art }) => art)).toContain('sitzungen_beendet')
      const fresh = await server.signIn(person.email)
      for (const path of ['konto', 'entsperren', 'sitzungen-beenden', 'zweiter-faktor-entfernen'])
        expect((await ask(path, fresh.access_token, { user_id: person.userId })).status, path).toBe(403)
    })
  })
})

describe.skipIf(isMissing('postgres'))('first set-up', () => {
  let engine: Engine
  let server: TestServer
  beforeAll(async () => {
    engine = await openEngine('postgres')
    server = await listen(await startServer(engine.api))
  })
  afterAll(async () => {
    await server?.close()
    await engine?.close()
  })
  const FORM = { vorname: 'Änne', nachname: 'Öl', email: 'Chefin@Forst.example', neu: NEW, wiederholt: NEW }
  const post = (link: string, changes: Record<string, string> = {}) =>
    server.browser().post(link, { ...FORM, ...changes })

  test('the link makes the first admin, once; then there is nothing to set up any more', async () => {
    expect(await server.idp.accounts.hasAccounts()).toBe(false)
    const old = await server.idp.accounts.createSetupLink()
    const { link, expires } = await server.idp.accounts.createSetupLink()
    expect((expires.getTime() - Date.now()) / 60_000).toBeCloseTo(60, 0)
    expect((await server.browser().get(old.link)).status).toBe(410)
    expect(headingOf(await server.browser().get(link))).toBe('Forstkontor einrichten')
    expect(alertOf(await post(link, { neu: 'kurz', wiederholt: 'kurz' }))).toMatch(/mindestens 12 Zeichen/)
    expect(alertOf(await post(link, { email: 'chefin' }))).toMatch(/E-Mail-Adresse/)
    expect(alertOf(await post(link, { vorname: ' ' }))).toMatch(/Vornamen/)
    expect(alertOf(await post(link, { nachname: 'x'.repeat(300) }))).toMatch(/höchstens 100 Zeichen/)
    const answers = await Promise.all([post(link), post(link, { email: 'dieb@evil.example' })])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410])
    expect(await server.idp.accounts.hasAccounts()).toBe(true)
    const { rows } = await engine.owner.query<{ email: string }>('select email from app.benutzer')
    expect(rows).toHaveLength(1)
    const { access_token } = await server.signIn(rows[0]?.email ?? '', NEW)
    expect(await server.rolesOf(access_token)).toEqual(expect.arrayContaining(['ogf_admin', 'apus_admin']))
    expect((await post(link)).text).toContain('starten Sie den Server neu')
  })
  test('a later link cannot make a second admin, but gives an existing one an account', async () => {
    await engine.owner.query(
      "insert into app.benutzer (email, username, system_status) values ('zweite@forst.example', " +
        "'zweite', 'apus_admin')",
    )
    const { link } = await server.idp.accounts.createSetupLink()
    expect(alertOf(await post(link, { email: 'fremd@evil.example' }))).toMatch(
      /Es gibt schon eine Verwaltung/,
    )
    expect((await post(link, { email: 'zweite@forst.example' })).status).toBe(200)
    expect((await server.signIn('zweite@forst.example', NEW)).expires_in).toBe(300)
  })
  test('a link that is bound to an address works for it alone', async () => {
    await engine.owner.query(
      "insert into app.benutzer (email, username, system_status) values ('dritte@forst.example', " +
        "'dritte', 'ogf_admin')",
    )
    const { link } = await server.idp.accounts.createSetupLink('dritte@forst.example')
    expect((await server.browser().get(link)).text).toMatch(/value="dritte@forst.example" readonly/)
    expect((await post(link, { email: 'raeuber@evil.example' })).status).toBe(200)
    const { rows } = await engine.owner.query("select 1 from idp.konto where email = 'raeuber@evil.example'")
    expect(rows).toEqual([])
    expect((await server.signIn('dritte@forst.example', NEW)).expires_in).toBe(300)
  })
  test('a restored database takes a new secret by the operator’s word: passwords stay, sessions go', async () => {
    const people = new People(engine.owner, server)
    const { email } = await people.withAccount()
    const { refresh_token } = await server.signIn(email)
    await engine.owner.query(
      "update idp.konto set totp_secret = 'x', totp_confirmed_at = now() where email = $1",
      [email],
    )
    await server.close()
    const secrets = ['ein neues Geheimnis, denn das alte ist verloren']
    await expect(startServer(engine.api, { publicOrigin: server.origin, secrets })).rejects.toMatchObject({
      name: 'OperatorFault',
    })
    expect(await discardUnreadable(idpDatabase(engine.api), createSecrets(secrets))).toBe(1)
    server = await listen(await startServer(engine.api, { publicOrigin: server.origin, secrets }))
    expect((await server.client().refresh(refresh_token)).status).toBe(400)
    const { access_token } = await server.signIn(email)
    expect(await server.rolesOf(access_token)).toEqual(['ogf_standard'])
    // A server that still has the old secret comes too late.
    await expect(startServer(engine.api, { publicOrigin: server.origin })).rejects.toMatchObject({
      name: 'OperatorFault',
    })
  })
})
