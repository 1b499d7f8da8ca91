// Real sockets whose clients do not read: their answers are not kept forever, and other
// clients are not affected.
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { type Listener, listen } from './listener.ts'

const MB = 2 ** 20
const LARGE = Buffer.alloc(20 * MB, 'x')
const FAST = { silentMs: 1_000, bytes: 100 * MB, lookMs: 50 }
let listener: Listener

afterEach(() => listener.stop(100))

let asked = 0
const large: RequestListener = (_request, response) => {
  asked++
  response.end(LARGE)
}
const port = () => (listener.server.address() as AddressInfo).port
const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

async function open(): Promise<{ socket: Socket; isOpen(): Promise<boolean> }> {
  const socket = connect(port(), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.pause()
  // A client that does not read does not see the end either, so the server's connections are counted.
  const count = () =>
    new Promise<number>((resolve) => listener.server.getConnections((_error, many) => resolve(many)))
  return { socket, isOpen: async () => (await count()) > 0 }
}

async function start(unread: typeof FAST): Promise<void> {
  listener = await listen({ host: '127.0.0.1', port: 0, unread })
  listener.serve(large)
}

describe('a client that does not read', () => {
  test('is cut off after its time', async () => {
    await start(FAST)
    const { socket, isOpen } = await open()
    socket.write(GET)
    await expect.poll(isOpen).toBe(false)
    socket.destroy()
  })
  test('is cut off sooner where all of them hold too much', async () => {
    await start({ ...FAST, silentMs: 600_000 })
    const clients = await Promise.all(Array.from({ length: 8 }, open))
    for (const { socket } of clients) socket.write(GET)
    const left = () =>
      new Promise<number>((resolve) => listener.server.getConnections((_error, many) => resolve(many)))
    await expect.poll(left).toBeLessThanOrEqual(5)
    await sleep(500)
    expect(await left()).toBeGreaterThan(0)
    for (const { socket } of clients) socket.destroy()
  })
  test('and sends one request after the other is not heard any more', async () => {
    await start({ ...FAST, silentMs: 600_000 })
    const { socket, isOpen } = await open()
    asked = 0
    for (let at = 0; at < 20; at++) {
      socket.write(GET)
      await sleep(20)
    }
    expect(asked).toBeLessThan(5)
    expect(await isOpen()).toBe(true)
    socket.destroy()
  })
})

test('a client that reads slowly is served to the end', async () => {
  await start(FAST)
  const socket = connect(port(), '127.0.0.1')
  let bytes = 0
  socket.on('data', (piece) => {
    bytes += piece.length
    socket.pause()
    setTimeout(() => socket.resume(), 5)
  })
  socket.write(GET)
  await expect.poll(() => bytes, { timeout: 60_000 }).toBeGreaterThan(LARGE.length)
  socket.destroy()
})
