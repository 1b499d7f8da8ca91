// Where the verifier gets the provider's public keys: from another provider over the network, or from the
// embedded one in the same process.
import type { JSONWebKeySet } from 'jose'
import { reasonForLog } from '#server/database/log-reason.ts'
import type { Log } from '#server/log.ts'
import { atMostEvery, type Pace, within } from './at-most-every.ts'

export interface KeySet {
  readonly jwks: JSONWebKeySet
  /** Changes when the keys do, so that tokens verified with earlier keys are checked again. */
  readonly version: string
}

export interface KeySource {
  /**
   * The present keys; rejects if none were ever fetched. A token with a known key does not wait for the
   * provider.
   */
  current(): Promise<KeySet>
  /**
   * Called when a token names an unknown key: the keys as of after the call. Looks are shared and limited;
   * rejects if there is no answer in time.
   */
  refresh(): Promise<KeySet>
}

/**
 * A new key is known half a second after it was published, and forged key names cost two looks a second, no
 * matter how many there are.
 */
export const KEY_PACE: Pace = { pauseMs: 500, waitMs: 2_000, mostWaiting: 1_000 }

export interface RemoteKeysOptions {
  readonly uri: string | (() => Promise<string>)
  readonly now: () => Date
  readonly log: Log
  readonly fetch?: typeof fetch
  readonly maxAgeMs?: number
  /** How long the last good set is used while the provider cannot be reached. */
  readonly staleMs?: number
  readonly timeoutMs?: number
}

interface Fetched extends KeySet {
  readonly at: number
}

const MAX_BYTES = 1_000_000
const AGAIN_MS = 5_000
/** After a long time without requests the keys may have been withdrawn: how long to wait for new ones. */
const WAIT_MS = 1_000

/**
 * Keys from the provider's address, kept for ten minutes, and for a day while the provider cannot be reached.
 */
export function remoteKeys(options: RemoteKeysOptions): KeySource {
  const { now, log, maxAgeMs = 600_000, staleMs = 86_400_000 } = options
  let last: Fetched | null = null
  let lastTry = Number.NEGATIVE_INFINITY

  const load = async (): Promise<Fetched> => {
    lastTry = now().getTime()
    try {
      const jwks = await fetchKeys(options)
      last = { jwks, version: JSON.stringify(jwks), at: now().getTime() }
      return last
    } catch (error) {
      log.warn('keys of the identity provider cannot be read', { reason: reasonForLog(error) })
      throw error
    }
  }
  const refresh = atMostEvery(KEY_PACE, load)
  const first = atMostEvery({ ...KEY_PACE, waitMs: 6_000 }, load)

  return {
    async current() {
      if (last === null) return first()
      const known = last
      const age = now().getTime() - known.at
      if (age < maxAgeMs) return known
      if (age >= staleMs) return first()
      // While the provider is away, only one attempt every few seconds.
      if (now().getTime() - lastTry < AGAIN_MS) return known
      const isAway = lastTry > known.at
      const renewed = refresh().catch(() => known)
      return age < 2 * maxAgeMs || isAway ? known : within(WAIT_MS, renewed).catch(() => known)
    },
    refresh,
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
  typeof value === 'object' &&
  value !== null &&
  'keys' in value &&
  Array.isArray(value.keys) &&
  value.keys.length > 0

/** The key address from the issuer's discovery document; the document must be the issuer's own. */
export function discoverKeysUri(issuer: string, fetcher: typeof fetch = fetch): () => Promise<string> {
  return async () => {
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const answer = await fetcher(address, { redirect: 'error', signal: AbortSignal.timeout(5_000) })
    if (!answer.ok) throw new Error(`${address} answers ${answer.status}`)
    const document = (await answer.json()) as { issuer?: unknown; jwks_uri?: unknown }
    if (document.issuer !== issuer)
      throw new Error(`${address} names another issuer: ${String(document.issuer)}`)
    if (typeof document.jwks_uri !== 'string') throw new Error(`${address} names no jwks_uri`)
    return document.jwks_uri
  }
}
