// Rules of subscriptions and vouchers beyond access rights: prices, single use, terms and renewals, revenue.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import cases from '#domain/abo.cases.json' with { type: 'json' }
import type { Statement } from '#server/database/database.ts'
import { ABO_A1, CODE, WITHOUT_CODE } from './cells/abo.ts'
import { rowsOf } from './attempt.ts'
import { asCaller, attempt, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'
import { claimsOf, ISS, NOW } from './world.ts'

/** Turns the JSON result of a start or a voucher check into a row. */
const fields = (call: string) =>
  `select (x.v ->> 'gestartet')::boolean as gestartet, (x.v ->> 'gueltig')::boolean as gueltig,
   x.v ->> 'grund' as grund, (x.v ->> 'id')::bigint as id from (select ${call} as v offset 0) x`
const start = (hqId: number, moduleName: string, code = '') =>
  sql(fields('app.__o_start_abo($1, $2, $3)'), hqId, moduleName, code)
const check = (code: string) => sql(fields('app.__o_check_gutschein($1)'), code)
const abosOf = (hqId: number) => sql('select * from app.abo where hqid = $1 order by id', hqId)

/** One of a hundred foresters, each with a headquarters of the same number. */
const manyOf = (nr: number) => ({
  iss: ISS,
  sub: `many${nr}`,
  iat: NOW,
  exp: NOW + 300,
  role: 'nutzer',
  groups: ['appuser_validated'],
})

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`subscriptions on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      // A1 can buy everything except KAWM.
      await engine.owner.script(`begin; set local role forst_betrieb;
        update app.abo set modul = 'kawm' where id = ${ABO_A1};
        update app.kunde_hq set fe_enabled = false where hqid = ${w.A1}; commit`)
    })
    afterAll(() => engine?.close())
    const as = (name: w.IdentityName, ...statements: Statement[]) =>
      attempt(engine.api, claimsOf(name), ...statements)
    const rows = async (...args: Parameters<typeof as>) => rowsOf(await as(...args))
    const ask = async <T>(text: string, values: unknown[] = []) =>
      (await engine.owner.query<T>(text, values)).rows[0]!

    for (const { why, preis, laufzeit, rabatt, rabatt_monate, netto } of cases.netto)
      test(`net price: ${why}`, async () =>
        expect(
          await ask('select abo.netto($1::numeric, $2::integer, $3::numeric, $4::integer)::text as netto', [
            preis,
            laufzeit,
            rabatt,
            rabatt_monate,
          ]),
        ).toEqual({ netto }))
    for (const { why, beginn, laufzeit, ende } of cases.ende)
      test(`last day: ${why}`, async () =>
        expect(
          await ask('select abo.end_of($1::date, $2::integer)::text as ende', [beginn, laufzeit]),
        ).toEqual({ ende }))

    test('a start takes the list price and switches the module on', async () => {
      const [abo] = await rows(
        'ogf_standard',
        start(w.A1, 'fe'),
        abosOf(w.A1),
        sql(`select * from app.abo where hqid = ${w.A1} and modul = 'fe'`),
      )
      expect(abo).toMatchObject({
        zustand: 'aktiv',
        laufzeit: 12,
        rabatt_monate: 0,
        gutschein_id: null,
        geaendert_von: 'Vor102 Nach102',
      })
      expect(Number(abo!['netto'])).toBe(480)
      expect(
        await rows(
          'ogf_standard',
          start(w.A1, 'fe'),
          sql(`select fe_enabled from app.kunde_hq where hqid = ${w.A1}`),
        ),
      ).toEqual([{ fe_enabled: true }])
    })

    test('fe and its light variant exclude each other, and nothing runs twice', async () => {
      expect(await as('ogf_standard', start(w.A1, 'kawm'))).toMatchObject({ code: 'PT409' })
      expect(await as('ogf_standard', start(w.A1, 'fe'), start(w.A1, 'basis_fe'))).toMatchObject({
        code: 'PT409',
      })
      expect(await as('ogf_standard', start(w.A1, 'basis_fe'), start(w.A1, 'fe'))).toMatchObject({
        code: 'PT409',
      })
    })
    test('what is switched on already is not sold once more, and no voucher is spent on it', async () => {
      const on = (column: string) =>
        sql(`update app.kunde_hq set ${column} = true where hqid = ${w.B1} returning hqid`)
      for (const [column, moduleName] of [
        ['fe_enabled', 'basis_fe'],
        ['basis_fe_enabled', 'basis_fe'],
        ['kawm_enabled', 'kawm'],
      ] as const)
        expect(
          await as('ogf_admin', on(column), start(w.B1, moduleName, CODE)),
          `${column} ${moduleName}`,
        ).toMatchObject({
          code: 'PT409',
          message:
            moduleName === 'basis_fe'
              ? 'a subscription is running already'
              : 'the module is switched on already',
        })
      for (const [column, moduleName] of [
        ['fe_enabled', 'fe'],
        ['fe_enabled', 'basis_fe'],
        ['basis_fe_enabled', 'basis_fe'],
      ] as const)
        expect(
          await as(
            'ogf_admin',
            sql(`update app.kunde_hq set ${column} = true where hqid = ${w.A1}`),
            start(w.A1, moduleName, CODE),
          ),
          `${column} ${moduleName}`,
        ).toMatchObject({ code: 'PT409', message: 'the module is switched on already' })
      // More than what is switched on can still be bought.
      expect(
        await as(
          'ogf_admin',
          sql(`update app.kunde_hq set basis_fe_enabled = true where hqid = ${w.A1}`),
          start(w.A1, 'fe'),
        ),
      ).toMatchObject({
        rows: [{ gestartet: true }],
      })
    })
    test('a headquarters that is not enabled starts nothing; an unknown module is a bad value', async () => {
      expect(await as('multiple_fb', start(w.A2, 'fe'))).toMatchObject({
        code: 'PT409',
        message: 'the headquarters is not enabled',
      })
      expect(await as('ogf_standard', start(w.A1, 'gold'))).toMatchObject({ code: '23514' })
    })

    test('a voucher lowers the price of its kind of module and is then used up', async () => {
      const [abo, again] = await rows(
        'ogf_standard',
        start(w.A1, 'fe', ' test1 test1-TEST1test1 '),
        sql(`select rabatt, rabatt_monate, netto, gutschein_id from app.abo where hqid = ${w.A1} and modul = 'fe'
          union all select 0, 0, 0, case when (app.__o_check_gutschein('${CODE}') ->> 'gueltig')::boolean then 0 end`),
      )
      expect(abo).toMatchObject({ rabatt_monate: 12, gutschein_id: 1 })
      expect(Number(abo!['netto'])).toBe(432)
      expect(again).toMatchObject({ gutschein_id: null })
    })
    test('a code is read without case, blanks and dashes, and as people misread it', async () => {
      for (const code of [
        CODE,
        CODE.toLowerCase(),
        CODE.replaceAll('-', ' '),
        CODE.replaceAll('1', 'l'),
        CODE.replaceAll('1', 'I'),
      ])
        expect(await rows('ogf_standard', check(code)), code).toMatchObject([{ gueltig: true, grund: null }])
    })
    test('a code that does not hold starts nothing and says why', async () => {
      expect(await rows('ogf_standard', start(w.A1, 'fe', 'nonsense'))).toMatchObject([
        { gestartet: false, grund: 'unbekannt', id: null },
      ])
      expect(
        await rows(
          'ogf_standard',
          start(w.A1, 'fe', 'nonsense'),
          sql(`select from app.abo where modul = 'fe' and hqid = ${w.A1}`),
        ),
      ).toEqual([])
      await engine.owner.script(`update app.gutschein set expire_date = checks.today() - 1 where id = 1`)
      expect(await rows('ogf_standard', start(w.A1, 'fe', CODE))).toMatchObject([
        { gestartet: false, grund: 'abgelaufen' },
      ])
      await engine.owner.script(`update app.gutschein set expire_date = checks.today() where id = 1`)
      expect(await rows('ogf_standard', start(w.A1, 'fe', CODE)), 'on its last day').toMatchObject([
        { gestartet: true },
      ])
      await engine.owner.script(`update app.gutschein set expire_date = '2030-01-01' where id = 1`)
    })
    test('a code for another module is kept for that one', async () => {
      await engine.owner.script(`update app.gutschein set rabatt_abo = 0 where id = 1`)
      const kept = sql('select eingeloest_am is null as kept from app.gutschein where id = 1')
      expect(await rows('ogf_standard', start(w.A1, 'fe', CODE))).toMatchObject([
        { gestartet: false, grund: 'modul', id: null },
      ])
      expect((await engine.owner.query(kept.text)).rows).toEqual([{ kept: true }])
      await engine.owner.script(`update app.gutschein set rabatt_abo = 10 where id = 1`)
      expect(await rows('ogf_standard', start(w.A1, 'fe', CODE))).toMatchObject([{ gestartet: true }])
    })
    test('the eleventh try within ten minutes is not answered, not even a right one', async () => {
      const tries = Array.from({ length: 10 }, () => check('wrong'))
      expect(await rows('ogf_standard', ...tries, check(CODE))).toMatchObject([
        { gueltig: false, grund: 'zu_oft' },
      ])
      expect(await rows('ogf_standard', ...tries, start(w.A1, 'fe', CODE))).toMatchObject([
        { gestartet: false, grund: 'zu_oft' },
      ])
    })

    test('a code has 100 bits in 32 signs, is shown once and is found again', async () => {
      const codes = new Set<string>()
      for (let nr = 0; nr < 20; nr++) {
        const [row] = await rows(
          'ogf_admin',
          sql('select app.a_issue_gutschein_code($1) as code', WITHOUT_CODE),
        )
        expect(row!['code']).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/)
        codes.add(String(row!['code']))
      }
      expect(codes.size).toBe(20)
      const issue = sql('select app.a_issue_gutschein_code($1) as code', WITHOUT_CODE)
      expect(await as('ogf_admin', issue, issue)).toMatchObject({ code: 'PT409' })
    })

    test('one code, a hundred people at once: one subscription', async () => {
      await engine.owner.script(`begin; set local role forst_betrieb;
        insert into app.benutzer (user_id, email, username, system_status) select 5000 + n,
          n || '@many.example', n || '@many.example', 'ogf_standard' from generate_series(1, 100) n;
        insert into accounts.identitaet (iss, sub, user_id) select '${ISS}', 'many' || n, 5000 + n
          from generate_series(1, 100) n;
        insert into app.hq ("idHQ", client_id, "sHQ") select 5000 + n, ${w.B}, 'Viele ' || n
          from generate_series(1, 100) n;
        insert into app.kunde_hq (hqid, client_id) select 5000 + n, ${w.B} from generate_series(1, 100) n;
        insert into app.benutzer_hq (client_id, hqid, user_id) select ${w.B}, 5000 + n, 5000 + n
          from generate_series(1, 100) n;
        commit`)
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, (_, at) =>
          engine.api.transaction(
            asCaller(manyOf(at + 1)),
            async (tx) =>
              (await tx.query<{ gestartet: boolean; grund: string | null }>(start(5001 + at, 'fe', CODE)))
                .rows[0]!,
          ),
        ),
      )
      expect(outcomes.filter(({ gestartet }) => gestartet)).toHaveLength(1)
      expect(outcomes.filter(({ grund }) => grund === 'eingeloest')).toHaveLength(99)
      expect(await ask('select count(*)::int as n from app.abo where gutschein_id = 1')).toEqual({ n: 1 })
    })

    /** The outcome of a start while another person's change is in progress and about to be committed. */
    const startDuring = async (nr: number, change: Statement): Promise<unknown> => {
      let finish = () => {}
      const gate = new Promise<void>((resolve) => (finish = resolve))
      let changed = () => {}
      const under = new Promise<void>((resolve) => (changed = resolve))
      const other = engine.api.transaction(asCaller(claimsOf('ogf_admin')), async (tx) => {
        await tx.query(change)
        changed()
        await gate
      })
      await under
      const late = engine.api.once(asCaller(manyOf(nr)), start(5000 + nr, 'kawm')).then(
        () => 'started',
        (error: { code: string }) => error.code,
      )
      await new Promise((resolve) => setTimeout(resolve, 300))
      finish()
      await other
      return late
    }
    test('whose link is taken at this moment starts nothing', async () => {
      expect(
        await startDuring(41, sql(`select app.__o_disconnect_user_from_hq('41@many.example', 5041, 5041)`)),
      ).toBe('PT403')
      expect(await startDuring(42, sql(`select app.a_set_user_enabled(5042, false)`))).toBe('PT403')
    })
    test('a headquarters that is disabled at this moment gets no contract', async () => {
      expect(await startDuring(43, sql(`update app.hq set fb_enabled = false where "idHQ" = 5043`))).toBe(
        'PT409',
      )
      expect(
        await ask(
          `select count(*)::int as n from app.abo where hqid between 5041 and 5043 and modul = 'kawm'`,
        ),
      ).toEqual({ n: 0 })
    })

    test('two starts of the same module at once: one subscription', async () => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 6 }, () =>
          engine.api.transaction(asCaller(claimsOf('ogf_admin')), (tx) => tx.query(start(5100, 'basis_fe'))),
        ),
      )
      expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(
        (
          await ask<{ n: number }>(
            `select count(*)::int as n from app.abo where hqid = 5100 and modul = 'basis_fe'`,
          )
        ).n,
      )
      expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(5)
    })

    describe('the turn of terms', () => {
      beforeAll(() =>
        engine.owner.script(`begin; set local role forst_betrieb;
          delete from app.abo where hqid in (${w.A1}, ${w.A2}, ${w.B1});
          update app.kunde_hq set kawm_enabled = true, fe_enabled = true where hqid in (${w.A1}, ${w.B1});
          insert into app.abo (id, client_id, hqid, modul, beginn, laufzeit, ende, preis, rabatt, rabatt_monate,
            netto, ust_satz, rabatt_rest, zustand, gekuendigt_am, schaltet, gutschein_id) values
            (50, ${w.A}, ${w.A1}, 'kawm', '2026-01-01', 12, '2026-12-31', 300, 25, 12, 225, 19,
             6, 'aktiv', null, true, 2),
            (51, ${w.A}, ${w.A1}, 'fe', '2026-01-01', 12, '2026-12-31', 480, 0, 0, 480, 19, 0,
             'gekuendigt', now(), true, null),
            (52, ${w.B}, ${w.B1}, 'fe', '2026-01-01', 12, '2026-12-31', 480, 0, 0, 480, 19, 0,
             'gekuendigt', now(), false, null);
          commit`),
      )
      const turn = async (day: string) =>
        Number((await ask<{ n: number }>('select abo.renew_due($1::date) as n', [day])).n)

      test('nothing on the last day itself', async () => expect(await turn('2026-12-31')).toBe(0))
      test('on the day after it: ended or renewed, at that day’s list price, less what discount is left', async () => {
        expect(await turn('2027-01-01')).toBe(3)
        expect(await turn('2027-01-01'), 'a second run changes nothing').toBe(0)
        const { rows: terms } = await engine.owner.query<object>(
          `select vorgaenger_id::int, beginn::text, ende::text, preis::text, rabatt_monate, netto::text,
           rabatt_rest, zustand from app.abo where hqid = ${w.A1} and modul = 'kawm' order by id`,
        )
        expect(terms).toEqual([
          expect.objectContaining({ zustand: 'beendet', vorgaenger_id: null }),
          // 360 for twelve months, with a quarter off for the voucher's remaining six months.
          {
            vorgaenger_id: 50,
            beginn: '2027-01-01',
            ende: '2027-12-31',
            preis: '360.00',
            rabatt_monate: 6,
            netto: '315.00',
            rabatt_rest: 0,
            zustand: 'aktiv',
          },
        ])
      })
      test('the end of a cancelled one switches off what it had switched on, and nothing else', async () => {
        const { rows: switches } = await engine.owner.query<object>(
          `select hqid::int, fe_enabled, kawm_enabled from app.kunde_hq where hqid in (${w.A1}, ${w.B1}) order by hqid`,
        )
        expect(switches).toEqual([
          { hqid: w.A1, fe_enabled: false, kawm_enabled: true },
          { hqid: w.B1, fe_enabled: true, kawm_enabled: true },
        ])
      })
      test('several years asleep: every term is made up for', async () => {
        expect(await turn('2030-01-01')).toBeGreaterThanOrEqual(2)
        expect(
          await ask(`select max(ende)::text as ende from app.abo where hqid = ${w.A1} and modul = 'kawm'`),
        ).toEqual({
          ende: '2030-12-31',
        })
      })
      test('months of revenue add up to the price of the term', async () => {
        const [sum] = await rows(
          'ogf_admin',
          sql(
            `select sum(netto)::text as netto, count(*)::int as months, min(monat)::text as first
             from app.a_get_abo_einnahmen('2026-01-15', '2026-12-31') where modul = 'kawm' and monat < '2027-01-01'`,
          ),
        )
        expect(sum).toMatchObject({ months: 12, first: '2026-01-01' })
        const all = await rows(
          'ogf_admin',
          sql(
            `select monat::text, netto::text from app.a_get_abo_einnahmen('2027-01-01', '2027-12-31')
             where modul = 'kawm'`,
          ),
        )
        expect(all.reduce((total, row) => total + Number(row['netto']), 0)).toBeCloseTo(315, 2)
      })
      test('a range that makes no sense is refused', async () => {
        expect(
          await as('ogf_admin', sql(`select from app.a_get_abo_einnahmen('2026-02-01', '2026-01-01')`)),
        ).toMatchObject({
          code: '23514',
        })
        expect(
          await as('ogf_admin', sql(`select from app.a_get_abo_einnahmen('1900-01-01', '2026-01-01')`)),
        ).toMatchObject({
          code: '23514',
        })
      })
    })

    test('cancelling and taking it back', async () => {
      await engine.owner.script(
        `insert into app.abo (id, client_id, hqid, modul, beginn, laufzeit, ende, preis, netto, ust_satz)
         values (60, ${w.A}, ${w.A1}, 'basis_fe', current_date, 12, current_date + 364, 240, 240, 19)`,
      )
      const [cancel, resume] = [sql('select app.__o_cancel_abo(60)'), sql('select app.__o_resume_abo(60)')]
      expect(await as('ogf_standard', cancel, cancel)).toMatchObject({ code: 'PT409' })
      expect(await as('ogf_standard', resume)).toMatchObject({ code: 'PT409' })
      expect(
        await rows(
          'ogf_standard',
          cancel,
          resume,
          sql('select zustand, gekuendigt_am from app.abo where id = 60'),
        ),
      ).toEqual([{ zustand: 'aktiv', gekuendigt_am: null }])
    })

    test('what was done is in the history, with the name', async () => {
      const history = sql(
        `select wer, neu ->> 'zustand' as zustand from app.verlauf
         where tabelle = 'abo' and aktion = 'geaendert' order by id desc limit 1`,
      )
      expect(await rows('ogf_standard', sql('select app.__o_cancel_abo(60)'), history)).toMatchObject([
        { wer: 'Vor102 Nach102', zustand: 'gekuendigt' },
      ])
    })
  })
