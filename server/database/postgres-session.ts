// One connection to PostgreSQL: runs exchanges one after the other and knows whether it can still be trusted.
import pg from 'pg'
import { type DatabaseFault, UnavailableFault } from './database.ts'
import { type Answer, createExchange, PreparedStatements, ProtocolError, type Step } from './exchange.ts'
import { isServerError, toFault } from './faults.ts'
import { ROLLBACK } from './transaction-steps.ts'

/** Added to a time limit before the connection is cut: PostgreSQL itself breaks off first whenever it can still be reached. */
const GRACE_MS = 2000

export class Session {
  /** Answered something before: a failure now may be that of a connection grown old, worth one more try on a new one. */
  used = false
  broken = false
  readonly #client: pg.Client
  readonly #statements: PreparedStatements | null
  readonly #onBroken: (session: Session) => void
  #deadline = Number.POSITIVE_INFINITY

  private constructor(client: pg.Client, prepared: boolean, onBroken: (session: Session) => void) {
    this.#client = client
    this.#statements = prepared ? new PreparedStatements() : null
    this.#onBroken = onBroken
    client.on('error', () => this.discard())
    client.on('end', () => this.discard())
  }

  static async open(
    options: { url: string; prepared: boolean; connectMs: number },
    onBroken: (session: Session) => void,
  ): Promise<Session> {
    const client = new pg.Client({
      connectionString: options.url,
      keepAlive: true,
      connectionTimeoutMillis: options.connectMs,
      application_name: 'forstkontor',
    })
    const session = new Session(client, options.prepared, onBroken)
    try {
      await client.connect()
    } catch (error) {
      session.discard()
      throw toFault(error, false)
    }
    return session
  }

  /** The connection is cut when nothing was heard by then; null lifts the limit. */
  limit(milliseconds: number | null): void {
    this.#deadline = milliseconds === null ? Number.POSITIVE_INFINITY : performance.now() + milliseconds + GRACE_MS
  }

  cutWhenOverdue(now: number): void {
    if (now > this.#deadline) this.discard()
  }

  async run(steps: readonly Step[]): Promise<Answer[]> {
    if (this.broken) throw new UnavailableFault('the connection was lost')
    const exchange = createExchange(steps, this.#statements)
    try {
      this.#client.query(exchange)
      const answers = await exchange.promise
      this.used = true
      return answers
    } catch (error) {
      if (!isServerError(error) || error.severity === 'FATAL' || isStale(error)) this.discard()
      throw error
    }
  }

  /** After a failed exchange; a connection whose rollback fails is thrown away, not reused. */
  async rollback(): Promise<void> {
    if (this.broken) return
    try {
      await this.run([ROLLBACK])
      if (this.#client.getTransactionStatus() !== 'I') this.discard()
    } catch {
      this.discard()
    }
  }

  discard(): void {
    if (this.broken) return
    this.broken = true
    this.#client.connection.stream.destroy()
    this.#onBroken(this)
  }

  async close(): Promise<void> {
    if (this.broken) return
    this.broken = true
    await this.#client.end()
  }
}

/** A migration changed what a prepared statement answers, or a pooler gave us another server: parse everything anew. */
export function isStale(error: unknown): boolean {
  if (error instanceof ProtocolError || !isServerError(error)) return false
  return error.code === '26000' || error.code === '42P05' || (error.code === '0A000' && error.routine === 'RevalidateCachedQuery')
}

/** The fault of a failed exchange; `commitSent` as in toFault. */
export const faultOf = (error: unknown, commitSent: boolean): DatabaseFault => toFault(error, commitSent && !isServerError(error))
