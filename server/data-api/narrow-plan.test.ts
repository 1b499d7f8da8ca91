import { expect, test } from 'vitest'
import { buildStatement } from './build-statement.ts'
import { Catalogue } from './catalogue.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import { type AskedRows, inOrder, narrowingOf, narrowPlan } from './narrow-plan.ts'
import { parseRequest } from './parse-request.ts'
import type { ReadPlan } from './plan.ts'
import { planRequest } from './plan-request.ts'

const column = (name: string, type = 'integer') => ({ name, type, default: null, readers: ['web'] })
const catalogue = new Catalogue({
  relations: ['song', 'album'].map((name, id) => ({
    id,
    schema: 's',
    name,
    writable: 28,
    columns: [column('id', 'bigint'), column('words', 'text'), column('price', 'numeric')],
    primary_key: ['id'],
  })),
  foreign_keys: [],
  functions: [],
  settings: [],
})
const planOf = (path: string, query: string) => {
  const raw = { method: 'GET', path, query, headers: {}, body: new Uint8Array() }
  const request = parseRequest(raw, ['s'], DEFAULT_LIMITS)
  return planRequest(catalogue, request, { limits: DEFAULT_LIMITS, role: 'web' }) as ReadPlan
}
const NARROWING = {
  relations: new Set(['song']),
  column: 'words',
  of: (relation: string, asked: AskedRows) => ({ text: 'ask', values: [relation, asked] }),
}

test('is asked for relations that it knows, with what every row is like', () => {
  expect(narrowingOf(planOf('/album', 'words=like.*a*'), NARROWING)).toBeNull()
  expect(narrowingOf(planOf('/song', ''), undefined)).toBeNull()
  const query =
    'words=like.*a*&words=not.like.*b*&or=(words.like.*c*,id.eq.1)&price=gte.2&id=in.(1,2)&id=not.eq.3'
  expect(narrowingOf(planOf('/song', query), NARROWING)?.values).toEqual([
    'song',
    {
      patterns: ['%a%'],
      conditions: [
        { column: 'price', operator: 'gte', values: ['2'] },
        { column: 'id', operator: 'in', values: ['1', '2'] },
      ],
    },
  ])
})

test('adds conditions and changes nothing else; large numbers keep their digits', () => {
  const plan = planOf('/song', 'words=like.*a*&order=id&limit=5')
  const { text, values } = buildStatement(narrowPlan(plan, [{ column: 'id', ids: '[1,9007199254740993]' }]))
  expect(text).toContain('(_t."words" like $1) and (_t."id" = any($2)) order by _t."id" limit $3')
  expect(values).toEqual(['%a%', ['1', '9007199254740993'], 5])
  expect(buildStatement(narrowPlan(plan, [{ column: 'id', ids: '[]' }])).values?.[1]).toEqual([])
  for (const nothing of [[], [{ column: null, ids: '[]' }], [{ column: 'secret', ids: '[1]' }]])
    expect(buildStatement(narrowPlan(plan, nothing))).toEqual(buildStatement(plan))
})

test('a page is read in its order where very many match, and only there', () => {
  const many = [{ column: null, ids: '[]' }]
  expect(inOrder(planOf('/song', 'order=id&limit=26'), many)?.text).toBe('set local enable_seqscan = off')
  expect(inOrder(planOf('/song', 'order=id&limit=26'), [{ column: 'id', ids: '[1]' }])).toBeNull()
  for (const query of [
    'limit=26',
    'order=id',
    'order=id&limit=26&offset=1000',
    'select=words,id.count()&order=words&limit=5',
  ])
    expect(inOrder(planOf('/song', query), many)).toBeNull()
})
