// Shared setup of a file of journeys: one server and browser for all of them, visitors that end with their
// journey, and no unexpected complaints.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type AppOptions, type RunningApp, startApp } from './app.ts'
import { type DemoRole, launchBrowser, openVisitor, signIn, type Visitor } from './browser.ts'
import { borrowVisitor } from './reuse.ts'

export interface OneServer {
  readonly app: RunningApp
  readonly browser: Browser
  /** A window in which nobody is signed in; with `more` its own profile. It closes with the journey. */
  readonly window: (more?: BrowserContextOptions) => Promise<Visitor>
  /** Signed in, at the path. */
  readonly visitor: (role: DemoRole, path?: string, more?: BrowserContextOptions) => Promise<Visitor>
  /** The page of such a visitor, once its heading is there. */
  readonly visit: (role: DemoRole, path: string, more?: BrowserContextOptions) => Promise<Page>
  /** Complaints that the rest of this journey provokes. */
  readonly provokes: (complaints: RegExp) => void
}

type Env = NonNullable<AppOptions['env']>

interface Options extends Pick<AppOptions, 'engine' | 'prepare'> {
  /** Settings; a function for those that are only known once something else runs, such as a mail server. */
  readonly env?: Env | (() => Promise<Env>)
  /** Complaints that the journeys provoke: the browser logs every refusal. */
  readonly asked?: RegExp
}

/** For journeys that break lines and sessions: what the browser logs then is not their subject. */
export const ANYTHING = /^/

/** Call it inside a describe. */
export function oneServer({ env = {}, asked, ...more }: Options = {}): OneServer {
  let app: RunningApp | undefined
  let browser: Browser | undefined
  let provoked: RegExp | undefined
  const visitors: Visitor[] = []
  beforeAll(async () => {
    const given = typeof env === 'function' ? await env() : env
    ;[app, browser] = await Promise.all([
      startApp({ ...more, env: { LOGIN_RATE_PER_MIN: '1000', ...given } }),
      launchBrowser(),
    ])
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await app?.stop()
  })
  afterEach(async () => {
    const complaints = visitors.flatMap((visitor) => visitor.complaints)
    const expected = [asked, provoked]
    provoked = undefined
    await Promise.all(visitors.splice(0).map((visitor) => visitor.close()))
    expect(
      complaints.filter((line) => !expected.some((pattern) => pattern?.test(line))),
      'console errors, faults, policy reports',
    ).toEqual([])
  })
  const started = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('not started yet')
    return value
  }
  const open = async (options?: BrowserContextOptions): Promise<Visitor> => {
    const visitor = await (options === undefined
      ? borrowVisitor(started(browser), started(app))
      : openVisitor(started(browser), started(app), options))
    visitors.push(visitor)
    return visitor
  }
  const enter: OneServer['visitor'] = async (role, path = '/', options) => {
    const visitor = await open(options)
    await signIn(visitor, started(app), role, path)
    return visitor
  }
  return {
    get app() {
      return started(app)
    },
    get browser() {
      return started(browser)
    },
    window: open,
    visitor: enter,
    visit: async (role, path, options) => {
      const { page } = await enter(role, path, options)
      await page.getByRole('main').getByRole('heading', { level: 1 }).first().waitFor()
      return page
    },
    provokes: (complaints) => {
      provoked = complaints
    },
  }
}
