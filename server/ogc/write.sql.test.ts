// Single features written over the OGC services: created, replaced, changed, deleted, with versions and history.
import type { FastifyInstance } from 'fastify'
import type { Claims } from '#server/caller.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OGC_BASE } from '#server/refuse.ts'
import { keyOf } from '#server/share.ts'
import { EITHER_ENGINE, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { insertKey } from '../../db/test/cells/zugang.ts'
import { A, A1, B, claimsOf, IDENTITIES, type IdentityName, NAMES, numberOf } from '../../db/test/world.ts'
import { COLLECTIONS } from './collections.ts'
import { buildSurvey, EAST, EPSG, NORTH, openOgc } from '../../db/test/ogc-server.ts'

const ORIGIN = 'https://forst.example'
const PLACE = [11.41, 53.6]

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`writing features on ${engineName}`, () => {
    let engine: Engine
    let app: FastifyInstance

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildSurvey(engine)
      app = await openOgc(engine, ORIGIN)
    })
    afterAll(async () => {
      await app?.close()
      await engine?.close()
    })

    type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
    const ask = (
      name: string,
      method: Method,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) =>
      app.inject({
        method,
        url: path.startsWith('http') ? path.slice(ORIGIN.length) : `${OGC_BASE}/collections/${path}`,
        headers: {
          authorization: `Bearer token-${name}`,
          ...(body === undefined ? {} : { 'content-type': 'application/geo+json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
    const point = (properties: object, coordinates: unknown = PLACE) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates },
      properties,
    })
    const create = async (properties: object = {}, coordinates: unknown = PLACE): Promise<string> => {
      const made = await ask(
        'apus_team',
        'POST',
        'schacht/items',
        point({ client_id: A, ...properties }, coordinates),
      )
      expect(made.statusCode, made.body).toBe(201)
      return String(made.headers.location)
    }
    interface Read {
      readonly geometry: { readonly coordinates: readonly number[] }
      readonly properties: Record<string, unknown>
    }
    const read = async (address: string, name = 'apus_team') => {
      const answer = await ask(name, 'GET', address)
      return { ...answer.json<Read>(), etag: String(answer.headers.etag), statusCode: answer.statusCode }
    }

    test('a new one, read back at its address, with author and history', async () => {
      const address = await create({ schluessel: 'Neu-1', dn: 300, vermessen: true, datum: '2026-05-01' })
      expect(address).toMatch(new RegExp(`^${ORIGIN}${OGC_BASE}/collections/schacht/items/\\d+$`))
      const { properties, geometry, etag } = await read(address)
      expect(properties).toMatchObject({
        schluessel: 'Neu-1',
        dn: 300,
        vermessen: true,
        version: 1,
        client_id: A,
      })
      expect(geometry.coordinates[0]).toBeCloseTo(PLACE[0]!, 7)
      expect(etag).toBe('"1"')
      const { rows } = await engine.owner.query<{ wer: string; aktion: string }>(
        `select wer, aktion from app.verlauf where tabelle = 'schacht' order by id desc limit 1`,
      )
      expect(rows[0]).toMatchObject({ aktion: 'neu' })
      expect(rows[0]!.wer.length).toBeGreaterThan(3)
    })

    test('in the system that the body names', async () => {
      const body = point({ client_id: A }, [EAST, NORTH])
      const made = await ask('apus_team', 'POST', 'schacht/items', body, {
        'content-crs': `<${EPSG(25833)}>`,
      })
      const back = await ask('apus_team', 'GET', `${String(made.headers.location)}?crs=EPSG:25833`)
      const [x, y] = back.json<Read>().geometry.coordinates
      expect(x).toBeCloseTo(EAST, 2)
      expect(y).toBeCloseTo(NORTH, 2)
      const turned = point({ client_id: A }, [PLACE[1], PLACE[0]])
      const north = await ask('apus_team', 'POST', 'schacht/items', turned, { 'content-crs': EPSG(4326) })
      expect((await read(String(north.headers.location))).geometry.coordinates[0]).toBeCloseTo(PLACE[0]!, 6)
    })

    test('a line from a single line, a tree at its place', async () => {
      const line = { type: 'LineString', coordinates: [PLACE, [11.42, 53.61]] }
      const drain = await ask('apus_admin', 'POST', 'draenage/items', {
        type: 'Feature',
        geometry: line,
        properties: { client_id: A, dn: 50 },
      })
      expect(drain.statusCode, drain.body).toBe(201)
      const made = await ask(
        'ogf_admin',
        'POST',
        'habitatbaum/items',
        point({ idHQ: A1, art: 'bu', lon: 9, lat: 50 }),
      )
      expect(made.statusCode, made.body).toBe(201)
      const address = String(made.headers.location)
      const moved = await ask('ogf_standard', 'PATCH', address, point({}, [11.5, 53.5]))
      expect(moved.statusCode, moved.body).toBe(204)
      const { properties, geometry } = await read(address, 'ogf_standard')
      expect(geometry.coordinates).toEqual([11.5, 53.5])
      expect(properties).toMatchObject({ lon: 11.5, lat: 53.5, art: 'bu' })
    })

    test('a change keeps what it does not name, a replacement resets it', async () => {
      const address = await create({ dn: 300, material: 'Beton', lage_fix: 'rtk_fixed', genauigkeit_cm: 2 })
      const changed = await ask(
        'apus_team',
        'PATCH',
        address,
        { properties: { dn: 400 } },
        {
          'content-type': 'application/merge-patch+json',
        },
      )
      expect(changed.statusCode, changed.body).toBe(204)
      expect(changed.headers.etag).toBe('"2"')
      expect((await read(address)).properties).toMatchObject({
        dn: 400,
        material: 'Beton',
        lage_fix: 'rtk_fixed',
      })
      // As QGIS does: everything it has read comes back, changed or not.
      const { properties, geometry } = await read(address)
      const whole = { type: 'Feature', geometry, properties: { ...properties, dn: 500, material: null } }
      const replaced = await ask('apus_team', 'PUT', address, whole)
      expect(replaced.statusCode, replaced.body).toBe(204)
      expect((await read(address)).properties).toMatchObject({ dn: 500, material: null, version: 3 })
      expect((await ask('apus_team', 'PUT', address, point({ dn: 600 }))).statusCode).toBe(204)
      expect((await read(address)).properties).toMatchObject({ dn: 600, genauigkeit_cm: null })
    })

    test('what a receiver said of a place does not hold for another one', async () => {
      const address = await create({ lage_fix: 'rtk_fixed' })
      await ask('apus_team', 'PATCH', address, point({}, [11.42, 53.6]))
      expect((await read(address)).properties['lage_fix']).toBeNull()
      await ask('apus_team', 'PATCH', address, point({ lage_fix: 'rtk_float' }, [11.43, 53.6]))
      expect((await read(address)).properties['lage_fix']).toBe('rtk_float')
    })

    test('how well a tree was measured does not hold for another place', async () => {
      const said = {
        genauigkeit_m: 0.02,
        lage_methode: 'rtk',
        lage_fix: 'rtk_fixed',
        genauigkeit_geschaetzt: false,
        lage_zeit: '2026-06-01T08:00:00+00:00',
      }
      const byHand = { ...said, genauigkeit_m: null, lage_methode: 'karte', lage_fix: null, lage_zeit: null }
      const made = await ask(
        'ogf_admin',
        'POST',
        'habitatbaum/items',
        point({ idHQ: A1, art: 'bu', ...said }),
      )
      expect(made.statusCode, made.body).toBe(201)
      const address = String(made.headers.location)
      const now = () => read(address, 'ogf_admin')
      expect((await now()).properties).toMatchObject(said)
      // As QGIS does: everything it has read comes back.
      const { properties, geometry } = await now()
      const whole = { type: 'Feature', geometry, properties: { ...properties, bhd_cm: 60 } }
      await ask('ogf_admin', 'PUT', address, whole)
      expect((await now()).properties, 'the same place').toMatchObject({ ...said, bhd_cm: 60 })
      const elsewhere = {
        ...(await now()),
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [11.5, 53.5] },
      }
      expect((await ask('ogf_admin', 'PUT', address, elsewhere)).statusCode).toBe(204)
      expect((await now()).properties, 'moved').toMatchObject(byHand)
      await ask('ogf_admin', 'PATCH', address, point(said, [11.51, 53.5]))
      expect((await now()).properties, 'measured').toMatchObject(said)
      await ask('ogf_admin', 'PATCH', address, point({}, [11.52, 53.5]))
      expect((await now()).properties, 'moved').toMatchObject(byHand)
    })

    test.each(['', 'EPSG:25833', 'EPSG:4258'])(
      'the geometry as it was read is no new place (%s)',
      async (crs) => {
        const said = { lage_fix: 'rtk_fixed', genauigkeit_geschaetzt: false, genauigkeit_cm: 1.4 }
        const address = await create(said, [11.412_345_678_9, 53.612_345_678_9])
        const headers: Record<string, string> =
          crs === '' ? {} : { 'content-crs': EPSG(Number(crs.slice(5))) }
        const shown = (
          await ask('apus_team', 'GET', crs === '' ? address : `${address}?crs=${crs}`)
        ).json<Read>()
        const place = async () =>
          (
            await engine.owner.query(
              `select geom::text from app.schacht where id = ${address.split('/').at(-1)}`,
            )
          ).rows
        const before = await place()
        const { properties } = await read(address)
        const whole = { type: 'Feature', geometry: shown.geometry, properties: { ...properties, dn: 150 } }
        const put = await ask('apus_team', 'PUT', address, whole, headers)
        expect(put.statusCode, put.body).toBe(204)
        expect((await read(address)).properties).toMatchObject({ ...said, dn: 150 })
        await ask('apus_team', 'PATCH', address, { ...whole, properties: {} }, headers)
        expect((await read(address)).properties).toMatchObject(said)
        expect(await place()).toEqual(before)
        const again = { ...(await read(address)), geometry: { type: 'Point', coordinates: PLACE } }
        await ask('apus_team', 'PUT', address, { ...again, type: 'Feature' })
        const gone = { lage_fix: null, genauigkeit_geschaetzt: null, genauigkeit_cm: null }
        expect((await read(address)).properties, 'moved').toMatchObject(gone)
      },
    )

    test('a version that is no longer is refused, whatever was to be done', async () => {
      const address = await create({ dn: 100 })
      const old = { 'if-match': '"1"' }
      expect((await ask('apus_team', 'PATCH', address, { properties: { dn: 101 } }, old)).statusCode).toBe(
        204,
      )
      for (const [method, body] of [
        ['PATCH', { properties: { dn: 102 } }],
        ['PUT', point({ dn: 102 })],
        ['DELETE', undefined],
      ] as const) {
        const refused = await ask('apus_team', method, address, body, old)
        expect(refused.statusCode, method).toBe(412)
        expect(refused.json()).toMatchObject({ code: 'changed_meanwhile' })
      }
      expect((await read(address)).properties['dn']).toBe(101)
      expect(
        (await ask('apus_team', 'DELETE', address, undefined, { 'if-match': '"1", "2"' })).statusCode,
      ).toBe(204)
      expect((await read(address)).statusCode).toBe(404)
      expect((await ask('apus_team', 'DELETE', address)).statusCode).toBe(404)
    })

    test('two changes of the same version: one of them is done', async () => {
      const address = await create({ dn: 100 })
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, nr) =>
          ask('apus_team', 'PATCH', address, { properties: { dn: 200 + nr } }, { 'if-match': '"1"' }),
        ),
      )
      expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
        204, 412, 412, 412, 412, 412,
      ])
    })

    test('who may not write is refused and is not offered it', async () => {
      const address = await create({ dn: 100 })
      const writers = new Set(['apus_team', 'apus_admin', 'admin'])
      const foresters = new Set(['ogf_standard', 'ogf_fb_admin', 'multiple_fb', 'ogf_admin', 'admin'])
      for (const name of NAMES as readonly IdentityName[]) {
        if (name === 'nobody') continue
        const offered = await ask(name, 'OPTIONS', 'schacht/items')
        const refused = offered.statusCode === 401
        expect(String(offered.headers.allow ?? '').includes('POST'), name).toBe(writers.has(name))
        const forTrees = await ask(name, 'OPTIONS', 'habitatbaum/items/1')
        expect(String(forTrees.headers.allow ?? '').includes('PATCH'), name).toBe(foresters.has(name))
        if (writers.has(name)) continue
        const made = await ask(name, 'POST', 'schacht/items', point({ client_id: A }))
        expect(refused ? [401] : [403, 404], `${name} ${made.body}`).toContain(made.statusCode)
        for (const [method, body] of [
          ['PATCH', { properties: { dn: 1 } }],
          ['PUT', point({ dn: 1 })],
          ['DELETE', undefined],
        ] as const)
          expect(refused ? [401] : [403, 404], `${name} ${method}`).toContain(
            (await ask(name, method, address, body)).statusCode,
          )
      }
      expect((await read(address)).properties).toMatchObject({ dn: 100, version: 1 })
    })

    test('what is only read is not written', async () => {
      for (const { id, written, kind } of COLLECTIONS) {
        if (written !== null || kind !== 'polygon') continue
        const area = {
          type: 'Polygon',
          coordinates: [
            [
              [11, 53],
              [12, 53],
              [12, 54],
              [11, 53],
            ],
          ],
        }
        const body = { type: 'Feature', geometry: area, properties: {} }
        expect((await ask('admin', 'POST', `${id}/items`, body)).statusCode, id).toBe(403)
        expect((await ask('admin', 'DELETE', `${id}/items/1`)).statusCode, id).toBe(403)
        expect((await ask('admin', 'OPTIONS', `${id}/items`)).headers.allow).toBe('GET, HEAD, OPTIONS')
      }
    })

    test.each<[string, unknown, string]>([
      ['no feature', { type: 'FeatureCollection', features: [] }, 'einzelnes Objekt'],
      ['an array', [], 'einzelnes Objekt'],
      ['no customer', point({}), 'client_id'],
      ['no geometry', { type: 'Feature', properties: { client_id: A } }, 'geometry'],
      [
        'another geometry',
        { ...point({ client_id: A }), geometry: { type: 'LineString', coordinates: [PLACE, PLACE] } },
        'Point',
      ],
      ['a geometry of nothing', { ...point({ client_id: A }), geometry: null }, 'Point'],
      ['a height', point({ client_id: A }, [11.4, 53.6, 40]), 'Höhen'],
      ['half a place', point({ client_id: A }, [11.4]), 'keine Zahl'],
      ['words for a place', point({ client_id: A }, ['11.4', '53.6']), 'keine Zahl'],
      ['no place', point({ client_id: A }, []), 'unvollständig'],
      ['a place in Africa', point({ client_id: A }, [11.4, 3.6]), 'vermessung_lage'],
      ['an unknown property', point({ client_id: A, fremd: 1 }), 'fremd'],
      ['a property that nobody sets', point({ client_id: A, version: 7 }), 'version'],
      ['an import', point({ client_id: A, import_id: 1 }), 'import_id'],
      ['a number as text', point({ client_id: A, dn: '300' }), 'dn'],
      ['half a millimetre', point({ client_id: A, dn: 0.5 }), 'dn'],
      ['a diameter of nobody', point({ client_id: A, dn: 99_999 }), 'vermessung_dn'],
      ['a text as number', point({ client_id: A, art: 5 }), 'art'],
      ['a day that is none', point({ client_id: A, datum: '2026-02-31' }), ''],
      ['a long text', point({ client_id: A, art: 'x'.repeat(101) }), 'zeile_100'],
      ['a line break', point({ client_id: A, art: 'a\nb' }), 'zeile_100'],
      ['a word for a day', point({ client_id: A, datum: 'now' }), 'datum'],
    ])('%s is refused, and nothing is kept', async (_, body, word) => {
      const before = await engine.owner.query<{ n: number }>('select count(*)::integer as n from app.schacht')
      const refused = await ask('apus_team', 'POST', 'schacht/items', body)
      expect(refused.statusCode, refused.body).toBe(400)
      expect(refused.json<{ detail: string }>().detail).toContain(word)
      const after = await engine.owner.query<{ n: number }>('select count(*)::integer as n from app.schacht')
      expect(after.rows).toEqual(before.rows)
    })

    test('bodies that are no JSON, too long, or of another type', async () => {
      expect((await ask('apus_team', 'POST', 'schacht/items', '{')).statusCode).toBe(400)
      expect((await ask('apus_team', 'POST', 'schacht/items', '{"__proto__": {"a": 1}}')).statusCode).toBe(
        400,
      )
      expect(
        (await ask('apus_team', 'POST', 'schacht/items', '<a/>', { 'content-type': 'text/xml' })).statusCode,
      ).toBe(400)
      const corners = Array.from({ length: 1_001 }, (_, nr) => [11 + nr / 10_000, 53])
      const long = {
        type: 'Feature',
        geometry: { type: 'LineString', coordinates: corners },
        properties: { client_id: A },
      }
      expect(
        (await ask('apus_team', 'POST', 'draenage/items', long)).json<{ detail: string }>().detail,
      ).toContain('1000')
      expect(
        (await ask('apus_team', 'POST', 'schacht/items', `{"a":"${'x'.repeat(2 ** 21)}"}`)).statusCode,
      ).toBe(413)
    })

    test('at the address of a customer a new one is theirs, and another customer has no feature there', async () => {
      const at = (client: number, method: Method, path: string, body?: unknown) =>
        ask(
          'apus_team',
          method,
          `${ORIGIN}${OGC_BASE}/kunde/${client}/collections/schacht/items${path}`,
          body,
        )
      const made = await at(A, 'POST', '', point({ dn: 5 }))
      expect(made.statusCode, made.body).toBe(201)
      expect(made.headers.location).toContain(`/kunde/${A}/collections/schacht/items/`)
      expect((await read(String(made.headers.location))).properties['client_id']).toBe(A)
      const id = String(made.headers.location).split('/').at(-1)!
      expect((await at(B, 'PATCH', `/${id}`, { properties: { dn: 6 } })).statusCode).toBe(404)
      expect((await at(B, 'DELETE', `/${id}`)).statusCode).toBe(404)
      expect((await at(A, 'DELETE', `/${id}`)).statusCode).toBe(204)
      expect((await at(A, 'POST', '', point({ client_id: B }))).statusCode).toBe(400)
    })

    test('a key narrowed to the survey creates, moves and deletes', async () => {
      const { groups } = IDENTITIES.apus_team
      const [id, user_id] = [7_700, numberOf('apus_team')]
      await engine.owner.script(`begin; set local role forst_betrieb;
        ${insertKey({ user_id, id, groups, gruppen: ['vermessung'] })} commit`)
      const claims = { ...claimsOf('apus_team'), key: String(id) } as Claims & { key: string }
      const narrowed = await openOgc(engine, ORIGIN, undefined, () => ({
        claims,
        claimsJson: JSON.stringify(claims),
        person: keyOf('apus_team', id),
        key: { id, name: 'QGIS', readsOnly: false },
        role: 'programm',
      }))
      const send = (method: Method, path: string, payload?: object) =>
        narrowed.inject({
          method,
          url: `${OGC_BASE}/collections/schacht/items${path}`,
          headers: payload === undefined ? {} : { 'content-type': 'application/geo+json' },
          ...(payload && { payload }),
        })
      const made = await send('POST', '', point({ client_id: A, dn: 5 }))
      expect(made.statusCode, made.body).toBe(201)
      const path = `/${String(made.headers.location).split('/').at(-1)}`
      const moved = await send('PATCH', path, { geometry: { type: 'Point', coordinates: [11.42, 53.6] } })
      expect(moved.statusCode, moved.body).toBeLessThan(300)
      expect((await send('DELETE', path)).statusCode).toBe(204)
      await narrowed.close()
    })

    test('values nested without end are refused', async () => {
      for (const levels of [40, 5_000, 100_000]) {
        const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`
        const place = '{"type":"Point","coordinates":[11.4,53.6]}'
        const properties = `{"idHQ":${A1},"art":"bu","strukturen":${deep}}`
        const body = `{"type":"Feature","geometry":${place},"properties":${properties}}`
        const refused = await ask('ogf_admin', 'POST', 'habitatbaum/items', body)
        expect(refused.statusCode, `${levels} ${refused.body.slice(0, 200)}`).toBe(400)
      }
      const long = point({ idHQ: A1, art: 'bu', strukturen: Array(200_000).fill(0) })
      expect((await ask('ogf_admin', 'POST', 'habitatbaum/items', long)).statusCode).toBe(400)
    })

    test('a feature does not go to another customer', async () => {
      const address = await create({ dn: 1 })
      const refused = await ask('apus_team', 'PATCH', address, { properties: { client_id: B } })
      expect(refused.statusCode).toBe(400)
      expect(refused.json<{ detail: string }>().detail).toContain('client_id')
    })
  })
