// A read that was asked in another dialect (server/odata): it is planned, limited and run like every read here.
import type { ApiFault } from './faults.ts'
import { checkCap, type Limits, Tally } from './limits.ts'
import { ARRAY } from './parse-media.ts'
import { parsePrefer } from './parse-prefer.ts'
import type { Formula } from './formula.ts'
import type { Answer } from './outcome.ts'
import type { RawRequest } from './parse-request.ts'
import { NO_BODY } from './read-body.ts'
import type { OrderTerm, ReadRequest } from './request.ts'

export interface ForeignRead {
  /** Name of the relation. */
  readonly target: string
  /** Columns of the answer; those with `asText` come as text, whatever their type. */
  readonly columns: readonly { readonly name: string; readonly asText?: true }[]
  readonly conditions: readonly Formula[]
  readonly order: readonly OrderTerm[]
  readonly offset: number
  readonly limit: number
  /** Counts all rows that the page is cut from. */
  readonly counted: boolean
}

export interface AddressRead {
  readonly target: string
  /** The text after the question mark. */
  readonly query: string
  readonly counted: boolean
}

export interface RowsRead {
  /** A JSON array of objects, as PostgreSQL wrote it. */
  readonly json: string
  /** Null if nobody asked. */
  readonly total: number | null
}

/** Words that compare, each of which counts as a filter. */
const COMPARES: ReadonlySet<string> = new Set(
  'same sameOrMissing differs above aboveOrSame below belowOrSame missing present among contains begins ends'.split(
    ' ',
  ),
)

function count(formula: Formula, tally: Tally): void {
  if (formula.kind === 'values') checkCap(tally.limits, 'inList', formula.values.length)
  if (formula.kind !== 'apply') return
  if (COMPARES.has(formula.by)) tally.add('filters')
  for (const one of formula.to) count(one, tally)
}

/** @param own conditions that the server adds: they count as no filter of the caller's */
export function readRequest(
  { target, columns, conditions, order, offset, limit, counted }: ForeignRead,
  own: readonly Formula[],
  schema: string,
  limits: Limits,
): ReadRequest {
  checkCap(limits, 'selectItems', columns.length)
  checkCap(limits, 'orderItems', order.length)
  const tally = new Tally(limits)
  for (const formula of conditions) count(formula, tally)
  return {
    kind: 'read',
    head: false,
    schema,
    target,
    query: {
      select: columns.map(({ name, asText }) => ({
        kind: 'column' as const,
        name,
        ...(asText === true ? { cast: 'text', alias: name } : { alias: null }),
      })),
      top: {
        conditions: [...conditions, ...own].map((formula) => ({ kind: 'formula' as const, formula })),
        order,
        page: { offset, limit },
      },
      embedded: new Map(),
      columns: null,
      pairs: [],
      canonical: '',
    },
    accept: '*/*',
    accepts: [{ kind: 'any' }],
    media: ARRAY,
    preferences: parsePrefer(counted ? 'count=exact' : undefined),
  }
}

export const rawRead = (target: string, query: string, counted: boolean): RawRequest => ({
  method: 'GET',
  path: `/${target}`,
  query,
  headers: counted ? { prefer: 'count=exact' } : {},
  body: NO_BODY,
})

export function rowsRead({ headers, body }: Answer): RowsRead {
  const total = String(headers['Content-Range'] ?? '').split('/')[1] ?? '*'
  return { json: body ?? '[]', total: total === '*' ? null : Number(total) }
}

/** A page that begins after the last row is empty in other dialects; null for other faults. */
export function totalBeyond({ code, headers }: ApiFault): number | null {
  const range = code === 'PGRST103' ? headers['Content-Range'] : undefined
  return range === undefined ? null : Number(range.split('/')[1])
}
