// The border of a stand walked without network: recorded, paused, a window that closes, closed to an area
// that is on its neighbour, sent once; then looked at in the office, where it becomes the stand's border or
// is refused.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { BorderProposal } from '#contract/border.ts'
import { brokenRules } from './axe.ts'
import { journeysBehindFront } from './behind-front.ts'
import { hasBrowser, signIn } from './browser.ts'
import { call, tokenOf } from './calls.ts'

const PHONE = {
  viewport: { width: 390, height: 844 },
  serviceWorkers: 'allow',
  permissions: ['geolocation'],
} satisfies BrowserContextOptions
const LOST_SYNC = /^POST .*a_sync_grenzvorschlaege/
type Place = readonly [lon: number, lat: number]

describe.skipIf(!hasBrowser())('the border of a stand', () => {
  const home = journeysBehindFront()
  const looksRight = async (page: Page) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await brokenRules(page), colorScheme).toEqual([])
    }
    await page.emulateMedia({ colorScheme: 'light' })
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(over, 'nothing sticks out').toBeLessThanOrEqual(0)
  }

  test('walked offline, kept, sent once, applied on the map in the office', async () => {
    const visitor = await home.window(PHONE)
    const { context } = visitor
    let { page } = visitor
    await signIn(visitor, home.app, 'ogf_admin', '/feld', { signInAgain: true })
    const token = await tokenOf(page)
    const rest = async <T>(path: string, body?: object): Promise<T> =>
      (await call(home.app, token, `/rest/${path}`, body)).json as T
    // A stand of the sample whose border has few corners.
    const [stand] = await rest<{ id: number; idHQ: number; flaeche_ha: number }[]>(
      'bestand?select=id,idHQ,flaeche_ha&order=id&limit=1',
    )
    const hq = stand!.idHQ
    const [{ sHQ }] = await rest<[{ sHQ: string }]>(`hq?select=sHQ&idHQ=eq.${hq}`)
    const borders = await rest<[number, string, Place[][][]][]>('rpc/a_get_bestand_grenzen', { hq_id: hq })
    const ring = borders.find(([id]) => id === stand!.id)![2][0]![0]!
    const [west, south, east, north] = [
      Math.min(...ring.map(([x]) => x)),
      Math.min(...ring.map(([, y]) => y)),
      Math.max(...ring.map(([x]) => x)),
      Math.max(...ring.map(([, y]) => y)),
    ]
    /** Another one at each attempt. */
    const remark = `Graben ${Date.now() % 100_000}`
    const middle: Place = [(west + east) / 2, (south + north) / 2]

    await page.getByRole('combobox', { name: 'Forstbetrieb' }).fill(sHQ)
    await page.getByRole('option', { name: sHQ }).first().click()
    await page.getByRole('button', { name: 'Auf diesem Gerät speichern' }).click()
    await page.getByText(/liegt jetzt auf diesem Gerät/).waitFor({ timeout: 120_000 })
    await home.offline(context, true)
    const standAt = (place: Place, accuracy = 2) =>
      context.setGeolocation({ longitude: place[0], latitude: place[1], accuracy })
    await standAt(middle)
    await page.getByRole('link', { name: 'Karte' }).first().click()
    await page.getByRole('link', { name: 'Grenze aufnehmen' }).click()
    await page.getByRole('heading', { name: 'Grenze eines Bestands aufnehmen' }).waitFor()
    await looksRight(page)
    await page.getByLabel('Um welchen Bestand gehen Sie?').selectOption(String(stand!.id))
    await page.getByRole('button', { name: 'Aufzeichnung beginnen' }).click()

    // Around the stand, a metre or two beside its corners: every fix that is far enough away is kept.
    const points = page.getByText(/^(?:1 Punkt|[\d.]+ Punkte, )/).first()
    const walked: Place[] = ring.slice(0, -1).map(([x, y]) => [x + 0.000_008, y + 0.000_004])
    const count = async () => Number(/^[\d.]+/.exec(await points.innerText())![0].replace('.', ''))
    const walkTo = async (place: Place) => {
      const before = await count()
      await standAt(place)
      await expect.poll(count).toBeGreaterThan(before)
    }
    await points.waitFor()
    // The first fix was taken in the middle, where the person started.
    await page.getByRole('button', { name: 'Pause' }).click()
    while ((await points.count()) > 0 && (await count()) > 0)
      await page.getByRole('button', { name: 'Letzten Punkt zurück' }).click()
    const half = Math.ceil(walked.length / 2)
    await standAt(walked[0]!)
    await page.getByRole('button', { name: 'Weiter aufzeichnen' }).click()
    await expect.poll(count).toBeGreaterThan(0)
    for (const place of walked.slice(1, half)) await walkTo(place)
    await page.getByText('zeichnet auf').waitFor()
    await looksRight(page)
    await page.getByRole('button', { name: 'Pause' }).click()
    const kept = await count()
    await standAt(middle)
    await page.getByText('angehalten').waitFor()
    await page.getByText('Entwurf auf diesem Gerät gesichert').waitFor()
    expect(await count(), 'nothing is taken while it pauses').toBe(kept)

    // The window closes; what was walked is there again.
    await page.close()
    page = await context.newPage()
    await page.goto('/feld/grenze')
    await page.getByText('Begonnene Grenze', { exact: true }).waitFor()
    expect(await page.getByText(new RegExp(`^${kept} Punkte, `)).count()).toBe(1)
    await page.getByRole('button', { name: 'Weiter', exact: true }).click()
    await standAt(walked[half]!)
    const again = page.getByText(/^[\d.]+ Punkte, /).first()
    const countAgain = async () => Number(/^[\d.]+/.exec(await again.innerText())![0].replace('.', ''))
    await page.getByRole('button', { name: 'Weiter aufzeichnen' }).click()
    await expect.poll(countAgain).toBeGreaterThan(kept)
    for (const place of walked.slice(half + 1)) {
      const before = await countAgain()
      await standAt(place)
      await expect.poll(countAgain).toBeGreaterThan(before)
    }
    await page.getByRole('button', { name: 'Pause' }).click()
    // A point by hand.
    await page.getByRole('button', { name: 'Auf der Karte' }).click()
    const dialog = page.getByRole('dialog', { name: 'Lage auf der Karte' })
    await dialog.locator('canvas').first().waitFor()
    await dialog.getByRole('button', { name: 'Abbrechen' }).click()
    await page.getByRole('button', { name: 'Fläche schließen' }).click()
    await page.getByText('An Nachbarn angelegt').waitFor()
    await page.getByRole('textbox', { name: 'Bemerkung' }).fill(remark)
    await looksRight(page)
    await page.getByRole('button', { name: 'Vorschlag speichern' }).click()
    await page.getByText('wartet auf Übertragung').waitFor()
    await looksRight(page)
    await page
      .getByRole('navigation', { name: 'Feldmodus' })
      .getByRole('link', { name: /^Übertragen/ })
      .click()
    await page.getByText('1 Grenze', { exact: true }).waitFor()

    // It arrives, but the answer is lost: sent again, it is there once.
    const proposals = async () =>
      (await rest<BorderProposal[]>('rpc/a_get_grenzvorschlaege', { hq_id: hq })).filter(
        ({ bemerkung }) => bemerkung === remark,
      )
    home.front.cutAtAnswer(LOST_SYNC)
    await home.offline(context, false)
    await expect.poll(async () => (await proposals()).length, { timeout: 40_000 }).toBe(1)
    await home.offline(context, false)
    await page.getByText('Alles ist übertragen').waitFor({ timeout: 60_000 })
    const [made, ...others] = await proposals()
    expect(others).toEqual([])
    expect(made).toMatchObject({ stand: 'offen', bestand_id: stand!.id, genauigkeit_m: 2, geaendert: false })
    expect(made!.flaeche_ha / stand!.flaeche_ha).toBeGreaterThan(0.9)

    // In the office.
    const office = await home.window({ viewport: { width: 1440, height: 900 } })
    await signIn(office, home.app, 'ogf_admin', `/waldbestand/index?fb=${hq}`)
    const desk = office.page
    await desk.getByRole('link', { name: /^Grenzen aus dem Wald \(\d\)/ }).click()
    const board = desk.getByRole('region', { name: 'Vorschlag' })
    await board.getByText(remark).waitFor()
    await desk.locator('.bestand-ol canvas').first().waitFor()
    await looksRight(desk)
    await board.getByRole('button', { name: 'Übernehmen' }).click()
    const asking = desk.getByRole('dialog', { name: 'Grenze übernehmen' })
    await asking.getByRole('button', { name: 'Übernehmen' }).click()
    await desk.getByText('Die Grenze ist übernommen.').waitFor()
    await board.getByText('in den Plan übernommen').waitFor()
    const [applied] = await proposals()
    expect(applied).toMatchObject({ stand: 'uebernommen', vorher_ha: stand!.flaeche_ha })
    const [after] = await rest<{ flaeche_ha: number }[]>(`bestand?select=flaeche_ha&id=eq.${stand!.id}`)
    expect(after!.flaeche_ha).toBe(applied!.danach_ha)
    // ogf_team looks and cannot decide.
    const team = await home.window({ viewport: { width: 390, height: 844 } })
    await signIn(team, home.app, 'ogf_team', `/waldbestand/index?fb=${hq}&grenzen=1`)
    await team.page.getByText('Frühere Grenze').waitFor()
    await looksRight(team.page)
    expect(await team.page.getByRole('button', { name: 'Übernehmen' }).count()).toBe(0)
  }, 300_000)
})
