// npm run bench:web: the budgets of the screens on the production build, next to a frozen page measured in
// the same run.
import type { Browser, Page } from 'playwright-core'
import { type RunningApp, startApp } from '../../e2e/app.ts'
import { type DemoRole, launchBrowser, openVisitor, signIn } from '../../e2e/browser.ts'
import { tokenOf } from '../../e2e/calls.ts'
import { atMost, type Figure, median, report, shown } from '../figures.ts'
import { SHORT } from '../extent.ts'
import { FIRST_LOADS, filesOf, gzipSize, readManifest } from './bytes.ts'
import { measureKeptViews } from './kept-views.ts'
import { measureLargeList } from './large-list.ts'
import { withFrozen } from './frozen.ts'
import { buildPeer, peerBytes, servePeer } from './peer.ts'
import { serveRows } from './rows-page.ts'
import { interactionOf, openSlowed, readObserved, revisit, visit } from './scene.ts'
import { measureTheme } from './theme.ts'

const ROUNDS = Number(process.argv[2] ?? (SHORT ? 1 : 5))

interface Loaded {
  readonly lcp: number
  readonly blocking: number
}

/**
 * A visit with a valid session at the provider but an empty cache, as for someone who comes back in the
 * morning.
 */
async function loadPage(
  browser: Browser,
  app: RunningApp,
  role: DemoRole,
  path: string,
  isThere: (page: Page) => Promise<void>,
): Promise<Loaded & { usable: number; page: Page; close(): Promise<void> }> {
  const visitor = await openVisitor(browser, app)
  await signIn(visitor, app, role)
  const storageState = await visitor.context.storageState()
  await visitor.close()
  const slowed = await openSlowed(browser, app.origin, { storageState })
  const {
    lcp,
    blocking,
    there: usable,
  } = await visit(
    slowed.page,
    () => slowed.page.goto(path),
    () => isThere(slowed.page),
  )
  return { lcp, blocking, usable, page: slowed.page, close: () => slowed.close() }
}

const dashboardThere = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor()
const listThere = (page: Page) => page.getByText('500 Kunden').waitFor()

/** Everyday clicks on the list, each with its longest interaction. */
async function clicksOf(page: Page): Promise<Record<'sort' | 'dialog' | 'menu', number>> {
  const sort = await interactionOf(page, async () => {
    await page.getByRole('button', { name: /^Ort/ }).first().click()
    await page.waitForLoadState('networkidle')
  })
  const menu = await interactionOf(page, () => page.getByRole('button', { name: /Anna Ahorn/ }).click())
  await page.keyboard.press('Escape')
  const dialog = await interactionOf(page, () => page.getByRole('button', { name: 'Kunde anlegen' }).click())
  return { sort, menu, dialog }
}

const measureReference = (browser: Browser): Promise<Loaded & { click: number }> =>
  withFrozen(browser, {}, async (page) => {
    const { lcp, blocking } = await readObserved(page)
    const click = await interactionOf(page, () => page.getByRole('button', { name: 'Mehr' }).click())
    return { lcp, blocking, click }
  })

/** The same list in react-admin, with the token of a signed-in user. */
async function measurePeer(
  browser: Browser,
  origin: string,
  token: string,
): Promise<Loaded & { usable: number; sort: number }> {
  const { page, close } = await openSlowed(browser, origin)
  await page.addInitScript((value) => localStorage.setItem('Admin-Token', value), token)
  await page.goto('/')
  await page.getByText('1-25 of 500').waitFor()
  const usable = await page.evaluate(() => performance.now())
  await page.waitForLoadState('networkidle')
  const { lcp, blocking } = await readObserved(page)
  const sort = await interactionOf(page, async () => {
    await page.locator('th.column-ort .MuiTableSortLabel-root').click()
    await page.waitForLoadState('networkidle')
  })
  await close()
  return { lcp, blocking, usable, sort }
}

/**
 * 10,000 rows in the browser: from navigation to the first rows, and from a click on a heading to the frame
 * with the new first row.
 */
async function measureRows(browser: Browser): Promise<{ usable: number; resort: number }> {
  const served = await serveRows()
  const usable: number[] = []
  const resort: number[] = []
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const { page, close } = await openSlowed(browser, served.origin)
      await page.goto('/')
      const there = await page.waitForFunction(
        () => document.querySelector('a[data-row-link]') !== null && performance.now(),
      )
      usable.push(Number(await there.jsonValue()))
      await page.waitForLoadState('networkidle')
      // The first click builds the column's sort keys; only later ones are measured.
      for (const press of ['make', 'measure', 'measure']) {
        const took = await page.evaluate(async () => {
          const first = () => document.querySelector('tbody a[data-row-link]')?.textContent
          const before = first()
          const from = performance.now()
          document.querySelectorAll<HTMLButtonElement>('.sort-button')[0]?.click()
          while (first() === before && performance.now() - from < 5_000)
            await new Promise(requestAnimationFrame)
          return performance.now() - from
        })
        if (press === 'measure') resort.push(took)
      }
      await close()
    }
  } finally {
    served.close()
  }
  return { usable: median(usable), resort: median(resort) }
}

function byteFigures(): Figure[] {
  const manifest = readManifest()
  return Object.entries(FIRST_LOADS).flatMap(([page, { entries, js, css }]) => {
    const files = filesOf(manifest, entries)
    return [
      atMost(`first load JS, ${page} (gzip)`, js / 1000, gzipSize(files, '.js') / 1000, 'kB'),
      atMost(`first load CSS, ${page} (gzip)`, css / 1000, gzipSize(files, '.css') / 1000, 'kB'),
    ]
  })
}

const app = await startApp({ env: { LOGIN_RATE_PER_MIN: '10000' } })
const browser = await launchBrowser()
// A short run does not install its packages.
const hasPeer = !SHORT && (await buildPeer())
const peer = hasPeer ? await servePeer(app.origin) : null
const kept: Record<string, number[]> = {}
const keep = (name: string, value: number) => (kept[name] ??= []).push(value)
try {
  for (let round = 0; round < ROUNDS; round++) {
    const reference = await measureReference(browser)
    keep('reference lcp', reference.lcp)
    keep('reference blocking', reference.blocking)
    keep('reference click', reference.click)
    const dashboard = await loadPage(browser, app, 'ogf_standard', '/dashboard', dashboardThere)
    keep('dashboard lcp', dashboard.lcp)
    keep('dashboard blocking', dashboard.blocking)
    keep('dashboard again', (await revisit(dashboard.page, () => dashboardThere(dashboard.page))).lcp)
    await dashboard.close()
    const list = await loadPage(browser, app, 'ogf_admin', '/kunden/index', listThere)
    keep('list lcp', list.lcp)
    keep('list usable', list.usable)
    keep('list blocking', list.blocking)
    keep('list again', (await revisit(list.page, () => listThere(list.page))).lcp)
    for (const [name, inp] of Object.entries(await clicksOf(list.page))) keep(name, inp)
    if (peer) {
      const measured = await measurePeer(browser, peer.origin, await tokenOf(list.page))
      for (const [name, value] of Object.entries(measured)) keep(`peer ${name}`, value)
    }
    await list.close()
  }
} catch (error) {
  await browser.close()
  throw error
} finally {
  peer?.close()
  await app.stop()
}
const views = await measureKeptViews(browser)
const rows = await measureRows(browser)
const large = await measureLargeList(browser, SHORT ? 10_600 : 100_000, SHORT ? 1 : 3)
const theme = await measureTheme(browser)
await browser.close()

const of = (name: string): number => median(kept[name] ?? [])
report('web', [
  ...byteFigures(),
  // From the address on, including the sign-in with the provider's session.
  atMost('LCP dashboard, nothing cached', 800, of('dashboard lcp'), 'ms'),
  atMost('LCP list of customers, nothing cached', 850, of('list lcp'), 'ms'),
  atMost('LCP dashboard, loaded anew', 800, of('dashboard again'), 'ms'),
  atMost('LCP list of customers, loaded anew', 850, of('list again'), 'ms'),
  atMost('10,000 rows in the browser, usable', 1_150, rows.usable, 'ms'),
  atMost('10,000 rows in the browser, sorted anew', 60, rows.resort, 'ms'),
  atMost('100,000 customers: LCP', 850, large.lcp, 'ms'),
  shown('100,000 customers: rows usable', large.usable, 'ms'),
  shown('100,000 customers: sorted by place', large.sorted, 'ms'),
  shown('100,000 customers: found by two words', large.found, 'ms'),
  shown('100,000 customers: next page', large.next, 'ms'),
  atMost('total blocking time dashboard', 180, of('dashboard blocking'), 'ms'),
  atMost('total blocking time list', 180, of('list blocking'), 'ms'),
  atMost('INP sorting the list', 64, of('sort'), 'ms'),
  atMost('INP opening the user menu', 64, of('menu'), 'ms'),
  atMost('INP opening a dialog', 64, of('dialog'), 'ms'),
  atMost('INP changing the theme', 40, theme, 'ms'),
  atMost('20 kept views: memory', 30, views.twenty, 'MB'),
  atMost('20 kept views: switch', 80, views.switching, 'ms'),
  atMost('INP changing tabs', 64, views.press, 'ms'),
  shown('20 kept views: elements in the document', views.nodes, ''),
  atMost('memory after opening and closing 50 tabs', 10, views.fifty, 'MB'),
  shown('rows of the list usable', of('list usable'), 'ms'),
  ...(hasPeer
    ? [
        shown('react-admin, same list: JS (gzip)', peerBytes() / 1000, 'kB'),
        shown('react-admin, same list: LCP', of('peer lcp'), 'ms'),
        atMost(
          'LCP list of customers, nothing cached, in react-admin’s',
          0.5,
          of('list lcp') / of('peer lcp'),
          '',
        ),
        atMost(
          'LCP list of customers, loaded anew, in react-admin’s',
          0.25,
          of('list again') / of('peer lcp'),
          '',
        ),
        shown('react-admin, same list: rows usable', of('peer usable'), 'ms'),
        shown('react-admin, same list: total blocking time', of('peer blocking'), 'ms'),
        shown('react-admin, same list: INP sorting', of('peer sort'), 'ms'),
      ]
    : []),
  shown('reference page LCP', of('reference lcp'), 'ms'),
  shown('reference page blocking time', of('reference blocking'), 'ms'),
  shown('reference page click', of('reference click'), 'ms'),
])
