// Peers that go silent: a line that swallows what is sent, and a server that accepts connections and never
// answers.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Line {
  readonly port: number
  /**
   * From now on nothing gets through in either direction, and neither end notices; new connections are
   * accepted and ignored.
   */
  silence(): void
  close(): void
}

export async function openLine(target: { readonly host: string; readonly port: number }): Promise<Line> {
  const sockets = new Set<Socket>()
  let silent = false
  const server = createServer((near) => {
    near.on('error', () => undefined)
    sockets.add(near)
    if (silent) return near.resume()
    const far = connect(target.port, target.host)
    sockets.add(far)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('data', (bytes) => {
        if (!silent) other.write(bytes)
      })
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        if (!silent) other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    silence: () => {
      silent = true
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

export interface SilentServer {
  readonly origin: string
  /** Number of connections so far. */
  readonly taken: () => number
  close(): void
}

export async function openSilentServer(): Promise<SilentServer> {
  const sockets = new Set<Socket>()
  let taken = 0
  const server = createServer((socket) => {
    taken++
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    socket.resume()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken: () => taken,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
