// Every page that a role may open, opened once as that role in a real browser: its heading is there, nothing went wrong, and nobody was turned away.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEMO_ACCOUNTS } from '#domain/probe-konten.ts'
import { mayOpen, NOT_THERE_YET, WHO_OPENS_WHAT } from '../web/src/app/who-opens-what.fixture.ts'
import { type RunningApp, startApp } from './app.ts'
import { type DemoRole, hasBrowser, launchBrowser, openVisitor, signIn } from './browser.ts'
import { call, tokenOf } from './calls.ts'

/** Addresses of records that this person may read: a number of somebody else's would only show the page of what is not found. */
async function fillIds(app: RunningApp, token: string, pattern: string): Promise<string> {
  if (!pattern.includes('$')) return pattern
  const first = async (path: string): Promise<Record<string, unknown>> => {
    const { json } = await call(app, token, `/rest/${path}&limit=1`)
    const [row] = json as Record<string, unknown>[]
    if (row === undefined) throw new Error(`no sample for ${pattern}: ${path} is empty`)
    return row
  }
  if (pattern.includes('$detailid')) {
    const { client_id, hqid } = await first('kunde_hq?select=client_id,hqid&order=hqid')
    return pattern.replace('$id', String(client_id)).replace('$detailid', String(hqid))
  }
  if (pattern.includes('$user_id'))
    return pattern.replace('$user_id', String((await first('benutzer?select=user_id&order=user_id'))['user_id']))
  return pattern.replace(/\$\w+/, String((await first('kunde?select=client_id&order=client_id'))['client_id']))
}

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

  const pathsOf = (role: DemoRole) => Object.keys(WHO_OPENS_WHAT).filter((path) => !NOT_THERE_YET.includes(path) && mayOpen(path, role))

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
          // Inside the application: loading it anew for each page would take minutes.
          await page.evaluate((wanted) => {
            history.pushState(null, '', wanted)
            window.dispatchEvent(new PopStateEvent('popstate'))
          }, path)
          await page.locator(`main .view[data-path="${path}"]`).getByRole('heading', { level: 1 }).waitFor()
          expect(new URL(page.url()).pathname).toBe(path)
          await page.waitForLoadState('networkidle')
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
