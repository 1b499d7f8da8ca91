// Payments from the bank to the adviser and the auditor: a statement is read, its entries are assigned by
// keyboard, split, put aside and reversed; the DATEV batch and the archive match what was booked.
import { officeDay } from '#server/office-day.ts'
import { readFileSync } from 'node:fs'
import type { Download, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { unpackZip } from '../web/src/data/unpack-zip.ts'
import { statementXml, KUNDEN_IBAN, type SampleBuchung } from '#domain/camt/statement.fixture.ts'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { LIEFERANT } from './lieferant.ts'
import { oneServer } from './one-server.ts'

const PATH = '/buchhaltung/zahlungen'
const WITH_DATEV = {
  ...LIEFERANT,
  datev_berater: '29098',
  datev_mandant: '55003',
  datev_debitor_sammel: '10000',
  datev_bankkonto: '1200',
  datev_erloeskonten: {
    'S 19.00': '8400',
    'S 7.00': '8300',
    'S 0.00': '8200',
    'E 0.00': '8200',
    'AE 0.00': '8337',
  },
  datev_skontokonten: { 'S 19.00': '8736', 'S 7.00': '8731' },
}

describe.skipIf(!hasBrowser())('payments', () => {
  const house = oneServer()

  test('on a phone no list of the bookkeeping scrolls sideways, and the amounts are in sight', async () => {
    const page = await house.visit('apus_admin', '/buchhaltung/rechnungen', {
      viewport: { width: 390, height: 844 },
    })
    for (const path of [`${PATH}?teil=alle`, PATH, '/buchhaltung/rechnungen', '/buchhaltung/mahnungen']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      if (path !== PATH) await page.locator('table tbody td.cell-end').first().waitFor()
      const wide = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('.table-scroll')].map(
          (element) => element.scrollWidth - element.clientWidth,
        ),
      )
      expect(wide, path).toEqual(wide.map(() => 0))
      expect(await brokenRules(page), path).toEqual([])
    }
  })
  const visit = (path: string): Promise<Page> => house.visit('apus_admin', path)
  const ask = async <T>(page: Page, name: string, body: object): Promise<T> => {
    const { status, json } = await call(house.app, await tokenOf(page), `/rest/rpc/${name}`, body)
    expect([name, status, json]).toEqual([name, expect.toSatisfy((code: number) => code < 300), json])
    return json as T
  }
  /** An invoice issued today, with this net amount. */
  const issue = async (
    page: Page,
    netto: string,
    skonto: object[] = [],
  ): Promise<{ id: number; nummer: string }> => {
    const day = await ask<string | null>(page, 'a_get_min_rn_datum_for_new_invoice', {})
    const today = officeDay(new Date())
    const rn_datum = day !== null && day > today ? day : today
    const id = await ask<number>(page, 'a_add_invoice', {
      client_id: 41,
      rn_datum,
      le_date: rn_datum,
      ust_satz: '19',
    })
    await ask(page, 'a_save_positions', {
      rechnung_id: id,
      positionen: [{ anzahl: '1', einheit: 'Stk', bez: 'Vermessung', ep: netto }],
    })
    await ask(page, 'a_set_invoice_terms', { invoice_id: id, skonto, zahlungsziel: 14 })
    const [{ nummer }] = await ask<[{ nummer: string }]>(page, 'a_issue_invoice', { invoice_id: id })
    return { id, nummer }
  }
  const choose = (page: Page, name: string, content: string) =>
    page
      .getByLabel('Kontoauszug', { exact: true })
      .setInputFiles({ name, mimeType: 'text/xml', buffer: Buffer.from(content) })
  const focused = (page: Page) =>
    page.evaluate(
      () =>
        document.activeElement?.closest('li')?.getAttribute('aria-label')?.replaceAll('\u00a0', ' ') ??
        document.activeElement?.textContent,
    )
  const saved = async (download: Promise<Download>): Promise<{ name: string; bytes: Buffer }> => {
    const file = await download
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
  }

  test('from the statement to the auditor', { timeout: 240_000 }, async () => {
    const page = await visit(PATH)
    await ask(page, 'a_set_lieferant', { werte: WITH_DATEV })
    // Puts aside what the sample has left open.
    for (const { id } of await ask<{ id: number }[]>(page, 'a_get_bank', { nur_offene: true }))
      await ask(page, 'a_set_umsatz_erledigt', { umsatz_id: id, erledigt: true })
    const [one, two, three, four] = [
      await issue(page, '100'),
      await issue(page, '200', [{ tage: 14, prozent: '2.00' }]),
      await issue(page, '300'),
      await issue(page, '1000'),
    ]
    const today = officeDay(new Date())
    const entry = (
      amountText: string,
      name: string,
      purpose: string[],
      more: Partial<SampleBuchung> = {},
    ): SampleBuchung => ({
      betrag: amountText,
      datum: today,
      referenz: `R-${amountText}-${name}`,
      pieces: [{ name, iban: KUNDEN_IBAN, zweck: purpose }],
      ...more,
    })
    const buchungen = [
      entry('119.00', 'Aa genau', [`Rechnung ${one.nummer}`]),
      entry('233.24', 'Ab Skonto', [two.nummer.replaceAll('-', ' ')]),
      entry('357.00', 'Ac genau', [three.nummer.slice(0, 8), three.nummer.slice(8)]),
      entry('500.00', 'Ad Teil', [four.nummer]),
      entry('800.00', 'Ae mehr', ['Abschlag ohne Nummer']),
      entry('12.00', 'Af Vermieter', ['Miete'], { richtung: 'DBIT' }),
      entry('9.00', 'Ag vorgemerkt', ['x'], { stand: 'PDNG' }),
    ]
    const bankStatement = statementXml('08', [{ anfang: '0.00', ende: '1997.24', buchungen }])
    await page.reload()
    await page.getByText('Datei der Bank hierher ziehen').waitFor()
    expect(await brokenRules(page)).toEqual([])

    // Wrong files are identified; the right one is previewed before anything is written.
    await choose(page, 'auszug.sta', ':20:STARTUMS\n:25:12030000/202051\n')
    await page.getByText('fehlt der Anfangs- oder der Endsaldo').waitFor()
    await choose(
      page,
      'fremd.xml',
      statementXml('02', [{ iban: KUNDEN_IBAN, buchungen: [entry('1.00', 'x', [])] }]),
    )
    await page.getByText('Ein anderes Konto als in den Einstellungen').waitFor()
    expect(await page.getByRole('button', { name: '1 Umsatz einlesen' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Verwerfen' }).click()
    await choose(page, 'auszug.xml', bankStatement)
    await page.getByText('Neue Umsätze: 6, schon da: 0').waitFor()
    await page.getByText('Vorgemerkt und noch nicht gebucht, deshalb ausgelassen: 1').waitFor()
    expect(await page.getByText('ergeben nicht den Endsaldo').count()).toBe(0)
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: '6 Umsätze einlesen' }).click()
    await page.getByText('Neu eingelesen: 6, schon da: 0').waitFor()
    await choose(page, 'auszug.xml', bankStatement)
    await page.getByText('Alle 6 Umsätze sind schon da.').waitFor()
    await page.getByRole('button', { name: 'Schließen', exact: true }).click()

    // The same days as MT940: only what is new, with other texts of the rest.
    const shortDay = today.slice(2).replaceAll('-', '')
    const mt940 = [
      ':20:STARTUMS',
      ':25:12030000/0000202051',
      ':28C:00009/001',
      `:60F:C${shortDay}EUR0,00`,
      ...['C119,00', 'C233,24', 'C357,00', 'C500,00', 'C800,00', 'D12,00', 'C7,77'].flatMap((money) => [
        `:61:${shortDay}${money}NTRFNONREF`,
        ':86:166?00GUTSCHRIFT?20SVWZ+NUR IM MT940?31DE89370400440532013000?32AH ALTES FORMAT',
      ]),
      `:62F:C${shortDay}EUR2005,01`,
    ].join('\r\n')
    await choose(page, 'auszug.sta', mt940)
    await page.getByText('Erkannt: Kontoauszug im Format MT940').waitFor()
    await page.getByText('Neue Umsätze: 1, schon da: 6').waitFor()
    await page.getByText('Neu bleiben dort: 1.').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: '1 Umsatz einlesen' }).click()
    await page.getByText('Neu eingelesen: 1, schon da: 6').waitFor()
    await choose(page, 'auszug.sta', mt940)
    await page.getByText('Alle 7 Umsätze sind schon da.').waitFor()
    await page.getByRole('button', { name: 'Schließen', exact: true }).click()

    // The same account as CSV with headings that nobody knows: mapped by hand, with a row that is wrong.
    const germanDay = today.split('-').toReversed().join('.')
    const csv = (amount: string) =>
      [
        'Wann;Wer;Was;Wieviel;Waehrung',
        `${germanDay};AA GENAU;anders;119.00;EUR`,
        `${germanDay};Zz CSV;=HYPERLINK("x");${amount};EUR`,
      ].join('\n')
    const column = (name: string) => page.getByLabel(`Feld für die Spalte ${name}`, { exact: true })
    await choose(page, 'umsaetze.csv', csv('3,33'))
    await page.getByText('Bitte ordnen Sie zu: Buchungstag, Betrag.').waitFor()
    await column('Wann').selectOption({ label: 'Buchungstag' })
    await column('Wer').selectOption({ label: 'Name der anderen Seite' })
    await column('Was').selectOption({ label: 'Verwendungszweck' })
    await column('Wieviel').selectOption({ label: 'Betrag' })
    await page.getByText('„119.00“ ist kein Betrag.').waitFor()
    await page.getByLabel('Dezimalzeichen').selectOption({ label: 'Punkt (1,234.50)' })
    await page.getByText('„3,33“ ist kein Betrag.').waitFor()
    const goOn = page.getByRole('button', { name: 'Weiter zur Prüfung' })
    expect(await goOn.isDisabled()).toBe(true)
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Andere Datei' }).click()
    await choose(page, 'umsaetze.csv', csv('3.33'))
    await column('Wann').selectOption({ label: 'Buchungstag' })
    await column('Wer').selectOption({ label: 'Name der anderen Seite' })
    await column('Was').selectOption({ label: 'Verwendungszweck' })
    await column('Wieviel').selectOption({ label: 'Betrag' })
    await page.getByLabel('Dezimalzeichen').selectOption({ label: 'Punkt (1,234.50)' })
    await page.getByRole('table', { name: 'Die ersten Umsätze' }).getByText('=HYPERLINK("x")').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect((await column('Wieviel').boundingBox())!.x).toBeLessThan(200)
    await page.setViewportSize({ width: 1280, height: 800 })
    // A look at the other part of the page costs neither the file nor its mapping.
    await page.getByRole('tab', { name: 'Alle Umsätze' }).click()
    await page.getByRole('tab', { name: 'Zuordnen' }).click()
    await goOn.click()
    await page.getByText('Erkannt: Umsatzliste im Format CSV').last().waitFor()
    await page.getByText('Neue Umsätze: 1, schon da: 1').waitFor()
    expect(await page.locator(':focus').innerText()).toBe('umsaetze.csv')
    await page.getByRole('button', { name: 'Zuordnung ändern' }).click()
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('umsaetze.csv')
    await goOn.click()
    await page.getByRole('button', { name: '1 Umsatz einlesen' }).click()
    await page.getByText('Neu eingelesen: 1, schon da: 1').waitFor()
    // Remembered for the account.
    await choose(page, 'umsaetze.csv', csv('3.33'))
    await page.getByText('Die Zuordnung stammt von Ihrem letzten Einlesen für dieses Konto.').waitFor()
    await goOn.click()
    await page.getByText('Alle 2 Umsätze sind schon da.').waitFor()
    await page.getByRole('button', { name: 'Schließen', exact: true }).click()

    // By keyboard: the proposal of the focused row, then the next row.
    const row = (name: string) => page.getByRole('listitem', { name })
    await page.getByLabel('Offene Umsätze suchen').fill('A')
    await row('Aa genau').getByText('sicher', { exact: true }).waitFor()
    await row('Ad Teil').getByText('weniger als offen ist').waitFor()
    await row('Ab Skonto').getByText('Betrag abzüglich Skonto, rechtzeitig').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await row('Aa genau').getByRole('button', { name: 'Zuordnen', exact: true }).focus()
    // The newest entries come first; this one is the last.
    await page.keyboard.press('ArrowUp')
    const second = await focused(page)
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toContain('Aa genau')
    await page.keyboard.press('Enter')
    await page.getByText(`zugeordnet: ${one.nummer}`).waitFor()
    await row('Aa genau').waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe(second)

    // All certain matches after one confirmation.
    await page.getByRole('button', { name: '2 sichere zuordnen …' }).click()
    const look = page.getByRole('alertdialog', { name: '2 Umsätze zuordnen?' })
    await look.getByText(two.nummer).waitFor()
    await look.getByText(three.nummer).waitFor()
    await look.getByRole('button', { name: 'Alle zuordnen' }).click()
    await page.getByText('2 Umsätze sind zugeordnet.').waitFor()
    // The account is known by now, and the next proposal says so.
    await row('Ae mehr').getByText('Konto hat schon für diesen Kunden gezahlt').waitFor()

    // By hand: more than is open needs confirmation; then in parts.
    await row('Ae mehr').getByRole('button', { name: 'Anders zuordnen …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Zahlung zuordnen' })
    await dialog.getByLabel('Rechnung, Kunde oder Lieferant suchen').fill(four.nummer)
    await dialog.getByLabel(new RegExp(four.nummer)).first().check()
    const amount = dialog.getByLabel(`Betrag für ${four.nummer}`)
    expect(await amount.inputValue()).toBe('800,00')
    await amount.fill('900')
    await dialog.getByText('100,00 € zu viel verteilt').waitFor()
    await amount.fill('790')
    await dialog.getByText('Übrig bleiben 10,00 €').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Zuordnen' }).click()
    await row('Ae mehr').getByText('Rest von 800,00 €').waitFor()

    // Marked as not belonging here, and undone.
    await row('Af Vermieter').getByRole('button', { name: 'Gehört nicht hierher' }).click()
    await row('Af Vermieter').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Rückgängig' }).last().click()
    await row('Af Vermieter').waitFor()

    // All entries with their outcome; reversing an assignment needs a reason.
    await page.getByRole('tab', { name: 'Alle Umsätze' }).click()
    const line = page.getByRole('row').filter({ hasText: 'Aa genau' })
    await line.getByText(one.nummer).first().waitFor()
    expect(await brokenRules(page)).toEqual([])
    await line.getByRole('button', { name: /^Zuordnung von .* zurücknehmen$/ }).click()
    const taking = page.getByRole('dialog', { name: 'Zuordnung zurücknehmen?' })
    await taking.getByRole('button', { name: 'Zurücknehmen' }).click()
    await taking.getByText('Diese Angabe fehlt.').waitFor()
    await taking.getByLabel('Grund').fill('Falscher Kunde')
    await taking.getByRole('button', { name: 'Zurücknehmen' }).click()
    await page.getByText('Die Zuordnung ist zurückgenommen').waitFor()
    await line.getByText('Offen', { exact: true }).waitFor()

    // The invoice shows its payments.
    await page.goto(`${house.app.origin}/buchhaltung/rechnungen/rechnung/${two.id}`)
    await page.getByText('Bezahlt', { exact: true }).first().waitFor()
    await page.getByRole('list', { name: 'Zahlungen' }).getByText('Skonto').waitFor()

    // The batch for this year, with payments: recorded, and a second one triggers a warning.
    await page.goto(`${house.app.origin}/buchhaltung/pruefung`)
    await page.getByRole('button', { name: 'Dieses Jahr' }).click()
    await page.getByLabel('Zahlungen und Skonti mitgeben').check()
    await page.getByText(/Rechnungen und Stornos: \d+, Zahlungen: \d+/).waitFor()
    expect(await brokenRules(page)).toEqual([])
    const year = today.slice(0, 4)
    const batch = await Promise.all([
      saved(page.waitForEvent('download')),
      page.getByRole('button', { name: 'Stapel herunterladen' }).click(),
    ])
    expect(batch[0].name).toBe(`EXTF_Buchungsstapel_${year}0101_${year}1231.csv`)
    const text = new TextDecoder('windows-1252').decode(batch[0].bytes)
    const lines = text.split('\r\n')
    expect(lines[0]).toMatch(/^"EXTF";700;21;"Buchungsstapel";13;/)
    const ddmm = today.slice(8, 10) + today.slice(5, 7)
    // Column 115, the day of supply.
    const supplied = ddmm + year
    const of = (documentNumber: string) =>
      lines
        .filter((each) => each.includes(`"${documentNumber}"`))
        .map((each) =>
          each
            .split(';')
            .filter((_, index) => [0, 1, 6, 7, 9, 114].includes(index))
            .join(' ')
            .trim(),
        )
    expect(of(two.nummer)).toEqual([
      `238,00 "S" 10000 8400 ${ddmm} ${supplied}`,
      `233,24 "H" 10000 1200 ${ddmm}`,
      `4,76 "H" 10000 8736 ${ddmm} ${supplied}`,
    ])
    expect(of(one.nummer)).toEqual([
      `119,00 "S" 10000 8400 ${ddmm} ${supplied}`,
      `119,00 "H" 10000 1200 ${ddmm}`,
      `119,00 "S" 10000 1200 ${ddmm}`,
    ])
    await page.getByText('Aus diesem Zeitraum wurde schon exportiert').waitFor()

    // For the auditor: the check of the books in words, the archive with the bytes of issued documents, the
    // log.
    await page.getByRole('tab', { name: 'Prüfung', exact: true }).click()
    await page.getByText('Die Bücher sind unversehrt').waitFor()
    expect(await brokenRules(page)).toEqual([])
    const archive = await Promise.all([
      saved(page.waitForEvent('download', { timeout: 120_000 })),
      page.getByRole('button', { name: 'Archiv herunterladen' }).click(),
    ])
    const files = await unpackZip(new Uint8Array(archive[0].bytes), () => true)
    const payments = Buffer.from(files.find(({ name }) => name === 'zahlungen.csv')!.data).toString('utf8')
    expect(payments).toContain(`"${two.nummer}"`)
    expect(
      files.filter(({ name }) => name.startsWith('dokumente/') && name.endsWith('.pdf')).length,
    ).toBeGreaterThanOrEqual(4)
    const index = Buffer.from(files.find(({ name }) => name === 'dateien.csv')!.data).toString('utf8')
    expect(index).toContain(`"${four.nummer}"`)
    expect(index).not.toContain('ABWEICHUNG')
    await page.getByRole('tab', { name: 'Protokoll', exact: true }).click()
    await page.getByRole('row').filter({ hasText: 'Archiv für die Prüfung' }).first().waitFor()
    expect(await brokenRules(page)).toEqual([])
  })

  test('an invoice paid with the costs of its reminder: proposed in one, shown apart', async () => {
    const page = await visit(PATH)
    const [overdue] = (
      await ask<{ rechnung_id: number; nummer: string; offen: string; naechste: number; dran: boolean }[]>(
        page,
        'a_get_mahnliste',
        {},
      )
    ).filter(({ dran }) => dran)
    const { rechnung_id, nummer, offen, naechste: level } = overdue!
    await ask(page, 'a_add_mahnung', {
      rechnung_id,
      stufe: level,
      gebuehr: '5.00',
      text: 'Bitte zahlen Sie {betrag}.',
    })
    const invoices = await ask<{ rechnung_id: number; mahnkosten: string }[]>(
      page,
      'a_get_bank_rechnungen',
      {},
    )
    const costs = invoices.find((one) => one.rechnung_id === rechnung_id)!.mahnkosten
    const cents = Math.round(Number(offen) * 100) + Math.round(Number(costs) * 100)
    const entry = { datum: officeDay(new Date()), name: 'Ah Mahnung', zweck: nummer, quelle: 'camt' }
    await ask(page, 'a_import_bank', { umsaetze: [{ ...entry, betrag: (cents / 100).toFixed(2) }] })
    await page.reload()
    const row = page.getByRole('listitem', { name: 'Ah Mahnung' })
    await row.getByText('Betrag mit den Mahnkosten').waitFor()
    await row.getByText('mit den Mahnkosten', { exact: true }).waitFor()

    await row.getByRole('button', { name: 'Anders zuordnen …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Zahlung zuordnen' })
    await dialog.getByLabel('Rechnung, Kunde oder Lieferant suchen').fill(nummer)
    await dialog.getByLabel(new RegExp(nummer)).first().check()
    const isCosts = dialog.getByLabel(/davon sind Mahnkosten$/)
    expect(await isCosts.isChecked()).toBe(true)
    await isCosts.uncheck()
    await dialog.getByLabel('Es wurde mehr gezahlt als offen ist; das stimmt so.').waitFor()
    await isCosts.check()
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Zuordnen' }).click()
    await row.waitFor({ state: 'detached' })
    await page.goto(`${house.app.origin}/buchhaltung/rechnungen/rechnung/${rechnung_id}`)
    await page.getByRole('list', { name: 'Zahlungen' }).getByText('Mahnkosten').waitFor()
    await page.getByText('Bezahlt', { exact: true }).first().waitFor()
  })

  test('a batch that its parts do not add up to is proposed line by line', { timeout: 120_000 }, async () => {
    const page = await visit(PATH)
    await ask(page, 'a_set_lieferant', { werte: WITH_DATEV })
    const [one, two] = [await issue(page, '100'), await issue(page, '200')]
    await page.reload()
    await page.getByText('Datei der Bank hierher ziehen').waitFor()
    const part = (euros: string, name: string, purposeText: string) => ({
      betrag: euros,
      name,
      zweck: [purposeText],
    })
    const today = officeDay(new Date())
    await choose(
      page,
      'sammler.xml',
      statementXml('08', [
        {
          anfang: '0.00',
          ende: '356.50',
          buchungen: [
            {
              betrag: '356.50',
              datum: today,
              referenz: 'SAMMLER-1',
              text: 'Kartenzahlungen',
              pieces: [part('119.00', 'Sa eins', one.nummer), part('238.00', 'Sb zwei', two.nummer)],
            },
          ],
        },
      ]),
    )
    await page.getByText('deren Posten nicht die gebuchte Summe ergeben: 1').waitFor()
    await page.getByText('Neue Umsätze: 3, schon da: 0').waitFor()
    expect(await page.getByText('ergeben nicht den Endsaldo').count()).toBe(0)
    await page.getByRole('button', { name: '3 Umsätze einlesen' }).click()
    for (const [name, documentNumber] of [
      ['Sa eins', one.nummer],
      ['Sb zwei', two.nummer],
    ] as const) {
      const row = page.getByRole('listitem', { name })
      await row.getByText('sicher', { exact: true }).waitFor()
      await row.getByRole('link', { name: documentNumber }).waitFor()
    }
    const rest = page.getByRole('listitem').filter({ hasText: 'Rest einer Sammelbuchung über 356,50 €' })
    await rest.getByText('-0,50').waitFor()
    await rest.getByText('Kartenzahlungen').waitFor()
    expect(await brokenRules(page)).toEqual([])
  })
})
