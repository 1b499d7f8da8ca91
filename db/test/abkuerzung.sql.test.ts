// Abbreviations: their order, what is refused, and that a new installation starts with the standard ones,
// once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { STANDARD_ABKUERZUNGEN } from '#domain/abkuerzungen.ts'
import { addAbkuerzungen } from '#server/operations/abkuerzungen.ts'
import { attempt, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf, type IdentityName } from './world.ts'

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`abbreviations on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const as = (name: IdentityName, ...statements: ReturnType<typeof sql>[]) =>
      attempt(engine.api, claimsOf(name), ...statements)
    const add = (short: string, group: string, meaning = 'x') =>
      sql('insert into app.abkuerzung (abk, bedeutung, gruppe) values ($1, $2, $3)', short, meaning, group)

    test('are answered by group and alphabet, umlauts as their letters', async () => {
      const { rows } = (await as(
        'apus_admin',
        add('Öko', 'Wald'),
        add('ob', 'Wald'),
        add('z', 'Äcker'),
        sql(`select abk from app.a_get_acronyms()`),
      )) as unknown as { rows: { abk: string }[] }
      expect(rows.map(({ abk }) => abk)).toEqual(['z', 'ha', 'ob', 'Öko'])
    })
    test('one is once in a group, however it is written; elsewhere it may mean something else', async () => {
      expect(await as('apus_admin', add('HA', 'einheiten'))).toMatchObject({ code: '23505' })
      expect(await as('apus_admin', add('ha', 'Haus'))).toMatchObject({ count: 1 })
    })
    test.each([
      ['nothing', add('', 'Wald')],
      ['blanks around it', add(' a', 'Wald')],
      ['more than 30 characters', add('x'.repeat(31), 'Wald')],
      ['a meaning with a line break', add('a', 'Wald', 'x\ny')],
      ['no group', add('a', '')],
    ])('%s is refused', async (_what, statement) =>
      expect(await as('apus_admin', statement)).toMatchObject({ code: '23514' }),
    )
    test('a change raises the version, names its author and is kept in the history', async () => {
      expect(
        await as(
          'apus_admin',
          sql(`update app.abkuerzung set bedeutung = 'Hektar: 10.000 m²' where id = 1 and version = 1`),
          sql(`select a.version, a.geaendert_von is not null as named, v.alt ->> 'bedeutung' as before,
            v.neu ->> 'bedeutung' as after
            from app.abkuerzung a join app.verlauf v on v.tabelle = 'abkuerzung' and v.schluessel = '1'
              where v.aktion = 'geaendert'`),
        ),
      ).toMatchObject({ rows: [{ version: 2, named: true, before: 'Hektar', after: 'Hektar: 10.000 m²' }] })
    })
    test('the house’s own are put in once: neither beside others nor after they were deleted', async () => {
      const { owner } = engine
      const run = async () => {
        await owner.script('begin; set local role forst_betrieb')
        const count = await addAbkuerzungen.run(owner, new Date())
        await owner.script('commit')
        return count
      }
      const clear = (history: string) =>
        owner.script(
          `begin; set local role forst_betrieb; delete from app.abkuerzung;
           delete from app.verlauf where tabelle = 'abkuerzung'; ${history} commit`,
        )
      expect(await run()).toBe(0)
      await clear(
        `insert into app.verlauf (tabelle, schluessel, aktion) values ('abkuerzung', '1', 'geloescht');`,
      )
      expect(await run()).toBe(0)
      await clear('')
      expect(await run()).toBe(STANDARD_ABKUERZUNGEN.length)
      expect(await run()).toBe(0)
      expect(STANDARD_ABKUERZUNGEN.length).toBeGreaterThanOrEqual(80)
      const { rows } = await owner.query<{ n: number }>(
        `select count(distinct gruppe)::integer as n from app.abkuerzung where abk in ('BHD', 'DN', 'EPSG', 'KAWM')`,
      )
      expect(rows[0]?.n).toBe(4)
    })
  })
