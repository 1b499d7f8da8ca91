// Turns text into a request: method, path, headers and body become one typed value. No name is looked up
// here.
import {
  badCallMethod,
  badMethod,
  badPath,
  notImplemented,
  notSatisfiable,
  pageOfPut,
  unknownSchema,
  unreadableQuery,
} from './faults.ts'
import { checkCap, type Limits } from './limits.ts'
import { ARRAY, parseAccept, parseContentType } from './parse-media.ts'
import { DEFAULT_RULES, parsePrefer } from './parse-prefer.ts'
import { parseQuery } from './parse-query.ts'
import { type CallPayload, parseCallPayload, parsePayload } from './payload.ts'
import type { ApiRequest, Page, Query } from './request.ts'

/** What came over the wire, still as text. */
export interface RawRequest {
  readonly method: string
  /** Path below the base, starting with '/'. */
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Empty if the method has none. */
  readonly body: Uint8Array
}

const TABLE_METHODS = 'OPTIONS, GET, HEAD, POST, PUT, PATCH, DELETE'
const CALL_METHODS = 'OPTIONS, GET, HEAD, POST'

export function parseRequest(
  raw: RawRequest,
  schemas: readonly string[],
  limits: Limits,
  rules = DEFAULT_RULES,
): ApiRequest {
  const { target, call } = parsePath(raw.path)
  const reads = raw.method === 'GET' || raw.method === 'HEAD'
  checkMethod(raw.method, call)
  const schema = schemaOf(raw, schemas)
  const accept = listHeader(raw, 'accept', limits) ?? '*/*'
  const accepts = parseAccept(accept)
  const preferences = parsePrefer(listHeader(raw, 'prefer', limits), rules)
  const parsed = parseQuery(raw.query, call && reads ? 'arguments' : 'filters', limits)
  const query = raw.method === 'GET' ? withRange(parsed, header(raw, 'range')) : parsed
  const first = accepts.find((wanted) => wanted.kind === 'built-in')
  const common = { schema, target, query, accept, accepts, media: first?.media ?? ARRAY, preferences }
  if (query.columns !== null && raw.method !== 'POST' && raw.method !== 'PATCH')
    throw unreadableQuery('"columns parameter"', 'columns belongs to POST and PATCH')
  if (query.onConflict != null && (call || raw.method !== 'POST'))
    throw unreadableQuery('"on_conflict parameter"', 'on_conflict belongs to POST of a table')
  if (call) {
    return {
      ...common,
      kind: 'call',
      method: raw.method as 'GET',
      payload: reads ? null : parseArguments(raw, limits),
    }
  }
  if (reads) return { ...common, kind: 'read', head: raw.method === 'HEAD' }
  refusePage(query, raw.method)
  if (raw.method === 'DELETE') return { ...common, kind: 'delete' }
  const payload = parsePayload(raw.body, limits, parseContentType(header(raw, 'content-type'), false))
  if (raw.method === 'PATCH') return { ...common, kind: 'update', payload }
  const put = raw.method === 'PUT'
  if (!put && query.top.conditions.length > 0) throw unreadableQuery('"filter"', 'an insert takes no filters')
  return { ...common, kind: 'insert', put, payload }
}

/** The schema that the headers choose. */
export const schemaOf = (raw: RawRequest, schemas: readonly string[]): string =>
  chooseSchema(
    header(raw, /^(GET|HEAD|OPTIONS)$/.test(raw.method) ? 'accept-profile' : 'content-profile'),
    schemas,
  )

export function header(raw: RawRequest, name: string): string | undefined {
  const value = raw.headers[name]
  return typeof value === 'string' ? value : value?.join(',')
}

/** Reads a header that holds a list; refuses one with too many items. */
function listHeader(raw: RawRequest, name: string, limits: Limits): string | undefined {
  const value = header(raw, name)
  if (value !== undefined) checkCap(limits, 'headerTokens', value.split(',').length)
  return value
}

export const isRoot = (path: string): boolean => path === '/' || path === ''

export function parsePath(path: string): { target: string; call: boolean } {
  const parts = path.slice(1).split('/')
  if (parts.length === 2 && parts[1] === '') parts.pop() // a trailing slash is harmless
  const call = parts.length === 2 && parts[0] === 'rpc'
  const name = call ? parts[1] : parts[0]
  if (name === undefined || name === '' || parts.length > (call ? 2 : 1)) throw badPath()
  try {
    const target = decodeURIComponent(name)
    if (target.includes('\0')) throw badPath()
    return { target, call }
  } catch {
    throw badPath()
  }
}

function checkMethod(method: string, call: boolean): void {
  if (method === 'GET' || method === 'HEAD' || method === 'POST') return
  if (call) throw badCallMethod(method, CALL_METHODS)
  if (method !== 'PUT' && method !== 'PATCH' && method !== 'DELETE') throw badMethod(method, TABLE_METHODS)
}

function chooseSchema(profile: string | undefined, schemas: readonly string[]): string {
  const chosen = profile ?? schemas[0]
  if (chosen === undefined || !schemas.includes(chosen)) throw unknownSchema(chosen ?? '', schemas)
  return chosen
}

/** A missing body is one without arguments. */
function parseArguments(raw: RawRequest, limits: Limits): CallPayload {
  return parseCallPayload(raw.body, limits, parseContentType(header(raw, 'content-type'), true))
}

/** A write cannot be limited to a page: the caller would believe that the other rows were untouched. */
function refusePage(query: Query, method: string): void {
  if (query.top.page.limit === null && query.top.page.offset === 0) return
  throw method === 'PUT' ? pageOfPut() : notImplemented('limit and offset do not apply to writes')
}

/**
 * Range: 0-24 narrows what limit and offset leave. A header that is not a range of rows is ignored (other
 * units are not ours).
 */
function withRange(query: Query, range: string | undefined): Query {
  const match = range === undefined ? null : /^([0-9]{1,15})-([0-9]{0,15})$/.exec(range.trim())
  if (match === null) return query
  const first = Number(match[1])
  const last = match[2] === '' ? null : Number(match[2])
  if (last !== null && last < first) {
    throw notSatisfiable(
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    )
  }
  return { ...query, top: { ...query.top, page: narrowed(query.top.page, first, last) } }
}

function narrowed(page: Page, first: number, last: number | null): Page {
  const offset = Math.max(page.offset, first)
  const ends = [
    page.limit === null ? null : page.offset + page.limit,
    last === null ? null : last + 1,
  ].filter((end) => end !== null)
  if (ends.length === 0) return { offset, limit: null }
  return { offset, limit: Math.max(0, Math.min(...ends) - offset) }
}
