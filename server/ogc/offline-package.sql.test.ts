// The package of QField: who gets which, and whether its GeoPackage has what the services have.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { FastifyInstance } from 'fastify'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OGC_BASE } from '#server/refuse.ts'
import { enginesToday, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildSurvey, EAST, EPSG, IMPORT, NORTH, openOgc } from '../../db/test/ogc-server.ts'
import { A, A1, B, B1 } from '../../db/test/world.ts'
import { MOST_OBJECTS } from './offline-package.ts'

const ORIGIN = 'https://forst.example'

interface Features {
  readonly features: readonly {
    readonly id: number
    readonly geometry: { readonly coordinates: readonly number[] }
    readonly properties: Readonly<Record<string, unknown>>
  }[]
}
interface Package {
  readonly project: string
  readonly data: DatabaseSync
}

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`packages of QField on ${engineName}`, () => {
    let engine: Engine
    let app: FastifyInstance
    let folder: string
    let making: string

    const get = (name: string, path: string) =>
      app.inject({ url: `${OGC_BASE}${path}`, headers: { authorization: `Bearer token-${name}` } })
    const unpacked = async (name: string, path: string): Promise<Package> => {
      const answer = await get(name, path)
      expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
      expect(answer.headers['content-type']).toBe('application/zip')
      const files = unzipSync(answer.rawPayload)
      const names = Object.keys(files)
      expect(names).toEqual([expect.stringMatching(/^(?:kunde|betrieb)-\d+\.qgs$/), 'daten.gpkg'])
      const file = join(folder, `${Math.random()}.gpkg`)
      writeFileSync(file, files['daten.gpkg']!)
      return {
        project: Buffer.from(files[names[0]!]!).toString(),
        data: new DatabaseSync(file, { readOnly: true }),
      }
    }
    const tablesOf = ({ data }: Package): string[] =>
      data
        .prepare('select table_name as name from gpkg_contents order by 1')
        .all()
        .map(({ name }) => String(name))

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'forstkontor-qfield-'))
      engine = await openEngine(engineName)
      await buildSurvey(engine)
      for (const [client, nr] of [
        [A, 1],
        [A, 2],
        [B, 3],
      ])
        await engine.owner.query(
          `insert into app.schacht (client_id, import_id, geom, schluessel, dn, vermessen, datum)
            values ($1, $2, st_setsrid(st_makepoint($3, $4), 25833), $5, 300, true, '2026-03-01')`,
          [client, IMPORT + client!, EAST + nr! * 10, NORTH, `S-${nr} „süd“`],
        )
      making = join(folder, 'making')
      app = await openOgc(engine, ORIGIN, making)
    })
    afterAll(async () => {
      await app?.close()
      await engine?.close()
      rmSync(folder, { recursive: true, force: true })
    })

    test('what a person sees of a customer or a holding is in it, and nothing else', async () => {
      let rows = 0
      for (const [name, base] of [
        ['apus_team', `/kunde/${A}`],
        ['apus_team', `/kunde/${B}`],
        ['appuser', `/kunde/${A}`],
        ['ogf_admin', `/betrieb/${A1}`],
        ['ogf_standard', `/betrieb/${A1}`],
      ] as const) {
        const found = await unpacked(name, `${base}/qfield.zip`)
        const listed = (await get(name, `${base}/collections`)).json<{ collections: { id: string }[] }>()
        const half = base.startsWith('/kunde')
          ? ['draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf', 'plan']
          : ['forstbetrieb', 'bestand', 'habitatbaum']
        const seen = listed.collections.map(({ id }) => id).filter((id) => half.includes(id))
        expect(seen.length).toBeGreaterThan(0)
        expect(tablesOf(found), `${name} ${base}`).toEqual(seen.toSorted())
        for (const table of seen) {
          const ids = found.data.prepare(`select * from ${table} order by fid`).all()
          const { features } = (await get(name, `${base}/collections/${table}/items`)).json<Features>()
          const key = table === 'forstbetrieb' ? 'idHQ' : 'id'
          expect(
            ids.map((row) => row[key]),
            `${name} ${base} ${table}`,
          ).toEqual(features.map(({ id }) => id))
          rows += ids.length
          expect(found.project).toContain(`<datasource>./daten.gpkg|layername=${table}</datasource>`)
        }
        found.data.close()
      }
      expect(rows).toBeGreaterThan(8)
    })

    test('values and places are those of the services', async () => {
      const { data } = await unpacked('apus_team', `/kunde/${A}/qfield.zip`)
      const crs = encodeURIComponent(EPSG(25833))
      const items = await get('apus_team', `/kunde/${A}/collections/schacht/items?crs=${crs}`)
      const [feature] = items.json<Features>().features
      const row = data.prepare('select * from schacht order by fid limit 1').get()!
      expect(row).toMatchObject({
        id: feature!.id,
        schluessel: 'S-1 „süd“',
        dn: 300,
        vermessen: 1,
        datum: '2026-03-01',
      })
      const { geom, fid, ...values } = row
      expect(fid).toBe(1)
      for (const [name, value] of Object.entries(values))
        expect(typeof value === 'number' ? Number(feature!.properties[name]) : value, name).toEqual(
          feature!.properties[name] === null ? null : value,
        )
      const view = new DataView(new Uint8Array(geom as Uint8Array).buffer)
      const { srs_id: srs } = data.prepare('select srs_id from gpkg_geometry_columns').get()!
      expect(view.getInt32(4, true)).toBe(srs)
      if (srs === 25833) {
        expect(view.getFloat64(13, true)).toBeCloseTo(feature!.geometry.coordinates[0]!, 3)
        expect(view.getFloat64(21, true)).toBeCloseTo(feature!.geometry.coordinates[1]!, 3)
      } else expect(srs).toBe(25832)
      data.close()
    })

    test('the project has paths beside it, the settings of QField, and no address', async () => {
      const { project, data } = await unpacked('apus_team', `/kunde/${A}/qfield.zip`)
      data.close()
      expect(project).toContain('<Absolute type="bool">false</Absolute>')
      expect(project).toContain('name="QFieldSync/is_geometry_editing_locked" value="true"')
      expect(project).toContain('<labeling')
      expect(project).not.toContain(ORIGIN)
      expect(project).not.toContain('wms')
    })

    test('nobody else gets one, and nothing is left behind', async () => {
      for (const [name, path] of [
        ['appuser', `/kunde/${B}/qfield.zip`],
        ['ogf_init', `/kunde/${A}/qfield.zip`],
        ['ogf_standard', `/betrieb/${B1}/qfield.zip`],
        ['apus_team', '/kunde/999999/qfield.zip'],
      ] as const)
        expect((await get(name, path)).statusCode, `${name} ${path}`).toBe(404)
      expect((await app.inject(`${OGC_BASE}/kunde/${A}/qfield.zip`)).statusCode).toBe(401)
      await expect.poll(() => readdirSync(making)).toEqual([])
    })

    test('more objects than a device draws are refused', async () => {
      await engine.owner.query(
        `insert into app.schlucker (client_id, import_id, geom)
          select ${B}, ${IMPORT + B}, st_setsrid(st_makepoint(${EAST} + i % 300, ${NORTH} + i / 300), 25833)
          from generate_series(1, ${MOST_OBJECTS}) i`,
      )
      const refused = await get('apus_team', `/kunde/${B}/qfield.zip`)
      expect([refused.statusCode, refused.json()]).toMatchObject([413, { code: 'too_large' }])
      expect((await get('apus_team', `/kunde/${A}/qfield.zip`)).statusCode).toBe(200)
      // The file of an answer goes once it was sent.
      await expect.poll(() => readdirSync(making)).toEqual([])
    }, 120_000)
  })
