// What is visible before signing in, pages that deny access, a narrow window: no accessibility rule is
// broken, the browser has no complaint, and all security headers are set. every-page.test.ts covers the pages
// of the roles.
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { hasBrowser, signIn, type Visitor } from './browser.ts'
import { borrowVisitor } from './reuse.ts'
import { brokenInSchemes, groundOf, openInside, settle } from './pages.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('what is on the screens', () => {
  const house = oneServer()

  const withVisitor = async (work: (visitor: Visitor) => Promise<void>): Promise<void> => {
    const visitor = await borrowVisitor(house.browser, house.app)
    try {
      await work(visitor)
      expect(visitor.complaints, 'console errors, faults, policy reports').toEqual([])
    } finally {
      await visitor.close()
    }
  }

  test('the sign-in pages, before anybody is signed in', () =>
    withVisitor(async ({ page }) => {
      for (const scheme of ['light', 'dark'] as const) {
        // The provider's pages define their colours in their own style sheet.
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
        for (const path of ['/', '/anmelden/vergessen', '/login?grund=beendet', '/landing']) {
          await page.goto(path)
          await settle(page)
          const bright = (await groundOf(page))
            .match(/\d+/g)
            ?.map(Number)
            .every((channel) => channel > 128)
          expect(bright, `${path} ${scheme}`).toBe(scheme === 'light')
          expect(await brokenRules(page), `${path} ${scheme}`).toEqual([])
        }
      }
    }))

  test('the sign-in page has the typeface of the product', () =>
    withVisitor(async ({ page }) => {
      await page.goto('/')
      await page.getByLabel('E-Mail').waitFor()
      const loaded = () =>
        page.evaluate(() => [...document.fonts].map(({ family, status }) => `${family} ${status}`).join())
      await expect.poll(loaded).toMatch(/^"?Source Sans"? loaded$/)
    }))

  test('pages that open without a sign-in have one frame: name, language, legal links', () =>
    withVisitor(async ({ page }) => {
      for (const path of ['/login?grund=beendet', '/404?pfad=/x', '/401?pfad=/x', '/landing', '/annahme#x']) {
        await page.goto(path)
        const head = page.getByRole('banner')
        await head.getByText('Forstkontor').waitFor()
        // The frame may stand before the code of its page is there.
        await page.getByRole('heading', { level: 1 }).waitFor()
        expect(await page.getByRole('main').count(), path).toBe(1)
        expect(await page.getByRole('contentinfo').count(), path).toBe(1)
        await head.getByRole('button', { name: 'English' }).click()
        await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('en')
        expect(await brokenRules(page), path).toEqual([])
        await page.getByRole('banner').getByRole('button', { name: 'Deutsch' }).click()
        await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('de')
      }
    }))

  test('the pages that say what is missing, in both schemes', () =>
    withVisitor(async (visitor) => {
      const { page } = visitor
      await signIn(visitor, house.app, 'ogf_standard')
      for (const [place, query] of [
        ['/401', '?pfad=/x'],
        ['/404', '?pfad=/x'],
      ] as const) {
        await openInside(page, place, query)
        expect(await brokenInSchemes(page), place).toEqual([])
      }
    }))

  test('a narrow window has no rule broken and no sideways scroll of the page', () =>
    withVisitor(async (visitor) => {
      const { page } = visitor
      await page.setViewportSize({ width: 390, height: 800 })
      await page.goto('/')
      await signIn(visitor, house.app, 'ogf_admin', '/kunden/index')
      await settle(page)
      expect(await brokenRules(page)).toEqual([])
      expect(
        await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ),
      ).toBeLessThanOrEqual(0)
    }))

  test('all answers carry the security headers, whoever gives them', async () => {
    const PATHS = [
      '/',
      '/kunden/5',
      '/config/app.json',
      '/config/identity.json',
      '/rest/kunde',
      '/rest/',
      '/prod-api/betrieb',
      '/prod-api/nothing',
      '/healthz',
      '/livez',
      '/realms/master/.well-known/openid-configuration',
      '/realms/master/protocol/openid-connect/certs',
      '/realms/master/account',
      '/realms/master/protocol/openid-connect/auth?client_id=unknown',
      '/anmelden/vergessen',
      '/anmelden/anmelden.css',
      '/anmelden/passwort/unknown',
      '/assets/missing.js',
    ]
    for (const path of PATHS) {
      const { headers } = await fetch(house.app.origin + path, { headers: { accept: 'text/html' } })
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
      expect(headers.get('content-security-policy'), path).toMatch(/frame-ancestors 'none'/)
      expect(headers.get('content-security-policy'), path).not.toMatch(/unsafe-inline|unsafe-eval|\*/)
      expect(headers.get('referrer-policy'), path).toMatch(/^(?:same-origin|strict-origin|no-referrer)$/)
      expect(headers.get('permissions-policy'), path).toContain('camera=()')
      expect(headers.get('cross-origin-opener-policy'), path).toBe('same-origin')
      expect(headers.get('x-request-id'), path).toMatch(/^[0-9a-f-]{36}$/)
      expect(headers.get('x-powered-by'), path).toBeNull()
    }
  })
})
