// A survey from a surveyor's file to the customer's screen: choose, map, check, import, release; and a faulty
// file that changes nothing.
import { readFileSync } from 'node:fs'
import { unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { makeRandom } from '../db/seeds/random.ts'
import { makeVermessung, toGeoJson } from '../db/seeds/sample-vermessung.ts'
import { brokenRules } from './axe.ts'
import { type DemoRole, hasBrowser } from './browser.ts'
import { oneServer } from './one-server.ts'

const SURVEY = makeVermessung({
  ort: [400_000, 5_800_000],
  anzahl: 120,
  random: makeRandom(4),
  day: () => '2026-05-04',
})
const count = (table: string) => SURVEY.filter((one) => one.tabelle === table).length

describe.skipIf(!hasBrowser())('import of a survey', () => {
  // An invalid file is refused on purpose.
  const server = oneServer({ asked: /status of 422/ })
  const visit = async (role: DemoRole, path: string): Promise<Page> => (await server.visitor(role, path)).page
  const give = (page: Page, name: string, text: string) =>
    page
      .getByLabel('Importdatei')
      .setInputFiles({ name, mimeType: 'application/geo+json', buffer: Buffer.from(text) })

  test('a drawing has one coordinate system, so it is chosen once; what is no object is named', async () => {
    const page = await visit('apus_team', '/kataster/import?kunde=3')
    const point = ['0', 'INSERT', '8', 'Schächte', '2', 'RUND', '10', '400010', '20', '5800010']
    const line = [
      '0',
      'LINE',
      '8',
      'Dränagen',
      '10',
      '400010',
      '20',
      '5800010',
      '11',
      '400060',
      '21',
      '5800010',
    ]
    const drawing = ['0', 'SECTION', '2', 'ENTITIES', ...point, ...line, '0', 'HATCH', '8', 'Dränagen']
    await give(page, 'Aufmaß.dxf', [...drawing, '0', 'ENDSEC', '0', 'EOF', ''].join('\n'))
    await page
      .getByText('Bitte wählen Sie noch: Koordinatensystem (Schächte), Koordinatensystem (Dränagen).')
      .waitFor()
    await page.getByLabel('Koordinatensystem (Schächte)').selectOption('25833')
    expect(await page.getByLabel('Koordinatensystem (Dränagen)').inputValue()).toBe('25833')
    await page.getByRole('button', { name: 'Weiter zur Prüfung' }).click()
    await page.getByText('Nicht übernommene Teile der Datei (1): HATCH').waitFor()
    expect(await brokenRules(page)).toEqual([])
  })

  test('a GML says itself where it is; a geometry that is elsewhere is named, a DOCTYPE refused', async () => {
    const page = await visit('apus_team', '/kataster/import?kunde=3')
    const point =
      '<gml:Point srsName="urn:ogc:def:crs:EPSG::25833"><gml:pos>400010 5800010</gml:pos></gml:Point>'
    const shaft = (inner: string): string =>
      `<gml:featureMember><k:schacht><k:dn>100</k:dn>${inner}</k:schacht></gml:featureMember>`
    const text =
      '<k:Daten xmlns:k="http://kreis" xmlns:gml="http://www.opengis.net/gml" ' +
      `xmlns:xlink="http://www.w3.org/1999/xlink">${shaft(`<k:ort>${point}</k:ort>`)}` +
      `${shaft('<k:position xlink:href="#p1"/>')}</k:Daten>`
    await give(page, 'Aufmaß.gml', `<!DOCTYPE a>${text}`)
    await page.getByText('enthält eine Dokumenttyp-Deklaration (DOCTYPE)').waitFor()
    await give(page, 'Aufmaß.gml', text)
    await page.getByLabel('Enthält (schacht)').waitFor()
    expect(await page.getByLabel('Koordinatensystem (schacht)').inputValue()).toBe('25833')
    await page.getByRole('button', { name: 'Weiter zur Prüfung' }).click()
    await page.getByText('Nicht übernommene Teile der Datei (1): position (xlink)').waitFor()
    expect(await brokenRules(page)).toEqual([])
  })

  test('a file becomes objects, and the objects a file', { timeout: 120_000 }, async () => {
    const page = await visit('apus_team', '/kataster/import?kunde=3')
    await give(page, 'Vermessung Mai.geojson', toGeoJson(SURVEY, 25_833))
    await page.getByLabel('Enthält (draenage)').waitFor()
    expect(await page.getByLabel('Koordinatensystem (draenage)').inputValue()).toBe('25833')
    expect(await page.getByLabel('Feld für die Spalte erfq').first().inputValue()).toBe('erfq')
    expect(await brokenRules(page)).toEqual([])
    // After a reload, work continues where it was.
    await page.reload()
    await page.getByRole('button', { name: 'Weiter zur Prüfung' }).click()
    await page.getByRole('heading', { name: 'Alle Objekte sind in Ordnung' }).waitFor()
    expect(await page.getByRole('table').count()).toBe(5)
    // The customer's survey so far is elsewhere.
    await page.getByText('Liegen die Daten wirklich dort?').waitFor()
    expect(await page.getByRole('button', { name: 'Jetzt importieren' }).isDisabled()).toBe(true)
    expect(await brokenRules(page)).toEqual([])
    await page.getByLabel('Ja, die Daten liegen dort').check()
    await page.getByRole('button', { name: 'Jetzt importieren' }).click()
    await page.getByRole('heading', { name: 'Der Import ist fertig' }).waitFor()
    expect(await page.getByRole('row', { name: new RegExp(`Dränagen ${count('draenage')}`) }).count()).toBe(1)
    expect(await brokenRules(page)).toEqual([])
    await page.goto(`${server.app.origin}/kataster/index?kunde=3`)
    await page.getByRole('button', { name: 'Kataster exportieren' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'GeoJSON (WGS 84)' }).click()
    const file = JSON.parse(readFileSync(await (await download).path(), 'utf8')) as {
      features: { properties: { tabelle: string } }[]
    }
    expect(file.features.filter(({ properties }) => properties.tabelle === 'schacht')).toHaveLength(
      count('schacht'),
    )
    await page.getByRole('button', { name: 'Kataster exportieren' }).click()
    const saved = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Paket für QField, ohne Netz' }).click()
    expect((await saved).suggestedFilename()).toMatch(/^QField_.+_\d{4}-\d\d-\d\d\.zip$/)
    const parts = unzipSync(readFileSync(await (await saved).path()))
    expect(Object.keys(parts)).toEqual(['kunde-3.qgs', 'daten.gpkg'])
    await page.getByText('importieren Sie sie in QField als ZIP').waitFor()
  })

  test('row numbers are no key; who chooses them is asked before objects move', {
    timeout: 120_000,
  }, async () => {
    const page = await visit('apus_team', '/kataster/import?kunde=3')
    const manholes = (east: number): string =>
      JSON.stringify({
        type: 'FeatureCollection',
        crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::25833' } },
        features: [1, 2].map((nr) => ({
          type: 'Feature',
          properties: { OBJECTID: nr, dn: 1000 },
          geometry: { type: 'Point', coordinates: [east + 100 * nr, 5_800_000] },
        })),
      })
    for (const [east, moves] of [
      [400_000, false],
      [400_400, true],
    ] as const) {
      await give(page, 'Schächte.geojson', manholes(east))
      const key = page.getByLabel('Feld für die Spalte OBJECTID')
      await key.waitFor()
      expect(await key.inputValue()).toBe('')
      await page.getByText('behalten', { exact: true }).click()
      await page.getByRole('button', { name: 'Weiter zur Prüfung' }).click()
      await page.getByText('Die Kennung fehlt. Zum Ergänzen braucht jedes Objekt eine.').first().waitFor()
      await page.getByRole('button', { name: 'Zurück zur Zuordnung' }).click()
      await key.selectOption('schluessel')
      await page.getByText('Ist „OBJECTID“ wirklich eine Kennung?').waitFor()
      expect(await brokenRules(page)).toEqual([])
      await page.getByRole('button', { name: 'Weiter zur Prüfung' }).click()
      await page.getByRole('heading', { name: 'Alle Objekte sind in Ordnung' }).waitFor()
      const confirm = page.getByLabel('Ja, es sind dieselben Objekte')
      expect(await confirm.count()).toBe(moves ? 1 : 0)
      if (moves) {
        await page.getByText('Schächte 1: 400 m').waitFor()
        expect(await page.getByRole('button', { name: 'Jetzt importieren' }).isDisabled()).toBe(true)
        expect(await brokenRules(page)).toEqual([])
        await confirm.check()
      }
      const far = page.getByLabel('Ja, die Daten liegen dort')
      if ((await far.count()) > 0) await far.check()
      await page.getByRole('button', { name: 'Jetzt importieren' }).click()
      await page.getByRole('heading', { name: 'Der Import ist fertig' }).waitFor()
      await page.goto(`${server.app.origin}/kataster/import?kunde=3`)
    }
  })

  test('faults are told object by object, and nothing is taken over', { timeout: 120_000 }, async () => {
    const page = await visit('apus_admin', '/kataster/import')
    await give(page, 'x.geojson', toGeoJson(SURVEY, 25_833))
    await page.getByText('Bitte wählen Sie zuerst den Kunden.').waitFor()
    await page.goto(`${server.app.origin}/kataster/import?kunde=3`)
    await give(page, 'Bild.geojson', '\u0089PNG')
    await page.getByText('Dieses Format kennt das Programm nicht.').waitFor()
    await give(
      page,
      'falsch.geojson',
      toGeoJson(
        SURVEY.slice(0, 5).map((one) => ({ ...one, werte: { ...one.werte, dn: 'dick' } })),
        25_833,
      ),
    )
    await page.getByRole('button', { name: 'Weiter zur Prüfung' }).click()
    await page.getByText('5 Fehler').waitFor()
    expect(await page.getByText('„dick“ ist keine passende Zahl.').count()).toBe(5)
    expect(await page.getByRole('button', { name: 'Jetzt importieren' }).isDisabled()).toBe(true)
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Zurück zur Zuordnung' }).click()
    await page.getByLabel('Feld für die Spalte dn').selectOption('')
    await page.getByRole('button', { name: 'Weiter zur Prüfung' }).click()
    await page.getByRole('heading', { name: 'Alle Objekte sind in Ordnung' }).waitFor()
    await page.getByRole('button', { name: 'Zurück zur Zuordnung' }).click()
    await page.getByRole('button', { name: 'Andere Datei' }).click()
    await page.getByText('Datei hierher ziehen').waitFor()
  })
})
