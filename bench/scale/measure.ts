// Runs a request as the server does, one transaction as the caller, and asks PostgreSQL what it has read.
import {
  type Database,
  DatabaseFault,
  type OwnerConnection,
  type Transaction,
} from '#server/database/database.ts'
import type { Narrowed } from '../../server/data-api/narrow-plan.ts'
import type { Request } from './requests.ts'
import { CHECK_REQUEST } from '#server/nutzer.ts'
import { p95 } from '../figures.ts'
import { type CallerName, CALLERS, ISS } from './scene.ts'

const LONGEST_MS = 30_000
export const contextOf = (caller: CallerName) => ({
  role: 'nutzer',
  settings: {
    search_path: 'app, public',
    'request.jwt.claims': JSON.stringify({
      iss: ISS,
      iat: Math.floor(Date.now() / 1000),
      exp: 4_102_444_800,
      ...CALLERS[caller],
    }),
  },
  preRequest: CHECK_REQUEST,
  timeoutMs: LONGEST_MS,
})

export interface Times {
  readonly p95: number
  /** What the machine can do, whatever runs beside. */
  readonly best: number
}
export interface Measured extends Partial<Times> {
  /** Why the database refused; then there are no times. */
  readonly refused?: string
}

/** As the data API: what it asks before is in the same transaction. */
async function carryOut(
  api: Database,
  caller: CallerName,
  { statement: alone, before }: Request,
): Promise<void> {
  if (before === undefined) await api.once(contextOf(caller), alone)
  else
    await api.transaction(contextOf(caller), async (tx) => {
      const { rows } = await tx.query<Narrowed>(before.ask)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      for (const statement of before.after(rows)) await tx.query(statement)
    })
}

/** Null for what the caller may not do; other faults go on. */
export function refusalOf(error: unknown): null {
  if (error instanceof DatabaseFault) return null
  throw error
}

/** Up to nine rounds within the time, after one that fills the caches. */
export async function timesOf(
  api: Database,
  caller: CallerName,
  request: Request,
  budgetMs: number,
): Promise<Measured> {
  const times: number[] = []
  const begun = performance.now()
  try {
    for (let round = 0; round < 10; round++) {
      const start = performance.now()
      // oxlint-disable-next-line no-await-in-loop -- one person
      await carryOut(api, caller, request)
      const ms = performance.now() - start
      if (round > 0 || ms > budgetMs) times.push(ms)
      if (performance.now() - begun > budgetMs && times.length > 0) break
    }
  } catch (error) {
    if (!(error instanceof DatabaseFault)) throw error
    return { refused: `${error.code} ${error.message}` }
  }
  return { p95: p95(times), best: Math.min(...times) }
}

/** A count stops at 10,001; PostgreSQL reads a page to its end. */
const MOST_COUNTED = 11_000

/** Rows of each table. */
export type Tables = ReadonlyMap<string, number>

/** The tables that grow with the number of customers. */
export async function largeTables(owner: OwnerConnection): Promise<Tables> {
  const { rows } = await owner.query<{ name: string; n: number }>(
    `select relname as name, reltuples as n from pg_class
      where relkind = 'r' and relnamespace = 'app'::regnamespace and reltuples >= 1000`,
  )
  return new Map(rows.map(({ name, n }) => [name, Number(n)]))
}

export interface Reading {
  /**
   * Tables of which the request reads more than a half one row after the other, functions included. A count that
   * stops at its limit may do so.
   */
  readonly scans: readonly string[]
  /** Rows of tables that are fetched, whatever runs beside. */
  readonly rows: number
}

/** What the request reads: PostgreSQL counts it in each transaction. */
export async function readingOf(
  api: Database,
  caller: CallerName,
  { statement, before, kind }: Request,
  tables: Tables,
): Promise<Reading> {
  const read = async (tx: Transaction) =>
    new Map((await tx.query<Counted>({ text: READ, values: [] })).rows.map((row) => [row.name, row]))
  // What the transactions before have read may not be reported yet. Nothing is saved: what is asked next finds the
  // same rows.
  const [from, to] = await undone(api, caller, async (tx) => {
    const earlier = await read(tx)
    const asked = before === undefined ? [] : (await tx.query<Narrowed>(before.ask)).rows
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const one of before === undefined ? [statement] : before.after(asked)) await tx.query(one)
    return [earlier, await read(tx)] as const
  })
  const since = (name: string, of: 'scanned' | 'fetched'): number =>
    Number(to.get(name)?.[of] ?? 0) - Number(from.get(name)?.[of] ?? 0)
  const most = (name: string): number =>
    Math.max((tables.get(name) ?? Number.POSITIVE_INFINITY) / 2, kind === 'count' ? MOST_COUNTED : 0)
  const names = [...to.keys()]
  return {
    scans: names.filter((name) => since(name, 'scanned') > most(name)),
    rows: names.reduce((sum, name) => sum + since(name, 'scanned') + since(name, 'fetched'), 0),
  }
}

class UndoneError extends Error {}

async function undone<T>(
  api: Database,
  caller: CallerName,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  let done: { readonly result: T } | undefined
  try {
    await api.transaction(contextOf(caller), async (tx) => {
      done = { result: await work(tx) }
      throw new UndoneError()
    })
  } catch (error) {
    if (!(error instanceof UndoneError)) throw error
  }
  return done!.result
}

// A type, because interfaces have no index signature.
type Counted = { readonly name: string; readonly scanned: string; readonly fetched: string }
const READ = `select relname as name, seq_tup_read::text as scanned, coalesce(idx_tup_fetch, 0)::text as fetched
  from pg_catalog.pg_stat_xact_user_tables where schemaname = 'app'`
