// A second campaign whose keys are those of other objects: what would be moved is asked about before it is.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ImportValues, Preview, VermessungImport } from '#contract/vermessung-import.ts'
import { silentLog } from '#server/log.ts'
import { C } from '../../db/test/cells/vermessung.ts'
import { EITHER_ENGINE, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { refusingServer } from '../../db/test/refusing-server.ts'
import { roomCalls } from '../../db/test/room-calls.ts'
import { createVermessungRoom } from './routes.ts'

type Place = readonly [x: number, y: number]
interface Row {
  readonly key: number | string
  readonly at: Place | readonly Place[]
}
const isPoint = (at: Row['at']): at is Place => typeof at[0] === 'number'
/** A layer in EPSG:25833 with the key in a column that is called OBJECTID. */
const fileOf = (name: string, rows: readonly Row[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: 'FeatureCollection',
      name,
      crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::25833' } },
      features: rows.map(({ key, at }) => ({
        type: 'Feature',
        properties: { OBJECTID: key, material: 'Beton', farbe: 'rot' },
        geometry: { type: isPoint(at) ? 'Point' : 'LineString', coordinates: at },
      })),
    }),
  )
const FIRST = fileOf('Schächte', [
  { key: 1, at: [380_000, 5_930_000] },
  { key: 2, at: [380_100, 5_930_000] },
  { key: 3, at: [380_200, 5_930_000] },
])

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`objects that an import would move on ${engineName}`, () => {
    let engine: Engine
    let app: FastifyInstance
    let folder: string
    let room: ReturnType<typeof createVermessungRoom>
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'moved-'))
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

    const { ask, upload } = roomCalls(() => app)
    const uploaded = async (bytes: Buffer): Promise<VermessungImport> =>
      (
        await upload(
          'apus_team',
          `/vermessung/${C}`,
          `${bytes.includes('Schächte') ? 'Schächte' : 'Dränagen'}.geojson`,
          bytes,
        )
      ).json().data
    const valuesFor = (file: VermessungImport, more: Partial<ImportValues> = {}): ImportValues => ({
      modus: 'ergaenzen',
      ort_bestaetigt: true,
      ...more,
      schichten: file.schichten.map(({ name, epsg, vorschlag }) => ({
        name,
        tabelle: vorschlag.tabelle!,
        epsg: epsg!,
        felder: { ...vorschlag.felder, schluessel: 'OBJECTID' },
      })),
    })
    const preview = async (file: VermessungImport, values: ImportValues): Promise<Preview> =>
      (await ask('apus_team', 'POST', `/vermessung/import/${file.id}/pruefen`, values)).json().data
    async function run(file: VermessungImport, values: ImportValues): Promise<VermessungImport> {
      await ask('apus_team', 'POST', `/vermessung/import/${file.id}/start`, values)
      for (;;) {
        const now = (await ask('apus_team', 'GET', `/vermessung/import/${file.id}`)).json()
          .data as VermessungImport
        if (now.stand !== 'laeuft') return now
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    const placesOf = async (table: string): Promise<string> =>
      JSON.stringify(
        (
          await engine.owner.query(
            `select schluessel, public.st_astext(geom, 2) as ort from app.${table} where client_id = ${C} order by 1`,
          )
        ).rows,
      )

    test('a number of rows is not proposed as the key, and without one an addition is refused', async () => {
      const file = await uploaded(FIRST)
      expect(file.schichten[0]!.vorschlag).toEqual({ tabelle: 'schacht', felder: { material: 'material' } })
      const values = valuesFor(file)
      const { schluessel: _, ...fields } = values.schichten[0]!.felder
      const { fehler } = await preview(file, {
        ...values,
        schichten: [{ ...values.schichten[0]!, felder: fields }],
      })
      expect(fehler.map(({ nr, art }) => [nr, art])).toEqual([1, 2, 3].map((nr) => [nr, 'schluessel_fehlt']))
    })
    test('a column whose name is no text is named as far as it is, and the import is over', async () => {
      const odd = FIRST.toString().replaceAll('farbe', String.raw`fa\u0000r\ud800be`)
      const file = await uploaded(Buffer.from(odd))
      const values = valuesFor(file, { modus: 'ersetzen', verschiebung_bestaetigt: true })
      expect(await run(file, values)).toMatchObject({
        stand: 'fertig',
        bericht: { hinweise: [{ art: 'spalten', spalten: ['far\uFFFDbe'] }] },
      })
    })
    test.each(['ergaenzen', 'ersetzen'] as const)(
      '%s: another campaign with the same numbers is told of, and moves nothing until somebody confirms it',
      async (mode) => {
        const first = await uploaded(FIRST)
        const start = { modus: mode, ort_bestaetigt: true, verschiebung_bestaetigt: true }
        expect(await run(first, valuesFor(first, start))).toMatchObject({ stand: 'fertig' })
        const before = await placesOf('schacht')
        // 30 m away it is the same manhole, measured better.
        const rows = [
          { key: 1, at: [380_030, 5_930_000] },
          { key: 2, at: [380_100, 5_930_300] },
          { key: 3, at: [380_260, 5_930_080] },
          { key: 4, at: [390_000, 5_930_000] },
        ] as const
        const file = await uploaded(fileOf('Schächte', rows))
        const values = valuesFor(file, { modus: mode })
        const movedObjects = {
          anzahl: 2,
          objekte: [
            { tabelle: 'schacht', schluessel: '2', m: 300 },
            { tabelle: 'schacht', schluessel: '3', m: 100 },
          ],
        }
        expect(await preview(file, values)).toMatchObject({ fehlerzahl: 0, verschoben: movedObjects })
        for (const unconfirmed of [values, { ...values, verschiebung_bestaetigt: 'ja' }])
          expect(await run(file, unconfirmed as ImportValues)).toMatchObject({
            stand: 'fehlgeschlagen',
            bericht: { grund: 'verschiebung', verschoben: movedObjects },
          })
        expect(await placesOf('schacht')).toBe(before)
        const done = await run(file, { ...values, verschiebung_bestaetigt: true })
        expect(done).toMatchObject({
          stand: 'fertig',
          werte: { verschiebung_bestaetigt: true },
          bericht: { hinweise: [{ art: 'spalten', spalten: ['farbe'] }] },
        })
        expect(await placesOf('schacht')).not.toBe(before)
      },
    )
    test('a drain counts by both its ends', async () => {
      const at = (x: number): Place => [x, 5_930_500]
      const drains = (ends: readonly (readonly [number, number])[]): Buffer =>
        fileOf(
          'Dränagen',
          ends.map(([from, to], nr) => ({ key: nr, at: [at(380_000 + from), at(380_000 + to)] })),
        )
      const first = await uploaded(
        drains([
          [0, 100],
          [0, 100],
          [0, 100],
        ]),
      )
      expect(await run(first, valuesFor(first))).toMatchObject({ stand: 'fertig' })
      const file = await uploaded(
        drains([
          [100, 0],
          [0, 140],
          [0, 151],
        ]),
      )
      expect((await preview(file, valuesFor(file))).verschoben).toEqual({
        anzahl: 1,
        objekte: [{ tabelle: 'draenage', schluessel: '2', m: 51 }],
      })
    })
    test('what was stored in the zone before moves by its way on the ground', async () => {
      const first = await uploaded(FIRST)
      const confirmed = { verschiebung_bestaetigt: true }
      expect(await run(first, valuesFor(first, confirmed))).toMatchObject({ stand: 'fertig' })
      const setEpsg = (epsg: number) =>
        engine.owner.script(
          `begin; set local role forst_betrieb; update app.kunde set epsg = ${epsg} where client_id = ${C}; commit`,
        )
      await setEpsg(25832)
      try {
        const again = await uploaded(FIRST)
        expect((await preview(again, valuesFor(again))).verschoben).toBeNull()
        const rows = [
          { key: 1, at: [380_000, 5_930_000] },
          { key: 2, at: [380_100, 5_930_300] },
        ] as const
        const file = await uploaded(fileOf('Schächte', rows))
        const { verschoben } = await preview(file, valuesFor(file))
        expect(verschoben?.objekte.map(({ schluessel }) => schluessel)).toEqual(['2'])
        expect(await run(again, valuesFor(again))).toMatchObject({ stand: 'fertig' })
        const { rows: zones } = await engine.owner.query(
          `select distinct st_srid(geom) as srid from app.schacht where client_id = ${C} and schluessel in ('1', '2')`,
        )
        expect(zones).toEqual([{ srid: 25832 }])
      } finally {
        await setEpsg(25833)
      }
    })
    test('of many, the twenty farthest are named', async () => {
      const manholes = (north: number): Buffer =>
        fileOf(
          'Schächte',
          Array.from({ length: 30 }, (_, nr) => ({ key: `v${nr}`, at: [381_000 + nr, north + nr] as const })),
        )
      const first = await uploaded(manholes(5_931_000))
      await run(first, valuesFor(first))
      const file = await uploaded(
        fileOf(
          'Schächte',
          Array.from({ length: 30 }, (_, nr) => ({
            key: `v${nr}`,
            at: [381_000 + nr, 5_931_100 + 2 * nr] as const,
          })),
        ),
      )
      const { verschoben } = await preview(file, valuesFor(file))
      expect([verschoben?.anzahl, verschoben?.objekte.length]).toEqual([30, 20])
      expect(verschoben?.objekte[0]).toEqual({ tabelle: 'schacht', schluessel: 'v29', m: 129 })
    })
  })
