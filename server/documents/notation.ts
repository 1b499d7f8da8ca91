// How numbers and dates are written on paper.
import { type Decimal, decimal, formatAmount, formatGerman, negateText } from '#domain/geld.ts'
import { isSurcharge } from '#domain/rechnung.ts'

const NBSP = '\u00A0'

/** A minus sign as wide as a digit instead of the hyphen. */
export const minus = (text: string): string => text.replace(/^-/, '\u2212')
export const amountText = (value: Decimal | string): string => minus(formatAmount(value))
export const euro = (value: Decimal | string): string => `${amountText(value)}${NBSP}€`
/** Of a line or of the whole: below zero it is a surcharge. */
export const discountWords = (percent: string): string =>
  isSurcharge(percent)
    ? `zuzüglich ${percentText(negateText(percent))} Zuschlag`
    : `abzüglich ${percentText(percent)} Rabatt`

export const percentText = (value: string): string => `${minus(formatGerman(decimal(value)))}${NBSP}%`
export const tag = (iso: string): string => iso.split('-').toReversed().join('.')

export function period(from: string | null, to: string | null): string {
  if (from === null) return to === null ? '' : tag(to)
  return to === null || to === from ? tag(from) : `${tag(from)}${NBSP}– ${tag(to)}`
}

/** In groups of four. */
export const ibanGroups = (iban: string): string => iban.replaceAll(/\s/g, '').replaceAll(/.{4}(?=.)/g, '$& ')
