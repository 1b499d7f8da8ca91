// The product behind a line that a test can cut, with a browser in front of it.
import type { Browser } from 'playwright-core'
import { type RunningApp, startApp } from './app.ts'
import { launchBrowser } from './browser.ts'
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
