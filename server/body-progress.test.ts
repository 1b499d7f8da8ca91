// Real sockets, real bytes: a request that makes progress may take as long as it likes, one
// that does not is cut off.
import { once } from 'node:events'
import type { IncomingMessage, RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { type Listener, listen } from './listener.ts'

/** The production limits, about ten times as fast. */
const FAST = { silentMs: 1_500, windowMs: 2_000, windowBytes: 4_000, lookMs: 50 }
let listener: Listener

afterEach(() => listener.stop(100))

const reads: RequestListener = (request, response) => {
  void bytesOf(request).then(
    (bytes) => response.end(`got ${bytes}`),
    () => undefined,
  )
}
async function bytesOf(request: IncomingMessage): Promise<number> {
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) bytes += chunk.length
  return bytes
}

async function open(
  application: RequestListener,
): Promise<Socket & { text(): string; ended: Promise<unknown> }> {
  listener = await listen({ host: '127.0.0.1', port: 0, progress: FAST })
  listener.serve(application)
  const socket = connect((listener.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  let said = ''
  socket.on('data', (chunk: Buffer) => (said += chunk.toString()))
  socket.on('error', () => undefined)
  return Object.assign(socket, { text: () => said, ended: once(socket, 'close') })
}
const head = (bytes: number): string => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`

describe('a request that takes long to arrive', () => {
  test('is taken as long as it gets on, longer than any limit of silence or window', async () => {
    const socket = await open(reads)
    const began = performance.now()
    socket.write(head(80_000))
    for (let i = 0; i < 20; i++) {
      socket.write(Buffer.alloc(4_000))
      await sleep(250)
    }
    await expect.poll(socket.text).toContain('got 80000')
    expect(performance.now() - began).toBeGreaterThan(FAST.windowMs + FAST.silentMs)
    socket.destroy()
  })
  test('is cut off when nothing comes any more', async () => {
    const socket = await open(reads)
    socket.write(`${head(80_000)}some of it`)
    await socket.ended
    expect(socket.text()).not.toContain('200')
  })
  test('is cut off when a few bytes come, however steadily, also after a good beginning', async () => {
    const socket = await open(reads)
    socket.write(head(8_000_000))
    socket.write(Buffer.alloc(100_000))
    const drip = setInterval(() => socket.write('x'), 100)
    await socket.ended
    clearInterval(drip)
    expect(socket.text()).not.toContain('got')
  })
  test('is not blamed for a server that does not read', async () => {
    const socket = await open((request, response) => {
      void sleep(FAST.windowMs + FAST.silentMs + 1_000).then(() => reads(request, response))
    })
    socket.write(head(3_000_000))
    socket.write(Buffer.alloc(3_000_000))
    await expect.poll(socket.text).toContain('got 3000000')
    socket.destroy()
  })
  test('an answer that takes long is no request that does not get on', async () => {
    const socket = await open((request, response) => {
      void bytesOf(request).then(async (bytes) => {
        await sleep(FAST.windowMs + FAST.silentMs + 500)
        response.end(`got ${bytes}`)
      })
    })
    socket.write(`${head(10)}0123456789`)
    await expect.poll(socket.text).toContain('got 10')
    socket.destroy()
  })
})
