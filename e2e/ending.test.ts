// Stopping a server: readiness goes first, then the requests, and it exits in time whatever is running or
// hanging.
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { createOwnedDatabase, type OwnedDatabase } from '../test/owned-database.ts'
import { postgresUrl } from '../test/postgres.ts'
import { type RunningApp, spawnApp, startApp } from './app.ts'
import { folderMaker } from './folders.ts'
import { tokensOf } from './http-sign-in.ts'
import { openLine, openSilentServer } from './silent-line.ts'

const GRACE_S = 2
/** The limit promised for an idle machine; on an overloaded one it grows with the load. */
const PROMISED_MS = (GRACE_S + 1) * 1000
const allowedMs = (): number => PROMISED_MS * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one()
})
const folder = folderMaker()

interface Ended {
  readonly code: number | null
  readonly ms: number
}

async function terminate(app: Pick<RunningApp, 'child'>): Promise<Ended> {
  const gone = once(app.child, 'exit')
  const started = performance.now()
  app.child.kill('SIGTERM')
  await gone
  return { code: app.child.exitCode, ms: performance.now() - started }
}

async function start(
  env: Record<string, string> = {},
  more: Parameters<typeof startApp>[0] = {},
): Promise<RunningApp> {
  const app = await startApp({ dataDir: folder(), ...more, env: { GRACE_S: String(GRACE_S), ...env } })
  undo.push(() => app.kill())
  return app
}

const locksIn = (dataDir: string): string[] =>
  readdirSync(dataDir).filter((name) => name.startsWith('pgdata.lock'))

async function openSocket({ port }: RunningApp): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  undo.push(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

const BODY = '{"grant_type":"x"}'
const POST =
  'POST /realms/master/protocol/openid-connect/token HTTP/1.1\r\nhost: localhost\r\ncontent-type: ' +
  `application/json\r\ncontent-length: ${BODY.length}\r\n\r\n`

test('while it drains it is not ready and serves everything, then nothing new', async () => {
  // The exit time is covered by the other tests.
  const app = await start({ DRAIN_S: '8', GRACE_S: '30' })
  const gone = once(app.child, 'exit')
  const kept = await openSocket(app)
  app.child.kill('SIGTERM')
  await expect.poll(async () => (await fetch(`${app.origin}/healthz`)).status).toBe(503)
  const health = await fetch(`${app.origin}/healthz`)
  expect([await health.json(), health.headers.get('connection')]).toEqual([{ status: 'ending' }, 'close'])
  expect((await fetch(`${app.origin}/livez`)).status).toBe(200)
  expect((await fetch(`${app.origin}/config/app.json`)).status).toBe(200)
  kept.write('GET /config/app.json HTTP/1.1\r\nhost: localhost\r\n\r\n')
  expect(String((await once(kept, 'data'))[0])).toContain('200 OK')
  await gone
  expect(app.child.exitCode).toBe(0)
  await expect(fetch(`${app.origin}/livez`)).rejects.toThrow('fetch failed')
})

test('a request under way is finished in the grace, and connections on which nothing came do not count', async () => {
  const app = await start({ GRACE_S: '20' })
  const slow = await openSocket(app)
  await openSocket(app)
  slow.write(POST + BODY.slice(0, 5))
  await sleep(300)
  const gone = once(app.child, 'exit')
  app.child.kill('SIGTERM')
  await sleep(1000)
  const answer = once(slow, 'data')
  slow.write(BODY.slice(5))
  expect(String((await answer)[0])).toMatch(/^HTTP\/1.1 4\d\d/)
  const answered = performance.now()
  await gone
  expect(app.child.exitCode).toBe(0)
  expect(performance.now() - answered).toBeLessThan(15_000)
  expect(locksIn(app.dataDir)).toEqual([])
})

test('half a head, half a body, an upload that stands still: gone in time, nothing locked', async () => {
  const app = await start({}, { engine: 'embedded' })
  const { access_token } = await tokensOf(app, 'apus_team')
  const [head, body, upload] = [await openSocket(app), await openSocket(app), await openSocket(app)]
  head.write('GET /livez HT')
  body.write(POST + BODY.slice(0, 5))
  upload.write(
    'POST /prod-api/vermessung/1/upload?name=a.gpkg HTTP/1.1\r\nhost: localhost\r\nauthorization: ' +
      `Bearer ${access_token}\r\ncontent-type: application/octet-stream\r\ncontent-length: 900000\r\n\r\n` +
      'SQLite',
  )
  await sleep(300)
  const { ms } = await terminate(app)
  expect(ms).toBeLessThan(allowedMs())
  expect(locksIn(app.dataDir)).toEqual([])
  const next = await start({}, { dataDir: app.dataDir })
  await next.stop()
})

test('a second signal ends it at once', async () => {
  const app = await start({ GRACE_S: '60' })
  const slow = await openSocket(app)
  slow.write(POST + BODY.slice(0, 5))
  await sleep(300)
  const gone = once(app.child, 'exit')
  app.child.kill('SIGTERM')
  await expect.poll(() => app.output()).toContain('wird beendet')
  app.child.kill('SIGTERM')
  await gone
  expect(app.child.exitCode).toBe(1)
})

/** Reading its table of contents never ends. */
function hostileGeoPackage(): Buffer {
  const file = join(mkdtempSync(join(folder(), 'gpkg-')), 'a.gpkg')
  const db = new DatabaseSync(file)
  db.exec(`pragma application_id = 0x47504b47; pragma user_version = 10300;
    create table gpkg_spatial_ref_sys (srs_name text, srs_id integer primary key, organization text,
      organization_coordsys_id integer, definition text, description text);
    create table wald (fid integer primary key, geom blob);
    create view gpkg_contents as with recursive n (i) as (select 1 union all select i + 1 from n)
      select 'wald' as table_name, 'features' as data_type, max(i) as srs_id from n;
    create table gpkg_geometry_columns (table_name text, column_name text, geometry_type_name text,
      srs_id integer, z tinyint, m tinyint);
    insert into gpkg_geometry_columns values ('wald', 'geom', 'POINT', 25832, 0, 0)`)
  db.close()
  return readFileSync(file)
}

test('a hostile file is being read: gone in time', async () => {
  const app = await start({}, { engine: 'embedded' })
  const { access_token } = await tokensOf(app, 'apus_team')
  const upload = fetch(`${app.origin}/prod-api/vermessung/1/upload?name=a.gpkg`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(hostileGeoPackage()),
  }).catch(() => null)
  await Promise.race([upload, sleep(1500)])
  const { ms } = await terminate(app)
  expect(ms).toBeLessThan(allowedMs())
  await upload
})

test('files lie in a store that says nothing, which is being asked: gone in time', async () => {
  const store = await openSilentServer()
  undo.push(() => store.close())
  const bucket = {
    FILES_S3_ENDPOINT: store.origin,
    FILES_S3_BUCKET: 'wald',
    FILES_S3_ACCESS_KEY: 'a',
    FILES_S3_SECRET_KEY: 'b',
  }
  const dataDir = folder()
  const starting = await spawnApp({ dataDir, env: { GRACE_S: String(GRACE_S), ...bucket } })
  undo.push(() => starting.child.kill('SIGKILL'))
  await expect.poll(() => store.taken(), { timeout: 60_000 }).toBeGreaterThan(0)
  const { ms } = await terminate(starting)
  expect(ms).toBeLessThan(allowedMs())
  await starting.clear()
})

/** As a setting: the next minute at least three seconds away, in the server's time zone. */
function soon(): string {
  const at = new Date(Date.now() + 63_000)
  return at.toLocaleTimeString('de-DE', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' })
}

test('a nightly proof is under way: gone in time, with its folder', { timeout: 300_000 }, async () => {
  const dataDir = folder()
  const backups = join(dataDir, 'sicherungen')
  const app = await start({ BACKUP: 'on', BACKUP_AT: soon() }, { engine: 'embedded', dataDir })
  const proofs = () => readdirSync(backups).filter((name) => name.startsWith('probe-'))
  await expect.poll(proofs, { timeout: 200_000, interval: 200 }).toHaveLength(1)
  const [proof = ''] = proofs()
  await expect.poll(() => readdirSync(join(backups, proof)).length, { timeout: 60_000 }).toBeGreaterThan(0)
  const { ms } = await terminate(app)
  expect(ms).toBeLessThan(allowedMs())
  expect(proofs()).toEqual([])
  expect(locksIn(dataDir)).toEqual([])
})

describe.skipIf(postgresUrl() === null)('on PostgreSQL', () => {
  let database: OwnedDatabase
  afterEach(() => database.drop())

  test('a database that says nothing: gone in time, with requests that wait for it and with none', async () => {
    database = await createOwnedDatabase()
    const url = new URL(database.ownerUrl)
    const line = await openLine({ host: url.hostname, port: Number(url.port) })
    undo.push(() => line.close())
    url.port = String(line.port)
    const env = { DATABASE_URL: url.toString(), PUBLIC_ORIGIN: 'https://forst.example', HOST: '127.0.0.1' }
    const dataDir = folder()
    for (const requests of [3, 0]) {
      const app = await start(env, { dataDir })
      line.silence()
      const waiting = Array.from({ length: requests }, () =>
        fetch(`${app.origin}/prod-api/annahme/abcdefghijklmnopqrstuvwxyz0123456789`).catch(() => null),
      )
      await sleep(500)
      const { ms } = await terminate(app)
      expect(ms).toBeLessThan(allowedMs())
      await Promise.all(waiting)
      if (requests === 0) return
      // A silenced line stays silent, so the next start gets a new one.
      line.close()
      const again = await openLine({
        host: new URL(database.ownerUrl).hostname,
        port: Number(new URL(database.ownerUrl).port),
      })
      undo.push(() => again.close())
      env.DATABASE_URL = Object.assign(new URL(database.ownerUrl), { port: String(again.port) }).toString()
    }
  })
})

describe('a signal during the start', () => {
  for (const ms of [400, 900, 1500, 2500, 4500]) {
    test(`after ${ms} ms leaves no lock and no half-made folder in the way`, async () => {
      const dataDir = folder()
      // Even on a busy machine it must end by itself: a killed process releases nothing.
      const app = await spawnApp({ engine: 'embedded', dataDir, env: { GRACE_S: '30' } })
      undo.push(() => app.child.kill('SIGKILL'))
      await sleep(ms)
      const { ms: took } = await terminate(app)
      expect(took).toBeLessThan(allowedMs() * 2)
      expect(app.output()).not.toContain('startet nicht')
      expect(locksIn(dataDir)).toEqual([])
    })
  }

  test('after which the next start has everything', async () => {
    const dataDir = folder()
    for (const ms of [900, 1700]) {
      const app = await spawnApp({ engine: 'embedded', dataDir, env: {} })
      undo.push(() => app.child.kill('SIGKILL'))
      await sleep(ms)
      await terminate(app)
    }
    const app = await start({}, { engine: 'embedded', dataDir })
    expect((await fetch(`${app.origin}/healthz`)).status).toBe(200)
    expect(await app.stop()).toBe(0)
  })
})

test('npm start passes the signal on', { timeout: 120_000 }, async () => {
  const dataDir = folder()
  const app = await spawnApp({
    engine: 'embedded',
    dataDir,
    env: { GRACE_S: String(GRACE_S) },
    command: ['npm', 'start'],
  })
  undo.push(() => app.child.kill('SIGKILL'))
  await expect
    .poll(
      () =>
        fetch(`${app.origin}/healthz`).then(
          (answer) => answer.status,
          () => 0,
        ),
      { timeout: 90_000 },
    )
    .toBe(200)
  await terminate(app)
  expect(app.output()).toContain('wird beendet')
  await expect
    .poll(() =>
      fetch(`${app.origin}/livez`).then(
        () => 'there',
        () => 'gone',
      ),
    )
    .toBe('gone')
  expect(locksIn(dataDir)).toEqual([])
})
