// Areas of headquarters: what a file may contain, what is reported about a wrong one, and that two people do
// not overwrite each other.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EPSG_CODES } from '#domain/epsg.ts'
import { isSameDatum } from '#domain/area.ts'
import { squareJson } from './cells/forstbetrieb.ts'
import { attempt, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import * as w from './world.ts'
import { buildWorld, claimsOf } from './world.ts'

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`areas on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())

    const draw = (json: string, epsg: number | null, version: number | null, hqId = w.A2) =>
      sql('select app.a_set_hq_flaeche($1, $2::jsonb, $3, $4)', hqId, json, epsg, version)
    const asAdmin = (...statements: ReturnType<typeof sql>[]) =>
      attempt(engine.api, claimsOf('ogf_admin'), ...statements)
    const look = sql(
      `select round(flaeche_ha, 1)::text as ha, epsg, version, punkte, vereinfacht,
       geojson ->> 'type' as type, round(west::numeric, 3)::text as west,
       round(south::numeric, 3)::text as south from app.__o_get_area_from_hq($1)`,
      w.A2,
    )

    test('drawn, it is kept as a multipolygon in the customer’s system and reads back', async () => {
      expect(await asAdmin(draw(squareJson(325000, 5690000), 25833, null), look)).toMatchObject({
        rows: [
          {
            ha: '200.0',
            epsg: 25833,
            version: 1,
            punkte: 5,
            vereinfacht: false,
            type: 'MultiPolygon',
            west: '12.487',
            south: '51.334',
          },
        ],
      })
    })
    test('degrees are brought into the customer’s system', async () => {
      const square = JSON.stringify({
        type: 'Polygon',
        coordinates: [
          [
            [12.5, 51.3],
            [12.51, 51.3],
            [12.51, 51.31],
            [12.5, 51.31],
            [12.5, 51.3],
          ],
        ],
      })
      // 1/100 degree: 697.5 m by 1,112.6 m.
      expect(await asAdmin(draw(square, 4326, null), look)).toMatchObject({
        rows: [{ ha: expect.stringMatching(/^77\.[4-8]$/), epsg: 25833, west: '12.500', south: '51.300' }],
      })
    })
    test('who may not draw is refused before the file is judged, even where they may read', async () => {
      for (const who of ['kundenadmin', 'ogf_fb_admin', 'ogf_team', 'apus_admin', 'ogf_init'] as const)
        for (const [json, epsg, version] of [
          ['{"type": "Point"}', 25833, null],
          [squareJson(325000, 5690000), 31467, null],
          [squareJson(325000, 5690000), 25833, 99],
        ] as const)
          expect(
            await attempt(engine.api, claimsOf(who), draw(json, epsg, version, w.A1)),
            who,
          ).toMatchObject({ code: 'PT404' })
    })
    test('replacing raises the version and is written down', async () => {
      const history = sql(
        `select aktion, wer from app.verlauf
         where tabelle = 'hq_flaeche' and hqid = $1 and user_id is not null order by id`,
        w.A2,
      )
      const twice = [
        draw(squareJson(325000, 5690000), 25833, null),
        draw(squareJson(326000, 5690000), 25833, 1),
      ]
      expect(await asAdmin(...twice, look)).toMatchObject({ rows: [{ version: 2 }] })
      expect(await asAdmin(...twice, history)).toMatchObject({
        rows: [{ aktion: 'neu' }, { aktion: 'geaendert' }],
      })
    })
    test('an outline of thousands of corners is shown simpler and counted as it is', async () => {
      const corners = Array.from({ length: 6000 }, (_, at) => {
        const angle = (2 * Math.PI * at) / 6000
        return [325000 + 1000 * Math.cos(angle), 5690000 + 1000 * Math.sin(angle)]
      })
      const circle = JSON.stringify({ type: 'Polygon', coordinates: [[...corners, corners[0]]] })
      const shown = sql(
        `select vereinfacht, punkte, st_npoints(st_geomfromgeojson(geojson)) < 500 as light,
         round(flaeche_ha) as ha from app.__o_get_area_from_hq($1)`,
        w.A2,
      )
      expect(await asAdmin(draw(circle, 25833, null), shown)).toMatchObject({
        rows: [{ vereinfacht: true, punkte: 6001, light: true, ha: '314' }],
      })
    })

    test.each([
      [
        'a line',
        '{"type":"LineString","coordinates":[[325000,5690000],[326000,5690000]]}',
        25833,
        'Polygon or a MultiPolygon',
      ],
      ['no object', '[]', 25833, 'Polygon or a MultiPolygon'],
      ['a polygon without corners', '{"type":"Polygon","coordinates":[]}', 25833, 'closed rings'],
      ['words for numbers', '{"type":"Polygon","coordinates":[[["a","b"]]]}', 25833, 'closed rings'],
      [
        'an open ring',
        '{"type":"Polygon","coordinates":[[[325000,5690000],[326000,5690000],[326000,5691000]]]}',
        25833,
        'closed rings',
      ],
      [
        'a bow tie',
        '{"type":"Polygon","coordinates":' +
          '[[[325000,5690000],[326000,5691000],[326000,5690000],[325000,5691000],[325000,5690000]]]}',
        25833,
        'Self-intersection[325500 5690500]',
      ],
      ['swapped axes', squareJson(5690000, 325000), 25833, '°'],
      ['a place beyond the globe', squareJson(999325000, 5690000), 25833, 'nowhere on earth'],
      ['the coordinates of the neighbouring zone', squareJson(3525000, 5690000), 25833, '°'],
      ['a system on another datum', squareJson(4525000, 5690000), 31468, 'EPSG:31468'],
      ['no system', squareJson(325000, 5690000), null, 'EPSG:'],
    ])('%s is refused, and the fault names it', async (_what, json, epsg, said) => {
      const outcome = await asAdmin(draw(json, epsg, null))
      expect(outcome).toMatchObject({ code: '23514', message: expect.stringContaining(said) })
    })

    test('who was slower replaces nothing', async () => {
      expect(await asAdmin(draw(squareJson(325000, 5690000), 25833, null, w.A1))).toMatchObject({
        code: 'PT409',
      })
      expect(await asAdmin(draw(squareJson(325000, 5690000), 25833, 7, w.A1))).toMatchObject({
        code: 'PT409',
      })
      expect(await asAdmin(draw(squareJson(325000, 5690000), 25833, 1))).toMatchObject({ code: 'PT409' })
    })

    test('the rule of systems is the same here and in the browser', async () => {
      const { rows } = await engine.owner.query<{ one: number; other: number; same: boolean }>(
        `select a as one, b as other, forest.same_datum(a, b) as same from unnest($1::int[]) a
         cross join unnest($1::int[]) b`,
        [[...EPSG_CODES, 99]],
      )
      expect(rows).toHaveLength((EPSG_CODES.length + 1) ** 2)
      expect(rows.filter(({ one, other, same }) => same !== isSameDatum(one, other))).toEqual([])
    })

    test('hectares: the grid for surveys, the ellipsoid for degrees and for the web’s map', async () => {
      const { rows } = await engine.owner.query<{ utm: string; degrees: string; web: string }>(
        `with area as (select st_geomfromtext($1, 25833) as geom) select forest.hectares(geom)::text as utm,
         forest.hectares(st_transform(geom, 4326))::text as degrees,
           forest.hectares(st_transform(geom, 3857))::text as web from area`,
        [w.A2_AREA],
      )
      expect(Number(rows[0]?.utm)).toBe(200)
      // 175 km west of the meridian the grid is 7/100,000 larger in each direction; Mercator alone would give
      // 512.
      expect(Number(rows[0]?.degrees)).toBeCloseTo(200, 0)
      expect(Number(rows[0]?.web)).toBeCloseTo(Number(rows[0]?.degrees), 2)
    })
  })
