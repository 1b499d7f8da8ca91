// Puts the data API, which answers plain Node requests, under its base path.
import type { FastifyInstance } from 'fastify'
import type { DataApi } from './data-api/data-api.ts'

/** Encapsulated, so that Fastify leaves bodies alone only here: the dialect reads them itself. */
export async function mountDataApi(app: FastifyInstance, dataApi: DataApi): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    for (const url of [dataApi.base, `${dataApi.base}/*`]) {
      scope.all(url, (request, reply) => {
        reply.hijack()
        return dataApi.handle(request.raw, reply.raw)
      })
    }
  })
}
