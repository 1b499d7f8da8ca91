// npm run bench:tasks: how many presses everyday tasks take, on the real pages with a mouse. Each press of a
// button, link, option or row counts, each Enter that sends something too; typing and Tab do not.
import { setTimeout } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { startApp } from '../../e2e/app.ts'
import { launchBrowser, openVisitor, signIn } from '../../e2e/browser.ts'
import { call, tokenOf } from '../../e2e/calls.ts'
import { LIEFERANT } from '../../e2e/lieferant.ts'
import { startSmtpSink } from '../../test/smtp-sink.ts'
import { atMost, type Figure, PRESSES, report, shown } from '../figures.ts'

const figures: Figure[] = []

/** A hand that counts what it presses. */
class Hand {
  presses = 0
  readonly page: Page
  constructor(page: Page) {
    this.page = page
  }

  async press(place: Locator): Promise<void> {
    this.presses++
    await place.click()
  }

  button = (name: string, within: Page | Locator = this.page): Promise<void> =>
    this.press(within.getByRole('button', { name, exact: true }).first())

  /** Types a word into the focused search field and presses the first hit. */
  async choose(word: string, within: Page | Locator = this.page): Promise<void> {
    await this.page.keyboard.type(word)
    await this.press(within.getByRole('option').first())
  }
}

const sink = await startSmtpSink()
const app = await startApp({
  env: {
    LOGIN_RATE_PER_MIN: '1000',
    SMTP_URL: sink.url,
    MAIL_FROM: 'Forstkontor <rechnung@forst.example>',
    MAIL_EVERY_S: '1',
  },
})
const browser = await launchBrowser()

async function enter(role: 'apus_admin' | 'ogf_admin', path: string): Promise<Page> {
  const visitor = await openVisitor(browser, app)
  // Presses are counted, not seconds; a mail may wait behind other work of the machine.
  visitor.context.setDefaultTimeout(120_000)
  await signIn(visitor, app, role, path)
  await visitor.page.getByRole('main').getByRole('heading', { level: 1 }).first().waitFor()
  return visitor.page
}
const ask = async (page: Page, path: string, body?: object) =>
  (await call(app, await tokenOf(page), path, body)).json

async function mailTo(address: string): Promise<void> {
  const until = Date.now() + 30_000
  while (!sink.mails.some(({ to }) => to.includes(address))) {
    if (Date.now() > until) throw new Error(`no mail has come to ${address}`)
    await setTimeout(100)
  }
}

/** From the page where it begins to what shows that it is done. */
async function task(
  page: Page,
  name: string,
  limit: number | null,
  work: (hand: Hand) => Promise<void>,
): Promise<void> {
  const hand = new Hand(page)
  await work(hand).catch(async (error: unknown) => {
    console.error(`${name}: the page says\n${await page.locator('body').innerText()}`)
    throw error
  })
  figures.push(
    limit === null ? shown(name, hand.presses, PRESSES) : atMost(name, limit, hand.presses, PRESSES),
  )
}

async function createCustomer(page: Page): Promise<void> {
  await task(page, 'create a customer, from the list to the record', 2, async (hand) => {
    await hand.button('Kunde anlegen')
    const dialog = page.getByRole('dialog', { name: 'Kunde anlegen' })
    await dialog.waitFor()
    await page.keyboard.type('Waldhof Handgriff')
    await dialog.getByLabel('Straße und Hausnummer').fill('Am Forst 1')
    await dialog.getByLabel('PLZ').fill('01067')
    await dialog.getByLabel('Ort', { exact: false }).fill('Dresden')
    await hand.button('Anlegen', page.getByRole('dialog'))
    await page.getByRole('heading', { level: 1, name: 'Waldhof Handgriff' }).waitFor()
  })
}

async function inviteSomebody(page: Page): Promise<void> {
  await task(
    page,
    'invite somebody to a customer, from the list until the mail has come',
    4,
    async (hand) => {
      await hand.button('Nutzer anlegen')
      const dialog = page.getByRole('dialog', { name: 'Nutzer anlegen' })
      // Typed and passed with Tab; fill() says the same in less time.
      await dialog.getByLabel('Anmeldeadresse').fill('hanna.hand@griff.example')
      await dialog.getByLabel('Vorname').fill('Hanna')
      await dialog.getByLabel('Nachname').fill('Hand')
      await dialog.getByRole('combobox', { name: 'Kunde' }).focus()
      await hand.choose('Forst', dialog)
      await hand.button('Anlegen', dialog)
      await page.getByRole('heading', { level: 1, name: 'Hanna Hand' }).waitFor()
      await mailTo('hanna.hand@griff.example')
    },
  )
}

/** Five lines are typed with Tab from cell to cell. */
async function writeInvoice(page: Page): Promise<string> {
  const [{ name, client_id }] = (await ask(page, '/rest/kunde?select=client_id,name&client_id=eq.41')) as [
    { name: string; client_id: number },
  ]
  await ask(page, '/rest/rpc/a_set_kunde_rechnung', {
    client_id,
    werte: { rechnung_mail: 'kasse@kunde.example' },
  })
  let number = ''
  await task(page, 'an invoice with five lines, from the list until it is sent', 8, async (hand) => {
    await hand.button('Rechnung schreiben')
    await page.getByRole('dialog').getByRole('combobox', { name: 'Kunde' }).waitFor()
    await hand.choose(name, page.getByRole('dialog'))
    await page.getByRole('heading', { name: 'Neue Rechnung' }).waitFor()
    await page.getByLabel('Leistung am oder ab').fill('2.11.2026')
    await hand.button('Entwurf anlegen')
    await page.getByRole('heading', { name: 'Rechnung schreiben' }).waitFor()
    await hand.button('Position hinzufügen')
    await page.locator('[data-cell="0.2"]:focus').waitFor()
    for (let line = 0; line < 5; line++) {
      if (line > 0) await page.locator(`[data-cell="${line}.2"]:focus`).waitFor()
      // Description, quantity, unit, price, discount, rate.
      for (const text of [`Graben ${line + 1} aufmessen`, '12,5', 'ha', '80', '', ''].slice(
        0,
        line < 4 ? 6 : 4,
      )) {
        await page.keyboard.type(text)
        await page.keyboard.press('Tab')
      }
    }
    await hand.button('Ausstellen')
    await hand.button('Endgültig ausstellen', page.getByRole('alertdialog'))
    const heading = page.getByRole('heading', { level: 1, name: /^Rechnung RE-/ })
    await heading.waitFor()
    number = (await heading.innerText()).replace('Rechnung ', '')
    await hand.button('Rechnung versenden')
    await hand.button('Senden', page.getByRole('dialog', { name: 'Rechnung versenden' }))
    await page.getByText('Die E-Mail ist unterwegs.').waitFor()
  })
  const [{ brutto }] = (await ask(page, `/rest/rechnung_liste?select=brutto&nummer=eq.${number}`)) as [
    { brutto: string },
  ]
  if (Number(brutto) !== 5 * 1190) throw new Error(`five lines make 5,950, not ${brutto}`)
  await mailTo('kasse@kunde.example')
  return number
}

async function findInvoice(page: Page, number: string): Promise<void> {
  await page.goto(`${app.origin}/dashboard`)
  await page.getByRole('main').getByRole('heading', { level: 1 }).first().waitFor()
  // The first hit is chosen with Enter, which sends nothing.
  await task(page, 'find an invoice by its number, from any page', 1, async (hand) => {
    await hand.press(page.getByRole('button', { name: /^Suchen/ }).first())
    await page.locator('[role="combobox"]:focus').waitFor()
    await page.keyboard.type(number)
    await page
      .getByRole('option', { name: new RegExp(number) })
      .first()
      .waitFor()
    await page.locator('.jump-list[aria-busy="false"]').waitFor({ state: 'attached' })
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: `Rechnung ${number}` }).waitFor()
  })
}

async function remind(page: Page): Promise<void> {
  await page.goto(`${app.origin}/buchhaltung/mahnungen`)
  const first = page.getByRole('button', { name: /^Zahlungserinnerung zu .* schreiben$/ }).first()
  await first.waitFor()
  await task(page, 'write a reminder, from the list', 2, async (hand) => {
    await hand.press(first)
    await hand.button('Schreiben', page.getByRole('dialog'))
    await page.getByText('Die Mahnung ist geschrieben.').waitFor()
  })
}

async function takePayment(page: Page, number: string): Promise<void> {
  await page.goto(`${app.origin}/buchhaltung/rechnungen?suche=${number}`)
  const row = page.getByRole('link', { name: number }).first()
  await row.waitFor()
  await task(page, 'enter a payment in full, from the list', null, async (hand) => {
    await hand.press(row)
    // What still loads moves the button away from under the pointer.
    await page.getByText('Noch keine Zahlungen').waitFor()
    await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
    await hand.button('Zahlung eintragen')
    await hand.button('Eintragen', page.getByRole('dialog', { name: 'Zahlung eintragen' }))
    await page.getByText('Die Zahlung ist eingetragen.').waitFor()
  })
}

try {
  const forest = await enter('ogf_admin', '/kunden/index')
  await createCustomer(forest)
  await forest.goto(`${app.origin}/nutzer/index`)
  await inviteSomebody(forest)
  const office = await enter('apus_admin', '/buchhaltung/rechnungen')
  await ask(office, '/rest/rpc/a_set_lieferant', { werte: LIEFERANT })
  const number = await writeInvoice(office)
  await findInvoice(office, number)
  await remind(office)
  await takePayment(office, number)
} finally {
  await browser.close()
  await app.stop()
  sink.close()
}
report('tasks', figures)
