// Keys of the installation as OAuth clients: `schluessel-<number>`, whose secret is the key. A token of such
// a client names the key and nothing else, so that the database decides with every request what it may do.
import { type Caller, type Claims, personOf, SignInFault } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { asking } from '#server/share.ts'
import { digestOf, makeKey, signsOf } from './key-format.ts'
import { callerOf, type FoundKey } from './program-keys.ts'
import { isWithin, parseScope, SCOPE_WORDS, type Scope, scopeOfKey, scopeText } from './scope.ts'

interface ClientRow extends FoundKey {
  /** Separated by spaces. */
  readonly gruppen: string | null
  readonly digest: string
}

export interface KeyClient {
  /** SHA-256 of the secret, as hexadecimal digits. */
  readonly digest: string
  readonly scope: string
}

export interface KeyClients {
  parse(scope: string): string | null
  readonly words: readonly string[]
  makeKey(): { readonly key: string; readonly digest: string; readonly signs: string }
  digestOf(secret: string): string
  /** Null: there is no such client, or its key has ended. */
  find(clientId: string): Promise<KeyClient | null>
  /**
   * What is granted of `asked`, which is all if nothing is asked for; null: it is more than the client
   * has.
   */
  grant(asked: string | undefined, held: string): string | null
  /** Who calls with a token of such a client; null: the token is a person's. @throws SignInFault */
  callerOf(claims: Claims): Promise<Caller | null>
}

const FORM = /^schluessel-([1-9]\d{0,14})$/

/** `ownClient`: the client by which people sign in. */
export function createKeyClients(database: Database, ownClient: string): KeyClients {
  const open = async (clientId: string, by = asking()): Promise<ClientRow | undefined> => {
    const id = FORM.exec(clientId)?.[1]
    if (id === undefined) return undefined
    const { rows } = await database.once<ClientRow>(
      { role: 'forst_idp', readOnly: true, ...by },
      { name: 'open_client', text: 'select * from accounts.open_client($1::bigint)', values: [id] },
    )
    return rows[0]?.zustand === 'aktiv' ? rows[0] : undefined
  }
  return {
    async find(clientId) {
      const row = await open(clientId)
      return row === undefined
        ? null
        : { digest: row.digest, scope: scopeText(scopeOfKey(row.nur_lesen, row.gruppen)) }
    },
    grant: grantedOf,
    parse: (text) => {
      const scope = parseScope(text)
      return scope && scopeText(scope)
    },
    words: SCOPE_WORDS,
    makeKey: () => {
      const key = makeKey()
      return { key, digest: digestOf(key), signs: signsOf(key) }
    },
    digestOf,
    async callerOf(claims) {
      const client = claims['azp']
      if (client === undefined || client === ownClient) return null
      const row = typeof client === 'string' ? await open(client, { person: personOf(claims) }) : undefined
      if (row === undefined || claims.sub !== client)
        throw new SignInFault('ended_key', 'The key of this client has ended')
      return callerOf(row, { exp: claims.exp, scope: scopeIn(claims) })
    },
  }
}

function grantedOf(asked: string | undefined, held: string): string | null {
  const has = parseScope(held)
  const wanted = parseScope(asked ?? held)
  if (has === null || wanted === null || !isWithin(wanted, has)) return null
  return scopeText({ ...wanted, gruppen: wanted.gruppen ?? has.gruppen })
}

/** A token that does not say what it is for opens nothing. */
function scopeIn(claims: Claims): Scope {
  const scope = typeof claims['scope'] === 'string' ? parseScope(claims['scope']) : null
  if (scope === null) throw new SignInFault('bad_claims', 'claim scope')
  return scope
}
