// The project folder: what the table accepts, with the same cases as the screens.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import cases from '#domain/project-folder.cases.json' with { type: 'json' }
import { attempt, enginesToday, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './world.ts'
import * as w from './world.ts'

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`project folder on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())

    test.each(cases)('$why', async ({ ordner, right }) => {
      const change = sql(
        'update app.kunde set ordner = $1 where client_id = $2 returning ordner',
        ordner,
        w.A,
      )
      const outcome = await attempt(engine.api, w.claimsOf('apus_admin'), change)
      if (right) expect(outcome).toMatchObject({ rows: [{ ordner }] })
      else
        expect(outcome).toMatchObject({
          code: '23514',
          message: expect.stringContaining('kunde_ordner_check') as string,
        })
    })

    test('the procedure trims, and takes an empty name for none', async () => {
      const read = sql('select ordner from app.kunde where client_id = $1', w.A)
      const set = (folder: string | null) => sql('select app.a_set_projektordner($1, $2)', w.A, folder)
      expect(await attempt(engine.api, w.claimsOf('apus_admin'), set(' Plan A '), read)).toMatchObject({
        rows: [{ ordner: 'Plan A' }],
      })
      expect(await attempt(engine.api, w.claimsOf('apus_admin'), set('  '), read)).toMatchObject({
        rows: [{ ordner: null }],
      })
      expect(await attempt(engine.api, w.claimsOf('apus_admin'), set('../x'))).toMatchObject({
        code: '23514',
      })
    })
  })

describe.skipIf(isMissing('postgres'))('folders of an earlier version', () => {
  test('are brought into the new form, without a change of version and without an entry in the history', async () => {
    const engine = await openEngine('postgres')
    try {
      await buildWorld(engine.owner)
      // Restores the check of 0001, with values it let through.
      await engine.owner.script(`alter table app.kunde drop constraint kunde_ordner_check;
        update app.kunde set ordner = 'CON' where client_id = ${w.A};
        update app.kunde set ordner = 'Лес 3' where client_id = ${w.B};
        alter table app.kunde add constraint kunde_ordner_check check (ordner !~ '\\.\\.');
        create schema rechte;`)
      const { readFileSync } = await import('node:fs')
      const before = await engine.owner.query('select client_id, version from app.kunde order by client_id')
      const entries = await engine.owner.query('select count(*)::int as n from app.verlauf')
      await engine.owner.script(
        readFileSync(new URL('../migrations/0013_mitglieder.sql', import.meta.url), 'utf8'),
      )
      expect((await engine.owner.query('select ordner from app.kunde order by client_id')).rows).toEqual([
        { ordner: '_CON' },
        { ordner: '___ 3' },
      ])
      expect(
        (await engine.owner.query('select client_id, version from app.kunde order by client_id')).rows,
      ).toEqual(before.rows)
      expect((await engine.owner.query('select count(*)::int as n from app.verlauf')).rows).toEqual(
        entries.rows,
      )
    } finally {
      await engine.close()
    }
  })
})
