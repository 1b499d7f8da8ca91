// PostgreSQL by address: every transaction of a request goes through here; a read takes one round trip.
import type { Log } from '#server/log.ts'
import {
  type Context,
  type Database,
  DatabaseFault,
  type Result,
  type Statement,
  type Transaction,
  NoPrimaryFault,
  UnavailableFault,
} from './database.ts'
import type { Answer, Step } from './exchange.ts'
import { type Shares, sharesOf } from './fair-queue.ts'
import { Hosts } from './hosts.ts'
import { seatOf } from '#server/rank.ts'
import { PostgresListener } from './postgres-listener.ts'
import { SessionPool } from './postgres-pool.ts'
import { faultOf, isStale, type Session } from './postgres-session.ts'
import { Readiness } from './readiness.ts'
import { COMMIT, openingSteps, surroundings } from './transaction-steps.ts'

export interface PostgresOptions {
  readonly url: string
  /** The same with other passwords, tried when that one is refused. */
  readonly further?: readonly string[]
  /** Maximum connections, plus one for the readiness check; 8 are enough on two cores. */
  readonly poolSize?: number
  /** false: statements are sent in full each time. Behind a pooler they always are. */
  readonly prepared?: boolean
  /** Longest wait for a place. */
  readonly poolTimeoutMs?: number
  /** Longest run of a transaction that sets no limit of its own. */
  readonly timeoutMs?: number
  /** Maximum bytes of one answer, which is cut off while it arrives. */
  readonly answerBytes?: number
  readonly shares?: Partial<Shares>
  readonly connectMs?: number
  readonly idleMs?: number
  readonly log: Log
}

/** A stale connection fails at once; what failed later than this is not retried. */
const RETRY_WITHIN_MS = 1_000
/**
 * What a standby says to a change (0A000: to its begin). Also said for other reasons, for instance to a program's key
 * that only reads.
 */
const READS_ONLY = new Set(['25006', '0A000'])

export function createPostgresDatabase(options: PostgresOptions): Database {
  const {
    url,
    further = [],
    poolSize = 8,
    prepared = true,
    poolTimeoutMs: waitMs = 10_000,
    timeoutMs = 15_000,
    answerBytes = 32 * 2 ** 20,
  } = options
  const { connectMs = 5_000, idleMs = 300_000, log } = options
  const shares = sharesOf(poolSize, { waitMs, ...options.shares })
  const hosts = new Hosts(url, further)
  const pool = new SessionPool({ hosts, shares, prepared, connectMs, idleMs, answerBytes, log })
  const listener = new PostgresListener(hosts, log, { answerMs: connectMs })
  return new PostgresDatabase(pool, new Readiness(hosts), listener, timeoutMs)
}

class PostgresDatabase implements Database {
  readonly engine = 'postgres'
  readonly #pool: SessionPool
  readonly #readiness: Readiness
  readonly #listener: PostgresListener
  readonly #timeoutMs: number
  constructor(pool: SessionPool, readiness: Readiness, listener: PostgresListener, timeoutMs: number) {
    this.#pool = pool
    this.#readiness = readiness
    this.#listener = listener
    this.#timeoutMs = timeoutMs
  }

  async once<Row = Record<string, unknown>>(context: Context, statement: Statement): Promise<Result<Row>> {
    const seat = seatOf(context.person)
    for (let attempt = 1; ; attempt++) {
      const session = await this.#pool.acquire(seat, context.readOnly === true)
      const begun = performance.now()
      const mayBeOld = session.used && attempt === 1
      try {
        const answer = await this.#once(session, context, statement)
        this.#pool.release(session, seat)
        return answer as Result<Row>
      } catch (error) {
        const fault = await toldOf(session, context, error)
        void session.rollback().then(() => this.#pool.release(session, seat))
        // Nothing was committed and the connection was the cause, so the request may be sent again.
        if (mayBeOld && fault instanceof UnavailableFault && performance.now() - begun < RETRY_WITHIN_MS)
          continue
        throw fault
      }
    }
  }

  /**
   * A read is committed in the same round trip, a change only once its answer is here: if the answer is too
   * large or never comes, the change is certainly rolled back.
   */
  async #once(session: Session, context: Context, statement: Statement): Promise<Answer> {
    const limit = context.timeoutMs ?? this.#timeoutMs
    session.limit(limit, context.answerBytes)
    const steps: Step[] = [...openingSteps(context, surroundings(limit)), statement]
    if (context.readOnly === true) return (await runFirst(session, [...steps, COMMIT])).at(-2) as Answer
    const answer = (await runFirst(session, steps)).at(-1) as Answer
    await commit(session)
    return answer
  }

  async transaction<T>(context: Context, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const seat = seatOf(context.person)
    const session = await this.#pool.acquire(seat, context.readOnly === true)
    const tx = new PostgresTransaction(session, context, context.timeoutMs ?? this.#timeoutMs)
    try {
      const result = await work(tx)
      await tx.commit()
      this.#pool.release(session, seat)
      return result
    } catch (error) {
      await tx.end()
      const fault = await toldOf(session, context, error)
      await session.rollback()
      this.#pool.release(session, seat)
      throw fault
    }
  }

  listen(channel: string, heard: (message: string) => void): void {
    this.#listener.listen(channel, heard)
  }

  ping(): Promise<void> {
    return this.#readiness.ask()
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.close(), this.#readiness.close(), this.#listener.close()])
  }
}

/** A change that a server refused because it has become a standby is no refusal: its connection goes. */
async function toldOf(session: Session, context: Context, error: unknown): Promise<unknown> {
  const isRefused = error instanceof DatabaseFault && READS_ONLY.has(error.code) && context.readOnly !== true
  if (!isRefused) return error
  await session.rollback()
  if (!(await session.isClosed().catch(() => true))) return error
  session.discard()
  return new NoPrimaryFault()
}

/** The first exchange of a transaction, sent again if a prepared statement was missing or stale. */
async function runFirst(session: Session, steps: readonly Step[]): Promise<Answer[]> {
  try {
    return await session.run(steps)
  } catch (error) {
    if (!isStale(error)) throw faultOf(error, false)
    await session.rollback()
    return await session.run(steps, true).catch((again: unknown) => {
      throw faultOf(again, false)
    })
  }
}

async function commit(session: Session, readOnly = false): Promise<void> {
  let answers: Answer[]
  try {
    // Sent in full, so that only the transaction itself can be wrong.
    answers = await session.run([COMMIT], true)
  } catch (error) {
    throw faultOf(error, !readOnly)
  }
  // PostgreSQL answers the commit of a failed transaction with ROLLBACK and no error.
  if (answers[0]?.command !== 'COMMIT')
    throw new DatabaseFault('a statement of the transaction had failed', { code: '25P02' })
}

class PostgresTransaction implements Transaction {
  readonly #session: Session
  readonly #context: Context
  readonly #limit: number
  #begun = false
  #ended = false
  /** Queries run one after another, even if the caller does not wait for them. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(session: Session, context: Context, limit: number) {
    this.#session = session
    this.#context = context
    this.#limit = limit
    session.limit(limit, context.answerBytes)
  }

  query<Row = Record<string, unknown>>(statement: Statement): Promise<Result<Row>> {
    const answer = this.#last.then(() => this.#query<Row>(statement))
    this.#last = answer.catch(() => undefined)
    return answer
  }

  async #query<Row>(statement: Statement): Promise<Result<Row>> {
    if (this.#ended) throw new DatabaseFault('the transaction has ended', { code: '25000' })
    if (!this.#begun) {
      this.#begun = true
      const opening = openingSteps(this.#context, surroundings(this.#limit))
      return (await runFirst(this.#session, [...opening, statement])).at(-1) as Answer as Result<Row>
    }
    try {
      return (await this.#session.run([statement])).at(-1) as Answer as Result<Row>
    } catch (error) {
      throw faultOf(error, false)
    }
  }

  async commit(): Promise<void> {
    await this.end()
    if (this.#begun) await commit(this.#session, this.#context.readOnly)
  }

  /** No further query begins; those already sent are waited for. */
  async end(): Promise<void> {
    await this.#last
    this.#ended = true
  }
}
