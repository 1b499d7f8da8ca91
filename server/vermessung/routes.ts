// Import and export of the survey, under the base path of the general API. The database
// decides who may do what.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type FileLayer, type ExportFormat, UPLOAD_MOST_BYTES } from '#contract/vermessung-import.ts'
import type { Caller } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { type Arrivals, createArrivals } from '#server/files/arrivals.ts'
import type { Log } from '#server/log.ts'
import { type Limits, READER_LIMITS } from '#server/reader/confined.ts'
import type { Room } from '#server/room.ts'
import { forNutzer } from '#server/route-caller.ts'
import { createWorkQueue, goneSignal, type WorkQueue } from '#server/work-queue.ts'
import { contentDispositionOf, paramOf, systemOf } from '../geodata/answer.ts'
import { checkNumber } from '../geodata/imports.ts'
import { acceptFiles, importRoutes, sendMadeFile } from '../geodata/import-routes.ts'
import { createStore } from '../geodata/store.ts'
import { writeExport } from './export.ts'
import { SurveyImports } from './import.ts'
import { surveyByProgram } from './by-program.ts'

export interface VermessungOptions {
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

const TYPES: Readonly<Record<ExportFormat, [type: string, ending: string]>> = {
  gpkg: ['application/geopackage+sqlite3', 'gpkg'],
  geojson: ['application/geo+json', 'geojson'],
  csv: ['application/zip', 'zip'],
  shp: ['application/zip', 'shp.zip'],
}

export function createVermessungRoom({
  limits = READER_LIMITS,
  work = createWorkQueue(),
  arrivals = createArrivals(),
  ...options
}: VermessungOptions) {
  const { database, folder, now } = options
  const fileStore = createStore<FileLayer>(folder)
  const imports = new SurveyImports({ ...options, fileStore, limits, work })

  async function sendExport(
    caller: Caller,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const kunde = paramOf(request, 'kunde')
    checkNumber(kunde)
    const format = /^kataster\.(gpkg|geojson|csv|shp)$/.exec(paramOf(request, 'datei'))?.[1] as
      | ExportFormat
      | undefined
    if (format === undefined) throw new Refusal('not_found')
    const choice = { kunde, format, epsg: systemOf(request) }
    const order = { person: caller.person, signal: goneSignal(reply) }
    const made = await work.run('long', order, () => writeExport({ database, fileStore }, caller, choice))
    const [type, ending] = TYPES[format]
    const disposition = contentDispositionOf('Kataster', made.kunde, now(), ending)
    return sendMadeFile(reply, fileStore, { ...made, type, disposition })
  }

  return {
    name: 'survey',
    routes: async (app: FastifyInstance) => {
      acceptFiles(app)
      importRoutes(app, { place: '/vermessung/:kunde', imports, arrivals, folder, most: UPLOAD_MOST_BYTES })
      app.get('/vermessung/:kunde/export/:datei', forNutzer(sendExport, { programs: 'draenage' }))
    },
    imports: [surveyByProgram(imports)],
    close: () => imports.close(),
  } satisfies Room
}
