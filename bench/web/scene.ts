// What the web bench drives: a slowed Chromium in front of the real server, and the figures the browser itself keeps.
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core'

/** 10 Mbit/s both ways, 40 ms, CPU four times slower: a notebook of an office on a village line. */
const LINE = { offline: false, latency: 40, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 }
const SLOWER = 4

export interface Slowed {
  readonly page: Page
  readonly session: CDPSession
  close(): Promise<void>
}

/** A fresh profile with an empty cache; `state` carries a session of the sign-in. */
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
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', LINE)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  return { page, session, close: () => context.close() }
}

/**
 * Goes to an address as who is known to the provider and waits until the page is there; answers what passed from the address on, whatever documents of a sign-in lay between:
 * until its largest part was painted, and until `isThere` held.
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

/** The third of three visits by the same window: by then the browser has kept the code as it wants it. */
export async function revisit(page: Page, isThere: () => Promise<unknown>): ReturnType<typeof visit> {
  for (let round = 0; round < 2; round++) await visit(page, () => page.reload(), isThere)
  return visit(page, () => page.reload(), isThere)
}

export interface Observed {
  lcp: number
  /** Sum of what long tasks took beyond 50 ms since the navigation. */
  blocking: number
  /** Longest interaction since the last reset. */
  inp: number
}

/** Runs in the page before everything else. */
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

/** The longest interaction while `work` runs; entries arrive a little after the frame. */
export async function interactionOf(page: Page, work: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    ;(globalThis as unknown as { observed: Observed }).observed.inp = 0
  })
  await work()
  await page.waitForTimeout(400)
  return (await readObserved(page)).inp
}
