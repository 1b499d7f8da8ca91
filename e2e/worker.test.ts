// The service worker in a real browser: the application starts without a connection and says so, a new
// version is offered but never forced, and nothing about a person is stored.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { journeysBehindFront } from './behind-front.ts'
import { brokenRules } from './axe.ts'
import { hasBrowser, signIn } from './browser.ts'

const controlled = (page: Page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null)
const stores = (page: Page) => page.evaluate(async () => (await caches.keys()).toSorted())
/** Every address cached in this browser. */
const keptPaths = (page: Page) =>
  page.evaluate(async () => {
    const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
    return all.flat().map(({ url }) => url.replace(location.origin, ''))
  })
/** As when returning to the window after a while. */
const lookForUpdate = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
const mark = (page: Page) => page.evaluate(() => Object.assign(globalThis, { marked: true }))
const isMarked = (page: Page) => page.evaluate(() => 'marked' in globalThis)

describe.skipIf(!hasBrowser())('the service worker', () => {
  const home = journeysBehindFront()
  const signedIn = async (role: Parameters<typeof signIn>[2], path: string): Promise<Page> => {
    const visitor = await home.window({ serviceWorkers: 'allow' })
    await signIn(visitor, home.app, role, path)
    await visitor.page.getByRole('heading', { level: 1 }).first().waitFor()
    await controlled(visitor.page)
    return visitor.page
  }

  test('is served uncached, with the policy of the screens', async () => {
    const { headers, status } = await fetch(`${home.front.origin}/sw.js`)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-type')).toMatch(/javascript/)
    expect(headers.get('content-security-policy')).toContain("default-src 'self'")
  })

  test('keeps the files of the application and nothing about anybody', async () => {
    const page = await signedIn('ogf_admin', '/kunden/index')
    await page.goto('/verwaltung/betrieb')
    await page.goto('/profile/index')
    await page.waitForLoadState('networkidle')
    const paths = await keptPaths(page)
    expect(paths.length).toBeGreaterThan(10)
    expect(paths).toContain('/index.html')
    expect(
      paths.filter(
        (path) =>
          !/^\/(?:index\.html$|assets\/[\w.-]+$|favicon\.svg$|(?:farbschema|anfang)\.js|symbol-[\w-]+\.png$)/.test(
            path,
          ),
      ),
    ).toEqual([])
    const texts = await page.evaluate(async () => {
      const answers = await Promise.all(
        (await caches.keys()).map(async (name) => (await caches.open(name)).matchAll()),
      )
      return Promise.all(answers.flat().map((answer) => answer.text()))
    })
    expect(texts.some((text) => text.includes('@probe.forstkontor.example'))).toBe(false)
  })

  test('without a connection the application says so, and goes on where one was', async () => {
    const page = await signedIn('ogf_admin', '/kunden/index')
    home.front.cut(true)
    await page.reload()
    await page.getByRole('heading', { name: 'Keine Verbindung' }).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Erneut versuchen' }).click()
    await page.getByRole('heading', { name: 'Keine Verbindung' }).waitFor()
    home.front.cut(false)
    // When the browser reports being online again, no click is needed.
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await page.getByRole('heading', { level: 1, name: 'Kunden' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/kunden/index')
  })

  test('sign-in, interfaces, settings and the landing page are never answered from a store', async () => {
    const page = await signedIn('ogf_standard', '/dashboard')
    home.front.cut(true)
    const outcomes = await page.evaluate(() =>
      Promise.all(
        [
          '/config/app.json',
          '/rest/einstellung',
          '/prod-api/betrieb',
          '/realms/master/.well-known/openid-configuration',
          '/healthz',
        ].map((path) =>
          fetch(path).then(
            () => 'answered',
            () => 'failed',
          ),
        ),
      ),
    )
    expect(outcomes).toEqual(Array.from({ length: 5 }, () => 'failed'))
    // Pages of these say that nobody answers, without anything of the application.
    for (const path of ['/landing', '/anmelden/vergessen', '/auth-redirect?code=x&state=y']) {
      expect((await page.goto(path))?.status(), path).toBe(503)
      await page.getByRole('heading', { level: 1, name: 'Keine Verbindung' }).waitFor()
      expect(await page.locator('#app, script').count(), path).toBe(0)
      expect(await brokenRules(page), path).toEqual([])
    }
    home.front.cut(false)
    await page.getByRole('link', { name: 'Jetzt noch einmal versuchen' }).click()
    await page.waitForURL((url) => !url.pathname.startsWith('/auth-redirect'))
  })

  test('a new version is offered; later means later, and loading it asks about unsaved work', async () => {
    const page = await signedIn('ogf_admin', '/profile/index')
    const before = await stores(page)
    expect(before).toHaveLength(1)
    await mark(page)
    home.front.renew('ffff00000001')
    await lookForUpdate(page)
    const offer = page.getByRole('region', { name: 'Neue Version verfügbar' })
    await offer.waitFor()
    expect(await brokenRules(page).then((rules) => rules.filter((rule) => rule.includes('corner')))).toEqual(
      [],
    )
    await offer.getByRole('button', { name: 'Später' }).click()
    await offer.waitFor({ state: 'detached' })
    await page.waitForTimeout(500)
    expect(await isMarked(page), 'nothing was loaded anew').toBe(true)
    // The previous version keeps working: its parts are still cached.
    await page.getByRole('link', { name: 'Kunden', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Kunden' }).waitFor()
    expect(await isMarked(page)).toBe(true)

    await page.goto('/profile/index')
    await offer.waitFor()
    await mark(page)
    await page.getByLabel('Vorname').fill('Angefangen')
    await offer.getByRole('button', { name: 'Neu laden' }).click()
    const asked = page.getByRole('alertdialog', { name: 'Änderungen verwerfen?' })
    await asked.getByRole('button', { name: 'Weiter bearbeiten' }).click()
    expect(await page.getByLabel('Vorname').inputValue()).toBe('Angefangen')
    expect(await isMarked(page)).toBe(true)
    await offer.getByRole('button', { name: 'Neu laden' }).click()
    await asked.getByRole('button', { name: 'Verwerfen und neu laden' }).click()
    await page.waitForFunction(() => !('marked' in globalThis))
    await page.getByLabel('Vorname').waitFor()
    expect(await page.getByLabel('Vorname').inputValue()).toBe('Anna')
    await page.waitForLoadState('networkidle')
    expect(await offer.count()).toBe(0)
    // The new one, and the previous one for windows that still run it.
    expect(await stores(page)).toEqual([...before, 'forstkontor-ffff00000001'].toSorted())

    home.front.renew('ffff00000002')
    await lookForUpdate(page)
    await offer.getByRole('button', { name: 'Neu laden' }).click()
    await page.waitForFunction(async () => (await caches.keys()).includes('forstkontor-ffff00000002'))
    await expect.poll(() => stores(page)).toEqual(['forstkontor-ffff00000001', 'forstkontor-ffff00000002'])
  })
})
