// Traces of a whole server, as a collector receives them.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startWatched, type WatchedServer } from '../../db/test/watched-server.ts'
import { type ReceivedSpan, type Receiver, receiveTraces } from '../../test/otlp-receiver.ts'
import { postgresUrl } from '../../test/postgres.ts'
import { createLog } from '../log.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const [PARENT, SERVER, CLIENT] = ['b7ad6b7169203331', 2, 3]

describe.skipIf(postgresUrl() === null)('traces of a running server', () => {
  let receiver: Receiver
  let server: WatchedServer
  let authorization: string
  const lines: string[] = []
  beforeAll(async () => {
    receiver = await receiveTraces()
    const log = createLog(
      (line) => lines.push(line),
      () => new Date(),
    )
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.endpoint}/v1/traces`,
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=probe%20amt,service.name=other',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=forst,authorization=Bearer%20abc',
      OTEL_SERVICE_NAME: 'forst-probe',
      LOG_REQUESTS: 'on',
    }
    server = await startWatched(inject('schemaUrl'), env, log)
    authorization = `Bearer ${await server.token('admin')}`
  })
  afterAll(async () => {
    await server?.stop()
    receiver?.close()
  })

  async function traced(path: string, headers: Record<string, string> = {}, init: RequestInit = {}) {
    const answer = await fetch(server.origin + path, { ...init, headers: { authorization, ...headers } })
    await answer.arrayBuffer()
    const request = answer.headers.get('x-request-id')
    const find = (): ReceivedSpan | undefined =>
      receiver.spans.find(({ attributes }) => attributes['forstkontor.request'] === request)
    await expect.poll(find, { timeout: 20_000 }).toBeDefined()
    return { span: find()!, status: answer.status, request }
  }
  const childrenOf = ({ id }: ReceivedSpan): ReceivedSpan[] =>
    receiver.spans.filter(({ parent }) => parent === id)
  /** A read that is narrowed first is a transaction of two statements, so that they are its grandchildren. */
  const below = (span: ReceivedSpan): ReceivedSpan[] =>
    childrenOf(span).flatMap((child) => [child, ...below(child)])

  test('a request continues the trace of its caller, and its statements are in it', async () => {
    const { span, request } = await traced('/rest/kunde?name=eq.Geheimrat&limit=1', {
      traceparent: `00-${TRACE}-${PARENT}-01`,
    })
    expect(span).toMatchObject({
      trace: TRACE,
      parent: PARENT,
      name: 'GET /rest/*',
      kind: SERVER,
      failed: false,
    })
    expect(span.attributes).toMatchObject({ 'http.route': '/rest/*', 'http.response.status_code': 200 })
    expect(span.resource).toMatchObject({
      'service.name': 'forst-probe',
      'deployment.environment.name': 'probe amt',
    })
    const statement = below(span).find(({ name }) => name === 'statement data-api')
    expect(statement).toMatchObject({ trace: TRACE, kind: CLIENT })
    expect(statement?.attributes).toMatchObject({
      'db.system.name': 'postgresql',
      'db.operation.name': 'data-api',
    })
    const line = lines.map((text) => JSON.parse(text)).find((entry) => entry.request === request)
    expect(line).toMatchObject({ message: 'request', trace: TRACE })
  })
  test('what the server asks of a service of its own continues the trace', () => {
    const [asked] = server.askedForKeys
    expect(asked?.['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    expect(asked?.['traceparent']).toContain(TRACE)
  })
  test('what a rule refuses is a failed statement without its message', async () => {
    const { span, status } = await traced(
      '/rest/gutschein',
      { 'content-type': 'application/json' },
      {
        method: 'POST',
        body: '{"rabatt_abo":-98765432101}',
      },
    )
    expect(status).toBeGreaterThanOrEqual(400)
    const failed = below(span).filter(({ failed: isFailed }) => isFailed)
    expect(failed.map(({ attributes }) => attributes['error.type'])).toContain('refused')
    expect(failed.map(({ message }) => message).join('')).toBe('')
  })
  test.each([
    'garbage',
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}`,
  ])('a traceparent that is none begins a trace of its own: %s', async (traceparent) => {
    const { span } = await traced('/livez', { traceparent })
    expect(span.parent).toBe('')
    expect(span.trace).toMatch(/^[0-9a-f]{32}$/)
    expect(span.trace).not.toBe(TRACE)
  })
  test('a caller that does not sample is not traced', async () => {
    const before = receiver.spans.length
    const answer = await fetch(`${server.origin}/livez`, {
      headers: { traceparent: `00-${TRACE}-${PARENT}-00` },
    })
    const request = answer.headers.get('x-request-id')
    await traced('/livez')
    expect(receiver.spans.length).toBeGreaterThan(before)
    expect(receiver.spans.filter(({ attributes }) => attributes['forstkontor.request'] === request)).toEqual(
      [],
    )
  })
  test('rounds of jobs are traces of their own, with their statements', async () => {
    const job = () => receiver.spans.find(({ name, parent }) => name.startsWith('job ') && parent === '')
    await expect.poll(job, { timeout: 45_000 }).toBeDefined()
    await expect.poll(() => receiver.spans.some(({ parent }) => parent === job()?.id)).toBe(true)
  })
  test('the collector gets our headers, and nothing of what people typed', async () => {
    expect(receiver.headers[0]).toMatchObject({ 'x-team': 'forst', authorization: 'Bearer abc' })
    expect(JSON.stringify(receiver.spans)).not.toMatch(/Geheimrat|98765432101|eyJ|@|select /)
    expect(receiver.text()).not.toMatch(/Geheimrat|rabatt_abo|eyJ/)
  })
})

describe.skipIf(postgresUrl() === null)('a collector that is away, and sampling', () => {
  test('requests do not notice it; the log says it once; the server ends in time', async () => {
    const lines: string[] = []
    const log = createLog(
      (line) => lines.push(line),
      () => new Date(),
    )
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', GRACE_S: '1' }
    const server = await startWatched(inject('schemaUrl'), env, log)
    for (let nr = 0; nr < 30; nr++) expect((await fetch(`${server.origin}/livez`)).status).toBe(200)
    const said = () => lines.filter((line) => line.includes('traces cannot be delivered')).length
    await expect.poll(said, { timeout: 30_000 }).toBe(1)
    const from = performance.now()
    await server.stop()
    expect(performance.now() - from).toBeLessThan(8_000)
    expect(said()).toBe(1)
  })
  test('always_off traces nothing', async () => {
    const receiver = await receiveTraces()
    const server = await startWatched(inject('schemaUrl'), {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      OTEL_TRACES_SAMPLER: 'always_off',
    })
    await fetch(`${server.origin}/livez`, { headers: { traceparent: `00-${TRACE}-${PARENT}-01` } })
    await server.stop()
    receiver.close()
    expect(receiver.spans).toEqual([])
  })
})
