// Reads foreign ZIP archives, entry by entry from the file: names are only compared, never used as paths;
// what the directory claims is checked before anything is unpacked.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { FileFault } from './source.ts'

export interface ZipEntry {
  readonly name: string
  readonly size: number
  read(): NonSharedBuffer
}
export interface Zip {
  readonly entries: readonly ZipEntry[]
  close(): void
}

const MOST_ENTRIES = 2_000
/** For one entry, unpacked. */
const MOST_BYTES = 400 * 1024 * 1024
const MOST_TOTAL = 700 * 1024 * 1024
/**
 * Survey tables never compress better than this; an archive made to fill memory compresses a thousandfold.
 */
const MOST_RATIO = 300
const RATIO_FROM = 16 * 1024 * 1024
const MOST_DIRECTORY = 16 * 1024 * 1024
const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50]
const [LOCAL_BYTES, CENTRAL_BYTES, END_BYTES] = [30, 46, 22]
const LONGEST_COMMENT = 65_535
/** Marks a number stored elsewhere: in archives above 4 GB, which are not supported. */
const [ELSEWHERE_16, ELSEWHERE_32] = [0xffff, 0xffffffff]

interface Place {
  readonly name: Buffer
  readonly flags: number
  readonly local: number
  readonly method: number
  readonly packed: number
  readonly size: number
}
type Read = (at: number, length: number) => NonSharedBuffer

/** @throws FileFault */
export function openZip(path: string): Zip {
  const file = openSync(path, 'r')
  const { size: length } = fstatSync(file)
  const read: Read = (at, count) => {
    if (at < 0 || count < 0 || at + count > length) throw new FileFault('datei_kaputt')
    const bytes = Buffer.alloc(count)
    if (readSync(file, bytes, 0, count, at) !== count) throw new FileFault('datei_kaputt')
    return bytes
  }
  try {
    const { places, directory } = directoryOf(read, length)
    checkApart(places, directory)
    const entries = places
      .filter(isFile)
      .map((place): ZipEntry => ({ name: nameOf(place), size: place.size, read: () => unpack(read, place) }))
    checkSizes(entries, places)
    return { entries, close: () => closeSync(file) }
  } catch (error) {
    closeSync(file)
    throw error
  }
}

const nameOf = ({ flags, name }: Place): string => name.toString((flags & 0x0800) === 0 ? 'latin1' : 'utf8')
const isFile = (place: Place): boolean => !/\/$|__MACOSX/.test(nameOf(place))

function directoryOf(read: Read, length: number): { places: Place[]; directory: number } {
  const from = Math.max(0, length - END_BYTES - LONGEST_COMMENT)
  const tail = read(from, length - from)
  const end = findEnd(tail)
  const [count, bytes, directory] = [
    tail.readUInt16LE(end + 10),
    tail.readUInt32LE(end + 12),
    tail.readUInt32LE(end + 16),
  ]
  if (count > MOST_ENTRIES || count === ELSEWHERE_16 || bytes > MOST_DIRECTORY)
    throw new FileFault('zip_zu_gross')
  const list = read(directory, bytes)
  const places: Place[] = []
  for (let nr = 0, at = 0; nr < count; nr++) {
    if (at + CENTRAL_BYTES > list.length || list.readUInt32LE(at) !== CENTRAL)
      throw new FileFault('datei_kaputt')
    const flags = list.readUInt16LE(at + 8)
    if ((flags & 1) !== 0) throw new FileFault('zip_verschluesselt')
    const nameLength = list.readUInt16LE(at + 28)
    const next = at + CENTRAL_BYTES + nameLength + list.readUInt16LE(at + 30) + list.readUInt16LE(at + 32)
    if (next > list.length) throw new FileFault('datei_kaputt')
    places.push({
      flags,
      name: list.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameLength),
      method: list.readUInt16LE(at + 10),
      packed: list.readUInt32LE(at + 20),
      size: list.readUInt32LE(at + 24),
      local: list.readUInt32LE(at + 42),
    })
    at = next
  }
  return { places, directory }
}

function findEnd(tail: Buffer): number {
  for (let at = tail.length - END_BYTES; at >= 0; at--) if (tail.readUInt32LE(at) === END) return at
  throw new FileFault('datei_kaputt')
}

/** No bytes may be unpacked twice, and no name may stand for two files. */
function checkApart(places: readonly Place[], directory: number): void {
  let last = 0
  for (const { local, packed, name } of places.toSorted((a, b) => a.local - b.local)) {
    if ([local, packed].includes(ELSEWHERE_32)) throw new FileFault('zip_zu_gross')
    if (local < last) throw new FileFault('datei_kaputt')
    last = local + LOCAL_BYTES + name.length + packed
  }
  if (last > directory || new Set(places.map(nameOf)).size !== places.length)
    throw new FileFault('datei_kaputt')
}

function checkSizes(entries: readonly ZipEntry[], places: readonly Place[]): void {
  const total = entries.reduce((sum, { size }) => sum + size, 0)
  if (total > MOST_TOTAL || places.some(({ size }) => size > MOST_BYTES)) throw new FileFault('zip_zu_gross')
  if (places.some(({ size, packed }) => size > RATIO_FROM && size > packed * MOST_RATIO))
    throw new FileFault('zip_zu_gross')
}

function unpack(read: Read, { name, local, method, packed, size }: Place): NonSharedBuffer {
  const head = read(local, LOCAL_BYTES)
  const nameLength = head.readUInt16LE(26)
  // A name that differs from the directory's is meant to fool another reader.
  if (head.readUInt32LE(0) !== LOCAL || !read(local + LOCAL_BYTES, nameLength).equals(name))
    throw new FileFault('datei_kaputt')
  const body = read(local + LOCAL_BYTES + nameLength + head.readUInt16LE(28), packed)
  const bytes = method === 0 ? body : method === 8 ? inflated(body, size) : null
  if (bytes === null || bytes.length !== size) throw new FileFault('datei_kaputt')
  return bytes
}

function inflated(body: Buffer, size: number): NonSharedBuffer {
  try {
    // Stops at an entry that is larger than it claims. In one chunk: assembling several
    // would need twice the memory.
    return inflateRawSync(body, { maxOutputLength: Math.max(1, size), chunkSize: Math.max(64, size) })
  } catch {
    throw new FileFault('datei_kaputt')
  }
}
