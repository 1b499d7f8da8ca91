// What the data API is started with.
import type { Database, Statement } from '#server/database/database.ts'
import type { Log } from '#server/log.ts'
import type { FaultFields } from './faults.ts'
import type { Limits } from './limits.ts'
import type { Narrowing } from './narrow-plan.ts'
import type { OpenApiOptions } from './openapi.ts'
import type { TxEnd } from './parse-prefer.ts'
import type { KeptAnswers } from './write-once.ts'

/**
 * Who is calling. `role` is the database role that the token asks for; only listed roles are ever switched
 * to.
 */
export interface DialectCaller {
  readonly claimsJson: string
  readonly role?: string
  /** Whose share a request counts against; the same for all tokens of one person. */
  readonly person?: string
  /** If set, everything but reading is refused with it. */
  readonly refusesWrites?: FaultFields
}

export interface DataApiOptions {
  readonly database: Database
  /** Exposed schemas; the first is the default. */
  readonly schemas: readonly string[]
  /** Path under which it is mounted: '/rest'; '' for the root. */
  readonly base: string
  /** Web role of callers with a token. */
  readonly role: string
  /** Further web roles that a token may ask for. */
  readonly otherRoles?: readonly string[]
  /** Web role of callers without a token; if unset, they get 401. */
  readonly anonymousRole?: string
  readonly authenticate: (authorization: string | undefined) => DialectCaller | Promise<DialectCaller>
  /** Runs in each transaction as the role, before the statement. */
  readonly preRequest?: Statement
  /** Schemas after the requested one on the search path, for operators of extensions. */
  readonly extraSearchPath?: readonly string[]
  /**
   * The statement that records a call or write that the database refused; null for none. It runs in its own
   * transaction, because the refused one was rolled back.
   */
  readonly noteRefusal?: (refusal: Refusal) => Statement | null
  /** Keeps answers to writes under a key of the caller's; without it such keys are ignored. */
  readonly keptAnswers?: KeptAnswers
  /** What is known about the rows of an answer before they are read. */
  readonly narrowing?: Narrowing
  readonly limits?: Partial<Limits>
  /** Origins whose pages may call from a browser; none by default, `*` for all. */
  readonly corsOrigins?: readonly string[]
  readonly openApi?: Partial<OpenApiOptions>
  /** How transactions end, and whether a request may choose with tx=; commit by default. */
  readonly txEnd?: TxEnd
  /**
   * Shows execution plans, and estimated counts also where row security hides rows. Both tell something about
   * rows that the caller may not see, so they are off by default: plans are refused, and such counts are exact.
   */
  readonly plans?: boolean
  /** `reads`: a write runs in the server's time zone, so that no caller moves what counts as today. */
  readonly timezones?: 'all' | 'reads'
  /** Tells functions the headers of the request (request.headers), but for those that carry secrets. */
  readonly requestHeaders?: boolean
  /** Says in each answer how long its parts took. */
  readonly serverTiming?: boolean
  readonly log: Log
}

/** A refusal by the database, in the database's own terms. */
export interface Refusal {
  readonly kind: 'call' | 'insert' | 'update' | 'delete'
  /** Name of the function or relation. */
  readonly name: string
  readonly code: string
  readonly hint: string | null
  readonly detail: string | null
}
