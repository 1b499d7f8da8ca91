// In charge of one question for every API of the server: whose token is this? The database decides which
// rights follow.
import { createLocalJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import { type Authenticate, type Caller, type Claims, personOf, SignInFault } from '#server/caller.ts'
import { type Database, NoPrimaryFault } from '#server/database/database.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import type { Log } from '#server/log.ts'
import { type ClaimRules, claimsText, normaliseClaims } from './claims.ts'
import { discoverKeysUri, type KeySet, type KeySource, remoteKeys } from './key-source.ts'

export interface AuthenticateOptions extends ClaimRules {
  readonly issuer: string
  readonly audience: string
  /** Accepted signature algorithms. HS* and none are refused even if they are listed. */
  readonly algorithms: readonly string[]
  /**
   * Address of the keys (undefined: from the issuer's discovery document), or the embedded provider's keys in
   * this process.
   */
  readonly jwks: { readonly uri: string | undefined } | KeySource
  readonly clockSkewS: number
  readonly now: () => Date
  readonly log: Log
  /** Who calls with a program's token; null: the token is a person's. @throws SignInFault */
  readonly programOf?: (claims: Claims) => Promise<Caller | null>
  /**
   * Runs before a token is used for the first time in this process; see linkIdentity. `false`: the token may be used,
   * but this has to run again.
   */
  readonly onFirstContact?: (caller: Caller) => Promise<boolean>
  /** Number of verified tokens remembered; about 3 kB each. */
  readonly cacheSize?: number
}

interface Verified {
  readonly caller: Caller
  readonly version: string
}

const LONGEST_TOKEN = 16_384
/** So long nobody looks for a primary again only because a token is new. */
const AWAY_MS = 3_000
const ACCEPTED_TYPES = new Set(['jwt', 'at+jwt', 'application/at+jwt'])

export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const keys = 'current' in options.jwks ? options.jwks : remoteSource(options, options.jwks.uri)
  const verifier = new TokenVerifier(options, keys)
  return (authorization) => verifier.authenticate(bearerToken(authorization))
}

const remoteSource = ({ issuer, now, log }: AuthenticateOptions, uri: string | undefined) =>
  remoteKeys({ uri: uri ?? discoverKeysUri(issuer), now, log })

/** The token in the header; the scheme may have any case. Another scheme counts as no token. */
function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined) throw new SignInFault('missing', 'no token')
  const [, scheme = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(authorization) ?? []
  if (scheme.toLowerCase() !== 'bearer') throw new SignInFault('missing', 'no bearer token')
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(rest) || rest.length > LONGEST_TOKEN)
    throw new SignInFault('malformed', 'not a signed token')
  return rest
}

class TokenVerifier {
  readonly #options: AuthenticateOptions
  readonly #keys: KeySource
  readonly #algorithms: string[]
  readonly #cacheSize: number
  /** By the token's bytes, least recently used first. */
  readonly #verified = new Map<string, Verified>()
  readonly #underWay = new Map<string, Promise<Caller>>()
  #version = ''
  /** Imported keys, created once per key set. */
  #keyFinder: { readonly version: string; readonly find: ReturnType<typeof createLocalJWKSet> } | null = null

  constructor(options: AuthenticateOptions, keys: KeySource) {
    this.#options = options
    this.#keys = keys
    this.#algorithms = options.algorithms.filter((name) => name !== 'none' && !name.startsWith('HS'))
    this.#cacheSize = options.cacheSize ?? 5_000
  }

  authenticate(token: string): Caller | Promise<Caller> {
    const known = this.#verified.get(token)
    if (known !== undefined) {
      this.#verified.delete(token)
      if (this.#hasExpired(known.caller.claims.exp)) throw new SignInFault('expired', 'token expired')
      // Withdrawing a key also withdraws its tokens.
      if (known.version === this.#version) {
        this.#verified.set(token, known)
        return known.caller
      }
    }
    const begun = this.#underWay.get(token) ?? this.#admit(token).finally(() => this.#underWay.delete(token))
    this.#underWay.set(token, begun)
    return begun
  }

  #hasExpired(exp: number): boolean {
    return exp + this.#options.clockSkewS <= this.#options.now().getTime() / 1000
  }

  async #admit(token: string): Promise<Caller> {
    const payload = await this.#verify(token)
    const claims = normaliseClaims(payload, this.#options)
    this.#checkTimes(claims)
    const program = await this.#options.programOf?.(claims)
    const caller = program ?? personIn(claims)
    const isKnown = program !== undefined && program !== null
    const isDone = isKnown || ((await this.#options.onFirstContact?.(caller)) ?? true)
    if (isDone) this.#verified.set(token, { caller, version: this.#version })
    if (this.#verified.size > this.#cacheSize) this.#verified.delete(this.#verified.keys().next().value ?? '')
    return caller
  }

  async #verify(token: string): Promise<JWTPayload> {
    const present = await this.#keySet(this.#keys.current())
    try {
      return await this.#verifyWith(token, present)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw faultOf(error)
    }
    const renewed = await this.#renewed()
    if (renewed.version === present.version) throw new SignInFault('bad_signature', 'unknown key')
    return this.#verifyWith(token, renewed).catch((error: unknown) => {
      throw faultOf(error)
    })
  }

  /**
   * Without the provider it is unknown whether an unknown key is a new one, so the token counts neither as
   * good nor as wrong.
   */
  async #renewed(): Promise<KeySet> {
    try {
      const set = await this.#keys.refresh()
      this.#version = set.version
      return set
    } catch {
      throw new SignInFault('keys_unavailable', 'the identity provider cannot be reached')
    }
  }

  async #keySet(asked: Promise<KeySet>): Promise<KeySet> {
    try {
      const set = await asked
      this.#version = set.version
      return set
    } catch (error) {
      this.#options.log.error('no keys to verify tokens with', { reason: reasonForLog(error) })
      throw new SignInFault('keys_unavailable', 'the identity provider cannot be reached')
    }
  }

  async #verifyWith(token: string, { jwks, version }: KeySet): Promise<JWTPayload> {
    if (this.#keyFinder?.version !== version) this.#keyFinder = { version, find: createLocalJWKSet(jwks) }
    const { payload, protectedHeader } = await jwtVerify(token, this.#keyFinder.find, {
      issuer: this.#options.issuer,
      audience: this.#options.audience,
      algorithms: this.#algorithms,
      clockTolerance: this.#options.clockSkewS,
      currentDate: this.#options.now(),
    })
    const { typ } = protectedHeader
    if (typ !== undefined && !ACCEPTED_TYPES.has(typ.toLowerCase()))
      throw new SignInFault('bad_claims', 'not an access token')
    return payload
  }

  #checkTimes({ exp, iat }: Claims): void {
    const latest = this.#options.now().getTime() / 1000 + this.#options.clockSkewS
    if (iat > latest) throw new SignInFault('issued_in_future', 'token issued in the future')
    if (exp < iat) throw new SignInFault('bad_claims', 'token ends before it begins')
  }
}

const personIn = (claims: Claims): Caller =>
  Object.freeze({
    claims: Object.freeze(claims),
    claimsJson: claimsText(claims),
    person: personOf(claims),
  })

function faultOf(error: unknown): Error {
  if (error instanceof SignInFault) return error
  if (error instanceof errors.JWTExpired) return new SignInFault('expired', 'token expired')
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.reason === 'missing' || error.reason === 'invalid')
      return new SignInFault('bad_claims', `claim ${error.claim}`)
    if (error.claim === 'aud') return new SignInFault('wrong_audience', 'token not in audience')
    if (error.claim === 'iss') return new SignInFault('wrong_issuer', 'token of another issuer')
    if (error.claim === 'nbf') return new SignInFault('not_yet_valid', 'token not yet valid')
    return new SignInFault('bad_claims', `claim ${error.claim}`)
  }
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid)
    return new SignInFault('malformed', 'not a signed token')
  if (error instanceof errors.JOSEError) return new SignInFault('bad_signature', 'signature not accepted')
  // For example keys that cannot be imported.
  return new SignInFault('bad_signature', 'signature cannot be checked')
}

/**
 * First contact: binds (iss, sub) once to the person with the token's verified address; the rule is in
 * accounts.link_identity. Also tidies up what others left behind. While no server takes changes, people go on
 * reading as what they are already.
 */
export function linkIdentity(database: Database): (caller: Caller) => Promise<boolean> {
  let awayUntil = 0
  return async (caller) => {
    if (performance.now() < awayUntil) return false
    try {
      await database.once(
        { role: 'nutzer', settings: { 'request.jwt.claims': caller.claimsJson }, person: caller.person },
        {
          name: 'link_identity',
          text: 'select accounts.link_identity(), imports.tidy(), accounts.follow_token_groups()',
        },
      )
      return true
    } catch (fault) {
      if (!(fault instanceof NoPrimaryFault)) throw fault
      // Looking for a primary takes a place of those who read.
      awayUntil = performance.now() + AWAY_MS
      return false
    }
  }
}
