// npm run bench:suche: the jump-to search over 100,000 customers, headquarters and people each, on both
// engines, for callers who see everything and callers who see little.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database, OwnerConnection } from '#server/database/database.ts'
import { createEmbeddedDatabase } from '#server/database/embedded.ts'
import { createPostgresDatabase } from '#server/database/postgres.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { silentLog } from '#server/log.ts'
import { CHECK_REQUEST } from '#server/nutzer.ts'
import { migrate } from '#server/operations/migrate.ts'
import { TEMPLATES } from '#server/prepare.ts'
import { asUser } from '../../test/owned-database.ts'
import { startPrivatePostgres } from '../api/private-postgres.ts'
import { ENGINES, SHORT } from '../extent.ts'
import { atMost, type Figure, median, p95, report, shown } from '../figures.ts'
import { CALLERS, HEAVY, ISS, sceneSql, TYPED } from './scene.ts'

const ROWS = Number(process.argv[2] ?? (SHORT ? 500 : 100_000))
const LIMIT_MS = 100
const schema = { folder: join(import.meta.dirname, '../../db'), log: silentLog, now: () => new Date() }
const figures: Figure[] = []

/** As the data API does: one transaction as the caller, checked first. */
async function ask(
  api: Database,
  caller: keyof typeof CALLERS,
  text: string,
): Promise<{ ms: number; rows: number }> {
  const claims = JSON.stringify({ iss: ISS, iat: Math.floor(Date.now() / 1000), ...CALLERS[caller] })
  const start = performance.now()
  const { rows } = await api.once(
    { role: 'nutzer', settings: { 'request.jwt.claims': claims }, preRequest: CHECK_REQUEST },
    { name: 'a_suche', text: 'select * from app.a_suche($1, null, 6)', values: [text] },
  )
  return { ms: performance.now() - start, rows: rows.length }
}

async function measure(engine: string, api: Database): Promise<void> {
  for (const caller of Object.keys(CALLERS) as (keyof typeof CALLERS)[]) {
    for (const text of TYPED.slice(0, 20)) await ask(api, caller, text)
    const times: number[] = []
    let rows = 0
    for (let round = 0; round < (SHORT ? 1 : 3); round++)
      for (const text of TYPED) {
        const answer = await ask(api, caller, text)
        times.push(answer.ms)
        rows += answer.rows
      }
    if (caller === 'ogf_admin' && rows === 0)
      throw new Error('the search finds nothing: there is nothing to measure')
    figures.push(atMost(`${engine}: ${caller}, typing, p95`, LIMIT_MS, p95(times), 'ms'))
    figures.push(shown(`${engine}: ${caller}, typing, p50`, median(times), 'ms'))
    const heavy: number[] = []
    for (let round = 0; round < (SHORT ? 1 : 5); round++)
      for (const text of HEAVY) heavy.push((await ask(api, caller, text)).ms)
    figures.push(shown(`${engine}: ${caller}, words that stand everywhere, p95`, p95(heavy), 'ms'))
  }
}

async function build(owner: OwnerConnection): Promise<void> {
  await migrate(owner, schema)
  await owner.script(sceneSql(ROWS))
}

async function onPostgres(): Promise<void> {
  const postgres = await startPrivatePostgres()
  try {
    const owner = await createOwnerConnection(postgres.url)
    await build(owner)
    await owner.close()
    const api = createPostgresDatabase({
      url: asUser(postgres.url, 'forst_api'),
      poolSize: 1,
      log: silentLog,
    })
    try {
      await measure('PostgreSQL', api)
    } finally {
      await api.close()
    }
  } finally {
    await postgres.stop()
  }
}

async function onEmbedded(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-suche-'))
  try {
    const database = await createEmbeddedDatabase({
      folder,
      templateArchive: TEMPLATES.empty,
      log: silentLog,
      loginRole: 'forst_api',
    })
    try {
      await database.asOwner(build)
      await measure('embedded', database)
    } finally {
      await database.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

figures.push(shown('records of each of three kinds', ROWS, ''))
if (ENGINES.includes('postgres')) await onPostgres()
if (ENGINES.includes('embedded')) await onEmbedded()
report('suche', figures)
