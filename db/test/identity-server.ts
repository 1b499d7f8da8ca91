// One server with the embedded provider for a file of tests.
import { afterAll, beforeAll } from 'vitest'
import type { Database, OwnerConnection } from '#server/database/database.ts'
import { listen, People, startServer, type TestServer } from '#server/identity/identity.fixture.ts'
import type { IdentityProviderOptions } from '#server/identity/identity-provider.ts'
import { type Engine, type EngineName, openEngine } from './engines.ts'

export interface SharedServer extends TestServer {
  readonly engine: Engine
  readonly owner: OwnerConnection
  readonly database: Database
  readonly people: People
}

/** It listens, and is there once the first test runs. Call it inside a describe. */
export function oneServer(
  engineName: EngineName = 'postgres',
  given: Partial<IdentityProviderOptions> = {},
): SharedServer {
  const shared: Partial<SharedServer> = {}
  beforeAll(async () => {
    const engine = await openEngine(engineName)
    const server = await listen(await startServer(engine.api, given))
    const people = new People(engine.owner, server)
    Object.assign(shared, server, { engine, owner: engine.owner, database: engine.api, people })
  })
  afterAll(async () => {
    await shared.close?.()
    await shared.engine?.close()
  })
  return shared as SharedServer
}
