// One page of a TIFF as a separate TIFF: its tags and its packed data are copied as they are, so that no
// pixel is decoded and none changes. Tags that point to more directories are left out.
import { type FileHandle, open } from 'node:fs/promises'
import { type Layout, layoutOf, MOST_PAGES, MOST_TAGS, offsetAt, shortAt } from './tiff-directories.ts'

/** Bytes of one value, by the type's number. */
const SIZES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8]
const [SHORT, LONG, LONG8] = [3, 4, 16]
/** SubIFDs, Exif, GPS, interoperability. */
const POINTERS: ReadonlySet<number> = new Set([330, 34_665, 34_853, 40_965])
const BLOCKS = [
  { offsets: 273, lengths: 279 },
  { offsets: 324, lengths: 325 },
] as const
/** Of a page's tags: a million strips have 16. */
const MOST_TAG_BYTES = 64 * 2 ** 20
const PIECE = 2 ** 20

interface Entry {
  readonly tag: number
  readonly type: number
  readonly count: number
  readonly data: Buffer
}

class Bytes {
  readonly #file: FileHandle
  readonly size: number
  constructor(file: FileHandle, size: number) {
    this.#file = file
    this.size = size
  }
  async at(from: number, length: number): Promise<Buffer> {
    if (from + length > this.size) throw new RangeError('the file ends within a directory')
    const buffer = Buffer.alloc(length)
    await this.#file.read(buffer, 0, length, from)
    return buffer
  }
}

/** @throws RangeError if there is no such page, or the file contradicts itself */
export async function copyTiffPage(path: string, page: number, target: string): Promise<void> {
  const source = await open(path, 'r')
  try {
    const bytes = new Bytes(source, (await source.stat()).size)
    const layout = layoutOf(await bytes.at(0, Math.min(16, bytes.size)))
    const entries = await entriesOf(bytes, layout, page)
    const file = await open(target, 'wx')
    try {
      await write(file, bytes, layout, entries)
    } finally {
      await file.close()
    }
  } finally {
    await source.close()
  }
}

const widthsOf = ({ isBig }: Layout) =>
  isBig ? { wide: 8, counts: 8, entry: 20 } : { wide: 4, counts: 2, entry: 12 }

async function entriesOf(bytes: Bytes, layout: Layout, page: number): Promise<Entry[]> {
  const { wide, counts, entry } = widthsOf(layout)
  let at = offsetAt(await bytes.at(wide, wide), 0, layout)
  for (let nr = 0; at !== 0 && nr < MOST_PAGES; nr++) {
    const counted = await bytes.at(at, counts)
    const count = layout.isBig ? offsetAt(counted, 0, layout) : shortAt(counted, 0, layout)
    if (count > MOST_TAGS) throw new RangeError('a directory of that many tags')
    const raw = await bytes.at(at + counts, count * entry + wide)
    if (nr === page) return readEntries(bytes, layout, raw, count)
    at = offsetAt(raw, count * entry, layout)
  }
  throw new RangeError('no such page')
}

async function readEntries(bytes: Bytes, layout: Layout, raw: Buffer, count: number): Promise<Entry[]> {
  const { wide, entry } = widthsOf(layout)
  const entries: Entry[] = []
  let total = 0
  for (let nr = 0; nr < count; nr++) {
    const at = nr * entry
    const [tag, type] = [shortAt(raw, at, layout), shortAt(raw, at + 2, layout)]
    const values = offsetAt(raw, at + 4, layout)
    const length = (SIZES[type] ?? 0) * values
    if (length === 0 || POINTERS.has(tag)) continue
    total += length
    if (total > MOST_TAG_BYTES) throw new RangeError('tags of that many bytes')
    const inside = at + entry - wide
    const data =
      length <= wide
        ? raw.subarray(inside, inside + length)
        : // oxlint-disable-next-line no-await-in-loop -- a few tags
          await bytes.at(offsetAt(raw, inside, layout), length)
    entries.push({ tag, type, count: values, data })
  }
  return entries
}

function numbersOf({ type, count, data }: Entry, layout: Layout): number[] {
  const one = (at: number): number => {
    if (type === SHORT) return shortAt(data, at * 2, layout)
    if (type === LONG) return layout.isLittle ? data.readUInt32LE(at * 4) : data.readUInt32BE(at * 4)
    if (type === LONG8)
      return Number(layout.isLittle ? data.readBigUInt64LE(at * 8) : data.readBigUInt64BE(at * 8))
    throw new RangeError('offsets of another type')
  }
  return Array.from({ length: count }, (_, at) => one(at))
}

function numberBytes(value: number, wide: number, { isLittle }: Layout): Buffer {
  const buffer = Buffer.alloc(wide)
  if (wide === 8) {
    if (isLittle) buffer.writeBigUInt64LE(BigInt(value))
    else buffer.writeBigUInt64BE(BigInt(value))
  } else if (wide === 4) {
    if (isLittle) buffer.writeUInt32LE(value)
    else buffer.writeUInt32BE(value)
  } else if (isLittle) buffer.writeUInt16LE(value)
  else buffer.writeUInt16BE(value)
  return buffer
}

async function write(
  file: FileHandle,
  bytes: Bytes,
  layout: Layout,
  entries: readonly Entry[],
): Promise<void> {
  const { wide, counts } = widthsOf(layout)
  let at = 2 * wide
  const put = async (piece: Buffer): Promise<number> => {
    const place = at
    await file.write(piece, 0, piece.length, place)
    at += piece.length + (piece.length % 2)
    return place
  }
  const blocks = BLOCKS.map(({ offsets, lengths }) => ({
    offsets: entries.find(({ tag }) => tag === offsets),
    lengths: entries.find(({ tag }) => tag === lengths),
  })).find((one) => one.offsets !== undefined && one.lengths !== undefined)
  if (blocks === undefined) throw new RangeError('a page without data')
  const [places, sizes] = [numbersOf(blocks.offsets!, layout), numbersOf(blocks.lengths!, layout)]
  // Blocks may overlap; a small file must not become a large one.
  if (places.length !== sizes.length || sizes.reduce((sum, size) => sum + size, 0) > bytes.size)
    throw new RangeError('blocks that do not fit the file')
  const moved: number[] = []
  for (const [nr, from] of places.entries()) {
    const size = sizes[nr]!
    moved.push(size === 0 ? 0 : at)
    const start = at
    for (let done = 0; done < size; done += PIECE) {
      // oxlint-disable-next-line no-await-in-loop -- in order, and one piece in memory
      const piece = await bytes.at(from + done, Math.min(PIECE, size - done))
      // oxlint-disable-next-line no-await-in-loop
      await file.write(piece, 0, piece.length, start + done)
    }
    at = start + size + (size % 2)
  }
  const rows: Buffer[] = []
  for (const entry of entries) {
    const isMoved = entry === blocks.offsets
    const type = isMoved ? (layout.isBig ? LONG8 : LONG) : entry.type
    const data = isMoved ? Buffer.concat(moved.map((place) => numberBytes(place, wide, layout))) : entry.data
    const value = Buffer.alloc(wide)
    if (data.length <= wide) data.copy(value)
    // oxlint-disable-next-line no-await-in-loop
    else numberBytes(await put(data), wide, layout).copy(value)
    rows.push(
      Buffer.concat([
        numberBytes(entry.tag, 2, layout),
        numberBytes(type, 2, layout),
        numberBytes(entry.count, wide, layout),
        value,
      ]),
    )
  }
  const directory = await put(
    Buffer.concat([numberBytes(rows.length, counts, layout), ...rows, Buffer.alloc(wide)]),
  )
  const head = await bytes.at(0, 2 * wide)
  numberBytes(directory, wide, layout).copy(head, wide)
  await file.write(head, 0, head.length, 0)
}
