// A contact address is used only after its holder has confirmed it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { silentLog } from '#server/log.ts'
import type { Mail } from '#server/mail/mailer.ts'
import { askForConfirmation } from '#server/notices/contact.ts'
import { asCaller, attempt, enginesToday, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf, IDENTITIES, type IdentityName, usernameOf } from './world.ts'

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`contact addresses on ${engineName}`, () => {
    let engine: Engine
    let mails: Mail[] = []
    let takes = true
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await engine.owner.query('delete from accounts.kontakt')
    })
    beforeEach(async () => {
      mails = []
      takes = true
      await engine.owner.query('delete from accounts.kontakt')
    })
    afterAll(() => engine?.close())

    const post = () =>
      askForConfirmation({
        asOwner: (work) => work(engine.owner),
        send: async (mail) => {
          if (takes) mails.push(mail)
          return takes
        },
        origin: 'https://forst.example',
        title: 'Forstkontor',
        log: silentLog,
      })
    const codeOf = (mail: Mail | undefined) =>
      new URL(/https:\S+/.exec(mail?.text ?? '')?.[0] ?? 'x:').searchParams.get('bestaetigen') ?? ''
    const as = async <T>(name: IdentityName, text: string, ...values: unknown[]) =>
      (
        await engine.api.once<{ answer: T }>(
          asCaller(claimsOf(name)),
          sql(`select ${text} as answer`, ...values),
        )
      ).rows[0]?.answer
    const setMail = (name: IdentityName, mail: string) =>
      as(name, `app.__o_update_user('Eva', 'Eiche', $1)`, mail)
    const usedBy = async (name: keyof typeof IDENTITIES) =>
      (
        await engine.owner.query<{ an: string }>('select accounts.mail_of($1) as an', [
          IDENTITIES[name].user_id,
        ])
      ).rows[0]?.an
    const signInOf = (name: keyof typeof IDENTITIES) => usernameOf(IDENTITIES[name].user_id)
    const due = () =>
      engine.owner.query('update accounts.kontakt set naechster = now() where naechster is not null')

    test('the question speaks the person’s language', async () => {
      await as('ogf_standard', `app.__o_set_einstellungen('{"language": "en"}')`)
      await setMail('ogf_standard', 'english@kontakt.example')
      expect(await post()).toBe(1)
      expect(mails[0]).toMatchObject({ subject: 'Please confirm your contact address – Forstkontor' })
      expect(mails[0]?.html).toContain(`bestaetigen=${codeOf(mails[0])}"`)
      await as('ogf_standard', `app.__o_set_einstellungen('{"language": null}')`)
    })
    test('one’s own new one gets a link, and is used once its holder has followed it', async () => {
      await setMail('ogf_standard', 'eva@kontakt.example')
      expect(await post()).toBe(1)
      expect(mails.map(({ to }) => to)).toEqual(['eva@kontakt.example'])
      expect(await usedBy('ogf_standard')).toBe(signInOf('ogf_standard'))
      expect(await as('ogf_standard', 'app.__o_confirm_mail($1)', codeOf(mails[0]))).toBe(true)
      expect(await usedBy('ogf_standard')).toBe('eva@kontakt.example')
      // The code works only once.
      expect(await as('ogf_standard', 'app.__o_confirm_mail($1)', codeOf(mails[0]))).toBe(false)
      // Saving the same address again changes nothing; a different one must be confirmed again.
      await setMail('ogf_standard', 'Eva@Kontakt.example')
      expect(await post()).toBe(0)
      expect(await usedBy('ogf_standard')).toBe('eva@kontakt.example')
      await setMail('ogf_standard', 'neu@kontakt.example')
      expect(await usedBy('ogf_standard')).toBe(signInOf('ogf_standard'))
      expect(await post()).toBe(1)
    })
    test('one that an admin wrote is confirmed too; the code suits that person alone, the row has none', async () => {
      const person = IDENTITIES.appuser.user_id
      await as(
        'admin',
        'app.a_update_user($1, null, $2, $3, null, null, (select version from app.benutzer where user_id = $1))',
        person,
        'Eiche',
        'app@kontakt.example',
      )
      await post()
      const code = codeOf(mails[0])
      const { rows } = await engine.owner.query<{ row: string }>(
        'select to_jsonb(k)::text as row from accounts.kontakt k where user_id = $1',
        [person],
      )
      expect(code.length).toBe(43)
      expect(rows[0]?.row).not.toContain(code)
      expect(await as('admin', 'app.__o_confirm_mail($1)', code)).toBe(false)
      expect(await usedBy('appuser')).toBe(signInOf('appuser'))
      expect(await as('appuser', 'app.__o_confirm_mail($1)', code)).toBe(true)
    })
    test('people see where their mails go and what is waited for, and nobody else’s', async () => {
      const seen = async (name: IdentityName) =>
        (
          await engine.api.once(
            asCaller(claimsOf(name)),
            sql(
              'select mail_an, bestaetigt, offen, gefragt_am is not null as gefragt from app.a_get_kontakt()',
            ),
          )
        ).rows
      const own = signInOf('apus_team')
      expect(await seen('apus_team')).toEqual([
        { mail_an: own, bestaetigt: true, offen: null, gefragt: false },
      ])
      await setMail('apus_team', 'eins@kontakt.example')
      expect(await seen('apus_team')).toEqual([
        { mail_an: own, bestaetigt: false, offen: 'eins@kontakt.example', gefragt: false },
      ])
      await post()
      expect(await seen('apus_team')).toEqual([
        { mail_an: own, bestaetigt: false, offen: 'eins@kontakt.example', gefragt: true },
      ])
      await setMail('apus_team', 'zwei@kontakt.example')
      expect(await seen('apus_team')).toEqual([
        { mail_an: own, bestaetigt: false, offen: 'zwei@kontakt.example', gefragt: false },
      ])
      await post()
      await as('apus_team', 'app.__o_confirm_mail($1)', codeOf(mails[1]))
      expect(await seen('apus_team')).toEqual([
        { mail_an: 'zwei@kontakt.example', bestaetigt: true, offen: null, gefragt: false },
      ])
      expect(await seen('admin')).toEqual([
        { mail_an: signInOf('admin'), bestaetigt: true, offen: null, gefragt: false },
      ])
    })
    test('a link that was lost is sent again when its person asks, three in an hour; the one before ends', async () => {
      const again = () => as('ogf_fb_admin', 'app.a_send_kontakt_link()')
      await setMail('ogf_fb_admin', 'weg@kontakt.example')
      await post()
      // As in sample data: an address that no confirmation was requested for.
      await engine.owner.query('delete from accounts.kontakt')
      for (const _ of [1, 2, 3]) {
        expect(await again()).toBe(true)
        expect(await post()).toBe(1)
      }
      expect(mails.map(({ to }) => to)).toEqual(Array.from({ length: 4 }, () => 'weg@kontakt.example'))
      expect(await again()).toBe(false)
      expect(await post()).toBe(0)
      expect(await as('ogf_fb_admin', 'app.__o_confirm_mail($1)', codeOf(mails[2]))).toBe(false)
      expect(await as('ogf_fb_admin', 'app.__o_confirm_mail($1)', codeOf(mails[3]))).toBe(true)
      expect(
        await attempt(engine.api, claimsOf('ogf_fb_admin'), sql('select app.a_send_kontakt_link()')),
      ).toMatchObject({ code: 'PT404' })
    })
    test('a code is good for a day, and for the address it went to', async () => {
      await setMail('ogf_team', 'eins@kontakt.example')
      await post()
      const first = codeOf(mails[0])
      await setMail('ogf_team', 'zwei@kontakt.example')
      expect(await as('ogf_team', 'app.__o_confirm_mail($1)', first)).toBe(false)
      await post()
      await engine.owner.query("update accounts.kontakt set code_bis = now() - interval '1 second'")
      expect(await as('ogf_team', 'app.__o_confirm_mail($1)', codeOf(mails[1]))).toBe(false)
      // Saving it again sends a new request.
      await setMail('ogf_team', 'zwei@kontakt.example')
      expect(await post()).toBe(1)
      expect(await as('ogf_team', 'app.__o_confirm_mail($1)', codeOf(mails[2]))).toBe(true)
    })
    test('what could not go is tried again and does not count against the three an hour', async () => {
      takes = false
      await setMail('kundenadmin', 'a@kontakt.example')
      for (let nr = 0; nr < 4; nr++) {
        await due()
        expect(await post()).toBe(0)
      }
      takes = true
      await due()
      expect(await post()).toBe(1)
      for (const letter of ['b', 'c', 'd', 'e']) {
        await setMail('kundenadmin', `${letter}@kontakt.example`)
        await post()
      }
      expect(mails.map(({ to }) => to[0])).toEqual(['a', 'b', 'c'])
      await engine.owner.query("update accounts.kontakt set stunde = now() - interval '61 minutes'")
      expect(await post()).toBe(1)
      expect(mails.at(-1)?.to).toBe('e@kontakt.example')
    })
    test('three people an hour reach one address', async () => {
      for (const name of ['ogf_standard', 'ogf_team', 'kundenadmin', 'appuser', 'apus_team'] as const)
        await setMail(name, 'opfer@kontakt.example')
      await post()
      expect(mails.length).toBe(3)
    })
    test('the locked are not written to, and nobody confirms for nobody', async () => {
      await setMail('appuser_admin', 'zu@kontakt.example')
      await engine.owner.query('update app.benutzer set enabled = false where user_id = $1', [
        IDENTITIES.appuser_admin.user_id,
      ])
      expect(await post()).toBe(0)
      for (const claims of [null, claimsOf('unknown')])
        expect(await attempt(engine.api, claims, sql(`select app.__o_confirm_mail('x')`))).toMatchObject({
          code: 'PT403',
        })
    })
  })
