// Phones and tablets, detected by device, get the landing page first; other devices never do. Deep links and
// the return from the sign-in survive.
import { type Browser, type BrowserContextOptions, devices, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type RunningApp, startApp } from './app.ts'
import { brokenRules } from './axe.ts'
import {
  demoPassword,
  emailOf,
  enterCredentials,
  hasBrowser,
  launchBrowser,
  openVisitor,
  type Visitor,
} from './browser.ts'

const STORES = {
  IOS_STORE_URL: 'https://apps.apple.example/forstkontor',
  ANDROID_STORE_URL: 'https://play.google.example/forstkontor',
}
const phone = (name: string): BrowserContextOptions => {
  const { defaultBrowserType: _, ...device } = devices[name]!
  return { ...device, locale: 'de-DE' }
}
const wanted = (page: Page) => page.evaluate(() => location.pathname + location.search)

describe.skipIf(!hasBrowser())('the landing page', () => {
  let app: RunningApp
  let browser: Browser
  const visitors: Visitor[] = []
  beforeAll(async () => {
    ;[app, browser] = await Promise.all([
      startApp({
        env: {
          ...STORES,
          IMPRESSUM_URL: 'https://impressum.example',
          MANUAL_URL: 'https://handbuch.example',
        },
      }),
      launchBrowser(),
    ])
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await app?.stop()
  })
  afterEach(async () => {
    const complaints = visitors.flatMap((visitor) => visitor.complaints)
    await Promise.all(visitors.splice(0).map((visitor) => visitor.close()))
    expect(complaints).toEqual([])
  })
  const visit = async (more: BrowserContextOptions, on: RunningApp = app): Promise<Page> => {
    const visitor = await openVisitor(browser, on, more)
    visitors.push(visitor)
    return visitor.page
  }

  for (const device of ['iPhone 15', 'Pixel 7', 'iPad Pro 11', 'Galaxy Tab S4'])
    test(`${device} is led to it, with the address it wanted`, async () => {
      const page = await visit(phone(device))
      await page.goto('/forstbetriebe/index?suche=eiche#liste')
      await page.getByRole('button', { name: 'Trotzdem im Browser öffnen' }).waitFor()
      expect(await wanted(page)).toBe(
        `/landing?weiter=${encodeURIComponent('/forstbetriebe/index?suche=eiche#liste')}`,
      )
      expect(await page.getByRole('link', { name: 'Laden im App Store' }).getAttribute('href')).toBe(
        STORES.IOS_STORE_URL,
      )
      expect(await page.getByRole('link', { name: 'Jetzt bei Google Play' }).getAttribute('href')).toBe(
        STORES.ANDROID_STORE_URL,
      )
      expect(await page.getByRole('link', { name: 'Impressum' }).getAttribute('href')).toBe(
        'https://impressum.example',
      )
      expect(await page.getByRole('link', { name: 'Handbuch' }).getAttribute('href')).toBe(
        'https://handbuch.example',
      )
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        expect(await brokenRules(page), colorScheme).toEqual([])
      }
      expect(
        await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ),
      ).toBeLessThanOrEqual(0)
    })

  test('the way on in the browser leads through the sign-in to the wanted page, and is remembered, also after signing out', async () => {
    const page = await visit(phone('Pixel 7'))
    await page.goto('/profile/index?von=mail')
    await page.getByRole('button', { name: 'Trotzdem im Browser öffnen' }).click()
    await enterCredentials(page, emailOf('ogf_standard'), demoPassword(app))
    await page.getByRole('heading', { level: 1, name: 'Profil' }).waitFor()
    expect(await wanted(page)).toBe('/profile/index?von=mail')
    await page.goto('/dashboard')
    await page.getByRole('button', { name: /^Benutzermenü/ }).click()
    expect(await wanted(page)).toBe('/dashboard')
    await page.getByRole('menuitem', { name: 'Abmelden' }).click()
    await page.getByText('Sie sind abgemeldet.').waitFor()
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Wieder anmelden' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/login')
  })

  test('a narrow window on a desk gets the application', async () => {
    const page = await visit({ viewport: { width: 390, height: 800 } })
    await page.goto('/dashboard')
    await page.getByLabel('E-Mail').waitFor()
  })

  test('it is open to everybody and leads nowhere else, whatever its address says', async () => {
    const page = await visit({})
    for (const address of [
      '/landing',
      '/landing?weiter=//boese.example',
      '/landing?weiter=https://boese.example',
      '/landing?weiter=/landing',
    ]) {
      await page.goto(address)
      await page.getByRole('button', { name: 'Trotzdem im Browser öffnen' }).click()
      await page.getByLabel('E-Mail').waitFor()
      expect(new URL(page.url()).origin).toBe(app.origin)
      expect(new URL(page.url()).searchParams.get('weiter')).toBeNull()
    }
  })

  test('an installation may do without it', async () => {
    const without = await startApp({ env: { MOBILE_LANDING: 'off' } })
    try {
      const page = await visit(phone('iPhone 15'), without)
      await page.goto('/dashboard')
      await page.getByLabel('E-Mail').waitFor()
      // Without an app in the stores the text differs.
      await page.goto('/landing')
      await page.getByText('Am besten öffnen Sie es an einem Rechner.').waitFor()
      expect(await page.getByRole('link', { name: /Store|Play/ }).count()).toBe(0)
      // The landing page does not divert from the field mode, which opens after the sign-in.
      await page.getByRole('button', { name: 'Feldmodus öffnen' }).click()
      await enterCredentials(page, emailOf('ogf_standard'), demoPassword(without))
      await page.getByRole('heading', { name: 'Forstbetrieb mitnehmen' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/feld')
      await page.context().close()
      visitors.pop()
    } finally {
      await without.stop()
    }
  })
})
