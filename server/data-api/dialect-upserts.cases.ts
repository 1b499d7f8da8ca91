// Cases of the dialect: upserts.
import type { DialectCase } from './dialect.fixture.ts'

const OBJECT = 'application/vnd.pgrst.object+json'
const prefer = (...words: string[]) => ({ Prefer: words.join(', ') })
const shown = (...words: string[]) => prefer('return=representation', ...words)
const MERGE = 'resolution=merge-duplicates'
const IGNORE = 'resolution=ignore-duplicates'
const NEW_TOOL = { sku: 'N1', name: 'Nail' }
const NEW_PRICED = { ...NEW_TOOL, price: 2 }
const HAMMER = { sku: 'H1', name: 'Big hammer', price: 30 }

export const UPSERT_CASES: readonly DialectCase[] = [
  {
    name: 'merge: replaced and added',
    path: '/tool?select=sku,name,price,weight',
    body: [HAMMER, { ...NEW_TOOL, price: 2 }],
    headers: shown(MERGE),
    status: 201,
    answer: [
      { sku: 'H1', name: 'Big hammer', price: 30, weight: 800 },
      { sku: 'N1', name: 'Nail', price: 2, weight: null },
    ],
    headersOut: { 'preference-applied': `${MERGE}, return=representation` },
  },
  {
    name: 'merge: replaced only is 200',
    path: '/tool?select=sku,price',
    body: [HAMMER],
    headers: shown(MERGE),
    status: 200,
    answer: [{ sku: 'H1', price: 30 }],
  },
  {
    name: 'merge: 200 without a body too',
    path: '/tool',
    body: HAMMER,
    headers: prefer(MERGE),
    status: 200,
    text: '',
  },
  { name: 'merge: added only is 201', path: '/tool', body: NEW_TOOL, headers: prefer(MERGE), status: 201 },
  {
    name: 'ignore: what exists stays',
    path: '/tool?select=sku,name',
    body: [HAMMER, NEW_PRICED],
    headers: shown(IGNORE),
    status: 201,
    answer: [{ sku: 'N1', name: 'Nail' }],
    headersOut: { 'preference-applied': `${IGNORE}, return=representation` },
  },
  { name: 'ignore: all exist', path: '/tool', body: HAMMER, headers: shown(IGNORE), status: 201, answer: [] },
  {
    name: 'merge: a view by the key of its table',
    path: '/lent_list?select=person',
    body: [
      { what: 'H1', on_day: '2026-01-02', person: 'Zoe' },
      { what: 'F1', on_day: '2026-01-02', person: 'Yve' },
    ],
    headers: shown(MERGE),
    status: 201,
    answer: [{ person: 'Zoe' }, { person: 'Yve' }],
  },
  {
    name: 'merge: a view of a view, replaced only is 200',
    path: '/lent_deep',
    body: { what: 'H1', on_day: '2026-01-02', person: 'Zoe' },
    headers: prefer(MERGE),
    status: 200,
  },
  {
    name: 'ignore: a view, what exists stays',
    path: '/lent_list',
    body: { what: 'H1', on_day: '2026-01-02', person: 'Zoe' },
    headers: shown(IGNORE),
    status: 201,
    answer: [],
  },
  {
    name: 'merge: not in a view that a trigger writes, and no plain insert instead',
    path: '/lent_tool',
    body: { tool: 'F1', day: '2026-05-06' },
    headers: prefer(MERGE),
    status: 400,
    answer: { code: '42P10' },
  },
  {
    name: 'a key of two columns',
    path: '/lent',
    body: { tool: 'H1', day: '2026-01-02', person: 'Zoe' },
    headers: shown(MERGE),
    status: 200,
    answer: [{ tool: 'H1', day: '2026-01-02', person: 'Zoe' }],
  },
  {
    name: 'on_conflict: another unique column',
    path: '/tool?on_conflict=code&select=sku,name',
    body: { sku: 'H1', name: 'Same code', code: 'AA' },
    headers: shown(MERGE),
    status: 200,
    answer: [{ sku: 'H1', name: 'Same code' }],
  },
  {
    name: 'on_conflict: two columns',
    path: '/shelf?on_conflict=room,nr&select=id,note',
    body: { room: 'a', nr: 1, note: 'new' },
    headers: shown(MERGE),
    status: 200,
    answer: [{ id: 1, note: 'new' }],
  },
  {
    name: 'on_conflict: ignore',
    path: '/shelf?on_conflict=room,nr&select=nr',
    body: [
      { room: 'a', nr: 1 },
      { room: 'a', nr: 9 },
    ],
    headers: shown(IGNORE),
    status: 201,
    answer: [{ nr: 9 }],
  },
  {
    name: 'on_conflict: quoted',
    path: '/tool?on_conflict="code"',
    body: { sku: 'H1', name: 'x', code: 'AA' },
    headers: prefer(MERGE),
    status: 200,
  },
  {
    name: 'on_conflict: no such column',
    path: '/tool?on_conflict=nope',
    body: NEW_TOOL,
    headers: prefer(MERGE),
    status: 400,
    answer: { code: '42703' },
  },
  {
    name: 'on_conflict: not unique',
    path: '/tool?on_conflict=name',
    body: NEW_TOOL,
    headers: prefer(MERGE),
    status: 400,
    answer: { code: '42P10' },
  },
  {
    name: 'on_conflict alone inserts',
    path: '/tool?on_conflict=code',
    body: HAMMER,
    status: 409,
    answer: { code: '23505' },
  },
  {
    name: 'on_conflict on a read',
    method: 'GET',
    path: '/tool?on_conflict=code',
    status: 400,
    answer: { code: 'PGRST100' },
  },
  {
    name: 'a generated key with missing=default',
    path: '/shelf?columns=id,room,nr,note&select=id,nr',
    body: [
      { id: 1, room: 'a', nr: 1, note: 'x' },
      { room: 'b', nr: 1 },
    ],
    headers: shown(MERGE, 'missing=default', 'count=exact'),
    status: 201,
    answer: [
      { id: 1, nr: 1 },
      { id: anyNumber(), nr: 1 },
    ],
    headersOut: {
      'content-range': '*/2',
      'preference-applied': `${MERGE}, missing=default, return=representation, count=exact`,
    },
  },
  {
    name: 'without a key it is an insert',
    path: '/keyless',
    body: { x: 1 },
    headers: prefer(MERGE),
    status: 201,
    headersOut: { 'preference-applied': null },
  },
  {
    name: 'the key alone',
    path: '/mine?select=text',
    body: { id: 1, owner: 'u1' },
    headers: shown(MERGE),
    status: 200,
    answer: [{ text: 'one' }],
  },
  { name: 'nothing at all', path: '/tool', body: [], headers: shown(MERGE), status: 200, answer: [] },
  {
    name: 'the same row twice',
    path: '/tool',
    body: [HAMMER, HAMMER],
    headers: prefer(MERGE),
    status: 500,
    answer: { code: '21000' },
  },
  {
    name: 'over a row of somebody else',
    path: '/mine',
    body: { id: 2, owner: 'u1', text: 'taken' },
    headers: prefer(MERGE),
    status: 403,
    answer: { code: '42501' },
  },
  {
    name: 'ignoring a row of somebody else',
    path: '/mine',
    body: { id: 2, owner: 'u1', text: 'taken' },
    headers: shown(IGNORE),
    status: 201,
    answer: [],
  },
  {
    name: 'a column that nobody may change',
    path: '/narrow',
    body: { id: 1, since: 'x' },
    headers: prefer(MERGE),
    status: 403,
    answer: { code: '42501' },
  },
  {
    name: 'the key needs no right to be changed',
    path: '/narrow?select=id,open',
    body: { id: 1, open: 'new' },
    headers: shown(MERGE),
    status: 200,
    answer: [{ id: 1, open: 'new' }],
  },
  {
    name: 'one object',
    path: '/tool?select=price',
    body: HAMMER,
    headers: { ...shown(MERGE), Accept: OBJECT },
    status: 200,
    answer: { price: 30 },
  },
  {
    name: 'one object, two rows',
    path: '/tool',
    body: [HAMMER, NEW_PRICED],
    headers: { ...shown(MERGE), Accept: OBJECT },
    status: 406,
    answer: { code: 'PGRST116' },
  },
  {
    name: 'embedded',
    path: '/lent?select=person,tool(name)',
    body: { tool: 'H1', day: '2026-01-02', person: 'Zoe' },
    headers: shown(MERGE),
    status: 200,
    answer: [{ person: 'Zoe', tool: { name: 'Hammer' } }],
  },
  {
    name: 'a resolution that does not exist',
    path: '/tool',
    body: HAMMER,
    headers: prefer('resolution=overwrite'),
    status: 409,
    answer: { code: '23505' },
  },
  {
    name: 'strictly',
    path: '/tool',
    body: HAMMER,
    headers: prefer('handling=strict', 'resolution=overwrite'),
    status: 400,
    answer: { code: 'PGRST122', details: 'Invalid preferences: resolution=overwrite' },
  },
].map((one) => ({ method: 'POST', ...one }))

/** Any number: what a sequence gave. */
function anyNumber(): unknown {
  return { asymmetricMatch: (value: unknown) => typeof value === 'number' }
}
