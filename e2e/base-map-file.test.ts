// The operator's own base map in one file: drawn in every map of the office, chosen like any other, kept for
// the field, and reported to the operator when it cannot be used.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { writePmtiles } from '../server/map-service/pmtiles.fixture.ts'
import type { Outline } from '#contract/bestand.ts'
import { type DemoRole, hasBrowser } from './browser.ts'
import { answerAt } from './calls.ts'
import { landscape } from './landscape.ts'
import { oneServer } from './one-server.ts'

const CREDIT = '© OpenStreetMap'
const OUTLINES = /GeoBasis-DE/
const folder = mkdtempSync(join(tmpdir(), 'grundkarte-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const map = (page: Page) => page.getByRole('main').locator('.flaeche').first()
const field = (page: Page) => page.locator('.flaeche').first()
/** Those that fill one in two hundred pixels of the map. */
const coloursOf = (where: Locator): Promise<string[]> =>
  where.evaluate((element) => {
    const counts = new Map<string, number>()
    let all = 0
    for (const canvas of element.querySelectorAll('canvas')) {
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
      for (let at = 0; at < data.length; at += 4 * 7) {
        if (data[at + 3]! < 250) continue
        all++
        const colour = `#${[0, 1, 2].map((nr) => data[at + nr]!.toString(16).padStart(2, '0')).join('')}`
        counts.set(colour, (counts.get(colour) ?? 0) + 1)
      }
    }
    return [...counts].filter(([, count]) => count > all / 200).map(([colour]) => colour)
  })
/** Each look at the picture takes a while on a busy machine. */
const PATIENT = { timeout: 20_000 }
const [FOREST, WATER, FOREST_DARK] = ['#d6e6c9', '#bfd9e8', '#1d3320']

describe.skipIf(!hasBrowser())('a file of vector tiles', () => {
  const path = join(folder, 'vektor.pmtiles')
  const house = oneServer({ env: { BASEMAP_FILE: path } })
  /** The page, and what this procedure answered it. */
  async function visitAndHear<T>(role: DemoRole, to: string, procedure: string): Promise<readonly [Page, T]> {
    const page = await house.visit(role, '/dashboard')
    return [page, await answerAt<T>(page, house.app, to, procedure)]
  }
  async function visitSurvey(): Promise<readonly [Page, readonly [number, number]]> {
    const [page, { umgriff }] = await visitAndHear<{ umgriff: number[] }>(
      'appuser_admin',
      '/kataster/index',
      'a_get_kataster_overview',
    )
    const [west = 0, south = 0, east = 0, north = 0] = umgriff
    return [page, [(west + east) / 2, (south + north) / 2]]
  }
  /** The server looks at it again after ten seconds. */
  async function put(file: Uint8Array, page: Page): Promise<void> {
    writeFileSync(path, file)
    await page.waitForTimeout(10_500)
    await page.reload()
  }

  test('a missing one is told to the operator, and the outlines stay', async () => {
    const page = await house.visit('apus_admin', '/verwaltung/betrieb')
    await page.getByText(`Die Hintergrundkarte ${path} fehlt (BASEMAP_FILE).`).waitFor()
    const [survey] = await visitSurvey()
    await map(survey).getByText(OUTLINES).waitFor()
    expect(await survey.getByLabel('Hintergrundkarte').count()).toBe(0)
  })

  test('once there, it is drawn under the maps of the office, light and dark, with its sources', async () => {
    const [page, middle] = await visitSurvey()
    // Each of the two schemas is drawn alike.
    for (const schema of ['openmaptiles', 'protomaps'] as const) {
      await put(landscape(middle, schema, [6, 13]), page)
      await map(page).getByText(CREDIT).waitFor()
      await expect.poll(() => coloursOf(map(page)), PATIENT).toEqual(expect.arrayContaining([FOREST, WATER]))
      await map(page).getByText(OUTLINES).waitFor({ state: 'hidden' })
    }
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await expect.poll(() => coloursOf(map(page)), PATIENT).toContain(FOREST_DARK)
    await page.getByLabel('Hintergrundkarte').selectOption({ label: 'keine' })
    await map(page).getByText(OUTLINES).waitFor()
    expect(await coloursOf(map(page))).not.toContain(FOREST_DARK)
    await page.getByLabel('Hintergrundkarte').selectOption({ label: 'Unsere Karte' })
    await expect.poll(() => coloursOf(map(page)), PATIENT).toContain(FOREST_DARK)
  })

  test('is kept on a device for the field', async () => {
    const [page, [stand]] = await visitAndHear<Outline[]>('ogf_fb_admin', '/feld', 'a_get_bestand_umrisse')
    const [x, y] = stand![1][0]![0]![0]!
    await put(landscape([x, y], 'protomaps', [10, 14]), page)
    await page.getByLabel('Hintergrundkarte').selectOption({ label: 'Unsere Karte' })
    await page.getByRole('button', { name: 'Auf diesem Gerät speichern' }).click()
    await page.getByText(/liegt jetzt auf diesem Gerät/).waitFor({ timeout: 120_000 })
    // From the device, without the server.
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.reload()
    await field(page).getByText(CREDIT).waitFor()
    await expect.poll(() => coloursOf(field(page)), PATIENT).toContain(FOREST)
    expect(asked.filter((path) => path.includes('grundkarte'))).toEqual([])
  })
})

describe.skipIf(!hasBrowser())('a file of pictures', () => {
  const TILE = '#12ab9e'
  const house = oneServer({
    env: async () => {
      const path = join(folder, 'bild.pmtiles')
      const picture = await sharp({ create: { width: 512, height: 512, channels: 3, background: TILE } })
        .png()
        .toBuffer()
      const tiles = [0, 1, 2, 3].flatMap((z) =>
        Array.from({ length: 4 ** z }, (_, at) => ({ z, x: at % 2 ** z, y: at >> z, bytes: picture })),
      )
      writeFileSync(path, writePmtiles({ type: 'png', tiles }))
      return { BASEMAP_FILE: path, BASEMAP_ATTRIBUTION: '© Landesamt', BASEMAP_TITLE: 'Luftbild 2026' }
    },
  })
  test('is drawn, its last level enlarged', async () => {
    const page = await house.visit('ogf_admin', '/habitatbaeume/index')
    await map(page).getByText('© Landesamt').waitFor()
    await expect.poll(() => coloursOf(map(page)), PATIENT).toContain(TILE)
    await map(page).getByText(OUTLINES).waitFor({ state: 'hidden' })
  })
})
