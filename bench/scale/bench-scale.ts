// npm run bench:scale: what every request costs among 10,000 and among 1,000,000 customers (VOLL=1: ten million;
// SCALE=n: n), for staff and for single customers, on PostgreSQL.
import type { Database, OwnerConnection } from '#server/database/database.ts'
import { createPostgresDatabase } from '#server/database/postgres.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { silentLog } from '#server/log.ts'
import { join } from 'node:path'
import { migrate } from '#server/operations/migrate.ts'
import { findPostgresBinaries } from '../../test/postgres-binaries.ts'
import { asUser } from '../../test/owned-database.ts'
import { startPrivatePostgres } from '../../test/private-postgres.ts'
import { SHORT } from '../extent.ts'
import { type Figure, report, shown } from '../figures.ts'
import { figuresOf, type Row } from './growth.ts'
import { largeTables, readingOf, refusalOf, timesOf } from './measure.ts'
import { allRequests } from './requests.ts'
import { CALLERS, type CallerName, load } from './scene.ts'

const SMALL = SHORT ? 4_000 : 10_000
const LARGE = SHORT
  ? 8_000
  : Number(process.env['SCALE'] ?? (process.env['VOLL'] === '1' ? 10_000_000 : 1_000_000))
const BUDGET_MS = SHORT ? 1 : Number(process.env['BUDGET_MS'] ?? 400)
const schema = { folder: join(import.meta.dirname, '../../db'), log: silentLog, now: () => new Date() }
const SETTINGS = { shared_buffers: '2GB', maintenance_work_mem: '512MB', max_wal_size: '8GB' }

async function filled(url: string, name: string, customers: number): Promise<string> {
  const admin = await createOwnerConnection(url)
  await admin.script(`create database ${name}`)
  await admin.close()
  const own = url.replace(/\/postgres$/, `/${name}`)
  const owner = await createOwnerConnection(own)
  const start = performance.now()
  await migrate(owner, schema)
  await load(owner, customers)
  await owner.close()
  console.error(`${customers} customers loaded in ${Math.round((performance.now() - start) / 1000)} s`)
  return own
}

async function using<T>(
  url: string,
  work: (api: Database, owner: OwnerConnection) => Promise<T>,
): Promise<T> {
  const owner = await createOwnerConnection(url)
  const api = createPostgresDatabase({ url: asUser(url, 'forst_api'), poolSize: 1, log: silentLog })
  try {
    return await work(api, owner)
  } finally {
    await api.close()
    await owner.close()
  }
}

async function measure(url: string): Promise<Row[]> {
  return await using(url, async (api, owner) => {
    // A short run shows that each kind of request runs, not each of them.
    const requests = (await allRequests(api, owner)).filter((_, nr) => !SHORT || nr % 12 === 0)
    const large = await largeTables(owner)
    const only = process.env['ONLY'] === undefined ? null : new RegExp(process.env['ONLY'])
    const rows: Row[] = []
    for (const caller of Object.keys(CALLERS) as CallerName[])
      for (const request of requests) {
        const { what, kind, by } = request
        if ((by !== undefined && by !== caller) || only?.test(`${caller} ${what}`) === false) continue
        // oxlint-disable-next-line no-await-in-loop -- one person
        const times = await timesOf(api, caller, request, BUDGET_MS)
        const reading =
          times.refused === undefined && kind !== 'save'
            ? // oxlint-disable-next-line no-await-in-loop -- one person
              await readingOf(api, caller, request, large).catch(refusalOf)
            : null
        rows.push({ caller, what, kind, ...reading, ...times })
      }
    return rows
  })
}

const binaries = findPostgresBinaries()
if (binaries === undefined) throw new Error('no PostgreSQL 15 or newer with PostGIS is installed')
const given = process.env['BENCH_SCALE_URLS']?.split(' ')
const postgres = given === undefined ? await startPrivatePostgres(binaries, SETTINGS) : null
try {
  const [small, large] =
    postgres === null
      ? (given as [string, string])
      : [await filled(postgres.url, 'small', SMALL), await filled(postgres.url, 'large', LARGE)]
  const before = await measure(small!)
  const after = await measure(large!)
  const figures: Figure[] = [shown('customers', LARGE, ''), ...figuresOf(before, after)]
  report('scale', figures)
} finally {
  await postgres?.stop()
}
