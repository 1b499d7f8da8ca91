// PostgreSQL by address: every transaction of a request goes through here, in one round trip where it is one statement.
import type { Log } from '#server/log.ts'
import { type Context, type Database, DatabaseFault, type Result, type Statement, type Transaction, UnavailableFault } from './database.ts'
import type { Answer } from './exchange.ts'
import { SessionPool } from './postgres-pool.ts'
import { faultOf, isStale, type Session } from './postgres-session.ts'
import { COMMIT, openingSteps, surroundings } from './transaction-steps.ts'

export interface PostgresOptions {
  readonly url: string
  /** Connections at most; 8 are enough on two cores. */
  readonly poolSize?: number
  /** false behind a pooler in transaction mode that does not know prepared statements. */
  readonly prepared?: boolean
  /** Longest wait for a free connection. */
  readonly poolTimeoutMs?: number
  /** Longest run of a transaction that names no limit of its own. */
  readonly timeoutMs?: number
  readonly log: Log
}

export function createPostgresDatabase(options: PostgresOptions): Database {
  const { url, poolSize = 8, prepared = true, poolTimeoutMs = 10_000, timeoutMs = 15_000, log } = options
  return new PostgresDatabase(new SessionPool({ url, size: poolSize, prepared, waitMs: poolTimeoutMs, log }), timeoutMs)
}

class PostgresDatabase implements Database {
  readonly engine = 'postgres'
  readonly #pool: SessionPool
  readonly #timeoutMs: number
  constructor(pool: SessionPool, timeoutMs: number) {
    this.#pool = pool
    this.#timeoutMs = timeoutMs
  }

  async once<Row = Record<string, unknown>>(context: Context, statement: Statement): Promise<Result<Row>> {
    const limit = context.timeoutMs ?? this.#timeoutMs
    const steps = [...openingSteps(context, surroundings(limit)), statement, COMMIT]
    for (let attempt = 1; ; attempt++) {
      const session = await this.#pool.acquire()
      const mayBeStale = session.used && attempt === 1
      try {
        session.limit(limit)
        const answers = await session.run(steps)
        this.#pool.release(session)
        return answers.at(-2) as Answer as Result<Row>
      } catch (error) {
        void session.rollback().then(() => this.#pool.release(session))
        const fault = faultOf(error, context.readOnly !== true)
        // Nothing was committed and the cause was the connection, so that the request may simply go out again.
        if (mayBeStale && (fault instanceof UnavailableFault || isStale(error))) continue
        throw fault
      }
    }
  }

  async transaction<T>(context: Context, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const session = await this.#pool.acquire()
    const tx = new PostgresTransaction(session, context, context.timeoutMs ?? this.#timeoutMs)
    try {
      const result = await work(tx)
      await tx.commit()
      this.#pool.release(session)
      return result
    } catch (error) {
      await tx.end()
      await session.rollback()
      this.#pool.release(session)
      throw error
    }
  }

  async ping(): Promise<void> {
    const session = await this.#pool.acquire()
    try {
      session.limit(1000)
      await session.run([{ text: 'select 1', silent: true }])
    } catch (error) {
      throw faultOf(error, false)
    } finally {
      this.#pool.release(session)
    }
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}

class PostgresTransaction implements Transaction {
  readonly #session: Session
  readonly #context: Context
  readonly #limit: number
  #begun = false
  #ended = false
  /** Queries run one after the other, also when the caller does not wait for them. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(session: Session, context: Context, limit: number) {
    this.#session = session
    this.#context = context
    this.#limit = limit
    session.limit(limit)
  }

  query<Row = Record<string, unknown>>(statement: Statement): Promise<Result<Row>> {
    const answer = this.#last.then(() => this.#query<Row>(statement))
    this.#last = answer.catch(() => undefined)
    return answer
  }

  async #query<Row>(statement: Statement): Promise<Result<Row>> {
    if (this.#ended) throw new DatabaseFault('the transaction has ended', { code: '25000' })
    const opening = this.#begun ? [] : openingSteps(this.#context, surroundings(this.#limit))
    this.#begun = true
    try {
      const answers = await this.#session.run([...opening, statement])
      return answers.at(-1) as Answer as Result<Row>
    } catch (error) {
      throw faultOf(error, false)
    }
  }

  async commit(): Promise<void> {
    await this.end()
    if (!this.#begun) return
    let answers: Answer[]
    try {
      answers = await this.#session.run([COMMIT])
    } catch (error) {
      throw faultOf(error, this.#context.readOnly !== true)
    }
    // PostgreSQL answers the commit of a failed transaction with ROLLBACK and no error.
    if (answers[0]?.command !== 'COMMIT') throw new DatabaseFault('a statement of the transaction had failed', { code: '25P02' })
  }

  /** No further query begins; those that were sent are waited for. */
  async end(): Promise<void> {
    await this.#last
    this.#ended = true
  }
}
