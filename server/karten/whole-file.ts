// Whether all of a scan's bytes are there, by the structure of its format and without decoding a pixel: a copy
// that broke off is refused at its upload and not an hour later.
import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { directoriesOf, type Tags } from './tiff-directories.ts'
import { WorkFault, type WorkCode } from './work.ts'

/** Where a PDF may end: some programs write something behind it, and copies fill up with zeros. */
const END_OF_PDF = 64 * 2 ** 10

/** @throws WorkFault `karte_abgeschnitten` */
export async function checkWholePdf(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const end = Buffer.alloc(Math.min(size, END_OF_PDF))
    await file.read(end, 0, end.length, size - end.length)
    if (!end.includes('%%EOF')) throw cutOff('PDF')
  } finally {
    await file.close()
  }
}

/** @throws WorkFault `karte_abgeschnitten`, `karte_bild` or, for a TIFF, the code of what we do not read in it */
export async function checkWhole(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    const bytes = await byteReader(file)
    const head = await bytes.at(0, 12)
    if (head[0] === 0xff) await jpegEnd(bytes)
    else if (head[0] === 0x89) await checkPng(bytes)
    else if (head.toString('latin1', 0, 4) === 'RIFF') {
      if (head.readUInt32LE(4) + 8 > bytes.size) throw cutOff('WebP')
    } else await checkTiff(file, bytes.size)
  } finally {
    await file.close()
  }
}

const cutOff = (what: string): WorkFault => new WorkFault('karte_abgeschnitten', `${what} without its end`)

interface ByteReader {
  readonly size: number
  /** Fewer at the end of the file. */
  at(from: number, length: number): Promise<Buffer>
  /** As many as are in memory, at least two unless the file ends. */
  some(from: number): Promise<Buffer>
}
const WINDOW = 2 ** 20

/** Reads a megabyte at a time. */
async function byteReader(file: FileHandle): Promise<ByteReader> {
  const { size } = await file.stat()
  let window = Buffer.alloc(0)
  let start = 0
  async function hold(from: number, length: number): Promise<void> {
    if (from >= start && from + length <= start + window.length) return
    const next = Buffer.alloc(Math.max(0, Math.min(Math.max(WINDOW, length), size - from)))
    await file.read(next, 0, next.length, from)
    window = next
    start = from
  }
  return {
    size,
    async at(from, length) {
      await hold(from, length)
      return window.subarray(from - start, from - start + length)
    },
    async some(from) {
      await hold(from, 2)
      return window.subarray(from - start)
    },
  }
}

/** Where the picture's data begin and end. What follows its end is not looked at. */
async function jpegEnd(bytes: ByteReader): Promise<{ readonly from: number; readonly to: number }> {
  let data: number | null = null
  for (let at = 2; ; ) {
    at = await nextMarker(bytes, at)
    const marker = (await bytes.at(at + 1, 1))[0]!
    if (marker === 0xd9) return { from: data ?? at, to: at }
    const length = await bytes.at(at + 2, 2)
    if (length.length < 2) throw cutOff('JPEG')
    at += 2 + length.readUInt16BE(0)
    if (marker === 0xda) data ??= at
  }
}

/** The next marker that is neither a restart nor a byte of the picture's data. */
async function nextMarker(bytes: ByteReader, from: number): Promise<number> {
  for (let at = from; at + 1 < bytes.size; ) {
    const piece = await bytes.some(at)
    let found = piece.indexOf(0xff)
    for (; found >= 0 && found + 1 < piece.length; found = piece.indexOf(0xff, found + 1))
      if (isMarker(piece[found + 1]!)) return at + found
    // One at the very end of the piece is read again with the byte that follows it.
    at += found < 0 ? piece.length : found
  }
  throw cutOff('JPEG')
}
/** Neither filling, a restart, nor a byte of the data that happens to be 255. */
const isMarker = (code: number): boolean => code > 1 && code !== 0xff && !(code >= 0xd0 && code <= 0xd7)

async function checkPng(bytes: ByteReader): Promise<void> {
  for (let at = 8; ; ) {
    const head = await bytes.at(at, 8)
    if (head.length < 8) throw cutOff('PNG')
    const [length, name] = [head.readUInt32BE(0), head.toString('latin1', 4, 8)]
    if (at + 12 + length > bytes.size) throw cutOff('PNG')
    let sum = crc32(head.subarray(4, 8))
    for (let done = 0; done < length; ) {
      const piece = await bytes.at(at + 8 + done, Math.min(WINDOW, length - done))
      sum = crc32(piece, sum)
      done += piece.length
    }
    // Upper case in the first letter: the picture cannot be drawn without it.
    if (name < 'a' && sum !== (await bytes.at(at + 8 + length, 4)).readUInt32BE(0))
      throw new WorkFault('karte_bild', `PNG: checksum of ${name}`)
    if (name === 'IEND') return
    at += 12 + length
  }
}

const WIDTH = 256
const BITS = 258
const COMPRESSION = 259
const PLACES = [273, 324] as const
const LENGTHS = [279, 325] as const
const WANTED: ReadonlySet<number> = new Set([WIDTH, BITS, COMPRESSION, ...PLACES, ...LENGTHS])
/** One strip for each row of the tallest scan, in three planes. */
const MOST_VALUES = 600_000

/** None, CCITT, LZW, JPEG, DEFLATE twice, PackBits, WebP: what our image library decodes. */
const DECODED: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 7, 8, 32_773, 32_946, 50_001])
const UNREAD: Readonly<Record<number, WorkCode>> = {
  34_887: 'karte_tiff_lerc',
  34_925: 'karte_tiff_lzma',
  50_000: 'karte_tiff_zstd',
}

async function checkTiff(file: FileHandle, size: number): Promise<void> {
  let directories: readonly Tags[]
  try {
    directories = await directoriesOf(file, WANTED, MOST_VALUES)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // Most programs write the directory last.
    throw new WorkFault('karte_bild', error.message)
  }
  const [first] = directories
  if (first === undefined) throw new WorkFault('karte_bild', 'TIFF without a picture')
  const compression = first.get(COMPRESSION)?.[0] ?? 1
  if (!DECODED.has(compression))
    throw new WorkFault(UNREAD[compression] ?? 'karte_tiff_art', `TIFF: compression ${compression}`)
  if ((first.get(BITS) ?? []).some((bits) => bits > 32))
    throw new WorkFault('karte_tiff_tiefe', `TIFF: ${first.get(BITS)?.join(', ')} bits`)
  const places = PLACES.flatMap((tag) => first.get(tag) ?? [])
  const lengths = LENGTHS.flatMap((tag) => first.get(tag) ?? [])
  if (places.some((at, nr) => at + (lengths[nr] ?? 0) > size)) throw cutOff('TIFF')
}

const SECTOR = 512

/** CCITT, LZW and JPEG: their data are never zeros for as long as a sector. Those of others may be. */
const NEVER_ZERO: ReadonlySet<number> = new Set([2, 3, 4, 5, 6, 7])

/**
 * A stretch of zeros that begins and ends with a sector of the disk: a copy that lost blocks. Decoders draw
 * something in its place without a complaint.
 */
export async function hasLostBlocks(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const bytes = await byteReader(file)
    const head = await bytes.at(0, 4)
    if (head[0] === 0xff) return isLostWithin(bytes, await jpegEnd(bytes))
    if (!/^(?:II|MM)/.test(head.toString('latin1'))) return false
    for (const part of await packedParts(file)) if (await isLostWithin(bytes, part)) return true
    return false
  } finally {
    await file.close()
  }
}

interface Part {
  readonly from: number
  readonly to: number
}

/** Strips or tiles of a TIFF's first page. */
async function packedParts(file: FileHandle): Promise<Part[]> {
  const [first] = await directoriesOf(file, WANTED, MOST_VALUES, 1)
  if (first === undefined || !NEVER_ZERO.has(first.get(COMPRESSION)?.[0] ?? 1)) return []
  const lengths = LENGTHS.flatMap((tag) => first.get(tag) ?? [])
  return PLACES.flatMap((tag) => first.get(tag) ?? []).map((from, nr) => ({
    from,
    to: from + (lengths[nr] ?? 0),
  }))
}

async function isLostWithin(bytes: ByteReader, { from, to }: Part): Promise<boolean> {
  let isWithin = false
  let isSharp = false
  let before = true
  for (let at = Math.ceil(from / SECTOR) * SECTOR; at + SECTOR <= to; at += SECTOR) {
    const sector = await bytes.at(at, SECTOR)
    if (sector.equals(ZEROS)) {
      // Plain areas are zeros as well in some files, but theirs begin and end anywhere.
      if (!isWithin) isSharp = before
      isWithin = true
      continue
    }
    if (isWithin && isSharp && hasValue(sector.subarray(0, 2))) return true
    isWithin = false
    before = hasValue(sector.subarray(-2))
  }
  return isWithin && isSharp
}
const ZEROS = Buffer.alloc(SECTOR)
const hasValue = (bytes: Buffer): boolean => bytes.some((byte) => byte !== 0)
