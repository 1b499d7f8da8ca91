// The home page as the roles see it: a holding at a glance, one of several chosen and remembered, what waits for the provider's people.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningApp, startApp } from './app.ts'
import { type DemoRole, hasBrowser, launchBrowser, openVisitor, signIn, type Visitor } from './browser.ts'
import { call, tokenOf } from './calls.ts'

describe.skipIf(!hasBrowser())('the home page', () => {
  let app: RunningApp
  let browser: Browser
  beforeAll(async () => {
    ;[app, browser] = await Promise.all([startApp(), launchBrowser()])
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await app?.stop()
  })

  const as = async (role: DemoRole, work: (page: Page, visitor: Visitor) => Promise<void>): Promise<void> => {
    const visitor = await openVisitor(browser, app)
    try {
      await signIn(visitor, app, role, '/dashboard')
      await work(visitor.page, visitor)
      expect(visitor.complaints).toEqual([])
    } finally {
      await visitor.close()
    }
  }
  const part = (page: Page, title: string) =>
    page.locator('section.card').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

  test('a forester sees the grant as the database counts it, the trees, the place and the subscription', () =>
    as('ogf_standard', async (page) => {
      const kawm = part(page, 'KAWM: Klimaangepasstes Waldmanagement')
      await kawm.getByText('Für den Nachweis fehlt noch').waitFor()
      const token = await tokenOf(page)
      const hq = (await call(app, token, '/rest/hq?select=idHQ,sHQ&fb_enabled=is.true&order=idHQ&limit=1')).json as {
        idHQ: number
        sHQ: string
      }[]
      const { soll, erfasst, baeume } = (await call(app, token, '/rest/rpc/__o_get_kawm', { idHQ: hq[0]!.idHQ })).json as Record<
        string,
        number
      >
      expect(soll).toBeGreaterThan(0)
      await kawm.getByText(`${erfasst!.toLocaleString('de-DE')} von ${soll!.toLocaleString('de-DE')} (`).waitFor()
      await kawm
        .getByText(`Noch ${(soll! - erfasst!).toLocaleString('de-DE')} Bäume fehlen bis zum Soll von ${soll!.toLocaleString('de-DE')}.`)
        .waitFor()
      expect(await part(page, 'Habitatbäume').locator('dd').first().innerText()).toBe(baeume!.toLocaleString('de-DE'))
      await part(page, 'Lage und Waldbestand').locator('svg path').first().waitFor()
      await part(page, 'Abo').getByRole('link', { name: 'Abo verwalten' }).waitFor()
      await part(page, 'Neu seit Ihrem letzten Besuch').waitFor()
      await part(page, 'Lage und Waldbestand').getByRole('link', { name: 'Waldbestand öffnen' }).click()
      await page.getByRole('heading', { level: 1, name: 'Waldbestand' }).waitFor()
      expect(new URL(page.url()).searchParams.get('fb')).toBe(String(hq[0]!.idHQ))
    }))

  test('of several holdings the one chosen last is there the next time, also on another machine', async () => {
    let chosen = ''
    await as('multiple_fb', async (page) => {
      const choice = page.getByRole('main').getByLabel('Forstbetrieb', { exact: true })
      const names = await choice.locator('option').allInnerTexts()
      expect(names.length).toBeGreaterThan(1)
      chosen = names.at(-1)!
      const told = page.waitForResponse((answer) => answer.url().endsWith('/rpc/__o_set_einstellungen') && answer.ok())
      await choice.selectOption({ label: chosen })
      await page.getByRole('heading', { level: 2, name: chosen }).waitFor()
      await told
    })
    await as('multiple_fb', async (page) => {
      await page.getByRole('heading', { level: 2, name: chosen }).waitFor()
      expect(await page.getByRole('main').getByLabel('Forstbetrieb', { exact: true }).locator('option:checked').innerText()).toBe(chosen)
    })
  })

  test('apus_admin sees what waits, and each figure leads to just these rows', () =>
    as('apus_admin', async (page) => {
      for (const [title, name] of [
        ['Karten', /zu georeferenzieren/],
        ['Karten', /Rückfragen von Kunden/],
        ['Buchhaltung', /Rechnungen offen/],
      ] as const) {
        const link = part(page, title).getByRole('link', { name })
        const figure = await link.locator('strong').innerText()
        await link.click()
        await page
          .getByText(new RegExp(`(?:^|\\s)${figure} (?:Treffer|von)|von ${figure}\\b`))
          .first()
          .waitFor()
        await page.goBack()
      }
    }))

  test('a part that cannot be loaded says so and leaves the others', () =>
    as('ogf_standard', async (page, { complaints }) => {
      await part(page, 'Habitatbäume').getByRole('link').waitFor()
      await page.route('**/rpc/__o_get_area_from_hq', (route) => route.fulfill({ status: 503, body: '' }))
      await page.reload()
      await part(page, 'KAWM: Klimaangepasstes Waldmanagement').getByText('Für den Nachweis fehlt noch').waitFor()
      const lage = part(page, 'Lage und Waldbestand')
      await lage.getByRole('alert').waitFor()
      await page.unroute('**/rpc/__o_get_area_from_hq')
      await lage.getByRole('button', { name: 'Erneut versuchen' }).click()
      await lage.locator('svg path').first().waitFor()
      // The browser writes down each answer that is none.
      expect(complaints.splice(0).filter((one) => !one.includes('503'))).toEqual([])
    }))
})
