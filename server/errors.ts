// What went wrong, as codes of contract/errors.ts and in German: the only translation of errors in the server
// outside the data API, which speaks its own dialect.
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import { SignInFault } from './caller.ts'
import {
  AnswerTooLargeFault,
  DatabaseFault,
  PoolTimeoutFault,
  ShareFault,
  UnavailableFault,
} from './database/database.ts'

/** A deliberate refusal; `message` is German and fit for the caller. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: ErrorCode
  constructor(code: ErrorCode, message: string = MESSAGES[code]) {
    super(message)
    this.code = code
  }
  get status(): number {
    return ERRORS[this.code]
  }
}

export const MESSAGES: Record<ErrorCode, string> = {
  not_signed_in: 'Sie sind nicht angemeldet. Bitte melden Sie sich an.',
  session_expired: 'Ihre Sitzung ist abgelaufen. Bitte melden Sie sich neu an.',
  account_disabled: 'Ihr Zugang ist gesperrt oder Ihre Sitzung wurde beendet.',
  not_allowed: 'Dafür fehlt Ihnen die Berechtigung.',
  not_found: 'Nicht gefunden oder nicht erlaubt.',
  bad_filter: 'Dieser Filter ist ungültig.',
  bad_value: 'Eine Angabe ist ungültig.',
  conflict: 'Das passt nicht zu den vorhandenen Daten.',
  changed_meanwhile: 'Der Datensatz wurde inzwischen geändert.',
  too_large: 'Die Daten sind zu groß.',
  too_many_requests: 'Zu viele Anfragen in kurzer Zeit. Bitte warten Sie einen Augenblick.',
  timeout: 'Der Server hat nicht rechtzeitig geantwortet.',
  unavailable: 'Der Server ist zurzeit nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.',
  storage_full:
    'Auf dem Server ist kein Speicherplatz mehr frei. Es ist nichts verloren; bitte wenden Sie sich an den Support.',
  internal: 'Auf dem Server ist ein Fehler aufgetreten.',
}

/** Looked up by the whole SQLSTATE first, then by its class. */
const BY_SQLSTATE: Readonly<Record<string, ErrorCode>> = {
  '42501': 'not_allowed',
  '23503': 'conflict',
  '23505': 'conflict',
  '57014': 'timeout',
  '55P03': 'timeout',
  '40001': 'conflict',
  '40P01': 'conflict',
  PT401: 'account_disabled',
  PT403: 'not_allowed',
  PT404: 'not_found',
  PT409: 'conflict',
  '08': 'unavailable',
  '53': 'unavailable',
  '57': 'unavailable',
  '22': 'bad_value',
  '23': 'bad_value',
  P0001: 'bad_value',
}

function codeOfDatabaseFault(fault: DatabaseFault): ErrorCode {
  if (fault instanceof PoolTimeoutFault) return 'timeout'
  if (fault instanceof UnavailableFault) return 'unavailable'
  if (fault instanceof ShareFault) return 'too_many_requests'
  if (fault instanceof AnswerTooLargeFault) return 'too_large'
  // A function that raises PT4nn chooses the HTTP status.
  const raised = /^PT4[0-9]{2}$/.test(fault.code) ? codeOfHttpStatus(Number(fault.code.slice(2))) : 'internal'
  return BY_SQLSTATE[fault.code] ?? BY_SQLSTATE[fault.code.slice(0, 2)] ?? raised
}

function codeOfSignInFault(fault: SignInFault): ErrorCode {
  if (fault.kind === 'keys_unavailable') return 'unavailable'
  return fault.kind === 'expired' ? 'session_expired' : 'not_signed_in'
}

/** Fastify's own errors carry a status: body too large, not JSON, unknown media type. */
function codeOfHttpStatus(status: unknown): ErrorCode {
  if (status === 413) return 'too_large'
  if (status === 429) return 'too_many_requests'
  return typeof status === 'number' && status >= 400 && status < 500 ? 'bad_value' : 'internal'
}

/** Turns any error into a refusal; what PostgreSQL or a library said goes only to the log. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof SignInFault) return new Refusal(codeOfSignInFault(error))
  if (error instanceof DatabaseFault) return new Refusal(codeOfDatabaseFault(error))
  return new Refusal(
    codeOfHttpStatus(
      typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined,
    ),
  )
}

/**
 * The contract of the general API fixes the three codes of the sign-in; the others
 * follow from the HTTP status.
 */
const SIGN_IN_CODES: Partial<Record<ErrorCode, number>> = {
  not_signed_in: 50_008,
  account_disabled: 50_012,
  session_expired: 50_014,
}
export const generalCode = (refusal: Refusal): number => SIGN_IN_CODES[refusal.code] ?? refusal.status * 100

const TOKENS = /\b[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]+)?/g
const MAIL_ADDRESSES = /[^\s"'<>()=]+@[^\s"'<>()=]+/g

/**
 * What the log may contain of an error. PostgreSQL's messages quote values, so only the code is logged;
 * tokens and mail addresses are removed from all other messages.
 */
export function reasonForLog(error: unknown): string {
  if (error instanceof DatabaseFault)
    return [error.name, error.code, error.constraint].filter(Boolean).join(' ')
  const message = error instanceof Error ? error.message : 'unknown'
  return message.replace(TOKENS, '[…]').replace(MAIL_ADDRESSES, '[…]').slice(0, 300)
}
