// OGC API Features under /ogc: what a caller may see of the maps, for QGIS, GDAL and other programs, always with
// the caller's own rights and within the time of a read.
import type { FastifyInstance } from 'fastify'
import type { Database } from '#server/database/database.ts'
import { OGC_BASE } from '#server/refuse.ts'
import type { Room } from '#server/room.ts'
import { forAnyone, forNutzer } from '#server/route-caller.ts'
import { createWorkQueue, type WorkQueue } from '#server/work-queue.ts'
import { createStore } from '../geodata/store.ts'
import { COLLECTIONS, OF_COLLECTION, OF_PLANS } from './collections.ts'
import { CONFORMANCE, landingPage, OPENAPI_TYPE } from './documents.ts'
import { openApi } from './openapi.ts'
import { apiHtml, conformanceHtml, landingHtml, STYLE } from './pages.ts'
import { qgisRoute } from './qgis-route.ts'
import { allowOnly, readPairs } from './query.ts'
import { OgcReads, sendHtml, sendText, wantsHtml } from './reads.ts'
import { scopes } from './scope.ts'
import { styleRoutes } from './style-routes.ts'
import { tileRoutes } from './tiles.ts'
import { wmtsRoutes } from './wmts.ts'
import { writeRoutes } from './write-routes.ts'

export interface OgcOptions {
  readonly database: Database
  /** What addresses in answers begin with. */
  readonly origin: string
  /** Base path of the general API, where tiles and files of plans are. */
  readonly prefix: string
  /** Milliseconds that one statement may take. */
  readonly readMs: number
  readonly now: () => Date
  /** For packages that are being made. */
  readonly folder: string
  readonly work?: WorkQueue
}

/** `projects`: the project files of QGIS, for the screens, below the general API. */
export function createOgcRoom({ database, origin, prefix, readMs, now, ...options }: OgcOptions) {
  const fileStore = createStore(options.folder)
  void fileStore.tidy(now(), 1)
  const reads = new OgcReads({ database, scopeOf: scopes(`${origin}${OGC_BASE}`), readMs, now })
  const { scopeOf, ask, columnsOf, collectionOf, seenBy, send } = reads
  const { work = createWorkQueue() } = options
  const qgis = { scopeOf, ask, columnsOf, database, work, fileStore, now }

  /** The documents of one address: of everything, of a customer or of a holding. */
  const services = async (app: FastifyInstance): Promise<void> => {
    app.get(
      '/',
      forAnyone((request, reply) => {
        allowOnly(readPairs(request.query), ['f'])
        const { base } = scopeOf(request)
        return send(reply, request, landingPage(base), () => landingHtml(base))
      }),
    )
    app.get(
      '/conformance',
      forAnyone((request, reply) => {
        allowOnly(readPairs(request.query), ['f'])
        const page = () => conformanceHtml(scopeOf(request).base, CONFORMANCE)
        return send(reply, request, { conformsTo: CONFORMANCE }, page)
      }),
    )
    app.get(
      '/api',
      forAnyone(async (request, reply) => {
        allowOnly(readPairs(request.query), ['f'])
        const { base } = scopeOf(request)
        if (wantsHtml(request)) return sendHtml(reply, apiHtml(base))
        const columns = await Promise.all(COLLECTIONS.map(columnsOf))
        const document = openApi(
          base,
          columns.flatMap((some) => [...some.values()]),
        )
        return sendText(reply, OPENAPI_TYPE, JSON.stringify(document))
      }),
    )
    app.get(
      '/collections',
      forNutzer((...call) => reads.sendCollections(...call), OF_PLANS),
    )
    app.get(
      '/collections/:collection',
      forNutzer((...call) => reads.sendCollection(...call), OF_COLLECTION),
    )
    app.get(
      '/collections/:collection/queryables',
      forNutzer((...call) => reads.sendQueryables(...call), OF_COLLECTION),
    )
    app.get(
      '/collections/:collection/schema',
      forNutzer((...call) => reads.sendSchema(...call), OF_COLLECTION),
    )
    app.get(
      '/collections/:collection/items',
      forNutzer((...call) => reads.sendFeatures(...call), OF_COLLECTION),
    )
    app.get(
      '/collections/:collection/items/:id',
      forNutzer((...call) => reads.sendFeature(...call), OF_COLLECTION),
    )
    tileRoutes(app, { scopeOf, collectionOf, columnsOf, ask })
    styleRoutes(app, { scopeOf, seenBy, columnsOf, send })
    wmtsRoutes(app, { scopeOf, files: `${origin}${prefix}`, ask })
    writeRoutes(app, { database, scopeOf, timeoutMs: readMs, collectionOf, columnsOf })
  }

  return {
    name: 'OGC services',
    routes: async (app: FastifyInstance) => {
      app.get(
        '/ogc.css',
        forAnyone((_, reply) =>
          reply.header('cache-control', 'public, max-age=3600').type('text/css; charset=utf-8').send(STYLE),
        ),
      )
      await app.register(services)
      for (const owner of ['kunde', 'betrieb'] as const)
        await app.register(
          async (scoped) => {
            await services(scoped)
            qgisRoute(scoped, owner, qgis)
          },
          { prefix: `/${owner}/:${owner}` },
        )
    },
    projects: async (app: FastifyInstance): Promise<void> => {
      for (const owner of ['kunde', 'betrieb'] as const)
        await app.register(async (scoped) => qgisRoute(scoped, owner, qgis), {
          prefix: `/qgis/${owner}/:${owner}`,
        })
    },
  } satisfies Room & { projects: unknown }
}
