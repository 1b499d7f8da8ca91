// Settings of the bookkeeping: templates and text blocks, from the first one to the archive.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

const PATH = '/buchhaltung/einstellungen'

describe.skipIf(!hasBrowser())('settings of the bookkeeping', () => {
  const house = oneServer({
    // The server refuses with 400 or 409, which the browser logs.
    asked: /status of 40[09]/,
  })
  const visit = async (query = ''): Promise<Page> => {
    const visitor = await house.visitor('apus_admin', PATH + query)
    await visitor.page.getByRole('heading', { name: 'Einstellungen', level: 1 }).waitFor()
    return visitor.page
  }

  test('a template is made, refused if its name is taken, changed in a conflict, archived and deleted', async () => {
    const page = await visit('?teil=vorlagen')
    const token = await tokenOf(page)
    await page.getByRole('button', { name: 'Positionsvorlage anlegen' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Positionsvorlage anlegen' })
    await dialog.getByRole('button', { name: 'Anlegen' }).click()
    expect(await dialog.getByText('Diese Angabe fehlt.').count()).toBe(3)
    await dialog.getByLabel('Bezeichnung').fill('Probe einmessen')
    await dialog.getByLabel('Einheit').fill('m')
    await dialog.getByLabel('Preis netto').fill('0,12345')
    await dialog.getByText('Höchstens 4 Stellen nach dem Komma.').waitFor()
    await dialog.getByLabel('Preis netto').fill('0,1234')
    await dialog.getByLabel('Gruppe').fill('Probe')
    await dialog.getByRole('textbox', { name: 'Erläuterung', exact: true }).fill('mit\nzwei Zeilen')
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Anlegen' }).click()
    await page.getByText('Die Positionsvorlage wurde angelegt.').waitFor()
    await page.getByText('0,1234').waitFor()
    expect(await brokenRules(page)).toEqual([])

    await page.getByRole('button', { name: 'Positionsvorlage anlegen' }).first().click()
    await dialog.getByLabel('Bezeichnung').fill('probe EINMESSEN')
    await dialog.getByLabel('Einheit').fill('m')
    await dialog.getByLabel('Preis netto').fill('1')
    await dialog.getByLabel('Gruppe').fill('probe')
    await dialog.getByRole('button', { name: 'Anlegen' }).click()
    // Shown at the field, not only in the notice above.
    await dialog.locator('.field-error', { hasText: 'gibt es in dieser Gruppe schon' }).waitFor()
    await dialog.getByRole('button', { name: 'Abbrechen' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Verwerfen' }).click()

    await page.getByRole('button', { name: 'Probe einmessen bearbeiten' }).click()
    const editing = page.getByRole('dialog', { name: 'Probe einmessen bearbeiten' })
    await editing.getByLabel('Preis netto').fill('3')
    const own = async () =>
      (
        (await call(house.app, token, '/rest/rpc/a_get_position_tmpl', { mit_archiv: true })).json as {
          id: number
          bez: string
        }[]
      ).find(({ bez }) => bez === 'Probe einmessen')
    const row = await own()
    await call(house.app, token, '/rest/rpc/a_save_position_tmpl', {
      id: row?.id,
      bez: 'Probe einmessen',
      einheit: 'ha',
      ep: '2',
    })
    await editing.getByRole('button', { name: 'Speichern' }).click()
    await editing.getByText('Speichern ersetzt diese Fassung').waitFor()
    await editing.getByRole('button', { name: 'Diese Fassung übernehmen' }).click()
    expect(await editing.getByLabel('Einheit').inputValue()).toBe('ha')
    await editing.getByLabel('Preis netto').fill('4,5')
    await editing.getByRole('button', { name: 'Speichern' }).click()
    await editing.waitFor({ state: 'hidden' })
    expect(await own()).toMatchObject({ einheit: 'ha', ep: '4.5000', version: 3 })

    await page.getByRole('button', { name: 'Probe einmessen archivieren' }).click()
    await page.getByText('Probe einmessen wurde archiviert.').waitFor()
    await page.getByRole('button', { name: 'Probe einmessen bearbeiten' }).waitFor({ state: 'detached' })
    await page.getByRole('switch', { name: 'Archivierte zeigen' }).click()
    await page.waitForURL(/archiv=ja/)
    await page.getByRole('button', { name: 'Probe einmessen löschen' }).click()
    await page
      .getByRole('alertdialog', { name: 'Positionsvorlage löschen?' })
      .getByRole('button', { name: 'Löschen' })
      .click()
    await page.getByText('Probe einmessen wurde gelöscht.').waitFor()
    expect(await own()).toBeUndefined()
  })

  test('a text block with placeholders: the unknown are named at the field, the known shown filled in', async () => {
    const page = await visit()
    await page.getByRole('tab', { name: 'Textbausteine' }).click()
    await page.getByRole('button', { name: 'Textbaustein anlegen' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Textbaustein anlegen' })
    await dialog.getByLabel('Art').selectOption('mail')
    await dialog.getByLabel('Titel').fill('Probe senden')
    await dialog.getByRole('textbox', { name: 'Text', exact: true }).fill('Guten Tag {vorname}, ')
    await dialog.getByRole('button', { name: 'Anlegen' }).click()
    await dialog.getByText('Kein Platzhalter: {vorname}.').waitFor()
    await dialog.getByRole('textbox', { name: 'Text', exact: true }).fill('Anbei ')
    await dialog.getByRole('button', { name: '{nummer}' }).click()
    await dialog.getByText('Anbei RE-2026-0042').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Anlegen' }).click()
    await page.getByText('Der Textbaustein wurde angelegt.').waitFor()
    await page.getByText('Anbei {nummer}').waitFor()
    await page.getByRole('button', { name: 'Probe senden bearbeiten' }).waitFor()
    expect(await brokenRules(page)).toEqual([])
    const token = await tokenOf(page)
    expect(
      await call(house.app, token, '/rest/rpc/a_save_freitext', { art: 'mail', titel: 'x', text: '{x}' }),
    ).toMatchObject({
      status: 400,
      json: { hint: 'platzhalter' },
    })
  })

  test('the company: wrong numbers are told at their fields, a conflict field by field, the logo checked', async () => {
    const page = await visit()
    const token = await tokenOf(page)
    const form = page.getByRole('form', { name: 'Unternehmen' })
    await form.getByLabel('Firma').fill('Vermessung Probe GmbH')
    await form.getByLabel('Straße und Hausnummer').fill('Lindenweg 3')
    await form.getByLabel('PLZ').fill('17033')
    await form.getByRole('textbox', { name: 'Ort', exact: true }).fill('Neubrandenburg')
    await form.getByLabel('IBAN').fill('DE02 1203 0000 0000 2020 52')
    await form.getByRole('button', { name: 'Speichern' }).click()
    await form.getByText('Diese IBAN stimmt nicht.').waitFor()
    await form.getByLabel('IBAN').fill('DE02 1203 0000 0000 2020 51')
    await form.getByLabel('Zahlungsziel').fill('21')
    await form.getByLabel('Erlöskonten').fill('S 19.00 = 8400')
    await form.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Gespeichert.').waitFor()
    const stored = async () =>
      ((await call(house.app, token, '/rest/lieferant')).json as Record<string, unknown>[])[0]
    expect(await stored()).toMatchObject({
      name: 'Vermessung Probe GmbH',
      iban: 'DE02120300000000202051',
      zahlungsziel: 21,
      datev_erloeskonten: { 'S 19.00': '8400' },
    })
    expect(await brokenRules(page)).toEqual([])

    await form.getByLabel('Telefon').fill('0395 1')
    await form.getByRole('textbox', { name: 'Ort', exact: true }).fill('Neustrelitz')
    await call(house.app, token, '/rest/rpc/a_set_lieferant', {
      werte: { ort: 'Waren', webseite: 'probe.test' },
    })
    await form.getByRole('button', { name: 'Speichern' }).click()
    const conflict = page.getByRole('dialog', { name: 'Inzwischen geändert' })
    await conflict.getByText('Waren').waitFor()
    await conflict.getByRole('button', { name: 'Überall meine Werte' }).click()
    await conflict.getByRole('radio', { name: /Webseite, jetzt gespeichert/ }).check()
    await conflict.getByRole('button', { name: 'Auswahl speichern' }).click()
    await conflict.waitFor({ state: 'hidden' })
    expect(await stored()).toMatchObject({ ort: 'Neustrelitz', telefon: '0395 1', webseite: 'probe.test' })

    const file = page.locator('input[type=file]')
    await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('kein Bild') })
    await page.getByText('Das ist weder ein PNG noch ein JPEG noch ein SVG.').waitFor()
    const svg = (inner: string) =>
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">${inner}</svg>`)
    await file.setInputFiles({
      name: 'a.svg',
      mimeType: 'image/svg+xml',
      buffer: svg('<script>alert(1)</script>'),
    })
    await page.getByText('Dieses SVG enthält Skripte').waitFor()
    await file.setInputFiles({
      name: 'a.svg',
      mimeType: 'image/svg+xml',
      buffer: svg('<circle cx="5" cy="5" r="4"/>'),
    })
    await page.getByText('Das Logo wurde gespeichert.').waitFor()
    await page.getByRole('img', { name: 'Das Logo der Belege' }).waitFor()
    expect(await stored()).toMatchObject({ logo_typ: 'image/svg+xml' })
    await page.getByRole('button', { name: 'Logo entfernen' }).click()
    await page.getByText('Das Logo wurde entfernt.').waitFor()
    expect(await stored()).toMatchObject({ logo_typ: null })
  })

  test('number ranges show the next number, and a pattern without a number is refused', async () => {
    const page = await visit('?teil=nummern')
    await page.getByRole('button', { name: 'Rechnungsnummern bearbeiten' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rechnungsnummern' })
    await dialog.getByLabel('Muster').fill('R{JJ}')
    await dialog.getByRole('button', { name: 'Speichern' }).click()
    await dialog.getByText('Das Muster braucht genau eine Stelle für die Zahl').waitFor()
    await dialog.getByLabel('Muster').fill('R{JJ}/{NNNNN}')
    await dialog.getByText(/R\d\d\/\d{5}/).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Speichern' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText(/^R\d\d\/\d{5}$/).waitFor()
    expect(await brokenRules(page)).toEqual([])
  })
})
