// What the web bench drives: a slowed-down Chromium against the real server, and the figures that the browser
// itself records.
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { SHORT } from '../extent.ts'

/**
 * 10 Mbit/s both ways, 40 ms, CPU four times slower: an office notebook on a rural line. A short run, whose
 * figures nobody compares, is not slowed down: the browser would only burn the time.
 */
const LINE = { offline: false, latency: 40, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 }
const SLOWER = 4

export interface Slowed {
  readonly page: Page
  readonly session: CDPSession
  close(): Promise<void>
}

/** A fresh profile with an empty cache; `state` carries a signed-in session. */
export async function openSlowed(
  browser: Browser,
  origin: string,
  state: BrowserContextOptions = {},
): Promise<Slowed> {
  const context = await browser.newContext({
    baseURL: origin,
    locale: 'de-DE',
    viewport: { width: 1360, height: 900 },
    ...state,
  })
  await context.addInitScript(observe)
  // Slowed down, and perhaps beside other work.
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  if (!SHORT) {
    await session.send('Network.emulateNetworkConditions', LINE)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  }
  return { page, session, close: () => context.close() }
}

/**
 * Opens an address with a session at the provider and waits until the page is there. Returns the time from
 * the address, including any redirects of a sign-in, until the largest element was painted and until
 * `isThere` held.
 */
export async function visit(
  page: Page,
  go: () => Promise<unknown>,
  isThere: () => Promise<unknown>,
): Promise<{ readonly lcp: number; readonly there: number; readonly blocking: number }> {
  const began = Date.now()
  await go()
  await isThere()
  const there = await page.evaluate(() => performance.timeOrigin + performance.now())
  await page.waitForLoadState('networkidle')
  const { lcp, blocking } = await readObserved(page)
  const origin = await page.evaluate(() => performance.timeOrigin)
  return { lcp: origin + lcp - began, there: there - began, blocking }
}

/** The third of three visits in the same window: by then the browser has cached the compiled code. */
export async function revisit(page: Page, isThere: () => Promise<unknown>): ReturnType<typeof visit> {
  for (let round = 0; round < 2; round++) await visit(page, () => page.reload(), isThere)
  return visit(page, () => page.reload(), isThere)
}

export interface Observed {
  lcp: number
  /** Total time of long tasks beyond 50 ms since the navigation. */
  blocking: number
  /** Longest interaction since the last reset. */
  inp: number
}

/** Runs in the page before anything else. */
function observe(): void {
  const kept: Observed = { lcp: 0, blocking: 0, inp: 0 }
  ;(globalThis as unknown as { observed: Observed }).observed = kept
  const watch = (type: string, options: object, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      type,
      buffered: true,
      ...options,
    })
  watch('largest-contentful-paint', {}, (entry) => {
    kept.lcp = entry.startTime
  })
  watch('longtask', {}, (entry) => {
    kept.blocking += Math.max(0, entry.duration - 50)
  })
  watch('event', { durationThreshold: 16 }, (entry) => {
    if ((entry as PerformanceEntry & { interactionId?: number }).interactionId)
      kept.inp = Math.max(kept.inp, entry.duration)
  })
}

export const readObserved = (page: Page): Promise<Observed> =>
  page.evaluate(() => ({ ...(globalThis as unknown as { observed: Observed }).observed }))

/** The longest interaction while `work` runs; entries arrive slightly after the frame. */
export async function interactionOf(page: Page, work: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    ;(globalThis as unknown as { observed: Observed }).observed.inp = 0
  })
  await work()
  await page.waitForTimeout(400)
  return (await readObserved(page)).inp
}
