// deploy/nginx and deploy/caddy, each in front of a server that tells what arrived: what they pass on, add and leave
// alone. A whole server behind them: e2e/proxy.test.ts.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { connect as connectH2 } from 'node:http2'
import { request as sendRequest, type RequestOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDroppingPort } from './dropping-port.ts'
import { freePort } from './private-postgres.ts'
import { type CachingProxy, findProxy, type ProxyName, type RunningProxy, startProxy } from './proxies.ts'

const HEADERS = {
  'content-security-policy': "default-src 'none'",
  'x-frame-options': 'DENY',
  'x-request-id': 'id-1',
}
const LARGE = Buffer.alloc(8 * 2 ** 20, 'Wald')

describe.each<ProxyName>(['nginx', 'caddy'])('%s', (name) => {
  describe.skipIf(findProxy(name) === undefined)('in front of a server', () => {
    let upstream: Server
    let proxy: RunningProxy
    /** What the server has seen of bodies so far. */
    let received = 0
    let letGo: () => void = () => undefined
    beforeAll(async () => {
      upstream = createServer((request, response) => {
        for (const [header, value] of Object.entries(HEADERS)) response.setHeader(header, value)
        const path = request.url?.split('?')[0]
        if (path === '/packed')
          response
            .writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' })
            .end(gzipSync(LARGE))
        else if (path === '/large') response.writeHead(200, { 'content-type': 'text/plain' }).end(LARGE)
        else if (path === '/stream') {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
          letGo = () => response.end('data: 2\n\n')
        } else if (path === '/broken') {
          response.writeHead(200, { 'content-length': '100' }).write('a')
          setTimeout(() => response.destroy(), 50)
        } else if (path === '/upload') {
          received = 0
          request.on('data', (part: Buffer) => (received += part.length))
          request.on('end', () => response.end(String(received)))
        } else response.end(JSON.stringify({ url: request.url, headers: request.headers }))
      }).listen(0, '127.0.0.1')
      await once(upstream, 'listening')
      proxy = await startProxy(name, (upstream.address() as AddressInfo).port)
    })
    afterAll(async () => {
      await proxy?.stop()
      upstream.closeAllConnections()
      upstream.close()
    })

    const options = (path: string, more: RequestOptions = {}): RequestOptions => ({
      host: '127.0.0.1',
      port: proxy.port,
      servername: 'localhost',
      ca: proxy.ca,
      path,
      agent: false,
      ...more,
      headers: { host: `localhost:${proxy.port}`, ...more.headers },
    })
    const open = (path: string, more?: RequestOptions) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        sendRequest(options(path, more), resolve).once('error', reject).end()
      })
    async function get(path: string, headers: Record<string, string> = {}) {
      const answer = await open(path, { headers })
      const parts: Buffer[] = []
      for await (const part of answer) parts.push(part as Buffer)
      return { answer, body: Buffer.concat(parts) }
    }

    test('tells the address of the client, whatever it says of itself', async () => {
      const { body } = await get('/a%2Fb/%C3%BC?select=*&x=1%2B1', {
        'x-forwarded-for': '9.9.9.9',
        'x-forwarded-proto': 'http',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        authorization: 'Bearer abc',
      })
      const { url, headers } = JSON.parse(String(body)) as { url: string; headers: Record<string, string> }
      expect(url).toBe('/a%2Fb/%C3%BC?select=*&x=1%2B1')
      expect(headers).toMatchObject({
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'https',
        host: `localhost:${proxy.port}`,
        authorization: 'Bearer abc',
      })
      expect(headers['traceparent'] ?? '').toBe('')
    })
    /** Sends twelve requests through one more proxy, with `changes` every second one a POST; their answers. */
    async function askThrough(
      servers: readonly number[],
      how: { changes: boolean; caching?: CachingProxy | undefined; afterMs?: number },
    ): Promise<(number | undefined)[]> {
      const other = await startProxy(name, servers, how.caching)
      const ask = (isChange: boolean) =>
        new Promise<number | undefined>((resolve, reject) => {
          const headers = { host: `localhost:${other.port}`, 'content-length': isChange ? '3' : '0' }
          const method = isChange ? 'POST' : 'GET'
          const sent = sendRequest(
            options('/upload', { port: other.port, ca: other.ca, method, headers }),
            (answer) => resolve(answer.resume().statusCode),
          )
          sent.once('error', reject).end(isChange ? 'abc' : '')
        })
      try {
        await new Promise((done) => setTimeout(done, how.afterMs ?? 0))
        const statuses: (number | undefined)[] = []
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        for (let nr = 0; nr < 12; nr++) statuses.push(await ask(how.changes && nr % 2 === 1))
        return statuses
      } finally {
        await other.stop()
      }
    }
    const ANSWERED = Array.from({ length: 12 }, () => 200)
    const portOf = (server: Server) => (server.address() as AddressInfo).port

    test('asks another server while one refuses connections, also for a change', async () => {
      expect(await askThrough([await freePort(), portOf(upstream)], { changes: true })).toEqual(ANSWERED)
    })
    // Caddy cannot send the body of a change to another server: it answers 502 until it has noticed.
    const ways =
      name === 'nginx'
        ? [
            { file: 'forstkontor.conf', changes: true },
            { file: 'forstkontor-cache.conf', changes: true, caching: { changes: {} } },
          ]
        : [
            { file: 'Caddyfile, at once', changes: false },
            { file: 'Caddyfile, noticed', changes: true, afterMs: 4_000 },
          ]
    test.each(ways)('$file: asks another server while the machine of one is off', async (how) => {
      const off = await openDroppingPort()
      try {
        expect(await askThrough([off.port, portOf(upstream)], how)).toEqual(ANSWERED)
      } finally {
        off.stop()
      }
    })
    /**
     * What two servers that take requests and answer none have taken of one change, and what its sender gets.
     */
    async function changeTaken(how: 'hang up' | 'be silent', caching?: CachingProxy) {
      const taken: string[] = []
      const silent = Array.from({ length: 2 }, () =>
        createServer((request, response) => {
          if (request.url === '/livez') return void response.end()
          taken.push(String(request.method))
          request.on('data', () => how === 'hang up' && request.socket.destroy())
        }).listen(0, '127.0.0.1'),
      )
      await Promise.all(silent.map((server) => once(server, 'listening')))
      const pair = await startProxy(name, silent.map(portOf), caching)
      try {
        const status = await new Promise((resolve, reject) => {
          const headers = { host: `localhost:${pair.port}`, 'content-length': '3' }
          const sent = sendRequest(
            options('/upload', { port: pair.port, ca: pair.ca, method: 'POST', headers }),
            (answer) => resolve(answer.resume().statusCode),
          )
          sent.once('error', reject).end('abc')
        })
        return { status, taken }
      } finally {
        await pair.stop()
        for (const server of silent) server.closeAllConnections()
        for (const server of silent) server.close()
      }
    }
    test('sends a change once when its server hangs up', async () => {
      expect(await changeTaken('hang up')).toEqual({ status: 502, taken: ['POST'] })
    })
    test.skipIf(name === 'caddy')('sends a change once when its server does not answer', async () => {
      const changes = { 'proxy_read_timeout 330s': 'proxy_read_timeout 1s' }
      expect(await changeTaken('be silent', { changes })).toEqual({ status: 504, taken: ['POST'] })
    })
    test('goes on at once after clients that went away in the middle of an upload', async () => {
      for (let nr = 0; nr < 3; nr++) {
        const cut = sendRequest(options('/upload', { method: 'POST', headers: { 'content-length': '1000' } }))
        cut.once('error', () => undefined).write('abc')
        await new Promise((done) => setTimeout(done, 150))
        cut.destroy()
      }
      await new Promise((done) => setTimeout(done, 150))
      const begun = performance.now()
      expect((await get('/at-once')).answer.statusCode).toBe(200)
      expect(performance.now() - begun).toBeLessThan(1_500)
    })
    test('passes addresses on that are as long as documented', async () => {
      const long = `/long?filter=${'x'.repeat(12_000)}`
      const { answer, body } = await get(long)
      expect(answer.statusCode).toBe(200)
      expect((JSON.parse(String(body)) as { url: string }).url.length).toBe(long.length)
    })
    test('adds no header of its own to ours, and no second compression', async () => {
      const { answer, body } = await get('/packed', { 'accept-encoding': 'gzip, br' })
      const names = answer.rawHeaders.filter((_, nr) => nr % 2 === 0).map((header) => header.toLowerCase())
      for (const header of [...Object.keys(HEADERS), 'content-encoding'])
        expect(
          names.filter((other) => other === header),
          header,
        ).toHaveLength(1)
      expect(body.equals(gzipSync(LARGE))).toBe(true)
      const plain = await get('/large', { 'accept-encoding': 'gzip, br' })
      expect(plain.answer.headers['content-encoding']).toBeUndefined()
      expect(plain.body.length).toBe(LARGE.length)
      expect(plain.answer.headers.server ?? '').not.toMatch(/\d/)
    })
    test('speaks HTTP/2', async () => {
      const session = connectH2(`https://127.0.0.1:${proxy.port}`, { ca: proxy.ca, servername: 'localhost' })
      const stream = session.request({ ':path': '/h2', ':authority': `localhost:${proxy.port}` })
      const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
      expect(headers[':status']).toBe(200)
      expect(session.alpnProtocol).toBe('h2')
      session.destroy()
    })
    test('passes on each piece of a stream at once', async () => {
      const answer = await open('/stream')
      const [first] = (await once(answer, 'data')) as [Buffer]
      expect(String(first)).toBe('data: 1\n\n')
      letGo()
      const [second] = (await once(answer, 'data')) as [Buffer]
      expect(String(second)).toBe('data: 2\n\n')
      answer.destroy()
    })
    test('passes on an upload while it arrives, of any size', async () => {
      const total = 64 * 2 ** 20
      const headers = { 'content-length': String(total) }
      const sent = sendRequest(options('/upload', { method: 'PATCH', headers }))
      sent.write(Buffer.alloc(2 ** 20))
      await expect.poll(() => received, { timeout: 10_000 }).toBe(2 ** 20)
      sent.end(Buffer.alloc(total - 2 ** 20))
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      expect(answer.statusCode).toBe(200)
      const [text] = (await once(answer, 'data')) as [Buffer]
      expect(String(text)).toBe(String(total))
    })
    test('its log has no query', async () => {
      await get('/rest/kunde?token=geheim-4711', { authorization: 'Bearer geheim-4712' })
      await expect.poll(() => proxy.log()).toContain('/rest/kunde')
      expect(proxy.log()).not.toMatch(/geheim/)
    })
    const files = name === 'nginx' ? ['forstkontor.conf', 'forstkontor-cache.conf'] : ['Caddyfile']
    test.each(files)('%s: no log has a query or a token when the server fails', async (file) => {
      const caching = file === 'forstkontor-cache.conf' ? { changes: {} } : undefined
      const secret = { authorization: 'Bearer geheim-4712', referer: 'https://localhost/?geheim-4713' }
      const broken = await startProxy(name, (upstream.address() as AddressInfo).port, caching)
      const alone = await startProxy(name, await freePort(), caching)
      const through = ({ port, ca }: RunningProxy, path: string, host = `localhost:${port}`) =>
        new Promise<number>((resolve) => {
          const sent = sendRequest(
            { ...options(path, { headers: { ...secret, host } }), port, ca },
            (answer) => {
              answer.resume()
              answer.once('error', () => undefined).once('close', () => resolve(answer.statusCode ?? 0))
            },
          )
          sent.once('error', () => resolve(0)).end()
        })
      // Caddy has asked `/livez` by itself.
      const away = name === 'caddy' ? 503 : 502
      try {
        expect(await through(broken, '/broken?token=geheim-4711')).toBe(200)
        expect(await through(alone, '/rest/kunde?token=geheim-4711')).toBe(away)
        expect(await through(alone, '/assets/a.js?token=geheim-4711')).toBe(away)
        // Not a name of this site: another log of Caddy's has it.
        expect(await through(alone, '/?token=geheim-4711', 'localhost:1')).toBe(away)
        if (name === 'nginx')
          await fetch(`http://127.0.0.1:${alone.plain}/rest/kunde?token=geheim-4711`, { redirect: 'manual' })
        await expect.poll(() => alone.log()).toContain('/assets/a.js')
        await expect.poll(() => broken.log()).toContain('/broken')
        const all = [alone, broken].map((one) => one.log() + one.said()).join('\n')
        expect(all.split('\n').filter((line) => line.includes('geheim'))).toEqual([])
      } finally {
        await Promise.all([alone.stop(), broken.stop()])
      }
    })
  })
})
