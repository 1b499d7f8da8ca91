// Tiles of files written by the product's own warper and by GDAL: they show the same place,
// whichever made the file.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { levelsOf, TILE_SIZE } from '#contract/karte-files.ts'
import type { RectifyValues } from '#domain/georef/rectify-values.ts'
import { runWork } from './run-work.ts'
import { type Grid, readGrid } from './grid.ts'
import { cutTile, drawOverlay, drawPreview } from './tiles.ts'
import { cutTiles } from './pyramid.ts'
import { readMask, readTiff } from './read-tiff.ts'
import { findTools } from './tools.ts'

const LIMITS = { timeoutMs: 60_000, memoryBytes: 2 ** 31 }
const HALF = 20_037_508.342789244
let folder: string
let grid: Grid
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kacheln-'))
  grid = await readGrid(undefined)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Blue, with the lower right quarter white. */
async function scan(width: number, height: number, grey = false): Promise<string> {
  const path = join(folder, `${width}-${height}-${grey}.png`)
  const white = await sharp({
    create: { width: Math.floor(width / 2), height: Math.floor(height / 2), channels: 3, background: '#fff' },
  })
    .png()
    .toBuffer()
  const whole = sharp({ create: { width, height, channels: 3, background: '#2040d0' } }).composite([
    { input: white, left: Math.ceil(width / 2), top: Math.ceil(height / 2) },
  ])
  await sharp(await whole.png().toBuffer())
    .toColourspace(grey ? 'b-w' : 'srgb')
    .png()
    .toFile(path)
  return path
}

describe('a file in its own pixels', () => {
  test.each([
    [512, 512],
    [513, 100],
    [1025, 513],
    [16, 16],
    [300, 200],
    [2047, 16],
    [1537, 1999],
  ])('%i × %i: each square of each level as large as it is said to be', async (width, height) => {
    const path = join(folder, `eigen-${width}-${height}.tif`)
    await cutTiles(await scan(width, height), path)
    const head = await readTiff(path)
    const { breite, hoehe } = head.bilder[0]!
    const levels = levelsOf(breite, hoehe)
    for (let z = 0; z < levels; z++) {
      const shrink = 2 ** (levels - 1 - z)
      const [w, h] = [Math.ceil(breite / shrink), Math.ceil(hoehe / shrink)]
      const last = { x: Math.ceil(w / TILE_SIZE) - 1, y: Math.ceil(h / TILE_SIZE) - 1 }
      const { inhalt } = (await cutTile(path, head, z, last.x, last.y))!
      expect(await sharp(inhalt).metadata(), `level ${z}`).toMatchObject({
        width: w - last.x * TILE_SIZE,
        height: h - last.y * TILE_SIZE,
      })
      expect(await cutTile(path, head, z, last.x + 1, 0)).toBeNull()
    }
    expect(await cutTile(path, head, levels, 0, 0)).toBeNull()
    expect(
      Math.max(
        ...(await sharp((await drawPreview(path, head)).inhalt).stats()).channels.map(({ max }) => max),
      ),
    ).toBeGreaterThan(0)
  })
  test('of one bit, of sixteen, of a palette and with transparency are cut as they look', async () => {
    const source = await scan(700, 600)
    const kinds: [string, Sharp][] = [
      ['bit', sharp(source).toColourspace('b-w').tiff({ compression: 'deflate', bitdepth: 1 })],
      ['sechzehn', sharp(source).toColourspace('rgb16').png()],
      ['palette', sharp(source).png({ palette: true, colours: 8 })],
      ['durchsichtig', sharp(source).ensureAlpha(0.5).png()],
      ['druck', sharp(source).toColourspace('cmyk').jpeg()],
    ]
    for (const [name, picture] of kinds) {
      const [file, path] = [join(folder, name), join(folder, `${name}.tif`)]
      await picture.toFile(file)
      await cutTiles(file, path)
      const { inhalt } = (await cutTile(path, await readTiff(path), 0, 0, 0))!
      const { data, info } = await sharp(inhalt)
        .toColourspace('srgb')
        .raw()
        .toBuffer({ resolveWithObject: true })
      const at = (x: number, y: number) => [
        ...data.subarray((y * info.width + x) * info.channels, (y * info.width + x) * info.channels + 3),
      ]
      expect(Math.min(...at(300, 280)), `${name} white`).toBeGreaterThan(240)
      expect(at(20, 20)[0], `${name} dark`).toBeLessThan(180)
    }
  })
})

/** Half a metre per pixel; turned by ten degrees about its upper left corner. */
const TURN = (10 * Math.PI) / 180
const toKarte = (
  [x, y]: readonly [number, number],
  west = 400_000,
  north = 5_900_000,
): readonly [number, number] => [
  west + 0.5 * (x * Math.cos(TURN) + y * Math.sin(TURN)),
  north + 0.5 * (x * Math.sin(TURN) - y * Math.cos(TURN)),
]
/** What turns a sheet so, from these pixels of it. */
const turned = (
  corners: readonly (readonly [number, number])[],
  more: Pick<RectifyValues, 'verfahren' | 'kompression'>,
): RectifyValues => ({
  georef_typ: 'helmert',
  epsg: 25833,
  res: 0.5,
  ...more,
  punkte: corners.map((pixel) => {
    const [mapX, mapY] = toKarte(pixel)
    return { mapx: mapX, mapy: mapY, pixelx: pixel[0], pixely: -pixel[1] }
  }),
})
async function colourAt(
  path: string,
  epsg: number,
  [east, north]: readonly [number, number],
  z: number,
): Promise<string> {
  const [x, y] = grid.converter.conversion(epsg, 3857)([east, north])
  const [u, v] = [((x + HALF) * 2 ** z) / (2 * HALF), ((HALF - y) * 2 ** z) / (2 * HALF)]
  const square = await drawOverlay(path, await readTiff(path), grid, epsg, [z, Math.floor(u), Math.floor(v)])
  if (square === null) return 'nothing'
  const { data } = await sharp(square.inhalt).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const [r, , b, alpha] = data.subarray((Math.floor((v % 1) * 256) * 256 + Math.floor((u % 1) * 256)) * 4)
  return alpha! < 128 ? 'clear' : r! > 200 ? 'white' : b! > 40 && r! < 120 ? 'dark' : `${r} ${b}`
}

describe.each(['eigen', 'gdal'] as const)('a result by %s', (driver) => {
  test.each([
    ['jpeg', false],
    ['deflate', false],
    ['jpeg', true],
    ['deflate', true],
  ] as const)('as %s, grey: %s', async (compression, grey) => {
    const { gdal } = await findTools(['/usr/bin'])
    if (driver === 'gdal' && gdal === null) return
    const target = join(folder, `${driver}-${compression}-${grey}.tif`)
    const corners = [[0, 0] as const, [1400, 0] as const, [1400, 1000] as const, [0, 1000] as const]
    const values = turned(corners, { verfahren: 'bilinear', kompression: compression })
    const { umriss } = await runWork(
      {
        art: 'entzerren',
        filePath: await scan(1400, 1000, grey),
        ziel: target,
        gdal: driver === 'gdal' ? gdal : null,
        werte: values,
      },
      LIMITS,
    )
    for (const corner of corners) {
      const [east, north] = toKarte(corner)
      expect(umriss).toContainEqual([expect.closeTo(east, 2), expect.closeTo(north, 2)])
    }
    for (const z of [14, 16, 18]) {
      expect(await colourAt(target, 25833, toKarte([350, 250]), z), `dark at ${z}`).toBe('dark')
      expect(await colourAt(target, 25833, toKarte([1050, 750]), z), `white at ${z}`).toBe('white')
    }
    // Inside the surrounding grid, outside the turned sheet.
    expect(await colourAt(target, 25833, toKarte([700, -60]), 18)).toMatch(/clear|nothing/)
    expect(await colourAt(target, 25833, toKarte([-60, 500]), 18)).toMatch(/clear|nothing/)
    expect(await colourAt(target, 25833, toKarte([700, 4]), 19)).toBe('dark')
    expect(await colourAt(target, 25833, toKarte([700, -4]), 19)).toBe('clear')
  })
})

test('a result in a system without room for the whole world is drawn on squares of half a country', async (context) => {
  if (!grid.converter.systems.has(31468)) return context.skip()
  const target = join(folder, 'gk4.tif')
  const points = [[0, 0] as const, [1400, 1000] as const].map(([x, y]) => ({
    mapx: 4_512_000 + x * 20,
    mapy: 5_587_000 - y * 20,
    pixelx: x,
    pixely: -y,
  }))
  const values = {
    georef_typ: 'linear',
    epsg: 31468,
    res: 20,
    verfahren: 'near',
    kompression: 'jpeg',
    punkte: points,
  } as const
  await runWork(
    {
      art: 'entzerren',
      filePath: await scan(1400, 1000),
      ziel: target,
      gdal: null,
      werte: { ...values, punkte: points },
    },
    LIMITS,
  )
  for (const z of [0, 3, 5, 7, 10, 13]) {
    if (z >= 7)
      expect(await colourAt(target, 31468, [4_512_000 + 350 * 20, 5_587_000 - 250 * 20], z), `at ${z}`).toBe(
        'dark',
      )
    else
      expect(typeof (await colourAt(target, 31468, [4_512_000 + 350 * 20, 5_587_000 - 250 * 20], z))).toBe(
        'string',
      )
  }
})

test('a mask is read where it is asked for, across its tiles', async () => {
  const target = join(folder, 'maske.tif')
  const corners = [[0, 0] as const, [1400, 1000] as const]
  const values = turned(corners, { verfahren: 'near', kompression: 'deflate' })
  const { breite, hoehe } = await runWork(
    { art: 'entzerren', filePath: await scan(1400, 1000), ziel: target, gdal: null, werte: values },
    LIMITS,
  )
  const { masks } = await readTiff(target)
  const whole = await readMask(target, masks[0]!, { left: 0, top: 0, width: breite, height: hoehe })
  const share = whole.reduce((sum, value) => sum + value / 255, 0)
  expect(share / (1400 * 1000)).toBeCloseTo(1, 2)
  const area = { left: 500, top: 490, width: 40, height: 50 }
  const cut = await readMask(target, masks[0]!, area)
  const same = Array.from({ length: 50 }, (_, y) =>
    whole.subarray((490 + y) * breite + 500, (490 + y) * breite + 540),
  )
  expect(Buffer.from(cut).equals(Buffer.concat(same))).toBe(true)
})
