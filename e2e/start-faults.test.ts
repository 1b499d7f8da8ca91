// One request of the start fails, in every way that requests fail: address and sign-in are kept, it is
// retried automatically, then a retry is offered; the page never claims that a right is missing.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY, isToday, VOLL } from '../test/extent.ts'
import type { RunningApp } from './app.ts'
import { brokenRules } from './axe.ts'
import { startBehindFront } from './behind-front.ts'
import { enterCredentials, demoPassword, emailOf, hasBrowser, openVisitor, signIn } from './browser.ts'
import { type Front, FRONT_FAULTS, JOURNEY } from './front.ts'

/** With a query and a fragment: all of it must be kept. */
const WANTED = '/kunden/index?sort=ort#inhalt'
const AGAIN = /^Die Verbindung zum Server ist gestört, es wird noch einmal versucht/
/** None of this may be shown for a temporary fault. */
const NEVER =
  /Kein Zugriff|fehlt Ihnen|Berechtigung|Ihr Zugang ist angelegt|abgemeldet|Sitzung abgelaufen|Zugang beendet/

/** Steps of one kind share the same retry code. */
const KINDS: Readonly<Record<string, readonly (readonly [what: string, address: RegExp])[]>> = {
  settings: [
    ['settings of the application', /^GET \/config\/app\.json/],
    ['settings of the sign-in', /^GET \/config\/identity\.json/],
  ],
  provider: [
    ['where the provider is', /^GET \/realms\/master\/\.well-known/],
    ['the provider, asked silently', /^GET \/realms\/master\/protocol\/openid-connect\/auth/],
    ['the token', /^POST \/realms\/master\/protocol\/openid-connect\/token/],
  ],
  person: [
    ['the person’s data', /^POST \/rest\/rpc\/__o_get_user_data/],
    ['the headquarters', /^GET \/prod-api\/get_hqs_from_user/],
  ],
  'code before ours runs': [
    ['the first code', /^GET \/assets\/index-[\w-]+\.js/],
    ['what the first code needs', /^GET \/assets\/anfang-[\w-]+\.js/],
  ],
  'code that ours asks for': [
    ['the code of the screens', /^GET \/assets\/start-[\w-]+\.js/],
    ['the code of the page', /^GET \/assets\/KundenPage-[\w-]+\.js/],
  ],
}
const STEPS = Object.values(KINDS).flat()
/**
 * Each fault hits every other kind of step, the rest the day after, and of a kind another step each day; in the
 * full run every fault hits every step.
 */
const CALLS = Object.values(KINDS).flatMap((steps, kind) =>
  steps.flatMap(([what, address], at) =>
    FRONT_FAULTS.filter(
      (_, number) => VOLL || (isToday(kind + number, 2) && (number + (DAY >> 1)) % steps.length === at),
    ).map((fault) => [what, fault, address] as const),
  ),
)

// Concurrent, because they mostly wait.
describe.skipIf(!hasBrowser())('a start of which one call fails', { concurrent: true }, () => {
  let front: Front
  let app: RunningApp
  let browser: Browser
  let close: () => Promise<void>
  let kept: Awaited<ReturnType<BrowserContext['storageState']>>
  let journeys = 0

  beforeAll(async () => {
    ;({ front, app, browser, close } = await startBehindFront())
    const visitor = await openVisitor(browser, front)
    await signIn(visitor, app, 'ogf_admin', '/profile/index')
    await visitor.page.getByLabel('Vorname').waitFor()
    kept = await visitor.context.storageState()
    await visitor.close()
  }, 120_000)
  afterAll(() => close?.())

  /** Like someone returning to a page: signed in, with the provider's session. */
  const comeBack = async (work: (page: Page, journey: string) => Promise<void>): Promise<void> => {
    const journey = String(++journeys)
    const storageState = {
      ...kept,
      // Removed, so that it is requested again and this request can fail too.
      origins: kept.origins.map((one) => ({
        ...one,
        localStorage: one.localStorage.filter(({ name }) => name !== 'geraet.anmeldedienst'),
      })),
    }
    const visitor = await openVisitor(browser, front, {
      storageState,
      extraHTTPHeaders: { [JOURNEY]: journey },
    })
    try {
      await work(visitor.page, journey)
    } finally {
      front.fail(journey, /x/, null)
      await visitor.close()
    }
  }
  const token = (page: Page) => page.evaluate(() => localStorage.getItem('Admin-Token'))
  /**
   * On a busy machine the page may retry and reload itself in the middle of a read; then reads again once it
   * offers the next retry.
   */
  const undisturbed = <T>(page: Page, read: () => Promise<T>): Promise<T> =>
    read().catch(async (error: unknown) => {
      if (!/context was destroyed/.test(String(error))) throw error
      await page
        .getByRole('button', { name: 'Erneut versuchen' })
        .or(page.getByRole('heading', { level: 1 }))
        .first()
        .waitFor()
      return read()
    })
  const isWhereItWas = async (page: Page, why: string) => {
    expect(page.url(), why).toBe(`${front.origin}${WANTED}`)
    expect(await undisturbed(page, () => token(page)), why).toMatch(/^ey/)
    expect(await undisturbed(page, () => page.locator('body').innerText()), why).not.toMatch(NEVER)
  }
  const arrives = async (page: Page, why: string) => {
    await page.getByRole('heading', { level: 1, name: 'Kunden' }).waitFor()
    await page
      .getByRole('navigation', { name: 'Hauptmenü' })
      .getByRole('link', { name: 'Gutscheine' })
      .waitFor()
    await isWhereItWas(page, why)
  }

  /** Either by itself, or by another click if that round has ended meanwhile. */
  const arrivesAtLast = async (page: Page, what: string): Promise<void> => {
    const again = page.getByRole('button', { name: 'Erneut versuchen' })
    await page.getByRole('heading', { level: 1, name: 'Kunden' }).or(again).first().waitFor()
    if (await again.isVisible()) await again.click()
    await arrives(page, what)
  }

  test.for(CALLS)('%s, %s: it goes on by itself', { timeout: 180_000 }, ([what, fault, address]) =>
    comeBack(async (page, journey) => {
      front.fail(journey, address, fault)
      await page.goto(WANTED, { waitUntil: 'commit' })
      const again = page.getByRole('button', { name: 'Erneut versuchen' })
      // Code that hangs is still loading: there is nothing to retry automatically, only to offer.
      await page.getByText(AGAIN).or(again).first().waitFor()
      await isWhereItWas(page, what)
      front.fail(journey, address, null)
      await arrivesAtLast(page, what)
    }),
  )

  for (const [what, address] of STEPS)
    test(`${what}: after some tries it is offered, with the focus on it`, { timeout: 180_000 }, () =>
      comeBack(async (page, journey) => {
        front.fail(journey, address, '503')
        await page.goto(WANTED, { waitUntil: 'commit' })
        const again = page.getByRole('button', { name: 'Erneut versuchen' })
        await again.waitFor()
        await page.getByRole('alert').waitFor()
        await isWhereItWas(page, what)
        expect(await undisturbed(page, () => brokenRules(page))).toEqual([])
        await again.waitFor()
        if (!what.includes('page'))
          expect(await again.evaluate((button) => button === document.activeElement)).toBe(true)
        // It fails again and says so; no one is sent away.
        await again.press('Enter')
        await page.getByText(AGAIN).or(again).first().waitFor()
        await isWhereItWas(page, what)
        front.fail(journey, address, null)
        await arrivesAtLast(page, what)
      }),
    )

  test('without a network it is offered at once, and goes on when there is one', { timeout: 120_000 }, () =>
    comeBack(async (page, journey) => {
      front.fail(journey, /^GET \/config\//, 'refused')
      await page.goto(WANTED, { waitUntil: 'commit' })
      await page.getByText(AGAIN).waitFor()
      await page.context().setOffline(true)
      await page.getByRole('heading', { name: 'Keine Verbindung' }).waitFor()
      await isWhereItWas(page, 'offline')
      front.fail(journey, /x/, null)
      await page.context().setOffline(false)
      await arrives(page, 'online again')
    }),
  )

  test('a refused token goes to the sign-in with the way back, as ever', { timeout: 120_000 }, () =>
    comeBack(async (page, journey) => {
      await page.context().clearCookies()
      await page.goto(WANTED)
      await page.getByLabel('Passwort', { exact: true }).waitFor()
      expect(await page.getByText(AGAIN).count()).toBe(0)
      // Back with the code, but the answer to its exchange is lost: the code is used up, and the provider
      // still knows the person.
      front.fail(journey, /^POST \/realms\/master\/protocol\/openid-connect\/token/, 'reset')
      await enterCredentials(page, emailOf('ogf_admin'), demoPassword(app))
      await page.getByText(AGAIN).waitFor()
      front.fail(journey, /x/, null)
      await page.getByRole('heading', { level: 1, name: 'Kunden' }).waitFor()
      expect(page.url()).toBe(`${front.origin}${WANTED}`)
    }),
  )

  test.for(FRONT_FAULTS.filter((fault) => VOLL || ['silent', '500', 'html'].includes(fault)))(
    'what the menu asks for beside the page, %s: the page is there, and nobody is sent away',
    { timeout: 180_000 },
    (fault) =>
      comeBack(async (page, journey) => {
        front.fail(journey, /^\w+ \/rest\/(?:meldung|einstellung|rpc\/__o_(?!get_user_data))/, fault)
        await page.goto(WANTED, { waitUntil: 'commit' })
        await arrives(page, `beside the page, ${fault}`)
      }),
  )

  test(
    'a page that is opened later: its code is tried again by itself, then offered',
    { timeout: 120_000 },
    () =>
      comeBack(async (page, journey) => {
        await page.goto('/profile/index')
        await page.getByLabel('Vorname').waitFor()
        front.fail(journey, /^GET \/assets\//, '503')
        await page.getByRole('link', { name: 'Gutscheine', exact: true }).click()
        await page.locator('main').getByText(AGAIN).waitFor()
        await page.getByRole('button', { name: 'Erneut versuchen' }).waitFor()
        expect(new URL(page.url()).pathname).toBe('/gutschein/index')
        front.fail(journey, /x/, null)
        await page.getByRole('button', { name: 'Erneut versuchen' }).click()
        await page.getByRole('heading', { level: 1, name: 'Gutscheine' }).waitFor()
        // And its accessibility.
        expect(await brokenRules(page)).toEqual([])
      }),
  )
})
