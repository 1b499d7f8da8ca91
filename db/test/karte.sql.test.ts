// Plans beyond the matrix: the view writes to both tables, points are saved all or nothing, customers are
// notified, every save is kept.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Statement } from '#server/database/database.ts'
import { FREMD, SHOWN, HIDDEN } from './cells/karte.ts'
import { asCaller, attempt, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf, type IdentityName } from './world.ts'
import * as w from './world.ts'

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`plans on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    /** The answer of the last statement; nothing is committed. */
    const as = (who: IdentityName, ...statements: Statement[]) =>
      attempt(engine.api, claimsOf(who), ...statements)

    describe('the view', () => {
      test('sheets stand in the order of their numbers', async () => {
        const { rows } = await engine.owner.query<{ t: string }>(
          `select string_agg(t, ' | ' order by search.natural_key(t) collate "C") as t
           from unnest(array['Au, Blatt 10', 'Au, Blatt 9', 'Au, Blatt 010b', 'Ähre 2', 'Au, Blatt 10a',
           'Blatt 999999999', 'Blatt 1']) t`,
        )
        expect(rows[0]?.t).toBe(
          'Ähre 2 | Au, Blatt 9 | Au, Blatt 10 | Au, Blatt 10a | Au, Blatt 010b | Blatt 1 | Blatt 999999999',
        )
      })
      test('gives back the row that was made, with the customer’s system where none is named', async () =>
        expect(
          await as(
            'apus_team',
            sql(
              `insert into app.karte (client_id, map_name, jahr, bem_apus)
               values (${w.A}, 'Meliorationsplan', 1974, 'Original im Archiv') returning *`,
            ),
          ),
        ).toMatchObject({
          rows: [
            {
              map_name: 'Meliorationsplan',
              jahr: 1974,
              status: 'neu',
              client_status: 'offen',
              show_client: false,
              bem_apus: 'Original im Archiv',
              epsg: 25_833,
              version: 1,
            },
          ],
        }))
      test('gives back the row that was changed, in its new version', async () =>
        expect(
          await as(
            'apus_admin',
            sql(
              `update app.karte set georef_bash = 'gdalwarp', res = 0.25, status = 'georeferenziert'
               where id = ${SHOWN} returning *`,
            ),
          ),
        ).toMatchObject({
          count: 1,
          rows: [
            {
              georef_bash: 'gdalwarp',
              res: '0.25',
              status: 'georeferenziert',
              bem_apus: 'nur für uns',
              version: 2,
            },
          ],
        }))
      test('what waits for a customer’s answer is counted among what is shown to them', async () => {
        const stand = sql(
          `select (select sum(wartend)::int from app.a_get_karten_stand()) as wartend,
           (select sum(rueckfragen)::int from app.a_get_karten_stand()) as rueckfragen,
            (select count(*)::int from app.karte where show_client
             and client_status in ('offen', 'in_pruefung')) as rows`,
        )
        const answer = (word: string) =>
          sql(`update app.karte set client_status = '${word}' where id = ${SHOWN}`)
        const told = async (who: IdentityName, ...before: Statement[]) =>
          (
            (await as(who, ...before, stand)) as {
              rows: Record<'wartend' | 'rueckfragen' | 'rows', number>[]
            }
          ).rows[0]!
        const now = await told('appuser_admin')
        expect(now).toMatchObject({ wartend: now.rows, rueckfragen: 0 })
        expect(now.wartend).toBeGreaterThan(0)
        expect((await told('appuser_admin', answer('in_pruefung'))).wartend).toBe(now.wartend)
        expect((await told('appuser_admin', answer('freigegeben'))).wartend).toBe(now.wartend - 1)
        expect(await told('appuser_admin', answer('rueckfrage'))).toMatchObject({
          wartend: now.wartend - 1,
          rueckfragen: 1,
        })
        const staff = await told(
          'apus_team',
          sql(`update app.karte set client_status = 'offen' where id = ${HIDDEN}`),
        )
        expect(staff).toMatchObject({ wartend: staff.rows })
      })
      test('a remark of the staff alone is a change of the plan', async () =>
        expect(
          await as(
            'apus_admin',
            sql(`update app.karte set bem_apus = 'neu' where id = ${SHOWN} returning version`),
          ),
        ).toMatchObject({
          rows: [{ version: 2 }],
        }))
      test('what a customer cannot see is left alone when they answer', async () => {
        expect(
          await as(
            'appuser_admin',
            sql(
              `update app.karte set bem_client = 'Der Schacht fehlt', client_status = 'rueckfrage'
               where id = ${SHOWN} returning bem_apus, bem_client`,
            ),
          ),
        ).toMatchObject({ rows: [{ bem_apus: null, bem_client: 'Der Schacht fehlt' }] })
      })
      test('names the columns a customer may not change', async () =>
        expect(
          await as('appuser_admin', sql(`update app.karte set jahr = 1980, kreis = 'X' where id = ${SHOWN}`)),
        ).toMatchObject({
          code: '42501',
          message: 'permission denied for columns jahr, kreis of karte',
        }))
      test.each([
        ['a state nobody knows', `status = 'fertig'`],
        ['a transformation nobody knows', `georef_typ = 'magic'`],
        ['a system nobody offers', 'epsg = 4711'],
        ['a name of two lines', `map_name = E'a\\nb'`],
        ['a scale below one', 'scale = 0'],
        ['a pixel without extent', 'res = 0'],
        ['a pixel that is no number', `res = 'NaN'`],
      ])('%s is refused', async (_what, set) =>
        expect(await as('apus_admin', sql(`update app.karte set ${set} where id = ${SHOWN}`))).toMatchObject({
          code: '23514',
        }),
      )
      test('takes points and states with a plan that is deleted', async () =>
        expect(
          await as(
            'apus_admin',
            sql(`delete from app.karte where id = ${SHOWN}`),
            sql(
              `select (select count(*) from app.mappoint where karte_id = ${SHOWN})::int as punkte,
               (select count(*) from app.karte_stand where karte_id = ${SHOWN})::int as staende`,
            ),
          ),
        ).toMatchObject({ rows: [{ punkte: 0, staende: 0 }] }))
    })

    describe('points', () => {
      const points = (count: number) =>
        Array.from({ length: count }, (_, i) => ({
          mapx: 412_000 + i,
          mapy: 5_987_000.125,
          pixelx: 10.5 + i,
          pixely: -20.25 - i,
          enable: i !== 1,
          residual: 0.5,
        }))
      const save = (pointList: unknown, values: object = {}, version: number | null = null) =>
        sql(
          'select app.a_set_mappoints($1, $2::jsonb, $3::jsonb, $4) as version',
          SHOWN,
          JSON.stringify(pointList),
          JSON.stringify(values),
          version,
        )
      const kept = sql(
        'select nr, mapx, pixelx, pixely, enable, dx, residual from app.mappoint where karte_id = $1 order by nr',
        SHOWN,
      )
      test('take the place of those before, numbered in their order, to the last digit', async () =>
        expect(await as('apus_team', save(points(3)), kept)).toMatchObject({
          rows: [
            {
              nr: 1,
              mapx: '412000',
              pixelx: '10.5',
              pixely: '-20.25',
              enable: true,
              dx: null,
              residual: '0.5',
            },
            { nr: 2, enable: false },
            { nr: 3, pixelx: '12.5' },
          ],
        }))
      test('bring the method with them, and what is not named stays', async () =>
        expect(
          await as(
            'apus_team',
            save(points(4), {
              georef_typ: 'tps',
              res: 0.3,
              epsg: 25_833,
              georef_label: 'TPS 1',
              georef_bash: 'gdalwarp -tps',
            }),
            save(points(5), { georef_typ: 'polynom1' }),
            sql(
              'select georef_typ, res, epsg, georef_label, georef_bash, bem_apus, version from app.karte where id = $1',
              SHOWN,
            ),
          ),
        ).toMatchObject({
          rows: [
            {
              georef_typ: 'polynom1',
              res: '0.3',
              epsg: 25_833,
              georef_label: 'TPS 1',
              georef_bash: 'gdalwarp -tps',
              bem_apus: 'nur für uns',
              version: 3,
            },
          ],
        }))
      test('are kept at every save', async () =>
        expect(
          await as(
            'apus_team',
            save(points(4), { georef_typ: 'tps' }),
            save(points(5), { georef_typ: 'polynom1' }),
            sql('select georef_typ, punkte, benutzt, wer from app.a_get_karte_staende($1)', SHOWN),
          ),
        ).toMatchObject({
          rows: [
            { georef_typ: 'polynom1', punkte: 5, benutzt: 4 },
            { georef_typ: 'tps', punkte: 4, benutzt: 3 },
            { punkte: 1, wer: 'T' },
          ],
        }))
      test('based on an older version are refused, and nothing of them stays', async () => {
        expect(await as('apus_team', save(points(3), {}, 1), save(points(4), {}, 1))).toMatchObject({
          code: 'PT409',
          message: 'changed meanwhile',
        })
        expect(await as('apus_team', kept)).toMatchObject({ count: 2 })
      })
      test.each([
        ['no list', '{}', {}, '23514'],
        ['a field nobody knows', '[]', { bem_apus: 'x' }, '23514'],
        ['a point without its place', '[{"mapx": 1, "mapy": 2, "pixelx": 3}]', {}, '23502'],
        ['a place beyond the world', '[{"mapx": 1e10, "mapy": 2, "pixelx": 3, "pixely": -4}]', {}, '23514'],
        ['words for numbers', '[{"mapx": "x", "mapy": 2, "pixelx": 3, "pixely": -4}]', {}, '22P02'],
      ])('%s is refused', async (_what, pointList, values, code) =>
        expect(
          await as(
            'apus_team',
            sql(
              'select app.a_set_mappoints($1, $2::jsonb, $3::jsonb)',
              SHOWN,
              pointList,
              JSON.stringify(values),
            ),
          ),
        ).toMatchObject({ code }),
      )
      test('may be none, and ten thousand', async () => {
        expect(await as('apus_team', save([]), kept)).toMatchObject({ count: 0 })
        expect(
          await as(
            'apus_team',
            save(points(10_000)),
            sql('select count(*)::int as n from app.mappoint where karte_id = $1', SHOWN),
          ),
        ).toMatchObject({ rows: [{ n: 10_000 }] })
        expect(await as('apus_team', save(points(10_001)))).toMatchObject({
          code: '23514',
          message: 'column "punkte": punkte_liste',
        })
      })
      test('posted one by one belong to their plan’s customer', async () =>
        expect(
          await as(
            'apus_team',
            sql(
              `insert into app.mappoint (karte_id, nr, mapx, mapy, pixelx, pixely) values (${FREMD}, 7, 1, 2, 3, -4)`,
            ),
            sql(`select client_id from app.mappoint where karte_id = ${FREMD} and nr = 7`),
          ),
        ).toMatchObject({ rows: [{ client_id: w.B }] }))
      test('that name another customer than their plan’s are refused', async () =>
        expect(
          await as(
            'apus_team',
            sql(
              `insert into app.mappoint (karte_id, client_id, nr, mapx, mapy, pixelx, pixely)
               values (${FREMD}, ${w.A}, 7, 1, 2, 3, -4)`,
            ),
          ),
        ).toMatchObject({ code: '23503' }))
      test('go with their plan to another customer', async () =>
        expect(
          await as(
            'apus_admin',
            sql(`update app.karte set client_id = ${w.B} where id = ${HIDDEN}`),
            sql(`select distinct client_id from app.mappoint where karte_id = ${HIDDEN}`),
          ),
        ).toMatchObject({ rows: [{ client_id: w.B }] }))
    })

    test('a forest admin who is a customer’s person too reads no more of the plans’ history', async () => {
      const read = () =>
        as('ogf_admin', sql(`select id from app.verlauf where tabelle in ('kartenblatt', 'karte_intern')`))
      expect(await read()).toMatchObject({ count: 0 })
      const me = w.IDENTITIES.ogf_admin.user_id
      await engine.owner.script(
        `insert into app.benutzer_kunde (client_id, user_id, rolle) values (${w.A}, ${me}, 'admin')`,
      )
      try {
        const shown = await as(
          'appuser_admin',
          sql(`select id from app.verlauf where tabelle in ('kartenblatt', 'karte_intern')`),
        )
        // What the customer's own people read, and nothing else.
        expect(await read()).toMatchObject({ count: 'count' in shown ? shown.count : -1 })
        expect(
          await as('ogf_admin', sql(`select id from app.verlauf where tabelle = 'karte_intern'`)),
        ).toMatchObject({ count: 0 })
      } finally {
        await engine.owner.script(`delete from app.benutzer_kunde where user_id = ${me}`)
      }
    })
    test('moved to another customer, a plan leaves history, notes and remarks of the former one behind', async () => {
      await engine.owner.script(`
        insert into app.kartenblatt (id, client_id, map_name, epsg, show_client, bem_client, bem_to_client)
          values (9001, ${w.B}, 'Umzug', 25832, true, 'von B', 'an B');
        update app.kartenblatt set bem_client = 'neu von B' where id = 9001;
        insert into app.notiz (client_id, karte_id, text, fuer_kunde, wer) values (${w.B}, 9001, 'für B', true, 'x');
        update app.kartenblatt set client_id = ${w.A}, kreis = 'Nord' where id = 9001;
        update app.kartenblatt set kreis = 'Süd' where id = 9001`)
      const read = (name: w.IdentityName, text: string) => as(name, sql(text))
      const history = `select neu ->> 'kreis' as kreis from app.verlauf
        where tabelle = 'kartenblatt' and schluessel = '9001' order by id`
      expect(await read('appuser_admin', history)).toMatchObject({ rows: [{ kreis: 'Süd' }] })
      expect(await read('apus_team', history)).toMatchObject({ count: 4 })
      const notes = 'select fuer_kunde, version, client_id from app.notiz where karte_id = 9001'
      expect(await read('appuser_admin', notes)).toMatchObject({ rows: [] })
      expect(await read('apus_team', notes)).toMatchObject({
        rows: [{ fuer_kunde: false, version: 2, client_id: w.A }],
      })
      expect(
        await read(
          'appuser_admin',
          'select bem_client, bem_to_client, client_status from app.karte where id = 9001',
        ),
      ).toMatchObject({ rows: [{ bem_client: null, bem_to_client: null, client_status: 'offen' }] })
      await engine.owner.script('delete from app.kartenblatt where id = 9001')
    })

    test('a list answers what its rows say, with the points in use, and nothing that is hidden', async () => {
      const outcome = await as(
        'appuser',
        sql('select id, map_name, punkte, bem_to_client from app.a_get_map_list_from_db($1)', w.A),
      )
      const rows = 'rows' in outcome ? outcome.rows : []
      expect(rows).toContainEqual({ id: SHOWN, map_name: 'Plan 1', punkte: 2, bem_to_client: 'Bitte prüfen' })
      expect(rows.map((row) => row['id'])).not.toContain(HIDDEN)
    })

    // Notices are personal and survive the transaction, so these changes are committed and the tests come
    // last.
    describe('the customer’s people are told', () => {
      const change = (text: string) =>
        engine.api.transaction(asCaller(claimsOf('apus_admin')), (tx) => tx.query(sql(text)))
      const told = async (who: IdentityName, art: string, karte: number): Promise<unknown> => {
        const outcome = await as(
          who,
          sql(
            `select count(*)::int as n from app.meldung where art = $1
             and params ->> 'karte' = (select map_name from app.karte where id = $2) and erstellt >= $3`,
            art,
            karte,
            start,
          ),
        )
        return 'rows' in outcome ? outcome.rows[0]?.['n'] : outcome
      }
      let start: Date
      beforeAll(async () => {
        start = new Date(Date.now() - 1000)
        await engine.owner.script('delete from notices.meldung_post; delete from app.meldung')
        await change(`update app.karte set bem_to_client = 'x', bem_apus = 'y' where id = ${HIDDEN}`)
      })
      test('nothing of what they do not see', async () => {
        for (const who of ['appuser', 'appuser_admin'] as const)
          expect(await as(who, sql('select * from app.meldung'))).toMatchObject({ count: 0 })
      })
      test('that a plan was opened to them, and that it answers them', async () => {
        await change(`update app.karte set show_client = true where id = ${HIDDEN}`)
        expect([
          await told('appuser', 'karte_gezeigt', HIDDEN),
          await told('appuser_admin', 'karte_gezeigt', HIDDEN),
        ]).toEqual([1, 1])
      })
      test('that a plan which is open to its customer is theirs now', async () => {
        await engine.owner.script(`
          insert into app.kartenblatt (id, client_id, map_name, epsg, show_client)
            values (9002, ${w.B}, 'Umzug offen', 25832, true), (9003, ${w.B}, 'Umzug verdeckt', 25832, false)`)
        await change(`update app.karte set client_id = ${w.A} where id in (9002, 9003)`)
        expect(await told('appuser', 'karte_gezeigt', 9002)).toBe(1)
        expect(
          await as('appuser', sql(`select from app.meldung where params ->> 'karte' = 'Umzug verdeckt'`)),
        ).toMatchObject({ count: 0 })
        await engine.owner.script('delete from app.kartenblatt where id in (9002, 9003)')
      })
      test('that they were answered: whoever may write', async () => {
        await change(`update app.karte set bem_to_client = 'Ist nachgetragen' where id = ${SHOWN}`)
        expect([
          await told('appuser', 'bem_client_antwort', SHOWN),
          await told('appuser_admin', 'bem_client_antwort', SHOWN),
        ]).toEqual([0, 1])
      })
    })
  })
