// Converts a customer's overview into chart data.
import { OTHER } from '#contract/kataster-tile.ts'
import type { KatasterDay } from '#contract/vermessung.ts'

export interface Share {
  readonly name: string
  /** Metres. */
  readonly laenge: number
}

/** Sources or qualities by length, longest first. Missing ones count as OTHER, which comes last. */
export function shares(rows: readonly { readonly name: string | null; readonly laenge: number }[]): Share[] {
  const sums = new Map<string, number>()
  for (const { name, laenge } of rows)
    sums.set(name ?? OTHER, (sums.get(name ?? OTHER) ?? 0) + Number(laenge))
  return [...sums]
    .map(([name, lengthM]) => ({ name, laenge: lengthM }))
    .toSorted(
      (a, b) =>
        Number(a.name === OTHER) - Number(b.name === OTHER) ||
        b.laenge - a.laenge ||
        a.name.localeCompare(b.name, 'de'),
    )
}

export interface HistoryPoint {
  /** 2026-03, or 2026 when grouped by year. */
  readonly zeit: string
  /** Total metres at the end of the period. */
  readonly vermessen: number
  readonly vermutet: number
}
const MOST_POINTS = 24

/** Cumulative lengths by month, or by year if there would be too many months; without gaps. */
export function historyOf(dayCount: readonly KatasterDay[]): HistoryPoint[] {
  const days = dayCount.toSorted((a, b) => a.tag.localeCompare(b.tag))
  const [first, last] = [days[0]?.tag, days.at(-1)?.tag]
  if (first === undefined || last === undefined) return []
  const byYear = monthsBetween(first, last).length > MOST_POINTS
  const keyOf = (day: string) => day.slice(0, byYear ? 4 : 7)
  const times = [...new Set(monthsBetween(first, last).map(keyOf))]
  let [surveyed, assumed, at] = [0, 0, 0]
  return times.map((time) => {
    for (; at < days.length && keyOf(days[at]!.tag) <= time; at++) {
      surveyed += Number(days[at]!.laenge_vermessen)
      assumed += Number(days[at]!.laenge_vermutet)
    }
    return { zeit: time, vermessen: surveyed, vermutet: assumed }
  })
}

function monthsBetween(first: string, last: string): string[] {
  const all: string[] = []
  let [year, month] = first.split('-').map(Number) as [number, number]
  for (; ; month++) {
    if (month > 12) [year, month] = [year + 1, 1]
    const key = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`
    if (key > last.slice(0, 7)) return all
    all.push(key)
  }
}
