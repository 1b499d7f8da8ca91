// What pages kept in the background cost: the memory of twenty, the time to switch between them, and what
// remains of fifty that were opened and closed.
import type { Browser, CDPSession, Page } from 'playwright-core'
import { type RunningApp, startApp } from '../../e2e/app.ts'
import { openVisitor, signIn } from '../../e2e/browser.ts'
import { SHORT } from '../extent.ts'
import { median } from '../figures.ts'
import { interactionOf, openSlowed } from './scene.ts'

export interface KeptViews {
  /** MB of JavaScript heap that twenty kept views add to one. */
  readonly twenty: number
  /** Elements in the document with twenty views. */
  readonly nodes: number
  /** ms from the click on a tab until its page is drawn, CPU four times slower. */
  readonly switching: number
  /** Longest interaction of a click on a tab; the median of several. */
  readonly press: number
  /** MB that remain after fifty tabs were opened and closed. */
  readonly fifty: number
}

const LISTS = [
  '/kunden/index',
  '/nutzer/index',
  '/forstbetriebe/index',
  '/gutschein/index',
  '/finanzen/index',
]
const kunde = (id: number) => `/kunden/${id}`
const SWITCHED = [kunde(1), kunde(3), kunde(8), kunde(12)]
/** Five lists and fifteen customers. */
const TWENTY = SHORT
  ? [...LISTS.slice(0, 3), ...SWITCHED]
  : [...LISTS, ...Array.from({ length: 15 }, (_, at) => kunde(at + 1))]

/** In MB, after garbage collection. */
async function heapOf(session: CDPSession): Promise<number> {
  for (let time = 0; time < 3; time++) await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 1_000_000
}

async function open(page: Page, path: string): Promise<void> {
  await page.evaluate((wanted) => {
    history.pushState(null, '', wanted)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await page.locator(`main .view[data-path="${path}"]`).getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
}

/** The tab of a path, with or without a query. */
const tabOf = (path: string): string => `.tab-link:is([href="${path}"], [href^="${path}?"])`

/**
 * Clicks a tab and waits for the first frame that shows its page. Watches the document instead of asking in
 * each frame, which would take the time that the page is drawn in.
 */
const timeSwitch = (page: Page, path: string): Promise<number> =>
  page.evaluate(
    async ({ wanted, tab }) => {
      const isThere = () => document.querySelector(`main .view[data-path="${wanted}"]`)?.checkVisibility()
      const began = performance.now()
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`${wanted} was not shown`)), 10_000)
        new MutationObserver((_, observer) => {
          if (!isThere()) return
          clearTimeout(late)
          observer.disconnect()
          requestAnimationFrame(() => setTimeout(resolve))
        }).observe(document.querySelector('main')!, { subtree: true, childList: true, attributes: true })
        document.querySelector<HTMLElement>(tab)?.click()
      })
      return performance.now() - began
    },
    { wanted: path, tab: tabOf(path) },
  )

export async function measureKeptViews(browser: Browser): Promise<KeptViews> {
  const app = await startApp({ env: { LOGIN_RATE_PER_MIN: '10000', TAGS_VIEW: 'on' } })
  try {
    return await measure(browser, app)
  } finally {
    await app.stop()
  }
}

async function measure(browser: Browser, app: RunningApp): Promise<KeptViews> {
  const visitor = await openVisitor(browser, app)
  await signIn(visitor, app, 'ogf_admin', LISTS[0]!)
  const storageState = await visitor.context.storageState()
  await visitor.close()
  const { page, session, close } = await openSlowed(browser, app.origin, { storageState })
  page.setDefaultTimeout(60_000)
  await page.goto(LISTS[0]!)
  await page.locator(`main .view[data-path="${LISTS[0]}"]`).getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  // Opens every kind of page first: loading its code is a one-time cost, not one of keeping views.
  for (const path of [...LISTS, kunde(60), LISTS[0]!]) await open(page, path)
  await closeAll(page)
  await open(page, LISTS[0]!)
  const before = await heapOf(session)

  for (const path of TWENTY) await open(page, path)
  const twenty = (await heapOf(session)) - before
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  const times: number[] = []
  // Back and forth between lists and customers, with a pause after each.
  for (const path of [
    LISTS[0]!,
    kunde(3),
    LISTS[1]!,
    kunde(8),
    LISTS[0]!,
    kunde(12),
    LISTS[2]!,
    kunde(1),
    LISTS[1]!,
  ]) {
    times.push(await timeSwitch(page, path))
    await page.waitForTimeout(SHORT ? 50 : 500)
  }
  const presses: number[] = []
  for (const path of [kunde(3), LISTS[0]!, kunde(8), LISTS[1]!, kunde(12)])
    presses.push(await interactionOf(page, () => page.locator(tabOf(path)).click()))

  await closeAll(page)
  await open(page, LISTS[0]!)
  const fresh = await heapOf(session)
  for (let id = 1; id <= (SHORT ? 2 : 50); id++) await open(page, kunde(id))
  await closeAll(page)
  await open(page, LISTS[0]!)
  const fifty = (await heapOf(session)) - fresh
  await close()
  return { twenty, nodes, switching: median(times), press: median(presses), fifty }
}

async function closeAll(page: Page): Promise<void> {
  await page.locator('.tab[data-active] .tab-link').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Alle schließen' }).click()
  await page.waitForFunction(() => document.querySelectorAll('.tab').length <= 1)
}
