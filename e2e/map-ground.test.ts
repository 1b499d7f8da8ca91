// The background of maps: never blank without a base map, in the colours of the page, its sources named; it
// steps back when a base map has arrived, and stays when none does.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from './browser.ts'
import { oneServer } from './one-server.ts'

const SOURCES = /GeoBasis-DE \/ BKG 2017.*GeoNames.*Natural Earth/
const TILE = '#12ab9e'
const PATH = '/kataster/index'
const map = (page: Page) => page.getByRole('main').locator('.flaeche')

/** Colours that fill at least one in a thousand pixels of the map, the most frequent first. */
const coloursOf = (page: Page): Promise<string[]> =>
  map(page).evaluate((element) => {
    const counts = new Map<string, number>()
    let all = 0
    for (const canvas of element.querySelectorAll('canvas')) {
      if (canvas.closest('.ol-layer') && canvas.parentElement?.style.opacity === '0') continue
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
      for (let at = 0; at < data.length; at += 4 * 7) {
        if (data[at + 3]! < 250) continue
        all++
        const colour = `#${[0, 1, 2].map((nr) => data[at + nr]!.toString(16).padStart(2, '0')).join('')}`
        counts.set(colour, (counts.get(colour) ?? 0) + 1)
      }
    }
    return [...counts]
      .filter(([, count]) => count > all / 1000)
      .sort(([, a], [, b]) => b - a)
      .map(([colour]) => colour)
  })

describe.skipIf(!hasBrowser())('the background of maps without a base map', () => {
  const house = oneServer()

  test('shows land, borders, waters and names, in the colours of the page, and names its sources', async () => {
    const page = await house.visit('apus_admin', PATH)
    const elsewhere: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).host !== new URL(page.url()).host) elsewhere.push(request.url())
    })
    await map(page).getByText(SOURCES).waitFor()
    // Home, its neighbours, borders, a river: more than one colour, and by far not one alone.
    await expect.poll(() => coloursOf(page)).toEqual(expect.arrayContaining(['#fbfcf8', '#eef0e9']))
    expect((await coloursOf(page)).length).toBeGreaterThan(5)
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await expect.poll(() => coloursOf(page)).toEqual(expect.arrayContaining(['#20271d', '#171c15']))
    expect(await coloursOf(page)).not.toContain('#fbfcf8')
    expect(elsewhere).toEqual([])
  })

  test('is not blank near the ground either, where lines of the grid are', async () => {
    const page = await house.visit('apus_admin', PATH)
    await map(page).getByText(SOURCES).waitFor()
    for (let nr = 0; nr < 12; nr++) await page.getByRole('button', { name: 'Vergrößern' }).click()
    await expect.poll(() => coloursOf(page).then(({ length }) => length)).toBeGreaterThan(3)
    expect((await coloursOf(page))[0]).toBe('#fbfcf8')
  })
})

describe.skipIf(!hasBrowser())('the background of maps with a base map', () => {
  let stub: Server
  let answers = true
  beforeAll(async () => {
    const tile = await sharp({ create: { width: 256, height: 256, channels: 3, background: TILE } })
      .png()
      .toBuffer()
    stub = createServer((_request, response) => {
      if (!answers) response.statusCode = 500
      response.end(answers ? tile : '')
    })
  })
  afterAll(() => {
    stub.close()
  })
  const house = oneServer({
    asked: /status of 50\d/,
    env: async () => {
      await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve))
      const service = {
        id: 'probe',
        titel: 'Probekarte',
        typ: 'xyz',
        url: `http://127.0.0.1:${(stub.address() as AddressInfo).port}/{z}/{x}/{y}.png`,
        intern: true,
        namensnennung: '© Probekarte 2026',
      }
      return { KARTENDIENSTE: JSON.stringify([service]) }
    },
  })

  test('steps back when its tiles arrive', async () => {
    const page = await house.visit('apus_admin', PATH)
    await map(page).getByText('© Probekarte 2026').waitFor()
    await expect.poll(() => coloursOf(page).then(([most]) => most)).toBe(TILE)
    await map(page).getByText(SOURCES).waitFor({ state: 'hidden' })
  })

  test('steps back although the tiles came before its own code', async () => {
    const page = await house.visit('apus_admin', '/dashboard')
    const held = Promise.withResolvers<void>()
    await page.route(/ol-ground/, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto(`${house.app.origin}${PATH}`)
    await map(page).getByText('© Probekarte 2026').waitFor()
    await expect.poll(() => coloursOf(page).then(([most]) => most)).toBe(TILE)
    const came = page.waitForResponse(/ol-ground/)
    held.resolve()
    await came
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(1_000)
    expect(await map(page).getByText(SOURCES).count()).toBe(0)
  })

  test('stays when no tile arrives', async () => {
    answers = false
    const page = await house.visit('ogf_admin', '/habitatbaeume/index')
    await map(page).getByText('Ein Teil des Bildes ist nicht angekommen.').waitFor()
    await map(page).getByText(SOURCES).waitFor()
    await expect.poll(() => coloursOf(page)).toContain('#fbfcf8')
  })
})
