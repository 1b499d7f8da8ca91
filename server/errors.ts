// What went wrong, as codes of contract/errors.ts and in German: the only translation of errors in the server
// outside the data API, which speaks its own dialect.
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import { SignInFault, type SignInFaultKind } from './caller.ts'
import {
  AnswerTooLargeFault,
  CrowdedFault,
  DatabaseFault,
  PoolTimeoutFault,
  ShareFault,
  UnavailableFault,
} from './database/database.ts'
import { isDiskFull } from './full-disk.ts'

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

/** Refused for now, because of what others or the caller have just done. */
export class LaterRefusal extends Refusal {
  readonly retryAfterS: number
  constructor(code: 'unavailable' | 'too_many_requests', retryAfterS: number, message?: string) {
    super(code, message)
    this.retryAfterS = retryAfterS
  }
}

/** What a program's key may not do; `hint` names the limit, the same as in the data API. */
export class KeyLimitRefusal extends Refusal {
  readonly hint: string
  constructor(hint: string, message: string) {
    super('not_allowed', message)
    this.hint = hint
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
  changes_gone: 'Ereignisse ab dieser Stelle sind nicht mehr vorhanden.',
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
  // Nested too deep, too many arguments: what was sent is more than PostgreSQL takes.
  '54': 'bad_value',
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

/** Said to programs that call with a key, in both languages because nobody knows theirs. */
const KEY_FAULTS: Partial<Record<SignInFaultKind, string>> = {
  bad_key: 'Das ist kein Schlüssel: vertippt oder abgeschnitten. (This is not a valid key.)',
  unknown_key: 'Diesen Schlüssel gibt es nicht. (This key is unknown.)',
  unbound_client:
    'Dieses Programm ist mit keinem Schlüssel verbunden. (This client of the sign-in service is bound to no key.)',
  ended_key: 'Dieser Schlüssel ist widerrufen oder abgelaufen. (This key has been revoked or has expired.)',
}

/** Turns any error into a refusal; what PostgreSQL or a library said goes only to the log. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof SignInFault) return new Refusal(codeOfSignInFault(error), KEY_FAULTS[error.kind])
  if (error instanceof DatabaseFault && error.code === 'PT403' && error.hint?.startsWith('key_') === true)
    return new KeyLimitRefusal(error.hint, `${error.detail} (${error.message}.)`)
  if (error instanceof DatabaseFault) return new Refusal(codeOfDatabaseFault(error))
  if (isDiskFull(error)) return new Refusal('storage_full')
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
/** Faults of the server. What is refused because of load would fill the log, and metrics count it. */
export const isForLog = (error: unknown, status: number): boolean =>
  status >= 500 && !(error instanceof CrowdedFault || error instanceof LaterRefusal)

export const generalCode = (refusal: Refusal): number => SIGN_IN_CODES[refusal.code] ?? refusal.status * 100
