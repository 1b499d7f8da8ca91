// A role is removed while its owner works: the next call is refused, the screen says why and what to do, and
// after a reload the menu offers what is left.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { emailOf, hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { ANYTHING, oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('a role that is taken away', () => {
  const house = oneServer({ asked: ANYTHING })
  const { visit } = house
  const menu = (page: Page) => page.getByRole('navigation', { name: 'Hauptmenü' })
  const card = (page: Page) => page.getByRole('region', { name: 'Ihre Rechte wurden geändert' })
  /** Another admin changes Anna's base role on her own page. */
  const give = async (admin: Page, label: string) => {
    await admin.getByLabel('Grundrolle').selectOption({ label })
    await admin.getByRole('button', { name: 'Rollen ändern' }).click()
    await admin.getByRole('alertdialog').getByRole('button', { name: 'Rollen ändern' }).click()
    await admin.getByText('Rollen von Anna Ahorn gespeichert.').last().waitFor()
  }

  test('work that is open is refused and kept, the reason is said, and loading anew mirrors it', async () => {
    const anna = await visit('ogf_admin', '/kunden/12?ansicht=stammdaten')
    await anna.getByLabel('Telefon').waitFor()
    const name = await anna.getByRole('main').getByRole('heading', { level: 1 }).innerText()
    const opened = menu(anna).locator('.places').getByText(name, { exact: true })
    await expect.poll(() => opened.count(), { message: 'among the records opened last' }).toBe(1)
    await anna.getByLabel('Telefon').fill('0351 112233')
    const before = (
      await call(house.app, await tokenOf(anna), '/rest/kunde?client_id=eq.12&select=ap_tel,version')
    ).json
    const { json } = await call(
      house.app,
      await tokenOf(anna),
      `/rest/benutzer?email=eq.${emailOf('ogf_admin')}&select=user_id`,
    )
    const alma = await visit('admin', `/nutzer/${(json as { user_id: number }[])[0]!.user_id}?ansicht=rollen`)
    const former = await alma
      .getByLabel('Grundrolle')
      .evaluate((select: HTMLSelectElement) => select.selectedOptions[0]!.text)
    await give(alma, 'Team Forst')

    await anna.getByRole('button', { name: 'Speichern', exact: true }).click()
    await anna.getByText('Nicht gespeichert', { exact: true }).waitFor()
    expect(await anna.getByLabel('Telefon').inputValue(), 'what was typed is still there to be copied').toBe(
      '0351 112233',
    )
    await card(anna).waitFor()
    expect(await brokenRules(anna, '.corner')).toEqual([])
    expect(
      (await call(house.app, await tokenOf(alma), '/rest/kunde?client_id=eq.12&select=ap_tel,version')).json,
    ).toEqual(before)

    await card(anna).getByRole('button', { name: 'Neu laden' }).click()
    await anna
      .getByRole('alertdialog', { name: 'Änderungen verwerfen?' })
      .getByRole('button', { name: 'Verwerfen und neu laden' })
      .click()
    // She may no longer open the page; the message names the missing right and links home.
    await anna.getByRole('heading', { name: 'Kein Zugriff auf diese Seite' }).waitFor()
    await anna.getByText('Es fehlt Ihnen eines dieser Rechte: Verwaltung Forst.').waitFor()
    for (const gone of ['Kunden', 'Nutzer', 'Gutscheine', 'Finanzen'])
      expect(await menu(anna).getByRole('link', { name: gone, exact: true }).count(), gone).toBe(0)
    await anna.waitForLoadState('networkidle')
    expect(await opened.count()).toBe(0)
    await anna.getByRole('link', { name: 'Zur Startseite' }).click()
    await anna.waitForURL('**/dashboard')
    expect(await card(anna).count()).toBe(0)

    // Granted again: the same in the other direction.
    await give(alma, former)
    await anna.reload()
    await menu(anna).getByRole('link', { name: 'Kunden', exact: true }).click()
    await anna.getByText('500 Kunden').waitFor()
  })

  test('a list that row security has emptied is no empty list: the reason is said there too', async () => {
    const anna = await visit('ogf_admin', '/kunden/index')
    await anna.getByText('500 Kunden').waitFor()
    const { json } = await call(
      house.app,
      await tokenOf(anna),
      `/rest/benutzer?email=eq.${emailOf('ogf_admin')}&select=user_id`,
    )
    const [{ user_id }] = json as [{ user_id: number }]
    const alma = await visit('admin', '/dashboard')
    const become = async (system_status: string) =>
      (
        await call(house.app, await tokenOf(alma), '/rest/rpc/a_set_system_status', {
          user_id,
          system_status,
        })
      ).status
    expect(await become('ogf_team')).toBeLessThan(300)
    try {
      await menu(anna).getByRole('link', { name: 'Gutscheine', exact: true }).click()
      await card(anna).waitFor()
      await card(anna).getByRole('button', { name: 'Später' }).click()
      await card(anna).waitFor({ state: 'detached' })
    } finally {
      expect(await become('ogf_admin')).toBeLessThan(300)
    }
  })
})
