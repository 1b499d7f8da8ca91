// Programs of others against the real server, with keys made for them: GDAL's drivers for OGC API Features, WMTS and
// files by range, QGIS, curl's CSV and the history that names the program.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import readXlsxFile from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningApp, startApp } from './app.ts'
import { demoPassword } from './browser.ts'
import { tokensOf } from './http-sign-in.ts'

const GDAL = '/usr/bin/gdalinfo'
const SOFFICE = '/usr/bin/soffice'
const QGIS = '/usr/lib/python3/dist-packages/qgis'
/** Where test-tools.ts puts packages of PyPI. */
const PYPI = join(import.meta.dirname, '../build/test/pypi')

interface Plan {
  readonly id: number
  readonly properties: { readonly ergebnis: number; readonly client_id: number }
}
interface Sheet {
  readonly data: readonly (readonly unknown[])[]
}
interface Made {
  readonly data: { readonly zugang: string } | null
  readonly message: string
}

describe('doors for other programs', () => {
  let app: RunningApp
  let token: string
  let key: string
  let plans: readonly Plan[]

  const inAYear = new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10)
  const makeKey = async (limits: object, owner = token): Promise<string> => {
    const answer = await fetch(`${app.origin}/prod-api/zugaenge`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        art: 'person',
        name: 'QGIS Büro',
        haelfte: null,
        gruppen: null,
        nur_lesen: true,
        client_id: null,
        bis: inAYear,
        passwort: demoPassword(app),
        code: '',
        ...limits,
      }),
    })
    const { data, message } = (await answer.json()) as Made
    expect(data, message).not.toBeNull()
    return data!.zugang
  }
  const basic = (password: string) => `Basic ${Buffer.from(`QGIS:${password}`).toString('base64')}`
  const ask = (path: string, init: RequestInit = {}, password = key) =>
    fetch(`${app.origin}${path}`, {
      ...init,
      headers: { authorization: basic(password), ...(init.headers as Record<string, string>) },
    })
  const run = (program: string, args: readonly string[], more: Record<string, string> = {}) =>
    new Promise<string>((resolve, reject) => {
      const env = {
        ...process.env,
        GDAL_HTTP_AUTH: 'BASIC',
        GDAL_HTTP_USERPWD: `QGIS:${key}`,
        // Beside what belongs to this server, not where the tests were started.
        GDAL_DEFAULT_WMS_CACHE_PATH: join(app.dataDir, 'wms'),
        no_proxy: '*',
        ...more,
      }
      execFile(program, args, { env, maxBuffer: 2 ** 27 }, (error, stdout, stderr) => {
        if (error === null) resolve(stdout)
        else reject(new Error(`${stdout}\n${stderr}`))
      })
    })

  beforeAll(async () => {
    app = await startApp()
    token = (await tokensOf(app, 'apus_admin')).access_token
    key = await makeKey({})
    const answer = await ask('/ogc/collections/plan/items')
    plans = ((await answer.json()) as { features: Plan[] }).features
  })
  afterAll(() => app?.stop())

  test('a key reads the collections, the data API and nothing of the browser', async () => {
    expect(plans.length).toBeGreaterThan(0)
    const csv = await ask('/rest/kunde?select=client_id,name&limit=2', { headers: { accept: 'text/csv' } })
    expect(csv.headers.get('content-type')).toContain('text/csv')
    expect((await csv.text()).split('\n')[0]!.trim()).toBe('client_id,name')
    expect((await ask('/prod-api/zugaenge', { method: 'POST' })).status).toBe(403)
    expect((await ask('/ogc/collections', {}, `${key}x`)).status).toBe(401)
  })

  test('a key that only reads writes nothing; one that writes is named beside its owner', async () => {
    const [plan] = plans
    const items = `/ogc/kunde/${plan!.properties.client_id}/collections/schacht/items`
    const one = (await (await ask(`${items}?limit=1`)).json()) as {
      features: { id: number; geometry: object; properties: { version: number } }[]
    }
    const { id, properties } = one.features[0]!
    const change = {
      method: 'PATCH',
      headers: { 'content-type': 'application/geo+json', 'if-match': `"${properties.version}"` },
      body: JSON.stringify({ type: 'Feature', properties: { bemerkung: 'Mit QGIS geprüft' } }),
    }
    const allowed = await ask(`${items}/${id}`, { method: 'OPTIONS' })
    expect(allowed.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    const refused = await ask(`${items}/${id}`, change)
    expect([refused.status, await refused.json()]).toMatchObject([403, { hint: 'key_reads_only' }])
    const writing = await makeKey({ nur_lesen: false, name: 'QGIS schreibt' })
    const may = await ask(`${items}/${id}`, { method: 'OPTIONS' }, writing)
    expect(may.headers.get('allow')).toContain('PATCH')
    const changed = await ask(`${items}/${id}`, change, writing)
    expect([changed.status, changed.headers.get('etag')]).toEqual([204, `"${properties.version + 1}"`])
    expect((await ask(`${items}/${id}`, change, writing)).status).toBe(412)
    const history = await fetch(
      `${app.origin}/rest/verlauf?select=wer&tabelle=eq.schacht&schluessel=eq.${id}&order=id.desc&limit=1`,
      { headers: { authorization: `Bearer ${token}` } },
    )
    const [entry] = (await history.json()) as { wer: string }[]
    expect(entry!.wer).toMatch(/ durch QGIS schreibt$/)
  })

  test('a key for the survey of one customer lists and opens nothing else', async () => {
    const { client_id } = plans[0]!.properties
    const narrow = await makeKey({ gruppen: ['vermessung'], client_id, name: 'Messtrupp' })
    const listed = (await (await ask('/ogc/collections', {}, narrow)).json()) as {
      collections: { id: string }[]
    }
    const ids = listed.collections.map(({ id }) => id)
    expect(ids).toContain('draenage')
    expect(ids).not.toContain('plan')
    expect((await ask('/ogc/collections/plan/items', {}, narrow)).status).toBe(403)
    const all = (await (await ask('/ogc/collections/draenage/items', {}, narrow)).json()) as {
      features: { properties: { client_id: number } }[]
    }
    expect(new Set(all.features.map(({ properties }) => properties.client_id))).toEqual(new Set([client_id]))
  })

  describe.skipIf(!existsSync('/usr/bin/curl'))('the examples of docs/api.md', () => {
    const page = readFileSync(join(import.meta.dirname, '../docs/api.md'), 'utf8')
    const examples = [...page.matchAll(/```sh\n([^]*?)\n# prints: (.*)\n```/g)].map(
      ([, script = '', promised = '']) => ({ script, promised }),
    )
    let writing: string
    let forest: string
    let client: string
    let secret: string
    beforeAll(async () => {
      writing = await makeKey({ nur_lesen: false, name: 'Skript' })
      const { access_token } = await tokensOf(app, 'ogf_admin')
      forest = await makeKey({ nur_lesen: false, name: 'Skript Forst' }, access_token)
      secret = await makeKey({ art: 'haus', haelfte: 'draenage', name: 'Nachtlauf' })
      const answer = await fetch(`${app.origin}/rest/rpc/a_get_zugaenge?select=id&name=eq.Nachtlauf`, {
        headers: { authorization: `Bearer ${token}` },
      })
      client = `schluessel-${((await answer.json()) as { id: number }[])[0]!.id}`
    })
    test('are fifteen', () => expect(examples).toHaveLength(15))
    test.each(examples)('$promised', async ({ script, promised }) => {
      const env = {
        ADDRESS: app.origin,
        KEY: key,
        WRITING_KEY: writing,
        FOREST_KEY: forest,
        CLIENT: client,
        SECRET: secret,
      }
      expect(await run('/bin/bash', ['-euo', 'pipefail', '-c', script], env)).toContain(promised)
    })
  })

  describe.skipIf(!existsSync(GDAL))('GDAL', () => {
    test('reads every survey object there is, through all pages', async () => {
      const summary = await run('ogrinfo', ['-ro', '-so', `OAPIF:${app.origin}/ogc`, 'draenage'])
      const [, count] = /Feature Count: (\d+)/.exec(summary) ?? []
      expect(Number(count)).toBeGreaterThan(1_000)
      const all = await run('ogrinfo', ['-ro', '-q', '-geom=NO', `OAPIF:${app.origin}/ogc`, 'draenage'])
      expect(all.match(/OGRFeature/g)).toHaveLength(Number(count))
    })

    test('opens a plan over WMTS and finds something drawn', async () => {
      const { id, properties } = plans[0]!
      const here = `${app.origin}/ogc/kunde/${properties.client_id}/wmts/1.0.0/WMTSCapabilities.xml`
      const info = await run('gdalinfo', ['-stats', `WMTS:${here},layer=plan-${id},tilematrix=14`])
      expect(info).toContain('EPSG",3857')
      expect(info).toMatch(/STATISTICS_STDDEV=(?!0\b)\d/)
    })

    test('reads the GeoTIFF of a plan in ranges', async () => {
      const { id, properties } = plans[0]!
      const address = `/vsicurl/${app.origin}/prod-api/karte/${id}/datei/${properties.ergebnis}`
      const info = await run('gdalinfo', [address], { GDAL_DISABLE_READDIR_ON_OPEN: 'EMPTY_DIR' })
      expect(info).toMatch(/Block=(?:256x256|512x512)/)
      expect(info).toContain('Overviews')
    })
  })

  test.skipIf(!existsSync(SOFFICE))(
    'LibreOffice opens a table with its days, amounts and umlauts',
    async () => {
      const columns = '$select=nummer,kunde,rn_datum,brutto&$orderby=id'
      const [csv, json] = await Promise.all(
        ['csv', 'json'].map((form) => ask(`/tabelle/rechnung.${form}?${columns}`)),
      )
      const stored = (await json!.json()) as {
        nummer: string
        kunde: string
        rn_datum: string
        brutto: number
      }[]
      const file = join(app.dataDir, 'rechnung.csv')
      writeFileSync(file, Buffer.from(await csv!.arrayBuffer()))
      // Semicolon, quotation mark, UTF-8, from the first line, German, numbers and days recognized.
      const filter = 'CSV:59,34,76,1,,1031,false,true'
      const profile = `-env:UserInstallation=file://${join(app.dataDir, 'office')}`
      const place = ['--outdir', app.dataDir, file]
      await run(SOFFICE, [profile, '--headless', `--infilter=${filter}`, '--convert-to', 'xlsx', ...place])
      const [sheet] = (await readXlsxFile(join(app.dataDir, 'rechnung.xlsx'))) as unknown as Sheet[]
      const [head, ...rows] = sheet!.data
      expect(head).toEqual(['Nummer', 'Kunde', 'Rechnungsdatum', 'Brutto (€)'])
      expect(rows).toHaveLength(stored.length)
      expect(
        rows.map(([number, kunde, day, brutto]) => [
          number ?? null,
          kunde,
          (day as Date).toISOString().slice(0, 10),
          brutto,
        ]),
      ).toEqual(stored.map(({ nummer, kunde, rn_datum, brutto }) => [nummer, kunde, rn_datum, brutto]))
      expect(rows.some(([, kunde]) => /[äöüß]/.test(String(kunde)))).toBe(true)
    },
  )

  test.skipIf(!existsSync(join(PYPI, 'odata')))(
    'a client of OData from PyPI asks twenty questions',
    async () => {
      const script = join(import.meta.dirname, 'odata-doors.py')
      const printed = await run('python3', [script, app.origin, key], { PYTHONPATH: PYPI })
      const found = JSON.parse(printed.trim().split('\n').at(-1)!) as {
        sets: string[]
        asked: { question: string; found: number; right: boolean }[]
        page: string[]
        amount: string
        refusal: string
      }
      expect(found.sets).toContain('rechnung')
      expect(found.asked.filter(({ right }) => !right)).toEqual([])
      expect(found.asked).toHaveLength(20)
      expect(found.asked.filter((one) => one.found > 0).length).toBeGreaterThan(12)
      expect(found.page).toHaveLength(2)
      expect(found.amount).toBe('Decimal')
      expect(found.refusal).toContain('Text und Zahl lassen sich nicht vergleichen')
    },
  )

  test.skipIf(!existsSync(QGIS))(
    'QGIS opens a collection, its style and the project file of a customer',
    async () => {
      const { client_id } = plans[0]!.properties
      const answer = await fetch(`${app.origin}/prod-api/qgis/kunde/${client_id}/projekt.qgz`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const [file] = Object.values(unzipSync(new Uint8Array(await answer.arrayBuffer())))
      const project = join(app.dataDir, 'project.qgs')
      writeFileSync(project, file!)
      const script = join(import.meta.dirname, 'qgis-doors.py')
      const printed = await run('/usr/bin/python3', [script, app.origin, key, 'draenage', project])
      const found = JSON.parse(printed.trim().split('\n').at(-1)!) as {
        features: number
        different: number
        half: number
        layers: { name: string; valid: boolean; features: number | null }[]
        style_layers: number
        style_warnings: string[]
        drawn: number
      }
      expect(found).toMatchObject({ valid: true, read: true, printed: true })
      expect(found).toMatchObject({ style_read: true, tiles_valid: true })
      // Which fonts there are is up to the machine.
      expect(found.style_warnings.filter((one) => !one.includes('font'))).toEqual([])
      // The line and its name; drawn, and not on white alone.
      expect(found.style_layers).toBe(2)
      expect(found.drawn).toBeGreaterThan(2)
      expect(found.features).toBeGreaterThan(1_000)
      expect(found.different).toBe(found.features)
      expect(found.half).toBeLessThan(found.features)
      expect(found.layers.filter(({ valid }) => !valid)).toEqual([])
      expect(found.layers.find(({ name }) => name === 'Dränagen')!.features).toBeGreaterThan(10)
      expect(found.layers.some(({ name }) => name.includes('Blatt'))).toBe(true)
    },
  )

  test.skipIf(!existsSync(QGIS))('QGIS opens the packages of QField, with every feature', async () => {
    const [plan] = plans
    const { client_id } = plan!.properties
    const { access_token: forester } = await tokensOf(app, 'ogf_admin')
    const trees = await fetch(`${app.origin}/ogc/collections/habitatbaum/items?limit=1`, {
      headers: { authorization: `Bearer ${forester}` },
    })
    const { features } = (await trees.json()) as { features: { properties: { idHQ: number } }[] }
    for (const [base, own] of [
      [`kunde/${client_id}`, token],
      [`betrieb/${features[0]!.properties.idHQ}`, forester],
    ] as const) {
      const headers = { authorization: `Bearer ${own}` }
      const answer = await fetch(`${app.origin}/prod-api/qgis/${base}/qfield.zip`, { headers })
      expect(answer.status, base).toBe(200)
      const folder = join(app.dataDir, base.replace('/', '-'))
      mkdirSync(folder)
      for (const [name, bytes] of Object.entries(unzipSync(new Uint8Array(await answer.arrayBuffer()))))
        writeFileSync(join(folder, name), bytes)
      const project = join(folder, `${base.replace('/', '-')}.qgs`)
      const printed = await run('/usr/bin/python3', [join(import.meta.dirname, 'offline-doors.py'), project])
      const found = JSON.parse(printed.trim().split('\n').at(-1)!) as {
        crs: string
        layers: { table: string; crs: string; features: number; labels: string | false }[]
      }
      expect(found).toMatchObject({ read: true, relative: true, mode: 'browse', printed: true })
      expect(found.layers.length, base).toBeGreaterThan(1)
      for (const layer of found.layers) {
        const items = `${app.origin}/ogc/${base}/collections/${layer.table}/items?limit=1`
        const { numberMatched } = (await (await fetch(items, { headers })).json()) as {
          numberMatched: number
        }
        expect(layer, base).toMatchObject({
          valid: true,
          inside: true,
          crs: found.crs,
          features: numberMatched,
          labels: expect.stringContaining('"'),
          action: 'copy',
          locked: true,
          read_only: true,
        })
      }
    }
  })
})
