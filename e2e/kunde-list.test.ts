// The list of customers: searching, filtering, sorting, paging, back navigation, columns, and exports that
// match the screen.
import { readFile } from 'node:fs/promises'
import Papa from 'papaparse'
import type { Page } from 'playwright-core'
import readXlsxFile from 'read-excel-file/node'
import { describe, expect, test } from 'vitest'
import { address, type ReadOptions } from '../web/src/data/addresses.ts'
import { KUNDEN } from '../web/src/features/kunde/kunden-list.ts'
import type { ListedKunde } from '../web/src/record/kunde/kunde-fields.ts'
import { collectRows } from '../web/src/list/export-rows.ts'
import { plainState } from '../web/src/list/list.ts'
import { stretchRead } from '../web/src/list/table-source.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('the list of customers', () => {
  const house = oneServer()
  let token: string | undefined
  /** Some customers without a state, which needs special handling in the sort order. */
  const freshToken = async (): Promise<string> => {
    const fresh = await tokenOf(await openList())
    await call(house.app, fresh, '/rest/kunde?client_id=in.(31,32,33)', { bundesland: null }, 'PATCH')
    return fresh
  }
  const openList = async (query = ''): Promise<Page> => {
    const { page } = await house.visitor('ogf_admin', `/kunden/index${query}`)
    await page.locator('.row-link').first().waitFor()
    return page
  }
  const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
  /** Waits until the rows match the address. */
  const settled = async (page: Page) => {
    await page.locator('table[aria-busy="false"]').waitFor()
  }
  const cells = async (page: Page): Promise<string[][]> => {
    await settled(page)
    return page
      .locator('tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.innerText.trim())),
      )
  }
  /** The choice is kept a moment later; the next visitor signs in as the same person. */
  const resetColumns = async (page: Page) => {
    await page.getByRole('button', { name: 'Spalten wählen' }).click()
    const isReset = page.waitForResponse(
      (answer) =>
        answer.url().endsWith('/rpc/__o_set_einstellungen') &&
        (answer.request().postData() ?? '').includes('"columns.kunden":null'),
    )
    await page.getByRole('menuitem', { name: 'Standard wiederherstellen' }).click()
    expect((await isReset).ok()).toBe(true)
  }
  const column = async (page: Page, at: number) => (await cells(page)).map((row) => row[at] ?? '')

  test('search, filter, sort and page stand in the address, and the way back leads through them', async () => {
    const page = await openList()
    const box = page.getByRole('searchbox', { name: 'Kunden suchen' })
    await page.getByText('1–25 von 500').waitFor()

    await box.fill('forst')
    await page.waitForURL(/suche=forst/)
    await settled(page)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('button', { name: /^Bundesland: / }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Bayern' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Niedersachsen' }).click()
    await page.keyboard.press('Escape')
    await page.waitForURL(/land=Bayern%2CNiedersachsen/)
    await page.getByRole('button', { name: 'Filter (1)' }).waitFor()
    expect(new Set(await column(page, 3))).toEqual(new Set(['Bayern', 'Niedersachsen']))

    await page.getByRole('button', { name: 'PLZ', exact: true }).click()
    await page.waitForURL(/sort=plz/)
    // The address changes first, the rows a moment later.
    const rising = async () => {
      const plz = await column(page, 1)
      return plz.length > 1 && plz.join() === plz.toSorted().join()
    }
    await expect.poll(rising).toBe(true)
    await page.getByRole('button', { name: 'PLZ', exact: true }).click()
    await page.waitForURL(/sort=-plz/)
    const falling = async () => {
      const plz = await column(page, 1)
      return plz.length > 1 && plz.join() === plz.toSorted().reverse().join()
    }
    await expect.poll(falling).toBe(true)
    expect(await page.locator('th[aria-sort="descending"]').innerText()).toBe('PLZ')

    // Back: sort, sort, then both filter states as one step; the search text stays.
    await page.goBack()
    expect(queryOf(page)).toEqual({ suche: 'forst', land: 'Bayern,Niedersachsen', sort: 'plz' })
    await page.goBack()
    await page.goBack()
    expect(queryOf(page)).toEqual({ suche: 'forst' })
    expect(await box.inputValue()).toBe('forst')
    await page.goForward()
    expect(queryOf(page)).toEqual({ suche: 'forst', land: 'Bayern,Niedersachsen' })

    await page.getByRole('navigation').getByRole('link', { name: 'Kunden', exact: true }).first().click()
    await page.getByText('1–25 von 500').waitFor()
    expect(queryOf(page)).toEqual({})
    expect(await box.inputValue()).toBe('')
  })

  test('all pages together are every customer once', async () => {
    const page = await openList('?zeilen=100&sort=ort')
    const seen: string[] = []
    for (let nr = 1; nr <= 5; nr++) {
      seen.push(
        ...(await page
          .locator('a[data-row-link]')
          .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))),
      )
      if (nr === 5) break
      await page.getByRole('button', { name: 'Nächste Seite' }).click()
      await page.waitForURL(new RegExp(`seite=${nr + 1}`))
      await page.getByText(`${nr * 100 + 1}–${(nr + 1) * 100} von 500`).waitFor()
      await settled(page)
    }
    expect(seen).toHaveLength(500)
    expect(new Set(seen).size).toBe(500)
    const next = page.getByRole('button', { name: 'Nächste Seite' })
    expect(await next.getAttribute('aria-disabled')).toBe('true')
    expect(await next.evaluate((button) => button === document.activeElement)).toBe(true)
  })

  test('umlauts are found both ways, every word must be there, and typed wildcards are letters', async () => {
    const page = await openList('?suche=m%C3%BCller')
    const total = await page.locator('.page-subtitle').innerText()
    const box = page.getByRole('searchbox', { name: 'Kunden suchen' })
    await box.fill('MUELLER')
    await page.waitForURL(/suche=MUELLER/)
    await settled(page)
    await expect.poll(() => page.locator('.page-subtitle').innerText()).toBe(total)
    await box.fill('müller gibtesnicht')
    await page.getByText('Keine Kunden gefunden').waitFor()
    for (const typed of ['%', '_ _', '\\', '(),."', "'; drop table app.kunde; --"]) {
      await box.fill(typed)
      await page.waitForURL((address) => address.searchParams.get('suche') === typed)
      await page.getByText('Keine Kunden gefunden').waitFor()
    }
    await page.getByRole('button', { name: 'Suche und Filter zurücksetzen' }).click()
    await page.getByText('1–25 von 500').waitFor()
  })

  test('postcode, day, Kataster and system filter; a broken address is a plain list', async () => {
    const page = await openList('?plz=0&kataster=an&epsg=25833&seit=2000-01-01')
    await page.getByRole('button', { name: 'Filter (4)' }).click()
    const since = page.getByRole('textbox', { name: 'Geändert seit' })
    const rows = await cells(page)
    expect(rows.length).toBeGreaterThan(0)
    for (const [, plz, , , , kataster] of rows) {
      expect(plz).toMatch(/^0\d{4}$/)
      expect(kataster).toBe('an')
    }
    await since.fill('31.12.2999')
    await page.keyboard.press('Enter')
    await page.getByText('Keine Kunden gefunden').waitFor()
    await since.fill('31.31.')
    await page.keyboard.press('Enter')
    await page.getByText('Bitte ein Datum wie 31.12.2026.').waitFor()
    expect(queryOf(page)['seit']).toBe('2999-12-31')
    await page.goto('/kunden/index?seite=abc&sort=geheim&land=Atlantis&zeilen=9999&plz=x')
    await page.getByText('1–25 von 500').waitFor()
  })

  test('a page beyond the end leads to the last one', async () => {
    const { page } = await house.visitor('ogf_admin', '/kunden/index?seite=999')
    await page.getByRole('button', { name: 'Zur letzten Seite' }).click()
    await page.getByText('476–500 von 500').waitFor()
  })

  test('chosen columns are remembered and can be reset', async () => {
    const page = await openList()
    const heads = () => page.locator('thead th').allInnerTexts()
    const plain = await heads()
    await page.getByRole('button', { name: 'Spalten wählen' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Telefon' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Bundesland', exact: true }).click()
    await page.keyboard.press('Escape')
    const chosen = plain
      .filter((head) => head !== 'Bundesland')
      .toSpliced(plain.indexOf('Ansprechpartner'), 0, 'Telefon')
    await expect.poll(heads).toEqual(chosen)
    await page.reload()
    await page.locator('.row-link').first().waitFor()
    expect(await heads()).toEqual(chosen)
    await resetColumns(page)
    await expect.poll(heads).toEqual(plain)
  })

  test('beside the open menu there is room: columns of lesser importance go first, chosen ones stay', async () => {
    const page = await openList()
    const heads = () => page.locator('thead th').allInnerTexts()
    const plain = await heads()
    const over = () =>
      page.locator('.table-scroll').evaluate((table) => table.scrollWidth - table.clientWidth)
    await page.setViewportSize({ width: 1024, height: 768 })
    await expect.poll(over).toBe(0)
    const few = await heads()
    expect(few.length).toBeLessThan(plain.length)
    expect(plain.filter((head) => !few.includes(head))[0]).toMatch(/Geändert|Ansprechpartner/)
    await page.setViewportSize({ width: 1360, height: 900 })
    await expect.poll(heads).toEqual(plain)
    // Columns chosen by hand stay, and the table scrolls.
    await page.getByRole('button', { name: 'Spalten wählen' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Telefon' }).click()
    await page.keyboard.press('Escape')
    await expect.poll(heads).toContain('Telefon')
    const chosen = await heads()
    await page.setViewportSize({ width: 1024, height: 768 })
    await expect.poll(over).toBeGreaterThan(0)
    expect(await heads()).toEqual(chosen)
    await resetColumns(page)
  })

  test('the CSV is what is shown: filter, order, columns, every page', async () => {
    const page = await openList('?plz=9&sort=-ort&zeilen=100')
    const shown = await cells(page)
    expect(shown.length).toBeGreaterThan(30)
    await page.goto('/kunden/index?plz=9&sort=-ort&zeilen=25')
    await page.getByText(`1–25 von ${shown.length}`).waitFor()
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('menuitem', { name: 'CSV für Excel' }).click()
    const file = await coming
    expect(file.suggestedFilename()).toMatch(/^Kunden_\d{4}-\d{2}-\d{2}\.csv$/)
    const text = await readFile(await file.path(), 'utf8')
    expect(text.startsWith('\ufeffName;Namenszusatz;PLZ;Ort;')).toBe(true)
    const [head, ...rows] = Papa.parse<string[]>(text.slice(1), { delimiter: ';', skipEmptyLines: true }).data
    expect(head).toEqual([
      'Name',
      'Namenszusatz',
      'PLZ',
      'Ort',
      'Bundesland',
      'Ansprechpartner',
      'Kataster',
      'Geändert',
    ])
    expect(rows.map((row) => onScreen(row, String))).toEqual(shown)
    await page.getByText(`${shown.length} Kunden exportiert.`).waitFor()
  })

  test('the workbook is what is shown, with texts as texts and times as times', async () => {
    const page = await openList('?suche=gut&zeilen=100')
    const shown = await cells(page)
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Excel (XLSX)' }).click()
    const [sheet] = await readXlsxFile(await readFile(await (await coming).path()))
    const [head, ...rows] = (sheet as { data: unknown[][] }).data
    expect(head?.slice(0, 3)).toEqual(['Name', 'Namenszusatz', 'PLZ'])
    expect(rows.map((row) => onScreen(row, asDay))).toEqual(shown)
    expect(rows.every((row) => typeof row[2] === 'string' && row[7] instanceof Date)).toBe(true)
  })

  test.each(
    Object.keys(KUNDEN.sorts).flatMap((sort) =>
      [false, true].map((isDescending) => [sort, isDescending] as const),
    ),
  )(
    'pages by key are the list in its order, none twice and none left out: %s, descending %s',
    async (sort, isDescending) => {
      token ??= await freshToken()
      const state = { ...plainState(KUNDEN), suche: 'e', sort, isDescending }
      const fetchAt = async (read: ReadOptions) =>
        (await call(house.app, token ?? '', `/rest/${address('kunde', read)}`)).json as ListedKunde[]
      const whole = await fetchAt({ ...stretchRead(KUNDEN, state, null, 1_000) })
      expect(whole.length).toBeGreaterThan(400)
      // Fewer than requested, because a server may limit it.
      const rows = await collectRows(
        KUNDEN,
        state,
        (mark) => fetchAt(stretchRead(KUNDEN, state, mark, 61)),
        () => undefined,
      )
      expect(rows.map(({ client_id }) => client_id)).toEqual(whole.map(({ client_id }) => client_id))
    },
  )

  test('without a network the list says so, and the retry brings it', async () => {
    const page = await openList()
    // The browser itself logs failed requests.
    house.provokes(/ERR_INTERNET_DISCONNECTED/)
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Letzte Seite' }).click()
    await page.getByText('Der Server ist zurzeit nicht erreichbar').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Erneut versuchen' }).click()
    await page.getByText('476–500 von 500').waitFor()
  })
})

/**
 * A file's row as shown on screen: name and its second line in one cell, times as days, empty values as a
 * dash.
 */
function onScreen(
  [name, addition, ...others]: readonly unknown[],
  dayOf: (cell: unknown) => string,
): string[] {
  const last = dayOf(others.at(-1)).slice(0, 10)
  const middle = others.slice(0, -1).map((cell) => (cell === '' || cell === null ? '–' : String(cell)))
  return [
    addition === '' || addition === null ? String(name) : `${String(name)}\n${String(addition)}`,
    ...middle,
    last,
  ]
}
/** Excel times have no zone; they are written as local wall-clock time. */
const asDay = (cell: unknown): string =>
  cell instanceof Date ? cell.toISOString().slice(0, 10).split('-').reverse().join('.') : ''
