// The provider's signing keys: created, published ahead of use, rotated and kept for verifying. All servers
// share them through the database.
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import { reasonForLog } from '#server/database/log-reason.ts'
import type { Log } from '#server/log.ts'
import { atMostEvery, within } from './at-most-every.ts'
import type { IdpDatabase, Query } from './idp-database.ts'
import { KEY_PACE, type KeySet, type KeySource } from './key-source.ts'
import type { Secrets } from './secrets.ts'

export interface SigningKeysOptions {
  readonly db: IdpDatabase
  readonly secrets: Secrets
  readonly algorithm: string
  readonly now: () => Date
  readonly log: Log
  /** How long a key signs. */
  readonly signsForDays?: number
  /**
   * How long an old key still verifies: as long as a session lasts, because its ID token is presented at
   * logout.
   */
  readonly verifiesForS: number
}

/** Longer than anyone keeps our key set, so that every verifier knows a key before it signs. */
const PUBLISHED_AHEAD_MIN = 15
const RELOAD_MS = 60_000
/** How long a request waits for keys that are probably the same. */
const WAIT_MS = 1_000

interface Row {
  kid: string
  alg: string
  zustand: 'naechster' | 'aktiv' | 'alt'
  jwk: string
}

export interface SigningKeys extends KeySource {
  /** Private keys: the signing one first, then the next and the old ones. */
  readonly all: () => readonly JWK[]
  /** Called whenever the keys have changed. */
  onChange: (() => void) | null
  /** Creates missing keys, rotates them when it is time, and reads what other servers did. */
  maintain(): Promise<void>
  /**
   * Changes the signing key now. The next one must have been published for long enough, unless `force` says
   * that the present one is known to others.
   */
  rotate(options?: { force?: boolean }): Promise<boolean>
}

export async function openSigningKeys(options: SigningKeysOptions): Promise<SigningKeys> {
  const keys = new DatabaseKeys(options)
  // After a change of the configured algorithm, keys of the former one only verify.
  await options.db.once(
    "update idp.schluessel set zustand = 'alt', changed_at = now() where zustand in ('aktiv', " +
      "'naechster') and alg <> $1",
    options.algorithm,
  )
  await keys.maintain()
  return keys
}

class DatabaseKeys implements SigningKeys {
  onChange: (() => void) | null = null
  readonly #options: SigningKeysOptions
  #jwks: readonly JWK[] = []
  #set: KeySet = { jwks: { keys: [] }, version: '' }
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | null = null

  constructor(options: SigningKeysOptions) {
    this.#options = options
  }

  all = (): readonly JWK[] => this.#jwks

  /** While the database is away or slow nobody can change the keys, so those read last count. */
  async current(): Promise<KeySet> {
    if (this.#options.now().getTime() - this.#readAt <= RELOAD_MS) return this.#set
    const reading = (this.#reading ??= this.#read().finally(() => (this.#reading = null)))
    if (this.#set.version === '') await reading
    else
      await within(WAIT_MS, reading).catch((fault: unknown) =>
        this.#options.log.warn('signing keys could not be read again', { reason: reasonForLog(fault) }),
      )
    return this.#set
  }

  /** Another server may have changed the keys. */
  refresh = atMostEvery(KEY_PACE, async () => {
    await this.#read()
    return this.#set
  })

  async maintain(): Promise<void> {
    const { db, signsForDays = 90, verifiesForS } = this.#options
    await this.#ensure('aktiv')
    await this.#ensure('naechster')
    const { rows } = await db.once<{ due: boolean }>(
      "select changed_at < now() - $1 * interval '1 day' as due from idp.schluessel where zustand = 'aktiv'",
      String(signsForDays),
    )
    if (rows[0]?.due === true) await this.rotate()
    await db.once(
      "delete from idp.schluessel where zustand = 'alt' and changed_at < now() - $1 * interval '1 second'",
      String(verifiesForS),
    )
    await this.#read()
  }

  async rotate({ force = false } = {}): Promise<boolean> {
    const { db, log } = this.#options
    const changed = await db.transaction(async (query) => {
      const { rowCount } = await query(
        "select 1 from idp.schluessel where zustand = 'naechster' and (changed_at < now() " +
          "- $1 * interval '1 minute' or $2) for update",
        String(PUBLISHED_AHEAD_MIN),
        force,
      )
      if (rowCount !== 1) return false
      await changeState(query, 'aktiv', force ? 'gesperrt' : 'alt')
      await changeState(query, 'naechster', 'aktiv')
      return true
    })
    if (!changed) return false
    await this.#ensure('naechster')
    await this.#read()
    log.info('signing key changed')
    return true
  }

  async #ensure(state: 'aktiv' | 'naechster'): Promise<void> {
    const { db, secrets, algorithm } = this.#options
    const { rowCount } = await db.once('select 1 from idp.schluessel where zustand = $1', state)
    if (rowCount > 0) return
    const { privateKey } = await generateKeyPair(algorithm, { extractable: true, modulusLength: 2048 })
    const jwk = await exportJWK(privateKey)
    const kid = await calculateJwkThumbprint(jwk)
    // Another server may have been faster; then its key counts.
    await db.once(
      'insert into idp.schluessel (kid, alg, zustand, jwk) values ($1, $2, $3, $4) on conflict do nothing',
      kid,
      algorithm,
      state,
      secrets.encrypt(JSON.stringify({ ...jwk, kid, alg: algorithm, use: 'sig' })),
    )
  }

  async #read(): Promise<void> {
    const { db, secrets, now } = this.#options
    const { rows } = await db.once<Row>(
      "select kid, alg, zustand, jwk from idp.schluessel where zustand <> 'gesperrt' order by " +
        "array_position(array['aktiv', 'naechster', 'alt'], zustand), changed_at desc",
    )
    this.#readAt = now().getTime()
    const version = rows.map(({ kid, zustand }) => `${kid} ${zustand}`).join(',')
    if (version === this.#set.version) return
    this.#jwks = rows.map(({ jwk }) => JSON.parse(secrets.decrypt(jwk)) as JWK)
    this.#set = { jwks: { keys: this.#jwks.map(publicPart) }, version }
    this.onChange?.()
  }
}

async function changeState(query: Query, from: string, to: string): Promise<void> {
  await query('update idp.schluessel set zustand = $2, changed_at = now() where zustand = $1', from, to)
}

const PUBLIC_MEMBERS = new Set(['kty', 'kid', 'alg', 'use', 'n', 'e', 'crv', 'x', 'y'])
const publicPart = (jwk: JWK): JWK =>
  Object.fromEntries(Object.entries(jwk).filter(([member]) => PUBLIC_MEMBERS.has(member))) as JWK
