// The figures of the Umsatzsteuer-Voranmeldung: by supply and by payment, each with its documents, as a file, on a
// desk and on a phone.
import { officeDay } from '#server/office-day.ts'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { LIEFERANT } from './lieferant.ts'
import { oneServer } from './one-server.ts'

const PATH = '/buchhaltung/umsatzsteuer'
const TODAY = officeDay(new Date())
// A month whose form is known, whenever the test runs: an invoice of today may bill a supply of then.
const [SUPPLIED, PAID] = ['2026-08-14', '2026-08-20']
const MONTH = `${PATH}?jahr=2026&zeitraum=m8`

describe.skipIf(!hasBrowser())('turnover tax', () => {
  const house = oneServer()
  const ask = async <T>(page: Page, name: string, body: object): Promise<T> => {
    const { status, json } = await call(house.app, await tokenOf(page), `/rest/rpc/${name}`, body)
    expect([name, status, json]).toEqual([name, expect.toSatisfy((code: number) => code < 300), json])
    return json as T
  }
  const issue = async (page: Page): Promise<{ id: number; nummer: string }> => {
    const id = await ask<number>(page, 'a_add_invoice', {
      client_id: 41,
      rn_datum: TODAY,
      le_date: SUPPLIED,
      ust_satz: '19',
    })
    await ask(page, 'a_save_positions', {
      rechnung_id: id,
      positionen: [
        { anzahl: '1', einheit: 'Stk', bez: 'Vermessung', ep: '1000.50' },
        { anzahl: '1', einheit: 'Stk', bez: 'Pflanzen', ep: '100', ust_satz: '7' },
      ],
    })
    const [{ nummer }] = await ask<[{ nummer: string }]>(page, 'a_issue_invoice', { invoice_id: id })
    return { id, nummer }
  }
  const figures = (page: Page) => page.getByRole('region', { name: /^Kennzahlen für / })
  /** The base by the documents of a figure, in cents. */
  const baseOf = async (page: Page, kz: string): Promise<number> => {
    const cell = figures(page)
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: new RegExp(`^${kz} `) }) })
      .getByRole('cell')
      .first()
    const text = await cell.innerText()
    const [, form = '', exact] = /^([\d.-]+)\s€(?:\s*laut Belegen ([\d.,-]+))?/.exec(text) ?? []
    return Number((exact ?? `${form},00`).replaceAll(/[.,]/g, ''))
  }
  const opened = async (page: Page, address: string) => {
    await page.goto(address)
    await figures(page).waitFor()
  }

  test('by supply, then by payment; each figure leads to its documents', { timeout: 180_000 }, async () => {
    const page = await house.visit('apus_admin', MONTH)
    await ask(page, 'a_set_lieferant', { werte: { ...LIEFERANT, besteuerung: 'soll' } })
    await opened(page, MONTH)
    const before = [await baseOf(page, '81'), await baseOf(page, '86')]
    const { id, nummer } = await issue(page)
    await opened(page, MONTH)
    await page.getByText('Nach vereinbarten Entgelten').waitFor()
    expect([await baseOf(page, '81'), await baseOf(page, '86')]).toEqual([
      before[0]! + 100_050,
      before[1]! + 10_000,
    ])
    expect(await brokenRules(page)).toEqual([])

    await page.getByRole('link', { name: /Belege? zu Kennzahl 81$/ }).click()
    const documents = page.getByRole('region', { name: 'Belege zu Kennzahl 81' })
    const row = documents.getByRole('row').filter({ hasText: nummer })
    await row.getByText('1.000,50').waitFor()
    await row.getByText('190,10').waitFor()
    expect(await row.getByRole('link').getAttribute('href')).toBe(`/buchhaltung/rechnungen/rechnung/${id}`)
    expect(await brokenRules(page)).toEqual([])

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^Umsatzsteuer_2026-\d\d-01_2026-\d\d-\d\d\.csv$/)
    const lines = readFileSync(await download.path(), 'utf8').split('\r\n')
    expect(lines.find((line) => line.startsWith('81;') && line.includes(nummer))).toMatch(/;1000,5;190,1;;$/)
    expect(
      lines.filter((line) => /^(?:81|86|35\/36|41|43|48|42|60|21|45);.*;Summe;/.test(line)),
    ).toHaveLength(10)

    // By payment, the invoice counts only with what was paid of it.
    await ask(page, 'a_set_lieferant', { werte: { besteuerung: 'ist' } })
    await opened(page, MONTH)
    await page.getByText('Nach vereinnahmten Entgelten').waitFor()
    const unpaid = await baseOf(page, '86')
    await ask(page, 'a_add_payment', { rechnung_id: id, datum: PAID, betrag: '648.80' })
    await opened(page, `${MONTH}&kz=86`)
    expect(await baseOf(page, '86')).toBe(unpaid + 5_000)
    const paid = page.getByRole('region', { name: 'Belege zu Kennzahl 86' })
    await paid.getByRole('row').filter({ hasText: nummer }).getByRole('cell', { name: 'Zahlung' }).waitFor()
    await ask(page, 'a_set_lieferant', { werte: { besteuerung: 'soll' } })
  })

  test('a change of taxation has a month, and the page of a month says what held then', async () => {
    const page = await house.visit('apus_admin', '/buchhaltung/einstellungen')
    await page.getByRole('button', { name: 'Wechsel der Besteuerung: Wechsel eintragen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Wechsel der Besteuerung' })
    await dialog.getByLabel('Gilt ab').fill('15.02.2026')
    await dialog.getByRole('button', { name: 'Eintragen' }).click()
    await dialog.getByText(/^Der erste Tag eines Monats/).waitFor()
    await dialog.getByLabel('Gilt ab').fill('01.02.2026')
    await dialog.getByRole('button', { name: 'Eintragen' }).click()
    const remove = page.getByRole('button', { name: 'Wechsel ab 01.02.2026 entfernen' })
    await remove.waitFor()
    expect(await brokenRules(page)).toEqual([])
    for (const [part, title] of [
      ['m1', 'Nach vereinbarten Entgelten'],
      ['m2', 'Nach vereinnahmten Entgelten'],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one page
      await page.goto(`/buchhaltung/umsatzsteuer?jahr=2026&zeitraum=${part}`)
      // oxlint-disable-next-line no-await-in-loop -- one page
      await page.getByText(title).waitFor()
    }
    await page.getByText('Leistungen vor einem Wechsel zählen').waitFor()
    await page.goto('/buchhaltung/einstellungen')
    await remove.click()
    await remove.waitFor({ state: 'detached' })
  })

  test('another period is chosen, an unknown form says so, an empty month as well', async () => {
    const page = await house.visit('apus_admin', MONTH)
    await figures(page).waitFor()
    await page.getByLabel('Zeitraum', { exact: true }).selectOption({ label: '1. Quartal 2026' })
    await page.getByRole('heading', { name: 'Kennzahlen für 1. Quartal 2026' }).waitFor()
    // The sample books end today and begin fourteen months before: only in December of 2026 no month is empty.
    for (let month = 12; month > 0; month--) {
      const [from, to] = [new Date(Date.UTC(2026, month - 1, 1)), new Date(Date.UTC(2026, month, 0))]
      const days = { von: from.toISOString().slice(0, 10), bis: to.toISOString().slice(0, 10) }
      // oxlint-disable-next-line no-await-in-loop -- until the first that is empty
      if ((await ask<unknown[]>(page, 'a_get_ust', days)).length > 0) continue
      // oxlint-disable-next-line no-await-in-loop -- once
      await page.goto(`${PATH}?jahr=2026&zeitraum=m${month}`)
      // oxlint-disable-next-line no-await-in-loop -- once
      await page.getByText('In diesem Zeitraum gibt es keine Umsätze').waitFor()
      break
    }
    await page.goto(`${PATH}?jahr=2031&zeitraum=m1`)
    await page.getByText('Den Vordruck für 2031 kennt Forstkontor nicht').waitFor()
    expect(await brokenRules(page)).toEqual([])
  })

  test('on a phone nothing scrolls sideways, and the amounts are in sight', async () => {
    const page = await house.visit('apus_admin', `${MONTH}&kz=81`, { viewport: { width: 390, height: 844 } })
    await figures(page).waitFor()
    const wide = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('.table-scroll')].map(
        (element) => element.scrollWidth - element.clientWidth,
      ),
    )
    expect(wide).toEqual([0, 0, 0])
    expect(await brokenRules(page)).toEqual([])
  })

  test('an auditor reads the same page and changes nothing', async () => {
    const page = await house.visit('pruefer', MONTH)
    await figures(page).waitFor()
    expect(
      await page.getByRole('main').getByRole('link', { name: 'In den Einstellungen ändern' }).count(),
    ).toBe(0)
    expect(await brokenRules(page)).toEqual([])
  })
})
