// Who may not import sends no file: what is refused is refused before the file arrives, and only so many arrive at
// once, of a person with all their keys and of everybody together.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Claims, personOf, SignInFault } from '#server/caller.ts'
import { answerEvery } from '#server/http-faults.ts'
import { createArrivals } from '#server/files/arrivals.ts'
import { silentLog } from '#server/log.ts'
import { refuseAt } from '#server/refuse.ts'
import type { Room } from '#server/room.ts'
import { guardRoutes } from '#server/route-caller.ts'
import { createWorkQueue } from '#server/work-queue.ts'
import { C } from '../../db/test/cells/vermessung.ts'
import { insertKey } from '../../db/test/cells/zugang.ts'
import { enginesToday, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { A1, claimsOf, IDENTITIES, type IdentityName, numberOf } from '../../db/test/world.ts'
import { createBestandRoom } from '../bestand/routes.ts'
import { createEingangRoom } from '../eingang/routes.ts'
import { createHabitatFilesRoom } from '../habitat/file-routes.ts'
import { digestOf, makeKey } from '../program-keys/key-format.ts'
import { createProgramKeys } from '../program-keys/program-keys.ts'
import { createVermessungRoom } from '../vermessung/routes.ts'
import { createImportRoom } from './routes.ts'

const BASES = { DATA_API_BASE: '/rest', GENERAL_API_BASE: '/prod-api' }
const now = () => new Date('2026-11-28T12:00:00Z')
const BYTES = 10 * 2 ** 20
/** Of the server in this test. */
const MOST_ARRIVING = 6

interface Upload {
  readonly request: ClientRequest
  readonly answer: Promise<{ status: number; connection: string | undefined; hint?: string }>
}

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`files of imports that arrive on ${engineName}`, () => {
    let engine: Engine
    let app: FastifyInstance
    let folder: string
    let rooms: Room[] = []
    let nextKey = 40_000
    const uploads: Upload[] = []

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'arrivals-'))
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      const arrivals = createArrivals({ atOnce: MOST_ARRIVING })
      const shared = { database: engine.api, log: silentLog, now, work: createWorkQueue(), arrivals }
      const at = (name: string) => join(folder, name)
      const others = [
        createEingangRoom({ ...shared, folder: at('eingang') }),
        createHabitatFilesRoom({ ...shared, folder: at('habitat') }),
        createVermessungRoom({ ...shared, folder: at('vermessung') }),
        createBestandRoom({ ...shared, folder: at('bestand') }),
      ] as Room[]
      const imports = others.flatMap((room) => room.imports ?? [])
      const room = createImportRoom({
        ...shared,
        folder: at('importe'),
        others: imports,
      })
      rooms = [room, ...others]
      const tokens = (authorization: string | undefined): Caller => {
        const name = (authorization ?? '').replace('Bearer ', '')
        if (!(name in IDENTITIES)) throw new SignInFault('missing', 'no token')
        const claims = claimsOf(name as IdentityName) as Claims
        return { claims, claimsJson: JSON.stringify(claims), person: personOf(claims) }
      }
      const keys = createProgramKeys({
        database: engine.api,
        tokens,
        now,
        log: silentLog,
        failuresPerMinute: 20,
      })
      app = fastify()
      answerEvery(app.server)
      app.setErrorHandler((error, request, reply) => refuseAt(request.url, BASES)(reply, error))
      guardRoutes(app, keys.authenticate)
      keys.guard(app)
      for (const one of rooms) await app.register(one.routes!, { prefix: '/prod-api' })
      await app.listen({ host: '127.0.0.1', port: 0 })
    })
    afterEach(async () => {
      for (const { request } of uploads.splice(0)) request.destroy()
      await expect.poll(() => files()).toEqual([])
    })
    afterAll(async () => {
      await Promise.all(rooms.map((room) => room.close?.()))
      await app?.close()
      await engine?.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const FOLDERS = ['importe', 'eingang', 'habitat', 'vermessung', 'bestand']
    const files = (): string[] =>
      FOLDERS.flatMap((name) => {
        try {
          return readdirSync(join(folder, name))
        } catch {
          return []
        }
      })
    async function keyOf(name: keyof typeof IDENTITIES): Promise<{ id: number; key: string }> {
      const id = ++nextKey
      const key = makeKey()
      const { groups } = IDENTITIES[name]
      await engine.owner.script(
        `begin; set local role forst_betrieb; ${insertKey({ user_id: numberOf(name), id, groups })}
         update accounts.zugang set digest = decode('${digestOf(key)}', 'hex') where id = ${id}; commit`,
      )
      return { id, key }
    }
    /** Announces a file of ten megabytes, and sends its first bytes. */
    const begin = (who: string, path: string): Upload => send(who, `import/${path}`)
    function send(who: string, path: string): Upload {
      const { port } = app.server.address() as AddressInfo
      const request = httpRequest({
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: `/prod-api/${path}`,
        headers: {
          authorization: `Bearer ${who}`,
          'content-type': 'application/octet-stream',
          'content-length': BYTES,
          'idempotency-key': `number-of-an-arrival-${++nextKey}`,
        },
      })
      const answer = new Promise<IncomingMessage>((resolve, reject) => {
        request.once('response', resolve).once('error', reject)
      }).then(async (message) => {
        const chunks: Buffer[] = []
        for await (const chunk of message) chunks.push(chunk as Buffer)
        const { hint } = JSON.parse(Buffer.concat(chunks).toString()) as { hint?: string }
        return {
          status: message.statusCode ?? 0,
          connection: message.headers.connection,
          ...(hint && { hint }),
        }
      })
      answer.catch(() => undefined)
      request.write('a'.repeat(1000))
      const upload = { request, answer }
      uploads.push(upload)
      return upload
    }

    test('who may not import is refused before the file arrives, and the connection is closed', async () => {
      const { key: team } = await keyOf('apus_team')
      const { key: forest } = await keyOf('ogf_admin')
      const cases: [who: string, path: string, status: number][] = [
        [team, 'kunden', 403],
        [team, 'kontoauszug', 403],
        [team, 'eingangsrechnungen', 403],
        [team, `habitatbaeume?hq=${A1}`, 404],
        [team, `waldbestand?hq=${A1}`, 404],
        [forest, `vermessung?kunde=${C}&modus=ersetzen`, 404],
        ['ogf_team', 'kunden', 403],
      ]
      for (const [who, path, status] of cases)
        expect(await begin(who, path).answer, path).toEqual({ status, connection: 'close' })
      expect(files()).toEqual([])
    })

    test('a key that was revoked while the server knows it sends no file either', async () => {
      const { id, key } = await keyOf('ogf_admin')
      begin(key, 'kunden')
      await expect.poll(() => files().length).toBe(1)
      await engine.owner.script(
        `begin; set local role forst_betrieb;
         update accounts.zugang set beendet_am = now(), beendet_grund = 'beendet' where id = ${id};
         commit`,
      )
      expect(await begin(key, 'kunden').answer).toMatchObject({ status: 401, connection: 'close' })
      expect(files()).toHaveLength(1)
    })

    test('the keys of a person have one share', async () => {
      const keys = [await keyOf('ogf_admin'), await keyOf('ogf_admin')]
      for (const which of [0, 1, 0, 1]) begin(keys[which]!.key, 'kunden')
      await expect.poll(() => files().length).toBe(4)
      for (const who of [keys[1]!.key, (await keyOf('ogf_admin')).key, 'ogf_admin'])
        expect(await begin(who, 'kunden').answer).toEqual({
          status: 429,
          connection: 'close',
          hint: 'import_viele',
        })
      const { key: other } = await keyOf('admin')
      begin(other, 'kunden')
      await expect.poll(() => files().length).toBe(5)
    })

    test('only so many files arrive at once, whoever sends them', async () => {
      for (const who of ['ogf_admin', 'admin'])
        for (let nr = 0; nr < MOST_ARRIVING / 2; nr++) begin(who, 'kunden')
      await expect.poll(() => files().length).toBe(MOST_ARRIVING)
      const refused = { status: 429, connection: 'close', hint: 'import_voll' }
      expect(await begin('admin', 'kunden').answer).toEqual(refused)
      uploads[0]!.request.destroy()
      await expect.poll(() => files().length).toBe(MOST_ARRIVING - 1)
      begin('admin', 'kunden')
      await expect.poll(() => files().length).toBe(MOST_ARRIVING)
    })

    const SCREENS: [who: IdentityName, path: string][] = [
      ['apus_admin', 'eingang/upload?name=a.xml'],
      ['ogf_admin', `habitat/${A1}/import/lage?name=a.csv`],
      ['ogf_admin', `habitat/${A1}/import/pruefen?name=a.csv&werte={}`],
      ['ogf_admin', `habitat/${A1}/import/start?name=a.csv&werte={}`],
      ['apus_team', `vermessung/${C}/upload?name=a.gpkg`],
      ['ogf_admin', `bestand/${A1}/upload?name=a.gpkg`],
    ]
    test.each(SCREENS)('files of the screens have the same shares: %s %s', async (who, path) => {
      for (let nr = 0; nr < 4; nr++) send(who, path)
      await expect.poll(() => files().length).toBe(4)
      const refused = { status: 429, connection: 'close' }
      expect(await send(who, path).answer).toEqual({ ...refused, hint: 'upload_viele' })
      const other = who === 'ogf_admin' ? 'admin' : 'ogf_admin'
      for (let nr = 0; nr < MOST_ARRIVING - 4; nr++) begin(other, 'kunden')
      await expect.poll(() => files().length).toBe(MOST_ARRIVING)
      expect(await begin(other, 'kunden').answer).toEqual({ ...refused, hint: 'import_voll' })
    })
  })
