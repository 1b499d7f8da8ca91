// The characters of an XML file: by its mark of order, or by what its first line says (XML 1.0, annex F).
import { FileFault } from './file-fault.ts'

/** As declarations name them, in lower case. Others are no encodings of an invoice. */
const CHARACTERS: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  // Some programs declare what they hold in memory and write UTF-8.
  'utf-16': 'utf-8',
  'us-ascii': 'utf-8',
  ascii: 'utf-8',
  'iso-8859-1': 'windows-1252',
  'iso-8859-15': 'iso-8859-15',
  'windows-1252': 'windows-1252',
}

function encodingOf(bytes: Buffer): string | undefined {
  const start = bytes.toString('hex', 0, 4)
  if (start.startsWith('efbbbf')) return 'utf-8'
  if (start.startsWith('fffe') || start === '3c003f00') return 'utf-16le'
  if (start.startsWith('feff') || start === '003c003f') return 'utf-16be'
  const head = bytes.toString('latin1', 0, 200)
  const declared = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(head)?.[1]
  return CHARACTERS[declared?.toLowerCase() ?? 'utf-8']
}

/** @throws FileFault */
export function decodeText(bytes: Buffer): string {
  const encoding = encodingOf(bytes)
  if (encoding === undefined) throw new FileFault('eingang_zeichen')
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new FileFault('eingang_zeichen')
  }
}
