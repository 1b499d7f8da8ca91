// Converts the claims of a verified token into the one form that the database reads.
import type { JWTPayload } from 'jose'
import type { Claims } from '#server/caller.ts'
import { SignInFault } from '#server/caller.ts'

export interface ClaimRules {
  /** Dotted path, for instance groups or realm_access.roles. */
  readonly groupsClaim: string
  /**
   * 'ignore': the provider knows no groups, so the user record alone decides and the token sets no upper
   * limit.
   */
  readonly groupsMode: 'claim' | 'ignore'
  readonly emailClaim: string
}

const MOST_GROUPS = 200

export function normaliseClaims(payload: JWTPayload, rules: ClaimRules): Claims {
  const { iss, sub, exp, iat } = payload
  if (typeof iss !== 'string') throw bad('iss is missing')
  if (typeof sub !== 'string' || sub === '' || sub.length > 255) throw bad('sub is missing')
  if (!isTime(exp)) throw bad('exp is missing')
  if (!isTime(iat)) throw bad('iat is missing')
  if ('typ' in payload && payload['typ'] !== 'Bearer') throw bad('not an access token')
  const email = at(payload, rules.emailClaim)
  // `key` is ours: the database would take the caller for a program.
  const { email: _email, email_verified, groups: _groups, role: _role, key: _key, ...others } = payload
  return {
    ...others,
    iss,
    sub,
    exp,
    iat,
    ...(typeof email === 'string' && email !== ''
      ? { email, email_verified: email_verified === true || email_verified === 'true' }
      : {}),
    groups: rules.groupsMode === 'ignore' ? ['appuser_apus_admin'] : groupsOf(at(payload, rules.groupsClaim)),
    role: 'nutzer',
  }
}

/**
 * The claims as text for the database. jsonb cannot hold NUL, so a token with one is refused here and not by
 * an odd fault there.
 */
export function claimsText(claims: Claims): string {
  const text = JSON.stringify(claims)
  if (text.includes('\\u0000')) throw bad('claims contain a NUL')
  return text
}

/**
 * Keycloak sends full paths: `/name` is the group itself, `/a/name` is another group that happens to have the
 * same name.
 */
function groupsOf(value: unknown): string[] {
  const list = typeof value === 'string' ? [value] : Array.isArray(value) ? value : []
  return list
    .filter((group) => typeof group === 'string' && group.length <= 200)
    .slice(0, MOST_GROUPS)
    .map((group: string) => (/^\/[^/]+$/.test(group) ? group.slice(1) : group))
}

/** A claim of exactly this name takes precedence: some providers use dots or addresses as names. */
function at(payload: JWTPayload, path: string): unknown {
  if (Object.hasOwn(payload, path)) return payload[path]
  let value: unknown = payload
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 && value < 1e11
const bad = (message: string) => new SignInFault('bad_claims', message)
