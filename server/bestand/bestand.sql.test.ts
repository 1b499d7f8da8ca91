// A management plan imported and exported again: upload, preview, import, export, and who may do what on each
// path. Also the guarantees of the tables themselves.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import iconv from 'iconv-lite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BestandImport, FePreview, FeValues } from '#contract/bestand-import.ts'
import type { Waldbestand } from '#contract/bestand.ts'
import { compareAddresses } from '#domain/bestand.oracle.ts'
import { silentLog } from '#server/log.ts'
import { createWorkQueue } from '#server/work-queue.ts'
import { zipBytes } from '#server/write-zip.ts'
import { attempt, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { claimsOf, type IdentityName, NAMES } from '../../db/test/world.ts'
import * as w from '../../db/test/world.ts'
import { openGpkg } from '../geodata/gpkg.ts'
import { roomCalls } from '../../db/test/room-calls.ts'
import { refusingServer } from '../../db/test/refusing-server.ts'
import { WAITING_MOST_BYTES } from '../geodata/imports.ts'
import { createBestandRoom } from './routes.ts'
import { NO_FOREST_GROUND } from './write-stands.ts'

/** Adjacent squares of one hectare in UTM 33, near Leipzig. */
const ring = (nr: number, cross = false): [number, number][] => {
  const [x, y] = [320_000 + 100 * nr, 5_690_000]
  const corners: [number, number][] = [
    [x, y],
    [x + 100, y],
    [x + 100, y + 100],
    [x, y + 100],
  ]
  return cross ? [corners[0]!, corners[2]!, corners[1]!, corners[3]!, corners[0]!] : [...corners, corners[0]!]
}
interface TableRow {
  readonly [column: string]: string | number | null
}
const STANDS: readonly TableRow[] = [
  { Rev: '3', Abt: '17', UAbt: 'b', Bestand: 2, FL_HA: 1.25, Alter: 65, Typ: 'Buche', Vorrat: '1.234,5' },
  {
    Rev: '3',
    Abt: '2b',
    UAbt: 'a',
    Bestand: 1,
    FL_HA: null,
    Alter: null,
    AK: 'III',
    Typ: null,
    Vorrat: null,
  },
  { Rev: '3', Abt: '12a', UAbt: null, Bestand: 1, FL_HA: 1, Alter: 0, Typ: 'Kultur', Vorrat: 0 },
]
const plan = (rows: readonly TableRow[], cross = -1): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: 'FeatureCollection',
      crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::25833' } },
      features: rows.map((properties, nr) => ({
        type: 'Feature',
        properties,
        geometry: { type: 'Polygon', coordinates: [ring(nr, nr === cross)] },
      })),
    }),
  )
const wkt = (nr: number): string =>
  `POLYGON((${ring(nr)
    .map((one) => one.join(' '))
    .join(',')}))`
/** The form in which forestry offices deliver plans: two spreadsheet tables. */
const zipOf = (species: readonly string[]): Promise<Buffer> =>
  zipBytes([
    {
      name: 'flaechen.csv',
      inhalt: Buffer.from(
        'Rev;Abt;UAbt;Bestand;Alter;WKT\n' +
          `${STANDS.map(
            (row, nr) =>
              `${row['Rev']};${row['Abt']};${row['UAbt'] ?? ''};${row['Bestand']};${row['Alter'] ?? ''};` +
              `${wkt(nr)}`,
          ).join('\n')}\n`,
      ),
      compress: true,
    },
    {
      name: 'Baumarten.csv',
      inhalt: Buffer.from(`Rev;Abt;UAbt;Bestand;Schicht;BA;Anteil;EKL\n${species.join('\n')}\n`),
      compress: true,
    },
  ])

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`plans on ${engineName}`, () => {
    let engine: Engine
    let app: FastifyInstance
    let folder: string
    let room: ReturnType<typeof createBestandRoom>
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'bestand-'))
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      app = refusingServer()
      room = createBestandRoom({
        database: engine.api,
        folder: join(folder, 'bestand'),
        log: silentLog,
        now: () => new Date('2026-11-21T12:00:00Z'),
      })
      await app.register(room.routes)
    })
    afterAll(async () => {
      room?.close()
      await app?.close()
      await engine?.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const { ask, upload: send } = roomCalls(() => app)
    const upload = (who: IdentityName, name: string, bytes: Buffer, hq: number | string = w.A1) =>
      send(who, `/bestand/${hq}`, name, bytes)
    const uploaded = async (name: string, bytes: Buffer): Promise<BestandImport> => {
      const reply = await upload('ogf_admin', name, bytes)
      expect(reply.statusCode, reply.body).toBe(200)
      return reply.json().data
    }
    const proposed = ({ schichten }: BestandImport, more: Partial<FeValues> = {}): FeValues => ({
      schichten: schichten.flatMap(({ name, epsg, vorschlag, ort }) =>
        vorschlag.tabelle === null
          ? []
          : [
              {
                name,
                tabelle: vorschlag.tabelle,
                epsg: vorschlag.tabelle === 'bestand' ? (epsg ?? 25_833) : null,
                felder: vorschlag.felder,
                ...(ort !== null && { ort }),
              },
            ],
      ),
      stichtag: '2024-01-01',
      uebernehmen: false,
      // It is far from what was drawn before.
      ort_bestaetigt: true,
      ...more,
    })
    const start = async (made: BestandImport, values: FeValues): Promise<BestandImport> => {
      const reply = await ask('ogf_admin', 'POST', `/bestand/import/${made.id}/start`, values)
      expect(reply.statusCode, reply.body).toBe(200)
      return reply.json().data
    }
    const forest = async (who: IdentityName, hq: number): Promise<Waldbestand | null> => {
      const outcome = await attempt(
        engine.api,
        claimsOf(who),
        sql('select app.a_get_waldbestand($1)::text as w', hq),
      )
      return 'rows' in outcome
        ? (JSON.parse((outcome.rows[0]?.['w'] as string) ?? 'null') as Waldbestand | null)
        : null
    }
    const count = async (table: string, hq = w.A1): Promise<number> =>
      Number(
        (
          await engine.owner.query<{ n: string }>(
            `select count(*) as n from app.${table} where "idHQ" = ${hq}`,
          )
        ).rows[0]!.n,
      )

    test('a plan replaces what was there, in natural order; areas it does not tell are the outlines’', async () => {
      const made = await uploaded('Forsteinrichtung 2024.geojson', plan(STANDS))
      expect([
        made.vorhanden,
        made.schichten.map(({ geometrie, anzahl, epsg, vorschlag }) => [geometrie, anzahl, epsg, vorschlag]),
      ]).toEqual([
        2,
        [
          [
            'flaeche',
            3,
            25_833,
            {
              tabelle: 'bestand',
              felder: {
                sLVL02: 'Rev',
                sLVL03: 'Abt',
                sLVL04: 'UAbt',
                iSTAND: 'Bestand',
                flaeche_ha: 'FL_HA',
                bestandestyp: 'Typ',
                alter: 'Alter',
                altersklasse: 'AK',
                vorrat: 'Vorrat',
              },
            },
          ],
        ],
      ])
      const look = await ask('ogf_admin', 'POST', `/bestand/import/${made.id}/pruefen`, proposed(made))
      const preview = look.json().data as FePreview
      expect([
        preview.fehlerzahl,
        preview.schichten[0]?.gut,
        preview.schichten[0]?.zeilen[0]?.adresse,
      ]).toEqual([0, 3, { l: [null, '3', '17', 'b', null], s: 2 }])
      expect(await count('bestand')).toBe(2)
      const done = await start(made, proposed(made, { uebernehmen: true }))
      expect([done.stand, done.bericht, done.vorhanden]).toEqual([
        'fertig',
        { bestaende: 3, baumarten: 0, entfernt: 2, bereinigt: 0 },
        3,
      ])
      expect(readdirSync(join(folder, 'bestand'))).toEqual([])
      const now = (await forest('ogf_standard', w.A1))!
      expect(now.bestaende.map(({ l, s }) => [l[2], s])).toEqual([
        ['2b', 1],
        ['12a', 1],
        ['17', 2],
      ])
      expect(now.bestaende.toSorted(compareAddresses)).toEqual(now.bestaende)
      const [two, twelve, seventeen] = now.bestaende
      expect([seventeen!.ha, seventeen!.ak, seventeen!.vorrat, seventeen!.tag]).toEqual([
        1.25,
        4,
        1234.5,
        '2024-01-01',
      ])
      // A grid square of 100 m is a little smaller on the ground.
      expect([two!.ak, two!.alter, twelve!.ak, twelve!.alter]).toEqual([3, null, 1, 0])
      expect(Math.abs(two!.ha - 1)).toBeLessThan(0.002)
      expect([now.dtFE, Math.abs(now.dcFLAEHB! - 3.25) < 0.01]).toEqual(['2024-01-01', true])
      // The other holdings are untouched.
      expect([await count('bestand', w.A2), await count('bestand', w.B1)]).toEqual([1, 1])
    })

    test('areas that are not forest ground are known by their names', async () => {
      const names = [
        'NHB',
        'nhb',
        '1 NHB – Wege',
        'Nicht-Holzboden',
        'Nichtholzbodenfläche',
        'Nicht Holzboden',
      ]
      const others = ['HB', 'Holzboden', 'Hochwald', 'NHBX', 'Wald, nicht Holzboden', '']
      const { rows } = await engine.owner.query<{ name: string; is: boolean }>(
        'select name, name ~* $2 as is from unnest($1::text[]) name',
        [[...names, ...others], NO_FOREST_GROUND],
      )
      expect(rows.filter(({ is }) => is).map(({ name }) => name)).toEqual(names)
    })

    test('outlines come as they are drawn, and only to those who see the stands', async () => {
      const of = async (who: IdentityName) => {
        const outcome = await attempt(
          engine.api,
          claimsOf(who),
          sql('select app.a_get_bestand_umrisse($1)::text as u', w.A1),
        )
        return 'rows' in outcome
          ? (JSON.parse(outcome.rows[0]!['u'] as string) as [number, number[][][][]][])
          : []
      }
      const mine = await of('kundenadmin')
      expect(mine.map(([, [polygon]]) => polygon![0]!.length)).toEqual([5, 5, 5])
      expect(mine[0]![1][0]![0]![0]!.every((value) => value > 1_000_000)).toBe(true)
      expect(await of('inactive_fb')).toEqual([])
    })

    test('the API filters stands and species by any prefix of the levels', async () => {
      const outcome = await attempt(
        engine.api,
        claimsOf('ogf_standard'),
        sql(
          `select "sLVL03" from app.bestand
            where "sLVL02" = '3' and "sLVL03" = '17' and "sLVL04" = 'b' and "iSTAND" = 2`,
        ),
      )
      expect('rows' in outcome && outcome.rows).toEqual([{ sLVL03: '17' }])
    })

    test('tables in a ZIP: species find their stands; one that finds none stops everything', async () => {
      const made = await uploaded(
        'FE.zip',
        await zipOf([
          '3;17;b;2;Oberstand;Rotbuche;70;II,5',
          '3;17;b;2;Oberstand;Fichte;30;I',
          '3;2b;a;1;;Kiefer;100;',
        ]),
      )
      expect(
        made.schichten.map(({ name, geometrie, vorschlag }) => [name, geometrie, vorschlag.tabelle]),
      ).toEqual([
        ['flaechen', 'flaeche', 'bestand'],
        ['Baumarten', 'ohne', 'baumarten'],
      ])
      const done = await start(made, proposed(made))
      expect(done.bericht).toEqual({ bestaende: 3, baumarten: 3, entfernt: 3, bereinigt: 0 })
      const kinds = (await forest('ogf_team', w.A1))!.bestaende.find(({ l }) => l[2] === '17')!.arten
      expect(kinds.map(([layer, baumart, share]) => [layer, baumart, share])).toEqual([
        ['Oberstand', 'Rotbuche', 70],
        ['Oberstand', 'Fichte', 30],
      ])
      const wrong = await uploaded(
        'FE.zip',
        await zipOf(['3;17;b;2;Oberstand;Rotbuche;170;', '3;99;b;2;;Fichte;30;I', '3;2b;a;1;;;100;']),
      )
      const failed = await start(wrong, proposed(wrong))
      expect([
        failed.stand,
        failed.bericht?.grund,
        failed.bericht?.fehler?.map(({ nr, feld, art, wert }) => [nr, feld, art, wert]),
      ]).toEqual([
        'fehlgeschlagen',
        'fehler',
        [
          [1, 'anteil', 'zahl_ausserhalb', '170'],
          [2, 'adresse', 'bestand_fehlt', '3 / 99 / b / 2'],
          [3, 'baumart', 'baumart_fehlt', ''],
        ],
      ])
      expect([await count('bestand'), await count('baumarten')]).toEqual([3, 3])
      // It can be corrected with another mapping, without a new upload.
      expect(
        (await ask('ogf_admin', 'GET', `/bestand/import/${wrong.id}`)).json().data.schichten,
      ).toHaveLength(2)
    })

    test('faults are told by row, and nothing is taken', async () => {
      const rows: TableRow[] = [
        { Rev: '1', Abt: '1', Bestand: 1, Alter: 30 },
        { Rev: '1', Abt: '1', Bestand: 1, Alter: 40 },
        { Rev: null, Abt: null, Bestand: null, Alter: 40 },
        { Rev: '1', Abt: '2', Bestand: 'x', Alter: -3 },
      ]
      const made = await uploaded('f.geojson', plan(rows))
      const look = (
        await ask('ogf_admin', 'POST', `/bestand/import/${made.id}/pruefen`, proposed(made))
      ).json().data as FePreview
      expect(look.fehler.map(({ nr, feld, art }) => [nr, feld, art])).toEqual([
        [2, 'adresse', 'adresse_doppelt'],
        [3, 'adresse', 'adresse_fehlt'],
        [4, 'iSTAND', 'zahl_ungueltig'],
        [4, 'alter', 'zahl_ausserhalb'],
      ])
      const elsewhere = proposed(made)
      const there = (
        await ask('ogf_admin', 'POST', `/bestand/import/${made.id}/pruefen`, {
          ...elsewhere,
          schichten: elsewhere.schichten.map((one) => ({ ...one, epsg: 31_466 })),
        })
      ).json().data as FePreview
      expect(new Set(there.fehler.filter(({ feld }) => feld === 'geometrie').map(({ art }) => art))).toEqual(
        new Set(['ort_ausserhalb']),
      )
      expect(await count('bestand')).toBe(3)
    })

    test('a table whose encoding is guessed wrong is read as people choose, and the preview shows it', async () => {
      const outline = 'POLYGON((400000 5900000, 400100 5900000, 400100 5900100, 400000 5900000))'
      const csv = iconv.encode(
        `Abteilung;Nutzungsart;Notiz;wkt\n7;Grünfläche;9 m³ 8 m³ 7 m³;"${outline}"\n`,
        'cp850',
      )
      const made = await uploaded('Bestand.csv', csv)
      expect(made.schichten[0]!.texte).toMatchObject({ erkannt: 'windows-1252', sicher: false })
      const values = proposed(made)
      const look = async (more: object) => {
        const body = { ...values, schichten: values.schichten.map((layer) => ({ ...layer, ...more })) }
        const reply = await ask('ogf_admin', 'POST', `/bestand/import/${made.id}/pruefen`, body)
        return (reply.json().data as FePreview).schichten[0]!.zeilen[0]!.werte['nutzungsart']
      }
      expect(await look({})).not.toBe('Grünfläche')
      expect(await look({ zeichensatz: 'cp850' })).toBe('Grünfläche')
      expect((await ask('ogf_admin', 'DELETE', `/bestand/import/${made.id}`)).statusCode).toBe(200)
    })

    test('read in the wrong zone it lies far away, and is refused until somebody confirms it', async () => {
      const made = await uploaded('weit.geojson', plan(STANDS))
      const values = proposed(made, { ort_bestaetigt: false })
      const wrong = { ...values, schichten: values.schichten.map((layer) => ({ ...layer, epsg: 25_832 })) }
      const look = await ask('ogf_admin', 'POST', `/bestand/import/${made.id}/pruefen`, wrong)
      const { fern } = look.json().data as FePreview
      expect(fern).toMatchObject({ anzahl: 3, von: 3, km: 417, bezug: 'bestand' })
      expect(fern!.objekte).toHaveLength(3)
      expect((await start(made, wrong)).bericht).toEqual({ grund: 'ort', fern })
      expect((await start(made, { ...wrong, ort_bestaetigt: true })).bericht).toMatchObject({ bestaende: 3 })
      const back = await uploaded('zurueck.geojson', plan(STANDS))
      const done = await start(back, { ...proposed(back), ort_bestaetigt: true })
      expect(done.bericht).toMatchObject({ bestaende: 3 })
    })

    test('an outline that crosses itself is mended and told', async () => {
      const made = await uploaded('k.geojson', plan(STANDS, 1))
      expect((await start(made, proposed(made))).bericht).toMatchObject({ bestaende: 3, bereinigt: 1 })
      expect(
        (
          await engine.owner.query(
            `select id from app.bestand where "idHQ" = ${w.A1} and not st_isvalid(geom)`,
          )
        ).rows,
      ).toEqual([])
    })

    test('a second start of the same file, and a file that is gone, are told', async () => {
      const made = await uploaded('z.geojson', plan(STANDS))
      const values = proposed(made)
      expect((await start(made, values)).stand).toBe('fertig')
      const again = await ask('ogf_admin', 'POST', `/bestand/import/${made.id}/start`, values)
      expect([again.statusCode, again.json().message]).toEqual([
        409,
        'Diese Datei ist schon importiert. Laden Sie sie für einen weiteren Import neu hoch.',
      ])
      const waiting = await uploaded('w.geojson', plan(STANDS))
      expect((await ask('ogf_admin', 'DELETE', `/bestand/import/${waiting.id}`)).statusCode).toBe(200)
      expect((await ask('ogf_admin', 'GET', `/bestand/import/${waiting.id}`)).statusCode).toBe(404)
    })

    test('files that wait: the oldest of a person give way to new ones', async () => {
      const old = await uploaded('old.geojson', plan(STANDS))
      await engine.owner.query(
        `update app.bestand_import set groesse = ${WAITING_MOST_BYTES} where id = ${old.id}`,
      )
      const made = await uploaded('new.geojson', plan(STANDS))
      const late = await ask('ogf_admin', 'POST', `/bestand/import/${old.id}/start`, proposed(old))
      expect([late.statusCode, late.json().message]).toEqual([
        409,
        'Die Datei liegt nicht mehr auf dem Server. Bitte laden Sie sie noch einmal hoch.',
      ])
      expect((await start(made, proposed(made))).stand).toBe('fertig')
    })

    test('a second start that waited for the first leaves its result as it is', async () => {
      const queue = createWorkQueue()
      const done = Promise.withResolvers<void>()
      const waits = Promise.withResolvers<void>()
      let starts = 0
      const second = createBestandRoom({
        database: engine.api,
        folder: join(folder, 'bestand'),
        log: silentLog,
        now: () => new Date('2026-11-21T12:00:00Z'),
        work: {
          ...queue,
          run: async (kind, order, work) => {
            if (kind === 'long' && (starts += 1) === 2) {
              waits.resolve()
              await done.promise
            }
            return queue.run(kind, order, work)
          },
        },
      })
      const other = refusingServer()
      await other.register(second.routes)
      const made = await uploaded('zwei.geojson', plan(STANDS))
      const begin = () =>
        roomCalls(() => other).ask('ogf_admin', 'POST', `/bestand/import/${made.id}/start`, proposed(made))
      // Both find the file before either is done.
      const both = [begin(), begin()]
      await waits.promise
      const first = await Promise.race(both)
      expect(first.json().data).toMatchObject({ stand: 'fertig' })
      done.resolve()
      const answers = await Promise.all(both)
      expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([200, 409])
      expect((await ask('ogf_admin', 'GET', `/bestand/import/${made.id}`)).json().data).toMatchObject({
        stand: 'fertig',
        bericht: { bestaende: 3 },
      })
      second.close()
      await other.close()
    })

    test.each([
      ['no table of stands', { schichten: [], stichtag: null, uebernehmen: false }],
      ['a day that is none', { stichtag: '2024-13-01' }],
      [
        'a layer that is not in the file',
        { schichten: [{ name: 'y', tabelle: 'bestand', epsg: 25_833, felder: {} }] },
      ],
      ['a system that nobody knows', { epsg: 2056 }],
      ['no object', []],
    ])('%s is refused', async (_what, body) => {
      const made = await uploaded('x.geojson', plan(STANDS))
      const values = proposed(made)
      const asked = Array.isArray(body)
        ? body
        : 'epsg' in body
          ? { ...values, schichten: values.schichten.map((one) => ({ ...one, epsg: body.epsg })) }
          : { ...values, ...body }
      expect(
        (await ask('ogf_admin', 'POST', `/bestand/import/${made.id}/start`, asked as object)).statusCode,
      ).toBe(400)
    })
    test.each([
      ['a picture', 'bild.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])],
      ['a page', 'seite.geojson', Buffer.from('<html><body>;</body></html>')],
      ['half a document', 'halb.geojson', Buffer.from('{"type": "FeatureCollection", "features": [')],
    ])('%s is no plan', async (_what, name, bytes) =>
      expect((await upload('ogf_admin', name, bytes)).statusCode).toBe(422),
    )

    test('goes out as a shapefile and a table that come in again as the same', async () => {
      const before = await forest('ogf_admin', w.A1)
      const reply = await ask('ogf_standard', 'GET', `/bestand/${w.A1}/export/waldbestand.shp`)
      expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/zip'])
      const made = await uploaded('aus.zip', reply.rawPayload)
      expect(made.schichten.map(({ name, anzahl, epsg }) => [name, anzahl, epsg])).toEqual(
        expect.arrayContaining([['bestand', await count('bestand'), 25_833]]) as unknown[],
      )
      expect((await start(made, proposed(made))).bericht).toMatchObject({
        bestaende: await count('bestand'),
      })
      expect((await forest('ogf_admin', w.A1))!.bestaende.length).toBe(before!.bestaende.length)
      const other = await ask('ogf_standard', 'GET', `/bestand/${w.A1}/export/waldbestand.exe`)
      expect(other.statusCode).toBe(404)
    })
    test('goes out as a GeoPackage that comes in again as the same', async () => {
      const before = await forest('ogf_admin', w.A1)
      const reply = await ask('ogf_standard', 'GET', `/bestand/${w.A1}/export/waldbestand.gpkg`)
      expect([reply.statusCode, reply.headers['content-type']]).toEqual([
        200,
        'application/geopackage+sqlite3',
      ])
      const path = join(folder, 'aus.gpkg')
      writeFileSync(path, reply.rawPayload)
      const source = openGpkg(path, { tabellen: true })
      expect(
        source.schichten.map(({ name, geometrie, anzahl, epsg }) => [name, geometrie, anzahl, epsg]),
      ).toEqual([
        ['bestand', 'flaeche', 3, 25_833],
        ['baumarten', 'ohne', 0, null],
      ])
      source.close()
      const made = await uploaded('zurueck.gpkg', reply.rawPayload)
      expect((await start(made, proposed(made, { stichtag: null }))).bericht).toMatchObject({
        bestaende: 3,
        entfernt: 3,
      })
      const after = await forest('ogf_admin', w.A1)
      const plain = (one: Waldbestand | null) => one?.bestaende.map(({ id: _id, ...row }) => row)
      expect(plain(after)).toEqual(plain(before))
    })

    describe('who may', () => {
      const OTHERS = NAMES.filter((name) => !['ogf_admin', 'admin'].includes(name))
      test.each(OTHERS)('%s may neither upload, nor see, start or drop an import', async (who) => {
        const made = await uploaded('r.geojson', plan(STANDS))
        const replies = [
          await upload(who, 'x.geojson', plan(STANDS)),
          await ask(who, 'GET', `/bestand/import/${made.id}`),
          await ask(who, 'POST', `/bestand/import/${made.id}/pruefen`, proposed(made)),
          await ask(who, 'POST', `/bestand/import/${made.id}/start`, proposed(made)),
          await ask(who, 'DELETE', `/bestand/import/${made.id}`),
        ]
        for (const { statusCode } of replies) expect([401, 403, 404]).toContain(statusCode)
      })
      const SEES = [
        'ogf_standard',
        'ogf_fb_admin',
        'multiple_fb',
        'kundenadmin',
        'ogf_team',
        'ogf_admin',
        'admin',
      ]
      test.each(NAMES)('%s gets the file of a holding as its rows', async (who) => {
        const own = await ask(who, 'GET', `/bestand/${w.A1}/export/waldbestand.gpkg`)
        expect(own.statusCode === 200).toBe(SEES.includes(who))
        const foreign = await ask(who, 'GET', `/bestand/${w.B1}/export/waldbestand.gpkg`)
        const missing = await ask(who, 'GET', '/bestand/999999/export/waldbestand.gpkg')
        if (!['ogf_team', 'ogf_admin', 'admin'].includes(who))
          expect([foreign.statusCode, foreign.body]).toEqual([missing.statusCode, missing.body])
        else expect(foreign.statusCode).toBe(200)
      })
    })

    test('names of levels: five, not all empty, and not over somebody else’s change', async () => {
      const set = (names: string, version: number) =>
        attempt(
          engine.api,
          claimsOf('ogf_admin'),
          sql(`select app.a_set_hq_ebenen($1, $2::text[], $3)`, w.A2, names, version),
        )
      expect(await set('{A,B,C}', 1)).toMatchObject({ code: '23514', message: 'column "ebenen": ebenen' })
      expect(await set('{"","","","",""}', 1)).toMatchObject({
        code: '23514',
        message: 'column "ebenen": ebenen',
      })
      expect(await set('{"",Revier,Jagen,"",Teilfläche}', 7)).toMatchObject({ code: 'PT409' })
      expect(await set(`{${'x'.repeat(41)},b,c,d,e}`, 1)).toMatchObject({ code: '23514' })
    })
  })
