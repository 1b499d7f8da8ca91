// A device whose clock is wrong: it is said, by the server where there is a line and by the satellites where there
// is none; trees are measured all the same, keep the receiver's own time, and get the right day.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { journeysBehindFront } from './behind-front.ts'
import { hasBrowser, signIn } from './browser.ts'
import { call, tokenOf } from './calls.ts'

const PHONE = {
  viewport: { width: 390, height: 844 },
  serviceWorkers: 'allow',
  permissions: ['geolocation'],
} satisfies BrowserContextOptions
const HOUR = 3_600_000
const CLOCKS: readonly (readonly [name: string, off: number, said: RegExp])[] = [
  ['a minute ahead', 60_000, /Die Uhr dieses Geräts geht 1 Minute vor\./],
  ['an hour ahead', HOUR, /Die Uhr dieses Geräts geht 1 Stunde vor\./],
  ['three years ahead', 3 * 365 * 24 * HOUR, /Die Uhr dieses Geräts geht 3 Jahre vor\./],
  ['two years behind', -2 * 365 * 24 * HOUR, /Die Uhr dieses Geräts geht (?:mindestens )?2 Jahre nach\./],
]

/** The page's clock is off; the browser's own, which its positions have, is not. */
const shift = () => {
  const off = Number(localStorage.getItem('test-uhr') ?? 0)
  if (off === 0) return
  const Right = Date
  const Wrong = function (...given: unknown[]) {
    return given.length === 0 ? new Right(Right.now() + off) : Reflect.construct(Right, given)
  }
  Wrong.prototype = Right.prototype
  globalThis.Date = Object.assign(Wrong, {
    now: () => Right.now() + off,
    UTC: Right.UTC,
    parse: Right.parse,
  }) as unknown as DateConstructor
}

describe.skipIf(!hasBrowser())('a device whose clock is wrong', () => {
  const home = journeysBehindFront()

  test('it is said, and what is captured has the right day and the time of the receiver', async () => {
    const visitor = await home.window(PHONE)
    const { context } = visitor
    let { page } = visitor
    await signIn(visitor, home.app, 'ogf_fb_admin', '/feld', { signInAgain: true })
    await page.getByRole('button', { name: 'Auf diesem Gerät speichern' }).click()
    await page.getByText(/liegt jetzt auf diesem Gerät/).waitFor({ timeout: 120_000 })
    const token = await tokenOf(page)
    const rows = async (query: string) =>
      (await call(home.app, token, `/rest/habitatbaeume?${query}`)).json as Record<string, string>[]
    const [sample] = await rows('select=lon,lat&limit=1')
    const [lon, lat] = [Number(sample!['lon']), Number(sample!['lat'])]
    await context.addInitScript(shift)
    const anew = async (path: string): Promise<Page> => {
      await page.close()
      page = await context.newPage()
      await page.goto(path)
      return page
    }
    const set = (off: number) =>
      page.evaluate((value) => localStorage.setItem('test-uhr', String(value)), off)
    const day = { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'Europe/Berlin' } as const
    const begun = new Date()
    /** Of the test's beginning or of now: it may run over midnight. */
    const today = () => [begun, new Date()].map((at) => at.toLocaleDateString('de-DE', day))

    for (const [name, off, said] of CLOCKS) {
      await set(off)
      home.front.disturb('refused')
      await context.setGeolocation({ longitude: lon, latitude: lat, accuracy: 5 })
      await anew('/feld/neu')
      // Receivers say it again and again; only then is it known that the first was no old one.
      await expect
        .poll(async () => {
          await context.setGeolocation({ longitude: lon + Math.random() * 1e-6, latitude: lat, accuracy: 4 })
          return page.getByText('± 4,0 m').count()
        })
        .toBe(1)
      await page.getByText(said).waitFor()
      await page.getByText('Rotbuche', { exact: true }).first().click()
      await page.getByRole('textbox', { name: 'Nummer' }).fill(name)
      await page.getByText('Weitere Angaben').click()
      expect(today(), name).toContain(await page.getByRole('textbox', { name: 'Erfasst am' }).inputValue())
      await page.getByRole('button', { name: 'Speichern', exact: true }).click()
      await page.getByRole('heading', { name: `${name} · Rotbuche` }).waitFor()

      home.front.disturb(null)
      await anew('/feld/uebertragen')
      await page.getByText('Alles ist übertragen').waitFor()
      await page.getByText(said).waitFor()
      const [tree] = await rows(
        `select=erfasst_am,lage_zeit,lage_methode&nummer=eq.${encodeURIComponent(name)}`,
      )
      expect(tree, name).toMatchObject({ lage_methode: 'gnss' })
      expect(Math.abs(Date.parse(tree!['lage_zeit']!) - Date.now()), name).toBeLessThan(120_000)
      expect(today(), name).toContain(tree!['erfasst_am']!.split('-').toReversed().join('.'))
    }
    // Set right, nothing is said any more.
    await set(0)
    await anew('/feld')
    await page.getByRole('status', { name: 'Verbunden' }).waitFor()
    expect(await page.getByText(/Die Uhr dieses Geräts/).count()).toBe(0)
  }, 240_000)
})
