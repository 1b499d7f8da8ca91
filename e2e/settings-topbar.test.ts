// What surrounds every page: support, manual, the person's menu, stamps (Sandbox, Alpha), app stores, the
// subscription offer, the breadcrumb between all that, and the error log.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { type DemoRole, hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { ANYTHING, oneServer } from './one-server.ts'
import { openInside } from './pages.ts'

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
  const house = oneServer({ env: SETTINGS, asked: ANYTHING })
  const open = async (role: DemoRole, path: string): Promise<Page> => {
    const { page } = await house.visitor(role, path, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByRole('button', { name: /^Benutzermenü/ }).waitFor()
    await page.waitForLoadState('networkidle')
    return page
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
      'Tastenkürzel',
      'Impressum',
      'Datenschutz',
      'Abmelden',
    ])
    expect(await hrefOf(page, 'menuitem', 'Datenschutz')).toBe(SETTINGS.DATENSCHUTZ_URL)
    expect(await hrefOf(page, 'menuitem', 'Mein Forstbetrieb')).toBe('/dashboard')
  })

  test('the breadcrumb: at every width what is shown can be read, the rest is in its menu', async () => {
    const NAME = 'Forstbetriebsgemeinschaft Oberlausitzer Heide- und Teichlandschaft w. V.'
    const page = await open('admin', '/dashboard')
    const token = await tokenOf(page)
    expect((await call(house.app, token, '/rest/kunde?client_id=eq.7', { name: NAME }, 'PATCH')).status).toBe(
      204,
    )
    const { json } = await call(house.app, token, '/rest/kunde_hq?client_id=eq.7&select=hqid&limit=1')
    const [{ hqid }] = json as [{ hqid: number }]
    await openInside(page, '/kunden/7')
    const crumbs = page.getByRole('navigation', { name: 'Brotkrumen' })
    for (const [path, titles] of [
      ['/kunden/7', ['Mein Forstbetrieb', 'Kunden', NAME]],
      [`/kunden/7/forstbetrieb/${hqid}`, ['Mein Forstbetrieb', 'Kunden', NAME, 'Forstbetrieb']],
      ['/member-management/users', ['Mein Forstbetrieb', 'Kunden', 'Entwässerung', 'Nutzer']],
    ] as const) {
      await openInside(page, path)
      for (const width of [1440, 1280, 1024, 390]) {
        await page.setViewportSize({ width, height: 900 })
        const about = `${path} at ${width}`
        await expect.poll(() => crumbs.locator('[aria-current="page"]').count()).toBe(1)
        // At once: another width redraws the steps.
        const read = () =>
          crumbs.locator('ol').evaluate((bar) =>
            [...bar.children].map((item) => {
              // A name for which there is no room is only read out.
              const whole = item.querySelector('.visually-hidden')
              const text =
                item.querySelector('[aria-hidden]') ?? whole ?? item.querySelector('a, span, button')!
              const isOut = item.getBoundingClientRect().right > bar.getBoundingClientRect().right + 1
              return {
                text: text === whole ? '' : text.textContent!,
                cut: isOut || (text !== whole && text.scrollWidth > text.clientWidth + 1),
              }
            }),
          )
        await expect.poll(async () => (await read()).filter(({ cut }) => cut), { message: about }).toEqual([])
        const shown = await read()
        // Only on a phone, beside a stamp, is there no room for the page's own name.
        if (width > 390)
          expect(
            shown.map(({ text }) => text),
            about,
          ).not.toContain('')
        for (const { text } of shown.filter((one) => one.text !== '…' && one.text !== '')) {
          const [beginning = '', end] = text.split('…')
          if (end === undefined) continue
          expect(text.length, `${about}: ${text}`).toBeGreaterThanOrEqual(6)
          expect(end.length, `${about}: ${text}`).toBeGreaterThanOrEqual(2)
          if (path === '/kunden/7')
            expect([NAME.startsWith(beginning), NAME.endsWith(end)], `${about}: ${text}`).toEqual([
              true,
              true,
            ])
        }
        // Whatever is not shown is in the menu.
        const more = crumbs.getByRole('button', { name: 'Übergeordnete Seiten' })
        const hidden = (await more.count()) > 0
        if (hidden) await more.click()
        if (hidden) await page.getByRole('menuitem').first().waitFor()
        const inMenu = hidden ? await page.getByRole('menuitem').allInnerTexts() : []
        if (hidden) await page.keyboard.press('Escape')
        const links = await crumbs.getByRole('link').allTextContents()
        for (const title of titles.slice(0, -1))
          expect(
            [...inMenu, ...links].some((text) => text.startsWith(title)),
            `${about}: ${title}`,
          ).toBe(true)
      }
      expect(await brokenRules(page, '.topbar')).toEqual([])
    }
    await page.getByRole('button', { name: 'Übergeordnete Seiten' }).click()
    await page.getByRole('menuitem', { name: 'Entwässerung' }).click()
    await page.waitForURL('**/member-management/client')
  })

  test('who is new has no profile in the menu, and is offered nothing', async () => {
    const page = await open('ogf_init', '/')
    await page.getByRole('button', { name: /^Benutzermenü/ }).click()
    expect(await page.getByRole('menuitem', { name: 'Profil' }).count()).toBe(0)
    expect(await page.locator('.upsell').count()).toBe(0)
  })

  test('who is new checks again with a new token, and goes on without signing in again', async () => {
    const page = await open('ogf_init', '/dashboard')
    const before = await tokenOf(page)
    await page.getByRole('button', { name: 'Noch einmal prüfen' }).click()
    await expect.poll(() => tokenOf(page)).not.toBe(before)
    await page.getByRole('button', { name: 'Noch einmal prüfen' }).waitFor()
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

  test('the log: empty until something goes wrong, then counted, readable, cleared, without secrets', async () => {
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
