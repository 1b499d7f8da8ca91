// One running worker with the embedded engine, seen from the other side.
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { WorkerReply, WorkerRequest, WorkerStart } from './embedded-worker.ts'

export type Answered = Extract<WorkerReply, { kind: 'answer' }>

export type LossCause = 'time' | 'complexity' | 'crash'

/** The engine did not survive this request, or never began it. */
export class EngineLost extends Error {
  override readonly name = 'EngineLost'
  /** False: it waited in the worker's mailbox and certainly had no effect. */
  readonly begun: boolean
  /** Its commit was under way: it may or may not have happened. */
  readonly committing: boolean
  override readonly cause: LossCause
  constructor(message: string, cause: LossCause, at: { begun: boolean; committing: boolean } = { begun: false, committing: false }) {
    super(message)
    this.begun = at.begun
    this.committing = at.committing
    this.cause = cause
  }
}

export class AnswerTooBig extends Error {
  override readonly name = 'AnswerTooBig'
}

interface Pending {
  resolve(answer: Answered): void
  reject(error: Error): void
}

/** Deep recursion must hit PostgreSQL's own stack limit, which is a real error, before it hits JavaScript's, which is none. */
const STACK_MB = 32

export class Engine {
  readonly #worker: Worker
  readonly #begun: Int32Array
  readonly #pending = new Map<number, Pending>()
  readonly #exited: Promise<void>
  #next = 0
  #failures = 0
  #lost = false
  onLost: () => void = () => undefined

  private constructor(worker: Worker, begun: Int32Array) {
    this.#worker = worker
    this.#begun = begun
    this.#exited = new Promise((resolve) => worker.once('exit', () => resolve()))
  }

  static async start(dataFolder: string, maxAnswerBytes: number, signal?: AbortSignal): Promise<Engine> {
    signal?.throwIfAborted()
    const begun = new Int32Array(new SharedArrayBuffer(8))
    const start: WorkerStart = { dataFolder, begun, maxAnswerBytes }
    const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), {
      workerData: start,
      resourceLimits: { stackSizeMb: STACK_MB },
    })
    const engine = new Engine(worker, begun)
    const giveUp = () => void worker.terminate()
    signal?.addEventListener('abort', giveUp, { once: true })
    try {
      await new Promise<void>((resolve, reject) => {
        worker.once('error', reject)
        worker.once('exit', () => reject(new Error('the engine ended while it was starting')))
        worker.once('message', (reply: WorkerReply) => (reply.kind === 'ready' ? resolve() : reject(new Error(messageOf(reply)))))
      })
    } catch (error) {
      await worker.terminate()
      throw error
    } finally {
      signal?.removeEventListener('abort', giveUp)
    }
    engine.#listen()
    return engine
  }

  /** Statements that ended in an error since the start. */
  get failures(): number {
    return this.#failures
  }

  get inFlight(): number {
    return this.#pending.size
  }

  send(request: Omit<WorkerRequest, 'id'>): Promise<Answered> {
    if (this.#lost) return Promise.reject(new EngineLost('the engine is gone', 'crash'))
    const id = ++this.#next
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#worker.postMessage({ ...request, id })
    })
  }

  /** Ends the thread in the middle of whatever it does. What it had begun is lost with `cause`; the rest never happened. */
  async kill(reason: string, cause: LossCause): Promise<void> {
    if (!this.#lost) {
      this.#lost = true
      await this.#worker.terminate()
      const [begun, committing] = [Atomics.load(this.#begun, 0), Atomics.load(this.#begun, 1)]
      const pending = [...this.#pending]
      this.#pending.clear()
      for (const [id, { reject }] of pending) reject(new EngineLost(reason, cause, { begun: id <= begun, committing: id <= committing }))
      this.onLost()
    }
    await this.#exited
  }

  /** Orderly end: checkpoint, close. False when it took too long and was cut off. */
  async close(withinMs?: number): Promise<boolean> {
    const wasLost = this.#lost
    this.#lost = true
    if (!wasLost) this.#worker.postMessage('close')
    if (withinMs === undefined) return this.#exited.then(() => true)
    const inTime = await Promise.race([this.#exited.then(() => true), sleep(withinMs, false, { ref: false })])
    if (!inTime) await this.#worker.terminate()
    return inTime
  }

  #listen(): void {
    this.#worker.removeAllListeners('error').removeAllListeners('message')
    this.#worker.on('message', (reply: WorkerReply) => this.#receive(reply))
    this.#worker.on('error', (error) => void this.kill(`the engine crashed: ${error.message}`, 'crash'))
    this.#worker.on('exit', () => void this.kill('the engine ended', 'crash'))
  }

  #receive(reply: WorkerReply): void {
    if (!('id' in reply)) return
    if (reply.kind === 'unsound') {
      void this.kill(`the engine cannot be trusted any more: ${reply.reason}`, reply.tooComplex ? 'complexity' : 'crash')
      return
    }
    const pending = this.#pending.get(reply.id)
    this.#pending.delete(reply.id)
    if (reply.kind === 'answer' && reply.failed) this.#failures++
    if (reply.kind === 'answer') pending?.resolve(reply)
    else pending?.reject(new AnswerTooBig(`the answer of ${reply.size} bytes is larger than the limit`))
  }
}

const messageOf = (reply: WorkerReply) => (reply.kind === 'failed' ? reply.message : `unexpected ${reply.kind}`)
