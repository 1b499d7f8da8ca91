// Who may do what: every identity × every relation and procedure × verb × own and foreign, and every column
// of a change. Every cell on one engine; the rules are the same text on the other, so that there each cell
// is asked by every ninth identity, by others each day, and in the full run by all. A test is a cell: one for
// each identity would be 35,000, whose bookkeeping takes as long as their questions.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attempt, did, EITHER_ENGINE, ENGINES, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld, PROCEDURES, RELATIONS, tablesOfMatrix } from './nouns.ts'
import { isToday } from '../../test/extent.ts'
import { claimsOf, NAMES, numberOf } from './world.ts'

for (const engineName of ENGINES)
  describe.skipIf(isMissing(engineName))(`rights on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())

    const parts = EITHER_ENGINE.includes(engineName) ? 1 : 9
    for (const [subject, cells] of Object.entries({ ...RELATIONS, ...PROCEDURES }))
      for (const [at, cell] of cells.entries()) {
        const names = NAMES.filter((_, nr) => isToday(at + nr, parts))
        const may = names.filter((name) => cell.may.split(' ').includes(name))
        test(`${subject}: ${cell.what}: done for ${may.join(', ') || 'nobody'}`, async () => {
          const ends: Record<string, string> = {}
          for (const name of names) {
            const outcome = await attempt(engine.api, claimsOf(name), cell.call(numberOf(name)))
            ends[name] = did(outcome, cell, numberOf(name))
          }
          expect(ends).toEqual(
            Object.fromEntries(names.map((name) => [name, may.includes(name) ? 'done' : 'refused'])),
          )
        })
      }

    test('the whole of a table can be emptied by nobody', async () => {
      for (const relation of await tablesOfMatrix(engine.owner))
        expect(
          await attempt(
            engine.api,
            claimsOf('admin'),
            sql(`truncate ${relation.includes('.') ? relation : `app.${relation}`} cascade`),
          ),
        ).toMatchObject({ code: '42501' })
    })
    test('every published procedure is in the matrix', async () => {
      const { rows } = await engine.owner.query<{ name: string }>(
        `select p.proname as name from pg_proc p
         where p.pronamespace = 'app'::regnamespace and has_function_privilege('nutzer', p.oid, 'execute')`,
      )
      expect(rows.map((row) => row.name).filter((name) => !(name in PROCEDURES))).toEqual([])
    })
    test('every table is in the matrix', async () => {
      const { rows } = await engine.owner.query<{ name: string }>(
        `select c.relname as name from pg_class c
         where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'v')`,
      )
      expect(rows.map((row) => row.name).filter((name) => !(name in RELATIONS))).toEqual([])
    })
  })
