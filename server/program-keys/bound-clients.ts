// Clients of an outside provider that somebody bound to a key: their tokens work with that key and nothing
// else. The token itself was verified before (signature, issuer, audience, time); here it is asked which key
// it may use.
import { type Caller, type Claims, personOf, SignInFault } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { callerOf, type FoundKey } from './program-keys.ts'

export interface BoundClients {
  /** Who calls with a token of such a client; null: a person's sign-in. @throws SignInFault */
  callerOf(claims: Claims): Promise<Caller | null>
}

/**
 * `ownClient`: the client by which people sign in. A provider that names no client in its tokens has no
 * others.
 */
export const createBoundClients = (database: Database, ownClient: string): BoundClients => ({
  async callerOf(claims) {
    const client = claims['azp']
    if (client === undefined || client === ownClient) return null
    const { rows } = await database.once<FoundKey>(
      { role: 'forst_idp', readOnly: true, person: personOf(claims) },
      {
        name: 'open_bound_client',
        text: 'select * from accounts.open_bound_client($1, $2, $3, $4::boolean)',
        values: [typeof client === 'string' ? client : '', claims.iss, claims.sub, String(isAlone(claims))],
      },
    )
    const [found] = rows
    if (found === undefined) throw new SignInFault('unbound_client', 'This client is bound to no key')
    if (found.zustand !== 'aktiv') throw new SignInFault('ended_key', 'This key has ended')
    return callerOf(found, { exp: claims.exp, scope: null })
  },
})

/**
 * Whether the client acts for itself (client credentials). Keycloak says so by `client_id`, which it takes from the
 * session of a service account and from nothing that people can set; a person's token has a session.
 */
const isAlone = ({ client_id, sid, session_state, ...claims }: Claims): boolean =>
  client_id === claims['azp'] && sid === undefined && session_state === undefined
