// Received invoices: a file in each form is dropped, read, approved, refused and paid; a broken one is refused by its
// reason; an auditor reads and cannot write.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { eingangPaths } from '#contract/eingang.ts'
import { cii, ubl } from '#domain/eingang/files.fixture.ts'
import { SPEC } from '#server/eingang/hostile-files.fixture.ts'
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
    const attachments = [['Aufmass.csv', 'text/csv', 'YTtiCg==']] as const
    await page
      .getByLabel('Eingegangene Rechnungen', { exact: true })
      .setInputFiles([
        xml('cii.xml', cii({ ...SPEC, number: 'CII-1', seller: NAME, attachments })),
        xml('ubl.xml', ubl({ ...SPEC, number: 'UBL-1', gross: '120.00' })),
        pdf(
          'hybrid.pdf',
          makePdf({ attachments: [['factur-x.xml', Buffer.from(cii({ ...SPEC, number: 'PDF-1' }))]] }),
        ),
        pdf('ohne.pdf', makePdf({ attachments: [] })),
        xml('kaputt.xml', cii(SPEC).slice(0, 800)),
      ])
    const outcome = page.getByRole('list', { name: 'Ergebnis' })
    await outcome.getByText('beschädigt').waitFor()
    expect(await outcome.getByRole('link').allInnerTexts()).toEqual([
      'cii.xml',
      'ubl.xml',
      'hybrid.pdf',
      'ohne.pdf',
    ])
    await page.getByText('4 eingegangene Rechnungen').waitFor()
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
    await act(page, 'Bezahlt')
    await dialog.getByRole('button', { name: 'Eintragen' }).click()
    await page.getByText('bezahlt', { exact: true }).waitFor()

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
    await dialog.getByLabel('Rechnungsdatum').fill('02.03.2026')
    for (const [field, amount] of [
      ['Netto', '100'],
      ['Umsatzsteuer', '7'],
      ['Brutto', '107'],
      ['Zu zahlen', '107'],
    ] as const)
      await dialog.getByLabel(field).fill(amount)
    await dialog.getByRole('button', { name: 'Speichern' }).click()
    await page.getByRole('heading', { level: 1, name: 'Eingang 77' }).waitFor()
    await act(page, 'Freigeben')
    await dialog.getByRole('button', { name: 'Freigeben' }).click()
    await page.getByText('freigegeben', { exact: true }).waitFor()

    await page.setViewportSize({ width: 390, height: 844 })
    const wide = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(wide).toBe(0)
  })

  test('an auditor reads them and cannot write', async () => {
    const page = await house.visit('pruefer', PATH)
    await page.getByRole('row').filter({ hasText: 'CII-1' }).waitFor()
    expect(await page.getByText('Rechnungen annehmen').count()).toBe(0)
    await open(page, 'CII-1')
    await page.getByRole('button', { name: 'Original herunterladen' }).waitFor()
    for (const name of ['Freigeben', 'Ablehnen', 'Angaben', 'Bezahlt', 'Doch nicht bezahlt'])
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
      body: cii({ ...SPEC, number: 'NEU' }),
    })
    expect(sent.status).toBe(403)
  })
})
