// Offers: written, issued, decided with a choice of optional lines, billed in part and then completely, and
// revised.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

const LIST = '/buchhaltung/angebote'
const POSITIONS = [
  { art: 'ueberschrift', bez: 'Aufnahme' },
  { bez: 'Gräben vermessen', anzahl: '10', einheit: 'ha', ep: '100' },
  { bez: 'Schächte aufnehmen', anzahl: '4', einheit: 'Stk', ep: '25.50' },
  { art: 'optional', bez: 'Luftbild', anzahl: '1', einheit: 'psch', ep: '300' },
]

describe.skipIf(!hasBrowser())('offers', () => {
  const house = oneServer({
    // The browser logs refusals that the test provokes.
    asked: /status of (409|400)/,
  })
  const visit = (path: string): Promise<Page> => house.visit('apus_admin', path)
  const ask = async (page: Page, name: string, body: object) =>
    call(house.app, await tokenOf(page), `/rest/rpc/${name}`, body)
  const details = async (page: Page, id: string) =>
    ((await ask(page, 'a_get_offer_details', { offer_id: id })).json as [Record<string, unknown>])[0]

  test('from the draft to the last invoice over it', async () => {
    const page = await visit(`${LIST}/angebot/new/41`)
    await ask(page, 'a_set_lieferant', {
      werte: {
        name: 'Waldvermessung Muster GmbH',
        strasse: 'Forstweg 1',
        plz: '37073',
        ort: 'Göttingen',
        ust_id: 'DE136695976',
        ansprechpartner: 'Erika Muster',
        telefon: '0551 123456',
        mail: 'rechnung@muster.example',
        iban: 'DE02120300000000202051',
      },
    })
    await page.getByRole('button', { name: 'Entwurf anlegen' }).click()
    await page.getByRole('heading', { name: 'Angebot schreiben' }).waitFor()
    const id = /update\/(\d+)/.exec(page.url())![1]!
    expect((await ask(page, 'a_save_positions', { angebot_id: id, positionen: POSITIONS })).status).toBe(200)
    await page.reload()
    await page.getByRole('gridcell', { name: 'Luftbild' }).waitFor()
    expect(await page.getByLabel('Summen', { exact: true }).textContent()).toMatch(/Netto1\.102,00/)
    expect(await brokenRules(page)).toEqual([])
    await page.getByLabel('Chance').fill('60')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Gespeichert.').waitFor()
    await page.getByRole('button', { name: 'Ausstellen' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Endgültig ausstellen' }).click()
    await page.getByRole('heading', { name: /^Angebot AN-2026-\d{4}$/ }).waitFor()
    expect(await brokenRules(page)).toEqual([])
    expect(await details(page, id)).toMatchObject({ status: 'versendet', chance: 60 })

    await page.getByRole('button', { name: 'Entscheidung eintragen' }).click()
    const decision = page.getByRole('dialog', { name: 'Entscheidung eintragen' })
    await decision.getByRole('button', { name: 'Eintragen' }).click()
    await decision.getByText('Diese Angabe fehlt.').waitFor()
    await decision.getByLabel('Wer hat entschieden?').fill('Frau Holz, telefonisch')
    await decision.getByRole('checkbox', { name: /Luftbild/ }).check()
    expect(await brokenRules(page)).toEqual([])
    await decision.getByRole('button', { name: 'Eintragen' }).click()
    await page.getByText('Die Entscheidung ist eingetragen.').waitFor()
    expect(await details(page, id)).toMatchObject({
      status: 'angenommen',
      entschieden_als: 'intern',
      entscheidung: expect.stringMatching(/^Frau Holz, telefonisch/) as string,
    })

    // Partial: four of ten hectares, and nothing else.
    await page.getByRole('button', { name: 'In Rechnung stellen' }).click()
    const billing = page.getByRole('dialog', { name: 'In Rechnung stellen' })
    const sum = async () =>
      (await billing.getByLabel('Summen', { exact: true }).locator('dd').allTextContents())[0]?.replaceAll(
        '\u00a0',
        ' ',
      )
    await expect.poll(sum).toBe('1.402,00 €')
    await billing.getByLabel('Anteil des Angebots').fill('30')
    expect(await billing.getByLabel('Menge für Schächte aufnehmen').inputValue()).toBe('1,2')
    await expect.poll(sum).toBe('420,60 €')
    await billing.getByRole('button', { name: 'Alles Übrige' }).click()
    await billing.getByLabel('Menge für Gräben vermessen').fill('12')
    await billing.getByText('Es wird mehr abgerechnet als angeboten').waitFor()
    await expect.poll(sum).toBe('1.602,00 €')
    await billing.getByRole('button', { name: 'Rechnungsentwurf anlegen' }).click()
    await billing.getByText('Bitte bestätigen oder die Menge verringern.').waitFor()
    await billing.getByRole('button', { name: 'Keine' }).click()
    await billing.getByText('Bitte mindestens eine Menge eintragen.').waitFor()
    await billing.getByLabel('Menge für Gräben vermessen').fill('4')
    await expect.poll(sum).toBe('400,00 €')
    await billing.getByLabel('Leistung am oder ab').fill('2.11.2026')
    expect(await brokenRules(page)).toEqual([])
    await billing.getByRole('button', { name: 'Rechnungsentwurf anlegen' }).click()
    await page.getByRole('heading', { name: 'Rechnung schreiben' }).waitFor()
    await page.getByRole('gridcell', { name: 'Gräben vermessen' }).waitFor()
    expect(await page.getByLabel('Summen', { exact: true }).textContent()).toMatch(/Netto400,00/)
    expect(await page.getByRole('gridcell', { name: 'Schächte aufnehmen' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Ausstellen' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Endgültig ausstellen' }).click()
    await page.getByRole('heading', { name: /^Rechnung RE-2026-\d{4}$/ }).waitFor()
    expect((await details(page, id))['stand']).toBe('teilabgerechnet')

    // The dialog proposes what is left.
    await page.getByRole('link', { name: 'Angebot', exact: true }).last().click()
    await page.getByRole('button', { name: 'In Rechnung stellen' }).click()
    expect(await billing.getByLabel('Menge für Gräben vermessen').inputValue()).toBe('6')
    await billing.getByRole('button', { name: 'Abbrechen' }).click()
    const billed = page.getByLabel('Rechnungen zu diesem Angebot')
    await billed.getByRole('link', { name: /^RE-2026-/ }).waitFor()
    await expect
      .poll(async () => (await billed.getByRole('listitem').last().textContent())?.replaceAll('\u00a0', ' '))
      .toBe('Netto in Rechnungen400,00 €')
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'In Rechnung stellen' }).click()
    await billing.getByLabel('Menge für Gräben vermessen').waitFor()
    await billing.getByRole('button', { name: 'Rechnungsentwurf anlegen' }).click()
    await page.getByRole('heading', { name: 'Rechnung schreiben' }).waitFor()
    await expect
      .poll(() => page.getByLabel('Summen', { exact: true }).textContent())
      .toMatch(/Netto1\.002,00/)
    await page.getByLabel('Leistung am oder ab').fill('20.11.2026')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Gespeichert.').waitFor()
    await page.getByRole('button', { name: 'Ausstellen' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Endgültig ausstellen' }).click()
    await page.getByRole('heading', { name: /^Rechnung RE-2026-\d{4}$/ }).waitFor()
    // After the final invoice nothing is left, and nothing more can be billed.
    await page.getByRole('link', { name: 'Angebot', exact: true }).last().click()
    await page.getByText('Abgerechnet', { exact: true }).first().waitFor()
    await expect.poll(() => billed.getByRole('link').count()).toBe(2)
    await expect
      .poll(async () => (await billed.getByRole('listitem').last().textContent())?.replaceAll('\u00a0', ' '))
      .toBe('Netto in Rechnungen1.402,00 €')
    await expect.poll(() => page.getByRole('button', { name: 'In Rechnung stellen' }).count()).toBe(0)
  })

  test('a revision replaces the offer; the issued one stays as it is', async () => {
    const page = await visit(LIST)
    const id = String(
      (await ask(page, 'a_add_offer', { client_id: 41, an_datum: null, ust_satz: '19' })).json,
    )
    await ask(page, 'a_save_positions', { angebot_id: id, positionen: POSITIONS })
    expect((await ask(page, 'a_issue_offer', { offer_id: id })).status).toBe(200)
    await page.goto(`${house.app.origin}${LIST}/angebot/${id}`)
    await page.getByRole('button', { name: 'Neue Fassung' }).click()
    const revise = page.getByRole('alertdialog', { name: 'Neue Fassung beginnen?' })
    await revise.getByText(/^Diese Fassung gilt dann als ersetzt: Der Kunde kann sie nicht mehr/).waitFor()
    expect((await details(page, id))['stand']).toBe('versendet')
    await revise.getByRole('button', { name: 'Neue Fassung beginnen' }).click()
    await page.getByRole('heading', { name: 'Angebot schreiben' }).waitFor()
    await page.getByRole('gridcell', { name: 'Luftbild' }).waitFor()
    expect((await details(page, id))['stand']).toBe('ersetzt')
    expect((await ask(page, 'a_save_positions', { angebot_id: id, positionen: [] })).status).toBe(409)
    await page.goto(`${house.app.origin}${LIST}/angebot/update/${id}`)
    await page.getByText('Dieses Angebot ist ausgestellt').waitFor()
  })
})
