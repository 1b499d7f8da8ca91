// Sums below a list: of everything that its search and filters leave.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('sums of a list', () => {
  const house = oneServer()
  const foot = (page: Page) => page.locator('tfoot')
  /** Added up here from every row, in cents. */
  const expected = async (page: Page, query: string): Promise<string> => {
    const { json } = await call(house.app, await tokenOf(page), `/rest/rechnung_liste?select=brutto&${query}`)
    const cents = (json as { brutto: number }[]).reduce(
      (sum, { brutto }) => sum + Math.round(brutto * 100),
      0,
    )
    return (cents / 100).toLocaleString('de-DE', { minimumFractionDigits: 2 })
  }

  test('the foot has the sums of all pages and follows the filters', async () => {
    const page = await house.visit('apus_admin', '/buchhaltung/rechnungen')
    await foot(page).waitFor()
    const all = await expected(page, 'archiviert=eq.false')
    await expect.poll(() => foot(page).innerText()).toContain(all)
    await expect.poll(() => foot(page).getByRole('rowheader').innerText()).toMatch(/^Summe aller \d+$/)
    expect(await brokenRules(page)).toEqual([])
    await page.goto('/buchhaltung/rechnungen?stand=offen,ueberfaellig')
    const open = await expected(page, 'archiviert=eq.false&stand=in.(offen,ueberfaellig)')
    expect(open).not.toBe(all)
    await expect.poll(() => foot(page).innerText()).toContain(open)
    // The second page has the same sums.
    await page.goto('/buchhaltung/rechnungen?seite=2')
    await expect.poll(() => foot(page).innerText()).toContain(all)
  })

  test('a list without numbers to add has no foot, nor has an empty one', async () => {
    const page = await house.visit('ogf_admin', '/nutzer/index')
    await page.locator('.row-link').first().waitFor()
    expect(await foot(page).count()).toBe(0)
    await page.goto('/forstbetriebe/index?suche=gibtesnicht')
    await page.getByRole('button', { name: 'Suche und Filter zurücksetzen' }).waitFor()
    expect(await foot(page).count()).toBe(0)
    await page.goto('/forstbetriebe/index')
    await expect.poll(() => foot(page).innerText()).toMatch(/\d{2},\d{2}\sha/)
  })
})
