// In which characters a table of attributes is written: the names a person may choose from, and what a file
// claims of itself.

export const CHARACTER_SETS = [
  'utf-8',
  'windows-1252',
  'cp850',
  'cp437',
  'iso-8859-15',
  'windows-1250',
  'cp852',
  'macintosh',
] as const
export type TextEncoding = (typeof CHARACTER_SETS)[number]

export const isTextEncoding = (value: unknown): value is TextEncoding =>
  (CHARACTER_SETS as readonly unknown[]).includes(value)

const BY_NUMBER: Readonly<Record<string, TextEncoding>> = {
  '437': 'cp437',
  '850': 'cp850',
  '852': 'cp852',
  '858': 'cp850',
  '1250': 'windows-1250',
  '1252': 'windows-1252',
  '10000': 'macintosh',
  '65001': 'utf-8',
  '88591': 'windows-1252',
  '885915': 'iso-8859-15',
}

/**
 * Understands a .cpg file: `UTF-8`, `65001`, `cp850`, `850`, `ANSI 1252`, `ISO-8859-1`, `88591`, `LDID/19`.
 * Null for a name we do not know.
 */
export function encodingOfCpg(text: string): TextEncoding | null {
  const plain = text.trim().toLowerCase()
  const driver = /^ldid\/(\d{1,3})$/.exec(plain)?.[1]
  if (driver !== undefined) return encodingOfDriver(Number(driver))
  if (/utf-?8/.test(plain)) return 'utf-8'
  if (plain.startsWith('mac')) return 'macintosh'
  if (/latin-?1$|ansi$/.test(plain)) return 'windows-1252'
  return BY_NUMBER[plain.replaceAll(/\D/g, '')] ?? null
}

const DRIVERS: Readonly<Partial<Record<TextEncoding, readonly number[]>>> = {
  cp437: [0x01, 0x09, 0x0b, 0x0d, 0x0f, 0x11, 0x15, 0x18, 0x19, 0x1b],
  cp850: [0x02, 0x0a, 0x0e, 0x10, 0x12, 0x14, 0x16, 0x1a, 0x1d, 0x25, 0x37],
  'windows-1252': [0x03, 0x58, 0x59],
  macintosh: [0x04],
  cp852: [0x1f, 0x22, 0x23, 0x40, 0x64, 0x87],
  'windows-1250': [0xc8],
}
/**
 * The language driver in byte 29 of a dBASE file. Null for 0, for 0x57 ("ANSI", which every program writes
 * whatever it means) and for languages of other continents.
 */
export function encodingOfDriver(driver: number): TextEncoding | null {
  for (const encoding of CHARACTER_SETS) if (DRIVERS[encoding]?.includes(driver)) return encoding
  return null
}
