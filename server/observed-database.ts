// The database, with every statement reported to those who watch the server. Its name is reported, never its
// text or a value of it.
import { type Context, type Database, type Statement, type Transaction } from './database/database.ts'
import type { AsOwner } from './as-betrieb.ts'
import { observed } from './observe.ts'
import type { OpenedDatabase } from './open-database.ts'

/** A prepared statement has a name; of others only the first word is reported. */
export const statementName = ({ name, text }: Statement): string =>
  name ?? (/^\s*([a-z]{1,12})\b/i.exec(text)?.[1] ?? 'other').toLowerCase()

export function observeDatabase(opened: OpenedDatabase): OpenedDatabase {
  const { database } = opened
  const asOwner: AsOwner = (work) => observed({ kind: 'owner', name: 'owner' }, () => opened.asOwner(work))
  return { ...opened, database: new ObservedDatabase(database), asOwner }
}

class ObservedDatabase implements Database {
  readonly engine: Database['engine']
  readonly #database: Database
  constructor(database: Database) {
    this.#database = database
    this.engine = database.engine
  }

  once<Row>(context: Context, statement: Statement) {
    return observed({ kind: 'statement', name: statementName(statement) }, () =>
      this.#database.once<Row>(context, statement),
    )
  }

  transaction<T>(context: Context, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return observed({ kind: 'transaction', name: context.role }, () =>
      this.#database.transaction(context, (tx) =>
        work({
          query: <Row>(statement: Statement) =>
            observed({ kind: 'statement', name: statementName(statement) }, () => tx.query<Row>(statement)),
        }),
      ),
    )
  }

  listen(channel: string, heard: (message: string) => void): void {
    this.#database.listen?.(channel, heard)
  }

  ping(): Promise<void> {
    return this.#database.ping()
  }

  close(withinMs?: number): Promise<void> {
    return this.#database.close(withinMs)
  }
}
