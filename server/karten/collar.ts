// What a TIFF declares to be no sheet, such as the corners around a map that was turned: by the value that GDAL and
// the programs built on it write for none, by a mask beside the picture, or by a band that is transparency.
import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { isPresent, markPresent, type Present, presentOf } from './present.ts'
import type { Picture } from './sampling.ts'
import { directoriesOf, type Tags } from './tiff-directories.ts'

const inflated = promisify(inflate) as (
  packed: Buffer,
  options: { maxOutputLength: number },
) => Promise<Buffer>

const [ROLE, WIDTH, HEIGHT, BITS, PACKING, MEANING] = [254, 256, 257, 258, 259, 262] as const
const [STRIPS, ROWS, STRIP_BYTES] = [273, 278, 279] as const
const [COLOURS, TILE_WIDTH, TILE_HEIGHT, TILES, TILE_BYTES] = [320, 322, 323, 324, 325] as const
const [EXTRA, NO_VALUE] = [338, 42_113] as const
const PICTURE = [ROLE, WIDTH, HEIGHT, BITS, PACKING, MEANING, COLOURS, EXTRA, NO_VALUE] as const
const PIECES = [STRIPS, ROWS, STRIP_BYTES, TILE_WIDTH, TILE_HEIGHT, TILES, TILE_BYTES] as const
const WANTED: ReadonlySet<number> = new Set([...PICTURE, ...PIECES])
/** One strip for each row of the tallest scan. */
const MOST_VALUES = 200_000
const WHITE_IS_ZERO = 0
const PALETTE = 3
/** A mask is one bit for each pixel: these are read here, because the image library cannot. */
const PLAIN = 1
const DEFLATE: ReadonlySet<number> = new Set([8, 32_946])

export interface Collar {
  /** The value for none, in the pixels as they are drawn: grey, or red, green and blue. */
  readonly nothing: readonly number[] | null
  /** The last band is something else than transparency: near infrared of an aerial picture. */
  readonly isExtraBand: boolean
  readonly mask: Tags | null
}

/** Null: nothing that the image library does not see by itself, or no TIFF that can be read. */
export async function collarOf(path: string): Promise<Collar | null> {
  const file = await open(path, 'r')
  try {
    const directories = await directoriesOf(file, WANTED, MOST_VALUES).catch(() => [])
    const [first] = directories
    if (first === undefined) return null
    // What follows the next page belongs to that.
    const next = directories.findIndex((tags, nr) => nr > 0 && (roleOf(tags) & (SMALLER | MASK)) === 0)
    const mask =
      directories.slice(0, next < 0 ? undefined : next).find((tags) => isMaskOf(tags, first)) ?? null
    const extra = first.get(EXTRA)
    const collar = {
      nothing: nothingOf(first),
      isExtraBand: extra?.length === 1 && extra[0] === 0,
      mask,
    }
    return collar.nothing === null && !collar.isExtraBand && mask === null ? null : collar
  } finally {
    await file.close()
  }
}

const [SMALLER, MASK] = [1, 4] as const
const roleOf = (tags: Tags): number => tags.get(ROLE)?.[0] ?? 0

const isMaskOf = (tags: Tags, picture: Tags): boolean =>
  (roleOf(tags) & MASK) !== 0 &&
  tags.get(BITS)?.[0] === 1 &&
  [WIDTH, HEIGHT].every((tag) => tags.get(tag)?.[0] === picture.get(tag)?.[0])

/** Of pixels of at most eight bits; deeper ones are compared before they are stretched. */
function nothingOf(tags: Tags): number[] | null {
  const text = String.fromCharCode(...(tags.get(NO_VALUE) ?? [])).replace(/\0.*$/s, '')
  const value = text.trim() === '' ? Number.NaN : Number(text)
  const bits = tags.get(BITS)?.[0] ?? 1
  const most = 2 ** bits - 1
  if (bits > 8 || !Number.isInteger(value) || value < 0 || value > most) return null
  const meaning = tags.get(MEANING)?.[0]
  if (meaning === PALETTE) {
    const colours = tags.get(COLOURS) ?? []
    if (colours.length !== 3 * (most + 1)) return null
    return [0, 1, 2].map((channel) => colours[channel * (most + 1) + value]! >> 8)
  }
  const drawn = Math.round((value * 255) / most)
  return [meaning === WHITE_IS_ZERO ? 255 - drawn : drawn]
}

/** Of a picture as it was decoded. Null: all of it is a sheet. */
export async function presentBy(
  { nothing, mask }: Collar,
  path: string,
  { width, height, channels, data }: Picture,
): Promise<Present | null> {
  const masked = mask === null ? null : await maskBits(path, mask)
  if (nothing === null && masked === null) return null
  const none = Array.from({ length: channels }, (_, channel) => nothing?.[channel] ?? nothing?.[0])
  const isNothing = (pixel: number): boolean => {
    for (let channel = 0, at = pixel * channels; channel < channels; channel++, at++)
      if (data[at] !== none[channel]) return false
    return true
  }
  return presentOf(
    width * height,
    (pixel) => !(nothing !== null && isNothing(pixel)) && (masked === null || isPresent(masked, pixel)),
  )
}

/** Width and height of tiles. */
const LARGEST_PIECE = 4096
/** Null: a mask that is packed in another way, or claims more than it shows. */
async function maskBits(path: string, tags: Tags): Promise<Present | null> {
  const one = (tag: number): number => tags.get(tag)?.[0] ?? 0
  const [width, height] = [one(WIDTH), one(HEIGHT)]
  const isTiled = tags.has(TILES)
  const piece = {
    width: isTiled ? one(TILE_WIDTH) : width,
    height: isTiled ? one(TILE_HEIGHT) : Math.min(one(ROWS) || height, height),
  }
  const places = tags.get(isTiled ? TILES : STRIPS) ?? []
  const bytes = tags.get(isTiled ? TILE_BYTES : STRIP_BYTES) ?? []
  if (!(piece.width > 0 && piece.height > 0)) return null
  const across = Math.ceil(width / piece.width)
  const count = across * Math.ceil(height / piece.height)
  if (places.length !== count || bytes.length !== count) return null
  const packing = one(PACKING)
  if (packing !== PLAIN && !DEFLATE.has(packing)) return null
  const line = Math.ceil(piece.width / 8)
  // Pieces may be larger than the picture, but not all of them together much larger than it.
  if (count * line * piece.height > ((width + LARGEST_PIECE) * (height + LARGEST_PIECE)) / 8) return null
  const present = new Uint8Array(Math.ceil((width * height) / 8))
  const file = await open(path, 'r')
  try {
    for (let nr = 0; nr < count; nr++) {
      // A piece without bytes is empty.
      if (bytes[nr] === 0) continue
      const bits = await pieceOf(file, places[nr]!, bytes[nr]!, line * piece.height, packing !== PLAIN)
      const [left, top] = [(nr % across) * piece.width, Math.floor(nr / across) * piece.height]
      for (let row = 0; row < piece.height && top + row < height; row++)
        for (let column = 0; column < piece.width && left + column < width; column++)
          if ((bits[row * line + (column >> 3)]! & (0x80 >> (column & 7))) !== 0)
            markPresent(present, (top + row) * width + left + column)
    }
    return present
  } finally {
    await file.close()
  }
}

/** @throws RangeError if it says that it is larger than its pixels */
async function pieceOf(
  file: FileHandle,
  at: number,
  bytes: number,
  most: number,
  isPacked: boolean,
): Promise<Buffer> {
  if (bytes > most + 1024) throw new RangeError('a mask larger than its pixels')
  const packed = Buffer.alloc(isPacked ? bytes : most)
  await file.read(packed, 0, bytes > packed.length ? packed.length : bytes, at)
  return isPacked ? inflated(packed, { maxOutputLength: most + 1024 }) : packed
}
