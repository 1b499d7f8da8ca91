// Handle for one running worker with the embedded engine.
import { setTimeout as sleep } from 'node:timers/promises'
import { type ResourceLimits, Worker } from 'node:worker_threads'
import { type LockProof, stillHeld } from './embedded-lock.ts'
import { SharedState } from './embedded-state.ts'
import type { WorkerReply, WorkerRequest, WorkerStart } from './embedded-worker.ts'
import { type CompiledCode, compileEngine } from './engine-instance.ts'
import type { WrittenFiles } from './written-files.ts'

export type Answered = Extract<WorkerReply, { kind: 'answer' }>

export type LossCause = 'time' | 'complexity' | 'memory' | 'crash' | 'lock'

/** The engine was lost during this request, or before beginning it. */
export class EngineLostError extends Error {
  override readonly name = 'EngineLostError'
  /** False: it was still in the worker's mailbox and certainly had no effect. */
  readonly begun: boolean
  /** Its commit was in progress and may or may not have happened. */
  readonly committing: boolean
  override readonly cause: LossCause
  constructor(
    message: string,
    cause: LossCause,
    at: { begun: boolean; committing: boolean } = { begun: false, committing: false },
  ) {
    super(message)
    this.begun = at.begun
    this.committing = at.committing
    this.cause = cause
  }
}

export class AnswerTooBigError extends Error {
  override readonly name = 'AnswerTooBigError'
}

/** The request was withdrawn before the engine began it. */
export class WithdrawnError extends Error {
  override readonly name = 'WithdrawnError'
}

interface Pending {
  resolve(answer: Answered): void
  reject(error: Error): void
}

export interface EngineOptions {
  readonly dataFolder: string
  readonly lock: LockProof | null
  readonly written: WrittenFiles
  readonly maxAnswerBytes: number
  readonly requestHeapBytes: number
}

export interface Sent {
  readonly answer: Promise<Answered>
  /** False: too late, the engine has begun it. */
  withdraw(): boolean
}

const LIMITS: ResourceLimits = {
  // Deep recursion must hit PostgreSQL's own stack limit, which raises a proper error, before JavaScript's,
  // which does not.
  stackSizeMb: 32,
  // The thread holds few JavaScript objects. Needing more is a bug of ours, which must end the thread and not
  // the process.
  maxOldGenerationSizeMb: 512,
}

let compiled: Promise<CompiledCode> | null = null

export class Engine {
  readonly #worker: Worker
  readonly #state: SharedState
  readonly #lock: LockProof | null
  readonly #pending = new Map<number, Pending>()
  readonly #exited: Promise<void>
  readonly #closed: Promise<void>
  readonly #ready: Promise<void>
  /** Resolves when everything except the data folder is loaded. */
  readonly warm: Promise<void>
  #next = 0
  #lost = false
  onLost: () => void = () => undefined
  onLockLost: () => void = () => undefined
  onHeard: (channel: string, message: string) => void = () => undefined

  private constructor(worker: Worker, state: SharedState, lock: LockProof | null) {
    this.#worker = worker
    this.#lock = lock
    this.#state = state
    this.#exited = new Promise((resolve) => worker.once('exit', () => resolve()))
    const [warm, ready, closed] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ]
    this.#closed = closed.promise
    this.warm = warm.promise
    this.#ready = ready.promise
    const fail = (error: Error) => {
      warm.reject(error)
      ready.reject(error)
    }
    worker.on('message', (reply: WorkerReply) => {
      if (reply.kind === 'warm') warm.resolve()
      else if (reply.kind === 'ready') ready.resolve()
      else if (reply.kind === 'closed') closed.resolve()
      else if (reply.kind === 'failed') fail(new Error(reply.message))
      else if (reply.kind === 'heard') this.onHeard(reply.channel, reply.message)
      else this.#receive(reply)
    })
    for (const event of ['error', 'messageerror'] as const) {
      worker.on(event, (error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error)
        fail(new Error(reason))
        void this.kill(`the engine crashed: ${reason}`, 'crash')
      })
    }
    worker.on('exit', () => {
      fail(new Error('the engine ended while it was starting'))
      void this.kill('the engine ended', 'crash')
    })
    // Prevents unhandled rejections when nobody awaits these.
    for (const promise of [this.warm, this.#ready]) promise.catch(() => undefined)
  }

  /** Begins to load an engine; it does not touch the data folder until open(). */
  static async prepare({ written, ...options }: EngineOptions): Promise<Engine> {
    compiled ??= compileEngine()
    const state = new SharedState()
    const start: WorkerStart = {
      ...options,
      written: written.words,
      state: state.words,
      code: await compiled,
    }
    return new Engine(
      new Worker(new URL('./embedded-worker.ts', import.meta.url), {
        workerData: start,
        resourceLimits: LIMITS,
      }),
      state,
      options.lock,
    )
  }

  /** The previous engine must have closed the folder by then. `signal` aborts the opening. */
  async open(signal?: AbortSignal): Promise<void> {
    const giveUp = () => void this.#worker.terminate()
    signal?.addEventListener('abort', giveUp, { once: true })
    try {
      signal?.throwIfAborted()
      this.#state.openFolder()
      await this.#ready
    } catch (error) {
      this.#lost = true
      await this.#worker.terminate()
      throw error
    } finally {
      signal?.removeEventListener('abort', giveUp)
    }
  }

  /** Size of the engine's memory, which never shrinks. */
  get heapBytes(): number {
    return this.#state.heapBytes
  }

  get inFlight(): number {
    return this.#pending.size
  }

  send(request: Omit<WorkerRequest, 'id'>): Sent {
    if (this.#lost)
      return {
        answer: Promise.reject(new EngineLostError('the engine is gone', 'crash')),
        withdraw: () => false,
      }
    const id = ++this.#next
    this.#state.announce(id)
    const answer = new Promise<Answered>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
    })
    this.#worker.postMessage({ ...request, id })
    return { answer, withdraw: () => this.#withdraw(id) }
  }

  /**
   * Ends the thread whatever it is doing. Requests it had begun are lost with `cause`; the others never
   * happened.
   */
  async kill(reason: string, cause: LossCause): Promise<void> {
    if (!this.#lost) {
      this.#lost = true
      await this.#worker.terminate()
      const { begun, committing } = this.#state
      const pending = [...this.#pending]
      this.#pending.clear()
      for (const [id, { reject }] of pending)
        reject(new EngineLostError(reason, cause, { begun: id <= begun, committing: id <= committing }))
      this.onLost()
    }
    await this.#exited
  }

  /**
   * Orderly shutdown: checkpoint, close. Resolves when the folder is closed; the thread may still be freeing
   * its memory. False if it took too long and was cut off.
   */
  async close(withinMs?: number): Promise<boolean> {
    const wasLost = this.#lost
    this.#lost = true
    if (!wasLost) this.#worker.postMessage('close')
    const closed = Promise.race([this.#closed, this.#exited]).then(() => true)
    if (withinMs === undefined) return closed
    const inTime = await Promise.race([closed, sleep(withinMs, false, { ref: false })])
    if (!inTime) await this.#worker.terminate()
    return inTime
  }

  #withdraw(id: number): boolean {
    const pending = this.#pending.get(id)
    if (pending === undefined || !this.#state.withdraw(id)) return false
    this.#pending.delete(id)
    pending.reject(new WithdrawnError('it waited for too long'))
    return true
  }

  #receive(reply: WorkerReply): void {
    if (reply.kind === 'lock lost' || (this.#lock !== null && !stillHeld(this.#lock))) {
      void this.#worker.terminate()
      return this.onLockLost()
    }
    if (!('id' in reply)) return
    if (reply.kind === 'unsound') {
      void this.kill(`the engine cannot be trusted any more: ${reply.reason}`, reply.cause)
      return
    }
    const pending = this.#pending.get(reply.id)
    this.#pending.delete(reply.id)
    if (reply.kind === 'answer') pending?.resolve(reply)
    else if (reply.kind === 'too big')
      pending?.reject(new AnswerTooBigError('the answer is larger than the limit'))
  }
}
