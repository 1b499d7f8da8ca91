// Owner-level work on PostgreSQL: one connection of its own, outside the pool of the requests.
import pg from 'pg'
import type { OwnerConnection, Result } from './database.ts'
import { toFault } from './faults.ts'
import { parseField, toParameter } from './values.ts'

const types = { getTypeParser: (type: number) => (text: string) => parseField(type, text) }

/** Connects as the owner (or whoever the address names). `statementMs` bounds each statement; 0, the default, does not. */
export async function createOwnerConnection(
  url: string,
  options: { connectMs?: number; statementMs?: number } = {},
): Promise<OwnerConnection> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: options.connectMs ?? 10_000,
    statement_timeout: options.statementMs ?? 0,
    keepAlive: true,
    application_name: 'forstkontor owner',
  })
  // The statement under way rejects as well; without a listener the process would end.
  client.on('error', () => undefined)
  const guarded = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      throw toFault(error, false)
    })
  await guarded(client.connect())
  return {
    engine: 'postgres',
    async query<Row>(text: string, values: readonly unknown[] = []): Promise<Result<Row>> {
      const answer = await guarded(client.query({ text, values: values.map(toBuffer), types }))
      return { rows: answer.rows as Row[], rowCount: answer.rowCount ?? 0 }
    },
    async script(sqlText) {
      await guarded(client.query(sqlText))
    },
    close: () => client.end(),
  }
}

/** pg sends a Buffer as bytes, but not every Uint8Array. */
function toBuffer(value: unknown): string | Buffer | null {
  const parameter = toParameter(value)
  return parameter instanceof Uint8Array ? Buffer.from(parameter) : parameter
}
