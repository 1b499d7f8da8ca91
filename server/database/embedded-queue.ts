// Who may use the embedded engine next: single statements flow through two at a time (one runs, one waits in the worker), everything else has it alone.
import { PoolTimeoutFault, UnavailableFault } from './database.ts'

export interface QueueLimits {
  readonly length: number
  readonly waitMs: number
}

interface Job {
  readonly alone: boolean
  start(): Promise<void>
  reject(fault: Error): void
  timer: NodeJS.Timeout | null
}

const SIDE_BY_SIDE = 2

export class EngineQueue {
  readonly #limits: QueueLimits
  readonly #jobs: Job[] = []
  #running = 0
  #aloneRuns = false
  #open = false
  #idle: (() => void) | null = null

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /** Resolves with what `work` answers; `work` begins when it is its turn. */
  run<T>(alone: boolean, work: () => Promise<T>): Promise<T> {
    if (this.#jobs.length >= this.#limits.length)
      return Promise.reject(new UnavailableFault('too many requests are waiting for the database'))
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({ alone, reject, timer: null, start: async () => resolve(await work()) })
      this.#pump()
      const job = this.#jobs.at(-1)
      if (job?.reject === reject) job.timer = setTimeout(() => this.#expire(job), this.#limits.waitMs)
    })
  }

  /** Closed while the engine is being opened again: jobs wait. */
  setOpen(open: boolean): void {
    this.#open = open
    if (open) this.#pump()
  }

  rejectAll(fault: Error): void {
    for (const job of this.#jobs.splice(0)) {
      if (job.timer !== null) clearTimeout(job.timer)
      job.reject(fault)
    }
  }

  /** Resolves when nothing waits and nothing runs. */
  async drained(): Promise<void> {
    if (this.#running === 0 && this.#jobs.length === 0) return
    await new Promise<void>((resolve) => {
      this.#idle = resolve
    })
  }

  #expire(job: Job): void {
    const at = this.#jobs.indexOf(job)
    if (at < 0) return
    this.#jobs.splice(at, 1)
    job.reject(new PoolTimeoutFault(`the database was busy for ${this.#limits.waitMs} ms`))
  }

  #pump(): void {
    while (this.#open && !this.#aloneRuns) {
      const job = this.#jobs[0]
      if (job === undefined || this.#running >= (job.alone ? 1 : SIDE_BY_SIDE)) return
      this.#jobs.shift()
      if (job.timer !== null) clearTimeout(job.timer)
      this.#running++
      this.#aloneRuns = job.alone
      void job
        .start()
        .catch(job.reject)
        .then(() => {
          this.#running--
          if (job.alone) this.#aloneRuns = false
          this.#pump()
          if (this.#running === 0 && this.#jobs.length === 0) this.#idle?.()
        })
    }
  }
}
