// The process under load: the data API on one of the engines (or mounted in Fastify), or in mode `fixed`
// node:http with a constant 4 kB.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createDataApi, type DataApi } from '#server/data-api/data-api.ts'
import { dataApiPlugin } from '#server/data-api/fastify-plugin.ts'
import type { Database } from '#server/database/database.ts'
import { createPostgresDatabase } from '#server/database/postgres.ts'
import { silentLog } from '#server/log.ts'
import { CLAIMS, SCENE_SQL, TOKEN } from './scene.ts'

const [mode = '', place = ''] = process.argv.slice(2)

async function openDatabase(): Promise<Database> {
  if (mode !== 'embedded') return createPostgresDatabase({ url: place, log: silentLog })
  const { createEmbeddedDatabase } = await import('#server/database/embedded.ts')
  const database = await createEmbeddedDatabase({ folder: place, log: silentLog, loginRole: 'bench_login' })
  if (database.fresh) await database.asOwner((owner) => owner.script(SCENE_SQL))
  return database
}

/** What identity does for a token it has seen before: find it by its bytes and check its expiry each time. */
function cachedCallers() {
  const seen = new Map([[`Bearer ${TOKEN}`, { claimsJson: CLAIMS, exp: 4102444800 }]])
  return (authorization: string | undefined) => {
    const caller = seen.get(authorization ?? '')
    if (caller === undefined || caller.exp * 1000 < Date.now()) throw new Error('no such token')
    return caller
  }
}

function fixedListener(): RequestListener {
  const body = JSON.stringify(Array.from({ length: 25 }, (_, i) => ({ id: i, text: 'x'.repeat(138) })))
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
  return (_request, response) => void response.writeHead(200, headers).end(body)
}

async function openApi(): Promise<DataApi> {
  const database = await openDatabase()
  const authenticate = cachedCallers()
  const api = createDataApi({
    database,
    schemas: ['bench'],
    base: '/rest',
    role: 'bench_web',
    authenticate,
    log: silentLog,
  })
  await api.ready()
  return api
}

/** Returns the port. */
async function listen(): Promise<number> {
  if (mode === 'fastify') {
    const { default: fastify } = await import('fastify')
    const app = fastify()
    await app.register(dataApiPlugin, { dataApi: await openApi() })
    return Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  }
  const api = mode === 'fixed' ? null : await openApi()
  const server = createServer(
    api === null ? fixedListener() : (request, response) => void api.handle(request, response),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

process.send?.({ port: await listen() })

process.on('message', (order: { end?: boolean }) => {
  // A regular exit writes the compile cache.
  if (order.end === true) process.exit(0)
  process.send?.({ rss: process.memoryUsage.rss(), cpu: process.cpuUsage() })
})
