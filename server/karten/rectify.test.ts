import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Pair } from '#domain/georef/frame.ts'
import { fitTransform, type GeorefType, type ControlPoint } from '#domain/georef/transform.ts'
import { type Raster, rasterOf, suggestedResolution } from '#domain/georef/raster.ts'
import type { Picture } from './sampling.ts'
import { createSampler } from './sampler.ts'
import { readPicture } from './picture.ts'
import { type CogJob, writeCog } from './cog.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'entzerren-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Column and row are metres east and south of the corner: the grid coincides with the scan. */
const PLAIN: Raster = { west: 400_000, nord: 5_900_000, aufloesung: 1, breite: 700, hoehe: 530 }
const plain = (east: number, north: number): Pair => [east - PLAIN.west, PLAIN.nord - north]
function coloured(width: number, height: number): Picture {
  const data = new Uint8Array(width * height * 3)
  data.forEach((_, i) => (data[i] = (i * 31 + Math.floor(i / (3 * width)) * 17) % 251))
  return { width, height, channels: 3, data }
}
const write = (name: string, picture: Picture, more: Partial<CogJob> = {}, toScan = plain) => {
  const raster = more.raster ?? PLAIN
  const path = join(folder, name)
  const draw = createSampler(picture, toScan, raster, 'near')
  return writeCog(draw, {
    raster,
    epsg: 25833,
    channels: picture.channels as 1 | 3,
    kompression: 'DEFLATE',
    path,
    ...more,
  }).then(() => path)
}

describe('a file', () => {
  test('holds the scan’s pixels without loss, in tiles beyond one row and column', async () => {
    const picture = coloured(700, 530)
    const path = await write('plain.tif', picture)
    expect(Buffer.from(picture.data).equals(await sharp(path, { page: 0 }).raw().toBuffer())).toBe(true)
  })
  test('has a mask and halves of itself down to one tile', async () => {
    const directories = directoriesOf(await readFile(await write('halves.tif', coloured(700, 530))))
    expect(directories.map((tags) => [254, 256, 257, 277].map((tag) => tags.get(tag)![0]))).toEqual([
      [0, 700, 530, 3],
      [4, 700, 530, 1],
      [1, 350, 265, 3],
      [5, 350, 265, 1],
    ])
  })
  test('says where it lies, in tags that every reader knows', async () => {
    const tags = tagsOf(await readFile(await write('where.tif', coloured(700, 530), { epsg: 25832 })))
    expect(tags.get(33550)).toEqual([1, 1, 0])
    expect(tags.get(33922)).toEqual([0, 0, 0, 400_000, 5_900_000, 0])
    expect(tags.get(34735)).toEqual([1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 25832])
  })
  test('of degrees says so', async () => {
    const tags = tagsOf(await readFile(await write('degrees.tif', coloured(20, 20), { epsg: 4258 })))
    expect(tags.get(34735)!.slice(4, 8)).toEqual([1024, 0, 1, 2])
    expect(tags.get(34735)!.slice(12)).toEqual([2048, 0, 1, 4258])
  })
  test('begins with its directories, and the smallest picture comes before the larger', async () => {
    const bytes = await readFile(await write('order.tif', coloured(700, 530)))
    const full = tagsOf(bytes).get(324)!
    const [, , half] = directoriesOf(bytes)
    expect(Math.max(...half!.get(324)!)).toBeLessThan(Math.min(...full))
    expect(full.every((offset, i) => i === 0 || offset > full[i - 1]!)).toBe(true)
  })
  test('as JPEG looks the same to the eye', async () => {
    const slope: Picture = {
      width: 600,
      height: 520,
      channels: 3,
      data: Uint8Array.from({ length: 600 * 520 * 3 }, (_, i) => Math.floor(i / 3 / 600 / 3) + (i % 3) * 20),
    }
    const path = await write('picture.tif', slope, {
      kompression: 'JPEG',
      raster: { ...PLAIN, breite: 600, hoehe: 520 },
    })
    const read = await sharp(path, { page: 0 }).raw().toBuffer()
    const sum = slope.data.reduce((total, value, i) => total + Math.abs(value - read[i]!), 0)
    expect(sum / slope.data.length).toBeLessThan(2)
  })
  test('of a scan that lies beside most of its grid is white and masked there', async () => {
    const raster: Raster = { ...PLAIN, breite: 1600, hoehe: 1100 }
    const path = await write('corner.tif', coloured(100, 80), { raster }, (east, north) => [
      east - PLAIN.west - 1450,
      PLAIN.nord - north - 1000,
    ])
    const at = (x: number, y: number) => y * raster.breite + x
    const bytes = await readFile(path)
    expect([maskAt(bytes, 10, 10), maskAt(bytes, 1500, 1040), maskAt(bytes, 1560, 1040)]).toEqual([0, 1, 0])
    const picture = await sharp(path, { page: 0 }).raw().toBuffer()
    expect([...picture.subarray(3 * at(10, 10), 3 * at(10, 10) + 3)]).toEqual([255, 255, 255])
  })
  test('that is given up half-way leaves nothing behind', async () => {
    const control = new AbortController()
    const work = write('given-up.tif', coloured(700, 530), {
      signal: control.signal,
      onProgress: () => control.abort(new Error('given up')),
    })
    await expect(work).rejects.toThrow('given up')
    expect((await readdir(folder)).filter((name) => name.startsWith('given-up'))).toEqual([])
  })
  test('tells how far it is', async () => {
    const shares: number[] = []
    await write('progress.tif', coloured(700, 530), { onProgress: (share) => shares.push(share) })
    expect(shares).toEqual([512 / 530, 1])
  })
})

describe('points of the scan', () => {
  test.each<GeorefType>(['polynom1', 'tps', 'projektiv'])('lie where %s puts them', async (kind) => {
    const [width, height] = [1200, 900]
    const data = new Uint8Array(width * height).fill(255)
    const marks: readonly Pair[] = [
      [150, 120],
      [1033, 200],
      [620, 455],
      [333, 790],
    ]
    for (const [x, y] of marks)
      for (let j = -3; j <= 3; j++) for (let i = -3; i <= 3; i++) data[(y + j) * width + x + i] = 0
    // Only a spline can follow this bend.
    const bent = kind === 'tps' ? 1e-5 : 0
    const points: ControlPoint[] = Array.from({ length: 12 }, (_, i) => {
      const [column, row] = [60 + ((i * 389) % 1080), 50 + ((i * 277) % 800)]
      return {
        spalte: column,
        zeile: row,
        ost: 412_000 + 0.3 * column + 0.05 * row + bent * column * row,
        nord: 5_987_000 + 0.05 * column - 0.3 * row,
      }
    })
    const transform = fitTransform(kind, points)!
    const raster = rasterOf(transform, width, height, suggestedResolution(transform, width, height)) as Raster
    const strip = createSampler(
      { width, height, channels: 1, data },
      transform.zumScan,
      raster,
      'bilinear',
    )(0, raster.hoehe)
    for (const [x, y] of marks) {
      const [east, north] = transform.zurKarte(x + 0.5, y + 0.5)
      const [column, row] = [
        (east - raster.west) / raster.aufloesung,
        (raster.nord - north) / raster.aufloesung,
      ]
      const [foundX, foundY] = darkestAround(strip.data, raster.breite, column, row)
      expect(Math.hypot(foundX - column, foundY - row)).toBeLessThan(0.15)
    }
  })
})

/** The centre of the dark pixels within a distance of twelve. */
function darkestAround(data: Uint8Array, width: number, column: number, row: number): Pair {
  let [weight, x, y] = [0, 0, 0]
  for (let j = Math.floor(row) - 12; j <= row + 12; j++)
    for (let i = Math.floor(column) - 12; i <= column + 12; i++) {
      const dark = 255 - data[j * width + i]!
      weight += dark
      x += dark * (i + 0.5)
      y += dark * (j + 0.5)
    }
  return [x / weight, y / weight]
}

describe('a scan is read', () => {
  test.each([
    [
      'grey',
      1,
      sharp({ create: { width: 8, height: 6, channels: 3, background: '#777' } })
        .toColourspace('b-w')
        .tiff(),
    ],
    ['in colours', 3, sharp({ create: { width: 8, height: 6, channels: 3, background: '#d22' } }).jpeg()],
    [
      'of one bit',
      1,
      sharp({ create: { width: 8, height: 6, channels: 3, background: 'white' } })
        .toColourspace('b-w')
        .tiff({ bitdepth: 1, compression: 'ccittfax4' }),
    ],
  ])('%s as %i channels', async (name, channels, image) => {
    const path = join(folder, `scan-${name}`)
    await writeFile(path, await image.toBuffer())
    expect(await readPicture(path)).toMatchObject({ width: 8, height: 6, channels })
  })
  test('with what shines through laid on white', async () => {
    const path = join(folder, 'clear.png')
    await writeFile(
      path,
      await sharp({
        create: { width: 4, height: 4, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
      })
        .png()
        .toBuffer(),
    )
    expect((await readPicture(path)).data.every((value) => value === 255)).toBe(true)
  })
  test('as its pixels lie in the file, whatever it says of its orientation', async () => {
    const path = join(folder, 'turned.jpg')
    await writeFile(
      path,
      await sharp({ create: { width: 10, height: 4, channels: 3, background: 'white' } })
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer(),
    )
    expect(await readPicture(path)).toMatchObject({ width: 10, height: 4 })
  })
  test('in a smaller copy', async () => {
    const path = join(folder, 'large.png')
    await writeFile(
      path,
      await sharp({ create: { width: 90, height: 60, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    )
    expect(await readPicture(path, 3)).toMatchObject({ width: 30, height: 20, channels: 3 })
  })
  test.each(['', 'no picture at all', '<svg xmlns="http://www.w3.org/2000/svg" width="1e5" height="1e5"/>'])(
    '%j is refused',
    async (text) => {
      const path = join(folder, 'none')
      await writeFile(path, text)
      await expect(readPicture(path)).rejects.toThrow()
    },
  )
})

/** Directories of a classic little-endian TIFF. */
function directoriesOf(bytes: Buffer): Map<number, number[]>[] {
  const found: Map<number, number[]>[] = []
  const SIZES: Record<number, number> = { 3: 2, 4: 4, 5: 8, 12: 8 }
  for (let at = bytes.readUInt32LE(4); at !== 0; ) {
    const count = bytes.readUInt16LE(at)
    const tags = new Map<number, number[]>()
    for (let i = 0; i < count; i++) {
      const entry = at + 2 + 12 * i
      const [type, length] = [bytes.readUInt16LE(entry + 2), bytes.readUInt32LE(entry + 4)]
      const size = SIZES[type]!
      const from = size * length <= 4 ? entry + 8 : bytes.readUInt32LE(entry + 8)
      const value = (place: number) =>
        type === 12
          ? bytes.readDoubleLE(place)
          : type === 3
            ? bytes.readUInt16LE(place)
            : bytes.readUInt32LE(place)
      tags.set(
        bytes.readUInt16LE(entry),
        Array.from({ length }, (_, k) => value(from + k * size)),
      )
    }
    found.push(tags)
    at = bytes.readUInt32LE(at + 2 + 12 * count)
  }
  return found
}
/** The mask bit of a pixel of the full-size picture. */
function maskAt(bytes: Buffer, x: number, y: number): number {
  const tags = directoriesOf(bytes)[1]!
  const across = Math.ceil(tags.get(256)![0]! / 512)
  const tile = Math.floor(y / 512) * across + Math.floor(x / 512)
  const [offset, length] = [tags.get(324)![tile]!, tags.get(325)![tile]!]
  const bits = inflateSync(bytes.subarray(offset, offset + length))
  return (bits[(y % 512) * 64 + ((x % 512) >> 3)]! >> (7 - (x & 7))) & 1
}
const tagsOf = (bytes: Buffer): Map<number, number[]> => directoriesOf(bytes)[0]!
