// Files that go with an invoice: uploaded to a draft, named, issued, read on the sheet; the customer saves them.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { LIEFERANT } from './lieferant.ts'
import { oneServer } from './one-server.ts'

/** The customer of appuser_admin. */
const KUNDE = 2
const CSV = 'Bestand;ha\n12 a;3,5\n'

describe.skipIf(!hasBrowser())('attachments of an invoice', () => {
  const house = oneServer({ asked: /status of 40[04]/ })
  const rpc = async <T>(page: Page, name: string, body: object): Promise<T> => {
    const answer = await call(house.app, await tokenOf(page), `/rest/rpc/${name}`, body)
    expect([name, answer.status]).toEqual([name, 200])
    return answer.json as T
  }
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

  test('from the upload to the customer', async () => {
    const page = await house.visit('apus_admin', '/buchhaltung/rechnungen/index')
    await rpc(page, 'a_set_lieferant', { werte: LIEFERANT })
    const today = new Date().toISOString().slice(0, 10)
    const id = await rpc<number>(page, 'a_add_invoice', { client_id: KUNDE, rn_datum: today, le_date: today })
    await rpc(page, 'a_insert_position', {
      rechnung_id: id,
      lfd_nr: 1,
      bez: 'Vermessung',
      anzahl: 1,
      einheit: 'psch',
      ep: 100,
    })
    await page.goto(`/buchhaltung/rechnungen/rechnung/update/${id}`)
    await page.getByText('Dateien hierher ziehen').waitFor()
    const input = page.getByLabel('Dateien für die Rechnung', { exact: true })
    await input.setInputFiles({
      name: 'x.exe',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from('MZ'),
    })
    await page.getByText('x.exe kann keine Anlage sein.').waitFor()
    await input.setInputFiles({ name: 'Liste.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) })
    await button(page, 'Liste benennen').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^Bezeichnung/).fill('Aufmaß Revier Süd')
    await dialog.getByLabel('Beschreibung').fill('je Bestand')
    await button(page, 'Speichern').last().click()
    await page.getByText('Aufmaß Revier Süd', { exact: true }).waitFor()
    await page.getByText('1 von 20 Dateien').waitFor()
    expect(await brokenRules(page)).toEqual([])

    // The file at the invoice is offered, and says that it is attached.
    await button(page, 'Vorhandene Datei').click()
    await dialog.getByText('angehängt', { exact: true }).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Fertig' }).click()

    await rpc(page, 'a_issue_invoice', { invoice_id: id })
    await page.goto(`/buchhaltung/rechnungen/rechnung/${id}`)
    await page.getByText('Aufmaß Revier Süd', { exact: true }).waitFor()
    expect(await button(page, /benennen|entfernen/).count()).toBe(0)

    const customer = await house.visit('appuser_admin', `/dokumente/rechnung/${id}`)
    await customer.getByText('Aufmaß Revier Süd', { exact: true }).waitFor()
    expect(await brokenRules(customer)).toEqual([])
    const saved = customer.waitForEvent('download')
    await button(customer, 'Aufmaß Revier Süd herunterladen').click()
    const file = await saved
    expect([file.suggestedFilename(), await readFile(await file.path(), 'utf8')]).toEqual(['Liste.csv', CSV])
  })

  test('an XRechnung as UBL, where the customer asks for it', async () => {
    const page = await house.visit('apus_admin', `/member-management/client/${KUNDE}?ansicht=abrechnung`)
    const syntax = page.getByLabel('Syntax der XRechnung')
    await page.getByLabel('Format der Rechnungen').selectOption({ label: 'XRechnung (nur XML)' })
    await syntax.selectOption({ label: 'UBL' })
    await page.getByLabel('Leitweg-ID').fill('04011000-1234512345-06')
    expect(await brokenRules(page)).toEqual([])
    await button(page, 'Speichern').first().click()
    await page.getByText('Syntax der XRechnung: CII → UBL').waitFor()
    await rpc(page, 'a_set_lieferant', { werte: LIEFERANT })
    const today = new Date().toISOString().slice(0, 10)
    const id = await rpc<number>(page, 'a_add_invoice', { client_id: KUNDE, rn_datum: today, le_date: today })
    const line = { bez: 'Vermessung', anzahl: 1, einheit: 'psch', ep: 100 }
    await rpc(page, 'a_insert_position', { rechnung_id: id, lfd_nr: 1, ...line })
    await rpc(page, 'a_issue_invoice', { invoice_id: id })
    await page.goto(`/buchhaltung/rechnungen/rechnung/${id}`)
    await page.getByText('XRechnung (nur XML), UBL').waitFor()
    const saved = page.waitForEvent('download')
    await button(page, /XML/).first().click()
    const xml = await readFile(await (await saved).path(), 'utf8')
    expect(xml).toContain('<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"')
  })
})
