// Both engines with the product's schema, for the tests of rights: the same test runs on each.
import { rmSync } from 'node:fs'
import { inject } from 'vitest'
import {
  type Context,
  type Database,
  DatabaseFault,
  type OwnerConnection,
  type Statement,
  type Transaction,
} from '#server/database/database.ts'
import { openTestDatabase } from '#server/database/embedded.fixture.ts'
import { createPostgresDatabase } from '#server/database/postgres.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { silentLog } from '#server/log.ts'
import { TEMPLATES } from '#server/prepare.ts'
import { asUser, copyDatabase, dropDatabase } from '../../test/databases.ts'
import { postgresUrl } from '../../test/postgres.ts'
import { VOLL } from '../../test/umfang.ts'

export interface Engine {
  readonly name: 'postgres' | 'embedded'
  /** As the server's login: may only switch roles. */
  readonly api: Database
  readonly owner: OwnerConnection
  close(): Promise<void>
}

export const ENGINES = ['postgres', 'embedded'] as const
export type EngineName = (typeof ENGINES)[number]
/** Suites of an engine that is not installed are skipped, and counted as skipped. */
export const isMissing = (name: EngineName) => name === 'postgres' && postgresUrl() === null

/** For suites whose matter hangs on no engine: one of them, in the whole run (`npm run test:voll`) both. Rights, calls and the API's own rules are always asked of both. */
export const EITHER_ENGINE: readonly EngineName[] = VOLL ? ENGINES : [postgresUrl() === null ? 'embedded' : 'postgres']

export const openEngine = (name: EngineName): Promise<Engine> => (name === 'postgres' ? openPostgres() : openEmbedded())

async function openPostgres(): Promise<Engine> {
  const url = await copyDatabase(inject('schemaUrl'))
  const superuser = await createOwnerConnection(url)
  const api = createPostgresDatabase({ url: asUser(url, 'forst_api'), poolSize: 4, poolTimeoutMs: 60_000, log: silentLog })
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

/** What became of an attempt: rows read or changed, or PostgreSQL's SQLSTATE. */
export type Outcome =
  | { readonly rows: Record<string, unknown>[]; readonly count: number }
  | { readonly code: string; readonly message: string }

class Undo extends Error {}

/** Runs statements as `claims` in a transaction that is always rolled back; the outcome is the last one's. */
export async function attempt(api: Database, claims: object | null, ...statements: Statement[]): Promise<Outcome> {
  let outcome: Outcome = { rows: [], count: 0 }
  const work = async (tx: Transaction) => {
    for (const statement of statements) {
      const { rows, rowCount } = await tx.query(statement)
      outcome = { rows, count: rowCount }
    }
    throw new Undo()
  }
  try {
    await api.transaction(asCaller(claims), work)
  } catch (error) {
    if (error instanceof DatabaseFault) return { code: error.code, message: error.message }
    if (!(error instanceof Undo)) throw error
  }
  return outcome
}

/** The context of a request by the holder of these claims; null is somebody without a token. */
export const asCaller = (claims: object | null): Context => ({
  role: 'nutzer',
  settings: claims === null ? {} : { 'request.jwt.claims': JSON.stringify(claims) },
})

export const sql = (text: string, ...values: unknown[]): Statement => ({ text, values })

/** One cell of a matrix: an attempt, and who succeeds with it; everybody else must be refused or find nothing. */
export interface Cell {
  readonly what: string
  readonly call: (me: number) => Statement
  /** Names of identities, separated by blanks. */
  readonly may: string
  /** What makes a row the one looked for; without it any row counts. */
  readonly finds?: (row: Record<string, unknown>, me: number) => boolean
}

/** How refusals read: by grant or policy, or by the procedures' one answer for "not found or not allowed". */
const REFUSALS = ['42501', 'PT403', 'PT404']

/** 'done', 'refused', or how it failed: refused must mean by right, not by a slip of the statement. */
export function did(outcome: Outcome, cell: Cell, me: number): string {
  if ('code' in outcome) return REFUSALS.includes(outcome.code) ? 'refused' : `failed: ${outcome.code} ${outcome.message}`
  const found = cell.finds === undefined ? outcome.count > 0 : outcome.rows.some((row) => cell.finds?.(row, me))
  return found ? 'done' : 'refused'
}
