// Figures of the overview that are derived from others.
import { decimal, type Decimal, divide, formatGerman } from '#domain/geld.ts'
import { type CashflowRow, STEPS, type Step } from '#domain/cashflow.ts'
import { addDays, addMonths, monthOf } from '#domain/day.ts'

/** The share of a whole in tenths of a per cent, signed; null if the whole is zero. */
export function percent(partial: string, total: string): Decimal | null {
  const [part, whole] = [decimal(partial), decimal(total)]
  if (whole.wert === 0n) return null
  return divide({ wert: part.wert * 100n, decimals: part.decimals }, whole, 1)
}
export const percentText = (value: Decimal): string =>
  `${formatGerman(value, { atLeast: 1, atMost: 1 })}\u00A0%`

/** The change in per cent; null if the earlier value is zero or negative. */
export function changeOf(present: string, earlier: string): Decimal | null {
  const of = percent(present, earlier)
  return of === null || decimal(earlier).wert < 0n ? null : { wert: of.wert - 1000n, decimals: 1 }
}
export const changeText = (value: Decimal): string => `${value.wert > 0n ? '+' : ''}${percentText(value)}`

/** As floating-point numbers, for the chart only. */
export const drawn = (amount: string): number => Number(amount)
export const upward = (amount: string): number => Math.max(0, Number(amount))

export const MONTHS = [3, 6, 12] as const
export type Months = (typeof MONTHS)[number]
export const parseMonths = (text: string | undefined): Months =>
  MONTHS.find((months) => String(months) === text) ?? 6
export const parseStep = (text: string | undefined): Step => STEPS.find((step) => step === text) ?? 'monat'
export const parseYear = (text: string | undefined): number | null =>
  /^2[01]\d\d$/.test(text ?? '') ? Number(text) : null

/** From today to the end of so many months, counting the current one. */
export const outlookEnd = (today: string, months: Months): string =>
  addDays(addMonths(`${monthOf(today)}-01`, months), -1)

/** The period with the lowest closing balance; the first of several. */
export const lowest = (rows: readonly CashflowRow[]): CashflowRow | undefined =>
  rows.reduce<CashflowRow | undefined>(
    (low, row) => (low === undefined || decimal(row.stand).wert < decimal(low.stand).wert ? row : low),
    undefined,
  )
