// Import and export of a management plan, under the base path of the general API. The database
// decides who may do what.
import { stat } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FE_MOST_BYTES, type FeExportFormat, type FeFileLayer } from '#contract/bestand-import.ts'
import type { Caller } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { type Arrivals, createArrivals } from '#server/files/arrivals.ts'
import type { Log } from '#server/log.ts'
import { type Limits, READER_LIMITS } from '#server/reader/confined.ts'
import type { Room } from '#server/room.ts'
import { forNutzer } from '#server/route-caller.ts'
import { createWorkQueue, goneSignal, type WorkQueue } from '#server/work-queue.ts'
import { contentDispositionOf, paramOf } from '../geodata/answer.ts'
import { checkNumber } from '../geodata/imports.ts'
import { acceptFiles, importRoutes, sendMadeFile } from '../geodata/import-routes.ts'
import { createStore } from '../geodata/store.ts'
import { writeExport } from './export.ts'
import { standsByProgram } from './by-program.ts'
import { PlanImports } from './import.ts'

export interface BestandOptions {
  readonly database: Database
  /** For uploaded files that wait. */
  readonly folder: string
  readonly log: Log
  readonly now: () => Date
  /** For a process that reads a file. */
  readonly limits?: Limits
  readonly work?: WorkQueue
  readonly arrivals?: Arrivals
}
const OWN_REASONS = {
  keine_schicht:
    'In der Datei ist nichts, was sich importieren lässt. Bitte prüfen Sie, ob sie die Flächen der Bestände enthält.',
}

export function createBestandRoom({
  limits = READER_LIMITS,
  work = createWorkQueue(),
  arrivals = createArrivals(),
  ...options
}: BestandOptions) {
  const { database, folder, now } = options
  const fileStore = createStore<FeFileLayer>(folder)
  const imports = new PlanImports({ ...options, fileStore, limits, work })

  async function sendExport(
    caller: Caller,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const hq = paramOf(request, 'hq')
    checkNumber(hq)
    const format = /^waldbestand\.(gpkg|shp)$/.exec(paramOf(request, 'datei'))?.[1] as
      | FeExportFormat
      | undefined
    if (format === undefined) throw new Refusal('not_found')
    const order = { person: caller.person, signal: goneSignal(reply) }
    const { filePath, name } = await work.run('long', order, () =>
      writeExport({ database, fileStore }, caller, hq, format),
    )
    return sendMadeFile(reply, fileStore, {
      filePath,
      groesse: (await stat(filePath)).size,
      type: format === 'gpkg' ? 'application/geopackage+sqlite3' : 'application/zip',
      disposition: contentDispositionOf('Waldbestand', name, now(), format === 'gpkg' ? 'gpkg' : 'shp.zip'),
    })
  }

  return {
    name: 'stands',
    routes: async (app: FastifyInstance) => {
      acceptFiles(app, OWN_REASONS)
      importRoutes(app, { place: '/bestand/:hq', imports, arrivals, folder, most: FE_MOST_BYTES })
      app.get('/bestand/:hq/export/:datei', forNutzer(sendExport, { programs: 'bestand' }))
    },
    imports: [standsByProgram(imports)],
    close: () => imports.close(),
  } satisfies Room
}
