// Habitat trees beyond the matrix: captures sent repeatedly, what is refused and at which field, check-ups,
// photos, checks, and the grant against its case table.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HabitatCheck, HabitatSyncAnswer, Kawm } from '#contract/habitat.ts'
import { HABITAT_SPECIES } from '#domain/habitat/species.ts'
import { STRUCTURES } from '#domain/habitat/structures.ts'
import kawmCases from '#domain/kawm.cases.json' with { type: 'json' }
import type { Statement } from '#server/database/database.ts'
import { TREE_A1, TREE_A2, TREE_B1, DELETED, idOf } from './cells/habitat.ts'
import { asCaller, attempt, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { A, A1, A2, B, B1, claimsOf, IDENTITIES, type IdentityName } from './world.ts'

const HASH = (nr: number): string => String(nr).padStart(64, '0')

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`habitat trees on ${engineName}`, () => {
    let engine: Engine
    let [lon, lat] = [0, 0]
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      const { rows } = await engine.owner.query<{ lon: number; lat: number }>(
        `select lon, lat from app.habitatbaeume where id = ${TREE_A1}`,
      )
      ;[lon, lat] = [Number(rows[0]!.lon), Number(rows[0]!.lat)]
    })
    afterAll(() => engine?.close())

    const as = (who: IdentityName, ...statements: Statement[]) =>
      attempt(engine.api, claimsOf(who), ...statements)
    /** Commits, unlike `as`. The answer comes as text because the engines read JSON differently. */
    const done = async <T>(who: IdentityName, call: string, ...values: unknown[]): Promise<T> => {
      const { rows } = await engine.api.once<{ answer: string }>(
        asCaller(claimsOf(who)),
        sql(`select to_jsonb((${call}))::text as answer`, ...values),
      )
      return JSON.parse(rows[0]!.answer) as T
    }
    const sync = (who: IdentityName, ...captures: object[]): Promise<HabitatSyncAnswer[]> =>
      done(who, 'app.__o_sync_habitatbaeume($1::jsonb)', JSON.stringify(captures))
    const owner = (text: string) =>
      engine.owner.script(`begin; set local role forst_betrieb; ${text}; commit`)
    const count = async (from: string): Promise<number> =>
      Number((await engine.owner.query<{ n: string }>(`select count(*)::text as n from ${from}`)).rows[0]!.n)
    const freshTree = (nr: number, more: object = {}) => ({
      kennung: idOf(nr),
      version: null,
      idHQ: A1,
      art: 'bu',
      lon,
      lat,
      ...more,
    })
    const server = (call: string, ...values: unknown[]) => ({
      by: async (who: IdentityName) => {
        const { rows } = await engine.api.once<Record<string, unknown>>(
          { ...asCaller(claimsOf(who)), role: 'forst_karte' },
          sql(call, ...values),
        )
        return rows
      },
    })

    test('species and structures are those of the domain', async () => {
      const { rows } = await engine.owner.query<{ arten: string; larrieu: string; kraus: string }>(
        `select forest.habitat_species()::text as arten, forest.habitat_structures('larrieu_2018')::text as larrieu,
         forest.habitat_structures('kraus_2016')::text as kraus`,
      )
      const of = (system: string) => STRUCTURES.filter((one) => one.system === system).map(({ code }) => code)
      expect(rows).toEqual([
        {
          arten: `{${HABITAT_SPECIES.map(({ code }) => code).join(',')}}`,
          larrieu: `{${of('larrieu_2018').join(',')}}`,
          kraus: `{${of('kraus_2016').join(',')}}`,
        },
      ])
    })

    test('the grant is computed as the domain does', async () => {
      const { rows } = await engine.owner.query<{ answer: string }>(
        `select jsonb_agg(forest.kawm(modul, eigene, flaeche_eigen, flaeche_fe, bewilligung, heute, erfasst,
         markiert, ohne_bild) order by nr)::text as answer
           from jsonb_array_elements($1::jsonb) with ordinality as e(c, nr),
             jsonb_to_record(c -> 'stand') as s(modul boolean, eigene boolean, flaeche_eigen numeric,
             flaeche_fe numeric, bewilligung date, heute date,
             erfasst integer, markiert integer, ohne_bild integer)`,
        [JSON.stringify(kawmCases)],
      )
      const answers = JSON.parse(rows[0]!.answer) as unknown[]
      for (const [nr, { why, ergebnis }] of kawmCases.entries()) expect(answers[nr], why).toEqual(ergebnis)
    })

    describe('captures of a device', () => {
      test('a new tree is one tree, however often and in whatever company it is sent', async () => {
        const capture = freshTree(101, {
          bhd_cm: 61.25,
          strukturen: [{ code: '1.3', system: 'larrieu_2018', menge: 2 }],
          kontrollen: [{ kennung: idOf(111), datum: '2026-05-01', ergebnis: 'vorhanden' }],
        })
        const [first] = await sync('ogf_standard', capture)
        expect([first!.ergebnis, first!.baum?.version, first!.baum?.bhd_cm, first!.baum?.erfasser]).toEqual([
          'angelegt',
          1,
          61.3,
          'Vor102 Nach102',
        ])
        expect(first!.baum).not.toHaveProperty('g3857')
        const again = await sync('ogf_standard', capture, freshTree(102), capture)
        expect(again.map(({ ergebnis }) => ergebnis)).toEqual(['unveraendert', 'angelegt', 'unveraendert'])
        expect(again[0]!.baum?.id).toBe(first!.baum?.id)
        expect(await count(`app.habitatbaeume where kennung in ('${idOf(101)}', '${idOf(102)}')`)).toBe(2)
        expect(await count(`app.habitatkontrollen where habitat_id = ${first!.baum!.id}`)).toBe(1)
      })
      test('two devices send the same at the same time', async () => {
        const captures = Array.from({ length: 20 }, (_, nr) => freshTree(300 + nr))
        const answers = await Promise.all([
          sync('ogf_standard', ...captures),
          sync('ogf_standard', ...captures),
        ])
        expect(answers.flat().filter(({ ergebnis }) => ergebnis === 'angelegt')).toHaveLength(20)
        expect(answers.flat().filter(({ ergebnis }) => ergebnis === 'unveraendert')).toHaveLength(20)
      })
      // The embedded engine has one session.
      test.skipIf(engineName === 'embedded')(
        'a change that waits for a deletion is told that the tree is gone',
        async () => {
          const [made] = await sync('ogf_standard', freshTree(190))
          const deleted = Promise.withResolvers<void>()
          const ends = Promise.withResolvers<void>()
          const deleting = engine.api.transaction(asCaller(claimsOf('ogf_admin')), async (tx) => {
            await tx.query(sql('delete from app.habitatbaeume where kennung = $1', idOf(190)))
            deleted.resolve()
            await ends.promise
          })
          await deleted.promise
          const change = { kennung: idOf(190), version: made!.baum!.version, bemerkung: 'zu spät' }
          const answered = sync('ogf_standard', change)
          await new Promise((resolve) => setTimeout(resolve, 300))
          ends.resolve()
          await deleting
          expect(await answered).toMatchObject([{ ergebnis: 'geloescht', baum: null }])
          expect(await sync('ogf_standard', change)).toMatchObject([{ ergebnis: 'geloescht' }])
        },
      )
      test('an answer that was lost: what the device says meanwhile is newer', async () => {
        const [answer] = await sync('ogf_standard', freshTree(102, { bemerkung: 'nachgetragen' }))
        expect([answer!.ergebnis, answer!.baum?.version, answer!.baum?.bemerkung]).toEqual([
          'geaendert',
          2,
          'nachgetragen',
        ])
      })
      test('a change of the present version is made once; sent again it is known and overwrites nothing', async () => {
        const change = { kennung: idOf(101), version: 1, status: 'anwaerter' }
        const [made] = await sync('ogf_standard', change)
        expect([made!.ergebnis, made!.baum?.version, made!.baum?.status]).toEqual([
          'geaendert',
          2,
          'anwaerter',
        ])
        const [other] = await sync('ogf_fb_admin', {
          kennung: idOf(101),
          version: 2,
          status: 'baum',
          nummer: '17',
        })
        expect([other!.ergebnis, other!.baum?.version]).toEqual(['geaendert', 3])
        const [again] = await sync('ogf_standard', change)
        expect([again!.ergebnis, again!.baum?.status, again!.baum?.version]).toEqual([
          'unveraendert',
          'baum',
          3,
        ])
      })
      test('a change of an older version is a conflict and changes nothing; what agrees already is none', async () => {
        const [conflict] = await sync('ogf_standard', {
          kennung: idOf(101),
          version: 1,
          bhd_cm: 70,
          kontrollen: [{ kennung: idOf(112), datum: '2026-06-01', ergebnis: 'veraendert' }],
        })
        expect([
          conflict!.ergebnis,
          conflict!.baum?.bhd_cm,
          conflict!.baum?.nummer,
          conflict!.baum?.version,
        ]).toEqual(['konflikt', 61.3, '17', 3])
        // A check-up is always added and never conflicts.
        expect(await count(`app.habitatkontrollen where habitat_id = ${conflict!.baum!.id}`)).toBe(2)
        expect(
          (await sync('ogf_standard', { kennung: idOf(101), version: 1, bhd_cm: 61.3 }))[0]!.ergebnis,
        ).toBe('unveraendert')
      })
      test('what was deleted stays deleted, in every way', async () => {
        const [tree] = await sync(
          'ogf_fb_admin',
          freshTree(103, {
            kontrollen: [{ kennung: idOf(113), datum: '2026-05-01', ergebnis: 'vorhanden' }],
          }),
        )
        expect(
          await as('ogf_fb_admin', sql('delete from app.habitatbaeume where id = $1', tree!.baum!.id)),
        ).toMatchObject({ count: 1 })
        await engine.api.once(
          asCaller(claimsOf('ogf_fb_admin')),
          sql('delete from app.habitatbaeume where id = $1', tree!.baum!.id),
        )
        const answers = await sync('ogf_standard', freshTree(103), {
          kennung: idOf(103),
          version: 1,
          nummer: '1',
        })
        expect(answers.map(({ ergebnis, baum }) => [ergebnis, baum])).toEqual([
          ['geloescht', null],
          ['geloescht', null],
        ])
        expect(
          await as(
            'ogf_standard',
            sql(
              `insert into app.habitatbaeume (kennung, "idHQ", art, lon, lat)
               values ($1::uuid, ${A1}, 'bu', 12.4, 51.3)`,
              idOf(103),
            ),
          ),
        ).toMatchObject({ code: 'PT409' })
        expect(
          await count(`forest.habitat_geloescht where kennung in ('${idOf(103)}', '${idOf(113)}')`),
        ).toBe(2)
      })
      test('of foreign and disabled headquarters nothing is taken or told, nor of what was deleted there', async () => {
        await owner(
          `insert into forest.habitat_geloescht (kennung, art, client_id, "idHQ")
           values ('${idOf(91)}', 'baum', ${B}, ${B1})`,
        )
        for (const capture of [
          freshTree(104, { idHQ: B1 }),
          freshTree(104, { idHQ: A2 }),
          freshTree(104, { idHQ: 999 }),
          { kennung: idOf(TREE_B1), version: 1, nummer: '1' },
          { kennung: idOf(TREE_A2), version: 1, nummer: '1' },
          { kennung: idOf(91), version: 1, nummer: '1' },
        ])
          expect(await sync('ogf_standard', capture), JSON.stringify(capture)).toMatchObject([
            { ergebnis: 'abgelehnt', regel: 'habitat_nicht_erlaubt', baum: null },
          ])
        // The kennung of another customer's tree is taken; its owner is not disclosed.
        expect(await sync('ogf_standard', freshTree(TREE_B1))).toMatchObject([
          { ergebnis: 'abgelehnt', regel: 'habitat_kennung_vergeben', baum: null },
        ])
        expect(await count(`app.habitatbaeume where kennung = '${idOf(104)}'`)).toBe(0)
        expect(await sync('kundenadmin', { kennung: idOf(TREE_A1), version: 1, nummer: '1' })).toMatchObject([
          { ergebnis: 'abgelehnt', baum: null },
        ])
        // A tree cannot be moved by capturing it where the capturer has rights.
        expect(
          await sync('ogf_admin', { kennung: idOf(TREE_A1), version: null, idHQ: B1, nummer: '1' }),
        ).toMatchObject([{ ergebnis: 'abgelehnt' }])
      })
      test('read from a rescue file by somebody else, a capture is there once, whoever was first', async () => {
        const [first, second] = [freshTree(130, { nummer: 'R 1' }), freshTree(131, { nummer: 'R 2' })]
        const visit = { kennung: idOf(132), datum: '2026-11-22', ergebnis: 'vorhanden' }
        const change = { kennung: idOf(130), version: 1, nummer: 'R 1 b', kontrollen: [visit] }
        expect(await sync('ogf_standard', first, change)).toMatchObject([
          { ergebnis: 'angelegt' },
          { ergebnis: 'geaendert' },
        ])
        // All of it is in the file, which the administration reads twice.
        for (const again of [1, 2])
          expect(await sync('ogf_admin', first, change, second), String(again)).toMatchObject([
            { ergebnis: 'unveraendert' },
            { ergebnis: 'unveraendert' },
            { ergebnis: again === 1 ? 'angelegt' : 'unveraendert' },
          ])
        expect(await sync('ogf_standard', second)).toMatchObject([{ ergebnis: 'unveraendert' }])
        expect(await count(`app.habitatbaeume where nummer like 'R %'`)).toBe(2)
        expect(await count(`app.habitatkontrollen where kennung = '${idOf(132)}'`)).toBe(1)
        // Who may not write there reads in nothing.
        expect(await sync('kundenadmin', freshTree(133), { ...change, nummer: 'R 9' })).toMatchObject([
          { ergebnis: 'abgelehnt' },
          { ergebnis: 'abgelehnt' },
        ])
      })
      test('the link that was taken away counts at the next call', async () => {
        const link = `hqid = ${A1} and user_id = ${IDENTITIES.ogf_standard.user_id}`
        await owner(`update app.hq set fb_enabled = false where "idHQ" = ${A1}`)
        expect(await sync('ogf_standard', freshTree(105))).toMatchObject([{ ergebnis: 'abgelehnt' }])
        await owner(
          `update app.hq set fb_enabled = true where "idHQ" = ${A1}; delete from app.benutzer_hq where ${link}`,
        )
        expect(await sync('ogf_standard', freshTree(105))).toMatchObject([{ ergebnis: 'abgelehnt' }])
        await owner(
          `insert into app.benutzer_hq (client_id, hqid, user_id)
           values (${A}, ${A1}, ${IDENTITIES.ogf_standard.user_id})`,
        )
        expect(await sync('ogf_standard', freshTree(105))).toMatchObject([{ ergebnis: 'angelegt' }])
      })
      test('one bad capture keeps none of the others from being taken', async () => {
        const answers = await sync(
          'ogf_standard',
          freshTree(106, { art: 'einhorn' }),
          freshTree(107),
          { kennung: 'keine', version: null },
          freshTree(108, { bhd_cm: 'dick' }),
          freshTree(109, { client_id: 2 }),
          { version: null },
        )
        expect(answers.map(({ ergebnis, regel, feld }) => [ergebnis, regel, feld])).toEqual([
          ['abgelehnt', 'habitat_art', 'art'],
          ['angelegt', null, null],
          ['abgelehnt', 'habitat_wert', null],
          ['abgelehnt', 'habitat_wert', null],
          ['abgelehnt', 'unbekanntes_feld', 'client_id'],
          ['abgelehnt', 'fehlt', 'kennung'],
        ])
        expect(await as('ogf_standard', sql(`select app.__o_sync_habitatbaeume('{}')`))).toMatchObject({
          code: '23514',
        })
        expect(
          await as(
            'ogf_standard',
            sql(
              `select app.__o_sync_habitatbaeume((select jsonb_agg('{}'::jsonb) from generate_series(1, 501)))`,
            ),
          ),
        ).toMatchObject({ code: '23514' })
      })
    })

    test('what no device sends is refused capture by capture, and nothing of it is kept', async () => {
      const odd: object[] = [
        ...['lon', 'lat', 'bhd_cm', 'hoehe_m', 'genauigkeit_m', 'iSTAND'].flatMap((field) =>
          ['NaN', 'Infinity', '-Infinity', 1e308, -1e308, '1e999', '', ' ', [], {}, true].map((wert) => ({
            [field]: wert,
          })),
        ),
        ...['erfasst_am', 'markierung_datum', 'verlust_datum'].flatMap((field) =>
          [
            '9999-12-31',
            '0000-00-00',
            'infinity',
            '-infinity',
            '2026-02-30',
            '12026-01-01',
            '0044-03-15 BC',
            4,
            {},
          ].map((wert) => ({
            ...(field === 'markierung_datum' && { markierung_art: 'welle' }),
            ...(field === 'verlust_datum' && { verlust_grund: 'brand' }),
            [field]: wert,
          })),
        ),
        ...[
          'nummer',
          'art',
          'art_text',
          'erfasser',
          'sLVL01',
          'sLVL05',
          'bemerkung',
          'zustand',
          'status',
          'lage_methode',
        ].flatMap((field) =>
          [
            'x'.repeat(200_000),
            'a\u0007b',
            '\u202e'.repeat(3_000),
            ['x'.repeat(3_000)],
            { toString: 'y'.repeat(3_000) },
          ].map((wert) => ({
            [field]: wert,
          })),
        ),
        ...[
          null,
          1,
          '1.3',
          [[]],
          [{ code: '1.3' }],
          [{ code: ['1.3'], system: 'larrieu_2018' }],
          Array.from({ length: 5_000 }, () => ({})),
        ].map((structures) => ({ strukturen: structures })),
        ...[1.5, 2 ** 40, -1, 'eins', {}].map((version) => ({ version })),
        ...[null, 0, -1, 2 ** 70, 'A', `${A1} or 1=1`, [A1]].map((idHQ) => ({ idHQ })),
        ...['ist', 'wahr', 2, 'perhaps'].map((kawm) => ({ kawm })),
        ...[
          [1],
          ['x'],
          [{}],
          [{ kennung: 'x' }],
          [{ kennung: idOf(777), datum: 'infinity', ergebnis: 'vorhanden' }],
        ].map((inspections) => ({
          kontrollen: inspections,
        })),
        ...[
          '__proto__',
          'constructor',
          'id',
          'suchtext',
          'g3857',
          'geaendert_von',
          'client_id"; drop table app.habitatbaeume; --',
        ].map((field) => ({
          [field]: 1,
        })),
      ]
      const before = await count('app.habitatbaeume')
      const answers: HabitatSyncAnswer[] = []
      // In chunks, because a request may not exceed one megabyte.
      for (let at = 0; at < odd.length; at += 8)
        answers.push(
          ...(await sync(
            'ogf_standard',
            ...odd.slice(at, at + 8).map((values, nr) => freshTree(5_000 + at + nr, values)),
          )),
        )
      expect(odd.filter((_, nr) => answers[nr]!.ergebnis !== 'abgelehnt')).toEqual([])
      expect(answers.filter(({ regel, feld }) => regel === null || (feld ?? '').length > 80)).toEqual([])
      expect(await count('app.habitatbaeume')).toBe(before)
      expect(await count(`app.habitatkontrollen where kennung = '${idOf(777)}'`)).toBe(0)
      // The same number twice in one request is one tree, and the later entry wins.
      const twice = await sync(
        'ogf_standard',
        freshTree(5_900, { nummer: 'eins' }),
        freshTree(5_900, { nummer: 'zwei' }),
        freshTree(5_900, { nummer: 'eins' }),
      )
      expect(twice.map(({ ergebnis, baum }) => [ergebnis, baum?.nummer])).toEqual([
        ['angelegt', 'eins'],
        ['geaendert', 'zwei'],
        ['unveraendert', 'zwei'],
      ])
      expect(await count(`app.habitatbaeume where kennung = '${idOf(5_900)}'`)).toBe(1)
    })

    test('each field is refused with its own word', async () => {
      const CASES: [object, string, string][] = [
        [{ nummer: ' 1' }, 'nummer', 'zeile_40'],
        [{ art: 'sonstige' }, 'art_text', 'habitat_art_text'],
        [{ bhd_cm: 0 }, 'bhd_cm', 'habitat_bhd'],
        [{ bhd_cm: 501 }, 'bhd_cm', 'habitat_bhd'],
        [{ hoehe_m: 81 }, 'hoehe_m', 'habitat_hoehe'],
        [{ zustand: 'gut' }, 'zustand', 'habitat_zustand'],
        [{ zustand: null }, 'zustand', 'habitat_zustand'],
        [{ status: 'x' }, 'status', 'habitat_status'],
        [{ strukturen: 'x' }, 'strukturen', 'habitat_strukturen'],
        [
          { strukturen: [{ code: '1.3', system: 'larrieu_2018', menge: 0 }] },
          'strukturen',
          'habitat_strukturen',
        ],
        [
          { strukturen: [1, 2].map(() => ({ code: '1.3', system: 'larrieu_2018', menge: null })) },
          'strukturen',
          'habitat_strukturen',
        ],
        [
          { strukturen: [{ code: '1.3', system: 'larrieu_2018', menge: null, html: '<b>' }] },
          'strukturen',
          'habitat_strukturen',
        ],
        [
          { strukturen: [{ code: 'CV11', system: 'larrieu_2018', menge: null }] },
          'strukturen',
          'habitat_struktur_unbekannt',
        ],
        [
          { strukturen: [{ code: '16.1', system: 'larrieu_2018', menge: 1 }] },
          'strukturen',
          'habitat_struktur_unbekannt',
        ],
        [{ markierung_art: 'kreide' }, 'markierung_art', 'habitat_markierung'],
        [{ markierung_datum: '2026-01-01' }, 'markierung_art', 'habitat_markierung_art'],
        [{ markierung_art: 'welle', markierung_datum: '2199-01-01' }, 'markierung_datum', 'habitat_datum'],
        [{ erfasst_am: '1949-12-31' }, 'erfasst_am', 'habitat_datum'],
        [{ lon: null }, 'lage', 'habitat_lage_fehlt'],
        [{ lon: lat, lat: lon }, 'lage', 'habitat_lage'],
        [{ lon: 0, lat: 0 }, 'lage', 'habitat_lage'],
        [{ genauigkeit_m: -1 }, 'genauigkeit_m', 'habitat_genauigkeit'],
        [{ lage_methode: 'raten' }, 'lage_methode', 'habitat_methode'],
        [{ sLVL03: 'x'.repeat(61) }, 'sLVL03', 'zeile_60'],
        [{ iSTAND: -1 }, 'iSTAND', 'habitat_stand'],
        [{ bemerkung: 'x'.repeat(2001) }, 'bemerkung', 'text_2000'],
        [{ verlust_datum: '2026-01-01' }, 'verlust_grund', 'habitat_verlust_grund'],
        [{ verlust_grund: 'windwurf' }, 'verlust_datum', 'habitat_verlust_datum'],
        [{ verlust_grund: 'ufo', verlust_datum: '2026-01-01' }, 'verlust_grund', 'habitat_verlust'],
        [{ kawm: null }, 'kawm', 'fehlt'],
        [{ art: null }, 'art', 'fehlt'],
      ]
      const answers = await sync('ogf_standard', ...CASES.map(([values], nr) => freshTree(200 + nr, values)))
      expect(answers.map(({ ergebnis, regel, feld }, nr) => [nr, ergebnis, feld, regel])).toEqual(
        CASES.map(([, field, rule], nr) => [nr, 'abgelehnt', field, rule]),
      )
    })

    test('many trees are changed at once or not at all, and the rules of each hold', async () => {
      const ids = (
        await sync('ogf_standard', freshTree(120), freshTree(121, { art: 'sonstige', art_text: 'Mehlbeere' }))
      ).map(({ baum }) => baum!.id)
      const change = (values: object, list: number[] = ids) =>
        done<number>(
          'ogf_standard',
          'app.__o_change_habitatbaeume($1::bigint[], $2::jsonb)',
          list,
          JSON.stringify(values),
        )
      expect(await change({ markierung_art: 'welle', markierung_datum: '2026-03-01' })).toBe(2)
      expect(
        await count(
          `app.habitatbaeume where id in (${ids.join()}) and markierung_art = 'welle' and version = 2`,
        ),
      ).toBe(2)
      await expect(change({ art_text: null })).rejects.toThrow(/habitat_art_text/)
      await expect(change({ lon: 1 })).rejects.toThrow(/unbekanntes_feld/)
      await expect(change({})).rejects.toThrow(/fehlt/)
      await expect(change({ kawm: false }, [...ids, TREE_B1])).rejects.toThrow(/not found/)
      expect(await count(`app.habitatbaeume where id in (${ids.join()}) and version = 2 and kawm`)).toBe(2)
      const { rows } = await engine.owner.query<{ neu: string }>(
        `select neu::text as neu from app.verlauf
         where tabelle = 'habitatbaeume' and schluessel = '${ids[0]}' and aktion = 'geaendert'`,
      )
      expect(rows.map(({ neu: value }) => JSON.parse(value))).toEqual([
        { markierung_art: 'welle', markierung_datum: '2026-03-01' },
      ])
    })

    test('neighbours, strangers to the holding, trees without photo or marking are found, lost ones not', async () => {
      await owner(`delete from app.habitatbaeume where "idHQ" = ${B1}`)
      // Headquarters B1 extends from 530000, 5680000 in UTM 32 one kilometre east and two north.
      const at = (id: number, east: number, north: number, more = `'${id}', null, null`) =>
        `insert into app.habitatbaeume (id, client_id, "idHQ", art, lon, lat, nummer, markierung_art,
         verlust_datum, verlust_grund)
           select ${id}, ${B}, ${B1}, 'bu', st_x(p), st_y(p), v.nummer, v.markierung, v.verlust::date,
             case when v.verlust is not null then 'windwurf' end
           from st_transform(st_setsrid(st_makepoint(${east}, ${north}), 25832), 4326) p,
             (values (${more})) as v(nummer, markierung, verlust);`
      await owner(
        [
          at(501, 530_100, 5_680_100),
          // 1.9 m apart, across the search grid wherever its lines are, and 2.1 m.
          at(502, 530_101.9, 5_680_100),
          at(503, 530_100, 5_680_102.1, `'501', 'welle', null`),
          at(504, 530_100.5, 5_680_100, `'504', null, '2026-01-01'`),
          // 4 m outside is within a receiver's error, 30 m is not.
          at(505, 529_996, 5_680_500, `'505', 'welle', null`),
          at(506, 529_970, 5_680_500, `'506', 'welle', null`),
          `insert into app.habitatbilder (habitat_id, client_id, "idHQ", dateiname, typ, groesse, breite, hoehe, sha256)
           values (501, ${B}, ${B1}, 'a.jpg', 'image/jpeg', 1, 1, 1, '${HASH(1)}')`,
        ].join(''),
      )
      const found = await done<HabitatCheck>('ogf_team', `app.a_get_habitat_pruefung(${B1})`)
      expect(found.flaeche).toBe(true)
      expect(found.zahlen).toEqual({
        doppelt: 1,
        ausserhalb: 1,
        ohne_bild: 4,
        ohne_markierung: 2,
        nummer_doppelt: 1,
      })
      expect(
        found.zeilen.filter(({ befund }) => ['doppelt', 'ausserhalb', 'nummer_doppelt'].includes(befund)),
      ).toEqual([
        { befund: 'doppelt', id: 501, nummer: '501', andere: 502, andere_nummer: '502', abstand_m: 1.9 },
        {
          befund: 'ausserhalb',
          id: 506,
          nummer: '506',
          andere: null,
          andere_nummer: null,
          abstand_m: expect.closeTo(30, 0),
        },
        {
          befund: 'nummer_doppelt',
          id: 501,
          nummer: '501',
          andere: 503,
          andere_nummer: '501',
          abstand_m: null,
        },
      ])
      // Every pair less than two metres apart, in whichever grid squares the two are.
      await owner(
        Array.from({ length: 40 }, (_, nr) =>
          at(600 + nr, 530_300 + nr * 1.7, 5_680_300 + nr * 0.9, `null, 'welle', null`),
        ).join(''),
      )
      expect((await done<HabitatCheck>('ogf_team', `app.a_get_habitat_pruefung(${B1})`)).zahlen.doppelt).toBe(
        1 + 39,
      )
      // A file whose trees are all at one place: each is compared with a few, or the call would never end.
      await owner(
        `insert into app.habitatbaeume (client_id, "idHQ", art, lon, lat, bemerkung)
          select ${B}, ${B1}, 'bu', 9.5, 51.5, 'ein Haufen' from generate_series(1, 8000);`,
      )
      const heap = await done<HabitatCheck>('ogf_team', `app.a_get_habitat_pruefung(${B1})`)
      expect(heap.zahlen.doppelt).toBeGreaterThan(8000)
      expect(heap.zahlen.doppelt).toBeLessThan(21 * 8000)
      await owner(`delete from app.habitatbaeume where "idHQ" = ${B1} and bemerkung = 'ein Haufen'`)
      await owner(`delete from app.hq_flaeche where hqid = ${B1}`)
      expect(await done<HabitatCheck>('ogf_team', `app.a_get_habitat_pruefung(${B1})`)).toMatchObject({
        flaeche: false,
        zahlen: { ausserhalb: 0 },
      })
    })

    test('the map’s cells hold each tree once, one size inside the next; a tree alone is drawn as it is', async () => {
      await owner(
        `insert into app.habitatbaeume (client_id, "idHQ", art, lon, lat, bemerkung, zustand, status, verlust_datum,
         verlust_grund) select ${B}, ${B1}, 'bu', 9.1 + n * 0.0037, 51.2 + n * 0.0023, 'auf der Karte',
          ('{lebend,absterbend,tot_stehend,stumpf}'::text[])[1 + n % 4], case when n % 5 = 0 then 'anwaerter'
          else 'baum' end, case when n % 7 = 0 then current_date end, case when n % 7 = 0 then 'brand' end
          from generate_series(1, 60) n`,
      )
      const { rows } = await engine.owner.query<{ fault: string }>(
        `with k as (select t.g3857, t.verlust_datum, t.status, t.zustand, k.x, k.y, k.zeichen, k.zelle_5,
         k.zelle_6, k.zelle_11, k.zelle_16 from app.habitatbaeume_karte k join app.habitatbaeume t
         using (id) where k."idHQ" = ${B1} and t.bemerkung = 'auf der Karte')
         select 'place' as fault from k where abs(x - st_x(g3857)) > 0.051 or abs(y - st_y(g3857)) > 0.051
         union all select 'cell' from k group by zelle_5 having max(x) - min(x) > 32 or max(y) - min(y) > 32
         union all select 'cell of 2 km' from k group by zelle_11
           having max(floor(x / 2048)) > min(floor(x / 2048)) or max(floor(y / 2048)) > min(floor(y / 2048))
         union all select 'two cells for one place' from k group by floor(x / 2048), floor(y / 2048)
           having count(distinct zelle_11) > 1
         union all select 'not nested' from k group by zelle_6 having count(distinct zelle_16) > 1
         union all select 'sign' from k where zeichen <> case when verlust_datum is not null then 3
           when status = 'anwaerter' then 2 when zustand in ('tot_stehend', 'stumpf') then 1 else 0 end
         union all select 'too few' from k
           having count(*) <> 60 or count(distinct zelle_11) < 5 or count(distinct zeichen) <> 4`,
      )
      expect(rows).toEqual([])
      const cells = sql(
        `select zelle_16, count(*)::integer as n from app.habitatbaeume_karte where "idHQ" = ${B1} group by zelle_16`,
      )
      expect(await as('ogf_standard', cells)).toMatchObject({ rows: [] })
      expect(await as('ogf_team', cells)).not.toMatchObject({ rows: [] })
      await owner(`delete from app.habitatbaeume where "idHQ" = ${B1} and bemerkung = 'auf der Karte'`)
    })

    test('the grant of a headquarters counts what counts', async () => {
      await owner(`delete from app.habitatbaeume where "idHQ" = ${B1};
        update app.hq set "dcFLAEHB" = 1.5 where "idHQ" = ${B1}; update app.kunde_hq set kawm_enabled = true,
          kawm_approval_date = (now() at time zone 'Europe/Berlin')::date - 10 where hqid = ${B1};
        insert into app.habitatbaeume (client_id, "idHQ", art, lon, lat, status, markierung_art,
          verlust_datum, verlust_grund, kawm, "sLVL03", "iSTAND") values
          (${B}, ${B1}, 'bu', 9.4, 51.2, 'baum', 'welle', null, null, true, '10', 1),
          (${B}, ${B1}, 'bu', 9.4, 51.2, 'anwaerter', null, null, null, true, '2', 1),
          (${B}, ${B1}, 'bu', 9.4, 51.2, 'baum', 'welle', '2026-01-01', 'brand', true, '2', 1),
          (${B}, ${B1}, 'bu', 9.4, 51.2, 'baum', 'welle', null, null, false, '2', 1)`)
      const kawm = await done<Kawm>('ogf_admin', `app.__o_get_kawm(${B1})`)
      expect(kawm).toMatchObject({
        flaeche: 1.5,
        soll: 8,
        erfasst: 2,
        markiert: 1,
        anwaerter: 1,
        baeume: 1,
        verloren: 1,
        ohne_kawm: 1,
        ohne_bild: 2,
        fehlend: 6,
        fehlend_markiert: 7,
      })
      expect(kawm.fehlt).toEqual([
        { code: 'baeume_fehlen', anzahl: 6 },
        { code: 'markierung_fehlt', anzahl: 1 },
        { code: 'ohne_bild', anzahl: 2 },
      ])
      expect(
        kawm.bestaende.map(({ sLVL03, erfasst, markiert, verloren }) => [
          sLVL03,
          erfasst,
          markiert,
          verloren,
        ]),
      ).toEqual([
        ['2', 1, 0, 1],
        ['10', 1, 1, 0],
      ])
    })

    describe('photos', () => {
      const addPhoto = (who: IdentityName, tree: number, nr: number, sha = HASH(nr)) =>
        server(
          `select * from forest.add_habitat_picture($1, $2::uuid, $3, $4, 1000, 4000, 3000, $5,
           null, 12.5, $6, $7, null)`,
          tree,
          idOf(nr),
          'a.jpg',
          'image/jpeg',
          sha,
          lon,
          lat + 0.001,
        ).by(who)
      test('one that is told twice is one; the first is the title; how far off it was taken is said', async () => {
        const [tree] = await sync('ogf_standard', freshTree(130))
        const first = await addPhoto('ogf_standard', tree!.baum!.id, 401)
        expect(first).toMatchObject([{ neu: true }])
        expect(await addPhoto('ogf_standard', tree!.baum!.id, 401)).toEqual([{ ...first[0], neu: false }])
        await addPhoto('ogf_standard', tree!.baum!.id, 402)
        const { rows } = await engine.owner.query<Record<string, unknown>>(
          `select titelbild, round(exif_abweichung_m)::integer as weit, created_by, version
           from app.habitatbilder where habitat_id = ${tree!.baum!.id} order by id`,
        )
        expect(rows).toEqual([
          { titelbild: true, weit: 111, created_by: 'Vor102 Nach102', version: 1 },
          { titelbild: false, weit: 111, created_by: 'Vor102 Nach102', version: 1 },
        ])
        await expect(addPhoto('ogf_standard', tree!.baum!.id, 401, HASH(9))).rejects.toThrow(/taken/)
        await expect(addPhoto('ogf_standard', TREE_A1, 401)).rejects.toThrow(/taken/)
      })
      test('of foreign, disabled and missing trees none is taken, and readers take none', async () => {
        for (const [who, tree] of [
          ['ogf_standard', TREE_A2],
          ['ogf_standard', 999_999],
          ['kundenadmin', TREE_A1],
          ['ogf_team', TREE_A1],
          ['appuser_admin', TREE_A1],
          ['ogf_init', TREE_A1],
        ] as const)
          await expect(addPhoto(who, tree, 410), `${who} ${tree}`).rejects.toThrow(/not found/)
      })
      test('sizes are set once the server has made them, and are no change of the photo', async () => {
        const open = await server('select id::integer as id from forest.pictures_without_sizes(0, 100)').by(
          'nobody',
        )
        const { rows } = await engine.owner.query<{ id: number; version: number }>(
          `select id::integer as id, version from app.habitatbilder where kennung = '${idOf(401)}'`,
        )
        expect(open.map(({ id }) => id)).toContain(rows[0]!.id)
        expect(
          await server(
            'select forest.set_picture_sizes($1, $2, $3, $4) as ja',
            rows[0]!.id,
            HASH(11),
            HASH(12),
            HASH(13),
          ).by('nobody'),
        ).toEqual([{ ja: true }])
        expect(
          await server('select forest.set_picture_sizes(999999, $1, $1, $1) as ja', HASH(11)).by('nobody'),
        ).toEqual([{ ja: false }])
        const after = await engine.owner.query<Record<string, unknown>>(
          `select klein, mittel, gross, version from app.habitatbilder where id = ${rows[0]!.id}`,
        )
        expect(after.rows).toEqual([{ klein: HASH(11), mittel: HASH(12), gross: HASH(13), version: 1 }])
      })
      test('bytes that a row names are named to the clean-up of the store', async () => {
        const named = await server('select maps.named_files($1::text[]) as name', [
          HASH(401),
          HASH(11),
          HASH(12),
          HASH(13),
          HASH(999),
        ]).by('nobody')
        expect(new Set(named.map(({ name }) => name))).toEqual(
          new Set([HASH(11), HASH(12), HASH(13), HASH(401)]),
        )
        expect(named).toHaveLength(4)
      })
      test('a new title replaces the old; a deleted one leaves it to the oldest; no photo comes back', async () => {
        const titles = async () =>
          (
            await engine.owner.query<{ kennung: string }>(
              `select kennung from app.habitatbilder where titelbild and kennung in ('${idOf(401)}', '${idOf(402)}')`,
            )
          ).rows.map(({ kennung }) => kennung)
        const forGood = (who: IdentityName, text: string) =>
          engine.api.once(asCaller(claimsOf(who)), sql(text))
        await forGood(
          'ogf_standard',
          `update app.habitatbilder set titelbild = true where kennung = '${idOf(402)}'`,
        )
        expect(await titles()).toEqual([idOf(402)])
        await forGood('ogf_fb_admin', `delete from app.habitatbilder where kennung = '${idOf(402)}'`)
        expect(await titles()).toEqual([idOf(401)])
        const { rows } = await engine.owner.query<{ id: number }>(
          `select habitat_id::integer as id from app.habitatbilder where kennung = '${idOf(401)}'`,
        )
        await expect(addPhoto('ogf_standard', rows[0]!.id, 402)).rejects.toThrow(/deleted/)
      })
    })

    test('a deleted title passes to the photo that was taken first, not to the one that came first', async () => {
      const [tree] = await sync('ogf_standard', freshTree(131))
      const id = tree!.baum!.id
      const taken = { 411: '2026-05-03T10:00Z', 412: '2026-05-02T10:00Z', 413: '2026-05-01T10:00Z' }
      for (const [nr, am] of Object.entries(taken))
        await server(
          `select * from forest.add_habitat_picture($1, $2::uuid, 'a.jpg', 'image/jpeg', 1000, 4000, 3000, $3,
           $4::timestamptz, null, null, null, null)`,
          id,
          idOf(Number(nr)),
          HASH(Number(nr)),
          am,
        ).by('ogf_standard')
      await engine.api.once(
        asCaller(claimsOf('ogf_fb_admin')),
        sql(`delete from app.habitatbilder where kennung = '${idOf(411)}'`),
      )
      const { rows } = await engine.owner.query<{ kennung: string }>(
        `select kennung from app.habitatbilder where titelbild and habitat_id = ${id}`,
      )
      expect(rows).toEqual([{ kennung: idOf(413) }])
    })

    test('a headquarters that goes leaves nothing of its trees; a customer’s data go, in the history too', async () => {
      await owner(`insert into app.hq ("idHQ", client_id, "sHQ") values (77, ${B}, 'B zwei')`)
      await engine.owner.script(
        `begin; set local role forst_betrieb;
         insert into app.kunde_hq (hqid, client_id) values (77, ${B}) on conflict do nothing; commit`,
      )
      await sync('ogf_admin', {
        ...freshTree(140),
        idHQ: 77,
        kontrollen: [{ kennung: idOf(141), datum: '2026-05-01', ergebnis: 'vorhanden' }],
      })
      await engine.owner.script(
        `begin; set local role forst_definer; select forest.remove_habitat(${B});
         delete from app.hq where "idHQ" = 77; commit`,
      )
      expect(await count(`app.habitatbaeume where client_id = ${B}`)).toBe(0)
      expect(await count(`forest.habitat_geloescht where client_id = ${B}`)).toBe(0)
      expect(
        await count(
          `app.verlauf where client_id = ${B} and tabelle like 'habitat%' and (alt is not null or neu is not null)`,
        ),
      ).toBe(0)
      expect(
        await count(`app.verlauf where client_id = ${A} and tabelle like 'habitat%' and neu is not null`),
      ).toBeGreaterThan(0)
    })
    test('a person who goes is named no longer where it was them', async () => {
      await engine.owner.script(
        `begin; set local role forst_definer;
         select forest.replace_habitat_name(${IDENTITIES.ogf_standard.user_id}, 'Vor102 Nach102',
           'gelöschte Person 102');
         commit`,
      )
      expect(
        await count(`app.habitatbaeume where 'Vor102 Nach102' in (erfasser, angelegt_von, geaendert_von)`),
      ).toBe(0)
      expect(await count(`app.habitatbilder where 'Vor102 Nach102' in (created_by, geaendert_von)`)).toBe(0)
      expect(await count(`app.habitatkontrollen where 'Vor102 Nach102' in (kontrolleur, angelegt_von)`)).toBe(
        0,
      )
      expect(await count(`app.habitatbaeume where erfasser = 'gelöschte Person 102'`)).toBeGreaterThan(3)
      expect(
        await count(
          `app.verlauf where tabelle like 'habitat%'
           and (alt::text like '%Vor102 Nach102%' or neu::text like '%Vor102 Nach102%')`,
        ),
      ).toBe(0)
    })
    test('what is known of a deleted tree is known to those alone who could have changed it', async () => {
      expect(await sync('ogf_standard', freshTree(DELETED))).toMatchObject([{ ergebnis: 'geloescht' }])
      expect(await sync('ogf_admin', freshTree(DELETED, { idHQ: B1 }))).toMatchObject([
        { ergebnis: 'geloescht' },
      ])
    })
  })
