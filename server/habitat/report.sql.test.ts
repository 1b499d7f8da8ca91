// Reports and evidences end to end: who may have one for whose trees, what other programs read in the files,
// and what is refused in which words.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { inflateRawSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import readXlsxFile from 'read-excel-file/node'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { REPORT_STREAM, reportPaths, type ReportLine } from '#contract/habitat-report.ts'
import { silentLog } from '#server/log.ts'
import { TREE_A1, TREE_B1 } from '../../db/test/cells/habitat.ts'
import { EITHER_ENGINE, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { A, A1, A2, B1, type IdentityName, NAMES } from '../../db/test/world.ts'
import { createReportTypesetter } from '../documents/report.ts'
import { bare, hasReader, onPaper } from '../documents/paper.fixture.ts'
import { createRenderer, type Renderer } from '../documents/renderer.ts'
import { refusingServer } from '../../db/test/refusing-server.ts'
import { createReportsRoom } from './report-routes.ts'

const OGRINFO = '/usr/bin/ogrinfo'
const ALL = { ids: null, filter: [], fotos: 'keine' }

/** Files of an archive, by its directory. */
function unpacked(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  let at = zip.readUInt32LE(end + 16)
  const files = new Map<string, Buffer>()
  for (let nr = 0; nr < zip.readUInt16LE(end + 10); nr++) {
    const [method, size, named, local] = [
      zip.readUInt16LE(at + 10),
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt32LE(at + 42),
    ]
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const body = zip.subarray(start, start + size)
    files.set(zip.toString('utf8', at + 46, at + 46 + named), method === 0 ? body : inflateRawSync(body))
    at += 46 + named + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return files
}

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`reports of habitat trees on ${engineName}`, () => {
    let engine: Engine
    let app: FastifyInstance
    let renderer: Renderer
    let folder: string
    const storedFiles = new Map<string, Buffer>()
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'bericht-'))
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await engine.owner.script(`begin; set local role forst_betrieb;
        update app.kunde_hq set kawm_enabled = true, kawm_approval_date = '2025-11-01' where hqid = ${A1};
        update app.hq set "dcFLAEHB" = 0.4 where "idHQ" = ${A1};
        update app.habitatbaeume set markierung_art = 'welle', markierung_datum = '2026-03-12',
          erfasst_am = '2026-03-10', lat = lat - 0.0004, bemerkung = '#panic("x") *fett*', bhd_cm = 62.5
          where id = ${TREE_A1};
        insert into app.habitatbaeume (client_id, "idHQ", nummer, art, lon, lat, status, erfasst_am)
          select client_id, "idHQ", 'H10', 'sei', lon + 0.0004, lat, 'anwaerter', '2026-06-01'
          from app.habitatbaeume where id = ${TREE_A1};
        update app.habitatbilder set mittel = lpad('77', 64, '0') where habitat_id = ${TREE_A1}; commit`)
      storedFiles.set(
        '77'.padStart(64, '0'),
        await sharp({ create: { width: 800, height: 600, channels: 3, background: '#446633' } })
          .webp()
          .toBuffer(),
      )
      renderer = createRenderer()
      app = refusingServer()
      await app.register(
        createReportsRoom({
          database: engine.api,
          storedFiles: {
            readFrom: (sha) =>
              Promise.resolve(storedFiles.has(sha) ? Readable.from([storedFiles.get(sha)!]) : null),
          },
          typeset: createReportTypesetter(renderer, silentLog),
          folder: join(folder, 'berichte'),
          log: silentLog,
          now: () => new Date(),
        }).routes,
      )
    })
    afterAll(async () => {
      await app?.close()
      await renderer?.close()
      await engine?.close()
      rmSync(folder, { recursive: true, force: true })
    })
    const post = (who: IdentityName | 'nobody', url: string, payload: object, accept = '*/*') =>
      app.inject({
        method: 'POST',
        url,
        headers: { authorization: `Bearer token-${who}`, accept, 'content-type': 'application/json' },
        payload,
      })
    const today = async (): Promise<string> =>
      (await engine.owner.query<{ d: string }>('select checks.today()::text as d')).rows[0]!.d

    describe('whose', () => {
      const OWN: readonly string[] = [
        'ogf_standard',
        'ogf_fb_admin',
        'multiple_fb',
        'kundenadmin',
        'ogf_team',
        'ogf_admin',
        'admin',
      ]
      const STAFF: readonly string[] = ['ogf_team', 'ogf_admin', 'admin']
      test.each([...NAMES, 'nobody' as const])('%s', { timeout: 60_000 }, async (who) => {
        const [own, foreign] =
          who === 'nobody' || who === 'disabled' || who === 'session_ended'
            ? [401, 401]
            : [OWN.includes(who) ? 200 : 404, STAFF.includes(who) ? 200 : 404]
        const report = async (hq: number, more: object = {}) =>
          (await post(who, reportPaths.bericht(hq), { ...ALL, ...more })).statusCode
        expect([await report(A1), await report(B1)]).toEqual([own, foreign])
        // A tree of another holding under the address of the caller's own, alone and among their own trees.
        for (const ids of [[TREE_B1], [TREE_A1, TREE_B1]])
          expect(await report(A1, { ids })).toBe(own === 200 ? 404 : own)
        const evidence = async (hq: number) =>
          (await post(who, reportPaths.nachweis(hq), { tag: '2026-06-30', fotos: 'keine' })).statusCode
        // KAWM is enabled for A1 only.
        expect([await evidence(A1), await evidence(B1)]).toEqual([own, foreign === 200 ? 403 : foreign])
      })
      test('a disabled holding is told to nobody of its people, and not by the stream either', async () => {
        for (const accept of ['*/*', REPORT_STREAM]) {
          const reply = await post('multiple_fb', reportPaths.bericht(A2), ALL, accept)
          expect([reply.statusCode, reply.json().error]).toEqual([404, 'not_found'])
        }
      })
    })

    test.skipIf(!hasReader)('a report holds trees, photo and words as they were written', async () => {
      const reply = await post('ogf_standard', reportPaths.bericht(A1), {
        ids: null,
        filter: ['Art: Buche', '#let y = 2'],
        fotos: 'titel',
      })
      expect([reply.statusCode, reply.headers['content-type'], reply.headers['cache-control']]).toEqual([
        200,
        'application/pdf',
        'no-store',
      ])
      expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="Habitatbaeume\.pdf"/)
      const text = onPaper(reply.rawPayload)
      for (const words of [
        'Art: Buche; #let y = 2',
        '#panic("x") *fett*',
        'H1 · Rotbuche',
        'alle 2 Bäume des Betriebs',
        'Rev. 3 / Abt. 17 / b / 2 (nach Lage)',
        'EPSG 25833',
      ])
        expect(text).toContain(bare(words))
      expect(text).toContain(bare('mit Foto in dieser Datei 1'))
    })
    test.skipIf(!hasReader)('a choice is that choice', async () => {
      const text = onPaper(
        (await post('ogf_standard', reportPaths.bericht(A1), { ...ALL, ids: [TREE_A1] })).rawPayload,
      )
      expect(text).toContain(bare('1 von 2 Bäume des Betriebs'))
      expect(text).not.toContain(bare('Stieleiche'))
    })
    test('a photo whose bytes are gone leaves a sentence and not a fault', async () => {
      const kept = storedFiles.get('77'.padStart(64, '0'))!
      for (const broken of [null, Buffer.from('no picture')]) {
        storedFiles.clear()
        if (broken !== null) storedFiles.set('77'.padStart(64, '0'), broken)
        const reply = await post('ogf_standard', reportPaths.bericht(A1), { ...ALL, fotos: 'alle' })
        expect(reply.statusCode).toBe(200)
        if (hasReader) expect(onPaper(reply.rawPayload)).toContain(bare('1 Foto fehlt'))
      }
      storedFiles.set('77'.padStart(64, '0'), kept)
    })
    test('how far it is comes before the file, which is whole', async () => {
      const reply = await post(
        'ogf_standard',
        reportPaths.bericht(A1),
        { ...ALL, fotos: 'titel' },
        REPORT_STREAM,
      )
      expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, REPORT_STREAM])
      const lines: ReportLine[] = []
      let rest = reply.rawPayload
      while (lines.at(-1)?.art !== 'datei') {
        const end = rest.indexOf(10)
        lines.push(JSON.parse(rest.toString('utf8', 0, end)) as ReportLine)
        rest = rest.subarray(end + 1)
      }
      expect(lines.slice(0, -1)).toEqual([
        { art: 'schritt', schritt: 'lesen', fertig: 0, von: 0 },
        { art: 'schritt', schritt: 'fotos', fertig: 0, von: 1 },
        { art: 'schritt', schritt: 'fotos', fertig: 1, von: 1 },
        { art: 'schritt', schritt: 'setzen', fertig: 0, von: 0 },
      ])
      expect(lines.at(-1)).toMatchObject({
        typ: 'application/pdf',
        name: expect.stringMatching(/^Habitatbaeume_A-eins_\d{4}-\d\d-\d\d\.pdf$/),
        groesse: rest.length,
        sha256: createHash('sha256').update(rest).digest('hex'),
      })
      expect(rest.toString('latin1', 0, 5)).toBe('%PDF-')
    })
    test.each([
      ['no trees', { ...ALL, ids: [] }, /kein Baum gewählt/],
      ['what is no number', { ...ALL, ids: ['1; drop table'] }, /kein Baum gewählt/],
      [
        'too many trees',
        { ...ALL, ids: Array.from({ length: 2_001 }, (_, at) => at + 1) },
        /Höchstens 2\.000 passen hinein\. Filtern Sie/,
      ],
      ['photos nobody knows', { ...ALL, fotos: 'x' }, /Fotos/],
      ['words without end', { ...ALL, filter: ['x'.repeat(201)] }, /Filter/],
      ['no words', { ...ALL, filter: 'x' }, /Filter/],
    ])('refused with a sentence: %s', async (_what, payload, said) => {
      const reply = await post('ogf_standard', reportPaths.bericht(A1), payload)
      expect([reply.statusCode, reply.json().error]).toEqual([400, 'bad_value'])
      expect(reply.json().message).toMatch(said)
    })
    test('refused with a sentence: a day that is none or to come, and more trees than a report holds', async () => {
      for (const [tag, said] of [
        ['2026-02-30', /Stichtag/],
        ['2999-01-01', /liegt in der Zukunft/],
        ['', /Stichtag/],
      ] as const) {
        const reply = await post('ogf_admin', reportPaths.nachweis(A1), { tag, fotos: 'keine' })
        expect([tag, reply.statusCode]).toEqual([tag, 400])
        expect(reply.json().message).toMatch(said)
      }
      await engine.owner.script(`begin; set local role forst_betrieb;
        insert into app.habitatbaeume (client_id, "idHQ", art, lon, lat)
          select ${A}, ${A2}, 'bu', 12.4, 51.3
          from generate_series(1, 2001);
        commit`)
      const reply = await post('ogf_admin', reportPaths.bericht(A2), ALL)
      expect([reply.statusCode, reply.json().message]).toEqual([
        400,
        expect.stringMatching(/zu viele Bäume.*Höchstens 2\.000/),
      ])
      const photos = `insert into app.habitatbilder (habitat_id, client_id, "idHQ", dateiname, typ, groesse,
        breite, hoehe, sha256)
        select ${TREE_A1}, ${A}, ${A1}, 'x.jpg', 'image/jpeg', 1, 1, 1, repeat('a', 64) from generate_series(1, 500)`
      await engine.owner.script(`begin; set local role forst_betrieb; ${photos}; commit`)
      const many = await post('ogf_admin', reportPaths.bericht(A1), { ...ALL, fotos: 'alle' })
      expect([many.statusCode, many.json().message]).toEqual([
        400,
        expect.stringMatching(/zu viele Fotos.*Höchstens 500.*Titelfotos/),
      ])
      await engine.owner.script(
        `begin; set local role forst_betrieb; delete from app.habitatbilder where sha256 = repeat('a', 64); commit`,
      )
    })

    describe('an evidence', () => {
      let files: Map<string, Buffer>
      let zip: Buffer
      beforeAll(async () => {
        const reply = await post('kundenadmin', reportPaths.nachweis(A1), {
          tag: await today(),
          fotos: 'titel',
        })
        expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/zip'])
        zip = reply.rawPayload
        files = unpacked(zip)
      })
      test('holds paper, workbook and map, each with its digest', () => {
        expect([...files.keys()]).toEqual(['LIESMICH.txt', 'Nachweis.pdf', 'Nachweis.xlsx', 'Nachweis.gpkg'])
        for (const name of ['Nachweis.pdf', 'Nachweis.xlsx', 'Nachweis.gpkg'])
          expect(files.get('LIESMICH.txt')!.toString('utf8')).toContain(
            createHash('sha256').update(files.get(name)!).digest('hex'),
          )
      })
      test.skipIf(!hasReader)('its paper begins with what the grant asks', () => {
        const text = onPaper(files.get('Nachweis.pdf')!)
        // 0.4 ha: two trees wanted, two recorded, one marked.
        for (const words of [
          'KAWM-Nachweis: Habitatbäume',
          'auf 0,40 ha',
          '1 erfasster Baum ist noch zu markieren.',
          'Liste der Bäume (2)',
          'H1 · Rotbuche',
        ])
          expect(text).toContain(bare(words))
      })
      test('its workbook has real numbers and days', async () => {
        const sheets = (await readXlsxFile(files.get('Nachweis.xlsx')!)) as unknown as {
          sheet: string
          data: unknown[][]
        }[]
        expect(sheets.map(({ sheet }) => sheet)).toEqual(['Kennzahlen', 'Bäume', 'Bestände'])
        const numbers = Object.fromEntries(sheets[0]!.data.map(([name, value]) => [String(name), value]))
        expect(numbers).toMatchObject({
          Förderfläche: 0.4,
          Soll: 2,
          Erfasst: 2,
          Markiert: 1,
          'Bewilligt am': new Date('2025-11-01T00:00:00Z'),
        })
        const [head, first] = sheets[1]!.data as [string[], unknown[]]
        const of = (name: string) => first[head.indexOf(name)]
        expect([of('Nummer'), of('BHD (cm)'), of('Markiert am'), of('Bemerkung')]).toEqual([
          'H1',
          62.5,
          new Date('2026-03-12T00:00:00Z'),
          '#panic("x") *fett*',
        ])
        expect([of('Ost (EPSG:25833)'), of('Nord (EPSG:25833)')]).toEqual([
          expect.closeTo(320_098.4, 0),
          expect.closeTo(5_690_055.5, 0),
        ])
        expect(sheets[2]!.data.slice(1)).toEqual([
          ['Rev. 3 / Abt. 17 / b / 2', 2, 2, 1, 1, 1],
          ['Rev. 3 / Abt. 2 / a / 1', 2, 0, 0, 0, 0],
        ])
      })
      test.skipIf(!existsSync(OGRINFO))(
        'its map opens in GDAL, in the right system and at the right places',
        () => {
          const file = join(folder, 'n.gpkg')
          writeFileSync(file, files.get('Nachweis.gpkg')!)
          const said = execFileSync(OGRINFO, ['-al', file], { encoding: 'utf8' })
          expect(said).toContain('Layer name: habitatbaeume')
          expect(said.match(/ID\["EPSG",25833\]/g)).toHaveLength(2)
          expect(said).toMatch(/POINT \(320098\.\d+ 5690055\.\d+\)/)
          expect(said).toMatch(/Layer name: bestand\n[^]*Geometry: Multi Polygon\s+Feature Count: 2\n/)
          expect(said).toMatch(/baeume_je_ha \(Real\) = 1\b/)
          expect(said).toMatch(/nummer \(String\) = H1\n/)
        },
      )
      test('is in the history with the digest of the very file', async () => {
        const { rows } = await engine.owner.query<{ neu: string; wer: string }>(
          `select neu::text as neu, wer
            from app.verlauf
            where tabelle = 'kawm_nachweis' and hqid = ${A1}
            order by id desc limit 1`,
        )
        expect(JSON.parse(rows[0]!.neu)).toEqual({
          stichtag: await today(),
          dateiname: `KAWM-Nachweis_${await today()}.zip`,
          groesse: zip.length,
          sha256: createHash('sha256').update(zip).digest('hex'),
          soll: 2,
          erfasst: 2,
          markiert: 1,
        })
        expect(rows[0]!.wer).toMatch(/^Vor/)
      })
      test.skipIf(!hasReader)('of an earlier day holds what there was on it', async () => {
        const early = unpacked(
          (await post('ogf_standard', reportPaths.nachweis(A1), { tag: '2026-03-11', fotos: 'keine' }))
            .rawPayload,
        )
        const text = onPaper(early.get('Nachweis.pdf')!)
        expect(text).toContain(bare('Liste der Bäume (1)'))
        expect(text).toContain(bare('1 erfasster Baum ist noch zu markieren.'))
        expect(text).not.toContain('Stieleiche')
      })
    })
    test('nothing is left behind', () => {
      expect(existsSync(join(folder, 'berichte')) ? readdirSync(join(folder, 'berichte')) : []).toEqual([])
    })
  })
