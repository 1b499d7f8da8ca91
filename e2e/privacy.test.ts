// Personal data: disclosed, deleted, blocked, and recorded; and a copy of the own data on the profile page.
import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { PrivacyDisclosure } from '#contract/privacy.ts'
import { brokenRules } from './axe.ts'
import { emailOf, hasBrowser, signIn } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

/** A file of a ZIP archive, found through its directory. */
function unpack(archive: Buffer, wanted: string): string {
  let at = archive.readUInt32LE(archive.length - 22 + 16)
  for (let left = archive.readUInt16LE(archive.length - 22 + 10); left > 0; left--) {
    const [squeezed, named, extra, comment, from] = [
      archive.readUInt32LE(at + 20),
      archive.readUInt16LE(at + 28),
      archive.readUInt16LE(at + 30),
      archive.readUInt16LE(at + 32),
      archive.readUInt32LE(at + 42),
    ]
    if (archive.subarray(at + 46, at + 46 + named).toString() === wanted) {
      const begin = from + 30 + archive.readUInt16LE(from + 26) + archive.readUInt16LE(from + 28)
      return inflateRawSync(archive.subarray(begin, begin + squeezed)).toString()
    }
    at += 46 + named + extra + comment
  }
  throw new Error(`${wanted} is not in the archive`)
}

describe.skipIf(!hasBrowser())('data protection', () => {
  const house = oneServer({
    // The browser logs the provoked refusal (403) and the 401 of the deleted person's open page.
    asked: /status of 40[13]/,
  })
  const visit = async (
    role: Parameters<typeof signIn>[2],
    path = '/verwaltung/datenschutz',
  ): Promise<Page> => {
    const visitor = await house.visitor(role, path)
    return visitor.page
  }
  const downloaded = async (
    page: Page,
    name: string,
  ): Promise<{ copy: PrivacyDisclosure; html: string; file: string }> => {
    const loading = page.waitForEvent('download')
    await page.getByRole('button', { name }).click()
    const loaded = await loading
    const archive = readFileSync(await loaded.path())
    return {
      copy: JSON.parse(unpack(archive, 'daten.json')) as PrivacyDisclosure,
      html: unpack(archive, 'lesbar.html'),
      file: loaded.suggestedFilename(),
    }
  }

  test('a person is found, handed out and deleted by the typed address; the record names no name', async () => {
    const page = await visit('ogf_admin')
    const token = await tokenOf(page)
    const victim = await visit('ogf_standard', '/dashboard')
    const theirs = await tokenOf(victim)
    const mail = emailOf('ogf_standard')
    expect((await call(house.app, theirs, '/rest/rpc/a_get_currentuser', {})).status).toBe(200)

    await page.getByRole('searchbox', { name: 'Person suchen' }).fill(mail)
    await page.getByRole('list', { name: 'Gefunden' }).getByRole('button').first().click()
    await page.getByRole('heading', { name: mail }).waitFor()
    const id = new URL(page.url()).searchParams.get('nr') ?? ''
    await page.getByRole('rowheader', { name: 'Personendaten' }).waitFor()
    // The frame around the page has its own tests.
    expect(await brokenRules(page)).toEqual([])
    const { copy, html, file } = await downloaded(page, 'Auskunft herunterladen')
    expect(file).toMatch(new RegExp(`^Auskunft_Person_${id}_\\d{4}-\\d\\d-\\d\\d\\.zip$`))
    expect(copy).toMatchObject({ art: 'person', nummer: Number(id), name: mail })
    expect(html).toContain(mail)
    expect(JSON.stringify(copy)).not.toContain('argon2id')

    await page.getByRole('button', { name: 'Daten löschen' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Daten der Person löschen?' })
    await dialog.getByLabel('Zur Bestätigung die E-Mail-Adresse eingeben').fill('jemand@anders.example')
    await dialog.getByRole('button', { name: 'Endgültig löschen' }).click()
    await dialog.getByText('stimmt nicht mit').waitFor()
    await dialog.getByLabel('Zur Bestätigung die E-Mail-Adresse eingeben').fill(mail)
    await dialog.getByRole('button', { name: 'Endgültig löschen' }).click()
    await page.getByText('Die Daten wurden gelöscht.').waitFor()

    // Signed out immediately: the token no longer leads to a person.
    expect((await call(house.app, theirs, '/rest/rpc/a_get_currentuser', {})).status).toBe(401)
    // Nor does it create a new one.
    expect((await call(house.app, token, `/rest/benutzer?email=eq.${mail}`)).json).toEqual([])
    await page
      .getByRole('row')
      .filter({ hasText: `Person ${id}` })
      .filter({ hasText: 'Löschung' })
      .waitFor()
    const acts = (
      await call(house.app, token, `/rest/datenschutz_vorgang?person_id=eq.${id}&select=art&order=id`)
    ).json
    expect(acts).toEqual([{ art: 'auskunft' }, { art: 'loeschung' }])
    const row = (await call(house.app, token, `/rest/benutzer?user_id=eq.${id}`)).json
    expect(JSON.stringify(row)).not.toContain(mail)
    // The second time there is nothing left to delete.
    await page.goto(`/verwaltung/datenschutz?nr=${id}`)
    await page.getByText('wurden bereits gelöscht').waitFor()
    expect(await page.getByRole('button', { name: 'Daten löschen' }).isDisabled()).toBe(true)
    victim.removeAllListeners('console')
  })

  test('a customer with a running subscription is not deleted, one without is', async () => {
    const page = await visit('ogf_admin', '/verwaltung/datenschutz?wessen=kunde')
    const token = await tokenOf(page)
    const made = await call(house.app, token, '/rest/kunde', {
      name: 'Waldgut Vergessen',
      strasse: 'Weg 1',
      plz: '17033',
      ort: 'Neubrandenburg',
    })
    expect(made.status).toBe(201)
    await page.getByRole('searchbox', { name: 'Kunde suchen' }).fill('Waldgut Vergessen')
    await page.getByRole('button', { name: /Waldgut Vergessen/ }).click()
    await page.getByRole('button', { name: 'Daten löschen' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Kundendaten löschen?' })
    await dialog.getByLabel('Zur Bestätigung den Namen des Kunden eingeben').fill('Waldgut Vergessen')
    await dialog.getByRole('button', { name: 'Endgültig löschen' }).click()
    await page.getByText('Waldgut Vergessen: Die Daten wurden gelöscht.').waitFor()
    expect((await call(house.app, token, '/rest/kunde?name=eq.Waldgut%20Vergessen')).json).toEqual([])

    const running = (
      await call(
        house.app,
        token,
        '/rest/abo?select=client_id,ende&zustand=neq.beendet&order=ende.desc&limit=1',
      )
    ).json as {
      client_id: number
    }[]
    await page.goto(`/verwaltung/datenschutz?wessen=kunde&nr=${running[0]?.client_id}`)
    await page.getByText('laufen noch Abos').waitFor()
    expect(await page.getByRole('button', { name: /^Daten (?:löschen|sperren)$/ }).isDisabled()).toBe(true)
  })

  test('the drainage half’s admin is told who may hand out and delete a customer with forestry holdings', async () => {
    const page = await visit('apus_admin', '/verwaltung/datenschutz?wessen=kunde')
    const forest = await visit('ogf_admin')
    const [hq] = (await call(house.app, await tokenOf(forest), '/rest/hq?select=client_id&limit=1')).json as {
      client_id: number
    }[]
    await page.goto(`/verwaltung/datenschutz?wessen=kunde&nr=${hq?.client_id}`)
    await page.getByText('macht deshalb die Verwaltung der Forstsparte').waitFor()
    expect(await page.getByRole('button', { name: /herunterladen|löschen|sperren/ }).count()).toBe(0)
    const made = await call(house.app, await tokenOf(page), '/rest/kunde', {
      name: 'Nur Drän',
      strasse: 'Weg 1',
      plz: '17033',
      ort: 'Ort',
    })
    expect(made.status).toBe(201)
    await page.getByRole('searchbox', { name: 'Kunde suchen' }).fill('Nur Drän')
    await page.getByRole('button', { name: /Nur Drän/ }).click()
    await page.getByRole('button', { name: 'Auskunft herunterladen' }).waitFor()
  })

  test('nobody else gets in, and staff of the other half stay out of reach', async () => {
    const team = await visit('ogf_team', '/verwaltung/datenschutz')
    await team.waitForURL(/\/401/)
    const page = await visit('ogf_admin')
    const people = (
      await call(
        house.app,
        await tokenOf(page),
        `/rest/benutzer?select=user_id&email=eq.${emailOf('apus_admin')}`,
      )
    ).json as {
      user_id: number
    }[]
    await page.goto(`/verwaltung/datenschutz?nr=${people[0]?.user_id}`)
    await page.getByText('Nicht gefunden oder nicht erlaubt').waitFor()
    const token = await tokenOf(team)
    for (const name of ['a_get_datenschutz_vorschau', 'a_get_datenschutz_auskunft'])
      expect((await call(house.app, token, `/rest/rpc/${name}`, { art: 'person', id: 1 })).status).toBe(403)
  })

  test('everybody takes their own data along from the profile page', async () => {
    const page = await visit('appuser', '/profile/index')
    await page.getByRole('heading', { name: 'Meine Daten' }).waitFor()
    const { copy, html } = await downloaded(page, 'Meine Daten herunterladen')
    expect(copy.name).toBe(emailOf('appuser'))
    expect(copy.tabellen.find(({ tabelle }) => tabelle === 'app.benutzer')?.zeilen).toHaveLength(1)
    expect(html).toContain('Anmeldekonto')
    await page.getByText('Ihre Daten wurden heruntergeladen.').waitFor()
  })
})
