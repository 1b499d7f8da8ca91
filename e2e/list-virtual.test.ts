// A list of 10,000 rows held in the browser: only visible rows are in the document; everything else works as
// usual.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROWS, type RowsPage, rows, serveRows } from '../bench/web/rows-page.ts'
import { brokenRules } from './axe.ts'
import { hasBrowser, launchBrowser } from './browser.ts'

describe.skipIf(!hasBrowser())('10,000 rows in the browser', () => {
  let served: RowsPage
  let browser: Browser
  let page: Page
  const complaints: string[] = []

  beforeAll(async () => {
    ;[served, browser] = await Promise.all([serveRows(), launchBrowser()])
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    page.on('pageerror', (error) => complaints.push(String(error)))
    // Saved views need a server; this page has none.
    await page.route('**/rest/**', (route) => route.abort())
    await page.goto(served.origin)
    await page.getByText('10.000 Zeilen').first().waitFor()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    served?.close()
    expect(complaints).toEqual([])
  })
  const links = () => page.locator('a[data-row-link]')
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  const collator = new Intl.Collator('de', { numeric: false, ignorePunctuation: true })

  test('few rows are in the document, and it is told how many there are', async () => {
    expect(await links().count()).toBeLessThan(60)
    expect(await page.locator('table').getAttribute('aria-rowcount')).toBe(String(ROWS + 1))
    expect(await brokenRules(page)).toEqual([])
  })

  test('End, Home and arrows lead through all of them', async () => {
    const names = rows.map(({ name }) => name).sort(collator.compare)
    await links().first().focus()
    expect(await focused()).toBe(names[0])
    await page.keyboard.press('End')
    await expect.poll(focused).toBe(names.at(-1))
    await page.keyboard.press('ArrowUp')
    await expect.poll(focused).toBe(names.at(-2))
    await page.keyboard.press('Home')
    await expect.poll(focused).toBe(names[0])
    for (let step = 1; step <= 40; step++) {
      await page.keyboard.press('ArrowDown')
      await expect.poll(focused).toBe(names[step])
    }
  })

  test('another order begins at its top', async () => {
    await page.getByRole('button', { name: 'Fläche' }).click()
    await expect.poll(() => page.locator('tbody tr[data-line="0"] td').last().count()).toBe(1)
    await expect.poll(() => page.locator('.table-virtual').evaluate((element) => element.scrollTop)).toBe(0)
    await expect.poll(() => page.locator('tbody tr[data-line="0"] td').nth(4).innerText()).toBe('0.25')
    // Descending: rows without a value come first, as in the database.
    await page.getByRole('button', { name: 'Fläche' }).click()
    await expect.poll(() => page.locator('tbody tr[data-line="0"] td').nth(4).innerText()).toBe('')
  })

  test('search and filters in the address; ticks survive scrolling', async () => {
    await page.goto(`${served.origin}/?suche=uebel&art=Verein`)
    const expected = rows.filter(
      ({ name, ort, art }) => art === 'Verein' && /übel/i.test(`${name} ${ort}`),
    ).length
    await page.getByText(`${expected.toLocaleString('de-DE')} Treffer`).waitFor()
    const first = page.locator('tbody tr[data-line="0"]')
    await first.getByRole('checkbox').check()
    await page.getByText('1 Zeile ausgewählt').waitFor()
    await page.getByRole('button', { name: `Alle ${expected.toLocaleString('de-DE')} auswählen` }).click()
    await page.getByText(`${expected.toLocaleString('de-DE')} Zeilen ausgewählt`).waitFor()
    await links().first().focus()
    await page.keyboard.press('End')
    await expect.poll(() => page.locator('tbody .row-ticked').count()).toBeGreaterThan(5)
    await page.getByRole('button', { name: 'Nichts tun' }).click()
    await page
      .getByText(`${expected.toLocaleString('de-DE')} Zeilen ausgewählt`)
      .waitFor({ state: 'detached' })
  })
})
