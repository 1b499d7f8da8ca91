// Runs the statements of the identity provider, each under the role forst_idp, which sees the schema idp and
// nothing else.
import type { Context, Database, Result, Statement, Transaction } from '#server/database/database.ts'
import { asking } from '#server/share.ts'

/** What a request leads to counts against its sender, signed in or not. */
const context = (): Context => ({ role: 'forst_idp', ...asking() })

export interface IdpDatabase {
  once<Row = Record<string, unknown>>(text: string, ...values: readonly unknown[]): Promise<Result<Row>>
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
}
export type Query = <Row = Record<string, unknown>>(
  text: string,
  ...values: readonly unknown[]
) => Promise<Result<Row>>

export function idpDatabase(database: Database): IdpDatabase {
  const statement = (text: string, values: readonly unknown[]): Statement => ({ text, values })
  return {
    once: (text, ...values) => database.once(context(), statement(text, values)),
    transaction: (work) =>
      database.transaction(context(), (tx: Transaction) =>
        work((text, ...values) => tx.query(statement(text, values))),
      ),
  }
}
