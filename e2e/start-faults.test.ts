// One call of the start that fails, in every way that calls fail: the address and the sign-in stay, it is
// tried again by itself, then offered; nobody is told that a right is missing.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VOLL } from '../test/extent.ts'
import type { RunningApp } from './app.ts'
import { brokenRules } from './axe.ts'
import { startBehindFront } from './behind-front.ts'
import { enterCredentials, demoPassword, emailOf, hasBrowser, openVisitor, signIn } from './browser.ts'
import { type Front, FRONT_FAULTS, JOURNEY } from './front.ts'

/** With a query and a fragment: all of it has to stay. */
const WANTED = '/kunden/index?sort=ort#inhalt'
const AGAIN = /^Die Verbindung zum Server ist gestört, es wird noch einmal versucht/
/** Nothing of this may be said because of a fault that passes. */
const NEVER =
  /Kein Zugriff|fehlt Ihnen|Berechtigung|Ihr Zugang ist angelegt|abgemeldet|Sitzung abgelaufen|Zugang beendet/

/** Steps of one kind share what repeats them. */
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
/** Each fault meets each kind of step once; in the whole run each step. */
const CALLS = Object.values(KINDS).flatMap((steps) =>
  steps.flatMap(([what, address], at) =>
    FRONT_FAULTS.filter((_, number) => VOLL || number % steps.length === at).map(
      (fault) => [what, fault, address] as const,
    ),
  ),
)

// They wait far more than they work.
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

  /** As somebody who comes back to a page: signed in, with the provider's session. */
  const comeBack = async (work: (page: Page, journey: string) => Promise<void>): Promise<void> => {
    const journey = String(++journeys)
    const storageState = {
      ...kept,
      // Asked for again, so that this call can fail as well.
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
   * On a busy machine the page may look by itself in the middle of a question, which loads it again: then
   * once more, when it offers the next try.
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

  test.for(CALLS)('%s, %s: it goes on by itself', { timeout: 180_000 }, ([what, fault, address]) =>
    comeBack(async (page, journey) => {
      front.fail(journey, address, fault)
      await page.goto(WANTED, { waitUntil: 'commit' })
      const again = page.getByRole('button', { name: 'Erneut versuchen' })
      // Code that hangs is still on its way: there is nothing to repeat, only to offer.
      await page.getByText(AGAIN).or(again).first().waitFor()
      await isWhereItWas(page, what)
      front.fail(journey, address, null)
      await page.getByRole('heading', { level: 1, name: 'Kunden' }).or(again).first().waitFor()
      if (await again.isVisible()) await again.click()
      await arrives(page, what)
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
        // It fails once more and says so; nobody is sent away.
        await again.press('Enter')
        await page.getByText(AGAIN).or(again).first().waitFor()
        await isWhereItWas(page, what)
        front.fail(journey, address, null)
        // By itself, or by another press where that round has ended meanwhile.
        await page.getByRole('heading', { level: 1, name: 'Kunden' }).or(again).first().waitFor()
        if (await again.isVisible()) await again.click()
        await arrives(page, what)
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
      // Back with the code, and the answer to its exchange is lost: the code is used up, and the provider
      // knows who it is.
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
        // As it should look, too.
        expect(await brokenRules(page)).toEqual([])
      }),
  )
})
