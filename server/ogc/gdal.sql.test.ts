// GDAL's driver for OGC API Features as a client: what it opens, counts, filters and pages through.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OGC_BASE } from '#server/refuse.ts'
import { EITHER_ENGINE, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { A } from '../../db/test/world.ts'
import { freePort } from '../../test/private-postgres.ts'
import { buildSurvey, EAST, IMPORT, NORTH, openOgc } from '../../db/test/ogc-server.ts'

const OGRINFO = '/usr/bin/ogrinfo'
const HOW_MANY = 2_500

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName) || !existsSync(OGRINFO))(`GDAL against ${engineName}`, () => {
    let engine: Engine
    let app: FastifyInstance
    let origin: string

    const ogrinfo = (name: string, ...args: readonly string[]): Promise<string> =>
      new Promise((resolve, reject) => {
        const env = {
          ...process.env,
          GDAL_HTTP_HEADERS: `Authorization: Bearer token-${name}`,
          http_proxy: '',
          no_proxy: '*',
        }
        execFile(OGRINFO, ['-ro', ...args], { env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
          if (error === null) resolve(stdout)
          else reject(new Error(`${stdout}\n${stderr}`))
        })
      })

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildSurvey(engine)
      await engine.owner.query(
        `insert into app.schacht (client_id, import_id, geom, schluessel, dn, art, vermessen, datum)
          select ${A}, ${IMPORT + A}, st_setsrid(st_makepoint(${EAST} + i, ${NORTH} + i % 10), 25833), 'S-' || i,
            i % 1000 + 1, 'Größe ' || i % 7, i % 2 = 0, date '2026-01-01' + i % 90
          from generate_series(1, ${HOW_MANY}) i`,
      )
      const port = await freePort()
      origin = `http://127.0.0.1:${port}`
      app = await openOgc(engine, origin)
      await app.listen({ port, host: '127.0.0.1' })
    })
    afterAll(async () => {
      await app?.close()
      await engine?.close()
    })
    const source = () => `OAPIF:${origin}${OGC_BASE}`

    test('it lists the collections that the caller sees', async () => {
      const listed = await ogrinfo('apus_team', source())
      expect(listed).toContain('schacht (title: Schächte)')
    })

    test('it counts, knows the extent and the fields, and reads every feature once', async () => {
      const summary = await ogrinfo('apus_team', '-so', source(), 'schacht')
      expect(summary).toContain(`Feature Count: ${HOW_MANY}`)
      expect(summary).toMatch(/Extent: \(11\.\d+, 53\.\d+\) - \(11\.\d+, 53\.\d+\)/)
      expect(summary).toMatch(/dn: Integer/)
      expect(summary).toMatch(/datum: Date/)
      const all = await ogrinfo('apus_team', '-al', '-q', '-geom=NO', source(), 'schacht')
      const keys = [...all.matchAll(/schluessel \(String\) = (S-\d+)/g)].map(([, key]) => key)
      expect(keys).toHaveLength(HOW_MANY)
      expect(new Set(keys).size).toBe(HOW_MANY)
    })

    test('it knows the types of columns that its first page says nothing or something else about', async () => {
      await engine.owner.query('delete from app.schlucker')
      await engine.owner.query(
        `insert into app.schlucker (client_id, import_id, geom, schluessel, tiefe, letzte_kontrolle, plan_nr,
            datum, vermessen)
          select ${A}, ${IMPORT + A}, st_setsrid(st_makepoint(${EAST} + i, ${NORTH}), 25833), 'G-' || i,
            case when i > 20 then 1.25 end, case when i > 20 then date '2026-03-01' end,
            case when i <= 20 then '2026-01-0' || i % 9 + 1 else 'M 7, Blatt ' || i end, date '2026-01-31' + i,
            i % 2 = 0
          from generate_series(1, 40) i`,
      )
      const all = await ogrinfo('apus_team', '-al', source(), 'schlucker')
      expect(all).toMatch(/^tiefe: Real /m)
      expect(all).toMatch(/^letzte_kontrolle: Date /m)
      expect(all).toMatch(/^plan_nr: String /m)
      // Once, although GDAL adds the number of a feature by itself.
      expect(all.match(/^id: /gm)).toHaveLength(1)
      expect(all).toContain('plan_nr (String) = M 7, Blatt 40')
      // GDAL writes what looks like a day in its own way.
      expect(all).toMatch(/plan_nr \(String\) = 2026.01.03/)
    })

    test('its filters find what they ask for', async () => {
      const spatial = [`${11.4}`, '53', '12', '54']
      const found = await ogrinfo(
        'apus_team',
        '-q',
        '-geom=NO',
        '-spat',
        ...spatial,
        '-where',
        "dn = 7 AND art = 'Größe 6'",
        source(),
        'schacht',
      )
      const keys = [...found.matchAll(/schluessel \(String\) = (S-\d+)/g)].map(([, key]) => key)
      expect(keys).toEqual(['S-6'])
    })

    test.each([
      ["letzte_kontrolle >= '2026/02/01'", 20],
      ["letzte_kontrolle = '2026/03/01'", 20],
      ["letzte_kontrolle < '2026/03/01'", 0],
      ["datum >= '2026/02/01' and datum <= '2026/02/10'", 10],
      ["angelegt_am >= '2020/01/01 12:00:00'", 40],
      ["plan_nr = '2026-01-03'", 3],
      ["plan_nr ILIKE 'm 7, %'", 20],
      ['tiefe > 1.2 and vermessen = 1', 10],
      ['tiefe is null and not vermessen = 1', 10],
      ["kennung is not null and schluessel in ('G-1', 'G-2')", 2],
      ['dn between 100 and 200', 0],
    ])('it leaves a filter to the server: %s', async (where, expected) => {
      const found = await ogrinfo('apus_team', '-q', '-geom=NO', '-where', where, source(), 'schlucker')
      expect(found.match(/^OGRFeature/gm) ?? []).toHaveLength(expected)
    })

    test('somebody of the forest finds their trees and no survey', async () => {
      const listed = await ogrinfo('ogf_standard', source())
      expect(listed).toContain('habitatbaum (title: Habitatbäume)')
      expect(listed).not.toContain('schacht')
    })
  })
