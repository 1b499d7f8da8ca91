// A survey imported and exported again: upload, preview, import, export, and who may do what on each path.
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import iconv from 'iconv-lite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ImportValues, VermessungImport, Preview } from '#contract/vermessung-import.ts'
import { silentLog } from '#server/log.ts'
import { createWorkQueue, sharesOf } from '#server/work-queue.ts'
import { makeRandom } from '../../db/seeds/random.ts'
import { makeVermessung, toGeoJson } from '../../db/seeds/sample-vermessung.ts'
import { C } from '../../db/test/cells/vermessung.ts'
import { EITHER_ENGINE, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { type IdentityName, NAMES } from '../../db/test/world.ts'
import * as w from '../../db/test/world.ts'
import { unpackZip } from '../../web/src/data/unpack-zip.ts'
import { roomCalls } from '../../db/test/room-calls.ts'
import { refusingServer } from '../../db/test/refusing-server.ts'
import { column, fgb, fgbHeader, pointAt } from '../geodata/flatgeobuf.fixture.ts'
import { answer, member, pointIn } from '../geodata/gml.fixture.ts'
import { WAITING_MOST, WAITING_MOST_BYTES } from '../geodata/imports.ts'
import { createVermessungRoom } from './routes.ts'

const day = (offset: number): string =>
  new Date(Date.UTC(2026, 10, 21) + offset * 86_400_000).toISOString().slice(0, 10)
const SURVEY = makeVermessung({ ort: [380_000, 5_930_000], anzahl: 300, random: makeRandom(7), day })
const SURVEY_FILE = Buffer.from(toGeoJson(SURVEY, 25_833))
/** A manhole as a block with its number, a drain, and a hatch that is no object. */
const DRAWING = `0
SECTION
2
ENTITIES
0
INSERT
8
Schächte
66
1
2
RUND
10
380010
20
5930010
30
31.5
0
ATTRIB
8
Schächte
1
S 9001
2
NUMMER
0
SEQEND
0
LINE
8
Dränagen
10
380010
20
5930010
11
380060
21
5930010
0
HATCH
8
Dränagen
0
ENDSEC
0
EOF
`
const OGRINFO = '/usr/bin/ogrinfo'

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`survey files on ${engineName}`, () => {
    let engine: Engine
    let app: FastifyInstance
    let folder: string
    let room: ReturnType<typeof createVermessungRoom>
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'vermessung-'))
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await engine.owner.script(
        `begin; set local role forst_betrieb; update app.vermessung_import set stand = 'fertig'; commit`,
      )
      app = refusingServer()
      room = createVermessungRoom({
        database: engine.api,
        folder: join(folder, 'vermessung'),
        log: silentLog,
        now: () => new Date('2026-11-21T12:00:00Z'),
      })
      await app.register(room.routes)
    })
    afterAll(async () => {
      await room?.close()
      await app?.close()
      await engine?.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const { ask, upload: send } = roomCalls(() => app)
    const upload = (who: IdentityName, name: string, bytes: Buffer, kunde = C) =>
      send(who, `/vermessung/${kunde}`, name, bytes)
    const uploaded = async (name: string, bytes: Buffer): Promise<VermessungImport> => {
      const reply = await upload('apus_team', name, bytes)
      expect(reply.statusCode, reply.body).toBe(200)
      return reply.json().data
    }
    /** What the file itself proposes. It is far from what was drawn before. */
    const proposed = (file: VermessungImport, mode: ImportValues['modus'] = 'ersetzen'): ImportValues => ({
      modus: mode,
      ort_bestaetigt: true,
      schichten: file.schichten.flatMap(({ name, epsg, ort, vorschlag }) =>
        vorschlag.tabelle === null
          ? []
          : {
              name,
              tabelle: vorschlag.tabelle,
              epsg: epsg!,
              felder: vorschlag.felder,
              ...(ort === null ? {} : { ort }),
            },
      ),
    })
    const finished = async (id: number): Promise<VermessungImport> => {
      for (;;) {
        const now = (await ask('apus_team', 'GET', `/vermessung/import/${id}`)).json()
          .data as VermessungImport
        if (now.stand !== 'laeuft') return now
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    const imported = async (
      name: string,
      bytes: Buffer,
      mode?: ImportValues['modus'],
    ): Promise<VermessungImport> => {
      const file = await uploaded(name, bytes)
      const started = await ask(
        'apus_team',
        'POST',
        `/vermessung/import/${file.id}/start`,
        proposed(file, mode),
      )
      expect(started.statusCode, started.body).toBe(200)
      return finished(file.id)
    }
    const waiting = (): string[] =>
      existsSync(join(folder, 'vermessung')) ? readdirSync(join(folder, 'vermessung')).sort() : []
    const rowsOf = async (text: string) => (await engine.owner.query<Record<string, unknown>>(text)).rows
    const exported = async (who: IdentityName, path: string) => ask(who, 'GET', `/vermessung/${path}`)

    test('files that wait: the oldest of a person give way to new ones, those of others stay', async () => {
      const [first, other] = [await uploaded('first.geojson', SURVEY_FILE), waiting().length]
      const theirs = (await upload('apus_admin', 'theirs.geojson', SURVEY_FILE)).json()
        .data as VermessungImport
      for (let file = 0; file < WAITING_MOST; file++) await uploaded(`${file}.geojson`, SURVEY_FILE)
      const files = waiting()
      expect(other).toBe(2)
      expect([files.includes(String(first.id)), files.includes(String(theirs.id)), files.length]).toEqual([
        false,
        true,
        2 * (WAITING_MOST + 1),
      ])
      const late = await ask('apus_team', 'POST', `/vermessung/import/${first.id}/start`, proposed(first))
      expect([late.statusCode, late.json().message]).toEqual([
        409,
        'Die Datei liegt nicht mehr auf dem Server. Bitte laden Sie sie noch einmal hoch.',
      ])
      await rowsOf(`update app.vermessung_import set groesse = ${WAITING_MOST_BYTES} where id = ${theirs.id}`)
      await upload('apus_admin', 'more.geojson', SURVEY_FILE)
      expect(waiting()).not.toContain(String(theirs.id))
      for (const { id } of await rowsOf(`select id from app.vermessung_import where stand = 'bereit'`))
        expect((await ask('apus_team', 'DELETE', `/vermessung/import/${String(id)}`)).statusCode).toBe(200)
      expect(waiting()).toEqual([])
    })

    describe('who may', () => {
      test.each(NAMES.filter((name) => name !== 'nobody'))('%s uploads only as staff', async (who) => {
        const reply = await upload(who, 'x.geojson', SURVEY_FILE)
        const staff = ['apus_admin', 'apus_team', 'admin'].includes(who)
        expect([reply.statusCode, waiting().some((name) => name.startsWith('neu-'))]).toEqual([
          staff ? 200 : who === 'disabled' || who === 'session_ended' ? 401 : 404,
          false,
        ])
        if (staff)
          expect(
            (await ask('apus_team', 'DELETE', `/vermessung/import/${reply.json().data.id}`)).statusCode,
          ).toBe(200)
      })
      test('imports are found by staff alone, on every path', async () => {
        const { id } = await uploaded('x.geojson', SURVEY_FILE)
        for (const [method, path] of [
          ['GET', ''],
          ['DELETE', ''],
          ['POST', '/pruefen'],
          ['POST', '/start'],
        ] as const)
          for (const who of ['appuser_admin', 'ogf_admin', 'kundenadmin'] as const)
            expect(
              (
                await ask(
                  who,
                  method,
                  `/vermessung/import/${id}${path}`,
                  method === 'POST' ? { modus: 'ersetzen', schichten: [] } : undefined,
                )
              ).statusCode,
              `${who} ${method} ${path}`,
            ).toBe(404)
        for (const wrong of ['999999', '0', '1 or 1=1', '99999999999999999999'])
          expect(
            (await ask('apus_team', 'GET', `/vermessung/import/${encodeURIComponent(wrong)}`)).statusCode,
          ).toBe(404)
        await ask('apus_team', 'DELETE', `/vermessung/import/${id}`)
      })
      test.each([
        ['appuser', C, 200],
        ['appuser_admin', C, 200],
        ['apus_team', w.B, 200],
        ['appuser', w.A, 404],
        ['appuser', w.B, 404],
        ['kundenadmin', C, 404],
        ['ogf_admin', C, 404],
        ['appuser', 999, 404],
      ] as const)('%s is handed out customer %i: %i', async (who, kunde, status) => {
        for (const format of ['gpkg', 'geojson', 'csv'])
          expect((await exported(who, `${kunde}/export/kataster.${format}`)).statusCode).toBe(status)
      })
      test('nobody without signing in', async () => {
        for (const [method, url] of [
          ['GET', `/vermessung/${C}/export/kataster.gpkg`],
          ['POST', `/vermessung/${C}/upload?name=x`],
          ['GET', '/vermessung/import/1'],
        ] as const)
          expect((await app.inject({ method, url })).statusCode).toBe(401)
      })
    })

    describe('a whole survey', () => {
      test('comes in as it was, layer by layer, and says what it did', async () => {
        const file = await uploaded('Kataster.geojson', SURVEY_FILE)
        expect(file).toMatchObject({
          stand: 'bereit',
          format: 'geojson',
          client_id: C,
          groesse: SURVEY_FILE.length,
        })
        expect(
          file.schichten.map(({ name, epsg, geometrie, vorschlag }) => [
            name,
            epsg,
            geometrie,
            vorschlag.tabelle,
          ]),
        ).toEqual([
          ['draenage', 25_833, 'linie', 'draenage'],
          ['ausmuendung', 25_833, 'punkt', 'ausmuendung'],
          ['schacht', 25_833, 'punkt', 'schacht'],
          ['schlucker', 25_833, 'punkt', 'schlucker'],
          ['einlauf', 25_833, 'punkt', 'einlauf'],
        ])
        const preview = (
          await ask('apus_team', 'POST', `/vermessung/import/${file.id}/pruefen`, proposed(file))
        ).json().data as Preview
        expect([preview.zone, preview.fehlerzahl, preview.schichten[0]!.gut]).toEqual([
          25_833,
          0,
          SURVEY.filter(({ tabelle }) => tabelle === 'draenage').length,
        ])
        expect(preview.schichten[2]!.zeilen[0]).toMatchObject({ nr: 1, werte: { material: 'Beton' } })
        await ask('apus_team', 'POST', `/vermessung/import/${file.id}/start`, proposed(file))
        const done = await finished(file.id)
        expect([done.stand, done.fortschritt, done.schichten]).toEqual(['fertig', 100, []])
        for (const { tabelle, neu, geaendert } of done.bericht!.objekte!)
          expect([tabelle, neu, geaendert]).toEqual([
            tabelle,
            SURVEY.filter((one) => one.tabelle === tabelle).length,
            0,
          ])
        expect(waiting()).toEqual([])
        const [length] = await rowsOf(
          `select round(sum(laenge)::numeric, 3) as m from app.draenage where client_id = ${C}`,
        )
        const expected = SURVEY.filter(({ tabelle }) => tabelle === 'draenage').reduce(
          (sum, { orte }) =>
            sum +
            orte.reduce(
              (part, [x, y], at) =>
                part + (at === 0 ? 0 : Math.hypot(x - orte[at - 1]![0], y - orte[at - 1]![1])),
              0,
            ),
          0,
        )
        expect(Number(length!['m'])).toBeCloseTo(expected, 2)
      })
      test('the same again changes everything and adds nothing; without a part of it that part goes', async () => {
        const again = await imported('Kataster.geojson', SURVEY_FILE)
        expect(again.bericht!.objekte!.map(({ neu, entfernt }) => [neu, entfernt])).toEqual([
          [0, 0],
          [0, 0],
          [0, 0],
          [0, 0],
          [0, 0],
        ])
        const less = SURVEY.filter(({ tabelle }) => tabelle !== 'schacht').concat(
          SURVEY.filter(({ tabelle }) => tabelle === 'schacht').slice(3),
        )
        expect(
          (await imported('Kataster.geojson', Buffer.from(toGeoJson(less, 25_833)))).bericht!.objekte!.find(
            ({ tabelle }) => tabelle === 'schacht',
          ),
        ).toMatchObject({ neu: 0, entfernt: 3 })
        // The map's low levels count the same, and nothing waits to be counted.
        const [counted] = await rowsOf(`select sum(n) filter (where stufe = 4 and ganz)::int as n,
            sum(schacht) filter (where stufe = 14 and not ganz)::int as schacht, bool_or(neu) as neu
          from maps.vermessung_zelle where client_id = ${C}`)
        expect(counted).toEqual({
          n: less.length,
          schacht: less.filter(({ tabelle }) => tabelle === 'schacht').length,
          neu: false,
        })
        const back = await imported(
          'Kataster.geojson',
          Buffer.from(toGeoJson(SURVEY.filter(({ tabelle }) => tabelle === 'schacht').slice(0, 3), 25_833)),
          'ergaenzen',
        )
        expect(back.bericht!.objekte).toEqual([{ tabelle: 'schacht', neu: 3, geaendert: 0, entfernt: 0 }])
      })
      test('a table whose encoding is guessed wrong is read as people choose, and the preview shows it', async () => {
        const csv = iconv.encode(
          'schluessel;zustand;ost;nord\nGrünfläche 1;9 m³, 8 m³, 7 m³;380000;5930000\n',
          'cp850',
        )
        const file = await uploaded('schacht.csv', csv)
        const values = proposed(file)
        const look = async (more: object) => {
          const layers = values.schichten.map((layer) => ({ ...layer, epsg: 25_833, ...more }))
          const path = `/vermessung/import/${file.id}/pruefen`
          const reply = await ask('apus_team', 'POST', path, { ...values, schichten: layers })
          return (reply.json().data as Preview).schichten[0]!.zeilen[0]!.werte['schluessel']
        }
        expect(file.schichten[0]!.texte).toMatchObject({ erkannt: 'windows-1252', sicher: false })
        expect(await look({})).not.toBe('Grünfläche 1')
        expect(await look({ zeichensatz: 'cp850' })).toBe('Grünfläche 1')
        expect((await ask('apus_team', 'DELETE', `/vermessung/import/${file.id}`)).statusCode).toBe(200)
      })
      test('read in the wrong zone it lies far away: asked about, and refused until somebody confirms it', async () => {
        const file = await uploaded('Kataster.geojson', SURVEY_FILE)
        const { schichten, modus } = proposed(file)
        const wrong = { modus, schichten: schichten.map((layer) => ({ ...layer, epsg: 25_832 })) }
        const path = `/vermessung/import/${file.id}`
        const preview = (await ask('apus_team', 'POST', `${path}/pruefen`, wrong)).json().data as Preview
        expect(preview.fern).toEqual({
          anzahl: SURVEY.length,
          von: SURVEY.length,
          km: expect.closeTo(390, -1.5) as number,
          bezug: 'bestand',
          objekte: expect.any(Array) as object[],
        })
        expect(preview.fern!.objekte).toHaveLength(Math.min(20, SURVEY.length))
        expect(preview.fern!.objekte[0]).toMatchObject({
          km: preview.fern!.km,
          nr: expect.any(Number) as number,
        })
        const right = (await ask('apus_team', 'POST', `${path}/pruefen`, { schichten, modus })).json()
          .data as Preview
        expect(right.fern).toBeNull()
        const before = await rowsOf(`select count(*) as n, st_extent(geom)::text as e from app.schacht`)
        await ask('apus_team', 'POST', `${path}/start`, wrong)
        expect(await finished(file.id)).toMatchObject({ stand: 'fehlgeschlagen', bericht: { grund: 'ort' } })
        expect(await rowsOf(`select count(*) as n, st_extent(geom)::text as e from app.schacht`)).toEqual(
          before,
        )
        await ask('apus_team', 'POST', `${path}/start`, { ...wrong, ort_bestaetigt: 'ja' })
        expect(await finished(file.id)).toMatchObject({ bericht: { grund: 'ort' } })
        await ask('apus_team', 'POST', `${path}/start`, {
          ...wrong,
          ort_bestaetigt: true,
          verschiebung_bestaetigt: true,
        })
        expect(await finished(file.id)).toMatchObject({ stand: 'fertig', werte: { ort_bestaetigt: true } })
        // Back to where it was: from there that is far again.
        const back = await uploaded('Kataster.geojson', SURVEY_FILE)
        await ask('apus_team', 'POST', `/vermessung/import/${back.id}/start`, {
          ...proposed(back),
          verschiebung_bestaetigt: true,
        })
        expect((await finished(back.id)).stand).toBe('fertig')
      })
      test('goes out as GeoPackage and comes back from it as the same numbers', async () => {
        const state = `select 'd' || schluessel as k,
          md5(concat_ws('|', public.st_astext(geom, 3), vermessen, erfq, qdt, art, dn, material, tiefe,
          gefaelle, abstand, baujahr, plan_nr, genauigkeit_cm, datum)) as h
          from app.draenage where client_id = ${C}
          union all select 's' || schluessel,
            md5(concat_ws('|', public.st_astext(geom, 3), vermessen, erfq, dn, hoehe, sohlhoehe, zustand,
            letzte_kontrolle))
          from app.schacht where client_id = ${C}
          order by 1`
        const before = await rowsOf(state)
        const file = await exported('appuser', `${C}/export/kataster.gpkg`)
        expect(file.headers['repr-digest']).toBe(
          `sha-256=:${createHash('sha256').update(file.rawPayload).digest('base64')}:`,
        )
        expect(file.headers['content-disposition']).toContain('Kataster_Forst-C_2026-11-21.gpkg')
        const done = await imported('Kataster.gpkg', file.rawPayload)
        expect(done.bericht!.objekte!.map(({ neu, entfernt }) => [neu, entfernt])).toEqual(
          [
            [0, 0],
            [0, 0],
            [0, 0],
            [0, 0],
            [0, 0],
          ].slice(0, done.bericht!.objekte!.length),
        )
        expect(await rowsOf(state)).toEqual(before)
      })
      test.skipIf(!existsSync(OGRINFO))(
        'its GeoPackage opens in GDAL, with system, types and counts',
        async () => {
          const path = join(folder, 'export.gpkg')
          writeFileSync(path, (await exported('appuser', `${C}/export/kataster.gpkg`)).rawPayload)
          const told = execFileSync(OGRINFO, ['-ro', '-so', '-al', path], { encoding: 'utf8' })
          expect(told).toContain('Layer name: draenage')
          expect(told).toContain('Geometry: Multi Line String')
          expect(told).toContain('ETRS89 / UTM zone 33N')
          expect(told).toContain('vermessen: Integer(Boolean)')
          expect(told).toContain(
            `Feature Count: ${SURVEY.filter(({ tabelle }) => tabelle === 'draenage').length}`,
          )
          expect(told).not.toMatch(/warning|error/i)
        },
      )
      test('goes out as shapefiles that GDAL reads, and comes back from them as the same objects', async () => {
        const state = `select count(*) as n, sum(dn) as dn, round(sum(laenge)::numeric, 2) as m,
            md5(string_agg(concat_ws('|', schluessel, vermessen, erfq, material, public.st_astext(geom, 3)), ','
              order by schluessel)) as werte from app.draenage where client_id = ${C}`
        const points = `select count(*) as n, sum(hoehe) as h, max(letzte_kontrolle)::text as k,
            md5(string_agg(concat_ws('|', schluessel, vermessen, zustand, public.st_astext(geom, 3)), ','
              order by schluessel)) as werte from app.schacht where client_id = ${C}`
        const before = [await rowsOf(state), await rowsOf(points)]
        const file = await exported('appuser', `${C}/export/kataster.shp`)
        expect(file.headers['content-type']).toBe('application/zip')
        expect(file.headers['content-disposition']).toContain('Kataster_Forst-C_2026-11-21.shp.zip')
        if (existsSync(OGRINFO)) {
          const path = join(folder, 'shapes.zip')
          writeFileSync(path, file.rawPayload)
          const told = execFileSync(OGRINFO, ['-ro', '-so', '-al', `/vsizip/${path}`], { encoding: 'utf8' })
          for (const table of ['draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf'])
            expect(told).toContain(`Layer name: ${table}`)
          expect(told).toContain('ETRS89 / UTM zone 33N')
          expect(told).toContain(
            `Feature Count: ${SURVEY.filter(({ tabelle }) => tabelle === 'draenage').length}`,
          )
        }
        const done = await imported('Kataster.zip', file.rawPayload)
        expect(done).toMatchObject({ stand: 'fertig' })
        expect(done.bericht!.objekte!.map(({ neu, entfernt }) => [neu, entfernt])).toEqual(
          done.bericht!.objekte!.map(() => [0, 0]),
        )
        expect([await rowsOf(state), await rowsOf(points)]).toEqual(before)
      })
      test('its GeoJSON lies in WGS 84, or where it is asked to', async () => {
        const world = (await exported('appuser', `${C}/export/kataster.geojson`)).json()
        const [lon, lat] = world.features.find(
          ({ geometry }: { geometry: { type: string } }) => geometry.type === 'Point',
        ).geometry.coordinates
        expect([world.crs, lon > 13 && lon < 13.3, lat > 53.4 && lat < 53.6]).toEqual([undefined, true, true])
        const plan = (await exported('appuser', `${C}/export/kataster.geojson?epsg=25833`)).json()
        expect(plan.crs.properties.name).toBe('urn:ogc:def:crs:EPSG::25833')
        expect(plan.features).toHaveLength(SURVEY.length)
        expect((await exported('appuser', `${C}/export/kataster.geojson?epsg=9999`)).statusCode).toBe(400)
      })
      test('its tables open in Excel, carry their sums and come back', async () => {
        const zip = (await exported('appuser', `${C}/export/kataster.csv`)).rawPayload
        const files = await unpackZip(new Uint8Array(zip), () => true)
        const text = (name: string) =>
          new TextDecoder('utf-8', { ignoreBOM: true }).decode(files.find((one) => one.name === name)!.data)
        expect(text('schacht.csv').slice(0, 11)).toBe('\uFEFFschluessel')
        for (const line of text('SHA256SUMS').trim().split('\n')) {
          const [sum, name] = line.split('  ')
          expect(
            createHash('sha256')
              .update(files.find((one) => one.name === name)!.data)
              .digest('hex'),
          ).toBe(sum)
        }
        const file = await uploaded('Kataster.zip', zip)
        expect(file.schichten.map(({ name, epsg, anzahl }) => [name, epsg, anzahl])).toContainEqual([
          'schacht',
          25_833,
          SURVEY.filter(({ tabelle }) => tabelle === 'schacht').length,
        ])
        const preview = (
          await ask('apus_team', 'POST', `/vermessung/import/${file.id}/pruefen`, proposed(file))
        ).json().data as Preview
        expect([preview.fehlerzahl, preview.schichten.reduce((sum, { gut }) => sum + gut, 0)]).toEqual([
          0,
          SURVEY.length,
        ])
        await ask('apus_team', 'DELETE', `/vermessung/import/${file.id}`)
      })
    })

    describe('with faults', () => {
      const point = (x: unknown, y: unknown, properties: object = {}) => ({
        type: 'Feature',
        properties,
        geometry: { type: 'Point', coordinates: [x, y] },
      })
      const file = (...features: object[]) =>
        Buffer.from(
          JSON.stringify({
            type: 'FeatureCollection',
            crs: { properties: { name: 'EPSG:25833' } },
            features,
          }),
        )
      test('nothing is imported, and each object says what is wrong with it', async () => {
        const before = await rowsOf(`select count(*)::int as n from app.schacht where client_id = ${C}`)
        const fileRow = await uploaded(
          'Schacht.geojson',
          file(
            point(380_000, 5_930_000, { key: 'a', dn: 'DN 800' }),
            point(380_000, 5_930_000, { key: 'a', dn: 'groß' }),
            point(13.1, 53.5, { key: 'b' }),
            point(380_000, 5_930_000, { key: 'c', datum: '31.02.2026', material: 'x'.repeat(101) }),
            {
              type: 'Feature',
              properties: { key: 'd' },
              geometry: {
                type: 'LineString',
                coordinates: [
                  [380_000, 5_930_000],
                  [380_010, 5_930_000],
                ],
              },
            },
            { type: 'Feature', properties: { key: 'e' }, geometry: null },
          ),
        )
        // The line is in a separate layer: what it is must be said, and here it is said wrongly.
        const asked = proposed(fileRow, 'ergaenzen')
        const [points] = asked.schichten
        expect([points!.name, points!.tabelle]).toEqual(['Schacht (Punkte)', 'schacht'])
        const values = { ...asked, schichten: [points, { ...points, name: 'Schacht (Linien)' }] }
        await ask('apus_team', 'POST', `/vermessung/import/${fileRow.id}/start`, values)
        const done = await finished(fileRow.id)
        expect(done.stand).toBe('fehlgeschlagen')
        expect(done.bericht).toMatchObject({ grund: 'fehler', fehlerzahl: 7 })
        expect(done.bericht!.fehler!.map(({ nr, feld, art }) => [nr, feld, art])).toEqual([
          [2, 'dn', 'zahl_ungueltig'],
          [2, 'schluessel', 'schluessel_doppelt'],
          [3, 'geometrie', 'ort_ausserhalb'],
          [4, 'material', 'text_zu_lang'],
          [4, 'datum', 'tag_ungueltig'],
          [6, 'geometrie', 'geometrie_leer'],
          [5, 'geometrie', 'geometrie_punkt'],
        ])
        expect(await rowsOf(`select count(*)::int as n from app.schacht where client_id = ${C}`)).toEqual(
          before,
        )
        // The file is still there: another mapping may work.
        expect(
          (await ask('apus_team', 'POST', `/vermessung/import/${fileRow.id}/pruefen`, values)).json().data
            .fehlerzahl,
        ).toBe(7)
        expect((await ask('apus_team', 'DELETE', `/vermessung/import/${fileRow.id}`)).statusCode).toBe(200)
        expect((await ask('apus_team', 'GET', `/vermessung/import/${fileRow.id}`)).statusCode).toBe(404)
      })
      test('what is said of the file must fit it', async () => {
        const fileRow = await uploaded('Schacht.geojson', file(point(380_000, 5_930_000, { key: 'a' })))
        const start = async (change: object) => {
          const values = proposed(fileRow)
          const reply = await ask('apus_team', 'POST', `/vermessung/import/${fileRow.id}/start`, {
            ...values,
            ...change,
          })
          return [reply.statusCode, reply.json().hint, reply.json().werte?.schicht]
        }
        const [layer] = proposed(fileRow).schichten
        for (const [change, hint, name] of [
          [{ modus: 'alles' }, 'import_modus'],
          [{ schichten: [] }, 'import_ohne_schicht'],
          [{ schichten: [{ ...layer, name: 'andere' }] }, 'import_schicht_fremd'],
          [{ schichten: [{ ...layer, tabelle: 'kunde' }] }, 'import_tabelle', layer!.name],
          [{ schichten: [{ ...layer, epsg: 1234 }] }, 'import_epsg', layer!.name],
          [{ schichten: [layer, layer] }, undefined],
          [{ schichten: 'x' }, undefined],
        ] as const)
          expect([change, ...(await start(change))]).toEqual([change, 400, hint, name])
        await ask('apus_team', 'DELETE', `/vermessung/import/${fileRow.id}`)
      })
      test.each([
        ['a picture', Buffer.from('\x89PNG\r\n\x1a\n0000000000000000', 'latin1'), 'format_unbekannt'],
        ['nothing', Buffer.alloc(0), 'format_unbekannt'],
        ['cut JSON', SURVEY_FILE.subarray(0, 5_000), 'datei_kaputt'],
        ['JSON that is something else', Buffer.from('{"type": "Topology"}'), 'keine_schicht'],
        ['a cut archive', Buffer.from('PK\x03\x04aaaaaaaaaaaaaaaaaaaaaaaaaaa', 'latin1'), 'datei_kaputt'],
        [
          'a cut database',
          Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(200, 7)]),
          'datei_kaputt',
        ],
        ['JSON a thousand thousand deep', Buffer.from(`{"a":${'['.repeat(1_000_000)}`), 'datei_kaputt'],
      ])('%s is refused with its reason, and leaves nothing behind', async (_what, bytes, hint) => {
        const reply = await upload('apus_team', '../../../etc/passwd.gpkg', bytes)
        expect([reply.statusCode, reply.json().hint]).toEqual([422, hint])
        expect(waiting()).toEqual([])
      })
      test('names of others are shown and never used', async () => {
        const fileRow = await uploaded('..\\..\\Plän\u202Ee\u0000.geojson', file(point(380_000, 5_930_000)))
        expect(fileRow.dateiname).toBe('Pläne.geojson')
        expect(waiting()).toEqual([String(fileRow.id), `${fileRow.id}.json`])
        await ask('apus_team', 'DELETE', `/vermessung/import/${fileRow.id}`)
      })
    })

    test('a drawing: its layers become tables, its blocks’ attributes fields, and a hatch is named', async () => {
      const file = await uploaded('Aufmaß.dxf', Buffer.from(DRAWING))
      expect([
        file.format,
        file.schichten.map(({ name, epsg, vorschlag }) => [name, epsg, vorschlag.tabelle]),
      ]).toEqual([
        'dxf',
        [
          ['Schächte', null, 'schacht'],
          ['Dränagen', null, 'draenage'],
        ],
      ])
      const values = proposed(file, 'ergaenzen')
      const start = (epsg: number | null) =>
        ask('apus_team', 'POST', `/vermessung/import/${file.id}/start`, {
          ...values,
          schichten: values.schichten.map((layer) => ({ ...layer, felder: { nummer: 'NUMMER' }, epsg })),
        })
      // A drawing does not say where it is.
      expect((await start(null)).json().hint).toBe('import_epsg')
      const preview = await ask('apus_team', 'POST', `/vermessung/import/${file.id}/pruefen`, {
        ...values,
        schichten: values.schichten.map((layer) => ({ ...layer, epsg: 25_833 })),
      })
      expect((preview.json().data as Preview).hinweise).toContainEqual({
        schicht: 'Dränagen',
        art: 'elemente',
        anzahl: 1,
        spalten: ['HATCH'],
      })
      await ask('apus_team', 'DELETE', `/vermessung/import/${file.id}`)
    })
    test('FlatGeobuf and GML: what they say of themselves is proposed, checked and taken over', async () => {
      const place = '380000 5930000'
      const flat = fgb(fgbHeader({ columns: [column('nummer', 11)] }), [
        pointAt(380_000, 5_930_000),
        { bytes: Buffer.from('0000020000005337', 'hex') },
      ])
      const text = answer(
        member(`<k:nummer>S8</k:nummer>${pointIn('urn:ogc:def:crs:EPSG::25833', place)}`, 'schacht'),
      )
      for (const [name, bytes, format, key] of [
        ['Aufmaß.fgb', flat, 'fgb', 'S7'],
        ['Aufmaß.gml', Buffer.from(text), 'gml', 'S8'],
      ] as const) {
        const file = await uploaded(name, bytes)
        expect([
          file.format,
          file.schichten.map(({ name: layer, epsg, vorschlag }) => [layer, epsg, vorschlag.tabelle]),
        ]).toEqual([format, [['schacht', 25_833, 'schacht']]])
        const values = proposed(file, 'ergaenzen')
        const layerValues = values.schichten.map((layer) => ({ ...layer, felder: { schluessel: 'nummer' } }))
        const preview = await ask('apus_team', 'POST', `/vermessung/import/${file.id}/pruefen`, {
          ...values,
          schichten: layerValues,
        })
        expect(preview.json().data).toMatchObject({
          fehlerzahl: 0,
          schichten: [{ gut: 1, zeilen: [{ ost: 380_000, nord: 5_930_000, werte: { schluessel: key } }] }],
        })
        await ask('apus_team', 'POST', `/vermessung/import/${file.id}/start`, {
          ...values,
          schichten: layerValues,
        })
        expect((await finished(file.id)).stand).toBe('fertig')
      }
      expect(
        await rowsOf(
          `select schluessel from app.schacht
            where client_id = ${C} and schluessel in ('S7', 'S8')
            order by schluessel`,
        ),
      ).toEqual([{ schluessel: 'S7' }, { schluessel: 'S8' }])
    })
    test('a GML with entities of its own is refused by name', async () => {
      const text = '<!DOCTYPE a [<!ENTITY b "c">]><a xmlns:gml="http://www.opengis.net/gml">&b;</a>'
      const reply = await upload('apus_team', 'Aufmaß.gml', Buffer.from(text))
      expect([reply.statusCode, reply.json().hint, reply.json().message]).toEqual([
        422,
        'gml_doctype',
        expect.stringContaining('DOCTYPE'),
      ])
    })
    test('what was under way when a server ended is told, and does not stand in the way', async () => {
      const file = await uploaded('Kataster.geojson', SURVEY_FILE)
      await engine.owner.script(
        `begin; set local role forst_betrieb;
          update app.vermessung_import set stand = 'laeuft' where id = ${file.id};
          commit`,
      )
      expect((await ask('apus_team', 'GET', `/vermessung/import/${file.id}`)).json().data).toMatchObject({
        stand: 'abgebrochen',
        bericht: { grund: 'server' },
      })
      expect(
        (await ask('apus_team', 'POST', `/vermessung/import/${file.id}/start`, proposed(file))).statusCode,
      ).toBe(200)
      expect((await finished(file.id)).stand).toBe('fertig')
    })
    // The embedded engine has one server.
    test.skipIf(engineName === 'embedded')(
      'what waits for its turn in one server is left alone by others, until that server is silent',
      async () => {
        const work = createWorkQueue(sharesOf(1, 1))
        const turn = work.admit('long')
        const busy = createVermessungRoom({
          database: engine.api,
          folder: join(folder, 'vermessung'),
          log: silentLog,
          now: () => new Date('2026-11-21T12:00:00Z'),
          work,
        })
        const other = refusingServer()
        await other.register(busy.routes)
        const begin = async (id: number, values: ImportValues) =>
          (await roomCalls(() => other).ask('apus_team', 'POST', `/vermessung/import/${id}/start`, values))
            .statusCode
        const standOf = async (id: number) =>
          (await ask('apus_team', 'GET', `/vermessung/import/${id}`)).json().data.stand as string
        const [file, lost] = [
          await uploaded('wartet.geojson', SURVEY_FILE),
          await uploaded('still.geojson', SURVEY_FILE),
        ]
        expect(await begin(file.id, proposed(file))).toBe(200)
        expect(await standOf(file.id)).toBe('laeuft')
        turn.release()
        expect((await finished(file.id)).stand).toBe('fertig')
        const again = work.admit('long')
        expect(await begin(lost.id, proposed(lost))).toBe(200)
        await engine.owner.script(
          `begin; set local role forst_betrieb; update app.vermessung_import
             set begonnen_am = now() - interval '2 minutes' where id = ${lost.id}; commit`,
        )
        expect(await standOf(lost.id)).toBe('abgebrochen')
        again.release()
        await busy.close()
        await other.close()
      },
    )
    test('one at a time of a customer, and breaking off takes everything back', async () => {
      const before = await rowsOf(
        `select count(*)::int as n, max(import_id)::int as last from app.draenage where client_id = ${C}`,
      )
      const large = Buffer.from(
        toGeoJson(
          makeVermessung({ ort: [380_000, 5_930_000], anzahl: 12_000, random: makeRandom(9), day }),
          25_833,
        ),
      )
      const [one, two] = [await uploaded('a.geojson', large), await uploaded('b.geojson', large)]
      const [first, second] = await Promise.all(
        [one, two].map((file) =>
          ask('apus_team', 'POST', `/vermessung/import/${file.id}/start`, proposed(file)),
        ),
      )
      expect([first!.statusCode, second!.statusCode].sort((a, b) => a - b)).toEqual([200, 409])
      const runs = first!.statusCode === 200 ? one : two
      expect((await ask('apus_team', 'DELETE', `/vermessung/import/${runs.id}`)).statusCode).toBe(200)
      expect((await finished(runs.id)).stand).toBe('abgebrochen')
      expect(
        await rowsOf(
          `select count(*)::int as n, max(import_id)::int as last from app.draenage where client_id = ${C}`,
        ),
      ).toEqual(before)
      for (const { id } of [one, two])
        expect((await ask('apus_team', 'DELETE', `/vermessung/import/${id}`)).statusCode).toBe(200)
    })
  })
