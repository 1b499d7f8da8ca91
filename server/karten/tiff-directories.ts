// Reads the directories of a TIFF, classic or big, in either order of bytes: the wanted tags, as numbers.
import type { FileHandle } from 'node:fs/promises'

export type Tags = ReadonlyMap<number, readonly number[]>

/** Where only the first are of interest. */
const MOST_DIRECTORIES = 64
/** Where pages are counted: each may have a few smaller sizes. */
export const MOST_PAGES = 20_000
/** No TIFF of any program has more tags in one directory. */
export const MOST_TAGS = 20_000
const SIZE: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 12: 8, 13: 4, 16: 8, 18: 8 }

export interface Layout {
  readonly isLittle: boolean
  readonly isBig: boolean
}

/**
 * Each directory once, if they go in a circle.
 * @param mostValues of one tag; a longer one is left out
 * @throws RangeError if it is not a TIFF or contradicts itself
 */
export async function directoriesOf(
  file: FileHandle,
  wanted: ReadonlySet<number>,
  mostValues: number,
  most = MOST_DIRECTORIES,
): Promise<Tags[]> {
  const read = async (at: number, length: number): Promise<Buffer> => {
    const buffer = Buffer.alloc(length)
    const { bytesRead } = await file.read(buffer, 0, length, at)
    if (bytesRead < length) throw new RangeError('the file ends within a directory')
    return buffer
  }
  const head = await read(0, 16)
  const layout = layoutOf(head)
  const { isBig } = layout
  const wide = isBig ? 8 : 4
  const [countBytes, entryBytes] = isBig ? [8, 20] : [2, 12]

  const directories: Tags[] = []
  const seen = new Set([0])
  for (let at = offsetAt(head, wide, layout); !seen.has(at) && directories.length < most; ) {
    seen.add(at)
    const counted = await read(at, countBytes)
    const count = isBig ? offsetAt(counted, 0, layout) : shortAt(counted, 0, layout)
    if (count > MOST_TAGS) throw new RangeError('a directory of that many tags')
    const entries = await read(at + countBytes, count * entryBytes + wide)
    const tags = new Map<number, readonly number[]>()
    for (let i = 0; i < count; i++) {
      const entry = i * entryBytes
      const [tag, type] = [shortAt(entries, entry, layout), shortAt(entries, entry + 2, layout)]
      const values = offsetAt(entries, entry + 4, layout)
      const bytes = (SIZE[type] ?? 0) * values
      // The first of several counts, as for libtiff.
      if (!wanted.has(tag) || tags.has(tag) || bytes === 0 || values > mostValues) continue
      const inside = entry + entryBytes - wide
      const data =
        bytes <= wide
          ? entries.subarray(inside, inside + bytes)
          : await read(offsetAt(entries, inside, layout), bytes)
      tags.set(
        tag,
        Array.from({ length: values }, (_, k) => valueAt(data, type, k, layout)),
      )
    }
    directories.push(tags)
    at = offsetAt(entries, count * entryBytes, layout)
  }
  return directories
}

export function layoutOf(head: Buffer): Layout {
  const order = head.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') throw new RangeError('no TIFF')
  const isLittle = order === 'II'
  const version = shortAt(head, 2, { isLittle, isBig: false })
  if (version !== 42 && version !== 43) throw new RangeError('no TIFF')
  return { isLittle, isBig: version === 43 }
}

export const shortAt = (buffer: Buffer, at: number, { isLittle }: Layout): number =>
  isLittle ? buffer.readUInt16LE(at) : buffer.readUInt16BE(at)

const longAt = (buffer: Buffer, at: number, { isLittle }: Layout): number =>
  isLittle ? buffer.readUInt32LE(at) : buffer.readUInt32BE(at)

const wideAt = (buffer: Buffer, at: number, { isLittle }: Layout): number =>
  Number(isLittle ? buffer.readBigUInt64LE(at) : buffer.readBigUInt64BE(at))

export const offsetAt = (buffer: Buffer, at: number, layout: Layout): number =>
  layout.isBig ? wideAt(buffer, at, layout) : longAt(buffer, at, layout)

function valueAt(data: Buffer, type: number, index: number, layout: Layout): number {
  const at = index * SIZE[type]!
  if (type === 3) return shortAt(data, at, layout)
  if (type === 4 || type === 13) return longAt(data, at, layout)
  if (type === 12) return layout.isLittle ? data.readDoubleLE(at) : data.readDoubleBE(at)
  if (type === 16 || type === 18) return wideAt(data, at, layout)
  return data[at]!
}
