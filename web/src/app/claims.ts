// Reads the claims of a token without verifying it: the server does that; here they only decide what is
// offered.

export type TokenClaims = Readonly<Record<string, unknown>>

export function decodeClaims(token: string): TokenClaims {
  try {
    const payload = token.split('.')[1] ?? ''
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
      letter.charCodeAt(0),
    )
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof claims === 'object' && claims !== null ? (claims as TokenClaims) : {}
  } catch {
    return {}
  }
}

/**
 * `realm_access.roles` → claims.realm_access.roles; a claim whose name contains the dots takes precedence.
 */
export function claimAt(claims: TokenClaims, path: string): unknown {
  if (path in claims) return claims[path]
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? (value as TokenClaims)[key] : undefined),
      claims,
    )
}

/** The provider's groups; `claim` is null if it has none, and the person's database row alone decides. */
export function groupsOf(claims: TokenClaims, claim: string | null | undefined): string[] {
  if (claim === null) return ['appuser_apus_admin']
  const value = claimAt(claims, claim ?? 'groups')
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((group): group is string => typeof group === 'string') : []
}
