// What can be transferred no more leaves the device as a file, and somebody else reads it in: each tree and photo is
// there once. A storage that the browser has emptied is said, with what was waiting.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { journeysBehindFront } from './behind-front.ts'
import { hasBrowser, signIn } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { folderMaker } from './folders.ts'

const PHONE = {
  viewport: { width: 390, height: 844 },
  serviceWorkers: 'allow',
  permissions: ['geolocation'],
} satisfies BrowserContextOptions

describe.skipIf(!hasBrowser())('what waits on a device', () => {
  const home = journeysBehindFront()
  const folder = folderMaker()

  test('saved as a file and read in twice, it is there once; an emptied storage is said', async () => {
    const visitor = await home.window(PHONE)
    const { context, page } = visitor
    await signIn(visitor, home.app, 'ogf_fb_admin', '/feld', { signInAgain: true })
    await page.getByRole('button', { name: 'Auf diesem Gerät speichern' }).click()
    await page.getByText(/liegt jetzt auf diesem Gerät/).waitFor({ timeout: 120_000 })
    const token = await tokenOf(page)
    const rows = async (path: string) =>
      (await call(home.app, token, `/rest/${path}`)).json as Record<string, unknown>[]
    const [sample] = await rows('habitatbaeume?select=lon,lat&limit=1')
    home.front.cut(true)
    await context.setGeolocation({
      longitude: Number(sample!['lon']),
      latitude: Number(sample!['lat']) + 0.0001,
      accuracy: 4,
    })
    const picture = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#563' } })
      .jpeg()
      .toBuffer()
    await page.getByRole('link', { name: /^Erfassen/ }).click()
    for (const number of ['RETTUNG 1', 'RETTUNG 2']) {
      await page.getByText('± 4,0 m').waitFor()
      await page.getByText('Rotbuche', { exact: true }).first().click()
      await page.getByRole('textbox', { name: 'Nummer' }).fill(number)
      if (number === 'RETTUNG 1') {
        await page
          .locator('input[capture]')
          .setInputFiles({ name: 'Stamm.jpg', mimeType: 'image/jpeg', buffer: picture })
        await page.getByRole('img', { name: 'Foto 1' }).waitFor()
      }
      await page.getByRole('button', { name: 'Speichern und nächster' }).click()
      await page.getByText(`${number} · Rotbuche ist auf diesem Gerät gespeichert.`).waitFor()
    }
    await page.getByRole('link', { name: /^Übertragen/ }).click()
    await page.getByText('Als Datei sichern').click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Datei sichern' }).click()
    const bytes = await readFile((await (await download).path())!)

    // The browser empties the storage.
    await page.goto('about:blank')
    await page.close()
    home.front.cut(false)
    const after = await context.newPage()
    await after.goto('/healthz')
    await after.evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          const asked = indexedDB.deleteDatabase('forstkontor-feld')
          asked.addEventListener('success', () => resolve())
          asked.addEventListener('error', () => reject(asked.error))
        }),
    )
    await after.goto('/feld')
    await after.getByText('Der Browser hat den Speicher dieses Geräts geleert').waitFor()
    await after.getByText(/warteten hier 2 Erfassungen, 1 Foto, die nicht übertragen waren/).waitFor()
    expect(await brokenRules(after)).toEqual([])
    await after.getByRole('button', { name: 'Verstanden' }).click()
    await after.reload()
    await after.getByRole('heading', { name: 'Forstbetrieb mitnehmen' }).waitFor()
    expect(await after.getByText('Der Browser hat den Speicher').count()).toBe(0)
    await after.close()

    const office = await home.window({ viewport: { width: 1360, height: 900 } })
    await signIn(office, home.app, 'ogf_admin', '/habitatbaeume/feldsicherung')
    const file = join(folder(), 'Sicherung.zip')
    await writeFile(file, bytes)
    const readIn = async (desk: Page, state: string) => {
      await desk.locator('input[type=file]').setInputFiles(file)
      await desk.getByText('2 Bäume, 1 Foto').first().waitFor()
      expect(await desk.getByRole('row', { name: /RETTUNG/ }).count()).toBe(2)
      expect(await desk.getByRole('cell', { name: state, exact: true }).count()).toBe(2)
      expect(await brokenRules(desk)).toEqual([])
      await desk.getByRole('button', { name: 'Einlesen' }).click()
      await desk.getByText(/2 Bäume, 1 Foto sind jetzt beim Server oder waren es schon/).waitFor()
    }
    await readIn(office.page, 'wird angelegt')
    await office.page.goto('/habitatbaeume/feldsicherung')
    await readIn(office.page, 'schon da')
    const trees = await rows('habitatbaeume?select=id,nummer&nummer=like.RETTUNG*&order=nummer')
    expect(trees.map(({ nummer }) => nummer)).toEqual(['RETTUNG 1', 'RETTUNG 2'])
    expect(await rows(`habitatbilder?select=id&habitat_id=eq.${String(trees[0]!['id'])}`)).toHaveLength(1)
    // Nothing of it stays in the browser.
    await office.page.goto('/habitatbaeume/index')
    await expect
      .poll(() => office.page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)))
      .not.toContainEqual(expect.stringContaining('feldsicherung'))
    // Another file says what is wrong.
    await office.page.goto('/habitatbaeume/feldsicherung')
    await office.page
      .locator('input[type=file]')
      .setInputFiles({ name: 'x.zip', mimeType: 'application/zip', buffer: picture })
    await office.page.getByText(/Das ist keine ZIP-Datei/).waitFor()
  }, 240_000)
})
