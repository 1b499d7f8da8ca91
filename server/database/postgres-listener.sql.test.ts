// Messages of NOTIFY on its own connection: heard, and heard again after the connection was lost.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '#server/log.ts'
import { createTestDatabase, postgresUrl, type TestDatabase } from '../../test/postgres.ts'
import { createPostgresDatabase } from './postgres.ts'

describe.skipIf(postgresUrl() === null)('listening', () => {
  let home: TestDatabase
  let admin: pg.Client
  beforeAll(async () => {
    home = await createTestDatabase()
    admin = new pg.Client({ connectionString: home.url })
    await admin.connect()
  })
  afterAll(async () => {
    await admin.end()
    await home.drop()
  })
  const listeners = async () => {
    const { rows } = await admin.query<{ pid: number }>(
      `select pid from pg_stat_activity
        where datname = current_database() and application_name = 'forstkontor listens'`,
    )
    return rows.map(({ pid }) => pid)
  }

  test('one connection for all who listen; after a loss they are told that something may be missed', async () => {
    const database = createPostgresDatabase({ url: home.url, log: silentLog })
    const [one, other]: [string[], string[]] = [[], []]
    database.listen?.('pgrst', (message) => void one.push(message))
    database.listen?.('pgrst', (message) => void other.push(message))
    await expect.poll(async () => (await listeners()).length).toBe(1)
    await expect
      .poll(async () => {
        await admin.query(`notify pgrst, 'reload schema'; notify something, 'else'`)
        return [one.includes('reload schema'), other.includes('reload schema')]
      })
      .toEqual([true, true])
    await admin.query(`select pg_notify('pgrst', repeat('x', 7000))`)
    const [lost] = await listeners()
    await admin.query('select pg_terminate_backend($1)', [lost])
    await expect.poll(() => one.includes('')).toBe(true)
    expect(one.some((message) => message.length > 100)).toBe(false)
    expect((await listeners())[0]).not.toBe(lost)
    await database.close()
    await expect.poll(listeners).toEqual([])
  })

  test('a database that is away is asked for again, and closed without waiting for it', async () => {
    const told: string[] = []
    const log = { ...silentLog, warn: (message: string) => void told.push(message) }
    const database = createPostgresDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', log })
    database.listen?.('pgrst', () => undefined)
    await expect.poll(() => told).toEqual(['the database cannot be listened to'])
    const begun = performance.now()
    await database.close()
    expect(performance.now() - begun).toBeLessThan(2_000)
  })
})
