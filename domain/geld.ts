// Exact decimals for money, quantities and rates: a whole number and its number of decimal places. Amounts
// never pass through a binary float. In transit a decimal is text with a point ("1234.50"); typed and shown
// it is German ("1.234,50"). Rounding is half away from zero, as PostgreSQL rounds a numeric.

export interface Decimal {
  readonly wert: bigint
  /** Number of decimal places. */
  readonly decimals: number
}

/** Limit for parsed text; products have more until they are rounded. */
export const MOST_PLACES = 6
const MOST_DIGITS = 24

const WIRE = new RegExp(`^(-?)(\\d{1,${MOST_DIGITS}})(?:\\.(\\d{1,${MOST_PLACES}}))?$`)

const power = (places: number): bigint => 10n ** BigInt(places)

function fromDigits(negative: boolean, whole: string, fraction: string): Decimal {
  const value = BigInt(whole + fraction)
  return { wert: negative ? -value : value, decimals: fraction.length }
}

/** Parses the transfer format; null for everything else (a comma, an exponent, a plus, blanks). */
export function parseDecimal(text: string): Decimal | null {
  const parts = WIRE.exec(text)
  return parts === null ? null : fromDigits(parts[1] === '-', parts[2]!, parts[3] ?? '')
}

/**
 * Parses text that must be valid, because it comes from a numeric column or has been checked. Throws
 * RangeError.
 */
export function decimal(text: string): Decimal {
  const value = parseDecimal(text)
  if (value === null) throw new RangeError(`no decimal: ${JSON.stringify(text)}`)
  return value
}

/**
 * A value of a column with two places, as text or as a JSON number ("480", 480.5). Throws RangeError if it has
 * more.
 */
export function parseHundredths(value: string | number): Decimal {
  const exact = decimal(String(value))
  const rounded = round2(exact)
  if (!isEqual(exact, rounded)) throw new RangeError(`more than two places: ${value}`)
  return rounded
}

export const NULL: Decimal = { wert: 0n, decimals: 2 }

/** Half away from zero: 5/2 is 3, -5/2 is -3. The divisor is positive. */
export function divideRounded(value: bigint, divisor: bigint): bigint {
  const doubled = value < 0n ? 2n * value - divisor : 2n * value + divisor
  return doubled / (2n * divisor)
}

/** To this many places, rounded if the value has more. */
export function roundTo(value: Decimal, places: number): Decimal {
  if (places >= value.decimals) return { wert: value.wert * power(places - value.decimals), decimals: places }
  return { wert: divideRounded(value.wert, power(value.decimals - places)), decimals: places }
}
export const round2 = (value: Decimal): Decimal => roundTo(value, 2)

function aligned(one: Decimal, other: Decimal): readonly [bigint, bigint, number] {
  const places = Math.max(one.decimals, other.decimals)
  return [one.wert * power(places - one.decimals), other.wert * power(places - other.decimals), places]
}

export function add(one: Decimal, other: Decimal): Decimal {
  const [a, b, decimals] = aligned(one, other)
  return { wert: a + b, decimals }
}
export const negate = (value: Decimal): Decimal => ({ wert: -value.wert, decimals: value.decimals })
export const subtract = (one: Decimal, other: Decimal): Decimal => add(one, negate(other))
/** Exact: the result has the places of both. */
export const multiply = (one: Decimal, other: Decimal): Decimal => ({
  wert: one.wert * other.wert,
  decimals: one.decimals + other.decimals,
})
/** To so many places. The divisor is not zero. */
export function divide(value: Decimal, divisor: Decimal, places: number): Decimal {
  const [a, b] = aligned(value, divisor)
  const side = b < 0n ? -1n : 1n
  return { wert: divideRounded(a * side * power(places), b * side), decimals: places }
}
/** Per cent of a value, exact. */
export const percentOf = (value: Decimal, percent: Decimal): Decimal => ({
  wert: value.wert * percent.wert,
  decimals: value.decimals + percent.decimals + 2,
})

/** -1, 0 or 1; 1.5 and 1.50 are equal. */
export function compare(one: Decimal, other: Decimal): -1 | 0 | 1 {
  const [a, b] = aligned(one, other)
  if (a === b) return 0
  return a < b ? -1 : 1
}
export const sign = (value: Decimal): -1 | 0 | 1 => compare(value, NULL)
export const absolute = (value: Decimal): Decimal => (value.wert < 0n ? negate(value) : value)
/** More than this is no rounding of some lines. */
export const ROUNDING = decimal('0.05')
export const isEqual = (one: Decimal, other: Decimal): boolean => compare(one, other) === 0
export const sum = (values: Iterable<Decimal>): Decimal => [...values].reduce(add, NULL)

function digitsOf(value: Decimal): readonly [negative: boolean, whole: string, fraction: string] {
  const digits = (value.wert < 0n ? -value.wert : value.wert).toString().padStart(value.decimals + 1, '0')
  return [
    value.wert < 0n,
    digits.slice(0, digits.length - value.decimals),
    digits.slice(digits.length - value.decimals),
  ]
}

/** Transfer format with exactly its places: "-0.50". Never "-0.00". */
export function formatDecimal(value: Decimal): string {
  const [negative, whole, fraction] = digitsOf(value)
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Transfer format in cents, used by every amount of a document. */
export const formatCents = (value: Decimal): string => formatDecimal(round2(value))

/** The negation of a text in transfer format, keeping its places; zero stays the same text. */
export const negateText = (text: string): string => formatDecimal(negate(decimal(text)))

export interface NumberDisplay {
  /** Pads with zeros up to this many places; all other trailing zeros are dropped. Default 0. */
  readonly atLeast?: number
  /** Rounds to this many places. Default: as many as there are. */
  readonly atMost?: number
}

/** German: "1.234,5". */
export function formatGerman(
  value: Decimal,
  { atLeast = 0, atMost = value.decimals }: NumberDisplay = {},
): string {
  const [negative, whole, digits] = digitsOf(roundTo(value, Math.max(atLeast, atMost)))
  let end = digits.length
  while (end > atLeast && digits[end - 1] === '0') end -= 1
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, '.')
  return `${negative ? '-' : ''}${grouped}${end === 0 ? '' : `,${digits.slice(0, end)}`}`
}

/** German format in cents, without the currency sign: "1.234,50". */
export const formatAmount = (value: Decimal | string): string =>
  formatGerman(typeof value === 'string' ? decimal(value) : value, { atLeast: 2, atMost: 2 })
/** "1.234,50 €", with a non-breaking space. */
export const formatEuro = (value: Decimal | string): string => `${formatAmount(value)}\u00A0€`

export interface NumberInputLimits {
  /** Maximum number of decimal places, as in the column. */
  readonly decimals: number
  /** Maximum number of integer digits: 12 for numeric(14,2). */
  readonly integerDigits?: number
  readonly allowNegative?: boolean
}
/**
 * fehlt: empty · zahl: not a number · punkt: a point that does not separate thousands (the German decimal
 * separator is the comma) · stellen: too many places · gross: too many digits · negativ: below zero.
 */
export type NumberInputFault = 'fehlt' | 'zahl' | 'punkt' | 'stellen' | 'gross' | 'negativ'

const TYPED = /^([-−–]?)(\d+|(?=,\d))(?:,(\d*))?$/
const GROUPED = /^([-−–]?)([1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d*))?$/

/**
 * Parses typed input: "1.234,50", "1234,5", "-3", "12,50 €". A point only separates thousands: "12.5" is a
 * fault, never 125 or 12,5, because "1.234" could otherwise be read either way. Zeros after the last
 * significant place do not count as places.
 */
export function parseNumberInput(
  text: string,
  { decimals, integerDigits = 12, allowNegative = false }: NumberInputLimits,
): Decimal | NumberInputFault {
  const typed = text.replace(/\s*(?:€|EUR|%)\s*$/i, '').replaceAll(/[\s\u00A0\u202F]/g, '')
  if (typed === '') return 'fehlt'
  const parts = TYPED.exec(typed) ?? GROUPED.exec(typed)
  if (parts === null) return /^[-−–]?[\d.]*,?\d*$/.test(typed) && /\d/.test(typed) ? 'punkt' : 'zahl'
  const whole = parts[2]!.replaceAll('.', '').replace(/^0+(?=\d)/, '')
  const fraction = (parts[3] ?? '').replace(/0+$/, '')
  if (fraction.length > decimals) return 'stellen'
  if (whole.length > integerDigits) return 'gross'
  const value = roundTo(fromDigits(parts[1] !== '', whole, fraction), decimals)
  return value.wert < 0n && !allowNegative ? 'negativ' : value
}
