// What people do with a trial, from the first start on, in a real browser through the real pages.
import { describe, expect, test } from 'vitest'
import { demoPassword, emailOf, enterCredentials, hasBrowser, signIn } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('a trial', () => {
  const house = oneServer({ engine: 'embedded', env: { LOG_REQUESTS: 'on' } })
  const visit = () => house.window()

  test('a newcomer opens the printed address, signs in with the printed password and sees the customers', async () => {
    const { page } = await visit()
    const address = /Forstkontor ist bereit: (\S+)/.exec(house.app.output())?.[1] ?? ''
    await page.goto(address)
    await page.getByText('Probebetrieb mit Beispieldaten').waitFor()
    await enterCredentials(page, emailOf('ogf_admin'), demoPassword(house.app))
    await page.getByRole('heading', { level: 1, name: 'Willkommen, Anna Ahorn' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/dashboard')
    expect(await page.title()).toBe('Mein Forstbetrieb - Forstkontor')
    await page.getByRole('navigation', { name: 'Hauptmenü' }).getByRole('link', { name: 'Kunden' }).click()
    await page.getByText('500 Kunden').waitFor()
    expect(await page.title()).toBe('Kunden - Forstkontor')
    await page.getByText('Probebetrieb', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Anna Ahorn' }).waitFor()
  })

  test('a wrong password is told without saying which part was wrong, and nobody is signed in', async () => {
    const { page, complaints } = await visit()
    await page.goto('/')
    await enterCredentials(page, emailOf('ogf_admin'), 'ganz-falsches-passwort')
    const wrong = await page.getByRole('alert').innerText()
    await page.goto('/')
    await enterCredentials(page, 'niemand@probe.forstkontor.example', 'ganz-falsches-passwort')
    expect(await page.getByRole('alert').innerText()).toBe(wrong)
    expect(await page.evaluate(() => localStorage.getItem('Admin-Token'))).toBeNull()
    // Chromium logs the status of the refusal as an error of the page; it is the only one.
    complaints.splice(0, complaints.length, ...complaints.filter((one) => !/status of 40[013]/.test(one)))
  })

  test('staff finds a customer, changes the telephone number, and the change and its author are kept', async () => {
    const visitor = await visit()
    const { page } = visitor
    await signIn(visitor, house.app, 'ogf_admin', '/kunden/index')
    await page.getByLabel('Kunden suchen').fill('Kutzenhausen')
    await page.waitForURL(/Kutzenhausen/)
    await page.getByRole('link', { name: 'Annette Meißner' }).click()
    await page.getByRole('heading', { name: 'Annette Meißner' }).waitFor()
    await page.getByRole('tab', { name: 'Stammdaten' }).click()
    await page.getByLabel('Telefon').fill('08221 4711')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('von Anna Ahorn').waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Annette Meißner' }).waitFor()
    expect(await page.getByLabel('Telefon').inputValue()).toBe('08221 4711')
    await page.getByRole('tab', { name: 'Verlauf' }).click()
    await page.getByText('08221 4711').waitFor()
    await page.goBack()
    await page.getByLabel('Kunden suchen').waitFor()
    expect(await page.getByLabel('Kunden suchen').inputValue()).toBe('Kutzenhausen')
  })

  test('an admin of a customer sees that customer and no other, on screen and past it', async () => {
    const visitor = await visit()
    const { page } = visitor
    await signIn(visitor, house.app, 'kundenadmin')
    expect(new URL(page.url()).pathname).toBe('/dashboard')
    await page
      .getByRole('navigation', { name: 'Hauptmenü' })
      .getByRole('link', { name: /^Kunden.?stammdaten$/ })
      .click()
    await page.waitForURL('**/kunde/index')
    await page.getByText('Kundennummer 1', { exact: true }).waitFor()
    const token = await tokenOf(page)
    expect((await call(house.app, token, '/rest/kunde?select=client_id')).json).toEqual([{ client_id: 1 }])
    expect((await call(house.app, token, '/rest/kunde?client_id=eq.2&select=client_id')).json).toEqual([])
    expect((await call(house.app, token, '/rest/gutschein')).status).toBe(200)
    expect((await call(house.app, token, '/rest/gutschein')).json).toEqual([])
    await page.goto('/kunden/index')
    await page.waitForURL(/\/401/)
  })

  test('a deep link survives the sign-in, with its query', async () => {
    const visitor = await visit()
    await signIn(visitor, house.app, 'ogf_admin', '/kunden/7?ansicht=verlauf')
    await visitor.page.waitForURL('**/kunden/7?ansicht=verlauf')
    expect(await visitor.page.getByRole('tab', { name: 'Verlauf' }).getAttribute('aria-selected')).toBe(
      'true',
    )
  })

  test('a foreign address in the redirect is not followed', async () => {
    const { page } = await visit()
    for (const redirect of ['//forst.example/x', '/\\forst.example', 'https://forst.example']) {
      await page.goto(`/login?redirect=${encodeURIComponent(redirect)}`)
      await page.getByLabel('E-Mail-Adresse').waitFor()
    }
    await enterCredentials(page, emailOf('ogf_admin'), demoPassword(house.app))
    await page.getByRole('heading', { level: 1, name: 'Willkommen, Anna Ahorn' }).waitFor()
    expect(page.url()).toBe(`${house.app.origin}/dashboard`)
  })

  test('signing out in one tab ends the other', async () => {
    const visitor = await visit()
    const { page, context } = visitor
    await signIn(visitor, house.app, 'ogf_admin', '/', { signInAgain: true })
    const second = await context.newPage()
    await second.goto('/kunden/index')
    await second.getByText('500 Kunden').waitFor()
    await page.getByRole('button', { name: 'Anna Ahorn' }).click()
    await page.getByRole('menuitem', { name: 'Abmelden' }).click()
    await second.waitForURL(/\/login/)
    expect(await second.evaluate(() => localStorage.getItem('Admin-Token'))).toBeNull()
    expect(await second.getByText('Annette Meißner').count()).toBe(0)
    await page.goto('/kunden/index')
    await page
      .getByLabel('E-Mail-Adresse')
      .or(page.getByRole('button', { name: /nmelden/ }))
      .first()
      .waitFor()
  })

  test('a reload keeps the session without asking', async () => {
    const visitor = await visit()
    await signIn(visitor, house.app, 'ogf_standard')
    await visitor.page.reload()
    await visitor.page.getByRole('button', { name: 'Stefan Stieleiche' }).waitFor()
  })

  test('who is disabled is out on the very next call, and signs in anew when enabled', async () => {
    const [admin, user] = [await visit(), await visit()]
    await signIn(admin, house.app, 'ogf_admin')
    await signIn(user, house.app, 'ogf_standard')
    const [adminToken, userToken] = [await tokenOf(admin.page), await tokenOf(user.page)]
    const found = (
      await call(house.app, adminToken, `/rest/benutzer?email=eq.${emailOf('ogf_standard')}&select=user_id`)
    ).json as {
      user_id: number
    }[]
    const setEnabled = (enabled: boolean) =>
      call(house.app, adminToken, '/rest/rpc/a_set_user_enabled', { user_id: found[0]?.user_id, enabled })
    expect((await call(house.app, userToken, '/rest/hq?select=idHQ')).status).toBe(200)
    expect((await setEnabled(false)).status).toBeLessThan(300)
    expect((await call(house.app, userToken, '/rest/hq?select=idHQ')).status).toBe(401)
    expect(
      (await call(house.app, userToken, `/prod-api/get_hqs_from_user/?user_id=${found[0]?.user_id}`)).json,
    ).toMatchObject({ code: 50_012 })
    expect((await setEnabled(true)).status).toBeLessThan(300)
    // Unlocking does not restore earlier sessions.
    expect((await call(house.app, userToken, '/rest/hq?select=idHQ')).status).toBe(401)
    const again = await visit()
    await signIn(again, house.app, 'ogf_standard', '/', { signInAgain: true })
    expect((await call(house.app, await tokenOf(again.page), '/rest/hq?select=idHQ')).status).toBe(200)
    // Their open page was refused too, and the browser logs it.
    expect(user.complaints.splice(0).filter((one) => !/status of 401/.test(one))).toEqual([])
  })

  test('the operations page is for admins of the provider', async () => {
    const visitor = await visit()
    await signIn(visitor, house.app, 'apus_admin', '/verwaltung/betrieb')
    await visitor.page.getByText(/PostgreSQL 18/).waitFor()
  })

  test('neither passwords nor tokens nor addresses of people ever reach the log', async () => {
    const visitor = await visit()
    await signIn(visitor, house.app, 'ogf_admin')
    const token = await tokenOf(visitor.page)
    await fetch(`${house.app.origin}/prod-api/get_hqs_from_user/?user_id=1&token=${token}`)
    await fetch(`${house.app.origin}/rest/kunde?ort=eq.Marker4711`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const log = house.app
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .join('\n')
    expect(log.length).toBeGreaterThan(1000)
    expect(log).not.toMatch(/eyJ[\w-]{10,}\.[\w-]+\.[\w-]+/)
    expect(log).not.toContain(demoPassword(house.app))
    expect(log).not.toContain('ganz-falsches-passwort')
    expect(log).not.toContain('Marker4711')
    expect(log).not.toMatch(/@probe\.forstkontor\.example/)
  })
})
