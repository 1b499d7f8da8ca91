// The one way to the data, whichever engine holds it. Engines: postgres.ts (by address) and embedded.ts (PGlite in a worker).

/** One SQL statement; `name` makes it a prepared one where the engine and the configuration allow it. Values are always parameters. */
export interface Statement {
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
}

/**
 * Rows as objects. bool, int2 and int4 come as JavaScript values, int8 as a number while it is a safe one and else as text; every other type
 * (json, jsonb, numeric, float, dates, arrays, geometry, oid …) comes as the text PostgreSQL prints.
 */
export interface Result<Row = Record<string, unknown>> {
  readonly rows: Row[]
  /** Rows read or changed. */
  readonly rowCount: number
}

/** Under whose name a transaction runs. Everything here is local to the transaction. */
export interface Context {
  /** Database role to switch to: nutzer for requests, forst_idp for the identity provider, forst_betrieb for operations. */
  readonly role: 'nutzer' | 'forst_idp' | 'forst_betrieb' | (string & {})
  /** Transaction-local settings, for instance request.jwt.claims. */
  readonly settings?: Readonly<Record<string, string>>
  readonly readOnly?: boolean
  /** Who is served: each person has a share of what may run and wait at a time, so that a flood slows its sender. Without one the server works for itself. */
  readonly person?: string
  /** Milliseconds until the transaction is broken off with DatabaseFault 57014 (55P03 while it waits for a lock); default from the configuration. */
  readonly timeoutMs?: number
  /** Bytes of one answer at most, where a page of ours is rightly larger than what a request may ask for; PostgreSQL alone. Default from the configuration. */
  readonly answerBytes?: number
  /** Runs as the role before everything else; may raise to refuse the request. */
  readonly preRequest?: Statement
}

export interface Transaction {
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Result<Row>>
}

export interface Database {
  readonly engine: 'postgres' | 'embedded'
  /** One statement in its own transaction, a read in one round trip. Rejects with DatabaseFault. */
  once<Row = Record<string, unknown>>(context: Context, statement: Statement): Promise<Result<Row>>
  /** Several statements in one transaction; rolled back when `work` rejects. */
  transaction<T>(context: Context, work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Resolves when requests can be served, changes among them; rejects otherwise. Asked on a way of its own: work under way says nothing about it. */
  ping(): Promise<void>
  /** @param withinMs what is still under way then is cut off */
  close(withinMs?: number): Promise<void>
}

/**
 * The owner's way in, for migrations, dumps and checks; never for requests. One connection, so that begin and commit may be sent as statements.
 * Both engines offer it.
 */
export interface OwnerConnection {
  readonly engine: Database['engine']
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Result<Row>>
  /** Several statements in one text, without values and without an answer. */
  script(sqlText: string): Promise<void>
  close(): Promise<void>
}

/** What PostgreSQL said, with its five-letter SQLSTATE. Never shown to a caller unfiltered. */
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

/** The database cannot be reached, is starting, or its queue is full: the request had no effect and may be tried again. */
export class UnavailableFault extends DatabaseFault {
  override readonly name: string = 'UnavailableFault'
  constructor(message: string, cause?: unknown) {
    super(message, { code: '08006', cause })
  }
}

/**
 * The connection broke after a change had been sent off and before its commit was confirmed: it may or may not have happened.
 * Whoever repeats it must look first.
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

/** The person's share is used up: so many of their requests run and wait that one more is refused, whatever the others do (429). */
export class ShareFault extends DatabaseFault {
  override readonly name: string = 'ShareFault'
  constructor(waiting: number) {
    super(`${waiting} requests of this person are waiting already`, { code: '53300' })
  }
}

/** The answer was cut off while it arrived and the transaction rolled back: fewer rows or columns have to be asked for (413). */
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
