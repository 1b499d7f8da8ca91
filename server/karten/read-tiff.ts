// Reads the directories of a TIFF: which sizes of the picture it contains, which of them are masks,
// and where it is on the map.
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { directoriesOf, type Tags } from './tiff-directories.ts'

const inflated = promisify(inflate) as (
  packed: Buffer,
  options: { maxOutputLength: number },
) => Promise<Buffer>

export interface TiffPage {
  /** Page number as libvips and GDAL count. */
  readonly seite: number
  readonly breite: number
  readonly hoehe: number
  readonly maskPage: boolean
  /** Bands per pixel, including an alpha channel. */
  readonly channels: number
}

/** One bit per pixel, in tiles: the image library cannot read those, so they are read here. */
export interface TiffMask extends TiffPage {
  readonly kachel: number
  readonly places: readonly { readonly at: number; readonly bytes: number }[]
}

export interface TiffHead {
  /** The full size first; without masks. */
  readonly bilder: readonly TiffPage[]
  /** Each belongs to the picture of the same size. */
  readonly masks: readonly TiffMask[]
  readonly lage: {
    readonly west: number
    readonly nord: number
    readonly aufloesung: number
    readonly epsg: number | null
  } | null
}

/** Enough for the tiles of the largest possible result. */
const MOST_VALUES = 20_000

/** @throws RangeError if it is not a TIFF or contradicts itself */
export async function readTiff(path: string): Promise<TiffHead> {
  const file = await open(path, 'r')
  try {
    return headOf(await directoriesOf(file, WANTED, MOST_VALUES))
  } finally {
    await file.close()
  }
}

const WANTED: ReadonlySet<number> = new Set([
  254, 256, 257, 258, 259, 277, 322, 323, 324, 325, 33550, 33922, 34735,
])

function headOf(directories: readonly Tags[]): TiffHead {
  const one = (tags: Tags, tag: number, otherwise: number): number => tags.get(tag)?.[0] ?? otherwise
  const pages = directories.map((tags, page) => ({
    seite: page,
    breite: one(tags, 256, 0),
    hoehe: one(tags, 257, 0),
    // Bit 2 of NewSubfileType.
    maskPage: (one(tags, 254, 0) & 4) !== 0,
    channels: one(tags, 277, 1),
  }))
  const pictures = pages.filter(({ maskPage }) => !maskPage).sort((a, b) => b.breite - a.breite)
  if (pictures.length === 0 || pictures.some(({ breite, hoehe }) => !(breite > 0 && hoehe > 0)))
    throw new RangeError('no picture in it')
  const masks = pages.filter(({ maskPage }) => maskPage).map((page) => maskOf(page, directories[page.seite]!))
  return { bilder: pictures, masks, lage: situationOf(directories[0]!) }
}

const DEFLATE: ReadonlySet<number> = new Set([8, 32_946])

function maskOf(page: TiffPage, tags: Tags): TiffMask {
  const one = (tag: number): number => tags.get(tag)?.[0] ?? 0
  const [tile, offsets, lengths] = [one(322), tags.get(324) ?? [], tags.get(325) ?? []]
  const count = Math.ceil(page.breite / tile) * Math.ceil(page.hoehe / tile)
  if (
    tile % 8 !== 0 ||
    one(323) !== tile ||
    one(258) !== 1 ||
    !DEFLATE.has(one(259)) ||
    offsets.length !== count ||
    lengths.length !== count
  )
    throw new RangeError('a mask of another kind than is written here')
  return { ...page, kachel: tile, places: offsets.map((at, i) => ({ at, bytes: lengths[i]! })) }
}

export interface Cutout {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Pixels of a mask, 255 where the picture counts. In a tile without bytes nothing does. */
export async function readMask(
  path: string,
  maskPage: TiffMask,
  { left, top, width, height }: Cutout,
): Promise<Uint8Array> {
  const { kachel, places, breite } = maskPage
  const across = Math.ceil(breite / kachel)
  const pixels = new Uint8Array(width * height)
  const file = await open(path, 'r')
  try {
    for (let row = Math.floor(top / kachel); row * kachel < top + height; row++)
      for (let column = Math.floor(left / kachel); column * kachel < left + width; column++) {
        const { at, bytes } = places[row * across + column]!
        if (bytes === 0) continue
        if (bytes > kachel * kachel) throw new RangeError('a mask larger than its pixels')
        const packed = Buffer.alloc(bytes)
        await file.read(packed, 0, bytes, at)
        const bits = await inflated(packed, { maxOutputLength: (kachel * kachel) / 8 })
        const [x0, x1] = [Math.max(left, column * kachel), Math.min(left + width, (column + 1) * kachel)]
        const [y0, y1] = [Math.max(top, row * kachel), Math.min(top + height, (row + 1) * kachel)]
        for (let y = y0; y < y1; y++)
          for (let x = x0; x < x1; x++) {
            const bit = (y - row * kachel) * kachel + x - column * kachel
            if ((bits[bit >> 3]! & (0x80 >> (bit & 7))) !== 0) pixels[(y - top) * width + x - left] = 255
          }
      }
    return pixels
  } finally {
    await file.close()
  }
}

function situationOf(tags: Tags): TiffHead['lage'] {
  const [scale, tie, keys] = [tags.get(33550), tags.get(33922), tags.get(34735)]
  if (scale === undefined || tie === undefined || tie.length < 6) return null
  const [column, row, , east, north] = tie as [number, number, number, number, number, number]
  return {
    west: east - column * scale[0]!,
    nord: north + row * scale[1]!,
    aufloesung: scale[0]!,
    epsg: epsgOf(keys),
  }
}

/**
 * The EPSG code of a projected (3072) or geographic (2048) system; both are stored in the directory itself.
 */
function epsgOf(keys: readonly number[] | undefined): number | null {
  if (keys === undefined) return null
  const valueOf = (wanted: number): number | null => {
    for (let at = 4; at + 3 < keys.length; at += 4)
      if (keys[at] === wanted && keys[at + 1] === 0) return keys[at + 3]!
    return null
  }
  return valueOf(3072) ?? valueOf(2048)
}
