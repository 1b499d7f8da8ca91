// The own profile: data, rights, links, password and sessions.
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { type SmtpSink, startSmtpSink } from '../test/smtp-sink.ts'
import { brokenRules } from './axe.ts'
import { demoPassword, type DemoRole, emailOf, enterCredentials, hasBrowser, signIn } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { ANYTHING, oneServer } from './one-server.ts'

const PASSWORD = 'fünf andere Wörter dazu 9'

describe.skipIf(!hasBrowser())('the profile', () => {
  let sink: SmtpSink
  const house = oneServer({
    env: async () => {
      sink = await startSmtpSink()
      return {
        SMTP_URL: sink.url,
        MAIL_FROM: 'konto@forst.example',
        MAIL_EVERY_S: '1',
        UPKEEP_EVERY_S: '2',
      }
    },
    asked: ANYTHING,
  })
  afterAll(() => sink?.close())
  const open = async (): Promise<Page> => (await house.window()).page
  const profileOf = async (role: DemoRole): Promise<Page> => {
    const page = await open()
    await signIn({ page }, house.app, role, '/profile/index')
    await page.getByLabel('Vorname').waitFor()
    return page
  }
  const self = async (page: Page) =>
    (
      (await call(house.app, await tokenOf(page), '/rest/rpc/a_get_currentuser', {})).json as Record<
        string,
        unknown
      >[]
    )[0]!

  test('data, rights in words and links are shown; names are changed by the contract’s procedure', async () => {
    const page = await profileOf('ogf_fb_admin')
    await page.getByText('Verwaltung des Forstbetriebs').waitFor()
    await page
      .getByText(/^Forstbetrieb: /)
      .first()
      .waitFor()
    await page.getByText('Anmeldung und Sitzungen').waitFor()
    expect(await brokenRules(page, 'main')).toEqual([])
    const sent = page.waitForRequest('**/rpc/__o_update_user')
    await page.getByLabel('Nachname').fill('Fichtner')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await sent
    await page.getByText('Gespeichert.').waitFor()
    await page.getByRole('button', { name: 'Benutzermenü von Frieda Fichtner' }).waitFor()
    await page.getByLabel('Vorname').fill('')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Bitte geben Sie Ihren Vornamen an.').waitFor()
    await page.getByRole('button', { name: 'Verwerfen' }).click()
    await page.getByLabel('Geburtsdatum').fill('1.2.1979')
    await page.getByLabel('E-Mail für Rückfragen').fill('')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await expect
      .poll(() => self(page))
      .toMatchObject({ last_name: 'Fichtner', geb: '1979-02-01', mail: null })
    await expect.poll(() => page.getByLabel('Geburtsdatum').inputValue()).toBe('01.02.1979')
  })

  test('a new contact address is used once its link was followed, and the page says what it waits for', async () => {
    const page = await profileOf('ogf_team')
    const contact = page.getByLabel('E-Mail für Rückfragen')
    await contact.fill('neu@kontakt.example')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page
      .getByText(/neu@kontakt\.example ist noch nicht bestätigt\. Der Link ging am .* dorthin/)
      .waitFor()
    await page.getByText(`Bis dahin gehen Nachrichten an ${emailOf('ogf_team')}.`).waitFor()
    expect(await brokenRules(page, 'main')).toEqual([])
    await page.getByRole('button', { name: 'Link senden' }).click()
    await page.getByText('Der Link ist unterwegs an neu@kontakt.example.').waitFor()
    const asked = () => sink.mails.filter(({ to }) => to.includes('neu@kontakt.example'))
    await expect.poll(() => asked().length).toBe(2)
    const links = asked().map(({ text }) => /\/profile\/index\?bestaetigen=\S+/.exec(text)![0])
    await page.goto(links.at(-1)!)
    await page.getByText('Ihre Kontaktadresse ist bestätigt.').waitFor()
    await page.getByText('Nachrichten gehen an neu@kontakt.example.').waitFor()
    expect(new URL(page.url()).search).toBe('')
    // It works once; opening it again explains how to continue.
    await page.goto(links.at(-1)!)
    await page.getByText('Dieser Link gilt nicht mehr.').waitFor()
  })

  test('an admin was faster: the conflict is shown and decided', async () => {
    const page = await profileOf('appuser')
    const admin = await open()
    await signIn({ page: admin }, house.app, 'ogf_admin', '/dashboard')
    const { user_id, version } = await self(page)
    await page.getByLabel('Vorname').fill('Bernd')
    const theirs = {
      user_id,
      first_name: 'Benno',
      last_name: 'Birke',
      mail: null,
      geb: null,
      geschlecht: null,
      version,
    }
    expect((await call(house.app, await tokenOf(admin), '/rest/rpc/a_update_user', theirs)).status).toBe(204)
    await page.getByRole('button', { name: 'Speichern' }).click()
    const dialog = page.getByRole('dialog', { name: 'Inzwischen geändert' })
    await dialog.getByText(/Anna Ahorn hat Ihre Angaben am/).waitFor()
    await dialog.getByRole('radio', { name: 'Vorname, jetzt gespeichert: Benno' }).check()
    await dialog.getByRole('button', { name: 'Auswahl speichern' }).click()
    await expect.poll(() => page.getByLabel('Vorname').inputValue()).toBe('Benno')
  })

  test('signing out everywhere ends every session at once, and only one’s own', async () => {
    const page = await profileOf('ogf_standard')
    const other = await open()
    await signIn({ page: other }, house.app, 'ogf_standard', '/dashboard')
    const tokens = [await tokenOf(page), await tokenOf(other)]
    const stranger = await open()
    await signIn({ page: stranger }, house.app, 'kundenadmin', '/kunde/index')
    await page.getByRole('button', { name: 'Überall abmelden' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Überall abmelden' }).click()
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('Admin-Token')).catch(() => null))
      .toBeNull()
    for (const token of tokens)
      expect((await call(house.app, token, '/rest/rpc/a_get_currentuser', {})).status).toBe(401)
    expect((await call(house.app, await tokenOf(stranger), '/rest/rpc/a_get_currentuser', {})).status).toBe(
      200,
    )
  })

  test('the password is changed with the present one, and not without', async () => {
    const page = await profileOf('multiple_fb')
    const before = await tokenOf(page)
    await page.getByRole('link', { name: 'Passwort ändern' }).click()
    const fill = async (current: string) => {
      await page.getByLabel('E-Mail-Adresse').fill(emailOf('multiple_fb'))
      await page.getByLabel('Bisheriges Passwort').fill(current)
      await page.getByLabel('Neues Passwort', { exact: true }).fill(PASSWORD)
      await page.getByLabel('Neues Passwort wiederholen').fill(PASSWORD)
      await page.getByRole('button', { name: 'Passwort ändern' }).click()
    }
    await fill('geraten')
    await page.getByRole('alert').getByText('E-Mail-Adresse, Passwort oder Code stimmen nicht.').waitFor()
    expect((await call(house.app, before, '/rest/rpc/a_get_currentuser', {})).status).toBe(200)
    expect(await brokenRules(page, 'main')).toEqual([])
    await fill(demoPassword(house.app))
    await page.getByRole('heading', { name: 'Ihr Passwort ist geändert' }).waitFor()
    expect((await call(house.app, before, '/rest/rpc/a_get_currentuser', {})).status).toBe(401)
    const again = await open()
    await again.goto('/')
    await enterCredentials(again, emailOf('multiple_fb'), demoPassword(house.app))
    await again.getByRole('alert').waitFor()
    await enterCredentials(again, emailOf('multiple_fb'), PASSWORD)
    await again.getByRole('navigation').first().waitFor()
  })
})
