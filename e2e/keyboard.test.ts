// More ways through the screens without a mouse, beside the tasks of keyboard-tasks.test.ts; and pages on which
// the focus is always visible and never trapped.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { demoPassword, emailOf, hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { isFocused, Keys } from './keys.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('by keyboard alone', () => {
  const house = oneServer()
  const visit = (path: string): Promise<Page> => house.visit('ogf_admin', path, { acceptDownloads: true })
  const heading = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })
  const rowOf = async (page: Page, path: string) =>
    ((await call(house.app, await tokenOf(page), `/rest/${path}`)).json as Record<string, unknown>[])[0]

  test('sign in, find a customer, change the telephone number', async () => {
    const { page } = await house.window({ acceptDownloads: true })
    const keys = new Keys(page)
    await page.goto('/')
    await keys.tabTo(page.getByLabel('E-Mail'))
    await page.keyboard.type(emailOf('ogf_admin'))
    await keys.tabTo(page.getByLabel('Passwort', { exact: true }))
    await page.keyboard.type(demoPassword(house.app))
    await page.keyboard.press('Enter')
    await page.waitForURL('**/dashboard')
    const kunde = await rowOf(page, 'kunde?client_id=eq.17&select=name')
    await heading(page).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Name, Ort, Nummer, Betrag oder Seite' }).waitFor()
    await page.keyboard.type('#17')
    await page
      .getByRole('group', { name: 'Kunden' })
      .getByText(String(kunde?.['name']), { exact: true })
      .waitFor()
    await page.locator('.jump-list[aria-busy="false"]').waitFor({ state: 'attached' })
    await page.keyboard.press('Enter')
    await page.waitForURL('**/kunden/17')
    await keys.tabTo(page.getByRole('tab', { name: 'Überblick' }))
    await page.keyboard.press('ArrowRight')
    await keys.tabTo(page.getByLabel('Telefon'))
    await keys.retype('0351 7788')
    await page.keyboard.press('Enter')
    await page.getByText('Gespeichert.', { exact: true }).waitFor()
    expect(await rowOf(page, 'kunde?client_id=eq.17&select=ap_tel')).toEqual({ ap_tel: '0351 7788' })
    expect(keys.faults).toEqual([])
  })

  test('connect a person to a headquarters', async () => {
    const page = await visit('/forstbetriebe/45')
    const keys = new Keys(page)
    const tabs = page.getByRole('main').getByRole('tab')
    await keys.tabTo(tabs.filter({ hasText: 'Überblick' }))
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.getByRole('tabpanel').getByRole('button', { name: 'Person zuordnen' }).waitFor()
    await keys.tabTo(page.getByRole('button', { name: 'Person zuordnen' }))
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Person zuordnen' })
    await keys.tabTo(dialog.getByLabel('Name oder E-Mail'))
    await page.keyboard.type('stieleiche')
    await keys.tabTo(dialog.getByRole('button', { name: 'Stefan Stieleiche zuordnen' }))
    await page.keyboard.press('Enter')
    await page.getByText(/Stefan Stieleiche ist jetzt/).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    // The focus returns to where the window was opened.
    await expect.poll(() => isFocused(page.getByRole('button', { name: 'Person zuordnen' }))).toBe(true)
    await page.getByRole('button', { name: 'Aktionen für Stefan Stieleiche' }).waitFor()
    expect(keys.faults).toEqual([])
  })

  test('create a voucher and read its code', async () => {
    const page = await visit('/gutschein/index')
    const keys = new Keys(page)
    await keys.tabTo(page.getByRole('button', { name: 'Gutschein anlegen' }))
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Gutschein anlegen' })
    await keys.tabTo(dialog.getByLabel('Rabatt auf das Abo'))
    await keys.retype('12,5')
    await keys.tabTo(dialog.getByLabel('Rabatt auf KAWM'))
    await keys.retype('0')
    await keys.tabTo(dialog.getByLabel('Einlösbar bis'))
    await page.keyboard.type('31122098')
    await keys.tabTo(dialog.getByLabel('Laufzeit des Rabatts'))
    expect(await dialog.getByLabel('Einlösbar bis').inputValue(), 'written out on leaving the field').toBe(
      '31.12.2098',
    )
    await keys.retype('6')
    await page.keyboard.press('Enter')
    const shown = page.getByRole('dialog', { name: /^Code für Gutschein/ })
    await shown.waitFor()
    expect(await shown.getByLabel('Gutscheincode').innerText()).toMatch(/^(?:[0-9A-Z]{5}-){3}[0-9A-Z]{5}$/)
    await keys.tabTo(shown.getByRole('button', { name: 'Ich habe den Code notiert' }))
    await page.keyboard.press('Enter')
    await shown.waitFor({ state: 'hidden' })
    await page.getByRole('row').filter({ hasText: '31.12.2098' }).getByText('einlösbar').waitFor()
    expect(keys.faults).toEqual([])
  })

  test('filter a list and export it', async () => {
    const page = await visit('/kunden/index')
    const keys = new Keys(page)
    await keys.tabTo(page.getByRole('button', { name: 'Filter', exact: true }))
    await page.keyboard.press('Enter')
    await keys.tabTo(page.getByRole('button', { name: /^Bundesland: / }))
    await page.keyboard.press('Enter')
    await keys.arrowTo(page.getByRole('menuitemcheckbox', { name: 'Bayern' }))
    await page.keyboard.press('Enter')
    await page.waitForURL(/land=Bayern/)
    await page.keyboard.press('Escape')
    await expect.poll(() => isFocused(page.getByRole('button', { name: /^Bundesland: / }))).toBe(true)
    await keys.tabTo(page.getByLabel('Geändert seit'))
    await page.keyboard.type('1.1.2020')
    await page.keyboard.press('Enter')
    await page.waitForURL(/seit=2020-01-01/)
    await page.getByText(/^\d+ Treffer$/).waitFor()
    const [hits] = /\d+/.exec(await page.getByText(/^\d+ Treffer$/).innerText())!
    await keys.tabTo(page.getByRole('button', { name: 'Export', exact: true }), { key: 'Shift+Tab' })
    const coming = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    await keys.arrowTo(page.getByRole('menuitem', { name: 'CSV für Excel' }))
    await page.keyboard.press('Enter')
    const text = await readFile(await (await coming).path(), 'utf8')
    expect(text.trim().split('\r\n')).toHaveLength(Number(hits) + 1)
    await page.getByText(`${hits} Kunden exportiert.`).waitFor()
    expect(keys.faults).toEqual([])
  })

  test.each(['/kunden/index', '/kunden/17', '/forstbetriebe/45', '/gutschein/index', '/profile/index'])(
    'nothing holds the focus on %s: Tab comes through the whole page and out of it',
    async (path) => {
      const page = await visit(path)
      const keys = new Keys(page)
      await page.waitForLoadState('networkidle')
      const stops: string[] = []
      for (let stop = await keys.look(); stops.length < 250; stop = await keys.look()) {
        if (stop === null && stops.length > 0) break
        if (stop !== null) stops.push(stop.what)
        await page.keyboard.press('Tab')
      }
      expect(keys.faults).toEqual([])
      expect(stops.length, 'the page has an end').toBeLessThan(250)
      expect(stops.length).toBeGreaterThan(10)
    },
  )
})
