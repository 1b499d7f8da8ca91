// Tiles of a survey of 100,000 objects on 30 by 38 km: on every level few symbols, few bytes and nothing left
// out; on low levels without reading the objects.
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLUSTER, type KatasterFilter, OBJECT_KINDS } from '#contract/kataster-tile.ts'
import { asCaller, enginesToday, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { A, B, claimsOf } from '../../db/test/world.ts'
import { MOST_OBJECTS } from './tile-sql.ts'
import { makeTile } from './tile.ts'

const OBJECTS = 100_000
const MOST_BYTES = 300 * 1024
/** In web mercator; somewhat more than the survey covers. */
const [WEST, EAST, SOUTH, NORTH] = [1_335_000, 1_400_000, 6_850_000, 6_930_000]
const HALF = 20_037_508.342789244
const WHOLE = `select sum(n)::int as n from maps.kataster_clusters_near($1, -2e7, -2e7, 2e7, 2e7, '{}', 16)`
const KEPT = `select stufe, zx, zy, ganz, art, surveyed, erfq, qdt, sum(n)::int as n, sum(laenge_cm)::text as laenge,
    sum(vermessen)::int as v, sum(vermutet)::int as u, sum(draenage)::int as d, sum(schacht)::int as s,
    sum(x_cm)::text as x, sum(y_cm)::text as y
  from maps.vermessung_zelle where client_id = ${A} group by 1, 2, 3, 4, 5, 6, 7, 8
  having sum(n) <> 0 order by 1, 2, 3, 4, 5, 6, 7, 8`

for (const engineName of enginesToday(import.meta.filename)) {
  describe.skipIf(isMissing(engineName))(`on ${engineName}`, () => {
    let engine: Engine
    const staff = asCaller(claimsOf('apus_team'))
    const tile = (z: number, x: number, y: number, filter: KatasterFilter = {}, client = A) =>
      makeTile(engine.api, staff, client, { z, x, y }, filter)
    const layersOf = (bytes: Buffer) => new VectorTile(new PbfReader(bytes)).layers
    /** Every tile of a level that the survey touches. */
    const tilesOf = (z: number): [x: number, y: number][] => {
      const width = (2 * HALF) / 2 ** z
      const at = (value: number) => Math.floor(value / width)
      const tiles: [number, number][] = []
      for (let x = at(WEST + HALF); x <= at(EAST + HALF); x++)
        for (let y = at(HALF - NORTH); y <= at(HALF - SOUTH); y++) tiles.push([x, y])
      return tiles
    }
    async function level(z: number, filter: KatasterFilter = {}) {
      let [counted, most, bytes] = [0, 0, 0]
      for (const [x, y] of tilesOf(z)) {
        const written = await tile(z, x, y, filter)
        bytes = Math.max(bytes, written.length)
        let symbols = 0
        for (const [name, layer] of Object.entries(layersOf(written))) {
          symbols += layer.length
          for (let at = 0; at < layer.length; at++)
            counted += name === CLUSTER ? Number(layer.feature(at).properties['n']) : 1
        }
        most = Math.max(most, symbols)
      }
      return { counted, most, bytes }
    }

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      for (const art of OBJECT_KINDS) await engine.owner.query(`delete from app.${art}`)
      const states = `(array[true, false, null])[n % 3 + 1], (array['GNSS/RTK', 'Tachymetrie', null])[n % 4 + 1]`
      const [x, y] = ['300000 + (n * 7919 % 30011)', '5800000 + (n * 104729 % 38011)']
      await engine.owner.query(`insert into app.draenage (client_id, vermessen, erfq, geom)
        select ${A}, ${states}, st_setsrid(st_multi(st_makeline(st_makepoint(${x}, ${y}),
          st_makepoint(${x} + 120, ${y} + 20))), 25833) from generate_series(1::bigint, ${OBJECTS * 0.6}) n`)
      for (const art of OBJECT_KINDS.slice(1))
        await engine.owner.query(`insert into app.${art} (client_id, vermessen, erfq, geom)
          select ${A}, ${states}, st_setsrid(st_makepoint(${x}, ${y}), 25833)
          from generate_series(1::bigint, ${OBJECTS * 0.1}) n`)
      // As far apart as the points of a receiver that measures every two metres.
      await engine.owner.query(`insert into app.draenage (client_id, geom)
        select ${B}, st_setsrid(st_multi(st_makeline(array(select st_makepoint(380000 + 2 * m + m % 2 * 0.02,
          5940000 + n * 4) from generate_series(1, 400) m))), 25833) from generate_series(1, 500) n`)
      await engine.owner.script('analyze')
    }, 600_000)
    afterAll(() => engine?.close())

    test('the count of the whole survey is in each low level, in few symbols and bytes', async () => {
      for (const z of [0, 3, 6, 8, 9, 10]) {
        const { counted, most, bytes } = await level(z)
        expect(counted, `level ${z}`).toBe(OBJECTS)
        expect(most, `level ${z}`).toBeLessThanOrEqual(256)
        expect(bytes, `level ${z}`).toBeLessThanOrEqual(MOST_BYTES)
      }
    }, 120_000)
    test('higher levels show at most as many objects as can be told apart', async () => {
      for (const z of [11, 12]) {
        const { counted, most, bytes } = await level(z)
        // Objects at an edge are in both tiles.
        expect(counted, `level ${z}`).toBeGreaterThanOrEqual(OBJECTS)
        expect(most, `level ${z}`).toBeLessThanOrEqual(MOST_OBJECTS)
        expect(bytes, `level ${z}`).toBeLessThanOrEqual(MOST_BYTES)
      }
    }, 240_000)
    test.each<[KatasterFilter, string]>([
      [{ vermessen: ['ja'] }, 'vermessen'],
      [{ arten: ['schacht'], vermessen: ['offen', 'nein'] }, `tabelle = 'schacht' and vermessen is not true`],
      [{ erfq: ['Andere'] }, 'erfq is null'],
      [{ erfq: ['GNSS/RTK', 'Andere'], qdt: ['Andere'] }, `erfq = 'GNSS/RTK' or erfq is null`],
    ])(
      'a filter counts what it shows: %j',
      async (filter, where) => {
        const all = OBJECT_KINDS.map(
          (art) => `select '${art}' as tabelle, vermessen, erfq from app.${art}
        where client_id = ${A}`,
        )
        const { rows } = await engine.owner.query<{ n: number }>(
          `select count(*)::int as n from (${all.join(' union all ')}) o where ${where}`,
        )
        for (const z of [6, 9]) expect((await level(z, filter)).counted).toBe(rows[0]!.n)
      },
      120_000,
    )
    test('a tile with all of it is many times faster than counting the objects', async () => {
      const fastest = async (work: () => Promise<unknown>) => {
        const times: number[] = []
        for (let round = 0; round < 5; round++) {
          const begun = performance.now()
          await work()
          times.push(performance.now() - begun)
        }
        return Math.min(...times)
      }
      const kept = await fastest(() => tile(6, ...tilesOf(6)[0]!))
      const counted = await fastest(() => engine.api.once(staff, { text: WHOLE, values: [A] }))
      expect(kept).toBeLessThan(counted / 5)
    }, 120_000)
    test('what is added, moved, changed and deleted is counted at once, as counting anew finds it', async () => {
      await engine.owner.query(`update app.schacht set geom = st_translate(geom, 700, -900)
        where client_id = ${A} and id % 40 = 0`)
      await engine.owner.query(`update app.draenage set vermessen = true, qdt = 'A'
        where client_id = ${A} and id % 100 = 1`)
      await engine.owner.query(
        `update app.draenage set bemerkung = 'x' where client_id = ${A} and id % 100 = 2`,
      )
      await engine.owner.query(`delete from app.einlauf where client_id = ${A} and id % 20 = 0`)
      await engine.owner.query(`insert into app.schlucker (client_id, geom)
        select ${A}, st_setsrid(st_makepoint(310000 + n, 5810000), 25833) from generate_series(1, 300) n`)
      const before = (await engine.owner.query(KEPT)).rows
      expect(before.length).toBeGreaterThan(1000)
      await engine.owner.query(
        'do $$ begin set local role forst_betrieb; perform maps.count_changed_cells(); end $$',
      )
      expect((await engine.owner.query(KEPT)).rows).toEqual(before)
      const { rows } = await engine.owner.query<{ neu: number }>(
        `select count(*) filter (where neu)::int as neu from maps.vermessung_zelle where client_id = ${A}`,
      )
      expect(rows[0]!.neu).toBe(0)
    }, 120_000)
    test('a line of very many points is drawn with those that can be seen', async () => {
      const { rows } = await engine.owner.query<{ x: string; y: string }>(
        `select st_x(p)::text as x, st_y(p)::text as y from (select st_centroid(g3857) as p from app.draenage
          where client_id = ${B} limit 1) q`,
      )
      const width = (2 * HALF) / 2 ** 12
      const place = [
        Math.floor((Number(rows[0]!.x) + HALF) / width),
        Math.floor((HALF - Number(rows[0]!.y)) / width),
      ] as const
      const written = await tile(12, ...place, {}, B)
      expect(layersOf(written)['draenage']!.length).toBeGreaterThan(100)
      expect(written.length).toBeLessThanOrEqual(MOST_BYTES / 5)
    })
  })
}
