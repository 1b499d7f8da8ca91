// The room of the base maps on its own server; the bearer token is the caller's role.
import fastify, { type FastifyInstance } from 'fastify'
import type { Caller, Claims } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal, toRefusal } from '#server/errors.ts'
import { silentLog } from '#server/log.ts'
import { guardRoutes } from '#server/route-caller.ts'
import { createMapServiceRoom, type MapServiceOptions } from './routes.ts'

export async function serveRoom({
  onFaults,
  ...options
}: Partial<Omit<MapServiceOptions, 'database' | 'log'>> & {
  readonly onFaults?: (faults: () => string[]) => void
}): Promise<FastifyInstance> {
  // This fake database only returns the caller's roles; that they are the caller's own is
  // covered by the database tests.
  const database = {
    once: async (context: { settings: Record<string, string> }) => ({
      rows: [{ rollen: JSON.stringify([JSON.parse(context.settings['request.jwt.claims']!).sub]) }],
      rowCount: 1,
    }),
  } as unknown as Database
  const app = fastify()
  guardRoutes(app, (authorization): Caller => {
    if (authorization === undefined) throw new Refusal('not_signed_in')
    const claims = { sub: authorization.replace('Bearer ', '') } as unknown as Claims
    return { claims, claimsJson: JSON.stringify(claims), person: String(claims.sub) }
  })
  app.setErrorHandler((error, _request, reply) => {
    const refusal = toRefusal(error)
    return reply.code(refusal.status).send({ code: refusal.code, message: refusal.message })
  })
  const room = createMapServiceRoom({
    services: [],
    now: () => new Date(),
    ...options,
    database,
    log: silentLog,
  })
  onFaults?.(room.faults)
  await app.register(room.routes, { prefix: '/prod-api' })
  await app.ready()
  return app
}
