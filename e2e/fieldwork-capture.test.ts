// Offline capture in a real browser: trees with photos, a window that closes in the middle of a form, a line
// that breaks after the server has done its work; in the end each tree and each photo exists once. Then two
// people change the same tree, and the person decides.
import { createHash } from 'node:crypto'
import type { BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Habitatbaum } from '#contract/habitat.ts'
import { journeysBehindFront } from './behind-front.ts'
import { brokenRules } from './axe.ts'
import { hasBrowser, signIn } from './browser.ts'
import { call, tokenOf } from './calls.ts'

const PHONE = {
  viewport: { width: 390, height: 844 },
  serviceWorkers: 'allow',
  permissions: ['geolocation'],
} satisfies BrowserContextOptions
const LOST_SYNC = /^POST .*__o_sync_habitatbaeume/
const LOST_PHOTO = /^PATCH .*\/upload\//

interface Photo {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}
/** A photo with unique bytes. */
async function photo(nr: number): Promise<Photo & { readonly sha256: string }> {
  const picture = await sharp({
    create: { width: 900, height: 700, channels: 3, background: `rgb(${40 * nr}, 120, 60)` },
  })
    .jpeg()
    .toBuffer()
  const buffer = Buffer.concat([picture, Buffer.from(`\nfoto ${nr}`)])
  return {
    name: `Stamm ${nr}.jpg`,
    mimeType: 'image/jpeg',
    buffer,
    sha256: createHash('sha256').update(buffer).digest('hex'),
  }
}

describe.skipIf(!hasBrowser())('capture in the field', () => {
  const home = journeysBehindFront()
  let token: string
  const treeRows = async (query: string): Promise<Habitatbaum[]> =>
    (await call(home.app, token, `/rest/habitatbaeume?${query}&order=id`)).json as Habitatbaum[]

  test('three trees with photos, a closed window, two cuts: each is there once; then two change one tree', async () => {
    const visitor = await home.window(PHONE)
    const { context } = visitor
    await signIn(visitor, home.app, 'ogf_fb_admin', '/feld', { signInAgain: true })
    let { page } = visitor
    await page.getByRole('button', { name: 'Auf diesem Gerät speichern' }).click()
    // The worker keeps the whole application meanwhile.
    await page.getByText(/liegt jetzt auf diesem Gerät/).waitFor({ timeout: 120_000 })
    token = await tokenOf(page)
    const [sample] = await treeRows('select=lon,lat,idHQ&limit=1')
    const { lon, lat } = sample!
    const before = (await treeRows('select=id')).length
    const photoList = await Promise.all([1, 2, 3, 4].map(photo))

    const offline = (on: boolean) => home.offline(context, on)
    const open = async (path: string): Promise<Page> => {
      await page.close()
      page = await context.newPage()
      await page.goto(path)
      return page
    }
    const link = (name: RegExp) =>
      page.getByRole('navigation', { name: 'Feldmodus' }).getByRole('link', { name })
    const number = page.getByRole('textbox', { name: 'Nummer' })
    const take = async (one: Photo, nth: number) => {
      await page.locator('input[capture]').setInputFiles(one)
      await page.getByRole('img', { name: `Foto ${nth}` }).waitFor()
    }

    await offline(true)
    await context.setGeolocation({ longitude: lon, latitude: lat + 0.0002, accuracy: 4.2 })
    await link(/^Erfassen/).click()
    // Missing input is reported at its field, and nothing is saved.
    await page.getByText('± 4,2 m').waitFor()
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    await page.getByText('Bitte wählen Sie die Baumart.').waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await brokenRules(page), colorScheme).toEqual([])
    }
    await page.getByText('Rotbuche', { exact: true }).first().click()
    await page.getByRole('textbox', { name: 'BHD' }).fill('62,5')
    await number.fill('FELD 1')
    await page.getByText('Plakette', { exact: true }).click()
    await take(photoList[0]!, 1)
    await page
      .locator('input[capture]')
      .setInputFiles({ name: 'Brief.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<html>') })
    await page.getByText('Brief.jpg ist kein Foto, das sich verwenden lässt: JPEG, PNG oder WebP.').waitFor()
    // Saved while the photo is still being read.
    await page.locator('input[capture]').setInputFiles(photoList[1]!)
    await page.getByRole('button', { name: 'Speichern und nächster' }).click()
    await page.getByText('FELD 1 · Rotbuche ist auf diesem Gerät gespeichert.').waitFor()

    // The next tree takes over the last marking; its window closes before it is saved.
    await expect.poll(() => number.inputValue()).toBe('')
    await page.getByText('± 4,2 m').waitFor()
    expect(await page.getByRole('radio', { name: 'Plakette' }).isChecked()).toBe(true)
    await number.fill('FELD 2')
    await page.getByText('Rotbuche', { exact: true }).first().click()
    await take(photoList[2]!, 1)
    await page.getByRole('textbox', { name: 'Bemerkung' }).fill('Höhle nach Süden')
    await page.getByText('Entwurf auf diesem Gerät gesichert').waitFor()
    await open('/feld/neu')
    await page.getByText('Begonnene Erfassung', { exact: true }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Nummer' }).inputValue()).toBe('FELD 2')
    expect(await page.getByRole('textbox', { name: 'Bemerkung' }).inputValue()).toBe('Höhle nach Süden')
    await page.getByRole('img', { name: 'Foto 1' }).waitFor()
    await page.getByRole('button', { name: 'Speichern und nächster' }).click()
    await page.getByText('FELD 2 · Rotbuche ist auf diesem Gerät gespeichert.').waitFor()

    // Without a fix, the tree is placed on the map; nothing is ever stored at 0/0.
    await context.setGeolocation({ longitude: 0, latitude: 0, accuracy: 5 })
    await open('/feld/neu')
    await page.getByRole('textbox', { name: 'Nummer' }).fill('FELD 3')
    await page.getByText('Rotbuche', { exact: true }).first().click()
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    await page
      .getByText(
        'Ohne Position lässt sich der Baum nicht speichern. Messen Sie, oder setzen Sie ihn auf der Karte.',
      )
      .waitFor()
    await page.getByRole('button', { name: 'Auf der Karte' }).click()
    const map = page.getByRole('dialog', { name: 'Lage auf der Karte' })
    await map.locator('canvas').first().waitFor()
    await map.getByRole('button', { name: 'Hierher setzen' }).click()
    await page.locator('input[multiple]').setInputFiles([photoList[3]!])
    await page.getByRole('img', { name: 'Foto 1' }).waitFor()
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    await page.getByRole('heading', { name: 'FELD 3 · Rotbuche' }).waitFor()
    await page.getByText('wartet auf Übertragung').waitFor()
    await link(/^Übertragen/).click()
    await page.getByText(/^3 Bäume · 4 Fotos, /).waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await brokenRules(page), colorScheme).toEqual([])
    }
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      'nothing sticks out',
    ).toBeLessThanOrEqual(0)
    expect(await treeRows('nummer=like.FELD*')).toEqual([])
    // The last-resort export needs no network.
    await page.getByText('Als Datei sichern').click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Datei sichern' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^Forstkontor-Feld_.+\.zip$/)

    // The trees arrive, but the answer is lost; the window closes.
    home.front.cutAtAnswer(LOST_SYNC)
    await offline(false)
    await expect.poll(async () => (await treeRows('nummer=like.FELD*')).length, { timeout: 40_000 }).toBe(3)
    await offline(true)
    await open('/feld/uebertragen')
    await page.getByText(/^3 Bäume · 4 Fotos, /).waitFor()
    // A photo arrives, but the answer is lost; the window closes.
    home.front.cutAtAnswer(LOST_PHOTO)
    await offline(false)
    const photos = async () =>
      (
        await call(
          home.app,
          token,
          `/rest/habitatbilder?select=sha256,habitat_id&sha256=in.(${photoList.map(({ sha256 }) => sha256).join(',')})`,
        )
      ).json as {
        sha256: string
        habitat_id: number
      }[]
    await expect.poll(async () => (await photos()).length, { timeout: 40_000 }).toBeGreaterThan(0)
    await offline(true)
    await open('/feld/uebertragen')
    await page
      .getByText(/Fotos?, /)
      .first()
      .waitFor()
    await offline(false)
    await page.getByText('Alles ist übertragen').waitFor({ timeout: 60_000 })

    const trees = await treeRows('nummer=like.FELD*')
    expect(trees.map(({ nummer, version }) => [nummer, version])).toEqual([
      ['FELD 1', 1],
      ['FELD 2', 1],
      ['FELD 3', 1],
    ])
    expect((await treeRows('select=id')).length).toBe(before + 3)
    expect(trees[0]).toMatchObject({
      bhd_cm: 62.5,
      lage_methode: 'gnss',
      genauigkeit_m: 4.2,
      lon,
      markierung_art: 'plakette',
    })
    expect(trees[1]).toMatchObject({ bemerkung: 'Höhle nach Süden', markierung_art: 'plakette' })
    expect(trees[2]).toMatchObject({ lage_methode: 'karte', genauigkeit_m: null })
    const there = await photos()
    expect(there.map(({ sha256 }) => sha256).toSorted()).toEqual(
      photoList.map(({ sha256 }) => sha256).toSorted(),
    )
    expect(there.filter(({ habitat_id }) => habitat_id === trees[0]!.id)).toHaveLength(2)

    // Two people change the same tree: one here offline, one in the office.
    await offline(true)
    await page.goto(`/feld/baum/${trees[0]!.kennung}`)
    await page.getByRole('button', { name: 'Ändern' }).click()
    await page.getByRole('textbox', { name: 'BHD' }).fill('71')
    await page.getByRole('textbox', { name: 'Bemerkung' }).fill('Krone gebrochen')
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    await page.getByText('Die Änderung ist auf diesem Gerät gespeichert.').waitFor()
    await page.getByRole('button', { name: 'Kontrolle' }).click()
    await page
      .getByRole('dialog', { name: 'Kontrolle eintragen' })
      .getByRole('button', { name: 'Eintragen' })
      .click()
    await page.getByText('Die Kontrolle ist auf diesem Gerät gespeichert.').waitFor()
    await page.goto(`/feld/baum/${trees[2]!.kennung}`)
    await page.getByRole('button', { name: 'Verlust' }).click()
    const loss = page.getByRole('dialog', { name: 'Verlust eintragen' })
    await loss.getByRole('button', { name: 'Eintragen' }).click()
    await loss.getByText('Bitte wählen Sie den Grund.').waitFor()
    await loss.getByText('Windwurf', { exact: true }).click()
    await loss.getByRole('button', { name: 'Eintragen' }).click()
    await page.getByText('Der Verlust ist auf diesem Gerät gespeichert.').waitFor()
    await call(
      home.app,
      token,
      `/rest/habitatbaeume?id=eq.${trees[0]!.id}`,
      { bhd_cm: 80, hoehe_m: 30 },
      'PATCH',
    )
    await offline(false)
    await link(/^Übertragen/).click()
    await page.getByRole('link', { name: 'Entscheiden' }).click({ timeout: 40_000 })
    await page.getByRole('button', { name: 'Entscheiden' }).click()
    const conflict = page.getByRole('dialog', { name: 'Inzwischen geändert' })
    expect(await brokenRules(page)).toEqual([])
    await conflict.getByRole('radio', { name: /^BHD, meine Eingabe: 71 cm/ }).check()
    // The device has no room: it is still to be decided, and the dialog says so.
    await page.evaluate(() => {
      const { put } = IDBObjectStore.prototype
      const restore = () => Object.assign(IDBObjectStore.prototype, { put })
      Object.assign(window, { restore })
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    await conflict.getByRole('button', { name: 'Auswahl speichern' }).click()
    await conflict.getByText('Ihre Auswahl ist noch nicht gespeichert').waitFor()
    await page.evaluate(() => (window as unknown as { restore: () => void }).restore())
    expect(await conflict.getByRole('radio', { name: /^BHD, meine Eingabe: 71 cm/ }).isChecked()).toBe(true)
    await conflict.getByRole('button', { name: 'Auswahl speichern' }).click()
    await conflict.waitFor({ state: 'detached' })
    await link(/^Übertragen/).click()
    await page.getByText('Alles ist übertragen').waitFor({ timeout: 40_000 })
    expect((await treeRows(`id=eq.${trees[0]!.id}`))[0]).toMatchObject({
      bhd_cm: 71,
      hoehe_m: 30,
      bemerkung: 'Krone gebrochen',
    })
    const looks = await call(home.app, token, `/rest/habitatkontrollen?habitat_id=eq.${trees[0]!.id}`)
    expect(looks.json).toHaveLength(1)
    expect((await treeRows(`id=eq.${trees[2]!.id}`))[0]).toMatchObject({
      verlust_grund: 'windwurf',
      version: 2,
    })
    // Nothing overflows on a tablet either.
    await page.setViewportSize({ width: 820, height: 1180 })
    await page.goto('/feld/neu')
    await page.getByRole('button', { name: 'Speichern und nächster' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    )
    expect(visitor.complaints.filter((line) => !/net::ERR|Failed to load resource/.test(line))).toEqual([])
  }, 240_000)
})
