// Imports by one request of a program, with real keys: what is imported, the faults of rows in both languages, and that
// nothing is imported twice.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { zipSync } from 'fflate'
import writeExcelFile from 'write-excel-file/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cii } from '#domain/eingang/files.fixture.ts'
import { type Caller, type Claims, SignInFault } from '#server/caller.ts'
import { silentLog } from '#server/log.ts'
import { refuseAt } from '#server/refuse.ts'
import type { Room } from '#server/room.ts'
import { guardRoutes } from '#server/route-caller.ts'
import { createWorkQueue } from '#server/work-queue.ts'
import { makeRandom } from '../../db/seeds/random.ts'
import { makeVermessung, toGeoJson } from '../../db/seeds/sample-vermessung.ts'
import { C } from '../../db/test/cells/vermessung.ts'
import { insertKey } from '../../db/test/cells/zugang.ts'
import { ENGINES, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { A, A1, B, claimsOf, IDENTITIES, type IdentityName, numberOf } from '../../db/test/world.ts'
import { statementXml } from '../../web/src/features/buchhaltung/zahlung/statement.fixture.ts'
import { SPEC } from '../eingang/hostile-files.fixture.ts'
import { createBestandRoom } from '../bestand/routes.ts'
import { createEingangRoom } from '../eingang/routes.ts'
import { createHabitatFilesRoom } from '../habitat/file-routes.ts'
import { digestOf, makeKey } from '../program-keys/key-format.ts'
import { createProgramKeys } from '../program-keys/program-keys.ts'
import { createVermessungRoom } from '../vermessung/routes.ts'
import { createImportRoom } from './routes.ts'

const BASES = { DATA_API_BASE: '/rest', GENERAL_API_BASE: '/prod-api' }
const now = () => new Date('2026-11-28T12:00:00Z')
const day = (offset: number) => new Date(now().getTime() + offset * 86_400_000).toISOString().slice(0, 10)
const survey = (count: number, seed = 7) =>
  toGeoJson(
    makeVermessung({ ort: [380_000, 5_930_000], anzahl: count, random: makeRandom(seed), day }),
    25_833,
  )
const kunde = (name: string, more: object = {}) => ({
  name,
  strasse: 'Weg 1',
  plz: '04109',
  ort: 'Leipzig',
  ...more,
})
const trees = (width: number | string = 62) =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: [1, 2].map((nr) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [12.3 + nr / 1000, 51.3] },
      properties: { Nummer: `H-${nr}`, Baumart: 'Buche', BHD: nr === 1 ? 61 : width },
    })),
  })
const CAMT = statementXml('08', [{ buchungen: [{ betrag: '12.30' }] }])
const STANDS = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [12.3, 51.3],
            [12.31, 51.3],
            [12.31, 51.31],
            [12.3, 51.3],
          ],
        ],
      },
      properties: { abteilung: '7', unterabteilung: 'a', stand: 1, alter: 80 },
    },
  ],
})

interface Fault {
  readonly zeile: number
  readonly feld: string | null
  readonly code: string
  readonly text: string
}
interface Data {
  readonly id: number
  readonly stand: string
  readonly zahlen: Record<string, number>
  readonly fehlerzahl: number
  readonly fehler: Fault[]
  readonly angelegt: object[]
  readonly fortschritt?: number
}
interface Sent {
  readonly body: string | Buffer
  readonly key?: string | null
  readonly headers?: Record<string, string>
}

for (const engineName of ENGINES)
  describe.skipIf(isMissing(engineName))(`imports of programs on ${engineName}`, () => {
    let engine: Engine
    let app: FastifyInstance
    let folder: string
    let rooms: Room[] = []
    let nextKey = 30_000
    let nextNumber = 0

    /** A server with all rooms that import. */
    async function openServer(): Promise<FastifyInstance> {
      const shared = { database: engine.api, log: silentLog, now, work: createWorkQueue() }
      const at = (name: string) => join(folder, name)
      const others = [
        createEingangRoom({ ...shared, folder: at('eingang') }),
        createHabitatFilesRoom({ ...shared, folder: at('habitat') }),
        createVermessungRoom({ ...shared, folder: at('vermessung') }),
        createBestandRoom({ ...shared, folder: at('bestand') }),
      ] as Room[]
      const imports = others.flatMap((room) => room.imports ?? [])
      const room = createImportRoom({ ...shared, folder: at('importe'), others: imports })
      rooms = [room, ...others]
      const tokens = (authorization: string | undefined): Caller => {
        const name = (authorization ?? '').replace('Bearer ', '')
        if (!(name in IDENTITIES)) throw new SignInFault('missing', 'no token')
        const claims = claimsOf(name as IdentityName) as Claims
        return { claims, claimsJson: JSON.stringify(claims), person: claims.sub }
      }
      const keys = createProgramKeys({
        database: engine.api,
        tokens,
        now,
        log: silentLog,
        failuresPerMinute: 20,
      })
      const server = fastify()
      server.setErrorHandler((error, request, reply) => refuseAt(request.url, BASES)(reply, error))
      guardRoutes(server, keys.authenticate)
      keys.guard(server)
      await server.register(room.routes!, { prefix: '/prod-api' })
      await server.ready()
      return server
    }
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'importe-'))
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await engine.owner.script(
        `begin; set local role forst_betrieb; update app.vermessung_import set stand = 'fertig'; commit`,
      )
      app = await openServer()
    })
    afterAll(async () => {
      await Promise.all(rooms.map((room) => room.close?.()))
      await app?.close()
      await engine?.close()
      rmSync(folder, { recursive: true, force: true })
    })

    type Narrowing = Omit<Parameters<typeof insertKey>[0], 'user_id' | 'id' | 'groups'>
    async function keyOf(name: keyof typeof IDENTITIES, narrowing: Narrowing = {}): Promise<string> {
      const id = ++nextKey
      const key = makeKey()
      const { groups } = IDENTITIES[name]
      await engine.owner.script(
        `begin; set local role forst_betrieb; ${insertKey({ user_id: numberOf(name), id, groups, ...narrowing })}
         update accounts.zugang set digest = decode('${digestOf(key)}', 'hex') where id = ${id}; commit`,
      )
      return key
    }
    const number = () => `number-of-an-import-${++nextNumber}`
    async function send(who: string, path: string, { body, key = number(), headers = {} }: Sent) {
      const answer = await app.inject({
        method: 'POST',
        url: `/prod-api/import/${path}`,
        headers: {
          authorization: `Bearer ${who}`,
          'content-type': 'application/json',
          ...(key !== null && { 'idempotency-key': key }),
          ...headers,
        },
        payload: body,
      })
      const json = answer.json() as { data: Data; hint?: string; message: string; error?: string }
      return { status: answer.statusCode, headers: answer.headers, text: answer.body, ...json }
    }
    const ask = async (who: string, path: string) => {
      const headers = { authorization: `Bearer ${who}` }
      const answer = await app.inject({ method: 'GET', url: path, headers })
      return { status: answer.statusCode, ...(answer.json() as { data: Data }) }
    }
    const count = async (sql: string) =>
      Number(
        (await engine.owner.query<{ n: number }>(`select count(*)::integer as n from ${sql}`)).rows[0]?.n,
      )

    test('customers come in as JSON rows, as CSV and as a workbook of the same fields', async () => {
      const who = await keyOf('ogf_admin')
      const before = await count('app.kunde')
      const json = await send(who, 'kunden', {
        body: JSON.stringify([kunde('Waldgut Apfel'), kunde('Waldgut Birne')]),
      })
      expect([json.status, json.data.stand, json.data.zahlen], json.text).toEqual([
        200,
        'fertig',
        { zeilen: 2, kunden: 2, forstbetriebe: 2, uebersprungen: 0 },
      ])
      expect(json.data.angelegt).toMatchObject([{ zeile: 2 }, { zeile: 3 }])
      const csv = await send(who, 'kunden?name=kunden.csv', {
        body: Buffer.from('Name;Straße;PLZ;Ort\r\nWaldgut Kirsche;Weg 2;04109;Leipzig\r\n', 'latin1'),
        headers: { 'content-type': 'text/csv' },
      })
      expect([csv.status, csv.data?.zahlen['kunden']], csv.text).toEqual([200, 1])
      const table = [
        ['Name', 'Straße', 'PLZ', 'Ort'],
        ['Waldgut Quitte', 'Weg 3', '04109', 'Leipzig'],
      ]
      const body = await writeExcelFile([{ data: table as never, sheet: 'Kunden' }]).toBuffer()
      const workbook = await send(who, 'kunden?name=kunden.xlsx', { body })
      expect([workbook.status, workbook.data?.zahlen['kunden']], workbook.text).toEqual([200, 1])
      expect(await count('app.kunde')).toBe(before + 4)
    })

    test('faults are told by row, field and code in both languages, and nothing is imported', async () => {
      const who = await keyOf('ogf_admin')
      const before = await count('app.kunde')
      const rows = [kunde('Waldgut Dattel'), kunde('Waldgut Esche', { plz: '123', ort: '' })]
      for (const [path, status] of [
        ['kunden?probe=1', 200],
        ['kunden', 422],
      ] as const) {
        const german = await send(who, path, { body: JSON.stringify(rows) })
        expect([german.status, german.data.fehlerzahl], german.text).toEqual([status, 2])
        expect(german.data.fehler).toContainEqual(
          expect.objectContaining({ zeile: 3, feld: 'plz', code: 'plz_format', stufe: 'fehler' }),
        )
        const texts = ({ data }: { data: Data }) => data.fehler.map(({ text }) => text)
        expect(texts(german)).toContain('Der Ort fehlt.')
        const english = await send(who, path, {
          body: JSON.stringify(rows),
          headers: { 'accept-language': 'en-GB,en;q=0.9,de;q=0.5' },
        })
        expect(texts(english)).toContain('The place is missing.')
        if (status === 422) expect([german.hint, english.hint]).toEqual(['import_fehler', 'import_fehler'])
      }
      expect(await count('app.kunde')).toBe(before)
      await send(who, 'kunden?doppelte=ueberspringen', { body: JSON.stringify([kunde('Waldgut Apfel')]) })
      const known = await send(who, 'kunden?probe=1', { body: JSON.stringify([kunde('Waldgut Apfel')]) })
      expect(known.data.fehler).toMatchObject([{ zeile: 2, code: 'kunde_vorhanden' }])
      const skipped = await send(who, 'kunden?doppelte=ueberspringen', {
        body: JSON.stringify([kunde('Waldgut Apfel'), kunde('Waldgut Feige')]),
      })
      expect([skipped.status, skipped.data.zahlen], skipped.text).toEqual([
        200,
        { zeilen: 2, kunden: 1, forstbetriebe: 1, uebersprungen: 1 },
      ])
    })

    test('the same key gives the same answer and imports nothing more, another body is refused', async () => {
      const who = await keyOf('ogf_admin')
      const key = number()
      const body = JSON.stringify([kunde('Waldgut Ginster')])
      const first = await send(who, 'kunden', { body, key })
      const before = await count('app.kunde')
      const again = await send(who, 'kunden', { body, key })
      expect([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([
        'false',
        'true',
      ])
      expect([again.status, again.text]).toEqual([first.status, first.text])
      const other = await send(who, 'kunden', { body: JSON.stringify([kunde('Waldgut Hasel')]), key })
      expect([other.status, other.hint]).toEqual([422, 'key_reused'])
      expect(await count('app.kunde')).toBe(before)
      // A key of one program is not that of another, nor of the person.
      const elsewhere = await send(await keyOf('ogf_admin'), 'kunden?doppelte=ueberspringen', { body, key })
      expect([elsewhere.status, elsewhere.headers['idempotency-replayed']], elsewhere.text).toEqual([
        200,
        'false',
      ])
      for (const wrong of [null, 'short', 'with blanks in the middle'])
        expect(await send(who, 'kunden', { body, key: wrong })).toMatchObject({
          status: 400,
          hint: 'import_schluessel',
        })
    })

    test('a refused import keeps its key free', async () => {
      const who = await keyOf('ogf_admin')
      const key = number()
      expect((await send(who, 'kunden', { body: JSON.stringify([kunde('')]), key })).status).toBe(422)
      const mended = await send(who, 'kunden', { body: JSON.stringify([kunde('Waldgut Iltis')]), key })
      expect([mended.status, mended.headers['idempotency-replayed']], mended.text).toEqual([200, 'false'])
    })

    test('a survey: sent six times at once and after a restart, it is imported once', async () => {
      const who = await keyOf('apus_team')
      const [key, body] = [number(), survey(60)]
      const path = `vermessung?kunde=${C}&modus=ersetzen&epsg=25833&ort=bestaetigt&name=Los1.geojson`
      const probed = await send(who, `${path}&probe=1`, { body, key: null })
      expect([probed.status, probed.data?.fehlerzahl], probed.text).toEqual([200, 0])
      const imports = () => count(`app.vermessung_import where dateiname = 'Los1.geojson'`)
      expect(await imports()).toBe(0)
      const answers = await Promise.all(Array.from({ length: 3 }, () => send(who, path, { body, key })))
      expect(new Set(answers.map(({ text }) => text)).size, answers.map(({ text }) => text).join('\n')).toBe(
        1,
      )
      expect(answers[0]).toMatchObject({ status: 200, data: { stand: 'fertig' } })
      expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'false')).toHaveLength(1)
      await Promise.all(rooms.map((room) => room.close?.()))
      await app.close()
      app = await openServer()
      const after = await send(who, path, { body, key })
      expect([after.text, after.headers['idempotency-replayed']]).toEqual([answers[0]!.text, 'true'])
      expect(await imports()).toBe(1)
      expect(readdirSync(join(folder, 'importe'))).toEqual([])
    })

    test('a long import answers 202 with an address at which it is asked about', async () => {
      const who = await keyOf('apus_team')
      const path = `vermessung?kunde=${C}&modus=ersetzen&epsg=25833&ort=bestaetigt&name=Los2.geojson`
      const begun = await send(who, path, { body: survey(300), headers: { prefer: 'respond-async' } })
      expect([begun.status, begun.data.stand], begun.text).toEqual([202, 'laeuft'])
      const address = String(begun.headers['location'])
      expect(address).toBe(`/prod-api/import/vermessung/${begun.data.id}`)
      await expect.poll(async () => (await ask(who, address)).data.stand).toBe('fertig')
      const { data } = await ask(who, address)
      expect(data.zahlen['neu']! + data.zahlen['geaendert']!).toBeGreaterThan(100)
      // Somebody else's, also with another key of the same person.
      for (const other of [await keyOf('apus_team'), await keyOf('apus_admin')])
        expect((await ask(other, address)).status).toBe(404)
      expect((await ask(who, `/prod-api/import/kunden/${begun.data.id}`)).status).toBe(404)
    })

    test('an import whose server is gone is begun again with the same key', async () => {
      const who = await keyOf('ogf_admin')
      const key = number()
      const body = JSON.stringify([kunde('Waldgut Jasmin')])
      const done = await send(who, 'kunden', { body, key })
      await engine.owner.script(
        `update accounts.kept_import set stand = 'laeuft', answer = null, fortschritt = 40 where id = ${done.data.id}`,
      )
      const waiting = await send(who, 'kunden', { body, key, headers: { prefer: 'wait=1' } })
      expect(waiting).toMatchObject({ status: 202, data: { stand: 'laeuft' } })
      await engine.owner.script(
        `update accounts.kept_import set lebt_am = now() - interval '2 minutes' where id = ${done.data.id}`,
      )
      expect((await ask(who, `/prod-api/import/kunden/${done.data.id}`)).data).toMatchObject({
        stand: 'abgebrochen',
      })
      const again = await send(who, 'kunden?doppelte=ueberspringen', { body, key })
      expect([again.status, again.headers['idempotency-replayed']], again.text).toEqual([200, 'false'])
    })

    test('trees, stands, statements and invoices come in the same way', async () => {
      const forest = await keyOf('ogf_admin')
      const drainage = await keyOf('apus_admin')
      const cases: [string, string, string, string][] = [
        [forest, `habitatbaeume?hq=${A1}&ort=bestaetigt`, trees(), 'neu'],
        [forest, `waldbestand?hq=${A1}&ort=bestaetigt`, STANDS, 'bestaende'],
        [drainage, 'kontoauszug?name=Auszug.xml&konto=DE02120300000000202051', CAMT, 'neu'],
        [drainage, 'eingangsrechnungen?name=Rechnung.xml', cii({ ...SPEC, number: 'P-1' }), 'neu'],
      ]
      for (const [who, path, body, what] of cases) {
        const probed = await send(who, `${path}${path.includes('?') ? '&' : '?'}probe=1`, { body, key: null })
        expect([probed.status, probed.data?.fehlerzahl], `${path} ${probed.text}`).toEqual([200, 0])
        const key = number()
        const done = await send(who, path, { body, key })
        expect([done.status, Number(done.data?.zahlen[what]) > 0], `${path} ${done.text}`).toEqual([
          200,
          true,
        ])
        expect((await send(who, path, { body, key })).text, path).toBe(done.text)
      }
      const archive = Buffer.from(zipSync({ 'a.xml': Buffer.from(CAMT) }))
      const packed = await send(drainage, 'kontoauszug?konto=DE02120300000000202051', { body: archive })
      expect([packed.status, packed.data?.zahlen], packed.text).toMatchObject([200, { neu: 0, bekannt: 1 }])
      const wrong = await send(forest, `habitatbaeume?hq=${A1}&ort=bestaetigt`, { body: trees('dick') })
      expect([wrong.status, wrong.data.fehler], wrong.text).toMatchObject([
        422,
        [{ zeile: 2, code: 'zahl_ungueltig', text: 'Hier wird eine Zahl erwartet.' }],
      ])
      const twice = await send(drainage, 'eingangsrechnungen', { body: cii({ ...SPEC, number: 'P-1' }) })
      expect([twice.status, twice.hint], twice.text).toEqual([409, 'eingang_doppelt'])
      const pdf = await send(drainage, 'kontoauszug', { body: '%PDF-1.7' })
      expect([pdf.status, pdf.hint], pdf.text).toEqual([422, 'pdf'])
    })

    test('who may import what is what the person may, narrowed by the key', async () => {
      const survey5 = survey(5, 3)
      const path = (kunde: number) =>
        `vermessung?kunde=${kunde}&modus=ersetzen&epsg=25833&ort=bestaetigt&probe=1`
      const rows = { body: JSON.stringify([kunde('Waldgut Kiefer')]) }
      const statusOf = async (who: string, to: string, sent: Sent) => {
        const { status, hint } = await send(who, to, sent)
        return [status, hint]
      }
      expect(await statusOf(await keyOf('apus_team'), 'kunden?probe=1', rows)).toEqual([403, undefined])
      expect(await statusOf(await keyOf('ogf_admin'), path(C), { body: survey5 })).toEqual([404, undefined])
      expect(await statusOf(await keyOf('ogf_admin', { nur_lesen: true }), 'kunden', rows)).toEqual([
        403,
        'key_reads_only',
      ])
      expect(await statusOf(await keyOf('ogf_admin', { gruppen: ['kunden'] }), 'kunden', rows)).toEqual([
        403,
        'key_calls',
      ])
      expect(await statusOf(await keyOf('ogf_admin', { client_id: A }), 'kunden', rows)).toEqual([
        403,
        'key_calls',
      ])
      const trees1 = await keyOf('admin', { gruppen: ['habitat'] })
      expect(await statusOf(trees1, path(C), { body: survey5 })).toEqual([403, 'key_group'])
      const forest = await keyOf('admin', { haelfte: 'forst' })
      expect(await statusOf(forest, path(C), { body: survey5 })).toEqual([403, 'key_half'])
      const other = await keyOf('apus_team', { client_id: B })
      expect(await statusOf(other, path(C), { body: survey5 })).toEqual([404, undefined])
      const own = await keyOf('apus_team', { client_id: C })
      expect((await send(own, path(C), { body: survey5 })).status).toBe(200)
      // The survey needs the zone of its customer.
      const narrow = await keyOf('apus_team', { gruppen: ['vermessung', 'kunden'] })
      expect((await send(narrow, path(C), { body: survey5 })).status).toBe(200)
    })

    test('what is missing or unknown is said, and a file that is too large ends', async () => {
      const who = await keyOf('ogf_admin')
      const body = '[]'
      expect(await send(who, 'kunden?plz=1', { body })).toMatchObject({
        status: 400,
        hint: 'import_angabe_fremd',
      })
      expect(await send(who, 'waldbestand', { body })).toMatchObject({
        status: 400,
        hint: 'import_angabe_fehlt',
      })
      expect(await send(who, 'schmetterlinge', { body })).toMatchObject({
        status: 404,
        hint: 'import_unbekannt',
      })
      expect(await send(who, 'kunden', { body })).toMatchObject({ status: 422, hint: 'leer' })
      expect(await send(who, 'kunden', { body: '[{"name":{"x":1}}]' })).toMatchObject({
        status: 422,
        hint: 'keine_tabelle',
      })
      const large = await send(who, 'kunden', { body: Buffer.alloc(21 * 2 ** 20, 'a') })
      expect([large.status, large.hint]).toEqual([413, 'import_datei_gross'])
      expect(readdirSync(join(folder, 'importe'))).toEqual([])
      const english = await send(who, 'waldbestand', { body, headers: { 'accept-language': 'en' } })
      expect(english.message).toBe('The setting “hq” is missing in the address.')
    })
  })
