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

export function createRenderer({
  documentsPerWorker = 250,
  timeoutMs = 30_000,
  maxWaiting = 200,
  idleMs = 60_000,
  memoryBytes = 2 ** 30,
  worker: workerFile = new URL('./renderer-worker.ts', import.meta.url),
}: RendererOptions = {}): Renderer {
  const waiting: Job[] = []
  let worker: ChildProcess | null = null
  let done = 0
  let lastId = 0
  let running: Running | null = null
  let idle: NodeJS.Timeout | undefined
  let closed = false
  let onIdle: (() => void) | null = null

  function dropWorker(): void {
    if (worker !== null) killGroup(worker)
    worker = null
    done = 0
  }

  function startWorker(): ChildProcess {
    const cache = getCompileCacheDir()
    // Compiled code from the cache halves the start-up time.
    const env = cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }
    const started = startConfined(workerFile, { memoryBytes, cpuMs: null, talk: 'advanced', env })
    // A document that is no longer awaited must not delay shutdown.
    started.unref()
    started.channel?.unref()
    started.on('message', (reply) => {
      if (started === worker) receive(reply as RenderReply)
    })
    const lost = (reason: string): void => {
      if (started !== worker) return
      worker = null
      done = 0
      settle((job) => job.reject(new DocumentFault('absturz', reason)))
    }
    started.on('error', (error) => lost(`the process that sets documents failed: ${error.message}`))
    started.on('exit', (code, signal) => lost(`the process that sets documents ended with ${signal ?? code}`))
    return started
  }

  function receive(reply: RenderReply): void {
    if (reply.id !== running?.id) return
    done += 1
    if (done >= documentsPerWorker) dropWorker()
    settle((job) =>
      reply.kind === 'pdf'
        ? job.resolve(reply.bytes)
        : job.reject(new DocumentFault(reply.code, reply.message)),
    )
  }

  function settle(end: (job: Job) => void): void {
    if (running === null) return
    const { job, timer, endWatch } = running
    clearTimeout(timer)
    endWatch()
    running = null
    end(job)
    next()
  }

  function next(): void {
    if (running !== null) return
    const job = waiting.shift()
    if (job === undefined) {
      onIdle?.()
      clearTimeout(idle)
      idle = setTimeout(dropWorker, idleMs).unref()
      return
    }
    clearTimeout(idle)
    worker ??= startWorker()
    const id = ++lastId
    const timer = setTimeout(() => {
      dropWorker()
      settle(({ reject }) => reject(new DocumentFault('zeit', `not set within ${timeoutMs} ms`)))
    }, timeoutMs)
    const endWatch = watchUsage(worker, { memoryBytes, cpuMs: 2 * timeoutMs }, (what, used) => {
      dropWorker()
      const said =
        what === 'memory'
          ? `${Math.round(used.memoryBytes / 2 ** 20)} MB`
          : `${used.cpuMs} ms of the processor`
      settle(({ reject }) => reject(new DocumentFault(what === 'memory' ? 'absturz' : 'zeit', said)))
    })
    running = { id, job, timer, endWatch }
    const request: RenderRequest = { id, ...job.jobSpec }
    // Errors here end the process, which its 'exit' and 'error' handlers report.
    worker.send(request, () => undefined)
  }

  function queue(jobSpec: JobSpec): Promise<Uint8Array> {
    if (closed) return Promise.reject(new DocumentFault('beendet', 'the renderer is closed'))
    if (waiting.length >= maxWaiting)
      return Promise.reject(new DocumentFault('voll', `${waiting.length} documents wait already`))
    return new Promise((resolve, reject) => {
      waiting.push({ jobSpec, resolve, reject })
      next()
    })
  }

  return {
    render: (beleg, { logo = null, xml = null } = {}) => queue({ beleg, enclosures: { logo, xml } }),
    bericht: (bericht) => queue({ bericht }),
    async close() {
      closed = true
      for (const { reject } of waiting.splice(0)) reject(new DocumentFault('beendet', 'the server stops'))
      if (running !== null) await new Promise<void>((resolve) => (onIdle = resolve))
      clearTimeout(idle)
      const last = worker
      dropWorker()
      if (last === null || last.exitCode !== null || last.signalCode !== null) return
      // It is awaited now, so it must keep the event loop alive until it is gone.
      last.ref()
      await once(last, 'exit')
    },
  }
}
