// A list by groups: their numbers and sums from the server, their rows when they are opened.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('groups of a list', () => {
  const house = oneServer()
  const group = (page: Page, name: string | RegExp) => page.locator('[data-group]', { hasText: name })
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

  test('chosen in the menu, in the address, with numbers of all rows', async () => {
    const page = await house.visit('ogf_admin', '/kunden/index')
    await page.getByRole('button', { name: 'Spalten wählen' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Gruppieren nach Bundesland' }).click()
    await page.keyboard.press('Escape')
    await page.waitForURL(/gruppe=bundesland/)
    await group(page, 'Bayern').waitFor()
    const { json } = await call(
      house.app,
      await tokenOf(page),
      '/rest/kunde?select=bundesland,n:client_id.count()&bundesland=eq.Bayern',
    )
    const [{ n }] = json as [{ n: number }]
    expect(await group(page, 'Bayern').innerText()).toContain(`(${n})`)
    // Nothing is opened yet, and there are no pages.
    expect(await page.locator('.row-link').count()).toBe(0)
    expect(await page.locator('.pagination').count()).toBe(0)
    await group(page, 'Bayern').click()
    await expect.poll(() => page.locator('.row-link').count()).toBe(25)
    await page.getByRole('button', { name: 'Weitere Zeilen zeigen' }).click()
    await expect.poll(() => page.locator('.row-link').count()).toBe(50)
    expect(await brokenRules(page)).toEqual([])
    // The search narrows the groups too.
    await page.getByRole('searchbox').fill('gemeinde')
    await expect.poll(() => group(page, 'Bayern').innerText()).not.toContain(`(${n})`)
    await page.getByRole('button', { name: 'Spalten wählen' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Gruppieren nach Bundesland' }).click()
    await page.waitForURL((address) => !address.searchParams.has('gruppe'))
    await page.locator('.pagination').waitFor()
  })

  test('sums of the groups add up to the foot; keys open and close them', async () => {
    const page = await house.visit('apus_admin', '/buchhaltung/rechnungen?gruppe=stand')
    await group(page, /Bezahlt/i).waitFor()
    await page.locator('tfoot').waitFor()
    const cents = (texts: string[]) =>
      texts.map((text) => Number(text.replaceAll(/[^\d,-]/g, '').replace(',', '')))
    const foot = () => page.locator('tfoot td[data-title="Brutto"]').allInnerTexts()
    await expect.poll(async () => cents(await foot())[0]).toBeGreaterThan(0)
    const parts = cents(await page.locator('.row-group td[data-title="Brutto"]').allInnerTexts())
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(cents(await foot())[0])

    await page.locator('[data-group]').first().focus()
    const first = await focused(page)
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).not.toBe(first)
    await page.keyboard.press('Home')
    expect(await focused(page)).toBe(first)
    await page.keyboard.press('ArrowRight')
    await page.locator('.row-link').first().waitFor()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => page.locator('.row-link').count()).toBe(0)
  })

  test('groups of rows that are in the browser', async () => {
    const page = await house.visit('apus_admin', '/buchhaltung/prognosen?gruppe=art')
    const names = page.locator('[data-group]')
    await names.first().waitFor()
    await names.first().click()
    const told = /\((\d+)\)/.exec(await names.first().innerText())?.[1]
    const rows = page.locator('.table-grouped tbody tr:not(.row-group, :has(td[colspan]))')
    await expect.poll(() => rows.count()).toBe(25)
    await page.getByRole('button', { name: 'Weitere Zeilen zeigen' }).click()
    await expect.poll(() => rows.count()).toBe(Number(told))
  })
})
