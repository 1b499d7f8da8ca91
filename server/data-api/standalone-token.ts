// Tokens of the stand-alone start: keys and the path of the role claim come from the command line.
import { readFileSync } from 'node:fs'
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose'
import { SignInFault } from '#server/caller.ts'
import type { DialectCaller } from './data-api.ts'
import { noSecret } from './faults.ts'

export interface TokenSettings {
  /** Address or file of a JSON Web Key set. */
  readonly jwks?: string | undefined
  /** File with a shared secret (HMAC). */
  readonly secretFile?: string | undefined
  /** Path of the role in the claims: role, or app_metadata.role. */
  readonly roleClaim: string
  /** Role of a token that names none; without it such a token is refused. */
  readonly anonymousRole?: string | undefined
  readonly audience?: string | undefined
}

// A key is valid only for the algorithms of its kind: a public key must never pass as a shared secret.
const SIGNED = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const SHARED = ['HS256', 'HS384', 'HS512']

export function createTokenCheck(
  settings: TokenSettings,
): (authorization: string | undefined) => Promise<DialectCaller> {
  const { jwks, secretFile, roleClaim, anonymousRole, audience } = settings
  const verify =
    jwks !== undefined ? verifyByKeySet(jwks) : secretFile !== undefined ? verifyBySecret(secretFile) : null
  const options: JWTVerifyOptions = {
    algorithms: jwks !== undefined ? SIGNED : SHARED,
    clockTolerance: 30,
    requiredClaims: ['exp'],
    ...(audience === undefined ? {} : { audience }),
  }
  return async (authorization) => {
    if (authorization === undefined) throw new SignInFault('missing', 'no token')
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
    if (token === undefined || token.split('.').length !== 3)
      throw new SignInFault('malformed', 'Expected 3 parts in JWT')
    if (verify === null) throw noSecret()
    const claims = await verify(token, options).catch((error: unknown) => {
      throw signInFault(error)
    })
    const named = roleClaim
      .split('.')
      .reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], claims)
    const role = named ?? anonymousRole
    if (typeof role !== 'string') throw new SignInFault('missing', `the token has no ${roleClaim}`)
    return {
      claimsJson: JSON.stringify({ ...claims, role }),
      role,
      person: `${claims.iss ?? ''} ${claims.sub ?? ''}`,
    }
  }
}

type Verify = (token: string, options: JWTVerifyOptions) => Promise<JWTPayload>

function verifyByKeySet(place: string): Verify {
  const keys: JWTVerifyGetKey = /^https?:/.test(place)
    ? createRemoteJWKSet(new URL(place))
    : createLocalJWKSet(JSON.parse(readFileSync(place, 'utf8')))
  return async (token, options) => (await jwtVerify(token, keys, options)).payload
}

function verifyBySecret(file: string): Verify {
  const secret = new TextEncoder().encode(readFileSync(file, 'utf8').trim())
  if (secret.length < 32) throw new Error('the shared secret must have at least 32 bytes')
  return async (token, options) => (await jwtVerify(token, secret, options)).payload
}

function signInFault(error: unknown): SignInFault {
  if (error instanceof errors.JWTExpired) return new SignInFault('expired', 'JWT expired')
  if (error instanceof errors.JWTClaimValidationFailed) {
    const kind =
      error.claim === 'aud' ? 'wrong_audience' : error.claim === 'nbf' ? 'not_yet_valid' : 'bad_claims'
    return new SignInFault(kind, error.message)
  }
  const unreachable =
    !(error instanceof errors.JOSEError) ||
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid
  if (unreachable) return new SignInFault('keys_unavailable', 'the keys cannot be reached')
  return new SignInFault('bad_signature', 'No suitable key or wrong key type')
}
