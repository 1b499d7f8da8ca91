// Assembles the rooms into one HTTP application. The order matters: guards first, then the
// rooms, the screens last.
import { randomUUID } from 'node:crypto'
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerFactory,
} from 'fastify'
import type { Authenticate } from './caller.ts'
import type { Config } from './config.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import { isForLog, toRefusal } from './errors.ts'
import { guardHost, leadToOrigin, securityHeaders, setSecurityHeaders } from './headers.ts'
import { refuseUnparsed } from './http-faults.ts'
import { logAccess, logUnread } from './access-log.ts'
import type { Log } from './log.ts'
import { refuseAt } from './refuse.ts'
import { guardRoutes } from './route-caller.ts'
import { beginTrail, traceOf } from './trail.ts'
import { RETRY_AFTER_S } from './work-queue.ts'

/** One room or cross-cutting duty; installed in the order of the list. */
export type Install = (app: FastifyInstance) => void | Promise<void>

export interface AppOptions {
  readonly config: Config
  readonly log: Log
  readonly authenticate: Authenticate
  readonly installs: readonly Install[]
  /** Hooks of those who watch, before all others. */
  readonly watches?: readonly ((app: FastifyInstance) => void)[]
  /** The HTTP server that is already answering "starting"; without one Fastify creates its own. */
  readonly serverFactory?: FastifyServerFactory
}

export async function createApp({
  config,
  log,
  authenticate,
  installs,
  watches = [],
  serverFactory,
}: AppOptions): Promise<FastifyInstance> {
  const app = fastify({
    ...(serverFactory === undefined ? {} : { serverFactory }),
    logger: false,
    bodyLimit: config.BODY_LIMIT,
    trustProxy: [...config.TRUST_PROXY],
    // A request id taken from outside could be used to forge log entries.
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 500 },
    clientErrorHandler: refuseUnparsed,
    // An address that cannot be decoded reaches neither hooks nor handlers.
    frameworkErrors: (error, request, reply) =>
      beginTrail(request, { request: request.id }, () => {
        refuseUnreadable(error, request, reply as unknown as FastifyReply, config)
        if (config.LOG_REQUESTS) logUnread(log, request.method, reply.statusCode)
      }),
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const trace = traceOf(request.headers.traceparent)
    beginTrail(request, { request: request.id, ...(trace !== null && { trace }) }, done)
  })
  for (const watch of watches) watch(app)
  if (config.LOG_REQUESTS) logAccess(app, log)
  setSecurityHeaders(app, config)
  if (config.trial) guardHost(app)
  leadToOrigin(app, config)
  // Every 429 says when to retry.
  app.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode === 429 && !reply.hasHeader('retry-after'))
      reply.header('retry-after', String(RETRY_AFTER_S))
  })
  app.setErrorHandler((error, request, reply) => {
    const refusal = toRefusal(error)
    if (isForLog(error, refusal.status))
      log.error('request failed', {
        route: request.routeOptions.url,
        reason: reasonForLog(error),
      })
    return refuseAt(request.url, config)(reply, error)
  })
  guardRoutes(app, authenticate)
  for (const install of installs) await install(app)
  await app.ready()
  return app
}

function refuseUnreadable(
  error: unknown,
  { url, id }: Pick<FastifyRequest, 'url' | 'id'>,
  reply: FastifyReply,
  config: Config,
): void {
  const headers = { ...securityHeaders(config), 'x-request-id': id }
  void refuseAt(url, config)(reply.headers(headers), error)
}
