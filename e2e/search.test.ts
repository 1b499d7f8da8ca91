// Jump-to search in the browser: by keyboard alone, over pages and records, as someone who sees everything
// and as someone who sees little.
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type RunningApp, startApp } from './app.ts'
import { brokenRules } from './axe.ts'
import { type DemoRole, hasBrowser, launchBrowser, signIn, type Visitor } from './browser.ts'
import { borrowVisitor } from './reuse.ts'
import { call, tokenOf } from './calls.ts'

describe.skipIf(!hasBrowser())('the jump-to search', () => {
  let app: RunningApp
  let browser: Browser
  let visitor: Visitor
  /** Complaints that the test provokes itself. */
  let expected: RegExp | undefined
  beforeAll(async () => {
    ;[app, browser] = await Promise.all([startApp({ env: { LOGIN_RATE_PER_MIN: '1000' } }), launchBrowser()])
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await app?.stop()
  })
  afterEach(async () => {
    const complaints = visitor.complaints.filter((text) => !expected?.test(text))
    expected = undefined
    await visitor.close()
    expect(complaints, 'console errors, faults, policy reports').toEqual([])
  })
  const enter = async (role: DemoRole, path = '/'): Promise<Page> => {
    visitor = await borrowVisitor(browser, app)
    await signIn(visitor, app, role, path)
    await visitor.page.getByRole('main').waitFor()
    return visitor.page
  }
  const open = async (page: Page) => {
    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox', { name: 'Seite, Name, Ort oder Nummer' })
    await box.waitFor()
    return box
  }
  const settled = (page: Page) => page.locator('.jump-list[aria-busy="false"]').waitFor({ state: 'attached' })
  const chosen = (page: Page) => page.locator('[role="option"][aria-selected="true"]')
  const firstKunde = async (page: Page) => {
    const { json } = await call(app, await tokenOf(page), '/rest/kunde?client_id=eq.17&select=client_id,name')
    return (json as { client_id: number; name: string }[])[0]!
  }

  test('by keyboard alone: a record by its name, a page by another word for it, and back to where one was', async () => {
    const page = await enter('ogf_admin', '/kunden/index')
    const { name } = await firstKunde(page)
    const box = await open(page)
    expect(await box.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.getByRole('group', { name: 'Seiten' }).waitFor()
    await box.pressSequentially(name.toLowerCase().replaceAll('ü', 'ue').replaceAll('ä', 'a'), { delay: 5 })
    await page.getByRole('group', { name: 'Kunden' }).getByText(name, { exact: true }).first().waitFor()
    await settled(page)
    expect(await chosen(page).innerText()).toContain(name)
    expect(await box.getAttribute('aria-activedescendant')).toBe(await chosen(page).getAttribute('id'))
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/kunden\/\d+$/)
    await page.getByRole('heading', { level: 1, name }).waitFor()

    await open(page)
    await page.keyboard.type('backup')
    await page.getByRole('option', { name: /^Betrieb/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/verwaltung\/betrieb$/)

    const again = await open(page)
    // The most recent choice comes first, and the list wraps around.
    await page.getByRole('group', { name: 'Zuletzt gewählt' }).waitFor()
    expect(await chosen(page).innerText()).toContain('Betrieb')
    await page.keyboard.press('ArrowDown')
    expect(await chosen(page).innerText()).toContain(name)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await chosen(page).getAttribute('id')).toBe(
      await page.getByRole('option').last().getAttribute('id'),
    )
    expect(await again.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await again.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/verwaltung/betrieb')
  })

  test('a number leads to its record; Ctrl+Enter opens it beside and leaves this page as it is', async () => {
    const page = await enter('ogf_admin', '/kunden/index')
    const { name } = await firstKunde(page)
    await open(page)
    await page.keyboard.type('#17')
    await page.getByRole('group', { name: 'Kunden' }).getByText(name, { exact: true }).waitFor()
    await settled(page)
    const beside = visitor.context.waitForEvent('page')
    await page.keyboard.press('Control+Enter')
    const other = await beside
    await other.waitForURL(/\/kunden\/17$/)
    await other.close()
    expect(new URL(page.url()).pathname).toBe('/kunden/index')
    // A plain click opens it on this page.
    await page.getByRole('option').filter({ hasText: name }).first().click()
    await page.waitForURL(/\/kunden\/17$/)
  })

  test('the button, the answer that says nothing was found, and no rule of accessibility broken in both schemes', async () => {
    const page = await enter('ogf_admin', '/kunden/index')
    await page.getByRole('button', { name: 'Suchen Strg K' }).click()
    const box = page.getByRole('combobox', { name: 'Seite, Name, Ort oder Nummer' })
    await box.fill('gibt es nirgends')
    await page.getByText('Nichts gefunden zu „gibt es nirgends“').waitFor()
    await box.fill('x')
    await page.getByText('Tippen Sie mindestens zwei Zeichen').waitFor()
    await box.fill('forst')
    await page.getByRole('group', { name: 'Kunden' }).waitFor()
    await settled(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await brokenRules(page), colorScheme).toEqual([])
    }
    await page.setViewportSize({ width: 390, height: 800 })
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).toBeLessThanOrEqual(0)
  })

  test('while the database does not answer, pages are still found and the next step is named', async () => {
    const page = await enter('ogf_admin', '/kunden/index')
    expected = /Failed to load resource/
    let broken = true
    await page.route('**/rest/rpc/a_suche', (route) =>
      broken ? route.fulfill({ status: 500, body: '{"code":"XX000","message":"x"}' }) : route.continue(),
    )
    await open(page)
    await page.keyboard.type('kunden')
    await page.getByText('Datensätze konnten nicht durchsucht werden.').waitFor()
    await page
      .getByRole('option', { name: /^Kunden/ })
      .first()
      .waitFor()
    broken = false
    await page.keyboard.type(' ')
    await page.getByRole('combobox', { name: 'Seite, Name, Ort oder Nummer' }).fill('forst')
    await page.getByRole('group', { name: 'Kunden' }).waitFor()
  })

  test('a customer’s admin finds the own customer and nothing of others, not even a count', async () => {
    const page = await enter('kundenadmin')
    const token = await tokenOf(page)
    const own = (await call(app, token, '/rest/kunde?select=client_id,name')).json as {
      client_id: number
      name: string
    }[]
    expect(own.length).toBeGreaterThan(0)
    const answer = (await call(app, token, '/rest/rpc/a_suche', { text: 'forst', grenze: 50 })).json as {
      art: string
      id: number
    }[]
    const ids = answer.filter(({ art }) => art === 'kunde').map(({ id }) => id)
    expect(ids.every((id) => own.some(({ client_id }) => client_id === id))).toBe(true)
    await open(page)
    await page.keyboard.type(own[0]!.name)
    await page.getByRole('group', { name: 'Kunden' }).getByText(own[0]!.name, { exact: true }).waitFor()
    await settled(page)
    await page.keyboard.press('Enter')
    await page.waitForURL(
      (url) => url.pathname === '/kunde/index' && url.searchParams.get('kunde') === String(own[0]!.client_id),
    )
  })

  test('signing out forgets what was chosen', async () => {
    const page = await enter('ogf_admin', '/kunden/index')
    await open(page)
    await page.keyboard.type('backup')
    await page.getByRole('option', { name: /^Betrieb/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/betrieb$/)
    expect(await page.evaluate(() => localStorage.getItem('forstkontor.spruenge'))).toContain('Betrieb')
    await page.getByRole('button', { name: /^Benutzermenü/ }).click()
    await page.getByRole('menuitem', { name: 'Abmelden' }).click()
    await page.waitForURL(/\/login|\/anmelden|realms/)
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('forstkontor.'))),
    ).toEqual([])
  })
})
