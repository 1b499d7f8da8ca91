// Base maps in UTM: their tiles are reprojected, and what they show is where it is on a map in web mercator, to
// half a pixel.
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import {
  capabilities,
  MARK,
  MERCATOR,
  startWmts,
  UTM32,
  UTM33,
  type WmtsServer,
} from '../server/map-service/wmts.fixture.ts'
import { hasBrowser } from './browser.ts'
import { answerAt } from './calls.ts'
import { oneServer } from './one-server.ts'

const map = (page: Page) => page.getByRole('main').locator('.flaeche').first()

interface Spot {
  readonly x: number
  readonly y: number
  readonly pixels: number
}
/** Middles of the marks on the map, in its pixels: of all that is as red as they, weighed by how much. */
const spotsOf = (page: Page): Promise<Spot[]> =>
  map(page).evaluate((element, mark) => {
    const canvas = element.querySelector<HTMLCanvasElement>('.ol-layer canvas, canvas.ol-layer')!
    const { width, height } = canvas
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height)
    const green = Number.parseInt(mark.slice(3, 5), 16)
    // Between mark and paper only the green changes much.
    const weight = (at: number) =>
      data[at * 4]! > 225 && data[at * 4 + 2]! > 185 ? Math.max(0, 1 - (data[at * 4 + 1]! - green) / 225) : 0
    const seen = new Uint8Array(width * height)
    const spots: { x: number; y: number; pixels: number }[] = []
    for (let start = 0; start < seen.length; start++) {
      if (seen[start] || weight(start) < 0.3) continue
      let [x, y, sum, pixels] = [0, 0, 0, 0]
      const open = [start]
      seen[start] = 1
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        const share = weight(at)
        pixels++
        sum += share
        x += share * (at % width)
        y += share * Math.floor(at / width)
        for (const next of [at - 1, at + 1, at - width, at + width])
          if (next >= 0 && next < seen.length && !seen[next] && weight(next) > 0) {
            seen[next] = 1
            open.push(next)
          }
      }
      if (pixels > 60) spots.push({ x: x / sum, y: y / sum, pixels })
    }
    return spots
  }, MARK)

describe.skipIf(!hasBrowser())('a base map in UTM', () => {
  let service: WmtsServer
  let marks: readonly (readonly [number, number])[] = []
  afterAll(() => service?.close())
  const house = oneServer({
    env: async () => {
      service = await startWmts([MERCATOR, UTM32, UTM33], () => marks)
      const template = `${service.origin}/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}`
      service.describe(capabilities({ sets: [MERCATOR, UTM32, UTM33], template }))
      const entry = (id: string, projection: string) => ({
        id,
        titel: id,
        typ: 'wmts',
        capabilities: `${service.origin}/capabilities.xml`,
        layer: 'marken',
        projektion: projection,
        intern: true,
        namensnennung: `© ${id}`,
      })
      return {
        KARTENDIENSTE: JSON.stringify([
          entry('mercator', 'EPSG:3857'),
          entry('utm32', 'EPSG:25832'),
          entry('utm33', 'EPSG:25833'),
        ]),
      }
    },
  })

  test('shows every mark where the map in web mercator has it', async () => {
    const page = await house.visit('appuser_admin', '/dashboard')
    const { umgriff } = await answerAt<{ umgriff: [number, number, number, number] }>(
      page,
      house.app,
      '/kataster/index',
      'a_get_kataster_overview',
    )
    const [west, south, east, north] = umgriff
    // The survey of the sample data is a long row: the map shows as much again above and below.
    const wide = east - west
    marks = [0.1, 0.3, 0.5, 0.7, 0.9].flatMap((right) =>
      [-0.2, -0.07, 0.07, 0.2].map((up) => [west + right * wide, (south + north) / 2 + up * wide] as const),
    )
    await page.reload()
    // The survey would cover marks.
    for (const name of ['Dränagen', 'Ausmündungen', 'Schächte', 'Schlucker', 'Einläufe'])
      await page.getByRole('checkbox', { name, exact: true }).uncheck()
    const seen: Record<string, Spot[]> = {}
    for (const id of ['mercator', 'utm32', 'utm33']) {
      await page.getByLabel('Hintergrundkarte').selectOption({ label: id })
      await map(page).getByText(`© ${id}`).waitFor()
      await expect.poll(async () => (await spotsOf(page)).length, { timeout: 20_000 }).toBe(marks.length)
      await page.waitForLoadState('networkidle')
      await page.waitForTimeout(500)
      seen[id] = await spotsOf(page)
    }
    const off = ['utm32', 'utm33'].map((id) =>
      Math.max(
        ...seen['mercator']!.map(({ x, y }) =>
          Math.min(...seen[id]!.map((other) => Math.hypot(other.x - x, other.y - y))),
        ),
      ),
    )
    expect(Math.max(...off)).toBeLessThan(0.5)
  })
})
