// Forecasts: entered, changed against another's change, repeated, filtered with their sums, deleted and
// restored.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

const PATH = '/buchhaltung/prognosen'

describe.skipIf(!hasBrowser())('forecasts', () => {
  const house = oneServer({
    // A change that came too late is answered with 409, which the browser logs.
    asked: /status of 409/,
  })
  const visit = async (): Promise<Page> => {
    const visitor = await house.visitor('apus_admin', PATH)
    await visitor.page.getByRole('heading', { name: 'Prognosen', level: 1 }).waitFor()
    return visitor.page
  }
  const sums = async (page: Page): Promise<string[]> =>
    (await page.getByLabel('Summen der gezeigten Prognosen').locator('dd').allTextContents()).map((text) =>
      text.replaceAll('\u00a0', ' '),
    )

  test('the whole way of a forecast', async () => {
    const page = await visit()
    const token = await tokenOf(page)
    const before = (
      (await call(house.app, token, '/rest/rpc/a_get_prognose', {})).json as { id: number }[]
    ).map(({ id }) => id)
    for (const id of before) await call(house.app, token, '/rest/rpc/a_delete_prognose', { prognose_id: id })
    await page.reload()
    await page.getByText('Noch keine Prognosen').waitFor()

    await page.getByRole('button', { name: 'Prognose anlegen' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Prognose anlegen' })
    await dialog.getByRole('button', { name: 'Anlegen' }).click()
    await dialog.getByText('Diese Angabe fehlt.').waitFor()
    await dialog.getByLabel('Betrag').fill('12.50')
    await dialog.getByText('Der Punkt trennt nur Tausender.').waitFor()
    await dialog.getByLabel('Datum').fill('32.1.2027')
    await dialog.getByLabel('Betrag').fill('1.234,5')
    await dialog.getByText('Bitte ein Datum wie 31.12.2026.').waitFor()
    await dialog.getByLabel('Datum').fill('31.1.2027')
    await dialog.getByLabel('Kategorie').fill('Vermessung')
    await page.keyboard.press('Escape')
    await page
      .getByRole('alertdialog', { name: 'Eingaben verwerfen?' })
      .getByRole('button', { name: 'Weiter bearbeiten' })
      .click()
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Anlegen' }).click()
    await page.getByText('Die Prognose wurde angelegt.').waitFor()
    await dialog.waitFor({ state: 'hidden' })
    expect(await sums(page)).toEqual(['1.234,50 €', '0,00 €', '1.234,50 €'])

    // The same a month later, on the last day of a shorter month, this time as an expense.
    await page.getByRole('button', { name: /1\.234,50.*im nächsten Monat wiederholen/ }).click()
    await dialog.getByLabel('Datum').waitFor()
    expect(await dialog.getByLabel('Datum').inputValue()).toBe('28.02.2027')
    await dialog.getByLabel('Art').selectOption('Ausgabe')
    await dialog.getByLabel('Betrag').fill('2000')
    await dialog.getByLabel('Kategorie').fill('Miete')
    await dialog.getByRole('button', { name: 'Anlegen' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: /Ausgabe 2\.000,00.*bearbeiten/ }).waitFor()
    expect(await sums(page)).toEqual(['1.234,50 €', '2.000,00 €', '-765,50 €'])
    const months = page.getByRole('table', { name: 'Prognosen je Monat' })
    expect(
      (await months.getByRole('row').allTextContents()).map((text) => text.replaceAll('\u00a0', ' ')),
    ).toEqual([
      'MonatEinnahmenAusgabenSaldoSaldo bis dahin',
      'Januar 20271.234,50 €0,00 €1.234,50 €1.234,50 €',
      'Februar 20270,00 €2.000,00 €-2.000,00 €-765,50 €',
    ])
    expect(await brokenRules(page)).toEqual([])

    // The sums follow the filters.
    await page.goto(`${house.app.origin}${PATH}?art=Ausgabe&kategorie=Miete`)
    await page.getByText('1 Treffer').waitFor()
    expect(await sums(page)).toEqual(['0,00 €', '2.000,00 €', '-2.000,00 €'])
    await page.goto(house.app.origin + PATH)

    await page.getByRole('button', { name: /Ausgabe 2\.000,00.*bearbeiten/ }).click()
    const editing = page.getByRole('dialog', { name: 'Prognose bearbeiten' })
    await editing.getByLabel('Betrag').fill('1.900,25')
    const [row] = (
      (await call(house.app, token, '/rest/rpc/a_get_prognose', {})).json as { id: number; art: string }[]
    ).filter(({ art }) => art === 'Ausgabe')
    await call(house.app, token, '/rest/rpc/a_update_prognose', {
      id: row?.id,
      datum: '2027-02-27',
      betrag: '1800.00',
      art: 'Ausgabe',
    })
    await editing.getByRole('button', { name: 'Speichern' }).click()
    await editing.getByText('1.800,00').waitFor()
    await editing.getByRole('button', { name: 'Meine Fassung speichern' }).click()
    await editing.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: /Ausgabe 1\.900,25.*am 28\.02\.2027 löschen/ }).click()
    const confirm = page.getByRole('alertdialog', { name: 'Prognose löschen?' })
    await confirm.getByRole('button', { name: 'Löschen' }).click()
    await page.getByText(/Ausgabe 1\.900,25.*wurde gelöscht\./).waitFor()
    await page.getByRole('button', { name: 'Rückgängig' }).click()
    await page.getByRole('button', { name: /Ausgabe 1\.900,25.*bearbeiten/ }).waitFor()
    expect((await call(house.app, token, '/rest/rpc/a_get_prognose', {})).json).toMatchObject([
      { datum: '2027-01-31', betrag: '1234.50', art: 'Einnahme', kategorie: 'Vermessung' },
      { datum: '2027-02-28', betrag: '1900.25', art: 'Ausgabe', kategorie: 'Miete' },
    ])
  })

  test('refusals of the server speak German at the field, and nobody else reads or writes', async () => {
    const page = await visit()
    const token = await tokenOf(page)
    const refused = await call(house.app, token, '/rest/rpc/a_insert_prognose', {
      datum: '2026-12-01',
      betrag: '0',
      art: 'Ausgabe',
    })
    expect(refused).toMatchObject({
      status: 400,
      json: { hint: 'betrag_positiv', message: 'column "betrag": betrag_positiv' },
    })
    const other = await house.visitor('ogf_admin')
    await other.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    const foreign = await tokenOf(other.page)
    expect((await call(house.app, foreign, '/rest/rpc/a_get_prognose', {})).json).toEqual([])
    expect(
      (
        await call(house.app, foreign, '/rest/rpc/a_insert_prognose', {
          datum: '2026-12-01',
          betrag: 1,
          art: 'Ausgabe',
        })
      ).status,
    ).toBe(403)
    expect((await call(house.app, foreign, '/rest/verlauf?tabelle=eq.prognose')).json).toEqual([])
  })
})
