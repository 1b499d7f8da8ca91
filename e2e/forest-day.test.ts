// A day in the forest, on a real server: two people take their area along, capture 200 trees and survey objects with
// 60 photos (in the short run a third of them) without a network, over a line that hangs, with windows that are killed
// in the middle of a write; in the evening they transfer, one of them decides on a conflict with the office, and the
// report is made. Nothing is lost or there twice.
import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { build, type Rolldown } from 'vite'
import { describe, expect, test } from 'vitest'
import type { Habitatbaum } from '#contract/habitat.ts'
import { reportPaths } from '#contract/habitat-report.ts'
import { VOLL } from '../test/extent.ts'
import { poPlugin } from '../web/texts/po-plugin.ts'
import { journeysBehindFront } from './behind-front.ts'
import { type DemoRole, hasBrowser, signIn } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { type PlannedEntry, TOLD } from './field-queue.ts'

const [TREES, PHOTOS, OBJECTS] = VOLL ? [110, 60, 90] : [36, 20, 30]
/** Of each, through the screens; the last tree while the line hangs. */
const BY_HAND = 6
/** So many entries are stored when the window is killed. */
const DIES_AT = 5

/** field-queue.ts as one script that makes its functions when it is asked. */
async function queueScript(): Promise<string> {
  const made = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [poPlugin()],
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: false,
      lib: { entry: join(import.meta.dirname, 'field-queue.ts'), formats: ['iife'], name: 'fieldQueue' },
    },
  })) as Rolldown.RolldownOutput[]
  return `globalThis.fieldQueueOf = () => { ${made[0]!.output[0].code}; return fieldQueue }`
}
interface InPage {
  fieldQueueOf(): { fill(entries: readonly PlannedEntry[]): Promise<number>; stored(): Promise<string[]> }
}
const fill = (page: Page, entries: readonly PlannedEntry[]) =>
  page.evaluate((all) => (globalThis as unknown as InPage).fieldQueueOf().fill(all), entries)
const stored = (page: Page) => page.evaluate(() => (globalThis as unknown as InPage).fieldQueueOf().stored())

/** As receivers say it. */
const round = (degrees: number): number => Math.round(degrees * 1e7) / 1e7

async function photo(nr: number) {
  const picture = await sharp({
    create: { width: 320, height: 240, channels: 3, background: `rgb(${nr}, ${120 - nr}, 60)` },
  })
    .jpeg()
    .toBuffer()
  const buffer = Buffer.concat([picture, Buffer.from(`\nTag im Wald ${nr}`)])
  return { buffer, sha256: createHash('sha256').update(buffer).digest('hex') }
}

const PHONE = {
  viewport: { width: 390, height: 844 },
  serviceWorkers: 'allow',
  permissions: ['geolocation'],
} satisfies BrowserContextOptions

/** A device whose windows may be killed in the middle of a write. */
class Device {
  readonly context: BrowserContext
  page: Page
  /** What its windows said on the console, of all its lives. */
  readonly said: string[] = []

  constructor(context: BrowserContext, page: Page) {
    this.context = context
    this.page = page
    this.#listen()
  }
  #listen(): void {
    this.page.on('console', (message) => this.said.push(message.text()))
  }
  go(path: string) {
    return this.page.goto(path)
  }
  /**
   * The window begins this work; its process is gone once it has printed so many entries. Then it is opened
   * again.
   */
  async dieWhile(work: (page: Page) => Promise<unknown>, entries: number): Promise<void> {
    const { page } = this
    const session = await this.context.newCDPSession(page)
    const gone = page.waitForEvent('crash')
    let told = 0
    page.on('console', (message) => {
      if (message.text().startsWith(TOLD) && ++told === entries)
        void session.send('Page.crash').catch(() => undefined)
    })
    const ended = work(page).then(
      () => 'ended',
      () => 'killed',
    )
    await gone
    expect(await ended).toBe('killed')
    this.page = await this.context.newPage()
    this.#listen()
    await page.close()
  }
}

describe.skipIf(!hasBrowser())('a day in the forest', () => {
  const home = journeysBehindFront()

  test(`${TREES + OBJECTS} captures with ${PHOTOS} photos by two people: 0 lost, 0 doubled`, async () => {
    const script = await queueScript()
    const mark = `T${Date.now() % 100_000}`
    const takeAlong = async (role: DemoRole): Promise<Device> => {
      const visitor = await home.window(PHONE)
      await visitor.context.addInitScript({ content: script })
      await signIn(visitor, home.app, role, '/feld', { signInAgain: true })
      return new Device(visitor.context, visitor.page)
    }
    const saved = async ({ page }: Device) => {
      await page.getByRole('button', { name: 'Auf diesem Gerät speichern' }).click()
      await page.getByText(/liegt jetzt auf diesem Gerät/).waitFor({ timeout: 120_000 })
    }

    // In the morning, with a network.
    const forester = await takeAlong('ogf_fb_admin')
    await saved(forester)
    const token = await tokenOf(forester.page)
    const surveyor = await takeAlong('apus_team')
    const surveyToken = await tokenOf(surveyor.page)
    const rows = async <T = Record<string, unknown>>(path: string, who = token): Promise<T[]> =>
      (await call(home.app, who, `/rest/${path}`)).json as T[]
    const [sample] = await rows<Habitatbaum>('habitatbaeume?select=*&order=id&limit=1')
    const [manhole] = await rows<{ client_id: number }>(
      'schacht?select=client_id&order=id&limit=1',
      surveyToken,
    )
    const [kunde] = await rows<{ name: string }>(
      `kunde?select=name&client_id=eq.${manhole!.client_id}`,
      surveyToken,
    )
    await surveyor.page.getByRole('combobox', { name: 'Kunde' }).fill(kunde!.name)
    await surveyor.page.getByRole('option', { name: kunde!.name }).first().click()
    await saved(surveyor)
    const countOf = async (table: string, who: string) =>
      (await rows(`${table}?select=id&limit=100000`, who)).length
    const before = {
      trees: await countOf('habitatbaeume', token),
      objects: await countOf('schacht', surveyToken),
      photos: await countOf('habitatbilder', token),
    }
    const photos = await Promise.all(Array.from({ length: PHOTOS }, (_, nr) => photo(nr)))

    // Into the forest.
    home.front.cut(true)
    /** Sent again for each capture: fixes older than 15 seconds do not count. */
    const here = (nr: number) =>
      forester.context.setGeolocation({
        longitude: Number(sample!.lon),
        latitude: Number(sample!.lat) + 0.0001 + nr * 1e-6,
        accuracy: 4,
      })
    const tree = async (nr: number) => {
      const { page } = forester
      await here(nr)
      await page.getByText('± 4,0 m').waitFor()
      await page.getByText('Rotbuche', { exact: true }).first().click()
      await page.getByRole('textbox', { name: 'Nummer' }).fill(`${mark}-${nr}`)
      await page
        .locator('input[capture]')
        .setInputFiles({ name: `${nr}.jpg`, mimeType: 'image/jpeg', buffer: photos[nr]!.buffer })
      await page.getByRole('img', { name: 'Foto 1' }).waitFor()
      await page.getByRole('button', { name: 'Speichern und nächster' }).click()
      await page.getByText(`${mark}-${nr} · Rotbuche ist auf diesem Gerät gespeichert.`).waitFor()
    }
    await forester.go('/feld/neu')
    for (let nr = 0; nr < BY_HAND - 1; nr++) await tree(nr)
    await surveyor.go('/feld/neu')
    for (let nr = 0; nr < BY_HAND; nr++) {
      const { page } = surveyor
      const key = page.getByRole('textbox', { name: 'Kennung' })
      await surveyor.context.setGeolocation({ longitude: 13.1, latitude: 53.4 + nr * 1e-6, accuracy: 0.4 })
      await page.getByText('± 40 cm').waitFor()
      await key.fill(`${mark}-${nr}`)
      await page.getByRole('button', { name: 'Speichern und nächstes' }).click()
      await expect.poll(() => key.inputValue()).toBe('')
    }

    // The mass of the day; the windows are killed in the middle of a write.
    const planned = (idHQ: number, count: number, at: readonly [number, number], pictures: typeof photos) =>
      Array.from({ length: count - BY_HAND }, (_, nr): PlannedEntry => {
        const picture = pictures[nr]
        return {
          kennung: randomUUID(),
          idHQ,
          name: `${mark}-${nr + BY_HAND}`,
          lon: round(at[0] + (nr % 10) * 0.0002),
          lat: round(at[1] + Math.floor(nr / 10) * 0.0002),
          photo:
            picture === undefined
              ? null
              : { kennung: randomUUID(), base64: picture.buffer.toString('base64'), sha256: picture.sha256 },
        }
      })
    const work: readonly (readonly [Device, PlannedEntry[], number])[] = [
      [
        forester,
        planned(sample!.idHQ, TREES, [Number(sample!.lon), Number(sample!.lat)], photos.slice(BY_HAND)),
        TREES - 1,
      ],
      [surveyor, planned(-manhole!.client_id, OBJECTS, [13.1, 53.4], []), OBJECTS],
    ]
    for (const [device, entries, all] of work) {
      const told = () =>
        device.said.filter((text) => text.startsWith(TOLD)).map((text) => text.slice(TOLD.length))
      await device.dieWhile((page) => fill(page, entries), DIES_AT)
      const confirmed = told()
      await device.go('/feld')
      await device.page.getByRole('navigation', { name: 'Feldmodus' }).waitFor()
      const there = await stored(device.page)
      expect(
        confirmed.filter((one) => !there.includes(one)),
        'what the device has confirmed',
      ).toEqual([])
      expect(await fill(device.page, entries)).toBe(all)
    }

    // A line that accepts and says nothing: the field mode opens, and a tree is captured all the same.
    home.front.cut(false)
    home.front.disturb('silent')
    await forester.go('/feld/neu')
    await tree(BY_HAND - 1)
    await forester.go('/feld/uebertragen')
    await forester.page.getByText(new RegExp(`^${TREES} Bäume · ${PHOTOS} Fotos, `)).waitFor()
    await surveyor.go('/feld/uebertragen')
    await surveyor.page.getByText(new RegExp(`^${OBJECTS} Objekte`)).waitFor()
    // A change of what somebody in the office changes as well.
    await forester.go(`/feld/baum/${sample!.kennung}`)
    await forester.page.getByRole('button', { name: 'Ändern' }).click()
    await forester.page.getByRole('textbox', { name: 'BHD' }).fill('71')
    await forester.page.getByRole('button', { name: 'Speichern', exact: true }).click()
    await forester.page.getByText('Die Änderung ist auf diesem Gerät gespeichert.').waitFor()
    await call(home.app, token, `/rest/habitatbaeume?id=eq.${sample!.id}`, { bhd_cm: 80 }, 'PATCH')

    // In the evening the line is whole again.
    home.front.disturb(null)
    await surveyor.go('/feld/uebertragen')
    await surveyor.page.getByText('Alles ist übertragen').waitFor({ timeout: 90_000 })
    await forester.go('/feld/uebertragen')
    await forester.page.getByRole('link', { name: 'Entscheiden' }).click({ timeout: 90_000 })
    await forester.page.getByRole('button', { name: 'Entscheiden' }).click()
    const conflict = forester.page.getByRole('dialog', { name: 'Inzwischen geändert' })
    await conflict.getByRole('radio', { name: /^BHD, meine Eingabe: 71 cm/ }).check()
    await conflict.getByRole('button', { name: 'Auswahl speichern' }).click()
    // Decided while the photos go out; it follows them without a reload, which would also cut the write short.
    await forester.page.getByText('Inzwischen geändert').first().waitFor({ state: 'detached' })
    await forester.page
      .getByRole('navigation', { name: 'Feldmodus' })
      .getByRole('link', { name: /^Übertragen/ })
      .click()
    await forester.page.getByText('Alles ist übertragen').waitFor({ timeout: 120_000 })

    // Everything is there once.
    const trees = await rows<Habitatbaum>(
      `habitatbaeume?select=id,kennung,nummer,version&nummer=like.${mark}*&limit=1000`,
    )
    const names = (count: number) => Array.from({ length: count }, (_, nr) => `${mark}-${nr}`).toSorted()
    expect(trees.map(({ nummer }) => String(nummer)).toSorted()).toEqual(names(TREES))
    expect(new Set(trees.map(({ kennung }) => kennung)).size).toBe(TREES)
    const objects = await rows<{ schluessel: string }>(
      `schacht?select=schluessel&schluessel=like.${mark}*&limit=1000`,
      surveyToken,
    )
    expect(objects.map(({ schluessel }) => schluessel).toSorted()).toEqual(names(OBJECTS))
    expect(await countOf('habitatbaeume', token)).toBe(before.trees + TREES)
    expect(await countOf('schacht', surveyToken)).toBe(before.objects + OBJECTS)
    expect(await countOf('habitatbilder', token)).toBe(before.photos + PHOTOS)
    // Each photo belongs to its tree and is, byte for byte, what the camera made.
    const byName = new Map(trees.map(({ nummer, id }) => [nummer, id]))
    const images = await rows<{ id: number; habitat_id: number; sha256: string }>(
      `habitatbilder?select=id,habitat_id,sha256&habitat_id=in.(${trees.map(({ id }) => id).join(',')})&limit=1000`,
    )
    expect(images.map(({ habitat_id, sha256 }) => `${habitat_id} ${sha256}`).toSorted()).toEqual(
      photos.map(({ sha256 }, nr) => `${byName.get(`${mark}-${nr}`)} ${sha256}`).toSorted(),
    )
    expect((await rows<Habitatbaum>(`habitatbaeume?select=bhd_cm&id=eq.${sample!.id}`))[0]!.bhd_cm).toBe(71)

    const report = await fetch(`${home.app.origin}/prod-api${reportPaths.bericht(sample!.idHQ)}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/pdf',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ ids: trees.map(({ id }) => id), filter: [], fotos: 'alle' }),
    })
    expect(report.status).toBe(200)
    expect(
      Buffer.from(await report.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
  }, 400_000)
})
