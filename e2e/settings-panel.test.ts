// Colours, scheme, language and the switches of the shell: the panel in installations that offer it, the
// profile for everyone; and how choices are stored.
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type RunningApp, startApp } from './app.ts'
import { brokenRules } from './axe.ts'
import { hasBrowser, launchBrowser, openVisitor, signIn, type Visitor } from './browser.ts'
import { call, tokenOf } from './calls.ts'

const STORE = 'forstkontor.einstellung'
const token = (page: Page, name: string) =>
  page.evaluate((property) => {
    const probe = document.createElement('i')
    probe.style.color = `var(${property})`
    document.body.append(probe)
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }, name)
const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
const LIGHT = 'rgb(244, 246, 242)'
const DARK = 'rgb(17, 22, 15)'
const BLUE = 'rgb(64, 158, 255)'
const GREEN = 'rgb(111, 199, 96)'
const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Seite einrichten' })
const openPanel = async (page: Page) => {
  await page.getByRole('button', { name: 'Seite einrichten', exact: true }).click()
  await panelOf(page).waitFor()
  return panelOf(page)
}
/** Waits until the server has stored it, so that the next browser knows it. */
const kept = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(
        (key) => (JSON.parse(localStorage.getItem(key) ?? '{}') as { waiting?: string[] }).waiting,
        STORE,
      ),
    )
    .toEqual([])

describe.skipIf(!hasBrowser())('the look of the screens', () => {
  let offering: RunningApp
  let plain: RunningApp
  let browser: Browser
  const visitors: Visitor[] = []
  beforeAll(async () => {
    ;[offering, browser] = await Promise.all([
      startApp({ env: { SHOW_SETTINGS: 'on', LOGIN_RATE_PER_MIN: '1000' } }),
      launchBrowser(),
    ])
    plain = await startApp({ env: { LOGIN_RATE_PER_MIN: '1000' } })
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await Promise.all([offering?.stop(), plain?.stop()])
  })
  afterEach(async () => {
    const complaints = visitors.flatMap((visitor) => visitor.complaints)
    await Promise.all(visitors.splice(0).map((visitor) => visitor.close()))
    expect(complaints).toEqual([])
  })
  const visit = async (app: RunningApp): Promise<Page> => {
    const visitor = await openVisitor(browser, app, { reducedMotion: 'no-preference' })
    visitors.push(visitor)
    return visitor.page
  }
  const onDashboard = async (app: RunningApp, role: Parameters<typeof signIn>[2] = 'ogf_standard') => {
    const page = await visit(app)
    await signIn({ page }, app, role, '/dashboard')
    await page.getByRole('heading', { level: 1 }).waitFor()
    return page
  }

  test('the handle covers nothing that can be pressed, at any width and however far the page is scrolled', async () => {
    const page = await onDashboard(offering, 'apus_admin')
    for (const width of [390, 1024, 1440])
      for (const path of ['/buchhaltung/rechnungen', '/buchhaltung/zahlungen?teil=alle']) {
        await page.setViewportSize({ width, height: 844 })
        await page.goto(path)
        await page.locator('table tbody td').first().waitFor()
        for (const scrolled of [0, 120, 300]) {
          await page.evaluate((top) => window.scrollTo(0, top), scrolled)
          const covered = () =>
            page.evaluate(() => {
              const handle = document.querySelector('.settings-handle')!
              const own = handle.getBoundingClientRect()
              return [...document.querySelectorAll('a[href], button, input, select')]
                .filter((element) => element !== handle && element.checkVisibility())
                .filter((element) => {
                  const box = element.getBoundingClientRect()
                  return box.right > own.left && box.bottom > own.top && box.top < own.bottom && box.width > 0
                })
                .map((element) => element.textContent)
            })
          await expect.poll(covered, { message: `${path} ${width} ${scrolled}` }).toEqual([])
        }
      }
  })

  test('the panel: where its handle is, how it opens and every way it closes', async () => {
    const page = await onDashboard(offering)
    const handle = page.getByRole('button', { name: 'Seite einrichten', exact: true })
    const box = await handle.boundingBox()
    expect(box).toMatchObject({ y: 250, width: 48, height: 48 })
    expect((box?.x ?? 0) + 48).toBe(1360)

    const panel = await openPanel(page)
    expect((await panel.boundingBox())?.x).toBeGreaterThanOrEqual(1360 - 300)
    expect(await brokenRules(page)).toEqual([])
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    expect(
      await handle.evaluate((button) => button === document.activeElement),
      'the focus is back on its handle',
    ).toBe(true)

    await openPanel(page)
    // It stays open on clicks inside, even outside any control.
    await panel.getByText('Themenfarbe').click()
    await panel.getByLabel('Eigene Farbe wählen').click()
    await page.keyboard.press('Tab')
    expect(await panel.isVisible()).toBe(true)
    // The focus stays inside.
    for (let press = 0; press < 25; press++) {
      await page.keyboard.press('Tab')
      const inside = await page.evaluate(
        () => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null,
      )
      expect(inside, `press ${press}`).toBe(true)
    }
    await page.mouse.click(300, 600)
    await panel.waitFor({ state: 'detached' })

    await openPanel(page)
    await panel.getByRole('button', { name: 'Seite einrichten schließen' }).click()
    await panel.waitFor({ state: 'detached' })
  })

  test('an installation that offers no panel has none, and its profile page has the personal choices', async () => {
    const page = await onDashboard(plain)
    await page.goto('/profile/index')
    await page.getByRole('heading', { name: 'Darstellung' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.getByRole('button', { name: 'Seite einrichten' }).count()).toBe(0)
    await page.getByText('dunkel', { exact: true }).click()
    expect(await ground(page)).toBe(DARK)
    await page.getByRole('radio', { name: 'Farbe #409eff' }).focus()
    await page.keyboard.press('Space')
    await page.getByText('Die Farben sind angepasst.').waitFor()
    expect(await token(page, '--accent')).toBe(BLUE)
    await kept(page)
  })

  test('a colour holds at once, from a preset, typed or picked; what is no colour is said', async () => {
    const page = await onDashboard(offering)
    expect(await token(page, '--accent')).toBe(GREEN)
    const panel = await openPanel(page)
    await panel.getByTitle('#409eff').click()
    await panel.getByText('Die Farben sind angepasst.').waitFor()
    expect(await token(page, '--accent')).toBe(BLUE)
    expect(await page.locator('meta[name="theme-color"]').getAttribute('content')).not.toBe('#14290c')

    const typed = panel.getByLabel('Eigene Farbe als Zahl')
    await typed.fill('#12345g')
    await panel.getByText('Bitte geben Sie eine Farbe wie #409EFF an.').waitFor()
    expect(await token(page, '--accent'), 'the former colour stays').toBe(BLUE)
    expect(await brokenRules(page)).toEqual([])
    await typed.fill('#AA3377')
    await expect.poll(() => token(page, '--accent')).toBe('rgb(170, 51, 119)')
    await panel.getByLabel('Eigene Farbe wählen').fill('#112233')
    await expect.poll(() => token(page, '--accent')).toBe('rgb(17, 34, 51)')
    await panel.getByTitle('#6fc760').click()
    await expect.poll(() => token(page, '--accent')).toBe(GREEN)
    expect(await page.locator('html').getAttribute('style')).toBeFalsy()
    expect(await page.locator('meta[name="theme-color"]').getAttribute('content')).toBe('#14290c')
  })

  test('nothing is fetched for a colour, and the press is answered quickly', async () => {
    const page = await onDashboard(offering)
    const panel = await openPanel(page)
    await page.waitForLoadState('networkidle')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.evaluate(() => {
      const times: number[] = []
      Object.assign(globalThis, { times })
      new PerformanceObserver((list) =>
        times.push(...list.getEntries().map(({ duration }) => duration)),
      ).observe({
        type: 'event',
        durationThreshold: 16,
        buffered: false,
      } as PerformanceObserverInit)
    })
    for (const colour of ['#1890ff', '#304156', '#6959cd']) await panel.getByTitle(colour).click()
    await kept(page)
    expect(asked.filter((path) => path !== '/rest/rpc/__o_set_einstellungen')).toEqual([])
    const worst = await page.evaluate(() =>
      Math.max(0, ...(globalThis as unknown as { times: number[] }).times),
    )
    // The budget is 40 ms on an idle machine; this limit only catches hangs.
    expect(worst).toBeLessThan(400)
  })

  test('switches of the shell: tabs, fixed header, logo', async () => {
    const page = await onDashboard(offering)
    const brand = page.locator('.sidebar-home')
    expect(await brand.isVisible()).toBe(true)
    const panel = await openPanel(page)
    for (const [name, before] of [
      ['Reiter anzeigen', false],
      ['Kopf fest', false],
      ['Logo in der Seitenleiste', true],
    ] as const) {
      const control = panel.getByRole('switch', { name })
      expect(await control.isChecked(), name).toBe(before)
      await control.click()
      expect(await control.isChecked(), name).toBe(!before)
    }
    await page.keyboard.press('Escape')
    await brand.waitFor({ state: 'detached' })
    await page.locator('.frame-head-fixed').waitFor()
    await kept(page)
    await page.reload()
    await page.locator('.frame-head-fixed').waitFor()
    expect(await brand.count()).toBe(0)
  })

  test('the scheme: by the system until one chooses, then as chosen; there from the first paint', async () => {
    const page = await onDashboard(offering)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await ground(page)).toBe(DARK)
    const panel = await openPanel(page)
    await panel.getByText('hell', { exact: true }).click()
    expect(await ground(page)).toBe(LIGHT)
    await kept(page)
    // Delays the application's modules, so that none has run yet.
    await page.route('**/assets/index-*.js', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      await route.continue()
    })
    await page.goto('/dashboard', { waitUntil: 'commit' })
    // The very first colour.
    await page.waitForFunction(
      () => getComputedStyle(document.documentElement).backgroundColor !== 'rgba(0, 0, 0, 0)',
    )
    expect(await ground(page)).toBe(LIGHT)
    const first = page.locator('#app')
    expect((await first.innerText()).trim(), 'the application has not started yet').toBe(
      'Forstkontor wird geladen …',
    )
    await page.evaluate(() => document.documentElement.setAttribute('lang', 'en'))
    expect((await first.innerText()).trim()).toBe('Forstkontor is loading …')
    await page.getByRole('heading', { level: 1 }).waitFor()
  })

  test('choices follow the person to another browser, and the last one wins', async () => {
    const first = await onDashboard(offering, 'kundenadmin')
    await first.goto('/profile/index')
    await first.getByText('dunkel', { exact: true }).click()
    await first.getByTitle('#409eff').click()
    await kept(first)

    const second = await visit(offering)
    await signIn({ page: second }, offering, 'kundenadmin', '/profile/index')
    await expect.poll(() => ground(second)).toBe(DARK)
    expect(await token(second, '--accent')).toBe(BLUE)
    await second.getByText('hell', { exact: true }).click()
    await kept(second)

    await first.reload()
    await expect.poll(() => ground(first), { timeout: 20_000 }).toBe(LIGHT)
  })

  test('without a connection a choice holds, and it reaches the server later', async () => {
    const page = await onDashboard(offering, 'apus_admin')
    await page.goto('/profile/index')
    await page.getByRole('heading', { name: 'Darstellung' }).waitFor()
    await page.route('**/rest/rpc/__o_set_einstellungen', (route) => route.abort())
    await page.getByText('dunkel', { exact: true }).click()
    await page.waitForRequest('**/rest/rpc/__o_set_einstellungen')
    expect(await ground(page)).toBe(DARK)
    await page.unroute('**/rest/rpc/__o_set_einstellungen')
    const sent = page.waitForResponse('**/rest/rpc/__o_set_einstellungen')
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    expect((await sent).ok()).toBe(true)
    await kept(page)
    // The browser logs the aborted request.
    visitors.at(-1)!.complaints.length = 0
  })

  test('English: the shell speaks it at once and after a reload; unsaved work is not thrown away for it', async () => {
    const page = await onDashboard(offering, 'ogf_fb_admin')
    let panel = await openPanel(page)
    await panel.getByText('English').click()
    panel = page.getByRole('dialog', { name: 'Page style setting' })
    await panel.waitFor()
    await panel.getByRole('switch', { name: 'Open Tags-View' }).waitFor()
    await panel.getByRole('switch', { name: 'Fixed Header' }).waitFor()
    await panel.getByRole('switch', { name: 'Sidebar Logo' }).waitFor()
    await panel.getByText('Theme Color', { exact: true }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    await kept(page)
    await page.goto('/profile/index')
    await page.getByRole('button', { name: 'Page style setting', exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
    const name = page.getByLabel(/^(?:Vorname|First name)/)
    await name.fill('Angefangen')
    await page.getByText('Deutsch', { exact: true }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: /Änderungen|changes/ })
      .waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    expect(await name.inputValue()).toBe('Angefangen')
  })

  test('news of a version: to those who knew the one before, once; to new people never', async () => {
    const page = await onDashboard(offering, 'inactive_fb')
    const token = await tokenOf(page)
    // Wait until the server has stored it: a late answer would overwrite what is set below.
    await expect
      .poll(async () => (await call(offering, token, '/rest/einstellung?schluessel=eq.seenVersion')).json)
      .toHaveLength(1)
    await kept(page)
    expect(await page.getByRole('heading', { name: 'Was ist neu' }).count()).toBe(0)
    const answer = await page.evaluate(
      async () =>
        (
          await fetch('/rest/rpc/__o_set_einstellungen', {
            method: 'POST',
            headers: {
              authorization: `Bearer ${localStorage.getItem('Admin-Token')}`,
              'content-type': 'application/json',
            },
            body: JSON.stringify({ werte: { seenVersion: '2026.11' } }),
          })
        ).status,
    )
    expect(answer).toBe(204)
    await page.reload()
    const news = page.getByRole('region', { name: 'Was ist neu' })
    await news.waitFor()
    expect((await brokenRules(page)).filter((rule) => rule.includes('corner'))).toEqual([])
    await news.getByRole('button', { name: 'Verstanden' }).click()
    await news.waitFor({ state: 'detached' })
    await kept(page)
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await news.count()).toBe(0)
  })
})
