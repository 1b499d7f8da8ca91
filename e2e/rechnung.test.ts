// Invoices: from a customer's page to the issued document with the keyboard alone, lines pasted from Excel, two people at one draft, and what can no longer be changed.
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type RunningApp, startApp } from './app.ts'
import { brokenRules } from './axe.ts'
import { hasBrowser, launchBrowser, openVisitor, signIn, type Visitor } from './browser.ts'
import { call, tokenOf } from './calls.ts'

const LISTE = '/buchhaltung/rechnungen'
const LIEFERANT = {
  name: 'Waldvermessung Muster GmbH',
  strasse: 'Forstweg 1',
  plz: '37073',
  ort: 'Göttingen',
  steuernummer: '20/123/12340',
  ust_id: 'DE136695976',
  ansprechpartner: 'Erika Muster',
  telefon: '0551 123456',
  mail: 'rechnung@muster.example',
  bank: 'Musterbank',
  iban: 'DE02120300000000202051',
  bic: 'BYLADEM1001',
}
const EXCEL = [
  'Vermessung "Nord"\t12,5\tha\t1.234,56\t\t19',
  '"Gräben\nmit Skizze"\t300\tm\t0,4567\t5\t7',
  'Fahrt\tviele\tkm\t0.30\t\t19',
].join('\r\n')

describe.skipIf(!hasBrowser())('invoices', () => {
  let app: RunningApp
  let browser: Browser
  const visitors: Visitor[] = []

  beforeAll(async () => {
    ;[app, browser] = await Promise.all([startApp({ env: { LOGIN_RATE_PER_MIN: '1000' } }), launchBrowser()])
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await app?.stop()
  })
  afterEach(async () => {
    const complaints = visitors.flatMap((visitor) => visitor.complaints)
    await Promise.all(visitors.splice(0).map((visitor) => visitor.close()))
    // Refusals that the test asked for are noted by the browser.
    expect(
      complaints.filter((line) => !/status of (409|400)/.test(line)),
      'console errors, faults, policy reports',
    ).toEqual([])
  })
  const visit = async (path: string): Promise<Page> => {
    const visitor = await openVisitor(browser, app)
    visitors.push(visitor)
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    visitor.page.on('dialog', (dialog) => void dialog.accept())
    await signIn(visitor, app, 'apus_admin', path)
    await visitor.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    return visitor.page
  }
  const ask = async (page: Page, name: string, body: object) => call(app, await tokenOf(page), `/rest/rpc/${name}`, body)
  const prepare = async (page: Page): Promise<void> => {
    expect(await ask(page, 'a_set_lieferant', { werte: LIEFERANT })).toMatchObject({ status: 200 })
  }
  const draft = async (page: Page, le_date: string | null = null): Promise<number> =>
    Number((await ask(page, 'a_add_invoice', { client_id: 41, rn_datum: null, le_date, ust_satz: '19' })).json)
  const cell = (page: Page, row: number, col: number) => page.locator(`[data-cell="${row}.${col}"]`)
  const pasteInto = (page: Page, text: string) =>
    page.evaluate((given) => {
      const data = new DataTransfer()
      data.setData('text/plain', given)
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }, text)
  const sums = async (page: Page) =>
    (await page.getByLabel('Summen', { exact: true }).locator('div').allTextContents()).map((text) => text.replaceAll('\u00a0', ' '))

  test('from the list to the issued invoice without a mouse', async () => {
    const page = await visit(LISTE)
    await prepare(page)
    await page.getByLabel('Summen der gefundenen Rechnungen').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Rechnung schreiben' }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('combobox', { name: 'Kunde' }).waitFor()
    const { json } = await call(app, await tokenOf(page), '/rest/kunde?select=client_id,name&client_id=eq.41')
    const [{ name }] = json as [{ name: string }]
    await page.keyboard.type(name)
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Neue Rechnung' }).waitFor()
    await page.getByLabel('Leistung am oder ab').focus()
    await page.keyboard.type('2.11.2026')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Rechnung schreiben' }).waitFor()
    const id = /update\/(\d+)/.exec(page.url())![1]

    await page.getByRole('button', { name: 'Position hinzufügen' }).focus()
    await page.keyboard.press('Enter')
    await cell(page, 0, 2).waitFor()
    await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLElement).dataset['cell'])).toBe('0.2')
    // Description, quantity, unit, price; then the next line by Tab from the last cell.
    for (const text of ['Graben aufmessen', '12,5', 'ha', '80', '', '']) {
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
    await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLElement).dataset['cell'])).toBe('1.2')
    await page.keyboard.type('Titel')
    await page.keyboard.press('Shift+Tab')
    // The kind of line is chosen from a list.
    await page.keyboard.press('Enter')
    await page.keyboard.press('End')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Alt+ArrowUp')
    expect(await cell(page, 0, 2).textContent()).toContain('Titel')
    expect(await cell(page, 1, 0).textContent()).toBe('1.1')
    expect((await cell(page, 0, 8).textContent())?.trim()).toBe('1.000,00')
    expect(await sums(page)).toEqual(['Netto1.000,00 €', '19 % USt auf 1.000,00 €190,00 €', 'Brutto1.190,00 €'])
    await page.keyboard.press('Control+z')
    expect(await cell(page, 0, 2).textContent()).toContain('Graben')
    await page.keyboard.press('Control+y')
    expect(await cell(page, 0, 2).textContent()).toContain('Titel')
    // Escape leads out of the table.
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Position hinzufügen')
    expect(await brokenRules(page)).toEqual([])

    await page.getByRole('button', { name: 'Speichern' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Gespeichert.').waitFor()
    await page.getByText('Nichts zu beanstanden').or(page.getByLabel('Zu prüfen').getByText('Hinweis')).first().waitFor()
    await page.getByRole('button', { name: 'Ausstellen' }).focus()
    await page.keyboard.press('Enter')
    const confirm = page.getByRole('alertdialog', { name: 'Rechnung ausstellen?' })
    await confirm.getByText(/Nummer RE-2026-\d{4}, Datum \d\d\.\d\d\.2026\./).waitFor()
    await confirm.getByRole('button', { name: 'Endgültig ausstellen' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^Rechnung RE-2026-\d{4}$/ }).waitFor()

    // The real document beside its data.
    await page.getByLabel(/^PDF von Rechnung RE-/).waitFor({ state: 'attached' })
    // Paid in part, and taken back.
    await page.getByRole('button', { name: 'Zahlung eintragen' }).click()
    const paying = page.getByRole('dialog', { name: 'Zahlung eintragen' })
    expect(await paying.getByLabel('Betrag').inputValue()).toBe('1.190,00')
    await paying.getByLabel('Betrag').fill('190')
    await paying.getByRole('button', { name: 'Eintragen' }).click()
    await page.getByText('Die Zahlung ist eingetragen.').waitFor()
    await page.getByText('Teilbezahlt').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Zurücknehmen' }).click()
    const taking = page.getByRole('dialog', { name: 'Zahlung zurücknehmen?' })
    await taking.getByLabel('Grund').fill('Falscher Beleg')
    await taking.getByRole('button', { name: 'Zurücknehmen' }).click()
    await page.getByText('Die Zahlung ist zurückgenommen.').waitFor()
    await page.getByText('zurückgenommen', { exact: true }).waitFor()

    // From now on it stays as it is.
    await page.goto(`${app.origin}${LISTE}/rechnung/update/${id}`)
    await page.getByText('Diese Rechnung ist ausgestellt').waitFor()
    for (const [procedure, body] of [
      [
        'a_update_invoice_details',
        { invoice_id: id, bearbeiter: 'x', le_date: null, rn_datum: null, anrede: '', anschreiben: '', zuerl: '', ust_satz: 7 },
      ],
      ['a_save_positions', { rechnung_id: id, positionen: [] }],
      ['a_delete_invoice', { invoice_id: id }],
    ] as const)
      expect((await ask(page, procedure, body)).status, procedure).toBe(409)
  })

  test('lines from Excel: nothing is lost, what is wrong says so, and the sums are the server’s', async () => {
    const page = await visit(LISTE)
    await prepare(page)
    const id = await draft(page, '2026-11-02')
    await page.goto(`${app.origin}${LISTE}/rechnung/update/${id}`)
    await page.getByRole('button', { name: 'Position hinzufügen' }).click()
    await cell(page, 0, 2).waitFor()
    await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLElement).dataset['cell'])).toBe('0.2')
    await pasteInto(page, EXCEL)
    await page.getByText('3 Zeilen eingefügt, 2 Angaben sind zu prüfen.').waitFor()
    expect(await cell(page, 0, 5).textContent()).toBe('1.234,56')
    expect(await cell(page, 2, 3).textContent()).toContain('viele')
    expect(await cell(page, 2, 3).getAttribute('aria-invalid')).toBe('true')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('In den Positionen sind Angaben zu prüfen.').waitFor()
    await cell(page, 2, 3).dblclick()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('10')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('0,3')
    await page.keyboard.press('Enter')
    await page.getByLabel('Rabatt auf alles').fill('2,5')
    await page.getByLabel('Anzahlung, brutto').fill('100')
    await page.getByLabel('Anzahlung, brutto').blur()
    await expect.poll(async () => (await sums(page)).at(-1)).toMatch(/Zu zahlen/)
    const shown = await sums(page)
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Gespeichert.').waitFor()
    const { json } = await ask(page, 'a_get_beleg', { art: 'rechnung', id })
    const { summen } = json as { summen: Record<string, string> }
    const german = (text: string) => `${Number(text).toLocaleString('de-DE', { minimumFractionDigits: 2 })} €`
    expect(shown.at(-1)).toBe(`Zu zahlen${german(summen['zahlbetrag']!)}`)
    expect(shown.find((line) => line.startsWith('Brutto'))).toBe(`Brutto${german(summen['brutto']!)}`)
    expect(await sums(page)).toEqual(shown)
    expect(summen['rabatt']).not.toBe('0.00')
    await page.reload()
    await cell(page, 1, 2).waitFor()
    await cell(page, 1, 2).getByRole('button').click()
    expect(await page.getByRole('textbox', { name: 'Erläuterung zu 2', exact: true }).inputValue()).toBe('mit Skizze')
    expect(await brokenRules(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await brokenRules(page)).toEqual([])
  })

  test('two people at one draft: the later one chooses, field by field', async () => {
    const page = await visit(LISTE)
    const id = await draft(page, '2026-11-02')
    await page.goto(`${app.origin}${LISTE}/rechnung/update/${id}`)
    await page.getByLabel('Bearbeiter').fill('Meine Eingabe')
    const details = ((await ask(page, 'a_get_invoice_details', { invoice_id: id })).json as [Record<string, unknown>])[0]
    const { rn_datum, le_date, ust_satz, version } = details
    const other = {
      invoice_id: id,
      bearbeiter: 'Deren Eingabe',
      rn_datum,
      le_date,
      ust_satz,
      version,
      anrede: 'Hallo',
      anschreiben: '',
      zuerl: '',
    }
    expect((await ask(page, 'a_update_invoice_details', other)).status).toBe(200)
    await page.getByRole('button', { name: 'Speichern' }).click()
    const dialog = page.getByRole('dialog', { name: 'Inzwischen geändert' })
    await dialog.getByText('beide geändert', { exact: true }).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('radio', { name: /Bearbeiter, meine Eingabe/ }).check()
    await dialog.getByRole('button', { name: 'Auswahl speichern' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const after = ((await ask(page, 'a_get_invoice_details', { invoice_id: id })).json as [Record<string, unknown>])[0]
    expect(after).toMatchObject({ bearbeiter: 'Meine Eingabe', anrede: 'Hallo' })
  })

  test('the check leads to the field, a draft in the browser outlives a reload, and a draft can be thrown away', async () => {
    const page = await visit(LISTE)
    const id = await draft(page)
    await page.goto(`${app.origin}${LISTE}/rechnung/update/${id}`)
    await page.getByLabel('Zu prüfen').waitFor()
    await page
      .getByLabel('Zu prüfen')
      .getByRole('button', { name: /Leistung/ })
      .first()
      .click()
    await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('le_date')
    expect(await page.getByRole('button', { name: 'Ausstellen' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Position hinzufügen' }).click()
    await page.keyboard.type('Nicht gespeichert')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('.entwurf.')).length)).toBe(1)
    await page.reload()
    await page.getByText(/^Entwurf vom /).waitFor()
    await page.getByRole('button', { name: 'Wiederherstellen' }).click()
    await page.getByText('Nicht gespeichert', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Entwurf löschen' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Löschen' }).click()
    await page.getByText('Der Entwurf wurde gelöscht.').waitFor()
    await page.getByRole('heading', { name: 'Rechnungen', level: 1 }).waitFor()
    expect((await ask(page, 'a_get_invoice_details', { invoice_id: id })).json).toEqual([])
  })
})
