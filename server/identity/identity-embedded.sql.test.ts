import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Engine, openEngine } from '../../db/test/engines.ts'
import { listen, People, startServer, type TestServer, type Tokens } from './identity.fixture.ts'

// The provider's statements are tested at length on PostgreSQL; this shows that the embedded engine accepts
// them too.
let engine: Engine
let server: TestServer
beforeAll(async () => {
  engine = await openEngine('embedded')
  server = await listen(await startServer(engine.api))
}, 120_000)
afterAll(async () => {
  await server?.close()
  await engine?.close()
})

test('invited, signed in, renewed, locked, disabled and set up again on the embedded engine', async () => {
  const people = new People(engine.owner, server)
  const { email, userId } = await people.withAccount({ system_status: 'ogf_team' })
  const tokens = await server.signIn(email)
  expect(await server.rolesOf(tokens.access_token)).toEqual(['ogf_team'])
  const client = server.client()
  const next = (await (await client.refresh(tokens.refresh_token)).json()) as Tokens
  expect((await client.refresh(tokens.refresh_token)).status).toBe(200)
  for (let nr = 0; nr < 5; nr++)
    await expect(server.signIn(email, 'falsch falsch falsch')).rejects.toThrow('no code')
  await expect(server.signIn(email)).rejects.toThrow('Zu viele Fehlversuche')
  await server.idp.accounts.unlock(email)
  await engine.owner.query('update app.benutzer set enabled = false where user_id = $1', [userId])
  expect((await client.refresh(next.refresh_token)).status).toBe(400)
  expect(await server.rolesOf(tokens.access_token)).toBeUndefined()
  await engine.owner.query('update app.benutzer set enabled = true where user_id = $1', [userId])
  const { link } = await server.idp.accounts.inviteUser(email)
  const answer = await fetch(link, {
    method: 'POST',
    headers: { origin: server.origin },
    body: new URLSearchParams({ neu: 'Mohnfeld Sattel 91 Uhu', wiederholt: 'Mohnfeld Sattel 91 Uhu' }),
  })
  expect(answer.status).toBe(200)
  const fresh = await server.signIn(email, 'Mohnfeld Sattel 91 Uhu')
  expect(await server.rolesOf(fresh.access_token)).toEqual(['ogf_team'])
  await server.idp.deleteExpired()
})

test('at another address the same accounts are the same people', async () => {
  const people = new People(engine.owner, server)
  const { email, userId } = await people.withAccount({ system_status: 'ogf_team' })
  const stranger = await people.withAccount({ system_status: 'ogf_team' })
  expect(await server.rolesOf((await server.signIn(email)).access_token)).toEqual(['ogf_team'])
  await engine.owner.query(
    "insert into accounts.identitaet (iss, sub, user_id) values ('https://andere.example', 'unsere-nicht', $1)",
    [stranger.userId],
  )
  const moved = await listen(await startServer(engine.api))
  try {
    expect(moved.origin).not.toBe(server.origin)
    expect(await moved.rolesOf((await moved.signIn(email)).access_token)).toEqual(['ogf_team'])
    const { rows } = await engine.owner.query<{ iss: string }>(
      'select iss from accounts.identitaet where user_id = any ($1) order by user_id',
      [[userId, stranger.userId]],
    )
    expect(rows).toEqual([{ iss: moved.idp.issuer }, { iss: 'https://andere.example' }])
  } finally {
    await moved.close()
  }
})
