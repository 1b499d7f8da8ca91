// Alive: the process answers. Ready: the database answers too and accepts changes.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Database } from './database/database.ts'
import { forAnyone } from './route-caller.ts'

const PATIENCE_MS = 2_000

export function health(app: FastifyInstance, database: Pick<Database, 'ping'>): void {
  app.get(
    '/livez',
    forAnyone((_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' })),
  )
  // Concurrent requests share one query, so that health checks cannot flood the database.
  let asked: Promise<boolean> | null = null
  const ask = () => {
    asked ??= answersInTime(database).finally(() => {
      asked = null
    })
    return asked
  }
  const answer = async (reply: FastifyReply): Promise<FastifyReply> => {
    const ready = await ask()
    if (!ready) reply.code(503).header('retry-after', '2')
    return reply.header('cache-control', 'no-store').send({ status: ready ? 'ok' : 'unavailable' })
  }
  app.get(
    '/healthz',
    forAnyone((_request, reply) => answer(reply)),
  )
}

async function answersInTime(database: Pick<Database, 'ping'>): Promise<boolean> {
  const patience = new AbortController()
  const late = sleep(PATIENCE_MS, false, { signal: patience.signal }).catch(() => false)
  const answer = database.ping().then(
    () => true,
    () => false,
  )
  const ready = await Promise.race([answer, late])
  patience.abort()
  return ready
}
