// Sheets that are no rectangle: what a file declares to be none stays transparent in all that is made of it.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RectifyValues } from '#domain/georef/rectify-values.ts'
import { converter } from '../geodata/converter.ts'
import { makeMosaic } from './mosaic.ts'
import { readPicture } from './picture.ts'
import { cutTiles } from './pyramid.ts'
import { readTiff } from './read-tiff.ts'
import { rectify } from './rectify.ts'
import { headLength, type Tag, writeHead } from './tiff.ts'
import { drawOverlay, drawPreview } from './tiles.ts'

const [WIDE, HIGH, RIM] = [320, 256, 60]
const isInside = (x: number, y: number): boolean => x >= RIM && x < WIDE - RIM && y >= RIM && y < HIGH - RIM
const pixels = (of: (inside: boolean) => readonly number[]): Uint8Array =>
  Uint8Array.from(
    Array.from({ length: WIDE * HIGH }, (_, i) => of(isInside(i % WIDE, Math.floor(i / WIDE)))).flat(),
  )

interface Kind {
  readonly data: Uint8Array
  /** 1 grey, 2 colours, 3 palette. */
  readonly meaning: number
  readonly bands: number
  readonly bits?: number
  readonly more?: readonly Tag[]
  /** Packed bits, and how many rows are one piece. */
  /** Before the mask. */
  readonly secondPage?: boolean
  readonly mask?: { readonly pieces: readonly Buffer[]; readonly tags: readonly Tag[] }
}
const NONE = (text: string): Tag => ({ tag: 42_113, kind: 'ascii', values: [...Buffer.from(`${text}\0`)] })

function tiffOf({ data, meaning, bands, bits = 8, more = [], mask, secondPage = false }: Kind): Buffer {
  const directories = (at: number): Tag[][] => {
    const size = (nr: number): number =>
      mask!.pieces.slice(0, nr).reduce((sum, { length }) => sum + length, 0)
    const offsets = mask?.pieces.map((_, nr) => at + data.length + size(nr)) ?? []
    const tiled = mask?.tags.some(({ tag }) => tag === 322) === true
    const picture = [
      { tag: 256, kind: 'long' as const, values: [WIDE] },
      { tag: 257, kind: 'long' as const, values: [HIGH] },
      { tag: 258, kind: 'short' as const, values: Array.from({ length: bands }, () => bits) },
      { tag: 259, kind: 'short' as const, values: [1] },
      { tag: 262, kind: 'short' as const, values: [meaning] },
      { tag: 273, kind: 'long' as const, values: [at] },
      { tag: 277, kind: 'short' as const, values: [bands] },
      { tag: 278, kind: 'long' as const, values: [HIGH] },
      { tag: 279, kind: 'long' as const, values: [data.length] },
      ...more,
    ].toSorted((a, b) => a.tag - b.tag)
    return [
      picture,
      ...(secondPage ? [picture] : []),
      ...(mask === undefined
        ? []
        : [
            [
              { tag: 254, kind: 'long' as const, values: [4] },
              { tag: 256, kind: 'long' as const, values: [WIDE] },
              { tag: 257, kind: 'long' as const, values: [HIGH] },
              { tag: 258, kind: 'short' as const, values: [1] },
              { tag: 262, kind: 'short' as const, values: [4] },
              { tag: tiled ? 324 : 273, kind: 'long' as const, values: offsets },
              { tag: 277, kind: 'short' as const, values: [1] },
              {
                tag: tiled ? 325 : 279,
                kind: 'long' as const,
                values: mask.pieces.map(({ length }) => length),
              },
              ...mask.tags,
            ].toSorted((a, b) => a.tag - b.tag),
          ]),
    ]
  }
  return Buffer.concat([
    writeHead(directories(headLength(directories(0), false)), false),
    data,
    ...(mask?.pieces ?? []),
  ])
}
/** The bits of a mask, in pieces of that size. */
const bitsOf = (width: number, height: number): Buffer[] =>
  Array.from({ length: Math.ceil(HIGH / height) }, (_, down) =>
    Array.from({ length: Math.ceil(WIDE / width) }, (__, across) => {
      const bits = Buffer.alloc((width / 8) * height)
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++)
          if (isInside(across * width + x, down * height + y)) bits[(y * width + x) >> 3]! |= 0x80 >> (x & 7)
      return bits
    }),
  ).flat()

const INK = [120, 60, 200] as const
/** Sixteen colours, of which the fifth stands for none, and the sheet's is the third. */
const COLOURS = [0, 1, 2].flatMap((channel) =>
  Array.from(
    { length: 16 },
    (_, nr) => (nr === 3 ? INK[channel]! : nr === 5 ? [10, 255, 10][channel]! : nr) * 257,
  ),
)
const half = (bytes: Uint8Array): Uint8Array =>
  Uint8Array.from({ length: bytes.length / 2 }, (_, i) => (bytes[2 * i]! << 4) | bytes[2 * i + 1]!)

const KINDS: Readonly<Record<string, () => Kind>> = {
  'transparency as a band': () => ({
    data: pixels((inside) => (inside ? [...INK, 255] : [0, 0, 0, 0])),
    meaning: 2,
    bands: 4,
    more: [{ tag: 338, kind: 'short', values: [2] }],
  }),
  'grey with transparency': () => ({
    data: pixels((inside) => (inside ? [90, 255] : [0, 0])),
    meaning: 1,
    bands: 2,
    more: [{ tag: 338, kind: 'short', values: [2] }],
  }),
  'black for none': () => ({
    data: pixels((inside) => (inside ? INK : [0, 0, 0])),
    meaning: 2,
    bands: 3,
    more: [NONE('0')],
  }),
  'white for none': () => ({
    data: pixels((inside) => (inside ? INK : [255, 255, 255])),
    meaning: 2,
    bands: 3,
    more: [NONE('255')],
  }),
  'grey 7 for none': () => ({
    data: pixels((inside) => [inside ? 90 : 7]),
    meaning: 1,
    bands: 1,
    more: [NONE('7')],
  }),
  'an entry of a palette for none': () => ({
    data: half(pixels((inside) => [inside ? 3 : 5])),
    meaning: 3,
    bands: 1,
    bits: 4,
    more: [{ tag: 320, kind: 'short', values: COLOURS }, NONE('5')],
  }),
  'a mask in strips': () => ({
    data: pixels((inside) => (inside ? INK : [0, 0, 0])),
    meaning: 2,
    bands: 3,
    mask: {
      pieces: bitsOf(WIDE, 20).map((bits) => deflateSync(bits)),
      tags: [
        { tag: 259, kind: 'short', values: [8] },
        { tag: 278, kind: 'long', values: [20] },
      ],
    },
  }),
  'a mask in tiles': () => ({
    data: pixels((inside) => (inside ? INK : [0, 0, 0])),
    meaning: 2,
    bands: 3,
    mask: {
      pieces: bitsOf(32, 32),
      tags: [
        { tag: 259, kind: 'short', values: [1] },
        { tag: 322, kind: 'long', values: [32] },
        { tag: 323, kind: 'long', values: [32] },
      ],
    },
  }),
}

/** Its pixels are metres, from 380,000 and 5,930,048. */
const VALUES: RectifyValues = {
  epsg: 25_833,
  georef_typ: 'linear',
  verfahren: 'near',
  kompression: 'deflate',
  res: 1,
  punkte: [
    { mapx: 380_000, mapy: 5_930_048, pixelx: 0, pixely: 0 },
    { mapx: 380_320, mapy: 5_929_792, pixelx: WIDE, pixely: -HIGH },
  ],
} as unknown as RectifyValues
const GDAL = { translate: '/usr/bin/gdal_translate', warp: '/usr/bin/gdalwarp' }

describe('the collar of a sheet', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'collar-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  let files = 0
  const stored = (bytes: Buffer): string => {
    const path = join(folder, `${files++}.tif`)
    writeFileSync(path, bytes)
    return path
  }
  async function rectified(filePath: string, more: Partial<RectifyValues> = {}, gdal = false) {
    const target = join(folder, `${files++}.result.tif`)
    const task = { art: 'entzerren', filePath, werte: { ...VALUES, ...more }, ziel: target } as const
    const { umriss } = await rectify({ ...task, gdal: gdal ? GDAL : null } as never, () => undefined)
    return { filePath: target, umriss, epsg: 25_833 }
  }
  /** Of the web map's tiles around the sheet: how many pixels are opaque, and their colours. */
  async function overlay(path: string) {
    const head = await readTiff(path)
    const known = converter()
    const [east, north] = known.conversion(25_833, 3857)([380_160, 5_929_920])
    const z = 16
    const [half, side] = [20_037_508.342789244, (2 * 20_037_508.342789244) / 2 ** z]
    const [x, y] = [Math.floor((east + half) / side), Math.floor((half - north) / side)]
    let opaque = 0
    const colours = new Set<string>()
    for (const [dx, dy] of [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((down) => [right, down] as const))) {
      const grid = { converter: known, extent: null }
      const tile = await drawOverlay(path, head, grid, 25_833, [z, x + dx, y + dy], 'image/png')
      if (tile === null) continue
      const data = await sharp(tile.inhalt).ensureAlpha().raw().toBuffer()
      for (let at = 0; at < data.length; at += 4)
        if (data[at + 3] === 255) {
          opaque += 1
          colours.add(data.subarray(at, at + 3).join(' '))
        }
    }
    return { opaque, colours }
  }
  const share = ((WIDE - 2 * RIM) * (HIGH - 2 * RIM)) / (WIDE * HIGH)

  describe.each(Object.entries(KINDS))('%s', (_, kind) => {
    const ink = (kind().bands >= 3 || kind().meaning === 3 ? INK : [90, 90, 90]).join(' ')
    test('is no sheet, and white for what knows no transparency', async () => {
      const path = stored(tiffOf(kind()))
      const { data, channels, present } = await readPicture(path)
      const there = Array.from({ length: WIDE * HIGH }, (_nothing, i) => (present![i >> 3]! >> (i & 7)) & 1)
      expect(there).toEqual([...pixels((inside) => [inside ? 1 : 0])])
      expect([data[0], data[channels - 1], data[channels * (80 * WIDE + 80)]]).toEqual([
        255,
        255,
        Number(ink.split(' ')[0]),
      ])
      await cutTiles(path, `${path}.pyramid`)
      const tiled = await sharp(`${path}.pyramid`).raw().toBuffer()
      expect(tiled[0]).toBeGreaterThan(250)
    })
    test.each(['eigen', 'gdal'])('is transparent in the result, tiles and previews of %s', async (engine) => {
      if (engine === 'gdal' && !existsSync(GDAL.warp)) return
      const whole = await overlay(
        (await rectified(stored(tiffOf({ data: pixels(() => INK), meaning: 2, bands: 3 })))).filePath,
      )
      const { filePath } = await rectified(stored(tiffOf(kind())), {}, engine === 'gdal')
      const drawn = await overlay(filePath)
      expect([...drawn.colours]).toEqual([ink])
      expect(drawn.opaque / whole.opaque).toBeCloseTo(share, 1)
      const preview = await drawPreview(filePath, await readTiff(filePath))
      const { data } = await sharp(preview.inhalt).raw().toBuffer({ resolveWithObject: true })
      expect(data[0]).toBeGreaterThan(250)
    })
  })

  test('a sheet beneath is seen through it in a mosaic, and the exported file says what is none', async () => {
    const beneath = await rectified(
      stored(tiffOf({ data: pixels(() => [10, 220, 30]), meaning: 2, bands: 3 })),
    )
    const above = await rectified(stored(tiffOf(KINDS['black for none']!())))
    const target = join(folder, 'mosaic.tif')
    const values = { epsg: 25_833, res: null, ueberlappung: 'oben', kompression: 'deflate' }
    await makeMosaic(
      {
        art: 'mosaik',
        blaetter: [above, beneath],
        werte: values,
        ziel: target,
        gridFolder: undefined,
      } as never,
      () => undefined,
    )
    const data = await sharp(target, { page: 0 }).raw().toBuffer()
    const at = (x: number, y: number): number[] => [
      ...data.subarray(3 * (y * WIDE + x), 3 * (y * WIDE + x) + 3),
    ]
    expect([at(2, 2), at(WIDE - 3, HIGH - 3), at(80, 80)]).toEqual([[10, 220, 30], [10, 220, 30], [...INK]])
    // As GDAL reads it: the mean of the mask is the share of the sheet.
    if (existsSync('/usr/bin/gdalinfo')) {
      const info = JSON.parse(
        execFileSync('gdalinfo', ['-json', '-stats', '-nomd', above.filePath], { cwd: folder }).toString(),
      ) as { bands: { minimum: number; mask?: object }[] }
      expect(info.bands[0]).toMatchObject({ minimum: INK[0], mask: { flags: ['PER_DATASET'] } })
    }
  })
  test('heights without a value are no sheet either', async () => {
    const heights = Float32Array.from(
      pixels((inside) => [inside ? 1 : 0]),
      (inside, nr) => (inside === 1 ? 30 + (nr % WIDE) / 10 : -9999),
    )
    const { present, data } = await readPicture(
      stored(
        tiffOf({
          data: new Uint8Array(heights.buffer),
          meaning: 1,
          bands: 1,
          bits: 32,
          more: [{ tag: 339, kind: 'short', values: [3] }, NONE('-9999')],
        }),
      ),
    )
    const there = Array.from({ length: WIDE * HIGH }, (_, i) => (present![i >> 3]! >> (i & 7)) & 1)
    expect([there, data[0]]).toEqual([[...pixels((inside) => [inside ? 1 : 0])], 255])
  })
  test('a fourth band that is no transparency hides nothing', async () => {
    const { present, data, channels } = await readPicture(
      stored(
        tiffOf({
          data: pixels((inside) => (inside ? [...INK, 0] : [30, 40, 50, 255])),
          meaning: 2,
          bands: 4,
          more: [{ tag: 338, kind: 'short', values: [0] }],
        }),
      ),
    )
    const at = channels * (80 * WIDE + 80)
    expect([present, channels, [...data.subarray(0, 3)], [...data.subarray(at, at + 3)]]).toEqual([
      undefined,
      3,
      [30, 40, 50],
      [...INK],
    ])
  })
  test('a value that no pixel may have, or of another kind, hides nothing', async () => {
    for (const text of ['256', '-1', 'nan', '0.5', '', ' ', 'x'])
      expect(
        (
          await readPicture(
            stored(tiffOf({ data: pixels(() => [0]), meaning: 1, bands: 1, more: [NONE(text)] })),
          )
        ).present,
        text,
      ).toBeUndefined()
  })
  test('the mask of another page hides nothing of the first', async () => {
    const { present } = await readPicture(
      stored(tiffOf({ ...KINDS['a mask in tiles']!(), secondPage: true })),
    )
    expect(present).toBeUndefined()
  })
  test('a mask that says it is larger than its pixels is refused, one of another packing is not read', async () => {
    const kind = KINDS['a mask in strips']!()
    const bomb = {
      ...kind,
      mask: { ...kind.mask!, pieces: kind.mask!.pieces.map(() => Buffer.alloc(100_000)) },
    }
    await expect(readPicture(stored(tiffOf(bomb)))).rejects.toThrow('a mask larger than its pixels')
    const other = kind.mask!.tags.map((tag) => (tag.tag === 259 ? { ...tag, values: [5] } : tag))
    expect(
      (await readPicture(stored(tiffOf({ ...kind, mask: { ...kind.mask!, tags: other } })))).present,
    ).toBeUndefined()
  })
  test('tiles that claim far more than the picture are not unpacked', async () => {
    const kind = KINDS['a mask in tiles']!()
    const tall = kind.mask!.tags.map((tag) => (tag.tag === 323 ? { ...tag, values: [2 ** 26] } : tag))
    // Any of them would be 64 MB and more.
    const pieces = kind.mask!.pieces.slice(0, Math.ceil(WIDE / 32))
    expect(
      (await readPicture(stored(tiffOf({ ...kind, mask: { pieces, tags: tall } })))).present,
    ).toBeUndefined()
  })
})
