// The top of the menu: favourites and the records opened last. Each person has their own, on every machine;
// what is gone or no longer theirs is left out.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { demoPassword, type DemoRole, emailOf, enterCredentials, hasBrowser, signIn } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'
import { openInside } from './pages.ts'

describe.skipIf(!hasBrowser())('places at the top of the menu', () => {
  const house = oneServer()
  const menu = (page: Page) => page.getByRole('navigation', { name: 'Hauptmenü' })
  const group = (page: Page, name: string) => menu(page).getByRole('button', { name, exact: true })
  /** Names in one of the two groups, whether it is open or not. */
  const inGroup = async (page: Page, name: string): Promise<string[]> => {
    const list = menu(page)
      .locator('.places .sidebar-group')
      .filter({ has: page.getByRole('button', { name, exact: true }) })
    return (await list.count()) === 0 ? [] : list.locator('ul a').allTextContents()
  }
  const recent = (page: Page) => inGroup(page, 'Zuletzt geöffnet')
  const favourites = (page: Page) => inGroup(page, 'Favoriten')
  const star = (page: Page) =>
    page.getByRole('main').getByRole('button', { name: 'Zu den Favoriten hinzufügen' })
  const starred = (page: Page) =>
    page.getByRole('main').getByRole('button', { name: 'Aus den Favoriten entfernen' })
  const heading = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 }).innerText()
  /** Every choice has reached the server. */
  const sent = (page: Page) =>
    expect
      .poll(() =>
        page.evaluate(() => {
          const kept = JSON.parse(localStorage.getItem('forstkontor.einstellung') ?? '{}') as {
            waiting?: string[]
          }
          return kept.waiting?.length
        }),
      )
      .toBe(0)
  /** Opens the page of a record; answers with the name that it tells. */
  const open = async (page: Page, path: string): Promise<string> => {
    await openInside(page, path)
    await star(page).or(starred(page)).waitFor()
    return heading(page)
  }
  const start = (role: DemoRole, path = '/dashboard') => house.visit(role, path)

  test('records opened last, by their names, on every machine; pages are not among them', async () => {
    const page = await start('apus_admin')
    expect(await recent(page)).toEqual([])
    const kunde = await open(page, '/member-management/client/7')
    await expect.poll(() => recent(page)).toEqual([kunde])
    // Closed until somebody wants to see them.
    expect(await group(page, 'Zuletzt geöffnet').getAttribute('aria-expanded')).toBe('false')
    const person = await open(page, '/member-management/users/5')
    const karte = await open(page, '/karten/3')
    await openInside(page, '/buchhaltung/rechnungen')
    await expect.poll(() => recent(page)).toEqual([karte, person, kunde])
    // The customer once more, by another of its pages: still once.
    await openInside(page, '/member-management/client/update/7')
    await expect.poll(() => recent(page)).toEqual([kunde, karte, person])
    const { json } = await call(
      house.app,
      await tokenOf(page),
      '/rest/rechnung_liste?zustand=eq.ausgestellt&select=id,nummer&limit=1',
    )
    const [rechnung] = json as [{ id: number; nummer: string }]
    await open(page, `/buchhaltung/rechnungen/rechnung/${rechnung.id}`)
    const all = [rechnung.nummer, kunde, karte, person]
    await expect.poll(() => recent(page)).toEqual(all)

    await sent(page)
    const elsewhere = await start('apus_admin')
    await expect.poll(() => recent(elsewhere)).toEqual(all)
    await group(elsewhere, 'Zuletzt geöffnet').click()
    await menu(elsewhere).getByRole('link', { name: karte, exact: true }).click()
    await elsewhere.waitForURL('**/karten/3')
    expect(await brokenRules(elsewhere, '.sidebar')).toEqual([])
  })

  test('what is renamed has its new name at once; what is deleted is quietly gone', async () => {
    const page = await start('admin')
    const old = await open(page, '/kunden/8')
    const plan = await open(page, '/karten/4')
    await expect.poll(() => recent(page)).toEqual([plan, old])
    await openInside(page, '/kunden/8')
    await page.getByRole('tab', { name: 'Stammdaten' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: false }).first().fill('Waldhof Neuer Name')
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    await expect.poll(() => recent(page)).toEqual(['Waldhof Neuer Name', plan])
    await sent(page)
    const deleted = await call(house.app, await tokenOf(page), '/rest/karte?id=eq.4', undefined, 'DELETE')
    expect(deleted.status).toBeLessThan(300)
    await page.reload()
    await expect.poll(() => recent(page)).toEqual(['Waldhof Neuer Name'])
  })

  test('favourites: pages and records in their order, arranged by keyboard, also in the folded menu', async () => {
    const page = await start('admin', '/nutzer/index')
    await star(page).click()
    await expect.poll(() => favourites(page)).toEqual(['Nutzer'])
    await openInside(page, '/member-management/users')
    await star(page).click()
    // Two pages of the same name can be distinguished.
    await expect.poll(() => favourites(page)).toEqual(['Nutzer · Kunden', 'Nutzer · Entwässerung'])
    const kunde = await open(page, '/kunden/9')
    await star(page).click()
    await starred(page).waitFor()
    // The other page about the same customer has the star as well.
    await open(page, '/member-management/client/9')
    await starred(page).waitFor()
    const before = ['Nutzer · Kunden', 'Nutzer · Entwässerung', kunde]
    await expect.poll(() => favourites(page)).toEqual(before)

    await group(page, 'Favoriten').focus()
    await page.keyboard.press('ArrowRight')
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Favoriten ordnen' })
    const up = dialog.getByRole('button', { name: `${kunde} nach oben` })
    await up.press('Enter')
    await up.press('Enter')
    await up.press('Enter')
    expect(await dialog.getByRole('listitem').allTextContents()).toEqual([
      kunde,
      'Nutzer · Kunden',
      'Nutzer · Entwässerung',
    ])
    expect(await up.evaluate((button) => button === document.activeElement)).toBe(true)
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Nutzer · Entwässerung entfernen' }).click()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => favourites(page)).toEqual([kunde, 'Nutzer'])

    await sent(page)
    const elsewhere = await start('admin')
    await expect.poll(() => favourites(elsewhere)).toEqual([kunde, 'Nutzer'])
    await elsewhere.getByRole('button', { name: 'Menü einklappen' }).click()
    await expect
      .poll(async () => {
        await group(elsewhere, 'Favoriten').focus()
        await elsewhere.keyboard.press('ArrowRight')
        return menu(elsewhere).getByRole('link', { name: kunde, exact: true }).isVisible()
      })
      .toBe(true)
    expect(await brokenRules(elsewhere, '.sidebar')).toEqual([])
    await menu(elsewhere).getByRole('link', { name: kunde, exact: true }).click()
    await elsewhere.waitForURL('**/kunden/9')
    await starred(elsewhere).click()
    await star(elsewhere).waitFor()
    await expect.poll(() => menu(elsewhere).getByText(kunde, { exact: true }).count()).toBe(1)
  })

  test('nobody sees the places of the person before in the same browser', async () => {
    const visitor = await house.window({ viewport: { width: 1360, height: 900 } })
    const { page } = visitor
    /** The one signs out, the other signs in. */
    const change = async (to: DemoRole) => {
      await page.getByRole('button', { name: /^Benutzermenü/ }).click()
      await page.getByRole('menuitem', { name: 'Abmelden' }).click()
      await page.getByText('Sie sind abgemeldet.').waitFor()
      expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('/kunden/11')
      await page.getByRole('button', { name: 'Wieder anmelden' }).click()
      await enterCredentials(page, emailOf(to), demoPassword(house.app))
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
    }
    await signIn(visitor, house.app, 'ogf_admin', '/kunden/11', { signInAgain: true })
    await star(page).click()
    await starred(page).waitFor()
    const name = await heading(page)
    await expect.poll(() => recent(page)).toEqual([name])
    await change('admin')
    expect([...(await recent(page)), ...(await favourites(page))]).not.toContain(name)
    // Back again, the first one finds their own.
    await change('ogf_admin')
    await expect.poll(() => favourites(page)).toEqual([name])
    await expect.poll(() => recent(page)).toEqual([name])
  })
})
