// Abbreviations: readers of maps look them up, the provider's admin maintains them.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { hasBrowser, signIn } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('abbreviations', () => {
  const house = oneServer({
    // The server refuses a duplicate with 409, which the browser logs.
    asked: /status of 409/,
  })
  const visit = async (role: Parameters<typeof signIn>[2], path = '/abkuerzungen/index'): Promise<Page> => {
    const visitor = await house.visitor(role, path)
    await visitor.page.getByRole('heading', { name: 'Abkürzungen', level: 1 }).waitFor()
    return visitor.page
  }

  test('a reader searches, jumps by letter, sees groups and takes the list along, but changes nothing', async () => {
    const page = await visit('appuser')
    await page.getByRole('rowheader', { name: 'Dränage', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Abkürzung anlegen' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: /bearbeiten$/ }).count()).toBe(0)
    await page.getByRole('searchbox').fill('Brusthöhe')
    await page.getByText('1 Treffer').waitFor()
    await page.getByText('Durchmesser eines Stammes in 1,3 m Höhe').waitFor()
    await page.getByRole('searchbox').fill('')
    const letters = page.getByRole('navigation', { name: 'Nach Anfangsbuchstaben' })
    await letters.getByRole('button', { name: 'K', exact: true }).click()
    await page.waitForURL(/anfang=K/)
    await page.getByText('Klimaangepasstes Waldmanagement').waitFor()
    expect(await page.getByText('Geländeoberkante').count()).toBe(0)
    expect(await letters.getByRole('button', { name: 'Y', exact: true }).isDisabled()).toBe(true)
    await page.reload()
    expect(await letters.getByRole('button', { name: 'K', exact: true }).getAttribute('aria-pressed')).toBe(
      'true',
    )
    await letters.getByRole('button', { name: 'K', exact: true }).click()
    await page.getByText('Geländeoberkante').waitFor()
    // The frame around the page has its own tests.
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Export' }).click()
    const loaded = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'CSV für Excel' }).click()
    const file = readFileSync(await (await loaded).path(), 'utf8')
    expect(file).toMatch(/Abkürzung.*Gruppe.*Bedeutung/)
    expect(file).toContain('KAWM')
  })

  test('the admin adds one, meets a duplicate and a conflict, deletes it and takes that back', async () => {
    const page = await visit('apus_admin')
    await page.getByRole('button', { name: 'Abkürzung anlegen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Abkürzung anlegen' })
    await dialog.getByRole('button', { name: 'Anlegen' }).click()
    expect(await dialog.getByText('Diese Angabe fehlt.').count()).toBe(3)
    await dialog.getByLabel('Abkürzung').fill('bhd')
    await dialog.getByLabel('Bedeutung').fill('Probe')
    await dialog.getByLabel('Gruppe').fill('Wald')
    await dialog.getByText('gibt es in dieser Gruppe schon').first().waitFor()
    await dialog.getByLabel('Abkürzung').fill('ZZTop')
    await page.keyboard.press('Escape')
    await page
      .getByRole('alertdialog', { name: 'Eingaben verwerfen?' })
      .getByRole('button', { name: 'Weiter bearbeiten' })
      .click()
    await dialog.getByRole('button', { name: 'Anlegen' }).click()
    await page.getByText('ZZTop wurde angelegt.').waitFor()

    await page.getByRole('button', { name: 'ZZTop bearbeiten' }).click()
    const editing = page.getByRole('dialog', { name: 'ZZTop bearbeiten' })
    await editing.getByLabel('Bedeutung').fill('Meine Fassung')
    const token = await tokenOf(page)
    await call(house.app, token, '/rest/abkuerzung?abk=eq.ZZTop', { bedeutung: 'Andere Fassung' }, 'PATCH')
    await editing.getByRole('button', { name: 'Speichern' }).click()
    await editing.getByText('Andere Fassung').waitFor()
    await editing.getByRole('button', { name: 'Meine Fassung speichern' }).click()
    await editing.waitFor({ state: 'hidden' })
    await page.getByText('Meine Fassung', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'ZZTop löschen' }).click()
    const confirm = page.getByRole('alertdialog', { name: 'Abkürzung löschen?' })
    await confirm.getByText('ZZTop: Meine Fassung').waitFor()
    await confirm.getByRole('button', { name: 'Löschen' }).click()
    await page.getByText('ZZTop wurde gelöscht.').waitFor()
    expect((await call(house.app, token, '/rest/abkuerzung?abk=eq.ZZTop')).json).toEqual([])
    await page.getByRole('button', { name: 'Rückgängig machen' }).click()
    await page.getByText('ZZTop ist wieder da.').waitFor()
    expect((await call(house.app, token, '/rest/abkuerzung?abk=eq.ZZTop')).json).toMatchObject([
      { bedeutung: 'Meine Fassung' },
    ])
    expect(
      (await call(house.app, token, '/rest/verlauf?tabelle=eq.abkuerzung&select=aktion')).json,
    ).toHaveLength(5)
  })

  test('a newcomer learns none, and nobody else writes', async () => {
    const reader = await visit('appuser')
    const token = await tokenOf(reader)
    await call(house.app, token, '/rest/abkuerzung?abk=eq.BHD', { bedeutung: 'x' }, 'PATCH')
    expect((await call(house.app, token, '/rest/abkuerzung?abk=eq.BHD&bedeutung=eq.x')).json).toEqual([])
    expect(
      (await call(house.app, token, '/rest/abkuerzung', { abk: 'x', bedeutung: 'x', gruppe: 'x' })).status,
    ).toBe(403)
  })
})
