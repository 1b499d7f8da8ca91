// One line per request. No query, no token, no name: only which route answered how fast.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Log } from './log.ts'
import { onTrailOf } from './trail.ts'

export function logAccess(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', async (request, reply) => {
    onTrailOf(request, () =>
      log.info('request', {
        method: request.method,
        route: routeOf(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      }),
    )
  })
}

/** The route pattern, never the path: paths contain one-time links and anything a client typed. */
const routeOf = (request: FastifyRequest): string => request.routeOptions.url ?? '(none)'

/** Of an address that could not be decoded, which reaches no hook. */
export const logUnread = (log: Log, method: string, status: number): void =>
  log.info('request', { method, route: '(none)', status })
