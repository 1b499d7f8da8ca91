// The frame around every page: the menu expanded, collapsed and as a drawer, by mouse and by keyboard;
// breadcrumb; what changes when rights change.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { type DemoRole, hasBrowser } from './browser.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('the frame', () => {
  const house = oneServer()

  /** With animations, because they belong to the frame. */
  const start = (role: DemoRole, path: string): Promise<Page> =>
    house.visit(role, path, { reducedMotion: 'no-preference' })
  const menu = (page: Page) => page.getByRole('navigation', { name: 'Hauptmenü' })
  const sidebar = (page: Page) => page.locator('aside.sidebar')
  /** Without soft hyphens. */
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.textContent?.trim().replaceAll('\u00ad', '') ?? '')
  const cookie = async (page: Page) =>
    (await page.context().cookies()).find(({ name }) => name === 'sidebarStatus')?.value
  const widthOf = async (page: Page) => Math.round((await sidebar(page).boundingBox())!.width)
  /** Its preferences are loaded and sent: there is nothing to do any more. */
  const settled = (page: Page) =>
    expect
      .poll(
        () =>
          page.evaluate(() => {
            const kept = JSON.parse(localStorage.getItem('forstkontor.einstellung') ?? '{}') as {
              user?: number
              waiting?: string[]
            }
            return kept.user !== undefined && kept.waiting?.length === 0
          }),
        { timeout: 20_000 },
      )
      .toBe(true)
  const settledWidth = (page: Page) => expect.poll(() => widthOf(page))

  test('210 px open, 54 px folded; only the person’s own choice is remembered', async () => {
    const page = await start('ogf_admin', '/kunden/index')
    await settledWidth(page).toBe(210)
    expect(await cookie(page)).toBeUndefined()
    await page.getByRole('button', { name: 'Menü einklappen' }).click()
    await settledWidth(page).toBe(54)
    expect(await cookie(page)).toBe('0')
    await page.setViewportSize({ width: 800, height: 700 })
    await page.getByRole('button', { name: 'Menü öffnen' }).click()
    await menu(page).getByRole('link', { name: 'Kunden', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    expect(await cookie(page)).toBe('0')
    await page.setViewportSize({ width: 1300, height: 700 })
    await settledWidth(page).toBe(54)
    await page.getByRole('button', { name: 'Menü ausklappen' }).click()
    await settledWidth(page).toBe(210)
    expect(await cookie(page)).toBe('1')
  })

  test('992 px is a desktop, 991 px has the drawer; crossing and sizes in between move nothing', async () => {
    const page = await start('ogf_admin', '/kunden/index')
    await page.setViewportSize({ width: 992, height: 800 })
    await settledWidth(page).toBe(210)
    expect(await page.getByRole('button', { name: 'Menü einklappen' }).count()).toBe(1)
    await page.setViewportSize({ width: 991, height: 800 })
    await page.getByRole('button', { name: 'Menü öffnen' }).waitFor()
    expect(await sidebar(page).evaluate((element) => getComputedStyle(element).transitionDuration)).toMatch(
      /^0s/,
    )
    expect(
      await sidebar(page).evaluate((element) => element.getBoundingClientRect().right),
    ).toBeLessThanOrEqual(0)
    await page.getByRole('button', { name: 'Menü öffnen' }).click()
    const link = menu(page).getByRole('link', { name: 'Kunden', exact: true })
    await link.waitFor()
    // A phone's keyboard and address bar keep changing the size.
    for (const [width, height] of [
      [990, 500],
      [700, 800],
      [980, 300],
      [990, 800],
    ] as const)
      await page.setViewportSize({ width, height })
    expect(await link.isVisible()).toBe(true)
  })

  for (const reducedMotion of ['no-preference', 'reduce'] as const)
    test(`the drawer at 990 px, motion ${reducedMotion}: closed by Escape, outside and by a page`, async () => {
      const page = await start('ogf_admin', '/kunden/index')
      await page.emulateMedia({ reducedMotion })
      await page.setViewportSize({ width: 990, height: 800 })
      const toggle = page.getByRole('button', { name: 'Menü öffnen' })
      const link = menu(page).getByRole('link', { name: 'Kunden', exact: true })
      await toggle.click()
      await link.waitFor()
      await expect
        .poll(() => page.evaluate(() => document.querySelector('.sidebar')?.contains(document.activeElement)))
        .toBe(true)
      for (let step = 0; step < 25; step++) {
        await page.keyboard.press('Tab')
        expect(
          await page.evaluate(
            () =>
              document.activeElement === document.body ||
              document.querySelector('.sidebar')?.contains(document.activeElement),
          ),
        ).toBe(true)
      }
      await page.keyboard.press('Escape')
      await link.waitFor({ state: 'hidden' })
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
        .toBe('Menü öffnen')
      await toggle.click()
      await link.waitFor()
      await page.mouse.click(700, 400)
      await link.waitFor({ state: 'hidden' })
      await toggle.click()
      await menu(page).getByRole('link', { name: 'Gutscheine' }).click()
      await page.waitForURL('**/gutschein/index')
      await link.waitFor({ state: 'hidden' })
      expect(await cookie(page)).toBeUndefined()
    })

  test('groups: several open, the one of the page by itself, and a choice is remembered', async () => {
    const page = await start('apus_admin', '/verwaltung/betrieb')
    const group = (name: string, at = page) => menu(at).getByRole('button', { name, exact: true })
    const isOpen = (name: string, at = page) => group(name, at).getAttribute('aria-expanded')
    expect(await isOpen('Verwaltung')).toBe('true')
    expect(await isOpen('Buchhaltung')).toBe('false')
    await group('Entwässerung').click()
    expect(await isOpen('Entwässerung')).toBe('true')
    expect(await isOpen('Verwaltung')).toBe('true')
    expect(new URL(page.url()).pathname).toBe('/verwaltung/betrieb')
    expect(
      await menu(page).getByRole('link', { name: 'Betrieb', exact: true }).getAttribute('aria-current'),
    ).toBe('page')
    await page.getByRole('button', { name: 'Menü einklappen' }).click()
    expect(await isOpen('Entwässerung')).toBe('false')
    await page.getByRole('button', { name: 'Menü ausklappen' }).click()
    expect(await isOpen('Verwaltung')).toBe('true')
    expect(await isOpen('Entwässerung')).toBe('true')

    // After a reload, and on another machine: what was opened stays, what only the page opened does not.
    await settled(page)
    await page.goto('/dashboard')
    await expect.poll(() => isOpen('Entwässerung')).toBe('true')
    expect(await isOpen('Verwaltung')).toBe('false')
    const elsewhere = await start('apus_admin', '/dashboard')
    await expect.poll(() => isOpen('Entwässerung', elsewhere)).toBe('true')
    await group('Entwässerung', elsewhere).click()
    await settled(elsewhere)
    const again = await start('apus_admin', '/dashboard')
    await settled(again)
    expect(await isOpen('Entwässerung', again)).toBe('false')
  })

  test('a short menu hides nothing', async () => {
    const page = await start('ogf_admin', '/kunden/index')
    for (const name of ['Kunden', 'Wald', 'Verwaltung'])
      expect(
        await menu(page).getByRole('button', { name, exact: true }).getAttribute('aria-expanded'),
        name,
      ).toBe('true')
  })

  test('folded: a group flies out under the mouse and by keyboard, an entry says its name', async () => {
    const page = await start('apus_admin', '/dashboard')
    await page.getByRole('button', { name: 'Menü einklappen' }).click()
    await settledWidth(page).toBe(54)
    const group = menu(page).getByRole('button', { name: 'Entwässerung' })
    const entry = menu(page).getByRole('link', { name: 'Karten', exact: true })
    expect(await entry.isVisible()).toBe(false)
    // The menu may still move below a mouse that rests: favourites and what was opened last come late.
    const rest = async () => {
      await page.mouse.move(800, 500)
      await group.hover()
      return entry.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => false,
      )
    }
    await expect.poll(rest).toBe(true)
    const [place, icon] = [(await entry.boundingBox())!, (await group.boundingBox())!]
    expect(place.x).toBeGreaterThanOrEqual(54)
    expect(Math.abs(place.y - icon.y)).toBeLessThan(60)
    await page.mouse.move(800, 500)
    await entry.waitFor({ state: 'hidden' })
    await group.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => focused(page)).toBe('Karten')
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe('Entwässerung')
    await entry.waitFor({ state: 'hidden' })
    await page.keyboard.press('Enter')
    await entry.click()
    await page.waitForURL('**/karten/index')
    await entry.waitFor({ state: 'hidden' })
    const home = menu(page).getByRole('link', { name: 'Mein Forstbetrieb' })
    await home.hover()
    const tip = page.locator('.sidebar-tip:popover-open')
    await tip.waitFor()
    expect(await tip.innerText()).toBe('Mein Forstbetrieb')
    expect((await tip.boundingBox())!.x).toBeGreaterThanOrEqual(54)
  })

  test('by keyboard alone: skip link, through the menu with arrows, into a group and onto its page', async () => {
    const page = await start('apus_admin', '/dashboard')
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Zum Inhalt springen')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('inhalt')
    await menu(page).getByRole('link', { name: 'Mein Forstbetrieb' }).focus()
    await page.keyboard.press('ArrowUp')
    const last = await focused(page)
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toBe('Mein Forstbetrieb')
    await page.keyboard.press('End')
    expect(await focused(page)).toBe(last)
    await page.keyboard.press('Home')
    for (let step = 0; step < 10 && (await focused(page)) !== 'Entwässerung'; step++)
      await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    expect(await focused(page)).toBe('Entwässerung')
    await page.keyboard.press('ArrowRight')
    expect(await focused(page)).toBe('Karten')
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toBe('Kataster')
    await page.keyboard.press('ArrowLeft')
    expect(await focused(page)).toBe('Entwässerung')
    await page.keyboard.press('ArrowLeft')
    expect(await menu(page).getByRole('button', { name: 'Entwässerung' }).getAttribute('aria-expanded')).toBe(
      'false',
    )
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/karten/index')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  })

  test('the folded menu, a group that has flown out and the drawer are accessible in both schemes', async () => {
    const page = await start('apus_admin', '/verwaltung/betrieb')
    await page.getByRole('button', { name: 'Menü einklappen' }).click()
    await settledWidth(page).toBe(54)
    const group = menu(page).getByRole('button', { name: 'Entwässerung' })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await brokenRules(page), `${colorScheme}, folded`).toEqual([])
      await group.click()
      await menu(page).getByRole('link', { name: 'Karten', exact: true }).waitFor()
      expect(await brokenRules(page), `${colorScheme}, flown out`).toEqual([])
      await group.click()
    }
    await page.setViewportSize({ width: 700, height: 800 })
    await page.getByRole('button', { name: 'Menü öffnen' }).click()
    await menu(page).getByRole('link', { name: 'Mein Forstbetrieb' }).waitFor()
    await page.waitForTimeout(400)
    expect(await brokenRules(page), 'drawer').toEqual([])
  })

  test('the breadcrumb names the record and leads back through the pages above it', async () => {
    const page = await start('ogf_admin', '/kunden/7?ansicht=stammdaten')
    await page.getByLabel('Telefon').waitFor()
    const name = await page.getByRole('main').getByRole('heading', { level: 1 }).innerText()
    const crumbs = page.getByRole('navigation', { name: 'Brotkrumen' })
    await expect
      .poll(() => crumbs.getByRole('listitem').allInnerTexts())
      .toEqual(['Mein Forstbetrieb', 'Kunden', name])
    expect(await crumbs.getByText(name).getAttribute('aria-current')).toBe('page')
    expect(await page.title()).toBe(`${name} - Forstkontor`)
    expect(
      await menu(page).getByRole('link', { name: 'Kunden', exact: true }).getAttribute('aria-current'),
    ).toBe('page')
    await crumbs.getByRole('link', { name: 'Kunden' }).click()
    await page.waitForURL('**/kunden/index')
    await expect.poll(() => page.title()).toBe('Kunden - Forstkontor')
  })

  test('/redirect/… begins the page anew and leaves no step in the history', async () => {
    const page = await start('ogf_admin', '/kunden/index')
    await page.getByLabel('Kunden suchen').fill('Wald')
    await page.waitForURL(/Wald/)
    await page
      .locator('main')
      .evaluate((element) => element.querySelector('h1')?.setAttribute('data-old', ''))
    await page.evaluate(() => {
      history.replaceState(null, '', '/redirect/kunden/index?suche=Forst')
      window.dispatchEvent(new PopStateEvent('popstate'))
    })
    await page.waitForURL('**/kunden/index?suche=Forst')
    await page.locator('main h1:not([data-old])').waitFor()
    expect(await page.locator('main h1[data-old]').count()).toBe(0)
  })

  test('pages come in with a movement, and without one for who wants none', async () => {
    const page = await start('ogf_admin', '/kunden/index')
    const moving = () =>
      page.locator('main .view').evaluate((element) => getComputedStyle(element).animationName)
    expect(await moving()).toBe('none')
    await menu(page).getByRole('link', { name: 'Gutscheine' }).click()
    await page.waitForURL('**/gutschein/index')
    await page.getByRole('heading', { level: 1, name: 'Gutscheine' }).waitFor()
    expect(await moving()).toBe('view-arrives')
    await page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await moving()).toBe('none')
  })

  test('without tabs nothing is kept: one page is drawn, and it begins anew', async () => {
    const page = await start('ogf_admin', '/kunden/index')
    expect(await page.getByRole('navigation', { name: 'Geöffnete Seiten' }).count()).toBe(0)
    await page.locator('.row-link').first().click()
    await page.getByRole('tab', { name: 'Stammdaten' }).click()
    await page.getByLabel('Telefon').waitFor()
    expect(await page.locator('main .view').count()).toBe(1)
    await page.getByLabel('Telefon').fill('1')
    await menu(page).getByRole('link', { name: 'Kunden', exact: true }).click()
    await page
      .getByRole('alertdialog', { name: 'Änderungen verwerfen?' })
      .getByRole('button', { name: 'Verwerfen' })
      .click()
    await page.waitForURL('**/kunden/index')
    // The page left stays until the list is drawn.
    await page.locator('.row-link').first().waitFor()
    await page.goBack()
    await page.getByLabel('Telefon').waitFor()
    expect(await page.getByLabel('Telefon').inputValue()).not.toBe('1')
  })
})

describe.skipIf(!hasBrowser())('the frame as an installation may set it', () => {
  const house = oneServer({ env: { SIDEBAR_LOGO: 'off', FIXED_HEADER: 'on', TAGS_VIEW: 'on' } })
  test('without the logo the menu begins at the top; a fixed header stays while the page scrolls', async () => {
    const { page } = await house.visitor('ogf_admin', '/kunden/7?ansicht=stammdaten')
    await page.getByLabel('Telefon').waitFor()
    expect(await page.locator('.sidebar-home').count()).toBe(0)
    await page.setViewportSize({ width: 1300, height: 400 })
    await page.mouse.move(700, 300)
    await page.evaluate(() => window.scrollTo(0, 200))
    expect(await page.evaluate(() => window.scrollY)).toBe(200)
    expect(await page.locator('.topbar').evaluate((element) => element.getBoundingClientRect().top)).toBe(0)
    // A tab's menu is positioned in the window, however far the page has scrolled.
    const tab = page.locator('.tab-link').first()
    const at = (await tab.boundingBox())!
    await page.mouse.click(at.x + 10, at.y + 5, { button: 'right' })
    expect(Math.abs((await page.getByRole('menu').boundingBox())!.y - (at.y + 5))).toBeLessThanOrEqual(1)
  })
})
