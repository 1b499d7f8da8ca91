// Invoices: from a customer's page to the issued document with the keyboard alone, lines pasted from Excel,
// two people editing one draft, and what can no longer be changed.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { LIEFERANT } from './lieferant.ts'
import { oneServer } from './one-server.ts'

const LIST = '/buchhaltung/rechnungen'
const EXCEL = [
  'Vermessung "Nord"\t12,5\tha\t1.234,56\t\t19',
  '"Gräben\nmit Skizze"\t300\tm\t0,4567\t5\t7',
  'Fahrt\tviele\tkm\t0.30\t\t19',
].join('\r\n')

describe.skipIf(!hasBrowser())('invoices', () => {
  const house = oneServer({ asked: /status of (409|400)/ })
  const visit = async (path: string): Promise<Page> => {
    const page = await house.visit('apus_admin', path)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    page.on('dialog', (dialog) => void dialog.accept())
    return page
  }
  const ask = async (page: Page, name: string, body: object) =>
    call(house.app, await tokenOf(page), `/rest/rpc/${name}`, body)
  const prepare = async (page: Page): Promise<void> => {
    expect(await ask(page, 'a_set_lieferant', { werte: LIEFERANT })).toMatchObject({ status: 200 })
  }
  const draft = async (page: Page, le_date: string | null = null): Promise<number> =>
    Number(
      (await ask(page, 'a_add_invoice', { client_id: 41, rn_datum: null, le_date, ust_satz: '19' })).json,
    )
  const cell = (page: Page, row: number, col: number) => page.locator(`[data-cell="${row}.${col}"]`)
  const pasteInto = (page: Page, text: string) =>
    page.evaluate((given) => {
      const data = new DataTransfer()
      data.setData('text/plain', given)
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    }, text)
  const sums = async (page: Page) =>
    (await page.getByLabel('Summen', { exact: true }).locator('div').allTextContents()).map((text) =>
      text.replaceAll('\u00a0', ' '),
    )

  test('a customer found for an earlier text cannot be clicked', async () => {
    const page = await visit(LIST)
    await page.getByRole('button', { name: 'Rechnung schreiben' }).first().click()
    const field = page.getByRole('dialog').getByRole('combobox', { name: 'Kunde' })
    await field.fill('e')
    const first = page.getByRole('option').first()
    await first.waitFor()
    const held = Promise.withResolvers<void>()
    await page.route('**/rest/kunde?*', async (route) => {
      await held.promise
      await route.continue()
    })
    await field.fill('Forstbetrieb')
    await first.and(page.locator('[aria-disabled="true"]')).waitFor()
    await first.click({ force: true })
    expect(await field.inputValue()).toBe('Forstbetrieb')
    held.resolve()
    const meant = page.getByRole('option', { name: /Forstbetrieb/, disabled: false }).first()
    const name = await meant.innerText()
    await meant.click()
    await page.getByRole('heading', { name: 'Neue Rechnung' }).waitFor()
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Kunde' }).inputValue())
      .toBe(name.split(',')[0])
  })

  test('from the list to the issued invoice without a mouse', async () => {
    const page = await visit(LIST)
    await prepare(page)
    await page.getByLabel('Summen der gefundenen Rechnungen').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Rechnung schreiben' }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('combobox', { name: 'Kunde' }).waitFor()
    const { json } = await call(
      house.app,
      await tokenOf(page),
      '/rest/kunde?select=client_id,name&client_id=eq.41',
    )
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
    await expect
      .poll(() => page.evaluate(() => (document.activeElement as HTMLElement).dataset['cell']))
      .toBe('0.2')
    // Description, quantity, unit, price; then Tab from the last cell starts the next line.
    for (const text of ['Graben aufmessen', '12,5', 'hekt', '80', '', '']) {
      await page.keyboard.type(text)
      // A unit is chosen from its list by any word for it.
      if (text === 'hekt') {
        await page.getByRole('option', { name: 'ha', exact: true }).waitFor()
        expect(await brokenRules(page)).toEqual([])
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        expect(await cell(page, 0, 4).textContent()).toBe('ha')
      }
      await page.keyboard.press('Tab')
    }
    await expect
      .poll(() => page.evaluate(() => (document.activeElement as HTMLElement).dataset['cell']))
      .toBe('1.2')
    await page.keyboard.type('Titel')
    await page.keyboard.press('Shift+Tab')
    // The kind of line is chosen from a list.
    await page.keyboard.press('Enter')
    await page.keyboard.press('End')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Alt+ArrowUp')
    expect(await cell(page, 0, 2).textContent()).toContain('Titel')
    expect(await cell(page, 1, 0).textContent()).toBe('1.1')
    await expect.poll(async () => (await cell(page, 0, 8).textContent())?.trim()).toBe('1.000,00')
    await expect
      .poll(() => sums(page))
      .toEqual(['Netto1.000,00 €', '19 % USt auf 1.000,00 €190,00 €', 'Brutto1.190,00 €'])
    await page.keyboard.press('Control+z')
    expect(await cell(page, 0, 2).textContent()).toContain('Graben')
    await page.keyboard.press('Control+y')
    expect(await cell(page, 0, 2).textContent()).toContain('Titel')
    // Escape leaves the table.
    await page.keyboard.press('Escape')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('Position hinzufügen')
    expect(await brokenRules(page)).toEqual([])

    // A preview before anything is saved.
    await page.getByRole('button', { name: 'Vorschau' }).focus()
    const [preview] = await Promise.all([
      page.waitForResponse(/beleg\/vorschau\/rechnung\//),
      page.keyboard.press('Enter'),
    ])
    expect(preview.status()).toBe(200)
    expect(preview.headers()['content-type']).toBe('application/pdf')
    expect(
      (JSON.parse(preview.request().postData()!) as { positionen: { bez: string }[] }).positionen.map(
        ({ bez }) => bez,
      ),
    ).toContain('Graben aufmessen')
    await page
      .getByRole('dialog', { name: 'Vorschau' })
      .getByLabel('PDF von Rechnungsentwurf')
      .waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Vorschau' }).waitFor({ state: 'hidden' })

    // A date can be typed in short and is completed when the field is left.
    const until = page.getByLabel('Leistung bis')
    await until.focus()
    await page.keyboard.type('3.11.26')
    await page.keyboard.press('Tab')
    expect(await until.inputValue()).toBe('03.11.2026')
    await until.fill('')

    await page.getByRole('button', { name: 'Speichern' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Gespeichert.').waitFor()
    await page
      .getByText('Alles in Ordnung: Der Beleg')
      .or(page.getByLabel('Zu prüfen').getByText('Hinweis'))
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Ausstellen' }).focus()
    await page.keyboard.press('Enter')
    const confirm = page.getByRole('alertdialog', { name: 'Rechnung ausstellen?' })
    await confirm.getByText(/Nummer RE-2026-\d{4}, Datum \d\d\.\d\d\.2026\./).waitFor()
    await confirm.getByText('Brutto: 1.190,00 €').waitFor()
    await confirm.getByRole('button', { name: 'Endgültig ausstellen' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^Rechnung RE-2026-\d{4}$/ }).waitFor()

    // Shows the document's actual format, which the draft had left open, and the next step.
    const fact = (name: string) => page.locator('dt', { hasText: name }).locator('xpath=..').locator('dd')
    await expect.poll(() => fact('Format').first().textContent()).toBe('ZUGFeRD (PDF mit XML)')
    await page.getByRole('button', { name: 'Rechnung versenden' }).waitFor()
    // The real document next to its data.
    await page.getByLabel(/^PDF von Rechnung RE-/).waitFor({ state: 'attached' })
    // Paid in part, and reversed.
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

    // From now on it cannot be changed.
    await page.goto(`${house.app.origin}${LIST}/rechnung/update/${id}`)
    await page.getByText('Diese Rechnung ist ausgestellt').waitFor()
    for (const [procedure, body] of [
      [
        'a_update_invoice_details',
        {
          invoice_id: id,
          bearbeiter: 'x',
          le_date: null,
          rn_datum: null,
          anrede: '',
          anschreiben: '',
          zuerl: '',
          ust_satz: 7,
        },
      ],
      ['a_save_positions', { rechnung_id: id, positionen: [] }],
      ['a_delete_invoice', { invoice_id: id }],
    ] as const)
      expect((await ask(page, procedure, body)).status, procedure).toBe(409)
  })

  test('lines from Excel: nothing is lost, what is wrong says so, and the sums are the server’s', async () => {
    const page = await visit(LIST)
    await prepare(page)
    const id = await draft(page, '2026-11-02')
    await page.goto(`${house.app.origin}${LIST}/rechnung/update/${id}`)
    await page.getByRole('button', { name: 'Position hinzufügen' }).click()
    await cell(page, 0, 2).waitFor()
    await expect
      .poll(() => page.evaluate(() => (document.activeElement as HTMLElement).dataset['cell']))
      .toBe('0.2')
    await pasteInto(page, EXCEL)
    await page.getByText('Eingefügte Zeilen: 3. Zu prüfende Angaben: 2.').waitFor()
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
    // With a minus it is a surcharge.
    await page.getByLabel('Rabatt oder Zuschlag auf alles').fill('-101')
    await page.getByLabel('Rabatt oder Zuschlag auf alles').blur()
    await page.getByText('Mindestens −100.').waitFor()
    await page.getByLabel('Rabatt oder Zuschlag auf alles').fill('-5')
    await page.getByLabel('Rabatt oder Zuschlag auf alles').blur()
    await expect
      .poll(async () => (await sums(page)).some((line) => line.startsWith('Zuschlag 5 %')))
      .toBe(true)
    await page
      .getByLabel('Zu prüfen')
      .getByText(/Zum Zuschlag fehlt der Grund/)
      .waitFor()
    await page.getByLabel('Rabatt oder Zuschlag auf alles').fill('2,5')
    await page.getByLabel('Rabatt oder Zuschlag auf alles').blur()
    await expect.poll(async () => (await sums(page)).some((line) => line.startsWith('Rabatt'))).toBe(true)
    // Advances are separate invoices.
    expect(await page.getByLabel('Anzahlung, brutto').count()).toBe(0)
    const shown = await sums(page)
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Gespeichert.').waitFor()
    const { json } = await ask(page, 'a_get_beleg', { art: 'rechnung', id })
    const { summen } = json as { summen: Record<string, string> }
    const german = (text: string) => `${Number(text).toLocaleString('de-DE', { minimumFractionDigits: 2 })} €`
    expect(shown.find((line) => line.startsWith('Brutto'))).toBe(`Brutto${german(summen['brutto']!)}`)
    expect(await sums(page)).toEqual(shown)
    expect(summen['rabatt']).not.toBe('0.00')
    await page.reload()
    await cell(page, 1, 2).waitFor()
    await cell(page, 1, 2).getByRole('button').click()
    expect(await page.getByRole('textbox', { name: 'Erläuterung zu 2', exact: true }).inputValue()).toBe(
      'mit Skizze',
    )
    expect(await brokenRules(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await brokenRules(page)).toEqual([])
  })

  test('templates, text blocks, headings, options, rates and discounts; lines move by mouse and keys', async () => {
    const page = await visit(LIST)
    await prepare(page)
    const template = {
      gruppe: null,
      einheit: 'ha',
      ep: '12.5',
      ust_satz: '7',
      erl_titel: '',
      erl: 'Auflösung 5 cm',
      erl_on: true,
      archiviert: false,
    }
    expect(
      (await ask(page, 'a_save_position_tmpl', { ...template, bez: 'Drohnenflug mit Auswertung' })).status,
    ).toBe(200)
    const block = { art: 'anschreiben', titel: 'Dank', text: 'Vielen Dank, {name}.', archiviert: false }
    expect((await ask(page, 'a_save_freitext', block)).status).toBe(200)
    const id = await draft(page, '2026-11-02')
    await page.goto(`${house.app.origin}${LIST}/rechnung/update/${id}`)
    const focused = () => page.evaluate(() => (document.activeElement as HTMLElement).dataset['cell'])
    const column = async (col: number) =>
      (await page.locator(`[data-cell$=".${col}"]`).allTextContents()).map((text) => text.trim())

    // An empty line is ready; typing finds a template, and the quantity comes next.
    await page.getByText('Noch keine Positionen: Tippen Sie', { exact: false }).waitFor()
    await cell(page, 0, 2).click()
    await page.keyboard.type('ausw droh')
    await page.getByRole('option', { name: /Drohnenflug mit Auswertung/ }).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('0.3')
    await page.keyboard.type('10')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('1.2')
    expect(await Promise.all([2, 3, 4, 5, 7, 8].map(async (col) => (await column(col))[0]))).toEqual([
      'Drohnenflug mit Auswertung',
      '10',
      'ha',
      '12,50',
      '7',
      '125,00',
    ])
    await pasteInto(
      page,
      [
        'Art\tBezeichnung\tMenge\tEinheit\tEinzelpreis\tRabatt %\tUSt %',
        'Überschrift\tFeld',
        '\tAufmaß\t2\tStd\t80',
        'Überschrift\tBüro',
        '\tKarte\t1\tStk\t100\t10\t7',
        'Optional\tLuftbild\t1\tpsch\t300',
      ].join('\n'),
    )
    await page.getByText('5 Zeilen eingefügt.').waitFor()
    await expect.poll(() => column(8)).toEqual(['125,00', '160,00', '160,00', '90,00', '90,00', '300,00'])
    expect(await column(0)).toEqual(['1', '2', '2.1', '3', '3.1', '3.2'])
    await expect
      .poll(() => sums(page))
      .toEqual([
        'Netto375,00 €',
        '19 % USt auf 160,00 €30,40 €',
        '7 % USt auf 215,00 €15,05 €',
        'Brutto420,45 €',
      ])

    // An error that prevents issuing links to its cell, and one key fixes it.
    await page.getByRole('button', { name: /^Position 3\.2: Eine Rechnung lässt nichts offen/ }).click()
    await expect.poll(focused).toBe('5.1')
    await page.keyboard.press('p')
    await expect.poll(async () => (await sums(page))[0]).toBe('Netto675,00 €')

    // The map is dragged above the survey and moved back by a key; then that step is undone.
    const grip = (row: number) => page.locator(`[data-row="${row}"] [data-grip]`)
    const [from, to] = [(await grip(4).boundingBox())!, (await page.locator('[data-row="2"]').boundingBox())!]
    await page.mouse.move(from.x + 4, from.y + 6)
    await page.mouse.down()
    await page.mouse.move(to.x + 40, to.y + 20)
    await page.mouse.move(to.x + 40, to.y + 4)
    await page.locator('[data-row="2"].pos-drop-above').waitFor()
    await page.mouse.up()
    await expect
      .poll(() => column(2))
      .toEqual(['Drohnenflug mit Auswertung', 'Feld', 'Karte', 'Aufmaß', 'Büro', 'Luftbild'])
    await expect.poll(async () => (await column(8))[1]).toBe('250,00')
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(async () => (await column(2)).slice(2, 4)).toEqual(['Aufmaß', 'Karte'])
    await page.getByRole('button', { name: 'Rückgängig' }).click()
    await expect.poll(async () => (await column(2)).slice(2, 4)).toEqual(['Karte', 'Aufmaß'])

    // Terms, and a letter built from text blocks.
    await page.getByLabel('Rabatt oder Zuschlag auf alles').fill('10')
    await page.getByLabel('Grund für Rabatt oder Zuschlag').fill('Treue')
    await page.getByLabel('Skonto', { exact: true }).selectOption({ label: 'eigenes für diesen Beleg' })
    expect(await page.getByLabel('Skonto 1: Tage').inputValue()).toBe('10')
    await page.getByRole('button', { name: 'Weitere Staffel' }).click()
    await page.getByLabel('Skonto 2: Tage').fill('10')
    await page.getByLabel('Skonto 2: Prozent').fill('1,5')
    await page.getByText('Zweimal dieselbe Zahl von Tagen.').waitFor()
    await page.getByLabel('Skonto 2: Tage').fill('5')
    await page.getByText('Zweimal dieselbe Zahl von Tagen.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Textbaustein für Anschreiben' }).click()
    await page.getByRole('menuitem', { name: 'Dank' }).click()
    const letter = await page.getByRole('textbox', { name: 'Anschreiben' }).inputValue()
    expect(letter).toMatch(/^Vielen Dank, .+\.$/)
    expect(letter).not.toContain('{')
    expect(await brokenRules(page)).toEqual([])

    // Leaving asks for confirmation.
    await page.getByRole('link', { name: 'Angebote', exact: true }).click()
    const asked = page.getByRole('alertdialog', { name: 'Änderungen verwerfen?' })
    await asked.getByRole('button', { name: 'Weiter bearbeiten' }).click()
    await asked.waitFor({ state: 'detached' })
    await expect
      .poll(async () => (await sums(page)).find((line) => line.startsWith('Netto')))
      .toBe('Netto607,50 €')
    const shown = await sums(page)
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Gespeichert.').waitFor()
    const positions = (await ask(page, 'a_get_invoice_positions', { invoice_id: id })).json as {
      bez: string
      art: string
      erl: string
    }[]
    expect(positions.map(({ bez }) => bez)).toEqual([
      'Drohnenflug mit Auswertung',
      'Feld',
      'Karte',
      'Aufmaß',
      'Büro',
      'Luftbild',
    ])
    expect([positions[0]!.erl, positions[5]!.art]).toEqual(['Auflösung 5 cm', 'position'])
    const [details] = (await ask(page, 'a_get_invoice_details', { invoice_id: id })).json as [
      Record<string, unknown>,
    ]
    expect(details).toMatchObject({
      skonto: [
        { tage: 5, prozent: '1.50' },
        { tage: 10, prozent: '2.00' },
      ],
      rabatt_prozent: '10.00',
      rabatt_grund: 'Treue',
      anschreiben: letter,
      netto: '607.50',
    })
    await page.reload()
    await cell(page, 5, 2).waitFor()
    await expect.poll(() => sums(page)).toEqual(shown)
  })

  test('three hundred lines: those in sight are drawn, keys and check reach all, two people meet', async () => {
    const page = await visit(LIST)
    await prepare(page)
    const id = await draft(page, '2026-11-02')
    await page.goto(`${house.app.origin}${LIST}/rechnung/update/${id}`)
    const focused = () => page.evaluate(() => (document.activeElement as HTMLElement).dataset['cell'])
    const inSight = () =>
      page.evaluate(() => {
        const box = document.activeElement!.getBoundingClientRect()
        const frame = document.querySelector('.pos-scroll')!.getBoundingClientRect()
        const head = document.querySelector('.pos-grid thead')!.getBoundingClientRect()
        return (
          box.top >= head.bottom - 1 && box.bottom <= frame.bottom + 1 && box.bottom <= window.innerHeight + 1
        )
      })
    await cell(page, 0, 2).click()
    const rows = Array.from({ length: 300 }, (_, nr) => `Leistung ${nr}\t${nr === 180 ? 0 : 2}\tStk\t10`)
    await pasteInto(page, rows.join('\n'))
    await page.getByText('300 Zeilen eingefügt.').waitFor()
    await expect.poll(async () => (await sums(page))[0]).toBe('Netto5.980,00 €')
    const grid = page.getByRole('grid', { name: 'Positionen' })
    expect(await grid.getAttribute('aria-rowcount')).toBe('301')
    const drawn = page.locator('[data-row]')
    expect(await drawn.count()).toBeLessThan(80)

    await page.keyboard.press('Control+End')
    await expect.poll(focused).toBe('299.8')
    await expect.poll(inSight).toBe(true)
    expect(await page.locator('[data-row="299"]').getAttribute('aria-rowindex')).toBe('301')
    await page.keyboard.press('PageUp')
    await expect.poll(focused).toBe('289.8')
    await page.keyboard.press('Control+Home')
    await expect.poll(focused).toBe('0.0')
    await expect.poll(inSight).toBe(true)
    // Scrolling changes which rows are drawn; the cursor and the text being typed stay.
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('Angefangen')
    await page.locator('.pos-scroll').evaluate((frame) => frame.scrollTo(0, 5000))
    await page.locator('[data-row="140"]').waitFor()
    await page.keyboard.type('!')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('1.2')
    await expect.poll(inSight).toBe(true)
    expect((await cell(page, 0, 2).textContent())?.trim()).toBe('Angefangen!')
    // A selection includes rows that are not drawn; deleting it is reported and can be undone.
    await page.keyboard.press('Control+a')
    expect(await drawn.count()).toBeLessThan(80)
    await page.keyboard.press('Control+Delete')
    await page.getByText('300 Zeilen gelöscht. Strg+Z holt sie zurück.').waitFor()
    await expect.poll(async () => (await sums(page))[0]).toBe('Netto0,00 €')
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await sums(page))[0]).toBe('Netto5.980,00 €')
    await page.keyboard.press('Control+Home')
    await expect.poll(async () => (await cell(page, 0, 2).textContent())?.trim()).toBe('Angefangen!')

    await page.getByRole('button', { name: /^Position 181: Die Menge ist 0/ }).click()
    await expect.poll(focused).toBe('180.3')
    await expect.poll(inSight).toBe(true)
    await page.keyboard.type('2')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await sums(page))[0]).toBe('Netto6.000,00 €')
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Gespeichert.').waitFor()

    // Meanwhile another person saves other lines.
    await page.keyboard.press('Escape')
    await page.locator('.pos-scroll').evaluate((frame) => frame.scrollTo(0, 0))
    await cell(page, 1, 2).click()
    await page.keyboard.type('Meine')
    await page.keyboard.press('Enter')
    expect(
      (await ask(page, 'a_save_positions', { rechnung_id: id, positionen: [{ bez: 'Deren', ep: '1' }] }))
        .status,
    ).toBe(200)
    await page.getByRole('button', { name: 'Speichern' }).click()
    const dialog = page.getByRole('dialog', { name: 'Inzwischen geändert' })
    await dialog.getByText('beide geändert', { exact: true }).waitFor()
    await dialog
      .getByRole('radio', { name: /Positionen, .*(gespeichert|deren|andere)/i })
      .first()
      .check()
    await dialog.getByRole('button', { name: 'Auswahl speichern' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await cell(page, 0, 2).getByText('Deren').waitFor()
    expect(await drawn.count()).toBe(1)
  })

  test('an issued invoice is copied, taken back with its reason, put away and fetched again', async () => {
    const page = await visit(LIST)
    await prepare(page)
    const id = await draft(page, '2026-11-02')
    await ask(page, 'a_save_positions', {
      rechnung_id: id,
      positionen: [{ bez: 'Aufmaß', anzahl: '3', einheit: 'Std', ep: '80' }],
    })
    const [issued] = (await ask(page, 'a_issue_invoice', { invoice_id: id })).json as [{ nummer: string }]
    await page.goto(`${house.app.origin}${LIST}/rechnung/${id}`)
    await page.getByRole('heading', { name: `Rechnung ${issued.nummer}` }).waitFor()
    expect(await page.getByRole('button', { name: 'Archivieren' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Kopie als Entwurf' }).click()
    await page.getByRole('heading', { name: 'Rechnung schreiben' }).waitFor()
    await cell(page, 0, 2).getByText('Aufmaß').waitFor()
    expect(page.url()).not.toContain(`/${id}`)

    await page.goto(`${house.app.origin}${LIST}/rechnung/${id}`)
    await page.getByRole('button', { name: 'Stornieren' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rechnung stornieren?' })
    await dialog.getByRole('button', { name: 'Endgültig stornieren' }).click()
    await dialog.getByText('Bitte den Grund angeben', { exact: false }).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByLabel('Grund').fill('Falsche Menge')
    await dialog.getByRole('checkbox', { name: 'Gleich eine Kopie als Entwurf anlegen' }).check()
    await dialog.getByRole('button', { name: 'Endgültig stornieren' }).click()
    await page.getByText(/nimmt die Rechnung zurück\.$/).waitFor()
    await page.getByRole('heading', { name: 'Rechnung schreiben' }).waitFor()
    await cell(page, 0, 2).getByText('Aufmaß').waitFor()

    await page.goto(`${house.app.origin}${LIST}/rechnung/${id}`)
    await page.getByRole('button', { name: 'Archivieren' }).click()
    await page.getByText('Die Rechnung liegt im Archiv.').waitFor()
    expect(await page.getByRole('button', { name: 'Stornieren' }).count()).toBe(0)
    await page.goto(`${house.app.origin}${LIST}?suche=${issued.nummer}`)
    await page.getByText('Keine Rechnung gefunden').waitFor()
    await page.goto(`${house.app.origin}${LIST}?suche=${issued.nummer}&archiv=nur`)
    await page.getByRole('link', { name: issued.nummer, exact: true }).click()
    await page.getByRole('button', { name: 'Aus dem Archiv holen' }).click()
    await page.getByText('Die Rechnung ist wieder in der Liste.').waitFor()
    // The Storno states its reason and links back.
    await page.getByRole('link', { name: 'Stornorechnung', exact: true }).click()
    await page.getByRole('heading', { name: /^Stornorechnung / }).waitFor()
    await page.getByText('Falsche Menge').first().waitFor()
    expect(await page.getByRole('button', { name: 'Stornieren' }).count()).toBe(0)
    await page.getByRole('link', { name: 'stornierte Rechnung' }).click()
    await page.getByRole('heading', { name: `Rechnung ${issued.nummer}` }).waitFor()
  })

  test('a paid invoice that is cancelled is owed to the customer until it is paid back', async () => {
    const page = await visit(LIST)
    await prepare(page)
    const id = await draft(page, '2026-11-02')
    await ask(page, 'a_save_positions', {
      rechnung_id: id,
      positionen: [{ bez: 'Aufmaß', anzahl: '10', einheit: 'Std', ep: '100' }],
    })
    await ask(page, 'a_issue_invoice', { invoice_id: id })
    const paid = { rechnung_id: id, datum: '2026-11-03' }
    await ask(page, 'a_add_payment', { ...paid, betrag: '1166.20' })
    await ask(page, 'a_add_payment', { ...paid, betrag: '23.80', art: 'skonto' })
    await page.goto(`${house.app.origin}${LIST}/rechnung/${id}`)
    await page.getByRole('button', { name: 'Stornieren' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rechnung stornieren?' })
    await dialog.getByText('Gezahlt sind 1.166,20').waitFor()
    await dialog.getByText('Skonto und Ausfälle enden mit der Rechnung: 23,80').waitFor()
    await dialog.getByLabel('Grund').fill('Auftrag entfallen')
    // A refused copy is reported; the Storno is there nevertheless.
    await dialog.getByRole('checkbox', { name: 'Gleich eine Kopie als Entwurf anlegen' }).check()
    await page.route('**/rpc/a_copy_invoice', (route) =>
      route.fulfill({ status: 409, json: { code: 'PT409', message: '' } }),
    )
    await dialog.getByRole('button', { name: 'Endgültig stornieren' }).click()
    await page.getByText(/^Die Kopie ist nicht angelegt: /).waitFor()
    await page.getByRole('heading', { name: /^Stornorechnung / }).waitFor()

    // The card above the payments arrives late: the button below it does not move once it is there.
    await page.route('**/rpc/a_get_versand', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      await route.continue()
    })
    await page.getByRole('link', { name: 'stornierte Rechnung' }).click()
    await page.getByText('Zurückzuzahlen', { exact: true }).waitFor()
    await page.reload()
    const payBack = page.getByRole('button', { name: 'Rückzahlung eintragen' })
    await payBack.waitFor()
    const place = await payBack.boundingBox()
    await page.waitForLoadState('networkidle')
    expect(await payBack.boundingBox()).toEqual(place)
    await payBack.click()
    const paying = page.getByRole('dialog', { name: 'Rückzahlung eintragen' })
    await paying.getByText('Zurückzuzahlen: 1.166,20').waitFor()
    await expect.poll(() => paying.getByLabel('Betrag').inputValue()).toBe('-1.166,20')
    expect(await brokenRules(page)).toEqual([])
    await paying.getByRole('button', { name: 'Eintragen' }).click()
    await page.getByText('Die Zahlung ist eingetragen.').waitFor()
    await page.getByText('Zurückzuzahlen', { exact: true }).waitFor({ state: 'hidden' })
    expect(await page.getByRole('button', { name: /eintragen$/ }).count()).toBe(0)
  })

  test('what was written off comes after all: a loss is asked about before it is taken back', async () => {
    const page = await visit(LIST)
    await prepare(page)
    const id = await draft(page, '2026-10-02')
    await ask(page, 'a_save_positions', {
      rechnung_id: id,
      positionen: [{ bez: 'Aufmaß', anzahl: '10', einheit: 'Std', ep: '100' }],
    })
    await ask(page, 'a_issue_invoice', { invoice_id: id })
    const loss = { rechnung_id: id, datum: '2026-10-20', betrag: '1190.00', art: 'ausfall' }
    expect((await ask(page, 'a_add_payment', loss)).status).toBe(200)
    await page.goto(`${house.app.origin}${LIST}/rechnung/${id}`)
    await page.getByRole('button', { name: 'Zurücknehmen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Ausfall zurücknehmen?' })
    await dialog.getByLabel('Grund').fill('Insolvenzquote')
    await dialog.getByRole('button', { name: 'Zurücknehmen' }).click()
    await dialog.getByText('Diese Angabe fehlt.').waitFor()
    await dialog.getByLabel('Was ist geschehen?').selectOption('doch')
    await dialog.getByText('Die Umsatzsteuer erhöht sich im Monat dieses Tages').waitFor()
    expect(await dialog.getByLabel('Betrag').inputValue()).toBe('1.190,00')
    await dialog.getByLabel('Betrag').fill('595')
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Zurücknehmen' }).click()
    await page.getByText('Der Ausfall ist zurückgenommen. Bitte tragen Sie jetzt die Zahlung ein.').waitFor()
    await page.getByRole('button', { name: 'Zahlung eintragen' }).click()
    const paying = page.getByRole('dialog', { name: 'Zahlung eintragen' })
    await expect.poll(() => paying.getByLabel('Betrag').inputValue()).toBe('595,00')
  })

  test('two people at one draft: the later one chooses, field by field', async () => {
    const page = await visit(LIST)
    const id = await draft(page, '2026-11-02')
    await page.goto(`${house.app.origin}${LIST}/rechnung/update/${id}`)
    await page.getByLabel('Bearbeiter').fill('Meine Eingabe')
    const details = (
      (await ask(page, 'a_get_invoice_details', { invoice_id: id })).json as [Record<string, unknown>]
    )[0]
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
    const after = (
      (await ask(page, 'a_get_invoice_details', { invoice_id: id })).json as [Record<string, unknown>]
    )[0]
    expect(after).toMatchObject({ bearbeiter: 'Meine Eingabe', anrede: 'Hallo' })
  })

  test('a draft of an earlier day is not issuable: the check offers today, and then it is issued', async () => {
    const page = await visit(LIST)
    await prepare(page)
    const line = { bez: 'Graben', anzahl: '1', einheit: 'm', ep: '10', erl: '', erl_titel: '', erl_on: false }
    const [early, issued] = [await draft(page, '2026-01-02'), await draft(page, '2026-01-02')]
    for (const rechnung_id of [early, issued])
      await ask(page, 'a_insert_position', { ...line, lfd_nr: 1, rechnung_id, angebot_id: null })
    expect(await ask(page, 'a_issue_invoice', { invoice_id: issued })).toMatchObject({ status: 200 })
    // The day of an invoice that was issued before, so that the day alone says nothing about the draft.
    const before = (await ask(page, 'a_get_invoices', {})).json as { rn_datum: string; stand: string }[]
    const { rn_datum } = before.find(({ stand, rn_datum: day }) => stand !== 'entwurf' && day < '2026-11-01')!
    await ask(page, 'a_update_invoice_details', {
      invoice_id: early,
      bearbeiter: 'x',
      le_date: '2026-01-02',
      rn_datum,
      anrede: '',
      anschreiben: '',
      zuerl: '',
      ust_satz: '19',
    })
    await page.goto(`${house.app.origin}${LIST}/rechnung/update/${early}`)
    const check = page.getByLabel('Zu prüfen')
    await check.getByText(/liegt vor dem zuletzt ausgestellten Beleg/).waitFor()
    expect(await page.getByRole('button', { name: 'Ausstellen', exact: true }).isDisabled()).toBe(true)
    await check.getByRole('button', { name: 'Auf heute datieren' }).click()
    await check.getByText(/liegt vor dem zuletzt/).waitFor({ state: 'detached' })
    // Issuing saves first; what cannot be saved is said at its field, and nothing is issued.
    const discount = page.getByLabel('Rabatt oder Zuschlag auf alles')
    await discount.fill('viel')
    await page.getByRole('button', { name: 'Ausstellen', exact: true }).click()
    await expect.poll(() => discount.evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await page.getByRole('alertdialog').count()).toBe(0)
    await discount.fill('')
    await page.getByRole('button', { name: 'Ausstellen', exact: true }).click()
    await page.getByText('Gespeichert.').waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Endgültig ausstellen' }).click()
    await page.getByText(/wurde ausgestellt\.$/).waitFor()
  })

  test('the check leads to the field; a draft in the browser outlives a reload and can be thrown away', async () => {
    const page = await visit(LIST)
    const id = await draft(page)
    await page.goto(`${house.app.origin}${LIST}/rechnung/update/${id}`)
    await page.getByLabel('Zu prüfen').waitFor()
    await page
      .getByLabel('Zu prüfen')
      .getByRole('button', { name: /Leistung/ })
      .first()
      .click()
    await expect
      .poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).name))
      .toBe('le_date')
    expect(await page.getByRole('button', { name: 'Ausstellen' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Position hinzufügen' }).click()
    await page.keyboard.type('Nicht gespeichert')
    await page.keyboard.press('Tab')
    await expect
      .poll(() =>
        page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('.entwurf.')).length),
      )
      .toBe(1)
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
