// The network is silent for nine seconds: bytes are lost while every connection seems to be open. Nobody
// waits forever, and service resumes by itself.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '#server/log.ts'
import { createTestDatabase, postgresUrl, type TestDatabase } from '../../test/postgres.ts'
import { SilentLine } from '../../test/silent-line.ts'
import {
  type Context,
  DatabaseFault,
  OutcomeUnknownFault,
  PoolTimeoutFault,
  UnavailableFault,
} from './database.ts'
import { createPostgresDatabase } from './postgres.ts'
import { createOwnerConnection } from './postgres-owner.ts'

const SILENCE_MS = 9_000
const LIMIT_MS = 3_000
const READ: Context = { role: 'postgres', readOnly: true }
const WRITE: Context = { role: 'postgres' }
const ONE = { name: 'one', text: 'select 1 as one' }
const add = (id: number) => ({ name: 'add', text: 'insert into counted values ($1)', values: [id] })

describe.skipIf(postgresUrl() === null).concurrent('a line that says nothing', () => {
  let home: TestDatabase
  beforeAll(async () => {
    home = await createTestDatabase()
    const owner = await createOwnerConnection(home.url)
    await owner.script('create table counted (id int primary key); create table locked (id int)')
    await owner.close()
  })
  afterAll(() => home.drop())
  const openOver = (line: SilentLine) =>
    createPostgresDatabase({
      url: line.through(home.url),
      poolSize: 4,
      timeoutMs: LIMIT_MS,
      poolTimeoutMs: LIMIT_MS,
      connectMs: 2_000,
      log: silentLog,
    })

  test('a connection that nobody wants is closed after its time', async ({ expect }) => {
    const idle = createPostgresDatabase({ url: home.url, idleMs: 500, log: silentLog })
    const pid = { text: 'select pg_backend_pid() as pid from pg_sleep(0.1)' }
    const pids = (await Promise.all([1, 2, 3].map(() => idle.once<{ pid: number }>(READ, pid)))).map(
      ({ rows }) => rows[0]?.pid,
    )
    const owner = await createOwnerConnection(home.url)
    const open = () => owner.query('select from pg_stat_activity where pid = any($1)', [pids])
    expect((await open()).rowCount).toBe(3)
    await expect.poll(async () => (await open()).rowCount).toBe(0)
    expect((await idle.once(READ, ONE)).rows).toEqual([{ one: 1 }])
    await owner.close()
    await idle.close()
  })

  for (const mode of ['swallow', 'hold'] as const)
    test(`${mode}: requests end within their time, the pool heals, what was said to be done is done`, async () => {
      const line = await SilentLine.to(home.url)
      const database = openOver(line)
      await Promise.all([1, 2, 3, 4].map(() => database.once(READ, ONE)))
      const from = mode === 'swallow' ? 0 : 1_000_000
      const done: number[] = []
      const unclear: number[] = []
      let slowest = 0
      let id = from
      const until = performance.now() + 1_000 + SILENCE_MS + 2_000
      const lane = async (nr: number) => {
        while (performance.now() < until) {
          const begun = performance.now()
          const mine = ++id
          const work =
            nr % 2 === 0
              ? database.once(READ, ONE)
              : database.once(WRITE, add(mine)).then(() => done.push(mine))
          await work.catch((fault: unknown) => {
            if (fault instanceof OutcomeUnknownFault) unclear.push(mine)
            else if (!(fault instanceof UnavailableFault) && !(fault instanceof PoolTimeoutFault)) throw fault
          })
          slowest = Math.max(slowest, performance.now() - begun)
          await sleep(20)
        }
      }
      const lanes = Promise.all(Array.from({ length: 8 }, (_, nr) => lane(nr)))
      await sleep(1_000)
      line.mode = mode
      await sleep(SILENCE_MS / 2)
      const asked = performance.now()
      await expect(database.ping()).rejects.toThrow()
      expect(performance.now() - asked).toBeLessThan(4_000)
      await sleep(SILENCE_MS / 2)
      line.mode = 'pass'
      await lanes
      // Waiting for a place, connecting, the statement, and the margin on top.
      expect(slowest).toBeLessThan(LIMIT_MS + 2_000 + LIMIT_MS + 4_000)
      expect((await database.once(READ, ONE)).rows).toEqual([{ one: 1 }])
      await expect(database.ping()).resolves.toBeUndefined()
      await database.close()
      // The server may still be working on what reached it late.
      await sleep(500)
      const owner = await createOwnerConnection(home.url)
      const { rows } = await owner.query<{ id: number }>(
        'select id from counted where id > $1 and id < $1 + 1000000',
        [from],
      )
      await owner.close()
      const kept = new Set(rows.map((row) => row.id))
      expect(done.length).toBeGreaterThan(20)
      expect(done.filter((one) => !kept.has(one))).toEqual([])
      const told = new Set([...done, ...unclear])
      expect([...kept].filter((one) => !told.has(one))).toEqual([])
      await line.stop()
    })

  test("the owner's work goes on by itself: each round ends, and the next one works again", async ({
    expect,
  }) => {
    const line = await SilentLine.to(home.url)
    let rounds = 0
    let failed = 0
    let stop = false
    const work = (async () => {
      while (!stop) {
        try {
          const owner = await createOwnerConnection(line.through(home.url), {
            connectMs: 2_000,
            quietMs: 1_000,
          })
          try {
            await owner.query('select pg_sleep(0.05)')
          } finally {
            await owner.close()
          }
          rounds++
        } catch (fault) {
          if (!(fault instanceof DatabaseFault)) throw fault
          failed++
          await sleep(50)
        }
      }
    })()
    await sleep(1_000)
    expect(rounds).toBeGreaterThan(0)
    line.mode = 'swallow'
    await sleep(SILENCE_MS)
    line.mode = 'pass'
    const before = rounds
    await expect.poll(() => rounds, { timeout: 60_000 }).toBeGreaterThan(before + 2)
    stop = true
    await work
    expect(failed).toBeGreaterThan(0)
    await line.stop()
  })

  test('who listens notices that messages were lost, and hears again', async ({ expect }) => {
    const line = await SilentLine.to(home.url)
    const database = openOver(line)
    const heard: string[] = []
    database.listen?.('silent', (message) => void heard.push(message))
    const owner = await createOwnerConnection(home.url)
    const say = async (text: string) => owner.script(`notify silent, '${text}'`)
    await expect
      .poll(async () => {
        await say('before')
        return heard.includes('before')
      })
      .toBe(true)
    line.mode = 'swallow'
    await sleep(SILENCE_MS / 2)
    await say('lost')
    await sleep(SILENCE_MS / 2)
    line.mode = 'pass'
    await expect.poll(() => heard.at(-1), { timeout: 30_000 }).toBe('')
    expect(heard).not.toContain('lost')
    await expect
      .poll(async () => {
        await say('after')
        return heard.includes('after')
      })
      .toBe(true)
    await database.close()
    await owner.close()
    await line.stop()
  })

  test('an answer that was lost on the way is not waited for; a long statement and a lock are', async () => {
    const line = await SilentLine.to(home.url)
    const owner = await createOwnerConnection(line.through(home.url), { connectMs: 2_000, quietMs: 400 })
    const long = owner.query(`select 'done' as state from pg_sleep(4)`)
    expect((await long).rows).toEqual([{ state: 'done' }])
    const holder = await createOwnerConnection(home.url)
    await holder.script('begin; lock table locked')
    const waits = owner.query('select count(*) as n from locked')
    await sleep(3_000)
    await holder.script('rollback')
    expect((await waits).rowCount).toBe(1)
    await holder.close()
    const lost = owner.query('select pg_sleep(1)').catch((fault: unknown) => fault)
    await sleep(300)
    // Its answer falls within these two seconds.
    line.mode = 'swallow'
    await sleep(2_000)
    line.mode = 'pass'
    const begun = performance.now()
    expect(await lost).toBeInstanceOf(UnavailableFault)
    expect(performance.now() - begun).toBeLessThan(10_000)
    await owner.close()
    await line.stop()
  })

  test('closing does not wait for an answer either', async () => {
    const line = await SilentLine.to(home.url)
    const database = openOver(line)
    await database.once(READ, ONE)
    await database.ping()
    const owner = await createOwnerConnection(line.through(home.url))
    line.mode = 'swallow'
    const begun = performance.now()
    await Promise.all([owner.close(), database.close()])
    expect(performance.now() - begun).toBeLessThan(6_000)
    await line.stop()
  })
})
