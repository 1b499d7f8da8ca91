// The other end of foreign.ts: what a process that reads a file does before and after its work.
import { readerChild } from '#server/reader/reader-child.ts'
import { oeffne } from './oeffnen.ts'
import { DateiFault, type Quelle } from './quelle.ts'

/** A packet is handed over when it has grown to this: both sides hold one at a time. */
export const PACKET_BYTES = 2 * 2 ** 20

interface Auftrag {
  readonly datei: string
  readonly name: string
}
export interface ReaderWork<A, N> {
  readonly auftrag: A
  tell(message: N): void
  /** The other side has taken the last packet and wants the next one. */
  answer(): Promise<void>
}

/** Opens the file, works and ends; why a file cannot be taken is told as `grund`. */
export async function readerWork<A extends Auftrag, N extends { readonly art: string }>(
  work: (quelle: Quelle, reader: ReaderWork<A, N>) => Promise<void>,
  options?: Parameters<typeof oeffne>[2],
): Promise<void> {
  const { task, tell, answer } = await readerChild<A, N | { art: 'grund'; grund: string }>()
  let quelle: Quelle | null = null
  try {
    quelle = await oeffne(task.datei, task.name, options)
    await work(quelle, { auftrag: task, tell, answer })
  } catch (error) {
    if (!(error instanceof DateiFault)) throw error
    tell({ art: 'grund', grund: error.code })
  } finally {
    quelle?.close()
  }
  process.exit(0)
}
