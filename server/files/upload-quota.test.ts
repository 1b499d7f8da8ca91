import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Caller } from '../caller.ts'
import { type Log, silentLog } from '../log.ts'
import { guardRoutes } from '../route-caller.ts'
import type { Store } from './store.ts'
import { resumableUpload } from './upload.ts'
import { announcedIn, roomFor } from './upload-quota.ts'

const MB = 2 ** 20
const CALLER: Caller = {
  claims: { iss: 'iss', sub: 'sub', exp: 0, iat: 0, groups: [], role: 'nutzer' },
  claimsJson: '{}',
  person: 'iss sub',
}
let errors: string[]
const log: Log = { ...silentLog, error: (message) => void errors.push(message) }
let folder: string
let app: FastifyInstance
let free: number
let moment: Date

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quota-'))
  free = 100_000 * MB
  errors = []
  moment = new Date()
  app = fastify()
  guardRoutes(app, () => CALLER)
  const upload = resumableUpload({
    route: '/ort/:wer',
    prefix: '',
    folder,
    maxBytes: 100 * MB,
    quota: { uploads: 3, bytes: 200 * MB },
    tooLarge: { hint: 'upload_gross', message: 'Zu groß.' },
    longestName: 50,
    fileStore: { frei: () => Promise.resolve(free) } as Store,
    log,
    now: () => moment,
    allowed: (_caller, asked) => {
      const { wer } = asked.params as { wer: string }
      return Promise.resolve({ name: `7-${wer}`, path: `/ort/${wer}` })
    },
    taken: () => Promise.resolve(null),
    takeUp: (_place, file) => Promise.resolve({ groesse: file.groesse, headers: {} }),
    refusalOf: () => null,
  })
  await upload.install(app)
  await app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  await app.close()
  // The library makes sure of its folder in the background, and throws for nobody to catch if that goes meanwhile.
  await vi.waitUntil(() => !process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq')))
  rmSync(folder, { recursive: true, force: true })
})

interface Answer {
  readonly status: number
  readonly body: string
  readonly location: string
}
const send = (method: string, path: string, headers: Record<string, string>, body = ''): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { port } = app.server.address() as AddressInfo
    const sent = request(
      { port, method, path, headers: { 'tus-resumable': '1.0.0', ...headers } },
      (answer) => {
        let text = ''
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, body: text, location: answer.headers.location ?? '' }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
const announce = (who: number, size: number): Promise<Answer> =>
  send('POST', `/ort/${who}`, {
    'upload-length': String(size),
    'upload-metadata': `filename ${Buffer.from('a.tif').toString('base64')}`,
  })

describe('uploads that were announced', () => {
  test('a person may have so many, and others theirs', async () => {
    for (let i = 0; i < 3; i++) expect((await announce(1, MB)).status).toBe(201)
    const refused = await announce(1, MB)
    expect(refused.status).toBe(429)
    expect(JSON.parse(refused.body)).toMatchObject({
      code: 42_900,
      error: 'too_many_requests',
      hint: 'upload_offen',
    })
    expect(JSON.parse(refused.body)).toHaveProperty(
      'message',
      expect.stringContaining('Sie haben schon 3 Uploads begonnen'),
    )
    expect((await announce(2, MB)).status).toBe(201)
  })
  test('what twenty ask for at once is counted as well', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => announce(1, MB)))
    expect(all.filter(({ status }) => status === 201)).toHaveLength(3)
  })
  test('their sizes count together', async () => {
    expect((await announce(1, 90 * MB)).status).toBe(201)
    expect((await announce(1, 90 * MB)).status).toBe(201)
    expect((await announce(1, 30 * MB)).status).toBe(429)
    expect((await announce(1, 20 * MB)).status).toBe(201)
  })
  test('what is finished or taken back counts no more', async () => {
    const [first, second] = [await announce(1, 3), await announce(1, MB), await announce(1, MB)]
    expect((await announce(1, MB)).status).toBe(429)
    const sent = await send(
      'PATCH',
      first.location,
      { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      'abc',
    )
    expect(sent.status).toBe(204)
    expect((await announce(1, MB)).status).toBe(201)
    expect((await announce(1, MB)).status).toBe(429)
    expect((await send('DELETE', second.location, {})).status).toBe(204)
    expect((await announce(1, MB)).status).toBe(201)
  })
  test('what has been still for an hour makes room for the next, what is coming does not', async () => {
    const [first] = [await announce(1, MB), await announce(1, MB), await announce(1, MB)]
    const left = join(folder, first.location.split('/').at(-1)!)
    const before = new Date(moment.getTime() - 2 * 60 * 60_000)
    utimesSync(left, before, before)
    expect((await announce(1, MB)).status).toBe(201)
    expect((await announce(1, MB)).status).toBe(429)
    expect((await send('HEAD', first.location, {})).status).toBe(404)
  })
  test('what was announced and has not come is no free space', async () => {
    free = 64 * MB + 150 * MB
    expect((await announce(1, 90 * MB)).status).toBe(201)
    const refused = await announce(2, 90 * MB)
    expect(refused.status).toBe(507)
    expect(JSON.parse(refused.body)).toMatchObject({ error: 'storage_full' })
    expect((await announce(2, 50 * MB)).status).toBe(201)
  })
  test('what expired counts no more, and a file that is none of ours harms nobody', async () => {
    for (let i = 0; i < 3; i++) await announce(1, MB)
    writeFileSync(join(folder, 'x.json'), 'no JSON')
    expect(await announcedIn(folder, new Date(moment.getTime() - 1_000_000))).toHaveLength(3)
    expect(await announcedIn(folder, new Date(moment.getTime() + 1_000_000))).toEqual([])
    expect(
      roomFor({ person: '1', size: 1, free: 10 ** 12, now: moment }, [], { uploads: 1, bytes: 10 }),
    ).toEqual({ drop: [] })
  })
})

test.each([
  [{ 'upload-length': '9', 'upload-concat': 'partial' }],
  [{ 'upload-concat': 'final;/ort/1/a /ort/1/b' }],
  [{ 'upload-defer-length': '1' }],
])('a part of the protocol that is not offered is the mistake of who asks for it: %o', async (asked) => {
  const filename = Buffer.from('a.tif').toString('base64')
  const refused = await send('POST', '/ort/1', { ...asked, 'upload-metadata': `filename ${filename}` })
  expect(refused.status).toBe(400)
  expect(JSON.parse(refused.body)).toMatchObject({ code: 40_000, error: 'bad_value' })
  expect(errors).toEqual([])
})
