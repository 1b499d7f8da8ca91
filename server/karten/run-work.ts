// One task in a separate process, with limits of time and memory: decoders are native code and files come
// from outside. A crash does not affect the server, and the memory is freed with the process. Its process
// group is ended as a whole, so that no program it started outlives it.
import type { ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { killGroup, type Limits, startConfined, watchUsage } from '#server/reader/confined.ts'
import { type Work, WorkFault, type WorkMessage, type ResultOf } from './work.ts'

export interface WorkOptions {
  readonly timeoutMs: number
  readonly memoryBytes: number
  /** By default the whole time on all cores: our decoders use all of them at once. */
  readonly cpuMs?: number
  readonly signal?: AbortSignal
  /** 0 to 1. */
  onProgress?(share: number): void
  /** For tests: called with the process as it starts. */
  onStart?(child: ChildProcess): void
}

/** As the limits of readers are given. */
export const within = ({ memoryBytes, cpuMs, wallMs }: Limits): WorkOptions => ({
  memoryBytes,
  cpuMs,
  timeoutMs: wallMs,
})

export type RunWork = <A extends Work>(task: A, options: WorkOptions) => Promise<ResultOf[A['art']]>

const WORKER = new URL('./worker-process.ts', import.meta.url)

export const runWork: RunWork = <A extends Work>(
  task: A,
  { timeoutMs, memoryBytes, signal, onProgress, onStart, ...limits }: WorkOptions,
) =>
  new Promise<ResultOf[A['art']]>((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const { cpuMs = timeoutMs * availableParallelism() } = limits
    const child = startConfined(WORKER, { memoryBytes, cpuMs, talk: 'json' })
    let settled = false
    const settle = (end: () => void): void => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      endWatch()
      signal?.removeEventListener('abort', onAbort)
      killGroup(child)
      end()
    }
    const fail = (fault: unknown) => settle(() => reject(fault))
    const onAbort = () => fail(signal?.reason)
    const timer = setTimeout(
      () => fail(new WorkFault('karte_zeit', `not done within ${timeoutMs} ms`)),
      timeoutMs,
    )
    const endWatch = watchUsage(child, { memoryBytes, cpuMs }, (what, used) =>
      fail(
        what === 'memory'
          ? new WorkFault('karte_speicher', `${Math.round(used.memoryBytes / 2 ** 20)} MB`)
          : new WorkFault('karte_zeit', `${used.cpuMs} ms of the processor`),
      ),
    )
    signal?.addEventListener('abort', onAbort, { once: true })
    child.on('message', (message: WorkMessage) => {
      if (message.kind === 'fortschritt') {
        if (!settled) onProgress?.(message.anteil)
      } else if (message.kind === 'fertig') settle(() => resolve(message.ergebnis as ResultOf[A['art']]))
      else fail(new WorkFault(message.code, message.message, message.einzelheit))
    })
    child.on('error', (error) => fail(new WorkFault('karte_absturz', error.message)))
    child.on('exit', (code, ended) =>
      fail(new WorkFault('karte_absturz', `the process ended with ${ended ?? code}`)),
    )
    onStart?.(child)
    child.send(task, () => undefined)
  })
