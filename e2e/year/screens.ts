// The same acts through the real pages in a browser: lines are typed, documents issued and cancelled, payments entered,
// the bank's file chosen.
import { hasBrowser, launchBrowser, openVisitor, signIn } from '../browser.ts'
import type { LineFact } from './facts.ts'
import type { Office } from './office.ts'

export interface Screens {
  /** Types the lines into a draft that has none, and saves it. */
  typeLines(id: number, lines: readonly LineFact[]): Promise<void>
  issue(id: number): Promise<void>
  pay(id: number, day: string, amount: string): Promise<void>
  /** Returns the id of the Storno. */
  cancel(id: number, reason: string): Promise<number>
  readBank(name: string, xml: string): Promise<void>
  /** Ends it; how many acts it was, and what the console complained about. */
  close(): Promise<OnScreen>
}
export interface OnScreen {
  readonly acts: number
  readonly complaints: readonly string[]
}

const INVOICES = '/buchhaltung/rechnungen/rechnung'
const german = (figure: string): string => figure.replace('.', ',')
const germanDay = (day: string): string => day.split('-').toReversed().join('.')

export async function openScreens({ app }: Office): Promise<Screens> {
  if (!hasBrowser()) throw new Error('no browser')
  const browser = await launchBrowser()
  const visitor = await openVisitor(browser, app)
  const { page } = visitor
  await signIn(visitor, app, 'apus_admin', '/buchhaltung/rechnungen')
  let acts = 0
  return {
    async typeLines(id, lines) {
      acts += 1
      await page.goto(`${INVOICES}/update/${id}`)
      await page.getByRole('button', { name: 'Position hinzufügen' }).click()
      await page.locator('[data-cell="0.2"]').waitFor()
      await page.waitForFunction(() => (document.activeElement as HTMLElement).dataset['cell'] === '0.2')
      for (const [at, line] of lines.entries()) {
        const cells = [`Arbeit ${at + 1}`, german(line.quantity), 'h', german(line.price), '', line.rate]
        for (const text of cells) {
          // oxlint-disable-next-line no-await-in-loop -- key after key
          if (text !== '') await page.keyboard.type(text)
          // oxlint-disable-next-line no-await-in-loop -- as above
          await page.keyboard.press('Tab')
        }
      }
      await page.getByRole('button', { name: 'Speichern' }).click()
      await page.getByText('Gespeichert.').first().waitFor()
    },
    async issue(id) {
      acts += 1
      await page.goto(`${INVOICES}/update/${id}`)
      await page.getByRole('button', { name: 'Ausstellen' }).click()
      const confirm = page.getByRole('alertdialog')
      await confirm.getByRole('button', { name: 'Endgültig ausstellen' }).click()
      await page.getByRole('heading', { level: 1, name: /echnung RE-/ }).waitFor()
    },
    async pay(id, day, amount) {
      acts += 1
      await page.goto(`${INVOICES}/${id}`)
      await page.getByRole('button', { name: 'Zahlung eintragen' }).click()
      const dialog = page.getByRole('dialog', { name: 'Zahlung eintragen' })
      await dialog.getByLabel('Datum').fill(germanDay(day))
      await dialog.getByLabel('Betrag').fill(german(amount))
      await dialog.getByRole('button', { name: 'Eintragen' }).click()
      await page.getByText('Die Zahlung ist eingetragen.').first().waitFor()
    },
    async cancel(id, reason) {
      acts += 1
      await page.goto(`${INVOICES}/${id}`)
      await page.getByRole('button', { name: 'Stornieren' }).click()
      const dialog = page.getByRole('dialog', { name: 'Rechnung stornieren?' })
      await dialog.getByLabel('Grund').fill(reason)
      await dialog.getByRole('button', { name: 'Endgültig stornieren' }).click()
      await page.getByRole('heading', { level: 1, name: /^Stornorechnung / }).waitFor()
      return Number(/(\d+)$/.exec(new URL(page.url()).pathname)![1])
    },
    async readBank(name, xml) {
      acts += 1
      await page.goto('/buchhaltung/zahlungen')
      await page
        .getByLabel('Kontoauszug', { exact: true })
        .setInputFiles({ name, mimeType: 'text/xml', buffer: Buffer.from(xml) })
      await page.getByRole('button', { name: /Ums[aä]tze? einlesen$/ }).click()
      await page.getByText(/Neu eingelesen: \d+/).waitFor()
    },
    async close() {
      await visitor.close()
      await browser.close()
      return { acts, complaints: visitor.complaints }
    },
  }
}
