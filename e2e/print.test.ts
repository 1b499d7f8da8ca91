// What the browser prints: lists, records and the overview on A4 with title, filter, day and page numbers, and
// nothing that can only be pressed.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from './app.ts'
import { hasBrowser } from './browser.ts'
import { oneServer } from './one-server.ts'

const hasPdfText = spawnSync('pdftotext', ['-v']).status === 0

describe.skipIf(!hasBrowser() || !hasPdfText)('printed', () => {
  const house = oneServer()

  async function printed(page: Page): Promise<{ text: string; sizes: string[] }> {
    const file = join(temporaryFolder(), 'page.pdf')
    writeFileSync(file, await page.pdf({ preferCSSPageSize: true }))
    const run = (program: string, ...words: string[]) =>
      spawnSync(program, words, { encoding: 'utf8' }).stdout.replaceAll(/\s+/g, ' ')
    const sizes = [...run('pdfinfo', '-l', '99', file).matchAll(/Page \d+ size: ([\d.]+) x ([\d.]+)/g)]
    return {
      text: run('pdftotext', '-layout', file, '-'),
      sizes: [
        ...new Set(sizes.map(([, wide, high]) => `${Math.round(Number(wide))} ${Math.round(Number(high))}`)),
      ],
    }
  }
  /** Once what is loaded after the first page is there. */
  const open = async (page: Page, path: string, ready: string): Promise<void> => {
    await page.goto(path)
    await page.locator(ready).first().waitFor()
    await page.waitForFunction(() => document.adoptedStyleSheets.length > 0)
  }
  const day = new Intl.DateTimeFormat('de-DE', {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    timeZone: 'Europe/Berlin',
  })

  test('a list: every chosen column, what it is filtered by, and every page with its number', async () => {
    const page = await house.visit('apus_admin', '/buchhaltung/rechnungen')
    await open(page, '/buchhaltung/rechnungen?stand=bezahlt&suche=Gemeinde', 'tbody a[data-row-link]')
    const heads = await page.locator('thead th').allInnerTexts()
    const rows = await page.locator('tbody tr').count()
    const { text, sizes } = await printed(page)
    expect(sizes).toEqual(['842 595'])
    for (const part of [
      'Rechnungen',
      'Status: Bezahlt',
      'Suche: Gemeinde',
      ...heads.map((head) => head.trim()),
    ])
      expect(text).toContain(part)
    expect(text).toContain(day.format(new Date()))
    expect(text).toMatch(/Seite 1 von \d/)
    expect(text.match(/RE-\d{4}-\d{4}/g)?.length).toBeGreaterThanOrEqual(rows)
    const next = text.split(/Seite 1 von \d/)[1]!
    for (const head of heads) expect(next, 'the head on the second page').toContain(head.trim())
    for (const button of ['Export', 'Spalten', 'Ansichten', 'Rechnung schreiben', 'Alle entfernen', 'Suchen'])
      expect(text, button).not.toContain(button)
  })

  test('columns that the window has no room for are on paper', async () => {
    for (const path of ['/buchhaltung/rechnungen', '/buchhaltung/offene-posten']) {
      const page = await house.visit('apus_admin', path, { viewport: { width: 1700, height: 900 } })
      await open(page, path, 'main tbody tr')
      const heads = page.locator('.list-toolbar ~ .table-frame thead th')
      const wide = (await heads.allInnerTexts()).map((head) => head.trim())
      await page.setViewportSize({ width: 860, height: 900 })
      await expect.poll(() => heads.count(), { message: path }).toBeLessThan(wide.length)
      const { text } = await printed(page)
      for (const head of wide) expect(text, path).toContain(head)
      await expect.poll(() => heads.count(), { message: 'as before' }).toBeLessThan(wide.length)
    }
  })

  test('a list in a tab says which one it is', async () => {
    const page = await house.visit('apus_admin', '/buchhaltung/lastschriften?teil=mandate')
    await open(page, '/buchhaltung/lastschriften?teil=mandate', 'main table')
    const tabs = await page.getByRole('tab').allInnerTexts()
    const chosen = (await page.getByRole('tab', { selected: true }).innerText()).trim()
    const { text } = await printed(page)
    expect(text).toContain(chosen)
    for (const tab of tabs) if (tab.trim() !== chosen) expect(text).not.toContain(tab.trim())
  })

  test('a record, upright', async () => {
    const page = await house.visit('ogf_admin', '/kunden/41?ansicht=stammdaten')
    await open(page, '/kunden/41?ansicht=stammdaten', 'input[name="name"]')
    const { text, sizes } = await printed(page)
    expect(sizes).toEqual(['595 842'])
    for (const field of ['name', 'strasse', 'plz', 'ort'])
      expect(text).toContain((await page.locator(`input[name="${field}"]`).inputValue()).slice(0, 20))
    expect(text).toMatch(/Seite 1 von \d/)
    for (const button of ['Speichern', 'Verwerfen', 'Hauptmenü']) expect(text).not.toContain(button)
  })

  test('the overview of the bookkeeping, whole', async () => {
    const page = await house.visit('apus_admin', '/buchhaltung/dashboard')
    await open(page, '/buchhaltung/dashboard', 'main svg')
    await page.locator('main h2').nth(2).waitFor()
    const heads = await page.locator('main h2').allInnerTexts()
    const { text } = await printed(page)
    for (const head of heads) expect(text).toContain(head.trim())
    expect(text).toMatch(/Seite 1 von \d/)
  })
})
