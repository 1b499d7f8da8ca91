// What the data API answers when the database, the client or the network fails.
import { request as sendRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { createPostgresDatabase, type PostgresOptions } from '#server/database/postgres.ts'
import { silentLog } from '#server/log.ts'
import { createTestDatabase, postgresUrl, type TestDatabase } from '../../test/postgres.ts'
import { CatalogueKeeper } from './catalogue-keeper.ts'
import { FIXTURE_SQL, openShop, type Response, type Shop } from './data-api.fixture.ts'
import type { DataApiOptions } from './data-api.ts'

describe.skipIf(postgresUrl() === null)('failures', () => {
  let home: TestDatabase
  let admin: pg.Client
  const open: { shop: Shop; database: Database }[] = []
  beforeAll(async () => {
    home = await createTestDatabase()
    admin = new pg.Client({ connectionString: home.url })
    await admin.connect()
    await admin.query(FIXTURE_SQL)
  })
  afterAll(async () => {
    for (const { shop, database } of open) {
      await shop.close()
      await database.close()
    }
    await admin.end()
    await home.drop()
  })
  const login = () => {
    const url = new URL(home.url)
    url.username = 'shop_login'
    return url.toString()
  }
  async function start(
    address = login(),
    engine: Partial<PostgresOptions> = {},
    options: Partial<DataApiOptions> = {},
  ): Promise<Shop> {
    const database = createPostgresDatabase({ url: address, log: silentLog, ...engine })
    const shop = await openShop(database, options)
    open.push({ shop, database })
    return shop
  }
  const refusal = (answer: Response) => [answer.status, (answer.json as { code?: string }).code]

  test('no database at the start: 503 PGRST002 with Retry-After, and no word about where it should be', async () => {
    const shop = await start('postgres://shop_login@127.0.0.1:1/none')
    const answer = await shop.call('/album')
    expect([...refusal(answer), answer.headers['retry-after']]).toEqual([503, 'PGRST002', '1'])
    expect(answer.text).not.toMatch(/127\.0\.0\.1|ECONN|shop_login/)
    expect(await shop.api.ready()).toBe(false)
  })

  test('an answer larger than allowed: 413, and the next request works', async () => {
    const shop = await start(login(), { answerBytes: 2 ** 18 })
    await shop.api.ready()
    await admin.query(`update shop.album set title = repeat('x', 5000) where id = 1`)
    const many = Array.from({ length: 100 }, (_, i) => `a${i}:title`).join()
    for (const options of [
      {},
      { method: 'PATCH', body: { title: 'y'.repeat(4000) }, headers: { prefer: 'return=representation' } },
    ]) {
      const answer = await shop.call(`/album?id=eq.1&select=${many}`, options)
      expect(refusal(answer)).toEqual([413, '54000'])
      expect(answer.json).toMatchObject({ hint: expect.stringContaining('fewer rows or columns') })
    }
    // The change was not made.
    const { json } = await shop.call('/album?id=eq.1&select=title')
    expect(json).toEqual([{ title: 'x'.repeat(5000) }])
    await admin.query(`update shop.album set title = 'one' where id = 1`)
  })

  test("one person's share used up: 429 with Retry-After", async () => {
    const shop = await start(login(), { poolSize: 2, shares: { waitingPerPerson: 3 } })
    await shop.api.ready()
    const all = await Promise.all(
      Array.from({ length: 8 }, () => shop.call('/rpc/sleep', { method: 'POST', body: { seconds: 0.2 } })),
    )
    const refused = all.filter(({ status }) => status === 429)
    expect(all.filter(({ status }) => status === 204).length).toBe(4)
    expect(refused.map((answer) => [...refusal(answer), answer.headers['retry-after']])).toEqual(
      Array(4).fill([429, '53300', '1']),
    )
  })

  test('no connection free in time: 504 PGRST003', async () => {
    const shop = await start(login(), { poolSize: 1, poolTimeoutMs: 200 })
    await shop.api.ready()
    const long = shop.call('/rpc/sleep', { method: 'POST', body: { seconds: 1 } })
    await sleep(100)
    expect(refusal(await shop.call('/album'))).toEqual([504, 'PGRST003'])
    expect((await long).status).toBe(204)
    expect((await shop.call('/album')).status).toBe(200)
  })

  test('a connection that breaks under a read: 503 PGRST001 or the answer, and the next request works', async () => {
    const shop = await start(login(), { poolSize: 1 })
    await shop.api.ready()
    const long = shop.call('/rpc/sleep', { method: 'POST', body: { seconds: 2 } })
    await sleep(300)
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'shop_login' and query ` +
        `like '%sleep%' and state = 'active' and datname = current_database()`,
    )
    expect([204, 503]).toContain((await long).status)
    expect((await shop.call('/album?select=id&id=eq.1')).json).toEqual([{ id: 1 }])
  })

  test('the log has what the caller does not get', async () => {
    const lines: unknown[] = []
    const log = {
      ...silentLog,
      error: (message: string, facts?: Record<string, unknown>) => void lines.push({ message, ...facts }),
    }
    const shop = await start(login(), {}, { log })
    const answer = await shop.call('/rpc/fail?secret=1', {
      method: 'POST',
      body: { code: 'XX000', message: 'inner works' },
    })
    expect(answer.status).toBe(400) // ?secret=1 is not a filter
    const failed = await shop.call('/rpc/fail', {
      method: 'POST',
      body: { code: 'XX000', message: 'inner works', hint: 'look there' },
    })
    expect(failed.json).toEqual({
      code: 'XX000',
      message: 'The database could not process the request',
      details: null,
      hint: null,
    })
    expect(lines).toEqual([
      expect.objectContaining({
        path: '/rest/rpc/fail',
        status: 500,
        code: 'XX000',
        // Not the message: it may quote what the row contains.
        reason: 'DatabaseFault XX000',
      }),
    ])
  })

  test('a body without end: 413 as soon as it is too large; a slow one: 408', async () => {
    const shop = await start(login(), {}, { limits: { bodyBytes: 1000, deadlineMs: 400 } })
    await shop.api.ready()
    const streamed = (send: (write: (text: string) => void) => void) =>
      new Promise<number>((resolve, reject) => {
        const outgoing = sendRequest({
          host: '127.0.0.1',
          port: shop.port,
          method: 'POST',
          path: '/rest/genre',
          headers: { Authorization: 'Bearer u1' },
          agent: false,
        })
        outgoing.on('response', (incoming) => {
          resolve(incoming.statusCode ?? 0)
          incoming.resume()
          outgoing.destroy()
        })
        outgoing.on('error', reject)
        send((text) => void outgoing.write(text))
      })
    expect(await streamed((write) => write(`[${' '.repeat(2000)}`))).toBe(413)
    expect(await streamed((write) => write('['))).toBe(408)
  })

  test('a client that leaves early leaves nothing behind, and no fault of ours in the log', async () => {
    const lines: unknown[] = []
    const shop = await start(
      login(),
      { poolSize: 1 },
      { log: { ...silentLog, error: (message) => void lines.push(message) } },
    )
    await shop.api.ready()
    const outgoing = sendRequest({
      host: '127.0.0.1',
      port: shop.port,
      method: 'POST',
      path: '/rest/genre',
      headers: { Authorization: 'Bearer u1', 'Content-Length': '100' },
      agent: false,
    })
    outgoing.on('error', () => undefined)
    outgoing.write('{"id": 77')
    await sleep(50)
    outgoing.destroy()
    await new Promise((resolve) => outgoing.on('close', resolve))
    expect((await shop.call('/genre?id=eq.77')).json).toEqual([])
    expect(lines).toEqual([])
  })

  test('what was dropped is forgotten with the first failure', async () => {
    const shop = await start()
    await admin.query('create table shop.brief (id int); grant select on shop.brief to shop_web')
    expect((await shop.call('/brief')).status).toBe(200)
    await admin.query('drop table shop.brief')
    await sleep(1050)
    expect(refusal(await shop.call('/brief'))).toEqual([404, 'PGRST205'])
  })

  test('the catalogue is read at most once a second, and kept when it cannot be read', async () => {
    const real = createPostgresDatabase({ url: login(), log: silentLog })
    let reads = 0
    let away = false
    const counted: Database = {
      engine: real.engine,
      once: (context, statement) => {
        reads++
        return away ? real.once(context, { text: 'select * from nowhere' }) : real.once(context, statement)
      },
      transaction: real.transaction.bind(real),
      ping: () => real.ping(),
      close: () => real.close(),
    }
    let now = 0
    const keeper = new CatalogueKeeper(
      counted,
      { schemas: ['shop'], roles: ['shop_web'] },
      silentLog,
      () => now,
    )
    const first = await keeper.first()
    expect(await Promise.all(Array.from({ length: 20 }, () => keeper.newerThan(first)))).toEqual(
      Array.from({ length: 20 }, () => null),
    )
    expect(reads).toBe(1)
    now = 1000
    const newer = await Promise.all(Array.from({ length: 20 }, () => keeper.newerThan(first)))
    expect(reads).toBe(2)
    expect(newer.every((catalogue) => catalogue !== null && catalogue !== first)).toBe(true)
    // A name that nobody has is read for once a minute, and a flood of names ever less often.
    const current = keeper.loaded!
    keeper.noteMissed('nowhere')
    now = 30_000
    expect(await keeper.newerThan(current, 'nowhere')).toBeNull()
    expect(reads).toBe(2)
    for (let nr = 0; nr < 100; nr++) {
      now += 1000
      const newer = await keeper.newerThan(keeper.loaded!, `unknown ${nr}`)
      if (newer !== null) keeper.noteMissed(`unknown ${nr}`)
    }
    expect(reads).toBeLessThan(15)
    // Somebody says that it has changed: every name is looked for again, and found at once.
    const [before, old] = [reads, keeper.loaded]
    keeper.reloadSoon()
    await expect.poll(() => keeper.loaded).not.toBe(old)
    expect(reads).toBe(before + 1)
    now += 2000
    expect(await keeper.newerThan(keeper.loaded!, 'unknown 99')).not.toBeNull()
    expect(reads).toBe(before + 2)
    away = true
    now += 2000
    const reads3 = reads + 1
    const held = keeper.loaded
    expect(held === null ? undefined : await keeper.newerThan(held)).toBeNull()
    expect([reads, keeper.loaded]).toEqual([reads3, held])
    await real.close()
  })

  test('a change said while the catalogue is being read is read after that', async () => {
    const real = createPostgresDatabase({ url: login(), log: silentLog })
    const finished: (() => void)[] = []
    const slow: Database = {
      engine: real.engine,
      once: async (context, statement) => {
        const answer = await real.once(context, statement)
        await new Promise<void>((resolve) => void finished.push(resolve))
        return answer as never
      },
      transaction: real.transaction.bind(real),
      ping: () => real.ping(),
      close: () => real.close(),
    }
    const keeper = new CatalogueKeeper(slow, { schemas: ['shop'], roles: ['shop_web'] }, silentLog)
    const first = keeper.first()
    await expect.poll(() => finished.length).toBe(1)
    // It has been read already, and is only not here yet.
    for (let time = 0; time < 3; time++) keeper.reloadSoon()
    finished[0]!()
    const stale = await first
    await expect.poll(() => finished.length).toBe(2)
    finished[1]!()
    await expect.poll(() => keeper.loaded).not.toBe(stale)
    // Once for all who said so.
    await sleep(1200)
    expect(finished.length).toBe(2)
    await real.close()
  })
})
