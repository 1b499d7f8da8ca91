// In charge of the row-filtering data API: turns a request in PostgREST's dialect into one statement, and its
// result into the response.
// Stages, one file each: parse-request (text to request), plan-request (to plan), build-statement,
// build-answer. It knows no domain noun.
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type Context,
  type Database,
  DatabaseFault,
  type Result,
  type Statement,
} from '#server/database/database.ts'
import type { Log } from '#server/log.ts'
import { type Answer, buildAnswer, checkRows, needsCheckBeforeCommit, type Outcome } from './build-answer.ts'
import { buildStatement, deliveryOf, outcomeOf } from './build-statement.ts'
import { type Catalogue, quoteName } from './catalogue.ts'
import { CatalogueKeeper } from './catalogue-keeper.ts'
import { ApiFault, answerTooSlow, badPath, bodyTooSlow, urlTooLong } from './faults.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import { parseRequest, type RawRequest } from './parse-request.ts'
import { foreignType, type Plan } from './plan.ts'
import { planRequest } from './plan-request.ts'
import { NO_BODY, readBody } from './read-body.ts'
import type { ApiRequest } from './request.ts'
import { send, sendFault } from './send.ts'
import { translateFault } from './translate-fault.ts'
import { type KeptAnswers, readWriteKey, type WriteKey, writeOnce } from './write-once.ts'

/**
 * Who is calling. `role` is the database role that the token asks for; only listed roles are ever switched
 * to.
 */
export interface DialectCaller {
  readonly claimsJson: string
  readonly role?: string
  /** Whose share a request counts against; the same for all tokens of one person. */
  readonly person?: string
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
  readonly limits?: Partial<Limits>
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

export interface DataApi {
  readonly base: string
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Reads the catalogue now; resolves to whether there is one. For the start and the readiness check. */
  ready(): Promise<boolean>
}

/** SQLSTATEs for a relation, column or function that does not exist. */
const DROPPED: ReadonlySet<string> = new Set(['42P01', '42703', '42883'])

export function createDataApi(options: DataApiOptions): DataApi {
  return new Server(options)
}

/** What is known about a call in progress. */
interface Call {
  bodyRead: boolean
  anonymous: boolean
  /** Moves the deadline for a function that may take longer. */
  extend(ms: number): void
}

const UNIT_MS: Readonly<Record<string, number>> = {
  us: 0.001,
  ms: 1,
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/**
 * A time limit as PostgreSQL stores it for a role: without a unit it is in milliseconds, and 0 or nothing
 * means no limit.
 */
function milliseconds(text = '0'): number {
  const [, number, unit = 'ms'] = /^([0-9.]+) *([a-z]+)?$/.exec(text) ?? []
  return Math.ceil(Number(number ?? 0) * (UNIT_MS[unit] ?? 0)) || Number.POSITIVE_INFINITY
}

class Server implements DataApi {
  readonly base: string
  readonly #options: DataApiOptions
  readonly #limits: Limits
  readonly #keeper: CatalogueKeeper
  readonly #roles: ReadonlySet<string>
  readonly #searchPaths: ReadonlyMap<string, string>
  readonly #anonymous: DialectCaller | null

  constructor(options: DataApiOptions) {
    const { anonymousRole, extraSearchPath = ['public'] } = options
    this.base = options.base
    this.#options = options
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits }
    this.#roles = new Set([
      options.role,
      ...(options.otherRoles ?? []),
      ...(anonymousRole === undefined ? [] : [anonymousRole]),
    ])
    this.#keeper = new CatalogueKeeper(
      options.database,
      { schemas: options.schemas, roles: [...this.#roles] },
      options.log,
    )
    this.#anonymous =
      anonymousRole === undefined
        ? null
        : { claimsJson: JSON.stringify({ role: anonymousRole }), role: anonymousRole }
    this.#searchPaths = new Map(
      options.schemas.map((schema) => [
        schema,
        [...new Set([schema, ...extraSearchPath])].map(quoteName).join(', '),
      ]),
    )
  }

  async ready(): Promise<boolean> {
    await this.#keeper.first().catch(() => undefined)
    return this.#keeper.loaded !== null
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const expire = () =>
      this.#refuse(request, response, call.bodyRead ? answerTooSlow() : bodyTooSlow(), call.anonymous)
    let deadline = setTimeout(expire, this.#limits.deadlineMs)
    const call: Call = {
      bodyRead: false,
      anonymous: false,
      extend: (ms) => {
        clearTimeout(deadline)
        deadline = setTimeout(expire, ms)
      },
    }
    try {
      const answer = await this.#answer(request, call)
      if (!response.headersSent && !response.destroyed) send(response, answer, request.method === 'HEAD')
    } catch (error) {
      this.#refuse(request, response, error, call.anonymous)
    } finally {
      clearTimeout(deadline)
    }
  }

  #refuse(request: IncomingMessage, response: ServerResponse, error: unknown, anonymous: boolean): void {
    const fault = translateFault(error, anonymous)
    if (fault.status >= 500) {
      const [path] = (request.url ?? '').split('?', 1)
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
      this.#options.log.error('the data API could not answer', {
        method: request.method,
        path,
        status: fault.status,
        code: fault.code,
        reason,
      })
    }
    if (!response.headersSent && !response.destroyed) sendFault(response, fault, request.method === 'HEAD')
  }

  async #answer(request: IncomingMessage, call: Call): Promise<Answer> {
    const url = request.url ?? ''
    if (url.length > this.#limits.urlBytes) throw urlTooLong(this.#limits.urlBytes)
    const { authorization } = request.headers
    call.anonymous = authorization === undefined && this.#anonymous !== null
    const signedIn = call.anonymous
      ? (this.#anonymous as DialectCaller)
      : this.#options.authenticate(authorization)
    const caller = signedIn instanceof Promise ? await signedIn : signedIn
    const body =
      request.method === 'GET' || request.method === 'HEAD'
        ? NO_BODY
        : await readBody(request, this.#limits.bodyBytes)
    call.bodyRead = true
    const raw = this.#rawRequest(request, url, body)
    const parsed = parseRequest(raw, this.#options.schemas, this.#limits)
    const role = this.#roleOf(caller)
    call.anonymous = role === this.#options.anonymousRole
    const catalogue = this.#keeper.loaded ?? (await this.#keeper.first())
    const { plan, settings } = await this.#plan(parsed, role, catalogue)
    const readOnly = plan.kind === 'read' || (plan.kind === 'call' && !plan.routine.volatile)
    // The function's own limit takes precedence over that of its caller's role.
    const own = plan.kind === 'call' ? plan.routine.timeLimitMs : null
    if (own !== null) call.extend(own + this.#limits.deadlineMs)
    const timeLimitMs =
      own ?? (readOnly ? Math.min(this.#limits.readMs, milliseconds(settings['statement_timeout'])) : null)
    const context: Context = {
      role,
      settings: this.#settings(
        raw,
        parsed.schema,
        caller,
        timeLimitMs === null ? settings : { ...settings, statement_timeout: `${timeLimitMs}ms` },
      ),
      readOnly,
      // All callers without a token have one share together.
      person: caller.person ?? 'anonymous',
      ...(timeLimitMs === null ? {} : { timeoutMs: timeLimitMs }),
      ...(this.#options.preRequest === undefined ? {} : { preRequest: this.#options.preRequest }),
    }
    const writeKey = readOnly || call.anonymous ? null : this.#writeKey(raw)
    const answered = (outcome: Outcome) =>
      buildAnswer(plan, parsed, outcome, { base: this.base, schemas: this.#options.schemas })
    return await this.#run(context, plan, answered, writeKey).catch((error: unknown) => {
      // PostgreSQL lacks a name that the catalogue still has: read it again for the next request.
      if (error instanceof DatabaseFault && DROPPED.has(error.code)) void this.#keeper.newerThan(catalogue)
      if (error instanceof DatabaseFault) return this.#noted(plan, this.#blamed(plan, error), context)
      throw error
    })
  }

  #writeKey(raw: RawRequest): WriteKey | null {
    const { keptAnswers } = this.#options
    return keptAnswers === undefined ? null : readWriteKey(raw, keptAnswers)
  }

  #rawRequest(request: IncomingMessage, url: string, body: Uint8Array): RawRequest {
    const mark = url.indexOf('?')
    const whole = mark === -1 ? url : url.slice(0, mark)
    if (!whole.startsWith(this.base) || (whole.length > this.base.length && whole[this.base.length] !== '/'))
      throw badPath()
    const path = whole.slice(this.base.length)
    return {
      method: request.method ?? '',
      path,
      query: mark === -1 ? '' : url.slice(mark + 1),
      headers: request.headers,
      body,
    }
  }

  /** The server chooses the role: the one that a token asks for counts only if it is on the list. */
  #roleOf({ role = this.#options.role }: DialectCaller): string {
    if (this.#roles.has(role)) return role
    throw new ApiFault({ status: 403, code: '42501', message: `permission denied to set role "${role}"` })
  }

  /** A name that was not found may be new, so the catalogue is read again before the request is refused. */
  async #plan(
    request: ApiRequest,
    role: string,
    catalogue: Catalogue,
  ): Promise<{ plan: Plan; settings: Readonly<Record<string, string>> }> {
    const context = { limits: this.#limits, role }
    try {
      return { plan: planRequest(catalogue, request, context), settings: catalogue.settingsOf(role) }
    } catch (error) {
      if (!(error instanceof ApiFault && error.missedName)) throw error
      const newer = await this.#keeper.newerThan(catalogue)
      if (newer === null) throw error
      return { plan: planRequest(newer, request, context), settings: newer.settingsOf(role) }
    }
  }

  #settings(
    raw: RawRequest,
    schema: string,
    caller: DialectCaller,
    ofRole: Readonly<Record<string, string>>,
  ): Record<string, string> {
    return {
      ...ofRole,
      search_path: this.#searchPaths.get(schema) ?? '',
      'request.jwt.claims': caller.claimsJson,
      'request.method': raw.method,
      'request.path': raw.path,
    }
  }

  /**
   * Extension types report input they cannot read as an internal error (PostGIS: XX000), although the value
   * came from the caller.
   */
  #blamed(plan: Plan, fault: DatabaseFault): DatabaseFault {
    const type = fault.code === 'XX000' ? foreignType(plan) : undefined
    if (type === undefined) return fault
    this.#options.log.warn('a value was refused by an extension', { type, reason: fault.message })
    return new DatabaseFault(`invalid input for type ${type}`, { code: '22P02' })
  }

  /** The caller gets the refusal in any case; a failure to record it is only logged. */
  async #noted(plan: Plan, fault: DatabaseFault, context: Context): Promise<never> {
    if (plan.kind === 'read') throw fault
    const name = plan.kind === 'call' ? plan.routine.name : plan.relation.name
    const { code, hint, detail } = fault
    const statement = this.#options.noteRefusal?.({ kind: plan.kind, name, code, hint, detail }) ?? null
    if (statement === null) throw fault
    await this.#options.database.once({ ...context, readOnly: false }, statement).catch((error: unknown) => {
      this.#options.log.error('a refusal could not be written down', { name, code, reason: String(error) })
    })
    throw fault
  }

  async #run(
    context: Context,
    plan: Plan,
    answered: (outcome: Outcome) => Answer,
    writeKey: WriteKey | null,
  ): Promise<Answer> {
    const { database } = this.#options
    const delivery = deliveryOf(plan, database.engine)
    const statement = buildStatement(plan, delivery)
    const answer = ({ rows }: Result<Outcome>): Answer => {
      const outcome = outcomeOf(plan, rows, delivery)
      checkRows(plan, outcome)
      return answered(outcome)
    }
    if (writeKey !== null)
      return await database.transaction(context, (tx) =>
        writeOnce(tx, writeKey, async () => answer(await tx.query(statement))),
      )
    if (needsCheckBeforeCommit(plan))
      return await database.transaction(context, async (tx) => answer(await tx.query(statement)))
    return answer(await database.once(context, statement))
  }
}
