// The client library of the dialect, as people install it, against this server on both engines: its calls as
// its documentation shows them.
import { PostgrestClient } from '@supabase/postgrest-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DIALECT_ENGINES, type DialectHome } from '../../test/dialect-engines.ts'
import { WORKSHOP_SQL } from './dialect-write.fixture.ts'

/** Without names to check against; the client wants to know the version of the dialect. */
interface Unchecked {
  readonly __InternalSupabase: { readonly PostgrestVersion: '14' }
  readonly [schema: string]: unknown
}
type Client = ReturnType<typeof connect>
const connect = (port: number) =>
  new PostgrestClient<Unchecked>(`http://127.0.0.1:${port}`, { headers: { Authorization: 'Bearer u1' } })
/** What the client gives for a call. */
interface Given {
  readonly data: unknown
  readonly error: { readonly code: string } | null
  readonly count: number | null
  readonly status: number
}
type Ask = (client: Client) => PromiseLike<unknown>

/** What a call does, the call, and what it has to give: the data, and where it matters status, count, code. */
type ClientCase = readonly [
  what: string,
  ask: Ask,
  expected: Partial<Omit<Given, 'error'>> & { code?: string },
]

const ROPE = { code: 'rope', name: 'Rope', amount: 5, note: 'red', changed: '2021-01-01' }
const rows = (...ids: number[]) => ids.map((id) => ({ id }))

const READS: readonly ClientCase[] = [
  [
    'select',
    (c) => c.from('guide').select(),
    {
      status: 200,
      data: [
        { id: 1, name: 'Ada', born: '1980-01-01' },
        { id: 2, name: 'Bo', born: '1990-02-02' },
        { id: 3, name: 'Cy', born: null },
      ],
    },
  ],
  [
    'select columns',
    (c) => c.from('guide').select('id, name').eq('id', 1),
    { data: [{ id: 1, name: 'Ada' }] },
  ],
  ['rename a column', (c) => c.from('guide').select('who:name').eq('id', 1), { data: [{ who: 'Ada' }] }],
  ['cast a column', (c) => c.from('guide').select('id::text').eq('id', 1), { data: [{ id: '1' }] }],
  [
    'a JSON path',
    (c) => c.from('hut').select('extra->host->>name').eq('id', 1),
    { data: [{ name: 'Resi' }] },
  ],
  ['eq', (c) => c.from('hut').select('id').eq('name', 'Alm'), { data: rows(1) }],
  ['eq with signs', (c) => c.from('hut').select('id').eq('name', 'Dorf, "alt"'), { data: rows(4) }],
  ['neq', (c) => c.from('hut').select('id').neq('id', 1).order('id'), { data: rows(2, 3, 4) }],
  ['gt', (c) => c.from('hut').select('id').gt('beds', 10), { data: rows(2) }],
  ['gte', (c) => c.from('hut').select('id').gte('beds', 10).order('id'), { data: rows(1, 2) }],
  ['lt', (c) => c.from('hut').select('id').lt('beds', 10), { data: rows(4) }],
  ['lte', (c) => c.from('hut').select('id').lte('beds', 10).order('id'), { data: rows(1, 4) }],
  ['like', (c) => c.from('hut').select('id').like('name', '%lm'), { data: rows(1) }],
  ['ilike', (c) => c.from('hut').select('id').ilike('name', 'a%'), { data: rows(1) }],
  ['likeAllOf', (c) => c.from('hut').select('id').likeAllOf('name', ['%a%', 'C%']), { data: rows(3) }],
  [
    'likeAnyOf',
    (c) => c.from('hut').select('id').likeAnyOf('name', ['A%', 'B%']).order('id'),
    { data: rows(1, 2) },
  ],
  ['ilikeAllOf', (c) => c.from('hut').select('id').ilikeAllOf('name', ['%A%', 'c%']), { data: rows(3) }],
  [
    'ilikeAnyOf',
    (c) => c.from('hut').select('id').ilikeAnyOf('name', ['a%', 'b%']).order('id'),
    { data: rows(1, 2) },
  ],
  ['regexMatch', (c) => c.from('hut').select('id').regexMatch('name', '^A'), { data: rows(1) }],
  ['regexIMatch', (c) => c.from('hut').select('id').regexIMatch('name', '^a'), { data: rows(1) }],
  ['is null', (c) => c.from('hut').select('id').is('beds', null), { data: rows(3) }],
  ['is true', (c) => c.from('hut').select('id').is('private', true), { data: rows(2) }],
  [
    'isDistinct',
    (c) => c.from('hut').select('id').isDistinct('beds', 10).order('id'),
    { data: rows(2, 3, 4) },
  ],
  ['in', (c) => c.from('hut').select('id').in('name', ['Alm', 'Berg']).order('id'), { data: rows(1, 2) }],
  ['notIn', (c) => c.from('hut').select('id').notIn('id', [1, 2]).order('id'), { data: rows(3, 4) }],
  [
    'contains an array',
    (c) => c.from('hut').select('id').contains('tags', ['old', 'warm']),
    { data: rows(1) },
  ],
  ['contains JSON', (c) => c.from('hut').select('id').contains('extra', { water: true }), { data: rows(1) }],
  [
    'containedBy',
    (c) => c.from('hut').select('id').containedBy('tags', ['old']).order('id'),
    { data: rows(3, 4) },
  ],
  [
    'overlaps',
    (c) => c.from('hut').select('id').overlaps('tags', ['old', 'cold']).order('id'),
    { data: rows(1, 2, 4) },
  ],
  ['rangeGt', (c) => c.from('hut').select('id').rangeGt('sleeps', '[5,9)'), { data: rows(2) }],
  [
    'rangeLt',
    (c) => c.from('hut').select('id').rangeLt('sleeps', '[10,12)').order('id'),
    { data: rows(1, 4) },
  ],
  ['rangeAdjacent', (c) => c.from('hut').select('id').rangeAdjacent('sleeps', '[40,50)'), { data: rows(2) }],
  [
    'textSearch',
    (c) => c.from('hut').select('id').textSearch('words', 'cow & milk', { config: 'simple' }),
    { data: rows(1) },
  ],
  ['match', (c) => c.from('hut').select('id').match({ region_id: 2, beds: 10 }), { data: rows(1) }],
  ['not', (c) => c.from('hut').select('id').not('beds', 'is', null).order('id'), { data: rows(1, 2, 4) }],
  ['or', (c) => c.from('hut').select('id').or('id.eq.1,beds.lt.6').order('id'), { data: rows(1, 4) }],
  ['filter', (c) => c.from('hut').select('id').filter('id', 'in', '(1,2)').order('id'), { data: rows(1, 2) }],
  [
    'order',
    (c) => c.from('hut').select('id').order('beds', { ascending: false, nullsFirst: false }),
    { data: rows(2, 1, 4, 3) },
  ],
  ['limit', (c) => c.from('hut').select('id').order('id').limit(2), { data: rows(1, 2) }],
  ['range', (c) => c.from('hut').select('id').order('id').range(1, 2), { data: rows(2, 3) }],
  [
    'count',
    (c) => c.from('hut').select('id', { count: 'exact' }).order('id').limit(1),
    { status: 206, data: rows(1), count: 4 },
  ],
  [
    'count alone',
    (c) => c.from('hut').select('*', { count: 'exact', head: true }),
    { status: 200, data: null, count: 4 },
  ],
  [
    'estimated count',
    (c) => c.from('hut').select('*', { count: 'estimated', head: true }),
    { data: null, count: 4 },
  ],
  ['single', (c) => c.from('guide').select('id').eq('id', 1).single(), { data: { id: 1 } }],
  [
    'single of none',
    (c) => c.from('guide').select('id').eq('id', 9).single(),
    { status: 406, data: null, code: 'PGRST116' },
  ],
  ['maybeSingle', (c) => c.from('guide').select('id').eq('id', 1).maybeSingle(), { data: { id: 1 } }],
  [
    'maybeSingle of none',
    (c) => c.from('guide').select('id').eq('id', 9).maybeSingle(),
    { status: 200, data: null },
  ],
  [
    'maybeSingle of several',
    (c) => c.from('guide').select('id').maybeSingle(),
    { status: 406, data: null, code: 'PGRST116' },
  ],
  [
    'csv',
    (c) => c.from('guide').select('id,born').order('id').csv(),
    { data: 'id,born\n1,1980-01-01\n2,1990-02-02\n3,' },
  ],
  ['stripNulls', (c) => c.from('guide').select('id,born').eq('id', 3).stripNulls(), { data: [{ id: 3 }] }],
  [
    'embed one',
    (c) => c.from('hut').select('id, region(name)').eq('id', 1),
    { data: [{ id: 1, region: { name: 'Tyrol' } }] },
  ],
  [
    'embed many',
    (c) => c.from('region').select('name, hut(id)').eq('id', 2).order('id', { referencedTable: 'hut' }),
    { data: [{ name: 'Tyrol', hut: rows(1, 2) }] },
  ],
  [
    'embed many to many',
    (c) => c.from('tour').select('title, guide(name)').eq('id', 2),
    { data: [{ title: 'Ridge', guide: [{ name: 'Ada' }] }] },
  ],
  [
    'embed by a hint',
    (c) => c.from('tour').select('start:hut!tour_start(name)').eq('id', 2),
    { data: [{ start: { name: 'Alm' } }] },
  ],
  [
    'embed inner, filtered',
    (c) => c.from('hut').select('id, region!inner(name)').eq('region.name', 'Uri'),
    { data: [{ id: 3, region: { name: 'Uri' } }] },
  ],
  [
    'embed with a limit',
    (c) =>
      c
        .from('region')
        .select('hut(id)')
        .eq('id', 2)
        .order('id', { referencedTable: 'hut', ascending: false })
        .limit(1, { referencedTable: 'hut' }),
    { data: [{ hut: rows(2) }] },
  ],
  [
    'spread',
    (c) => c.from('hut').select('id, ...region(place:name)').eq('id', 1),
    { data: [{ id: 1, place: 'Tyrol' }] },
  ],
  ['no table', (c) => c.from('nowhere').select(), { status: 404, data: null, code: 'PGRST205' }],
  ['no column', (c) => c.from('hut').select('nope'), { status: 400, data: null, code: '42703' }],
  [
    'another schema',
    (c) => c.schema('workshop').from('tool').select('sku').order('sku').limit(1),
    { data: [{ sku: 'F1' }] },
  ],
  [
    'a schema that is not exposed',
    (c) => c.schema('back').from('crew').select(),
    { status: 406, data: null, code: 'PGRST106' },
  ],
  [
    'GeoJSON',
    (c) => c.schema('workshop').from('spot').select('id,place').eq('id', 1).geojson(),
    {
      data: {
        type: 'FeatureCollection',
        features: [
          { type: 'Feature', geometry: { type: 'Point', coordinates: [13.5, 52.25] }, properties: { id: 1 } },
        ],
      },
    },
  ],
  [
    'explain',
    (c) => c.from('hut').select('id').eq('id', 1).explain(),
    { status: 200, data: expect.stringContaining('hut') },
  ],
  [
    'explain as JSON',
    (c) => c.from('hut').select('id').explain({ format: 'json', analyze: true, verbose: true }),
    { data: [expect.objectContaining({ Plan: expect.anything() })] },
  ],
]

/** Each is undone: with tx=rollback as the client asks for it, or because it is refused. */
const WRITES: readonly ClientCase[] = [
  ['insert', (c) => c.from('stock').insert({ code: 'map' }).rollback(), { status: 201, data: null }],
  [
    'insert and select',
    (c) => c.from('stock').insert({ code: 'map' }).select('code,amount,note').rollback(),
    { status: 201, data: [{ code: 'map', amount: 1, note: 'none' }] },
  ],
  [
    'insert and select one',
    (c) => c.from('stock').insert({ code: 'map' }).select('code').rollback().single(),
    { data: { code: 'map' } },
  ],
  [
    'insert many',
    (c) =>
      c
        .from('stock')
        .insert([{ code: 'map' }, { code: 'pan' }], { count: 'exact' })
        .rollback(),
    { status: 201, count: 2 },
  ],
  [
    'insert many, uneven',
    (c) =>
      c
        .from('stock')
        .insert([{ code: 'map', amount: 3 }, { code: 'pan' }], { defaultToNull: false })
        .select('code,amount')
        .rollback(),
    {
      data: [
        { code: 'map', amount: 3 },
        { code: 'pan', amount: 1 },
      ],
    },
  ],
  [
    'insert a duplicate',
    (c) => c.from('stock').insert({ code: 'rope' }),
    { status: 409, data: null, code: '23505' },
  ],
  [
    'upsert',
    (c) => c.from('stock').upsert({ code: 'rope', amount: 9 }).select('code,amount,note').rollback(),
    { status: 200, data: [{ code: 'rope', amount: 9, note: 'red' }] },
  ],
  [
    'upsert a new row',
    (c) => c.from('stock').upsert({ code: 'map', amount: 9 }).select('amount').rollback(),
    { status: 201, data: [{ amount: 9 }] },
  ],
  [
    'upsert many',
    (c) =>
      c
        .from('stock')
        .upsert(
          [
            { code: 'rope', amount: 1 },
            { code: 'map', amount: 2 },
          ],
          { count: 'exact' },
        )
        .rollback(),
    { status: 201, count: 2 },
  ],
  [
    'upsert on another column',
    (c) =>
      c
        .from('stock')
        .upsert({ code: 'rope', name: 'Rope', amount: 7 }, { onConflict: 'name' })
        .select('amount')
        .rollback(),
    { status: 200, data: [{ amount: 7 }] },
  ],
  [
    'upsert ignoring duplicates',
    (c) =>
      c
        .from('stock')
        .upsert([{ code: 'rope' }, { code: 'map' }], { ignoreDuplicates: true })
        .select('code')
        .rollback(),
    { status: 201, data: [{ code: 'map' }] },
  ],
  [
    'upsert with defaults',
    (c) =>
      c
        .from('stock')
        .upsert([{ code: 'rope', amount: 3 }, { code: 'map' }], { defaultToNull: false })
        .select('amount')
        .rollback(),
    { data: [{ amount: 3 }, { amount: 1 }] },
  ],
  [
    'update',
    (c) => c.from('stock').update({ amount: 9 }).eq('code', 'rope').rollback(),
    { status: 204, data: null },
  ],
  [
    'update and select',
    (c) => c.from('stock').update({ amount: 9 }, { count: 'exact' }).eq('code', 'rope').select().rollback(),
    { status: 200, count: 1, data: [{ ...ROPE, amount: 9 }] },
  ],
  [
    'update without a filter',
    (c) => c.from('stock').update({ amount: 9 }),
    { status: 400, data: null, code: '21000' },
  ],
  [
    'update too many',
    (c) => c.from('stock').update({ amount: 9 }).gt('amount', 0).maxAffected(1),
    { status: 400, data: null, code: 'PGRST124' },
  ],
  [
    'update few',
    (c) => c.from('stock').update({ amount: 9 }).eq('code', 'axe').maxAffected(1).rollback(),
    { status: 204 },
  ],
  [
    'update with embedded rows',
    (c) => c.from('tour').update({ level: 9 }).eq('id', 2).select('level, guide(name)').rollback(),
    { data: [{ level: 9, guide: [{ name: 'Ada' }] }] },
  ],
  ['delete', (c) => c.from('stock').delete().eq('code', 'rope').rollback(), { status: 204, data: null }],
  [
    'delete and select',
    (c) => c.from('stock').delete({ count: 'exact' }).eq('code', 'rope').select().rollback(),
    { status: 200, count: 1, data: [ROPE] },
  ],
  ['delete without a filter', (c) => c.from('stock').delete(), { status: 400, data: null, code: '21000' }],
  [
    'delete too many',
    (c) => c.from('stock').delete().gt('amount', 0).maxAffected(1),
    { status: 400, data: null, code: 'PGRST124' },
  ],
  [
    'and nothing was changed',
    (c) => c.from('stock').select('code').order('code'),
    { data: [{ code: 'axe' }, { code: 'rope' }] },
  ],
]

const CALLS: readonly ClientCase[] = [
  ['rpc', (c) => c.rpc('greet', { name: 'Ida' }), { status: 200, data: 'Hi Ida' }],
  ['rpc without arguments', (c) => c.rpc('greet'), { data: 'Hi you' }],
  ['rpc by GET', (c) => c.rpc('greet', { name: 'Ida' }, { get: true }), { data: 'Hi Ida' }],
  ['rpc by HEAD', (c) => c.rpc('spans', { n: 3 }, { head: true, count: 'exact' }), { data: null, count: 3 }],
  [
    'rpc with an array by GET',
    (c) => c.schema('workshop').rpc('total', { v: [1, 2, 3] }, { get: true }),
    { data: 6 },
  ],
  ['rpc of an overload', (c) => c.rpc('price', { beds: 2, nights: 3 }), { data: 60 }],
  [
    'rpc of an unclear overload',
    (c) => c.rpc('unclear', { a: 1 }),
    { status: 300, data: null, code: 'PGRST203' },
  ],
  [
    'rpc that gives rows, filtered',
    (c) => c.rpc('huts_in', { region: 2 }).select('id').gt('beds', 10),
    { data: rows(2) },
  ],
  [
    'rpc that gives rows, ordered and cut',
    (c) => c.rpc('spans', { n: 5 }).order('id', { ascending: false }).limit(2),
    {
      data: [
        { id: 5, word: 'w5' },
        { id: 4, word: 'w4' },
      ],
    },
  ],
  [
    'rpc that gives rows, with embedded ones',
    (c) => c.rpc('huts_in', { region: 3 }).select('id, region(name)'),
    { data: [{ id: 3, region: { name: 'Uri' } }] },
  ],
  ['rpc that gives one row', (c) => c.rpc('highest').select('id').single(), { data: { id: 2 } }],
  ['rpc as csv', (c) => c.rpc('spans', { n: 1 }).csv(), { data: 'id,word\n1,w1' }],
  ['rpc that writes', (c) => c.rpc('bump', { code: 'rope' }).rollback(), { status: 200, data: 6 }],
  [
    'rpc that writes, by GET',
    (c) => c.rpc('bump', { code: 'rope' }, { get: true }),
    { status: 405, data: null, code: '25006' },
  ],
  [
    'rpc that does not exist',
    (c) => c.rpc('nowhere', { a: 1 }),
    { status: 404, data: null, code: 'PGRST202' },
  ],
  ['rpc in another schema', (c) => c.schema('workshop').rpc('plus', { a: 1 }), { data: 11 }],
]

const GROUPS = [
  ['reads', READS],
  ['writes', WRITES],
  ['calls', CALLS],
] as const

for (const { engine, open, skip } of DIALECT_ENGINES) {
  describe.skipIf(skip())(`the client library on ${engine}`, () => {
    let home: DialectHome
    let client: Client
    beforeAll(async () => {
      home = await open({ schemas: ['trail', 'workshop'], txEnd: 'commit-allow-override', plans: true })
      await home.run(WORKSHOP_SQL)
      client = connect(home.shop.port)
    })
    afterAll(() => home?.close())

    for (const [group, cases] of GROUPS)
      describe(group, () => {
        test.each(cases)('%s', async (_what, ask, { code = null, ...expected }) => {
          const given = (await ask(client)) as Given
          expect(given.error?.code ?? null).toBe(code)
          expect(given).toMatchObject(expected)
        })
      })

    test('throwOnError', async () => {
      await expect(client.from('nowhere').select().throwOnError()).rejects.toMatchObject({ code: 'PGRST205' })
    })
    test('a call given up', async () => {
      const given = await client.rpc('nap', { seconds: 2 }).abortSignal(AbortSignal.timeout(100))
      expect(given.error).not.toBeNull()
    })
  })
}

test('there are enough of them', () => {
  expect(GROUPS.flatMap(([, cases]) => cases).length).toBeGreaterThanOrEqual(100)
})
