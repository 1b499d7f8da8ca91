// Notes and files at records: a colleague is brought in and follows the notice; the customer reads what is
// marked; a file goes on after the line was cut, and after a reload.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { NOTE_TEXT_LENGTH } from '#contract/note.ts'
import { brokenRules } from './axe.ts'
import { emailOf, hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

/** The customer of appuser and appuser_admin. */
const KUNDE = 2

const pdf = (size: number): Buffer =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    Buffer.from(randomBytes(size).toString('hex')),
    Buffer.from('\n%%EOF'),
  ])

describe.skipIf(!hasBrowser())('notes', () => {
  const house = oneServer({ asked: /\/upload(?:\/[^ ]*)?\)$|ERR_FAILED|ERR_INTERNET_DISCONNECTED/ })
  const { visit } = house
  const firstId = async (page: Page, query: string): Promise<number> => {
    const { json } = await call(house.app, await tokenOf(page), `/rest/${query}&limit=1`)
    return Number(Object.values((json as Record<string, unknown>[])[0]!)[0])
  }
  const field = (page: Page): Locator => page.getByRole('textbox', { name: 'Neue Notiz' })
  const save = (page: Page) => page.getByRole('button', { name: 'Speichern', exact: true }).click()
  const noteWith = (page: Page, text: string) => page.locator('[data-note]').filter({ hasText: text })
  const nameOf = async (page: Page, email: string): Promise<string> => {
    const { json } = await call(
      house.app,
      await tokenOf(page),
      `/rest/benutzer?email=eq.${email}&select=first_name,last_name`,
    )
    const [person] = json as { first_name: string; last_name: string }[]
    return `${person!.first_name} ${person!.last_name}`
  }

  test('a colleague named with @ gets a notice that opens the note; nothing is told twice', async () => {
    const page = await visit('apus_admin', `/member-management/client/${KUNDE}?ansicht=notizen`)
    await page.getByText('Noch keine Notizen').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await save(page)
    await page.getByText('Bitte schreiben Sie etwas, oder hängen Sie eine Datei an.').waitFor()

    // A look at another tab takes neither text nor files.
    await field(page).fill('Entwurf')
    await page
      .locator('.note-drop input[type=file]')
      .setInputFiles({ name: 'Plan.pdf', mimeType: 'application/pdf', buffer: pdf(10) })
    await page.getByRole('tab', { name: 'Stammdaten' }).click()
    await page.getByRole('tabpanel', { name: 'Stammdaten' }).waitFor()
    expect(await page.getByRole('tabpanel').count()).toBe(1)
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('tab', { name: /^Notizen/ }).click()
    expect(await field(page).inputValue()).toBe('Entwurf')
    await page.getByRole('button', { name: 'Plan.pdf entfernen' }).click()
    await field(page).fill('')

    const colleague = await nameOf(page, emailOf('apus_team'))
    // Enter before the list fits what is typed: nobody of the earlier list is taken.
    const held = Promise.withResolvers<void>()
    await field(page).pressSequentially('@')
    const anybody = page.getByRole('listbox', { name: 'Personen' }).getByRole('option')
    await anybody.first().waitFor()
    await page.route('**/rpc/a_get_notiz_personen', async (route) => {
      await held.promise
      await route.continue()
    })
    await field(page).pressSequentially(colleague)
    await page.keyboard.press('Enter')
    expect(await field(page).inputValue()).toBe(`@${colleague}`)
    held.resolve()
    await expect.poll(() => field(page).inputValue()).toBe(`@${colleague} `)
    await page.unroute('**/rpc/a_get_notiz_personen')
    await field(page).fill('')
    await field(page).pressSequentially(`Bitte @${colleague.slice(0, 3).toLowerCase()}`)
    const option = page.getByRole('listbox', { name: 'Personen' }).getByRole('option', { name: colleague })
    await option.waitFor()
    expect(await brokenRules(page)).toEqual([])
    while ((await option.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await field(page).pressSequentially('die Akte prüfen.')
    expect(await field(page).inputValue()).toBe(`Bitte @${colleague} die Akte prüfen.`)
    await page.keyboard.press('Control+Enter')
    const note = noteWith(page, 'die Akte prüfen.')
    // On a busy machine the answer may take longer than the screen waits for it: trying again is harmless.
    const late = page.locator('.note-form .notice', { hasText: 'nicht rechtzeitig' })
    await note.or(late).first().waitFor({ timeout: 60_000 })
    if (await late.isVisible()) await save(page)
    await note.waitFor({ timeout: 60_000 })
    expect(await field(page).inputValue()).toBe('')
    await page.getByRole('tab', { name: 'Notizen 1' }).waitFor()

    // A change tells nobody a second time.
    await note.getByRole('button', { name: 'Bearbeiten' }).click()
    await page.getByRole('textbox', { name: 'Notiz ändern' }).press('End')
    await page.keyboard.type(' Danke!')
    await note.getByRole('button', { name: 'Speichern' }).click()
    await noteWith(page, 'Danke!').getByText('bearbeitet').waitFor()
    await page.getByRole('button', { name: 'Verlauf der Notizen' }).click()
    await page.locator('ins', { hasText: 'Danke!' }).waitFor()
    expect(await brokenRules(page)).toEqual([])

    const other = await visit('apus_team', '/karten/index')
    await other.getByRole('button', { name: 'Benachrichtigungen, 1 ungelesen' }).click()
    await other.getByRole('link', { name: /hat Sie erwähnt/ }).click()
    const wanted = other.locator('.note-wanted')
    await wanted.getByText('Danke!').waitFor()
    expect(new URL(other.url()).pathname).toBe(`/member-management/client/${KUNDE}`)
    // Another's note is read and not changed.
    await wanted.getByRole('button', { name: 'Bearbeiten' }).waitFor({ state: 'detached' })
    expect(await brokenRules(other)).toEqual([])
  })

  test('a customer sees only what is marked for them, and can load its file', async () => {
    const page = await visit('apus_team', '/karten/index')
    const karte = await firstId(page, `karte?client_id=eq.${KUNDE}&show_client=is.true&select=id`)
    await page.goto(`/karten/${karte}?ansicht=notizen`)
    // Pasted text that is too long is not cut, and not saved.
    await field(page).focus()
    await page.keyboard.insertText('x'.repeat(NOTE_TEXT_LENGTH + 20))
    await page.getByText(/ Zeichen, höchstens /).waitFor()
    await page.keyboard.press('Control+Enter')
    expect(await field(page).inputValue()).toHaveLength(NOTE_TEXT_LENGTH + 20)
    await field(page).fill('Nur für uns.')
    // What is typed while a note is saved is the next one.
    let letThrough = (): void => undefined
    const held = new Promise<void>((resolve) => {
      letThrough = resolve
    })
    await page.route(/a_add_notiz/, async (route) => {
      await held
      await route.continue()
    })
    await save(page)
    await field(page).press('End')
    await page.keyboard.type(' Und noch etwas')
    letThrough()
    await noteWith(page, 'Nur für uns.').waitFor()
    await expect.poll(() => field(page).inputValue()).toBe('Und noch etwas')
    await page.unroute(/a_add_notiz/)
    await field(page).fill('Für Sie zum Prüfen.')
    await page.getByLabel('Für den Kunden sichtbar').check()
    const bytes = pdf(2000)
    await page
      .locator('.note-drop input[type=file]')
      .setInputFiles({ name: 'Lageplan.pdf', mimeType: 'application/pdf', buffer: bytes })
    await page.getByRole('list', { name: 'Ausgewählte Dateien' }).getByText('Lageplan.pdf').waitFor()
    await save(page)
    const marked = noteWith(page, 'Für Sie zum Prüfen.')
    await marked.locator('.badge', { hasText: 'Für den Kunden sichtbar' }).waitFor()
    await marked.getByRole('button', { name: 'Lageplan.pdf', exact: true }).waitFor()
    expect(await brokenRules(page)).toEqual([])

    const own = await visit('appuser', `/karten/${karte}`)
    const seen = noteWith(own, 'Für Sie zum Prüfen.')
    await seen.waitFor()
    await own.getByRole('heading', { name: /^Notizen\s*1$/ }).waitFor()
    expect(await noteWith(own, 'Nur für uns.').count()).toBe(0)
    expect(await own.getByRole('textbox', { name: 'Neue Notiz' }).count()).toBe(0)
    const loading = own.waitForEvent('download')
    await seen.getByRole('button', { name: 'Lageplan.pdf' }).click()
    const download = await loading
    expect(download.suggestedFilename()).toBe('Lageplan.pdf')
    expect((await readFile(await download.path())).equals(bytes)).toBe(true)
    expect(await brokenRules(own)).toEqual([])

    // Taken back: gone for the customer.
    await marked.getByRole('button', { name: 'Bearbeiten' }).click()
    await marked.getByLabel('Für den Kunden sichtbar').uncheck()
    await marked.getByRole('button', { name: 'Speichern' }).click()
    await marked.locator('.badge').waitFor({ state: 'detached' })
    await marked.getByRole('button', { name: 'Bearbeiten' }).waitFor()
    await own.reload()
    await own.getByRole('heading', { level: 1 }).waitFor()
    await own.waitForLoadState('networkidle')
    expect(await noteWith(own, 'Für Sie zum Prüfen.').count()).toBe(0)
  })

  test('a note whose answers are lost on the way is there once', async () => {
    const page = await visit('apus_admin', `/member-management/client/${KUNDE + 1}?ansicht=notizen`)
    let losing = 3
    await page.route(/a_add_notiz/, async (route) => {
      losing -= 1
      if (losing < 0) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await field(page).fill('Einmal gesagt')
    await save(page)
    await page.locator('.note-form .notice', { hasText: 'nicht erreichbar' }).waitFor()
    expect(await field(page).inputValue()).toBe('Einmal gesagt')
    await save(page)
    await expect.poll(() => losing).toBe(-1)
    await page.reload()
    await noteWith(page, 'Einmal gesagt').first().waitFor()
    expect(await noteWith(page, 'Einmal gesagt').count()).toBe(1)
  })

  test('a file goes on where the line was cut, and after a reload with the same file', async () => {
    house.provokes(/^/)
    const page = await visit('apus_team', '/karten/index')
    const karte = await firstId(page, `karte?client_id=eq.${KUNDE}&select=id&order=id.desc`)
    await page.goto(`/karten/${karte}?ansicht=notizen`)
    const file = { name: 'Protokoll.pdf', mimeType: 'application/pdf', buffer: pdf(5 * 2 ** 20) }
    const choose = () => page.locator('.note-drop input[type=file]').setInputFiles(file)
    let pieces = 0
    let isCut = true
    await page.route('**/notizen/karte/*/upload/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      pieces += 1
      // The first piece arrives, then the line is gone.
      return isCut && pieces > 1 ? route.abort() : route.continue()
    })
    await choose()
    await save(page)
    await page.getByText(/^Verbindung unterbrochen bei/).waitFor()
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByText('Wählen Sie Protokoll.pdf noch einmal').waitFor()
    expect(await brokenRules(page)).toEqual([])
    isCut = false
    pieces = 0
    await choose()
    await save(page)
    await page.getByRole('button', { name: 'Protokoll.pdf', exact: true }).waitFor()
    // Ten megabytes are three pieces; one of them had arrived before.
    expect(pieces).toBe(2)
    await page.getByText('Ein Upload ist begonnen').waitFor({ state: 'detached' })

    // What is no document is refused with the reason, and a deleted note is gone.
    await page
      .locator('.note-drop input[type=file]')
      .setInputFiles({ name: 'Brief.pdf', mimeType: 'application/pdf', buffer: Buffer.from('MZ\u0000') })
    await save(page)
    await page.getByText(/^Diese Datei lässt sich nicht anhängen/).waitFor()
    await page.getByRole('button', { name: 'Brief.pdf ausblenden' }).click()
    await page.locator('[data-note]').getByRole('button', { name: 'Löschen', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Löschen' }).click()
    await page.getByText('Noch keine Notizen').waitFor()
  })
})
