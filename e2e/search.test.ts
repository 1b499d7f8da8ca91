// Jump-to search in the browser: by keyboard alone, over pages and records, as someone who sees everything
// and as someone who sees little.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { type DemoRole, hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('the jump-to search', () => {
  const house = oneServer()
  const enter = async (role: DemoRole, path = '/'): Promise<Page> => {
    const { page } = await house.visitor(role, path)
    await page.getByRole('main').waitFor()
    return page
  }
  const open = async (page: Page) => {
    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox', { name: 'Name, Ort, Nummer, Betrag oder Seite' })
    await box.waitFor()
    return box
  }
  const settled = (page: Page) => page.locator('.jump-list[aria-busy="false"]').waitFor({ state: 'attached' })
  const chosen = (page: Page) => page.locator('[role="option"][aria-selected="true"]')
  const firstKunde = async (page: Page) => {
    const { json } = await call(
      house.app,
      await tokenOf(page),
      '/rest/kunde?client_id=eq.17&select=client_id,name',
    )
    return (json as { client_id: number; name: string }[])[0]!
  }

  test('by keyboard alone: a record by its name, a page by another word, and back to where one was', async () => {
    const page = await enter('ogf_admin', '/kunden/index')
    const { name } = await firstKunde(page)
    const box = await open(page)
    expect(await box.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.getByRole('group', { name: 'Seiten' }).waitFor()
    await box.pressSequentially(name.toLowerCase().replaceAll('ü', 'ue').replaceAll('ä', 'a'), { delay: 5 })
    await page.getByRole('group', { name: 'Kunden' }).getByText(name, { exact: true }).first().waitFor()
    await settled(page)
    expect(await chosen(page).innerText()).toContain(name)
    expect(await box.getAttribute('aria-activedescendant')).toBe(await chosen(page).getAttribute('id'))
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/kunden\/\d+$/)
    await page.getByRole('heading', { level: 1, name }).waitFor()

    await open(page)
    await page.keyboard.type('backup')
    await page.getByRole('option', { name: /^Betrieb/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/verwaltung\/betrieb$/)

    const again = await open(page)
    // The most recent choice comes first, and the list wraps around.
    await page.getByRole('group', { name: 'Zuletzt gewählt' }).waitFor()
    expect(await chosen(page).innerText()).toContain('Betrieb')
    await page.keyboard.press('ArrowDown')
    expect(await chosen(page).innerText()).toContain(name)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await chosen(page).getAttribute('id')).toBe(
      await page.getByRole('option').last().getAttribute('id'),
    )
    expect(await again.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await again.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/verwaltung/betrieb')
  })

  test('documents by number and amount, trees by number, and a new invoice by name', async () => {
    const page = await enter('apus_admin')
    const token = await tokenOf(page)
    const [paper] = (
      await call(
        house.app,
        token,
        '/rest/rechnung_liste?select=id,nummer,brutto,kunde&zustand=eq.ausgestellt&order=id&limit=1',
      )
    ).json as { id: number; nummer: string; brutto: number; kunde: string }[]
    const amount = paper!.brutto.toLocaleString('de-DE', { minimumFractionDigits: 2 })
    for (const text of [paper!.nummer, amount]) {
      await open(page)
      await page.keyboard.type(text)
      await page
        .getByRole('group', { name: 'Rechnungen' })
        .getByText(paper!.nummer, { exact: true })
        .waitFor()
      await settled(page)
      await page.keyboard.press('Escape')
    }
    await open(page)
    await page.keyboard.type(`rechnung schreiben für ${paper!.kunde}`)
    const action = page.getByRole('group', { name: 'Aktionen' }).getByRole('option').first()
    await action.getByText(`Rechnung schreiben für ${paper!.kunde}`).waitFor()
    await settled(page)
    expect(await brokenRules(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/buchhaltung\/rechnungen\/rechnung\/new\/\d+$/)

    const forester = await enter('ogf_standard')
    const trees = (
      await call(
        house.app,
        await tokenOf(forester),
        '/rest/habitatbaeume?select=id,nummer&nummer=not.is.null&order=id&limit=1',
      )
    ).json as { id: number; nummer: string }[]
    await open(forester)
    await forester.keyboard.type(trees[0]!.nummer)
    await forester
      .getByRole('group', { name: 'Habitatbäume' })
      .locator(`a[href="/habitatbaeume/${trees[0]!.id}"]`)
      .click()
    await forester.waitForURL(`**/habitatbaeume/${trees[0]!.id}`)
  })

  test('an action without a name opens where it begins, also on the page that is open', async () => {
    const page = await enter('apus_admin', '/member-management/client')
    for (let nr = 0; nr < 2; nr++) {
      await open(page)
      await page.keyboard.type('neuer kunde')
      await chosen(page).getByText('Kunde anlegen').waitFor()
      await settled(page)
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Kunde anlegen' })
      await dialog.waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => new URL(page.url()).search).toBe('')
    }
    await open(page)
    await page.keyboard.type('write an invoice')
    await chosen(page).getByText('Rechnung schreiben').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/rechnung\/new\/0$/)
    await page.getByRole('button', { name: 'Entwurf anlegen' }).click()
    await page.getByText('Bitte wählen Sie den Kunden').waitFor()
  })

  test('a number leads to its record; Ctrl+Enter opens it beside and leaves this page as it is', async () => {
    const page = await enter('ogf_admin', '/kunden/index')
    const { name } = await firstKunde(page)
    await open(page)
    await page.keyboard.type('#17')
    await page.getByRole('group', { name: 'Kunden' }).getByText(name, { exact: true }).waitFor()
    await settled(page)
    const beside = page.context().waitForEvent('page')
    await page.keyboard.press('Control+Enter')
    const other = await beside
    await other.waitForURL(/\/kunden\/17$/)
    await other.close()
    expect(new URL(page.url()).pathname).toBe('/kunden/index')
    // A plain click opens it on this page.
    await page.getByRole('option').filter({ hasText: name }).first().click()
    await page.waitForURL(/\/kunden\/17$/)
  })

  test('what is typed before the field is there is in it', async () => {
    const page = await enter('apus_admin', '/dashboard')
    const arrival = Promise.withResolvers<void>()
    await page.route('**/JumpDialog*.js', async (route) => {
      await arrival.promise
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Rechnung schreibem')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('n')
    arrival.resolve()
    const box = page.getByRole('combobox', { name: 'Name, Ort, Nummer, Betrag oder Seite' })
    await expect.poll(() => box.inputValue()).toBe('Rechnung schreiben')
    await page.keyboard.type(' für')
    await expect.poll(() => box.inputValue()).toBe('Rechnung schreiben für')
    await page
      .getByRole('option', { name: /Rechnung schreiben/ })
      .first()
      .waitFor()
  })

  test('Enter before the answer opens what was typed, not what was found for the text before', async () => {
    const page = await enter('ogf_admin', '/kunden/index')
    const { name } = await firstKunde(page)
    const box = await open(page)
    await box.fill('forst')
    await page.getByRole('group', { name: 'Kunden' }).waitFor()
    await settled(page)
    expect(await chosen(page).innerText()).not.toContain(name)
    let held = Promise.withResolvers<void>()
    await page.route('**/rest/rpc/a_suche', async (route) => {
      await held.promise
      await route.continue().catch(() => {})
    })
    await box.fill(name)
    await page.keyboard.press('Enter')
    await page.waitForTimeout(300)
    expect(new URL(page.url()).pathname).toBe('/kunden/index')
    held.resolve()
    await page.waitForURL(/\/kunden\/17$/)

    // Typed on, the Enter no longer counts.
    held = Promise.withResolvers()
    const again = await open(page)
    await again.fill('#18')
    await page.keyboard.press('Enter')
    await again.fill('gibt es nirgends')
    held.resolve()
    await page.getByText('Nichts gefunden zu „gibt es nirgends“').waitFor()
    expect(new URL(page.url()).pathname).toBe('/kunden/17')
  })

  test('the button, the answer that nothing was found, and accessibility in both schemes', async () => {
    const page = await enter('ogf_admin', '/kunden/index')
    await page.getByRole('button', { name: 'Suchen Strg K' }).click()
    const box = page.getByRole('combobox', { name: 'Name, Ort, Nummer, Betrag oder Seite' })
    await box.fill('gibt es nirgends')
    await page.getByText('Nichts gefunden zu „gibt es nirgends“').waitFor()
    await box.fill('x')
    await page.getByText('Tippen Sie mindestens zwei Zeichen').waitFor()
    await box.fill('forst')
    await page.getByRole('group', { name: 'Kunden' }).waitFor()
    await settled(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await brokenRules(page), colorScheme).toEqual([])
    }
    await page.setViewportSize({ width: 390, height: 800 })
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).toBeLessThanOrEqual(0)
  })

  test('while the database does not answer, pages are still found and the next step is named', async () => {
    const page = await enter('ogf_admin', '/kunden/index')
    house.provokes(/Failed to load resource/)
    let broken = true
    await page.route('**/rest/rpc/a_suche', (route) =>
      broken ? route.fulfill({ status: 500, body: '{"code":"XX000","message":"x"}' }) : route.continue(),
    )
    await open(page)
    await page.keyboard.type('kunden')
    await page.getByText('Datensätze konnten nicht durchsucht werden.').waitFor()
    await page
      .getByRole('option', { name: /^Kunden/ })
      .first()
      .waitFor()
    broken = false
    await page.keyboard.type(' ')
    await page.getByRole('combobox', { name: 'Name, Ort, Nummer, Betrag oder Seite' }).fill('forst')
    await page.getByRole('group', { name: 'Kunden' }).waitFor()
  })

  test('a customer’s admin finds the own customer and nothing of others, not even a count', async () => {
    const page = await enter('kundenadmin')
    const token = await tokenOf(page)
    const own = (await call(house.app, token, '/rest/kunde?select=client_id,name')).json as {
      client_id: number
      name: string
    }[]
    expect(own.length).toBeGreaterThan(0)
    const answer = (await call(house.app, token, '/rest/rpc/a_suche', { text: 'forst', grenze: 50 }))
      .json as {
      art: string
      id: number
    }[]
    const ids = answer.filter(({ art }) => art === 'kunde').map(({ id }) => id)
    expect(ids.every((id) => own.some(({ client_id }) => client_id === id))).toBe(true)
    await open(page)
    await page.keyboard.type(own[0]!.name)
    await page.getByRole('group', { name: 'Kunden' }).getByText(own[0]!.name, { exact: true }).waitFor()
    await settled(page)
    await page.keyboard.press('Enter')
    await page.waitForURL(
      (url) => url.pathname === '/kunde/index' && url.searchParams.get('kunde') === String(own[0]!.client_id),
    )
  })

  test('signing out forgets what was chosen', async () => {
    const page = await enter('ogf_admin', '/kunden/index')
    await open(page)
    await page.keyboard.type('backup')
    await page.getByRole('option', { name: /^Betrieb/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/betrieb$/)
    expect(await page.evaluate(() => localStorage.getItem('forstkontor.spruenge'))).toContain('Betrieb')
    await page.getByRole('button', { name: /^Benutzermenü/ }).click()
    await page.getByRole('menuitem', { name: 'Abmelden' }).click()
    await page.waitForURL(/\/login|\/anmelden|realms/)
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('forstkontor.'))),
    ).toEqual([])
  })
})
