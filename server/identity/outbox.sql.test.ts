// Sign-in mails wait in the database through failing mail servers, restarts and several servers, and the
// links in them are limited per hour.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { OwnerConnection } from '#server/database/database.ts'
import { enginesToday, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { startSmtpSink, type SmtpSink } from '../../test/smtp-sink.ts'
import { listen, People, startServer, type TestServer } from './identity.fixture.ts'

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`mails of the sign-in on ${engineName}`, () => {
    let engine: Engine
    let owner: OwnerConnection
    let sink: SmtpSink
    let server: TestServer
    let people: People
    const smtp = () => ({
      sendMail: undefined,
      smtpUrl: sink.url,
      mailFrom: 'konto@forst.example',
      mailEveryMs: 600_000,
    })

    beforeAll(async () => {
      engine = await openEngine(engineName)
      owner = engine.owner
      sink = await startSmtpSink()
      server = await listen(await startServer(engine.api, smtp()))
      people = new People(owner, server)
    })
    afterEach(() => {
      sink.refuse = false
      sink.whim = () => null
    })
    afterAll(async () => {
      await server?.close()
      sink?.close()
      await engine?.close()
    })

    const mailsTo = (email: string) => sink.mails.filter(({ to }) => to.includes(email))
    const due = () => owner.query("update idp.post set naechster = now() where zustand = 'wartet'")
    const states = async (email: string) =>
      (
        await owner.query<{ zustand: string }>(
          'select zustand from idp.post where empfaenger = $1 order by id',
          [email],
        )
      ).rows.map(({ zustand }) => zustand)
    const linkIn = (text: string) => /https?:\S+\/anmelden\/passwort\/\S+/.exec(text)?.[0] ?? ''
    const forget = (email: string, headers: Record<string, string> = {}) =>
      fetch(`${server.origin}/anmelden/vergessen`, {
        method: 'POST',
        headers: { origin: server.origin, ...headers },
        body: new URLSearchParams({ email }),
      })

    test('an invitation goes at once, its link works, and is not left behind', async () => {
      const { email } = await people.add()
      const { link, mailed, wartet } = await server.idp.accounts.inviteUser(email)
      expect([mailed, wartet]).toEqual([true, false])
      const [mail] = mailsTo(email)
      expect(linkIn(mail?.text ?? '')).toBe(link)
      expect(mail?.headers['message-id']).toMatch(/^<anmeldung-\d+@/)
      const { rows } = await owner.query('select zustand, siegel from idp.post where empfaenger = $1', [
        email,
      ])
      expect(rows).toEqual([{ zustand: 'gesendet', siegel: null }])
    })

    test('a mail speaks the language that its receiver has chosen, and bears the letterhead', async () => {
      const { email, userId } = await people.withAccount()
      await owner.query(
        `insert into app.einstellung (user_id, schluessel, wert) values ($1, 'language', '"en"')`,
        [userId],
      )
      await owner.query(
        `insert into app.lieferant (name, strasse, plz, ort, fusszeile)
          values ('Wald <i>GmbH</i>', 'Am Forst 1', '38100', 'Braunschweig', 'HRB 1')`,
      )
      await server.idp.accounts.requestReset(email)
      await owner.query('delete from app.lieferant')
      const mail = mailsTo(email).at(-1)
      expect(mail?.headers['subject']).toBe('New password for Forstkontor')
      expect(mail?.headers['content-type']).toMatch(/^multipart\/alternative;/)
      expect(mail?.text).toContain('Kind regards')
      expect(mail?.text).toContain('Wald <i>GmbH</i>\nAm Forst 1 · 38100 Braunschweig\nHRB 1')
      expect(mail?.html).toContain('Wald &lt;i&gt;GmbH&lt;/i&gt;')
      expect((await fetch(linkIn(mail?.text ?? ''))).status).toBe(200)
    })

    test('what the mail server refuses waits over a restart, and goes once when it takes mails again', async () => {
      const { email } = await people.withAccount()
      const { email: other } = await people.add()
      sink.refuse = true
      expect(await server.idp.accounts.inviteUser(other)).toMatchObject({ mailed: false, wartet: true })
      await server.idp.accounts.requestReset(email)
      expect(mailsTo(email)).toEqual([])
      // The link is in the database, but cannot be read there.
      const { rows } = await owner.query<{ siegel: string }>(
        "select siegel from idp.post where zustand = 'wartet'",
      )
      expect(rows.length).toBe(2)
      for (const { siegel } of rows) expect(siegel).not.toContain('anmelden')
      await due()
      expect(await server.idp.sendDue()).toBe(0)
      sink.refuse = false
      // Not due yet.
      expect(await server.idp.sendDue()).toBe(0)
      await due()
      const [one, two] = await Promise.all(
        [1, 2].map(() => startServer(engine.api, { ...smtp(), publicOrigin: server.origin })),
      )
      const sent = await Promise.all([one?.idp.sendDue(), two?.idp.sendDue(), server.idp.sendDue()])
      expect(sent.reduce((sum = 0, n = 0) => sum + n, 0)).toBe(2)
      expect([mailsTo(email).length, mailsTo(other).length]).toEqual([1, 1])
      expect((await fetch(linkIn(mailsTo(other)[0]?.text ?? ''))).status).toBe(200)
      expect((await owner.query('select 1 from idp.post where siegel is not null')).rowCount).toBe(0)
      await one?.close()
      await two?.close()
    })

    test('a server that ends over a mail leaves it to the others', async () => {
      const { email } = await people.withAccount()
      sink.refuse = true
      await server.idp.accounts.requestReset(email)
      sink.refuse = false
      // Its state while one server has taken it: no other server may take it for ten minutes.
      await owner.query(
        "update idp.post set naechster = now() + interval '10 minutes' where empfaenger = $1",
        [email],
      )
      expect(await server.idp.sendDue()).toBe(0)
      await owner.query("update idp.post set naechster = now() - interval '1 second' where empfaenger = $1", [
        email,
      ])
      expect(await server.idp.sendDue()).toBe(1)
    })

    test('a mail whose link is void is not sent, and after six tries none is', async () => {
      const { email } = await people.withAccount()
      sink.refuse = true
      await server.idp.accounts.requestReset(email)
      await server.idp.accounts.requestReset(email)
      await due()
      await server.idp.sendDue()
      expect(await states(email)).toEqual(['hinfaellig', 'wartet'])
      for (let nr = 0; nr < 6; nr++) {
        await due()
        await server.idp.sendDue()
      }
      expect(await states(email)).toEqual(['hinfaellig', 'aufgegeben'])
      expect((await owner.query('select 1 from idp.post where siegel is not null')).rowCount).toBe(0)
    })

    test('warnings wait as well', async () => {
      const { email } = await people.withAccount()
      sink.refuse = true
      for (let nr = 0; nr < 5; nr++)
        await expect(server.signIn(email, 'falsch falsch falsch')).rejects.toThrow('no code')
      await vi.waitFor(async () => expect(await states(email)).toEqual(['wartet']))
      sink.refuse = false
      await vi.waitFor(async () => {
        await due()
        await server.idp.sendDue()
        expect(mailsTo(email).map(({ headers }) => headers['subject'])).toEqual([
          'Mehrere Fehlversuche bei der Anmeldung bei Forstkontor',
        ])
      })
    })

    describe('by the hour', () => {
      test('three links for one person, from whichever server; what could not go does not count', async () => {
        const { email } = await people.withAccount()
        const second = await startServer(engine.api, { ...smtp(), publicOrigin: server.origin })
        sink.refuse = true
        // The last one is still waiting, so it is given up before the counting begins.
        for (let nr = 0; nr < 5; nr++) await server.idp.accounts.requestReset(email)
        await owner.query(
          "update idp.post set zustand = 'aufgegeben', siegel = null where empfaenger = $1 and zustand = 'wartet'",
          [email],
        )
        sink.refuse = false
        const before = mailsTo(email).length
        await Promise.all(
          Array.from({ length: 8 }, (_, nr) =>
            (nr % 2 === 0 ? server : second).idp.accounts.requestReset(email),
          ),
        )
        await vi.waitFor(async () => expect(await states(email)).not.toContain('unterwegs'))
        // Concurrent requests void each other's links: at most three mails go out, and the last valid link is
        // among them.
        expect(mailsTo(email).length - before).toBeGreaterThan(0)
        expect(mailsTo(email).length - before).toBeLessThanOrEqual(3)
        for (let nr = 0; nr < 3; nr++) await server.idp.accounts.requestReset(email)
        expect(mailsTo(email).length - before).toBe(3)
        // What strangers ask for keeps no admin from inviting.
        for (let nr = 0; nr < 3; nr++) await second.idp.accounts.inviteUser(email)
        await expect(second.idp.accounts.inviteUser(email)).rejects.toThrow(
          / schon 3 Links bekommen\. Den nächsten können Sie ab \d\d:\d\d Uhr versenden\./,
        )
        await owner.query(
          "update idp.post set erstellt = erstellt - interval '61 minutes' where empfaenger = $1",
          [email],
        )
        await second.idp.accounts.inviteUser(email)
        await second.close()
      })
      test('twenty links of one admin, told with the time when the next one goes', async () => {
        const admin = await people.withAccount({ system_status: 'ogf_admin' })
        const { access_token } = await server.signIn(admin.email)
        const invite = async (userId: number) => {
          const answer = await fetch(`${server.origin}/prod-api/einladung`, {
            method: 'POST',
            headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
            body: JSON.stringify({ user_id: userId }),
          })
          return {
            status: answer.status,
            retry: Number(answer.headers.get('retry-after')),
            message: ((await answer.json()) as { message: string }).message,
          }
        }
        const invited = await Promise.all(Array.from({ length: 22 }, () => people.add()))
        const answers = await Promise.all(invited.map(({ userId }) => invite(userId)))
        expect(answers.filter(({ status }) => status === 200).length).toBe(20)
        const refused = answers.filter(({ status }) => status === 429)
        expect(refused.length).toBe(2)
        for (const { retry, message } of refused) {
          expect(retry).toBeGreaterThan(3_400)
          expect(retry).toBeLessThanOrEqual(3_600)
          expect(message).toMatch(
            /^Sie haben .* 20 Links versendet\. Den nächsten können Sie ab \d\d:\d\d Uhr versenden\.$/,
          )
        }
        const another = await people.withAccount({ system_status: 'ogf_admin' })
        await server.idp.accounts.inviteUser((await people.add()).email, another.email)
      })
      test('links that are handed over by hand count as well', async () => {
        const silent = await startServer(engine.api, { sendMail: undefined, publicOrigin: server.origin })
        const { email } = await people.add()
        for (let nr = 0; nr < 3; nr++)
          expect(await silent.idp.accounts.inviteUser(email)).toMatchObject({ mailed: false, wartet: false })
        await expect(silent.idp.accounts.inviteUser(email)).rejects.toThrow('Diese Person')
        await silent.close()
      })
      test('one network address asks for twenty, whether there are such accounts or not', async () => {
        const from = { 'x-forwarded-for': '203.0.113.77' }
        const answers = []
        for (let nr = 0; nr < 21; nr++) answers.push(await forget(`niemand${nr}@forst.example`, from))
        expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 200), 429])
        expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(3_400)
        expect((await forget('niemand@forst.example', { 'x-forwarded-for': '198.51.100.7' })).status).toBe(
          200,
        )
      })
    })
  })
