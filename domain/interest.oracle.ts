// From when interest runs, as db/nouns/interest.sql proposes and refuses it, for tests: both are compared by
// interest.cases.json.
import { addDays, nextWorkday } from './day.ts'

/**
 * First day of interest that is proposed; null: none yet. By the calendar from the day after the due day
 * (§ 286 (2) Nr. 1 BGB); private persons from the day after the deadline of the first reminder (§ 286 (1)).
 * A day on a weekend ends on Monday (§ 193 BGB).
 */
export function defaultDay(due: string, isPrivate: boolean, firstDeadline: string | null): string | null {
  if (!isPrivate) return addDays(nextWorkday(due), 1)
  return firstDeadline === null ? null : addDays(nextWorkday(firstDeadline > due ? firstDeadline : due), 1)
}

/**
 * The earliest day that can be typed. Private persons: after the first reminder, or thirty days after the due
 * day, if the invoice said so (§ 286 (3) BGB).
 */
export function earliestDefaultDay(due: string, isPrivate: boolean, firstReminder: string | null): string {
  const late = isPrivate ? addDays(due, 31) : addDays(due, 1)
  if (!isPrivate || firstReminder === null) return late
  const reminded = addDays(firstReminder > due ? firstReminder : due, 1)
  return reminded < late ? reminded : late
}
