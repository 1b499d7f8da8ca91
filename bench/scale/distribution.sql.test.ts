// Beyond one primary: how far the schema keeps Citus' documented rules when it is distributed by customer. What does
// not is in distribution-gaps.ts and in docs/scale.md; anything new that does not fails here.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { load } from './scene.ts'
import { postgresUrl } from '../../test/postgres.ts'
import { type Engine, openEngine } from '../../db/test/engines.ts'
import {
  callsWithoutCustomer,
  type Kinds,
  kindsOf,
  listed,
  offencesOf,
  REFERENCE,
  type Rule,
  UNDISTRIBUTED,
} from './distribution.ts'
import { GAPS, gapsAsText, namesOf } from './distribution-gaps.ts'
import { readsOf, unboundIn } from './distribution-requests.ts'

const known = (rule: Rule): string[] =>
  listed(GAPS.filter((gap) => gap.rule === rule).flatMap((gap) => namesOf(gap)))

describe.skipIf(postgresUrl() === null)('distributed by customer', () => {
  let engine: Engine
  let kinds: Kinds
  beforeAll(async () => {
    engine = await openEngine('postgres')
    kinds = await kindsOf(engine.owner)
  })
  afterAll(() => engine?.close())

  test('the tables that grow with customers are distributed, those that all share are not', () => {
    for (const name of [
      'kunde',
      'hq',
      'rechnung',
      'position',
      'habitatbaeume',
      'draenage',
      'kartenblatt',
      'bestand',
    ])
      expect(kinds.distributed).toContain(`app.${name}`)
    expect(kinds.distributed.size).toBeGreaterThan(45)
    for (const name of ['idp.konto', 'betrieb.migration', 'app.siegel']) expect(kinds.local).toContain(name)
    // A name in a list that no table has any more leaves it.
    expect(kinds.reference).toEqual(REFERENCE)
    expect([...UNDISTRIBUTED].filter((name) => !kinds.distributed.has(name))).toEqual([])
  })

  test('keys, foreign keys, triggers and policies keep the rules, except those listed', async () => {
    const found = await offencesOf(engine.owner, kinds)
    const expected = Object.fromEntries(Object.keys(found).map((rule) => [rule, known(rule as Rule)]))
    expect(found).toEqual(expected)
  })

  test('numbers that a node may give are 64 bits wide', async () => {
    const { rows } = await engine.owner.query(`select c.oid::regclass::text as name
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where a.attidentity <> '' and a.atttypid <> 'bigint'::regtype`)
    expect(rows).toEqual([])
  })

  test('a table without its customer, a key without it and a policy that asks are noticed', async () => {
    await engine.owner.query(`create table app.probe (
        nr bigint primary key, client_id bigint not null references app.kunde,
        rechnung_id bigint references app.rechnung on delete set null)`)
    await engine.owner.query(
      'create policy probe on app.probe using (client_id in (select client_id from app.kunde))',
    )
    try {
      const more = await offencesOf(engine.owner, await kindsOf(engine.owner))
      const isNew = (rule: keyof typeof more) => more[rule].filter((name) => !known(rule).includes(name))
      expect([isNew('key'), isNew('foreign key'), isNew('policy')]).toEqual([
        ['app.probe(nr)'],
        ['app.probe(rechnung_id)>app.rechnung'],
        ['app.probe'],
      ])
    } finally {
      await engine.owner.query('drop table app.probe')
    }
  })

  test('requests of a customer’s people meet one customer, except those listed', {
    timeout: 240_000,
  }, async () => {
    await load(engine.owner, 2_000)
    const without = await callsWithoutCustomer(engine.owner)
    const lists: string[] = []
    const calls: string[] = []
    let made = 0
    for (const request of await readsOf(engine.api, engine.owner))
      for (const caller of ['customer', 'forester'] as const) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const found = await unboundIn(engine.api, caller, request, kinds.distributed)
        if (found === null) continue
        made++
        const [what = ''] = request.what.split(':')
        lists.push(...found.map((table) => `${what}>${table}`))
        const call = what.replace(/^call /, '')
        if (call !== what && without.has(call)) calls.push(call)
      }
    expect(made).toBeGreaterThan(1_000)
    expect(listed(lists)).toEqual(known('request'))
    expect(listed(calls)).toEqual(known('call'))
  })
})

test('docs/scale.md prints the list, and says that Citus was not tried', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/scale.md'), 'utf8')
  const inOneLine = (words: string): string => words.replaceAll(/\s+/g, ' ').trim()
  expect(inOneLine(text)).toContain(inOneLine(gapsAsText()))
  expect(text).toContain('**Citus itself was not tried.**')
})
