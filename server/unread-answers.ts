// Answers that nobody reads. Node keeps what a client has not taken, for as long as the connection stands: a few slow readers of large answers would hold gigabytes.
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Unread {
  /** A connection whose client takes nothing for so long is cut. */
  readonly silentMs: number
  /** Bytes that wait on all connections together; beyond, those with most of them are cut. */
  readonly bytes: number
  readonly lookMs: number
}

export const UNREAD: Unread = { silentMs: 30_000, bytes: 256 * 2 ** 20, lookMs: 1_000 }

/** Cuts connections that do not take what was answered. */
export function watchReaders(server: Server, { silentMs, bytes, lookMs }: Unread = UNREAD): void {
  /** Answers of each connection that have not gone out; pipelined ones wait for each other. */
  const connections = new Map<Socket, Set<ServerResponse>>()
  server.on('request', ({ socket }, answer) => {
    const answers = connections.get(socket) ?? new Set()
    if (!connections.has(socket)) socket.once('close', () => connections.delete(socket))
    connections.set(socket, answers)
    answers.add(answer)
    answer.once('close', () => answers.delete(answer))
  })

  // Told by the socket when nothing has moved in either direction, within a large write as well. An answer that is still being made is waited for; an idle connection ends.
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

/** What answers keep themselves before it is their turn, and what lies in the socket. */
const unreadOf = (socket: Socket, answers: ReadonlySet<ServerResponse>): number =>
  [...answers].reduce(
    (sum, answer) => sum + answer.writableLength - (answer.socket === null ? 0 : socket.writableLength),
    socket.writableLength,
  )
