// Who is calling: the interface between identity (which verifies) and the rooms that answer calls.

/**
 * Claims as the database sees them in request.jwt.claims; groups are normalised, everything else comes
 * from the verified token.
 */
export interface Claims {
  readonly iss: string
  readonly sub: string
  readonly exp: number
  readonly iat: number
  readonly email?: string
  readonly email_verified?: boolean
  readonly groups: readonly string[]
  readonly role: 'nutzer'
  readonly [claim: string]: unknown
}

export interface Caller {
  readonly claims: Claims
  /** claims as JSON text, serialised once per token because it is sent with every transaction. */
  readonly claimsJson: string
  /**
   * Who has the share that running and waiting requests count against: the same for all tokens of one person. That of a
   * key names the key within its owner's share (share.ts).
   */
  readonly person: string
  /** Set if a program calls with a key (program-keys): what it may do is decided in the database. */
  readonly key?: { readonly id: number; readonly name: string; readonly readsOnly: boolean }
  /** The database role of requests with a key. */
  readonly role?: 'programm'
  /** What the data API answers to writes with a key that only reads. */
  readonly refusesWrites?: RefusedWrite
  /** The relation that a route of ours reads for a key; see RouteLimits.programs. */
  readonly target?: string
}

export interface RefusedWrite {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details: string
  readonly hint: string
}

export const personOf = ({ iss, sub }: Pick<Claims, 'iss' | 'sub'>): string => `${iss} ${sub}`

export type SignInFaultKind =
  | 'missing' // no token at all
  | 'malformed' // not three parts, or undecodable
  | 'bad_signature' // unknown key, wrong algorithm, wrong signature
  | 'expired'
  | 'not_yet_valid'
  | 'issued_in_future'
  | 'wrong_audience'
  | 'wrong_issuer'
  | 'bad_claims' // required claim missing or of a wrong type
  | 'bad_key' // a program's key that cannot be one: mistyped, truncated, Basic without a password
  | 'unknown_key'
  | 'ended_key'
  | 'unbound_client' // a client of the outside provider that nobody bound to a key
  | 'keys_unavailable' // the provider's keys could never be fetched: 503, not 401

export class SignInFault extends Error {
  override readonly name = 'SignInFault'
  readonly kind: SignInFaultKind
  constructor(kind: SignInFaultKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/**
 * Takes the Authorization header; rejects with SignInFault. Verified tokens are cached by their bytes;
 * expiry is checked each time.
 */
export type Authenticate = (authorization: string | undefined) => Caller | Promise<Caller>
