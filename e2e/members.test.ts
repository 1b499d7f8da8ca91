// The drainage half's master data: apus_admin maintains customers and people, apus_team reads and may change
// two fields, everyone else is refused.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { emailOf, hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

/** Chromium logs refused calls as errors of the page; here they are expected. */
const REFUSED = /status of 40[0349]/
type Row = Record<string, unknown>

describe.skipIf(!hasBrowser())('the drainage half’s master data', () => {
  const house = oneServer({ asked: REFUSED })
  const { visit } = house
  const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
  const rows = async (page: Page, address: string) =>
    (await call(house.app, await tokenOf(page), `/rest/${address}`)).json as Row[]
  const kundeOf = async (page: Page, id: number | string) => (await rows(page, `kunde?client_id=eq.${id}`))[0]
  const linkOf = async (page: Page, client_id: number | string, user_id: unknown) =>
    (await rows(page, `benutzer_kunde?client_id=eq.${client_id}&user_id=eq.${String(user_id)}`))[0]
  const personOf = async (page: Page, email: string) =>
    (await rows(page, `benutzer?email=eq.${encodeURIComponent(email)}`))[0]
  const settled = (page: Page) =>
    page.locator('[aria-busy="true"], .skeleton').first().waitFor({ state: 'detached' })

  test('the list: searched, narrowed by Kataster and team, sorted by its people, and kept in the address', async () => {
    const page = await visit('apus_admin', '/member-management/client')
    await page.getByRole('heading', { name: 'Kunden', level: 1 }).waitFor()
    await page.locator('.row-link').first().waitFor()
    for (const title of ['Bundesland', 'EPSG', 'Kataster', 'Nutzer', 'Team', 'Projektordner'])
      expect(await page.getByRole('columnheader', { name: title }).count(), title).toBe(1)
    await page.goto('/member-management/client?kataster=an&team=mit')
    await page.locator('.row-link').first().waitFor()
    const expected = await rows(
      page,
      'kunde_mitglieder?kataster_status=is.true&team=gt.0&select=name&order=sortname,client_id&limit=5',
    )
    expect(expected.length).toBeGreaterThan(0)
    expect(
      (await page.locator('.row-link').allInnerTexts()).slice(0, 5).map((text) => text.split(',')[0]),
    ).toEqual(expected.map(({ name }) => String(name).split(',')[0]))
    await page.goto('/member-management/client?sort=-nutzer')
    await page.locator('.row-link').first().waitFor()
    const [most] = await rows(
      page,
      'kunde_mitglieder?select=client_id,nutzer&order=nutzer.desc,client_id.desc&limit=1',
    )
    expect(await page.locator('.row-link').first().getAttribute('href')).toBe(
      `/member-management/client/${String(most?.['client_id'])}`,
    )
    expect(await brokenRules(page)).toEqual([])
  })

  test('a new customer opens on its page; its form proposes the place and saves only what changed', async () => {
    const page = await visit('apus_admin', '/member-management/client')
    await page.getByRole('button', { name: 'Kunde anlegen' }).first().click()
    await field(page, 'Name').fill('Gut Eichberg & Söhne')
    await field(page, 'Straße und Hausnummer').fill('Am Forst 1')
    await field(page, 'PLZ').fill('01067')
    await expect.poll(() => field(page, 'Ort').inputValue()).toBe('Dresden')
    await page.getByRole('button', { name: 'Anlegen', exact: true }).click()
    await page.waitForURL(/\/member-management\/client\/\d+$/)
    const id = page.url().split('/').at(-1) ?? ''
    await page.getByRole('link', { name: 'Stammdaten ändern' }).click()
    await page.waitForURL(`**/member-management/client/update/${id}`)
    await field(page, 'Telefon').fill('0351 4711')
    await page.getByLabel('Koordinatensystem').selectOption('25833')
    // Leaving asks for confirmation first.
    await page.getByRole('link', { name: 'Zum Kunden' }).click()
    await page.getByText('Änderungen verwerfen?').waitFor()
    await page.getByRole('button', { name: 'Weiter bearbeiten' }).click()
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    expect((await sent).postDataJSON()).toEqual({ ap_tel: '0351 4711', epsg: 25833 })
    await page.getByText('Gespeichert.', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Zum Kunden' }).click()
    await page.getByRole('tab', { name: 'Verlauf' }).click()
    await page.getByText('0351 4711').waitFor()
    await page.getByText('Angelegt', { exact: true }).waitFor()
  })

  test('two people at once: the later save is asked and overwrites nothing', async () => {
    const page = await visit('apus_admin', '/member-management/client/update/31')
    await field(page, 'Ort').fill('Pirna')
    expect(
      (await call(house.app, await tokenOf(page), '/rest/kunde?client_id=eq.31', { ort: 'Meißen' }, 'PATCH'))
        .status,
    ).toBeLessThan(300)
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    await page.getByRole('dialog', { name: 'Inzwischen geändert' }).waitFor()
    expect(await kundeOf(page, 31)).toMatchObject({ ort: 'Meißen' })
    await page.getByRole('radio', { name: 'Ort, meine Eingabe: Pirna' }).check()
    await page.getByRole('button', { name: 'Auswahl speichern' }).click()
    await page.getByText('Gespeichert.', { exact: true }).waitFor()
    expect(await kundeOf(page, 31)).toMatchObject({ ort: 'Pirna' })
  })

  test('Kataster and project folder: hostile names are refused, the proposal taken, a shared folder told', async () => {
    const page = await visit('apus_admin', '/member-management/client/32?ansicht=stammdaten')
    const token = await tokenOf(page)
    const before = await kundeOf(page, 32)
    await page.getByLabel('Kataster freigeschaltet').click()
    await page
      .getByText(
        before?.['kataster_status'] ? 'Freischaltung des Katasters aufgehoben.' : 'Kataster freigeschaltet.',
      )
      .waitFor()
    const folder = field(page, 'Projektordner')
    const posts: string[] = []
    page.on(
      'request',
      (request) => request.url().endsWith('/a_set_projektordner') && posts.push(request.postData() ?? ''),
    )
    for (const [typed, told] of [
      ['../x', 'Nur ein Ordnername, kein Pfad'],
      ['a\\b', 'Nur ein Ordnername, kein Pfad'],
      ['CON', 'hält Windows für ein Gerät'],
      ['lpt1.txt', 'hält Windows für ein Gerät'],
      ['ende.', 'endet nicht mit einem Punkt'],
      ['.git', 'beginnt mit einem Buchstaben'],
      ['a*', 'Erlaubt sind Buchstaben'],
      ['C:', 'Erlaubt sind Buchstaben'],
    ] as const) {
      await folder.fill(typed)
      await folder.press('Enter')
      await page.getByText(told).waitFor()
      expect(await folder.getAttribute('aria-invalid'), typed).toBe('true')
      const refused = await call(house.app, token, '/rest/rpc/a_set_projektordner', {
        client_id: 32,
        ordner: typed,
      })
      expect(refused.status, typed).toBe(400)
    }
    expect(posts).toEqual([])
    await folder.fill('')
    await page.getByRole('button', { name: /^Vorschlag: / }).click()
    const proposal = await folder.inputValue()
    expect(proposal).toMatch(/^[0-9A-Za-z_]+$/)
    await page.getByRole('button', { name: 'Ordner speichern' }).click()
    await page.getByText('Projektordner gespeichert.').waitFor()
    expect(await kundeOf(page, 32)).toMatchObject({
      ordner: proposal,
      kataster_status: !before?.['kataster_status'],
    })
    await page.getByRole('tab', { name: 'Verlauf' }).click()
    await page.getByText(proposal, { exact: true }).waitFor()
    await page.goto('/member-management/client/33?ansicht=stammdaten')
    await field(page, 'Projektordner').fill(proposal)
    await page.getByText(/^Denselben Ordner hat schon .* \(Kundennummer 32\)\.$/).waitFor()
    expect(await brokenRules(page)).toEqual([])
  })

  test('people of a customer: made, invited, given a role and the Kataster, locked out, removed', async () => {
    const page = await visit('apus_admin', '/member-management/client/34?ansicht=nutzer')
    const namesake = {
      mail: 'lena.laub@anderswo.example',
      first_name: 'Lena',
      last_name: 'Laub',
      kataster_enabled: false,
      apus_team: false,
      apus_admin: false,
    }
    expect(
      (await call(house.app, await tokenOf(page), '/rest/rpc/a_add_user', { ...namesake, client_id: 40 }))
        .status,
    ).toBe(200)
    await page.getByRole('button', { name: 'Neue Person anlegen' }).first().click()
    const dialog = page.getByRole('dialog', { name: /^Neue Person für / })
    await dialog.getByRole('button', { name: 'Anlegen', exact: true }).click()
    await dialog.getByText('Bitte geben Sie den Nachnamen an.').waitFor()
    await dialog.getByLabel('E-Mail').fill('keine adresse')
    await dialog.getByLabel('Vorname').fill('Lena')
    await dialog.getByLabel('Nachname').fill('Laub')
    await dialog.getByText('Das ist keine gültige E-Mail-Adresse.').waitFor()
    // A Lena Laub exists already.
    await dialog.getByText(/Eine Person dieses Namens gibt es schon/).waitFor()
    await dialog.getByLabel('Nachname').fill('Lärche')
    await dialog.getByText(/Eine Person dieses Namens gibt es schon/).waitFor({ state: 'detached' })
    await dialog.getByLabel('E-Mail').fill(emailOf('appuser'))
    await dialog.getByRole('button', { name: 'Anlegen', exact: true }).click()
    await dialog.getByText(/kann nicht verwendet werden/).waitFor()
    await dialog.getByLabel('E-Mail').fill('lena.laerche@kunde34.example')
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Anlegen', exact: true }).click()
    const invitation = page.getByRole('dialog', { name: 'Einladung für Lena Lärche' })
    expect(await invitation.getByLabel('Link zum Setzen des Passworts').inputValue()).toMatch(
      /^http:\/\/localhost:\d+\/anmelden\//,
    )
    await invitation.getByRole('button', { name: 'Fertig' }).click()
    const lena = await personOf(page, 'lena.laerche@kunde34.example')
    expect(await linkOf(page, 34, lena?.['user_id'])).toMatchObject({
      rolle: 'nutzer',
      kataster_enabled: false,
    })

    const act = async (name: string) => {
      await page.getByRole('button', { name: 'Aktionen für Lena Lärche' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await act('Rolle ändern …')
    await page.getByRole('radio', { name: /^Administrator/ }).check()
    await page.getByRole('button', { name: 'Rolle speichern' }).click()
    await page.getByText('Lena Lärche ist jetzt Administrator.').waitFor()
    await act('Kataster freischalten')
    await page.getByText('Lena Lärche sieht jetzt das Kataster.').waitFor()
    expect(await linkOf(page, 34, lena?.['user_id'])).toMatchObject({
      rolle: 'admin',
      kataster_enabled: true,
    })
    await act('App sperren …')
    const ask = page.getByRole('alertdialog')
    expect(await ask.innerText()).toContain('Lena Lärche · lena.laerche@kunde34.example')
    await ask.getByRole('button', { name: 'App sperren' }).click()
    await page.getByText('Lena Lärche kann die App nicht mehr benutzen.').waitFor()
    expect(await personOf(page, 'lena.laerche@kunde34.example')).toMatchObject({ app_status: 'gesperrt' })
    await act('Aus dem Kunden entfernen …')
    expect(await page.getByRole('alertdialog').innerText()).toContain('Lena Lärche')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Entfernen' }).click()
    await page.getByText(/^Lena Lärche gehört nicht mehr zu /).waitFor()
    expect(await linkOf(page, 34, lena?.['user_id'])).toBeUndefined()

    await page.getByRole('button', { name: 'Vorhandene Person hinzufügen' }).first().click()
    await page.getByRole('combobox', { name: 'Person suchen (Name oder E-Mail)' }).fill('lena lär')
    await page.getByRole('option', { name: /lena\.laerche@kunde34/ }).click()
    await page.getByRole('button', { name: 'Hinzufügen', exact: true }).click()
    await page.getByText(/^Die Person gehört jetzt zu /).waitFor()
    expect(await linkOf(page, 34, lena?.['user_id'])).toMatchObject({ rolle: 'nutzer' })
    await page.getByRole('tab', { name: 'Verlauf' }).click()
    await page.getByText('Lena Lärche entfernt').waitFor()
  })

  test('the team of a customer: assigned by name, shown to the customer, taken back', async () => {
    const page = await visit('apus_admin', '/member-management/client/2?ansicht=team')
    const uwe = await personOf(page, emailOf('apus_team'))
    await page.getByRole('combobox', { name: 'Teammitglied suchen' }).fill('ulme')
    await page.getByRole('option', { name: /^Uwe Ulme/ }).click()
    await page.getByRole('button', { name: 'Zuteilen' }).click()
    await page.getByText('Zugeteilt.', { exact: true }).waitFor()
    expect(await linkOf(page, 2, uwe?.['user_id'])).toBeDefined()
    expect(await brokenRules(page)).toEqual([])
    const customer = await visit('appuser_admin', '/account/index?ansicht=stammdaten')
    await customer.getByText('Uwe Ulme').waitFor()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Uwe Ulme' })
      .getByRole('button', { name: 'Zuteilung beenden' })
      .click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Zuteilung beenden' }).click()
    await page.getByText(/^Uwe Ulme betreut .* nicht mehr\.$/).waitFor()
    expect(await linkOf(page, 2, uwe?.['user_id'])).toBeUndefined()
  })

  test('a person: roles are asked back and kept, a customer is added, access is locked and given back', async () => {
    const page = await visit('apus_admin', '/member-management/users?suche=birke+bodo')
    await page.getByRole('link', { name: 'Bodo Birke' }).click()
    await page.waitForURL(/\/member-management\/users\/\d+$/)
    const own = page.getByRole('form', { name: 'Person' })
    await own.getByLabel('Geburtsdatum').fill('31.02.1980')
    await own.getByLabel('Vorname').fill('Bodo Benno')
    await own.getByRole('button', { name: 'Speichern' }).click()
    await own.getByText('Bitte ein Datum wie 31.12.2026.').waitFor()
    await own.getByLabel('Geburtsdatum').fill('1.12.1980')
    await own.getByRole('button', { name: 'Speichern' }).click()
    await page.getByRole('heading', { level: 1, name: 'Bodo Benno Birke' }).waitFor()
    expect(await personOf(page, emailOf('appuser'))).toMatchObject({
      first_name: 'Bodo Benno',
      geb: '1980-12-01',
    })
    // What another person changes meanwhile is not overwritten.
    await own.getByLabel('Vorname').fill('Bodo')
    const now = await personOf(page, emailOf('appuser'))
    const { user_id, last_name, mail, geb, geschlecht, version } = now ?? {}
    const change = { user_id, first_name: 'Bodobert', last_name, mail, geb, geschlecht, version }
    expect(
      (await call(house.app, await tokenOf(page), '/rest/rpc/a_update_user', change)).status,
    ).toBeLessThan(300)
    await own.getByRole('button', { name: 'Speichern' }).click()
    const conflict = page.getByRole('dialog').filter({ hasText: 'Bodobert' })
    await conflict.waitFor()
    await page.keyboard.press('Escape')
    expect(await personOf(page, emailOf('appuser'))).toMatchObject({ first_name: 'Bodobert' })
    await own.getByRole('button', { name: 'Verwerfen' }).click()
    await own.getByLabel('Vorname').fill('Bodo')
    await own.getByRole('button', { name: 'Speichern' }).click()
    await page.getByRole('heading', { level: 1, name: 'Bodo Birke' }).waitFor()

    await page.getByLabel('Team Vermessung').check()
    await page.getByRole('button', { name: 'Rollen speichern' }).click()
    const ask = page.getByRole('alertdialog')
    expect(await ask.innerText()).toMatch(/Bodo Birke[\s\S]*Team Vermessung geben[\s\S]*zweiten Faktor/)
    await ask.getByRole('button', { name: 'Ändern' }).click()
    await page.getByText('Rollen von Bodo Birke gespeichert.').waitFor()
    expect(await personOf(page, emailOf('appuser'))).toMatchObject({ apus_team: true })
    await page.getByLabel('Team Vermessung').uncheck()
    await page.getByRole('button', { name: 'Rollen speichern' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Ändern' }).click()
    await expect.poll(async () => (await personOf(page, emailOf('appuser')))?.['apus_team']).toBe(false)
    // She cannot grant staff roles of the other half.
    expect(
      await page.getByLabel('Grundrolle').getByRole('option', { name: 'Verwaltung Forst' }).count(),
    ).toBe(0)
    expect(await brokenRules(page)).toEqual([])

    await page.getByRole('tab', { name: 'Kunden' }).click()
    await page
      .getByRole('combobox', { name: 'Kunden suchen' })
      .fill(String((await kundeOf(page, 35))?.['name']).toLowerCase())
    await page.getByRole('option').first().click()
    await page.getByRole('button', { name: 'Zuordnen' }).click()
    await page.getByText('Zugeordnet.').waitFor()
    const bodo = await personOf(page, emailOf('appuser'))
    await settled(page)
    expect((await rows(page, `benutzer_kunde?user_id=eq.${String(bodo?.['user_id'])}`)).length).toBe(2)
    expect(await brokenRules(page)).toEqual([])

    await page.getByRole('tab', { name: 'Zugang' }).click()
    await page.getByRole('button', { name: 'Person sperren' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sperren', exact: true }).click()
    await page.getByText('Bodo Birke ist gesperrt.').waitFor()
    expect(await personOf(page, emailOf('appuser'))).toMatchObject({ enabled: false })
    await page.getByRole('button', { name: 'Sperre der Person aufheben' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sperre aufheben' }).click()
    await page.getByText('Bodo Birke darf sich wieder anmelden.').waitFor()
    expect(await personOf(page, emailOf('appuser'))).toMatchObject({ enabled: true })
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('tab', { name: 'Verlauf' }).click()
    await page.getByText('Team Vermessung').first().waitFor()
    expect(await brokenRules(page)).toEqual([])
  })

  test('apus_team reads everything and changes Bundesland and coordinate system alone', async () => {
    const page = await visit('apus_team', '/member-management/client')
    await page.locator('.row-link').first().waitFor()
    expect(await page.getByRole('button', { name: 'Kunde anlegen' }).count()).toBe(0)
    await page.goto('/member-management/client/36?ansicht=stammdaten')
    await page.getByText('Was Sie hier ändern können').waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Stammdaten ändern' }).count()).toBe(0)
    const land = (await kundeOf(page, 36))?.['bundesland'] === 'Hessen' ? 'Bremen' : 'Hessen'
    await page.getByLabel('Bundesland').selectOption(land)
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    expect((await sent).postDataJSON()).toEqual({ bundesland: land })
    await page.getByText('Gespeichert.', { exact: true }).waitFor()
    expect(await kundeOf(page, 36)).toMatchObject({ bundesland: land })
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('tab', { name: 'Nutzer' }).click()
    await settled(page)
    expect(await page.getByRole('button', { name: /^Aktionen für / }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Neue Person anlegen' }).count()).toBe(0)
    await page.getByRole('tab', { name: 'Team' }).click()
    await settled(page)
    expect(await page.getByRole('button', { name: 'Zuteilen' }).count()).toBe(0)
    // What the screen does not offer, the server refuses too.
    const token = await tokenOf(page)
    const refused = async (path: string, body: object, method?: string) =>
      (await call(house.app, token, path, body, method)).status
    expect(await refused('/rest/kunde?client_id=eq.36', { name: 'Meins' }, 'PATCH')).toBe(403)
    expect(await refused('/rest/rpc/a_set_projektordner', { client_id: 36, ordner: 'Meins' })).toBe(403)
    expect(
      await refused('/rest/rpc/a_set_kataster_for_client', { client_id: 36, kataster_status: true }),
    ).toBe(403)
    expect(
      await refused('/rest/rpc/a_add_user_to_client', { user_id: 1, client_id: 36, kataster_enabled: false }),
    ).toBe(403)
    for (const path of [
      '/member-management/users',
      '/member-management/users/1',
      '/member-management/client/update/36',
    ]) {
      await page.goto(path)
      await page.waitForURL(/\/401/)
    }
  })

  test('others come to none of these pages, and numbers of nobody have a page that says so', async () => {
    for (const role of ['ogf_admin', 'appuser_admin'] as const) {
      const page = await visit(role, '/member-management/client')
      await page.waitForURL(/\/401/)
      await page.goto('/member-management/client/1')
      await page.waitForURL(/\/401/)
    }
    const page = await visit('apus_admin', '/member-management/client/999999999')
    await page.getByText('Diesen Kunden gibt es nicht').waitFor()
    await page.goto('/member-management/users/999999999')
    await page.getByText('Diese Person gibt es nicht').waitFor()
    await page.goto('/member-management/client/update/999999999')
    await page.getByText('Diesen Kunden gibt es nicht').waitFor()
  })

  test('on a narrow screen nothing scrolls sideways', async () => {
    const page = await visit('apus_admin', '/member-management/client/1')
    await page.setViewportSize({ width: 390, height: 844 })
    for (const path of [
      '/member-management/client',
      '/member-management/users',
      '/member-management/client/1?ansicht=nutzer',
      '/member-management/client/1',
      '/member-management/client/update/1',
      '/member-management/users/1?ansicht=zugang',
    ]) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await settled(page)
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
        path,
      ).toBeLessThanOrEqual(0)
    }
  })
})
