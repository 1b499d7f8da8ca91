// Numbers of a received invoice: decimals of XML Schema, which may have a plus, no digit before the point, or none
// after it. Exponents, commas and NaN are no numbers of an invoice.
import type { Decimal } from '../geld.ts'

const FORM = /^([+-]?)(\d{0,15})(?:\.(\d{0,12}))?$/

/** Null: no number. */
export function numberOf(text: string): Decimal | null {
  const [, minus = '', whole = '', fraction = ''] = FORM.exec(text) ?? []
  if (whole + fraction === '') return null
  const value = BigInt(whole + fraction)
  return { wert: minus === '-' ? -value : value, decimals: fraction.length }
}

const MOST = 10n ** 14n
/** An amount in cents, without zeros behind them; null for more places than cents, or more digits than stored. */
export function centsOf(text: string): Decimal | null {
  const value = numberOf(text)
  if (value === null) return null
  let { wert, decimals } = value
  while (decimals > 2 && wert % 10n === 0n) [wert, decimals] = [wert / 10n, decimals - 1]
  if (decimals > 2) return null
  const cents = { wert: wert * 10n ** BigInt(2 - decimals), decimals: 2 }
  return cents.wert < MOST && cents.wert > -MOST ? cents : null
}
