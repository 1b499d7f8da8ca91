// One line per request. No query, no token, no name: only which route answered how fast.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Log } from './log.ts'

export function logAccess(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', async (request, reply) => {
    log.info('request', {
      id: request.id,
      method: request.method,
      route: routeOf(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    })
  })
}

/** The route pattern, never the path: paths contain one-time links and anything a client typed. */
const routeOf = (request: FastifyRequest): string => request.routeOptions.url ?? '(none)'
