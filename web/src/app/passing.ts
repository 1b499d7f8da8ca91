// Which faults during the start may be temporary: no answer, or one that is not from the server. They never
// mean that the person is not signed in or lacks a right.
import { ApiError } from '../data/api-error.ts'

export interface Passing {
  /** No answer, or not one of ours. */
  readonly kind: 'unreachable' | 'faulty'
  /** For support. */
  readonly detail: string
  /** The request is still running: repeating it would only wait for the same one. */
  readonly hangs?: boolean
  /** How long the server asks us to wait. */
  readonly retryAfterMs?: number | undefined
}

/** A temporary fault, thrown where it was detected. */
export class PassingFault extends Error {
  override readonly name = 'PassingFault'
  readonly passing: Passing
  constructor(passing: Passing, cause?: unknown) {
    super(passing.detail, { cause })
    this.passing = passing
  }
}

/** Timeout, too early, too many requests, and all server and proxy errors. */
export const passesByStatus = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status)

const NO_ANSWER: ReadonlySet<string> = new Set(['timeout', 'unavailable'])

function ofApi({ code, status, origin, retryAfterMs }: ApiError): Passing | null {
  const detail = [code, origin].filter(Boolean).join(' ')
  // Without a status there was no answer; with 200 it was not JSON, or an envelope with a fault.
  if (status === 0 || NO_ANSWER.has(code))
    return { kind: status === 0 ? 'unreachable' : 'faulty', detail, retryAfterMs }
  return passesByStatus(status) || (status === 200 && code === 'internal')
    ? { kind: 'faulty', detail, retryAfterMs }
    : null
}

export function passingOf(error: unknown): Passing | null {
  if (error instanceof PassingFault) return error.passing
  return error instanceof ApiError ? ofApi(error) : null
}

/**
 * Classifies errors of the sign-in library. The provider's refusals have an OAuth error; all others never
 * reached it or did not come from it.
 */
export function passingOfProvider(error: unknown): Passing | null {
  if (error instanceof PassingFault) return error.passing
  if (!(error instanceof Error)) return null
  const { name, message } = error
  const oauth = 'error' in error && typeof error.error === 'string' ? error.error : undefined
  if (oauth !== undefined)
    return ['server_error', 'temporarily_unavailable'].includes(oauth)
      ? { kind: 'faulty', detail: `sign-in: ${oauth}` }
      : null
  if (['ErrorTimeout', 'TimeoutError', 'AbortError'].includes(name))
    return { kind: 'unreachable', detail: 'sign-in: timeout' }
  if (name === 'TypeError' && /fetch|network|load failed/i.test(message))
    return { kind: 'unreachable', detail: 'sign-in: no answer' }
  if (name === 'SyntaxError') return { kind: 'faulty', detail: 'sign-in: no JSON' }
  const status = /\((\d{3})\)/.exec(message)?.[1]
  if (status !== undefined)
    return passesByStatus(Number(status)) ? { kind: 'faulty', detail: `sign-in: ${status}` } : null
  return /^(?:Invalid response Content-Type|Metadata does not contain)/.test(message)
    ? { kind: 'faulty', detail: 'sign-in: another answer than expected' }
    : null
}
