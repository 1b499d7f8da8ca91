// Several servers by one address: a primary, its standby, and one that accepts connections and says nothing.
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '#server/log.ts'
import { findPostgresBinaries } from '../../test/postgres-binaries.ts'
import { type PrivatePostgres, startPrivatePostgres, startStandby } from '../../test/private-postgres.ts'
import { SilentLine } from '../../test/silent-line.ts'
import { type Database, DatabaseFault, NoPrimaryFault, UnavailableFault } from './database.ts'
import { createPostgresDatabase } from './postgres.ts'
import { createOwnerConnection } from './postgres-owner.ts'

const binaries = findPostgresBinaries()
const READ = { role: 'postgres', readOnly: true }
const WRITE = { role: 'postgres' }
const COUNT = { text: 'select count(*)::int as n from kept' }
const add = (id: number) => ({ text: 'insert into kept values ($1)', values: [id] })

const together = (...urls: string[]): string => {
  const [first = '', ...others] = urls.map((url) => new URL(url))
  return `postgres://postgres@${[first as URL, ...others].map(({ host }) => host).join(',')}/postgres`
}
const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (fault: unknown) => fault,
  )

/** Milliseconds until the work is done. */
async function timed(work: Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work
  return performance.now() - begun
}

describe.skipIf(binaries === undefined)('several hosts', () => {
  let primary: PrivatePostgres
  let standby: PrivatePostgres
  let silent: Server
  let silentUrl: string
  const opened: Database[] = []
  const open = (address: string): Database => {
    const database = createPostgresDatabase({ url: address, poolSize: 4, connectMs: 2_000, log: silentLog })
    opened.push(database)
    return database
  }
  beforeAll(async () => {
    primary = await startPrivatePostgres(binaries ?? '')
    const owner = await createOwnerConnection(primary.url)
    await owner.script('create table kept (id int primary key)')
    await owner.close()
    standby = await startStandby(binaries ?? '', primary.url)
    silent = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    silentUrl = `postgres://postgres@127.0.0.1:${typeof address === 'object' ? address?.port : 0}/postgres`
  })
  afterAll(async () => {
    for (const database of opened) await database.close()
    silent?.close()
    await standby?.stop()
    await primary?.stop()
  })
  const kept = async (url: string): Promise<number> => {
    const owner = await createOwnerConnection(url)
    const { rows } = await owner.query<{ n: number }>(COUNT.text)
    await owner.close()
    return rows[0]?.n ?? -1
  }

  test('requests, owner, readiness and messages go to the one that takes changes, whatever the order', async () => {
    const heard: string[] = []
    const database = open(together(silentUrl, standby.url, primary.url))
    database.listen?.('news', (message) => void heard.push(message))
    expect(await timed(database.once(WRITE, add(1)))).toBeLessThan(1_500)
    await database.transaction(WRITE, (tx) => tx.query(add(2)))
    await database.ping()
    const owner = await createOwnerConnection(together(silentUrl, standby.url, primary.url))
    await owner.query('insert into kept values (3)')
    await expect
      .poll(async () => {
        await owner.query(`notify news, 'here'`)
        return heard.includes('here')
      })
      .toBe(true)
    await owner.close()
    expect(await kept(primary.url)).toBe(3)
    // The one in use is asked first from now on.
    expect(
      await timed(Promise.all(Array.from({ length: 4 }, () => database.once(READ, COUNT)))),
    ).toBeLessThan(250)
  })

  test('a standby alone reads and says to a change that no server takes changes', async () => {
    const database = open(standby.url)
    expect((await database.once<{ n: number }>(READ, COUNT)).rows[0]?.n).toBeGreaterThanOrEqual(0)
    expect(await faultOf(database.once(WRITE, add(4)))).toBeInstanceOf(NoPrimaryFault)
    expect(await faultOf(database.transaction(WRITE, (tx) => tx.query(add(4))))).toBeInstanceOf(
      NoPrimaryFault,
    )
    expect(
      await faultOf(createOwnerConnection(together(standby.url, silentUrl), { connectMs: 1_000 })),
    ).toBeInstanceOf(NoPrimaryFault)
  })

  test('a refused sign-in says so, not that a server is missing', async () => {
    const address = together(standby.url, primary.url).replace('//postgres@', '//nobody_here@')
    const fault = await faultOf(createOwnerConnection(address))
    expect(fault).toBeInstanceOf(DatabaseFault)
    expect((fault as DatabaseFault).code).toBe('28000')
  })

  test('no server at all is no reachable database', async () => {
    const fault = await faultOf(
      open('postgres://postgres@127.0.0.1:1,127.0.0.1:2/postgres').once(READ, COUNT),
    )
    expect(fault).toBeInstanceOf(UnavailableFault)
    expect(fault).not.toBeInstanceOf(NoPrimaryFault)
  })

  test('without a primary a standby reads, changes are refused at once; after a takeover all goes on', async () => {
    const heard: string[] = []
    const database = open(together(primary.url, silentUrl, standby.url))
    database.listen?.('news', (message) => void heard.push(message))
    await database.once(WRITE, add(10))
    await expect.poll(() => kept(standby.url)).toBe(await kept(primary.url))
    const before = await kept(primary.url)
    await primary.stop()

    const reads = Array.from({ length: 12 }, () =>
      database.once<{ n: number }>({ ...READ, person: 'a' }, COUNT),
    )
    const changes = Array.from({ length: 6 }, (_, nr) =>
      faultOf(database.once({ ...WRITE, person: 'b' }, add(20 + nr))),
    )
    for (const { rows } of await Promise.all(reads)) expect(rows[0]?.n).toBe(before)
    for (const fault of await Promise.all(changes)) expect(fault).toBeInstanceOf(UnavailableFault)
    expect(await timed(database.once(READ, COUNT))).toBeLessThan(1_800)
    expect(await timed(database.once(READ, COUNT))).toBeLessThan(300)
    await expect(database.ping()).rejects.toThrow(UnavailableFault)

    const owner = await createOwnerConnection(standby.url)
    await owner.query('select pg_promote()')
    await owner.close()
    await expect.poll(() => faultOf(database.once(WRITE, add(30)))).toBe(null)
    await database.ping()
    expect(await kept(standby.url)).toBe(before + 1)
    // What was read from it as a standby is forgotten: what one has written, one reads.
    for (let nr = 31; nr < 40; nr++) {
      await database.once(WRITE, add(nr))
      expect((await database.once<{ n: number }>(READ, COUNT)).rows[0]?.n).toBe(before + nr - 29)
    }
    await expect.poll(() => heard.includes(''), { timeout: 30_000 }).toBe(true)
  })

  test('of two addresses of one server none is left because the other one was faster', async () => {
    const line = await SilentLine.to(standby.url)
    try {
      const database = open(together(line.through(standby.url), standby.url))
      await database.once(READ, COUNT)
      const long = faultOf(database.once(WRITE, { text: 'select pg_sleep(6)' }))
      // New connections take a while here just when somebody looks for the primary.
      await sleep(1_500)
      line.mode = 'hold'
      await sleep(2_500)
      line.mode = 'pass'
      expect(await long).toBe(null)
    } finally {
      await line.stop()
    }
  })

  test('a primary that went silent is left with all its connections once another one has taken over', async () => {
    const line = await SilentLine.to(standby.url)
    const next = await startStandby(binaries ?? '', standby.url)
    try {
      const database = open(together(line.through(standby.url), next.url))
      await Promise.all(Array.from({ length: 4 }, () => database.once(READ, COUNT)))
      line.mode = 'hold'
      // All connections are in use, each for a time limit of 15 s, and others stand behind them.
      const stuck = [100, 101, 102, 103, 104, 105].map((id) => timed(faultOf(database.once(WRITE, add(id)))))
      await sleep(500)
      const owner = await createOwnerConnection(next.url)
      await owner.query('select pg_promote()')
      await owner.close()
      expect(Math.max(...(await Promise.all(stuck)))).toBeLessThan(9_000)
      for (let nr = 110; nr < 115; nr++) expect(await timed(database.once(WRITE, add(nr)))).toBeLessThan(500)
      // It wakes up and knows of nothing: it is not asked.
      line.mode = 'pass'
      expect((await database.once<{ n: number }>(READ, COUNT)).rows[0]?.n).toBe(await kept(next.url))
    } finally {
      await line.stop()
      await next.stop()
    }
  }, 90_000)
})
