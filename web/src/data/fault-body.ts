// What a failed answer may hold, before anybody trusts it.

/** The body of a failed answer, as far as it is known: the dialect's four keys and our own. */
export interface FaultBody {
  code?: unknown
  message?: unknown
  details?: unknown
  hint?: unknown
  column?: unknown
  fields?: unknown
  /** What stands in the rule's sentence. */
  werte?: unknown
}

/** Undefined for what says nothing. */
export const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
