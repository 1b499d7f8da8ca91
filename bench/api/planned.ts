// How long parsing and planning take, without a database: of the heaviest request within the limits, and of a
// simple one.
import { buildStatement } from '#server/data-api/build-statement.ts'
import { Catalogue } from '#server/data-api/catalogue.ts'
import { DEFAULT_LIMITS } from '#server/data-api/limits.ts'
import { parseRequest } from '#server/data-api/parse-request.ts'
import { planRequest } from '#server/data-api/plan-request.ts'
import { median } from '../figures.ts'

const { embeds, selectItems, filters, orderItems, starColumns } = DEFAULT_LIMITS
const times = <T>(n: number, of: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => of(i))

const COLUMNS = times(Math.floor(starColumns / embeds), (i) => ({
  name: `c${i}`,
  type: 'integer',
  default: null,
  readers: ['web'],
}))
const relation = (id: number) => ({
  id,
  schema: 's',
  name: `r${id}`,
  writable: 28,
  columns: COLUMNS,
  primary_key: ['c0'],
})
const CATALOGUE = new Catalogue({
  relations: times(embeds + 1, relation),
  foreign_keys: times(embeds, (i) => ({
    name: `fk${i + 1}`,
    from_id: 0,
    to_id: i + 1,
    from_columns: [`c${i + 1}`],
    to_columns: ['c0'],
    from_unique: false,
  })),
  functions: [],
  settings: [],
})

const EMBEDDED = times(embeds, (i) => `e${i}:r${i + 1}!fk${i + 1}!inner(*)`)
const NAMED = times(selectItems - 2 * embeds, (i) => `a${i}:c1`)
const NARROWED = times(filters, (i) => `c${i % COLUMNS.length}=not.in.(${i},${i + 1})`)
const HEAVIEST =
  `select=${[...NAMED, ...EMBEDDED].join()}&${NARROWED.join('&')}` +
  `&order=${times(orderItems, () => 'c1').join()}`
const SIMPLE = 'select=c0,c1&c2=eq.5&order=c0&limit=25'

function plan(query: string): number {
  const started = performance.now()
  const headers = { prefer: 'count=exact' }
  const raw = { method: 'GET', path: '/r0', query, headers, body: new Uint8Array() }
  const request = parseRequest(raw, ['s'], DEFAULT_LIMITS)
  buildStatement(planRequest(CATALOGUE, request, { limits: DEFAULT_LIMITS, role: 'web' }))
  return performance.now() - started
}

/** Milliseconds, the median of many: what others do on the machine at a time is no part of it. */
export function measurePlanning(): { readonly heaviest: number; readonly simple: number } {
  const of = (query: string): number => median(times(2000, () => plan(query)).slice(500))
  return { heaviest: of(HEAVIEST), simple: of(SIMPLE) }
}
