// Tables of FlatBuffers, of files from elsewhere: every offset and length is checked before it is used, and what
// several places of a buffer share is counted each time, because honest buffers share next to nothing. Source:
// FlatBuffers internals (flatbuffers.dev/internals).
import { FileFault } from './source.ts'

/** A vector's place: of `count` elements, beginning there. */
export interface FlatVector {
  readonly at: number
  readonly count: number
}

export interface FlatTable {
  readonly bytes: Buffer
  /** Where the value of a field is; null if it is left out and has its default. */
  field(nr: number, size: number): number | null
  byte(nr: number, otherwise: number): number
  uint16(nr: number, otherwise: number): number
  int32(nr: number, otherwise: number): number
  uint64(nr: number): bigint
  text(nr: number): string | null
  table(nr: number): FlatTable | null
  tables(nr: number): FlatTable[]
  vector(nr: number, size: number): FlatVector | null
}

export const broken = (): never => {
  throw new FileFault('datei_kaputt')
}

/** Times that a buffer may be read: writers share equal texts and tables of offsets. */
const READ_AT_MOST = 4

/** The buffer's own table. @throws FileFault */
export function flatRoot(bytes: Buffer): FlatTable {
  let left = READ_AT_MOST * bytes.length + 64
  /** A place with that many bytes. */
  function place(at: number, size: number): number {
    left -= size
    if (at < 0 || at + size > bytes.length || left < 0) broken()
    return at
  }
  /** Offsets point forwards: nothing can contain itself. */
  const follow = (at: number): number => at + bytes.readUInt32LE(place(at, 4))

  function tableAt(start: number): FlatTable {
    const vtable = start - bytes.readInt32LE(place(start, 4))
    const vtableBytes = bytes.readUInt16LE(place(vtable, 4))
    place(vtable, vtableBytes)
    const field: FlatTable['field'] = (nr, size) => {
      const at = 4 + 2 * nr
      const offset = at + 2 > vtableBytes ? 0 : bytes.readUInt16LE(vtable + at)
      return offset === 0 ? null : place(start + offset, size)
    }
    const vector: FlatTable['vector'] = (nr, size) => {
      const at = field(nr, 4)
      if (at === null) return null
      const from = follow(at)
      const count = bytes.readUInt32LE(place(from, 4))
      return { at: place(from + 4, count * size), count }
    }
    const read = <T>(nr: number, size: number, otherwise: T, value: (at: number) => T): T => {
      const at = field(nr, size)
      return at === null ? otherwise : value(at)
    }
    return {
      bytes,
      field,
      byte: (nr, otherwise) => read(nr, 1, otherwise, (at) => bytes[at]!),
      uint16: (nr, otherwise) => read(nr, 2, otherwise, (at) => bytes.readUInt16LE(at)),
      int32: (nr, otherwise) => read(nr, 4, otherwise, (at) => bytes.readInt32LE(at)),
      uint64: (nr) => read(nr, 8, 0n, (at) => bytes.readBigUInt64LE(at)),
      text(nr) {
        const found = vector(nr, 1)
        return found === null ? null : bytes.toString('utf8', found.at, found.at + found.count)
      },
      table: (nr) => read<FlatTable | null>(nr, 4, null, (at) => tableAt(follow(at))),
      tables(nr) {
        const found = vector(nr, 4)
        return Array.from({ length: found?.count ?? 0 }, (_, index) => tableAt(follow(found!.at + 4 * index)))
      },
      vector,
    }
  }
  return tableAt(follow(0))
}
