// What the embedded provider has to know of programs that get their tokens from it. Keys are the matter of
// another room; this is the part that the protocol needs.
import { timingSafeEqual } from 'node:crypto'
import { type ClientMetadata, errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'

export interface ProgramClients {
  /** Null: there is no such client any more. */
  find(clientId: string): Promise<{ readonly digest: string; readonly scope: string } | null>
  /** What is granted of `asked`; null: it is more than the client has. */
  grant(asked: string | undefined, held: string): string | null
  /** The words of a scope in our order, at least `lesen`; null: it has another word. */
  parse(scope: string): string | null
  readonly words: readonly string[]
  /** A new key, its digest, and its last characters. */
  makeKey(): { readonly key: string; readonly digest: string; readonly signs: string }
  /** What `find` calls digest. */
  digestOf(secret: string): string
}

/**
 * Where a client of ours keeps what it may ask for: the provider's own `scope` knows only scopes of sign-
 * ins.
 */
export const HELD = 'rechte'

/** Read with every request, so that a client ends with its key. */
export async function clientOfProgram(
  programs: ProgramClients,
  clientId: string,
): Promise<ClientMetadata | undefined> {
  const found = await programs.find(clientId)
  if (found === null) return undefined
  return {
    client_id: clientId,
    client_secret: found.digest,
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    [HELD]: found.scope,
  }
}

/** Only the digest of a secret is known. */
export function compareByDigest(provider: Provider, programs: ProgramClients): void {
  const { prototype } = provider.Client as unknown as {
    prototype: { compareClientSecret(this: { clientSecret: string }, given: string): boolean }
  }
  prototype.compareClientSecret = function compareClientSecret(given) {
    const [held, got] = [this.clientSecret, programs.digestOf(given)].map((text) => Buffer.from(text, 'utf8'))
    return held !== undefined && got !== undefined && held.length === got.length && timingSafeEqual(held, got)
  }
}

/**
 * Sets what the token is for. Asking for more than the key has is refused, and not silently narrowed: the program
 * would believe that it has it.
 */
export function settleScope(ctx: KoaContextWithOIDC, programs: ProgramClients): string | null {
  const { client, params } = ctx.oidc
  const held = client?.[HELD]
  if (typeof held !== 'string' || params === undefined) return null
  const asked = typeof params['scope'] === 'string' ? params['scope'] : undefined
  const granted = programs.grant(asked, held)
  if (granted === null) throw new errors.InvalidScope(`this client may ask for: ${held}`, asked ?? '')
  params['scope'] = granted
  return granted
}
