// How a request is refused outside the data API's own room: in the format of the API its address belongs to.
import { STATUS_CODES } from 'node:http'
import { ODATA_BASE, TABLE_BASE } from '#contract/program-lists.ts'
import type { FastifyReply } from 'fastify'
import { SignInFault } from './caller.ts'
import { CrowdedFault, ShareFault } from './database/database.ts'
import { generalCode, KeyLimitRefusal, LaterRefusal, type Refusal, toRefusal } from './errors.ts'

/**
 * RFC 6750: a caller without a token is asked for one; a caller with one learns that it
 * is not valid (any more).
 */
export const challengeOf = (error: unknown): string =>
  error instanceof SignInFault && error.kind === 'missing' ? 'Bearer' : 'Bearer error="invalid_token"'

const basicChallenge = (error: unknown): string => `Basic realm="Forstkontor", ${challengeOf(error)}`

function headersOf(error: unknown, { status }: Refusal): Record<string, string> {
  return {
    'cache-control': 'no-store',
    ...(status === 401 && { 'www-authenticate': challengeOf(error) }),
    ...((status === 503 || error instanceof ShareFault || error instanceof LaterRefusal) && {
      'retry-after':
        error instanceof CrowdedFault || error instanceof LaterRefusal ? String(error.retryAfterS) : '2',
    }),
  }
}

/** What an answer said of a file before it turned out that the file cannot be read. */
const OF_CONTENT = [
  'accept-ranges',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  'last-modified',
  'repr-digest',
]

/** The reply without anything of the content it was to have: Fastify sends no object as image/webp. */
function emptied(reply: FastifyReply): FastifyReply {
  for (const name of OF_CONTENT) reply.removeHeader(name)
  return reply
}

/** A failed answer of the general API. `more` adds to it or overrides parts of it. */
export function refuseGeneral(reply: FastifyReply, error: unknown, more: object = {}): FastifyReply {
  const refusal = toRefusal(error)
  const { status, code, message } = refusal
  return emptied(reply)
    .code(status)
    .headers(headersOf(error, refusal))
    .send({
      code: generalCode(refusal),
      message,
      data: null,
      error: code,
      ...(refusal instanceof KeyLimitRefusal && { hint: refusal.hint }),
      ...more,
    })
}

/**
 * Below the data API's address, but refused before reaching it: an address that cannot be decoded, or a
 * method that HTTP knows and we do not.
 */
function refuseDialect(reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = toRefusal(error)
  const { status, message } = refusal
  return emptied(reply)
    .code(status)
    .headers(headersOf(error, refusal))
    .send({ code: status === 404 ? 'PGRST125' : `HTTP${status}`, details: null, hint: null, message })
}

/** Base path of the OGC services; clients store it, so no setting moves it. */
export const OGC_BASE = '/ogc'

/** The feed of changes; programs store it too. */
export const CHANGES_BASE = '/changes'

/** RFC 9457, as OGC's standards ask for it. Programs that know only Basic are asked for a key that way. */
function refuseProblem(reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = toRefusal(error)
  const { code, message } = refusal
  // A precondition of the request was not met: If-Match named another version.
  const status = code === 'changed_meanwhile' ? 412 : refusal.status
  const headers = headersOf(error, refusal)
  return emptied(reply)
    .code(status)
    .headers(status === 401 ? { ...headers, 'www-authenticate': basicChallenge(error) } : headers)
    .header('content-type', 'application/problem+json')
    .send(
      JSON.stringify({
        type: 'about:blank',
        title: STATUS_CODES[status],
        status,
        detail: message,
        code,
        ...(refusal instanceof KeyLimitRefusal && { hint: refusal.hint }),
      }),
    )
}

/** As OData has it. Programs that know only Basic are asked for a key that way. */
function refuseOdata(reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = toRefusal(error)
  const { status, code, message } = refusal
  const headers = headersOf(error, refusal)
  return emptied(reply)
    .code(status)
    .headers({ ...headers, ...(status === 401 && { 'www-authenticate': basicChallenge(error) }) })
    .header('odata-version', '4.0')
    .header('content-type', 'application/json;charset=utf-8')
    .send(
      JSON.stringify({
        error: {
          code,
          message,
          ...(refusal instanceof KeyLimitRefusal && { innererror: { hint: refusal.hint } }),
        },
      }),
    )
}

/** LibreOffice and Excel ask for a name and a password where they are challenged. */
const refuseTable = (reply: FastifyReply, error: unknown): FastifyReply =>
  refusePlain(reply, error, { 'www-authenticate': basicChallenge(error) })

/** @param asked how the caller is asked to sign in; by default not at all */
function refusePlain(
  reply: FastifyReply,
  error: unknown,
  asked: Readonly<Record<string, string>> = {},
): FastifyReply {
  const refusal = toRefusal(error)
  const { status, code, message } = refusal
  return emptied(reply)
    .code(status)
    .headers({ ...headersOf(error, refusal), ...(status === 401 && asked) })
    .send({ code, message, ...(refusal instanceof KeyLimitRefusal && { hint: refusal.hint }) })
}

interface Bases {
  readonly DATA_API_BASE: string
  readonly GENERAL_API_BASE: string
}

const isBelow = (url: string, base: string): boolean =>
  url.startsWith(base) && /^(?:[/?]|$)/.test(url.slice(base.length))

export function refuseAt(url: string, { DATA_API_BASE, GENERAL_API_BASE }: Bases) {
  if (isBelow(url, GENERAL_API_BASE)) return refuseGeneral
  if (isBelow(url, OGC_BASE) || isBelow(url, CHANGES_BASE)) return refuseProblem
  if (isBelow(url, ODATA_BASE)) return refuseOdata
  if (isBelow(url, TABLE_BASE)) return refuseTable
  return isBelow(url, DATA_API_BASE) ? refuseDialect : refusePlain
}
