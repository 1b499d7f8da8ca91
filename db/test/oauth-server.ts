// A server with the embedded provider, the data API and the routes of keys, for tests of OAuth with programs.
import { officeDay } from '#server/office-day.ts'
import { afterAll, beforeAll } from 'vitest'
import { createDataApi } from '#server/data-api/data-api.ts'
import { dataApiPlugin } from '#server/data-api/fastify-plugin.ts'
import type { OwnerConnection } from '#server/database/database.ts'
import { listen, PASSWORD, People, startServer, type TestServer } from '#server/identity/identity.fixture.ts'
import type { IdentityProviderOptions } from '#server/identity/identity-provider.ts'
import { silentLog } from '#server/log.ts'
import { CHECK_REQUEST } from '#server/nutzer.ts'
import { type Engine, type EngineName, openEngine } from './engines.ts'

export interface OAuthServer extends TestServer {
  readonly owner: OwnerConnection
  readonly engine: Engine
  readonly people: People
  /** What somebody who is signed in sends to the general API. */
  call(token: string, path: string, body: object): Promise<{ status: number; body: Answered }>
  /** The status of reading or writing a table, and the name of the limit. */
  rest(token: string, path: string, method?: string): Promise<[status: number, hint: unknown]>
  /** A key of the installation, made as the screens do. */
  newKey(token: string, more?: object): Promise<{ id: number; zugang: string }>
}
export interface Answered {
  readonly code: number
  readonly message: string
  readonly hint?: string
  readonly fields?: readonly { field: string; message: string }[]
  readonly data: Record<string, unknown> | null
}

/** A day of the office, whose midnight is not that of UTC. */
export const inDays = (days: number): string => officeDay(new Date(Date.now() + days * 86_400_000))

let nextName = 0

export function oauthServer(
  engineName: EngineName,
  given: Partial<IdentityProviderOptions> = {},
): OAuthServer {
  const shared: Partial<OAuthServer> = {}
  beforeAll(async () => {
    const engine = await openEngine(engineName)
    const test = await startServer(engine.api, given)
    const dataApi = createDataApi({
      database: engine.api,
      schemas: ['app'],
      base: '/rest',
      role: 'nutzer',
      otherRoles: ['programm'],
      authenticate: test.authenticate,
      preRequest: CHECK_REQUEST,
      log: silentLog,
    })
    await test.server.register((scope) => dataApiPlugin(scope, { dataApi }))
    await listen(test)
    const call = async (token: string, path: string, body: object) => {
      const answer = await fetch(`${test.origin}/prod-api/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { status: answer.status, body: (await answer.json()) as Answered }
    }
    Object.assign(shared, test, {
      engine,
      owner: engine.owner,
      people: new People(engine.owner, test),
      call,
      rest: async (token: string, path: string, method = 'GET') => {
        const answer = await fetch(`${test.origin}/rest/${path}`, {
          method,
          headers: { authorization: `Bearer ${token}` },
        })
        const text = await answer.text()
        const body: unknown = text === '' ? null : JSON.parse(text)
        return [answer.status, (body as { hint?: unknown } | null)?.hint ?? null]
      },
      newKey: async (token: string, more: object = {}) => {
        const { status, body } = await call(token, 'zugaenge', {
          art: 'haus',
          name: `Auswertung ${++nextName}`,
          haelfte: 'draenage',
          gruppen: null,
          nur_lesen: true,
          client_id: null,
          bis: inDays(30),
          passwort: PASSWORD,
          code: '',
          ...more,
        })
        if (status !== 200) throw new Error(`no key: ${JSON.stringify(body)}`)
        return body.data as { id: number; zugang: string }
      },
    })
  })
  afterAll(async () => {
    await shared.close?.()
    await shared.engine?.close()
  })
  return shared as OAuthServer
}
