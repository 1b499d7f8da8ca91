// Simple fields changed in the cells of a list: by whom, how, and what happens if it is wrong or too late.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('cells of a list', () => {
  const house = oneServer()
  const cell = (page: Page, column: string, row = 0) =>
    page.locator(`tbody tr[data-row] td[data-cell="${column}"]`).nth(row)
  const begin = (page: Page) => page.getByRole('button', { name: 'Zellen ändern' }).click()
  const editor = (page: Page) => page.locator('.cell-editor')
  const rowId = (page: Page, row = 0) => page.locator('tbody tr[data-row]').nth(row).getAttribute('data-row')
  const stored = async (page: Page, id: string) => {
    const { json } = await call(house.app, await tokenOf(page), `/rest/kunde?client_id=eq.${id}`)
    return (json as { ort: string; plz: string; version: number; bundesland: string | null }[])[0]!
  }
  const patch = async (page: Page, id: string, change: object) =>
    call(house.app, await tokenOf(page), `/rest/kunde?client_id=eq.${id}`, change, 'PATCH')

  test('a double click, a new text, Enter; undo brings the old one back from the server', async () => {
    const page = await house.visit('ogf_admin', '/kunden/index')
    await begin(page)
    const ort = cell(page, 'ort')
    await ort.waitFor()
    const id = (await rowId(page))!
    const before = (await stored(page, id)).ort
    // A click only chooses the cell.
    await ort.click()
    expect(new URL(page.url()).pathname).toBe('/kunden/index')
    await ort.dblclick()
    await editor(page).getByRole('textbox').fill('Neustadt an der Probe')
    expect(await brokenRules(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByText('Ort geändert.').waitFor()
    await expect.poll(() => ort.innerText()).toBe('Neustadt an der Probe')
    expect((await stored(page, id)).ort).toBe('Neustadt an der Probe')
    expect(await page.evaluate(() => document.activeElement?.matches('td[data-cell="ort"]'))).toBe(true)
    await page.getByRole('button', { name: /^Rückgängig/ }).click()
    await expect.poll(() => ort.innerText()).toBe(before)
    expect((await stored(page, id)).ort).toBe(before)
  })

  test('keys: F2 on a row, arrows, Tab saves, Escape gives up; a wrong value is told at the cell', async () => {
    const page = await house.visit('ogf_admin', '/kunden/index')
    await page.getByRole('button', { name: 'Zellen ändern' }).waitFor()
    await page.locator('.row-link').nth(1).focus()
    await page.keyboard.press('F2')
    await editor(page).getByRole('textbox', { name: 'Name' }).waitFor()
    // Pasted text that is too long is not cut.
    await page.keyboard.insertText('x'.repeat(900))
    await editor(page)
      .getByText(/^900 Zeichen, höchstens/)
      .waitFor()
    await page.keyboard.press('Enter')
    expect(await editor(page).getByRole('textbox').inputValue()).toHaveLength(900)
    expect(await brokenRules(page)).toEqual([])
    await page.keyboard.press('Escape')
    await editor(page).waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowRight')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-cell')))
      .toBe('plz')
    const id = (await rowId(page, 1))!
    const before = await stored(page, id)
    await page.keyboard.press('Enter')
    const plz = editor(page).getByRole('textbox', { name: 'PLZ' })
    await plz.fill('12')
    await page.keyboard.press('Enter')
    await editor(page).getByText('Fünf Ziffern, zum Beispiel 01067.').waitFor()
    expect(await plz.getAttribute('aria-invalid')).toBe('true')
    await page.keyboard.press('Escape')
    await editor(page).waitFor({ state: 'detached' })
    expect((await stored(page, id)).plz).toBe(before.plz)
    // A choice, and Tab to the next cell.
    await cell(page, 'bundesland', 1).focus()
    await page.keyboard.press('F2')
    await editor(page).getByRole('combobox', { name: 'Bundesland' }).selectOption('Saarland')
    await page.keyboard.press('Tab')
    await page.getByText('Bundesland geändert.').waitFor()
    expect((await stored(page, id)).bundesland).toBe('Saarland')
    await patch(page, id, { bundesland: before.bundesland })
  })

  test('somebody else changed the same field meanwhile: one decides, and nothing is lost in silence', async () => {
    const page = await house.visit('ogf_admin', '/kunden/index')
    house.provokes(/409/)
    await begin(page)
    await cell(page, 'ort', 2).waitFor()
    const id = (await rowId(page, 2))!
    const before = await stored(page, id)
    await cell(page, 'ort', 2).dblclick()
    await editor(page).getByRole('textbox').fill('Meinstadt')
    await patch(page, id, { ort: 'Ihrstadt' })
    // On a slow line, Escape comes before the answer.
    await page.route(/\/rest\/kunde/, async (route) => {
      await sleep(700)
      await route.continue()
    })
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    const dialog = page.getByRole('dialog', { name: 'Inzwischen geändert' })
    await dialog.getByText('Ihrstadt').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await dialog.getByRole('button', { name: 'Überall meine Werte' }).click()
    await dialog.getByRole('button', { name: 'Auswahl speichern' }).click()
    await page.getByText('Ort geändert.').waitFor()
    expect((await stored(page, id)).ort).toBe('Meinstadt')
    // Another field changed by somebody else is no conflict.
    await cell(page, 'ort', 2).dblclick()
    await editor(page).getByRole('textbox').fill('Unserstadt')
    await patch(page, id, { strasse: 'Andere Straße 1' })
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await stored(page, id)).ort).toBe('Unserstadt')
    await patch(page, id, { ort: before.ort })
  })

  test('who may change nothing is offered nothing; a date and an area of a holding', async () => {
    const reader = await house.visit('ogf_team', '/forstbetriebe/index')
    await reader.locator('tbody tr[data-row]').first().waitFor()
    await reader.getByRole('button', { name: 'Spalten wählen' }).waitFor()
    expect(await reader.getByRole('button', { name: 'Zellen ändern' }).count()).toBe(0)
    const page = await house.visit('ogf_admin', '/forstbetriebe/index')
    await begin(page)
    const area = cell(page, 'flaeche')
    await area.dblclick()
    await editor(page).getByRole('textbox').fill('1234,5')
    await page.keyboard.press('Enter')
    await expect.poll(() => area.innerText()).toContain('1.234,50')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await editor(page).getByRole('textbox').fill('31.02.2026')
    await page.keyboard.press('Enter')
    await expect.poll(() => editor(page).getByRole('alert').innerText()).not.toBe('')
    await page.keyboard.press('Escape')
    await editor(page).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.locator('.cell-hint').waitFor({ state: 'detached' })
  })
})
