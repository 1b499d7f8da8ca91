// Where the provider is to be reached: asked on the way out to the sign-in, and not asked again on the way back.
import type { OidcMetadata } from 'oidc-client-ts'

const KEY = 'anmeldedienst'

/** What is needed after the sign-in; the provider tells much more. */
export function storeAddresses(authority: string, told: Partial<OidcMetadata>) {
  const { issuer, authorization_endpoint, token_endpoint, end_session_endpoint, userinfo_endpoint, jwks_uri } = told
  const metadata = { issuer, authorization_endpoint, token_endpoint, end_session_endpoint, userinfo_endpoint, jwks_uri }
  sessionStorage.setItem(KEY, JSON.stringify({ authority, metadata }))
}

/** Only for coming back: every other start asks anew, so that a moved provider is found. */
export function storedAddresses(authority: string): Partial<OidcMetadata> | undefined {
  if (!new URLSearchParams(location.search).has('state')) return undefined
  const stored = sessionStorage.getItem(KEY)
  const kept = stored === null ? undefined : (JSON.parse(stored) as { authority: string; metadata: Partial<OidcMetadata> })
  return kept?.authority === authority ? kept.metadata : undefined
}
