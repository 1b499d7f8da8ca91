// ogr2ogr takes along a collection of more than 100,000 objects, page by page, with a key in the header of its
// requests: what docs/ogc.md tells people to type.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningApp, SAMPLE_URL, startApp } from './app.ts'
import { demoPassword } from './browser.ts'
import { tokensOf } from './http-sign-in.ts'

const HOW_MANY = 100_000
/** The sample data is changed before the server starts, which PostgreSQL alone allows. */
const IS_MISSING = !existsSync('/usr/bin/ogr2ogr') || process.env[SAMPLE_URL] === undefined

describe.skipIf(IS_MISSING)('ogr2ogr with a key as a header', () => {
  let app: RunningApp
  let key: string

  const run = (program: string, args: readonly string[], password = key) =>
    new Promise<string>((resolve, reject) => {
      const env = {
        ...process.env,
        GDAL_HTTP_HEADERS: `Authorization: Bearer ${password}`,
        http_proxy: '',
        no_proxy: '*',
      }
      execFile(program, args, { env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
        if (error === null) resolve(stdout)
        else reject(new Error(`${stdout}\n${stderr}`))
      })
    })

  beforeAll(async () => {
    app = await startApp({
      prepare: async (owner) => {
        await owner.query(
          `insert into app.schacht (client_id, import_id, geom, schluessel, dn, art)
            select s.client_id, s.import_id, public.st_translate(s.geom, i / 300, i % 300), 'VIELE-' || i,
              i % 1000 + 1, 'Größe ' || i % 7
            from generate_series(1, ${HOW_MANY}) i, (select * from app.schacht order by id limit 1) s`,
        )
        await owner.query('analyze app.schacht')
      },
    })
    const { access_token } = await tokensOf(app, 'apus_admin')
    const answer = await fetch(`${app.origin}/prod-api/zugaenge`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        art: 'person',
        name: 'GIS-Büro',
        haelfte: null,
        gruppen: null,
        nur_lesen: true,
        client_id: null,
        bis: new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10),
        passwort: demoPassword(app),
        code: '',
      }),
    })
    key = ((await answer.json()) as { data: { zugang: string } }).data.zugang
  })
  afterAll(() => app?.stop())

  test('every object is there once, in the system that was asked for', { timeout: 180_000 }, async () => {
    const file = join(app.dataDir, 'schacht.gpkg')
    const source = [`OAPIF:${app.origin}/ogc`, 'schacht']
    const wanted = ['-where', "schluessel LIKE 'VIELE-%'", '-t_srs', 'EPSG:25832']
    await run('ogr2ogr', ['-f', 'GPKG', '-oo', 'PAGE_SIZE=10000', ...wanted, file, ...source])
    const counted =
      'select count(*) as n, count(distinct schluessel) as keys, count(distinct id) as ids from schacht'
    const found = await run('ogrinfo', ['-q', '-dialect', 'SQLite', '-sql', counted, file])
    expect([...found.matchAll(/\(Integer\) = (\d+)/g)].map(([, n]) => Number(n))).toEqual([
      HOW_MANY,
      HOW_MANY,
      HOW_MANY,
    ])
    const summary = await run('ogrinfo', ['-so', file, 'schacht'])
    expect(summary).toContain('ID["EPSG",25832]')
    expect(summary).toMatch(/^tiefe: Real /m)
  })

  test('the header decides: with another key there is nothing', async () => {
    await expect(run('ogrinfo', ['-so', `OAPIF:${app.origin}/ogc`, 'schacht'], `${key}x`)).rejects.toThrow(
      'not_signed_in',
    )
  })
})
