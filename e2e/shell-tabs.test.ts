// Tabs of open pages in use: work stays in the background, closing asks for confirmation, the menu, the
// keyboard, reloading. Tabs are switched on for everyone here.
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { type DemoRole, hasBrowser } from './browser.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('tabs', () => {
  const house = oneServer({ env: { TAGS_VIEW: 'on' } })

  const start = async (role: DemoRole, path: string): Promise<Page> => {
    const page = await house.visit(role, path)
    await bar(page).waitFor()
    return page
  }
  const bar = (page: Page) => page.getByRole('navigation', { name: 'Geöffnete Seiten' })
  const tab = (page: Page, name: string): Locator => bar(page).getByRole('link', { name, exact: true })
  const titles = (page: Page) => bar(page).getByRole('link').allInnerTexts()
  /** The tabs beside the pinned one. */
  const others = async (page: Page): Promise<string[]> => {
    const [pinned, ...rest] = await titles(page)
    expect(pinned).toBe('Mein Forstbetrieb')
    return rest
  }
  const heading = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })
  const pathOf = (page: Page) => new URL(page.url()).pathname
  const drawn = (page: Page) => page.locator('main .view').count()
  const follow = async (page: Page, name: string, path: string) => {
    await page.getByRole('navigation', { name: 'Hauptmenü' }).getByRole('link', { name, exact: true }).click()
    await page.waitForURL((url) => url.pathname === path)
  }
  /** Opens a customer and returns the name. */
  const openKunde = async (page: Page, at: number): Promise<string> => {
    await page.goto(`/kunden/${at}?ansicht=stammdaten`)
    await page.getByLabel('Telefon').waitFor()
    return heading(page).innerText()
  }

  test('input, scroll and filters stay while another page is open, and nothing is loaded again for it', async () => {
    const page = await start('ogf_admin', '/kunden/7?ansicht=stammdaten')
    await page.getByLabel('Telefon').waitFor()
    const name = await heading(page).innerText()
    await page.getByLabel('Telefon').fill('08221 4711')
    // What is still to come above would push the page down.
    await page.waitForLoadState('networkidle')
    await page.evaluate(() => window.scrollTo(0, 120))
    await follow(page, 'Kunden', '/kunden/index')
    await page.getByLabel('Kunden suchen').fill('Wald')
    await page.waitForURL(/Wald/)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
    expect(await others(page)).toEqual([expect.stringContaining(name), 'Kunden'])
    expect(await bar(page).getByText('nicht gespeichert').count()).toBe(1)

    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await bar(page)
      .getByRole('link', { name: new RegExp(name) })
      .click()
    await page.waitForURL('**/kunden/7?ansicht=stammdaten')
    await expect.poll(() => page.getByLabel('Telefon').inputValue()).toBe('08221 4711')
    expect(await page.evaluate(() => window.scrollY)).toBe(120)
    expect(asked.filter((url) => url.includes('/assets/'))).toEqual([])
    await tab(page, 'Kunden').click()
    await page.waitForURL(/\/kunden\/index\?.*Wald/)
    expect(await page.getByLabel('Kunden suchen').inputValue()).toBe('Wald')
    await page.goBack()
    await page.waitForURL('**/kunden/7?ansicht=stammdaten')
    expect(await page.getByLabel('Telefon').inputValue()).toBe('08221 4711')
  })

  test('a window left open in a page does not lie over the next one, and is there again on the way back', async () => {
    const page = await start('ogf_admin', '/kunden/index')
    await page.getByRole('button', { name: 'Kunde anlegen' }).click()
    await page.getByRole('dialog').getByRole('textbox').first().fill('Muster Wald GmbH')
    await page.evaluate(() => history.pushState(null, '', '/profile/index'))
    await page.evaluate(() => window.dispatchEvent(new PopStateEvent('popstate')))
    await page.getByLabel('Vorname').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Anna Ahorn' }).click()
    await page.keyboard.press('Escape')
    await bar(page)
      .getByRole('link', { name: /^Kunden/ })
      .click()
    await page.waitForURL('**/kunden/index')
    expect(await page.getByRole('dialog').getByRole('textbox').first().inputValue()).toBe('Muster Wald GmbH')
  })

  test('a page that is not to be kept begins anew, and asks before it is left with unsaved work', async () => {
    const page = await start('ogf_admin', '/profile/index')
    await page.getByLabel('Vorname').fill('Annegret')
    await bar(page).getByText('nicht gespeichert').waitFor()
    await page
      .getByRole('navigation', { name: 'Hauptmenü' })
      .getByRole('link', { name: 'Kunden', exact: true })
      .click()
    await page
      .getByRole('alertdialog', { name: 'Änderungen verwerfen?' })
      .getByRole('button', { name: 'Verwerfen' })
      .click()
    await page.waitForURL('**/kunden/index')
    expect(await drawn(page)).toBe(1)
    await tab(page, 'Profil').click()
    await expect.poll(() => page.getByLabel('Vorname').inputValue()).toBe('Anna')
  })

  test('closing: the open one leads to the last, another to nowhere, unsaved work is asked about', async () => {
    const page = await start('ogf_admin', '/kunden/index')
    const names = [await openKunde(page, 5), await openKunde(page, 6)]
    await tab(page, 'Kunden').click()
    await page.waitForURL('**/kunden/index')
    expect(await others(page)).toEqual(['Kunden', ...names])
    await bar(page)
      .getByRole('button', { name: `${names[0]} schließen` })
      .click()
    expect(await others(page)).toEqual(['Kunden', names[1]])
    expect(pathOf(page)).toBe('/kunden/index')
    // The middle button closes on release and opens no other window.
    await tab(page, 'Kunden').click({ button: 'middle' })
    await page.waitForURL('**/kunden/6?ansicht=stammdaten')
    expect(await others(page)).toEqual([names[1]])
    expect(page.context().pages()).toHaveLength(1)

    await page.getByLabel('Telefon').fill('1')
    await follow(page, 'Kunden', '/kunden/index')
    await bar(page)
      .getByRole('button', { name: `${names[1]} schließen` })
      .click()
    const question = page.getByRole('alertdialog', { name: 'Änderungen verwerfen?' })
    await question.getByText(names[1]!).waitFor()
    await question.getByRole('button', { name: 'Weiter bearbeiten' }).click()
    expect(await others(page)).toHaveLength(2)
    await bar(page)
      .getByRole('button', { name: `${names[1]} schließen` })
      .click()
    await question.getByRole('button', { name: 'Verwerfen' }).click()
    expect(await others(page)).toEqual(['Kunden'])
    await follow(page, 'Kunden', '/kunden/index')
    await page.goto('/kunden/6?ansicht=stammdaten')
    await expect.poll(() => page.getByLabel('Telefon').inputValue()).not.toBe('1')
  })

  test('the last tab of all leads home, and home itself begins anew', async () => {
    const page = await start('ogf_admin', '/kunden/index')
    await bar(page).getByRole('button', { name: 'Kunden schließen' }).click()
    await page.waitForURL('**/dashboard')
    expect(await titles(page)).toEqual(['Mein Forstbetrieb'])
    await heading(page).evaluate((element) => element.setAttribute('data-old', ''))
    await tab(page, 'Mein Forstbetrieb').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Aktualisieren' }).click()
    await page.locator('main h1:not([data-old])').waitFor()
    expect(pathOf(page)).toBe('/dashboard')
  })

  test('the menu: at its place, closed by a press, scrolling and Escape, moved by a second right click', async () => {
    const page = await start('apus_admin', '/dashboard')
    await page.goto('/verwaltung/betrieb')
    await tab(page, 'Betrieb').waitFor()
    const menu = page.getByRole('menu', { name: 'Aktionen für Betrieb' })
    const at = (await tab(page, 'Betrieb').boundingBox())!
    await page.mouse.click(at.x + 20, at.y + 9, { button: 'right' })
    await menu.waitFor()
    const placed = (await menu.boundingBox())!
    expect(placed.x - (at.x + 20)).toBeCloseTo(15, 0)
    expect(Math.abs(placed.y - (at.y + 9))).toBeLessThanOrEqual(1)
    expect(await menu.getByRole('menuitem').allInnerTexts()).toEqual([
      'Aktualisieren',
      'Schließen',
      'Andere schließen',
      'Alle schließen',
    ])
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    await tab(page, 'Betrieb').click({ button: 'right' })
    await page.getByRole('main').click({ position: { x: 5, y: 5 } })
    await menu.waitFor({ state: 'detached' })
    await tab(page, 'Betrieb').click({ button: 'right' })
    await tab(page, 'Mein Forstbetrieb').click({ button: 'right' })
    await menu.waitFor({ state: 'detached' })
    const pinned = page.getByRole('menu', { name: 'Aktionen für Mein Forstbetrieb' })
    expect(await pinned.getByRole('menuitem').allInnerTexts()).toEqual([
      'Aktualisieren',
      'Andere schließen',
      'Alle schließen',
    ])
    await page.evaluate(() => document.dispatchEvent(new Event('scroll')))
    await pinned.waitFor({ state: 'detached' })
    // Pinned tabs have no close button and ignore the middle button.
    expect(
      await bar(page)
        .getByRole('button', { name: /Mein Forstbetrieb/ })
        .count(),
    ).toBe(0)
    await tab(page, 'Mein Forstbetrieb').click({ button: 'middle' })
    expect(await titles(page)).toEqual(['Mein Forstbetrieb', 'Betrieb'])
    // Closing all from the pinned tab also closes the open page, and the pinned one opens.
    await tab(page, 'Mein Forstbetrieb').click({ button: 'right' })
    await pinned.getByRole('menuitem', { name: 'Alle schließen' }).click()
    await page.waitForURL('**/dashboard')
    expect(await titles(page)).toEqual(['Mein Forstbetrieb'])
  })

  test('others close and the pressed one opens; refreshing begins anew without a step in the history', async () => {
    const page = await start('ogf_admin', '/kunden/index')
    const name = await openKunde(page, 5)
    await openKunde(page, 6)
    await tab(page, name).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Andere schließen' }).click()
    await page.waitForURL('**/kunden/5?ansicht=stammdaten')
    expect(await others(page)).toEqual([name])
    await page.getByLabel('Telefon').fill('1')
    const steps = await page.evaluate(() => history.length)
    await bar(page)
      .getByRole('link', { name: new RegExp(name) })
      .click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Aktualisieren' }).click()
    const answered = page.waitForResponse((response) => response.url().includes('/rest/kunde?'))
    await page.getByRole('alertdialog').getByRole('button', { name: 'Verwerfen' }).click()
    await answered
    await expect.poll(() => page.getByLabel('Telefon').inputValue()).not.toBe('1')
    expect(pathOf(page)).toBe('/kunden/5')
    expect(await page.evaluate(() => history.length)).toBe(steps)
    expect(await others(page)).toEqual([name])
  })

  test('by keyboard: one tab in the order, arrows move, Enter opens, Delete closes, the menu key asks', async () => {
    const page = await start('ogf_admin', '/kunden/index')
    const names = [await openKunde(page, 5), await openKunde(page, 6)]
    await tab(page, names[1]!).focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/kunden/index')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    await tab(page, 'Kunden').focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Delete')
    await expect.poll(() => others(page)).toEqual(['Kunden', names[0]])
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(names[0])
    await page.keyboard.press('Shift+F10')
    const menu = page.getByRole('menu')
    await menu.waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Aktualisieren')
    await page.keyboard.press('ArrowUp')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Alle schließen')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Aktualisieren')
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(names[0])
  })

  test('many tabs: the wheel moves them, the open one is in sight, twenty pages are kept', async () => {
    const page = await start('ogf_admin', '/kunden/index')
    for (let id = 1; id <= 24; id++) {
      await page.evaluate((path) => {
        history.pushState(null, '', path)
        window.dispatchEvent(new PopStateEvent('popstate'))
      }, `/kunden/${id}`)
      await page.waitForFunction(
        (path) => document.querySelector(`.tab[data-active] a[href="${path}"]`) !== null,
        `/kunden/${id}`,
      )
    }
    expect((await others(page)).length).toBe(25)
    expect(await drawn(page)).toBe(20)
    const pane = page.locator('.tabs-pane')
    const left = () => pane.evaluate((element) => Math.round(element.scrollLeft))
    await heading(page).waitFor()
    await page.waitForLoadState('networkidle')
    const end = await pane.evaluate((element) => element.scrollWidth - element.clientWidth)
    expect(end).toBeGreaterThan(0)
    await expect.poll(async () => Math.abs((await left()) - end)).toBeLessThanOrEqual(1)
    await pane.hover()
    await page.mouse.wheel(0, -120)
    await expect.poll(left).toBe(Math.round(end - 30))
    await tab(page, 'Kunden').click()
    await expect.poll(left).toBe(0)
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
  })

  test('loading the page anew brings the tabs back; signing out forgets them', async () => {
    const page = await start('ogf_admin', '/kunden/index?ort=Kempten')
    const name = await openKunde(page, 5)
    expect(await others(page)).toEqual(['Kunden', name])
    await page.reload()
    await heading(page).waitFor()
    await expect.poll(() => others(page)).toEqual(['Kunden', name])
    await tab(page, 'Kunden').click()
    await page.waitForURL('**/kunden/index?ort=Kempten')
    await page.getByRole('button', { name: 'Anna Ahorn' }).click()
    await page.getByRole('menuitem', { name: 'Abmelden' }).click()
    await page.waitForURL(/\/login/)
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(
      name,
    )
  })

  test('no accessibility rule is broken by the bar, its menu and its question, in both schemes', async () => {
    const page = await start('ogf_admin', '/kunden/index')
    const name = await openKunde(page, 5)
    await page.getByLabel('Telefon').fill('1')
    await bar(page).getByText('nicht gespeichert').waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await brokenRules(page), colorScheme).toEqual([])
      const tabOf = bar(page).getByRole('link', { name: new RegExp(name) })
      const close = page.getByRole('menuitem', { name: 'Schließen', exact: true })
      // The bar scrolls away with the page; the event of the way back to it would close the menu.
      await tabOf.scrollIntoViewIfNeeded()
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      )
      await tabOf.click({ button: 'right' })
      expect(await brokenRules(page), `${colorScheme}, menu`).toEqual([])
      await close.click()
      expect(await brokenRules(page), `${colorScheme}, question`).toEqual([])
      await page.getByRole('alertdialog').getByRole('button', { name: 'Weiter bearbeiten' }).click()
    }
  })

  test('pages in the background ask the server nothing', async () => {
    const page = await start('ogf_admin', '/verwaltung/betrieb')
    await follow(page, 'Kunden', '/kunden/index')
    await page.waitForLoadState('networkidle')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await page.waitForTimeout(1500)
    expect(asked.filter((url) => url.includes('/betrieb'))).toEqual([])
  })
})
