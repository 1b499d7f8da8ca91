import fastify from 'fastify'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPostgresDatabase } from '#server/database/postgres.ts'
import { silentLog } from '#server/log.ts'
import { createTestDatabase, postgresUrl, type TestDatabase } from '../../test/postgres.ts'
import { authenticate, type Call, callPort, FIXTURE_SQL } from './data-api.fixture.ts'
import { createDataApi } from './data-api.ts'
import { dataApiPlugin } from './fastify-plugin.ts'

describe.skipIf(postgresUrl() === null)('mounted in Fastify', () => {
  let home: TestDatabase
  const app = fastify()
  let database: ReturnType<typeof createPostgresDatabase>
  let port = 0
  beforeAll(async () => {
    home = await createTestDatabase()
    const admin = new pg.Client({ connectionString: home.url })
    await admin.connect()
    await admin.query(FIXTURE_SQL)
    await admin.end()
    const url = new URL(home.url)
    url.username = 'shop_login'
    database = createPostgresDatabase({ url: url.toString(), log: silentLog })
    const dataApi = createDataApi({
      database,
      schemas: ['shop'],
      base: '/rest',
      role: 'shop_web',
      authenticate,
      log: silentLog,
    })
    await app.register(dataApiPlugin, { dataApi })
    app.post('/other', async (request) => ({ got: request.body }))
    await app.listen({ host: '127.0.0.1', port: 0 })
    port = (app.server.address() as { port: number }).port
  })
  afterAll(async () => {
    await app.close()
    await database.close()
    await home.drop()
  })
  const call = (path: string, options?: Call) => callPort(port, path, options)

  test('reads and writes below the base', async () => {
    expect((await call('/rest/album?select=id&id=eq.1')).json).toEqual([{ id: 1 }])
    const made = await call('/rest/genre', {
      method: 'POST',
      body: { id: 9, name: 'jazz' },
      headers: { Prefer: 'return=representation' },
    })
    expect([made.status, made.json]).toEqual([201, [{ id: 9, name: 'jazz' }]])
    expect((await call('/rest/album', { method: 'HEAD' })).status).toBe(200)
    expect((await call('/rest/rpc/add', { method: 'POST', body: { a: 1 } })).json).toBe(11)
  })

  test('bodies are judged here and not by Fastify', async () => {
    const broken = await call('/rest/genre', {
      method: 'POST',
      body: '{',
      headers: { 'Content-Type': 'application/json' },
    })
    expect([broken.status, (broken.json as { code: string }).code]).toEqual([400, 'PGRST102'])
    const form = await call('/rest/genre', {
      method: 'POST',
      body: 'a=b',
      headers: { 'Content-Type': 'text/plain' },
    })
    expect([form.status, (form.json as { code: string }).code]).toEqual([400, 'PGRST102'])
    const large = await call('/rest/genre', { method: 'POST', body: { id: 1, name: 'x'.repeat(1_100_000) } })
    expect([large.status, (large.json as { code: string }).code]).toEqual([413, 'HTTP413'])
  })

  test('other routes stay as they are', async () => {
    expect((await call('/other', { method: 'POST', body: { a: 1 } })).json).toEqual({ got: { a: 1 } })
    expect((await call('/restaurant')).status).toBe(404)
    expect((await call('/rest')).json).toMatchObject({ swagger: '2.0', basePath: '/rest' })
  })
})
