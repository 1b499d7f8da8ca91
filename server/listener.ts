// The HTTP server, which answers from the first second: "starting" until the application is attached,
// and an orderly shutdown.
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Progress, watchProgress } from './body-progress.ts'
import { shareConnections } from './connections.ts'
import { answerEvery } from './http-faults.ts'
import { type Unread, watchReaders } from './unread-answers.ts'
import { OperatorFault } from './operations/operator-fault.ts'

export interface Listener {
  readonly server: Server
  /** From now on requests go to the application. */
  serve(application: RequestListener): void
  /**
   * From now on reports "not ready", so that no new requests are sent here; those that
   * arrive are still answered.
   */
  drain(): void
  /** Takes no new requests, gives the running ones the time, then cuts them off. */
  stop(graceMs: number): Promise<void>
}

const startingUp: RequestListener = (request, response) => {
  const alive = request.url === '/livez'
  response.writeHead(alive ? 200 : 503, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'retry-after': '1',
  })
  if (alive || request.url === '/healthz') response.end(alive ? '{"status":"ok"}' : '{"status":"starting"}')
  else response.end('{"code":"HTTP503","details":null,"hint":null,"message":"The server is starting"}')
}

export interface ListenOptions {
  readonly host: string
  readonly port: number
  /** How fast a body must arrive. */
  readonly progress?: Progress
  /** How much clients may leave unread. */
  readonly unread?: Unread
  /** Milliseconds within which the head must have arrived. */
  readonly headMs?: number
}

/**
 * A proxy that checks finds the server not ready; clients with open connections are asked to
 * open the next one elsewhere.
 */
const draining =
  (application: RequestListener): RequestListener =>
  (request, response) => {
    response.setHeader('connection', 'close')
    if (request.url?.split('?', 1)[0] !== '/healthz') return application(request, response)
    response.writeHead(503, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': '2',
    })
    response.end('{"status":"ending"}')
  }

export async function listen({
  host,
  port,
  progress,
  unread,
  headMs = 30_000,
}: ListenOptions): Promise<Listener> {
  let current = startingUp
  // Proxies keep connections for a minute: ours must last longer, or a proxy sends into one that is just
  // being closed. Heads arrive at once; a body may take as long as it makes progress, which
  // body-progress.ts checks.
  const limits = {
    keepAliveTimeout: 65_000,
    headersTimeout: headMs,
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(headMs, 10_000),
  }
  const server = createServer(limits, (request, response) => current(request, response))
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  answerEvery(server)
  shareConnections(server)
  watchProgress(server, progress)
  watchReaders(server, unread)
  server.listen({ host, port })
  try {
    await once(server, 'listening')
  } catch (error) {
    throw listenFault(error, host, port)
  }
  return {
    server,
    serve: (application) => {
      current = application
    },
    drain: () => {
      current = draining(current)
    },
    stop: (graceMs) => stop(server, sockets, graceMs),
  }
}

async function stop(server: Server, sockets: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  // A connection that has just been answered is idle again and would be kept for the next request.
  const sweep = setInterval(() => {
    server.closeIdleConnections()
    // Browsers open some in advance; Node does not count them as idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }, 50)
  await Promise.race([closed, sleep(graceMs, undefined, { ref: false })])
  clearInterval(sweep)
  server.closeAllConnections()
  await closed
}

function listenFault(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new OperatorFault(
      `Port ${port} ist belegt. Läuft Forstkontor schon? Sonst einen anderen Port wählen: PORT=3001 npm start`,
    )
  if (code === 'EACCES')
    return new OperatorFault(
      `Port ${port} darf nur ein Administrator öffnen. Bitte einen Port ab 1024 wählen: PORT=3000 npm start`,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new OperatorFault(`Die Adresse HOST=${host} gehört nicht zu diesem Rechner.`)
  return error
}
