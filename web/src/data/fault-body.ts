// Body of a failed answer, before it is validated.
import type { FieldFault } from '#contract/errors.ts'

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

/** `isOfFields`: single fields may be wrong; `isCut`: the answer was too large. */
export interface FaultKind {
  readonly isOfFields: boolean
  readonly isCut: boolean
}

/** What is said of a fault beyond its code; `general` where nobody says more. */
export interface SpecialWords {
  readonly special?: string | undefined
  readonly general?: string | undefined
  readonly fields: readonly FieldFault[]
}
