// The period of a return: a month or a quarter of a year, as it is in the address. Pure.
import { addMonths } from '#domain/day.ts'

export interface ReturnPeriod {
  readonly year: string
  /** m1 to m12, q1 to q4. */
  readonly part: string
}
/** Months of a quarter, or one. */
const monthsOf = (part: string): number => (part.startsWith('q') ? 3 : 1)
const firstMonthOf = (part: string): number => {
  const number = Number(part.slice(1))
  return part.startsWith('q') ? number * 3 - 2 : number
}
export const PARTS: readonly string[] = [
  ...Array.from({ length: 4 }, (_, at) => `q${at + 1}`),
  ...Array.from({ length: 12 }, (_, at) => `m${at + 1}`),
]

/** What the address says; otherwise the month before this day. */
export function parsePeriod(search: Readonly<Record<string, string>>, today: string): ReturnPeriod {
  const before = addMonths(`${today.slice(0, 7)}-01`, -1)
  const [wantedYear = '', wantedPart] = [search['jahr'], search['zeitraum']]
  const year = /^20\d\d$/.test(wantedYear) ? wantedYear : before.slice(0, 4)
  const part = PARTS.find((one) => one === wantedPart) ?? `m${Number(before.slice(5, 7))}`
  return { year, part }
}

/** First and last day. */
export function daysOf({ year, part }: ReturnPeriod): { readonly von: string; readonly bis: string } {
  const from = `${year}-${String(firstMonthOf(part)).padStart(2, '0')}-01`
  const after = Date.parse(addMonths(from, monthsOf(part)))
  return { von: from, bis: new Date(after - 86_400_000).toISOString().slice(0, 10) }
}
