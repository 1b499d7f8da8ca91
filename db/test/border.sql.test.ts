// Borders walked in the forest: taken from devices once, compared with the stands, applied or refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BorderProposal, BorderProposalDetails, BorderSyncAnswer } from '#contract/border.ts'
import { hectaresOf } from '#domain/border/plane.ts'
import { STAND_A1, STAND_A1_2 } from './cells/bestand.ts'
import { uuidOf } from './cells/vermessung.ts'
import { asCaller, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf, type IdentityName } from './world.ts'
import * as w from './world.ts'

const TRACK = '12.50000000 51.30000000 spur 2.1 gnss 0 1790000000;12.50100000 51.30000000 karte - - 0 -'

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`walked borders on ${engineName}`, () => {
    let engine: Engine
    let nr = 500
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const value = async <T>(who: IdentityName, text: string, ...values: unknown[]): Promise<T> => {
      const { rows } = await engine.api.once<{ a: string }>(
        asCaller(claimsOf(who)),
        sql(`select (${text})::text as a`, ...values),
      )
      return JSON.parse(rows[0]?.a ?? 'null') as T
    }
    const sync = (...captures: object[]) =>
      value<BorderSyncAnswer[]>(
        'ogf_admin',
        'app.a_sync_grenzvorschlaege($1::jsonb)',
        JSON.stringify(captures),
      )
    const list = (who: IdentityName = 'ogf_admin') =>
      value<BorderProposal[]>(who, 'app.a_get_grenzvorschlaege($1)', w.A1)
    const details = (id: number) =>
      value<BorderProposalDetails>('ogf_admin', 'app.a_get_grenzvorschlag($1)', id)
    const apply = (
      id: number,
      version: number,
      wantedVersion: string | null,
      cut = false,
      address: unknown = null,
    ) =>
      value<number>(
        'ogf_admin',
        'app.a_apply_grenzvorschlag($1, $2, $3, $4, $5::jsonb)',
        id,
        version,
        wantedVersion,
        cut,
        address === null ? null : JSON.stringify(address),
      )
    /** The ring of a stand, moved to the east by so many degrees. */
    const ringOf = async (stand: number, east = 0): Promise<string> => {
      const ring = await value<[number, number][]>(
        'ogf_admin',
        `select public.st_asgeojson(geom, 8)::jsonb -> 'coordinates' -> 0 -> 0 from app.bestand where id = $1`,
        stand,
      )
      return ring
        .slice(0, -1)
        .map(([x, y]) => `${(x + east).toFixed(8)} ${y}`)
        .join(',')
    }
    const digestOf = async (stand: number) =>
      (await value<[number, string, unknown][]>('ogf_admin', 'app.a_get_bestand_grenzen($1)', w.A1)).find(
        ([id]) => id === stand,
      )![1]
    const capture = async (more: object = {}) => ({
      kennung: uuidOf(++nr),
      version: null,
      tabelle: 'grenzvorschlag',
      idHQ: w.A1,
      bestand_id: STAND_A1,
      fassung: await digestOf(STAND_A1),
      sLVL02: '3',
      sLVL03: '17',
      sLVL04: 'b',
      iSTAND: 2,
      lage: await ringOf(STAND_A1, 0.0005),
      spur: TRACK,
      toleranz_m: 1,
      bemerkung: 'Graben',
      erfasst_am: '2026-11-28T09:00:00Z',
      ...more,
    })

    test('hectares are those of domain/border', async () => {
      for (const ring of [
        '12.9 53.5,12.91 53.5,12.912 53.507,12.903 53.509',
        '7.1 49.2,7.101 49.2,7.101 49.201,7.1 49.201',
        '9 51,9.1 51,9.1 51.05,9 51.05',
      ]) {
        const ha = await value<number>(
          'ogf_admin',
          'forest.border_ha(public.st_geomfromtext($1, 4326))',
          `POLYGON((${ring},${ring.split(',')[0]}))`,
        )
        const places = ring.split(',').map((one) => {
          const [lon = 0, lat = 0] = one.split(' ').map(Number)
          return { lon, lat }
        })
        expect(hectaresOf(places) / ha, `${ring}: ${ha}`).toBeCloseTo(1, 4)
      }
    })

    test('taken once, however often it is sent; another under its number is refused', async () => {
      const one = await capture()
      const [first, again] = await sync(one, one)
      expect(first).toMatchObject({
        ergebnis: 'angelegt',
        objekt: { kennung: one.kennung, stand: 'offen', punkte: 2, genauigkeit_m: 2.1, version: 1 },
      })
      expect(again!.ergebnis).toBe('unveraendert')
      expect(await sync({ ...one, bemerkung: 'anders' })).toMatchObject([
        { ergebnis: 'abgelehnt', regel: 'grenze_kennung_vergeben' },
      ])
      expect((await list()).filter(({ kennung }) => kennung === one.kennung)).toHaveLength(1)
    })

    test.each([
      ['lage', '12.5 51.3,12.51 51.31,12.51 51.3,12.5 51.31', 'grenze_kreuzt'],
      ['lage', '12.5 51.3,12.51 51.31', 'grenze_wenig'],
      ['lage', '12.5 51.3,12.50001 51.3,12.50001 51.30001', 'grenze_klein'],
      ['lage', '2 48,2.1 48,2.1 48.1', 'grenze_lage'],
      ['lage', "12.5 51.3,'); drop", 'grenze_wenig'],
      ['lage', null, 'grenze_ecken'],
      ['spur', 'x', 'grenze_spur'],
      ['spur', '', 'grenze_spur'],
      ['toleranz_m', 101, 'grenze_toleranz'],
      ['bemerkung', 'x'.repeat(2001), 'grenze_bemerkung'],
      ['fremd', 1, 'unbekanntes_feld'],
      ['idHQ', 999_999, 'grenze_nicht_erlaubt'],
    ])('%s %s is refused: %s', async (field, bad, rule) => {
      expect(await sync(await capture({ [field]: bad }))).toMatchObject([
        { ergebnis: 'abgelehnt', regel: rule, objekt: null },
      ])
    })
    test('without an address, or by somebody else, it is refused', async () => {
      const none = { sLVL02: null, sLVL03: null, sLVL04: null, iSTAND: null }
      expect(await sync(await capture(none))).toMatchObject([{ regel: 'grenze_adresse', feld: 'adresse' }])
      for (const who of ['ogf_team', 'ogf_fb_admin', 'kundenadmin', 'apus_admin'] as const)
        expect(
          await value(who, 'app.a_sync_grenzvorschlaege($1::jsonb)', JSON.stringify([await capture()])),
        ).toMatchObject([{ ergebnis: 'abgelehnt', regel: 'grenze_nicht_erlaubt' }])
    })
    test('10,000 points are taken, one more is not', async () => {
      const points = (n: number) =>
        Array.from({ length: n }, () => '12.50000000 51.30000000 spur 2.1 - 0 1790000000').join(';')
      expect(await sync(await capture({ spur: points(10_000) }))).toMatchObject([{ ergebnis: 'angelegt' }])
      expect(await sync(await capture({ spur: points(10_001) }))).toMatchObject([{ regel: 'grenze_spur' }])
    })

    test('ogf_team reads, others see none', async () => {
      await sync(await capture())
      expect((await list('ogf_team')).length).toBeGreaterThan(0)
      for (const who of ['ogf_fb_admin', 'kundenadmin', 'apus_admin'] as const)
        expect(await list(who)).toEqual([])
    })

    test('what it overlaps and leaves bare is shown; applied, the border is another, with its history', async () => {
      const [made] = await sync(await capture())
      const { id, version } = made!.objekt!
      const shown = await details(id)
      // The other stand begins where this one ended.
      expect(shown.nachbarn).toMatchObject([{ id: STAND_A1_2 }])
      expect(shown.nachbarn[0]!.ha).toBeGreaterThan(0.2)
      expect(shown.frei_ha).toBeGreaterThan(0.2)
      expect(shown).toMatchObject({ geaendert: false, ziel_id: STAND_A1, spur: TRACK })
      expect(shown.neu).toHaveLength(1)
      expect(shown.alt).toHaveLength(1)
      await expect(apply(id, version + 1, shown.ziel_fassung)).rejects.toThrow(/changed meanwhile/)
      await expect(apply(id, version, 'f'.repeat(32))).rejects.toThrow(/changed meanwhile/)
      expect(await apply(id, version, shown.ziel_fassung)).toBe(STAND_A1)
      const [row] = (await list()).filter((one) => one.id === id)
      expect(row).toMatchObject({
        stand: 'uebernommen',
        vorher_ha: 2,
        entschieden_von: expect.any(String),
        version: 2,
      })
      const ha = await value<number>(
        'ogf_admin',
        'select flaeche_ha from app.bestand where id = $1',
        STAND_A1,
      )
      expect(ha).toBe(row!.danach_ha)
      await expect(apply(id, 2, shown.ziel_fassung)).rejects.toThrow(/grenze_entschieden/)
      const old = await details(id)
      expect(old.alt).not.toEqual(old.neu)
    })

    test('who captured an older border is told, and what overlaps can be cut off', async () => {
      const before = await capture()
      const [first] = await sync(await capture({ lage: await ringOf(STAND_A1, 0.0001) }))
      await apply(first!.objekt!.id, 1, (await details(first!.objekt!.id)).ziel_fassung)
      const [late] = await sync(before)
      const { id } = late!.objekt!
      const shown = await details(id)
      expect(shown.geaendert).toBe(true)
      await apply(id, 1, shown.ziel_fassung, true)
      const [overlap] = [
        await value<number>(
          'ogf_admin',
          `select public.st_area(public.st_intersection(a.geom, b.geom)::public.geography)
           from app.bestand a, app.bestand b where a.id = $1 and b.id = $2`,
          STAND_A1,
          STAND_A1_2,
        ),
      ]
      expect(overlap).toBeLessThan(0.1)
    })

    test('a new stand needs a free address, and counts like any other', async () => {
      const fresh = { bestand_id: null, fassung: null, lage: await ringOf(STAND_A1, 0.02) }
      const [made] = await sync(await capture(fresh))
      const { id } = made!.objekt!
      await expect(apply(id, 1, null)).rejects.toThrow(/grenze_adresse_vergeben/)
      await expect(apply(id, 1, null, false, ['', '', '', '', '', null])).rejects.toThrow(/grenze_adresse/)
      const stand = await apply(id, 1, null, false, ['', '3', '17', 'c', '', 9])
      expect(
        await value(
          'ogf_admin',
          `select jsonb_build_array("sLVL04", "iSTAND", import_id) from app.bestand where id = $1`,
          stand,
        ),
      ).toEqual(['c', 9, null])
    })

    test('a narrow gap beside a neighbour is named', async () => {
      const [made] = await sync(
        await capture({
          bestand_id: null,
          fassung: null,
          sLVL04: 'd',
          // Two metres south of the second stand's southern side: only a strip is there.
          lage: await value<string>(
            'ogf_admin',
            `select to_jsonb(concat_ws(',', x0 || ' ' || y0, x1 || ' ' || y0, x1 || ' ' || y1, x0 || ' ' || y1)) from (
               select round(public.st_xmin(geom)::numeric, 8) as x0, round(public.st_xmax(geom)::numeric, 8) as x1,
                 round((public.st_ymin(geom) - 0.001)::numeric, 8) as y0,
                 round((public.st_ymin(geom) - 0.000018)::numeric, 8) as y1
               from app.bestand where id = $1) q`,
            STAND_A1_2,
          ),
        }),
      )
      const shown = await details(made!.objekt!.id)
      expect(shown.luecken_ha).toBeGreaterThan(0)
      expect(shown.luecken).not.toBeNull()
    })

    test('refused with a reason', async () => {
      const [made] = await sync(await capture())
      const refuse = (why: string) =>
        value(
          'ogf_admin',
          `select to_jsonb(1) from (select app.a_refuse_grenzvorschlag($1, 1, $2)) x`,
          made!.objekt!.id,
          why,
        )
      await expect(refuse(' ')).rejects.toThrow(/grenze_begruendung/)
      await refuse('Liegt im Nachbarbetrieb')
      expect((await list()).find(({ id }) => id === made!.objekt!.id)).toMatchObject({
        stand: 'abgelehnt',
        begruendung: 'Liegt im Nachbarbetrieb',
      })
    })
  })
