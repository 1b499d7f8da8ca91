// The survey beyond the matrix: the switches of customer and person, overviews against an independent
// calculation, and the import's two functions.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Statement } from '#server/database/database.ts'
import { C, IMPORT_A, RUNNING, TABLES } from './cells/vermessung.ts'
import { attempt, EITHER_ENGINE, type Engine, isMissing, openEngine, type Outcome, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf, IDENTITIES, type IdentityName } from './world.ts'
import * as w from './world.ts'

const rowsOf = (outcome: Outcome) => ('rows' in outcome ? outcome.rows : outcome)
const hex = (x: number, y: number): string => {
  const bytes = Buffer.alloc(21)
  bytes.writeUInt8(1, 0)
  bytes.writeUInt32LE(1, 1)
  bytes.writeDoubleLE(x, 5)
  bytes.writeDoubleLE(y, 13)
  return bytes.toString('hex')
}
const lineHex = (...points: [number, number][]): string => {
  const bytes = Buffer.alloc(9 + 16 * points.length)
  bytes.writeUInt8(1, 0)
  bytes.writeUInt32LE(2, 1)
  bytes.writeUInt32LE(points.length, 5)
  for (const [nr, [x, y]] of points.entries()) {
    bytes.writeDoubleLE(x, 9 + 16 * nr)
    bytes.writeDoubleLE(y, 17 + 16 * nr)
  }
  return bytes.toString('hex')
}
const lines = (table: string, rows: object[], run = RUNNING) =>
  sql('select * from maps.store_vermessung_rows($1, $2, 25833, $3::jsonb)', run, table, JSON.stringify(rows))

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`survey on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const as = (who: IdentityName, ...statements: Statement[]) =>
      attempt(engine.api, claimsOf(who), ...statements)
    const owner = (text: string) =>
      engine.owner.script(`begin; set local role forst_betrieb; ${text}; commit`)

    describe('who sees it', () => {
      const seen = async (who: IdentityName) => {
        const outcome = await as(who, sql('select distinct client_id from app.schacht order by 1'))
        return 'rows' in outcome ? outcome.rows.map(({ client_id }) => client_id) : outcome
      }
      test.each(['appuser', 'appuser_admin'] as const)(
        '%s: the customer’s switch and the person’s both count',
        async (who) => {
          const link = `client_id = ${C} and user_id = ${IDENTITIES[who].user_id}`
          expect(await seen(who)).toEqual([C])
          await owner(`update app.kunde set kataster_status = false where client_id = ${C}`)
          expect(await seen(who)).toEqual([])
          await owner(
            `update app.kunde set kataster_status = true where client_id = ${C};
             update app.benutzer_kunde set kataster_enabled = false where ${link}`,
          )
          expect(await seen(who)).toEqual([])
          await owner(`update app.benutzer_kunde set kataster_enabled = true where ${link}`)
          expect(await seen(who)).toEqual([C])
        },
      )
      test('a foreign customer’s switch opens nothing', async () => {
        await owner(`update app.kunde set kataster_status = true where client_id = ${w.B}`)
        expect(await seen('appuser')).toEqual([C])
        await owner(`update app.kunde set kataster_status = false where client_id = ${w.B}`)
      })
      test('staff see all', async () => expect(await seen('apus_team')).toEqual([w.A, w.B, C]))
    })

    describe('overviews', () => {
      const VIEWS = { drae: 'draenage', ausm: 'ausmuendung', scha: 'schacht', schl: 'schlucker' }
      test.each(Object.entries(VIEWS))(
        '%s_einmessung_uebersicht counts what is there, null as well',
        async (short, table) => {
          for (const who of ['apus_admin', 'appuser'] as const) {
            const all = rowsOf(await as(who, sql(`select vermessen from app.${table}`))) as {
              vermessen: boolean | null
            }[]
            const counted = new Map<boolean | null, number>()
            for (const { vermessen } of all) counted.set(vermessen, (counted.get(vermessen) ?? 0) + 1)
            const view = rowsOf(await as(who, sql(`select * from app.${short}_einmessung_uebersicht`))) as {
              vermessen: boolean | null
              summe: number
            }[]
            expect(new Map(view.map(({ vermessen, summe }) => [vermessen, summe]))).toEqual(counted)
            expect(Object.keys(view[0] ?? {})).toEqual(['vermessen', 'summe'])
          }
        },
      )
      test('lengths by source and quality, with null as null', async () => {
        expect(
          rowsOf(await as('appuser', sql('select * from app.drae_laenge_nach_erfq order by round desc'))),
        ).toEqual([
          { erfq: 'GNSS/RTK', round: '100' },
          { erfq: 'Bestandsplan', round: '50' },
          { erfq: null, round: '25' },
        ])
        expect(
          rowsOf(await as('appuser', sql('select * from app.drae_laenge_qdt_nach_aop order by round desc'))),
        ).toEqual([
          { qdt: 'A', round: '100' },
          { qdt: null, round: '75' },
        ])
        expect(
          rowsOf(await as('apus_team', sql('select * from app.a_get_draenage_overview_erfq($1)', w.B))),
        ).toEqual([
          { erfq: 'GNSS/RTK', round: '100' },
          { erfq: 'Bestandsplan', round: '50' },
          { erfq: null, round: '25' },
        ])
      })
      test('everything of a customer in one look: counts with those left out, lengths, days, extent', async () => {
        const [row] = rowsOf(
          await as('appuser', sql('select app.a_get_kataster_overview($1)::text as o', C)),
        ) as { o: string }[]
        const overview = JSON.parse(row!.o)
        expect(overview.objekte).toEqual([
          {
            nr: 1,
            tabelle: 'draenage',
            anzahl: 3,
            vermessen: 1,
            vermutet: 1,
            ohne: 1,
            laenge: 175,
            laenge_vermessen: 100,
            laenge_vermutet: 50,
            laenge_ohne: 25,
          },
          // n % 3 of 1 … n: 0 surveyed, 1 taken from a plan, 2 neither.
          ...[
            ['ausmuendung', 2, 0, 1, 1],
            ['schacht', 3, 1, 1, 1],
            ['schlucker', 4, 1, 2, 1],
            ['einlauf', 5, 1, 2, 2],
          ].map(([table, count, surveyed, assumed, without], at) => ({
            nr: at + 2,
            tabelle: table,
            anzahl: count,
            vermessen: surveyed,
            vermutet: assumed,
            ohne: without,
            laenge: null,
            laenge_vermessen: null,
            laenge_vermutet: null,
            laenge_ohne: null,
          })),
        ])
        expect(overview.verlauf.slice(0, 2)).toEqual([
          {
            tag: '2026-03-01',
            vermessen: 4,
            vermutet: 6,
            ohne: 5,
            laenge_vermessen: 100,
            laenge_vermutet: 0,
          },
          { tag: '2026-03-02', vermessen: 0, vermutet: 1, ohne: 0, laenge_vermessen: 0, laenge_vermutet: 50 },
        ])
        expect(overview.erfq.at(-1)).toEqual({ erfq: null, round: 25 })
        const [west, south, east, north] = overview.umgriff
        expect([west < east, south < north, west > 1_400_000, north < 6_700_000]).toEqual([
          true,
          true,
          true,
          true,
        ])
      })
      test('of a customer without a survey, or a foreign one: zeros, no extent', async () => {
        const [row] = rowsOf(
          await as('appuser', sql('select app.a_get_kataster_overview($1)::text as o', w.B)),
        ) as { o: string }[]
        const overview = JSON.parse(row!.o)
        expect(overview).toMatchObject({ erfq: [], qdt: [], verlauf: [], umgriff: null })
        expect(overview.objekte.map(({ anzahl }: { anzahl: number }) => anzahl)).toEqual([0, 0, 0, 0, 0])
      })
    })

    test('one object in the wrong zone does not widen the map; it is named until it is removed', async () => {
      const owner = engine.owner
      const look = async () =>
        JSON.parse(
          (
            rowsOf(await as('apus_team', sql('select app.a_get_kataster_overview($1)::text as o', C))) as {
              o: string
            }[]
          )[0]!.o,
        ) as { umgriff: number[]; abseits: { anzahl: number; objekte: unknown[] } }
      await owner.query(`insert into app.schlucker (client_id, schluessel, geom)
        select ${C}, 'Nah ' || n, st_setsrid(st_makepoint(380000 + n, 5940000), 25833) from generate_series(1, 40) n`)
      const before = await look()
      expect(before.abseits).toEqual({ anzahl: 0, objekte: [] })
      const { rows } = await owner.query<{
        id: number
      }>(`insert into app.schacht (client_id, schluessel, geom)
        values (${C}, 'Fern', st_setsrid(st_makepoint(380000, 5940000), 25832)) returning id`)
      const far = await look()
      expect(far.umgriff).toEqual(before.umgriff)
      expect(far.abseits).toEqual({
        anzahl: 1,
        objekte: [{ tabelle: 'schacht', id: rows[0]!.id, schluessel: 'Fern' }],
      })
      // A second forest is none: nobody knows which of the two is the right place.
      await owner.query(`insert into app.einlauf (client_id, schluessel, geom)
        select ${C}, 'Fern ' || n, st_setsrid(st_makepoint(380000 + n, 5940000), 25832)
        from generate_series(1, 20) n`)
      const two = await look()
      expect(two.abseits.anzahl).toBe(0)
      expect(two.umgriff[0]).toBeLessThan(before.umgriff[0]! - 100_000)
      await owner.query(`delete from app.einlauf where client_id = ${C} and schluessel like 'Fern %'`)
      await owner.query(`delete from app.schacht where client_id = ${C} and schluessel = 'Fern'`)
      expect(await look()).toEqual(before)
      await owner.query(`delete from app.schlucker where client_id = ${C} and schluessel like 'Nah %'`)
    })
    test('boxes of places: what is apart counts only if it is not nearly nothing', async () => {
      const box = async (...places: [x: number, y: number, n: number][]) => {
        const { rows } = await engine.owner.query<{ box: string | null }>(
          `select maps.main_box(array(select st_setsrid(st_makepoint((p ->> 0)::float8, (p ->> 1)::float8), 3857)
            from jsonb_array_elements($1::jsonb) p, generate_series(1, (p ->> 2)::int)))::box2d::text as box`,
          [JSON.stringify(places)],
        )
        return rows[0]!.box
      }
      expect(await box()).toBeNull()
      expect(await box([1, 2, 1])).toBe('BOX(1 2,1 2)')
      expect(await box([0, 0, 19], [900_000, 0, 1])).toBe('BOX(0 0,0 0)')
      expect(await box([0, 0, 18], [900_000, 0, 1])).toBe('BOX(0 0,900000 0)')
      expect(await box([0, 0, 100], [60_000, 0, 1])).toBe('BOX(0 0,60000 0)')
      // Few each, but together too many to be a mistake.
      expect(await box([0, 0, 30], [900_000, 0, 1], [-900_000, 0, 1])).toBe('BOX(-900000 0,900000 0)')
    })
    test('the place on the map is that of the plan', async () => {
      // Computed by PROJ 9.1.1 from 380010, 5690000 in UTM 33.
      const [row] = rowsOf(
        await as(
          'apus_team',
          sql(
            `select public.st_x(g3857) as x, public.st_y(g3857) as y from app.schacht
             where client_id = ${C} and schluessel = 'schacht 1'`,
          ),
        ),
      ) as { x: string; y: string }[]
      expect(Math.hypot(Number(row!.x) - 1477988.974, Number(row!.y) - 6683188.846)).toBeLessThan(0.01)
    })

    describe('import', () => {
      test('changes what it knows by its key, adds the rest, drops in the end what it did not bring', async () => {
        const outcome = await as(
          'apus_team',
          lines('schacht', [
            {
              nr: 1,
              g: hex(380_000, 5_690_000),
              schluessel: 'schacht 1',
              vermessen: true,
              dn: 1000,
              material: 'Beton',
              hoehe: 77.123,
              letzte_kontrolle: '2026-04-01',
            },
            { nr: 2, g: hex(380_500, 5_690_000), schluessel: 'S 9' },
            { nr: 3, g: hex(380_600, 5_690_000) },
          ]),
        )
        expect(rowsOf(outcome)).toEqual([{ neu: 2, geaendert: 1, behalten: 0 }])
        expect(
          rowsOf(
            await as(
              'apus_team',
              lines('schacht', [{ nr: 1, g: hex(380_000, 5_690_000), schluessel: 'schacht 1', dn: 1000 }]),
              sql(
                `select maps.remove_missing_vermessung(${RUNNING}, 'schacht') as weg,
                 (select count(*)::int from app.schacht where client_id = ${C}) as n`,
              ),
            ),
          ),
        ).toMatchObject([{ weg: 2 }])
        expect(
          rowsOf(
            await as(
              'apus_team',
              lines('schacht', [{ nr: 1, g: hex(380_000, 5_690_000), schluessel: 'schacht 1', dn: 1000 }]),
              sql(`select maps.remove_missing_vermessung(${RUNNING}, 'schacht')`),
              sql(
                `select client_id, count(*)::int as n, max(dn) as dn from app.schacht group by 1 order by 1`,
              ),
            ),
          ),
        ).toEqual([
          { client_id: w.A, n: 3, dn: null },
          { client_id: w.B, n: 3, dn: null },
          { client_id: C, n: 1, dn: 1000 },
        ])
      })
      test('finds the plan that a number means, and none where two bear it', async () => {
        const plans = sql(
          `insert into app.karte (client_id, map_name, reg_nr, epsg) values (${C}, 'Blatt 1', 'M 17', 25833),
           (${C}, 'Blatt 2', 'M 18', 25833), (${C}, 'Blatt 3', 'M 18', 25833), (${w.A}, 'Blatt 4', 'M 19', 25833)`,
        )
        const rows = ['M 17', 'M 18', 'M 19', 'Blatt 2', null].map((plan_nr, nr) => ({
          nr,
          g: hex(380_000 + nr, 5_690_000),
          schluessel: `P${nr}`,
          plan_nr,
        }))
        expect(
          rowsOf(
            await as(
              'apus_team',
              plans,
              lines('einlauf', rows),
              sql(
                `select e.plan_nr, k.map_name from app.einlauf e left join app.karte k on k.id = e.karte_id
                 where e.schluessel ~ '^P' order by e.schluessel`,
              ),
            ),
          ),
        ).toEqual([
          { plan_nr: 'M 17', map_name: 'Blatt 1' },
          { plan_nr: 'M 18', map_name: null },
          { plan_nr: 'M 19', map_name: null },
          { plan_nr: 'Blatt 2', map_name: 'Blatt 2' },
          { plan_nr: null, map_name: null },
        ])
      })
      test('lines become what drains are, with their length', async () =>
        expect(
          rowsOf(
            await as(
              'apus_admin',
              lines('draenage', [
                {
                  nr: 1,
                  g: lineHex([380_000, 5_690_000], [380_030, 5_690_040]),
                  schluessel: 'D 7',
                  gefaelle: 0.3,
                  abstand: 12,
                },
              ]),
              sql(
                `select laenge, gefaelle, public.st_geometrytype(geom) as typ from app.draenage
                 where schluessel = 'D 7'`,
              ),
            ),
          ),
        ).toEqual([{ laenge: '50', gefaelle: '0.300', typ: 'ST_MultiLineString' }]))
      test.each([
        ['a kind that is none', lines('kunde', []), '23514'],
        ['a point among drains', lines('draenage', [{ nr: 1, g: hex(1, 2) }]), '22023'],
        ['bytes that are no geometry', lines('schacht', [{ nr: 1, g: 'ff00' }]), 'XX000'],
        [
          'a nominal width of nothing',
          lines('schacht', [{ nr: 1, g: hex(380_000, 5_690_000), dn: 0 }]),
          '23514',
        ],
        [
          'the same key twice',
          lines(
            'schacht',
            [1, 2].map((nr) => ({ nr, g: hex(380_000, 5_690_000), schluessel: 'x' })),
          ),
          '21000',
        ],
        [
          'a zone that is none',
          sql(
            `select * from maps.store_vermessung_rows(${RUNNING}, 'schacht', 4326, $1::jsonb)`,
            JSON.stringify([{ nr: 1, g: hex(13, 53) }]),
          ),
          '23514',
        ],
      ])('%s is refused, and nothing of it stays', async (_what, statement, code) => {
        expect(await as('apus_team', statement)).toMatchObject({ code })
        expect(
          rowsOf(
            await as('apus_team', sql(`select count(*)::int as n from app.schacht where client_id = ${C}`)),
          ),
        ).toEqual([{ n: 3 }])
      })
      test('an import that only adds drops nothing', async () => {
        await owner(`update app.vermessung_import set modus = 'ergaenzen' where id = ${RUNNING}`)
        expect(
          await as('apus_team', sql(`select maps.remove_missing_vermessung(${RUNNING}, 'schacht')`)),
        ).toMatchObject({ code: 'PT403' })
        await owner(`update app.vermessung_import set modus = 'ersetzen' where id = ${RUNNING}`)
      })
      test('is kept with whose it was', async () =>
        expect(
          rowsOf(
            await as(
              'apus_team',
              sql(
                `insert into app.vermessung_import (client_id, dateiname, format, groesse, sha256)
                 values (${C}, 'x.csv', 'csv', 1, repeat('d', 64)) returning user_id, wer, stand`,
              ),
            ),
          ),
        ).toEqual([
          {
            user_id: IDENTITIES.apus_team.user_id,
            wer: `Vor${IDENTITIES.apus_team.user_id} Nach${IDENTITIES.apus_team.user_id}`,
            stand: 'bereit',
          },
        ]))
    })

    test('a customer that is removed takes the survey along', async () => {
      await engine.owner.script(`begin; select maps.remove_vermessung(${w.A}); commit`)
      for (const table of [...TABLES, 'vermessung_import'])
        expect(
          rowsOf(await as('apus_admin', sql(`select client_id from app.${table} where client_id = ${w.A}`))),
        ).toEqual([])
      expect(
        rowsOf(await as('apus_admin', sql(`select id from app.vermessung_import where id = ${IMPORT_A}`))),
      ).toEqual([])
    })
  })
