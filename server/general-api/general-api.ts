// The general API: answers {code, message, data}, where 20000 means success. The database decides who may do
// what.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { reasonForLog } from '#server/database/log-reason.ts'
import { isForLog, Refusal, toRefusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { refuseGeneral } from '#server/refuse.ts'
import type { GeneralApiOptions } from './answer.ts'
import { betrieb } from './betrieb.ts'
import { demo } from './demo.ts'
import { hqsFromUser } from './hqs-from-user.ts'

/** Registers the routes; the caller sets the prefix. */
export async function generalApi(app: FastifyInstance, options: GeneralApiOptions): Promise<void> {
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })
  app.setErrorHandler((error, request, reply) => answerFault(error, request, reply, options.log))
  app.setNotFoundHandler((_request, reply) => refuseGeneral(reply, new Refusal('not_found')))
  hqsFromUser(app, options)
  betrieb(app, options)
  if (options.demoEndpoints) await app.register(demo, { prefix: '/vue-element-admin' })
}

function answerFault(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const refusal = toRefusal(error)
  if (isForLog(error, refusal.status)) {
    log.error('request failed', {
      id: request.id,
      route: request.routeOptions.url,
      code: refusal.code,
      reason: reasonForLog(error),
    })
  }
  return refuseGeneral(reply, error)
}
