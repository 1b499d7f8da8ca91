import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Engine, openEngine } from '../../db/test/engines.ts'
import {
  Client,
  listen,
  PASSWORD,
  People,
  rolesOf,
  signIn,
  startServer,
  type TestServer,
  type Tokens,
} from './identity.fixture.ts'

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
  const tokens = await signIn(server.origin, email, PASSWORD)
  expect(await rolesOf(server, engine.api, tokens.access_token)).toEqual(['ogf_team'])
  const client = new Client(server.origin)
  const next = (await (await client.refresh(tokens.refresh_token)).json()) as Tokens
  expect((await client.refresh(tokens.refresh_token)).status).toBe(200)
  for (let nr = 0; nr < 5; nr++)
    await expect(signIn(server.origin, email, 'falsch falsch falsch')).rejects.toThrow('no code')
  await expect(signIn(server.origin, email, PASSWORD)).rejects.toThrow('Zu viele Fehlversuche')
  await server.idp.accounts.unlock(email)
  await engine.owner.query('update app.benutzer set enabled = false where user_id = $1', [userId])
  expect((await client.refresh(next.refresh_token)).status).toBe(400)
  expect(await rolesOf(server, engine.api, tokens.access_token)).toBeUndefined()
  await engine.owner.query('update app.benutzer set enabled = true where user_id = $1', [userId])
  const { link } = await server.idp.accounts.inviteUser(email)
  const answer = await fetch(link, {
    method: 'POST',
    headers: { origin: server.origin },
    body: new URLSearchParams({ neu: 'Mohnfeld Sattel 91 Uhu', wiederholt: 'Mohnfeld Sattel 91 Uhu' }),
  })
  expect(answer.status).toBe(200)
  const fresh = await signIn(server.origin, email, 'Mohnfeld Sattel 91 Uhu')
  expect(await rolesOf(server, engine.api, fresh.access_token)).toEqual(['ogf_team'])
  await server.idp.deleteExpired()
})

test('at another address the same accounts are the same people', async () => {
  const people = new People(engine.owner, server)
  const { email, userId } = await people.withAccount({ system_status: 'ogf_team' })
  const stranger = await people.withAccount({ system_status: 'ogf_team' })
  expect(
    await rolesOf(server, engine.api, (await signIn(server.origin, email, PASSWORD)).access_token),
  ).toEqual(['ogf_team'])
  await engine.owner.query(
    "insert into rechte.identitaet (iss, sub, user_id) values ('https://andere.example', 'unsere-nicht', $1)",
    [stranger.userId],
  )
  const moved = await listen(await startServer(engine.api))
  try {
    expect(moved.origin).not.toBe(server.origin)
    expect(
      await rolesOf(moved, engine.api, (await signIn(moved.origin, email, PASSWORD)).access_token),
    ).toEqual(['ogf_team'])
    const { rows } = await engine.owner.query<{ iss: string }>(
      'select iss from rechte.identitaet where user_id = any ($1) order by user_id',
      [[userId, stranger.userId]],
    )
    expect(rows).toEqual([{ iss: moved.idp.issuer }, { iss: 'https://andere.example' }])
  } finally {
    await moved.close()
  }
})
