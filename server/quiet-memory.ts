// Returns memory to the system after a busy time. V8 collects only when memory is requested: an idle
// server would keep the garbage of its busiest minute. What V8 frees goes to the C library, which
// has to be asked separately.
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { giveMemoryBack } from './allocator.ts'

export interface QuietMemory {
  /** Milliseconds between two checks. */
  readonly everyMs?: number
}

/**
 * Share of the time in which the event loop is active: above the first the server is busy, below the second
 * it is quiet and a pause of a tenth of a second hurts no one.
 */
const [BUSY, QUIET] = [0.2, 0.05]

/**
 * The one kind of collection V8 offers that also releases empty pages: a plain one keeps 100 MB of them for
 * the next busy time. Takes 50 to 100 ms.
 */
const THOROUGH = { type: 'major', execution: 'sync', flavor: 'last-resort' } as const

/**
 * Collects once after each busy time, and returns the freed memory to the system at the next check. Returns
 * a function that stops it.
 */
export function collectWhenQuiet({ everyMs = 5_000 }: QuietMemory = {}): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (how: typeof THOROUGH) => void
  let last = performance.eventLoopUtilization()
  let due = false
  let freed = false
  const look = (): void => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    if (utilization > BUSY) due = true
    if (utilization > QUIET) return
    if (freed) void giveMemoryBack()
    freed = due
    if (due) collect(THOROUGH)
    due = false
  }
  const timer = setInterval(look, everyMs).unref()
  return () => clearInterval(timer)
}
