// Scheduled work, on both engines: done once, whichever server runs it and however often, and a
// failing task stops no other.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EmbeddedDatabase } from '#server/database/embedded.ts'
import { silentLog } from '#server/log.ts'
import { ENGINES, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { A, A1, IDENTITIES } from '../../db/test/world.ts'
import { forgetAnswers } from './forget-answers.ts'
import { officeDay } from '#server/office-day.ts'
import { runUpkeep, turnTerms, type UpkeepTask } from './upkeep.ts'

test('a day begins at German midnight, in winter and in summer', () => {
  expect(officeDay(new Date('2026-12-31T22:59:59Z'))).toBe('2026-12-31')
  expect(officeDay(new Date('2026-12-31T23:00:00Z'))).toBe('2027-01-01')
  expect(officeDay(new Date('2026-06-30T22:00:00Z'))).toBe('2026-07-01')
})

for (const engineName of ENGINES)
  describe.skipIf(isMissing(engineName))(`upkeep on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await engine.owner.script(`begin; set local role forst_betrieb; delete from app.abo where hqid = ${A1};
        insert into app.abo (client_id, hqid, modul, beginn, laufzeit, ende, preis, netto, ust_satz)
          values (${A}, ${A1}, 'kawm', '2026-01-01', 12, '2026-12-31', 360, 360, 19);
        commit`)
    })
    afterAll(() => engine?.close())
    const options = (day: string, tasks: readonly UpkeepTask[] = [turnTerms]) => ({
      // One connection for the whole task, as in the server.
      asOwner: <T>(work: (owner: Engine['owner']) => Promise<T>) =>
        engine.name === 'embedded' ? (engine.api as EmbeddedDatabase).asOwner(work) : work(engine.owner),
      tasks,
      log: silentLog,
      now: () => new Date(day),
    })
    const terms = async () =>
      (
        await engine.owner.query<{ n: number }>(
          `select count(*)::int as n from app.abo where hqid = ${A1} and modul = 'kawm'`,
        )
      ).rows[0]?.n

    test('a term turns at the German midnight, once', async () => {
      await runUpkeep(options('2026-12-31T22:00:00Z'))
      expect(await terms()).toBe(1)
      await runUpkeep(options('2026-12-31T23:30:00Z'))
      expect(await terms()).toBe(2)
      await runUpkeep(options('2027-01-01T12:00:00Z'))
      expect(await terms()).toBe(2)
    })
    test('answers older than a day go, also of people who send nothing more; what runs stays', async () => {
      const { user_id } = IDENTITIES.ogf_admin
      const old = `now() - interval '25 hours'`
      const kept = async () =>
        (
          await engine.owner.query<{ key: string }>(
            `select key from accounts.kept_answer where user_id = ${user_id}
             union all select key from accounts.kept_import where user_id = ${user_id} order by key`,
          )
        ).rows.map(({ key }) => key)
      await engine.owner.script(`begin; set local role forst_betrieb;
        delete from accounts.kept_answer; delete from accounts.kept_import;
        insert into accounts.kept_answer (user_id, key, digest, status, body, at) values
          (${user_id}, 'write-of-this-hour', repeat('a', 64), 200, '{"name": "Waldgut"}', now() - interval '1 hour'),
          (${user_id}, 'write-of-yesterday', repeat('a', 64), 200, '{"name": "Waldgut"}', ${old});
        insert into accounts.kept_import (user_id, key, digest, was, lauf, stand, answer, at, lebt_am) values
          (${user_id}, 'import-of-this-hour', repeat('a', 64), 'kunden', gen_random_uuid(), 'fertig', '{}',
            now() - interval '1 hour', now() - interval '1 hour'),
          (${user_id}, 'import-done-yesterday', repeat('a', 64), 'kunden', gen_random_uuid(), 'fertig', '{}',
            ${old}, ${old}),
          (${user_id}, 'import-failed-yesterday', repeat('a', 64), 'kunden', gen_random_uuid(), 'fehlgeschlagen',
            '{}', ${old}, ${old}),
          (${user_id}, 'import-abandoned-yesterday', repeat('a', 64), 'kunden', gen_random_uuid(), 'laeuft', null,
            ${old}, ${old}),
          (${user_id}, 'import-that-still-runs', repeat('a', 64), 'kunden', gen_random_uuid(), 'laeuft', null,
            ${old}, now());
        commit`)
      expect(await kept()).toHaveLength(7)
      await runUpkeep(options('2027-01-02T12:00:00Z', [forgetAnswers]))
      expect(await kept()).toEqual(['import-of-this-hour', 'import-that-still-runs', 'write-of-this-hour'])
    })
    test('a task that fails leaves nothing behind and the next one runs', async () => {
      const broken: UpkeepTask = {
        name: 'broken',
        async run(owner) {
          await owner.query(`update app.kunde set ort = 'Nirgends'`)
          throw new Error('on purpose')
        },
      }
      expect(await runUpkeep(options('2029-01-01T12:00:00Z', [broken, turnTerms]))).toBe(1)
      expect((await engine.owner.query(`select from app.kunde where ort = 'Nirgends'`)).rows).toEqual([])
      expect(await terms()).toBeGreaterThan(2)
    })
  })
