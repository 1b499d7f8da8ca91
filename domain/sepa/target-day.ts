// Days on which TARGET settles: no weekend, and six holidays for all of the euro area. The same in SQL:
// books.is_target_day; both are tested with target-day.cases.json.
import { addDays } from '../day.ts'

/** Easter Sunday by the Gregorian calendar (Meeus, Jones, Butcher). */
export function feastSunday(year: number): string {
  const a = year % 19
  const [b, c] = [Math.floor(year / 100), year % 100]
  const [d, e] = [Math.floor(b / 4), b % 4]
  const g = Math.floor((8 * b + 13) / 25)
  const h = (19 * a + b - d - g + 15) % 30
  const [i, k] = [Math.floor(c / 4), c % 4]
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 19 * l) / 433)
  const month = Math.floor((h + l - 7 * m + 90) / 25)
  const day = (h + l - 7 * m + 33 * month + 19) % 32
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

export function isTargetDay(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  if (weekday === 0 || weekday === 6) return false
  if (['01-01', '05-01', '12-25', '12-26'].includes(day.slice(5))) return false
  const feast = feastSunday(Number(day.slice(0, 4)))
  return day !== addDays(feast, -2) && day !== addDays(feast, 1)
}

/** The day itself or the next one on which TARGET settles. */
export function targetDayFrom(day: string): string {
  let at = day
  while (!isTargetDay(at)) at = addDays(at, 1)
  return at
}
/**
 * The first day on which a file that is made today can collect: the bank has it on the next business day, and
 * one is between (D-1; rulebook of the EPC, 4.3.2). The same in SQL: books.first_collection_day.
 */
export const firstCollectionDay = (today: string): string => targetDayFrom(addDays(targetDayFrom(today), 1))
/** The day itself or the last one before it on which TARGET settles. */
export function targetDayUntil(day: string): string {
  let at = day
  while (!isTargetDay(at)) at = addDays(at, -1)
  return at
}
/**
 * The last day for carrying out a transfer whose money must be there on `limit`: the bank has until the end of the
 * following business day (§ 675s Abs. 1 S. 1 BGB).
 */
export const executionDayFor = (limit: string): string => targetDayUntil(addDays(targetDayUntil(limit), -1))
