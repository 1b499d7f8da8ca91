// Translates errors of PostgreSQL and the network into the faults that the rest of the server knows.
import { DatabaseFault, OutcomeUnknownFault, UnavailableFault } from './database.ts'

/** Fields of a protocol error message; pg and the embedded engine name them alike. */
export interface ServerError {
  readonly message: string
  readonly code: string
  readonly severity?: string | undefined
  readonly detail?: string | undefined
  readonly hint?: string | undefined
  readonly column?: string | undefined
  readonly constraint?: string | undefined
  readonly routine?: string | undefined
}

export function isServerError(error: unknown): error is Error & ServerError {
  return error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string'
}

/**
 * Class 08: connection; 57P01 to 57P03: shutting down or starting; 53300: too many connections. Nothing was
 * committed in any of these cases.
 */
const isUnavailable = (code: string) => code.startsWith('08') || /^57P0[123]$/.test(code) || code === '53300'

/** A fault that names the file or table where it happened. */
export class PlacedFault extends DatabaseFault {
  readonly place: string
  constructor(place: string, fault: DatabaseFault) {
    const { code, detail, hint, column, constraint } = fault
    super(`${place}: ${fault.message}`, { code, detail, hint, column, constraint, cause: fault })
    this.place = place
  }
}

/** `commitSent`: the commit of a change had already been sent. */
export function toFault(error: unknown, commitSent: boolean): DatabaseFault {
  if (error instanceof DatabaseFault) return error
  if (isServerError(error)) {
    if (isUnavailable(error.code)) return new UnavailableFault(error.message, error)
    const { code, detail, hint, column, constraint } = error
    return new DatabaseFault(error.message, { code, detail, hint, column, constraint, cause: error })
  }
  const message = error instanceof Error ? error.message : String(error)
  if (commitSent)
    return new OutcomeUnknownFault(`the connection broke before the commit was confirmed: ${message}`, error)
  return new UnavailableFault(`the database cannot be reached: ${message}`, error)
}
