// Every page that a role may open, opened once as that role in a real browser: its heading is there, nothing went wrong, and nobody was turned away.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEMO_ACCOUNTS } from '#domain/probe-konten.ts'
import { type RunningApp, startApp } from './app.ts'
import { hasBrowser, launchBrowser, openVisitor, signIn } from './browser.ts'
import { tokenOf } from './calls.ts'
import { fillIds, openInside, pathsOf } from './pages.ts'

describe.skipIf(!hasBrowser())('every page as every role', () => {
  let app: RunningApp
  let browser: Browser
  beforeAll(async () => {
    ;[app, browser] = await Promise.all([startApp({ env: { LOGIN_RATE_PER_MIN: '1000' } }), launchBrowser()])
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await app?.stop()
  })

  for (const { role } of DEMO_ACCOUNTS) {
    test(`${role}: ${pathsOf(role).length} pages`, async () => {
      const visitor = await openVisitor(browser, app)
      const { page, complaints } = visitor
      try {
        await signIn(visitor, app, role)
        // Home is a page of one's own, whoever signs in.
        await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
        expect(new URL(page.url()).pathname).not.toMatch(/^\/(?:40[14]|login)?$/)
        const token = await tokenOf(page)
        for (const pattern of pathsOf(role)) {
          const path = await fillIds(app, token, pattern)
          await openInside(page, path)
          expect(new URL(page.url()).pathname).toBe(path)
          expect(await page.locator('main .state[role="alert"]').allInnerTexts(), `${path} as ${role}`).toEqual([])
          expect(await page.title(), path).toMatch(/.+ - Forstkontor$/)
          expect(complaints.splice(0), `${path} as ${role}`).toEqual([])
        }
      } finally {
        await visitor.close()
      }
    })
  }
})
