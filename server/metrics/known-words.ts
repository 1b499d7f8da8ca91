// Values of labels that are known before anything happens. Their counters begin with 0: of a series that appears with
// its first event, Prometheus sees no increase, so no alert would see that event.
import { STATEMENT_ENDS } from '#server/statement-end.ts'

const QUEUES = ['database', 'long', 'map', 'short', 'tile'] as const
export const ENDS = ['ok', 'failed'] as const

export const KNOWN = {
  statement: STATEMENT_ENDS,
  /** The database's, and those of work-queue.ts. */
  wait: QUEUES,
  refusal: QUEUES,
  renewal: ['orderly', 'recovered'],
  loss: ['memory', 'cpu'],
  log: ['error', 'warn', 'info'],
  mail: ['letter', 'document'],
  child: ['file-reader', 'mail-worker', 'photo-worker', 'reader-worker', 'renderer-worker', 'worker-process'],
} as const satisfies Readonly<Record<string, readonly string[]>>
