// Checks whether PostgreSQL can serve, on a separate connection: a busy pool says nothing about the database,
// and the checks take nothing from requests.
import { type DatabaseFault, UnavailableFault } from './database.ts'
import { Session } from './postgres-session.ts'

/** A standby, or a database that its operator has closed for changes, answers reads but cannot serve. */
const STATE = {
  text:
    'select pg_catalog.pg_is_in_recovery() ' +
    `or pg_catalog.current_setting('transaction_read_only')::boolean as closed`,
}
const LIMIT_MS = 1_500
/** Callers that ask again within this time get the same answer. */
const FRESH_MS = 100

export class Readiness {
  readonly #url: string
  #session: Session | null = null
  /** The current or most recent question, shared by all who ask meanwhile. */
  #asked: Promise<void> | null = null
  #closed = false
  constructor(url: string) {
    this.#url = url
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
    const [answer] = await this.#state()
    if (answer?.rows[0]?.['closed'] !== false) throw new UnavailableFault('the database takes no changes')
  }

  async #state() {
    const mayBeOld = this.#session?.broken === false
    try {
      return await this.#once()
    } catch (fault) {
      if (!mayBeOld) throw fault
      return await this.#once()
    }
  }

  async #once() {
    const session = await this.#open()
    const late = setTimeout(() => session.discard(), LIMIT_MS)
    try {
      return await session.run([STATE], true)
    } catch (fault) {
      session.discard()
      throw fault as DatabaseFault
    } finally {
      clearTimeout(late)
    }
  }

  async #open(): Promise<Session> {
    if (this.#session?.broken === false) return this.#session
    const options = {
      url: this.#url,
      connectMs: LIMIT_MS,
      answerBytes: 2 ** 16,
      naming: { on: false, epoch: 0 },
    }
    this.#session = await Session.open(options, () => undefined)
    if (this.#closed) await this.#session.close()
    return this.#session
  }
}
