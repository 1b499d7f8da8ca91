// Passes requests below the base path to the data API before Fastify reads their body.
import type { FastifyInstance } from 'fastify'
import { declareScope } from '#server/route-caller.ts'
import type { DataApi } from './data-api.ts'

/** `await app.register(dataApiPlugin, { dataApi })` mounts it under the base it was created with. */
export async function dataApiPlugin(app: FastifyInstance, { dataApi }: { dataApi: DataApi }): Promise<void> {
  declareScope(app, 'own-scheme')
  app.addHook('onRequest', (request, reply, done) => {
    // From here on the response belongs to the data API; Fastify neither parses nor answers.
    reply.hijack()
    void dataApi.handle(request.raw, reply.raw)
    done()
  })
  const unreachable = () => undefined
  app.all(dataApi.base === '' ? '/' : dataApi.base, unreachable)
  app.all(`${dataApi.base}/*`, unreachable)
}
