// PGlite with PostGIS in a worker thread, behind the guards that make it fit for a small office:
// docs/decisions/embedded-engine.md.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasonForLog } from '#server/database/log-reason.ts'
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
import { Engine, EngineLostError } from './embedded-engine.ts'
import { dataFolderOf, ensureDataFolder, replaceByCopy } from './embedded-folder.ts'
import { ANSWER_DEFAULT, GROWN, RENEW_ABOVE, requestHeap } from './embedded-limits.ts'
import { type FolderLock, lockFolder, stillHeld } from './embedded-lock.ts'
import type { EmbeddedOptions } from './embedded-options.ts'
import { EngineQueue, type Turn } from './embedded-queue.ts'
import { type EngineSession, openSession, type Run } from './embedded-session.ts'
import { Standby } from './embedded-standby.ts'
import { seatOf } from '#server/rank.ts'
import { openingSteps } from './transaction-steps.ts'
import { WrittenFiles } from './written-files.ts'

/** A statement running for this long may have to be ended, so a new engine is loaded beside it. */
const SUSPECT_MS = 1_000
/**
 * A person who recently had the engine longer than this, or floods it, may keep it for this long at most
 * while others wait.
 */
const HOG_MS = 2_000
/** Time from noticing that the engine has grown to its renewal. */
const SETTLE_MS = 15_000
/** An engine that is cut off is gone within this time. */
const TERMINATE_MS = 100
/** An answer this recent shows that the engine is alive. */
const FRESH_MS = 5_000

export interface EmbeddedDatabase extends Database {
  readonly engine: 'embedded'
  /** This start created the folder. */
  readonly fresh: boolean
  /** The engine was not closed properly last time: worth an integrity check. */
  readonly unclean: boolean
  /** Memory of the engine itself, in bytes. */
  readonly heapBytes: number
  /** Owner-level work; requests wait meanwhile. The connection becomes invalid when `work` has ended. */
  asOwner<T>(work: (owner: OwnerConnection) => Promise<T>): Promise<T>
}

/** Rejects with FolderInUseError or FolderNotUsableError, whose messages are for the operator. */
export async function createEmbeddedDatabase(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const {
    folder,
    log,
    maxAnswerBytes = ANSWER_DEFAULT,
    templateArchive = null,
    now = () => new Date(),
  } = options
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = await lockFolder(join(folder, 'pgdata.lock'), { ...options.lock, log, now })
  try {
    if (lock.fromSilent) await leaveOldFiles(folder, log)
    const limits = { maxAnswerBytes, requestHeapBytes: requestHeap(maxAnswerBytes) }
    const fill = async (empty: string) => {
      const engine = await Engine.prepare({
        ...limits,
        dataFolder: empty,
        lock: null,
        written: new WrittenFiles(),
      })
      await engine.open(options.signal)
      await engine.close()
    }
    const fresh = await ensureDataFolder(folder, templateArchive, fill, options.signal)
    const standby = new Standby({
      ...limits,
      dataFolder: dataFolderOf(folder),
      lock: lock.proof,
      written: new WrittenFiles(),
    })
    const database = new Embedded(options, { lock, standby, fresh })
    await database.open(options.signal)
    return database
  } catch (error) {
    lock.release()
    throw error
  }
}

/** The last holder may wake up in the middle of a write, so its open files must not be ours. */
async function leaveOldFiles(folder: string, log: Log): Promise<void> {
  log.warn(
    'the data folder was held by a process that has been silent for too long; its files are replaced by copies',
    { folder },
  )
  if (!(await replaceByCopy(folder)))
    log.warn('no space for a copy of the data folder; it is used as it is', { folder })
}

function endProcess(message: string): void {
  process.stderr.write(`\n${message}\n\n`)
  process.exit(1)
}

interface Parts {
  readonly lock: FolderLock
  readonly standby: Standby
  readonly fresh: boolean
}

class Embedded implements EmbeddedDatabase {
  readonly engine = 'embedded'
  readonly fresh: boolean
  unclean = false
  readonly #folder: string
  readonly #log: Log
  readonly #lock: FolderLock
  readonly #standby: Standby
  readonly #queue: EngineQueue
  readonly #timeoutMs: number
  readonly #maxAnswerBytes: number
  readonly #always: Readonly<Record<string, string>>
  readonly #onLockLost: (message: string) => void
  readonly #heard = new Map<string, Set<(message: string) => void>>()
  #session: EngineSession | null = null
  #closing = false
  #ended: Promise<void> | null = null
  #renewing = false
  /** The engine's memory when it was opened. */
  #startHeap = 0
  #settling: NodeJS.Timeout | null = null
  #answeredAt = 0
  /** Why the last opening failed: until one succeeds, requests are refused at once instead of waiting. */
  #failure: unknown = null

  constructor(options: EmbeddedOptions, { lock, standby, fresh }: Parts) {
    const { loginRole = 'forst_api', maxAnswerBytes = ANSWER_DEFAULT } = options
    this.#folder = options.folder
    this.#log = options.log
    this.#lock = lock
    this.#standby = standby
    this.fresh = fresh
    this.#timeoutMs = options.timeoutMs ?? 15_000
    this.#maxAnswerBytes = maxAnswerBytes
    this.#queue = new EngineQueue({
      length: options.queueLength ?? 200,
      perPerson: options.personQueueLength ?? 32,
      waitMs: options.queueMs ?? 10_000,
    })
    this.#always = loginRole === null ? {} : { session_authorization: loginRole }
    this.#onLockLost = options.onLockLost ?? endProcess
    lock.onLost = () => this.#loseLock()
  }

  async open(signal?: AbortSignal): Promise<void> {
    const engine = await this.#standby.take()
    engine.onLockLost = () => this.#loseLock()
    engine.onHeard = (channel, message) => this.#heard.get(channel)?.forEach((heard) => heard(message))
    if (!stillHeld(this.#lock.proof)) {
      await engine.kill('another process has the data folder', 'lock')
      return this.#loseLock()
    }
    await engine.open(signal)
    const session = openSession(engine, this.#folder, this.#maxAnswerBytes, () => stillHeld(this.#lock.proof))
    this.unclean = session.unclean
    this.#session = session
    this.#startHeap = session.heapBytes
    this.#settle(null)
    engine.onLost = () => void this.#reopen()
    this.#failure = null
    this.#queue.setOpen(true)
  }

  /**
   * Retries until it succeeds: a full disk, for instance, may become free again. Waiting requests are
   * rejected after the first failure.
   */
  async #reopen(): Promise<void> {
    this.#queue.setOpen(false)
    this.#session = null
    for (let pause = 500; !this.#closing; pause = Math.min(pause * 2, 3_000)) {
      try {
        const begun = performance.now()
        await this.open()
        this.#log.warn('embedded database was opened again', {
          tookMs: Math.round(performance.now() - begun),
        })
        // A statement that had to be ended is often sent again.
        void this.#standby.prepare().catch(() => undefined)
        return
      } catch (error) {
        this.#failure = error
        this.#log.error('embedded database cannot be opened', { reason: reasonForLog(error) })
        this.#queue.rejectAll(new UnavailableFault('the embedded database cannot be opened', error))
        await sleep(pause, undefined, { ref: false })
      }
    }
  }

  /** A process that lost the lock never confirms anything again. */
  #loseLock(): void {
    if (this.#closing) return
    this.#closing = true
    this.#queue.setOpen(false)
    this.#queue.rejectAll(new UnavailableFault('the data folder belongs to another process'))
    this.#standby.drop()
    void this.#session?.lose('another process has the data folder')
    this.#onLockLost(
      `Forstkontor beendet sich: Der Datenordner ${this.#folder} wurde von einem anderen Forstkontor ` +
        'übernommen, weil dieses hier zu lange ' +
        'stillstand (oder seine Sperrdatei wurde entfernt). Nichts Bestätigtes ist verloren. ' +
        'Bitte nur eines von beiden laufen lassen.',
    )
  }

  get heapBytes(): number {
    return this.#session?.heapBytes ?? 0
  }

  /** Runs work in its turn, then checks the engine. */
  async #run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    try {
      const result = await this.#queue.run(turn, work)
      this.#answeredAt = performance.now()
      return result
    } catch (error) {
      if (error instanceof DatabaseFault && error.cause instanceof EngineLostError && error.cause.begun)
        this.#queue.strike(turn.person)
      throw error
    } finally {
      this.#lookAtMemory()
    }
  }

  /** Runs work that may have to be ended; if it takes long, a new engine is loaded meanwhile. */
  async #suspiciously<T>(work: () => Promise<T>): Promise<T> {
    const suspicion = setTimeout(() => void this.#standby.prepare().catch(() => undefined), SUSPECT_MS)
    try {
      return await work()
    } finally {
      clearTimeout(suspicion)
    }
  }

  #lookAtMemory(): void {
    if (this.#renewing || this.#closing || this.heapBytes <= this.#startHeap + GROWN) return
    if (this.heapBytes > RENEW_ABOVE) void this.#renew()
    else if (this.#settling === null) this.#settle(setTimeout(() => void this.#renew(), SETTLE_MS).unref())
  }

  /** Schedules a renewal; null cancels it. */
  #settle(timer: NodeJS.Timeout | null): void {
    if (this.#settling !== null) clearTimeout(this.#settling)
    this.#settling = timer
  }

  /**
   * The engine's memory never shrinks, so a new engine takes its place. It takes its turn like any other
   * work, so no transaction is cut off.
   */
  async #renew(): Promise<void> {
    if (this.#renewing || this.#closing) return
    this.#renewing = true
    this.#settle(null)
    try {
      await this.#standby.prepare()
      await this.#queue.run({ alone: true, first: true, until: Number.POSITIVE_INFINITY }, () =>
        this.#exchange(),
      )
    } catch (error) {
      this.#log.warn('embedded database could not be renewed yet', { reason: reasonForLog(error) })
    } finally {
      this.#renewing = false
    }
  }

  async #exchange(): Promise<void> {
    const grown = this.#session
    if (grown === null || this.#closing) return
    this.#session = null
    const begun = performance.now()
    await grown.close()
    try {
      await this.open()
      this.#log.info('embedded database was renewed', {
        heapMb: grown.heapBytes / 2 ** 20,
        tookMs: Math.round(performance.now() - begun),
      })
    } catch (error) {
      this.#failure = error
      void this.#reopen()
    }
  }

  #current(): EngineSession {
    if (this.#session === null || this.#closing)
      throw new UnavailableFault('the embedded database is being opened')
    return this.#session
  }

  #checkUsable(): void {
    if (this.#closing) throw new UnavailableFault('the database was closed')
    if (this.#failure !== null)
      throw new UnavailableFault('the embedded database cannot be opened', this.#failure)
  }

  async once<Row = Record<string, unknown>>(context: Context, statement: Statement): Promise<Result<Row>> {
    this.#checkUsable()
    const seat = seatOf(context.person)
    const steps = [...openingSteps(context, this.#always), statement]
    checkComplexity(statement)
    // One wait in total, however often the engine is lost to other requests meanwhile.
    const until = this.#queue.deadline()
    const run: Run = {
      limitMs: context.timeoutMs ?? this.#timeoutMs,
      readOnly: context.readOnly === true,
      until,
      isUnfair: (runMs) => runMs > HOG_MS && this.#queue.isHogging(seat.person, HOG_MS),
    }
    for (;;) {
      this.#checkUsable()
      const answers = await this.#run({ alone: false, ...seat, until }, () =>
        this.#suspiciously(() => this.#current().once(steps, run)),
      )
      // Null: it had not begun when the engine was lost to another request.
      if (answers !== null) return answers.at(-1) as Result<unknown> as Result<Row>
    }
  }

  async transaction<T>(context: Context, work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.#checkUsable()
    const run = async () => {
      const limitMs = context.timeoutMs ?? this.#timeoutMs
      const tx = this.#current().begin(limitMs, openingSteps(context, this.#always))
      return tx.finish(() =>
        work({
          query: async <Row>(statement: Statement) => {
            checkComplexity(statement)
            return (await tx.query([statement])) as Result<unknown> as Result<Row>
          },
        }),
      )
    }
    return this.#run({ alone: true, ...seatOf(context.person) }, () => this.#suspiciously(run))
  }

  async asOwner<T>(work: (owner: OwnerConnection) => Promise<T>): Promise<T> {
    this.#checkUsable()
    return this.#run({ alone: true, ...seatOf(undefined) }, () => this.#current().asOwner(work))
  }

  /** The engine listens to one channel, pgrst. */
  listen(channel: string, heard: (message: string) => void): void {
    this.#heard.set(channel, (this.#heard.get(channel) ?? new Set()).add(heard))
  }

  /** Busy does not mean down: after a recent answer no query is needed. */
  async ping(): Promise<void> {
    this.#checkUsable()
    if (performance.now() - this.#answeredAt < FRESH_MS && this.#session !== null) return
    const { rows } = await this.#run({ alone: true, first: true }, () =>
      this.#current().asOwner((owner) => owner.query<{ answer: number }>('select 42 as answer')),
    )
    if (rows[0]?.answer !== 42)
      throw new DatabaseFault('the engine does not answer rightly', { code: 'XX000' })
  }

  close(withinMs?: number): Promise<void> {
    this.#ended ??= this.#end(withinMs)
    return this.#ended
  }

  /**
   * Waits for running work for at most half of the time, then checkpoints and closes. What takes longer is
   * cut off, and the next opening recovers as after a crash.
   */
  async #end(withinMs: number | undefined): Promise<void> {
    const start = performance.now()
    await Promise.race([
      this.#queue.drained(),
      sleep(withinMs === undefined ? 5_000 : withinMs / 2, undefined, { ref: false }),
    ])
    this.#closing = true
    this.#settle(null)
    this.#queue.setOpen(false)
    this.#queue.rejectAll(new UnavailableFault('the database was closed'))
    this.#standby.drop()
    await this.#session?.close(
      withinMs === undefined ? undefined : Math.max(0, start + withinMs - performance.now() - TERMINATE_MS),
    )
    this.#lock.release()
  }
}
