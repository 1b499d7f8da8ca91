// Exact decimals for money, quantities and rates: a whole number and how many of its digits stand behind the point. No binary float touches an amount.
// On the wire a decimal is text with a point ("1234.50"), typed and shown it is German ("1.234,50"). Rounding is half away from zero, as PostgreSQL rounds a numeric.

export interface Dezimal {
  readonly wert: bigint
  /** Digits behind the point. */
  readonly stellen: number
}

/** Read from a text; products have more until they are rounded. */
export const MOST_PLACES = 6
const MOST_DIGITS = 24

const WIRE = new RegExp(`^(-?)(\\d{1,${MOST_DIGITS}})(?:\\.(\\d{1,${MOST_PLACES}}))?$`)

const power = (places: number): bigint => 10n ** BigInt(places)

function fromDigits(negative: boolean, whole: string, fraction: string): Dezimal {
  const value = BigInt(whole + fraction)
  return { wert: negative ? -value : value, stellen: fraction.length }
}

/** Text of the wire; null for everything else (a comma, an exponent, a plus, blanks). */
export function parseDezimal(text: string): Dezimal | null {
  const parts = WIRE.exec(text)
  return parts === null ? null : fromDigits(parts[1] === '-', parts[2]!, parts[3] ?? '')
}

/** Text of the wire that must be right: it comes from a numeric column or has been checked. */
export function dezimal(text: string): Dezimal {
  const value = parseDezimal(text)
  if (value === null) throw new RangeError(`no decimal: ${JSON.stringify(text)}`)
  return value
}

export const NULL: Dezimal = { wert: 0n, stellen: 2 }

/** Half away from zero: 5/2 is 3, -5/2 is -3. The divisor is positive. */
export function divideRounded(value: bigint, divisor: bigint): bigint {
  const doubled = value < 0n ? 2n * value - divisor : 2n * value + divisor
  return doubled / (2n * divisor)
}

/** To so many places, rounded where it has more. */
export function roundTo(value: Dezimal, places: number): Dezimal {
  if (places >= value.stellen) return { wert: value.wert * power(places - value.stellen), stellen: places }
  return { wert: divideRounded(value.wert, power(value.stellen - places)), stellen: places }
}
export const round2 = (value: Dezimal): Dezimal => roundTo(value, 2)

function aligned(one: Dezimal, other: Dezimal): readonly [bigint, bigint, number] {
  const places = Math.max(one.stellen, other.stellen)
  return [one.wert * power(places - one.stellen), other.wert * power(places - other.stellen), places]
}

export function add(one: Dezimal, other: Dezimal): Dezimal {
  const [a, b, stellen] = aligned(one, other)
  return { wert: a + b, stellen }
}
export const negate = (value: Dezimal): Dezimal => ({ wert: -value.wert, stellen: value.stellen })
export const subtract = (one: Dezimal, other: Dezimal): Dezimal => add(one, negate(other))
/** Exact: the places of both. */
export const multiply = (one: Dezimal, other: Dezimal): Dezimal => ({ wert: one.wert * other.wert, stellen: one.stellen + other.stellen })
/** Per cent of a value, exact. */
export const percentOf = (value: Dezimal, percent: Dezimal): Dezimal => ({
  wert: value.wert * percent.wert,
  stellen: value.stellen + percent.stellen + 2,
})

/** -1, 0 or 1; 1.5 and 1.50 are the same. */
export function compare(one: Dezimal, other: Dezimal): -1 | 0 | 1 {
  const [a, b] = aligned(one, other)
  if (a === b) return 0
  return a < b ? -1 : 1
}
export const sign = (value: Dezimal): -1 | 0 | 1 => compare(value, NULL)
export const isEqual = (one: Dezimal, other: Dezimal): boolean => compare(one, other) === 0
export const sum = (values: Iterable<Dezimal>): Dezimal => [...values].reduce(add, NULL)

function digitsOf(value: Dezimal): readonly [negative: boolean, whole: string, fraction: string] {
  const digits = (value.wert < 0n ? -value.wert : value.wert).toString().padStart(value.stellen + 1, '0')
  return [value.wert < 0n, digits.slice(0, digits.length - value.stellen), digits.slice(digits.length - value.stellen)]
}

/** Text of the wire with exactly its places: "-0.50". Never "-0.00". */
export function formatDezimal(value: Dezimal): string {
  const [negative, whole, fraction] = digitsOf(value)
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Cents as text of the wire: what stands in every amount of a document. */
export const formatCents = (value: Dezimal): string => formatDezimal(round2(value))

/** The negation of a text of the wire, with its places kept; of zero the same text. */
export const negateText = (text: string): string => formatDezimal(negate(dezimal(text)))

export interface Anzeige {
  /** Zeros are added up to here; all others at the end are dropped. Default 0. */
  readonly mindestens?: number
  /** Rounded to this. Default: as many as there are. */
  readonly hoechstens?: number
}

/** German: "1.234,5". */
export function formatZahl(value: Dezimal, { mindestens = 0, hoechstens = value.stellen }: Anzeige = {}): string {
  const [negative, whole, digits] = digitsOf(roundTo(value, Math.max(mindestens, hoechstens)))
  let end = digits.length
  while (end > mindestens && digits[end - 1] === '0') end -= 1
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, '.')
  return `${negative ? '-' : ''}${grouped}${end === 0 ? '' : `,${digits.slice(0, end)}`}`
}

/** German cents without the sign of the currency: "1.234,50". */
export const formatBetrag = (value: Dezimal | string): string =>
  formatZahl(typeof value === 'string' ? dezimal(value) : value, { mindestens: 2, hoechstens: 2 })
/** "1.234,50 €", with a space that does not break. */
export const formatEuro = (value: Dezimal | string): string => `${formatBetrag(value)}\u00A0€`

export interface Eingabe {
  /** Most places behind the comma, as the column has them. */
  readonly stellen: number
  /** Most digits before it: 12 for numeric(14,2). */
  readonly vorkomma?: number
  readonly negativ?: boolean
}
/** fehlt: nothing typed · zahl: no number · punkt: a point where no thousands end (the comma is the German sign) · stellen: too many places · gross: too many digits · negativ: below nothing. */
export type EingabeFault = 'fehlt' | 'zahl' | 'punkt' | 'stellen' | 'gross' | 'negativ'

const TYPED = /^([-−–]?)(\d+|(?=,\d))(?:,(\d*))?$/
const GROUPED = /^([-−–]?)([1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d*))?$/

/**
 * What somebody types: "1.234,50", "1234,5", "-3", "12,50 €". A point only parts thousands: "12.5" is a fault and never 125 nor 12,5,
 * because "1.234" could otherwise be meant either way. Zeros behind the last place that counts are no further places.
 */
export function parseEingabe(text: string, { stellen, vorkomma = 12, negativ = false }: Eingabe): Dezimal | EingabeFault {
  const typed = text.replace(/\s*(?:€|EUR|%)\s*$/i, '').replaceAll(/[\s\u00A0\u202F]/g, '')
  if (typed === '') return 'fehlt'
  const parts = TYPED.exec(typed) ?? GROUPED.exec(typed)
  if (parts === null) return /^[-−–]?[\d.]*,?\d*$/.test(typed) && /\d/.test(typed) ? 'punkt' : 'zahl'
  const whole = parts[2]!.replaceAll('.', '').replace(/^0+(?=\d)/, '')
  const fraction = (parts[3] ?? '').replace(/0+$/, '')
  if (fraction.length > stellen) return 'stellen'
  if (whole.length > vorkomma) return 'gross'
  const value = roundTo(fromDigits(parts[1] !== '', whole, fraction), stellen)
  return value.wert < 0n && !negativ ? 'negativ' : value
}
