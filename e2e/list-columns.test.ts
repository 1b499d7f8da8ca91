// Columns of a list: their order and widths by mouse, keys and buttons, kept for the person, and a first column
// that stays in sight.
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('columns of a list', () => {
  const house = oneServer()
  const heads = (page: Page) =>
    page.locator('thead th').evaluateAll((all) => all.map((th) => (th as HTMLElement).innerText.trim()))
  const head = (page: Page, key: string) => page.locator(`thead th[data-key="${key}"]`)
  const widthOf = (page: Page, key: string) =>
    head(page, key).evaluate((th) => (th as HTMLElement).offsetWidth)
  const openList = async (path = '/kunden/index', width = 1440): Promise<Page> => {
    const { page } = await house.visitor('ogf_admin', path, { viewport: { width, height: 900 } })
    await isReady(page)
    return page
  }
  const isReady = async (page: Page) => {
    await page.locator('.row-link').first().waitFor()
    await page.getByRole('button', { name: 'Spalten wählen' }).waitFor()
  }
  const boxOf = async (place: Locator) => (await place.boundingBox())!
  const reset = async (page: Page) => {
    await page.getByRole('button', { name: 'Spalten wählen' }).click()
    await page.getByRole('menuitem', { name: 'Standard wiederherstellen' }).click()
  }
  const kept = (page: Page) =>
    expect
      .poll(() =>
        page.evaluate(
          () =>
            (JSON.parse(localStorage.getItem('forstkontor.einstellung') ?? '{}') as { waiting?: [] }).waiting,
        ),
      )
      .toEqual([])

  test('the mouse drags a column and its edge; another browser knows of it', async () => {
    const page = await openList()
    const before = await heads(page)
    expect(before.slice(0, 4)).toEqual(['Name', 'PLZ', 'Ort', 'Bundesland'])
    const [land, plz] = [await boxOf(head(page, 'bundesland')), await boxOf(head(page, 'plz'))]
    await page.mouse.move(land.x + 30, land.y + 15)
    await page.mouse.down()
    await page.mouse.move(plz.x + 40, plz.y + 15, { steps: 4 })
    await page.mouse.move(plz.x + 4, plz.y + 15, { steps: 4 })
    await page.locator('.head-guide').waitFor()
    await page.mouse.up()
    await expect.poll(() => heads(page)).toEqual(['Name', 'Bundesland', 'PLZ', 'Ort', ...before.slice(4)])
    // It was no click: the order of the rows is as before.
    expect(await head(page, 'name').getAttribute('aria-sort')).toBe('ascending')
    expect(await head(page, 'bundesland').getAttribute('aria-colindex')).toBe('2')

    const ort = await boxOf(head(page, 'ort'))
    await page.mouse.move(ort.x + ort.width - 2, ort.y + 15)
    await page.mouse.down()
    await page.mouse.move(ort.x + 90, ort.y + 15, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => widthOf(page, 'ort')).toBe(90)
    await kept(page)
    const other = await openList()
    await expect.poll(() => heads(other)).toEqual(['Name', 'Bundesland', 'PLZ', 'Ort', ...before.slice(4)])
    expect(await widthOf(other, 'ort')).toBe(90)
    await reset(other)
    await expect.poll(() => heads(other)).toEqual(before)
    await kept(other)
  })

  test('Escape gives a drag up', async () => {
    const page = await openList()
    const before = await heads(page)
    const [land, plz] = [await boxOf(head(page, 'bundesland')), await boxOf(head(page, 'plz'))]
    await page.mouse.move(land.x + 30, land.y + 15)
    await page.mouse.down()
    await page.mouse.move(plz.x + 4, plz.y + 15, { steps: 4 })
    await page.keyboard.press('Escape')
    await page.locator('.head-guide').waitFor({ state: 'detached' })
    await page.mouse.up()
    expect(await heads(page)).toEqual(before)
  })

  test('keys do the same, and the focus goes with the column', async () => {
    const page = await openList()
    const before = await heads(page)
    await head(page, 'ort').getByRole('button').focus()
    await page.keyboard.press('Control+Shift+ArrowRight')
    await expect.poll(async () => (await heads(page)).indexOf('Ort')).toBe(3)
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('th')?.dataset['key']))
      .toBe('ort')
    const width = await widthOf(page, 'ort')
    await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(() => widthOf(page, 'ort')).toBe(width + 16)
    await page.getByText(`Ort: ${width + 16} Pixel breit`).waitFor({ state: 'attached' })
    await reset(page)
    await expect.poll(() => heads(page)).toEqual(before)
    await kept(page)
  })

  test('buttons do it too, and a view remembers it', async () => {
    const page = await openList()
    await page.getByRole('button', { name: 'Spalten wählen' }).click()
    await page.getByRole('menuitem', { name: 'Reihenfolge und Breite …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reihenfolge und Breite der Spalten' })
    await dialog.getByRole('button', { name: 'Ort nach vorn' }).click()
    await dialog.getByRole('button', { name: 'Ort breiter' }).click()
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Fertig' }).click()
    await expect.poll(async () => (await heads(page)).slice(0, 3)).toEqual(['Name', 'Ort', 'PLZ'])
    expect(await widthOf(page, 'ort')).toBe(176)
    await page.getByRole('button', { name: /^Ansichten/ }).click()
    await page.getByRole('menuitem', { name: 'Ansicht speichern …' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Ort zuerst')
    await page.keyboard.press('Enter')
    await page.getByText('Ansicht „Ort zuerst“ gespeichert.').waitFor()
    await reset(page)
    await expect.poll(async () => (await heads(page)).slice(0, 3)).toEqual(['Name', 'PLZ', 'Ort'])
    await page.getByRole('button', { name: /^Ansichten/ }).click()
    await page.getByRole('menuitem', { name: 'Ort zuerst' }).click()
    await expect.poll(async () => (await heads(page)).slice(0, 3)).toEqual(['Name', 'Ort', 'PLZ'])
    expect(await widthOf(page, 'ort')).toBe(176)
    await reset(page)
    await kept(page)
  })

  test('the first column stays while the others scroll, on the ground of its row', async () => {
    const page = await openList('/nutzer/index', 900)
    await page.getByRole('button', { name: 'Spalten wählen' }).click()
    for (const name of ['Kontaktadresse', 'Registriert', 'Geändert', 'Nr.'])
      await page.getByRole('menuitemcheckbox', { name }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => heads(page)).toContain('Nr.')
    const link = page.locator('.row-link').first()
    const left = (await boxOf(link)).x
    await page.locator('.table-scroll').evaluate((scroller) => scroller.scrollTo(300, 0))
    await page.locator('.table-scrolled').waitFor()
    expect((await boxOf(link)).x).toBe(left)
    const title = page.getByRole('columnheader', { name: 'Name' })
    const { x, y, height } = await boxOf(title)
    const onTop = await page.evaluate(
      ([left, top]) => document.elementFromPoint(left, top)?.closest('th')?.dataset['key'],
      [x + 20, y + height / 2] as const,
    )
    expect(onTop).toBe('name')
    // Ticked rows and those under the pointer too: what scrolls below is not seen through it.
    await page.getByRole('checkbox').nth(1).check()
    for (const place of [page.locator('.row-ticked'), page.locator('tbody tr').nth(3)]) {
      await place.hover()
      const grounds = await place.evaluate((row) =>
        [...row.querySelectorAll('td')].slice(1, 3).map((cell) => getComputedStyle(cell).backgroundColor),
      )
      expect(grounds[0]).toBe(grounds[1])
      expect(grounds[0]).not.toMatch(/rgba|transparent/)
    }
    expect(await brokenRules(page)).toEqual([])
    await reset(page)
    await kept(page)
  })
})
