// Who may read the figures, and that nothing of them is loaded where nobody asked for them.
import { spawnSync } from 'node:child_process'
import { request } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ConfigFault, type Environment, readConfig } from '../config.ts'
import { openExporter } from './exporter.ts'

const ROOT = join(import.meta.dirname, '../..')
const KEY = 'k'.repeat(24)
const servers: Server[] = []
afterEach(() => servers.splice(0).forEach((server) => server.close()))

let readings = 0
async function open(key?: string): Promise<number> {
  readings = 0
  const read = async () => {
    readings++
    await new Promise((resolve) => setTimeout(resolve, 50))
    return { type: 'text/plain', text: 'a 1\n' }
  }
  const server = await openExporter({ host: '127.0.0.1', port: 0, key, read })
  servers.push(server)
  return (server.address() as AddressInfo).port
}

const ask = (port: number, headers: Record<string, string> = {}, path = '/metrics', method = 'GET') =>
  new Promise<number>((resolve, reject) => {
    const sent = request({ port, path, method, headers: { host: 'localhost', ...headers } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    sent.once('error', reject)
    sent.end()
  })

test('without a key it answers to the names of this machine alone', async () => {
  const port = await open()
  expect(await ask(port)).toBe(200)
  expect(await ask(port, { host: '127.0.0.1:9100' })).toBe(200)
  expect(await ask(port, { host: 'forst.example' })).toBe(403)
  expect(await ask(port, { host: 'localhost.forst.example' })).toBe(403)
})
test('with a key it answers to nobody without it', async () => {
  const port = await open(KEY)
  expect(await ask(port)).toBe(401)
  expect(await ask(port, { authorization: `Bearer ${KEY}x` })).toBe(401)
  expect(await ask(port, { authorization: KEY })).toBe(401)
  expect(await ask(port, { authorization: `Bearer ${KEY}`, host: 'forst.example' })).toBe(200)
})
test('there is nothing else, and nothing can be sent', async () => {
  const port = await open()
  expect(await ask(port, {}, '/')).toBe(404)
  expect(await ask(port, {}, '/metrics/..')).toBe(404)
  expect(await ask(port, {}, '/metrics', 'POST')).toBe(405)
})
test('a hundred readers at once cost one reading', async () => {
  const port = await open()
  const all = await Promise.all(Array.from({ length: 30 }, () => ask(port)))
  expect(new Set(all)).toEqual(new Set([200]))
  expect(readings).toBe(1)
})
test('a port that is taken is said in a sentence', async () => {
  const port = await open()
  const read = () => Promise.resolve({ type: '', text: '' })
  await expect(openExporter({ host: '127.0.0.1', port, key: undefined, read })).rejects.toThrow(
    `METRICS_PORT ist belegt: Port ${port}. Bitte einen anderen wählen`,
  )
})

const faultsOf = (env: Environment): readonly string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigFault) return error.faults
    throw error
  }
}
test.each<[Environment, RegExp | null]>([
  [{ METRICS_PORT: '9464' }, null],
  [{ METRICS_PORT: '9464', METRICS_HOST: '::1' }, null],
  [{ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' }, /^METRICS_KEY fehlt: /],
  [{ METRICS_PORT: '9464', METRICS_HOST: '::' }, /^METRICS_KEY fehlt: /],
  [{ METRICS_PORT: '9464', METRICS_HOST: '127.evil.example' }, /^METRICS_KEY fehlt: /],
  [{ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0', METRICS_KEY: KEY }, null],
  [{ METRICS_PORT: '9464', METRICS_KEY: 'kurz' }, /^METRICS_KEY muss aus 24 bis 200 Zeichen/],
  [{ METRICS_PORT: '3000' }, /^METRICS_PORT muss ein anderer Port sein als PORT/],
  [{ METRICS_KEY: KEY }, /^METRICS_PORT fehlt/],
])('%o', (env, fault) => {
  const faults = faultsOf(env)
  if (fault === null) expect(faults).toEqual([])
  else expect(faults).toEqual([expect.stringMatching(fault)])
  // A key is a secret, even a wrong one.
  expect(faults.join()).not.toContain('kurz')
})

test('a server without METRICS_PORT and OTEL_… loads neither library', () => {
  const program = `
    import { createRequire } from 'node:module'
    import './server/start.ts'
    const loaded = Object.keys(createRequire(import.meta.url).cache)
    console.log(JSON.stringify([loaded.some((file) => /node_modules.fastify/.test(file)),
      loaded.filter((file) => /prom-client|@opentelemetry/.test(file))]))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual([true, []])
}, 60_000)
