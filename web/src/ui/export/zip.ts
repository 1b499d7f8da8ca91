// Writes ZIP archives: texts compressed by the browser, files stored as they are. fflate writes the format; its
// own compressor is three times as slow, and as workers it would start from blob: URLs, which our content
// security policy forbids.
import { Zip, ZipPassThrough } from 'fflate'

export interface ZipFile {
  readonly name: string
  /** In pieces, so that a large file need not be a single string. */
  readonly texts?: readonly string[]
  /** Stored as is, because photos do not compress. Read once for the checksum, never all files at once. */
  readonly blob?: Blob
}

const DEFLATED = 8
/** Limit of the format's fields; fflate writes no ZIP64 and would exceed it in silence. */
const MOST = 0xffff_ffff
/** The format's earliest date: a fixed one, so that equal content gives equal files. */
const DAY = new Date(1980, 0, 1)

class DeflatedFile extends ZipPassThrough {
  override compression = DEFLATED
  readonly #stream = new CompressionStream('deflate-raw')
  readonly #writer = this.#stream.writable.getWriter()
  readonly #packed = new Response(this.#stream.readable).arrayBuffer()

  protected override process(bytes: Uint8Array<ArrayBuffer>, final: boolean): void {
    void this.#writer.write(bytes)
    if (final) void this.#writer.close()
  }
  async finish(): Promise<void> {
    this.ondata(null, new Uint8Array(await this.#packed), true)
  }
}

async function addTexts(archive: Zip, name: string, texts: readonly string[]): Promise<void> {
  const encoder = new TextEncoder()
  const file = new DeflatedFile(name)
  file.mtime = DAY
  archive.add(file)
  for (const text of texts) file.push(encoder.encode(text))
  file.push(new Uint8Array(), true)
  await file.finish()
}

export async function zip(files: readonly ZipFile[]): Promise<Blob> {
  const parts: BlobPart[] = []
  let length = 0
  /** What was read of the current blob, which goes into the archive itself instead of this copy. */
  let copy: Uint8Array | undefined
  let blob = new Blob()
  const archive = new Zip((error, bytes) => {
    if (error !== null) throw error
    length += bytes.length
    parts.push(bytes === copy ? blob : bytes)
  })
  for (const file of files) {
    if (file.blob === undefined) await addTexts(archive, file.name, file.texts ?? [])
    else {
      const stored = new ZipPassThrough(file.name)
      stored.mtime = DAY
      archive.add(stored)
      blob = file.blob
      copy = new Uint8Array(await blob.arrayBuffer())
      stored.push(copy, true)
    }
    if (length > MOST) throw new RangeError('an archive of more than 4 GB')
  }
  archive.end()
  return new Blob(parts)
}
