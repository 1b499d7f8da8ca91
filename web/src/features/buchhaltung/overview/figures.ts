// Figures of the overview that are derived from others.
import { decimal, type Decimal, divideRounded, formatGerman } from '#domain/geld.ts'
import { type CashflowRow, STEPS, type Step } from '#domain/cashflow.ts'
import { addDays, addMonths, monthOf } from '#domain/day.ts'

/** The share of a whole in tenths of a per cent, signed; null if the whole is zero. */
export function prozent(teil: string, total: string): Decimal | null {
  const [part, whole] = [decimal(teil), decimal(total)]
  if (whole.wert === 0n) return null
  const places = 10n ** BigInt(whole.decimals + 3)
  const side = whole.wert < 0n ? -1n : 1n
  return {
    wert: divideRounded(part.wert * places * side, whole.wert * side * 10n ** BigInt(part.decimals)),
    decimals: 1,
  }
}
export const percentText = (value: Decimal): string =>
  `${formatGerman(value, { atLeast: 1, atMost: 1 })}\u00A0%`

/** The change in per cent; null if the earlier value is zero or negative. */
export function changeOf(present: string, earlier: string): Decimal | null {
  const of = prozent(present, earlier)
  return of === null || decimal(earlier).wert < 0n ? null : { wert: of.wert - 1000n, decimals: 1 }
}
export const changeText = (value: Decimal): string => `${value.wert > 0n ? '+' : ''}${percentText(value)}`

/** As floating-point numbers, for the chart only. */
export const drawn = (betrag: string): number => Number(betrag)
export const upward = (betrag: string): number => Math.max(0, Number(betrag))

export const MONTHS = [3, 6, 12] as const
export type Months = (typeof MONTHS)[number]
export const parseMonths = (text: string | undefined): Months =>
  MONTHS.find((months) => String(months) === text) ?? 6
export const parseStep = (text: string | undefined): Step =>
  STEPS.find((schritt) => schritt === text) ?? 'monat'
export const parseYear = (text: string | undefined): number | null =>
  /^2[01]\d\d$/.test(text ?? '') ? Number(text) : null

/** From today to the end of so many months, counting the current one. */
export const outlookEnd = (heute: string, monate: Months): string =>
  addDays(addMonths(`${monthOf(heute)}-01`, monate), -1)

/** The period with the lowest closing balance; the first of several. */
export const lowest = (zeilen: readonly CashflowRow[]): CashflowRow | undefined =>
  zeilen.reduce<CashflowRow | undefined>(
    (low, row) => (low === undefined || decimal(row.stand).wert < decimal(low.stand).wert ? row : low),
    undefined,
  )
