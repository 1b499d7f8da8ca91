import type { FastifyInstance } from 'fastify'
import { VectorTile } from '@mapbox/vector-tile'
import { unzipSync } from 'fflate'
import { PbfReader } from 'pbf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asNutzer } from '#server/nutzer.ts'
import { OGC_BASE } from '#server/refuse.ts'
import { enginesToday, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { A, A1, B, B1, claimsOf, NAMES } from '../../db/test/world.ts'
import { COLLECTIONS } from './collections.ts'
import { buildSurvey, EAST, EPSG, IMPORT, NORTH, openOgc } from '../../db/test/ogc-server.ts'

const ORIGIN = 'https://forst.example'
const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'

interface Feature {
  readonly type: 'Feature'
  readonly id: number
  readonly geometry: { readonly type: string; readonly coordinates: number[] }
  readonly properties: Record<string, unknown>
}
interface Features {
  readonly type: string
  readonly numberMatched?: number
  readonly numberReturned: number
  readonly features: readonly Feature[]
  readonly links: readonly { readonly rel: string; readonly href: string; readonly type: string }[]
}

for (const engineName of enginesToday(import.meta.filename)) {
  describe.skipIf(isMissing(engineName))(`on ${engineName}`, () => {
    let engine: Engine
    let app: FastifyInstance

    const get = (name: string, path: string, headers: Record<string, string> = {}) =>
      app.inject({
        url: `${OGC_BASE}${path}`,
        headers: { authorization: `Bearer token-${name}`, ...headers },
      })
    const features = async (name: string, path: string): Promise<Features> => {
      const answer = await get(name, `/collections/${path}`)
      expect(answer.statusCode, answer.body).toBe(200)
      return answer.json<Features>()
    }
    const idsOf = async (name: string, path: string): Promise<number[]> =>
      (await features(name, path)).features.map(({ id }) => id)
    const namesOf = async (filter: string, more = ''): Promise<unknown[]> =>
      (await features('apus_team', `schacht/items?filter=${encodeURIComponent(filter)}${more}`)).features.map(
        ({ properties }) => properties['schluessel'],
      )
    const add = (table: string, client: number, geometry: string, values: Record<string, unknown> = {}) => {
      const all: Record<string, unknown> = { client_id: client, import_id: IMPORT + client, ...values }
      const keys = Object.keys(all)
      return engine.owner.query(
        `insert into app.${table} (geom, ${keys.join(', ')})
          values (st_setsrid(st_geomfromtext($1), 25833), ${keys.map((_, at) => `$${at + 2}`).join(', ')})`,
        [geometry, ...Object.values(all)],
      )
    }

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildSurvey(engine)
      for (let nr = 1; nr <= 7; nr++)
        await add('schacht', A, `POINT(${EAST + nr * 100} ${NORTH + nr})`, {
          schluessel: `S-${nr}`,
          art: nr % 2 === 0 ? 'Kontrollschacht' : 'Spülschacht, 50 % „süd“',
          dn: nr * 100,
          vermessen: nr === 7 ? null : nr < 4,
          datum: `2026-0${nr}-15`,
        })
      await add('schacht', B, `POINT(${EAST + 60} ${NORTH + 60})`, { schluessel: 'S-8', dn: 800 })
      app = await openOgc(engine, ORIGIN)
    })
    afterAll(async () => {
      await app?.close()
      await engine?.close()
    })

    test('landing page, conformance and description are open, everything with data is not', async () => {
      const open = await app.inject(OGC_BASE)
      expect(open.statusCode).toBe(200)
      const rels = open.json<Features>().links.map(({ rel }) => rel)
      expect(rels).toEqual([
        'self',
        'alternate',
        'service-desc',
        'service-doc',
        'conformance',
        'data',
        'http://www.opengis.net/def/rel/ogc/1.0/styles',
      ])
      expect(
        (await app.inject(`${OGC_BASE}/conformance`)).json<{ conformsTo: string[] }>().conformsTo,
      ).toContain('http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core')
      const described = await app.inject(`${OGC_BASE}/api`)
      expect(described.headers['content-type']).toBe('application/vnd.oai.openapi+json;version=3.0')
      const { paths } = described.json<{ paths: Record<string, object> }>()
      expect(Object.keys(paths)).toHaveLength(14)
      // All that is described is served.
      for (const [path, operations] of Object.entries(paths))
        for (const method of Object.keys(operations))
          expect(
            app.hasRoute({
              method: method.toUpperCase() as 'GET',
              url: `${OGC_BASE}${path === '/' ? '/' : path}`
                .replace('{collectionId}', ':collection')
                .replace('{styleId}', ':style')
                .replace('{featureId}', ':id')
                .replace('{tileMatrix}/{tileRow}/{tileCol}', ':z/:row/:col'),
            }),
            `${method} ${path}`,
          ).toBe(true)
      const methods = (path: string) => Object.keys(paths[path] ?? {}).toSorted()
      expect(methods('/collections/{collectionId}/items')).toEqual(['get', 'options', 'post'])
      expect(methods('/collections/{collectionId}/items/{featureId}')).toEqual([
        'delete',
        'get',
        'options',
        'patch',
        'put',
      ])
      for (const path of [
        '/collections',
        '/collections/schacht',
        '/collections/schacht/items',
        '/collections/schacht/items/1',
        '/collections/schacht/queryables',
        '/collections/schacht/schema',
        '/styles',
        '/styles/karte',
        '/styles/karte/metadata',
      ]) {
        const refused = await app.inject(`${OGC_BASE}${path}`)
        expect(refused.statusCode, path).toBe(401)
        expect(refused.headers['www-authenticate']).toMatch(/^Basic realm="Forstkontor", Bearer/)
        expect(refused.headers['content-type']).toMatch(/^application\/problem\+json/)
        expect(refused.json()).toMatchObject({ status: 401, code: 'not_signed_in' })
      }
    })

    test('everybody sees the features whose rows they see, and no other', async () => {
      let seen = 0
      for (const name of NAMES) {
        const claims = claimsOf(name)
        if (claims === null) continue
        for (const { id, relation, source, key } of COLLECTIONS) {
          const answer = await get(name, `/collections/${id}/items`)
          const caller = { claims: claims as never, claimsJson: JSON.stringify(claims), person: name }
          const rows = engine.api
            .once<{ id: string }>(asNutzer(caller, { readOnly: true }), {
              text: `select ${key}::text as id from ${source} order by ${key}`,
            })
            .then((result) => result.rows.map((row) => Number(row.id)))
            .catch(() => null)
          const expected = await rows
          if (expected === null) {
            expect([401, 403], `${name} ${relation}`).toContain(answer.statusCode)
            continue
          }
          expect(answer.statusCode, `${name} ${relation} ${answer.body}`).toBe(200)
          const got = answer.json<Features>()
          expect(
            got.features.map((feature) => feature.id),
            `${name} ${relation}`,
          ).toEqual(expected)
          expect(got.numberMatched).toBe(expected.length)
          for (const one of expected.slice(0, 1)) {
            const single = await get(name, `/collections/${id}/items/${one}`)
            expect(single.json<Feature>().id).toBe(one)
          }
          seen += expected.length
        }
      }
      expect(seen).toBeGreaterThan(50)
    })

    test('a foreign feature does not exist', async () => {
      const [foreign] = (
        await engine.owner.query<{ id: number }>(`select id from app.schacht where client_id = ${B}`)
      ).rows
      expect((await get('appuser', `/collections/schacht/items/${foreign!.id}`)).statusCode).toBe(404)
      expect((await get('apus_team', `/collections/schacht/items/${foreign!.id}`)).statusCode).toBe(200)
      for (const id of ['0', 'x', '1.5', '-1', '99999999999999999999', "1' or '1'='1"])
        expect(
          (await get('apus_team', `/collections/schacht/items/${encodeURIComponent(id)}`)).statusCode,
          id,
        ).toBe(404)
      expect((await get('apus_team', '/collections/benutzer/items')).statusCode).toBe(404)
    })

    test('collections are listed with how far they reach for the caller', async () => {
      interface Listed {
        readonly collections: readonly {
          readonly id: string
          readonly extent: { readonly spatial: { readonly bbox: readonly number[][] } }
          readonly crs: readonly string[]
          readonly storageCrs: string
        }[]
      }
      const all = (await get('apus_team', '/collections')).json<Listed>().collections
      const manholeLayer = all.find(({ id }) => id === 'schacht')!
      const [west, south, east, north] = manholeLayer.extent.spatial.bbox[0]!
      expect(west).toBeGreaterThan(11)
      expect(east).toBeLessThan(12)
      expect(south).toBeGreaterThan(53)
      expect(north).toBeLessThan(54)
      expect(manholeLayer.crs).toContain(EPSG(25833))
      expect(manholeLayer.storageCrs).toBe(EPSG(25833))
      const none = (await get('ogf_init', '/collections')).json<Listed>().collections
      expect(none).toEqual([])
    })

    test('the system that a collection is stored in is that of its customer, none of two', async () => {
      const change = (work: string) =>
        engine.owner.script(`begin; set local role forst_betrieb; ${work}; commit`)
      // Each is kept for a minute.
      const storedIn = async (who: string, scope: string) =>
        (await get(who, `${scope}/collections/schacht`)).json<{ storageCrs?: string }>().storageCrs
      const toZone = (zone: number, which: string) =>
        change(
          `update app.schacht set geom = st_transform(geom, ${zone}) where client_id = ${A} and ${which}`,
        )
      await toZone(25832, 'true')
      expect(await storedIn('apus_team', `/kunde/${A}`)).toBe(EPSG(25832))
      await toZone(25833, `id = (select min(id) from app.schacht where client_id = ${A})`)
      expect(await storedIn('apus_admin', `/kunde/${A}`)).toBeUndefined()
      await toZone(25833, 'true')
    })

    test('pages follow one another, without a gap and without a doubled one', async () => {
      const all = await idsOf('apus_team', 'schacht/items')
      const paged: number[] = []
      let path: string | null = 'schacht/items?limit=3&f=json'
      while (path !== null) {
        const page: Features = await features('apus_team', path)
        expect(page.numberReturned).toBe(page.features.length)
        expect(page.numberMatched).toBe(paged.length === 0 ? 8 : undefined)
        paged.push(...page.features.map(({ id }) => id))
        const next = page.links.find(({ rel }) => rel === 'next')?.href
        expect(next === undefined || next.startsWith(`${ORIGIN}${OGC_BASE}/collections/schacht/items?`)).toBe(
          true,
        )
        path = next === undefined ? null : next.slice(`${ORIGIN}${OGC_BASE}/collections/`.length)
      }
      expect(paged).toEqual(all)
    })

    test('coordinates come in the system asked for, with its order of axes', async () => {
      const asked = async (uri: string) => {
        const answer = await get(
          'apus_team',
          `/collections/schacht/items?limit=1&crs=${encodeURIComponent(uri)}`,
        )
        expect(answer.headers['content-crs']).toBe(`<${uri}>`)
        return answer.json<Features>().features[0]!.geometry.coordinates as [number, number]
      }
      const utm = await asked(EPSG(25833))
      expect(utm).toEqual([EAST + 100, NORTH + 1])
      const [lon, lat] = await asked(CRS84)
      expect(lon).toBeCloseTo(11.408, 2)
      expect(lat).toBeCloseTo(53.602, 2)
      expect(await asked(EPSG(4326))).toEqual([lat, lon])
      const zone32 = await asked(EPSG(25832))
      expect(zone32[0]).toBeGreaterThan(600_000)
      const missing = await get(
        'apus_team',
        `/collections/schacht/items?crs=${encodeURIComponent(EPSG(31468))}`,
      )
      expect(missing.statusCode).toBe(400)
      expect(missing.json()).toMatchObject({ code: 'bad_value' })
    })

    test('a box finds what lies in it, whatever its system', async () => {
      const box = (bbox: string, more = '') => idsOf('apus_team', `schacht/items?bbox=${bbox}${more}`)
      const utm = `&bbox-crs=${encodeURIComponent(EPSG(25833))}`
      expect(await box(`${EAST + 50},${NORTH},${EAST + 350},${NORTH + 10}`, utm)).toHaveLength(3)
      expect(await box('11,53,12,54')).toHaveLength(8)
      expect(await box('11,53,0,12,54,100')).toHaveLength(8)
      expect(await box('53,11,54,12', `&bbox-crs=${encodeURIComponent(EPSG(4326))}`)).toHaveLength(8)
      expect(await box('-180,-90,180,90')).toHaveLength(8)
      expect(await box('5,5,6,6')).toEqual([])
      for (const wrong of [
        '',
        '1,2,3',
        '1,2,3,x',
        '12,53,11,54',
        '11,54,12,53',
        '0,0,0,900',
        '1,2,3,4,5',
        '1e400,1,2,3',
        'NaN,1,2,3',
      ])
        expect((await get('apus_team', `/collections/schacht/items?bbox=${wrong}`)).statusCode, wrong).toBe(
          400,
        )
      // Too far away for the projection: an answer or a refusal, no fault.
      for (const far of [
        '-900000000,-900000000,900000000,900000000',
        '0,0,1,1',
        '500000,100000000,500001,100000001',
      ])
        expect([200, 400], far).toContain(
          (await get('apus_team', `/collections/schacht/items?bbox=${far}${utm}`)).statusCode,
        )
    })

    test('filters', async () => {
      expect(await namesOf('dn > 500 and vermessen = false')).toEqual(['S-6'])
      expect(await namesOf(`art like 'Sp%l_chacht, 50 \\% „s%'`)).toEqual(['S-1', 'S-3', 'S-5', 'S-7'])
      expect(await namesOf(`casei(art) = casei('KONTROLLSCHACHT')`)).toEqual(['S-2', 'S-4', 'S-6'])
      expect(await namesOf('vermessen is null')).toEqual(['S-7', 'S-8'])
      expect(await namesOf(`datum between '2026-02-01' and '2026-04-01'`)).toEqual(['S-2', 'S-3'])
      expect(await namesOf(`t_after(datum, date('2026-06-01'))`)).toEqual(['S-6', 'S-7'])
      expect(await namesOf(`t_during(datum, interval('2026-02-01', '2026-03-31'))`)).toEqual(['S-2', 'S-3'])
      expect(await namesOf(`schluessel in ('S-1', 'S-2', 'S-9') or dn = 800`)).toEqual(['S-1', 'S-2', 'S-8'])
      expect(await namesOf(`t_during(datum, interval('2026-02-15', '2026-03-15'))`)).toEqual(['S-2', 'S-3'])
      expect(await namesOf(`t_before(datum, date('2026-03-15'))`)).toEqual(['S-1', 'S-2'])
      expect(await namesOf(`t_equals(datum, date('2026-03-15'))`)).toEqual(['S-3'])
      const late = '2026-03-15T23:00:00Z'
      expect(await namesOf(`t_intersects(datum, interval('${late}', '..'))`)).toContain('S-3')
      // The moment of its making is of today.
      const [{ today } = { today: '' }] = (
        await engine.owner.query<{ today: string }>(`select (now() at time zone 'UTC')::date::text as today`)
      ).rows
      expect(await namesOf(`t_during(angelegt_am, interval('..', '${today}'))`)).toHaveLength(8)
      expect(await namesOf(`t_after(angelegt_am, date('${today}'))`)).toEqual([])
      const utm = `&filter-crs=${encodeURIComponent(EPSG(25833))}`
      const corners = [150, 450, 450, 150, 150].map(
        (east, nr) => `${EAST + east} ${NORTH + (nr === 2 || nr === 3 ? 9 : 0)}`,
      )
      const square = `POLYGON((${corners.join(', ')}))`
      expect(await namesOf(`s_within(geometry, ${square})`, utm)).toEqual(['S-2', 'S-3', 'S-4'])
      expect(await namesOf(`not s_intersects(geometry, bbox(11, 53, 12, 54))`)).toEqual([])
      expect(await namesOf(`s_disjoint(geometry, ${square})`, utm)).toEqual([
        'S-1',
        'S-5',
        'S-6',
        'S-7',
        'S-8',
      ])
      const all = await namesOf('true')
      expect(await namesOf('geometry is not null')).toEqual(all)
      expect(await namesOf('geometry is null or geom is null')).toEqual([])
      const inSquare = `GEOMETRYCOLLECTION(POINT Z(13 52 1), ${square})`
      expect(await namesOf(`s_intersects(geometry, ${inSquare})`, utm)).toEqual(['S-2', 'S-3', 'S-4'])
      expect(await namesOf(`s_disjoint(${inSquare}, geometry)`, utm)).toHaveLength(all.length - 3)
      expect(await namesOf(`s_equals(geometry, ${inSquare})`, utm)).toEqual([])
      for (const wrong of [
        `s_within(geometry, ${inSquare})`,
        'fremd = 1',
        'dn = ',
        "dn = 'x'",
        `art like 'a\\'`,
        's_within(geometry, POLYGON((0 0,1 1)))',
        's_within(geometry, POLYGON((0 0,1 1,2 2)))',
      ]) {
        const answer = await get(
          'apus_team',
          `/collections/schacht/items?filter=${encodeURIComponent(wrong)}`,
        )
        expect(answer.statusCode, wrong).toBe(400)
        expect(answer.json<{ detail: string }>().detail.length).toBeGreaterThan(10)
      }
    })

    test('the next link of a long address is as long, and is followed to the end', async () => {
      const start = `${OGC_BASE}/collections/schacht/items?limit=3&filter=art%20not%20in%20(%27`
      // Brackets and commas, which another encoding would make three times as long.
      const list = Array.from({ length: 400 }, () => '((((((%27').join(',%27')
      const own = { authorization: 'Bearer token-apus_team' }
      let found = 0
      for (let url: string | undefined = `${start}${list})`; url !== undefined; ) {
        const answer: { statusCode: number; body: string } = await app.inject({ url, headers: own })
        expect(answer.statusCode, answer.body).toBe(200)
        const page = JSON.parse(answer.body) as Features
        found += page.features.length
        const before = url.length
        url = page.links.find(({ rel }) => rel === 'next')?.href.replace(/^https?:\/\/[^/]+/, '')
        expect((url ?? '').length).toBeLessThan(before + 30)
      }
      // One says nothing of its kind.
      expect(found).toBe(7)
      const tooLong = await app.inject({ url: `${start}${'a'.repeat(12_000)}%27)`, headers: own })
      expect([tooLong.statusCode, tooLong.json<{ code: string }>().code]).toEqual([413, 'too_large'])
    })

    test('by name, by day, some properties', async () => {
      expect(await idsOf('apus_team', 'schacht/items?dn=300')).toHaveLength(1)
      expect(await idsOf('apus_team', `schacht/items?art=Kontrollschacht&vermessen=true`)).toHaveLength(1)
      expect(await idsOf('apus_team', `schacht/items?datum=2026-03-15`)).toHaveLength(1)
      // Those without a day match every day.
      expect(await idsOf('apus_team', 'schacht/items?datetime=2026-03-15')).toHaveLength(2)
      expect(await idsOf('apus_team', 'schacht/items?datetime=2026-06-01/..')).toHaveLength(3)
      expect(await idsOf('apus_team', 'schacht/items?datetime=../2026-03-15')).toHaveLength(4)
      expect(
        await idsOf('apus_team', 'schacht/items?datetime=2026-03-15T00:00:00Z/2026-05-15T23:00:00Z'),
      ).toHaveLength(4)
      const { features: some } = await features('apus_team', 'schacht/items?properties=dn,art&limit=1')
      expect(Object.keys(some[0]!.properties)).toEqual(['dn', 'art'])
      for (const wrong of [
        'fremd=1',
        'dn=x',
        'vermessen=ja',
        'limit=0',
        'limit=x',
        'limit=1&limit=2',
        'after=x',
        'datetime=gestern',
        'datetime=a/b/c',
        'datetime=',
        'properties=fremd',
        'properties=geom',
        'filter-lang=cql-json',
        'f=xml',
        'suchtext=x',
        'g3857=1',
      ])
        expect((await get('apus_team', `/collections/schacht/items?${wrong}`)).statusCode, wrong).toBe(400)
      expect((await get('apus_team', '/collections?x=1')).statusCode).toBe(400)
    })

    test('every column the caller may read, but no key for sorting or searching', async () => {
      const { features: all } = await features('apus_team', 'schacht/items?limit=1')
      const names = Object.keys(all[0]!.properties)
      expect(names).toEqual(
        expect.arrayContaining(['id', 'client_id', 'schluessel', 'dn', 'bemerkung', 'datum']),
      )
      expect(names).not.toEqual(expect.arrayContaining(['g3857']))
      const queryables = (await get('apus_team', '/collections/habitatbaum/queryables')).json<{
        properties: object
      }>()
      expect(Object.keys(queryables.properties)).toEqual(
        expect.arrayContaining(['geometry', 'bhd_cm', 'art']),
      )
      expect(Object.keys(queryables.properties)).not.toContain('strukturen')
    })

    test('the address of a customer or a holding has theirs alone, and its links stay there', async () => {
      expect(await idsOf('apus_team', 'schacht/items')).toHaveLength(8)
      const own = async (path: string, name = 'apus_team') =>
        (await app.inject({ url: path, headers: { authorization: `Bearer token-${name}` } })).json<Features>()
      const a = await own(`${OGC_BASE}/kunde/${A}/collections/schacht/items?limit=3`)
      expect(a.numberMatched).toBe(7)
      expect(a.links.every(({ href }) => href.startsWith(`${ORIGIN}${OGC_BASE}/kunde/${A}/`))).toBe(true)
      expect((await own(`${OGC_BASE}/kunde/${B}/collections/schacht/items`)).features).toHaveLength(1)
      expect((await own(`${OGC_BASE}/kunde/${B}/collections/schacht/items`, 'appuser')).features).toEqual([])
      const foreign = (await own(`${OGC_BASE}/kunde/${B}/collections/schacht/items`)).features[0]!.id
      const wrong = await get('apus_team', `/kunde/${A}/collections/schacht/items/${foreign}`)
      expect(wrong.statusCode).toBe(404)
      const filtered = await own(
        `${OGC_BASE}/kunde/${A}/collections/schacht/items?filter=dn%20%3E%20500&bbox=11,53,12,54&dn=600`,
      )
      expect(filtered.features).toHaveLength(1)
      for (const path of [
        `/betrieb/${A1}/collections/schacht/items`,
        '/kunde/x/collections',
        '/kunde/0/collections',
      ])
        expect((await get('apus_team', path)).statusCode, path).toBe(404)
      const trees = await own(`${OGC_BASE}/betrieb/${A1}/collections/habitatbaum/items`, 'ogf_admin')
      expect(trees.features.every(({ properties }) => properties['idHQ'] === A1)).toBe(true)
    })

    test('plans have an outline and are layers of a WMTS', async () => {
      const corners = [
        [EAST, NORTH],
        [EAST + 500, NORTH],
        [EAST + 500, NORTH + 300],
        [EAST, NORTH + 300],
        [EAST, NORTH],
      ]
      const { rows } = await engine.owner.query<{ karte_id: number }>(
        `update app.karte_datei set umriss = $1, epsg = 25833 where art = 'ergebnis' returning karte_id`,
        [JSON.stringify(corners)],
      )
      expect(rows.length).toBeGreaterThan(0)
      const { features: plans } = await features(
        'apus_team',
        `plan/items?crs=${encodeURIComponent(EPSG(25833))}`,
      )
      const [ring] = plans[0]!.geometry.coordinates as unknown as number[][][]
      expect(ring!.map(([x, y]) => [Math.round(x!), Math.round(y!)])).toEqual(corners)
      expect(plans[0]!.properties['ergebnis']).toBeGreaterThan(0)
      await engine.owner.query(`update app.kartenblatt set map_name = 'Blatt <1> & "2"'`)
      const described = await get('apus_team', '/wmts/1.0.0/WMTSCapabilities.xml')
      expect(described.headers['content-type']).toBe('application/xml; charset=utf-8')
      expect(described.body).toContain('Blatt &lt;1&gt; &amp; &quot;2&quot;')
      expect(described.body).toContain(`<ows:Identifier>plan-${plans[0]!.id}</ows:Identifier>`)
      const seen = (body: string) =>
        [...body.matchAll(/<ows:Identifier>plan-(\d+)</g)].map(([, id]) => Number(id))
      for (const name of ['appuser', 'ogf_standard', 'ogf_init', 'apus_admin'])
        expect(seen((await get(name, '/wmts/1.0.0/WMTSCapabilities.xml')).body), name).toEqual(
          (await idsOf(name, 'plan/items')).toReversed(),
        )
      // A corner that no projection can place: the plan is left out, and the others are there.
      await engine.owner.query(
        `update app.karte_datei set umriss = '[[1e12,0],[1,0],[1,1],[1e12,0]]'
          where art = 'ergebnis' and karte_id = $1`,
        [rows[0]!.karte_id],
      )
      expect(await idsOf('apus_team', 'plan/items')).not.toContain(Number(rows[0]!.karte_id))
    })

    test('vector tiles of points, lines and areas', async () => {
      const tileOf = (lon: number, lat: number, z: number): string => {
        const sin = Math.sin((lat * Math.PI) / 180)
        const x = Math.floor(((lon + 180) / 360) * 2 ** z)
        const y = Math.floor((0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * 2 ** z)
        return `${z}/${y}/${x}`
      }
      const { features: manholes } = await features('apus_team', 'schacht/items')
      const [lon, lat] = manholes[0]!.geometry.coordinates as [number, number]
      const path = `/collections/schacht/tiles/WebMercatorQuad`
      const tile = await get('apus_team', `${path}/${tileOf(lon, lat, 14)}`)
      expect(tile.headers['content-type']).toBe('application/vnd.mapbox-vector-tile')
      const layer = new VectorTile(new PbfReader(tile.rawPayload)).layers['schacht']!
      const found = Array.from({ length: layer.length }, (_, at) => layer.feature(at))
      expect(found.map(({ id }) => id)).toContain(manholes[0]!.id)
      expect(found[0]!.properties).toMatchObject({ schluessel: 'S-1', dn: 100, vermessen: true })
      expect((await get('appuser', `${path}/${tileOf(lon, lat, 14)}`)).rawPayload.length).toBeLessThan(
        tile.rawPayload.length,
      )
      expect((await get('ogf_init', `${path}/${tileOf(lon, lat, 14)}`)).statusCode).toBe(204)
      for (const wrong of ['11/0/0', '23/0/0', '14/99999999/0', '14/x/0', '14/-1/0'])
        expect((await get('apus_team', `${path}/${wrong}`)).statusCode, wrong).toBe(404)
      const area = await features('ogf_admin', 'bestand/items?limit=1')
      const [place] = (area.features[0]!.geometry.coordinates as unknown as [number, number][][][])[0]![0]!
      const stand = await get(
        'ogf_admin',
        `/collections/bestand/tiles/WebMercatorQuad/${tileOf(...place!, 16)}`,
      )
      const polygon = new VectorTile(new PbfReader(stand.rawPayload)).layers['bestand']!.feature(0)
      expect(polygon.type).toBe(3)
      // Outer rings run clockwise on the screen.
      const ring = polygon.loadGeometry()[0]!
      const twice = ring.reduce((sum, { x, y }, at) => {
        const next = ring[(at + 1) % ring.length]!
        return sum + x * next.y - next.x * y
      }, 0)
      expect(twice).toBeGreaterThan(0)
      const described = (await get('apus_team', path)).json<{ layers: { id: string }[] }>()
      expect(described.layers[0]!.id).toBe('schacht')
      expect((await get('apus_team', '/collections/schacht/tiles')).statusCode).toBe(200)
    })

    test('a project of QGIS for a customer or a holding, for those who see it', async () => {
      const project = async (name: string, path: string) => {
        const answer = await get(name, path)
        if (answer.statusCode !== 200) return answer.statusCode
        const [file] = Object.values(unzipSync(answer.rawPayload))
        return Buffer.from(file!).toString()
      }
      const text = String(await project('apus_team', `/kunde/${A}/projekt.qgz`))
      expect(text).toContain(`typename=&#39;schacht&#39; url=&#39;${ORIGIN}${OGC_BASE}/kunde/${A}&#39;`)
      expect(text).toContain('<authid>EPSG:2583')
      // QGIS would evaluate what is in a label, on the computer of who opens it.
      await engine.owner.query(
        `update app.kunde set name = '[% env(''HOME'') %]\uffff' where client_id = ${A}`,
      )
      const named = String(await project('apus_team', `/kunde/${A}/projekt.qgz`))
      expect(named).toContain('<title>[% env(&#39;HOME&#39;) %]</title>')
      expect([...named.matchAll(/labelText="([^"]*)"/g)].map(([, label]) => label)).toEqual([
        '[% @project_title %]',
      ])
      expect(await project('appuser', `/kunde/${B}/projekt.qgz`)).toBe(404)
      expect(await project('ogf_init', `/kunde/${A}/projekt.qgz`)).toBe(404)
      expect(await project('ogf_standard', `/betrieb/${A1}/projekt.qgz`)).toContain('habitatbaum')
      expect(await project('ogf_standard', `/betrieb/${B1}/projekt.qgz`)).toBe(404)
    })

    test('the same for people: pages that escape what they show', async () => {
      await add('schacht', A, `POINT(${EAST} ${NORTH})`, { schluessel: '<script>alert(1)</script>' })
      const page = await get('apus_team', '/collections/schacht/items', { accept: 'text/html,*/*' })
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(page.body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
      expect(page.body).not.toContain('<script')
      const { features: rows, links } = await features('apus_team', 'schacht/items?limit=1')
      const one = `/collections/schacht/items/${rows[0]!.id}`
      expect(links.find(({ rel }) => rel === 'alternate')).toMatchObject({ type: 'text/html' })
      expect((await get('apus_team', one)).json<Features>().links).toContainEqual({
        href: `${ORIGIN}${OGC_BASE}${one}?f=html`,
        rel: 'alternate',
        type: 'text/html',
      })
      const fields = await get('apus_team', '/collections/schacht/queryables', { accept: 'text/html' })
      expect(fields.headers['content-type']).toBe('text/html; charset=utf-8')
      for (const shown of ['geometry', 'dn', 'Zahl', 'datum', 'Tag'])
        expect(fields.body).toContain(`>${shown}<`)
      for (const path of [
        '',
        '/conformance',
        '/api',
        '/collections',
        '/collections/schacht',
        '/collections/schacht/queryables',
        '/collections/schacht/schema',
        one,
      ])
        expect((await get('apus_team', `${path}?f=html`)).body, path).toContain('<h1>')
      await engine.owner.query(`delete from app.schacht where schluessel like '<%'`)
    })
  })
}
