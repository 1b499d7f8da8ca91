import { setTimeout as sleep } from 'node:timers/promises'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Context, DatabaseFault, type OwnerConnection, UnavailableFault } from './database.ts'
import type { EmbeddedDatabase } from './embedded.ts'
import { Engine, EngineLostError } from './embedded-engine.ts'
import { EngineQueue } from './embedded-queue.ts'
import { openSession } from './embedded-session.ts'
import { openTestDatabase } from './embedded.fixture.ts'
import { tallyAnswers } from './incoming.ts'
import { WrittenFiles } from './written-files.ts'
import { VOLL } from '../../test/extent.ts'

const FIXTURE = `
  create role fixture_login login noinherit; create role fixture_web nologin; grant fixture_web to fixture_login;
  create schema f; grant usage on schema f to fixture_web;
  create table f.note (id int primary key, tenant text not null, text text);
  alter table f.note enable row level security; alter table f.note force row level security;
  create policy own on f.note to fixture_web using (tenant = (select current_setting('f.tenant', true)))
    with check (tenant = (select current_setting('f.tenant', true)));
  grant select, insert, update, delete on f.note to fixture_web;
  create table f.late (id int references f.note deferrable initially deferred);
  grant select, insert on f.late to fixture_web;
  insert into f.note values (1, 'a', 'one'), (2, 'b', 'two'), (3, 'a', 'three');
  create function f.deeper(i int) returns int language plpgsql as $$ begin return f.deeper(i + 1) + 1; end $$;
  grant execute on function f.deeper to fixture_web;
`
const as = (tenant: string, more: Partial<Context> = {}): Context => ({
  role: 'fixture_web',
  settings: { 'f.tenant': tenant },
  ...more,
})
const read = (tenant: string): Context => as(tenant, { readOnly: true })
const NOTES = { name: 'notes', text: 'select id from f.note order by id' }
const insert = (id: number) => ({ text: 'insert into f.note values ($1, $2)', values: [id, 'a'] })
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (fault: unknown) => (fault instanceof DatabaseFault ? fault.code : fault),
  )
/** Slower than any limit used here, without touching a table. */
const SLOW = { text: 'select count(*) from generate_series(1, 1000000000000)' }

describe('embedded database', () => {
  let database: EmbeddedDatabase & { readonly folder: string }
  beforeAll(async () => {
    database = await openTestDatabase({
      loginRole: 'fixture_login',
      queueLength: 60,
      maxAnswerBytes: 4 * 2 ** 20,
    })
    await database.asOwner((owner) => owner.script(FIXTURE))
  }, 180_000)
  afterAll(async () => {
    await database.close()
    rmSync(database.folder, { recursive: true })
  })

  test('each transaction sees its own tenant', async () => {
    const seen = await Promise.all(
      Array.from({ length: 50 }, (_, i) => database.once(read(i % 2 === 0 ? 'a' : 'b'), NOTES)),
    )
    expect(
      seen.filter((_, i) => i % 2 === 0).every(({ rows }) => JSON.stringify(rows) === '[{"id":1},{"id":3}]'),
    ).toBe(true)
    expect(
      seen.filter((_, i) => i % 2 === 1).every(({ rows }) => JSON.stringify(rows) === '[{"id":2}]'),
    ).toBe(true)
  })

  test('the login role is left with the transaction, also after an error', async () => {
    const who = { text: 'select session_user as login, current_user as role' }
    const ofOwner = (owner: OwnerConnection) => owner.query(who.text)
    expect((await database.once(read('a'), who)).rows).toEqual([
      { login: 'fixture_login', role: 'fixture_web' },
    ])
    expect((await database.asOwner(ofOwner)).rows).toEqual([{ login: 'postgres', role: 'postgres' }])
    expect(await codeOf(database.once(read('a'), { text: 'select * from f.missing' }))).toBe('42P01')
    expect((await database.asOwner(ofOwner)).rows).toEqual([{ login: 'postgres', role: 'postgres' }])
    expect(
      (
        await database.once(
          { role: 'fixture_web' },
          { text: `select current_setting('f.tenant', true) as t` },
        )
      ).rows,
    ).toEqual([{ t: '' }])
  })

  test('refusals by a procedure, one after the other, wear nothing out, and who waits meanwhile is served', {
    timeout: 180_000,
  }, async () => {
    await database.asOwner((owner) =>
      owner.script(`create or replace function f.refuse() returns void language plpgsql as $$
        begin raise sqlstate 'PT403' using message = 'no'; end $$;
        create or replace function f.outer() returns void language plpgsql as $$ begin perform f.refuse(); end $$;
        grant execute on function f.refuse, f.outer to fixture_web`),
    )
    // Over the whole run, as many as would end an engine that is never renewed.
    const ROUNDS = VOLL ? 85 : 20
    const codes = new Map<string, number>()
    for (let round = 0; round < ROUNDS; round++) {
      const outcomes = await Promise.all([
        ...Array.from({ length: 40 }, () => codeOf(database.once(as('a'), { text: 'select f.outer()' }))),
        codeOf(database.once(read('a'), NOTES)),
      ])
      for (const outcome of outcomes) codes.set(String(outcome), (codes.get(String(outcome)) ?? 0) + 1)
    }
    expect(Object.fromEntries(codes)).toEqual({ PT403: 40 * ROUNDS, ok: ROUNDS })
  })

  test('errors are those of PostgreSQL', async () => {
    expect(await codeOf(database.once(as('a'), { text: `insert into f.note values (1, 'a')` }))).toBe('23505')
    expect(
      await codeOf(database.once(as('a'), { name: 'foreign', text: `insert into f.note values (9, 'b')` })),
    ).toBe('42501')
    expect(await codeOf(database.once({ role: 'postgres' }, NOTES))).toBe('42501')
    expect(await codeOf(database.once(read('a'), { text: 'delete from f.note' }))).toBe('25006')
    expect(await codeOf(database.once(as('a'), { text: 'insert into f.late values (77)' }))).toBe('23503')
    expect(await codeOf(database.once(as('a'), { text: 'select \0' }))).toBe('22000')
    expect((await database.once(read('a'), NOTES)).rows).toEqual([{ id: 1 }, { id: 3 }])
  })

  test('types come as on PostgreSQL', async () => {
    const { rows } = await database.once(read('a'), {
      text:
        `select true as yes, 8::int8 as big, 9007199254740993::int8 as bigger, '{"a":1}'::jsonb as json, ` +
        `$1::bytea as raw, $2::text as nothing, 'äöü€🌲' as text`,
      values: [new Uint8Array([0, 255]), null],
    })
    expect(rows).toEqual([
      {
        yes: true,
        big: 8,
        bigger: '9007199254740993',
        json: '{"a": 1}',
        raw: '\\x00ff',
        nothing: null,
        text: 'äöü€🌲',
      },
    ])
  })

  test('transaction: commits together, rolls back together', async () => {
    await database.transaction(as('a'), async (tx) => {
      await Promise.all([tx.query(insert(20)), tx.query(insert(21))])
    })
    const withdrawn = database.transaction(as('a'), async (tx) => {
      await tx.query(insert(22))
      throw new Error('thought better of it')
    })
    await expect(withdrawn).rejects.toThrow('thought better')
    const swallowed = database.transaction(as('a'), async (tx) => {
      await tx.query(insert(23))
      await tx.query(insert(23)).catch(() => undefined)
    })
    expect(await codeOf(swallowed)).toBe('25P02')
    expect((await database.once(as('a'), NOTES)).rows.map(({ id }) => id)).toEqual([1, 3, 20, 21])
    await database.once(as('a'), { text: 'delete from f.note where id >= 20' })
  })

  test('a transaction whose caller dawdles is rolled back and blocks nobody for longer', async () => {
    const dawdling = database.transaction(as('a', { timeoutMs: 200 }), async (tx) => {
      await tx.query(insert(30))
      await sleep(1000)
      await tx.query(insert(31))
    })
    const next = database.once(as('a'), NOTES)
    expect(await codeOf(dawdling)).toBe('25P03')
    expect((await next).rowCount).toBe(2)
  })

  test('the owner leaves no open transaction, role or setting behind', async () => {
    await database.asOwner((owner) =>
      owner.script(`set role fixture_web; set timezone = 'Asia/Tokyo'; set f.tenant = 'b'`),
    )
    await database.asOwner((owner) => owner.script('begin; delete from f.note'))
    const seen = await database.asOwner((owner) =>
      owner.query(
        `select current_user as who, current_setting('timezone') as zone, current_setting('f.tenant', true) as tenant`,
      ),
    )
    expect(seen.rows).toEqual([{ who: 'postgres', zone: 'UTC', tenant: '' }])
    expect((await database.once(read('a'), NOTES)).rowCount).toBe(2)
  })

  test('too deep, too large: refused before the engine sees it', async () => {
    for (const depth of [501, 10_000, 100_000]) {
      const value = '['.repeat(depth) + ']'.repeat(depth)
      expect(await codeOf(database.once(as('a'), { text: 'select $1::jsonb', values: [value] }))).toBe(
        '54001',
      )
    }
    expect(
      await codeOf(database.once(as('a'), { text: `select ${'('.repeat(5000)}1${')'.repeat(5000)}` })),
    ).toBe('54001')
    expect(
      await codeOf(database.once(as('a'), { text: 'select $1', values: ['x'.repeat(33 * 2 ** 20)] })),
    ).toBe('54000')
    expect(
      (await database.once(as('a'), { text: 'select length($1) as n', values: ['['.repeat(400)] })).rows,
    ).toEqual([{ n: 400 }])
  })

  test('an answer too big for memory is an error, and its change is not kept', async () => {
    expect(await codeOf(database.once(read('a'), { text: `select repeat('x', 5000000) as t` }))).toBe('54000')
    expect(
      await codeOf(
        database.once(as('a'), { text: `update f.note set text = repeat('x', 5000000) returning text` }),
      ),
    ).toBe('54000')
    expect(
      (await database.once(read('a'), { text: 'select max(length(text)) as n from f.note' })).rows,
    ).toEqual([{ n: 5 }])
  })

  test('runaway recursion is an error, changes nothing, and the next answer is right', async () => {
    const deeper = { text: `update f.note set text = f.deeper(1)::text` }
    expect(await codeOf(database.once(as('a'), deeper))).toBe('54001')
    expect((await database.once(read('a'), { text: 'select text from f.note order by id' })).rows).toEqual([
      { text: 'one' },
      { text: 'three' },
    ])
  })

  test('depth that PostgreSQL itself builds up', async () => {
    const deep = { text: `select (repeat('[', 100000) || repeat(']', 100000))::jsonb` }
    expect(await codeOf(database.once(read('a'), deep))).toBe('54001')
    expect((await database.once(read('a'), NOTES)).rows).toEqual([{ id: 1 }, { id: 3 }])
  })

  test('a slow statement is ended by its limit; who waited behind it is answered', async () => {
    const limited = codeOf(database.once(as('a', { timeoutMs: 300 }), SLOW))
    const waited = Array.from({ length: 5 }, () => codeOf(database.once(as('a'), NOTES)))
    expect(await limited).toBe('57014')
    expect(await Promise.all(waited)).toEqual(Array(5).fill('ok'))
  })

  test('who waits for the engine hears in time, also in its mailbox and while it is opened again', {
    timeout: 120_000,
  }, async () => {
    const own = await openTestDatabase({ queueMs: 1500 })
    const waits: number[] = []
    const ask = async (person: string) => {
      const since = performance.now()
      const said = await codeOf(own.once({ role: 'postgres', readOnly: true, person }, { text: 'select 1' }))
      waits.push(performance.now() - since)
      return said
    }
    const slow = codeOf(own.once({ role: 'postgres', person: 'slow', timeoutMs: 4000 }, SLOW))
    const said = await Promise.all(['a', 'b', 'c'].map(ask))
    expect(said).toEqual(['57P05', '57P05', '57P05'])
    // Timers fire late on a busy machine; the limit of the statement alone would be 4 s.
    expect(Math.max(...waits)).toBeLessThan(3500)
    expect(await slow).toBe('57014')
    await own.close()
    rmSync(own.folder, { recursive: true })
  })

  test('whose statements had to be ended waits, and others do not', { timeout: 120_000 }, async () => {
    const [slow, other] = [as('a', { person: 'slow', timeoutMs: 300 }), as('a', { person: 'other' })]
    expect(await codeOf(database.once(slow, SLOW))).toBe('57014')
    const order: string[] = []
    await Promise.all([
      database.once(slow, NOTES).then(() => order.push('slow')),
      sleep(50).then(() => database.once(other, NOTES).then(() => order.push('other'))),
    ])
    expect(order).toEqual(['other', 'slow'])
  })

  test('who has had the engine for long has it for less while others wait', {
    timeout: 120_000,
  }, async () => {
    const long = { text: 'select count(*) from generate_series(1, 3000000)' }
    const hog = as('a', { person: 'hog', timeoutMs: 60_000 })
    // Nobody is waiting, so it may take its time, whatever it has used before.
    const since = performance.now()
    while (performance.now() - since < 4000) expect(await codeOf(database.once(hog, long))).toBe('ok')
    const again = codeOf(database.once(hog, SLOW))
    await sleep(200)
    expect(await codeOf(database.once(as('a', { person: 'other' }), NOTES))).toBe('ok')
    expect(await again).toBe('57014')
  })

  test('one person has so many waiting; another still gets in', async () => {
    const busy = codeOf(database.transaction(as('a'), () => sleep(500)))
    const asked = [...Array.from({ length: 40 }, () => 'flood'), 'other'].map((person) =>
      codeOf(database.once(as('a', { person }), NOTES)),
    )
    const said = await Promise.all(asked)
    expect(said.filter((code) => code === '53300').length).toBe(8)
    expect(said.at(-1)).toBe('ok')
    expect(await busy).toBe('ok')
  })

  test('a full queue refuses at once; who waits in it is answered', async () => {
    const busy = codeOf(database.transaction(as('a'), () => sleep(1000)))
    const waiting = Array.from({ length: 60 }, () => codeOf(database.once(as('a'), NOTES)))
    await expect(database.once(as('a'), NOTES)).rejects.toBeInstanceOf(UnavailableFault)
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['ok']))
    expect(await busy).toBe('ok')
  })
})

test('who waits too long in the queue is told so, and what was begun is not disturbed', async () => {
  const queue = new EngineQueue({ length: 60, perPerson: 60, waitMs: 100 })
  queue.setOpen(true)
  const busy = queue.run({ alone: true }, () => sleep(600, 'done'))
  const waiting = Array.from({ length: 60 }, () =>
    codeOf(queue.run({ alone: false }, () => Promise.resolve())),
  )
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['57P05']))
  expect(await busy).toBe('done')
  expect(await queue.run({ alone: false }, () => Promise.resolve('next'))).toBe('next')
})

/** On a filled data folder, without what the database does around it. */
async function openBareEngine(): Promise<{ engine: Engine; folder: string }> {
  const made = await openTestDatabase()
  await made.close()
  const { folder } = made
  const engine = await Engine.prepare({
    maxAnswerBytes: 2 ** 20,
    requestHeapBytes: 512 * 2 ** 20,
    dataFolder: join(folder, 'pgdata'),
    lock: null,
    written: new WrittenFiles(),
  })
  await engine.open()
  return { engine, folder }
}

test('an engine that breaks is lost by itself: the process hears of it and goes on', {
  timeout: 120_000,
}, async () => {
  const { engine, folder } = await openBareEngine()
  let lost = 0
  engine.onLost = () => lost++
  // A terminate message has no answer.
  const broken = engine.send({ bytes: new Uint8Array([0x58, 0, 0, 0, 4]), steps: 1 }).answer
  const behind = engine.send({ bytes: new Uint8Array([0x53, 0, 0, 0, 4]), steps: 0 }).answer
  // However late the owner reads of it, the thread must not go on to what is behind.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
  const [first, second] = await Promise.allSettled([broken, behind])
  expect(first).toMatchObject({ status: 'rejected', reason: { name: 'EngineLostError', begun: true } })
  expect(second).toMatchObject({ status: 'rejected', reason: { name: 'EngineLostError', begun: false } })
  expect(lost).toBe(1)
  await expect(
    engine.send({ bytes: new Uint8Array([0x53, 0, 0, 0, 4]), steps: 0 }).answer,
  ).rejects.toBeInstanceOf(EngineLostError)
  rmSync(folder, { recursive: true })
})

test('requests that come while the engine is being ended do not keep its end from being heard of', {
  timeout: 120_000,
}, async () => {
  const { engine, folder } = await openBareEngine()
  const session = openSession(engine, folder, 2 ** 20, () => true)
  let isGone = false
  const ended = session.lose('for the test').then(() => (isGone = true))
  const run = { limitMs: 1000, readOnly: true, until: performance.now() + 60_000, isUnfair: () => false }
  // As the database does it: lost before it was begun, it is tried again.
  let tries = 0
  while (!isGone && ++tries < 300_000) expect(await session.once([{ text: 'select 1' }], run)).toBeNull()
  expect(isGone).toBe(true)
  await ended
  rmSync(folder, { recursive: true })
})

test('the protocol guard tells a lie from an answer', () => {
  const message = (code: string, body: number[] = []) => [
    code.charCodeAt(0),
    0,
    0,
    0,
    4 + body.length,
    ...body,
  ]
  const bytes = (...messages: number[][]) => new Uint8Array(messages.flat())
  const [bind, complete, ready, error] = [
    message('2'),
    message('C', [65, 0]),
    message('Z', [73]),
    message('E', [0]),
  ]
  expect(tallyAnswers(bytes(bind, complete, ready), 1)).toEqual({ failed: false, sound: true })
  expect(tallyAnswers(bytes(bind, error, ready), 1)).toEqual({ failed: true, sound: true })
  expect(tallyAnswers(bytes(bind, error, ready, ready), 1)).toEqual({ failed: true, sound: true })
  expect(tallyAnswers(bytes(bind, error, ready, complete, ready), 2).sound).toBe(false)
  expect(tallyAnswers(bytes(bind, complete, ready, ready), 1).sound).toBe(false)
  expect(tallyAnswers(bytes(bind, ready), 1).sound).toBe(false)
  expect(tallyAnswers(bytes(complete, ready), 1).sound).toBe(false)
  expect(tallyAnswers(bytes(bind, complete, ready), 2).sound).toBe(false)
  expect(tallyAnswers(bytes(bind, complete), 1).sound).toBe(false)
  expect(tallyAnswers(bytes(ready), null).sound).toBe(false)
  expect(tallyAnswers(bytes(bind, complete, ready).subarray(0, 12), 1).sound).toBe(false)
  expect(tallyAnswers(bytes(bind, complete, error, error, ready), 2).sound).toBe(false)
})
