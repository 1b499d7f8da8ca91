// Nothing is lost behind the save bar at any height of the window: focus, faults and why it was not saved;
// and a message covers nothing that it speaks of.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasBrowser } from './browser.ts'
import { oneServer } from './one-server.ts'

const HEIGHTS = [500, 700, 900] as const
const FORM = '/kunden/41?ansicht=stammdaten'

/** What has focus and is under the bar or outside of the window. */
const hidden = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document
    const bar = document.querySelector('.record-save-dirty:not([hidden] *)')
    if (!activeElement || !bar || bar.contains(activeElement)) return null
    if (!activeElement.closest('form')?.contains(bar)) return null
    const place = (activeElement.closest('.field') ?? activeElement).getBoundingClientRect()
    const shown = bar.getBoundingClientRect()
    const name = activeElement.getAttribute('name') ?? activeElement.textContent
    return place.bottom > shown.top + 0.5 || place.top < 0
      ? `${name}: ${Math.round(place.top)} to ${Math.round(place.bottom)}, bar at ${Math.round(shown.top)}`
      : null
  })

describe.skipIf(!hasBrowser())('the save bar', () => {
  const house = oneServer({ asked: /ERR_INTERNET_DISCONNECTED|Failed to fetch/ })

  test('leaves in sight what has focus, what is faulty and why nothing was saved', async () => {
    const page = await house.visit('admin', FORM, { viewport: { width: 1280, height: 900 } })
    page.on('dialog', (dialog) => void dialog.accept())
    for (const height of HEIGHTS) {
      await page.setViewportSize({ width: 1280, height })
      await page.goto(FORM)
      const postcode = page.getByRole('textbox', { name: 'PLZ', exact: true }).first()
      await postcode.fill('1')
      await page.getByRole('textbox', { name: 'Name', exact: true }).focus()
      const found: (string | null)[] = []
      for (let at = 0; at < 30; at++) {
        await page.keyboard.press('Tab')
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
        found.push(await hidden(page))
      }
      expect(found.filter(Boolean), `focus at ${height}`).toEqual([])
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
      await page.getByRole('button', { name: 'Speichern', exact: true }).click()
      await expect.poll(() => postcode.evaluate((input) => document.activeElement === input)).toBe(true)
      await expect.poll(() => hidden(page), { message: `fault at ${height}` }).toBeNull()
      await postcode.fill('79098')
      await page.context().setOffline(true)
      await page.evaluate(() => window.scrollTo(0, 0))
      await page.getByRole('button', { name: 'Speichern', exact: true }).click()
      const refusal = page.getByRole('alert').filter({ hasText: 'Nicht gespeichert' })
      await refusal.waitFor()
      const { y, height: tall } = (await refusal.boundingBox())!
      expect(y >= 0 && y + tall <= height, `refusal at ${height}: ${y}`).toBe(true)
      await page.context().setOffline(false)
      await page.getByRole('button', { name: 'Verwerfen', exact: true }).click()
    }
  })

  test('a message covers neither a button that was pressed nor a fault', async () => {
    const page = await house.visit('admin', '/buchhaltung/rechnungen', {
      viewport: { width: 1280, height: 700 },
    })
    await page.goto('/kunden/42?ansicht=stammdaten')
    await page.getByRole('textbox', { name: 'Straße und Hausnummer', exact: true }).fill('Meldungsweg 1')
    const save = page.getByRole('button', { name: 'Speichern', exact: true })
    await save.click()
    const toast = page.locator('.toast')
    await toast.first().waitFor()
    const [message, bar] = [(await toast.first().boundingBox())!, (await save.boundingBox())!]
    const apart =
      message.x + message.width <= bar.x ||
      bar.x + bar.width <= message.x ||
      message.y + message.height <= bar.y ||
      bar.y + bar.height <= message.y
    expect(apart).toBe(true)
  })
})
