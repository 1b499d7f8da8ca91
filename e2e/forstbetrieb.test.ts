// Headquarters: list and record for the provider, the pages of foresters and of a customer's admin, people,
// areas, two editors at once.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from './app.ts'
import { brokenRules } from './axe.ts'
import { emailOf, hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

/** Chromium logs refused calls as errors of the page; here they are expected. */
const REFUSED = /status of 40[0349]/

describe.skipIf(!hasBrowser())('headquarters', () => {
  const house = oneServer({
    env: { SUPPORT_PHONE: '0351 4711-0', SUPPORT_HOURS: 'Mo-Fr 9-17 Uhr' },
    asked: REFUSED,
  })
  const folder = temporaryFolder()
  const { visit } = house
  const save = (page: Page) => page.getByRole('button', { name: 'Speichern', exact: true }).click()
  const saved = (page: Page) => page.getByText('Gespeichert.', { exact: true }).waitFor()
  const modulesSaved = (page: Page) =>
    page.getByText('Module gespeichert.', { exact: true }).first().waitFor()
  const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) }).click()
  const rest = async (page: Page, path: string) =>
    (await call(house.app, await tokenOf(page), `/rest/${path}`)).json as Record<string, unknown>[]
  const row = async (page: Page, path: string) => (await rest(page, path))[0]
  const alertdialog = (page: Page) => page.getByRole('alertdialog')
  const settled = (page: Page) => page.locator('table[aria-busy="false"]').waitFor()

  test('the list: found by name and by customer, filtered, sorted, and a row opens the record', async () => {
    const page = await visit('ogf_admin', '/forstbetriebe/index')
    await page.getByText('1–25 von 2.000').waitFor()
    const [first] = await rest(page, 'hq_liste?idHQ=eq.1')
    await page.getByRole('searchbox', { name: 'Forstbetriebe suchen' }).fill(String(first!['kunde']))
    await page.waitForURL(/suche=/)
    const own = (await rest(page, `hq_liste?client_id=eq.${String(first!['client_id'])}&select=idHQ`)).length
    expect(own).toBeGreaterThan(4)
    await page.getByText(`1–${Math.min(own, 25)} von ${own}`).waitFor()
    expect(await page.locator('tbody tr').count()).toBe(Math.min(own, 25))
    await page.getByRole('button', { name: 'Suche leeren' }).click()
    expect(await page.locator(':focus').getAttribute('type')).toBe('search')
    await page.goto('/forstbetriebe/index?zugang=gesperrt&kawm=ja&sort=-flaeche')
    await settled(page)
    const shown = await page
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((one) => (one as HTMLElement).innerText))
    expect(shown.length).toBeGreaterThan(3)
    expect(shown.every((text) => text.includes('nicht freigeschaltet') && text.includes('KAWM'))).toBe(true)
    const expected = await rest(
      page,
      'hq_liste?fb_enabled=is.false&kawm_enabled=is.true&order=dcFLAEHB.desc,idHQ.desc&limit=25&select=sHQ',
    )
    expect(await page.locator('.row-link').allInnerTexts()).toEqual(expected.map(({ sHQ }) => sHQ))
    await page.locator('.row-link').first().click()
    await page.getByRole('heading', { level: 1, name: String(expected[0]!['sHQ']) }).waitFor()
    await page
      .getByText('Die zugeordneten Personen sehen nur, dass dieser Forstbetrieb nicht freigeschaltet ist.')
      .waitFor()
    expect(await brokenRules(page, '.page')).toEqual([])
  })

  test('a new one: the customer is chosen by typing, what is missing is named, its switches are there', async () => {
    const page = await visit('ogf_admin', '/forstbetriebe/index')
    await page.getByRole('button', { name: 'Forstbetrieb anlegen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Forstbetrieb anlegen' })
    await dialog.getByRole('button', { name: 'Anlegen', exact: true }).click()
    await dialog.getByText('Bitte geben Sie den Namen des Forstbetriebs ein.').waitFor()
    await dialog.getByText('Bitte wählen Sie den Kunden').waitFor()
    const kunde = String((await row(page, 'kunde?client_id=eq.7'))!['name'])
    await dialog.getByRole('combobox', { name: 'Kunde' }).fill(kunde)
    await dialog
      .getByRole('option', { name: new RegExp(`^${kunde.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`) })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByRole('textbox', { name: 'Name', exact: false }).first().fill('Revier Neuer Eichberg')
    await dialog.getByLabel('Fläche laut FE').fill('viel')
    await dialog.getByRole('button', { name: 'Anlegen', exact: true }).click()
    await dialog.getByText('Bitte eine Zahl in Hektar, zum Beispiel 1.234,5.').waitFor()
    await dialog.getByLabel('Fläche laut FE').fill('1.234,5')
    await dialog.getByRole('button', { name: 'Anlegen', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Revier Neuer Eichberg' }).waitFor()
    const id = /\/forstbetriebe\/(\d+)$/.exec(new URL(page.url()).pathname)?.[1] ?? ''
    expect(await row(page, `hq_liste?idHQ=eq.${id}`)).toMatchObject({
      client_id: 7,
      sHQ: 'Revier Neuer Eichberg',
      dcFLAEHB: 1234.5,
      fb_enabled: true,
      fe_enabled: false,
      kawm_enabled: false,
      flaeche_gezeichnet: false,
    })
    await tab(page, 'Verlauf')
    await page.getByText('Forstbetrieb angelegt').waitFor()
    // It can also be created from the customer's page, and then stays there.
    await page.goto('/kunden/7?ansicht=forstbetriebe')
    await page.getByRole('button', { name: 'Forstbetrieb anlegen' }).click()
    const second = page.getByRole('dialog', { name: 'Forstbetrieb anlegen' })
    await second.getByRole('textbox', { name: 'Name', exact: false }).first().fill('Revier Zweiter Eichberg')
    await second.getByRole('button', { name: 'Anlegen', exact: true }).click()
    await page.waitForURL(/\/kunden\/7\/forstbetrieb\/\d+$/)
    await page.getByRole('heading', { level: 1, name: 'Revier Zweiter Eichberg' }).waitFor()
    await page.getByRole('link', { name: 'Zum Kunden' }).click()
    await page.getByRole('link', { name: 'Revier Zweiter Eichberg' }).first().waitFor()
  })

  test('switches: one of FE and Basis-FE, KAWM asks for area and approval, the history says since when', async () => {
    const page = await visit('ogf_admin', '/forstbetriebe/40?ansicht=module')
    const reset = {
      fe_enabled: false,
      basis_fe_enabled: true,
      kawm_enabled: false,
      kawm_area: null,
      kawm_approval_date: null,
      kawm_custom_area_enabled: false,
    }
    await page.getByRole('radio', { name: 'Basis-FE' }).waitFor()
    await call(house.app, await tokenOf(page), '/rest/kunde_hq?hqid=eq.40', reset, 'PATCH')
    await page.reload()
    expect(await page.getByRole('radio', { name: 'Basis-FE' }).isChecked()).toBe(true)
    await page.getByRole('radio', { name: 'Forsteinrichtung (FE)' }).check()
    await page.getByRole('checkbox', { name: 'KAWM freigeschaltet' }).check()
    await save(page)
    await page.getByText('KAWM braucht das Datum des Bescheids.').waitFor()
    await page.getByLabel('KAWM bewilligt am').fill('2999-01-01')
    await page.getByText('Bitte einen Tag zwischen 1900 und 2099.').waitFor()
    // Through the device's date picker as well as by typing.
    await page.getByRole('button', { name: 'Kalender öffnen' }).click()
    await page.keyboard.press('Escape')
    await page.locator('.date-field-picker').fill('2025-02-28')
    expect(await page.getByLabel('KAWM bewilligt am').inputValue()).toBe('28.02.2025')
    await page.getByLabel('KAWM bewilligt am').fill('31.3.25')
    await page.getByLabel('KAWM bewilligt am').blur()
    expect(await page.getByLabel('KAWM bewilligt am').inputValue()).toBe('31.03.2025')
    await page.getByRole('checkbox', { name: 'Abweichende KAWM-Fläche' }).check()
    await page.getByLabel('KAWM-Fläche', { exact: false }).last().fill('12,2')
    await page.getByText('Gefordert sind mindestens 61 Habitatbäume').waitFor()
    await save(page)
    await modulesSaved(page)
    expect(await row(page, 'kunde_hq?hqid=eq.40')).toMatchObject({
      fe_enabled: true,
      basis_fe_enabled: false,
      kawm_enabled: true,
      kawm_area: 12.2,
      kawm_approval_date: '2025-03-31',
      kawm_custom_area_enabled: true,
    })
    // Undo uses the same call, with the version created by the save.
    await page.getByRole('checkbox', { name: 'KAWM freigeschaltet' }).uncheck()
    await save(page)
    await expect.poll(async () => (await row(page, 'kunde_hq?hqid=eq.40'))?.['kawm_enabled']).toBe(false)
    await page.getByRole('button', { name: 'Rückgängig' }).last().click()
    await page.getByText('Rückgängig gemacht.').waitFor()
    expect(await row(page, 'kunde_hq?hqid=eq.40')).toMatchObject({ kawm_enabled: true, kawm_area: 12.2 })
    await expect
      .poll(() => page.getByRole('checkbox', { name: 'KAWM freigeschaltet' }).isChecked())
      .toBe(true)
    expect(
      await page.getByText(/So eingestellt seit \d\d\.\d\d\.\d{4}, \d\d:\d\d von Anna Ahorn/).count(),
    ).toBe(2)
    expect(await brokenRules(page, '.page')).toEqual([])
    await tab(page, 'Verlauf')
    await page.getByText('Module geändert').first().waitFor()
    // The page mentions a running subscription, because switching off does not end it.
    const [abo] = await rest(
      page,
      `abo?zustand=eq.aktiv&ende=gte.${new Date().toISOString().slice(0, 10)}&order=id&limit=1&select=hqid`,
    )
    await page.goto(`/forstbetriebe/${String(abo!['hqid'])}?ansicht=module`)
    await page.getByText('Ein Abo endet durch Kündigung').waitFor()
    await page.goto('/forstbetriebe/40?ansicht=verlauf')
    await page.getByText('Module geändert').first().waitFor()
    // Newest first: undone, switched off, and before that the change.
    expect(await page.locator('.record-verlauf > li').nth(2).innerText()).toMatch(
      /KAWM-Fläche[\s\S]*12,2\sha[\s\S]*31\.03\.2025/,
    )
  })

  test('two at once on the switches and on the master data: nothing is overwritten', async () => {
    const page = await visit('ogf_admin', '/forstbetriebe/41?ansicht=stammdaten')
    const other = await visit('admin', '/forstbetriebe/41?ansicht=stammdaten')
    const name = (of: Page) => of.getByRole('textbox', { name: 'Name', exact: false }).first()
    await name(page).fill('Mein Revier')
    await name(other).fill('Anderes Revier')
    await other.getByLabel('FE-Stichtag').fill('01.10.2024')
    await save(other)
    await saved(other)
    await save(page)
    const dialog = page.getByRole('dialog', { name: 'Inzwischen geändert' })
    await dialog.getByText(/Alma Akazie hat diesen Forstbetrieb am/).waitFor()
    expect(await row(page, 'hq?idHQ=eq.41')).toMatchObject({ sHQ: 'Anderes Revier' })
    await dialog.getByRole('radio', { name: 'Name, meine Eingabe: Mein Revier' }).check()
    await dialog.getByRole('button', { name: 'Auswahl speichern' }).click()
    await saved(page)
    expect(await row(page, 'hq?idHQ=eq.41')).toMatchObject({ sHQ: 'Mein Revier', dtFE: '2024-10-01' })
    await tab(page, 'Module')
    await tab(other, 'Module')
    const before = (await row(page, 'kunde_hq?hqid=eq.41'))!
    const target = before['fe_enabled'] === true ? 'Keine' : 'Forsteinrichtung (FE)'
    await other.getByRole('radio', { name: target }).check()
    await save(other)
    await modulesSaved(other)
    await page.getByRole('radio', { name: 'Basis-FE' }).check()
    await save(page)
    const second = page.getByRole('dialog', { name: 'Inzwischen geändert' })
    await second.getByText(/Alma Akazie hat die Module dieses Forstbetriebs am/).waitFor()
    await second.getByRole('button', { name: 'Überall die gespeicherten' }).click()
    await second.getByRole('button', { name: 'Auswahl speichern' }).click()
    await page.getByText('Es gab nichts zu speichern.').waitFor()
    expect(await row(page, 'kunde_hq?hqid=eq.41')).toMatchObject({
      fe_enabled: target !== 'Keine',
      basis_fe_enabled: false,
    })
  })

  test('taking the access away asks with the name, and unsaved work is not lost by a link', async () => {
    const page = await visit('ogf_admin', '/forstbetriebe/42?ansicht=stammdaten')
    const enabled = page.getByRole('checkbox', { name: 'Forstbetrieb ist freigeschaltet' })
    await enabled.waitFor()
    await call(house.app, await tokenOf(page), '/rest/hq?idHQ=eq.42', { fb_enabled: true }, 'PATCH')
    await page.reload()
    await enabled.uncheck()
    await page.getByRole('link', { name: 'Zu den Forstbetrieben' }).click()
    await page.getByText('Änderungen verwerfen?').waitFor()
    await page.getByRole('button', { name: 'Weiter bearbeiten' }).click()
    await save(page)
    await alertdialog(page)
      .getByText(String((await row(page, 'hq?idHQ=eq.42'))!['sHQ']))
      .waitFor()
    expect(await row(page, 'hq?idHQ=eq.42')).toMatchObject({ fb_enabled: true })
    await alertdialog(page).getByRole('button', { name: 'Freischaltung aufheben' }).click()
    await saved(page)
    expect(await row(page, 'hq?idHQ=eq.42')).toMatchObject({ fb_enabled: false })
  })

  const geojson = (name: string, content: object | string): string => {
    const path = join(folder, name)
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }
  const polygon = (corners: number[][], crs?: string) => ({
    type: 'FeatureCollection',
    ...(crs && { crs: { type: 'name', properties: { name: crs } } }),
    features: [{ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [corners] } }],
  })

  test('an area: wrong files are explained, a right one shown with its figures, replaced and deleted', async () => {
    const page = await visit('ogf_admin', '/forstbetriebe/43?ansicht=flaeche')
    await page.locator('.area-map-frame svg').waitFor()
    const hq = (await row(page, 'hq?idHQ=eq.43'))!
    const { epsg } = (await row(page, `kunde?client_id=eq.${String(hq['client_id'])}`))! as { epsg: number }
    await page.getByRole('button', { name: 'Fläche ersetzen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Fläche ersetzen' })
    const choose = async (path: string) => dialog.getByLabel('GeoJSON-Datei').setInputFiles(path)
    await choose(geojson('text.geojson', 'kein json'))
    await dialog.getByText('Das ist keine GeoJSON-Datei').waitFor()
    await choose(geojson('linie.geojson', { type: 'LineString', coordinates: [[1, 2]] }))
    await dialog.getByText(/auch anderes als Flächen \(Linien\)/).waitFor()
    expect(await dialog.getByRole('button', { name: 'Alte Fläche ersetzen' }).isDisabled()).toBe(true)
    // A bow tie passes the check here and is detected by the database.
    await choose(
      geojson(
        'schleife.geojson',
        polygon([
          [10, 51],
          [10.01, 51.01],
          [10.01, 51],
          [10, 51.01],
          [10, 51],
        ]),
      ),
    )
    await dialog.getByText(/an den Graden erkannt/).waitFor()
    await dialog.getByRole('button', { name: 'Alte Fläche ersetzen' }).click()
    await dialog.getByText(/schneidet oder berührt sich selbst bei/).waitFor()
    await choose(
      geojson(
        'atlantik.geojson',
        polygon([
          [-30, 40],
          [-29.99, 40],
          [-29.99, 40.01],
          [-30, 40.01],
          [-30, 40],
        ]),
      ),
    )
    await dialog.getByRole('button', { name: 'Alte Fläche ersetzen' }).click()
    await dialog.getByText('Die Fläche liegt nicht in Deutschland').waitFor()
    await choose(
      geojson(
        'richtig.geojson',
        polygon(
          [
            [10, 51],
            [10.01, 51],
            [10.01, 51.01],
            [10, 51.01],
            [10, 51],
          ],
          'urn:ogc:def:crs:OGC:1.3:CRS84',
        ),
      ),
    )
    await dialog.getByText('Die vorhandene Fläche wird ersetzt').waitFor()
    await dialog.getByText(`„${String(hq['sHQ'])}“ hat schon eine Fläche`).waitFor()
    expect(await brokenRules(page, '.page')).toEqual([])
    await dialog.getByRole('button', { name: 'Alte Fläche ersetzen' }).click()
    await page.getByText(`Die Fläche von ${String(hq['sHQ'])} ist ersetzt.`).waitFor()
    // 1/100 degree at 51°: 702 m by 1,113 m.
    await page
      .getByText(/^78,\d\d\sha$/)
      .first()
      .waitFor()
    await page.getByText(/^10,0000°\sO – 10,0100°\sO$/).waitFor()
    const details = (
      await call(house.app, await tokenOf(page), '/rest/rpc/__o_get_hq_details', { hq_id: 43 })
    ).json as Record<string, unknown>[]
    expect(details[0]).toMatchObject({ epsg })
    await page.getByText('Die Flächen weichen voneinander ab').waitFor()

    // The map moves by keyboard and returns.
    const map = page.getByRole('region', { name: /^Lageplan von/ })
    const whole = await map.locator('g').first().getAttribute('transform')
    await map.focus()
    await page.keyboard.press('+')
    await page.keyboard.press('ArrowRight')
    expect(await map.locator('g').first().getAttribute('transform')).not.toBe(whole)
    await page.keyboard.press('0')
    expect(await map.locator('g').first().getAttribute('transform')).toBe(whole)

    await page.getByRole('button', { name: 'Fläche löschen' }).click()
    await alertdialog(page).getByText(String(hq['sHQ']), { exact: true }).waitFor()
    await alertdialog(page).getByRole('button', { name: 'Fläche löschen' }).click()
    await page.getByText('Noch keine Fläche gezeichnet').waitFor()
    expect(await rest(page, 'hq_flaeche?hqid=eq.43&select=hqid')).toEqual([])
    await tab(page, 'Verlauf')
    await page.getByText('Fläche gelöscht').waitFor()
    await page.getByText('Fläche ersetzt').waitFor()
  })

  test('people: found, connected, made admin, the app locked, disconnected; each step in the history', async () => {
    const page = await visit('ogf_admin', '/forstbetriebe/44?ansicht=personen')
    await page.getByRole('button', { name: 'Person zuordnen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Person zuordnen' })
    await dialog.getByLabel('Name oder E-Mail').fill('stieleiche')
    await dialog.getByRole('button', { name: 'Stefan Stieleiche zuordnen' }).click()
    await page.getByText(/Stefan Stieleiche ist jetzt/).waitFor()
    await dialog
      .locator('li', { hasText: 'Stefan Stieleiche' })
      .getByText('zugeordnet', { exact: true })
      .waitFor()
    await dialog.getByRole('button', { name: 'Fertig' }).click()
    const act = async (name: string) => {
      await page.getByRole('button', { name: 'Aktionen für Stefan Stieleiche' }).click()
      await page.getByRole('menuitem', { name, exact: true }).click()
    }
    await act('Verwaltung übertragen')
    await alertdialog(page).getByText('Stefan Stieleiche', { exact: true }).waitFor()
    await alertdialog(page).getByRole('button', { name: 'Verwaltung übertragen' }).click()
    await page
      .locator('tr', { hasText: 'Stefan Stieleiche' })
      .getByText('Verwaltung', { exact: true })
      .waitFor()
    expect(await row(page, `benutzer_hq?hqid=eq.44&user_id=eq.7`)).toMatchObject({
      hq_status: ['hq_user', 'hq_admin'],
    })
    await act('App sperren')
    await alertdialog(page).getByRole('button', { name: 'App sperren' }).click()
    await page.locator('tr', { hasText: 'Stefan Stieleiche' }).getByText('gesperrt').waitFor()
    await act('App entsperren')
    await alertdialog(page).getByRole('button', { name: 'App entsperren' }).click()
    await page.getByText('Die App ist für Stefan Stieleiche entsperrt.').waitFor()
    await act('Ansehen')
    await page.getByText('Forstbetriebe dieser Person').waitFor()
    await expect.poll(() => page.locator('.hq-hits > li').count()).toBe(2)
    await page.keyboard.press('Escape')
    await act('Zuordnung aufheben')
    await alertdialog(page)
      .getByText('Danach verwaltet niemand mehr diesen Forstbetrieb', { exact: false })
      .waitFor()
    await alertdialog(page).getByRole('button', { name: 'Zuordnung aufheben' }).click()
    await page.getByText('Stefan Stieleiche ist nicht mehr zugeordnet.').waitFor()
    expect(await rest(page, 'benutzer_hq?hqid=eq.44&user_id=eq.7')).toEqual([])
    await tab(page, 'Verlauf')
    await page.getByText('Zuordnung aufgehoben').waitFor()
    // Names are loaded after the changes they belong to.
    await expect
      .poll(() => page.locator('.record-verlauf').innerText())
      .toMatch(/Zuordnung aufgehoben[\s\S]*Stefan Stieleiche[\s\S]*Rolle geändert[\s\S]*Person zugeordnet/)
  })

  test('the admin of a headquarters connects whom the rules allow, a newcomer by the whole address only', async () => {
    const page = await visit('ogf_fb_admin', '/forstbetriebe/index')
    await page.getByRole('link', { name: /öffnen$/ }).click()
    await page.waitForURL(/\/forstbetriebe\/1$/)
    await tab(page, 'Stammdaten')
    await page.getByText('Diese Angaben pflegen wir für Sie').waitFor()
    await page.getByRole('link', { name: '0351 4711-0' }).first().waitFor()
    expect(await page.getByRole('button', { name: 'Speichern' }).count()).toBe(0)
    await tab(page, 'Module')
    await page.getByText('Module gehören zum Vertrag und werden von uns freigeschaltet.').waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await tab(page, 'Fläche')
    await page.locator('.area-map-frame svg').waitFor()
    expect(await page.getByRole('button', { name: 'Fläche ersetzen' }).count()).toBe(0)
    await tab(page, 'Personen')
    await page.getByRole('button', { name: 'Person zuordnen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Person zuordnen' })
    const box = dialog.getByLabel('Name oder E-Mail')
    await box.fill('neubert')
    await dialog.getByText('Niemand gefunden, den Sie zuordnen dürfen').waitFor()
    await box.fill(emailOf('ogf_init').toUpperCase())
    await dialog.getByRole('button', { name: 'Nora Neubert zuordnen' }).click()
    await page.getByText(/Nora Neubert ist jetzt/).waitFor()
    // Staff and other customers' people are not found, whether they exist or not.
    await box.fill(emailOf('apus_team'))
    await dialog.getByText('Niemand gefunden, den Sie zuordnen dürfen').waitFor()
    await dialog.getByRole('button', { name: 'Fertig' }).click()
    await page.getByText('Nora Neubert').first().waitFor()
    expect(await brokenRules(page, '.page')).toEqual([])
    // What is not offered is not allowed either.
    const token = await tokenOf(page)
    expect(
      (await call(house.app, token, '/rest/hq?idHQ=eq.1', { sHQ: 'Gekapert' }, 'PATCH')).status,
    ).not.toBe(200)
    expect(await row(page, 'hq?idHQ=eq.1')).not.toMatchObject({ sHQ: 'Gekapert' })
    await page.goto('/forstbetriebe/43')
    await page.getByText('Diesen Forstbetrieb gibt es hier nicht').waitFor()
  })

  test('a customer’s admin reads and connects, but names no admins and finds no others’ holdings', async () => {
    const page = await visit('kundenadmin', '/kunde/index?ansicht=forstbetriebe')
    await page.locator('.row-link').first().waitFor()
    expect(await page.getByRole('button', { name: 'Forstbetrieb anlegen' }).count()).toBe(0)
    await page.locator('.row-link').first().click()
    await page.waitForURL(/\/kunde\/1\/forstbetrieb\/\d+$/)
    await tab(page, 'Stammdaten')
    await page.getByText('Diese Angaben pflegen wir für Sie').waitFor()
    await page.goto('/kunde/1/forstbetrieb/1?ansicht=personen')
    await page.getByRole('button', { name: 'Aktionen für Frieda Fichte' }).click()
    await page.getByRole('menuitem', { name: 'Zuordnung aufheben' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Verwaltung entziehen' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await tab(page, 'Verlauf')
    await page.locator('.record-verlauf, .state').first().waitFor()
    expect(await brokenRules(page, '.page')).toEqual([])
    for (const path of ['/kunde/1/forstbetrieb/43', '/kunde/2/forstbetrieb/1']) {
      await page.goto(path)
      await page.getByText('Diesen Forstbetrieb gibt es hier nicht').waitFor()
    }
  })

  test('who has only one that is not enabled is told so, and whom to call', async () => {
    const page = await visit('inactive_fb', '/forstbetriebe/index')
    await page.getByText('Ihr Forstbetrieb ist nicht freigeschaltet').waitFor()
    expect(await page.getByRole('link', { name: '0351 4711-0' }).last().getAttribute('href')).toBe(
      'tel:035147110',
    )
    await page.getByText('Revier Nasser Grund').first().waitFor()
    await page.locator('.area-map-frame svg').waitFor()
    expect(await page.getByRole('link', { name: /öffnen$/ }).count()).toBe(0)
    expect(await brokenRules(page, '.page')).toEqual([])
    await page.goto('/forstbetriebe/3')
    await page.waitForURL(/\/401/)
  })

  test('on a narrow screen nothing scrolls the page sideways', async () => {
    const page = await visit('ogf_admin', '/forstbetriebe/index')
    await page.setViewportSize({ width: 390, height: 844 })
    for (const path of [
      '/forstbetriebe/index',
      ...['', 'module', 'personen', 'flaeche', 'verlauf'].map((part) => `/forstbetriebe/1?ansicht=${part}`),
    ]) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page
        .locator(
          '.table[aria-busy="false"], .area-map-frame svg, .facts, .state, .record-form, ' +
            '.record-verlauf, .summary-rows',
        )
        .first()
        .waitFor()
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
        path,
      ).toBeLessThanOrEqual(0)
    }
  })

  test('several are cards beside each other, and the team reads all of them without a page for one', async () => {
    const several = await visit('multiple_fb', '/forstbetriebe/index')
    await several.getByText('3 Forstbetriebe, davon 3 freigeschaltet').waitFor()
    await expect.poll(() => several.locator('.card h2').allInnerTexts()).toHaveLength(4)
    const team = await visit('ogf_team', '/forstbetriebe/index')
    await team.getByText(/von 2\.00\d/).waitFor()
    expect(await team.getByRole('button', { name: 'Forstbetrieb anlegen' }).count()).toBe(0)
    expect(await team.locator('.row-link').count()).toBe(0)
  })
})
