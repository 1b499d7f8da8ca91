// The overview of the bookkeeping: its figures match the database and each links to the list that adds up to
// it, by mouse and by keyboard, for a full and for an empty company.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Buchhaltung } from '#contract/overview.ts'
import { orderedSums } from '#domain/angebot.ts'
import type { CashflowRow } from '#domain/cashflow.ts'
import { decimal, formatCents, formatEuro, sum } from '#domain/geld.ts'
import type { PositionBasis } from '#domain/rechnung.ts'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

const PATH = '/buchhaltung/dashboard'

describe.skipIf(!hasBrowser())('the overview of the bookkeeping', () => {
  const house = oneServer({
    // The browser logs requests that the test aborts itself.
    asked: /ERR_FAILED|status of (400|409|500)/,
  })
  const visit = async (path = PATH): Promise<Page> => {
    const visitor = await house.visitor('apus_admin', path)
    await visitor.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    return visitor.page
  }
  const ask = async <T>(page: Page, name: string, body: object): Promise<T> =>
    (await call(house.app, await tokenOf(page), `/rest/rpc/${name}`, body)).json as T
  const figures = (page: Page) => ask<Buchhaltung>(page, 'a_get_buchhaltung', {})
  const plain = (text: string | null): string => (text ?? '').replaceAll('\u00a0', ' ')
  const euro = (cents: string): string => plain(formatEuro(cents))
  const tile = (page: Page, name: string | RegExp) =>
    page.locator('dl[aria-label="Kennzahlen"] > div').filter({ has: page.locator('dt', { hasText: name }) })
  /** A sum above a list. */
  const listSum = (page: Page, name: string) =>
    page
      .locator('dl.key-figures:not([aria-label="Kennzahlen"]) > div')
      .filter({ has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
      .locator('dd')
  const expectSum = (page: Page, name: string, amount: string) =>
    expect.poll(async () => plain(await listSum(page, name).textContent()), { timeout: 15_000 }).toBe(amount)

  test('every figure is the database’s, and leads to the list that adds up to it', async () => {
    const page = await visit()
    await page.getByRole('table', { name: 'Liquidität je Monat' }).waitFor()
    expect(await brokenRules(page)).toEqual([])
    const found = await figures(page)
    const of = (states: readonly string[], key: 'rest' | 'gewichtet') =>
      formatCents(
        sum(found.angebote.filter(({ stand }) => states.includes(stand)).map((row) => decimal(row[key]))),
      )
    const year = String(found.jahr)
    const ways: readonly (readonly [tile: string | RegExp, amount: string, sum: string])[] = [
      ['Offen, brutto', found.rechnungen.offen.betrag, 'Offen, brutto'],
      ['Davon überfällig', found.rechnungen.ueberfaellig.betrag, 'Offen, brutto'],
      [
        'Beauftragt, noch abzurechnen',
        of(['angenommen', 'teilabgerechnet'], 'rest'),
        'Noch abzurechnen, brutto',
      ],
      ['Offene Angebote nach Chance', of(['versendet'], 'gewichtet'), 'Offene nach ihrer Chance, brutto'],
      [`Umsatz ${year}, netto`, found.umsatz.netto, 'Netto, ausgestellt'],
      ['In Entwürfen, brutto', found.rechnungen.entwuerfe.betrag, 'Brutto in Entwürfen'],
    ]
    for (const [name, amount, sumName] of ways) {
      expect(amount, `${name} of the sample`).not.toBe('0.00')
      const link = tile(page, name).getByRole('link')
      expect(plain(await link.textContent())).toBe(euro(amount))
      await link.click()
      await expectSum(page, sumName, euro(amount))
      await page.goBack()
      await page.getByRole('table', { name: 'Liquidität je Monat' }).waitFor()
    }
    // Overpayments do not reduce what others owe.
    await tile(page, 'Zurückzuzahlen').getByRole('link').click()
    await expectSum(page, 'Zurückzuzahlen', euro(found.rechnungen.zurueck.betrag))
    await expectSum(page, 'Offen, brutto', euro('0.00'))
  })

  test('the forecast: months and weeks, a balance to begin with, cells that lead to their rows', async () => {
    const page = await visit()
    const months = page.getByRole('table', { name: 'Liquidität je Monat' })
    await months.waitFor()
    const found = await figures(page)
    const rows = await ask<CashflowRow[]>(page, 'a_get_cashflow', { von: found.heute })
    expect(await months.getByRole('row').count()).toBe(rows.length + 1)
    const shown = async (table = months) =>
      (await table.getByRole('row').all()).length === 0
        ? []
        : Promise.all(
            (await table.locator('tbody tr').all()).map(async (row) =>
              (await row.locator('td').allTextContents()).map(plain),
            ),
          )
    const wanted = (given: readonly CashflowRow[]) =>
      given.map((row) =>
        [
          row.offen,
          row.angenommen,
          row.wiederkehrend,
          row.erwartet,
          row.einnahmen,
          row.ausgaben,
          row.zurueck,
          row.saldo,
          row.stand,
        ].map(euro),
      )
    expect(await shown()).toEqual(wanted(rows))

    // Each kind of cell once: the first one with a value.
    const kinds = [
      ['offen', 0, 'Offen, brutto'],
      ['angenommen', 1, 'Noch abzurechnen, brutto'],
      ['erwartet', 3, 'Offene nach ihrer Chance, brutto'],
      ['zurueck', 6, 'Zurückzuzahlen'],
    ] as const
    for (const [kind, at, sumName] of kinds) {
      const nr = rows.findIndex((row) => row[kind] !== '0.00')
      expect(nr, `${kind} in the sample`).toBeGreaterThanOrEqual(0)
      await months.locator('tbody tr').nth(nr).locator('td').nth(at).getByRole('link').click()
      await expectSum(page, sumName, euro(rows[nr]![kind]))
      await page.goBack()
      await months.waitFor()
    }
    const out = rows.findIndex(({ ausgaben }) => ausgaben !== '0.00')
    await months.locator('tbody tr').nth(out).locator('td').nth(5).getByRole('link').click()
    await expect
      .poll(
        async () =>
          (await page.getByLabel('Summen der gezeigten Prognosen').locator('dd').allTextContents()).map(
            plain,
          )[1],
      )
      .toBe(euro(rows[out]!.ausgaben))
    await page.goBack()

    const balance = page.getByLabel('Kontostand heute')
    await balance.fill('12.50')
    await balance.press('Enter')
    await page.getByText('Der Punkt trennt nur Tausender.').waitFor()
    await balance.fill('-25.000,5')
    await balance.press('Enter')
    const begun = await ask<CashflowRow[]>(page, 'a_get_cashflow', { von: found.heute, anfang: '-25000.50' })
    await expect.poll(() => shown()).toEqual(wanted(begun))
    await page.getByText('Das Konto geht ins Minus').waitFor()
    expect(page.url()).not.toContain('25000')

    await page.getByText('Wochen', { exact: true }).click()
    const weeks = page.getByRole('table', { name: 'Liquidität je Woche' })
    await weeks.waitFor()
    await page.getByLabel('Ausblick').selectOption('3')
    await page.waitForURL(/schritt=woche/)
    await page.waitForURL(/monate=3/)
    const last = await ask<CashflowRow[]>(page, 'a_get_cashflow', { von: found.heute })
    const short = await ask<CashflowRow[]>(page, 'a_get_cashflow', {
      von: found.heute,
      bis: last[2]!.bis,
      schritt: 'woche',
      anfang: '-25000.50',
    })
    await expect.poll(() => shown(weeks)).toEqual(wanted(short))
    // The balance survives a reload of this window.
    await page.reload()
    await weeks.waitFor()
    expect(await balance.inputValue()).toBe('-25.000,50')
    expect(await brokenRules(page)).toEqual([])
  })

  test('revenue by month and customer beside the year before, with links to just these invoices', async () => {
    const page = await visit()
    const months = page.getByRole('table', { name: 'Umsatz je Monat, netto' })
    await months.waitFor()
    const found = await figures(page)
    const at = found.monate.findIndex(
      ({ netto, vorjahr_netto }) => netto !== '0.00' && vorjahr_netto !== '0.00',
    )
    expect(at, 'a month with revenue in both years').toBeGreaterThanOrEqual(0)
    const cells = months.locator('tbody tr').nth(at).locator('td')
    expect((await cells.allTextContents()).slice(0, 2).map(plain)).toEqual(
      [found.monate[at]!.netto, found.monate[at]!.vorjahr_netto].map(euro),
    )
    await cells.nth(1).getByRole('link').click()
    await expectSum(page, 'Netto, ausgestellt', euro(found.monate[at]!.vorjahr_netto))
    await page.goBack()
    const best = found.kunden[0]!
    await page
      .getByRole('table', { name: 'Umsatz je Kunde, netto' })
      .locator('tbody tr')
      .first()
      .locator('td')
      .first()
      .getByRole('link')
      .click()
    await expectSum(page, 'Netto, ausgestellt', euro(best.netto))
    await page.goBack()

    await page.getByText('brutto', { exact: true }).first().click()
    const gross = page.getByRole('table', { name: 'Umsatz je Monat, brutto' })
    await gross.waitFor()
    expect(plain(await gross.locator('tfoot tr').first().locator('td').first().textContent())).toBe(
      euro(found.umsatz.brutto),
    )
    await page.getByLabel('Jahr', { exact: true }).selectOption(String(found.jahr - 1))
    await page.waitForURL(new RegExp(`jahr=${found.jahr - 1}`))
    await expect
      .poll(async () => plain(await gross.locator('tfoot tr').first().locator('td').first().textContent()))
      .toBe(euro(found.umsatz.vorjahr_brutto))
  })

  test('offers by their state; by keys alone from figure to figure, and back to where one was', async () => {
    const page = await visit()
    const table = page.getByRole('table', { name: 'Angebote nach Status' })
    await table.waitFor()
    const found = await figures(page)
    const shown = await Promise.all(
      (await table.locator('tbody tr').all()).map(async (row) =>
        (await row.locator('td').allTextContents()).map(plain),
      ),
    )
    expect(shown).toEqual(
      found.angebote.map((row) => [
        String(row.anzahl),
        ...[row.netto, row.brutto, row.rest, row.gewichtet].map(euro),
      ]),
    )

    await tile(page, 'Offen, brutto').getByRole('link').focus()
    await page.keyboard.press('Tab')
    expect(
      await page.evaluate(() => document.activeElement?.closest('div')?.querySelector('dt')?.textContent),
    ).toBe('Davon überfällig')
    await page.keyboard.press('Enter')
    await expectSum(page, 'Offen, brutto', euro(found.rechnungen.ueberfaellig.betrag))
    await page.goBack()
    await table.waitFor()
    // Scrolling tables can be focused too.
    await page.getByRole('region', { name: 'Liquidität je Monat' }).focus()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Liquidität je Monat',
    )
  })

  test('a decision with an alternative: the sum on screen is kept, and the overview counts it', async () => {
    const page = await visit()
    const made = await ask<number>(page, 'a_add_offer', { client_id: 41, an_datum: null, ust_satz: '19' })
    const lines = [
      { bez: 'Flugbild', anzahl: '3', einheit: 'Std', ep: '101.50' },
      { art: 'alternativ', bez: 'Flugbild in Farbe', anzahl: '3', einheit: 'Std', ep: '119.99' },
      { art: 'optional', bez: 'Rahmen', anzahl: '1', einheit: 'Stk', ep: '40.05' },
    ]
    await ask(page, 'a_save_positions', { angebot_id: made, positionen: lines })
    await ask(page, 'a_issue_offer', { offer_id: made })
    const before = await figures(page)
    await page.goto(`${house.app.origin}/buchhaltung/angebote/angebot/${made}`)
    await page.getByRole('button', { name: 'Entscheidung eintragen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Entscheidung eintragen' })
    await dialog.getByLabel('Wer hat entschieden?').fill('Frau Wald, telefonisch')
    await dialog.getByLabel('Position 1').selectOption({ label: '2 Flugbild in Farbe, 359,97\u00a0€' })
    await dialog.getByLabel(/Rahmen/).check()
    const chosen = lines.map((line) => ({
      rabatt_prozent: '0',
      ust_satz: null,
      kategorie: null,
      art: 'position',
      ...line,
      gewaehlt: line.art !== undefined,
    }))
    const sums = orderedSums({
      positionen: chosen as PositionBasis[],
      rabatt_prozent: '0',
      ust_satz: '19.00',
      anzahlung: '0.00',
      kleinunternehmer: false,
    })
    expect(plain(await dialog.getByText(/^Auftragssumme/).textContent())).toBe(
      `Auftragssumme: ${euro(sums.brutto)} brutto, ${euro(sums.netto)} netto`,
    )
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Eintragen' }).click()
    await page.getByText('Die Entscheidung ist eingetragen.').waitFor()
    const [offer] = await ask<{ auftrag_brutto: string; brutto: string }[]>(page, 'a_get_offer_details', {
      offer_id: made,
    })
    expect(offer).toMatchObject({ auftrag_brutto: sums.brutto, brutto: '362.36' })
    await page
      .getByRole('table', { name: 'Beauftragte Positionen' })
      .getByRole('row', { name: /Flugbild in Farbe/ })
      .waitFor()
    expect(await page.getByRole('table', { name: 'Beauftragte Positionen' }).getByRole('row').count()).toBe(3)
    const rest = ({ angebote }: Buchhaltung) => formatCents(sum(angebote.map((row) => decimal(row.rest))))
    expect(rest(await figures(page))).toBe(formatCents(sum([decimal(rest(before)), decimal(sums.brutto)])))

    // After being declined it can be archived, leaves the list, and can be restored.
    await ask(page, 'a_decide_offer', { offer_id: made, angenommen: false, wer: 'Frau Wald' })
    await page.reload()
    await page.getByRole('button', { name: 'Archivieren' }).click()
    await page.getByText('Das Angebot liegt im Archiv.').waitFor()
    const documentNumber = (
      await ask<{ nummer: string }[]>(page, 'a_get_offer_details', { offer_id: made })
    )[0]!.nummer
    await page.goto(`${house.app.origin}/buchhaltung/angebote?suche=${documentNumber}`)
    await page.getByText('Kein Angebot gefunden').waitFor()
    await page.goto(`${house.app.origin}/buchhaltung/angebote?suche=${documentNumber}&archiv=mit`)
    await page.getByRole('link', { name: documentNumber }).click()
    await page.getByRole('button', { name: 'Aus dem Archiv holen' }).click()
    await page.getByText('Das Angebot ist wieder in der Liste.').waitFor()
  })

  test('what cannot be loaded says so and is asked again; an empty company is told its next step', async () => {
    const page = await visit('/buchhaltung/prognosen')
    const answers = '**/rest/rpc/a_get_buchhaltung'
    await page.route(answers, (route) =>
      route.fulfill({ status: 500, contentType: 'application/json', body: '{"code":"XX000","message":"x"}' }),
    )
    await page.goto(house.app.origin + PATH)
    const retry = page.getByRole('button', { name: 'Erneut versuchen' })
    await retry.waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.unroute(answers)
    await retry.click()
    await page.getByRole('table', { name: 'Umsatz je Monat, netto' }).waitFor()

    // The answer of an empty database; db/test/overview.sql.test.ts checks that it is still correct.
    const found = await figures(page)
    const nothing = { anzahl: 0, betrag: '0.00' }
    const empty: Buchhaltung = {
      ...found,
      leer: true,
      unternehmen: false,
      rechnungen: {
        offen: nothing,
        ueberfaellig: { ...nothing, seit: null },
        zurueck: nothing,
        entwuerfe: nothing,
      },
      angebote: [],
      kunden: [],
      uebrige: null,
    }
    await page.route(answers, (route) =>
      route.fulfill({ status: 200, contentType: 'application/json', body: JSON.stringify(empty) }),
    )
    await page.reload()
    await page.getByText('Die Bücher sind noch leer').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('link', { name: 'Unternehmen eintragen' }).click()
    await page.getByRole('heading', { name: 'Einstellungen', level: 1 }).waitFor()
  })
})
