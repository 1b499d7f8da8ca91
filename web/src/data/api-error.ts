// Errors of API calls: maps answers to our codes and German messages. Components show `message` as is.
import type { ErrorCode, FieldFault } from '#contract/errors.ts'
import { t } from '../ui/text.ts'
import { ToldError } from '../ui/told-error.ts'
import { type FaultBody, type FaultKind, type SpecialWords, textOf } from './fault-body.ts'

/** A failed call. `message` is German and suitable for display. */
export class ApiError extends ToldError {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly fields: readonly FieldFault[]
  /** The server's own code: PGRST…, a SQLSTATE or a number of the general API. */
  readonly origin: string | undefined
  /** Stable identifier of the broken rule, if the database gives one. */
  readonly rule: string | undefined
  /** The server's untranslated message, for support. */
  readonly detail: string | undefined
  /** With changed_meanwhile: the row as it is now. */
  readonly current: unknown
  /** How long the server asks us to wait. */
  readonly retryAfterMs: number | undefined
  constructor(code: ErrorCode, message: string, more: ApiErrorMore = {}) {
    super(message)
    this.code = code
    this.status = more.status ?? 0
    this.fields = more.fields ?? []
    this.origin = more.origin
    this.rule = more.rule
    this.detail = more.detail
    this.current = more.current
    this.retryAfterMs = more.retryAfterMs
  }
}
interface ApiErrorMore {
  status?: number
  fields?: readonly FieldFault[]
  origin?: string | undefined
  rule?: string | undefined
  detail?: string | undefined
  current?: unknown
  retryAfterMs?: number | undefined
}

const TEXTS: Record<ErrorCode, string> = {
  not_signed_in: 'Sie sind nicht angemeldet. Bitte melden Sie sich an.',
  session_expired: 'Ihre Sitzung ist abgelaufen. Bitte melden Sie sich neu an.',
  account_disabled:
    'Ihr Zugang ist gesperrt oder Ihre Sitzung wurde beendet. Bitte wenden Sie sich an den Support.',
  not_allowed: 'Dafür fehlt Ihnen die Berechtigung.',
  not_found: 'Nicht gefunden oder nicht erlaubt.',
  bad_filter: 'Diese Suche oder dieser Filter ist ungültig. Bitte setzen Sie die Filter zurück.',
  bad_value: 'Eine Angabe ist ungültig. Bitte prüfen Sie Ihre Eingaben.',
  conflict: 'Das geht nicht, weil es nicht zu den vorhandenen Daten passt.',
  changed_meanwhile: 'Der Datensatz wurde inzwischen geändert. Bitte laden Sie ihn neu.',
  changes_gone:
    'Diese Ereignisse sind nicht mehr vorhanden. Bitte beginnen Sie mit den ältesten, die es noch gibt.',
  too_large: 'Die Daten sind zu groß. Bitte teilen Sie sie auf.',
  too_many_requests: 'Zu viele Anfragen in kurzer Zeit. Bitte warten Sie einen Augenblick.',
  timeout: 'Der Server hat nicht rechtzeitig geantwortet. Bitte versuchen Sie es noch einmal.',
  unavailable: 'Der Server ist zurzeit nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.',
  storage_full:
    'Auf dem Server ist kein Speicherplatz mehr frei. Es ist nichts verloren; bitte wenden Sie sich an den Support.',
  internal:
    'Auf dem Server ist ein Fehler aufgetreten. Bitte versuchen Sie es noch einmal oder rufen Sie den Support an.',
}
export const errorText = (code: ErrorCode): string => t(TEXTS[code])

/**
 * Codes that end a session or say that there is none. Only an answer that rejects the token may mean that:
 * 401, or 200, which is the status of the general API's envelope.
 */
const OF_SESSION: ReadonlySet<ErrorCode> = new Set(['not_signed_in', 'session_expired', 'account_disabled'])
const mayEndSession = (status: number): boolean => status === 401 || status === 200

/** API and PostgreSQL codes that say more than the HTTP status (BY_STATUS). */
const BY_ORIGIN: Readonly<Record<string, ErrorCode>> = {
  PGRST102: 'bad_value',
  // A write that was done before, but whose answer was not kept: too large, or a secret.
  HTTP409: 'changed_meanwhile',
  '21000': 'bad_filter',
  '42501': 'not_allowed',
  '42703': 'bad_filter',
  '53100': 'unavailable',
  '57014': 'timeout',
  // general API
  '50008': 'not_signed_in',
  '50012': 'account_disabled',
  '50014': 'session_expired',
}
const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'bad_value',
  401: 'not_signed_in',
  403: 'not_allowed',
  404: 'not_found',
  405: 'not_allowed',
  406: 'not_found',
  408: 'timeout',
  409: 'conflict',
  413: 'too_large',
  414: 'bad_filter',
  416: 'bad_filter',
  429: 'too_many_requests',
  502: 'unavailable',
  503: 'unavailable',
  504: 'timeout',
  507: 'storage_full',
}

function codeOf(status: number, origin: string | undefined, body: FaultBody): ErrorCode {
  const code = codeNamed(status, origin, body)
  // A 503 carries a token code when signing keys cannot be fetched, and a 403 is a missing right whatever its
  // code.
  return OF_SESSION.has(code) && !mayEndSession(status) ? (BY_STATUS[status] ?? 'internal') : code
}

function codeNamed(status: number, origin: string | undefined, body: FaultBody): ErrorCode {
  const hint = textOf(body.hint)
  if (hint === 'account_disabled' || hint === 'session_ended') return 'account_disabled'
  if (origin === 'PGRST303')
    return /expired/i.test(textOf(body.message) ?? '') ? 'session_expired' : 'not_signed_in'
  if (origin === 'P0001') return 'bad_value'
  if (origin?.startsWith('22')) return 'bad_value'
  const exact = origin === undefined ? undefined : BY_ORIGIN[origin]
  if (exact) return exact
  if (origin?.startsWith('PGRST1') && status === 400) return 'bad_filter'
  return BY_STATUS[status] ?? 'internal'
}

/**
 * The general API writes German for the user, and its message is more specific than our text for the code.
 * The end of a session has its own texts.
 */
async function saidByGeneralApi(body: FaultBody, code: ErrorCode): Promise<string | undefined> {
  const german = textOf(body.message)
  return typeof body.code === 'number' && german !== undefined && !OF_SESSION.has(code)
    ? inLanguage(german)
    : undefined
}

/** A sentence of the server; German if the texts cannot be loaded. */
export const inLanguage = (german: string): Promise<string> =>
  import('./said.ts').then(
    ({ said }) => said(german),
    () => german,
  )

/** SQLSTATE program_limit_exceeded: the answer was too large and was cut off. */
const ANSWER_CUT = '54000'

/** Parses Retry-After, seconds or a date (RFC 9110, 10.2.3), into milliseconds from now. */
export function retryAfterOf(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const told = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isFinite(told) ? Math.max(0, told) : undefined
}

/** The words of rules and fields load when the first fault needs them; without them the general ones have to do. */
const specialOf = (fault: FaultBody, kind: FaultKind, origin: string | undefined): Promise<SpecialWords> =>
  import('./fault-words.ts').then(
    ({ specialWords }) => specialWords(fault, kind, origin),
    () => ({ fields: [] }),
  )

/** Turns a failed answer into an ApiError. `reads`: the request sent nothing that could be too large. */
export async function toApiError(
  status: number,
  body: unknown,
  { headers, reads = false }: { readonly headers?: Headers; readonly reads?: boolean } = {},
): Promise<ApiError> {
  const fault: FaultBody = typeof body === 'object' && body !== null ? body : {}
  const origin = typeof fault.code === 'number' ? String(fault.code) : textOf(fault.code)
  const code = codeOf(status, origin, fault)
  const rule = textOf(fault.hint)
  const isOfFields = code === 'bad_value' || code === 'conflict'
  const isCut = code === 'too_large' && (reads || origin === ANSWER_CUT)
  const { special, general, fields } =
    rule === undefined && !isOfFields && !isCut
      ? { fields: [] }
      : await specialOf(fault, { isOfFields, isCut }, origin)
  return new ApiError(code, special ?? (await saidByGeneralApi(fault, code)) ?? general ?? errorText(code), {
    status,
    retryAfterMs: retryAfterOf(headers?.get('retry-after') ?? null, Date.now()),
    origin,
    rule,
    fields,
    detail: textOf(fault.message),
  })
}

/** Nothing visible with this number. A number out of the database's range counts as not found too. */
export const isMissing = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.code === 'not_found' || error.code === 'bad_value' || error.code === 'not_allowed')
