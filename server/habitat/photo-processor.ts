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
  resolve(ergebnis: PhotoResult): void
  reject(fault: Error): void
}

export function createPhotoProcessor(options: PhotoProcessorOptions = {}): PhotoProcessor {
  const {
    processes = Math.min(4, availableParallelism()),
    timeoutMs = READER_LIMITS.wallMs,
    cpuMs = READER_LIMITS.cpuMs,
    memoryBytes = READER_LIMITS.memoryBytes,
    idleMs = 30_000,
    onStart,
  } = options
  const waiting: JobSpec[] = []
  const workers = new Set<Worker>()
  let number = 0
  let stopped = false

  interface Worker {
    readonly child: ChildProcess
    job: JobSpec | null
    done: number
    timer: NodeJS.Timeout | undefined
    idle: NodeJS.Timeout | undefined
    endWatch: (() => void) | undefined
  }

  function begin(): Worker {
    const child = startConfined(WORKER, { memoryBytes, cpuMs: null, talk: 'json' })
    const worker: Worker = {
      child,
      job: null,
      done: 0,
      timer: undefined,
      idle: undefined,
      endWatch: undefined,
    }
    workers.add(worker)
    child.on('message', (message: PhotoMessage) => answer(worker, message))
    child.on('error', (error) => end(worker, new PhotoFault('bild_absturz', error.message)))
    child.on('exit', (code, signal) =>
      end(worker, new PhotoFault('bild_absturz', `the process ended with ${signal ?? code}`)),
    )
    onStart?.(child)
    return worker
  }

  function end(worker: Worker, fault: PhotoFault): void {
    if (!workers.delete(worker)) return
    for (const timer of [worker.timer, worker.idle]) clearTimeout(timer)
    worker.endWatch?.()
    killGroup(worker.child)
    const { job } = worker
    if (job !== null) {
      // Retried once: it may have been the machine. The second time it is the photo.
      if (fault.code === 'bild_absturz' && !stopped && job.tries++ === 0) waiting.unshift(job)
      else
        job.reject(
          fault.code === 'bild_absturz' && !stopped ? new PhotoFault('bild_kaputt', fault.message) : fault,
        )
    }
    next()
  }

  function answer(worker: Worker, message: PhotoMessage): void {
    const { job } = worker
    if (job === null || job.nr !== message.nr) return
    worker.job = null
    clearTimeout(worker.timer)
    worker.endWatch?.()
    if (message.kind === 'fertig') {
      job.resolve(message.ergebnis)
      if (++worker.done < MOST_OF_ONE) {
        worker.idle = setTimeout(() => end(worker, new PhotoFault('bild_absturz', 'idle')), idleMs).unref()
        return next()
      }
    } else job.reject(new PhotoFault(message.code, message.message))
    end(worker, new PhotoFault('bild_absturz', 'replaced'))
  }

  function next(): void {
    while (!stopped && waiting.length > 0) {
      const worker =
        [...workers].find(({ job }) => job === null) ?? (workers.size < processes ? begin() : undefined)
      if (worker === undefined) return
      give(worker, waiting.shift()!)
    }
  }

  function give(worker: Worker, job: JobSpec): void {
    clearTimeout(worker.idle)
    worker.job = job
    worker.timer = setTimeout(
      () => end(worker, new PhotoFault('bild_aufwand', `not done within ${timeoutMs} ms`)),
      timeoutMs,
    )
    worker.endWatch = watchUsage(worker.child, { memoryBytes, cpuMs }, (what, used) => {
      if (worker.job !== job) return
      const said =
        what === 'memory'
          ? `${Math.round(used.memoryBytes / 2 ** 20)} MB`
          : `${used.cpuMs} ms of the processor`
      end(worker, new PhotoFault('bild_aufwand', said))
    })
    const { nr, filePath, targets } = job
    worker.child.send({ nr, filePath, targets }, () => undefined)
  }

  return {
    draw: (task) =>
      new Promise((resolve, reject) => {
        if (stopped) return reject(new PhotoFault('bild_absturz', 'the server stops'))
        waiting.push({ ...task, nr: ++number, tries: 0, resolve, reject })
        next()
      }),
    async stop() {
      stopped = true
      for (const job of waiting.splice(0)) job.reject(new PhotoFault('bild_absturz', 'the server stops'))
      for (const worker of workers) end(worker, new PhotoFault('bild_absturz', 'the server stops'))
    },
  }
}
