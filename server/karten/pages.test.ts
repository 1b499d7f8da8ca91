// Sheets of a file of several: which pages are sheets, and that one taken out is the same to the bit.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyTiffPage } from './copy-tiff-page.ts'
import { sheetsOf, takePage } from './pages.ts'
import { greySheet, type SheetOf, tiffOf } from './several-sheets.fixture.ts'

const GDALINFO = '/usr/bin/gdalinfo'
const TRANSLATE = '/usr/bin/gdal_translate'
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pages-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
function written(sheets: readonly SheetOf[]): string {
  const file = join(folder, 'a.tif')
  writeFileSync(file, tiffOf(sheets))
  return file
}

const ONE_BIT: SheetOf = {
  width: 64,
  height: 40,
  bits: 1,
  data: Buffer.from(Array.from({ length: 8 * 40 }, (_, at) => (at * 37) & 255)),
  dpi: 400,
}
const DEEP: SheetOf = {
  width: 50,
  height: 30,
  bits: 16,
  data: Buffer.from(Uint16Array.from({ length: 1500 }, (_, at) => at * 43).buffer),
  dpi: 600,
}

test('smaller sizes and masks are no sheets', async () => {
  const file = written([
    greySheet(60, 40, 3),
    { ...greySheet(30, 20, 3), kind: 1 },
    { ...ONE_BIT, kind: 4 },
    greySheet(50, 40, 7),
    { ...ONE_BIT, kind: 5 },
  ])
  expect(await sheetsOf(file)).toEqual([0, 3])
})
test('of a file of hundreds of pages all are counted, and the last one can be taken', async () => {
  // Three smaller sizes a page, as GDAL writes them.
  const page = (nr: number): SheetOf[] => [
    greySheet(20 + (nr % 7), 10, nr),
    ...[10, 5, 3].map((width) => ({ ...greySheet(width, 5, nr), kind: 1 })),
  ]
  const file = written(Array.from({ length: 150 }, (_, nr) => page(nr)).flat())
  expect(await sheetsOf(file)).toEqual(Array.from({ length: 150 }, (_, nr) => 4 * nr))
  const target = join(folder, 'last.tif')
  await takePage({ filePath: file, ziel: target, seite: 150, pdftoppm: null })
  expect((await sharp(target).metadata()).width).toBe(20 + (149 % 7))
})
test('directories that go in a circle are counted once', async () => {
  const bytes = tiffOf([greySheet(20, 10, 1), greySheet(20, 10, 2)])
  const first = bytes.readUInt32LE(4)
  const second = bytes.readUInt32LE(first + 2 + bytes.readUInt16LE(first) * 12)
  bytes.writeUInt32LE(first, second + 2 + bytes.readUInt16LE(second) * 12)
  const file = join(folder, 'circle.tif')
  writeFileSync(file, bytes)
  expect(await sheetsOf(file)).toEqual([0, 1])
})
test('a picture that is no TIFF is one sheet', async () => {
  const file = join(folder, 'a.png')
  await sharp({ create: { width: 30, height: 20, channels: 3, background: '#123' } }).toFile(file)
  expect(await sheetsOf(file)).toEqual([0])
})

describe('a page taken out', () => {
  const SHEETS: readonly SheetOf[] = [greySheet(60, 40, 3), greySheet(52, 44, 7, 200), ONE_BIT, DEEP]
  test.each([
    [2, 'uchar', 200],
    [3, 'uchar', 400],
    [4, 'ushort', 600],
  ] as const)('%d has its pixels, depth and resolution', async (sheetNr, depth, dpi) => {
    const [filePath, target] = [written(SHEETS), join(folder, `out-${sheetNr}`)]
    await takePage({ filePath, ziel: target, seite: sheetNr, pdftoppm: null })
    const pixels = (path: string, page: number) =>
      sharp(path, { page })
        .toColourspace(depth === 'ushort' ? 'grey16' : 'b-w')
        .raw({ depth })
        .toBuffer()
    const { width, height, density, ...meta } = await sharp(target).metadata()
    const { width: wide, height: high } = SHEETS[sheetNr - 1]!
    expect({ width, height, density, depth: meta.depth, pages: meta.pages ?? 1 }).toEqual({
      width: wide,
      height: high,
      density: dpi,
      depth,
      pages: 1,
    })
    expect((await pixels(target, 0)).equals(await pixels(filePath, sheetNr - 1))).toBe(true)
    if (existsSync(GDALINFO)) expect(execFileSync(GDALINFO, [target]).toString()).toContain(`Size is ${wide}`)
  })
  test.each([0, 5, 64])('%d does not exist', async (sheetNr) => {
    const work = takePage({
      filePath: written(SHEETS),
      ziel: join(folder, 'no'),
      seite: sheetNr,
      pdftoppm: null,
    })
    await expect(work).rejects.toMatchObject({ code: 'karte_seite' })
    expect(existsSync(join(folder, 'no'))).toBe(false)
  })

  test.each([
    ['the same bytes a thousand times', (tiff: Buffer) => tiff.writeUInt32LE(2 ** 31, at(tiff, 279))],
    ['data behind its end', (tiff: Buffer) => tiff.writeUInt32LE(tiff.length - 4, at(tiff, 273))],
    ['a tag of four billion values', (tiff: Buffer) => tiff.writeUInt32LE(2 ** 32 - 1, at(tiff, 258) - 4)],
  ])('of a file that claims %s is refused', async (what, spoil) => {
    const tiff = tiffOf([greySheet(60, 40, 3)])
    spoil(tiff)
    const [file, out] = [join(folder, 'spoilt.tif'), join(folder, `spoilt ${what}`)]
    writeFileSync(file, tiff)
    await expect(copyTiffPage(file, 0, out)).rejects.toThrow(RangeError)
    expect(existsSync(out) ? statSync(out).size : 0).toBeLessThan(10_000)
  })
  /** Where the value of a tag of the first directory stands. */
  const at = (tiff: Buffer, tag: number): number => {
    const directory = tiff.readUInt32LE(4)
    const count = tiff.readUInt16LE(directory)
    const nr = Array.from({ length: count }, (_, one) => tiff.readUInt16LE(directory + 2 + one * 12)).indexOf(
      tag,
    )
    return directory + 2 + nr * 12 + 8
  }
})

describe.skipIf(!existsSync(TRANSLATE))('pages as GDAL writes them', () => {
  test.each([
    ['LZW strips', ['COMPRESS=LZW']],
    ['JPEG tiles', ['COMPRESS=JPEG', 'PHOTOMETRIC=YCBCR', 'TILED=YES']],
    ['BigTIFF, the other order of bytes', ['BIGTIFF=YES', 'ENDIANNESS=BIG', 'COMPRESS=DEFLATE']],
    ['separate bands', ['INTERLEAVE=BAND', 'COMPRESS=PACKBITS']],
  ])('%s: the second page has the same pixels', async (what, options) => {
    const file = join(folder, `${what}.tif`)
    const create = options.flatMap((one) => ['-co', one])
    for (const [nr, size] of [
      [0, 90],
      [1, 300],
    ] as const) {
      const picture = join(folder, 'page.png')
      await sharp({
        create: {
          width: size,
          height: 200,
          channels: 3,
          background: '#888',
          noise: { type: 'gaussian', mean: 120, sigma: 30 },
        },
      })
        .png()
        .toFile(picture)
      execFileSync(TRANSLATE, [
        '-q',
        picture,
        file,
        ...create,
        ...(nr === 0 ? [] : ['-co', 'APPEND_SUBDATASET=YES']),
      ])
    }
    const out = join(folder, `${what}.out`)
    await takePage({ filePath: file, ziel: out, seite: 2, pdftoppm: null })
    expect((await sharp(out).metadata()).width).toBe(300)
    const pixels = (path: string, page: number) => sharp(path, { page }).raw().toBuffer()
    expect((await pixels(out, 0)).equals(await pixels(file, 1))).toBe(true)
    expect(execFileSync(GDALINFO, ['-checksum', out]).toString()).toContain('Size is 300, 200')
  })
})
