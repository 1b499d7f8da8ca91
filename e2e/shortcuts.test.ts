// "?" shows the keys that work on the page, nowhere else and not while somebody types.
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('keyboard shortcuts', () => {
  const house = oneServer()

  test('the table follows the page, a question mark in a text stays one', async () => {
    const page = await house.visit('ogf_admin', '/kunden/index')
    await page.locator('.row-link').first().waitFor()
    await page
      .locator('.list-toolbar button', { hasText: 'Ansichten' })
      .and(page.locator(':enabled'))
      .waitFor()
    const dialog = page.getByRole('dialog', { name: 'Tastenkürzel auf dieser Seite' })
    const titles = () => dialog.getByRole('heading', { level: 3 }).allInnerTexts()

    const search = page.getByRole('searchbox')
    await search.fill('Wo')
    await search.press('?')
    expect(await search.inputValue()).toBe('Wo?')
    expect(await dialog.count()).toBe(0)
    await search.fill('')

    // Its code follows the first page.
    await page.locator('.row-link').first().focus()
    await expect
      .poll(async () => {
        await page.keyboard.press('?')
        return dialog.isVisible()
      })
      .toBe(true)
    expect(await titles()).toEqual(['Überall', 'Liste', 'Kopf der Liste', 'Zellen ändern', 'Menü'])
    expect(await dialog.locator('kbd').allInnerTexts()).toContain('Pos 1')
    expect(await brokenRules(page)).toEqual([])
    // Not twice, and the focus goes back to where it was.
    await page.keyboard.press('?')
    expect(await dialog.count()).toBe(1)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.matches('.row-link'))).toBe(true)

    await page.goto('/dashboard')
    await page.getByRole('button', { name: /^Benutzermenü/ }).click()
    await page.getByRole('menuitem', { name: 'Tastenkürzel' }).click()
    await dialog.waitFor()
    expect(await titles()).not.toContain('Liste')
  })
})
