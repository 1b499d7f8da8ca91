// The five most common tasks without a mouse, using only page.keyboard. The focus is always visible and never
// trapped.
import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type RunningApp, startApp } from './app.ts'
import {
  demoPassword,
  emailOf,
  hasBrowser,
  launchBrowser,
  openVisitor,
  signIn,
  type Visitor,
} from './browser.ts'
import { call, tokenOf } from './calls.ts'

interface Stop {
  readonly what: string
  readonly seen: boolean
}

/**
 * The focused element, and whether the focus is visible: by its own outline or, if another element draws it,
 * that of its neighbour or label.
 */
const stopAt = (page: Page): Promise<Stop | null> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return null
    const outlined = (one: Element | null): boolean => {
      if (one === null) return false
      const { outlineStyle, outlineWidth, visibility } = getComputedStyle(one)
      const { width, height } = one.getBoundingClientRect()
      return (
        outlineStyle !== 'none' &&
        parseFloat(outlineWidth) >= 1 &&
        visibility === 'visible' &&
        width > 1 &&
        height > 1
      )
    }
    const name =
      element.getAttribute('aria-label') ?? (element.textContent?.trim() || element.getAttribute('name'))
    return {
      what: `${element.tagName.toLowerCase()} ${element.id} „${name?.slice(0, 60)}“`,
      seen: [element, element.nextElementSibling, element.closest('label')].some(outlined),
    }
  })
const isFocused = (place: Locator) =>
  place.evaluate((element) => element === document.activeElement).catch(() => false)

/** Presses Tab until the place is reached; each stop on the way must show its focus. */
async function tabTo(page: Page, place: Locator, { key = 'Tab', most = 120 } = {}): Promise<void> {
  await place.waitFor()
  for (let stops = 0; stops < most; stops++) {
    if (await isFocused(place)) return
    await page.keyboard.press(key)
    const stop = await stopAt(page)
    if (stop !== null) expect(stop.seen, `focus is not to be seen on ${stop.what}`).toBe(true)
  }
  throw new Error(`not reached within ${most} stops: ${String(place)}`)
}
/** Presses arrow keys within a menu until the entry has the focus. */
async function arrowTo(page: Page, entry: Locator): Promise<void> {
  await entry.waitFor()
  for (let stops = 0; stops < 40 && !(await isFocused(entry)); stops++) await page.keyboard.press('ArrowDown')
  expect(await isFocused(entry)).toBe(true)
  expect((await stopAt(page))?.seen, 'the entry of a menu shows its focus').toBe(true)
}
async function retype(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

describe.skipIf(!hasBrowser())('by keyboard alone', () => {
  let app: RunningApp
  let browser: Browser
  const visitors: Visitor[] = []
  beforeAll(async () => {
    ;[app, browser] = await Promise.all([startApp({ env: { LOGIN_RATE_PER_MIN: '1000' } }), launchBrowser()])
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await app?.stop()
  })
  afterEach(async () => {
    const complaints = visitors.flatMap((visitor) => visitor.complaints)
    await Promise.all(visitors.splice(0).map((visitor) => visitor.close()))
    expect(complaints, 'console errors, faults, policy reports').toEqual([])
  })
  const open = async (): Promise<Visitor> => {
    const visitor = await openVisitor(browser, app, { acceptDownloads: true })
    visitors.push(visitor)
    return visitor
  }
  const visit = async (path: string): Promise<Page> => {
    const visitor = await open()
    await signIn(visitor, app, 'ogf_admin', path)
    await heading(visitor.page).waitFor()
    return visitor.page
  }
  const heading = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })
  const rowOf = async (page: Page, path: string) =>
    ((await call(app, await tokenOf(page), `/rest/${path}`)).json as Record<string, unknown>[])[0]

  test('sign in, find a customer, change the telephone number', async () => {
    const { page } = await open()
    await page.goto('/')
    await tabTo(page, page.getByLabel('E-Mail'))
    await page.keyboard.type(emailOf('ogf_admin'))
    await tabTo(page, page.getByLabel('Passwort', { exact: true }))
    await page.keyboard.type(demoPassword(app))
    await page.keyboard.press('Enter')
    await page.waitForURL('**/kunden/index')
    const kunde = await rowOf(page, 'kunde?client_id=eq.17&select=name')
    await heading(page).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Seite, Name, Ort oder Nummer' }).waitFor()
    await page.keyboard.type('#17')
    await page
      .getByRole('group', { name: 'Kunden' })
      .getByText(String(kunde?.['name']), { exact: true })
      .waitFor()
    await page.locator('.jump-list[aria-busy="false"]').waitFor({ state: 'attached' })
    await page.keyboard.press('Enter')
    await page.waitForURL('**/kunden/17')
    await tabTo(page, page.getByLabel('Telefon'))
    await retype(page, '0351 7788')
    await page.keyboard.press('Enter')
    await page.getByText('Gespeichert.', { exact: true }).waitFor()
    expect(await rowOf(page, 'kunde?client_id=eq.17&select=ap_tel')).toEqual({ ap_tel: '0351 7788' })
  })

  test('create a customer: from the list into the window, through its fields, and onto the new record', async () => {
    const page = await visit('/kunden/index')
    await tabTo(page, page.getByRole('button', { name: 'Kunde anlegen' }))
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Kunde anlegen' })
    expect(await isFocused(dialog.getByRole('textbox', { name: 'Name', exact: false }).first())).toBe(true)
    await page.keyboard.type('Waldhof Tastatur')
    await tabTo(page, dialog.getByLabel('Straße und Hausnummer'))
    await page.keyboard.type('Am Forst 1')
    await tabTo(page, dialog.getByLabel('PLZ'))
    await page.keyboard.type('01067')
    await expect.poll(() => dialog.getByLabel('Ort', { exact: false }).inputValue()).toBe('Dresden')
    // Cycles through the window forwards and backwards: what is behind it is out of reach, and nothing traps
    // the focus.
    const last = dialog.getByRole('button', { name: 'Anlegen', exact: true })
    await tabTo(page, last)
    await tabTo(page, dialog.getByLabel('PLZ'))
    await tabTo(page, last, { key: 'Shift+Tab' })
    // Escape asks for confirmation, and continuing leads back into the window.
    await page.keyboard.press('Escape')
    const ask = page.getByRole('alertdialog', { name: 'Eingaben verwerfen?' })
    await tabTo(page, ask.getByRole('button', { name: 'Weiter bearbeiten' }))
    await page.keyboard.press('Enter')
    await ask.waitFor({ state: 'hidden' })
    await tabTo(page, last)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Waldhof Tastatur' }).waitFor()
    expect(await rowOf(page, 'kunde?name=eq.Waldhof%20Tastatur&select=ort')).toEqual({ ort: 'Dresden' })
  })

  test('connect a person to a headquarters', async () => {
    const page = await visit('/forstbetriebe/45')
    const tabs = page.getByRole('main').getByRole('tab')
    await tabTo(page, tabs.filter({ hasText: 'Stammdaten' }))
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.getByRole('tabpanel').getByRole('button', { name: 'Person zuordnen' }).waitFor()
    await tabTo(page, page.getByRole('button', { name: 'Person zuordnen' }))
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Person zuordnen' })
    await tabTo(page, dialog.getByLabel('Name oder E-Mail'))
    await page.keyboard.type('stieleiche')
    await tabTo(page, dialog.getByRole('button', { name: 'Stefan Stieleiche zuordnen' }))
    await page.keyboard.press('Enter')
    await page.getByText(/Stefan Stieleiche ist jetzt/).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    // The focus returns to where the window was opened.
    await expect.poll(() => isFocused(page.getByRole('button', { name: 'Person zuordnen' }))).toBe(true)
    await page.getByRole('button', { name: 'Aktionen für Stefan Stieleiche' }).waitFor()
  })

  test('create a voucher and read its code', async () => {
    const page = await visit('/gutschein/index')
    await tabTo(page, page.getByRole('button', { name: 'Gutschein anlegen' }))
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Gutschein anlegen' })
    await tabTo(page, dialog.getByLabel('Rabatt auf das Abo'))
    await retype(page, '12,5')
    await tabTo(page, dialog.getByLabel('Rabatt auf KAWM'))
    await retype(page, '0')
    await tabTo(page, dialog.getByLabel('Einlösbar bis'))
    await page.keyboard.type('31122098')
    await tabTo(page, dialog.getByLabel('Laufzeit des Rabatts'))
    expect(await dialog.getByLabel('Einlösbar bis').inputValue(), 'written out on leaving the field').toBe(
      '31.12.2098',
    )
    await retype(page, '6')
    await page.keyboard.press('Enter')
    const shown = page.getByRole('dialog', { name: /^Code für Gutschein/ })
    await shown.waitFor()
    expect(await shown.getByLabel('Gutscheincode').innerText()).toMatch(/^(?:[0-9A-Z]{5}-){3}[0-9A-Z]{5}$/)
    await tabTo(page, shown.getByRole('button', { name: 'Ich habe den Code notiert' }))
    await page.keyboard.press('Enter')
    await shown.waitFor({ state: 'hidden' })
    await page.getByRole('row').filter({ hasText: '31.12.2098' }).getByText('einlösbar').waitFor()
  })

  test('filter a list and export it', async () => {
    const page = await visit('/kunden/index')
    await tabTo(page, page.getByRole('button', { name: 'Filter', exact: true }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: /^Bundesland: / }))
    await page.keyboard.press('Enter')
    await arrowTo(page, page.getByRole('menuitemcheckbox', { name: 'Bayern' }))
    await page.keyboard.press('Enter')
    await page.waitForURL(/land=Bayern/)
    await page.keyboard.press('Escape')
    await expect.poll(() => isFocused(page.getByRole('button', { name: /^Bundesland: / }))).toBe(true)
    await tabTo(page, page.getByLabel('Geändert seit'))
    await page.keyboard.type('1.1.2020')
    await page.keyboard.press('Enter')
    await page.waitForURL(/seit=2020-01-01/)
    await page.getByText(/^\d+ Treffer$/).waitFor()
    const [hits] = /\d+/.exec(await page.getByText(/^\d+ Treffer$/).innerText())!
    await tabTo(page, page.getByRole('button', { name: 'Export', exact: true }), { key: 'Shift+Tab' })
    const coming = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    await arrowTo(page, page.getByRole('menuitem', { name: 'CSV für Excel' }))
    await page.keyboard.press('Enter')
    const text = await readFile(await (await coming).path(), 'utf8')
    expect(text.trim().split('\r\n')).toHaveLength(Number(hits) + 1)
    await page.getByText(`${hits} Kunden exportiert.`).waitFor()
  })

  test.each(['/kunden/index', '/kunden/17', '/forstbetriebe/45', '/gutschein/index', '/profile/index'])(
    'nothing holds the focus on %s: Tab comes through the whole page and out of it',
    async (path) => {
      const page = await visit(path)
      await page.waitForLoadState('networkidle')
      const stops: string[] = []
      for (let stop = await stopAt(page); stops.length < 250; stop = await stopAt(page)) {
        if (stop === null && stops.length > 0) break
        if (stop !== null) {
          expect(stop.seen || stop.what.startsWith('h1'), `focus is not to be seen on ${stop.what}`).toBe(
            true,
          )
          stops.push(stop.what)
        }
        await page.keyboard.press('Tab')
      }
      expect(stops.length, 'the page has an end').toBeLessThan(250)
      expect(stops.length).toBeGreaterThan(10)
    },
  )
})
