// Mosaics and seams over HTTP and through the jobs: from two results in the store to the plan's own, and who gets
// any of it.
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { kartePaths, type KarteFile, type KarteJob } from '#contract/karte-files.ts'
import { type KarteSeam, seamPath } from '#contract/karte-mosaic.ts'
import { drainPlan, drawSheet } from '#domain/georef/drawn-sheet.fixture.ts'
import type { Raster } from '#domain/georef/raster.ts'
import { folderStore, type Store } from '#server/files/store.ts'
import { silentLog } from '#server/log.ts'
import { FREMD, HIDDEN, SHOWN } from '../../db/test/cells/karte.ts'
import { EITHER_ENGINE, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { karteCalls } from '../../db/test/karte-calls.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { refusingServer } from '../../db/test/refusing-server.ts'
import { type IdentityName, ROLE_NAMES } from '../../db/test/world.ts'
import { writeCog } from './cog.ts'
import { fileRoutes } from './file-routes.ts'
import { readGrid } from './grid.ts'
import { planJobs } from './jobs.ts'
import { runWork, type WorkOptions } from './run-work.ts'
import { seamRoute } from './seam-route.ts'

const PREFIX = '/prod-api'
const [EAST, NORTH] = [412_000, 5_987_000]
const GROUND = drainPlan(1100, 600, 4)
const [WIDTH, HEIGHT] = [700, 600]

const STAFF: readonly IdentityName[] = ['apus_team', 'apus_admin', 'admin']

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`mosaics over HTTP on ${engineName}`, () => {
    let engine: Engine
    let folder: string
    let fileStore: Store
    let app: FastifyInstance
    let origin: string
    let lanes: ReturnType<typeof planJobs>
    let measured = 0
    const world = { onStart: undefined as WorkOptions['onStart'], memory: 2 ** 30 }

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      folder = await mkdtemp(join(tmpdir(), 'mosaik-'))
      fileStore = folderStore(folder)
      const grid = await readGrid(undefined)
      app = refusingServer(1000)
      await app.register(fileRoutes({ database: engine.api, fileStore, grid, log: silentLog }), {
        prefix: PREFIX,
      })
      await app.register(
        seamRoute({
          database: engine.api,
          fileStore,
          runWork: (task, options) => {
            measured++
            return runWork(task, options)
          },
          memoryBytes: 2 ** 30,
          gridFolder: undefined,
        }),
        { prefix: PREFIX },
      )
      await app.listen({ port: 0, host: '127.0.0.1' })
      origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
      await putResult(SHOWN, 0, [0, 0])
      await putResult(HIDDEN, 400, [4, -3])
      lanes = planJobs({
        database: engine.api,
        fileStore,
        runWork: (task, options) => runWork(task, { ...options, memoryBytes: world.memory }),
        log: silentLog,
        memoryBytes: 2 ** 30,
        gdal: null,
        gridFolder: undefined,
        converter: grid.converter,
        everyMs: 100,
        pulsMs: 150,
        onStart: (child) => world.onStart?.(child),
      }).filter(({ name }) => name.includes('mosaik'))
      for (const lane of lanes) lane.start()
    })
    afterAll(async () => {
      await Promise.all(lanes?.map((lane) => lane.stop()) ?? [])
      await app?.close()
      await engine?.close()
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    })
    afterEach(() => Object.assign(world, { onStart: undefined, memory: 2 ** 30 }))

    /** A window of the ground at half a metre per pixel, whose drawing is beside its place. */
    async function putResult(plan: number, left: number, shift: readonly [number, number]): Promise<void> {
      const lines = GROUND.map(([a, b, c, d]) => [a - left, b, c - left, d] as const)
      const { grey, mask } = drawSheet({ width: WIDTH, height: HEIGHT, lines, shift, grain: 4, seed: plan })
      const raster: Raster = {
        west: EAST + left / 2,
        nord: NORTH,
        aufloesung: 0.5,
        breite: WIDTH,
        hoehe: HEIGHT,
      }
      const path = join(folder, `blatt${plan}.tif`)
      await writeCog(
        (top, rows) => ({
          data: grey.subarray(top * WIDTH, (top + rows) * WIDTH),
          mask: mask.subarray(top * WIDTH, (top + rows) * WIDTH),
          empty: false,
        }),
        { raster, epsg: 25833, channels: 1, kompression: 'DEFLATE', path },
      )
      const { sha256, groesse } = await fileStore.putFile(path)
      const [e, s] = [raster.west + WIDTH / 2, NORTH - HEIGHT / 2]
      const ring = [
        [raster.west, s],
        [e, s],
        [e, NORTH],
        [raster.west, NORTH],
        [raster.west, s],
      ]
      await engine.owner.script(
        `begin; set local role forst_betrieb;
          update app.karte_datei set sha256 = '${sha256}', kacheln_sha256 = '${sha256}', groesse = ${groesse},
            breite = ${WIDTH}, hoehe = ${HEIGHT}, umriss = '${JSON.stringify(ring)}' where id = ${plan + 10};
          commit`,
      )
    }

    const { asked, rowsOf } = karteCalls(() => engine)
    const order = (more = '') =>
      asked<number>(
        'apus_team',
        `app.a_add_karte_mosaik($1::bigint[], map_name => 'Mosaik', epsg => 25833${more})`,
        `{${SHOWN},${HIDDEN}}`,
      )
    const jobOf = async (plan: number) =>
      (await rowsOf<KarteJob>('apus_team', 'app.a_get_karte_auftraege($1)', plan))[0]!
    async function ended(plan: number): Promise<KarteJob> {
      for (lanes.forEach((lane) => lane.wake()); ; await sleep(50)) {
        const job = await jobOf(plan)
        if (job.stand !== 'wartet' && job.stand !== 'laeuft') return job
      }
    }
    const get = (path: string, who: IdentityName) =>
      fetch(`${origin}${PREFIX}${path}`, { headers: { authorization: `Bearer token-${who}` } })

    test('two results become one file of a plan of its own, with tiles; released, the customer has it', async () => {
      const plan = await order()
      const job = await ended(plan)
      expect(job).toMatchObject({ stand: 'fertig', fortschritt: 100, fehler: null })
      const [file] = await rowsOf<KarteFile>('apus_team', 'app.a_get_karte_dateien($1)', plan)
      expect(file).toMatchObject({
        art: 'ergebnis',
        name: 'Mosaik.tif',
        breite: 1100,
        hoehe: 600,
        epsg: 25833,
      })
      expect(file!.umriss).toHaveLength(5)
      const whole = kartePaths.datei(plan, file!.id)
      const answer = await get(whole, 'apus_team')
      expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, file!.groesse])
      expect((await get(kartePaths.vorschau(plan, file!.id), 'apus_team')).status).toBe(200)
      // Zoom 15 around the corner of the sheets.
      const { conversion } = (await readGrid(undefined)).converter
      const [x, y] = conversion(25833, 3857)([EAST + 200, NORTH - 100])
      const tile = (value: number): number =>
        Math.floor(((value + 20_037_508.342789244) / 40_075_016.68557849) * 2 ** 15)
      const overlay = kartePaths.overlay(plan, file!.id, 15, tile(x), 2 ** 15 - 1 - tile(y))
      expect((await get(overlay, 'apus_team')).status).toBe(200)
      expect((await get(whole, 'appuser')).status).toBe(404)
      await engine.owner.script(
        `begin; set local role forst_betrieb; update app.kartenblatt set show_client = true where id = ${plan}; commit`,
      )
      expect((await get(whole, 'appuser')).status).toBe(200)
      expect(await rowsOf('appuser', 'app.a_get_karte_auftraege($1)', plan)).toEqual([])
    })
    test('a cancelled one ends its process and leaves nothing; made again it is finished', async () => {
      let code: unknown
      const gone = new Promise<void>((resolve) => {
        world.onStart = (child) => {
          child.once('exit', (_code, signal) => {
            code = signal
            resolve()
          })
          void jobOf(plan).then(({ id }) => asked('apus_team', 'app.a_cancel_karte_auftrag($1)', id))
        }
      })
      const plan = await order(', res => 0.02')
      expect(await ended(plan)).toMatchObject({ stand: 'abgebrochen' })
      await gone
      expect(code).toBe('SIGKILL')
      expect(await rowsOf('apus_team', 'app.a_get_karte_dateien($1)', plan)).toEqual([])
      world.onStart = undefined
      await engine.owner.script(
        `begin; set local role forst_betrieb;
          update app.karte_auftrag set werte = werte || '{"res": 1}' where karte_id = ${plan}; commit`,
      )
      await asked('apus_team', 'app.a_repeat_karte_mosaik($1)', plan)
      expect(await ended(plan)).toMatchObject({ stand: 'fertig' })
    })
    test('one that takes more memory than a job may, or is too large, fails with its reason', async () => {
      world.memory = 20 * 2 ** 20
      expect(await ended(await order())).toMatchObject({ stand: 'fehlgeschlagen', fehler: 'karte_speicher' })
      world.memory = 2 ** 30
      expect(await ended(await order(', res => 0.005'))).toMatchObject({
        stand: 'fehlgeschlagen',
        fehler: 'karte_mosaik_gross',
      })
    })
    test('one whose sheet has lost its bytes fails and names the sheet', async () => {
      const { rows } = await engine.owner.query<{ sha256: string }>(
        `select sha256 from app.karte_datei where id = ${HIDDEN + 10}`,
      )
      await fileStore.remove(rows[0]!.sha256)
      expect(await ended(await order())).toMatchObject({
        stand: 'fehlgeschlagen',
        fehler: 'karte_blatt_fehlt',
        einzelheit: 'Plan 2',
      })
      await putResult(HIDDEN, 400, [4, -3])
    })

    describe('the seam', () => {
      const seam = (who: IdentityName, one: number | string, other: number | string) =>
        get(seamPath(one, other), who)
      test('is measured once for two results, and then known', async () => {
        const before = measured
        const answer = await seam('apus_team', SHOWN, HIDDEN)
        const { data } = (await answer.json()) as { data: KarteSeam }
        if (data.art !== 'gemessen') throw new Error(data.grund)
        expect(Math.hypot(data.ost - 2, data.nord - 1.5)).toBeLessThan(0.15)
        expect(data.bild).toMatch(/^iVBOR/)
        expect(await (await seam('apus_admin', SHOWN, HIDDEN)).json()).toMatchObject({ data })
        expect(measured - before).toBe(1)
      })
      test.each<[IdentityName, number]>([
        ...ROLE_NAMES.filter((name) => !STAFF.includes(name)).map((name): [IdentityName, number] => [
          name,
          403,
        ]),
        ['nobody', 401],
      ])('%s does not learn it (%i)', async (who, status) => {
        expect((await seam(who, SHOWN, SHOWN + 1)).status).toBe(status)
      })
      test('of a plan with itself, without a result, or that is none is not found', async () => {
        for (const [one, other] of [
          [SHOWN, SHOWN],
          [SHOWN, 999],
          [41, SHOWN],
          ['x', SHOWN],
          [`${SHOWN}'`, FREMD],
        ] as const)
          expect((await seam('apus_team', one, other)).status).toBe(404)
      })
    })
  })
