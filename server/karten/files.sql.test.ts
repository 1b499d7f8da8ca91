// Files of plans over HTTP, on both engines: uploads that break off, files that are not what they claim,
// tiles, ranges, jobs whose process is killed, and who gets any of those bytes.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { levelsOf, TILE_SIZE, type KarteJob, type KarteFile, kartePaths } from '#contract/karte-files.ts'
import type { AsOwner } from '#server/as-betrieb.ts'
import { withDatabase } from '#server/database/address.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { silentLog } from '#server/log.ts'
import { addObserver } from '#server/observe.ts'
import { aloneAmongServers } from '#server/operations/as-owner.ts'
import { guardRoutes } from '#server/route-caller.ts'
import { RESULT_SHOWN } from '../../db/test/cells/karte-file.ts'
import { FREMD, SHOWN, HIDDEN } from '../../db/test/cells/karte.ts'
import { asCaller, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { claimsOf, type IdentityName, ROLE_NAMES } from '../../db/test/world.ts'
import * as w from '../../db/test/world.ts'
import { type Store, folderStore } from '#server/files/store.ts'
import { authenticateByName, refusingServer } from '../../db/test/refusing-server.ts'
import { postgresUrl } from '../../test/postgres.ts'
import { beginning, encoded, piece, sha, TUS } from '../../test/tus.ts'
import type { WorkOptions } from './run-work.ts'
import { runWork } from './run-work.ts'
import { cleanerJob, cleanUpFiles, LOCK } from './cleaner.ts'
import { esriWkt } from '../geodata/esri-wkt.ts'
import { planJobs } from './jobs.ts'
import { fileRoutes } from './file-routes.ts'
import { type Grid, readGrid } from './grid.ts'
import { pageRoute } from './page-route.ts'
import { greySheet, tiffOf } from './several-sheets.fixture.ts'
import { DRAWING_LIMITS, type ScanUpload, scanUpload } from './scan-upload.ts'
import { READER_LIMITS } from '#server/reader/confined.ts'
import { findTools } from './tools.ts'

const PREFIX = '/prod-api'
const MAX_BYTES = 2_000_000
const MEMORY = 2 ** 30
const STAFF: readonly IdentityName[] = ['apus_team', 'apus_admin', 'admin']
const OWNERS: readonly IdentityName[] = ['appuser', 'appuser_admin']
const WHO: readonly IdentityName[] = [...ROLE_NAMES, 'unknown', 'nobody', 'disabled', 'session_ended']
const GDALINFO = '/usr/bin/gdalinfo'
const GDAL_TRANSLATE = '/usr/bin/gdal_translate'

/** Red in the upper left quarter, white elsewhere, with a black frame. */
async function scan(
  width = 1300,
  height = 900,
  format: 'jpeg' | 'png' | 'tiff' | 'webp' = 'jpeg',
): Promise<Buffer> {
  const red = await sharp({
    create: { width: width / 2, height: height / 2, channels: 3, background: '#d02020' },
  })
    .png()
    .toBuffer()
  return sharp({ create: { width, height, channels: 3, background: '#ffffff' } })
    .composite([{ input: red, left: 0, top: 0 }])
    .withMetadata({ density: 300 })
    .toFormat(format)
    .toBuffer()
}

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`files of plans over HTTP on ${engineName}`, () => {
    let engine: Engine
    let folder: string
    let fileStore: Store
    let app: FastifyInstance
    let grid: Grid
    let origin: string
    let jobs: ReturnType<typeof startWorking>
    let uploads: ScanUpload
    let next = 100
    /** Tests that do not depend on the engine run once. */
    const once = engineName === (isMissing('postgres') ? 'embedded' : 'postgres')
    const world = {
      full: false,
      memory: MEMORY,
      limits: READER_LIMITS,
      drawing: DRAWING_LIMITS,
      onStart: undefined as WorkOptions['onStart'],
    }

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await engine.owner.script(
        `begin; set local role forst_betrieb;
          update app.karte_auftrag set stand = 'abgebrochen', beendet_am = now() where stand = 'wartet';
          commit`,
      )
      folder = await mkdtemp(join(tmpdir(), 'karten-'))
      fileStore = folderStore(folder)
      const tools = await findTools(['/usr/bin'])
      app = refusingServer(1000)
      grid = await readGrid(undefined)
      jobs = startWorking()
      const scans = {
        database: engine.api,
        fileStore: { ...fileStore, frei: () => (world.full ? Promise.resolve(1000) : fileStore.frei()) },
        runWork,
        folder: join(folder, 'uploads'),
        prefix: PREFIX,
        maxBytes: MAX_BYTES,
        get limits() {
          return world.limits
        },
        get drawing() {
          return world.drawing
        },
        pdftoppm: tools.pdftoppm,
        log: silentLog,
        now: () => new Date(),
        wake: () => jobs.wake(),
      }
      uploads = scanUpload(scans)
      await app.register(
        fileRoutes({
          database: engine.api,
          fileStore,
          grid,
          log: silentLog,
        }),
        {
          prefix: PREFIX,
        },
      )
      await app.register(uploads.install, { prefix: PREFIX })
      await app.register(pageRoute(scans), { prefix: PREFIX })
      await app.listen({ port: 0, host: '127.0.0.1' })
      origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    })
    afterAll(async () => {
      await jobs?.stop()
      await app?.close()
      await engine?.close()
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    })
    afterEach(() =>
      Object.assign(world, {
        full: false,
        memory: MEMORY,
        limits: READER_LIMITS,
        drawing: DRAWING_LIMITS,
        onStart: undefined,
      }),
    )

    const startWorking = (more: Partial<Parameters<typeof planJobs>[0]> = {}) => {
      const lanes = planJobs({
        database: engine.api,
        fileStore,
        runWork: (task, options) => runWork(task, { ...options, memoryBytes: world.memory }),
        log: silentLog,
        memoryBytes: MEMORY,
        gdal: null,
        gridFolder: undefined,
        converter: grid.converter,
        everyMs: 100,
        pulsMs: 150,
        onStart: (child) => world.onStart?.(child),
        ...more,
      })
      for (const lane of lanes) lane.start()
      return {
        wake: () => lanes.forEach((lane) => lane.wake()),
        stop: async () => void (await Promise.all(lanes.map((lane) => lane.stop()))),
      }
    }

    async function newPlan(more: { client?: number; shown?: boolean } = {}): Promise<number> {
      const id = ++next
      await engine.owner.script(
        `begin; set local role forst_betrieb;
          insert into app.kartenblatt (id, client_id, map_name, epsg, show_client)
            values (${id}, ${more.client ?? w.A}, 'Plan ${id}', 25833, ${more.shown ?? true});
          commit`,
      )
      return id
    }
    const ask = (who: IdentityName, path: string, init: RequestInit = {}) =>
      fetch(path.startsWith('http') ? path : `${origin}${path.startsWith(PREFIX) ? '' : PREFIX}${path}`, {
        ...init,
        headers: { authorization: `Bearer token-${who}`, ...init.headers },
      })
    const begin = (
      who: IdentityName,
      karte: number,
      bytes: Uint8Array,
      metadata: Readonly<Record<string, string>> = {},
    ) => ask(who, kartePaths.upload(karte), beginning(bytes, 'Blatt 7.jpg', metadata))
    const send = (who: IdentityName, address: string, bytes: Uint8Array, offset = 0) =>
      ask(who, address, piece(bytes, offset))
    const offsetOf = async (who: IdentityName, address: string) => {
      const answer = await ask(who, address, { method: 'HEAD', headers: TUS })
      return { status: answer.status, offset: Number(answer.headers.get('upload-offset')) }
    }
    async function upload(karte: number, bytes: Uint8Array, metadata: Readonly<Record<string, string>> = {}) {
      const begun = await begin('apus_team', karte, bytes, metadata)
      expect(begun.status, await begun.clone().text()).toBe(201)
      const address = begun.headers.get('location')!
      return { address, answer: await send('apus_team', address, bytes) }
    }
    async function rowsOf<T>(who: IdentityName, procedure: string, karte: number): Promise<T[]> {
      const { rows } = await engine.api.once<{ answer: string }>(
        asCaller(claimsOf(who)),
        sql(`select coalesce(json_agg(t), '[]')::text as answer from app.${procedure}($1) t`, karte),
      )
      return JSON.parse(rows[0]!.answer) as T[]
    }
    const filesOf = (karte: number, who: IdentityName = 'apus_team') =>
      rowsOf<KarteFile>(who, 'a_get_karte_dateien', karte)
    const ordersOf = (karte: number) => rowsOf<KarteJob>('apus_team', 'a_get_karte_auftraege', karte)
    async function settled(karte: number, art: KarteJob['art']): Promise<KarteJob> {
      for (let tries = 0; tries < 300; tries++) {
        const order = (await ordersOf(karte)).find((one) => one.art === art)
        if (order !== undefined && order.stand !== 'wartet' && order.stand !== 'laeuft') return order
        await sleep(50)
      }
      throw new Error(`no end of ${art}`)
    }
    async function scanned(karte: number, bytes?: Uint8Array): Promise<KarteFile> {
      await upload(karte, bytes ?? (await scan()))
      expect(await settled(karte, 'kacheln')).toMatchObject({ stand: 'fertig' })
      return (await filesOf(karte))[0]!
    }
    /** A pixel is half a metre, north is up, the corner is at 400000, 5900000. */
    async function order(
      karte: number,
      points = '[[0,0],[1300,0],[1300,900],[0,900]]',
      kind = 'helmert',
      res = 0.5,
      east = 400_000,
    ): Promise<number> {
      await engine.owner.script(`begin;
        set local role forst_betrieb;
        delete from app.mappoint where karte_id = ${karte};
        update app.kartenblatt set georef_typ = '${kind}', res = ${res} where id = ${karte};
        insert into app.mappoint (karte_id, client_id, nr, mapx, mapy, pixelx, pixely)
          select ${karte}, (select client_id from app.kartenblatt where id = ${karte}), nr,
          ${east} + (p ->> 0)::double precision / 2, 5900000 - (p ->> 1)::double precision / 2,
          (p ->> 0)::double precision, -(p ->> 1)::double precision
          from jsonb_array_elements('${points}') with ordinality as t(p, nr); commit`)
      const { rows } = await engine.api.once<{ id: number }>(
        asCaller(claimsOf('apus_team')),
        sql('select app.a_add_karte_auftrag($1) as id', karte),
      )
      return rows[0]!.id
    }

    describe('a file of several sheets', () => {
      const SHEETS = [3, 5, 7].map((seed) => greySheet(400 + seed, 300, seed))
      const take = async (who: IdentityName, karte: number, fileId: unknown, pageNumber: unknown) => {
        const answer = await ask(who, kartePaths.seite(karte), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ datei: fileId, seite: pageNumber }),
        })
        return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
      }
      test('says how many; each becomes a scan of its own once it is asked for, and only once', async () => {
        const [karte, second, third] = [await newPlan(), await newPlan(), await newPlan()]
        const { answer } = await upload(karte, tiffOf(SHEETS))
        expect(answer.headers.get('karte-seiten')).toBe('3')
        const fileId = Number(answer.headers.get('karte-datei'))
        expect(await filesOf(second)).toEqual([])
        const twice = await Promise.all([1, 2].map(() => take('apus_team', second, fileId, 2)))
        expect(twice.map(({ status }) => status)).toEqual([200, 200])
        expect(twice[0]!.json).toEqual(twice[1]!.json)
        await take('apus_admin', third, fileId, 3)
        for (const [plan, width, page] of [
          [second, 405, 2],
          [third, 407, 3],
        ] as const) {
          expect(await settled(plan, 'kacheln')).toMatchObject({ stand: 'fertig' })
          expect(await filesOf(plan)).toMatchObject([
            { breite: width, hoehe: 300, dpi: 300, mime: 'image/tiff', name: `Blatt 7 Seite ${page}.tif` },
          ])
        }
      })
      test('is given to nobody else, and to no plan of another customer', async () => {
        const [karte, other, foreign] = [await newPlan(), await newPlan(), await newPlan({ client: w.B })]
        const { answer } = await upload(karte, tiffOf(SHEETS))
        const fileId = Number(answer.headers.get('karte-datei'))
        for (const who of WHO.filter((name) => !STAFF.includes(name)))
          expect([401, 403, 404], who).toContain((await take(who, other, fileId, 2)).status)
        expect((await take('apus_team', foreign, fileId, 2)).status).toBe(404)
        expect((await take('apus_team', 999_999, fileId, 2)).status).toBe(404)
        for (const [file, page] of [
          [fileId, 0],
          [fileId, 65],
          [fileId, '2'],
          [null, 2],
          [1.5, 2],
        ])
          expect((await take('apus_team', other, file, page)).status, `${file} ${page}`).toBe(400)
        expect((await take('apus_team', other, fileId, 4)).json).toMatchObject({ hint: 'karte_seite' })
        const jpeg = await scanned(await newPlan())
        expect((await take('apus_team', other, jpeg.id, 1)).json).toMatchObject({ hint: 'karte_seite' })
        expect([await filesOf(other), await filesOf(foreign)]).toEqual([[], []])
      })
      test.skipIf(!existsSync('/usr/bin/pdftoppm'))('may be a PDF', async () => {
        const [karte, other] = [await newPlan(), await newPlan()]
        const { answer } = await upload(karte, twoPages())
        expect(answer.headers.get('karte-seiten')).toBe('2')
        const fileId = Number(answer.headers.get('karte-datei'))
        expect((await take('apus_team', other, fileId, 2)).status).toBe(200)
        expect(await filesOf(other)).toMatchObject([{ breite: 834, hoehe: 417, mime: 'image/png' }])
        expect((await take('apus_team', other, fileId, 3)).json).toMatchObject({ hint: 'karte_pdf' })
      })
      const TIGHT = { memoryBytes: 1000, cpuMs: 60_000, wallMs: 60_000 }
      test('is looked at within the limits of every reader', async () => {
        world.limits = TIGHT
        const { answer } = await upload(await newPlan(), await scan())
        expect([answer.status, ((await answer.json()) as { hint?: string }).hint]).toEqual([
          400,
          'datei_aufwand',
        ])
      })
      test.skipIf(!existsSync('/usr/bin/pdftoppm'))('is drawn within those of drawing', async () => {
        world.drawing = TIGHT
        const { answer } = await upload(await newPlan(), twoPages())
        expect([answer.status, ((await answer.json()) as { hint?: string }).hint]).toEqual([
          400,
          'datei_aufwand',
        ])
      })
    })

    describe('an upload', () => {
      test('that is cut off twice goes on where it was, and every byte is what was sent', async () => {
        const karte = await newPlan()
        const bytes = Buffer.concat([await scan(), randomBytes(600_000)])
        const begun = await begin('apus_team', karte, bytes)
        const address = begun.headers.get('location')!
        for (let cut = 0; cut < 2; cut++) {
          const { offset } = await offsetOf('apus_team', address)
          await cutOff(address, bytes.subarray(offset), offset, 150_000)
        }
        const { offset } = await offsetOf('apus_team', address)
        expect(offset).toBeGreaterThan(0)
        expect(offset).toBeLessThan(bytes.length)
        const done = await send('apus_team', address, bytes.subarray(offset), offset)
        expect(done.status).toBe(204)
        const [file] = await filesOf(karte)
        expect(file).toMatchObject({
          id: Number(done.headers.get('karte-datei')),
          sha256: sha(bytes),
          groesse: bytes.length,
          dpi: 300,
        })
        const back = Buffer.from(
          await (await ask('apus_team', kartePaths.datei(karte, file!.id))).arrayBuffer(),
        )
        expect(back.equals(bytes)).toBe(true)
      })
      /** Sends some bytes, then drops the connection. */
      const cutOff = (address: string, bytes: Uint8Array, offset: number, after: number): Promise<void> =>
        new Promise((resolve) => {
          const request = httpRequest(`${origin}${address}`, {
            method: 'PATCH',
            headers: {
              ...TUS,
              authorization: 'Bearer token-apus_team',
              'content-type': 'application/offset+octet-stream',
              'content-length': bytes.length,
              'upload-offset': offset,
            },
          })
          request.on('error', () => undefined)
          request.write(bytes.subarray(0, after), () =>
            setTimeout(() => {
              request.destroy()
              setTimeout(resolve, 100)
            }, 100),
          )
        })

      test('whose last answer was lost says that it is whole, and is one file', async () => {
        const karte = await newPlan()
        const bytes = await scan()
        const { address } = await upload(karte, bytes)
        expect(await offsetOf('apus_team', address)).toEqual({ status: 200, offset: bytes.length })
        expect(await filesOf(karte)).toHaveLength(1)
      })
      test('that was never taken up although its last byte is there is taken up when it is asked for', async () => {
        const karte = await newPlan()
        const bytes = await scan()
        const address = (await begin('apus_team', karte, bytes)).headers.get('location')!
        await writeFile(join(folder, 'uploads', address.split('/').at(-1)!), bytes)
        const [one, other] = await Promise.all([
          offsetOf('apus_team', address),
          offsetOf('apus_team', address),
        ])
        expect([one, other]).toEqual(Array(2).fill({ status: 200, offset: bytes.length }))
        expect(await filesOf(karte)).toHaveLength(1)
      })
      test('of other bytes than the sender meant is refused, and nothing of it stays', async () => {
        const karte = await newPlan()
        const { address, answer } = await upload(karte, await scan(), { sha256: 'f'.repeat(64) })
        expect(answer.status).toBe(400)
        expect(await answer.json()).toMatchObject({
          error: 'bad_value',
          hint: 'upload_hash',
          message: expect.stringContaining('noch einmal') as string,
        })
        expect(await filesOf(karte)).toEqual([])
        expect((await offsetOf('apus_team', address)).status).toBe(404)
        expect(
          (await readdir(join(folder, 'uploads'))).filter((name) => name.startsWith(`${karte}-`)),
        ).toEqual([])
      })
      test('belongs to its plan and to whoever began it', async () => {
        const [karte, other] = [await newPlan(), await newPlan()]
        const bytes = await scan()
        const address = (await begin('apus_team', karte, bytes)).headers.get('location')!
        const elsewhere = address.replace(`/karte/${karte}/`, `/karte/${other}/`)
        for (const [who, where] of [
          ['apus_admin', address],
          ['appuser_admin', address],
          ['apus_team', elsewhere],
          ['apus_team', `${address.slice(0, -1)}${address.endsWith('0') ? '1' : '0'}`],
        ] as const) {
          expect((await offsetOf(who, where)).status, `${who} HEAD`).toBe(404)
          expect((await send(who, where, bytes)).status, `${who} PATCH`).toBe(404)
          expect((await ask(who, where, { method: 'DELETE', headers: TUS })).status, `${who} DELETE`).toBe(
            404,
          )
        }
        expect(await offsetOf('apus_team', address)).toEqual({ status: 200, offset: 0 })
        expect((await ask('apus_team', address, { method: 'DELETE', headers: TUS })).status).toBe(204)
      })
      test('too large, empty, or without a name is refused before a byte is sent', async () => {
        const karte = await newPlan()
        const answers = [
          await begin('apus_team', karte, new Uint8Array(MAX_BYTES + 1)),
          await begin('apus_team', karte, new Uint8Array(0)),
          await begin('apus_team', karte, new Uint8Array(5), { filename: ' / ' }),
        ]
        expect(
          await Promise.all(
            answers.map(async (answer) => [answer.status, ((await answer.json()) as { hint: string }).hint]),
          ),
        ).toEqual([
          [413, 'upload_gross'],
          [400, 'upload_leer'],
          [400, 'upload_name'],
        ])
      })
      test('finds no room on a full disk, and says so', async () => {
        world.full = true
        const answer = await begin('apus_team', await newPlan(), await scan())
        expect([answer.status, await answer.json()]).toMatchObject([
          507,
          { error: 'storage_full', message: expect.stringContaining('Speicherplatz') as string },
        ])
      })
      test('gives answers that pages of other origins cannot read', async () => {
        const answer = await ask('apus_team', kartePaths.upload(await newPlan()), {
          method: 'POST',
          headers: {
            ...TUS,
            origin: 'https://evil.example',
            'upload-length': '5',
            'upload-metadata': encoded({ filename: 'x.jpg' }),
          },
        })
        expect(answer.status).toBe(201)
        expect(answer.headers.get('access-control-allow-origin')).toBeNull()
      })
      test.skipIf(!once).each(['jpeg', 'png', 'tiff', 'webp'] as const)(
        'of a %s is known by its content, whatever its name says',
        async (format) => {
          const karte = await newPlan()
          const { answer } = await upload(karte, await scan(400, 300, format), {
            filename: 'C:\\Scans\\plan.exe',
          })
          expect(answer.status).toBe(204)
          expect(await filesOf(karte)).toMatchObject([
            { mime: `image/${format}`, name: 'plan.exe', breite: 400, hoehe: 300 },
          ])
        },
      )
    })

    describe.skipIf(!once)('a file that is no scan', () => {
      const text = (body: string) => Buffer.from(body)
      const bomb = () => {
        // A PNG that claims 900 million pixels.
        const head = Buffer.alloc(13)
        head.writeUInt32BE(30_000, 0)
        head.writeUInt32BE(30_000, 4)
        head.set([8, 2, 0, 0, 0], 8)
        return Buffer.concat([
          Buffer.from('89504e470d0a1a0a', 'hex'),
          pngPart('IHDR', head),
          pngPart('IDAT', Buffer.from('789c030000000001', 'hex')),
          pngPart('IEND', Buffer.alloc(0)),
        ])
      }
      test.each<[string, () => Buffer | Promise<Buffer>, string]>([
        [
          'a drawing with script',
          () => text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
          'upload_typ',
        ],
        ['a page', () => text('<!doctype html><p>x'), 'upload_typ'],
        [
          'a virtual raster that points at a file of the server',
          () =>
            text(
              '<VRTDataset rasterXSize="9" rasterYSize="9"><SourceFilename>/etc/passwd</SourceFilename></VRTDataset>',
            ),
          'upload_typ',
        ],
        [
          'an MRF',
          () => text('<MRF_META><Raster><DataFile>/etc/passwd</DataFile></Raster></MRF_META>'),
          'upload_typ',
        ],
        ['text', () => text('id;name\n1;x\n'), 'upload_typ'],
        ['a program', () => Buffer.concat([text('\x7fELF'), randomBytes(200)]), 'upload_typ'],
        ['a GIF', () => text('GIF89a\x01\x00\x01\x00\x00\x00\x00;'), 'upload_typ'],
        [
          'an archive behind a picture',
          async () =>
            Buffer.concat([
              await scan(40, 30),
              Buffer.from('504b0506000000000000000000000000000000000000', 'hex'),
            ]),
          'upload_typ',
        ],
        [
          'a PDF within a picture',
          async () => withComment(await scan(40, 30), '%PDF-1.7 1 0 obj'),
          'upload_typ',
        ],
        [
          'a page within a picture',
          async () => withComment(await scan(40, 30), '<html><script>alert(1)</script>'),
          'upload_typ',
        ],
        ['a picture of 900 million pixels', bomb, 'karte_pixel'],
        [
          'the beginning of a TIFF and nothing else',
          () => Buffer.concat([text('II*\0\x08\0\0\0'), randomBytes(40)]),
          'karte_bild',
        ],
        [
          'the beginning of a PDF and nothing else',
          () => text('%PDF-1.7\nnothing else'),
          'karte_abgeschnitten',
        ],
        ['a PDF that is cut off', () => twoPages().subarray(0, -60), 'karte_abgeschnitten'],
        ['a PDF that is none', () => text('%PDF-1.7\nnothing else\n%%EOF\n'), 'karte_bild'],
        ['a PDF with a password', lockedPdf, 'karte_pdf_kennwort'],
      ])('%s is refused, and nothing of it stays', async (_what, make, hint) => {
        const karte = await newPlan()
        const { answer } = await upload(karte, await make())
        expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'bad_value', hint }])
        expect(await filesOf(karte)).toEqual([])
        expect(
          (await readdir(join(folder, 'uploads'))).filter((name) => name.startsWith(`${karte}-`)),
        ).toEqual([])
      })
      const noise = () => sharp(randomBytes(500 * 400 * 3), { raw: { width: 500, height: 400, channels: 3 } })
      test.each([
        ['jpeg', 'karte_abgeschnitten'],
        ['png', 'karte_abgeschnitten'],
        ['webp', 'karte_abgeschnitten'],
        ['tiff', 'karte_bild'],
      ] as const)('a %s that is cut off in the middle is refused, with what to do', async (format, hint) => {
        const bytes = await noise().toFormat(format).toBuffer()
        const karte = await newPlan()
        const { answer } = await upload(karte, bytes.subarray(0, bytes.length / 2))
        expect([answer.status, await answer.json()]).toMatchObject([
          400,
          { hint, message: expect.stringContaining('Bitte') as string },
        ])
        expect(await filesOf(karte)).toEqual([])
      })
      test('whose pixels cannot be decoded is told by its order', async () => {
        // Whole by its structure, with checksums that hold, and no picture in it.
        const png = Buffer.concat([
          (await noise().png().toBuffer()).subarray(0, 33),
          pngPart('IDAT', randomBytes(900)),
          pngPart('IEND', Buffer.alloc(0)),
        ])
        const karte = await newPlan()
        expect((await upload(karte, png)).answer.status).toBe(204)
        expect(await settled(karte, 'kacheln')).toMatchObject({
          stand: 'fehlgeschlagen',
          fehler: 'karte_bild',
        })
        expect((await filesOf(karte))[0]).toMatchObject({ kacheln: false })
      })
      test('a JPEG that lost blocks is shown, and its file says that it is damaged', async () => {
        const jpeg = await noise().jpeg().toBuffer()
        const sound = await scanned(await newPlan(), jpeg)
        expect(sound).toMatchObject({ beschaedigt: false, grau_von: null, grau_bis: null })
        jpeg.fill(0, 20 * 512, 24 * 512)
        expect(await scanned(await newPlan(), jpeg)).toMatchObject({ kacheln: true, beschaedigt: true })
      })
      test('grey of sixteen bits says which values are shown', async () => {
        const grey = Uint16Array.from({ length: 60 * 40 }, (_, i) => 800 + i)
        const png = await sharp(grey, { raw: { width: 60, height: 40, channels: 1 } })
          .toColourspace('grey16')
          .png()
          .toBuffer()
        expect(await scanned(await newPlan(), png)).toMatchObject({ grau_von: 800, grau_bis: 3199 })
      })
    })
    describe.skipIf(!existsSync(GDAL_TRANSLATE))('a GeoTIFF', () => {
      async function geoTiff(...options: string[]): Promise<Buffer> {
        const [from, to] = [join(folder, `plain-${next}.tif`), join(folder, `placed-${next}.tif`)]
        await writeFile(from, await scan(800, 600, 'tiff'))
        execFileSync(GDAL_TRANSLATE, ['-q', ...options, from, to])
        return readFile(to)
      }
      const CORNERS = ['-a_ullr', '412000', '5987000', '412400', '5986700']
      interface Point {
        readonly mapx: number
        readonly mapy: number
        readonly pixelx: number
        readonly pixely: number
      }
      const planOf = async (karte: number) => {
        const { rows } = await engine.api.once<{ plan: string }>(
          asCaller(claimsOf('apus_team')),
          sql(
            `select json_build_object('epsg', k.epsg, 'georef_typ', k.georef_typ, 'res', k.res,
                'label', k.georef_label, 'status', k.status,
                'punkte', (select json_agg(p order by p.nr) from app.mappoint p where p.karte_id = k.id)
              )::text as plan
              from app.kartenblatt k where k.id = $1`,
            karte,
          ),
        )
        return JSON.parse(rows[0]!.plan) as Record<string, unknown> & { punkte: Point[] | null }
      }

      test.each([
        ['EPSG:25833', 25833],
        ['EPSG:32632', 25832],
        ['EPSG:5556', 25833],
        ['EPSG:31468', 31468],
      ])('with a place of its own in %s is a georeferenced plan at once', async (system, epsg) => {
        // The same numbers in another system are another place: of a customer of whom no place is known.
        const client = 9_900 + epsg
        await engine.owner.script(
          `begin; set local role forst_betrieb;
            insert into app.kunde (client_id, name, strasse, plz, ort, land, epsg)
              values (${client}, 'Wien', 'Weg 1', '1010', 'Wien', 'AT', 25833) on conflict do nothing; commit`,
        )
        const karte = await newPlan({ client })
        const { answer } = await upload(karte, await geoTiff('-a_srs', system, ...CORNERS))
        expect([answer.status, answer.headers.get('karte-lage')]).toEqual([204, 'uebernommen'])
        expect(await settled(karte, 'entzerren')).toMatchObject({ stand: 'fertig' })
        const plan = await planOf(karte)
        expect(plan).toMatchObject({ epsg, georef_typ: 'linear', res: 0.5, status: 'georeferenziert' })
        expect(plan.punkte!.map(({ mapx, mapy, pixelx, pixely }) => [mapx, mapy, pixelx, pixely])).toEqual(
          [
            [412_000, 5_987_000, 0, 0],
            [412_400, 5_987_000, 800, -0],
            [412_400, 5_986_700, 800, -600],
            [412_000, 5_986_700, 0, -600],
          ].map((one) => one.map((value) => expect.closeTo(value, 6) as number)),
        )
        const result = (await filesOf(karte)).find(({ art }) => art === 'ergebnis')!
        expect(result).toMatchObject({ epsg, breite: 800, hoehe: 600 })
      })
      test('that means the middle of its pixels lies half a pixel off its tags', async () => {
        const karte = await newPlan()
        await upload(karte, await geoTiff('-a_srs', 'EPSG:25833', '-mo', 'AREA_OR_POINT=Point', ...CORNERS))
        expect((await planOf(karte)).punkte![0]).toMatchObject({ mapx: 412_000, mapy: 5_987_000 })
      })
      test('with points of its own takes them over', async () => {
        const karte = await newPlan()
        const points = [
          [10, 20],
          [790, 25],
          [780, 590],
          [15, 580],
          [400, 300],
        ].flatMap(([x, y]) => ['-gcp', x, y, 412_000 + x! * 0.4 + y! * 0.1, 5_987_000 + x! * 0.1 - y! * 0.4])
        const { answer } = await upload(karte, await geoTiff('-a_srs', 'EPSG:25833', ...points.map(String)))
        expect(answer.headers.get('karte-lage')).toBe('uebernommen')
        const plan = await planOf(karte)
        expect(plan).toMatchObject({ georef_typ: 'polynom1', epsg: 25833 })
        expect(plan.punkte).toHaveLength(5)
        expect(plan.punkte![4]).toMatchObject({ pixelx: 400, pixely: -300, mapx: 412_190, mapy: 5_986_920 })
      })
      test('leaves alone what people have set, and says so', async () => {
        const karte = await newPlan()
        await scanned(karte)
        await order(karte)
        await settled(karte, 'entzerren')
        const { answer } = await upload(karte, await geoTiff('-a_srs', 'EPSG:25833', ...CORNERS))
        expect(answer.headers.get('karte-lage')).toBe('vorhanden')
        expect(await planOf(karte)).toMatchObject({ georef_typ: 'helmert' })
      })
      /** As ArcGIS writes them: no number, but a description. @param citation as long as GDAL's, or shorter */
      const withoutNumber = (tiff: Buffer, citation: string): Buffer => {
        const spoiled = Buffer.from(tiff)
        const keyEntry = Buffer.from(Uint16Array.of(3072, 0, 1, 25_833).buffer)
        spoiled.writeUInt16LE(32_767, spoiled.indexOf(keyEntry) + 6)
        const [named, end] = [spoiled.indexOf('ETRS89 / UTM zone 33N'), 'ETRS89 / UTM zone 33N'.length]
        spoiled.write(citation.slice(0, end).padEnd(end), named, 'latin1')
        return spoiled
      }
      test.each(['ETRS89 UTM Zone 33N', 'EPSG:25833'])(
        'that has only the name "%s" for it',
        async (citation) => {
          const karte = await newPlan()
          const tiff = await geoTiff('-a_srs', 'EPSG:25833', ...CORNERS)
          const { answer } = await upload(karte, withoutNumber(tiff, citation))
          expect([answer.status, answer.headers.get('karte-lage')]).toEqual([204, 'uebernommen'])
          expect(await planOf(karte)).toMatchObject({ epsg: 25_833, georef_typ: 'linear' })
        },
      )
      test.each([
        ['by its parameters', []],
        ['in the words of Esri', ['-co', 'GEOTIFF_KEYS_FLAVOR=ESRI_PE']],
      ])('that describes its system %s', async (_what, options) => {
        const wkt = join(folder, 'own.wkt')
        await writeFile(wkt, esriWkt(25_833).replace('ETRS_1989_UTM_Zone_33N', 'Eigenes Netz'))
        const karte = await newPlan()
        const { answer } = await upload(karte, await geoTiff('-a_srs', wkt, ...options, ...CORNERS))
        expect(answer.headers.get('karte-lage')).toBe('uebernommen')
        expect(await planOf(karte)).toMatchObject({ epsg: 25_833 })
      })
      test('that names no system has its points in that of the plan, and waits for a person', async () => {
        const karte = await newPlan()
        const { answer } = await upload(karte, await geoTiff(...CORNERS))
        expect([answer.status, answer.headers.get('karte-lage')]).toEqual([204, 'annahme'])
        const plan = await planOf(karte)
        expect(plan).toMatchObject({ georef_typ: 'linear', res: 0.5 })
        expect(plan.punkte).toHaveLength(4)
        const waiting = (await ordersOf(karte)).filter(({ art }) => art === 'entzerren')
        expect(waiting).toEqual([])
      })
      test.each([
        ['a system that we do not know', ['-a_srs', 'EPSG:28992', ...CORNERS], 'system'],
        ['none, with numbers that are no place', ['-a_ullr', '0', '600', '800', '0'], 'system'],
        ['no place', ['-a_srs', 'EPSG:25833'], null],
      ])('in %s is a scan like any other', async (_what, options, told) => {
        const karte = await newPlan()
        const { answer } = await upload(karte, await geoTiff(...options))
        expect([answer.status, answer.headers.get('karte-lage')]).toEqual([204, told])
        expect(await planOf(karte)).toMatchObject({ georef_typ: null, punkte: null, status: 'gescannt' })
      })
    })
    /** Inserts a comment at the beginning of a JPEG. */
    function withComment(jpeg: Buffer, comment: string): Buffer {
      const body = Buffer.from(comment, 'latin1')
      const head = Buffer.from([0xff, 0xfe, 0, 0])
      head.writeUInt16BE(body.length + 2, 2)
      return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)])
    }
    function pngPart(name: string, body: Buffer): Buffer {
      const all = Buffer.concat([Buffer.from(name, 'latin1'), body])
      const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
      length.writeUInt32BE(body.length)
      sum.writeUInt32BE(crc32(all))
      return Buffer.concat([length, all, sum])
    }

    describe('a scan', () => {
      let karte: number
      let file: KarteFile
      let bytes: Buffer
      beforeAll(async () => {
        karte = await newPlan()
        bytes = await scan()
        file = await scanned(karte, bytes)
      })
      const tile = async (z: number, x: number, y: number) => {
        const answer = await ask('appuser', kartePaths.kachel(karte, file.id, z, x, y))
        if (answer.status !== 200) return answer.status
        const { data, info } = await sharp(Buffer.from(await answer.arrayBuffer()))
          .raw()
          .toBuffer({ resolveWithObject: true })
        return {
          width: info.width,
          height: info.height,
          first: [...data.subarray(0, 3)],
          last: [...data.subarray(-3)],
        }
      }
      const near = (colour: number[]) => colour.map((value) => expect.closeTo(value, -1) as number)
      const RED = near([208, 32, 32])
      const WHITE = near([255, 255, 255])

      test('is seen in levels of squares, down to its own pixels', async () => {
        expect(levelsOf(file.breite, file.hoehe)).toBe(3)
        expect(await tile(0, 0, 0)).toEqual({ width: 325, height: 225, first: RED, last: WHITE })
        expect(await tile(1, 1, 0)).toEqual({ width: 138, height: 450, first: WHITE, last: WHITE })
        expect(await tile(2, 0, 0)).toEqual({ width: TILE_SIZE, height: 450 + 62, first: RED, last: WHITE })
        expect(await tile(2, 2, 1)).toEqual({ width: 276, height: 388, first: WHITE, last: WHITE })
      })
      test.each([
        [3, 0, 0],
        [2, 3, 0],
        [2, 0, 2],
        [0, 1, 0],
        [99_999, 0, 0],
      ])('has no square %i/%i/%i', async (z, x, y) => expect(await tile(z, x, y)).toBe(404))
      test.each(['-1/0/0', '0/0/x', '0/0/0.5', '00/0/0', '1e3/0/0', '0/0/%2e%2e'])(
        'has no square %s',
        async (place) => {
          expect((await ask('apus_team', `${PREFIX}/karte/${karte}/kachel/${file.id}/${place}`)).status).toBe(
            404,
          )
        },
      )
      test('has a small picture', async () => {
        const answer = await ask('appuser', kartePaths.vorschau(karte, file.id))
        expect(answer.headers.get('cache-control')).toBe('private, max-age=300')
        expect(await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).toMatchObject({
          format: 'jpeg',
          width: 320,
          height: 222,
        })
      })
      test('is handed out whole and by ranges, under its own name and never to be run', async () => {
        const path = kartePaths.datei(karte, file.id)
        const whole = await ask('appuser', path)
        expect(Object.fromEntries(whole.headers)).toMatchObject({
          'content-type': 'image/jpeg',
          'content-disposition': `attachment; filename="Blatt_7.jpg"; filename*=UTF-8''Blatt%207.jpg`,
          'content-length': String(bytes.length),
          'x-content-type-options': 'nosniff',
          etag: `"${sha(bytes)}"`,
          vary: 'authorization',
        })
        const part = async (range: string) => {
          const answer = await ask('appuser', path, { headers: { range } })
          return [
            answer.status,
            answer.headers.get('content-range'),
            Buffer.from(await answer.arrayBuffer()),
          ] as const
        }
        const n = bytes.length
        expect(await part('bytes=10-19')).toEqual([206, `bytes 10-19/${n}`, bytes.subarray(10, 20)])
        expect(await part('bytes=-5')).toEqual([206, `bytes ${n - 5}-${n - 1}/${n}`, bytes.subarray(-5)])
        expect(await part(`bytes=${n - 3}-`)).toEqual([
          206,
          `bytes ${n - 3}-${n - 1}/${n}`,
          bytes.subarray(-3),
        ])
        expect((await part(`bytes=${n}-`)).slice(0, 2)).toEqual([416, `bytes */${n}`])
        expect((await part('bytes=0-1,5-6'))[0]).toBe(200)
        expect((await ask('appuser', path, { headers: { 'if-none-match': `"${sha(bytes)}"` } })).status).toBe(
          304,
        )
        expect(
          (await ask('appuser', path, { headers: { range: 'bytes=0-3', 'if-range': '"old"' } })).status,
        ).toBe(200)
        const head = await ask('appuser', path, { method: 'HEAD' })
        expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
          200,
          String(n),
          '',
        ])
      })
      test('whose file is gone is not found, with a sentence', async () => {
        const answer = await ask('apus_team', kartePaths.datei(SHOWN, SHOWN))
        expect([answer.status, await answer.json()]).toMatchObject([
          404,
          { message: expect.stringContaining('nicht mehr auf dem Server') as string },
        ])
      })
    })

    describe('a result', () => {
      /** The tile of the web map that contains this place at this level. */
      const squareOf = async (east: number, north: number, z: number) => {
        const { converter } = await readGrid(undefined)
        const [x, y] = converter.conversion(25833, 3857)([east, north])
        const half = 20_037_508.342789244
        const size = (2 * half) / 2 ** z
        const [u, v] = [(x + half) / size, (half - y) / size]
        return {
          x: Math.floor(u),
          y: Math.floor(v),
          column: Math.floor((u % 1) * 256),
          row: Math.floor((v % 1) * 256),
        }
      }
      const colourAt = async (karte: number, file: number, east: number, north: number, z: number) => {
        const { x, y, column, row } = await squareOf(east, north, z)
        const answer = await ask('appuser', kartePaths.overlay(karte, file, z, x, y))
        if (answer.status !== 200) return answer.status
        const { data } = await sharp(Buffer.from(await answer.arrayBuffer()))
          .ensureAlpha()
          .raw()
          .toBuffer({ resolveWithObject: true })
        const [r, g, b, alpha] = data.subarray((row * 256 + column) * 4)
        return alpha! < 128
          ? 'clear'
          : r! > 150 && g! < 90 && b! < 90
            ? 'red'
            : r! > 200 && g! > 200
              ? 'white'
              : `${r} ${g} ${b}`
      }

      test('lies where its points say, and is drawn there on the web map at every level', async () => {
        const karte = await newPlan()
        await scanned(karte)
        await order(karte)
        expect(await settled(karte, 'entzerren')).toMatchObject({ stand: 'fertig', fortschritt: 100 })
        const [file] = await filesOf(karte, 'appuser')
        expect(file).toMatchObject({
          art: 'ergebnis',
          name: 'Blatt 7_georef.tif',
          epsg: 25833,
          georef_typ: 'helmert',
          breite: 1300,
          hoehe: 900,
          kacheln: true,
        })
        expect(file!.umriss![0]).toEqual([400_000, 5_900_000])
        expect(file!.umriss).toContainEqual([400_650, 5_899_550])
        expect(file!.umriss!.at(-1)).toEqual(file!.umriss![0])
        for (const z of [15, 17, 19]) {
          expect(await colourAt(karte, file!.id, 400_150, 5_899_900, z), `red at ${z}`).toBe('red')
          expect(await colourAt(karte, file!.id, 400_500, 5_899_700, z), `white at ${z}`).toBe('white')
        }
        expect(await colourAt(karte, file!.id, 400_700, 5_899_700, 19)).toBe(204)
        expect(await colourAt(karte, file!.id, 500_000, 5_899_700, 15)).toBe(204)
        expect((await ask('appuser', kartePaths.overlay(karte, file!.id, 3, 8, 0))).status).toBe(404 - 200)
        expect((await ask('appuser', kartePaths.vorschau(karte, file!.id))).status).toBe(200)
        expect((await ask('appuser', kartePaths.kachel(karte, file!.id, 0, 0, 0))).status).toBe(200)
        if (existsSync(GDALINFO)) {
          const path = join(folder, 'probe.tif')
          await writeFile(
            path,
            Buffer.from(await (await ask('appuser', kartePaths.datei(karte, file!.id))).arrayBuffer()),
          )
          const said = JSON.parse(execFileSync(GDALINFO, ['-json', path], { encoding: 'utf8' })) as {
            geoTransform: number[]
            size: number[]
            bands: { overviews?: unknown[] }[]
            coordinateSystem: { wkt: string }
          }
          expect(said.geoTransform).toEqual([400_000, 0.5, 0, 5_900_000, 0, -0.5])
          expect(said.size).toEqual([1300, 900])
          expect(said.bands[0]!.overviews!.length).toBeGreaterThan(0)
          expect(said.coordinateSystem.wkt).toContain('25833')
        }
      })
      test.skipIf(!once)('by GDAL has the same size and place', async (context) => {
        const { gdal } = await findTools(['/usr/bin'])
        if (gdal === null) return context.skip()
        const target = await fileStore.workFile()
        const source = `${target}.quelle`
        await writeFile(source, await scan())
        const points = [
          [0, 0],
          [1300, 0],
          [1300, 900],
        ].map(([x, y]) => ({ mapx: 400_000 + x! / 2, mapy: 5_900_000 - y! / 2, pixelx: x!, pixely: -y! }))
        const values = {
          georef_typ: 'polynom1',
          epsg: 25833,
          res: 0.5,
          verfahren: 'cubic',
          kompression: 'jpeg',
          punkte: points,
        } as const
        const shares: number[] = []
        const result = await runWork(
          { art: 'entzerren', filePath: source, ziel: target, werte: { ...values, punkte: points }, gdal },
          { timeoutMs: 60_000, memoryBytes: MEMORY, onProgress: (share) => shares.push(share) },
        )
        expect(result).toMatchObject({ breite: 1300, hoehe: 900 })
        expect(Math.max(...shares)).toBeGreaterThan(0.9)
        expect(await readdir(join(folder, 'arbeit'))).not.toContain(expect.stringContaining('pixel'))
        await fileStore.removeWork(target)
      })
      test.skipIf(!once).each([
        ['on one line', '[[0,0],[100,100],[900,900]]', 'polynom1', 0.5, 'karte_punkte_linie', 'im Scan'],
        [
          'twice at one place',
          '[[10,10],[10,10],[500,20]]',
          'tps',
          0.5,
          'karte_punkte_doppelt',
          'Punkte 1, 2',
        ],
        [
          'for a picture without bounds',
          '[[0,0],[1300,0],[1300,900],[0,900]]',
          'helmert',
          0.0001,
          'karte_raster_gross',
          null,
        ],
        [
          'with a resolution of another unit',
          '[[0,0],[1300,0],[1300,900],[0,900]]',
          'helmert',
          500,
          'karte_raster_grob',
          null,
        ],
      ])('of points %s is told by name', async (_what, points, kind, res, fault, detail) => {
        const karte = await newPlan()
        await scanned(karte, await scan(400, 300))
        await order(karte, points, kind, res)
        expect(await settled(karte, 'entzerren')).toMatchObject({
          stand: 'fehlgeschlagen',
          fehler: fault,
          einzelheit: detail,
        })
        expect((await filesOf(karte)).map(({ art }) => art)).toEqual(['scan'])
      })
      test('far from its customer is asked about, and made once that is confirmed', async () => {
        const client = w.B
        const [far, beside] = [await newPlan({ client }), await newPlan({ client })]
        const there = [undefined, undefined, undefined, 800_000] as const
        await scanned(far, await scan(400, 300))
        await order(far, ...there)
        expect(await settled(far, 'entzerren')).toMatchObject({
          stand: 'fehlgeschlagen',
          fehler: 'karte_ort',
          einzelheit: expect.stringMatching(/^\d{2,3} km$/) as string,
        })
        expect((await filesOf(far)).map(({ art }) => art)).toEqual(['scan'])
        await engine.api.once(
          asCaller(claimsOf('apus_team')),
          sql('select app.a_add_karte_auftrag(karte_id => $1, ort_bestaetigt => true) as id', far),
        )
        expect(await settled(far, 'entzerren')).toMatchObject({
          stand: 'fertig',
          werte: { ort_bestaetigt: true },
        })
        // The customer has a plan there now.
        await scanned(beside, await scan(400, 300))
        await order(beside, ...there)
        expect(await settled(beside, 'entzerren')).toMatchObject({ stand: 'fertig' })
      })
      test('whose process is killed twice is made by the third, and nothing half is seen', async () => {
        const karte = await newPlan()
        await scanned(karte, await scan(400, 300))
        let killed = 0
        world.onStart = (child) => {
          if (killed++ < 2) child.kill('SIGKILL')
        }
        await order(karte, '[[0,0],[400,300]]')
        expect(await settled(karte, 'entzerren')).toMatchObject({ stand: 'fertig' })
        expect(killed).toBe(3)
        expect((await filesOf(karte)).map(({ art }) => art)).toEqual(['ergebnis', 'scan'])
      })
      test('whose process is killed each time is given up, and the one before stays', async () => {
        const karte = await newPlan()
        await scanned(karte, await scan(400, 300))
        await order(karte, '[[0,0],[400,300]]')
        await settled(karte, 'entzerren')
        const before = await filesOf(karte)
        let killed = 0
        world.onStart = (child) => {
          killed++
          child.kill('SIGKILL')
        }
        await order(karte, '[[0,0],[400,300]]')
        expect(await settled(karte, 'entzerren')).toMatchObject({
          stand: 'fehlgeschlagen',
          fehler: 'karte_absturz',
        })
        expect(killed).toBe(3)
        expect(await filesOf(karte)).toEqual(before)
        expect(await readdir(join(folder, 'arbeit'))).toEqual([])
      })
      test.skipIf(!once)('that takes too much memory is ended', async () => {
        const karte = await newPlan()
        await scanned(karte, await scan(400, 300))
        world.memory = 1000
        world.onStart = (child) => child.kill('SIGSTOP')
        await order(karte, '[[0,0],[400,300]]')
        expect(await settled(karte, 'entzerren')).toMatchObject({
          stand: 'fehlgeschlagen',
          fehler: 'karte_speicher',
        })
      })
      test('that is cancelled ends its process, and the next one is made', async () => {
        const karte = await newPlan()
        await scanned(karte, await scan(400, 300))
        const started = new Promise<number>((resolve) => {
          world.onStart = (child) => {
            child.kill('SIGSTOP')
            resolve(child.pid!)
          }
        })
        const id = await order(karte, '[[0,0],[400,300]]')
        const pid = await started
        await engine.api.once(
          asCaller(claimsOf('apus_team')),
          sql('select app.a_cancel_karte_auftrag($1)', id),
        )
        world.onStart = undefined
        await order(karte, '[[0,0],[400,300]]')
        expect(await settled(karte, 'entzerren')).toMatchObject({ stand: 'fertig' })
        expect((await ordersOf(karte)).find((one) => one.id === id)).toMatchObject({
          stand: 'abgebrochen',
          fehler: null,
        })
        expect(() => process.kill(pid, 0)).toThrow()
        expect((await filesOf(karte)).map(({ art }) => art)).toEqual(['ergebnis', 'scan'])
      })
      test('under way when its server stops waits for another server as if it had never begun', async () => {
        const karte = await newPlan()
        await scanned(karte, await scan(400, 300))
        await jobs.stop()
        const started = new Promise<void>((resolve) => {
          world.onStart = (child) => {
            child.kill('SIGSTOP')
            resolve()
          }
        })
        const leaving = startWorking()
        const id = await order(karte, '[[0,0],[400,300]]')
        await started
        await leaving.stop()
        expect((await ordersOf(karte)).find((one) => one.id === id)).toMatchObject({ stand: 'wartet' })
        world.onStart = undefined
        jobs = startWorking()
        expect(await settled(karte, 'entzerren')).toMatchObject({ stand: 'fertig' })
      })
    })

    describe('who gets a byte', () => {
      const files: Record<'own' | 'hidden' | 'foreign', { karte: number; scan: number; result: number }> =
        {} as never
      beforeAll(async () => {
        for (const [name, more] of [
          ['own', {}],
          ['hidden', { shown: false }],
          ['foreign', { client: w.B }],
        ] as const) {
          const karte = await newPlan(more)
          await scanned(karte, await scan(400, 300))
          await order(karte, '[[0,0],[400,300]]')
          expect(await settled(karte, 'entzerren')).toMatchObject({ stand: 'fertig' })
          const [result, first] = await filesOf(karte)
          files[name] = { karte, scan: first!.id, result: result!.id }
        }
      })
      const PATHS: readonly (readonly [
        string,
        (ids: { karte: number; scan: number; result: number }) => string,
      ])[] = [
        ['the scan', ({ karte, scan: id }) => kartePaths.datei(karte, id)],
        ['the result', ({ karte, result }) => kartePaths.datei(karte, result)],
        ['the small picture', ({ karte, scan: id }) => kartePaths.vorschau(karte, id)],
        ['a tile', ({ karte, scan: id }) => kartePaths.kachel(karte, id, 0, 0, 0)],
        ['a square of the map', ({ karte, result }) => kartePaths.overlay(karte, result, 0, 0, 0)],
      ]
      describe.each(PATHS)('%s', (_what, path) => {
        test.each(WHO)('as %s', async (who) => {
          const outcome = async (of: 'own' | 'hidden' | 'foreign') => {
            const answer = await ask(who, path(files[of]))
            const body = Buffer.from(await answer.arrayBuffer())
            // A refusal contains a sentence and nothing else.
            if (answer.status >= 400)
              expect(Object.keys(JSON.parse(body.toString('utf8')) as object)).toEqual(['code', 'message'])
            return answer.status < 400
          }
          expect({
            own: await outcome('own'),
            hidden: await outcome('hidden'),
            foreign: await outcome('foreign'),
          }).toEqual({
            own: [...STAFF, ...OWNERS].includes(who),
            hidden: STAFF.includes(who),
            foreign: STAFF.includes(who),
          })
        })
      })
      test.each(PATHS)('%s of another plan is not found under one’s own', async (_what, path) => {
        const mixed = { ...files.foreign, karte: files.own.karte }
        expect((await ask('appuser_admin', path(mixed))).status).toBe(404)
        expect((await ask('apus_admin', path(mixed))).status).toBe(404)
      })
      test.each(WHO)('an upload as %s', async (who) => {
        const statuses = []
        for (const of of ['own', 'hidden', 'foreign'] as const)
          statuses.push((await begin(who, files[of].karte, await scan(40, 30))).status)
        const refused = who === 'nobody' || who === 'disabled' || who === 'session_ended' ? 401 : 404
        expect(statuses).toEqual(Array(3).fill(STAFF.includes(who) ? 201 : refused))
      })
      test('the grid of the old systems, to whoever is signed in', async () => {
        expect((await ask('nobody', '/karte/gitter/BETA2007.gsb')).status).toBe(401)
        const { bytes } = await readGrid(undefined)
        const answer = await ask('appuser', '/karte/gitter/BETA2007.gsb')
        expect(answer.status).toBe(bytes === null ? 204 : 200)
        const without = fastify()
        guardRoutes(without, authenticateByName)
        await without.register(
          fileRoutes({
            database: engine.api,
            fileStore,
            grid: await readGrid('/nowhere'),
            log: silentLog,
          }),
        )
        const none = await without.inject({
          url: '/karte/gitter/BETA2007.gsb',
          headers: { authorization: 'Bearer token-appuser' },
        })
        expect([none.statusCode, none.body]).toEqual([204, ''])
        await without.close()
      })
    })

    describe('the clean-up', () => {
      const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000)
      const clean = () =>
        cleanUpFiles({ database: engine.api, fileStore, log: silentLog, now: () => new Date() })
      const age = (name: string) => utimes(join(folder, name.slice(0, 2), name), yesterday, yesterday)

      test('removes what no row names, when it is a day old, and nothing else', async () => {
        const karte = await newPlan()
        const kept = await scanned(karte, await scan(420, 300))
        const goes = await scanned(karte, await scan(430, 300))
        await engine.api.once(
          asCaller(claimsOf('apus_team')),
          sql('select app.a_delete_karte_datei($1)', goes.id),
        )
        await clean()
        expect(await fileStore.groesse(goes.sha256), 'young').not.toBeNull()
        await Promise.all([kept.sha256, goes.sha256].map(age))
        await clean()
        expect(await fileStore.groesse(goes.sha256)).toBeNull()
        expect(await fileStore.groesse(kept.sha256)).toBe(kept.groesse)
      })
      test('of a plan that is deleted, unless another one has the same file', async () => {
        const [one, other] = [await newPlan(), await newPlan()]
        const bytes = await scan(440, 300)
        const { sha256 } = await scanned(one, bytes)
        await scanned(other, bytes)
        const remove = async (karte: number) => {
          await engine.api.once(
            asCaller(claimsOf('apus_admin')),
            sql('delete from app.karte where id = $1', karte),
          )
          await age(sha256)
          await clean()
        }
        await remove(one)
        expect(await fileStore.groesse(sha256)).toBe(bytes.length)
        await remove(other)
        expect(await fileStore.groesse(sha256)).toBeNull()
      })
      test('spares what is stored again, or gets a row, while it looks', async () => {
        const karte = await newPlan()
        const bytes = await scan(450, 300)
        const { id, sha256 } = await scanned(karte, bytes)
        await engine.api.once(asCaller(claimsOf('apus_team')), sql('select app.a_delete_karte_datei($1)', id))
        /** `meanwhile`: after the database has said which of the list it names. */
        const cleanWith = async (meanwhile: () => Promise<unknown>) => {
          let asked = 0
          const once: typeof engine.api.once = async (context, statement) => {
            const answer = await engine.api.once(context, statement)
            if (statement.text.includes('named_files') && asked++ === 0) await meanwhile()
            return answer as never
          }
          await age(sha256)
          const database = { ...engine.api, engine: engine.api.engine, once }
          await cleanUpFiles({ database, fileStore, log: silentLog, now: () => new Date() })
        }
        const again = join(folder, 'again.jpg')
        await writeFile(again, bytes)
        await cleanWith(() => fileStore.putFile(again))
        expect(await fileStore.groesse(sha256), 'stored again').toBe(bytes.length)
        await cleanWith(async () => {
          await scanned(karte, bytes)
          await age(sha256)
        })
        expect(await fileStore.groesse(sha256), 'named again').toBe(bytes.length)
      })
      test.skipIf(engineName !== 'postgres')('is done by one server at a time', async () => {
        const asOwner: AsOwner = (work) => work(engine.owner)
        const sha256 = sha(Buffer.from('left'))
        const left = join(folder, 'left')
        await writeFile(left, 'left')
        await fileStore.putFile(left)
        await age(sha256)
        const round = async () => {
          const cleanUpUploads = () => Promise.resolve()
          const job = cleanerJob({
            database: engine.api,
            fileStore,
            log: silentLog,
            now: () => new Date(),
            alone: (lock, work) => aloneAmongServers({ asOwner, engine: engineName }, lock, work),
            cleanUpUploads,
          })
          const ended = new Promise<void>((resolve) => {
            const end = addObserver({
              around: (what, work) =>
                work().finally(() => {
                  if (what.kind !== 'job') return
                  end()
                  resolve()
                }),
              noted: () => undefined,
            })
          })
          job.start()
          job.wake()
          await ended
          await job.stop()
          return fileStore.groesse(sha256)
        }
        const { rows } = await engine.owner.query<{ name: string }>('select current_database() as name')
        const other = await createOwnerConnection(withDatabase(postgresUrl()!, rows[0]!.name))
        await other.script(`begin; select pg_advisory_xact_lock(${LOCK})`)
        expect(await round()).toBe(4)
        await other.script('rollback')
        expect(await round()).toBeNull()
        await other.close()
      })
      test('removes uploads that were begun days ago and left, whole or in part', async () => {
        const karte = await newPlan()
        const bytes = await scan(40, 30)
        const [left, halfGone, young] = await Promise.all(
          [0, 1, 2].map(
            async () => (await begin('apus_team', karte, bytes)).headers.get('location')!.split('/').at(-1)!,
          ),
        )
        const longAgo = new Date(Date.now() - 4 * 24 * 60 * 60 * 1000)
        for (const name of [left, halfGone])
          await utimes(join(folder, 'uploads', `${name}.json`), longAgo, longAgo)
        await rm(join(folder, 'uploads', halfGone!))
        await uploads.tidyUp()
        const there = await readdir(join(folder, 'uploads'))
        expect(there.filter((name) => name.startsWith(`${karte}-`)).sort()).toEqual([
          young!,
          `${young!}.json`,
        ])
      })
      test('takes along what a server was making when it died', async () => {
        const path = await fileStore.workFile()
        await writeFile(path, 'half')
        await clean()
        expect((await stat(path)).size).toBe(4)
        await utimes(path, yesterday, yesterday)
        await clean()
        await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' })
      })
    })

    test('results of the small world are named, not there', async () => {
      expect((await ask('appuser', kartePaths.vorschau(SHOWN, RESULT_SHOWN))).status).toBe(404)
      for (const karte of [HIDDEN, FREMD])
        expect((await ask('appuser', kartePaths.vorschau(karte, karte + 10))).status).toBe(404)
    })
  })

/** Its keys are of no password. */
const lockedPdf = (): Buffer => {
  const key = `<${'5a'.repeat(32)}>`
  const encrypt = `<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O ${key} /U ${key} >>`
  const id = `/ID [<${'00'.repeat(16)}> <${'00'.repeat(16)}>]`
  const plain = twoPages().toString('latin1')
  return Buffer.from(
    plain.replace(/trailer\s*<</, (begin) => `${begin} /Encrypt ${encrypt} ${id}`),
    'latin1',
  )
}
/** 100 × 100 and 200 × 100 points. */
function twoPages(): Buffer {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>',
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, nr) => {
    const place = text.length
    text += `${nr + 1} 0 obj${object}endobj\n`
    return place
  })
  const table = text.length
  text += `xref\n0 5\n0000000000 65535 f \n${places
    .map((place) => `${String(place).padStart(10, '0')} 00000 n \n`)
    .join('')}trailer<</Size 5/Root 1 0 R>>\nstartxref\n${table}\n%%EOF\n`
  return Buffer.from(text)
}
