// How many connections may be open at once, and who gives one up when there are more. Each takes a descriptor and some
// memory before anybody knows who it is: without a bound a stranger takes all that files and the database need.
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { subnetOf } from './subnet.ts'

const MOST = 4_096

/** Half of the process's descriptors at most: the other half is for files, readers and the database. */
export function mostConnections(limits = readLimits()): number {
  const descriptors = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
  return descriptors === undefined ? MOST : Math.min(MOST, Math.floor(Number(descriptors) / 2))
}

/** Linux alone tells them; elsewhere the bound is what it is. */
function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1')
  } catch {
    return ''
  }
}

/**
 * Beyond `most` the network with most connections gives one up, the one that has waited longest without a request:
 * those of others are never in danger, and a new one of the same network still gets its chance.
 */
export function shareConnections(server: Server, most = mostConnections()): void {
  /** Of each network, the oldest first; how many of its requests are being answered. */
  const networks = new Map<string, Map<Socket, number>>()
  let count = 0
  server.on('connection', (socket: Socket) => {
    const network = subnetOf(socket.remoteAddress ?? '')
    const sockets = networks.get(network) ?? new Map<Socket, number>()
    networks.set(network, sockets.set(socket, 0))
    count++
    socket.once('close', () => {
      count--
      sockets.delete(socket)
      if (sockets.size === 0 && networks.get(network) === sockets) networks.delete(network)
    })
    if (count > most) givenUpBy(networks.values())?.destroy()
  })
  server.on('request', ({ socket }, response) => {
    const sockets = networks.get(subnetOf(socket.remoteAddress ?? ''))
    const add = (one: number): void => {
      const answering = sockets?.get(socket)
      if (answering !== undefined) sockets?.set(socket, answering + one)
    }
    add(1)
    response.once('close', () => add(-1))
  })
}

function givenUpBy(networks: Iterable<ReadonlyMap<Socket, number>>): Socket | undefined {
  let largest: ReadonlyMap<Socket, number> = new Map()
  for (const sockets of networks) if (sockets.size > largest.size) largest = sockets
  let newest: Socket | undefined
  for (const [socket, answering] of largest) {
    if (answering === 0 && !socket.destroyed) return socket
    newest = socket
  }
  return newest
}
