// How the embedded database is opened.
import type { Log } from '#server/log.ts'
import type { LockOptions } from './embedded-lock.ts'

export interface EmbeddedOptions {
  /** Holds the data folder and its lock; created if missing. */
  readonly folder: string
  readonly log: Log
  /**
   * Longest run of a transaction that sets no limit of its own; after that the engine is ended and reopened.
   */
  readonly timeoutMs?: number
  /** Requests that may wait; any further one is refused at once. */
  readonly queueLength?: number
  /** Requests of one person that may wait. */
  readonly personQueueLength?: number
  /** Longest wait for the engine. */
  readonly queueMs?: number
  /** Maximum bytes of one answer to a request. */
  readonly maxAnswerBytes?: number
  /** Made by buildTemplateArchive; without it a new database is created from scratch, which takes long. */
  readonly templateArchive?: string
  /**
   * Login that requests run under before they switch to their role, as on PostgreSQL; null if the database
   * has no such role.
   */
  readonly loginRole?: string | null
  readonly now?: () => Date
  /** Aborts the opening and releases the folder. */
  readonly signal?: AbortSignal
  /**
   * How the folder is locked: the silence after which a holder on another machine counts as gone, and the
   * name of this machine.
   */
  readonly lock?: Pick<LockOptions, 'silenceMs' | 'host'>
  /**
   * Another process took the folder while this one was frozen. Nothing was confirmed since; the process must
   * end.
   */
  readonly onLockLost?: (message: string) => void
}
