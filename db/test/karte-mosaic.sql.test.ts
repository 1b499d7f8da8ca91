// Mosaics beyond the matrix: what may be merged, what the job names, and what becomes of its sheets meanwhile.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { KarteFile, KarteJob } from '#contract/karte-files.ts'
import type { KarteResult } from '#contract/karte-mosaic.ts'
import { hashOf, MOSAIC, UNCUT } from './cells/karte-file.ts'
import { FREMD, SHOWN, HIDDEN } from './cells/karte.ts'
import { asCaller, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { karteCalls } from './karte-calls.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf, type IdentityName } from './world.ts'

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`mosaics on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    beforeEach(async () => {
      await engine.owner.script(
        `begin; set local role forst_betrieb;
          update app.karte_auftrag set stand = 'abgebrochen', lebt_bis = null, beendet_am = now()
            where stand in ('wartet', 'laeuft'); commit`,
      )
    })

    const { asked, rowsOf, asServer } = karteCalls(() => engine)
    const order = (plans: readonly (number | null)[], more = '', who: IdentityName = 'apus_team') =>
      asked<number>(
        who,
        `app.a_add_karte_mosaik($1::bigint[], map_name => 'Mosaik Nord', epsg => 25833${more})`,
        `{${plans.map((plan) => plan ?? 'null').join(',')}}`,
      )
    const jobOf = async (plan: number) =>
      (await rowsOf<KarteJob>('apus_team', 'app.a_get_karte_auftraege($1)', plan))[0]!
    interface Taken {
      readonly id: number
      readonly versuch: number
      readonly karte_id: number
      readonly name: string
      readonly sha256: string | null
    }
    const take = async () => (await asServer<Taken>(`select * from maps.take_job('mosaik', '1 minute')`))[0]

    test('a mosaic is a plan of the same customer, whose job names its sheets from the top', async () => {
      const plan = await order([HIDDEN, SHOWN], ', res => 0.25')
      const { rows } = await engine.owner.query(
        `select k.client_id = s.client_id as same, k.map_name, k.epsg, k.res::numeric::text as res,
           k.georef_label, k.status, k.show_client
         from app.kartenblatt k join app.kartenblatt s on s.id = ${SHOWN} where k.id = ${plan}`,
      )
      expect(rows).toEqual([
        {
          same: true,
          map_name: 'Mosaik Nord',
          epsg: 25833,
          res: '0.25',
          georef_label: 'Mosaik aus 2 Blättern',
          status: 'neu',
          show_client: false,
        },
      ])
      expect(await jobOf(plan)).toMatchObject({
        art: 'mosaik',
        stand: 'wartet',
        werte: {
          epsg: 25833,
          res: 0.25,
          kompression: 'jpeg',
          ueberlappung: 'oben',
          blaetter: [
            { karte_id: HIDDEN, name: 'Plan 2', datei_id: HIDDEN + 10 },
            { karte_id: SHOWN, name: 'Plan 1', datei_id: SHOWN + 10 },
          ],
        },
      })
    })

    test('the server takes it without a file of its own, and gets those of its sheets', async () => {
      const plan = await order([HIDDEN, SHOWN])
      const job = (await take())!
      expect(job).toMatchObject({ karte_id: plan, name: 'Mosaik Nord', sha256: null, versuch: 1 })
      const files = await asServer<{ name: string; sha256: string | null; epsg: number }>(
        'select name, sha256, epsg from maps.mosaic_files($1)',
        job.id,
      )
      expect(files).toEqual([
        { name: 'Plan 2', sha256: hashOf(HIDDEN + 10), epsg: 25833 },
        { name: 'Plan 1', sha256: hashOf(SHOWN + 10), epsg: 25833 },
      ])
      const done = await asServer<{ ok: boolean }>(
        `select maps.result_done($1, $2, 'Mosaik.tif', 10, $3, 700, 700, '[[1,2],[3,4],[1,2]]') as ok`,
        job.id,
        job.versuch,
        hashOf(700),
      )
      expect(done).toEqual([{ ok: true }])
      const [file] = await rowsOf<KarteFile>('apus_team', 'app.a_get_karte_dateien($1)', plan)
      expect(file).toMatchObject({ art: 'ergebnis', kacheln: true, epsg: 25833, georef_typ: null })
      const { rows } = await engine.owner.query(`select status from app.kartenblatt where id = ${plan}`)
      expect(rows).toEqual([{ status: 'georeferenziert' }])
    })

    test.each<[string, (number | null)[], string]>([
      ['one sheet', [SHOWN], 'karte_mosaik_zahl'],
      ['none', [], 'karte_mosaik_zahl'],
      ['a sheet twice', [SHOWN, HIDDEN, SHOWN], 'karte_mosaik_zahl'],
      ['nothing in the list', [SHOWN, null], 'karte_mosaik_zahl'],
      ['more than 24', Array.from({ length: 25 }, (_, i) => i + 1), 'karte_mosaik_zahl'],
      ['two customers', [SHOWN, FREMD], 'karte_mosaik_kunde'],
      ['a sheet without a result', [SHOWN, UNCUT], 'karte_mosaik_ergebnis'],
    ])('is refused of %s', async (_what, plans, hint) => {
      await expect(order(plans)).rejects.toMatchObject({ code: '23514', hint })
    })
    test('is refused with a name, system, size or way that cannot be', async () => {
      const refused = (more: string) =>
        order([SHOWN, HIDDEN], more).catch((error: { hint: string }) => error.hint)
      expect(await refused(', res => 0')).toBe('karte_mosaik_res')
      expect(await refused(`, kompression => 'lzw'`)).toBe('karte_kompression')
      expect(await refused(`, ueberlappung => 'quer'`)).toBe('karte_mosaik_lage')
      const named = (name: string, epsg: number) =>
        asked(
          'apus_team',
          'app.a_add_karte_mosaik($1::bigint[], $2, $3)',
          `{${SHOWN},${HIDDEN}}`,
          name,
          epsg,
        ).catch((error: { hint: string }) => error.hint)
      expect(await named('', 25833)).toBe('karte_mosaik_name')
      expect(await named('Mosaik', 2154)).toBe('karte_mosaik_epsg')
    })
    test('of a plan that is not there is not found', async () => {
      await expect(order([SHOWN, 999])).rejects.toMatchObject({ code: 'PT404' })
    })
    test('a person may have four of them waiting', async () => {
      for (let nr = 0; nr < 4; nr++) await order([SHOWN, HIDDEN])
      await expect(order([SHOWN, HIDDEN])).rejects.toMatchObject({ hint: 'karte_mosaik_viele' })
      expect(await order([SHOWN, HIDDEN], '', 'apus_admin')).toBeGreaterThan(0)
    })
    test('orders of one person at the same moment count each other', async () => {
      const ordered = await Promise.allSettled(Array.from({ length: 7 }, () => order([SHOWN, HIDDEN])))
      expect(ordered.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    })
    test('a sheet of a mosaic under way cannot be deleted', async () => {
      const plan = await order([SHOWN, HIDDEN])
      const remove = () =>
        engine.api.once(asCaller(claimsOf('apus_admin')), sql('delete from app.karte where id = $1', HIDDEN))
      await expect(remove()).rejects.toMatchObject({ code: 'PT409', hint: 'karte_datei_im_mosaik' })
      // The mosaic itself can.
      await engine.api.once(
        asCaller(claimsOf('apus_admin')),
        sql('delete from app.karte where id = $1', plan),
      )
    })
    test('it is not made again for another customer', async () => {
      const plan = await order([SHOWN, HIDDEN])
      await engine.owner.script(
        `begin; set local role forst_betrieb;
          update app.karte_auftrag set stand = 'abgebrochen', lebt_bis = null, beendet_am = now()
            where stand in ('wartet', 'laeuft');
          commit`,
      )
      await engine.api.once(
        asCaller(claimsOf('apus_admin')),
        sql(
          'update app.karte set client_id = (select f.client_id from app.karte f where f.id = $2) where id = $1',
          plan,
          FREMD,
        ),
      )
      await expect(asked('apus_team', 'app.a_repeat_karte_mosaik($1)', plan)).rejects.toMatchObject({
        code: '23514',
        hint: 'karte_mosaik_kunde',
      })
    })
    test('customers order none, and do not see of which plans it was made', async () => {
      await expect(order([SHOWN, HIDDEN], '', 'appuser_admin')).rejects.toMatchObject({ code: 'PT403' })
      await expect(
        rowsOf('appuser_admin', 'app.a_get_karte_ergebnisse($1::bigint[])', `{${SHOWN}}`),
      ).rejects.toMatchObject({ code: 'PT403' })
      expect(await rowsOf('appuser_admin', 'app.a_get_karte_auftraege($1)', MOSAIC)).toEqual([])
    })
    test('the results of plans are listed by name, without those that have none', async () => {
      const found = await rowsOf<KarteResult>(
        'apus_team',
        'app.a_get_karte_ergebnisse($1::bigint[])',
        `{${HIDDEN},${UNCUT},${SHOWN}}`,
      )
      expect(found).toMatchObject([
        { karte_id: SHOWN, map_name: 'Plan 1', datei_id: SHOWN + 10, epsg: 25833, breite: 600 },
        { karte_id: HIDDEN, map_name: 'Plan 2', datei_id: HIDDEN + 10 },
      ])
    })
    test('a sheet’s result is kept until the mosaic is made', async () => {
      const plan = await order([SHOWN, HIDDEN])
      await expect(asked('apus_admin', 'app.a_delete_karte_datei($1)', HIDDEN + 10)).rejects.toMatchObject({
        code: 'PT409',
        hint: 'karte_datei_im_mosaik',
      })
      expect(await asked('apus_team', 'app.a_cancel_karte_auftrag($1)', (await jobOf(plan)).id)).toBe(true)
    })
    test('is made again from the newest results; not while under way, not if a sheet is gone', async () => {
      const plan = await order([SHOWN, HIDDEN], `, ueberlappung => 'dunkel'`)
      const again = () => asked<number>('apus_team', 'app.a_repeat_karte_mosaik($1)', plan)
      await expect(again()).rejects.toMatchObject({ hint: 'karte_auftrag_laeuft' })
      const job = (await take())!
      await asServer(`select maps.job_failed($1, $2, 'karte_zeit', null)`, job.id, job.versuch)
      await engine.owner.script(
        `begin; set local role forst_betrieb;
          insert into app.karte_datei (id, karte_id, client_id, art, name, mime, groesse, sha256, kacheln_sha256,
            breite, hoehe, epsg, umriss, georef_typ)
            select 777, karte_id, client_id, art, name, mime, groesse, '${hashOf(777)}', '${hashOf(777)}', breite,
              hoehe, epsg, umriss, georef_typ from app.karte_datei where id = ${SHOWN + 10}; commit`,
      )
      const id = await again()
      expect(await jobOf(plan)).toMatchObject({
        id,
        werte: { ueberlappung: 'dunkel', blaetter: [{ datei_id: 777 }, { datei_id: HIDDEN + 10 }] },
      })
      await asked('apus_team', 'app.a_cancel_karte_auftrag($1)', id)
      await asked('apus_admin', 'app.a_delete_karte_datei($1)', HIDDEN + 10)
      await expect(again()).rejects.toMatchObject({ hint: 'karte_mosaik_blatt_fehlt' })
    })
  })
