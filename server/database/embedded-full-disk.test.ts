import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { VOLL } from '../../test/extent.ts'
import { smallDisk } from '../../test/small-disk.ts'
import { DatabaseFault } from './database.ts'
import type { EmbeddedDatabase } from './embedded.ts'
import { openTestDatabase } from './embedded.fixture.ts'

const disk = smallDisk(120)

const CONTEXT = { role: 'postgres' }
const filler = () => join(disk ?? '', 'filler')
function fillAllBut(bytes: number): void {
  const { bavail, bsize } = statfsSync(disk ?? '')
  writeFileSync(filler(), Buffer.alloc(Math.max(0, bavail * bsize - bytes)))
}

/** Writes until ten inserts are refused; returns the acknowledged numbers and the codes of the refusals. */
async function writeUntilFull(
  database: EmbeddedDatabase,
  first: number,
  text: string,
): Promise<{ kept: number[]; codes: Set<string> }> {
  const kept: number[] = []
  const codes = new Set<string>()
  for (let id = first, refused = 0; refused < 10 && id < first + 200; id++) {
    try {
      await database.once(CONTEXT, { text, values: [id] })
      kept.push(id)
    } catch (error) {
      refused++
      codes.add(error instanceof DatabaseFault ? error.code : String(error))
    }
  }
  return { kept, codes }
}

async function backAgain(database: EmbeddedDatabase): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await database.ping()
    } catch (error) {
      if (tries > 60) throw error
      await sleep(250)
    }
  }
}

/** No space left for the log: PostgreSQL stops, and the engine is reopened as soon as there is space. */
async function fillTheLog(database: EmbeddedDatabase): Promise<{ readonly kept: readonly number[] }> {
  fillAllBut(1_000_000)
  const log = `with log as (select pg_logical_emit_message(true, 'test', repeat('y', 1000000)))
    insert into counted select $1, left(log::text, 1)
    from log`
  const { kept, codes } = await writeUntilFull(database, 1000, log)
  expect([...codes].filter((code) => !['53100', '08006', '08007', '57P05'].includes(code))).toEqual([])
  rmSync(filler())
  return { kept }
}

test.skipIf(disk === null)(
  'a full disk: errors, no lie, nothing lost, and it recovers by itself',
  async () => {
    const database = await openTestDatabase({ folder: disk ?? '', queueMs: 20_000 })
    await database.asOwner((owner) => owner.script('create table counted (id int primary key, text text)'))
    // No space left for rows: PostgreSQL reports it.
    fillAllBut(3_000_000)
    const rows = `insert into counted
      values ($1, (select string_agg(md5(random()::text), '') from generate_series(1, 8000)))`
    const first = await writeUntilFull(database, 1, rows)
    expect(first.codes).toEqual(new Set(['53100']))
    rmSync(filler())
    const second = VOLL ? await fillTheLog(database) : { kept: [] }
    await backAgain(database)
    await database.once(CONTEXT, { text: `insert into counted values (5000, 'after')` })
    const seen = await database.once<{ id: number }>(CONTEXT, { text: 'select id from counted' })
    const ids = new Set(seen.rows.map(({ id }) => id))
    expect(first.kept.length + second.kept.length).toBeGreaterThan(VOLL ? 10 : 2)
    expect([...first.kept, ...second.kept, 5000].filter((id) => !ids.has(id))).toEqual([])
    await database.close()
  },
  180_000,
)
