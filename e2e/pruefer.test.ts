// An auditor: apus_admin lets a person audit until a day; the auditor reads invoices, offers and the log, finds
// no button that would be refused, and reads nothing more once the audit has ended.
import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { emailOf, hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

const WRITES = new RegExp(
  [
    'stornieren|archivieren|archiv$|versenden|senden|kopie|eintragen|zurück(?:nehmen|ziehen)',
    'neue|bearbeiten|löschen|schreiben|notiz|link',
  ].join('|'),
  'i',
)

describe.skipIf(!hasBrowser())('an auditor', () => {
  // A day in the past, and the archive after the end.
  const house = oneServer({ asked: /status of 40[03]/ })
  const { visit } = house
  const rows = async (page: Page, address: string) =>
    (await call(house.app, await tokenOf(page), `/rest/${address}`)).json as Record<string, unknown>[]
  const buttons = (page: Page) => page.getByRole('main').getByRole('button').allInnerTexts()

  test('starts at the audit and finds the books alone in the menu', async () => {
    const page = await visit('pruefer', '/')
    await page.waitForURL('**/buchhaltung/pruefung')
    await page.getByRole('tab', { name: 'Protokoll' }).waitFor()
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Prüfung', 'Protokoll'])
    const menu = page.getByRole('navigation').first()
    expect(
      (await menu.getByRole('link').allInnerTexts()).filter((text) => text.trim() !== '').toSorted(),
    ).toEqual(['Angebote', 'DATEV und Prüfung', 'Eingang', 'Offene Posten', 'Rechnungen', 'Umsatzsteuer'])
  })

  test.each([
    ['rechnung', '/buchhaltung/rechnungen'],
    ['angebot', '/buchhaltung/angebote'],
  ])('reads each %s without a button that would be refused', async (kind, list) => {
    const page = await visit('pruefer', list)
    await page.locator('.row-link').first().waitFor()
    expect((await buttons(page)).filter((name) => WRITES.test(name))).toEqual([])
    const states = new Map(
      (await rows(page, `${kind}_liste?select=id,stand,kunde&order=id&limit=500`)).map(
        ({ id, stand, kunde }) => [String(stand), { id: String(id), kunde: String(kunde) }],
      ),
    )
    expect([...states.keys()]).not.toContain('entwurf')
    expect(states.size).toBeGreaterThan(1)
    for (const [stand, { id, kunde }] of states) {
      await page.goto(`${list}/${kind}/${id}`)
      await page.getByRole('heading', { name: 'Verlauf' }).waitFor()
      await page.waitForLoadState('networkidle')
      expect(
        (await buttons(page)).filter((name) => WRITES.test(name)),
        `${kind} ${stand}`,
      ).toEqual([])
      expect(await page.getByRole('main').locator('a[href^="/member-management"]').count()).toBe(0)
      await page.getByRole('main').getByText(kunde).first().waitFor()
      expect(await page.locator('main .state[role="alert"]').allInnerTexts(), `${kind} ${stand}`).toEqual([])
    }
    expect(await brokenRules(page)).toEqual([])
  })

  test('reads whether the books fit what was noted of them outside the database', async () => {
    const page = await visit('pruefer', '/buchhaltung/pruefung')
    // The first one is set a few seconds after the start.
    const answer = async () =>
      (await call(house.app, await tokenOf(page), '/prod-api/pruefung/anker')).json as { anker: number }
    await expect.poll(async () => (await answer()).anker, { timeout: 60_000 }).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Neu vergleichen' }).click()
    await page.getByText('Die Bücher passen zu ihren Ankern').waitFor()
    await page.getByText('Abdruck des Schlüssels').waitFor()
    expect(await brokenRules(page)).toEqual([])
    // A line that somebody wrote without the key.
    const file = join(house.app.dataDir, 'anker', 'buecher.jsonl')
    const [line = ''] = readFileSync(file, 'utf8').split('\n')
    appendFileSync(file, `${line.replace('"nr":', '"nr":9')}\n`)
    await page.getByRole('button', { name: 'Neu vergleichen' }).click()
    await page.getByText('Die Bücher passen nicht zu ihren Ankern').waitFor()
    await page.getByText('Die Signatur gilt nicht').waitFor()
    expect(await brokenRules(page)).toEqual([])
  })

  test('takes an archive along that proves itself without the product', async () => {
    const page = await visit('pruefer', '/buchhaltung/pruefung')
    const headers = { authorization: `Bearer ${await tokenOf(page)}` }
    for (const period of ['2026-01-01_2026-12-31', '2025-01-01_2025-12-31', '2000-01-01_2100-12-31']) {
      const archive = await fetch(`${house.app.origin}/prod-api/pruefung/${period}.zip`, { headers })
      const file = join(house.app.dataDir, `${period}.zip`)
      writeFileSync(file, Buffer.from(await archive.arrayBuffer()))
      const { stdout, status } = spawnSync(process.execPath, ['scripts/verify-archive.mjs', file], {
        encoding: 'utf8',
      })
      expect([period, status, stdout]).toEqual([period, 0, expect.stringContaining('In Ordnung')])
      expect(stdout).toMatch(/[1-9]\d* Tabellenzeilen/)
    }
  })

  test('is made by apus_admin until a day, and ended', async () => {
    const page = await visit('apus_admin', '/member-management/users')
    const [person] = await rows(page, `benutzer?email=eq.${encodeURIComponent(emailOf('ogf_init'))}`)
    await page.goto(`/member-management/users/${String(person?.['user_id'])}`)
    const year = new Date().getFullYear() + 1
    const day = page.getByRole('textbox', { name: 'Liest die Buchhaltung bis' })
    await day.fill('1.2.2020')
    await page.getByRole('button', { name: 'Prüfung erlauben' }).click()
    await page.getByText('Bitte wählen Sie einen Tag von heute an, höchstens zwei Jahre voraus.').waitFor()
    await day.fill(`31.1.${year}`)
    await page.getByRole('button', { name: 'Prüfung erlauben' }).click()
    await page.getByRole('button', { name: 'Erlauben', exact: true }).click()
    await page.getByText(`Prüft bis 31.01.${year}`).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('tab', { name: 'Verlauf' }).click()
    await page.getByText('Prüft die Buchhaltung bis').first().waitFor()
    await page.getByRole('tab', { name: 'Person' }).click()
    await page.getByRole('button', { name: 'Prüfung beenden' }).click()
    await page.getByRole('button', { name: 'Beenden', exact: true }).click()
    await page.getByText(`Prüft bis 31.01.${year}`).waitFor({ state: 'detached' })
    expect(
      (await rows(page, 'protokoll?gegenstand=eq.pruefer&order=nr&select=ereignis'))
        .map(({ ereignis }) => ereignis)
        .slice(0, 2),
    ).toEqual(['erteilt', 'beendet'])
  })

  test('reads nothing more with the next request after the end', async () => {
    const page = await visit('pruefer', '/buchhaltung/rechnungen')
    await page.locator('.row-link').first().waitFor()
    const clerk = await visit('apus_admin', '/dashboard')
    const [person] = await rows(clerk, `benutzer?email=eq.${encodeURIComponent(emailOf('pruefer'))}`)
    const { status } = await call(house.app, await tokenOf(clerk), '/rest/rpc/a_set_pruefer', {
      user_id: person?.['user_id'],
      bis: null,
    })
    expect(status).toBeLessThan(300)
    expect(await rows(page, 'rechnung_liste?limit=5')).toEqual([])
    const archive = await fetch(`${house.app.origin}/prod-api/pruefung/2026-01-01_2026-12-31.zip`, {
      headers: { authorization: `Bearer ${await tokenOf(page)}` },
    })
    expect(archive.status).toBe(403)
    await page.goto('/buchhaltung/rechnungen')
    await page.waitForURL(/\/401/)
  })
})
