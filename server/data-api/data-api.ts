// In charge of the row-filtering data API: turns a request in PostgREST's dialect into one statement, and its
// result into the response.
// Stages, one file each: parse-request (text to request), plan-request (to plan), build-statement,
// build-answer. It knows no domain noun.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Context, DatabaseFault } from '#server/database/database.ts'
import { isForLog } from '#server/errors.ts'
import { answerOptions } from './answer-options.ts'
import type { Answer } from './outcome.ts'
import { buildStatement } from './build-statement.ts'
import { ContextMaker } from './call-context.ts'
import type { Catalogue } from './catalogue.ts'
import { CatalogueKeeper } from './catalogue-keeper.ts'
import { answerCors } from './cors.ts'
import type { DataApiOptions, DialectCaller } from './data-api-options.ts'
import { ApiFault, answerTooSlow, badPath, bodyTooSlow, urlTooLong } from './faults.ts'
import { rawRead, readRequest, rowsRead, totalBeyond } from './foreign-read.ts'
import type { AddressRead, ForeignRead, RowsRead } from './foreign-read.ts'
import type { Formula } from './formula.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import { OpenApiWriter } from './openapi.ts'
import { isRoot, parseRequest, type RawRequest, schemaOf } from './parse-request.ts'
import { narrowingOf } from './narrow-plan.ts'
import { endsInRollback, type PreferenceRules } from './parse-prefer.ts'
import { foreignType, type Plan } from './plan.ts'
import { planRequest } from './plan-request.ts'
import { NO_BODY, readBody } from './read-body.ts'
import type { ApiRequest } from './request.ts'
import { runPlan } from './run-plan.ts'
import { send, sendFault } from './send.ts'
import { Timing } from './timing.ts'
import { translateFault } from './translate-fault.ts'
import { readWriteKey, type WriteKey } from './write-once.ts'

export type { DataApiOptions, DialectCaller, Refusal } from './data-api-options.ts'
import { reasonForLog } from '#server/database/log-reason.ts'

export interface DataApi {
  readonly base: string
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /**
   * A read asked in another dialect, with the same limits, planning and rights.
   * @param own conditions of the server's own
   */
  read(asked: ForeignRead, caller: DialectCaller, own?: readonly Formula[]): Promise<RowsRead>
  /** The rows of an address of this dialect. `counted`: and how many there are on all pages. */
  readAddress(address: AddressRead, caller: DialectCaller): Promise<RowsRead>
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
  readonly timing: Timing | null
}

/** One request with everything known before its transaction. */
interface Asked {
  readonly raw: RawRequest
  readonly parsed: ApiRequest
  readonly caller: DialectCaller
  readonly role: string
  readonly call: Call
}

interface Planned {
  readonly plan: Plan
  readonly settings: Readonly<Record<string, string>>
  readonly catalogue: Catalogue
}

class Server implements DataApi {
  readonly base: string
  readonly #options: DataApiOptions
  readonly #limits: Limits
  readonly #keeper: CatalogueKeeper
  readonly #roles: ReadonlySet<string>
  readonly #contexts: ContextMaker
  readonly #anonymous: DialectCaller | null
  readonly #rules: PreferenceRules
  readonly #openApi: OpenApiWriter

  constructor(options: DataApiOptions) {
    const { anonymousRole } = options
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
    this.#rules = { txEnd: options.txEnd ?? 'commit' }
    this.#contexts = new ContextMaker(options, this.#limits)
    this.#openApi = new OpenApiWriter(options.openApi, options.base)
    options.database.listen?.('pgrst', (message) => {
      // An empty message means everything, as in the dialect.
      if (message === '' || message === 'reload schema') this.#keeper.reloadSoon()
    })
  }

  async ready(): Promise<boolean> {
    await this.#keeper.first().catch(() => undefined)
    return this.#keeper.loaded !== null
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (answerCors(request, response, this.#options.corsOrigins ?? [])) return
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
      timing: this.#options.serverTiming === true ? new Timing() : null,
    }
    try {
      const answer = await this.#answer(request, call)
      call.timing?.writeTo(answer.headers)
      if (!response.headersSent && !response.destroyed) send(response, answer, request.method === 'HEAD')
    } catch (error) {
      this.#refuse(request, response, error, call.anonymous)
    } finally {
      clearTimeout(deadline)
    }
  }

  async read(asked: ForeignRead, caller: DialectCaller, own: readonly Formula[] = []): Promise<RowsRead> {
    const parsed = readRequest(asked, own, this.#options.schemas[0] ?? '', this.#limits)
    return await this.#rows(parsed, rawRead(asked.target, '', false), caller)
  }

  async readAddress({ target, query, counted }: AddressRead, caller: DialectCaller): Promise<RowsRead> {
    const raw = rawRead(target, query, counted)
    return await this.#rows(parseRequest(raw, this.#options.schemas, this.#limits, this.#rules), raw, caller)
  }

  async #rows(parsed: ApiRequest, raw: RawRequest, caller: DialectCaller): Promise<RowsRead> {
    const role = this.#roleOf(caller)
    const call: Call = { bodyRead: true, anonymous: false, extend: () => undefined, timing: null }
    const catalogue = this.#keeper.loaded ?? (await this.#keeper.first())
    const planned = await this.#plan(parsed, role, catalogue)
    try {
      return rowsRead(await this.#carryOut({ raw, parsed, caller, role, call }, planned))
    } catch (error) {
      const total = error instanceof ApiFault ? totalBeyond(error) : null
      if (total === null) throw error
      return { json: '[]', total }
    }
  }

  #refuse(request: IncomingMessage, response: ServerResponse, error: unknown, anonymous: boolean): void {
    const fault = translateFault(error, anonymous)
    if (isForLog(error, fault.status)) {
      const [path] = (request.url ?? '').split('?', 1)
      this.#options.log.error('the data API could not answer', {
        method: request.method,
        path,
        status: fault.status,
        code: fault.code,
        reason: reasonForLog(error),
      })
    }
    if (!response.headersSent && !response.destroyed) sendFault(response, fault, request.method === 'HEAD')
  }

  async #answer(request: IncomingMessage, call: Call): Promise<Answer> {
    const url = request.url ?? ''
    if (url.length > this.#limits.urlBytes) throw urlTooLong(this.#limits.urlBytes)
    const caller = await this.#callerOf(request, call)
    call.timing?.mark('jwt')
    const body =
      request.method === 'GET' || request.method === 'HEAD'
        ? NO_BODY
        : await readBody(request, this.#limits.bodyBytes)
    call.bodyRead = true
    const raw = this.#rawRequest(request, url, body)
    if (raw.method === 'OPTIONS' || isRoot(raw.path)) return await this.#described(raw, caller, call)
    const parsed = parseRequest(raw, this.#options.schemas, this.#limits, this.#rules)
    call.timing?.mark('parse')
    const role = this.#roleOf(caller)
    call.anonymous = role === this.#options.anonymousRole
    const catalogue = this.#keeper.loaded ?? (await this.#keeper.first())
    const planned = await this.#plan(parsed, role, catalogue)
    call.timing?.mark('plan')
    try {
      return await this.#carryOut({ raw, parsed, caller, role, call }, planned)
    } finally {
      call.timing?.mark('transaction')
    }
  }

  async #carryOut(asked: Asked, first: Planned): Promise<Answer> {
    let planned = first
    for (;;) {
      try {
        return await this.#run(asked, planned)
      } catch (error) {
        if (!(error instanceof DatabaseFault)) throw error
        // Nothing was committed, so a plan that has become stale is made again, once.
        const newer =
          planned === first && DROPPED.has(error.code) ? await this.#plannedAgain(asked, first) : null
        if (newer === null)
          return await this.#noted(
            planned.plan,
            this.#blamed(planned.plan, error),
            this.#contexts.of(asked, planned),
          )
        planned = newer
      }
    }
  }

  async #callerOf({ headers: { authorization } }: IncomingMessage, call: Call): Promise<DialectCaller> {
    call.anonymous = authorization === undefined && this.#anonymous !== null
    return call.anonymous
      ? (this.#anonymous as DialectCaller)
      : await this.#options.authenticate(authorization)
  }

  /**
   * PostgreSQL lacks a name that the catalogue still has: planned again with a newer one. Null if there is none,
   * or if it says the same.
   */
  async #plannedAgain({ parsed, role }: Asked, { plan, catalogue }: Planned): Promise<Planned | null> {
    const newer = await this.#keeper.newerThan(catalogue)
    if (newer === null) return null
    const again = await this.#plan(parsed, role, newer)
    return buildStatement(again.plan).text === buildStatement(plan).text ? null : again
  }

  /** What the server says of itself: the methods of a target, or the document at the root. */
  async #described(raw: RawRequest, caller: DialectCaller, call: Call): Promise<Answer> {
    const schema = schemaOf(raw, this.#options.schemas)
    const role = this.#roleOf(caller)
    call.anonymous = role === this.#options.anonymousRole
    const catalogue = this.#keeper.loaded ?? (await this.#keeper.first())
    if (raw.method === 'OPTIONS') return answerOptions(raw, schema, catalogue)
    const context = this.#contexts.read({ raw, schema, caller, role }, catalogue.settingsOf(role))
    return await this.#openApi.answer(
      { raw, schema, role, catalogue, schemas: this.#options.schemas },
      (statement) => this.#options.database.once(context, statement),
    )
  }

  async #run(asked: Asked, planned: Planned): Promise<Answer> {
    const { raw, parsed, call } = asked
    const context = this.#contexts.of(asked, planned)
    const { refusesWrites } = asked.caller
    if (context.readOnly !== true && refusesWrites !== undefined) throw new ApiFault(refusesWrites)
    const own = planned.plan.kind === 'call' ? planned.plan.routine.timeLimitMs : null
    if (own !== null) call.extend(own + this.#limits.deadlineMs)
    return await runPlan({
      database: this.#options.database,
      context,
      plan: planned.plan,
      request: parsed,
      place: { base: this.base, schemas: this.#options.schemas },
      writeKey: context.readOnly === true || call.anonymous ? null : this.#writeKey(raw),
      undone: context.readOnly !== true && endsInRollback(parsed.preferences, this.#rules),
      narrow: planned.plan.kind === 'read' ? narrowingOf(planned.plan, this.#options.narrowing) : null,
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
  async #plan(request: ApiRequest, role: string, catalogue: Catalogue): Promise<Planned> {
    const context = { limits: this.#limits, role, plans: this.#options.plans ?? false }
    const planWith = (known: Catalogue): Planned => ({
      plan: planRequest(known, request, context),
      settings: known.settingsOf(role),
      catalogue: known,
    })
    try {
      return planWith(catalogue)
    } catch (error) {
      if (!(error instanceof ApiFault && error.missedName)) throw error
      const newer = await this.#keeper.newerThan(catalogue, error.message)
      if (newer === null) throw error
      return this.#plannedWithNewer(planWith, newer)
    }
  }

  /** Remembers whether it was worth reading the catalogue for a name. */
  #plannedWithNewer(planWith: (known: Catalogue) => Planned, newer: Catalogue): Planned {
    try {
      const planned = planWith(newer)
      this.#keeper.noteFound()
      return planned
    } catch (error) {
      if (error instanceof ApiFault && error.missedName) this.#keeper.noteMissed(error.message)
      throw error
    }
  }

  /**
   * Extension types report input they cannot read as an internal error (PostGIS: XX000), although the value
   * came from the caller.
   */
  #blamed(plan: Plan, fault: DatabaseFault): DatabaseFault {
    if (fault.code !== 'XX000') return fault
    // PostgreSQL itself reports a search of too many operators in a row that way.
    if (fault.message === 'tsquery stack too small')
      return new DatabaseFault('syntax error in tsquery: too many operators', { code: '42601' })
    const type = foreignType(plan)
    if (type === undefined) return fault
    this.#options.log.warn('a value was refused by an extension', { type, reason: reasonForLog(fault) })
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
      this.#options.log.error('a refusal could not be written down', {
        name,
        code,
        reason: reasonForLog(error),
      })
    })
    throw fault
  }
}
