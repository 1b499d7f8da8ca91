// A ZIP archive written as a stream: only one file at a time is in memory. No ZIP64: what does not fit is
// refused before the archive begins.
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipFile {
  readonly name: string
  readonly inhalt: Buffer
  /** False for content that is already compressed. */
  readonly compress: boolean
}
/** Limits of the format's fields. */
export const MOST_FILES = 65_000
export const MOST_BYTES = 4_000_000_000

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const VERSION = 20
const UTF8_NAMES = 0x0800
const STORED = 0
const DEFLATED = 8
/** 1 January 1980, the earliest date possible; fixed, so that the same content gives the same bytes. */
const DAY = 0x21

function fields(parts: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer {
  const made = Buffer.alloc(parts.reduce((size, [, bytes]) => size + bytes, 0))
  let at = 0
  for (const [value, bytes] of parts)
    at = bytes === 2 ? made.writeUInt16LE(value, at) : made.writeUInt32LE(value, at)
  return made
}

export async function* zipStream(storedFiles: AsyncIterable<ZipFile>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const { name, inhalt, compress } of storedFiles) {
    const bytes = Buffer.from(name, 'utf8')
    const body = compress ? deflateRawSync(inhalt) : inhalt
    const facts = [
      [VERSION, 2],
      [UTF8_NAMES, 2],
      [compress ? DEFLATED : STORED, 2],
      [0, 2],
      [DAY, 2],
      [crc32(inhalt), 4],
      [body.length, 4],
      [inhalt.length, 4],
      [bytes.length, 2],
      [0, 2],
    ] as const
    const head = Buffer.concat([fields([[LOCAL, 4], ...facts]), bytes])
    directory.push(
      Buffer.concat([
        fields([[CENTRAL, 4], [VERSION, 2], ...facts, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]]),
        bytes,
      ]),
    )
    offset += head.length + body.length
    if (offset > MOST_BYTES || directory.length > MOST_FILES)
      throw new Error('the archive does not fit into its format')
    yield head
    yield body
  }
  const central = Buffer.concat(directory)
  yield central
  yield fields([
    [END, 4],
    [0, 2],
    [0, 2],
    [directory.length, 2],
    [directory.length, 2],
    [central.length, 4],
    [offset, 4],
    [0, 2],
  ])
}
