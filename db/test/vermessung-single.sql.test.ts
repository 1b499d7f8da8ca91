// Survey objects one by one, as devices send them: sent twice, late, in conflict, wrong, deleted; their history, and
// what imports do to them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ALL_FIELDS, fieldsOf, TABLES } from '#domain/vermessung/fields.ts'
import type { SurveyCapture, SurveySyncAnswer } from '#contract/vermessung.ts'
import { C, uuidOf, RUNNING } from './cells/vermessung.ts'
import { asCaller, attempt, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf, type IdentityName } from './world.ts'
import * as w from './world.ts'

const PLACE = '12.9 53.5'
const hex = (x: number, y: number): string => {
  const bytes = Buffer.alloc(21)
  bytes.writeUInt8(1, 0)
  bytes.writeUInt32LE(1, 1)
  bytes.writeDoubleLE(x, 5)
  bytes.writeDoubleLE(y, 13)
  return bytes.toString('hex')
}

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`single survey objects on ${engineName}`, () => {
    let engine: Engine
    let nr = 200
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    /** Kept, other than `attempt`. */
    const run = async (who: IdentityName, text: string, ...values: unknown[]) =>
      (await engine.api.once<Record<string, unknown>>(asCaller(claimsOf(who)), sql(text, ...values))).rows
    const sync = async (who: IdentityName, ...captures: object[]): Promise<SurveySyncAnswer[]> => {
      const rows = await run(
        who,
        'select app.a_sync_vermessung($1::jsonb)::text as a',
        JSON.stringify(captures),
      )
      return JSON.parse(String(rows[0]!['a'])) as SurveySyncAnswer[]
    }
    const point = (more: object = {}): SurveyCapture => ({
      kennung: uuidOf(++nr),
      version: null,
      tabelle: 'schacht',
      client_id: C,
      lage: PLACE,
      ...more,
    })
    const count = async (of: string): Promise<number> =>
      Number((await run('apus_admin', `select count(*) as n from app.${of}`))[0]!['n'])
    const history = (key: number) =>
      run(
        'apus_team',
        `select aktion, wer, alt::text, neu::text from app.verlauf
         where tabelle = 'schacht' and schluessel = $1 order by id`,
        String(key),
      )

    test('the fields are those of the imports', async () => {
      for (const table of TABLES) {
        const [row] = await run('apus_team', 'select to_json(maps.vermessung_fields($1))::text as f', table)
        const names = fieldsOf(table).map(({ name }) => name)
        expect((JSON.parse(String(row!['f'])) as string[]).toSorted()).toEqual(names.toSorted())
      }
      expect(ALL_FIELDS.length).toBe(22)
    })

    test('a new one of each kind lies where it was captured, with a key of its own', async () => {
      for (const tableName of TABLES) {
        const place = tableName === 'draenage' ? '12.9 53.5,12.901 53.5,12.9015 53.5004' : PLACE
        const capture = point({ tabelle: tableName, lage: place, dn: 300, vermessen: true })
        const [answer] = await sync('apus_team', capture)
        expect(answer).toMatchObject({
          ergebnis: 'angelegt',
          objekt: {
            kennung: capture.kennung,
            tabelle: tableName,
            lage: place,
            client_id: C,
            version: 1,
            import_id: null,
            dn: 300,
            schluessel: `Feld-${capture.kennung.slice(-12)}`,
          },
        })
        const [row] = await run(
          'apus_team',
          `select public.st_srid(geom) as srid, vermessen from app.${tableName} where kennung = $1`,
          capture.kennung,
        )
        expect(row).toEqual({ srid: 25_833, vermessen: true })
        await sync('apus_team', {
          kennung: capture.kennung,
          tabelle: tableName,
          version: 1,
          geloescht: true,
          loeschgrund: 'x',
        })
      }
    })

    test('sent twice, and again after more was sent, it is there once', async () => {
      const first = point({ schluessel: 'S 1', bemerkung: 'a' })
      expect((await sync('apus_team', first, first)).map(({ ergebnis }) => ergebnis)).toEqual([
        'angelegt',
        'unveraendert',
      ])
      const second = {
        kennung: first.kennung,
        tabelle: 'schacht',
        version: 1,
        bemerkung: 'b',
        lage: '12.91 53.5',
      }
      const third = { ...second, version: 2, bemerkung: 'c' }
      expect((await sync('apus_team', second, third)).map(({ ergebnis }) => ergebnis)).toEqual([
        'geaendert',
        'geaendert',
      ])
      const answers = await sync('apus_team', first, second, third)
      expect(answers.map(({ ergebnis }) => ergebnis)).toEqual([
        'unveraendert',
        'unveraendert',
        'unveraendert',
      ])
      expect(answers[0]!.objekt).toMatchObject({ bemerkung: 'c', version: 3, lage: '12.91 53.5' })
      expect(await count(`schacht where kennung = '${first.kennung}'`)).toBe(1)
    })

    test('what the receiver said is kept with the place, and goes with the next one that says nothing', async () => {
      const said = { lage_fix: 'rtk_fixed', genauigkeit_geschaetzt: false, genauigkeit_cm: 1.4 }
      const capture = point({ schluessel: 'S 5', ...said })
      const [made] = await sync('apus_team', capture)
      expect(made).toMatchObject({ ergebnis: 'angelegt', objekt: said })
      const change = { kennung: capture.kennung, tabelle: 'schacht' }
      const [other] = await sync('apus_team', { ...change, version: 1, dn: 300 })
      expect(other!.objekt, 'with every other change it stays').toMatchObject(said)
      const again = { lage: '12.91 53.5', lage_fix: 'rtk_fixed', genauigkeit_geschaetzt: true }
      const [moved] = await sync('apus_team', { ...change, version: 2, ...again })
      expect(moved!.objekt).toMatchObject(again)
      const [old] = await sync('apus_team', { ...change, version: 3, lage: '12.92 53.5' })
      expect(old!.objekt, 'a device that does not know it').toMatchObject({
        lage_fix: null,
        genauigkeit_geschaetzt: null,
      })
      const lines = await history(made!.objekt!.id)
      expect(JSON.parse(String(lines.at(-1)!['alt']))).toMatchObject({ lage_fix: 'rtk_fixed' })
      for (const fix of ['none', 'simulated', '4', 'RTK fixed'])
        expect((await sync('apus_team', { ...change, version: 4, lage_fix: fix }))[0], fix).toMatchObject({
          ergebnis: 'abgelehnt',
          feld: 'lage_fix',
          regel: 'lage_fix',
        })
    })

    test('two devices at once: the first is kept, the second is asked, nothing is overwritten', async () => {
      const capture = point({ schluessel: 'S 2' })
      await sync('apus_team', capture)
      const change = { kennung: capture.kennung, tabelle: 'schacht', version: 1 }
      expect((await sync('apus_admin', { ...change, dn: 400 }))[0]).toMatchObject({ ergebnis: 'geaendert' })
      expect((await sync('apus_team', { ...change, dn: 500 }))[0]).toMatchObject({
        ergebnis: 'konflikt',
        objekt: { dn: 400, version: 2 },
      })
      expect((await sync('apus_team', { ...change, geloescht: true }))[0]).toMatchObject({
        ergebnis: 'konflikt',
      })
      expect(
        (await sync('apus_team', { ...point(), kennung: capture.kennung, client_id: w.A }))[0],
      ).toMatchObject({
        ergebnis: 'abgelehnt',
        regel: 'vermessung_kennung_vergeben',
      })
    })

    test('deleted is deleted: asked again it is gone, changed later it is told, nothing brings it back', async () => {
      const capture = point({ schluessel: 'S 3' })
      const [{ objekt }] = (await sync('apus_team', capture)) as [SurveySyncAnswer]
      const gone = {
        kennung: capture.kennung,
        tabelle: 'schacht',
        version: 1,
        geloescht: true,
        loeschgrund: 'x',
      }
      expect((await sync('apus_team', gone, gone)).map(({ ergebnis }) => ergebnis)).toEqual([
        'entfernt',
        'entfernt',
      ])
      expect(
        (await sync('apus_team', { ...gone, geloescht: false, dn: 1 }, capture)).map((a) => a.ergebnis),
      ).toEqual(['geloescht', 'geloescht'])
      const refused = await attempt(
        engine.api,
        claimsOf('apus_admin'),
        sql(
          `insert into app.schacht (kennung, client_id, geom)
           values ($1, ${C}, public.st_geomfromtext('POINT(380000 5690000)', 25833))`,
          capture.kennung,
        ),
      )
      expect(refused).toMatchObject({ code: 'PT409' })
      expect((await history(objekt!.id)).map(({ aktion }) => aktion)).toEqual(['neu', 'geloescht'])
    })

    test('the history has who changed what, with the place in words, and is read where the object is', async () => {
      const capture = point({ schluessel: 'S 4', dn: 100 })
      const [{ objekt }] = (await sync('apus_team', capture)) as [SurveySyncAnswer]
      await sync('apus_admin', {
        kennung: capture.kennung,
        tabelle: 'schacht',
        version: 1,
        dn: 150,
        lage: '12.91 53.51',
      })
      const entries = await history(objekt!.id)
      expect(entries).toHaveLength(2)
      expect(entries[0]!['wer']).toBe(
        `Vor${w.IDENTITIES.apus_team.user_id} Nach${w.IDENTITIES.apus_team.user_id}`,
      )
      expect(JSON.parse(String(entries[1]!['alt']))).toEqual({
        dn: 100,
        geom: expect.stringMatching(/^POINT\(/),
      })
      expect(JSON.parse(String(entries[1]!['neu']))).toMatchObject({ dn: 150 })
      const read = (who: IdentityName) =>
        run(
          who,
          `select 1 from app.verlauf where tabelle = 'schacht' and schluessel = $1`,
          String(objekt!.id),
        )
      expect(await read('appuser')).toHaveLength(2)
      expect(await read('ogf_admin')).toEqual([])
    })

    test.each([
      ['no place', { lage: null }, 'vermessung_lage_fehlt', 'lage'],
      ['a place in Africa', { lage: '12.9 3.5' }, 'vermessung_lage', 'lage'],
      ['words', { lage: '12.9 53.5); drop' }, 'vermessung_lage', 'lage'],
      ['a line of one point', { tabelle: 'draenage' }, 'vermessung_linie', 'lage'],
      [
        'a line of no length',
        { tabelle: 'draenage', lage: `${PLACE},${PLACE}` },
        'vermessung_laenge',
        'lage',
      ],
      [
        'a line across the country',
        { tabelle: 'draenage', lage: '10 50,11 51' },
        'vermessung_laenge',
        'lage',
      ],
      [
        'a line of 1,001 points',
        {
          tabelle: 'draenage',
          lage: Array.from({ length: 1_001 }, (_, at) => `12.9${String(at).padStart(4, '0')} 53.5`).join(','),
        },
        'vermessung_punkte',
        'lage',
      ],
      ['a text of 40,001 characters', { lage: '1'.repeat(40_001) }, 'vermessung_punkte', 'lage'],
      ['a nominal width of nothing', { dn: 0 }, 'vermessung_dn', 'dn'],
      ['a height above all', { hoehe: 9_001 }, 'vermessung_hoehe', 'hoehe'],
      ['a negative depth', { tiefe: -1 }, 'vermessung_tiefe', 'tiefe'],
      ['a day to come', { datum: '2999-01-01' }, 'vermessung_datum', 'datum'],
      ['two lines of material', { material: 'Ton\nBeton' }, 'zeile_100', 'material'],
      ['a long remark', { bemerkung: 'x'.repeat(2_001) }, 'text_2000', 'bemerkung'],
      ['a slope of a manhole', { gefaelle: 1 }, 'unbekanntes_feld', 'gefaelle'],
      ['a version of one’s own', { import_id: 3 }, 'unbekanntes_feld', 'import_id'],
      ['a kind that is none', { tabelle: 'kunde' }, 'tabelle_unbekannt', 'tabelle'],
      ['a customer that is none', { client_id: 999 }, 'vermessung_nicht_erlaubt', null],
      ['a key that is taken', { schluessel: 'schacht 2' }, 'vermessung_schluessel_vergeben', 'schluessel'],
      ['a word as a number', { dn: 'breit' }, 'vermessung_wert', null],
    ])('%s is refused, and what was sent with it is kept', async (_what, wrong, rule, field) => {
      const before = await count('schacht')
      const answers = await sync('apus_team', point(wrong), point())
      expect(answers.map(({ ergebnis }) => ergebnis)).toEqual(['abgelehnt', 'angelegt'])
      expect(answers[0]).toMatchObject({ regel: rule, feld: field })
      expect(await count('schacht')).toBe(before + 1)
    })
    test('501 at once are refused as a whole', async () =>
      expect(
        await attempt(
          engine.api,
          claimsOf('apus_team'),
          sql(
            'select app.a_sync_vermessung($1::jsonb)',
            JSON.stringify(Array.from({ length: 501 }, () => ({}))),
          ),
        ),
      ).toMatchObject({ code: '23514' }))
    test('who may only read is refused by name, and nothing changes', async () => {
      const [answer] = await sync('appuser_admin', {
        kennung: uuidOf(3),
        tabelle: 'schacht',
        version: 1,
        dn: 1,
      })
      expect(answer).toMatchObject({ ergebnis: 'abgelehnt', regel: 'vermessung_nicht_erlaubt', objekt: null })
    })
    test('a customer that is blocked gets nothing new', async () => {
      const block = (until: string) =>
        engine.owner.script(
          `begin; set local role forst_betrieb;
           update app.kunde set gesperrt_bis = ${until} where client_id = ${w.B}; commit`,
        )
      await block(`'2199-12-31'`)
      const [answer] = await sync('apus_admin', point({ client_id: w.B, lage: '9.5 51.3' }))
      await block('null')
      expect(answer).toMatchObject({ ergebnis: 'abgelehnt', regel: 'kunde_gesperrt' })
    })

    test('an import keeps what it does not name, changes what it names, and says so to devices', async () => {
      const [kept, named] = [point({ schluessel: 'Hand 1' }), point({ schluessel: 'Hand 2' })]
      const [, { objekt }] = (await sync('apus_team', kept, named)) as [SurveySyncAnswer, SurveySyncAnswer]
      const row = { nr: 1, g: hex(380_000, 5_690_000), schluessel: 'Hand 2', dn: 77 }
      await run(
        'apus_team',
        `select * from maps.store_vermessung_rows(${RUNNING}, 'schacht', 25833, $1::jsonb)`,
        JSON.stringify([row]),
      )
      await run('apus_team', `select maps.remove_missing_vermessung(${RUNNING}, 'schacht')`)
      expect(await count(`schacht where kennung = '${kept.kennung}' and import_id is null`)).toBe(1)
      expect(
        (await sync('apus_team', { kennung: named.kennung, tabelle: 'schacht', version: 1, dn: 88 }))[0],
      ).toMatchObject({ ergebnis: 'konflikt', objekt: { dn: 77, version: 2, import_id: RUNNING } })
      expect((await history(objekt!.id)).map(({ aktion }) => aktion)).toEqual(['neu', 'geaendert'])
      // What the import alone had made leaves no number of its own.
      expect(
        (
          await run(
            'apus_admin',
            `select 1 from app.verlauf where tabelle = 'schacht' and aktion = 'geloescht'
          and alt ->> 'schluessel' = 'schacht 2'`,
          )
        ).length,
      ).toBe(0)
    })

    test('a device takes along what is in its box, page by page', async () => {
      const all = (box: string) =>
        run('apus_team', `select app.a_get_vermessung_objekte(${C}, 'einlauf', 0, ${box})::text as o`)
      const [{ o }] = (await all('null')) as [{ o: string }]
      const objects = JSON.parse(o) as { id: number; lage: string; tabelle: string }[]
      expect(objects).toHaveLength(5)
      expect(objects[0]).toMatchObject({
        tabelle: 'einlauf',
        lage: expect.stringMatching(/^\d+\.\d+ \d+\.\d+$/),
      })
      expect(JSON.parse(String((await all(`'{0,0,1,1}'`))[0]!['o']))).toEqual([])
      const [{ n }] = (await run(
        'apus_team',
        `select jsonb_array_length(app.a_get_vermessung_objekte(${C}, 'einlauf', ${objects[3]!.id})) as n`,
      )) as [{ n: number }]
      expect(n).toBe(1)
    })

    test('a page ends early where lines have very many points, and no line stops it', async () => {
      await engine.owner.script(
        `begin; set local role forst_betrieb;
          insert into app.draenage (client_id, schluessel, geom)
            select ${C}, 'lang ' || nr, st_multi(st_setsrid(st_makeline(array(
              select st_makepoint(380000 + i / 100.0, 5930000 + nr) from generate_series(1, 150000) i)), 25833))
            from generate_series(1, 3) nr; commit`,
      )
      const pages: number[][] = []
      for (let after = 0; ; ) {
        const [{ ids }] = (await run(
          'apus_team',
          `select jsonb_path_query_array(app.a_get_vermessung_objekte(${C}, 'draenage', ${after}), '$[*].id')::text
             as ids`,
        )) as [{ ids: string }]
        const page = JSON.parse(ids) as number[]
        if (page.length === 0) break
        pages.push(page)
        after = page.at(-1)!
      }
      expect(pages.slice(-2).map(({ length }) => length)).toEqual([1, 1])
      const { rows } = await engine.owner.query<{ id: number }>(
        `select id::int as id from app.draenage where client_id = ${C} order by id`,
      )
      expect(pages.flat()).toEqual(rows.map(({ id }) => id))
    })

    test('a customer that is removed takes deletions, receipts and history along', async () => {
      await engine.owner.script(`begin; select maps.remove_vermessung(${C}); commit`)
      expect(
        await run(
          'apus_admin',
          `select 1 from app.verlauf where tabelle = 'schacht' and client_id = ${C}
             and (alt is not null or neu is not null)`,
        ),
      ).toEqual([])
      const { rows } = await engine.owner.query<{ n: number }>(
        `select ((select count(*) from maps.vermessung_geloescht where client_id = ${C})
         + (select count(*) from maps.vermessung_empfangen where client_id = ${C}))::int as n`,
      )
      expect(rows[0]!.n).toBe(0)
    })
  })
