// Documents are sent by a click, to a real mail server that rejects, defers and accepts; single and bulk
// reminders, with the letter that the customer receives.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type KeptMail, type SmtpSink, startSmtpSink } from '../test/smtp-sink.ts'
import { type RunningApp, startApp } from './app.ts'
import { brokenRules } from './axe.ts'
import {
  demoPassword,
  emailOf,
  enterCredentials,
  hasBrowser,
  launchBrowser,
  type Visitor,
} from './browser.ts'
import { borrowVisitor } from './reuse.ts'
import { call, tokenOf } from './calls.ts'

interface OpenPart {
  readonly id: number
  readonly nummer: string
  readonly client_id: number
}

/** The text as people read it; without the tool only the bytes are checked. */
function textOf(pdf: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'forstkontor-pdf-'))
  try {
    writeFileSync(join(folder, 'a.pdf'), pdf)
    return execFileSync('pdftotext', ['-layout', join(folder, 'a.pdf'), '-'], { encoding: 'utf8' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe.skipIf(!hasBrowser())('documents that are sent', () => {
  let app: RunningApp
  let browser: Browser
  let sink: SmtpSink
  let overdue: OpenPart[]
  let password: string
  const visitors: Visitor[] = []

  beforeAll(async () => {
    ;[browser, sink] = await Promise.all([launchBrowser(), startSmtpSink()])
    sink.whim = (step, value) =>
      step !== 'rcpt'
        ? null
        : value.startsWith('weg@')
          ? '550 5.1.1 no such user'
          : value.startsWith('spaeter@')
            ? '451 4.7.1 greylisted'
            : null
    const env = {
      LOGIN_RATE_PER_MIN: '1000',
      SMTP_URL: sink.url,
      MAIL_FROM: 'Forstkontor <rechnung@forst.example>',
      MAIL_EVERY_S: '1',
    }
    app = await startApp({ env })
    password = demoPassword(app)
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await app?.stop()
    sink?.close()
  })
  afterEach(async () => {
    const complaints = visitors.flatMap((visitor) => visitor.complaints)
    await Promise.all(visitors.splice(0).map((visitor) => visitor.close()))
    expect(complaints, 'console errors, faults, policy reports').toEqual([])
  })
  const visit = async (path: string): Promise<Page> => {
    const visitor = await borrowVisitor(browser, app)
    visitors.push(visitor)
    visitor.page.on('dialog', (dialog) => void dialog.accept())
    // Only the first start prints the password, so that one is used.
    await visitor.page.goto(path)
    await enterCredentials(visitor.page, emailOf('apus_admin'), password)
    await visitor.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    return visitor.page
  }
  const ask = async (page: Page, path: string, body?: object) => call(app, await tokenOf(page), path, body)
  const rpc = (page: Page, name: string, body: object) => ask(page, `/rest/rpc/${name}`, body)
  const billTo = async (page: Page, client_id: number, rechnung_mail: string) => {
    const { json } = await ask(page, `/rest/kunde_rechnung?select=version&client_id=eq.${client_id}`)
    const version = (json as { version: number }[])[0]?.version
    expect(
      await rpc(page, 'a_set_kunde_rechnung', {
        client_id,
        werte: { rechnung_mail },
        ...(version && { version }),
      }),
    ).toMatchObject({
      status: 200,
    })
  }
  const findOverdue = async (page: Page): Promise<OpenPart[]> => {
    const { json } = await ask(
      page,
      '/rest/rechnung_liste?select=id,nummer,client_id&stand=eq.ueberfaellig&order=id&limit=6',
    )
    return json as OpenPart[]
  }
  const mailsTo = (address: string): KeptMail[] => sink.mails.filter(({ to }) => to.includes(address))
  const pdfOf = ({ files }: KeptMail): Buffer => files.find(({ type }) => type === 'application/pdf')!.bytes
  const an = (dialog: Locator) => dialog.getByRole('textbox', { name: /^An/ })
  const deliveries = (page: Page) => page.getByRole('list', { name: 'Versand' })

  test('an invoice is refused at one address, sent again to two others, and arrives as the stored bytes', async () => {
    const page = await visit('/buchhaltung/rechnungen')
    overdue = await findOverdue(page)
    const [invoice] = overdue as [OpenPart]
    await billTo(page, invoice.client_id, 'weg@kunde.example')
    await page.goto(`/buchhaltung/rechnungen/rechnung/${invoice.id}`)
    await page.getByText('Noch nicht versendet').waitFor()
    await page.getByRole('button', { name: 'Versenden', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Rechnung versenden' })
    await expect.poll(() => an(dialog).inputValue()).toBe('weg@kunde.example')
    await dialog
      .getByRole('region', { name: 'So wird sie gelesen' })
      .getByText(new RegExp(`unsere Rechnung ${invoice.nummer}`))
      .waitFor()
    await dialog.getByText(`Rechnung-${invoice.nummer}.pdf`).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Senden', exact: true }).click()
    await page.getByText('Die E-Mail ist unterwegs.').waitFor()
    await deliveries(page).getByText('Nicht gesendet').waitFor()
    await deliveries(page).getByText('no such user').waitFor()
    expect(await brokenRules(page)).toEqual([])

    await page.getByRole('button', { name: 'Erneut senden an weg@kunde.example' }).click()
    const again = page.getByRole('dialog', { name: 'Rechnung versenden' })
    await an(again).fill('kasse@kunde.example, kein')
    await again.getByRole('button', { name: 'An 2 Empfänger senden' }).click()
    await again.getByText('„kein“ ist keine gültige E-Mail-Adresse.').waitFor()
    await an(again).fill('kasse@kunde.example, zweite@kunde.example')
    await again.getByLabel('Betreff').fill('Unsere Rechnung {nummer}')
    await again.getByRole('button', { name: 'An 2 Empfänger senden' }).click()
    await expect
      .poll(() => deliveries(page).getByText('Gesendet', { exact: true }).count(), { timeout: 30_000 })
      .toBe(2)
    for (const address of ['kasse@kunde.example', 'zweite@kunde.example']) {
      const [mail, ...others] = mailsTo(address)
      expect(others).toEqual([])
      expect(mail!.headers['subject']).toBe(`Unsere Rechnung ${invoice.nummer}`)
      expect(mail!.headers['from']).toContain('<rechnung@forst.example>')
      expect(mail!.text).toContain('Sehr geehrte Damen und Herren,')
      expect(mail!.text).not.toMatch(/[{}]/)
      expect(textOf(pdfOf(mail!))).toContain(invoice.nummer)
      const { json } = await ask(page, `/rest/dokument?select=sha256&rechnung_id=eq.${invoice.id}&art=eq.pdf`)
      expect(json).toEqual([{ sha256: createHash('sha256').update(pdfOf(mail!)).digest('hex') }])
    }
    expect(mailsTo('weg@kunde.example')).toEqual([])
    // Recorded in the chain, and shown in the list.
    await page.getByRole('list').getByText('Versand gescheitert').waitFor()
    expect((await rpc(page, 'a_check_protokoll', {})).json).toMatchObject([{ ok: true }])
    await page.goto('/buchhaltung/rechnungen?versand=gesendet&archiv=mit')
    await page.getByRole('table').getByText(invoice.nummer).waitFor()
    expect(await page.getByRole('table').locator('tbody tr').count()).toBe(1)
  })

  test('one that is put off waits, says why, and is withdrawn', async () => {
    const page = await visit('/buchhaltung/rechnungen')
    const invoice = overdue[1]!
    await rpc(page, 'a_send_beleg', {
      art: 'rechnung',
      id: invoice.id,
      an: 'spaeter@kunde.example',
      betreff: 'Rechnung',
      text: 'Anbei.',
    })
    await page.goto(`/buchhaltung/rechnungen/rechnung/${invoice.id}`)
    await deliveries(page)
      .getByText(/noch nicht angenommen: „.*greylisted“\. Nächster Versuch/)
      .waitFor({ timeout: 30_000 })
    await page.getByRole('button', { name: 'Zurückziehen: E-Mail an spaeter@kunde.example' }).click()
    await deliveries(page).getByText('Zurückgezogen').waitFor()
    expect(mailsTo('spaeter@kunde.example')).toEqual([])
  })

  test('an offer is sent, and its page keeps what was said', async () => {
    const page = await visit('/buchhaltung/angebote')
    const { json } = await ask(
      page,
      '/rest/angebot_liste?select=id,nummer&stand=neq.entwurf&status=neq.entwurf&order=id&limit=1',
    )
    const [offer] = json as [OpenPart]
    await page.goto(`/buchhaltung/angebote/angebot/${offer.id}`)
    await page.getByRole('button', { name: 'Versenden', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Angebot versenden' })
    await an(dialog).fill('angebot@kunde.example')
    await dialog.getByRole('checkbox', { name: 'angebot@kunde.example beim Kunden eintragen' }).check()
    await dialog.getByRole('button', { name: 'Senden', exact: true }).click()
    await deliveries(page).getByText('Gesendet', { exact: true }).waitFor({ timeout: 30_000 })
    expect(textOf(pdfOf(mailsTo('angebot@kunde.example')[0]!))).toContain('Angebot')
    // The customer's address from now on, so it is proposed and not asked for again.
    await page.getByRole('button', { name: 'Versenden', exact: true }).click()
    await expect.poll(() => an(dialog).inputValue()).toBe('angebot@kunde.example')
    expect(await dialog.getByRole('checkbox').count()).toBe(0)
  })

  test('what is overdue is reminded of: looked at, written for two at once, mailed only as was asked', async () => {
    const page = await visit('/buchhaltung/mahnungen')
    const { json } = await rpc(page, 'a_get_mahnliste', {})
    const due = (
      json as { rechnung_id: number; nummer: string; client_id: number; dran: boolean; stufe: number }[]
    ).filter(({ dran, stufe }) => dran && stufe === 0)
    const [first, second] = due.filter(
      (row, at) => due.findIndex(({ client_id }) => client_id === row.client_id) === at,
    ) as [(typeof due)[0], (typeof due)[0]]
    await billTo(page, first.client_id, 'eins@kunde.example')
    await billTo(page, second.client_id, 'zwei@kunde.example')
    await page.reload()
    await page.getByRole('table').getByText(first.nummer).waitFor()
    expect(await brokenRules(page)).toEqual([])
    for (const { nummer } of [first, second])
      await page.getByRole('row').filter({ hasText: nummer }).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Mahnen', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: '2 Mahnungen schreiben' })
    const text = dialog.getByRole('textbox', { name: /^Text/ })
    await text.fill('Bitte {wer}')
    await dialog.getByRole('button', { name: 'Schreiben', exact: true }).click()
    await dialog.getByText('{wer} ist kein Platzhalter.').waitFor()
    await text.fill('wir warten auf {betrag} zur Rechnung {nummer}, zahlbar bis {faellig}.')
    await dialog.getByLabel('Gebühr').first().fill('2,50')
    await dialog.getByRole('button', { name: 'Vorschau' }).click()
    await dialog.getByLabel(/^PDF von RE-/).waitFor({ state: 'attached' })
    expect(await brokenRules(page, 'dialog[open]')).toEqual([])
    // Notices of other things may be on their way at the same time.
    const reminders = () =>
      sink.mails.filter(({ headers }) => headers['subject']?.startsWith('Zahlungserinnerung'))
    expect(reminders()).toEqual([])
    await dialog.getByLabel('Gleich per E-Mail an die Kunden senden').check()
    await dialog.getByRole('button', { name: 'Schreiben und senden' }).click()
    await page.getByText('2 Mahnungen sind geschrieben und unterwegs.').waitFor()
    await expect.poll(() => reminders().length, { timeout: 30_000 }).toBe(2)
    const letters = [mailsTo('eins@kunde.example'), mailsTo('zwei@kunde.example')].map(([mail]) => mail!)
    for (const [mail, { nummer }] of [
      [letters[0]!, first],
      [letters[1]!, second],
    ] as const) {
      expect(mail.headers['subject']).toBe(`Zahlungserinnerung zur Rechnung ${nummer}`)
      const letter = textOf(pdfOf(mail)).replaceAll(/\s+/g, ' ')
      for (const part of ['Zahlungserinnerung', nummer, 'wir warten auf', 'Offener Betrag', 'GiroCode'])
        expect(letter).toContain(part)
    }
    expect(
      textOf(pdfOf(letters[0]!)).replaceAll(/\s+/g, ' ') + textOf(pdfOf(letters[1]!)).replaceAll(/\s+/g, ' '),
    ).toContain('Mahngebühr 2,50')
    // Both the list and the invoice show it; another reminder right away is not proposed.
    await page.getByRole('row').filter({ hasText: first.nummer }).getByText('Frist läuft noch').waitFor()
    // Chosen beside one that is due, it is not included, and the dialog says so.
    const third = due.find((row) => row !== first && row !== second)!
    for (const { nummer } of [first, third])
      await page.getByRole('row').filter({ hasText: nummer }).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Mahnen', exact: true }).click()
    const one = page.getByRole('dialog', { name: 'Zahlungserinnerung schreiben' })
    await one.getByText(`Nicht dabei: ${first.nummer}`).waitFor()
    expect(await brokenRules(page, 'dialog[open]')).toEqual([])
    await one.getByRole('button', { name: 'Abbrechen' }).click()
    await page.goto(`/buchhaltung/rechnungen/rechnung/${first.rechnung_id}`)
    await page.getByRole('list', { name: 'Mahnungen' }).getByText('Zahlungserinnerung').waitFor()
    await deliveries(page).getByText('eins@kunde.example').waitFor()
    const stored = await fetch(`${app.origin}/prod-api/beleg/mahnung/1.pdf`, {
      headers: { authorization: `Bearer ${await tokenOf(page)}` },
    })
    expect(stored.status).toBe(200)
    expect(await brokenRules(page)).toEqual([])
  })

  test('interest and lump sum by law: the missing base rate is asked for and entered', async () => {
    const page = await visit('/buchhaltung/mahnungen')
    const { json } = await rpc(page, 'a_get_mahnliste', {})
    const row = (
      json as { nummer: string; rechnung_id: number; dran: boolean; stufe: number; privat: boolean }[]
    ).find(({ dran, stufe, privat }) => dran && stufe === 0 && !privat)!
    const write = async () => {
      await page.getByRole('row').filter({ hasText: row.nummer }).getByRole('button').last().click()
      return page.getByRole('dialog', { name: 'Zahlungserinnerung schreiben' })
    }
    const first = await write()
    expect(await first.getByRole('checkbox', { name: 'Verzugszinsen verlangen' }).isChecked()).toBe(false)
    await first.getByRole('checkbox', { name: 'Verzugszinsen verlangen' }).check()
    await first.getByText('Der Basiszinssatz fehlt').waitFor()
    await page.goto('/buchhaltung/einstellungen')
    await page.getByText('Für das laufende Halbjahr fehlt der Satz').waitFor()
    const half = await page.evaluate(() => {
      const now = new Date()
      return `01.${now.getMonth() < 6 ? '01' : '07'}.${now.getFullYear()}`
    })
    await page.getByRole('button', { name: 'Satz eintragen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Basiszinssatz eintragen' })
    await expect.poll(() => dialog.getByLabel('Gilt ab').inputValue()).toBe(half)
    await dialog.getByLabel('Basiszinssatz').fill('20,01')
    await dialog.getByRole('button', { name: 'Eintragen' }).click()
    await dialog.getByText('Von −5,00 bis 20,00').waitFor()
    await dialog.getByLabel('Basiszinssatz').fill('1,52')
    await dialog.getByRole('button', { name: 'Eintragen' }).click()
    await page.getByRole('cell', { name: half, exact: true }).first().waitFor()
    expect(await brokenRules(page)).toEqual([])

    await page.goto('/buchhaltung/mahnungen')
    const second = await write()
    await second.getByRole('checkbox', { name: 'Verzugszinsen verlangen' }).check()
    await second.getByRole('list', { name: 'Berechnung der Zinsen' }).getByText('Zinsen bis heute').waitFor()
    await second.getByRole('checkbox', { name: /^Pauschale von 40/ }).check()
    expect(await brokenRules(page, 'dialog[open]')).toEqual([])
    await second.getByRole('button', { name: 'Schreiben', exact: true }).click()
    await page.getByText('Die Mahnung ist geschrieben.').waitFor()
    await page.goto(`/buchhaltung/rechnungen/rechnung/${row.rechnung_id}`)
    await page.getByRole('list', { name: 'Mahnungen' }).getByText('Pauschale 40,00').waitFor()
    const made = (await rpc(page, 'a_get_mahnungen', { invoice_id: row.rechnung_id })).json as {
      id: number
    }[]
    const stored = await fetch(`${app.origin}/prod-api/beleg/mahnung/${made[0]!.id}.pdf`, {
      headers: { authorization: `Bearer ${await tokenOf(page)}` },
    })
    const letter = textOf(Buffer.from(await stored.arrayBuffer())).replaceAll(/\s+/g, ' ')
    for (const part of [
      'Verzugszinsen bis',
      'Verzugspauschale 40,00',
      '1,52 % + 9 %',
      '§ 288 Abs. 5 BGB',
      'Summe',
    ])
      expect(letter.replaceAll('\u00A0', ' ')).toContain(part)
  })

  test('the files of what is issued are made by the server itself', async () => {
    const page = await visit('/buchhaltung/rechnungen')
    const { json } = await rpc(page, 'a_cancel_invoice', {
      invoice_id: overdue[3]!.id,
      grund: 'Falsche Anschrift',
    })
    const [{ id }] = json as [{ id: number }]
    await expect
      .poll(
        async () => (await ask(page, `/rest/dokument?select=dateiname&rechnung_id=eq.${id}&art=eq.pdf`)).json,
        { timeout: 30_000 },
      )
      .toEqual([{ dateiname: expect.stringMatching(/^Stornorechnung-RE-.*\.pdf$/) as string }])
    expect((await ask(page, `/rest/dokument_auftrag?select=id&rechnung_id=eq.${id}`)).json).toEqual([])
  })

  test('without a mail server the window says so, and delivery by post is written down', async () => {
    app = await app.restart({ LOGIN_RATE_PER_MIN: '1000', MAIL_EVERY_S: '1' })
    const page = await visit('/buchhaltung/rechnungen')
    const invoice = overdue[2]!
    await page.goto(`/buchhaltung/rechnungen/rechnung/${invoice.id}`)
    await page.getByRole('button', { name: 'Versenden', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Rechnung versenden' })
    await dialog.getByText('Kein Mailversand eingerichtet').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: `Rechnung-${invoice.nummer}.pdf herunterladen` }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`Rechnung-${invoice.nummer}.pdf`)
    await dialog.getByRole('button', { name: 'Als versendet vermerken' }).click()
    await page.getByText('Der Versand ist vermerkt.').waitFor()
    await deliveries(page).getByText('Post').waitFor()
    // A delivery requested anyway is given up with the reason.
    await rpc(page, 'a_send_beleg', {
      art: 'rechnung',
      id: invoice.id,
      an: 'a@kunde.example',
      betreff: 'Rechnung',
      text: 'Anbei.',
    })
    await page.reload()
    await deliveries(page)
      .getByText(/kein Mailversand eingerichtet/)
      .waitFor({ timeout: 30_000 })
  })
})
