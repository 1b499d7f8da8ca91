// Text as bytes of Windows-1252, which DATEV reads. A character missing there becomes its base letter or a
// question mark, and is counted.

/** 0x80 … 0x9F; blanks stand for unassigned bytes. */
const UPPER = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'
const BYTES: ReadonlyMap<string, number> = new Map(
  [...UPPER].flatMap((sign, index): [string, number][] => (sign === ' ' ? [] : [[sign, 0x80 + index]])),
)
/** Letters that do not decompose into a base letter and a mark. */
const PLAIN: Readonly<Record<string, string>> = {
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
  ẞ: 'ß',
  '\u202F': '\u00A0',
  '\u2212': '-',
  '\u2011': '-',
}
const QUESTION = 0x3f

function byteOf(sign: string): number | null {
  const point = sign.codePointAt(0)!
  if (point < 0x80 || (point >= 0xa0 && point <= 0xff)) return point
  return BYTES.get(sign) ?? null
}

export interface Encoded {
  readonly bytes: Uint8Array
  /** Number of characters that were replaced. */
  readonly replaced: number
}

export function encodeWindows1252(text: string): Encoded {
  const bytes: number[] = []
  let replaced = 0
  for (const sign of text.normalize('NFC')) {
    const own = byteOf(sign)
    if (own !== null) {
      bytes.push(own)
      continue
    }
    replaced += 1
    const plain = PLAIN[sign] ?? sign.normalize('NFD')[0]!
    bytes.push(byteOf(plain) ?? QUESTION)
  }
  return { bytes: Uint8Array.from(bytes), replaced }
}
