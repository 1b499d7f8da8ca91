// The other end of faden.ts: what a thread that reads a file does before and after its work.
import { parentPort, workerData } from 'node:worker_threads'
import { oeffne } from './oeffnen.ts'
import { DateiFault, type Quelle } from './quelle.ts'

type Nachricht = { readonly art: string }
interface Faden<A, N extends Nachricht> {
  readonly auftrag: A
  tell(message: N): void
  /** The other side has taken the last packet and wants the next one. */
  answer(): Promise<void>
}

export function fadenOf<A, N extends Nachricht>(): Faden<A, N> {
  const port = parentPort
  if (port === null) throw new Error('this file runs as a worker')
  return {
    auftrag: workerData as A,
    tell: (message) => port.postMessage(message),
    answer: () => new Promise((resolve) => port.once('message', () => resolve())),
  }
}

/** Opens the file, works and closes both; why a file cannot be taken is told as `grund`. */
export async function lies(
  { datei, name }: { readonly datei: string; readonly name: string },
  work: (quelle: Quelle) => Promise<void>,
  options?: Parameters<typeof oeffne>[2],
): Promise<void> {
  let quelle: Quelle | null = null
  try {
    quelle = await oeffne(datei, name, options)
    await work(quelle)
  } catch (error) {
    if (!(error instanceof DateiFault)) throw error
    parentPort?.postMessage({ art: 'grund', grund: error.code })
  } finally {
    quelle?.close()
    parentPort?.close()
  }
}
