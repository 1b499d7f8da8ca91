// A thread of its own for files of others: with a limit of memory and time, and ended when nobody waits any more.
import { Worker } from 'node:worker_threads'
import type { DateiGrund } from '#contract/vermessung-import.ts'
import { DateiFault } from './quelle.ts'

const MEMORY_MB = 2_048
const TIME_MS = 10 * 60_000

/** It took too long, or was ended. */
export class LeserEnde extends Error {
  override readonly name = 'LeserEnde'
  readonly grund: 'zeit' | 'abgebrochen'
  constructor(grund: 'zeit' | 'abgebrochen') {
    super(grund)
    this.grund = grund
  }
}

/** What every such thread may say: why it cannot take the file, and packets (`zeilen`), of which the next one comes after an answer. */
export interface FadenNachricht {
  readonly art: string
}

/** @throws DateiFault, LeserEnde */
export async function* inFaden<Nachricht extends FadenNachricht>(
  datei: URL,
  auftrag: unknown,
  signal?: AbortSignal,
): AsyncGenerator<Nachricht, void> {
  const worker = new Worker(datei, {
    workerData: auftrag,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    env: {},
    stdout: false,
    stderr: false,
  })
  const came: Nachricht[] = []
  let ended: Error | 'end' | undefined
  let wake: (() => void) | undefined
  const end = (how: Error | 'end'): void => {
    ended ??= how
    wake?.()
  }
  worker.on('message', (message: Nachricht) => {
    came.push(message)
    wake?.()
  })
  // What brings the thread down lies in the file: too deep, too large, not what it says it is.
  worker.on('error', () => end(new DateiFault('datei_kaputt')))
  worker.on('exit', () => end('end'))
  const abort = (): void => end(new LeserEnde('abgebrochen'))
  if (signal?.aborted === true) abort()
  signal?.addEventListener('abort', abort, { once: true })
  const timer = setTimeout(() => end(new LeserEnde('zeit')), TIME_MS)
  try {
    for (;;) {
      const next = came.shift()
      if (next !== undefined) {
        if (next.art === 'grund') throw new DateiFault((next as unknown as { grund: DateiGrund }).grund)
        yield next
        if (next.art === 'zeilen') worker.postMessage('weiter')
      } else if (ended === undefined) await new Promise<void>((resolve) => (wake = resolve))
      else if (ended === 'end') return
      else throw ended
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    await worker.terminate()
  }
}
