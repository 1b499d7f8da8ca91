// How a session lasts and ends, and what happens to the work on the page; also that the whole frame works by
// keyboard.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { demoPassword, emailOf, enterCredentials, hasBrowser, signIn } from './browser.ts'
import { borrowVisitor } from './reuse.ts'
import { ANYTHING, oneServer } from './one-server.ts'

/** Well-formed, but with an invalid signature. */
const base64url = (text: string): string => Buffer.from(text).toString('base64url')
const FORGED = `${base64url('{"alg":"RS256","typ":"JWT"}')}.${base64url('{"sub":"x","exp":1}')}.AAAA`
const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('Admin-Token'))
const forgeToken = (page: Page) =>
  page.evaluate((token) => localStorage.setItem('Admin-Token', token), FORGED)
/** Waits until the profile has loaded: a request still in flight would use the forged token and renew it. */
const profileIsThere = async (page: Page) => {
  await page.getByLabel('Vorname').waitFor()
  await page.getByText('Anmeldung und Sitzungen').waitFor()
  await page.waitForLoadState('networkidle')
}
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')

describe.skipIf(!hasBrowser())('a session', () => {
  const house = oneServer({ asked: ANYTHING })
  const visit = async (): Promise<Page> => (await house.window({})).page
  const onProfile = async (): Promise<Page> => {
    const page = await visit()
    await signIn({ page }, house.app, 'ogf_admin', '/profile/index')
    await profileIsThere(page)
    // The last that the page asks for: later, its answer would open the dialog a second time.
    await page.getByText('Noch kein Schlüssel').waitFor()
    return page
  }

  test('in the trial one press signs in as one of its people', async () => {
    const page = await visit()
    await page.goto('/kunden/index')
    await page.getByRole('heading', { name: 'Beispielkonten' }).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Anna Ahorn' }).click()
    await page.getByRole('heading', { level: 1, name: 'Kunden' }).waitFor()
  })

  test('only the access token is stored, and it is renewed before it ends', async () => {
    const page = await visit()
    await page.clock.install()
    await signIn({ page }, house.app, 'ogf_standard', '/dashboard')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const first = await storedToken(page)
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
    expect(kept).not.toMatch(/refresh_token/)
    const renewed = page.waitForResponse((response) => response.url().endsWith('/token'))
    await page.clock.fastForward('04:00')
    expect((await renewed).status()).toBe(200)
    await expect.poll(() => storedToken(page)).not.toBe(first)
  })

  test('a renewal that fails is only logged: the page stays, and the next check tries again', async () => {
    const page = await visit()
    await page.clock.install()
    await signIn({ page }, house.app, 'ogf_standard', '/dashboard')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.context().route('**/token', (route) => route.abort())
    const tried = page.waitForRequest('**/token')
    await page.clock.fastForward('04:00')
    await tried
    expect(new URL(page.url()).pathname).toBe('/dashboard')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.context().unroute('**/token')
    const again = page.waitForResponse((response) => response.url().endsWith('/token'))
    await page.clock.fastForward('01:00')
    expect((await again).status()).toBe(200)
  })

  test('a token that is refused is renewed once, and the person notices nothing', async () => {
    const page = await onProfile()
    await forgeToken(page)
    await page.getByLabel('Nachname').fill('Ahorn-Birke')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Gespeichert.').waitFor()
    expect(await storedToken(page)).not.toBe(FORGED)
    await page.getByLabel('Nachname').fill('Ahorn')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByRole('button', { name: 'Benutzermenü von Anna Ahorn' }).waitFor()
  })

  test('when it is over there is one dialog; signing in beside keeps the work', async () => {
    const page = await onProfile()
    await page.getByLabel('Vorname').fill('Angefangen')
    await page.context().route('**/token', (route) => route.abort())
    await forgeToken(page)
    await page.getByRole('button', { name: 'Speichern' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Sitzung abgelaufen' })
    await dialog.waitFor()
    expect(await page.locator('dialog[open]').count()).toBe(1)
    expect(await page.getByLabel('Vorname').inputValue()).toBe('Angefangen')

    await dialog.getByRole('button', { name: 'Auf der Seite bleiben' }).click()
    expect(await page.locator('dialog[open]').count()).toBe(0)
    await page.getByRole('button', { name: 'Speichern' }).click()
    await dialog.waitFor()

    await page.context().unroute('**/token')
    // The provider still knows the browser, so the small window closes by itself.
    await dialog.getByRole('button', { name: 'Neu anmelden' }).click()
    await page.getByText('Sie sind wieder angemeldet.').waitFor()
    expect(await page.getByLabel('Vorname').inputValue()).toBe('Angefangen')
    await page.getByRole('button', { name: 'Verwerfen' }).click()
    expect(await page.getByLabel('Vorname').inputValue()).toBe('Anna')
  })

  test('unsaved work is asked about: on links, on going back, on signing out and when the window closes', async () => {
    const page = await onProfile()
    await page.getByRole('link', { name: 'Gutscheine', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Gutscheine' }).waitFor()
    await page.getByRole('button', { name: /^Benutzermenü/ }).click()
    await page.getByRole('menuitem', { name: 'Profil' }).click()
    await page.getByLabel('Vorname').fill('Angefangen')
    const asked = page.getByRole('alertdialog', { name: 'Änderungen verwerfen?' })
    const stay = async () => {
      await asked.waitFor()
      expect(await focused(page)).toBe('Weiter bearbeiten')
      await page.keyboard.press('Escape')
      await asked.waitFor({ state: 'detached' })
      expect(new URL(page.url()).pathname).toBe('/profile/index')
      expect(await page.getByLabel('Vorname').inputValue()).toBe('Angefangen')
    }
    await page.getByRole('link', { name: 'Kunden', exact: true }).click()
    await stay()
    await page.evaluate(() => history.back())
    await stay()
    await page.getByRole('button', { name: /^Benutzermenü/ }).click()
    await page.getByRole('menuitem', { name: 'Abmelden' }).click()
    await stay()
    const closing = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const question = await closing
    expect(question.type()).toBe('beforeunload')
    await question.dismiss()
    await page.getByRole('link', { name: 'Kunden', exact: true }).click()
    await asked.getByRole('button', { name: 'Verwerfen' }).click()
    await page.getByRole('heading', { level: 1, name: 'Kunden' }).waitFor()
  })

  test('the frame by keyboard: skip link, menu, focus on the heading of a new page', async () => {
    const page = await onProfile()
    await page.getByRole('heading', { level: 1, name: 'Profil' }).waitFor()
    await page.locator('body').press('Tab')
    expect(await focused(page)).toBe('Zum Inhalt springen')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('inhalt')

    const menu = page.getByRole('button', { name: /^Benutzermenü/ })
    await menu.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('Profil')
    await page.keyboard.press('End')
    expect(await focused(page)).toBe('Abmelden')
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toBe('Profil')
    await page.keyboard.press('m')
    expect(await focused(page)).toBe('Mein Forstbetrieb')
    await page.keyboard.press('Escape')
    expect(await menu.evaluate((button) => button === document.activeElement)).toBe(true)

    await page.getByRole('link', { name: 'Gutscheine', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Gutscheine' }).waitFor()
    await expect.poll(() => focused(page)).toBe('Gutscheine')
    expect(await page.title()).toBe('Gutscheine - Forstkontor')
  })

  test('a narrow window has a drawer: it closes on Escape and on every choice, and is not remembered', async () => {
    const page = await onProfile()
    await page.setViewportSize({ width: 391, height: 800 })
    const drawer = page.getByRole('navigation', { name: 'Hauptmenü' })
    await drawer.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Menü öffnen' }).click()
    await drawer.waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Menü öffnen' }).click()
    await drawer.getByRole('link', { name: 'Gutscheine' }).click()
    await page.getByRole('heading', { level: 1, name: 'Gutscheine' }).waitFor()
    await drawer.waitFor({ state: 'hidden' })
    expect(await page.evaluate(() => document.cookie)).not.toContain('sidebarStatus')
  })

  test('the folded menu is remembered', async () => {
    const page = await onProfile()
    await page.getByRole('button', { name: 'Menü einklappen' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Menü ausklappen' }).waitFor()
    expect(await page.locator('.sidebar').evaluate((element) => element.getBoundingClientRect().width)).toBe(
      54,
    )
  })

  const documentsOf = (page: Page): string[] => {
    const documents: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'document') documents.push(new URL(request.url()).pathname)
    })
    return documents
  }

  test('loaded anew a page stays where it is, however often: the provider is asked beside it', async () => {
    const page = await onProfile()
    const documents = documentsOf(page)
    const before = await storedToken(page)
    for (let time = 0; time < 6; time++) {
      await page.reload()
      await page.getByLabel('Vorname').waitFor()
    }
    expect(documents).toEqual(Array.from({ length: 6 }, () => '/profile/index'))
    expect(await storedToken(page)).not.toBe(before)
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toMatch(
      /refresh_token|code_verifier/,
    )
  })

  test('loaded anew the person’s data is asked for beside the provider, and shown only after its answer', async () => {
    const page = await onProfile()
    let answer = (): void => undefined
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(/response_mode=form_post/, async (route) => {
      await held
      await route.continue()
    })
    const data = page.waitForResponse(/__o_get_user_data/)
    let asked = 0
    page.on('request', (request) => {
      if (request.url().includes('__o_get_user_data')) asked++
    })
    await page.reload()
    await (await data).finished()
    expect(await page.locator('#app, body').first().innerText()).not.toContain('Ahorn')
    answer()
    await page.getByLabel('Vorname').waitFor()
    expect(asked).toBe(1)
  })

  test('loaded anew where the provider knows nobody any more it asks, and the way leads back', async () => {
    const page = await visit()
    await signIn({ page }, house.app, 'ogf_admin', '/profile/index?x=1', { signInAgain: true })
    await page.getByLabel('Vorname').waitFor()
    await page.context().clearCookies()
    await page.reload()
    await enterCredentials(page, emailOf('ogf_admin'), demoPassword(house.app))
    await page.getByLabel('Vorname').waitFor()
    const { pathname, search } = new URL(page.url())
    expect(pathname + search).toBe('/profile/index?x=1')
  })

  test('loaded anew where somebody else has signed in at the provider it is theirs, by the whole way', async () => {
    const page = await onProfile()
    const other = await visit()
    await signIn({ page: other }, house.app, 'ogf_standard', '/profile/index', { signInAgain: true })
    await page.context().clearCookies()
    await page.context().addCookies(await other.context().cookies())
    const documents = documentsOf(page)
    await page.reload()
    await page.getByRole('button', { name: 'Benutzermenü von Stefan Stieleiche' }).waitFor()
    expect(documents[0]).toBe('/profile/index')
    expect(documents).toContain('/auth-redirect')
    expect(await page.getByLabel('Vorname').inputValue()).toBe('Stefan')
  })

  const keptBy = (page: Page) =>
    page.evaluate(async () => ({
      local: { ...localStorage },
      session: { ...sessionStorage },
      databases: (await indexedDB.databases()).map(({ name }) => name),
      caches: await caches.keys(),
    }))

  test('a window emptied for the next journey keeps nothing; one changed for good is not given on', async () => {
    const first = await borrowVisitor(house.browser, house.app)
    await signIn(first, house.app, 'ogf_admin', '/kunden/index')
    await first.page.getByRole('table').waitFor()
    await first.page.evaluate(async () => {
      sessionStorage.setItem('of', 'the first')
      await caches.open('of the first')
      await new Promise((resolve) => {
        indexedDB.open('of the first').onsuccess = ({ target }) => {
          ;(target as IDBOpenDBRequest).result.close()
          resolve(null)
        }
      })
      console.error('of the first')
    })
    await expect.poll(() => first.complaints).toHaveLength(1)
    await first.close()

    const second = await borrowVisitor(house.browser, house.app)
    expect(second.page).toBe(first.page)
    expect(await keptBy(second.page)).toEqual({ local: {}, session: {}, databases: [], caches: [] })
    expect([await second.context.cookies(), second.complaints]).toEqual([[], []])
    await second.page.route('**/nothing', (route) => route.abort())
    await second.close()

    const third = await borrowVisitor(house.browser, house.app)
    expect(third.page).not.toBe(first.page)
    expect(second.page.isClosed()).toBe(true)
    await third.close()
  })

  test('settings that cannot be read end in a page that says so, and in no loop', async () => {
    const page = await visit()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.route('**/config/identity.json', (route) =>
      route.fulfill({ status: 200, body: '{"authority":""}' }),
    )
    await page.goto('/')
    await page.getByRole('heading', { name: 'Die Anwendung kann nicht starten' }).waitFor()
    await page.getByText('identity.json').waitFor()
    await page.waitForTimeout(1_000)
    expect(asked.filter((url) => url.endsWith('identity.json'))).toHaveLength(1)
  })
})
