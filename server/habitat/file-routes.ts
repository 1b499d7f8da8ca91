// Import and export of habitat trees, under the base path of the general API. The database
// decides who may do what.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HABITAT_FILE_MOST_BYTES, type HabitatExportFormat } from '#contract/habitat-file.ts'
import type { Caller } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { type Arrivals, createArrivals } from '#server/files/arrivals.ts'
import { type Limits, READER_LIMITS } from '#server/reader/confined.ts'
import type { Room } from '#server/room.ts'
import { forNutzer } from '#server/route-caller.ts'
import { createWorkQueue, goneSignal, type WorkQueue } from '#server/work-queue.ts'
import { createStore } from '../geodata/store.ts'
import { contentDispositionOf, respond, fileOf, paramOf, queryOf, systemOf } from '../geodata/answer.ts'
import { checkNumber } from '../geodata/imports.ts'
import { acceptFiles, sendMadeFile } from '../geodata/import-routes.ts'
import { treesByProgram } from './by-program.ts'
import { writeHabitatExport } from './file-export.ts'
import { FileImports } from './file-import.ts'

export interface HabitatFileOptions {
  readonly database: Database
  /** For files that are being read or made. */
  readonly folder: string
  readonly now: () => Date
  /** For a process that reads a file. */
  readonly limits?: Limits
  readonly work?: WorkQueue
  readonly arrivals?: Arrivals
}

const TYPES: Readonly<Record<HabitatExportFormat, string>> = {
  gpkg: 'application/geopackage+sqlite3',
  geojson: 'application/geo+json',
  csv: 'text/csv; charset=utf-8',
  shp: 'application/zip',
}

export function createHabitatFilesRoom({
  limits = READER_LIMITS,
  work = createWorkQueue(),
  arrivals = createArrivals(),
  ...options
}: HabitatFileOptions) {
  const { database, folder, now } = options
  const fileStore = createStore(folder)
  void fileStore.tidy(now(), 1)
  const imports = new FileImports({ database, fileStore, limits, work })

  async function sendExport(
    caller: Caller,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const hq = paramOf(request, 'hq')
    checkNumber(hq)
    const format = /^habitatbaeume\.(gpkg|geojson|csv|shp)$/.exec(paramOf(request, 'datei'))?.[1] as
      | HabitatExportFormat
      | undefined
    if (format === undefined) throw new Refusal('not_found')
    const choice = { hq, format, epsg: systemOf(request) }
    const order = { person: caller.person, signal: goneSignal(reply) }
    const made = await work.run('long', order, () =>
      writeHabitatExport({ database, fileStore }, caller, choice),
    )
    const disposition = contentDispositionOf(
      'Habitatbaeume',
      made.name,
      now(),
      format === 'shp' ? 'shp.zip' : format,
    )
    return sendMadeFile(reply, fileStore, { ...made, type: TYPES[format], disposition })
  }

  const place = { folder, most: HABITAT_FILE_MOST_BYTES }
  async function sendContent(
    caller: Caller,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const sent = { body: fileOf(request), signal: goneSignal(reply) }
    const content = await arrivals.take(caller, { request, reply }, place, () =>
      imports.readContent(caller, paramOf(request, 'hq'), queryOf(request, 'name'), sent),
    )
    return respond(reply, content)
  }

  const takeIn =
    (isKept: boolean) =>
    async (caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const said = { name: queryOf(request, 'name'), werte: queryOf(request, 'werte'), isKept }
      const sent = { body: fileOf(request), signal: goneSignal(reply) }
      const result = await arrivals.take(caller, { request, reply }, place, () =>
        imports.takeIn(caller, paramOf(request, 'hq'), said, sent),
      )
      return respond(reply, result)
    }

  return {
    name: 'files of habitat trees',
    imports: [treesByProgram(imports)],
    routes: async (app: FastifyInstance) => {
      acceptFiles(app)
      app.post('/habitat/:hq/import/lage', forNutzer(sendContent))
      app.post('/habitat/:hq/import/pruefen', forNutzer(takeIn(false)))
      app.post('/habitat/:hq/import/start', forNutzer(takeIn(true)))
      app.get('/habitat/:hq/export/:datei', forNutzer(sendExport, { programs: 'habitatbaeume' }))
    },
  } satisfies Room
}
