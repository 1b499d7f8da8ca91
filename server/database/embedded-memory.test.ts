// Memory that one request makes the embedded engine use: bounded while the answer is built, refused as on
// PostgreSQL, and given back.
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Log } from '#server/log.ts'
import { AnswerTooLargeFault, type Context, DatabaseFault } from './database.ts'
import type { EmbeddedDatabase } from './embedded.ts'
import { openTestDatabase } from './embedded.fixture.ts'
import { VOLL } from '../../test/extent.ts'

const MB = 2 ** 20
const LIMIT = 8 * MB
const WEB: Context = { role: 'postgres', person: 'a' }
const READ: Context = { ...WEB, readOnly: true }

/** Records what happens to the engine. */
function listening(): { log: Log; told: string[]; heapsMb: number[] } {
  const told: string[] = []
  const heapsMb: number[] = []
  const note = (message: string, fields?: Record<string, unknown>) => {
    told.push(message)
    if (typeof fields?.['heapMb'] === 'number') heapsMb.push(fields['heapMb'])
  }
  return { log: { info: note, warn: note, error: note } as Log, told, heapsMb }
}

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (fault: unknown) =>
      fault instanceof AnswerTooLargeFault
        ? 'too large'
        : fault instanceof DatabaseFault
          ? fault.code
          : fault,
  )

/** Each produces an answer far beyond the limit, or uses much memory for a small one. */
const HOSTILE: Readonly<Record<string, string>> = {
  'one value': `select repeat('x', 60000000) as t`,
  'rows summed up': `select json_agg(r)::text as body
    from (select i, repeat('x', 100000) as t from generate_series(1, 3000) as i) as r`,
  'rows one by one': `select i, repeat('x', 1000) as t from generate_series(1, 3000000) as i`,
  'a row of many columns': `select
    ${Array.from({ length: 300 }, (_, i) => `repeat('x', 1000000) as c${i}`).join(', ')}`,
  'an error message': `select f.complain(100000000)`,
  'a flood of notices': `select f.chatter(100000000)`,
  'a value of a procedure': `select f.huge(400000000) as t`,
  'a change and what it returns': `update f.note set text = repeat('x', 20000000) returning text`,
  'much for a small answer': `select length(string_agg(repeat('x', 1000000), '')) as n
    from generate_series(1, 900) as i`,
  'an array': `select array_length(array_agg(repeat('y', 100000)), 1) as n from generate_series(1, 9000) as i`,
  'a json value': `select jsonb_object_agg(i, repeat('y', 100000)) as j from generate_series(1, 9000) as i`,
}

describe('the memory of one request', () => {
  const { log, told, heapsMb } = listening()
  let database: EmbeddedDatabase & { readonly folder: string }
  beforeAll(async () => {
    database = await openTestDatabase({ maxAnswerBytes: LIMIT, timeoutMs: 100_000, log })
    await database.asOwner((owner) =>
      owner.script(`create schema f;
        create table f.note (id int primary key, text text);
        insert into f.note select i, 'kept' from generate_series(1, 20) i;
        create function f.complain(n int) returns void language plpgsql as $$ begin raise exception '%',
          repeat('x', n); end $$;
        create function f.chatter(n int) returns void language plpgsql as $$
          begin for i in 1..1000 loop raise notice '%', repeat('x', n / 1000); end loop; end $$;
        create function f.huge(n int) returns text language sql as $$ select repeat('x', n) $$`),
    )
  }, 180_000)
  afterAll(async () => {
    await database.close()
    rmSync(database.folder, { recursive: true })
  })

  test.for(Object.entries(HOSTILE))(
    '%s: refused, nothing is kept of it, and the engine goes on',
    { timeout: 120_000 },
    async ([, text]) => {
      const before = told.length
      expect(await outcome(database.once(WEB, { text }))).toBe('too large')
      expect(database.heapBytes).toBeLessThanOrEqual(512 * MB)
      const { rows } = await database.once(READ, {
        text: `select count(*) as n, max(text) as text from f.note`,
      })
      expect(rows).toEqual([{ n: 20, text: 'kept' }])
      // Still the same engine: no request had to wait for a new one.
      expect(told.slice(before).filter((line) => line.includes('opened again'))).toEqual([])
    },
  )

  test('an answer just below the limit is given, whatever its shape', { timeout: 120_000 }, async () => {
    const rows = Math.floor(LIMIT / 1030)
    const shapes = [
      `select json_agg(r)::text as body
        from (select i, repeat('x', 1000) as t from generate_series(1, ${rows - 100}) as i) as r`,
      `select i, repeat('x', 1000) as t from generate_series(1, ${rows - 100}) as i`,
    ]
    for (const text of shapes) expect(await outcome(database.once(READ, { text }))).toBe('ok')
  })

  test('many parameters at once, each as large as allowed', { timeout: 120_000 }, async () => {
    const values = Array.from({ length: 4 }, () => 'x'.repeat(7 * MB))
    const text = 'select length($1) + length($2) + length($3) + length($4) as n'
    expect((await database.once(READ, { text, values })).rows).toEqual([{ n: 4 * 7 * MB }])
    expect(database.heapBytes).toBeLessThanOrEqual(512 * MB)
  })

  test('what the owner does has more room, and is given back without failing a request', {
    timeout: 180_000,
  }, async () => {
    const before = told.length
    const grow = `select length(string_agg(repeat('x', 1000000), '')) as n from generate_series(1, 300) as i`
    const { rows } = await database.asOwner((owner) => owner.query(grow))
    expect(rows).toEqual([{ n: 300_000_000 }])
    const outcomes = new Map<unknown, number>()
    for (let round = 0; round < 600 && (heapsMb.at(-1) ?? 0) <= 512; round++) {
      const said = await outcome(database.once(READ, { text: 'select count(*) from f.note' }))
      outcomes.set(said, (outcomes.get(said) ?? 0) + 1)
      await sleep(50)
    }
    // One more, in case the renewal was faster than the first query.
    outcomes.set(await outcome(database.once(READ, { text: 'select count(*) from f.note' })), 1)
    expect([...outcomes.keys()]).toEqual(['ok'])
    expect(new Set(told.slice(before))).toEqual(new Set(['embedded database was renewed']))
    expect(heapsMb.at(-1)).toBeGreaterThan(512)
    expect(database.heapBytes).toBeLessThan(256 * MB)
  })

  test('what was refused wears nothing out: no engine is replaced, and answers stay right', {
    timeout: 300_000,
  }, async () => {
    const before = told.length
    const heap = database.heapBytes
    const codes = new Map<unknown, number>()
    for (let round = 0; round < (VOLL ? 400 : 120); round++) {
      const said = await Promise.all(
        Array.from({ length: 25 }, () => outcome(database.once(WEB, { text: 'select f.complain(10)' }))),
      )
      for (const code of said) codes.set(code, (codes.get(code) ?? 0) + 1)
    }
    expect(Object.fromEntries(codes)).toEqual({ P0001: VOLL ? 10_000 : 3_000 })
    expect(told.slice(before)).toEqual([])
    expect(database.heapBytes).toBeLessThanOrEqual(heap + 40 * MB)
    expect((await database.once(READ, { text: 'select count(*) as n from f.note' })).rows).toEqual([
      { n: 20 },
    ])
  })
})
