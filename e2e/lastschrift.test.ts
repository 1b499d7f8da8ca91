// Direct debits: a mandate, a file for the bank with the open amount, and what is offered afterwards.
import { officeDay } from '#server/office-day.ts'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { LIEFERANT } from './lieferant.ts'
import { oneServer } from './one-server.ts'

const PATH = '/buchhaltung/lastschriften'
const TODAY = officeDay(new Date())

describe.skipIf(!hasBrowser())('direct debits', () => {
  const house = oneServer()
  const ask = async <T>(page: Page, name: string, body: object): Promise<T> => {
    const { status, json } = await call(house.app, await tokenOf(page), `/rest/rpc/${name}`, body)
    expect([name, status, json]).toEqual([name, expect.toSatisfy((code: number) => code < 300), json])
    return json as T
  }

  test('from the mandate to the file and back', { timeout: 180_000 }, async () => {
    const page = await house.visit('apus_admin', PATH)
    await ask(page, 'a_set_lieferant', { werte: { ...LIEFERANT, glaeubiger_id: 'DE98ZZZ09999999999' } })
    const id = await ask<number>(page, 'a_add_invoice', {
      client_id: 41,
      rn_datum: TODAY,
      le_date: TODAY,
      ust_satz: '19',
    })
    await ask(page, 'a_save_positions', {
      rechnung_id: id,
      positionen: [{ anzahl: '1', einheit: 'Stk', bez: 'Vermessung', ep: '100' }],
    })
    const [{ nummer }] = await ask<[{ nummer: string }]>(page, 'a_issue_invoice', { invoice_id: id })
    const [{ name }] = (await call(house.app, await tokenOf(page), '/rest/kunde?select=name&client_id=eq.41'))
      .json as [{ name: string }]

    await page.goto(`${PATH}?teil=mandate`)
    await page.getByRole('button', { name: 'Mandat eintragen' }).first().click()
    const mandate = page.getByRole('dialog', { name: 'Mandat eintragen' })
    await mandate.getByRole('combobox', { name: 'Kunde' }).fill(name)
    await mandate.getByRole('listbox', { name: 'Kunde' }).getByRole('option').first().click()
    await mandate.getByLabel('Mandatsreferenz').fill('M 41')
    await mandate.getByLabel('Unterschrieben am').fill('15.01.2026')
    await mandate.getByLabel('Kontoinhaber').fill('Jürgen Groß')
    await mandate.getByLabel('IBAN').fill('DE02 1203 0000 0000 2020 51')
    await mandate.getByRole('button', { name: 'Eintragen', exact: true }).click()
    await mandate.getByText(/^Bis zu 35 Buchstaben/).waitFor()
    await mandate.getByLabel('Mandatsreferenz').fill('M-41')
    expect(await brokenRules(page, 'dialog[open]')).toEqual([])
    await mandate.getByRole('button', { name: 'Eintragen', exact: true }).click()
    await page.getByRole('row').filter({ hasText: 'M-41' }).getByText('aktiv').waitFor()
    expect(await brokenRules(page)).toEqual([])

    await page.getByRole('tab', { name: 'Einziehen' }).click()
    await page.getByRole('row').filter({ hasText: nummer }).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Einziehen', exact: true }).click()
    const collect = page.getByRole('dialog', { name: 'Lastschriften einziehen' })
    await collect.getByText('1 Rechnung über 119,00').waitFor()
    await collect.getByLabel('Einzug am').fill('25.12.2026')
    await collect.getByRole('button', { name: 'Datei anlegen' }).click()
    await collect.getByText(/An diesem Tag buchen die Banken nicht|Nach heute/).waitFor()
    await collect.getByLabel('Einzug am').fill('')
    const day = await page.evaluate(() => {
      const at = new Date(Date.now() + 20 * 86_400_000)
      while (at.getUTCDay() !== 3) at.setUTCDate(at.getUTCDate() + 1)
      return at.toISOString().slice(0, 10)
    })
    await collect.getByLabel('Einzug am').fill(day.split('-').toReversed().join('.'))
    await collect.getByRole('button', { name: 'Datei anlegen' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Datei für den .* herunterladen$/ }).click(),
    ])
    const xml = readFileSync(await download.path(), 'utf8')
    for (const part of [
      'pain.008.001.08',
      '<InstdAmt Ccy="EUR">119.00</InstdAmt>',
      '<MndtId>M-41</MndtId>',
      '<Nm>Juergen Gross</Nm>',
      `<ReqdColltnDt>${day}</ReqdColltnDt>`,
      `<Ustrd>Rechnung ${nummer}</Ustrd>`,
    ])
      expect(xml).toContain(part)
    await page.getByText('heruntergeladen', { exact: true }).waitFor()
    expect(await brokenRules(page)).toEqual([])

    // The bank collects what the file says, whatever becomes of the invoice.
    const debits = page.url()
    await page.goto(`/buchhaltung/rechnungen/rechnung/${id}`)
    for (const act of ['Stornieren', 'Korrigieren']) {
      await page.getByRole('button', { name: act, exact: true }).click()
      const asked = page.getByRole('dialog')
      await asked.getByText(/^Der Betrag wird am .* eingezogen$/).waitFor()
      expect(await brokenRules(page)).toEqual([])
      await asked.getByRole('button', { name: 'Abbrechen' }).click()
    }
    await page.goto(debits)

    await page.getByRole('tab', { name: 'Einziehen' }).click()
    await page.getByText('Nichts ist einzuziehen').waitFor()
    await page.getByRole('tab', { name: 'Dateien für die Bank' }).click()
    await page.getByRole('button', { name: /^Datei für den .* zurückziehen$/ }).click()
    const withdraw = page.getByRole('dialog', { name: 'Datei zurückziehen?' })
    await withdraw.getByLabel('Grund').fill('nicht eingereicht')
    await withdraw.getByRole('button', { name: 'Zurückziehen' }).click()
    await page.getByText('zurückgezogen: nicht eingereicht').waitFor()
    await page.getByRole('tab', { name: 'Einziehen' }).click()
    await page.getByRole('row').filter({ hasText: nummer }).waitFor()
  })

  test('an invoice announces its collection, until the mandate ends', { timeout: 180_000 }, async () => {
    const page = await house.visit('apus_admin', '/member-management/client/42?ansicht=abrechnung')
    await ask(page, 'a_set_lieferant', { werte: { ...LIEFERANT, glaeubiger_id: 'DE98ZZZ09999999999' } })
    await page.getByText('Noch kein Mandat').waitFor()
    await page.getByRole('button', { name: 'Mandat eintragen' }).click()
    const mandate = page.getByRole('dialog', { name: 'Mandat eintragen' })
    await mandate.getByLabel('Mandatsreferenz').fill('M-42')
    await mandate.getByLabel('Unterschrieben am').fill('15.01.2026')
    await mandate.getByLabel('Kontoinhaber').fill('Ilse Groß')
    await mandate.getByLabel('IBAN').fill('DE02 1203 0000 0000 2020 51')
    await mandate.getByRole('button', { name: 'Eintragen', exact: true }).click()
    const mandates = page.getByRole('list', { name: 'Lastschriftmandate' })
    await mandates.getByText('aktiv').waitFor()
    expect(await brokenRules(page)).toEqual([])

    const id = await ask<number>(page, 'a_add_invoice', {
      client_id: 42,
      rn_datum: TODAY,
      le_date: TODAY,
      ust_satz: '19',
    })
    await ask(page, 'a_save_positions', {
      rechnung_id: id,
      positionen: [{ anzahl: '1', einheit: 'Stk', bez: 'Vermessung', ep: '100' }],
    })
    await ask(page, 'a_issue_invoice', { invoice_id: id })
    const invoice = `/buchhaltung/rechnungen/rechnung/${id}`
    await page.goto(invoice)
    await page.getByText(/^Angekündigt für den .* vom Konto DE02 … 2051, Mandat M-42\./).waitFor()
    expect(await brokenRules(page)).toEqual([])

    await page.goto('/member-management/client/42?ansicht=abrechnung')
    await mandates.getByRole('button', { name: 'Mandat M-42 widerrufen' }).click()
    const revoke = page.getByRole('alertdialog', { name: 'Mandat widerrufen?' })
    await revoke.getByText(/^M-42, /).waitFor()
    await revoke.getByRole('button', { name: 'Abbrechen' }).click()
    await mandates.getByText('aktiv').waitFor()
    await mandates.getByRole('button', { name: 'Mandat M-42 widerrufen' }).click()
    await revoke.getByRole('button', { name: 'Endgültig widerrufen' }).click()
    await mandates.getByText('widerrufen', { exact: true }).waitFor()
    await page.goto(invoice)
    await page.getByText('Das angekündigte Mandat gilt nicht mehr').waitFor()
    await page.getByText(/Bitten Sie den Kunden um eine Überweisung/).waitFor()
  })
})
