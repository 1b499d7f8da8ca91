// How a request is refused outside the data API's own room: in the format of the API its address belongs to.
import type { FastifyReply } from 'fastify'
import { SignInFault } from './caller.ts'
import { ShareFault } from './database/database.ts'
import { generalCode, type Refusal, toRefusal } from './errors.ts'

/**
 * RFC 6750: a caller without a token is asked for one; a caller with one learns that it
 * is not valid (any more).
 */
export const challengeOf = (error: unknown): string =>
  error instanceof SignInFault && error.kind === 'missing' ? 'Bearer' : 'Bearer error="invalid_token"'

function headersOf(error: unknown, { status }: Refusal): Record<string, string> {
  return {
    'cache-control': 'no-store',
    ...(status === 401 && { 'www-authenticate': challengeOf(error) }),
    ...((status === 503 || error instanceof ShareFault) && { 'retry-after': '2' }),
  }
}

/** A failed answer of the general API. `more` adds to it or overrides parts of it. */
export function refuseGeneral(reply: FastifyReply, error: unknown, more: object = {}): FastifyReply {
  const refusal = toRefusal(error)
  const { status, code, message } = refusal
  return reply
    .code(status)
    .headers(headersOf(error, refusal))
    .send({ code: generalCode(refusal), message, data: null, error: code, ...more })
}

/**
 * Below the data API's address, but refused before reaching it: an address that cannot be decoded, or a
 * method that HTTP knows and we do not.
 */
function refuseDialect(reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = toRefusal(error)
  const { status, message } = refusal
  return reply
    .code(status)
    .headers(headersOf(error, refusal))
    .send({ code: status === 404 ? 'PGRST125' : `HTTP${status}`, details: null, hint: null, message })
}

function refusePlain(reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = toRefusal(error)
  const { status, code, message } = refusal
  return reply.code(status).headers(headersOf(error, refusal)).send({ code, message })
}

interface Bases {
  readonly DATA_API_BASE: string
  readonly GENERAL_API_BASE: string
}

const isBelow = (url: string, base: string): boolean =>
  url.startsWith(base) && /^(?:[/?]|$)/.test(url.slice(base.length))

export function refuseAt(url: string, { DATA_API_BASE, GENERAL_API_BASE }: Bases) {
  if (isBelow(url, GENERAL_API_BASE)) return refuseGeneral
  return isBelow(url, DATA_API_BASE) ? refuseDialect : refusePlain
}
