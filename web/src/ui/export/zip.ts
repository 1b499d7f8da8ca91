// Creates ZIP archives from texts, compressed by the browser, and from files, which are stored as is.
// Libraries compress in workers created from blob: URLs, which our content security policy forbids.

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1
  return rest >>> 0
})
export function crc32(parts: readonly Uint8Array[]): number {
  let crc = 0xffffffff
  for (const part of parts) for (const byte of part) crc = CRC_TABLE[(crc ^ byte) & 0xff]! ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

export interface ZipFile {
  readonly name: string
  /** In pieces, so that a large file need not be a single string. */
  readonly texts?: readonly string[]
  /** Stored as is, because photos do not compress. Read once for the checksum, never all of it at once. */
  readonly blob?: Blob
}

type Bytes = Uint8Array<ArrayBuffer>
const sizeOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0)

async function deflate(parts: Bytes[]): Promise<Bytes> {
  const squeezed = new Blob(parts).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(squeezed).arrayBuffer())
}

/** Encodes header fields in little-endian order: [value, bytes]. */
function header(fields: readonly (readonly [value: number, bytes: 2 | 4])[], name: Bytes): Bytes {
  const length = fields.reduce((sum, [, bytes]) => sum + bytes, 0)
  const made = new Uint8Array(length + name.length)
  const view = new DataView(made.buffer)
  let at = 0
  for (const [value, bytes] of fields) {
    if (bytes === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += bytes
  }
  made.set(name, at)
  return made
}

const VERSION = 20
const UTF8_NAMES = 0x0800
const STORED = 0
const DEFLATE = 8
/** Maximum of the format's 32-bit fields; larger values would need ZIP64. */
const MOST = 0xffff_ffff
// 1 January 1980, the format's earliest date: a fixed one, so that equal content gives equal files.
const DAY = 0x21

export async function zip(files: readonly ZipFile[]): Promise<Blob> {
  const text = new TextEncoder()
  const body: (Bytes | Blob)[] = []
  const directory: Bytes[] = []
  let offset = 0
  for (const file of files) {
    const name = text.encode(file.name)
    const parts = (file.texts ?? []).map((piece) => text.encode(piece))
    const content = file.blob ?? (await deflate(parts))
    const size = content instanceof Blob ? content.size : content.length
    const facts = [
      [VERSION, 2],
      [UTF8_NAMES, 2],
      [file.blob === undefined ? DEFLATE : STORED, 2],
      [0, 2],
      [DAY, 2],
      [crc32(file.blob === undefined ? parts : [new Uint8Array(await file.blob.arrayBuffer())]), 4],
      [size, 4],
      [file.blob?.size ?? sizeOf(parts), 4],
      [name.length, 2],
      [0, 2],
    ] as const
    const local = header([[0x04034b50, 4], ...facts], name)
    body.push(local, content)
    const rest = [
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [offset, 4],
    ] as const
    directory.push(header([[0x02014b50, 4], [VERSION, 2], ...facts, ...rest], name))
    offset += local.length + size
    if (offset > MOST) throw new RangeError('an archive of more than 4 GB')
  }
  const end = header(
    [
      [0x06054b50, 4],
      [0, 4],
      [files.length, 2],
      [files.length, 2],
      [sizeOf(directory), 4],
      [offset, 4],
      [0, 2],
    ],
    new Uint8Array(),
  )
  return new Blob([...body, ...directory, end])
}
