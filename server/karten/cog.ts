// Writes a GeoTIFF that can be read in pieces: tiles, overviews down to one tile, a mask for the area outside
// the scan; all directories first, then the tiles of the smallest overview.
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import type { Raster } from '#domain/georef/raster.ts'
import { bitsOf, type CogCompression, deflated, encoded } from './cog-encode.ts'
import { cutTile, halve, type Level, levelsOf, type Piece, TILE } from './cog-levels.ts'
import type { Strip } from './sampler.ts'
import { headLength, type Tag, writeHead } from './tiff.ts'

/** A classic TIFF has 32-bit offsets. */
const CLASSIC_LIMIT = 2 ** 32 - 2 ** 20
const GEOGRAPHIC: ReadonlySet<number> = new Set([4258, 4326])
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

type Draw = (top: number, rows: number) => Strip | Promise<Strip>

/**
 * Draws the grid strip by strip into a file.
 * @throws the signal's reason if cancelled; errors of the disk or the encoder
 */
export async function writeCog(draw: Draw, jobSpec: CogJob): Promise<void> {
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

async function drawn(draw: Draw, top: number, rows: number, signal: AbortSignal | undefined): Promise<Strip> {
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

  async function encodeRow(level: Level, data: Uint8Array, mask: Uint8Array, rows: number): Promise<void> {
    const row = level.row++
    const work = Array.from({ length: level.across }, async (_, column) => {
      const place = row * level.across + column
      const cut = cutTile(data, mask, level.width, column, rows, channels)
      if (cut === null) return
      level.tiles[place] = await put(await encoded(cut.data, channels, kompression))
      level.masks[place] = await put(await deflated(bitsOf(cut.mask)))
    })
    await Promise.all(work)
  }

  async function take(
    levels: readonly Level[],
    index: number,
    { data, mask, empty }: Strip,
    rows: number,
  ): Promise<void> {
    const level = levels[index]!
    if (empty) level.row += 1
    else await encodeRow(level, data, mask, rows)
    const next = levels[index + 1]
    if (next === undefined) return
    const half = Math.ceil(rows / 2)
    halve(data, mask, level.width, rows, channels, next, empty)
    next.filled += half
    if (next.filled === TILE) await flush(levels, index + 1)
  }

  async function flush(levels: readonly Level[], index: number): Promise<void> {
    const level = levels[index]!
    const rows = level.filled
    level.filled = 0
    await take(
      levels,
      index,
      {
        data: level.data,
        mask: level.mask,
        empty: !level.mask.subarray(0, rows * level.width).includes(255),
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

/** Directories in the order readers expect: the picture, its mask, then each overview with its mask. */
function directoriesOf(
  levels: readonly Level[],
  jobSpec: CogJob,
  blank: Blank,
  places: (level: Level, kind: 'tiles' | 'masks') => readonly number[],
): Tag[][] {
  return levels.flatMap((level, index) => {
    const common = (kind: 'tiles' | 'masks'): Tag[] => [
      { tag: 254, kind: 'long', values: [(index === 0 ? 0 : 1) + (kind === 'masks' ? 4 : 0)] },
      { tag: 256, kind: 'long', values: [level.width] },
      { tag: 257, kind: 'long', values: [level.height] },
      { tag: 284, kind: 'short', values: [1] },
      { tag: 322, kind: 'short', values: [TILE] },
      { tag: 323, kind: 'short', values: [TILE] },
      { tag: 324, kind: 'offset', values: places(level, kind) },
      { tag: 325, kind: 'long', values: level[kind].map((tile) => tile?.bytes ?? blank[kind].length) },
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
  const nowhere = directoriesOf(levels, jobSpec, blank, (level, kind) => level[kind].map(() => 0))
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
  const placed = directoriesOf(levels, jobSpec, blank, (level, kind) =>
    level[kind].map((tile) => (tile === null ? blanks[kind] : offsets.get(tile)!)),
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
