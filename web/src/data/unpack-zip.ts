// Unpacks ZIP archives with the browser's own inflater, which stops as soon as a ZIP bomb exceeds the limit:
// fflate inflates to the end whatever the directory claims, and does not say that an archive needs a password.

/**
 * kaputt: not an archive, or a broken one · geschuetzt: password-protected · zu_tief_gepackt: over a limit
 * when unpacked.
 */
export type ZipFaultCode = 'kaputt' | 'geschuetzt' | 'zu_tief_gepackt'
export class ZipFault extends Error {
  override readonly name = 'ZipFault'
  readonly code: ZipFaultCode
  constructor(code: ZipFaultCode) {
    super(code)
    this.code = code
  }
}

export interface ZipEntry {
  readonly name: string
  readonly data: Uint8Array<ArrayBuffer>
}

/** Many times what a sheet of 20,000 rows needs. */
const MAX_UNPACKED = 200 * 1024 * 1024
const MAX_ENTRIES = 2_000
const END = 0x06054b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50

interface Place {
  readonly name: string
  readonly packed: Uint8Array<ArrayBuffer>
  readonly method: number
}

/** Reads the directory at the end of the archive, which says where each file is. */
function readDirectory(bytes: Uint8Array<ArrayBuffer>): Place[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = bytes.length - 22
  while (end >= 0 && view.getUint32(end, true) !== END) end -= 1
  if (end < 0) throw new ZipFault('kaputt')
  const count = view.getUint16(end + 10, true)
  if (count > MAX_ENTRIES) throw new ZipFault('zu_tief_gepackt')
  let at = view.getUint32(end + 16, true)
  return Array.from({ length: count }, () => {
    if (view.getUint32(at, true) !== CENTRAL) throw new ZipFault('kaputt')
    if ((view.getUint16(at + 8, true) & 1) === 1) throw new ZipFault('geschuetzt')
    const method = view.getUint16(at + 10, true)
    const size = view.getUint32(at + 20, true)
    const nameLength = view.getUint16(at + 28, true)
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength))
    const local = view.getUint32(at + 42, true)
    if (view.getUint32(local, true) !== LOCAL) throw new ZipFault('kaputt')
    const data = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    if (data + size > bytes.length) throw new ZipFault('kaputt')
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    return { name, packed: bytes.subarray(data, data + size), method }
  })
}

async function inflate(packed: Uint8Array<ArrayBuffer>, allowed: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const parts: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > allowed) {
      await reader.cancel()
      throw new ZipFault('zu_tief_gepackt')
    }
    parts.push(value)
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Unpacks the files whose name `wanted` accepts. */
export async function unpackZip(
  bytes: Uint8Array<ArrayBuffer>,
  wanted: (name: string) => boolean,
): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = []
  let allowed = MAX_UNPACKED
  try {
    for (const { name, packed, method } of readDirectory(bytes)) {
      if (!wanted(name)) continue
      if (method !== 0 && method !== 8) throw new ZipFault('kaputt')
      const data = method === 0 ? packed : await inflate(packed, allowed)
      allowed -= data.length
      entries.push({ name, data })
    }
  } catch (error) {
    // Invalid offsets and broken streams also mean a broken archive.
    throw error instanceof ZipFault ? error : new ZipFault('kaputt')
  }
  return entries
}
