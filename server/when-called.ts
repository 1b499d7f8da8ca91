// Tells the work beside the requests that something waits for it, once a procedure has answered well. A nudge and no more: whoever misses it looks again by the clock.
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
