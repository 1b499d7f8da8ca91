// Calendar dates as ISO text ("2026-12-31"); no clock and no time zone.

const DAY = 86_400_000

export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

export const addDays = (day: string, days: number): string => dayOf(Date.parse(day) + days * DAY)
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY

/** The same day that many months later, or the last day of that month. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return dayOf(Date.UTC(year, month - 1 + months, Math.min(date, last)))
}

/** "2026-12". */
export const monthOf = (day: string): string => day.slice(0, 7)
/** "31.12.2026". */
export const germanDay = (day: string): string => day.split('-').toReversed().join('.')

/**
 * § 193 BGB: a term that would end on a Saturday or Sunday ends on Monday. Public holidays differ by state
 * and are left to people.
 */
export function nextWorkday(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  if (weekday === 6) return addDays(day, 2)
  return weekday === 0 ? addDays(day, 1) : day
}
