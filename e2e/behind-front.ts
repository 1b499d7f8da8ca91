// The product behind a line that a test can cut, with a browser in front of it.
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type RunningApp, startApp } from './app.ts'
import { launchBrowser, openVisitor, type Visitor } from './browser.ts'
import { type Front, openFront } from './front.ts'

export interface BehindFront {
  readonly front: Front
  readonly app: RunningApp
  readonly browser: Browser
  close(): Promise<void>
}

export async function startBehindFront(env: Record<string, string> = {}): Promise<BehindFront> {
  const front = await openFront()
  const [app, browser] = await Promise.all([
    startApp({ env: { PUBLIC_ORIGIN: front.origin, LOGIN_RATE_PER_MIN: '1000', ...env } }),
    launchBrowser(),
  ])
  front.leadTo(app.port)
  const close = async () => {
    await browser.close()
    await app.stop()
    await front.close()
  }
  return { front, app, browser, close }
}

interface Journeys extends Omit<BehindFront, 'close'> {
  /** A window at the front, closed with the journey. */
  window(more: BrowserContextOptions): Promise<Visitor>
  /** Cuts the line, or fixes it, and the browser knows. */
  offline(context: BrowserContext, on: boolean): Promise<void>
}

/** For journeys that cut the line: after each it is whole again. Call it inside a describe. */
export function journeysBehindFront(): Journeys {
  let home: BehindFront | undefined
  const visitors: Visitor[] = []
  beforeAll(async () => {
    home = await startBehindFront()
  }, 180_000)
  afterAll(() => home?.close())
  afterEach(async () => {
    home?.front.cut(false)
    home?.front.disturb(null)
    await Promise.all(visitors.splice(0).map((visitor) => visitor.close()))
  })
  const started = (): BehindFront => {
    if (home === undefined) throw new Error('not started yet')
    return home
  }
  return {
    get front() {
      return started().front
    },
    get app() {
      return started().app
    },
    get browser() {
      return started().browser
    },
    async window(more) {
      const visitor = await openVisitor(started().browser, started().front, more)
      visitors.push(visitor)
      return visitor
    },
    async offline(context, on) {
      started().front.cut(on)
      await context.setOffline(on)
    },
  }
}
