// The end of a session in a shared browser: nothing of the previous person remains in any window or store.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { demoPassword, emailOf, enterCredentials, hasBrowser, signIn } from './browser.ts'
import { ANYTHING, oneServer } from './one-server.ts'

interface Left {
  readonly local: Readonly<Record<string, string>>
  readonly session: Readonly<Record<string, string>>
  readonly cookies: string
  readonly caches: readonly string[]
  readonly databases: readonly string[]
}
const left = (page: Page): Promise<Left> =>
  page.evaluate(async () => ({
    local: { ...localStorage },
    session: { ...sessionStorage },
    cookies: document.cookie,
    caches: (await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys())))
      .flat()
      .map(({ url }) => url),
    databases: (await indexedDB.databases()).map(({ name }) => name ?? ''),
  }))
const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
const DARK = 'rgb(17, 22, 15)'
const LIGHT = 'rgb(244, 246, 242)'

describe.skipIf(!hasBrowser())('after signing out', () => {
  const house = oneServer({ env: { TAGS_VIEW: 'on' }, asked: ANYTHING })
  const visit = () => house.window({ serviceWorkers: 'allow' })
  const signOut = async (page: Page) => {
    await page.getByRole('button', { name: /^Benutzermenü/ }).click()
    await page.getByRole('menuitem', { name: 'Abmelden' }).click()
    await page.getByText('Sie sind abgemeldet.').waitFor()
  }
  /** Dark scheme, another colour, visited pages, and data stored by a page. */
  const leaveTraces = async (page: Page) => {
    await page.goto('/kunden/index')
    await page.getByRole('heading', { level: 1, name: 'Kunden' }).waitFor()
    await page.goto('/profile/index')
    await page.getByText('dunkel', { exact: true }).click()
    await page.getByTitle('#f5222d').click()
    await page.evaluate(() => {
      localStorage.setItem('forstkontor.entwurf.kunde.5', '{"name":"Geheimer Entwurf"}')
      sessionStorage.setItem('forstkontor.probe', 'Geheimes')
    })
    expect(await ground(page)).toBe(DARK)
  }

  test('every window leaves, and no store holds anything of the person', async () => {
    const { page, context } = await visit()
    await signIn({ page }, house.app, 'ogf_admin', '/dashboard')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await leaveTraces(page)
    const second = await context.newPage()
    await second.goto('/kunden/index')
    await second.getByRole('heading', { level: 1, name: 'Kunden' }).waitFor()
    expect(await ground(second), 'the second window has the same look').toBe(DARK)

    await signOut(page)
    await second.getByText('Sie wurden in einem anderen Fenster abgemeldet.').waitFor()
    for (const window of [page, second]) {
      await expect.poll(() => ground(window)).toBe(LIGHT)
      expect(await window.locator('html').getAttribute('style')).toBeFalsy()
      expect(await window.locator('html').getAttribute('data-scheme')).toBeNull()
      expect(await window.locator('body').innerText()).not.toMatch(/Ahorn|ogf_admin/)
      const found = await left(window)
      expect(
        [...Object.keys(found.local), ...Object.keys(found.session)].filter((key) =>
          key.startsWith('forstkontor.'),
        ),
      ).toEqual([])
      expect(found.local['Admin-Token']).toBeUndefined()
      expect(JSON.stringify(found)).not.toMatch(/Ahorn|ogf_admin|Geheime|eyJ/)
      expect(found.caches.filter((url) => /\/(?:rest|prod-api|config|realms|anmelden)\b/.test(url))).toEqual(
        [],
      )
      expect(found.databases).toEqual([])
    }
    // Going back shows nothing either.
    await second.goBack().catch(() => {})
    await second.waitForTimeout(500)
    expect(await second.locator('body').innerText()).not.toMatch(/Ahorn/)
  })

  test('the choices come back with the person, and not with the next one', async () => {
    const { page } = await visit()
    await signIn({ page }, house.app, 'kundenadmin', '/profile/index')
    await page.getByText('dunkel', { exact: true }).click()
    // Immediately: a choice made a moment ago still reaches the server.
    await signOut(page)
    expect(await ground(page)).toBe(LIGHT)

    await page.getByRole('button', { name: 'Wieder anmelden' }).click()
    await enterCredentials(page, emailOf('ogf_standard'), demoPassword(house.app))
    await page.getByRole('button', { name: /^Benutzermenü/ }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await ground(page)).toBe(LIGHT)
    await signOut(page)

    await page.getByRole('button', { name: 'Wieder anmelden' }).click()
    await enterCredentials(page, emailOf('kundenadmin'), demoPassword(house.app))
    await page.getByRole('button', { name: /^Benutzermenü/ }).waitFor()
    await expect.poll(() => ground(page)).toBe(DARK)
  })

  test('somebody else who signs in where the other did not sign out finds nothing of theirs', async () => {
    const { page } = await visit()
    await signIn({ page }, house.app, 'ogf_fb_admin', '/profile/index')
    await page.getByText('dunkel', { exact: true }).click()
    await page.evaluate(() => localStorage.setItem('forstkontor.entwurf.hq.1', 'Geheimes'))
    // The provider's session ends elsewhere; the next person simply uses this browser.
    await page.context().clearCookies()
    await page.goto('/dashboard')
    await enterCredentials(page, emailOf('ogf_standard'), demoPassword(house.app))
    await page.getByRole('button', { name: /^Benutzermenü von Stefan/ }).waitFor()
    expect(await ground(page)).toBe(LIGHT)
    expect(JSON.stringify((await left(page)).local)).not.toContain('Geheimes')
  })

  test('many calls that fail at once end in one dialog', async () => {
    const { page } = await visit()
    await signIn({ page }, house.app, 'ogf_admin', '/kunden/index')
    await page.getByRole('heading', { level: 1, name: 'Kunden' }).waitFor()
    await page.waitForLoadState('networkidle')
    const parts = ['{"alg":"RS256","typ":"JWT"}', '{"sub":"x","exp":1}']
    const forged = `${parts.map((part) => Buffer.from(part).toString('base64url')).join('.')}.AAAA`
    await page.context().route('**/token', (route) => route.abort())
    await page.evaluate((token) => localStorage.setItem('Admin-Token', token), forged)
    await page.getByRole('link', { name: 'Nutzer', exact: true }).first().click()
    const dialog = page.getByRole('alertdialog', { name: 'Sitzung abgelaufen' })
    await dialog.waitFor()
    await page.waitForTimeout(1_500)
    expect(await page.locator('dialog[open]').count()).toBe(1)
    await dialog.getByRole('button', { name: 'Auf der Seite bleiben' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.waitForTimeout(1_000)
    expect(
      await page.locator('dialog[open]').count(),
      'cancelling is final until something is asked again',
    ).toBe(0)
  })
})
