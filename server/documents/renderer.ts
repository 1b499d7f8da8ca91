// Documents on demand: a process beside the server typesets them in the order of the requests. The compiler
// is native code: a crash in it must not take the server down, and a hang must be ended. The process is
// replaced after a number of documents, because it keeps memory of each, and ended when idle for a while.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import type { Beleg } from '#domain/beleg.ts'
import { killGroup, startConfined, watchUsage } from '#server/reader/confined.ts'
import type { TypesetJob } from '#server/typeset-job.ts'
import type { BelegRequest, RenderReply, RenderRequest } from './renderer-worker.ts'
import type { Enclosures } from './typesetter.ts'

/**
 * logo: the image of the settings cannot be read. satz: the template failed. zeit: not done in time. voll:
 * too many are waiting. absturz: the typesetting process ended. beendet: the server is stopping.
 */
export type DocumentFaultCode = 'logo' | 'satz' | 'zeit' | 'voll' | 'absturz' | 'beendet'

/** `message` is for the log; what a reader sees depends on the code. */
export class DocumentFault extends Error {
  override readonly name = 'DocumentFault'
  readonly code: DocumentFaultCode
  constructor(code: DocumentFaultCode, message: string) {
    super(message)
    this.code = code
  }
}

export interface Renderer {
  /** PDF/A-3a; the same snapshot and attachments give the same bytes. Rejects with a DocumentFault. */
  render(beleg: Beleg, enclosures?: Partial<Enclosures>): Promise<Uint8Array>
  /** The same for a report. */
  bericht(jobSpec: TypesetJob): Promise<Uint8Array>
  /** Rejects what is waiting, and waits for what is being typeset. */
  close(): Promise<void>
}

export interface RendererOptions {
  readonly documentsPerWorker?: number
  readonly timeoutMs?: number
  readonly maxWaiting?: number
  readonly idleMs?: number
  readonly memoryBytes?: number
  readonly worker?: URL
}

type JobSpec = Omit<BelegRequest, 'id'> | { readonly bericht: TypesetJob }
interface Job {
  readonly jobSpec: JobSpec
  resolve(bytes: Uint8Array): void
  reject(fault: DocumentFault): void
}

interface Running {
  readonly id: number
  readonly job: Job
  readonly timer: NodeJS.Timeout
  readonly endWatch: () => void
}

const DEFAULTS = {
  documentsPerWorker: 250,
  timeoutMs: 30_000,
  maxWaiting: 200,
  idleMs: 60_000,
  memoryBytes: 2 ** 30,
  worker: new URL('./renderer-worker.ts', import.meta.url),
} satisfies RendererOptions

export const createRenderer = (options: RendererOptions = {}): Renderer =>
  new WorkerRenderer({ ...DEFAULTS, ...options })

class WorkerRenderer implements Renderer {
  readonly #options: Required<RendererOptions>
  readonly #waiting: Job[] = []
  #worker: ChildProcess | null = null
  /** Documents that the process has typeset. */
  #done = 0
  #lastId = 0
  #running: Running | null = null
  #idle: NodeJS.Timeout | undefined
  #isClosed = false
  #onIdle: (() => void) | null = null

  constructor(options: Required<RendererOptions>) {
    this.#options = options
  }

  render(
    beleg: Beleg,
    { logo = null, xml = null, anlagen = [] }: Partial<Enclosures> = {},
  ): Promise<Uint8Array> {
    return this.#queue({ beleg, enclosures: { logo, xml, anlagen } })
  }

  bericht(report: TypesetJob): Promise<Uint8Array> {
    return this.#queue({ bericht: report })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#waiting.splice(0)) reject(new DocumentFault('beendet', 'the server stops'))
    if (this.#running !== null) await new Promise<void>((resolve) => (this.#onIdle = resolve))
    clearTimeout(this.#idle)
    const last = this.#worker
    this.#dropWorker()
    if (last === null || last.exitCode !== null || last.signalCode !== null) return
    // It is awaited now, so it must keep the event loop alive until it is gone.
    last.ref()
    await once(last, 'exit')
  }

  #queue(jobSpec: JobSpec): Promise<Uint8Array> {
    if (this.#isClosed) return Promise.reject(new DocumentFault('beendet', 'the renderer is closed'))
    if (this.#waiting.length >= this.#options.maxWaiting)
      return Promise.reject(new DocumentFault('voll', `${this.#waiting.length} documents wait already`))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ jobSpec, resolve, reject })
      this.#next()
    })
  }

  #next(): void {
    if (this.#running !== null) return
    const job = this.#waiting.shift()
    clearTimeout(this.#idle)
    if (job === undefined) {
      this.#onIdle?.()
      this.#idle = setTimeout(() => this.#dropWorker(), this.#options.idleMs).unref()
    } else this.#begin(job)
  }

  #begin(job: Job): void {
    this.#worker ??= this.#startWorker()
    const { timeoutMs, memoryBytes } = this.#options
    const id = ++this.#lastId
    const timer = setTimeout(
      () => this.#giveUp(new DocumentFault('zeit', `not set within ${timeoutMs} ms`)),
      timeoutMs,
    )
    const endWatch = watchUsage(this.#worker, { memoryBytes, cpuMs: 2 * timeoutMs }, (what, used) =>
      this.#giveUp(
        what === 'memory'
          ? new DocumentFault('absturz', `${Math.round(used.memoryBytes / 2 ** 20)} MB`)
          : new DocumentFault('zeit', `${used.cpuMs} ms of the processor`),
      ),
    )
    this.#running = { id, job, timer, endWatch }
    const request: RenderRequest = { id, ...job.jobSpec }
    // Errors here end the process, which its 'exit' and 'error' handlers report.
    this.#worker.send(request, () => undefined)
  }

  #giveUp(fault: DocumentFault): void {
    this.#dropWorker()
    this.#settle((job) => job.reject(fault))
  }

  #settle(end: (job: Job) => void): void {
    if (this.#running === null) return
    const { job, timer, endWatch } = this.#running
    clearTimeout(timer)
    endWatch()
    this.#running = null
    end(job)
    this.#next()
  }

  #startWorker(): ChildProcess {
    const cache = getCompileCacheDir()
    // Compiled code from the cache halves the start-up time.
    const env = cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }
    const { worker, memoryBytes } = this.#options
    const started = startConfined(worker, { memoryBytes, cpuMs: null, talk: 'advanced', env })
    // A document that is no longer awaited must not delay shutdown.
    started.unref()
    started.channel?.unref()
    started.on('message', (reply) => {
      if (started === this.#worker) this.#receive(reply as RenderReply)
    })
    const lost = (reason: string): void => {
      if (started !== this.#worker) return
      this.#worker = null
      this.#done = 0
      this.#settle((job) => job.reject(new DocumentFault('absturz', reason)))
    }
    started.on('error', (error) => lost(`the process that sets documents failed: ${error.message}`))
    started.on('exit', (code, signal) => lost(`the process that sets documents ended with ${signal ?? code}`))
    return started
  }

  #receive(reply: RenderReply): void {
    if (reply.id !== this.#running?.id) return
    this.#done += 1
    if (this.#done >= this.#options.documentsPerWorker) this.#dropWorker()
    this.#settle((job) =>
      reply.kind === 'pdf'
        ? job.resolve(reply.bytes)
        : job.reject(new DocumentFault(reply.code, reply.message)),
    )
  }

  #dropWorker(): void {
    if (this.#worker !== null) killGroup(this.#worker)
    this.#worker = null
    this.#done = 0
  }
}
