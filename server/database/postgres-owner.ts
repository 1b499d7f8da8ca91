// Owner-level work on PostgreSQL, on a connection outside the pool of the requests.
import pg from 'pg'
import { type OwnerConnection, type Result, UnavailableFault } from './database.ts'
import { toFault } from './faults.ts'
import { answered, endClient, guardConnection, KEEP_ALIVE } from './guard-connection.ts'
import { type Connector, Hosts, IS_CLOSED } from './hosts.ts'
import { watchProgress } from './owner-watch.ts'
import { parseField, toParameter } from './values.ts'

const types = { getTypeParser: (type: number) => (text: string) => parseField(type, text) }

export interface OwnerOptions {
  readonly connectMs?: number
  /**
   * Limit for each statement; 0, the default, means none: a dump or a migration may take hours, as long as
   * the server works on it.
   */
  readonly statementMs?: number
  /** After this long without hearing anything, the server is asked whether it still works. */
  readonly quietMs?: number
}

/** Connects as the owner (or the user that the address names), with several hosts to the one that takes changes. */
export async function createOwnerConnection(
  address: string,
  options: OwnerOptions = {},
): Promise<OwnerConnection> {
  const { connectMs = 10_000, statementMs = 0, quietMs = 5_000 } = options
  const { connection, url } = await new Hosts(address).open(owners(connectMs, statementMs))
  const { client, pid } = connection
  const watched = <T>(work: Promise<T>) => guarded(watchProgress(client, { url, pid, quietMs }, work))
  return {
    engine: 'postgres',
    async query<Row>(text: string, values: readonly unknown[] = []): Promise<Result<Row>> {
      const answer = await watched(client.query({ text, values: values.map(toBuffer), types }))
      // Several statements in one text, or a server that sent no rows at all.
      if (!Array.isArray(answer.rows)) throw new UnavailableFault('the database gave no answer')
      return { rows: answer.rows as Row[], rowCount: answer.rowCount ?? 0 }
    },
    async script(sqlText) {
      await watched(client.query(sqlText))
    },
    close: () => endClient(client),
  }
}

interface Owner {
  readonly client: pg.Client
  /** Of the server process. */
  readonly pid: number
}

const owners = (connectMs: number, statementMs: number): Connector<Owner> => ({
  async open(url) {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: connectMs,
      statement_timeout: statementMs,
      ...KEEP_ALIVE,
      application_name: 'forstkontor owner',
    })
    guardConnection(client)
    // The running statement rejects too; without a listener the process would end.
    client.on('error', () => undefined)
    return { client, pid: await guarded(connect(client, connectMs)) }
  },
  async isWritable({ client }) {
    const asked = answered(client, connectMs, () => client.query<{ closed: boolean }>(IS_CLOSED))
    const { rows } = await guarded(asked)
    return rows[0]?.closed === false
  },
  close: ({ client }) => void endClient(client),
})

const guarded = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw toFault(error, false)
  })

/** Returns the id of the server process. */
async function connect(client: pg.Client, connectMs: number): Promise<number> {
  try {
    const answers = (await answered(client, connectMs, async () => {
      await client.connect()
      // As for forst_api: machine code for the long statements about the catalog takes longer than they do.
      return client.query('set jit = off; select pg_catalog.pg_backend_pid() as pid')
    })) as unknown as pg.QueryResult<{ pid: number }> | readonly pg.QueryResult<{ pid: number }>[]
    const { rows } = Array.isArray(answers) ? answers.at(-1)! : answers
    if (rows[0] === undefined) throw new Error('the server does not say which process it is')
    return rows[0].pid
  } catch (error) {
    void endClient(client, 0)
    throw error
  }
}

/** pg sends a Buffer as bytes, but not every Uint8Array. */
function toBuffer(value: unknown): string | Buffer | null {
  const parameter = toParameter(value)
  return parameter instanceof Uint8Array ? Buffer.from(parameter) : parameter
}
