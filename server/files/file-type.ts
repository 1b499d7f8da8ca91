// The type of a file by its own bytes, whatever its name says. Pictures that are also something
// else, and everything that is text, are refused: a picture that is also a page or an archive is
// made to attack somebody.
import { open } from 'node:fs/promises'

export const SCAN_TYPES = ['image/jpeg', 'image/png', 'image/tiff', 'image/webp', 'application/pdf'] as const
export type ScanType = (typeof SCAN_TYPES)[number]

const HEAD = 4096
/** Longest end-of-directory record of a ZIP archive, including its comment. */
const TAIL = 65_557

export async function fileTypeOf(path: string): Promise<ScanType | null> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const head = Buffer.alloc(Math.min(HEAD, size))
    await file.read(head, 0, head.length, 0)
    const tail = Buffer.alloc(Math.min(TAIL, size))
    await file.read(tail, 0, tail.length, size - tail.length)
    const kind = typeOf(head)
    return kind === null || isTwoThings(kind, head) || endsLikeArchive(tail) ? null : kind
  } finally {
    await file.close()
  }
}

function typeOf(head: Buffer): ScanType | null {
  const starts = (...bytes: number[]) => bytes.every((byte, i) => head[i] === byte)
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png'
  // Classic TIFF and BigTIFF, in either byte order.
  if (
    starts(0x49, 0x49, 42, 0) ||
    starts(0x49, 0x49, 43, 0, 8, 0) ||
    starts(0x4d, 0x4d, 0, 42) ||
    starts(0x4d, 0x4d, 0, 43, 0, 8)
  )
    return 'image/tiff'
  const text = head.toString('latin1', 0, 16)
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'image/webp'
  if (/^%PDF-[12]\.\d/.test(text)) return 'application/pdf'
  return null
}

/** PDF readers look for the header in the first kilobyte, and browsers look there for markup. */
function isTwoThings(kind: ScanType, head: Buffer): boolean {
  const text = head.toString('latin1', 0, 1024)
  if (kind !== 'application/pdf' && text.includes('%PDF-')) return true
  return /<(?:!doctype|html|script|svg|vrtdataset|mrf_meta|\?php|iframe)\b/i.test(text)
}

function endsLikeArchive(tail: Buffer): boolean {
  for (
    let at = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1');
    at >= 0;
    at = at === 0 ? -1 : tail.lastIndexOf('PK\x05\x06', at - 1, 'latin1')
  )
    if (at + 22 <= tail.length && tail.readUInt16LE(at + 20) === tail.length - at - 22) return true
  return false
}
