// A line that is worse than none: it accepts and says nothing, or something else answers. A prepared device
// starts the field mode from the device all the same, and every other page says soon what is wrong. Nothing
// that something else answered is ever kept.
import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { journeysBehindFront } from './behind-front.ts'
import { brokenRules } from './axe.ts'
import { demoPassword, emailOf, hasBrowser, signIn } from './browser.ts'
import { LINE_FAULTS, type LineFault } from './front.ts'

const PHONE = { viewport: { width: 390, height: 844 }, serviceWorkers: 'allow' } as const
const FIELD_MS = 2_000
const PAGE_MS = 3_000

/** What a page says of each fault. */
const SAYS: Readonly<Record<LineFault, RegExp>> = {
  refused: /Der Server ist nicht erreichbar/,
  silent: /Der Server antwortet nicht/,
  half: /Der Server antwortet nicht/,
  '502': /Der Server ist gestört \(502\)/,
  '503': /Der Server ist gestört \(503\)/,
  starting: /Der Server startet gerade/,
  'starting 200': /Der Server startet gerade/,
  html: /Das Netz verlangt vielleicht eine Anmeldung/,
  redirect: /Das Netz verlangt vielleicht eine Anmeldung/,
}

/** Milliseconds from the start of the navigation until the text is on the page. */
async function msUntil(page: Page, path: string, text: RegExp): Promise<number> {
  const begun = performance.now()
  await page.goto(path, { waitUntil: 'commit' })
  await page.getByText(text).first().waitFor()
  return performance.now() - begun
}

describe.skipIf(!hasBrowser())('a line that hangs or lies', () => {
  const home = journeysBehindFront()

  /** A device with a saved holding; its name, and what a start takes while the line refuses at once. */
  const prepare = async (): Promise<{ context: BrowserContext; name: RegExp; least: number }> => {
    const visitor = await home.window(PHONE)
    const { context, page } = visitor
    await signIn(visitor, home.app, 'ogf_fb_admin', '/feld', { signInAgain: true })
    await page.getByRole('button', { name: 'Auf diesem Gerät speichern' }).click()
    await page.getByText(/liegt jetzt auf diesem Gerät/).waitFor({ timeout: 120_000 })
    const name = new RegExp(await page.getByRole('heading', { level: 1 }).innerText())
    await page.close()
    home.front.disturb('refused')
    const first = await context.newPage()
    await msUntil(first, '/feld', name)
    const least = await msUntil(first, '/feld', name)
    await first.close()
    return { context, name, least }
  }
  const inWindow = async <T>(context: BrowserContext, work: (page: Page) => Promise<T>): Promise<T> => {
    const page = await context.newPage()
    try {
      return await work(page)
    } finally {
      await page.close()
    }
  }

  test('the field mode starts from the device in two seconds, every page says in three what is wrong', async () => {
    const { context, name, least } = await prepare()
    // On a machine that is busy the start itself takes longer; the line may not add to it.
    const slow = Math.max(0, least - FIELD_MS / 2)
    /** At best: a line that hangs makes every start slow, a busy machine only some. */
    const check = async (path: string, text: RegExp, most: number, why: string) => {
      const took: number[] = []
      while (took.length < 3 && !(Math.min(...took) < most))
        took.push(await inWindow(context, (page) => msUntil(page, path, text)))
      expect(Math.min(...took), why).toBeLessThan(most)
    }
    for (const fault of LINE_FAULTS) {
      home.front.disturb(fault)
      await check('/feld', name, FIELD_MS + slow, `/feld, ${fault}`)
      for (const path of ['/dashboard', '/kunden/index', '/landing'])
        await check(path, SAYS[fault], PAGE_MS + slow, `${path}, ${fault}`)
    }
    home.front.disturb('html')
    await inWindow(context, async (page) => {
      await msUntil(page, '/dashboard', SAYS.html)
      expect(await brokenRules(page)).toEqual([])
      await page.getByRole('button', { name: 'Feldmodus öffnen' }).click()
      await page.getByText(name).first().waitFor()
      // None of it is kept, in any store.
      const kept = await page.evaluate(async () => {
        const all = await Promise.all(
          (await caches.keys()).map(async (store) => (await caches.open(store)).matchAll()),
        )
        return Promise.all(all.flat().map((answer) => answer.text()))
      })
      expect(kept.length).toBeGreaterThan(10)
      expect(kept.filter((text) => /Gastzugang|Bad Gateway/.test(text))).toEqual([])
    })
    // The line is whole again: the page that waited goes on by itself.
    await inWindow(context, async (page) => {
      home.front.disturb('silent')
      await msUntil(page, '/profile/index', SAYS.silent)
      home.front.disturb(null)
      await page.getByLabel('Vorname').waitFor({ timeout: 60_000 })
    })
  }, 400_000)

  test('the sign-in says it too, and sends again what was typed', async () => {
    const { context, least } = await prepare()
    const slow = Math.max(0, least - FIELD_MS / 2)
    await context.clearCookies()
    home.front.disturb(null)
    await inWindow(context, async (page) => {
      await page.goto('/landing')
      await page.evaluate(() => localStorage.clear())
      await page.goto('/dashboard')
      await page.getByLabel('E-Mail-Adresse').fill(emailOf('ogf_fb_admin'))
      await page.getByLabel('Passwort', { exact: true }).fill(demoPassword(home.app))
      for (const fault of ['silent', 'half', '502', 'refused'] as const) {
        home.front.disturb(fault)
        const begun = performance.now()
        await page
          .getByRole('button', { name: /^(?:Anmelden|Noch einmal senden)$/ })
          .click({ noWaitAfter: true })
        await page.getByText(SAYS[fault]).waitFor()
        expect(performance.now() - begun, fault).toBeLessThan(PAGE_MS + slow + 500)
        await page.getByText('Was Sie eingegeben haben, ist noch da.').waitFor()
      }
      home.front.disturb(null)
      await page.getByRole('button', { name: 'Noch einmal senden' }).click()
      await page.locator('.frame').waitFor()
      expect(new URL(page.url()).pathname).toBe('/dashboard')
    })
  }, 240_000)

  test('a new version is not installed from what something else answers', async () => {
    const { context, name } = await prepare()
    const page = await context.newPage()
    home.front.disturb(null)
    await page.goto('/feld')
    await page.getByText(name).first().waitFor()
    const stores = () => page.evaluate(async () => (await caches.keys()).toSorted())
    const before = await stores()
    await (await context.newCDPSession(page)).send('Network.clearBrowserCache')
    home.front.renew('ffff00000003')
    home.front.disturb('html', /^\/(?:index\.html|assets\/)/)
    const failed = await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      await registration.update()
      const worker = registration.installing
      if (worker === null) return 'no new version'
      return new Promise<string>((resolve) => {
        worker.addEventListener('statechange', () => {
          if (worker.state === 'installed' || worker.state === 'redundant') resolve(worker.state)
        })
      })
    })
    expect(failed).toBe('redundant')
    // The version before still starts.
    home.front.disturb('silent')
    await page.goto('/feld', { waitUntil: 'commit' })
    await page.getByText(name).first().waitFor()
    expect(await stores()).toEqual(expect.arrayContaining(before))
  }, 240_000)
})
