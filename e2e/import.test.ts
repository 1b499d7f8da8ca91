// Importing customers as an office does: a file with errors, the corrected one, and a large one.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { generateImportFile } from '../db/seeds/import-file.ts'
import { hasBrowser } from './browser.ts'
import { oneServer } from './one-server.ts'

const now = new Date()
const CSV = 'text/csv'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

describe.skipIf(!hasBrowser())('import of customers', () => {
  const house = oneServer()
  const visitImport = async (): Promise<Page> => {
    const { page } = await house.visitor('ogf_admin', '/kunden/import')
    await page.getByRole('heading', { name: 'Kunden importieren' }).waitFor()
    return page
  }
  const choose = (page: Page, name: string, mimeType: string, bytes: Uint8Array) =>
    page.getByLabel('Importdatei').setInputFiles({ name, mimeType, buffer: Buffer.from(bytes) })

  test('a file with faults is told row by row and imports nothing; left out of it, the rest is imported', async () => {
    const page = await visitImport()
    // With this seed, no customer exists in the trial.
    const file = generateImportFile({ rows: 400, faults: 36, seed: 13, now })
    await choose(page, 'kunden.csv', CSV, file.csv('windows-1252'))
    await page.getByText('Zeilen: 400, Windows-1252, Trennzeichen Semikolon.').waitFor()
    await page.getByRole('button', { name: 'Weiter zur Prüfung' }).click()
    await page.getByText('Fehler: 30, Warnungen: 6').waitFor()
    expect(await page.locator(':focus').innerText()).toBe('Prüfen')
    expect(await page.getByRole('button', { name: /Forstbetriebe importieren/ }).isDisabled()).toBe(true)

    await page.getByRole('button', { name: 'Nächster Hinweis' }).click()
    const [first] = file.planted
    await page.getByRole('heading', { name: `Zeile ${first?.zeile}`, exact: true }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Hinweise als CSV' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8'))
      .replace(/^\uFEFF/, '')
      .trim()
      .split('\r\n')
    expect(lines).toHaveLength(37)
    expect(lines[0]).toBe('Zeile;Feld;Stufe;Art;Meldung')

    const clean = generateImportFile({ rows: 400, faults: 0, seed: 13, now })
    await page.getByRole('button', { name: 'Andere Datei' }).click()
    await choose(page, 'kunden-neu.csv', CSV, clean.csv('utf-8'))
    await page.getByText('Die Zuordnung stammt von Ihrem letzten Import').waitFor()
    await page.getByRole('button', { name: 'Weiter zur Prüfung' }).click()
    await page.getByText('Alles in Ordnung').waitFor()
    await page.getByRole('button', { name: '400 Forstbetriebe importieren' }).click()
    await page.getByText('Angelegte Kunden: 100, Forstbetriebe: 400.').waitFor()
    await page
      .getByRole('link', { name: clean.rows[0]?.[0] ?? '' })
      .first()
      .click()
    await page.waitForURL(/\/kunden\/\d+$/)
    await page
      .getByRole('heading', { name: clean.rows[0]?.[0] ?? '' })
      .first()
      .waitFor()

    await page.goto('/kunden/import')
    await choose(page, 'noch-einmal.csv', CSV, clean.csv('utf-8'))
    await page.getByRole('button', { name: 'Weiter zur Prüfung' }).click()
    await page.getByText('Fehler: 400, Warnungen: 0').waitFor()
    await page.getByLabel('Was schon da ist').selectOption('ueberspringen')
    await page.getByText('400 doppelte Zeilen bleiben weg.').waitFor()
  })

  test('PLZ that lost their zero and missing Orte are filled in on click', async () => {
    const page = await visitImport()
    const text =
      'Kunde;Straße;PLZ;Ort\r\nForstbetrieb Nullverlust;Waldweg 1;1067;\r\nForstbetrieb Zwei;Weg 2;04103;Leipzig\r\n'
    await choose(page, 'ohne-null.csv', CSV, Buffer.from(text))
    await page.getByRole('button', { name: 'Weiter zur Prüfung' }).click()
    await page.getByText('Fehler: 2, Warnungen: 0').waitFor()
    await page.getByRole('link', { name: 'OpenStreetMap' }).waitFor()
    await page.getByRole('button', { name: 'PLZ übernehmen (Zeilen: 1)' }).click()
    await page.getByRole('button', { name: 'Ort übernehmen (Zeilen: 1)' }).click()
    await page.getByRole('button', { name: 'Bundesland übernehmen (Zeilen: 2)' }).click()
    await page.getByText('Alles in Ordnung').waitFor()
    await page.getByLabel('nur Zeilen mit Hinweisen').uncheck()
    await page.getByRole('cell', { name: 'Dresden' }).waitFor()
    await page.getByRole('cell', { name: 'Sachsen' }).first().waitFor()
  })

  test('files that cannot be read are told apart', async () => {
    const page = await visitImport()
    await choose(page, 'bild.csv', CSV, new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]))
    await page.getByText('Das ist keine Tabelle.').waitFor()
    await choose(page, 'leer.xlsx', XLSX, new Uint8Array(0))
    await page.getByText('Die Datei ist leer.').waitFor()
    await choose(
      page,
      'halb.xlsx',
      XLSX,
      (await generateImportFile({ rows: 50, faults: 0, seed: 1, now }).xlsx()).slice(0, 3000),
    )
    await page.getByText('Die Datei ist beschädigt').waitFor()
  })

  test('2,000 rows from Excel, from the click to the report', async () => {
    const page = await visitImport()
    const file = generateImportFile({ rows: 2000, faults: 0, seed: 5, now })
    await choose(page, 'alle.xlsx', XLSX, await file.xlsx())
    await page.getByText('Zeilen: 2.000, aus dem Blatt').waitFor()
    await page.getByRole('button', { name: 'Weiter zur Prüfung' }).click()
    // With 1,000 names, some customers already exist in the trial.
    await page.getByLabel('Was schon da ist').selectOption('ueberspringen')
    const skipped = /([\d.]+) doppelte Zeilen bleiben weg/.exec(
      (await page.getByText('doppelte Zeilen bleiben weg').textContent()) ?? '',
    )?.[1]
    const wanted = 2000 - Number((skipped ?? '').replaceAll('.', ''))
    expect(wanted).toBeGreaterThan(1000)
    const started = performance.now()
    await page
      .getByRole('button', { name: `${wanted.toLocaleString('de-DE')} Forstbetriebe importieren` })
      .click()
    await page.getByText(`Forstbetriebe: ${wanted.toLocaleString('de-DE')}.`).waitFor({ timeout: 60_000 })
    console.log(
      `import of 2,000 rows in the browser, embedded engine: ${((performance.now() - started) / 1000).toFixed(1)} s`,
    )
  }, 120_000)
})
