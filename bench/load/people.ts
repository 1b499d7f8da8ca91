// People of the scene of bench:scale who can sign in: a sign-in service of our own signs their tokens.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { OwnerConnection } from '#server/database/database.ts'

const ISS = 'https://sign-in.example/realms/master'
const STAFF = 20
const CUSTOMERS = 80
/** Beyond the numbers of the scene. */
const FIRST = 95_000_000

export interface Person {
  readonly token: string
  /** Null: staff. */
  readonly kunde: number | null
}

/** Every hundredth customer has trees, holdings and plans (bench/scale/scene.ts). */
const kundeOf = (nr: number): number => nr * 100

/** Staff see everything, each of the others one customer. */
export async function addPeople(owner: OwnerConnection): Promise<void> {
  await owner.script(`begin; set local session_replication_role = replica;
    insert into app.benutzer (user_id, email, username, system_status, apus_admin)
      select ${FIRST} + i, 'staff' || i || '@load.example', 'lstaff' || i, 'admin', true
      from generate_series(1, ${STAFF}) i;
    insert into app.benutzer (user_id, email, username, system_status)
      select ${FIRST} + ${STAFF} + i, 'customer' || i || '@load.example', 'lcustomer' || i, 'appuser'
      from generate_series(1, ${CUSTOMERS}) i;
    insert into app.benutzer_kunde (client_id, user_id, rolle, kataster_enabled)
      select i * 100, ${FIRST} + ${STAFF} + i, 'admin', true from generate_series(1, ${CUSTOMERS}) i
        where i * 100 in (select client_id from app.kunde);
    insert into accounts.identitaet (iss, sub, user_id)
      select '${ISS}', i::text, ${FIRST} + i from generate_series(1, ${STAFF + CUSTOMERS}) i;
    commit`)
}

export async function signIn(): Promise<{
  readonly people: readonly Person[]
  /** For the server. */
  readonly env: Readonly<Record<string, string>>
  close(): void
}> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const keySet = JSON.stringify({
    keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }],
  })
  const keys = createServer((_, response) => void response.end(keySet)).listen(0, '127.0.0.1')
  await once(keys, 'listening')
  const now = Math.floor(Date.now() / 1000)
  const tokenOf = (nr: number): Promise<string> =>
    new SignJWT({
      iss: ISS,
      sub: String(nr),
      aud: 'ogf-api',
      role: 'nutzer',
      groups: [nr <= STAFF ? 'appuser_apus_admin' : 'appuser_admin'],
      iat: now,
      exp: now + 3_600 * 4,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'k', typ: 'at+jwt' })
      .sign(privateKey)
  const people = await Promise.all(
    Array.from({ length: STAFF + CUSTOMERS }, async (_, at) => ({
      token: await tokenOf(at + 1),
      kunde: at < STAFF ? null : kundeOf(at + 1 - STAFF),
    })),
  )
  return {
    people,
    env: {
      AUTH_MODE: 'oidc',
      OIDC_ISSUER: ISS,
      OIDC_JWKS_URI: `http://127.0.0.1:${(keys.address() as AddressInfo).port}/keys`,
    },
    close: () => void keys.close(),
  }
}
