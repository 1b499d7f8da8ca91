// PGlite with PostGIS in a worker thread, behind the guards that make it fit for a small office: docs/decisions/embedded-engine.md.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#server/log.ts'
import { checkComplexity } from './complexity.ts'
import {
  type Context,
  type Database,
  DatabaseFault,
  type OwnerConnection,
  type Result,
  type Statement,
  type Transaction,
  UnavailableFault,
} from './database.ts'
import { Engine } from './embedded-engine.ts'
import { dataFolderOf, ensureDataFolder } from './embedded-folder.ts'
import { type FolderLock, lockFolder } from './embedded-lock.ts'
import { type EngineSession, openSession } from './embedded-session.ts'
import { EngineQueue } from './embedded-queue.ts'
import { openingSteps } from './transaction-steps.ts'

export interface EmbeddedOptions {
  /** Holds the data folder and its lock; made when missing. */
  readonly folder: string
  readonly log: Log
  /** Longest run of a transaction that names no limit of its own; then the engine is ended and opened again. */
  readonly timeoutMs?: number
  /** Requests that may wait; one more is refused at once. */
  readonly queueLength?: number
  /** Longest wait for the engine. */
  readonly queueMs?: number
  readonly maxAnswerBytes?: number
  /** Made by buildTemplateArchive; without it a new database is made from nothing, which takes long. */
  readonly templateArchive?: string
  /** Login that requests run under before they switch to their role, as on PostgreSQL; null where the database has no such role. */
  readonly loginRole?: string | null
  readonly now?: () => Date
  /** Gives the opening up and lets go of the folder. */
  readonly signal?: AbortSignal
}

/**
 * Each error leaves a piece of the engine's stack behind, because WebAssembly cannot give it back: after some 3,000 refusals by a procedure (tried) every statement
 * ends with "stack depth limit exceeded", and anybody could bring that about. So the engine is renewed between requests long before.
 */
const WORN_AFTER = 700

/** An engine that is cut off is gone within this. */
const TERMINATE_MS = 100

export interface EmbeddedDatabase extends Database {
  readonly engine: 'embedded'
  /** The folder was made by this start. */
  readonly fresh: boolean
  /** The engine was not closed last time: worth a check of integrity. */
  readonly unclean: boolean
  /** Owner-level work; requests wait meanwhile. The connection is no longer valid when `work` has ended. */
  asOwner<T>(work: (owner: OwnerConnection) => Promise<T>): Promise<T>
}

/** Rejects with FolderInUse or FolderNotUsable, whose messages are for the operator. */
export async function createEmbeddedDatabase(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { folder, log, maxAnswerBytes = 64 * 2 ** 20, templateArchive = null, now = () => new Date() } = options
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = await lockFolder(join(folder, 'pgdata.lock'), { log, now })
  try {
    const fill = async (empty: string) => void (await (await Engine.start(empty, maxAnswerBytes, options.signal)).close())
    const fresh = await ensureDataFolder(folder, templateArchive, fill, options.signal)
    const database = new Embedded(options, lock, fresh)
    await database.open(options.signal)
    return database
  } catch (error) {
    lock.release()
    throw error
  }
}

class Embedded implements EmbeddedDatabase {
  readonly engine = 'embedded'
  readonly fresh: boolean
  unclean = false
  readonly #folder: string
  readonly #log: Log
  readonly #lock: FolderLock
  readonly #queue: EngineQueue
  readonly #timeoutMs: number
  readonly #maxAnswerBytes: number
  readonly #always: Readonly<Record<string, string>>
  #session: EngineSession | null = null
  #closing = false
  #ended: Promise<void> | null = null
  #renewing = false
  /** Why the last opening failed: until the next one succeeds nobody needs to wait to hear it. */
  #failure: unknown = null

  constructor(options: EmbeddedOptions, lock: FolderLock, fresh: boolean) {
    const { loginRole = 'forst_api' } = options
    this.#folder = options.folder
    this.#log = options.log
    this.#lock = lock
    this.fresh = fresh
    this.#timeoutMs = options.timeoutMs ?? 15_000
    this.#maxAnswerBytes = options.maxAnswerBytes ?? 64 * 2 ** 20
    this.#queue = new EngineQueue({ length: options.queueLength ?? 200, waitMs: options.queueMs ?? 10_000 })
    this.#always = loginRole === null ? {} : { session_authorization: loginRole }
  }

  async open(signal?: AbortSignal): Promise<void> {
    const engine = await Engine.start(dataFolderOf(this.#folder), this.#maxAnswerBytes, signal)
    const session = openSession(engine, this.#folder)
    this.unclean = session.unclean
    this.#session = session
    engine.onLost = () => void this.#reopen()
    this.#failure = null
    this.#queue.setOpen(true)
  }

  /** Until it succeeds: a full disk, for instance, becomes free again. Who waits meanwhile is told after the first failure. */
  async #reopen(): Promise<void> {
    this.#queue.setOpen(false)
    this.#session = null
    for (let pause = 500; !this.#closing; pause = Math.min(pause * 2, 3_000)) {
      try {
        this.#log.warn('embedded database is opened again')
        await this.open()
        return
      } catch (error) {
        this.#failure = error
        this.#log.error('embedded database cannot be opened', { reason: String(error) })
        this.#queue.rejectAll(new UnavailableFault('the embedded database cannot be opened', error))
        await sleep(pause, undefined, { ref: false })
      }
    }
  }

  /** Work in its turn; afterwards the engine is looked at. */
  async #run<T>(alone: boolean, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#queue.run(alone, work)
    } finally {
      this.#renewWhenWorn()
    }
  }

  /** Takes its turn like any other work, so nobody's transaction is cut. */
  #renewWhenWorn(): void {
    if (this.#renewing || this.#closing || (this.#session?.failures ?? 0) < WORN_AFTER) return
    this.#renewing = true
    this.#queue
      .run(true, () => this.#renew())
      .catch((error: unknown) => this.#log.warn('embedded database could not be renewed yet', { reason: String(error) }))
      .finally(() => {
        this.#renewing = false
      })
  }

  async #renew(): Promise<void> {
    const worn = this.#session
    if (worn === null || this.#closing) return
    this.#session = null
    await worn.close()
    try {
      await this.open()
    } catch (error) {
      this.#failure = error
      void this.#reopen()
    }
  }

  #current(): EngineSession {
    if (this.#session === null || this.#closing) throw new UnavailableFault('the embedded database is being opened')
    return this.#session
  }

  #checkUsable(): void {
    if (this.#closing) throw new UnavailableFault('the database was closed')
    if (this.#failure !== null) throw new UnavailableFault('the embedded database cannot be opened', this.#failure)
  }

  async once<Row = Record<string, unknown>>(context: Context, statement: Statement): Promise<Result<Row>> {
    this.#checkUsable()
    const steps = [...openingSteps(context, this.#always), statement]
    checkComplexity(statement)
    const limit = context.timeoutMs ?? this.#timeoutMs
    for (;;) {
      const answers = await this.#run(false, () => this.#current().once(steps, limit, context.readOnly === true))
      // Null: it had not begun when the engine was lost to another request.
      if (answers !== null) return answers.at(-1) as Result<unknown> as Result<Row>
    }
  }

  async transaction<T>(context: Context, work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.#checkUsable()
    const limit = context.timeoutMs ?? this.#timeoutMs
    return this.#run(true, async () => {
      const tx = this.#current().begin(limit, openingSteps(context, this.#always))
      return tx.finish(() =>
        work({
          query: async <Row>(statement: Statement) => {
            checkComplexity(statement)
            return (await tx.query([statement])) as Result<unknown> as Result<Row>
          },
        }),
      )
    })
  }

  async asOwner<T>(work: (owner: OwnerConnection) => Promise<T>): Promise<T> {
    this.#checkUsable()
    return this.#run(true, () => this.#current().asOwner(work))
  }

  async ping(): Promise<void> {
    const { rows } = await this.asOwner((owner) => owner.query<{ answer: number }>('select 42 as answer'))
    if (rows[0]?.answer !== 42) throw new DatabaseFault('the engine does not answer rightly', { code: 'XX000' })
  }

  close(withinMs?: number): Promise<void> {
    this.#ended ??= this.#end(withinMs)
    return this.#ended
  }

  /** Waits for what is under way, at most half of the time; then checkpoint and close. What takes longer is cut off, and the next opening repairs as after a crash. */
  async #end(withinMs: number | undefined): Promise<void> {
    const start = performance.now()
    await Promise.race([this.#queue.drained(), sleep(withinMs === undefined ? 5_000 : withinMs / 2, undefined, { ref: false })])
    this.#closing = true
    this.#queue.setOpen(false)
    this.#queue.rejectAll(new UnavailableFault('the database was closed'))
    await this.#session?.close(withinMs === undefined ? undefined : Math.max(0, start + withinMs - performance.now() - TERMINATE_MS))
    this.#lock.release()
  }
}
