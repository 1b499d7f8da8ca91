// The search for places on a map, and where the georeferencer of a plan without points begins.
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Karte } from '#contract/karte.ts'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('places on maps', () => {
  const house = oneServer({ asked: /gazetteer|ERR_FAILED/ })

  const visit = async (): Promise<{ page: Page; token: string }> => {
    const { page } = await house.visitor('apus_admin', '/', { viewport: { width: 1440, height: 1000 } })
    return { page, token: await tokenOf(page) }
  }
  async function added<T>(token: string, table: string, row: object): Promise<T> {
    const answer = await fetch(`${house.app.origin}/rest/${table}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        prefer: 'return=representation',
      },
      body: JSON.stringify(row),
    })
    expect(answer.status).toBe(201)
    return ((await answer.json()) as [T])[0]
  }
  /** A plan of a new customer, of whom nothing is known but the address. */
  async function newPlan(token: string, plz: string, ort: string): Promise<number> {
    const kunde = await added<{ client_id: number }>(token, 'kunde', {
      name: `Waldgut ${ort}`,
      strasse: 'Am Wald 1',
      plz,
      ort,
      epsg: 25833,
    })
    const { id } = await added<Karte>(token, 'karte', {
      client_id: kunde.client_id,
      map_name: `Plan ${ort}`,
      epsg: 25833,
    })
    return id
  }
  /** East and north of the map's middle in UTM 33, as its foot names them. */
  async function middleOf(page: Page, map: Locator): Promise<number[]> {
    const box = await map.locator('.flaeche-bild').boundingBox()
    expect(box).not.toBeNull()
    const [x, y] = [box!.x + box!.width / 2, box!.y + box!.height / 2]
    await page.mouse.move(x - 3, y)
    await page.mouse.move(x, y)
    const text = await map.locator('.flaeche-fuss .nums').textContent()
    return (text ?? '').split(' / ').map((part) => Number(part.replaceAll('.', '').replace(',', '.')))
  }
  const isAt = async (page: Page, map: Locator, [east, north]: readonly [number, number], within: number) =>
    expect
      .poll(async () => {
        const [x = Number.NaN, y = Number.NaN] = await middleOf(page, map)
        return Math.hypot(x - east, y - north) < within ? 'there' : `${x} / ${y}`
      })
      .toBe('there')

  test('a plan without points begins at its customer’s postcode, and the search leads anywhere', async () => {
    const { page, token } = await visit()
    const id = await newPlan(token, '09111', 'Chemnitz')
    await page.goto(`${house.app.origin}/karten/${id}/georef`)
    const map = page.locator('[data-flaeche=karte]')
    await map.getByRole('button', { name: 'Ort suchen' }).waitFor()
    await isAt(page, map, [353_000, 5_634_000], 8_000)

    await map.getByRole('button', { name: 'Ort suchen' }).click()
    const field = map.getByRole('combobox', { name: 'Ort suchen' })
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
    await field.fill('Aach Konst')
    const hits = map.getByRole('option')
    await expect.poll(() => hits.allTextContents()).toEqual(['Aach 78267 · Landkreis Konstanz'])
    expect(await brokenRules(page)).toEqual([])
    await field.press('Enter')
    await isAt(page, map, [40_000, 5_330_000], 25_000)

    // Typed coordinates: their spot in the middle, marked.
    await field.fill('33 412345,5 5654321,25')
    await expect.poll(() => hits.count()).toBe(1)
    await hits.first().click()
    await isAt(page, map, [412_345.5, 5_654_321.25], 3)
    await map.locator('.flaeche-marke').waitFor()

    // Letters are text here and no shortcuts of the georeferencer; Escape closes and gives the map back.
    await field.fill('nnn')
    await map.getByText('Nichts gefunden.').waitFor()
    await field.press('Escape')
    await expect.poll(() => field.count()).toBe(0)
    await expect.poll(() => map.locator('.flaeche-marke').isVisible()).toBe(false)
    expect(await page.getByRole('button', { name: 'Punkte setzen' }).getAttribute('aria-pressed')).toBe(
      'true',
    )
    expect(await map.locator('.flaeche-bild').evaluate((surface) => surface === document.activeElement)).toBe(
      true,
    )
  })

  test('a plan of a customer with a survey begins there', async () => {
    const { page, token } = await visit()
    const { json } = await call(house.app, token, '/rest/draenage?select=client_id&limit=1')
    const [surveyed] = json as { client_id: number }[]
    const { id } = await added<Karte>(token, 'karte', {
      client_id: surveyed!.client_id,
      map_name: 'Plan daneben',
      epsg: 25833,
    })
    const around = await call(house.app, token, '/rest/rpc/a_get_karte_umgebung', { karte_id: id })
    const [west = 0, , east = 0] = (around.json as { kasten: number[] }).kasten
    expect(east - west).toBeGreaterThan(0)
    await page.goto(`${house.app.origin}/karten/${id}/georef`)
    const map = page.locator('[data-flaeche=karte]')
    await map.getByRole('button', { name: 'Ort suchen' }).waitFor()
    const [x = 0] = await middleOf(page, map)
    // The whole country would have its middle far from any survey of the sample data.
    expect(Number.isFinite(x)).toBe(true)
    const scale = await map.locator('.flaeche-massstab-inner').textContent()
    expect(scale).toMatch(/\d m$|^[125] km$/u)
  })

  test('a directory that does not arrive holds nobody up and is asked for again', async () => {
    const { page, token } = await visit()
    await page.route('**/gazetteer-places*', (route) => route.abort())
    const id = await newPlan(token, '01067', 'Dresden')
    await page.goto(`${house.app.origin}/karten/${id}/georef`)
    const map = page.locator('[data-flaeche=karte]')
    await map.getByRole('button', { name: 'Ort suchen' }).click()
    await map.getByRole('combobox', { name: 'Ort suchen' }).fill('Dresden')
    await map.getByText('Das Ortsverzeichnis konnte nicht geladen werden.').waitFor()
    await page.unroute('**/gazetteer-places*')
    await map.getByRole('button', { name: 'Erneut versuchen' }).click()
    await expect.poll(() => map.getByRole('option').count()).toBeGreaterThan(0)
  })
})
