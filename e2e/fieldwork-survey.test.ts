// Survey objects captured offline in a real browser: a manhole and a drain that begins at it, a window that closes in
// the middle of a form, an answer that is lost; then seen in the cadastre, changed, and deleted.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { VermessungsObject } from '#contract/vermessung.ts'
import { brokenRules } from './axe.ts'
import { journeysBehindFront } from './behind-front.ts'
import { hasBrowser, signIn } from './browser.ts'
import { call, tokenOf } from './calls.ts'

const PHONE = {
  viewport: { width: 390, height: 844 },
  serviceWorkers: 'allow',
  permissions: ['geolocation'],
} satisfies BrowserContextOptions
const LOST_SYNC = /^POST .*a_sync_vermessung/

describe.skipIf(!hasBrowser())('survey objects in the field', () => {
  const home = journeysBehindFront()

  test('captured offline, sent once, seen in the cadastre, changed, deleted', async () => {
    const visitor = await home.window(PHONE)
    const { context } = visitor
    await signIn(visitor, home.app, 'apus_team', '/feld', { signInAgain: true })
    let { page } = visitor
    const token = await tokenOf(page)
    const rows = async (path: string) =>
      (await call(home.app, token, `/rest/${path}`)).json as VermessungsObject[]
    const [sample] = await rows('schacht?select=client_id&order=id&limit=1')
    const kunde = sample!.client_id
    const [{ name } = { name: '' }] = (await rows(`kunde?select=name&client_id=eq.${kunde}`)) as unknown as {
      name: string
    }[]
    const offline = (on: boolean) => home.offline(context, on)
    const anew = async (path: string): Promise<Page> => {
      await page.close()
      page = await context.newPage()
      await page.goto(path)
      return page
    }
    const link = (title: RegExp) =>
      page.getByRole('navigation', { name: 'Feldmodus' }).getByRole('link', { name: title })
    const looksRight = async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        expect(await brokenRules(page), colorScheme).toEqual([])
      }
      await page.emulateMedia({ colorScheme: 'light' })
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        'nothing sticks out',
      ).toBeLessThanOrEqual(0)
    }

    // Staff without a holding are offered surveys only.
    await page.getByRole('heading', { name: 'Vermessung eines Kunden mitnehmen' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Forstbetrieb mitnehmen' }).count()).toBe(0)
    await looksRight()
    await page.getByRole('combobox', { name: 'Kunde' }).fill(name)
    await page.getByRole('option', { name }).first().click()
    await page.getByRole('button', { name: 'Auf diesem Gerät speichern' }).click()
    await page.getByText(/liegt jetzt auf diesem Gerät/).waitFor({ timeout: 120_000 })

    // A manhole far from all others, where the receiver is.
    const spot = { latitude: 53.4, longitude: 13.1, accuracy: 0.4 }
    await offline(true)
    await context.setGeolocation(spot)
    await link(/^Erfassen/).click()
    await page.getByText('± 40 cm').waitFor()
    await page.getByRole('textbox', { name: 'Nennweite (mm)' }).fill('0')
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    await page.getByText('Bitte eine ganze Zahl zwischen 1 und 10.000.').waitFor()
    await looksRight()
    await page.getByRole('textbox', { name: 'Nennweite (mm)' }).fill('1000')
    await page.getByRole('textbox', { name: 'Kennung' }).fill('FELD S1')
    await page.getByText('Entwurf auf diesem Gerät gesichert').waitFor()
    // The window closes before it is saved.
    await anew('/feld/neu')
    await page.getByText('Begonnene Erfassung', { exact: true }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Kennung' }).inputValue()).toBe('FELD S1')
    await page.getByRole('button', { name: 'Speichern und nächstes' }).click()
    await page.getByText('Schacht ist auf diesem Gerät gespeichert.').waitFor()

    // A drain from there: measured a metre beside it, it begins exactly at the manhole.
    await page.getByText('Dränage', { exact: true }).click()
    const beside = { ...spot, latitude: spot.latitude + 0.000_009 }
    const away = { ...spot, latitude: spot.latitude + 0.000_9 }
    const point = page.getByRole('button', { name: 'Punkt hier' })
    await context.setGeolocation(beside)
    await point.click()
    await page.getByText('an Schacht FELD S1').waitFor()
    await page.getByText('1 Punkt', { exact: true }).waitFor()
    // The measurement of the first point goes on for eight seconds.
    await page.getByText('wird gemessen …').waitFor({ state: 'detached', timeout: 15_000 })
    await context.setGeolocation(away)
    await point.click()
    await page.getByText('2 Punkte, 100 m').waitFor()
    await page.getByRole('button', { name: 'Auf der Karte' }).click()
    const map = page.getByRole('dialog', { name: 'Lage auf der Karte' })
    await map.locator('canvas').first().waitFor()
    await map.getByRole('button', { name: 'Hierher setzen' }).click()
    await page.getByText(/^3 Punkte, /).waitFor()
    await page.getByRole('button', { name: 'Letzten Punkt zurück' }).click()
    await page.getByText('2 Punkte, 100 m').waitFor()
    await page.getByRole('textbox', { name: 'Kennung' }).fill('FELD D1')
    await looksRight()
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    await page.getByRole('heading', { name: 'Dränage FELD D1' }).waitFor()
    await page.getByText('wartet auf Übertragung').waitFor()
    await link(/^Übertragen/).click()
    await page.getByText(/^2 Objekte/).waitFor()

    // Both arrive, but the answer is lost; the window closes.
    home.front.cutAtAnswer(LOST_SYNC)
    await offline(false)
    await expect
      .poll(async () => (await rows('schacht?schluessel=eq.FELD%20S1')).length, { timeout: 40_000 })
      .toBe(1)
    await offline(true)
    await anew('/feld/uebertragen')
    await page.getByText(/^2 Objekte/).waitFor()
    await offline(false)
    await page.getByText('Alles ist übertragen').waitFor({ timeout: 60_000 })
    const [manhole, ...others] = await rows('schacht?schluessel=eq.FELD%20S1')
    expect(others).toEqual([])
    expect(manhole).toMatchObject({
      client_id: kunde,
      dn: 1000,
      vermessen: true,
      erfq: 'GNSS',
      genauigkeit_cm: 40,
      version: 1,
      import_id: null,
    })
    const [drain] = (await rows('draenage?schluessel=eq.FELD%20D1')) as unknown as {
      id: number
      laenge: number
    }[]
    expect(Math.round(drain!.laenge)).toBe(100)

    // In the cadastre.
    const office = await home.window({ viewport: { width: 1280, height: 900 } })
    await signIn(office, home.app, 'apus_admin', `/kataster/index?kunde=${kunde}&art=schacht&suche=FELD`)
    await office.page.getByText('FELD S1').first().waitFor({ timeout: 30_000 })

    // Changed and deleted without network; the map shows the way there.
    await offline(true)
    await page.goto('/feld')
    await page.getByRole('button', { name: /Dränage FELD D1/ }).click()
    await page.getByText(/^(unter )?\d+(,\d+)? m nach [NOSW]+ \(\d+°\) · /).waitFor()
    await looksRight()
    await page.goto(`/feld/objekt/${manhole!.kennung}`)
    await page.getByRole('button', { name: 'Ändern' }).click()
    await page.getByRole('textbox', { name: 'Material' }).fill('Beton')
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    await page.getByText('Schacht FELD S1 ist auf diesem Gerät gespeichert.').waitFor()
    await page.goto('/feld')
    await page.getByRole('button', { name: /Dränage FELD D1/ }).click()
    await page.getByRole('button', { name: 'Öffnen' }).click()
    await page.getByRole('button', { name: 'Löschen' }).click()
    const ask = page.getByRole('alertdialog', { name: 'Objekt löschen?' })
    await ask.getByRole('button', { name: 'Löschen' }).click()
    await ask.getByText('Bitte sagen Sie kurz, warum es gelöscht wird.').waitFor()
    await ask.getByRole('textbox', { name: 'Grund' }).fill('liegt nicht hier')
    await ask.getByRole('button', { name: 'Löschen' }).click()
    await page.getByText('wird gelöscht', { exact: true }).waitFor()
    await looksRight()
    await offline(false)
    await link(/^Übertragen/).click()
    await page.getByText('Alles ist übertragen').waitFor({ timeout: 60_000 })
    expect((await rows('schacht?schluessel=eq.FELD%20S1'))[0]).toMatchObject({
      material: 'Beton',
      dn: 1000,
      version: 2,
    })
    expect(await rows('draenage?schluessel=eq.FELD%20D1')).toEqual([])
    const history = (await rows(
      `verlauf?select=aktion,neu&tabelle=eq.draenage&schluessel=eq.${drain!.id}&order=id`,
    )) as unknown as { aktion: string; neu: object | null }[]
    expect(history.map(({ aktion }) => aktion)).toEqual(['neu', 'geloescht'])
    expect(history[1]!.neu).toEqual({ grund: 'liegt nicht hier' })
  })
})
