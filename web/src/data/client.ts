// The browser's only way to the server: base path, bearer token, time limit, typed errors. It never
// navigates, and of all errors it shows only those of the general API.
import { REQUEST_TIMEOUT_MS, SUCCESS_CODE } from '#domain/constants.ts'
import { t } from '../ui/text.ts'
import { toast } from '../ui/toasts.ts'
import { ApiError, errorText, toApiError } from './api-error.ts'
import { doubtRights } from './rights-doubt.ts'

export const DEFAULT_TIMEOUT_MS = REQUEST_TIMEOUT_MS

/** What the client needs from the sign-in; the app connects it at start. */
export interface Connection {
  readonly dataApi: string
  readonly generalApi: string
  readonly uploadLimitMb: number
  token(): string | null
  /** Refreshes the token; false if that failed. */
  refresh(): Promise<boolean>
  /** Called when the session is over and a refresh did not help. */
  sessionLost(error: ApiError): void
  /** The page is being left: requests are no longer sent and never settle. */
  leaving?(): boolean
}

let connection: Connection | undefined
let refreshing: Promise<boolean> | undefined

export function connectClient(to: Connection) {
  connection = to
  refreshing = undefined
}
function connected(): Connection {
  if (!connection) throw new Error('the client is used before connectClient')
  return connection
}

export interface CallOptions {
  /** A Blob is sent as its bytes, everything else as JSON. */
  readonly body?: unknown
  readonly prefer?: readonly string[]
  readonly accept?: string
  /** A successful answer is returned as a Blob. */
  readonly file?: boolean
  /**
   * The browser may cache the answer as its headers say, because the content at this address never changes.
   */
  readonly kept?: boolean
  /** Longer for imports and exports. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal | undefined
  /** Does no harm if it is done twice: it has no key and is not sent again here. */
  readonly repeatable?: boolean
  /** Error statuses that are valid answers to this call. */
  readonly tolerate?: readonly number[]
}
export interface Answer<T> {
  readonly status: number
  readonly headers: Headers
  readonly data: T
}
type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * Calls the data API. Rejects with ApiError, or with AbortError if `signal` aborted the call. A write whose
 * answer did not arrive is sent once more, and is done once all the same.
 */
export function call<T>(method: Method, path: string, options: CallOptions = {}): Promise<Answer<T>> {
  const attempt = (key?: string) =>
    withRefresh(() => send<T>(method, `${connected().dataApi}/${path}`, options, key))
  return method === 'GET' || options.repeatable ? attempt() : writeOnce([method, path, options.body], attempt)
}

/**
 * Keys of writes of which nobody knows whether they were done. Tried again by its user, such a write has the
 * same key, so the server answers it and does not do it twice. The next write that is done ends that for all:
 * what it undoes may be done again.
 */
const undecided = new Map<string, string>()

async function writeOnce<T>(
  write: readonly unknown[],
  attempt: (key: string) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const what = JSON.stringify(write)
  const key = undecided.get(what) ?? crypto.getRandomValues(new Uint32Array(4)).join('-')
  const send = async () => {
    const answer = await attempt(key)
    // Only writes have it; much is read by POST.
    if (answer.headers.has('Idempotency-Replayed')) undecided.clear()
    return answer
  }
  const lost = (error: unknown) => {
    undecided.delete(what)
    if (!(error instanceof ApiError && /^(timeout|unavailable)$/.test(error.code))) throw error
    return error
  }
  try {
    return await send()
  } catch (error) {
    const { retryAfterMs = AGAIN_MS } = lost(error)
    await new Promise((done) => setTimeout(done, Math.min(retryAfterMs, DEFAULT_TIMEOUT_MS)))
  }
  try {
    return await send()
  } catch (error) {
    lost(error)
    undecided.set(what, key)
    throw error
  }
}
const AGAIN_MS = 800

export interface GeneralOptions extends CallOptions {
  /** Shows no error: the caller expects it or words it differently. */
  readonly quiet?: boolean
}

/**
 * Calls the general API and unwraps its envelope {code, message, data}; a value without an envelope is
 * returned as is. Errors are shown for five seconds and rejected.
 */
export async function callGeneral<T>(
  method: Method,
  path: string,
  { quiet = false, ...options }: GeneralOptions = {},
): Promise<T> {
  try {
    const { data } = await withRefresh(async () => {
      const answer = await send<unknown>(method, `${connected().generalApi}/${path}`, options)
      if (isEnvelope(answer.data) && answer.data.code !== SUCCESS_CODE)
        throw await toApiError(answer.status, answer.data)
      return answer
    })
    return (isEnvelope(data) ? data.data : data) as T
  } catch (error) {
    // The end of a session has its own dialog.
    if (!quiet && error instanceof ApiError && !LOST.has(error.code))
      toast.error(error.message || t('Fehler'))
    throw error
  }
}
const isEnvelope = (value: unknown): value is { code: number; data?: unknown } =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  'code' in value &&
  typeof value.code === 'number'

/** Refreshes an expired token, once for all waiting calls, and then repeats the call once. */
async function withRefresh<T>(attempt: () => Promise<T>): Promise<T> {
  const used = connected().token()
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_allowed') doubtRights()
    if (!(error instanceof ApiError) || !LOST.has(error.code)) throw error
    if (error.code !== 'account_disabled' && (await isRenewed(used)))
      return await attempt().catch((second: unknown) => reportLost(second))
    connected().sessionLost(error)
    throw error
  }
}
/** A late answer to a call made with the previous token needs no further refresh. */
async function isRenewed(used: string | null): Promise<boolean> {
  const { token, refresh } = connected()
  if (token() !== null && token() !== used) return true
  refreshing ??= refresh().finally(() => {
    refreshing = undefined
  })
  return refreshing
}
const LOST: ReadonlySet<string> = new Set(['session_expired', 'not_signed_in', 'account_disabled'])
function reportLost(error: unknown): never {
  if (error instanceof ApiError && LOST.has(error.code)) connected().sessionLost(error)
  throw error
}

/**
 * For code that makes its own requests to the API, such as chunked uploads: addresses, the current token and
 * its renewal.
 */
export const ownRequests = {
  address: (path: string): string => `${connected().generalApi}/${path}`,
  /** Same for the data API. */
  rows: (path: string): string => `${connected().dataApi}/${path}`,
  token: (): string | null => connected().token(),
  /** Size limit of an uploaded scan in MiB. */
  uploadLimitMb: (): number => connected().uploadLimitMb,
  renew: (used: string | null): Promise<boolean> => isRenewed(used),
}

async function send<T>(method: Method, url: string, options: CallOptions, key?: string): Promise<Answer<T>> {
  if (connected().leaving?.()) return new Promise(() => {})
  const limit = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS)
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
  try {
    const response = await fetch(url, {
      method,
      signal,
      headers: headersOf(options, key),
      cache: options.kept ? 'default' : 'no-store',
      ...bodyOf(options),
    })
    if (options.file && response.ok)
      return { status: response.status, headers: response.headers, data: (await response.blob()) as T }
    const text = await response.text()
    if (!response.ok && !options.tolerate?.includes(response.status))
      throw await toApiError(response.status, parsed(text), {
        headers: response.headers,
        reads: method === 'GET',
      })
    return {
      status: response.status,
      headers: response.headers,
      data: (text === '' ? null : strictly(text, response)) as T,
    }
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (options.signal?.aborted) throw error
    if (limit.aborted) throw new ApiError('timeout', errorText('timeout'), { detail: url })
    throw new ApiError('unavailable', errorText('unavailable'), {
      detail: error instanceof Error ? error.message : undefined,
    })
  }
}

function headersOf({ body, prefer, accept }: CallOptions, key?: string): Record<string, string> {
  const token = connected().token()
  return {
    Accept: accept ?? 'application/json',
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(body !== undefined && {
      'Content-Type': body instanceof Blob ? 'application/octet-stream' : 'application/json',
    }),
    ...(key && { 'Idempotency-Key': key }),
    ...(prefer && prefer.length > 0 && { Prefer: prefer.join(', ') }),
  }
}
const bodyOf = ({ body }: CallOptions) =>
  body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
/** A successful answer that is not JSON comes from something in between, such as a proxy's sign-in page. */
function strictly(text: string, response: Response): unknown {
  const value = parsed(text)
  if (value === undefined && response.ok)
    throw new ApiError('unavailable', errorText('unavailable'), {
      status: response.status,
      detail: 'the answer is not JSON',
    })
  return value
}
