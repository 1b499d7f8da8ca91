// Body of a failed answer, before it is validated.

/** Known keys of the body: the data API's four and our own. */
export interface FaultBody {
  code?: unknown
  message?: unknown
  details?: unknown
  hint?: unknown
  column?: unknown
  fields?: unknown
  /** Values to insert into the rule's message. */
  werte?: unknown
}

/** Undefined for empty or non-string values. */
export const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
