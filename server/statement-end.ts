// How a statement ended, in one of a few words, for those who count and trace.
import { DatabaseFault } from './database/database.ts'

const WHY: Readonly<Record<string, string>> = {
  UnavailableFault: 'unavailable',
  CrowdedFault: 'crowded',
  OutcomeUnknownFault: 'unknown',
  PoolTimeoutFault: 'timeout',
  ShareFault: 'share',
  AnswerTooLargeFault: 'too_large',
}
export const STATEMENT_ENDS: readonly string[] = [
  ...new Set(['ok', 'failed', 'refused', 'cancelled', ...Object.values(WHY)]),
]
/** Insufficient resources, limits of the program, the operator's intervention, the system, faults inside. */
const OF_THE_SERVER = /^(?:53|54|57|58|F0|XX)/

/** How a statement ended, in one of a few words. `refused`: by a rule, because of what the caller asked for. */
export function endOfStatement(error: unknown): string {
  if (!(error instanceof DatabaseFault)) return 'failed'
  const known = WHY[error.name]
  if (known !== undefined) return known
  if (error.code === '57014') return 'cancelled'
  return OF_THE_SERVER.test(error.code) ? 'failed' : 'refused'
}
