// Arithmetic of subscriptions, in whole cents and hundredths of a per cent. db/nouns/abo.sql has the same
// rules; both are tested against abo.cases.json.

export type Cents = bigint

/** Half away from zero, as PostgreSQL rounds a numeric. */
function divideRounded(value: bigint, divisor: bigint): bigint {
  const half = value < 0n ? -divisor / 2n : divisor / 2n
  return (value + half) / divisor
}

/** A decimal number with up to two places ("480", "480.5", 480.5) in hundredths. Throws on anything else. */
export function parseHundredths(value: string | number): bigint {
  const found = /^(-?)(\d{1,15})(?:\.(\d{1,2})0*)?$/.exec(String(value))
  if (!found) throw new Error(`no amount: ${value}`)
  const amount = BigInt(found[2]!) * 100n + BigInt((found[3] ?? '').padEnd(2, '0') || '0')
  return found[1] ? -amount : amount
}

export interface Term {
  /** Net list price of the term in cents. */
  readonly preis: Cents
  /** Length of the term in months. */
  readonly laufzeit: number
  /** Hundredths of a per cent. */
  readonly rabatt: bigint
  /** Months of the term for which the discount applies, at most `laufzeit`. */
  readonly discountMonths: number
}

/** Amount of the discount over the whole term; rounded once. */
export const discountOf = ({ preis, laufzeit, rabatt, discountMonths }: Term): Cents =>
  divideRounded(preis * rabatt * BigInt(discountMonths), 10_000n * BigInt(laufzeit))

/** Net price of a term after the discount. */
export const nettoOf = (term: Term): Cents => term.preis - discountOf(term)

/** Value added tax on a net amount; `ustRate` in hundredths of a per cent. */
export const ustOf = (netto: Cents, ustRate: bigint): Cents => divideRounded(netto * ustRate, 10_000n)

/**
 * Last day of a term: the day before the same day of the month it leads to; in a shorter month it ends
 * earlier. ISO dates.
 */
export function endOf(beginn: string, laufzeit: number): string {
  const [year, month, day] = beginn.split('-').map(Number) as [number, number, number]
  const lastOfMonth = new Date(Date.UTC(year, month - 1 + laufzeit + 1, 0)).getUTCDate()
  const end = new Date(Date.UTC(year, month - 1 + laufzeit, Math.min(day, lastOfMonth) - 1))
  return end.toISOString().slice(0, 10)
}
