import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, postgresUrl, type TestDatabase } from '../../test/postgres.ts'
import { silentLog } from '#server/log.ts'
import { type Context, type Database, DatabaseFault, PoolTimeoutFault } from './database.ts'
import { nameOf } from './exchange.ts'
import { createPostgresDatabase } from './postgres.ts'

const FIXTURE = `
  do $$ begin create role fixture_login login noinherit; exception when duplicate_object then null; end $$;
  do $$ begin create role fixture_web nologin; exception when duplicate_object then null; end $$;
  grant fixture_web to fixture_login;
  create schema f; grant usage on schema f to fixture_web;
  create table f.note (id int primary key, tenant text not null, text text, check (id > 0));
  alter table f.note enable row level security; alter table f.note force row level security;
  create policy own on f.note to fixture_web using (tenant = (select current_setting('f.tenant', true)))
    with check (tenant = (select current_setting('f.tenant', true)));
  grant select, insert, update, delete on f.note to fixture_web;
  create table f.late (id int references f.note deferrable initially deferred);
  grant select, insert on f.late to fixture_web;
  set row_security = off;
  insert into f.note values (1, 'a', 'one'), (2, 'b', 'two'), (3, 'a', 'three');
  create function f.refuse() returns void language plpgsql as $$ begin raise exception 'locked out'
    using errcode = '28000'; end $$;
`
const as = (tenant: string, more: Partial<Context> = {}): Context => ({
  role: 'fixture_web',
  settings: { 'f.tenant': tenant },
  ...more,
})
const read = (tenant: string): Context => as(tenant, { readOnly: true })
const NOTES = { name: 'notes', text: 'select id from f.note order by id' }
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (fault: unknown) => (fault instanceof DatabaseFault ? fault.code : fault),
  )

describe.skipIf(postgresUrl() === null)('PostgreSQL by address', () => {
  let home: TestDatabase
  let database: Database
  let admin: pg.Client
  const open = (
    options: { poolSize?: number; prepared?: boolean; poolTimeoutMs?: number; timeoutMs?: number } = {},
  ) => {
    const url = new URL(home.url)
    url.username = 'fixture_login'
    return createPostgresDatabase({ url: url.toString(), log: silentLog, poolSize: 2, ...options })
  }
  beforeAll(async () => {
    home = await createTestDatabase()
    admin = new pg.Client({ connectionString: home.url })
    await admin.connect()
    await admin.query(FIXTURE)
    database = open()
  })
  afterAll(async () => {
    await database.close()
    await admin.end()
    await home.drop()
  })

  for (const prepared of [true, false]) {
    test(`each transaction sees its own tenant (prepared: ${prepared})`, async () => {
      const one = open({ prepared })
      const seen = await Promise.all(
        Array.from({ length: 200 }, (_, i) => one.once(read(i % 2 === 0 ? 'a' : 'b'), NOTES)),
      )
      await one.close()
      expect(
        seen
          .filter((_, i) => i % 2 === 0)
          .every(({ rows }) => JSON.stringify(rows) === '[{"id":1},{"id":3}]'),
      ).toBe(true)
      expect(
        seen.filter((_, i) => i % 2 === 1).every(({ rows }) => JSON.stringify(rows) === '[{"id":2}]'),
      ).toBe(true)
    })
  }

  test('nothing of the context is left on the connection', async () => {
    const single = open({ poolSize: 1 })
    await single.once(as('a'), NOTES)
    const { rows } = await single.once(
      { role: 'fixture_web' },
      {
        text: `select current_setting('f.tenant', true) as tenant, current_setting('statement_timeout') as t`,
      },
    )
    expect(rows).toEqual([{ tenant: '', t: '15s' }])
    expect((await single.once({ role: 'fixture_web' }, NOTES)).rowCount).toBe(0)
    await single.close()
  })

  test('the first error of a batch is the one reported, and the connection is clean afterwards', async () => {
    const single = open({ poolSize: 1 })
    expect(await codeOf(single.once(as('a'), { name: 'broken', text: 'select * from f.missing' }))).toBe(
      '42P01',
    )
    expect(
      await codeOf(single.once(as('a'), { name: 'twice', text: `insert into f.note values (1, 'a')` })),
    ).toBe('23505')
    expect(
      await codeOf(single.once(as('a'), { name: 'twice', text: `insert into f.note values (1, 'a')` })),
    ).toBe('23505')
    expect(
      await codeOf(single.once(as('a'), { name: 'twice', text: `insert into f.note values (9, 'b')` })),
    ).toBe('42501')
    expect(await codeOf(single.once({ role: 'postgres' }, NOTES))).toBe('42501')
    expect(
      await codeOf(
        single.once(as('a', { preRequest: { name: 'refuse', text: 'select f.refuse()' } }), NOTES),
      ),
    ).toBe('28000')
    expect(await codeOf(single.once(read('a'), { text: `delete from f.note` }))).toBe('25006')
    expect(await codeOf(single.once(as('a'), { text: 'insert into f.late values (77)' }))).toBe('23503')
    expect(await codeOf(single.once(as('a'), { text: 'copy f.note from stdin' }))).not.toBe('ok')
    expect(await codeOf(single.once(as('a'), { text: 'select $1::text', values: ['a\0b'] }))).toBe('22021')
    expect(await codeOf(single.once(as('a'), { text: 'select \0' }))).toBe('22000')
    expect((await single.once(as('a'), NOTES)).rows).toEqual([{ id: 1 }, { id: 3 }])
    await single.close()
  })

  test('an error carries what PostgreSQL said', async () => {
    const said = {
      text:
        `do $$ begin raise exception 'no' using errcode = 'P0042', detail = 'd', hint = 'h', ` +
        `column = 'c', constraint = 'k'; end $$`,
    }
    const fault = await database.once(as('a'), said).catch((error: unknown) => error)
    expect(fault).toMatchObject({
      message: 'no',
      code: 'P0042',
      detail: 'd',
      hint: 'h',
      column: 'c',
      constraint: 'k',
    })
  })

  test('values and types come through', async () => {
    const { rows } = await database.once(read('a'), {
      name: 'types',
      text: `select true as yes, 7::smallint as small, 8::int8 as big, 9007199254740993::int8 as bigger,
        1.50::numeric as num, '{"a":1}'::jsonb as json,
        date '2026-12-31' as day, $1::text[] as list, $2::bytea as raw, $3::text as nothing,
        $4::jsonb as object, 'äöü€🌲' as text`,
      values: [['x', 'a"b\\', null], new Uint8Array([0, 255]), null, { tree: 'Eiche' }],
    })
    expect(rows).toEqual([
      {
        yes: true,
        small: 7,
        big: 8,
        bigger: '9007199254740993',
        num: '1.50',
        json: '{"a": 1}',
        day: '2026-12-31',
        list: '{x,"a\\"b\\\\",NULL}',
        raw: '\\x00ff',
        nothing: null,
        object: '{"tree": "Eiche"}',
        text: 'äöü€🌲',
      },
    ])
  })

  test('rowCount counts changed rows', async () => {
    const result = await database.once(as('a'), { text: `update f.note set text = 'x' returning id` })
    expect([result.rowCount, result.rows.length]).toEqual([2, 2])
  })

  test('a prepared statement survives a change of its table', async () => {
    const single = open({ poolSize: 1 })
    const all = { name: 'all', text: 'select * from f.note order by id' }
    await single.once(read('b'), all)
    await single.once(read('b'), all)
    await admin.query('alter table f.note add column added int default 5')
    expect((await single.once(read('b'), all)).rows).toEqual([{ id: 2, tenant: 'b', text: 'two', added: 5 }])
    await admin.query('alter table f.note drop column added')
    expect((await single.once(read('b'), all)).rows).toEqual([{ id: 2, tenant: 'b', text: 'two' }])
    await single.close()
  })

  test('a name is a hash of its text: nothing named alike is taken for it', async () => {
    const single = open({ poolSize: 1 })
    const named = (text: string) => ({ name: 'same', text })
    expect((await single.once(read('a'), named('select 1 as one'))).rows).toEqual([{ one: 1 }])
    expect((await single.once(read('a'), named('select 2 as two'))).rows).toEqual([{ two: 2 }])
    const { rows } = await single.once<{ name: string }>(read('a'), {
      text: `select name from pg_prepared_statements where statement like 'select _ as %' order by statement`,
    })
    expect(rows).toEqual([{ name: nameOf('select 1 as one') }, { name: nameOf('select 2 as two') }])
    await single.close()
  })

  test('a prepared statement that is gone, or a name that is taken: nobody notices', async () => {
    const insert = (id: number) => ({
      name: 'insert',
      text: 'insert into f.note values ($1, $2)',
      values: [id, 'a'],
    })
    for (const spoil of ['deallocate all', `prepare ${nameOf(NOTES.text)} as select 'another'`]) {
      const single = open({ poolSize: 1 })
      await single.once(as('a'), insert(30))
      if (spoil.startsWith('deallocate')) await single.once(as('a'), NOTES)
      await single.once(as('a'), { text: spoil })
      await single.once(as('a'), insert(31))
      expect((await single.once(as('a'), NOTES)).rows).toEqual([{ id: 1 }, { id: 3 }, { id: 30 }, { id: 31 }])
      await single.once(as('a'), { text: 'deallocate all' })
      const seen = await single.transaction(as('a'), async (tx) => [
        await tx.query(NOTES),
        await tx.query(NOTES),
      ])
      expect(seen.map(({ rowCount }) => rowCount)).toEqual([4, 4])
      await single.once(as('a'), { text: 'delete from f.note where id >= 30' })
      await single.close()
    }
  })

  test('after a migration no connection answers with what was prepared before it', async () => {
    const several = open({ poolSize: 2 })
    const all = { name: 'all', text: 'select * from f.note order by id' }
    const both = () => Promise.all([several.once(read('b'), all), several.once(read('b'), all)])
    for (let i = 0; i < 3; i++) await both()
    await admin.query('alter table f.note add column added int default 5')
    for (const { rows } of await both()) expect(rows).toEqual([{ id: 2, tenant: 'b', text: 'two', added: 5 }])
    await admin.query('alter table f.note drop column added')
    const seen = await several.transaction(read('b'), async (tx) => [
      await tx.query(all),
      await tx.query(all),
    ])
    for (const { rows } of seen) expect(rows).toEqual([{ id: 2, tenant: 'b', text: 'two' }])
    await several.close()
  })

  test('more statements than are kept prepared', async () => {
    const single = open({ poolSize: 1 })
    for (let i = 0; i < 700; i++)
      expect((await single.once(read('a'), { name: `n${i}`, text: `select ${i % 350} as n` })).rows).toEqual([
        { n: i % 350 },
      ])
    const { rows } = await single.once(read('a'), {
      text: 'select count(*) as n from pg_prepared_statements',
    })
    expect(Number(rows[0]?.['n'])).toBeLessThanOrEqual(301)
    await single.close()
  })

  test('time limits: a slow statement and a held lock', async () => {
    expect(await codeOf(database.once(as('a', { timeoutMs: 100 }), { text: 'select pg_sleep(5)' }))).toBe(
      '57014',
    )
    await admin.query('begin; lock table f.note')
    expect(await codeOf(database.once(as('a', { timeoutMs: 300 }), NOTES))).toBe('55P03')
    await admin.query('rollback')
    expect((await database.once(as('a'), NOTES)).rowCount).toBe(2)
  })

  test('waiting for a connection ends with PoolTimeoutFault', async () => {
    // Long enough to open the connection on a busy machine.
    const single = open({ poolSize: 1, poolTimeoutMs: 1500 })
    const slow = single.once(as('a'), { text: 'select pg_sleep(4)' })
    await expect(single.once(as('a'), NOTES)).rejects.toBeInstanceOf(PoolTimeoutFault)
    await slow
    expect((await single.once(as('a'), NOTES)).rowCount).toBe(2)
    await single.close()
  })

  test('transaction: commits together, rolls back together, queues its queries', async () => {
    const insert = (id: number) => ({ text: 'insert into f.note values ($1, $2)', values: [id, 'a'] })
    await database.transaction(as('a'), async (tx) => {
      await Promise.all([tx.query(insert(20)), tx.query(insert(21))])
    })
    await expect(
      database.transaction(as('a'), async (tx) => {
        await tx.query(insert(22))
        throw new Error('thought better of it')
      }),
    ).rejects.toThrow('thought better')
    const swallowed = database.transaction(as('a'), async (tx) => {
      await tx.query(insert(23))
      await tx.query(insert(23)).catch(() => undefined)
    })
    expect(await codeOf(swallowed)).toBe('25P02')
    expect((await database.once(as('a'), NOTES)).rows.map(({ id }) => id)).toEqual([1, 3, 20, 21])
    expect(await codeOf(database.transaction(as('a'), (tx) => tx.query({ text: 'select f.refuse()' })))).toBe(
      '28000',
    )
    await database.once(as('a'), { text: 'delete from f.note where id >= 20' })
  })

  test('a connection cut by the server is replaced without the caller noticing', async () => {
    const single = open({ poolSize: 1 })
    await single.once(as('a'), NOTES)
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'fixture_login'`,
    )
    expect((await single.once(as('a'), NOTES)).rowCount).toBe(2)
    await single.close()
  })

  test('nobody listens: at once UnavailableFault', async () => {
    const nobody = createPostgresDatabase({ url: 'postgres://x@127.0.0.1:1/x', log: silentLog })
    const start = performance.now()
    expect(await Promise.all(Array.from({ length: 20 }, () => codeOf(nobody.once(as('a'), NOTES))))).toEqual(
      Array(20).fill('08006'),
    )
    expect(performance.now() - start).toBeLessThan(1000)
    await expect(nobody.ping()).rejects.toThrow()
    await nobody.close()
    await expect(database.ping()).resolves.toBeUndefined()
  })
})
