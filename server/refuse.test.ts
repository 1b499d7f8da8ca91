// A file that cannot be read after all is refused like anything else: in the API's own form, and with nothing that was
// said of the file.
import { createReadStream } from 'node:fs'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendMadeFile } from './geodata/import-routes.ts'
import { refuseAt } from './refuse.ts'

const BASES = { DATA_API_BASE: '/rest', GENERAL_API_BASE: '/prod-api' }
const OF_A_FILE = [
  'accept-ranges',
  'content-disposition',
  'content-encoding',
  'content-range',
  'etag',
  'last-modified',
  'repr-digest',
]

let app: FastifyInstance
beforeAll(async () => {
  app = fastify()
  app.setErrorHandler((error, request, reply) => refuseAt(request.url, BASES)(reply, error))
  app.get('/prod-api/export', (_request, reply) =>
    sendMadeFile(
      reply,
      { open: () => createReadStream('/nowhere/at/all') },
      {
        filePath: '/nowhere/at/all',
        groesse: 4_000,
        type: 'text/csv; charset=utf-8',
        disposition: 'attachment; filename="a.csv"',
        sha256: '00',
      },
    ),
  )
  app.get('/*', (_request, reply) =>
    reply
      .headers({
        ...Object.fromEntries(OF_A_FILE.map((name) => [name, 'x'])),
        'content-encoding': 'gzip',
        'content-type': 'image/webp',
        'content-length': 4_000,
      })
      .send(createReadStream('/nowhere/at/all')),
  )
  await app.ready()
})
afterAll(() => app.close())

test.each([
  ['/prod-api/export', 'application/json', { code: 50_000, error: 'internal', data: null }],
  ['/prod-api/photo', 'application/json', { code: 50_000, error: 'internal', data: null }],
  ['/rest/table', 'application/json', { code: 'HTTP500', hint: null }],
  ['/ogc/tile', 'application/problem+json', { status: 500, code: 'internal' }],
  ['/odata/set', 'application/json', { error: { code: 'internal' } }],
  ['/tabelle/kunde.csv', 'application/json', { code: 'internal' }],
  ['/elsewhere', 'application/json', { code: 'internal' }],
])('%s', async (url, type, said) => {
  const answer = await app.inject({ url })
  expect(answer.statusCode).toBe(500)
  expect(answer.headers['content-type']).toContain(type)
  expect(answer.json()).toMatchObject(said)
  expect(Number(answer.headers['content-length'])).toBe(answer.rawPayload.length)
  expect(OF_A_FILE.filter((name) => name in answer.headers)).toEqual([])
  expect(answer.headers['cache-control']).toBe('no-store')
})
