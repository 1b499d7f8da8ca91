// Reads what the server says about this installation. A broken or missing file ends in a page that says so, never in a loop.
import type { AppConfig, IdentityConfig } from '#contract/app-config.ts'

/** The installation cannot be used as it is; `detail` is for the one who runs it. */
export class ConfigFault extends Error {
  override readonly name = 'ConfigFault'
  /** Nobody answered: no connection, or the server is being started anew. */
  readonly unreachable: boolean
  constructor(message: string, { cause, unreachable = false }: { cause?: unknown; unreachable?: boolean } = {}) {
    super(message, { cause })
    this.unreachable = unreachable
  }
}

type Shape = Readonly<Record<string, (value: unknown) => boolean>>
const text = (value: unknown) => typeof value === 'string' && value !== ''
const maybe = (check: (value: unknown) => boolean) => (value: unknown) => value === null || value === undefined || check(value)
const path = (value: unknown) => typeof value === 'string' && /^\/(?!\/)[\w./-]*$/.test(value)
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
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
  shell: (value) => isObject(value) && isObject(value['stamps']) && typeof value['showSettings'] === 'boolean',
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
export const checkIdentityConfig = (value: unknown): IdentityConfig => checkShape('identity.json', value, IDENTITY)

async function fetchJson(name: string): Promise<unknown> {
  let response: Response
  try {
    // The page has asked for it already (index.html); the server forbids keeping it any longer than that.
    response = await fetch(`/config/${name}`, { signal: AbortSignal.timeout(10_000) })
  } catch (cause) {
    throw new ConfigFault(`${name}: not reached`, { cause, unreachable: true })
  }
  if (!response.ok) throw new ConfigFault(`${name}: ${response.status}`, { unreachable: [502, 503, 504].includes(response.status) })
  return response.json().catch((cause: unknown) => {
    throw new ConfigFault(`${name}: no JSON`, { cause })
  })
}

export async function fetchConfig(): Promise<{ app: AppConfig; identity: IdentityConfig }> {
  const [app, identity] = await Promise.all([fetchJson('app.json'), fetchJson('identity.json')])
  return { app: checkAppConfig(app), identity: checkIdentityConfig(identity) }
}
