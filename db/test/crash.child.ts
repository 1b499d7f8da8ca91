// Started by the test as a separate process to be killed: the database, the data API and the documents as the
// server assembles them; the caller is taken from the header.
import fastify from 'fastify'
import type { Caller, Claims } from '#server/caller.ts'
import { createDataApi } from '#server/data-api/data-api.ts'
import { dataApiPlugin } from '#server/data-api/fastify-plugin.ts'
import { openTestDatabase } from '#server/database/embedded.fixture.ts'
import { createPostgresDatabase } from '#server/database/postgres.ts'
import { createStore } from '#server/documents/store.ts'
import { createRenderer } from '#server/documents/renderer.ts'
import { documentRoutes } from '#server/documents/routes.ts'
import { silentLog } from '#server/log.ts'
import { CHECK_REQUEST } from '#server/nutzer.ts'
import { noteRefusal } from '#server/refusals.ts'
import { guardRoutes } from '#server/route-caller.ts'
import { claimsOf, type IdentityName } from './world.ts'

const [, , place = ''] = process.argv
const database = place.startsWith('postgres')
  ? createPostgresDatabase({ url: place, poolSize: 8, log: silentLog })
  : await openTestDatabase({ folder: place, loginRole: 'forst_api' })
const authenticate = (header: string | undefined): Caller => {
  const claims = claimsOf((header ?? '').replace('Bearer ', '') as IdentityName) as Claims
  return { claims, claimsJson: JSON.stringify(claims), person: String(claims.sub) }
}
const dataApi = createDataApi({
  database,
  schemas: ['app'],
  base: '/rest',
  role: 'nutzer',
  preRequest: CHECK_REQUEST,
  noteRefusal,
  authenticate,
  log: silentLog,
})
await dataApi.ready()
const app = fastify()
guardRoutes(app, authenticate)
await app.register(dataApiPlugin, { dataApi })
await app.register(
  documentRoutes({ database, fileStore: createStore(database, createRenderer()), log: silentLog }),
  {
    prefix: '/prod-api',
  },
)
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
