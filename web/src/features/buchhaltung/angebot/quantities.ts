// How much of an offer goes into the next invoice: quantities as typed, by line.
import { compare, type Decimal, decimal, formatGerman, percentOf, roundTo, sign } from '#domain/geld.ts'
import type { Rest } from '../beleg.data.ts'

export const QUANTITY = { decimals: 3, integerDigits: 9, allowNegative: true } as const
export type Quantities = Readonly<Record<number, string>>

/** Whether more is wanted than is left; for credits the comparison is reversed. */
export const isMore = (wanted: Decimal, rest: Decimal): boolean =>
  sign(rest) < 0 ? compare(wanted, rest) < 0 : compare(wanted, rest) > 0

const typed = (value: Decimal): string => (sign(value) === 0 ? '' : formatGerman(value))
const by = (lines: readonly Rest[], of: (line: Rest) => string): Quantities =>
  Object.fromEntries(lines.map((line) => [line.position_id, of(line)]))

export const remainingQuantities = (lines: readonly Rest[]): Quantities =>
  by(lines, ({ rest }) => typed(decimal(rest)))
export const emptyQuantities = (lines: readonly Rest[]): Quantities => by(lines, () => '')
/** This share of the offered quantity, capped at what is left. */
export const shareQuantities = (lines: readonly Rest[], percent: Decimal): Quantities =>
  by(lines, ({ anzahl, rest }) => {
    const share = roundTo(percentOf(decimal(anzahl), percent), 3)
    return typed(isMore(share, decimal(rest)) ? decimal(rest) : share)
  })
