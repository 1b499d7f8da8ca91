// Several sheets of one area: the offset at their seam, and the mosaic of them.
import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { drainPlan, drawSheet } from '#domain/georef/drawn-sheet.fixture.ts'
import { kartePaths, type KarteFile, type KarteJob } from '#contract/karte-files.ts'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

const KUNDE = 2
const [WIDTH, HEIGHT] = [900, 700]
const GROUND = drainPlan(1600, HEIGHT, 4)

describe.skipIf(!hasBrowser())('sheets of one area', () => {
  const house = oneServer({ asked: /\/upload(?:\/[^ ]*)?\)$/ })

  /** A window of the ground at half a metre per pixel; its drawing is so many pixels beside its place. */
  async function scanOf(left: number, shift: readonly [number, number]): Promise<Buffer> {
    const lines = GROUND.map(([a, b, c, d]) => [a - left, b, c - left, d] as const)
    const { grey } = drawSheet({ width: WIDTH, height: HEIGHT, lines, shift, grain: 4, seed: left + 1 })
    return sharp(grey, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } })
      .jpeg({ quality: 92 })
      .toBuffer()
  }
  const worldFile = (name: string, left: number) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(['0.5', '0', '0', '-0.5', String(412_000.25 + left / 2), '5986999.75'].join('\n')),
  })

  test('two sheets overlap: the offset is shown, the mosaic made, downloaded and drawn', async () => {
    const page = await house.visit('apus_team', `/member-management/client/${KUNDE}?ansicht=karten`)
    const token = await tokenOf(page)
    const rpc = async <T>(name: string, body: object): Promise<T> =>
      (await call(house.app, token, `/rest/rpc/${name}`, body)).json as T
    await page.getByRole('button', { name: 'Neuer Plan' }).first().click()
    await page
      .getByRole('dialog')
      .getByLabel('Scans des neuen Plans')
      .setInputFiles([
        { name: 'Naht Blatt 1.jpg', mimeType: 'image/jpeg', buffer: await scanOf(0, [0, 0]) },
        worldFile('Naht Blatt 1.jgw', 0),
        { name: 'Naht Blatt 2.jpg', mimeType: 'image/jpeg', buffer: await scanOf(700, [4, -3]) },
        worldFile('Naht Blatt 2.jgw', 700),
      ])
    await page.getByRole('button', { name: '2 Pläne anlegen' }).click()
    const plansNow = async () =>
      (await call(house.app, token, '/rest/karte?map_name=like.Naht*&select=id,map_name&order=map_name'))
        .json as { id: number; map_name: string }[]
    await expect.poll(async () => (await plansNow()).length).toBe(2)
    const plans = await plansNow()
    const jobsOf = (id: number) => rpc<KarteJob[]>('a_get_karte_auftraege', { karte_id: id })
    const filesOf = (id: number) => rpc<KarteFile[]>('a_get_karte_dateien', { karte_id: id })
    for (const { id } of plans) {
      const stand = async () => (await jobsOf(id)).find(({ art }) => art === 'entzerren')?.stand ?? 'wartet'
      await expect.poll(stand, { timeout: 30_000 }).toMatch(/fertig|fehlgeschlagen/)
      // The first is far from this customer, which somebody has to confirm; the second may be near the first.
      if ((await stand()) === 'fehlgeschlagen')
        await rpc('a_add_karte_auftrag', { karte_id: id, ort_bestaetigt: true })
      await expect
        .poll(async () => (await filesOf(id)).some(({ art }) => art === 'ergebnis'), { timeout: 60_000 })
        .toBe(true)
    }

    await page.goto(`/member-management/client/${KUNDE}?ansicht=karten`)
    await page.getByRole('checkbox', { name: 'Naht Blatt 1 auswählen', exact: true }).check()
    await page.getByRole('button', { name: 'Blätter zusammenführen' }).click()
    const few = page.getByRole('dialog', { name: 'Blätter zusammenführen' })
    await few.getByText('Bitte 2 bis 24 Pläne wählen').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('checkbox', { name: 'Naht Blatt 2 auswählen', exact: true }).check()
    await page.getByRole('button', { name: 'Blätter zusammenführen' }).click()
    const dialog = page.getByRole('dialog', { name: '2 Blätter zusammenführen' })
    // Two metres to the east and one and a half to the north.
    await dialog.getByText(/^2,[3-6]\d m nach Nordosten$/).waitFor({ timeout: 60_000 })
    await dialog.getByText('So liegt Naht Blatt 2 gegenüber Naht Blatt 1.').waitFor()
    await dialog.getByText('Punkte nahe der Kante prüfen:').waitFor()
    expect(await dialog.getByRole('link', { name: 'Naht Blatt 2' }).getAttribute('href')).toBe(
      `/karten/${plans[1]!.id}/georef`,
    )
    await dialog.getByText('Ausschnitt beider Zeichnungen zeigen').click()
    const picture = dialog.getByRole('img', { name: /^Ein Stück der Überlappung/ })
    await expect.poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(50)
    expect(await brokenRules(page)).toEqual([])
    // By keyboard: the second on top.
    const order = dialog.getByRole('region', { name: 'Reihenfolge' }).getByRole('listitem')
    await dialog.getByRole('button', { name: 'Naht Blatt 2 nach oben' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => order.first().innerText()).toContain('Naht Blatt 2')
    await dialog.getByLabel('Auflösung je Bildpunkt').fill('0,0001')
    await dialog.getByRole('button', { name: 'Mosaik erzeugen' }).click()
    await dialog.getByText('Das Mosaik hätte mehr als eine Milliarde Pixel.').waitFor()
    await dialog.getByLabel('Auflösung je Bildpunkt').fill('')
    await dialog.getByText(/Etwa 1\.600 × 700 Pixel/).waitFor()
    await dialog.getByLabel('Name des neuen Plans').fill('Mosaik Naht')
    await dialog.getByRole('button', { name: 'Mosaik erzeugen' }).click()

    await page.waitForURL(/\/karten\/\d+\?ansicht=dateien/)
    const id = Number(/karten\/(\d+)/.exec(page.url())?.[1])
    await page.getByText('Mosaik Naht.tif').waitFor({ timeout: 60_000 })
    await page.getByText('Von oben nach unten:').waitFor()
    expect(await brokenRules(page)).toEqual([])
    const waiting = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Mosaik Naht.tif herunterladen' }).click()
    const bytes = readFileSync(await (await waiting).path())
    const [file] = await filesOf(id)
    expect([bytes.subarray(0, 2).toString('latin1'), bytes.length]).toEqual(['II', file!.groesse])
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 1600, height: 700 })
    const drawn = page.waitForResponse(
      (answer) =>
        answer.url().includes(kartePaths.overlay(id, file!.id, 0, 0, 0).replace('/0/0/0', '/')) &&
        answer.status() === 200,
    )
    await page.getByRole('tab', { name: 'Plan', exact: true }).click()
    expect((await drawn).headers()['content-type']).toBe('image/webp')
    await page.getByText('Georeferenziert: Mosaik aus 2 Blättern').waitFor()
    expect(await page.getByRole('link', { name: 'Georeferenzieren' }).count()).toBe(0)
  })
})
