// Reads ZIP archives of any size from a file, without having them in memory: what is stored as it is becomes a
// part of the file, what is packed is unpacked up to a limit.

/** Not an archive, a broken one, one with a password, or larger than allowed when unpacked. */
export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault'
}

const [END, CENTRAL, LOCAL] = [0x06054b50, 0x02014b50, 0x04034b50]
/** The end of an archive with its longest comment. */
const LONGEST_END = 22 + 0xffff
const MOST_ENTRIES = 50_000
/** In the place of a number: it is elsewhere, because it is larger. We write no such archives. */
const ZIP64 = 0xffff_ffff

export interface BlobEntry {
  readonly name: string
  /** Rejects with ArchiveFault, also if there are more than `most` bytes. */
  readonly read: (most: number) => Promise<Blob>
}

const viewOf = async (blob: Blob): Promise<DataView<ArrayBuffer>> => new DataView(await blob.arrayBuffer())

/** The files of an archive, in their order. Rejects with ArchiveFault. */
export async function readZip(file: Blob): Promise<BlobEntry[]> {
  try {
    const tail = await viewOf(file.slice(Math.max(0, file.size - LONGEST_END)))
    let end = tail.byteLength - 22
    while (end >= 0 && tail.getUint32(end, true) !== END) end -= 1
    if (end < 0) throw new ArchiveFault('kaputt')
    const [count, size, from] = [
      tail.getUint16(end + 10, true),
      tail.getUint32(end + 12, true),
      tail.getUint32(end + 16, true),
    ]
    if (count > MOST_ENTRIES) throw new ArchiveFault('zu_tief_gepackt')
    if (from === ZIP64 || from + size > file.size) throw new ArchiveFault('kaputt')
    return entriesOf(file, await viewOf(file.slice(from, from + size)), count)
  } catch (error) {
    // Invalid offsets also mean a broken archive.
    throw error instanceof ArchiveFault ? error : new ArchiveFault('kaputt')
  }
}

function entriesOf(file: Blob, directory: DataView<ArrayBuffer>, count: number): BlobEntry[] {
  let at = 0
  return Array.from({ length: count }, () => {
    if (directory.getUint32(at, true) !== CENTRAL) throw new ArchiveFault('kaputt')
    if ((directory.getUint16(at + 8, true) & 1) === 1) throw new ArchiveFault('geschuetzt')
    const method = directory.getUint16(at + 10, true)
    const packed = directory.getUint32(at + 20, true)
    const nameLength = directory.getUint16(at + 28, true)
    const name = new TextDecoder().decode(new Uint8Array(directory.buffer, at + 46, nameLength))
    const local = directory.getUint32(at + 42, true)
    at += 46 + nameLength + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true)
    return { name, read: (most) => contentOf(file, { local, packed, method }, most) }
  })
}

interface Place {
  readonly local: number
  readonly packed: number
  readonly method: number
}
async function contentOf(file: Blob, { local, packed, method }: Place, most: number): Promise<Blob> {
  try {
    const head = await viewOf(file.slice(local, local + 30))
    if (head.getUint32(0, true) !== LOCAL || (method !== 0 && method !== 8)) throw new ArchiveFault('kaputt')
    const from = local + 30 + head.getUint16(26, true) + head.getUint16(28, true)
    const content = file.slice(from, from + packed)
    if (content.size !== packed) throw new ArchiveFault('kaputt')
    if (method === 8) return await inflate(content, most)
    if (packed > most) throw new ArchiveFault('zu_tief_gepackt')
    return content
  } catch (error) {
    throw error instanceof ArchiveFault ? error : new ArchiveFault('kaputt')
  }
}

async function inflate(packed: Blob, most: number): Promise<Blob> {
  const reader = packed.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one piece after another
    const { done, value } = await reader.read()
    if (done) return new Blob(parts)
    length += value.length
    if (length > most) {
      // oxlint-disable-next-line no-await-in-loop -- ends here
      await reader.cancel()
      throw new ArchiveFault('zu_tief_gepackt')
    }
    parts.push(value)
  }
}
