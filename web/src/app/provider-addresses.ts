// Where the provider is to be reached: asked on the way out to the sign-in, and not asked again on the way back, nor where a page that was loaded anew finds it at our own address.
import type { OidcMetadata } from 'oidc-client-ts'

/** Of the machine: nothing about anybody, and the next start wants it again. */
const KEY = 'geraet.anmeldedienst'

/** What is needed after the sign-in; the provider tells much more. */
export function storeAddresses(authority: string, told: Partial<OidcMetadata>) {
  const {
    issuer,
    authorization_endpoint,
    token_endpoint,
    end_session_endpoint,
    userinfo_endpoint,
    jwks_uri,
  } = told
  const metadata = {
    issuer,
    authorization_endpoint,
    token_endpoint,
    end_session_endpoint,
    userinfo_endpoint,
    jwks_uri,
  }
  localStorage.setItem(KEY, JSON.stringify({ authority, metadata }))
}

/** Nothing where another provider was asked last. */
export function storedAddresses(authority: string): Partial<OidcMetadata> | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as {
      authority: string
      metadata: Partial<OidcMetadata>
    } | null
    return kept?.authority === authority ? kept.metadata : undefined
  } catch {
    return undefined
  }
}
