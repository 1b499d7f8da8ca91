// Customers' documents: how they are billed, what they see, and their answers to offers, signed in or by a
// one-time link.
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type RunningApp, startApp } from './app.ts'
import { brokenRules } from './axe.ts'
import { type DemoRole, hasBrowser, launchBrowser, openVisitor, signIn, type Visitor } from './browser.ts'
import { borrowVisitor } from './reuse.ts'
import { call, tokenOf } from './calls.ts'

const LINES = [
  { art: 'ueberschrift', bez: 'Aufnahme' },
  { bez: 'Gräben vermessen', anzahl: '10', einheit: 'ha', ep: '100' },
  { art: 'alternativ', bez: 'Gräben befliegen', anzahl: '10', einheit: 'ha', ep: '140' },
  { art: 'optional', bez: 'Luftbild', anzahl: '1', einheit: 'psch', ep: '300' },
  { art: 'optional', bez: 'Ausdruck', anzahl: '2', einheit: 'Stk', ep: '25' },
]

describe.skipIf(!hasBrowser())('documents of customers', () => {
  let app: RunningApp
  let browser: Browser
  let office: Page
  let kunde = 0
  const visitors: Visitor[] = []

  beforeAll(async () => {
    ;[app, browser] = await Promise.all([startApp({ env: { LOGIN_RATE_PER_MIN: '1000' } }), launchBrowser()])
    office = (await visit('apus_admin', '/buchhaltung/angebote')).page
    const customer = await visit('kundenadmin', '/dokumente/index')
    const rows = (
      await call(app, await tokenOf(customer.page), '/rest/kunde?select=client_id&order=client_id')
    ).json as {
      client_id: number
    }[]
    kunde = rows[0]!.client_id
  }, 240_000)
  afterAll(async () => {
    await browser?.close()
    await app?.stop()
  })
  afterEach(() => {
    const complaints = visitors.flatMap((visitor) => visitor.complaints.splice(0))
    // The browser logs refusals that the test provokes.
    expect(
      complaints.filter((line) => !/status of (409|400)/.test(line)),
      'console errors, faults, policy reports',
    ).toEqual([])
  })
  const visit = async (role: DemoRole, path: string): Promise<Visitor> => {
    const visitor = await borrowVisitor(browser, app)
    visitors.push(visitor)
    await signIn(visitor, app, role, path)
    await visitor.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    return visitor
  }
  const ask = async <T = unknown>(name: string, body: object): Promise<T> => {
    const { status, json } = await call(app, await tokenOf(office), `/rest/rpc/${name}`, body)
    if (status >= 300) throw new Error(`${name}: ${status} ${JSON.stringify(json)}`)
    return json as T
  }
  const offer = async (): Promise<{ id: number; nummer: string }> => {
    const id = await ask<number>('a_add_offer', { client_id: kunde, an_datum: null, ust_satz: '19' })
    await ask('a_save_positions', { angebot_id: id, positionen: LINES })
    const [issued] = await ask<{ nummer: string }[]>('a_issue_offer', { offer_id: id })
    return { id, nummer: issued!.nummer }
  }
  const details = async (id: number) =>
    (await ask<Record<string, unknown>[]>('a_get_offer_details', { offer_id: id }))[0]!

  test('how a customer is billed: checked at the field, merged by version, with its history', async () => {
    const { page } = await visit('apus_admin', `/member-management/client/${kunde}?ansicht=abrechnung`)
    await page.getByText('Noch nichts Eigenes festgelegt').waitFor()
    await page.getByLabel('Format der Rechnungen').selectOption({ label: 'XRechnung (nur XML)' })
    await page.getByText('Für eine XRechnung fehlt noch die Leitweg-ID oder eine andere Referenz').waitFor()
    await page.getByLabel('Leitweg-ID').fill('04011000-1234512345-07')
    await page.getByLabel('USt-IdNr.').fill('DE136695977')
    await page.getByLabel('E-Mail für Rechnungen').fill('rechnung@')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Die Prüfziffern am Ende passen nicht').waitFor()
    await page.getByText('Die Prüfziffer dieser USt-IdNr. passt nicht').waitFor()
    await page.getByText('Das ist keine gültige E-Mail-Adresse.').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.getByLabel('Leitweg-ID').fill('04011000-1234512345-06')
    await page.getByLabel('USt-IdNr.').fill('de 136 695 976')
    await page.getByLabel('E-Mail für Rechnungen').fill('rechnung@forst.example')
    await page.getByLabel('Zahlungsziel').fill('21')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Gespeichert.').waitFor()
    const stored = async () =>
      (
        (await call(app, await tokenOf(office), `/rest/kunde_rechnung?client_id=eq.${kunde}`)).json as [
          Record<string, unknown>,
        ]
      )[0]
    expect(await stored()).toMatchObject({
      rechnungsformat: 'xrechnung',
      leitweg_id: '04011000-1234512345-06',
      ust_id: 'DE136695976',
      rechnung_mail: 'rechnung@forst.example',
      zahlungsziel: 21,
    })
    await page.getByText('Format der Rechnungen: ZUGFeRD (PDF mit XML) → XRechnung (nur XML)').waitFor()

    // Meanwhile another person saves the same field.
    const version = (await stored())['version']
    await ask('a_set_kunde_rechnung', {
      client_id: kunde,
      werte: { zahlungsziel: 30, bestellnummer: 'B-7' },
      version,
    })
    await page.getByLabel('Zahlungsziel').fill('10')
    await page.getByRole('button', { name: 'Speichern' }).click()
    const conflict = page.getByRole('dialog')
    await conflict.getByText('hat diese Angaben am').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await conflict.getByRole('radio', { name: /10/ }).check()
    await conflict.getByRole('button', { name: /[Ss]peichern/ }).click()
    // The page may still report the first save, so check what is stored.
    await expect.poll(stored).toMatchObject({ zahlungsziel: 10, bestellnummer: 'B-7' })
    // The following journeys need the plain format.
    await ask('a_set_kunde_rechnung', {
      client_id: kunde,
      werte: { rechnungsformat: 'zugferd', leitweg_id: '' },
      version: (await stored())['version'],
    })
  }, 120_000)

  test('a customer’s admin reads an offer, chooses, sees what is being agreed, and accepts', async () => {
    const { id, nummer } = await offer()
    const { page } = await visit('kundenadmin', '/dokumente/index')
    await page.getByText('wartet auf Ihre Antwort, gültig bis').first().waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('searchbox').fill(nummer)
    await page.getByText('1 Treffer').waitFor()
    await page.getByRole('link', { name: `Angebot ${nummer}` }).click()
    await page.getByRole('heading', { level: 1, name: `Angebot ${nummer}` }).waitFor()
    const pdf = page.getByLabel(`PDF von Angebot ${nummer}`)
    await pdf.waitFor({ state: 'attached' })
    await pdf.evaluate((element) => element.setAttribute('data-read', 'page 2'))
    const sums = page.getByLabel('Summen', { exact: true })
    expect(await sums.textContent()).toMatch(/Brutto1\.190,00/)
    await page.getByRole('radio', { name: /Gräben befliegen/ }).check()
    await page.getByRole('checkbox', { name: /Luftbild/ }).check()
    // An alternative replaces its line: 1400 + 300 net.
    expect(await sums.textContent()).toMatch(/Netto1\.700,00.*Brutto2\.023,00/)
    await page.getByLabel('Bemerkung (freiwillig)').fill('Bitte ab März.')
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Angebot annehmen' }).click()
    const dialog = page.getByRole('alertdialog')
    const text = await dialog.textContent()
    for (const part of [
      nummer,
      '2.023,00',
      '1.700,00',
      'Gräben befliegen',
      'Luftbild',
      'Ausdruck',
      'Bitte ab März.',
      'Karl Kiefer',
    ])
      expect(text).toContain(part)
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Zahlungspflichtig beauftragen' }).click()
    await page.getByText('Vielen Dank! Sie haben das Angebot angenommen.').waitFor()
    await page.getByText(/Angenommen am .* von Karl Kiefer\./).waitFor()
    expect(await page.getByRole('button', { name: 'Angebot annehmen' }).count()).toBe(0)
    // The document is the same: the reader stays where they were in it.
    await page.waitForLoadState('networkidle')
    expect(await pdf.getAttribute('data-read')).toBe('page 2')
    expect(await details(id)).toMatchObject({
      status: 'angenommen',
      entschieden_als: 'portal',
      entschieden_von: 'Karl Kiefer',
      entscheidung: 'Bitte ab März.',
      auftrag_brutto: '2023.00',
    })
    const { json } = await call(
      app,
      await tokenOf(office),
      '/rest/meldung?select=art,params&order=id.desc&limit=1',
    )
    expect(json).toMatchObject([{ art: 'angebot_angenommen', params: { angebot: nummer } }])
    expect(await ask('a_check_protokoll', {})).toMatchObject([{ ok: true }])
  }, 120_000)

  test('a one-time link: made once, opened on a phone without signing in, answered once', async () => {
    const { id, nummer } = await offer()
    await office.goto(`${app.origin}/buchhaltung/angebote/angebot/${id}`)
    await office.getByRole('button', { name: 'Link erstellen' }).click()
    const dialog = office.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Link erstellen' }).click()
    await dialog.getByText('Diese Angabe fehlt.').waitFor()
    await dialog.getByLabel('Wer bekommt den Link?').fill('Frau Holz')
    await dialog.getByLabel('Gültig bis').fill('1.1.2099')
    await dialog.getByText(/Bitte einen Tag von heute bis zum/).waitFor()
    expect(await brokenRules(office)).toEqual([])
    await dialog
      .getByLabel('Gültig bis')
      .fill(new Date().toLocaleDateString('de-DE', { timeZone: 'Europe/Berlin' }))
    await dialog.getByRole('button', { name: 'Link erstellen' }).click()
    const link = await dialog.getByLabel('Link zum Angebot').inputValue()
    expect(link).toMatch(new RegExp(`^${app.origin}/annahme#[\\w-]{43}$`))
    expect(await brokenRules(office)).toEqual([])
    await dialog.getByRole('button', { name: 'Fertig' }).click()
    await office.getByRole('list', { name: 'Links zur Annahme' }).getByText('Frau Holz').waitFor()

    const phone = await openVisitor(browser, app, {
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
      userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile',
    })
    visitors.push(phone)
    const { page } = phone
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.url()} ${request.headers()['referer'] ?? ''}`))
    await page.goto(link)
    await page.getByText('Guten Tag Frau Holz,').waitFor()
    const [code] = link.split('#').slice(1)
    // Neither in an address nor as a referrer.
    expect(sent.filter((line) => line.includes(code!) && !line.startsWith(`${app.origin}/annahme#`))).toEqual(
      [],
    )
    await page.getByLabel(`PDF von Angebot ${nummer}`).waitFor({ state: 'attached' })
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('checkbox', { name: /Ausdruck/ }).check()
    await page.getByRole('button', { name: 'Angebot annehmen' }).click()
    await page.getByText('Bitte geben Sie Ihren Namen an').waitFor()
    await page.getByLabel('Ihr Vor- und Nachname').fill('Frieda Holz')
    await page.getByRole('button', { name: 'Angebot annehmen' }).click()
    const confirm = page.getByRole('alertdialog')
    expect(await confirm.textContent()).toMatch(/1\.249,50.*Frieda Holz/s)
    expect(await brokenRules(page)).toEqual([])
    await confirm.getByRole('button', { name: 'Zahlungspflichtig beauftragen' }).click()
    await page.getByRole('heading', { name: 'Vielen Dank für Ihren Auftrag' }).waitFor()
    expect(await brokenRules(page)).toEqual([])
    expect(await details(id)).toMatchObject({
      status: 'angenommen',
      entschieden_als: 'link',
      entschieden_von: 'Frieda Holz',
    })

    await page.reload()
    await page.getByRole('heading', { name: 'Dieses Angebot ist angenommen' }).waitFor()
    expect(await page.getByText('Gräben vermessen').count()).toBe(0)
    await office.reload()
    await office.getByText('Über den Link beantwortet').waitFor()
    await office.getByRole('list', { name: 'Links zur Annahme' }).getByText('benutzt').waitFor()
    expect(app.output()).not.toContain(code)
  }, 120_000)

  test('links that lead nowhere say why and what to do; a decline is one as well', async () => {
    const [withdrawn, declined] = [await offer(), await offer()]
    const linkOf = async (id: number) =>
      (
        await ask<{ id: number; code: string }[]>('a_add_annahme_link', {
          offer_id: id,
          empfaenger: 'Frau Holz',
          gueltig_bis: null,
        })
      )[0]!
    const [first, second] = [await linkOf(withdrawn.id), await linkOf(declined.id)]
    await office.goto(`${app.origin}/buchhaltung/angebote/angebot/${withdrawn.id}`)
    await office.getByRole('button', { name: 'Link für Frau Holz zurückziehen' }).click()
    await office.getByRole('alertdialog').getByRole('button', { name: 'Zurückziehen' }).click()
    await office.getByText('Der Link gilt nicht mehr.').waitFor()
    const visitor = await borrowVisitor(browser, app)
    visitors.push(visitor)
    const { page } = visitor
    for (const [code, heading] of [
      ['', 'Dieser Link ist ungültig'],
      [`${first.code}x`, 'Dieser Link ist ungültig'],
      [first.code, 'Dieser Link gilt nicht mehr'],
    ] as const) {
      await page.goto('about:blank')
      await page.goto(`${app.origin}/annahme#${code}`)
      await page.getByRole('heading', { name: heading }).waitFor()
    }
    expect(await brokenRules(page)).toEqual([])
    await page.goto('about:blank')
    await page.goto(`${app.origin}/annahme#${second.code}`)
    await page.getByLabel('Ihr Vor- und Nachname').fill('Frieda Holz')
    // Another language would take the name.
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByText(/^Bitte senden oder leeren Sie zuerst Ihre Eingaben/).waitFor()
    expect(await page.getByLabel('Ihr Vor- und Nachname').inputValue()).toBe('Frieda Holz')
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Angebot ablehnen' }).click()
    // Meanwhile the office has recorded an answer: the person learns of it, and nothing is overwritten.
    await ask('a_decide_offer', { offer_id: declined.id, angenommen: true, wer: 'Frau Holz, telefonisch' })
    await page.getByRole('alertdialog').getByRole('button', { name: 'Ablehnen' }).click()
    await page.getByRole('heading', { name: 'Dieses Angebot ist schon beantwortet' }).waitFor()
    expect(await details(declined.id)).toMatchObject({ status: 'angenommen', entschieden_als: 'intern' })
  }, 120_000)

  test('an invoice says in plain words where it stands and how to pay; files come under its name', async () => {
    const id = await ask<number>('a_add_invoice', {
      client_id: kunde,
      rn_datum: null,
      le_date: '2026-10-31',
      ust_satz: '19',
    })
    await ask('a_save_positions', {
      rechnung_id: id,
      positionen: [{ bez: 'Vermessung', anzahl: '1', einheit: 'psch', ep: '1000' }],
    })
    const [issued] = await ask<{ nummer: string }[]>('a_issue_invoice', { invoice_id: id })
    const { nummer } = issued!
    const { page } = await visit('kundenadmin', `/dokumente/rechnung/${id}`)
    await page.getByText(/^offen, fällig am/).waitFor()
    await page.getByText('Noch zu zahlen: 1.190,00').waitFor()
    await page.getByText('GiroCode').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: `Rechnung ${nummer} als XML herunterladen (E-Rechnung)` }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`Rechnung-${nummer}.xml`)
    expect(await brokenRules(page)).toEqual([])
    await ask('a_add_payment', {
      rechnung_id: id,
      datum: new Date().toISOString().slice(0, 10),
      betrag: '1190.00',
    })
    await page.reload()
    await page.getByText('bezahlt', { exact: true }).waitFor()
    expect(await page.getByText('Noch zu zahlen').count()).toBe(0)
    await page.goto(`${app.origin}/dokumente/rechnung/999999`)
    await page.getByText('Dieses Dokument gibt es hier nicht').waitFor()
  }, 120_000)
})
