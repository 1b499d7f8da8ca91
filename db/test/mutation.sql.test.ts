// The matrix must be able to fail: each policy is dropped once and each guard of a procedure disabled once,
// and each time some cell has to change.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attempt, did, type Engine, isMissing, openEngine } from './engines.ts'
import { buildWorld, PROCEDURES, RELATIONS, tablesOfMatrix } from './nouns.ts'
import { claimsOf, NAMES, numberOf } from './world.ts'

const ATTEMPTS = Object.entries({ ...RELATIONS, ...PROCEDURES }).flatMap(([subject, cells]) =>
  cells.flatMap((cell) =>
    NAMES.map((name) => ({
      subject,
      cell,
      name,
      expected: cell.may.split(' ').includes(name) ? ('done' as const) : ('refused' as const),
    })),
  ),
)

describe.skipIf(isMissing('postgres'))('the matrix notices', () => {
  let engine: Engine
  let policies: { name: string; relation: string }[] = []
  beforeAll(async () => {
    engine = await openEngine('postgres')
    await buildWorld(engine.owner)
    policies = (
      await engine.owner.query<{ name: string; relation: string }>(
        `select polname as name, polrelid::regclass::text as relation from pg_policy
         where 'nutzer'::regrole = any (polroles)`,
      )
    ).rows
  })
  afterAll(() => engine?.close())

  /**
   * The first cell with an unexpected outcome. Cells of the relation concerned come first, among them those
   * that the mutant is most likely to change.
   */
  async function firstChange(first: string, likely: 'done' | 'refused'): Promise<string | undefined> {
    const rank = ({ subject, expected }: (typeof ATTEMPTS)[number]) =>
      subject === first ? (expected === likely ? 0 : 1) : 2
    for (const { subject, cell, name, expected } of ATTEMPTS.toSorted((a, b) => rank(a) - rank(b))) {
      const outcome = did(
        await attempt(engine.api, claimsOf(name), cell.call(numberOf(name))),
        cell,
        numberOf(name),
      )
      if (outcome !== expected) return `${subject}: ${cell.what}: ${name}: ${outcome}`
    }
    return undefined
  }

  test('the loss of any policy', { timeout: 900_000 }, async () => {
    expect(policies.length).toBeGreaterThan(30)
    const unnoticed: string[] = []
    for (const { name, relation } of policies) {
      await engine.owner.script(`alter policy ${name} on ${relation} to forst_idp`)
      if ((await firstChange(relation.replace('app.', '').replaceAll('"', ''), 'done')) === undefined)
        unnoticed.push(`${relation}.${name}`)
      await engine.owner.script(`alter policy ${name} on ${relation} to nutzer`)
    }
    expect(unnoticed).toEqual([])
  })

  test('a table whose row security is off', { timeout: 900_000 }, async () => {
    const unnoticed: string[] = []
    for (const relation of await tablesOfMatrix(engine.owner)) {
      const table = relation.includes('.') ? relation : `app.${relation}`
      await engine.owner.script(`alter table ${table} disable row level security`)
      if (!relation.includes('.') && (await firstChange(relation, 'refused')) === undefined)
        unnoticed.push(relation)
      await engine.owner.script(`alter table ${table} enable row level security`)
    }
    expect(unnoticed).toEqual([])
  })

  test('a silenced guard of any procedure', { timeout: 900_000 }, async () => {
    const { rows } = await engine.owner.query<{ oid: number; name: string; source: string }>(
      `select p.oid::int, p.proname as name, pg_get_functiondef(p.oid) as source from pg_proc p
       where (p.pronamespace = 'app'::regnamespace or p.oid = 'privacy.check_may'::regproc)
       and p.prosrc ~ 'refuse_unless'`,
    )
    expect(rows.length).toBeGreaterThan(10)
    const unnoticed: string[] = []
    for (const { name, source } of rows) {
      const guards = source.split('perform rights.refuse_unless(').length - 1
      for (let guard = 1; guard <= guards; guard++) {
        let nr = 0
        const silenced = source.replaceAll('perform rights.refuse_unless(', (text) =>
          ++nr === guard ? 'perform rights.refuse_unless(true or ' : text,
        )
        await engine.owner.script(silenced)
        if ((await firstChange(name, 'refused')) === undefined) unnoticed.push(`${name} guard ${guard}`)
      }
      await engine.owner.script(source)
    }
    expect(unnoticed).toEqual([])
  })

  test('the loss of the trigger that keeps columns apart', { timeout: 300_000 }, async () => {
    await engine.owner.script('alter table app.kunde disable trigger a_columns')
    expect(await firstChange('kunde', 'refused')).toBeDefined()
    await engine.owner.script('alter table app.kunde enable trigger a_columns')
    // The whole matrix once more, after everything removed was restored.
    expect(await firstChange('kunde', 'done')).toBeUndefined()
  })
})
