// One exchange with PostgreSQL: several statements sent together, ended by a single sync, and their answers.
// After the first error PostgreSQL skips everything up to the sync, so nothing can run outside the
// transaction it belongs to.
import { createHash } from 'node:crypto'
import { DatabaseFault, type Statement } from './database.ts'
import { parseField, toParameter } from './values.ts'
import { Outgoing } from './wire.ts'

export interface Field {
  readonly name: string
  readonly dataTypeID: number
}

export interface Answer {
  readonly rows: Record<string, unknown>[]
  readonly rowCount: number
  /** First word of the command tag: SELECT, COMMIT, ROLLBACK … */
  readonly command: string
}

/**
 * `silent`: a statement of our own whose answer nobody reads is not described, which saves a message each
 * way.
 */
export interface Step extends Statement {
  readonly silent?: boolean
}

interface Prepared {
  readonly text: string
  readonly name: string
  /** Known to exist on the other side. */
  ready: boolean
}

/**
 * Derived from the text, so that a name never means another text, whatever passes our connection on: behind a
 * pooler several of ours share one of PostgreSQL's. Parameter types follow from the text and are never sent.
 */
export const nameOf = (text: string): string =>
  `s${createHash('sha256').update(text).digest('hex').slice(0, 40)}`

/** Prepared statements of one connection, by their text; the least recently used are dropped first. */
export class PreparedStatements {
  readonly #byText = new Map<string, Prepared>()
  readonly #limit: number
  constructor(limit = 300) {
    this.#limit = limit
  }

  of(text: string, out: Outgoing): Prepared {
    const known = this.#byText.get(text)
    if (known !== undefined) {
      if (this.#byText.size > this.#limit / 2) {
        this.#byText.delete(text)
        this.#byText.set(text, known)
      }
      return known
    }
    this.#dropOldest(out)
    const prepared: Prepared = { text, name: nameOf(text), ready: false }
    this.#byText.set(text, prepared)
    return prepared
  }

  /** Each statement is parsed again before its next use. */
  forget(): void {
    for (const prepared of this.#byText.values()) prepared.ready = false
  }

  #dropOldest(out: Outgoing): void {
    if (this.#byText.size < this.#limit) return
    for (const [text, { name }] of this.#byText) {
      this.#byText.delete(text)
      out.closeStatement(name)
      return
    }
  }
}

const NO_PARAMETERS: readonly null[] = []

/**
 * Sends steps and collects their answers. Its handle… methods are those that a pg client calls on a submitted
 * query.
 */
export class Exchange {
  readonly promise: Promise<Answer[]>
  readonly #steps: readonly Step[]
  readonly #prepared: (Prepared | null)[] = []
  readonly #answers: Answer[] = []
  readonly #bytes: Buffer
  #resolve!: (answers: Answer[]) => void
  #reject!: (error: unknown) => void
  #rows: Record<string, unknown>[] = []
  #fields: readonly Field[] | null = null
  #done = false

  constructor(steps: readonly Step[], statements: PreparedStatements | null) {
    this.#steps = steps
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    const out = new Outgoing()
    for (const step of steps) this.#write(step, statements, out)
    out.sync()
    this.#bytes = out.bytes()
  }

  get bytes(): Buffer {
    return this.#bytes
  }

  /** Number of steps that were answered completely. */
  get answered(): number {
    return this.#answers.length
  }

  #write(step: Step, statements: PreparedStatements | null, out: Outgoing): void {
    const prepared = statements !== null && step.name !== undefined ? statements.of(step.text, out) : null
    const name = prepared?.name ?? ''
    if (prepared === null || (!prepared.ready && !this.#prepared.includes(prepared))) {
      // It may exist, from a failed exchange or from one still in progress. Closing a missing statement is
      // not an error.
      if (prepared !== null) out.closeStatement(name)
      out.parse(name, step.text)
    }
    out.bind(name, step.values === undefined ? NO_PARAMETERS : step.values.map(toParameter))
    // Described every time: an earlier description may come from another connection of a pooler, or from
    // before a migration.
    if (step.silent !== true) out.describe()
    out.execute()
    this.#prepared.push(prepared)
  }

  submit(connection: { readonly stream: { write(bytes: Buffer): unknown } }): void {
    connection.stream.write(this.#bytes)
  }

  handleRowDescription(message: { readonly fields: readonly Field[] }): void {
    this.#fields = message.fields.map(({ name, dataTypeID }) => ({ name, dataTypeID }))
  }

  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void {
    const fields = this.#fields
    if (fields === null) return
    const row: Record<string, unknown> = {}
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i] as Field
      const text = message.fields[i]
      row[field.name] = text == null ? null : parseField(field.dataTypeID, text)
    }
    this.#rows.push(row)
  }

  handleCommandComplete(message: { readonly text: string }): void {
    const prepared = this.#prepared[this.#answers.length]
    if (prepared != null) prepared.ready = true
    const words = message.text.split(' ')
    const count = Number(words.at(-1))
    this.#answers.push({
      rows: this.#rows,
      rowCount: words.length > 1 && Number.isInteger(count) ? count : 0,
      command: words[0] ?? '',
    })
    this.#rows = []
    this.#fields = null
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: 'EMPTY' })
  }

  handleError(error: unknown): void {
    if (this.#done) return
    this.#done = true
    this.#reject(error)
  }

  handleReadyForQuery(): void {
    if (this.#done) return
    this.#done = true
    if (this.#answers.length === this.#steps.length) this.#resolve(this.#answers)
    else
      this.#reject(
        new ProtocolError(`${this.#answers.length} of ${this.#steps.length} statements were answered`),
      )
  }

  // COPY has no place in a request. It is ended at once, so that the connection stays usable.
  handleCopyInResponse(connection: { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('COPY is not available here')
  }
  handleCopyData(): void {}
  handlePortalSuspended(): void {}
}

/** A value that cannot be encoded is the caller's fault, not the connection's. */
export function createExchange(steps: readonly Step[], statements: PreparedStatements | null): Exchange {
  try {
    return new Exchange(steps, statements)
  } catch (error) {
    throw new DatabaseFault(error instanceof Error ? error.message : String(error), {
      code: '22000',
      cause: error,
    })
  }
}

/** The engine violated the protocol, so nothing it said can be trusted. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
}
