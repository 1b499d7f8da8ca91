// Photos of habitat trees over HTTP, on both engines, with a folder and with a bucket where there is one:
// uploads that break off, are sent twice, or are no photos; what is made of them, and who gets their bytes.
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PHOTO_MOST_BYTES, habitatImagePaths } from '#contract/habitat-images.ts'
import { folderStore, type Store, storeKeyOf } from '#server/files/store.ts'
import { s3Store } from '#server/files/s3-store.ts'
import { silentLog } from '#server/log.ts'
import { TREE_A1, TREE_A2, TREE_B1, DELETED, idOf } from '../../db/test/cells/habitat.ts'
import { asCaller, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { claimsOf, type IdentityName, ROLE_NAMES } from '../../db/test/world.ts'
import { findS3Server, type S3Server, startS3Server } from '../../test/s3-server.ts'
import { cleanUpFiles } from '../karten/cleaner.ts'
import { refusingServer } from '../../db/test/refusing-server.ts'
import { beginning, piece, sha, TUS } from '../../test/tus.ts'
import { createPhotosRoom } from './photos.ts'
import { createPhotoProcessor } from './photo-processor.ts'
import { photo, quarters, badPhotos } from './bad-photos.fixture.ts'

const PREFIX = '/prod-api'
const LINKED: readonly IdentityName[] = ['ogf_standard', 'ogf_fb_admin', 'multiple_fb']
const ADMINS: readonly IdentityName[] = ['ogf_admin', 'admin']
const STAFF: readonly IdentityName[] = ['ogf_team', ...ADMINS]
const WHO: readonly IdentityName[] = [...ROLE_NAMES, 'unknown', 'nobody', 'disabled', 'session_ended']
const SIZES = ['original', 'klein', 'mittel', 'gross'] as const

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`photos of trees over HTTP on ${engineName}`, () => {
    let engine: Engine
    let folder: string
    let fileStore: Store
    let s3: S3Server | null = null
    /** The folder in which the bytes end up. */
    let place: string
    let app: FastifyInstance
    let origin: string
    let photos: ReturnType<typeof createPhotosRoom>
    let full = false
    /** Tests that do not depend on the engine run once. */
    const once = engineName === (isMissing('postgres') ? 'embedded' : 'postgres')

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      folder = await mkdtemp(join(tmpdir(), 'fotos-'))
      const program = engineName === 'embedded' ? findS3Server() : undefined
      if (program !== undefined) s3 = await startS3Server(program)
      place = s3?.folder ?? folder
      fileStore =
        s3 === null
          ? folderStore(folder)
          : s3Store({ ...s3, pathStyle: true, prefix: '', folder, cacheBytes: 2 ** 20, log: silentLog })
      app = refusingServer(1000)
      photos = createPhotosRoom({
        database: engine.api,
        fileStore: { ...fileStore, frei: () => (full ? Promise.resolve(1000) : fileStore.frei()) },
        folder: join(folder, 'uploads'),
        prefix: PREFIX,
        log: silentLog,
        now: () => new Date('2026-11-22T12:00:00Z'),
        processor: createPhotoProcessor({ processes: 1 }),
      })
      await app.register(photos.routes, { prefix: PREFIX })
      await app.listen({ port: 0, host: '127.0.0.1' })
      origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    })
    afterAll(async () => {
      await photos?.close()
      await app?.close()
      await engine?.close()
      await s3?.stop()
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    })

    const ask = (who: IdentityName, path: string, init: RequestInit = {}) =>
      fetch(`${origin}${path.startsWith(PREFIX) ? '' : PREFIX}${path}`, {
        ...init,
        headers: { authorization: `Bearer token-${who}`, ...init.headers },
      })
    const begin = (
      who: IdentityName,
      tree: number,
      picture: string,
      bytes: Uint8Array,
      metadata: Readonly<Record<string, string>> = {},
    ) => ask(who, habitatImagePaths.upload(idOf(tree), picture), beginning(bytes, 'Buche 7.jpg', metadata))
    const send = (who: IdentityName, address: string, bytes: Uint8Array, offset = 0) =>
      ask(who, address, piece(bytes, offset))
    async function upload(
      bytes: Uint8Array,
      more: { baum?: number; bild?: string; who?: IdentityName } & Record<string, unknown> = {},
    ) {
      const { baum = TREE_A1, bild = randomUUID(), who = 'ogf_standard', ...metadata } = more
      const begun = await begin(who, baum, bild, bytes, metadata as Record<string, string>)
      expect(begun.status, await begun.clone().text()).toBe(201)
      const address = begun.headers.get('location')!
      const answer = await send(who, address, bytes)
      return { bild, address, answer, id: Number(answer.headers.get('habitat-bild')) }
    }
    async function rowsOf<T = Record<string, unknown>>(where: string, ...values: unknown[]): Promise<T[]> {
      const { rows } = await engine.api.once<{ answer: string }>(
        asCaller(claimsOf('ogf_admin')),
        sql(
          `select coalesce(json_agg(t order by t.id), '[]')::text as answer
            from (select * from app.habitatbilder where ${where}) t`,
          ...values,
        ),
      )
      return JSON.parse(rows[0]!.answer) as T[]
    }
    const stored = async () => {
      const all = []
      for await (const { sha256 } of fileStore.liste()) all.push(sha256)
      return all
    }

    test('a photo is taken up with what the camera says, drawn in three sizes, and kept byte by byte', async () => {
      const bytes = await quarters(1400, 1000)
        .jpeg()
        .withExif({
          IFD0: { Model: 'Geheimes Modell' },
          IFD2: { DateTimeOriginal: '2026:05:01 12:30:00' },
          IFD3: {
            GPSLatitudeRef: 'N',
            GPSLatitude: '51/1 20/1 0/1',
            GPSLongitudeRef: 'E',
            GPSLongitude: '12/1 24/1 0/1',
            GPSImgDirection: '90/1',
          },
        })
        .toBuffer()
      const { answer, bild, id, address } = await upload(bytes, { bemerkung: 'Höhle in 4 m\nNordseite' })
      expect([answer.status, await answer.text()]).toEqual([204, ''])
      const [row] = await rowsOf<Record<string, unknown>>('kennung = $1', bild)
      expect(row).toMatchObject({
        id,
        habitat_id: TREE_A1,
        dateiname: 'Buche 7.jpg',
        typ: 'image/jpeg',
        groesse: bytes.length,
        breite: 1400,
        hoehe: 1000,
        sha256: sha(bytes),
        richtung: 90,
        bemerkung: 'Höhle in 4 m\nNordseite',
        version: 1,
      })
      expect(new Date(String(row!['aufgenommen_am'])).toISOString()).toBe('2026-05-01T10:30:00.000Z')
      expect(row!['exif_lage']).toMatchObject({ coordinates: [12.4, expect.closeTo(51.3333, 3) as number] })
      expect(Number(row!['exif_abweichung_m'])).toBeGreaterThan(30)
      // The tree is moved to where the photo was taken, and back: the distance follows, and the photo
      // does not count as changed.
      const moved = async (lon: number, lat: number) => {
        await engine.api.once(
          asCaller(claimsOf('ogf_standard')),
          sql('update app.habitatbaeume set lon = $2, lat = $3 where id = $1', TREE_A1, lon, lat),
        )
        const [now] = await rowsOf<{ exif_abweichung_m: number; version: number }>('id = $1', id)
        return [now!.exif_abweichung_m, now!.version]
      }
      expect(await moved(12.4, 51.333333333333336)).toEqual([0, 1])
      const [metres] = await moved(12.4, 51.334)
      expect(metres).toBeGreaterThan(70)
      expect(metres).toBeLessThan(80)
      const got = await ask('ogf_standard', habitatImagePaths.bytes(id, 'original'))
      expect([got.headers.get('content-type'), got.headers.get('content-disposition')]).toEqual([
        'image/jpeg',
        `attachment; filename="Buche_7.jpg"; filename*=UTF-8''Buche%207.jpg`,
      ])
      expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true)
      for (const [size, edge] of [
        ['klein', 320],
        ['mittel', 800],
        ['gross', 1400],
      ] as const) {
        const file = await ask('ogf_standard', habitatImagePaths.bytes(id, size))
        expect(
          Object.fromEntries(
            ['content-type', 'content-disposition', 'cache-control', 'vary', 'x-content-type-options'].map(
              (name) => [name, file.headers.get(name)],
            ),
          ),
        ).toEqual({
          'content-type': 'image/webp',
          'content-disposition': 'inline',
          'cache-control': 'private, max-age=300',
          vary: 'authorization',
          'x-content-type-options': 'nosniff',
        })
        const picture = Buffer.from(await file.arrayBuffer())
        expect([(await sharp(picture).metadata()).width, picture.includes('Geheimes')]).toEqual([edge, false])
        const again = await ask('ogf_standard', habitatImagePaths.bytes(id, size), {
          headers: { 'if-none-match': file.headers.get('etag')! },
        })
        expect(again.status).toBe(304)
      }
      const part = await ask('ogf_standard', habitatImagePaths.bytes(id, 'original'), {
        headers: { range: 'bytes=2-5' },
      })
      expect([part.status, Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(2, 6))]).toEqual([
        206,
        true,
      ])
      const head = await ask('ogf_standard', habitatImagePaths.bytes(id, 'original'), { method: 'HEAD' })
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)])
      // The answer to the last piece may be lost: a client that asks learns that everything has arrived.
      const asked = await ask('ogf_standard', address, { method: 'HEAD', headers: TUS })
      expect([asked.status, asked.headers.get('upload-offset'), asked.headers.get('habitat-bild')]).toEqual([
        200,
        String(bytes.length),
        String(id),
      ])
    })

    test('an upload goes on where it was cut off', async () => {
      const bytes = await photo(900, 700)
      const picture = randomUUID()
      const address = (await begin('ogf_standard', TREE_A1, picture, bytes)).headers.get('location')!
      expect((await send('ogf_standard', address, bytes.subarray(0, 1000))).status).toBe(204)
      const asked = await ask('ogf_standard', address, { method: 'HEAD', headers: TUS })
      expect(asked.headers.get('upload-offset')).toBe('1000')
      expect((await send('ogf_standard', address, bytes.subarray(1000), 1000)).status).toBe(204)
      expect(await rowsOf('kennung = $1', picture)).toMatchObject([{ sha256: sha(bytes) }])
    })

    test('what is there already is said to be there, however often and by whomever it is sent', async () => {
      const bytes = await photo(640, 480)
      const { bild, id } = await upload(bytes)
      const begun = await begin('ogf_fb_admin', TREE_A1, bild, bytes)
      expect([begun.status, begun.headers.get('habitat-bild'), begun.headers.get('upload-offset')]).toEqual([
        201,
        String(id),
        String(bytes.length),
      ])
      const address = begun.headers.get('location')!
      const asked = await ask('ogf_fb_admin', address, { method: 'HEAD', headers: TUS })
      expect([asked.status, asked.headers.get('upload-offset'), asked.headers.get('upload-length')]).toEqual([
        200,
        String(bytes.length),
        String(bytes.length),
      ])
      const sent = await send('ogf_fb_admin', address, bytes)
      expect([sent.status, sent.headers.get('upload-offset'), sent.headers.get('habitat-bild')]).toEqual([
        204,
        String(bytes.length),
        String(id),
      ])
      const other = await begin('ogf_standard', TREE_A1, bild, await photo(641, 480))
      expect([other.status, await other.json()]).toMatchObject([
        409,
        { error: 'conflict', hint: 'habitat_kennung_vergeben' },
      ])
      expect(await rowsOf('kennung = $1', bild)).toHaveLength(1)
    })
    test('two that are under way at the same time become one photo', async () => {
      const bytes = await photo(640, 470)
      const picture = randomUUID()
      const who = ['ogf_standard', 'ogf_fb_admin', 'ogf_admin'] as const
      const addresses = await Promise.all(
        who.map(async (name) => (await begin(name, TREE_A1, picture, bytes)).headers.get('location')!),
      )
      const answers = await Promise.all(who.map((name, at) => send(name, addresses[at]!, bytes)))
      expect(answers.map(({ status }) => status)).toEqual([204, 204, 204])
      expect(new Set(answers.map(({ headers }) => headers.get('habitat-bild'))).size).toBe(1)
      expect(await rowsOf('kennung = $1', picture)).toHaveLength(1)
    })
    test('its tree has to be there, and it must not have been deleted', async () => {
      const bytes = await photo(400, 300)
      expect((await begin('ogf_standard', 777, randomUUID(), bytes)).status).toBe(404)
      expect((await begin('ogf_standard', TREE_A1, 'x', bytes)).status).toBe(404)
      const deleted = await begin('ogf_standard', TREE_A1, idOf(DELETED), bytes)
      expect([deleted.status, await deleted.json()]).toMatchObject([409, { hint: 'habitat_geloescht' }])
      // Deleted while it is being uploaded.
      const { bild, address } = await upload(bytes)
      await engine.api.once(
        asCaller(claimsOf('ogf_fb_admin')),
        sql('delete from app.habitatbilder where kennung = $1', bild),
      )
      expect((await ask('ogf_standard', address, { method: 'HEAD', headers: TUS })).status).toBe(409)
      expect((await begin('ogf_standard', TREE_A1, bild, bytes)).status).toBe(409)
    })

    test.runIf(once)('what is no photo is refused with its word, and nothing of it is kept', async () => {
      const before = await stored()
      for (const [what, bytes, hint] of await badPhotos()) {
        const { answer, address } = await upload(bytes)
        expect([what, answer.status, ((await answer.json()) as { hint: string }).hint]).toEqual([
          what,
          400,
          hint,
        ])
        expect((await ask('ogf_standard', address, { method: 'HEAD', headers: TUS })).status, what).toBe(404)
      }
      expect(await stored()).toEqual(before)
      expect(await readdir(join(folder, 'arbeit'))).toEqual([])
      expect((await readdir(join(folder, 'uploads'))).filter((name) => !name.endsWith('.json'))).toHaveLength(
        0,
      )
    })
    test.runIf(once)(
      'too large, empty, nameless, or without room is refused before a byte is sent',
      async () => {
        const refused = async (answer: Response) => [
          answer.status,
          ((await answer.json()) as { hint?: string; error: string }).hint ?? null,
        ]
        expect(
          await refused(
            await begin('ogf_standard', TREE_A1, randomUUID(), Buffer.alloc(PHOTO_MOST_BYTES + 1)),
          ),
        ).toEqual([413, 'bild_gross'])
        expect(await refused(await begin('ogf_standard', TREE_A1, randomUUID(), new Uint8Array(0)))).toEqual([
          400,
          'upload_leer',
        ])
        expect(
          await refused(
            await begin('ogf_standard', TREE_A1, randomUUID(), await photo(), { filename: '../' }),
          ),
        ).toEqual([400, 'upload_name'])
        full = true
        expect(await refused(await begin('ogf_standard', TREE_A1, randomUUID(), await photo()))).toEqual([
          507,
          null,
        ])
        full = false
        const { answer } = await upload(await photo(), { sha256: 'f'.repeat(64) })
        expect(await refused(answer)).toEqual([400, 'upload_hash'])
      },
    )
    test.runIf(once)(
      'positions without a fix, and times of clocks that were never set, are none',
      async () => {
        const bytes = await quarters(300, 200)
          .jpeg()
          .withExif({
            IFD2: { DateTimeOriginal: '0000:00:00 00:00:00' },
            IFD3: {
              GPSLatitudeRef: 'N',
              GPSLatitude: '0/0 0/0 0/0',
              GPSLongitudeRef: 'E',
              GPSLongitude: '0/1 0/1 0/1',
            },
          })
          .toBuffer()
        const { id } = await upload(bytes, { aufgenommen_am: '2026-06-01T08:00:00.000Z' })
        const [row] = await rowsOf<Record<string, unknown>>('id = $1', id)
        expect(row).toMatchObject({ exif_lage: null, exif_abweichung_m: null, richtung: null })
        // Then the time given by the device counts.
        expect(new Date(String(row!['aufgenommen_am'])).toISOString()).toBe('2026-06-01T08:00:00.000Z')
      },
    )

    test.runIf(once)(
      'a photo that moves stands still; a place on the other side of the globe is flagged, one beyond the pole is none',
      async () => {
        const frames = await Promise.all(
          ['#c03030', '#30c030', '#3030c0'].map((background) =>
            sharp({ create: { width: 400, height: 300, channels: 3, background } })
              .png()
              .toBuffer(),
          ),
        )
        const moving = await sharp(frames, { join: { animated: true } })
          .webp({ delay: [50, 50, 50], loop: 0 })
          .toBuffer()
        expect((await sharp(moving, { animated: true }).metadata()).pages).toBe(3)
        const { id } = await upload(moving)
        expect(await rowsOf('id = $1', id)).toMatchObject([{ typ: 'image/webp', breite: 400, hoehe: 300 }])
        for (const size of ['klein', 'mittel', 'gross'] as const) {
          const drawn = Buffer.from(
            await (await ask('ogf_standard', habitatImagePaths.bytes(id, size))).arrayBuffer(),
          )
          expect((await sharp(drawn, { animated: true }).metadata()).pages ?? 1).toBe(1)
        }
        const where = async (exif: Record<string, string>) => {
          const bytes = await quarters(300, 200)
            .jpeg()
            .withExif({
              IFD2: { DateTimeOriginal: '0000:00:00 00:00:00' },
              IFD3: { GPSLatitudeRef: 'N', GPSLongitude: '12/1 24/1 0/1', GPSLongitudeRef: 'E', ...exif },
            })
            .toBuffer()
          const [row] = await rowsOf<{
            exif_lage: { coordinates: number[] } | null
            exif_abweichung_m: number | null
            aufgenommen_am: string | null
          }>('id = $1', (await upload(bytes)).id)
          return row!
        }
        const south = await where({ GPSLatitude: '51/1 20/1 0/1', GPSLatitudeRef: 'S' })
        expect(south.exif_lage?.coordinates[1]).toBeCloseTo(-51.3333, 3)
        expect(south.exif_abweichung_m).toBeGreaterThan(10_000_000)
        expect(south.aufgenommen_am).toBeNull()
        expect(await where({ GPSLatitude: '91/1 0/1 0/1' })).toMatchObject({
          exif_lage: null,
          exif_abweichung_m: null,
        })
        expect(await where({ GPSLatitude: '4294967295/1 0/1 0/1' })).toMatchObject({ exif_lage: null })
      },
    )

    test('who gets and who brings photos, own and foreign, by every way', async () => {
      const bytes = await photo(500, 400)
      const ids = [
        [
          (await upload(bytes, { who: 'ogf_admin' })).id,
          TREE_A1,
          [...LINKED, 'kundenadmin', ...STAFF],
          [...LINKED, ...ADMINS],
        ],
        [
          (await upload(bytes, { who: 'ogf_admin', baum: TREE_A2 })).id,
          TREE_A2,
          ['kundenadmin', ...STAFF],
          ADMINS,
        ],
        [(await upload(bytes, { who: 'ogf_admin', baum: TREE_B1 })).id, TREE_B1, STAFF, ADMINS],
      ] as const
      const lost: readonly IdentityName[] = ['nobody', 'disabled', 'session_ended']
      for (const [id, tree, reads, writes] of ids)
        for (const who of WHO) {
          for (const size of SIZES) {
            const answer = await ask(who, habitatImagePaths.bytes(id, size))
            const body = Buffer.from(await answer.arrayBuffer())
            const said = `${who} ${tree} ${size}`
            if ((reads as readonly string[]).includes(who)) expect([said, answer.status]).toEqual([said, 200])
            else {
              expect([said, answer.status]).toEqual([said, lost.includes(who) ? 401 : 404])
              expect(Object.keys(JSON.parse(body.toString()) as object), said).toEqual(['code', 'message'])
              expect(answer.headers.get('etag'), said).toBeNull()
            }
          }
          const begun = await begin(who, tree, randomUUID(), bytes)
          expect([who, tree, begun.status]).toEqual([
            who,
            tree,
            (writes as readonly string[]).includes(who) ? 201 : lost.includes(who) ? 401 : 404,
          ])
        }
      // Like a photo that does not exist.
      const missing = await ask('ogf_standard', habitatImagePaths.bytes(999_999, 'klein'))
      const foreign = await ask('ogf_standard', habitatImagePaths.bytes(ids[2][0], 'klein'))
      expect([foreign.status, await foreign.text()]).toEqual([missing.status, await missing.text()])
      for (const path of [
        '/habitatbilder/0/klein',
        '/habitatbilder/1/riesig',
        '/habitatbilder/1e3/klein',
        '/habitatbilder/-1/klein',
      ])
        expect((await ask('ogf_admin', path)).status, path).toBe(404)
    })
    test('an upload belongs to its photo, its tree and whoever began it', async () => {
      const bytes = await photo(400, 310)
      const picture = randomUUID()
      const address = (await begin('ogf_standard', TREE_A1, picture, bytes)).headers.get('location')!
      for (const [who, where] of [
        ['ogf_fb_admin', address],
        ['kundenadmin', address],
        ['ogf_standard', address.replace(picture, randomUUID())],
        ['ogf_admin', address.replace(idOf(TREE_A1), idOf(TREE_B1))],
      ] as const) {
        expect((await ask(who, where, { method: 'HEAD', headers: TUS })).status, `${who} HEAD`).toBe(404)
        expect((await send(who, where, bytes)).status, `${who} PATCH`).toBe(404)
        expect((await ask(who, where, { method: 'DELETE', headers: TUS })).status, `${who} DELETE`).toBe(404)
      }
      expect((await ask('ogf_standard', address, { method: 'DELETE', headers: TUS })).status).toBe(204)
    })

    test('deleted photos lose their bytes with the next clean-up, kept ones keep them', async () => {
      const [kept, gone] = [await upload(await photo(410, 300)), await upload(await photo(420, 300))]
      const names = async (id: number) => {
        const [row] = await rowsOf<Record<string, string>>('id = $1', id)
        return [row!['sha256']!, row!['klein']!, row!['mittel']!, row!['gross']!]
      }
      const [stay, go] = [await names(kept.id), await names(gone.id)]
      const removed = await engine.api.once(
        asCaller(claimsOf('ogf_fb_admin')),
        sql('delete from app.habitatbilder where id = $1', gone.id),
      )
      expect(removed.rowCount).toBe(1)
      const old = new Date(Date.now() - 48 * 60 * 60_000)
      for (const sha256 of new Set([...stay, ...go])) await utimes(join(place, storeKeyOf(sha256)), old, old)
      await cleanUpFiles({ database: engine.api, fileStore, log: silentLog, now: () => new Date() })
      expect(await Promise.all(stay.map(async (name) => (await fileStore.groesse(name)) !== null))).toEqual([
        true,
        true,
        true,
        true,
      ])
      expect(
        await Promise.all(go.filter((name) => !stay.includes(name)).map((name) => fileStore.groesse(name))),
      ).toEqual(go.map(() => null))
      expect((await ask('ogf_standard', habitatImagePaths.bytes(gone.id, 'klein'))).status).toBe(404)
    })
    test('sizes that are missing are made afterwards; a file that is gone is said to be so', async () => {
      const { id } = await upload(await photo(430, 300))
      await engine.owner.script(
        `begin; set local role forst_betrieb;
          update app.habitatbilder set klein = null, mittel = null, gross = null where id = ${id};
          commit`,
      )
      const waiting = await ask('ogf_standard', habitatImagePaths.bytes(id, 'klein'))
      expect([waiting.status, await waiting.json()]).toMatchObject([
        404,
        { message: expect.stringContaining('aufbereitet') as string },
      ])
      expect(await photos.makeMissingSizes()).toBeGreaterThanOrEqual(1)
      expect((await ask('ogf_standard', habitatImagePaths.bytes(id, 'klein'))).status).toBe(200)
      const [row] = await rowsOf<Record<string, string>>('id = $1', id)
      await rm(join(place, storeKeyOf(row!['sha256']!)))
      const gone = await ask('ogf_standard', habitatImagePaths.bytes(id, 'original'))
      expect([gone.status, await gone.json()]).toMatchObject([
        404,
        { message: expect.stringContaining('nicht mehr auf dem Server') as string },
      ])
    })
  })
