// Readiness on PostgreSQL is truthful: a standby and a closed database are not ready, a pool in use is.
import Fastify from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPostgresBinaries } from '../test/postgres-binaries.ts'
import { type PrivatePostgres, startPrivatePostgres, startStandby } from '../test/private-postgres.ts'
import { SilentLine } from '../test/silent-line.ts'
import { readConfig } from './config.ts'
import { createPostgresDatabase } from './database/postgres.ts'
import { createOwnerConnection } from './database/postgres-owner.ts'
import { health } from './health.ts'
import { silentLog } from './log.ts'
import { openDatabase } from './open-database.ts'

const binaries = findPostgresBinaries()

describe.skipIf(binaries === undefined)('/healthz on PostgreSQL', () => {
  let primary: PrivatePostgres
  let standby: PrivatePostgres
  beforeAll(async () => {
    primary = await startPrivatePostgres(binaries ?? '')
    standby = await startStandby(binaries ?? '', primary.url)
  })
  afterAll(async () => {
    await standby?.stop()
    await primary?.stop()
  })

  async function serverOn(url: string, poolSize = 2) {
    const database = createPostgresDatabase({ url, poolSize, log: silentLog })
    const app = Fastify()
    health(app, database)
    const status = async () => (await app.inject('/healthz')).statusCode
    const stop = async () => {
      await app.close()
      await database.close()
    }
    return { database, status, stop }
  }

  test('the primary is ready, its standby is not, and it is once it takes over', async () => {
    const first = await serverOn(primary.url)
    const second = await serverOn(standby.url)
    expect([await first.status(), await second.status()]).toEqual([200, 503])
    const config = readConfig({ DATABASE_URL: standby.url })
    await expect(
      openDatabase({ config, secrets: ['x'], templateArchive: '', log: silentLog, now: () => new Date() }),
    ).rejects.toThrow(/Standby/)
    expect(
      (await second.database.once({ role: 'postgres', readOnly: true }, { text: 'select 1 as one' })).rows,
    ).toEqual([{ one: 1 }])
    const owner = await createOwnerConnection(standby.url)
    await owner.query('select pg_promote()')
    await owner.close()
    await expect.poll(second.status).toBe(200)
    await first.stop()
    await second.stop()
  })

  test('a database that is closed for changes is not ready, and ready when it is open again', async () => {
    const server = await serverOn(primary.url)
    expect(await server.status()).toBe(200)
    const owner = await createOwnerConnection(primary.url)
    await owner.script('alter system set default_transaction_read_only = on')
    await owner.script('select pg_reload_conf()')
    await expect.poll(server.status).toBe(503)
    await owner.script('begin read write; set transaction read write; rollback')
    await owner.script('set default_transaction_read_only = off')
    await owner.script('alter system reset default_transaction_read_only')
    await owner.script('select pg_reload_conf()')
    await expect.poll(server.status).toBe(200)
    await owner.close()
    await server.stop()
  })

  test('a pool in use is ready, however many ask, and all of them share one question', async () => {
    const server = await serverOn(primary.url, 1)
    const slow = server.database.once({ role: 'postgres', readOnly: true }, { text: 'select pg_sleep(3)' })
    await sleep(200)
    const owner = await createOwnerConnection(primary.url)
    const before = await connections(owner)
    const all = await Promise.all(Array.from({ length: 500 }, server.status))
    expect(new Set(all)).toEqual(new Set([200]))
    expect((await connections(owner)) - before).toBeLessThanOrEqual(1)
    await slow
    await owner.close()
    await server.stop()
  })

  test('over a line that says nothing it is told within two seconds, and ready soon after', async () => {
    const line = await SilentLine.to(primary.url)
    const server = await serverOn(line.through(primary.url))
    expect(await server.status()).toBe(200)
    line.mode = 'swallow'
    await sleep(200)
    const begun = performance.now()
    expect(await server.status()).toBe(503)
    expect(performance.now() - begun).toBeLessThan(3_500)
    line.mode = 'pass'
    await expect.poll(server.status).toBe(200)
    await server.stop()
    await line.stop()
  })
})

const connections = async (owner: Awaited<ReturnType<typeof createOwnerConnection>>): Promise<number> =>
  (await owner.query(`select from pg_stat_activity where application_name = 'forstkontor'`)).rowCount
