// Photos of survey objects over HTTP, by the same code as those of trees (photos.sql.test.ts): who may send and see
// one, sent twice, cut off, deleted, and drawn later.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { surveyImagePaths } from '#contract/survey-images.ts'
import { folderStore, type Store } from '#server/files/store.ts'
import { silentLog } from '#server/log.ts'
import { C, UUID_B, UUID_C } from '../../db/test/cells/vermessung.ts'
import { asCaller, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { refusingServer } from '../../db/test/refusing-server.ts'
import { claimsOf, type IdentityName, ROLE_NAMES } from '../../db/test/world.ts'
import { beginning, piece, sha } from '../../test/tus.ts'
import { cleanUpFiles } from '../karten/cleaner.ts'
import { quarters, photo } from './bad-photos.fixture.ts'
import { createPhotoProcessor } from './photo-processor.ts'
import { createPhotosRoom } from './photos.ts'

const PREFIX = '/prod-api'
const STAFF: readonly IdentityName[] = ['apus_team', 'apus_admin', 'admin']
const OWNERS: readonly IdentityName[] = ['appuser', 'appuser_admin']
const WHO: readonly IdentityName[] = [...ROLE_NAMES, 'unknown', 'nobody', 'disabled', 'session_ended']

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`photos of survey objects over HTTP on ${engineName}`, () => {
    let engine: Engine
    let folder: string
    let fileStore: Store
    let app: FastifyInstance
    let origin: string
    let photos: ReturnType<typeof createPhotosRoom>
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      folder = await mkdtemp(join(tmpdir(), 'objektfotos-'))
      fileStore = folderStore(folder)
      app = refusingServer(1000)
      photos = createPhotosRoom({
        database: engine.api,
        fileStore,
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
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    })

    const ask = (who: IdentityName, path: string, init: RequestInit = {}) =>
      fetch(`${origin}${path.startsWith(PREFIX) ? '' : PREFIX}${path}`, {
        ...init,
        headers: { authorization: `Bearer token-${who}`, ...init.headers },
      })
    const begin = (
      who: IdentityName,
      bytes: Uint8Array,
      photoId: string,
      objectId = UUID_C,
      kind = 'schacht',
    ) =>
      ask(
        who,
        surveyImagePaths.upload(kind as 'schacht', objectId, photoId),
        beginning(bytes, 'Schacht 7.jpg', { bemerkung: 'Deckel' }),
      )
    async function upload(
      bytes: Uint8Array,
      who: IdentityName = 'apus_team',
      photoId: string = randomUUID(),
    ) {
      const begun = await begin(who, bytes, photoId)
      expect(begun.status, await begun.clone().text()).toBe(201)
      const answer = await ask(who, begun.headers.get('location')!, piece(bytes, 0))
      return { bild: photoId, answer, id: Number(answer.headers.get('vermessung-bild')) }
    }
    const rows = async (where: string, ...values: unknown[]) =>
      (
        await engine.api.once<Record<string, unknown>>(
          asCaller(claimsOf('apus_admin')),
          sql(`select * from app.vermessungsbilder where ${where} order by id`, ...values),
        )
      ).rows

    test('staff send one, it is drawn, and whoever sees the object gets its bytes', async () => {
      const bytes = await photo(900, 600)
      const { answer, id, bild } = await upload(bytes)
      expect(answer.status).toBe(204)
      const [row] = await rows('id = $1', id)
      expect(row).toMatchObject({
        kennung: bild,
        tabelle: 'schacht',
        objekt: UUID_C,
        sha256: sha(bytes),
        breite: 900,
        bemerkung: 'Deckel',
        dateiname: 'Schacht 7.jpg',
      })
      for (const who of WHO) {
        const sees = [...STAFF, ...OWNERS].includes(who)
        const small = await ask(who, surveyImagePaths.bytes(id, 'klein'))
        expect([200, 401, 403, 404].includes(small.status)).toBe(true)
        expect(small.status === 200, who).toBe(sees)
        if (sees) expect(small.headers.get('content-type')).toBe('image/webp')
      }
      const original = await ask('appuser', surveyImagePaths.bytes(id, 'original'))
      expect(sha(new Uint8Array(await original.arrayBuffer()))).toBe(sha(bytes))
    })

    test('only staff may send one, to an object that there is', async () => {
      const bytes = await photo(64, 64)
      for (const who of WHO)
        expect((await begin(who, bytes, randomUUID())).status === 201, who).toBe(STAFF.includes(who))
      expect((await begin('apus_team', bytes, randomUUID(), randomUUID())).status).toBe(404)
      expect((await begin('apus_team', bytes, randomUUID(), UUID_C, 'einlauf')).status).toBe(404)
      expect((await begin('apus_team', bytes, randomUUID(), UUID_C, 'kunde')).status).toBe(404)
      expect((await begin('apus_team', bytes, 'x')).status).toBe(404)
    })

    test('the same photo from two devices is one; other bytes, and a deleted one, are refused by name', async () => {
      const bytes = await photo(300, 200)
      const { bild, id } = await upload(bytes)
      const again = await begin('apus_admin', bytes, bild)
      expect([again.status, Number(again.headers.get('vermessung-bild'))]).toEqual([201, id])
      const other = await begin('apus_admin', await photo(310, 200), bild)
      expect([other.status, ((await other.json()) as { hint: string }).hint]).toEqual([
        409,
        'vermessung_kennung_vergeben',
      ])
      expect(await rows('kennung = $1', bild)).toHaveLength(1)
      await engine.api.once(
        asCaller(claimsOf('apus_team')),
        sql('delete from app.vermessungsbilder where id = $1', id),
      )
      const late = await begin('apus_team', bytes, bild)
      expect([late.status, ((await late.json()) as { hint: string }).hint]).toEqual([
        409,
        'vermessung_geloescht',
      ])
      expect((await ask('apus_team', surveyImagePaths.bytes(id, 'original'))).status).toBe(404)
    })

    test('what is no photo is refused with its reason, and nothing is kept of it', async () => {
      const before = (await rows('true')).length
      const bytes = new TextEncoder().encode('<html>no photo</html>')
      const begun = await begin('apus_team', bytes, randomUUID())
      const answer = await ask('apus_team', begun.headers.get('location')!, piece(bytes, 0))
      expect(((await answer.json()) as { hint: string }).hint).toBe('bild_typ')
      expect((await rows('true')).length).toBe(before)
    })

    test('sizes that are missing are drawn later, and the clean-up keeps what a row names', async () => {
      const { id } = await upload(await quarters(500, 400).jpeg().toBuffer())
      await engine.owner.script(
        `begin; set local role forst_betrieb; update app.habitatbilder set klein = sha256, mittel = sha256,
           gross = sha256; delete from app.vermessungsbilder where sha256 like '000%'; commit;
         begin; set local role forst_betrieb; update app.vermessungsbilder set klein = null where id = ${id};
         commit`,
      )
      expect(await photos.makeMissingSizes()).toBe(1)
      const [row] = await rows('id = $1', id)
      expect(row!['klein']).toMatch(/^[0-9a-f]{64}$/)
      await cleanUpFiles({
        database: engine.api,
        fileStore,
        log: silentLog,
        now: () => new Date('2027-11-22T12:00:00Z'),
      })
      for (const size of ['original', 'klein', 'mittel', 'gross'] as const)
        expect((await ask('apus_team', surveyImagePaths.bytes(id, size))).status, size).toBe(200)
      expect(C).toBe(Number(row!['client_id']))
      expect(UUID_B).not.toBe(row!['objekt'])
    })
  })
