// Shared setup of a file of journeys: one server and browser for all of them, visitors that end with their
// journey, and no unexpected complaints.
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type AppOptions, type RunningApp, startApp } from './app.ts'
import { type DemoRole, launchBrowser, openVisitor, signIn, type Visitor } from './browser.ts'
import { borrowVisitor } from './reuse.ts'

export interface OneServer {
  readonly app: RunningApp
  /** Signed in, at the path. */
  visitor(role: DemoRole, path?: string, more?: BrowserContextOptions): Promise<Visitor>
}

interface Options extends Pick<AppOptions, 'env'> {
  /** Complaints that the journeys provoke: the browser logs every refusal. */
  readonly asked?: RegExp
}

/** Call it inside a describe. */
export function oneServer({ env = {}, asked }: Options = {}): OneServer {
  let app: RunningApp | undefined
  let browser: Browser | undefined
  const visitors: Visitor[] = []
  beforeAll(async () => {
    ;[app, browser] = await Promise.all([
      startApp({ env: { LOGIN_RATE_PER_MIN: '1000', ...env } }),
      launchBrowser(),
    ])
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await app?.stop()
  })
  afterEach(async () => {
    const complaints = visitors.flatMap((visitor) => visitor.complaints)
    await Promise.all(visitors.splice(0).map((visitor) => visitor.close()))
    expect(
      complaints.filter((line) => asked?.test(line) !== true),
      'console errors, faults, policy reports',
    ).toEqual([])
  })
  const started = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('not started yet')
    return value
  }
  return {
    get app() {
      return started(app)
    },
    async visitor(role, path = '/', more) {
      const visitor = await (more === undefined
        ? borrowVisitor(started(browser), started(app))
        : openVisitor(started(browser), started(app), more))
      visitors.push(visitor)
      await signIn(visitor, started(app), role, path)
      return visitor
    },
  }
}
