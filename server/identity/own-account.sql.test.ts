import { Secret, TOTP } from 'otpauth'
import { describe, expect, test, vi } from 'vitest'
import { isMissing } from '../../db/test/engines.ts'
import { oneServer } from '../../db/test/identity-server.ts'
import { alertOf, headingOf, PASSWORD } from './identity.fixture.ts'

const NEW = 'Mohnfeld Sattel 91 Uhu'

describe.skipIf(isMissing('postgres'))('one’s own account', () => {
  const server = oneServer()

  const ask = async (path: string, token: string | null, body: object = {}) => {
    const answer = await fetch(`${server.origin}/prod-api/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    })
    return {
      status: answer.status,
      body: (await answer.json()) as { code: number; data: Record<string, unknown> | null },
    }
  }
  const change = (fields: Record<string, string>, browser = server.browser()) =>
    browser.post('/anmelden/passwort-aendern', {
      passwort: PASSWORD,
      code: '',
      neu: NEW,
      wiederholt: NEW,
      ...fields,
    })

  test('its state is told to its owner alone, whatever the request names', async () => {
    const [me, other] = [await server.people.withAccount(), await server.people.withAccount()]
    const { access_token } = await server.signIn(me.email)
    const { status, body } = await ask('eigenes-konto', access_token, {
      user_id: other.userId,
      email: other.email,
    })
    expect([status, body.code]).toEqual([200, 20000])
    expect(body.data).toMatchObject({
      passwort: true,
      zweiter_faktor: false,
      letzte_anmeldung: expect.any(String),
    })
    // What only admins need is left out.
    expect(Object.keys(body.data ?? {}).sort()).toEqual([
      'ereignisse',
      'letzte_anmeldung',
      'passwort',
      'zweiter_faktor',
    ])
    expect((await ask('eigenes-konto', null)).status).toBe(401)
  })

  test('ending the own sessions ends all of them and nobody else’s', async () => {
    const [me, other] = [await server.people.withAccount(), await server.people.withAccount()]
    const first = await server.signIn(me.email)
    const second = await server.signIn(me.email)
    const theirs = await server.signIn(other.email)
    expect(
      (await ask('eigene-sitzungen-beenden', first.access_token, { user_id: other.userId })).status,
    ).toBe(200)
    expect(await server.rolesOf(first.access_token)).toBeUndefined()
    expect(await server.rolesOf(second.access_token)).toBeUndefined()
    expect(await server.rolesOf(theirs.access_token)).toEqual(['ogf_standard'])
    expect(await server.people.events(me.email)).toContain('sitzungen_beendet')
    expect(await server.people.events(other.email)).not.toContain('sitzungen_beendet')
    expect((await ask('eigene-sitzungen-beenden', null)).status).toBe(401)
  })

  describe('the password', () => {
    test('is changed with the present one; every session ends, and the owner is told', async () => {
      const { email } = await server.people.withAccount()
      const before = await server.signIn(email)
      expect(await server.rolesOf(before.access_token)).toEqual(['ogf_standard'])
      const done = await change({ email })
      expect([done.status, headingOf(done)]).toEqual([200, 'Ihr Passwort ist geändert'])
      expect(await server.rolesOf(before.access_token)).toBeUndefined()
      await expect(server.signIn(email)).rejects.toThrow(/stimmen nicht/)
      await server.signIn(email, NEW)
      await vi.waitFor(() =>
        expect(server.mails.some((mail) => mail.to === email && mail.subject.includes('geändert'))).toBe(
          true,
        ),
      )
    })
    test('stays with a wrong one, and the answer tells nothing about addresses', async () => {
      const { email } = await server.people.withAccount()
      const wrong = await change({ email, passwort: 'geraten' })
      const unknown = await change({ email: 'niemand@forst.example' })
      expect([wrong.status, unknown.status]).toEqual([400, 400])
      expect(alertOf(wrong)).toBe(alertOf(unknown))
      await server.signIn(email)
    })
    test('is locked after failures like the sign-in, even for the right one', async () => {
      const { email } = await server.people.withAccount()
      for (
        let tries = 0;
        tries < 30 && !/Zu viele Fehlversuche/.test(alertOf(await change({ email, passwort: 'geraten' })));
        tries++
      );
      expect(alertOf(await change({ email }))).toMatch(/Zu viele Fehlversuche/)
    })
    test('is still changed in a browser that its owner knows while a stranger’s tries lock the address', async () => {
      const { email } = await server.people.withAccount()
      const { browser } = await server.signIn(email)
      for (
        let tries = 0;
        tries < 30 && !/Zu viele Fehlversuche/.test(alertOf(await change({ email, passwort: 'geraten' })));
        tries++
      );
      expect(alertOf(await change({ email }))).toMatch(/Zu viele Fehlversuche/)
      expect(alertOf(await change({ email, passwort: 'vertippt' }, browser))).toMatch(/stimmen nicht/)
      expect(headingOf(await change({ email }, browser))).toBe('Ihr Passwort ist geändert')
      expect(alertOf(await change({ email, passwort: NEW, neu: PASSWORD, wiederholt: PASSWORD }))).toMatch(
        /Zu viele Fehlversuche/,
      )
      const other = await server.people.withAccount()
      for (
        let tries = 0;
        tries < 30 &&
        !/Zu viele Fehlversuche/.test(
          alertOf(await change({ email: other.email, passwort: 'geraten' }, browser)),
        );
        tries++
      );
      expect(
        alertOf(await change({ email: other.email }, browser)),
        'known to one address is not known to the next',
      ).toMatch(/Zu viele/)
    })
    test('follows the rules for passwords', async () => {
      const { email } = await server.people.withAccount()
      expect(alertOf(await change({ email, wiederholt: 'anders' }))).toMatch(/verschieden/)
      expect(alertOf(await change({ email, neu: 'kurz', wiederholt: 'kurz' }))).toMatch(/12 Zeichen/)
      expect(alertOf(await change({ email, neu: PASSWORD, wiederholt: PASSWORD }))).toMatch(/bisheriges/)
      await server.signIn(email)
    })
    test('of a locked-out person stays', async () => {
      const { email } = await server.people.withAccount({ enabled: false })
      expect((await change({ email })).status).toBe(400)
    })
    test('asks for the code where there is a second factor', async () => {
      const { email } = await server.people.withAccount()
      const secret = new Secret({ size: 20 })
      const { createSecrets } = await import('./secrets.ts')
      const { SECRETS } = await import('./identity.fixture.ts')
      await server.owner.query(
        'update idp.konto set totp_secret = $2, totp_confirmed_at = now() where email = $1',
        [email, createSecrets(SECRETS).encrypt(secret.base32)],
      )
      expect((await change({ email })).status).toBe(400)
      expect((await change({ email, code: '000000' })).status).toBe(400)
      const code = new TOTP({ secret }).generate()
      expect(headingOf(await change({ email, code }))).toBe('Ihr Passwort ist geändert')
    })
    test('is not taken from a foreign page', async () => {
      const answer = await fetch(`${server.origin}/anmelden/passwort-aendern`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: 'https://fremd.example',
          'sec-fetch-site': 'cross-site',
        },
        body: new URLSearchParams({
          email: 'x@forst.example',
          passwort: PASSWORD,
          neu: NEW,
          wiederholt: NEW,
        }),
      })
      expect(answer.status).toBe(403)
    })
  })
})
