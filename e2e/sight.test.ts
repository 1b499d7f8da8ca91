// Every route as several roles and in both colour schemes: no accessibility rule broken, no complaint of the browser, all security headers.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isPermitted, ROUTES, type RouteLine } from '../web/src/app/routes.ts'
import { type RunningApp, startApp } from './app.ts'
import { brokenRules } from './axe.ts'
import { type DemoRole, hasBrowser, launchBrowser, openVisitor, signIn, type Visitor } from './browser.ts'
import { openInside } from './pages.ts'

/** The ground of the page in each scheme: a dark page that is not dark would pass every other test. */
const GROUND = { light: 'rgb(244, 246, 242)', dark: 'rgb(17, 22, 15)' } as const
const groundOf = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)

const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** All pages that a role may open, with a number in the place of ids. */
function pathsFor(roles: readonly string[]): string[] {
  const linesOf = (lines: readonly RouteLine[]): RouteLine[] => lines.flatMap((line) => [line, ...linesOf(line.children ?? [])])
  return linesOf(ROUTES)
    .filter((line) => line.page !== undefined && !line.open && isPermitted(line, roles) && !/\/\$$|auth-redirect|^\/login$/.test(line.path))
    .map((line) => line.path.replaceAll(/\$\w+/g, '1'))
}

/** The page has come to rest: nothing is loading and no skeleton is left. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
}

/** Colours change by a transition, without motion within a frame. */
async function inScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await expect.poll(() => groundOf(page), { timeout: 5_000 }).toBe(GROUND[colorScheme])
  await page.waitForTimeout(100)
}

const ROLES: readonly DemoRole[] = ['ogf_admin', 'apus_admin', 'kundenadmin', 'ogf_standard', 'ogf_init']

describe.skipIf(!hasBrowser())('what is on the screens', () => {
  let app: RunningApp
  let browser: Browser
  beforeAll(async () => {
    ;[app, browser] = await Promise.all([startApp({ env: { LOGIN_RATE_PER_MIN: '1000' } }), launchBrowser()])
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await app?.stop()
  })

  const withVisitor = async (work: (visitor: Visitor) => Promise<void>): Promise<void> => {
    const visitor = await openVisitor(browser, app)
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
        // Colours of the provider's pages stand in their own style sheet.
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

  for (const role of ROLES) {
    test(
      `every page of ${role} in both schemes`,
      () =>
        withVisitor(async (visitor) => {
          const { page } = visitor
          const paths = pathsFor([role])
          expect(paths.length).toBeGreaterThan(0)
          await signIn(visitor, app, role)
          for (const path of [...paths, '/401?pfad=/x', '/404?pfad=/x']) {
            const [place = '', query] = path.split('?')
            await openInside(page, place, query === undefined ? '' : `?${query}`)
            await settle(page)
            expect(new URL(page.url()).pathname, 'the page was reached').toBe(path.split('?')[0])
            for (const colorScheme of ['light', 'dark'] as const) {
              await inScheme(page, colorScheme)
              // Only colours differ between the schemes.
              const rules = colorScheme === 'dark' ? COLOUR_RULES : undefined
              expect(await brokenRules(page, undefined, rules), `${path} as ${role}, ${colorScheme}`).toEqual([])
            }
          }
        }),
      120_000,
    )
  }

  test('a narrow window has no rule broken and no sideways scroll of the page', () =>
    withVisitor(async (visitor) => {
      const { page } = visitor
      await page.setViewportSize({ width: 390, height: 800 })
      await page.goto('/')
      await signIn(visitor, app, 'ogf_admin', '/kunden/index')
      await settle(page)
      expect(await brokenRules(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0)
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
      const { headers } = await fetch(app.origin + path, { headers: { accept: 'text/html' } })
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
