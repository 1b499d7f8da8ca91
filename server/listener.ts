// The HTTP server, which answers from its first second: "starting" until the application is put in, and an orderly end.
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerEvery } from './http-faults.ts'
import { OperatorFault } from './operations/operator-fault.ts'

export interface Listener {
  readonly server: Server
  /** From now on requests go to the application. */
  serve(application: RequestListener): void
  /** Takes no new requests, gives those under way the time, then cuts them off. */
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
  /** Milliseconds until a request must have arrived as a whole. */
  readonly requestMs?: number
}

export async function listen({ host, port, requestMs = 60_000 }: ListenOptions): Promise<Listener> {
  let current = startingUp
  // A proxy keeps connections for a minute: ours must last longer, or it sends into one that is just being closed.
  const limits = { keepAliveTimeout: 65_000, requestTimeout: requestMs, connectionsCheckingInterval: Math.min(requestMs, 30_000) }
  const server = createServer(limits, (request, response) => current(request, response))
  answerEvery(server)
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
    stop: (graceMs) => stop(server, graceMs),
  }
}

async function stop(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  // A connection that has just been answered is idle again and would be kept for the next request.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  await Promise.race([closed, sleep(graceMs, undefined, { ref: false })])
  clearInterval(sweep)
  server.closeAllConnections()
  await closed
}

function listenFault(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new OperatorFault(`Port ${port} ist belegt. Läuft Forstkontor schon? Sonst einen anderen Port wählen: PORT=3001 npm start`)
  if (code === 'EACCES')
    return new OperatorFault(`Port ${port} darf nur ein Administrator öffnen. Bitte einen Port ab 1024 wählen: PORT=3000 npm start`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return new OperatorFault(`Die Adresse HOST=${host} gehört nicht zu diesem Rechner.`)
  return error
}
