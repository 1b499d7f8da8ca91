// Draws photos beside the server, in as many processes as there are cores and at most four: decoders are
// native code and files come from outside. A process draws many photos, because starting one takes as long as
// drawing; it is ended after the first refused one, so that nothing such a file did affects the next.
import type { ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { killGroup, READER_LIMITS, startConfined, watchUsage } from '#server/reader/confined.ts'
import { type PhotoWork, type PhotoResult, PhotoFault, type PhotoMessage } from './photo-work.ts'

export interface PhotoProcessor {
  /** Draws when its turn comes. After a fault nothing may be kept. */
  draw(task: Omit<PhotoWork, 'nr'>): Promise<PhotoResult>
  stop(): Promise<void>
}

export interface PhotoProcessorOptions {
  readonly processes?: number
  readonly timeoutMs?: number
  readonly cpuMs?: number
  readonly memoryBytes?: number
  /** An idle process ends after this time. */
  readonly idleMs?: number
  /** For tests: called with each process as it starts. */
  onStart?(child: ChildProcess): void
}

const WORKER = new URL('./photo-worker.ts', import.meta.url)
/** Limits what a leaking decoder can accumulate. */
const MOST_OF_ONE = 200

interface JobSpec extends PhotoWork {
  tries: number
  resolve(result: PhotoResult): void
  reject(fault: Error): void
}

interface Worker {
  readonly child: ChildProcess
  job: JobSpec | null
  done: number
  timer: NodeJS.Timeout | undefined
  idle: NodeJS.Timeout | undefined
  endWatch: (() => void) | undefined
}

export const createPhotoProcessor = (options: PhotoProcessorOptions = {}): PhotoProcessor =>
  new WorkerPool({
    processes: Math.min(4, availableParallelism()),
    timeoutMs: READER_LIMITS.wallMs,
    cpuMs: READER_LIMITS.cpuMs,
    memoryBytes: READER_LIMITS.memoryBytes,
    idleMs: 30_000,
    onStart: () => undefined,
    ...options,
  })

class WorkerPool implements PhotoProcessor {
  readonly #options: Required<PhotoProcessorOptions>
  readonly #waiting: JobSpec[] = []
  readonly #workers = new Set<Worker>()
  #lastNumber = 0
  #isStopped = false

  constructor(options: Required<PhotoProcessorOptions>) {
    this.#options = options
  }

  draw(task: Omit<PhotoWork, 'nr'>): Promise<PhotoResult> {
    return new Promise((resolve, reject) => {
      if (this.#isStopped) return reject(new PhotoFault('bild_absturz', 'the server stops'))
      this.#waiting.push({ ...task, nr: ++this.#lastNumber, tries: 0, resolve, reject })
      this.#next()
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    const fault = new PhotoFault('bild_absturz', 'the server stops')
    for (const job of this.#waiting.splice(0)) job.reject(fault)
    for (const worker of this.#workers) this.#end(worker, fault)
  }

  #next(): void {
    while (!this.#isStopped && this.#waiting.length > 0) {
      const worker = this.#freeWorker()
      if (worker === undefined) return
      this.#give(worker, this.#waiting.shift()!)
    }
  }

  #freeWorker(): Worker | undefined {
    const idle = [...this.#workers].find(({ job }) => job === null)
    return idle ?? (this.#workers.size < this.#options.processes ? this.#begin() : undefined)
  }

  #begin(): Worker {
    const { memoryBytes, onStart } = this.#options
    const child = startConfined(WORKER, { memoryBytes, cpuMs: null, talk: 'json' })
    const worker: Worker = {
      child,
      job: null,
      done: 0,
      timer: undefined,
      idle: undefined,
      endWatch: undefined,
    }
    this.#workers.add(worker)
    child.on('message', (message: PhotoMessage) => this.#receive(worker, message))
    child.on('error', (error) => this.#end(worker, new PhotoFault('bild_absturz', error.message)))
    child.on('exit', (code, signal) =>
      this.#end(worker, new PhotoFault('bild_absturz', `the process ended with ${signal ?? code}`)),
    )
    onStart(child)
    return worker
  }

  #give(worker: Worker, job: JobSpec): void {
    const { timeoutMs, memoryBytes, cpuMs } = this.#options
    clearTimeout(worker.idle)
    worker.job = job
    worker.timer = setTimeout(
      () => this.#end(worker, new PhotoFault('bild_aufwand', `not done within ${timeoutMs} ms`)),
      timeoutMs,
    )
    worker.endWatch = watchUsage(worker.child, { memoryBytes, cpuMs }, (what, used) => {
      if (worker.job !== job) return
      const said =
        what === 'memory'
          ? `${Math.round(used.memoryBytes / 2 ** 20)} MB`
          : `${used.cpuMs} ms of the processor`
      this.#end(worker, new PhotoFault('bild_aufwand', said))
    })
    const { nr, filePath, targets } = job
    worker.child.send({ nr, filePath, targets }, () => undefined)
  }

  #receive(worker: Worker, message: PhotoMessage): void {
    const { job } = worker
    if (job === null || job.nr !== message.nr) return
    worker.job = null
    clearTimeout(worker.timer)
    worker.endWatch?.()
    if (message.kind === 'fertig') {
      job.resolve(message.ergebnis)
      if (++worker.done < MOST_OF_ONE) {
        const idle = () => this.#end(worker, new PhotoFault('bild_absturz', 'idle'))
        worker.idle = setTimeout(idle, this.#options.idleMs).unref()
        return this.#next()
      }
    } else job.reject(new PhotoFault(message.code, message.message))
    this.#end(worker, new PhotoFault('bild_absturz', 'replaced'))
  }

  #end(worker: Worker, fault: PhotoFault): void {
    if (!this.#workers.delete(worker)) return
    for (const timer of [worker.timer, worker.idle]) clearTimeout(timer)
    worker.endWatch?.()
    killGroup(worker.child)
    if (worker.job !== null) this.#fail(worker.job, fault)
    this.#next()
  }

  #fail(job: JobSpec, fault: PhotoFault): void {
    const isCrash = fault.code === 'bild_absturz' && !this.#isStopped
    // Retried once: it may have been the machine. The second time it is the photo.
    if (isCrash && job.tries++ === 0) this.#waiting.unshift(job)
    else job.reject(isCrash ? new PhotoFault('bild_kaputt', fault.message) : fault)
  }
}
