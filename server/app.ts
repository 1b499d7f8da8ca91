// Assembles the rooms into one HTTP application. The order matters: guards first, then the
// rooms, the screens last.
import { randomUUID } from 'node:crypto'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyServerFactory } from 'fastify'
import type { Authenticate } from './caller.ts'
import type { Config } from './config.ts'
import { reasonForLog, toRefusal } from './errors.ts'
import { guardHost, leadToOrigin, securityHeaders, setSecurityHeaders } from './headers.ts'
import { refuseUnparsed } from './http-faults.ts'
import { logAccess } from './access-log.ts'
import type { Log } from './log.ts'
import { refuseAt } from './refuse.ts'
import { guardRoutes } from './route-caller.ts'
import { RETRY_AFTER_S } from './work-queue.ts'

/** One room or cross-cutting duty; installed in the order of the list. */
export type Install = (app: FastifyInstance) => void | Promise<void>

export interface AppOptions {
  readonly config: Config
  readonly log: Log
  readonly authenticate: Authenticate
  readonly installs: readonly Install[]
  /** The HTTP server that is already answering "starting"; without one Fastify creates its own. */
  readonly serverFactory?: FastifyServerFactory
}

export async function createApp({
  config,
  log,
  authenticate,
  installs,
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
      refuseUnreadable(error, request.url, reply as unknown as FastifyReply, config),
  })
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
    if (refusal.status >= 500)
      log.error('request failed', {
        id: request.id,
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

function refuseUnreadable(error: unknown, url: string, reply: FastifyReply, config: Config): void {
  void refuseAt(url, config)(reply.headers(securityHeaders(config)), error)
}
