// Two people at the same manhole without network, each with a phone: photos and different attributes of both, a
// lost answer, a window that closes; in the end every photo is there once, the office sees them, and a rescue file
// holds what waits.
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { VermessungsObject } from '#contract/vermessung.ts'
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
const LOST_PHOTO = /^PATCH .*\/vermessungsobjekt\/.*\/upload\//

interface Photo {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
  readonly sha256: string
}
async function photo(nr: number): Promise<Photo> {
  const picture = await sharp({
    create: { width: 900, height: 700, channels: 3, background: `rgb(60, ${30 * nr}, 120)` },
  })
    .jpeg()
    .toBuffer()
  const buffer = Buffer.concat([picture, Buffer.from(`\nschacht ${nr}`)])
  return {
    name: `Schacht ${nr}.jpg`,
    mimeType: 'image/jpeg',
    buffer,
    sha256: createHash('sha256').update(buffer).digest('hex'),
  }
}

describe.skipIf(!hasBrowser())('photos of survey objects in the field', () => {
  const home = journeysBehindFront()
  const folder = folderMaker()

  test('two phones at one manhole: each photo is there once; the office sees them; the rescue file too', async () => {
    const phones = [await home.window(PHONE), await home.window(PHONE)]
    const [first, admin] = phones as [(typeof phones)[0], (typeof phones)[0]]
    const team = { context: first.context, page: first.page }
    await signIn(first, home.app, 'apus_team', '/feld', { signInAgain: true })
    await signIn(admin, home.app, 'apus_admin', '/feld', { signInAgain: true })
    const token = await tokenOf(team.page)
    const rows = async <T = VermessungsObject>(path: string) =>
      (await call(home.app, token, `/rest/${path}`)).json as T[]
    const [manhole] = await rows('schacht?order=id&limit=1')
    const { client_id: kunde, kennung, id } = manhole!
    const [{ name }] = (await rows<{ name: string }>(`kunde?select=name&client_id=eq.${kunde}`)) as [
      { name: string },
    ]
    const before = (await rows(`vermessungsbilder?select=id&objekt=eq.${kennung}`)).length
    for (const { page } of phones) {
      await page.getByRole('combobox', { name: 'Kunde' }).fill(name)
      await page.getByRole('option', { name }).first().click()
      await page.getByRole('button', { name: 'Auf diesem Gerät speichern' }).click()
      await page.getByText(/liegt jetzt auf diesem Gerät/).waitFor({ timeout: 120_000 })
    }
    const offline = async (on: boolean) => {
      for (const { context } of phones) await home.offline(context, on)
    }
    const taken = await Promise.all([1, 2, 3, 4, 5, 6].map(photo))
    const take = async (page: Page, one: Photo, nth: number) => {
      await page.locator('input[capture]').setInputFiles(one)
      await page.getByRole('img', { name: `Foto ${nth}` }).waitFor()
    }
    const change = async (page: Page, field: string, value: string) => {
      await page.getByRole('button', { name: 'Ändern' }).click()
      await page.getByRole('textbox', { name: field }).fill(value)
      await page.getByRole('button', { name: 'Speichern', exact: true }).click()
      await page.getByText(/ist auf diesem Gerät gespeichert/).waitFor()
    }
    const looksRight = async (page: Page) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        expect(await brokenRules(page), colorScheme).toEqual([])
      }
      await page.emulateMedia({ colorScheme: 'light' })
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        'nothing sticks out',
      ).toBeLessThanOrEqual(0)
    }

    await offline(true)
    // The same manhole on both: photos, and another attribute each.
    for (const { page } of phones) await page.goto(`/feld/objekt/${kennung}`)
    await take(team.page, taken[0]!, 1)
    await take(team.page, taken[1]!, 2)
    await looksRight(team.page)
    await change(team.page, 'Material', 'Gusseisen')
    await take(admin.page, taken[2]!, 1)
    await change(admin.page, 'Zustand', 'Deckel fehlt')
    // A new one with a photo, taken before anything is typed; the window closes.
    await team.context.setGeolocation({ latitude: 53.41, longitude: 13.11, accuracy: 0.4 })
    await team.page.goto('/feld/neu')
    await team.page.getByText('± 40 cm').waitFor()
    await take(team.page, taken[3]!, 1)
    await team.page.getByText('Entwurf auf diesem Gerät gesichert').waitFor()
    await team.page.close()
    team.page = await team.context.newPage()
    await team.page.goto('/feld/neu')
    await team.page.getByText('Begonnene Erfassung', { exact: true }).waitFor()
    await team.page.getByRole('img', { name: 'Foto 1' }).waitFor()
    await looksRight(team.page)
    await team.page.getByRole('textbox', { name: 'Kennung' }).fill('FOTO S1')
    await team.page.getByRole('button', { name: 'Speichern', exact: true }).click()
    await team.page.getByRole('heading', { name: 'Schacht FOTO S1' }).waitFor()
    await team.page.getByRole('link', { name: /^Übertragen/ }).click()
    await team.page.getByText(/^2 Objekte · 3 Fotos, /).waitFor()
    await looksRight(team.page)

    // An answer is lost, and the line with it.
    home.front.cutAtAnswer(LOST_PHOTO)
    await offline(false)
    const there = async () => {
      const all = taken.map(({ sha256 }) => sha256).join(',')
      return rows<{ sha256: string; objekt: string }>(
        `vermessungsbilder?select=sha256,objekt&sha256=in.(${all})`,
      )
    }
    await expect.poll(async () => (await there()).length, { timeout: 60_000 }).toBeGreaterThan(0)
    await offline(true)
    await offline(false)
    for (const page of [team.page, admin.page]) {
      await page.goto('/feld/uebertragen')
      await page.getByText('Alles ist übertragen').waitFor({ timeout: 90_000 })
    }
    const found = await there()
    expect(found.map(({ sha256 }) => sha256).toSorted()).toEqual(
      taken
        .slice(0, 4)
        .map(({ sha256 }) => sha256)
        .toSorted(),
    )
    expect(found.filter(({ objekt }) => objekt === kennung)).toHaveLength(3)
    expect((await rows(`schacht?id=eq.${id}`))[0]).toMatchObject({
      material: 'Gusseisen',
      zustand: 'Deckel fehlt',
    })

    // The office sees what both have done.
    const office = await home.window({ viewport: { width: 1440, height: 900 } })
    await signIn(office, home.app, 'apus_admin', `/kataster/objekt/schacht.${id}`)
    await office.page.getByRole('heading', { name: `Fotos (${before + 3})` }).waitFor({ timeout: 30_000 })
    await office.page.getByRole('tab', { name: 'Verlauf' }).click()
    await office.page.getByText('Foto hinzugefügt').first().waitFor()
    await office.page.getByText('Deckel fehlt').first().waitFor()

    // The device counts its own. What waits leaves it as a file, is read in at the desk, and the device has
    // nothing to send any more.
    await offline(true)
    await team.page.goto(`/feld/objekt/${kennung}`)
    await team.page.getByText('2 auf dem Server').waitFor()
    await take(team.page, taken[4]!, 1)
    await team.page.getByRole('link', { name: /^Übertragen/ }).click()
    await team.page.getByText(/^1 Foto, /).waitFor()
    await team.page.getByText('Als Datei sichern').click()
    const download = team.page.waitForEvent('download')
    await team.page.getByRole('button', { name: 'Datei sichern' }).click()
    const file = join(folder(), 'Sicherung.zip')
    await writeFile(file, await readFile((await (await download).path())!))
    await home.offline(office.context, false)
    await office.page.goto('/habitatbaeume/feldsicherung')
    await office.page.locator('input[type=file]').setInputFiles(file)
    await office.page.getByRole('button', { name: 'Einlesen' }).click()
    await office.page.getByText(/1 Foto sind jetzt beim Server oder waren es schon/).waitFor()
    await offline(false)
    await team.page.getByText('Alles ist übertragen').waitFor({ timeout: 60_000 })
    expect((await there()).length).toBe(5)
  }, 300_000)
})
