import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildStatement, deliveryOf, outcomeOf } from './build-statement.ts'
import { Catalogue } from './catalogue.ts'
import { ApiFault } from './faults.ts'
import { foreignToken, HOSTILE, hostileBody, hostileQuery } from '../../test/hostile-input.ts'
import { type Caps, DEFAULT_LIMITS } from './limits.ts'
import { parseRequest } from './parse-request.ts'
import { planRequest } from './plan-request.ts'
import { RESPONSE } from './shown-text.ts'

const column = (name: string, type = 'integer') => ({ name, type, default: null, readers: ['web'] })
const catalogue = new Catalogue({
  relations: [
    { id: 1, schema: 's', name: 'album', writable: 28,
      columns: [column('id'), column('title', 'text'), column('Mixed Case', 'text'), column('artist_id')],
      primary_key: ['id'] },
    { id: 2, schema: 's', name: 'song', writable: 28, columns: [column('album_id'), column('nr')],
      primary_key: ['album_id', 'nr'] },
    { id: 3, schema: 's', name: 'artist', writable: 28, columns: [column('id'), column('name', 'text')],
      primary_key: ['id'] },
  ],
  foreign_keys: [
    { name: 'song_album_fkey', from_id: 2, to_id: 1, from_columns: ['album_id'], to_columns: ['id'],
      from_unique: false },
    { name: 'album_artist_fkey', from_id: 1, to_id: 3, from_columns: ['artist_id'], to_columns: ['id'],
      from_unique: false },
  ],
  functions: [
    {
      schema: 's', name: 'find', set: true, returns: 'rows', row_relation: 1, volatile: false,
      time_limit_ms: null, columns: [{ name: 'id', type: 'integer' }, { name: 'title', type: 'text' }],
      args: [{ name: 'id', type: 'integer', required: false, variadic: false },
        { name: 'term', type: 'text', required: false, variadic: false }],
    },
  ],
  settings: [],
}) // biome-ignore format: a table

const CSV = { 'content-type': 'text/csv' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

const NAMES = new Set([
  's',
  'album',
  'song',
  'artist',
  'id',
  'title',
  'Mixed Case',
  'artist_id',
  'album_id',
  'nr',
  'name',
  'find',
  'term',
])

interface Sent {
  method: string
  path?: string
  query?: string
  body?: string
  headers?: Record<string, string>
}

function planOf(
  { method, path = '/album', query = '', body = '', headers = {} }: Sent,
  limits = DEFAULT_LIMITS,
) {
  const request = parseRequest(
    { method, path, query, headers, body: new TextEncoder().encode(body) },
    ['s'],
    limits,
  )
  return planRequest(catalogue, request, { limits, role: 'web' })
}

const statementOf = (sent: Sent, limits = DEFAULT_LIMITS) => buildStatement(planOf(sent, limits))

/** Undefined if it is refused. That is allowed, with a status that does not blame the server. */
function tryStatement(sent: Sent) {
  try {
    return statementOf(sent)
  } catch (error) {
    if (!(error instanceof ApiFault)) throw error
    expect(error.status).toBeGreaterThanOrEqual(300)
    expect(error.status).toBeLessThan(500)
    return undefined
  }
}

describe('statements', () => {
  test('a read', () => {
    expect(
      statementOf({
        method: 'GET',
        query: 'select=id,name:title&id=gte.5&order=title.desc&limit=20&offset=40',
      }),
    ).toEqual({
      name: 'data-api',
      text:
        'select pg_catalog.count(*) as n, coalesce(pg_catalog.json_agg(_q.*), ' +
        '\'[]\')::text as body from (select _t."id", _t."title" as "name" from "s"."album" as _t where ' +
        '(_t."id" >= $1) order by _t."title" desc limit $2 offset $3) as _q',
      values: ['5', 20, 40],
    })
  })

  test('the same shape with other values is the same text, so that it is prepared once', () => {
    const texts = ['id=eq.1', 'id=eq.2222', 'id=eq.x%27y'].map(
      (query) => statementOf({ method: 'GET', query }).text,
    )
    expect(new Set(texts).size).toBe(1)
    expect(
      new Set(
        ['in.()', 'in.(1)', 'in.(1,2,3)'].map(
          (list) => statementOf({ method: 'GET', query: `id=${list}` }).text,
        ),
      ).size,
    ).toBe(1)
  })

  test('row by row, where the whole would be made in memory that is never given back', () => {
    const rows = (sent: Sent) => buildStatement(planOf(sent), deliveryOf(planOf(sent), 'embedded')).text
    expect(rows({ method: 'GET', query: 'select=id&limit=20' })).toBe(
      'select pg_catalog.row_to_json(_q.*)::text as body from (select _t."id" from "s"."album" as _t limit $1) as _q',
    )
    expect(rows({ method: 'GET', query: 'select=id&limit=20', headers: { prefer: 'count=exact' } })).toBe(
      'select _r.body, _n.total from (select (select pg_catalog.count(*) from "s"."album" as _t) ' +
        'as total) as _n left join lateral (select pg_catalog.row_to_json(_q.*)::text as body from ' +
        '(select _t."id" from "s"."album" as _t limit $1) as _q) as _r on true',
    )
    const changed = {
      method: 'PATCH',
      query: 'id=eq.5&select=id',
      body: '{"title": "x"}',
      headers: { prefer: 'return=representation' },
    }
    expect(rows(changed)).toContain(
      `${RESPONSE} from (select 1) as _n left join lateral ` +
        '(select pg_catalog.row_to_json(_q.*)::text as body from (select _t."id" from _w as _t) as _q)',
    )
    // One value, so there is nothing to deliver row by row.
    for (const sent of [
      { method: 'HEAD' },
      { method: 'GET', headers: { accept: 'application/vnd.pgrst.object+json' } },
      { method: 'PATCH', query: 'id=eq.5', body: '{"title":"x"}' },
    ])
      expect(deliveryOf(planOf(sent), 'embedded')).toBe('whole')
    expect(deliveryOf(planOf({ method: 'GET' }), 'postgres')).toBe('whole')
  })

  test('rows put together are what the database would have made of them', () => {
    const outcome = (sent: Sent, bodies: (string | null)[], total?: number) =>
      outcomeOf(
        planOf(sent),
        bodies.map((body) => ({ body, ...(total === undefined ? {} : { total }) })),
        'by row',
      )
    const get = { method: 'GET', query: 'select=id,title' }
    expect(outcome(get, [])).toEqual({ n: 0, body: '[]' })
    expect(outcome(get, ['{"id":1}', '{"id":2}'])).toEqual({ n: 2, body: '[{"id":1}, \n {"id":2}]' })
    const counted = { ...get, headers: { prefer: 'count=exact' } }
    expect(outcome(counted, [null], 7)).toEqual({ n: 0, body: '[]', total: 7 })
    expect(outcome(counted, ['{"id":1}'], 7)).toEqual({ n: 1, body: '[{"id":1}]', total: 7 })
    const csv = { ...get, headers: { accept: 'text/csv' } }
    expect(outcome(csv, ['1,x', '2,'])).toEqual({ n: 2, body: 'id,title\n1,x\n2,' })
    expect(outcome(csv, [])).toEqual({ n: 0, body: 'id,title\n' })
  })

  test('a write puts the body in as one parameter', () => {
    const { text, values } = statementOf({ method: 'PATCH', query: 'id=eq.5', body: '{"title": "x"}' })
    expect(text).toBe(
      'with _w as (update "s"."album" as _t set "title" = _p."title" from (select _p."title" from ' +
        'pg_catalog.json_to_record($1::json) as _p("title" text)) as _p where (_t."id" = $2) ' +
        `returning 1 as _one) select pg_catalog.count(*) as n, ${RESPONSE} from _w`,
    )
    expect(values).toEqual(['{"title": "x"}', '5'])
  })

  test('an upsert changes what is no part of the key, and counts what it replaced', () => {
    const { text } = statementOf({
      method: 'POST',
      body: '{"id": 1, "title": "x"}',
      headers: { prefer: 'resolution=merge-duplicates' },
    })
    expect(text).toContain(' on conflict ("id") do update set "title" = excluded."title" returning')
    expect(text).toContain(' as replaced, ')
    const ignoring = {
      method: 'POST',
      body: '{"id": 1}',
      headers: { prefer: 'resolution=ignore-duplicates' },
    }
    expect(statementOf(ignoring).text).toContain(' on conflict ("id") do nothing returning ')
  })

  test('PUT writes the row in the address and no other', () => {
    const put = { method: 'PUT', query: 'id=eq.5', body: '{"id": 5, "title": "x"}' }
    const { text, values } = statementOf(put)
    expect(text).toContain(') as _p where (_p."id" = $2) on conflict ("id") do update set ')
    expect(values).toEqual([put.body, '5', put.body])
  })

  test('a call passes its arguments by name', () => {
    const { text, values } = statementOf({ method: 'GET', path: '/rpc/find', query: 'term=x&id=eq.3' })
    // id is an argument of the function, so its text is a value and not a filter.
    expect(text).toContain('"s"."find"("term" => $1::text, "id" => $2::integer)')
    expect(values?.slice(0, 2)).toEqual(['x', 'eq.3'])
  })

  test('a column called like our own row names cannot take their place', () => {
    expect(statementOf({ method: 'GET', query: 'select=_q:id' }).text).toContain('json_agg(_q.*)')
  })
})

describe('hostile input', () => {
  const places: [string, (text: string) => Sent][] = [
    ['path', (text) => ({ method: 'GET', path: `/${encodeURIComponent(text)}` })],
    ['function name', (text) => ({ method: 'POST', path: `/rpc/${encodeURIComponent(text)}` })],
    ['filter column', (text) => ({ method: 'GET', query: `${encodeURIComponent(text)}=eq.1` })],
    [
      'quoted filter column',
      (text) => ({ method: 'DELETE', query: `${encodeURIComponent(JSON.stringify(text))}=eq.1` }),
    ],
    ['filter value', (text) => ({ method: 'GET', query: `title=eq.${encodeURIComponent(text)}` })],
    ['operator', (text) => ({ method: 'GET', query: `title=${encodeURIComponent(text)}.1` })],
    ['is', (text) => ({ method: 'GET', query: `title=is.${encodeURIComponent(text)}` })],
    [
      'list',
      (text) => ({
        method: 'PATCH',
        query: `title=in.(${encodeURIComponent(JSON.stringify(text))})`,
        body: '{"title":"x"}',
      }),
    ],
    [
      'logic',
      (text) => ({
        method: 'GET',
        query: `or=(title.eq.${encodeURIComponent(JSON.stringify(text))},id.eq.1)`,
      }),
    ],
    [
      'logic column',
      (text) => ({ method: 'GET', query: `or=(${encodeURIComponent(JSON.stringify(text))}.eq.1)` }),
    ],
    ['select', (text) => ({ method: 'GET', query: `select=${encodeURIComponent(text)}` })],
    ['alias', (text) => ({ method: 'GET', query: `select=${encodeURIComponent(JSON.stringify(text))}:id` })],
    [
      'csv header',
      (text) => ({
        method: 'GET',
        query: `select=${encodeURIComponent(JSON.stringify(text))}:id`,
        headers: { accept: 'text/csv' },
      }),
    ],
    ['embed', (text) => ({ method: 'GET', query: `select=${encodeURIComponent(JSON.stringify(text))}(*)` })],
    [
      'embed hint',
      (text) => ({ method: 'GET', query: `select=song!${encodeURIComponent(JSON.stringify(text))}(*)` }),
    ],
    ['order', (text) => ({ method: 'GET', query: `order=${encodeURIComponent(text)}` })],
    ['spread', (text) => ({ method: 'GET', query: `select=...${encodeURIComponent(text)}(*)` })],
    ['cast', (text) => ({ method: 'GET', query: `select=id::${encodeURIComponent(text)}` })],
    ['result cast', (text) => ({ method: 'GET', query: `select=id.sum()::${encodeURIComponent(text)}` })],
    [
      'key of a path',
      (text) => ({ method: 'GET', query: `select=name:title->>${encodeURIComponent(JSON.stringify(text))}` }),
    ],
    [
      'last key of a path',
      (text) => ({ method: 'GET', query: `select=title->>${encodeURIComponent(text)}` }),
    ],
    [
      'key of a filtered path',
      (text) => ({ method: 'GET', query: `title->${encodeURIComponent(JSON.stringify(text))}=eq.1` }),
    ],
    [
      'search configuration',
      (text) => ({ method: 'GET', query: `title=fts(${encodeURIComponent(text)}).x` }),
    ],
    ['search', (text) => ({ method: 'GET', query: `title=wfts.${encodeURIComponent(text)}` })],
    ['modifier', (text) => ({ method: 'GET', query: `title=eq(${encodeURIComponent(text)}).x` })],
    ['any of', (text) => ({ method: 'GET', query: `title=like(any).${encodeURIComponent(text)}` })],
    ['pattern', (text) => ({ method: 'GET', query: `title=match.${encodeURIComponent(text)}` })],
    [
      'related order',
      (text) => ({
        method: 'GET',
        query: `select=artist(name)&order=artist(${encodeURIComponent(JSON.stringify(text))})`,
      }),
    ],
    [
      'nested filter',
      (text) => ({
        method: 'GET',
        query: `select=artist(name)&artist.${encodeURIComponent(JSON.stringify(text))}=eq.1`,
      }),
    ],
    ['order direction', (text) => ({ method: 'GET', query: `order=id.${encodeURIComponent(text)}` })],
    [
      'limit',
      (text) => ({
        method: 'GET',
        query: `limit=${encodeURIComponent(text)}&offset=${encodeURIComponent(text)}`,
      }),
    ],
    [
      'columns',
      (text) => ({
        method: 'POST',
        query: `columns=${encodeURIComponent(JSON.stringify(text))}`,
        body: '{"id":1}',
      }),
    ],
    [
      'on_conflict',
      (text) => ({
        method: 'POST',
        query: `on_conflict=${encodeURIComponent(JSON.stringify(text))}`,
        body: '{"id":1}',
        headers: { prefer: 'resolution=merge-duplicates' },
      }),
    ],
    [
      'key of PUT',
      (text) => ({ method: 'PUT', query: `id=eq.${encodeURIComponent(text)}`, body: '{"id":1}' }),
    ],
    ['csv', (text) => ({ method: 'POST', body: `title\n"${text.replaceAll('"', '""')}"`, headers: CSV })],
    ['csv heading', (text) => ({ method: 'POST', body: `${JSON.stringify(text)}\n1`, headers: CSV })],
    ['form', (text) => ({ method: 'POST', body: `title=${encodeURIComponent(text)}`, headers: FORM })],
    ['form key', (text) => ({ method: 'POST', body: `${encodeURIComponent(text)}=1`, headers: FORM })],
    [
      'argument in a form',
      (text) => ({
        method: 'POST',
        path: '/rpc/find',
        body: `term=${encodeURIComponent(text)}`,
        headers: FORM,
      }),
    ],
    ['content type', (text) => ({ method: 'POST', body: '{"id":1}', headers: { 'content-type': text } })],
    ['body key', (text) => ({ method: 'POST', body: JSON.stringify({ [text]: 1 }) })],
    ['body value', (text) => ({ method: 'POST', body: JSON.stringify({ title: text }) })],
    ['argument', (text) => ({ method: 'POST', path: '/rpc/find', body: JSON.stringify({ term: text }) })],
    ['argument name', (text) => ({ method: 'POST', path: '/rpc/find', body: JSON.stringify({ [text]: 1 }) })],
    [
      'argument in the query',
      (text) => ({ method: 'GET', path: '/rpc/find', query: `term=${encodeURIComponent(text)}` }),
    ],
    ['profile', (text) => ({ method: 'GET', headers: { 'accept-profile': text } })],
    ['prefer', (text) => ({ method: 'GET', headers: { prefer: text } })],
    ['accept', (text) => ({ method: 'GET', headers: { accept: text } })],
    ['range', (text) => ({ method: 'GET', headers: { range: text } })],
  ]
  test.each(places)('in the place of: %s', (_place, send) => {
    for (const text of HOSTILE) {
      const statement = tryStatement(send(text))
      // An alias is chosen by the client: it may appear, quoted, once its letters have been checked.
      if (statement !== undefined)
        expect(
          foreignToken(statement.text, new Set([...NAMES, ...HOSTILE.filter((word) => /^\w+$/.test(word))])),
        ).toBeNull()
    }
  })

  test('the check itself sees a foreign token', () => {
    expect(foreignToken('select "s"."album"; reset role', NAMES)).toBe(';')
    expect(foreignToken(`select 'x'`, NAMES)).toBe(`'x'`)
    expect(foreignToken('select "rolpassword"', NAMES)).toBe('"rolpassword"')
    expect(foreignToken('select pg_sleep', NAMES)).toBe('pg_sleep')
  })

  const ALIASES = new Set([
    ...NAMES,
    'a',
    'asc',
    'desc',
    'nullsfirst',
    'constructor',
    'toString',
    'hasOwnProperty',
    '__proto__',
    'é',
  ])
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

  test('20,000 query strings: never a fault of ours, never an unfiltered write, never a value in a statement', () => {
    let built = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...methods),
        fc.constantFrom('/album', '/album', '/rpc/find'),
        hostileQuery,
        (method, path, query) => {
          const statement = tryStatement({
            method,
            path,
            query,
            body: path === '/album' && method.startsWith('P') ? '{"title":"x"}' : '',
          })
          if (statement === undefined) return
          built++
          expect(aliasesAside(statement.text)).toBeNull()
          if (path === '/album' && (method === 'PATCH' || method === 'DELETE'))
            expect(statement.text).toMatch(/^with _w as \((update|delete) .* where (not )?\(.* returning/s)
          const used = new Set(statement.text.match(/\$[0-9]+/g) ?? [])
          expect(used.size).toBe(statement.values?.length ?? 0)
        },
      ),
      { numRuns: 20_000 },
    )
    // It would prove nothing if all of them were refused.
    expect(built).toBeGreaterThan(1000)
  })

  /**
   * Aliases are chosen by the client; those that appear as `as "…"` are checked for their letters instead.
   */
  function aliasesAside(sql: string): string | null {
    const aliases = [...sql.matchAll(/ as "([^"]*)"/g)].map((match) => match[1] ?? '')
    for (const alias of aliases) expect(alias).toMatch(/^[\p{L}\p{N}_][\p{L}\p{N}_ -]*$/u)
    return foreignToken(sql, new Set([...ALIASES, ...aliases]))
  }

  test('5,000 bodies: never a fault of ours, never a part of them in a statement', () => {
    let built = 0
    fc.assert(
      fc.property(fc.constantFrom('POST', 'PATCH'), hostileBody, (method, body) => {
        const statement = tryStatement({ method, query: method === 'PATCH' ? 'id=eq.1' : '', body })
        if (statement === undefined) return
        built++
        expect(foreignToken(statement.text, NAMES)).toBeNull()
      }),
      { numRuns: 5000 },
    )
    expect(built).toBeGreaterThan(200)
  })
})

/** The heaviest request of its kind that a cap allows, and the first that it refuses. */
const list = (n: number, of: (i: number) => string) => Array.from({ length: n }, (_, i) => of(i)).join()
const nested = (n: number) => `and=${'(and'.repeat(n - 1)}(id.eq.1)${')'.repeat(n - 1)}`
/** Albums and their songs in turn, `n` levels below an album. */
const embeddedDeep = (n: number, level = 1): string =>
  `${level % 2 === 1 ? 'song' : 'album'}(${level === n ? '*' : embeddedDeep(n, level + 1)})`
const CAPPED: Record<keyof Caps, (n: number) => Sent> = {
  selectItems: (n) => ({ method: 'GET', query: `select=${list(n - 2, (i) => `a${i}:title`)},song(nr)` }),
  starColumns: (n) => ({ method: 'GET', query: `select=${list(n / 4, () => '*')}` }), // an album has four columns
  embeds: (n) => ({ method: 'GET', query: `select=id,${list(n, (i) => `a${i}:song(nr)`)}` }),
  embedDepth: (n) => ({ method: 'GET', query: `select=${embeddedDeep(n)}` }),
  aggregates: (n) => ({ method: 'GET', query: `select=${list(n, (i) => `a${i}:id.max()`)}` }),
  orderItems: (n) => ({
    method: 'GET',
    query: `select=*,song(nr)&song.order=nr&order=${list(n - 1, () => 'id')}`,
  }),
  queryPairs: (n) => ({ method: 'GET', path: '/rpc/find', query: 'term=x&'.repeat(n) }),
  filters: (n) => ({ method: 'GET', query: `${'id=gt.0&'.repeat(n - 2)}or=(id.eq.1,id.eq.2)` }),
  inList: (n) => ({ method: 'GET', query: `id=in.(${list(n, String)})` }),
  patternLength: (n) => ({ method: 'GET', query: `title=match.${'a'.repeat(n)}` }),
  jsonSteps: (n) => ({
    method: 'GET',
    query: `select=title${'->a'.repeat(n - 2)}&order=title->b&title->>c=eq.1`,
  }),
  logicDepth: (n) => ({ method: 'GET', query: nested(n) }),
  writtenColumns: (n) => ({
    method: 'POST',
    body: JSON.stringify(
      Object.fromEntries(Array.from({ length: n }, (_, i) => [i === 0 ? 'id' : `c${i}`, i])),
    ),
  }),
  writtenRows: (n) => ({
    method: 'POST',
    body: JSON.stringify(Array.from({ length: n }, (_, id) => ({ id }))),
  }),
  headerTokens: (n) => ({ method: 'GET', headers: { prefer: list(n, (i) => `a${i}=1`) } }),
}

describe('limits', () => {
  const refusal = (sent: Sent, limits = DEFAULT_LIMITS) => {
    try {
      statementOf(sent, limits)
      return null
    } catch (error) {
      if (error instanceof ApiFault) return [error.status, error.code, error.message] as const
      throw error
    }
  }
  test.each(Object.entries(CAPPED) as [keyof Caps, (n: number) => Sent][])(
    '%s holds at its edge and is named',
    (cap, sent) => {
      const most = DEFAULT_LIMITS[cap]
      const refused = [400, 'PGRST100', `The request exceeds a limit of this server: ${cap}`]
      // The catalogue of this test has no table that wide, so the unknown columns are refused after the cap
      // has passed.
      if (cap === 'writtenColumns') expect(refusal(sent(most))).toEqual([400, 'PGRST204', expect.any(String)])
      else expect(refusal(sent(most))).toBeNull()
      expect(refusal(sent(most + (cap === 'starColumns' ? 4 : 1)))).toEqual(refused)
    },
  )
  test('columns= is capped like the keys of the body', () => {
    const columns = (n: number) => ({
      method: 'POST',
      query: `columns=${list(n, (i) => `c${i}`)}`,
      body: '{}',
    })
    expect(refusal(columns(DEFAULT_LIMITS.writtenColumns))).toEqual([400, 'PGRST204', expect.any(String)])
    expect(refusal(columns(DEFAULT_LIMITS.writtenColumns + 1))?.at(-1)).toMatch(/writtenColumns$/)
  })
  test('hundreds of aliases of one column, or of embeds, make no statement', () => {
    for (const n of [352, 376, 560]) {
      expect(refusal({ method: 'GET', query: `select=${list(n, (i) => `a${i}:title`)}` })?.at(-1)).toMatch(
        /selectItems$/,
      )
      expect(refusal({ method: 'GET', query: `select=${list(n, (i) => `a${i}:song()`)}` })?.at(-1)).toMatch(
        /embeds$/,
      )
    }
  })
  test('none at all switches aggregates off, with a code of its own', () => {
    const none = { ...DEFAULT_LIMITS, aggregates: 0 }
    for (const select of ['count()', 'id.sum()', 'song(nr.max())'])
      expect(refusal({ method: 'GET', query: `select=${select}` }, none)).toEqual([
        400,
        'PGRST123',
        'Use of aggregate functions is not allowed',
      ])
  })
  test('a server may set its own', () => {
    expect(
      refusal({ method: 'GET', query: 'select=id,title' }, { ...DEFAULT_LIMITS, selectItems: 1 })?.at(-1),
    ).toMatch(/selectItems$/)
  })
  test('a body is only as deep as it may be', () => {
    const deep = (n: number) => `{"title":${'['.repeat(n - 1)}${']'.repeat(n - 1)}}`
    expect(refusal({ method: 'POST', body: deep(32) })).toBeNull()
    expect(refusal({ method: 'POST', body: deep(33) })?.slice(0, 2)).toEqual([400, 'PGRST102'])
    expect(
      refusal({ method: 'POST', body: `{"title":"${'['.repeat(100)}\\"${'{'.repeat(100)}"}` }),
    ).toBeNull()
  })
  test('docs/data-api.md lists each with its figure', () => {
    const page = readFileSync(new URL('../../docs/data-api.md', import.meta.url), 'utf8')
    const rows = [...page.matchAll(/^\| `(\w+)` \| ([\d,]+) \|/gm)].map(([, name, figure]) => [
      name,
      Number(figure?.replaceAll(',', '')),
    ])
    expect(Object.fromEntries(rows)).toEqual(DEFAULT_LIMITS)
  })
})
