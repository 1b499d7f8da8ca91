// The only access to the data, whichever engine holds it. Engines: postgres.ts (by address) and embedded.ts
// (PGlite in a worker).

/**
 * One SQL statement; values are always parameters. A `name` makes it a prepared statement where the engine
 * and the configuration allow that.
 */
export interface Statement {
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
}

/**
 * Rows as objects. bool, int2 and int4 arrive as JavaScript values, int8 as a number if it is a safe integer
 * and as text otherwise. Every other type (json, jsonb, numeric, float, dates, arrays, geometry, oid …)
 * arrives as the text PostgreSQL prints.
 */
export interface Result<Row = Record<string, unknown>> {
  readonly rows: Row[]
  /** Rows read or changed. */
  readonly rowCount: number
}

/** Whom a transaction runs as. Everything here is local to the transaction. */
export interface Context {
  /**
   * Database role to switch to: nutzer for requests, forst_idp for the identity provider, forst_betrieb for
   * operations.
   */
  readonly role: 'nutzer' | 'forst_idp' | 'forst_betrieb' | (string & {})
  /** Transaction-local settings, for instance request.jwt.claims. */
  readonly settings?: Readonly<Record<string, string>>
  readonly readOnly?: boolean
  /**
   * Person on whose behalf it runs. Each person has a limited share of running and waiting requests, so a
   * flood slows down only its sender. Unset: the server's own work.
   */
  readonly person?: string
  /**
   * Milliseconds until the transaction is aborted with DatabaseFault 57014 (55P03 while it waits for a lock);
   * default from the configuration.
   */
  readonly timeoutMs?: number
  /**
   * Maximum bytes of one answer, for pages of ours that may be larger than what a request may ask for;
   * PostgreSQL only. Default from the configuration.
   */
  readonly answerBytes?: number
  /** Runs as the role before everything else; may raise an error to refuse the request. */
  readonly preRequest?: Statement
}

export interface Transaction {
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Result<Row>>
}

export interface Database {
  readonly engine: 'postgres' | 'embedded'
  /** One statement in its own transaction; a read takes one round trip. Rejects with DatabaseFault. */
  once<Row = Record<string, unknown>>(context: Context, statement: Statement): Promise<Result<Row>>
  /** Several statements in one transaction; rolled back when `work` rejects. */
  transaction<T>(context: Context, work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * Calls `heard` for each message that NOTIFY sends to the channel, until the database is closed; with an
   * empty one where messages may have been missed. A loss of the connection is not reported: it is restored.
   */
  listen?(channel: string, heard: (message: string) => void): void
  /**
   * Resolves when requests, including changes, can be served; rejects otherwise. Asked separately, so work in
   * progress does not affect the answer.
   */
  ping(): Promise<void>
  /** @param withinMs work still in progress after this time is cut off */
  close(withinMs?: number): Promise<void>
}

/**
 * Owner-level access for migrations, dumps and checks; never for requests. It is a single connection, so
 * begin and commit may be sent as statements. Both engines offer it.
 */
export interface OwnerConnection {
  readonly engine: Database['engine']
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Result<Row>>
  /** Several statements in one text, without parameters and without an answer. */
  script(sqlText: string): Promise<void>
  close(): Promise<void>
}

/** PostgreSQL's error with its five-character SQLSTATE. Never shown to a caller unfiltered. */
export class DatabaseFault extends Error {
  override readonly name: string = 'DatabaseFault'
  readonly code: string
  readonly detail: string | null
  readonly hint: string | null
  readonly column: string | null
  readonly constraint: string | null
  constructor(
    message: string,
    fields: {
      code: string
      detail?: string | null | undefined
      hint?: string | null | undefined
      column?: string | null | undefined
      constraint?: string | null | undefined
      cause?: unknown
    },
  ) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.code = fields.code
    this.detail = fields.detail ?? null
    this.hint = fields.hint ?? null
    this.column = fields.column ?? null
    this.constraint = fields.constraint ?? null
  }
}

/**
 * The database cannot be reached, is starting, or its queue is full. The request had no effect and may be
 * retried.
 */
export class UnavailableFault extends DatabaseFault {
  override readonly name: string = 'UnavailableFault'
  constructor(message: string, cause?: unknown, code = '08006') {
    super(message, { code, cause })
  }
}

/** The database refuses the login of requests: nothing is wrong with the request, and the operator has to act. */
export class LoginFault extends UnavailableFault {
  override readonly name = 'LoginFault'
}

/** All hosts were asked, and none takes changes. */
export class NoPrimaryFault extends UnavailableFault {
  override readonly name = 'NoPrimaryFault'
  constructor() {
    super('no server takes changes')
  }
}

/** So many others wait that this request would not be served in time; it is refused before it waits. */
export class CrowdedFault extends UnavailableFault {
  override readonly name = 'CrowdedFault'
  static #told = 0
  /** Seconds after which to try again, not the same for all. */
  readonly retryAfterS: number
  constructor() {
    super('too many requests are waiting for the database')
    this.retryAfterS = 1 + (CrowdedFault.#told++ % 3)
  }
}

/**
 * The connection broke after a change was sent and before its commit was confirmed, so the change may or may
 * not have happened. Callers must check before repeating it.
 */
export class OutcomeUnknownFault extends DatabaseFault {
  override readonly name: string = 'OutcomeUnknownFault'
  constructor(message: string, cause?: unknown) {
    super(message, { code: '08007', cause })
  }
}

/** No connection became free in time (dialect: PGRST003, 504). */
export class PoolTimeoutFault extends DatabaseFault {
  override readonly name: string = 'PoolTimeoutFault'
  constructor(message: string) {
    super(message, { code: '57P05' })
  }
}

/**
 * The person's share is used up: so many of their requests are running and waiting that another is refused,
 * regardless of everybody else (429).
 */
export class ShareFault extends DatabaseFault {
  override readonly name: string = 'ShareFault'
  constructor(waiting: number) {
    super(`${waiting} requests of this person are waiting already`, { code: '53300' })
  }
}

/**
 * The answer was cut off while arriving and the transaction was rolled back; the caller must ask for fewer
 * rows or columns (413).
 */
export class AnswerTooLargeFault extends DatabaseFault {
  override readonly name: string = 'AnswerTooLargeFault'
  constructor(limit: number, cause?: unknown) {
    super(`the answer is larger than ${limit} bytes`, {
      code: '54000',
      hint: 'Ask for fewer rows or columns.',
      cause,
    })
  }
}
