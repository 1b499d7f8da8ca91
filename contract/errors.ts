// Every failure that a caller may meet, by a stable code. docs/errors.md lists the same codes; a test compares them.

/** Codes of our own with the HTTP status they travel under. The data API speaks the dialect's own codes (PGRST…, SQLSTATE) and the client translates them into these. */
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
  too_large: 413,
  too_many_requests: 429,
  timeout: 504,
  unavailable: 503,
  storage_full: 507,
  internal: 500,
} as const

export type ErrorCode = keyof typeof ERRORS

/** A fault at one field of what was sent; `field` is the column or argument name. */
export interface FieldFault {
  readonly field: string
  readonly message: string
}
