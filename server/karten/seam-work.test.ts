// Seams between results as files: drawn sheets whose offset on the ground is known.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drainPlan, drawSheet, type SheetView } from '#domain/georef/drawn-sheet.fixture.ts'
import type { Pair } from '#domain/georef/frame.ts'
import type { Raster } from '#domain/georef/raster.ts'
import { writeCog } from './cog.ts'
import { readGrid } from './grid.ts'
import { seamBetween } from './seam-work.ts'
import type { PlacedResult } from './work.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'naht-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const [EAST, NORTH] = [412_000, 5_987_000]
const GROUND = drainPlan(1600, 700, 4)
const [WIDTH, HEIGHT] = [900, 700]
let next = 0

/** A window of the ground, 0.4 m per pixel, whose drawing is `off` pixels beside its place. */
async function sheet(
  left: number,
  {
    off = [0, 0],
    epsg = 25833,
    aufloesung = 0.4,
    ...more
  }: Partial<SheetView> & {
    off?: Pair
    epsg?: number
    aufloesung?: number
  } = {},
): Promise<PlacedResult> {
  const lines = GROUND.map(([a, b, c, d]) => [a - left, b, c - left, d] as const)
  const { grey, mask } = drawSheet({
    width: WIDTH,
    height: HEIGHT,
    lines,
    shift: off,
    grain: 6,
    seed: left + 1,
    ...more,
  })
  const { converter } = await readGrid(undefined)
  const [west, north] = converter.conversion(25833, epsg)([EAST + left * 0.4, NORTH])
  const raster: Raster = { west, nord: north, aufloesung, breite: WIDTH, hoehe: HEIGHT }
  const filePath = join(folder, `${next++}.tif`)
  await writeCog(
    (top, rows) => ({
      data: grey.subarray(top * WIDTH, (top + rows) * WIDTH),
      mask: mask.subarray(top * WIDTH, (top + rows) * WIDTH),
      empty: false,
    }),
    { raster, epsg, channels: 1, kompression: 'DEFLATE', path: filePath },
  )
  const [east, south] = [west + WIDTH * aufloesung, north - HEIGHT * aufloesung]
  return {
    filePath,
    epsg,
    umriss: [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  }
}
const seam = (first: PlacedResult, second: PlacedResult) =>
  seamBetween({ blaetter: [first, second], gridFolder: undefined })

describe('two results', () => {
  test('that overlap: the offset in metres, east and north, with a picture of both', async () => {
    const found = await seam(await sheet(0), await sheet(700, { off: [3.5, -6] }))
    expect(found).toMatchObject({
      art: 'gemessen',
      aufloesung: expect.closeTo(0.4, 2),
    })
    if (found.art === 'gemessen') expect(Math.hypot(found.ost - 1.4, found.nord - 2.4)).toBeLessThan(0.1)
    const { width, height, channels } = await sharp(Buffer.from(found.bild!, 'base64')).metadata()
    expect(Math.max(width, height)).toBeLessThanOrEqual(320)
    expect(channels).toBe(3)
  })
  test('the other way round it is the opposite', async () => {
    const [first, second] = [await sheet(0), await sheet(700, { off: [3.5, -6] })]
    const [there, back] = [await seam(first, second), await seam(second, first)]
    if (there.art !== 'gemessen' || back.art !== 'gemessen') throw new Error('not measured')
    expect(back.ost).toBeCloseTo(-there.ost, 1)
    expect(back.nord).toBeCloseTo(-there.nord, 1)
  })
  test('that fit: no offset', async () => {
    const found = await seam(await sheet(0), await sheet(640))
    if (found.art !== 'gemessen') throw new Error('not measured')
    expect(Math.hypot(found.ost, found.nord)).toBeLessThan(0.1)
  })
  test('in degrees and in metres are measured in metres', async () => {
    const { converter } = await readGrid(undefined)
    const [a, b] = [
      converter.conversion(25833, 4258)([EAST, NORTH]),
      converter.conversion(25833, 4258)([EAST, NORTH - 100]),
    ]
    // A pixel of this many degrees is 0.4 m high and narrower than that.
    const resolution = (a[1] - b[1]) / 250
    const degrees = await sheet(0, { epsg: 4258, aufloesung: resolution })
    const found = await seam(degrees, degrees)
    if (found.art !== 'gemessen') throw new Error('not measured')
    expect(Math.hypot(found.ost, found.nord)).toBeLessThan(0.05)
    expect(found.aufloesung).toBeGreaterThan(0.2)
  })
  test.each([
    ['do not meet', 900, {}, 'ohne_ueberlappung'],
    ['have nothing drawn where they meet', 800, { lines: [] }, 'wenig_gezeichnet'],
    ['meet in a strip of two pixels', 898, {}, 'zu_schmal'],
  ] as const)('that %s are not measured', async (_what, left, more, reason) => {
    expect(await seam(await sheet(0), await sheet(left, more))).toMatchObject({
      art: 'unsicher',
      grund: reason,
    })
  })
})
