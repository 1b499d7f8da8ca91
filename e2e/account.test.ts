// A customer's own admin of the drainage half: the contact person, the people of the account, and the limits
// of both.
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { emailOf, enterCredentials, hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { type SmtpSink, startSmtpSink } from '../test/smtp-sink.ts'
import { oneServer } from './one-server.ts'

const REFUSED = /status of 40[0349]/
type Row = Record<string, unknown>
/** The customer of the sample's appuser_admin. */
const OWN = 2
const FOREIGN = 3
const PASSWORD = 'Mohnfeld Sattel 91 Uhu'

describe.skipIf(!hasBrowser())('a customer’s own admin', () => {
  let sink: SmtpSink
  const house = oneServer({
    env: async () => {
      sink = await startSmtpSink()
      return { SMTP_URL: sink.url, MAIL_FROM: 'konto@forst.example' }
    },
    asked: REFUSED,
  })
  afterAll(() => sink?.close())
  const { visit } = house
  const rows = async (token: string, address: string) =>
    (await call(house.app, token, `/rest/${address}`)).json as Row[]
  const act = async (page: Page, person: string, name: string) => {
    await page.getByRole('button', { name: `Aktionen für ${person}` }).click()
    await page.getByRole('menuitem', { name }).click()
  }

  test('changes the contact person and nothing else, and is told whom to ask', async () => {
    const page = await visit('appuser_admin', '/account/index?ansicht=stammdaten')
    await page.getByText(`Kundennummer ${OWN}`, { exact: true }).waitFor()
    await page.getByText('Diese Angaben pflegen wir für Sie.').waitFor()
    expect(await page.getByRole('textbox').count()).toBe(3)
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('textbox', { name: 'Telefon' }).fill('030 1234')
    await page.getByRole('tab', { name: 'Verlauf' }).click()
    await page.getByRole('tab', { name: 'Stammdaten' }).click()
    expect(await page.getByRole('textbox', { name: 'Telefon' }).inputValue()).toBe('030 1234')
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    expect((await sent).postDataJSON()).toEqual({ ap_tel: '030 1234' })
    await page.getByText('Gespeichert.', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Verlauf' }).click()
    await page.getByText('030 1234').waitFor()
    const token = await tokenOf(page)
    expect(
      (await call(house.app, token, `/rest/kunde?client_id=eq.${OWN}`, { name: 'Meins' }, 'PATCH')).status,
    ).toBe(403)
    expect(
      (await call(house.app, token, `/rest/kunde?client_id=eq.${FOREIGN}`, { ap_tel: '030 1' }, 'PATCH'))
        .json,
    ).toBeNull()
    await page.goto(`/account/index?kunde=${FOREIGN}`)
    await page.getByText('Diesen Kunden gibt es nicht').waitFor()
  })

  test('invites a member, who signs in and sees the customer; removed, the very next call shows nothing', async () => {
    const page = await visit('appuser_admin', '/members/index')
    await page.getByRole('link', { name: 'Bodo Birke' }).or(page.getByText('Bodo Birke')).first().waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Neue Person anlegen' }).click()
    const dialog = page.getByRole('dialog', { name: /^Neue Person für / })
    // She cannot grant what she does not have herself.
    await expect.poll(() => dialog.getByRole('radio').count()).toBe(2)
    expect(await dialog.getByRole('radio', { name: /^Kundenadmin/ }).count()).toBe(0)
    await dialog.getByLabel('E-Mail').fill('max.mitglied@kunde2.example')
    await dialog.getByLabel('Vorname').fill('Max')
    await dialog.getByLabel('Nachname').fill('Mitglied')
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Anlegen', exact: true }).click()
    const invitation = page.getByRole('dialog', { name: 'Einladung für Max Mitglied' })
    // The link is mailed to the address and not shown to her; otherwise she could impersonate its owner.
    await invitation.getByText('Die Einladung wurde an max.mitglied@kunde2.example geschickt.').waitFor()
    expect(await invitation.getByLabel('Link zum Setzen des Passworts').count()).toBe(0)
    const mail = sink.mails.find(({ to }) => to.includes('max.mitglied@kunde2.example'))
    const link = /https?:\/\/\S+\/anmelden\/\S+/.exec(mail?.text ?? '')?.[0] ?? ''
    expect(await brokenRules(page)).toEqual([])
    await invitation.getByRole('button', { name: 'Fertig' }).click()
    await page.getByText('Max Mitglied', { exact: true }).waitFor()

    const member = await house.window()
    await member.page.goto(link)
    await member.page.getByLabel('Neues Passwort', { exact: true }).fill(PASSWORD)
    await member.page.getByLabel('Neues Passwort wiederholen').fill(PASSWORD)
    await member.page.getByRole('button', { name: 'Passwort speichern' }).click()
    await member.page.getByRole('heading', { name: 'Ihr Passwort ist gespeichert' }).waitFor()
    await member.page.goto('/profile/index')
    await enterCredentials(member.page, 'max.mitglied@kunde2.example', PASSWORD)
    await member.page.getByRole('heading', { level: 1 }).first().waitFor()
    await member.page.getByRole('navigation').first().waitFor()
    const theirs = await tokenOf(member.page)
    expect(await rows(theirs, `kunde?client_id=eq.${OWN}`)).toHaveLength(1)
    expect(await rows(theirs, `kunde?client_id=eq.${FOREIGN}`)).toHaveLength(0)

    await act(page, 'Max Mitglied', 'Rolle ändern …')
    await page.getByRole('radio', { name: /^Administrator/ }).check()
    await page.getByRole('button', { name: 'Rolle speichern' }).click()
    await page.getByText('Max Mitglied ist jetzt Administrator.').waitFor()
    await act(page, 'Max Mitglied', 'App sperren …')
    await page.getByRole('alertdialog').getByRole('button', { name: 'App sperren' }).click()
    await page.getByText('Max Mitglied kann die App nicht mehr benutzen.').waitFor()
    // He has a password by now, so a link would hand over his account.
    await act(page, 'Max Mitglied', 'Einladung senden …')
    const ask = page.getByRole('alertdialog')
    await ask.getByRole('button', { name: 'Einladen' }).click()
    await ask.getByText(/^Dieses Konto hat schon ein Passwort/).waitFor()
    await ask.getByRole('button', { name: 'Abbrechen' }).click()

    await act(page, 'Max Mitglied', 'Aus dem Kunden entfernen …')
    expect(await page.getByRole('alertdialog').innerText()).toContain(
      'Max Mitglied · max.mitglied@kunde2.example',
    )
    await page.getByRole('alertdialog').getByRole('button', { name: 'Entfernen' }).click()
    await page.getByText(/^Max Mitglied gehört nicht mehr zu /).waitFor()
    await page.getByText('Max Mitglied', { exact: true }).waitFor({ state: 'detached' })
    expect(await rows(theirs, `kunde?client_id=eq.${OWN}`)).toHaveLength(0)
    expect(
      (await call(house.app, theirs, `/rest/kunde?client_id=eq.${OWN}`, { ap_tel: '030 9' }, 'PATCH')).json,
    ).toBeNull()
  })

  test('gives the Kataster only where the customer has it, and sees nobody of others', async () => {
    const admin = await visit('apus_admin', `/member-management/client/${OWN}`)
    const token = await tokenOf(admin)
    const kataster = (kataster_status: boolean) =>
      call(house.app, token, '/rest/rpc/a_set_kataster_for_client', { client_id: OWN, kataster_status })
    const [bodo] = await rows(token, `benutzer?email=eq.${encodeURIComponent(emailOf('appuser'))}`)
    const link = async () =>
      (await rows(token, `benutzer_kunde?client_id=eq.${OWN}&user_id=eq.${String(bodo?.['user_id'])}`))[0]
    const off = { user_id: bodo?.['user_id'], client_id: OWN, kataster_enabled: false }
    expect((await call(house.app, token, '/rest/rpc/a_add_user_to_client', off)).status).toBe(204)
    expect((await kataster(false)).status).toBe(204)
    const page = await visit('appuser_admin', '/members/index')
    await page.getByRole('button', { name: 'Aktionen für Bodo Birke' }).click()
    await page.getByRole('menuitem', { name: 'Rolle ändern …' }).waitFor()
    expect(await page.getByRole('menuitem', { name: /Kataster/ }).count()).toBe(0)
    expect(
      (
        await call(house.app, await tokenOf(page), '/rest/rpc/a_add_user_to_client', {
          ...off,
          kataster_enabled: true,
        })
      ).status,
    ).toBe(403)
    expect((await kataster(true)).status).toBe(204)
    await page.reload()
    await act(page, 'Bodo Birke', 'Kataster freischalten')
    await page.getByText('Bodo Birke sieht jetzt das Kataster.').waitFor()
    expect(await link()).toMatchObject({ kataster_enabled: true })
    // She cannot change her own link.
    await page.getByRole('button', { name: 'Aktionen für Lena Linde' }).click()
    await page.getByText('Ihre eigene Rolle und Zugehörigkeit ändert eine andere Person.').waitFor()
    await page.keyboard.press('Escape')
    const seen = await rows(await tokenOf(page), 'benutzer?select=user_id')
    const own = await rows(token, `benutzer_kunde?client_id=eq.${OWN}&select=user_id`)
    const ids = (list: Row[]) => list.map(({ user_id }) => Number(user_id)).toSorted((a, b) => a - b)
    expect(ids(seen)).toEqual(ids(own))
    expect(
      (
        await call(house.app, await tokenOf(page), '/rest/rpc/a_get_appusers_from_client', {
          client_id: FOREIGN,
        })
      ).json,
    ).toEqual([])
  })

  test('of several customers each carries its own rights', async () => {
    const token = await tokenOf(await visit('apus_admin', '/member-management/client'))
    const [lena] = await rows(token, `benutzer?email=eq.${encodeURIComponent(emailOf('appuser_admin'))}`)
    const link = { user_id: lena?.['user_id'], client_id: FOREIGN }
    expect(
      (await call(house.app, token, '/rest/rpc/a_add_user_to_client', { ...link, kataster_enabled: false }))
        .status,
    ).toBe(204)
    try {
      const page = await visit('appuser_admin', `/account/index?kunde=${FOREIGN}&ansicht=stammdaten`)
      await page.getByText('Bei diesem Kunden sind Sie Nutzer.').waitFor()
      expect(await page.getByRole('textbox').count()).toBe(0)
      await page.getByLabel('Kunde', { exact: true }).selectOption(String(OWN))
      await page.getByRole('textbox', { name: 'Telefon' }).waitFor()
      // She manages only one of them, so there is nothing to choose.
      await page.goto('/members/index')
      await page.getByRole('button', { name: 'Aktionen für Bodo Birke' }).waitFor()
      expect(await page.getByLabel('Kunde', { exact: true }).count()).toBe(0)
      await page.goto(`/members/index?kunde=${FOREIGN}`)
      await page.getByText('Diesen Kunden gibt es nicht').waitFor()
    } finally {
      expect((await call(house.app, token, '/rest/rpc/a_remove_user_from_client', link)).status).toBe(204)
    }
  })

  test('a plain user comes to neither page, and narrow screens do not scroll sideways', async () => {
    const plain = await visit('appuser', '/members/index')
    await plain.waitForURL(/\/401/)
    await plain.goto('/account/index')
    await plain.waitForURL(/\/401/)
    const page = await visit('appuser_admin', '/members/index')
    await page.setViewportSize({ width: 390, height: 844 })
    for (const path of ['/members/index', '/account/index']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('[aria-busy="true"], .skeleton').first().waitFor({ state: 'detached' })
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
        path,
      ).toBeLessThanOrEqual(0)
    }
  })
})
