// Every page whose data cannot be loaded says so and offers a retry. A failed load never looks like an empty
// list, a missing record or a missing right.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isToday, VOLL } from '../test/extent.ts'
import type { RunningApp } from './app.ts'
import { startBehindFront } from './behind-front.ts'
import { type DemoRole, hasBrowser, openVisitor, signIn } from './browser.ts'
import { tokenOf } from './calls.ts'
import { type Front, type FrontFault, JOURNEY } from './front.ts'
import { fillIds, pathsOf } from './pages.ts'

/**
 * Each page is tested as the first of these who may open it, every other one today; roles with records of their
 * own come first. The dashboard differs for each, so each tests it.
 */
const ROLES: readonly DemoRole[] = ['ogf_standard', 'kundenadmin', 'appuser_admin', 'admin']
/** Admins may open these, but without a holding the pages say so before they request anything. */
const OF_A_HOLDING: ReadonlySet<string> = new Set([
  '/abo/index',
  '/habitatbaeume/import',
  '/habitatbaeume/index',
  '/kataster/index',
  '/kawm/index',
  '/na/index',
  '/waldbestand/index',
])
const pagesOf = (role: DemoRole): string[] =>
  pathsOf(role).filter(
    (path, nr) =>
      (VOLL && !(role === 'admin' && OF_A_HOLDING.has(path))) ||
      path === '/dashboard' ||
      (isToday(nr, 2) && ROLES.find((one) => pathsOf(one).includes(path)) === role),
  )

/** Any request of a page, except those about who is signed in. */
const DATA = /^\w+ \/(?:rest|prod-api)\/(?!rpc\/__o_get_user_data|get_hqs_from_user)/
/** Requested by the frame, not by the page. */
const OF_FRAME = /\/(?:rest\/(?:meldung|ansicht|einstellung|rpc\/\w*(?:einstellung|meldung|vorlieb)))/
const asksForData = (request: { url(): string; method(): string }): boolean => {
  const address = `${request.method()} ${new URL(request.url()).pathname}`
  return DATA.test(address) && !OF_FRAME.test(address)
}
const NEVER = new RegExp(
  'Kein Zugriff|fehlt Ihnen|Berechtigung|Nicht gefunden|nicht gefunden|gibt es nicht|Noch keine|' +
    'Keine Treffer|keinem Forstbetrieb verbunden',
)
/** One small page of each kind, for the fault that takes longest to show. */
const SLOW: readonly string[] = [
  '/dashboard',
  '/kunden/index',
  '/kunden/$id',
  '/karten/index',
  '/buchhaltung/rechnungen',
]
/**
 * Pages drawn from the session or the device, or after choosing a file: they request data only in addition or
 * later.
 */
const NEEDS_NOTHING: ReadonlySet<string> = new Set([
  '/feld',
  '/feld/$',
  '/geraet',
  '/habitatbaeume/feldsicherung',
  '/kataster/import',
  '/kunden/import',
  '/verwaltung/bausteine',
  '/waldbestand/import',
])

describe.skipIf(!hasBrowser())('a page whose data cannot be had', () => {
  let front: Front
  let app: RunningApp
  let browser: Browser
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ front, app, browser, close } = await startBehindFront())
  }, 120_000)
  afterAll(() => close?.())

  const seen = async (page: Page, path: string): Promise<string[]> => {
    const main = page.locator('main .view').filter({ visible: true })
    const again = main.getByRole('button', { name: 'Erneut versuchen' })
    const told = await again
      .first()
      .waitFor({ timeout: 25_000 })
      .then(
        () => true,
        () => false,
      )
    const text = await main.innerText()
    return [
      ...(told ? [] : [`${path}: offers no other try: ${text.replaceAll(/\s+/g, ' ').slice(0, 160)}`]),
      ...(NEVER.test(text) ? [`${path}: says ${NEVER.exec(text)?.[0]}`] : []),
      ...(new URL(page.url()).pathname === path ? [] : [`${path}: leads to ${page.url()}`]),
    ]
  }

  const walk = async (role: DemoRole, patterns: readonly string[], fault: FrontFault): Promise<string[]> => {
    const signedIn = await openVisitor(browser, front)
    await signIn(signedIn, app, role, '/profile/index')
    const token = await tokenOf(signedIn.page)
    const storageState = await signedIn.context.storageState()
    await signedIn.close()
    const queue = patterns.filter((pattern) => !NEEDS_NOTHING.has(pattern))
    const wrong: string[] = []
    const one = async (line: number) => {
      const journey = `${role} ${fault} ${line}`
      const visitor = await openVisitor(browser, front, {
        storageState,
        extraHTTPHeaders: { [JOURNEY]: journey },
      })
      front.fail(journey, DATA, fault)
      try {
        for (let pattern = queue.shift(); pattern !== undefined; pattern = queue.shift()) {
          const path = await fillIds(app, token, pattern)
          const asked = visitor.page.waitForRequest(asksForData, { timeout: 20_000 }).then(
            () => true,
            () => false,
          )
          await visitor.page.goto(path, { waitUntil: 'commit' })
          wrong.push(...((await asked) ? await seen(visitor.page, path) : [`${path}: asks for nothing`]))
        }
      } finally {
        await visitor.close()
      }
    }
    await Promise.all([1, 2, 3].map(one))
    return wrong
  }

  for (const role of ROLES)
    test(
      `${role}: ${pagesOf(role).length} pages say that the server failed`,
      { timeout: 400_000 },
      async () => expect((await walk(role, pagesOf(role), '500')).toSorted()).toEqual([]),
    )

  test('some of them without an answer', { timeout: 240_000 }, async () =>
    expect((await walk('admin', SLOW, 'silent')).toSorted()).toEqual([]),
  )
})
