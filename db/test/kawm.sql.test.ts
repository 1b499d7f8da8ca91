// KAWM beyond its case table: trees by stand, computed by hand; the state on a given day; who may have
// evidence recorded.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { KawmBestaende } from '#contract/kawm.ts'
import { DatabaseFault } from '#server/database/database.ts'
import { STAND_A1, STAND_A1_2 } from './cells/bestand.ts'
import { asCaller, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { A, A1, A2, B1, claimsOf, type IdentityName, NAMES } from './world.ts'

const HASH = 'ab'.repeat(32)

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`KAWM on ${engineName}`, () => {
    let engine: Engine
    const done = async <T>(who: IdentityName, call: string, ...values: unknown[]): Promise<T> => {
      const { rows } = await engine.api.once<{ answer: string }>(
        asCaller(claimsOf(who)),
        sql(`select to_jsonb((${call}))::text as answer`, ...values),
      )
      return JSON.parse(rows[0]!.answer) as T
    }
    const owner = (text: string) =>
      engine.owner.script(`begin; set local role forst_betrieb; ${text}; commit`)
    const code = async (work: Promise<unknown>): Promise<string> => {
      try {
        await work
        return 'ok'
      } catch (error) {
        if (!(error instanceof DatabaseFault)) throw error
        return [error.code, error.hint].filter(Boolean).join(' ')
      }
    }
    /**
     * In EPSG:25833, where the stands of A1 are: 320000 to 320200 and to 320400 east, 5690000 to 5690100
     * north, two hectares each.
     */
    const tree = (
      nr: number,
      east: number,
      north: number,
      more: Readonly<Record<string, string>> = {},
    ): string => {
      const columns = ['id', 'client_id', '"idHQ"', 'art', 'lon', 'lat', ...Object.keys(more)].join(', ')
      const place = `st_transform(st_setsrid(st_makepoint(${east}, ${north}), 25833), 4326)`
      return `insert into app.habitatbaeume (${columns})
        select ${nr}, ${A}, ${A1}, 'bu', st_x(${place}), st_y(${place})${Object.values(more)
          .map((value) => `, ${value}`)
          .join('')};`
    }
    const ADDRESS = { '"sLVL02"': "'3'", '"sLVL03"': "'17'", '"sLVL04"': "'b'", '"iSTAND"': '2' }
    const LOST = { verlust_datum: "'2026-06-15'", verlust_grund: "'brand'" }
    const marked = (art: string, day?: string) => ({
      markierung_art: `'${art}'`,
      ...(day === undefined ? {} : { markierung_datum: `'${day}'` }),
    })
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await owner(`delete from app.habitatbaeume where "idHQ" = ${A1};
        ${tree(901, 320_050, 5_690_050, { ...ADDRESS, ...marked('welle', '2026-03-10'), erfasst_am: "'2026-03-01'" })}
        ${tree(902, 320_060, 5_690_050, { ...ADDRESS, status: "'anwaerter'", erfasst_am: "'2026-03-31'" })}
        -- Its address names the first stand, it lies in the second: the address counts.
        ${tree(903, 320_300, 5_690_050, { ...ADDRESS, markierung_art: "'band'", erfasst_am: "'2026-04-01'" })}
        -- No address, and one that is no stand's: where they lie.
        ${tree(904, 320_310, 5_690_050, { ...marked('farbe', '2026-05-02'), erfasst_am: "'2026-04-01'" })}
        ${tree(905, 320_320, 5_690_060, { '"sLVL02"': "'99'", erfasst_am: "'2026-05-01'" })}
        -- In no stand.
        ${tree(906, 321_500, 5_690_500, { erfasst_am: "'2026-05-01'", status: "'anwaerter'", ...marked('welle') })}
        -- Lost, and not for the grant.
        ${tree(907, 320_070, 5_690_050, { ...ADDRESS, ...LOST, ...marked('welle'), erfasst_am: "'2026-03-01'" })}
        ${tree(908, 320_080, 5_690_050, { ...ADDRESS, kawm: 'false', erfasst_am: "'2026-03-01'" })}
        update app.hq set "dcFLAEHB" = 4 where "idHQ" = ${A1};
        update app.kunde_hq set kawm_enabled = true, kawm_approval_date = '2025-11-01' where hqid = ${A1}`)
    })
    afterAll(() => engine?.close())

    test('each tree counts in one stand: by its address, else where it lies', async () => {
      const { bestaende, ohne_bestand, monate, markiert_ohne_datum, ebenen } = await done<KawmBestaende>(
        'ogf_standard',
        `app.a_get_kawm_bestaende(${A1})`,
      )
      // [id, levels, number, hectares, recorded, marked, candidates, placed by position]; Abteilung 2 before
      // 17.
      expect(bestaende).toEqual([
        [STAND_A1_2, [null, '3', '2', 'a', null], 1, 2, 2, 1, 0, 2],
        [STAND_A1, [null, '3', '17', 'b', null], 2, 2, 3, 2, 1, 0],
      ])
      expect(ohne_bestand).toEqual({ erfasst: 1, markiert: 1, anwaerter: 1 })
      expect(monate).toEqual([
        ['2026-03', 2, 1],
        ['2026-04', 2, 0],
        ['2026-05', 2, 1],
      ])
      expect(markiert_ohne_datum).toBe(2)
      expect(ebenen).toHaveLength(5)
    })
    test('by stand and in no stand are together what the headquarters has', async () => {
      const { bestaende, ohne_bestand } = await done<KawmBestaende>(
        'ogf_admin',
        `app.a_get_kawm_bestaende(${A1})`,
      )
      const kawm = await done<{ erfasst: number; markiert: number; anwaerter: number }>(
        'ogf_admin',
        `app.__o_get_kawm(${A1})`,
      )
      const sum = (at: 4 | 5 | 6) => bestaende.reduce((total, row) => total + row[at], 0)
      expect([
        sum(4) + ohne_bestand.erfasst,
        sum(5) + ohne_bestand.markiert,
        sum(6) + ohne_bestand.anwaerter,
      ]).toEqual([kawm.erfasst, kawm.markiert, kawm.anwaerter])
    })
    test('without stands every tree stands in none', async () => {
      const answer = await done<KawmBestaende>('ogf_admin', `app.a_get_kawm_bestaende(${B1})`)
      expect(answer.bestaende).toHaveLength(1)
      expect(answer.bestaende[0]![4] + answer.ohne_bestand.erfasst).toBe(1)
    })

    test('a day shows what was recorded, marked and not lost by then', async () => {
      const am = async (tag: string) => {
        const k = await done<Record<string, unknown>>('ogf_standard', `forest.kawm_on(${A1}, '${tag}')`)
        return [
          k['erfasst'],
          k['markiert'],
          k['anwaerter'],
          k['verloren'],
          k['ohne_kawm'],
          k['soll'],
          k['fehlend'],
          k['tage'],
        ]
      }
      expect(await am('2026-02-28')).toEqual([0, 0, 0, 0, 0, 20, 20, 611])
      // Recorded by then: 901 and the tree lost later, whose marking has no date; 901 was marked on the 10th.
      expect(await am('2026-03-09')).toEqual([2, 1, 0, 0, 1, 20, 18, 602])
      expect(await am('2026-03-10')).toEqual([2, 2, 0, 0, 1, 20, 18, 601])
      expect(await am('2026-06-14')).toEqual([7, 5, 2, 0, 1, 20, 13, 505])
      expect(await am('2026-06-15')).toEqual([6, 4, 2, 1, 1, 20, 14, 504])
    })
    test('today is what the headquarters has now', async () => {
      const today = await done<Record<string, unknown>>('ogf_team', `forest.kawm_on(${A1}, checks.today())`)
      const present = await done<Record<string, unknown>>('ogf_team', `app.__o_get_kawm(${A1})`)
      delete present['bestaende']
      expect(today).toEqual(present)
    })
    test('no day before there were grants, and none to come', async () => {
      for (const tag of ["'1999-12-31'", 'checks.today() + 1', 'null::date'])
        expect(await code(done('ogf_admin', `forest.kawm_on(${A1}, ${tag})`)), tag).toBe('23514 kawm_tag')
    })

    describe('every role', () => {
      const OWN: readonly IdentityName[] = [
        'ogf_standard',
        'ogf_fb_admin',
        'multiple_fb',
        'kundenadmin',
        'ogf_team',
        'ogf_admin',
        'admin',
      ]
      const STAFF: readonly IdentityName[] = ['ogf_team', 'ogf_admin', 'admin']
      const rememberCall = (hq: number) =>
        `forest.record_kawm_evidence(${hq}, '2026-06-30', 'n.zip', 10, '${HASH}', '{"soll": 20}')`
      test.each(NAMES)('%s', async (who) => {
        const [own, foreign] = [OWN.includes(who) ? 'ok' : 'PT404', STAFF.includes(who) ? 'ok' : 'PT404']
        for (const call of ['app.a_get_kawm_bestaende(HQ)', `forest.kawm_on(HQ, '2026-06-30')`])
          for (const [hq, expected] of [
            [A1, own],
            [B1, foreign],
            [9_999, 'PT404'],
          ] as const)
            expect(await code(done(who, call.replace('HQ', String(hq)))), `${call} ${hq}`).toBe(expected)
        const heads = await Promise.all(
          [A1, B1].map((hq) => done<{ idHQ: number } | null>(who, `forest.report_head(${hq})`)),
        )
        expect(heads.map((head) => head?.idHQ ?? null)).toEqual([
          own === 'ok' ? A1 : null,
          foreign === 'ok' ? B1 : null,
        ])
        const places = await Promise.all(
          [A1, B1].map((hq) => done<number>(who, `select count(*) from forest.kawm_places(${hq})`)),
        )
        expect(places.map((n) => n > 0)).toEqual([own === 'ok', foreign === 'ok'])
        // Switched on for A1 only.
        expect(await code(done(who, rememberCall(A1)))).toBe(own)
        expect(await code(done(who, rememberCall(B1)))).toBe(
          foreign === 'ok' ? 'PT403 kawm_modul_aus' : 'PT404',
        )
        const { rows } = await engine.api.once<{ n: number }>(
          asCaller(claimsOf(who)),
          sql(
            `select count(*)::integer as n from app.verlauf where tabelle = 'kawm_nachweis' and schluessel = '${A1}'`,
          ),
        )
        expect(rows[0]!.n > 0, 'reads who made which').toBe(own === 'ok')
      })
      test('an evidence is in the history with its maker, its day and its digest', async () => {
        const { rows } = await engine.api.once<{ wer: string; client_id: number; hqid: number; neu: string }>(
          asCaller(claimsOf('ogf_standard')),
          sql(
            `select wer, client_id, hqid, neu::text as neu from app.verlauf
             where tabelle = 'kawm_nachweis' order by id limit 1`,
          ),
        )
        expect({ ...rows[0], neu: JSON.parse(rows[0]!.neu) }).toMatchObject({
          wer: expect.stringMatching(/^Vor\d+ Nach\d+$/),
          client_id: A,
          hqid: A1,
          neu: { stichtag: '2026-06-30', dateiname: 'n.zip', groesse: 10, sha256: HASH, soll: 20 },
        })
      })
      test('a digest that is none is not written down', async () =>
        expect(
          await code(
            done('ogf_admin', `forest.record_kawm_evidence(${A1}, '2026-06-30', 'n.zip', 10, 'x', '{}')`),
          ),
        ).toBe('23514 kawm_nachweis'))
      test('nobody writes into the history by hand', async () =>
        expect(
          await code(
            engine.api.once(
              asCaller(claimsOf('ogf_admin')),
              sql(
                `insert into app.verlauf (tabelle, schluessel, aktion) values ('kawm_nachweis', '1', 'neu')`,
              ),
            ),
          ),
        ).toBe('42501'))
    })

    test('a disabled headquarters is its admins’ and staff’s alone', async () => {
      expect(await code(done('multiple_fb', `app.a_get_kawm_bestaende(${A2})`))).toBe('PT404')
      expect(await code(done('kundenadmin', `app.a_get_kawm_bestaende(${A2})`))).toBe('ok')
    })

    // A query plan that scans all trees for each stand hits the time limit; `npm run bench:forst` measures
    // the duration.
    test('20,000 trees in 3,000 stands are each counted once', { timeout: 120_000 }, async () => {
      await engine.owner.script(`begin; set local role forst_betrieb;
        insert into app.bestand ("idHQ", client_id, import_id, "sLVL02", "sLVL03", "iSTAND", geom, flaeche_ha)
          select ${A2}, ${A}, (select id from app.bestand_import where "idHQ" = ${A2} limit 1), 'X' || n % 30,
            n::text, n, st_multi(st_transform(st_makeenvelope(330000 + n % 60 * 100, 5690000 + n / 60 * 100,
            330100 + n % 60 * 100, 5690100 + n / 60 * 100, 25833), 4326)), 1
          from generate_series(0, 2999) n;
        insert into app.habitatbaeume (client_id, "idHQ", art, lon, lat, "sLVL02", "sLVL03", "iSTAND", markierung_art)
          select ${A}, ${A2}, 'bu', st_x(p), st_y(p), case when n % 2 = 0 then 'X' || n % 3000 % 30 end,
            case when n % 2 = 0 then (n % 3000)::text end, case when n % 2 = 0 then n % 3000 end, 'welle'
          from (select n, st_transform(st_setsrid(st_makepoint(330050 + n % 60 * 100,
            5690050 + n % 3000 / 60 * 100), 25833), 4326) p from generate_series(0, 19999) n) v;
        commit; analyze app.habitatbaeume; analyze app.bestand`)
      const { bestaende, ohne_bestand } = await done<KawmBestaende>(
        'ogf_team',
        `app.a_get_kawm_bestaende(${A2})`,
      )
      expect(bestaende).toHaveLength(3_001)
      expect(bestaende.reduce((sum, row) => sum + row[4], 0)).toBe(20_001)
      expect(bestaende.reduce((sum, row) => sum + row[7], 0)).toBe(10_001)
      expect(ohne_bestand.erfasst).toBe(0)
    })
  })
