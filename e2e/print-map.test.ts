// The map of stands on paper: on every sheet a millimetre is what the scale says, with title, legend, north
// arrow, day and sources.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Outline } from '#contract/bestand.ts'
import { groundPerUnit } from '../web/src/karte/sheet-layout.ts'
import { temporaryFolder } from './app.ts'
import { hasBrowser } from './browser.ts'
import { answerAt } from './calls.ts'
import { oneServer } from './one-server.ts'

const hasPdfTools = spawnSync('pdftoppm', ['-v']).status === 0
const SHEETS = [
  ['A4', 'quer', 297, 210],
  ['A3', 'hoch', 297, 420],
  ['A2', 'quer', 594, 420],
  ['A1', 'hoch', 594, 841],
  ['A0', 'quer', 1189, 841],
] as const
const DPI = 72

describe.skipIf(!hasBrowser() || !hasPdfTools)('the map of stands on paper', () => {
  const house = oneServer()

  /** Width and height of all that is drawn on the paper within the frame, in millimetres. */
  async function extentOf(png: string, times: number): Promise<readonly [number, number]> {
    const { data, info } = await sharp(readFileSync(png))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const px = (mm: number) => Math.round((mm * DPI) / 25.4)
    const box = [info.width, info.height, 0, 0] as [number, number, number, number]
    for (let y = px(26 * times); y < info.height - px(46 * times); y++)
      for (let x = px(11 * times); x < info.width - px(11 * times); x++) {
        const at = (y * info.width + x) * 3
        const isArrow = x > info.width - px(30 * times) && y < px(50 * times)
        if (isArrow || Math.min(data[at]!, data[at + 1]!, data[at + 2]!) > 228) continue
        box[0] = Math.min(box[0], x)
        box[1] = Math.min(box[1], y)
        box[2] = Math.max(box[2], x + 1)
        box[3] = Math.max(box[3], y + 1)
      }
    return [((box[2] - box[0]) / DPI) * 25.4, ((box[3] - box[1]) / DPI) * 25.4]
  }

  async function print(page: Page, [sheet, way]: (typeof SHEETS)[number], scale: number): Promise<string> {
    await page.getByRole('button', { name: 'Als PDF drucken' }).click()
    const dialog = page.getByRole('dialog', { name: 'Karte als PDF' })
    await dialog.getByText(sheet, { exact: true }).click()
    await dialog.getByText(way, { exact: true }).click()
    await dialog.getByLabel('Maßstab').selectOption(String(scale))
    const [download] = await Promise.all([
      page.waitForEvent('download', { timeout: 120_000 }),
      dialog.getByRole('button', { name: 'PDF erstellen' }).click(),
    ])
    const file = join(temporaryFolder(), `${sheet}.pdf`)
    await download.saveAs(file)
    await dialog.waitFor({ state: 'detached' })
    return file
  }

  test('from A4 to A0', async () => {
    const page = await house.visit('ogf_admin', '/dashboard')
    const outlines = await answerAt<Outline[]>(
      page,
      house.app,
      '/waldbestand/index?fb=2',
      'a_get_bestand_umrisse',
    )
    await page.getByRole('button', { name: 'Als PDF drucken' }).waitFor()
    const places = outlines.flatMap(([, areas]) => areas.flat(2))
    const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)]
    const [west, east] = [Math.min(...xs), Math.max(...xs)]
    const [south, north] = [Math.min(...ys), Math.max(...ys)]
    const [easting, northing] = groundPerUnit((south + north) / 2)
    const ground = [(east - west) * easting, (north - south) * northing] as const
    for (const one of SHEETS) {
      const [sheet, , wide, high] = one
      const times = { A4: 1, A3: 1, A2: 1.3, A1: 1.6, A0: 2 }[sheet]
      // The largest scale on which all of it is on the sheet.
      const room = [wide - 24 * times, high - 76 * times] as const
      const need = Math.max((ground[0] * 1000) / room[0], (ground[1] * 1000) / room[1])
      const scale = [2_500, 5_000, 10_000, 15_000, 25_000, 50_000].find((possible) => possible >= need)!
      const file = await print(page, one, scale)
      expect(execFileSync('pdfinfo', [file], { encoding: 'utf8' })).toMatch(new RegExp(`\\(${sheet}\\)`))
      const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' })
      for (const part of [
        'Waldbestand ',
        'Bestände nach führender Baumart',
        `Maßstab 1 : ${new Intl.NumberFormat('de').format(scale)}`,
        'Stand ',
        'Fichte',
        'N',
      ])
        expect(text, `${sheet}: ${part}`).toContain(part)
      const png = join(temporaryFolder(), sheet)
      execFileSync('pdftoppm', ['-r', String(DPI), '-png', '-singlefile', file, png])
      const [across, along] = await extentOf(`${png}.png`, times)
      // A pixel of this picture is a third of a millimetre, and the border is drawn on the edge.
      expect(Math.abs(across - (ground[0] * 1000) / scale), `${sheet} across`).toBeLessThan(1)
      expect(Math.abs(along - (ground[1] * 1000) / scale), `${sheet} along`).toBeLessThan(1)
    }
  })
})
