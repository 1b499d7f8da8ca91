// Phones and tablets, detected by device, get the landing page when they come without a page in mind; other
// devices never do. Deep links pass it.
import { type BrowserContextOptions, devices, type Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { demoPassword, emailOf, enterCredentials, hasBrowser } from './browser.ts'
import { oneServer } from './one-server.ts'

const STORES = {
  IOS_STORE_URL: 'https://apps.apple.example/forstkontor',
  ANDROID_STORE_URL: 'https://play.google.example/forstkontor',
}
const phone = (name: string): BrowserContextOptions => {
  const { defaultBrowserType: _, ...device } = devices[name]!
  return { ...device, locale: 'de-DE' }
}
const wanted = (page: Page) => page.evaluate(() => location.pathname + location.search)

describe.skipIf(!hasBrowser())('the landing page', () => {
  const house = oneServer({
    env: {
      ...STORES,
      IMPRESSUM_URL: 'https://impressum.example',
      MANUAL_URL: 'https://handbuch.example',
    },
  })
  const visit = async (more: BrowserContextOptions): Promise<Page> => (await house.window(more)).page

  for (const device of ['iPhone 15', 'Pixel 7', 'iPad Pro 11', 'Galaxy Tab S4'])
    test(`${device} is led to it from the front door`, async () => {
      const page = await visit(phone(device))
      await page.goto('/?von=mail')
      await page.getByRole('button', { name: 'Im Browser öffnen' }).waitFor()
      expect(await wanted(page)).toBe(`/landing?weiter=${encodeURIComponent('/?von=mail')}`)
      expect(await page.getByRole('link', { name: 'Laden im App Store' }).getAttribute('href')).toBe(
        STORES.IOS_STORE_URL,
      )
      expect(await page.getByRole('link', { name: 'Jetzt bei Google Play' }).getAttribute('href')).toBe(
        STORES.ANDROID_STORE_URL,
      )
      expect(await page.getByRole('link', { name: 'Impressum' }).getAttribute('href')).toBe(
        'https://impressum.example',
      )
      expect(await page.getByRole('link', { name: 'Handbuch' }).getAttribute('href')).toBe(
        'https://handbuch.example',
      )
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        expect(await brokenRules(page), colorScheme).toEqual([])
      }
      expect(
        await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ),
      ).toBeLessThanOrEqual(0)
    })

  test('a deep link, such as one in a mail, passes it on the way through the sign-in', async () => {
    const page = await visit(phone('Pixel 7'))
    await page.goto('/profile/index?von=mail')
    await enterCredentials(page, emailOf('ogf_standard'), demoPassword(house.app))
    await page.getByRole('heading', { level: 1, name: 'Profil' }).waitFor()
    expect(await wanted(page)).toBe('/profile/index?von=mail')
    await page.goto('/')
    await page.getByRole('button', { name: 'Im Browser öffnen' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('button', { name: /^Benutzermenü/ }).click()
    expect(await wanted(page)).toBe('/dashboard')
    await page.getByRole('menuitem', { name: 'Abmelden' }).click()
    await page.getByText('Sie sind abgemeldet.').waitFor()
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Wieder anmelden' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/login')
  })

  test('whoever is known is offered what they may open, and no field mode that is closed to them', async () => {
    const page = await visit(phone('Pixel 7'))
    await page.goto('/dokumente/index')
    await enterCredentials(page, emailOf('appuser_admin'), demoPassword(house.app))
    await page.getByRole('heading', { level: 1, name: 'Dokumente' }).waitFor()
    await page.goto('/')
    await page.getByText(/^Angemeldet als/).waitFor()
    expect(await page.getByRole('button', { name: 'Feldmodus öffnen' }).count()).toBe(0)
    expect(await page.getByRole('listitem').allInnerTexts()).toEqual(
      expect.arrayContaining(['Dokumente', 'Karten']),
    )
    expect(await page.getByRole('link', { name: 'Rechnungen' }).count()).toBe(0)
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('link', { name: 'Karten' }).click()
    await page.getByRole('heading', { level: 1, name: 'Karten' }).waitFor()
  })

  test('a narrow window on a desk gets the application', async () => {
    const page = await visit({ viewport: { width: 390, height: 800 } })
    await page.goto('/dashboard')
    await page.getByLabel('E-Mail').waitFor()
  })

  test('it is open to everybody and leads nowhere else, whatever its address says', async () => {
    const page = await visit({})
    for (const address of [
      '/landing',
      '/landing?weiter=//boese.example',
      '/landing?weiter=https://boese.example',
      '/landing?weiter=/landing',
    ]) {
      await page.goto(address)
      await page.getByRole('button', { name: 'Im Browser öffnen' }).click()
      await page.getByLabel('E-Mail').waitFor()
      expect(new URL(page.url()).origin).toBe(house.app.origin)
      expect(new URL(page.url()).searchParams.get('weiter')).toBeNull()
    }
  })
})

describe.skipIf(!hasBrowser())('without the landing page', () => {
  const without = oneServer({ env: { MOBILE_LANDING: 'off' } })
  test('an installation may do without it', async () => {
    const { page } = await without.window(phone('iPhone 15'))
    await page.goto('/dashboard')
    await page.getByLabel('E-Mail').waitFor()
    await page.goto('/landing')
    await page.getByRole('button', { name: 'Im Browser öffnen' }).waitFor()
    expect(await page.getByRole('link', { name: /Store|Play/ }).count()).toBe(0)
    // The landing page does not divert from the field mode, which opens after the sign-in.
    await page.getByRole('button', { name: 'Feldmodus öffnen' }).click()
    await enterCredentials(page, emailOf('ogf_standard'), demoPassword(without.app))
    await page.getByRole('heading', { name: 'Forstbetrieb mitnehmen' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/feld')
  })
})
