// Open items: what was owed on a day, by customer and age, in sums to the cent, on a phone and on paper.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { OpenItem } from '#contract/zahlung.ts'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

const PATH = '/buchhaltung/offene-posten'
const YEAR = new Date().getFullYear()
const cents = (text: string): number => Math.round(Number(text) * 100)
const euros = (sum: number): string =>
  `${new Intl.NumberFormat('de-DE', { minimumFractionDigits: 2 }).format(sum / 100)}\u00a0€`

describe.skipIf(!hasBrowser())('open items', () => {
  const house = oneServer()
  const ask = async (page: Page, keyDate?: string): Promise<OpenItem[]> =>
    (
      await call(house.app, await tokenOf(page), '/rest/rpc/a_get_offene_posten', {
        ...(keyDate !== undefined && { stichtag: keyDate }),
      })
    ).json as OpenItem[]
  const total = (rows: readonly OpenItem[]) => rows.reduce((sum, { offen }) => sum + cents(offen), 0)
  const figure = (page: Page, name: string) =>
    page
      .locator('.key-figures > div')
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator('dd')

  test('of today, by customer: the sums are those of their items', async () => {
    const page = await house.visit('apus_admin', PATH)
    const rows = await ask(page)
    expect(rows.length).toBeGreaterThan(3)
    await page
      .getByRole('table')
      .locator('tfoot')
      .getByText(euros(total(rows)), { exact: true })
      .waitFor()
    expect(await figure(page, 'Saldo').innerText()).toBe(euros(total(rows)))
    const credit = rows.filter(({ klasse }) => klasse === 'guthaben')
    expect(await figure(page, 'Guthaben').innerText()).toBe(euros(total(credit)))
    expect(await brokenRules(page)).toEqual([])
    const first = rows[0]!
    const own = rows.filter(({ client_id }) => client_id === first.client_id)
    const group = page.getByRole('row').filter({ has: page.getByRole('button', { name: first.kunde }) })
    await group
      .getByText(euros(total(own)), { exact: true })
      .first()
      .waitFor()
    await group.getByRole('button').click()
    const line = page.getByRole('row').filter({ hasText: first.nummer })
    await line
      .getByText(euros(cents(first.offen)), { exact: true })
      .first()
      .waitFor()
    expect(await brokenRules(page)).toEqual([])
    await line.getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: new RegExp(first.nummer) }).waitFor()
  })

  test('lead to the customer’s account: balances at both ends, the same sum as the list', async () => {
    const page = await house.visit('apus_admin', `${PATH}?gruppe=keine`)
    const rows = await ask(page)
    const first = rows[0]!
    const own = rows.filter(({ client_id }) => client_id === first.client_id)
    await page.getByRole('main').getByRole('link', { name: first.kunde }).first().click()
    await page.getByRole('heading', { level: 1, name: first.kunde }).waitFor()
    const account = page.getByRole('region', { name: 'Kundenkonto' })
    await account
      .getByRole('row', { name: /Endsaldo/ })
      .getByText(euros(total(own)), { exact: true })
      .waitFor()
    await account.getByRole('row', { name: /Anfangssaldo/ }).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Letztes Jahr' }).click()
    await page.waitForURL(/von=\d{4}-01-01&bis=\d{4}-12-31/)
    await account.getByRole('row', { name: /Endsaldo/ }).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    const wide = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(wide).toBe(0)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`/member-management/client/${first.client_id}`)
    await page.getByRole('main').getByRole('link', { name: 'Kundenkonto' }).click()
    await page.getByRole('heading', { level: 1, name: first.kunde }).waitFor()
  })

  test('of another day, typed or chosen; the address keeps it', async () => {
    const page = await house.visit('apus_admin', PATH)
    const day = page.getByRole('textbox', { name: 'Stichtag' })
    await day.fill('31.2.2026')
    await page.getByText('Bitte ein Datum wie 31.12.2026.').waitFor()
    await day.fill('1.1.1999')
    await page.getByText('Bitte ein Datum zwischen 2000 und 2100.').waitFor()
    await page.getByRole('button', { name: 'Ende des letzten Jahres' }).click()
    await page.waitForURL(`**${PATH}?tag=${YEAR - 1}-12-31`)
    expect(await day.inputValue()).toBe(`31.12.${YEAR - 1}`)
    await day.fill('01.01.2001')
    await page.getByText('An diesem Tag war nichts offen').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Heute' }).click()
    await page.locator('[data-group]').first().waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  test('is a file with one line for each item', async () => {
    const page = await house.visit('apus_admin', PATH)
    const rows = await ask(page)
    await page.locator('[data-group]').first().waitFor()
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV für Excel' }).click(),
    ])
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(lines).toHaveLength(rows.length + 1)
    expect(lines[0]).toContain('Kunde')
    for (const { nummer } of rows) expect(lines.filter((one) => one.includes(nummer))).not.toEqual([])
  })

  test('on a phone nothing scrolls sideways; on paper every item is there', async () => {
    const page = await house.visit('apus_admin', PATH, { viewport: { width: 390, height: 844 } })
    const rows = await ask(page)
    await page.locator('[data-group]').first().click()
    const wide = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('.table-scroll')].map(
        (element) => element.scrollWidth - element.clientWidth,
      ),
    )
    expect(wide).toEqual(wide.map(() => 0))
    expect(await brokenRules(page)).toEqual([])
    const printed = await page.evaluate(async () => {
      window.dispatchEvent(new Event('beforeprint'))
      // As the browser does between its event and the paper.
      await new Promise<void>((done) => queueMicrotask(done))
      const text = document.querySelector('table')?.textContent ?? ''
      window.dispatchEvent(new Event('afterprint'))
      return text
    })
    for (const { nummer } of rows) expect(printed).toContain(nummer)
  })

  test('an auditor reads them, too', async () => {
    const page = await house.visit('pruefer', PATH)
    await page.locator('[data-group]').first().waitFor()
    expect(await brokenRules(page)).toEqual([])
  })
})
