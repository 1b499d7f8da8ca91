// The data API of the product's tables on its own port. Token signatures are tested elsewhere; here the
// bearer is the name of an identity of the world.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createDataApi, type DataApiOptions } from '#server/data-api/data-api.ts'
import type { Database } from '#server/database/database.ts'
import { silentLog } from '#server/log.ts'
import { claimsOf, type IdentityName } from './world.ts'

export interface ListeningApi {
  /** Without a slash at its end. */
  readonly address: string
  close(): void
}

export async function listenToApi(
  database: Database,
  more: Pick<DataApiOptions, 'noteRefusal' | 'keptAnswers'> = {},
): Promise<ListeningApi> {
  const api = createDataApi({
    database,
    schemas: ['app'],
    base: '/rest',
    role: 'nutzer',
    preRequest: { name: 'check', text: 'select rights.check_request()' },
    authenticate: (header) => ({
      claimsJson: JSON.stringify(claimsOf((header ?? '').replace('Bearer ', '') as IdentityName) ?? {}),
    }),
    log: silentLog,
    ...more,
  })
  const server: Server = createServer((request, response) => void api.handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}/rest`, close: () => server.close() }
}
