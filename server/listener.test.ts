import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { listen } from './listener.ts'

const addressOf = (server: { address(): unknown }): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const open = () => listen({ host: '127.0.0.1', port: 0 })

test('before the application is there: alive, but not ready', async () => {
  const listener = await open()
  const address = addressOf(listener.server)
  expect((await fetch(`${address}/livez`)).status).toBe(200)
  const health = await fetch(`${address}/healthz`)
  expect([health.status, await health.json(), health.headers.get('retry-after')]).toEqual([
    503,
    { status: 'starting' },
    '1',
  ])
  const early = await fetch(`${address}/rest/kunde`)
  expect([early.status, await early.json()]).toEqual([
    503,
    { code: 'HTTP503', details: null, hint: null, message: 'The server is starting' },
  ])
  listener.serve((_request, response) => response.end('application'))
  expect(await (await fetch(`${address}/rest/kunde`)).text()).toBe('application')
  await listener.stop(1000)
})
test('a request under way is answered before the end, a new one is not taken', async () => {
  const listener = await open()
  const address = addressOf(listener.server)
  const arrived = new Promise<() => void>((resolve) => {
    listener.serve((_request, response) => resolve(() => response.end('done')))
  })
  const underWay = fetch(address)
  const answer = await arrived
  const stopped = listener.stop(5000)
  await expect(fetch(address)).rejects.toThrow('fetch failed')
  const answered = performance.now()
  answer()
  expect(await (await underWay).text()).toBe('done')
  await stopped
  expect(performance.now() - answered, 'the end does not wait for the time given').toBeLessThan(2000)
})
test('a request that never ends is cut off after the time given', async () => {
  const listener = await open()
  const arrived = new Promise<void>((resolve) => listener.serve(() => resolve()))
  const underWay = fetch(addressOf(listener.server))
  await arrived
  const started = performance.now()
  await Promise.all([listener.stop(200), expect(underWay).rejects.toThrow('fetch failed')])
  expect(performance.now() - started).toBeLessThan(2000)
})
test('a port in use is told in one sentence', async () => {
  const listener = await open()
  const { port } = listener.server.address() as AddressInfo
  await expect(listen({ host: '127.0.0.1', port })).rejects.toThrow(
    `Port ${port} ist belegt. Läuft Forstkontor schon?`,
  )
  await listener.stop(100)
})
test('an address of another machine is told in one sentence', () =>
  expect(listen({ host: '203.0.113.7', port: 0 })).rejects.toThrow(
    'HOST=203.0.113.7 gehört nicht zu diesem Rechner',
  ))
