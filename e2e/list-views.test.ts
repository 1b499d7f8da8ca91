// What every list can do, using customers as the example: chips of active filters, saved views, the default
// view, and the keyboard.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasBrowser } from './browser.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('views of a list', () => {
  const house = oneServer()
  const openList = async (query = ''): Promise<Page> => {
    const { page } = await house.visitor('ogf_admin', `/kunden/index${query}`)
    await page.locator('.row-link').first().waitFor()
    return page
  }
  const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
  const heads = (page: Page) => page.locator('thead th').allInnerTexts()
  const views = (page: Page) => page.getByRole('button', { name: /^Ansichten/ })
  const menuItem = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })
  const choose = async (page: Page, name: string) => {
    await views(page).click()
    await menuItem(page, name).click()
  }
  const actionsOf = async (page: Page, view: string, action: string) => {
    await page.getByRole('button', { name: `Aktionen zu ${view}` }).click()
    await menuItem(page, action).click()
  }

  test('each active filter is a chip that can be taken away', async () => {
    const page = await openList('?land=Bayern,Hessen&kataster=an&suche=e')
    const chips = page.getByRole('list', { name: 'Aktive Filter' })
    // Their code is loaded beside the rows and may arrive after them.
    await expect
      .poll(() => chips.getByRole('button').allInnerTexts())
      .toEqual(['Bundesland: Bayern', 'Bundesland: Hessen', 'Kataster: freigeschaltet', 'Alle entfernen'])
    await chips.getByRole('button', { name: 'Filter entfernen: Bundesland: Bayern' }).click()
    const focused = page.locator(':focus')
    await expect.poll(() => focused.getAttribute('aria-label')).toBe('Filter entfernen: Bundesland: Hessen')
    await page.waitForURL((address) => address.searchParams.get('land') === 'Hessen')
    await page.goBack()
    expect(queryOf(page)).toEqual({ land: 'Bayern,Hessen', kataster: 'an', suche: 'e' })
    await chips.getByRole('button', { name: 'Alle entfernen' }).click()
    await expect.poll(() => focused.innerText()).toBe('Filter')
    await page.waitForURL((address) => !address.searchParams.has('land'))
    // The search is not a filter of the panel, so it stays.
    expect(queryOf(page)).toEqual({ suche: 'e' })
    await chips.waitFor({ state: 'detached' })
  })

  test('arrow keys lead through the rows, Enter opens one', async () => {
    const page = await openList()
    await page.locator('.row-link').first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    expect(
      await page
        .locator('.row-link')
        .nth(1)
        .evaluate((link) => link === document.activeElement),
    ).toBe(true)
    await page.keyboard.press('End')
    expect(
      await page
        .locator('.row-link')
        .last()
        .evaluate((link) => link === document.activeElement),
    ).toBe(true)
    await page.keyboard.press('Home')
    const href = await page.locator('.row-link').first().getAttribute('href')
    await page.keyboard.press('Enter')
    await page.waitForURL((address) => address.pathname === href)
  })

  test('a view is saved, applied, overwritten, renamed and deleted', async () => {
    const page = await openList('?land=Bayern&sort=-ort&zeilen=50&seite=2')
    await page.getByRole('button', { name: 'Spalten wählen' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Telefon' }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => heads(page)).toContain('Telefon')

    await choose(page, 'Ansicht speichern …')
    const dialog = page.getByRole('dialog', { name: 'Ansicht speichern' })
    await dialog.getByRole('button', { name: 'Speichern' }).click()
    await dialog.getByText('Bitte einen Namen eingeben.').waitFor()
    await dialog.getByLabel('Name').fill('Bayern nach Ort')
    await page.keyboard.press('Enter')
    await page.getByText('Ansicht „Bayern nach Ort“ gespeichert.').waitFor()
    await page.getByRole('button', { name: 'Ansichten, gezeigt wird Bayern nach Ort' }).waitFor()

    // Different state and columns; then back to what was saved, from its first page.
    await choose(page, 'Alle: Kunden')
    await page.getByText('1–25 von 500').waitFor()
    expect(queryOf(page)).toEqual({})
    await page.getByRole('button', { name: 'Spalten wählen' }).click()
    await page.getByRole('menuitem', { name: 'Standard wiederherstellen' }).click()
    await expect.poll(() => heads(page)).not.toContain('Telefon')
    await choose(page, 'Bayern nach Ort')
    await page.waitForURL(/land=Bayern/)
    expect(queryOf(page)).toEqual({ land: 'Bayern', sort: '-ort', zeilen: '50' })
    await expect.poll(() => heads(page)).toContain('Telefon')

    // The same name is refused in any spelling of its case.
    house.provokes(/409/)
    await choose(page, 'Ansicht speichern …')
    await dialog.getByLabel('Name').fill('BAYERN nach ort')
    await dialog.getByRole('button', { name: 'Speichern' }).click()
    await dialog.getByText('Eine Ansicht mit diesem Namen gibt es schon.').waitFor()
    await page.keyboard.press('Escape')

    await page.goto('/kunden/index?land=Bayern&suche=e')
    await page.locator('.row-link').first().waitFor()
    await choose(page, 'Ansichten verwalten …')
    const shelf = page.getByRole('dialog', { name: 'Ansichten verwalten' })
    await actionsOf(page, 'Bayern nach Ort', 'Mit dem jetzigen Stand überschreiben …')
    const confirm = page.getByRole('alertdialog')
    await confirm.getByText('Bayern nach Ort').waitFor()
    await confirm.getByRole('button', { name: 'Überschreiben' }).click()
    await confirm.waitFor({ state: 'detached' })
    await actionsOf(page, 'Bayern nach Ort', 'Umbenennen …')
    await page.getByRole('dialog', { name: 'Ansicht umbenennen' }).getByLabel('Name').fill('Bayern mit e')
    await page.keyboard.press('Enter')
    await shelf.getByText('Bayern mit e').waitFor()
    await page.keyboard.press('Escape')

    await page.goto('/kunden/index?liste=alle')
    await page.locator('.row-link').first().waitFor()
    await choose(page, 'Bayern mit e')
    await page.waitForURL(/suche=e/)
    expect(queryOf(page)).toEqual({ suche: 'e', land: 'Bayern' })

    await choose(page, 'Ansichten verwalten …')
    await actionsOf(page, 'Bayern mit e', 'Löschen …')
    await confirm.getByText('Bayern mit e').waitFor()
    await confirm.getByRole('button', { name: 'Löschen' }).click()
    await shelf.getByText('Noch keine Ansichten').waitFor()
  })

  test('the standard view opens a bare address, and everything can still be seen', async () => {
    const page = await openList('?kataster=an')
    await choose(page, 'Ansicht speichern …')
    const dialog = page.getByRole('dialog', { name: 'Ansicht speichern' })
    await dialog.getByLabel('Name').fill('Nur Kataster')
    await dialog.getByLabel('Die Liste mit dieser Ansicht öffnen').check()
    await dialog.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Ansicht „Nur Kataster“ gespeichert.').waitFor()

    await page.goto('/dashboard')
    await page.getByRole('navigation').getByRole('link', { name: 'Kunden', exact: true }).first().click()
    await page.waitForURL(/kataster=an/)
    await page.getByRole('button', { name: 'Ansichten, gezeigt wird Nur Kataster' }).waitFor()

    // Removing the last filter shows all customers instead of returning to the view.
    await page.getByRole('button', { name: 'Filter entfernen: Kataster: freigeschaltet' }).click()
    await page.waitForURL(/liste=alle/)
    await page.getByText('1–25 von 500').waitFor()

    // Another browser learns of it from the server.
    await page.evaluate(() => localStorage.removeItem('forstkontor.standard.kunden'))
    await page.goto('/kunden/index')
    await page.waitForURL(/kataster=an/)

    await choose(page, 'Ansichten verwalten …')
    await page.getByRole('button', { name: 'Aktionen zu Nur Kataster' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Die Liste damit öffnen' }).click()
    await page.getByRole('dialog').getByText('Standard', { exact: true }).waitFor({ state: 'detached' })
    await page.goto('/kunden/index')
    await page.getByText('1–25 von 500').waitFor()
    expect(queryOf(page)).toEqual({})
  })

  test('a copied link is the view', async () => {
    const page = await openList('?land=Hessen')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await choose(page, 'Ansicht speichern …')
    await page.getByRole('dialog', { name: 'Ansicht speichern' }).getByLabel('Name').fill('Hessen')
    await page.keyboard.press('Enter')
    await page.getByText('Ansicht „Hessen“ gespeichert.').waitFor()
    await choose(page, 'Ansichten verwalten …')
    await actionsOf(page, 'Hessen', 'Link kopieren')
    await page.getByText('Link zur Ansicht „Hessen“ kopiert.').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(link).toBe(`${house.app.origin}/kunden/index?land=Hessen`)
  })
})
