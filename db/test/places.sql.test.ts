// What the overviews say of each holding and customer, against plain counts with the same rights.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Place, PlaceSubject } from '#contract/places.ts'
import { C } from './cells/vermessung.ts'
import { asCaller, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'

const ROLES = [
  'ogf_admin',
  'ogf_team',
  'apus_team',
  'admin',
  'kundenadmin',
  'ogf_standard',
  'appuser',
] as const

/** As many as one answer has at most (app.a_get_orte). */
const PLACES_MOST = 500
const byNumber = (a: number, b: number) => a - b

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`overviews on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await engine.owner.script(
        `begin; set local role forst_betrieb;
         update app.kunde_hq set kawm_enabled = true, kawm_approval_date = '2026-02-01'
         where hqid in (${w.A1}, ${w.B1});
         insert into app.habitatbaeume (kennung, client_id, "idHQ", art, lon, lat, verlust_datum, verlust_grund,
           markierung_art, kawm)
         select gen_random_uuid(), ${w.A}, ${w.A1}, 'bu', 12.4, 51.3, lost, case when lost is not null then 'brand' end,
           mark, counts
         from (values (null::date, null, true), ('2026-05-01', 'farbe', true), (null, 'welle', true),
           (null, 'farbe', false)) as v(lost, mark, counts);
         commit`,
      )
    })
    afterAll(() => engine?.close())

    const read = async <Row>(role: w.IdentityName, text: string): Promise<Row[]> =>
      (await engine.api.once<Row>(asCaller(w.claimsOf(role)), sql(text))).rows
    const places = async (role: w.IdentityName, was: PlaceSubject, suche = '') => {
      const [row] = await read<{ found: string }>(
        role,
        `select coalesce(jsonb_agg(p), '[]')::text as found from app.__o_get_places('${was}', '${suche}') p`,
      )
      return JSON.parse(row!.found) as Place[]
    }
    const counts = async (role: w.IdentityName, text: string): Promise<Record<string, number>> => {
      const rows = await read<{ id: number; n: number }>(role, text)
      return Object.fromEntries(rows.map(({ id, n }) => [Number(id), Number(n)]))
    }
    const numbers = (found: readonly Place[], of: (place: Place) => number | null) =>
      Object.fromEntries(found.map((place) => [place.id, of(place)]))

    test.each(ROLES)('counts are those that %s may read', async (role) => {
      const trees = await places(role, 'habitat')
      expect(numbers(trees, ({ anzahl }) => anzahl)).toEqual(
        await counts(
          role,
          `select "idHQ" as id, count(*) as n from app.habitatbaeume where verlust_datum is null group by 1`,
        ),
      )
      const stands = await places(role, 'waldbestand')
      expect(numbers(stands, ({ anzahl }) => anzahl)).toEqual(
        await counts(role, `select "idHQ" as id, count(*) as n from app.bestand group by 1`),
      )
      expect(numbers(stands, ({ hektar }) => hektar)).toEqual(
        await counts(role, `select "idHQ" as id, sum(flaeche_ha) as n from app.bestand group by 1`),
      )
      const survey = await places(role, 'kataster')
      expect(numbers(survey, ({ anzahl }) => anzahl)).toEqual(
        await counts(
          role,
          `select client_id as id, count(*) as n
           from (${['draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf']
             .map((name) => `select client_id from app.${name}`)
             .join(' union all ')}) o
           where exists (select from app.kunde k where k.client_id = o.client_id)
           group by 1`,
        ),
      )
      for (const { id, karten } of survey)
        expect({ [id]: karten }).toEqual(
          await counts(
            role,
            `select ${id} as id, count(*) as n from app.kartenblatt where client_id = ${id}`,
          ),
        )
      for (const found of [trees, stands, survey])
        expect(found.every(({ gesamt }) => gesamt === found.length)).toBe(true)
    })

    test('the grant has the figures of its own page', async () => {
      const found = await places('ogf_team', 'kawm')
      expect(found.map(({ id }) => id).toSorted(byNumber)).toEqual([w.A1, w.B1])
      for (const place of found) {
        const [row] = await read<{ kawm: string }>(
          'ogf_team',
          `select app.__o_get_kawm(${place.id})::text as kawm`,
        )
        const { erfasst, markiert, soll, frist } = JSON.parse(row!.kawm) as Record<string, unknown>
        expect(place).toMatchObject({ anzahl: erfasst, markiert, soll, frist })
      }
    })

    test('every place is near its outline, its trees or its objects', async () => {
      for (const [was, role] of [
        ['habitat', 'ogf_team'],
        ['kawm', 'ogf_team'],
        ['waldbestand', 'ogf_team'],
        ['kataster', 'apus_team'],
      ] as const)
        for (const { id, lon, lat, name, zusatz } of await places(role, was)) {
          expect(name.length).toBeGreaterThan(0)
          const owner = id === w.A1 || id === w.A2 ? 'Forst A' : 'Forst B'
          expect(zusatz, name).toBe(
            was === 'kataster' ? { [w.A]: 'Leipzig', [w.B]: 'Kassel', [C]: 'Neubrandenburg' }[id] : owner,
          )
          expect(lon! > 9 && lon! < 14 && lat! > 50 && lat! < 54, `${was} ${id}: ${lon} ${lat}`).toBe(true)
        }
      // The middle of the square of 1,000 by 2,000 m from 320000 5690000 in zone 33.
      const [at] = await read<{ metres: number }>(
        'ogf_team',
        `select public.st_distance(
           public.st_transform(public.st_setsrid(public.st_makepoint(p.lon, p.lat), 4326), 25833),
           public.st_setsrid(public.st_makepoint(320500, 5691000), 25833)) as metres
         from app.__o_get_places('habitat') p where p.id = ${w.A1}`,
      )
      expect(Number(at!.metres)).toBeLessThan(0.01)
    })

    test('the one changed last comes first; words of the name or of the customer find it', async () => {
      const all = await places('ogf_admin', 'habitat')
      const days = all.map(({ geaendert_am }) => Date.parse(geaendert_am!))
      expect(days).toEqual(days.toSorted((a, b) => b - a))
      expect((await places('ogf_admin', 'habitat', 'eins')).map(({ id }) => id).toSorted(byNumber)).toEqual(
        all
          .filter(({ name }) => name.includes('eins'))
          .map(({ id }) => id)
          .toSorted(byNumber),
      )
      expect((await places('ogf_admin', 'habitat', 'forst b')).map(({ id }) => id)).toEqual([w.B1])
      expect(await places('ogf_admin', 'habitat', 'nirgends')).toEqual([])
      expect((await places('apus_team', 'kataster', 'neubrand')).map(({ id }) => id)).toEqual([C])
    })

    test('beyond the most, the number of all is told', async () => {
      await engine.owner.script(
        `begin; set local role forst_betrieb;
         insert into app.hq ("idHQ", client_id, "sHQ")
         select 1000 + n, ${w.B}, 'Viele ' || n from generate_series(1, ${PLACES_MOST + 3}) n;
         insert into app.habitatbaeume (client_id, "idHQ", art, lon, lat)
         select ${w.B}, 1000 + n, 'bu', 10, 51 from generate_series(1, ${PLACES_MOST + 3}) n;
         commit`,
      )
      const found = await places('ogf_team', 'habitat', 'viele')
      expect([found.length, found[0]!.gesamt]).toEqual([PLACES_MOST, PLACES_MOST + 3])
    })

    test('another subject is refused', async () => {
      await expect(read('admin', `select * from app.__o_get_places('x')`)).rejects.toMatchObject({
        code: '23514',
        hint: 'ort_art',
      })
    })
  })
