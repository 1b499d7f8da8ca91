// OData v4 under /odata, for Excel, Power BI and other programs that read tables: what the caller may see, live.
// Reads only; the statements are those of the data API.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Room } from '#server/room.ts'
import { forAnyone, forNutzer } from '#server/route-caller.ts'
import type { WorkQueue } from '#server/work-queue.ts'
import { OdataReads, type ReadOptions } from './reads.ts'
import { METHODS, refuseWrite, stamped } from './send.ts'
import { relationOf } from './sets.ts'

export interface OdataOptions extends ReadOptions {
  /** The lists of the screens, built for the server. */
  readonly listsFile: string
  /** Rows of a file at most; for tests. */
  readonly mostRows?: number
  /** Files with whole tables wait for their turn. */
  readonly work?: WorkQueue
}

/** What a route reads, for keys of programs. */
const OF_TABLE = {
  programs: (request: FastifyRequest): string => {
    const { resource = '' } = request.params as { resource?: string }
    return relationOf(resource.split('(', 1)[0] ?? '')
  },
}
/** Documents ask for every table whether it is open. */
const OF_DOCUMENTS = { programs: 'kunde' }

export function createOdataRoom(options: ReadOptions): Room {
  const reads = new OdataReads(options)
  return {
    name: 'OData',
    routes: async (app: FastifyInstance) => {
      // Whatever a write brings is not read, so that it is refused as a write and not for its form.
      app.removeAllContentTypeParsers()
      app.addContentTypeParser('*', (_request, _payload, done) => done(null))
      app.get(
        '/',
        forNutzer((...call) => reads.sendService(...call), OF_DOCUMENTS),
      )
      app.get(
        '/$metadata',
        forNutzer((...call) => reads.sendMetadata(...call), OF_DOCUMENTS),
      )
      app.get(
        '/:resource',
        forNutzer((...call) => reads.sendResource(...call), OF_TABLE),
      )
      app.get(
        '/:resource/:part',
        forNutzer((...call) => reads.sendPart(...call), OF_TABLE),
      )
      const allowed = forAnyone((_, reply) => stamped(reply).header('allow', METHODS).code(204).send())
      for (const url of ['/', '/*']) app.options(url, allowed)
      const readOnly = forNutzer((_, request, reply) => refuseWrite(request, reply), OF_DOCUMENTS)
      for (const url of ['/', '/*'])
        app.route({ method: ['POST', 'PUT', 'PATCH', 'DELETE'], url, ...readOnly })
    },
  }
}
