// Small tables on a phone: none is cut off or scrolls sideways, and each value is named.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { oneServer } from './one-server.ts'
import { fillIds } from './pages.ts'
import { tokenOf } from './calls.ts'

const PHONE = { viewport: { width: 390, height: 844 } }
const PATHS = [
  '/buchhaltung/dashboard',
  '/buchhaltung/umsatzsteuer',
  '/buchhaltung/prognosen',
  '/buchhaltung/rechnungen/rechnung/$id',
  '/buchhaltung/offene-posten/konto/$id',
  '/buchhaltung/eingang/rechnung/$id',
]

/** Blocks that touch the edge of their card. */
const atEdge = (page: Page) =>
  page.locator('.table-small-blocks tbody td').evaluateAll(
    (all) =>
      all.filter((cell) => {
        const card = cell.closest('.card')!.getBoundingClientRect()
        return cell.checkVisibility() && cell.getBoundingClientRect().left < card.left + 12
      }).length,
  )

/** What is wider than its place, of all small tables that are shown. */
const tooWide = (page: Page) =>
  page
    .locator('.table-small')
    .evaluateAll((all) =>
      all
        .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth)
        .map((one) => `${one.getAttribute('aria-label')}: ${one.scrollWidth} in ${one.clientWidth}`),
    )

describe.skipIf(!hasBrowser())('small tables at 390 px', () => {
  const house = oneServer()

  test('are whole', async () => {
    const page = await house.visit('apus_admin', '/dashboard', PHONE)
    const token = await tokenOf(page)
    let seen = 0
    let blocks = 0
    for (const path of PATHS) {
      await page.goto(await fillIds(house.app, token, path))
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.locator('main .card').first().waitFor()
      await page.waitForLoadState('networkidle')
      for (const more of await page.locator('main details:not([open]) > summary').all()) await more.click()
      await expect.poll(() => tooWide(page), { message: path }).toEqual([])
      expect(await atEdge(page), path).toBe(0)
      seen += await page.locator('.table-small').count()
      blocks += await page.locator('.table-small-blocks').count()
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(await overflow(), path).toBeLessThanOrEqual(0)
    }
    expect(seen).toBeGreaterThan(4)
    expect(blocks).toBeGreaterThan(0)
  })

  test('a line of an invoice has its explanation below it, and no word breaks', async () => {
    const page = await house.visit('apus_admin', '/dashboard', PHONE)
    await page.goto(await fillIds(house.app, await tokenOf(page), '/buchhaltung/rechnungen/rechnung/$id'))
    const text = page.locator('.table-small-blocks td[data-title="Bezeichnung"]:has(div, small, p)').first()
    await text.waitFor()
    const { name, more } = await text.evaluate((cell) => {
      const range = document.createRange()
      range.selectNodeContents(cell.firstChild!)
      return { name: range.getBoundingClientRect(), more: cell.lastElementChild!.getBoundingClientRect() }
    })
    expect(more.top).toBeGreaterThanOrEqual(name.bottom - 1)
    expect(more.left).toBeLessThanOrEqual(name.left)
  })

  test('a block names its values, and a wide window shows the table again', async () => {
    const page = await house.visit('ogf_admin', '/verwaltung/bausteine', PHONE)
    await page.getByText('Zahlen als Tabelle').first().click()
    const table = page.locator('.table-small-blocks').first()
    await table.waitFor()
    const cell = table.locator('tbody td').first()
    const title = await cell.getAttribute('data-title')
    expect(title).not.toBe('')
    expect(await cell.evaluate((one) => getComputedStyle(one, '::before').content)).toContain(title!)
    expect(await brokenRules(page)).toEqual([])
    await page.setViewportSize({ width: 1200, height: 900 })
    await page.locator('.table-small').first().waitFor()
    await expect.poll(() => page.locator('.table-small-blocks').count()).toBe(0)
  })
})
