// Reads ZIP archives of others, in memory: names are only compared, never used as paths; sizes are limits for the unpacking, not promises.
import { inflateRawSync } from 'node:zlib'
import { DateiFault } from './quelle.ts'

export interface ZipEintrag {
  readonly name: string
  readonly size: number
  read(): Buffer
}

const MOST_ENTRIES = 2_000
/** Of one entry, unpacked. */
const MOST_BYTES = 400 * 1024 * 1024
const MOST_TOTAL = 700 * 1024 * 1024
const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50]

/** @throws DateiFault */
export function readZip(bytes: Buffer): ZipEintrag[] {
  const end = findEnd(bytes)
  const entries = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  if (entries > MOST_ENTRIES || entries === 0xffff) throw new DateiFault('zip_zu_gross')
  const all: ZipEintrag[] = []
  let total = 0
  for (let nr = 0; nr < entries; nr++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== CENTRAL) throw new DateiFault('datei_kaputt')
    const flags = bytes.readUInt16LE(at + 8)
    const method = bytes.readUInt16LE(at + 10)
    const packed = bytes.readUInt32LE(at + 20)
    const size = bytes.readUInt32LE(at + 24)
    const nameLength = bytes.readUInt16LE(at + 28)
    const more = bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    const local = bytes.readUInt32LE(at + 42)
    const name = bytes.toString((flags & 0x0800) === 0 ? 'latin1' : 'utf8', at + 46, at + 46 + nameLength)
    at += 46 + nameLength + more
    if ((flags & 1) !== 0) throw new DateiFault('zip_verschluesselt')
    if (name.endsWith('/') || name.includes('__MACOSX')) continue
    total += size
    if (size > MOST_BYTES || total > MOST_TOTAL) throw new DateiFault('zip_zu_gross')
    all.push({ name, size, read: () => unpack(bytes, { local, method, packed, size }) })
  }
  return all
}

function findEnd(bytes: Buffer): number {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 65_535); at--) if (bytes.readUInt32LE(at) === END) return at
  throw new DateiFault('datei_kaputt')
}

function unpack(bytes: Buffer, entry: { local: number; method: number; packed: number; size: number }): Buffer {
  const { local, method, packed, size } = entry
  if (local + 30 > bytes.length || bytes.readUInt32LE(local) !== LOCAL) throw new DateiFault('datei_kaputt')
  const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
  if (from + packed > bytes.length) throw new DateiFault('datei_kaputt')
  const body = bytes.subarray(from, from + packed)
  if (method === 0) return body
  if (method !== 8) throw new DateiFault('datei_kaputt')
  let out: Buffer
  try {
    // An entry that says it is small and is not ends here.
    out = inflateRawSync(body, { maxOutputLength: Math.max(1, size) })
  } catch {
    throw new DateiFault('datei_kaputt')
  }
  if (out.length !== size) throw new DateiFault('datei_kaputt')
  return out
}
