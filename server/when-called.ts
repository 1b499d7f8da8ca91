// Wakes background work once a procedure has succeeded. Only a nudge: work that misses it is found
// by the next scheduled run.
import type { FastifyInstance } from 'fastify'

export function whenCalled(
  app: FastifyInstance,
  base: string,
  nudges: Readonly<Record<string, () => void>>,
): void {
  const byPath = new Map(Object.entries(nudges).map(([name, nudge]) => [`${base}/${name}`, nudge]))
  app.addHook('onResponse', async (request, reply) => {
    if (request.method !== 'POST' || reply.statusCode >= 300) return
    byPath.get(request.url.split('?', 1)[0] ?? '')?.()
  })
}
