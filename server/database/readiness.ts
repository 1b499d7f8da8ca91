// Checks whether PostgreSQL can serve, on a separate connection: a busy pool says nothing about the database,
// and the checks take nothing from requests.
import { type DatabaseFault, NoPrimaryFault, UnavailableFault } from './database.ts'
import type { Hosts } from './hosts.ts'
import { type Session, sessions } from './postgres-session.ts'

const LIMIT_MS = 1_500
/** Callers that ask again within this time get the same answer. */
const FRESH_MS = 100
/** A connection that is open says nothing about whether another one could be opened. */
const RENEW_MS = 30_000

export class Readiness {
  readonly #hosts: Hosts
  #session: Session | null = null
  #openedAt = 0
  /** The current or most recent question, shared by all who ask meanwhile. */
  #asked: Promise<void> | null = null
  #closed = false
  constructor(hosts: Hosts) {
    this.#hosts = hosts
  }

  ask(): Promise<void> {
    if (this.#asked !== null) return this.#asked
    const asked = this.#ask()
    this.#asked = asked
    const forget = () => void setTimeout(() => (this.#asked = null), FRESH_MS).unref()
    asked.then(forget, forget)
    return asked
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#session?.close()
  }

  async #ask(): Promise<void> {
    if (this.#closed) throw new UnavailableFault('the database was closed')
    if (this.#hosts.isRefused || performance.now() - this.#openedAt > RENEW_MS) this.#session?.discard()
    const mayBeOld = this.#session?.broken === false
    try {
      await this.#once()
    } catch (fault) {
      if (!mayBeOld) throw fault
      await this.#once()
    }
  }

  async #once(): Promise<void> {
    const session = await this.#open()
    const late = setTimeout(() => session.discard(), LIMIT_MS)
    try {
      if (await session.isClosed()) throw new NoPrimaryFault()
    } catch (fault) {
      // The next question looks for a server that takes changes.
      session.discard()
      throw fault as DatabaseFault
    } finally {
      clearTimeout(late)
    }
  }

  async #open(): Promise<Session> {
    if (this.#session?.broken === false) return this.#session
    const { connection } = await this.#hosts.open(
      sessions(
        { connectMs: LIMIT_MS, answerBytes: 2 ** 16, naming: { on: false, epoch: 0 } },
        () => undefined,
      ),
    )
    this.#session = connection
    this.#openedAt = performance.now()
    if (this.#closed) await connection.close()
    return connection
  }
}
