// Writes an answer or a refusal. Nothing here may be cached, and every refusal has a body.
import type { ServerResponse } from 'node:http'
import type { Answer } from './outcome.ts'
import type { ApiFault } from './faults.ts'

const ALWAYS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  Vary: 'Accept, Prefer, Range, Authorization',
  'X-Content-Type-Options': 'nosniff',
}

export function send(response: ServerResponse, answer: Answer, head: boolean): void {
  const { status, headers } = answer
  const body = answer.hex === true && answer.body !== null ? Buffer.from(answer.body, 'hex') : answer.body
  for (const [name, value] of Object.entries(ALWAYS)) headers[name] ??= value
  // Whether another origin may read it depends on that origin.
  if (response.hasHeader('Vary'))
    headers['Vary'] = `${String(headers['Vary'])}, ${String(response.getHeader('Vary'))}`
  if (body !== null && !head) headers['Content-Length'] = String(Buffer.byteLength(body))
  // 204 has no body by definition; otherwise an empty one is announced.
  else if (!head && status !== 204) headers['Content-Length'] = '0'
  response.writeHead(status, headers)
  response.end(head ? undefined : (body ?? undefined))
}

export function sendFault(response: ServerResponse, fault: ApiFault, head: boolean): void {
  const { code, message, details, hint } = fault
  const body = JSON.stringify({ code, details, hint, message })
  const headers = {
    ...fault.headers,
    'Content-Type': 'application/json; charset=utf-8',
    // A code that is not a token would break the header.
    'Proxy-Status': `data-api; error=${/^[A-Za-z0-9]+$/.test(code) ? code : 'unknown'}`,
  }
  // 1xx, 204 and 304 cannot carry the body that every refusal needs.
  const status = fault.status < 200 || fault.status === 204 || fault.status === 304 ? 500 : fault.status
  send(response, { status, headers, body }, head)
}
