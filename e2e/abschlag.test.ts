// An order billed by advances and a final invoice: written, refused where it has to be, paid, taken off.
import { officeDay } from '#server/office-day.ts'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

const OFFERS = '/buchhaltung/angebote/angebot'
const INVOICES = '/buchhaltung/rechnungen'
const TODAY = officeDay(new Date())
const plain = (text: string | null) => (text ?? '').replaceAll('\u00a0', ' ')

describe.skipIf(!hasBrowser())('advances', () => {
  const house = oneServer({
    // The browser logs refusals that the test provokes.
    asked: /status of (409|400)/,
  })
  const visit = (path: string): Promise<Page> => house.visit('apus_admin', path)
  const ask = async <T>(page: Page, name: string, body: object): Promise<T> => {
    const { status, json } = await call(house.app, await tokenOf(page), `/rest/rpc/${name}`, body)
    expect([200, 204], `${name} ${JSON.stringify(json)}`).toContain(status)
    return json as T
  }
  const order = async (page: Page): Promise<string> => {
    await ask(page, 'a_set_lieferant', {
      werte: {
        name: 'Waldvermessung Muster GmbH',
        strasse: 'Forstweg 1',
        plz: '37073',
        ort: 'Göttingen',
        ust_id: 'DE136695976',
        iban: 'DE02120300000000202051',
      },
    })
    const id = String(
      await ask<number>(page, 'a_add_offer', { client_id: '41', an_datum: TODAY, ust_satz: 19 }),
    )
    await ask(page, 'a_save_positions', {
      angebot_id: id,
      positionen: [{ bez: 'Gräben vermessen', anzahl: '10', einheit: 'ha', ep: '100' }],
    })
    await ask(page, 'a_issue_offer', { offer_id: id })
    await ask(page, 'a_decide_offer', { offer_id: id, angenommen: true, wer: 'Frau Holz' })
    return id
  }
  const issue = async (page: Page) => {
    await page.getByRole('button', { name: 'Ausstellen' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Endgültig ausstellen' }).click()
  }

  test('from the advance to the final invoice that takes it off', async () => {
    const page = await visit(INVOICES)
    const offer = await order(page)
    await page.goto(`${house.app.origin}${OFFERS}/${offer}`)
    await page.getByRole('button', { name: 'Abschlagsrechnung schreiben' }).click()
    const dialog = page.getByRole('dialog', { name: 'Abschlagsrechnung schreiben' })
    await dialog.getByRole('button', { name: 'Entwurf anlegen' }).click()
    await dialog.getByText('Bitte einen Anteil oder einen Betrag eintragen.').waitFor()
    await dialog.getByLabel('Anteil am Auftrag').fill('30')
    expect(await dialog.getByLabel('Netto zu 19 % USt').inputValue()).toBe('300,00')
    await dialog.getByText(/brutto 357,00/).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Entwurf anlegen' }).click()
    await page.getByRole('heading', { name: 'Abschlagsrechnung schreiben' }).waitFor()
    await page.getByRole('gridcell', { name: /^Abschlag von 30/ }).waitFor()
    expect(await page.getByLabel('Anzahlung, brutto').count()).toBe(0)
    expect(await brokenRules(page)).toEqual([])
    await issue(page)
    await page.getByRole('heading', { name: /^Abschlagsrechnung RE-2026-\d{4}$/ }).waitFor()
    await page.waitForURL(/rechnung\/\d+$/)
    const advance = /rechnung\/(\d+)/.exec(page.url())![1]!
    expect(await brokenRules(page)).toEqual([])

    await page.goto(`${house.app.origin}${OFFERS}/${offer}`)
    await page.getByText('Erhaltene Abschläge, brutto').waitFor()
    await page.getByRole('button', { name: 'Schlussrechnung schreiben' }).click()
    const final = page.getByRole('dialog', { name: 'Schlussrechnung schreiben' })
    await final.getByText(/Die Schlussrechnung setzt ab/).waitFor()
    await final.getByLabel('Leistung am oder ab').fill('2.11.2026')
    await final.getByRole('button', { name: 'Rechnungsentwurf anlegen' }).click()
    await page.getByRole('heading', { name: 'Schlussrechnung schreiben' }).waitFor()
    await issue(page)
    await page.getByText(/Auf die Abschlagsrechnung RE-2026-\d{4} ist noch nichts eingegangen/).waitFor()

    await ask(page, 'a_add_payment', { rechnung_id: advance, datum: TODAY, betrag: '357.00' })
    await page.reload()
    await page.getByRole('gridcell', { name: 'Gräben vermessen' }).waitFor()
    await expect
      .poll(async () => plain(await page.getByLabel('Summen', { exact: true }).textContent()))
      .toMatch(/-357,00 €Zu zahlen833,00 €/)
    await issue(page)
    await page.getByRole('heading', { name: /^Schlussrechnung RE-2026-\d{4}$/ }).waitFor()
    const table = page.getByRole('table', { name: 'Abgesetzte Abschläge' })
    await table.getByRole('row', { name: /Es verbleiben/ }).waitFor()
    expect(plain(await table.getByRole('row', { name: /Es verbleiben/ }).textContent())).toMatch(
      /19 %700,00 €133,00 €833,00 €/,
    )
    expect(await brokenRules(page)).toEqual([])

    await page.goto(`${house.app.origin}${INVOICES}/rechnung/${advance}`)
    await page.getByText('Verrechnet mit').waitFor()
    expect(await page.getByRole('button', { name: 'Stornieren' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Zahlung eintragen' }).count()).toBe(0)
    await page.goto(`${house.app.origin}${INVOICES}?art=abschlag`)
    await page.getByRole('row', { name: /Abschlagsrechnung/ }).waitFor()
    expect(await page.getByRole('row', { name: /Schlussrechnung/ }).count()).toBe(0)
    expect(await brokenRules(page)).toEqual([])
  })
})
