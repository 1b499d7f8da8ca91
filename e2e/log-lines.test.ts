// Every line that a server writes, from its start over requests, faults, jobs and hostile files to its end, is one
// JSON object, and a request's lines name the X-Request-Id of its answer.
import { afterEach, expect, test } from 'vitest'
import { parseOpenMetrics } from '../test/open-metrics.ts'
import { freePort } from '../test/private-postgres.ts'
import { failingStart, type RunningApp, startApp } from './app.ts'
import { demoPassword } from './browser.ts'
import { folderMaker } from './folders.ts'
import { tokensOf } from './http-sign-in.ts'

const folder = folderMaker()
let app: RunningApp | undefined
afterEach(() => app?.kill())

interface Entry {
  readonly time: string
  readonly level: string
  readonly message: string
  readonly request?: string
  readonly trace?: string
  readonly job?: string
  readonly round?: string
  readonly [fact: string]: unknown
}

/** @throws where a line is no JSON object with time, level and message */
const entriesOf = (output: string): Entry[] =>
  output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const entry = JSON.parse(line) as Entry
      expect(entry.message, line).toBeTypeOf('string')
      expect(['info', 'warn', 'error']).toContain(entry.level)
      expect(new Date(entry.time).toISOString()).toBe(entry.time)
      return entry
    })

test('a run with faults: every line is JSON, and names its request or job', async () => {
  app = await startApp({ dataDir: folder() })
  const password = demoPassword(app)
  const metricsPort = await freePort()
  app = await app.restart({ LOG_FORMAT: 'json', LOG_REQUESTS: 'on', METRICS_PORT: String(metricsPort) })
  const { origin } = app
  const trace = '0af7651916cd43dd8448eb211c80319c'
  const traceparent = `00-${trace}-b7ad6b7169203331-01`
  const ids: string[] = []
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(origin + path, init)
    await answer.arrayBuffer()
    const id = answer.headers.get('x-request-id')
    if (id !== null) ids.push(id)
    return answer.status
  }
  expect(await ask('/livez', { headers: { traceparent } })).toBe(200)
  expect(await ask('/rest/kunde')).toBe(401)
  expect(await ask('/rest/%00%ff')).toBeGreaterThanOrEqual(400)
  expect(await ask('/prod-api/nirgends?token=geheim-4711')).toBeGreaterThanOrEqual(400)
  const { access_token: token } = await tokensOf(app, 'ogf_admin', password)
  const authorization = `Bearer ${token}`
  expect(await ask('/rest/kunde?limit=1', { headers: { authorization } })).toBe(200)
  expect(await ask('/rest/kunde?gibtesnicht=eq.1', { headers: { authorization } })).toBe(400)
  // Of the embedded engine; those of PostgreSQL are looked at in server/metrics.
  const figures = parseOpenMetrics(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text())
  const engine = figures
    .filter(({ name }) => name.startsWith('forstkontor_engine_'))
    .flatMap(({ series }) => series)
  expect(engine).toEqual([
    { name: 'forstkontor_engine_memory_bytes', labels: { engine: 'embedded' }, value: expect.any(Number) },
    { name: 'forstkontor_engine_starts_total', labels: { how: 'orderly' }, value: 1 },
    { name: 'forstkontor_engine_starts_total', labels: { how: 'recovered' }, value: 0 },
  ])
  expect(engine[0]?.value).toBeGreaterThan(1e8)
  expect(ids).toHaveLength(6)
  expect(new Set(ids).size).toBe(6)
  const { output, stop } = app
  const known = () => entriesOf(output())
  await expect.poll(() => ids.every((id) => known().some(({ request }) => request === id))).toBe(true)
  expect(await stop()).toBe(0)
  const entries = known()
  expect(entries.find(({ message }) => message === 'ready')).toMatchObject({ level: 'info', origin })
  const [first] = ids
  expect(entries.filter(({ request }) => request === first)).toEqual([
    expect.objectContaining({ message: 'request', route: '/livez', status: 200, trace }),
  ])
  expect(output()).not.toMatch(/geheim-4711|eyJ[\w-]{10}|Passwort|setup-link/)
}, 180_000)

test('a job that fails names itself and its round', async () => {
  app = await startApp({
    env: {
      LOG_FORMAT: 'json',
      EINGANG_IMAP_URL: 'imap://nobody:secret-77@127.0.0.1:9',
      EINGANG_IMAP_EVERY_S: '10',
    },
  })
  const failed = () => entriesOf(app!.output()).find(({ message }) => message === 'mailbox not seen')
  await expect.poll(failed, { timeout: 60_000 }).toBeDefined()
  const entry = failed()
  expect(entry).toMatchObject({ level: 'error', job: expect.any(String) })
  expect(entry?.round).toMatch(/^[0-9a-f-]{36}$/)
  expect(app.output()).not.toContain('secret-77')
}, 180_000)

test('a start that fails says why in one JSON line, with exit code 1', async () => {
  const { code, output } = await failingStart({
    dataDir: folder(),
    env: { LOG_FORMAT: 'json', PORT: 'achtzig', METRICS_PORT: '0' },
  })
  expect(code).toBe(1)
  const [entry, ...more] = entriesOf(output)
  expect(more).toEqual([])
  expect(entry).toMatchObject({ level: 'error', message: 'start failed' })
  expect(entry?.['reason']).toMatch(/PORT muss eine ganze Zahl[\s\S]*METRICS_PORT muss/)
})

test('LOG_LEVEL leaves out what is less important, and text is for people', async () => {
  app = await startApp({ dataDir: folder(), env: { LOG_FORMAT: 'text', LOG_REQUESTS: 'on' } })
  expect((await fetch(`${app.origin}/livez`)).status).toBe(200)
  await expect
    .poll(() => app!.output())
    .toMatch(/^\d\d:\d\d:\d\d {3}request method=GET route=\/livez status=200/m)
  expect(app.output()).toContain('Probebetrieb mit Beispieldaten')
  app = await app.restart({ LOG_FORMAT: 'json', LOG_LEVEL: 'error', LOG_REQUESTS: 'on' })
  expect((await fetch(`${app.origin}/livez`)).status).toBe(200)
  await app.stop()
  expect(app.output()).toBe('')
}, 180_000)
