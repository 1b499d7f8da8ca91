// Periods of months, and revenue grouped by month for the chart.
import type { AboRevenue, AboModule } from '#contract/abo.ts'
import { formatDecimal, parseHundredths, sum } from '#domain/geld.ts'

export interface Period {
  /** First day of the first month and last day of the last, ISO. */
  readonly von: string
  readonly bis: string
}
export const PERIODS = ['12m', 'jahr', 'vorjahr', '36m', 'voraus'] as const
export type PeriodKey = (typeof PERIODS)[number]

const iso = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)

/**
 * Months up to and including the current one; `voraus`: the twelve months from the current one on, with
 * revenue already agreed.
 */
export function periodOf(key: PeriodKey, today: string): Period {
  const [year, month] = today.split('-').map(Number) as [number, number]
  const at = month - 1
  switch (key) {
    case '12m':
      return { von: iso(year, at - 11, 1), bis: iso(year, at + 1, 0) }
    case '36m':
      return { von: iso(year, at - 35, 1), bis: iso(year, at + 1, 0) }
    case 'jahr':
      return { von: iso(year, 0, 1), bis: iso(year, 12, 0) }
    case 'vorjahr':
      return { von: iso(year - 1, 0, 1), bis: iso(year, 0, 0) }
    case 'voraus':
      return { von: iso(year, at, 1), bis: iso(year, at + 12, 0) }
  }
}
export const parsePeriod = (text: string | undefined): PeriodKey =>
  PERIODS.find((key) => key === text) ?? '12m'

export const MODULE: readonly AboModule[] = ['fe', 'basis_fe', 'kawm']

export interface Month {
  /** ISO, first day of the month. */
  readonly monat: string
  /** Net euros, in the sequence of MODULE. */
  readonly values: readonly number[]
  readonly sum: number
}
/** Every month of the period, including those without revenue. */
export function monthsOf({ von, bis }: Period, rows: readonly AboRevenue[]): Month[] {
  const amounts = new Map(rows.map(({ monat, modul, netto }) => [`${monat} ${modul}`, Number(netto)]))
  const months: Month[] = []
  const [year, month] = von.split('-').map(Number) as [number, number]
  for (let nr = 0; ; nr++) {
    const monthText = iso(year, month - 1 + nr, 1)
    if (monthText > bis) return months
    const values = MODULE.map((moduleName) => amounts.get(`${monthText} ${moduleName}`) ?? 0)
    months.push({ monat: monthText, values, sum: addCents(values) })
  }
}
/** Adds in whole cents, so that 0.1 + 0.2 is 0.3. */
export const addCents = (values: readonly number[]): number =>
  Number(formatDecimal(sum(values.map(parseHundredths))))
