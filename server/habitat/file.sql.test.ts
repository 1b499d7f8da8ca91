// Habitat trees imported and exported again, and who may do what on each path.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import iconv from 'iconv-lite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import writeExcelFile from 'write-excel-file/node'
import {
  type HabitatFileContent,
  habitatFilePaths,
  type HabitatImportResult,
  type HabitatImportValues,
} from '#contract/habitat-file.ts'
import { TREE_A1 } from '../../db/test/cells/habitat.ts'
import { EITHER_ENGINE, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { A1, A2, B1, claimsOf, type IdentityName, NAMES } from '../../db/test/world.ts'
import { refusingServer } from '../../db/test/refusing-server.ts'
import { createHabitatFilesRoom } from './file-routes.ts'

const OGRINFO = '/usr/bin/ogrinfo'
const CSV = `Nummer;Baumart;BHD;Zustand;Status;Strukturen;Markierung;Markiert am;Abt;Ost;Nord
1;Rotbuche;62,5;lebend;Habitatbaum;1.3 ×2;Welle;01.03.2026;12;320100,5;5690200
2;TEi;88;tot;Anwärter;Blitzrinne;;;12;320150;5690220
3;Mehlbeere;31;;;;ja;;2;320200;5690240
`
const VALUES: HabitatImportValues = {
  schicht: 'baeume',
  epsg: 25_833,
  felder: {
    nummer: 'Nummer',
    art: 'Baumart',
    bhd_cm: 'BHD',
    zustand: 'Zustand',
    status: 'Status',
    strukturen: 'Strukturen',
    markierung_art: 'Markierung',
    markierung_datum: 'Markiert am',
    sLVL03: 'Abt',
  },
  ort: { x: 'Ost', y: 'Nord', wkt: '' },
}

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`files of habitat trees on ${engineName}`, () => {
    let engine: Engine
    let app: FastifyInstance
    let folder: string
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'habitat-'))
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      app = refusingServer()
      await app.register(
        createHabitatFilesRoom({
          database: engine.api,
          folder: join(folder, 'habitat'),
          now: () => new Date('2026-11-22T12:00:00Z'),
        }).routes,
      )
    })
    afterAll(async () => {
      await app?.close()
      await engine?.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const send = (who: IdentityName, url: string, payload: Buffer | string) =>
      app.inject({
        method: 'POST',
        url,
        headers: { authorization: `Bearer token-${who}`, 'content-type': 'application/octet-stream' },
        payload,
      })
    const get = (who: IdentityName, url: string) =>
      app.inject({ method: 'GET', url, headers: { authorization: `Bearer token-${who}` } })
    const start = async (
      payload: Buffer | string,
      values: HabitatImportValues = VALUES,
      name = 'baeume.csv',
      hq = A1,
    ): Promise<HabitatImportResult> => {
      const reply = await send('ogf_standard', habitatFilePaths.importieren(hq, name, values), payload)
      expect(reply.statusCode, reply.body).toBe(200)
      return reply.json().data
    }
    const trees = async (): Promise<Record<string, unknown>[]> =>
      (
        await engine.owner.query<Record<string, unknown>>(
          `select nummer, art, art_text, bhd_cm::text as bhd, zustand, status, strukturen::text as s,
            markierung_art, markierung_datum::text as am, "sLVL03" as abt, lage_methode, version
            from app.habitatbaeume
            where "idHQ" = ${A1} and id > 1000
            order by sortname`,
        )
      ).rows
    const nothingLeft = () => expect(readdirSync(join(folder, 'habitat'))).toEqual([])

    test('what a file holds is said, with what its columns seem to mean', async () => {
      const reply = await send('ogf_standard', habitatFilePaths.lage(A1, 'baeume.csv'), CSV)
      const { format, schichten } = reply.json().data as HabitatFileContent
      expect([format, schichten.map(({ name, anzahl }) => [name, anzahl])]).toEqual(['csv', [['baeume', 3]]])
      expect(schichten[0]!.vorschlag).toMatchObject({
        nummer: 'Nummer',
        art: 'Baumart',
        bhd_cm: 'BHD',
        markierung_datum: 'Markiert am',
        sLVL03: 'Abt',
      })
      expect(schichten[0]!.ort).toMatchObject({ x: 'Ost', y: 'Nord' })
      nothingLeft()
    })
    test('a look leaves nothing; an import takes all; the same file once more changes nothing', async () => {
      const look = (
        await send('ogf_standard', habitatFilePaths.pruefen(A1, 'baeume.csv', VALUES), CSV)
      ).json().data as HabitatImportResult
      const { zeilen, ...counted } = look
      expect(counted).toEqual({
        hinweise: [],
        fern: null,
        anzahl: 3,
        neu: 3,
        geaendert: 0,
        unveraendert: 0,
        fehlerzahl: 0,
        fehler: [],
        importiert: false,
      })
      expect(zeilen.map(([nr, , , was, treeNumber, art]) => [nr, was, treeNumber, art])).toEqual([
        [1, 'neu', '1', 'bu'],
        [2, 'neu', '2', 'tei'],
        [3, 'neu', '3', 'sonstige'],
      ])
      // echo "320100.5 5690200" | gdaltransform -s_srs EPSG:25833 -t_srs EPSG:4326
      expect(zeilen[0]![1]).toBeCloseTo(12.4174102, 6)
      expect(zeilen[0]![2]).toBeCloseTo(51.3345869, 6)
      expect(await trees()).toEqual([])
      expect(await start(CSV)).toMatchObject({ neu: 3, importiert: true })
      expect(await trees()).toEqual([
        {
          nummer: '1',
          art: 'bu',
          art_text: null,
          bhd: '62.5',
          zustand: 'lebend',
          status: 'baum',
          s: '[{"code": "1.3", "menge": 2, "system": "larrieu_2018"}]',
          markierung_art: 'welle',
          am: '2026-03-01',
          abt: '12',
          lage_methode: 'import',
          version: 1,
        },
        {
          nummer: '2',
          art: 'tei',
          art_text: null,
          bhd: '88.0',
          zustand: 'tot_stehend',
          status: 'anwaerter',
          s: '[{"code": "6.4", "menge": null, "system": "larrieu_2018"}]',
          markierung_art: null,
          am: null,
          abt: '12',
          lage_methode: 'import',
          version: 1,
        },
        {
          nummer: '3',
          art: 'sonstige',
          art_text: 'Mehlbeere',
          bhd: '31.0',
          zustand: 'lebend',
          status: 'baum',
          s: '[]',
          markierung_art: 'sonstige',
          am: null,
          abt: '2',
          lage_methode: 'import',
          version: 1,
        },
      ])
      expect(await start(CSV)).toMatchObject({ neu: 0, unveraendert: 3, importiert: true, zeilen: [] })
      nothingLeft()
    })
    test('a workbook of Excel is read like a table without its cover sheet, days and numbers as kept', async () => {
      const rows = CSV.trimEnd()
        .split('\n')
        .map((line) => line.split(';'))
      const cell = (text: string, column: number, row: number) => {
        if (row === 0 || text === '') return text
        if ([2, 9, 10].includes(column)) return Number(text.replace(',', '.'))
        return column === 7
          ? { value: new Date('2026-03-01T00:00:00Z'), type: Date, format: 'dd.mm.yyyy' }
          : text
      }
      const bytes = await writeExcelFile([
        { sheet: 'Deckblatt', data: [['Habitatbäume 2026']] },
        {
          sheet: 'baeume',
          data: [[], ...rows.map((row, nr) => row.map((text, column) => cell(text, column, nr)))],
        },
      ]).toBuffer()
      const situation = (await send('ogf_standard', habitatFilePaths.lage(A1, 'Bäume.xlsx'), bytes)).json()
        .data as HabitatFileContent
      expect(situation.schichten.map(({ name, anzahl, ort }) => [name, anzahl, ort])).toEqual([
        ['baeume', 3, { x: 'Ost', y: 'Nord', wkt: '' }],
      ])
      expect(situation.schichten[0]!.vorschlag).toMatchObject({
        nummer: 'Nummer',
        art: 'Baumart',
        markierung_datum: 'Markiert am',
      })
      const look = (
        await send('ogf_standard', habitatFilePaths.pruefen(A1, 'Bäume.xlsx', VALUES), bytes)
      ).json().data as HabitatImportResult
      expect(look).toMatchObject({ anzahl: 3, neu: 3, fehler: [] })
      const csv = (
        await send('ogf_standard', habitatFilePaths.pruefen(A1, 'x.csv', { ...VALUES, schicht: 'x' }), CSV)
      ).json().data as HabitatImportResult
      expect(look.zeilen.map(([nr, lon, lat]) => [nr, lon, lat])).toEqual(
        csv.zeilen.map(([nr, lon, lat]) => [nr, lon, lat]),
      )
      const cut = await send(
        'ogf_standard',
        habitatFilePaths.lage(A1, 'x.xlsx'),
        bytes.subarray(0, bytes.length - 400),
      )
      expect([cut.statusCode, cut.json().hint]).toEqual([422, 'datei_kaputt'])
      nothingLeft()
    })
    test('read in the wrong zone they stand far away, and nothing is taken until somebody confirms it', async () => {
      const before = await trees()
      const lines = CSV.trimEnd().split('\n')
      const csv = lines.map((line, nr) => `${nr === 0 ? 'Name' : 'Förster'};${line}`).join('\n')
      const wrong = { ...VALUES, epsg: 25_832 }
      const result = await start(csv, wrong)
      expect(result).toMatchObject({
        importiert: false,
        fehlerzahl: 0,
        hinweise: [{ schicht: 'baeume', art: 'spalten', anzahl: 1, spalten: ['Name'] }],
        fern: { anzahl: 3, von: 3, bezug: 'bestand' },
      })
      expect(result.fern!.objekte.map(({ nr, name }) => [nr, name])).toEqual([
        [1, '1'],
        [2, '2'],
        [3, '3'],
      ])
      expect(result.fern!.km).toBeGreaterThan(350)
      expect(await trees()).toEqual(before)
      const right = await send('ogf_standard', habitatFilePaths.pruefen(A1, 'baeume.csv', VALUES), csv)
      expect((right.json().data as HabitatImportResult).fern).toBeNull()
    })
    test('a table whose encoding is guessed wrong is read as people choose, and the preview shows it', async () => {
      const csv = iconv.encode(
        'Nummer;Baumart;Bemerkung;Ost;Nord\n1;Weißtanne;9 m³, 8 m³, 7 m³;320100;5690200\n',
        'cp850',
      )
      const layers = (await send('ogf_standard', habitatFilePaths.lage(A1, 'baeume.csv'), csv)).json()
        .data as HabitatFileContent
      const { texte, vorschlag } = layers.schichten[0]!
      expect(texte).toMatchObject({ erkannt: 'windows-1252', sicher: false })
      expect(texte!.beispiele['cp850']).toEqual(['Weißtanne', '9 m³, 8 m³, 7 m³'])
      const look = async (more: Partial<HabitatImportValues>) => {
        const values = { ...VALUES, felder: vorschlag, ...more }
        const reply = await send('ogf_standard', habitatFilePaths.pruefen(A1, 'baeume.csv', values), csv)
        return (reply.json().data as HabitatImportResult).zeilen.map(([, , , , , kind]) => kind)
      }
      expect(await look({})).toEqual(['sonstige'])
      expect(await look({ zeichensatz: 'cp850' })).toEqual(['ta'])
    })
    test('one of many that is far away is named with its row, and nothing is taken without a word', async () => {
      const before = await trees()
      const { felder: _all, ...others } = VALUES
      const values = { ...others, felder: { nummer: 'Nummer', art: 'Baumart' } }
      const lines = Array.from({ length: 200 }, (_, at) => {
        const east = at === 136 ? -73_000 : 320_000 + at
        return `T${at + 1};Buche;${east};5690200`
      })
      const csv = ['Nummer;Baumart;Ost;Nord', ...lines].join('\n')
      const reply = await send('ogf_standard', habitatFilePaths.pruefen(A1, 'baeume.csv', values), csv)
      const look = reply.json().data as HabitatImportResult
      expect(look).toMatchObject({ anzahl: 200, neu: 200, fehlerzahl: 0 })
      expect(look.fern).toEqual({
        anzahl: 1,
        von: 200,
        km: look.fern!.km,
        bezug: 'bestand',
        objekte: [{ schicht: 'baeume', nr: 137, name: 'T137', km: look.fern!.km }],
      })
      expect(look.fern!.km).toBeGreaterThan(380)
      expect(await start(csv, values)).toMatchObject({ importiert: false, fern: look.fern })
      expect(await trees()).toEqual(before)
    })
    test.each([
      ['x and y swapped', '5690200 / 320100.5', { ort: { x: 'Nord', y: 'Ost', wkt: '' } }],
      ['metres read as degrees', '320100.5 / 5690200', { epsg: 4326 }],
      [
        'degrees read as metres',
        '12.4 / 51.3',
        {},
        CSV.replaceAll(/320\d{3}(?:,5)?;5690\d{3}/g, '12,4;51,3'),
      ],
    ])('%s: each row says so, and nothing is taken', async (_what, wert, changed, csv = CSV) => {
      const before = await trees()
      const result = await start(csv, { ...VALUES, ...changed })
      expect(result).toMatchObject({ importiert: false, fehlerzahl: 3, neu: 0 })
      expect(result.fehler[0]).toMatchObject({ nr: 1, feld: 'lage', regel: 'ort_ausserhalb', wert })
      expect(result.fehler.every(({ regel }) => regel === 'ort_ausserhalb')).toBe(true)
      expect(await trees()).toEqual(before)
    })
    test('one fault and nothing is taken; each is told with its row, also those of the database', async () => {
      const bad = CSV.replace('62,5', 'dick')
        .replace('Blitzrinne', 'Drache')
        .replace('5690240', '0')
        .concat('4;Buche;0;lebend;;;;;;320100;5690100\n5;Buche;50;halb;;;;01.01.2199;;320100;5690100\n')
      const result = await start(bad)
      expect(result).toMatchObject({ anzahl: 5, fehlerzahl: 5, importiert: false })
      expect(result.fehler.map(({ nr, feld, regel, wert }) => [nr, feld, regel, wert])).toEqual([
        [1, 'bhd_cm', 'zahl_ungueltig', 'dick'],
        [2, 'strukturen', 'habitat_struktur_unbekannt', 'Drache'],
        [3, 'lage', 'ort_ausserhalb', '320200 / 0'],
        [4, 'bhd_cm', 'habitat_bhd', '0'],
        [5, 'zustand', 'habitat_wort', 'halb'],
      ])
      // Each fault names the location to look at.
      expect(result.fehler.map(({ ort }) => ort?.map((degrees) => Math.round(degrees) + 0))).toEqual([
        [12, 51],
        [12, 51],
        [13, 0],
        [12, 51],
        [12, 51],
      ])
      expect(await trees()).toHaveLength(3)
      nothingLeft()
    })
    describe('what goes out comes in again', () => {
      test.each(['gpkg', 'geojson', 'csv'] as const)('%s', async (format) => {
        const reply = await get('kundenadmin', habitatFilePaths.export(A1, format))
        expect([reply.statusCode, reply.headers['cache-control']]).toEqual([200, 'no-store'])
        expect(reply.headers['content-disposition']).toContain(`Habitatbaeume_A-eins_2026-11-22.${format}`)
        const bytes = reply.rawPayload
        const situation = (
          await send('ogf_standard', habitatFilePaths.lage(A1, `habitatbaeume.${format}`), bytes)
        ).json().data as HabitatFileContent
        const [layer] = situation.schichten
        expect([situation.format, layer!.anzahl]).toEqual([format, 4])
        const ort = format === 'csv' ? { ort: { x: 'ost', y: 'nord', wkt: '' } } : {}
        const values: HabitatImportValues = {
          schicht: layer!.name,
          epsg: layer!.epsg ?? 4326,
          felder: layer!.vorschlag,
          ...ort,
        }
        expect(layer!.vorschlag).toMatchObject({
          kennung: 'kennung',
          nummer: 'nummer',
          art: 'art',
          strukturen: 'strukturen',
          iSTAND: 'iSTAND',
          kawm: 'kawm',
        })
        expect(await start(bytes, values, `habitatbaeume.${format}`)).toEqual({
          anzahl: 4,
          neu: 0,
          geaendert: 0,
          unveraendert: 4,
          fehlerzahl: 0,
          fehler: [],
          zeilen: [],
          hinweise: [expect.objectContaining({ art: 'spalten', anzahl: 6 })],
          fern: null,
          importiert: true,
        })
        if (format === 'geojson') {
          const changed = bytes.toString('utf8').replace('"nummer":"2"', '"nummer":"2a"')
          expect(await start(changed, values, 'habitatbaeume.geojson')).toMatchObject({
            geaendert: 1,
            unveraendert: 3,
          })
        }
        // A tree of this holding is not taken over by another one.
        const other = await send(
          'ogf_admin',
          habitatFilePaths.importieren(B1, `habitatbaeume.${format}`, values),
          bytes,
        )
        expect(other.json().data).toMatchObject({ importiert: false, fehlerzahl: 4 })
      })
      test.skipIf(!existsSync(OGRINFO))('GDAL reads the GeoPackage', async () => {
        const path = join(folder, 'a.gpkg')
        writeFileSync(path, (await get('ogf_team', habitatFilePaths.export(A1, 'gpkg'))).rawPayload)
        const said = execFileSync(OGRINFO, ['-al', '-so', path], { encoding: 'utf8' })
        rmSync(path)
        expect(said).toContain('Feature Count: 4')
        expect(said).toContain('25833')
      })
      test.skipIf(!existsSync(OGRINFO))('as a shapefile that GDAL opens', async () => {
        const reply = await get('ogf_team', habitatFilePaths.export(A1, 'shp'))
        expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/zip'])
        const path = join(folder, 'baeume.zip')
        writeFileSync(path, reply.rawPayload)
        const told = execFileSync(OGRINFO, ['-ro', '-al', `/vsizip/${path}`], { encoding: 'utf8' })
        expect(told).toContain('Geometry: Point')
        expect(told).toContain('Feature Count: 4')
        expect(told).toContain('ETRS89 / UTM zone 33N')
        expect(told).toMatch(/baumart_na \(String\) = \S+/)
      })
      test('a file with a few columns leaves what is known of a place that it does not change', async () => {
        await engine.owner.script(
          `begin; set local role forst_betrieb;
            update app.habitatbaeume set lage_methode = 'rtk', genauigkeit_m = 0.02, lage_fix = 'rtk_fixed',
              lage_zeit = '2026-10-01T08:00:00Z' where id = ${TREE_A1};
            commit`,
        )
        const tree = async () =>
          (
            await engine.owner.query<Record<string, unknown>>(
              `select kennung::text as kennung, lon::float8 as lon, lat::float8 as lat, lage_methode, lage_fix,
                genauigkeit_m::float8 as genauigkeit_m, lage_zeit is not null as zeit, nummer
                from app.habitatbaeume where id = ${TREE_A1}`,
            )
          ).rows[0]!
        const before = await tree()
        const values: HabitatImportValues = {
          schicht: 'teil',
          epsg: 4326,
          felder: { kennung: 'kennung', nummer: 'nummer', art: 'art' },
          ort: { x: 'ost', y: 'nord', wkt: '' },
        }
        const file = (nr: string, lon: number) =>
          `kennung;nummer;art;ost;nord\n${String(before['kennung'])};${nr};Eiche;${lon};${String(before['lat'])}\n`
        const look = await send(
          'ogf_standard',
          habitatFilePaths.pruefen(A1, 'teil.csv', values),
          file('T1', Number(before['lon'])),
        )
        expect(look.json().data).toMatchObject({
          geaendert: 1,
          zeilen: [[1, Number(before['lon']), Number(before['lat']), 'geaendert', 'T1', 'tei']],
          hinweise: [{ art: 'art_enger', anzahl: 1, spalten: ['Eiche → Traubeneiche'] }],
        })
        await start(file('T1', Number(before['lon'])), values, 'teil.csv')
        expect(await tree()).toEqual({ ...before, nummer: 'T1' })
        await start(file('T1', Number(before['lon']) + 0.0001), values, 'teil.csv')
        expect(await tree()).toMatchObject({ lage_methode: 'import', lage_fix: null, genauigkeit_m: null })
      })
      test('a formula in a cell is text', async () => {
        await engine.owner.script(
          `begin; set local role forst_betrieb;
            update app.habitatbaeume set bemerkung = '=cmd()' where id = ${TREE_A1};
            commit`,
        )
        expect((await get('ogf_team', habitatFilePaths.export(A1, 'csv'))).body).toContain(`;'=cmd();`)
      })
    })

    test('who may: a foreign headquarters answers like one that does not exist', async () => {
      const READERS: Record<number, string> = {
        [A1]: 'ogf_standard ogf_fb_admin multiple_fb kundenadmin ogf_team ogf_admin admin',
        [A2]: 'kundenadmin ogf_team ogf_admin admin',
        [B1]: 'ogf_team ogf_admin admin',
        999: '',
      }
      const WRITERS: Record<number, string> = {
        [A1]: 'ogf_standard ogf_fb_admin multiple_fb ogf_admin admin',
        [A2]: 'ogf_admin admin',
        [B1]: 'ogf_admin admin',
        999: '',
      }
      for (const hq of [A1, A2, B1, 999])
        for (const who of NAMES) {
          const known = claimsOf(who) !== null
          const no = !known || ['disabled', 'session_ended'].includes(who) ? 401 : 404
          expect([who, hq, (await get(who, habitatFilePaths.export(hq, 'csv'))).statusCode]).toEqual([
            who,
            hq,
            READERS[hq]!.split(' ').includes(who) ? 200 : no,
          ])
          // Roles that may write were tested above; each file is read in a separate process.
          if (!WRITERS[hq]!.split(' ').includes(who))
            expect([who, hq, (await send(who, habitatFilePaths.lage(hq, 'x.csv'), 'x')).statusCode]).toEqual([
              who,
              hq,
              no,
            ])
        }
      for (const url of [
        '/habitat/x/export/habitatbaeume.csv',
        `/habitat/${A1}/export/habitatbaeume.exe`,
        `/habitat/${A1}/export/..%2f..%2fetc%2fpasswd`,
        `/habitat/1e3/export/habitatbaeume.csv`,
      ])
        expect((await get('ogf_admin', url)).statusCode, url).toBe(404)
      expect((await get('ogf_admin', `${habitatFilePaths.export(A1, 'csv')}?epsg=99999`)).statusCode).toBe(
        400,
      )
      expect(
        (await send('kundenadmin', habitatFilePaths.importieren(A1, 'baeume.csv', VALUES), CSV)).statusCode,
      ).toBe(404)
      nothingLeft()
    })
    test('what is no such file is refused in words, and what does not fit the file too', async () => {
      for (const [bytes, hint] of [
        ['<html></html>', 'format_unbekannt'],
        [Buffer.from('PK\u0003\u0004kaputt'), 'datei_kaputt'],
        ['{"type":"FeatureCollection","features":[', 'datei_kaputt'],
      ] as const)
        expect((await send('ogf_admin', habitatFilePaths.lage(A1, 'x'), bytes)).json(), hint).toMatchObject({
          hint,
        })
      for (const values of [
        { ...VALUES, schicht: 'andere' },
        { ...VALUES, epsg: 1 },
        { ...VALUES, felder: { nummer: 'Nummer' } },
        { ...VALUES, ort: { x: 'Ost', y: 'Ost', wkt: '' } },
      ])
        expect(
          (await send('ogf_admin', habitatFilePaths.pruefen(A1, 'baeume.csv', values), CSV)).statusCode,
          JSON.stringify(values),
        ).toBe(400)
      expect(
        (await send('ogf_admin', `/habitat/${A1}/import/pruefen?name=baeume.csv&werte=%7B`, CSV)).statusCode,
      ).toBe(400)
      nothingLeft()
    })
  })
