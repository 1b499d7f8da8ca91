// The counterpart of foreign.ts: what a process that reads a file does before and after its work.
import { readerChild } from '#server/reader/reader-child.ts'
import { openSource } from './open.ts'
import { FileFault, type Source } from './source.ts'

/** A packet is handed over when it reaches this size: both sides hold one at a time. */
const PACKET_BYTES = 2 * 2 ** 20

interface JobSpec {
  readonly datei: string
  readonly name: string
}
export interface ReaderWork<A, N> {
  readonly jobSpec: A
  tell(message: N): void
  /** Resolves when the other side has taken the last packet and wants the next one. */
  answer(): Promise<void>
}

/** Opens the file, does the work and ends; the reason why a file is rejected is sent as `grund`. */
export async function readerWork<A extends JobSpec, N extends { readonly art: string }>(
  work: (source: Source, reader: ReaderWork<A, N>) => Promise<void>,
  options?: Parameters<typeof openSource>[2],
): Promise<void> {
  const { task, tell, answer } = await readerChild<A, N | { art: 'grund'; grund: string }>()
  let source: Source | null = null
  try {
    source = await openSource(task.datei, task.name, options)
    await work(source, { jobSpec: task, tell, answer })
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
    tell({ art: 'grund', grund: error.code })
  } finally {
    source?.close()
  }
  process.exit(0)
}

/**
 * Collects rows and sends them as one JSON array once there are `most` of them or they are large; `deliver`
 * resolves when the other side wants the next packet.
 */
export function createPackets(most: number, deliver: (json: string, count: number) => Promise<void>) {
  let rows: string[] = []
  let bytes = 0
  async function send(): Promise<void> {
    if (rows.length === 0) return
    const [json, count] = [`[${rows.join(',')}]`, rows.length]
    rows = []
    bytes = 0
    await deliver(json, count)
  }
  return {
    send,
    add: async (row: object): Promise<void> => {
      const json = JSON.stringify(row)
      bytes += json.length
      rows.push(json)
      if (rows.length >= most || bytes >= PACKET_BYTES) await send()
    },
  }
}
