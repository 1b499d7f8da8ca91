// A management plan from its file to the forester's screen: import with and without an error, levels, bars, a
// linked map and list, a stand with its species, files, names of levels, and what others see.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Place } from '#contract/places.ts'
import { makeBestaende, type SampleBestand } from '../db/seeds/sample-bestand.ts'
import { makeRandom } from '../db/seeds/random.ts'
import { brokenRules } from './axe.ts'
import { type DemoRole, hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

/** A holding of the sample without a plan. */
const FB = 4
const [X, Y] = [510_000, 5_680_000]
const STANDS = makeBestaende({
  hq: {
    idHQ: FB,
    client_id: 1,
    epsg: 25_832,
    dtFE: null,
    flaeche: `MULTIPOLYGON(((${X} ${Y},${X + 2000} ${Y},${X + 2000} ${Y + 1500},${X} ${Y + 1500},${X} ${Y})))`,
  },
  anzahl: 30,
  random: makeRandom(9),
  stichtag: '2025-01-01',
})
const address = ({ sLVL02, sLVL03, sLVL04, iSTAND }: SampleBestand) => ({
  Revier: sLVL02,
  Abteilung: sLVL03,
  UA: sLVL04,
  Bestand: iSTAND,
})
/** Both tables in one file: our own format names the table of each row. */
const planOf = (stands: readonly SampleBestand[], spoil = false): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::25832' } },
    features: [
      ...stands.map((one, nr) => ({
        type: 'Feature',
        properties: {
          tabelle: 'bestand',
          ...address(one),
          Alter: spoil && nr === 2 ? 'alt' : one.alter,
          Vorrat: one.vorrat,
          Nutzungsart: one.nutzungsart,
        },
        geometry: { type: 'Polygon', coordinates: [one.ring] },
      })),
      ...stands.flatMap((one) =>
        one.arten.map(({ schicht, baumart, anteil, ertragsklasse }) => ({
          type: 'Feature',
          properties: {
            tabelle: 'baumarten',
            ...address(one),
            Schicht: schicht,
            Baumart: baumart,
            Anteil: anteil,
            EKL: ertragsklasse,
          },
          geometry: null,
        })),
      ),
    ],
  })

describe.skipIf(!hasBrowser())('the stands of a holding', () => {
  // An invalid file is refused on purpose.
  const server = oneServer({ asked: /status of 422/ })
  const visit = async (role: DemoRole, path: string, more = {}): Promise<Page> =>
    (await server.visitor(role, path, more)).page
  const give = (page: Page, name: string, text: string) =>
    page
      .getByLabel('Importdatei')
      .setInputFiles({ name, mimeType: 'application/geo+json', buffer: Buffer.from(text) })
  const number = (page: Page, name: string) =>
    page.locator('.wald-zahlen > div').filter({ hasText: name }).locator('dd').first()

  test('staff begin with the holdings that have stands, with their number and area', async () => {
    const page = await visit('ogf_team', '/waldbestand/index', { viewport: { width: 390, height: 844 } })
    const { json } = await call(server.app, await tokenOf(page), '/rest/rpc/__o_get_places', {
      was: 'waldbestand',
    })
    const [first] = json as Place[]
    await page.locator('[data-orte]').waitFor()
    const table = page.getByRole('main').getByRole('table', { name: 'Forstbetriebe' })
    // On a phone a row has everything in one cell.
    const link = table.getByRole('link', {
      name: new RegExp(`^${first!.name}.* ${first!.anzahl} Bestände, `),
    })
    await link.waitFor()
    const row = table.getByRole('row').filter({ has: link })
    expect(await row.getByRole('cell').count()).toBeLessThan(2)
    expect(await brokenRules(page)).toEqual([])
    await link.click()
    await page.waitForURL(`**/waldbestand/index?fb=${first!.id}`)
    await page.getByRole('link', { name: 'Alle Forstbetriebe' }).waitFor()
  })

  test('a plan comes in whole, is looked at from all sides, and goes out', { timeout: 180_000 }, async () => {
    const page = await visit('ogf_admin', `/waldbestand/index?fb=${FB}`)
    await page.getByText('Noch keine Forsteinrichtung').waitFor()
    await page.getByRole('link', { name: 'Forsteinrichtung importieren' }).click()
    await give(page, 'Bild.geojson', '\u0089PNG')
    await page.getByText('Dieses Format kennt das Programm nicht.').waitFor()
    await give(page, 'FE falsch.geojson', planOf(STANDS, true))
    await page.getByLabel('Enthält (bestand)').waitFor()
    expect(await page.getByLabel('Koordinatensystem (bestand)').inputValue()).toBe('25832')
    expect(await page.getByLabel('Feld für die Spalte UA').first().inputValue()).toBe('sLVL04')
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Weiter zur Prüfung' }).click()
    await page.getByText('„alt“ ist keine passende Zahl.').waitFor()
    expect(await page.locator(':focus').innerText()).toBe('Prüfen')
    expect(await page.getByRole('button', { name: 'Jetzt importieren' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Zurück zur Zuordnung' }).click()
    await page.getByRole('button', { name: 'Andere Datei' }).click()
    await give(page, 'FE 2025.geojson', planOf(STANDS))
    await page.getByLabel('Stichtag der Forsteinrichtung').fill('1.1.2025')
    await page.getByRole('button', { name: 'Weiter zur Prüfung' }).click()
    await page.getByRole('heading', { name: 'Alle Zeilen sind in Ordnung' }).waitFor()
    // Not in the Land of the holding's address.
    await page.getByLabel('Ja, die Daten liegen dort').check()
    await page.getByRole('button', { name: 'Jetzt importieren' }).click()
    await page.getByRole('heading', { name: 'Der Import ist fertig' }).waitFor()
    await page.getByRole('link', { name: 'Waldbestand ansehen' }).click()

    // Everything, then level by level; the address keeps the selection.
    await page
      .getByText(`${STANDS.length} Bestände, Forsteinrichtung vom 01.01.2025`, { exact: false })
      .waitFor()
    expect(await number(page, 'Bestände').innerText()).toBe(String(STANDS.length))
    expect((await number(page, 'Fläche').innerText()).startsWith('300,')).toBe(true)
    const first = STANDS[0]!
    const inRevier = STANDS.filter(({ sLVL02 }) => sLVL02 === first.sLVL02)
    const inCompartment = inRevier.filter(({ sLVL03 }) => sLVL03 === first.sLVL03)
    await page.getByLabel('Revier', { exact: true }).selectOption(first.sLVL02)
    await page.getByLabel('Abteilung', { exact: true }).selectOption(first.sLVL03)
    await page.getByText(new RegExp(`1–${inCompartment.length} von ${inCompartment.length}`)).waitFor()
    expect(new URL(page.url()).searchParams.get('e3')).toBe(first.sLVL03)
    await page.reload()
    await page.getByText(new RegExp(`1–${inCompartment.length} von ${inCompartment.length}`)).waitFor()
    expect(await number(page, 'Bestände').innerText()).toContain(`von ${STANDS.length}`)
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Ganzer Betrieb' }).click()

    // A bar filters list and figures; clicking it again removes the filter.
    const beech = STANDS.filter(({ arten }) =>
      arten.some(({ baumart, schicht }) => baumart === 'Rotbuche' && schicht !== 'Unterstand'),
    )
    const bar = page.getByRole('button', { name: /^Buche: / })
    await bar.click()
    await page.getByText(new RegExp(`von ${beech.length}$`)).waitFor()
    expect(await bar.getAttribute('aria-pressed')).toBe('true')
    await bar.click()
    await page.getByText(new RegExp(`von ${STANDS.length}$`)).waitFor()

    // The middle of the map by keyboard, the stand with its species, then to its neighbour and back.
    const map = page.getByRole('region', { name: /^Karte der Bestände/ })
    await map.focus()
    const panel = page.getByRole('region', { name: 'Gewählter Bestand' })
    await expect
      .poll(async () => (await page.keyboard.press('Enter'), panel.count()), { timeout: 20_000 })
      .toBe(1)
    const chosen = await panel.getByRole('heading').innerText()
    const known = STANDS.find(
      (one) => chosen === `Rev. ${one.sLVL02} / Abt. ${one.sLVL03} / ${one.sLVL04} / ${one.iSTAND}`,
    )!
    expect(known).toBeDefined()
    if (known.arten.length > 0)
      await panel.getByRole('cell', { name: known.arten[0]!.baumart, exact: true }).first().waitFor()
    const next = panel.getByRole('button', { name: 'Nächster' })
    if (await next.isEnabled()) {
      await next.click()
      await expect.poll(() => panel.getByRole('heading').innerText()).not.toBe(chosen)
      await panel.getByRole('button', { name: 'Voriger' }).click()
    }
    await expect.poll(() => panel.getByRole('heading').innerText()).toBe(chosen)
    await page.getByText('Altersklasse', { exact: true }).first().click()
    expect(await brokenRules(page)).toEqual([])

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Bestände als GIS-Datei' }).click()
    await page.getByRole('menuitem', { name: 'GeoPackage' }).click()
    expect(readFileSync(await (await download).path(), 'latin1').startsWith('SQLite format 3')).toBe(true)

    // Each holding names its own levels.
    await page.getByRole('button', { name: 'Ebenen benennen' }).click()
    await page.getByLabel('Ebene 3').fill('Jagen')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByRole('heading', { name: chosen.replace('Abt.', 'Jg.') }).waitFor()
  })

  test('the preview of a plan says what is converted, what does not fit, and which cells are left out', async () => {
    const page = await visit('ogf_admin', `/waldbestand/import?fb=${FB}`)
    const square = (x: number): string =>
      `"POLYGON((${x} 5700000,${x + 200} 5700000,${x + 200} 5700200,${x} 5700200,${x} 5700000))"`
    const rows = [
      `1;40000;300;${square(500_000)}`,
      `2;40000;;${square(500_300)};rest`,
      `3;400;;${square(500_600)}`,
    ]
    await give(page, 'Plan.csv', `Abt;Fläche;Vfm/ha;WKT\n${rows.join('\n')}\n`)
    await page.getByText('Bitte wählen Sie noch: Koordinatensystem (Plan).').waitFor()
    await page.getByLabel('Koordinatensystem (Plan)').selectOption('25832')
    await page.getByRole('link', { name: 'Zum Waldbestand' }).click()
    await page.getByRole('button', { name: 'Weiter bearbeiten' }).click()
    await page.getByRole('button', { name: 'Weiter zur Prüfung' }).click()
    await page.getByText('Bitte prüfen Sie diese Angaben').waitFor()
    await page.getByText('Die Spalte Fläche wird als Quadratmeter gelesen').waitFor()
    await page.getByText('Die Spalte Vfm/ha nennt den Vorrat je Hektar').waitFor()
    await page.getByText('Nr. 3: 0,04 ha, der Umriss hat 4,00 ha').waitFor()
    await page.getByText('Zeilen mit Zellen hinter der letzten Überschrift (1), Nr. 2').waitFor()
    expect(await brokenRules(page)).toEqual([])
  })

  test('a forester sees the own holding on a phone, and no foreign one', { timeout: 90_000 }, async () => {
    const page = await visit('ogf_standard', '/waldbestand/index', { viewport: { width: 390, height: 844 } })
    await page.getByRole('heading', { name: 'Fläche nach Baumart' }).waitFor()
    expect(await page.getByRole('link', { name: 'Forsteinrichtung importieren' }).count()).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await brokenRules(page)).toEqual([])
    await page.goto(`${server.app.origin}/waldbestand/index?fb=2000`)
    await page.getByText('Diesen Forstbetrieb gibt es nicht').waitFor()
    await page.goto(`${server.app.origin}/waldbestand/import`)
    await expect.poll(() => new URL(page.url()).pathname).toBe('/401')
  })

  test('a holding with Basis-FE shows the sums of its levels, one without says of which module stands are part', {
    timeout: 120_000,
  }, async () => {
    const page = await visit('multiple_fb', '/waldbestand/index?fb=2')
    await page.getByText('Sie sehen die Summen der Basis-FE').waitFor()
    const species = page.getByRole('figure', { name: 'Fläche nach Baumart' })
    await species
      .getByText(/ha · \d+ %/)
      .first()
      .waitFor()
    const whole = await number(page, 'Fläche').innerText()
    const level = page.getByRole('figure', { name: /^Fläche nach (?!Baumart)/ })
    await level.getByRole('button').first().click()
    await expect.poll(() => number(page, 'Fläche').innerText()).not.toBe(whole)
    expect(new URL(page.url()).search).toMatch(/[?&]e\d=/)
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Ganzer Betrieb' }).click()
    await expect.poll(() => number(page, 'Fläche').innerText()).toBe(whole)
    // No map, list or file without a subscription, only a link to it.
    expect(await page.getByRole('region', { name: /^Karte der Bestände/ }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Bestände als GIS-Datei' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Abo ansehen' }).click()
    await page.getByRole('heading', { name: 'Abo abschließen' }).waitFor()

    const admin = await visit('kundenadmin', '/waldbestand/index?fb=5')
    await admin.getByText('Teil des Moduls Forsteinrichtung (FE)').waitFor()
    await admin.getByText(/ist keines von beiden freigeschaltet/).waitFor()
    // They cannot buy it themselves; the page says whom to ask.
    expect(await admin.getByRole('link', { name: 'Abo ansehen' }).count()).toBe(0)
    expect(await brokenRules(admin)).toEqual([])

    const closed = await visit('inactive_fb', '/waldbestand/index?fb=3')
    await closed.getByText(/ist noch nicht freigeschaltet$/).waitFor()
    expect(await brokenRules(closed)).toEqual([])
  })
})
