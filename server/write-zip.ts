// ZIP archives, written file by file: only one file at a time is in memory. The same content gives the same
// bytes. fflate writes the format; Node compresses and checks, several times as fast.
import { promisify } from 'node:util'
import { crc32, deflateRaw, deflateRawSync } from 'node:zlib'
import { Zip, type ZipInputFile } from 'fflate'

export interface ZipFile {
  readonly name: string
  readonly inhalt: NonSharedBuffer
  /** False for content that is already compressed. */
  readonly compress: boolean
}
/** Limits of the format's fields; fflate writes no ZIP64 and would exceed them in silence. */
export const MOST_FILES = 65_000
export const MOST_BYTES = 4_000_000_000

const STORED = 0
const DEFLATED = 8
/** The earliest date possible. The format knows no time zone, hence local time. */
const DAY = new Date(1980, 0, 1)

const packLarge = promisify(deflateRaw)
/** A larger file is compressed beside the main thread: 90 MB take seconds. */
const SMALL_BYTES = 256 * 1024
const packed = async (bytes: NonSharedBuffer): Promise<NonSharedBuffer> =>
  bytes.length > SMALL_BYTES ? packLarge(bytes) : deflateRawSync(bytes)

async function addFile(zip: Zip, { name, inhalt, compress }: ZipFile): Promise<void> {
  const file: ZipInputFile = {
    filename: name,
    mtime: DAY,
    crc: crc32(inhalt),
    size: inhalt.length,
    compression: compress ? DEFLATED : STORED,
  }
  zip.add(file)
  file.ondata?.(null, compress ? await packed(inhalt) : inhalt, true)
}

export async function* zipStream(
  files: AsyncIterable<ZipFile> | Iterable<ZipFile>,
): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = []
  let length = 0
  let count = 0
  const zip = new Zip((error, bytes) => {
    if (error !== null) throw error
    length += bytes.length
    made.push(bytes)
  })
  for await (const file of files) {
    await addFile(zip, file)
    count++
    if (length > MOST_BYTES || count > MOST_FILES) throw new Error('the archive does not fit into its format')
    yield* made.splice(0)
  }
  zip.end()
  yield* made
}

/** A whole archive, for small ones. */
export async function zipBytes(files: Iterable<ZipFile>): Promise<NonSharedBuffer> {
  const parts: Uint8Array[] = []
  for await (const bytes of zipStream(files)) parts.push(bytes)
  return Buffer.concat(parts)
}
