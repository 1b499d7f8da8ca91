// Scans that are cut off, damaged, packed in a way that nothing here reads, or of more than eight bits.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPicture } from './picture.ts'
import { readTiff } from './read-tiff.ts'
import { runWork } from './run-work.ts'
import { cutTile } from './tiles.ts'
import { writeHead, headLength, type Tag } from './tiff.ts'
import type { Work } from './work.ts'

const WARP = '/usr/bin/gdalwarp'
const LIMITS = { timeoutMs: 60_000, memoryBytes: 2 ** 30 }
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scans-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let made = 0
async function stored(bytes: Buffer): Promise<string> {
  const path = join(folder, String(++made))
  await writeFile(path, bytes)
  return path
}
const checked = async (bytes: Buffer) =>
  runWork({ art: 'pruefen', filePath: await stored(bytes) } satisfies Work, LIMITS)
const tiled = async (bytes: Buffer) => {
  const filePath = await stored(bytes)
  const target = `${filePath}.tiles`
  return {
    ziel: target,
    answer: await runWork({ art: 'kacheln', filePath, ziel: target } satisfies Work, LIMITS),
  }
}

/** Noise: no two parts of the file are alike. */
const noise = (width = 300, height = 200) =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
const FORMATS = {
  jpeg: () => noise().jpeg().toBuffer(),
  'progressive jpeg': () => noise().jpeg({ progressive: true }).toBuffer(),
  png: () => noise().png().toBuffer(),
  'interlaced png': () => noise().png({ progressive: true }).toBuffer(),
  tiff: () => noise().tiff({ compression: 'lzw' }).toBuffer(),
  'tiled tiff': () => noise().tiff({ compression: 'deflate', tile: true, bigtiff: true }).toBuffer(),
  webp: () => noise().webp().toBuffer(),
} as const
type Format = keyof typeof FORMATS
const formats = Object.keys(FORMATS) as Format[]

describe('a scan that is whole', () => {
  test.each(formats)('%s is taken', async (format) => {
    expect(await checked(await FORMATS[format]())).toMatchObject({ breite: 300, hoehe: 200 })
  })
  test('with bytes of another program behind its end is taken', async () => {
    expect(await checked(Buffer.concat([await FORMATS.jpeg(), randomBytes(9000)]))).toMatchObject({
      breite: 300,
    })
  })
  test('with a preview of its own in its head is taken, and that preview is not its end', async () => {
    const preview = await noise(40, 30).jpeg().toBuffer()
    const part = Buffer.alloc(4)
    part.writeUInt16BE(0xffed, 0)
    part.writeUInt16BE(preview.length + 2, 2)
    const jpeg = await FORMATS.jpeg()
    const whole = Buffer.concat([jpeg.subarray(0, 2), part, preview, jpeg.subarray(2)])
    expect(await checked(whole)).toMatchObject({ breite: 300 })
    await expect(checked(whole.subarray(0, whole.length * 0.7))).rejects.toMatchObject({
      code: 'karte_abgeschnitten',
    })
  })
})

describe('a scan that is cut off', () => {
  test.each(formats.flatMap((format) => [0.3, 0.6, 0.99].map((share) => [format, share] as const)))(
    '%s after %d of its bytes is refused before it is stored',
    async (format, share) => {
      const bytes = await FORMATS[format]()
      await expect(checked(bytes.subarray(0, bytes.length * share))).rejects.toMatchObject({
        // The directory of a TIFF is at its end, or what it names is beyond the end.
        code: format.endsWith('tiff')
          ? (expect.stringMatching(/^karte_(bild|abgeschnitten)$/) as string)
          : 'karte_abgeschnitten',
      })
    },
  )
  test('in the last byte of its end', async () => {
    const jpeg = await FORMATS.jpeg()
    await expect(checked(jpeg.subarray(0, -1))).rejects.toMatchObject({ code: 'karte_abgeschnitten' })
  })
})

describe('a scan that is damaged', () => {
  test('a PNG with a changed byte is refused', async () => {
    const png = await FORMATS.png()
    png[Math.floor(png.length / 2)]! ^= 0x55
    await expect(checked(png)).rejects.toMatchObject({ code: 'karte_bild' })
  })
  test('a JPEG that lost blocks of the disk is drawn and says so, although its decoder is content', async () => {
    const jpeg = await FORMATS.jpeg()
    jpeg.fill(0, 20 * 512, 28 * 512)
    await sharp(jpeg, { failOn: 'warning' }).raw().toBuffer()
    expect((await tiled(jpeg)).answer).toEqual({ range: null, isDamaged: true })
  })
  test.each([
    ['in strips of JPEG', { compression: 'jpeg' }],
    ['in tiles of JPEG', { compression: 'jpeg', tile: true, tileWidth: 256, tileHeight: 256 }],
    ['packed with LZW', { compression: 'lzw' }],
  ] as const)('a TIFF %s that lost blocks of the disk says so', async (_what, options) => {
    const tiff = await noise(600, 400).tiff(options).toBuffer()
    expect((await tiled(tiff)).answer).toEqual({ range: null, isDamaged: false })
    tiff.fill(0, 20 * 512, 24 * 512)
    const told = await tiled(tiff).then(
      ({ answer }) => answer.isDamaged,
      ({ code }) => code === 'karte_bild',
    )
    expect(told).toBe(true)
  })
  test('a white TIFF with little on it is not taken for damaged', async () => {
    const sheet = sharp({
      create: { width: 4000, height: 3000, channels: 3, background: 'white' },
    }).composite([{ input: await noise(50, 40).png().toBuffer(), left: 700, top: 1800 }])
    for (const compression of ['jpeg', 'lzw', 'deflate', 'none'] as const)
      expect((await tiled(await sheet.tiff({ compression }).toBuffer())).answer.isDamaged, compression).toBe(
        false,
      )
    if (!existsSync(WARP)) return
    const [from, to] = [await stored(await sheet.tiff().toBuffer()), join(folder, 'fax.tif')]
    const fax = ['-b', '1', '-scale', '0', '255', '0', '1', '-co', 'NBITS=1', '-co', 'COMPRESS=CCITTFAX4']
    execFileSync('/usr/bin/gdal_translate', ['-q', ...fax, from, to])
    expect((await tiled(await readFile(to))).answer.isDamaged).toBe(false)
  })
  test('a JPEG that lost its end of blocks says so', async () => {
    const jpeg = await FORMATS.jpeg()
    jpeg.fill(0, Math.floor(jpeg.length / 1024) * 512, jpeg.length - 2)
    expect((await tiled(jpeg)).answer).toMatchObject({ isDamaged: true })
  })
  test('a JPEG of which the decoder complains is drawn and says so', async () => {
    const jpeg = await noise().jpeg({ progressive: true, mozjpeg: true }).toBuffer()
    jpeg.fill(0, 9001, 9900)
    await expect(sharp(jpeg, { failOn: 'warning' }).raw().toBuffer()).rejects.toThrow()
    expect((await tiled(jpeg)).answer).toMatchObject({ isDamaged: true })
  })
  test('a white sheet with little on it is not taken for damaged', async () => {
    const sheet = await sharp({ create: { width: 4000, height: 3000, channels: 3, background: 'white' } })
      .composite([{ input: await noise(50, 40).png().toBuffer(), left: 700, top: 1800 }])
      .jpeg({ mozjpeg: true })
      .toBuffer()
    expect((await tiled(sheet)).answer).toEqual({ range: null, isDamaged: false })
    expect((await tiled(await FORMATS.jpeg())).answer).toEqual({ range: null, isDamaged: false })
  })
})

describe('a TIFF packed in a way that is not read', () => {
  /** The value of a tag in the first directory of a classic TIFF. */
  function withTag(tiff: Buffer, tag: number, value: number): Buffer {
    const directory = tiff.readUInt32LE(4)
    for (let entry = directory + 2; ; entry += 12)
      if (tiff.readUInt16LE(entry) === tag) {
        tiff.writeUInt16LE(value, entry + 8)
        return tiff
      }
  }
  test.each([
    ['ZSTD', 50_000, 'karte_tiff_zstd'],
    ['LZMA', 34_925, 'karte_tiff_lzma'],
    ['LERC', 34_887, 'karte_tiff_lerc'],
    ['JPEG XL', 50_002, 'karte_tiff_art'],
  ])('%s is refused by name', async (_name, value, code) => {
    const tiff = withTag(await noise().tiff({ compression: 'none' }).toBuffer(), 259, value)
    await expect(checked(tiff)).rejects.toMatchObject({ code })
  })
  test('numbers of 64 bits are refused by name', async () => {
    await expect(checked(tiffOf(new Float64Array(400).fill(3), 20, 20))).rejects.toMatchObject({
      code: 'karte_tiff_tiefe',
    })
  })
})

/** One strip of grey values. */
function tiffOf(
  values: Float32Array | Float64Array,
  width: number,
  height: number,
  more: Tag[] = [],
): Buffer {
  const pixels = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
  const tags = (at: number): Tag[][] => [
    [
      { tag: 256, kind: 'long', values: [width] },
      { tag: 257, kind: 'long', values: [height] },
      { tag: 258, kind: 'short', values: [8 * values.BYTES_PER_ELEMENT] },
      { tag: 259, kind: 'short', values: [1] },
      { tag: 262, kind: 'short', values: [1] },
      { tag: 273, kind: 'long', values: [at] },
      { tag: 277, kind: 'short', values: [1] },
      { tag: 278, kind: 'long', values: [height] },
      { tag: 279, kind: 'long', values: [pixels.length] },
      { tag: 339, kind: 'short', values: [3] },
      ...more,
    ],
  ]
  return Buffer.concat([writeHead(tags(headLength(tags(0), false)), false), pixels])
}

describe('a scan of more than eight bits', () => {
  const [width, height] = [64, 32]
  /** From left to right, with a hole of no value at the upper left. */
  const heights = (none: number) =>
    Float32Array.from({ length: width * height }, (_, i) => (i === 0 ? none : 31.5 + (i % width) / 4))
  const lastOfRow = { left: 31.5 + 1 / 4, right: 31.5 + (width - 1) / 4 }

  test('heights are stretched from the lowest to the highest, and the range is told', async () => {
    const tiff = tiffOf(heights(31.5), width, height)
    const picture = await readPicture(await stored(tiff))
    expect([...picture.data.subarray(0, 2), picture.data[width - 1]]).toEqual([0, 4, 255])
    expect((await tiled(tiff)).answer).toEqual({ range: [31.5, lastOfRow.right], isDamaged: false })
  })
  test.each([
    ['the value GDAL names', -9999],
    ['no number', Number.NaN],
  ])('%s is white and does not count', async (_what, none) => {
    const noValue: Tag = { tag: 42_113, kind: 'ascii', values: [...Buffer.from(`${none}\0`.toLowerCase())] }
    const tiff = tiffOf(heights(none), width, height, [noValue])
    const picture = await readPicture(await stored(tiff))
    expect([picture.data[0], picture.data[width], picture.data[width - 1]]).toEqual([255, 0, 255])
    expect((await tiled(tiff)).answer.range).toEqual([31.5, lastOfRow.right])
  })
  test.each(['tiff', 'png'] as const)(
    'grey of sixteen bits, a dark %s, shows its differences',
    async (format) => {
      const grey = Uint16Array.from({ length: width * height }, (_, i) => 800 + 4 * (i % width))
      const bytes = await sharp(grey, { raw: { width, height, channels: 1 } })
        .toColourspace('grey16')
        .toFormat(format, { compression: 'none' })
        .toBuffer()
      const { ziel, answer } = await tiled(bytes)
      expect(answer).toEqual({ range: [800, 800 + 4 * (width - 1)], isDamaged: false })
      const tile = await cutTile(ziel, await readTiff(ziel), 0, 0, 0)
      const { data } = await sharp(tile!.inhalt).greyscale().raw().toBuffer({ resolveWithObject: true })
      expect(data[0]).toBeLessThan(12)
      expect(data[width - 1]).toBeGreaterThan(243)
    },
  )
  test.each(['tiff', 'png'] as const)(
    'grey of sixteen bits with transparency, a dark %s, does too',
    async (format) => {
      const pairs = Uint16Array.from({ length: 2 * width * height }, (_, at) => {
        const column = (at >> 1) % width
        if (at % 2 === 1) return column === 0 ? 0 : 65_535
        return column === 0 ? 0 : 800 + 4 * column
      })
      const bytes = await sharp(pairs, { raw: { width, height, channels: 2 } })
        .toColourspace('grey16')
        .toFormat(format, { compression: 'none' })
        .toBuffer()
      expect((await tiled(bytes)).answer).toEqual({ range: [804, 800 + 4 * (width - 1)], isDamaged: false })
      const picture = await readPicture(await stored(bytes))
      expect(picture.channels).toBe(1)
      expect([...picture.data.subarray(0, 2), picture.data[width - 1]]).toEqual([255, 0, 255])
      expect([0, 1, 2].map((pixel) => ((picture.present?.[0] ?? 255) >> pixel) & 1)).toEqual([0, 1, 1])
    },
  )
  test('colours of sixteen bits with transparency', async () => {
    const values = Uint16Array.from({ length: 4 * width * height }, (_, at) =>
      at % 4 === 3 ? 65_535 : 1_000 + 10 * ((at >> 2) % width) + (at % 4),
    )
    const bytes = await sharp(values, { raw: { width, height, channels: 4 } })
      .toColourspace('rgb16')
      .png()
      .toBuffer()
    expect((await tiled(bytes)).answer.range).toEqual([1_000, 1_002 + 10 * (width - 1)])
    expect((await readPicture(await stored(bytes))).channels).toBe(3)
  })
  test.skipIf(!existsSync(WARP))('heights that gdalwarp gave a band of transparency', async () => {
    const [from, to] = [await stored(tiffOf(heights(31.5), width, height)), join(folder, 'warped.tif')]
    const place = ['-a_srs', 'EPSG:25833', '-a_ullr', '412000', '5987000', '412300', '5986800']
    execFileSync('/usr/bin/gdal_translate', ['-q', ...place, from, `${from}.tif`])
    const wider = ['-te', '411900', '5986700', '412400', '5987100']
    execFileSync(WARP, ['-q', '-dstalpha', ...wider, `${from}.tif`, to])
    const { range } = (await tiled(await readFile(to))).answer
    expect(range).toEqual([31.5, lastOfRow.right].map((value) => expect.closeTo(value, 1) as number))
  })
  test('of one value is a white sheet', async () => {
    const picture = await readPicture(await stored(tiffOf(new Float32Array(400).fill(7), 20, 20)))
    expect(new Set(picture.data)).toEqual(new Set([255]))
  })
  test('one larger than a strip that is read at once is the same picture', async () => {
    const [wide, tall] = [4100, 4000]
    const values = Float32Array.from({ length: wide * tall }, (_, i) => Math.floor(i / wide))
    const picture = await readPicture(await stored(tiffOf(values, wide, tall)))
    for (const row of [0, 1, 1999, 3901, 3902, 3903, 3999])
      expect(picture.data[row * wide + 7], `row ${row}`).toBe(Math.round((row * 255) / (tall - 1)))
  })
  test('of eight bits is left as it is', async () => {
    const { answer } = await tiled(await FORMATS.tiff())
    expect(answer).toEqual({ range: null, isDamaged: false })
  })
})
