// What functions and triggers set for the answer: response.status and response.headers.
import type { Answer, AnswerHeaders, Outcome } from './outcome.ts'
import { badResponseHeaders, badResponseStatus } from './faults.ts'

/** These say how the answer is delivered, which only the server knows. */
const OURS = /^(connection|content-length|date|keep-alive|te|trailer|transfer-encoding|upgrade)$/i

/** The answer with status and headers as set. Throws PGRST111 or PGRST112 if they are none. */
export function withResponseSettings(answer: Answer, { rh = null, rs = null }: Outcome): Answer {
  if (rh === null && rs === null) return answer
  const headers = rh === null ? answer.headers : merged(answer.headers, parseHeaders(rh))
  return { ...answer, headers, status: rs === null ? answer.status : parseStatus(rs) }
}

function parseStatus(text: string): number {
  const status = /^[1-5][0-9]{2}$/.test(text) ? Number(text) : 0
  if (status < 200) throw badResponseStatus()
  return status
}

function parseHeaders(text: string): readonly (readonly [name: string, value: string])[] {
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    throw badResponseHeaders()
  }
  if (!Array.isArray(list)) throw badResponseHeaders()
  return list.map((item: unknown): [string, string] => {
    const [entry, ...others] =
      typeof item === 'object' && item !== null ? (Object.entries(item) as [string, unknown][]) : []
    if (entry === undefined || others.length > 0) throw badResponseHeaders()
    const [name, value] = entry
    const fits = /^[A-Za-z0-9-]+$/.test(name) && typeof value === 'string' && /^[\x20-\x7e]*$/.test(value)
    if (!fits || OURS.test(name)) throw badResponseHeaders()
    return [name, value]
  })
}

/** As this server writes names, so that one set takes the place of ours. */
const canonical = (name: string): string =>
  name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join('-')

/** One that is set twice keeps both values; cookies alone cannot share a line (RFC 6265, 3). */
function merged(
  ours: Readonly<AnswerHeaders>,
  set: readonly (readonly [name: string, value: string])[],
): AnswerHeaders {
  const added = Map.groupBy(set, ([name]) => canonical(name))
  const lines = [...added].map(([name, entries]): [string, string | string[]] => {
    const values = entries.map(([, value]) => value)
    return [name, name === 'Set-Cookie' ? values : values.join(', ')]
  })
  return { ...ours, ...Object.fromEntries(lines) }
}
