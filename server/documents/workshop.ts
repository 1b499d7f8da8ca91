// Makes the files of issued documents in the background: issuing queues a job, which runs at once if this
// server saw it, otherwise in the next round. A job is taken by one server; one that fails is deferred and
// does not hold up the others.
import type { Context, Database } from '#server/database/database.ts'
import { createJob, type Job } from '#server/job.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import type { Log } from '#server/log.ts'
import type { Store, Subject } from './store.ts'

export interface DocumentWorkshopOptions {
  readonly database: Database
  readonly fileStore: Pick<Store, 'make'>
  readonly log: Log
  /** When true, no further document is started; what was taken is taken again later. */
  readonly isStopped?: () => boolean
}

const WRITER: Context = { role: 'forst_dokument' }
const MISSING = {
  name: 'order_missing_documents',
  text: 'select dispatch.order_missing_documents()::integer as n',
}
const TAKE = {
  name: 'take_document',
  text: 'select auftrag_id::text as auftrag, art, id::text as id, versuch from dispatch.take_document()',
}
const SETTLE = { name: 'document_result', text: 'select dispatch.document_result($1, $2)' }

interface JobSpec {
  readonly auftrag: string
  readonly art: Subject
  readonly id: string
  readonly versuch: number
}

/**
 * Queues jobs for issued documents that never had one: issued before jobs existed, or restored
 * from a dump without files.
 */
export async function orderMissing({
  database,
  log,
}: Pick<DocumentWorkshopOptions, 'database' | 'log'>): Promise<number> {
  const { rows } = await database.once<{ n: number }>(WRITER, MISSING)
  const count = rows[0]?.n ?? 0
  if (count > 0) log.info('documents ordered that were missing', { count })
  return count
}

/** Makes everything that is due and returns how many documents were made. */
export async function makeOrdered({
  database,
  fileStore,
  log,
  isStopped = () => false,
}: DocumentWorkshopOptions): Promise<number> {
  let made = 0
  while (!isStopped()) {
    const { rows } = await database.once<JobSpec>(WRITER, TAKE)
    const [order] = rows
    if (order === undefined) break
    const { auftrag, art, id, versuch } = order
    try {
      if (await fileStore.make(art, id)) made++
      await database.once(WRITER, { ...SETTLE, values: [auftrag, null] })
    } catch (error) {
      // An error during shutdown says nothing about the document: the job is taken
      // again after the next start.
      if (isStopped()) break
      const reason = reasonForLog(error)
      log.error('document not made', { art, beleg: id, versuch, reason })
      await database.once(WRITER, { ...SETTLE, values: [auftrag, reason] })
    }
  }
  return made
}

/** So that it does not compete with the start. */
const FIRST_MS = 20_000

export function documentWorkshop({
  everyMs,
  ...options
}: DocumentWorkshopOptions & { readonly everyMs: number }): Job {
  let ordered = false
  return createJob({
    name: 'making of documents',
    firstMs: FIRST_MS,
    everyMs,
    wokenBy: ['a_issue_invoice', 'a_issue_offer', 'a_cancel_invoice', 'a_add_mahnung'],
    round: async (signal) => {
      if (!ordered) await orderMissing(options)
      ordered = true
      await makeOrdered({ ...options, isStopped: () => signal.aborted })
    },
    onFault: (error) => options.log.error('documents could not be made', { reason: reasonForLog(error) }),
  })
}
