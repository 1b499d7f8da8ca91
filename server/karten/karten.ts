// Everything about the files of plans in one server: their store, their routes, and the jobs.
import { join } from 'node:path'
import type { Database } from '#server/database/database.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import type { Log } from '#server/log.ts'
import type { Store } from '#server/files/store.ts'
import type { Room } from '#server/room.ts'
import type { WorkQueue } from '#server/work-queue.ts'
import type { Limits } from '#server/reader/confined.ts'
import { runWork } from './run-work.ts'
import { type Alone, cleanerJob } from './cleaner.ts'
import { planJobs } from './jobs.ts'
import { fileRoutes } from './file-routes.ts'
import { pageRoute } from './page-route.ts'
import { readGrid } from './grid.ts'
import { putTrialFiles } from './trial-files.ts'
import { seamRoute } from './seam-route.ts'
import { scanUpload } from './scan-upload.ts'
import { findTools } from './tools.ts'

export interface KartenOptions {
  readonly alone: Alone
  readonly database: Database
  readonly fileStore: Store
  readonly log: Log
  readonly now: () => Date
  readonly prefix: string
  /** For a process that looks at a file. */
  readonly limits: Limits
  readonly work: WorkQueue
  /** Files of a trial's plans; null in production. */
  readonly probe: string | null
  readonly config: {
    readonly FILES_DIR: string
    readonly UPLOAD_LIMIT_MB: number
    readonly UPLOADS_OPEN: number
    readonly WARPER: 'eigen' | 'gdal'
    readonly MAP_TOOLS: readonly string[]
    readonly JOB_MEMORY_MB: number
    readonly DRAW_MEMORY_MB: number
    readonly DRAW_CPU_S: number
    readonly DRAW_TIME_S: number
    readonly TILES_TIME_S: number
    readonly WARP_TIME_S: number
    readonly PROJ_GRID_DIR: string | undefined
    readonly MAIL_EVERY_S: number
  }
}

/** The same for every kind of upload: a person's files share one quota. */
export const uploadQuota = ({ UPLOADS_OPEN, UPLOAD_LIMIT_MB }: KartenOptions['config']) => ({
  uploads: UPLOADS_OPEN,
  bytes: 2 * UPLOAD_LIMIT_MB * 2 ** 20,
})

export async function createKartenRoom({
  alone,
  database,
  fileStore,
  log,
  now,
  prefix,
  probe,
  config,
  limits,
  work,
}: KartenOptions): Promise<Room> {
  const [tools, grid] = await Promise.all([findTools(config.MAP_TOOLS), readGrid(config.PROJ_GRID_DIR)])
  if (config.WARPER === 'gdal' && tools.gdal === null)
    log.error('GDAL not found, the built-in warper is used', { folders: config.MAP_TOOLS.join(', ') })
  if (grid.bytes === null) log.info('without BETA2007.gsb EPSG 31466 to 31469 are off')
  // Without them the plans say that their scan cannot be shown, which is no reason not to start.
  if (probe !== null)
    await putTrialFiles({ database, fileStore, folder: probe }).catch((error: unknown) =>
      log.error('files of the trial could not be laid out', { reason: reasonForLog(error) }),
    )
  const memoryBytes = config.JOB_MEMORY_MB * 2 ** 20
  const jobs = planJobs({
    database,
    fileStore,
    runWork,
    log,
    memoryBytes,
    times: { tilesMs: config.TILES_TIME_S * 1000, warpMs: config.WARP_TIME_S * 1000 },
    converter: grid.converter,
    gdal: config.WARPER === 'gdal' ? tools.gdal : null,
    gridFolder: config.PROJ_GRID_DIR,
    everyMs: config.MAIL_EVERY_S * 1000,
  })
  const scans = {
    database,
    fileStore,
    runWork,
    folder: join(config.FILES_DIR, 'uploads'),
    prefix,
    maxBytes: config.UPLOAD_LIMIT_MB * 2 ** 20,
    quota: uploadQuota(config),
    limits,
    drawing: {
      memoryBytes: config.DRAW_MEMORY_MB * 2 ** 20,
      cpuMs: config.DRAW_CPU_S * 1000,
      wallMs: config.DRAW_TIME_S * 1000,
    },
    pdftoppm: tools.pdftoppm,
    log,
    now,
    wake: () => jobs.forEach((job) => job.wake()),
    work,
  }
  const upload = scanUpload(scans)
  const cleaner = cleanerJob({ alone, database, fileStore, log, now, cleanUpUploads: upload.tidyUp })
  const routes = fileRoutes({ database, fileStore, grid, log, work })
  const seams = seamRoute({
    database,
    fileStore,
    runWork,
    memoryBytes,
    gridFolder: config.PROJ_GRID_DIR,
    work,
  })
  return {
    name: 'plans',
    routes: async (app) => {
      await app.register(routes)
      await app.register(upload.install)
      await app.register(pageRoute(scans))
      await app.register(seams)
    },
    jobs: [...jobs, cleaner],
  }
}
