// Where the verifier gets the provider's public keys from: another provider over the network, or the embedded one in the same process.
import type { JSONWebKeySet } from 'jose'
import type { Log } from '#server/log.ts'

export interface KeySet {
  readonly jwks: JSONWebKeySet
  /** Changes when the keys do, so that tokens verified with earlier ones are looked at again. */
  readonly version: string
}

export interface KeySource {
  /** The present keys; rejects when none were ever reached. */
  current(): Promise<KeySet>
  /** Asked when a token names an unknown key. Answers the same set while the cool-down lasts: forged key names must cost nothing. */
  refresh(): Promise<KeySet>
}

export interface RemoteKeysOptions {
  readonly uri: string | (() => Promise<string>)
  readonly now: () => Date
  readonly log: Log
  readonly fetch?: typeof fetch
  readonly maxAgeMs?: number
  readonly coolDownMs?: number
  /** How long the last good set is used while the provider cannot be reached. */
  readonly staleMs?: number
  readonly timeoutMs?: number
}

interface Fetched extends KeySet {
  readonly at: number
}

const MAX_BYTES = 1_000_000

/** Keys from the provider's address, kept for ten minutes, and for a day while the provider is away. */
export function remoteKeys(options: RemoteKeysOptions): KeySource {
  const { now, log, maxAgeMs = 600_000, coolDownMs = 30_000, staleMs = 86_400_000 } = options
  let last: Fetched | null = null
  let lastTry = Number.NEGATIVE_INFINITY
  let underWay: Promise<Fetched> | null = null

  const load = (): Promise<Fetched> => {
    lastTry = now().getTime()
    underWay ??= fetchKeys(options)
      .then((jwks) => {
        last = { jwks, version: JSON.stringify(jwks), at: now().getTime() }
        return last
      })
      .finally(() => {
        underWay = null
      })
    return underWay
  }
  const loadOrKeep = async (): Promise<KeySet> => {
    try {
      return await load()
    } catch (error) {
      log.warn('keys of the identity provider cannot be read', { reason: String(error) })
      if (last !== null && now().getTime() - last.at < staleMs) return last
      throw error
    }
  }
  const mayTry = (pauseMs: number) => now().getTime() - lastTry >= pauseMs

  return {
    async current() {
      const age = last === null ? Number.POSITIVE_INFINITY : now().getTime() - last.at
      if (last !== null && age < maxAgeMs) return last
      // While the provider is away, one try per few seconds: requests must not queue behind a dead address.
      if (last !== null && age < staleMs && !mayTry(5_000)) return last
      return loadOrKeep()
    },
    async refresh() {
      if (last !== null && !mayTry(coolDownMs)) return last
      return loadOrKeep()
    },
  }
}

async function fetchKeys(options: RemoteKeysOptions): Promise<JSONWebKeySet> {
  const uri = typeof options.uri === 'string' ? options.uri : await options.uri()
  const answer = await (options.fetch ?? fetch)(uri, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(options.timeoutMs ?? 5_000),
  })
  if (!answer.ok) throw new Error(`${uri} answers ${answer.status}`)
  const text = await answer.text()
  if (text.length > MAX_BYTES) throw new Error(`${uri} answers too much`)
  const jwks: unknown = JSON.parse(text)
  if (!isKeySet(jwks)) throw new Error(`${uri} answers no key set`)
  return jwks
}

const isKeySet = (value: unknown): value is JSONWebKeySet =>
  typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys) && value.keys.length > 0

/** The key address as the issuer's discovery document names it; the document must be the issuer's own. */
export function discoverKeysUri(issuer: string, fetcher: typeof fetch = fetch): () => Promise<string> {
  return async () => {
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const answer = await fetcher(address, { redirect: 'error', signal: AbortSignal.timeout(5_000) })
    if (!answer.ok) throw new Error(`${address} answers ${answer.status}`)
    const document = (await answer.json()) as { issuer?: unknown; jwks_uri?: unknown }
    if (document.issuer !== issuer) throw new Error(`${address} names another issuer: ${String(document.issuer)}`)
    if (typeof document.jwks_uri !== 'string') throw new Error(`${address} names no jwks_uri`)
    return document.jwks_uri
  }
}
