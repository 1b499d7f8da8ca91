// Everyday tasks from beginning to end without a mouse: eight of the offices, one of a forester. Places are
// reached by Tab and arrows only; the last test holds this file to that. Each stop shows its focus, nothing
// covers it, and after a window the focus is where it was opened.
//
//   who             from                  task
//   ogf_admin       list of customers     create a customer
//   ogf_admin       list of people        invite a person, whose mail comes
//   apus_admin      list of invoices      write an invoice with five lines, issue it, send it
//   apus_admin      overview              find an invoice by its number
//   apus_admin      list of reminders     write a reminder
//   apus_admin      list of invoices      record a payment in full
//   apus_team       list of plans         georeference a plan
//   ogf_admin       list of customers     choose columns, change a cell and take it back
//   ogf_standard    sign-in               find the own trees and download their report
import { readFile } from 'node:fs/promises'
import { afterAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { type SmtpSink, startSmtpSink } from '../test/smtp-sink.ts'
import { type DemoRole, demoPassword, emailOf, hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { Keys } from './keys.ts'
import { LIEFERANT } from './lieferant.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('by keyboard alone', () => {
  let sink: SmtpSink
  afterAll(() => sink?.close())
  const house = oneServer({
    env: async () => {
      sink = await startSmtpSink()
      return { SMTP_URL: sink.url, MAIL_FROM: 'Forstkontor <rechnung@forst.example>', MAIL_EVERY_S: '1' }
    },
  })
  const enter = async (role: DemoRole, path: string): Promise<Keys> =>
    new Keys(await house.visit(role, path, { acceptDownloads: true }))
  const ask = async (page: Page, path: string, body?: object) => {
    const { status, json } = await call(house.app, await tokenOf(page), path, body)
    expect(status, `${path}: ${JSON.stringify(json)}`).toBeLessThan(300)
    return json as Record<string, string>[]
  }
  const mailTo = (address: string) =>
    expect.poll(() => sink.mails.some(({ to }) => to.includes(address)), { timeout: 30_000 }).toBe(true)
  const heading = (page: Page, name: RegExp | string) => page.getByRole('heading', { level: 1, name })
  const button = (page: Page, name: RegExp | string) => page.getByRole('button', { name, exact: true })
  /** An invoice that is issued and not yet paid. */
  const openInvoice = async (page: Page) =>
    (await ask(page, '/rest/rechnung_liste?select=id,nummer,brutto&stand=eq.offen&order=id.desc&limit=1'))[0]!

  test('create a customer: into the window, through its fields, and onto the new record', async () => {
    const keys = await enter('ogf_admin', '/kunden/index')
    const { page } = keys
    await keys.push(button(page, 'Kunde anlegen'))
    const dialog = page.getByRole('dialog', { name: 'Kunde anlegen' })
    await keys.isAt(dialog.getByRole('textbox', { name: 'Name', exact: false }).first())
    // Nothing typed: Escape closes, and the focus is back.
    await keys.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await keys.isAt(button(page, 'Kunde anlegen'))
    await keys.press('Enter')
    await keys.isAt(dialog.getByRole('textbox', { name: 'Name', exact: false }).first())
    await keys.type('Waldhof Tastatur')
    await keys.write(dialog.getByLabel('Straße und Hausnummer'), 'Am Forst 1')
    await keys.write(dialog.getByLabel('PLZ'), '01067')
    await expect.poll(() => dialog.getByLabel('Ort', { exact: false }).inputValue()).toBe('Dresden')
    // Cycles through the window forwards and backwards: what is behind it is out of reach, and nothing traps
    // the focus.
    const last = dialog.getByRole('button', { name: 'Anlegen', exact: true })
    await keys.tabTo(last)
    await keys.tabTo(dialog.getByLabel('PLZ'))
    await keys.tabTo(last, { key: 'Shift+Tab' })
    // Escape asks for confirmation, and continuing leads back to where it was.
    await keys.press('Escape')
    const asked = page.getByRole('alertdialog', { name: 'Eingaben verwerfen?' })
    await keys.push(asked.getByRole('button', { name: 'Weiter bearbeiten' }))
    await asked.waitFor({ state: 'hidden' })
    await keys.isAt(last)
    await keys.press('Enter')
    await heading(page, 'Waldhof Tastatur').waitFor()
    expect(await ask(page, '/rest/kunde?name=eq.Waldhof%20Tastatur&select=ort')).toEqual([{ ort: 'Dresden' }])
    expect(keys.faults).toEqual([])
  })

  test('invite a person: their customer is searched, the mail comes', async () => {
    const keys = await enter('ogf_admin', '/nutzer/index')
    const { page } = keys
    await keys.push(button(page, 'Nutzer anlegen'))
    const dialog = page.getByRole('dialog', { name: 'Nutzer anlegen' })
    await keys.write(dialog.getByLabel('Anmeldeadresse'), 'tanja.taste@griff.example')
    await keys.write(dialog.getByLabel('Vorname'), 'Tanja')
    await keys.write(dialog.getByLabel('Nachname'), 'Taste')
    await keys.tabTo(dialog.getByRole('combobox', { name: 'Kunde' }))
    await keys.choose('Forst', dialog)
    await keys.push(dialog.getByRole('button', { name: 'Anlegen', exact: true }))
    await heading(page, 'Tanja Taste').waitFor()
    await mailTo('tanja.taste@griff.example')
    expect(keys.faults).toEqual([])
  })

  test('write an invoice with five lines, issue it and send it', async () => {
    const keys = await enter('apus_admin', '/buchhaltung/rechnungen')
    const { page } = keys
    await ask(page, '/rest/rpc/a_set_lieferant', { werte: LIEFERANT })
    const [kunde] = await ask(page, '/rest/kunde?select=client_id,name&client_id=eq.41')
    const bill = { client_id: 41, werte: { rechnung_mail: 'kasse@taste.example' } }
    await ask(page, '/rest/rpc/a_set_kunde_rechnung', bill)
    await keys.push(button(page, 'Rechnung schreiben').first())
    await keys.isAt(page.getByRole('dialog').getByRole('combobox', { name: 'Kunde' }))
    await keys.choose(kunde!['name']!, page.getByRole('dialog'))
    await page.getByRole('heading', { name: 'Neue Rechnung' }).waitFor()
    await keys.write(page.getByLabel('Leistung am oder ab'), '2.11.2026')
    await keys.press('Enter')
    await heading(page, 'Rechnung schreiben').waitFor()
    await keys.push(button(page, 'Position hinzufügen'))
    for (let line = 0; line < 5; line++) {
      await keys.isAt(page.locator(`[data-cell="${line}.2"]`))
      // Description, quantity, unit, price, and past discount and rate into the next line.
      const cells = [`Graben ${line + 1} aufmessen`, '12,5', 'ha', '80', '', '']
      for (const text of line < 4 ? cells : cells.slice(0, 4)) {
        await keys.type(text)
        await keys.press('Tab')
        await keys.look()
      }
    }
    await keys.press('Escape')
    await keys.isAt(button(page, 'Position hinzufügen'))
    await keys.push(button(page, 'Ausstellen'))
    const confirm = page.getByRole('alertdialog', { name: 'Rechnung ausstellen?' })
    await confirm.getByText('Brutto: 5.950,00 €').waitFor()
    // Thought better of once: the focus goes back to the button.
    await keys.press('Escape')
    await confirm.waitFor({ state: 'hidden' })
    await keys.isAt(button(page, 'Ausstellen'))
    await keys.press('Enter')
    await keys.push(confirm.getByRole('button', { name: 'Endgültig ausstellen' }))
    await heading(page, /^Rechnung RE-/).waitFor()
    await keys.push(button(page, 'Rechnung versenden'))
    const sending = page.getByRole('dialog', { name: 'Rechnung versenden' })
    await keys.push(sending.getByRole('button', { name: 'Senden', exact: true }))
    await page.getByText('Die E-Mail ist unterwegs.').waitFor()
    await sending.waitFor({ state: 'hidden' })
    await keys.isSomewhere()
    await mailTo('kasse@taste.example')
    expect(keys.faults).toEqual([])
  })

  test('whoever types faster than the search answers gets what was typed, not an earlier hit', async () => {
    const keys = await enter('apus_admin', '/buchhaltung/rechnungen')
    const { page } = keys
    const [kunde] = await ask(page, '/rest/kunde?select=name&client_id=eq.41')
    await keys.push(button(page, 'Rechnung schreiben').first())
    const field = page.getByRole('dialog').getByRole('combobox', { name: 'Kunde' })
    await keys.isAt(field)
    await keys.type('e')
    const first = page.getByRole('option').first()
    await first.waitFor()
    expect(await first.innerText()).not.toContain(kunde!['name'])
    let answer: () => void = () => undefined
    const slow = new Promise<void>((done) => (answer = done))
    await page.route('**/rest/kunde?*', async (route) => {
      await slow
      await route.continue()
    })
    await keys.retype(kunde!['name']!)
    // What was found for the text before is still in sight, and no arrow chooses among it.
    await first.and(page.locator('[aria-disabled="true"]')).waitFor()
    await keys.press('ArrowDown')
    await keys.press('Enter')
    answer()
    await page.getByRole('heading', { name: 'Neue Rechnung' }).waitFor()
    await expect.poll(() => page.getByRole('combobox', { name: 'Kunde' }).inputValue()).toBe(kunde!['name'])
    expect(keys.faults).toEqual([])
  })

  test('find an invoice by its number', async () => {
    const keys = await enter('apus_admin', '/dashboard')
    const { page } = keys
    const { nummer } = await openInvoice(page)
    await keys.press('Control+k')
    await keys.isAt(page.getByRole('combobox', { name: 'Name, Ort, Nummer, Betrag oder Seite' }))
    await keys.type(nummer!)
    await page
      .getByRole('option', { name: new RegExp(nummer!) })
      .first()
      .waitFor()
    await page.locator('.jump-list[aria-busy="false"]').waitFor({ state: 'attached' })
    await keys.press('Enter')
    await heading(page, `Rechnung ${nummer}`).waitFor()
    expect(keys.faults).toEqual([])
  })

  test('down and up a list with sums: no row comes to rest behind its head or foot', async () => {
    const keys = await enter('apus_admin', '/buchhaltung/rechnungen')
    const { page } = keys
    const rows = page.getByRole('table').locator('a[data-row-link]')
    await rows.first().waitFor()
    const count = await rows.count()
    expect(count).toBeGreaterThan(20)
    await keys.tabTo(rows.first())
    for (let at = 1; at < count; at++) {
      await keys.press('ArrowDown')
      await keys.isAt(rows.nth(at))
    }
    for (let at = count - 2; at >= 0; at--) {
      await keys.press('ArrowUp')
      await keys.isAt(rows.nth(at))
    }
  })

  test('write a reminder', async () => {
    const keys = await enter('apus_admin', '/buchhaltung/mahnungen')
    const { page } = keys
    await ask(page, '/rest/rpc/a_set_lieferant', { werte: LIEFERANT })
    const first = button(page, /^Zahlungserinnerung zu .* schreiben$/).first()
    await keys.push(first)
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await keys.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await keys.isAt(first)
    await keys.press('Enter')
    await keys.push(dialog.getByRole('button', { name: 'Schreiben', exact: true }))
    await page.getByText('Die Mahnung ist geschrieben.').waitFor()
    await dialog.waitFor({ state: 'hidden' })
    await keys.isSomewhere()
    expect(keys.faults).toEqual([])
  })

  test('record a payment in full', async () => {
    const keys = await enter('apus_admin', '/buchhaltung/rechnungen')
    const { page } = keys
    const { nummer } = await openInvoice(page)
    await keys.write(page.getByRole('searchbox', { name: 'Rechnungen suchen' }), nummer!)
    await page.waitForURL(new RegExp(`suche=${nummer}`))
    await page.getByText('1 Treffer').waitFor()
    await keys.push(page.getByRole('link', { name: nummer! }).first())
    await heading(page, `Rechnung ${nummer}`).waitFor()
    await keys.push(button(page, 'Zahlung eintragen'))
    const dialog = page.getByRole('dialog', { name: 'Zahlung eintragen' })
    await keys.push(dialog.getByRole('button', { name: 'Eintragen' }))
    await page.getByText('Die Zahlung ist eingetragen.').waitFor()
    await dialog.waitFor({ state: 'hidden' })
    await keys.isSomewhere()
    expect(keys.faults).toEqual([])
  })

  test('georeference a plan: found in the list, a point set in both pictures, one typed, saved', async () => {
    const keys = await enter('apus_team', '/karten/index')
    const { page } = keys
    const [plan] = await ask(
      page,
      '/rest/karte_liste?select=id,map_name,scan,punkte&scan=gt.0&punkte=gt.2&order=id&limit=1',
    )
    const points = () => ask(page, `/rest/mappoint?karte_id=eq.${plan!['id']}&order=nr`)
    const [known, ...others] = await points()
    const before = others.length + 1
    await keys.write(page.getByRole('searchbox', { name: 'Pläne suchen' }), plan!['map_name']!)
    await page.waitForURL(/suche=/)
    await page.getByText(/^\d+ Treffer$/).waitFor()
    await keys.push(page.getByRole('link', { name: plan!['map_name']!, exact: true }).first())
    await heading(page, plan!['map_name']!).waitFor()
    await keys.push(page.getByRole('link', { name: 'Georeferenzieren' }))
    await heading(page, 'Georeferenzierung').waitFor()
    const rows = page.getByRole('table', { name: 'Passpunkte' }).locator('tbody tr')
    await rows.nth(before - 1).waitFor()
    const [scan, ground] = ['Scan', 'Karte'].map((name) => page.getByRole('region', { name, exact: true }))
    await ground!.locator('canvas').first().waitFor()
    // N begins, arrows move the picture, Enter sets a point in its middle.
    await keys.tabTo(scan!)
    await keys.press('n')
    await keys.press('ArrowRight')
    await keys.press('Enter')
    await page.getByText('Jetzt denselben Ort auf der Karte anklicken. Esc verwirft ihn.').waitFor()
    await keys.tabTo(ground!)
    await keys.press('Enter')
    await rows.nth(before).waitFor()
    await keys.press('Escape')
    await keys.push(button(page, 'Koordinaten eingeben'))
    const typed = page.getByRole('dialog', { name: 'Punkt eingeben' })
    await keys.press('Escape')
    await typed.waitFor({ state: 'hidden' })
    await keys.isAt(button(page, 'Koordinaten eingeben'))
    await keys.press('Enter')
    const german = (value: unknown) => Number(value).toFixed(2).replace('.', ',')
    await keys.write(typed.getByRole('textbox', { name: /^Ost/ }), german(known!['mapx']))
    await keys.write(typed.getByRole('textbox', { name: /^Nord/ }), german(known!['mapy']))
    await keys.write(typed.getByLabel('Spalte im Scan'), german(known!['pixelx']))
    await keys.write(typed.getByLabel('Zeile im Scan'), german(-Number(known!['pixely'])))
    await keys.push(typed.getByRole('button', { name: 'Übernehmen' }))
    await typed.waitFor({ state: 'hidden' })
    await keys.isAt(button(page, 'Koordinaten eingeben'))
    await rows.nth(before + 1).waitFor()
    await keys.press('Control+s')
    await page.getByText('Gespeichert.').waitFor()
    await expect.poll(async () => (await points()).length).toBe(before + 2)
    expect(keys.faults).toEqual([])
  })

  test('choose columns, change a cell and take it back', async () => {
    const keys = await enter('ogf_admin', '/kunden/index')
    const { page } = keys
    const heads = () =>
      page.locator('thead th').evaluateAll((all) => all.map((th) => (th as HTMLElement).innerText.trim()))
    await page.locator('.row-link').first().waitFor()
    await keys.push(button(page, 'Spalten wählen'))
    await keys.arrowTo(page.getByRole('menuitemcheckbox', { name: 'Nr.' }))
    await keys.press('Enter')
    await keys.press('Escape')
    await keys.isAt(button(page, 'Spalten wählen'))
    await expect.poll(heads).toContain('Nr.')
    await keys.tabTo(page.locator('.row-link').first())
    await keys.press('F2')
    const editor = page.locator('.cell-editor')
    await keys.isAt(editor.getByRole('textbox', { name: 'Name' }))
    await keys.press('Escape')
    for (const column of ['plz', 'ort']) {
      await keys.press('ArrowRight')
      await keys.isAt(page.locator(`td[data-cell="${column}"]`).first())
    }
    const ort = page.locator('td[data-cell="ort"]').first()
    const before = await ort.innerText()
    await keys.press('Enter')
    await keys.isAt(editor.getByRole('textbox', { name: 'Ort' }))
    await keys.retype('Neustadt an der Taste')
    await keys.press('Enter')
    await page.getByText('Ort geändert.').waitFor()
    await keys.isAt(ort)
    await expect.poll(() => ort.innerText()).toBe('Neustadt an der Taste')
    await keys.push(button(page, /^Rückgängig/), { key: 'Shift+Tab' })
    await expect.poll(() => ort.innerText()).toBe(before)
    expect(keys.faults).toEqual([])
  })

  test('a forester signs in, finds the own trees and downloads their report', async () => {
    const { page } = await house.window({ acceptDownloads: true })
    const keys = new Keys(page)
    await page.goto('/habitatbaeume/index')
    await keys.write(page.getByLabel('E-Mail'), emailOf('ogf_standard'))
    await keys.write(page.getByLabel('Passwort', { exact: true }), demoPassword(house.app))
    await keys.press('Enter')
    const main = page.getByRole('main')
    await main.getByText(/: (?:\d+ Habitatbäume|1 Habitatbaum)$/).waitFor()
    const first = main.getByRole('row').nth(1).getByRole('checkbox')
    await keys.tabTo(first)
    await keys.press(' ')
    await keys.push(
      main.getByRole('region', { name: 'Auswahl' }).getByRole('button', { name: 'PDF-Bericht' }),
    )
    const dialog = page.getByRole('dialog', { name: 'PDF-Bericht' })
    await dialog.getByText('Liste mit Karte von 1 Habitatbaum:', { exact: false }).waitFor()
    const coming = page.waitForEvent('download')
    await keys.push(dialog.getByRole('button', { name: /herunterladen|erstellen/i }))
    expect((await readFile(await (await coming).path())).subarray(0, 5).toString()).toBe('%PDF-')
    expect(keys.faults).toEqual([])
  })

  test('these journeys use nothing but keys', async () => {
    const source = await readFile(import.meta.filename, 'utf8')
    const kit = await readFile(new URL('./keys.ts', import.meta.url), 'utf8')
    const hands =
      /\.(?:click|dblclick|fill|check|uncheck|focus|hover|tap|selectOption|setInputFiles|mouse|dispatchEvent)\b/g
    expect([...`${source}${kit}`.matchAll(hands)].map(([found]) => found)).toEqual([])
  })
})
