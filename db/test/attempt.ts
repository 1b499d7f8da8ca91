// What someone attempts in the database, and its outcome. Independent of the test runner, because benches
// build the same world.
import {
  type Context,
  type Database,
  DatabaseFault,
  type Statement,
  type Transaction,
} from '#server/database/database.ts'

/** The outcome of an attempt: rows read or changed, or PostgreSQL's SQLSTATE. */
export type Outcome =
  | { readonly rows: Record<string, unknown>[]; readonly count: number }
  | { readonly code: string; readonly message: string }

/** The rows of an attempt that must not be refused. */
export function rowsOf(outcome: Outcome): Record<string, unknown>[] {
  if ('code' in outcome) throw new Error(`${outcome.code} ${outcome.message}`)
  return outcome.rows
}

/** 'done', or the code, the column and the hint of the refusal. */
export const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof DatabaseFault) return `${error.code} ${error.column ?? '-'} ${error.hint ?? '-'}`
      throw error
    },
  )

class UndoError extends Error {}

/**
 * Runs statements as `claims` in a transaction that is always rolled back; returns the outcome of the last
 * one.
 */
export async function attempt(
  api: Database,
  claims: object | null,
  ...statements: Statement[]
): Promise<Outcome> {
  let outcome: Outcome = { rows: [], count: 0 }
  const work = async (tx: Transaction) => {
    for (const statement of statements) {
      const { rows, rowCount } = await tx.query(statement)
      outcome = { rows, count: rowCount }
    }
    throw new UndoError()
  }
  try {
    await api.transaction(asCaller(claims), work)
  } catch (error) {
    if (error instanceof DatabaseFault) return { code: error.code, message: error.message }
    if (!(error instanceof UndoError)) throw error
  }
  return outcome
}

/** How the first of these statements is refused; nothing of them stays. */
export const refusalIn = (
  api: Database,
  claims: object | null,
  ...statements: Statement[]
): Promise<string> =>
  refusalOf(
    api
      .transaction(asCaller(claims), async (tx) => {
        for (const statement of statements) await tx.query(statement)
        throw new UndoError()
      })
      .catch((error: unknown) => {
        if (!(error instanceof UndoError)) throw error
      }),
  )

/** The context of a request by the holder of these claims; null means no token. */
export const asCaller = (claims: object | null): Context => ({
  role: 'nutzer',
  settings: claims === null ? {} : { 'request.jwt.claims': JSON.stringify(claims) },
})

export const sql = (text: string, ...values: unknown[]): Statement => ({ text, values })

/** A call of a cell that is the same for every caller. */
export const one =
  (text: string, ...values: unknown[]) =>
  (): Statement =>
    sql(text, ...values)

/**
 * One cell of a matrix: an attempt and who succeeds with it; everyone else must be refused or find nothing.
 */
export interface Cell {
  readonly what: string
  readonly call: (me: number) => Statement
  /** Names of identities, separated by spaces. */
  readonly may: string
  /** Identifies the wanted row; without it any row counts. */
  readonly finds?: (row: Record<string, unknown>, me: number) => boolean
}

/** Nobody writes this relation by hand. */
export const closed = (table: string, insert: string, set: string): Cell[] => [
  { what: 'create', call: one(`insert into ${table} ${insert}`), may: '' },
  { what: 'change', call: one(`update ${table} set ${set}`), may: '' },
  { what: 'delete', call: one(`delete from ${table}`), may: '' },
]

/**
 * How a refusal looks: by grant or policy, or by the procedures' single answer for "not found or not
 * allowed".
 */
const REFUSALS = ['42501', 'PT403', 'PT404']

/** 'done', 'refused', or how it failed: 'refused' must mean missing rights, not an error in the statement. */
export function did(outcome: Outcome, cell: Cell, me: number): string {
  if ('code' in outcome)
    return REFUSALS.includes(outcome.code) ? 'refused' : `failed: ${outcome.code} ${outcome.message}`
  const found =
    cell.finds === undefined ? outcome.count > 0 : outcome.rows.some((row) => cell.finds?.(row, me))
  return found ? 'done' : 'refused'
}
