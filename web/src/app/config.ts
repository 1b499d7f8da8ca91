// Loads this installation's configuration. A broken or missing file ends in a page that says so, never in a
// loop.
import type { AppConfig, IdentityConfig } from '#contract/app-config.ts'
import { REQUEST_TIMEOUT_MS } from '#domain/constants.ts'
import { retryAfterOf } from '../data/api-error.ts'
import { keepTrying } from './keep-trying.ts'
import { type Passing, passesByStatus } from './passing.ts'

/** The installation cannot be used as configured; `detail` is for its operator. */
export class ConfigFault extends Error {
  override readonly name = 'ConfigFault'
  /**
   * Set if the fault may be temporary: no connection, the server is starting, or something in between
   * answered.
   */
  readonly passing: Passing | null
  constructor(
    message: string,
    { cause, passing = null }: { cause?: unknown; passing?: Passing | null } = {},
  ) {
    super(message, { cause })
    this.passing = passing
  }
}

type Shape = Readonly<Record<string, (value: unknown) => boolean>>
const text = (value: unknown) => typeof value === 'string' && value !== ''
const maybe = (check: (value: unknown) => boolean) => (value: unknown) =>
  value === null || value === undefined || check(value)
const path = (value: unknown) => typeof value === 'string' && /^\/(?!\/)[\w./-]*$/.test(value)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
const positive = (value: unknown) => typeof value === 'number' && value > 0

const APP: Shape = {
  title: text,
  trial: (value) => typeof value === 'boolean',
  support: maybe((value) => isObject(value) && text(value['phone'])),
  manualUrl: maybe(text),
  dataApi: path,
  generalApi: path,
  impressumUrl: maybe(text),
  datenschutzUrl: maybe(text),
  mail: (value) => typeof value === 'boolean',
  uploadLimitMb: positive,
  stores: (value) => isObject(value) && maybe(text)(value['ios']) && maybe(text)(value['android']),
  mobileLanding: (value) => typeof value === 'boolean',
  shell: (value) =>
    isObject(value) && isObject(value['stamps']) && typeof value['showSettings'] === 'boolean',
}
const IDENTITY: Shape = {
  authority: (value) => typeof value === 'string' && /^https?:\/\//.test(value),
  clientId: text,
  scope: text,
  redirectPath: path,
  storageKey: text,
  checkIntervalMs: positive,
  minValidityS: positive,
  groupsClaim: maybe(text),
}

export function checkShape<T>(name: string, value: unknown, shape: Shape): T {
  if (typeof value !== 'object' || value === null) throw new ConfigFault(`${name}: no object`)
  const entries = value as Record<string, unknown>
  const wrong = Object.entries(shape).filter(([key, check]) => !check(entries[key]))
  if (wrong.length > 0) throw new ConfigFault(`${name}: ${wrong.map(([key]) => key).join(', ')}`)
  return value as T
}
export const checkAppConfig = (value: unknown): AppConfig => checkShape('app.json', value, APP)
export const checkIdentityConfig = (value: unknown): IdentityConfig =>
  checkShape('identity.json', value, IDENTITY)

/**
 * Names requested before. Repeated requests bypass the HTTP cache, because it blocks them while a first
 * request to the same address hangs.
 */
const askedFor = new Set<string>()

async function fetchJson(name: string): Promise<unknown> {
  const fault = (detail: string, passing: Omit<Passing, 'detail'> | null, cause?: unknown) =>
    new ConfigFault(`${name}: ${detail}`, {
      cause,
      passing: passing && { ...passing, detail: `${name}: ${detail}` },
    })
  let response: Response
  let text: string
  const cache = askedFor.has(name) ? 'no-store' : 'default'
  askedFor.add(name)
  try {
    // index.html has preloaded it; the server forbids caching it beyond that.
    response = await fetch(`/config/${name}`, {
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      cache,
    })
    text = await response.text()
  } catch (cause) {
    throw fault('not reached', { kind: 'unreachable' }, cause)
  }
  const { status, headers } = response
  const retryAfterMs = retryAfterOf(headers.get('retry-after'), Date.now())
  if (!response.ok)
    throw fault(String(status), passesByStatus(status) ? { kind: 'faulty', retryAfterMs } : null)
  try {
    const value = JSON.parse(text) as { status?: string } | null
    // Something before the server may pass on what it says of its health: "starting".
    if (value?.status) throw new Error(value.status)
    return value
  } catch (cause) {
    throw fault('no JSON', { kind: 'faulty' }, cause)
  }
}

/** Tries only once, for callers that check whether the server is reachable now. */
export async function fetchConfig(): Promise<{ app: AppConfig; identity: IdentityConfig }> {
  const [app, identity] = await Promise.all([fetchJson('app.json'), fetchJson('identity.json')])
  return { app: checkAppConfig(app), identity: checkIdentityConfig(identity) }
}

/**
 * For the start, which needs it: keeps trying. Rejects with a ConfigFault if the installation cannot be used.
 */
export const awaitConfig = () =>
  keepTrying('config', fetchConfig, {
    passing: (error) => (error instanceof ConfigFault ? error.passing : null),
  })
