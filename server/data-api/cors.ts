// Pages of other origins: which may call this server from a browser. None by default.
import type { IncomingMessage, ServerResponse } from 'node:http'

const METHODS = 'GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD'
/** Headers of an answer that a page of another origin may read. */
const EXPOSED =
  'Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, ' +
  'Transfer-Encoding, Range-Unit, Preference-Applied, Proxy-Status, Retry-After, Idempotency-Replayed'
const DAY_S = '86400'

const headerOf = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

/**
 * Lets a page of an allowed origin read the answer. Cookies are never asked for: tokens come in a header.
 *
 * @returns true if the request was only the browser's question whether it may ask; it has been answered
 */
export function answerCors(
  request: IncomingMessage,
  response: ServerResponse,
  origins: readonly string[],
): boolean {
  if (origins.length === 0) return false
  response.setHeader('Vary', 'Origin')
  const origin = headerOf(request, 'origin')
  if (origin === undefined || !(origins.includes('*') || origins.includes(origin))) return false
  response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader('Access-Control-Expose-Headers', EXPOSED)
  const asks =
    request.method === 'OPTIONS' && headerOf(request, 'access-control-request-method') !== undefined
  if (!asks) return false
  const wanted = headerOf(request, 'access-control-request-headers') ?? ''
  // Names of headers only: the value is sent back.
  const names = wanted.split(',').map((name) => name.trim().toLowerCase())
  const allowed = names.filter((name) => /^[a-z0-9-]{1,64}$/.test(name)).slice(0, 50)
  response.setHeader('Access-Control-Allow-Methods', METHODS)
  response.setHeader('Access-Control-Allow-Headers', ['authorization', ...allowed].join(', '))
  response.setHeader('Access-Control-Max-Age', DAY_S)
  response.writeHead(200, { 'Content-Length': '0' })
  response.end()
  return true
}
