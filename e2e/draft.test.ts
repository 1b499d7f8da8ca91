// Drafts: unsaved input in a record's form is offered again, even if the record has changed; it is gone after
// saving and after signing out.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('drafts', () => {
  const house = oneServer()
  const enter = async (path: string): Promise<Page> => {
    const { page } = await house.visitor('ogf_admin', path)
    // The browser asks before leaving unsaved work; here it is left on purpose.
    page.on('dialog', (dialog) => void dialog.accept())
    return page
  }
  const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
  const kept = (page: Page) =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('.entwurf.')))
  const offer = (page: Page) => page.getByText(/^Entwurf vom /)
  const reload = async (page: Page) => {
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
  }

  test('after a reload it is offered, taken up, saved, and gone', async () => {
    const page = await enter('/kunden/41?ansicht=stammdaten')
    await field(page, 'Straße und Hausnummer').waitFor()
    expect(await offer(page).count()).toBe(0)
    await field(page, 'Straße und Hausnummer').fill('Entwurfsweg 7')
    await expect.poll(() => kept(page)).toHaveLength(1)
    await reload(page)
    await offer(page).waitFor()
    expect(await field(page, 'Straße und Hausnummer').inputValue()).not.toBe('Entwurfsweg 7')
    await page.getByRole('button', { name: 'Wiederherstellen' }).click()
    expect(await field(page, 'Straße und Hausnummer').inputValue()).toBe('Entwurfsweg 7')
    await offer(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Gespeichert.').waitFor()
    expect(await kept(page)).toEqual([])
    await reload(page)
    await field(page, 'Straße und Hausnummer').waitFor()
    expect(await field(page, 'Straße und Hausnummer').inputValue()).toBe('Entwurfsweg 7')
    expect(await offer(page).count()).toBe(0)
  })

  test('closing the window at once keeps it, too; another record has none; thrown away it is gone', async () => {
    const page = await enter('/kunden/42?ansicht=stammdaten')
    await field(page, 'Straße und Hausnummer').fill('Sofortweg 1')
    await reload(page)
    await offer(page).waitFor()
    await page.goto('/kunden/43?ansicht=stammdaten')
    await field(page, 'Straße und Hausnummer').waitFor()
    expect(await offer(page).count()).toBe(0)
    await page.goto('/kunden/42?ansicht=stammdaten')
    await page.getByRole('button', { name: 'Entwurf verwerfen' }).click()
    await offer(page).waitFor({ state: 'detached' })
    expect(await kept(page)).toEqual([])
    // The form's own button discards it too.
    await field(page, 'Straße und Hausnummer').fill('Sofortweg 2')
    await expect.poll(() => kept(page)).toHaveLength(1)
    await page.getByRole('button', { name: 'Verwerfen', exact: true }).click()
    expect(await kept(page)).toEqual([])
  })

  test('after a change by others the offer names the fields, and saving keeps their changes', async () => {
    const page = await enter('/kunden/44?ansicht=stammdaten')
    await field(page, 'Straße und Hausnummer').fill('Meine Straße 1')
    await expect.poll(() => kept(page)).toHaveLength(1)
    const token = await tokenOf(page)
    const answer = await call(
      house.app,
      token,
      '/rest/kunde?client_id=eq.44',
      { strasse: 'Deren Straße 2', name_zusatz: 'geändert' },
      'PATCH',
    )
    expect(answer.status).toBe(204)
    await reload(page)
    await offer(page).waitFor()
    await page.getByText(/der Entwurf hat andere Werte in: Straße und Hausnummer/).waitFor()
    expect(await field(page, 'Straße und Hausnummer').inputValue()).toBe('Deren Straße 2')
    await page.getByRole('button', { name: 'Wiederherstellen' }).click()
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Gespeichert.').waitFor()
    const { json } = await call(
      house.app,
      await tokenOf(page),
      '/rest/kunde?client_id=eq.44&select=strasse,name_zusatz',
    )
    expect(json).toEqual([{ strasse: 'Meine Straße 1', name_zusatz: 'geändert' }])
  })

  test('signing out takes it along, and nothing is written after it', async () => {
    const page = await enter('/kunden/45?ansicht=stammdaten')
    await field(page, 'Straße und Hausnummer').fill('Geheimer Weg 3')
    await expect.poll(() => kept(page)).toHaveLength(1)
    await page.getByRole('button', { name: /^Benutzermenü/ }).click()
    await page.getByRole('menuitem', { name: 'Abmelden' }).click()
    await page.getByRole('button', { name: 'Verwerfen und abmelden' }).click()
    await page.waitForURL(/\/login|\/anmelden|realms/)
    expect(await kept(page)).toEqual([])
  })
})
