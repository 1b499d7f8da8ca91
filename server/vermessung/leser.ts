// Reads files of others in a thread of their own: with a limit of memory and time, and ended when nobody waits any more.
import { Worker } from 'node:worker_threads'
import type { DateiGrund, DateiSchicht, VermessungFormat, Vorschau } from '#contract/vermessung-import.ts'
import type { Fehler } from '#domain/vermessung/pruefen.ts'
import type { Auftrag, Nachricht } from './arbeit.ts'
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

type Auskunft = Omit<Auftrag, 'werte' | 'lesen'>
type Zeilen = Extract<Nachricht, { art: 'zeilen' }>

async function* run(auftrag: Auftrag, signal: AbortSignal | undefined): AsyncGenerator<Nachricht, void> {
  const worker = new Worker(new URL('./leser-worker.ts', import.meta.url), {
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
        if (next.art === 'grund') throw new DateiFault(next.grund satisfies DateiGrund)
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

async function only<Art extends Nachricht['art']>(
  art: Art,
  auftrag: Auftrag,
  signal?: AbortSignal,
): Promise<Extract<Nachricht, { art: Art }>> {
  for await (const message of run(auftrag, signal)) if (message.art === art) return message as Extract<Nachricht, { art: Art }>
  throw new DateiFault('datei_kaputt')
}

export async function readLage(auftrag: Auskunft): Promise<{ format: VermessungFormat; schichten: DateiSchicht[] }> {
  return only('lage', { ...auftrag, werte: null, lesen: false })
}
export async function readVorschau(
  auftrag: Auskunft & { readonly werte: NonNullable<Auftrag['werte']> },
  signal?: AbortSignal,
): Promise<Vorschau> {
  return (await only('vorschau', { ...auftrag, lesen: false }, signal)).vorschau
}

/** Hands over the objects; the next packet is read when `take` is done. Answers the faults. */
export async function readObjekte(
  auftrag: Auskunft & { readonly werte: NonNullable<Auftrag['werte']> },
  take: (zeilen: Zeilen) => Promise<void>,
  signal: AbortSignal,
): Promise<{ fehlerzahl: number; fehler: readonly Fehler[] }> {
  for await (const message of run({ ...auftrag, lesen: true }, signal)) {
    if (message.art === 'zeilen') await take(message)
    if (message.art === 'fertig') return message
  }
  throw new DateiFault('datei_kaputt')
}
