// Corrections: one of an open invoice, one of a paid invoice, and the refund found in the bank's entries.
import { officeDay } from '#server/office-day.ts'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

const INVOICES = '/buchhaltung/rechnungen'
const TODAY = officeDay(new Date())
const plain = (text: string | null) => (text ?? '').replaceAll('\u00a0', ' ')

describe.skipIf(!hasBrowser())('corrections', () => {
  const house = oneServer({
    // The browser logs refusals that the test provokes.
    asked: /status of (409|400)/,
  })
  const ask = async <T>(page: Page, name: string, body: object): Promise<T> => {
    const { status, json } = await call(house.app, await tokenOf(page), `/rest/rpc/${name}`, body)
    expect([200, 204], `${name} ${JSON.stringify(json)}`).toContain(status)
    return json as T
  }
  const invoice = async (page: Page): Promise<{ id: number; nummer: string }> => {
    const day = await ask<string | null>(page, 'a_get_min_rn_datum_for_new_invoice', {})
    const rn_datum = day !== null && day > TODAY ? day : TODAY
    const id = await ask<number>(page, 'a_add_invoice', {
      client_id: 41,
      rn_datum,
      le_date: rn_datum,
      ust_satz: '19',
    })
    await ask(page, 'a_save_positions', {
      rechnung_id: id,
      positionen: [
        { anzahl: '10', einheit: 'ha', bez: 'Aufnahme', ep: '100' },
        { anzahl: '2', einheit: 'Stk', bez: 'Karte', ep: '50', ust_satz: '7' },
      ],
    })
    const [{ nummer }] = await ask<[{ nummer: string }]>(page, 'a_issue_invoice', { invoice_id: id })
    return { id, nummer }
  }
  const open = async (page: Page, id: number) => {
    await page.goto(`${house.app.origin}${INVOICES}/rechnung/${id}`)
    await page.getByRole('button', { name: 'Korrigieren' }).click()
    return page.getByRole('dialog', { name: 'Rechnung korrigieren' })
  }
  const issue = async (page: Page): Promise<string> => {
    await page.getByRole('heading', { name: 'Rechnungskorrektur, Entwurf' }).waitFor()
    await page.getByRole('button', { name: 'Ausstellen' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Endgültig ausstellen' }).click()
    const heading = page.getByRole('heading', { name: /^Rechnungskorrektur RE-2026-\d{4}$/ })
    await heading.waitFor()
    return (await heading.textContent())!.split(' ').at(-1)!
  }
  const factOf = async (page: Page, name: string) =>
    plain(
      await page
        .locator('dt', { hasText: name })
        .first()
        .locator('xpath=following-sibling::dd[1]')
        .textContent(),
    )

  test('of an open invoice, of a paid one, and the refund in the bank', { timeout: 240_000 }, async () => {
    const page = await house.visit('apus_admin', INVOICES)
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
    const first = await invoice(page)
    const dialog = await open(page, first.id)
    await dialog.getByRole('button', { name: 'Entwurf der Korrektur anlegen' }).click()
    await dialog.getByText('Bitte mindestens bei einer Position eintragen').waitFor()
    await dialog.getByText('Bitte den Grund angeben').waitFor()
    const quantity = dialog.getByLabel('Aufnahme: Menge')
    await quantity.fill('11')
    await dialog.getByText('Höchstens 10 ha: Mehr ist von dieser Position nicht übrig.').waitFor()
    await quantity.fill('2')
    await dialog.getByLabel('Grund').fill('Es wurden nur acht Hektar aufgenommen.')
    await expect.poll(async () => plain(await dialog.textContent())).toContain('-238,00 €')
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Entwurf der Korrektur anlegen' }).click()
    await page.getByRole('heading', { name: 'Prüfung vor dem Ausstellen' }).waitFor()

    // The draft can be changed before it is issued.
    await page.getByRole('button', { name: 'Korrektur ändern' }).click()
    expect(await page.getByLabel('Aufnahme: Menge').inputValue()).toBe('2')
    await page.getByLabel('Karte: Zurücknehmen nach').selectOption('betrag')
    await page.getByLabel('Karte: Betrag netto').fill('10,00')
    await page.getByRole('dialog').getByRole('button', { name: 'Speichern' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Minderung: Karte').first().waitFor()
    expect(await brokenRules(page)).toEqual([])
    const number = await issue(page)

    await page.goto(`${house.app.origin}${INVOICES}/rechnung/${first.id}`)
    const table = page.getByRole('table', { name: 'Korrekturen' })
    await table.getByRole('link', { name: number }).waitFor()
    expect(plain(await table.getByRole('row', { name: /Es verbleiben/ }).textContent())).toContain(
      '1.048,30 €',
    )
    expect(await factOf(page, 'Offen')).toBe('1.048,30 €')
    expect(await page.getByRole('button', { name: 'Stornieren' }).count()).toBe(0)
    expect(await brokenRules(page)).toEqual([])

    const second = await invoice(page)
    await ask(page, 'a_add_payment', { rechnung_id: second.id, datum: TODAY, betrag: '1297.00' })
    const paid = await open(page, second.id)
    await paid.getByRole('button', { name: 'Alles, was bleibt' }).click()
    await paid.getByLabel('Aufnahme: Menge').fill('')
    await paid.getByLabel('Grund').fill('Die Karten waren unleserlich.')
    await paid.getByRole('button', { name: 'Entwurf der Korrektur anlegen' }).click()
    await issue(page)
    await page.goto(`${house.app.origin}${INVOICES}/rechnung/${second.id}`)
    await page.getByText('Zurückzuzahlen').waitFor()
    expect(await factOf(page, 'Zurückzuzahlen')).toBe('107,00 €')
    await page.goto(`${house.app.origin}/buchhaltung/offene-posten?alter=guthaben&gruppe=keine`)
    await page.getByRole('row', { name: new RegExp(second.nummer) }).waitFor()
    expect(plain(await page.getByRole('row', { name: new RegExp(second.nummer) }).textContent())).toContain(
      'korrigiert, zurückzuzahlen',
    )

    for (const { id } of await ask<{ id: number }[]>(page, 'a_get_bank', { nur_offene: true }))
      await ask(page, 'a_set_umsatz_erledigt', { umsatz_id: id, erledigt: true })
    await ask(page, 'a_import_bank', {
      umsaetze: [
        {
          konto: 'DE02120300000000202051',
          datum: TODAY,
          betrag: '-107.00',
          name: 'Erstattung',
          iban: '',
          zweck: `Erstattung ${second.nummer}`,
          referenz: 'korrektur-1',
        },
      ],
      datei: 'auszug.xml',
    })
    await page.goto(`${house.app.origin}/buchhaltung/zahlungen`)
    await page.getByRole('main').getByText(second.nummer).first().waitFor()
    await page.getByRole('button', { name: 'Zuordnen', exact: true }).first().click()
    await expect
      .poll(async () => {
        const [item] = await ask<{ offen: string }[]>(page, 'a_get_invoice_details', {
          invoice_id: second.id,
        })
        return item!.offen
      })
      .toBe('0.00')
    await page.goto(`${house.app.origin}${INVOICES}?art=korrektur`)
    await page.getByRole('row', { name: new RegExp(number) }).waitFor()
    expect(await brokenRules(page)).toEqual([])
  })
})
