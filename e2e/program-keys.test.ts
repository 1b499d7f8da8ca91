// A key for a program: made in the profile, used by a program, seen with its last use, ended, refused; and the
// admins' list of all of them.
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { demoPassword, hasBrowser } from './browser.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('keys for programs', () => {
  const house = oneServer()

  const rest = async (authorization: string, path: string, method = 'GET') => {
    const { status, headers } = await fetch(`${house.app.origin}/rest/${path}`, {
      method,
      headers: { authorization },
    })
    return { status, json: headers }
  }
  const basic = (key: string) => `Basic ${Buffer.from(`qgis:${key}`).toString('base64')}`

  test('is made with the password, used as Bearer and as Basic, and ended', async () => {
    const page = await house.visit('apus_team', '/profile/index')
    const card = page.locator('.card', {
      has: page.getByRole('heading', { name: 'Schlüssel für Programme' }),
    })
    await card.getByText('Noch kein Schlüssel').waitFor()
    await card.getByRole('button', { name: 'Schlüssel anlegen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Schlüssel anlegen' })
    await dialog.getByLabel('Name').waitFor()
    // What is missing is said at the fields.
    await dialog.getByRole('button', { name: 'Anlegen und anzeigen' }).click()
    await dialog.getByText('Bitte nennen Sie das Programm').waitFor()
    await dialog.getByText('Bitte geben Sie Ihr Passwort ein.').waitFor()
    expect(await brokenRules(page, 'dialog')).toEqual([])
    await dialog.getByLabel('Name').fill('QGIS Büro')
    await dialog.getByLabel('Gilt bis').fill('1.1.2199')
    await dialog.getByLabel('Ihr Passwort').fill('geraten und falsch')
    await dialog.getByText('Bitte wählen Sie einen Tag von heute bis heute in einem Jahr.').waitFor()
    const soon = new Date(Date.now() + 60 * 86_400_000)
    await dialog.getByLabel('Gilt bis').fill(`${soon.getDate()}.${soon.getMonth() + 1}.${soon.getFullYear()}`)
    await dialog.getByLabel('Karten und Pläne').check()
    house.provokes(/400/)
    await dialog.getByRole('button', { name: 'Anlegen und anzeigen' }).click()
    await dialog.getByText('Passwort oder Code stimmt nicht. Bitte prüfen Sie beides.').first().waitFor()
    await dialog.getByLabel('Ihr Passwort').fill(demoPassword(house.app))
    await dialog.getByRole('button', { name: 'Anlegen und anzeigen' }).click()

    const shown = page.getByRole('dialog', { name: 'Schlüssel für QGIS Büro' })
    const key = await shown.getByLabel('Schlüssel', { exact: true }).innerText()
    expect(key).toMatch(/^forst_[0-9A-Za-z]{49}$/)
    expect(await brokenRules(page, 'dialog')).toEqual([])
    await shown.getByText('Er wird nur dieses eine Mal angezeigt').waitFor()
    // Escape does not lose it.
    await page.keyboard.press('Escape')
    await shown.getByRole('button', { name: 'Ich habe den Schlüssel gespeichert' }).click()
    await card.getByText('Noch nie benutzt').waitFor()
    await card.getByText('Liest nur: Karten und Pläne.').waitFor()
    await card.getByText(`letzte Zeichen: …${key.slice(-4)}`).waitFor()
    expect(await brokenRules(page, 'main')).toEqual([])

    expect((await rest(`Bearer ${key}`, 'karte?select=id&limit=1')).status).toBe(200)
    expect((await rest(basic(key), 'karte?select=id&limit=1')).status).toBe(200)
    expect((await rest(basic(key), 'kunde?select=client_id')).status).toBe(403)
    expect((await rest(`Bearer ${key}`, 'karte?id=eq.1', 'DELETE')).status).toBe(403)
    expect((await rest(`Bearer ${key}`, `karte?token=${key}`)).status).toBe(400)
    expect(
      (
        await fetch(`${house.app.origin}/prod-api/eigenes-konto`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: '{}',
        })
      ).status,
    ).toBe(403)

    await page.reload()
    await card.getByText(/Zuletzt benutzt heute/).waitFor()
    await card.getByRole('button', { name: 'QGIS Büro widerrufen' }).click()
    const asked = page.getByRole('alertdialog', { name: 'Schlüssel widerrufen?' })
    await asked.getByRole('button', { name: 'Widerrufen' }).click()
    await page.getByText('Der Schlüssel „QGIS Büro“ ist widerrufen.').waitFor()
    await card.getByText('Zurzeit gilt keiner.').waitFor()
    for (const header of [`Bearer ${key}`, basic(key)])
      expect((await rest(header, 'karte?select=id&limit=1')).status).toBe(401)
    await card.getByText('Widerrufen und abgelaufen (1)').click()
    await card.getByText(/^Widerrufen am/).waitFor()
    expect(house.app.output()).not.toContain(key.slice(0, 20))
  })

  test('admins see those of their half with their owners, make one of the installation and end any', async () => {
    const own = await house.visit('appuser', '/profile/index')
    const made = await own.evaluate(
      async ({ password, bis }) => {
        const answer = await fetch('/prod-api/zugaenge', {
          method: 'POST',
          headers: {
            authorization: `Bearer ${localStorage.getItem('Admin-Token')}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({
            art: 'person',
            name: 'Excel Hof',
            haelfte: null,
            gruppen: null,
            nur_lesen: true,
            client_id: null,
            bis,
            passwort: password,
            code: '',
          }),
        })
        return ((await answer.json()) as { data: { zugang: string } }).data.zugang
      },
      {
        password: demoPassword(house.app),
        bis: new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10),
      },
    )
    expect((await rest(`Bearer ${made}`, 'kunde?select=client_id')).status).toBe(200)
    const page = await house.visit('apus_admin', '/verwaltung/betrieb')
    const card = page.locator('.card', {
      has: page.getByRole('heading', { name: 'Schlüssel für Programme' }),
    })
    const row = card.getByRole('listitem').filter({ hasText: 'Excel Hof' })
    await row.getByText('läuft bald ab').waitFor()
    expect(await brokenRules(page, 'main')).toEqual([])
    await card.getByRole('button', { name: 'Gemeinsamen Schlüssel anlegen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Gemeinsamen Schlüssel anlegen' })
    await dialog.getByLabel('Name').fill('Power BI')
    await dialog.getByLabel('Ihr Passwort').fill(demoPassword(house.app))
    await dialog.getByLabel('Ihr Passwort').press('Enter')
    await page.getByRole('button', { name: 'Ich habe den Schlüssel gespeichert' }).click()
    await card.getByRole('listitem').filter({ hasText: 'Power BI' }).getByText('gemeinsam').waitFor()
    await row.getByRole('button', { name: 'Excel Hof widerrufen' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Widerrufen' }).click()
    await page.getByText('Der Schlüssel „Excel Hof“ ist widerrufen.').waitFor()
    expect((await rest(`Bearer ${made}`, 'kunde?select=client_id')).status).toBe(401)
    const forest = await house.visit('ogf_admin', '/verwaltung/betrieb')
    await forest.getByText('Noch kein Schlüssel').waitFor()
    await forest.getByText('Power BI').waitFor({ state: 'detached' })
  })
})
