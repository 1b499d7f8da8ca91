// A program is connected on /geraet: the code, what it asks for, narrowing, the password, the key that the
// program gets; declining; by keyboard, on a phone, in English, and without rules of accessibility broken.
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { demoPassword, hasBrowser } from './browser.ts'
import { oneServer } from './one-server.ts'

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

describe.skipIf(!hasBrowser())('connecting a program', () => {
  const house = oneServer()

  const post = async (path: string, form: Record<string, string>) => {
    const answer = await fetch(`${house.app.origin}/realms/master/protocol/openid-connect/${path}`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'programm', ...form }),
    })
    return (await answer.json()) as Record<string, string>
  }
  const begin = (scope: string, program_name: string) => post('auth/device', { scope, program_name })
  const poll = (device_code = '') => post('token', { grant_type: GRANT, device_code })

  test('the person sees who asks for what, narrows it, confirms; the program works', async () => {
    const { user_code = '', device_code } = await begin('lesen schreiben karten kunden', 'QGIS Büro')
    const page = await house.visit('apus_team', '/geraet')
    await page.getByRole('heading', { level: 1, name: 'Programm verbinden' }).waitFor()
    expect(await brokenRules(page, 'main')).toEqual([])
    const code = page.getByLabel('Code', { exact: false }).first()
    await code.fill('falsch')
    await code.press('Enter')
    await page.getByText('Bitte geben Sie die acht Buchstaben ein, die das Programm anzeigt.').waitFor()
    house.provokes(/400/)
    await code.fill('BBBB-BBBB')
    await code.press('Enter')
    await page
      .getByText(/^Diesen Code gibt es nicht/)
      .first()
      .waitFor()
    await code.fill(user_code.toLowerCase())
    await code.press('Enter')
    await page.getByRole('heading', { name: '„QGIS Büro“ möchte in Ihrem Namen arbeiten' }).waitFor()
    await page.getByText(`Zeigt das Programm den Code ${user_code}?`).waitFor()
    await page.getByText('Es möchte lesen und schreiben: Kunden, Karten und Pläne.').waitFor()
    expect(await brokenRules(page, 'main')).toEqual([])
    expect(await page.getByLabel('Belege und Zahlungen').count()).toBe(0)
    await page.getByText('nur lesen', { exact: true }).click()
    await page.getByLabel('Kunden', { exact: true }).uncheck()
    await page.getByLabel('Karten und Pläne').uncheck()
    await page.getByRole('button', { name: 'Verbinden' }).click()
    await page.getByText('Bitte wählen Sie mindestens einen Bereich, oder lehnen Sie ab.').waitFor()
    await page.getByText('Bitte geben Sie Ihr Passwort ein.').waitFor()
    expect(await brokenRules(page, 'main')).toEqual([])
    await page.getByLabel('Karten und Pläne').check()
    house.provokes(/400/)
    await page.getByLabel('Ihr Passwort').fill('geraten und falsch')
    await page.getByLabel('Ihr Passwort').press('Enter')
    await page.getByText('Passwort oder Code stimmt nicht. Bitte prüfen Sie beides.').first().waitFor()
    expect((await poll(device_code))['error']).toBe('authorization_pending')
    await page.getByLabel('Ihr Passwort').fill(demoPassword(house.app))
    await page.getByLabel('Ihr Passwort').press('Enter')
    await page.getByText(/^„QGIS Büro“ ist verbunden\./).waitFor()
    expect(await brokenRules(page, 'main')).toEqual([])
    const { access_token = '', scope } = await poll(device_code)
    expect(scope).toBe('lesen karten')
    const read = async (path: string) =>
      (
        await fetch(`${house.app.origin}/rest/${path}`, {
          headers: { authorization: `Bearer ${access_token}` },
        })
      ).status
    expect(await read('karte?select=id&limit=1')).toBe(200)
    expect(await read('kunde?select=client_id&limit=1')).toBe(403)
    await page.getByRole('link', { name: 'Meine Schlüssel ansehen' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'QGIS Büro' })
    await row.getByText('Liest nur: Karten und Pläne.').waitFor()
    await row.getByRole('button', { name: 'QGIS Büro widerrufen' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Widerrufen' }).click()
    await page.getByText('Der Schlüssel „QGIS Büro“ ist widerrufen.').waitFor()
    expect(await read('karte?select=id&limit=1')).toBe(401)
    expect(house.app.output()).not.toContain(access_token.slice(0, 20))
  })

  test('declined by keyboard on a phone, in English; the address may carry the code', async () => {
    const { user_code = '', device_code } = await begin('', 'Excel')
    const page = await house.visit('ogf_admin', '/profile/index')
    // Chosen by this person, as in the settings. Set before the page's own code runs, because that stores settings too.
    await page.addInitScript(() =>
      localStorage.setItem(
        'forstkontor.einstellung',
        '{"user":null,"values":{"language":"en"},"waiting":["language"]}',
      ),
    )
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`/geraet?code=${user_code}`)
    await page.getByRole('heading', { level: 1, name: 'Connect a program' }).waitFor()
    const code = page.locator('[name=user_code]')
    expect(await code.inputValue()).toBe(user_code)
    await code.press('Enter')
    await page.getByText(user_code).first().waitFor()
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
    expect(await brokenRules(page, 'main')).toEqual([])
    await page.getByText('It wants to read everything that you may see.').waitFor()
    await page.getByRole('button', { name: 'Decline' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('“Excel” was given no access.').waitFor()
    expect((await poll(device_code))['error']).toBe('access_denied')
  })
})
