// For nine seconds the network swallows everything sent to the database: rounds of the owner's work fail,
// and resume by themselves.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OwnerConnection } from '#server/database/database.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { silentLog } from '#server/log.ts'
import { createTestDatabase, postgresUrl, type TestDatabase } from '../../test/postgres.ts'
import { SilentLine } from '../../test/silent-line.ts'
import { upkeepJob } from './upkeep.ts'

let home: TestDatabase
let line: SilentLine
beforeAll(async () => {
  if (postgresUrl() === null) return
  home = await createTestDatabase()
  line = await SilentLine.to(home.url)
  const owner = await createOwnerConnection(home.url)
  await owner.script(`do $$ begin create role forst_betrieb nologin; exception when duplicate_object then null; end $$;
    create table due (id int generated always as identity, at timestamptz default clock_timestamp());
    grant insert on due to forst_betrieb`)
  await owner.close()
})
afterAll(async () => {
  await line?.stop()
  await home?.drop()
})

test.skipIf(postgresUrl() === null)('upkeep goes on after nine seconds of silence', async () => {
  const asOwner = async <T>(work: (owner: OwnerConnection) => Promise<T>): Promise<T> => {
    const owner = await createOwnerConnection(line.through(home.url))
    try {
      return await work(owner)
    } finally {
      await owner.close()
    }
  }
  let failed = 0
  const log = { ...silentLog, error: () => void failed++ }
  const task = {
    name: 'due',
    run: async (owner: OwnerConnection) => (await owner.query('insert into due default values')).rowCount,
  }
  const upkeep = upkeepJob({ asOwner, tasks: [task], everyMs: 200, log, now: () => new Date() })
  upkeep.start()
  const near = await createOwnerConnection(home.url)
  const done = async () => Number((await near.query('select count(*) as n from due')).rows[0]?.['n'])
  await expect.poll(done).toBeGreaterThan(3)
  line.mode = 'swallow'
  await sleep(9_000)
  const during = await done()
  line.mode = 'pass'
  await expect.poll(done, { timeout: 30_000 }).toBeGreaterThan(during + 3)
  expect(failed).toBeGreaterThan(0)
  await upkeep.stop()
  await near.close()
})
