// Saved views: one default per list, one view per name, and a limit on their number.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attempt, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld, claimsOf } from './world.ts'

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`saved views on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())

    const asAdmin = (...statements: ReturnType<typeof sql>[]) =>
      attempt(engine.api, claimsOf('ogf_admin'), ...statements)
    const save = (name: string, list = 'kunden') =>
      sql('insert into app.ansicht (liste, name) values ($1, $2)', list, name)
    const open = (name: string | null, list = 'kunden') =>
      sql('select app.__o_set_standardansicht($1, (select id from app.ansicht where name = $2))', list, name)
    const standard = sql(`select liste, name from app.ansicht where standard order by liste`)

    test('one view of a list is its standard, and the former one is not', async () => {
      expect(
        await asAdmin(
          save('A'),
          save('B'),
          save('C', 'forstbetriebe'),
          open('A'),
          open('C', 'forstbetriebe'),
          open('B'),
          standard,
        ),
      ).toMatchObject({
        rows: [
          { liste: 'forstbetriebe', name: 'C' },
          { liste: 'kunden', name: 'B' },
        ],
      })
    })
    test('the plain list again', async () => {
      expect(await asAdmin(save('A'), open('A'), open(null), standard)).toMatchObject({ rows: [] })
    })
    test('a view of another list is none of this one, and the standard stays', async () => {
      expect(await asAdmin(save('A'), save('C', 'forstbetriebe'), open('A'), open('C'))).toMatchObject({
        code: 'PT404',
      })
    })
    test('a name is used once for a list, however it is written', async () => {
      expect(await asAdmin(save('Übersicht'), save('übersicht'))).toMatchObject({ code: '23505' })
      expect(await asAdmin(save('Übersicht'), save('Übersicht', 'nutzer'))).toMatchObject({ count: 1 })
    })
    test.each([
      ['a name of blanks', `insert into app.ansicht (liste, name) values ('kunden', ' ')`],
      [
        'an endless query',
        `insert into app.ansicht (liste, name, suche) values ('kunden', 'A', repeat('x', 2001))`,
      ],
      [
        'control characters',
        `insert into app.ansicht (liste, name, suche) values ('kunden', 'A', E'a=b\\n')`,
      ],
      ['no column at all', `insert into app.ansicht (liste, name, spalten) values ('kunden', 'A', '{}')`],
      [
        'a missing column',
        `insert into app.ansicht (liste, name, spalten) values ('kunden', 'A', '{name,null}')`,
      ],
      ['a list by no name', `insert into app.ansicht (liste, name) values ('Kunden!', 'A')`],
    ])('%s is refused', async (_what, statement) =>
      expect(await asAdmin(sql(statement))).toMatchObject({ code: '23514' }),
    )
    test('50 views of a list, and no more', async () => {
      const many = (n: number) =>
        sql(
          `insert into app.ansicht (liste, name) select 'nutzer', 'Nr. ' || i from generate_series(1, $1::int) i`,
          n,
        )
      expect(await asAdmin(many(50))).toMatchObject({ count: 50 })
      expect(await asAdmin(many(51))).toMatchObject({ code: 'PT413' })
      expect(await asAdmin(many(50), save('noch eine', 'nutzer'))).toMatchObject({ code: 'PT413' })
      expect(await asAdmin(many(50), save('anderswo'))).toMatchObject({ count: 1 })
    })
  })
