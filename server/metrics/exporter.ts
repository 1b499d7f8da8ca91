// The port that Prometheus reads: `/metrics` and nothing else, apart from the server of the people. On this
// machine only, or with a key.
import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

export interface ExporterOptions {
  readonly host: string
  readonly port: number
  readonly key: string | undefined
  readonly read: () => Promise<{ readonly type: string; readonly text: string }>
}

/** Its message is for the operator. */
export class PortFault extends Error {
  override readonly name = 'PortFault'
}

/** A page in a browser on this machine must not read it by a name that leads here. */
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

function statusOf(
  { method, url, headers }: IncomingMessage,
  key: string | undefined,
): 200 | 401 | 403 | 404 | 405 {
  if (key === undefined) {
    if (!LOCAL_HOST.test(headers.host ?? '')) return 403
  } else if (!timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${key}`))) return 401
  if (url?.split('?', 1)[0] !== '/metrics') return 404
  return method === 'GET' || method === 'HEAD' ? 200 : 405
}

export async function openExporter({ host, port, key, read }: ExporterOptions): Promise<Server> {
  // Several readers share one reading.
  let reading: ReturnType<typeof read> | null = null
  const shared = (): ReturnType<typeof read> => {
    reading ??= read().finally(() => {
      reading = null
    })
    return reading
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const status = statusOf(request, key)
    response.setHeader('cache-control', 'no-store')
    response.setHeader('x-content-type-options', 'nosniff')
    response.setHeader('content-type', 'text/plain; charset=utf-8')
    if (status !== 200) {
      if (status === 401) response.setHeader('www-authenticate', 'Bearer')
      response.writeHead(status).end()
      return
    }
    const { type, text } = await shared()
    response.setHeader('content-type', type)
    response.end(request.method === 'HEAD' ? undefined : text)
  }
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
    request.resume()
    answer(request, response).catch(() => response.writeHead(500).end())
  })
  server.maxConnections = 32
  server.listen({ host, port })
  try {
    await once(server, 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw new PortFault(
      code === 'EADDRINUSE'
        ? `METRICS_PORT ist belegt: Port ${port}. Bitte einen anderen wählen`
        : `METRICS_HOST=${host} mit METRICS_PORT=${port} lässt sich nicht öffnen (${code})`,
    )
  }
  return server
}
