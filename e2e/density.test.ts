// The compact density: a line of 32 px for each row, twenty of them at 900 px, chosen by each person.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasBrowser, type DemoRole } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

const LISTS: readonly (readonly [DemoRole, readonly string[]])[] = [
  ['ogf_admin', ['/kunden/index', '/forstbetriebe/index', '/nutzer/index']],
  [
    'apus_admin',
    [
      '/karten/index',
      '/member-management/client',
      '/buchhaltung/rechnungen',
      '/buchhaltung/angebote',
      '/buchhaltung/offene-posten',
      '/buchhaltung/mahnungen',
      '/buchhaltung/prognosen',
    ],
  ],
]
/** Without rows in the sample data; their table has the room for twenty. */
const EMPTY = ['/buchhaltung/eingang', '/buchhaltung/lastschriften']

const WIDE = { width: 1440, height: 900 }

/** Heights of the rows, how many of them are in sight, and how many there is room for. */
const rowsOf = (page: Page) =>
  page.evaluate(() => {
    // Not a table beside a chart.
    const table = document.querySelector<HTMLElement>('.list-toolbar ~ .table-frame .table-scroll')!
    const box = table.getBoundingClientRect()
    const rows = [...table.querySelectorAll<HTMLElement>('tbody tr:not(.row-skeleton)')]
    const foot = table.querySelector('tfoot')?.offsetHeight ?? 0
    const lower = Math.min(box.bottom, window.innerHeight) - foot
    const lowest = Math.min(
      box.top + Number.parseFloat(getComputedStyle(table).maxHeight),
      window.innerHeight,
    )
    const head = table.querySelector('thead')!.getBoundingClientRect().bottom
    return {
      all: rows.length,
      room: Math.floor((lowest - head - foot) / 32),
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
        const { all, inSight, room } = await rowsOf(page)
        expect(room, path).toBeGreaterThanOrEqual(20)
        expect(inSight, path).toBeGreaterThanOrEqual(Math.min(20, all))
      }
      await choose(page, null)
    })

  test('a list that is still empty keeps room for twenty', async () => {
    const { page } = await house.visitor('apus_admin', '/dashboard', { viewport: WIDE })
    await choose(page, 'small')
    for (const path of EMPTY) {
      await page.goto(path)
      await page.locator('.table-scroll thead th').first().waitFor()
      await isCompact(page)
      await expect.poll(async () => (await rowsOf(page)).room, { message: path }).toBeGreaterThanOrEqual(20)
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
