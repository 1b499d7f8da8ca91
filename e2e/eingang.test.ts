// Received invoices: a file in each form is dropped, read, approved, refused and paid; a broken one is refused by its
// reason; an auditor reads and cannot write.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { eingangPaths } from '#contract/eingang.ts'
import { cii, ubl } from '#domain/eingang/files.fixture.ts'
import { SENT } from './sent-invoice.ts'
import { makePdf } from '#server/eingang/pdf.fixture.ts'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

const PATH = '/buchhaltung/eingang'
const NAME = '<img src=x onerror=alert(1)> GmbH'

describe.skipIf(!hasBrowser())('received invoices', () => {
  const house = oneServer({ asked: /status of 40[0349]/ })
  const xml = (name: string, text: string) => ({
    name,
    mimeType: 'application/xml',
    buffer: Buffer.from(text),
  })
  const pdf = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/pdf', buffer })
  const open = async (page: Page, name: string) => {
    await page.goto(PATH)
    await page.getByRole('row').filter({ hasText: name }).getByRole('link').first().click()
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
  const act = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  test('are dropped, read, decided and paid', async () => {
    const page = await house.visit('apus_admin', PATH)
    const { json } = await call(house.app, await tokenOf(page), '/rest/rpc/a_get_lieferant', {})
    const { name: buyer } = [json].flat()[0] as { name: string }
    const attachments = [['Aufmass.csv', 'text/csv', 'YTtiCg==']] as const
    await page
      .getByLabel('Eingangsrechnungen', { exact: true })
      .setInputFiles([
        xml('cii.xml', cii({ ...SENT, number: 'CII-1', seller: NAME, buyer, attachments })),
        xml('ubl.xml', ubl({ ...SENT, number: 'UBL-1', gross: '120.00' })),
        pdf(
          'hybrid.pdf',
          makePdf({ attachments: [['factur-x.xml', Buffer.from(cii({ ...SENT, number: 'PDF-1' }))]] }),
        ),
        pdf('ohne.pdf', makePdf({ attachments: [] })),
        xml('kaputt.xml', cii(SENT).slice(0, 800)),
      ])
    const outcome = page.getByRole('list', { name: 'Ergebnis' })
    await outcome.getByText('beschädigt').waitFor()
    expect(await outcome.getByRole('link').allInnerTexts()).toEqual([
      'cii.xml',
      'ubl.xml',
      'hybrid.pdf',
      'ohne.pdf',
    ])
    await page.getByText('4 Eingangsrechnungen').waitFor()
    expect(await brokenRules(page)).toEqual([])

    // Approved and paid; the sender's name is a text and nothing else.
    await open(page, 'CII-1')
    await page.getByText(NAME).first().waitFor()
    await page.getByText('Keine Fehler gefunden.').waitFor()
    await page.getByText('Alle Angaben', { exact: true }).first().click()
    await page.getByText('Regelbesteuerung (S)').first().waitFor()
    expect(await brokenRules(page)).toEqual([])
    const saved = page.waitForEvent('download')
    await act(page, 'Herunterladen')
    expect((await saved).suggestedFilename()).toBe('Aufmass.csv')
    await act(page, 'Freigeben')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Freigeben' }).click()
    await page.getByText('freigegeben', { exact: true }).waitFor()
    // A part, then the rest as cash discount; taken back, it is open again.
    await act(page, 'Zahlung eintragen')
    await dialog.getByLabel('Betrag').fill('100')
    await dialog.getByLabel('Den Rest von 19,00 € als Skonto abziehen').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Eintragen' }).click()
    const payments = page.getByRole('list', { name: 'Zahlungen' })
    await payments.getByText('100,00 €').waitFor()
    await act(page, 'Zahlung eintragen')
    await dialog.getByLabel('Betrag').fill('17')
    await dialog.getByLabel('Den Rest von 2,00 € als Skonto abziehen').check()
    await dialog.getByRole('button', { name: 'Eintragen' }).click()
    await page.getByText('bezahlt', { exact: true }).waitFor()
    await payments
      .getByRole('listitem')
      .filter({ hasText: '100,00 €' })
      .getByRole('button', { name: 'Zurücknehmen' })
      .click()
    await dialog.getByLabel('Grund').fill('Doppelt eingetragen')
    await dialog.getByRole('button', { name: 'Zurücknehmen' }).click()
    await page.getByText('freigegeben', { exact: true }).waitFor()
    await payments.getByText('Doppelt eingetragen').waitFor()

    // Its sums are wrong: refused, and the refusal says why.
    await open(page, 'UBL-1')
    await page.getByText('Nachgerechnet stimmt nicht: Rechnungsbetrag mit Umsatzsteuer').waitFor()
    await act(page, 'Ablehnen')
    await dialog.getByRole('button', { name: 'Ablehnen' }).click()
    await dialog.getByText('Diese Angabe fehlt.').waitFor()
    await dialog.getByLabel('Grund').fill('Summe falsch')
    await dialog.getByRole('button', { name: 'Ablehnen' }).click()
    await page.getByText('Abgelehnt: Summe falsch').waitFor()

    // A PDF alone: its values are typed.
    await open(page, 'ohne.pdf')
    await act(page, 'Angaben')
    await dialog.getByLabel('Name des Lieferanten').fill('Gasthof Linde')
    await dialog.getByLabel('Rechnungsnummer').fill('77')
    await dialog.getByLabel('Rechnungsdatum').fill('02.03.1999')
    for (const [field, amount] of [
      ['Netto', '100'],
      ['Umsatzsteuer', '7'],
      ['Brutto', '107'],
      ['Zu zahlen', '107'],
    ] as const)
      await dialog.getByLabel(field).fill(amount)
    await dialog.getByLabel('Aufwandskonto').fill('69OO')
    await dialog.getByRole('button', { name: 'Speichern' }).click()
    await dialog.getByText('Ein Konto besteht nur aus Ziffern.').waitFor()
    await dialog.getByLabel('Aufwandskonto').fill('6900')
    // The day is refused after the supplier was added: trying again does not add it once more.
    await dialog.getByRole('button', { name: 'Speichern' }).click()
    await dialog.getByText('Nicht gespeichert').waitFor()
    await expect
      .poll(() => dialog.getByLabel('Lieferant', { exact: true }).locator('option:checked').innerText())
      .toBe('Gasthof Linde')
    await dialog.getByLabel('Rechnungsdatum').fill('02.03.2026')
    await dialog.getByRole('button', { name: 'Speichern' }).click()
    await page.getByRole('heading', { level: 1, name: 'Eingang 77' }).waitFor()
    const suppliers = (await call(house.app, await tokenOf(page), '/rest/rpc/a_get_kreditoren', {})).json as {
      name: string
    }[]
    expect(suppliers.filter(({ name }) => name === 'Gasthof Linde')).toHaveLength(1)
    await act(page, 'Freigeben')
    await dialog.getByRole('button', { name: 'Freigeben' }).click()
    await page.getByText('freigegeben', { exact: true }).waitFor()

    await page.setViewportSize({ width: 390, height: 844 })
    const wide = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    await expect.poll(wide).toBe(0)
  })

  test('a file for the bank pays the rest of one; an entry before its day is not the file', async () => {
    const page = await house.visit('apus_admin', `${PATH}/ueberweisungen`)
    const dialog = page.getByRole('dialog')
    const row = page.getByRole('row').filter({ hasText: 'CII-1' })
    await row.getByRole('checkbox').check()
    await act(page, 'Überweisen')
    await dialog.getByText('Zusammen: 100,00 €').waitFor()
    await dialog.getByLabel('Ausführung', { exact: true }).selectOption('faellig')
    await dialog.getByRole('list', { name: 'Summen nach Tagen' }).getByText('100,00 €').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Datei anlegen' }).click()
    await page.getByText('noch nicht heruntergeladen').waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Datei für den .* herunterladen$/ }).click()
    const file = await saved
    expect(file.suggestedFilename()).toMatch(/^SEPA-Ueberweisung-\d{4}-\d\d-\d\d-\d+\.xml$/)
    const text = await readFile(await file.path(), 'utf8')
    expect(text).toContain('<InstdAmt Ccy="EUR">100.00</InstdAmt>')
    expect(text).toContain('<Ustrd>Rechnung CII-1 vom')
    await page.getByText('heruntergeladen', { exact: true }).waitFor()
    await page.goto(PATH)
    await page
      .getByRole('row')
      .filter({ hasText: 'CII-1' })
      .getByText(/^angewiesen zum /)
      .waitFor()

    const token = await tokenOf(page)
    const entry = { datum: '2026-03-11', betrag: '-100.00', name: 'Sammelüberweisung', zweck: 'CII-1' }
    await call(house.app, token, '/rest/rpc/a_import_bank', { umsaetze: [entry], datei: 'a.xml' })
    await page.goto('/buchhaltung/zahlungen')
    const item = page.getByRole('listitem').filter({ hasText: 'Sammelüberweisung' }).first()
    await item.getByRole('button', { name: 'Zuordnen', exact: true }).waitFor()
    expect(await item.getByText('Summe einer Überweisungsdatei').count()).toBe(0)
    await item.getByRole('button', { name: 'Zuordnen', exact: true }).click()
    await page.getByText('100,00 € zugeordnet: CII-1').waitFor()

    await page.goto(`${PATH}/ueberweisungen?teil=dateien`)
    // The bank still has it.
    await page.getByText('heruntergeladen', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Lieferanten' }).click()
    await page
      .getByRole('button', { name: /bearbeiten$/ })
      .first()
      .click()
    await dialog.getByLabel('IBAN').fill('DE00')
    await dialog.getByRole('button', { name: 'Speichern' }).click()
    await dialog.getByText('Diese IBAN stimmt nicht. Bitte prüfen Sie sie.').waitFor()
    await dialog.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00')
    await dialog.getByLabel('Kreditorenkonto').fill('70001')
    await dialog.getByRole('button', { name: 'Speichern' }).click()
    await page
      .getByRole('row')
      .filter({ hasText: '70001' })
      .getByText('DE89 3704 0044 0532 0130 00')
      .waitFor()
    expect(await brokenRules(page)).toEqual([])
    await open(page, 'CII-1')
    await page.getByText('bezahlt', { exact: true }).waitFor()
  })

  test('an auditor reads them and cannot write', async () => {
    const page = await house.visit('pruefer', PATH)
    await page.getByRole('row').filter({ hasText: 'CII-1' }).waitFor()
    expect(await page.getByText('Rechnungen annehmen').count()).toBe(0)
    await open(page, 'CII-1')
    await page.getByRole('button', { name: 'Original herunterladen' }).waitFor()
    for (const name of ['Freigeben', 'Ablehnen', 'Angaben', 'Zahlung eintragen', 'Zurücknehmen'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
    const token = await tokenOf(page)
    const [id] = /\d+$/.exec(new URL(page.url()).pathname) ?? []
    const refused = await call(house.app, token, '/rest/rpc/a_decide_eingang', {
      eingang_id: id,
      version: 1,
      freigegeben: true,
    })
    expect(refused.status).toBe(403)
    const sent = await fetch(`${house.app.origin}/prod-api/${eingangPaths.upload('a.xml')}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
      body: cii({ ...SENT, number: 'NEU' }),
    })
    expect(sent.status).toBe(403)
  })
})
