// Cuts off clients that do not read their answers. Node keeps unread data as long as the connection is open:
// a few slow readers of large answers would hold gigabytes.
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Unread {
  /** A connection whose client reads nothing for this long is cut off. */
  readonly silentMs: number
  /** Unread bytes allowed on all connections together; above that, those with the most are cut off. */
  readonly bytes: number
  readonly lookMs: number
}

export const UNREAD: Unread = { silentMs: 30_000, bytes: 256 * 2 ** 20, lookMs: 1_000 }

/** Cuts off connections whose clients do not read their answers. */
export function watchReaders(server: Server, { silentMs, bytes, lookMs }: Unread = UNREAD): void {
  /** Unfinished answers of each connection; pipelined ones wait for each other. */
  const connections = new Map<Socket, Set<ServerResponse>>()
  server.on('request', ({ socket }, answer) => {
    const answers = connections.get(socket) ?? new Set()
    if (!connections.has(socket)) socket.once('close', () => connections.delete(socket))
    connections.set(socket, answers)
    answers.add(answer)
    answer.once('close', () => answers.delete(answer))
  })

  // The socket emits this when nothing has moved in either direction, even during a large write. An answer
  // that is still being computed is waited for; an idle connection is closed.
  server.timeout = silentMs
  server.on('timeout', (socket: Socket) => {
    const answers = connections.get(socket)
    if (answers === undefined || answers.size === 0 || unreadOf(socket, answers) > 0) socket.destroy()
  })

  function look(): void {
    const waiting = [...connections].map(([socket, answers]) => ({
      socket,
      unread: unreadOf(socket, answers),
    }))
    let all = waiting.reduce((sum, { unread }) => sum + unread, 0)
    for (const { socket, unread } of waiting.toSorted((a, b) => b.unread - a.unread)) {
      if (all <= bytes) return
      socket.destroy()
      all -= unread
    }
  }

  const timer = setInterval(look, lookMs).unref()
  server.once('close', () => clearInterval(timer))
}

/** What the answers buffer until it is their turn, and what is in the socket. */
const unreadOf = (socket: Socket, answers: ReadonlySet<ServerResponse>): number =>
  [...answers].reduce(
    (sum, answer) => sum + answer.writableLength - (answer.socket === null ? 0 : socket.writableLength),
    socket.writableLength,
  )
