// Imports while the disk gets full, at every step: a refusal that says so, and nothing half-written, neither files nor
// rows. The same import goes through as soon as there is room.
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cii } from '#domain/eingang/files.fixture.ts'
import { C } from '../../db/test/cells/vermessung.ts'
import { ENGINES, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { CAMT, kunde, survey } from '../../db/test/import-files.ts'
import { ImportServer } from '../../db/test/import-server.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { A1, type IDENTITIES } from '../../db/test/world.ts'
import { createArrivals } from '../files/arrivals.ts'
import { smallDisk } from '../../test/small-disk.ts'
import { SPEC } from '../eingang/hostile-files.fixture.ts'

const MEGABYTES = 4
/** Bytes that stay free: for nothing at all, a part of the file, the file, and its reading ahead in part. */
const STEPS = [0, ...Array.from({ length: 24 }, (_, nr) => Math.round(8_192 * 1.3 ** nr))]

const row = (nr: number, geometry: object, properties: object) => ({
  type: 'Feature',
  geometry,
  properties: { ...properties, Bemerkung: 'Am Weg, dritte Reihe. '.repeat(6) + nr },
})
const listOf = (features: readonly object[]) => JSON.stringify({ type: 'FeatureCollection', features })
const TREES = listOf(
  Array.from({ length: 300 }, (_, nr) =>
    row(
      nr,
      { type: 'Point', coordinates: [12.3 + nr / 10_000, 51.3] },
      { Nummer: `H-${nr}`, Baumart: 'Buche' },
    ),
  ),
)
const square = (x: number) => [
  [
    [x, 51.3],
    [x + 0.001, 51.3],
    [x + 0.001, 51.301],
    [x, 51.3],
  ],
]
const STANDS = listOf(
  Array.from({ length: 300 }, (_, nr) =>
    row(
      nr,
      { type: 'Polygon', coordinates: square(12.3 + nr / 500) },
      { abteilung: String(nr), unterabteilung: 'a', stand: 1, alter: 80 },
    ),
  ),
)

const KINDS: readonly (readonly [path: string, who: keyof typeof IDENTITIES, body: string])[] = [
  [`vermessung?kunde=${C}&modus=ersetzen&epsg=25833&ort=bestaetigt`, 'apus_team', survey(400)],
  [`waldbestand?hq=${A1}&ort=bestaetigt`, 'ogf_admin', STANDS],
  [`habitatbaeume?hq=${A1}&ort=bestaetigt`, 'ogf_admin', TREES],
  ['kunden', 'ogf_admin', JSON.stringify([kunde('Waldgut Platz')])],
  ['kontoauszug?konto=DE02120300000000202051', 'apus_admin', CAMT],
  ['eingangsrechnungen', 'apus_admin', cii({ ...SPEC, number: 'V-1' })],
]

const folder = smallDisk(MEGABYTES)

for (const engineName of ENGINES)
  describe.skipIf(isMissing(engineName) || folder === null)(`imports on a full disk on ${engineName}`, () => {
    let engine: Engine
    let server: ImportServer<object>
    const filler = join(folder ?? '', 'filler')

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await engine.owner.script(
        `begin; set local role forst_betrieb; update app.vermessung_import set stand = 'fertig'; commit`,
      )
      // There was room when the file began to arrive; others have filled the disk since.
      const arrivals = createArrivals({ free: () => Promise.resolve(2 ** 40) })
      server = new ImportServer(engine, {
        firstKey: 60_000,
        arrivals,
        folder: join(folder ?? '', engineName),
      })
      await server.open()
    })
    afterAll(async () => {
      rmSync(filler, { force: true })
      await server?.close()
      await engine?.close()
    })

    /** Leaves as much of the disk. */
    function leave(bytes: number): void {
      rmSync(filler, { force: true })
      try {
        writeFileSync(filler, Buffer.alloc(MEGABYTES * 2 ** 20 - bytes))
      } catch {
        // What little was in use is missing: full is full.
      }
    }
    const filesOf = () =>
      readdirSync(folder!, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== 'filler')
        .map(({ name }) => name)
    const waiting = async () => {
      const { rows } = await engine.owner.query<{ n: number }>(
        `select (select count(*) from app.vermessung_import where stand <> 'fertig')::integer
          + (select count(*) from app.bestand_import where stand <> 'fertig')::integer as n`,
      )
      return rows[0]?.n
    }

    test.each(KINDS)('%s', async (path, who, body) => {
      const key = await server.keyOf(who)
      const before = await waiting()
      const statuses: number[] = []
      for (const bytes of STEPS) {
        leave(bytes)
        const answer = await server.send(key, path, { body })
        statuses.push(answer.status)
        if (answer.status === 200) break
        expect([answer.status, answer.error, answer.message], `${bytes} ${answer.text}`).toEqual([
          507,
          'storage_full',
          expect.stringContaining('kein Speicherplatz'),
        ])
        expect(filesOf(), `${bytes}`).toEqual([])
        expect(await waiting(), `${bytes}`).toBe(before)
      }
      expect(statuses[0]).toBe(507)
      expect(statuses.at(-1)).toBe(200)
      expect(filesOf()).toEqual([])
    })
  })
