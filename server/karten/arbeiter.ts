// One piece of work in a process of its own, with limits of time and memory: decoders are native code and files come from outside. What brings the process down does not bring the server down, and what it
// had in memory is gone with it. Its process group is ended as a whole, so that no program it started outlives it.
import type { ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { killGroup, startConfined, watchUsage } from '#server/reader/confined.ts'
import { type Arbeit, ArbeitFault, type ArbeitNachricht, type ErgebnisOf } from './arbeit.ts'

export interface ArbeitOptions {
  readonly timeoutMs: number
  readonly memoryBytes: number
  readonly signal?: AbortSignal
  /** 0 to 1. */
  onProgress?(anteil: number): void
  /** For tests: the process, as soon as it runs. */
  onStart?(child: ChildProcess): void
}

export type Arbeiter = <A extends Arbeit>(arbeit: A, options: ArbeitOptions) => Promise<ErgebnisOf[A['art']]>

const WORKER = new URL('./arbeiter-prozess.ts', import.meta.url)

export const arbeite: Arbeiter = <A extends Arbeit>(arbeit: A, { timeoutMs, memoryBytes, signal, onProgress, onStart }: ArbeitOptions) =>
  new Promise<ErgebnisOf[A['art']]>((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    // Its decoders work on all cores at a time.
    const cpuMs = timeoutMs * availableParallelism()
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
    const timer = setTimeout(() => fail(new ArbeitFault('karte_zeit', `not done within ${timeoutMs} ms`)), timeoutMs)
    const endWatch = watchUsage(child, { memoryBytes, cpuMs }, (what, used) =>
      fail(
        what === 'memory'
          ? new ArbeitFault('karte_speicher', `${Math.round(used.memoryBytes / 2 ** 20)} MB`)
          : new ArbeitFault('karte_zeit', `${used.cpuMs} ms of the processor`),
      ),
    )
    signal?.addEventListener('abort', onAbort, { once: true })
    child.on('message', (message: ArbeitNachricht) => {
      if (message.kind === 'fortschritt') {
        if (!settled) onProgress?.(message.anteil)
      } else if (message.kind === 'fertig') settle(() => resolve(message.ergebnis as ErgebnisOf[A['art']]))
      else fail(new ArbeitFault(message.code, message.message, message.einzelheit))
    })
    child.on('error', (error) => fail(new ArbeitFault('karte_absturz', error.message)))
    child.on('exit', (code, ended) => fail(new ArbeitFault('karte_absturz', `the process ended with ${ended ?? code}`)))
    onStart?.(child)
    child.send(arbeit, () => undefined)
  })
