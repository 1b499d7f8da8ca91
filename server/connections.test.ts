// Connections that somebody opens and does not use cost others nothing.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mostConnections, shareConnections } from './connections.ts'

const MOST = 20
const STRANGER = '127.0.0.1'
const OTHER = '127.0.0.2'

let server: Server
let held: Socket[] = []
let slowOnes = 0

beforeEach(async () => {
  slowOnes = 0
  server = createServer((request, response) => {
    if (request.url === '/slow') {
      slowOnes++
      setTimeout(() => response.end('slow'), 500)
    } else response.end('served')
  })
  shareConnections(server, MOST)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  for (const socket of held) socket.destroy()
  held = []
  server.closeAllConnections()
  server.close()
})

async function open(from: string, head = ''): Promise<Socket> {
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  socket.on('error', () => undefined)
  held.push(socket)
  await once(socket, 'connect')
  socket.write(head)
  return socket
}
const all = (count: number, from: string, head?: string): Promise<Socket[]> =>
  Promise.all(Array.from({ length: count }, () => open(from, head)))

async function answerOn(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await Promise.race([expect.poll(() => text).toMatch(/served|slow/), closed])
  return /served|slow/.exec(text)?.[0] ?? 'cut off'
}
const connections = (): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })
const HALF_A_HEAD = 'GET / HTTP/1.1\r\n'
const whole = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

test('there are never more than the server keeps', async () => {
  await all(5 * MOST, STRANGER, HALF_A_HEAD)
  await expect.poll(connections).toBe(MOST)
})

test('a stranger with all of them keeps nobody else out, and others keep theirs', async () => {
  const other = await open(OTHER, whole('/'))
  expect(await answerOn(other)).toBe('served')
  await all(5 * MOST, STRANGER, HALF_A_HEAD)
  other.write(whole('/'))
  expect(await answerOn(other)).toBe('served')
  expect(await answerOn(await open(OTHER, whole('/')))).toBe('served')
})

test('behind the same address a new request is answered all the same', async () => {
  await all(5 * MOST, STRANGER, HALF_A_HEAD)
  expect(await answerOn(await open(STRANGER, whole('/')))).toBe('served')
})

test('what is being answered is not cut off for what asks nothing', async () => {
  const slow = (await all(5, STRANGER, whole('/slow'))).map((socket) => answerOn(socket))
  await expect.poll(() => slowOnes).toBe(5)
  await all(5 * MOST, STRANGER)
  expect(await Promise.all(slow)).toEqual(slow.map(() => 'slow'))
})

test('when all are being answered the newest gives way', async () => {
  const slow = (await all(MOST, STRANGER, whole('/slow'))).map((socket) => answerOn(socket))
  await expect.poll(() => slowOnes).toBe(MOST)
  expect(await answerOn(await open(STRANGER, whole('/')))).toBe('cut off')
  expect(await Promise.all(slow)).toEqual(slow.map(() => 'slow'))
})

test('half of the descriptors are left for files and the database', () => {
  const limits = (files: string) =>
    `Max processes 10 10 processes\nMax open files            ${files} 4096 files`
  expect(
    [limits('1024'), limits('1048576'), limits('unlimited'), ''].map((text) => mostConnections(text)),
  ).toEqual([512, 4_096, 4_096, 4_096])
})
