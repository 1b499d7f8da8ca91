// A customer and a holding at a glance: the figures lead to their rows, everything new begins from here, and each
// person sees the parts that concern them.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { KundeSummary } from '#contract/summary.ts'
import { formatEuro } from '#domain/geld.ts'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('at a glance', () => {
  const house = oneServer({ asked: /ERR_FAILED|status of 40[034]/ })
  const { visit } = house
  const rows = async (page: Page, path: string) =>
    (await call(house.app, await tokenOf(page), `/rest/${path}`)).json as Record<string, unknown>[]
  const summaryOf = async (page: Page, client_id: number) =>
    (await call(house.app, await tokenOf(page), '/rest/rpc/__o_get_kunde_summary', { client_id }))
      .json as KundeSummary
  const figures = (page: Page) => page.getByRole('list', { name: 'Zahlen' })
  const figure = (page: Page, name: string) => figures(page).getByRole('listitem').filter({ hasText: name })
  const block = (page: Page, title: string) =>
    page.locator('.summary-blocks .card').filter({ has: page.getByRole('heading', { name: title }) })
  const actions = (page: Page) => page.getByRole('group', { name: /für diesen (?:Kunden|Forstbetrieb)$/ })
  const noSideways = async (page: Page) =>
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
    ).toBeLessThanOrEqual(0)
  /** A customer with an overdue invoice. */
  const debtor = async (page: Page): Promise<number> => {
    const [first] = await rows(page, 'rechnung_liste?stand=eq.ueberfaellig&select=client_id&order=id&limit=1')
    return Number(first!['client_id'])
  }

  test('the bookkeeping: open and overdue lead to just these invoices; a new one is for this customer', async () => {
    const page = await visit('apus_admin', '/dashboard')
    const id = await debtor(page)
    const { buch } = await summaryOf(page, id)
    await page.goto(`/member-management/client/${id}`)
    await figure(page, 'Überfällig')
      .getByText(formatEuro(buch!.ueberfaellig.betrag), { exact: true })
      .waitFor()
    await figure(page, 'Offen').getByText(formatEuro(buch!.offen.betrag), { exact: true }).first().waitFor()
    expect(await block(page, 'Letzte Rechnungen').getByRole('listitem').count()).toBe(
      buch!.rechnungen.zeilen.length,
    )
    expect(await brokenRules(page)).toEqual([])
    await figure(page, 'Überfällig').getByRole('link').click()
    await page.waitForURL(/\/buchhaltung\/rechnungen\?.*stand=ueberfaellig/)
    await page.locator('.table[aria-busy="false"]').waitFor()
    expect(await page.locator('tbody tr').count()).toBe(buch!.ueberfaellig.anzahl)
    await page.goBack()
    await block(page, 'Letzte Rechnungen')
      .getByRole('link', { name: /alle anzeigen/i })
      .click()
    await page.locator('.table[aria-busy="false"]').waitFor()
    expect(await page.locator('tbody tr').count()).toBe(Math.min(50, buch!.rechnungen.anzahl))
    await page.goBack()
    // The page left stays until this one is drawn.
    await block(page, 'Letzte Rechnungen').waitFor()
    const name = await page.getByRole('heading', { level: 1 }).innerText()
    await actions(page).getByRole('link', { name: 'Rechnung schreiben' }).click()
    await page.waitForURL(`**/buchhaltung/rechnungen/rechnung/new/${id}`)
    await expect.poll(() => page.getByRole('combobox', { name: 'Kunde' }).inputValue()).toContain(name)
  })

  test('the bookkeeping: a payment is entered where it belongs, and what is overdue is reminded of', async () => {
    const page = await visit('apus_admin', '/dashboard')
    const id = await debtor(page)
    const { buch } = await summaryOf(page, id)
    await page.goto(`/member-management/client/${id}`)
    await actions(page).getByRole('link', { name: 'Zahlung eintragen' }).click()
    if (buch!.offen.anzahl > 1) {
      await page.locator('.table[aria-busy="false"]').waitFor()
      expect(await page.locator('tbody tr').count()).toBe(buch!.offen.anzahl)
    } else await page.getByRole('dialog', { name: /Zahlung/ }).waitFor()
    const unpaid = buch!.rechnungen.zeilen.find(({ offen }) => Number(offen) > 0)!
    await page.goto(`/buchhaltung/rechnungen/rechnung/${unpaid.id}?zahlung=neu`)
    const dialog = page.getByRole('dialog', { name: /Zahlung/ })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(page.url()).not.toContain('zahlung=')
    await page.goto(`/buchhaltung/mahnungen?kunde=${id}`)
    await page.locator('.table[aria-busy="false"]').waitFor()
    expect(await page.locator('tbody tr').count()).toBe(buch!.ueberfaellig.anzahl)
  })

  test('the drainage team: plans, survey and people, but nothing of the books', async () => {
    const page = await visit('apus_team', '/member-management/client/1')
    await block(page, 'Kataster').waitFor()
    expect(await summaryOf(page, 1)).toMatchObject({ buch: null, forstbetriebe: null })
    for (const title of ['Letzte Rechnungen', 'Offene Angebote', 'Letzte Mahnungen', 'Forstbetriebe'])
      expect(await block(page, title).count(), title).toBe(0)
    expect(await actions(page).getByRole('link', { name: 'Rechnung schreiben' }).count()).toBe(0)
    expect(await figure(page, 'Überfällig').count()).toBe(0)
    await actions(page).getByRole('button', { name: 'Neuer Plan' }).click()
    const dialog = page.getByRole('dialog', { name: 'Neuer Plan' })
    await dialog.getByRole('textbox', { name: 'Name', exact: false }).first().fill('Überblicksplan')
    await dialog.getByRole('button', { name: 'Anlegen', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.goto('/member-management/client/1')
    await block(page, 'Zuletzt geänderte Pläne').getByRole('link', { name: 'Überblicksplan' }).waitFor()
    await block(page, 'Letzte Änderungen').getByText('Plan angelegt: Überblicksplan').waitFor()
    expect(await brokenRules(page)).toEqual([])
  })

  test('the forest half: a holding and a person for this customer, each in one press', async () => {
    const page = await visit('ogf_admin', '/kunden/9')
    // Until the customer is there the heading says what kind of page it is.
    const heading = page.getByRole('heading', { level: 1 })
    await expect.poll(() => heading.innerText()).not.toBe('Kunde')
    const name = await heading.innerText()
    await actions(page).getByRole('button', { name: 'Person hinzufügen' }).click()
    const person = page.getByRole('dialog', { name: 'Nutzer anlegen' })
    await expect.poll(() => person.getByRole('combobox', { name: 'Kunde' }).inputValue()).toContain(name)
    await person.getByLabel('Anmeldeadresse').fill('ueber.blick@wald.example')
    await person.getByLabel('Nachname').fill('Überblick')
    await person.getByLabel('Gleich einladen').uncheck()
    await person.getByRole('button', { name: 'Anlegen', exact: true }).click()
    await block(page, 'Personen').getByText('Überblick').waitFor()
    expect(new URL(page.url()).pathname).toBe('/kunden/9')
    await actions(page).getByRole('button', { name: 'Forstbetrieb anlegen' }).click()
    const holding = page.getByRole('dialog', { name: 'Forstbetrieb anlegen' })
    await holding.getByRole('textbox', { name: 'Name', exact: false }).first().fill('Aaa Überblick')
    await holding.getByRole('button', { name: 'Anlegen', exact: true }).click()
    await page.waitForURL(/\/kunden\/9\/forstbetrieb\/\d+$/)
    const ownPage = page.url()
    await actions(page).getByRole('link', { name: 'Forsteinrichtung importieren' }).click()
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Forstbetrieb' }).inputValue())
      .toContain('Aaa Überblick')
    await page.goto(ownPage)
    await page.getByRole('link', { name: 'Zum Kunden' }).click()
    await page.getByRole('tab', { name: 'Überblick' }).click()
    await block(page, 'Forstbetriebe').getByRole('link', { name: 'Aaa Überblick' }).waitFor()
    await block(page, 'Letzte Änderungen').getByText('Forstbetrieb angelegt: Aaa Überblick').waitFor()
    expect(await block(page, 'Letzte Rechnungen').count()).toBe(0)
    expect(await brokenRules(page)).toEqual([])
  })

  test('a change shows at once on the way back from the form, with its columns', async () => {
    const page = await visit('ogf_admin', '/kunden/10')
    await page.getByRole('tab', { name: 'Stammdaten' }).click()
    await page.getByRole('textbox', { name: 'Telefon' }).fill('030 55667788')
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    await page.getByText('Gespeichert.', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Überblick' }).click()
    const changes = block(page, 'Letzte Änderungen')
    await changes.getByRole('link', { name: 'Stammdaten geändert' }).first().waitFor()
    await changes.getByText('Telefon').first().waitFor()
    await changes.getByRole('link', { name: /Ganzer Verlauf$/ }).click()
    await page.getByText('030 55667788').first().waitFor()
  })

  test('a customer’s admin: what is to be paid and decided, without revenue, reminders and history', async () => {
    const page = await visit('kundenadmin', '/kunde/index')
    const { buch } = await summaryOf(page, 1)
    expect(buch).toMatchObject({ sicht: 'kunde', umsatz: null, mahnungen: null })
    await figure(page, 'Offen').getByText(formatEuro(buch!.offen.betrag), { exact: true }).first().waitFor()
    for (const title of ['Letzte Mahnungen', 'Letzte Änderungen', 'Kataster'])
      expect(await block(page, title).count(), title).toBe(0)
    expect(await actions(page).count()).toBe(0)
    expect(await brokenRules(page)).toEqual([])
    const [invoice] = buch!.rechnungen.zeilen
    await block(page, 'Letzte Rechnungen').getByRole('link', { name: invoice!.nummer! }).click()
    await page.waitForURL(`**/dokumente/rechnung/${invoice!.id}`)
    expect(
      (await call(house.app, await tokenOf(page), '/rest/rpc/__o_get_kunde_summary', { client_id: 2 }))
        .status,
    ).toBe(404)
  })

  test('an admin of a customer of the drainage half: plans and documents, with their own history', async () => {
    const page = await visit('appuser_admin', '/account/index')
    await block(page, 'Letzte Änderungen').waitFor()
    for (const title of ['Letzte Mahnungen', 'Forstbetriebe'])
      expect(await block(page, title).count(), title).toBe(0)
    await block(page, 'Zuletzt geänderte Pläne').waitFor()
    expect(await actions(page).count()).toBe(0)
    expect(await brokenRules(page)).toEqual([])
    await block(page, 'Personen').getByRole('link', { name: 'Personen: Alle anzeigen' }).click()
    await page.getByRole('button', { name: 'Aktionen für Bodo Birke' }).waitFor()
  })

  test('a holding: its figures, trees and people; whoever administers it finds the same page', async () => {
    for (const role of ['ogf_admin', 'ogf_fb_admin'] as const) {
      const page = await visit(role, '/forstbetriebe/1')
      const [trees] = await rows(page, 'habitatbaeume?idHQ=eq.1&verlust_datum=is.null&select=id')
      expect(trees).toBeDefined()
      const count = (await rows(page, 'habitatbaeume?idHQ=eq.1&verlust_datum=is.null&select=id')).length
      await figure(page, 'Habitatbäume').getByText(String(count), { exact: true }).waitFor()
      expect(await block(page, 'Zuletzt erfasste Habitatbäume').getByRole('listitem').count()).toBe(5)
      await block(page, 'Personen').getByText('Frieda Fichte').waitFor()
      expect(
        await actions(page)
          .getByRole('link', { name: /^Fläche/ })
          .count(),
      ).toBe(role === 'ogf_admin' ? 1 : 0)
      expect(await brokenRules(page)).toEqual([])
      await block(page, 'Personen').getByRole('link', { name: 'Personen: Alle anzeigen' }).click()
      await page.getByRole('tab', { name: /^Personen/, selected: true }).waitFor()
      await page.getByRole('tab', { name: 'Überblick' }).click()
      await actions(page).getByRole('link', { name: 'Person zuordnen' }).click()
      const dialog = page.getByRole('dialog', { name: 'Person zuordnen' })
      await dialog.waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      expect(page.url()).not.toContain('neu=')
      await page.goto('/forstbetriebe/1')
      await actions(page).getByRole('link', { name: 'Neuer Habitatbaum' }).click()
      await page.getByRole('dialog', { name: 'Neuer Habitatbaum' }).waitFor()
    }
  })

  test('a failed load can be tried again; nothing is left of it then', async () => {
    const page = await visit('ogf_admin', '/kunden/11?ansicht=stammdaten')
    await page.getByRole('textbox', { name: 'Telefon' }).waitFor()
    await page.route('**/rpc/__o_get_kunde_summary*', (route) => route.abort())
    await page.getByRole('tab', { name: 'Überblick' }).click()
    const again = page.getByRole('button', { name: 'Erneut versuchen' })
    await again.waitFor({ timeout: 30_000 })
    expect(await brokenRules(page)).toEqual([])
    await page.unroute('**/rpc/__o_get_kunde_summary*')
    await again.click()
    await block(page, 'Personen').waitFor()
    expect(await again.count()).toBe(0)
  })

  test('on a phone in one column, by keyboard from the tab to the first figure, on paper without buttons', async () => {
    const page = await visit('admin', '/kunden/1')
    await block(page, 'Letzte Änderungen').waitFor()
    for (const width of [390, 768, 1024]) {
      await page.setViewportSize({ width, height: 844 })
      await noSideways(page)
    }
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await brokenRules(page)).toEqual([])
    const lefts = await page
      .locator('.summary-blocks .card')
      .evaluateAll(
        (cards) => new Set(cards.map((card) => Math.round(card.getBoundingClientRect().left))).size,
      )
    expect(lefts).toBe(1)
    await page.getByRole('tab', { name: 'Überblick' }).focus()
    await page.keyboard.press('Tab')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toContain('Rechnung schreiben')
    await page.emulateMedia({ media: 'print' })
    expect(await actions(page).isVisible()).toBe(false)
    expect(await block(page, 'Letzte Rechnungen').isVisible()).toBe(true)
  })
})
