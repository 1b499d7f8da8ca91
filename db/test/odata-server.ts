// A server with the data API, OData and keys for programs, for the people of the test's world.
import fastify, { type FastifyInstance } from 'fastify'
import { createDataApi } from '#server/data-api/data-api.ts'
import { dataApiPlugin } from '#server/data-api/fastify-plugin.ts'
import type { Limits } from '#server/data-api/limits.ts'
import { silentLog } from '#server/log.ts'
import { CHECK_REQUEST } from '#server/nutzer.ts'
import { createOdataRoom } from '#server/odata/routes.ts'
import { createTableRoom } from '#server/odata/table-routes.ts'
import { digestOf, makeKey } from '#server/program-keys/key-format.ts'
import { LISTS_FILE } from '#server/prepare.ts'
import { createProgramKeys } from '#server/program-keys/program-keys.ts'
import { ODATA_BASE, TABLE_BASE } from '#contract/program-lists.ts'
import { refuseAt } from '#server/refuse.ts'
import { guardRoutes } from '#server/route-caller.ts'
import { insertKey } from './cells/zugang.ts'
import type { Engine } from './engines.ts'
import { authenticateByName } from './refusing-server.ts'
import { IDENTITIES, type IdentityName, numberOf } from './world.ts'

const BASES = { DATA_API_BASE: '/rest', GENERAL_API_BASE: '/prod-api' }
const READ_MS = 20_000

export interface OdataServer {
  readonly app: FastifyInstance
  /** A new key of this person, narrowed; the text that goes into Authorization. */
  newKey(name: IdentityName, narrowing?: Narrowing): Promise<string>
}
type Narrowing = Omit<Parameters<typeof insertKey>[0], 'user_id' | 'id' | 'groups'>

export async function openOdata(
  { api, owner }: Engine,
  { origin, limits = {}, mostRows }: { origin: string; limits?: Partial<Limits>; mostRows?: number },
): Promise<OdataServer> {
  const now = () => new Date()
  const tokens = authenticateByName
  const keys = createProgramKeys({ database: api, tokens, now, log: silentLog, failuresPerMinute: 1000 })
  const dataApi = createDataApi({
    database: api,
    schemas: ['app'],
    base: '/rest',
    role: 'nutzer',
    otherRoles: ['programm'],
    authenticate: keys.authenticate,
    preRequest: CHECK_REQUEST,
    limits: { readMs: READ_MS, ...limits },
    log: silentLog,
  })
  const app = fastify({ routerOptions: { maxParamLength: 500 } })
  app.setErrorHandler((error, request, reply) => refuseAt(request.url, BASES)(reply, error))
  guardRoutes(app, keys.authenticate)
  keys.guard(app)
  const shared = {
    database: api,
    dataApi,
    origin,
    maxRows: limits.maxRows ?? 10_000,
    readMs: READ_MS,
    listsFile: LISTS_FILE,
    ...(mostRows !== undefined && { mostRows }),
  }
  await app.register(createOdataRoom(shared).routes!, { prefix: ODATA_BASE })
  await app.register(createTableRoom(shared).routes!, { prefix: TABLE_BASE })
  await app.register((scope) => dataApiPlugin(scope, { dataApi }))
  await app.ready()
  let next = 30_000
  const newKey = async (name: IdentityName, narrowing: Narrowing = {}): Promise<string> => {
    const id = ++next
    const key = makeKey()
    const { groups } = IDENTITIES[name as keyof typeof IDENTITIES]
    await owner.script(
      `begin; set local role forst_betrieb; ${insertKey({ user_id: numberOf(name), id, groups, ...narrowing })}
       update accounts.zugang set digest = decode('${digestOf(key)}', 'hex') where id = ${id}; commit`,
    )
    return `Bearer ${key}`
  }
  return { app, newKey }
}
