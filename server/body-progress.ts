// How long a request may take to arrive: as long as it makes progress. A limit on the total time would cut
// off large files on slow lines, and no limit would let a few bytes a minute hold a connection forever.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Progress {
  /** Longest time without a byte. */
  readonly silentMs: number
  /** At least `windowBytes` must arrive within this time. */
  readonly windowMs: number
  readonly windowBytes: number
  readonly lookMs: number
}

/** Two kilobytes a second: slower than any line our files are uploaded over. */
export const PROGRESS: Progress = { silentMs: 20_000, windowMs: 30_000, windowBytes: 60_000, lookMs: 1_000 }

interface Arriving {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Bytes read on the connection, and when the last one arrived. */
  bytes: number
  lastAt: number
  windowBytes: number
  windowAt: number
}

/** The code Node uses for its own time limit, which listeners of 'clientError' already handle. */
class TooSlowError extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT'
  constructor() {
    super('the request did not get on')
  }
}

/** Ends connections whose request makes no progress while the server is reading it. */
export function watchProgress(
  server: Server,
  { silentMs, windowMs, windowBytes, lookMs }: Progress = PROGRESS,
): void {
  const arriving = new Map<Socket, Arriving>()
  server.on('request', (request, response) => {
    const { socket } = request
    // Most requests arrive complete with their head.
    if (request.complete || isEmpty(request)) return
    const now = performance.now()
    arriving.set(socket, {
      request,
      response,
      bytes: socket.bytesRead,
      lastAt: now,
      windowBytes: socket.bytesRead,
      windowAt: now,
    })
    response.once('close', () => arriving.delete(socket))
  })

  function look(): void {
    const now = performance.now()
    for (const [socket, one] of arriving) {
      if (one.request.complete || socket.destroyed) {
        arriving.delete(socket)
        continue
      }
      const bytes = socket.bytesRead
      // The server is not reading: it is busy with what it has, or has already answered.
      if (isWaitingForUs(one)) Object.assign(one, { bytes, lastAt: now, windowBytes: bytes, windowAt: now })
      if (bytes > one.bytes) Object.assign(one, { bytes, lastAt: now })
      const silent = now - one.lastAt > silentMs
      const slow = now - one.windowAt > windowMs && bytes - one.windowBytes < windowBytes
      if (silent || slow) end(socket)
      else if (now - one.windowAt > windowMs) Object.assign(one, { windowBytes: bytes, windowAt: now })
    }
  }
  function end(socket: Socket): void {
    arriving.delete(socket)
    if (!server.emit('clientError', new TooSlowError(), socket)) socket.destroy()
    // Destroyed even if the peer does not react to the refusal.
    setTimeout(() => socket.destroy(), lookMs).unref()
  }

  const timer = setInterval(look, lookMs).unref()
  server.once('close', () => clearInterval(timer))
}

const isEmpty = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined &&
  (headers['content-length'] === undefined || headers['content-length'] === '0')

const isWaitingForUs = ({ request, response }: Arriving): boolean =>
  response.writableEnded || request.readableLength >= request.readableHighWaterMark
