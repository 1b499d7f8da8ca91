// What one request may use on PostgreSQL: the size of its answer, and its person's share of the connections.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '#server/log.ts'
import { createTestDatabase, postgresUrl, type TestDatabase } from '../../test/postgres.ts'
import {
  AnswerTooLargeFault,
  type Context,
  CrowdedFault,
  type Database,
  DatabaseFault,
  PoolTimeoutFault,
  ShareFault,
} from './database.ts'
import { createPostgresDatabase, type PostgresOptions } from './postgres.ts'
import { createOwnerConnection } from './postgres-owner.ts'

const MIB = 2 ** 20
const READ: Context = { role: 'postgres', readOnly: true, person: 'a' }
const WRITE: Context = { role: 'postgres', person: 'a' }
const ONE = { text: 'select 1 as one' }
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (fault: unknown) => fault,
  )

describe.skipIf(postgresUrl() === null)('limits on PostgreSQL', () => {
  let home: TestDatabase
  let database: Database
  const open = (options: Partial<PostgresOptions> = {}) =>
    createPostgresDatabase({ url: home.url, log: silentLog, ...options })
  beforeAll(async () => {
    home = await createTestDatabase()
    database = open({ answerBytes: 4 * MIB })
    const owner = await createOwnerConnection(home.url)
    await owner.script(
      `create table note (id int primary key, text text); insert into note values (1, 'kept')`,
    )
    await owner.close()
  })
  afterAll(async () => {
    await database.close()
    await home.drop()
  })

  /** One row with `times` values of `letters` letters each. */
  const wideRow = (times: number, letters: number) => ({
    text: `select ${Array.from({ length: times }, (_, i) => `t as t${i}`).join(', ')}
      from (select repeat('x', ${letters}) as t) x`,
  })
  const TOO_LARGE: readonly (readonly [name: string, text: string])[] = [
    ['one value', `select repeat('x', 30000000) as a`],
    ['one row of many values', wideRow(30, 1_000_000).text],
    ['many rows', `select repeat('x', 1000) as a from generate_series(1, 1000000)`],
    ['many rows of nothing', `select from generate_series(1, 1000000)`],
  ]
  for (const [name, text] of TOO_LARGE)
    test(`${name}: cut off, in each way to ask`, async () => {
      expect(await faultOf(database.once(READ, { text }))).toBeInstanceOf(AnswerTooLargeFault)
      expect(await faultOf(database.once(WRITE, { text }))).toBeInstanceOf(AnswerTooLargeFault)
      const second = database.transaction(READ, async (tx) => [await tx.query(ONE), await tx.query({ text })])
      expect(await faultOf(second)).toBeInstanceOf(AnswerTooLargeFault)
      expect((await database.once(READ, ONE)).rows).toEqual([{ one: 1 }])
    })

  test('a row longer than any text may be in V8', async () => {
    expect(await faultOf(database.once(READ, wideRow(60, 9_500_000)))).toBeInstanceOf(AnswerTooLargeFault)
    const owner = await createOwnerConnection(home.url)
    expect(await faultOf(owner.query(`select repeat('x', 300000000) as a`))).toBeInstanceOf(
      AnswerTooLargeFault,
    )
    await owner.close()
  })

  test('what is not too large arrives whole', async () => {
    const { rows } = await database.once<{ a: string }>(READ, { text: `select repeat('x', 4000000) as a` })
    expect(rows[0]?.a.length).toBe(4_000_000)
    // The server's own pages may get more, but the next request on that connection may not.
    const one = open({ poolSize: 1, answerBytes: MIB })
    const more = await one.once<{ a: string }>(
      { ...READ, answerBytes: 8 * MIB },
      { text: `select repeat('x', 5000000) as a` },
    )
    expect(more.rows[0]?.a.length).toBe(5_000_000)
    expect(await faultOf(one.once(READ, { text: `select repeat('x', 5000000) as a` }))).toBeInstanceOf(
      AnswerTooLargeFault,
    )
    await one.close()
  })

  test('a change whose answer is too large is not made', async () => {
    const text = `update note set text = 'changed' returning repeat('x', 5000000)`
    expect(await faultOf(database.once(WRITE, { text }))).toBeInstanceOf(AnswerTooLargeFault)
    const both = database.transaction(WRITE, async (tx) => {
      await tx.query({ text: `insert into note values (2, 'two')` })
      await tx.query({ text })
    })
    expect(await faultOf(both)).toBeInstanceOf(AnswerTooLargeFault)
    // The server process notices when it next checks its connection.
    await sleep(100)
    expect((await database.once(READ, { text: 'select * from note' })).rows).toEqual([
      { id: 1, text: 'kept' },
    ])
  })

  test('many at a time: memory comes back, and no server process is left at work', async () => {
    const before = process.memoryUsage().rss
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss - before)), 5)
    const people = Array.from({ length: 24 }, (_, i) =>
      database.once({ ...READ, person: `p${i}` }, wideRow(40, 1_000_000)),
    )
    expect(
      (await Promise.all(people.map(faultOf))).every((fault) => fault instanceof AnswerTooLargeFault),
    ).toBe(true)
    clearInterval(watch)
    expect(most).toBeLessThan(300 * MIB)
    const owner = await createOwnerConnection(home.url)
    const busy = `select from pg_stat_activity where application_name = 'forstkontor' and state = 'active'`
    await expect.poll(async () => (await owner.query(busy)).rowCount).toBe(0)
    await owner.close()
  })

  test('an error that quotes megabytes is cut, and notices without end are no answer', async () => {
    const long =
      `do $$ begin raise exception '%', repeat('x', 30000000) using detail = repeat('y', 30000000), ` +
      `hint = 'less'; end $$`
    const roomy = open({ answerBytes: 100 * MIB })
    const fault = (await faultOf(roomy.once(WRITE, { text: long }))) as DatabaseFault
    await roomy.close()
    expect([fault.code, fault.hint]).toEqual(['P0001', 'less'])
    expect(fault.message.length + (fault.detail?.length ?? 0)).toBeLessThan(200_000)
    const flood = `do $$ begin loop raise notice '%', repeat('x', 8000); end loop; end $$`
    expect(await faultOf(database.once(WRITE, { text: flood }))).toBeInstanceOf(AnswerTooLargeFault)
  })

  test('what cannot be sent is a fault of that request', async () => {
    const texts = Array.from({ length: 65_536 }, (_, i) => `$${i + 1}::int`)
    const binds = { text: `select ${texts.slice(0, 3).join()}`, values: texts.map(() => 1) }
    const unwritable = [
      binds,
      { text: 'select $1::text', values: ['a\0b'] },
      { text: 'select $1::date', values: [new Date(Number.NaN)] },
    ]
    for (const statement of unwritable) {
      const fault = await faultOf(database.once(READ, statement))
      expect(fault).toBeInstanceOf(DatabaseFault)
      expect((fault as DatabaseFault).code).toMatch(/^22/)
    }
    expect((await database.once(READ, ONE)).rows).toEqual([{ one: 1 }])
  })

  test('two hundred slow requests of one person: they wait themselves, another one hardly', async () => {
    const shared = open({ poolSize: 4 })
    const slow = { text: 'select pg_sleep(0.3)' }
    const flood = Promise.all(Array.from({ length: 200 }, () => faultOf(shared.once(READ, slow))))
    await sleep(50)
    const times: number[] = []
    for (let i = 0; i < 40; i++) {
      const begun = performance.now()
      await shared.once({ ...READ, person: 'b' }, ONE)
      await shared.once({ role: 'postgres', readOnly: true }, ONE)
      times.push(performance.now() - begun)
      await sleep(20)
    }
    const ends = await flood
    await shared.close()
    // Two run and 64 wait: about as many as are served in the ten seconds. All others are refused at once.
    expect(ends.filter((end) => end === 'answered').length).toBeGreaterThanOrEqual(40)
    expect(ends.filter((end) => end instanceof ShareFault).length).toBe(134)
    expect(
      ends.every((end) => end === 'answered' || end instanceof ShareFault || end instanceof PoolTimeoutFault),
    ).toBe(true)
    times.sort((a, b) => a - b)
    // Far below the 300 ms that each of the others takes.
    expect(times[Math.floor(times.length * 0.95)]).toBeLessThan(250)
  })

  test('nobody waits longer than promised, wherever they stand', async () => {
    const busy = open({ poolSize: 1, poolTimeoutMs: 500 })
    const long = busy.once(READ, { text: 'select pg_sleep(3)' })
    await sleep(100)
    const waits = Array.from({ length: 30 }, async (_, i) => {
      const begun = performance.now()
      const fault = await faultOf(busy.once({ ...READ, person: `p${i % 3}` }, ONE))
      return { fault, took: performance.now() - begun }
    })
    for (const { fault, took } of await Promise.all(waits)) {
      expect(fault).toBeInstanceOf(PoolTimeoutFault)
      expect(took).toBeLessThan(1_500)
    }
    await long
    expect((await busy.once(READ, ONE)).rows).toEqual([{ one: 1 }])
    await busy.close()
  })

  test('more than fits, of many people: what would not be served in time is refused at once', async () => {
    const small = open({ poolSize: 2 })
    const held: { waitedMs: number; fault: unknown }[] = []
    const asked: Promise<void>[] = []
    // Twice as much as two connections can do, and in the end as much as they can.
    for (let nr = 0; nr < 600; nr++) {
      const from = performance.now()
      const context = { ...READ, person: `person ${nr % 50}` }
      asked.push(
        faultOf(small.once(context, { text: 'select pg_sleep(0.02)' })).then(
          (fault) => void held.push({ waitedMs: performance.now() - from, fault }),
        ),
      )
      await sleep(nr < 500 ? 5 : 40)
    }
    await Promise.all(asked)
    const refused = held.filter(({ fault }) => fault !== 'answered')
    expect(refused.length).toBeGreaterThan(50)
    expect(refused.filter(({ fault }) => !(fault instanceof CrowdedFault))).toEqual([])
    const median = refused.map(({ waitedMs }) => waitedMs).toSorted((a, b) => a - b)[refused.length >> 1]
    expect(median).toBeLessThan(100)
    expect(held.slice(-20).map(({ fault }) => fault)).toEqual(Array(20).fill('answered'))
    await small.close()
  })
})
