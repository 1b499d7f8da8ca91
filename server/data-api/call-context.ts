// Whom and what the transaction of a request knows: role, claims, search path, time limit.
import type { Context } from '#server/database/database.ts'
import { quoteName } from './catalogue.ts'
import type { DataApiOptions, DialectCaller } from './data-api-options.ts'
import { notImplemented } from './faults.ts'
import type { Limits } from './limits.ts'
import type { RawRequest } from './parse-request.ts'
import type { Plan } from './plan.ts'
import type { ApiRequest } from './request.ts'

/** Who asks for what. */
interface Caller {
  readonly raw: RawRequest
  readonly caller: DialectCaller
  readonly role: string
}

type Settings = Readonly<Record<string, string>>

interface Manner {
  readonly readOnly: boolean
  readonly timeLimitMs: number | null
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

/** Not passed to functions: they have no need to see tokens. */
const SECRET_HEADERS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization'])

const toldHeaders = ({ headers }: RawRequest): string =>
  JSON.stringify(Object.fromEntries(Object.entries(headers).filter(([name]) => !SECRET_HEADERS.has(name))))

export class ContextMaker {
  readonly #options: DataApiOptions
  readonly #limits: Limits
  readonly #searchPaths: ReadonlyMap<string, string>

  constructor(options: DataApiOptions, limits: Limits) {
    const { extraSearchPath = ['public'] } = options
    this.#options = options
    this.#limits = limits
    this.#searchPaths = new Map(
      options.schemas.map((schema) => [
        schema,
        [...new Set([schema, ...extraSearchPath])].map(quoteName).join(', '),
      ]),
    )
  }

  /** @param settings those of the role, which switching to it does not apply */
  of(
    { parsed, ...asked }: Caller & { readonly parsed: ApiRequest },
    { plan, settings }: { readonly plan: Plan; readonly settings: Settings },
  ): Context {
    const readOnly = plan.kind === 'read' || (plan.kind === 'call' && plan.readOnly)
    const { timezone } = parsed.preferences
    if (timezone !== null && !readOnly && this.#options.timezones === 'reads')
      throw notImplemented('The preference timezone applies to reads only')
    // The function's own limit takes precedence over that of its caller's role.
    const own = plan.kind === 'call' ? plan.routine.timeLimitMs : null
    const timeLimitMs = own ?? (readOnly ? this.#readLimit(settings) : null)
    const given = timezone === null ? settings : { ...settings, timezone }
    return this.#make({ ...asked, schema: parsed.schema }, given, { readOnly, timeLimitMs })
  }

  /** For a statement of our own that reads as the caller. */
  read(asked: Caller & { readonly schema: string }, settings: Settings): Context {
    return this.#make(asked, settings, { readOnly: true, timeLimitMs: this.#readLimit(settings) })
  }

  #readLimit(settings: Settings): number {
    return Math.min(this.#limits.readMs, milliseconds(settings['statement_timeout']))
  }

  #make(
    { raw, schema, caller, role }: Caller & { readonly schema: string },
    settings: Settings,
    { readOnly, timeLimitMs }: Manner,
  ): Context {
    const { preRequest, requestHeaders } = this.#options
    return {
      role,
      settings: {
        ...settings,
        ...(timeLimitMs === null ? {} : { statement_timeout: `${timeLimitMs}ms` }),
        search_path: this.#searchPaths.get(schema) ?? '',
        'request.jwt.claims': caller.claimsJson,
        'request.method': raw.method,
        'request.path': raw.path,
        ...(requestHeaders === true ? { 'request.headers': toldHeaders(raw) } : {}),
      },
      readOnly,
      // All callers without a token have one share together.
      person: caller.person ?? 'anonymous',
      ...(timeLimitMs === null ? {} : { timeoutMs: timeLimitMs }),
      ...(preRequest === undefined ? {} : { preRequest }),
    }
  }
}
