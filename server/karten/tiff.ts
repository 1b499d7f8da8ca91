// Writes directories of a TIFF: tags with their values, laid out so that all offsets are known before
// anything is written. Little endian; 64-bit offsets where the file needs them.

/**
 * Bits per value: short 16, long 32, double 64, rational two times 32; offset is as
 * wide as the file's offsets.
 */
type TagKind = 'short' | 'long' | 'double' | 'rational' | 'ascii' | 'offset'
export interface Tag {
  readonly tag: number
  readonly kind: TagKind
  readonly values: readonly number[]
}

const TYPE: Readonly<Record<Exclude<TagKind, 'offset'>, number>> = {
  ascii: 2,
  short: 3,
  long: 4,
  rational: 5,
  double: 12,
}
const SIZE: Readonly<Record<Exclude<TagKind, 'offset'>, number>> = {
  ascii: 1,
  short: 2,
  long: 4,
  rational: 4,
  double: 8,
}

interface Format {
  readonly big: boolean
  readonly header: number
  readonly count: number
  readonly entry: number
  readonly offset: number
}
const CLASSIC: Format = { big: false, header: 8, count: 2, entry: 12, offset: 4 }
const BIG: Format = { big: true, header: 16, count: 8, entry: 20, offset: 8 }

const typeOf = (kind: TagKind, big: boolean): number => (kind === 'offset' ? (big ? 16 : 4) : TYPE[kind])
const sizeOf = (kind: TagKind, big: boolean): number => (kind === 'offset' ? (big ? 8 : 4) : SIZE[kind])

function writeValue(buffer: Buffer, at: number, kind: TagKind, big: boolean, value: number): void {
  if (kind === 'offset' && big) buffer.writeBigUInt64LE(BigInt(value), at)
  else if (kind === 'double') buffer.writeDoubleLE(value, at)
  else if (kind === 'short') buffer.writeUInt16LE(value, at)
  else if (kind === 'ascii') buffer.writeUInt8(value, at)
  else buffer.writeUInt32LE(value, at)
}

const bytesOf = ({ kind, values }: Tag, big: boolean): number => values.length * sizeOf(kind, big)

/** The length depends on the number of values only, not on the values. */
export function headLength(directories: readonly (readonly Tag[])[], big: boolean): number {
  const format = big ? BIG : CLASSIC
  return directories.reduce(
    (sum, tags) =>
      sum +
      format.count +
      tags.length * format.entry +
      format.offset +
      tags.reduce((more, tag) => more + (bytesOf(tag, big) > format.offset ? even(bytesOf(tag, big)) : 0), 0),
    format.header,
  )
}

const even = (length: number): number => length + (length % 2)

/**
 * The head of the file: all directories in sequence, each followed by those of its values
 * that do not fit into it.
 */
export function writeHead(directories: readonly (readonly Tag[])[], big: boolean): Buffer {
  const format = big ? BIG : CLASSIC
  const buffer = Buffer.alloc(headLength(directories, big))
  buffer.write('II', 0, 'latin1')
  buffer.writeUInt16LE(big ? 43 : 42, 2)
  if (big) {
    buffer.writeUInt16LE(8, 4)
    buffer.writeBigUInt64LE(BigInt(format.header), 8)
  } else buffer.writeUInt32LE(format.header, 4)
  let at = format.header
  directories.forEach((tags, index) => {
    at = writeDirectory(buffer, at, tags, format, index === directories.length - 1)
  })
  return buffer
}

/** Returns where the next one begins. */
function writeDirectory(
  buffer: Buffer,
  start: number,
  tags: readonly Tag[],
  format: Format,
  last: boolean,
): number {
  const { big } = format
  const sorted = tags.toSorted((one, other) => one.tag - other.tag)
  let entry = start + format.count
  let beyond = entry + sorted.length * format.entry + format.offset
  if (big) buffer.writeBigUInt64LE(BigInt(sorted.length), start)
  else buffer.writeUInt16LE(sorted.length, start)
  for (const tag of sorted) {
    buffer.writeUInt16LE(tag.tag, entry)
    buffer.writeUInt16LE(typeOf(tag.kind, big), entry + 2)
    const count = tag.kind === 'rational' ? tag.values.length / 2 : tag.values.length
    writeValue(buffer, entry + 4, 'offset', big, count)
    const length = bytesOf(tag, big)
    const place = entry + format.entry - format.offset
    const inside = length <= format.offset
    if (!inside) writeValue(buffer, place, 'offset', big, beyond)
    tag.values.forEach((value, i) =>
      writeValue(buffer, (inside ? place : beyond) + i * sizeOf(tag.kind, big), tag.kind, big, value),
    )
    if (!inside) beyond += even(length)
    entry += format.entry
  }
  writeValue(buffer, entry, 'offset', big, last ? 0 : beyond)
  return beyond
}
