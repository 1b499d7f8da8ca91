// Customers abroad: the address of their country, and tax by the place of supply. An Austrian business with land
// in Germany and one service that is not about land, a Swiss private person.
import { officeDay } from '#server/office-day.ts'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { LIEFERANT } from './lieferant.ts'
import { oneServer } from './one-server.ts'

const TODAY = officeDay(new Date())

describe.skipIf(!hasBrowser())('customers abroad', () => {
  const house = oneServer()
  const ask = async <T>(page: Page, path: string, body?: object): Promise<T> => {
    const { status, json } = await call(house.app, await tokenOf(page), `/rest/${path}`, body)
    expect([path, status, json]).toEqual([path, expect.toSatisfy((code: number) => code < 300), json])
    return json as T
  }
  const createKunde = async (
    page: Page,
    address: { name: string; land: string; plz: string; ort: string },
    tryFirst: (plz: ReturnType<Page['getByLabel']>) => Promise<void> = async () => undefined,
  ): Promise<number> => {
    await page.getByRole('button', { name: 'Kunde anlegen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Kunde anlegen' })
    await dialog.getByLabel('Land', { exact: true }).selectOption({ label: address.land })
    expect(await dialog.getByLabel('Bundesland').count()).toBe(0)
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(address.name)
    await dialog.getByLabel('Straße und Hausnummer').fill('Hauptplatz 1')
    const plz = dialog.getByLabel('PLZ')
    await tryFirst(plz)
    await plz.fill(address.plz)
    await dialog.getByRole('textbox', { name: 'Ort', exact: true }).fill(address.ort)
    await dialog.getByRole('button', { name: 'Anlegen', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: address.name }).waitFor()
    return Number(/(\d+)$/.exec(new URL(page.url()).pathname)![1])
  }
  const openDraft = async (page: Page, client_id: number): Promise<number> => {
    const id = await ask<number>(page, 'rpc/a_add_invoice', {
      client_id,
      rn_datum: TODAY,
      le_date: TODAY,
      ust_satz: '19',
    })
    await ask(page, 'rpc/a_save_positions', {
      rechnung_id: id,
      positionen: [{ anzahl: '1', einheit: 'psch', bez: 'Waldvermessung', ep: '1000' }],
    })
    await page.goto(`/buchhaltung/rechnungen/rechnung/update/${id}`)
    await page.getByLabel('Ort der Leistung').waitFor()
    return id
  }
  const checks = (page: Page) => page.getByLabel('Zu prüfen')
  const issue = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Ausstellen' }).click()
    const confirm = page.getByRole('alertdialog', { name: 'Rechnung ausstellen?' })
    await confirm.getByRole('button', { name: 'Ausstellen' }).click()
    await page.getByRole('heading', { level: 1, name: /Rechnung RE-/ }).waitFor()
  }
  interface Issued {
    readonly leistungsort: string
    readonly empfaenger: { land: string; plz: string }
    readonly positionen: readonly { kategorie: string; ust_satz: string; steuergrund: string }[]
    readonly summen: { brutto: string }
  }
  async function enterOffice(): Promise<Page> {
    const page = await house.visit('apus_admin', '/member-management')
    await ask(page, 'rpc/a_set_lieferant', { werte: LIEFERANT })
    return page
  }
  const belegOf = (page: Page, id: number) => ask<Issued>(page, 'rpc/a_get_beleg', { art: 'rechnung', id })

  test('a business in the Emirates has no postcode, and its invoice is issued', {
    timeout: 180_000,
  }, async () => {
    const page = await enterOffice()
    const kunde = await createKunde(
      page,
      { name: 'Dubai Timber LLC', land: 'Vereinigte Arabische Emirate', plz: '', ort: 'Dubai' },
      async () => {
        await page.getByText('Darf in diesem Land leer bleiben.').waitFor()
        expect(await brokenRules(page)).toEqual([])
      },
    )
    const id = await openDraft(page, kunde)
    await page.getByLabel('Ort der Leistung').selectOption({ label: 'ohne Bezug zu einem Grundstück' })
    await checks(page).getByRole('button', { name: 'Steuer anpassen' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Ausstellen' }).isDisabled()).toBe(false)
    await issue(page)
    expect(await belegOf(page, id)).toMatchObject({
      empfaenger: { land: 'AE', plz: '' },
      positionen: [{ kategorie: 'O' }],
    })
  })

  test('an Austrian business: German land with 19 %, otherwise reverse charge', {
    timeout: 180_000,
  }, async () => {
    const page = await enterOffice()
    const kunde = await createKunde(
      page,
      { name: 'Waldpflege Wien AG', land: 'Österreich', plz: '1010', ort: 'Wien' },
      async (plz) => {
        await plz.fill('01010')
        await plz.blur()
        await page.getByText('Passt nicht zum Land. Dort sieht eine Postleitzahl aus wie 1010.').waitFor()
        expect(await brokenRules(page)).toEqual([])
      },
    )
    await ask(page, 'rpc/a_set_kunde_rechnung', { client_id: kunde, werte: { ust_id: 'ATU13585627' } })

    const onLand = await openDraft(page, kunde)
    await checks(page)
      .getByText(/Der Kunde ist im Ausland/)
      .waitFor()
    expect(await page.getByRole('button', { name: 'Ausstellen' }).isDisabled()).toBe(true)
    await page.getByLabel('Ort der Leistung').selectOption({ label: 'Grundstück in Deutschland' })
    await expect.poll(() => page.getByRole('button', { name: 'Ausstellen' }).isDisabled()).toBe(false)
    expect(await brokenRules(page)).toEqual([])
    await issue(page)
    expect(await belegOf(page, onLand)).toMatchObject({
      leistungsort: 'grundstueck_inland',
      empfaenger: { land: 'AT', plz: '1010' },
      positionen: [{ kategorie: 'S', ust_satz: '19.00' }],
      summen: { brutto: '1190.00' },
    })

    const elsewhere = await openDraft(page, kunde)
    await page.getByLabel('Ort der Leistung').selectOption({ label: 'ohne Bezug zu einem Grundstück' })
    await checks(page)
      .getByText(/wird nicht in Deutschland versteuert/)
      .waitFor()
    await checks(page).getByRole('button', { name: 'Steuer anpassen' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Ausstellen' }).isDisabled()).toBe(false)
    await issue(page)
    expect(await belegOf(page, elsewhere)).toMatchObject({
      leistungsort: 'kein_grundstueck',
      positionen: [
        { kategorie: 'AE', ust_satz: '0.00', steuergrund: 'Steuerschuldnerschaft des Leistungsempfängers' },
      ],
      summen: { brutto: '1000.00' },
    })
  })

  test('a Swiss private person with land in Germany pays German tax', { timeout: 120_000 }, async () => {
    const page = await enterOffice()
    const kunde = await createKunde(page, {
      name: 'Ueli Berner',
      land: 'Schweiz',
      plz: '8001',
      ort: 'Zürich',
    })
    await page.goto(`/member-management/client/${kunde}?ansicht=rechnung`)
    await ask(page, 'rpc/a_set_kunde_rechnung', {
      client_id: kunde,
      werte: { ist_privat: true, leistungsort: 'grundstueck_inland' },
    })
    const id = await openDraft(page, kunde)
    // The customer's place applies.
    await expect.poll(() => page.getByRole('button', { name: 'Ausstellen' }).isDisabled()).toBe(false)
    await page.getByLabel('Projektnummer').fill('P-7')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Gespeichert.').waitFor()
    await issue(page)
    expect(await belegOf(page, id)).toMatchObject({
      leistungsort: 'grundstueck_inland',
      verweise: { projekt_nr: 'P-7' },
      empfaenger: { land: 'CH', plz: '8001', ist_privat: true },
      positionen: [{ kategorie: 'S', ust_satz: '19.00' }],
      summen: { brutto: '1190.00' },
    })
  })
})
