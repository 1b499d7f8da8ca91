// Converts values: JavaScript → parameter, field text → JavaScript.

const BOOL = 16
const INT8 = 20
const INT2 = 21
const INT4 = 23

/**
 * bool, int2, int4, and int8 within the safe range become JavaScript values; every other type stays the text
 * PostgreSQL prints.
 */
export function parseField(type: number, text: string): unknown {
  if (type === INT4 || type === INT2) return Number(text)
  if (type === BOOL) return text === 't'
  if (type !== INT8) return text
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : text
}

/** Arrays become array literals, other objects JSON, bytes stay bytes. */
export function toParameter(value: unknown): string | Uint8Array | null {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) return value
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return arrayLiteral(value)
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}

function arrayLiteral(values: readonly unknown[]): string {
  return `{${values.map((value) => (Array.isArray(value) ? arrayLiteral(value) : arrayElement(value))).join(',')}}`
}

function arrayElement(value: unknown): string {
  const text = toParameter(value)
  if (text === null) return 'NULL'
  if (typeof text !== 'string') return `"\\\\x${Buffer.from(text).toString('hex')}"`
  return `"${escaped(text)}"`
}

const PIECE_LENGTH = 2 ** 16

/**
 * Piece by piece, and by an expression: replacing one text by another keeps an object for everything between two of
 * them, which is many times the text if it is JSON of some megabytes.
 */
function escaped(text: string): string {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += PIECE_LENGTH)
    pieces.push(text.slice(at, at + PIECE_LENGTH).replaceAll(/["\\]/g, String.raw`\$&`))
  return pieces.join('')
}
