// What the operator reads of a failed dump, in the log and in the list of dumps.
import { DatabaseFault } from '#server/database/database.ts'
import { PlacedFault } from '#server/database/faults.ts'
import { reasonForLog } from '#server/database/log-reason.ts'

/** Our own words whole; of what the database says only code and table: its messages quote rows. */
export function wordsOf(error: unknown): string {
  if (error instanceof PlacedFault) return `${error.place}: ${reasonForLog(error)}`
  if (error instanceof DatabaseFault) return reasonForLog(error)
  return error instanceof Error ? error.message : String(error)
}
