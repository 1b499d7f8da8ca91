// In charge of the documents of the books: typeset once they are issued, stored, sent to people who may see
// them, and answered by customers through a link.
import type { FastifyInstance } from 'fastify'
import type { Database } from '#server/database/database.ts'
import type { Store as FileStore } from '#server/files/store.ts'
import type { Log } from '#server/log.ts'
import type { Room } from '#server/room.ts'
import type { WorkQueue } from '#server/work-queue.ts'
import { acceptanceRoutes } from './acceptance.ts'
import { attachmentRoutes } from './attachments.ts'
import { createRenderer } from './renderer.ts'
import { createReportTypesetter } from './report.ts'
import { documentRoutes } from './routes.ts'
import { createStore } from './store.ts'
import { documentWorkshop } from './workshop.ts'

export interface DocumentsRoomOptions {
  readonly database: Database
  readonly log: Log
  /** Files at records, which can be attached to an invoice. */
  readonly storedFiles: FileStore
  readonly now: () => Date
  readonly work: WorkQueue
  /** Requests by a link allowed per network. */
  readonly perMinute: number
  /** Between two checks for issued documents without files. */
  readonly everyMs: number
}

export function createDocumentsRoom(options: DocumentsRoomOptions) {
  const renderer = createRenderer()
  // In its own process: a report of 2,000 trees takes seconds, and invoices must not wait for it.
  const reportRenderer = createRenderer({
    documentsPerWorker: 20,
    timeoutMs: 120_000,
    maxWaiting: 10,
    idleMs: 20_000,
    // 2,000 trees with 500 photos take 600 MB, more with long remarks.
    memoryBytes: 1.5 * 2 ** 30,
  })
  const fileStore = createStore(options.database, renderer)
  return {
    name: 'documents',
    routes: async (app: FastifyInstance) => {
      await app.register(documentRoutes({ ...options, fileStore }))
      await app.register(attachmentRoutes(options))
      await app.register(acceptanceRoutes({ ...options, fileStore }))
    },
    jobs: [documentWorkshop({ ...options, fileStore })],
    close: async () => {
      await Promise.all([renderer.close(), reportRenderer.close()])
    },
    /** Makes the files of an issued document if they are missing. */
    make: fileStore.make,
    /** The files of an issued document, made first if they are missing. */
    fetchFiles: async (...document: Parameters<typeof fileStore.fetchFiles>) => {
      await fileStore.make(...document)
      return fileStore.fetchFiles(...document)
    },
    /** Typesets a report of another room. */
    typesetReport: createReportTypesetter(reportRenderer, options.log),
  } satisfies Room & Record<string, unknown>
}
