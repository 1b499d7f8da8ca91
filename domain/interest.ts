// Default interest and lump sum (§ 288 BGB). The same rules in SQL are db/nouns/interest.sql; both are tested
// with interest.cases.json. How days are counted and why: docs/decisions/interest.md.

import { addDays, addMonths, daysBetween } from './day.ts'
import {
  add,
  compare,
  decimal,
  type Decimal,
  divide,
  formatCents,
  formatDecimal,
  multiply,
  sign,
  sum,
} from './geld.ts'

/** The base rate (§ 247 BGB) of the half-year that begins on a day. */
export interface BaseRate {
  readonly ab: string
  /** Per cent per year, two places: "1.27". */
  readonly satz: string
  readonly quelle: string
}
/** What is open from the beginning of a day on. */
export interface OpenStep {
  readonly ab: string
  readonly offen: string
}
/** Days with the same open amount and the same rate, both ends included. */
export interface InterestPeriod {
  readonly von: string
  readonly bis: string
  readonly tage: number
  readonly betrag: string
  readonly basiszins: string
  /** Base rate and surcharge. */
  readonly satz: string
  readonly zinsen: string
}

/** § 288 (5) BGB; not for private persons. */
export const LUMP_SUM = '40.00'

/** Percentage points above the base rate: § 288 (1) BGB for private persons, (2) for everybody else. */
export const surchargeOf = (isPrivate: boolean): string => (isPrivate ? '5.00' : '9.00')

export const isHalfYear = (day: string): boolean => /^\d{4}-(?:01|07)-01$/.test(day)
export const halfYearOf = (day: string): string =>
  `${day.slice(0, 4)}-${Number(day.slice(5, 7)) < 7 ? '01' : '07'}-01`

/** The half-years from one day to another. */
function halfYears(from: string, to: string): string[] {
  const days: string[] = []
  for (let day = halfYearOf(from); day <= to; day = addMonths(day, 6)) days.push(day)
  return days
}

/** The first half-year of a period that has no rate; null if all have one. */
export const missingHalfYear = (rates: readonly BaseRate[], from: string, to: string): string | null =>
  halfYears(from, to).find((day) => !rates.some(({ ab }) => ab === day)) ?? null

/** Days of the year: a period never crosses the end of one. */
const yearDays = (day: string): number => {
  const year = Number(day.slice(0, 4))
  return daysBetween(`${year}-01-01`, `${year + 1}-01-01`)
}

const interestOf = (amount: Decimal, rate: Decimal, days: number, year: number): string =>
  formatCents(
    divide(
      multiply(multiply(amount, rate), decimal(String(days))),
      multiply(decimal(String(year)), decimal('100')),
      2,
    ),
  )

/**
 * Interest from one day to another, both included, on what was open on each day. Each period is rounded to
 * cents: the printed lines must add up. Null if a half-year has no rate: nothing is computed with a guess.
 */
export function interestPeriods(
  steps: readonly OpenStep[],
  rates: readonly BaseRate[],
  span: { readonly von: string; readonly bis: string; readonly isPrivate: boolean },
): InterestPeriod[] | null {
  const { von, bis, isPrivate } = span
  if (missingHalfYear(rates, von, bis) !== null) return null
  const within = (day: string): boolean => day > von && day <= bis
  const starts = [
    ...new Set([von, ...halfYears(von, bis).filter(within), ...steps.map(({ ab }) => ab).filter(within)]),
  ].toSorted()
  return starts.flatMap((start, index) => {
    const openSteps = steps
      .filter(({ ab }) => ab <= start)
      .toSorted((a, b) => (a.ab < b.ab ? 1 : -1))[0]?.offen
    if (start > bis || openSteps === undefined || sign(decimal(openSteps)) <= 0) return []
    const next = starts[index + 1]
    const end = next === undefined ? bis : addDays(next, -1)
    const dayCount = daysBetween(start, end) + 1
    const base = decimal(rates.find(({ ab }) => ab === halfYearOf(start))!.satz)
    const rate = add(base, decimal(surchargeOf(isPrivate)))
    return [
      {
        von: start,
        bis: end,
        tage: dayCount,
        betrag: formatCents(decimal(openSteps)),
        basiszins: formatDecimal(base),
        satz: formatDecimal(rate),
        zinsen: interestOf(decimal(openSteps), rate, dayCount, yearDays(start)),
      },
    ]
  })
}

export const interestSum = (periods: readonly InterestPeriod[]): string =>
  formatCents(sum(periods.map(({ zinsen }) => decimal(zinsen))))

export type BaseRateFault = 'halbjahr' | 'doppelt' | 'satz' | 'quelle'
/** Half-years only, each once, −5 to 20 per cent with two places, and where the rate was read. */
export function baseRateFault(rate: BaseRate, others: readonly BaseRate[]): BaseRateFault | null {
  if (!isHalfYear(rate.ab)) return 'halbjahr'
  if (others.some(({ ab }) => ab === rate.ab)) return 'doppelt'
  if (!/^-?\d{1,2}\.\d{2}$/.test(rate.satz)) return 'satz'
  const value = decimal(rate.satz)
  if (compare(value, decimal('-5')) < 0 || compare(value, decimal('20')) > 0) return 'satz'
  return rate.quelle.trim() === '' || rate.quelle.length > 200 ? 'quelle' : null
}
