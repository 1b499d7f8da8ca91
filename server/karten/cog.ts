// Writes a GeoTIFF that can be read in pieces: tiles, overviews down to one tile, a mask for the area outside
// the scan; all directories first, then the tiles of the smallest overview.
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import sharp from 'sharp'
import type { Raster } from '#domain/georef/raster.ts'
import type { Strip } from './sampler.ts'
import { headLength, type Tag, writeHead } from './tiff.ts'

const TILE = 512
const JPEG_QUALITY = 80
/** A classic TIFF has 32-bit offsets. */
const CLASSIC_LIMIT = 2 ** 32 - 2 ** 20
const GEOGRAPHIC: ReadonlySet<number> = new Set([4258, 4326])
const deflated = promisify(deflate)

export type CogCompression = 'JPEG' | 'DEFLATE'

export interface CogJob {
  readonly raster: Raster
  readonly epsg: number
  readonly channels: 1 | 3
  readonly kompression: CogCompression
  /** Written under another name first and renamed at the end: a file with this name is complete. */
  readonly path: string
  readonly signal?: AbortSignal
  /** 0 to 1. */
  onProgress?(share: number): void
}

interface Piece {
  readonly at: number
  readonly bytes: number
}

/** One size of the picture: takes rows, writes full tiles, and passes a half-size copy to the next level. */
interface Level {
  readonly width: number
  readonly height: number
  readonly across: number
  /** Null where there is nothing of the scan. */
  readonly tiles: (Piece | null)[]
  readonly masks: (Piece | null)[]
  readonly data: Uint8Array
  readonly mask: Uint8Array
  filled: number
  row: number
}

function levelsOf({ breite, hoehe }: Raster, channels: number): Level[] {
  const levels: Level[] = []
  for (
    let [width, height] = [breite, hoehe];
    ;
    [width, height] = [Math.ceil(width / 2), Math.ceil(height / 2)]
  ) {
    const across = Math.ceil(width / TILE)
    const count = across * Math.ceil(height / TILE)
    // The first level is drawn strip by strip and needs no buffer of its own.
    const room = levels.length === 0 ? 0 : width * TILE
    levels.push({
      width,
      height,
      across,
      tiles: Array.from({ length: count }, () => null),
      masks: Array.from({ length: count }, () => null),
      data: new Uint8Array(room * channels),
      mask: new Uint8Array(room),
      filled: 0,
      row: 0,
    })
    if (width <= TILE && height <= TILE) return levels
  }
}

/**
 * Draws the grid strip by strip into a file.
 * @throws the signal's reason if cancelled; errors of the disk or the encoder
 */
export async function writeCog(draw: (top: number, rows: number) => Strip, jobSpec: CogJob): Promise<void> {
  const { raster, channels, path, signal } = jobSpec
  const store = `${path}.kacheln`
  const whole = `${path}.neu`
  const levels = levelsOf(raster, channels)
  try {
    const file = await open(store, 'w')
    try {
      const writer = createWriter(file, jobSpec)
      // While other threads encode a strip, the next one is drawn here.
      let writing = Promise.resolve()
      for (let top = 0; top < raster.hoehe; top += TILE) {
        const rows = Math.min(TILE, raster.hoehe - top)
        const [strip] = await Promise.all([drawn(draw, top, rows, signal), writing])
        writing = writer
          .take(levels, 0, strip, rows)
          .then(() => jobSpec.onProgress?.(Math.min(1, (top + rows) / raster.hoehe)))
        // Reported at the next strip; until then nothing awaits it.
        writing.catch(() => undefined)
      }
      await writing
      signal?.throwIfAborted()
      await writer.finish(levels)
    } finally {
      await file.close()
    }
    await assemble(levels, jobSpec, await blankTile(jobSpec), store, whole)
    await rename(whole, path)
  } finally {
    await Promise.all([rm(store, { force: true }), rm(whole, { force: true })])
  }
}

async function drawn(
  draw: (top: number, rows: number) => Strip,
  top: number,
  rows: number,
  signal: AbortSignal | undefined,
): Promise<Strip> {
  signal?.throwIfAborted()
  return draw(top, rows)
}

function createWriter(file: FileHandle, { channels, kompression }: CogJob) {
  let end = 0
  async function put(bytes: Uint8Array): Promise<Piece> {
    const at = end
    end += bytes.length
    await file.write(bytes, 0, bytes.length, at)
    return { at, bytes: bytes.length }
  }

  async function encodeRow(stufe: Level, data: Uint8Array, mask: Uint8Array, rows: number): Promise<void> {
    const row = stufe.row++
    const work = Array.from({ length: stufe.across }, async (_, column) => {
      const place = row * stufe.across + column
      const cut = cutTile(data, mask, stufe.width, column, rows, channels)
      if (cut === null) return
      stufe.tiles[place] = await put(await encoded(cut.data, channels, kompression))
      stufe.masks[place] = await put(await deflated(bitsOf(cut.mask)))
    })
    await Promise.all(work)
  }

  async function take(
    levels: readonly Level[],
    index: number,
    { data, mask, empty }: Strip,
    rows: number,
  ): Promise<void> {
    const stufe = levels[index]!
    if (empty) stufe.row += 1
    else await encodeRow(stufe, data, mask, rows)
    const next = levels[index + 1]
    if (next === undefined) return
    const half = Math.ceil(rows / 2)
    halve(data, mask, stufe.width, rows, channels, next, empty)
    next.filled += half
    if (next.filled === TILE) await flush(levels, index + 1)
  }

  async function flush(levels: readonly Level[], index: number): Promise<void> {
    const stufe = levels[index]!
    const rows = stufe.filled
    stufe.filled = 0
    await take(
      levels,
      index,
      {
        data: stufe.data,
        mask: stufe.mask,
        empty: !stufe.mask.subarray(0, rows * stufe.width).includes(255),
      },
      rows,
    )
  }

  return {
    take,
    async finish(levels: readonly Level[]): Promise<void> {
      for (let index = 1; index < levels.length; index++)
        if (levels[index]!.filled > 0) await flush(levels, index)
    },
  }
}

const encoded = (data: Uint8Array, channels: 1 | 3, kompression: CogCompression): Promise<Buffer> =>
  kompression === 'JPEG' ? jpeg(data, channels) : deflated(differences(data, channels))

/**
 * White and fully masked out: one shared tile for all empty places. GDAL reads tiles of zero bytes,
 * other readers refuse them.
 */
interface Blank {
  readonly tiles: Buffer
  readonly masks: Buffer
}
async function blankTile({ channels, kompression }: CogJob): Promise<Blank> {
  return {
    tiles: await encoded(new Uint8Array(TILE * TILE * channels).fill(255), channels, kompression),
    masks: await deflated(new Uint8Array((TILE * TILE) / 8)),
  }
}

const jpeg = (data: Uint8Array, channels: 1 | 3): Promise<Buffer> =>
  sharp(data, { raw: { width: TILE, height: TILE, channels } })
    // Otherwise grey would be written with three channels.
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .jpeg({ quality: JPEG_QUALITY, chromaSubsampling: '4:2:0' })
    .toBuffer()

/** One tile, white and masked out outside the picture; null if it contains nothing of the scan. */
function cutTile(
  data: Uint8Array,
  mask: Uint8Array,
  width: number,
  column: number,
  rows: number,
  channels: number,
): { data: Uint8Array; mask: Uint8Array } | null {
  const left = column * TILE
  const columns = Math.min(TILE, width - left)
  const cut = { data: new Uint8Array(TILE * TILE * channels).fill(255), mask: new Uint8Array(TILE * TILE) }
  let any = false
  for (let row = 0; row < rows; row++) {
    const from = row * width + left
    const line = mask.subarray(from, from + columns)
    any ||= line.includes(255)
    cut.mask.set(line, row * TILE)
    cut.data.set(data.subarray(from * channels, (from + columns) * channels), row * TILE * channels)
  }
  return any ? cut : null
}

/** One bit per pixel, the first in the highest bit. */
function bitsOf(mask: Uint8Array): Uint8Array {
  const bits = new Uint8Array(mask.length / 8)
  for (let i = 0; i < mask.length; i++) if (mask[i] !== 0) bits[i >> 3]! |= 0x80 >> (i & 7)
  return bits
}

/** The difference of each pixel to the one before it, which compresses better (TIFF predictor 2). */
function differences(data: Uint8Array, channels: number): Uint8Array {
  const line = TILE * channels
  const result = new Uint8Array(data.length)
  for (let start = 0; start < data.length; start += line)
    for (let i = 0; i < line; i++)
      result[start + i] = data[start + i]! - (i < channels ? 0 : data[start + i - channels]!)
  return result
}

/** Averages those of four pixels that belong to the scan. */
function halve(
  data: Uint8Array,
  mask: Uint8Array,
  width: number,
  rows: number,
  channels: number,
  next: Level,
  empty: boolean,
): void {
  const target = next.filled * next.width
  const count = Math.ceil(rows / 2) * next.width
  next.mask.fill(0, target, target + count)
  next.data.fill(255, target * channels, (target + count) * channels)
  if (empty) return
  for (let y = 0; y < rows; y += 2) {
    const below = y + 1 < rows ? width : 0
    let to = target + (y / 2) * next.width
    for (let x = 0; x < width; x += 2, to++) {
      const a = y * width + x
      const b = x + 1 < width ? a + 1 : a
      const [c, d] = [a + below, b + below]
      const [ma, mb, mc, md] = [mask[a]! & 1, mask[b]! & 1, mask[c]! & 1, mask[d]! & 1]
      const all = ma + mb + mc + md
      if (all === 0) continue
      next.mask[to] = 255
      for (let channel = 0; channel < channels; channel++)
        next.data[to * channels + channel] =
          (ma * data[a * channels + channel]! +
            mb * data[b * channels + channel]! +
            mc * data[c * channels + channel]! +
            md * data[d * channels + channel]!) /
            all +
          0.5
    }
  }
}

/** Directories in the order readers expect: the picture, its mask, then each overview with its mask. */
function directoriesOf(
  levels: readonly Level[],
  jobSpec: CogJob,
  blank: Blank,
  places: (stufe: Level, kind: 'tiles' | 'masks') => readonly number[],
): Tag[][] {
  return levels.flatMap((stufe, index) => {
    const common = (kind: 'tiles' | 'masks'): Tag[] => [
      { tag: 254, kind: 'long', values: [(index === 0 ? 0 : 1) + (kind === 'masks' ? 4 : 0)] },
      { tag: 256, kind: 'long', values: [stufe.width] },
      { tag: 257, kind: 'long', values: [stufe.height] },
      { tag: 284, kind: 'short', values: [1] },
      { tag: 322, kind: 'short', values: [TILE] },
      { tag: 323, kind: 'short', values: [TILE] },
      { tag: 324, kind: 'offset', values: places(stufe, kind) },
      { tag: 325, kind: 'long', values: stufe[kind].map((tile) => tile?.bytes ?? blank[kind].length) },
    ]
    return [
      [...common('tiles'), ...pictureTags(jobSpec), ...(index === 0 ? geoTags(jobSpec) : [])],
      [
        ...common('masks'),
        { tag: 258, kind: 'short', values: [1] },
        { tag: 259, kind: 'short', values: [8] },
        { tag: 262, kind: 'short', values: [4] },
        { tag: 277, kind: 'short', values: [1] },
      ],
    ]
  })
}

function pictureTags({ channels, kompression }: CogJob): Tag[] {
  const isJpeg = kompression === 'JPEG'
  return [
    { tag: 258, kind: 'short', values: Array.from({ length: channels }, () => 8) },
    { tag: 259, kind: 'short', values: [isJpeg ? 7 : 8] },
    { tag: 262, kind: 'short', values: [channels === 1 ? 1 : isJpeg ? 6 : 2] },
    { tag: 277, kind: 'short', values: [channels] },
    { tag: 339, kind: 'short', values: Array.from({ length: channels }, () => 1) },
    ...(isJpeg ? [] : [{ tag: 317, kind: 'short', values: [2] } as const]),
    ...(isJpeg && channels === 3 ? YCBCR : []),
  ]
}

/** How JPEG stores colour: chroma at half resolution in both directions, full range. */
const YCBCR: readonly Tag[] = [
  { tag: 530, kind: 'short', values: [2, 2] },
  { tag: 532, kind: 'rational', values: [0, 1, 255, 1, 128, 1, 255, 1, 128, 1, 255, 1] },
]

function geoTags({ raster, epsg }: CogJob): Tag[] {
  const geographic = GEOGRAPHIC.has(epsg)
  return [
    { tag: 33550, kind: 'double', values: [raster.aufloesung, raster.aufloesung, 0] },
    { tag: 33922, kind: 'double', values: [0, 0, 0, raster.west, raster.nord, 0] },
    // GeoKeys: version, revisions, count; then per key its id, location, count and value. The keys are the
    // model type, pixel is area, and the system.
    {
      tag: 34735,
      kind: 'short',
      values: [
        1,
        1,
        0,
        3,
        1024,
        0,
        1,
        geographic ? 2 : 1,
        1025,
        0,
        1,
        1,
        geographic ? 2048 : 3072,
        0,
        1,
        epsg,
      ],
    },
  ]
}

async function assemble(
  levels: readonly Level[],
  jobSpec: CogJob,
  blank: Blank,
  store: string,
  whole: string,
): Promise<void> {
  const nowhere = directoriesOf(levels, jobSpec, blank, (stufe, kind) => stufe[kind].map(() => 0))
  const pieces = levels
    .flatMap(({ tiles, masks }) => [...tiles, ...masks])
    .reduce((sum, tile) => sum + (tile?.bytes ?? 0), 0)
  const big = pieces + headLength(nowhere, false) > CLASSIC_LIMIT
  const head = headLength(nowhere, big)
  const blanks = { tiles: head, masks: head + blank.tiles.length }
  let end = blanks.masks + blank.masks.length
  const order: Piece[] = []
  const offsets = new Map<Piece, number>()
  // The smallest level first, each tile followed by its mask: a reader gets both at once.
  for (const { tiles, masks } of levels.toReversed())
    tiles.forEach((tile, index) => {
      for (const piece of [tile, masks[index] ?? null]) {
        if (piece === null) continue
        offsets.set(piece, end)
        order.push(piece)
        end += piece.bytes
      }
    })
  const placed = directoriesOf(levels, jobSpec, blank, (stufe, kind) =>
    stufe[kind].map((tile) => (tile === null ? blanks[kind] : offsets.get(tile)!)),
  )
  const target = await open(whole, 'w')
  const source = await open(store, 'r')
  try {
    await target.write(Buffer.concat([writeHead(placed, big), blank.tiles, blank.masks]))
    for (const { at, bytes } of order) {
      const buffer = Buffer.allocUnsafe(bytes)
      await source.read(buffer, 0, bytes, at)
      await target.write(buffer)
    }
    await target.sync()
  } finally {
    await Promise.all([source.close(), target.close()])
  }
}
