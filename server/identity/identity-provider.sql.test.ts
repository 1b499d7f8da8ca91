import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database, OwnerConnection } from '#server/database/database.ts'
import { type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { Browser, Client, claimsOf, codeOf, headingOf, listen, PASSWORD, signIn, startServer, type TestServer } from './identity.fixture.ts'

describe.skipIf(isMissing('postgres'))('embedded provider', () => {
  let engine: Engine
  let owner: OwnerConnection
  let database: Database
  let server: TestServer

  beforeAll(async () => {
    engine = await openEngine('postgres')
    owner = engine.owner
    database = engine.api
    server = await listen(await startServer(database))
  })
  afterAll(async () => {
    await server?.close()
    await engine?.close()
  })

  let persons = 0
  /** A person with an account; every test has its own. */
  async function person(columns: Record<string, unknown> = {}): Promise<string> {
    const email = `person${++persons}@forst.example`
    const all = { email, username: email, first_name: 'Jörg', last_name: `Eiche ${persons}`, system_status: 'ogf_standard', ...columns }
    const names = Object.keys(all)
    await owner.query(
      `insert into app.benutzer (${names.join(', ')}) values (${names.map((_, nr) => `$${nr + 1}`).join(', ')})`,
      Object.values(all),
    )
    await server.idp.accounts.setPassword(email, PASSWORD)
    return email
  }

  test('signs in, and the token says who and which group', async () => {
    const email = await person({ system_status: 'apus_admin', apus_admin: true })
    const tokens = await signIn(server.origin, email, PASSWORD)
    expect(tokens.expires_in).toBe(300)
    const claims = claimsOf(tokens.access_token)
    expect(claims).toMatchObject({
      iss: server.idp.issuer,
      aud: 'ogf-api',
      typ: 'Bearer',
      azp: 'ogf-web',
      email,
      email_verified: true,
      groups: ['appuser_apus_admin'],
    })
    expect(claimsOf(tokens.id_token)).toMatchObject({
      aud: 'ogf-web',
      email,
      name: `Jörg Eiche ${persons}`,
      groups: ['appuser_apus_admin'],
    })
    const caller = await server.authenticate(`Bearer ${tokens.access_token}`)
    const { rows } = await database.once<{ rollen: string }>(
      { role: 'nutzer', settings: { 'request.jwt.claims': caller.claimsJson } },
      { text: 'select to_json(rechte.rollen())::text as rollen' },
    )
    expect(rows[0]?.rollen).toContain('apus_admin')
  })
})
