// Cases of the dialect: embeds and aggregates that are refused, and what surrounds them: counts,
// callers, other shapes of the answer, writes.
import type { DialectCase } from './dialect.fixture.ts'

const REFUSED: readonly (readonly [path: string, status: number, answer: object])[] = [
  ['/hut?select=diary_x(*)', 400, { code: 'PGRST200' }],
  ['/hut?select=secret_ledger(*)', 400, { code: 'PGRST200', hint: null }],
  [
    '/hut?select=guide(*)',
    400,
    {
      code: 'PGRST200',
      message: "Could not find a relationship between 'hut' and 'guide' in the schema cache",
    },
  ],
  ['/hut?select=region!nope(*)', 400, { code: 'PGRST200' }],
  ['/hut?select=closed(*)', 400, { code: 'PGRST200' }],
  [
    '/tour?select=hut(*)',
    300,
    {
      code: 'PGRST201',
      hint:
        "Try changing 'hut' to one of the following: 'hut!tour_start', 'hut!tour_goal'. " +
        "Find the desired relationship in the 'details' key.",
      details: [
        {
          cardinality: 'many-to-one',
          embedding: 'tour with hut',
          relationship: 'tour_start using tour(start_id) and hut(id)',
        },
        {
          cardinality: 'many-to-one',
          embedding: 'tour with hut',
          relationship: 'tour_goal using tour(goal_id) and hut(id)',
        },
      ],
    },
  ],
  ['/hut?select=tour(*)', 300, { code: 'PGRST201' }],
  // The name of a constraint of a table that is not published is not named.
  [
    '/crew_places?select=hut(*)',
    300,
    {
      code: 'PGRST201',
      hint:
        "Try changing 'hut' to one of the following: 'hut!works_at', 'hut!deputy_at'. " +
        "Find the desired relationship in the 'details' key.",
      details: [
        {
          cardinality: 'many-to-one',
          embedding: 'crew_places with hut',
          relationship: 'foreign key using crew_places(works_at) and hut(id)',
        },
        {
          cardinality: 'many-to-one',
          embedding: 'crew_places with hut',
          relationship: 'foreign key using crew_places(deputy_at) and hut(id)',
        },
      ],
    },
  ],
  ['/hut_list?select=tour(*)', 300, { code: 'PGRST201' }],
  ['/both_lists?select=region(*)', 400, { code: 'PGRST200' }],
  ['/rpc/spans?n=1&select=hut(*)', 400, { code: 'PGRST200' }],
  [
    '/hut?warden.name=eq.Resi',
    400,
    { code: 'PGRST108', message: "'warden' is not an embedded resource in this request" },
  ],
  ['/hut?select=id,warden(name)&wardens.name=eq.x', 400, { code: 'PGRST108' }],
  ['/region?select=hut(id)&hut.warden.name=eq.x', 400, { code: 'PGRST108' }],
  ['/hut?warden.order=name', 400, { code: 'PGRST108' }],
  ['/hut?order=warden(name)', 400, { code: 'PGRST108' }],
  [
    '/hut?select=id,tour!tour_start(id)&order=tour(title)',
    400,
    {
      code: 'PGRST118',
      message: "A related order on 'tour' is not possible",
      details: "'hut' and 'tour' do not form a many-to-one or one-to-one relationship",
    },
  ],
  ['/hut?select=warden(name)&order=warden(nope)', 400, { code: '42703' }],
  [
    '/hut?select=id,warden(name)&warden=eq.1',
    400,
    {
      code: 'PGRST120',
      message: "Bad operator on the 'warden' embedded resource",
      details: 'Only is null or not is null filters are allowed on embedded resources',
    },
  ],
  ['/hut?select=id,warden(name)&warden=is.true', 400, { code: 'PGRST120' }],
  ['/hut?select=id,warden(name)&or=(warden.gt.1,id.eq.1)', 400, { code: 'PGRST120' }],
  ['/hut?warden=is.null', 400, { code: '42703' }],
  ['/hut?select=warden(name', 400, { code: 'PGRST100' }],
  ['/hut?select=warden!inner', 400, { code: 'PGRST100' }],
  ['/hut?select=...warden', 400, { code: 'PGRST100' }],
  ['/hut?select=w:...warden(name)', 400, { code: 'PGRST100' }],
  ['/hut?select=warden(nope)', 400, { code: '42703' }],
  ['/hut?select=warden(name),warden(name)', 400, { code: 'PGRST100' }],
  [
    '/region?select=id,...hut(count())',
    400,
    { code: 'PGRST127', details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.' },
  ],
  ['/hut?select=count()&order=id', 400, { code: '42803' }],
  ['/hut?select=name.sum()', 404, { code: '42883' }],
  ['/hut?select=beds.median()', 400, { code: 'PGRST100' }],
  ['/hut?select=beds.sum', 400, { code: 'PGRST100' }],
  ['/hut?select=beds.sum(id)', 400, { code: 'PGRST100' }],
  [
    '/region?select=a:region(b:region(c:region(d:region(e:region(f:region(id))))))',
    400,
    { code: 'PGRST100', message: 'The request exceeds a limit of this server: embedDepth' },
  ],
  [
    '/hut?select=id&a.b.c.d.e.f.g=eq.1',
    400,
    { code: 'PGRST100', message: 'The request exceeds a limit of this server: embedDepth' },
  ],
  [
    `/region?select=${Array.from({ length: 9 }, (_, i) => `a${i}:hut(id)`).join()}`,
    400,
    { code: 'PGRST100', message: 'The request exceeds a limit of this server: embeds' },
  ],
]

const COUNTED: readonly DialectCase[] = [
  {
    name: 'an exact count knows the inner embeds of every level',
    path: '/region?select=id,hut!inner(warden!inner())',
    headers: { Prefer: 'count=exact' },
    status: 200,
    answer: [{ id: 2 }],
    headersOut: { 'content-range': '0-0/1' },
  },
  {
    name: 'an exact count knows filters on embeds',
    path: '/hut?select=id,warden()&warden=is.null&limit=1&order=id',
    headers: { Prefer: 'count=exact' },
    status: 206,
    answer: [{ id: 3 }],
    headersOut: { 'content-range': '0-0/2' },
  },
  {
    name: 'aggregated rows are counted as rows',
    path: '/hut?select=region_id,count()&order=region_id&limit=1',
    headers: { Prefer: 'count=exact' },
    status: 206,
    answer: [{ region_id: 2, count: 2 }],
    headersOut: { 'content-range': '0-0/3' },
  },
  {
    name: 'others see other rows of an embed',
    path: '/hut?select=id,diary(text)&diary.order=id&id=lt.3&order=id',
    as: 'u2',
    status: 200,
    answer: [
      { id: 1, diary: [{ text: 'theirs' }] },
      { id: 2, diary: [{ text: 'other' }] },
    ],
  },
  {
    name: 'CSV of spread columns',
    path: '/hut?select=id,...region(area:name)&order=id&limit=2',
    headers: { Accept: 'text/csv' },
    status: 200,
    text: 'id,area\n1,Tyrol\n2,Tyrol',
  },
  {
    name: 'one object with embeds',
    path: '/hut?select=id,region(name)&id=eq.1',
    headers: { Accept: 'application/vnd.pgrst.object+json' },
    status: 200,
    answer: { id: 1, region: { name: 'Tyrol' } },
  },
  {
    name: 'nulls stripped at every level',
    path: '/hut?select=id,beds,region(name,parent_id)&id=eq.4',
    headers: { Accept: 'application/vnd.pgrst.array+json;nulls=stripped' },
    status: 200,
    answer: [{ id: 4, beds: 5, region: { name: 'Harz' } }],
  },
  {
    name: 'what was inserted, with embeds, spread and computed columns',
    method: 'POST',
    path: '/tour?select=title,label,...tour_start(hut:name),tour_goal(name)',
    headers: { Prefer: 'return=representation' },
    body: { id: 50, title: 'New', start_id: 1, goal_id: 2 },
    status: 201,
    answer: [{ title: 'New', label: 'New!', hut: 'Alm', tour_goal: { name: 'Berg' } }],
  },
  {
    name: 'what was deleted, with a computed relation',
    method: 'DELETE',
    path: '/tour?id=eq.50&select=id,start_hut(name)',
    headers: { Prefer: 'return=representation' },
    status: 200,
    answer: [{ id: 50, start_hut: { name: 'Alm' } }],
  },
]

export const AROUND_CASES: readonly DialectCase[] = [
  ...REFUSED.map(([path, status, answer]) => ({
    name: `refused: ${path.slice(0, 60)}`,
    path,
    status,
    answer,
  })),
  ...COUNTED,
]
