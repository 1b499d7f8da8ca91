// Recurring invoices: set up from a draft, due on the start page, looked through, drafts made, one period left out.
import { officeDay } from '#server/office-day.ts'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { addMonths } from '#domain/day.ts'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

const PATH = '/buchhaltung/rechnungen/wiederkehrend'
const TODAY = officeDay(new Date())
const FIRST = addMonths(`${TODAY.slice(0, 7)}-01`, -2)
const german = (iso: string) => iso.split('-').reverse().join('.')
const monthOf = (iso: string) =>
  new Intl.DateTimeFormat('de-DE', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(iso))
const [FIRST_MONTH, SECOND_MONTH, THIRD_MONTH] = [0, 1, 2].map((n) => monthOf(addMonths(FIRST, n)))
const plain = (text: string | null) => (text ?? '').replaceAll('\u00a0', ' ')

describe.skipIf(!hasBrowser())('recurring invoices', () => {
  const house = oneServer({
    // The browser logs refusals that the test provokes.
    asked: /status of (409|400)/,
  })
  const ask = async <T>(page: Page, name: string, body: object): Promise<T> => {
    const { status, json } = await call(house.app, await tokenOf(page), `/rest/rpc/${name}`, body)
    expect([200, 204], `${name} ${JSON.stringify(json)}`).toContain(status)
    return json as T
  }
  const draft = async (page: Page) => {
    const id = await ask<number>(page, 'a_add_invoice', { client_id: 41, rn_datum: TODAY, ust_satz: '19' })
    await ask(page, 'a_save_positions', {
      rechnung_id: id,
      positionen: [{ anzahl: '1', einheit: 'psch', bez: 'Monitoring', ep: '500' }],
    })
    const [{ kunde }] = await ask<[{ kunde: string }]>(page, 'a_get_invoice_details', { invoice_id: id })
    return { id, kunde }
  }
  const items = (page: Page) => page.locator('.serie-due > li')

  test('from a draft to the drafts of its periods', { timeout: 240_000 }, async () => {
    const page = await house.visit('apus_admin', PATH)
    await page.getByText('Heute ist nichts fällig').waitFor()
    const { kunde } = await draft(page)

    await page.getByRole('button', { name: 'Einrichten' }).click()
    await page.getByRole('button', { name: 'Weiter' }).click()
    await page.getByText('Bitte wählen Sie einen Kunden.').waitFor()
    await page.getByRole('combobox', { name: 'Kunde' }).fill(kunde)
    await page.getByRole('option', { name: kunde }).first().click()
    await page.getByLabel('Rechnung oder Entwurf').selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Weiter' }).click()

    const dialog = page.getByRole('dialog', { name: 'Wiederkehrende Rechnung einrichten' })
    await dialog.getByLabel('Erster Tag').fill(german(FIRST))
    await dialog.getByLabel('Position 1: Bezeichnung').fill('Monitoring {monat}')
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Einrichten' }).click()
    await dialog.getByText('Der Text enthält einen Platzhalter, den es hier nicht gibt.').first().waitFor()
    await dialog.getByLabel('Position 1: Bezeichnung').fill('Monitoring {zeitraum}')
    await dialog.getByRole('button', { name: 'Einrichten' }).click()
    await page.getByRole('heading', { name: 'Monitoring', level: 1 }).waitFor()
    await page.getByText(`${FIRST_MONTH}, fällig am`).waitFor()
    expect(await brokenRules(page)).toEqual([])

    // The start page and the list say so.
    await page.goto(`${house.app.origin}/dashboard`)
    await page.getByRole('link', { name: /wiederkehrende Rechnungen sind fällig/ }).waitFor()
    await page.goto(`${house.app.origin}/buchhaltung/rechnungen`)
    await page.getByRole('link', { name: '3 wiederkehrende Rechnungen fällig' }).click()
    await expect.poll(() => items(page).count()).toBe(3)
    expect(plain(await items(page).nth(1).textContent())).toContain('595,00 €')
    expect(plain(await page.locator('.serie-foot').textContent())).toContain(
      '3 von 3 gewählt, zusammen 1.785,00 €',
    )
    expect(await brokenRules(page)).toEqual([])

    await page.getByRole('button', { name: `Zeitraum auslassen …: Monitoring, ${SECOND_MONTH}` }).click()
    await page.getByRole('button', { name: 'Auslassen', exact: true }).click()
    await page.getByText('Bitte schreiben Sie, warum nicht abgerechnet wird.').waitFor()
    await page.getByLabel('Grund').fill('Winterpause')
    await page.getByRole('button', { name: 'Auslassen', exact: true }).click()
    await expect.poll(() => items(page).count()).toBe(2)
    await page.getByRole('checkbox', { name: `Monitoring, ${THIRD_MONTH}` }).uncheck()
    await page.getByRole('button', { name: '1 Entwurf anlegen' }).click()
    await page.getByText('1 Entwurf ist angelegt.').waitFor()
    await page.waitForURL('**/buchhaltung/rechnungen/rechnung/update/*')
    await page.getByText(`Monitoring ${FIRST_MONTH}`).first().waitFor()
    expect(await page.getByLabel('Leistung am oder ab').inputValue()).toBe(german(FIRST))

    // The log of the draft leads back.
    await page.goto(page.url().replace('/update/', '/'))
    await page.getByRole('link', { name: `aus einer wiederkehrenden Rechnung, ${FIRST_MONTH}` }).click()
    await page.getByRole('heading', { name: 'Monitoring', level: 1 }).waitFor()
    await page.getByText('ausgelassen: Winterpause').waitFor()
  })

  test('a new price is named in the next preview, and a period comes back', {
    timeout: 240_000,
  }, async () => {
    const page = await house.visit('apus_admin', PATH)
    await items(page).getByRole('link', { name: 'Vorlage ansehen' }).click()
    await page.getByRole('button', { name: 'Ändern' }).click()
    const dialog = page.getByRole('dialog', { name: 'Wiederkehrende Rechnung ändern' })
    expect(await dialog.getByLabel('Erster Tag').isDisabled()).toBe(true)
    await dialog.getByLabel('Position 1: Einzelpreis').fill('550,00')
    await dialog.getByRole('button', { name: 'Speichern' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('1 psch Monitoring {zeitraum} zu 550,00').waitFor()
    await page.getByRole('button', { name: `${SECOND_MONTH}: doch abrechnen` }).click()
    await page.getByText('Der Zeitraum ist wieder fällig.').waitFor()
    expect(await brokenRules(page)).toEqual([])

    await page.goto(house.app.origin + PATH)
    await expect.poll(() => items(page).count()).toBe(2)
    expect(plain(await items(page).first().textContent())).toContain('Preis 500,00 € → 550,00 €')
    await page.getByRole('tab', { name: 'Alle' }).click()
    await page.getByRole('link', { name: 'Monitoring' }).first().click()
    await page.getByRole('button', { name: 'Pausieren' }).click()
    await page.getByText('pausiert').first().waitFor()
    await page.goto(house.app.origin + PATH)
    await page.getByText('Heute ist nichts fällig').waitFor()
  })
})
