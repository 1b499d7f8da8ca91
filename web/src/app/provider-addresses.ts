// Caches the provider's endpoints. They are fetched on the way out to the sign-in, and need not be fetched
// again on the way back, or after a reload if the provider has our origin.
import type { OidcMetadata } from 'oidc-client-ts'

/** Belongs to the device: not personal, and needed again at the next start. */
const KEY = 'geraet.anmeldedienst'

/** Stores only the metadata needed after the sign-in; the provider sends much more. */
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

/** Undefined if they were stored for another provider. */
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
