// Coordinates as people type and paste them: with comma or dot as decimal separator, with dots for thousands,
// or both.

const PLAIN = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)$/
const GROUPED = /^[+-]?\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$|^[+-]?\d{1,3}(?:\.\d{3})+,\d+$/

/**
 * Null: not a number. A single dot is a decimal point, as programs write it; several dots separate thousands.
 */
export function parseCoordinate(text: string): number | null {
  const bare = text.trim().replaceAll(/[\s\u00a0\u202f']/g, '')
  const number = GROUPED.test(bare)
    ? bare.replaceAll('.', '').replace(',', '.')
    : PLAIN.test(bare)
      ? bare.replace(',', '.')
      : null
  const value = number === null ? Number.NaN : Number(number)
  return Number.isFinite(value) ? value : null
}

/**
 * Two numbers in one text, as copied from another program: separated by a tab, a semicolon, a comma or a
 * blank. A comma without a blank only separates numbers that have dots.
 */
export function parsePair(text: string): readonly [number, number] | null {
  for (const between of [/[\t;\n]+/, /,\s+/, /\s+/, /(?<=\.\d+),(?=[+-]?\d+\.)/]) {
    const parts = text.trim().split(between)
    if (parts.length !== 2) continue
    const [first, second] = parts.map((part) => parseCoordinate(part))
    if (first !== null && first !== undefined && second !== null && second !== undefined)
      return [first, second]
  }
  return null
}
