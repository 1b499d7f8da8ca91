// Every failure a caller may get, by a stable code. docs/errors.md lists the same codes; a test compares
// them.

/**
 * Our own codes with the HTTP status they are sent with. The data API uses the dialect's codes (PGRST…,
 * SQLSTATE), which the client translates into these.
 */
export const ERRORS = {
  not_signed_in: 401,
  session_expired: 401,
  account_disabled: 401,
  not_allowed: 403,
  not_found: 404,
  bad_filter: 400,
  bad_value: 400,
  conflict: 409,
  changed_meanwhile: 409,
  changes_gone: 410,
  too_large: 413,
  too_many_requests: 429,
  timeout: 504,
  unavailable: 503,
  storage_full: 507,
  internal: 500,
} as const

export type ErrorCode = keyof typeof ERRORS

/** A fault in one field of the request; `field` is the column or argument name. */
export interface FieldFault {
  readonly field: string
  readonly message: string
}
