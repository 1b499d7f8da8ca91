// Habitat trees from the list to the evidence: found and filtered, added with errors shown at their fields,
// edited by two people at once, photographed, checked again, changed in bulk, deleted; and who may not.
import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Habitatbaum } from '#contract/habitat.ts'
import type { Place } from '#contract/places.ts'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('habitat trees', () => {
  // A save that another person preceded is answered without a row, not with an error status.
  const server = oneServer()

  test('staff begin with those that have trees: a list, a map, the one opened last, and a way back', async () => {
    const { page } = await server.visitor('ogf_team', '/habitatbaeume/index')
    const main = page.getByRole('main')
    const { json } = await call(server.app, await tokenOf(page), '/rest/rpc/__o_get_places', {
      was: 'habitat',
    })
    const places = json as Place[]
    expect(places.length).toBeGreaterThan(1)
    const located = places.filter(({ lon }) => lon !== null).length
    await page.locator(`[data-orte="${located}"]`).waitFor()
    const table = main.getByRole('table', { name: 'Forstbetriebe' })
    for (const { name, anzahl } of places.slice(0, 2)) {
      const row = table.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
      await row.getByText(anzahl.toLocaleString('de-DE'), { exact: true }).waitFor()
    }
    expect(await main.getByText('Zuletzt geöffnet').count()).toBe(0)
    expect(await brokenRules(page)).toEqual([])

    // A search narrows the list and the map alike; Enter on the map opens what is left.
    const wanted = places.find(({ name, lon }) => lon !== null && name !== places[0]!.name)!
    await main.getByRole('searchbox', { name: 'Forstbetriebe suchen' }).fill(wanted.name)
    await page.locator('[data-orte="1"]').waitFor()
    const map = main.getByRole('region', { name: 'Karte der Forstbetriebe', exact: true })
    await map.focus()
    await map.press('Enter')
    await main.getByText(/: [\d.]+ Habitatb[aä]um/).waitFor()
    const opened = () => new URL(page.url()).searchParams.get('fb')
    expect(opened()).toBe(String(wanted.id))

    await main.getByRole('link', { name: 'Alle Forstbetriebe' }).click()
    await main.getByRole('link', { name: new RegExp(`^Zuletzt geöffnet.*${wanted.name}`) }).click()
    await main.getByText(/: [\d.]+ Habitatb[aä]um/).waitFor()
    expect(opened()).toBe(String(wanted.id))

    // Any other holding is found by name, with trees or without.
    await main.getByRole('link', { name: 'Alle Forstbetriebe' }).click()
    await main.getByRole('combobox', { name: 'Anderen Forstbetrieb öffnen' }).fill(places[0]!.name)
    await page.getByRole('option', { name: places[0]!.name }).first().click()
    await expect.poll(opened).toBe(String(places[0]!.id))
  })

  test('a holding’s admin adds a tree, is told what is missing, meets another’s change, and deletes it', async () => {
    const { page, complaints } = await server.visitor('ogf_fb_admin', '/habitatbaeume/index')
    const main = page.getByRole('main')
    await main.getByText(/: \d+ Habitatbäume$/).waitFor()
    const token = await tokenOf(page)
    const trees = async (query: string): Promise<Habitatbaum[]> =>
      (await call(server.app, token, `/rest/habitatbaeume?${query}`)).json as Habitatbaum[]
    const [sample] = await trees('select=idHQ,lon,lat&order=id&limit=1')
    if (sample === undefined) throw new Error('the sample has no tree here')

    // The check links to what it found, and one click leads back.
    await main.getByRole('button', { name: /näher als 2 m|steht näher/ }).click()
    await main.getByText(/^\S.*: [1-9]\d* Treffer$/).waitFor()
    expect(new URL(page.url()).searchParams.get('befund')).toBe('doppelt')
    // The button is gone; the next Tab begins below the heading.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    await main.getByRole('button', { name: 'Alle entfernen' }).click()
    await main.getByText(/: \d+ Habitatbäume$/).waitFor()

    // All of them, for a GIS.
    await main.getByRole('button', { name: 'Alle Bäume als GIS-Datei' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'GeoJSON' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^Habitatbaeume_.+\.geojson$/)
    const { features } = JSON.parse(readFileSync(await file.path(), 'utf8')) as { features: unknown[] }
    expect(features.length).toBe((await trees(`select=id&idHQ=eq.${sample.idHQ}`)).length)

    await main.getByRole('button', { name: 'Alle Bäume als GIS-Datei' }).click()
    const [packed] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Paket für QField, ohne Netz' }).click(),
    ])
    expect(packed.suggestedFilename()).toMatch(/^QField_.+\.zip$/)

    // The server searches structures.
    await page.goto('/habitatbaeume/index?struktur=1.3&zustand=lebend')
    const found = await trees('select=id&zustand=eq.lebend&struktur_suche=like.*|1.3|*')
    expect(found.length).toBeGreaterThan(0)
    await main
      .getByText(found.length === 1 ? /: 1 Treffer$/ : new RegExp(`: ${found.length} Treffer$`))
      .waitFor()

    await page.goto('/habitatbaeume/index')
    await main.getByRole('button', { name: 'Neuer Habitatbaum' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Neuer Habitatbaum' })
    const add = dialog.getByRole('button', { name: 'Anlegen' })
    await add.click()
    await dialog.getByText('Bitte wählen Sie die Baumart.').waitFor()
    await dialog
      .getByText('Diese Angabe fehlt. Tippen Sie auf die Karte oder geben Sie Grad ein.')
      .first()
      .waitFor()
    await dialog.getByLabel('Nummer', { exact: true }).fill('E2E 1')
    await dialog.getByRole('combobox', { name: 'Baumart' }).selectOption({ label: 'Rotbuche' })
    await dialog.getByRole('textbox', { name: 'BHD' }).fill('600')
    await dialog.getByText('Bitte Zentimeter von 0,1 bis 500').waitFor()
    await dialog.getByRole('textbox', { name: 'BHD' }).fill('62,5')
    // First swapped, then correct.
    await dialog.getByRole('textbox', { name: 'Breite' }).fill(String(sample.lon).replace('.', ','))
    await dialog.getByRole('textbox', { name: 'Länge' }).fill(String(sample.lat).replace('.', ','))
    await dialog
      .getByText(/Vielleicht sind Länge und Breite vertauscht/)
      .first()
      .waitFor()
    await dialog.getByRole('textbox', { name: 'Breite' }).fill(String(sample.lat + 0.00001).replace('.', ','))
    await dialog.getByRole('textbox', { name: 'Länge' }).fill(String(sample.lon).replace('.', ','))
    // Also in metres below the map, and as a pasted pair in either order, as other programs export it.
    const east = dialog.getByRole('textbox', { name: 'Ostwert' })
    await expect.poll(() => east.inputValue()).toMatch(/^\d{6,8},\d\d$/)
    const metres = await east.inputValue()
    // What is typed there survives another system, and nothing is saved with the place from before.
    const system = dialog.getByLabel('Koordinatensystem', { exact: true })
    const usual = await system.inputValue()
    await east.fill('39487O')
    await system.selectOption(usual === '25833' ? '25832' : '25833')
    expect(await east.inputValue()).toBe('39487O')
    await add.click()
    await dialog.getByText('Bitte eine Zahl wie 412345,67 eingeben.').waitFor()
    await expect.poll(() => east.evaluate((field) => field === document.activeElement)).toBe(true)
    await system.selectOption(usual)
    await east.fill(`${Number(metres.replace(',', '.')) + 50}`.replace('.', ','))
    await east.press('Enter')
    await expect
      .poll(() => dialog.getByRole('textbox', { name: 'Länge' }).inputValue())
      .not.toBe(String(sample.lon).replace('.', ','))
    await dialog.getByRole('textbox', { name: 'Breite' }).evaluate(
      (field, text) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text', text)
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      },
      `${sample.lon}, ${(sample.lat + 0.00001).toFixed(7)}`,
    )
    await expect.poll(() => east.inputValue()).toBe(metres)
    expect(await dialog.getByRole('textbox', { name: 'Länge' }).inputValue()).toBe(
      String(sample.lon).replace('.', ','),
    )
    await dialog.getByText('Höhlen', { exact: true }).click()
    await dialog.getByLabel(/^1\.3 Große Spechthöhle/).check()
    await dialog.getByRole('spinbutton', { name: 'Anzahl von Große Spechthöhle' }).fill('2')
    await add.click()
    await page.getByRole('heading', { level: 1, name: 'E2E 1 · Rotbuche' }).waitFor()
    const id = Number(new URL(page.url()).pathname.split('/').at(-1))
    const stored = async () => (await trees(`id=eq.${id}`))[0]
    expect(await stored()).toMatchObject({
      nummer: 'E2E 1',
      art: 'bu',
      bhd_cm: 62.5,
      idHQ: sample.idHQ,
      lage_methode: 'karte',
      strukturen: [{ code: '1.3', system: 'larrieu_2018', menge: 2 }],
    })
    // One metre from another tree: reported on the record, with a link to it.
    await main.getByText(/neben einem anderen Baum/).waitFor()

    // Meanwhile another person saves the same field.
    await main.getByRole('textbox', { name: 'Höhe' }).fill('28')
    await main.getByRole('combobox', { name: 'Zustand' }).selectOption('absterbend')
    const other = await call(
      server.app,
      token,
      `/rest/habitatbaeume?id=eq.${id}`,
      { zustand: 'stumpf', bemerkung: 'abgebrochen' },
      'PATCH',
    )
    expect(other.status).toBeLessThan(300)
    await main.getByRole('button', { name: 'Speichern' }).click()
    const conflict = page.getByRole('dialog', { name: 'Inzwischen geändert' })
    await conflict.getByRole('radio', { name: /^Zustand, meine Eingabe/ }).check()
    // Without a line nothing is decided: the dialog says so and keeps what was chosen.
    await page.context().setOffline(true)
    await conflict.getByRole('button', { name: 'Auswahl speichern' }).click()
    await conflict.getByText('Ihre Auswahl ist noch nicht gespeichert').waitFor({ timeout: 60_000 })
    expect(await conflict.getByRole('radio', { name: /^Zustand, meine Eingabe/ }).isChecked()).toBe(true)
    expect(await stored()).toMatchObject({ zustand: 'stumpf' })
    await page.context().setOffline(false)
    complaints.splice(
      0,
      complaints.length,
      ...complaints.filter((line) => !line.includes('net::ERR_INTERNET')),
    )
    await conflict.getByRole('button', { name: 'Auswahl speichern' }).click()
    await page.getByText('Gespeichert.').waitFor()
    expect(await stored()).toMatchObject({ zustand: 'absterbend', hoehe_m: 28, bemerkung: 'abgebrochen' })

    // Uploads a photo from a file.
    const buffer = await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#557733' } })
      .jpeg()
      .toBuffer()
    await main
      .getByLabel('Fotos des Baums')
      .setInputFiles({ name: 'Stamm.jpg', mimeType: 'image/jpeg', buffer })
    await main.getByRole('button', { name: 'Foto 1 groß zeigen: Stamm.jpg' }).click()
    const large = page.getByRole('dialog', { name: 'Foto 1 von 1' })
    await large.getByRole('img', { name: /Stamm\.jpg$/ }).waitFor()
    await page.keyboard.press('Escape')

    // One that failed is nowhere else: leaving asks first.
    server.provokes(/status of 4\d\d/)
    await main
      .getByLabel('Fotos des Baums')
      .setInputFiles({ name: 'Brief.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<html>') })
    await main.getByText('Nicht hochgeladen').waitFor()
    await main.locator('a[href^="/habitatbaeume/index?fb="]').first().click()
    await page.locator('dialog[open]').getByRole('button', { name: 'Weiter bearbeiten' }).click()
    await main.getByRole('button', { name: 'Verwerfen' }).last().click()
    await main.getByText('Nicht hochgeladen').waitFor({ state: 'detached' })

    // A check-up in a later year.
    await main.getByRole('tab', { name: /Kontrollen/ }).click()
    await main.getByRole('button', { name: 'Kontrolle eintragen' }).click()
    const look = page.getByRole('dialog', { name: 'Kontrolle eintragen' })
    await look.getByRole('textbox', { name: 'Datum' }).fill('31.02.2026')
    await look.getByRole('button', { name: 'Eintragen' }).click()
    await look.getByText('Bitte ein Datum wie 31.12.2026.').waitFor()
    await look.getByRole('textbox', { name: 'Datum' }).fill('01.06.2026')
    await look.getByRole('combobox', { name: 'Ergebnis' }).selectOption('markierung_fehlt')
    await look.getByRole('button', { name: 'Eintragen' }).click()
    await main.getByRole('row').filter({ hasText: '01.06.2026' }).getByText('Markierung fehlt').waitFor()
    await main.getByRole('tab', { name: 'Verlauf' }).click()
    await main.getByText('abgebrochen').first().waitFor()

    // From the photos of all trees it links back to its tree.
    await page.goto('/habitatbaeume/index?suche=E2E&ansicht=fotos')
    const photoWall = main.getByRole('list', { name: 'Bäume mit Foto' })
    await photoWall.locator('img').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await photoWall.getByRole('link', { name: /^E2E 1/ }).click()
    await main.getByRole('button', { name: 'Foto 1 groß zeigen: Stamm.jpg' }).waitFor()

    // Found by its number, changed in bulk, and deleted.
    await page.goto('/habitatbaeume/index?suche=E2E')
    await main.getByRole('row').filter({ hasText: 'E2E 1' }).getByRole('checkbox').check()
    await main.getByRole('region', { name: 'Auswahl' }).getByRole('button', { name: 'Ändern' }).click()
    const many = page.getByRole('dialog', { name: '1 Habitatbaum ändern' })
    await many.getByRole('combobox', { name: 'Status' }).selectOption('anwaerter')
    await many.getByRole('combobox', { name: 'Markierung', exact: true }).selectOption('welle')
    await many.getByLabel('Adresse aller Bäume setzen').check()
    await many.getByLabel('Bestandsnummer').fill('12')
    await many.getByRole('button', { name: 'Ändern' }).click()
    await page.getByText('1 Habitatbaum ist geändert.').waitFor()
    expect(await stored()).toMatchObject({
      status: 'anwaerter',
      markierung_art: 'welle',
      iSTAND: 12,
      sLVL02: null,
    })
    await page.goto(`/habitatbaeume/${id}`)
    await main.getByRole('button', { name: 'Habitatbaum löschen' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Endgültig löschen' }).click()
    await page.getByText('E2E 1 · Rotbuche wurde gelöscht.').waitFor()
    expect(await stored()).toBeUndefined()
  }, 120_000)

  test('the map of a phone is whole, keeps the rules, and offers nobody what they may not do', async () => {
    const { page } = await server.visitor('ogf_standard', '/habitatbaeume/index?ansicht=karte', {
      viewport: { width: 390, height: 844 },
    })
    const main = page.getByRole('main')
    await main.getByText(/^\d+ Bäume auf der Karte$/).waitFor()
    const map = main.getByRole('region', { name: /^Karte der Habitatbäume von/ })
    await map.waitFor()
    expect(await brokenRules(page)).toEqual([])
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      'nothing sticks out',
    ).toBeLessThanOrEqual(0)
    expect(await main.getByRole('button', { name: 'Habitatbaum löschen' }).count()).toBe(0)
  })

  test('a customer’s admin reads and is offered nothing else', async () => {
    const { page } = await server.visitor('kundenadmin', '/habitatbaeume/index')
    const main = page.getByRole('main')
    await main.getByText(/: (?:\d+ Habitatbäume|1 Habitatbaum)$/).waitFor()
    const token = await tokenOf(page)
    const [first] = (await call(server.app, token, '/rest/habitatbaeume?select=id,idHQ&order=id&limit=1'))
      .json as Habitatbaum[]
    expect(await main.getByRole('button', { name: 'Neuer Habitatbaum' }).count()).toBe(0)
    expect(await main.getByRole('link', { name: 'Importieren' }).count()).toBe(0)
    // Selected trees can go into a report, but cannot be changed.
    await main.getByRole('row').nth(1).getByRole('checkbox').check()
    const selection = main.getByRole('region', { name: 'Auswahl' })
    await selection.getByRole('button', { name: 'PDF-Bericht' }).click()
    const dialog = page.getByRole('dialog', { name: 'PDF-Bericht' })
    await dialog.getByText('Liste mit Karte von 1 Habitatbaum:', { exact: false }).waitFor()
    await dialog.getByRole('button', { name: 'Abbrechen' }).click()
    expect(await selection.getByRole('button', { name: /^(?:Ändern|Löschen)$/ }).count()).toBe(0)
    // Without a photo, only people who may add one are asked to.
    await page.goto('/habitatbaeume/index?ansicht=fotos&suche=gibtesnicht')
    await main.getByText('Sobald die Personen des Forstbetriebs welche aufnehmen', { exact: false }).waitFor()
    expect(await main.getByText('um eines hochzuladen', { exact: false }).count()).toBe(0)
    if (first === undefined) return
    await page.goto(`/habitatbaeume/${first.id}`)
    await main.getByRole('tab', { name: /Kontrollen/ }).waitFor()
    expect(await main.getByRole('button', { name: /Speichern|löschen|Fotos wählen/ }).count()).toBe(0)
    await call(server.app, token, `/rest/habitatbaeume?id=eq.${first.id}`, { nummer: 'fremd' }, 'PATCH')
    const [after] = (await call(server.app, token, `/rest/habitatbaeume?id=eq.${first.id}`))
      .json as Habitatbaum[]
    expect(after).toBeDefined()
    expect(after?.nummer).not.toBe('fremd')
  })

  test('a file of trees tells its faults row by row, lies on the map before it is taken, comes in once', async () => {
    const { page } = await server.visitor('ogf_standard', '/habitatbaeume/index')
    const main = page.getByRole('main')
    await main.getByRole('link', { name: 'Importieren' }).click()
    const token = await tokenOf(page)
    const [sample] = (await call(server.app, token, '/rest/habitatbaeume?select=lon,lat&order=id&limit=1'))
      .json as Habitatbaum[]
    const give = async (diameter: string, ...more: string[]) => {
      const rows = [
        `E2E-I1;Rotbuche;${diameter};${sample!.lon};${sample!.lat}`,
        `E2E-I2;TEi;70;${sample!.lon + 0.0002};${sample!.lat}`,
        ...more,
      ]
      const buffer = Buffer.from(['Nummer;Baumart;BHD;Länge;Breite', ...rows].join('\n'))
      await page
        .getByLabel('Importdatei')
        .setInputFiles({ name: 'Bäume 2026.csv', mimeType: 'text/csv', buffer })
      const missing = (fields: string) => main.getByText(`Bitte wählen Sie noch: ${fields}.`).waitFor()
      await main.getByLabel('Spalte mit dem Ostwert (Bäume 2026)').selectOption('Länge')
      await main.getByLabel('Spalte mit dem Nordwert (Bäume 2026)').selectOption('')
      await missing('Koordinatensystem (Bäume 2026), Spalte mit dem Nordwert (Bäume 2026)')
      await main.getByLabel('Spalte mit dem Nordwert (Bäume 2026)').selectOption('Breite')
      await missing('Koordinatensystem (Bäume 2026)')
      await main.getByLabel('Koordinatensystem (Bäume 2026)').selectOption('4326')
      expect(await main.getByLabel('Zeichensatz (Bäume 2026)').inputValue()).toBe('utf-8')
      expect(await main.getByLabel('Feld für die Spalte Baumart').inputValue()).toBe('art')
      await main.getByRole('button', { name: 'Weiter zur Prüfung' }).click()
    }
    await give('dick')
    await main.getByRole('row').filter({ hasText: '„dick“: Hier wird eine Zahl erwartet.' }).waitFor()
    expect(await main.getByRole('button', { name: 'Jetzt importieren' }).isDisabled()).toBe(true)
    await main.getByText('mit Fehler (1)').waitFor()
    await main.getByRole('button', { name: 'Zurück zur Zuordnung' }).click()
    await main.getByRole('button', { name: 'Andere Datei' }).click()
    // One that is far from the others is named, and waits for a word.
    const west = sample!.lon > 10 ? sample!.lon - 3 : sample!.lon + 3
    await give('62,5', `E2E-I3;Rotbuche;40;${west};${sample!.lat}`)
    await main.getByText('(Objekte: 1 von 3)', { exact: false }).waitFor()
    await main.getByRole('listitem').filter({ hasText: 'Bäume 2026, Zeile 3 (E2E-I3): ' }).waitFor()
    expect(await main.getByRole('button', { name: 'Jetzt importieren' }).isDisabled()).toBe(true)
    expect(await brokenRules(page)).toEqual([])
    await main.getByLabel('Ja, die Daten liegen dort').check()
    expect(await main.getByRole('button', { name: 'Jetzt importieren' }).isEnabled()).toBe(true)
    await main.getByRole('button', { name: 'Zurück zur Zuordnung' }).click()
    await main.getByRole('button', { name: 'Andere Datei' }).click()
    await give('62,5')
    await main.getByRole('heading', { name: 'Alle Zeilen sind in Ordnung' }).waitFor()
    // The button is gone; the keyboard goes on from the step.
    expect(await page.locator(':focus').innerText()).toBe('Prüfen')
    // The file is in the browser alone.
    await main.getByRole('link', { name: 'Zu den Habitatbäumen' }).click()
    await page.getByRole('button', { name: 'Weiter bearbeiten' }).click()
    const map = main.getByRole('region', { name: 'Karte der Bäume aus der Datei' })
    await map.focus()
    await expect
      .poll(
        async () => (await page.keyboard.press('Enter'), main.getByText(/^Zeile [12]: neu, E2E-I/).count()),
        { timeout: 20_000 },
      )
      .toBe(1)
    expect(await brokenRules(page)).toEqual([])
    await main.getByRole('button', { name: 'Jetzt importieren' }).click()
    await main.getByRole('heading', { name: 'Der Import ist fertig' }).waitFor()
    const found = async () =>
      (
        await call(
          server.app,
          token,
          '/rest/habitatbaeume?select=bhd_cm,art,lage_methode&nummer=like.E2E-I*&order=nummer',
        )
      ).json
    expect(await found()).toEqual([
      { bhd_cm: 62.5, art: 'bu', lage_methode: 'import' },
      { bhd_cm: 70, art: 'tei', lage_methode: 'import' },
    ])
    await main.getByRole('button', { name: 'Weitere Datei' }).click()
    await give('62,5')
    await main.getByText('Alles in dieser Datei ist schon da.', { exact: false }).waitFor()
    expect(await main.getByRole('button', { name: 'Jetzt importieren' }).isDisabled()).toBe(true)
  }, 90_000)
})
