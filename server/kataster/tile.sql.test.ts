import { gunzipSync } from 'node:zlib'
import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile'
import type { FastifyInstance } from 'fastify'
import { PbfReader } from 'pbf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  OTHER,
  CLUSTER,
  katasterPaths,
  type KatasterFilter,
  OBJECT_KINDS,
  type ObjectKind,
} from '#contract/kataster-tile.ts'
import { enginesToday, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { A, B, NAMES } from '../../db/test/world.ts'
import { refusingServer } from '../../db/test/refusing-server.ts'
import { MOST_OBJECTS } from './tile-sql.ts'
import { EXTENT, boxOf, MARGIN } from '#server/mvt.ts'
import { createKatasterRoom } from './routes.ts'

const IMPORT = 9000
/** Near Schwerin, in UTM 33; and the tile that contains it at a level. */
const [EAST, NORTH] = [262_300, 5_945_000]
const tileAt = (x: number, y: number, z: number) => {
  const width = 40_075_016.685578488 / 2 ** z
  return {
    z,
    x: Math.floor((x + 20_037_508.342789244) / width),
    y: Math.floor((20_037_508.342789244 - y) / width),
  }
}
type Point = { readonly x: number; readonly y: number }
const decode = (bytes: Buffer) => new VectorTile(new PbfReader(bytes)).layers
const featuresOf = (bytes: Buffer, layer: string): VectorTileFeature[] => {
  const found = decode(bytes)[layer]
  return found === undefined ? [] : Array.from({ length: found.length }, (_, at) => found.feature(at))
}
/** The coordinates as stored, before anything is made from them. */
const POINTS = `select 'schacht' as art, id, st_x(g3857)::text as x, st_y(g3857)::text as y
  from app.schacht where client_id = $1 order by id`

for (const engineName of enginesToday(import.meta.filename)) {
  describe.skipIf(isMissing(engineName))(`on ${engineName}`, () => {
    let engine: Engine
    let app: FastifyInstance
    let home: { readonly x: number; readonly y: number }

    const add = (
      art: ObjectKind,
      client: number,
      geometry: string,
      values: Readonly<Record<string, string | number | boolean | null>> = {},
    ) => {
      const all = { client_id: client, import_id: IMPORT + client, ...values }
      const keys = Object.keys(all)
      return engine.owner.query(
        `insert into app.${art} (geom, ${keys.join(', ')})
          values (st_setsrid(st_geomfromtext($1), 25833), ${keys.map((_, at) => `$${at + 2}`).join(', ')})`,
        [geometry, ...Object.values(all)],
      )
    }
    const get = (name: string, url: string, headers = {}) =>
      app.inject({ url: `/prod-api${url}`, headers: { authorization: `Bearer token-${name}`, ...headers } })
    const tile = async (
      z: number,
      filter: KatasterFilter = {},
      at: { readonly x: number; readonly y: number } = home,
    ) => {
      const ort = tileAt(at.x, at.y, z)
      const answer = await get('apus_team', katasterPaths.kachel(A, ort.z, ort.x, ort.y, filter))
      expect([200, 204]).toContain(answer.statusCode)
      return answer.rawPayload
    }

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await engine.owner.query('update app.kunde set kataster_status = true')
      await engine.owner.query('update app.benutzer_kunde set kataster_enabled = true')
      for (const art of OBJECT_KINDS) await engine.owner.query(`delete from app.${art}`)
      for (const client of [A, B])
        await engine.owner.query(
          `insert into app.vermessung_import (id, client_id, dateiname, format, groesse, sha256, stand, modus)
            values ($1, $2, 'a.gpkg', 'gpkg', 1, repeat('0', 64), 'fertig', 'ersetzen')`,
          [IMPORT + client, client],
        )
      const line = (dx: number, dy: number, length: number) =>
        `MULTILINESTRING((${EAST + dx} ${NORTH + dy}, ${EAST + dx + length} ${NORTH + dy + 3}))`
      for (let nr = 0; nr < 12; nr++)
        await add('draenage', A, line(0, nr * 12, 120), {
          vermessen: nr < 6 ? true : nr < 10 ? false : null,
          erfq: nr % 3 === 0 ? 'GNSS/RTK' : nr % 3 === 1 ? 'Bestandsplan digitalisiert' : null,
          qdt: nr % 2 === 0 ? 'A' : null,
          art: 'Sauger',
          dn: 50,
          material: 'Ton',
        })
      // Across several tiles of the deeper levels.
      await add('draenage', A, line(-3000, 70, 9000), { art: 'Sammler "Süd"', dn: 150, vermessen: true })
      for (let nr = 0; nr < 5; nr++)
        await add('schacht', A, `POINT(${EAST + 130} ${NORTH + nr * 30})`, {
          vermessen: nr !== 2,
          art: `Kontrollschacht ${nr}`,
          schluessel: nr === 4 ? null : `S-${nr}`,
        })
      await add('ausmuendung', A, `POINT(${EAST + 140} ${NORTH + 200})`, { vermessen: null })
      await add('schlucker', A, `POINT(${EAST - 3000} ${NORTH - 3000})`)
      await add('einlauf', A, `POINT(${EAST + 3000} ${NORTH + 5000})`, { erfq: OTHER })
      await add('schacht', B, `POINT(${EAST + 60} ${NORTH + 60})`, { art: 'Fremdschacht Zitterpappel' })
      const { rows } = await engine.owner.query<{ x: string; y: string }>(
        `select st_x(p)::text as x, st_y(p)::text as y
          from (select st_transform(st_setsrid(st_makepoint($1, $2), 25833), 3857) as p) q`,
        [EAST + 60, NORTH + 70],
      )
      home = { x: Number(rows[0]!.x), y: Number(rows[0]!.y) }
      app = refusingServer()
      await app.register(createKatasterRoom({ database: engine.api }).routes, { prefix: '/prod-api' })
      await app.ready()
    }, 240_000)
    afterAll(async () => {
      await app?.close()
      await engine?.close()
    })

    test('points lie where the database has them, to the unit, with their ids and attributes', async () => {
      const ort = tileAt(home.x, home.y, 15)
      const box = boxOf(ort.z, ort.x, ort.y)
      const unit = EXTENT / (box.ost - box.west)
      const { rows } = await engine.owner.query<{ id: number; x: string; y: string }>(POINTS, [A])
      const expected = rows
        .map(({ id, x, y }) => ({
          id,
          x: (Number(x) - box.west) * unit,
          y: (box.nord - Number(y)) * unit,
        }))
        .filter(({ x, y }) => [x, y].every((c) => c >= -MARGIN && c <= EXTENT + MARGIN))
      expect(expected.length).toBeGreaterThan(1)
      const drawn = featuresOf(await tile(15), 'schacht')
      expect(drawn.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
      for (const [at, feature] of drawn.entries()) {
        const point = feature.loadGeometry()[0]![0]!
        expect(Math.abs(point.x - expected[at]!.x)).toBeLessThanOrEqual(1)
        expect(Math.abs(point.y - expected[at]!.y)).toBeLessThanOrEqual(1)
        expect(feature.properties['art']).toMatch(/^Kontrollschacht \d$/)
      }
      expect(drawn.filter(({ properties }) => properties['vermessen'] === false)).toHaveLength(1)
    })
    test('lines keep their course and their attributes; what is not known is left out', async () => {
      const drawn = featuresOf(await tile(14), 'draenage')
      expect(drawn).toHaveLength(13)
      const [first] = drawn
      expect(first!.properties).toEqual({
        vermessen: true,
        erfq: 'GNSS/RTK',
        qdt: 'A',
        art: 'Sauger',
        dn: 50,
        material: 'Ton',
        laenge: 120,
      })
      const [from, to] = first!.loadGeometry()[0] as Point[] as [Point, Point]
      // 120 m on the ground at 53.6° north.
      const metres =
        (Math.hypot(to.x - from.x, to.y - from.y) / EXTENT) *
        (40_075_016.685578488 / 2 ** 14) *
        Math.cos((53.6 * Math.PI) / 180)
      expect(Math.abs(metres - 120)).toBeLessThan(1.5)
      expect(Object.keys(drawn[11]!.properties)).not.toContain('vermessen')
    })
    test('points have the name that is written beside them, where they have one', async () => {
      const names = featuresOf(await tile(14), 'schacht').map(({ properties }) => properties['schluessel'])
      expect(names).toEqual(['S-0', 'S-1', 'S-2', 'S-3', undefined])
    })
    test('a line through many tiles is cut at their margins and goes on in the next', async () => {
      const ort = tileAt(home.x, home.y, 16)
      const long = featuresOf(await tile(16), 'draenage').find(
        ({ properties }) => properties['art'] === 'Sammler "Süd"',
      )!
      const xs = long.loadGeometry().flatMap((part) => part.map(({ x }) => x))
      expect([Math.min(...xs), Math.max(...xs)]).toEqual([-MARGIN, EXTENT + MARGIN])
      const next = await get('apus_team', katasterPaths.kachel(A, 16, ort.x + 1, ort.y))
      expect(featuresOf(next.rawPayload, 'draenage').map(({ id }) => id)).toContain(long.id)
    })
    test.each<[string, KatasterFilter, string]>([
      ['surveyed', { vermessen: ['ja'] }, 'vermessen'],
      ['assumed or not said', { vermessen: ['nein', 'offen'] }, 'vermessen is not true'],
      ['a source', { erfq: ['GNSS/RTK'] }, `erfq = 'GNSS/RTK'`],
      [
        'others are those that say nothing or "others"',
        { erfq: [OTHER] },
        `(erfq is null or erfq = 'Andere')`,
      ],
      [
        'a quality and a source',
        { qdt: ['A'], erfq: ['GNSS/RTK', OTHER] },
        `qdt = 'A' and (erfq = 'GNSS/RTK' or erfq is null)`,
      ],
      ['a kind', { arten: ['schacht'] }, 'false'],
    ])('filter: %s', async (_name, filter, where) => {
      const { rows } = await engine.owner.query<{ id: number }>(
        `select id from app.draenage where client_id = $1 and ${where} order by id`,
        [A],
      )
      expect(featuresOf(await tile(14, filter), 'draenage').map(({ id }) => id)).toEqual(
        rows.map(({ id }) => id),
      )
    })
    test('on low levels heaps add up to everything there is, each object in one tile alone', async () => {
      for (const z of [6, 8, 10]) {
        const sums: Record<string, number> = {}
        const centre = tileAt(home.x, home.y, z)
        for (const dx of [-2, -1, 0, 1, 2])
          for (const dy of [-2, -1, 0, 1, 2]) {
            const { rawPayload } = await get(
              'apus_team',
              katasterPaths.kachel(A, z, centre.x + dx, centre.y + dy),
            )
            if (rawPayload.length === 0) continue
            expect(Object.keys(decode(rawPayload))).toEqual([CLUSTER])
            for (const { properties } of featuresOf(rawPayload, CLUSTER))
              for (const [key, value] of Object.entries(properties))
                sums[key] = (sums[key] ?? 0) + Number(value)
          }
        expect(sums, `level ${z}`).toMatchObject({
          n: 21,
          draenage: 13,
          schacht: 5,
          ausmuendung: 1,
          schlucker: 1,
          einlauf: 1,
          vermessen: 11,
          vermutet: 5,
        })
        expect(Math.abs(sums['laenge']! - (12 * 120 + 9000)), `level ${z}`).toBeLessThan(5)
      }
    })
    test('a tile with too many objects is told in heaps until the deepest levels', async () => {
      await engine.owner.query(
        `insert into app.schlucker (client_id, import_id, geom)
          select $1::bigint, $1 + ${IMPORT}, st_setsrid(st_makepoint(${EAST + 5000} + n * 0.001, ${NORTH + 500}), 25833)
          from generate_series(1, ${MOST_OBJECTS + 1}) n`,
        [B],
      )
      const { rows } = await engine.owner.query<{ x: string; y: string }>(
        `select st_x(g3857)::text as x, st_y(g3857)::text as y from app.schlucker where client_id = $1 limit 1`,
        [B],
      )
      const at = (z: number) => tileAt(Number(rows[0]!.x), Number(rows[0]!.y), z)
      const ask = async (z: number) =>
        (await get('apus_admin', katasterPaths.kachel(B, z, at(z).x, at(z).y))).rawPayload
      const heap = await ask(18)
      expect(Object.keys(decode(heap))).toEqual([CLUSTER])
      expect(
        featuresOf(heap, CLUSTER).reduce((sum, { properties }) => sum + Number(properties['n']), 0),
      ).toBe(MOST_OBJECTS + 1)
      expect(featuresOf(await ask(19), 'schlucker')).toHaveLength(MOST_OBJECTS + 1)
    })

    const { x, y, z } = { x: 8465, y: 5287, z: 14 }
    test.each(NAMES)(
      '%s gets tiles of no customer but their own, and nobody learns who there is',
      async (name) => {
        const staff = ['apus_admin', 'apus_team', 'admin'].includes(name)
        const own = staff || ['appuser', 'appuser_admin'].includes(name)
        const ort = tileAt(home.x, home.y, z)
        const [mine, foreign, none] = await Promise.all(
          [A, B, 999_999].map((client) => get(name, katasterPaths.kachel(client, z, ort.x, ort.y))),
        )
        if (own) {
          expect(mine!.statusCode).toBe(200)
          expect(mine!.payload).not.toContain('Zitterpappel')
        } else expect([401, 403, 404]).toContain(mine!.statusCode)
        if (staff) expect(foreign!.payload).toContain('Zitterpappel')
        else {
          expect(foreign!.statusCode).toBe(own ? 404 : mine!.statusCode)
          expect([foreign!.statusCode, foreign!.payload]).toEqual([none!.statusCode, none!.payload])
        }
        expect(none!.statusCode).toBe(staff ? 404 : foreign!.statusCode)
      },
    )
    test('the switch of the customer and that of the person each close the survey', async () => {
      const ort = tileAt(home.x, home.y, z)
      const status = async () => (await get('appuser', katasterPaths.kachel(A, z, ort.x, ort.y))).statusCode
      expect(await status()).toBe(200)
      await engine.owner.query(
        'update app.benutzer_kunde set kataster_enabled = false where client_id = $1',
        [A],
      )
      expect(await status()).toBe(404)
      await engine.owner.query('update app.benutzer_kunde set kataster_enabled = true where client_id = $1', [
        A,
      ])
      await engine.owner.query('update app.kunde set kataster_status = false where client_id = $1', [A])
      expect(await status()).toBe(404)
      await engine.owner.query('update app.kunde set kataster_status = true where client_id = $1', [A])
    })
    test('it is asked again each time and sent once; packed for who can unpack', async () => {
      const ort = tileAt(home.x, home.y, z)
      const url = katasterPaths.kachel(A, z, ort.x, ort.y)
      const packed = await get('appuser', url, { 'accept-encoding': 'gzip, br' })
      const plain = await get('appuser', url)
      expect(packed.headers).toMatchObject({
        'content-encoding': 'gzip',
        'content-type': 'application/vnd.mapbox-vector-tile',
        'cache-control': 'private, no-cache',
      })
      expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
      const etag = String(plain.headers['etag'])
      // As a proxy that compresses sends it on, and with an older one.
      for (const header of [etag, `W/${etag}`, `"older", ${etag}`]) {
        const same = await get('appuser', url, { 'if-none-match': header })
        expect([same.statusCode, same.payload], header).toEqual([304, ''])
      }
      await engine.owner.query(`update app.schacht set art = 'Absturzschacht' where client_id = $1`, [A])
      expect((await get('appuser', url, { 'if-none-match': plain.headers['etag'] })).statusCode).toBe(200)
    })
    test('where nothing is, nothing is sent; what is no tile is not found; what is no filter is refused', async () => {
      expect((await get('apus_team', katasterPaths.kachel(A, z, x - 500, y))).statusCode).toBe(204)
      for (const path of [
        '14/20000/1.mvt',
        '21/1/1.mvt',
        '-1/0/0.mvt',
        '3/1/1.png',
        '3/1/1',
        '3/1.0/1.mvt',
        '3/01/1.mvt',
      ])
        expect((await get('apus_team', `/kataster/${A}/kachel/${path}`)).statusCode, path).toBe(404)
      for (const kunde of ['0', '1e0', "1'--", '99999999999999999999'])
        expect(
          (await get('apus_team', `/kataster/${encodeURIComponent(kunde)}/kachel/3/1/1.mvt`)).statusCode,
          kunde,
        ).toBe(404)
      for (const query of [
        'vermessen=vielleicht',
        'arten=kunde',
        `erfq=${'x'.repeat(101)}`,
        'erfq=%00',
        `${'qdt=a&'.repeat(51)}`,
      ])
        expect((await get('apus_team', `/kataster/${A}/kachel/3/1/1.mvt?${query}`)).statusCode, query).toBe(
          400,
        )
    })
  })
}

test('kinds are layers and tables alike', () => expect(OBJECT_KINDS).toHaveLength(5))
