// People: the list, a person's path from being added to being locked out, links, roles, accounts, and two
// admins at once.
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { enterCredentials, hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

const PASSWORD = 'vier Wörter ohne Sinn 7'

describe.skipIf(!hasBrowser())('people', () => {
  const house = oneServer()
  const { visit } = house
  const personOf = async (page: Page, email: string) => {
    const { json } = await call(house.app, await tokenOf(page), `/rest/benutzer?email=eq.${email}`)
    return (json as { user_id: number; version: number; [column: string]: unknown }[])[0]!
  }
  const saysSo = (page: Page, text: string | RegExp) =>
    page.locator('.toast').getByText(text).first().waitFor()
  const tab = (page: Page, name: RegExp | string) => page.getByRole('tab', { name }).click()
  /** Types into a search field and takes the first hit. */
  const choose = async (within: Locator | Page, label: string, text: string) => {
    const field = within.getByRole('combobox', { name: label })
    await field.fill(text)
    await within.getByRole('option').first().waitFor()
    await field.press('Enter')
  }
  const confirm = async (page: Page, name: string, person: string) => {
    const dialog = page.getByRole('alertdialog')
    await dialog.locator('.confirm-record').getByText(person).waitFor()
    await dialog.getByRole('button', { name, exact: true }).click()
  }
  /** Adds a person and returns their one-time link. */
  async function add(page: Page, mail: string, first: string, last: string): Promise<string> {
    await page.getByRole('button', { name: 'Nutzer anlegen' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Nutzer anlegen' })
    await dialog.getByLabel('Anmeldeadresse').fill(mail)
    await dialog.getByLabel('Vorname').fill(first)
    await dialog.getByLabel('Nachname').fill(last)
    await choose(dialog, 'Kunde', 'Forst')
    await dialog.getByRole('button', { name: 'Anlegen', exact: true }).click()
    const told = page.getByRole('dialog', { name: `Einladung für ${first} ${last}` })
    const link = await told.getByLabel('Link zum Setzen des Passworts').inputValue()
    // A link that is shown only once cannot be closed by accident.
    await page.keyboard.press('Escape')
    expect(await told.isVisible()).toBe(true)
    await told.getByRole('button', { name: 'Fertig' }).click()
    await page.getByRole('heading', { level: 1, name: `${first} ${last}` }).waitFor()
    return link
  }
  /** The first sign-in of an invited person, in their own browser. */
  async function accept(link: string, mail: string): Promise<Page> {
    const { page } = await house.window()
    await page.goto(link)
    await page.getByLabel('Neues Passwort', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Neues Passwort wiederholen').fill(PASSWORD)
    await page.getByRole('button', { name: 'Passwort speichern' }).click()
    await page.getByRole('link', { name: 'Zur Anmeldung' }).click()
    await enterCredentials(page, mail, PASSWORD)
    await page.getByRole('navigation').first().waitFor()
    return page
  }

  test('the list is searched, filtered, sorted and narrowed by the server, and leads to a person', async () => {
    const page = await visit('ogf_admin', '/nutzer/index')
    await page.locator('.row-link').first().waitFor()
    expect(await brokenRules(page, 'main')).toEqual([])
    await page.getByRole('searchbox', { name: 'Nutzer suchen' }).fill('ahorn')
    await page.waitForURL(/suche=ahorn/)
    await page.getByRole('link', { name: 'Ahorn, Anna' }).waitFor()
    await page.goto('/nutzer/index?status=apus_admin&team=ja&zugang=offen')
    await page.getByRole('link', { name: 'Pappel, Petra' }).waitFor()
    expect(await page.getByRole('link', { name: 'Ahorn, Anna' }).count()).toBe(0)
    // Of the sample's people only the current one has signed in.
    await page.goto('/nutzer/index?angemeldet=ja')
    await page.getByRole('link', { name: 'Ahorn, Anna' }).waitFor()
    await page.goto('/nutzer/index?verknuepft=nein&status=ogf_init&suche=neubert')
    await page.getByRole('link', { name: 'Neubert, Nora' }).waitFor()

    const { json } = await call(
      house.app,
      await tokenOf(page),
      '/rest/benutzer_kunde?select=client_id,benutzer(last_name)&limit=1',
    )
    const [link] = json as { client_id: number; benutzer: { last_name: string } }[]
    // Choosing the customer of a filter leaves the filter open and the focus in it.
    await page.goto('/nutzer/index')
    await page.getByRole('button', { name: /^Filter/ }).click()
    const kunde = page.getByRole('group', { name: 'Filter' }).getByRole('combobox', { name: 'Kunde' })
    await kunde.fill('e')
    await page.getByRole('listbox', { name: 'Kunde' }).getByRole('option').first().waitFor()
    await kunde.press('Enter')
    await page.waitForURL(/kunde=\d+/)
    await page.waitForLoadState('networkidle')
    expect(await kunde.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.goto(`/nutzer/index?kunde=${link!.client_id}`)
    await page
      .getByRole('link', { name: new RegExp(`^${link!.benutzer.last_name},`) })
      .first()
      .waitFor()
    const all = (
      await call(
        house.app,
        await tokenOf(page),
        `/rest/benutzer_kunde?select=user_id&client_id=eq.${link!.client_id}`,
      )
    ).json as unknown[]
    expect(await page.locator('.row-link').count()).toBe(Math.min(25, all.length))
    await page.locator('.row-link').first().click()
    await page.waitForURL(/\/nutzer\/\d+$/)
    await page.getByRole('tab', { name: 'Person' }).waitFor()
    expect(await brokenRules(page, 'main')).toEqual([])
  })

  test('a person is added, signs in by the link, is locked out on the next call, and let in again', async () => {
    house.provokes(/401/)
    const admin = await visit('ogf_admin', '/nutzer/index')
    const link = await add(admin, 'eva.eibe@neu.example', 'Eva', 'Eibe')
    const id = (await personOf(admin, 'eva.eibe@neu.example')).user_id
    expect(new URL(admin.url()).pathname).toBe(`/nutzer/${id}`)

    const eva = await accept(link, 'eva.eibe@neu.example')
    const token = await tokenOf(eva)
    const asEva = () => call(house.app, token, '/rest/rpc/a_get_currentuser', {})
    // The forest half's admin creates customers' admins; the drainage half creates plain users.
    expect((await asEva()).json).toMatchObject([{ user_id: id, system_status: 'kundenadmin' }])
    // The link worked only once.
    expect((await fetch(link)).status).toBe(410)

    await admin.getByRole('button', { name: 'Sperren', exact: true }).click()
    await confirm(admin, 'Sperren', 'Eva Eibe, eva.eibe@neu.example')
    await saysSo(admin, 'Eva Eibe ist gesperrt.')
    expect((await asEva()).status).toBe(401)
    await admin.getByRole('button', { name: 'Entsperren' }).click()
    await saysSo(admin, 'Eva Eibe ist wieder entsperrt.')
    // The message offers to undo what it reports, by the same call.
    await admin
      .getByText('Eva Eibe ist wieder entsperrt.')
      .locator('..')
      .getByRole('button', { name: 'Rückgängig' })
      .click()
    await admin.getByText('Rückgängig gemacht.').waitFor()
    expect((await personOf(admin, 'eva.eibe@neu.example')).enabled).toBe(false)
    await admin.getByRole('button', { name: 'Entsperren' }).click()
    await expect.poll(async () => (await personOf(admin, 'eva.eibe@neu.example')).enabled).toBe(true)
    // The locked-out session stays out; a new sign-in works.
    expect((await asEva()).status).toBe(401)
    const { page: again } = await house.window()
    await again.goto('/')
    await enterCredentials(again, 'eva.eibe@neu.example', PASSWORD)
    await again.getByRole('navigation').first().waitFor()

    await tab(admin, 'Konto')
    await admin.getByText('Einladung angenommen').waitFor()
    // A person with a password is not invited again but gets a link for a new one, after confirmation.
    await admin.getByRole('button', { name: 'Link für ein neues Passwort' }).click()
    await admin.getByRole('alertdialog').getByText('legt ein neues Passwort für dieses Konto fest').waitFor()
    await admin.getByRole('alertdialog').getByRole('button', { name: 'Abbrechen' }).click()
    await admin.getByRole('button', { name: 'Sitzungen beenden' }).click()
    await confirm(admin, 'Sitzungen beenden', 'Eva Eibe')
    await saysSo(admin, 'Alle Sitzungen von Eva Eibe sind beendet.')
    expect((await call(house.app, await tokenOf(again), '/rest/rpc/a_get_currentuser', {})).status).toBe(401)
    expect(await brokenRules(admin, 'main')).toEqual([])

    await tab(admin, 'Verlauf')
    await admin.getByText('Person angelegt').waitFor()
    await admin.getByText(/^Kunde zugeordnet: /).waitFor()
    expect(await admin.locator('.record-verlauf').innerText()).toMatch(/Zugang\s+aktiv[\s\S]*gesperrt/)
  })

  test('a new person’s address and name are compared while one types, and faults stand at their fields', async () => {
    const page = await visit('ogf_admin', '/nutzer/index')
    await page.getByRole('button', { name: 'Nutzer anlegen' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Nutzer anlegen' })
    await dialog.getByRole('button', { name: 'Anlegen', exact: true }).click()
    await dialog.getByText(/Bitte geben Sie die E-Mail-Adresse an/).waitFor()
    await dialog.getByLabel('Anmeldeadresse').fill('keine Adresse')
    await dialog.getByText('Das ist keine gültige E-Mail-Adresse.').waitFor()
    await dialog.getByLabel('Anmeldeadresse').fill('kundenadmin@probe.forstkontor.example')
    await dialog.getByText('Diese Adresse gehört schon zu Karl Kiefer').waitFor()
    expect(await dialog.getByRole('button', { name: 'Anlegen', exact: true }).isDisabled()).toBe(true)
    await dialog.getByLabel('Anmeldeadresse').fill('ganz.neu@neu.example')
    expect(await dialog.getByText('Eine Person dieses Namens gibt es schon').count()).toBe(0)
    const { db_role, first_name, last_name } = await personOf(page, 'kundenadmin@probe.forstkontor.example')
    await dialog.getByLabel('Vorname').fill(String(first_name))
    await dialog.getByLabel('Nachname').fill(String(last_name))
    if (db_role === 'karl_kiefer') await dialog.getByText('Eine Person dieses Namens gibt es schon').waitFor()
    expect(await brokenRules(page, 'main')).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByText('Eingaben verwerfen?').waitFor()
    await page.getByRole('button', { name: 'Verwerfen', exact: true }).click()
    expect(await dialog.count()).toBe(0)
  })

  test('links to customers and headquarters are made, changed and cut, and the roles follow', async () => {
    const page = await visit('ogf_admin', '/nutzer/index')
    await add(page, 'lia.laerche@neu.example', 'Lia', 'Lärche')
    await tab(page, /^Kunden/)
    const role = page.getByRole('combobox', { name: /^Rolle bei / })
    // She cannot grant the other half's roles or its Kataster.
    await expect.poll(async () => role.inputValue()).toBe('kundenadmin')
    expect(await role.getByRole('option').allInnerTexts()).toHaveLength(1)
    expect(await page.getByRole('checkbox', { name: /^Kataster bei / }).isDisabled()).toBe(true)
    const { user_id } = await personOf(page, 'lia.laerche@neu.example')
    const linkOf = async () =>
      (await call(house.app, await tokenOf(page), `/rest/benutzer_kunde?user_id=eq.${user_id}`)).json
    await expect.poll(linkOf).toMatchObject([{ rolle: 'kundenadmin', kataster_enabled: false }])

    await tab(page, /^Forstbetriebe/)
    await choose(page.getByRole('form', { name: 'Forstbetrieb zuordnen' }), 'Forstbetrieb', 'forst')
    await page.getByRole('button', { name: 'Zuordnen' }).click()
    await page.getByRole('checkbox', { name: /^Verwaltung von / }).check()
    await expect
      .poll(
        async () =>
          (await call(house.app, await tokenOf(page), `/rest/benutzer_hq?user_id=eq.${user_id}`)).json,
      )
      .toMatchObject([{ hq_status: ['hq_user', 'hq_admin'] }])

    await tab(page, 'Rollen')
    await page.getByText('Was diese Person darf').waitFor()
    const reasons = page.locator('.nutzer-reasons')
    await reasons.getByText('Grundrolle „Kundenadmin“').waitFor()
    await reasons.getByText(/^Zuordnung zum Kunden .* als Kundenadmin/).waitFor()
    await reasons.getByText(/^Eingetragen als Verwaltung von /).waitFor()
    await page.getByRole('list', { name: 'Seiten' }).getByText('Kundenstammdaten').waitFor()
    expect(await brokenRules(page, 'main')).toEqual([])

    await tab(page, /^Kunden/)
    await page.getByRole('button', { name: /lösen$/ }).click()
    await confirm(page, 'Lösen', 'Lia Lärche')
    await page.getByText('Kein Kunde zugeordnet').waitFor()
    await tab(page, /^Forstbetriebe/)
    await page.getByRole('button', { name: /lösen$/ }).click()
    await confirm(page, 'Lösen', 'Lia Lärche')
    await page.getByText('Kein Forstbetrieb zugeordnet').waitFor()
    await tab(page, 'Verlauf')
    await page.getByText(/^Vom Forstbetrieb gelöst: /).waitFor()
    await page.getByText(/^Vom Kunden gelöst: /).waitFor()
  })

  test('nobody gives what they do not hold, and the last admin stays', async () => {
    house.provokes(/409/)
    const page = await visit('ogf_admin', '/nutzer/index')
    await add(page, 'rolf.rotbuche@neu.example', 'Rolf', 'Rotbuche')
    await tab(page, 'Rollen')
    const status = page.getByRole('combobox', { name: 'Grundrolle' })
    expect(await status.locator('option').allInnerTexts()).not.toContain('Team Vermessung')
    expect(await status.locator('option').allInnerTexts()).toContain('Team Forst')
    expect(await page.getByRole('checkbox', { name: 'Team Vermessung' }).isDisabled()).toBe(true)
    await status.selectOption('ogf_team')
    await page.getByRole('button', { name: 'Rollen ändern' }).click()
    await page.getByText('Grundrolle: Kundenadmin wird zu Team Forst.').waitFor()
    await confirm(page, 'Rollen ändern', 'Rolf Rotbuche')
    await saysSo(page, 'Rollen von Rolf Rotbuche gespeichert.')
    expect(await personOf(page, 'rolf.rotbuche@neu.example')).toMatchObject({ system_status: 'ogf_team' })

    // Only these two of the sample's people administer the forest half.
    const token = await tokenOf(page)
    const others = (
      await call(house.app, token, '/rest/benutzer?select=user_id,email&system_status=in.(ogf_admin,admin)')
    ).json as {
      user_id: number
      email: string
    }[]
    const me = others.find(({ email }) => email.startsWith('ogf_admin@'))!
    const { page: alma } = await house.visitor('admin', `/nutzer/${me.user_id}?ansicht=rollen`)
    // Alma herself last: without her role she cannot remove others'.
    const rank = ({ email }: { email: string }) => Number(email.startsWith('admin@'))
    for (const { user_id } of others
      .filter(({ user_id: id }) => id !== me.user_id)
      .sort((one, two) => rank(one) - rank(two))) {
      const demoted = await call(house.app, await tokenOf(alma), '/rest/rpc/a_set_system_status', {
        user_id,
        system_status: 'ogf_standard',
      })
      expect(demoted.status).toBe(204)
    }
    const mine = await visit('ogf_admin', `/nutzer/${me.user_id}?ansicht=rollen`)
    await mine.getByRole('combobox', { name: 'Grundrolle' }).selectOption('ogf_standard')
    await mine.getByRole('button', { name: 'Rollen ändern' }).click()
    await confirm(mine, 'Rollen ändern', 'Anna Ahorn')
    await mine
      .getByText(
        'Der letzte Administrator kann nicht entfernt oder gesperrt werden. Bitte ernennen Sie zuerst einen anderen.',
      )
      .waitFor()
    expect(await personOf(mine, me.email)).toMatchObject({ system_status: 'ogf_admin' })
  })

  test('two admins at once: nothing is overwritten, and each field is decided', async () => {
    house.provokes(/409/)
    const page = await visit('ogf_admin', '/nutzer/index')
    await add(page, 'tom.tanne@neu.example', 'Tom', 'Tanne')
    const { user_id } = await personOf(page, 'tom.tanne@neu.example')
    const other = await visit('apus_admin', '/')
    await page.getByLabel('Nachname').fill('Tannert')
    const { version } = await personOf(other, 'tom.tanne@neu.example')
    const theirs = {
      user_id,
      first_name: 'Thomas',
      last_name: 'Tannhäuser',
      mail: null,
      geb: '1980-02-29',
      geschlecht: null,
      version,
    }
    expect((await call(house.app, await tokenOf(other), '/rest/rpc/a_update_user', theirs)).status).toBe(204)
    await page.getByRole('button', { name: 'Speichern' }).click()
    const dialog = page.getByRole('dialog', { name: 'Inzwischen geändert' })
    await dialog.getByText(/Petra Pappel hat diese Person am/).waitFor()
    expect(await dialog.getByRole('button', { name: 'Auswahl speichern' }).isDisabled()).toBe(true)
    await dialog.getByRole('radio', { name: 'Nachname, meine Eingabe: Tannert' }).check()
    await dialog.getByRole('button', { name: 'Auswahl speichern' }).click()
    await saysSo(page, 'Gespeichert.')
    expect(await personOf(page, 'tom.tanne@neu.example')).toMatchObject({
      first_name: 'Thomas',
      last_name: 'Tannert',
      geb: '1980-02-29',
    })
    expect(await page.getByLabel('Geburtsdatum').inputValue()).toBe('29.02.1980')
    await page.getByLabel('Geburtsdatum').fill('31.02.1980')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Bitte ein Datum wie 31.12.2026.').waitFor()
  })

  test('many at once: app access of some is taken, and whoever is not ours is named', async () => {
    const page = await visit('ogf_admin', '/nutzer/index?suche=probe.forstkontor&status=apus_team,appuser')
    await page.locator('.row-link').first().waitFor()
    await page.getByRole('checkbox', { name: /Bodo Birke/ }).check()
    await page.getByRole('checkbox', { name: /Uwe Ulme/ }).check()
    await page.getByRole('button', { name: 'App sperren' }).click()
    await page.getByRole('alertdialog').getByText('Uwe Ulme').waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'App sperren' }).click()
    const report = page.getByRole('dialog', { name: 'Nicht alles ist erledigt' })
    await report.getByText('Uwe Ulme').waitFor()
    await report.getByText(/wird von der anderen Verwaltung betreut/).waitFor()
    await report.getByRole('button', { name: 'Schließen' }).last().click()
    expect(await personOf(page, 'appuser@probe.forstkontor.example')).toMatchObject({
      app_status: 'gesperrt',
    })
    expect(await personOf(page, 'apus_team@probe.forstkontor.example')).toMatchObject({ app_status: 'aktiv' })
  })

  test('a number that nobody bears leads back to the list', async () => {
    const page = await visit('ogf_admin', '/nutzer/999999999')
    await page.getByText('Diese Person gibt es nicht').waitFor()
    await page.getByRole('link', { name: 'Zur Nutzerliste' }).click()
    await page.locator('.row-link').first().waitFor()
  })
})
