// "Verbinden": a saved view under its own address, which gives a program with a key what its owner exports
// from the list, and follows the view.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { demoPassword, hasBrowser } from './browser.ts'
import { tokensOf } from './http-sign-in.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('a saved view for programs', () => {
  const house = oneServer()
  const choose = async (page: Page, name: string) => {
    await page.getByRole('button', { name: /^Ansichten/ }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
  }
  const actionsOf = async (page: Page, view: string, action: string) => {
    await page.getByRole('button', { name: `Aktionen zu ${view}` }).click()
    await page.getByRole('menuitem', { name: action, exact: true }).click()
  }
  const save = async (page: Page, name: string) => {
    await choose(page, 'Ansicht speichern …')
    await page.getByRole('dialog', { name: 'Ansicht speichern' }).getByLabel('Name').fill(name)
    await page.keyboard.press('Enter')
    await page.getByText(`Ansicht „${name}“ gespeichert.`).waitFor()
  }
  const connect = async (page: Page, name: string) => {
    await choose(page, 'Ansichten verwalten …')
    await actionsOf(page, name, 'Verbinden …')
    const dialog = page.getByRole('dialog', { name: `„${name}“ verbinden` })
    await dialog.waitFor()
    return dialog
  }
  async function newKey(): Promise<string> {
    const { access_token } = await tokensOf(house.app, 'apus_admin')
    const answer = await fetch(`${house.app.origin}/prod-api/zugaenge`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        art: 'person',
        name: 'Excel',
        haelfte: null,
        gruppen: ['belege'],
        nur_lesen: true,
        client_id: null,
        bis: new Date(Date.now() + 100 * 86_400_000).toISOString().slice(0, 10),
        passwort: demoPassword(house.app),
        code: '',
      }),
    })
    return ((await answer.json()) as { data: { zugang: string } }).data.zugang
  }
  const exported = async (page: Page): Promise<string> => {
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV für Excel' }).click(),
    ])
    return readFileSync(await download.path(), 'utf8')
  }

  test('a program with a key reads what its owner exports, and follows the view', async () => {
    const { page } = await house.visitor(
      'apus_admin',
      '/buchhaltung/rechnungen?stand=offen,bezahlt&sort=-brutto',
    )
    await page.locator('.row-link').first().waitFor()
    await save(page, 'Höchste zuerst')
    const shown = await exported(page)
    expect(shown.split('\r\n').length).toBeGreaterThan(5)

    const dialog = await connect(page, 'Höchste zuerst')
    const address = await dialog.getByLabel('Adresse (CSV)', { exact: true }).inputValue()
    expect(address).toMatch(new RegExp(`^${house.app.origin}/tabelle/rechnungen/\\d+\\.csv$`))
    const key = await newKey()
    const read = async () => {
      const headers = { authorization: `Basic ${Buffer.from(`excel:${key}`).toString('base64')}` }
      return (await fetch(address, { headers })).text()
    }
    // fetch takes the mark of the byte order away.
    expect(await read()).toBe(shown.replace(/^\ufeff/, ''))

    await page.keyboard.press('Escape')
    await page.goto('/buchhaltung/rechnungen?stand=bezahlt')
    await page.locator('.row-link').first().waitFor()
    await choose(page, 'Ansichten verwalten …')
    await actionsOf(page, 'Höchste zuerst', 'Mit dem jetzigen Stand überschreiben …')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Überschreiben' }).click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    expect(await read()).toBe((await exported(page)).replace(/^\ufeff/, ''))
    expect((await fetch(address)).status).toBe(401)
  })

  test('the dialog names address and steps of each program, by keyboard and on a phone', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const { page } = await house.visitor('ogf_admin', '/kunden/index?land=Bayern', phone)
    await page.locator('.row-link').first().waitFor()
    await save(page, 'Bayern')
    const dialog = await connect(page, 'Bayern')
    expect(await brokenRules(page)).toEqual([])
    const tabs = dialog.getByRole('tab')
    expect(await tabs.allInnerTexts()).toEqual(['Excel', 'LibreOffice', 'Power BI', 'Skript'])
    await tabs.first().focus()
    for (const [program, label, ending] of [
      ['LibreOffice', 'Adresse (CSV)', 'csv'],
      ['Power BI', 'Adresse (JSON)', 'json'],
      ['Skript', 'Adresse (JSON)', 'json'],
    ] as const) {
      await page.keyboard.press('ArrowRight')
      await dialog.getByRole('tab', { name: program, selected: true }).waitFor()
      expect(await dialog.getByLabel(label, { exact: true }).inputValue()).toMatch(
        new RegExp(`\\.${ending}$`),
      )
      expect(await dialog.getByRole('listitem').count()).toBeGreaterThan(1)
      expect(await brokenRules(page)).toEqual([])
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
    expect(wide).toBe(false)
    expect(await dialog.getByLabel('Ganze Tabelle (OData)', { exact: true }).inputValue()).toBe(
      `${house.app.origin}/odata/kunde`,
    )
    await dialog.getByRole('button', { name: 'Adresse (JSON) kopieren' }).click()
    await page.getByText(/Adresse kopiert\.|markierte Adresse mit Strg\+C/).waitFor()
    expect(await dialog.getByRole('link', { name: 'Zu meinen Schlüsseln' }).getAttribute('href')).toBe(
      '/profile/index',
    )
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/connect.png` })
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test('a list that is put together on the screen says so', async () => {
    const { page } = await house.visitor('apus_admin', '/buchhaltung/offene-posten')
    await page.getByRole('button', { name: /^Ansichten/ }).waitFor()
    await save(page, 'Alle offenen')
    const dialog = await connect(page, 'Alle offenen')
    await dialog.getByText('Diese Liste lässt sich nicht verbinden').waitFor()
  })
})
