// Answers beyond the limit on the embedded engine: refused with 413 while they are built, and the engine
// holds no more than one row of them.
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EmbeddedDatabase } from '#server/database/embedded.ts'
import { openTestDatabase } from '#server/database/embedded.fixture.ts'
import { FIXTURE_SQL, openShop, type Shop } from './data-api.fixture.ts'

const MB = 2 ** 20
const LIMIT = 8 * MB
const ROWS = 4_000

describe('answers beyond the limit', () => {
  let database: EmbeddedDatabase & { readonly folder: string }
  let shop: Shop
  beforeAll(async () => {
    database = await openTestDatabase({ loginRole: 'shop_login', maxAnswerBytes: LIMIT, timeoutMs: 100_000 })
    await database.asOwner((owner) => owner.script(FIXTURE_SQL))
    await database.asOwner((owner) =>
      owner.script(`create table shop.wide (id int primary key, text text not null);
        grant select, update on shop.wide to shop_web;
        insert into shop.wide select i, repeat('x', 2000) from generate_series(1, ${ROWS}) as i;
        create function shop.widest() returns setof shop.wide language sql stable as 'select * from shop.wide';
        grant execute on function shop.widest to shop_web;`),
    )
    shop = await openShop(database, { limits: { readMs: 100_000, deadlineMs: 100_000 } as never })
  }, 240_000)
  afterAll(async () => {
    await shop?.close()
    await database.close()
    rmSync(database.folder, { recursive: true })
  })

  const TWICE = 'select=id,a:text,b:text'
  test.for([
    ['rows', `/wide?${TWICE}`, {}],
    ['rows and their count', `/wide?${TWICE}`, { headers: { Prefer: 'count=exact' } }],
    [
      'rows without nulls',
      `/wide?${TWICE}`,
      { headers: { Accept: 'application/vnd.pgrst.array+json;nulls=stripped' } },
    ],
    ['lines', `/wide?${TWICE}`, { headers: { Accept: 'text/csv' } }],
    ['rows of a function', `/rpc/widest?${TWICE}`, {}],
    [
      'what a change returns',
      `/wide?id=gt.0&${TWICE}`,
      { method: 'PATCH', body: { text: 'y'.repeat(2000) }, headers: { Prefer: 'return=representation' } },
    ],
  ] as const)('%s', { timeout: 120_000 }, async ([, path, options]) => {
    // Statements of the same shape take their memory once, so a small one runs first.
    await shop.call(
      path.replace(/wide\?(?:id=gt.0&)?/, 'wide?id=lt.3&').replace('widest?', 'widest?id=lt.3&'),
      options,
    )
    const heap = database.heapBytes
    const answer = await shop.call(path, options)
    expect([answer.status, (answer.json as { code?: string } | undefined)?.code]).toEqual([413, '54000'])
    expect(database.heapBytes - heap).toBeLessThanOrEqual(LIMIT * 2)
    const { rows } = await database.asOwner((owner) =>
      owner.query(`select count(*) as n from shop.wide where text like 'y%' and id > 2`),
    )
    expect(rows).toEqual([{ n: 0 }])
  })

  test('half of it is answered, in the text that the database would have made', {
    timeout: 120_000,
  }, async () => {
    const half = await shop.call('/wide?id=lte.1900&id=gt.2&select=id,a:text,b:text')
    expect([half.status, (half.json as unknown[]).length]).toEqual([200, 1898])
    const two = await shop.call('/wide?id=in.(5,6)&select=id&order=id')
    expect(two.text).toBe('[{"id":5}, \n {"id":6}]')
  })
})
