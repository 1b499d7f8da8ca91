// Arithmetic of subscriptions. db/nouns/abo.sql has the same rules; both are tested against abo.cases.json.
import { type Decimal, divide, multiply, percentOf, round2, subtract } from './geld.ts'

export interface Term {
  /** Net list price of the term. */
  readonly preis: Decimal
  /** Length of the term in months. */
  readonly laufzeit: number
  /** Per cent. */
  readonly rabatt: Decimal
  /** Months of the term for which the discount applies, at most `laufzeit`. */
  readonly discountMonths: number
}

/** Amount of the discount over the whole term; rounded once. */
export const discountOf = ({ preis, laufzeit, rabatt, discountMonths }: Term): Decimal =>
  divide(multiply(percentOf(preis, rabatt), whole(discountMonths)), whole(laufzeit), 2)
const whole = (months: number): Decimal => ({ wert: BigInt(months), decimals: 0 })

/** Net price of a term after the discount. */
export const nettoOf = (term: Term): Decimal => subtract(term.preis, discountOf(term))

/** Value added tax on a net amount; `ustRate` in per cent. */
export const ustOf = (netto: Decimal, ustRate: Decimal): Decimal => round2(percentOf(netto, ustRate))

/**
 * Last day of a term (§ 188 (2), (3) BGB): the day before the same day of the month it leads to, or that month's
 * last. ISO dates.
 */
export function endOf(start: string, months: number): string {
  const [year, month, day] = start.split('-').map(Number) as [number, number, number]
  const lastOfMonth = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  const end = new Date(Date.UTC(year, month - 1 + months, Math.min(day - 1, lastOfMonth)))
  return end.toISOString().slice(0, 10)
}
