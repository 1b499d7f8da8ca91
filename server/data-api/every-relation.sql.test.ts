// Bad input of every kind to everything that the product publishes: it is always the caller's fault and
// answered as such.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '#server/log.ts'
import { CHECK_REQUEST } from '#server/nutzer.ts'
import { ENGINES, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { claimsOf, type IdentityName } from '../../db/test/world.ts'
import { DAY, isToday, VOLL } from '../../test/extent.ts'
import type { DataApiOptions } from './data-api.ts'
import { openShop, type Shop } from './data-api.fixture.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import type { Relation } from './relation.ts'
import { readCatalogue } from './read-catalogue.ts'

/** In the full run every column meets every value and every operator. */
const LONGEST = VOLL ? 3_600_000 : 600_000

interface Published {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}
interface Callable {
  readonly name: string
  readonly args: readonly string[]
}

const RELATIONS = `select c.relname as name,
  (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null))
  order by a.attnum)
    from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)::text as columns
  from pg_class c
  where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'v', 'm', 'p')
    and has_any_column_privilege('nutzer', c.oid, 'select, insert, update')
  order by 1`
const FUNCTIONS = `select p.proname as name, coalesce((select json_agg(u.name order by u.at)
  from unnest(p.proargnames) with ordinality u(name, at)
    where coalesce(p.proargmodes[u.at], 'i') in ('i', 'b', 'v')), '[]')::text as args
  from pg_proc p
  where p.pronamespace = 'app'::regnamespace and p.prorettype <> 'trigger'::regtype
    and has_function_privilege('nutzer', p.oid, 'execute')
  order by 1`

/** Values that one type or another cannot read, or can read but not process. */
const TEXTS: readonly string[] = [
  '', ' ', 'x', '1', '-1', '1e400', '-1e-400', '99999999999999999999', 'NaN', 'infinity', '0x', '1/0',
  'null', '9'.repeat(2_000),
  '{', '{}', '[]', '{1,2', '{"a":1}', '{"__proto__":{}}', '['.repeat(400), '\\x', '\\', '%', '"', "'",
  '\u{10ffff}', '\u202e', '\ufeff',
  '2020-13-45', '0000-00-00', '294277-01-01', '24:00:01', 'P', 'epoch', 'allballs',
  'POINT(0 0)', 'POINT(0', 'POINT EMPTY', 'POINT(1e400 1)', 'SRID=99999999;POINT(0 0)',
  'CIRCULARSTRING(0 0)', 'POLYGON((0 0,1 1))',
  '010100', 'ff', '0101000000', 'GEOMETRYCOLLECTION('.repeat(60), '{"type":"Point"}',
  '{"type":"Polygon","coordinates":[[[0,0],[1,"x"]]]}',
] // biome-ignore format: a list
/** As values of a body. */
const VALUES: readonly unknown[] = [
  ...TEXTS, 5, -1, 0.5, 1e15, 1e300, null, true, {}, [], [1], [[]], [null], [{}], ['x'], { a: { b: [] } },
  { type: 'Point' }, { type: 'Polygon', coordinates: [] },
    { type: 'Polygon', coordinates: [[[0, 0], [1, 'x']]] }, { type: 'X', coordinates: 5 },
  { type: 'MultiPolygon', coordinates: [[[[0, 0], [1e308, 1e308], [1, 0], [0, 0]]]] },
    { type: 'LineString', coordinates: [[1, 2]] },
] // biome-ignore format: a list
const OPERATORS = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'ilike',
  'in',
  'is',
  'not.eq',
  'not.in',
  'fts',
  'plfts',
  'wfts(german)',
  'cs',
  'cd',
  'ov',
  'sl',
  'nxr',
  'adj',
  'match',
  'not.imatch',
  'isdistinct',
  'eq(any)',
  'like(all)',
  'x',
] as const
/** One operator for each way a value gets into a statement. */
const SOME_OPERATORS = ['eq', 'like', 'in', 'match', 'fts', 'cs', 'eq(any)'] as const
const AGGREGATES = ['count', 'sum', 'avg', 'min', 'max'] as const

const filter = (operator: string, text: string) =>
  operator.endsWith('in')
    ? `${operator}.(${encodeURIComponent(JSON.stringify(text))})`
    : `${operator}.${encodeURIComponent(text)}`

/** One after another across calls: neighbours get different values, and every value is used. */
function inTurn<T>(values: readonly T[]): () => T {
  let at = 0
  return () => values[at++ % values.length] as T
}

for (const engineName of ENGINES) {
  describe.skipIf(isMissing(engineName))(`bad input on ${engineName}`, () => {
    let engine: Engine
    let shop: Shop
    let relations: readonly Published[]
    let functions: readonly Callable[]
    /** A column of every type. */
    let byType: ReadonlyMap<string, readonly [relation: string, column: string]>
    let geometries: readonly (readonly [relation: string, column: string])[]
    const told: string[] = []
    const options: Partial<DataApiOptions> = {
      schemas: ['app'],
      role: 'nutzer',
      preRequest: CHECK_REQUEST,
      log: { ...silentLog, error: (_message, facts) => void told.push(JSON.stringify(facts)) },
      authenticate: (authorization = '') => {
        const name = authorization.replace(/^Bearer /, '') as IdentityName
        return { claimsJson: JSON.stringify(claimsOf(name)), person: name }
      },
    }
    // A part of the names stands for all, another one each day. The embedded engine is replaced after some
    // hundreds of refusals, which takes a second each time: there the part is smaller, and no run is longer.
    const atLength = VOLL && engineName === 'postgres'
    const step = engineName === 'postgres' ? (VOLL ? 1 : 4) : VOLL ? 3 : 18
    /** Of each list at least one. */
    const thinned = <T extends object>(all: readonly T[]) =>
      all.filter((_, i) => (i + DAY) % Math.min(step, all.length) === 0)
    /** Of a case that every column, argument or relation has; in the full run each. */
    const isAsked = (nr: number) => isToday(nr, 3)
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      shop = await openShop(engine.api, options)
      const { rows } = await engine.owner.query<{ name: string; columns: string }>(RELATIONS)
      const whole = rows.map(({ name, columns }) => ({
        name,
        columns: JSON.parse(columns) as Published['columns'],
      }))
      relations = whole.map(({ name, columns }) => ({ name, columns: thinned(columns) }))
      byType = new Map(
        whole.flatMap(({ name, columns }) => columns.map(({ name: column, type }) => [type, [name, column]])),
      )
      expect(byType.size).toBeGreaterThan(8)
      geometries = thinned(
        whole.flatMap(({ name, columns }) =>
          columns
            .filter(({ type }) => type.includes('geometry'))
            .map((column) => [name, column.name] as const),
        ),
      )
      const found = await engine.owner.query<{ name: string; args: string }>(FUNCTIONS)
      functions = thinned(found.rows.map(({ name, args }) => ({ name, args: JSON.parse(args) as string[] })))
    })
    afterAll(async () => {
      await shop?.close()
      await engine?.close()
    })

    const wrong: string[] = []
    let asked = 0
    async function ask(method: string, path: string, body?: unknown, as = 'admin'): Promise<void> {
      asked++
      const answer = await shop.call(path, { method, as, ...(body === undefined ? {} : { body }) })
      const keys =
        answer.status < 300 || answer.text === ''
          ? 'code,details,hint,message'
          : Object.keys(answer.json as object).join()
      if (answer.status < 500 && keys === 'code,details,hint,message') return
      wrong.push(
        `${method} ${path.slice(0, 200)} ${JSON.stringify(body)?.slice(0, 200)}: ` +
          `${answer.status} ${answer.text.slice(0, 200)} ${told.at(-1)}`,
      )
    }
    /** Asserts that nothing went wrong since the last call; a failure names what did. */
    const nothingWrong = (atLeast: number) => {
      expect(wrong.splice(0).slice(0, 10)).toEqual([])
      expect(asked).toBeGreaterThan(atLeast / (step * 2))
      asked = 0
    }

    test(
      'every column, compared by every operator with values in turn, ordered by and aggregated',
      async () => {
        const [text, operator, aggregate] = [inTurn(TEXTS), inTurn(OPERATORS), inTurn(AGGREGATES)]
        const cast = inTurn(['text', 'int', 'timestamptz', 'jsonb', 'uuid', '_int4', 'bytea', 'tsvector'])
        for (const { name, columns } of relations) {
          for (const { name: column } of columns) {
            for (let i = 0; i < (atLength ? OPERATORS.length : 3); i++)
              await ask('GET', `/${name}?select=${column}&limit=1&${column}=${filter(operator(), text())}`)
            await ask('GET', `/${name}?select=${column}.${aggregate()}()`)
            await ask(
              'GET',
              `/${name}?select=a:${column}->0,b:${column}::${cast()}&order=${column}->>x&limit=1`,
            )
            await ask('GET', `/${name}?select=${column},count()&order=${column}&limit=1`)
          }
          for (const select of [
            '*',
            '*,*',
            'count(*)',
            '*.count()',
            'count()',
            '**',
            '*()',
            'x:*',
            '*:x',
            '(*)',
            '*,nowhere(*)',
            'nowhere(count())',
          ])
            await ask('GET', `/${name}?limit=1&select=${encodeURIComponent(select)}`)
        }
        nothingWrong(5_000)
      },
      LONGEST,
    )

    test(
      'one column of every type, compared by every operator with every value',
      async () => {
        for (const [name, column] of byType.values())
          for (const [at, operator] of (atLength ? OPERATORS : SOME_OPERATORS).entries())
            for (const text of TEXTS.filter((_, nr) => isAsked(at + nr)))
              await ask('GET', `/${name}?select=${column}&limit=1&${column}=${filter(operator, text)}`)
        nothingWrong(1_500)
      },
      LONGEST,
    )

    test(
      'every column, written with values in turn; every relation, emptied of nothing',
      async () => {
        const value = inTurn(VALUES)
        for (const { name, columns } of relations) {
          for (const { name: column } of columns) {
            for (let i = 0; i < (atLength ? VALUES.length : 1); i++) {
              await ask('POST', `/${name}`, { [column]: value() })
              await ask('PATCH', `/${name}?${column}=is.null`, { [column]: value() })
            }
          }
          const [first] = columns
          await ask('DELETE', `/${name}?${first?.name}=is.null`)
          for (const body of [
            {},
            [],
            [{}, {}],
            [{ x: 1 }, { y: 1 }],
            { __proto__x: 1 },
            '{"__proto__":{"a":1}}',
            '{"constructor":1}',
          ])
            await ask('POST', `/${name}`, body)
        }
        nothingWrong(1_500)
      },
      LONGEST,
    )

    test(
      'every type, written with every value',
      async () => {
        for (const [name, column] of byType.values())
          for (const value of VALUES) await ask('POST', `/${name}`, { [column]: value })
        for (const [name, column] of geometries)
          for (const value of VALUES)
            await ask('PATCH', `/${name}?${column}=not.is.null`, { [column]: value })
        nothingWrong(1_000)
      },
      LONGEST,
    )

    test(
      'every argument of every function, given values in turn',
      async () => {
        const value = inTurn(VALUES)
        const text = inTurn(TEXTS)
        for (const { name, args } of functions) {
          for (const base of atLength ? [null, 1, 'x'] : [null, 1]) {
            const all = Object.fromEntries(args.map((arg) => [arg, base]))
            for (const arg of args) await ask('POST', `/rpc/${name}`, { ...all, [arg]: value() })
            await ask('POST', `/rpc/${name}`, all)
          }
          await ask('POST', `/rpc/${name}`, { nowhere: 1 })
          await ask(
            'GET',
            `/rpc/${name}?${args.map((arg) => `${arg}=${encodeURIComponent(text())}`).join('&')}`,
          )
        }
        nothingWrong(1_000)
      },
      LONGEST,
    )

    test(
      'the heaviest requests that the caps let through are answered',
      async () => {
        const catalogue = await readCatalogue(engine.api, { schemas: ['app'], roles: ['nutzer'] })
        const ways = relations.flatMap(({ name }) => {
          const relation = catalogue.relation('app', name)
          const paths = (relation?.paths ?? []).flatMap(({ target, hints: [hint] }) =>
            hint === undefined ? [] : [`${target.name}!${hint}`],
          )
          return relation === undefined || paths.length === 0 ? [] : [{ relation, paths }]
        })
        expect(ways.length).toBeGreaterThan(20)
        const { embeds, embedDepth, selectItems, filters, orderItems } = DEFAULT_LIMITS
        let deeplyRead = 0
        const deep = (from: Relation, levels: number): string => {
          const [first] = from.columns.keys()
          const path = from.paths.find(({ target, hints }) => target !== from && hints[0] !== undefined)
          if (levels === 0 || path === undefined) return String(first)
          const { target, hints } = path
          const [shown] = target.columns.keys()
          return `d${levels}:${target.name}!${hints[0]}!inner(${shown},${deep(target, levels - 1)})`
        }
        const repeat = (n: number, of: (i: number) => string) => Array.from({ length: n }, (_, i) => of(i))
        const slow: unknown[] = []
        // Other suites run in parallel, so reads get three times their usual limit.
        const patient = await openShop(engine.api, { ...options, limits: { readMs: 15_000 } })
        const some = ways.filter((_, nr) => isAsked(nr))
        for (const { relation, paths } of some) {
          const [column] = [...relation.columns.keys()]
          const embedded = repeat(embeds, (i) => `e${i}:${paths[i % paths.length]}!inner(*)`)
          const plain = repeat(selectItems - 2 * embeds, (i) => `a${i}:${column}`)
          const narrowed = [
            ...repeat(filters, (i) => `${column}=not.in.(${-i})`),
            `order=${repeat(orderItems, () => String(column))}`,
          ]
          const answer = await patient.call(
            `/${relation.name}?select=${[...plain, ...embedded]}&${narrowed.join('&')}`,
            {
              as: 'admin',
              headers: { Prefer: 'count=exact' },
            },
          )
          // May also be refused: columns beyond the cap of *, or a type without numbers.
          if (answer.status >= 500) slow.push([relation.name, answer.status, answer.text])
          const deepest = await patient.call(
            `/${relation.name}?select=${column},${deep(relation, embedDepth)},` +
              `${embedded.slice(0, embeds - embedDepth)}&${narrowed.join('&')}`,
            { as: 'admin', headers: { Prefer: 'count=exact' } },
          )
          if (deepest.status >= 500) slow.push([relation.name, 'deep', deepest.status, deepest.text])
          if (deepest.status < 300) deeplyRead++
        }
        await patient.close()
        expect(slow).toEqual([])
        expect(deeplyRead).toBeGreaterThan(some.length / 4)
      },
      LONGEST,
    )

    test('the product describes itself at its root: every relation and function that it publishes', async () => {
      const answer = await shop.call('/', { as: 'admin' })
      expect(answer.status).toBe(200)
      const { definitions, paths } = answer.json as { definitions: object; paths: object }
      const all = await readCatalogue(engine.api, { schemas: ['app'], roles: ['nutzer'] })
      for (const { name } of relations) {
        expect(Object.keys(definitions)).toContain(name)
        expect(Object.keys(paths)).toContain(`/${name}`)
      }
      for (const { name } of functions)
        if (all.routines('app', name).length > 0) expect(Object.keys(paths)).toContain(`/rpc/${name}`)
      expect(answer.text.length).toBeLessThan(2_000_000)
    })

    test('the product still answers, and its catalogue is whole', async () => {
      expect((await shop.call(`/${relations[0]?.name}?select=count()`, { as: 'admin' })).status).toBe(200)
    })
  })
}
