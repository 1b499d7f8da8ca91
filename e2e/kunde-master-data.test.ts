// One customer: creating, changing, two people at once, foreign and hostile input, and the own master data of
// a customer's admin.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

/** Chromium logs refused calls as errors of the page; here they are expected. */
const REFUSED = /status of 40[0349]/

describe.skipIf(!hasBrowser())('one customer', () => {
  const house = oneServer({ asked: REFUSED })
  const { visit } = house
  const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
  const save = (page: Page) => page.getByRole('button', { name: 'Speichern', exact: true }).click()
  const saved = (page: Page) => page.getByText('Gespeichert.', { exact: true }).waitFor()
  /** The stored row, bypassing the screens. */
  const rowOf = async (page: Page, id: number | string) =>
    (
      (await call(house.app, await tokenOf(page), `/rest/kunde?client_id=eq.${id}`)).json as Record<
        string,
        unknown
      >[]
    )[0]

  test('a new customer: what is missing is named, the postcode fills in the rest, and the record opens', async () => {
    const page = await visit('ogf_admin', '/kunden/index')
    await page.getByRole('button', { name: 'Kunde anlegen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Kunde anlegen' })
    expect(await field(page, 'Name').evaluate((input) => document.activeElement === input)).toBe(true)
    await dialog.getByRole('button', { name: 'Anlegen', exact: true }).click()
    await dialog.getByText('Bitte geben Sie den Namen des Kunden ein.').waitFor()
    expect(await dialog.locator('[aria-invalid="true"]').count()).toBe(4)
    expect(await field(page, 'Name').evaluate((input) => document.activeElement === input)).toBe(true)
    await field(page, 'Name').fill('Neuer Waldhof')
    await field(page, 'Straße und Hausnummer').fill('Am Forst 1')
    await field(page, 'PLZ').fill('01067')
    await expect.poll(() => field(page, 'Ort').inputValue()).toBe('Dresden')
    expect(await dialog.locator('[aria-invalid="true"]').count()).toBe(0)
    expect(await dialog.getByLabel('Bundesland').inputValue()).toBe('Sachsen')
    await dialog.getByRole('link', { name: /OpenStreetMap/ }).waitFor()

    await page.keyboard.press('Escape')
    await page.getByText('Eingaben verwerfen?').waitFor()
    await page.getByRole('button', { name: 'Weiter bearbeiten' }).click()
    await dialog.getByRole('button', { name: 'Anlegen', exact: true }).click()
    await page.getByRole('heading', { name: 'Neuer Waldhof' }).waitFor()
    expect(await page.title()).toBe('Neuer Waldhof - Forstkontor')
    const id = /\/kunden\/(\d+)$/.exec(new URL(page.url()).pathname)?.[1] ?? ''
    expect(await rowOf(page, id)).toMatchObject({
      name: 'Neuer Waldhof',
      plz: '01067',
      ort: 'Dresden',
      bundesland: 'Sachsen',
      epsg: 25832,
      ap_tel: null,
      version: 1,
    })
    await page.getByRole('tab', { name: 'Verlauf' }).click()
    await page.getByText('Angelegt', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Forstbetriebe' }).click()
    await page.getByText('Keine Forstbetriebe').waitFor()
    await page.getByRole('tab', { name: 'Personen' }).click()
    await page.getByText('Keine Personen').waitFor()
  })

  test('only what was changed is sent, and leaving with unsaved work asks first', async () => {
    const page = await visit('ogf_admin', '/kunden/20?ansicht=stammdaten')
    await field(page, 'Telefon').fill('0351 4711')
    await page.getByRole('tab', { name: 'Verlauf' }).click()
    await page.getByRole('tab', { name: 'Stammdaten' }).click()
    expect(await field(page, 'Telefon').inputValue()).toBe('0351 4711')
    await page.getByRole('navigation').getByRole('link', { name: 'Kunden', exact: true }).first().click()
    await page.getByText('Änderungen verwerfen?').waitFor()
    await page.getByRole('button', { name: 'Weiter bearbeiten' }).click()
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await save(page)
    expect((await sent).postDataJSON()).toEqual({ ap_tel: '0351 4711' })
    expect(decodeURIComponent((await sent).url())).toMatch(/client_id=eq\.20&version=eq\.\d+$/)
    await saved(page)
    await page.getByRole('navigation').getByRole('link', { name: 'Kunden', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Kunden', exact: true }).waitFor()
  })

  test('what is typed while a save is under way stays, and is saved by the next', async () => {
    const page = await visit('ogf_admin', '/kunden/21?ansicht=stammdaten')
    const held = Promise.withResolvers<void>()
    await page.route(/\/rest\/kunde/, async (route) => {
      if (route.request().method() === 'PATCH') await held.promise
      await route.continue()
    })
    await field(page, 'Telefon').fill('0551 1')
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'PATCH'),
      save(page),
    ])
    expect(sent.postDataJSON()).toEqual({ ap_tel: '0551 1' })
    await field(page, 'Telefon').fill('0551 12')
    await field(page, 'Ort').fill('Später')
    held.resolve()
    await saved(page)
    await page.getByText('Nicht gespeicherte Änderungen').waitFor()
    expect(await field(page, 'Telefon').inputValue()).toBe('0551 12')
    expect(await field(page, 'Ort').inputValue()).toBe('Später')
    expect(await rowOf(page, 21)).toMatchObject({ ap_tel: '0551 1' })
    await save(page)
    await expect.poll(() => rowOf(page, 21)).toMatchObject({ ap_tel: '0551 12', ort: 'Später' })
  })

  test('two people at once: nothing is overwritten, each field is decided, and the history tells both', async () => {
    const page = await visit('ogf_admin', '/kunden/21?ansicht=stammdaten')
    const other = await visit('admin', '/kunden/21?ansicht=stammdaten')
    await field(page, 'Ort').fill('Pirna')
    await field(page, 'Telefon').fill('0351 1')
    await field(other, 'Ort').fill('Meißen')
    await field(other, 'Nachname').fill('Anderswo')
    await save(other)
    await saved(other)
    await save(page)
    const dialog = page.getByRole('dialog', { name: 'Inzwischen geändert' })
    await dialog.getByText(/Alma Akazie hat diesen Kunden am \d\d\.\d\d\.\d{4}/).waitFor()
    expect(await rowOf(page, 21)).toMatchObject({ ort: 'Meißen', ap_nachname: 'Anderswo' })
    expect(await dialog.getByRole('rowheader').allInnerTexts()).toEqual([
      expect.stringMatching(/^Ort\s*beide geändert$/),
      'Nachname',
      'Telefon',
    ])
    expect(await dialog.getByRole('button', { name: 'Auswahl speichern' }).isDisabled()).toBe(true)
    await dialog.getByRole('radio', { name: 'Ort, meine Eingabe: Pirna' }).check()
    await dialog.getByRole('button', { name: 'Auswahl speichern' }).click()
    await saved(page)
    expect(await rowOf(page, 21)).toMatchObject({ ort: 'Pirna', ap_nachname: 'Anderswo', ap_tel: '0351 1' })
    expect(await field(page, 'Nachname').inputValue()).toBe('Anderswo')
    await page.getByRole('tab', { name: 'Verlauf' }).click()
    await page.getByText('von Alma Akazie').waitFor()
    expect(await page.locator('.record-verlauf > li').first().innerText()).toMatch(
      /von Anna Ahorn[\s\S]*Meißen[\s\S]*Pirna/,
    )
  })

  test('taking all of the other side leaves the record as it is', async () => {
    const page = await visit('ogf_admin', '/kunden/22?ansicht=stammdaten')
    await field(page, 'Ort').fill('Meine Stadt')
    const token = await tokenOf(page)
    expect(
      (await call(house.app, token, '/rest/kunde?client_id=eq.22', { ort: 'Ihre Stadt' }, 'PATCH')).status,
    ).toBeLessThan(300)
    const before = await rowOf(page, 22)
    await save(page)
    await page.getByRole('button', { name: 'Überall die gespeicherten' }).click()
    await page.getByRole('button', { name: 'Auswahl speichern' }).click()
    await page.getByText('Es gab nichts zu speichern.').waitFor()
    expect(await field(page, 'Ort').inputValue()).toBe('Ihre Stadt')
    expect(await rowOf(page, 22)).toEqual(before)
  })

  test('hostile text is shown as it was typed, found again, and does nothing', async () => {
    const page = await visit('ogf_admin', '/kunden/23?ansicht=stammdaten')
    const evil =
      `<img src=x onerror="window.hacked=1"> =1+1 '; drop table app.kunde; ` +
      `-- {{7*7}} \u202e😀 ${'ß'.repeat(100)}`
    await field(page, 'Name').fill(evil)
    await field(page, 'Namenszusatz').fill('=HYPERLINK("http://x.example")')
    await save(page)
    await saved(page)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(evil)
    expect(await rowOf(page, 23)).toMatchObject({ name: evil })
    await page.goto(`/kunden/index?suche=${encodeURIComponent("'; drop table app.kunde; --")}`)
    await page.locator('.row-link').first().waitFor()
    expect(await page.locator('.row-link').count()).toBe(1)
    expect(await page.locator('.row-link').textContent()).toContain(evil)
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
    // A long name neither widens the page nor hides the rest of the row.
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  })

  test('what is wrong is told at its field before anything is sent', async () => {
    const page = await visit('ogf_admin', '/kunden/24?ansicht=stammdaten')
    const patches: string[] = []
    page.on('request', (request) => request.method() === 'PATCH' && patches.push(request.url()))
    await field(page, 'PLZ').fill('1234')
    await field(page, 'Straße und Hausnummer').fill('a\u007fb')
    await save(page)
    await page.getByText('Fünf Ziffern, zum Beispiel 01067.').waitFor()
    await page.getByText('Bitte ohne Zeilenumbruch und Steuerzeichen.').waitFor()
    expect(await page.locator('[aria-invalid="true"]').count()).toBe(2)
    await page.getByRole('button', { name: 'Verwerfen' }).click()
    expect(await page.locator('[aria-invalid="true"]').count()).toBe(0)
    expect(patches).toEqual([])
  })

  test('what is too long stays and says so; a postcode of another state is a hint', async () => {
    const page = await visit('ogf_admin', '/kunden/24?ansicht=stammdaten')
    const name = field(page, 'Name')
    const longest = 'Wald'.repeat(75)
    await name.focus()
    await name.fill('')
    await page.keyboard.insertText(longest)
    expect(await name.inputValue()).toBe(longest)
    await page.getByText(/^300 Zeichen, höchstens \d+ sind möglich\. Bitte kürzen\.$/).waitFor()
    await save(page)
    expect(await name.evaluate((input) => document.activeElement === input)).toBe(true)
    expect(await name.inputValue()).toBe(longest)
    await page.getByRole('button', { name: 'Verwerfen' }).click()
    await page.getByText(/^300 Zeichen/).waitFor({ state: 'detached' })
    await page.getByLabel('Bundesland').selectOption('Bremen')
    await field(page, 'PLZ').fill('79098')
    await page.getByText('Die PLZ 79098 liegt in Baden-Württemberg. Bitte prüfen.').waitFor()
    await page.getByLabel('Bundesland').selectOption('Baden-Württemberg')
    await page.getByText(/^Die PLZ 79098 liegt/).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Verwerfen' }).click()
  })

  test('what the server refuses is told at the field, and nothing typed is lost', async () => {
    const page = await visit('ogf_admin', '/kunden/24?ansicht=stammdaten')
    const token = await tokenOf(await visit('admin', '/kunden/24?ansicht=stammdaten'))
    const [anna] = (
      await call(house.app, token, '/rest/benutzer?last_name=eq.Ahorn&first_name=eq.Anna&select=user_id')
    ).json as {
      user_id: number
    }[]
    const become = (system_status: string) =>
      call(house.app, token, '/rest/rpc/a_set_system_status', { user_id: anna?.user_id, system_status })
    await field(page, 'Name').fill('Darf ich nicht mehr')
    await page.getByLabel('Bundesland').selectOption('Bremen')
    // Her role is removed while she types: the drainage team may change the state but not the name.
    expect((await become('apus_team')).status).toBeLessThan(300)
    try {
      await save(page)
      await page.getByText('Dieses Feld dürfen Sie nicht ändern.').waitFor()
      expect(await field(page, 'Name').getAttribute('aria-invalid')).toBe('true')
      expect(await page.getByLabel('Bundesland').getAttribute('aria-invalid')).toBeNull()
      await page.getByRole('alert').getByText('Nicht gespeichert').waitFor()
      expect(await field(page, 'Name').inputValue()).toBe('Darf ich nicht mehr')
    } finally {
      expect((await become('ogf_admin')).status).toBeLessThan(300)
    }
    await save(page)
    await saved(page)
    expect(await rowOf(page, 24)).toMatchObject({ name: 'Darf ich nicht mehr', bundesland: 'Bremen' })
  })

  test('Kataster and project folder take effect by themselves and are no conflict with one’s own form', async () => {
    const page = await visit('ogf_admin', '/kunden/25?ansicht=stammdaten')
    const before = await rowOf(page, 25)
    await field(page, 'Vorname').fill('Zoë')
    await page.getByLabel('Kataster freigeschaltet').click()
    await page
      .getByText(
        before?.['kataster_status'] ? 'Freischaltung des Katasters aufgehoben.' : 'Kataster freigeschaltet.',
      )
      .waitFor()
    await page.getByLabel('Projektordner').fill('../geheim')
    await page.getByRole('button', { name: 'Ordner speichern' }).click()
    await page.getByText('Nur ein Ordnername, kein Pfad').waitFor()
    await page.getByLabel('Projektordner').fill('2026 Süd')
    await page.getByRole('button', { name: 'Ordner speichern' }).click()
    await page.getByText('Projektordner gespeichert.').waitFor()
    expect(await field(page, 'Vorname').inputValue()).toBe('Zoë')
    await save(page)
    await saved(page)
    expect(await rowOf(page, 25)).toMatchObject({
      ordner: '2026 Süd',
      kataster_status: !before?.['kataster_status'],
      ap_vorname: 'Zoë',
      version: Number(before?.['version']) + 3,
    })
    // Undone by the same call.
    await page.getByLabel('Kataster freigeschaltet').click()
    await expect
      .poll(async () => (await rowOf(page, 25))?.['kataster_status'])
      .toBe(before?.['kataster_status'])
    await page
      .getByText(
        before?.['kataster_status'] ? 'Kataster freigeschaltet.' : 'Freischaltung des Katasters aufgehoben.',
      )
      .locator('..')
      .getByRole('button', { name: 'Rückgängig' })
      .click()
    await page.getByText('Rückgängig gemacht.').waitFor()
    expect((await rowOf(page, 25))?.['kataster_status']).toBe(!before?.['kataster_status'])
  })

  test('a number that belongs to nobody has a page that says so', async () => {
    const page = await visit('ogf_admin', '/kunden/999999999')
    await page.getByText('Diesen Kunden gibt es nicht').waitFor()
    await page.getByRole('link', { name: 'Zur Kundenliste' }).click()
    await page.getByText('1–25 von').waitFor()
  })

  test('a long history comes in parts, newest first, none left out', async () => {
    const page = await visit('ogf_admin', '/kunden/27?ansicht=stammdaten')
    const token = await tokenOf(page)
    for (let nr = 1; nr <= 45; nr++)
      await call(house.app, token, '/rest/kunde?client_id=eq.27', { ap_tel: `0351 ${100 + nr}` }, 'PATCH')
    await page.getByRole('tab', { name: 'Verlauf' }).click()
    const numbers = () => page.locator('.record-verlauf ins').allInnerTexts()
    const from = (newest: number, oldest: number) =>
      Array.from({ length: newest - oldest + 1 }, (_, at) => `0351 ${100 + newest - at}`)
    await expect.poll(numbers).toEqual(from(45, 26))
    await page.getByRole('button', { name: 'Ältere Änderungen anzeigen' }).click()
    await expect.poll(numbers).toEqual(from(45, 6))
    await page.getByRole('button', { name: 'Ältere Änderungen anzeigen' }).click()
    await expect.poll(numbers).toEqual(from(45, 1))
    expect(await page.getByRole('button', { name: 'Ältere Änderungen anzeigen' }).count()).toBe(0)
  })

  test('headquarters and people of a customer', async () => {
    const page = await visit('ogf_admin', '/kunden/1?ansicht=forstbetriebe')
    await page.getByRole('cell', { name: / ha$/ }).first().waitFor()
    expect(await page.locator('tbody tr').count()).toBeGreaterThanOrEqual(5)
    await page.getByRole('tab', { name: 'Personen' }).click()
    await page.getByRole('cell', { name: 'Karl Kiefer' }).waitFor()
  })

  test('a customer’s admin changes the contact person and nothing else, and never sees another customer', async () => {
    const page = await visit('kundenadmin', '/kunde/index?ansicht=stammdaten')
    await page.getByText('Diese Angaben pflegen wir für Sie.').waitFor()
    expect(await page.getByRole('textbox').count()).toBe(3)
    await field(page, 'Telefon').fill('030 1234')
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await save(page)
    expect((await sent).postDataJSON()).toEqual({ ap_tel: '030 1234' })
    await saved(page)
    await page.getByRole('tab', { name: 'Personen' }).click()
    await page.getByRole('cell', { name: 'Karl Kiefer' }).waitFor()
    const token = await tokenOf(page)
    expect(
      (await call(house.app, token, '/rest/kunde?client_id=eq.1', { name: 'Meins' }, 'PATCH')).status,
    ).toBe(403)
    await page.goto('/kunde/index?kunde=2')
    await page.getByText('Kundennummer 1', { exact: true }).waitFor()
    await page.goto('/kunden/2')
    await page.waitForURL(/\/401/)
  })

  test('with several customers one chooses, and a foreign one is not there', async () => {
    const token = await tokenOf(await visit('admin', '/kunden/2'))
    const [karl] = (
      await call(house.app, token, '/rest/benutzer?last_name=eq.Kiefer&first_name=eq.Karl&select=user_id')
    ).json as {
      user_id: number
    }[]
    const link = { user_id: karl?.user_id, client_id: 2 }
    expect(
      (await call(house.app, token, '/rest/rpc/a_add_user_to_client', { ...link, kataster_enabled: false }))
        .status,
    ).toBeLessThan(300)
    try {
      expect(
        (await call(house.app, token, '/rest/rpc/a_set_kunde_rolle', { ...link, rolle: 'kundenadmin' }))
          .status,
      ).toBeLessThan(300)
      const page = await visit('kundenadmin', '/kunde/index')
      await page.locator('.row-link').first().waitFor()
      expect(await page.locator('.row-link').count()).toBe(2)
      await page.locator('a[href="/kunde/index?kunde=2"]').click()
      await page.getByText('Kundennummer 2', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Alle Ihre Kunden' }).click()
      await page.locator('.row-link').first().waitFor()
      await page.goto('/kunde/index?kunde=3')
      await page.getByText('Diesen Kunden gibt es nicht').waitFor()
    } finally {
      expect((await call(house.app, token, '/rest/rpc/a_remove_user_from_client', link)).status).toBeLessThan(
        300,
      )
    }
  })

  test('open filters, dialogs and tabs are as usable for everybody as the plain pages', async () => {
    const page = await visit('ogf_admin', '/kunden/index?land=Bayern')
    await page.locator('.row-link').first().waitFor()
    await page.getByRole('button', { name: 'Filter (1)' }).click()
    await page.getByRole('button', { name: /^Bundesland: / }).click()
    expect(await brokenRules(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Kunde anlegen' }).click()
    await page.getByRole('button', { name: 'Anlegen', exact: true }).click()
    await field(page, 'PLZ').fill('01067')
    await page.getByRole('link', { name: /OpenStreetMap/ }).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Abbrechen' }).click()
    await page.getByRole('button', { name: 'Verwerfen' }).click()

    await page.goto('/kunden/26?ansicht=stammdaten')
    await field(page, 'Ort').fill('Meine Stadt')
    expect(
      (
        await call(
          house.app,
          await tokenOf(page),
          '/rest/kunde?client_id=eq.26',
          { ort: 'Ihre Stadt' },
          'PATCH',
        )
      ).status,
    ).toBeLessThan(300)
    await save(page)
    await page.getByRole('dialog', { name: 'Inzwischen geändert' }).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Überall die gespeicherten' }).click()
    await page.getByRole('button', { name: 'Auswahl speichern' }).click()
    await page.getByText('Es gab nichts zu speichern.').waitFor()
    for (const tab of ['Forstbetriebe', 'Personen', 'Verlauf']) {
      await page.getByRole('tab', { name: tab }).click()
      await page.locator('[aria-busy="true"], .skeleton').first().waitFor({ state: 'detached' })
      expect(await brokenRules(page), tab).toEqual([])
    }
  })

  test('on a narrow screen everything is reachable without the page scrolling sideways', async () => {
    const page = await visit('ogf_admin', '/kunden/1')
    for (const [width, path] of [
      [390, '/kunden/1'],
      [390, '/kunden/index?land=Bayern'],
      [768, '/kunden/1?ansicht=personen'],
    ] as const) {
      await page.setViewportSize({ width, height: 844 })
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('[aria-busy="true"], .skeleton').first().waitFor({ state: 'detached' })
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
        `${width} ${path}`,
      ).toBeLessThanOrEqual(0)
    }
  })
})
