// What surrounds every page: support, manual, the person's menu, stamps (Sandbox, Alpha), app stores, the
// subscription offer, and the error log.
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type RunningApp, startApp } from './app.ts'
import { type DemoRole, hasBrowser, launchBrowser, openVisitor, signIn, type Visitor } from './browser.ts'

const SETTINGS = {
  SUPPORT_PHONE: '+49 30 1234567',
  MANUAL_URL: 'https://handbuch.example/start',
  IMPRESSUM_URL: 'https://impressum.example/',
  DATENSCHUTZ_URL: 'https://datenschutz.example/',
  IOS_STORE_URL: 'https://apps.apple.example/forstkontor',
  ANDROID_STORE_URL: 'https://play.google.example/forstkontor',
  STAMP_SANDBOX: 'on',
  LOGIN_RATE_PER_MIN: '1000',
}
const hrefOf = (page: Page, role: 'link' | 'menuitem', name: string) =>
  page.getByRole(role, { name, exact: true }).getAttribute('href')

describe.skipIf(!hasBrowser())('around every page', () => {
  let app: RunningApp
  let browser: Browser
  const visitors: Visitor[] = []
  beforeAll(async () => {
    ;[app, browser] = await Promise.all([startApp({ env: SETTINGS }), launchBrowser()])
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await app?.stop()
  })
  afterEach(async () => {
    await Promise.all(visitors.splice(0).map((visitor) => visitor.close()))
  })
  const open = async (role: DemoRole, path: string): Promise<Page> => {
    const visitor = await openVisitor(browser, app, { permissions: ['clipboard-read', 'clipboard-write'] })
    visitors.push(visitor)
    await signIn(visitor, app, role, path)
    await visitor.page.getByRole('button', { name: /^Benutzermenü/ }).waitFor()
    await visitor.page.waitForLoadState('networkidle')
    return visitor.page
  }

  test('support, manual, stamps, stores and legal notices are where the settings say', async () => {
    const page = await open('ogf_admin', '/kunden/index')
    const support = page.getByRole('link', { name: /^Support:/ })
    expect(await support.innerText()).toBe('Support: +49 30 1234567 · Mo-Fr 9-17 Uhr')
    expect(await support.getAttribute('href')).toBe('tel:+49301234567')
    const manual = page.getByRole('link', { name: 'Handbuch (neues Fenster)' })
    expect(await manual.getAttribute('href')).toBe(SETTINGS.MANUAL_URL)
    expect(await manual.getAttribute('target')).toBe('_blank')
    expect(await manual.getAttribute('rel')).toBe('noopener')
    expect(await page.getByText('Sandbox', { exact: true }).isVisible()).toBe(true)
    expect(await page.getByText('Alpha', { exact: true }).count()).toBe(0)
    expect(await hrefOf(page, 'link', 'App Store')).toBe(SETTINGS.IOS_STORE_URL)
    expect(await hrefOf(page, 'link', 'Google Play')).toBe(SETTINGS.ANDROID_STORE_URL)
    expect(await hrefOf(page, 'link', 'Impressum')).toBe(SETTINGS.IMPRESSUM_URL)
    await page.getByRole('button', { name: /^Benutzermenü/ }).click()
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
      'Profil',
      'Mein Forstbetrieb',
      'Handbuch',
      'Impressum',
      'Datenschutz',
      'Abmelden',
    ])
    expect(await hrefOf(page, 'menuitem', 'Datenschutz')).toBe(SETTINGS.DATENSCHUTZ_URL)
    expect(await hrefOf(page, 'menuitem', 'Mein Forstbetrieb')).toBe('/kunden/index')
  })

  test('who is new has no profile in the menu, and is offered nothing', async () => {
    const page = await open('ogf_init', '/')
    await page.getByRole('button', { name: /^Benutzermenü/ }).click()
    expect(await page.getByRole('menuitem', { name: 'Profil' }).count()).toBe(0)
    expect(await page.locator('.upsell').count()).toBe(0)
  })

  test('a headquarters without a subscription is offered one, and the offer leads to its start', async () => {
    const page = await open('ogf_standard', '/dashboard')
    const offer = page.locator('.upsell')
    await offer.waitFor()
    expect((await offer.innerText()).replaceAll(/\s+/g, ' ')).toBe('Wechseln Sie jetzt zu Forstkontor PRO')
    await offer.click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/na/index')
  })

  for (const role of ['ogf_admin', 'ogf_team', 'kundenadmin', 'apus_admin', 'appuser'] as const)
    test(`${role} is offered nothing`, async () => {
      const page = await open(role, '/')
      expect(await page.locator('.upsell').count()).toBe(0)
    })

  test('the log: nothing until something goes wrong, then counted, readable, to be copied and cleared, without secrets', async () => {
    const page = await open('ogf_standard', '/dashboard?token=geheim123')
    const button = page.getByRole('button', { name: /^Fehlerprotokoll/ })
    expect(await button.count()).toBe(0)
    await page.evaluate(() => {
      const fail = () => {
        throw new Error('Probe mit token=geheim123 in /rest/kunde?plz=geheim456')
      }
      setTimeout(fail)
      setTimeout(fail, 50)
      void Promise.reject(new Error('Versprechen'))
    })
    await page.getByRole('button', { name: 'Fehlerprotokoll: 2' }).click()
    const log = page.getByRole('dialog', { name: 'Fehlerprotokoll' })
    await log.getByText('Error: Versprechen').first().waitFor()
    await log.getByText('2-mal').waitFor()
    expect(await log.innerText()).not.toContain('geheim')
    await log.getByRole('button', { name: 'Für den Support kopieren' }).click()
    await page.getByText('Das Protokoll ist kopiert.').waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toContain('Error: Probe mit token=…')
    expect(copied).toMatch(/2 × \d{4}-\d\d-\d\dT/)
    expect(copied).not.toContain('geheim')
    expect(copied).not.toContain('eyJ')
    await log.getByRole('button', { name: 'Alle löschen' }).click()
    await log.waitFor({ state: 'detached' })
    expect(await button.count()).toBe(0)
  })

  test('a view that fails is logged, and the rest of the page goes on working', async () => {
    const page = await open('ogf_standard', '/dashboard')
    await page.route('**/assets/ProfilePage-*.js', (route) => route.abort())
    await page.getByRole('button', { name: /^Benutzermenü/ }).click()
    await page.getByRole('menuitem', { name: 'Profil' }).click()
    await page.getByText('Diese Seite konnte nicht geladen werden').waitFor()
    await page.getByRole('button', { name: /^Fehlerprotokoll: / }).click()
    const log = page.getByRole('dialog', { name: 'Fehlerprotokoll' })
    await log.getByText('in einer Ansicht').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Mein Forstbetrieb' }).first().click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/dashboard')
  })
})
