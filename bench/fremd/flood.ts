// The hostile process: repeats one kind of act, many at a time, until its time is up; then perhaps another
// kind.
import { setTimeout as sleep } from 'node:timers/promises'
import { KINDS } from './kinds.ts'

export interface FloodOrder {
  readonly kind: string
  readonly origin: string
  readonly port: number
  readonly tokens: Readonly<Record<string, string>>
  readonly keys: readonly string[]
  readonly ms: number
}
export interface FloodResult {
  readonly acts: number
  /** Count of acts by status or by error. */
  readonly ends: Readonly<Record<string, number>>
}

async function flood({ kind: name, ms, ...stage }: FloodOrder): Promise<FloodResult> {
  const kind = KINDS.find((one) => one.name === name)
  if (kind === undefined) throw new Error(`no kind ${name}`)
  const ends: Record<string, number> = {}
  let acts = 0
  const signal = AbortSignal.timeout(ms)
  const one = async (): Promise<void> => {
    while (!signal.aborted) {
      const end = await kind
        .act({ ...stage, signal })
        .catch((error: unknown) => (error instanceof Error ? error.name : 'broken'))
      if (signal.aborted) return
      acts++
      const told = typeof end === 'number' || typeof end === 'string' ? String(end) : 'done'
      ends[told] = (ends[told] ?? 0) + 1
      // An act that is refused immediately may repeat immediately, but must not block the event loop.
      await sleep(1)
    }
  }
  await Promise.all(Array.from({ length: kind.atOnce ?? 12 }, one))
  return { acts, ends }
}

process.on('message', (order: FloodOrder) => {
  void flood(order).then((result) => process.send?.(result))
})
