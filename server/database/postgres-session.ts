// One connection to PostgreSQL: runs exchanges one after another and knows whether it can still be trusted.
import pg from 'pg'
import { type DatabaseFault, LoginFault, UnavailableFault } from './database.ts'
import { type Answer, createExchange, PreparedStatements, ProtocolError, type Step } from './exchange.ts'
import { isServerError, toFault } from './faults.ts'
import { endClient, guardConnection, KEEP_ALIVE } from './guard-connection.ts'
import { type Connector, IS_CLOSED } from './hosts.ts'
import type { Inbound } from './inbound.ts'
import { ROLLBACK } from './transaction-steps.ts'

/**
 * Added to a time limit before the connection is cut: PostgreSQL itself aborts first if it can still be
 * reached.
 */
const GRACE_MS = 2000

/** What the connections of a pool share about prepared statements. */
export interface Naming {
  /** false: statements are sent in full each time. */
  on: boolean
  /** Incremented when prepared statements may no longer hold because of a migration. */
  epoch: number
  /** Called once, when naming stops. */
  onStop?(): void
}

export interface SessionOptions {
  readonly naming: Naming
  readonly connectMs: number
  /** Maximum bytes of one answer. */
  readonly answerBytes: number
}

export class Session {
  /**
   * Has answered before: a failure now may be that of a stale connection, which deserves one retry on a new
   * one.
   */
  used = false
  broken = false
  /** On a standby, for one read: not kept. */
  isStandIn = false
  /** When it was last given back. */
  idleSince = performance.now()
  /** The host it is connected to. */
  readonly url: string
  readonly #client: pg.Client
  readonly #inbound: Inbound
  readonly #answerBytes: number
  #answerLimit: number
  readonly #naming: Naming
  readonly #statements = new PreparedStatements()
  readonly #onBroken: (session: Session) => void
  #epoch: number
  /** There is no pooler in between, so prepared statements stay on this connection. */
  #direct = false
  #deadline = Number.POSITIVE_INFINITY
  /** When the exchange under way was sent. */
  #sentAt: number | null = null

  private constructor(
    client: pg.Client,
    url: string,
    options: SessionOptions,
    onBroken: (session: Session) => void,
  ) {
    this.#client = client
    this.url = url
    this.#inbound = guardConnection(client)
    this.#answerBytes = options.answerBytes
    this.#answerLimit = options.answerBytes
    this.#naming = options.naming
    this.#epoch = options.naming.epoch
    this.#onBroken = onBroken
    client.on('error', () => this.discard())
    client.on('end', () => this.discard())
  }

  static async open(
    url: string,
    options: SessionOptions,
    onBroken: (session: Session) => void,
  ): Promise<Session> {
    const client = new pg.Client({
      connectionString: url,
      ...KEEP_ALIVE,
      connectionTimeoutMillis: options.connectMs,
      application_name: 'forstkontor',
    })
    const session = new Session(client, url, options, onBroken)
    session.#inbound.expect(options.answerBytes)
    const late = setTimeout(() => session.discard(), options.connectMs)
    try {
      await client.connect()
      if (options.naming.on) await session.#findPooler()
    } catch (error) {
      session.discard()
      if (isServerError(error) && error.code.startsWith('28'))
        throw new LoginFault(error.message, error, error.code)
      throw toFault(error, false)
    } finally {
      clearTimeout(late)
    }
    return session
  }

  /**
   * A pooler invents the process id that it reports for cancelling; behind one, the next transaction may
   * reach another server process.
   */
  async #findPooler(): Promise<void> {
    const [answer] = await this.run([{ text: 'select pg_catalog.pg_backend_pid() as pid' }])
    const told = (this.#client as unknown as { readonly processID: number | null }).processID
    this.#direct = told !== null && answer?.rows[0]?.['pid'] === told
    this.used = false
  }

  /**
   * The connection is cut if nothing was heard by then; null lifts the limit. `answerBytes` overrides the
   * configured limit.
   */
  limit(milliseconds: number | null, answerBytes = this.#answerBytes): void {
    this.#answerLimit = answerBytes
    this.#deadline =
      milliseconds === null ? Number.POSITIVE_INFINITY : performance.now() + milliseconds + GRACE_MS
  }

  cutWhenOverdue(now: number): void {
    if (now > this.#deadline) this.discard()
  }

  /** Milliseconds since the exchange under way was sent; 0 without one. */
  waitsFor(now: number): number {
    return this.#sentAt === null ? 0 : now - this.#sentAt
  }

  /** `whole`: no prepared statement is used. */
  async run(steps: readonly Step[], whole = false): Promise<Answer[]> {
    if (this.broken) throw new UnavailableFault('the connection was lost')
    const exchange = createExchange(steps, whole ? null : this.#prepared())
    this.#inbound.expect(this.#answerLimit)
    this.#sentAt = performance.now()
    try {
      this.#client.query(exchange)
      const answers = await exchange.promise
      this.used = true
      return answers
    } catch (error) {
      if (!isServerError(error) || error.severity === 'FATAL') this.discard()
      else if (isStale(error)) this.#distrust(error.code)
      throw error
    } finally {
      this.#sentAt = null
    }
  }

  /** The server takes no changes. */
  async isClosed(): Promise<boolean> {
    const [answer] = await this.run([{ text: IS_CLOSED }], true)
    return answer?.rows[0]?.['closed'] !== false
  }

  #prepared(): PreparedStatements | null {
    if (!this.#direct || !this.#naming.on) return null
    if (this.#epoch !== this.#naming.epoch) this.#statements.forget()
    this.#epoch = this.#naming.epoch
    return this.#statements
  }

  #distrust(code: string): void {
    if (code === '0A000') {
      this.#naming.epoch++
      return
    }
    // Another client names statements on this server process: there is a pooler that reported the true
    // process id.
    if (this.#naming.on) this.#naming.onStop?.()
    this.#naming.on = false
  }

  /** Rolls back after a failed exchange; a connection whose rollback fails is discarded, not reused. */
  async rollback(): Promise<void> {
    if (this.broken) return
    try {
      await this.run([ROLLBACK], true)
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
    this.#onBroken(this)
    await endClient(this.#client)
  }
}

/** How Hosts connects sessions. */
export const sessions = (
  options: SessionOptions,
  onBroken: (session: Session) => void,
): Connector<Session> => ({
  open: (url) => Session.open(url, options, onBroken),
  isWritable: async (session) => {
    const late = setTimeout(() => session.discard(), options.connectMs)
    try {
      return !(await session.isClosed())
    } finally {
      clearTimeout(late)
      session.used = false
    }
  },
  close: (session) => void session.close(),
})

/**
 * A migration changed what a prepared statement returns, or a pooler gave us another server: everything must
 * be parsed again.
 */
export function isStale(error: unknown): boolean {
  if (error instanceof ProtocolError || !isServerError(error)) return false
  return (
    error.code === '26000' ||
    error.code === '42P05' ||
    (error.code === '0A000' && error.routine === 'RevalidateCachedQuery')
  )
}

/** The fault of a failed exchange; `commitSent` as in toFault. */
export const faultOf = (error: unknown, commitSent: boolean): DatabaseFault =>
  toFault(error, commitSent && !isServerError(error))
