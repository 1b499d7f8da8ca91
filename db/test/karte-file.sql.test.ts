// Files of plans and jobs beyond the matrix: what an upload does to its plan, and the life cycle of a job
// shared by several servers.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { KarteFile, KarteJob, KarteSurroundings } from '#contract/karte-files.ts'
import { GEOREF_TYPES, MIN_POINTS } from '#domain/georef/transform.ts'
import { RESULT_SHOWN, FAILED, hashOf } from './cells/karte-file.ts'
import { FREMD, SHOWN, HIDDEN } from './cells/karte.ts'
import { asCaller, attempt, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { jsonOf, karteCalls } from './karte-calls.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf, type IdentityName } from './world.ts'
import * as w from './world.ts'

const EMPTY = 7
const SURVEYED = ['draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf']

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`files of plans on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    beforeEach(async () => {
      await engine.owner.script(
        `begin; set local role forst_betrieb; delete from app.kartenblatt where id = ${EMPTY};
          insert into app.kartenblatt (id, client_id, map_name, epsg) values (${EMPTY}, ${w.A}, 'Leer', 25833);
          update app.karte_auftrag set stand = 'abgebrochen', lebt_bis = null, beendet_am = now()
            where stand in ('wartet', 'laeuft'); commit`,
      )
    })

    const { asked, rowsOf, asServer } = karteCalls(() => engine)
    const upload = async (
      karte: number,
      name: string,
      who: IdentityName = 'apus_team',
      more: { din?: string; breite?: number } = {},
    ) => {
      const context = { ...asCaller(claimsOf(who)), role: 'forst_karte' }
      const { rows } = await engine.api.once<{ id: number }>(
        context,
        sql(
          `select maps.add_scan($1, $2, 'Blatt 1.jpg', 'image/jpeg', 1000, $3,
           null, $4, 400, 300, $5) as id`,
          karte,
          name,
          hashOf(500),
          more.breite ?? 800,
          more.din ?? 'A3',
        ),
      )
      return rows[0]!.id
    }
    interface Taken {
      readonly id: number
      readonly versuch: number
      readonly datei_id: number
      readonly werte: string | null
    }
    const take = async (art: 'kacheln' | 'entzerren', deadline = '1 minute') =>
      (await asServer<Taken>('select * from maps.take_job($1, $2::interval)', art, deadline))[0]
    const plan = async (id: number) =>
      (
        await engine.owner.query<{
          width: number | null
          height: number | null
          din: string | null
          status: string
          geaendert_von: string
        }>('select width, height, din, status, geaendert_von from app.kartenblatt where id = $1', [id])
      ).rows[0]!

    describe('where a plan may lie', () => {
      const surroundings = (who: IdentityName, karte: number) =>
        asked<KarteSurroundings | null>(who, 'app.a_get_karte_umgebung($1)', karte)
      /** In web mercator. */
      const boxOf = async (places: string): Promise<number[]> => {
        const { rows } = await engine.owner.query<{ box: number[] | string }>(
          `select json_build_array(st_xmin(b), st_ymin(b), st_xmax(b), st_ymax(b)) as box
            from (select st_extent(g) as b from (${places}) as x(g)) y`,
        )
        return jsonOf<number[]>(rows[0]?.box)
      }
      const closeTo = (box: number[]) => box.map((value) => expect.closeTo(value, 2))
      test('is around the other results of its customer', async () => {
        const box = await boxOf('select st_transform(st_setsrid(st_makepoint(412000, 5987000), 25833), 3857)')
        expect(await surroundings('apus_team', EMPTY)).toEqual({
          kasten: closeTo(box),
          plz: expect.stringMatching(/^\d{5}$/),
        })
      })
      test('is around what is surveyed if there is no other result', async () => {
        const box = await boxOf(
          `${SURVEYED.map((name) => `select g3857 from app.${name} where client_id = ${w.B}`).join(' union all ')}`,
        )
        expect((await surroundings('apus_team', FREMD))?.kasten).toEqual(closeTo(box))
      })
      test('is not known where there is neither, nor of a postcode abroad', async () => {
        await engine.owner.script(
          `begin; set local role forst_betrieb;
            insert into app.kunde (client_id, name, strasse, plz, ort, land, epsg)
              values (9901, 'Wien', 'Weg 1', '1010', 'Wien', 'AT', 25833);
            insert into app.kartenblatt (id, client_id, map_name, epsg) values (9901, 9901, 'Wien', 25833);
            commit`,
        )
        expect(await surroundings('apus_team', 9901)).toEqual({ kasten: null, plz: null })
      })
      test('is around the forest of its customer where nothing else is: its area, stands or trees', async () => {
        await engine.owner.script(
          `begin; set local role forst_betrieb;
            insert into app.kunde (client_id, name, strasse, plz, ort, land, epsg)
              values (9902, 'Waldrand', 'Weg 1', '80331', 'München', 'DE', 25833);
            insert into app.hq ("idHQ", client_id, "sHQ") values (9902, 9902, 'Revier Nord');
            insert into app.kartenblatt (id, client_id, map_name, epsg) values (9902, 9902, 'Wald', 25833);
            commit`,
        )
        expect(await surroundings('apus_team', 9902)).toEqual({ kasten: null, plz: '80331' })
        const area = "st_geomfromtext('MULTIPOLYGON(((13 53, 13.1 53, 13.1 53.1, 13 53)))', 4326)"
        await engine.owner.script(
          `begin; set local role forst_betrieb;
            insert into app.hq_flaeche (hqid, client_id, geom) select 9902, 9902,
              st_transform(${area}, 25833);
            commit`,
        )
        const box = await boxOf(`select st_transform(${area}, 3857)`)
        expect((await surroundings('apus_team', 9902))?.kasten).toEqual(box.map((v) => expect.closeTo(v, 0)))
      })
      test('customers learn nothing of a plan they may not see, nor from one', async () => {
        expect(await surroundings('appuser_admin', HIDDEN)).toBeNull()
        expect(await surroundings('appuser_admin', FREMD)).toBeNull()
        const seen = await surroundings('appuser_admin', SHOWN)
        expect(seen).not.toBeNull()
        const survey = await boxOf(
          `${SURVEYED.map((name) => `select g3857 from app.${name} where client_id = ${w.A}`).join(' union all ')}`,
        )
        // The other result is of a plan that is not shown.
        expect([null, closeTo(survey)]).toContainEqual(seen?.kasten)
      })
    })

    describe('an upload', () => {
      test('tells its plan the size, the sheet and that it is scanned, and orders its tiles', async () => {
        const id = await upload(EMPTY, 'a-1')
        expect(await plan(EMPTY)).toMatchObject({ width: 800, height: 400, din: 'A3', status: 'gescannt' })
        const [file] = await rowsOf<KarteFile>('apus_admin', 'app.a_get_karte_dateien($1)', EMPTY)
        expect(file).toMatchObject({
          id,
          karte_id: EMPTY,
          art: 'scan',
          name: 'Blatt 1.jpg',
          mime: 'image/jpeg',
          groesse: 1000,
          sha256: hashOf(500),
          breite: 800,
          hoehe: 400,
          dpi: 300,
          kacheln: false,
          epsg: null,
          umriss: null,
        })
        expect(await rowsOf<KarteJob>('apus_admin', 'app.a_get_karte_auftraege($1)', EMPTY)).toMatchObject([
          { art: 'kacheln', stand: 'wartet', fortschritt: 0, werte: null },
        ])
      })
      test('told twice is one', async () => {
        expect(await upload(EMPTY, 'a-2')).toBe(await upload(EMPTY, 'a-2'))
        expect(await rowsOf('apus_admin', 'app.a_get_karte_dateien($1)', EMPTY)).toHaveLength(1)
      })
      test('leaves a later state and a sheet that was chosen as they are', async () => {
        await engine.owner.script(
          `begin; set local role forst_betrieb;
           update app.kartenblatt set status = 'geprueft', din = 'A0' where id = ${EMPTY}; commit`,
        )
        await upload(EMPTY, 'a-3')
        expect(await plan(EMPTY)).toMatchObject({ status: 'geprueft', din: 'A0', width: 800 })
      })
      test('anew takes the place of the earlier one, whose tiles nobody waits for', async () => {
        await upload(EMPTY, 'a-4')
        const second = await upload(EMPTY, 'a-5', 'apus_team', { breite: 900 })
        expect(await plan(EMPTY)).toMatchObject({ width: 900 })
        const orders = await rowsOf<KarteJob>('apus_admin', 'app.a_get_karte_auftraege($1)', EMPTY)
        expect(orders.map(({ stand }) => stand)).toEqual(['wartet', 'abgebrochen'])
        expect((await take('kacheln'))?.datei_id).toBe(second)
      })
      test.each(['appuser_admin', 'ogf_admin', 'unknown'] as const)('by %s is refused', async (who) => {
        await expect(upload(SHOWN, 'b-1', who)).rejects.toMatchObject({ code: 'PT403' })
      })
      test('to no plan is not found', async () => {
        await expect(upload(999, 'b-2')).rejects.toMatchObject({ code: 'PT404' })
      })
      test('is closed to whoever only signs in', async () => {
        const call = sql(
          `select maps.add_scan(${SHOWN}, 'c-1', 'x', 'image/png', 1, '${hashOf(1)}',
           null, 1, 1, null, null)`,
        )
        expect(await attempt(engine.api, claimsOf('apus_admin'), call)).toMatchObject({ code: '42501' })
      })
    })

    describe('a scan that is deleted', () => {
      test('gives its place back to the one before, which is cut now', async () => {
        const first = await upload(EMPTY, 'd-1')
        const second = await upload(EMPTY, 'd-2', 'apus_team', { breite: 900 })
        expect(await asked('apus_team', 'app.a_delete_karte_datei($1)', second)).toBe(true)
        expect(await plan(EMPTY)).toMatchObject({ width: 800, status: 'gescannt' })
        const { rows } = await engine.api.once(
          asCaller(claimsOf('apus_team')),
          sql(
            `select aktion, alt::text, neu::text, wer is not null as von from app.verlauf
             where tabelle = 'kartenblatt' and schluessel = $1 and alt ? 'datei_scan'`,
            String(EMPTY),
          ),
        )
        expect(rows).toEqual([
          {
            aktion: 'geaendert',
            alt: '{"datei_scan": "Blatt 1.jpg"}',
            neu: '{"datei_scan": null}',
            von: true,
          },
        ])
        expect((await take('kacheln'))?.datei_id).toBe(first)
      })
      test('leaves none behind: the plan has no size', async () => {
        await asked('apus_team', 'app.a_delete_karte_datei($1)', await upload(EMPTY, 'd-3'))
        expect(await plan(EMPTY)).toMatchObject({ width: null, height: null })
        expect(await take('kacheln')).toBeUndefined()
      })
      test('while a result is made of it stays', async () => {
        await asked('apus_team', 'app.a_add_karte_auftrag($1)', HIDDEN)
        expect(
          await attempt(
            engine.api,
            claimsOf('apus_team'),
            sql('select app.a_delete_karte_datei($1)', HIDDEN),
          ),
        ).toMatchObject({
          code: 'PT409',
        })
      })
    })

    describe('an order', () => {
      test('keeps points and method as they were saved', async () => {
        await asked('apus_team', `app.a_add_karte_auftrag($1, 'near', 'deflate')`, SHOWN)
        await engine.owner.script(
          `begin; set local role forst_betrieb;
           update app.mappoint set mapx = 1 where karte_id = ${SHOWN} and nr = 2; commit`,
        )
        const taken = await take('entzerren')
        expect(JSON.parse(taken!.werte!)).toEqual({
          georef_typ: 'linear',
          epsg: 25833,
          res: null,
          verfahren: 'near',
          kompression: 'deflate',
          punkte: [
            { mapx: 412_000, mapy: 5_987_000, pixelx: 100, pixely: -100, enable: true },
            { mapx: 412_100, mapy: 5_986_900, pixelx: 500, pixely: -500, enable: true },
          ],
        })
        await engine.owner.script(
          `begin; set local role forst_betrieb;
           update app.mappoint set mapx = 412100 where karte_id = ${SHOWN} and nr = 2; commit`,
        )
      })
      test.each([
        ['a plan without a scan', EMPTY, '', 'karte_ohne_scan'],
        [
          'one without a method',
          SHOWN,
          `update app.kartenblatt set georef_typ = null where id = ${SHOWN}`,
          'karte_ohne_methode',
        ],
        [
          'too few points',
          SHOWN,
          `update app.mappoint set enable = false where karte_id = ${SHOWN} and nr = 1`,
          'karte_punkte_wenige',
        ],
      ])('of %s is refused by name', async (_what, karte, change, hint) => {
        const work = engine.api.transaction(asCaller(claimsOf('apus_admin')), async (tx) => {
          if (change !== '') await tx.query(sql(change))
          await tx.query(sql('select app.a_add_karte_auftrag($1)', karte))
        })
        await expect(work).rejects.toMatchObject({ code: 'PT409', hint })
      })
      test('keeps that a person has confirmed a place far from the customer', async () => {
        await asked('apus_team', `app.a_add_karte_auftrag($1, ort_bestaetigt => true)`, SHOWN)
        const { werte } = (await take('entzerren'))!
        expect(JSON.parse(werte!)).toMatchObject({ ort_bestaetigt: true })
      })
      test('is compared with what the customer has, in the plane of the web map, and with their plans', async () => {
        const whereabouts = () =>
          asServer<{ west: number | null; plans: string | null }>(
            'select west, plans from maps.plan_whereabouts($1)',
            SHOWN,
          )
        const [row] = await whereabouts()
        expect(row?.west === null || Number.isFinite(Number(row?.west))).toBe(true)
        expect((JSON.parse(row!.plans!) as { epsg: number }[]).map(({ epsg }) => epsg)).toEqual([25833])
        expect(await asServer('select west from maps.plan_whereabouts(999)')).toEqual([{ west: null }])
      })
      test.each([
        [`'magic', 'jpeg'`, 'verfahren'],
        [`'near', 'zip'`, 'kompression'],
      ])('with %s is refused at its field', async (values, column) => {
        await expect(
          asked('apus_admin', `app.a_add_karte_auftrag($1, ${values})`, SHOWN),
        ).rejects.toMatchObject({
          code: '23514',
          column,
        })
      })
      test('is one at a time, until it is cancelled', async () => {
        const id = await asked<number>('apus_team', 'app.a_add_karte_auftrag($1)', SHOWN)
        await expect(asked('apus_admin', 'app.a_add_karte_auftrag($1)', SHOWN)).rejects.toMatchObject({
          hint: 'karte_auftrag_laeuft',
        })
        const { versuch } = (await take('entzerren'))!
        expect(await asked('apus_admin', 'app.a_cancel_karte_auftrag($1)', id)).toBe(true)
        expect(await asked('apus_admin', 'app.a_cancel_karte_auftrag($1)', id)).toBe(false)
        // The server working on it learns of the cancellation and can no longer deliver a result.
        const alive = await asServer<{ ok: boolean }>(
          `select maps.job_lives($1, $2, 50, '1 minute') as ok`,
          id,
          versuch,
        )
        expect(alive).toEqual([{ ok: false }])
        expect(await finish(id, versuch)).toBe(false)
        await asked('apus_team', 'app.a_add_karte_auftrag($1)', SHOWN)
      })
      test('does not wait for all those of somebody else: persons come in turn', async () => {
        const plans = [801, 802, 803, 804]
        await engine.owner.script(
          `begin; set local role forst_betrieb; update app.karte_auftrag set begonnen_am = null;
            insert into app.kartenblatt (id, client_id, map_name, epsg)
              values ${plans.map((id) => `(${id}, ${w.A}, 'Reihe ${id}', 25833)`).join(', ')}; commit`,
        )
        for (const id of plans) await upload(id, `a-${id}`, id === 804 ? 'apus_admin' : 'apus_team')
        const taken: number[] = []
        for (const _ of plans)
          taken.push(
            (
              await asServer<{ karte_id: number }>(
                `select karte_id from maps.take_job('kacheln', '1 minute')`,
              )
            )[0]!.karte_id,
          )
        expect(taken.map(Number)).toEqual([801, 804, 802, 803])
        await engine.owner.script(
          `begin; set local role forst_betrieb; delete from app.kartenblatt where id in (${plans.join(', ')}); commit`,
        )
      })
      test('goes to one of several servers, and from one that died to the next', async () => {
        const id = await asked<number>('apus_team', 'app.a_add_karte_auftrag($1)', FREMD)
        const [one, other] = await Promise.all([
          take('entzerren', '0 seconds'),
          take('entzerren', '0 seconds'),
        ])
        expect([one?.id, other?.id].filter((taken) => taken === id).length).toBeGreaterThan(0)
        const again = await take('entzerren')
        expect(again).toMatchObject({ id })
        expect(await take('entzerren')).toBeUndefined()
        // The previous attempt can no longer deliver.
        expect(await finish(id, again!.versuch - 1)).toBe(false)
        expect(await finish(id, again!.versuch)).toBe(true)
      })
      test('that was begun three times and never ended is given up', async () => {
        const id = await asked<number>('apus_team', 'app.a_add_karte_auftrag($1)', FREMD)
        for (let round = 1; round <= 3; round++)
          expect(await take('entzerren', '-1 seconds')).toMatchObject({ id, versuch: round })
        expect(await take('entzerren')).toBeUndefined()
        const orders = await rowsOf<KarteJob>('apus_team', 'app.a_get_karte_auftraege($1)', FREMD)
        expect(orders.find((order) => order.id === id)).toMatchObject({
          stand: 'fehlgeschlagen',
          fehler: 'karte_absturz',
        })
      })
      test('that fails says why; one whose server ends waits as if it had never begun', async () => {
        const id = await asked<number>('apus_team', 'app.a_add_karte_auftrag($1)', FREMD)
        const first = (await take('entzerren'))!
        await asServer(`select maps.job_failed($1, $2, null, null, true)`, id, first.versuch)
        const second = (await take('entzerren'))!
        expect(second.versuch).toBe(1)
        await asServer(
          `select maps.job_failed($1, $2, 'karte_punkte_linie', $3)`,
          id,
          second.versuch,
          ' Punkte\n1, 2 ',
        )
        const orders = await rowsOf<KarteJob>('apus_team', 'app.a_get_karte_auftraege($1)', FREMD)
        expect(orders.find((order) => order.id === id)).toMatchObject({
          stand: 'fehlgeschlagen',
          fehler: 'karte_punkte_linie',
          einzelheit: 'Punkte 1, 2',
        })
      })
      test('that failed is not told to customers', async () => {
        const seen = await rowsOf<KarteJob>('appuser_admin', 'app.a_get_karte_auftraege($1)', SHOWN)
        expect(seen.length).toBeGreaterThan(0)
        expect(seen.map(({ id }) => id)).not.toContain(FAILED)
      })
      test('that is done is the newest result, and the plan is georeferenced', async () => {
        await engine.owner.script(
          `begin; set local role forst_betrieb;
           update app.kartenblatt set status = 'gescannt' where id = ${FREMD}; commit`,
        )
        const id = await asked<number>('apus_team', 'app.a_add_karte_auftrag($1)', FREMD)
        expect(await finish(id, (await take('entzerren'))!.versuch)).toBe(true)
        const [newest] = await rowsOf<KarteFile>('apus_team', 'app.a_get_karte_dateien($1)', FREMD)
        expect(newest).toMatchObject({
          art: 'ergebnis',
          kacheln: true,
          epsg: 25833,
          georef_typ: 'linear',
          umriss: [
            [1, 2],
            [3, 4],
            [1, 2],
          ],
        })
        expect(await plan(FREMD)).toMatchObject({ status: 'georeferenziert' })
      })
    })
    const finish = async (id: number, attemptNumber: number): Promise<boolean> =>
      (
        await asServer<{ ok: boolean }>(
          `select maps.result_done($1, $2, 'Blatt 1.tif', 10, $3, 700, 700, '[[1,2],[3,4],[1,2]]') as ok`,
          id,
          attemptNumber,
          hashOf(600),
        )
      )[0]!.ok

    describe('a scan that could not be cut', () => {
      const again = (file: number) => asked<number>('apus_team', 'app.a_retry_karte_kacheln($1)', file)
      test('is cut once more, by a new order beside the one that failed', async () => {
        const scan = await upload(EMPTY, 'e-1')
        const first = (await take('kacheln'))!
        await asServer(`select maps.job_failed($1, $2, 'karte_bild', null)`, first.id, first.versuch)
        const id = await again(scan)
        expect(await rowsOf<KarteJob>('apus_team', 'app.a_get_karte_auftraege($1)', EMPTY)).toMatchObject([
          { id, art: 'kacheln', stand: 'wartet' },
          { id: first.id, art: 'kacheln', stand: 'fehlgeschlagen', fehler: 'karte_bild' },
        ])
        const second = (await take('kacheln'))!
        expect(second).toMatchObject({ id, datei_id: scan, versuch: 1 })
        await asServer(
          `select maps.tiles_done($1, $2, $3, '{"beschaedigt":false}')`,
          id,
          second.versuch,
          hashOf(501),
        )
        await expect(again(scan)).rejects.toMatchObject({ code: 'PT409', hint: 'karte_scan_zerlegt' })
      })
      test('not twice at once, and not when a newer one took its place', async () => {
        const scan = await upload(EMPTY, 'e-2')
        await expect(again(scan)).rejects.toMatchObject({ code: 'PT409', hint: 'karte_zerlegen_laeuft' })
        await upload(EMPTY, 'e-3')
        await expect(again(scan)).rejects.toMatchObject({ code: 'PT409', hint: 'karte_scan_aelter' })
      })
    })

    test('the names of files are known as long as a row holds on to one', async () => {
      const named = async (...names: string[]) =>
        (
          await asServer<{ name: string }>(
            'select maps.named_files($1::text[]) as name',
            `{${names.join(',')}}`,
          )
        ).map(({ name }) => name)
      expect(
        (await named(hashOf(SHOWN), hashOf(SHOWN + 30), hashOf(RESULT_SHOWN), hashOf(4711))).sort(),
      ).toEqual([hashOf(SHOWN), hashOf(SHOWN + 30), hashOf(RESULT_SHOWN)].sort())
      await asked('apus_team', 'app.a_delete_karte_datei($1)', RESULT_SHOWN)
      expect(await named(hashOf(RESULT_SHOWN))).toEqual([])
    })
    test('the server’s role opens no table', async () => {
      for (const relation of ['app.karte_datei', 'app.karte_auftrag', 'app.kartenblatt', 'app.kunde'])
        await expect(asServer(`select from ${relation}`)).rejects.toMatchObject({ code: '42501' })
    })
    test.each(GEOREF_TYPES)('%s needs as many points as the product’s own reckoning', async (kind) => {
      const { rows } = await engine.owner.query<{ n: number }>('select maps.points_needed($1) as n', [kind])
      expect(rows[0]!.n).toBe(MIN_POINTS[kind])
    })
    test.each(GEOREF_TYPES)('%s may be stored with a plan and with its result', async (kind) => {
      await engine.owner.script(`begin; set local role forst_betrieb;
        update app.kartenblatt set georef_typ = '${kind}' where id = ${SHOWN};
        update app.karte_datei set georef_typ = '${kind}' where id = ${RESULT_SHOWN}; rollback;`)
    })
  })
