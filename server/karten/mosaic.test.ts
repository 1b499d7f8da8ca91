// Mosaics of drawn sheets, compared with what GDAL makes of the same files where it is installed.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drainPlan, drawSheet, type Line } from '#domain/georef/drawn-sheet.fixture.ts'
import type { Pair } from '#domain/georef/frame.ts'
import type { MosaicValues } from '#contract/karte-mosaic.ts'
import type { Raster } from '#domain/georef/raster.ts'
import { writeCog } from './cog.ts'
import { readGrid } from './grid.ts'
import { makeMosaic } from './mosaic.ts'
import { readTiff } from './read-tiff.ts'
import { runWork } from './run-work.ts'
import { createSampler } from './sampler.ts'
import type { PlacedResult } from './work.ts'

const hasGdal = ['gdalbuildvrt', 'gdalwarp', 'gdal_translate', 'gdalinfo'].every((name) =>
  existsSync(`/usr/bin/${name}`),
)
const gdal = (name: string, ...args: string[]): string =>
  execFileSync(`/usr/bin/${name}`, args, { encoding: 'utf8', env: {}, stdio: ['ignore', 'pipe', 'ignore'] })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mosaik-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const [EAST, NORTH] = [412_000, 5_987_000]
interface Sheet {
  readonly name: string
  /** Metres from the corner. */
  readonly east: number
  readonly south: number
  readonly width: number
  readonly height: number
  readonly aufloesung?: number
  readonly epsg?: number
  readonly channels?: 1 | 3
  readonly lines?: readonly Line[]
  readonly inside?: (x: number, y: number) => boolean
  readonly paper?: number
}

/** As a result is written; colours differ from channel to channel. */
async function sheet({
  name,
  east,
  south,
  width,
  height,
  aufloesung = 0.5,
  epsg = 25833,
  channels = 3,
  lines = drainPlan(width, height, name.length),
  inside = () => true,
  paper = 235,
}: Sheet): Promise<PlacedResult> {
  const { grey, mask } = drawSheet({ width, height, lines, paper, grain: 4 })
  const raster: Raster = { west: EAST + east, nord: NORTH - south, aufloesung, breite: width, hoehe: height }
  const data = new Uint8Array(width * height * channels)
  for (let i = 0; i < data.length; i++)
    data[i] = Math.max(0, grey[Math.floor(i / channels)]! - 11 * (i % channels))
  const filePath = join(folder, `${name}.tif`)
  const draw = createSampler(
    { width, height, channels, data },
    (e, n) => {
      const [x, y] = [(e - raster.west) / aufloesung, (raster.nord - n) / aufloesung]
      return inside(x, y) ? [x, y] : [-1, -1]
    },
    raster,
    'near',
  )
  await writeCog(
    (top, rows) => {
      const strip = draw(top, rows)
      for (let i = 0; i < strip.mask.length; i++)
        if (!inside(i % width, top + Math.floor(i / width))) {
          strip.mask[i] = 0
          strip.data.fill(255, i * channels, (i + 1) * channels)
        }
      return { ...strip, empty: !strip.mask.includes(255) }
    },
    { raster, epsg, channels, kompression: 'DEFLATE', path: filePath },
  )
  expect(mask.length).toBe(width * height)
  const [w, s] = [raster.west, raster.nord - height * aufloesung]
  const outline: Pair[] = [
    [w, s],
    [w + width * aufloesung, s],
    [w + width * aufloesung, raster.nord],
    [w, raster.nord],
    [w, s],
  ]
  return { filePath, epsg, umriss: outline }
}

const VALUES = { epsg: 25833, res: null, kompression: 'deflate', ueberlappung: 'oben' } as const
async function mosaic(
  name: string,
  placedSheets: readonly PlacedResult[],
  more: Partial<Omit<MosaicValues, 'blaetter'>> = {},
) {
  const outPath = join(folder, `${name}.mosaik.tif`)
  const shares: number[] = []
  const made = await makeMosaic(
    { blaetter: placedSheets, werte: { ...VALUES, ...more }, ziel: outPath, gridFolder: undefined },
    (share) => shares.push(share),
  )
  return { ziel: outPath, shares, ...made }
}

/** Pixels with the mask as the last channel. */
async function pixelsOf(path: string, mask: string | null = null) {
  const { data, info } = await sharp(path, { page: 0 }).raw().toBuffer({ resolveWithObject: true })
  const inside = mask === null ? null : await sharp(mask).toColourspace('b-w').raw().toBuffer()
  return { data, inside, ...info }
}
/** GDAL reads our mask: as a separate file. */
function maskOf(path: string): string {
  const target = `${path}.maske.tif`
  gdal('gdal_translate', '-q', '-b', 'mask', path, target)
  return target
}

describe.skipIf(!hasGdal)('a mosaic is pixel by pixel that of GDAL', () => {
  test('of sheets that share a resolution: the first on top, what none covers is masked', async () => {
    const sheets = [
      await sheet({ name: 'a', east: 0, south: 0, width: 700, height: 560 }),
      await sheet({ name: 'bb', east: 300, south: 40, width: 640, height: 600, paper: 220 }),
      await sheet({ name: 'ccc', east: 100, south: 250, width: 500, height: 530, paper: 205 }),
    ]
    const { ziel, breite, hoehe, umriss, shares } = await mosaic('same', sheets)
    const virtual = join(folder, 'same.vrt')
    const theirs = join(folder, 'same.gdal.tif')
    // GDAL's last is on top.
    gdal('gdalbuildvrt', '-q', virtual, ...sheets.toReversed().map(({ filePath }) => filePath))
    gdal('gdal_translate', '-q', virtual, theirs)
    const [own, other] = [await pixelsOf(ziel, maskOf(ziel)), await pixelsOf(theirs, maskOf(theirs))]
    expect([own.width, own.height]).toEqual([other.width, other.height])
    expect([breite, hoehe]).toEqual([own.width, own.height])
    expect(own.inside!.equals(other.inside!)).toBe(true)
    let different = 0
    for (let i = 0; i < own.inside!.length; i++)
      if (own.inside![i] !== 0)
        for (let c = 0; c < 3; c++) if (own.data[3 * i + c] !== other.data[3 * i + c]) different++
    expect(different).toBe(0)
    expect(umriss[0]).toEqual(umriss.at(-1))
    expect(umriss.length).toBeGreaterThan(5)
    expect(shares.at(-1)).toBeCloseTo(0.98)
  })
  test('of sheets of several systems and resolutions, within what resampling leaves', async () => {
    const { converter } = await readGrid(undefined)
    const to = converter.conversion(25833, 25832)
    const [e, n] = to([EAST, NORTH])
    const sheets = [
      await sheet({ name: 'here', east: 0, south: 0, width: 600, height: 600, lines: [], paper: 100 }),
      await sheet({
        name: 'there',
        east: Math.round(e - EAST) + 200,
        south: Math.round(NORTH - n) + 100,
        width: 500,
        height: 500,
        aufloesung: 0.8,
        epsg: 25832,
      }),
    ]
    const { ziel } = await mosaic('systems', sheets, { res: 1 })
    const info = JSON.parse(gdal('gdalinfo', '-json', ziel)) as {
      cornerCoordinates: { lowerLeft: number[]; upperRight: number[] }
    }
    const theirs = join(folder, 'systems.gdal.tif')
    const box = [...info.cornerCoordinates.lowerLeft, ...info.cornerCoordinates.upperRight].map(String)
    const how = ['-q', '-t_srs', 'EPSG:25833', '-tr', '1', '1', '-te', ...box, '-r', 'cubic', '-et', '0']
    const files = sheets.toReversed().map(({ filePath }) => filePath)
    gdal('gdalwarp', ...how, '-dstalpha', ...files, theirs)
    const [own, other] = [await pixelsOf(ziel, maskOf(ziel)), await pixelsOf(theirs)]
    expect([own.width, own.height]).toEqual([other.width, other.height])
    let [both, far, maskDiffers] = [0, 0, 0]
    for (let i = 0; i < own.inside!.length; i++) {
      const theirsInside = other.data[4 * i + 3]! > 127
      if (theirsInside !== own.inside![i]! > 0) maskDiffers++
      else if (theirsInside) {
        both++
        if (Math.abs(other.data[4 * i]! - own.data[3 * i]!) > 24) far++
      }
    }
    expect(both).toBeGreaterThan(100_000)
    // Along edges, half a pixel belongs to one or the other.
    expect(maskDiffers / both).toBeLessThan(0.02)
    expect(far / both).toBeLessThan(0.02)
  })
  test('opens as a COG: overviews, a mask, the system', async () => {
    const sheets = [
      await sheet({ name: 'cog1', east: 0, south: 0, width: 900, height: 900, channels: 1 }),
      await sheet({ name: 'cog2', east: 400, south: 0, width: 900, height: 900, channels: 1 }),
    ]
    const { ziel } = await mosaic('cog', sheets, { kompression: 'jpeg' })
    const info = JSON.parse(gdal('gdalinfo', '-json', ziel)) as {
      bands: { overviews: unknown[]; mask: { flags: string[] }; block: number[] }[]
      metadata: { IMAGE_STRUCTURE: { COMPRESSION: string } }
      coordinateSystem: { wkt: string }
    }
    expect(info.bands).toHaveLength(1)
    expect(info.bands[0]!.overviews.length).toBeGreaterThan(0)
    expect(info.bands[0]!.mask.flags).toEqual(['PER_DATASET'])
    expect(info.bands[0]!.block).toEqual([512, 512])
    expect(info.metadata.IMAGE_STRUCTURE.COMPRESSION).toBe('JPEG')
    expect(info.coordinateSystem.wkt).toContain('25833')
  })
})

describe('sheets', () => {
  test('are laid by the darker pixel if the paper of one shall not cover the drawing of the other', async () => {
    const size = { east: 0, south: 0, width: 600, height: 600, channels: 1 as const, lines: [] }
    const sheets = [
      await sheet({ ...size, name: 'paper' }),
      await sheet({ ...size, name: 'dark', paper: 60 }),
    ]
    const first = async (name: string, order: PlacedResult[], overlap: 'oben' | 'dunkel') =>
      (await pixelsOf((await mosaic(name, order, { ueberlappung: overlap })).ziel)).data[2000]!
    expect(await first('top', sheets, 'oben')).toBeGreaterThan(180)
    expect(await first('darker', sheets, 'dunkel')).toBeLessThan(100)
    expect(await first('order', sheets.toReversed(), 'dunkel')).toBeLessThan(100)
    expect(await first('turned', sheets.toReversed(), 'oben')).toBeLessThan(100)
  })
  test('of grey and of colour become colour; what is masked in one shows the other', async () => {
    const sheets = [
      await sheet({
        name: 'hole',
        east: 0,
        south: 0,
        width: 600,
        height: 600,
        lines: [],
        channels: 1,
        inside: (x, y) => x < 200 || y < 200,
      }),
      await sheet({ name: 'beneath', east: 0, south: 0, width: 600, height: 600, lines: [], paper: 90 }),
    ]
    const { data, channels } = await pixelsOf((await mosaic('hole', sheets)).ziel)
    expect(channels).toBe(3)
    expect(data[3 * (100 * 600 + 100)]).toBeGreaterThan(180)
    expect(data[3 * (400 * 600 + 400)]).toBeLessThan(120)
  })
  test('that lie too far apart are refused before anything is drawn, and leave nothing behind', async () => {
    const sheets = [
      await sheet({ name: 'near', east: 0, south: 0, width: 64, height: 64 }),
      await sheet({ name: 'far', east: 90_000, south: 90_000, width: 64, height: 64 }),
    ]
    await expect(mosaic('apart', sheets)).rejects.toMatchObject({ code: 'karte_mosaik_gross' })
    expect((await readdir(folder)).filter((name) => name.startsWith('apart'))).toEqual([])
  })
})

test('a large mosaic needs no more memory than a few of its strips', { timeout: 240_000 }, async () => {
  const [width, height] = [6_000, 6_000]
  const large = async (name: string, east: number, south: number): Promise<PlacedResult> => {
    const raster: Raster = {
      west: EAST + east,
      nord: NORTH - south,
      aufloesung: 1,
      breite: width,
      hoehe: height,
    }
    const filePath = join(folder, `${name}.tif`)
    await writeCog(
      (_top, rows) => ({
        data: new Uint8Array(width * rows * 3).fill(east % 251),
        mask: new Uint8Array(width * rows).fill(255),
        empty: false,
      }),
      { raster, epsg: 25833, channels: 3, kompression: 'JPEG', path: filePath },
    )
    const [e, s] = [raster.west + width, raster.nord - height]
    return {
      filePath,
      epsg: 25833,
      umriss: [
        [raster.west, s],
        [e, s],
        [e, raster.nord],
        [raster.west, raster.nord],
      ],
    }
  }
  const placedSheets = [
    await large('large1', 0, 0),
    await large('large2', 90, 5_800),
    await large('large3', 100, 11_700),
    await large('large4', 60, 17_600),
  ]
  const outPath = join(folder, 'large.mosaik.tif')
  const memoryBytes = 400 * 2 ** 20
  const made = await runWork(
    {
      art: 'mosaik',
      blaetter: placedSheets,
      werte: { ...VALUES, kompression: 'jpeg' },
      ziel: outPath,
      gridFolder: undefined,
    },
    { timeoutMs: 200_000, memoryBytes },
  )
  // Its pixels alone are more than the process may take.
  expect(made.breite * made.hoehe * 3).toBeGreaterThan(memoryBytes)
  const { bilder, masks } = await readTiff(outPath)
  expect(bilder[0]!.breite).toBe(made.breite)
  expect(masks).toHaveLength(bilder.length)
})
