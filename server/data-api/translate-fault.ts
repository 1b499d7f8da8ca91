// Turns failures below (PostgreSQL, sign-in, pool) into the refusal that the dialect prescribes.
import { SignInFault, type SignInFaultKind } from '#server/caller.ts'
import {
  AnswerTooLargeFault,
  CrowdedFault,
  DatabaseFault,
  PoolTimeoutFault,
  ShareFault,
  UnavailableFault,
} from '#server/database/database.ts'
import {
  answerTooLarge,
  ApiFault,
  internal,
  keysUnavailable,
  noConnection,
  poolTimeout,
  READ_ONLY_ALLOW,
  tooCrowded,
  tooManyRequests,
} from './faults.ts'

const BEARER = 'Bearer'

const SIGN_IN: Record<Exclude<SignInFaultKind, 'keys_unavailable'>, { code: string; message?: string }> = {
  missing: { code: 'PGRST302', message: 'Anonymous access is disabled' },
  malformed: { code: 'PGRST301' },
  bad_signature: { code: 'PGRST301' },
  expired: { code: 'PGRST303', message: 'JWT expired' },
  not_yet_valid: { code: 'PGRST303', message: 'JWT not yet valid' },
  issued_in_future: { code: 'PGRST303', message: 'JWT issued at future' },
  wrong_audience: { code: 'PGRST303', message: 'JWT not in audience' },
  wrong_issuer: { code: 'PGRST303', message: 'JWT not from the expected issuer' },
  bad_claims: { code: 'PGRST303', message: 'Parsing claims failed' },
  bad_key: { code: 'PGRST301' },
  unknown_key: { code: 'PGRST301' },
  ended_key: { code: 'PGRST303' },
  unbound_client: { code: 'PGRST303' },
}

export function translateSignIn(fault: SignInFault): ApiFault {
  if (fault.kind === 'keys_unavailable') return keysUnavailable()
  const { code, message = fault.message } = SIGN_IN[fault.kind]
  // Header values may contain visible ASCII only; the message may contain anything.
  const described = message.replace(/[^ -~]|["\\]/g, '')
  const challenge =
    fault.kind === 'missing' ? BEARER : `${BEARER} error="invalid_token", error_description="${described}"`
  return new ApiFault({ status: 401, code, message, headers: { 'WWW-Authenticate': challenge } })
}

const BY_CODE: Readonly<Record<string, number>> = {
  // It is unknown whether the change happened: 503 would invite a retry.
  '08007': 500,
  '23503': 409,
  '23505': 409,
  '25006': 405,
  '42P01': 404,
  '42883': 404,
  '42P17': 500,
  '53400': 500,
  '57P01': 503,
  P0001: 400,
}

/** Status by SQLSTATE: the whole code first, then its class. */
export function statusOf(code: string, message: string, anonymous: boolean): number {
  if (code === '42501') return anonymous ? 401 : 403
  const exact = BY_CODE[code]
  if (exact !== undefined) return exact
  if (code === '22023' && /^role ".*" does not exist$/.test(message)) return 401
  if (code === '21000') return message.endsWith('requires a WHERE clause') ? 400 : 500
  if (code.startsWith('PT')) return /^PT[1-5][0-9][0-9]$/.test(code) ? Number(code.slice(2)) : 500
  return BY_CLASS[code.slice(0, 2)] ?? 400
}

/** Anything not listed, including our database's own SQLSTATEs, blames the request. */
const BY_CLASS: Readonly<Record<string, number>> = {
  '08': 503,
  '53': 503,
  '28': 403,
  '0L': 403,
  '0P': 403,
  '09': 500,
  '25': 500,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '55': 500,
  '57': 500,
  '58': 500,
  F0: 500,
  HV: 500,
  P0: 500,
  XX: 500,
}

/** Server faults whose messages help the caller and reveal nothing internal. */
const HARMLESS_SERVER_CODES: ReadonlySet<string> = new Set([
  '08007',
  '57014',
  '40001',
  '40P01',
  '55P03',
  '21000',
  '25P03',
])

function translateDatabase(fault: DatabaseFault, anonymous: boolean): ApiFault {
  if (fault instanceof PoolTimeoutFault) return poolTimeout()
  if (fault instanceof CrowdedFault) return tooCrowded(fault.retryAfterS)
  if (fault instanceof UnavailableFault) return noConnection()
  if (fault instanceof ShareFault) return tooManyRequests()
  if (fault instanceof AnswerTooLargeFault) return answerTooLarge(fault)
  if (fault.code === 'PGRST') return raisedAnswer(fault)
  const status = statusOf(fault.code, fault.message, anonymous)
  const raised = fault.code.startsWith('PT')
  const headers: Record<string, string> = {}
  // An anonymous caller has shown no token that could be bad.
  if (status === 401) headers['WWW-Authenticate'] = anonymous ? BEARER : `${BEARER} error="invalid_token"`
  if (status === 503) headers['Retry-After'] = '1'
  if (fault.code === '25006') headers['Allow'] = READ_ONLY_ALLOW
  if (status >= 500 && !raised) {
    const message = HARMLESS_SERVER_CODES.has(fault.code)
      ? fault.message
      : 'The database could not process the request'
    return new ApiFault({ status, code: fault.code, message, headers })
  }
  return new ApiFault({
    status,
    code: fault.code,
    message: fault.message,
    details: fault.detail,
    hint: fault.hint,
    headers,
  })
}

/** SQLSTATE PGRST: the function that raised it chose body, status and headers. */
function raisedAnswer(fault: DatabaseFault): ApiFault {
  const body = parseObject(fault.message)
  const outer = parseObject(fault.detail ?? '')
  const status = outer?.['status']
  if (
    body === null ||
    outer === null ||
    typeof body['code'] !== 'string' ||
    typeof body['message'] !== 'string' ||
    !isStatus(status)
  ) {
    return new ApiFault({
      status: 500,
      code: 'PGRST121',
      message: 'Could not parse JSON in the "RAISE SQLSTATE \'PGRST\'" error',
    })
  }
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(outer['headers'] ?? {})) {
    if (/^[A-Za-z0-9-]+$/.test(name) && typeof value === 'string' && /^[\x20-\x7e]*$/.test(value))
      headers[name] = value
  }
  const hint = typeof body['hint'] === 'string' ? body['hint'] : null
  return new ApiFault({
    status,
    code: body['code'],
    message: body['message'],
    details: body['details'],
    hint,
    headers,
  })
}

const isStatus = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 200 && value <= 599

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/**
 * The one place where any failure becomes a refusal. Anything unknown here is an internal error; the log has
 * the details.
 */
export function translateFault(error: unknown, anonymous: boolean): ApiFault {
  if (error instanceof ApiFault) return error
  if (error instanceof SignInFault) return translateSignIn(error)
  if (error instanceof DatabaseFault) return translateDatabase(error, anonymous)
  return internal()
}
