// Imports by one request of a program, with real keys: what is imported, the faults of rows in both languages, and that
// nothing is imported twice.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import writeExcelFile from 'write-excel-file/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cii } from '#domain/eingang/files.fixture.ts'
import { C } from '../../db/test/cells/vermessung.ts'
import { enginesToday, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { A, A1, B } from '../../db/test/world.ts'
import { SPEC } from '../eingang/hostile-files.fixture.ts'
import { CAMT, kunde, STANDS, survey, trees } from '../../db/test/import-files.ts'
import { ImportServer, type Sent } from '../../db/test/import-server.ts'

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
  readonly hinweise?: object[]
  readonly fortschritt?: number
}
for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`imports of programs on ${engineName}`, () => {
    let engine: Engine
    let server: ImportServer<Data>
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await engine.owner.script(
        `begin; set local role forst_betrieb; update app.vermessung_import set stand = 'fertig'; commit`,
      )
      server = new ImportServer(engine, { firstKey: 30_000 })
      await server.open()
    })
    afterAll(async () => {
      await server?.close()
      await engine?.close()
    })

    const keyOf: ImportServer<Data>['keyOf'] = (...asked) => server.keyOf(...asked)
    const send: ImportServer<Data>['send'] = (...asked) => server.send(...asked)
    const number = () => server.number()
    const ask = async (who: string, path: string) => {
      const headers = { authorization: `Bearer ${who}` }
      const answer = await server.app.inject({ method: 'GET', url: path, headers })
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
      await server.restart()
      const after = await send(who, path, { body, key })
      expect([after.text, after.headers['idempotency-replayed']]).toEqual([answers[0]!.text, 'true'])
      expect(await imports()).toBe(1)
      expect(readdirSync(join(server.folder, 'importe'))).toEqual([])
    })

    test('a long import answers 202 with an address at which it is asked about', async () => {
      const who = await keyOf('apus_team')
      const path = `vermessung?kunde=${C}&modus=ersetzen&epsg=25833&ort=bestaetigt&name=Los2.geojson`
      const moved = await send(who, `${path}&probe=1`, { body: survey(300), key: null })
      expect([moved.status, moved.hint], moved.text).toEqual([422, 'verschiebung'])
      const unmoved = await send(who, path, { body: survey(300) })
      expect([unmoved.status, unmoved.hint], unmoved.text).toEqual([422, 'verschiebung'])
      expect(unmoved.message).toMatch(/an anderer Stelle: \d+, bis zu \d+ m entfernt \(\S+, /)
      const begun = await send(who, `${path}&verschiebung=bestaetigt`, {
        body: survey(300),
        headers: { prefer: 'respond-async' },
      })
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

    test('what is far away is refused with one code, and the answer names its rows', async () => {
      const forest = await keyOf('ogf_admin')
      const west = (body: string) => body.replaceAll('[12.3', '[6.9')
      const cases: [who: string, path: string, body: string, named: object][] = [
        [
          forest,
          `habitatbaeume?hq=${A1}&name=B.geojson`,
          west(trees()),
          { zahl: 2, zeilen: 'B 1 (H-1), B 2 (H-2)' },
        ],
        [
          forest,
          `waldbestand?hq=${A1}&name=FE.geojson`,
          west(STANDS),
          { zahl: 1, zeilen: 'FE 1 (Abt. 7 / a / 1)' },
        ],
        [
          await keyOf('apus_team'),
          `vermessung?kunde=${A}&modus=ersetzen&epsg=25833&name=Los.geojson`,
          survey(3),
          { zeilen: expect.stringMatching(/^\w+ \d+/) as string },
        ],
      ]
      for (const [who, path, body, named] of cases)
        for (const asked of [
          { path: `${path}&probe=1`, key: null },
          { path, key: number() },
        ]) {
          const { status, hint, text } = await send(who, asked.path, { body, key: asked.key })
          expect([status, hint], text).toEqual([422, 'ort'])
          const told = (JSON.parse(text) as { werte: { zahl: number; gesamt: number; km: number } }).werte
          expect(told, path).toMatchObject(named)
          expect(told.zahl, path).toBe(told.gesamt)
          expect(told.km, path).toBeGreaterThan(30)
        }
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
        if (what === 'bestaende')
          expect(done.data?.hinweise, done.text).toMatchObject([
            { art: 'spalten', spalten: ['farbe'] },
            { art: 'flaeche_m2', spalten: ['flaeche_m2'] },
          ])
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
        `vermessung?kunde=${kunde}&modus=ersetzen&epsg=25833&ort=bestaetigt&verschiebung=bestaetigt&probe=1`
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
      // A wrong word would be ignored, and the file imported in another way than was meant.
      for (const wrong of [
        'uebernehmen=true',
        'uebernehmen=ja',
        'ort=ja',
        'epsg=utm',
        'stichtag=31.12.2026',
        'stichtag=2026-02-31',
      ]) {
        const path = `waldbestand?hq=${A1}&${wrong}`
        for (const one of [path, `${path}&probe=1`])
          expect(await send(who, one, { body: STANDS }), one).toMatchObject({
            status: 400,
            hint: 'import_angabe_wert',
          })
      }
      expect(
        await send('apus_team', `vermessung?kunde=${C}&modus=ergaenzen&verschiebung=ja`, { body: survey(1) }),
      ).toMatchObject({ status: 400, hint: 'import_angabe_wert' })
      const layer = { name: 'daten', tabelle: 'bestand', epsg: 4326, felder: { sLVL01: 'abteilung' } }
      const values = JSON.stringify({ stichtag: '2026-02-31', schichten: [layer], ort_bestaetigt: true })
      const noDay = await send(who, `waldbestand?hq=${A1}&werte=${encodeURIComponent(values)}`, {
        body: STANDS,
      })
      expect([noDay.status, noDay.message], noDay.text).toEqual([400, expect.stringContaining('Stichtag')])
      const large = await send(who, 'kunden', { body: Buffer.alloc(21 * 2 ** 20, 'a') })
      expect([large.status, large.hint]).toEqual([413, 'import_datei_gross'])
      expect(readdirSync(join(server.folder, 'importe'))).toEqual([])
      const english = await send(who, 'waldbestand', { body, headers: { 'accept-language': 'en' } })
      expect(english.message).toBe('The setting “hq” is missing in the address.')
    })
  })
