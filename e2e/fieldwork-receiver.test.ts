// An external receiver at a serial port, with a recorded stream: chosen, shown, kept with what is captured, lost, and
// given up only when the person says so.
import type { BrowserContextOptions } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { journeysBehindFront } from './behind-front.ts'
import { hasBrowser, signIn, type Visitor } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { setPort, withSerialPort } from './serial-port.ts'

const PHONE = {
  viewport: { width: 390, height: 844 },
  serviceWorkers: 'allow',
  permissions: ['geolocation'],
} satisfies BrowserContextOptions
/** Where the recorded receiver stood; the device itself says another place. */
const [LAT, LON] = [53.4, 13.1]

describe.skipIf(!hasBrowser())('an external receiver', () => {
  const home = journeysBehindFront()
  const band = ({ page }: Visitor) => page.getByRole('complementary', { name: 'Externer Empfänger' })
  const choose = async ({ page }: Visitor) => {
    await page.goto('/feld/paket')
    await page.getByText('Empfänger über USB', { exact: true }).click()
    await page.getByText('noch nicht mit einem echten Gerät').waitFor()
  }
  const looksRight = async ({ page }: Visitor) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await brokenRules(page), colorScheme).toEqual([])
    }
    await page.emulateMedia({ colorScheme: 'light' })
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(over, 'nothing sticks out').toBeLessThanOrEqual(0)
  }

  test('a manhole lies where it says, as RTK fixed; a silent or lost one is told and stays chosen', async () => {
    const visitor = await home.window(PHONE)
    const { context, page } = visitor
    await withSerialPort(context, 'rtk')
    await context.setGeolocation({ latitude: 52, longitude: 12, accuracy: 8 })
    await signIn(visitor, home.app, 'apus_team', '/feld', { signInAgain: true })
    const token = await tokenOf(page)
    /** Another one at each attempt. */
    const key = `RTK ${Date.now() % 100_000}`
    const rows = async (path: string) =>
      (await call(home.app, token, `/rest/${path}`)).json as Record<string, unknown>[]
    const [sample] = await rows('schacht?select=client_id&order=id&limit=1')
    const [kunde] = await rows(`kunde?select=name&client_id=eq.${String(sample!['client_id'])}`)
    const name = String(kunde!['name'])
    await page.getByRole('combobox', { name: 'Kunde' }).fill(name)
    await page.getByRole('option', { name }).first().click()
    await page.getByRole('button', { name: 'Auf diesem Gerät speichern' }).click()
    await page.getByText(/liegt jetzt auf diesem Gerät/).waitFor({ timeout: 120_000 })
    await choose(visitor)
    await band(visitor).getByText('RTK fixed · ± 1,4 cm').waitFor({ timeout: 20_000 })
    await band(visitor)
      .getByText(/28 Satelliten · Korrektur 1 s alt · vor [0-2] s/)
      .waitFor()
    await page.getByRole('textbox', { name: 'Antennenhöhe (m)' }).fill('99')
    await page.getByText('Bitte Meter von 0 bis 10.').waitFor()
    await page.getByRole('textbox', { name: 'Antennenhöhe (m)' }).fill('2')
    await looksRight(visitor)

    // Captured, and kept with the place.
    await page.goto('/feld/neu')
    await page.getByText('± 1,4 cm', { exact: true }).waitFor()
    await page.getByText('RTK fixed', { exact: true }).first().waitFor()
    await page.getByText(/^63,\d{3} m über dem Meeresspiegel .* Antennenhöhe 2,00 m abgezogen$/).waitFor()
    await page.getByRole('button', { name: 'Höhe über dem Meeresspiegel übernehmen' }).click()
    await page.getByRole('textbox', { name: 'Kennung' }).fill(key)
    await looksRight(visitor)
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    await page.getByRole('heading', { name: `Schacht ${key}` }).waitFor()
    await page.goto('/feld/uebertragen')
    await page.getByText('Alles ist übertragen').waitFor({ timeout: 60_000 })
    const [manhole] = await rows(`schacht?schluessel=eq.${encodeURIComponent(key)}`)
    expect(manhole).toMatchObject({
      lage_fix: 'rtk_fixed',
      genauigkeit_geschaetzt: false,
      genauigkeit_cm: 1.4,
      erfq: 'GNSS/RTK',
      vermessen: true,
    })
    expect(manhole!['hoehe']).toBeCloseTo(63.2, 1)
    const [sent] = (
      await call(home.app, token, '/rest/rpc/a_get_vermessung_objekte', {
        client_id: sample!['client_id'],
        tabelle: 'schacht',
        nach: Number(manhole!['id']) - 1,
        kasten: null,
      })
    ).json as { lage: string }[]
    const [lon, lat] = sent!.lage.split(' ').map(Number)
    expect(Math.hypot((lat! - LAT) * 111_000, (lon! - LON) * 66_000), 'metres').toBeLessThan(0.05)

    // In the office, with the object and in its list.
    const office = await home.window({ viewport: { width: 1280, height: 900 } })
    const address = `/kataster/index?kunde=${String(sample!['client_id'])}&objekt=schacht.${String(manhole!['id'])}`
    await signIn(office, home.app, 'apus_admin', address)
    const card = office.page.getByRole('region', { name: 'Gewähltes Objekt' })
    await card.getByText('RTK fixed', { exact: true }).waitFor({ timeout: 30_000 })

    // Silent: said within seconds, with the age of what is shown. It stays chosen.
    await page.goto('/feld')
    await band(visitor).getByText('RTK fixed · ± 1,4 cm').waitFor()
    await setPort(page, 'still')
    await band(visitor).getByText('Vom Empfänger kommt nichts.').waitFor({ timeout: 8_000 })
    await setPort(page, 'da')
    await band(visitor).getByText('RTK fixed · ± 1,4 cm').waitFor()
    // Pulled out, and in again.
    await setPort(page, 'weg')
    await band(visitor).getByText('Der Empfänger ist nicht verbunden.').waitFor()
    await looksRight(visitor)
    await page.getByRole('button', { name: 'Neu verbinden' }).click()
    // The sentence was there before the click: only the port knows that it was tried.
    await page.waitForFunction(() => sessionStorage.getItem('test-abgewiesen') !== null)
    await band(visitor).getByText('Der Empfänger ist nicht verbunden.').waitFor()
    await setPort(page, 'da')
    await page.getByRole('button', { name: 'Neu verbinden' }).click()
    await band(visitor).getByText('RTK fixed · ± 1,4 cm').waitFor()
    // The wrong speed is noise, and says so.
    await page.goto('/feld/paket')
    await page.getByRole('combobox', { name: 'Geschwindigkeit (Baud)' }).selectOption('9600')
    await band(visitor).getByText('aber keine lesbare Position.').waitFor({ timeout: 10_000 })
    await page.getByRole('combobox', { name: 'Geschwindigkeit (Baud)' }).selectOption('115200')
    await band(visitor).getByText('RTK fixed · ± 1,4 cm').waitFor()
    await setPort(page, 'weg')
    await page.getByRole('button', { name: 'Standort dieses Geräts verwenden' }).click()
    await band(visitor).waitFor({ state: 'detached' })
    await page.goto('/feld')
    await page.getByText('auf ± 8,0 m genau').waitFor()
  }, 240_000)

  test('a tree has its solution, captured without a network', async () => {
    const visitor = await home.window(PHONE)
    const { context, page } = visitor
    await withSerialPort(context, 'rtk')
    await signIn(visitor, home.app, 'ogf_fb_admin', '/feld', { signInAgain: true })
    await page.getByRole('button', { name: 'Auf diesem Gerät speichern' }).click()
    await page.getByText(/liegt jetzt auf diesem Gerät/).waitFor({ timeout: 120_000 })
    const token = await tokenOf(page)
    await choose(visitor)
    await band(visitor).getByText('RTK fixed · ± 1,4 cm').waitFor({ timeout: 20_000 })
    await home.offline(context, true)
    await page.goto('/feld/neu')
    await page.getByText('± 2,0 cm', { exact: true }).waitFor()
    await page.getByText('RTK fixed', { exact: true }).waitFor()
    await page.getByText('Rotbuche', { exact: true }).first().click()
    await page.getByRole('textbox', { name: 'Nummer' }).fill('RTK 1')
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    await page.getByRole('heading', { name: 'RTK 1 · Rotbuche' }).waitFor()
    await page.getByText(/\(± 2,0 cm, RTK fixed\)/).waitFor()
    await home.offline(context, false)
    await page.goto('/feld/uebertragen')
    await page.getByText('Alles ist übertragen').waitFor({ timeout: 60_000 })
    const [tree] = (await call(home.app, token, '/rest/habitatbaeume?nummer=eq.RTK%201')).json as Record<
      string,
      unknown
    >[]
    expect(tree).toMatchObject({
      lage_fix: 'rtk_fixed',
      genauigkeit_geschaetzt: false,
      genauigkeit_m: 0.02,
      lage_methode: 'rtk',
    })
    const office = await home.window({ viewport: { width: 1280, height: 900 } })
    await signIn(office, home.app, 'ogf_fb_admin', `/habitatbaeume/${String(tree!['id'])}`)
    await office.page.getByText('GNSS-Lösung: RTK fixed').waitFor()
    expect(Math.abs(Date.parse(String(tree!['lage_zeit'])) - Date.now())).toBeLessThan(120_000)
  }, 240_000)
})
