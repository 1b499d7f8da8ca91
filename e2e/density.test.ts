// The compact density: a line of 32 px for each row, twenty of them at 900 px, chosen by each person.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasBrowser, type DemoRole } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

const LISTS: readonly (readonly [DemoRole, readonly string[]])[] = [
  ['ogf_admin', ['/kunden/index', '/forstbetriebe/index', '/nutzer/index']],
  ['apus_admin', ['/karten/index', '/buchhaltung/rechnungen', '/buchhaltung/angebote']],
]

const WIDE = { width: 1440, height: 900 }

/** Heights of the rows, and how many of them are in sight. */
const rowsOf = (page: Page) =>
  page.evaluate(() => {
    const box = document.querySelector('.table-scroll')!.getBoundingClientRect()
    const rows = [...document.querySelectorAll<HTMLElement>('.table-scroll tbody tr:not(.row-skeleton)')]
    const lower = Math.min(box.bottom, window.innerHeight)
    return {
      heights: [...new Set(rows.map(({ offsetHeight }) => offsetHeight))],
      inSight: rows.map((row) => row.getBoundingClientRect()).filter(({ bottom }) => bottom <= lower).length,
    }
  })

describe.skipIf(!hasBrowser())('density of lists', () => {
  const house = oneServer()
  const choose = async (page: Page, size: 'small' | null) => {
    const values = { size }
    await call(house.app, await tokenOf(page), '/rest/rpc/__o_set_einstellungen', { werte: values })
  }
  const openList = async (page: Page, path: string) => {
    await page.goto(path)
    await page.locator('.table-scroll tbody tr:not(.row-skeleton) td').first().waitFor()
  }
  const isCompact = (page: Page) =>
    expect.poll(() => page.evaluate(() => document.documentElement.dataset['size'])).toBe('small')

  for (const [role, paths] of LISTS)
    test(`${role}: every row has 32 px, and lists of records show twenty of them`, async () => {
      const { page } = await house.visitor(role, '/dashboard', { viewport: WIDE })
      await choose(page, 'small')
      for (const path of paths) {
        await openList(page, path)
        await isCompact(page)
        await expect.poll(async () => (await rowsOf(page)).heights, { message: path }).toEqual([32])
        const { inSight } = await rowsOf(page)
        // Tabs and figures above them take their room.
        expect(inSight, path).toBeGreaterThanOrEqual(path.startsWith('/buchhaltung') ? 16 : 20)
      }
      await choose(page, null)
    })

  test('rows are roomy as long as nobody has chosen, and the choice is in the profile', async () => {
    const { page } = await house.visitor('ogf_admin', '/kunden/index', { viewport: WIDE })
    await openList(page, '/kunden/index')
    expect(Math.min(...(await rowsOf(page)).heights)).toBeGreaterThan(36)
    await page.goto('/profile/index')
    await page.getByRole('group', { name: 'Zeilen und Abstände' }).getByText('kompakt').click()
    await openList(page, '/kunden/index')
    await expect.poll(async () => (await rowsOf(page)).heights).toEqual([32])
    await choose(page, null)
  })

  test('a finger finds what it presses: no compact rows on a phone', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const { page } = await house.visitor('ogf_admin', '/kunden/index', phone)
    await choose(page, 'small')
    await openList(page, '/kunden/index')
    await isCompact(page)
    const small = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.list-toolbar button, .pagination button, .row-link')]
          .filter((element) => element.checkVisibility())
          .filter((one) => one.offsetHeight < (one.matches('.row-link') ? 24 : 44))
          .map(({ textContent }) => textContent),
      )
    expect(await small()).toEqual([])
    await choose(page, null)
  })
})
