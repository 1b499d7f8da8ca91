// Both engines with the product's schema, for the tests of rights: the same test runs on each.
import { rmSync } from 'node:fs'
import { basename } from 'node:path'
import { inject } from 'vitest'
import type { Database, OwnerConnection } from '#server/database/database.ts'
import { openTestDatabase } from '#server/database/embedded.fixture.ts'
import { createPostgresDatabase } from '#server/database/postgres.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { silentLog } from '#server/log.ts'
import { TEMPLATES } from '#server/prepare.ts'
import { asUser, copyDatabase, dropDatabase } from '../../test/databases.ts'
import { postgresUrl } from '../../test/postgres.ts'
import { BOTH_ENGINES, DAY, ONE_ENGINE, VOLL } from '../../test/extent.ts'

export interface Engine {
  readonly name: 'postgres' | 'embedded'
  /** Connects with the server's login, which may only switch roles. */
  readonly api: Database
  readonly owner: OwnerConnection
  close(): Promise<void>
}

export const ENGINES = ['postgres', 'embedded'] as const
export type EngineName = (typeof ENGINES)[number]
/** Suites of an engine that is not installed or not wanted are skipped, and counted as skipped. */
export const isMissing = (name: EngineName) =>
  name === 'postgres' ? postgresUrl() === null : ONE_ENGINE && postgresUrl() !== null

/**
 * For suites about rules that are the same text on each engine: one of them, which changes with the day, half
 * of the suites having the one and half the other; both in the full run (`npm run test:voll`). The data API's
 * dialect and operations are always tested on both, the matrix of rights on the second in part.
 */
export function enginesToday(file: string): readonly EngineName[] {
  if (BOTH_ENGINES) return ENGINES
  if (postgresUrl() === null) return ['embedded']
  if (ONE_ENGINE) return ['postgres']
  const nr = Array.from(basename(file), (sign) => sign.codePointAt(0) ?? 0).reduce(
    (sum, one) => sum + one,
    DAY,
  )
  return [ENGINES[nr % ENGINES.length]!]
}

/** For suites whose subject does not depend on the engine: one of them, or both in the full run. */
export const EITHER_ENGINE: readonly EngineName[] = VOLL
  ? ENGINES
  : [postgresUrl() === null ? 'embedded' : 'postgres']

export const openEngine = (name: EngineName): Promise<Engine> =>
  name === 'postgres' ? openPostgres() : openEmbedded()

async function openPostgres(): Promise<Engine> {
  const url = await copyDatabase(inject('schemaUrl'))
  const superuser = await createOwnerConnection(url)
  const api = createPostgresDatabase({
    url: asUser(url, 'forst_api'),
    poolSize: 4,
    poolTimeoutMs: 60_000,
    log: silentLog,
  })
  const close = async () => {
    await api.close()
    await superuser.close()
    await dropDatabase(url)
  }
  return { name: 'postgres', api, owner: superuser, close }
}

async function openEmbedded(): Promise<Engine> {
  const api = await openTestDatabase({ templateArchive: TEMPLATES.empty, loginRole: 'forst_api' })
  const owner: OwnerConnection = {
    engine: 'embedded',
    query: (text, values) => api.asOwner((connection) => connection.query(text, values)),
    script: (text) => api.asOwner((connection) => connection.script(text)),
    close: () => Promise.resolve(),
  }
  const close = async () => {
    await api.close()
    rmSync(api.folder, { recursive: true, force: true })
  }
  return { name: 'embedded', api, owner, close }
}

export { asCaller, attempt, did, type Outcome, sql } from './attempt.ts'
